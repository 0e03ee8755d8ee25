"""What a translation is made of: rules, and for each line of the original what became of it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from desktop_host.config.files import FileProblem, encodable, parse_json
from desktop_host.policy.rules import Kind, PolicyFile, Rule, ServerMatch, When
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import Message, say


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of the original. `became` is "allow", "ask", "deny", "kept" or "dropped"; `why` where it is not the
    same. `rules` are the ids of the rules that it became, several where it can be read in several ways."""

    pointer: str
    text: str
    became: str
    rules: tuple[str, ...] = ()
    why: Message | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """A policy of ours, and what became of each line of the original."""

    policy: PolicyFile
    report: tuple[Line, ...]


@dataclass(slots=True)
class Draft:
    """A translation on its way."""

    prefix: str
    rules: list[Rule] = field(default_factory=list[Rule])
    report: list[Line] = field(default_factory=list[Line])

    def rule(
        self,
        pointer: str,
        text: str,
        effect: Effect,
        server: str = "",
        tool: str = "",
        *,
        kind: Kind = Kind.TOOL_CALL,
        why: Message | None = None,
        reason: str = "",
    ) -> None:
        """Add a rule about calls of tools, of a server by its name where one is given."""
        match = ServerMatch(server_name=server) if server else None
        rule_id = f"{self.prefix}-{len(self.rules) + 1}"
        self.rules.append(Rule(rule_id, effect, (kind,), When(server=match, tool=tool or None), reason=reason))
        last = self.report[-1] if self.report else None
        if last is not None and last.rules and (last.pointer, last.text) == (pointer, text):
            self.report[-1] = replace(last, rules=(*last.rules, rule_id))  # another way to read the same line
        else:
            self.report.append(Line(pointer, text, effect.value, (rule_id,), why))

    def line(self, pointer: str, text: object, became: str, why: Message | None = None) -> None:
        """Account for something that became no rule."""
        self.report.append(Line(pointer, str(text), became, why=why))


def json_object(text: str) -> dict[str, Any]:
    """The object a text holds, with comments and trailing commas. Raises FileProblem."""
    content: Any = parse_json(text, "the file")
    if not encodable(content):
        raise FileProblem(say("file.not_utf8", file="the file"))
    if not isinstance(content, dict):
        raise FileProblem(say("file.not_object", file="the file"))
    return cast("dict[str, Any]", content)


def texts(value: Any) -> list[str] | None:
    """A list of texts, None where it is anything else."""
    if not isinstance(value, list):
        return None
    listed = cast("list[object]", value)
    return [one for one in listed if isinstance(one, str)] if all(isinstance(one, str) for one in listed) else None


def elements(value: Any) -> Iterator[tuple[int, object]]:
    """The elements of a list with their numbers; none of anything else."""
    if isinstance(value, list):
        yield from enumerate(cast("list[object]", value))


def members(value: Any) -> Mapping[str, Any]:
    """The members of an object; none of anything else."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else dict[str, Any]()


def escaped(name: str) -> str:
    """A member's name in a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def literal(name: str, *, stars: bool = False) -> str:
    """A name as a glob that is this name and no other; with `stars` its `*` stand for anything, as they did."""
    escaped_name = re.sub(r"[\[?]", lambda found: f"[{found.group()}]", name)
    return escaped_name if stars else re.sub(r"\*", "[*]", escaped_name)


def literal_url(url: str) -> str | None:
    """An exact address as a pattern that is this address and no other; None where it cannot be one."""
    scheme, colon, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    if not colon or not host or any(one in scheme + host for one in "*[?") or "?" in path or "#" in path:
        return None
    return f"{scheme}://{host}{slash}{literal(path)}"


def denying_url(pattern: str) -> str:
    """A pattern of addresses that covers at least what another's does: a missing path, port or scheme is any."""
    whole = re.sub(r"\$\{[^}]*\}", "*", pattern)
    scheme, colon, rest = whole.partition("://")
    if not colon:
        scheme, rest = "*", whole
    host, slash, path = rest.partition("/")
    bare = host.rpartition("@")[2]
    port = bare.rpartition(":")[2] if ":" in bare and not bare.endswith("]") else ""
    named = port == "*" or port.isdigit()
    host = (bare or "*") if named else f"{bare or '*'}:*"
    path = path.partition("?")[0].partition("#")[0]
    return f"{literal(scheme, stars=True)}://{host}/{literal(path, stars=True) if slash else '*'}"
