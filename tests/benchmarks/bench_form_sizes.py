"""From a request's last byte to its painted, usable form, beside the plain SDK's callback, for forms of four sizes.

``python -m tests.benchmarks.bench_form_sizes [--rounds N]``. The server, a process of its own, notes when it writes a
request; the clock is the system's, so all processes read the same one. The first request of each form does not count.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import qasync
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ElicitResult
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QTimer
from PySide6.QtWidgets import QApplication, QScrollArea

from desktop_host.app import Program
from desktop_host.asks.person import Action, Question, Reply
from desktop_host.commands import Commands
from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.state import CallState
from desktop_host.ui.asks.form_window import FormWindow
from tests.benchmarks.bench_event_loop_gap import INTERVAL, Gaps
from tests.benchmarks.tools import own_folders
from tests.servers.raw import Json, Link, Log, Peer, Server, encode, serve_stdio

ROOT = Path(__file__).parents[2]
_PATIENCE = 60
_SETTLE = 0.2
"""Seconds between two requests: what the last window left behind is tidied up by then."""
_SETTLED = 30_000_000
"""Nanoseconds after the last row was made in which it is laid out and painted."""
_FIELDS: list[Json] = [
    {"type": "string", "description": "As it stands on the invoice."},
    {"type": "string", "format": "email"},
    {"type": "integer", "minimum": 0, "maximum": 500, "default": 20},
    {"type": "boolean", "description": "Tell everybody", "default": True},
    {"type": "string", "enum": ["low", "middle", "high"]},
    {"type": "string", "format": "date"},
    {"type": "boolean"},
    {"type": "string", "enum": [f"department {number}" for number in range(12)]},
]
"""What larger forms repeat: a line of text, one with a format, a number, yes or no with a default, a few choices, …"""


def form(properties: dict[str, Json]) -> Json:
    schema = {"type": "object", "properties": properties, "required": list(properties)[:2]}
    params = {"mode": "form", "message": "Please fill this in.", "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


def fields(count: int) -> Json:
    each = {f"field_{n}": {"title": f"Field {n + 1}", **_FIELDS[n % len(_FIELDS)]} for n in range(count)}
    return form(each)


OPTIONS = [f"Option {number:04}" for number in range(1000)]
FORMS: dict[str, Json] = {
    "5 fields": fields(5),
    "50 fields": fields(50),
    "256 fields": fields(256),
    "1,000 options": form({"choice": {"type": "string", "title": "Choice", "enum": OPTIONS}}),
}


# the server's process


class NotingLink(Link):
    """Writes down the moment in which a request goes out, whole, with one write.

    It is taken just before: after the write the reader may well be done before this process has its turn again.
    """

    def __init__(self, notes: Path) -> None:
        super().__init__()
        self._notes = notes

    def send(self, message: Json) -> None:
        data = encode(message) + b"\n"
        written = time.monotonic_ns()
        self.write(data)
        if message.get("method") == "elicitation/create":
            with self._notes.open("a", encoding="utf-8") as file:
                print(written, file=file)


class NotingServer(Server):
    """The scripted server over such a link."""

    def __init__(self, script: Json, notes: Path) -> None:
        super().__init__(script, "handshake", "2025-11-25", Log(None))
        self._link = NotingLink(notes)

    def handle(self, message: Json, peer: Peer, link: Link) -> None:
        super().handle(message, peer, self._link)


def serve(script: Path, notes: Path) -> None:
    serve_stdio(NotingServer(json.loads(script.read_text(encoding="utf-8")), notes))
    os._exit(0)  # as `raw.py` does


@dataclass(frozen=True)
class Asking:
    """A server that asks with one form in every call, and where it notes the moments."""

    entry: ServerEntry
    notes: Path

    @classmethod
    def new(cls, folder: Path, name: str, ask: Json) -> "Asking":
        script, notes = folder / f"{name}.json", folder / f"{name}.notes"
        tools = [{"name": "tool", "inputSchema": {"type": "object"}}]
        script.write_text(json.dumps({"tools": tools, "calls": {"tool": [{"ask": ask}]}}), encoding="utf-8")
        arguments = ("-m", "tests.benchmarks.bench_form_sizes", "--serve", str(script), str(notes))
        return cls(ServerEntry(name, sys.executable, arguments, cwd=str(ROOT), era="handshake"), notes)

    def since_written(self, moments: Sequence[int]) -> list[float]:
        """Milliseconds from each request's last byte to a moment, without the first."""
        written = [int(line) for line in self.notes.read_text(encoding="utf-8").split()]
        pairs = zip(written, moments, strict=True)
        return [(moment - start) / 1e6 for start, moment in pairs][1:]


# the plain SDK


async def plain(asking: Asking, rounds: int) -> list[float]:
    entered: list[int] = []

    async def callback(_context: Any, _params: Any) -> ElicitResult:
        entered.append(time.monotonic_ns())
        return ElicitResult(action="decline")

    entry = asking.entry
    server = StdioServerParameters(command=entry.command, args=list(entry.args), cwd=entry.cwd)
    async with stdio_client(server) as streams, ClientSession(*streams, elicitation_callback=callback) as session:
        await session.initialize()
        for _ in range(rounds + 1):
            await session.call_tool("tool", {})
            await asyncio.sleep(_SETTLE)
    return asking.since_written(entered)


# the program


