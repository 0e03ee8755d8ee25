"""`desktop-host call`: one tool call by the same Host without windows; standard output is one JSON object."""

import contextlib
import io
import json
import os
import pty
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_host.cli.main import main
from tests.support.model_server import ScriptedEndpoint
from tests.support.wire import FORM, LINK, ROOTS, SAMPLING, RawServer, Wire

pytest_plugins = ("tests.support.fixtures",)

Json = dict[str, Any]
PROGRAM = [sys.executable, "-m", "desktop_host", "call"]
DOCUMENTED = {"kind", "server", "tool", "params", "findings", "decision", "answer", "errors", "notices"}
CANCELLED = {"action": "cancel"}


@dataclass(frozen=True)
class Called:
    """What a call left behind. `result` and `asks` are None where nothing may be on standard output."""

    code: int
    errors: str
    result: Json | None = None
    asks: list[Json] | None = None

    @property
    def text(self) -> str:
        assert self.result is not None
        return self.result["content"][0]["text"]

    @property
    def only(self) -> Json:
        assert self.asks is not None
        (ask,) = self.asks
        return ask


def call(*argv: str | Path, stdin: int = subprocess.DEVNULL) -> Called:
    """Make a call as a process; standard output is exactly one JSON object, but for exit code 2."""
    words = [*PROGRAM, *map(str, argv)]
    done = subprocess.run(words, stdin=stdin, capture_output=True, text=True, timeout=90, check=False)
    return _called(done.returncode, done.stdout, done.stderr)


def call_here(*argv: str) -> Called:
    """The same in this process, at a tenth of the cost."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(["call", *argv])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else -1
    return _called(code, out.getvalue(), err.getvalue())


def _called(code: int, out: str, err: str) -> Called:
    assert "Traceback" not in err
    if code == 2:
        assert out == ""
        return Called(2, err)
    assert out.count("\n") == 1, out + err
    whole: Json = json.loads(out)
    assert whole.keys() == {"result", "asks"}
    assert all(ask.keys() >= DOCUMENTED for ask in whole["asks"])
    return Called(code, err, whole["result"], whole["asks"])


@pytest.fixture
def answers(folders: Path) -> Callable[..., str]:
    """Writes an answers file; its path."""

    def write(*entries: Json) -> str:
        path = folders / "answers.json"
        path.write_text(json.dumps({"answers": entries}), encoding="utf-8")
        return str(path)

    return write


def after_dashes(server: RawServer, *options: str, tool: str = "tool") -> list[str]:
    """The words that name a server by its command."""
    return ["--tool", tool, *options, "--", server.entry.command, *server.entry.args]


BOOKING: tuple[Json, ...] = (
    {"kind": "form", "tool": "book_*", "fields": ["seat"], "enter": {"confirm": True, "seat": "Window"}},
    {"kind": "form", "enter": {"name": "Mo", "email": "mo@example.org", "travellers": 3}, "clear": ["departure"]},
)


@pytest.mark.parametrize(("server", "era"), [("demo", None), ("demo-modern", None), ("demo", "modern")])
def test_the_demo_is_called_by_name_and_its_forms_are_answered_as_by_hand(
    answers: Callable[..., str], server: str, era: str | None
) -> None:
    options = ["--era", era] if era else []
    called = call(server, "book_trip", "--args", '{"city": "Oslo"}', "--answers", answers(*BOOKING), *options)
    assert (called.code, called.asks is not None) == (0, True)
    assert called.text == "Booked: Oslo for Mo, 2027-06-15 to None with window. Tickets go to mo@example.org."
    first, second = called.asks or []
    assert first["answer"] == {
        "action": "accept",
        "content": {"confirm": True, "seat": "window", "insurance": False},
    }
    assert second["answer"]["content"] == {
        "name": "Mo",
        "email": "mo@example.org",
        "arrival": "2027-06-15",
        "travellers": 3,
    }
    for ask in (first, second):
        assert (ask["kind"], ask["server"], ask["tool"], ask["outcome"]) == ("form", server, "book_trip", "accept")
        assert ask["params"]["requestedSchema"]["properties"]
        decision = ask["decision"]
        assert (decision["effect"], decision["reasons"]) == ("ask", ["A form is never filled in for you."])
        assert (ask["findings"], ask["errors"], ask["notices"]) == ([], {}, [])
    assert ("resultType" in (called.result or {})) == (server == "demo-modern" or era == "modern")


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_asks_and_answers_are_the_exact_wire_objects(
    wire: Wire, folders: Path, answers: Callable[..., str], era: str
) -> None:
    """The server's result is what it received, so it must equal what was printed."""
    (folders / "docs").mkdir()
    requests = {"form": FORM, "url": LINK, "sampling": SAMPLING, "roots": ROOTS}
    server = wire.raw({"asks": requests}, era=era, protocol="2026-07-28" if era == "modern" else "2025-11-25")
    file = answers(
        {"kind": "roots"},
        {"kind": "sampling", "model": "you", "text": "Hello · 你好"},
        {"kind": "url"},
        {"kind": "form", "enter": {"name": "Ünal"}},
    )
    called = call(*after_dashes(server, "--answers", file, "--root", str(folders / "docs")))
    assert called.code == 0
    received = dict(zip(requests, json.loads(called.text), strict=True))
    asks = {ask["kind"]: ask for ask in called.asks or []}
    assert asks.keys() == requests.keys()
    for kind, ask in asks.items():
        assert ask["answer"] == received[kind]
        assert ask["params"] == requests[kind].get("params", {})
        assert (ask["server"], ask["tool"]) == (Path(sys.executable).name, "tool")
    assert received == {
        "form": {"action": "accept", "content": {"name": "Ünal"}},
        "url": {"action": "accept"},
        "sampling": {
            "role": "assistant",
            "content": {"type": "text", "text": "Hello · 你好"},
            "model": "you",
            "stopReason": "endTurn",
        },
        "roots": {"roots": [{"uri": (folders / "docs").as_uri(), "name": "docs"}]},
    }
    assert f"open: {LINK['params']['url']}" in called.errors


