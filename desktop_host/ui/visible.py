"""Text from servers, shown honestly: what would be invisible or turn the reading direction is written out."""

import re

from desktop_host.terms.hidden import is_hidden

_LONG_WORD = re.compile(r"[^\s/-]{24}(?=[^\s/-])")
"""Wider than this no word may be for the smallest window; Qt breaks lines at slashes and hyphens itself."""
_BREAK = "\u200b"


def visible(text: str) -> str:
    """The text with control, format and bidi characters as ‹U+202E›; line ends and tabs stay."""
    if text.isprintable():
        return text
    return "\n".join(map(_line, text.replace("\r\n", "\n").split("\n")))


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(visible(text).split())


def has_long_word(text: str) -> bool:
    """A word of the text may be too long for a window."""
    return _LONG_WORD.search(text) is not None


def breakable(text: str) -> str:
    """A text that is visible already, with places to break in long words. For drawing only, never to copy from."""
    return _LONG_WORD.sub(lambda word: word.group() + _BREAK, text)


def _line(line: str) -> str:
    if line.replace("\t", "").isprintable():
        return line
    return "".join(
        f"‹U+{ord(one):04X}›" if one != "\t" and is_hidden(line, place) else one for place, one in enumerate(line)
    )
