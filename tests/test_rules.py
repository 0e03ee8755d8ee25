"""Rules: the strictest of all that fits wins, a person is never looser than an administrator, and all of it is told."""

import datetime as dt
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_host.policy.conditions import CONDITIONS, host_matches, url_matches
from desktop_host.policy.decide import Placed, Rulebook
from desktop_host.policy.facts import Facts, ServerFacts, facts_of
from desktop_host.policy.reading import read_rule
from desktop_host.policy.rules import Kind, Rule, json_name
from desktop_host.policy.simulate import Past, simulate
from desktop_host.terms.asks import Decision, Effect, Layer, Obligations, Step
from desktop_host.terms.messages import Message, say
from desktop_host.ui.messages import TEXTS, english
from tests.support.rule_strategies import LAYERS, LOCAL, MEMBERS, NOON, PLAIN, REMOTE, asks, rules, situations

many = settings(max_examples=60, deadline=None)

STRICTNESS = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.DENY: 2}
ALLOW, ASK, DENY = Effect


def rule(effect: str = "allow", kinds: str = "tool.call", id: str = "r", **more: Any) -> Rule:
    return read_rule({"id": id, "effect": effect, "kinds": kinds.split(), **more})


def placed(*rules: Rule, layer: Layer = Layer.USER) -> list[Placed]:
    return [Placed(one, layer, f"{layer.value}.json", f"/rules/{number}") for number, one in enumerate(rules)]


def decided(facts: Facts, *rules: Placed, **options: Any) -> Decision:
    """By rules that were used for nothing yet."""
    return Rulebook(rules, **options).decide(facts)


def call(*tools: str, **more: Any) -> Facts:
    return Facts(Kind.TOOL_CALL, more.pop("server", LOCAL), tools or ("read_file",), **{"at": NOON, **more})


def fitting(decision: Decision) -> list[str]:
    """The rules that fit, whether they count or not."""
    return [
        step.rule for step in decision.steps if not step.missed and step.layer is not Layer.FLOOR and not expired(step)
    ]


def expired(step: Step) -> bool:
    return step.why_not is not None and step.why_not.key == "why.expired"


def near(decision: Decision) -> list[Step]:
    return [step for step in decision.steps if step.missed or expired(step)]


def fits(one: Rule, facts: Facts) -> bool:
    return bool(fitting(decided(facts, *placed(one))))


# What holds for all rules


@many
@given(situations(), st.data())
def test_another_deny_or_ask_never_loosens(situation: tuple[Facts, list[Placed]], data: st.DataObject) -> None:
    facts, before = situation
    more = data.draw(rules((DENY, ASK), facts.kind))
    after = decided(facts, *before, Placed(more, data.draw(LAYERS)))
    assert STRICTNESS[after.effect] >= STRICTNESS[decided(facts, *before).effect]


@many
@given(situations(), st.data())
def test_another_allow_never_tightens(situation: tuple[Facts, list[Placed]], data: st.DataObject) -> None:
    facts, before = situation
    more = data.draw(rules((ALLOW,), facts.kind))
    after = decided(facts, *before, Placed(more, data.draw(LAYERS)))
    assert STRICTNESS[after.effect] <= STRICTNESS[decided(facts, *before).effect]


@many
@given(situations())
def test_a_person_is_never_looser_than_an_administrator(situation: tuple[Facts, list[Placed]]) -> None:
    facts, both = situation
    managed = decided(facts, *(one for one in both if one.layer is Layer.MANAGED))
    whole = decided(facts, *both)
    if any(step.counts for step in managed.steps):
        assert STRICTNESS[whole.effect] >= STRICTNESS[managed.effect]
    if managed.effect is whole.effect is ALLOW:
        assert whole.obligations == managed.obligations


@many
@given(situations())
def test_where_no_rule_of_the_persons_may_allow_none_does(situation: tuple[Facts, list[Placed]]) -> None:
    facts, both = situation
    managed = decided(facts, *(one for one in both if one.layer is Layer.MANAGED))
    whole = decided(facts, *both, user_allows_off=say("why.user_rules_off"))
    assert STRICTNESS[whole.effect] >= STRICTNESS[managed.effect]


@many
@given(situations(), st.sets(st.sampled_from(Kind)))
def test_kinds_that_the_person_switched_off_are_allowed_by_administrators_alone(
    situation: tuple[Facts, list[Placed]], kinds: set[Kind]
) -> None:
    facts, both = situation
    managed = decided(facts, *(one for one in both if one.layer is Layer.MANAGED))
    free, held = decided(facts, *both), decided(facts, *both, kinds_off=frozenset(kinds))
    if facts.kind not in kinds:
        assert held.effect is free.effect
    elif held.effect is ALLOW:
        assert held.obligations == managed.obligations
        assert managed.effect is ALLOW
    else:
        assert STRICTNESS[held.effect] >= STRICTNESS[free.effect]


@many
@given(situations(), st.randoms(use_true_random=False))
def test_the_order_of_rules_does_not_matter(situation: tuple[Facts, list[Placed]], random: Any) -> None:
    facts, first = situation
    other = [*first]
    random.shuffle(other)
    one, two = decided(facts, *first), decided(facts, *other)
    assert (one.effect, one.reasons, one.obligations, one.policy) == (
        two.effect,
        two.reasons,
        two.obligations,
        two.policy,
    )
    assert [step for step in one.steps if step.counts] == [step for step in two.steps if step.counts]
    assert sorted(map(repr, one.steps)) == sorted(map(repr, two.steps))


@many
@given(situations())
def test_nothing_is_allowed_while_something_is_in_doubt(situation: tuple[Facts, list[Placed]]) -> None:
    facts, both = situation
    free, held = decided(facts, *both), decided(facts, *both, restricted=say("why.suspended"))
    assert held.effect is not ALLOW
    assert held.effect is (ASK if free.effect is ALLOW else free.effect)
    if free.effect is ALLOW:
        assert held.reasons[:2] == (say("decision.no_rule"), say("why.suspended"))


