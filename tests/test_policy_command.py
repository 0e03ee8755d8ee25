"""The command `policy`: what it prints, how it ends, and that nothing of a file can do anything to a terminal."""

import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_host.audit.log import AuditLog, audit_file
from desktop_host.cli.main import main
from desktop_host.policy.decide import Placed, Rulebook
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.importers import VENDORS
from desktop_host.policy.reading import read_policy
from desktop_host.policy.rules import Kind, Rule
from desktop_host.terms.asks import Ask, AskKind, Decision, Effect, Layer, Origin, Outcome, Record
from desktop_host.terms.messages import say
from tests.support.policy import laid_down

Json = dict[str, Any]
Run = Callable[..., tuple[int, str, str]]
MAIN = Path(__file__).parents[1]
CASES = Path(__file__).parent / "cases" / "policy" / "import"
KINDS = [kind.value for kind in Kind]


@pytest.fixture
def policy(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command, on a computer without files of an administrator."""
    monkeypatch.setattr("desktop_host.policy.managed.managed_places", tuple)

    def run(*words: str | Path) -> tuple[int, str, str]:
        code = main(["policy", *map(str, words)])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
def file(folders: Path) -> Callable[..., Path]:
    """Writes a policy: its text, or its rules."""

    def write(content: str | list[Json] | Json, name: str = "policy.json") -> Path:
        whole = {"version": 1, "rules": content} if isinstance(content, list) else content
        path = folders / name
        path.write_text(whole if isinstance(whole, str) else json.dumps(whole), encoding="utf-8")
        path.chmod(0o644)
        return path

    return write


def rule(effect: str, *kinds: str, id: str = "one", **more: Any) -> Json:
    return {"id": id, "effect": effect, "kinds": list(kinds or ("tool.call",)), **more}


SERVER: Json = {"server": {"serverCommand": ["uvx", "corp-files==2.1.0"]}}
FINE = rule("allow", "tool.call", "roots.list", when=SERVER)


# check


def test_a_file_without_oddities_is_told_to_be_fine(policy: Run, file: Callable[..., Path]) -> None:
    path = file([FINE])
    assert policy("check", path) == (0, f"{path}: 1 rule, nothing to tell.\n", "")
    path = file([FINE, rule("deny", id="two")])
    assert policy("check", path)[1] == f"{path}: 2 rules, nothing to tell.\n"
    assert policy("check", file("{}"))[:2] == (0, f"{path}: 0 rules, nothing to tell.\n")


def test_check_tells_programs_the_same(policy: Run, file: Callable[..., Path]) -> None:
    path = file([FINE])
    code, out, err = policy("check", path, "--json")
    fine = {"file": str(path), "usable": True, "doubt": None, "problems": [], "findings": [], "servers": [], "rules": 1}
    assert (code, json.loads(out), err) == (0, fine, "")


@pytest.mark.parametrize(
    ("odd", "finding"),
    [
        (rule("allow", "elicitation.url", when=SERVER), "lint.allow_link"),
        (rule("allow", "elicitation.form", when=SERVER), "lint.allow_form"),
        (rule("allow", "sampling.request", when={**SERVER, "secretsFound": True}), "lint.allow_secret"),
        (rule("allow"), "lint.allow_all"),
        (rule("allow", when=SERVER, expires="2020-01-31T00:00:00Z"), "lint.expired"),
        (rule("deny", when={"maxTokensLE": 5}), "lint.never"),
        (rule("deny", "server.connect", when={"tool": "x"}), "lint.never"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_rule_that_does_not_do_what_it_says_is_a_finding(
    policy: Run, file: Callable[..., Path], odd: Json, finding: str
) -> None:
    path = file([{**FINE, "id": "fine", "kinds": ["roots.list"]}, odd])
    code, out, err = policy("check", path)
    assert (code, err) == (1, "")
    assert out.startswith(f"{path}: /rules/1 (one): ")
    assert len(out.splitlines()) == 1
    code, out, _ = policy("check", path, "--json")
    told = json.loads(out)
    assert (code, told["usable"], told["problems"], told["rules"]) == (1, True, [], 2)
    [one] = told["findings"]
    assert (one["pointer"], one["rule"], one["finding"]) == ("/rules/1", "one", finding)
    assert one["message"]


def test_a_rule_behind_one_that_always_decides_is_a_finding(policy: Run, file: Callable[..., Path]) -> None:
    code, out, _ = policy("check", file([FINE, rule("deny", id="all")]))
    assert (code, out) == (0, f"{file([FINE, rule('deny', id='all')])}: 2 rules, nothing to tell.\n")
    code, out, _ = policy("check", file([{**FINE, "kinds": ["tool.call"]}, rule("deny", id="all")]), "--json")
    [one] = json.loads(out)["findings"]
    assert (code, one["pointer"], one["finding"]) == (1, "/rules/0", "lint.shadowed")
    assert "“all”" in one["message"]


@pytest.mark.parametrize("effect", ["deny", "ask"])
@pytest.mark.parametrize("more", [{}, {"when": {}}], ids=["without", "empty"])
def test_to_restrict_everything_is_no_oddity(policy: Run, file: Callable[..., Path], effect: str, more: Json) -> None:
    assert policy("check", file([rule(effect, *KINDS, **more)]))[0] == 0


WRONG = """{
  "version": 1,
  "rules": [
    {"id": "good", "effect": "deny", "kinds": ["roots.list"]},
    {"id": "one",
     %s}
  ]
}
"""


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (WRONG % '"effect": "maybe", "kinds": ["tool.call"]', "6:16: /rules/1/effect", "cannot be used"),
        (WRONG % '"effect": "deny", "kinds": ["tool.cal"]', "6:34: /rules/1/kinds/0", "cannot be used"),
        (WRONG % '"effect": "deny", "kinds": ["tool.call"], "wen": {}', "/rules/1/wen", "There is no wen here"),
        (WRONG % '"effect": "deny"', "5:5: /rules/1/kinds", "kinds is missing"),
        (
            WRONG % '"effect": "allow", "kinds": ["tool.call"], "when": {"server": {"serverName": "x"}}',
            "5:5: /rules/1",
            "not by its name alone",
        ),
        (
            (WRONG % '"effect": "deny", "kinds": ["tool.call"]').replace('"one"', '"good"'),
            "5:12: /rules/1/id",
            "Another rule has the id “good”",
        ),
        ('{"version": 2}', "1:13: /version", "This is version 2"),
        ('{"rules": [],\n "rules": []}', "2:2: /", "stands twice"),
        ('{"userAllowRules": "no"}', "1:20: /userAllowRules", "cannot be used"),
        ('{"allowedMcpServers": "none"}', "1:23: /allowedMcpServers", "cannot be used"),
        ("{\n  rules", "2:3: /", "this is not JSON"),
        ("[]", "1:1: /", "must hold one JSON object"),
        ("", "1:1: /", "this is not JSON"),
    ],
)
def test_a_mistake_is_told_with_its_place(
    policy: Run, file: Callable[..., Path], text: str, place: str, words: str
) -> None:
    path = file(text)
    code, out, err = policy("check", path)
    assert (code, err) == (2, "")
    [line] = [line for line in out.splitlines() if f"{place}: " in line]
    assert line.startswith(f"{path}:")
    assert words in line
    code, out, _ = policy("check", path, "--json")
    told = json.loads(out)
    assert code == 2
    assert words in " ".join(one["message"] for one in told["problems"])
    for one in told["problems"]:
        assert {**one, "message": ""}.keys() == {"pointer", "line", "column", "message"}
        assert one["line"] > 0
        assert one["column"] > 0
        assert f"{path}:{one['line']}:{one['column']}: {one['pointer'] or '/'}: " in line or len(told["problems"]) > 1


def test_what_ends_with_2_is_not_called_usable(policy: Run, file: Callable[..., Path]) -> None:
    code, out, _ = policy("check", file("{"), "--json")
    assert (code, json.loads(out)["usable"]) == (2, False)


def test_comments_and_trailing_commas_are_no_mistake(policy: Run, file: Callable[..., Path]) -> None:
    assert policy("check", file('\ufeff{"rules": [], // none yet\n}'))[0] == 0


def test_what_windows_writes_can_be_read(policy: Run, folders: Path) -> None:
    (folders / "x.json").write_bytes('{"userAllowRules": false}'.encode("utf-16"))
    assert policy("check", folders / "x.json")[0] == 0


@pytest.mark.parametrize("what", ["check", "simulate", "explain", "import"])
def test_a_file_that_cannot_be_read_is_told_so(policy: Run, folders: Path, what: str) -> None:
    more = ["--ask", '{"kind": "roots.list", "server": {}}'] if what == "explain" else ["--from", "claude"]
    (folders / "bytes").write_bytes(b"\xff\xfe\xff")
    for path, words in ((folders / "none.json", "No such file"), (folders, "directory"), (folders / "bytes", "UTF-8")):
        code, out, err = policy(what, path, *more)
        assert (code, out) == (2, "")
        assert err.startswith(f"{path}: ")
        assert words in err
        code, out, err = policy(what, path, *more, "--json")
        assert (code, list(json.loads(out)), err) == (2, ["error"], "")


@pytest.mark.parametrize("what", ["check", "simulate", "import"])
def test_without_a_file_there_is_nothing_to_do(policy: Run, what: str) -> None:
    assert policy(what, "--from", "claude") == (2, "", "name a file\n")


# check --managed


def test_a_managed_file_of_the_administrators_alone_is_fine(policy: Run, file: Callable[..., Path]) -> None:
    path = file([FINE])
    assert policy("check", path, "--managed") == (0, f"{path}: 1 rule, nothing to tell.\n", "")


@pytest.mark.parametrize("mode", [0o646, 0o664, 0o666, 0o602])
def test_a_managed_file_that_others_may_write_is_refused(policy: Run, file: Callable[..., Path], mode: int) -> None:
    path = file([FINE])
    path.chmod(mode)
    told = f"Ordinary users may change {path}. Nothing is allowed by itself because of it.\n"
    assert policy("check", path, "--managed") == (2, told, "")
    code, out, _ = policy("check", path, "--managed", "--json")
    found = json.loads(out)
    assert (code, found["usable"], found["rules"]) == (2, False, 1)
    assert found["doubt"] == f"Ordinary users may change {path}."
    assert policy("check", path)[0] == 0, "only managed files belong to administrators"


def test_a_managed_file_in_a_folder_that_others_may_write_is_refused(policy: Run, folders: Path) -> None:
    folder = folders / "place"
    folder.mkdir()
    folder.chmod(0o777)
    (folder / "policy.json").write_text("{}", encoding="utf-8")
    (folder / "policy.json").chmod(0o644)
    code, out, _ = policy("check", folder / "policy.json", "--managed")
    assert (code, out.split(".")[0]) == (2, f"Ordinary users may change {folder}")


def test_a_managed_file_of_somebody_else_is_refused(
    policy: Run, file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_host.policy.managed.OWNER", os.getuid() + 1)
    path = file([FINE])
    code, out, _ = policy("check", path, "--managed")
    assert code == 2
    assert out.startswith(f"{path} does not belong to the administrator.")


def test_a_managed_file_that_is_a_link_is_refused(policy: Run, file: Callable[..., Path], folders: Path) -> None:
    (folders / "link.json").symlink_to(file([FINE]))
    code, out, _ = policy("check", folders / "link.json", "--managed")
    assert (code, "is a link or no file" in out) == (2, True)


def test_a_managed_file_with_a_mistake_is_told_with_its_place(policy: Run, file: Callable[..., Path]) -> None:
    path = file('{"rules": [\n  {"id": ""}]}')
    code, out, _ = policy("check", path, "--managed")
    assert code == 2
    assert f"{path} has a mistake at line 2, column " in out
    assert f"{path}:2:" in out


def test_a_managed_file_that_is_not_there_is_told_so(policy: Run, folders: Path) -> None:
    code, out, err = policy("check", folders / "none.json", "--managed")
    assert (code, out, err) == (2, "", f"{folders / 'none.json'}: there is no such file\n")


# explain

DELETE: Json = {
    "kind": "tool.call",
    "server": {"name": "files", "command": ["uvx", "corp-files==2.1.0"]},
    "tools": ["delete"],
}


def test_explain_tells_the_decision_and_every_step(policy: Run, file: Callable[..., Path]) -> None:
    path = file(
        [
            rule("deny", id="no-delete", when={"tool": "delete*"}, reason="ticket 7"),
            rule("allow", id="corp", when=SERVER),
            rule("deny", id="no-drop", when={**SERVER, "tool": "drop*"}),
            rule("deny", "roots.list", id="other"),
        ]
    )
    code, out, err = policy("explain", path, "--ask", json.dumps(DELETE))
    assert (code, err) == (0, "")
    lines = [line.strip() for line in out.splitlines()]
    assert lines == [
        "deny: Denied by your administrator’s rule “no-delete”: ticket 7",
        f"fits: deny, administrator, no-delete ({path}/rules/0)",
        "+ The tool is delete; the rule is about delete*.",
        f"fits: allow, administrator, corp ({path}/rules/1)",
        "+ The server is uvx corp-files==2.1.0; the rule is about uvx corp-files==2.1.0.",
        f"nearly: deny, administrator, no-drop ({path}/rules/2)",
        "+ The server is uvx corp-files==2.1.0; the rule is about uvx corp-files==2.1.0.",
        "- The tool is delete; the rule is about drop*.",
    ]


def test_what_belongs_to_a_step_stands_below_it(policy: Run, file: Callable[..., Path]) -> None:
    _, out, _ = policy("explain", file([rule("deny", when={"tool": "delete"})]), "--ask", json.dumps(DELETE))
    assert [len(line) - len(line.lstrip()) for line in out.splitlines()] == [0, 2, 4]


def test_explain_tells_programs_the_same(policy: Run, file: Callable[..., Path]) -> None:
    path = file([rule("deny", id="no-delete", when={"tool": "delete*"}, reason="ticket 7")])
    code, out, _ = policy("explain", path, "--json", "--ask", json.dumps(DELETE))
    told = json.loads(out)
    assert (code, told["effect"], len(told["reasons"]), len(told["policy"])) == (0, "deny", 1, 64)
    assert told["steps"] == [
        {
            "layer": "managed",
            "effect": "deny",
            "counts": True,
            "rule": "no-delete",
            "source": str(path),
            "pointer": "/rules/0",
            "reason": "ticket 7",
            "matched": ["The tool is delete; the rule is about delete*."],
            "missed": [],
            "whyNot": None,
        }
    ]


@pytest.mark.parametrize(
    ("facts", "effect"),
    [
        ({"kind": "elicitation.form", "server": {}}, "ask"),
        ({"kind": "elicitation.url", "server": {}}, "ask"),
        ({"kind": "tool.call", "server": {"known": False}}, "ask"),
        ({"kind": "sampling.request", "server": {}, "secrets_found": True}, "ask"),
        ({"kind": "tool.call", "server": {}}, "allow"),
    ],
    ids=str,
)
def test_explain_tells_what_no_rule_lifts(policy: Run, file: Callable[..., Path], facts: Json, effect: str) -> None:
    code, out, _ = policy("explain", file([rule("allow", *KINDS)]), "--ask", json.dumps(facts))
    assert (code, out.partition(":")[0]) == (0, effect)
    assert ("always so" in out) == (effect == "ask")


def test_explain_without_a_file_uses_the_rules_that_hold(policy: Run) -> None:
    laid_down(rules=[rule("deny", id="mine", when={"tool": "delete"})])
    code, out, _ = policy("explain", "--ask", json.dumps(DELETE))
    assert (code, out.splitlines()[0]) == (0, "deny: Denied by your rule “mine”.")
    assert "you, mine" in out


@pytest.mark.parametrize("managed", [True, False])
def test_explain_counts_the_persons_rules_beside_a_file(policy: Run, file: Callable[..., Path], managed: bool) -> None:
    laid_down(rules=[rule("allow", id="mine", when=SERVER)])
    path = file({"version": 1, "userAllowRules": not managed, "rules": []})
    code, out, _ = policy("explain", path, "--ask", json.dumps(DELETE))
    assert (code, out.partition(":")[0]) == (0, "ask" if managed else "allow")
    assert ("does not count: allow, you, mine" in out) == managed


@pytest.mark.parametrize(
    "facts",
    [
        "{",
        "",
        "7",
        "[]",
        "{}",
        '{"kind": "tool.call"}',
        '{"kind": "nothing", "server": {}}',
        '{"kind": "tool.call", "server": {}, "unknown": 1}',
        '{"kind": "tool.call", "server": {"unknown": 1}}',
        '{"kind": "tool.call", "server": {"command": 7}}',
        '{"kind": "tool.call", "server": {"command": [7]}}',
        '{"kind": "tool.call", "server": {"url": 7}}',
        '{"kind": "tool.call", "server": {"name": 7}}',
        '{"kind": "tool.call", "server": 7}',
        '{"kind": ["tool.call"], "server": {}}',
        '{"kind": "tool.call", "server": {}, "tools": 7}',
        '{"kind": "tool.call", "server": {}, "tools": [7]}',
        '{"kind": "tool.call", "server": {}, "at": "today"}',
        '{"kind": "tool.call", "server": {}, "at": 1e300}',
        '{"kind": "sampling.request", "server": {}, "max_tokens": "many"}',
        '{"kind": "sampling.request", "server": {}, "models": 7}',
        '{"kind": "sampling.request", "server": {}, "content_types": 7}',
        '{"kind": "elicitation.url", "server": {}, "url_host": 7}',
    ],
)
def test_what_is_no_facts_of_an_ask_is_told_so(policy: Run, file: Callable[..., Path], facts: str) -> None:
    hours = {"start": "09:00", "end": "17:00"}
    path = file(
        [
            rule("deny", *KINDS, id="a", when={"server": {"serverUrl": "https://*/*"}}),
            rule("deny", *KINDS, id="b", when={"server": {"serverName": "x"}}),
            rule("deny", id="c", when={"tool": "x"}),
            rule("deny", *KINDS, id="d", when={"hours": hours}),
            rule("deny", *KINDS, id="e", expires="2030-01-31T00:00:00Z"),
            rule("deny", "sampling.request", id="f", when={"maxTokensLE": 5}),
            rule("deny", "sampling.request", id="g", when={"modelIn": ["x"]}),
            rule("deny", "sampling.request", id="h", when={"contentTypes": ["x"]}),
            rule("deny", "elicitation.url", id="i", when={"urlHost": "x.example"}),
        ]
    )
    code, out, err = policy("explain", path, "--ask", facts)
    assert (code, out) == (2, "")
    assert err


def test_explain_wants_to_know_which_ask(policy: Run, file: Callable[..., Path]) -> None:
    path = file([FINE])
    for words in ((), ("--entry", "7"), ("--entry", "0")):
        code, out, err = policy("explain", path, *words)
        assert (code, out) == (2, "")
        assert err.startswith("name an ask")


@pytest.mark.parametrize("what", ["explain", "simulate"])
@pytest.mark.parametrize("content", ["{", '{"rules": [{"id": "x", "effect": "deny", "kinds": ["tool.cal"]}]}'])
def test_a_policy_with_mistakes_is_not_taken_for_one_without_the_rule(
    policy: Run, file: Callable[..., Path], what: str, content: str
) -> None:
    more = ["--ask", json.dumps(DELETE)] if what == "explain" else []
    code, out, err = policy(what, file(content), *more)
    assert code == 2
    assert ":1:" in out + err


# the record

GITHUB = ServerFacts("github", ("npx", "github@1.2.3"), fingerprint="f1")
FILES = ServerFacts("files", ("uvx", "corp-files==2.1.0"), fingerprint="f2")
MADE = Rulebook([Placed(Rule("tickets", Effect.DENY, (Kind.LINK,)), Layer.MANAGED)])
_KINDS = {
    Kind.TOOL_CALL: AskKind.TOOL_CALL,
    Kind.ROOTS: AskKind.ROOTS,
    Kind.REQUEST: AskKind.SAMPLING,
    Kind.LINK: AskKind.URL,
}


def facts(kind: Kind, server: ServerFacts, *tools: str, at: float = 0.5, **more: Any) -> Facts:
    return Facts(kind, server, tools, at=at, **more)


ENTRIES = [
    (facts(Kind.TOOL_CALL, GITHUB, "push"), None),
    (facts(Kind.ROOTS, FILES, "list"), None),
    (facts(Kind.REQUEST, FILES, max_tokens=100), facts(Kind.RESPONSE, FILES, max_tokens=100)),
    (facts(Kind.TOOL_CALL, FILES, "delete"), None),
    (facts(Kind.LINK, GITHUB, url_host="pay.example"), None),
]
"""The decisions of the record: on an ask, and on a model's answer to it."""


async def write(entries: list[tuple[Facts, Facts | None]] = ENTRIES, path: Path | None = None) -> Path:
    log = AuditLog(path)
    for number, (one, answer) in enumerate(entries):
        origin = Origin(one.server.name, " ".join(one.server.command))
        ask = Ask(f"ask {number}", _KINDS[one.kind], origin, {}, opened=1.5 + number)
        response = MADE.decide(answer) if answer is not None else None
        record = Record(ask, (), MADE.decide(one), Outcome.ACCEPT, {}, {}, (), response=response, ended=2.5 + number)
        await log.append(record)
    await log.close()
    return path or audit_file()


async def write_old(path: Path | None = None) -> None:
    """An entry from before the facts of an ask were kept."""
    log = AuditLog(path)
    ask = Ask("old", AskKind.FORM, Origin("old", "old"), {}, opened=0.5)
    await log.append(Record(ask, (), Decision(Effect.ASK, (say("decision.no_rule"),)), Outcome.ACCEPT, {}, {}, ()))
    await log.close()


async def test_an_ask_of_the_record_is_explained(policy: Run, file: Callable[..., Path]) -> None:
    await write()
    path = file([rule("deny", id="no-delete", when={"tool": "delete"})])
    code, out, err = policy("explain", path, "--entry", "4")
    assert (code, out.splitlines()[0], err) == (0, "deny: Denied by your administrator’s rule “no-delete”.", "")
    assert policy("explain", path, "--entry", "1")[1].startswith("ask: ")
    assert policy("explain", path, "--entry", "6")[0] == 2


async def test_an_ask_of_another_record_is_explained(policy: Run, file: Callable[..., Path], folders: Path) -> None:
    other = await write(ENTRIES[3:4], folders / "other.sqlite3")
    path = file([rule("deny", when={"tool": "delete"})])
    assert policy("explain", path, "--entry", "1", "--log", other)[1].startswith("deny: ")
    assert policy("explain", path, "--entry", "1")[0] == 2


async def test_an_ask_whose_facts_were_not_kept_cannot_be_explained(policy: Run, file: Callable[..., Path]) -> None:
    await write_old()
    code, out, err = policy("explain", file([FINE]), "--entry", "1")
    assert (code, out) == (2, "")
    assert "facts" in err


async def test_simulate_lists_exactly_what_would_be_otherwise(policy: Run, file: Callable[..., Path]) -> None:
    await write()
    await write_old()
    path = file(
        [
            rule("deny", id="no-delete", when={"tool": "delete"}),
            rule("allow", "roots.list", "sampling.response", id="corp", when=SERVER),
            rule("deny", "elicitation.url", id="links"),
        ]
    )
    code, out, err = policy("simulate", path)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["2", "3", "4"]
    assert "files" in lines[0]
    assert "roots.list: ask would be allow. Allowed by your administrator’s rule “corp”." in lines[0]
    assert "sampling.response: ask would be allow." in lines[1]
    assert "tool.call: ask would be deny. Denied by your administrator’s rule “no-delete”." in lines[2]
    assert lines[3] == "6 asks of the record, 3 would be decided otherwise. Of 1 no facts are in the record."
    code, out, _ = policy("simulate", path, "--json")
    told = json.loads(out)
    assert (code, told["seen"], told["unknown"]) == (1, 6, 1)
    assert [(one["entry"], one["kind"], one["was"], one["would"]) for one in told["changes"]] == [
        (2, "roots.list", "ask", "allow"),
        (3, "sampling.response", "ask", "allow"),
        (4, "tool.call", "ask", "deny"),
    ]
    assert all(one["server"] == "files" and one["reasons"] for one in told["changes"])
    assert told["changes"][0].keys() == {"entry", "server", "tool", "kind", "was", "would", "reasons"}


async def test_rules_that_decide_as_before_change_nothing(policy: Run, file: Callable[..., Path]) -> None:
    await write()
    path = file([rule("deny", "elicitation.url", id="links"), rule("ask", "roots.list", id="roots")])
    assert policy("simulate", path) == (0, "6 asks of the record, 0 would be decided otherwise.\n", "")


async def test_without_its_rule_a_denial_would_have_been_an_ask(policy: Run, file: Callable[..., Path]) -> None:
    await write(ENTRIES[4:])
    code, out, _ = policy("simulate", file([]))
    assert code == 1
    assert "elicitation.url: deny would be ask." in out


async def test_simulate_counts_how_often_a_rule_was_used(policy: Run, file: Callable[..., Path]) -> None:
    await write([(facts(Kind.ROOTS, FILES, at=at), None) for at in (100.0, 110.0, 165.0, 170.0)])
    path = file([rule("allow", "roots.list", when=SERVER, rate={"count": 1, "perSeconds": 60})])
    _, out, _ = policy("simulate", path, "--json")
    assert [one["entry"] for one in json.loads(out)["changes"]] == [1, 3]


async def test_simulate_counts_the_persons_rules_too(policy: Run, file: Callable[..., Path]) -> None:
    await write()
    laid_down(rules=[rule("deny", id="mine", when={"tool": "push"})])
    _, out, _ = policy("simulate", file([rule("deny", "elicitation.url")]), "--json")
    assert [(one["entry"], one["would"]) for one in json.loads(out)["changes"]] == [(1, "deny")]


async def test_simulate_takes_another_record(policy: Run, file: Callable[..., Path], folders: Path) -> None:
    other = await write(ENTRIES[:2], folders / "other.sqlite3")
    path = file([FINE])
    assert policy("simulate", path) == (0, "0 asks of the record, 0 would be decided otherwise.\n", "")
    code, out, _ = policy("simulate", path, "--log", other)
    assert (code, out.splitlines()[-1]) == (1, "2 asks of the record, 1 would be decided otherwise.")


@pytest.mark.parametrize("words", [["simulate"], ["explain", "--entry", "1"]])
def test_what_is_no_record_is_told_so(policy: Run, file: Callable[..., Path], folders: Path, words: list[str]) -> None:
    (folders / "x").write_bytes(b"no database at all, but quite some text" * 30)
    code, out, err = policy(words[0], file([FINE]), *words[1:], "--log", folders / "x")
    assert (code, out) == (2, "")
    assert err


async def test_the_record_is_only_read(policy: Run, file: Callable[..., Path]) -> None:
    path = await write()
    before = path.read_bytes()
    policy("simulate", file([FINE]))
    policy("explain", file([FINE]), "--entry", "1")
    assert path.read_bytes() == before


# import


@pytest.mark.parametrize("name", [path.name for path in sorted(CASES.glob("*.expected.json"))])
def test_import_prints_a_policy_and_beside_it_the_report(policy: Run, file: Callable[..., Path], name: str) -> None:
    expected = json.loads((CASES / name).read_text("utf-8"))
    [original] = [path for path in CASES.glob(name.replace("expected.json", "*")) if path.name != name]
    code, out, err = policy("import", original, "--from", expected["vendor"])
    read = read_policy(out, "policy.json")
    assert (code, read.problems) == (1, ())
    assert [line.split()[0] for line in err.splitlines()] == [pointer for pointer, _, _ in expected["report"]]
    for line, (_, became, _) in zip(err.splitlines(), expected["report"], strict=True):
        assert f" became {became}." in line
    path = file(out)
    assert policy("check", path)[0] in (0, 1)
    code, out, err = policy("import", original, "--from", expected["vendor"], "--json")
    told = json.loads(out)
    assert (code, err, told["policy"]) == (1, "", json.loads(path.read_text("utf-8")))
    assert all(one.keys() == {"pointer", "text", "became", "rules", "why"} for one in told["report"])
    assert len(told["report"]) == len(expected["report"])


def test_what_is_the_same_ends_well(policy: Run, file: Callable[..., Path]) -> None:
    path = file({"allowedMcpServers": [{"serverUrl": "https://a.example/*"}], "permissions": {"deny": ["mcp__a__b"]}})
    code, out, err = policy("import", path, "--from", "claude")
    assert (code, json.loads(out)["allowedMcpServers"]) == (0, [{"serverUrl": "https://a.example/*"}])
    assert len(err.splitlines()) == 2


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_is_not_of_the_vendors_format_is_told_so(policy: Run, file: Callable[..., Path], vendor: str) -> None:
    path = file("{{ no\n[ such: format")
    code, out, err = policy("import", path, "--from", vendor)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    code, out, err = policy("import", path, "--from", vendor, "--json")
    assert (code, list(json.loads(out)), err) == (2, ["error"], "")


@pytest.mark.parametrize("vendor", ["", "zed", "Claude"])
def test_import_wants_to_know_whose_file_it_is(policy: Run, file: Callable[..., Path], vendor: str) -> None:
    code, out, err = policy("import", file("{}"), "--from", vendor)
    assert (code, out) == (2, "")
    assert all(name in err for name in VENDORS)


HALVES = {
    "check": r'{"deniedMcpServers": [{"serverName": "\ud800"}]}',
    "check in a rule": r'{"rules": [{"id": "\ud800", "effect": "deny", "kinds": ["tool.call"]}]}',
    "check in a name": r'{"servers": {"\ud800": {}}}',
    "import": r'{"deniedMcpServers": [{"serverName": "\ud800"}]}',
    "import of another matter": r'{"\ud800": 1}',
}


@pytest.mark.parametrize("what", HALVES)
def test_half_a_character_is_told_and_no_crash(policy: Run, file: Callable[..., Path], what: str) -> None:
    code, out, err = policy(what.split()[0], file(HALVES[what]), "--from", "claude")
    assert code in (1, 2)
    assert (out + err).isascii() or "\ud800" not in out + err


# what a terminal gets

EVIL = "evil\x1b[31m\x07\x9b2J\x7f\u202e\u200b\r"
"""A colour, a bell, two ways to clear the screen and a turn of the reading direction."""


def hidden(text: str, *categories: str) -> set[str]:
    """What a terminal might obey, and what it would not show."""
    return {one for one in text if unicodedata.category(one) in (categories or ("Cc", "Cf", "Cs")) and one != "\n"}


WAYS = {
    "a finding": ("check", [rule("allow", "elicitation.url", id=EVIL, when=SERVER)], []),
    "two names": ("check", [rule("deny", id=EVIL), rule("deny", id=EVIL)], []),
    "a member": ("check", {EVIL: 1}, []),
    "a member twice": ("check", f'{{{json.dumps(EVIL)}: 1, {json.dumps(EVIL)}: 2}}', []),
    "a rule": ("explain", [rule("deny", id=EVIL)], ["--ask", json.dumps(DELETE)]),
    "a reason": ("explain", [rule("deny", reason=EVIL)], ["--ask", json.dumps(DELETE)]),
    "a condition": ("explain", [rule("deny", when={"tool": f"{EVIL}*"})], ["--ask", json.dumps({**DELETE, "tools": [EVIL]})]),
    "a decision": ("simulate", [rule("deny", id=EVIL, reason=EVIL)], []),
    "a permission": ("import", {"permissions": {"allow": [f"mcp__{EVIL}"], "deny": [EVIL]}, EVIL: EVIL}, ["--from", "claude"]),
    "a server": ("import", {"deniedMcpServers": [{"serverName": EVIL}]}, ["--from", "claude"]),
    "a tool": ("import", {"mcpAllowlist": [f"a:{EVIL}"]}, ["--from", "cursor"]),
    "an entry": ("import", {"mcpServers": {EVIL: {"command": EVIL}}}, ["--from", "claude-mcp"]),
    "what is no TOML": ("import", f"a = 1 {EVIL}", ["--from", "codex"]),
    "what is no YAML": ("import", f"a: 'x\n {EVIL}", ["--from", "goose"]),
}  # fmt: skip


@pytest.mark.parametrize("json_wanted", [False, True], ids=["for people", "for programs"])
@pytest.mark.parametrize("way", WAYS)
async def test_nothing_of_a_file_reaches_the_terminal_as_it_is(
    policy: Run, file: Callable[..., Path], way: str, json_wanted: bool
) -> None:
    what, content, more = WAYS[way]
    await write([(facts(Kind.TOOL_CALL, ServerFacts(EVIL, (EVIL,)), EVIL), None)])
    code, out, err = policy(what, file(content), *more, *(["--json"] if json_wanted else []))
    assert out + err
    assert code in (0, 1, 2)
    assert not hidden(err)
    assert not (hidden(out, "Cc") if json_wanted or what == "import" else hidden(out))


@pytest.mark.parametrize("content", [[FINE], [rule("allow")], "{"], ids=["fine", "odd", "broken"])
@pytest.mark.parametrize("managed", [False, True])
def test_nothing_of_a_files_name_reaches_the_terminal_as_it_is(
    policy: Run, file: Callable[..., Path], content: Any, managed: bool
) -> None:
    _, out, err = policy("check", file(content, f"{EVIL}.json"), *(["--managed"] if managed else []))
    assert "evil" in out
    assert not hidden(out + err)


# the program


def program(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "desktop_host", "policy", *map(str, words)]
    environment = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=MAIN, env=environment)


