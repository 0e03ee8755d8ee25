"""Realistic files of other hosts, read: what comes along, what is told of the rest, and where in the file it is."""

import base64
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_host.config.files import FileProblem
from desktop_host.config.hosts import host_files, other_hosts, read_source, text_source
from desktop_host.config.imports import Imported, Remark, parse_import, parse_link, read_import
from desktop_host.config.plain_secrets import moved_secrets, plain_secrets
from desktop_host.config.servers_file import ServerEntry, resolve
from desktop_host.ui.messages import english

Json = dict[str, Any]
HOSTS = Path(__file__).parent / "cases" / "config" / "hosts"
READABLE = sorted(
    path.relative_to(HOSTS).as_posix()
    for path in HOSTS.rglob("*.*")
    if path.is_file() and path.name not in ("truncated.json", "utf16.json")
)
OURS = frozenset(("command", "args", "env", "cwd", "type", "url", "headers", "desktopHost"))
"""Whatever an entry may hold in servers.json; `env` and `headers` hold names of anybody's."""
OWN = frozenset(("era", "timeout", "autoStart", "oauth"))
APPROVING = ("autoApprove", "alwaysAllow", "trust")


def read(name: str) -> Imported:
    path = HOSTS / name
    return read_import(path.read_bytes(), str(path))


def one(body: object, name: str = "mcp.json", **beside: Any) -> Imported:
    """A file with a server `a` and a good one."""
    return parse_import(json.dumps({"mcpServers": {"a": body, "good": {"command": "g"}}, **beside}), name)


def bodies(found: Imported) -> dict[str, Json]:
    return {name: entry.as_json() for name, entry in found.entries.items()}


def keys(remarks: tuple[Remark, ...]) -> dict[str, list[str]]:
    """The keys of what is told, by the place it is told of."""
    told: dict[str, list[str]] = {}
    for remark in remarks:
        told.setdefault(remark.path, []).append(remark.message.key)
    return told


def or_why_not(reading: Callable[[], Imported]) -> Imported | str:
    """What is read, or the sentence that says why nothing is."""
    try:
        return reading()
    except FileProblem as problem:
        return english(problem.message)


def places(remarks: tuple[Remark, ...]) -> dict[str, tuple[int, int]]:
    return {remark.path: (remark.line, remark.column) for remark in remarks}


# The files of hosts


