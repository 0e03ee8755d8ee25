"""A server as a child process: linear reader, bounded lines, exit code, and nothing left behind.

The SDK's transport is quadratic in the length of a line, hangs for good on invalid UTF-8 and on a server whose child
holds its output, and tells neither exit code nor stderr (platform.md A.4, faults 6 to 8 and 11).
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from desktop_host.config.programs import PROGRAMS, expanded
from desktop_host.config.servers_file import ServerEntry
from desktop_host.servers.watchdog import WATCHDOGS, descendants, end_all

MAX_LINE = 16 * 1024 * 1024
"""Bytes of one message; a longer one is set aside in a file instead of being read into the windows."""
TOO_LONG = -31001
"""Our own code, outside the reserved range, for an answer over MAX_LINE (BASE-09)."""
_FIRST_LOOK, _GRACE = 0.1, 2.0
_POLL = 0.02
_EDGE = 4096
_VERSION = rb'"jsonrpc"\s*:\s*"2\.0"\s*'
_ID_FIRST = re.compile(rb"\s*\{\s*(?:" + _VERSION + rb',\s*)?"id"\s*:\s*(\d+)\s*[,}]')
_ID_LAST = re.compile(rb',\s*"id"\s*:\s*(\d+)\s*(?:,\s*' + _VERSION + rb")?\}\s*$")
_LOG_LINES = 5000
_CHUNK = 1 << 18
_MEGABYTE = 1 << 20
MOST_ASIDE = 512 * _MEGABYTE
"""Bytes of one message that are put aside; a longer one is left out."""
_KEPT_ASIDE = 14 * 86_400.0

Read = MemoryObjectReceiveStream[SessionMessage | Exception]
Write = MemoryObjectSendStream[SessionMessage]


@dataclass(slots=True)
class ChildProcess:
    """What is known of a server's process. `exit_code` None while it runs; negative: ended by that signal."""

    pid: int | None = None
    exit_code: int | None = None
    log: deque[str] = field(default_factory=lambda: deque(maxlen=_LOG_LINES))
    stopped: asyncio.Event = field(default_factory=asyncio.Event)


@asynccontextmanager
async def run_server(entry: ServerEntry, child: ChildProcess, aside: Path) -> AsyncGenerator[tuple[Read, Write]]:
    """Start a server and exchange messages with it; on leaving, its whole process group is ended.

    `aside` is the folder for messages over MAX_LINE. Raises FileProblem and OSError where it cannot be started.
    """
    process = await _spawn(entry)
    child.pid = process.pid
    await asyncio.to_thread(WATCHDOGS.guard, process.pid)
    to_session, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = [
        asyncio.ensure_future(_read_messages(process, child, to_session, aside)),
        asyncio.ensure_future(_read_log(process, child)),
        asyncio.ensure_future(_write_messages(process, from_session)),
        asyncio.ensure_future(_watch(process, child, to_session)),
    ]
    try:
        yield read, write
    finally:
        with anyio.CancelScope(shield=True):
            write.close()
            await _end(process)
            await asyncio.to_thread(WATCHDOGS.release, process.pid)
            child.exit_code = process.returncode
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for stream in (read, to_session, from_session):
                stream.close()
            child.stopped.set()


async def _spawn(entry: ServerEntry) -> asyncio.subprocess.Process:
    options: dict[str, Any] = {"start_new_session": True} if sys.platform != "win32" else {}
    program = await asyncio.to_thread(PROGRAMS.find, entry.command, entry.cwd, entry.env.get("PATH", ""))
    environment = await asyncio.to_thread(PROGRAMS.environment, program, entry.env)
    return await asyncio.create_subprocess_exec(
        program,
        *entry.args,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment,
        cwd=expanded(entry.cwd) or None,
        limit=_CHUNK,
        **options,
    )


async def _lines(process: asyncio.subprocess.Process, aside: Path) -> AsyncIterator["bytes | _Spill"]:
    """Whole lines; a line over MAX_LINE as the file it went to."""
    assert process.stdout
    parts: list[bytes] = []
    size = 0
    spill: _Spill | None = None
    try:
        while chunk := await process.stdout.read(_CHUNK):
            await asyncio.sleep(0)  # a chunk of nothing but line ends has others wait for it too
            pieces = chunk.split(b"\n")
            for place, line in enumerate(pieces):
                size += len(line)
                if spill is None and size > MAX_LINE:
                    spill = await asyncio.to_thread(_Spill, aside)
                    await asyncio.to_thread(spill.write, b"".join(parts))
                    parts.clear()
                if spill is not None:
                    await asyncio.to_thread(spill.write, line)
                else:
                    parts.append(line)
                if place == len(pieces) - 1:
                    break  # it goes on in the next chunk
                if spill is not None:
                    await asyncio.to_thread(spill.close)
                    yield spill
                elif whole := b"".join(parts).strip():
                    yield whole
                parts, size, spill = [], 0, None
    finally:
        if spill is not None and not spill.whole:
            spill.drop()  # it broke off, and nobody will name it


