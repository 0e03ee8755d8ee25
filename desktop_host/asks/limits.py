"""What never reaches a dialog: too large, too many, too often, or the same again."""

import json
import time
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from desktop_host.terms.asks import Ask, AskKind, WireError
from desktop_host.terms.messages import Message, say

MAX_FIELDS = 256
WAITING_IN_ALL = 32
SAMPLING_PER_CALL = 25
"""Requests to a model that one call may make: a loop of tools must end (SMP-16)."""
_CALLS_REMEMBERED = 1000
_ROUNDS = 100
_DAY = 86_400
_INVALID, _INTERNAL = -32602, -32603


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one server may do: asks in a minute and waiting at once, requests to a model in a minute, and tokens and US
    dollars that these may cost in a day of UTC, None for no bound. A message may have so many KiB, and the schema of a
    form as JSON so many thousand characters.

    All of one round count as one ask, and a link that waits goes on for free (ELF-13).
    """

    per_minute: int = 60
    waiting: int = 4
    sampling_per_minute: int = 60
    tokens_per_day: int | None = None
    dollars_per_day: float | None = None
    message_kilobytes: int = 32
    schema_kilobytes: int = 1024


@dataclass(slots=True)
class Spent:
    """What a server's requests to models have used up on a day, which is a number of days since the epoch."""

    day: int
    tokens: int = 0
    dollars: float = 0.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an ask is refused: for the person, and for a server of an era with errors."""

    why: Message
    error: WireError


class Limits:
    """Counts the asks that wait and those of the last minute. Asks of one round count as one.

    What waited before a restart was admitted then and always is again. `clock` gives seconds, `bounds` what holds now.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, bounds: Callable[[], Bounds] = Bounds) -> None:
        self._clock = clock
        self._bounds = bounds
        self._waiting: dict[str, Ask] = {}
        self._sampled: OrderedDict[str, int] = OrderedDict()
        self._lately: defaultdict[tuple[str, bool], deque[float]] = defaultdict(deque)
        self._rounds: defaultdict[str, deque[tuple[str, str]]] = defaultdict(lambda: deque(maxlen=_ROUNDS))
        self._spent: dict[str, Spent] = {}

    def admit(self, ask: Ask) -> Refusal | None:
        """Let an ask in, or say why not. Every admitted ask must be released."""
        refusal = None if ask.parked else self._refusal(ask)
        if refusal is None:
            self._waiting[ask.id] = ask
        return refusal

    def _refusal(self, ask: Ask) -> Refusal | None:
        return (
            _too_large(ask, self._bounds())
            or self._repeated(ask)
            or self._too_many(ask)
            or self._too_often(ask)
            or self._loops(ask)
            or self._too_dear(ask)
        )

    def release(self, ask: Ask) -> None:
        """The ask no longer waits."""
        self._waiting.pop(ask.id, None)

    def spend(self, server: str, tokens: int, dollars: float, when: float | None = None) -> None:
        """A request to a model has used this up. `when`: an epoch time of today or before."""
        day = int((time.time() if when is None else when) // _DAY)
        spent = self._spent.get(server)
        if spent is None or spent.day < day:
            spent = self._spent[server] = Spent(day)
        if spent.day == day:
            spent.tokens += tokens
            spent.dollars += dollars

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
        if len(of_server) >= self._bounds().waiting or len(groups) >= WAITING_IN_ALL:
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
        server, sampling, bounds = ask.origin.server, ask.kind is AskKind.SAMPLING, self._bounds()
        if self._lately_full(server, False, bounds.per_minute):
            why = say("limit.too_often", server=server, count=bounds.per_minute)
            return Refusal(why, WireError(_INTERNAL, "Too many requests in a minute"))
        if sampling and self._lately_full(server, True, bounds.sampling_per_minute):
            why = say("limit.sampling_too_often", server=server, count=bounds.sampling_per_minute)
            return Refusal(why, WireError(_INTERNAL, "Too many sampling requests in a minute"))
        for kind in (False, True) if sampling else (False,):
            self._lately[server, kind].append(self._clock())
        self._rounds[server].append(_group(ask))
        return None

    def _lately_full(self, server: str, sampling: bool, most: int) -> bool:
        now, lately = self._clock(), self._lately[server, sampling]
        while lately and now - lately[0] >= 60:
            lately.popleft()
        return len(lately) >= most

    def _too_dear(self, ask: Ask) -> Refusal | None:
        """The day's tokens or dollars of its server are used up."""
        spent, bounds = self._spent.get(ask.origin.server), self._bounds()
        if ask.kind is not AskKind.SAMPLING or spent is None or spent.day != int(time.time() // _DAY):
            return None
        server = ask.origin.server
        if bounds.tokens_per_day is not None and spent.tokens >= bounds.tokens_per_day:
            why = say("limit.tokens", server=server, count=bounds.tokens_per_day)
            return Refusal(why, WireError(_INTERNAL, "The day's tokens are used up"))
        if bounds.dollars_per_day is not None and spent.dollars >= bounds.dollars_per_day > 0:
            why = say("limit.dollars", server=server, dollars=f"{bounds.dollars_per_day:.2f}")
            return Refusal(why, WireError(_INTERNAL, "The day's budget is used up"))
        return None


def _identity(ask: Ask) -> tuple[str, str, str]:
    call = ask.origin.calls[0].id if ask.origin.calls and (ask.waits or not ask.errors_travel) else ""
    return ask.origin.server, call, ask.origin.key


def _group(ask: Ask) -> tuple[str, str]:
    call = ask.origin.calls[0].id if ask.origin.total > 1 and ask.origin.calls else ask.id
    return ask.origin.server, call


def _too_large(ask: Ask, bounds: Bounds) -> Refusal | None:
    message = ask.params.get("message")
    if isinstance(message, str) and len(message.encode("utf-8", "surrogatepass")) > bounds.message_kilobytes * 1024:
        return Refusal(say("limit.message", count=bounds.message_kilobytes), WireError(_INVALID, "message is too long"))
    if ask.kind is AskKind.FORM:
        schema: Any = ask.params.get("requestedSchema")
        if len(json.dumps(schema)) > bounds.schema_kilobytes * 1024:
            why = say("limit.schema", count=bounds.schema_kilobytes)
            return Refusal(why, WireError(_INVALID, "requestedSchema is too large"))
        fields: Any = cast("dict[str, Any]", schema).get("properties") if isinstance(schema, dict) else None
        if isinstance(fields, dict) and len(cast("dict[str, Any]", fields)) > MAX_FIELDS:
            return Refusal(say("limit.fields", count=MAX_FIELDS), WireError(_INVALID, "requestedSchema is too large"))
    return None