@pytest.mark.parametrize(
    ("era", "code"), [("handshake", 0), ("modern", 4)], ids=["handshake tells the server", "modern gives the call up"]
)
def test_a_declined_sampling_is_told_per_era(wire: Wire, answers: Callable[..., str], era: str, code: int) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era, protocol="2026-07-28" if era == "modern" else "2025-11-25")
    called = call_here(*after_dashes(server, "--answers", answers({"do": "decline", "reason": "not today"})))
    assert called.code == code
    rejected = {"error": {"code": -1, "message": "User rejected sampling request"}}
    if era == "handshake":
        assert json.loads(called.text) == [rejected]
    else:
        assert called.result is None
        assert "because you declined one of its questions" in called.errors
    assert called.only["answer"] == (rejected if era == "handshake" else None)
    assert (called.only["outcome"], called.only["reason"]) == ("decline", "not today")
    assert "not today" not in server.log.read_text(), "a reason stays here"


@pytest.mark.parametrize(
    ("entries", "action", "code"),
    [
        (({"kind": "url"}, {"kind": "form", "do": "decline"}, {"kind": "form", "do": "cancel"}), "decline", 0),
        (({"tool": "too?", "do": "decline"}, {"do": "cancel"}), "decline", 0),
        (({"tool": "other", "do": "decline"}, {"do": "cancel"}), "cancel", 0),
        (({"server": "py*", "do": "decline"}, {"do": "cancel"}), "decline", 0),
        (({"server": "demo", "do": "decline"}, {"do": "cancel"}), "cancel", 0),
        (({"fields": ["name"], "do": "decline"}, {"do": "cancel"}), "decline", 0),
        (({"fields": ["name", "age"], "do": "decline"}, {"do": "cancel"}), "cancel", 0),
        (({"kind": "sampling"},), "cancel", 4),
        ((), "cancel", 4),
    ],
)
def test_the_first_entry_that_matches_answers_and_what_none_matches_is_cancelled(
    wire: Wire, answers: Callable[..., str], entries: tuple[Json, ...], action: str, code: int
) -> None:
    server = wire.raw({"ask": FORM})
    called = call_here(*after_dashes(server, "--answers", answers(*entries)))
    assert (called.code, json.loads(called.text)) == (code, [{"action": action}])
    assert (called.only["outcome"], called.only["answer"]) == (action, {"action": action})
    assert ("no answer matches this form ask: cancelled" in called.errors) == (code == 4)


