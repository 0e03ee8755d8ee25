"""What answers over HTTP, but not as an MCP server does: it is said what came, and nobody is blamed for our words."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from desktop_host.config.servers_file import ServerEntry
from desktop_host.host import Host
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import CallStatus
from tests.support.person import ScriptedPerson

Json = dict[str, Any]
SECRET = "sk-ant-" + "Ab3dEf6hIj9" * 3
MODERN = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
ANSWERS: dict[str, tuple[int, str, str]] = {
    "two_lines": (200, "application/json", f'{{"jsonrpc": "2.0"}}\n{{"secret": "{SECRET}"}}'),
    "no_json": (200, "application/json", f"oops {SECRET}"),
    "no_json_event": (200, "text/event-stream", f"event: message\ndata: {{oops {SECRET}\n\n"),
    "page": (200, "text/html; charset=utf-8", "<html>oops</html>"),
    "nothing": (202, "text/plain", ""),
    "moved": (307, "https://elsewhere.example/mcp", ""),
    "broken": (500, "text/plain", "oops"),
}
"""By tool: status, content type (or the new address), body."""
SENTENCES: dict[str, Message] = {
    "two_lines": say("answer.not_json"),
    "no_json": say("answer.not_json"),
    "no_json_event": say("answer.not_json"),
    "page": say("answer.other_type", what="text/html; charset=utf-8"),
    "nothing": say("answer.none"),
    "moved": say("answer.redirect", what="https://elsewhere.example/mcp"),
    "broken": say("answer.http_error"),
}
ERAS = pytest.mark.parametrize("era", ["handshake", "modern"])


class Handler(BaseHTTPRequestHandler):
    """A server that is one until a tool is called; below a path of a tool's name it is none from the start."""

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = message.get("method")
        kind = self.path.strip("/") or (message["params"]["name"] if method == "tools/call" else "")
        if kind:
            self._send(*ANSWERS[kind])
        elif "id" not in message:
            self._send(202, "", "")
        else:
            result = self._result(method, self.headers.get("MCP-Protocol-Version") == "2026-07-28")
            self._send(200, "application/json", json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))

    def do_GET(self) -> None:
        self._send(405, "", "")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _result(self, method: str, modern: bool) -> Json:
        server = {"capabilities": {"tools": {}}, "serverInfo": {"name": "odd", "version": "1"}}
        results: dict[str, Json] = {
            "initialize": {**server, "protocolVersion": "2025-11-25"},
            "server/discover": {**server, "supportedVersions": ["2026-07-28"]},
            "tools/list": {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ANSWERS]},
        }
        return {**results[method], **(MODERN if modern else {})}

    def _send(self, status: int, kind: str, body: str) -> None:
        self.send_response(status)
        self.send_header("Location" if status == 307 else "Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@ERAS
async def test_what_a_call_got_instead_of_an_answer_is_said(new_host: Callable[..., Host], url: str, era: str) -> None:
    host = new_host(ScriptedPerson())
    host.add(ServerEntry("odd", url=url, transport="http", era=era), trusted=True)
    assert await host.start("odd") is None
    states = {tool: await host.call("odd", tool, {}) for tool in ANSWERS}
    assert {state.status for state in states.values()} == {CallStatus.FAILED}
    assert {tool: state.error for tool, state in states.items()} == SENTENCES


@ERAS
@pytest.mark.parametrize("kind", ["no_json", "page", "moved", "broken"])
async def test_an_address_that_is_no_servers_is_told_so(
    new_host: Callable[..., Host], url: str, era: str, kind: str
) -> None:
    host = new_host(ScriptedPerson())
    host.add(ServerEntry("odd", url=url + kind, transport="http", era=era), trusted=True)
    assert await host.start("odd") == SENTENCES[kind]


@ERAS
def test_the_terminal_shows_neither_a_traceback_nor_what_was_sent(url: str, era: str) -> None:
    for tool in ("no_json", "no_json_event", "page"):
        words = [sys.executable, "-m", "desktop_host", "call", url, tool, "--era", era]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert SECRET not in done.stderr
        assert done.stderr.count("\n") <= 3, done.stderr
