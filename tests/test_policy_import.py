"""Policies of other programs: what becomes of each line, and that nothing is ever wider than it was."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_host.config.files import FileProblem, parse_json
from desktop_host.config.servers_file import ServerEntry
from desktop_host.policy.decide import Placed, Rulebook
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.importers import VENDORS, translate
from desktop_host.policy.importers.gemini import toml
from desktop_host.policy.importers.report import Imported
from desktop_host.policy.reading import policy_json, read_policy
from desktop_host.policy.rules import Kind, Rule, ServerMatch
from desktop_host.terms.asks import Effect, Layer
from desktop_host.terms.messages import Message
from tests.support.policy import laid_down

Json = dict[str, Any]
CASES = Path(__file__).parent / "cases" / "policy" / "import"
EXPECTED = {path.name.removesuffix(".expected.json"): path for path in sorted(CASES.glob("*.expected.json"))}
every_case = pytest.mark.parametrize("name", EXPECTED)
every_vendor = pytest.mark.parametrize("vendor", VENDORS)
TOML = ("gemini", "codex")


def case_of(name: str) -> tuple[Json, str]:
    """What is expected, and the text of the original."""
    [original] = [path for path in CASES.glob(f"{name}.*") if path != EXPECTED[name]]
    return json.loads(EXPECTED[name].read_text("utf-8")), original.read_text("utf-8")


def written(vendor: str, content: Any) -> str:
    """A text in the vendor's format."""
    if vendor in TOML:
        return "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in content.items())
    return json.dumps(content)  # which is YAML too


def _toml(value: Any) -> str:
    match value:
        case dict():
            members = ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items())
            return "{" + members + "}"
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case _:
            return json.dumps(value)


def told(found: Imported) -> list[list[Any]]:
    """The report as the cases have it: rules by their number from 1, 0 for none."""
    ids = [rule.id for rule in found.policy.rules]
    return [[line.pointer, line.became, ids.index(line.rules[0]) + 1 if line.rules else 0] for line in found.report]


def book_of(found: Imported) -> Rulebook:
    """The rules for an administrator, beside a rule of the person's that allows whatever may be allowed."""
    everything = Rule("everything", Effect.ALLOW, tuple(Kind))
    off = None if found.policy.user_allow_rules else Message("why.user_rules_off")
    managed = [Placed(rule, Layer.MANAGED) for rule in found.policy.rules]
    return Rulebook([*managed, Placed(everything, Layer.USER)], user_allows_off=off)


def decided(found: Imported, server: str, tool: str, **more: Any) -> Effect:
    """What a call of a tool comes to where the person would allow everything."""
    command = ("npx", "-y", "anything")
    return book_of(found).decide(Facts(Kind.TOOL_CALL, ServerFacts(server, command), (tool,), **more)).effect


def is_blocked(found: Imported, server: ServerFacts) -> bool:
    return laid_down(policy_json(found.policy)).blocked(server) is not None


def sound(found: Imported) -> None:
    """What holds of every translation."""
    assert all(rule.effect is not Effect.ALLOW for rule in found.policy.rules)
    ids = [rule.id for rule in found.policy.rules]
    assert sorted(ids) == sorted(one for line in found.report for one in line.rules), "each rule comes from a line"
    assert {line.became for line in found.report} <= {"ask", "deny", "kept", "dropped"}
    again = read_policy(json.dumps(policy_json(found.policy)), "policy.json")
    assert (again.problems, again.file) == ((), found.policy)


@every_case
def test_a_file_becomes_this_policy_and_each_line_of_it_is_accounted_for(name: str) -> None:
    expected, text = case_of(name)
    found = translate(expected["vendor"], text)
    policy = policy_json(found.policy)
    for rule in policy.get("rules", []):
        del rule["id"]
    assert policy == expected["policy"]
    assert told(found) == expected["report"]
    sound(found)


def test_there_is_a_case_for_every_vendor() -> None:
    assert {case_of(name)[0]["vendor"] for name in EXPECTED} == set(VENDORS)


@every_case
def test_whatever_is_not_the_same_is_told_why(name: str) -> None:
    expected, text = case_of(name)
    for line in translate(expected["vendor"], text).report:
        assert line.why is not None or line.became != "dropped", line


@every_case
@pytest.mark.parametrize("form", ["mark", "returns"])
def test_a_byte_order_mark_and_the_line_ends_of_windows_change_nothing(name: str, form: str) -> None:
    expected, text = case_of(name)
    other = "\ufeff" + text if form == "mark" else text.replace("\n", "\r\n")
    assert translate(expected["vendor"], other) == translate(expected["vendor"], text)


