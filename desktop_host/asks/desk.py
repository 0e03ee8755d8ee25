"""The person behind windows: questions go out as events, replies come back as commands."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from desktop_host.asks.person import (
    Action,
    ConnectQuestion,
    FormQuestion,
    FormReply,
    LinkQuestion,
    LinkReply,
    Question,
    Reply,
    RequestQuestion,
    RequestReply,
    ResponseQuestion,
    ResponseReply,
    RootsQuestion,
    RootsReply,
    ToolQuestion,
)
from desktop_host.terms.asks import Ask, Outcome
from desktop_host.terms.events import AskClosed, AskOpened, AskStreamed, Event

_GIVING_UP = (Action.DECLINE, Action.CANCEL, Action.STOP)
ReplyT = TypeVar("ReplyT", bound=Reply)


class Desk:
    """Implements `Person`. `tell` is called in the engine's thread with each event."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._waiting: dict[str, asyncio.Future[Reply]] = {}
        self._early: dict[str, Reply] = {}
        self._open: set[str] = set()

    def reply(self, ask_id: str, reply: Reply) -> bool:
        """Hand in a reply. False where the ask waits no longer.

        Between two steps nobody waits for a moment; giving up is kept until somebody does.
        """
        future = self._waiting.pop(ask_id, None)
        if future is not None and not future.done():
            future.set_result(reply)
            return True
        if ask_id in self._open and reply.action in _GIVING_UP:
            self._early[ask_id] = reply
            return True
        return False

    async def form(self, question: FormQuestion) -> FormReply | Reply:
        """See `Person`; likewise below."""
        return await self._put(question)

    async def link(self, question: LinkQuestion) -> LinkReply | Reply:
        return await self._put(question)

    async def request(self, question: RequestQuestion) -> RequestReply | Reply:
        return await self._put(question)

    async def response(self, question: ResponseQuestion) -> ResponseReply | Reply:
        return await self._put(question)

    async def roots(self, question: RootsQuestion) -> RootsReply | Reply:
        return await self._put(question)

    async def tool(self, question: ToolQuestion) -> Reply:
        return await self._put(question)

    async def connect(self, question: ConnectQuestion) -> Reply:
        return await self._put(question)

    def streamed(self, ask: Ask, text: str) -> None:
        self._tell(AskStreamed(ask.id, text))

    async def interrupted(self, ask: Ask) -> Reply:
        return await self._wait(ask)

    def closed(self, ask: Ask, outcome: Outcome) -> None:
        for table in (self._waiting, self._early):
            table.pop(ask.id, None)
        self._open.discard(ask.id)
        self._tell(AskClosed(ask, outcome))

    async def _put(self, question: Question) -> Reply:
        self._open.add(question.ask.id)
        if question.ask.id in self._early:
            return self._early[question.ask.id]
        waiting = asyncio.ensure_future(self._wait(question.ask))
        self._tell(AskOpened(question))
        return await waiting

    async def _wait(self, ask: Ask) -> Reply:
        if ask.id in self._early:
            return self._early[ask.id]
        future = asyncio.get_running_loop().create_future()
        self._waiting[ask.id] = future
        return await future
