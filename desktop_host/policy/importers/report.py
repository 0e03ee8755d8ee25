"""What a translation is made of: rules, and for each line of the original what became of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from desktop_host.config.files import FileProblem, parse_json
from desktop_host.policy.rules import Kind, PolicyFile, Rule, ServerMatch, When
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import Message, say


@dataclass(frozen=True, slots=True)
class Line:
    """One statement of the original. `became` is "allow", "ask", "deny", "kept" or "dropped"; `why` where it is not the
    same. `rule` is the id of the rule that it became, "" where it became none."""

    pointer: str
    text: str
    became: str
    rule: str = ""
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
        self.report.append(Line(pointer, text, effect.value, rule_id, why))

    def line(self, pointer: str, text: object, became: str, why: Message | None = None) -> None:
        """Account for something that became no rule."""
        self.report.append(Line(pointer, str(text), became, "", why))


def json_object(text: str) -> dict[str, Any]:
    """The object a text holds, with comments and trailing commas. Raises FileProblem."""
    content: Any = parse_json(text, "the file")
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
