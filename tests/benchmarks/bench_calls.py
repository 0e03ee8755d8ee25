"""Sequential echo calls through the Host beside the SDK's own client, on the same server program over stdio.

``python -m tests.benchmarks.bench_calls [--calls N] [--rounds N]``. The two take turns in one run, so that a busy
computer slows both alike.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable

from mcp import Client, StdioServerParameters

from desktop_host.host import Host
from desktop_host.terms.state import CallStatus
from tests.benchmarks.tools import faulty, own_folders
from tests.support.person import ScriptedPerson

MODES = {"handshake": "legacy", "modern": "2026-07-28"}


async def per_second(call: Callable[[], Awaitable[object]], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        await call()
    return calls / (time.perf_counter() - start)


async def compare(era: str, calls: int, rounds: int) -> None:
    entry = faulty("echo", era)
    host = Host(ScriptedPerson(), lambda event: None)
    host.add(entry, trusted=True)
    if reason := await host.start(entry.name):
        raise SystemExit(f"the server did not start: {reason}")

    async def ours() -> None:
        state = await host.call(entry.name, "echo", {"x": "hello"})
        if state.status is not CallStatus.DONE:
            raise SystemExit(f"a call failed: {state}")

    server = StdioServerParameters(command=entry.command, args=list(entry.args))
    async with Client(server, mode=MODES[era]) as client:

        async def theirs() -> None:
            await client.call_tool("echo", {"x": "hello"})

        await per_second(ours, 100)
        await per_second(theirs, 100)
        turns = [(await per_second(ours, calls), await per_second(theirs, calls)) for _ in range(rounds)]
    await host.close()
    mine, sdk = (statistics.median(column) for column in zip(*turns, strict=True))
    ratio = statistics.median(one / other for one, other in turns)
    print(f"{era:9}  Host {mine:5.0f} calls/s   mcp.Client {sdk:5.0f} calls/s   ratio {ratio:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{options.calls} sequential echo calls over stdio, median of {options.rounds} rounds that take turns")
    for era in MODES:
        with own_folders():
            asyncio.run(compare(era, options.calls, options.rounds))


if __name__ == "__main__":
    main()
