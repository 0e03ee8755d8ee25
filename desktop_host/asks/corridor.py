"""The corridor: every ask walks the same stages, in one direction, to one answer."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, Protocol

from desktop_host.asks.limits import Limits
from desktop_host.asks.person import Action, Person, Reply
from desktop_host.asks.trace import Trace
from desktop_host.audit.log import AuditLog
from desktop_host.policy.facts import Facts
from desktop_host.terms.asks import (
    Answer,
    Ask,
    AskKind,
    Decision,
    Effect,
    Outcome,
    Record,
    WireError,
)
from desktop_host.terms.messages import Message, say

logger = logging.getLogger(__name__)

_NOT_DECIDED = Decision(Effect.ASK, (say("decision.not_reached"),))

_WIRE = 0.03
"""Seconds an answer may need from here to its server's pipe."""


class Decide(Protocol):
    """Holds facts against the rules; see `policy.decide.Rulebook.decide`."""

    def __call__(self, facts: Facts, *, after: Decision | None = None, use: bool = True) -> Decision:
        """Decide."""
        ...


class Matter(Protocol):
    """What one kind of ask is about: the part of its way that only its own room knows."""

    async def screen(self, ask: Ask, trace: Trace, about: Facts) -> Answer | None:
        """Read the parameters, add findings and what the rules need to know; an answer here refuses the ask.

        `about` are the facts that every ask has.
        """
        ...

    async def put(self, ask: Ask, trace: Trace, corridor: "Corridor") -> Answer:
        """Ask the person unless the rules allow it, check what comes back, and make the answer."""
        ...


