"""The program closed and started anew: what it kept is all that is left of the run before."""

import json
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from desktop_host.config.paths import data_dir
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.inbox import InboxView
from desktop_host.ui.pages.tool_panel import ToolPanel
from tests.support.windows import press, until
from tests.ui.screen import HURRIED_SECONDS, Json, Received, Screen, open_screen, raw_command, write_servers


class Runs:
    """One scripted server called "raw", and the program that knows it, one run after another."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        self._application = application
        self._folder = folder
        self._screen: Screen | None = None
        self._script: Json = {}
        self.received = Received(folder / "raw.log")

    async def begin(self, calls: Json, era: str = "handshake", **script: Any) -> Screen:
        """Start the program for the first time."""
        listed = [{"name": name, "inputSchema": {"type": "object", **_arguments(name)}} for name in calls]
        self._script = {"tools": listed, "calls": calls, **script}
        argv, self.received = raw_command(self._folder, self._script, era, "raw")
        entry = {"command": argv[0], "args": argv[1:], "desktopHost": {"era": era}}
        write_servers({"raw": entry}, approved=["raw"])
        return await self.again()

    async def again(self) -> Screen:
        """Close the program as a person does, and start it anew."""
        await self.close()
        self._screen = await open_screen(self._application)
        self._screen.deaf = HURRIED_SECONDS
        await self._screen.server("raw")
        return self._screen

    def become(self, **script: Any) -> None:
        """Change parts of the script that the server reads when it is started the next time."""
        self._script = {**self._script, **script}
        (self._folder / "raw.json").write_text(json.dumps(self._script), encoding="utf-8")

    async def close(self) -> None:
        """Close the program."""
        screen, self._screen = self._screen, None
        if screen is not None:
            await screen.close()

    @property
    def screen(self) -> Screen:
        """The run there is now."""
        assert self._screen is not None
        return self._screen

    async def form(self, tool: str = "tool") -> tuple[ToolPanel, FormWindow]:
        """Run a tool and wait for its form."""
        panel = await self.screen.run("raw", tool)
        return panel, await self.screen.ask(FormWindow)


def _arguments(name: str) -> Json:
    """What a tool takes: the one that is called "order" a number of things."""
    return {"properties": {"count": {"type": "integer", "title": "Count"}}} if name == "order" else {}


async def inbox_of(screen: Screen) -> InboxView:
    """Press the bell; the list under it."""
    press(screen.window.bell)
    windows = QApplication.topLevelWidgets
    return await until(
        lambda: next((one for one in windows() if isinstance(one, InboxView) and one.isVisible()), None), "the list"
    )


def kept(name: str) -> list[bytes]:
    """What the files of a folder of what is kept hold."""
    folder = data_dir() / name
    return [path.read_bytes() for path in sorted(folder.iterdir())] if folder.exists() else []


def on_disk(text: str) -> list[Path]:
    """The program's files that hold a text."""
    return [path for path in data_dir().rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