FILES: dict[str, tuple[dict[str, Json], dict[str, list[str]], tuple[str, ...]]] = {
    "claude_desktop.json": (
        {
            "files": {
                "command": "npx",
                "args": ["-y", "@example/server-files@2025.7.1", "C:\\Users\\ada\\Größe"],
                "env": {"LOG_LEVEL": "warn"},
            },
            "weather // not a comment": {
                "command": "uvx",
                "args": ["weather-server", "--home=https://weather.example.org/a"],
            },
        },
        {},
        (),
    ),
    ".claude.json": (
        {
            "tickets": {
                "type": "http",
                "url": "https://mcp.example.org/tickets",
                "headers": {"Authorization": "Bearer ${TICKETS_TOKEN_OF_NOBODY}"},
            },
            "events": {"type": "sse", "url": "https://mcp.example.org/events"},
            "db": {"command": "db-server", "args": ["--file", "site.db"]},
            "tickets 2": {"command": "local-tickets"},
        },
        {
            "/mcpServers/tickets": ["import.unset"],
            "/projects/~1home~1ada~1site/mcpServers/tickets": ["import.renamed"],
        },
        (),
    ),
    "vscode_mcp.json": (
        {
            "search": {
                "command": "docker",
                "args": ["run", "-i", "--rm", "-e", "SEARCH_KEY", "example/search:${secret:region}"],
                "env": {"SEARCH_KEY": "${secret:search-key}", "ROOT": "${workspaceFolder}/docs"},
            },
            "remote": {
                "type": "http",
                "url": "https://mcp.example.org/${secret:region}/mcp",
                "headers": {"X-Key": "${secret:search-key}"},
            },
        },
        {
            "/inputs/0": ["import.input"],
            "/inputs/1": ["import.input"],
            "/servers/search": ["import.workspace"],
            "/servers/search/envFile": ["import.dropped"],
            "/servers/search/dev": ["import.dropped"],
        },
        ("search-key", "region"),
    ),
    "cursor.json": (
        {
            "mail": {
                "command": "mail-server",
                "args": ["--folder", "${workspaceFolder}"],
                "env": {"MAIL_TOKEN": "${env:MAIL_TOKEN_OF_NOBODY}"},
            },
            "wiki": {"type": "http", "url": "https://mcp.example.org/wiki", "headers": {"X-Team": "blue"}},
        },
        {
            "/mcpServers/mail": ["import.workspace", "import.unset"],
            "/mcpServers/mail/envFile": ["import.dropped"],
            "/mcpServers/wiki/auth": ["import.dropped"],
        },
        (),
    ),
    "windsurf.json": (
        {
            "figures": {
                "type": "http",
                "url": "https://mcp.example.org/figures",
                "headers": {"Authorization": "Bearer plain-and-made-up"},
            },
            "local": {"command": "npx", "args": ["-y", "local-server"], "desktopHost": {"autoStart": False}},
        },
        {
            "/mcpServers/figures/serverUrl": ["import.translated"],
            "/mcpServers/figures/disabledTools": ["import.dropped"],
            "/mcpServers/local/disabled": ["import.off"],
        },
        (),
    ),
    "cline_mcp_settings.json": (
        {
            "browser": {"command": "node", "args": ["browser.js"]},
            "shop": {"type": "http", "url": "https://mcp.example.org/shop", "desktopHost": {"autoStart": False}},
            "old": {"type": "sse", "url": "https://mcp.example.org/old"},
        },
        {
            "/mcpServers/browser/autoApprove": ["import.approval"],
            "/mcpServers/browser/alwaysAllow": ["import.approval"],
            "/mcpServers/browser/timeout": ["import.dropped"],
            "/mcpServers/shop/autoApprove": ["import.approval"],
            "/mcpServers/shop/disabled": ["import.off"],
        },
        (),
    ),
    "zed_settings.json": (
        {
            "docs": {"command": "docs-server", "args": ["--stdio"], "env": {"DOCS": "all"}},
            "flat": {"command": "flat-server", "args": ["-v"]},
            "far": {"type": "http", "url": "https://mcp.example.org/far", "headers": {"X-Team": "blue"}},
        },
        {"/context_servers/docs/source": ["import.dropped"], "/context_servers/flat/source": ["import.dropped"]},
        (),
    ),
    ".gemini/settings.json": (
        {
            "stream": {
                "type": "http",
                "url": "https://mcp.example.org/stream",
                "headers": {"Authorization": "Bearer ${STREAM_TOKEN_OF_NOBODY}"},
            },
            "events": {"type": "sse", "url": "https://mcp.example.org/sse"},
            "python": {
                "command": "python",
                "args": ["-m", "own_server"],
                "env": {"A": "${A_OF_NOBODY}", "B": "${B_OF_NOBODY}", "PRICE": "5$"},
                "cwd": "./servers",
            },
        },
        {
            "/mcpServers/stream": ["import.unset"],
            "/mcpServers/stream/httpUrl": ["import.translated"],
            "/mcpServers/stream/timeout": ["import.dropped"],
            "/mcpServers/stream/trust": ["import.approval"],
            "/mcpServers/events/excludeTools": ["import.dropped"],
            "/mcpServers/python": ["import.unset", "import.unset"],
            "/mcpServers/python/includeTools": ["import.dropped"],
        },
        (),
    ),
    "codex_config.toml": (
        {
            "ticket": {
                "command": "uvx",
                "args": ["ticket-server==1.2", "--port", "7"],
                "env": {"MODE": "quiet", "TICKET_HOME_OF_NOBODY": "${TICKET_HOME_OF_NOBODY}"},
                "cwd": "work",
                "desktopHost": {"timeout": 45.0},
            },
            "far": {
                "type": "http",
                "url": "https://mcp.example.org/codex",
                "headers": {
                    "X-Team": "blue",
                    "Authorization": "Bearer ${FAR_TOKEN_OF_NOBODY}",
                    "X-Secret": "${FAR_SECRET_OF_NOBODY}",
                },
                "desktopHost": {"autoStart": False},
            },
        },
        {
            "/mcp_servers/ticket": ["import.unset"],
            "/mcp_servers/ticket/env_vars": ["import.translated"],
            "/mcp_servers/ticket/startup_timeout_sec": ["import.dropped"],
            "/mcp_servers/ticket/default_tools_approval_mode": ["import.approval"],
            "/mcp_servers/ticket/enabled_tools": ["import.dropped"],
            "/mcp_servers/ticket/tools": ["import.dropped"],
            "/mcp_servers/far": ["import.unset", "import.unset"],
            "/mcp_servers/far/bearer_token_env_var": ["import.translated"],
            "/mcp_servers/far/http_headers": ["import.translated"],
            "/mcp_servers/far/env_http_headers/X-Secret": ["import.translated"],
            "/mcp_servers/far/enabled": ["import.off"],
        },
        (),
    ),
    "goose_config.yaml": (
        {
            "notes": {
                "command": "notes-server",
                "args": ["--fast", "7"],
                "env": {"MODE": "all", "NOTES_TOKEN": "${secret:NOTES_TOKEN}"},
                "desktopHost": {"autoStart": False},
            },
            "web": {"type": "http", "url": "https://mcp.example.org/goose", "headers": {"X-Team": "blue"}},
            "feed": {"type": "sse", "url": "https://mcp.example.org/feed"},
        },
        {
            "/extensions/developer": ["import.builtin"],
            "/extensions/notes/cmd": ["import.translated"],
            "/extensions/notes/description": ["import.dropped"],
            "/extensions/notes/enabled": ["import.off"],
            "/extensions/notes/env_keys": ["import.input"],
            "/extensions/notes/envs": ["import.translated"],
            "/extensions/notes/timeout": ["import.dropped"],
            "/extensions/web/uri": ["import.translated"],
            "/extensions/feed/uri": ["import.translated"],
        },
        ("NOTES_TOKEN",),
    ),
    "lm_studio.json": (
        {
            "models": {
                "type": "http",
                "url": "https://mcp.example.org/models",
                "headers": {"Authorization": "Bearer made-up-of-lm-studio"},
            },
            "calc": {"command": "calc-server"},
        },
        {},
        (),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_its_servers_and_tells_what_it_does_not_give(name: str) -> None:
    servers, notices, secrets = FILES[name]
    found = read(name)
    assert found.errors == ()
    assert bodies(found) == servers
    told = keys(found.notices)
    assert {path: sorted(what) for path, what in told.items()} == {path: sorted(what) for path, what in notices.items()}
    assert found.secrets == secrets
    assert all(english(remark.message) for remark in found.notices)


def test_every_fixture_is_read() -> None:
    assert set(READABLE) == {*FILES, "twice.json", "one_bad.json"}


@pytest.mark.parametrize("name", READABLE)
@pytest.mark.parametrize("form", ["mark", "returns", "utf-16"])
def test_marks_encodings_and_line_ends_change_nothing(name: str, form: str) -> None:
    path = HOSTS / name
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    plain = read_import(text.encode(), str(path))
    other = {
        "mark": text.encode("utf-8-sig"),
        "returns": text.replace("\n", "\r\n").encode(),
        "utf-16": text.encode("utf-16"),
    }[form]
    assert read_import(other, str(path)) == plain


def test_a_mark_does_not_move_what_stands_on_the_first_line() -> None:
    text = '{"mcpServers": {"a": {"command": 5}}}'
    assert parse_import("\ufeff" + text, "a.json") == parse_import(text, "a.json")


def test_nothing_moves_between_two_encodings_of_the_same_file() -> None:
    found = read("utf16.json")
    assert bodies(found) == {"größe": {"command": "x", "args": ["日本"]}}
    assert places(found.errors) == {"/mcpServers/bad/command": (5, 24)}


def test_bytes_that_are_no_text_are_said_to_be_none() -> None:
    for data in (b'{"a": "\xff"}', b"\xff\xfe{", "{}".encode("utf-16-le") + b"\x00\xd8"):
        with pytest.raises(FileProblem):
            read_import(data, "a.json")


# Places


def test_a_truncated_file_is_told_with_its_line_and_column() -> None:
    with pytest.raises(FileProblem) as problem:
        read("truncated.json")
    message = problem.value.message
    assert message.key == "file.not_json"
    assert (message.mapping["line"], message.mapping["column"]) == (4, 24)
    assert "truncated.json" in english(message)


def test_a_bad_entry_among_good_ones_is_told_with_its_pointer() -> None:
    found = read("one_bad.json")
    assert list(found.entries) == ["first", "last"]
    assert keys(found.errors) == {"/mcpServers/b~1a~0d/env/A": ["import.not_text"]}
    assert places(found.errors) == {"/mcpServers/b~1a~0d/env/A": (6, 35)}


def test_a_name_that_stands_twice_counts_once_and_is_told_at_the_last() -> None:
    found = read("twice.json")
    assert [entry.identity for entry in found.entries.values()] == ["last", "b"]
    assert keys(found.notices) == {"/mcpServers/a": ["import.twice"]}
    assert places(found.notices) == {"/mcpServers/a": (5, 10)}


@pytest.mark.parametrize("text", ['"a": {"command": "x"}', '"a": {"env": {"a": "1", "b": "2"}, "command": "x"}'])
def test_names_that_stand_once_are_not_told_to_stand_twice(text: str) -> None:
    assert parse_import('{"mcpServers": {' + text + "}}", "a.json").notices == ()


def test_a_group_that_stands_twice_is_told_too() -> None:
    found = parse_import('{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {"b": {"command": "y"}}}', "a.json")
    assert "import.twice" in [remark.message.key for remark in found.notices]


@pytest.mark.parametrize(
    ("body", "path", "key", "at"),
    [
        ('{"command": 5}', "/command", "import.not_text", "5"),
        ('{"command": ["x"], "args": 5}', "/args", "import.not_list", "5"),
        ('{"command": ["x"], "args": "abc"}', "/args", "import.not_list", '"abc"'),
        ('{"command": {"path": "x", "args": "abc"}}', "/command/args", "import.not_list", '"abc"'),
        ('{"command": "x", "args": "y"}', "/args", "import.not_list", '"y"'),
        ('{"command": "x", "args": [1, true]}', "/args/1", "import.not_text", "true"),
        ('{"command": "x", "env": ["A=1"]}', "/env", "import.not_object", "["),
        ('{"command": "x", "env": {"A": {}}}', "/env/A", "import.not_text", "{}"),
        ('{"url": "https://h.example", "headers": {"a/b": true}}', "/headers/a~1b", "import.not_text", "true"),
        ('{"url": "https://h.example", "type": "pigeon"}', "/type", "import.bad_type", '"pigeon"'),
        ('{"url": "https://h.example", "transport": "pigeon"}', "/transport", "import.bad_type", '"pigeon"'),
        ('{"command": "x", "cwd": 1}', "/cwd", "import.not_text", "1"),
        ('{"command": "x", "disabled": "no"}', "/disabled", "import.not_bool", '"no"'),
        ('{"command": "x", "desktopHost": []}', "/desktopHost", "import.not_object", "["),
        ('{"command": "x", "desktopHost": {"era": "future"}}', "/desktopHost/era", "import.bad_era", '"future"'),
        ('{"command": "x", "desktopHost": {"timeout": 0}}', "/desktopHost/timeout", "import.bad_timeout", "0"),
        ('{"command": "x", "desktopHost": {"autoStart": 1}}', "/desktopHost/autoStart", "import.not_bool", "1"),
        ('{"command": "x", "url": "https://h.example"}', "", "import.both", "{"),
        ('{"args": ["x"]}', "", "import.neither", "{"),
        ('{"command": "  "}', "", "import.neither", "{"),
        ("null", "", "import.not_object", "null"),
        ("[]", "", "import.not_object", "[]"),
    ],
)
def test_an_error_has_a_pointer_a_line_and_a_column(body: str, path: str, key: str, at: str) -> None:
    text = '{ /* two\nlines */ "mcpServers": {\n  "good": {"command": "x",},\n\t"bad": ' + body + ",\n}}"
    found = parse_import(text, "mcp.json")
    assert list(found.entries) == ["good"]
    (error,) = found.errors
    assert (error.path, error.message.key) == ("/mcpServers/bad" + path, key)
    assert text.split("\n")[error.line - 1][error.column - 1 :].startswith(at)


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.toml", 'model = "x"\n\n[mcp_servers.docs]\ncommand = 5\n', (3, 4)),
        ("a.toml", '# docs are here\nnotify = ["docs"]\n[mcp_servers.docs]\ncommand = 5\n', (3, 4)),
        ("a.toml", 'model = "a"\n[mcp_servers.a]\ncommand = 5\n', (2, 3)),
        ("a.yaml", "extensions:\n  docs:\n    cmd: 5\n", (2, 3)),
        ("a.yaml", "# docs\nextensions:\n  docs:\n    cmd: 5\n", (3, 4)),
    ],
)
def test_toml_and_yaml_tell_the_line_of_the_entry(name: str, text: str, line: tuple[int, int]) -> None:
    (error,) = parse_import(text, name).errors
    assert error.line in line, "the entry or its key"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.toml", 'a = 1\n[mcp_servers.x]\ncommand = "x\n', 3),
        ("a.toml", "a = 1\n[mcp_servers.x]\nargs = [", 3),
        ("a.yaml", "a: 1\nextensions: {\n", 3),
        ("a.yml", "a: 1\nextensions:\n\tb: 2\n", 3),
    ],
)
def test_what_is_no_toml_or_yaml_is_said_with_its_line(name: str, text: str, line: int) -> None:
    with pytest.raises(FileProblem) as problem:
        parse_import(text, name)
    assert problem.value.message.mapping["line"] == line


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "[]"),
        ("a.json", '"x"'),
        ("a.json", "{}"),
        ("a.json", '{"theme": "dark"}'),
        ("a.json", '{"a": ' + "1" * 5000 + "}"),
        ("a.json", "[" * 100_000),
        ("a.toml", 'model = "x"\n'),
        ("a.toml", "a = " + "[" * 5000),
        ("a.toml", "a = " + "1" * 5000),
        ("a.yaml", ""),
        ("a.yaml", "- a\n"),
        ("a.yaml", "[" * 5000),
        ("a.yaml", "a: 2024-13-45\nextensions: {x: {cmd: y}}\n"),
        ("a.yaml", "a: !!int z\nextensions: {x: {cmd: y}}\n"),
        ("a.yaml", "a: !!python/object/apply:os.getcwd []\n"),
        ("a.yaml", "? [a]\n: b\n"),
    ],
    ids=lambda value: value[:24],
)
def test_what_no_servers_can_be_read_from_is_a_problem_and_no_crash(name: str, text: str) -> None:
    with pytest.raises(FileProblem):
        parse_import(text, name)


