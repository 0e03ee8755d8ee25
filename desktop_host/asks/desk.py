"""The person behind windows: questions go out as events, replies come back as commands."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from desktop_host.asks.person import (
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

ReplyT = TypeVar("ReplyT", bound=Reply)


class Desk:
    """Implements `Person`. `tell` is called in the engine's thread with each event."""

    def __init__(self, tell: Callable[[Event], None]) -> None:
        self._tell = tell
        self._waiting: dict[str, asyncio.Future[Reply]] = {}

    def reply(self, ask_id: str, reply: Reply) -> bool:
        """Hand in a reply. False where the ask waits no longer."""
        future = self._waiting.pop(ask_id, None)
        if future is None or future.done():
            return False
        future.set_result(reply)
        return True

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
        self._waiting.pop(ask.id, None)
        self._tell(AskClosed(ask, outcome))

    async def _put(self, question: Question) -> Reply:
        waiting = asyncio.ensure_future(self._wait(question.ask))
        self._tell(AskOpened(question))
        return await waiting

    async def _wait(self, ask: Ask) -> Reply:
        future = asyncio.get_running_loop().create_future()
        self._waiting[ask.id] = future
        return await future
