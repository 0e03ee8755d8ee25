"""Who answers: the questions put to a person and the replies that come back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from desktop_host.elicitation.address import Address
from desktop_host.elicitation.drafts import FormDraft
from desktop_host.elicitation.form import Entry, Form
from desktop_host.sampling.choice import Suggestion
from desktop_host.sampling.draft import Draft, ModelAnswer
from desktop_host.sampling.models.provider import Plan
from desktop_host.terms.asks import Ask, Decision, Finding, Outcome
from desktop_host.terms.messages import Message
from desktop_host.terms.state import RootState


class Action(StrEnum):
    """What a person can do with a question. `AGAIN` and `BACK` are steps inside a sampling review."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    STOP = "stop"
    AGAIN = "again"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Question:
    """What is common to all questions. `problems`: what was wrong with the reply before, by field or part."""

    ask: Ask
    findings: tuple[Finding, ...]
    decision: Decision
    problems: Mapping[str, Message] = field(default_factory=dict[str, Message], kw_only=True)


@dataclass(frozen=True, slots=True)
class FormQuestion(Question):
    """A form to fill in. `secrets` names the fields to mask, `draft` is what was typed into it before.

    `draft_key` is the name under which what is typed now is kept.
    """

    form: Form
    secrets: tuple[str, ...] = ()
    draft: FormDraft | None = None
    draft_key: str = ""


@dataclass(frozen=True, slots=True)
class LinkQuestion(Question):
    """A link to open in the system's browser."""

    address: Address


@dataclass(frozen=True, slots=True)
class RequestQuestion(Question):
    """A request to a language model, before it runs. `original` is what the server sent, `draft` the last version."""

    original: Draft
    draft: Draft
    suggestion: Suggestion


@dataclass(frozen=True, slots=True)
class ResponseQuestion(Question):
    """A model's answer, before it goes back. `plan` is what was sent to the model."""

    draft: Draft
    plan: Plan
    answer: ModelAnswer
    written_by_person: bool


@dataclass(frozen=True, slots=True)
class RootsQuestion(Question):
    """Folders a server wants to know. All roots; those shared with it are offered first."""

    roots: tuple[RootState, ...]


@dataclass(frozen=True, slots=True)
class ConnectQuestion(Question):
    """A new or changed server wants to start. `ask.params` hold its whole command or address."""


@dataclass(frozen=True, slots=True)
class ToolQuestion(Question):
    """A model wants to call a tool."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a person did. `reason` goes with a decline and stays on this computer."""

    action: Action
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FormReply(Reply):
    """An accepted form as entered."""

    entries: Mapping[str, Entry] = field(default_factory=dict[str, Entry])


@dataclass(frozen=True, slots=True)
class LinkReply(Reply):
    """An accepted link. `opened`: the browser took it, or the person took the address elsewhere."""

    opened: bool = True


@dataclass(frozen=True, slots=True)
class RequestReply(Reply):
    """An approved request, as edited, and the model it goes to. None: as it was offered."""

    draft: Draft | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class ResponseReply(Reply):
    """An approved answer. `text` None: as the model wrote it. `without_tool_uses`: ids of those taken out."""

    text: str | None = None
    without_tool_uses: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RootsReply(Reply):
    """The URIs of the roots to tell the server. None: those shared with it."""

    uris: tuple[str, ...] | None = None


class Person(Protocol):
    """Whoever answers. A cancelled call means that the question is withdrawn."""

    async def form(self, question: FormQuestion) -> FormReply | Reply:
        """Fill in a form. Asked again with `problems` until it is right or given up."""
        ...

    async def link(self, question: LinkQuestion) -> LinkReply | Reply:
        """Look at a link and open it; returns when the server may be told (`ask.waits`)."""
        ...

    async def request(self, question: RequestQuestion) -> RequestReply | Reply:
        """Review a request before a model sees it."""
        ...

    async def response(self, question: ResponseQuestion) -> ResponseReply | Reply:
        """Review an answer before the server sees it."""
        ...

    async def roots(self, question: RootsQuestion) -> RootsReply | Reply:
        """Choose what folders a server is told of."""
        ...

    async def tool(self, question: ToolQuestion) -> Reply:
        """Let a model call a tool."""
        ...

    async def connect(self, question: ConnectQuestion) -> Reply:
        """Let a server start."""
        ...

    def streamed(self, ask: Ask, text: str) -> None:
        """A piece of a model's answer arrived."""
        ...

    async def interrupted(self, ask: Ask) -> Reply:
        """Returns only if the person ends a run of a model."""
        ...

    def closed(self, ask: Ask, outcome: Outcome) -> None:
        """An ask ended, however."""
        ...
