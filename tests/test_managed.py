"""Administrators' files: what ordinary people could have written or nobody can read restricts, and allows nothing."""

import json
import os
import plistlib
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from desktop_host.config.files import FileProblem, decode_text, without_comments
from desktop_host.config.settings import Settings
from desktop_host.policy.caps import Caps
from desktop_host.policy.conditions import url_matches
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.keeping import Keeping
from desktop_host.policy.lint import lint_policy
from desktop_host.policy.managed import managed_places, read_managed, read_managed_file, read_preferences
from desktop_host.policy.policies import Policies
from desktop_host.policy.reading import read_policy, read_rule
from desktop_host.policy.rules import Kind, Rule
from desktop_host.terms.asks import Effect, Layer
from desktop_host.terms.messages import say
from tests.support.rule_strategies import LOCAL, NOON, REMOTE

ROOT = Path(__file__).parent.parent
FILES = ROOT / "tests" / "cases" / "policy" / "managed"
CASES: list[dict[str, Any]] = json.loads(FILES.with_suffix(".json").read_text(encoding="utf-8"))["cases"]
ALLOW, ASK, DENY = Effect
FOLDERS, LINK, CALL = (Facts(kind, LOCAL, at=NOON) for kind in (Kind.ROOTS, Kind.LINK, Kind.TOOL_CALL))
COMMAND = {"serverCommand": list(LOCAL.command)}
HTTPS = {"serverUrl": "https://mcp.corp.example/*"}
POLICY: dict[str, Any] = {
    "version": 1,
    "caps": {"maxTokens": 100},
    "keep": {"drafts": False},
    "deniedMcpServers": [{"serverName": "evil"}],
    "rules": [
        {"id": "folders", "effect": "allow", "kinds": ["roots.list"]},
        {"id": "no-links", "effect": "deny", "kinds": ["elicitation.url"]},
    ],
    "servers": {"desk": {"command": "uvx", "args": ["desk"]}},
}
needs_root = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a file to somebody else"
)
needs_modes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


def rule(effect: str = "allow", kinds: str = "tool.call", id: str = "mine", **more: Any) -> Rule:
    return read_rule({"id": id, "effect": effect, "kinds": kinds.split(), **more})


