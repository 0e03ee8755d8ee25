"""A requested schema as a form: its fields, and what the person entered as content or errors."""

import json
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from desktop_host.elicitation.bounds import broken_bound
from desktop_host.elicitation.fields import MOST_OPTIONS, UNSET, Field, FieldKind, read_field, same
from desktop_host.elicitation.schema import plain_shape
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message, say

Entry = str | bool | tuple[str, ...] | None
"""What a person entered: text as typed, true or false, the label of a choice, labels of choices; None: emptied.

For a choice, a text in a tuple is no label, whatever it reads."""

_INTEGER = re.compile(r"[+-]?\d+(?:\.0+)?", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MAX_DIGITS, _MOST_NAMED = 400, 8


@dataclass(frozen=True, slots=True)
class Reading:
    """A form as filled in: `content` of the fields that are right, `errors` by field name.

    `patterns` are texts still to be matched, by field: the checker process does that.
    """

    content: JsonObject
    errors: dict[str, Message]
    patterns: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])

    @property
    def ok(self) -> bool:
        """Nothing is wrong as far as can be said cheaply."""
        return not self.errors


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of a request in the server's order, its message, and notices about what the server got wrong.

    `schema` is the requested schema as sent. `impossible` names required properties that do not exist.
    """

    message: str
    fields: tuple[Field, ...]
    schema: JsonObject
    notices: tuple[Message, ...] = ()
    impossible: tuple[str, ...] = ()

    @classmethod
    def from_params(cls, params: JsonObject) -> "Form":
        """Read an elicitation request in form mode. Never raises."""
        message = params.get("message")
        schema = params.get("requestedSchema")
        notices: list[Message] = []
        if not isinstance(schema, dict):
            notices.append(say("form.no_schema"))
            schema = {}
        form = cls.from_schema(cast("JsonObject", schema))
        return cls(
            message if isinstance(message, str) else "",
            form.fields,
            form.schema,
            (*notices, *form.notices),
            form.impossible,
        )

    @classmethod
    def from_schema(cls, schema: JsonObject) -> "Form":
        """Read a schema alone: of a tool's arguments, say."""
        plain, trouble = plain_shape(schema, schema)
        properties: Any = plain.get("properties")
        required: Any = plain.get("required")
        properties = cast("JsonObject", properties) if isinstance(properties, dict) else {}
        found: list[Any] = cast("list[Any]", required) if isinstance(required, list) else []
        names = dict.fromkeys(name for name in found if isinstance(name, str))
        fields = _read_fields(properties, names.keys(), schema)
        impossible = tuple(name for name in names if name not in properties)
        notices = [say("form.required_missing", field=name) for name in impossible[:_MOST_NAMED]]
        notices += [say(trouble, field="requestedSchema")] if trouble else []
        notices += [say("form.bad_default", field=one.name) for one in fields if one.bad_default]
        notices += [say(one.undrawn, field=one.name) for one in fields if one.undrawn]
        return cls("", fields, schema, tuple(notices), impossible)

    def read(self, entries: Mapping[str, Entry]) -> Reading:
        """Turn entries into content. A field that is not in `entries` is untouched: its default counts (ELF-39)."""
        content: JsonObject = {}
        errors: dict[str, Message] = {}
        patterns: dict[str, tuple[str, str]] = {}
        for one in self.fields:
            value, error = _value(one, entries[one.name]) if one.name in entries else (one.default, None)
            error = error or (say("form.required") if value is UNSET and one.required else None)
            if error is None and value is not UNSET:
                error = broken_bound(one, value)
                content[one.name] = value
                if one.pattern and isinstance(value, str):
                    patterns[one.name] = (one.pattern, value)
            if error is not None:
                errors[one.name] = error
                content.pop(one.name, None)
                patterns.pop(one.name, None)
        for name in self.impossible:
            errors[name] = say("form.required_missing", field=name)
        return Reading(content, errors, patterns)

    def field(self, name: str) -> Field | None:
        """The field called `name`."""
        return next((one for one in self.fields if one.name == name), None)


