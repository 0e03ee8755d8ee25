"""Which processes a test left behind."""

import os
import time
from pathlib import Path


def living_descendants(wait_for_end: set[int] | None = None, seconds: float = 5.0) -> dict[int, str]:
    """Living descendants of this process by pid, with their command line; waits for new ones to end.

    `wait_for_end` names the pids that may stay. Where there is no /proc the answer is empty.
    """
    end = time.monotonic() + seconds
    while True:
        found = _descendants()
        if wait_for_end is None or not (found.keys() - wait_for_end) or time.monotonic() > end:
            return found
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    """The process is there and no zombie. Needs /proc."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _descendants() -> dict[int, str]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(entry.name)] = int(fields[1])
    mine, found = {os.getpid()}, dict[int, str]()
    while grown := {pid for pid, parent in parents.items() if parent in mine} - mine:
        mine |= grown
        for pid in grown:
            found[pid] = _words(pid)
    return found


def _words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""
