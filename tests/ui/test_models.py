"""A model between the two steps of a request: what it is sent, its streamed answer, and what the person makes of it."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backends import null
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSpinBox, QTextEdit

from desktop_host.ui.asks.sampling_window import SamplingWindow
from tests.support.windows import all_of, button, choose, find, fragments, gone, press, shown, type_into, until
from tests.ui.screen import Json, Received, Screen, Start
from tests.ui.stage import sampling

ASK = {"tell": [{"ask": sampling("Say hello.", systemPrompt="Be kind.", maxTokens=50)}]}


class Model:
    """An endpoint that speaks OpenAI's chat completions. It answers one word after another, each when it may go on."""

    def __init__(self) -> None:
        self.requests: list[Json] = []
        self.words = ["Hello", " from", " the", " model"]
        self.may_go_on = threading.Event()
        self.broken_off = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """No more."""
        self.may_go_on.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._start("application/json")
                listed = [{"id": "practice-1", "object": "model", "created": 0, "owned_by": "us"}]
                self.wfile.write(json.dumps({"object": "list", "data": listed}).encode())

            def do_POST(self) -> None:
                model.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self._start("text/event-stream")
                try:
                    for number, word in enumerate(model.words):
                        if number == 1:
                            model.may_go_on.wait(20)
                        self._chunk({"content": word}, None)
                    self._chunk({}, "stop")
                    self.wfile.write(b"data: [DONE]\n\n")
                except OSError:
                    model.broken_off.set()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

            def _start(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.end_headers()

            def _chunk(self, delta: Json, finish: str | None) -> None:
                chunk: dict[str, Any] = {
                    "id": "1",
                    "object": "chat.completion.chunk",
                    "created": 0,
                    "model": "practice-1",
                    "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
                }
                self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                self.wfile.flush()

        return Handler


@pytest.fixture
def model(folders: Path) -> Iterator[Model]:
    """A model that the settings name, and a keyring without its key."""
    model = Model()
    (folders / "config").mkdir(exist_ok=True)
    (folders / "config" / "settings.json").write_text(json.dumps({"model.base_url": model.address}), encoding="utf-8")
    before = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())
    yield model
    keyring.set_keyring(before)
    model.close()


async def at_the_request(start: Start) -> tuple[Screen, Received, SamplingWindow]:
    """A scripted server has asked for a model."""
    screen, received = await start(ASK)
    await screen.run("raw", "tell")
    return screen, received, await screen.ask(SamplingWindow)


def answer_field(window: SamplingWindow) -> QPlainTextEdit:
    """Where the answer stands."""
    return find(window, QPlainTextEdit, "Answer to the server")


def marked(view: QTextEdit) -> tuple[str, str]:
    """What is struck out in a text, and what is underlined."""
    formats = [(one.text(), one.charFormat()) for one in fragments(view)]
    struck = "".join(text for text, how in formats if how.fontStrikeOut())
    return struck.strip(), "".join(text for text, how in formats if how.fontUnderline()).strip()


async def test_the_model_gets_the_edited_request_and_the_server_the_edited_answer(start: Start, model: Model) -> None:
    screen, received, window = await at_the_request(start)
    assert find(window, QComboBox, "Model").currentText().startswith("practice-1")
    type_into(find(window, QPlainTextEdit, "System prompt"), "Be brief.")
    type_into(find(window, QPlainTextEdit, "1 User"), "Say good morning.")
    type_into(find(window, QSpinBox, "Longest answer"), "20")
    press(button(window, "Show the exact request"))
    exact = await until(lambda: next((one for one in window.findChildren(QPlainTextEdit) if one.isWindow()), None))
    wire = json.loads(exact.toPlainText())
    exact.close()
    assert wire["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Say good morning."},
    ]
    assert model.requests == [], "nothing leaves before consent"
    assert window.affirm.text() == "Ask the model"
    await screen.affirm(window)
    await until(lambda: answer_field(window).toPlainText() == "Hello", "the first word")
    assert "The model is answering…" in shown(window)
    assert answer_field(window).isReadOnly()
    assert not window.affirm.isEnabled()
    assert model.requests == [wire]
    assert wire["max_tokens"] == 20
    model.may_go_on.set()
    await until(lambda: not answer_field(window).isReadOnly(), "the whole answer")
    assert answer_field(window).toPlainText() == "Hello from the model"
    assert received.replies() == [], "the server has not seen it yet"
    type_into(answer_field(window), "Hello from <b>me</b>")
    difference = find(window, QTextEdit, "Difference to the model’s text")
    assert marked(difference) == ("the model", "<b>me</b>")
    assert "Edited" in shown(window)
    press(button(window, "Restore"))
    assert answer_field(window).toPlainText() == "Hello from the model"
    assert difference.isHidden()
    type_into(answer_field(window), "Good morning!")
    press(window.affirm)
    text = '{"role":"assistant","content":{"type":"text","text":"Good morning!"},"model":"practice-1","stopReason":"endTurn"}'
    assert await received.reply() == text.encode()
    await until(lambda: gone(window), "the window to close")
    assert (await screen.audit())[0]["edits"] == ["systemPrompt", "messages", "maxTokens", "answer"]


async def test_the_model_is_asked_again(start: Start, model: Model) -> None:
    model.may_go_on.set()
    screen, received, window = await at_the_request(start)
    await screen.affirm(window)
    await until(lambda: window.affirm.isEnabled(), "the answer")
    model.words = ["Another", " answer"]
    press(button(window, "Ask again"))
    await until(lambda: answer_field(window).toPlainText() == "Another answer", "the second answer")
    await until(lambda: window.affirm.isEnabled(), "its end")
    press(window.affirm)
    assert b'"text":"Another answer"' in await received.reply()
    assert len(model.requests) == 2
    assert model.requests[0] == model.requests[1]


async def test_a_running_model_is_interrupted_by_decline(start: Start, model: Model) -> None:
    screen, received, window = await at_the_request(start)
    await screen.affirm(window)
    await until(lambda: answer_field(window).toPlainText() == "Hello", "the first word")
    press(window.decline)
    assert await received.reply() == b'{"code":-1,"message":"User rejected sampling request"}'
    model.words += ["x" * 100_000] * 100
    model.may_go_on.set()
    await until(model.broken_off.is_set, "the model to be let go")


async def test_the_person_writes_instead_of_the_model(start: Start, model: Model) -> None:
    screen, received, window = await at_the_request(start)
    choose(find(window, QComboBox, "Model"), "You write the answer")
    assert "Chosen by you." in shown(window)
    assert window.affirm.text() == "Write the answer"
    await screen.affirm(window)
    fields = all_of(window, QPlainTextEdit, "Answer to the server")
    await until(lambda: fields and not fields[0].isReadOnly(), "the answer to be mine to write")
    type_into(fields[0], "By hand")
    press(window.affirm)
    assert b'"text":"By hand"},"model":"you"' in await received.reply()
    assert model.requests == []


async def test_a_model_that_cannot_be_reached_is_told_and_the_person_can_answer(start: Start, model: Model) -> None:
    model.close()
    _, received, window = await at_the_request(start)
    words = shown(window)
    assert "cannot be reached. Check the address in Settings and that the model server runs." in words
    assert "Your model cannot be used now, so you write the answer." in words
    assert received.replies() == []
    assert window.affirm.text() == "Write the answer", "the person can still answer"
