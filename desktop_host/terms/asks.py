"""What servers want from the person, and what becomes of it."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from annotated_types import Gt

from desktop_host.terms.messages import Message

JsonObject = dict[str, Any]
"""A decoded JSON object; its values are whatever JSON holds."""


class AskKind(StrEnum):
    """The kinds of ask the corridor carries."""

    FORM = "form"
    URL = "url"
    SAMPLING = "sampling"
    ROOTS = "roots"
    TOOL_CALL = "tool_call"
    CONNECT = "connect"


class Outcome(StrEnum):
    """How an ask ended. They are never folded into one another.

    `CANCEL`: the person closed it without deciding. `STOP`: the person ended the whole call. `WITHDRAWN`: the
    server took it back or went away. `PARKED`: the program ended first; it comes back at the next start. `FAILED`: it
    could not be carried out. `REFUSED`: it never reached the person.
    """

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    STOP = "stop"
    WITHDRAWN = "withdrawn"
    PARKED = "parked"
    FAILED = "failed"
    REFUSED = "refused"


class Severity(StrEnum):
    """How loud a finding is. `DANGER` takes the affirmative button its colour."""

    INFO = "info"
    WARNING = "warning"
    DANGER = "danger"


class Effect(StrEnum):
    """What the rules say about an ask."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class CallRef:
    """A call of ours that may have caused an ask. `started` is seconds since the epoch."""

    id: str
    tool: str
    arguments: JsonObject
    started: float


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an ask comes from.

    `server` is the person's own name for it and `identity` what it is (argv or origin and path), never what it says
    of itself. `calls` holds the call it belongs to; several when the wire cannot tell which (handshake stdio); none
    outside a call. `key` is the server's own id of the ask. `position` of `total`: asks that arrived together.
    """

    server: str
    identity: str
    era: str = ""
    revision: str = ""
    calls: tuple[CallRef, ...] = ()
    key: str = ""
    position: int = 1
    total: int = 1

    @property
    def tool(self) -> str:
        """The tool whose call caused the ask, or "" where that is not certain."""
        return self.calls[0].tool if len(self.calls) == 1 else ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing a server wants from the person; `params` are the exact wire parameters.

    `waits`: a link whose acceptance is sent only when the person continues. `repeated`: the same link again in one
    call; it returns to the waiting panel and never opens the browser by itself (ELU-19). `errors_travel`: a refusal
    can be told to the server as an error (spec X-02). `parked`: it waited when the program ended, and waits again.
    `signs_in`: this program itself asks, for the page of a sign-in; nothing that a server sends can say so.
    """

    id: str
    kind: AskKind
    origin: Origin
    params: JsonObject
    waits: bool = False
    repeated: bool = False
    errors_travel: bool = True
    parked: bool = False
    signs_in: bool = False
    opened: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something noticed about an ask. `where` names the field, message or part it is about, "" for the whole."""

    severity: Severity
    message: Message
    where: str = ""


class Layer(StrEnum):
    """Where a rule comes from; `FLOOR` is built in, `SESSION` the person's until the program ends."""

    FLOOR = "floor"
    MANAGED = "managed"
    USER = "user"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Obligations:
    """What comes with being allowed: kinds of findings that are masked before a model sees them, being told of it, an
    upper bound for the answer, and the answer's review by the person in any case."""

    redact: tuple[Literal["secrets", "personal"], ...] = ()
    notify: bool = False
    clamp_max_tokens: Annotated[int, Gt(0)] | None = None
    review_response: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a decision looked at.

    `matched` and `missed` say of each condition what was wanted and what was there; `counts`: it fits, and nothing
    switched it off. `why_not` says what did. `source` is a file, `pointer` the place of the rule in it.
    """

    layer: Layer
    effect: Effect
    counts: bool
    rule: str = ""
    source: str = ""
    pointer: str = ""
    reason: str = ""
    matched: tuple[Message, ...] = ()
    missed: tuple[Message, ...] = ()
    why_not: Message | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What the rules decided, the reasons in order of strength, and each step on the way, the strongest first.

    `facts` is what the rules were held against, `policy` the digest of all of them.
    """

    effect: Effect
    reasons: tuple[Message, ...]
    steps: tuple[Step, ...] = ()
    obligations: Obligations = field(default_factory=Obligations)
    facts: JsonObject = field(default_factory=dict[str, Any])
    policy: str = ""


@dataclass(frozen=True, slots=True)
class WireError:
    """A JSON-RPC error as a server may receive it. `message` never holds text of ours that could leak anything."""

    code: int
    message: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of the corridor.

    `result` is the bare wire result for the server (`{"action": …}`, `{"role": …}`, `{"roots": …}`), None where
    nothing may be sent; then `error` says what a server of an era with errors is told. `why` is for the person.
    `secret`: the result holds what must never be stored.
    """

    outcome: Outcome
    result: JsonObject | None = None
    error: WireError | None = None
    why: Message | None = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """One run of a model: tokens and seconds, and US dollars where the price is known."""

    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    dollars: float | None = None

    @property
    def tokens(self) -> int:
        """All tokens that were counted."""
        return (self.tokens_in or 0) + (self.tokens_out or 0)


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of the audit log: an ask with everything that was found, decided and answered.

    `answer` is the exact wire object that left, None where nothing left. `reason` is the person's own, kept here
    only. `edits` names the parts of a request or an answer that the person changed. `response` is the decision on a
    model's answer, None where there was none, `usage` tells each run of a model, and `differences`
    tell of each edited text what is gone (-) and what is new (+).
    """

    ask: Ask
    findings: tuple[Finding, ...]
    decision: Decision
    outcome: Outcome
    answer: JsonObject | None
    errors: Mapping[str, Message]
    notices: tuple[Message, ...]
    reason: str = ""
    edits: tuple[str, ...] = ()
    response: Decision | None = None
    usage: tuple[Usage, ...] = ()
    differences: Mapping[str, str] = field(default_factory=dict[str, str])
    ended: float = field(default_factory=time.time)
