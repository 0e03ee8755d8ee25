"""Rounds of modern servers that outlive us: what is needed to answer them after a restart (DESIGN.md section 2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from desktop_host.config.kept import KeptFiles
from desktop_host.terms.asks import CallRef, JsonObject

LIFETIME = 7 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Round:
    """What a server asked before it goes on with a call: `requests` by its own keys, and its `state`, byte for byte.

    `state` None: it sent none. `answers` are those given already, by key.
    """

    requests: JsonObject
    state: Any = None
    answers: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])


@dataclass(frozen=True, slots=True)
class ParkedCall:
    """A call that waits for the person. `fingerprint` is what its server was when it asked."""

    server: str
    fingerprint: str
    revision: str
    call: CallRef
    round: Round


class Parked:
    """The rounds that wait, one file a call: kept before the person sees them, dropped when the call is over."""

    def __init__(self, files: KeptFiles) -> None:
        self._files = files
        self._held: set[str] = set()

    def holds(self, call_id: str) -> bool:
        """A round of this call is kept."""
        return call_id in self._held

    async def keep(self, parked: ParkedCall) -> None:
        """Keep a call's round, with the answers so far."""
        call, now = parked.call, parked.round
        self._held.add(call.id)  # before the file is there: whoever drops it meanwhile must find it
        kept = await self._files.keep(
            call.id,
            {
                "server": parked.server,
                "fingerprint": parked.fingerprint,
                "revision": parked.revision,
                "method": "tools/call",
                "params": {"name": call.tool, "arguments": call.arguments},
                "started": call.started,
                "inputRequests": now.requests,
                "requestState": now.state,
                "inputResponses": dict(now.answers),
            },
        )
        if not kept:
            self._held.discard(call.id)

    async def all(self) -> list[ParkedCall]:
        """Everything that waits, oldest first. What is not readable any more is dropped."""
        found: list[ParkedCall] = []
        for key, content in (await self._files.all()).items():
            parked = _read(key, content)
            if parked is None:
                await self._files.drop(key)
            else:
                found.append(parked)
                self._held.add(key)
        return found

    async def clear(self) -> None:
        """Forget everything that waits; what is open now stays open."""
        self._held.clear()
        await self._files.clear()

    async def drop(self, call_id: str) -> None:
        """The call is over."""
        if call_id in self._held:
            self._held.discard(call_id)
            await self._files.drop(call_id)


def _read(key: str, content: JsonObject) -> ParkedCall | None:
    if content.get("method") != "tools/call":
        return None
    try:
        params, requests, answers = (
            cast("JsonObject", content[name]) for name in ("params", "inputRequests", "inputResponses")
        )
        call = CallRef(key, str(params["name"]), dict(params["arguments"]), float(content["started"]))
        now = Round(dict(requests), content["requestState"], dict(answers))
        return ParkedCall(str(content["server"]), str(content["fingerprint"]), str(content["revision"]), call, now)
    except (KeyError, TypeError, ValueError):
        return None
