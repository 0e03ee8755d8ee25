"""The running program under test: its windows, what its engine told them, and what scripted servers received."""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Iterable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QListView, QListWidget, QPlainTextEdit

from desktop_host.app import Program
from desktop_host.config.approvals import Approvals
from desktop_host.config.servers_file import default_path, read_servers
from desktop_host.terms.state import CallState, CallStatus, RootState, ServerState, ServerStatus
from desktop_host.ui.asks.frame import AskWindow
from desktop_host.ui.pages.tool_panel import ToolPanel
from tests.support.windows import all_of, button, choose, find, gone, key, press, shown, until, words_on

WindowT = TypeVar("WindowT", bound=AskWindow)
Json = dict[str, Any]

SERVERS = Path(__file__).resolve().parent.parent / "servers"
DEAF_SECONDS = 0.55
"""A little more than the half second in which an ask window's affirmative button ignores everything."""
HURRIED_SECONDS = 0.05
"""The same where `hurry` cut it short."""


class Received:
    """What a scripted server received, byte for byte."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._start = 0

    def forget(self) -> None:
        """Count only what comes from now on."""
        self._start = len(self._all())

    def lines(self) -> list[bytes]:
        """Every message, as it came."""
        return self._all()[self._start :]

    def _all(self) -> list[bytes]:
        # The last piece is empty, or a line that is still being written.
        return self.path.read_bytes().split(b"\n")[:-1] if self.path.exists() else []

    def replies(self) -> list[bytes]:
        """The answers to the server's asks: bare results or errors (handshake), or `inputResponses` (modern)."""
        found: list[bytes] = []
        for line in self.lines():
            message = json.loads(line)
            if "method" not in message:
                found.append(_member(line, "result" if "result" in message else "error"))
            elif "inputResponses" in message.get("params", {}):
                found.append(_member(line, "inputResponses"))
        return found

    def sent(self, method: str) -> list[Json]:
        """The messages with a method."""
        return [message for message in map(json.loads, self.lines()) if message.get("method") == method]

    async def reply(self, count: int = 1) -> bytes:
        """Wait for the answers; the last of them."""
        return (await until(lambda: len(self.replies()) >= count and self.replies(), "the server to be answered"))[-1]

    async def holds(self, text: str) -> bytes:
        """Wait until a message holds a text; that message."""

        def found() -> bytes:
            return next((line for line in self.lines() if text.encode() in line), b"")

        return await until(found, f"{text!r} on the wire")


class Screen:
    """The windows of a running program, and all that its engine told them. `deaf`: how long ask windows hear nothing."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.window = program.window
        self.servers: dict[str, ServerState] = {}
        self.calls: dict[str, CallState] = {}
        self.roots: tuple[RootState, ...] = ()
        self.deaf = DEAF_SECONDS
        self._seen: dict[AskWindow, float] = {}
        bridge = program.bridge
        bridge.server_changed.connect(self._server_changed)
        bridge.server_gone.connect(self._server_gone)
        bridge.call_changed.connect(self._call_changed)
        bridge.roots_changed.connect(self._roots_changed)

    async def server(self, name: str, status: ServerStatus = ServerStatus.READY) -> ServerState:
        """Wait until a server stands like this."""

        def stands() -> ServerState | None:
            state = self.servers.get(name)
            return state if state is not None and state.status is status else None

        return await until(stands, f"{name} to be {status}, it is {self.servers.get(name)}", 20)

    async def panel(self, server: str, tool: str) -> ToolPanel:
        """Go to a tool of a server."""
        await self.server(server)
        self.window.show_page(0)
        self.window.servers.select(server)
        found = await until(lambda: self.window.servers.view(server).select_tool(tool), f"the tool {tool}")
        await until(found.isVisible, f"the panel of {tool}")
        return found

    async def run(self, server: str, tool: str) -> ToolPanel:
        """Go to a tool and press Run."""
        panel = await self.panel(server, tool)
        press(panel.run_button)
        return panel

    async def ended(self, panel: ToolPanel, seconds: float = 15.0) -> str:
        """Wait for the end of a panel's call; what its result card shows."""
        await until(lambda: panel.result.isVisible() and panel.run_button.isEnabled(), "the result", seconds)
        await asyncio.sleep(0.02)  # widgets new in a layout show themselves a moment later
        return shown(panel.result)

    def cancel(self, panel: ToolPanel) -> None:
        """Cancel a panel's call."""
        press(next(one for one in all_of(panel, QAbstractButton) if words_on(one).startswith("Cancel")))

    async def call(self, panel: ToolPanel) -> CallState:
        """The panel's latest call, ended."""
        await self.ended(panel)
        found = [one for one in self.calls.values() if one.tool == panel.tool.name]
        assert found[-1].status is not CallStatus.RUNNING
        return found[-1]

    def asks(self, kind: type[WindowT] = AskWindow, server: str = "") -> list[WindowT]:
        """The ask windows that are open."""
        windows = [one for one in QApplication.topLevelWidgets() if isinstance(one, AskWindow) and one.isVisible()]
        now = time.monotonic()
        self._seen = {one: self._seen.get(one, now) for one in windows}
        return [one for one in windows if isinstance(one, kind) and server in ("", one.ask.origin.server)]

    async def ask(self, kind: type[WindowT], server: str = "") -> WindowT:
        """Wait for an ask window of a kind."""
        return (await until(lambda: self.asks(kind, server), f"a {kind.__name__} {server}"))[0]

    async def after(self, window: AskWindow, kind: type[WindowT]) -> WindowT:
        """Wait until a window has closed and the next of the same server is open."""
        server = window.ask.origin.server
        await until(lambda: gone(window), "the window to close")
        return await self.ask(kind, server)

    async def affirm(self, window: AskWindow) -> None:
        """Press the affirmative button once the window hears."""
        await self.heard(window)
        press(window.affirm)

    async def heard(self, window: AskWindow) -> None:
        """Wait until a window is no longer deaf, counted from when it was first seen here."""
        await asyncio.sleep(max(0.0, self._seen[window] + self.deaf - time.monotonic()))

    async def audit(self) -> list[Json]:
        """The audit log, newest first."""
        return await self.program.bridge.ask(lambda engine: engine.host.log.entries())

    async def calm(self) -> None:
        """Give up whatever still waits, as a person who walks away, and wait until nothing does."""
        end = time.monotonic() + 10
        while running := [call.id for call in self.calls.values() if call.status is CallStatus.RUNNING]:
            assert time.monotonic() < end, "calls that do not end"
            for which in running:
                await self.program.bridge.ask(lambda engine, which=which: engine.cancel(which))
            await asyncio.sleep(0.05)
        while self.window.inbox.waiting or self.asks():
            assert time.monotonic() < end, "asks that do not end"
            for one in self.asks():
                one.close()
            await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Close the program as its main loop does, and let its objects go."""
        self.window.close()
        await self.program.end()
        self.program.theme.setParent(None)
        self.program.theme.deleteLater()
        self.window.deleteLater()
        await asyncio.sleep(0)

    def _server_changed(self, state: ServerState) -> None:
        self.servers[state.name] = state

    def _server_gone(self, name: str) -> None:
        self.servers.pop(name, None)

    def _call_changed(self, state: CallState) -> None:
        self.calls[state.id] = state

    def _roots_changed(self, roots: tuple[RootState, ...]) -> None:
        self.roots = roots


class Start(Protocol):
    """Starts the program with one scripted server called "raw"."""

    def __call__(self, calls: Json, era: str = ..., **tools: Any) -> Awaitable[tuple[Screen, Received]]: ...


class Browser(QObject):
    """Stands for the system's browser. `opened`: the addresses it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Take an address."""
        self.opened.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))


