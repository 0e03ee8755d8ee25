"""One property of a requested schema as a field a person can fill (ELF-27 to ELF-44)."""

import json
import math
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, cast

from desktop_host.elicitation.schema import plain_shape
from desktop_host.terms.asks import JsonObject

UNSET = object()
"""No default at all; None is a value a server may have meant."""

MOST_OPTIONS = 20_000
"""Choices that a form may offer in all; more of them would be drawn for ever."""
_ANNOTATIONS = frozenset(
    [
        "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "enumNames",
        "$comment", "$schema", "$id", "$anchor", "$defs", "definitions",
        "contentEncoding", "contentMediaType", "contentSchema",
    ]
)  # fmt: skip
_CONSTRAINTS: dict[str, frozenset[str]] = {
    "string": frozenset(["type", "minLength", "maxLength", "pattern", "format", "const"]),
    "number": frozenset(
        ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "format"]
    ),
    "integer": frozenset(
        ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "format"]
    ),
    "boolean": frozenset(["type", "const"]),
    "array": frozenset(["type", "items", "minItems", "maxItems", "uniqueItems"]),
}


class FieldKind(StrEnum):
    """What a field holds. `JSON` is the way out for whatever cannot be drawn: nothing is ever dropped."""

    TEXT = "text"
    DATE = "date"
    DATE_TIME = "date-time"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    CHOICES = "choices"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Option:
    """A choice: what is sent and what is shown. Labels of one field are unique."""

    value: Any
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field. `schema` is the resolved schema it is checked against; `default` is UNSET or a value that fits it.

    `bad_default`: the server's default does not fit its own schema and was left out (ELF-40). `undrawn`: why it is a
    JSON editor, as a message key, "" otherwise.
    """

    name: str
    kind: FieldKind
    title: str
    description: str
    required: bool
    schema: JsonObject
    default: Any = UNSET
    options: tuple[Option, ...] = ()
    bad_default: bool = False
    undrawn: str = ""

    @property
    def has_default(self) -> bool:
        """A usable default came with the field."""
        return self.default is not UNSET

    @property
    def pattern(self) -> str:
        """The ECMA-262 pattern it must match, or ""."""
        found = self.schema.get("pattern")
        return found if isinstance(found, str) else ""

    @property
    def format(self) -> str:
        """The format it must have, or ""; unknown formats are annotations only (ELF-31)."""
        found = self.schema.get("format")
        return found if isinstance(found, str) else ""

    @property
    def numeric(self) -> bool:
        """It holds a number."""
        return self.kind in (FieldKind.NUMBER, FieldKind.INTEGER)


def read_field(name: str, raw: object, required: bool, document: JsonObject, room: int = MOST_OPTIONS) -> Field:
    """Read one property. Never raises: what is not understood, or has over `room` choices, becomes a JSON field."""
    if not isinstance(raw, dict):
        return Field(name, FieldKind.JSON, name, "", required, {}, undrawn="form.undrawn.not_object")
    schema, trouble = plain_shape(cast("JsonObject", raw), document)
    title, description = _text(schema, "title") or name, _text(schema, "description")
    base = Field(name, FieldKind.JSON, title, description, required, schema)
    if not trouble and _count(schema, document) > room:
        trouble = "form.undrawn.too_many"
    if trouble:
        return replace(base, undrawn=trouble)
    kind, options = _kind(schema, document)
    if kind is FieldKind.JSON:
        return _with_default(replace(base, undrawn="form.undrawn.shape"))
    return _with_default(replace(base, kind=kind, options=options))


def _count(schema: JsonObject, document: JsonObject) -> int:
    """How many choices a schema offers, without reading them."""
    items = schema.get("items")
    inner = plain_shape(cast("JsonObject", items), document)[0] if isinstance(items, dict) else {}
    lists = (part.get(key) for part in (schema, inner) for key in ("enum", "oneOf", "anyOf"))
    return max((len(cast("list[Any]", one)) for one in lists if isinstance(one, list)), default=0)


def _kind(schema: JsonObject, document: JsonObject) -> tuple[FieldKind, tuple[Option, ...]]:
    options = _options(schema)
    declared = schema.get("type")
    if options is not None:
        drawable = _only(schema, {"type", "enum", "oneOf", "anyOf", "const"}) and declared not in (
            "array",
            "object",
        )
        return (FieldKind.CHOICE if drawable else FieldKind.JSON), options
    if declared == "array":
        items = schema.get("items")
        inner, trouble = plain_shape(cast("JsonObject", items), document) if isinstance(items, dict) else ({}, "")
        options = _options(inner)
        if options is not None and not trouble and _only(schema, _CONSTRAINTS["array"]):
            return FieldKind.CHOICES, options
        return FieldKind.JSON, ()
    if not isinstance(declared, str) or declared not in _CONSTRAINTS or not _only(schema, _CONSTRAINTS[declared]):
        return FieldKind.JSON, ()
    if declared == "string":
        by_format = {"date": FieldKind.DATE, "date-time": FieldKind.DATE_TIME}
        return by_format.get(_text(schema, "format"), FieldKind.TEXT), ()
    return FieldKind(declared), ()


def _only(schema: JsonObject, known: set[str] | frozenset[str]) -> bool:
    return all(key in known or key in _ANNOTATIONS or key.startswith("x-") for key in schema)


def _options(schema: JsonObject) -> tuple[Option, ...] | None:
    """The choices of the five enum shapes (X-08, X-10) or of a constant, or None where the schema offers none."""
    only = schema.get("const")
    values = schema.get("enum") or ([only] if only is not None and not isinstance(only, bool) else None)
    if isinstance(values, list) and values:
        offered = cast("list[Any]", values)
        names: Any = schema.get("enumNames")
        fits = isinstance(names, list) and len(cast("list[Any]", names)) == len(offered)
        labels = [str(label) for label in cast("list[Any]", names)] if fits else [_shown(value) for value in offered]
        pairs = [(value, label) for value, label in zip(offered, labels, strict=True) if value is not None]
        return _unique([value for value, _ in pairs], [label for _, label in pairs])
    for key in ("oneOf", "anyOf"):
        branches = schema.get(key)
        if not isinstance(branches, list) or not branches:
            continue
        entries = [cast("JsonObject", branch) for branch in cast("list[Any]", branches) if isinstance(branch, dict)]
        if len(entries) == len(cast("list[Any]", branches)) and all("const" in entry for entry in entries):
            entries = [entry for entry in entries if entry["const"] is not None]
            labels = [_text(entry, "title") or _shown(entry["const"]) for entry in entries]
            return _unique([entry["const"] for entry in entries], labels)
    return None


def _unique(values: list[Any], labels: list[str]) -> tuple[Option, ...]:
    """Options whose labels tell them apart: a label that stands twice carries its value as JSON. A value that stands
    twice is offered once."""
    pairs: list[tuple[Any, str]] = []
    seen: set[str] = set()
    for value, label in zip(values, labels, strict=True):
        key = json.dumps(value)
        if key not in seen:
            seen.add(key)
            pairs.append((value, label))
    counts = Counter(label for _, label in pairs)
    options: list[Option] = []
    for value, label in pairs:
        own = label if counts[label] == 1 else f"{label} ({json.dumps(value, ensure_ascii=False)})"
        while own != label and own in counts:
            own += " *"  # another option has just this label
        counts[own] += own != label
        options.append(Option(value, own))
    return tuple(options)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _text(schema: JsonObject, key: str) -> str:
    value = schema.get(key)
    return value if isinstance(value, str) else ""


def _with_default(field: Field) -> Field:
    if "default" not in field.schema:
        return field
    value = field.schema["default"]
    if _fits(field, value):
        return replace(field, default=int(value) if field.kind is FieldKind.INTEGER else value)
    return replace(field, bad_default=True)


def _fits(field: Field, value: Any) -> bool:
    match field.kind:
        case FieldKind.BOOLEAN:
            return isinstance(value, bool)
        case FieldKind.INTEGER:
            return (isinstance(value, int) and not isinstance(value, bool)) or (
                isinstance(value, float) and value.is_integer()
            )
        case FieldKind.NUMBER:
            return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf
        case FieldKind.CHOICE:
            return any(same(option.value, value) for option in field.options)
        case FieldKind.CHOICES:
            allowed = [option.value for option in field.options]
            return isinstance(value, list) and all(
                any(same(item, one) for one in allowed) for item in cast("list[Any]", value)
            )
        case FieldKind.JSON:
            return _is_json(value)
        case _:
            return isinstance(value, str)


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return True


def same(left: Any, right: Any) -> bool:
    """JSON equality: true is not 1."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)
