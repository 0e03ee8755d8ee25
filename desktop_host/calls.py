"""The calls in flight: begun, watched, cancelled, and what became of them."""

import asyncio
import dataclasses
import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from desktop_host.asks.corridor import Corridor
from desktop_host.checking.checker import Checker
from desktop_host.elicitation.drafts import Drafts
from desktop_host.ruling import Denied
from desktop_host.servers.asking import Abandoned
from desktop_host.servers.calling import NotConnected
from desktop_host.servers.connection import Connection
from desktop_host.servers.errors import call_error, unreached
from desktop_host.servers.parked import Parked, ParkedCall
from desktop_host.terms.asks import Ask, AskKind, CallRef, JsonObject, Origin, Outcome, Record
from desktop_host.terms.events import CallChanged, Event
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import CallState, CallStatus, ToolInfo

logger = logging.getLogger(__name__)

_LOOK = 1.0
"""Seconds between two looks for calls that have gone silent."""


@dataclass(slots=True)
class _Running:
    """A call in flight. `heard`: when its server last said something of it, on the monotonic clock. `kept`: its
    answers could not be sent, and it comes back at the next start. `over`: it ended before the program did."""

    state: CallState
    connection: Connection
    heard: float
    task: asyncio.Task[CallState] | None = None
    silent: bool = False
    kept: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class _End:
    """How a call ended."""

    status: CallStatus
    result: JsonObject | None = None
    error: Message | None = None
    notices: tuple[Message, ...] = ()