async def _press_cancel(window: AskWindow) -> None:
    press(button(window, "Cancel"))


async def _press_escape(window: AskWindow) -> None:
    await key(window, Qt.Key.Key_Escape)


async def _close(window: AskWindow) -> None:
    window.close()


WAYS_TO_GIVE_UP = [_press_cancel, _press_escape, _close]
"""All that a person can do to have an ask window gone without an answer."""


def hurry(patch: pytest.MonkeyPatch) -> None:
    """Cut the half second short. Where windows are waited for again and again; that it is kept is tested elsewhere."""
    patch.setattr("desktop_host.ui.asks.frame._DEAF", 20)


async def open_screen(app: QApplication, *, demo: bool = False) -> Screen:
    """Start the program as `app.main` does, and wait until its engine answers."""
    program = Program(app, demo=demo)
    screen = Screen(program)
    program.window.show()
    await program.bridge.ask(lambda engine: engine.problems())
    return screen


def raw_command(folder: Path, script: Json, era: str, name: str) -> tuple[list[str], Received]:
    """argv of a scripted server, and what it will have received."""
    path, log = folder / f"{name}.json", folder / f"{name}.log"
    path.write_text(json.dumps(script), encoding="utf-8")
    return [sys.executable, str(SERVERS / "raw.py"), "--era", era, "--log", str(log), "--script", str(path)], Received(
        log
    )


def write_servers(entries: Json, *, approved: Iterable[str] = ()) -> Path:
    """Write the person's `servers.json`; the approved ones start without a question."""
    path = default_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": entries}, indent=2), encoding="utf-8")
    found, approvals = read_servers(path).entries, Approvals()
    for name in approved:
        approvals.approve(found[name].fingerprint)
    return path


def by_hand(window: AskWindow) -> None:
    """Choose to write the answer oneself in step one of a request to a model."""
    choose(find(window, QComboBox, "Model"), "You write the answer")


async def answer_field(window: AskWindow) -> QPlainTextEdit:
    """Wait for the whole answer, or for the person's turn to write it; where it stands."""

    def writable() -> QPlainTextEdit | None:
        fields = all_of(window, QPlainTextEdit, "Answer to the server")
        return next((one for one in fields if not one.isReadOnly()), None)

    return await until(writable, "step two")


def listed(calls: Json) -> Json:
    """A script whose tools take anything."""
    return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in calls], "calls": calls}


def entry(argv: list[str], era: str = "auto", **own: Any) -> Json:
    """An entry of `servers.json`."""
    return {"command": argv[0], "args": argv[1:], "desktopHost": {"era": era, **own}}


def row(screen: Screen, name: str) -> str:
    """What the list says of a server."""
    servers = find(screen.window, QListWidget, "Servers")
    for number in range(servers.count()):
        text = str(servers.item(number).data(Qt.ItemDataRole.AccessibleTextRole))
        if text.startswith(f"{name}, "):
            return f"{text}\n{shown(servers.itemWidget(servers.item(number)))}"
    return ""


def click_row(rows: QListView, text: str) -> None:
    """Click an entry of a list."""
    items = [rows.model().index(number, 0) for number in range(rows.model().rowCount())]
    found = next(one for one in items if str(one.data(Qt.ItemDataRole.AccessibleTextRole)).startswith(text))
    place = rows.visualRect(found).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def _member(line: bytes, name: str) -> bytes:
    """The bytes of one member's value."""
    text = line.decode()
    start = text.index(f'"{name}":') + len(name) + 3
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[start:end].encode()