def test_an_accept_that_does_not_fit_is_not_sent_and_its_errors_are_told(
    wire: Wire, answers: Callable[..., str]
) -> None:
    properties = {
        "age": {"type": "integer", "minimum": 0},
        "mail": {"type": "string", "format": "email"},
        "code": {"type": "string", "pattern": "^\\d{4}$"},
        "size": {"type": "string", "enum": ["s", "l"]},
        "fine": {"type": "string"},
        "json": {"type": "object", "required": ["zip"]},
    }
    schema = {"type": "object", "properties": properties, "required": ["size"]}
    server = wire.raw({"ask": {"method": FORM["method"], "params": {"message": "?", "requestedSchema": schema}}})
    enter = {"age": -1, "mail": "nobody", "code": "12", "fine": "yes", "json": "{", "ghost": "boo"}
    called = call_here(*after_dashes(server, "--answers", answers({"enter": enter})))
    assert (called.code, json.loads(called.text)) == (4, [CANCELLED])
    assert (called.only["answer"], called.only["outcome"]) == (CANCELLED, "cancel")
    assert called.only["errors"] == {
        "age": "This must be at least 0.",
        "mail": "Not a whole address yet. Example: name@example.org",
        "code": "This does not have the form the server wants: ^\\d{4}$",
        "size": "This is needed.",
        "json": "This is not JSON yet (line 1, column 2).",
    }
    assert "form has no field 'ghost'" in called.errors
    assert '"boo"' not in server.log.read_text()


def test_findings_and_notices_are_told(wire: Wire, answers: Callable[..., str]) -> None:
    properties = {"api_key": {"type": "string"}, "n": {"type": "integer", "default": "seven"}}
    schema = {"type": "object", "properties": properties}
    server = wire.raw({"ask": {"method": FORM["method"], "params": {"message": "?", "requestedSchema": schema}}})
    called = call_here(*after_dashes(server, "--answers", answers({"enter": {"api_key": "sk-very-secret"}})))
    assert called.code == 0
    (finding,) = called.only["findings"]
    assert (finding["severity"], finding["where"], finding["key"]) == ("danger", "api_key", "form.asks_for_secret")
    assert finding["text"].startswith("This form asks for a password")
    assert called.only["notices"] == ["The server’s suggestion for “n” does not fit its own rules and was left out."]
    assert called.only["answer"]["content"] == {"api_key": "sk-very-secret"}
    for path in Path(os.environ["DESKTOP_HOST_DATA_DIR"]).rglob("*"):
        assert not path.is_file() or b"sk-very-secret" not in path.read_bytes(), "a secret is never stored"


