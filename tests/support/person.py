"""The one part that tests may fake: the person."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from desktop_host.asks.person import (
    Action,
    FormReply,
    LinkReply,
    Question,
    Reply,
    RequestQuestion,
    RequestReply,
    ResponseReply,
    RootsReply,
)
from desktop_host.sampling.models.provider import PRACTICE, YOU
from desktop_host.terms.asks import Ask, Outcome

Answer = Reply | Callable[[Question], Any]


class ScriptedPerson:
    """Answers by kind: "form", "link", "request", "response", "roots", "connect", "tool".

    An answer is a `Reply`, a function of the question that gives one (or a coroutine), or a list of such, used one after
    another. What is not scripted is accepted as it is offered, but for the practice model, whose work is the person's
    own: it takes seconds. `questions` holds all that was asked, `ended` all outcomes by ask id, `streamed_text` the
    pieces of model answers.
    """

    def __init__(self, **answers: Answer | list[Answer]) -> None:
        self._answers = answers
        self.questions: list[Question] = []
        self.ended: dict[str, Outcome] = {}
        self.streamed_text = ""
        self.interruption: asyncio.Future[Reply] | None = None

    async def form(self, question: Question) -> Any:
        return await self._answer("form", question, FormReply(Action.ACCEPT))

    async def link(self, question: Question) -> Any:
        return await self._answer("link", question, LinkReply(Action.ACCEPT))

    async def request(self, question: RequestQuestion) -> Any:
        reply = await self._answer("request", question, RequestReply(Action.ACCEPT))
        if isinstance(reply, RequestReply) and not reply.model and question.suggestion.model.id == PRACTICE:
            return replace(reply, model=YOU)
        return reply

    async def response(self, question: Question) -> Any:
        return await self._answer("response", question, ResponseReply(Action.ACCEPT, text="scripted answer"))

    async def roots(self, question: Question) -> Any:
        return await self._answer("roots", question, RootsReply(Action.ACCEPT))

    async def connect(self, question: Question) -> Any:
        return await self._answer("connect", question, Reply(Action.ACCEPT))

    async def tool(self, question: Question) -> Any:
        return await self._answer("tool", question, Reply(Action.ACCEPT))

    def streamed(self, ask: Ask, text: str) -> None:
        self.streamed_text += text

    async def interrupted(self, ask: Ask) -> Reply:
        self.interruption = asyncio.get_running_loop().create_future()
        return await self.interruption

    def closed(self, ask: Ask, outcome: Outcome) -> None:
        self.ended[ask.id] = outcome

    async def _answer(self, kind: str, question: Question, default: Reply) -> Any:
        self.questions.append(question)
        answer = self._answers.get(kind, default)
        if isinstance(answer, list):
            answer = answer.pop(0) if answer else default
        if callable(answer):
            answer = answer(question)
            if asyncio.iscoroutine(answer):
                answer = await answer
        return answer


class Pondering:
    """An answer that a person thinks about until `decide`. `asked` is set meanwhile; `withdrawn`: it was taken back."""

    def __init__(self, reply: Reply) -> None:
        self.asked = asyncio.Event()
        self.withdrawn = False
        self._reply = reply
        self._decided = asyncio.Event()

    def decide(self) -> None:
        self._decided.set()

    async def __call__(self, _question: Question) -> Reply:
        self.asked.set()
        try:
            await self._decided.wait()
        except asyncio.CancelledError:
            self.withdrawn = True
            raise
        return self._reply


async def never(_question: Question) -> Reply:
    """A person who does not answer."""
    await asyncio.Event().wait()
    raise AssertionError