def _read_fields(properties: JsonObject, required: Collection[str], document: JsonObject) -> tuple[Field, ...]:
    """The fields, of which the later ones have only the room for choices that the earlier ones left."""
    fields: list[Field] = []
    room = MOST_OPTIONS
    for name, raw in properties.items():
        one = _fitting(read_field(name, raw, name in required, document, room))
        room -= len(one.options)
        fields.append(one)
    return tuple(fields)


def _fitting(one: Field) -> Field:
    """A field without the default that breaks its own bounds: it would block the form (ELF-40)."""
    if not one.has_default or broken_bound(one, one.default) is None:
        return one
    return replace(one, default=UNSET, bad_default=True)


def entry_of(one: Field, value: Any) -> Entry:
    """A value as a person would have entered it: the inverse of reading."""
    if one.kind is FieldKind.BOOLEAN:
        return value is True
    if one.kind is FieldKind.CHOICE:
        return next((option.label for option in one.options if same(option.value, value)), None)
    if one.kind is FieldKind.CHOICES:
        return tuple(option.label for item in value for option in one.options if same(option.value, item))
    if one.kind is FieldKind.JSON or not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value


def _value(one: Field, entry: Entry) -> tuple[Any, Message | None]:
    """The value of an entry, UNSET for an empty one, and what is wrong with it."""
    if entry is None or (entry == () and not (one.required and one.kind is FieldKind.CHOICES)):
        return UNSET, None
    match one.kind:
        case FieldKind.BOOLEAN:
            return (entry, None) if isinstance(entry, bool) else (UNSET, say("form.not_boolean"))
        case FieldKind.CHOICE:
            return _choice(one, entry)
        case FieldKind.CHOICES:
            return _choices(one, entry)
        case _:
            if not isinstance(entry, str):
                return UNSET, say("form.not_text")
    if entry == "":
        return UNSET, None
    if one.numeric:
        return _number(one.kind, entry.strip())
    if one.kind is FieldKind.JSON:
        return _json(entry)
    return entry, None


def _choice(one: Field, entry: Entry) -> tuple[Any, Message | None]:
    for option in one.options:
        if option.label == entry:
            return option.value, None
    for option in one.options:
        if not isinstance(entry, tuple) and same(option.value, entry):
            return option.value, None
    return UNSET, say("form.not_a_choice")


def _choices(one: Field, entry: Entry) -> tuple[Any, Message | None]:
    if not isinstance(entry, tuple):
        return UNSET, say("form.not_a_choice")
    values: list[Any] = []
    for label in entry:
        value, error = _choice(one, label)
        if error is not None:
            return UNSET, error
        values.append(value)
    return values, None


def _number(kind: FieldKind, text: str) -> tuple[Any, Message | None]:
    whole = kind is FieldKind.INTEGER
    wrong = say("form.not_integer" if whole else "form.not_number")
    if len(text) > _MAX_DIGITS or not (_INTEGER if whole else _NUMBER).fullmatch(text):
        return UNSET, wrong
    if _INTEGER.fullmatch(text) and (whole or "." not in text):
        return int(text.partition(".")[0]), None
    number = float(text)
    return (number, None) if math.isfinite(number) else (UNSET, say("form.number_too_big"))


def _json(text: str) -> tuple[Any, Message | None]:
    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    def finite(digits: str) -> float:
        number = float(digits)
        return number if math.isfinite(number) else refuse(digits)

    try:
        value = json.loads(text, parse_constant=refuse, parse_float=finite)
    except json.JSONDecodeError as error:
        return UNSET, say("form.not_json", line=error.lineno, column=error.colno)
    except (ValueError, RecursionError):
        return UNSET, say("form.not_json", line=1, column=1)
    return (UNSET if value is None else value), None  # null is never sent (ELF-41)
