"""What the audit log costs: appending with and without waiting for the disk, and proving it.

``python -m tests.benchmarks.bench_audit [--entries N]``.
"""

import argparse
import asyncio
import sqlite3
import time
from pathlib import Path

from desktop_host.audit.chain import check
from desktop_host.audit.log import AuditLog
from tests.benchmarks.tools import own_folders
from tests.test_audit import record


async def append(path: Path, count: int, *, wait_for_disk: bool) -> float:
    """Seconds for so many entries."""
    log = AuditLog(path)
    await log.append(record(0))
    if not wait_for_disk:
        connection = log._connection
        assert isinstance(connection, sqlite3.Connection)
        connection.execute("PRAGMA synchronous=OFF")
    started = time.perf_counter()
    for number in range(count):
        await log.append(record(number))
    took = time.perf_counter() - started
    await log.close()
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    count: int = parser.parse_args().entries
    with own_folders() as folder:
        for name, wait_for_disk in (("without fsync", False), ("with fsync", True)):
            took = asyncio.run(append(folder / f"{name}.sqlite3", count, wait_for_disk=wait_for_disk))
            print(f"{count} appends {name}: {took:.2f} s, {took / count * 1000:.3f} ms each")
        path = folder / "long.sqlite3"
        asyncio.run(append(path, 10 * count, wait_for_disk=False))
        started = time.perf_counter()
        found = check(path)
        print(f"verify {found.entries} entries: {time.perf_counter() - started:.2f} s, intact: {found.intact}")


if __name__ == "__main__":
    main()
