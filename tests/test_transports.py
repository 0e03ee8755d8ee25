"""Each fault of the SDK's own transports that ours are there for, shown with its part, and gone with ours.

Where a test of this file fails because the SDK does better, a workaround can go (platform.md A.4 has the numbers).
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from desktop_host.terms.events import CallChanged
from desktop_host.terms.state import CallStatus, ServerStatus
from tests.support.person import ScriptedPerson
from tests.support.processes import is_alive
from tests.support.wire import PATIENCE, Json, RawServer, Wire, until

pytest_plugins = ("tests.support.fixtures",)

MODES = {"handshake": "legacy", "modern": "2026-07-28"}
TOO_LONG = 1.5
"""Seconds after which a call that should take milliseconds is taken to hang."""


async def apart(work: Awaitable[Any]) -> BaseException | None:
    """Run work of the SDK in a task of its own, since its faults cancel tasks; how it failed."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=PATIENCE)
    assert done, "the SDK's client never came back"
    return asyncio.CancelledError() if task.cancelled() else task.exception()


def sdk_stdio(server: RawServer, stderr: Path) -> Client:
    """The SDK's client on the SDK's transport, for the same server."""
    parameters = StdioServerParameters(command=server.entry.command, args=list(server.entry.args))
    return Client(stdio_client(parameters, errlog=stderr.open("w")), mode=MODES[server.entry.era])


@asynccontextmanager
async def longest_gap() -> AsyncIterator[list[float]]:
    """How long the loop stood still at most, in seconds, as the only item."""
    gap = [0.0]

    async def tick() -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.002)
            now = time.perf_counter()
            gap[0], last = max(gap[0], now - last), now

    ticking = asyncio.create_task(tick())
    try:
        yield gap
        await asyncio.sleep(0.01)
    finally:
        ticking.cancel()


@pytest.mark.parametrize("era", ["handshake", "modern"])
async def test_a_refused_connection_is_one_calls_failure_and_not_the_end_of_the_client(wire: Wire, era: str) -> None:
    """Fault 1."""
    server = wire.raw({"result": {"content": []}}, transport="http", era=era)
    reached: list[str] = []

    async def with_the_sdk() -> None:
        async with Client(server.entry.url, mode=MODES[era]) as client:
            await client.call_tool("tool")
            reached.append("up")
            wire.take_down(server)
            try:
                await client.call_tool("tool")
            except Exception:
                reached.append("a failed call")
            wire.bring_back(server)
            await client.call_tool("tool")
            reached.append("up again")

    assert await apart(with_the_sdk()) is not None
    assert reached == ["up"]

    wire.bring_back(server)
    host = await wire.meet(ScriptedPerson(), server)
    assert (await wire.call()).status is CallStatus.DONE
    wire.take_down(server)
    failed = await wire.call()
    assert failed.error
    assert (failed.status, failed.error.key) == (CallStatus.FAILED, "call.network")
    assert host.connection("raw").state.status is ServerStatus.READY
    wire.bring_back(server)
    if era == "handshake":
        # Its session went with the server: the call says so, and a restart opens a new one.
        lost = await wire.call()
        assert lost.error
        assert (lost.error.key, lost.error.mapping["text"]) == ("call.server_error", "Session not found")
        await host.stop("raw")
        assert await host.start("raw") is None
    assert (await wire.call()).status is CallStatus.DONE


@pytest.mark.parametrize(
    ("steps", "key"),
    [([], "call.network"), ([{"progress": {"progress": 1}}], "call.connection_lost")],
    ids=["before its answer began", "in the middle of its answer"],
)
@pytest.mark.parametrize("era", ["handshake", "modern"])
async def test_a_call_ends_when_its_http_server_goes_away(wire: Wire, era: str, steps: list[Json], key: str) -> None:
    server = wire.raw(*steps, {"sleep": 60}, transport="http", era=era)
    host = await wire.meet(ScriptedPerson(), server)
    call_id = host.begin_call("raw", "tool", {})
    await until(lambda: server.received("tools/call"))
    if steps:
        await until(lambda: any(event.state.progress for event in wire.told(CallChanged)))
    wire.take_down(server)
    call = await until(lambda: wire.ended.get(call_id), 5)
    assert call.error
    assert (call.status, call.error.key) == (CallStatus.FAILED, key)