class _Spill:
    """A line that is too long to read, on its way into a file of the person's."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"answer-{time.time_ns()}.json"
        self.size = 0
        self.whole = False
        self._file = self.path.open("wb")
        self.path.chmod(0o600)
        self._first, self._last = b"", b""

    def write(self, data: bytes) -> None:
        """Append, as long as there is an end to it; blocking."""
        self.size += len(data)
        if self.size <= MOST_ASIDE:
            self._file.write(data)
        self._first = (self._first + data)[:_EDGE] if len(self._first) < _EDGE else self._first
        self._last = (self._last + data)[-_EDGE:]

    def close(self) -> None:
        """Finish the file; blocking."""
        self.whole = True
        if self.size > MOST_ASIDE:
            self.drop()
        else:
            self._file.close()

    def drop(self) -> None:
        """Remove the file."""
        self._file.close()
        self.path.unlink(missing_ok=True)

    def message(self) -> SessionMessage | Exception:
        """The call's error in place of its answer, where the line's ends name its id."""
        found = _ID_FIRST.match(self._first) or _ID_LAST.search(self._last)
        if found is None:
            return ValueError(self._first.decode("utf-8", errors="replace")[:200])
        facts = {"path": str(self.path), "bytes": self.size}
        error = types.ErrorData(code=TOO_LONG, message="too long", data=facts)
        if self.size > MOST_ASIDE:
            words = f"an answer of {self.size // _MEGABYTE:,} MB was left out"
            error = types.ErrorData(code=types.INTERNAL_ERROR, message=words)
        return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=int(found.group(1)), error=error))


async def _read_messages(
    process: asyncio.subprocess.Process,
    child: ChildProcess,
    session: MemoryObjectSendStream[SessionMessage | Exception],
    aside: Path,
) -> None:
    try:
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for line in _lines(process, aside):
                if isinstance(line, _Spill):
                    await session.send(line.message())
                    continue
                # Replacing what is no UTF-8 keeps the message and its id; a strict reader hangs the call (fault 7).
                text = line.decode("utf-8", errors="replace")
                try:
                    message = _message(text)
                except (RecursionError, ValueError):
                    await session.send(ValueError(text[:200]))
                    continue
                await session.send(SessionMessage(message))
    except OSError as error:
        child.log.append(f"(a long message could not be put aside) {error.strerror}")
    finally:
        session.close()
        child.stopped.set()  # a server that closed its output, or is not heard any more, has nothing more to say


def _message(text: str) -> types.JSONRPCMessage:
    """A line as a message. Raises ValueError and RecursionError."""
    try:
        return types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        if "\\ud" not in text.lower():
            raise
    # Half a letter, as JSON can spell it, shall not cost the message; its request would wait for ever.
    whole = json.dumps(json.loads(text), ensure_ascii=False).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return types.jsonrpc_message_adapter.validate_json(whole, by_name=False)


async def _read_log(process: asyncio.subprocess.Process, child: ChildProcess) -> None:
    assert process.stderr
    rest = b""
    while chunk := await process.stderr.read(65536):
        *lines, rest = (rest + chunk).split(b"\n")
        child.log.extend(line.rstrip(b"\r").decode("utf-8", errors="replace")[:500] for line in lines[-_LOG_LINES:])
        rest = rest[-65536:]
    if rest:
        child.log.append(rest.rstrip(b"\r").decode("utf-8", errors="replace")[:500])


async def _write_messages(
    process: asyncio.subprocess.Process, session: MemoryObjectReceiveStream[SessionMessage]
) -> None:
    assert process.stdin
    async for item in session:
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except ConnectionError:
            return


async def _watch(
    process: asyncio.subprocess.Process,
    child: ChildProcess,
    session: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    """End the session when the server is gone: a grandchild that holds its output would keep it open for ever."""
    await _exited(process)
    child.exit_code = process.returncode
    await asyncio.sleep(0.3)  # what it wrote before it ended still counts
    session.close()
    child.stopped.set()


async def _exited(process: asyncio.subprocess.Process) -> None:
    """Wait for the process alone: `wait` also waits for its pipes, which a grandchild may hold."""
    while process.returncode is None:  # noqa: ASYNC110  # asyncio has no event for the exit alone
        await asyncio.sleep(_POLL)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close its input, wait, ask it, make it (NET-04); always the whole tree, for children that outlive it."""
    tree = await asyncio.to_thread(descendants, process.pid)
    if process.stdin:
        process.stdin.close()
    kill = getattr(signal, "SIGKILL", signal.SIGTERM)
    for number in (None, signal.SIGTERM, kill):
        if number is not None:
            _signal_group(process, number)
        if await _gone(process, _FIRST_LOOK):
            break
        tree += await asyncio.to_thread(descendants, process.pid)  # some are born while their server ends
        if await _gone(process, _GRACE):
            break
    _signal_group(process, kill)
    await asyncio.to_thread(end_all, tree)
    # A grandchild out of our reach may hold the pipes; closing our ends needs the transport, which has no public name.
    transport: asyncio.SubprocessTransport = vars(process)["_transport"]
    transport.close()


async def _gone(process: asyncio.subprocess.Process, seconds: float) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _exited(process)
    return process.returncode is not None


def remove_old(aside: Path) -> None:
    """Remove the messages that were put aside long ago. Blocking."""
    with contextlib.suppress(OSError):
        for path in aside.glob("answer-*.json"):
            if time.time() - path.stat().st_mtime > _KEPT_ASIDE:
                path.unlink(missing_ok=True)


def _signal_group(process: asyncio.subprocess.Process, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, number)
