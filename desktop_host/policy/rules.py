"""The rule model, one for administrators and for the person (DESIGN.md section 6): typed, closed, without expressions.

`reading` makes these of JSON and publishes their schema; members are called in JSON as `json_name` says.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo

from annotated_types import Gt, MinLen

from desktop_host.terms.asks import Effect, Obligations

VERSION = 1
_CLOCK = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
_HOST = re.compile(r"(?:\*\.)?[^*?\[\]/:@\s]+")

Positive = Annotated[int, Gt(0)]
Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def json_name(name: str) -> str:
    """What a member is called in JSON: `max_tokens_le` is `maxTokensLE`."""
    if name == "schema":
        return "$schema"
    first, *rest = name.split("_")
    return first + "".join("LE" if one == "le" else one.capitalize() for one in rest)


_JSON: Mapping[str, Any] = {"extra": "forbid", "strict": True, "alias_generator": json_name}
"""How pydantic reads what follows; what is inside a rule or a file is read like it."""


class Kind(StrEnum):
    """What a rule can be about."""

    CONNECT = "server.connect"
    TOOL_CALL = "tool.call"
    REQUEST = "sampling.request"
    RESPONSE = "sampling.response"
    FORM = "elicitation.form"
    LINK = "elicitation.url"
    ROOTS = "roots.list"


@dataclass(frozen=True, slots=True)
class ServerMatch:
    """A server by what it is: its whole command, or its address with `*` in host or path; all that is given must hold.

    `fingerprint` is the digest of everything that decides what runs. `server_name` is the person's name for it: it is
    no identity, and only rules that restrict may use it.
    """

    server_command: Annotated[tuple[str, ...], MinLen(1)] | None = None
    server_url: str | None = None
    server_name: str | None = None
    fingerprint: str | None = None

    def __post_init__(self) -> None:
        if not (self.certain or self.server_name):
            raise ValueError("names no server")

    @property
    def certain(self) -> bool:
        """It says what the server is, not only what somebody calls it."""
        return bool(self.server_command or self.server_url or self.fingerprint)


@dataclass(frozen=True, slots=True)
class Hours:
    """From `start` to `end` of these days in a time zone; past midnight where the end is not after the start."""

    start: str
    end: str
    days: tuple[Day, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    tz: str = "UTC"

    def __post_init__(self) -> None:
        for value in (self.start, self.end):
            if not _CLOCK.fullmatch(value):
                raise ValueError(f"{value!r} is no time of day such as 09:00")
        try:
            ZoneInfo(self.tz)
        except (KeyError, OSError, ValueError):  # a zone that is not there is a KeyError
            raise ValueError(f"{self.tz!r} is no time zone") from None


@dataclass(frozen=True, slots=True)
class When:
    """What must hold for a rule to fit; without any member it always does.

    `tool` and `model_in` are globs. `content_types` and `fields_subset_of`: nothing else may be in the request.
    `url_host` is a host, or `*.` and a domain. The hints are the server's own words about its tool.
    """

    server: ServerMatch | None = None
    tool: str | None = None
    tool_digest: str | None = None
    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    model_in: Annotated[tuple[str, ...], MinLen(1)] | None = None
    max_tokens_le: Positive | None = None
    prompt_tokens_le: Positive | None = None
    has_tools: bool | None = None
    content_types: tuple[str, ...] | None = None
    secrets_found: bool | None = None
    personal_found: bool | None = None
    fields_subset_of: tuple[str, ...] | None = None
    credential_fields: bool | None = None
    url_scheme: str | None = None
    url_host: str | None = None
    look_alike: bool | None = None
    hours: Hours | None = None

    def __post_init__(self) -> None:
        if self.url_host is not None and not _HOST.fullmatch(self.url_host):
            raise ValueError("urlHost is a host, or *. and a domain")


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `count` times in `per_seconds`."""

    count: Positive
    per_seconds: Positive


@dataclass(frozen=True, slots=True)
class Rule:
    """What happens to asks of some kinds. `reason` is shown to whoever meets the rule."""

    __pydantic_config__: ClassVar = _JSON
    id: Annotated[str, MinLen(1)]
    effect: Effect
    kinds: Annotated[tuple[Kind, ...], MinLen(1)]
    when: When = field(default_factory=When)
    rate: Rate | None = None
    expires: datetime | None = None
    reason: str = ""
    obligations: Obligations | None = None

    def __post_init__(self) -> None:
        if self.expires is not None and self.expires.tzinfo is None:
            raise ValueError("expires needs a time zone, such as Z at its end")
        if self.effect is Effect.ALLOW:
            server = self.when.server
            if server is not None and not server.certain:
                raise ValueError("a rule that allows names a server by its command or address, not by its name alone")
            hinted = self.when.read_only_hint is not None or self.when.destructive_hint is not None
            if hinted and server is None:
                raise ValueError("a rule that allows takes hints only of servers it names")
        elif self.rate is not None or self.obligations is not None:
            raise ValueError("rate and obligations belong to a rule that allows")


@dataclass(frozen=True, slots=True)
class CapsPart:
    """What administrators let models and servers use; None where the file does not say."""

    max_tokens: Positive | None = None
    models: tuple[str, ...] | None = None
    sampling_per_minute_per_server: Positive | None = None
    requests_per_minute_per_server: Positive | None = None
    waiting_per_server: Positive | None = None
    tokens_per_day_per_server: Positive | None = None
    cost_per_day_per_server: Annotated[float, Gt(0)] | None = None


@dataclass(frozen=True, slots=True)
class KeepPart:
    """What may be kept on this computer: drafts, waiting asks, and what people entered, in the record."""

    drafts: bool = True
    waiting_asks: bool = True
    values: bool = True


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """A file of an administrator. `servers` has the shape of `mcpServers`; None of a list says nothing about it.

    `schema` is for editors.
    """

    __pydantic_config__: ClassVar = _JSON
    schema: str = ""
    version: Literal[1] = VERSION
    caps: CapsPart = field(default_factory=CapsPart)
    keep: KeepPart = field(default_factory=KeepPart)
    allowed_mcp_servers: tuple[ServerMatch, ...] | None = None
    denied_mcp_servers: tuple[ServerMatch, ...] = ()
    user_allow_rules: bool = True
    rules: tuple[Rule, ...] = ()
    servers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])


@dataclass(frozen=True, slots=True)
class RulesFile:
    """The person's rules."""

    __pydantic_config__: ClassVar = _JSON
    schema: str = ""
    version: Literal[1] = VERSION
    rules: tuple[Rule, ...] = ()
