"""Where things stand in a JSON text, and edits that leave the rest of the text as its author wrote it."""

import json
from dataclasses import dataclass

from desktop_host.config.files import without_comments

_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Member:
    """Offsets of one member of an object: its key's first character, its value's first and one past its last."""

    key: int
    start: int
    end: int


def locate(text: str, *path: str) -> Member | None:
    """Find the member at `path` in valid JSON (comments allowed), None where it is not there."""
    plain = without_comments(text)
    offset = len(text) - len(plain)
    found = Member(0, _skip(plain, 0), len(plain))
    for name in path:
        inner = _members(plain, found.start).get(name)
        if inner is None:
            return None
        found = inner
    return Member(found.key + offset, found.start + offset, found.end + offset)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The place of `offset` as people count: both from 1."""
    return text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1


def with_member(text: str, path: tuple[str, ...], name: str, value: object) -> str:
    """Add a member to the object at `path`, which must exist, after its brace."""
    parent = locate(text, *path)
    if parent is None:
        raise KeyError("/".join(path))
    depth = "  " * (len(path) + 1)
    body = json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n" + depth)
    comma = "," if _members(without_comments(text), parent.start - _shift(text)) else "\n" + depth[2:]
    member = f"\n{depth}{json.dumps(name, ensure_ascii=False)}: {body}{comma}"
    return text[: parent.start + 1] + member + text[parent.start + 1 :]


def without_member(text: str, *path: str) -> str:
    """Cut the member at `path` with the comma that belongs to it."""
    member = locate(text, *path)
    if member is None:
        raise KeyError("/".join(path))
    plain = " " * _shift(text) + without_comments(text)
    end = _skip(plain, member.end)
    if plain[end : end + 1] == ",":
        rest = (
            text[end + 1 :].lstrip(" \t").removeprefix("\n") if not text[member.end : end].strip() else text[end + 1 :]
        )
        return text[: member.key].rstrip(" \t") + text[member.end : end] + rest
    before = plain[: member.key].rstrip()
    if not before.endswith(","):
        return text[: member.key] + text[member.end :]
    comma = len(before) - 1
    return text[:comma] + text[comma + 1 : member.key] + text[member.end :]


def _shift(text: str) -> int:
    return 1 if text.startswith("\ufeff") else 0


def _skip(text: str, index: int) -> int:
    while index < len(text) and text[index] in " \t\r\n":
        index += 1
    return index


def _members(text: str, index: int) -> dict[str, Member]:
    members: dict[str, Member] = {}
    if text[index : index + 1] != "{":
        return members
    index = _skip(text, index + 1)
    while text[index : index + 1] not in ("}", ""):
        key, after = _DECODER.raw_decode(text, index)
        start = _skip(text, _skip(text, after) + 1)
        _, end = _DECODER.raw_decode(text, start)
        members[str(key)] = Member(index, start, end)
        index = _skip(text, end)
        if text[index : index + 1] == ",":
            index = _skip(text, index + 1)
    return members
