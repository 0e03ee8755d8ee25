"""Wire requests as asks, in both eras alike."""

import uuid
from collections.abc import Callable, Coroutine
from typing import Any

from desktop_host.terms.asks import Answer, Ask, AskKind, JsonObject, Origin, Outcome
from desktop_host.terms.messages import Message, say

Walk = Callable[[Ask], Coroutine[Any, Any, Answer]]
"""The corridor's `walk`."""

_KINDS = {"sampling/createMessage": AskKind.SAMPLING, "roots/list": AskKind.ROOTS}


class Abandoned(Exception):
    """The call is over without a result: an ask was refused, or the server keeps asking. `message` says which."""

    def __init__(self, message: Message, outcome: Outcome = Outcome.REFUSED) -> None:
        super().__init__(message.key)
        self.message = message
        self.outcome = outcome


def abandoned(answer: Answer) -> Abandoned:
    """What to raise when an ask of a call was not accepted."""
    return Abandoned(answer.why or say(f"call.abandoned.{answer.outcome.value}"), answer.outcome)


def kind_of(method: str, params: JsonObject) -> AskKind | None:
    """The kind of a request; None for what we did not declare. No mode means form (ELF-04)."""
    if method != "elicitation/create":
        return _KINDS.get(method)
    return {"form": AskKind.FORM, "url": AskKind.URL}.get(str(params.get("mode", "form")))


def make_ask(
    kind: AskKind,
    origin: Origin,
    params: JsonObject,
    *,
    errors_travel: bool,
    waits: bool = False,
    repeated: bool = False,
) -> Ask:
    """An ask with an id of ours."""
    return Ask(uuid.uuid4().hex, kind, origin, params, waits, repeated, errors_travel)
