"""Many starts and stops in one Host leave nothing behind, and a server that means harm harms no other one.

`python -m tests.soak` does the first for as long as one likes; what servers do by mistake is in `test_faults.py`.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

import psutil
import pytest

from desktop_host.config.servers_file import ServerEntry
from desktop_host.host import Host
from desktop_host.terms.events import Event, ServerChanged
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallState, CallStatus, ServerStatus
from tests.soak import FEWEST, NOISE, SPARE, Left, cycle, grown, plain
from tests.support.person import ScriptedPerson
from tests.support.processes import is_alive, living_descendants
from tests.support.wire import PATIENCE, SERVERS, RawServer, Wire, until

pytest_plugins = ("tests.support.fixtures",)

FLOOD = 50_000
UNHEARD = 7_000
SLOWEST = 3.0
"""Seconds within which the good server's calls are answered, whatever another one does; it takes milliseconds."""
MOST_MEMORY = 24 * 1024 * 1024
"""Bytes by which a server that floods may make this process grow."""
MOST_SAID = 10_000
"""Characters that one line about a server may have."""


# many, again and again


@pytest.mark.parametrize(("servers", "remove"), [(10, True), (4, False)], ids=["removed", "stopped"])
async def test_five_cycles_leave_no_process_and_no_descriptor_behind(
    new_host: Callable[..., Host], servers: int, remove: bool
) -> None:
    host = new_host(ScriptedPerson())
    found = [await cycle(host, servers, remove=remove) for _ in range(5)]
    assert [left.orphans for left in found] == [()] * 5
    assert grown(found, servers) == []


EVEN = [100_000_000] * 18


