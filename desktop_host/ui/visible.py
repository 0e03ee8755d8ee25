"""Text from servers, shown honestly: what would be invisible or turn the reading direction is written out."""

import unicodedata

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))


def visible(text: str) -> str:
    """The text with control, format and bidi characters as ‹U+202E›; line ends and tabs stay."""
    if text.isprintable():
        return text
    return "\n".join(map(_line, text.replace("\r\n", "\n").split("\n")))


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(visible(text).split())


def _line(line: str) -> str:
    if line.replace("\t", "").isprintable():
        return line
    return "".join(
        f"‹U+{ord(one):04X}›" if one != "\t" and unicodedata.category(one) in _HIDDEN else one for one in line
    )
