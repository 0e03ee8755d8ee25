"""Text from servers, shown honestly: what would be invisible or turn the reading direction is written out."""

import unicodedata

_KEPT = "\n\t"


def visible(text: str) -> str:
    """The text with control, format and bidi characters as ‹U+202E›; line ends and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(
        f"‹U+{ord(one):04X}›"
        if one not in _KEPT and unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
        else one
        for one in text
    )


def one_line(text: str) -> str:
    """The same on one line."""
    return " ".join(visible(text).split())