@pytest.mark.parametrize(
    "text",
    [
        "extensions:\n  1: {cmd: one}\n  good: {cmd: g}\n",
        "extensions:\n  on: {cmd: one}\n  good: {cmd: g}\n",
        "extensions:\n  a: {cmd: one, 1: 2}\n  good: {cmd: g}\n",
        "extensions:\n  a: {cmd: one, envs: {1: 2}}\n  good: {cmd: g}\n",
        "extensions:\n  a: {cmd: one, args: [2020-01-01]}\n  good: {cmd: g}\n",
        "extensions: &e\n  a: *e\n  good: {cmd: g}\n",
    ],
)
def test_keys_of_yaml_that_are_no_text_cost_no_good_entry(text: str) -> None:
    found = parse_import(text, "config.yaml")
    assert found.entries["good"].command == "g"
    for entry in found.entries.values():
        assert all(isinstance(key, str) for key in (entry.name, *entry.env)), "servers.json has only texts as names"


# Groups


@pytest.mark.parametrize(
    "content",
    [
        {"mcpServers": {"s": {"command": "x"}}},
        {"servers": {"s": {"command": "x"}}},
        {"mcp": {"servers": {"s": {"command": "x"}}}},
        {"mcp": {"mcpServers": {"s": {"command": "x"}}}},
        {"mcp.servers": {"s": {"command": "x"}}},
        {"context_servers": {"s": {"command": "x"}}},
        {"mcp_servers": {"s": {"command": "x"}}},
        {"extensions": {"s": {"cmd": "x"}}},
        {"mcp": {"s": {"type": "local", "command": ["x"]}}},
        {"s": {"command": "x"}},
    ],
    ids=lambda content: "/".join(content),
)
def test_servers_are_found_wherever_hosts_keep_them(content: Json) -> None:
    found = parse_import(json.dumps(content), "settings.json")
    assert (bodies(found), found.errors) == ({"s": {"command": "x"}}, ())


