"""The calls and requests made on one server, in both eras alike."""

import asyncio
import dataclasses
import uuid
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Protocol

import mcp_types as types
from mcp.shared.exceptions import MCPError

from desktop_host.config.servers_file import ServerEntry
from desktop_host.servers.asking import Abandoned, Walk
from desktop_host.servers.errors import lost
from desktop_host.servers.handshake import URL_REQUIRED, HandshakeAsks
from desktop_host.servers.modern import Driver, keep_nothing
from desktop_host.servers.parked import Parked, ParkedCall, Round
from desktop_host.servers.session import CURRENT_CALL, HostSession
from desktop_host.terms.asks import CallRef, JsonObject, Origin, Outcome
from desktop_host.terms.messages import Message, say

_END_LIMIT = 10.0
_URL_REQUIRED_SINCE = "2025-11-25"
_MOST_LINK_ROUNDS = 20
Progress = Callable[[float, float | None, str | None], None]


class NotConnected(Exception):
    """The server is not running. `reason` says why, where known."""

    def __init__(self, reason: Message | None) -> None:
        super().__init__("not connected")
        self.reason = reason


class Line(Protocol):
    """The connection under the calls. `session` is None while there is none, `reason` says why there is none."""

    @property
    def session(self) -> HostSession | None: ...
    @property
    def reason(self) -> Message | None: ...

    async def ended(self, limit: float) -> None:
        """Wait until the connection is over, for some seconds at most."""
        ...

    async def reconnect(self) -> None:
        """An answer shall go to a server that is not connected; it may be started."""
        ...

    async def list_tools(self, session: HostSession) -> None:
        """List its tools anew."""
        ...