async def test_an_event_of_more_than_a_mebibyte_arrives(wire: Wire) -> None:
    """Fault 3."""
    text = "x" * 2_000_000
    steps = ({"log": "so that it is a stream"}, {"result": {"content": [{"type": "text", "text": text}]}})
    server = wire.raw(*steps, transport="http")

    async def with_the_sdk() -> None:
        async with Client(server.entry.url, mode="legacy") as client:
            with pytest.raises(Exception, match="exceeded the 1048576 byte limit"):
                await client.call_tool("tool")

    assert await apart(with_the_sdk()) is None
    await wire.meet(ScriptedPerson(), server)
    call = await wire.call()
    assert call.result
    assert call.result["content"][0]["text"] == text


async def test_a_long_line_is_read_in_linear_time(wire: Wire) -> None:
    """Fault 6."""
    server, size, seconds = wire.faulty(), 15_000_000, dict[str, float]()

    async def timed(name: str, call: Callable[[], Awaitable[Any]]) -> None:
        start = time.perf_counter()
        await call()
        seconds[name] = time.perf_counter() - start

    async def with_the_sdk() -> None:
        async with sdk_stdio(server, wire.folder / "stderr") as client:
            await timed("theirs", lambda: client.call_tool("big", {"n": size}))

    assert await apart(with_the_sdk()) is None
    await wire.meet(ScriptedPerson(), server)
    await timed("ours", lambda: wire.call("faulty", "big", n=size))
    assert seconds["ours"] < seconds["theirs"] / 2


async def test_bytes_that_are_no_utf8_hang_no_call(wire: Wire) -> None:
    """Fault 7."""
    server, hung = wire.faulty(), []

    async def with_the_sdk() -> None:
        async with sdk_stdio(server, wire.folder / "stderr") as client:
            try:
                async with asyncio.timeout(TOO_LONG):
                    await client.call_tool("bad_utf8")
            except TimeoutError:
                hung.append(True)

    await apart(with_the_sdk())
    assert hung
    await wire.meet(ScriptedPerson(), server)
    assert (await wire.call("faulty", "bad_utf8")).status is CallStatus.DONE


async def test_a_child_that_holds_the_output_of_a_dead_server_hangs_no_call(wire: Wire) -> None:
    """Fault 8; what becomes of the child is in `test_faults.py`."""
    server, hung, stderr = wire.faulty(), [], wire.folder / "stderr"

    async def with_the_sdk() -> None:
        async with sdk_stdio(server, stderr) as client:
            try:
                async with asyncio.timeout(TOO_LONG):
                    await client.call_tool("orphan")
            except TimeoutError:
                hung.append(True)

    await apart(with_the_sdk())
    assert hung
    child = int(stderr.read_text())
    try:
        await wire.meet(ScriptedPerson(), server)
        assert (await wire.call("faulty", "orphan")).status is CallStatus.FAILED
    finally:
        if is_alive(child):
            os.kill(child, signal.SIGKILL)


async def test_a_result_that_breaks_its_schema_is_not_lost(wire: Wire) -> None:
    """Fault 10."""
    server = wire.faulty()

    async def with_the_sdk() -> None:
        async with sdk_stdio(server, wire.folder / "stderr") as client:
            await client.list_tools()
            with pytest.raises(RuntimeError, match="Invalid structured content"):
                await client.call_tool("bad_output")

    assert await apart(with_the_sdk()) is None
    await wire.meet(ScriptedPerson(), server)
    call = await wire.call("faulty", "bad_output")
    assert call.result
    assert call.result["structuredContent"] == {"a": "not a number"}


async def test_a_pattern_that_takes_for_ever_stops_the_loop_of_nobody(wire: Wire) -> None:
    """Fault 10."""
    server = wire.faulty()
    text = {"n": 24}

    async def with_the_sdk() -> None:
        async with sdk_stdio(server, wire.folder / "stderr") as client:
            await client.list_tools()
            async with longest_gap() as gap:
                with pytest.raises(RuntimeError):
                    await client.call_tool("hostile_pattern", text)
            theirs.append(gap[0])

    theirs: list[float] = []
    assert await apart(with_the_sdk()) is None
    await wire.meet(ScriptedPerson(), server)
    async with longest_gap() as ours:
        call = await wire.call("faulty", "hostile_pattern", **text)
    assert call.status is CallStatus.DONE
    assert ours[0] < theirs[0] / 3