@pytest.mark.parametrize(
    "beside",
    [
        {"mcp": {"allowed": ["a"], "excluded": []}},
        {"mcp": {"serverCommand": "own-server"}},
        {"extensions": {"disabled": ["x"]}},
    ],
)
def test_other_settings_of_the_same_file_are_no_bad_servers(beside: Json) -> None:
    """Gemini CLI keeps its lists of names in `mcp`, beside `mcpServers`."""
    found = one({"command": "x"}, ".gemini/settings.json", **beside)
    assert list(found.entries) == ["a", "good"]
    assert found.errors == ()


def test_an_empty_group_is_a_file_without_servers() -> None:
    assert parse_import('{"mcpServers": {}}', "a.json") == Imported()
    assert parse_import("\ufeff \r\n", "a.json") == Imported()


def test_inputs_of_vs_code_are_told_in_its_settings_too() -> None:
    server = {"command": "x", "env": {"K": "${input:k}"}}
    text = json.dumps({"mcp": {"inputs": [{"id": "k", "type": "promptString"}], "servers": {"s": server}}})
    found = parse_import(text, "settings.json")
    assert found.entries["s"].env == {"K": "${secret:k}"}
    assert found.secrets == ("k",)
    assert keys(found.notices) == {"/mcp/inputs/0": ["import.input"]}