@many
@given(situations(), st.data())
def test_some_things_come_to_the_person_whatever_rules_say(
    situation: tuple[Facts, list[Placed]], data: st.DataObject
) -> None:
    facts, both = situation
    both += placed(rule(kinds=facts.kind.value), layer=data.draw(LAYERS))
    effect = decided(facts, *both).effect
    never = facts.kind in (Kind.LINK, Kind.FORM) or facts.secrets_found or facts.tool_changed
    vouched = [
        one
        for one in both
        if one.layer is Layer.MANAGED
        and (server := one.rule.when.server) is not None
        and (server.server_command or (server.server_url or "").startswith("https://"))
        and decided(facts, one).effect is ALLOW
    ]
    if never or not (facts.server.known or vouched):
        assert effect is not ALLOW


@many
@given(situations(most=14))
def test_every_decision_is_explained(situation: tuple[Facts, list[Placed]]) -> None:
    facts, both = situation
    decision = decided(facts, *both)
    counting = [step for step in decision.steps if step.counts]
    if counting:
        assert counting[0].effect is decision.effect, "the strongest step is what was decided"
        assert max(counting, key=lambda step: STRICTNESS[step.effect]).effect is decision.effect
    else:
        assert (decision.effect, decision.reasons[0]) == (ASK, say("decision.no_rule"))
    alone = [one.rule.id for one in both if fits(one.rule, facts)]
    assert sorted(fitting(decision)) == sorted(alone), "every rule that fits is told"
    assert decision.reasons
    assert [key for key in keys_of(decision) if key not in TEXTS] == []
    assert all("{" not in english(one).replace("{braces}", "") for one in decision.reasons)


def keys_of(decision: Decision) -> set[str]:
    said: list[Message | None] = [*decision.reasons]
    for step in decision.steps:
        said += (*step.matched, *step.missed, step.why_not)
    return {one.key for one in said if one is not None}


@many
@given(situations())
def test_the_facts_that_are_kept_lead_to_the_same_decision(situation: tuple[Facts, list[Placed]]) -> None:
    facts, both = situation
    decision = decided(facts, *both)
    again = facts_of(json.loads(json.dumps(decision.facts)))
    assert again is not None
    assert again == facts
    assert decided(again, *both) == decision


# Who decides


def both_layers(managed: str, user: str, **more: Any) -> list[Placed]:
    found = []
    for effect, layer in ((managed, Layer.MANAGED), (user, Layer.USER)):
        if effect:
            found += placed(rule(effect, id=layer.value, **more), layer=layer)
    return found


@pytest.mark.parametrize(
    ("managed", "user", "effect", "reason"),
    [
        ("", "", ASK, say("decision.no_rule")),
        ("", "allow", ALLOW, say("decision.allow.user", rule="user")),
        ("", "ask", ASK, say("decision.ask.user", rule="user")),
        ("", "deny", DENY, say("decision.deny.user", rule="user")),
        ("allow", "", ALLOW, say("decision.allow.managed", rule="managed")),
        ("allow", "allow", ALLOW, say("decision.allow.managed", rule="managed")),
        ("allow", "ask", ASK, say("decision.ask.user", rule="user")),
        ("allow", "deny", DENY, say("decision.deny.user", rule="user")),
        ("ask", "allow", ASK, say("decision.ask.managed", rule="managed")),
        ("ask", "ask", ASK, say("decision.ask.managed", rule="managed")),
        ("ask", "deny", DENY, say("decision.deny.user", rule="user")),
        ("deny", "allow", DENY, say("decision.deny.managed", rule="managed")),
        ("deny", "ask", DENY, say("decision.deny.managed", rule="managed")),
        ("deny", "deny", DENY, say("decision.deny.managed", rule="managed")),
    ],
)
def test_the_strictest_wins_and_is_the_first_reason(managed: str, user: str, effect: Effect, reason: Message) -> None:
    decision = decided(call(), *both_layers(managed, user))
    assert (decision.effect, decision.reasons[0]) == (effect, reason)
    assert len([step for step in decision.steps if step.counts]) == bool(managed) + bool(user)


def test_a_rule_says_its_own_reason() -> None:
    decision = decided(call(), *placed(rule("deny", reason="ticket 1234")))
    assert decision.reasons == (say("decision.deny.user.because", rule="r", reason="ticket 1234"),)


def test_a_step_names_the_file_and_the_place_in_it() -> None:
    decision = decided(call(), *placed(rule(id="a"), rule("deny", id="b")))
    assert [(one.source, one.pointer, one.rule) for one in decision.steps] == [
        ("user.json", "/rules/1", "b"),
        ("user.json", "/rules/0", "a"),
    ]


@pytest.mark.parametrize(
    "facts",
    [
        Facts(Kind.LINK, LOCAL, url_host="pay.example", at=NOON),
        Facts(Kind.FORM, LOCAL, fields=("name",), at=NOON),
        Facts(Kind.REQUEST, LOCAL, secrets_found=True, at=NOON),
        call(tool_changed=True),
        call(server=replace(LOCAL, known=False)),
    ],
    ids=["link", "form", "secret", "changed tool", "new server"],
)
def test_a_rule_that_denies_what_is_always_asked_about_comes_first(facts: Facts) -> None:
    decision = decided(facts, *placed(rule("deny", facts.kind.value)))
    assert decision.effect is DENY
    assert decision.reasons == (say("decision.deny.user", rule="r"),)
    assert decision.steps[0].rule == "r", "the record counts by it how often a rule decided"


