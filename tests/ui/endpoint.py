"""A language model for tests at the windows: an endpoint on loopback that says what a test tells it to."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from desktop_host.config.providers_file import ProviderEntry
from tests.ui.screen import Json


class Endpoint:
    """An endpoint that speaks OpenAI's chat completions. It answers one word after another, each when it may go on.

    `names`: the models it lists. `key`: what it wants, where it wants one. `uses`: the tools it uses, as id, name and
    arguments; `finish`: why it stops, "" where it has used tools and says so.
    """

    def __init__(self, *names: str, port: int = 0) -> None:
        self._names = names or ("practice-1",)
        self.names = list(self._names)
        self.key = ""
        self.requests: list[Json] = []
        self.keys: list[str] = []
        self.words = ["Hello", " from", " the", " model"]
        self.uses: list[tuple[str, str, str]] = []
        self.finish = ""
        self.may_go_on = threading.Event()
        self.broken_off = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self.address = f"http://{self.place}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def entry(self, **more: Any) -> ProviderEntry:
        """The provider that it is."""
        return ProviderEntry("ours", "openai-compatible", **{"name": "Ours", "base_url": self.address, **more})

    def set_up(self, config: Path, **more: Any) -> None:
        """Name it in `models.json`, before the program starts."""
        config.mkdir(exist_ok=True)
        content = {"version": 1, "providers": [self.entry(**more).as_json()]}
        (config / "models.json").write_text(json.dumps(content), encoding="utf-8")

    def calm(self) -> None:
        """As it was, but it answers at once."""
        self.requests.clear()
        self.names = list(self._names)
        self.words, self.uses, self.finish = ["Hello", " from", " the", " model"], [], ""
        self.may_go_on.set()

    def close(self) -> None:
        """No more."""
        self.may_go_on.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if not self._allowed():
                    return
                self._start("application/json")
                listed = [{"id": name, "object": "model", "created": 0, "owned_by": "us"} for name in model.names]
                self.wfile.write(json.dumps({"object": "list", "data": listed}).encode())

            def do_POST(self) -> None:
                model.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                if not self._allowed():
                    return
                self._start("text/event-stream")
                try:
                    for number, word in enumerate(model.words):
                        if number == 1:
                            model.may_go_on.wait(20)
                        self._chunk({"content": word}, None)
                    for number, (use_id, name, arguments) in enumerate(model.uses):
                        function = {"name": name, "arguments": arguments}
                        call = {"index": number, "id": use_id, "type": "function", "function": function}
                        self._chunk({"tool_calls": [call]}, None)
                    self._chunk({}, model.finish or ("tool_calls" if model.uses else "stop"))
                    self.wfile.write(b"data: [DONE]\n\n")
                except OSError:
                    model.broken_off.set()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

            def _allowed(self) -> bool:
                key = str(self.headers["authorization"] or "").removeprefix("Bearer ")
                model.keys.append(key)
                if not model.key or key == model.key:
                    return True
                self._start("application/json", 401)
                self.wfile.write(b'{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}')
                return False

            def _start(self, kind: str, status: int = 200) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.end_headers()

            def _chunk(self, delta: Json, finish: str | None) -> None:
                chunk: dict[str, Any] = {
                    "id": "1",
                    "object": "chat.completion.chunk",
                    "created": 0,
                    "model": model.names[0],
                    "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
                }
                self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                self.wfile.flush()

        return Handler
