"""The SDK's own client beside the Host, and how long Qt's thread waits while ten servers flood the program.

``python -m tests.benchmarks.bench_connections [--rounds N] [--seconds S] [--only calls|flood]``. All sides talk to the
same server program and take turns in one run, so that a busy computer slows them alike; what counts is the ratio.
"ask" is a call whose form a scripted person accepts: there the corridor, the checks and the record are in the way.
While servers flood, "SDK" has its clients on a plain loop in a second thread, as a program without our engine would.
"""

import argparse
import asyncio
import statistics
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Any

import qasync
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ElicitResult
from PySide6.QtWidgets import QApplication

from desktop_host.app import Program
from desktop_host.commands import Commands
from desktop_host.config.servers_file import ServerEntry, default_path
from desktop_host.host import Host
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import CallStatus
from tests.benchmarks.bench_event_loop_gap import Gaps
from tests.benchmarks.tools import SERVERS, own_folders
from tests.support.person import ScriptedPerson

Call = Callable[[str, JsonObject], Awaitable[str]]
"""Calls a tool; the text of its result."""
MODES = {"handshake": "legacy", "modern": "2026-07-28"}
SERVERS_AT_ONCE = 10
KINDS = ("log", "list_changed", "progress")
PYTHONS_OWN_TURN = 0.005


def echo(name: str, era: str = "handshake") -> ServerEntry:
    """A server of `tests/servers/echo.py`."""
    return ServerEntry(name, sys.executable, (str(SERVERS / "echo.py"), "--era", era), era=era)


# the two sides


async def accept(_context: object, _params: object) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Mo", "age": 30})


async def ignore(*_message: object) -> None:
    """Messages are heard and nothing is done about them."""


@asynccontextmanager
async def sdk(entry: ServerEntry) -> AsyncIterator[Call]:
    """The SDK's client, connected; its tools are listed."""
    server = StdioServerParameters(command=entry.command, args=list(entry.args))
    client = Client(server, mode=MODES[entry.era], elicitation_callback=accept, message_handler=ignore)
    async with client:
        await client.list_tools()

        async def call(tool: str, arguments: JsonObject) -> str:
            listens = ignore if tool == "flood" else None
            result = await client.call_tool(tool, arguments, progress_callback=listens)
            if not isinstance(result, CallToolResult) or result.is_error:
                raise SystemExit(f"a call of {tool} failed")
            return getattr(result.content[0], "text", "")

        yield call


@asynccontextmanager
async def new_host() -> AsyncIterator[Host]:
    host = Host(ScriptedPerson(), lambda _event: None)
    host.settings.change({"limits.requests_per_minute": "10000"})
    try:
        yield host
    finally:
        await host.close()


async def connected(host: Host, entry: ServerEntry) -> Call:
    """A server on the Host, ready."""
    host.add(entry, trusted=True)
    if reason := await host.start(entry.name):
        raise SystemExit(f"the server did not start: {reason}")
    return partial(call_on, host, entry.name)


async def call_on(host: Host, server: str, tool: str, arguments: JsonObject) -> str:
    state = await host.call(server, tool, arguments)
    if state.status is not CallStatus.DONE or state.result is None:
        raise SystemExit(f"a call of {tool} failed: {state}")
    return state.result["content"][0]["text"]


# connecting and calling


class Times:
    """Milliseconds of both sides, and how they compare turn by turn."""

    def __init__(self) -> None:
        self._turns: dict[str, list[list[float]]] = {"SDK": [], "Host": []}

    def add(self, side: str, milliseconds: list[float]) -> None:
        """A turn of one side."""
        self._turns[side].append(milliseconds)

    def show(self, what: str) -> None:
        found = {side: [one for turn in turns for one in turn] for side, turns in self._turns.items()}
        sides = "   ".join(f"{side} {middle_and_late(all_of_it)}" for side, all_of_it in found.items())
        pairs = zip(*self._turns.values(), strict=True)
        ratio = statistics.median(sum(ours) / sum(theirs) for theirs, ours in pairs)
        print(f"{what:40} {sides}   Host/SDK {ratio:5.2f}   n={len(found['SDK'])}", flush=True)


