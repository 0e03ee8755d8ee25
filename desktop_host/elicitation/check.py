"""The whole check of a filled form: cheap bounds here, patterns and the schema in the checker process."""

import json
from collections.abc import Mapping
from dataclasses import replace

from desktop_host.checking.checker import Checker, Verdict
from desktop_host.elicitation.fields import UNSET, Field, FieldKind
from desktop_host.elicitation.form import Entry, Form, Reading
from desktop_host.terms.messages import Message, say

MAX_CONTENT = 1024 * 1024
"""Bytes of JSON that an answer may have."""
_ABOUT_NO_VALUE = frozenset(
    [
        "type", "properties", "required", "additionalProperties",
        "title", "description", "$comment", "$schema", "$id", "$defs", "definitions",
    ]
)  # fmt: skip
"""What a form's schema may say beside its properties without forbidding one of their values."""


async def check_form(checker: Checker, form: Form, entries: Mapping[str, Entry]) -> tuple[Reading, tuple[Message, ...]]:
    """Read and check entries. Returns the reading with every error found, and notices for the record.

    A pattern that cannot be compiled is a hint, not a wall; one that does not finish in time blocks its field.
    """
    reading = form.read(entries)
    errors, notices = dict(reading.errors), list[Message]()
    for name, (pattern, text) in reading.patterns.items():
        verdict = await checker.pattern(pattern, text)
        if verdict.unusable:
            notices.append(say("form.pattern_unusable", field=name))
        elif verdict.too_slow:
            errors[name] = say("form.pattern_slow")
            break  # one is enough to keep the form from leaving, and all servers share the checker
        elif verdict.problems:
            errors[name] = say("form.pattern", pattern=pattern)
    if not errors:
        errors |= _too_much(reading)
    if not errors:
        verdict = await checker.schema(form.schema, reading.content)
        errors |= _schema_errors(form, reading, verdict)
        if verdict.unusable:
            notices.append(say("form.schema_unusable"))
            errors |= await _checked_apart(checker, form, reading)
    return replace(reading, errors=errors), tuple(notices)


async def without_wrong_defaults(checker: Checker, form: Form) -> Form:
    """The form without defaults that do not fit their own schema, which would block it (ELF-40).

    What can be told cheaply was looked at when the form was read; this is for the rest: patterns, nested values.
    Most forms have none of it, and a check costs 70 ms for 256 fields, in which the person waits for the window.
    """
    defaults = {one.name: one.default for one in form.fields if one.has_default}
    if form.schema.keys() <= _ABOUT_NO_VALUE and not any(_may_be_wrong(one, form) for one in form.fields):
        return form
    wrong = set[str]()
    while defaults:  # a verdict names so many problems and no more
        verdict = await checker.schema({**form.schema, "required": []}, defaults)
        named = {str(problem.path[0]) for problem in verdict.problems if problem.path} & defaults.keys()
        if not named:
            break
        wrong |= named
        defaults = {name: value for name, value in defaults.items() if name not in wrong}
    if not wrong:
        return form
    fields = tuple(replace(one, default=UNSET, bad_default=True) if one.name in wrong else one for one in form.fields)
    notices = (say("form.bad_default", field=one.name) for one in fields if one.name in wrong)
    return replace(form, fields=fields, notices=(*form.notices, *notices))


def _may_be_wrong(one: Field, form: Form) -> bool:
    """The field's default may break something that reading the form did not look at."""
    if not one.has_default:
        return False
    if one.schema != form.schema["properties"][one.name] or one.kind in (FieldKind.JSON, FieldKind.CHOICES):
        return True
    if one.kind is FieldKind.CHOICE:
        several = len(one.schema.keys() & {"enum", "oneOf", "anyOf"}) > 1
        return several or not isinstance(one.default, str) or one.schema.get("type", "string") != "string"
    return bool(one.pattern)


async def _checked_apart(checker: Checker, form: Form, reading: Reading) -> dict[str, Message]:
    """Each answer against its own part of a schema that is unusable as a whole. What was not drawn and cannot be
    checked is not sent."""
    errors: dict[str, Message] = {}
    around = {key: form.schema[key] for key in ("$defs", "definitions") if key in form.schema}
    for one in form.fields:
        if one.name not in reading.content:
            continue
        value = {one.name: reading.content[one.name]}
        verdict = await checker.schema({**around, "properties": {one.name: one.schema}}, value)
        if verdict.problems:
            errors[one.name] = say("form.schema", what=verdict.problems[0].text)
        elif not verdict.ok and one.undrawn:
            errors[one.name] = say("form.cannot_check")
    return errors


def _too_much(reading: Reading) -> dict[str, Message]:
    """The field that holds most of an answer too large to send."""
    if _size(reading.content) <= MAX_CONTENT:
        return {}
    sizes = {name: _size({name: value}) for name, value in reading.content.items()}
    return {max(sizes, key=lambda name: sizes[name]): say("form.too_much", count=MAX_CONTENT // 1024)}


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))


def _schema_errors(form: Form, reading: Reading, verdict: Verdict) -> dict[str, Message]:
    errors: dict[str, Message] = {}
    if verdict.too_slow or verdict.unresolved:
        undrawn = [one.name for one in form.fields if one.undrawn and one.name in reading.content]
        blamed = undrawn or [one.name for one in form.fields][:1] or [""]
        return {name: say("form.cannot_check") for name in blamed}
    for problem in verdict.problems:
        name = str(problem.path[0]) if problem.path else ""
        errors.setdefault(name, say("form.schema", what=problem.text))
    return errors