# Keys


@pytest.mark.parametrize("where", ["env", "args", "cwd", "command"])
def test_an_input_is_a_secret_wherever_it_stands(where: str) -> None:
    given: Json = {"env": {"K": "a${input:x y}b"}, "args": ["a${input:x y}b"]}.get(where, "a${input:x y}b")
    found = one({"command": "c", where: given})
    assert found.secrets == ("x y",)
    assert "a${secret:x y}b" in json.dumps(found.entries["a"].as_json())


@pytest.mark.parametrize("key", APPROVING)
@pytest.mark.parametrize("value", [True, ["*"], "always", {"trust": True}, 1])
def test_what_approves_is_left_behind_and_told(key: str, value: object) -> None:
    found = one({"command": "x", key: value})
    assert found.entries["a"].as_json() == {"command": "x"}
    assert keys(found.notices) == {f"/mcpServers/a/{key}": ["import.approval"]}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"command": "x", "anything": 1}, "/anything"),
        ({"command": "x", "headers": {"A": "1"}}, "/headers"),
        ({"command": "x", "http_headers": {"A": "1"}}, "/http_headers"),
        ({"url": "https://h.example/", "env": {"A": "1"}}, "/env"),
        ({"url": "https://h.example/", "envs": {"A": "1"}}, "/envs"),
        ({"url": "https://h.example/", "cwd": "x"}, "/cwd"),
        ({"command": "x", "env": {"A": "1"}, "envs": {"B": "2"}}, "/envs"),
        ({"url": "https://h.example/", "type": "http", "command": "x"}, "/command"),
        ({"serverUrl": "https://h.example/", "type": "stdio", "command": "x"}, "/serverUrl"),
        ({"command": "x", "desktopHost": {"unknown": 1}}, "/desktopHost/unknown"),
    ],
)
def test_what_is_dropped_is_told_to_be_dropped(body: Json, path: str) -> None:
    found = one(body)
    assert "a" in found.entries
    assert keys(found.notices).get("/mcpServers/a" + path) == ["import.dropped"]


def test_a_variable_for_a_token_that_is_no_text_is_not_passed_over() -> None:
    found = one({"url": "https://h.example/", "bearer_token_env_var": 5})
    assert "/mcpServers/a/bearer_token_env_var" in keys((*found.notices, *found.errors))


def test_our_own_way_to_sign_in_comes_along_or_is_told() -> None:
    found = one({"url": "https://h.example/", "desktopHost": {"oauth": {"clientId": "c"}}})
    assert found.entries["a"].oauth.client_id == "c" or found.notices


def test_the_newer_address_of_gemini_is_the_one_that_counts() -> None:
    both = {"url": "https://h.example/sse", "httpUrl": "https://h.example/http"}
    assert one(both, ".gemini/settings.json").entries["a"].as_json() == {
        "type": "http",
        "url": "https://h.example/http",
    }


