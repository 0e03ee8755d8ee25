"""Findings about a form: it asks for a secret, or its words hide something."""

import re
import unicodedata
from typing import Any, cast

from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.elicitation.form import Form
from desktop_host.terms.asks import Finding, JsonObject, Severity
from desktop_host.terms.hidden import is_hidden
from desktop_host.terms.messages import say

_LOOKALIKES = str.maketrans(
    {
        "а": "a",
        "е": "e",
        "о": "o",
        "р": "p",
        "с": "c",
        "х": "x",
        "ѕ": "s",
        "і": "i",
        "к": "k",
        "у": "y",
        "0": "o",
        "$": "s",
        "@": "a",
    }
)
_SECRETS = re.compile(
    r"\bpass ?(?:word|wd|phrase|code)s?\b|\bpwd\b"
    r"|\b(?:api|access|secret|private|ssh|signing) ?keys?\b"
    r"|\b(?:access|auth|bearer|refresh|session|api|bot|login|github) ?tokens?\b|^token$"
    r"|\bclient secret\b|\b(?:recovery|seed|mnemonic) (?:phrase|codes?|words)\b"
    r"|\b(?:otp|totp|one ?time (?:code|password)|(?:verification|authenticator|2fa|mfa|security) code)\b|^secret$"
    r"|\b(?:credit|debit|bank) ?card\b|\bcard ?(?:number|no)\b|\bcvv2?\b|\bcvc2?\b|\bcard pin\b|^pin$|\biban\b"
    r"|密码|密碼|口令|密钥|密鑰|私钥|私鑰|令牌|验证码|驗證碼|动态码|信用卡|银行卡|銀行卡|卡号|卡號|安全码|安全碼|助记词|助記詞"
)

_DEEPEST = 8

_WARNS = re.compile(r"\b(?:do not|don.?t|never|no|without|not)\b|不要|请勿|切勿|不需要|无需")
"""Words with which a description asks for no secret."""


def secret_fields(form: Form) -> tuple[str, ...]:
    """Names of the fields that ask for a password, key, token or card number (ELF-16).

    Where only the message asks for one, it is meant by the one field there is to type into.
    """
    named = tuple(one.name for one in form.fields if asks_for_secret(one))
    typed = tuple(one.name for one in form.fields if _holds_text(one))
    return named or (typed if len(typed) == 1 and _asks_for_secret(form.message) else ())


def asks_for_secret(one: Field) -> bool:
    """The field's name, title, description or format asks for a secret, or that of a part of it where it is an object.

    Choices and yes/no cannot hold one.
    """
    if not _holds_text(one):
        return False
    if _speaks_of_secret(one.name, one.title, one.description, one.schema):
        return True
    return one.kind is FieldKind.JSON and _holds_secret(one.schema, _DEEPEST)


def _holds_secret(schema: object, depth: int) -> bool:
    if not isinstance(schema, dict) or depth == 0:
        return False
    found = cast("JsonObject", schema)
    properties: Any = found.get("properties")
    for name, part in cast("JsonObject", properties).items() if isinstance(properties, dict) else ():
        inner = cast("JsonObject", part) if isinstance(part, dict) else {}
        if _speaks_of_secret(name, inner.get("title"), inner.get("description"), inner):
            return True
    parts = [*cast("JsonObject", properties).values()] if isinstance(properties, dict) else []
    for key in ("anyOf", "oneOf", "allOf"):
        branches: Any = found.get(key)
        parts += cast("list[Any]", branches) if isinstance(branches, list) else []
    return any(_holds_secret(part, depth - 1) for part in [*parts, found.get("items")])


def _speaks_of_secret(name: str, title: object, description: object, schema: JsonObject) -> bool:
    if schema.get("format") == "password" or schema.get("writeOnly") is True:
        return True
    return any(_SECRETS.search(_plain(text)) for text in (name, title) if isinstance(text, str)) or (
        isinstance(description, str) and _asks_for_secret(description)
    )


def _asks_for_secret(sentence: str) -> bool:
    plain = _plain(sentence)
    return bool(_SECRETS.search(plain)) and not _WARNS.search(plain)


def form_findings(form: Form) -> tuple[Finding, ...]:
    """What the person must know before filling the form in."""
    secrets = [Finding(Severity.DANGER, say("form.asks_for_secret"), name) for name in secret_fields(form)]
    if not secrets and _asks_for_secret(form.message) and any(_holds_text(one) for one in form.fields):
        secrets.append(Finding(Severity.DANGER, say("form.words_ask_for_secret")))
    texts = [form.message, *(text for one in form.fields for text in (one.title, one.description))]
    hidden = [Finding(Severity.WARNING, say("text.hidden_characters"))] if any(hides(text) for text in texts) else []
    return (*secrets, *hidden)


def _holds_text(one: Field) -> bool:
    return one.kind not in (FieldKind.BOOLEAN, FieldKind.CHOICE, FieldKind.CHOICES)


def hides(text: str) -> bool:
    """The text holds characters that show nothing or turn the reading direction."""
    return any(one not in "\n\t\r" and is_hidden(text, place) for place, one in enumerate(text))


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    text = "".join(character for character in text if unicodedata.category(character) != "Cf")
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    text = re.sub(r"[_\-./:]+", " ", text).casefold().translate(_LOOKALIKES)
    return re.sub(r"\b(?:[a-z] ){3,}[a-z]\b", lambda match: match.group().replace(" ", ""), text)
