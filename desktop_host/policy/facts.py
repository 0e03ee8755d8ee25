"""What rules are held against: what an ask is, as far as this program knows it."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, cast

from desktop_host.policy.rules import Kind
from desktop_host.terms.asks import JsonObject


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """A server by what it is; `name` is what the person calls it. `known`: this very server was approved before."""

    name: str = ""
    command: tuple[str, ...] = ()
    url: str = ""
    fingerprint: str = ""
    known: bool = True


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
        empty = Facts(self.kind, at=0.0)
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("kind", "server")}
        told = {name: value for name, value in own.items() if value != getattr(empty, name)}
        return {"kind": self.kind.value, "server": asdict(self.server), **told}


def facts_of(content: object) -> Facts | None:
    """Facts out of the record, None where they are of another version or none were kept."""
    if not isinstance(content, Mapping):
        return None
    body = dict(cast("Mapping[str, Any]", content))
    try:
        kind, server = Kind(body.pop("kind")), dict(body.pop("server"))
        server["command"] = tuple(server.get("command", ()))
        told = {
            name: tuple(cast("list[Any]", value)) if isinstance(value, list) else value for name, value in body.items()
        }
        return replace(Facts(kind, ServerFacts(**server)), **told)
    except (KeyError, TypeError, ValueError):
        return None
