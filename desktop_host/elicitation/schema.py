"""A property's schema brought to its plain shape: references followed, "or null" taken away, wrappers opened.

Servers rarely write these by hand: libraries generate them (pydantic, zod), each with its own idea of "optional".
"""

from typing import Any, cast
from urllib.parse import unquote

from desktop_host.terms.asks import JsonObject

_MAX_STEPS, _MOST_DIGITS = 16, 10


def plain_shape(schema: JsonObject, document: JsonObject) -> tuple[JsonObject, str]:
    """The schema as one object of keywords, and why it could not be had, as a message key, "" otherwise.

    References are followed inside `document` only, at most 16 of them; a remote one is never fetched (BASE-15). What
    is lost on the way is only a help for drawing: the answer is checked against the schema as it was sent.
    """
    for _ in range(_MAX_STEPS):
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target, trouble = _target(reference, document)
            if target is None:
                return schema, trouble
            schema = _merged(schema, "$ref", target)
            continue
        opened = _opened(schema)
        if opened is None:
            return _without_null_default(schema), ""
        schema = opened
    return schema, "form.undrawn.deep_reference"


def _target(reference: str, document: JsonObject) -> tuple[JsonObject | None, str]:
    if not reference.startswith("#"):
        return None, "form.undrawn.remote_reference"
    target: Any = document
    for part in reference[1:].split("/")[1:]:
        name = unquote(part).replace("~1", "/").replace("~0", "~")
        if isinstance(target, list) and name.isdecimal() and len(name) < _MOST_DIGITS:
            places = cast("list[Any]", target)
            target = places[int(name)] if int(name) < len(places) else None
        else:
            target = cast("JsonObject", target).get(name) if isinstance(target, dict) else None
        if target is None:
            break
    known = isinstance(target, dict) and (reference == "#" or reference.startswith("#/"))
    return (cast("JsonObject", target), "") if known else (None, "form.undrawn.broken_reference")


def _opened(schema: JsonObject) -> JsonObject | None:
    """One wrapper less, None where there is none."""
    declared = schema.get("type")
    if isinstance(declared, list):
        kinds = [kind for kind in cast("list[Any]", declared) if kind != "null"]
        if len(kinds) == 1 or len(kinds) < len(cast("list[Any]", declared)):
            return {**schema, "type": kinds[0] if len(kinds) == 1 else kinds}
    for key in ("anyOf", "oneOf"):
        branches = _list(schema, key)
        rest = [branch for branch in branches if not _is_null(branch)]
        if not rest or (len(rest) == len(branches) and len(rest) != 1):
            continue
        if len(rest) > 1:
            return {**schema, key: rest}
        # One titled constant is a choice of one, not a wrapper.
        if isinstance(rest[0], dict) and ("const" not in rest[0] or len(rest) < len(branches)):
            return _merged(schema, key, cast("JsonObject", rest[0]))
    parts = _list(schema, "allOf")
    if len(parts) == 1 and isinstance(parts[0], dict):
        return _merged(schema, "allOf", cast("JsonObject", parts[0]))
    return None


def _is_null(branch: Any) -> bool:
    if not isinstance(branch, dict):
        return False
    found = cast("JsonObject", branch)
    return found.get("type") == "null" or found.get("const", 0) is None or found.get("enum") == [None]


def _merged(schema: JsonObject, key: str, inner: JsonObject) -> JsonObject:
    """`inner` in the place of `key`; what stands beside it says more and wins, but for a null default."""
    outer = {name: value for name, value in schema.items() if name != key}
    return {**inner, **_without_null_default(outer)}


def _without_null_default(schema: JsonObject) -> JsonObject:
    if "default" not in schema or schema["default"] is not None:
        return schema
    return {name: value for name, value in schema.items() if name != "default"}


def _list(schema: JsonObject, key: str) -> list[Any]:
    found = schema.get(key)
    return cast("list[Any]", found) if isinstance(found, list) else []
