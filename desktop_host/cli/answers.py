"""A scripted person: answers from a file, on the same path as a person's."""

import asyncio
import json
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

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
from desktop_host.config.files import FileProblem, parse_json
from desktop_host.elicitation.form import Entry
from desktop_host.sampling.models.provider import YOU
from desktop_host.sampling.reading import InvalidRequest, read_draft
from desktop_host.terms.asks import Ask, AskKind, Outcome

_KINDS = ("*", *(kind.value for kind in AskKind))
_KEYS = frozenset(
    ["kind", "server", "tool", "fields", "do", "reason", "enter", "clear", "open", "model", "text", "edit"]
)
_EDITABLE = ("systemPrompt", "messages", "maxTokens")
_REPEAT_PAUSE = 1.0
_REPEATS = 600


class BadAnswers(Exception):
    """The answers file cannot be used; the text says where and why."""


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """One entry: matchers, and what the person does. The first entry that matches answers."""

    kind: str = "*"
    server: str = "*"
    tool: str = "*"
    fields: tuple[str, ...] = ()
    do: Action = Action.ACCEPT
    reason: str = ""
    enter: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    open: bool = False
    model: str = ""
    text: str | None = None
    edit: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def matches(self, question: Question) -> bool:
        """All matchers that are given hold."""
        ask = question.ask
        names = {one.name for one in question.form.fields} if isinstance(question, FormQuestion) else set[str]()
        return (
            self.kind in ("*", ask.kind.value)
            and fnmatchcase(ask.origin.server, self.server)
            and fnmatchcase(ask.origin.tool, self.tool)
            and set(self.fields) <= names
        )


def read_answers(path: Path) -> tuple[ScriptedAnswer, ...]:
    """Read an answers file. Raises BadAnswers."""
    try:
        content = parse_json(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError:
        raise BadAnswers(f"{path}: this is not UTF-8 text") from None
    except OSError as error:
        raise BadAnswers(f"{path}: {error.strerror}") from None
    except FileProblem as problem:
        raise BadAnswers(english(problem.message)) from None
    entries: Any = cast("dict[str, Any]", content).get("answers") if isinstance(content, dict) else None
    if not isinstance(entries, list):
        raise BadAnswers(f'{path}: "answers" must be a list')
    return tuple(_answer(entry, f"{path}: answers/{i}") for i, entry in enumerate(cast("list[Any]", entries)))


def _answer(raw: object, place: str) -> ScriptedAnswer:
    if not isinstance(raw, dict):
        raise BadAnswers(f"{place}: this must be an object")
    entry = cast("dict[str, Any]", raw)
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise BadAnswers(f"{place}: unknown key {unknown[0]!r}")
    if entry.get("kind", "*") not in _KINDS:
        raise BadAnswers(f"{place}/kind: must be one of {', '.join(_KINDS)}")
    if entry.get("do", "accept") not in ("accept", "decline", "cancel"):
        raise BadAnswers(f"{place}/do: must be accept, decline or cancel")
    for key in ("server", "tool", "reason", "model", "text"):
        if not isinstance(entry.get(key, ""), str):
            raise BadAnswers(f"{place}/{key}: must be a text")
    if not isinstance(entry.get("open", False), bool):
        raise BadAnswers(f"{place}/open: must be true or false")
    fields, clear, enter = entry.get("fields", []), entry.get("clear", []), entry.get("enter", {})
    for key, names in (("fields", fields), ("clear", clear)):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in cast("list[Any]", names)):
            raise BadAnswers(f"{place}/{key}: must be a list of field names")
    if not isinstance(enter, dict):
        raise BadAnswers(f"{place}/enter: must be an object")
    entries = {name: _entry(value, f"{place}/enter/{name}") for name, value in cast("dict[str, Any]", enter).items()}
    return ScriptedAnswer(
        kind=entry.get("kind", "*"),
        server=entry.get("server", "*"),
        tool=entry.get("tool", "*"),
        fields=tuple(fields),
        do=Action(entry.get("do", "accept")),
        reason=entry.get("reason", ""),
        enter=entries | dict.fromkeys(cast("list[str]", clear)),
        open=bool(entry.get("open", False)),
        model=entry.get("model", ""),
        text=entry.get("text", _edits(entry.get("edit", {}), place).get("text")),
        edit=_edits(entry.get("edit", {}), place),
    )


def _edits(raw: object, place: str) -> dict[str, Any]:
    """Changes of a request to a model by their wire names, and the text of its answer."""
    found = cast("dict[str, Any]", raw) if isinstance(raw, dict) else None
    parts = {"request": _EDITABLE, "response": ("text",)}
    if found is None or not found.keys() <= parts.keys():
        raise BadAnswers(f"{place}/edit: must be an object of request and response")
    edits: dict[str, Any] = {}
    for part, changes in found.items():
        if not isinstance(changes, dict) or not cast("dict[str, Any]", changes).keys() <= set(parts[part]):
            raise BadAnswers(f"{place}/edit/{part}: may have {', '.join(parts[part])}")
        edits |= cast("dict[str, Any]", changes)
    if not isinstance(edits.get("text", ""), str):
        raise BadAnswers(f"{place}/edit/response/text: must be a text")
    return edits


