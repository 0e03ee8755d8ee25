"""Wire requests as asks, in both eras alike."""

import uuid
from collections.abc import Callable, Coroutine
from typing import Any

from desktop_host.terms.asks import Answer, Ask, AskKind, JsonObject, Origin

Walk = Callable[[Ask], Coroutine[Any, Any, Answer]]
"""The corridor's `walk`."""

_KINDS = {"sampling/createMessage": AskKind.SAMPLING, "roots/list": AskKind.ROOTS}


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
