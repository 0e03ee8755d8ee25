"""The checker process: one JSON request a line in, one JSON reply a line out."""

import functools
import json
import sys
from typing import Any, cast

_MAX_PROBLEMS = 50
_KEPT = 4
"""Schemas kept ready: a form is checked again and again while it is filled in, and to read 256 fields takes 60 ms."""


def main() -> None:
    """Answer until standard input ends. Imports are paid before the first request is read."""
    import jsonschema
    import referencing
    import regress

    assert jsonschema and referencing and regress
    answer = {"schema": check_schema, "pattern": check_pattern}
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            reply = answer[request["what"]](**request["args"])
        except RecursionError:
            reply = {"unusable": "recursion"}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def check_schema(schema: dict[str, Any], instance: Any) -> dict[str, Any]:
    """Check a value. Reply: `{"problems": [[path, keyword, text], …]}`, `{"unusable": why}` or `{"unresolved": what}`.

    No reference leaves the document: remote ones are unresolvable (BASE-15). Patterns are ECMA-262.
    """
    from jsonschema import SchemaError
    from referencing.exceptions import Unresolvable

    try:
        validator = _validator(json.dumps(schema))
    except SchemaError as error:
        return {"unusable": error.message[:300]}
    try:
        problems = [
            [list(error.absolute_path), str(error.validator), error.message[:300]]  # pyright: ignore[reportUnknownArgumentType]  # no types
            for error, _ in zip(validator.iter_errors(instance), range(_MAX_PROBLEMS), strict=False)
        ]
    except Unresolvable as error:
        return {"unresolved": str(error)[:300]}
    return {"problems": problems}


def check_pattern(pattern: str, text: str) -> dict[str, Any]:
    """Search `text` for an ECMA-262 pattern. Reply: `{"matches": bool}`, or `{"unusable": why}`."""
    import regress

    try:
        return {"matches": _compiled(pattern).find(text) is not None}
    except regress.RegressError as error:
        return {"unusable": str(error)[:300]}


@functools.lru_cache(maxsize=_KEPT)
def _validator(schema_text: str) -> Any:
    """A validator of a schema that is one. Raises `SchemaError` where it is none."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for
    from referencing import Registry

    schema = json.loads(schema_text)
    base: Any = validator_for(schema, default=Draft202012Validator)
    base.check_schema(schema, format_checker=_no_formats())
    no_others = Registry[Any]()
    return _with_our_keywords(base)(schema, registry=no_others, format_checker=_formats())


@functools.lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    import regress

    return regress.Regex(pattern, "u")


@functools.cache
def _with_our_keywords(base: Any) -> Any:
    import regress
    from jsonschema import ValidationError, validators

    from desktop_host.checking.numbers import is_multiple

    made: Any = validators

    def matches(wanted: str, text: str) -> bool:
        try:
            return _compiled(wanted).find(text) is not None
        except regress.RegressError:
            return True  # a pattern that is none is a hint, not a wall (issue 3)

    def pattern(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Any:
        if isinstance(instance, str) and not matches(wanted, instance):
            yield ValidationError(f"does not match {wanted!r}")

    def pattern_properties(validator: Any, wanted: dict[str, Any], instance: Any, _schema: Any) -> Any:
        members = cast("dict[str, Any]", instance) if isinstance(instance, dict) else {}
        for key, schema in wanted.items():
            for name, value in members.items():
                if matches(key, name):
                    yield from validator.descend(value, schema, path=name, schema_path=key)

    def multiple_of(_validator: Any, step: Any, instance: Any, _schema: Any) -> Any:
        number = isinstance(instance, int | float) and not isinstance(instance, bool)
        if number and not is_multiple(instance, step):
            yield ValidationError(f"{instance!r} is not a multiple of {step}")

    own = {"pattern": pattern, "patternProperties": pattern_properties, "multipleOf": multiple_of}

    return made.extend(base, own)


@functools.cache
def _no_formats() -> Any:
    """For schemas themselves: jsonschema would hold their patterns against Python's own expressions."""
    from jsonschema import FormatChecker

    return FormatChecker(formats=())


@functools.cache
def _formats() -> Any:
    from jsonschema import FormatChecker

    from desktop_host.checking.formats import is_date, is_date_time, is_email, is_uri

    checker = FormatChecker(formats=())
    for name, test in (("email", is_email), ("uri", is_uri), ("date", is_date), ("date-time", is_date_time)):
        checker.checks(name)(functools.partial(_text_only, test))
    return checker


def _text_only(test: Any, value: object) -> bool:
    return not isinstance(value, str) or bool(test(value))
