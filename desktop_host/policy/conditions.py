"""Each condition a rule can have: what it needs to know, whether it holds, and what is said of it."""

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from typing import Any, cast
from urllib.parse import unquote, urljoin, urlsplit
from zoneinfo import ZoneInfo

import idna

from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.rules import Hours, Kind, ServerMatch, When
from desktop_host.terms.messages import Message, say

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_PORTS = {"http": 80, "https": 443}
_OCTET = re.compile(r"%([0-9A-Fa-f]{2})")
_SAMPLING = frozenset((Kind.REQUEST, Kind.RESPONSE))
_CALLS = frozenset(Kind) - {Kind.CONNECT}
_TOOL = frozenset((Kind.TOOL_CALL,))
_FORM, _LINK = frozenset((Kind.FORM,)), frozenset((Kind.LINK,))

Holds = Callable[[Any, Facts], bool | None]


@dataclass(frozen=True, slots=True)
class Condition:
    """A member of `When`. `holds` tells whether what a rule wants is so, None where that is not known.

    It can only hold for asks of `kinds`. `holds_all`: as a rule that allows has it, for which every possibility must be
    as wanted; None: the same.
    """

    name: str
    kinds: frozenset[Kind]
    holds: Holds
    actual: Callable[[Facts], str | int]
    holds_all: Holds | None = None


def glob_matches(text: str, glob: str) -> bool:
    """A text is as in a pattern with `*`, `?` and `[...]`."""
    return _compiled(glob)(text) is not None