def middle_and_late(values: Sequence[float]) -> str:
    late = statistics.quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
    return f"median {statistics.median(values):7.2f} p90 {late:7.2f} ms"


@contextmanager
def timed(into: list[float]) -> Iterator[None]:
    start = time.perf_counter()
    yield
    into.append((time.perf_counter() - start) * 1000)


async def compare_connecting(era: str, rounds: int) -> None:
    """From nothing to the list of tools: a Host with its first server, and one more server on a Host that has some."""
    first, more = Times(), Times()
    async with new_host() as old:
        await connected(old, echo("there before", era))
        for number in range(rounds + 1):
            theirs, ours, beside = list[float](), list[float](), list[float]()
            async with AsyncExitStack() as stack:
                with timed(theirs):
                    await stack.enter_async_context(sdk(echo("one", era)))
            async with AsyncExitStack() as stack:
                with timed(ours):
                    await connected(await stack.enter_async_context(new_host()), echo("one", era))
            with timed(beside):
                await connected(old, echo(f"more {number}", era))
            await old.remove(f"more {number}")
            if number:  # the first turn also imports
                for times, found in ((first, ours), (more, beside)):
                    times.add("SDK", theirs)
                    times.add("Host", found)
    first.show(f"{era}: connect, new Host and server")
    more.show(f"{era}: connect, one more server")


async def one_by_one(tool: str, arguments: JsonObject, count: int, call: Call) -> list[float]:
    found = list[float]()
    for _ in range(count):
        with timed(found):
            await call(tool, arguments)
    return found


async def together(tool: str, arguments: JsonObject, count: int, call: Call) -> list[float]:
    found = list[float]()
    with timed(found):
        await asyncio.gather(*(call(tool, arguments) for _ in range(count)))
    return found


PLANS: dict[str, Callable[[Call], Awaitable[list[float]]]] = {
    "1,000 echo calls, each": partial(one_by_one, "echo", {"x": "hello"}, 1000),
    "100 echo calls at once, all": partial(together, "echo", {"x": "hello"}, 100),
    "200 calls with output schema, each": partial(one_by_one, "checked", {}, 200),
    "50 calls with an ask, each": partial(one_by_one, "ask", {}, 50),
    "10 results of 5 MB, each": partial(one_by_one, "text", {"n": 5_000_000}, 10),
}


async def compare_calling(era: str, rounds: int) -> None:
    """Calls on connections that stay; who begins changes from turn to turn."""
    for what, plan in PLANS.items():
        times = Times()
        async with sdk(echo("echo", era)) as theirs, new_host() as host:
            sides = {"SDK": theirs, "Host": await connected(host, echo("echo", era))}
            for number in range(rounds + 1):
                for side in sorted(sides, reverse=number % 2 == 0):
                    found = await plan(sides[side])
                    if number:  # the first turn warms up
                        times.add(side, found)
        times.show(f"{era}: {what}")


# the gap of Qt's loop


async def flood(calls: Sequence[Call], kinds: Sequence[str], seconds: float) -> int:
    """Let all servers flood at once; how many notifications came."""
    arguments: JsonObject = {"seconds": seconds, "kinds": list(kinds)}
    return sum(int(text) for text in await asyncio.gather(*(call("flood", arguments) for call in calls)))


async def flooded_program(program: Program, tab: str, kinds: Sequence[str], seconds: float) -> tuple[list[float], int]:
    """The gaps while servers flood the whole program, and one of them is looked at."""
    names = [f"flood {number}" for number in range(SERVERS_AT_ONCE)]

    async def connect(commands: Commands) -> list[Call]:
        return [await connected(commands.host, echo(name)) for name in names]

    async def remove(commands: Commands) -> None:
        await asyncio.gather(*(commands.host.remove(name) for name in names))

    calls = await asyncio.wrap_future(program.engine.do(connect))
    await asyncio.sleep(0.3)
    program.window.servers.select(names[0])
    view = program.window.servers.view(names[0])
    view.select_tool("flood")
    view.show_tab(tab)
    await asyncio.sleep(0.3)
    found = await gaps_during(program.engine.do(lambda _commands: flood(calls, kinds, seconds)))
    await asyncio.wrap_future(program.engine.do(remove))
    await asyncio.sleep(0.3)
    return found


