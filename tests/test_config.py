"""The person's files: read tolerantly, edited in place, never lost; secrets in the keyring and nowhere else."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_host.config.approvals import Approvals
from desktop_host.config.files import FileProblem, parse_json, read_json, without_comments, write_atomic
from desktop_host.config.jsonc import locate
from desktop_host.config.secrets import get_secret, set_secret
from desktop_host.config.servers_file import (
    ServerEntry,
    Unresolved,
    add_server,
    parse_servers,
    read_servers,
    remove_server,
    resolve,
)
from desktop_host.config.settings import SETTINGS, Settings
from desktop_host.host import Host
from desktop_host.terms.state import ServerStatus
from desktop_host.ui.messages import english
from tests.support.person import ScriptedPerson

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases" / "config.json").read_text(encoding="utf-8"))["cases"]
}
REPOSITORY = Path(__file__).parent.parent


def no_secret(name: str) -> str | None:
    return None


# Reading


@pytest.mark.parametrize(
    "case", [case for case in CASES.values() if "servers" in case["expect"]], ids=lambda c: c["id"]
)
def test_published_cases_give_their_servers(case: dict[str, Any]) -> None:
    found = parse_servers(case["text"], "servers.json")
    assert list(found.entries) == case["expect"]["servers"]
    assert len(found.problems) == len(case["expect"].get("errors", []))


def test_inputs_of_vs_code_are_secrets_and_its_folder_is_the_first_root() -> None:
    entry = parse_servers(CASES["C02"]["text"], "mcp.json").entries["s"]
    asked: list[str] = []
    resolved = resolve(entry, lambda name: asked.append(name) or "hidden", "/home/me/project")
    assert asked == CASES["C02"]["expect"]["secrets"]
    assert resolved.env == {"KEY": "hidden", "DIR": "/home/me/project"}


def test_an_unresolved_variable_never_reaches_a_process() -> None:
    entries = parse_servers(CASES["C04"]["text"], "servers.json").entries
    with pytest.raises(Unresolved) as missing:
        resolve(entries["a"], no_secret, None)
    assert missing.value.name == "TOKEN_THAT_IS_NOT_SET"
    assert resolve(entries["b"], no_secret, None).env == {"T": "fallback"}


@pytest.mark.parametrize(
    ("body", "key", "at"),
    [
        ('{"command": 5}', "bad.command", "5"),
        ('{"command": "x", "args": "y"}', "bad.args", '"y"'),
        ('{"command": "x", "args": ["a", 1]}', "bad.args.1", "1]"),
        ('{"command": "x", "env": {"A": "1", "B": [2]}}', "bad.env.B", "[2]"),
        ('{"command": "x", "env": {"A": true}}', "bad.env.A", "true"),
        ('{"url": "https://h.example", "headers": []}', "bad.headers", "[]"),
        ('{"command": "x", "desktopHost": {"era": "future"}}', "bad.desktopHost.era", '"future"'),
        ('{"command": "x", "desktopHost": {"timeout": 0}}', "bad.desktopHost.timeout", "0"),
        ('{"command": "x", "desktopHost": {"autoStart": "no"}}', "bad.desktopHost.autoStart", '"no"'),
        ('{"command": "x", "url": "https://h.example"}', "bad", "{"),
        ("{}", "bad", "{}"),
        ("null", "bad", "null"),
    ],
)
@pytest.mark.parametrize("before", ["", "\ufeff// a comment, and a byte order mark\n"])
def test_one_bad_entry_is_named_by_its_place_and_costs_no_other(before: str, body: str, key: str, at: str) -> None:
    text = before + '{ /* two\nlines */ "mcpServers": {\n  "good": {"command": "x",},\n\t"bad": ' + body + ",\n}}"
    found = parse_servers(text, "servers.json")
    assert list(found.entries) == ["good"]
    (problem,) = found.problems
    assert (problem.key, problem.mapping["key"]) == ("servers.bad_entry", key)
    line, column = int(problem.mapping["line"]), int(problem.mapping["column"])
    assert text.split("\n")[line - 1][column - 1 :].startswith(at)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("{", 1, 2),
        ('{\n  "a" 1\n}', 2, 7),
        ('/* one\ntwo */ {"a": tru}', 2, 14),
        ('{"a": 1}\n// fine\n}', 3, 1),
        ('{"a": "no end\n"}', 1, 14),
    ],
)
def test_what_is_no_json_is_said_with_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(FileProblem) as problem:
        parse_json(text, "some.json")
    message = problem.value.message
    assert (message.key, message.mapping["file"]) == ("file.not_json", "some.json")
    assert (message.mapping["line"], message.mapping["column"]) == (line, column)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"[]", "file.not_object"),
        (b'{"mcpServers": []}', "servers.not_object"),
        (b'{"mcpServers": {}', "file.not_json"),
        (b'{"a": "\xff"}', "file.unreadable"),
    ],
)
def test_a_file_that_is_no_servers_file_is_said_so(folders: Path, content: bytes, key: str) -> None:
    path = folders / "servers.json"
    path.write_bytes(content)
    with pytest.raises(FileProblem) as problem:
        read_servers(path)
    assert problem.value.message.key == key
    assert str(path) in english(problem.value.message)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
@settings(max_examples=150, deadline=None)
def test_plain_json_has_no_comments(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    assert without_comments(text) == text.removeprefix("\ufeff")
    assert parse_json(f"// one\n/* two */{text}// three", "f") == value


# Places


@pytest.mark.parametrize("where", ["command", "args", "env", "cwd", "url", "headers"])
@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("a ${WORD} b", "a said b"),
        ("${env:WORD}", "said"),
        ("${secret:KEY}${input:KEY}", "hiddenhidden"),
        ("${NOT_SET:-other}", "other"),
        ("${NOT_SET:-}", ""),
        ("${workspaceFolder}/x", "/home/me/project/x"),
        ("$WORD $5 {WORD} $(x)", "$WORD $5 {WORD} $(x)"),
        ("${NOT_SET}", None),
        ("${env:NOT_SET}", None),
        ("${secret:NONE}", None),
        ("${input:NONE}", None),
        ("${config:editor.font}", None),
        ("${command:pick.one}", None),
        ("fine ${WORD} and ${NOT_SET}", None),
    ],
)
def test_every_place_is_filled_or_nothing_starts(
    where: str, text: str, filled: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORD", "said")
    monkeypatch.delenv("NOT_SET", raising=False)
    value: Any = {"args": (text,), "env": {"E": text}, "headers": {"E": text}}.get(where, text)
    entry = ServerEntry("s", **{where: value})
    secrets = {"KEY": "hidden"}
    if filled is None:
        with pytest.raises(Unresolved):
            resolve(entry, secrets.get, "/home/me/project")
    else:
        expected: Any = {"args": (filled,), "env": {"E": filled}, "headers": {"E": filled}}.get(where, filled)
        assert resolve(entry, secrets.get, "/home/me/project") == replace(entry, **{where: expected})


# Editing


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
maps = st.dictionaries(words, names, max_size=2)
own = {"era": st.sampled_from(["auto", "modern"]), "timeout": st.floats(1, 900), "auto_start": st.booleans()}
programs = st.fixed_dictionaries(
    {"command": words}, optional={"args": st.lists(names).map(tuple), "env": maps, "cwd": names, **own}
)
addresses = st.fixed_dictionaries(
    {"url": words, "transport": st.sampled_from(["http", "sse"])}, optional={"headers": maps, **own}
)
bodies = programs | addresses
gaps = st.sampled_from(["", " ", "\n", "\r\n", "\t", ' // one: {"x"},\n', "/* two, \n } */", "\n  // three\n"])


@st.composite
def servers_texts(draw: st.DrawFn) -> str:
    """A servers file as a person may have written it: comments anywhere, trailing commas, any line ends."""

    def gap() -> str:
        return draw(gaps)

    members: list[str] = []
    for name, body in draw(st.dictionaries(names, bodies, max_size=3)).items():
        value = json.dumps(ServerEntry(name, **body).as_json(), ensure_ascii=draw(st.booleans()))
        members.append(f"{gap()}{json.dumps(name)}: {value}{gap()}")
    comma = "," if members and draw(st.booleans()) else ""
    group = f'{gap()}"mcpServers"{gap()}:{gap()}{{{",".join(members)}{comma}{gap()}}}{gap()}'
    other = f'{gap()}"other": [1, "mcpServers"]{gap()}'
    groups = draw(st.sampled_from([[group], [other, group], [group, other], [other]]))
    return f"{draw(st.sampled_from(['', chr(0xFEFF)]))}{gap()}{{{','.join(groups)}{gap()}}}{gap()}"


def comments(text: str) -> list[str]:
    plain = without_comments(text)
    kept = text.removeprefix("\ufeff")
    blanked = "".join(one if one != other or other == "\n" else " " for one, other in zip(kept, plain, strict=True))
    return re.findall(r"//[^\n]*|/\*.*?\*/", blanked, re.DOTALL)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=servers_texts(), name=names, body=bodies, data=st.data())
def test_adding_and_removing_leave_the_rest_as_it_is(
    folders: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str, body: dict[str, Any], data: st.DataObject
) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # some 600 times a real disk's pace
    path = folders / "edited.json"
    path.write_bytes(text.encode())
    before = read_servers(path).entries
    written = {key: entry for key, entry in before.items() if key != name}
    entry = ServerEntry(name, **body)
    if name in before:
        remove_server(path, name)
        assert read_servers(path).entries == written
    base = path.read_bytes().decode()
    add_server(path, entry)
    added = path.read_bytes().decode()
    assert read_servers(path).entries == written | {name: entry}
    gone = data.draw(st.sampled_from([name, *written]))
    remove_server(path, gone)
    after = path.read_bytes().decode()
    assert read_servers(path).entries == {key: one for key, one in (written | {name: entry}).items() if key != gone}
    new_lines = added.count("\n") - base.count("\n")
    assert added.count("\r\n") - base.count("\r\n") == (new_lines if "\r\n" in base else 0)
    for edited in (base, added, after):
        assert comments(edited) == comments(text)
        assert edited.startswith("\ufeff") == text.startswith("\ufeff")
        assert ('"other": [1, "mcpServers"]' in edited) == ('"other": [1, "mcpServers"]' in text)


@pytest.mark.parametrize(
    "start", [None, "", "  \n", "\ufeff", "{}", "{\n}", '{"servers": {}}', '{"mcpServers": {/* none */}}']
)
def test_the_first_server_can_be_added_to_any_empty_file(folders: Path, start: str | None) -> None:
    path = folders / "new" / "servers.json"
    if start is not None:
        path.parent.mkdir()
        path.write_text(start, encoding="utf-8")
    entry = ServerEntry("one", command="x")
    add_server(path, entry)
    assert read_servers(path).entries == {"one": entry}
    assert json.loads(without_comments(path.read_text(encoding="utf-8")))
    remove_server(path, "one")
    assert read_servers(path).entries == {}


def test_an_edit_looks_as_if_a_person_had_made_it(folders: Path) -> None:
    path = folders / "servers.json"
    path.write_text(
        '{\n  // mine\n  "mcpServers": {\n    "a": {"command": "x"}, // the first\n  }\n}\n', encoding="utf-8"
    )
    add_server(path, ServerEntry("b", command="y", args=("z",)))
    assert path.read_text(encoding="utf-8") == (
        '{\n  // mine\n  "mcpServers": {\n    "b": {\n      "command": "y",\n      "args": [\n        "z"\n      ]\n    },\n'
        '    "a": {"command": "x"}, // the first\n  }\n}\n'
    )


@pytest.mark.parametrize("broken", ["{", "[]", '{"mcpServers": 1}'])
def test_a_broken_file_is_not_edited(folders: Path, broken: str) -> None:
    path = folders / "servers.json"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(FileProblem):
        add_server(path, ServerEntry("one", command="x"))
    assert path.read_text(encoding="utf-8") == broken
    assert list(folders.iterdir()) == [path]


def test_removing_what_is_gone_from_the_file_leaves_the_rest(folders: Path) -> None:
    path = folders / "servers.json"
    add_server(path, ServerEntry("one", command="x"))
    before = path.read_bytes()
    remove_server(path, "two")
    assert path.read_bytes() == before


# Writing


def test_a_write_is_whole_private_and_keeps_the_last_one(folders: Path) -> None:
    path = folders / "deep" / "file.json"
    write_atomic(path, "first\r\nsecond\n")
    write_atomic(path, "other\n")
    assert path.read_bytes() == b"other\n"
    assert path.with_name("file.json.bak").read_bytes() == b"first\r\nsecond\n"
    assert {one.name: one.stat().st_mode & 0o777 for one in path.parent.iterdir()} == {
        "file.json": 0o600,
        "file.json.bak": 0o600,
    }


def test_a_write_that_fails_leaves_the_old_file(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folders / "file.json"
    write_atomic(path, "good")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileProblem) as problem:
        write_atomic(path, "better")
    assert english(problem.value.message) == f"{path}: the file cannot be written (No space left on device)."
    assert path.read_text() == "good"
    assert list(folders.iterdir()) == [path]


def test_a_linked_file_stays_a_link(folders: Path) -> None:
    target = folders / "dotfiles" / "servers.json"
    write_atomic(target, '{"mcpServers": {}}')
    link = folders / "servers.json"
    link.symlink_to(target)
    add_server(link, ServerEntry("one", command="x"))
    assert link.is_symlink()
    assert "one" in read_servers(target).entries


# Settings and approvals


def test_settings_have_their_defaults_and_survive(folders: Path) -> None:
    path = folders / "settings.json"
    settings = Settings(path)
    assert settings.as_dict() == {one.key: one.default for one in SETTINGS}
    settings.change({"theme": "dark", "network.ca_file": "/etc/mine.pem"})
    settings.change({"network.ca_file": ""})
    assert json.loads(path.read_text()) == {"version": 1, "theme": "dark"}
    assert Settings(path)["theme"] == "dark"
    with pytest.raises(KeyError):
        settings.change({"colour": "red"})


@pytest.mark.parametrize("one", SETTINGS, ids=lambda one: one.key)
@pytest.mark.parametrize("value", [5, None, ["dark"], "\x00none of the choices"])
def test_a_value_that_does_not_fit_is_reported_and_costs_no_other(folders: Path, one: Any, value: object) -> None:
    path = folders / "settings.json"
    other = next(each for each in SETTINGS if each.key != one.key)
    kept = other.choices[-1] if other.choices else str(other.numbers[1]) if other.numbers else "kept"
    content = {one.key: value, other.key: kept, "later.key": {"of": 2}, "version": 2}
    path.write_text("// by hand\n" + json.dumps(content))
    settings = Settings(path)
    fits = isinstance(value, str) and not one.choices and one.numbers is None
    assert settings[one.key] == (value if fits else one.in_doubt or one.default)
    assert settings[other.key] == kept
    assert [problem.key for problem in settings.problems] == ([] if fits else ["settings.bad_value"])
    settings.change({"language": "en"})
    assert read_json(path)["later.key"] == {"of": 2}


@pytest.mark.parametrize("content", ["{", "[1]", "\x00"])
def test_broken_settings_are_defaults_and_a_problem(folders: Path, content: str) -> None:
    path = folders / "settings.json"
    path.write_text(content)
    settings = Settings(path)
    assert settings.as_dict() == {one.key: one.in_doubt or one.default for one in SETTINGS}
    assert settings["rules.suspended"] == "yes", "what the person had forbidden may have been in it"
    assert len(settings.problems) == 1
    settings.change({"theme": "dark"})
    assert path.with_name("settings.json.bak").read_text() == content


BASE = ServerEntry("s", command="uvx", args=("travel==1.2",), env={"KEY": "1"}, cwd="/home")


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"name": "other"}, True),
        ({"env": {"KEY": "2"}}, True),
        ({"timeout": 5.0}, True),
        ({"auto_start": False}, True),
        ({"command": "/tmp/uvx"}, False),
        ({"args": ("travel==1.3",)}, False),
        ({"args": ("travel==1.2", "")}, False),
        ({"env": {"KEY": "1", "LD_PRELOAD": "x"}}, False),
        ({"cwd": "/tmp"}, False),
        ({"command": "", "args": (), "env": {}, "cwd": "", "url": "https://h.example/mcp"}, False),
    ],
)
def test_an_approval_holds_for_what_a_server_is(folders: Path, changes: dict[str, Any], same: bool) -> None:
    approvals = Approvals(folders / "approvals.json")
    approvals.approve(BASE.fingerprint, "/usr/bin/uvx")
    again = Approvals(folders / "approvals.json")
    fingerprint = replace(BASE, **changes).fingerprint
    assert again.knows(fingerprint, "/usr/bin/uvx") == same
    assert not again.knows(fingerprint, "/tmp/uvx"), "the command is another program now"
    assert again.another(fingerprint, "/tmp/uvx") == ("/usr/bin/uvx" if same else "")


def test_an_approval_of_before_programs_were_kept_holds(folders: Path) -> None:
    path = folders / "approvals.json"
    path.write_text(json.dumps({"version": 1, "approved": {BASE.fingerprint: 1700000000.5}}))
    assert Approvals(path).knows(BASE.fingerprint, "/usr/bin/uvx")


def test_no_two_servers_share_a_fingerprint_by_where_their_words_end() -> None:
    """What ends one word and begins the next cannot be moved to look the same."""
    split = [ServerEntry("s", command="a", args=("b", "c")), ServerEntry("s", command="a", args=("b",), cwd="c")]
    split += [ServerEntry("s", command="a", args=("b c",)), ServerEntry("s", command="a b", args=("c",))]
    split += [ServerEntry("s", command="a", args=("b",), env={"c": ""}), ServerEntry("s", url="a")]
    assert len({entry.fingerprint for entry in split}) == len(split)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"approved": 1}', '{"approved": {"f": "yes", "g": null}}'])
def test_a_broken_list_of_approvals_approves_nothing(folders: Path, content: str) -> None:
    path = folders / "approvals.json"
    path.write_text(content)
    assert all(not Approvals(path).knows(one, "") for one in ("f", "g", BASE.fingerprint))


# Secrets


BODY = """
import json, sys
from desktop_host.config.files import FileProblem
from desktop_host.config.secrets import get_secret, set_secret
told = []
for do, *args in json.loads(sys.argv[1]):
    try:
        told.append({"get": get_secret, "set": set_secret}[do](*args))
    except FileProblem as problem:
        told.append([problem.message.key, problem.message.mapping, str(problem)])