def test_a_link_is_opened_in_the_browser_only_where_the_answer_says_so(
    wire: Wire, folders: Path, answers: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, opened = folders / "browser", folders / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    server = wire.raw({"ask": LINK})
    for entry, urls in (({}, []), ({"open": True}, [LINK["params"]["url"]])):
        called = call(*after_dashes(server, "--answers", answers({"kind": "url", **entry})))
        assert (called.code, json.loads(called.text)) == (0, [{"action": "accept"}])
        assert (opened.read_text().splitlines() if opened.exists() else []) == urls


def test_progress_and_words_go_to_standard_error(wire: Wire) -> None:
    server = wire.raw({"progress": {"progress": 1, "total": 3, "message": "step"}, "times": 3, "delay": 0.05})
    called = call_here(*after_dashes(server))
    assert called.code == 0
    assert [line for line in called.errors.splitlines() if line.startswith("progress:")] == [
        "progress: 1/3 step",
        "progress: 2/3 step",
        "progress: 3/3 step",
    ]


def test_a_name_from_servers_json_is_asked_about_once(wire: Wire, folders: Path, answers: Callable[..., str]) -> None:
    server = wire.raw({"result": {"content": [{"type": "text", "text": "hi"}]}}, name="mine")
    config = folders / "config" / "servers.json"
    config.parent.mkdir()
    body = server.entry.as_json() | {"env": {"TOKEN": "t0ken"}}
    config.write_text("// mine\n" + json.dumps({"mcpServers": {"mine": body, "bad": {"command": 5}}}), encoding="utf-8")

    refused = call("mine", "tool", "--answers", answers({"kind": "connect", "do": "decline", "reason": "who?"}))
    assert (refused.code, refused.result, refused.only["outcome"]) == (4, None, "decline")
    assert "Not started, because you did not allow it." in refused.errors
    assert "“bad.command” is not usable" in refused.errors
    assert not server.log.exists(), "nothing started before consent"

    asked = call("mine", "tool", "--answers", answers({"kind": "connect"}))
    assert (asked.code, asked.text) == (0, "hi")
    assert (asked.only["kind"], asked.only["server"], asked.only["tool"]) == ("connect", "mine", "")
    assert asked.only["params"] == {
        "command": server.entry.command,
        "args": list(server.entry.args),
        "env": ["TOKEN"],
        "cwd": "",
        "program": server.entry.command,
        "before": "",
    }
    again = call("mine", "tool")
    assert (again.code, again.text, again.asks) == (0, "hi", [])

    elsewhere = folders / "elsewhere.json"
    elsewhere.write_text(config.read_text().replace("t0ken", "${NOT_SET_ANYWHERE}"))
    unresolved = call("mine", "tool", "--config", elsewhere)
    assert (unresolved.code, unresolved.asks) == (3, [])
    assert "“NOT_SET_ANYWHERE” has no value" in unresolved.errors


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_an_address_is_called_without_a_connect_ask(wire: Wire, answers: Callable[..., str], era: str) -> None:
    protocol = "2026-07-28" if era == "modern" else "2025-11-25"
    server = wire.raw({"ask": FORM}, transport="http", era=era, protocol=protocol)
    called = call_here(server.entry.url, "tool", "--answers", answers({"enter": {"name": "Mo"}}))
    assert (called.code, json.loads(called.text)) == (0, [{"action": "accept", "content": {"name": "Mo"}}])
    assert (called.only["kind"], called.only["server"]) == ("form", server.entry.url)


# Exit codes


def test_a_tool_that_errs_is_1_with_its_result(wire: Wire) -> None:
    result = {"content": [{"type": "text", "text": "no such city"}], "isError": True}
    called = call(*after_dashes(wire.raw({"result": result})))
    assert (called.code, called.result, called.asks) == (1, result, [])


def test_a_server_that_answers_with_an_error_is_1_without_one(wire: Wire) -> None:
    called = call_here(*after_dashes(wire.raw({"error": {"code": -32000, "message": "out of order"}})))
    assert (called.code, called.result) == (1, None)
    assert "error -32000: out of order" in called.errors
    unknown = call_here(*after_dashes(wire.raw({"result": {"content": []}}), tool="nope"))
    assert (unknown.code, unknown.result) == (1, None)
    assert "no tool of this name" in unknown.errors


def test_what_cannot_be_reached_is_3(folders: Path, wire: Wire) -> None:
    missing = call_here("--tool", "t", "--", str(folders / "no-such-program"))
    assert (missing.code, missing.result, missing.asks) == (3, None, [])
    assert "There is no program" in missing.errors
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    closed = call_here(f"http://127.0.0.1:{port}/mcp", "t")
    assert (closed.code, closed.result) == (3, None)
    assert "cannot be reached" in closed.errors
    ends = call_here(
        "--tool", "t", "--", sys.executable, "-c", "import sys; print('no config', file=sys.stderr); sys.exit(7)"
    )
    assert ends.code == 3
    assert "(exit code 7). Its last words: no config" in ends.errors
    dies = wire.faulty()
    dead = call_here("--tool", "die", "--", dies.entry.command, *dies.entry.args)
    assert (dead.code, dead.result) == (3, None)
    only_old = call_here(*after_dashes(wire.raw({"result": {"content": []}}), "--era", "modern"))
    assert only_old.code == 3


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_an_ask_that_is_refused_is_4(wire: Wire, answers: Callable[..., str], era: str) -> None:
    bad = {"method": LINK["method"], "params": {**LINK["params"], "url": "javascript:alert(1)"}}
    server = wire.raw({"ask": bad}, era=era, protocol="2026-07-28" if era == "modern" else "2025-11-25")
    called = call_here(*after_dashes(server, "--answers", answers({"kind": "url"})))
    assert called.code == 4
    assert called.only["outcome"] == "refused"
    assert called.only["notices"] == ["The server sent a link that is no web address. It was refused."]
    wrong = {"error": {"code": -32602, "message": "Invalid url"}}
    assert called.only["answer"] == (wrong if era == "handshake" else None)
    assert (called.result is None) == (era == "modern")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a server and a tool"),
        (["demo"], "name the tool once"),
        (["demo", "a", "b"], "name the tool once"),
        (["demo", "a", "--tool", "b"], "name the tool once"),
        (["--", "uvx"], "name the tool once"),
        (["nope", "tool"], "no server 'nope'"),
        (["nope", "tool"], "demo, demo-modern"),
        (["demo", "a", "--args", "{"], "--args is not JSON"),
        (["demo", "a", "--args", "[]"], "--args must be a JSON object"),
        (["demo", "a", "--era", "future"], "invalid choice: 'future'"),
        (["demo", "a", "--answers", "FOLDER/none.json"], "No such file"),
        (["demo", "a", "--root", "FOLDER/none"], "is not a folder"),
        (["mine", "a", "--config", "FOLDER/broken.json"], "line 1, column 2: this is not JSON"),
        (["demo", "a", "--nonsense"], "--nonsense"),
    ],
)
def test_words_that_are_off_are_2_and_say_why(folders: Path, words: list[str], said: str) -> None:
    (folders / "broken.json").write_text("{")
    called = call_here(*(word.replace("FOLDER", str(folders)) for word in words))
    assert called.code == 2
    assert said in called.errors


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "line 1, column 2"),
        ("[]", '"answers" must be a list'),
        ('{"answers": {}}', '"answers" must be a list'),
        ('{"answers": [5]}', "answers/0: this must be an object"),
        ('{"answers": [{}, {"knd": "form"}]}', "answers/1: unknown key 'knd'"),
        ('{"answers": [{"kind": "frm"}]}', "answers/0/kind: must be one of *, form, url"),
        ('{"answers": [{"kind": ["form"]}]}', "answers/0/kind: must be one of"),
        ('{"answers": [{"do": "stop"}]}', "answers/0/do: must be accept, decline or cancel"),
        ('{"answers": [{"server": 5}]}', "answers/0/server: must be a text"),
        ('{"answers": [{"fields": "seat"}]}', "answers/0/fields: must be a list"),
        ('{"answers": [{"clear": [1]}]}', "answers/0/clear: must be a list"),
        ('{"answers": [{"enter": []}]}', "answers/0/enter: must be an object"),
        ('{"answers": [{"enter": {"a": {}}}]}', "answers/0/enter/a: must be a text"),
        ('{"answers": [{"enter": {"a": null}}]}', "answers/0/enter/a: must be a text"),
        ('{"answers": [{"open": "yes"}]}', "answers/0/open: must be true or false"),
        ("\xff", "UTF-8"),
    ],
)
def test_an_answers_file_that_is_off_is_2_and_says_where(folders: Path, content: str, said: str) -> None:
    path = folders / "answers.json"
    path.write_bytes(content.encode("latin-1"))
    called = call_here("demo", "book_trip", "--answers", str(path))
    assert called.code == 2
    assert str(path) in called.errors
    assert said in called.errors