@pytest.mark.parametrize("name", ["notes.gemini.json", "my.gemini-copies/mcp.json"])
def test_only_the_folder_of_gemini_makes_it_a_file_of_gemini(name: str) -> None:
    assert one({"url": "https://h.example/", "headers": {"A": "$B"}}, name).entries["a"].as_json() == {
        "type": "http",
        "url": "https://h.example/",
        "headers": {"A": "$B"},
    }
    for folder in (".gemini/settings.json", ".gemini\\settings.json"):
        assert one({"url": "https://h.example/"}, folder).entries["a"].transport == "sse"


@pytest.mark.parametrize(
    ("body", "starts"),
    [
        ({}, True),
        ({"disabled": False}, True),
        ({"disabled": True}, False),
        ({"enabled": False}, False),
        ({"enabled": True}, True),
        ({"desktopHost": {"autoStart": False}}, False),
        ({"disabled": False, "desktopHost": {"autoStart": False}}, False),
        ({"disabled": False, "enabled": False}, False),
        ({"disabled": True, "enabled": True}, False),
        ({"disabled": None}, True),
    ],
)
def test_what_is_off_anywhere_does_not_start(body: Json, starts: bool) -> None:
    assert one({"command": "x", **body}).entries["a"].auto_start is starts


def test_variables_are_told_only_where_they_are_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IS_SET", "1")
    found = one({"command": "x", "args": ["${IS_SET}", "${IS_NOT_SET}", "${env:IS_SET}", "${IS_NOT_SET:-fallback}"]})
    assert [english(remark.message) for remark in found.notices] == [
        "“IS_NOT_SET” is not set in the environment; the server does not start without it."
    ]


# Size


def test_a_history_of_claude_code_is_read_in_a_moment() -> None:
    """Such a file grows to megabytes, and has a group for every project."""
    projects = {
        f"/p/{number}": {"history": ["y" * 60] * 40, "mcpServers": {f"s{number}": {"command": "x", "more": 1}}}
        for number in range(20)
    }
    text = json.dumps({"history": ["x" * 80] * 16_000, "projects": projects}, indent=2)
    start = time.process_time()
    found = parse_import(text, ".claude.json")
    assert (len(found.entries), len(found.notices)) == (20, 20)
    assert time.process_time() - start < 1


# Secrets in plain text


def test_secrets_are_known_by_their_names_or_values() -> None:
    made_up = "".join(("gh", "p_", "0123456789"))
    env = {
        "API_KEY": "abc",
        "DB_PASSWORD": "abc",
        "PLAIN": made_up,
        "MODE": "fast",
        "MY_TOKEN": "${secret:t}",
        "CLIENT_SECRET": "",
        "MONKEY": "banana",
    }
    assert plain_secrets(ServerEntry("a", "x", env=env)) == [
        ("env", "API_KEY"),
        ("env", "DB_PASSWORD"),
        ("env", "PLAIN"),
    ]
    headers = {"Authorization": "Bearer abc", "X-Team": "blue", "X-Other": f"Bearer {made_up}"}
    assert plain_secrets(ServerEntry("a", url="https://h.example/", headers=headers)) == [
        ("headers", "Authorization"),
        ("headers", "X-Other"),
    ]


def test_moved_secrets_leave_the_rest_of_the_entry_alone() -> None:
    (name, entry), *_ = read("windsurf.json").entries.items()
    moved, kept = moved_secrets(entry)
    assert kept == {"figures/Authorization": "Bearer plain-and-made-up"}
    assert moved.as_json() == {**entry.as_json(), "headers": {"Authorization": "${secret:figures/Authorization}"}}
    assert (plain_secrets(moved), moved_secrets(moved)) == ([], (moved, {}))
    assert "made-up" not in json.dumps(moved.as_json())
    assert moved.name == name


NAMES = st.text(st.sampled_from("ab:-}{$/ "), min_size=1, max_size=6)


@given(NAMES, st.dictionaries(NAMES.map("TOKEN{}".format), st.sampled_from(["one", "two"]), min_size=1, max_size=3))
@example("a:-b", {"TOKEN": "v"})
@example("a", {"TOKEN}": "one", "TOKEN": "two"})
@settings(max_examples=60, deadline=None)
def test_a_moved_secret_reaches_its_server_as_it_was(name: str, env: dict[str, str]) -> None:
    entry = ServerEntry(name, "x", env=env)
    moved, kept = moved_secrets(entry)
    assert resolve(moved, kept.get, None).env == env


def test_a_header_and_a_variable_of_one_name_keep_their_own_values() -> None:
    entry = ServerEntry("a", "x", env={"TOKEN": "of env"}, headers={"TOKEN": "of headers"})
    moved, kept = moved_secrets(entry)
    again = resolve(moved, kept.get, None)
    assert (again.env, again.headers) == (entry.env, entry.headers)


# Links