def test_a_rule_is_only_about_its_kinds() -> None:
    one = rule("deny", "sampling.request roots.list")
    denied = [kind for kind in Kind if decided(Facts(kind, LOCAL, at=NOON), *placed(one)).effect is DENY]
    assert denied == [Kind.REQUEST, Kind.ROOTS]


# What is always asked about


@pytest.mark.parametrize(
    ("facts", "floor"),
    [
        (Facts(Kind.LINK, LOCAL, at=NOON), "floor.link"),
        (Facts(Kind.FORM, LOCAL, at=NOON), "floor.form"),
        (Facts(Kind.REQUEST, LOCAL, secrets_found=True, at=NOON), "floor.secret"),
        (Facts(Kind.RESPONSE, LOCAL, secrets_found=True, at=NOON), "floor.secret"),
        (call(tool_changed=True), "floor.changed_tool"),
        (call(server=replace(LOCAL, known=False)), "floor.new_server"),
    ],
)
@pytest.mark.parametrize("layer", [Layer.MANAGED, Layer.USER, Layer.SESSION])
def test_no_rule_lifts_what_is_built_in(facts: Facts, floor: str, layer: Layer) -> None:
    decision = decided(facts, *placed(rule(kinds=facts.kind.value), layer=layer))
    assert (decision.effect, decision.reasons) == (ASK, (say(floor),))


NEW_LOCAL, NEW_REMOTE, NEW_PLAIN = (replace(one, known=False) for one in (LOCAL, REMOTE, PLAIN))
COMMAND = {"serverCommand": ["uvx", "corp-files==2.1.0"]}
HTTPS = {"serverUrl": "https://mcp.corp.example/*"}


@pytest.mark.parametrize(
    ("server", "match", "layer", "effect"),
    [
        (NEW_LOCAL, COMMAND, Layer.MANAGED, ALLOW),
        (NEW_REMOTE, HTTPS, Layer.MANAGED, ALLOW),
        (NEW_LOCAL, {**COMMAND, "serverName": "files"}, Layer.MANAGED, ALLOW),
        (NEW_LOCAL, COMMAND, Layer.USER, ASK),
        (NEW_REMOTE, HTTPS, Layer.SESSION, ASK),
        (NEW_PLAIN, {"serverUrl": "http://lab.example/*"}, Layer.MANAGED, ASK),
        (NEW_LOCAL, {"fingerprint": "f1"}, Layer.MANAGED, ASK),
        (NEW_LOCAL, HTTPS, Layer.MANAGED, ASK),
        (NEW_LOCAL, None, Layer.MANAGED, ASK),
    ],
)
@pytest.mark.parametrize("kind", [Kind.CONNECT, Kind.TOOL_CALL, Kind.ROOTS])
def test_only_an_administrator_who_names_a_server_for_certain_vouches_for_a_new_one(
    kind: Kind, server: ServerFacts, match: dict[str, Any] | None, layer: Layer, effect: Effect
) -> None:
    when = {} if match is None else {"server": match}
    assert (
        decided(Facts(kind, server, at=NOON), *placed(rule(kinds=kind.value, when=when), layer=layer)).effect is effect
    )


def test_whoever_vouches_must_still_fit() -> None:
    facts = call("write", server=NEW_LOCAL)
    vouching = rule(when={"server": COMMAND, "tool": "read_*"})
    assert decided(facts, *placed(vouching, rule(id="any"), layer=Layer.MANAGED)).effect is ASK
    assert decided(replace(facts, tools=("read_file",)), *placed(vouching, layer=Layer.MANAGED)).effect is ALLOW


@pytest.mark.parametrize(
    "facts",
    [
        Facts(Kind.LINK, NEW_LOCAL, at=NOON),
        Facts(Kind.FORM, NEW_LOCAL, at=NOON),
        Facts(Kind.REQUEST, NEW_LOCAL, secrets_found=True, at=NOON),
        call(server=NEW_LOCAL, tool_changed=True),
    ],
    ids=["link", "form", "secret", "changed tool"],
)
def test_vouching_for_a_server_lifts_nothing_else(facts: Facts) -> None:
    vouching = placed(rule(kinds=facts.kind.value, when={"server": COMMAND}), layer=Layer.MANAGED)
    assert decided(facts, *vouching).effect is ASK


def test_a_rule_that_is_used_up_does_not_vouch_for_a_server() -> None:
    vouching = rule(when={"server": COMMAND}, rate={"count": 1, "perSeconds": 60})
    book = Rulebook([*placed(vouching, layer=Layer.MANAGED), *placed(rule(id="mine"))])
    assert effects(book, 0, 1, facts=call(server=NEW_LOCAL)) == [ALLOW, ASK]


def test_a_person_lets_no_server_start_by_a_rule() -> None:
    facts = Facts(Kind.CONNECT, LOCAL, at=NOON)
    mine = rule(kinds="server.connect", when={"server": COMMAND})
    decision = decided(facts, *placed(mine))
    assert (decision.effect, decision.steps[0].why_not) == (ASK, say("why.only_managed"))
    assert decided(facts, *placed(mine, layer=Layer.MANAGED)).effect is ALLOW


@pytest.mark.parametrize("layer", [Layer.MANAGED, Layer.USER, Layer.SESSION])
def test_an_answer_to_a_request_that_nobody_saw_needs_a_rule_about_both(layer: Layer) -> None:
    unseen = Facts(Kind.RESPONSE, LOCAL, reviewed=False, at=NOON)
    answers = placed(rule(kinds="sampling.response"), layer=layer)
    decision = decided(unseen, *answers)
    assert (decision.effect, decision.steps[0].why_not) == (ASK, say("why.not_reviewed"))
    assert decision.reasons == (say("decision.no_rule"), say("why.not_reviewed"))
    assert decided(replace(unseen, reviewed=True), *answers).effect is ALLOW
    assert decided(unseen, *placed(rule(kinds="sampling.request sampling.response"), layer=layer)).effect is ALLOW