print(json.dumps(told))
"""
UNLOCKED = 'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"'
WRONG = 'printf "wrong\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"'
AS_IT_IS = 'exec "$@"'


@pytest.fixture
def keyring_session(folders: Path) -> Callable[..., list[Any]]:
    """Runs secret operations in a process with a home and a D-Bus session of its own; what each of them told."""
    for program in ("dbus-run-session", "gnome-keyring-daemon"):
        if shutil.which(program) is None and "CI" not in os.environ:
            pytest.skip(f"there is no {program} on this machine; on Debian: apt install gnome-keyring dbus")
    home = folders / "home"
    (home / ".local/share/keyrings").mkdir(parents=True)
    (folders / "run").mkdir(mode=0o700)
    left_out = ("PYTHON_KEYRING_BACKEND", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(folders / "run"), "PYTHONPATH": str(REPOSITORY)}

    def run(start: str | None, *steps: tuple[str, ...]) -> list[Any]:
        argv = [sys.executable, "-c", BODY, json.dumps(steps)]
        if start is not None:
            argv = ["dbus-run-session", "--", "bash", "-c", start, "bash", *argv]
        done = subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert "s3cret" not in done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return run


def test_secrets_live_in_the_systems_keyring(keyring_session: Callable[..., list[Any]], folders: Path) -> None:
    told = keyring_session(
        UNLOCKED,
        ("get", "key"), ("set", "key", "s3cret"), ("get", "key"), ("set", "other", "zwei · 二"), ("set", "key", "s3cret2"),
        ("get", "key"), ("get", "other"), ("set", "other", ""), ("get", "other"), ("set", "other", ""),
    )  # fmt: skip
    assert told == [None, None, "s3cret", None, None, "s3cret2", "zwei · 二", None, None, None]
    assert keyring_session(UNLOCKED, ("get", "key")) == ["s3cret2"], "kept for the next session"
    for path in folders.rglob("*"):
        assert not path.is_file() or b"s3cret" not in path.read_bytes(), path


@pytest.mark.parametrize("start", [None, AS_IT_IS, WRONG], ids=["no session", "nobody unlocked it", "it stays locked"])
def test_without_a_keyring_it_is_said_what_to_do(keyring_session: Callable[..., list[Any]], start: str | None) -> None:
    if start == WRONG:
        keyring_session(UNLOCKED, ("set", "key", "s3cret"))
    for key, values, text in keyring_session(start, ("get", "key"), ("set", "key", "s3cret"), ("set", "key", "")):
        assert key == text == "keyring.unusable"
        assert values.keys() == {"what"}
        assert values["what"] in ("NoKeyringError", "InitError", "KeyringLocked")


async def test_a_server_with_a_secret_does_not_start_without_a_keyring(
    folders: Path, new_host: Callable[..., Host]
) -> None:
    marker = folders / "started"
    host = new_host(ScriptedPerson())
    host.add(ServerEntry("s", command="touch", args=(str(marker),), env={"K": "${secret:KEY}"}), trusted=True)
    reason = await host.start("s")
    assert reason is not None
    assert english(reason) == (
        "The system’s keyring cannot be used (NoKeyringError). Unlock it, or install one, and try again."
    )
    assert host.connection("s").state.status is ServerStatus.FAILED
    host.add(ServerEntry("v", command="touch", args=(str(marker), "${NOT_SET_AT_ALL}")), trusted=True)
    reason = await host.start("v")
    assert reason is not None
    assert "“NOT_SET_AT_ALL” has no value" in english(reason)
    assert not marker.exists()


def test_the_tests_own_keyring_is_none() -> None:
    """No test may meet the keyring of whoever runs it."""
    for act in (lambda: get_secret("key"), lambda: set_secret("key", "x"), lambda: set_secret("key", "")):
        with pytest.raises(FileProblem):
            act()


def test_the_place_of_a_member_is_found_by_names_alone() -> None:
    text = '\ufeff{"a": {"b": "a", "mcpServers": 1}, /* "mcpServers": 2 */ "mcpServers": {"a": 3}}'
    place = locate(text, "mcpServers", "a")
    assert place is not None
    assert text[place.key : place.end] == '"a": 3'
    assert locate(text, "mcpServers", "b") is None
