"""Many servers started, called, stopped and removed, again and again, in one Host: what is left after each cycle.

``python -m tests.soak [CYCLES] [SERVERS]``. It prints a line a cycle and at the end what grew, and exits with 1 where
something did (`grown` says what counts). The servers are real processes; Linux, macOS and Windows can run it.
"""

import argparse
import asyncio
import gc
import logging
import os
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from desktop_host.config.servers_file import ServerEntry
from desktop_host.host import Host
from desktop_host.terms.events import Event
from desktop_host.terms.state import CallStatus, ServerStatus
from tests.benchmarks.tools import SERVERS, own_folders
from tests.support.person import ScriptedPerson

SPARE = 1
"""Descriptors that may come once and for all: the host keeps hold of the server whose call it looked at last."""
NOISE = 1024 * 1024
"""Bytes by which the memory of a process that does nothing new still moves: arenas of its threads, fragments."""
PER_START = 1024
"""Bytes for each start of a server from which memory counts as growing. A connection that is kept has 15 times that."""
FEWEST = 9
"""Cycles below which nothing is said of memory."""
_PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Left:
    """What there is once all servers of a cycle are gone. `orphans`: command lines; `memory`: resident bytes."""

    orphans: tuple[str, ...]
    descriptors: int
    memory: int
    threads: int


def plain(name: str) -> ServerEntry:
    """A server that does no more than it must, so that many start quickly; its command line holds `mark()`."""
    return ServerEntry(name, sys.executable, ("-ES", str(SERVERS / "plain.py"), mark(), name))


def mark() -> str:
    """A word in the command line of every server that this process started."""
    return f"started-by-{os.getpid()}"


async def cycle(host: Host, servers: int, *, remove: bool = True) -> Left:
    """Start so many servers, call the tool of each and stop them all; what is left then.

    The host forgets them afterwards, since it keeps the messages of those it knows; `remove` False: it knows them on.
    """
    names = [f"plain {number}" for number in range(servers)]
    before = set(_others())
    for name in names:
        if name not in host.names():
            host.add(plain(name), trusted=True)
    reasons = await asyncio.gather(*(host.start(name) for name in names))
    if any(reasons):
        raise RuntimeError(f"a server did not start: {next(filter(None, reasons))}")
    for state in await asyncio.gather(*(host.call(name, "tool", {"x": name}) for name in names)):
        if state.status is not CallStatus.DONE or (state.result or {})["content"][0]["text"] != state.server:
            raise RuntimeError(f"a call failed: {state}")
    await asyncio.gather(*(host.stop(name) for name in names))
    if any(host.connection(name).state.status is not ServerStatus.OFF for name in names):
        raise RuntimeError("a server is not off after it was stopped")
    orphans = await asyncio.to_thread(_orphans, before)
    if remove:
        await asyncio.gather(*(host.remove(name) for name in names))
    gc.collect()  # what nobody can reach any more is no growth, whenever the collector would have come to it
    process = psutil.Process()
    descriptors = process.num_fds() if hasattr(process, "num_fds") else process.num_handles()
    return Left(orphans, descriptors, process.memory_info().rss, threading.active_count())


def grown(found: Sequence[Left], servers: int) -> list[str]:
    """What grew from cycle to cycle, in words; empty where nothing did.

    Orphans: any process of any cycle that is still there some seconds after its server was stopped, children of ours
    as well as what was handed over to init. Descriptors: each of the last three cycles has more than the first one,
    and more than `SPARE` more. Memory: the first third of the cycles is warm-up; from the middle third to the last one
    the median of the resident memory grows by more than `PER_START` for each start of a server that lies between them,
    and by more than `NOISE`. So 20 cycles of 50 servers find 4 KiB that are lost with each server, 100 find 1 KiB.
    """
    words: list[str] = []
    orphans = sorted({one for left in found for one in left.orphans})
    if orphans:
        words.append(f"{len(orphans)} orphans: {'; '.join(orphans)[:500]}")
    first, last = found[0].descriptors, min(left.descriptors for left in found[-3:])
    if last > first + SPARE:
        words.append(f"descriptors: from {first} to {last}")
    third = len(found) // 3
    if len(found) >= FEWEST:
        middle, end = (
            statistics.median(left.memory for left in part) for part in (found[-2 * third : -third], found[-third:])
        )
        more = end - middle
        if more > max(NOISE, PER_START * third * servers):
            words.append(f"memory: {more / 1024:.0f} KiB more in {third} cycles, and still growing")
    return words


def _others() -> dict[int, str]:
    """The living processes below this one, and those with our mark wherever they are, by pid."""
    own = psutil.Process()
    below = {one.pid for one in own.children(recursive=True)}
    found: dict[int, str] = {}
    for one in psutil.process_iter(["cmdline"]):
        words = one.info["cmdline"] or []
        if one.pid != own.pid and (one.pid in below or mark() in words):
            found[one.pid] = " ".join(words)
    return found


def _orphans(before: set[int]) -> tuple[str, ...]:
    """The processes that a cycle leaves behind; those that are on their way out get some seconds. Blocks."""
    end = time.monotonic() + _PATIENCE
    while (left := {pid: words for pid, words in _others().items() if pid not in before}) and time.monotonic() < end:
        time.sleep(0.05)
    return tuple(f"{pid} {words}" for pid, words in left.items())


def _line(number: int, left: Left, seconds: float) -> str:
    return (
        f"{number:5}  {len(left.orphans):7}  {left.descriptors:11}  {left.memory / 1024:10.0f}  {left.threads:7}"
        f"  {seconds:7.2f}"
    )


async def soak(cycles: int, servers: int) -> list[str]:
    """Run so many cycles and print them; what grew."""

    def tell(_event: Event) -> None:
        """Nobody looks."""

    host = Host(ScriptedPerson(), tell)
    print("cycle  orphans  descriptors  memory KiB  threads  seconds")
    found: list[Left] = []
    try:
        for number in range(1, cycles + 1):
            start = time.perf_counter()
            found.append(await cycle(host, servers))
            print(_line(number, found[-1], time.perf_counter() - start), flush=True)
    finally:
        await host.close()
    return grown(found, servers)


def main() -> int:
    """Soak; 0 where nothing grew."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cycles", nargs="?", type=int, default=100, metavar="CYCLES")
    parser.add_argument("servers", nargs="?", type=int, default=50, metavar="SERVERS")
    options = parser.parse_args()
    if options.cycles < 1 or options.servers < 1:
        parser.error("there must be one cycle and one server at least")
    logging.basicConfig(level=logging.WARNING)
    with own_folders():
        words = asyncio.run(soak(options.cycles, options.servers))
    for one in words:
        print(f"Grew: {one}")
    if not words:
        judged = "" if options.cycles >= FEWEST else f" Memory was not judged: that takes {FEWEST} cycles."
        print(f"Nothing grew in {options.cycles} cycles of {options.servers} servers.{judged}")
    return 1 if words else 0


if __name__ == "__main__":
    sys.exit(main())