# Conditions

TABLE: list[tuple[str, Any, Kind, dict[str, Any], bool]] = [
    # the member, what it wants, the kind of ask, what is known of the ask, whether it fits
    ("server", COMMAND, Kind.TOOL_CALL, {"server": LOCAL}, True),
    ("server", COMMAND, Kind.TOOL_CALL, {"server": REMOTE}, False),
    ("server", COMMAND, Kind.TOOL_CALL, {"server": ServerFacts(command=("uvx", "corp-files==2.1.0", "--all"))}, False),
    ("server", COMMAND, Kind.TOOL_CALL, {"server": ServerFacts(command=("uvx",))}, False),
    ("server", COMMAND, Kind.TOOL_CALL, {"server": ServerFacts(command=("UVX", "corp-files==2.1.0"))}, False),
    ("server", COMMAND, Kind.TOOL_CALL, {"server": ServerFacts(command=("uvx corp-files==2.1.0",))}, False),
    ("server", {"serverCommand": ["uvx", "*"]}, Kind.TOOL_CALL, {"server": LOCAL}, False),
    ("server", HTTPS, Kind.ROOTS, {"server": REMOTE}, True),
    ("server", HTTPS, Kind.ROOTS, {"server": LOCAL}, False),
    ("server", {"serverName": "FILES"}, Kind.ROOTS, {"server": LOCAL}, True),
    ("server", {"serverName": "file*"}, Kind.ROOTS, {"server": LOCAL}, False),
    ("server", {"fingerprint": "f1"}, Kind.ROOTS, {"server": LOCAL}, True),
    ("server", {"fingerprint": "f"}, Kind.ROOTS, {"server": LOCAL}, False),
    ("server", {**COMMAND, "fingerprint": "f1"}, Kind.ROOTS, {"server": LOCAL}, True),
    ("server", {**COMMAND, "fingerprint": "f2"}, Kind.ROOTS, {"server": LOCAL}, False),
    ("server", {**COMMAND, "serverName": "others"}, Kind.ROOTS, {"server": LOCAL}, False),
    ("tool", "read_*", Kind.TOOL_CALL, {"tools": ("read_file",)}, True),
    ("tool", "read_*", Kind.TOOL_CALL, {"tools": ("Read_file",)}, False),
    ("tool", "read_?", Kind.TOOL_CALL, {"tools": ("read_a",)}, True),
    ("tool", "read_[ab]", Kind.TOOL_CALL, {"tools": ("read_c",)}, False),
    ("tool", "read", Kind.TOOL_CALL, {"tools": ("read_file",)}, False),
    ("tool", "read_*", Kind.FORM, {"tools": ("read_file",)}, True),
    ("tool", "*", Kind.ROOTS, {"tools": ()}, False),
    ("tool_digest", "d1", Kind.TOOL_CALL, {"tool_digest": "d1"}, True),
    ("tool_digest", "d1", Kind.TOOL_CALL, {"tool_digest": "d2"}, False),
    ("tool_digest", "d1", Kind.TOOL_CALL, {}, False),
    ("model_in", ["local/*", "gpt-5"], Kind.REQUEST, {"models": ("LOCAL/Llama",)}, True),
    ("model_in", ["local/*", "gpt-5"], Kind.REQUEST, {"models": ("id", "gpt-5")}, True),
    ("model_in", ["local/*", "gpt-5"], Kind.RESPONSE, {"models": ("gpt-5-mini",)}, False),
    ("model_in", ["*"], Kind.REQUEST, {}, False),
    ("max_tokens_le", 1000, Kind.REQUEST, {"max_tokens": 1000}, True),
    ("max_tokens_le", 1000, Kind.REQUEST, {"max_tokens": 1001}, False),
    ("max_tokens_le", 1000, Kind.REQUEST, {}, False),
    ("prompt_tokens_le", 10, Kind.REQUEST, {"prompt_tokens": 0}, True),
    ("prompt_tokens_le", 10, Kind.REQUEST, {"prompt_tokens": 11}, False),
    ("content_types", ["text"], Kind.REQUEST, {"content_types": ("text", "text")}, True),
    ("content_types", ["text"], Kind.REQUEST, {"content_types": ("text", "image")}, False),
    ("content_types", ["text", "image"], Kind.RESPONSE, {"content_types": ("image",)}, True),
    ("content_types", ["text"], Kind.RESPONSE, {}, False),
    ("fields_subset_of", ["name", "email"], Kind.FORM, {"fields": ("email",)}, True),
    ("fields_subset_of", ["name", "email"], Kind.FORM, {"fields": ()}, True),
    ("fields_subset_of", ["name", "email"], Kind.FORM, {"fields": ("email", "pin")}, False),
    ("fields_subset_of", ["name"], Kind.FORM, {"fields": ("Name",)}, False),
    ("fields_subset_of", ["name"], Kind.FORM, {}, False),
    ("url_scheme", "https", Kind.LINK, {"url_scheme": "https"}, True),
    ("url_scheme", "https", Kind.LINK, {"url_scheme": "http"}, False),
    ("url_scheme", "https", Kind.LINK, {}, False),
    ("url_host", "*.pay.example", Kind.LINK, {"url_host": "a.pay.example"}, True),
    ("url_host", "*.pay.example", Kind.LINK, {"url_host": "evilpay.example"}, False),
    ("url_host", "*.pay.example", Kind.LINK, {}, False),
    ("hours", {"start": "09:00", "end": "17:00"}, Kind.ROOTS, {}, True),
    ("hours", {"start": "13:00", "end": "17:00"}, Kind.ROOTS, {}, False),
    *(
        (name, wanted, kind, {name: found}, wanted is found)
        for name, kind in (
            ("read_only_hint", Kind.TOOL_CALL),
            ("destructive_hint", Kind.TOOL_CALL),
            ("has_tools", Kind.REQUEST),
            ("secrets_found", Kind.RESPONSE),
            ("personal_found", Kind.REQUEST),
            ("credential_fields", Kind.FORM),
            ("look_alike", Kind.LINK),
        )
        for wanted in (True, False)
        for found in (True, False, None)
    ),
]


