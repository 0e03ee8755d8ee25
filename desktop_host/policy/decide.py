"""The decision on an ask: order-free, the strictest of all that fits wins, and every step of it is told."""

import hashlib
import json
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from desktop_host.policy.conditions import Condition, Holds, in_utc, told, wanted_of
from desktop_host.policy.facts import Facts
from desktop_host.policy.reading import rule_json
from desktop_host.policy.rules import Kind, Rate, Rule
from desktop_host.terms.asks import Decision, Effect, Layer, Obligations, Step
from desktop_host.terms.messages import Message, say

_NEAR_MISSES = 10
"""Rules that nearly fit are told, so many of them."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A rule with the layer it counts in and where it stands: a file and a JSON pointer in it."""

    rule: Rule
    layer: Layer
    source: str = ""
    pointer: str = ""


Uses = dict[tuple[Layer, str, Rate | None], deque[float]]
"""When each rule allowed something, by its layer, its id and its rate: epoch times."""


@dataclass(frozen=True, slots=True)
class _Floor:
    """What comes to the person whatever rules say."""

    name: str
    applies: Callable[[Facts], bool]


_FLOORS = (
    _Floor("link", lambda facts: facts.kind is Kind.LINK),
    _Floor("form", lambda facts: facts.kind is Kind.FORM),
    _Floor("secret", lambda facts: facts.secrets_found is True),
    _Floor("changed_tool", lambda facts: facts.tool_changed),
    _Floor("new_server", lambda facts: not facts.server.known),
)
_STRENGTH = {
    (Effect.DENY, Layer.MANAGED): 1,
    (Effect.DENY, Layer.USER): 2,
    (Effect.DENY, Layer.SESSION): 2,
    (Effect.ASK, Layer.FLOOR): 3,
    (Effect.ASK, Layer.MANAGED): 4,
    (Effect.ASK, Layer.USER): 5,
    (Effect.ASK, Layer.SESSION): 5,
    (Effect.ALLOW, Layer.MANAGED): 6,
    (Effect.ALLOW, Layer.USER): 7,
    (Effect.ALLOW, Layer.SESSION): 7,
}
_NO_OBLIGATIONS = Obligations()


class _Prepared:
    """A rule made ready to be held against many asks."""

    __slots__ = ("conditions", "expires", "pinned", "placed", "uses")

    def __init__(self, placed: Placed, uses: deque[float]) -> None:
        rule = placed.rule
        allows = rule.effect is Effect.ALLOW
        self.placed = placed
        self.conditions: list[tuple[Condition, Any, Holds]] = [
            (one, wanted, (one.holds_all if allows else None) or one.holds) for one, wanted in wanted_of(rule.when)
        ]
        self.expires = rule.expires.timestamp() if rule.expires is not None else None
        server = rule.when.server
        secure = server is not None and (server.server_url or "").startswith("https://")
        named = server is not None and (server.server_command is not None or secure)
        self.pinned = placed.layer is Layer.MANAGED and named
        self.uses = uses

    def exhausted(self, now: float) -> bool:
        """It was used as often as it may be."""
        rate = self.placed.rule.rate
        if rate is None:
            return False
        while self.uses and now - self.uses[0] >= rate.per_seconds:
            self.uses.popleft()
        return len(self.uses) >= rate.count