class Corridor:
    """Carries asks. `matters` makes a fresh `Matter` for each; `recorded` hears of every entry written.

    `about` tells of an ask what is known of its server and its call; `decide` holds the facts against the rules.
    """

    def __init__(
        self,
        person: Person,
        log: AuditLog,
        about: Callable[[Ask], Facts],
        decide: Decide,
        matters: dict[AskKind, Callable[[], Matter]],
        recorded: Callable[[Record], None],
        limits: Limits | None = None,
    ) -> None:
        self.person = person
        self._log = log
        self._about = about
        self.decide = decide
        self._matters = matters
        self._recorded = recorded
        self.limits = limits or Limits()
        self._open: dict[str, Ask] = {}
        self._person_calls: dict[str, asyncio.Task[Reply]] = {}
        self._dismissed: dict[str, Reply] = {}
        self._one_less = asyncio.Event()
        self._parking = False

    async def walk(self, ask: Ask) -> Answer:
        """Carry an ask to its answer. Cancelling this means that the server withdrew it.

        Never raises but for cancellation: what goes wrong on the way is a failed answer.
        """
        trace = Trace(ask)
        refusal = self.limits.admit(ask)
        if refusal is not None:
            return await self._finish(trace, Answer(Outcome.REFUSED, error=refusal.error, why=refusal.why))
        self._open[ask.id] = ask
        try:
            answer = await self._finish(trace, await self._answer(ask, trace))
        except asyncio.CancelledError:
            outcome = Outcome.PARKED if self._parking else Outcome.WITHDRAWN
            await asyncio.shield(self._finish(trace, Answer(outcome)))
            raise
        finally:
            self.limits.release(ask)
            self._open.pop(ask.id, None)
            self._dismissed.pop(ask.id, None)
            self._one_less.set()
            self._one_less = asyncio.Event()
        return answer

    async def refuse(self, ask: Ask, decision: Decision, why: Message) -> None:
        """Record what the person wanted and rules do not let happen; nobody is asked and nothing leaves."""
        await self._finish(Trace(ask, decision=decision), Answer(Outcome.REFUSED, why=why))

    async def _answer(self, ask: Ask, trace: Trace) -> Answer:
        try:
            return await self._stages(ask, trace)
        except Exception:  # the last wall: a server never sees an exception of ours
            logger.exception("an ask of kind %s failed", ask.kind)
            return Answer(Outcome.FAILED, error=WireError(-32603, "Internal error"), why=say("ask.failed"))

    async def _stages(self, ask: Ask, trace: Trace) -> Answer:
        matter = self._matters[ask.kind]()
        about = self._about(ask)
        refused = await matter.screen(ask, trace, about)
        if refused is not None:
            return refused
        trace.decision = self.decide(trace.facts or about)
        if trace.decision.effect is Effect.DENY:
            return declined(ask, trace.decision.reasons[0], "Denied by a rule")
        return await matter.put(ask, trace, self)

    async def ask_person(self, ask: Ask, question: Coroutine[Any, Any, Reply]) -> Reply:
        """Await a person's reply so that `dismiss` can end it."""
        if ask.id in self._dismissed:
            question.close()
            return self._dismissed[ask.id]
        call = asyncio.ensure_future(question)
        self._person_calls[ask.id] = call
        try:
            return await call
        except asyncio.CancelledError:
            if ask.id in self._dismissed:
                return self._dismissed[ask.id]
            raise
        finally:
            self._person_calls.pop(ask.id, None)

    def dismiss(self, which: Callable[[Ask], bool], action: Action = Action.CANCEL) -> None:
        """End open asks as if the person had: when a call is cancelled, or the program closes (ELF-24)."""
        for ask in [ask for ask in self._open.values() if which(ask)]:
            self._dismissed[ask.id] = Reply(action)
            call = self._person_calls.get(ask.id)
            if call is not None:
                call.cancel()

    async def cancel(self, which: Callable[[Ask], bool]) -> None:
        """End open asks as cancelled, and let the answers reach their servers."""
        self.dismiss(which)
        await self.settled(which)
        await asyncio.sleep(_WIRE)

    def park(self) -> None:
        """From now on an ask that ends by cancellation is not withdrawn: the program ends, and it comes back."""
        self._parking = True

    async def settled(self, which: Callable[[Ask], bool], limit: float = 2.0) -> None:
        """Wait until no such ask is open any more, at most `limit` seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while any(which(ask) for ask in self._open.values()):
                    await self._one_less.wait()

    def waiting(self, server: str) -> int:
        """How many asks of a server wait."""
        return self.limits.waiting(server)

    async def _finish(self, trace: Trace, answer: Answer) -> Answer:
        """Write the entry, then tell; the answer that leaves. What cannot be recorded does not leave.

        An ask withdrawn meanwhile gets a second entry: nothing left after all.
        """
        record = trace.record(answer, _NOT_DECIDED)
        for used in record.usage:
            self.limits.spend(trace.ask.origin.server, used.tokens, used.dollars or 0.0)
        try:
            await self._log.append(record, masked=trace.masked)
        except Exception as error:  # whatever the log or an entry has: nothing leaves unrecorded
            logger.exception("the audit log could not be written")
            why = say("record.unwritable", what=type(error).__name__)
            if answer.outcome is Outcome.ACCEPT:
                answer = Answer(Outcome.FAILED, error=WireError(-32603, "Internal error"), why=why)
            record = trace.record(replace(answer, why=why), _NOT_DECIDED)
        self.person.closed(trace.ask, answer.outcome)
        self._recorded(record)
        return answer


def ended(ask: Ask, reply: Reply, refusal: WireError | None = None) -> Answer:
    """The answer for a reply that is no acceptance.

    An elicitation has words for decline and cancel; `refusal` is what the other kinds say instead. Stopping tells a
    handshake server cancel and a modern one nothing (DESIGN.md, the journey of a form).
    """
    outcome = Outcome(reply.action.value)
    if refusal is not None:
        return Answer(outcome, error=refusal)
    if reply.action is Action.STOP:
        return Answer(outcome, {"action": "cancel"} if ask.errors_travel else None)
    return Answer(outcome, {"action": reply.action.value})


def declined(ask: Ask, why: Any, words: str) -> Answer:
    """The answer for an ask that a rule denies, in the words its kind has for it."""
    if ask.kind in (AskKind.FORM, AskKind.URL, AskKind.CONNECT):
        return Answer(Outcome.REFUSED, {"action": "decline"}, why=why)
    return Answer(Outcome.REFUSED, error=WireError(-1, words), why=why)
