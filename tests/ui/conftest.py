"""Windows under test: the real program, its engine in its thread, on a qasync loop as in `app.main`."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import qasync
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from tests.ui.endpoint import Endpoint
from tests.ui.runs import Runs
from tests.ui.screen import (
    DEAF_SECONDS,
    HURRIED_SECONDS,
    Browser,
    Json,
    Received,
    Screen,
    Start,
    hurry,
    open_screen,
    raw_command,
    write_servers,
)
from tests.ui.stage import ERAS, Stage


@pytest.fixture(autouse=True, scope="module")
def _garbage_of_windows() -> Iterator[None]:
    """Windows that are over go here: collected in a thread of a later test they would end the whole run."""
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def _no_garbage_elsewhere() -> Iterator[None]:
    """The program gives the work back when it ends (`desktop_host.ui.garbage`); the next one is not far."""
    gc.disable()
    yield
    gc.disable()


def _qt_loop() -> asyncio.AbstractEventLoop:
    return qasync.QEventLoop(QApplication.instance())


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Every asynchronous test and fixture here runs on a loop of Qt's."""
    return {"qasync": _qt_loop}


@pytest.fixture(scope="session", autouse=True)
def application(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[QApplication]:
    """The application as `app.main` sets it up, in English, with a cache of its own."""
    qapp.setApplicationName("desktop-host")
    qapp.setApplicationDisplayName("Desktop Host")
    qapp.setQuitOnLastWindowClosed(False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C.UTF-8")
        patch.setenv("DESKTOP_HOST_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield qapp


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def no_errors_logged() -> Iterator[None]:
    """A failed command or a lost task must not pass unseen."""
    errors = _Errors()
    logging.getLogger().addHandler(errors)
    yield
    logging.getLogger().removeHandler(errors)
    assert not errors.records, [logging.Formatter().format(one) for one in errors.records]


@pytest.fixture
async def screen(application: QApplication, folders: Path) -> AsyncIterator[Screen]:
    """The program without any server."""
    opened = await open_screen(application)
    yield opened
    await opened.close()


@pytest.fixture
def browser(application: QApplication) -> Iterator[Browser]:
    """The browser that QDesktopServices opens."""
    browser = Browser()
    for scheme in ("http", "https"):
        QDesktopServices.setUrlHandler(scheme, browser, "open")
    yield browser
    for scheme in ("http", "https"):
        QDesktopServices.unsetUrlHandler(scheme)


@pytest.fixture
async def start(application: QApplication, folders: Path) -> AsyncIterator[Start]:
    """Starts the program with a scripted server: its calls by tool name, and more about a tool by keyword."""
    opened: list[Screen] = []

    async def begin(calls: Json, era: str = "handshake", **tools: Any) -> tuple[Screen, Received]:
        listed = [{"name": name, "inputSchema": {"type": "object"}, **tools.get(name, {})} for name in calls]
        argv, wire = raw_command(folders, {"tools": listed, "calls": calls}, era, "raw")
        entry = {"command": argv[0], "args": argv[1:], "desktopHost": {"era": era}}
        write_servers({"raw": entry}, approved=["raw"])
        opened.append(await open_screen(application))
        await opened[-1].server("raw")
        return opened[-1], wire

    yield begin
    for one in opened:
        await one.close()


@pytest.fixture
async def runs(application: QApplication, folders: Path) -> AsyncIterator[Runs]:
    """The program with one scripted server, which can be closed and started anew on the same folders."""
    runs = Runs(application, folders)
    yield runs
    await runs.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage_of_module(
    application: QApplication, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    """The program with two scripted servers that have the tools of the module's `script`."""
    folder = tmp_path_factory.mktemp("stage")
    entries, received = {}, {}
    with pytest.MonkeyPatch.context() as patch:
        if request.module.script.hurried:
            hurry(patch)
        for name in ("config", "data"):
            patch.setenv(f"DESKTOP_HOST_{name.upper()}_DIR", str(folder / name))
        for era in ERAS:
            argv, received[era] = raw_command(folder, request.module.script.as_json(), era, era)
            entries[era] = {"command": argv[0], "args": argv[1:], "desktopHost": {"era": era}}
        write_servers(entries, approved=entries)
        screen = await open_screen(application)
        for era in entries:
            await screen.server(era)
        await screen.program.bridge.ask(lambda engine: engine.host.warm_up())
        screen.deaf = HURRIED_SECONDS if request.module.script.hurried else DEAF_SECONDS
        yield Stage(screen, received)
        await screen.close()


@pytest_asyncio.fixture(loop_scope="module")
async def stage(stage_of_module: Stage) -> AsyncIterator[Stage]:
    """One program for all tests of a module, since each has tools of its own; no ask or call goes on to the next."""
    yield stage_of_module
    await stage_of_module.screen.calm()


@pytest.fixture
def model(folders: Path) -> Iterator[Endpoint]:
    """A model that the person has set up; the keyring does not work, which a model on this computer can do without."""
    endpoint = Endpoint()
    endpoint.set_up(folders / "config")
    yield endpoint
    endpoint.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model_of_module(stage_of_module: Stage) -> AsyncIterator[Endpoint]:
    """A model that the person has set up on the stage of a module."""
    endpoint = Endpoint()
    entry = endpoint.entry()
    assert await stage_of_module.screen.program.bridge.ask(lambda engine: engine.put_provider(entry)) is None
    yield endpoint
    endpoint.close()


@pytest.fixture
def model_on_stage(model_of_module: Endpoint) -> Endpoint:
    """That model, as if no test before had used it; it answers at once."""
    model_of_module.calm()
    return model_of_module
