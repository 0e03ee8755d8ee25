"""The engine's events on Qt's thread, and the windows' intents to the engine."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from desktop_host.engine import Engine
from desktop_host.terms.events import (
    AskClosed,
    AskOpened,
    AskStreamed,
    CallChanged,
    Event,
    LinkCompleted,
    Recorded,
    RootsChanged,
    RulesChanged,
    ServerChanged,
    ServerGone,
    StateEvent,
)

if TYPE_CHECKING:  # importing it costs what the first paint shall not wait for
    from desktop_host.commands import Commands

logger = logging.getLogger(__name__)

_INTERVAL = 16
_BUDGET = 0.006
_BREATH = 2
"""Milliseconds Qt has to itself when the budget was used up; more would keep a question behind a closing window."""

_LAST_MOMENT = 0.5
"""Seconds that the last intents, drafts among them, have before the program ends."""

ResultT = TypeVar("ResultT")


class Bridge(QObject):
    """Carries events in order, state events coalesced by key, at most once in 16 ms, for 6 ms before Qt has a turn.

    A question does not wait for the 16 ms: somebody is kept waiting until its window is there.

    Signals:
        server_changed: a `ServerState`. server_gone: a server's name. call_changed: a `CallState`.
        roots_changed: all `RootState`s. rules_changed: rules, caps or lists of servers are others.
        ask_opened: a question. ask_streamed: ask id and text.
        ask_closed: the ask and its outcome. link_completed: server and elicitation id. recorded: a `Record`.
        told: a `Message` of a page that has no place for it.
    """

    server_changed = Signal(object)
    server_gone = Signal(str)
    call_changed = Signal(object)
    roots_changed = Signal(object)
    rules_changed = Signal()
    ask_opened = Signal(object)
    ask_streamed = Signal(str, str)
    ask_closed = Signal(object, object)
    link_completed = Signal(str, str)
    recorded = Signal(object)
    told = Signal(object)
    _woken = Signal(bool)

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._lock = threading.Lock()
        self._pending: dict[object, Event] = {}
        self._awake = False
        self._flushed = 0.0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._flush)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        engine.subscribe(self._told)

    def send(
        self,
        command: Callable[["Commands"], Coroutine[Any, Any, ResultT]],
        then: Callable[[ResultT], None] | None = None,
        owner: QObject | None = None,
    ) -> None:
        """Run a command on the engine; `then` gets its result on Qt's thread, unless `owner` is gone by then.

        Failures are logged.
        """
        task = asyncio.ensure_future(self._run(command, then, owner))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def ask(self, command: Callable[["Commands"], Coroutine[Any, Any, ResultT]]) -> ResultT:
        """Run a command on the engine and await its result."""
        return await asyncio.wrap_future(self._engine.do(command))

    async def close(self) -> None:
        """Let what is on its way arrive, for a moment; give up the rest."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_LAST_MOMENT)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(
        self,
        command: Callable[["Commands"], Coroutine[Any, Any, ResultT]],
        then: Callable[[ResultT], None] | None,
        owner: QObject | None,
    ) -> None:
        try:
            result = await self.ask(command)
        except Exception:  # a failed intent must not end the windows
            logger.exception("a command failed")
            return
        if then is not None and (owner is None or isValid(owner)):
            then(result)

    def _told(self, event: Event) -> None:
        key = event.key if isinstance(event, StateEvent) else object()
        with self._lock:
            if not isinstance(event, ServerChanged):
                self._pending.pop(key, None)  # a later state of a call must not overtake what came between
            self._pending[key] = event
            urgent = isinstance(event, AskOpened)
            wake, self._awake = urgent or not self._awake, True
        if wake:
            self._woken.emit(urgent)

    def _wake(self, urgent: bool) -> None:
        since = (time.perf_counter() - self._flushed) * 1000
        self._timer.start(0 if urgent or since >= _INTERVAL else round(_INTERVAL - since))

    def _flush(self) -> None:
        end = time.perf_counter() + _BUDGET
        while time.perf_counter() < end:
            with self._lock:
                if not self._pending:
                    self._awake = False
                    break
                event = self._pending.pop(next(iter(self._pending)))
            self._emit(event)
        else:
            self._timer.start(_BREATH)
        self._flushed = time.perf_counter()

    def _emit(self, event: Event) -> None:
        match event:
            case ServerChanged(state):
                self.server_changed.emit(state)
            case CallChanged(state):
                self.call_changed.emit(state)
            case ServerGone(name):
                self.server_gone.emit(name)
            case RootsChanged(roots):
                self.roots_changed.emit(roots)
            case RulesChanged():
                self.rules_changed.emit()
            case AskOpened(question):
                self.ask_opened.emit(question)
            case AskStreamed(ask_id, text):
                self.ask_streamed.emit(ask_id, text)
            case AskClosed(ask, outcome):
                self.ask_closed.emit(ask, outcome)
            case LinkCompleted(server, elicitation_id):
                self.link_completed.emit(server, elicitation_id)
            case Recorded(record):
                self.recorded.emit(record)
