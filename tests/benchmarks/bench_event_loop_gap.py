"""How long Qt's thread waits while servers flood the engine: the gaps of a 5 ms precise timer, off-screen.

``python -m tests.benchmarks.bench_event_loop_gap [--servers N] [--notifications N] [--window]``. With ``--window`` the
whole program is there and draws the calls; without it the engine and the bridge only.
"""

import argparse
import asyncio
import statistics
import time
from concurrent.futures import Future

import qasync
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop_host.app import Program
from desktop_host.commands import Commands
from desktop_host.engine import Engine
from desktop_host.terms.state import CallStatus
from desktop_host.ui.bridge import Bridge
from tests.benchmarks.tools import faulty, own_folders

INTERVAL = 5


class Gaps(QObject):
    """Writes down how far apart the ticks of a timer really are."""

    def __init__(self) -> None:
        super().__init__()
        self.milliseconds: list[float] = []
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self.milliseconds.clear()
        self._last = time.perf_counter()
        self._timer.start(INTERVAL)

    def stop(self) -> list[float]:
        self._timer.stop()
        return list(self.milliseconds)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.milliseconds.append((now - self._last) * 1000)
        self._last = now


class Received(QObject):
    """Counts what reaches Qt's thread."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.count = 0
        bridge.call_changed.connect(self._changed)

    def _changed(self, _state: object) -> None:
        self.count += 1


async def measure(engine: Engine, bridge: Bridge, servers: int, notifications: int) -> None:
    names = [f"flood {number}" for number in range(servers)]

    async def connect(commands: Commands) -> None:
        for name in names:
            commands.host.add(faulty(name), trusted=True)
        reasons = await asyncio.gather(*(commands.host.start(name) for name in names))
        if any(reasons):
            raise SystemExit(f"a server did not start: {reasons}")

    async def flood(commands: Commands) -> None:
        calls = (commands.host.call(name, "flood", {"n": notifications}) for name in names)
        if any(call.status is not CallStatus.DONE for call in await asyncio.gather(*calls)):
            raise SystemExit("a call failed")

    await on_engine(engine.do(connect))
    gaps, received = Gaps(), Received(bridge)
    gaps.start()
    await asyncio.sleep(1)
    show("idle", gaps.stop())
    gaps.start()
    start = time.perf_counter()
    await on_engine(engine.do(flood))
    seconds = time.perf_counter() - start
    show("flooded", gaps.stop())
    print(f"{servers} x {notifications} progress notifications in {seconds:.2f} s; {received.count} states reached Qt")


async def on_engine(future: Future[None]) -> None:
    await asyncio.wrap_future(future)


def show(what: str, gaps: list[float]) -> None:
    print(f"{what:8} gap of a {INTERVAL} ms timer: median {statistics.median(gaps):.1f} ms, max {max(gaps):.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=10)
    parser.add_argument("--notifications", type=int, default=2000)
    parser.add_argument("--window", action="store_true", help="with the main window")
    options = parser.parse_args()
    with own_folders():
        app = QApplication([])
        loop = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        if options.window:
            program = Program(app)
            engine, bridge = program.engine, program.bridge
            program.window.show()
        else:
            engine = Engine(None)
            bridge = Bridge(engine)
            engine.start()
        with loop:
            loop.run_until_complete(measure(engine, bridge, options.servers, options.notifications))
            loop.run_until_complete(asyncio.to_thread(engine.stop))


if __name__ == "__main__":
    main()