@cache
def _compiled(glob: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(translate(glob)).match


def _server(wanted: ServerMatch, facts: Facts) -> bool | None:
    return server_matches(wanted, facts.server)


def server_matches(wanted: ServerMatch, server: ServerFacts) -> bool:
    """A server is what is wanted, in everything that is said of it."""
    return (
        (wanted.server_command is None or wanted.server_command == server.command)
        and (wanted.server_url is None or url_matches(wanted.server_url, server.url))
        and (wanted.server_name is None or _plain_name(wanted.server_name) == _plain_name(server.name))
        and (wanted.fingerprint is None or wanted.fingerprint == server.fingerprint)
    )


def _plain_name(name: str) -> str:
    """A server's name as other programs write it in rules; only rules that restrict go by names."""
    return re.sub(r"[^a-z0-9-]", "_", name.casefold())


def url_matches(pattern: str, url: str) -> bool:
    """An address is as in a pattern; a `*` in the host stays in the host. Case counts in the path alone."""
    wanted, found = _parts(pattern, glob=True), _parts(url)
    if wanted is None or found is None:
        return False
    return all(glob_matches(one, glob) for one, glob in zip(found, wanted, strict=True))


def _parts(url: str, *, glob: bool = False) -> tuple[str, str, str, str] | None:
    """Scheme, host, port and path as they are contacted, or of a pattern (`glob`); None where it is no address."""
    scheme, colon, rest = url.partition("://")
    if not colon:
        return None
    authority = re.split(r"[/\\]" if glob else r"[/\\?#]", rest, maxsplit=1)[0]
    path = rest[len(authority) :]
    host, port = _host_and_port(authority.rpartition("@")[2])
    scheme = scheme.casefold()
    if not glob:
        plain = re.sub("%2e", ".", re.split("[?#]", path, maxsplit=1)[0], flags=re.IGNORECASE)
        path = urlsplit(urljoin("http://host/", f"./{plain}" if plain.startswith("//") else plain)).path
    return scheme, _plain_host(host), port or str(_PORTS.get(scheme, "")), _OCTET.sub(_plain_octet, path) or "/"


def _plain_octet(match: re.Match[str]) -> str:
    """What need not have been written as an octet is the same when it was (RFC 3986, 6.2.2.2)."""
    letter = chr(int(match[1], 16))
    return letter if letter.isascii() and (letter.isalnum() or letter in "-._~") else match[0].upper()


def _host_and_port(authority: str) -> tuple[str, str]:
    if authority.startswith("["):
        host, _, port = authority.partition("]")
        return host.removeprefix("["), port.removeprefix(":")
    host, _, port = authority.partition(":")
    return host, port


def _plain_host(host: str) -> str:
    """A host as it is contacted, label by label; a label with a `*` stays."""
    labels = unquote(host).lower().rstrip(".").split(".")  # what folds case further is another host: faß.de
    return ".".join(map(_plain_label, labels))


def _plain_label(label: str) -> str:
    if label.isascii():
        return label
    try:
        return idna.encode(label, uts46=True).decode("ascii")
    except idna.IDNAError:
        return label


def host_matches(wanted: str, host: str) -> bool:
    """A host is this one, or with `*.` in front below this domain."""
    plain, pattern = _plain_host(host), wanted.lower().rstrip(".")
    if pattern.startswith("*."):
        return plain.endswith("." + _plain_host(pattern[2:]))
    return plain == _plain_host(pattern)


def _globs(wanted: Sequence[str], names: Sequence[str]) -> bool:
    return any(glob_matches(name.casefold(), glob.casefold()) for name in names for glob in wanted)


def _any_tool(wanted: str, facts: Facts) -> bool | None:
    return any(glob_matches(tool, wanted) for tool in facts.tools) if facts.tools else None


def _all_tools(wanted: str, facts: Facts) -> bool | None:
    return all(glob_matches(tool, wanted) for tool in facts.tools) if facts.tools else None


def _same(name: str) -> Holds:
    def holds(wanted: Any, facts: Facts) -> bool | None:
        found = getattr(facts, name)
        return None if found in (None, "") else found == wanted

    return holds


def _at_most(name: str) -> Holds:
    def holds(wanted: int, facts: Facts) -> bool | None:
        found: int | None = getattr(facts, name)
        return None if found is None else found <= wanted

    return holds


def _only(name: str) -> Holds:
    def holds(wanted: Sequence[str], facts: Facts) -> bool | None:
        found: Sequence[str] | None = getattr(facts, name)
        return None if found is None else set(found) <= set(wanted)

    return holds


def _model(wanted: Sequence[str], facts: Facts) -> bool | None:
    return _globs(wanted, facts.models) if facts.models else None


def _host(wanted: str, facts: Facts) -> bool | None:
    return host_matches(wanted, facts.url_host) if facts.url_host else None


def _hours(wanted: Hours, facts: Facts) -> bool:
    now = dt.datetime.fromtimestamp(facts.at, ZoneInfo(wanted.tz))
    clock, day = f"{now:%H:%M}", now.weekday()
    if wanted.start < wanted.end:
        return _DAYS[day] in wanted.days and wanted.start <= clock < wanted.end
    begun = day if clock >= wanted.start else day - 1  # it began yesterday and goes on past midnight
    return _DAYS[begun] in wanted.days and (clock >= wanted.start or clock < wanted.end)


def _shown(name: str) -> Callable[[Facts], str | int]:
    def actual(facts: Facts) -> str | int:
        value: Any = getattr(facts, name)
        if isinstance(value, tuple):
            return ", ".join(cast("tuple[str, ...]", value))
        return value if isinstance(value, int) else str(value or "")

    return actual


def _identity(facts: Facts) -> str:
    return facts.server.url or " ".join(facts.server.command) or facts.server.name


def _clock(facts: Facts) -> str:
    return f"{dt.datetime.fromtimestamp(facts.at, dt.UTC):%Y-%m-%d %H:%M} UTC"


CONDITIONS = {
    one.name: one
    for one in (
        Condition("server", frozenset(Kind), _server, _identity),
        Condition("tool", _CALLS, _any_tool, _shown("tools"), _all_tools),
        Condition("tool_digest", _TOOL, _same("tool_digest"), _shown("tool_digest")),
        Condition("read_only_hint", _TOOL, _same("read_only_hint"), _shown("read_only_hint")),
        Condition("destructive_hint", _TOOL, _same("destructive_hint"), _shown("destructive_hint")),
        Condition("model_in", _SAMPLING, _model, lambda facts: facts.models[0] if facts.models else ""),
        Condition("max_tokens_le", _SAMPLING, _at_most("max_tokens"), _shown("max_tokens")),
        Condition("prompt_tokens_le", _SAMPLING, _at_most("prompt_tokens"), _shown("prompt_tokens")),
        Condition("has_tools", _SAMPLING, _same("has_tools"), _shown("has_tools")),
        Condition("content_types", _SAMPLING, _only("content_types"), _shown("content_types")),
        Condition("secrets_found", _SAMPLING, _same("secrets_found"), _shown("secrets_found")),
        Condition("personal_found", _SAMPLING, _same("personal_found"), _shown("personal_found")),
        Condition("fields_subset_of", _FORM, _only("fields"), _shown("fields")),
        Condition("credential_fields", _FORM, _same("credential_fields"), _shown("credential_fields")),
        Condition("url_scheme", _LINK, _same("url_scheme"), _shown("url_scheme")),
        Condition("url_host", _LINK, _host, _shown("url_host")),
        Condition("look_alike", _LINK, _same("look_alike"), _shown("look_alike")),
        Condition("hours", frozenset(Kind), _hours, _clock),
    )
}
"""In the order in which they are told."""


def wanted_of(when: When) -> list[tuple[Condition, Any]]:
    """The conditions a rule has, with what it wants of each."""
    found = ((one, getattr(when, name)) for name, one in CONDITIONS.items())
    return [(one, wanted) for one, wanted in found if wanted is not None]


def told(condition: Condition, wanted: Any, facts: Facts) -> Message:
    """What was there and what a rule wants of it."""
    name = condition.name
    if isinstance(wanted, bool):
        found: bool | None = getattr(facts, name)
        return say("why.unknown") if found is None else say(f"why.{name}.{'yes' if found else 'no'}")
    return say(f"why.{name}", wanted=_plain(wanted), actual=condition.actual(facts))


def _plain(wanted: Any) -> str | int:
    match wanted:
        case int() | str():
            return wanted
        case Hours():
            return f"{wanted.start}-{wanted.end} {wanted.tz}, {' '.join(wanted.days)}"
        case ServerMatch():
            parts = (wanted.server_url, " ".join(wanted.server_command or ()), wanted.server_name)
            return ", ".join(part for part in parts if part) or (wanted.fingerprint or "")[:12]
        case _:
            return ", ".join(cast("tuple[str, ...]", wanted))


def in_utc(moment: dt.datetime) -> str:
    """A moment as sentences have it."""
    return f"{moment.astimezone(dt.UTC):%Y-%m-%d %H:%M}"


def in_words(name: str, wanted: Any) -> Message:
    """A condition as part of a sentence: "for up to 1,000 tokens"."""
    if isinstance(wanted, bool):
        return say(f"when.{name}.{'yes' if wanted else 'no'}")
    return say(f"when.{name}", wanted=_plain(wanted))