def test_words_that_are_off_are_2_as_a_process_too() -> None:
    called = call("nope", "tool")
    assert (called.code, "no server 'nope'" in called.errors) == (2, True)


# At a terminal


def test_at_a_terminal_asks_are_prompts(wire: Wire) -> None:
    properties = {
        "name": {"type": "string", "title": "Full name", "description": "As on the \x1b[31mpassport"},
        "seat": {"type": "string", "enum": ["window", "aisle"], "default": "aisle"},
        "tags": {"type": "array", "items": {"enum": ["a", "b", "c"]}},
        "sure": {"type": "boolean"},
    }
    schema = {"type": "object", "properties": properties, "required": ["name"]}
    form = {"method": FORM["method"], "params": {"message": "Who?", "requestedSchema": schema}}
    server = wire.raw({"ask": form}, {"ask": SAMPLING})
    leader, follower = pty.openpty()
    typed = ["", "", "", "", "a", "Mo", "", "a, c", "yes", "a", "", "a", "Hi there", "a"]
    os.write(leader, "".join(f"{line}\n" for line in typed).encode())
    try:
        called = call(*after_dashes(server), stdin=follower)
    finally:
        os.close(leader)
        os.close(follower)
    assert called.code == 0, called.errors
    content = {"name": "Mo", "seat": "aisle", "tags": ["a", "c"], "sure": True}
    form_answer, sampling_answer = json.loads(called.text)
    assert form_answer == {"action": "accept", "content": content}
    assert sampling_answer["content"]["text"] == "Hi there"
    assert "! name: This is needed." in called.errors
    assert f"Exactly this will be sent: {json.dumps(content)}" in called.errors
    assert "\x1b" not in called.errors
    assert "As on the ‹U+001B›[31mpassport" in called.errors
    assert re.search(r"── \S+ asks you to fill in a form ──", called.errors)
    assert "while running tool {}" in called.errors


