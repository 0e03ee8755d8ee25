"""Rules as text: published schemas that say what the program reads, sentences for all of it, and what looks wrong."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from desktop_host.policy.conditions import CONDITIONS
from desktop_host.policy.decide import Placed, Rulebook
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.lint import Known, lint, lint_policy
from desktop_host.policy.reading import json_schema, policy_json, read_policy, read_rule, read_rules, rule_json
from desktop_host.policy.rules import Kind, PolicyFile, Rule, RulesFile
from desktop_host.policy.sentences import words_of
from desktop_host.terms.asks import Effect, Layer
from desktop_host.terms.messages import Message, say
from desktop_host.ui.messages import TEXTS, english
from tests.support.rule_strategies import LAYERS, LOCAL, MEMBERS, NOON, REMOTE, asks, rule_bodies, rules

ROOT = Path(__file__).parent.parent
SCHEMAS = ROOT / "resources" / "schemas"
EXAMPLE = (ROOT / "tests" / "cases" / "policy" / "example.json").read_text(encoding="utf-8")
COMMAND = {"serverCommand": ["uvx", "corp-files==2.1.0"]}
some = settings(max_examples=50, deadline=None)


def published(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


POLICY, RULES = (Draft202012Validator(published(name)) for name in ("policy", "rules"))


def rule(effect: str = "allow", kinds: str = "tool.call", id: str = "r", **more: Any) -> Rule:
    return read_rule({"id": id, "effect": effect, "kinds": kinds.split(), **more})


# Schemas


@pytest.mark.parametrize(("name", "kind"), [("policy", PolicyFile), ("rules", RulesFile)])
def test_the_published_schemas_are_those_of_the_program(name: str, kind: Any) -> None:
    assert published(name) == json_schema(kind)
    Draft202012Validator.check_schema(published(name))
    assert published(name)["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


def test_the_example_of_the_design_is_valid_and_says_what_it_says() -> None:
    assert list(POLICY.iter_errors(json.loads(EXAMPLE))) == []
    read = read_policy(EXAMPLE, "policy.json")
    assert (read.problems, read.narrowed) == ((), False)
    policy = read.file
    assert policy.caps.models == ("claude-*", "local/*")
    assert policy.allowed_mcp_servers is not None
    assert [one.server_url or one.server_command for one in policy.allowed_mcp_servers] == [
        "https://mcp.corp.example/*",
        ("uvx", "corp-files==2.1.0"),
    ]
    small, links = policy.rules
    assert small.kinds == (Kind.REQUEST, Kind.RESPONSE)
    assert (small.when.max_tokens_le, small.when.model_in, small.when.secrets_found) == (1000, ("local/*",), False)
    assert small.expires == datetime(2027, 3, 31, tzinfo=UTC)
    assert (links.effect, links.when.url_host, links.reason) == (Effect.DENY, "*.pay.example", "use the portal")
    assert lint_policy(policy, NOON) == ()


def test_what_the_example_says_is_kept_as_it_was_written() -> None:
    said = json.loads(EXAMPLE)
    del said["deniedMcpServers"], said["userAllowRules"]  # both are so anyway
    assert policy_json(read_policy(EXAMPLE, "").file) == said


FULL: dict[str, Any] = {
    "id": "full",
    "effect": "allow",
    "kinds": ["tool.call"],
    "when": {
        "server": {"serverCommand": ["x"], "serverName": "x"},
        "tool": "read_*",
        "readOnlyHint": True,
        "maxTokensLE": 10,
        "modelIn": ["local/*"],
        "fieldsSubsetOf": [],
        "hours": {"start": "09:00", "end": "17:00", "days": ["mon"], "tz": "Europe/Berlin"},
    },
    "rate": {"count": 1, "perSeconds": 60},
    "expires": "2027-03-31T00:00:00Z",
    "reason": "ticket",
    "obligations": {"redact": ["secrets"], "notify": True, "clampMaxTokens": 5, "reviewResponse": False},
}
OUT = object()


def changed(pointer: str, value: Any) -> dict[str, Any]:
    body = json.loads(json.dumps(FULL))
    *path, last = pointer.split("/")
    parent = body
    for name in path:
        parent = parent[int(name) if isinstance(parent, list) else name]
    if value is OUT:
        del parent[last]
    else:
        parent[int(last) if isinstance(parent, list) else last] = value
    return body


WRONG: list[tuple[str, Any]] = [
    ("id", OUT),
    ("id", ""),
    ("id", 1),
    ("effect", OUT),
    ("effect", "Allow"),
    ("effect", "permit"),
    ("kinds", OUT),
    ("kinds", []),
    ("kinds", "tool.call"),
    ("kinds/0", "tool.calls"),
    ("when", None),
    ("when", []),
    ("unless", {}),
    ("when/serverCommand", ["x"]),
    ("when/maxTokensLe", 1),
    ("when/max_tokens_le", 1),
    ("when/server", "x"),
    ("when/server/serverCommand", []),
    ("when/server/serverCommand", "x"),
    ("when/server/command", ["x"]),
    ("when/tool", ["read_*"]),
    ("when/readOnlyHint", "true"),
    ("when/readOnlyHint", 1),
    ("when/maxTokensLE", 0),
    ("when/maxTokensLE", "10"),
    ("when/maxTokensLE", True),
    ("when/maxTokensLE", 1.5),
    ("when/modelIn", []),
    ("when/modelIn", "local/*"),
    ("when/modelIn/0", 1),
    ("when/hours/start", OUT),
    ("when/hours/start", 9),
    ("when/hours/days/0", "Monday"),
    ("when/hours/days", "mon"),
    ("when/hours/until", "17:00"),
    ("rate/count", 0),
    ("rate/count", OUT),
    ("rate/perSeconds", -1),
    ("rate", 5),
    ("expires", 1_800_000_000),
    ("reason", None),
    ("obligations/redact", ["everything"]),
    ("obligations/notify", 1),
    ("obligations/mask", True),
    ("obligations/clampMaxTokens", "5"),
    ("obligations/clampMaxTokens", 0),
]
WRONG_BUT_FOR_A_SCHEMA: list[tuple[str, Any]] = [
    ("when/server", {"serverName": "x"}),
    ("when/server", {}),
    ("when/server", OUT),
    ("when/hours/start", "9:00"),
    ("when/hours/start", "24:00"),
    ("when/hours/end", "17:60"),
    ("when/hours/tz", "Europe/Nowhere"),
    ("when/hours/tz", ""),
    ("when/hours/tz", "../UTC"),
    ("when/urlHost", "https://pay.example"),
    ("when/urlHost", "pay.*.example"),
    ("when/urlHost", "*"),
    ("when/urlHost", "*.pay.example:443"),
    ("expires", "2027-03-31T00:00:00"),
    ("expires", "2027-03-31"),
    ("expires", "soon"),
    ("effect", "deny"),  # with rate and obligations
    ("effect", "ask"),
]


def test_the_rule_that_is_spoilt_below_is_good() -> None:
    assert rule_json(read_rule(FULL)) == {
        **FULL,
        "obligations": {"redact": ["secrets"], "notify": True, "clampMaxTokens": 5},
    }
    assert RULES.is_valid({"version": 1, "rules": [FULL]})


@pytest.mark.parametrize(("pointer", "value"), [*WRONG, *WRONG_BUT_FOR_A_SCHEMA])
def test_a_wrong_rule_is_refused_and_named_with_its_place(pointer: str, value: Any) -> None:
    body = changed(pointer, value)
    with pytest.raises(ValueError):
        read_rule(body)
    text = json.dumps({"rules": [{"id": "good", "effect": "deny", "kinds": ["roots.list"]}, body]}, indent=1)
    for read in (read_rules(text, "x"), read_policy(text, "x")):
        assert [one.id for one in read.file.rules] == ["good"]
        assert read.problems
        assert all(one.pointer.startswith("/rules/1") and one.line > 6 for one in read.problems)
        assert read.narrowed == (body.get("effect") != "allow"), "it may have been a restriction"
        assert all(one.message.key in TEXTS for one in read.problems)


@pytest.mark.parametrize(("pointer", "value"), WRONG)
def test_a_wrong_rule_is_refused_by_the_schemas_too(pointer: str, value: Any) -> None:
    body = {"version": 1, "rules": [changed(pointer, value)]}
    assert not RULES.is_valid(body)
    assert not POLICY.is_valid(body)


@pytest.mark.parametrize(
    "body",
    [
        [],
        {"version": 2},
        {"version": "1"},
        {"version": True},
        {"version": None},
        {"rules": {}},
        {"rules": None},
        {"rule": []},
        {"caps": {"maxTokens": 0}},
        {"caps": {"models": "local/*"}},
        {"caps": {"maxtokens": 1}},
        {"caps": {"costPerDayPerServer": 0}},
        {"keep": {"drafts": "no"}},
        {"allowedMcpServers": {}},
        {"allowedMcpServers": [{"serverCommand": []}]},
        {"allowedMcpServers": [{"serverURL": "https://x.example/*"}]},
        {"deniedMcpServers": None},
        {"userAllowRules": 0},
        {"servers": []},
        {"servers": {"x": "uvx"}},
    ],
    ids=json.dumps,
)
def test_a_wrong_policy_is_refused_by_the_schema_and_the_program(body: Any) -> None:
    assert not POLICY.is_valid(body)
    assert read_policy(json.dumps(body), "x").problems


@pytest.mark.parametrize("body", [{"caps": {}}, {"userAllowRules": True}, {"servers": {}}])
def test_what_only_administrators_say_is_not_in_a_persons_file(body: dict[str, Any]) -> None:
    assert POLICY.is_valid(body)
    assert not RULES.is_valid(body)
    read = read_rules(json.dumps(body), "x")
    assert [one.message.key for one in read.problems] == ["policy.unknown_member"]
    assert read.narrowed


# Round trips


@given(rules())
@some
def test_a_rule_comes_back_as_it_was_written(one: Rule) -> None:
    written = json.loads(json.dumps(rule_json(one)))
    assert read_rule(written) == one
    assert RULES.is_valid({"version": 1, "rules": [written]})
    assert None not in written.values()


@st.composite
def policy_bodies(draw: st.DrawFn) -> dict[str, Any]:
    servers = st.lists(
        st.sampled_from([COMMAND, {"serverUrl": "https://x.example/*"}, {"serverName": "x"}]), max_size=2
    )
    optional = {
        "version": st.just(1),
        "caps": st.fixed_dictionaries(
            {},
            optional={
                "maxTokens": st.integers(1, 9000),
                "models": st.lists(st.sampled_from(["local/*", "claude-*"]), max_size=2),
                "samplingPerMinutePerServer": st.integers(1, 60),
                "costPerDayPerServer": st.floats(0.01, 100),
            },
        ),
        "keep": st.fixed_dictionaries(
            {}, optional={name: st.booleans() for name in ("drafts", "waitingAsks", "values")}
        ),
        "allowedMcpServers": servers,
        "deniedMcpServers": servers,
        "userAllowRules": st.booleans(),
        "rules": st.lists(rule_bodies(), max_size=3, unique_by=lambda one: one["id"]),
        "servers": st.dictionaries(st.text(max_size=5), st.just({"command": "uvx", "args": ["x"]}), max_size=2),
    }
    return draw(st.fixed_dictionaries({}, optional=optional))


@given(policy_bodies())
@some
def test_a_policy_comes_back_as_it_was_written(body: dict[str, Any]) -> None:
    read = read_policy(json.dumps(body), "x")
    assert (read.problems, read.narrowed) == ((), False)
    written = json.loads(json.dumps(policy_json(read.file)))
    assert POLICY.is_valid(body)
    assert list(POLICY.iter_errors(written)) == []
    assert read_policy(json.dumps(written, ensure_ascii=False, indent=2), "x") == read


# Sentences


def say_all(one: Rule) -> list[Message]:
    words = words_of(one)
    return [words.head, *words.kinds, *words.conditions, *words.also]


@given(rules(most=4))
@some
def test_every_rule_has_words_for_all_of_it(one: Rule) -> None:
    words = words_of(one)
    assert [message.key for message in say_all(one) if message.key not in TEXTS] == []
    parts = [english(message) for message in (*words.kinds, *words.conditions, *words.also)]
    assert [part for part in parts if "{" in part or not part.strip()] == []
    assert "{kinds}" in english(words.head)
    assert "{conditions}" in english(words.head)
    assert len(words.kinds) == len(set(one.kinds))
    wanted = sum(getattr(one.when, name) is not None for name in CONDITIONS)
    assert len(words.conditions) == wanted + (one.rate is not None) + (one.expires is not None)


@pytest.mark.parametrize("name", MEMBERS)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_every_condition_has_words(name: str, data: st.DataObject) -> None:
    body: dict[str, Any] = {
        "id": "a",
        "effect": "deny",
        "kinds": ["tool.call"],
        "when": {name: data.draw(MEMBERS[name])},
    }
    [condition] = words_of(read_rule(body)).conditions
    assert condition.key in TEXTS
    assert "{" not in english(condition)


def sentence(one: Rule) -> str:
    words = words_of(one)
    kinds = ", ".join(english(each) for each in words.kinds)
    conditions = "".join(f" {english(each)}" for each in words.conditions)
    head = english(words.head).replace("{kinds}", kinds).replace("{conditions}", conditions)
    return " ".join([head, *(english(each) for each in words.also)])


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (rule("deny", "elicitation.url", when={"urlHost": "*.pay.example"}), "Deny links to *.pay.example."),
        (rule("ask", "roots.list roots.list"), "Always ask about questions for folders."),
        (
            rule(kinds="sampling.request sampling.response", when={"modelIn": ["a", "b"], "secretsFound": False}),
            "Allow requests to a model, answers of a model with a, b when no secret is found.",
        ),
        (
            rule(
                when={"server": COMMAND, "tool": "read_*"},
                rate={"count": 2, "perSeconds": 60},
                obligations={"notify": True},
            ),
            "Allow calls of tools from uvx corp-files==2.1.0 of the tool read_* at most 2 times in 60 seconds. You are told of it.",
        ),
        (
            rule(obligations={"redact": ["secrets", "personal"], "clampMaxTokens": 9, "reviewResponse": True}),
            "Allow calls of tools. Secrets are masked. Personal data are masked. Answers have at most 9 tokens. You review the answer.",
        ),
    ],
)
def test_a_rule_reads_as_a_sentence(one: Rule, said: str) -> None:
    assert sentence(one) == said


def test_hours_are_told_with_their_days_and_place() -> None:
    hours = {"start": "22:00", "end": "06:00", "days": ["fri", "sat"], "tz": "Europe/Berlin"}
    [told] = words_of(rule("deny", when={"hours": hours})).conditions
    assert all(part in english(told) for part in ("22:00", "06:00", "fri", "sat", "Europe/Berlin"))


@pytest.mark.parametrize("expires", ["2027-03-31T16:00:00Z", "2027-04-01T00:00:00+08:00", "2027-03-31T11:00:00-05:00"])
def test_the_end_of_a_rule_is_told_in_utc(expires: str) -> None:
    [until] = words_of(rule(expires=expires)).conditions
    assert until == say("when.until", date="2027-03-31 16:00")
    after = datetime(2028, 1, 1, tzinfo=UTC).timestamp()
    assert say("lint.expired", when="2027-03-31 16:00") in [one.message for one in lint([rule(expires=expires)], after)]


# What looks wrong


PAST = "2026-10-02T12:00:00Z"
TOOLS = [Known(LOCAL, ("read_file", "write")), Known(REMOTE, ())]
ODD: list[tuple[str, list[Rule], list[Known] | None, list[tuple[int, Message]]]] = [
    ("over", [rule("deny", expires=PAST)], None, [(0, say("lint.expired", when="2026-10-02 12:00"))]),
    ("not over", [rule("deny", expires="2026-10-02T12:00:01Z")], None, []),
    (
        "another kind's condition",
        [rule("deny", "tool.call", when={"urlHost": "x.example"})],
        None,
        [(0, say("lint.never", condition="url_host"))],
    ),
    (
        "a condition for one of its kinds",
        [rule("deny", "tool.call elicitation.url", when={"urlHost": "x.example"})],
        None,
        [],
    ),
    ("a link is allowed", [rule(kinds="elicitation.url", when={"tool": "x"})], None, [(0, say("lint.allow_link"))]),
    ("a form is allowed", [rule(kinds="elicitation.form", when={"tool": "x"})], None, [(0, say("lint.allow_form"))]),
    (
        "a secret is allowed",
        [rule(kinds="sampling.request", when={"secretsFound": True})],
        None,
        [(0, say("lint.allow_secret"))],
    ),
    ("no secret", [rule(kinds="sampling.request", when={"secretsFound": False})], None, []),
    ("everything is allowed", [rule()], None, [(0, say("lint.allow_all"))]),
    ("everything is denied", [rule("deny")], None, []),
    (
        "an allow for whatever version is the newest",
        [rule(when={"server": {"serverCommand": ["uvx", "files"]}})],
        None,
        [(0, say("lint.floating"))],
    ),
    (
        "a deny covers an allow",
        [rule("deny", id="no"), rule(id="yes", when={"tool": "x"})],
        None,
        [(1, say("lint.shadowed", rule="no"))],
    ),
    (
        "a later deny covers an allow",
        [rule(id="yes", when={"tool": "x"}), rule("deny", "tool.call roots.list", "no")],
        None,
        [(0, say("lint.shadowed", rule="no"))],
    ),
    (
        "an ask covers an allow, with the same condition and less",
        [rule("ask", id="ask", when={"tool": "x"}), rule(when={"tool": "x", "server": COMMAND})],
        None,
        [(1, say("lint.shadowed", rule="ask"))],
    ),
    ("an ask does not cover a deny", [rule("ask", id="ask"), rule("deny", when={"tool": "x"})], None, []),
    ("other kinds", [rule("deny", "roots.list", "no"), rule("ask", "roots.list tool.call")], None, []),
    ("another condition", [rule("deny", id="no", when={"tool": "y"}), rule("ask", when={"tool": "x"})], None, []),
    ("a deny that ends", [rule("deny", id="no", expires="2030-01-01T00:00:00Z"), rule("ask")], None, []),
    (
        "an allow twice",
        [rule(id="one", when={"tool": "x"}), rule(id="two", when={"tool": "x"})],
        None,
        [(1, say("lint.shadowed", rule="one"))],
    ),
    (
        "an allow that may be used up",
        [rule(id="one", when={"tool": "x"}, rate={"count": 1, "perSeconds": 1}), rule(id="two", when={"tool": "x"})],
        None,
        [],
    ),
    (
        "an allow with other duties",
        [rule(id="one", when={"tool": "x"}, obligations={"notify": True}), rule(id="two", when={"tool": "x"})],
        None,
        [],
    ),
    ("a server there is", [rule(when={"server": COMMAND})], TOOLS, []),
    ("no such server", [rule(when={"server": {"fingerprint": "f9"}})], TOOLS, [(0, say("lint.no_server"))]),
    ("no server at all", [rule(when={"server": COMMAND})], [], [(0, say("lint.no_server"))]),
    ("who knows which servers", [rule(when={"server": {"fingerprint": "f9"}})], None, []),
    ("a tool there is", [rule(when={"server": COMMAND, "tool": "read_*"})], TOOLS, []),
    (
        "no such tool",
        [rule(when={"server": COMMAND, "tool": "delete_*"})],
        TOOLS,
        [(0, say("lint.no_tool", tool="delete_*"))],
    ),
    ("not all told their tools", [rule(when={"tool": "delete_*"})], TOOLS, []),
    (
        "no tool of any server",
        [rule(when={"tool": "delete_*"})],
        TOOLS[:1],
        [(0, say("lint.no_tool", tool="delete_*"))],
    ),
]


@pytest.mark.parametrize(("rules", "known", "found"), [one[1:] for one in ODD], ids=[one[0] for one in ODD])
def test_what_is_odd_about_rules_is_told_once(
    rules: list[Rule], known: list[Known] | None, found: list[tuple[int, Message]]
) -> None:
    told = lint(rules, NOON, known)
    assert [(one.number, one.message) for one in told] == found
    assert all(one.rule == rules[one.number].id and one.pointer == f"/rules/{one.number}" for one in told)
    assert all(one.message.key in TEXTS and "{" not in english(one.message) for one in told)
    if known is None:
        assert lint_policy(PolicyFile(rules=tuple(rules)), NOON) == told


def test_every_oddity_there_are_words_for_is_found() -> None:
    found = {message.key for *_, messages in ODD for _, message in messages}
    assert found == {key for key in TEXTS if key.startswith("lint.")}


def test_a_rule_may_be_odd_in_several_ways() -> None:
    one = rule(kinds="elicitation.url elicitation.form", when={"maxTokensLE": 1, "secretsFound": True}, expires=PAST)
    assert [each.message.key for each in lint([one], NOON)] == [
        "lint.expired",
        "lint.never",
        "lint.never",
        "lint.allow_link",
        "lint.allow_form",
        "lint.allow_secret",
    ]


@given(rules(), asks())
@some
def test_a_rule_that_can_never_match_never_does(one: Rule, facts: Facts) -> None:
    keys = {each.message.key for each in lint([one], facts.at)}
    steps = Rulebook([Placed(one, Layer.USER)]).decide(facts).steps
    if not keys.isdisjoint({"lint.never", "lint.expired"}):
        assert not any(step.rule == one.id and step.counts for step in steps)


@given(st.sampled_from([Kind.TOOL_CALL, Kind.REQUEST, Kind.ROOTS]), LAYERS, st.data())
@settings(max_examples=60, deadline=None)
def test_without_a_rule_that_another_covers_everything_is_decided_alike(
    kind: Kind, layer: Layer, data: st.DataObject
) -> None:
    several = data.draw(st.lists(rules(kind=kind, most=1), min_size=2, max_size=3, unique_by=lambda one: one.id))
    covered = [one.number for one in lint(several, 0) if one.message.key == "lint.shadowed"]
    facts = data.draw(asks(kind))
    for number in covered[:1]:
        with_it, without = (
            Rulebook([Placed(one, layer) for one in chosen]).decide(facts).effect
            for chosen in (several, [*several[:number], *several[number + 1 :]])
        )
        assert with_it is without


def test_a_rule_that_vouches_for_a_new_server_is_not_covered_by_one_that_does_not() -> None:
    several = [rule(id="all", when={"tool": "x"}), rule(id="ours", when={"tool": "x", "server": COMMAND})]
    facts = Facts(Kind.TOOL_CALL, ServerFacts("files", LOCAL.command, known=False), ("x",), at=NOON)
    one, both = (Rulebook([Placed(each, Layer.MANAGED) for each in chosen]) for chosen in (several[:1], several))
    assert (one.decide(facts).effect, both.decide(facts).effect) == (Effect.ASK, Effect.ALLOW)
    assert lint_policy(PolicyFile(rules=tuple(several)), NOON) == ()


def test_a_rule_ends_for_everyone_at_the_same_moment() -> None:
    now = datetime(2026, 10, 2, 12, tzinfo=UTC)
    for hours in (-5, 0, 8):
        one = rule("deny", expires=f"{now + timedelta(hours=hours):%Y-%m-%dT%H:%M:%S}{hours:+03}:00")
        assert [bool(lint([one], now.timestamp() + second)) for second in (-1, 0)] == [False, True]
