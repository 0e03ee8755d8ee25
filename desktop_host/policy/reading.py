"""Rules and policies of JSON: read strictly, every mistake named with its place, and nothing wider for it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from desktop_host.config.files import FileProblem, encodable, parse_json
from desktop_host.config.jsonc import Places, first_duplicate, line_and_column
from desktop_host.policy.rules import CapsPart, KeepPart, PolicyFile, Rule, RulesFile, json_name
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import Message, say

FileT = TypeVar("FileT", PolicyFile, RulesFile)

_STRICTEST: Mapping[str, Any] = {
    "version": 1,
    "caps": CapsPart(models=()),
    "keep": KeepPart(drafts=False, waiting_asks=False, values=False),
    "allowed_mcp_servers": (),
    "user_allow_rules": False,
}
STRICTEST = PolicyFile(caps=_STRICTEST["caps"], keep=_STRICTEST["keep"], user_allow_rules=False)
"""What stands for a file that cannot be read at all: nothing is allowed by it, and servers still start."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at a place of a file: a JSON pointer, and line and column from 1, 0 where the whole file is bad."""

    pointer: str
    line: int
    column: int
    message: Message


@dataclass(frozen=True, slots=True)
class Read(Generic[FileT]):
    """What a file says, and what is wrong with it. `narrowed`: something that restricts may be among what is wrong."""

    file: FileT
    problems: tuple[Problem, ...] = ()
    narrowed: bool = False


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def json_schema(kind: type[PolicyFile] | type[RulesFile]) -> dict[str, Any]:
    """The published JSON Schema of such a file (2020-12)."""
    title = "Desktop Host policy" if kind is PolicyFile else "Desktop Host rules"
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_without_titles(_adapter(kind).json_schema(by_alias=True)),
        "title": title,
    }


def _without_titles(schema: Any) -> Any:
    """Pydantic makes a title of each member's name, which says nothing more and reads worse."""
    if isinstance(schema, list):
        return [_without_titles(one) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, Any]", schema)
    return {name: _without_titles(one) for name, one in members.items() if name != "title"}


def rule_json(rule: Rule) -> dict[str, Any]:
    """A rule as JSON holds it, without what is as it is anyway."""
    return _adapter(Rule).dump_python(rule, mode="json", by_alias=True, exclude_defaults=True)


def policy_json(policy: PolicyFile) -> dict[str, Any]:
    """A policy as JSON holds it."""
    return {"version": policy.version} | _adapter(PolicyFile).dump_python(
        policy, mode="json", by_alias=True, exclude_defaults=True
    )


def read_rule(content: Any) -> Rule:
    """A rule of decoded JSON. Raises ValueError with what is wrong."""
    return _validated(Rule, content)


def read_policy(text: str, name: str) -> Read[PolicyFile]:
    """Read a policy. What is wrong in it counts as its strictest value, and the rest holds."""
    return _read(PolicyFile, text, name)


def read_rules(text: str, name: str) -> Read[RulesFile]:
    """Read the person's rules; the good ones hold whatever is wrong with others."""
    return _read(RulesFile, text, name)


def _read(kind: type[FileT], text: str, name: str) -> Read[FileT]:
    worst = cast("FileT", STRICTEST if kind is PolicyFile else RulesFile())
    try:
        content: Any = parse_json(text, name)
    except FileProblem as problem:
        values = problem.message.mapping
        place = int(values.get("line", 0)), int(values.get("column", 0))
        return Read(worst, (Problem("", *place, problem.message),), narrowed=True)
    if (twice := first_duplicate(text)) is not None:
        place = line_and_column(text, twice[1])
        return Read(worst, (Problem("", *place, say("policy.duplicate", name=twice[0])),), narrowed=True)
    if not isinstance(content, dict):
        return Read(worst, (Problem("", 1, 1, say("file.not_object", file=name)),), narrowed=True)
    body = cast("dict[str, Any]", content)
    version = body.get("version", 1)
    if isinstance(version, int) and not isinstance(version, bool) and version != 1:
        return Read(worst, (_problem(text, ("version",), say("policy.version", version=version)),), narrowed=True)
    spoilt = {path: _problem(text, path, say("file.not_utf8", file=name)) for path in _unwritable(body)}
    if isinstance(version, bool):  # pydantic takes it for a 1
        spoilt["version",] = _problem(text, ("version",), say("policy.bad_value", what="Input should be 1"))
    if spoilt:
        rules = [one for number, one in enumerate(body.get("rules", [])) if ("rules", str(number)) not in spoilt]
        good = {one: value for one, value in body.items() if (one,) not in spoilt} | {"rules": rules}
        rest = _read(kind, json.dumps(good), name)
        return Read(
            _stricter(rest.file, {path[0] for path in spoilt}), (*spoilt.values(), *rest.problems), narrowed=True
        )
    problems: list[Problem] = []
    try:
        file = cast("FileT", _validated(kind, body))
        narrowed = False
    except ValidationError as error:
        errors = error.errors()
        if any(one["type"] == "json_invalid" for one in errors):
            return Read(worst, (Problem("", 1, 1, say("policy.bad_value", what=str(errors[0]["msg"]))),), narrowed=True)
        problems += (_problem(text, map(str, one["loc"]), _words(one)) for one in errors)
        file, narrowed = _mended(kind, body, {str(one["loc"][0]) for one in errors if one["loc"]})
    return Read(file, (*problems, *_repeated(text, file)), narrowed)