# Models

BRIEF: Json = {**SAMPLING, "params": {**SAMPLING["params"], "systemPrompt": "Be brief.", "maxTokens": 8}}


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_the_practice_model_answers_where_the_answers_say_so(wire: Wire, answers: Callable[..., str], era: str) -> None:
    server = wire.raw({"ask": BRIEF}, era=era, protocol="2026-07-28" if era == "modern" else "2025-11-25")
    file = answers({"kind": "sampling", "model": "practice"})
    called = call(*after_dashes(server, "--answers", file))
    assert called.code == 0, called.errors
    answer = called.only["answer"]
    assert answer["content"]["text"].strip()
    assert (answer["role"], answer["model"]) == ("assistant", "smollm2-135m-instruct")
    assert answer["stopReason"] in ("maxTokens", "endTurn")
    (received,) = json.loads(called.text)
    assert received == answer
    assert "edits" not in called.only or called.only["edits"] == []


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_the_request_and_the_answer_are_edited_as_the_answers_say(
    wire: Wire, answers: Callable[..., str], endpoint: ScriptedEndpoint, folders: Path, era: str
) -> None:
    provider = {"id": "p", "kind": "openai-compatible", "baseUrl": endpoint.url, "models": ["scripted-1"]}
    (folders / "config").mkdir(exist_ok=True)
    (folders / "config" / "models.json").write_text(json.dumps({"providers": [provider]}), encoding="utf-8")
    endpoint.says("theirs")
    server = wire.raw({"ask": BRIEF}, era=era, protocol="2026-07-28" if era == "modern" else "2025-11-25")
    other = {"role": "user", "content": {"type": "text", "text": "Say goodbye"}}
    request = {"systemPrompt": "Be long.", "messages": [other], "maxTokens": 5}
    edit = {"request": request, "response": {"text": "mine"}}
    called = call_here(*after_dashes(server, "--answers", answers({"model": "scripted-1", "edit": edit})))
    assert called.code == 0, called.errors
    body = endpoint.seen[0].body
    assert body["messages"] == [
        {"role": "system", "content": "Be long."},
        {"role": "user", "content": "Say goodbye"},
    ]
    assert body["max_tokens"] == 5
    (received,) = json.loads(called.text)
    assert (received["content"]["text"], received["model"]) == ("mine", "scripted-1")
    assert sorted(called.only["edits"]) == ["answer", "maxTokens", "messages", "systemPrompt"]
    assert called.only["params"]["systemPrompt"] == "Be brief."


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"messages": []}, "the edited request is malformed (messages)"),
        ({"maxTokens": 0}, "the edited request is malformed (maxTokens)"),
    ],
)
def test_an_edit_that_breaks_the_request_is_not_sent(
    wire: Wire, answers: Callable[..., str], changes: Json, said: str
) -> None:
    server = wire.raw({"ask": BRIEF})
    called = call_here(
        *after_dashes(server, "--answers", answers({"model": "you", "text": "x", "edit": {"request": changes}}))
    )
    assert (called.code, called.only["outcome"]) == (4, "cancel")
    assert said in called.errors


