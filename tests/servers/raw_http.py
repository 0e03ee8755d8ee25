"""The scripted MCP server of `raw.py` over Streamable HTTP.

``python raw_http.py --url-file FILE [--port N] --era handshake|modern [--protocol V] [--log FILE] --script SCRIPT.json``
"""

from __future__ import annotations

import base64
import contextlib
import select
import socket
import uuid
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from raw import Json, Link, Peer, RpcError, Server, common_arguments, encode, parse, scripted

HTTP_STATUS = {-32700: 400, -32600: 400, -32602: 400, -32020: 400, -32021: 400, -32022: 400, -32601: 404}


def header_text(value: str) -> str | None:
    """Decode a header's =?base64?...?= form; None when it is malformed."""
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except ValueError:
        return None


class HttpLink(Link):
    """The answer to one POST: JSON for a single message, an SSE stream for more."""

    def __init__(self, handler: HttpHandler, session: str | None) -> None:
        super().__init__()
        self._handler, self._session, self._streaming = handler, session, False

    def write(self, data: bytes) -> None:
        self._handler.wfile.write(data)
        self._handler.wfile.flush()

    def stream(self) -> None:
        if not self._streaming:
            self._streaming = True
            self._handler.close_connection = True
            self._handler.start(200, self._session, "text/event-stream", {"Connection": "close"})

    def send(self, message: Json) -> None:
        if "method" in message:
            self.stream()
        if self._streaming:
            self.write(b"event: message\ndata: " + encode(message) + b"\n\n")
            return
        code = message.get("error", {}).get("code")
        status = HTTP_STATUS.get(code, 200) if self._handler.site.mcp.modern else 200
        self._handler.reply(status, encode(message), self._session)

    def closed(self) -> bool:
        if not self._handler.site.mcp.modern:
            return False  # before 2026-07-28 a disconnect is not a cancellation
        ready = select.select([self._handler.connection], [], [], 0)[0]
        try:
            return bool(ready) and not self._handler.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def headers_differ(self, wanted: Mapping[str, str]) -> str:
        got = self._handler.headers
        return next((name for name, value in wanted.items() if header_text(str(got.get(name, ""))) != value), "")


class HttpServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, mcp: Server, port: int) -> None:
        super().__init__(("127.0.0.1", port), HttpHandler)
        self.mcp = mcp
        self.sessions: dict[str, Peer] = {}


class HttpHandler(BaseHTTPRequestHandler):
    """The MCP endpoint /mcp."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        assert isinstance(self.server, HttpServer)
        self.site = self.server

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):  # the client went away
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Keep stderr quiet."""

    def start(self, status: int, session: str | None, kind: str, extra: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Mcp-Session-Id": session, **extra}.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()

    def reply(self, status: int, body: bytes = b"", session: str | None = None, **extra: str) -> None:
        self.start(status, session, "application/json", {"Content-Length": str(len(body)), **extra})
        self.wfile.write(body)

    def refuse(self, status: int, error: RpcError, request_id: Any = None) -> None:
        self.reply(status, encode({"jsonrpc": "2.0", "id": request_id, "error": error.body}))

    def record(self, body: bytes | None) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.site.mcp.log.add(body, {":method": self.command, **headers})

    def do_GET(self) -> None:
        self.record(None)
        self.reply(405, Allow="POST")

    def do_DELETE(self) -> None:
        self.record(None)
        if self.site.mcp.modern:
            return self.reply(405, Allow="POST")
        gone = self.site.sessions.pop(self.headers.get("Mcp-Session-Id", ""), None)
        return self.reply(404 if gone is None else 204)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.record(body)
        if self.path != "/mcp":
            return self.reply(404)
        try:
            message = parse(body)
        except RpcError as error:
            return self.refuse(400, error)
        return self.dispatch(message)

    def dispatch(self, message: Json) -> None:
        mcp, sessions = self.site.mcp, self.site.sessions
        method, request_id = message.get("method"), message.get("id")
        session = self.headers.get("Mcp-Session-Id")
        if mcp.modern:
            session, peer = None, Peer()
        elif method == "initialize":
            session = uuid.uuid4().hex
            peer = sessions[session] = Peer()
        elif session is None:
            probe = method == "server/discover"
            error = RpcError(-32601, "Method not found") if probe else RpcError(-32600, "Missing session id")
            return self.refuse(400, error, request_id)
        elif session not in sessions:
            return self.refuse(404, RpcError(-32600, "Session not found"), request_id)
        else:
            peer = sessions[session]
        if method is None or "id" not in message:
            peer.receive(message)
            return self.reply(202, session=session)
        return mcp.handle(message, peer, HttpLink(self, session))


def main() -> None:
    """Serve, and write the URL to the file once the port listens."""
    parser = common_arguments("A scripted MCP server over Streamable HTTP for tests.")
    parser.add_argument("--script", required=True)
    parser.add_argument("--url-file", required=True, help="write the URL here")
    parser.add_argument("--port", type=int, default=0, help="the port of 127.0.0.1; without it, any free one")
    options = parser.parse_args()
    with HttpServer(scripted(options), options.port) as http:
        fresh = Path(f"{options.url_file}.new")
        fresh.write_text(f"http://127.0.0.1:{http.server_address[1]}/mcp", encoding="utf-8")
        fresh.replace(options.url_file)
        http.serve_forever()


if __name__ == "__main__":
    main()
