"""What rules are held against: what an ask is, as far as this program knows it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

from desktop_host.policy.rules import Kind
from desktop_host.terms.asks import JsonObject

_LISTS, _NUMBERS = ("content_types", "fields"), ("max_tokens", "prompt_tokens")
"""The facts that may not be known and are no yes or no."""
_END_OF_TIME = 1e11


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """A server by what it is; `name` is what the person calls it, `program` what its command was found to run.

    `known`: this very server was approved before.
    """

    name: str = ""
    command: tuple[str, ...] = ()
    url: str = ""
    fingerprint: str = ""
    known: bool = True
    program: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """An ask, or one step of a sampling review. None and empty texts are what is not known or does not apply.

    `tools` are those whose call may have caused it, several where the wire cannot tell. `models` are the names of the
    model it would go to. `reviewed`: of an answer, whether the person saw its request. `at` is an epoch time.
    """

    kind: Kind
    server: ServerFacts = field(default_factory=ServerFacts)
    tools: tuple[str, ...] = ()
    tool_digest: str = ""
    tool_changed: bool = False
    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    models: tuple[str, ...] = ()
    max_tokens: int | None = None
    prompt_tokens: int | None = None
    has_tools: bool | None = None
    content_types: tuple[str, ...] | None = None
    secrets_found: bool | None = None
    personal_found: bool | None = None
    fields: tuple[str, ...] | None = None
    credential_fields: bool | None = None
    url_scheme: str = ""
    url_host: str = ""
    look_alike: bool | None = None
    reviewed: bool = True
    at: float = field(default_factory=time.time)

    def as_json(self) -> JsonObject:
        """For the record, without what is as it is anyway. Nothing of it is a secret: no values, only what kind."""
        server = self.server
        about = {
            "name": server.name,
            "command": list(server.command),
            "url": server.url,
            "fingerprint": server.fingerprint,
            "known": server.known,
            **({"program": server.program} if server.program else {}),
        }
        told = {name: value for name, empty in _EMPTY if (value := getattr(self, name)) != empty}
        return {"kind": self.kind.value, "server": about, **told}


_NOTHING = Facts(Kind.CONNECT, at=0.0)
_EMPTY = tuple((one.name, getattr(_NOTHING, one.name)) for one in fields(Facts) if one.name not in ("kind", "server"))
"""What is not told of an ask, by the names of the facts."""


def facts_of(content: object) -> Facts | None:
    """Facts out of the record, None where they are of another version or none were kept."""
    if not isinstance(content, Mapping):
        return None
    body = dict(cast("Mapping[str, Any]", content))
    try:
        kind, server = Kind(body.pop("kind")), dict(cast("Mapping[str, Any]", body.pop("server")))
        empty, nobody = Facts(kind), ServerFacts()
        known: dict[str, Any] = {name: _fitting(value, getattr(nobody, name), name) for name, value in server.items()}
        told: dict[str, Any] = {name: _fitting(value, getattr(empty, name), name) for name, value in body.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return replace(empty, server=replace(nobody, **known), **told)


def _fitting(value: object, default: object, name: str) -> object:
    """A value that has the type of this fact. Raises ValueError."""
    if isinstance(default, tuple) or name in _LISTS:
        if value is None and default is None:
            return None
        if isinstance(value, list | tuple):
            texts = cast("Sequence[object]", value)
            if all(isinstance(one, str) for one in texts):
                return tuple(texts)
    elif isinstance(default, bool | str):
        if type(value) is type(default):
            return value
    elif isinstance(default, float):
        if isinstance(value, int | float) and 0 <= value < _END_OF_TIME:
            return float(value)
    elif value is None or type(value) is (int if name in _NUMBERS else bool):
        return value
    raise ValueError(name)