def link(content: object, name: str = "x", packed: Callable[[bytes], bytes] = base64.b64encode) -> str:
    return f"desktop-host:add?name={name}&config={packed(json.dumps(content).encode()).decode()}"


def test_a_link_adds_one_server_by_its_name() -> None:
    body = {"command": "x", "args": ["ÿ?>~", "ûï¾"], "autoApprove": ["*"], "trust": True}
    for packed in (base64.b64encode, base64.urlsafe_b64encode, lambda data: base64.b64encode(data).rstrip(b"=")):
        found = parse_link(link(body, "my%20server", packed))
        assert bodies(found) == {"my server": {"command": "x", "args": ["ÿ?>~", "ûï¾"]}}
        assert [remark.message.key for remark in found.notices] == ["import.approval"] * 2


def test_a_link_without_a_name_and_one_with_a_slash() -> None:
    packed = base64.b64encode(b'{"url": "https://h.example/"}').decode()
    assert list(parse_link(f"desktop-host:add?config={packed}").entries) == ["server"]
    assert list(parse_link(f"desktop-host://add?name=y&config={packed}").entries) == ["y"]
    assert list(parse_link(f"desktop-host:add?name=y&config={packed.replace('=', '%3D')}").entries) == ["y"]


def test_a_link_with_a_bad_entry_tells_of_it() -> None:
    found = parse_link(link({"command": 5}))
    assert (found.entries, keys(found.errors)) == ({}, {"/mcpServers/x/command": ["import.not_text"]})


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "desktop-host:",
        "desktop-host:add",
        "desktop-host:add?name=x",
        "desktop-host:add?name=x&config=",
        "desktop-host:add?name=x&config=e30!",
        "desktop-host:add?name=x&config=a",
        "desktop-host:add?name=x&config=é",
        "desktop-host:add?name=x&config=%C3%A9",
        "desktop-host:add?name=x&config=%FF",
        "desktop-host:add?name=x&config=//79",
        "desktop-host:add?name=x&config=W10=",
        "desktop-host:add?name=x&config=NQ==",
        "desktop-host:add?name=x&config=e30",
        "desktop-host:add?name=x&config=eyJ",
        "desktop-host:remove?name=x&config=e30=",
        "desktop-host:add/more?name=x&config=e30=",
        "desktop-host://[?config=e30=",
        "other-host:add?name=x&config=e30=",
        "https://h.example/add?name=x&config=e30=",
    ],
)
def test_a_bad_link_adds_nothing(wrong: str) -> None:
    found = or_why_not(lambda: parse_link(wrong))
    if isinstance(found, Imported):
        assert found.entries == {}
        assert found.errors, "and says why"


@given(st.text(max_size=30))
@example("é")
@settings(max_examples=60, deadline=None)
def test_whatever_stands_in_a_link_is_read_or_refused(text: str) -> None:
    source = text_source("pasted", f"desktop-host:add?name=x&config={text}")
    assert source.problem is not None or source.found.errors or source.found.entries


def test_what_is_pasted_may_be_a_link_or_a_file() -> None:
    address = link({"command": "x"}, "linked")
    assert list(text_source("pasted", address).found.entries) == ["linked"]
    assert list(text_source("pasted", f"  {address}\n").found.entries) == ["linked"]
    assert list(text_source("pasted", '{"a": {"command": "x"}}').found.entries) == ["a"]
    problem = text_source("pasted", "nothing").problem
    assert problem is not None
    assert problem.key == "file.not_json"


# Where the files are


PLACES = {
    "Claude Code": (".claude.json", ".claude.json"),
    "Cursor": (".cursor/mcp.json", "cursor.json"),
    "Windsurf": (".codeium/windsurf/mcp_config.json", "windsurf.json"),
    "Gemini CLI": (".gemini/settings.json", ".gemini/settings.json"),
    "Codex": (".codex/config.toml", "codex_config.toml"),
    "LM Studio": (".lmstudio/mcp.json", "lm_studio.json"),
    "goose": (".config/goose/config.yaml", "goose_config.yaml"),
    "Zed": (".config/zed/settings.json", "zed_settings.json"),
}
SETTINGS = {
    "linux": ".config",
    "darwin": "Library/Application Support",
    "win32": "AppData/Roaming",
}
IN_SETTINGS = {
    "Claude Desktop": ("Claude/claude_desktop_config.json", "claude_desktop.json"),
    "VS Code": ("Code/User/mcp.json", "vscode_mcp.json"),
    "Cline": (
        "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "cline_mcp_settings.json",
    ),
}


def furnish(home: Path, base: str) -> dict[str, Path]:
    """A home in which every host is installed: where the file of each is."""
    wanted = {host: (home / place, file) for host, (place, file) in PLACES.items()}
    wanted |= {host: (home / base / place, file) for host, (place, file) in IN_SETTINGS.items()}
    for path, file in wanted.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((HOSTS / file).read_bytes())
    return {host: path for host, (path, _) in wanted.items()}