def as_text(content: object) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def lay(folder: Path, content: object, name: str = "policy.json") -> Path:
    """As an administrator does it: nobody else may write there."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_text(content), encoding="utf-8")
    for one in (path, path.parent, folder):
        one.chmod(0o644 if one is path else 0o755)
    return path


def place_of(tmp_path: Path) -> Path:
    folder = tmp_path / "managed"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    return folder


def policies(tmp_path: Path, *rules: dict[str, Any] | str) -> Policies:
    """With what lies in the place, and rules of the person's, or their file's text."""
    own = tmp_path / "rules.json"
    if rules:
        text = rules[0] if isinstance(rules[0], str) else as_text({"version": 1, "rules": rules})
        own.write_text(text, encoding="utf-8")
    return Policies(own, [place_of(tmp_path)])


MINE: dict[str, Any] = {"id": "mine", "effect": "allow", "kinds": ["tool.call"]}


# What is written


def test_every_file_is_in_the_table() -> None:
    assert sorted(path.name for path in FILES.iterdir()) == sorted(case["file"] for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"].removesuffix(".json"))
@pytest.mark.parametrize("name", ["policy.json", "policy.d/10.json"])
def test_a_file_holds_as_it_can_be_read(tmp_path: Path, name: str, case: dict[str, Any]) -> None:
    path = lay(place_of(tmp_path), "", name)
    path.write_bytes((FILES / case["file"]).read_bytes())
    found = read_managed_file(path)
    assert found is not None
    assert (found.doubt.key if found.doubt else None) == case["doubt"]
    assert bool(found.problems) == (case["doubt"] == "managed.invalid")
    if case["at"] is not None:
        line, column, pointer = case["at"]
        where = {"line": line, "column": column, "pointer": pointer, "file": str(path)}
        assert found.doubt == say("managed.invalid", **where)
    if case["rules"] is not None:
        assert [one.id for one in found.file.rules] == case["rules"]
        assert found.file.user_allow_rules == case["userAllowRules"]
    held = policies(tmp_path, MINE)
    sure = case["doubt"] is None
    assert (held.decide(FOLDERS).effect is ALLOW) == (sure and "folders" in (case["rules"] or []))
    assert (held.decide(CALL).effect is ALLOW) == (sure and case["userAllowRules"])
    assert held.state().restricted == found.doubt
    if case["rules"] is not None:
        assert held.decide(LINK).effect is (DENY if "no-links" in case["rules"] else ASK)
        assert (held.blocked(LOCAL) is None) == case["anyServer"]


def test_bytes_that_are_no_text_allow_nothing(tmp_path: Path) -> None:
    path = lay(place_of(tmp_path), POLICY)
    path.write_bytes(path.read_bytes().replace(b"evil", b"\xff\xfe\xfd"))
    found = read_managed_file(path)
    assert found is not None
    assert found.doubt == say("managed.unreadable", file=str(path), what="UTF-8")
    assert policies(tmp_path, MINE).decide(CALL).effect is ASK


def test_where_there_is_no_file_nothing_is_in_doubt(tmp_path: Path) -> None:
    assert read_managed([tmp_path, tmp_path / "missing", lay(tmp_path, {}, "a.json")]) == ()
    assert read_managed_file(tmp_path / "policy.json") is None
    held = policies(tmp_path, MINE)
    assert held.state().restricted is None
    assert held.decide(CALL).effect is ALLOW
    assert (held.caps, held.keeping) == (Caps(), Keeping())


def test_only_files_of_json_are_read(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    for name in (
        "policy.d/b.json",
        "policy.d/a.json",
        "policy.d/a.json.bak",
        "policy.d/readme",
        "other.json",
        "policy.json",
    ):
        lay(place, {}, name)
    names = [Path(one.source).relative_to(place).as_posix() for one in read_managed([place])]
    assert names == ["policy.json", "policy.d/a.json", "policy.d/b.json"]


# Who may have written it


SOMEBODY = 65534


def chmod(mode: int, *which: str) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        for name in which:
            (place / name).chmod(mode)

    return change


def give(*which: str) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        for name in which:
            os.chown(place / name, SOMEBODY, -1)

    return change


def link(name: str) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        (place / name).rename(place.parent / "elsewhere")
        (place / name).symlink_to(place.parent / "elsewhere")

    return change


CHANGES = [
    pytest.param("policy.json", chmod(0o646, "policy.json"), "managed.writable", id="anybody may write it"),
    pytest.param("policy.json", chmod(0o664, "policy.json"), "managed.writable", id="a group may write it"),
    pytest.param("policy.json", chmod(0o777, "."), "managed.writable", id="anybody may write its folder"),
    pytest.param("policy.json", chmod(0o1777, "."), "managed.writable", id="anybody may add to its folder"),
    pytest.param("policy.json", chmod(0o775, "."), "managed.writable", id="a group may write its folder"),
    pytest.param("policy.d/a.json", chmod(0o646, "policy.d/a.json"), "managed.writable", id="anybody may write a part"),
    pytest.param("policy.d/a.json", chmod(0o757, "policy.d"), "managed.writable", id="anybody may write policy.d"),
    pytest.param("policy.d/a.json", chmod(0o757, "."), "managed.writable", id="anybody may replace policy.d"),
    pytest.param("policy.json", link("policy.json"), "managed.not_a_file", id="a link"),
    pytest.param("policy.d/a.json", link("policy.d/a.json"), "managed.not_a_file", id="a part is a link"),
    pytest.param("policy.d/a.json", link("policy.d"), "managed.not_a_file", id="policy.d is a link"),
    pytest.param("policy.json", link("."), "managed.not_a_file", id="its folder is a link"),
    pytest.param("policy.json", give("policy.json"), "managed.not_owned", id="somebody else's", marks=needs_root),
    pytest.param("policy.json", give("."), "managed.not_owned", id="in somebody else's folder", marks=needs_root),
    pytest.param(
        "policy.d/a.json", give("policy.d"), "managed.not_owned", id="somebody else's policy.d", marks=needs_root
    ),
    pytest.param("policy.d/a.json", give("."), "managed.not_owned", id="policy.d in somebody else's", marks=needs_root),
]


@needs_modes
@pytest.mark.parametrize(("name", "change", "doubt"), CHANGES)
def test_what_others_could_have_written_restricts_and_allows_nothing(
    tmp_path: Path, name: str, change: Callable[[Path], None], doubt: str
) -> None:
    place = place_of(tmp_path)
    lay(place, POLICY, name)
    before = policies(tmp_path, MINE)
    assert [before.decide(one).effect for one in (FOLDERS, CALL, LINK)] == [ALLOW, ALLOW, DENY]
    assert list(before.offered().entries) == ["desk"]
    change(place)
    held = Policies(tmp_path / "rules.json", [place])
    restricted = held.state().restricted
    assert restricted is not None, "a banner says why"
    assert restricted.key == doubt
    assert [one.doubt for one in held.state().managed] == [restricted]
    assert [held.decide(one).effect for one in (FOLDERS, CALL)] == [ASK, ASK]
    assert held.decide(CALL).reasons == (say("decision.no_rule"), restricted)
    assert held.offered().entries == {}
    assert held.decide(LINK).effect is DENY, "what it denies is denied"
    assert held.blocked(ServerFacts("evil")) == say("server.denied", file=str(place / name))
    assert (held.caps, held.keeping.drafts) == (Caps(100), False)


@needs_modes
def test_a_link_to_nothing_and_a_folder_allow_nothing(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    (place / "policy.json").symlink_to(tmp_path / "missing")
    assert policies(tmp_path, MINE).decide(CALL).effect is ASK
    (place / "policy.json").unlink()
    (place / "policy.json").mkdir(mode=0o755)
    assert policies(tmp_path, MINE).decide(CALL).effect is ASK


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(place_of(tmp_path) / "policy.json")
    assert policies(tmp_path, MINE).decide(CALL).reasons[1].key == "managed.not_a_file"


@needs_modes
def test_one_file_in_doubt_switches_the_allowances_of_all_others_off(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    lay(place, {"rules": [{"id": "folders", "effect": "allow", "kinds": ["roots.list"]}]})
    assert policies(tmp_path, MINE).decide(FOLDERS).effect is ALLOW
    lay(place, {}, "policy.d/a.json").chmod(0o666)
    held = policies(tmp_path, MINE)
    assert [held.decide(one).effect for one in (FOLDERS, CALL)] == [ASK, ASK]


@pytest.mark.skipif(sys.platform != "linux", reason="the place is Linux's")
@needs_root
def test_the_real_place_is_read_by_an_ordinary_user() -> None:
    [place] = managed_places()
    assert place == Path("/etc/desktop-host")
    try:
        place.mkdir(mode=0o755)
    except FileExistsError:
        pytest.skip(f"{place} is there already")
    except OSError as error:
        pytest.skip(f"{place} cannot be made here: {error.strerror}")
    try:
        script = textwrap.dedent(AS_NOBODY)
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
        )
    finally:
        shutil.rmtree(place)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        ["laid down", None, "allow", "deny"],
        ["nobody's", "managed.not_owned", "ask", "deny"],
        ["anybody's", "managed.writable", "ask", "deny"],
        ["not readable", "managed.unreadable", "ask", "ask"],
        ["a closed folder", "managed.unreadable", "ask", "ask"],
    ]


AS_NOBODY = """
    import json, os
    from pathlib import Path
    from desktop_host.policy.facts import Facts, ServerFacts
    from desktop_host.policy.policies import Policies
    from desktop_host.policy.reading import read_policy
    from desktop_host.policy.rules import Kind

    SERVER = ServerFacts("", ("a-command-that-only-this-test-has",))
    WHEN = {"server": {"serverCommand": list(SERVER.command)}}
    POLICY = json.dumps({"rules": [
        {"id": "a", "effect": "allow", "kinds": ["roots.list"], "when": WHEN},
        {"id": "d", "effect": "deny", "kinds": ["elicitation.url"], "when": WHEN},
    ]})
    read_policy(POLICY, "")  # whatever that loads is loaded now
    place = Path("/etc/desktop-host")
    path = place / "policy.json"

    def tell(what):
        if (child := os.fork()) == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            held = Policies(Path("/nonexistent/rules.json"))
            doubt = held.state().restricted
            effects = [held.decide(Facts(kind, SERVER)).effect.value for kind in (Kind.ROOTS, Kind.LINK)]
            print(json.dumps([what, doubt and doubt.key, *effects]), flush=True)
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0

    path.write_text(POLICY)
    path.chmod(0o644)
    place.chmod(0o755)
    tell("laid down")
    os.chown(path, 65534, -1)
    tell("nobody's")
    os.chown(path, 0, -1)
    path.chmod(0o666)
    tell("anybody's")
    path.chmod(0o600)
    tell("not readable")
    path.chmod(0o644)
    place.chmod(0o700)
    tell("a closed folder")
