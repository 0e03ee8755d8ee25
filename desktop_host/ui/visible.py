"""Text from servers, shown honestly: what would be invisible or turn the reading direction is written out."""

import re

from desktop_host.terms.hidden import is_hidden

_ITSELF = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uac00-\ud7af"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
"""Scripts whose lines break between their letters."""
_GLUED = "\u0300-\u036f\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff"
"""What belongs to the letter before it, and must not be parted from it."""
_LONG_WORD = re.compile(rf"[^\s/{_ITSELF}-]{{24}}(?=[^\s/{_ITSELF}{_GLUED}-])")
"""Wider than this no word may be for the smallest window; Qt breaks lines at slashes and hyphens itself."""
_BREAK = "\u200b"


def visible(text: str) -> str:
    """The text with control, format and bidi characters as ‹U+202E›; line ends and tabs stay."""
    if text.isascii() and text.isprintable():
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
    if line.isascii() and line.replace("\t", "").isprintable():
        return line
    return "".join(
        f"‹U+{ord(one):04X}›" if one != "\t" and is_hidden(line, place) else one for place, one in enumerate(line)
    )
