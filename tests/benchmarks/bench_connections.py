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
"""Seconds after which a thread lets another one run where nobody says so; the program does."""


def echo(name: str, era: str = "handshake", more_tools: int = 0) -> ServerEntry:
    """A server of `tests/servers/echo.py`."""
    options = ("--era", era, "--tools", str(more_tools))
    return ServerEntry(name, sys.executable, (str(SERVERS / "echo.py"), *options), era=era)


# the two sides


async def accept(_context: object, _params: object) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Mo", "age": 30})


async def ignore(*_message: object) -> None:
    """Messages are heard and nothing is done about them."""


@asynccontextmanager
async def sdk(entry: ServerEntry, heard: Callable[..., Awaitable[None]] | None = None) -> AsyncIterator[Call]:
    """The SDK's client, connected; its tools are listed. `heard` is told of notifications."""
    server = StdioServerParameters(command=entry.command, args=list(entry.args))
    client = Client(server, mode=MODES[entry.era], elicitation_callback=accept, message_handler=heard)
    async with client:
        await client.list_tools()

        async def call(tool: str, arguments: JsonObject) -> str:
            result = await client.call_tool(tool, arguments, progress_callback=ignore if heard else None)
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


class Turn:
    """Times of one side, in milliseconds: of each call, and of this process's CPU for all of them."""

    def __init__(self) -> None:
        self.calls = list[float]()
        self.cpu = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add a call."""
        start, cpu = time.perf_counter(), time.process_time()
        yield
        self.calls.append((time.perf_counter() - start) * 1000)
        self.cpu += (time.process_time() - cpu) * 1000


def show(what: str, turns: Sequence[tuple[Turn, Turn]]) -> None:
    """Both sides, SDK and Host, and the median of their ratios in each turn."""
    sides = zip(("SDK", "Host"), zip(*turns, strict=True), strict=True)
    found = {side: [call for turn in column for call in turn.calls] for side, column in sides}
    both = "   ".join(f"{side} {middle_and_late(calls)}" for side, calls in found.items())
    ratio = statistics.median(sum(ours.calls) / sum(theirs.calls) for theirs, ours in turns)
    cpu = statistics.median(ours.cpu / theirs.cpu for theirs, ours in turns)
    print(f"{what:46} {both}   Host/SDK {ratio:5.2f}, CPU {cpu:5.2f}   n={len(found['SDK'])}", flush=True)


def middle_and_late(values: Sequence[float]) -> str:
    late = statistics.quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
    return f"median {statistics.median(values):7.2f} p90 {late:7.2f} ms"


async def compare_connecting(era: str, rounds: int) -> None:
    """From nothing to the list of tools: a Host with its first server, and one more server on a Host that has some."""
    turns: list[tuple[Turn, Turn, Turn]] = []
    async with new_host() as old:
        await connected(old, echo("there before", era))
        for number in range(rounds + 1):
            theirs, first, more = Turn(), Turn(), Turn()
            async with AsyncExitStack() as stack:
                with theirs.timed():
                    await stack.enter_async_context(sdk(echo("one", era)))
            async with AsyncExitStack() as stack:
                with first.timed():
                    await connected(await stack.enter_async_context(new_host()), echo("one", era))
            with more.timed():
                await connected(old, echo(f"more {number}", era))
            await old.stop(f"more {number}")
            turns.append((theirs, first, more))
    turns = turns[1:]  # the first one also imports
    show(f"{era}: connect, new Host, first server", [(theirs, first) for theirs, first, _ in turns])
    show(f"{era}: connect, one more server", [(theirs, more) for theirs, _, more in turns])


async def one_by_one(tool: str, arguments: JsonObject, count: int, call: Call) -> Turn:
    turn = Turn()
    for _ in range(count):
        with turn.timed():
            await call(tool, arguments)
    return turn


async def together(tool: str, arguments: JsonObject, count: int, call: Call) -> Turn:
    turn = Turn()
    with turn.timed():
        await asyncio.gather(*(call(tool, arguments) for _ in range(count)))
    return turn


Plan = Callable[[Call], Awaitable[Turn]]
PLANS: dict[str, tuple[Plan, int]] = {
    "1,000 echo calls, each": (partial(one_by_one, "echo", {"x": "hello"}, 1000), 0),
    "100 echo calls at once, all": (partial(together, "echo", {"x": "hello"}, 100), 0),
    "100 echo calls beside 100 tools": (partial(one_by_one, "echo", {"x": "hello"}, 100), 100),
    "200 calls with output schema": (partial(one_by_one, "checked", {}, 200), 0),
    "50 calls with an ask": (partial(one_by_one, "ask", {}, 50), 0),
    "10 results of 5 MB, each": (partial(one_by_one, "text", {"n": 5_000_000}, 10), 0),
}
"""What is called, and how many more tools its server has."""


async def compare_calling(era: str, rounds: int) -> None:
    """Calls on connections that stay; who begins changes from turn to turn."""
    for what, (plan, more_tools) in PLANS.items():
        server = echo("echo", era, more_tools)
        turns: list[tuple[Turn, Turn]] = []
        async with sdk(server) as theirs, new_host() as host:
            ours = await connected(host, server)
            for number in range(rounds + 1):
                if number % 2:
                    turns.append((await plan(theirs), await plan(ours)))
                else:
                    turn = await plan(ours)
                    turns.append((await plan(theirs), turn))
        show(f"{era}: {what}", turns[1:])  # the first turn warms up


# the gap of Qt's loop


Found = tuple[list[float], int]
"""The gaps, and how many messages came meanwhile."""


async def flooded_program(program: Program, tab: str, kinds: Sequence[str], seconds: float) -> Found:
    """Servers flood the whole program, and one of them is looked at."""
    names = [f"flood {number}" for number in range(SERVERS_AT_ONCE)]

    async def connect(commands: Commands) -> None:
        for name in names:
            await connected(commands.host, echo(name))

    async def flood(commands: Commands) -> None:
        for name in names:
            commands.host.begin_call(name, "flood", {"kinds": list(kinds)})

    async def count(commands: Commands) -> int:
        return sum(len(commands.host.connection(name).traffic.entries(0)) for name in names)

    async def remove(commands: Commands) -> None:
        await asyncio.gather(*(commands.host.remove(name) for name in names))

    ask = program.bridge.ask
    await ask(connect)
    await asyncio.sleep(0.3)
    program.window.servers.select(names[0])
    view = program.window.servers.view(names[0])
    view.select_tool("flood")
    view.show_tab(tab)
    await asyncio.sleep(0.3)
    gaps, before = Gaps(), await ask(count)
    gaps.start()
    await ask(flood)
    await asyncio.sleep(seconds)
    found = gaps.stop(), await ask(count) - before
    await ask(remove)
    await asyncio.sleep(0.3)
    return found


async def flooded_sdk(kinds: Sequence[str], seconds: float) -> Found:
    """A plain loop in a second thread has the servers, and nothing is shown."""
    ready, go, enough = Future[None](), threading.Event(), threading.Event()
    gaps, count = Gaps(), 0

    async def heard(*_message: object) -> None:
        nonlocal count
        count += 1

    async def have_clients() -> None:
        async with AsyncExitStack() as stack:
            entries = [echo(f"flood {number}") for number in range(SERVERS_AT_ONCE)]
            calls = [await stack.enter_async_context(sdk(entry, heard)) for entry in entries]
            ready.set_result(None)
            await asyncio.to_thread(go.wait)
            flooding = asyncio.gather(
                *(call("flood", {"kinds": list(kinds)}) for call in calls), return_exceptions=True
            )
            await asyncio.to_thread(enough.wait)
        await flooding

    ours = sys.getswitchinterval()
    sys.setswitchinterval(PYTHONS_OWN_TURN)
    thread = threading.Thread(target=lambda: asyncio.run(have_clients()), daemon=True)
    thread.start()
    await asyncio.wrap_future(ready)
    gaps.start()
    go.set()
    await asyncio.sleep(seconds)
    found = gaps.stop(), count
    enough.set()
    await asyncio.to_thread(thread.join)
    sys.setswitchinterval(ours)
    return found


async def measure_gaps(program: Program, rounds: int, seconds: float) -> None:
    gaps = Gaps()
    await asyncio.sleep(1)
    gaps.start()
    await asyncio.sleep(seconds)
    show_gaps("idle", gaps.stop(), 0)
    for kinds in (*((kind,) for kind in KINDS), KINDS):
        sides: dict[str, Callable[[Sequence[str], float], Awaitable[Found]]] = {
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
    print(f"{what:46} gap {numbers}{rate}", flush=True)


async def compare(era: str, rounds: int) -> None:
    await compare_connecting(era, rounds)
    await compare_calling(era, rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long servers flood in a round")
    parser.add_argument("--only", choices=("calls", "flood"))
    options = parser.parse_args()
    for era in MODES if options.only != "flood" else ():
        with own_folders():
            asyncio.run(compare(era, options.rounds))
    if options.only == "calls":
        return
    with own_folders():
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
