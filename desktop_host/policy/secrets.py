"""Secrets in text: keys, tokens, private keys, card numbers; and what tells of people: e-mail, telephone and identity
numbers. Patterns are bounded, so that time is linear in the text.

Numbers with a checksum are held against it; what only looks like one is left alone.
"""

import re
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, cast

from desktop_host.terms.sensitive import PERSONAL_KINDS, SECRET_KINDS


@dataclass(frozen=True, slots=True)
class Found:
    """A secret in a text, from `start` to `end`. `kind` is one of `terms.sensitive`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Marked:
    """What was found of these kinds in each of some texts."""

    kinds: frozenset[str]
    texts: tuple[tuple[Found, ...], ...]


SECRETS = frozenset(SECRET_KINDS)
PERSONAL = frozenset(PERSONAL_KINDS)
_BIT, _LONGEST = 32_768, 8_192
"""Characters that are searched at once, and more than any of the patterns can match."""
_REST = 0.001
_RUN = re.compile(r"[A-Za-z0-9_+/=-]*")
_RUNS_ON = frozenset(("key", "token", "password", "private_key"))
"""Kinds that are masked to the end of the run of letters they are in: their length is not known."""
_MOST_PASSES = 8


def _luhn(text: str) -> bool:
    digits = [int(one) for one in text if one.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 3:
        return False
    doubled = [digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4) for place, digit in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def _iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(one, 36)) for one in plain[4:] + plain[:4])) % 97 == 1


def _chinese_identity(text: str) -> bool:
    weights, ends = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2), "10X98765432"
    return ends[sum(int(digit) * weight for digit, weight in zip(text, weights, strict=False)) % 11] == text[-1].upper()


def _mixed(text: str) -> bool:
    """It has the look of a random value, not of a word or a placeholder."""
    value = text.rpartition("=")[2].rpartition(":")[2].strip(" \"'")
    return len(value) >= 8 and bool(re.search(r"\d", value)) and bool(re.search(r"[A-Za-z]", value))


def _random(text: str) -> bool:
    """What stands behind the first word is no word itself."""
    return bool(re.search(r"[0-9A-Z]", text.partition(" ")[2].strip()))


def _any(_text: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What secrets of a kind look like. `hints`: a text with none of them, whatever their case, has no match.

    To look for a hint takes a hundredth of a search.
    """

    kind: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool]
    hints: tuple[str, ...] = ()


