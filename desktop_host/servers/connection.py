"""One server: its connection, owned by one task, and the calls made on it."""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import anyio
import mcp_types as types
from mcp.client.session import IncomingMessage
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

from desktop_host.config.servers_file import ServerEntry, secrets_of
from desktop_host.servers.asking import Walk
from desktop_host.servers.calling import Calling, NotConnected
from desktop_host.servers.changes import Changes
from desktop_host.servers.errors import connect_error, exited, old_kind
from desktop_host.servers.offers import prompts_of, resources_of, tools_of
from desktop_host.servers.parked import Parked
from desktop_host.servers.session import HostSession
from desktop_host.servers.sign_in import LIMIT, SignIn, signing_in
from desktop_host.servers.sign_in import Listener as SignInListener
from desktop_host.servers.stdio import ChildProcess
from desktop_host.servers.traffic import TappedRead, TappedWrite, TrafficLog, Unanswered
from desktop_host.servers.transports import open_transport
from desktop_host.servers.watchdog import measured
from desktop_host.terms.asks import CallRef
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import Console, PromptInfo, ResourceInfo, ServerState, ServerStatus, ToolInfo

logger = logging.getLogger(__name__)

CONNECT_LIMIT = 60.0
_LAST_LINES = 200
_NAME = 200
"""Characters of a name that are shown where it is no good one."""
_ROOTS_PAUSE = 0.2


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
        self._missing: tuple[str, ...] = ()
        self._calling = Calling(entry, self, walk, parked, listener.stop_calls)
        self.call_tool, self.request = self._calling.call_tool, self._calling.request

    @property
    def state(self) -> ServerState:
        """What the windows show of it."""
        session = self._session
        return ServerState(
            name=self.entry.name,
            identity=self.entry.identity,
            status=self._status,
            era=session.era if session else "",
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
            secrets=secrets_of(self.entry),
            missing=self._missing if self._status is ServerStatus.FAILED else (),
        )

    async def start(self, resolved: ServerEntry) -> None:
        """Connect; returns once the server is ready or failed. `resolved` holds the secrets and is not kept."""
        if self._status is ServerStatus.STOPPING and self._owner is not None:
            await asyncio.wait({self._owner})
        if self._owner is not None and not self._owner.done():
            return
        self._closing.clear()
        self._missing = ()
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
        if self._owner is owner:  # it was not started again meanwhile
            self._set(ServerStatus.OFF)

    def forget(self) -> None:
        """Nothing of it is needed any more."""
        self.traffic.close()

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

    def fail(self, reason: Message, missing: tuple[str, ...] = ()) -> None:
        """It cannot be started; `missing` are secrets without a value."""
        self._missing = missing
        self._set(ServerStatus.FAILED, reason)

    def block(self, reason: Message) -> None:
        """Administrators do not let it be used."""
        self._set(ServerStatus.BLOCKED, reason)

    def unblock(self) -> None:
        """It may be used again."""
        if self._status is ServerStatus.BLOCKED:
            self._set(ServerStatus.OFF)

    @property
    def status(self) -> ServerStatus:
        """How it stands."""
        return self._status

    @property
    def tools(self) -> tuple[ToolInfo, ...]:
        """The tools it listed last."""
        return self._tools

    @property
    def session(self) -> HostSession | None:
        """See `calling.Line`; likewise below."""
        return self._session

    @property
    def reason(self) -> Message | None:
        return self._reason

    async def ended(self, limit: float) -> None:
        if self._owner is not None:
            await asyncio.wait({self._owner}, timeout=limit)

    async def reconnect(self) -> None:
        await self._listener.reconnect(self)

    @property
    def connected(self) -> bool:
        """Requests can be sent."""
        return self._session is not None

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

    async def _own(self, resolved: ServerEntry, settled: asyncio.Event) -> None:
        try:
            await self._live(resolved, settled)
        except Exception as error:  # noqa: BLE001  # whatever a server does ends here, in words
            if not self._closing.is_set() and resolved.url and resolved.transport == "http" and old_kind(error):
                await self._try_the_old_kind(resolved, settled, error)
            else:
                self._failed(error)
        finally:
            self._session, self._starting = None, None
            self._calling.end_all()
            settled.set()

    async def _try_the_old_kind(self, resolved: ServerEntry, settled: asyncio.Event, first: Exception) -> None:
        """An address that does not know today's HTTP may know the kind before it (NET-20); else it said all it has."""
        try:
            await self._live(replace(resolved, transport="sse"), settled)
        except Exception as error:  # noqa: BLE001  # see above
            self._failed(error if settled.is_set() else first)

    def _failed(self, error: Exception) -> None:
        logger.debug("server %s failed", self.entry.name, exc_info=error)
        self._set(ServerStatus.FAILED, connect_error(error, self.entry.command, self._child))

    async def _live(self, resolved: ServerEntry, settled: asyncio.Event) -> None:
        """From the beginning of a session to its end."""
        self._child = child = ChildProcess()
        try:
            async with AsyncExitStack() as stack:
                session = await self._open(stack, resolved, child)
                if not self._closing.is_set():
                    with anyio.fail_after(CONNECT_LIMIT) as self._starting:
                        await session.negotiate(resolved.era)
                        self._session = session
                        await self.list_tools(session)
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
        finally:
            self._session, self._starting = None, None

    async def _open(self, stack: AsyncExitStack, resolved: ServerEntry, child: ChildProcess) -> HostSession:
        self._auth = None
        if resolved.url and not any(name.lower() == "authorization" for name in resolved.headers):
            self._auth = await signing_in(
                resolved, self._walk, lambda: self._calling.origin(""), self._browser_waited_for
            )
        read, write = await stack.enter_async_context(open_transport(resolved, child, self._aside, self._auth))
        unanswered = Unanswered()
        dispatcher = JSONRPCDispatcher(
            TappedRead(read, self.traffic, unanswered), TappedWrite(write, self.traffic, unanswered)
        )
        session = HostSession(dispatcher, self._calling.handle, self._noticed)
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
            await self.list_tools(session)
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

    async def list_tools(self, session: HostSession) -> None:
        """List its tools anew. Raises MCPError."""
        self._tools, left_out = await tools_of(session)
        for name in left_out:
            self._child.log.append(f"(tool left out, it is malformed) {name[:_NAME]}")

    def _set(self, status: ServerStatus, reason: Message | None = None) -> None:
        self._status, self._reason = status, reason
        if status is ServerStatus.OFF:
            self._tools, self._resources, self._prompts = (), (), ()
        self._listener.server_changed(self)