"""


def test_preferences_of_device_management_are_a_policy_too(tmp_path: Path) -> None:
    path = tmp_path / "org.plist"
    assert list(read_preferences(path)) == []
    for policy in (POLICY, json.dumps(POLICY)):
        path.write_bytes(plistlib.dumps({"Policy": policy}))
        [found] = read_preferences(path)
        assert (found.doubt, [one.id for one in found.file.rules]) == (None, ["folders", "no-links"])
    path.write_bytes(plistlib.dumps({"Other": 1}))
    assert list(read_preferences(path)) == []
    for broken in (b"", b"<plist>", plistlib.dumps({"Policy": "{"}), plistlib.dumps({"Policy": [1]})):
        path.write_bytes(broken)
        assert [one.doubt is None for one in read_preferences(path)] == [False]


# Several files


def laid(tmp_path: Path, *files: object) -> Policies:
    for number, content in enumerate(files):
        lay(place_of(tmp_path), content, f"policy.d/{number}.json" if number else "policy.json")
    return policies(tmp_path)


def test_denies_of_several_files_unite(tmp_path: Path) -> None:
    held = laid(tmp_path, *({"deniedMcpServers": [one]} for one in (COMMAND, HTTPS, {"serverName": "Evil"})))
    blocked = [held.blocked(one) for one in (LOCAL, REMOTE, ServerFacts("evil", ("x",)), ServerFacts("good", ("x",)))]
    place = place_of(tmp_path)
    assert blocked == [
        *(
            say("server.denied", file=str(place / name))
            for name in ("policy.json", "policy.d/1.json", "policy.d/2.json")
        ),
        None,
    ]


@pytest.mark.parametrize(
    ("lists", "allowed"),
    [
        ([], ["files", "desk"]),
        ([[COMMAND]], ["files"]),
        ([[COMMAND, HTTPS]], ["files", "desk"]),
        ([[COMMAND, HTTPS], [HTTPS]], ["desk"]),
        ([[COMMAND], [HTTPS]], []),
        ([[]], []),
        ([[COMMAND, HTTPS], []], []),
        ([[{"serverName": "files"}, HTTPS]], ["desk"]),
        ([[{**COMMAND, "serverName": "other"}]], []),
        ([[{"fingerprint": "f2"}]], ["desk"]),
    ],
)
def test_a_server_must_be_in_all_lists_of_allowed_ones(tmp_path: Path, lists: list[Any], allowed: list[str]) -> None:
    held = laid(tmp_path, {"rules": []}, *({"allowedMcpServers": one} for one in lists))
    assert [one.name for one in (LOCAL, REMOTE) if held.blocked(one) is None] == allowed


def test_a_server_that_is_allowed_and_denied_is_denied(tmp_path: Path) -> None:
    held = laid(tmp_path, {"allowedMcpServers": [COMMAND], "deniedMcpServers": [COMMAND]})
    assert held.blocked(LOCAL) == say("server.denied", file=str(place_of(tmp_path) / "policy.json"))


@pytest.mark.parametrize("broken", ["http://[::1/*", "https://[ab].corp.example/*"])
@pytest.mark.parametrize("name", ["deniedMcpServers", "allowedMcpServers"])
def test_an_address_that_is_none_is_no_reason_to_fail(tmp_path: Path, name: str, broken: str) -> None:
    held = laid(tmp_path, {name: [{"serverUrl": broken}]})
    assert (held.blocked(REMOTE) is None) == (name == "deniedMcpServers")


def test_the_smallest_cap_of_several_files_holds_and_one_no_is_a_no(tmp_path: Path) -> None:
    held = laid(
        tmp_path,
        {"caps": {"maxTokens": 500, "waitingPerServer": 3}, "keep": {"values": False}},
        {"caps": {"maxTokens": 100, "costPerDayPerServer": 0.5}},
        {"caps": {"waitingPerServer": 9}, "keep": {"values": True, "drafts": False}},
    )
    assert held.caps == Caps(100, waiting_per_server=3, cost_per_day_per_server=0.5)
    assert held.keeping == Keeping(drafts=False, values=False)


def test_the_strictest_rule_of_several_files_holds_whatever_they_are_called(tmp_path: Path) -> None:
    one, other = ({"rules": [{**MINE, "effect": effect}]} for effect in ("allow", "deny"))
    assert laid(tmp_path, one, other).decide(CALL).effect is DENY
    assert laid(tmp_path, other, one).decide(CALL).effect is DENY
    assert laid(tmp_path, one, one).decide(CALL).effect is ALLOW


def test_a_decision_names_the_file_and_the_place_in_it(tmp_path: Path) -> None:
    held = laid(tmp_path, {}, POLICY)
    [step] = [one for one in held.decide(LINK).steps if one.layer is Layer.MANAGED]
    assert (step.source, step.pointer) == (str(place_of(tmp_path) / "policy.d/1.json"), "/rules/1")


def test_an_administrator_can_keep_the_person_from_allowing_anything(tmp_path: Path) -> None:
    laid(tmp_path, {"userAllowRules": False, "rules": POLICY["rules"]}, {"userAllowRules": True})
    held = policies(tmp_path, MINE, {"id": "no-folders", "effect": "deny", "kinds": ["roots.list"]})
    off = say("why.user_rules_off")
    assert held.decide(CALL).reasons == (say("decision.no_rule"), off)
    assert held.state().user_allows_off == off
    assert held.decide(FOLDERS).effect is DENY, "their denies still count"
    assert policies(tmp_path, MINE).decide(FOLDERS).effect is ALLOW, "and so does what the administrator allows"


def test_servers_are_offered_by_undoubted_files_and_the_first_of_a_name_counts(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    lay(place, {"servers": {"a": {"command": "one"}, "broken": {"command": 5}}})
    lay(place, {"servers": {"a": {"command": "two"}, "b": {"url": "https://b.example/mcp"}}}, "policy.d/1.json")
    doubted = lay(place, {"servers": {"c": {"command": "three"}}}, "policy.d/2.json")
    found = policies(tmp_path).offered()
    assert {name: one.command or one.url for name, one in found.entries.items()} == {
        "a": "one",
        "b": "https://b.example/mcp",
        "c": "three",
    }
    assert len(found.problems) == 1
    if sys.platform != "win32":
        doubted.chmod(0o666)
        assert set(policies(tmp_path).offered().entries) == {"a", "b"}
    lay(place, {"servers": {"a": {"command": "one"}}, "unknown": 1})
    assert policies(tmp_path).offered().entries["a"].command == "two"


# Changes


def test_changed_files_are_noticed(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    held = policies(tmp_path, MINE)
    assert not held.refresh()
    assert held.decide(LINK).effect is ASK

    path = lay(place, POLICY)
    assert (held.refresh(), held.refresh()) == (True, False)
    assert (held.decide(LINK).effect, held.caps) == (DENY, Caps(100))
    assert held.blocked(ServerFacts("evil")) is not None

    part = lay(place, {"caps": {"maxTokens": 7}}, "policy.d/a.json")
    assert (held.refresh(), held.caps) == (True, Caps(7))
    part.unlink()
    assert (held.refresh(), held.caps) == (True, Caps(100))

    if sys.platform != "win32":
        path.chmod(0o666)
        assert (held.refresh(), held.decide(CALL).effect) == (True, ASK)
        path.chmod(0o644)
        assert (held.refresh(), held.decide(CALL).effect) == (True, ALLOW)

    path.unlink()
    assert (held.refresh(), held.decide(LINK).effect, held.caps) == (True, ASK, Caps())

    (tmp_path / "rules.json").write_text(as_text({"rules": [{**MINE, "effect": "deny"}]}), encoding="utf-8")
    assert (held.refresh(), held.decide(CALL).effect) == (True, DENY)
    (tmp_path / "rules.json").unlink()
    assert (held.refresh(), held.decide(CALL).effect) == (True, ASK)


def test_the_persons_rules_are_added_changed_and_taken_away(tmp_path: Path) -> None:
    held = policies(tmp_path)
    held.put(rule())
    assert held.decide(CALL).effect is ALLOW
    held.put(rule("deny", "roots.list", "other"))
    held.put(rule("ask"))
    assert [(one.rule.id, one.rule.effect, one.pointer) for one in held.book.rules] == [
        ("mine", ASK, "/rules/0"),
        ("other", DENY, "/rules/1"),
    ]
    assert [one.rule for one in Policies(tmp_path / "rules.json", []).book.rules] == [
        one.rule for one in held.book.rules
    ]
    held.remove("mine")
    held.remove("there is none")
    assert [one.rule.id for one in held.book.rules] == ["other"]


def test_a_rule_for_now_holds_until_the_program_ends(tmp_path: Path) -> None:
    held = policies(tmp_path)
    held.put_for_session(rule())
    held.put_for_session(rule("deny", "roots.list", "other"))
    assert [held.decide(one).effect for one in (CALL, FOLDERS)] == [ALLOW, DENY]
    assert not (tmp_path / "rules.json").exists()
    held.put_for_session(rule("deny"))
    assert held.decide(CALL).effect is DENY
    held.remove("mine")
    assert [one.rule.id for one in held.book.rules] == ["other"]
    assert policies(tmp_path).book.rules == ()


def test_a_rule_for_now_outlives_changes_of_files(tmp_path: Path) -> None:
    held = policies(tmp_path)
    held.put_for_session(rule("deny"))
    lay(place_of(tmp_path), POLICY)
    held.refresh()
    held.put(rule(id="other"))
    assert held.decide(CALL).effect is DENY


def test_whoever_wants_to_be_asked_about_everything_is(tmp_path: Path) -> None:
    lay(place_of(tmp_path), POLICY)
    held = policies(tmp_path, MINE)
    held.suspend(True)
    assert [held.decide(one).effect for one in (FOLDERS, CALL, LINK)] == [ASK, ASK, DENY]
    assert (held.state().suspended, held.state().restricted) == (True, say("why.suspended"))
    held.put(rule(id="another"))
    assert held.decide(CALL).effect is ASK, "until they say otherwise"
    held.suspend(False)
    assert [held.decide(one).effect for one in (FOLDERS, CALL, LINK)] == [ALLOW, ALLOW, DENY]


@pytest.mark.parametrize(
    "change",
    [
        lambda held: (held.suspend(True), held.suspend(False)),
        lambda held: held.put(rule("ask", "roots.list", "other")),
        lambda held: held.put_for_session(rule("ask", "roots.list", "other")),
        lambda held: held.remove("other"),
    ],
    ids=["to be asked and back", "a rule", "a rule for now", "one rule less"],
)
def test_no_change_of_the_persons_gives_back_what_was_used_up(
    tmp_path: Path, change: Callable[[Policies], object]
) -> None:
    limited = {**MINE, "rate": {"count": 1, "perSeconds": 60}}
    lay(place_of(tmp_path), {"rules": [limited]})
    held = policies(tmp_path, {"id": "other", "effect": "ask", "kinds": ["server.connect"]})
    assert [held.decide(CALL).effect for _ in range(2)] == [ALLOW, ASK]
    change(held)
    assert held.decide(CALL).effect is ASK


# The person's file


BROKEN_DENY = {"id": "bad", "effect": "deny", "kinds": ["no.such"]}
BROKEN_ALLOW = {"id": "bad", "effect": "allow", "kinds": ["no.such"]}


@pytest.mark.parametrize(
    ("rules", "effect"),
    [
        ((MINE,), ALLOW),
        ((MINE, BROKEN_ALLOW), ALLOW),
        ((MINE, BROKEN_DENY), ASK),
        ((MINE, {"id": "bad"}), ASK),
        ((MINE, 5), ASK),
        ((MINE, {**MINE, "effect": "ask"}), ASK),
        (("{",), ASK),
        ((as_text({"version": 2, "rules": [MINE]}),), ASK),
        ((as_text({"rules": [MINE], "more": 1}),), ASK),
    ],
)
def test_a_mistake_in_the_persons_file_never_widens_anything(tmp_path: Path, rules: Any, effect: Effect) -> None:
    lay(place_of(tmp_path), {"rules": POLICY["rules"]})
    held = policies(tmp_path, *rules)
    assert held.decide(CALL).effect is effect
    assert held.decide(FOLDERS).effect is ALLOW, "an administrator's rules are none of it"
    assert held.state().restricted is None


def test_mistakes_are_told_with_their_place(tmp_path: Path) -> None:
    held = policies(tmp_path, '{\n "rules": [\n  {"id": "a", "effect": "allowed", "kinds": ["roots.list"]}]}')
    file = str(tmp_path / "rules.json")
    assert held.state().problems == (say("policy.problem", file=file, line=3, column=25, what="/rules/0/effect"),)
    assert held.state().user_allows_off == say("why.user_rules_broken", file=file)


NO_LINKS = {"id": "no-links", "effect": "deny", "kinds": ["elicitation.url"]}


@pytest.mark.parametrize(
    "broken",
    [
        "{",
        b"\xff\xff",
        as_text({"version": 2, "rules": []}),
        as_text({"rules": [{**NO_LINKS, "effect": "denied"}]}),
        as_text({"rules": [MINE, {**NO_LINKS, "effect": "denied"}]}),
    ],
    ids=["not JSON", "no text", "another version", "its rule is broken", "its rule is broken among others"],
)
def test_what_the_person_denied_stays_denied_while_their_file_is_broken(tmp_path: Path, broken: str | bytes) -> None:
    held = policies(tmp_path, NO_LINKS, MINE)
    assert [held.decide(one).effect for one in (LINK, CALL)] == [DENY, ALLOW]
    path = tmp_path / "rules.json"
    path.write_bytes(broken if isinstance(broken, bytes) else broken.encode())
    held.refresh()
    assert [held.decide(one).effect for one in (LINK, CALL)] == [DENY, ASK]
    path.write_text(as_text({"rules": [MINE]}), encoding="utf-8")
    held.refresh()
    assert [held.decide(one).effect for one in (LINK, CALL)] == [ASK, ALLOW], "what they took out is gone"


@pytest.mark.parametrize(
    "text", ["{", as_text({"rules": [MINE, BROKEN_DENY]}), as_text({"rules": [MINE, BROKEN_ALLOW]})]
)
def test_a_file_with_mistakes_is_not_written_over(tmp_path: Path, text: str) -> None:
    held = policies(tmp_path, text)
    for change in (lambda: held.put(rule(id="new")), lambda: held.remove("mine")):
        with pytest.raises(FileProblem) as problem:
            change()
        assert problem.value.message.key == "rules.mend_first"
    assert (tmp_path / "rules.json").read_text(encoding="utf-8") == text


def test_two_rules_of_the_persons_with_one_id_both_hold_and_can_be_mended(tmp_path: Path) -> None:
    held = policies(tmp_path, MINE, {**MINE, "effect": "deny", "kinds": ["roots.list"]})
    assert [held.decide(one).effect for one in (CALL, FOLDERS)] == [ALLOW, DENY]
    assert len(held.state().problems) == 1
    held.remove("mine")
    assert held.state().problems == held.book.rules == ()


# Any change of a file


SCHEMA = Draft202012Validator(
    json.loads((ROOT / "resources" / "schemas" / "policy.schema.json").read_text(encoding="utf-8"))
)
TEXT = json.dumps({**POLICY, "allowedMcpServers": [COMMAND, HTTPS], "userAllowRules": True, "servers": {}}, indent=1)
JUNK = st.sampled_from([None, True, 0, -1, 1.5, "", "allow", "*", [], {}, ["x"], {"id": "x"}, "roots.list"])


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A policy that allows folders, after some accident."""
    data = TEXT.encode()
    match draw(st.integers(0, 3)):
        case 0:
            return data[: draw(st.integers(0, len(data) - 1))]
        case 1:
            at, length = draw(st.integers(0, len(data) - 1)), draw(st.integers(0, 30))
            return (
                data[:at]
                + draw(st.sampled_from([b"", b'"', b"}", b"]", b",", b"\xff", b"//", b"1"]))
                + data[at + length :]
            )
        case 2:
            at = draw(st.integers(0, len(data) - 1))
            return data[:at] + bytes([data[at] ^ (1 << draw(st.integers(0, 7)))]) + data[at + 1 :]
        case _:
            content = json.loads(TEXT)
            parent, key = draw(st.sampled_from(list(_places(content))))
            if isinstance(parent, dict) and draw(st.booleans()):
                parent[key + "s"] = parent.pop(key)
            else:
                parent[key] = draw(JUNK)
            return json.dumps(content).encode()


