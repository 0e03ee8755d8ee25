"""How long Qt's thread waits while one server misbehaves, fault by fault, with the whole program off-screen.

``python -m tests.benchmarks.bench_fault_gap``. Prints the largest gap of a 5 ms timer for each fault, and how the call ended.
"""

import asyncio

import qasync
from PySide6.QtWidgets import QApplication

from desktop_host.app import Program
from desktop_host.commands import Commands
from desktop_host.terms.state import CallState
from desktop_host.ui.messages import english
from tests.benchmarks.bench_event_loop_gap import Gaps
from tests.benchmarks.tools import faulty, own_folders

FAULTS: list[tuple[str, dict[str, int]]] = [
    ("echo", {}),
    ("garbage", {}),
    ("bad_utf8", {}),
    ("big", {"n": 5_000_000}),
    ("big", {"n": 50_000_000}),
    ("big_structured", {}),
    ("hostile_pattern", {}),
    ("flood", {}),
    ("log_flood", {}),
    ("die", {}),
]


async def measure(program: Program) -> None:
    gaps = Gaps()
    for number, (fault, arguments) in enumerate(FAULTS):
        name = f"{number} {fault}"

        async def connect(commands: Commands, name: str = name) -> None:
            commands.host.add(faulty(name), trusted=True)
            await commands.host.start(name)

        async def call(
            commands: Commands, name: str = name, fault: str = fault, arguments: dict[str, int] = arguments
        ) -> CallState:
            return await commands.host.call(name, fault, arguments)

        await asyncio.wrap_future(program.engine.do(connect))
        program.window.servers.select(name)
        program.window.servers.view(name).select_tool(fault)
        await asyncio.sleep(0.5)
        gaps.start()
        state = await asyncio.wrap_future(program.engine.do(call))
        await asyncio.sleep(0.3)
        found = gaps.stop()
        size = f" {arguments['n'] / 1e6:g} MB" if arguments else ""
        ending = english(state.error) if state.error else ", ".join(english(one) for one in state.notices)
        print(f"{fault + size:16} max {max(found):7.1f} ms   {state.status.value}: {ending[:90]}")


def main() -> None:
    with own_folders():
        app = QApplication([])
        loop = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        program = Program(app)
        program.window.show()
        with loop:
            loop.run_until_complete(measure(program))
            loop.run_until_complete(program.end())


if __name__ == "__main__":
    main()
