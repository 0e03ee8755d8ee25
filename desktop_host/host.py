"""The Host: servers, corridor, workspace and audit in one object, without windows."""

import asyncio
import dataclasses
import logging
import time
import uuid
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

from desktop_host.asks.corridor import Corridor
from desktop_host.asks.matters import ConnectMatter, FormMatter, LinkMatter, RootsMatter, SamplingMatter
from desktop_host.asks.person import Person
from desktop_host.audit.log import AuditLog
from desktop_host.checking.checker import Checker
from desktop_host.config.approvals import Approvals
from desktop_host.config.files import FileProblem
from desktop_host.config.paths import data_dir
from desktop_host.config.secrets import get_secret
from desktop_host.config.servers_file import (
    ServerEntry,
    Unresolved,
    add_server,
    read_servers,
    remove_server,
    resolve,
)
from desktop_host.config.settings import Settings
from desktop_host.policy.decide import decide
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.provider import ModelProvider
from desktop_host.sampling.models.you import You
from desktop_host.servers.asking import Abandoned
from desktop_host.servers.connection import Connection, NotConnected
from desktop_host.servers.errors import call_error
from desktop_host.terms.asks import Answer, Ask, AskKind, CallRef, JsonObject, Origin, Outcome, Record
from desktop_host.terms.events import (
    CallChanged,
    Event,
    LinkCompleted,
    Recorded,
    RootsChanged,
    ServerChanged,
    ServerGone,
)
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import CallState, CallStatus, ServerStatus, ToolInfo
from desktop_host.workspace.roots import Workspace

logger = logging.getLogger(__name__)

MODEL_KEY = "provider:openai-compatible"
"""The keyring entry of the model endpoint's key."""
_MAX_CHECKED = 8_000_000
_STARTS_AT_ONCE = 4
_WIRE = 0.03
"""Seconds an answer may need from us to the server's pipe."""


