"""The handshake era: the server sends requests while our call is open, and we answer them by id."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

from desktop_host.servers.asking import Abandoned, Walk, abandoned, kind_of, make_ask
from desktop_host.terms.asks import Answer, AskKind, CallRef, JsonObject, Origin, Outcome, WireError
from desktop_host.terms.messages import say

URL_REQUIRED = -32042
_OUTSIDE = WireError(-32602, "This request belongs to no request of ours")
_UNDECLARED = WireError(-32602, "This mode was not declared")
_INTERNAL = WireError(-32603, "Internal error")


class HandshakeAsks:
    """Turns server requests into asks. `origin` gives the calls that may have caused one; `stop` cancels them."""

    def __init__(self, walk: Walk, origin: Callable[[str], Origin], stop: Callable[[Iterable[CallRef]], None]) -> None:
        self._walk = walk
        self._origin = origin
        self._stop = stop

    async def handle(self, method: str, params: JsonObject, key: str) -> JsonObject | WireError:
        """Answer one request. Cancelled when the server withdraws it; then nothing is sent (ELF-19)."""
        kind = kind_of(method, params)
        origin = self._origin(key)
        if kind is None:
            return _UNDECLARED
        if not origin.calls and kind is not AskKind.ROOTS:
            return _OUTSIDE
        answer = await self._walk(make_ask(kind, origin, params, errors_travel=True))
        if answer.outcome is Outcome.STOP:
            # After this answer is on its way: the server hears cancel first, then that the call is over.
            asyncio.get_running_loop().call_soon(self._stop, origin.calls)
        return _wire(answer)

    async def links_required(self, data: object, calls: tuple[CallRef, ...], seen: set[str]) -> None:
        """Error -32042: put each link to the person (ELU-17). `seen`: the links that were accepted in this call before;
        they go back to waiting. Raises Abandoned unless all were accepted; then the request may be retried."""
        entries: Any = cast("JsonObject", data).get("elicitations") if isinstance(data, dict) else None
        found: list[Any] = cast("list[Any]", entries) if isinstance(entries, list) else []
        links = [cast("JsonObject", entry) for entry in found if isinstance(entry, dict)]
        for position, params in enumerate(links, 1):
            key, url = str(params.get("elicitationId", "")), str(params.get("url", ""))
            origin = replace(self._origin(key), calls=calls, position=position, total=len(links))
            ask = make_ask(AskKind.URL, origin, params, errors_travel=True, waits=True, repeated=url in seen)
            answer = await self._walk(ask)
            if answer.outcome is not Outcome.ACCEPT:
                raise abandoned(answer)
            seen.add(url)
        if not links:
            raise Abandoned(say("call.broken_round"), Outcome.FAILED)


def _wire(answer: Answer) -> JsonObject | WireError:
    if answer.result is not None:
        return answer.result
    return answer.error or _INTERNAL