async def flooded_sdk(kinds: Sequence[str], seconds: float) -> tuple[list[float], int]:
    """The gaps while a plain loop in a second thread has the servers, and nothing is shown."""
    ready, go, result = Future[None](), threading.Event(), Future[int]()

    async def have_clients() -> None:
        async with AsyncExitStack() as stack:
            entries = [echo(f"flood {number}") for number in range(SERVERS_AT_ONCE)]
            calls = [await stack.enter_async_context(sdk(entry)) for entry in entries]
            ready.set_result(None)
            await asyncio.to_thread(go.wait)
            result.set_result(await flood(calls, kinds, seconds))

    ours = sys.getswitchinterval()
    sys.setswitchinterval(PYTHONS_OWN_TURN)
    thread = threading.Thread(target=lambda: asyncio.run(have_clients()), daemon=True)
    thread.start()
    await asyncio.wrap_future(ready)
    go.set()
    found = await gaps_during(result)
    await asyncio.to_thread(thread.join)
    sys.setswitchinterval(ours)
    return found


async def gaps_during(work: Future[int]) -> tuple[list[float], int]:
    gaps = Gaps()
    gaps.start()
    count = await asyncio.wrap_future(work)
    return gaps.stop(), count


async def measure_gaps(program: Program, rounds: int, seconds: float) -> None:
    gaps = Gaps()
    await asyncio.sleep(1)
    gaps.start()
    await asyncio.sleep(seconds)
    show_gaps("idle", gaps.stop(), 0)
    for kinds in (*((kind,) for kind in KINDS), KINDS):
        sides: dict[str, Callable[[Sequence[str], float], Awaitable[tuple[list[float], int]]]] = {
            "SDK": flooded_sdk,
            "program, Tools": partial(flooded_program, program, "tools"),
            "program, Traffic": partial(flooded_program, program, "traffic"),
        }
        turns = [(side, await sides[side](kinds, seconds)) for _ in range(rounds) for side in sides]
        for side in sides:
            mine = [found for name, found in turns if name == side]
            what = kinds[0] if len(kinds) == 1 else "all kinds"
            show_gaps(f"{what}: {side}", [gap for found, _ in mine for gap in found], sum(count for _, count in mine))


def show_gaps(what: str, gaps: list[float], messages: int) -> None:
    late = statistics.quantiles(gaps, n=100, method="inclusive")[-1]
    rate = f"   {messages / sum(gaps) * 1000:6.0f} messages/s" if messages else ""
    numbers = f"median {statistics.median(gaps):5.1f} p99 {late:6.1f} max {max(gaps):6.1f} ms   n={len(gaps)}"
    print(f"{what:40} gap {numbers}{rate}", flush=True)


async def compare(rounds: int) -> None:
    for era in MODES:
        await compare_connecting(era, rounds)
        await compare_calling(era, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long servers flood in a round")
    parser.add_argument("--only", choices=("calls", "flood"))
    options = parser.parse_args()
    with own_folders():
        if options.only != "flood":
            asyncio.run(compare(options.rounds))
        if options.only == "calls":
            return
        print(f"gaps of a 5 ms timer while {SERVERS_AT_ONCE} servers flood for {options.seconds:g} s")
        default_path().parent.mkdir(exist_ok=True)
        default_path().write_text('{"mcpServers": {}}')  # servers can be removed from it
        app = QApplication([])
        loop: Any = qasync.QEventLoop(app)
        asyncio.set_event_loop(loop)
        program = Program(app)
        program.window.show()
        with loop:
            loop.run_until_complete(measure_gaps(program, options.rounds, options.seconds))
            loop.run_until_complete(program.end())


if __name__ == "__main__":
    main()