class Host:
    """Everything the program is, on one asyncio loop. `tell` is called on that loop with each event."""

    def __init__(
        self,
        person: Person,
        tell: Callable[[Event], None],
        *,
        settings: Settings | None = None,
        workspace: Workspace | None = None,
        approvals: Approvals | None = None,
        log: AuditLog | None = None,
        servers_file: Path | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.workspace = workspace or Workspace()
        self.servers_file = servers_file
        self.log = log or AuditLog()
        self.problems: tuple[Message, ...] = ()
        self._approvals = approvals or Approvals()
        self._tell = tell
        self.checker = Checker()
        self._connections: dict[str, Connection] = {}
        self._trusted: set[str] = set()
        self._call_tasks: dict[str, asyncio.Task[CallState]] = {}
        self._calls: dict[str, CallState] = {}
        self._heard: dict[str, float] = {}
        self._watchdog: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._silent: set[str] = set()
        self._starts = asyncio.Semaphore(_STARTS_AT_ONCE)
        self.corridor = Corridor(
            person,
            self.log,
            decide,
            {
                AskKind.FORM: lambda: FormMatter(self.checker),
                AskKind.URL: LinkMatter,
                AskKind.SAMPLING: lambda: SamplingMatter(self.providers),
                AskKind.ROOTS: lambda: RootsMatter(self.workspace),
                AskKind.CONNECT: ConnectMatter,
            },
            self._recorded,
        )

    # servers

    def load_servers(self) -> None:
        """Read `servers.json` and make its entries known, without starting any."""
        if self.servers_file is None:
            return
        try:
            found = read_servers(self.servers_file)
        except FileProblem as problem:
            self.problems = (problem.message,)
            return
        self.problems = found.problems
        for entry in found.entries.values():
            if entry.name not in self._connections:
                self.add(entry)

    def add(self, entry: ServerEntry, *, trusted: bool = False, removable: bool = True) -> None:
        """Make a server known. `trusted`: ours, or named by the person just now; it starts without an ask."""
        connection = Connection(entry, self._walk, self, data_dir() / "answers", removable=removable)
        self._connections[entry.name] = connection
        if trusted:
            self._trusted.add(entry.name)
        self.server_changed(connection)

    async def add_to_file(self, entry: ServerEntry) -> None:
        """Make a server known and keep it in `servers.json`. Raises FileProblem."""
        if entry.name in self._connections:
            raise FileProblem(say("servers.name_taken", name=entry.name))
        if self.servers_file is not None:
            await asyncio.to_thread(add_server, self.servers_file, entry)
        self.add(entry)

    async def remove(self, name: str) -> None:
        """Stop a server and forget it, in `servers.json` too. Raises FileProblem."""
        await self.stop(name)
        if self.servers_file is not None:
            await asyncio.to_thread(remove_server, self.servers_file, name)
        self._connections.pop(name, None)
        self._tell(ServerGone(name))

    async def start(self, name: str) -> Message | None:
        """Start a server; returns why it did not, or None once it is ready."""
        connection = self._connections[name]
        if connection.state.status in (ServerStatus.READY, ServerStatus.STARTING):
            return None
        if not await self._may_start(connection.entry):
            reason = say("connect.not_approved")
            connection.fail(reason)
            return reason
        workspace = next((root.path for root in self.workspace.shared_with(name)), None)
        try:
            resolved = await asyncio.to_thread(resolve, connection.entry, get_secret, workspace)
        except Unresolved as missing:
            connection.fail(say("connect.unresolved", name=missing.name))
        except FileProblem as problem:
            connection.fail(problem.message)
        else:
            async with self._starts:
                await connection.start(resolved)
        return connection.state.reason

    async def start_all(self) -> None:
        """Start every server that starts by itself, a few at a time."""
        names = [name for name, one in self._connections.items() if one.entry.auto_start]
        await asyncio.gather(*(self.start(name) for name in names))

    async def stop(self, name: str) -> None:
        """Stop a server: its open asks are cancelled, its calls end."""
        await self._cancel_asks(lambda ask: ask.origin.server == name)
        await self._connections[name].stop()

    def connection(self, name: str) -> Connection:
        """A known server. Raises KeyError."""
        return self._connections[name]

    def tool(self, server: str, name: str) -> ToolInfo | None:
        """A tool a server lists."""
        return self._connections[server].tool(name)

    async def _may_start(self, entry: ServerEntry) -> bool:
        """New and changed servers are asked about, by what they are (DESIGN.md section 6)."""
        if entry.name in self._trusted or self._approvals.first_seen(entry.fingerprint) is not None:
            return True
        params: JsonObject = (
            {"url": entry.url, "headers": sorted(entry.headers)}
            if entry.url
            else {
                "command": entry.command,
                "args": list(entry.args),
                "env": sorted(entry.env),
                "cwd": entry.cwd,
            }
        )
        ask = Ask(uuid.uuid4().hex, AskKind.CONNECT, Origin(entry.name, entry.identity), params)
        answer = await self._walk(ask)
        if answer.outcome is not Outcome.ACCEPT:
            return False
        try:
            await asyncio.to_thread(self._approvals.approve, entry.fingerprint)
        except FileProblem:
            logger.warning("an approval could not be kept; the server is asked about again next time")
        return True

    # calls

    def begin_call(self, server: str, tool: str, arguments: JsonObject) -> str:
        """Start a call of a tool; returns its id. What becomes of it comes as `CallChanged`."""
        call = CallRef(uuid.uuid4().hex, tool, arguments, time.time())
        self._calls[call.id] = CallState(call.id, server, tool, arguments, call.started)
        self._heard[call.id] = time.monotonic()
        self._call_tasks[call.id] = asyncio.create_task(self._run_call(server, call))
        if self._watchdog is None:
            self._watchdog = asyncio.create_task(self._watch_calls())
        return call.id

    async def call_result(self, call_id: str) -> CallState:
        """Wait for the end of a call that is still running. Raises KeyError for any other."""
        return await self._call_tasks[call_id]

    async def call(self, server: str, tool: str, arguments: JsonObject) -> CallState:
        """Call a tool and wait for its end."""
        return await self.call_result(self.begin_call(server, tool, arguments))

    def cancel_call(self, call_id: str) -> None:
        """Cancel a call; its open asks close."""
        task = self._call_tasks.get(call_id)
        if task is not None and not task.done():
            self._own(self._cancel_call(call_id, task))

    async def _cancel_call(self, call_id: str, task: asyncio.Task[CallState]) -> None:
        """A handshake server hears cancel to its ask and then that the call is over; a modern one hears nothing."""

        def of_call(ask: Ask) -> bool:
            return [call.id for call in ask.origin.calls] == [call_id]

        await self._cancel_asks(lambda ask: of_call(ask) and ask.errors_travel)
        task.cancel()
        self.corridor.dismiss(of_call)

    async def _cancel_asks(self, which: Callable[[Ask], bool]) -> None:
        """Answer open asks with cancel and let the answers reach their servers."""
        self.corridor.dismiss(which)
        await self.corridor.settled(which)
        await asyncio.sleep(_WIRE)

    def _own(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run_call(self, server: str, call: CallRef) -> CallState:
        def progressed(progress: float, total: float | None, message: str | None) -> None:
            self._heard[call.id] = time.monotonic()
            self._change(call.id, progress=progress, total=total, progress_text=message or "")

        self._tell(CallChanged(self._calls[call.id]))
        connection = self._connections[server]
        try:
            result = await connection.call_tool(call, progressed)
            status = CallStatus.TOOL_ERROR if result.get("isError") is True else CallStatus.DONE
            notices = await self._check_result(connection.tool(call.tool), result)
            return self._end(call.id, status, result=result, notices=notices)
        except asyncio.CancelledError:
            silent = call.id in self._silent
            why = say("call.silent", seconds=int(connection.entry.timeout)) if silent else None
            return self._end(call.id, CallStatus.FAILED if silent else CallStatus.CANCELLED, error=why)
        except Abandoned as abandoned:
            failed = abandoned.outcome is Outcome.FAILED
            return self._end(call.id, CallStatus.FAILED if failed else CallStatus.ABANDONED, error=abandoned.message)
        except NotConnected as missing:
            return self._end(call.id, CallStatus.FAILED, error=missing.reason or say("call.not_connected"))
        except Exception as error:  # noqa: BLE001  # a call's failure is the call's, never the program's
            return self._end(call.id, CallStatus.FAILED, error=_why_failed(error, connection, call.tool))

    async def _check_result(self, tool: ToolInfo | None, result: JsonObject) -> tuple[Message, ...]:
        """Check structured content against the output schema, outside the SDK (FEAT-06); nothing is ever lost by it."""
        schema = tool.output_schema if tool else None
        if schema is None or result.get("isError") is True:
            return ()
        if "structuredContent" not in result:
            return (say("result.not_structured"),)
        content = result["structuredContent"]
        if len(str(result.get("content", ""))) > _MAX_CHECKED:
            return (say("result.not_checked"),)
        verdict = await self.checker.schema(schema, content)
        if verdict.ok:
            return (say("result.matches"),)
        if verdict.problems:
            return (say("result.breaks_schema", what=verdict.problems[0].text),)
        return (say("result.not_checked"),)

    async def _watch_calls(self) -> None:
        """End calls that say nothing for their server's time-out; the clock stands while an ask of theirs is open."""
        while True:
            await asyncio.sleep(1.0)
            now = time.monotonic()
            for call_id, task in list(self._call_tasks.items()):
                state = self._calls[call_id]
                if task.done() or self.corridor.waiting(state.server):
                    self._heard[call_id] = now
                elif now - self._heard[call_id] > self._connections[state.server].entry.timeout:
                    self._silent.add(call_id)
                    task.cancel()

    def _change(self, call_id: str, **changes: object) -> CallState:
        state = dataclasses.replace(self._calls[call_id], **changes)  # pyright: ignore[reportArgumentType]  # by name
        self._calls[call_id] = state
        self._tell(CallChanged(state))
        return state

    def _end(self, call_id: str, status: CallStatus, **changes: object) -> CallState:
        state = self._change(call_id, status=status, ended=time.time(), **changes)
        for table in (self._calls, self._heard, self._call_tasks):
            table.pop(call_id, None)
        self._silent.discard(call_id)
        return state

    # models, workspace, listening

    def providers(self) -> list[ModelProvider]:
        """The model providers: the configured endpoint, and always the person."""
        base = self.settings["model.base_url"]
        endpoint = OpenAICompatible(base, self.settings["model.name"], lambda: get_secret(MODEL_KEY))
        return [*([endpoint] if base else []), You()]

    async def roots_changed(self) -> None:
        """Tell the windows and the servers of changed roots."""
        self._tell(RootsChanged(self.workspace.roots))
        await asyncio.gather(*(one.roots_changed() for one in self._connections.values()))

    def announce(self) -> None:
        """Tell the state of everything once more, to a subscriber that comes late."""
        for connection in self._connections.values():
            self.server_changed(connection)
        self._tell(RootsChanged(self.workspace.roots))

    def server_changed(self, connection: Connection) -> None:
        """See `servers.connection.Listener`; likewise below."""
        waiting = self.corridor.waiting(connection.entry.name)
        self._tell(ServerChanged(dataclasses.replace(connection.state, asks_waiting=waiting)))

    def link_completed(self, server: str, elicitation_id: str) -> None:
        self._tell(LinkCompleted(server, elicitation_id))

    def stop_calls(self, calls: Iterable[CallRef]) -> None:
        for call in calls:
            self.cancel_call(call.id)

    async def close(self) -> None:
        """Cancel what waits, stop every server, write the log (ELF-24)."""
        await self._cancel_asks(lambda ask: True)
        if self._watchdog is not None:
            self._watchdog.cancel()
        await asyncio.gather(*(one.stop() for one in self._connections.values()))
        for task in (*self._call_tasks.values(), *self._tasks):
            task.cancel()
        await asyncio.gather(*self._call_tasks.values(), *self._tasks, return_exceptions=True)
        await self.checker.close()
        await self.log.close()

    async def warm_up(self) -> None:
        """Start the checker before somebody waits for it."""
        await self.checker.warm_up()

    async def _walk(self, ask: Ask) -> Answer:
        self._changed_waiting(ask.origin.server)
        try:
            return await self.corridor.walk(ask)
        finally:
            self._changed_waiting(ask.origin.server)

    def _changed_waiting(self, server: str) -> None:
        asyncio.get_running_loop().call_soon(self._waiting_changed, server)

    def _waiting_changed(self, server: str) -> None:
        connection = self._connections.get(server)
        if connection is not None:
            self.server_changed(connection)

    def _recorded(self, record: Record) -> None:
        self._tell(Recorded(record))


def _why_failed(error: Exception, connection: Connection, tool: str) -> Message:
    why = call_error(error, listed=connection.tool(tool) is not None)
    if why is None:
        logger.error("a call failed", exc_info=error)
        return say("call.failed", what=type(error).__name__)
    return why
