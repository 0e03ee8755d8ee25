"""How long Qt's thread waits while a prompt of 1 MiB is opened for editing, edited and run: gaps of a 5 ms timer, off-screen.

``python -m tests.benchmarks.bench_prompt [--rounds N] [--kilobytes N]``. One prompt has short lines, one is a single
line; each is asked for over a pipe by a real server process.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Callable
from typing import Any

import qasync
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_host.app import Program
from desktop_host.asks.person import Action, Question, Reply
from desktop_host.commands import Commands
from desktop_host.sampling.models.provider import YOU
from desktop_host.ui.asks.sampling_window import SamplingWindow
from desktop_host.ui.widgets.growing_text import GrowingText
from tests.benchmarks.bench_event_loop_gap import Gaps
from tests.benchmarks.tools import own_folders, scripted

_SETTLED = 1.0
"""Seconds in which whatever an action has set off must be over."""


def sampling(text: str) -> dict[str, Any]:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 50}}


def prompts(size: int) -> dict[str, str]:
    line = "The quick brown fox jumps over the lazy dog, said customer no. 4711 to mo@example.org.\n"
    return {"short lines": (line * (size // len(line) + 1))[:size], "one line": ("word " * (size // 5 + 1))[:size]}


class Opened(QObject):
    """Sees when the next window is first painted; only its own events are looked at, which costs Qt's thread little."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.window: SamplingWindow | None = None
        self.painted = asyncio.Event()
        self._inbox = program.window.inbox
        # The inbox has connected before: the window is there, and Qt had no turn yet to paint it.
        program.bridge.ask_opened.connect(self._opened)

    def _opened(self, question: Question) -> None:
        window = self._inbox.window(question.ask.id)
        if self.window is None and isinstance(window, SamplingWindow):
            self.window = window
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self.painted.is_set():
            self.painted.set()
        return False


async def longest_gap(action: Callable[[], None], settled: float = _SETTLED) -> float:
    """The longest gap in milliseconds during an action and what it sets off."""
    gaps = Gaps()
    gaps.start()
    await asyncio.sleep(0.02)
    action()
    await asyncio.sleep(settled)
    return max(gaps.stop())


async def one_round(program: Program, name: str) -> dict[str, float]:
    opened, gaps = Opened(program), Gaps()
    gaps.start()
    started = time.monotonic()

    async def ask(commands: Commands) -> None:
        await commands.host.call(name, "tool", {})

    call = asyncio.wrap_future(program.engine.do(ask))
    await opened.painted.wait()
    found = {"painted after": (time.monotonic() - started) * 1000}
    await asyncio.sleep(_SETTLED)
    found["gap: opening"] = max(gaps.stop())
    window = opened.window
    assert window is not None
    text = window.request.findChildren(GrowingText)[0]
    text.setFocus()

    found["gap: a key"] = await longest_gap(lambda: QTest.keyClick(text, Qt.Key.Key_X))

    def type_at_the_end() -> None:
        QTest.keyClick(text, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(text, Qt.Key.Key_Y)

    found["gap: to the end, a key"] = await longest_gap(type_at_the_end)
    found["gap: undo"] = await longest_gap(text.undo)

    def run_by_hand() -> None:
        models = window.request._models
        models.setCurrentIndex(models.findData(YOU))
        models.activated.emit(models.currentIndex())
        window.affirmed()

    found["gap: to the answer"] = await longest_gap(run_by_hand)
    waiting: list[Question] = program.window.inbox.waiting
    for question in waiting:
        await program.bridge.ask(lambda engine, known=question.ask.id: engine.reply(known, Reply(Action.DECLINE)))
    await call
    await asyncio.sleep(0.2)
    return found


async def measure(program: Program, names: list[str], rounds: int, entries: list[Any]) -> None:
    async def connect(commands: Commands) -> None:
        for entry in entries:
            commands.host.add(entry, trusted=True)
            if reason := await commands.host.start(entry.name):
                raise SystemExit(f"a server did not start: {reason}")

    await asyncio.wrap_future(program.engine.do(connect))
    await asyncio.sleep(2 * _SETTLED)  # the program has started, and its own window is painted
    for name in names:
        found = [await one_round(program, name) for _ in range(rounds)]
        for what in found[0]:
            times = [one[what] for one in found]
            print(f"{name:12} {what:24} {statistics.median(times):7.1f} ({min(times):.1f} to {max(times):.1f}) ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kilobytes", type=int, default=1024)
    options = parser.parse_args()
    with own_folders() as folder:
        texts = prompts(options.kilobytes * 1024)
        app = QApplication([])
        loop = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        app.setQuitOnLastWindowClosed(False)
        program = Program(app)
        entries = [scripted(folder, name, [{"ask": sampling(text)}]) for name, text in texts.items()]
        program.window.show()
        with loop:
            loop.run_until_complete(measure(program, list(texts), options.rounds, entries))
            loop.run_until_complete(program.end())


if __name__ == "__main__":
    main()