# properties

NAME = st.from_regex(r"[a-z0-9](-?_?[a-z0-9]){0,6}", fullmatch=True)
TOOL = st.text("abz09-_./", min_size=1, max_size=8)
SPECIFIER = st.sampled_from(["(x:1)", "(*)", "()", "("])
PERMISSION = st.one_of(
    st.builds("mcp__{}__{}".format, NAME, TOOL),
    st.builds("mcp__{}__{}*".format, NAME, TOOL),
    st.builds("mcp__{}__{}{}".format, NAME, TOOL, SPECIFIER),
    st.builds("mcp__{}".format, NAME),
    st.builds("mcp__{}__*".format, NAME),
    st.builds("mcp__{}*__{}".format, NAME, TOOL),
    st.sampled_from(["*", "mcp__*", "mcp__", "mcp", "mcp__*__write", "Bash(git *)", "Read(./.env)", "WebFetch", ""]),
    st.text(max_size=12),
)
PERMISSIONS = st.fixed_dictionaries({}, optional={name: st.lists(PERMISSION, max_size=5) for name in Effect})


@given(PERMISSIONS, NAME, TOOL, st.booleans(), st.sampled_from([None, True, False]))
@settings(max_examples=100, deadline=None)
def test_no_list_of_permissions_ever_allows_a_call(
    lists: Json, server: str, tool: str, known: bool, hint: bool | None
) -> None:
    found = translate("claude", json.dumps({"permissions": lists}))
    book = Rulebook([Placed(rule, Layer.MANAGED) for rule in found.policy.rules])
    origin = ServerFacts(server, ("npx", server), known=known)
    decision = book.decide(Facts(Kind.TOOL_CALL, origin, (tool,), read_only_hint=hint))
    assert decision.effect is not Effect.ALLOW


@given(PERMISSIONS, NAME, TOOL)
@settings(max_examples=100, deadline=None)
def test_what_was_denied_by_name_is_denied_whatever_else_is_in_the_lists(lists: Json, server: str, tool: str) -> None:
    lists = {**lists, "deny": [*lists.get("deny", []), f"mcp__{server}__{tool}"]}
    assert decided(translate("claude", json.dumps({"permissions": lists})), server, tool) is Effect.DENY


@given(PERMISSIONS, NAME, TOOL)
@settings(max_examples=100, deadline=None)
def test_what_was_to_be_asked_about_by_name_is_never_allowed(lists: Json, server: str, tool: str) -> None:
    lists = {**lists, "ask": [f"mcp__{server}__{tool}", *lists.get("ask", [])]}
    assert decided(translate("claude", json.dumps({"permissions": lists})), server, tool) is not Effect.ALLOW


@given(PERMISSIONS)
@settings(max_examples=100, deadline=None)
def test_every_element_of_the_lists_has_a_line_and_all_of_it_can_be_read_back(lists: Json) -> None:
    found = translate("claude", json.dumps({"permissions": lists}))
    elements = [f"/permissions/{name}/{number}" for name, listed in lists.items() for number in range(len(listed))]
    assert sorted(line.pointer for line in found.report) == sorted(elements)
    sound(found)


@pytest.mark.parametrize("effect", Effect)
def test_an_element_that_is_no_text_has_a_line_too(effect: Effect) -> None:
    found = translate("claude", json.dumps({"permissions": {effect.value: ["mcp__a__b", 7, {"tool": "mcp__a"}]}}))
    pointers = {line.pointer for line in found.report}
    assert pointers >= {f"/permissions/{effect.value}/{number}" for number in range(3)}


VOCABULARY = """permissions allow ask deny mcp__a__b mcp__* allowedMcpServers deniedMcpServers serverName serverUrl serverCommand
    https://a.example/* https://a.example allowManagedPermissionRulesOnly mcpServers servers command args url headers type
    ChatMCP ChatToolsAutoApprove ChatToolsEligibleForAutoApproval registryOnly rule toolName mcpName decision ask_user
    denyMessage argsPattern mcp_servers identity mcpAllowlist a:b a:* extensions id uvx ${X}"""
