"""Findings about a form: it asks for a secret, or its words hide something."""

import re
import unicodedata

from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.elicitation.form import Form
from desktop_host.terms.asks import Finding, Severity
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
    r"|\b(?:otp|one ?time (?:code|password)|verification code)\b"
    r"|\b(?:credit|debit|bank) ?card\b|\bcard ?(?:number|no)\b|\bcvv2?\b|\bcvc2?\b|\bcard pin\b|^pin$|\biban\b"
    r"|密码|密碼|口令|密钥|密鑰|私钥|令牌|验证码|驗證碼|信用卡|银行卡|銀行卡|卡号|卡號|安全码|助记词"
)

_WARNS = re.compile(r"\b(?:do not|don.?t|never|no|without|not)\b|不要|请勿|切勿|不需要|无需")
"""Words with which a description asks for no secret."""


def secret_fields(form: Form) -> tuple[str, ...]:
    """Names of the fields that ask for a password, key, token or card number (ELF-16)."""
    return tuple(one.name for one in form.fields if asks_for_secret(one))


def asks_for_secret(one: Field) -> bool:
    """The field's name, title, description or format asks for a secret. Choices and yes/no cannot hold one."""
    if one.kind in (FieldKind.BOOLEAN, FieldKind.CHOICE, FieldKind.CHOICES) or (
        one.numeric and "pin" not in one.name.lower()
    ):
        return False
    if one.schema.get("format") == "password" or one.schema.get("writeOnly") is True:
        return True
    if any(_SECRETS.search(_plain(text)) for text in (one.name, one.title)):
        return True
    described = _plain(one.description)
    return bool(_SECRETS.search(described)) and not _WARNS.search(described)


def form_findings(form: Form) -> tuple[Finding, ...]:
    """What the person must know before filling the form in."""
    secrets = [Finding(Severity.DANGER, say("form.asks_for_secret"), name) for name in secret_fields(form)]
    texts = [form.message, *(text for one in form.fields for text in (one.title, one.description))]
    hidden = [Finding(Severity.WARNING, say("text.hidden_characters"))] if any(hides(text) for text in texts) else []
    return (*secrets, *hidden)


def hides(text: str) -> bool:
    """The text holds characters that show nothing or turn the reading direction."""
    return any(unicodedata.category(character) in ("Cf", "Cc") and character not in "\n\t\r" for character in text)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    text = "".join(character for character in text if unicodedata.category(character) != "Cf")
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    text = re.sub(r"[_\-./:]+", " ", text).casefold().translate(_LOOKALIKES)
    return re.sub(r"\b(?:[a-z] ){3,}[a-z]\b", lambda match: match.group().replace(" ", ""), text)