def _entry(value: Any, place: str) -> Entry:
    if isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        return json.dumps(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in cast("list[Any]", value)):
        return tuple(cast("list[str]", value))
    raise BadAnswers(f"{place}: must be a text, true, false, or a list of texts")


class AnswersPerson:
    """Implements `Person` from scripted answers. What none matches is cancelled and counted in `unanswered`.

    `note` is told in English what is done.
    """

    def __init__(self, answers: tuple[ScriptedAnswer, ...], note: Callable[[str], None]) -> None:
        self._answers = answers
        self._note = note
        self._repeats = 0
        self.unanswered = 0

    def _find(self, question: Question) -> ScriptedAnswer | None:
        found = next((answer for answer in self._answers if answer.matches(question)), None)
        if found is None:
            self._note(f"no answer matches this {question.ask.kind.value} ask: cancelled")
            self.unanswered += 1
        return found

    def _reply(self, question: Question) -> Reply | ScriptedAnswer:
        answer = self._find(question)
        if answer is None:
            return Reply(Action.CANCEL)
        if question.problems:
            self._note(f"the answer does not fit, so it was not sent: {', '.join(question.problems)}")
            self.unanswered += 1
            return Reply(Action.CANCEL)
        return answer if answer.do is Action.ACCEPT else Reply(answer.do, answer.reason)

    async def form(self, question: FormQuestion) -> FormReply | Reply:
        """See `Person`; likewise below."""
        answer = self._reply(question)
        if isinstance(answer, Reply):
            return answer
        for name in answer.enter.keys() - {one.name for one in question.form.fields}:
            self._note(f"the form has no field {name!r}")
        return FormReply(Action.ACCEPT, entries=dict(answer.enter))

    async def link(self, question: LinkQuestion) -> LinkReply | Reply:
        answer = self._reply(question)
        if isinstance(answer, Reply):
            return answer
        if question.ask.repeated:
            self._repeats += 1
            await asyncio.sleep(_REPEAT_PAUSE)
            return LinkReply(Action.ACCEPT) if self._repeats < _REPEATS else Reply(Action.CANCEL)
        self._note(f"open: {question.address.url}")
        opened = not answer.open or await asyncio.to_thread(webbrowser.open, question.address.url)
        return LinkReply(Action.ACCEPT, opened=opened)

    async def request(self, question: RequestQuestion) -> RequestReply | Reply:
        answer = self._reply(question)
        if isinstance(answer, Reply):
            return answer
        changes = {name: value for name, value in answer.edit.items() if name in _EDITABLE}
        if not changes:
            return RequestReply(Action.ACCEPT, model=answer.model)
        try:
            draft = read_draft({**question.ask.params, **changes})
        except InvalidRequest as invalid:
            self._note(f"the edited request is malformed ({invalid.field})")
            self.unanswered += 1
            return Reply(Action.CANCEL)
        limit = min(draft.max_tokens, question.original.max_tokens)
        return RequestReply(Action.ACCEPT, draft=replace(draft, max_tokens=limit), model=answer.model)

    async def response(self, question: ResponseQuestion) -> ResponseReply | Reply:
        answer = self._reply(question)
        if isinstance(answer, Reply):
            return answer
        if answer.text is None and question.answer.model == YOU:
            self._note('an answer of your own needs a "text"')
            self.unanswered += 1
            return Reply(Action.CANCEL)
        return ResponseReply(Action.ACCEPT, text=answer.text)

    async def roots(self, question: RootsQuestion) -> RootsReply | Reply:
        answer = self._reply(question)
        return answer if isinstance(answer, Reply) else RootsReply(Action.ACCEPT)

    async def tool(self, question: ToolQuestion) -> Reply:
        answer = self._reply(question)
        return answer if isinstance(answer, Reply) else Reply(Action.ACCEPT)

    async def connect(self, question: ConnectQuestion) -> Reply:
        answer = self._reply(question)
        return answer if isinstance(answer, Reply) else Reply(Action.ACCEPT)

    def streamed(self, ask: Ask, text: str) -> None:
        """The text comes whole with the response."""

    async def interrupted(self, ask: Ask) -> Reply:
        """A script never interrupts."""
        await asyncio.Event().wait()
        raise AssertionError

    def closed(self, ask: Ask, outcome: Outcome) -> None:
        self._note(f"{ask.kind.value} ask of {ask.origin.server}: {outcome.value}")