class Rulebook:
    """All rules that hold now. `restricted` says why nothing may be allowed at all, `user_allows_off` why no rule of
    the person's may allow; None: they may, but for `kinds_off`. `uses` outlives it: when rules with a rate allowed."""

    def __init__(
        self,
        rules: Iterable[Placed],
        *,
        restricted: Message | None = None,
        user_allows_off: Message | None = None,
        kinds_off: frozenset[Kind] = frozenset(),
        uses: Uses | None = None,
    ) -> None:
        self.rules = tuple(rules)
        self.restricted = restricted
        self.user_allows_off = user_allows_off
        self.kinds_off = kinds_off
        self.digest = _digest(self.rules, restricted, user_allows_off)
        known: Uses = {} if uses is None else uses
        self._by_kind: defaultdict[Kind, list[_Prepared]] = defaultdict(list)
        for placed in self.rules:
            prepared = _Prepared(placed, known.setdefault((placed.layer, placed.rule.id, placed.rule.rate), deque()))
            for kind in set(placed.rule.kinds):
                self._by_kind[kind].append(prepared)

    def decide(self, facts: Facts, *, after: Decision | None = None, use: bool = True) -> Decision:
        """Decide on an ask. An allowance with a rate is used up by this, unless it is only looked at (not `use`).

        `after`: the decision on an earlier step of the same ask; what allowed that need not allow once more.
        """
        granted = _granted(after)
        steps: list[tuple[Step, _Prepared | None]] = []
        near: list[Step] = []
        for one in self._by_kind[facts.kind]:
            missed = self._missed(one, facts)
            if not missed:
                steps.append((self._step(one, facts, granted=granted), one))
            elif len(near) < _NEAR_MISSES and _nearly(one, missed):
                near.append(self._step(one, facts, missed))
        counting = [step for step, _ in steps if step.counts]
        pinned = any(
            step.counts and one is not None and one.pinned for step, one in steps if step.effect is Effect.ALLOW
        )
        floors = [
            Step(Layer.FLOOR, Effect.ASK, counts=True, rule=floor.name)
            for floor in _FLOORS
            if floor.applies(facts) and not (floor.name == "new_server" and pinned)
        ]
        ordered = sorted((*floors, *(step for step, _ in steps)), key=_order)
        effect = _strictest((*floors, *counting))
        obligations = _NO_OBLIGATIONS
        if effect is Effect.ALLOW:
            used = min((pair for pair in steps if pair[0].counts), key=_gentlest)
            assert used[1] is not None  # a floor never allows
            obligations = used[1].placed.rule.obligations or _NO_OBLIGATIONS
            if use and (used[0].layer, used[0].rule) != granted:
                used[1].uses.append(facts.at)
            ordered = [used[0], *(step for step in ordered if step is not used[0])]
        whole = (*ordered, *near)
        return Decision(effect, _reasons(effect, ordered), whole, obligations, facts.as_json(), self.digest)

    def _missed(self, one: _Prepared, facts: Facts) -> list[str]:
        """The conditions that do not hold, as many as tell that it does not even nearly fit."""
        missed: list[str] = []
        if one.expires is not None and facts.at >= one.expires:
            missed.append("expires")
        for condition, wanted, holds in one.conditions:
            if holds(wanted, facts) is not True:
                missed.append(condition.name)
                if len(missed) > 1 or condition.name == "server":
                    break
        return missed

    def _step(
        self, one: _Prepared, facts: Facts, missed: Sequence[str] = (), granted: tuple[Layer, str] | None = None
    ) -> Step:
        placed, rule = one.placed, one.placed.rule
        why_not = self._switched_off(one, facts, granted) if not missed else None
        if "expires" in missed and rule.expires is not None:
            why_not = say("why.expired", when=in_utc(rule.expires))
        said = {condition.name: told(condition, wanted, facts) for condition, wanted, _ in one.conditions}
        return Step(
            placed.layer,
            rule.effect,
            counts=not missed and why_not is None,
            rule=rule.id,
            source=placed.source,
            pointer=placed.pointer,
            reason=rule.reason,
            matched=tuple(said[name] for name in said if name not in missed),
            missed=tuple(said[name] for name in said if name in missed),
            why_not=why_not,
        )

    def _switched_off(self, one: _Prepared, facts: Facts, granted: tuple[Layer, str] | None) -> Message | None:
        """Why a rule that fits does not count."""
        rule, layer = one.placed.rule, one.placed.layer
        if rule.effect is not Effect.ALLOW:
            return None
        if self.restricted is not None:
            return self.restricted
        if layer is not Layer.MANAGED and self.user_allows_off is not None:
            return self.user_allows_off
        if layer is not Layer.MANAGED and facts.kind in self.kinds_off:
            return say("why.kind_off")
        if facts.kind is Kind.CONNECT and layer is not Layer.MANAGED:
            return say("why.only_managed")
        if facts.kind is Kind.RESPONSE and not facts.reviewed and Kind.REQUEST not in rule.kinds:
            return say("why.not_reviewed")
        if rule.rate is not None and (layer, rule.id) != granted and one.exhausted(facts.at):
            return say("why.rate", count=rule.rate.count, seconds=rule.rate.per_seconds)
        return None


def _granted(after: Decision | None) -> tuple[Layer, str] | None:
    """The rule that allowed an earlier step."""
    if after is None or after.effect is not Effect.ALLOW or not after.steps:
        return None
    return after.steps[0].layer, after.steps[0].rule


def _strictest(steps: Sequence[Step]) -> Effect:
    effects = {step.effect for step in steps}
    if Effect.DENY in effects:
        return Effect.DENY
    return Effect.ALLOW if effects == {Effect.ALLOW} else Effect.ASK


def _order(step: Step) -> tuple[bool, int, str]:
    """What counts first, and of that the strongest."""
    return not step.counts, _STRENGTH[step.effect, step.layer], step.rule


def _gentlest(pair: tuple[Step, _Prepared | None]) -> tuple[int, int, str, str]:
    """Of several allowances the strongest layer's with the fewest obligations is used."""
    step, one = pair
    duties = one.placed.rule.obligations if one is not None else None
    burden = 0 if duties is None else sum((bool(duties.redact), duties.notify, duties.clamp_max_tokens is not None,
                                           duties.review_response))  # fmt: skip
    return _STRENGTH[step.effect, step.layer], burden, step.rule, repr(duties)


def _nearly(one: _Prepared, missed: Sequence[str]) -> bool:
    """All but one of its conditions hold, and it is about this server."""
    return len(missed) == 1 and missed[0] != "server" and (bool(one.conditions) or missed[0] == "expires")


def _reasons(effect: Effect, told: Sequence[Step]) -> tuple[Message, ...]:
    """Why it was decided so, the strongest reason first."""
    found = [_reason(step) for step in told if step.counts and step.effect is effect]
    if found:
        return tuple(found)
    suspended = tuple(step.why_not for step in told if step.why_not is not None)
    return (say("decision.no_rule"), *suspended)


def _reason(step: Step) -> Message:
    if step.layer is Layer.FLOOR:
        return say(f"floor.{step.rule}")
    whose = "managed" if step.layer is Layer.MANAGED else "user"
    if step.reason:
        return say(f"decision.{step.effect.value}.{whose}.because", rule=step.rule, reason=step.reason)
    return say(f"decision.{step.effect.value}.{whose}", rule=step.rule)


def _digest(rules: Sequence[Placed], *switches: Message | None) -> str:
    whole = sorted(json.dumps([one.layer.value, rule_json(one.rule)], sort_keys=True) for one in rules)
    return hashlib.sha256(json.dumps([whole, [one.key if one else "" for one in switches]]).encode()).hexdigest()