def _mended(kind: type[FileT], body: dict[str, Any], bad: set[str]) -> tuple[FileT, bool]:
    """The good parts of a file, the strictest values for the bad ones; may something that restricts be missing?"""
    rules, narrowed = _good_rules(body.get("rules", []))
    parts = bad - {"rules"}
    good = {name: value for name, value in body.items() if name not in {*parts, "rules"}}
    file: FileT = _validated(kind, good)
    return _stricter(replace(file, rules=rules), parts), narrowed or bool(parts)


def _stricter(file: FileT, parts: set[str]) -> FileT:
    """A file with the strictest values for these parts."""
    if not isinstance(file, PolicyFile):
        return file
    strict = {name: value for name, value in _STRICTEST.items() if json_name(name) in parts}
    if "deniedMcpServers" in parts:
        strict["allowed_mcp_servers"] = ()  # nobody knows any more which ones are denied
    return replace(file, **strict)


def _unwritable(body: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The members, of `rules` the elements, that hold half a letter, as JSON can spell it."""
    for name, value in body.items():
        if name == "rules" and isinstance(value, list):
            listed = enumerate(cast("list[Any]", value))
            yield from ((name, str(number)) for number, one in listed if not encodable(one))
        elif not encodable({name: value}):
            yield (name,)


def _good_rules(listed: Any) -> tuple[tuple[Rule, ...], bool]:
    """The rules that can be read; does one that restricts, or may do so, stand among the others?"""
    if not isinstance(listed, list):
        return (), True
    rules, narrowed = list[Rule](), False
    for one in cast("list[Any]", listed):
        try:
            rules.append(_validated(Rule, one))
        except ValidationError:
            effect: Any = cast("dict[str, Any]", one).get("effect") if isinstance(one, dict) else None
            narrowed = narrowed or effect != Effect.ALLOW
    return tuple(rules), narrowed


def _repeated(text: str, file: PolicyFile | RulesFile) -> Iterator[Problem]:
    """Rules with the name of another; both hold."""
    seen: set[str] = set()
    for number, rule in enumerate(file.rules):
        if rule.id in seen:
            yield _problem(text, ("rules", str(number), "id"), say("policy.same_id", rule=rule.id))
        seen.add(rule.id)


def _validated(kind: Any, content: Any) -> Any:
    return _adapter(kind).validate_json(json.dumps(content), by_alias=True)


def _problem(text: str, path: Iterable[str], message: Message) -> Problem:
    whole = tuple(path)
    pointer = "".join(f"/{one.replace('~', '~0').replace('/', '~1')}" for one in whole)
    return Problem(pointer, *line_and_column(text, Places(text).of(*whole)), message)


def _words(error: Any) -> Message:
    """What pydantic says is for who writes the file; the commonest mistakes have sentences of ours."""
    match error["type"]:
        case "extra_forbidden" | "unexpected_keyword_argument":
            return say("policy.unknown_member", name=str(error["loc"][-1]))
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            return say("policy.missing_member", name=str(error["loc"][-1]))
        case _:
            return say("policy.bad_value", what=str(error["msg"]).removeprefix("Value error, "))