class Calls:
    """Every call of a tool, each in a task of its own. `tell` hears of every change."""

    def __init__(
        self, corridor: Corridor, checker: Checker, parked: Parked, drafts: Drafts, tell: Callable[[Event], None]
    ) -> None:
        self._corridor = corridor
        self._checker = checker
        self._parked = parked
        self._drafts = drafts
        self._tell = tell
        self._ending = False
        self._running: dict[str, _Running] = {}
        self._watchdog: asyncio.Task[None] | None = None
        self._cancelling: set[asyncio.Task[None]] = set()

    def begin(self, connection: Connection, tool: str, arguments: JsonObject, denied: Denied | None = None) -> str:
        """Start a call; returns its id. What becomes of it comes as `CallChanged`. `denied`: why it fails at once."""
        call = CallRef(uuid.uuid4().hex, tool, arguments, time.time())
        if denied is None:
            return self._begin(connection, call)
        state = CallState(call.id, connection.entry.name, tool, arguments, call.started)
        running = self._running[call.id] = _Running(state, connection, time.monotonic())
        running.task = asyncio.create_task(self._refuse(running, call, denied))
        return call.id

    def resume(self, connection: Connection, parked: ParkedCall) -> str:
        """Go on with a call that waited for the person when the program ended; returns its id."""
        return self._begin(connection, parked.call, parked)

    def _begin(self, connection: Connection, call: CallRef, parked: ParkedCall | None = None) -> str:
        name, resumed = connection.entry.name, parked is not None
        state = CallState(call.id, name, call.tool, call.arguments, call.started, resumed=resumed)
        running = _Running(state, connection, time.monotonic())
        self._running[call.id] = running
        running.task = asyncio.create_task(self._run(running, call, parked))
        if self._watchdog is None:
            self._watchdog = asyncio.create_task(self._watch())
        return call.id

    def runs(self, call_id: str) -> bool:
        """The call has not ended."""
        return call_id in self._running

    async def result(self, call_id: str) -> CallState:
        """Wait for the end of a call that is still running. Raises KeyError for any other."""
        task = self._running[call_id].task
        assert task is not None  # `begin` makes it before anybody knows the id
        return await task

    def cancel(self, call_id: str) -> None:
        """Cancel a call; its open asks close. A call that has ended is left alone."""
        running = self._running.get(call_id)
        if running is not None and running.task is not None and not running.task.done():
            cancelling = asyncio.create_task(self._cancel(call_id, running.task))
            self._cancelling.add(cancelling)
            cancelling.add_done_callback(self._cancelling.discard)

    def note(self, record: Record) -> None:
        """Tell the calls behind an ask what the person should know of its end: a refusal, a reason to decline."""
        said = list(record.notices[-1:]) if record.outcome is Outcome.REFUSED else []
        if record.reason and record.outcome is Outcome.DECLINE:
            said.append(say("call.declined_because", reason=record.reason))
        calls = record.ask.origin.calls
        running = self._running.get(calls[0].id) if len(calls) == 1 else None
        if running is not None and said:
            self._change(running, notices=(*running.state.notices, *said))

    async def close(self) -> None:
        """End every call. Those of modern servers that wait for the person stay parked."""
        await asyncio.gather(*self._cancelling, return_exceptions=True)
        self._ending = True
        if self._watchdog is not None:
            self._watchdog.cancel()
        tasks = [one.task for one in self._running.values() if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def end_waiting(self, server: str) -> None:
        """End the calls of a server that wait for the person: it is stopped, and nothing shall start it again."""
        tasks = [
            one.task
            for one in self._running.values()
            if one.state.server == server and self._parked.holds(one.state.id) and one.task is not None
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _cancel(self, call_id: str, task: asyncio.Task[CallState]) -> None:
        """A handshake server hears cancel to its ask and then that the call is over; a modern one hears nothing."""

        def of_call(ask: Ask) -> bool:
            return [call.id for call in ask.origin.calls] == [call_id]

        await self._corridor.cancel(lambda ask: of_call(ask) and ask.errors_travel)
        task.cancel()
        self._corridor.dismiss(of_call)

    async def _run(self, running: _Running, call: CallRef, parked: ParkedCall | None) -> CallState:
        self._tell(CallChanged(running.state))
        end = await self._carry(running, call, parked)
        if running.over or not self._ending:
            await asyncio.shield(self._forget(running))
        return self._end(running, end)

    async def _refuse(self, running: _Running, call: CallRef, denied: Denied) -> CallState:
        entry = running.connection.entry
        origin = Origin(entry.name, entry.identity, calls=(call,))
        await self._corridor.refuse(Ask(call.id, AskKind.TOOL_CALL, origin, {}), denied.decision, denied.why)
        return self._end(running, _End(CallStatus.FAILED, error=denied.why))

    async def _forget(self, running: _Running) -> None:
        """Nothing of a call is kept once it is over, but where its answers could not be sent."""
        if not running.kept:
            await self._parked.drop(running.state.id)
            await self._drafts.sent(running.state.id)

    async def _carry(self, running: _Running, call: CallRef, parked: ParkedCall | None) -> _End:
        """Make the call; how it ended. Never raises."""

        def progressed(progress: float, total: float | None, message: str | None) -> None:
            running.heard = time.monotonic()
            self._change(running, progress=progress, total=total, progress_text=message or "")

        connection = running.connection
        try:
            result = await connection.call_tool(call, progressed, parked)
            running.over = True
            status = CallStatus.TOOL_ERROR if result.get("isError") is True else CallStatus.DONE
            return _End(status, result, notices=await self._check(connection.tool(call.tool), result))
        except asyncio.CancelledError:
            if not running.silent:
                return _End(CallStatus.CANCELLED)
            return _End(CallStatus.FAILED, error=say("call.silent", seconds=int(connection.entry.timeout)))
        except Abandoned as abandoned:
            running.over = True
            failed = abandoned.outcome is Outcome.FAILED
            return _End(CallStatus.FAILED if failed else CallStatus.ABANDONED, error=abandoned.message)
        except NotConnected as missing:
            running.kept = self._parked.holds(call.id)
            notices = (say("call.kept"),) if running.kept else ()
            return _End(CallStatus.FAILED, error=missing.reason or say("call.not_connected"), notices=notices)
        except Exception as error:  # noqa: BLE001  # a call's failure is the call's, never the program's
            running.over = True
            why = _why_failed(error, connection, call.tool)
            return _End(CallStatus.FAILED, error=why, notices=self._notices_of(running, error))

    def _notices_of(self, running: _Running, error: Exception) -> tuple[Message, ...]:
        """What else to say of a failed call that the person answered: its answers are kept, or it must start over."""
        if unreached(error) and self._parked.holds(running.state.id):
            running.kept = True
            return (say("call.kept"),)
        return (say("call.state_refused"),) if running.state.resumed else ()

    async def _check(self, tool: ToolInfo | None, result: JsonObject) -> tuple[Message, ...]:
        """Check structured content against the output schema, outside the SDK (FEAT-06); nothing is ever lost by it."""
        schema = tool.output_schema if tool else None
        if schema is None or result.get("isError") is True:
            return ()
        if "structuredContent" not in result:
            return (say("result.not_structured"),)
        verdict = await self._checker.schema(schema, result["structuredContent"])
        if verdict.ok:
            return (say("result.matches"),)
        if verdict.problems:
            return (say("result.breaks_schema", what=verdict.problems[0].text),)
        return (say("result.not_checked"),)

    async def _watch(self) -> None:
        """End calls that say nothing for their server's time-out; the clock stands while an ask of theirs is open."""
        while True:
            await asyncio.sleep(_LOOK)
            for running in list(self._running.values()):
                self._look_at(running, time.monotonic())

    def _look_at(self, running: _Running, now: float) -> None:
        if self._corridor.waiting(running.state.server):
            running.heard = now
        elif now - running.heard > running.connection.entry.timeout and running.task is not None:
            running.silent = True
            running.task.cancel()

    def _change(self, running: _Running, **changes: object) -> CallState:
        running.state = dataclasses.replace(running.state, **changes)  # pyright: ignore[reportArgumentType]  # by name
        self._tell(CallChanged(running.state))
        return running.state

    def _end(self, running: _Running, end: _End) -> CallState:
        self._running.pop(running.state.id, None)
        before = tuple(one for one in running.state.notices if one != end.error)
        return self._change(
            running,
            status=end.status,
            ended=time.time(),
            result=end.result,
            error=end.error,
            notices=(*before, *end.notices),
        )


def _why_failed(error: Exception, connection: Connection, tool: str) -> Message:
    why = call_error(error, listed=connection.tool(tool) is not None)
    if why is None:
        logger.error("a call failed", exc_info=error)
        return say("call.failed", what=type(error).__name__)
    return why