_PATTERNS = tuple(
    _Pattern(kind, re.compile(pattern), check, tuple(hints.split()))
    for kind, pattern, check, hints in (
        ("private_key",
         r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{20,6000}"
         r"(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?",
         _any, "-----begin"),
        ("token", r"\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}", _any, "eyj"),
        ("key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b", _any, "akia asia abia acca"),
        ("key", r"\bsk-(?:ant-|proj-|or-v1-|svcacct-)?[A-Za-z0-9_-]{20,200}", _mixed, "sk-"),
        ("key", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,200}", _any, "k_live_ k_test_"),
        ("key", r"\bAIza[A-Za-z0-9_-]{35}\b", _any, "aiza"),
        ("token", r"\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,255}\b|\bgithub_pat_[A-Za-z0-9_]{50,255}\b", _any,
         "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"),
        ("token", r"\bgl(?:pat|ptt|rt|dt)-[A-Za-z0-9_-]{20,100}", _any, "glpat- glptt- glrt- gldt-"),
        ("token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,250}", _any, "xox"),
        ("token", r"\bhf_[A-Za-z0-9]{30,100}\b|\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{50,300}", _any,
         "hf_ npm_ pypi-"),
        ("token", r"\bdop_v1_[a-f0-9]{64}\b|\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b", _any, "dop_v1_ sg."),
        ("token", r"\bya29\.[A-Za-z0-9_-]{20,300}", _any, "ya29."),
        ("token", r"(?i)\b(?:bearer|basic)\s{1,4}[A-Za-z0-9._~+/-]{20,2000}={0,2}", _random, "bearer basic"),
        ("password", r"(?<=://)[^\s:/@]{1,100}:[^\s:/@]{3,200}(?=@)", _any, "://"),
        ("password", r"(?i)(?<![A-Za-z])(?:password|passwd|pwd|passphrase|密码|口令)"
         r"[\"']?\s{0,3}[:=：]\s{0,3}[\"']?[^\s\"',;]{6,200}", _mixed, "passw pwd passphrase 密码 口令"),
        ("key", r"(?i)(?<![A-Za-z])(?:api[_-]?key|access[_-]?key|secret[_-]?key|client[_-]?secret|auth[_-]?token"
         r"|access[_-]?token|secret|密钥|令牌)[\"']?\s{0,3}[:=：]\s{0,3}[\"']?[A-Za-z0-9_./+=-]{12,300}", _mixed,
         "key secret token 密钥 令牌"),
        ("card", r"(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d|\.\d)", _luhn, ""),
        ("email", r"(?<![\w.+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b", _any,
         "@"),
        ("phone", r"(?<![\d+.])\+\d{1,3}[ ()./-]{0,3}\d(?:[ ()./-]{0,2}\d){6,13}(?!\d)"
         r"|(?<![\d.])1[3-9]\d(?:[ -]?\d{4}){2}(?!\d|\.\d)|(?<![\d.])\(\d{3}\) ?\d{3}-\d{4}(?!\d)", _any, ""),
        ("identity", r"(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)",
         _chinese_identity, ""),
        ("identity", r"(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])", _any, "-"),
        ("account", r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b", _iban, ""),
    )
)  # fmt: skip


def find_secrets(text: str, kinds: Collection[str] = SECRETS, *, gently: bool = False) -> tuple[Found, ...]:
    """What there is of these kinds in a text, in order and apart from each other: those that overlap are one.

    `gently`: other threads have the better part of the time, so that windows stay quick. A megabyte takes 0.1 s, or so
    0.3 s.
    """
    plain = text.casefold()
    found = [
        Found(match.start(), match.end(), one.kind)
        for one in _PATTERNS
        if one.kind in kinds
        if not one.hints or any(hint in plain for hint in one.hints)
        for match in _matches(one.pattern, text, _REST if gently else 0)
        if one.check(match.group())
    ]
    for place, one in enumerate(found):
        if one.kind in _RUNS_ON and (run := _RUN.match(text, one.end)) and run.end() > one.end:
            found[place] = Found(one.start, run.end(), one.kind)
    apart: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        before = apart[-1] if apart else None
        if before is None or one.start >= before.end:
            apart.append(one)
        elif one.end > before.end:
            longer = one if one.end - one.start > before.end - before.start else before
            apart[-1] = Found(before.start, one.end, longer.kind)
    return tuple(apart)


def _matches(pattern: re.Pattern[str], text: str, rest: float) -> Iterator[re.Match[str]]:
    """All matches, as `finditer` has them, but bit by bit: a search lets no other thread run, 20 ms for a megabyte."""
    start, end = 0, len(text)
    while start < end:
        stop = min(start + _BIT, end)
        for match in pattern.finditer(text, start, min(stop + _LONGEST, end)):
            if match.start() >= stop:
                break
            yield match
            start = match.end()
        start = max(start, stop)
        if rest and start < end:
            time.sleep(rest)


class Masker:
    """Puts a word for what it was in the place of each secret: «key 1». Equal secrets have the same word everywhere."""

    def __init__(self, kinds: Collection[str] = SECRETS) -> None:
        self._kinds = kinds
        self._names: dict[str, str] = {}

    def text(self, text: str) -> str:
        """The text without its secrets, also those that only stand alone once others are gone.

        A text that is made to hold ever more of them is hidden as a whole.
        """
        for _ in range(_MOST_PASSES):
            before, text = text, self._once(text)
            if text == before:
                return text
        return "«…»"

    def _once(self, text: str) -> str:
        parts: list[str] = []
        end = 0
        for one in find_secrets(text, self._kinds):
            value = text[one.start : one.end]
            parts += [text[end : one.start], self._names.setdefault(value, f"«{one.kind} {len(self._names) + 1}»")]
            end = one.end
        return "".join([*parts, text[end:]])

    def value(self, value: Any) -> Any:
        """A JSON value with every text in it, names of members too, without its secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(one) for one in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {self.text(name): self.value(one) for name, one in cast("dict[str, Any]", value).items()}
        return value


def masked(text: str) -> str:
    """A single text without its secrets."""
    return Masker().text(text)


def masked_value(value: Any) -> Any:
    """A single JSON value without its secrets."""
    return Masker().value(value)
