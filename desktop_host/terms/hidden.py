"""Characters that show nothing, or turn the reading direction: servers' texts may hide behind them."""

import unicodedata

_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks, says Unicode, that draw nothing."""
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
_JOINERS = "\u200c\u200d"
_JOINING_SCRIPTS = ("\u0600", "\u0dff")
"""Arabic to Sinhala: scripts whose spelling needs joiners between letters."""


def is_hidden(text: str, place: int) -> bool:
    """The character at `place` shows nothing of itself. Line ends and tabs are hidden too; a joiner that its script or
    an emoji sequence needs is not."""
    one = text[place]
    if one in _BLANKS:
        return True
    if _is_selector(one):
        return not _selects(text[place - 1 : place], one)
    if one.isprintable() or unicodedata.category(one) not in _HIDDEN:
        return False
    return one not in _JOINERS or not _joins(text[place - 1 : place], text[place + 1 : place + 2])


def _joins(before: str, after: str) -> bool:
    if not before or not after:
        return False
    first, last = _JOINING_SCRIPTS
    if first <= before <= last and first <= after <= last:
        return unicodedata.category(before)[0] in "LM" and unicodedata.category(after)[0] == "L"
    return _is_emoji(before) and _is_emoji(after)


def hides_itself(one: str) -> bool:
    """A character that may stand anywhere in a word without being seen."""
    return one in _BLANKS or _is_selector(one) or unicodedata.category(one) == "Cf"


def _is_selector(one: str) -> bool:
    return "\ufe00" <= one <= "\ufe0f" or "\U000e0100" <= one <= "\U000e01ef"


def _selects(before: str, one: str) -> bool:
    """A variation selector has a base to choose a form of: a symbol or digit, or an ideograph."""
    if not before:
        return False
    if one <= "\ufe0f":
        return unicodedata.category(before) in ("So", "Sm", "Po", "Nd") or unicodedata.name(before, "").startswith(
            "CJK"
        )
    return unicodedata.name(before, "").startswith("CJK")


def _is_emoji(one: str) -> bool:
    return unicodedata.category(one) in ("So", "Sk") or one == "\ufe0f"
