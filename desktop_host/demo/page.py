"""The airline's page on loopback: the person completes it in their own browser, we never see what they type."""

import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Sea Air: connect</title>
<style>body{{font:16px system-ui;max-width:28rem;margin:4rem auto;padding:0 1rem;color:#191C23}}
button,input{{font:inherit;padding:.5rem .75rem;border-radius:6px;border:1px solid #868E9D}}
button{{background:#3156D3;color:#fff;border:0;margin-top:1rem}}label{{display:block;margin:.75rem 0 .25rem}}</style>
<h1>Sea Air</h1>{body}</html>"""
_LOGIN = """<p>This is the demo airline, on your own computer. Nothing you type here goes to Desktop Host.</p>
<form method="post"><label for="n">Frequent flyer number</label><input id="n" name="n" value="SA 4711 0815">
<br><button>Connect</button></form>"""
_DONE = "<p><strong>Connected.</strong> You can close this page and go back to Desktop Host.</p>"


class AirlinePages:
    """Serves one page per call on 127.0.0.1, started at the first."""

    def __init__(self) -> None:
        self._done: dict[str, threading.Event] = {}
        self._server: ThreadingHTTPServer | None = None

    def new_id(self) -> str:
        """An id for a page that nobody can guess."""
        return secrets.token_urlsafe(16)

    def url(self, page_id: str) -> str:
        """The page's address."""
        if self._server is None:
            self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
            threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._done.setdefault(page_id, threading.Event())
        return f"http://127.0.0.1:{self._server.server_address[1]}/connect/{page_id}"

    def wait(self, page_id: str, seconds: float) -> bool:
        """Wait until the person has completed the page."""
        return self._done.setdefault(page_id, threading.Event()).wait(seconds)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        done = self._done

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(_LOGIN)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("content-length") or 0))
                if self._known():
                    done[self._id()].set()
                self._answer(_DONE)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: standard error is the server's log."""

            def _id(self) -> str:
                return self.path.rpartition("/")[2]

            def _known(self) -> bool:
                return self._id() in done

            def _answer(self, body: str) -> None:
                content = _PAGE.format(body=body if self._known() else "<p>There is no such page.</p>").encode()
                self.send_response(200 if self._known() else 404)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        return Handler