class Opening(QObject):
    """Watches one form's window: when it is usable, when all its rows exist, and how long Qt is deaf between the two.

    Usable: a screenful of rows is painted, and an event posted while it was painted is delivered, as a key's would be.
    `slices` are the milliseconds of each turn of Qt's loop from then on, until the last rows are painted.
    """

    _REACHED = QEvent.Type(QEvent.registerEventType())

    def __init__(self, window: FormWindow) -> None:
        super().__init__()
        self.usable = self.whole = 0
        self.slices: list[float] = []
        self.done = asyncio.Event()
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._turned)
        self._last_turn = 0
        self._window = window
        self._posted = False
        scroll = window.findChild(QScrollArea)
        assert scroll is not None
        self._viewport = scroll.viewport()
        # A filter of the whole program would see every event of every row, and slow down what is measured.
        window.form.installEventFilter(self)
        if window.form.complete:
            self._completed()
        else:
            window.form.completed.connect(self._completed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._posted and self._filled():
            self._posted = True
            QCoreApplication.postEvent(self, QEvent(self._REACHED))
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() != self._REACHED:
            return super().event(event)
        self.usable = self._last_turn = time.monotonic_ns()
        if self.whole:
            self.done.set()
        else:
            self._turns.start(0)
        return True

    def _filled(self) -> bool:
        """The rows reach the lower edge of what is seen, or there are no more."""
        if self._window.form.complete:
            return True
        height = self._viewport.height()
        shown = (row for row in self._window.form.rows.values() if row.isVisible())
        return any(row.mapTo(self._viewport, QPoint(0, row.height())).y() >= height for row in shown)

    def _turned(self) -> None:
        now = time.monotonic_ns()
        self.slices.append((now - self._last_turn) / 1e6)
        self._last_turn = now
        if self.whole and now - self.whole > _SETTLED:
            self._turns.stop()
            self.done.set()

    def _completed(self) -> None:
        self.whole = time.monotonic_ns()
        if self.usable and not self._turns.isActive():
            self.done.set()


class Windows(QObject):
    """Hands out the openings, one after the other."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._inbox = program.window.inbox
        self._openings: asyncio.Queue[Opening] = asyncio.Queue()
        # The inbox has connected before: the window is there, and Qt had no turn yet to paint it.
        program.bridge.ask_opened.connect(self._opened)

    async def next(self) -> Opening:
        """The next form, once it is usable and all its rows exist."""
        opening = await self._openings.get()
        await opening.done.wait()
        return opening

    def _opened(self, question: Question) -> None:
        window = self._inbox.window(question.ask.id)
        if isinstance(window, FormWindow):
            self._openings.put_nowait(Opening(window))


@dataclass
class Times:
    """What was measured of one form in the program, in milliseconds."""

    usable: list[float] = field(default_factory=list[float])
    whole: list[float] = field(default_factory=list[float])
    gaps: list[float] = field(default_factory=list[float])
    slices: list[float] = field(default_factory=list[float])


async def windowed(program: Program, windows: Windows, asking: Asking, rounds: int) -> Times:
    asking.notes.unlink()
    name = asking.entry.name

    async def connect(commands: Commands) -> None:
        commands.host.add(asking.entry, trusted=True)
        if reason := await commands.host.start(name):
            raise SystemExit(f"a server did not start: {reason}")

    async def ask(commands: Commands) -> CallState:
        return await commands.host.call(name, "tool", {})

    await asyncio.wrap_future(program.engine.do(connect))
    gaps, longest, slices = Gaps(), list[float](), list[float]()
    usable, whole = list[int](), list[int]()
    for _ in range(rounds + 1):
        await asyncio.sleep(_SETTLE)
        gaps.start()
        call = asyncio.wrap_future(program.engine.do(ask))
        async with asyncio.timeout(_PATIENCE):
            opening = await windows.next()
        await asyncio.sleep(4 * INTERVAL / 1000)  # the tick that was held up comes only now
        longest.append(max(gaps.stop()))
        usable.append(opening.usable)
        whole.append(opening.whole)
        slices.append(max(opening.slices, default=0.0))
        for question in program.window.inbox.waiting:
            await program.bridge.ask(lambda engine, known=question.ask.id: engine.reply(known, Reply(Action.DECLINE)))
        await call
    return Times(asking.since_written(usable), asking.since_written(whole), longest[1:], slices[1:])


async def measure(program: Program, askings: list[Asking], rounds: int) -> list[Times]:
    windows = Windows(program)
    return [await windowed(program, windows, asking, rounds) for asking in askings]


def cell(milliseconds: Sequence[float]) -> str:
    edges = f"{min(milliseconds):.1f} to {max(milliseconds):.1f}"
    return f"{statistics.median(milliseconds):7.1f} ({edges})".ljust(26)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--serve", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(*options.serve)
    with own_folders() as folder:
        askings = [Asking.new(folder, name, ask) for name, ask in FORMS.items()]
        callbacks = [asyncio.run(plain(asking, options.rounds)) for asking in askings]
        app = QApplication([])
        loop = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        app.setQuitOnLastWindowClosed(False)
        program = Program(app)
        program.window.show()
        with loop:
            found = loop.run_until_complete(measure(program, askings, options.rounds))
            loop.run_until_complete(program.end())
    print(f"milliseconds since the request's last byte: median (least to most), n={options.rounds}, handshake era")
    heads = (
        "SDK callback",
        "painted and usable",
        "all rows exist",
        "longest gap of Qt's loop",
        "longest slice once usable",
    )
    print("form           bytes " + "".join(f"  {head:26}" for head in heads).rstrip())
    for (name, ask), callback, times in zip(FORMS.items(), callbacks, found, strict=True):
        cells = (callback, times.usable, times.whole, times.gaps, times.slices)
        print(f"{name:13} {len(encode(ask)):6} " + "".join(f"  {cell(one)}" for one in cells).rstrip())


if __name__ == "__main__":
    main()
