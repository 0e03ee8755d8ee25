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


class Places:
    """Where everything stands in one valid JSON text (comments allowed); each part of it is looked through once."""

    def __init__(self, text: str) -> None:
        self._plain = without_comments(text)
        self._shift = len(text) - len(self._plain)
        self._known: dict[int, list[tuple[str, Member]]] = {}

    def of(self, *path: str) -> int:
        """Where the value at `path` begins, lists by their numbers too, or the deepest there is on the way to it."""
        return self._start(path) + self._shift

    def repeated(self, *path: str) -> list[str]:
        """Names that stand more than once in the object at `path`."""
        names = [name for name, _ in self._children(self._start(path))]
        return [name for name in dict.fromkeys(names) if names.count(name) > 1]

    def _start(self, path: tuple[str, ...]) -> int:
        start = _skip(self._plain, 0)
        for name in path:
            inner = next((member for known, member in reversed(self._children(start)) if known == name), None)
            if inner is None:
                break
            start = inner.start
        return start

    def _children(self, start: int) -> list[tuple[str, Member]]:
        if start not in self._known:
            self._known[start] = _children(self._plain, start)
        return self._known[start]


def first_duplicate(text: str) -> tuple[str, int] | None:
    """A name that stands twice in one object of valid JSON, and where it does so the second time."""
    plain = without_comments(text)
    found: list[tuple[int, str]] = []
    todo = [_skip(plain, 0)]
    while todo:
        start = todo.pop()
        seen: set[str] = set()
        for name, member in _children(plain, start):
            if name in seen:
                found.append((member.key, name))
            seen.add(name)
            todo.append(member.start)
    if not found:
        return None
    offset, name = min(found)
    return name, offset + len(text) - len(plain)


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
    if "\r\n" in text:
        member = member.replace("\n", "\r\n")
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
            text[end + 1 :].lstrip(" \t").removeprefix("\r").removeprefix("\n")
            if not text[member.end : end].strip()
            else text[end + 1 :]
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
    return dict(_children(text, index)) if text[index : index + 1] == "{" else {}


def _children(text: str, index: int) -> list[tuple[str, Member]]:
    """The members of an object as they stand, or the elements of a list by their numbers; none of anything else."""
    children: list[tuple[str, Member]] = []
    kind = text[index : index + 1]
    if kind not in ("{", "["):
        return children
    index = _skip(text, index + 1)
    while text[index : index + 1] not in ("}", "]", ""):
        name, start = str(len(children)), index
        if kind == "{":
            name, after = _DECODER.raw_decode(text, index)
            start = _skip(text, _skip(text, after) + 1)
        _, end = _DECODER.raw_decode(text, start)
        children.append((str(name), Member(index, start, end)))
        index = _skip(text, end)
        if text[index : index + 1] == ",":
            index = _skip(text, index + 1)
    return children
