"""The bounds of a field: which one a value breaks, and what the person may know of them beforehand."""

import json
import math
from typing import Any, cast

from desktop_host.checking.formats import is_date, is_date_time, is_email, is_uri
from desktop_host.checking.numbers import is_multiple
from desktop_host.elicitation.fields import Field, FieldKind, same
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message, say

_FORMATS = {"email": is_email, "uri": is_uri, "date": is_date, "date-time": is_date_time}


_TAKEN_FOR_NONE = 2**53 - 1
"""A bound of this size is what zod writes for a number without one; nobody need read it."""


def wanted(one: Field) -> tuple[Message, ...]:
    """What the person may know before they enter anything: range, step, number of choices, pattern.

    Lengths are not in it: they are counted while the person types.
    """
    sentences: list[Message | None] = []
    if one.numeric:
        sentences += [_range_wanted(one.schema), _step_wanted(one.schema)]
    if one.kind is FieldKind.CHOICES:
        sentences.append(_count_wanted(one.schema))
    if one.pattern:
        sentences.append(say("form.pattern_wanted", pattern=one.pattern))
    return tuple(sentence for sentence in sentences if sentence is not None)


def lengths(one: Field) -> tuple[int, int | None]:
    """The least and the most characters a text may have; None: no bound."""
    most = _bound(one.schema, "maxLength", math.inf)
    return int(_bound(one.schema, "minLength", 0)), None if most == math.inf else int(most)


def broken_bound(one: Field, value: Any) -> Message | None:
    """The first bound of the schema that a value breaks, as a sentence that says what would be right."""
    schema = one.schema
    if "const" in schema and not same(schema["const"], value):
        return say("form.must_be", value=json.dumps(schema["const"], ensure_ascii=False))
    if isinstance(value, str):
        return _broken_length(one, value)
    if isinstance(value, list) and one.kind is FieldKind.CHOICES:
        count = len(cast("list[Any]", value))
        if count < _bound(schema, "minItems", 0):
            return say("form.too_few", count=int(_bound(schema, "minItems", 0)))
        if count > _bound(schema, "maxItems", math.inf):
            return say("form.too_many", count=int(_bound(schema, "maxItems", 0)))
    return _broken_range(schema, value) if isinstance(value, int | float) and one.numeric else None


def _broken_length(one: Field, value: str) -> Message | None:
    if one.kind in (FieldKind.CHOICE, FieldKind.JSON):
        return None
    least, most = lengths(one)
    if len(value) < least:
        return say("form.too_short", count=least)
    if most is not None and len(value) > most:
        return say("form.too_long", count=most)
    if one.format in _FORMATS and not _FORMATS[one.format](value):
        return say(f"form.not_{one.format.replace('-', '_')}")
    return None


def _broken_range(schema: JsonObject, value: float) -> Message | None:
    least, most = _bound(schema, "minimum", -math.inf), _bound(schema, "maximum", math.inf)
    above, below = _bound(schema, "exclusiveMinimum", -math.inf), _bound(schema, "exclusiveMaximum", math.inf)
    if value < least or value > most:
        return _from_to(least, most)
    if value <= above:
        return say("form.not_above", bound=_plain(above))
    if value >= below:
        return say("form.not_below", bound=_plain(below))
    step = _bound(schema, "multipleOf", 0)
    if step > 0 and not is_multiple(value, step):
        return say("form.not_multiple", step=_plain(step))
    return None


def _from_to(least: float, most: float) -> Message:
    if most == math.inf:
        return say("form.too_small", least=_plain(least))
    if least == -math.inf:
        return say("form.too_large", most=_plain(most))
    return say("form.out_of_range", least=_plain(least), most=_plain(most))


def _range_wanted(schema: JsonObject) -> Message | None:
    least, most = _bound(schema, "minimum", -math.inf), _bound(schema, "maximum", math.inf)
    least = -math.inf if least <= -_TAKEN_FOR_NONE else least
    most = math.inf if most >= _TAKEN_FOR_NONE else most
    if least > -math.inf or most < math.inf:
        if most == math.inf:
            return say("form.least_wanted", least=_plain(least))
        if least == -math.inf:
            return say("form.most_wanted", most=_plain(most))
        return say("form.range_wanted", least=_plain(least), most=_plain(most))
    for key, sentence in (("exclusiveMinimum", "form.above_wanted"), ("exclusiveMaximum", "form.below_wanted")):
        bound = _bound(schema, key, math.inf)
        if abs(bound) < _TAKEN_FOR_NONE:
            return say(sentence, bound=_plain(bound))
    return None


def _step_wanted(schema: JsonObject) -> Message | None:
    step = _bound(schema, "multipleOf", 0)
    return say("form.step_wanted", step=_plain(step)) if step > 0 and step != 1 else None


def _count_wanted(schema: JsonObject) -> Message | None:
    least, most = _bound(schema, "minItems", 0), _bound(schema, "maxItems", math.inf)
    if least > 0 and most < math.inf:
        return say("form.count_wanted", least=int(least), most=int(most))
    if least > 0:
        return say("form.too_few", count=int(least))
    return say("form.too_many", count=int(most)) if most < math.inf else None


def _bound(schema: JsonObject, key: str, default: float) -> float:
    found = schema.get(key)
    if not isinstance(found, int | float) or isinstance(found, bool):
        return default
    return default if isinstance(found, float) and not math.isfinite(found) else found


def _plain(number: float) -> str:
    return str(int(number)) if isinstance(number, float) and number.is_integer() else str(number)