@pytest.mark.parametrize(("content", "code"), [([FINE], 0), ([rule("allow")], 1), ("{", 2)])
def test_the_program_ends_with_the_code(file: Callable[..., Path], content: Any, code: int) -> None:
    done = program("check", file(content))
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout


@pytest.mark.skipif(os.getuid() != 0, reason="only administrators have files of administrators")
def test_the_program_refuses_what_anybody_may_change(file: Callable[..., Path]) -> None:
    path = file([FINE])
    assert program("check", path, "--managed").returncode == 0
    path.chmod(0o666)
    done = program("check", path, "--managed")
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("Ordinary users may change ")


def test_the_program_prints_the_same_report_each_time(file: Callable[..., Path]) -> None:
    path = file("zebra = 1\nyak = 2\nxerus = 3\nwolf = 4\nvole = 5\n")
    reports = [program("import", path, "--from", "gemini", PYTHONHASHSEED=seed).stderr for seed in ("1", "2")]
    assert reports[0] == reports[1]
    assert [line.split()[0] for line in reports[0].splitlines()] == ["/zebra", "/yak", "/xerus", "/wolf", "/vole"]


@pytest.mark.parametrize("words", [[], ["lint"], ["check", "a", "b"], ["explain", "--entry", "x"]])
def test_what_it_does_not_know_it_does_not_do(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["policy", *words])
    assert ended.value.code == 2
    assert "usage: desktop-host" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["check", "--managed", "FILE"],
        ["check", "--json", "FILE"],
        ["explain", "--ask", json.dumps(DELETE), "FILE"],
        ["simulate", "--log", "none", "FILE"],
        ["import", "--from", "claude", "FILE"],
    ],
    ids=lambda words: words[0] + words[1],
)
def test_options_may_stand_before_the_file(policy: Run, file: Callable[..., Path], words: list[str]) -> None:
    path = file("{}")
    assert policy(*(str(path) if word == "FILE" else word for word in words))[0] == 0
