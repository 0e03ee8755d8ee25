"""The command `servers`: what it prints, how it ends, and what becomes of the person's servers.json."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_host.cli.main import main
from desktop_host.config.files import FileProblem
from desktop_host.config.servers_file import ServerEntry, add_server, default_path, read_servers

Json = dict[str, Any]
Run = Callable[..., tuple[int, Json]]
Say = Callable[..., tuple[int, str, str]]
HOSTS = Path(__file__).parent / "cases" / "config" / "hosts"
EVERY = ("claude_desktop.json", ".claude.json", "vscode_mcp.json", "cursor.json", "windsurf.json",
    "cline_mcp_settings.json", "zed_settings.json", ".gemini/settings.json", "codex_config.toml", "goose_config.yaml",
    "lm_studio.json", "twice.json")  # fmt: skip


@pytest.fixture
def told(folders: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run `desktop-host servers …`: exit code, standard output and error output."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        code = main(["servers", *map(str, words)])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def servers(told: Say) -> Run:
    """The same with `--json`: exit code and what was printed. Nothing goes beside it."""

    def run(*words: str | Path) -> tuple[int, Json]:
        cut = words.index("--") if "--" in words else len(words)
        code, out, err = told(*words[:cut], "--json", *words[cut:])
        assert err == ""
        return code, json.loads(out)

    return run


@pytest.fixture
def file(folders: Path) -> Callable[..., Path]:
    """Writes a file to import: its text, or its servers."""

    def write(content: str | Json, name: str = "mcp.json") -> Path:
        path = folders / name
        text = content if isinstance(content, str) else json.dumps({"mcpServers": content})
        path.write_bytes(text.encode())
        return path

    return write


@pytest.fixture
def own(folders: Path) -> Callable[[str], Path]:
    """Writes the person's servers.json."""

    def write(text: str) -> Path:
        path = default_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    return write


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A keyring that can be looked into."""
    kept: dict[str, str] = {}
    monkeypatch.setattr("keyring.set_password", lambda app, name, value: kept.__setitem__(name, value))
    return kept


def names() -> list[str]:
    return list(read_servers(default_path()).entries)


# check


@pytest.mark.parametrize("name", EVERY)
def test_check_is_fine_with_the_files_of_other_hosts(servers: Run, name: str) -> None:
    code, found = servers("check", HOSTS / name)
    assert (code, found["errors"]) == (0, [])
    assert found["servers"]
    assert sorted(found) == ["errors", "notices", "secrets", "servers"]
    for notice in found["notices"]:
        assert sorted(notice) == ["column", "line", "message", "path"]
        assert notice["path"].startswith("/")
        assert min(notice["line"], notice["column"]) >= 1
        assert notice["message"]
    assert not default_path().exists(), "check writes nothing"


def test_check_finds_a_bad_entry_and_ends_with_1(servers: Run, told: Say) -> None:
    code, found = servers("check", HOSTS / "one_bad.json")
    assert (code, list(found["servers"])) == (1, ["first", "last"])
    assert found["errors"] == [
        {"path": "/mcpServers/b~1a~0d/env/A", "line": 6, "column": 35, "message": "This should be a text."}
    ]
    code, out, err = told("check", HOSTS / "one_bad.json")
    assert (code, out) == (1, "first  first\nlast  https://mcp.example.org/last\n")
    assert f"{HOSTS / 'one_bad.json'}:6:35 /mcpServers/b~1a~0d/env/A: This should be a text." in err


def test_check_reads_utf_16(servers: Run) -> None:
    code, found = servers("check", HOSTS / "utf16.json")
    assert (code, list(found["servers"])) == (1, ["größe"])
    assert [(one["path"], one["line"], one["column"]) for one in found["errors"]] == [
        ("/mcpServers/bad/command", 5, 24)
    ]


def test_check_of_a_truncated_file_ends_with_2(servers: Run, told: Say) -> None:
    code, found = servers("check", HOSTS / "truncated.json")
    assert (code, found["servers"]) == (2, {})
    (error,) = found["errors"]
    assert (error["line"], error["column"]) == (4, 24)
    assert "truncated.json" in error["message"]
    code, out, err = told("check", HOSTS / "truncated.json")
    assert (code, out) == (2, "")
    assert "line 4, column 24" in err


@pytest.mark.parametrize("what", ["check", "import"])
def test_what_cannot_be_used_ends_with_2(servers: Run, folders: Path, file: Callable[..., Path], what: str) -> None:
    nothing = (
        folders / "nowhere.json",
        folders,
        file("[]"),
        file('{"theme": "dark"}', "settings.json"),
        file("a = [", "config.toml"),
        file("a: {", "config.yaml"),
    )
    for path in nothing:
        code, found = servers(what, path)
        assert (code, found["servers"], len(found["errors"])) == (2, {}, 1)
        assert found["errors"][0]["message"]
    assert not default_path().exists()


def test_a_date_that_is_none_is_no_crash(servers: Run, file: Callable[..., Path]) -> None:
    assert servers("check", file("a: 2024-13-45\nextensions: {x: {cmd: y}}\n", "config.yaml"))[0] == 2


def test_nothing_of_a_file_can_do_anything_to_a_terminal(told: Say, file: Callable[..., Path]) -> None:
    evil = "\x1b[2J\u202e\nx"
    path = file(
        json.dumps(
            {
                "inputs": [{"id": evil}],
                "servers": {
                    evil: {"command": evil, "env": {f"TOKEN{evil}": "abc"}, evil: 1},
                    f"bad{evil}": {"command": "x", "type": evil},
                },
            }
        )
    )
    for what in ("check", "import", "import"):
        code, out, err = told(what, path)
        assert code == 1
        assert not {"\x1b", "\u202e"} & {*out, *err}
    code, out, err = told("list")
    assert not {"\x1b", "\u202e"} & {*out, *err}


# import


def test_import_adds_and_tells(servers: Run) -> None:
    code, found = servers("import", HOSTS / "vscode_mcp.json")
    assert (code, found["added"], found["skipped"]) == (0, ["remote", "search"], {})
    assert found["secrets"] == ["search-key", "region"]
    entries = read_servers(default_path()).entries
    assert entries["search"].env == {"SEARCH_KEY": "${secret:search-key}", "ROOT": "${workspaceFolder}/docs"}
    assert {name: one.as_json() for name, one in entries.items()} == found["servers"]


@pytest.mark.parametrize("name", EVERY)
def test_what_is_imported_is_what_is_read_afterwards(servers: Run, name: str) -> None:
    code, found = servers("import", HOSTS / name)
    assert (code, found["added"]) == (0, sorted(found["servers"]))
    listed = servers("list")[1]
    assert listed["errors"] == []
    for server, body in found["servers"].items():
        assert listed["servers"][server].items() >= body.items()
    text = default_path().read_text("utf-8")
    assert not any(f'"{key}"' in text for key in ("autoApprove", "alwaysAllow", "trust", "approval_mode"))


def test_import_takes_the_good_ones_and_ends_with_1(servers: Run) -> None:
    code, found = servers("import", HOSTS / "one_bad.json")
    assert (code, found["added"], len(found["errors"])) == (1, ["first", "last"], 1)
    assert sorted(names()) == ["first", "last"]


def test_a_taken_name_is_left_as_it_is(servers: Run, told: Say, own: Callable[[str], Path]) -> None:
    text = '{\n  // mine\n  "mcpServers": {"first": {"command": "mine", "env": {"A": "1"}}}\n}\n'
    path = own(text)
    code, found = servers("import", HOSTS / "one_bad.json", "--name", "first")
    assert (code, found["added"], list(found["skipped"])) == (1, [], ["first"])
    assert "first" in found["skipped"]["first"]
    assert path.read_text("utf-8") == text
    code, _, err = told("import", HOSTS / "one_bad.json")
    assert code == 1
    assert "There is a server called “first” already." in err
    assert read_servers(path).entries["first"].command == "mine"
    assert sorted(names()) == ["first", "last"]
    assert servers("import", HOSTS / "twice.json")[0] == 0, "other names are free"


def test_the_name_of_a_bad_entry_is_taken_too(servers: Run, own: Callable[[str], Path]) -> None:
    """A second member of that name would never be read."""
    for words in (("import", HOSTS / "lm_studio.json", "--name", "calc"), ("add", "calc", "--", "x")):
        path = own('{"mcpServers": {"calc": {"command": 5}}}')
        code, found = servers(*words)
        assert (code == 0) == ("calc" in read_servers(path).entries), (words[0], found)


def test_only_the_wanted_are_imported(servers: Run) -> None:
    code, found = servers("import", HOSTS / "zed_settings.json", "--name", "flat", "--name", "docs")
    assert (code, found["added"]) == (0, ["docs", "flat"])
    code, found = servers("import", HOSTS / "zed_settings.json", "--name", "nobody")
    assert (code, found["added"], list(found["skipped"])) == (1, [], ["nobody"])


def test_secrets_in_plain_text_are_told_of(told: Say) -> None:
    code, out, err = told("import", HOSTS / "windsurf.json")
    assert (code, err) == (0, "")
    assert "Authorization: a secret in plain text. Import with --move-secrets" in out
    assert "made-up" not in out


def test_secrets_in_plain_text_are_moved(servers: Run, keyring: dict[str, str]) -> None:
    code, found = servers("import", HOSTS / "windsurf.json", "--move-secrets")
    assert (code, found["added"]) == (0, ["figures", "local"])
    assert keyring == {"figures/Authorization": "Bearer plain-and-made-up"}
    assert "made-up" not in default_path().read_text("utf-8")
    moved = read_servers(default_path()).entries["figures"]
    assert moved.headers == {"Authorization": "${secret:figures/Authorization}"}


def test_a_taken_name_moves_no_secret(servers: Run, keyring: dict[str, str], own: Callable[[str], Path]) -> None:
    own('{"mcpServers": {"figures": {"command": "mine"}}}')
    servers("import", HOSTS / "windsurf.json", "--move-secrets")
    assert keyring == {}


def test_without_a_keyring_it_is_all_or_told(servers: Run, file: Callable[..., Path]) -> None:
    """2 says that nothing was done."""
    path = file({"plain": {"command": "x"}, "secret": {"command": "y", "env": {"TOKEN": "abc"}}})
    code, found = servers("import", path, "--move-secrets")
    assert code == 2
    assert "keyring" in found["errors"][0]["message"]
    assert not default_path().exists() or names() == []


def test_half_a_letter_is_no_crash(servers: Run, own: Callable[[str], Path], file: Callable[..., Path]) -> None:
    """JSON can spell what no file can hold."""
    bad = '{"mcpServers": {"half": {"command": "x", "args": ["\\ud800"]}, "good": {"command": "g"}}}'
    code, found = servers("import", file(bad))
    assert code in (0, 1)
    assert "good" in found["added"]
    assert "good" in names()


# list, add, remove


def test_list_tells_what_there_is(servers: Run, told: Say) -> None:
    assert servers("list") == (0, {"servers": {}, "errors": []})
    assert told("list") == (0, f"No servers in {default_path()}.\n", "")
    servers("add", "a", "--env", "K=v=w", "--cwd", "work", "--", "x", "--json", "two words")
    servers("add", "b", "--url", "https://user:word@h.example/mcp?key=1", "--sse", "--header", "X=1")
    body = {"command": "x", "args": ["--json", "two words"], "env": {"K": "v=w"}, "cwd": "work"}
    code, found = servers("list")
    assert code == 0
    assert found["servers"]["a"] == {**body, "identity": 'x --json "two words"', "removable": True}
    assert found["servers"]["b"]["type"] == "sse"
    assert found["servers"]["b"]["identity"] == "https://h.example/mcp"
    assert "word@" not in told("list")[1], "not on a screen"


def test_list_finds_a_bad_entry_and_ends_with_1(servers: Run, told: Say, own: Callable[[str], Path]) -> None:
    own('{"mcpServers": {"bad": {"command": 5}, "good": {"command": "x"}}}')
    code, found = servers("list")
    assert (code, list(found["servers"]), len(found["errors"])) == (1, ["good"], 1)
    code, out, err = told("list")
    assert (code, out) == (1, "good  x\n")
    assert "line 1, column 36" in err


@pytest.mark.parametrize(
    "words", [("list",), ("import", HOSTS / "twice.json"), ("add", "n", "--", "x"), ("remove", "n")]
)
def test_a_broken_file_of_ones_own_is_left_alone(
    servers: Run, own: Callable[[str], Path], words: tuple[Any, ...]
) -> None:
    text = '{"mcpServers": {"n": {"command": "x"}'
    path = own(text)
    code, found = servers(*words)
    assert (code, len(found["errors"])) == (2, 1)
    assert (found["errors"][0]["line"], found["errors"][0]["column"]) == (1, 38)
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "n"), "It has neither a command nor an address."),
        (("add", "n", "--url", "https://h.example/", "--", "x"), "It has a command and an address; keep one of them."),
        (("add", "--", "x"), "A server needs a name."),
        (("add", "--url", "https://h.example/"), "A server needs a name."),
        (("add", " ", "--", "x"), "A server needs a name."),
        (("add", "n", "--env", "A", "--", "x"), "“A” should be KEY=VALUE."),
        (("add", "n", "--url", "https://h.example/", "--header", "A"), "“A” should be KEY=VALUE."),
        (("remove", "n"), "There is no server called “n”."),
        (("remove",), "There is no server called “”."),
    ],
)
def test_what_cannot_be_done_is_said_and_ends_with_2(servers: Run, words: tuple[str, ...], said: str) -> None:
    code, found = servers(*words)
    assert (code, [one["message"] for one in found["errors"]]) == (2, [said])
    assert not default_path().exists()


@pytest.mark.parametrize(
    "words",
    [
        ("add", "n", "--url", "https://h.example/", "--env", "A=1"),
        ("add", "n", "--url", "https://h.example/", "--cwd", "work"),
        ("add", "n", "--header", "A=1", "--", "x"),
        ("add", "n", "--sse", "--", "x"),
    ],
)
def test_nothing_that_was_given_is_passed_over(servers: Run, words: tuple[str, ...]) -> None:
    code, found = servers(*words)
    assert (code, len(found.get("errors", []))) == (2, 1)


def test_a_server_is_added_once(servers: Run) -> None:
    assert servers("add", "n", "--", "first") == (0, {"added": ["n"]})
    code, found = servers("add", "n", "--", "second")
    assert code == 2
    assert "called “n” already" in found["errors"][0]["message"]
    assert read_servers(default_path()).entries["n"].command == "first"


ROUND = (
    '{\n  // mine\n  "mcpServers": {\n    "one": {"command": "x"}, // first\n'
    '    /* two */ "two": {"command": "y"},\n  },\n  // end\n}\n',
    '{\n  "mcpServers": {\n    "one": {"command": "x"}\n  }\n}\n',
    '{\r\n  // by Windows\r\n  "mcpServers": {\r\n    "one": {"command": "x"} // c\r\n  }\r\n}\r\n',
    '\ufeff{\n  "servers": {\n    "one": {"command": "x"}\n  }, // s\n  "inputs": []\n}\n',
)


@pytest.mark.parametrize("text", ROUND)
def test_adding_and_removing_leaves_the_file_as_it_was(servers: Run, own: Callable[[str], Path], text: str) -> None:
    path = own(text)
    before = names()
    assert servers("add", "new", "--env", "A=//1", "--", "x", "/* y */")[0] == 0
    assert sorted(names()) == sorted([*before, "new"])
    assert servers("remove", "new") == (0, {"removed": ["new"]})
    assert path.read_bytes().decode().replace("\r\n", "\n") == text.replace("\r\n", "\n")


def test_lines_that_are_added_end_like_the_others(servers: Run, own: Callable[[str], Path]) -> None:
    path = own(ROUND[2])
    servers("add", "new", "--", "x")
    text = path.read_bytes().decode()
    assert text.count("\n") == text.count("\r\n")
    servers("remove", "new")
    assert path.read_bytes().decode() == ROUND[2]


@pytest.mark.parametrize(
    "text",
    ["", "{}", "// c1\n{ // c2\n}", '{"mcpServers": {/* c3 */}}', '{"mcpServers": { // c4\n } }', '{"other": 1}'],
)
def test_comments_stay_in_a_file_without_servers(servers: Run, own: Callable[[str], Path], text: str) -> None:
    path = own(text)
    assert servers("add", "new", "--", "x")[0] == 0
    assert names() == ["new"]
    assert servers("remove", "new")[0] == 0
    assert names() == []
    left = path.read_text("utf-8")
    for word in ("// c1", "// c2", "/* c3 */", "// c4", '"other": 1'):
        assert (word in left) == (word in text)


def test_removing_one_keeps_the_comments_of_the_others(servers: Run, own: Callable[[str], Path]) -> None:
    path = own(ROUND[0])
    assert servers("remove", "one")[0] == 0
    text = path.read_text("utf-8")
    assert names() == ["two"]
    assert all(comment in text for comment in ("// mine", "/* two */", "// end"))
    assert path.with_name("servers.json.bak").read_text("utf-8") == ROUND[0]


def test_another_file_than_ones_own(servers: Run, folders: Path) -> None:
    other = folders / "other" / "mine.json"
    assert servers("add", "n", "--config", other, "--", "x")[0] == 0
    assert servers("import", HOSTS / "lm_studio.json", "--config", other)[1]["added"] == ["calc", "models"]
    assert sorted(servers("list", "--config", other)[1]["servers"]) == ["calc", "models", "n"]
    assert servers("remove", "n", "--config", other)[0] == 0
    assert not default_path().exists()


def test_an_entry_that_no_file_can_hold_is_a_problem(folders: Path) -> None:
    """An argument of the command line that is no UTF-8 arrives like this."""
    with pytest.raises(FileProblem):
        add_server(folders / "servers.json", ServerEntry("a", "x", args=("\udcff",)))


# As a program


def run(folders: Path, *words: str | Path, stdin: bytes = b"") -> tuple[int, Json, str]:
    argv = [sys.executable, "-m", "desktop_host", "servers", *map(str, words), "--json"]
    done = subprocess.run(argv, input=stdin, capture_output=True, check=False, timeout=30, env=dict(os.environ))
    return done.returncode, json.loads(done.stdout), done.stderr.decode()


def test_as_a_program_it_reads_a_file_and_ends_with_its_code(folders: Path) -> None:
    code, found, err = run(folders, "import", HOSTS / "one_bad.json")
    assert (code, found["added"], err) == (1, ["first", "last"], "")
    assert sorted(names()) == ["first", "last"], "in the folder that the environment names"


@pytest.mark.parametrize(("name", "expected"), [("utf16.json", 1), ("claude_desktop.json", 0), ("truncated.json", 2)])
def test_as_a_program_it_reads_standard_input(folders: Path, name: str, expected: int) -> None:
    code, found, err = run(folders, "check", "-", stdin=(HOSTS / name).read_bytes())
    assert (code, bool(found["errors"]), err) == (expected, expected > 0, "")


def test_what_it_prints_is_json_in_any_locale(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    code, found, _ = run(folders, "check", HOSTS / "claude_desktop.json")
    assert (code, found["servers"]["files"]["args"][-1]) == (0, "C:\\Users\\ada\\Größe")


def test_a_link_is_no_file(servers: Run) -> None:
    packed = base64.b64encode(b'{"command": "x"}').decode()
    assert servers("import", f"desktop-host:add?name=x&config={packed}")[0] == 2
