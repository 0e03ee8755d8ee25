"""The formats an elicitation may ask for (ELF-31, ELF-47), checked for real and cheaply."""

import re
from datetime import date, datetime
from urllib.parse import urlsplit

_EMAIL = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\u0080-\U0010ffff]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\u0080-\U0010ffff]+)*"
    r"@(?:[^\W_](?:(?:[^\W_]|-){0,61}[^\W_])?\.)+[^\W_](?:(?:[^\W_]|-){0,61}[^\W_])"
)
_DATE_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)", re.ASCII
)
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


def is_email(text: str) -> bool:
    """One address with a domain of two labels or more; names in any script."""
    return len(text) <= 254 and len(text.partition("@")[0]) <= 64 and bool(_EMAIL.fullmatch(text))


def is_uri(text: str) -> bool:
    """An absolute URI of RFC 3986: a scheme, and only the characters that may stand in one."""
    if not _URI.fullmatch(text) or _BAD_ESCAPE.search(text):
        return False
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    return bool(parts.netloc) or parts.scheme not in ("http", "https", "ws", "wss", "ftp")


def is_date(text: str) -> bool:
    """A full-date of RFC 3339."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_date_time(text: str) -> bool:
    """A date-time of RFC 3339, with its offset; second 60 is a leap second."""
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        return False
    day, hour, minute, second = match.group(1), *(int(part) for part in match.group(2, 3, 4))
    if not is_date(day) or hour > 23 or minute > 59 or second > 60:
        return False
    try:
        datetime.fromisoformat(f"{day}T{hour:02}:{minute:02}:{min(second, 59):02}")
    except ValueError:
        return False
    return True