def _places(content: Any) -> list[tuple[Any, Any]]:
    keys = (
        list(content) if isinstance(content, dict) else list(range(len(content))) if isinstance(content, list) else []
    )
    return [pair for key in keys for pair in ((content, key), *_places(content[key]))]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damaged())
def test_a_file_that_is_not_valid_any_more_never_allows(tmp_path: Path, data: bytes) -> None:
    path = lay(place_of(tmp_path), "")
    path.write_bytes(data)
    held = policies(tmp_path, MINE)
    effects = [held.decide(Facts(kind, LOCAL, at=NOON)).effect for kind in Kind]
    valid = is_valid(data)
    assert valid or ALLOW not in effects
    assert valid or held.state().restricted is not None


def test_without_any_damage_that_file_allows(tmp_path: Path) -> None:
    assert is_valid(TEXT.encode())
    lay(place_of(tmp_path), TEXT)
    assert [policies(tmp_path, MINE).decide(one).effect for one in (FOLDERS, CALL)] == [ALLOW, ALLOW]


def is_valid(data: bytes) -> bool:
    """By the published schema; a name stands once in its object, and an id once in the file."""
    try:
        content = json.loads(without_comments(decode_text(data)), object_pairs_hook=_once)
    except ValueError:
        return False
    if not SCHEMA.is_valid(content):
        return False
    ids = [one["id"] for one in content.get("rules", [])]
    return len(ids) == len(set(ids))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError
    return dict(pairs)


