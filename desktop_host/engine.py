"""The Host on a thread and a loop of its own: plain-data commands in, plain-data events out."""

import asyncio
import concurrent.futures
import logging
import selectors
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_host.terms.events import Event

if TYPE_CHECKING:  # importing it costs what the first paint shall not wait for
    from desktop_host.commands import Commands

logger = logging.getLogger(__name__)

_BUSY = 0.004
_PAUSE = 0.0003
ResultT = TypeVar("ResultT")


class YieldingSelector(selectors.DefaultSelector):
    """Sleeps 0.3 ms once in 4 ms of busy loop, so that Qt's thread gets the interpreter lock.

    Without it a loop in a second thread takes the lock back before Qt's thread wakes, and the windows starve for up to
    a second while servers send much (platform.md A.2).
    """

    _since = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """See the base class."""
        now = time.perf_counter()
        if timeout is not None and timeout <= 0:
            if now - self._since > _BUSY:
                time.sleep(_PAUSE)
                self._since = time.perf_counter()
        else:
            self._since = now
        return super().select(timeout)


class Engine:
    """Runs a `Host`, a `Desk` and, where asked, the demo servers. Made and used on Qt's thread; Qt-free itself.

    `subscribe` callbacks run on the engine's thread. Commands run there too and come back as concurrent futures.
    """

    def __init__(self, servers_file: Path | None, *, demo: bool = False) -> None:
        self._servers_file = servers_file
        self._demo = demo
        self._subscribers: list[Callable[[Event], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._stopping: asyncio.Event | None = None
        self._commands: Commands | None = None
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def subscribe(self, callback: Callable[[Event], None]) -> None:
        """Hear of every event. Before `start`."""
        self._subscribers.append(callback)

    def start(self) -> None:
        """Start the thread; the heavy imports happen there."""
        self._thread.start()

    def do(self, command: Callable[["Commands"], Coroutine[Any, Any, ResultT]]) -> concurrent.futures.Future[ResultT]:
        """Run a command on the engine. It may wait for the engine's imports, so await the future, never block on it."""
        result: concurrent.futures.Future[ResultT] = concurrent.futures.Future()

        def run() -> None:
            assert self._loop is not None
            assert self._commands is not None
            inner = asyncio.run_coroutine_threadsafe(command(self._commands), self._loop)
            inner.add_done_callback(_hand_over(result))

        if self._ready.is_set():
            run()
        else:
            threading.Thread(target=self._when_ready, args=(run,), daemon=True).start()
        return result

    def stop(self, timeout: float = 15.0) -> None:
        """Cancel what waits, stop the servers, end the thread. Blocks; for the very end."""
        if not self._thread.is_alive():
            return
        if self._ready.wait(timeout) and self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(timeout)

    def _when_ready(self, run: Callable[[], None]) -> None:
        self._ready.wait()
        run()

    def _tell(self, event: Event) -> None:
        for callback in self._subscribers:
            callback(event)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=_new_loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        from desktop_host.commands import Commands

        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self._commands = commands = Commands(self._tell, self._servers_file, demo=self._demo)
        background = asyncio.create_task(commands.begin())
        self._ready.set()  # after it: the servers are read before any command is heard
        try:
            await self._stopping.wait()
        finally:
            background.cancel()
            await asyncio.gather(background, return_exceptions=True)
            await commands.close()


def _hand_over(
    result: "concurrent.futures.Future[ResultT]",
) -> Callable[["concurrent.futures.Future[ResultT]"], None]:
    def done(inner: "concurrent.futures.Future[ResultT]") -> None:
        if result.cancelled():
            return
        if inner.cancelled():
            result.cancel()
        elif error := inner.exception():
            result.set_exception(error)
        else:
            result.set_result(inner.result())

    return done


def _new_loop() -> asyncio.AbstractEventLoop:
    if sys.platform == "win32":
        return asyncio.ProactorEventLoop()
    return asyncio.SelectorEventLoop(YieldingSelector())
