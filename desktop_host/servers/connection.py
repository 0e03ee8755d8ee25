"""One server: its connection, owned by one task, and the calls made on it."""

import asyncio
import dataclasses
import logging
import uuid
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Protocol

import anyio
import mcp_types as types
from mcp.client.session import IncomingMessage
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

from desktop_host.config.servers_file import ServerEntry
from desktop_host.servers.asking import Abandoned, Walk
from desktop_host.servers.changes import Changes
from desktop_host.servers.errors import connect_error, exited, lost
from desktop_host.servers.handshake import URL_REQUIRED, HandshakeAsks
from desktop_host.servers.modern import Driver, keep_nothing
from desktop_host.servers.offers import prompts_of, resources_of
from desktop_host.servers.parked import Parked, ParkedCall, Round
from desktop_host.servers.session import CURRENT_CALL, HostSession
from desktop_host.servers.sign_in import LIMIT, SignIn, signing_in
from desktop_host.servers.sign_in import Listener as SignInListener
from desktop_host.servers.stdio import ChildProcess
from desktop_host.servers.traffic import TappedRead, TappedWrite, TrafficLog
from desktop_host.servers.transports import open_transport
from desktop_host.servers.watchdog import measured
from desktop_host.terms.asks import CallRef, JsonObject, Origin, Outcome
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import Console, PromptInfo, ResourceInfo, ServerState, ServerStatus, ToolInfo

logger = logging.getLogger(__name__)

CONNECT_LIMIT = 60.0
_LAST_LINES = 200
_ROOTS_PAUSE = 0.2
_END_LIMIT = 10.0
_URL_REQUIRED_SINCE = "2025-11-25"
_MOST_LINK_ROUNDS = 20
Progress = Callable[[float, float | None, str | None], None]


class Listener(Protocol):
    """Who is told of a connection's life. All methods are called on the connection's loop."""

    def server_changed(self, connection: "Connection") -> None:
        """Its state is another."""
        ...

    def link_completed(self, server: str, elicitation_id: str) -> None:
        """The server finished with a link (ELU-15)."""
        ...

    def stop_calls(self, calls: Iterable[CallRef]) -> None:
        """The person stops these calls from within an ask."""
        ...

    async def reconnect(self, connection: "Connection") -> None:
        """An answer shall go to a server that is not connected; it may be started."""
        ...


class NotConnected(Exception):
    """The server is not running. `reason` says why, where known."""

    def __init__(self, reason: Message | None) -> None:
        super().__init__("not connected")
        self.reason = reason


