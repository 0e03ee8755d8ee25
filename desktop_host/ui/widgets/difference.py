"""What is other in one of two texts."""

import difflib
import html
import re
from collections.abc import Iterator

from desktop_host.ui.theme import color

_SAME_WORDS = 4
"""Words and spaces that must be the same in a row to stand between two changes."""
_AROUND = 400
"""Characters that are shown before and after a change."""
_MOST_COMPARED = 250_000
"""Pairs of words that are compared at most, in some 30 ms: the time grows with their square."""


def difference(old: str, new: str) -> str:
    """What was changed, as our own markup, by phrases: removed struck out, added underlined; the same only in part."""
    lead = max(_common(old, new) - _AROUND, 0)
    rest, other_rest = old[lead:], new[lead:]
    trail = max(_common(rest[::-1], other_rest[::-1]) - _AROUND, 0)
    before = re.findall(r"\s+|\S+", rest[: len(rest) - trail])
    after = re.findall(r"\s+|\S+", other_rest[: len(other_rest) - trail])
    parts = ["… "] if lead else []
    gone: list[str] = []
    come: list[str] = []

    def flush() -> None:
        for words_, token, line in ((gone, "dels", "line-through"), (come, "ins", "underline")):
            text = html.escape(_shortened("".join(words_))).strip()
            style = f"background:{color(token)};text-decoration:{line}"
            parts.append(f'<span style="{style}">{text}</span> ' if text else "")
            words_.clear()

    for same, a, b, c, d in _runs(before, after):
        if same and b - a >= _SAME_WORDS:
            flush()
            text = _shortened("".join(before[a:b]))
            parts.append(html.escape(text.lstrip() if parts else text))
            continue
        gone += before[a:b]
        come += after[c:d]
    flush()
    parts += [" …"] if trail else []
    return "".join(parts).replace("\n", "<br>")


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one[least:middle] == other[least:middle] else (least, middle - 1)
    return least


def _runs(before: list[str], after: list[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Runs that are the same or not: from and to in the one and the other. What is too long is one change."""
    if len(before) * len(after) > _MOST_COMPARED:
        yield False, 0, len(before), 0, len(after)
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield tag == "equal", a, b, c, d


def _shortened(text: str) -> str:
    """Begin and end of a long text, as much as one reads of it here."""
    return text if len(text) <= 4 * _AROUND else f"{text[: 2 * _AROUND]} … {text[-2 * _AROUND :]}"