@pytest.mark.parametrize("system", SETTINGS)
def test_the_files_of_a_home_are_found_on_every_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    monkeypatch.setattr("desktop_host.config.hosts.sys.platform", system)
    monkeypatch.delenv("APPDATA", raising=False)
    home = tmp_path / "home"
    wanted = furnish(home, SETTINGS[system])
    found = host_files(home)
    assert {file.host: file.path for file in found} == wanted
    assert len(found) == len(wanted), "each once"


def test_a_home_without_hosts_has_no_files(tmp_path: Path) -> None:
    assert host_files(tmp_path) == []
    (tmp_path / ".claude.json").mkdir()
    assert host_files(tmp_path) == [], "a folder is no file"


def test_a_broken_file_of_one_host_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = furnish(tmp_path, ".config")
    wanted["Cursor"].write_bytes((HOSTS / "truncated.json").read_bytes())
    wanted["Zed"].write_text('{"theme": "One"}', encoding="utf-8")
    wanted["goose"].write_text("a: 2024-13-45\n", encoding="utf-8")
    monkeypatch.setattr("desktop_host.config.hosts.sys.platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    titles = {source.title.partition(" · ")[0] for source in other_hosts() if source.found.entries}
    assert titles == set(wanted) - {"Cursor", "Zed", "goose"}
    problem = read_source("Cursor", wanted["Cursor"]).problem
    assert problem is not None
    assert (problem.key, problem.mapping["line"]) == ("file.not_json", 4)


# Whatever a file says


WORDS = (
    "command", "args", "env", "cwd", "url", "headers", "type", "desktopHost", "autoApprove", "alwaysAllow", "trust",
    "disabled", "enabled", "httpUrl", "serverUrl", "transport", "env_keys", "env_vars", "env_http_headers",
    "bearer_token_env_var", "tool_timeout_sec", "path", "oauth", "era", "timeout", "autoStart", "mcpServers", "servers",
    "mcp", "projects", "inputs", "context_servers", "extensions", "mcp.servers", "id", "x/~y", "",
)  # fmt: skip
TEXTS = st.sampled_from(["x", "", "stdio", "sse", "https://h.example/", "${input:i}", "$A", "a\ud800"]) | st.text(
    max_size=5
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**70) | st.floats() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
TRUSTING = st.dictionaries(st.sampled_from(APPROVING), ANYTHING, min_size=1, max_size=3)
RUNNING = st.fixed_dictionaries(
    {"command": st.just("x") | st.just(["x"]) | st.just({"path": "x"})}
) | st.fixed_dictionaries({"url": st.just("https://h.example/")})
SERVER = st.builds(
    lambda running, more, trusting: {**more, **running, **trusting},
    RUNNING,
    st.dictionaries(st.sampled_from(WORDS), ANYTHING, max_size=3),
    TRUSTING,
)
OBJECT = st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), ANYTHING, max_size=4)
FILE = OBJECT | st.builds(
    lambda group, servers: {group: servers},
    st.sampled_from(["mcpServers", "servers", "mcp", "context_servers", "extensions"]),
    st.dictionaries(st.text(max_size=3), SERVER | ANYTHING, max_size=3),
)
NAME = st.sampled_from(["a.json", ".gemini/settings.json", "-"])


def approves_nothing(found: Imported) -> None:
    for entry in found.entries.values():
        body = entry.as_json()
        assert body.keys() <= OURS
        assert body.get("desktopHost", {}).keys() <= OWN
        assert not set(APPROVING) & {*body, *body.get("desktopHost", {})}


@given(FILE, NAME)
@example({"mcpServers": {"a": {"command": ["x"], "args": 5}}}, "a.json")
@example({"mcpServers": {"a": {"command": "x", "trust": True, "autoApprove": ["*"], "alwaysAllow": []}}}, "a.json")
@settings(max_examples=250, deadline=None)
def test_any_object_is_read_or_refused_and_approves_nothing(content: Json, name: str) -> None:
    text = json.dumps(content)
    found = or_why_not(lambda: parse_import(text, name))
    if not isinstance(found, Imported):
        return
    approves_nothing(found)
    lines = text.count("\n") + 1
    for remark in (*found.errors, *found.notices):
        assert remark.path == "" or remark.path.startswith("/")
        assert 1 <= remark.line <= lines
        assert remark.column >= 1
        assert english(remark.message)


@given(SERVER | ANYTHING, st.sampled_from(["mcpServers", "servers", "mcp", "context_servers", "extensions"]), NAME)
@example({"command": ["x"], "args": 5}, "mcpServers", "a.json")
@example(None, "mcpServers", "a.json")
@settings(max_examples=250, deadline=None)
def test_one_bad_entry_never_removes_the_good_ones(bad: Any, group: str, name: str) -> None:
    good: Json = {"command": "g", "args": ["1"]}
    text = json.dumps({group: {"first good": good, "bad": bad, "last good": good}})
    found = parse_import(text, name)
    approves_nothing(found)
    assert {key: bodies(found).get(key) for key in ("first good", "last good")} == {
        "first good": good,
        "last good": good,
    }
    if "bad" not in found.entries:
        assert any(remark.path.startswith(f"/{group}/bad") for remark in (*found.errors, *found.notices))
