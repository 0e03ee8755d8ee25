"""The checker process: one JSON request a line in, one JSON reply a line out."""

import functools
import json
import sys
from typing import Any

_MAX_PROBLEMS = 50


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
    from jsonschema.validators import validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    base = validator_for(schema, default=_default_validator())
    try:
        base.check_schema(schema)
    except SchemaError as error:
        return {"unusable": error.message[:300]}
    no_others = Registry[Any]()
    validator = _with_ecma_patterns(base)(schema, registry=no_others, format_checker=_formats())
    try:
        problems = [
            [list(error.absolute_path), str(error.validator), error.message[:300]]  # pyright: ignore[reportUnknownArgumentType]
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


@functools.cache
def _default_validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator


@functools.lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    import regress

    return regress.Regex(pattern, "u")


@functools.cache
def _with_ecma_patterns(base: Any) -> Any:
    import regress
    from jsonschema import ValidationError, validators

    made: Any = validators

    def pattern(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> Any:
        if not isinstance(instance, str):
            return
        try:
            found = _compiled(wanted).find(instance)
        except regress.RegressError:
            return  # a pattern that is none is a hint, not a wall (issue 3)
        if found is None:
            yield ValidationError(f"does not match {wanted!r}")

    return made.extend(base, {"pattern": pattern})


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