@needs_modes
def test_a_folder_that_everybody_may_write_to_is_noticed_while_the_program_runs(tmp_path: Path) -> None:
    place = place_of(tmp_path)
    lay(place / "policy.d", {"version": 1, "rules": []}, "a.json")
    place.chmod(0o755)
    held = Policies(tmp_path / "rules.json", places=[place])
    assert held.book.restricted is None
    (place / "policy.d").chmod(0o777)
    assert held.refresh()
    assert held.book.restricted is not None


def test_explaining_knows_the_lists_of_servers_and_the_settings(tmp_path: Path, folders: Path) -> None:
    held = laid(tmp_path, {"deniedMcpServers": [{"serverName": "evil"}]})
    decision = held.explain(Facts(Kind.CONNECT, ServerFacts("evil", known=True)))
    assert (decision.effect, decision.reasons[0].key, decision.steps[0].rule) == (DENY, "server.denied", "servers")
    person = Settings(folders / "settings.json")
    person.change({"rules.suspended": "yes"})
    held.follow(person)
    assert held.state().suspended


@pytest.mark.parametrize(
    ("pattern", "url", "fits"),
    [
        ("https://h/admin*", "https://h/%61dmin/x", True),
        ("https://h/admin*", "https://h/%41dmin", False),
        ("https://h/a%2fb", "https://h/a%2Fb", True),
        ("https://h/a/b", "https://h/a%2Fb", False),
        ("https://h/%7Eme/*", "https://h/~me/x", True),
    ],
)
def test_an_address_is_the_same_however_its_letters_are_written(pattern: str, url: str, fits: bool) -> None:
    assert url_matches(pattern, url) is fits


