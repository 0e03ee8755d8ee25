"""What never reaches a dialog: too large, too many, too often, or the same again."""

import json
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from desktop_host.terms.asks import Ask, AskKind, WireError
from desktop_host.terms.messages import Message, say

MAX_MESSAGE = 32 * 1024
MAX_FIELDS = 256
MAX_SCHEMA = 1024 * 1024
"""Characters of a requested schema as JSON; of a message, bytes."""
WAITING_PER_SERVER = 4
WAITING_IN_ALL = 32
SAMPLING_PER_CALL = 25
"""Requests to a model that one call may make: a loop of tools must end (SMP-16)."""
PER_MINUTE = 60
"""Asks of one server; all of one round count as one, and a link that waits goes on for free (ELF-13)."""
_CALLS_REMEMBERED = 1000
_INVALID, _INTERNAL = -32602, -32603


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an ask is refused: for the person, and for a server of an era with errors."""

    why: Message
    error: WireError


class Limits:
    """Counts the asks that wait and those of the last minute. Asks of one round count as one.

    What waited before a restart was admitted then and always is again. `clock` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: dict[str, Ask] = {}
        self._sampled: OrderedDict[str, int] = OrderedDict()
        self._lately: defaultdict[str, deque[float]] = defaultdict(deque)
        self._rounds: defaultdict[str, deque[tuple[str, str]]] = defaultdict(lambda: deque(maxlen=PER_MINUTE))

    def admit(self, ask: Ask) -> Refusal | None:
        """Let an ask in, or say why not. Every admitted ask must be released."""
        refusal = None if ask.parked else self._refusal(ask)
        if refusal is None:
            self._waiting[ask.id] = ask
        return refusal

    def _refusal(self, ask: Ask) -> Refusal | None:
        return _too_large(ask) or self._repeated(ask) or self._too_many(ask) or self._too_often(ask) or self._loops(ask)

    def release(self, ask: Ask) -> None:
        """The ask no longer waits."""
        self._waiting.pop(ask.id, None)

    def waiting(self, server: str) -> int:
        """How many asks of a server wait."""
        return sum(ask.origin.server == server for ask in self._waiting.values())

    def _repeated(self, ask: Ask) -> Refusal | None:
        key = _identity(ask)
        if ask.origin.key and any(_identity(other) == key for other in self._waiting.values()):
            return Refusal(say("limit.repeated"), WireError(_INVALID, "This request is already waiting"))
        return None

    def _too_many(self, ask: Ask) -> Refusal | None:
        groups = {_group(other) for other in self._waiting.values()} - {_group(ask)}
        of_server = {group for group in groups if group[0] == ask.origin.server}
        if len(of_server) >= WAITING_PER_SERVER or len(groups) >= WAITING_IN_ALL:
            return Refusal(
                say("limit.too_many", server=ask.origin.server),
                WireError(_INTERNAL, "Too many requests are waiting"),
            )
        return None

    def _loops(self, ask: Ask) -> Refusal | None:
        if ask.kind is not AskKind.SAMPLING or not ask.origin.calls:
            return None
        call = " ".join(sorted(one.id for one in ask.origin.calls))
        count = self._sampled[call] = self._sampled.get(call, 0) + 1
        self._sampled.move_to_end(call)
        if len(self._sampled) > _CALLS_REMEMBERED:
            self._sampled.popitem(last=False)
        if count <= SAMPLING_PER_CALL:
            return None
        why = say("limit.tool_loop", count=SAMPLING_PER_CALL)
        return Refusal(why, WireError(_INTERNAL, "Too many sampling requests in one call"))

    def _too_often(self, ask: Ask) -> Refusal | None:
        if ask.repeated or ask.kind is AskKind.CONNECT:
            return None
        if ask.origin.position > 1 and _group(ask) in self._rounds[ask.origin.server]:
            return None
        now, lately = self._clock(), self._lately[ask.origin.server]
        while lately and now - lately[0] >= 60:
            lately.popleft()
        if len(lately) >= PER_MINUTE:
            why = say("limit.too_often", server=ask.origin.server, count=PER_MINUTE)
            return Refusal(why, WireError(_INTERNAL, "Too many requests in a minute"))
        lately.append(now)
        self._rounds[ask.origin.server].append(_group(ask))
        return None


def _identity(ask: Ask) -> tuple[str, str, str]:
    call = ask.origin.calls[0].id if ask.origin.calls and (ask.waits or not ask.errors_travel) else ""
    return ask.origin.server, call, ask.origin.key


def _group(ask: Ask) -> tuple[str, str]:
    call = ask.origin.calls[0].id if ask.origin.total > 1 and ask.origin.calls else ask.id
    return ask.origin.server, call


def _too_large(ask: Ask) -> Refusal | None:
    message = ask.params.get("message")
    if isinstance(message, str) and len(message.encode("utf-8", "surrogatepass")) > MAX_MESSAGE:
        return Refusal(say("limit.message", count=MAX_MESSAGE // 1024), WireError(_INVALID, "message is too long"))
    if ask.kind is AskKind.FORM:
        schema: Any = ask.params.get("requestedSchema")
        if len(json.dumps(schema)) > MAX_SCHEMA:
            why = say("limit.schema", count=MAX_SCHEMA // 1024)
            return Refusal(why, WireError(_INVALID, "requestedSchema is too large"))
        fields: Any = cast("dict[str, Any]", schema).get("properties") if isinstance(schema, dict) else None
        if isinstance(fields, dict) and len(cast("dict[str, Any]", fields)) > MAX_FIELDS:
            return Refusal(say("limit.fields", count=MAX_FIELDS), WireError(_INVALID, "requestedSchema is too large"))
    return None
