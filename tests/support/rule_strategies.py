"""Rules and asks as Hypothesis makes them: of few values, so that rules often fit."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from desktop_host.policy.decide import Placed
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.reading import read_rule
from desktop_host.policy.rules import Kind, Rule
from desktop_host.terms.asks import Effect, Layer

NOON = 1_790_942_400.0
"""Friday, 2026-10-02, 12:00 UTC."""
LOCAL = ServerFacts("files", ("uvx", "corp-files==2.1.0"), "", "f1")
REMOTE = ServerFacts("desk", (), "https://mcp.corp.example/desk", "f2")
PLAIN = ServerFacts("lab", (), "http://lab.example/mcp", "f3")

_CERTAIN: list[dict[str, Any]] = [
    {"serverCommand": ["uvx", "corp-files==2.1.0"]},
    {"serverUrl": "https://mcp.corp.example/*"},
    {"serverUrl": "http://lab.example/*"},
    {"fingerprint": "f1"},
    {"fingerprint": "f2", "serverName": "desk"},
]
_BY_NAME: list[dict[str, Any]] = [{"serverName": "Files"}, {"serverName": "desk"}]
_HOURS: list[dict[str, Any]] = [
    {"start": "09:00", "end": "17:00"},
    {"start": "22:00", "end": "06:00", "days": ["thu", "fri"], "tz": "Europe/Berlin"},
    {"start": "00:00", "end": "00:00", "tz": "Asia/Shanghai"},
]
_DUTIES: list[dict[str, Any]] = [
    {"notify": True},
    {"clampMaxTokens": 50},
    {"redact": ["secrets", "personal"]},
    {"reviewResponse": True},
]
MEMBERS: dict[str, SearchStrategy[Any]] = {
    "server": st.sampled_from([*_CERTAIN, *_BY_NAME]),
    "tool": st.sampled_from(["read_*", "write", "*"]),
    "toolDigest": st.sampled_from(["d1", "d2"]),
    "readOnlyHint": st.booleans(),
    "destructiveHint": st.booleans(),
    "modelIn": st.lists(st.sampled_from(["local/*", "claude-*"]), min_size=1, max_size=2, unique=True),
    "maxTokensLE": st.sampled_from([100, 1000]),
    "promptTokensLE": st.sampled_from([100, 1000]),
    "hasTools": st.booleans(),
    "contentTypes": st.lists(st.sampled_from(["text", "image"]), max_size=2, unique=True),
    "secretsFound": st.booleans(),
    "personalFound": st.booleans(),
    "fieldsSubsetOf": st.lists(st.sampled_from(["name", "email"]), max_size=2, unique=True),
    "credentialFields": st.booleans(),
    "urlScheme": st.sampled_from(["https", "http"]),
    "urlHost": st.sampled_from(["*.pay.example", "pay.example", "münchen.example"]),
    "lookAlike": st.booleans(),
    "hours": st.sampled_from(_HOURS),
}
"""Every condition, by its name in JSON."""
LAYERS = st.sampled_from([Layer.MANAGED, Layer.USER, Layer.SESSION])


@st.composite
def rule_bodies(
    draw: DrawFn, effects: Sequence[Effect] = tuple(Effect), kind: Kind | None = None, most: int = 2
) -> dict[str, Any]:
    """A rule as JSON, about `kind` for certain where that is given, with at most so many conditions."""
    effect = draw(st.sampled_from(effects))
    kinds = draw(st.lists(st.sampled_from(Kind), max_size=3, unique=True))
    if kind is not None:
        kinds = [*(one for one in kinds if one is not kind), kind]
    names = draw(st.lists(st.sampled_from(list(MEMBERS)), max_size=most, unique=True))
    when: dict[str, Any] = {name: draw(MEMBERS[name]) for name in names}
    body: dict[str, Any] = {"id": f"r{draw(st.integers(0, 999))}", "effect": effect.value}
    body |= {"kinds": [one.value for one in kinds or [Kind.ROOTS]], "when": when}
    if draw(st.integers(0, 3)) == 0:
        body["expires"] = draw(st.sampled_from(["2026-10-02T12:00:00Z", "2026-10-02T20:00:01+08:00"]))
    if draw(st.booleans()):
        body["reason"] = draw(st.sampled_from(["ticket 1", "{braces}", "原因"]))
    if effect is Effect.ALLOW:
        if not {"server", "readOnlyHint", "destructiveHint"}.isdisjoint(when):
            when["server"] = draw(st.sampled_from(_CERTAIN))
        if draw(st.booleans()):
            body["obligations"] = draw(st.sampled_from(_DUTIES))
        if draw(st.integers(0, 3)) == 0:
            body["rate"] = {"count": draw(st.integers(1, 3)), "perSeconds": 60}
    return body


def rules(effects: Sequence[Effect] = tuple(Effect), kind: Kind | None = None, most: int = 2) -> SearchStrategy[Rule]:
    """See `rule_bodies`."""
    return rule_bodies(effects, kind, most).map(read_rule)


def _maybe(*values: Any) -> SearchStrategy[Any]:
    return st.sampled_from([None, *values])


@st.composite
def asks(draw: DrawFn, kind: Kind | None = None) -> Facts:
    """What may be known of an ask."""
    about: Kind = draw(st.sampled_from(Kind)) if kind is None else kind
    one = draw(st.sampled_from([LOCAL, REMOTE, PLAIN]))
    server = ServerFacts(one.name, one.command, one.url, one.fingerprint, draw(st.integers(0, 3)) > 0)
    at = NOON + draw(st.sampled_from([-43_000, -1, 0, 1, 40_000]))
    tools = () if about is Kind.CONNECT else draw(st.sampled_from([(), ("read_file",), ("read_file", "write")]))
    facts: dict[str, Any] = {}
    match about:
        case Kind.TOOL_CALL:
            facts = {"tool_digest": draw(st.sampled_from(["", "d1"])), "tool_changed": draw(st.integers(0, 3)) == 0}
            facts |= {name: draw(_maybe(True, False)) for name in ("read_only_hint", "destructive_hint")}
        case Kind.REQUEST | Kind.RESPONSE:
            facts = {name: draw(_maybe(100, 1001)) for name in ("max_tokens", "prompt_tokens")}
            facts |= {name: draw(_maybe(True, False)) for name in ("has_tools", "personal_found")}
            facts["models"] = draw(st.sampled_from([(), ("local/llama",), ("Claude-X", "x")]))
            facts["content_types"] = draw(_maybe((), ("text",), ("image", "text")))
            facts["secrets_found"] = draw(st.sampled_from([None, False, False, True]))
            facts["reviewed"] = draw(st.booleans())
        case Kind.FORM:
            facts["fields"] = draw(_maybe((), ("name",), ("name", "pin")))
            facts["credential_fields"] = draw(_maybe(True, False))
        case Kind.LINK:
            facts = {"url_scheme": draw(st.sampled_from(["", "https", "http"]))}
            facts["url_host"] = draw(st.sampled_from(["", "pay.example", "a.pay.example", "evilpay.example"]))
            facts["look_alike"] = draw(_maybe(True, False))
        case _:
            pass
    return Facts(about, server, tools, at=at, **facts)


@st.composite
def situations(draw: DrawFn, most: int = 5) -> tuple[Facts, list[Placed]]:
    """An ask, and rules of all layers about such asks, every one with an id of its own."""
    facts = draw(asks())
    found = draw(st.lists(st.tuples(rule_bodies(kind=facts.kind), LAYERS), max_size=most))
    return facts, [
        Placed(read_rule({**body, "id": f"{body['id']}-{number}"}), layer, f"{layer.value}.json", f"/rules/{number}")
        for number, (body, layer) in enumerate(found)
    ]