def cycles(memory: list[int], descriptors: list[int] | None = None) -> list[Left]:
    return [Left((), more, one, 7) for one, more in zip(memory, descriptors or [9] * len(memory), strict=True)]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (cycles(EVEN), []),
        (cycles([number * 20_000_000 for number in range(6)] + [120_000_000] * 12), []),
        (cycles([100_000_000 + number % 2 * NOISE for number in range(18)]), []),
        (cycles([100_000_000 + number * NOISE // 10 for number in range(60)]), ["memory"]),
        (cycles([100_000_000 + number * 10_000_000 for number in range(FEWEST - 1)]), []),
        (cycles(EVEN[:5], [9, 10, 11, 12, 13]), ["descriptors"]),
        (cycles(EVEN[:5], [9, 9, *[9 + SPARE] * 3]), []),
        (cycles(EVEN[:5], [9, 30, 30, 30, 9]), []),
        ([Left(("7 sleep 300",), 9, 1, 7), Left((), 9, 1, 7)], ["1 orphans"]),
    ],
    ids=[
        *("even", "grows while it warms up", "goes up and down", "grows for ever", "too few to judge memory"),
        *("descriptors grow", "one more for good", "descriptors come and go", "an orphan of an early cycle"),
    ],
)
def test_what_grows_from_cycle_to_cycle_is_told(found: list[Left], expected: list[str]) -> None:
    assert [words.partition(":")[0] for words in grown(found, 10)] == expected


# servers that mean harm, beside a good one


def hostile(wire: Wire, kind: str, *words: str, name: str = "hostile") -> RawServer:
    """A server of `tests/servers/hostile.py`; it is not started again when it ends by itself."""
    log = wire.folder / f"{name}.log"  # it writes none, but the name marks its process
    arguments = ("-ES", str(SERVERS / "hostile.py"), kind, *words, str(log))
    return RawServer(ServerEntry(name, sys.executable, arguments, auto_start=False), log)


async def beside_a_good_one(wire: Wire, *others: RawServer) -> Host:
    """A host that is connected to the good server and knows the others."""
    host = await wire.meet(ScriptedPerson(), RawServer(plain("good"), wire.folder / "good.log"))
    for server in others:
        host.add(server.entry, trusted=True)
    return host


async def started(host: Host, *servers: RawServer) -> list[Message | None]:
    """Start servers; why each did not."""
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(*(host.start(server.name) for server in servers))


def running(*servers: RawServer) -> list[int]:
    """The living processes of servers."""
    logs = [str(server.log) for server in servers]
    return [pid for pid, words in living_descendants().items() if any(log in words for log in logs)]


def said(host: Host, name: str = "hostile") -> tuple[str, ...]:
    """The lines about a server that its developer sees."""
    return host.connection(name).state.log


def status_of(host: Host, name: str = "hostile") -> ServerStatus:
    return host.connection(name).state.status


def text_of(call: CallState) -> str:
    assert call.result is not None, call
    return call.result["content"][0]["text"]


class Watched:
    """Calls the good server; how long the slowest call took, and by how much this process grew meanwhile."""

    def __init__(self, wire: Wire) -> None:
        self.slowest, self.grown = 0.0, 0
        self._wire = wire
        self._process = psutil.Process()
        self._before = self._process.memory_info().rss

    async def call(self) -> None:
        start = time.monotonic()
        assert (await self._wire.call("good")).status is CallStatus.DONE
        self.slowest = max(self.slowest, time.monotonic() - start)
        self.grown = max(self.grown, self._process.memory_info().rss - self._before)
        await asyncio.sleep(0.05)


async def test_fifty_thousand_notifications_outside_any_call_hold_up_nobody_and_fill_no_memory(wire: Wire) -> None:
    server = hostile(wire, "flood", str(FLOOD))
    host = await beside_a_good_one(wire, server)
    assert await started(host, server) == [None]
    watched = Watched(wire)
    assert text_of(await wire.call("hostile", x="now")) == "now"
    after = asyncio.create_task(host.call("hostile", "tool", {"x": "after it"}))
    async with asyncio.timeout(10 * PATIENCE):
        while not after.done():
            await watched.call()
    assert text_of(after.result()) == "after it"
    assert watched.slowest < SLOWEST
    assert watched.grown < MOST_MEMORY
    assert status_of(host, "good") is ServerStatus.READY


async def test_requests_whose_answers_nobody_reads_hold_up_nobody_and_fill_no_memory(wire: Wire) -> None:
    server = hostile(wire, "unheard", str(UNHEARD))
    host = await beside_a_good_one(wire, server)
    assert await started(host, server) == [None]
    watched = Watched(wire)
    await wire.call("hostile", x="now")
    traffic, heard = host.connection("hostile").traffic, -1
    while heard < (heard := len(traffic.entries(0))):  # until all are read, or as many as a careful host reads
        for _ in range(3):
            await watched.call()
    assert watched.slowest < SLOWEST
    async with asyncio.timeout(PATIENCE):
        await host.stop("hostile")
    assert watched.grown < MOST_MEMORY


async def test_servers_that_answer_nothing_of_use_are_given_up_and_ended(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_host.servers.connection.CONNECT_LIMIT", 1.0)
    silent, garbage = hostile(wire, "silent", name="silent"), hostile(wire, "garbage", "only", name="garbage")
    results = (None, "yes", {"protocolVersion": 1}, {"protocolVersion": "2025-11-25"})
    wrong = [hostile(wire, "wrong", json.dumps(one), name=f"wrong {number}") for number, one in enumerate(results)]
    servers = [silent, garbage, *wrong]
    host = await beside_a_good_one(wire, *servers)
    async with wire.going_on("good"):
        reasons = await started(host, *servers)
    assert [reason and reason.key for reason in reasons[:2]] == ["connect.too_slow"] * 2
    assert None not in reasons
    assert {status_of(host, server.name) for server in servers} == {ServerStatus.FAILED}
    assert running(*servers) == []
    noted = said(host, "garbage")
    assert any("Welcome! Listening for connections." in line for line in noted)
    assert max(map(len, noted)) < MOST_SAID


async def test_no_garbage_is_taken_for_the_answer_that_comes_after_it(wire: Wire) -> None:
    server = hostile(wire, "garbage", "answered")
    host = await beside_a_good_one(wire, server)
    async with wire.going_on("good"):
        assert await started(host, server) == [None]
        assert text_of(await wire.call("hostile", x="the answer")) == "the answer"
    assert len(said(host)) >= 10


@pytest.mark.parametrize("then", ["exit", "stay"])
async def test_an_output_that_ends_in_the_middle_of_a_message_ends_its_server(wire: Wire, then: str) -> None:
    methods = ("initialize", "tools/list", "tools/call")
    servers = [hostile(wire, "cut", method, then, name=method) for method in methods]
    host = await beside_a_good_one(wire, *servers)
    async with wire.going_on("good"):
        first, second, third = await started(host, *servers)
        call = await wire.call("tools/call", x="now")
    assert third is None
    assert call.status is CallStatus.FAILED
    assert [reason and reason.key for reason in (first, second, call.error)] == ["server.exited"] * 3
    assert [status_of(host, method) for method in methods] == [ServerStatus.FAILED] * 3
    await until(lambda: running(*servers) == [])


async def test_half_an_answer_that_is_too_long_is_not_left_on_the_disk_unless_it_is_named(wire: Wire) -> None:
    server = hostile(wire, "cut_long")
    host = await beside_a_good_one(wire, server)
    assert await started(host, server) == [None]
    async with wire.going_on("good"):
        call = await wire.call("hostile", x="now")
    assert call.status is CallStatus.FAILED
    aside = [path for path in wire.folder.rglob("answers/*") if path.is_file()]
    assert call.error
    assert [str(path) for path in aside if str(path) not in map(str, call.error.mapping.values())] == []


async def test_children_that_will_not_go_are_gone_with_their_server(wire: Wire) -> None:
    server = hostile(wire, "children")
    host = await beside_a_good_one(wire, server)
    assert await started(host, server) == [None]
    pids = [int(line) for line in await until(lambda: len(said(host)) == 4 and said(host))]
    assert all(is_alive(pid) for pid in pids)
    async with wire.going_on("good"):
        await host.stop("hostile")
    await until(lambda: not any(is_alive(pid) for pid in pids))
    assert running(server) == []


async def test_a_child_that_is_born_while_its_server_is_stopped_is_gone_with_it(wire: Wire) -> None:
    server = hostile(wire, "late")
    host = await beside_a_good_one(wire, server)
    assert await started(host, server) == [None]
    await host.stop("hostile")
    [pid] = map(int, said(host))
    try:
        await until(lambda: not is_alive(pid), 1)
    finally:
        if is_alive(pid):
            psutil.Process(pid).kill()


async def test_a_name_without_end_fills_no_log(wire: Wire) -> None:
    server = hostile(wire, "names")
    host = await beside_a_good_one(wire, server)
    assert await started(host, server) == [None]
    noted = await until(lambda: len(said(host)) > 1 and said(host))
    assert max(map(len, noted)) < MOST_SAID


# starts and stops that come between each other


async def test_servers_that_never_answer_keep_no_other_one_from_starting(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_host.servers.connection.CONNECT_LIMIT", 1.5)
    servers = [hostile(wire, "silent", name=f"silent {number}") for number in range(4)]
    host = await beside_a_good_one(wire, *servers)
    host.add(plain("another"), trusted=True)
    waiting = {asyncio.create_task(host.start(server.name)) for server in servers}
    await until(lambda: len(running(*servers)) == len(servers))
    starting = asyncio.create_task(host.start("another"))
    done, _ = await asyncio.wait({starting, *waiting}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.gather(*(host.stop(server.name) for server in servers))
    await asyncio.gather(starting, *waiting)
    assert done == {starting}, "the others were given up before it could start"


class AtOnce:
    """Does something at the first event that tells a status of a server, as `task`."""

    def __init__(self, status: ServerStatus, what: Callable[[str], Coroutine[Any, Any, Any]]) -> None:
        self.task: asyncio.Task[Any] | None = None
        self._status = status
        self._what = what

    def __call__(self, event: Event) -> None:
        if self.task is None and isinstance(event, ServerChanged) and event.state.status is self._status:
            self.task = asyncio.create_task(self._what(event.state.name))


async def test_a_server_can_be_stopped_as_soon_as_it_is_starting(wire: Wire) -> None:
    async def stop(name: str) -> None:
        await host.connection(name).stop()

    server, stopping = hostile(wire, "silent"), AtOnce(ServerStatus.STARTING, stop)
    host = wire.new_host(ScriptedPerson(), stopping)
    host.add(server.entry, trusted=True)
    starting = asyncio.create_task(host.start("hostile"))
    await until(lambda: stopping.task)
    assert stopping.task
    try:
        await asyncio.wait({stopping.task}, timeout=1.5)
        assert stopping.task.done()
        assert status_of(host) is ServerStatus.OFF
    finally:
        for pid in running(server):
            psutil.Process(pid).kill()
        await asyncio.gather(stopping.task, starting)


async def test_a_server_that_is_started_while_it_stops_is_ready_or_says_why_not(wire: Wire) -> None:
    again = AtOnce(ServerStatus.STOPPING, lambda name: host.start(name))
    host = wire.new_host(ScriptedPerson(), again)
    host.add(plain("good"), trusted=True)
    assert await host.start("good") is None
    await host.stop("good")
    assert again.task
    reason = await again.task
    assert reason is not None or status_of(host, "good") is ServerStatus.READY


async def test_nothing_starts_any_more_once_the_host_is_closed() -> None:
    names = [f"plain {number}" for number in range(8)]

    def tell(_event: Event) -> None:
        """Nobody looks."""

    host = Host(ScriptedPerson(), tell)
    for name in names:
        host.add(plain(name), trusted=True)
    starts = [asyncio.create_task(host.start(name)) for name in names]
    await until(lambda: any(status_of(host, name) is ServerStatus.STARTING for name in names))
    await host.close()
    await asyncio.wait(starts, timeout=PATIENCE)
    try:
        assert [name for name in names if status_of(host, name) is ServerStatus.READY] == []
    finally:
        await asyncio.gather(*(host.stop(name) for name in names))