@pytest.mark.parametrize(("name", "wanted", "kind", "known", "fit"), TABLE)
def test_a_condition_holds_or_not(name: str, wanted: Any, kind: Kind, known: dict[str, Any], fit: bool) -> None:
    one = rule("deny", kind.value, when={json_name(name): wanted})
    decision = decided(Facts(kind, **{"server": LOCAL, "at": NOON, **known}), *placed(one))
    assert decision.effect is (DENY if fit else ASK)
    if fit:
        assert [len(step.matched) for step in decision.steps if step.rule == "r"] == [1]
    elif name != "server":
        assert [len(step.missed) for step in near(decision)] == [1]


def test_every_condition_is_in_the_table_and_made_by_hypothesis() -> None:
    assert {name for name, *_ in TABLE} == set(CONDITIONS)
    assert {json_name(name) for name in CONDITIONS} == set(MEMBERS)


def test_all_conditions_of_a_rule_must_hold() -> None:
    one = rule("deny", when={"server": COMMAND, "tool": "read_*", "readOnlyHint": True})
    assert fits(one, call(read_only_hint=True))
    assert not fits(one, call(read_only_hint=None))
    assert not fits(one, call("write", read_only_hint=True))
    assert not fits(one, call(read_only_hint=True, server=REMOTE))


@pytest.mark.parametrize(
    ("tools", "allowed", "denied"),
    [
        (("read_a",), True, True),
        (("read_a", "read_b"), True, True),
        (("read_a", "write"), False, True),
        (("write", "delete"), False, False),
        ((), False, False),
    ],
)
def test_of_several_possible_tools_an_allow_needs_all_and_a_deny_any(
    tools: tuple[str, ...], allowed: bool, denied: bool
) -> None:
    facts = Facts(Kind.ROOTS, LOCAL, tools, at=NOON)
    when = {"tool": "read_*"}
    assert (decided(facts, *placed(rule("allow", "roots.list", when=when))).effect is ALLOW) == allowed
    assert (decided(facts, *placed(rule("deny", "roots.list", when=when))).effect is DENY) == denied


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("https://mcp.corp.example/*", "https://mcp.corp.example/", True),
        ("https://mcp.corp.example/*", "https://mcp.corp.example", True),
        ("https://mcp.corp.example/*", "https://mcp.corp.example/a/b?c=d#e", True),
        ("https://mcp.corp.example", "https://mcp.corp.example/", True),
        ("https://mcp.corp.example", "https://mcp.corp.example/a", False),
        ("https://mcp.corp.example/a*", "https://mcp.corp.example/b", False),
        ("https://mcp.corp.example/*", "http://mcp.corp.example/", False),
        ("https://mcp.corp.example/*", "https://corp.example/", False),
        # a star in the host stays in the host
        ("https://*.corp.example/*", "https://a.corp.example/x", True),
        ("https://*.corp.example/*", "https://a.b.corp.example/x", True),
        ("https://*.corp.example/*", "https://corp.example/x", False),
        ("https://*.corp.example/*", "https://evilcorp.example/x", False),
        ("https://*.corp.example/*", "https://evil.example/.corp.example/x", False),
        ("https://*.corp.example/*", "https://evil.example/x.corp.example/", False),
        ("https://*/mcp", "https://evil.example/a/mcp", False),
        ("https://*.corp.example/*", "https://evil.example?.corp.example/x", False),
        ("https://*.corp.example/*", "https://evil.example#.corp.example/x", False),
        ("https://*.corp.example/*", "https://evil.example?@a.corp.example/x", False),
        ("https://mcp.corp.example/*", "https://evil.example?@mcp.corp.example/x", False),
        # a name before the host is none of it
        ("https://mcp.corp.example/*", "https://mcp.corp.example@evil.example/", False),
        ("https://mcp.corp.example/*", "https://me@mcp.corp.example/", True),
        ("https://mcp.corp.example/*", "https://mcp.corp.example:pass@evil.example/", False),
        # ports
        ("https://mcp.corp.example/*", "https://mcp.corp.example:443/", True),
        ("https://mcp.corp.example:443/*", "https://mcp.corp.example/", True),
        ("https://mcp.corp.example/*", "https://mcp.corp.example:8443/", False),
        ("https://mcp.corp.example:8443/*", "https://mcp.corp.example/", False),
        ("http://localhost:*/mcp", "http://localhost:3000/mcp", True),
        ("http://localhost/mcp", "http://localhost:80/mcp", True),
        ("http://localhost*/mcp", "http://localhost:3000/mcp", False),
        ("http://127.0.0.1:3*/*", "http://127.0.0.1:4000/", False),
        # case counts in the path alone
        ("HTTPS://MCP.corp.example/*", "https://mcp.CORP.example/A", True),
        ("https://mcp.corp.example/A", "https://mcp.corp.example/a", False),
        ("https://mcp.corp.example./*", "https://mcp.corp.example/", True),
        # names in other scripts are what is looked up
        ("https://münchen.example/*", "https://xn--mnchen-3ya.example/", True),
        ("https://xn--mnchen-3ya.example/*", "https://MÜNCHEN.example/", True),
        ("https://*.münchen.example/*", "https://a.münchen.example/", True),
        ("https://*.münchen.example/*", "https://a.xn--mnchen-3ya.example/", True),
        ("https://münchen.example/*", "https://munchen.example/", False),
        ("https://faß.de/*", "https://fass.de/", False),
        ("https://faß.de/*", "https://xn--fa-hia.de/", True),
        # numbers
        ("http://[::1]:8080/*", "http://[::1]:8080/x", True),
        ("http://[::1]/*", "http://[::2]/x", False),
        # what is reached, not what is written
        ("https://mcp.corp.example/open/*", "https://mcp.corp.example/open/../closed", False),
        ("https://mcp.corp.example/closed*", "https://mcp.corp.example/open/../closed", True),
        # no address
        ("https://mcp.corp.example/*", "", False),
        ("https://mcp.corp.example/*", "mcp.corp.example", False),
        ("*", "https://mcp.corp.example/", False),
    ],
)
def test_an_address_is_as_in_a_pattern(pattern: str, url: str, matches: bool) -> None:
    assert url_matches(pattern, url) is matches