class Calling:
    """What is asked of a server, and what it asks meanwhile. `walk` is the corridor's."""

    def __init__(
        self,
        entry: ServerEntry,
        line: Line,
        walk: Walk,
        parked: Parked,
        stop_calls: Callable[[Iterable[CallRef]], None],
    ) -> None:
        self._entry = entry
        self._line = line
        self._walk = walk
        self._parked = parked
        self._calls: dict[str, CallRef] = {}
        self._call_tasks: dict[str, asyncio.Task[Any] | None] = {}
        self._lost: set[str] = set()
        self._thinking: set[str] = set()
        self._asks = HandshakeAsks(walk, self.origin, stop_calls)
        self.handle = self._asks.handle
        """Answers a request of a handshake server."""

    async def call_tool(self, call: CallRef, on_progress: Progress, parked: ParkedCall | None = None) -> JsonObject:
        """Call a tool; the raw result. To be awaited in a task of its own, whose cancelling cancels the call.

        `parked`: go on with a call that waited for the person when the program ended; the server need not be
        connected before there is an answer. Raises NotConnected, MCPError and `asking.Abandoned`.
        """
        self._calls[call.id] = call
        self._call_tasks[call.id] = asyncio.current_task()
        CURRENT_CALL.set(call.id)
        try:
            if parked is not None:
                return await self._drive(call, on_progress, parked.revision, parked.round)
            return await self._call_or_explain(call, on_progress)
        except asyncio.CancelledError:
            if call.id in self._lost:
                raise NotConnected(self._line.reason) from None
            raise
        finally:
            self._calls.pop(call.id, None)
            self._call_tasks.pop(call.id, None)
            self._lost.discard(call.id)
            self._thinking.discard(call.id)

    async def _call_or_explain(self, call: CallRef, on_progress: Progress) -> JsonObject:
        session = self._line.session
        if session is None:
            raise NotConnected(self._line.reason)
        try:
            return await self._call_tool(session, call, on_progress)
        except MCPError as error:
            if not lost(error) or self._entry.url:
                raise
            await self._line.ended(_END_LIMIT)  # the process is gone; it is known in a moment how it ended
            raise NotConnected(self._line.reason) from None

    async def request(self, method: str, params: JsonObject) -> JsonObject:
        """Any other request of ours, asks included (FEAT-22); the raw result. Raises as `call_tool` does."""
        session = self._line.session
        if session is None:
            raise NotConnected(self._line.reason)

        async def send(extra: JsonObject) -> JsonObject:
            return await session.request(method, {**params, **extra})

        if session.modern:
            return await Driver(send, self._walk, lambda: self.origin(""), keep_nothing).run()
        return await self._with_links(send, session, ())

    async def _call_tool(self, session: HostSession, call: CallRef, on_progress: Progress) -> JsonObject:
        if session.modern:
            return await self._drive(call, on_progress, session.protocol_version or "")

        async def send(extra: JsonObject) -> JsonObject:
            return await self._send_call(session, call, on_progress, extra)

        return await self._with_links(send, session, (call,))

    async def _drive(
        self, call: CallRef, on_progress: Progress, revision: str, parked: Round | None = None
    ) -> JsonObject:
        """A call in the modern era. Between its rounds the server may go and come back: the state is ours to send."""
        first = self._line.session if parked is None else None

        async def send(extra: JsonObject) -> JsonObject:
            self._thinking.discard(call.id)
            if self._line.session is None:
                await self._line.reconnect()
            session = self._line.session
            if session is None:
                raise NotConnected(self._line.reason)
            if not session.modern:
                raise Abandoned(say("call.other_era"), Outcome.FAILED)
            # A retry has an id of its own (BASE-42), also where the first request went over another connection.
            fresh = uuid.uuid4().hex if session is not first else ""
            return await self._send_call(session, call, on_progress, extra, fresh)

        async def keep(now: Round) -> None:
            self._thinking.add(call.id)
            await self._parked.keep(ParkedCall(self._entry.name, self._entry.fingerprint, revision, call, now))

        def origin() -> Origin:
            return dataclasses.replace(self.origin(""), calls=(call,), era="modern", revision=revision)

        return await Driver(send, self._walk, origin, keep).run(parked)

    async def _send_call(
        self, session: HostSession, call: CallRef, on_progress: Progress, extra: JsonObject, request_id: str = ""
    ) -> JsonObject:
        async def progressed(progress: float, total: float | None, message: str | None) -> None:
            on_progress(progress, total, message)

        params = {"name": call.tool, "arguments": call.arguments, **extra}
        try:
            return await session.request("tools/call", params, progressed, request_id)
        except MCPError as error:
            if error.code != types.HEADER_MISMATCH or not session.modern:
                raise
        await self._line.list_tools(session)  # its headers are made from the listing, which is stale (NET-13)
        return await session.request("tools/call", params, progressed)

    async def _with_links(
        self, send: Callable[[JsonObject], Awaitable[JsonObject]], session: HostSession, calls: tuple[CallRef, ...]
    ) -> JsonObject:
        """Send a request, and again after the links that error -32042 asks for (ELU-17)."""
        seen: set[str] = set()
        for _ in range(_MOST_LINK_ROUNDS):
            try:
                return await send({})
            except MCPError as error:
                # The code has this meaning in one revision only.
                if error.code != URL_REQUIRED or session.protocol_version != _URL_REQUIRED_SINCE:
                    raise
                await self._asks.links_required(error.error.data, calls, seen)
        raise Abandoned(say("call.too_many_rounds", count=_MOST_LINK_ROUNDS))

    def origin(self, key: str) -> Origin:
        """Where an ask comes from: the call in whose task we are, else all that are open."""
        current = self._calls.get(CURRENT_CALL.get())
        calls = (current,) if current else tuple(self._calls.values())
        session = self._line.session
        era, revision = (session.era, session.protocol_version or "") if session is not None else ("", "")
        return Origin(self._entry.name, self._entry.identity, era, revision, calls, key)

    def end_all(self) -> None:
        """Calls that wait for the person, not for the server, would not notice that it is gone.

        In the modern era they need not: they go on when the person has answered.
        """
        for call_id, task in self._call_tasks.items():
            if task is not None and call_id not in self._thinking:
                self._lost.add(call_id)
                task.cancel()