def test_what_administrators_decided_of_the_settings_is_known_with_its_file(tmp_path: Path) -> None:
    held = laid(tmp_path, {"userAllowRules": False, "keep": {"values": False, "drafts": False}})
    file = str(place_of(tmp_path) / "policy.json")
    names = {"record.values", "keep.drafts", "rules.allow_sampling", "rules.allow_roots", "rules.allow_tools"}
    assert held.locks() == dict.fromkeys(names, file)
    assert laid(tmp_path, {"rules": []}).locks() == {}


def test_a_rule_that_an_administrators_decides_before_is_odd(tmp_path: Path) -> None:
    held = laid(tmp_path, {"rules": [{"id": "none", "effect": "deny", "kinds": ["roots.list"]}]})
    held.put(rule("allow", "roots.list"))
    held.put(rule("allow", "tool.call", id="fine", when={"tool": "x"}))
    oddities = held.state().oddities
    assert [one.key for one in oddities[Layer.USER, "mine"]] == ["lint.allow_all", "lint.shadowed"]
    assert (Layer.USER, "fine") not in oddities


def test_a_server_that_is_allowed_by_a_floating_version_is_odd() -> None:
    match = {"serverCommand": ["npx", "pkg"]}
    body = {
        "allowedMcpServers": [match],
        "rules": [{"id": "x", "effect": "allow", "kinds": ["roots.list"], "when": {"server": match}}],
    }
    found = lint_policy(read_policy(json.dumps({"version": 1, **body}), "p").file, NOON)
    assert [(one.pointer, one.message.key) for one in found] == [
        ("/rules/0", "lint.floating"),
        ("/allowedMcpServers/0", "lint.floating"),
    ]