WORDS = st.sampled_from(VOCABULARY.split())
VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(allow_nan=False), WORDS, st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@every_vendor
@given(content=st.dictionaries(WORDS, VALUE, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_content_is_translated_or_told_to_be_unreadable(vendor: str, content: Json) -> None:
    try:
        found = translate(vendor, written(vendor, content))
    except FileProblem:
        return
    sound(found)


@every_vendor
@given(text=st.text(max_size=40) | st.text('{}[]"=:,\n #-ab1', max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_text_is_translated_or_told_to_be_unreadable(vendor: str, text: str) -> None:
    try:
        found = translate(vendor, text)
    except FileProblem:
        return
    sound(found)


# broken files

OTHER = (None, True, 7, "x", [], {}, ["x"], {"x": 1})


def content_of(vendor: str, text: str) -> Any:
    if vendor in TOML:
        return toml(text)
    return yaml.safe_load(text) if vendor == "goose" else parse_json(text, "")


def places(value: Any, *way: Any) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a value."""
    yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from places(one, *way, name)


def put(value: Any, way: tuple[Any, ...], other: Any) -> Any:
    """The value with something else at a place."""
    if not way:
        return other
    changed = list(value) if isinstance(value, list) else dict(value)
    changed[way[0]] = put(value[way[0]], way[1:], other)
    return changed


def broken_ones(name: str) -> Iterator[tuple[str, Any, str]]:
    """A case's file with something of another type at each of its places: the vendor, the content and its text."""
    expected, text = case_of(name)
    vendor = expected["vendor"]
    content = content_of(vendor, text)
    for way in places(content):
        for other in OTHER:
            if way and not (other is None and vendor in TOML):
                changed = put(content, way, other)
                yield vendor, changed, written(vendor, changed)


@every_case
def test_something_of_another_type_anywhere_breaks_nothing(name: str) -> None:
    for vendor, _, text in broken_ones(name):
        try:
            found = translate(vendor, text)
        except FileProblem:
            continue
        sound(found)


def without_a_line(content: Any, found: Imported) -> list[str]:
    """The values of a file that no line of the report is about."""
    leaves = [way for way in places(content) if not isinstance(_at(content, way), dict | list)]
    pointers = ["".join(f"/{str(one).replace('~', '~0').replace('/', '~1')}" for one in way) for way in leaves]
    lines = {line.pointer for line in found.report}
    return [one for one in pointers if not any(_related(one, line) for line in lines)]


def _at(value: Any, way: tuple[Any, ...]) -> Any:
    return _at(value[way[0]], way[1:]) if way else value


def _related(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")


@every_case
def test_each_line_of_a_broken_file_is_accounted_for(name: str) -> None:
    forgotten: dict[str, list[str]] = {}
    for vendor, content, text in broken_ones(name):
        try:
            found = translate(vendor, text)
        except FileProblem:
            continue
        if lost := without_a_line(content, found):
            forgotten[text] = lost
    assert not forgotten, list(forgotten.items())[:3]


@every_vendor
@pytest.mark.parametrize("member", ["unknown", "a/b~c"])
def test_a_member_that_is_not_known_is_accounted_for(vendor: str, member: str) -> None:
    expected, text = next(case for name in EXPECTED if (case := case_of(name))[0]["vendor"] == vendor)
    content = {**content_of(expected["vendor"], text), member: {"x": "y"}}
    assert without_a_line(content, translate(vendor, written(vendor, content))) == []


DEEP = 20_000
UNREADABLE = {
    "json": {
        "cut off": "{",
        "not of the format": "allow everything",
        "a control character": "\0",
        "two of them": "{} {}",
        "a list": "[]",
        "nothing": "",
        "blank": " \n",
        "null": "null",
        "a number": "7",
        "a name that is none": "{1: 2}",
        "too deep": "[" * DEEP,
        "too deep, but whole": f'{{"a": {"[" * DEEP}{"]" * DEEP}}}',
        "too long a number": f'{{"a": {"9" * 5_000}}}',
    },
    "toml": {
        "cut off": "a = [",
        "not of the format": "allow everything",
        "a control character": "\0",
        "a name twice": "a = 1\na = 2",
        "a name that is none": "[] = 1",
        "no day": "a = 2026-13-45",
        "too deep": f"a = {'[' * DEEP}",
        "too deep, but whole": f"a = {'[' * DEEP}{']' * DEEP}",
        "too long a number": f"a = {'9' * 5_000}",
    },
    "yaml": {
        "cut off": "a: [b",
        "not of the format": "a: b: c",
        "a control character": "\0",
        "two of them": "a: 1\n---\nb: 2",
        "a name that is none": "? [a]\n: b",
        "a tag": "a: !!python/object:os.system x",
        "another type": "a: !!int x",
        "no day": "a: 2026-13-45",
        "too deep": "[" * 1_000,
        "too long a number": f"a: {'9' * 5_000}",
    },
}


def format_of(vendor: str) -> str:
    return "toml" if vendor in TOML else "yaml" if vendor == "goose" else "json"


@pytest.mark.parametrize(
    ("vendor", "what"), [(vendor, what) for vendor in VENDORS for what in UNREADABLE[format_of(vendor)]]
)
def test_what_cannot_be_read_at_all_is_told_so(vendor: str, what: str) -> None:
    with pytest.raises(FileProblem):
        translate(vendor, UNREADABLE[format_of(vendor)][what])


@pytest.mark.parametrize("text", ["", "# nothing\n", "~", "[]", "7", "extensions", "extensions:", "other: {}"])
def test_a_list_that_is_not_there_lets_no_extension_run(text: str) -> None:
    found = translate("goose", text)
    assert found.policy.allowed_mcp_servers == ()
    assert [line.became for line in found.report if line.pointer == "/extensions"] == ["deny"]


@pytest.mark.parametrize(
    ("vendor", "text"),
    [
        ("claude", r'{"permissions": {"deny": ["mcp__a\ud800__b"]}}'),
        ("claude", r'{"deniedMcpServers": [{"serverName": "\ud800"}]}'),
        ("claude", r'{"allowedMcpServers": [{"serverCommand": ["\ud800"]}]}'),
        ("claude-mcp", r'{"mcpServers": {"\ud800": {"command": "a"}}}'),
        ("vscode", r'{"ChatToolsEligibleForAutoApproval": {"\ud800": false}}'),
        ("cursor", r'{"mcpAllowlist": ["a:\ud800"]}'),
    ],
)
def test_half_a_character_makes_no_policy_that_cannot_be_written(vendor: str, text: str) -> None:
    try:
        found = translate(vendor, text)
    except FileProblem:
        return
    json.dumps(policy_json(found.policy)).encode()
    sound(found)


ANY_SERVERS = [
    ServerFacts("github", ("npx", "-y", "github")),
    ServerFacts("x", ("x",)),
    ServerFacts("remote", url="https://mcp.corp.example/mcp"),
]


@pytest.mark.parametrize(
    ("vendor", "content"),
    [
        *(
            (vendor, {name: value})
            for vendor in ("claude", "copilot")
            for name in ("allowedMcpServers", "deniedMcpServers")
            for value in (None, True, 7, "x", {}, {"serverName": "x"}, {"overridable": []}, [7], [[]], [{}], ["x"])
        ),
        *(
            ("claude", {"allowedMcpServers": [{"serverCommand": ["x"]}], "deniedMcpServers": [wrong]})
            for wrong in (
                {"serverCommand": []},
                {"serverCommand": "x"},
                {"serverUrl": 7},
                {"serverName": ""},
                {"a": "x"},
            )
        ),
        ("claude", {"deniedMcpServers": 7, "allowedMcpServers": [{"serverCommand": ["x"]}]}),
        ("claude", {"allowedMcpServers": [{"serverCommand": ["x"]}], "deniedMcpServers": 7}),
        ("claude", {"allowedMcpServers": []}),
        ("claude-mcp", {}),
        ("claude-mcp", {"mcpServers": {}}),
        ("claude-mcp", {"mcpServers": {"x": 7, "github": {"command": ""}, "remote": {"url": 7}}}),
        ("claude-mcp", {"servers": {"x": {"command": "x"}}}),
        *(("vscode", {"ChatMCP": value}) for value in (None, True, False, 7, "x", "off", "registryOnly", "on", [], {})),
        *(("codex", {"mcp_servers": value}) for value in (True, 7, "x", [], {}, ["x"], {"x": 7}, {"x": {}})),
        ("codex", {"mcp_servers": {"x": {"identity": "x"}}}),
        ("codex", {"mcp_servers": {"x": {"identity": {"command": 7}}}}),
        ("codex", {"mcp_servers": {"x": {"command": "x"}}}),
        *(("goose", {"extensions": value}) for value in (None, True, 7, "x", {}, [], ["x"], [{"command": 7}])),
        ("goose", []),
    ],
    ids=str,
)
def test_where_it_is_not_clear_which_servers_are_meant_none_may_be_used(vendor: str, content: Any) -> None:
    found = translate(vendor, written(vendor, content))
    assert all(is_blocked(found, server) for server in ANY_SERVERS)


@pytest.mark.parametrize(
    ("vendor", "content", "effect"),
    [
        *(
            ("claude", {"permissions": {"deny": value}}, Effect.DENY)
            for value in (7, "mcp__x", {}, {"overridable": []})
        ),
        *(("claude", {"permissions": {"ask": value}}, Effect.ASK) for value in (7, "mcp__x", {}, [["mcp__x"]])),
        *(("claude", {"permissions": {"allow": value}}, Effect.ASK) for value in (7, "mcp__x", {}, [7])),
        *(("claude", {"permissions": {"deny": [value]}}, Effect.DENY) for value in (7, None, {"tool": "x"}, ["x"])),
        *(("claude", {"permissions": value}, Effect.ASK) for value in (7, "x", ["mcp__x"], True)),
        *(("vscode", {"ChatToolsAutoApprove": value}, Effect.ASK) for value in (False, None, 7, "true", [])),
        *(
            ("vscode", {"ChatToolsEligibleForAutoApproval": value}, Effect.ASK)
            for value in (None, 7, "", "{", "[]", ["x"], "7", True, False)
        ),
        *(("vscode", {"ChatToolsEligibleForAutoApproval": {"delete": one}}, Effect.ASK) for one in (None, "true", 1)),
        *(("gemini", {"rule": value}, Effect.DENY) for value in (7, "x", True, {"decision": "deny", "toolName": "*"})),
        *(("gemini", {"rule": [value]}, Effect.ASK) for value in (7, "x", {}, [], {"decision": "maybe"})),
        *(
            ("gemini", {"rule": [{"decision": "deny", name: value}]}, Effect.DENY)
            for name in ("toolName", "mcpName")
            for value in (7, True, {}, [7], [])
        ),
        *(("cursor", {"mcpAllowlist": value}, Effect.ASK) for value in (7, "a:b", {}, None, [7], [None], [""], ["a"])),
    ],
    ids=str,
)
def test_where_it_is_not_clear_which_calls_are_meant_it_holds_for_all(
    vendor: str, content: Any, effect: Effect
) -> None:
    found = translate(vendor, written(vendor, content))
    assert decided(found, "any server", "delete") in {effect, Effect.DENY}


@pytest.mark.parametrize("value", [True, "true", 1, None, {}])
def test_only_a_plain_no_lets_people_have_rules_that_allow(value: object) -> None:
    assert not translate("claude", json.dumps({"allowManagedPermissionRulesOnly": value})).policy.user_allow_rules
    assert translate("claude", json.dumps({"allowManagedPermissionRulesOnly": False})).policy.user_allow_rules


# never wider


@pytest.mark.parametrize(
    ("vendor", "content", "server", "tool"),
    [
        ("claude", {"permissions": {"deny": ["mcp__github"]}}, "github", "any"),
        ("claude", {"permissions": {"deny": ["mcp__github__*"]}}, "GitHub", "any"),
        ("claude", {"permissions": {"deny": ["mcp__github__delete_*"]}}, "github", "delete_repository"),
        ("claude", {"permissions": {"deny": ["mcp__*"]}}, "github", "any"),
        ("claude", {"permissions": {"deny": ["*"]}}, "github", "any"),
        ("claude", {"permissions": {"deny": ["mcp__*__delete_*"]}}, "github", "delete_repository"),
        ("claude", {"permissions": {"deny": ["mcp__git*"]}}, "github", "any"),
        ("claude", {"permissions": {"deny": ["mcp__github__push(branch:main)"]}}, "github", "push"),
        ("claude", {"permissions": {"allow": ["mcp__github__push"], "deny": ["mcp__github__push"]}}, "github", "push"),
        # where the server's name ends and the tool's begins is not certain
        ("claude", {"permissions": {"deny": ["mcp__corp__files__delete"]}}, "corp", "files__delete"),
        ("claude", {"permissions": {"deny": ["mcp__corp__files__delete"]}}, "corp__files", "delete"),
        ("claude", {"permissions": {"deny": ["mcp__corp__files__delete_*"]}}, "corp__files", "delete_all"),
        ("claude", {"permissions": {"deny": ["mcp__files___delete"]}}, "files_", "delete"),
        ("claude", {"permissions": {"deny": ["mcp__corp__files"]}}, "corp__files", "delete"),
        # only * stands for something else
        ("claude", {"permissions": {"deny": ["mcp__files__delete[all]"]}}, "files", "delete[all]"),
        ("gemini", {"rule": [{"mcpName": "github", "decision": "deny"}]}, "github", "any"),
        ("gemini", {"rule": [{"mcpName": "*", "decision": "deny"}]}, "github", "any"),
        ("gemini", {"rule": [{"toolName": "*", "decision": "deny"}]}, "github", "any"),
        ("gemini", {"rule": [{"mcpName": "*", "toolName": "delete", "decision": "deny"}]}, "github", "delete"),
        ("gemini", {"rule": [{"mcpName": "a", "toolName": ["x", "del*"], "decision": "deny"}]}, "a", "delete"),
        ("gemini", {"rule": [{"toolName": "github__delete", "decision": "deny"}]}, "github", "delete"),
        # the whole names of Gemini's tools
        ("gemini", {"rule": [{"toolName": "mcp_github_delete", "decision": "deny"}]}, "github", "delete"),
        ("gemini", {"rule": [{"toolName": "mcp_github_*", "decision": "deny"}]}, "github", "delete"),
        ("gemini", {"rule": [{"toolName": "mcp_*_delete", "decision": "deny"}]}, "github", "delete"),
        ("gemini", {"rule": [{"toolName": "mcp_*", "decision": "deny"}]}, "github", "delete"),
        # beside the server's name stands the tool's alone
        ("gemini", {"rule": [{"mcpName": "a", "toolName": "b__c", "decision": "deny"}]}, "a", "b__c"),
        ("gemini", {"rule": [{"mcpName": "a", "toolName": "delete[all]", "decision": "deny"}]}, "a", "delete[all]"),
    ],
    ids=str,
)
def test_what_was_denied_is_denied(vendor: str, content: Any, server: str, tool: str) -> None:
    assert decided(translate(vendor, written(vendor, content)), server, tool) is Effect.DENY


@pytest.mark.parametrize(
    ("vendor", "content", "server", "tool"),
    [
        ("claude", {"permissions": {"ask": ["mcp__github"]}}, "github", "any"),
        ("claude", {"permissions": {"ask": ["mcp__*"]}}, "github", "any"),
        ("claude", {"permissions": {"ask": ["mcp__corp__files__write"]}}, "corp__files", "write"),
        ("claude", {"permissions": {"allow": ["mcp__github__push"]}}, "github", "push"),
        ("claude", {"permissions": {"allow": ["mcp__*"]}}, "github", "push"),
        ("vscode", {"ChatToolsAutoApprove": False}, "github", "create_issue"),
        ("vscode", {"ChatToolsEligibleForAutoApproval": {"create_issue": False}}, "github", "create_issue"),
        ("vscode", {"ChatToolsEligibleForAutoApproval": '{"create_issue": false}'}, "github", "create_issue"),
        ("vscode", {"ChatToolsEligibleForAutoApproval": {"github/create_issue": False}}, "github", "create_issue"),
        ("vscode", {"ChatToolsEligibleForAutoApproval": {"write[all]": False}}, "files", "write[all]"),
        ("gemini", {"rule": [{"mcpName": "github", "decision": "ask_user"}]}, "github", "any"),
        ("gemini", {"rule": [{"toolName": "mcp_github_push", "decision": "ask_user"}]}, "github", "push"),
        ("gemini", {"rule": [{"toolName": "mcp_*", "decision": "ask_user"}]}, "github", "push"),
        ("gemini", {"rule": [{"mcpName": "github", "toolName": "push", "decision": "allow"}]}, "github", "push"),
        ("cursor", {"mcpAllowlist": ["github:push"]}, "github", "push"),
        ("cursor", {"mcpAllowlist": ["git*:push"]}, "github", "push"),
        ("cursor", {"mcpAllowlist": ["*:*"]}, "github", "push"),
    ],
    ids=str,
)
def test_what_was_to_be_asked_about_or_allowed_by_a_name_is_asked_about(
    vendor: str, content: Any, server: str, tool: str
) -> None:
    assert decided(translate(vendor, written(vendor, content)), server, tool) is Effect.ASK


def entry(**what: Any) -> ServerFacts:
    """A server as a person has it in their file."""
    made = ServerEntry("mine", **what)
    command = (made.command, *made.args) if made.command else ()
    return ServerFacts(made.name, command, made.url, made.fingerprint)


EVIL = entry(url="https://evil.example/mcp")
DENIED = [
    ("claude", {"serverName": "Mine"}, entry(command="npx")),
    ("claude", {"serverCommand": ["npx", "-y", "evil"]}, entry(command="npx", args=("-y", "evil"))),
    ("claude", {"serverCommand": ["npx", "-y", "${PACKAGE}"]}, entry(command="npx", args=("-y", "evil"))),
    ("claude", {"serverUrl": "https://evil.example/mcp"}, entry(url="https://EVIL.example./mcp")),
    ("claude", {"serverUrl": "https://evil.example/mcp?tenant=1"}, entry(url="https://evil.example/mcp?tenant=1")),
    ("claude", {"serverUrl": "https://*.evil.example/*"}, entry(url="https://a.evil.example/mcp")),
    ("claude", {"serverUrl": "http://localhost:*/*"}, entry(url="http://localhost:8080/mcp")),
    ("claude", {"serverUrl": "https://${TENANT}.evil.example/*"}, entry(url="https://a.evil.example/mcp")),
    ("copilot", {"serverUrl": "https://evil.example:443/*"}, EVIL),
    # without a path: every path
    ("claude", {"serverUrl": "https://evil.example"}, EVIL),
    ("claude", {"serverUrl": "https://*.evil.example"}, entry(url="https://a.evil.example/mcp")),
    ("claude", {"serverUrl": "https://*"}, EVIL),
    # a star may be the scheme, and more than a host
    ("claude", {"serverUrl": "*://evil.example/*"}, EVIL),
    ("claude", {"serverUrl": "*://evil.example/*"}, entry(url="http://evil.example/mcp")),
    ("claude", {"serverUrl": "http*://evil.example/*"}, EVIL),
    ("claude", {"serverUrl": "http://*/*"}, entry(url="http://evil.example:8080/mcp")),
    ("claude", {"serverUrl": "*evil.example*"}, EVIL),
    ("claude", {"serverUrl": "*"}, EVIL),
    # a variable may be anything
    ("claude", {"serverUrl": "${EVIL}"}, EVIL),
    ("claude", {"serverUrl": "https://${EVIL}"}, EVIL),
    ("claude", {"serverUrl": "${SCHEME}://evil.example/*"}, EVIL),
    # as it is written, but for the star
    ("copilot", {"serverUrl": "https://%65vil.example/*"}, EVIL),
    ("claude", {"serverUrl": "https://evil.example/[a]"}, entry(url="https://evil.example/[a]")),
]


@pytest.mark.parametrize(
    ("vendor", "match", "server"), DENIED, ids=[f"{one[0]} {one[1]} {one[2].url}" for one in DENIED]
)
def test_a_server_that_was_denied_is_denied(vendor: str, match: Json, server: ServerFacts) -> None:
    assert is_blocked(translate(vendor, json.dumps({"deniedMcpServers": [match]})), server)


@pytest.mark.parametrize("vendor", ["claude", "copilot"])
def test_a_denial_holds_beside_an_allow_list_that_has_the_server(vendor: str) -> None:
    everywhere = [{"serverUrl": "https://*/*"}, {"serverCommand": ["npx", "notes"]}]
    content = {"allowedMcpServers": everywhere, "deniedMcpServers": [{"serverUrl": "https://evil.example/*"}]}
    found = translate(vendor, json.dumps(content))
    assert is_blocked(found, entry(url="https://evil.example/mcp"))
    assert is_blocked(found, entry(command="npx", args=("other",)))
    assert not is_blocked(found, entry(url="https://good.example/mcp"))
    assert not is_blocked(found, entry(command="npx", args=("notes",)))


URL, TENANT = "https://mcp.example/mcp", "https://mcp.example/mcp?tenant=corp"


@pytest.mark.parametrize(
    ("vendor", "content", "server"),
    [
        ("claude", {"allowedMcpServers": [{"serverName": "mine"}]}, entry(command="npx")),
        ("claude", {"allowedMcpServers": [{"serverName": "mine"}]}, entry(url=URL)),
        ("claude", {"allowedMcpServers": [{"serverCommand": ["npx", "a"]}]}, entry(command="npx", args=("a", "--x"))),
        ("claude", {"allowedMcpServers": [{"serverCommand": ["npx", "*"]}]}, entry(command="npx", args=("a",))),
        (
            "claude",
            {"allowedMcpServers": [{"serverUrl": "https://*.corp.example/*"}]},
            entry(url="https://corp.example/"),
        ),
        (
            "claude",
            {"allowedMcpServers": [{"serverUrl": "https://*.corp.example/*"}]},
            entry(url="https://evil.example/.corp.example/"),
        ),
        ("claude", {"allowedMcpServers": [{"serverCommand": ["${X}"]}]}, entry(command="${X}")),
        ("copilot", {"allowedMcpServers": [{"serverUrl": "https://${X}/*"}]}, entry(url="https://${X}/mcp")),
        ("codex", {"mcp_servers": {"mine": {"identity": {"command": "npx"}}}}, entry(command="npx", args=("evil",))),
        ("goose", {"extensions": [{"command": "npx 'a b'"}]}, entry(command="npx", args=("a", "b"))),
        # of an address all counts
        ("copilot", {"allowedMcpServers": [{"serverUrl": TENANT}]}, entry(url=f"{URL}?tenant=evil")),
        ("codex", {"mcp_servers": {"mine": {"identity": {"url": TENANT}}}}, entry(url=f"{URL}?tenant=evil")),
        ("claude-mcp", {"mcpServers": {"mine": {"url": TENANT}}}, entry(url=f"{URL}?tenant=evil")),
        # a star is only where there are patterns, and nothing else is ever one
        (
            "claude",
            {"allowedMcpServers": [{"serverUrl": "https://mcp.example/[ab]"}]},
            entry(url="https://mcp.example/a"),
        ),
        ("codex", {"mcp_servers": {"mine": {"identity": {"url": "https://*.example/mcp"}}}}, entry(url=URL)),
        ("claude-mcp", {"mcpServers": {"mine": {"url": "https://*.example/mcp"}}}, entry(url=URL)),
        # these very servers, and no others
        (
            "claude-mcp",
            {"mcpServers": {"mine": {"command": "./run", "cwd": "/opt"}}},
            entry(command="./run", cwd="/tmp"),
        ),
        ("claude-mcp", {"mcpServers": {"mine": {"command": "./run", "cwd": "/opt"}}}, entry(command="./run")),
    ],
    ids=str,
)
def test_a_server_that_was_not_allowed_is_not_allowed(vendor: str, content: Any, server: ServerFacts) -> None:
    assert is_blocked(translate(vendor, written(vendor, content)), server)


def test_the_servers_of_a_managed_list_may_be_used_and_are_offered() -> None:
    _, text = case_of("claude-managed-mcp")
    found = translate("claude-mcp", text)
    offered = laid_down(policy_json(found.policy)).offered()
    assert (sorted(offered.entries), offered.problems) == (["company-internal", "github", "legacy"], ())
    for one in offered.entries.values():
        command = (one.command, *one.args) if one.command else ()
        assert not is_blocked(found, ServerFacts(one.name, command, one.url, one.fingerprint))


def test_what_is_lost_of_a_server_is_told() -> None:
    helper = {"url": URL, "headersHelper": "/opt/corp/headers", "oauth": {"clientId": "x"}}
    found = translate("claude-mcp", json.dumps({"mcpServers": {"mine": helper}}))
    assert any(line.why is not None for line in found.report)


def test_a_denial_that_cannot_be_carried_over_holds_against_everything_in_any_order() -> None:
    allowed = {"allowedMcpServers": [{"serverCommand": ["npx"]}]}
    denied = {"deniedMcpServers": [{"serverCommand": ["${X}"]}]}
    for content in ({**allowed, **denied}, {**denied, **allowed}):
        found = translate("claude", json.dumps(content))
        assert found.policy.allowed_mcp_servers == ()


def test_a_member_with_a_similar_name_blocks_nothing() -> None:
    content = {"allowedMcpServers": [{"serverCommand": ["npx"]}], "deniedMcpServersNote": "none yet"}
    assert not is_blocked(translate("claude", json.dumps(content)), entry(command="npx"))


def test_the_names_in_a_report_can_be_told_apart() -> None:
    found = translate("vscode", json.dumps({"a/b": 1, "a~1b": 2, "c\n": 3}))
    assert [line.pointer for line in found.report] == ["/a~1b", "/a~01b", "/c\n"]
    assert all(re.fullmatch(r"(/([^~/]|~[01])*)*", line.pointer) for line in found.report)


def test_an_unknown_vendor_is_none() -> None:
    with pytest.raises(KeyError):
        translate("zed", "{}")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\Tools\serve.exe --all", (r"C:\Tools\serve.exe", "--all")),
        (r'"C:\Program Files\serve.exe" "a b" # c', (r"C:\Program Files\serve.exe", "a b", "#", "c")),
        ("uvx 'mcp server'", ("uvx", "mcp server")),
    ],
)
def test_the_words_of_gooses_commands_keep_their_backslashes(command: str, words: tuple[str, ...]) -> None:
    found = translate("goose", yaml.safe_dump({"extensions": [{"id": "a", "command": command}]}))
    assert found.policy.allowed_mcp_servers == (ServerMatch(server_command=words),)


def test_what_teams_may_change_holds_here() -> None:
    imported = translate("claude", json.dumps({"permissions": {"overridable": {"deny": ["mcp__evil"]}}}))
    assert [one.effect.value for one in imported.policy.rules] == ["deny"]
