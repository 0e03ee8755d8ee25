"""The modern era: our call returns what it needs, and we retry it with the answers (MRTR, BASE-39 to BASE-51)."""

import asyncio
import hashlib
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast

from desktop_host.servers.asking import Abandoned, Walk, abandoned, kind_of, make_ask
from desktop_host.terms.asks import Ask, AskKind, JsonObject, Origin, Outcome
from desktop_host.terms.messages import say

MAX_ROUNDS = 1000
MAX_IDENTICAL = 5
"""Rounds of one call that may ask exactly the same before the call stops; links do not count (ELU-19)."""
_FIRST_PAUSE, _LAST_PAUSE = 0.05, 2.0

Request = Callable[[JsonObject], Awaitable[JsonObject]]
"""Sends the original request with these extra params under a new JSON-RPC id; the raw result."""


@dataclass(slots=True)
class _Memory:
    """What one call remembers of its rounds."""

    links: set[str] = field(default_factory=set[str])
    last: str = ""
    identical: int = 0


async def drive(request: Request, walk: Walk, origin: Callable[[], Origin]) -> JsonObject:
    """Send a request until its result is complete. Every ask is answered before the retry; the request state goes
    back byte for byte, and only to the round it came with. Raises Abandoned, and what `request` raises."""
    memory, pause = _Memory(), _FIRST_PAUSE
    result = await request({})
    for _ in range(MAX_ROUNDS):
        kind = result.get("resultType", "complete")
        if kind == "complete":
            return result
        if kind != "input_required":
            raise Abandoned(say("call.unknown_result", kind=str(kind)), Outcome.FAILED)
        requests: Any = result.get("inputRequests") or {}
        state: Any = result.get("requestState")
        if not isinstance(requests, dict) or not (requests or isinstance(state, str)):
            raise Abandoned(say("call.broken_round"), Outcome.FAILED)
        extra: JsonObject = {}
        if requests:
            pause = _FIRST_PAUSE
            extra["inputResponses"] = await _answers(cast("JsonObject", requests), walk, origin(), memory)
        else:
            await asyncio.sleep(pause * random.uniform(1.0, 1.2))
            pause = min(pause * 2, _LAST_PAUSE)
        if state is not None:
            extra["requestState"] = state
        result = await request(extra)
    raise Abandoned(say("call.too_many_rounds", count=MAX_ROUNDS))


async def _answers(requests: JsonObject, walk: Walk, origin: Origin, memory: _Memory) -> JsonObject:
    """All answers of a round by the server's keys; one that has no answer ends the call (BASE-47, BASE-48)."""
    _count_identical(requests, memory)
    asks: list[Ask] = []
    for position, (key, entry) in enumerate(requests.items(), 1):
        body = cast("JsonObject", entry) if isinstance(entry, dict) else {}
        params: Any = body.get("params") or {}
        params = cast("JsonObject", params) if isinstance(params, dict) else {}
        kind = kind_of(str(body.get("method")), params)
        if kind is None:
            raise Abandoned(say("call.undeclared", method=str(body.get("method"))))
        url = str(params.get("url", ""))
        repeated = kind is AskKind.URL and url in memory.links
        place = replace(origin, key=key, position=position, total=len(requests))
        asks.append(make_ask(kind, place, params, errors_travel=False, waits=kind is AskKind.URL, repeated=repeated))
    tasks = [asyncio.ensure_future(walk(ask)) for ask in asks]
    try:
        for finished in asyncio.as_completed(tasks):
            answer = await finished
            if answer.result is None:
                raise abandoned(answer)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for ask, task in zip(asks, tasks, strict=True):
        if ask.kind is AskKind.URL and task.result().outcome is Outcome.ACCEPT:
            memory.links.add(str(ask.params.get("url")))
    return {ask.origin.key: task.result().result for ask, task in zip(asks, tasks, strict=True)}


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