@pytest.mark.parametrize(
    "broken",
    ["http://[::1/*", "http://[ab].example/*", "http://[]/", "http://]/", "http://[::1]x/", "http://a:b:c/", "://"],
)
def test_an_address_that_is_none_matches_nothing_and_breaks_nothing(broken: str) -> None:
    assert not url_matches(broken, "https://mcp.corp.example/")
    assert not url_matches("https://mcp.corp.example/*", broken)


@given(st.text("htps:/[]@*?#.-:%a1\\ß中", max_size=20), st.text("htps:/[]@*?#.-:%a1\\ß中", max_size=20))
@settings(max_examples=200, deadline=None)
def test_no_address_and_no_pattern_breaks_anything(one: str, other: str) -> None:
    for text in (one, other, "https://" + one):
        assert url_matches(text, "https://" + other) in (True, False)


@pytest.mark.parametrize(
    ("wanted", "host", "matches"),
    [
        ("pay.example", "pay.example", True),
        ("pay.example", "PAY.example.", True),
        ("pay.example", "a.pay.example", False),
        ("*.pay.example", "a.pay.example", True),
        ("*.pay.example", "a.b.pay.example", True),
        ("*.pay.example", "pay.example", False),
        ("*.pay.example", "evilpay.example", False),
        ("*.pay.example", "pay.example.evil", False),
        ("*.Pay.example.", "a.pay.example", True),
        ("münchen.example", "xn--mnchen-3ya.example", True),
        ("*.münchen.example", "a.xn--mnchen-3ya.example", True),
        ("faß.de", "xn--fa-hia.de", True),
        ("faß.de", "fass.de", False),
    ],
)
def test_a_host_is_this_one_or_below_a_domain(wanted: str, host: str, matches: bool) -> None:
    assert host_matches(wanted, host) is matches
    one = rule("deny", "elicitation.url", when={"urlHost": wanted})
    assert fits(one, Facts(Kind.LINK, LOCAL, url_host=host, at=NOON)) is matches


def at(clock: str) -> float:
    return dt.datetime.fromisoformat(clock).timestamp()


OFFICE = {"start": "09:00", "end": "17:00", "days": ["mon", "tue", "wed", "thu", "fri"], "tz": "Europe/Berlin"}
NIGHT = {"start": "22:00", "end": "06:00", "days": ["fri"], "tz": "Europe/Berlin"}
SUNDAY_NIGHT = {"start": "22:00", "end": "06:00", "days": ["sun"]}
ALL_DAY = {"start": "08:00", "end": "08:00", "days": ["fri"]}


@pytest.mark.parametrize(
    ("hours", "clock", "fit"),
    [
        (OFFICE, "2026-10-02T09:00+02:00", True),
        (OFFICE, "2026-10-02T08:59:59+02:00", False),
        (OFFICE, "2026-10-02T16:59:59+02:00", True),
        (OFFICE, "2026-10-02T17:00+02:00", False),
        (OFFICE, "2026-10-03T12:00+02:00", False),
        (OFFICE, "2026-10-02T07:30+00:00", True),
        (OFFICE, "2026-12-04T08:30+00:00", True),  # an hour later in winter
        (OFFICE, "2026-12-04T07:30+00:00", False),
        (OFFICE, "2026-10-02T22:30-10:00", False),  # a Saturday morning there
        (NIGHT, "2026-10-02T22:00+02:00", True),
        (NIGHT, "2026-10-02T21:59+02:00", False),
        (NIGHT, "2026-10-03T00:00+02:00", True),
        (NIGHT, "2026-10-03T05:59+02:00", True),
        (NIGHT, "2026-10-03T06:00+02:00", False),
        (NIGHT, "2026-10-02T03:00+02:00", False),  # of Thursday's night
        (NIGHT, "2026-10-03T23:00+02:00", False),
        (SUNDAY_NIGHT, "2026-10-05T03:00+00:00", True),
        (SUNDAY_NIGHT, "2026-10-04T03:00+00:00", False),
        (ALL_DAY, "2026-10-02T08:00+00:00", True),
        (ALL_DAY, "2026-10-03T07:59+00:00", True),
        (ALL_DAY, "2026-10-03T08:00+00:00", False),
        (ALL_DAY, "2026-10-02T07:59+00:00", False),
    ],
)
def test_hours_are_those_of_a_place(hours: dict[str, Any], clock: str, fit: bool) -> None:
    one = rule("deny", when={"hours": hours})
    assert fits(one, call(at=at(clock))) is fit


@pytest.mark.parametrize("effect", ["allow", "deny"])
def test_a_rule_ends_when_it_says(effect: str) -> None:
    one = rule(effect, expires="2026-10-02T20:00:00+08:00")
    assert decided(call(at=NOON - 0.001), *placed(one)).effect is Effect(effect)
    over = decided(call(at=NOON), *placed(one))
    assert over.effect is ASK
    assert [(step.rule, step.counts) for step in over.steps] == [("r", False)]


