"""Ends servers when this program is gone, however it went: killed, crashed, or out of power to say good-bye.

A small process of ours holds the end of a pipe and the list of running servers. When the pipe closes it ends what is
still on the list. A parent-death signal would reach the server alone and none of its children (peers.md P08, P09), and
there is none on macOS; on Windows a job object does the same.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import psutil

from desktop_host.config.processes import WATCHDOG, own_command

_GRACE = 1.0
"""Seconds between asking and making a server end."""


class Watchdog:
    """Guards processes by their pid. All methods block for some milliseconds: call them in a thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._guarded: set[int] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._job: Any = None

    def guard(self, pid: int) -> None:
        """End this process and its children when our own ends."""
        with self._lock:
            self._guarded.add(pid)
            if sys.platform == "win32":
                self._assign(pid)
            elif self._process is None:
                self._start()
            else:
                self._tell(f"+{pid}")

    def release(self, pid: int) -> None:
        """This process has ended."""
        with self._lock:
            self._guarded.discard(pid)
            self._tell(f"-{pid}")
            if not self._guarded and self._process is not None:
                process, self._process = self._process, None
                with contextlib.suppress(OSError):
                    process.communicate(timeout=5)

    def _start(self) -> None:
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                own_command(WATCHDOG),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # what ends our group shall not end it
            )
        for pid in self._guarded:
            self._tell(f"+{pid}")

    def _tell(self, line: str) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
        except OSError:  # somebody ended it; the next server gets a new one
            process.wait()
            self._process = None

    def _assign(self, pid: int) -> None:
        # Only for Windows, where pywin32 comes with the mcp SDK; Windows ends a job's processes with its last handle.
        win32job, win32api, win32con = (__import__(name) for name in ("win32job", "win32api", "win32con"))
        if self._job is None:
            self._job = win32job.CreateJobObject(None, "")
            limits = win32job.QueryInformationJobObject(self._job, win32job.JobObjectExtendedLimitInformation)
            limits["BasicLimitInformation"]["LimitFlags"] |= win32job.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            win32job.SetInformationJobObject(self._job, win32job.JobObjectExtendedLimitInformation, limits)
        rights = win32con.PROCESS_SET_QUOTA | win32con.PROCESS_TERMINATE
        win32job.AssignProcessToJobObject(self._job, win32api.OpenProcess(rights, False, pid))


WATCHDOGS = Watchdog()
"""One for the whole process."""


def descendants(pid: int) -> list[psutil.Process]:
    """The children of a process, and theirs; none where it is gone. Blocks."""
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def measured(pid: int) -> tuple[int, int]:
    """How many processes a server is, and the bytes of memory that are theirs; blocks."""
    count = memory = 0
    with contextlib.suppress(psutil.Error):
        for process in (psutil.Process(pid), *descendants(pid)):
            with contextlib.suppress(psutil.Error):
                memory += process.memory_info().rss
                count += 1
    return count, memory


def end_all(processes: list[psutil.Process]) -> None:
    """Kill those that are still the processes they were."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def main() -> None:
    """The process itself: `+pid` and `-pid` a line, and the end of input when the program is gone."""
    guarded: dict[int, psutil.Process] = {}
    for line in sys.stdin:
        sign, pid = line[:1], line[1:].strip()
        if not pid.isdigit():
            continue
        if sign == "-":
            guarded.pop(int(pid), None)
        else:
            with contextlib.suppress(psutil.Error):
                guarded[int(pid)] = psutil.Process(int(pid))
    # Its pid may belong to another process by now; psutil knows by the time it began.
    running = [one for one in guarded.values() if one.is_running()]
    trees = [process for one in running for process in (one, *descendants(one.pid))]
    for process in running:
        _signal_group(process.pid, signal.SIGTERM)
    end = time.monotonic() + _GRACE
    while any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in trees) and time.monotonic() < end:
        time.sleep(0.02)
    for process in running:
        _signal_group(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    end_all(trees)


def _signal_group(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        if sys.platform != "win32":
            os.killpg(pid, number)
