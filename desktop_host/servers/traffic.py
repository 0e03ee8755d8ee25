"""Every message to and from one server, for its developers: listed in memory, kept whole in a file without a name.

The file goes with the program. What is shown or exported of a message is masked: no key leaves as it is.
"""

import asyncio
import contextvars
import json
import tempfile
import threading
import time
from array import array
from collections.abc import Collection
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from desktop_host.policy.secrets import Masker
from desktop_host.terms.state import Traffic

MOST = 200_000
"""Messages that are listed; after that nothing more is, and the last line says so."""
MOST_UNANSWERED = 256
"""Requests of a server that may wait for an answer at once."""
_MOST_BYTES = 1024 * 1024 * 1024
_MOST_SHOWN = 200_000
"""Characters of one message that are shown."""


@dataclass(slots=True)
class _Asked:
    method: str
    when: float


class TrafficLog:
    """The messages of one connection after another, numbered from 0. Reading back blocks."""

    def __init__(self) -> None:
        self._entries: list[Traffic] = []
        self._places = array("Q", [0])
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()  # it is read back in other threads
        self._asked: dict[tuple[bool, str], _Asked] = {}

    def add(self, message: SessionMessage | Exception, *, sent: bool) -> None:
        """A message went by."""
        if len(self._entries) >= MOST or self._places[-1] > _MOST_BYTES:
            return
        broken = isinstance(message, Exception)
        text = str(message) if broken else message.message.model_dump_json(by_alias=True, exclude_unset=True)
        data = text.encode("utf-8", "surrogatepass")
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # it stays open as long as this does
        with self._lock:
            self._file.write(data)
        self._places.append(self._places[-1] + len(data))
        self._entries.append(self._entry(None if broken else message.message, sent, len(data)))

    def entries(self, after: int) -> tuple[Traffic, ...]:
        """What was added after so many messages."""
        return tuple(self._entries[after:])

    def message(self, number: int, kinds: Collection[str]) -> str:
        """A message as indented JSON; what is of these kinds is masked."""
        text, masker = self._text(number), Masker(kinds)
        try:
            shown = json.dumps(masker.value(json.loads(text)), ensure_ascii=False, indent=2)
        except ValueError:
            shown = masker.text(text)
        return shown if len(shown) <= _MOST_SHOWN else shown[:_MOST_SHOWN] + "\n…"

    def export(self, file: IO[str], kinds: Collection[str]) -> None:
        """Write all of them as lines of JSON; what is of these kinds is masked."""
        masker = Masker(kinds)
        for number, entry in enumerate(self._entries):
            text = self._text(number)
            try:
                body: Any = masker.value(json.loads(text))
            except ValueError:
                body = masker.text(text)
            line = {"time": entry.when, "sent": entry.sent, "message": body}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Forget all of it: the server is gone."""
        with self._lock:
            self._entries, self._places = [], array("Q", [0])
            if self._file is not None:
                self._file.close()
                self._file = None

    def _text(self, number: int) -> str:
        if self._file is None or number >= len(self._entries):
            return ""
        start, end = self._places[number], self._places[number + 1]
        with self._lock:
            self._file.seek(start)
            data = self._file.read(end - start)
            self._file.seek(0, 2)
        return data.decode("utf-8", "replace")

    def _entry(self, message: types.JSONRPCMessage | None, sent: bool, size: int) -> Traffic:
        now, number = time.time(), len(self._entries)
        if message is None:
            return Traffic(number, now, sent, "broken", "", "", size)
        if isinstance(message, types.JSONRPCNotification):
            return Traffic(number, now, sent, "notification", message.method, "", size)
        request_id = str(message.id)
        if isinstance(message, types.JSONRPCRequest):
            self._asked[sent, request_id] = _Asked(message.method, now)
            return Traffic(number, now, sent, "request", message.method, request_id, size)
        kind = "error" if isinstance(message, types.JSONRPCError) else "result"
        asked = self._asked.pop((not sent, request_id), None)
        method, took = (asked.method, now - asked.when) if asked is not None else ("", None)
        return Traffic(number, now, sent, kind, method, request_id, size, took)


class Unanswered:
    """The requests of one server that wait for an answer. Beyond so many its messages are read no further: a server
    that asks without end, or does not read what it is answered, fills no memory."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._room = asyncio.Event()
        self._room.set()

    async def room(self) -> None:
        """Wait until another request may come."""
        await self._room.wait()

    def came(self, message: SessionMessage | Exception) -> None:
        """Count a request; one that its server took back waits no longer."""
        inner = message.message if isinstance(message, SessionMessage) else None
        if isinstance(inner, types.JSONRPCRequest):
            self._ids.add(str(inner.id))
        elif isinstance(inner, types.JSONRPCNotification) and inner.method == "notifications/cancelled":
            self._ids.discard(str((inner.params or {}).get("requestId")))
        self._look()

    def went(self, message: SessionMessage) -> None:
        """Count an answer that its server has taken."""
        if isinstance(message.message, types.JSONRPCResponse | types.JSONRPCError):
            self._ids.discard(str(message.message.id))
            self._look()

    def _look(self) -> None:
        if len(self._ids) < MOST_UNANSWERED:
            self._room.set()
        else:
            self._room.clear()


class TappedRead:
    """What comes, noted on its way. Whose context it came in goes along: the SDK's streams carry it."""

    def __init__(self, inner: Any, log: TrafficLog, unanswered: Unanswered) -> None:
        self._inner = inner
        self._log = log
        self._unanswered = unanswered

    @property
    def last_context(self) -> contextvars.Context | None:
        """See the SDK's context streams."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        await self._unanswered.room()
        message = await self._inner.receive()
        self._unanswered.came(message)
        self._log.add(message, sent=False)
        return message

    async def aclose(self) -> None:
        """Close the transport's stream."""
        await self._inner.aclose()

    def __aiter__(self) -> "TappedRead":
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> "TappedRead":
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


class TappedWrite:
    """What goes, noted on its way."""

    def __init__(self, inner: Any, log: TrafficLog, unanswered: Unanswered) -> None:
        self._inner = inner
        self._log = log
        self._unanswered = unanswered

    async def send(self, item: SessionMessage) -> None:
        """Hand it on."""
        self._log.add(item, sent=True)
        await self._inner.send(item)
        self._unanswered.went(item)

    async def aclose(self) -> None:
        """Close the transport's stream."""
        await self._inner.aclose()

    async def __aenter__(self) -> "TappedWrite":
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()
