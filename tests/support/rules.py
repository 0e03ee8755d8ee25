"""Rules as tests write them, and what became of the asks they are about."""

from typing import Any

import pytest

from desktop_host.policy.policies import Policies
from desktop_host.terms.state import CallState
from tests.support.person import ScriptedPerson
from tests.support.policy import laid_down
from tests.support.wire import Json, RawServer, Wire

eras = pytest.mark.parametrize("era", ["handshake", "modern"])
layers = pytest.mark.parametrize("layer", ["managed", "user"])
SAMPLING_KINDS = ("sampling.request", "sampling.response")
_ASKED = {
    "FormQuestion": "form",
    "LinkQuestion": "link",
    "RequestQuestion": "request",
    "ResponseQuestion": "response",
    "RootsQuestion": "roots",
    "ConnectQuestion": "connect",
    "ToolQuestion": "tool",
}


def rule(effect: str, *kinds: str, **members: Any) -> Json:
    """A rule as a file holds it."""
    return {"id": "the rule", "effect": effect, "kinds": list(kinds), **members}


def argv(server: RawServer) -> list[str]:
    """The whole command of a server."""
    return [server.entry.command, *server.entry.args]


def of(server: RawServer, **conditions: Any) -> Json:
    """The conditions of a rule about this very server."""
    return {"server": {"serverCommand": argv(server)}, **conditions}


def by(layer: str, *rules: Json) -> Policies:
    """A computer with these rules, of its administrator ("managed") or of the person ("user")."""
    return laid_down({"rules": rules}) if layer == "managed" else laid_down(rules=list(rules))


def by_both(*rules: Json) -> Policies:
    """A computer on which the administrator and the person have laid down the same."""
    return laid_down({"rules": rules}, list(rules))


def asked(person: ScriptedPerson) -> list[str]:
    """The kinds of the questions that the person got, in order."""
    return [_ASKED[type(question).__name__] for question in person.questions]


def given(server: RawServer) -> list[Any]:
    """What a server of either era got for its asks: results, and errors as they are."""
    calls = (call["params"] for call in server.received("tools/call"))
    retried = [answer for params in calls for answer in params.get("inputResponses", {}).values()]
    return [*(one["result"] if "result" in one else one["error"] for one in server.answers()), *retried]


async def called(wire: Wire, person: ScriptedPerson, server: RawServer, **options: Any) -> tuple[CallState, Json]:
    """One call of a run: how it ended, and what the record says of its ask."""
    async with wire.run(person, server, **options) as host:
        call = await wire.call()
        [entry] = await host.log.entries()
    return call, entry


def counting(decision: Json) -> list[Json]:
    """The steps of a recorded decision that count."""
    return [step for step in decision["steps"] if step["counts"]]


def passed_over(decision: Json) -> list[Json]:
    """The steps of a recorded decision that do not count."""
    return [step for step in decision["steps"] if not step["counts"]]


def keys(messages: list[Json]) -> list[str]:
    """The keys of recorded sentences."""
    return [message["key"] for message in messages]
