"""From the moment an ask is received from a server to the first paint of its window, off-screen, in the whole program.

``python -m tests.benchmarks.bench_ask_to_paint [--rounds N]``. The first of each kind is told apart: it pays imports.
"""

import argparse
import asyncio
import time
from typing import Any

import qasync
from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from desktop_host.app import Program
from desktop_host.asks.person import Action, Reply
from desktop_host.commands import Commands
from desktop_host.ui.asks.frame import AskWindow
from tests.benchmarks.tools import own_folders, scripted, spread
from tests.support.wire import FORM, LINK, ROOTS, SAMPLING

KINDS: dict[str, dict[str, Any]] = {"form": FORM, "url": LINK, "sampling": SAMPLING, "roots": ROOTS}
_PAUSE = 150
"""Milliseconds until an ask is declined: the rest of its window is painted by then, or the next one would wait for it."""


class Painted(QObject):
    """Sees the first paint of every ask window, and declines its ask so that the next one comes."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program
        self._seen: set[str] = set()
        self.milliseconds: dict[str, list[float]] = {kind: [] for kind in KINDS}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, AskWindow) and watched.ask.id not in self._seen:
            ask = watched.ask
            self._seen.add(ask.id)
            # Ask.opened is written the moment the ask is made from the wire.
            self.milliseconds[ask.kind.value].append((time.time() - ask.opened) * 1000)
            QTimer.singleShot(_PAUSE, lambda: self._decline(ask.id))
        return False

    def _decline(self, ask_id: str) -> None:
        self._program.bridge.send(lambda engine: engine.reply(ask_id, Reply(Action.DECLINE)))


async def measure(program: Program, painted: Painted, entries: list[Any]) -> None:
    async def connect(commands: Commands) -> None:
        for entry in entries:
            commands.host.add(entry, trusted=True)
            if reason := await commands.host.start(entry.name):
                raise SystemExit(f"a server did not start: {reason}")

    async def ask(commands: Commands) -> None:
        for entry in entries:
            await commands.host.call(entry.name, "tool", {})

    await asyncio.wrap_future(program.engine.do(connect))
    await asyncio.wrap_future(program.engine.do(ask))
    for kind, times in painted.milliseconds.items():
        print(f"{kind:8} first {times[0]:5.1f} ms; then {spread(times[1:])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with own_folders() as folder:
        app = QApplication([])
        loop = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        app.setQuitOnLastWindowClosed(False)
        program = Program(app)
        painted = Painted(program)
        app.installEventFilter(painted)
        entries = [scripted(folder, kind, [{"ask": ask}] * (options.rounds + 1)) for kind, ask in KINDS.items()]
        program.window.show()
        with loop:
            loop.run_until_complete(measure(program, painted, entries))
            loop.run_until_complete(program.end())


if __name__ == "__main__":
    main()