@pytest.mark.parametrize("expires", ["2026-10-02T12:00:00Z", "2026-10-02T20:00:00+08:00", "2026-10-02T02:00:00-10:00"])
def test_when_a_rule_ended_is_told_in_utc(expires: str) -> None:
    over = decided(call(), *placed(rule(expires=expires)))
    assert [step.why_not for step in over.steps] == [say("why.expired", when="2026-10-02 12:00")]


# Rates


def effects(book: Rulebook, *moments: float, facts: Facts | None = None) -> list[Effect]:
    return [book.decide(replace(facts or call(), at=NOON + moment)).effect for moment in moments]


def test_an_allowance_is_used_up_and_comes_back() -> None:
    book = Rulebook(placed(rule(rate={"count": 2, "perSeconds": 60})))
    assert effects(book, 0, 10, 20, 59.9, 60, 60, 69, 70) == [ALLOW, ALLOW, ASK, ASK, ALLOW, ASK, ASK, ALLOW]


def test_an_allowance_that_is_used_up_says_so() -> None:
    book = Rulebook(placed(rule(rate={"count": 1, "perSeconds": 60})))
    book.decide(call())
    decision = book.decide(call())
    assert decision.reasons == (say("decision.no_rule"), say("why.rate", count=1, seconds=60))
    assert [(step.counts, step.why_not) for step in decision.steps] == [(False, say("why.rate", count=1, seconds=60))]


def test_what_was_not_allowed_uses_nothing_up() -> None:
    book = Rulebook(placed(rule(rate={"count": 1, "perSeconds": 60}), rule("deny", id="d", when={"tool": "write"})))
    assert effects(book, 0, facts=call("write")) == [DENY]
    assert effects(book, 0, facts=call(tool_changed=True)) == [ASK]
    assert effects(book, 0, facts=call(server=NEW_LOCAL)) == [ASK]
    assert effects(book, 0, 0) == [ALLOW, ASK]


def test_one_ask_uses_one_allowance_and_the_next_one_the_other() -> None:
    rate = {"count": 1, "perSeconds": 60}
    book = Rulebook(placed(rule(id="a", rate=rate), rule(id="b", rate=rate)))
    assert [book.decide(call()).steps[0].rule for _ in range(2)] == ["a", "b"]
    assert effects(book, 0) == [ASK]


def test_an_allowance_is_shared_by_all_that_a_rule_is_about() -> None:
    book = Rulebook(placed(rule(kinds="tool.call roots.list", rate={"count": 1, "perSeconds": 60})))
    assert effects(book, 0, facts=Facts(Kind.ROOTS, REMOTE)) == [ALLOW]
    assert effects(book, 1) == [ASK]


def test_what_is_only_looked_at_uses_nothing_up() -> None:
    book = Rulebook(placed(rule(rate={"count": 1, "perSeconds": 60})))
    assert [book.decide(call(), use=False).effect for _ in range(3)] == [ALLOW] * 3
    assert effects(book, 0, 0) == [ALLOW, ASK]
    assert book.decide(call(), use=False).effect is ASK


def test_a_request_and_its_answer_use_one_allowance() -> None:
    kinds = "sampling.request sampling.response"
    book = Rulebook(placed(rule(kinds=kinds, rate={"count": 2, "perSeconds": 60})))
    request, answer = Facts(Kind.REQUEST, LOCAL, at=NOON), Facts(Kind.RESPONSE, LOCAL, reviewed=False, at=NOON)
    for _ in range(2):
        allowed = book.decide(request)
        assert (allowed.effect, book.decide(answer, after=allowed).effect) == (ALLOW, ALLOW)
    refused = book.decide(request)
    assert (refused.effect, book.decide(answer, after=refused).effect) == (ASK, ASK)
    assert book.decide(answer).effect is ASK


def test_what_allowed_a_request_does_not_allow_an_answer_that_others_deny() -> None:
    both = rule(kinds="sampling.request sampling.response", rate={"count": 1, "perSeconds": 60})
    book = Rulebook(placed(both, rule("deny", "sampling.response", "no")))
    allowed = book.decide(Facts(Kind.REQUEST, LOCAL, at=NOON))
    assert allowed.effect is ALLOW
    assert book.decide(Facts(Kind.RESPONSE, LOCAL, at=NOON), after=allowed).effect is DENY
    found = Facts(Kind.RESPONSE, LOCAL, secrets_found=True, at=NOON)
    assert Rulebook(placed(both)).decide(found, after=allowed).effect is ASK


def test_two_rules_with_one_name_do_not_give_each_other_anything_back() -> None:
    slow = rule(kinds="tool.call", rate={"count": 1, "perSeconds": 3600})
    quick = rule(kinds="roots.list", rate={"count": 1, "perSeconds": 1})
    book = Rulebook(placed(slow, quick))
    assert effects(book, 0) == [ALLOW]
    assert book.decide(Facts(Kind.ROOTS, LOCAL, at=NOON + 10), use=False).effect is ALLOW
    assert effects(book, 20) == [ASK], "an hour is not over"


# What comes with being allowed


def with_duties(id: str, layer: Layer = Layer.USER, **duties: Any) -> Placed:
    return placed(rule(id=id, obligations=duties) if duties else rule(id=id), layer=layer)[0]


@pytest.mark.parametrize(
    ("allowing", "used", "duties"),
    [
        ([with_duties("a", notify=True)], "a", Obligations(notify=True)),
        ([with_duties("a", notify=True), with_duties("b")], "b", Obligations()),
        (
            [with_duties("a", notify=True, reviewResponse=True), with_duties("b", clampMaxTokens=9)],
            "b",
            Obligations(clamp_max_tokens=9),
        ),
        ([with_duties("b", notify=True), with_duties("a", redact=["secrets"])], "a", Obligations(("secrets",))),
        ([with_duties("a"), with_duties("m", Layer.MANAGED, notify=True)], "m", Obligations(notify=True)),
        (
            [with_duties("a", Layer.SESSION), with_duties("m", Layer.MANAGED, redact=["personal"])],
            "m",
            Obligations(("personal",)),
        ),
    ],
)
def test_the_strongest_allowance_with_the_fewest_duties_is_used(
    allowing: list[Placed], used: str, duties: Obligations
) -> None:
    decision = decided(call(), *allowing)
    assert (decision.steps[0].rule, decision.obligations) == (used, duties)
    assert len(decision.reasons) == len(allowing)