class Connection:
    """A server as configured. `start` and `stop` may be called again and again."""

    def __init__(
        self,
        entry: ServerEntry,
        walk: Walk,
        listener: Listener,
        aside: Path,
        parked: Parked,
        *,
        removable: bool = True,
    ) -> None:
        self.entry = entry
        self._walk = walk
        self._listener = listener
        self._aside = aside
        self._parked = parked
        self._removable = removable
        self._status = ServerStatus.OFF
        self._reason: Message | None = None
        self._session: HostSession | None = None
        self._tools: tuple[ToolInfo, ...] = ()
        self.traffic = TrafficLog()
        self._child = ChildProcess()
        self._owner: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._starting: anyio.CancelScope | None = None
        self._sign_in: SignInListener | None = None
        self._auth: SignIn | None = None
        self._roots_telling: asyncio.Task[None] | None = None
        self._changes = Changes(self._list_again, self._told)
        self._resources: tuple[ResourceInfo, ...] = ()
        self._prompts: tuple[PromptInfo, ...] = ()
        self._calls: dict[str, CallRef] = {}
        self._call_tasks: dict[str, asyncio.Task[Any] | None] = {}
        self._lost: set[str] = set()
        self._thinking: set[str] = set()
        self._asks = HandshakeAsks(walk, self._origin, listener.stop_calls)

    @property
    def state(self) -> ServerState:
        """What the windows show of it."""
        session = self._session
        return ServerState(
            name=self.entry.name,
            identity=self.entry.identity,
            status=self._status,
            era=("modern" if session.modern else "handshake") if session else "",
            revision=(session.protocol_version or "") if session else "",
            tools=self._tools,
            reason=self._reason,
            log=tuple(self._child.log)[-_LAST_LINES:],
            instructions=(session.instructions or "") if session else "",
            removable=self._removable,
            resources=self._resources,
            prompts=self._prompts,
            updated=dict(self._changes.updated),
            follows=self._changes.can_follow,
            followed=frozenset(self._changes.followed),
            completes=self.offers("completions"),
        )

    async def start(self, resolved: ServerEntry) -> None:
        """Connect; returns once the server is ready or failed. `resolved` holds the secrets and is not kept."""
        if self._owner is not None and not self._owner.done():
            return
        self._closing.clear()
        settled = asyncio.Event()
        self._set(ServerStatus.STARTING)
        # A fresh context: what the transport's tasks see as the current call must not be the caller's.
        self._owner = asyncio.create_task(self._own(resolved, settled))
        await settled.wait()

    async def stop(self) -> None:
        """Disconnect and wait until nothing of the server is left. Never cancels the owner's task (fault 9)."""
        owner = self._owner
        if owner is None or owner.done():
            if self._status is not ServerStatus.BLOCKED:
                self._set(ServerStatus.OFF)
            return
        self._set(ServerStatus.STOPPING)
        self._closing.set()
        if self._starting is not None:
            self._starting.cancel()
        await asyncio.wait({owner})
        self._set(ServerStatus.OFF)

    def _browser_waited_for(self, listener: SignInListener | None, ask_id: str) -> None:
        """A person in a browser is waited for much longer than a server."""
        self._sign_in = listener
        if self._starting is not None:
            self._starting.deadline = anyio.current_time() + CONNECT_LIMIT + (0 if listener is None else LIMIT)
        if listener is None:
            self._listener.link_completed(self.entry.name, ask_id)
        if self._status is ServerStatus.STARTING:
            self._set(self._status, None if listener is None else say("oauth.waiting"))

    def paste_address(self, address: str) -> bool:
        """Take the address at which the browser ended, where it cannot come back by itself; False where it is none."""
        return self._sign_in is not None and self._sign_in.paste(address)

    def fail(self, reason: Message) -> None:
        """It cannot be started."""
        self._set(ServerStatus.FAILED, reason)

    def block(self, reason: Message) -> None:
        """Administrators do not let it be used."""
        self._set(ServerStatus.BLOCKED, reason)

    def unblock(self) -> None:
        """It may be used again."""
        if self._status is ServerStatus.BLOCKED:
            self._set(ServerStatus.OFF)

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
                raise NotConnected(self._reason) from None
            raise
        finally:
            self._calls.pop(call.id, None)
            self._call_tasks.pop(call.id, None)
            self._lost.discard(call.id)
            self._thinking.discard(call.id)

    async def _call_or_explain(self, call: CallRef, on_progress: Progress) -> JsonObject:
        session = self._session
        if session is None:
            raise NotConnected(self._reason)
        try:
            return await self._call_tool(session, call, on_progress)
        except MCPError as error:
            if not lost(error) or self._owner is None or self.entry.url:
                raise
            # The process is gone; its owner knows in a moment how it ended.
            await asyncio.wait({self._owner}, timeout=_END_LIMIT)
            raise NotConnected(self._reason) from None

    @property
    def connected(self) -> bool:
        """Requests can be sent."""
        return self._session is not None

    async def request(self, method: str, params: JsonObject) -> JsonObject:
        """Any other request of ours, asks included (FEAT-22); the raw result. Raises as `call_tool` does."""
        session = self._session
        if session is None:
            raise NotConnected(self._reason)

        async def send(extra: JsonObject) -> JsonObject:
            return await session.request(method, {**params, **extra})

        if session.modern:
            return await Driver(send, self._walk, lambda: self._origin(""), keep_nothing).run()
        return await self._with_links(send, session, ())

    async def console(self) -> Console:
        """What its process wrote on stderr, and what it takes now."""
        child = self._child
        running = child.pid if child.exit_code is None else None
        processes, memory = await asyncio.to_thread(measured, running) if running is not None else (0, 0)
        return Console(tuple(child.log), processes, memory)

    async def follow(self, uri: str, wanted: bool) -> None:
        """Be told when a resource changes, or no longer. Raises NotConnected and MCPError."""
        if self._session is None:
            raise NotConnected(self._reason)
        await self._changes.follow(self._session, uri, wanted)
        self._told()

    def offers(self, capability: str) -> bool:
        """The server declared this capability."""
        capabilities = self._session.server_capabilities if self._session else None
        return getattr(capabilities, capability, None) is not None

    def tool(self, name: str) -> ToolInfo | None:
        """A listed tool."""
        return next((tool for tool in self._tools if tool.name == name), None)

    async def roots_changed(self) -> None:
        """Tell a handshake server that its roots are others; the modern era has no such message (ROOT-06, ROOT-07)."""
        if self._session is None or self._session.modern:
            return
        if self._roots_telling is None or self._roots_telling.done():
            self._roots_telling = asyncio.create_task(self._tell_roots(self._session))

    async def _tell_roots(self, session: HostSession) -> None:
        """Once for all changes of a moment: a person opens several folders one after another."""
        await asyncio.sleep(_ROOTS_PAUSE)
        if self._session is session:
            await session.send_notification(types.RootsListChangedNotification())

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
        first = self._session if parked is None else None

        async def send(extra: JsonObject) -> JsonObject:
            self._thinking.discard(call.id)
            if self._session is None:
                await self._listener.reconnect(self)
            session = self._session
            if session is None:
                raise NotConnected(self._reason)
            if not session.modern:
                raise Abandoned(say("call.other_era"), Outcome.FAILED)
            # A retry has an id of its own (BASE-42), also where the first request went over another connection.
            fresh = uuid.uuid4().hex if session is not first else ""
            return await self._send_call(session, call, on_progress, extra, fresh)

        async def keep(now: Round) -> None:
            self._thinking.add(call.id)
            await self._parked.keep(ParkedCall(self.entry.name, self.entry.fingerprint, revision, call, now))

        def origin() -> Origin:
            return dataclasses.replace(self._origin(""), calls=(call,), era="modern", revision=revision)

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
        await self._list_tools(session)  # its headers are made from the listing, which is stale (NET-13)
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

    def _origin(self, key: str) -> Origin:
        current = self._calls.get(CURRENT_CALL.get())
        calls = (current,) if current else tuple(self._calls.values())
        state = self.state
        return Origin(state.name, state.identity, state.era, state.revision, calls, key)

    async def _own(self, resolved: ServerEntry, settled: asyncio.Event) -> None:
        self._child = child = ChildProcess()
        try:
            async with AsyncExitStack() as stack:
                session = await self._open(stack, resolved, child)
                with anyio.fail_after(CONNECT_LIMIT) as self._starting:
                    await session.negotiate(resolved.era)
                    self._session = session
                    await self._list_tools(session)
                self._starting = None
                if not self._closing.is_set():
                    self._set(ServerStatus.READY)
                    settled.set()
                    rest = asyncio.create_task(self._list_offers(session))
                    if self._auth is not None:
                        self._auth.running = True
                    self._changes.begin(session)
                    try:
                        await self._until_over(child)
                    finally:
                        tasks = [task for task in (rest, self._roots_telling) if task is not None]
                        for task in tasks:
                            task.cancel()
                        await asyncio.gather(*tasks, self._changes.end(), return_exceptions=True)
            if self._status is ServerStatus.READY:
                self._set(ServerStatus.FAILED, exited(child))
        except Exception as error:  # whatever a server does ends here, in words
            logger.debug("server %s failed", self.entry.name, exc_info=True)
            self._set(ServerStatus.FAILED, connect_error(error, self.entry.command, child))
        finally:
            self._session, self._starting = None, None
            self._end_calls()
            settled.set()

    def _end_calls(self) -> None:
        """Calls that wait for the person, not for the server, would not notice that it is gone.

        In the modern era they need not: they go on when the person has answered.
        """
        for call_id, task in self._call_tasks.items():
            if task is not None and call_id not in self._thinking:
                self._lost.add(call_id)
                task.cancel()

    async def _open(self, stack: AsyncExitStack, resolved: ServerEntry, child: ChildProcess) -> HostSession:
        self._auth = None
        if resolved.url and not any(name.lower() == "authorization" for name in resolved.headers):
            self._auth = await signing_in(resolved, self._walk, lambda: self._origin(""), self._browser_waited_for)
        read, write = await stack.enter_async_context(open_transport(resolved, child, self._aside, self._auth))
        dispatcher = JSONRPCDispatcher(TappedRead(read, self.traffic), TappedWrite(write, self.traffic))
        session = HostSession(dispatcher, self._asks.handle, self._noticed)
        return await stack.enter_async_context(session)

    async def _until_over(self, child: ChildProcess) -> None:
        waits = {asyncio.ensure_future(self._closing.wait()), asyncio.ensure_future(child.stopped.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _noticed(self, message: IncomingMessage) -> None:
        if isinstance(message, types.ElicitCompleteNotification):
            self._listener.link_completed(self.entry.name, message.params.elicitation_id)
        elif isinstance(message, ValueError):
            self._child.log.append(f"(no message of the protocol) {message}")
        elif self._session is not None and self._session.modern:
            return  # these reach who listens for them
        elif isinstance(message, types.ToolListChangedNotification):
            self._changes.changed("tools")
        elif isinstance(message, types.ResourceListChangedNotification):
            self._changes.changed("resources")
        elif isinstance(message, types.PromptListChangedNotification):
            self._changes.changed("prompts")
        elif isinstance(message, types.ResourceUpdatedNotification):
            self._changes.resource_updated(str(message.params.uri))

    async def _list_again(self, stale: set[str]) -> None:
        session = self._session
        if session is None:
            return
        if "tools" in stale:
            await self._list_tools(session)
        if "resources" in stale:
            self._resources = await resources_of(session)
        if "prompts" in stale:
            self._prompts = await prompts_of(session)
        self._told()

    def _told(self) -> None:
        self._listener.server_changed(self)

    async def _list_offers(self, session: HostSession) -> None:
        """What it offers beside tools is listed once it is ready: nobody waits for that."""
        self._resources = await resources_of(session) if self.offers("resources") else ()
        self._prompts = await prompts_of(session) if self.offers("prompts") else ()
        if self._resources or self._prompts:
            self._listener.server_changed(self)

    async def _list_tools(self, session: HostSession) -> None:
        capabilities = session.server_capabilities
        if capabilities is None or capabilities.tools is None:
            self._tools = ()
            return
        tools, left_out = await session.tools()
        self._tools = tuple(_tool_info(tool) for tool in tools)
        for name in left_out:
            self._child.log.append(f"(tool left out, it is malformed) {name}")

    def _set(self, status: ServerStatus, reason: Message | None = None) -> None:
        self._status, self._reason = status, reason
        if status is ServerStatus.OFF:
            self._tools, self._resources, self._prompts = (), (), ()
        self._listener.server_changed(self)


def _tool_info(tool: types.Tool) -> ToolInfo:
    hints = tool.annotations
    return ToolInfo(
        name=tool.name,
        title=tool.title or (hints.title if hints else None) or tool.name,
        description=tool.description or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        read_only=hints.read_only_hint if hints else None,
        destructive=hints.destructive_hint if hints else None,
        open_world=hints.open_world_hint if hints else None,
    )
