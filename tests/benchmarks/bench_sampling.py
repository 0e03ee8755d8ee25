"""What a request to a model costs over calling the provider's SDK directly, and the time to the first shown token.

``python -m tests.benchmarks.bench_sampling [--rounds N]``. The endpoint is a process of its own that streams twenty
pieces at once. "whole flow": from the tool's call to its result, approved as it is without a person, over a real server
process; the same call without a request is taken off. "shown": from the press on "Ask the model" to the paint of the
first piece, off-screen.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import qasync
from openai import AsyncOpenAI
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from desktop_host.app import Program
from desktop_host.asks.person import Action, Reply, ResponseReply
from desktop_host.commands import Commands
from desktop_host.config.providers_file import ProviderEntry
from desktop_host.config.servers_file import ServerEntry
from desktop_host.host import Host
from desktop_host.ui.asks.sampling_window import SamplingWindow
from desktop_host.ui.widgets.growing_text import GrowingText
from tests.benchmarks.tools import own_folders, scripted, spread
from tests.support.model_server import DONE, Scripted, ScriptedEndpoint, Seen, piece, usage
from tests.support.person import ScriptedPerson
from tests.support.wire import SAMPLING

_PIECES = 20
_PAUSE = 0.6
"""Seconds from a window's first paint to the press: it hears nothing in the first half."""


class Endless(ScriptedEndpoint):
    """An endpoint that always answers the same."""

    def _next(self, seen: Seen) -> Scripted:
        pieces = (piece(f"word{number} ") for number in range(_PIECES))
        return Scripted(stream=(*pieces, piece(finish="stop"), usage(7, _PIECES), DONE))


@contextmanager
def endpoint() -> Iterator[str]:
    """The address of such an endpoint in a process of its own."""
    argv = [sys.executable, "-m", "tests.benchmarks.bench_sampling", "--serve"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        yield child.stdout.readline().strip()
        child.stdin.close()


def serve() -> None:
    made = Endless()
    print(made.url, flush=True)
    sys.stdin.read()
    made.close()


def set_up(config: Path, url: str) -> None:
    config.mkdir(exist_ok=True)
    entry = ProviderEntry("ours", "openai-compatible", name="Ours", base_url=url, models=("m",))
    (config / "models.json").write_text(json.dumps({"version": 1, "providers": [entry.as_json()]}), encoding="utf-8")


async def sdk(url: str, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds to the first piece and to the end, with the SDK alone, a client for each request as the program has."""
    first, whole = list[float](), list[float]()
    for _ in range(rounds + 1):
        started = time.perf_counter()
        async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:
            content: Any = [{"role": "user", "content": "Say hello"}]
            stream = await client.chat.completions.create(model="m", messages=content, max_tokens=50, stream=True)
            async for chunk in stream:
                if len(first) == len(whole) and chunk.choices and chunk.choices[0].delta.content:
                    first.append((time.perf_counter() - started) * 1000)
        whole.append((time.perf_counter() - started) * 1000)
    return first[1:], whole[1:]


async def flow(asking: ServerEntry, plain: ServerEntry, rounds: int) -> tuple[list[float], list[float]]:
    """Milliseconds of a call with a request to a model, and of one without."""
    host = Host(ScriptedPerson(response=ResponseReply(Action.ACCEPT)), lambda _event: None)
    times: list[list[float]] = []
    try:
        for entry in (asking, plain):
            host.add(entry, trusted=True)
            if reason := await host.start(entry.name):
                raise SystemExit(f"a server did not start: {reason}")
            found = list[float]()
            for _ in range(rounds + 1):
                started = time.perf_counter()
                await host.call(entry.name, "tool", {})
                found.append((time.perf_counter() - started) * 1000)
            times.append(found[1:])
    finally:
        await host.close()
    return times[0], times[1]


class FirstToken(QObject):
    """Presses in each sampling window, and sees the first paint of a piece of its answer."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program
        self._pressed = 0.0
        self._window: SamplingWindow | None = None
        self.milliseconds: list[float] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Paint:
            return False
        if isinstance(watched, SamplingWindow) and watched is not self._window:
            self._window = watched
            asyncio.get_running_loop().call_later(_PAUSE, self._press, watched)
        elif self._pressed and self._window is not None and self._answer_has_words(watched):
            self.milliseconds.append((time.perf_counter() - self._pressed) * 1000)
            self._pressed = 0.0
            asyncio.get_running_loop().call_later(_PAUSE, self._decline, self._window.ask.id)
        return False

    def _press(self, window: SamplingWindow) -> None:
        self._pressed = time.perf_counter()
        window.affirm.click()

    def _decline(self, ask_id: str) -> None:
        self._program.bridge.send(lambda engine: engine.reply(ask_id, Reply(Action.DECLINE)))

    def _answer_has_words(self, watched: QObject) -> bool:
        parent = watched.parent()
        return (
            isinstance(parent, GrowingText)
            and parent.window() is self._window
            and bool(parent.text())
            and (self._window is not None and self._window.answer.isAncestorOf(parent))
        )


async def shown(program: Program, entry: ServerEntry, rounds: int) -> None:
    async def ask(commands: Commands) -> None:
        commands.host.add(entry, trusted=True)
        if reason := await commands.host.start(entry.name):
            raise SystemExit(f"a server did not start: {reason}")
        for _ in range(rounds + 1):
            await commands.host.call(entry.name, "tool", {})

    await asyncio.wrap_future(program.engine.do(ask))


def report(name: str, milliseconds: Sequence[float]) -> None:
    print(f"{name:34} {spread(milliseconds)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    rounds: int = options.rounds
    with own_folders() as folder, endpoint() as url:
        set_up(folder / "config", url)
        first, whole = asyncio.run(sdk(url, rounds))
        asking = scripted(folder, "asking", [{"ask": SAMPLING}])
        with_request, without = asyncio.run(flow(asking, scripted(folder, "plain", []), rounds))
        app = QApplication([])
        loop = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        app.setQuitOnLastWindowClosed(False)
        program = Program(app)
        watching = FirstToken(program)
        app.installEventFilter(watching)
        program.window.show()
        with loop:
            loop.run_until_complete(shown(program, scripted(folder, "shown", [{"ask": SAMPLING}]), rounds))
            loop.run_until_complete(program.end())
        report("SDK alone, first piece", first)
        report("SDK alone, whole answer", whole)
        report("a call without a request", without)
        report("whole flow", with_request)
        over = statistics.median(with_request) - statistics.median(without) - statistics.median(whole)
        print(f"{'overhead of the flow':34} {over:.1f} ms (medians: flow - call - SDK)")
        report("first piece shown", watching.milliseconds[1:])


if __name__ == "__main__":
    main()
