"""The windowed program: builds the parts, wires them, runs the loop."""

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from types import FrameType

import qasync  # pyright: ignore[reportMissingTypeStubs]  # it ships none
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from desktop_host.config.proxies import PROXIES
from desktop_host.config.servers_file import default_path
from desktop_host.config.settings import Settings
from desktop_host.engine import Engine
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.garbage import GarbageCollector
from desktop_host.ui.icons import app_icon
from desktop_host.ui.main_window import MainWindow
from desktop_host.ui.text import install_language
from desktop_host.ui.theme import Theme

_ALIVE = 200
_TURN = 0.0001
"""Seconds after which a thread lets another one run: Qt's thread waits so long whenever the engine's has much to do."""


class Program:
    """The parts of the windowed program, wired. The engine starts once the window is painted.

    `link`: one of ours, such as a web page has, whose server is shown and not added yet.
    """

    def __init__(self, app: QApplication, *, demo: bool = False, link: str = "") -> None:
        sys.setswitchinterval(_TURN)
        self.app = app
        self.settings = Settings()
        self._translators = install_language(app, self.settings["language"])
        self.theme = Theme(app, self.settings["theme"])
        self._garbage = GarbageCollector(app)
        self.engine = Engine(default_path(), demo=demo)
        self.bridge = Bridge(self.engine)
        self.window = MainWindow(self.settings, self.bridge, self.theme)
        self._link = link
        self.window.painted.connect(self._start_engine)

    def _start_engine(self) -> None:
        self.engine.start()
        self.bridge.send(lambda engine: engine.problems(), self.window.show_problems)
        if self._link:
            self.window.servers.import_text(self._link)

    def interrupted(self, _number: int, _frame: FrameType | None) -> None:
        """A signal asks the program to end."""
        self.window.close()

    async def end(self) -> None:
        """End the engine; its servers with it."""
        await self.bridge.close()
        await asyncio.to_thread(self.engine.stop)
        self._garbage.stop()


def _system_proxy(url: str) -> str | None:
    from desktop_host.ui.proxies import system_proxy

    return system_proxy(url)


def main(*, demo: bool = False, link: str = "", ready: Callable[[Program], None] | None = None) -> int:
    """Run until the window is closed. `ready` is told of the program before the loop runs."""
    logging.basicConfig(level=logging.WARNING)
    if not sys.platform.startswith("linux"):  # there Qt knows the environment's proxies alone: the portal is asked
        PROXIES.system = _system_proxy
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("desktop-host")
    app.setApplicationDisplayName("Desktop Host")
    app.setDesktopFileName("desktop-host")
    app.setWindowIcon(app_icon())
    # A lone dialog that closes must not end the loop (platform.md C.3).
    app.setQuitOnLastWindowClosed(False)
    loop = qasync.QEventLoop(app)
    asyncio.set_event_loop(loop)
    program = Program(app, demo=demo, link=link)
    closed = asyncio.Event()
    program.window.closing.connect(closed.set)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, program.interrupted)
    alive = QTimer()  # lets Python see signals while Qt is idle (platform.md A.3)
    alive.start(_ALIVE)
    alive.timeout.connect(_nothing)
    if ready is not None:
        ready(program)
    program.window.show()
    with loop:
        loop.run_until_complete(closed.wait())  # pyright: ignore[reportUnknownMemberType]  # no stubs
        loop.run_until_complete(program.end())  # pyright: ignore[reportUnknownMemberType]  # no stubs
    return 0


def picture(out: str) -> int:
    """Run the demo for a moment, meet its form, and save a picture of both windows. For machines without a display."""
    from desktop_host.ui.portrait import Portrait

    def ready(program: Program) -> None:
        Portrait(program.window, out)

    return main(demo=True, ready=ready)


def _nothing() -> None:
    """See `alive`."""
