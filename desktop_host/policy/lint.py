"""Rules that do not do what their author may think: they cannot match, are over, or others decide before them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_host.policy.conditions import glob_matches, in_utc, server_matches, wanted_of
from desktop_host.policy.facts import ServerFacts
from desktop_host.policy.floating import floats
from desktop_host.policy.rules import Kind, PolicyFile, Rule, ServerMatch
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import Message, say

_STRICTNESS = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.DENY: 2}


@dataclass(frozen=True, slots=True)
class Lint:
    """Something about a rule, or a server that is allowed: the `number`-th of its list from 0."""

    number: int
    rule: str
    message: Message
    listed: str = "rules"

    @property
    def pointer(self) -> str:
        """Where it stands."""
        return f"/{self.listed}/{self.number}"


@dataclass(frozen=True, slots=True)
class Known:
    """A server there is, with the names of its tools where it told them."""

    server: ServerFacts
    tools: tuple[str, ...] = ()


def lint(rules: Sequence[Rule], now: float, known: Sequence[Known] | None = None) -> tuple[Lint, ...]:
    """What is odd about rules at an epoch time. `known`: all servers there are, None where that is not known."""
    return tuple(
        Lint(number, rule.id, message)
        for number, rule in enumerate(rules)
        for message in (
            *_alone(rule, now),
            *_among(rule, number, rules),
            *(_unknown(rule, known) if known is not None else ()),
        )
    )


def lint_policy(policy: PolicyFile, now: float) -> tuple[Lint, ...]:
    """What is odd about a policy's rules, and the servers it allows."""
    allowed = enumerate(policy.allowed_mcp_servers or ())
    floating = (
        Lint(number, one.server_name or "", say("lint.floating"), "allowedMcpServers")
        for number, one in allowed
        if _floats(one)
    )
    return (*lint(policy.rules, now), *floating)


def shadowed(rule: Rule, stronger: Sequence[Rule]) -> Message | None:
    """That a rule of somebody who has the first word always decides where this one fits."""
    wanted = {condition.name: one for condition, one in wanted_of(rule.when)}
    for other in stronger:
        stricter = _STRICTNESS[other.effect] > _STRICTNESS[rule.effect]
        covers = all(wanted.get(condition.name) == one for condition, one in wanted_of(other.when))
        if stricter and covers and other.expires is None and set(rule.kinds) <= set(other.kinds):
            return say("lint.shadowed", rule=other.id)
    return None


def _floats(server: ServerMatch | None) -> bool:
    command = server.server_command if server is not None else None
    return bool(command) and floats(command[0], command[1:])


def _alone(rule: Rule, now: float) -> Iterable[Message]:
    kinds = set(rule.kinds)
    if rule.expires is not None and rule.expires.timestamp() <= now:
        yield say("lint.expired", when=in_utc(rule.expires))
    for condition, _ in wanted_of(rule.when):
        if not kinds & condition.kinds:
            yield say("lint.never", condition=condition.name)
    if rule.effect is not Effect.ALLOW:
        return
    for kind, key in ((Kind.LINK, "lint.allow_link"), (Kind.FORM, "lint.allow_form")):
        if kind in kinds:
            yield say(key)
    if rule.when.secrets_found:
        yield say("lint.allow_secret")
    if not wanted_of(rule.when):
        yield say("lint.allow_all")
    if _floats(rule.when.server):
        yield say("lint.floating")


def _among(rule: Rule, number: int, rules: Sequence[Rule]) -> Iterable[Message]:
    """Another rule always decides where this one fits."""
    wanted = {condition.name: one for condition, one in wanted_of(rule.when)}
    for place, other in enumerate(rules):
        stricter = _STRICTNESS[other.effect] - _STRICTNESS[rule.effect]
        if place == number or stricter < 0 or other.expires is not None or other.rate is not None:
            continue
        same = other.obligations == rule.obligations and other.when.server == rule.when.server
        if stricter == 0 and (place > number or not same):
            continue  # one that says which server vouches for it, should it be new
        covers = all(wanted.get(condition.name) == one for condition, one in wanted_of(other.when))
        if covers and set(rule.kinds) <= set(other.kinds):
            yield say("lint.shadowed", rule=other.id)
            return


def _unknown(rule: Rule, known: Sequence[Known]) -> Iterable[Message]:
    wanted = rule.when.server
    fitting = [one for one in known if wanted is None or server_matches(wanted, one.server)]
    if wanted is not None and not fitting:
        yield say("lint.no_server")
        return
    listed = [tool for one in fitting for tool in one.tools]
    wanted_tool = rule.when.tool
    if wanted_tool is None or not listed or not all(one.tools for one in fitting):
        return
    if not any(glob_matches(tool, wanted_tool) for tool in listed):
        yield say("lint.no_tool", tool=wanted_tool)