def test_an_edit_never_lifts_the_servers_limit(
    wire: Wire, answers: Callable[..., str], endpoint: ScriptedEndpoint, folders: Path
) -> None:
    provider = {"id": "p", "kind": "openai-compatible", "baseUrl": endpoint.url, "models": ["scripted-1"]}
    (folders / "config").mkdir(exist_ok=True)
    (folders / "config" / "models.json").write_text(json.dumps({"providers": [provider]}), encoding="utf-8")
    endpoint.says("x")
    server = wire.raw({"ask": BRIEF})
    edit = {"request": {"maxTokens": 5000}}
    assert call_here(*after_dashes(server, "--answers", answers({"model": "scripted-1", "edit": edit}))).code == 0
    assert endpoint.seen[0].body["max_tokens"] == 8


def test_the_tokens_of_earlier_calls_count_for_todays_limit(
    wire: Wire, answers: Callable[..., str], endpoint: ScriptedEndpoint, folders: Path
) -> None:
    provider = {"id": "p", "kind": "openai-compatible", "baseUrl": endpoint.url, "models": ["scripted-1"]}
    (folders / "config").mkdir(exist_ok=True)
    (folders / "config" / "models.json").write_text(json.dumps({"providers": [provider]}), encoding="utf-8")
    (folders / "config" / "settings.json").write_text(json.dumps({"limits.tokens_per_day": "1"}), encoding="utf-8")
    endpoint.says("x")
    server = wire.raw({"ask": BRIEF})
    words = after_dashes(server, "--answers", answers({"model": "scripted-1"}))
    assert call_here(*words).only["outcome"] == "accept"
    again = call_here(*words)
    assert again.only["outcome"] == "refused"
    assert "has used up today’s 1 tokens" in json.dumps(again.only, ensure_ascii=False)
    assert len(endpoint.seen) == 1


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("x", "answers/0/edit: must be an object of request and response"),
        ({"answer": {}}, "answers/0/edit: must be an object of request and response"),
        ({"request": {"temperature": 1}}, "answers/0/edit/request: may have systemPrompt, messages, maxTokens"),
        ({"request": []}, "answers/0/edit/request"),
        ({"response": {"role": "user"}}, "answers/0/edit/response: may have text"),
        ({"response": {"text": 5}}, "answers/0/edit/response/text: must be a text"),
    ],
)
def test_an_edit_that_is_none_is_2_and_says_where(answers: Callable[..., str], edit: Any, said: str) -> None:
    called = call_here("demo", "find_best_flight", "--answers", answers({"kind": "sampling", "edit": edit}))
    assert called.code == 2
    assert said in called.errors


def test_a_model_that_is_not_there_is_not_sent_to_another(wire: Wire, answers: Callable[..., str]) -> None:
    server = wire.raw({"ask": BRIEF})
    called = call_here(*after_dashes(server, "--answers", answers({"model": "no-such-model"})))
    assert (called.code, called.only["outcome"]) == (4, "cancel")
    assert "model" in called.errors
