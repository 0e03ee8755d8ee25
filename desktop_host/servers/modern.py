"""The modern era: our call returns what it needs, and we retry it with the answers (MRTR, BASE-39 to BASE-51)."""

import asyncio
import hashlib
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

from desktop_host.servers.asking import Abandoned, Walk, abandoned, kind_of, make_ask
from desktop_host.servers.parked import Round
from desktop_host.terms.asks import Ask, AskKind, JsonObject, Origin, Outcome
from desktop_host.terms.messages import say

MAX_ROUNDS = 1000
MAX_ENTRIES = 32
MAX_IDENTICAL = 5
"""Rounds of one call that may ask exactly the same before the call stops; links do not count (ELU-19)."""
_FIRST_PAUSE, _LAST_PAUSE = 0.05, 2.0

Request = Callable[[JsonObject], Awaitable[JsonObject]]
"""Sends the original request with these extra params under a new JSON-RPC id; the raw result."""

Keep = Callable[[Round], Awaitable[None]]
"""Keeps a round, before the person sees it and after each answer."""


async def keep_nothing(now: Round) -> None:
    """For requests that do not outlive us."""


@dataclass(slots=True)
class _Memory:
    """What one call remembers of its rounds."""

    links: set[str] = field(default_factory=set[str])
    last: str = ""
    identical: int = 0


class Driver:
    """Sends one request until its result is complete.

    Every ask is answered before the retry; the request state goes back byte for byte, and only to the round it came
    with. `keep` hears of every round.
    """

    def __init__(self, request: Request, walk: Walk, origin: Callable[[], Origin], keep: Keep) -> None:
        self._request = request
        self._walk = walk
        self._origin = origin
        self._keep = keep
        self._memory = _Memory()

    async def run(self, parked: Round | None = None) -> JsonObject:
        """The raw result. `parked`: begin with this round of an earlier time instead of the request.

        Raises Abandoned, and what `request` raises.
        """
        result = await self._request({}) if parked is None else await self._answer(parked, parked=True)
        pause = _FIRST_PAUSE
        for _ in range(MAX_ROUNDS):
            now = _read_round(result)
            if now is None:
                return result
            if now.requests:
                pause = _FIRST_PAUSE
                result = await self._answer(now)
            else:
                await asyncio.sleep(pause * random.uniform(1.0, 1.2))
                pause = min(pause * 2, _LAST_PAUSE)
                result = await self._request(_with_state(now, {}))
        raise Abandoned(say("call.too_many_rounds", count=MAX_ROUNDS))

    async def _answer(self, now: Round, *, parked: bool = False) -> JsonObject:
        """Put a round to the person and send it; one ask that has no answer ends the call (BASE-47, BASE-48)."""
        _count_identical(now.requests, self._memory)
        if now.requests.keys() <= now.answers.keys():
            now = replace(now, answers={})  # all was answered before we ended: nothing is sent without the person
        asks = self._asks(now, parked)
        await self._keep(now)
        given, storable = dict(now.answers), dict(now.answers)

        async def put(ask: Ask) -> None:
            answer = await self._walk(ask)
            if answer.result is None:
                raise abandoned(answer)
            given[ask.origin.key] = answer.result
            if ask.kind is AskKind.URL and answer.outcome is Outcome.ACCEPT:
                self._memory.links.add(str(ask.params.get("url")))
            if not answer.secret:
                storable[ask.origin.key] = answer.result
                await self._keep(replace(now, answers=dict(storable)))

        tasks = [asyncio.ensure_future(put(ask)) for ask in asks]
        try:
            for finished in asyncio.as_completed(tasks):
                await finished
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return await self._request(_with_state(now, {"inputResponses": {key: given[key] for key in now.requests}}))

    def _asks(self, now: Round, parked: bool) -> list[Ask]:
        if len(now.requests) > MAX_ENTRIES:
            raise Abandoned(say("call.too_many_asks", count=MAX_ENTRIES))
        asks: list[Ask] = []
        origin = self._origin()
        for position, (key, entry) in enumerate(now.requests.items(), 1):
            if key in now.answers:
                continue
            body = cast("JsonObject", entry) if isinstance(entry, dict) else {}
            params: Any = body.get("params") or {}
            params = cast("JsonObject", params) if isinstance(params, dict) else {}
            kind = kind_of(str(body.get("method")), params)
            if kind is None:
                raise Abandoned(say("call.undeclared", method=str(body.get("method"))))
            repeated = kind is AskKind.URL and str(params.get("url", "")) in self._memory.links
            place = replace(origin, key=key, position=position, total=len(now.requests))
            ask = make_ask(kind, place, params, errors_travel=False, waits=kind is AskKind.URL, repeated=repeated)
            asks.append(replace(ask, parked=parked))
        return asks


def _read_round(result: JsonObject) -> Round | None:
    """What a result asks for, None where it is complete."""
    kind = result.get("resultType", "complete")
    if kind == "complete":
        return None
    if kind != "input_required":
        raise Abandoned(say("call.unknown_result", kind=str(kind)), Outcome.FAILED)
    requests: Any = result.get("inputRequests") or {}
    state: Any = result.get("requestState")
    if not isinstance(requests, dict) or not (requests or isinstance(state, str)):
        raise Abandoned(say("call.broken_round"), Outcome.FAILED)
    return Round(cast("JsonObject", requests), state)


def _with_state(now: Round, extra: JsonObject) -> JsonObject:
    return extra if now.state is None else {**extra, "requestState": now.state}


def _count_identical(requests: JsonObject, memory: _Memory) -> None:
    """A server that asks the same for ever is stopped with an explanation."""
    if all(_is_link(entry) for entry in requests.values()):
        return
    seen = hashlib.sha256(json.dumps(requests, sort_keys=True).encode()).hexdigest()
    memory.identical = memory.identical + 1 if seen == memory.last else 1
    memory.last = seen
    if memory.identical > MAX_IDENTICAL:
        raise Abandoned(say("call.same_again", count=MAX_IDENTICAL))


def _is_link(entry: Any) -> bool:
    params: Any = cast("JsonObject", entry).get("params") if isinstance(entry, dict) else None
    return isinstance(params, dict) and cast("JsonObject", params).get("mode") == "url"