def test_what_is_not_allowed_has_no_duties() -> None:
    decision = decided(call(), with_duties("a", notify=True), *placed(rule("ask", id="b")))
    assert (decision.effect, decision.obligations) == (ASK, Obligations())


@pytest.mark.parametrize(
    "layers", [(Layer.USER, Layer.USER), (Layer.MANAGED, Layer.MANAGED), (Layer.USER, Layer.SESSION)]
)
def test_of_two_rules_with_one_name_the_same_one_is_used_in_any_order(layers: tuple[Layer, Layer]) -> None:
    one, other = with_duties("a", layers[0], clampMaxTokens=10), with_duties("a", layers[1], clampMaxTokens=20)
    assert decided(call(), one, other).obligations == decided(call(), other, one).obligations


# Near misses


def test_a_rule_that_misses_one_condition_is_told_with_it() -> None:
    one = rule(when={"server": COMMAND, "tool": "write_*"})
    decision = decided(call(), *placed(one))
    assert [(step.rule, step.counts, step.missed) for step in decision.steps] == [
        ("r", False, (say("why.tool", wanted="write_*", actual="read_file"),))
    ]
    assert decision.steps[0].matched == (
        say("why.server", wanted="uvx corp-files==2.1.0", actual="uvx corp-files==2.1.0"),
    )


@pytest.mark.parametrize(
    "when",
    [
        {"server": HTTPS},
        {"server": HTTPS, "tool": "read_*"},
        {"tool": "write", "readOnlyHint": True, "server": COMMAND},
    ],
    ids=["of another server", "of another server, else fitting", "two things are missing"],
)
def test_a_rule_that_does_not_nearly_fit_is_not_told(when: dict[str, Any]) -> None:
    assert decided(call(), *placed(rule(when=when))).steps == ()


def test_a_rule_that_is_over_and_misses_more_is_not_told() -> None:
    assert decided(call(), *placed(rule(when={"tool": "write"}, expires="2026-01-01T00:00:00Z"))).steps == ()


def test_what_is_not_known_is_told_as_such() -> None:
    decision = decided(call(), *placed(rule("deny", when={"readOnlyHint": True})))
    assert [step.missed for step in decision.steps] == [(say("why.unknown"),)]


def test_only_some_near_misses_are_told_but_all_that_fits() -> None:
    missing = [rule("deny", id=f"n{number}", when={"tool": f"t{number}"}) for number in range(30)]
    fit = [rule("ask", id=f"f{number:02}") for number in range(30)]
    decision = decided(call(), *placed(*missing, *fit))
    assert fitting(decision) == [one.id for one in fit]
    assert len(near(decision)) == 10
    assert decision.steps[-10:] == tuple(near(decision)), "what fits comes first"


# The record


@given(situations())
@settings(max_examples=50, deadline=None)
def test_the_same_rules_would_decide_the_same(situation: tuple[Facts, list[Placed]]) -> None:
    facts, both = situation
    decision = decided(facts, *both)
    found = simulate([Past(1, NOON, "files", "", decision.effect, decision.facts)], Rulebook(both))
    assert (found.changes, found.seen, found.unknown) == ((), 1, 0)


def test_only_what_would_be_otherwise_is_told() -> None:
    seen = [call(tool, at=NOON + number) for number, tool in enumerate(("read_a", "write", "read_b", "read_c"))]
    record = [Past(number, one.at, "files", "", ASK, one.as_json()) for number, one in enumerate(seen)]
    nothing = Past(9, NOON, "files", "", ASK, {})
    mine = rule(when={"tool": "read_*"}, rate={"count": 2, "perSeconds": 60})
    found = simulate([*record, nothing], Rulebook(placed(mine, rule("deny", id="d", when={"tool": "write"}))))
    assert [one.past.entry for one in found.to(ALLOW)] == [0, 2], "the rate counts what is replayed"
    assert [one.past.entry for one in found.to(DENY)] == [1]
    assert (len(found.changes), found.seen, found.unknown) == (3, 4, 1)


@pytest.mark.parametrize(
    "content",
    [
        None,
        [],
        "x",
        {},
        {"kind": "x", "server": {}},
        {"kind": "roots.list"},
        {"kind": "roots.list", "server": {"x": 1}},
        {"kind": "roots.list", "server": {}, "more": 1},
    ],
)
def test_facts_of_another_version_are_not_known(content: object) -> None:
    assert facts_of(content) is None


def test_the_digest_tells_sets_of_rules_apart() -> None:
    one, other = rule(id="a"), rule("deny", id="b")
    same = [Rulebook(placed(one, other)), Rulebook(placed(other, one))]
    others = [
        Rulebook(()),
        Rulebook(placed(one)),
        Rulebook(placed(one, other, layer=Layer.MANAGED)),
        Rulebook(placed(one, replace(other, reason="x"))),
        Rulebook(placed(one, other), restricted=say("why.suspended")),
        Rulebook(placed(one, other), user_allows_off=say("why.user_rules_off")),
    ]
    assert same[0].digest == same[1].digest == same[0].decide(call()).policy
    assert len({one.digest for one in (same[0], *others)}) == 1 + len(others)


@given(asks())
@settings(max_examples=50, deadline=None)
def test_without_rules_the_person_is_asked(facts: Facts) -> None:
    assert decided(facts).effect is ASK
