"""A person at a terminal: every ask as prompts."""

import asyncio
import contextlib
import json
import sys
import webbrowser
from dataclasses import replace
from typing import TypeVar, cast

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
from desktop_host.cli.words import english
from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.elicitation.form import Entry, entry_of
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.asks import Ask, Outcome
from desktop_host.ui.visible import visible

ReplyT = TypeVar("ReplyT", bound=Reply)
_CHOICE = {"": Action.ACCEPT, "a": Action.ACCEPT, "d": Action.DECLINE, "c": Action.CANCEL, "s": Action.STOP}


class TerminalPerson:
    """Implements `Person` with prompts on standard error and answers from standard input, one ask at a time."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def form(self, question: FormQuestion) -> FormReply | Reply:
        """See `Person`; likewise below."""
        async with self._turn:
            self._head(question, "asks you to fill in a form")
            self._say(question.form.message)
            for name, problem in question.problems.items():
                self._say(f"  ! {name}: {english(problem)}")
            entries: dict[str, Entry] = {}
            for field in question.form.fields:
                await self._fill(field, field.name in question.secrets, entries)
            content = question.form.read(entries).content
            shown = {name: "••••" if name in question.secrets else value for name, value in content.items()}
            self._say("Exactly this will be sent: " + json.dumps(shown, ensure_ascii=False))
            reply = await self._choose("[a]ccept, [d]ecline, [c]ancel, [s]top the whole call", "a")
            return replace_action(reply, FormReply(Action.ACCEPT, entries=entries))

    async def link(self, question: LinkQuestion) -> LinkReply | Reply:
        async with self._turn:
            if question.ask.repeated:
                reply = await self._choose("The page is not finished yet. [a] continue, [c]ancel, [s]top", "a")
                return replace_action(reply, LinkReply(Action.ACCEPT))
            self._head(question, "wants you to open a link")
            self._say(str(question.ask.params.get("message", "")))
            self._say(f"  {question.address.url}\n  host: {question.address.host}")
            reply = await self._choose("[a] open it in the browser, [d]ecline, [c]ancel, [s]top the whole call", "c")
            if reply.action is not Action.ACCEPT:
                return reply
            opened = await asyncio.to_thread(webbrowser.open, question.address.url)
            if question.ask.waits:
                await self._read("Press Enter when you have finished in the browser. ")
            return LinkReply(Action.ACCEPT, opened=opened)

    async def request(self, question: RequestQuestion) -> RequestReply | Reply:
        async with self._turn:
            self._head(question, "wants to ask a language model")
            for problem in question.problems.values():
                self._say(f"  ! {english(problem)}")
            draft = question.draft
            if draft.system:
                self._say(f"System prompt: {draft.system}")
            for turn in draft.messages:
                self._say(f"{turn.role}: {turn.text}")
            names = ", ".join(model.id for model in question.suggestion.models)
            self._say(f"Longest answer: {draft.max_tokens} tokens. Models: {names}")
            model = await self._read(f"Model [{question.suggestion.model.id}]: ")
            system = await self._read("Other system prompt (Enter keeps it): ") if draft.system else ""
            reply = await self._choose("[a]sk the model, [d]ecline, [c]ancel, [s]top the whole call", "c")
            edited = replace(draft, system=system) if system else draft
            return replace_action(reply, RequestReply(Action.ACCEPT, draft=edited, model=model))

    async def response(self, question: ResponseQuestion) -> ResponseReply | Reply:
        async with self._turn:
            if question.answer.model == YOU:
                text = await self._read("Your answer: ")
            else:
                self._say(f"{question.answer.model} answered:\n{question.answer.text}")
                text = await self._read("Other answer (Enter keeps it): ") or question.answer.text
            reply = await self._choose("[a] send it, [d]ecline, [c]ancel, [s]top the whole call", "c")
            return replace_action(reply, ResponseReply(Action.ACCEPT, text=text))

    async def roots(self, question: RootsQuestion) -> RootsReply | Reply:
        async with self._turn:
            self._head(question, "wants to know your folders")
            shared = [one for one in question.roots if question.ask.origin.server in one.shared_with]
            for root in shared:
                self._say(f"  {root.path}")
            reply = await self._choose("[a] tell it these, [d]ecline, [c]ancel, [s]top the whole call", "c")
            return replace_action(reply, RootsReply(Action.ACCEPT))

    async def tool(self, question: ToolQuestion) -> Reply:
        async with self._turn:
            self._head(question, "wants to call a tool")
            return await self._choose("[a]llow, [d]ecline, [c]ancel", "c")

    async def connect(self, question: ConnectQuestion) -> Reply:
        async with self._turn:
            self._head(question, "is new and wants to start")
            self._say(json.dumps(question.ask.params, ensure_ascii=False, indent=2))
            return await self._choose("[a]llow it, [d]ecline, [c]ancel", "c")

    def streamed(self, ask: Ask, text: str) -> None:
        sys.stderr.write(visible(text))
        sys.stderr.flush()

    async def interrupted(self, ask: Ask) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    def closed(self, ask: Ask, outcome: Outcome) -> None:
        self._say(f"({ask.kind.value}: {outcome.value})")

    def _head(self, question: Question, wants: str) -> None:
        ask = question.ask
        self._say(f"\n── {ask.origin.server} {wants} ──\n{ask.origin.identity}")
        if ask.origin.tool:
            call = ask.origin.calls[0]
            self._say(f"while running {call.tool} {json.dumps(call.arguments, ensure_ascii=False)}")
        for finding in question.findings:
            self._say(f"  ! {english(finding.message)} {finding.where}".rstrip())

    async def _fill(self, field: Field, secret: bool, entries: dict[str, Entry]) -> None:
        mark = " *" if field.required else ""
        if field.description:
            self._say(f"  {field.description}")
        options = ""
        if field.options:
            options = " (" + " / ".join(option.label for option in field.options[:20]) + ")"
        elif field.kind is FieldKind.BOOLEAN:
            options = " (yes / no)"
        default = entry_of(field, field.default) if field.has_default else None
        if isinstance(default, tuple):
            default = json.dumps(default, ensure_ascii=False)
        shown = f" [{default}]" if default is not None else ""
        text = await self._read(f"{field.title}{mark}{options}{shown}: ", secret=secret)
        if text:
            entries[field.name] = _entry(field, text)

    async def _choose(self, words: str, default: str) -> Reply:
        while True:
            text = (await self._read(f"{words} [{default}]: ")).strip().lower()[:1] or default
            if text in _CHOICE:
                action = _CHOICE[text]
                reason = await self._read("Reason (stays here): ") if action is Action.DECLINE else ""
                return Reply(action, reason)

    async def _read(self, prompt: str, *, secret: bool = False) -> str:
        self._say(prompt, end="")
        if secret:
            from getpass import getpass

            return await asyncio.to_thread(getpass, "")
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

    def _say(self, text: str, end: str = "\n") -> None:
        sys.stderr.write(visible(text) + end)
        sys.stderr.flush()


def replace_action(reply: Reply, accepted: ReplyT) -> ReplyT | Reply:
    """The full reply where the person accepts, the bare one otherwise."""
    return accepted if reply.action is Action.ACCEPT else reply


def _entry(field: Field, text: str) -> Entry:
    if field.kind is FieldKind.BOOLEAN:
        return {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}.get(text.lower(), text)
    if field.kind is FieldKind.CHOICES:
        return _labels(text)
    return text


def _labels(text: str) -> tuple[str, ...]:
    """Labels between commas, or as a JSON list for such as hold commas themselves."""
    with contextlib.suppress(ValueError):
        listed = json.loads(text)
        if isinstance(listed, list):
            return tuple(str(one) for one in cast("list[object]", listed))
    return tuple(part.strip() for part in text.split(","))
