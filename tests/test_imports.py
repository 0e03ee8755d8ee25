"""Servers out of the files of other hosts, in every shape, by the terminal's face: `desktop-host servers`."""

import base64
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_host.cli.main import main
from desktop_host.config.files import FileProblem
from desktop_host.config.hosts import host_files, other_hosts, read_source
from desktop_host.config.imports import moved_secrets, parse_import, parse_link, plain_secrets
from desktop_host.config.servers_file import default_path, read_servers

pytest_plugins = ("tests.support.fixtures",)

CASES = Path(__file__).parent / "cases" / "config"
Json = dict[str, Any]
Run = Callable[..., tuple[int, Json]]


@pytest.fixture
def servers(folders: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `desktop-host servers … --json`: exit code and what it printed."""

    def run(*arguments: str) -> tuple[int, Json]:
        cut = arguments.index("--") if "--" in arguments else len(arguments)
        code = main(["servers", *arguments[:cut], "--json", *arguments[cut:]])
        return code, json.loads(capsys.readouterr().out)

    return run


def told(found: Json, part: str = "notices") -> dict[str, str]:
    return {one["path"]: one["message"] for one in found[part]}


@pytest.mark.parametrize(
    ("file", "expected", "notices"),
    [
        ("claude_desktop.json", {"files": {"command": "npx", "args": ["-y", "@example/files", "/home/ada"]}}, []),
        (
            "claude_code.json",
            {
                "everywhere": {"type": "http", "url": "https://mcp.example.org/all"},
                "site": {"command": "uvx", "args": ["site-tools"]},
            },
            [],
        ),
        (
            "vscode.json",
            {
                "search": {
                    "command": "uvx",
                    "args": ["search"],
                    "env": {"KEY": "${secret:key}", "DIR": "${workspaceFolder}"},
                }
            },
            ["/inputs/0", "/servers/search", "/servers/search/dev", "/servers/search/envFile"],
        ),
        (
            "windsurf.json",
            {"remote": {"type": "http", "url": "https://mcp.example.org/w", "headers": {"API_KEY": "abc123def456"}}},
            ["/mcpServers/remote/serverUrl"],
        ),
        (
            "cline.json",
            {"db": {"command": "db-server", "desktopHost": {"autoStart": False}}},
            [f"/mcpServers/db/{key}" for key in ("alwaysAllow", "autoApprove", "disabled", "timeout")],
        ),
        (
            "zed.json",
            {"docs": {"command": "docs-server", "args": ["--stdio"], "env": {"A": "1"}}},
            ["/context_servers/docs/settings", "/context_servers/docs/source"],
        ),
        (
            "codex.toml",
            {
                "ticket": {
                    "command": "uvx",
                    "args": ["ticket==1.2"],
                    "env": {"TICKET_HOME": "${TICKET_HOME}"},
                    "desktopHost": {"timeout": 45.0},
                },
                "remote": {
                    "type": "http",
                    "url": "https://mcp.example.org/c",
                    "headers": {"Authorization": "Bearer ${REMOTE_TOKEN}"},
                },
            },
            [
                "/mcp_servers/remote",
                "/mcp_servers/remote/bearer_token_env_var",
                "/mcp_servers/ticket",
                "/mcp_servers/ticket/enabled_tools",
                "/mcp_servers/ticket/env_vars",
            ],
        ),
        (
            "goose.yaml",
            {
                "notes": {
                    "command": "notes-server",
                    "args": ["--fast"],
                    "env": {"MODE": "all", "NOTES_TOKEN": "${secret:NOTES_TOKEN}"},
                    "desktopHost": {"autoStart": False},
                },
                "web": {"type": "http", "url": "https://mcp.example.org/g"},
            },
            [
                "/extensions/developer",
                "/extensions/notes/cmd",
                "/extensions/notes/enabled",
                "/extensions/notes/env_keys",
                "/extensions/notes/envs",
                "/extensions/web/uri",
            ],
        ),
    ],
)
def test_a_file_of_another_host_gives_its_servers(servers: Run, file: str, expected: Json, notices: list[str]) -> None:
    code, found = servers("check", str(CASES / file))
    assert (code, found["servers"], found["errors"]) == (0, expected, [])
    assert sorted(told(found)) == notices


def test_gemini_tells_its_two_kinds_of_address_apart(servers: Run, tmp_path: Path) -> None:
    path = tmp_path / ".gemini" / "settings.json"
    path.parent.mkdir()
    new, old = {"httpUrl": "https://h.example/a", "trust": True}, {"url": "https://h.example/b"}
    local = {"command": "x", "env": {"T": "$TOKEN_OF_NOBODY"}, "includeTools": ["a"]}
    path.write_text(json.dumps({"mcpServers": {"new": new, "old": old, "local": local}}))
    _, found = servers("check", str(path))
    assert {name: one.get("type") for name, one in found["servers"].items()} == {
        "new": "http",
        "old": "sse",
        "local": None,
    }
    assert found["servers"]["local"]["env"] == {"T": "${TOKEN_OF_NOBODY}"}
    assert "approves itself" in told(found)["/mcpServers/new/trust"]


def encoded(text: str, encoding: str) -> bytes:
    return text.encode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_may_have_any_mark_and_line_ends(servers: Run, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(encoded('{\r\n// c\r\n"mcpServers": {"größe": {"command": "x",},},\r\n}\r\n', encoding))
    code, found = servers("check", str(path))
    assert (code, list(found["servers"])) == (0, ["größe"])


def test_one_bad_entry_never_costs_the_good_ones(servers: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    text = '{"mcpServers": {"good": {"command": "x"},\n "bad": {"command": 5},\n "b/d": {"args": []},\n "worse": 7,\n'
    text += ' "list": {"command": "x", "args": "y"}, "env": {"command": "x", "env": {"A": true}}, "good2": {"url": "https://h.example/"}}}'
    path.write_text(text)
    code, found = servers("check", str(path))
    assert (code, list(found["servers"])) == (1, ["good", "good2"])
    places = {one["path"]: (one["line"], one["column"]) for one in found["errors"]}
    assert places == {
        "/mcpServers/bad/command": (2, 21),
        "/mcpServers/b~1d": (3, 9),
        "/mcpServers/worse": (4, 11),
        "/mcpServers/list/args": (5, 35),
        "/mcpServers/env/env/A": (5, 78),
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"mcpServers": {'),
        ("a.json", "[]"),
        ("a.json", '{"theme": "dark"}'),
        ("a.json", '{"mcpServers": {"a": {"command": "x"}}} {'),
        ("a.toml", "[mcp_servers.x\n"),
        ("a.yaml", "extensions: [\n"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_place(servers: Run, tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    code, found = servers("check", str(path))
    assert (code, found["servers"], len(found["errors"])) == (2, {}, 1)
    assert str(path) in found["errors"][0]["message"]
    assert servers("check", str(tmp_path / "nowhere.json"))[0] == 2


def test_a_name_that_stands_twice_is_told(servers: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}')
    _, found = servers("check", str(path))
    assert found["servers"]["a"]["command"] == "y"
    assert "more than once" in told(found)["/mcpServers/a"]


def test_import_adds_what_is_new_and_leaves_what_is_there(servers: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"mcpServers": {name: {"command": name} for name in ("a", "b", "c")}}))
    assert servers("add", "a", "--", "mine", "--flag")[0] == 0
    code, found = servers("import", str(path), "--name", "a", "--name", "b", "--name", "nobody")
    assert (code, found["added"], sorted(found["skipped"])) == (1, ["b"], ["a", "nobody"])
    entries = read_servers(default_path()).entries
    assert {name: one.identity for name, one in entries.items()} == {"a": "mine --flag", "b": "b"}
    assert servers("remove", "b")[0] == 0
    assert servers("remove", "b")[0] == 2
    assert list(servers("list")[1]["servers"]) == ["a"]


def test_a_server_is_added_by_its_address_or_command_and_nothing_else(servers: Run) -> None:
    code, _ = servers("add", "web", "--url", "https://h.example/mcp", "--header", "X-Key=1=2")
    assert code == 0
    assert read_servers(default_path()).entries["web"].headers == {"X-Key": "1=2"}
    for wrong in (("both", "--url", "https://h.example/", "--", "x"), ("none",), ("web", "--", "x")):
        assert servers("add", *wrong)[0] == 2
    assert servers("add", "env", "--env", "NOVALUE", "--", "x")[0] == 2


def test_the_command_line_runs_as_a_program(folders: Path) -> None:
    text = (CASES / "zed.json").read_bytes()
    argv = [sys.executable, "-m", "desktop_host", "servers", "check", "-", "--json"]
    done = subprocess.run(argv, input=text, capture_output=True, check=False, timeout=30)
    assert (done.returncode, list(json.loads(done.stdout)["servers"])) == (0, ["docs"])


# secrets and links


def test_secrets_in_plain_text_can_be_moved() -> None:
    text = json.dumps(
        {"a": {"command": "x", "env": {"TOKEN": "ghp_1234567890", "MODE": "fast", "KEPT_KEY": "${secret:k}"}}}
    )
    entry = parse_import(text, "a.json").entries["a"]
    assert plain_secrets(entry) == [("env", "TOKEN")]
    moved, kept = moved_secrets(entry)
    assert kept == {"a/TOKEN": "ghp_1234567890"}
    assert moved.env == {"TOKEN": "${secret:a/TOKEN}", "MODE": "fast", "KEPT_KEY": "${secret:k}"}
    assert plain_secrets(moved) == []


def link(content: object, name: str = "x") -> str:
    return f"desktop-host:add?name={name}&config={base64.b64encode(json.dumps(content).encode()).decode()}"


def test_a_link_names_one_server() -> None:
    found = parse_link(link({"command": "rm", "args": ["-rf", "/"]}))
    assert {name: one.identity for name, one in found.entries.items()} == {"x": "rm -rf /"}
    assert list(parse_link(link({"mcpServers": {"y": {"url": "https://h.example/"}}})).entries) == ["y"]


@pytest.mark.parametrize(
    "wrong",
    [
        "desktop-host:add",
        "desktop-host:remove?name=x&config=e30=",
        "desktop-host:add?config=%%%",
        "desktop-host:add?config=gICA",
        "https://h.example/add?config=e30=",
        link(["x"]),
        "desktop-host://[::1",
    ],
)
def test_a_link_that_names_none_is_refused(wrong: str) -> None:
    with pytest.raises(FileProblem):
        parse_link(wrong)


def test_the_files_of_other_hosts_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_bytes((CASES / "windsurf.json").read_bytes())
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text('model = "o4"\n')
    assert [one.host for one in host_files(tmp_path)] == ["Cursor", "Codex"]
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert [list(one.found.entries) for one in other_hosts()] == [["remote"]]
    problem = read_source("gone", tmp_path / "gone.json").problem
    assert problem is not None
    assert problem.key == "file.unreadable"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["command", "args", "env", "url", "type", "headers", "cwd", "autoApprove", "trust", "disabled", "desktopHost", "x"]
)


@given(st.dictionaries(st.text(max_size=6), st.dictionaries(KEYS, VALUES, max_size=5) | VALUES, max_size=3))
def test_whatever_a_file_says_the_good_one_survives_and_nothing_approves_itself(bodies: Json) -> None:
    text = json.dumps({"mcpServers": {**bodies, "the good one": {"command": "x"}}})
    found = parse_import(text, "a.json")
    assert found.entries["the good one"].command == "x"
    kept = json.dumps([one.as_json() for one in found.entries.values()])
    assert '"autoApprove":' not in kept
    assert '"trust":' not in kept
    assert len(found.entries) + len(found.errors) >= len({*bodies, "the good one"}) - len(found.notices)
