"""Characters that show nothing, or turn the reading direction: servers' texts may hide behind them."""

import unicodedata

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
_JOINERS = "\u200c\u200d"
_JOINING_SCRIPTS = ("\u0600", "\u0dff")
"""Arabic to Sinhala: scripts whose spelling needs joiners between letters."""


def is_hidden(text: str, place: int) -> bool:
    """The character at `place` shows nothing of itself. Line ends and tabs are hidden too; a joiner that its script or
    an emoji sequence needs is not."""
    one = text[place]
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


def _is_emoji(one: str) -> bool:
    return unicodedata.category(one) in ("So", "Sk") or one == "\ufe0f"
