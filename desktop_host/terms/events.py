"""What the engine tells its subscribers. State events may be coalesced by `key`; the others never are."""

from dataclasses import dataclass

from desktop_host.terms.asks import Ask, Outcome, Record
from desktop_host.terms.state import CallState, RootState, ServerState


@dataclass(frozen=True, slots=True)
class ServerChanged:
    """A server's state, whole."""

    state: ServerState

    @property
    def key(self) -> str:
        """Later states of the same server replace earlier ones."""
        return f"server:{self.state.name}"


@dataclass(frozen=True, slots=True)
class ServerGone:
    """A server was removed."""

    name: str


@dataclass(frozen=True, slots=True)
class CallChanged:
    """A call's state, whole."""

    state: CallState

    @property
    def key(self) -> str:
        """Later states of the same call replace earlier ones."""
        return f"call:{self.state.id}"


@dataclass(frozen=True, slots=True)
class RootsChanged:
    """All workspace roots."""

    roots: tuple[RootState, ...]

    @property
    def key(self) -> str:
        """There is one list of roots."""
        return "roots"


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """Rules, caps or lists of servers are others than before; `commands.rules` tells them."""

    @property
    def key(self) -> str:
        """There is one set of rules."""
        return "rules"


@dataclass(frozen=True, slots=True)
class AskOpened:
    """A question for the person: `question` is one of `asks.person`'s questions. The same ask may open again, with
    problems to correct or with its next step."""

    question: object


@dataclass(frozen=True, slots=True)
class AskStreamed:
    """A piece of a model's answer, as it arrives."""

    ask_id: str
    text: str


@dataclass(frozen=True, slots=True)
class AskClosed:
    """An ask ended; what the person typed is theirs to copy still."""

    ask: Ask
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class LinkCompleted:
    """The server says that the interaction behind a link is finished (2025-11-25, ELU-15)."""

    server: str
    elicitation_id: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry of the audit log was written."""

    record: Record


StateEvent = ServerChanged | CallChanged | RootsChanged | RulesChanged
Event = StateEvent | ServerGone | AskOpened | AskStreamed | AskClosed | LinkCompleted | Recorded
