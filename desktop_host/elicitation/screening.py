"""Findings about a form: it asks for a secret, or its words hide something."""

import re
import unicodedata
from typing import Any, cast

from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.elicitation.form import Form
from desktop_host.elicitation.lookalikes import in_latin
from desktop_host.terms.asks import Finding, JsonObject, Severity
from desktop_host.terms.hidden import hides_itself, is_hidden
from desktop_host.terms.messages import say

_LETTERS = str.maketrans({"0": "o", "$": "s", "@": "a", "1": "l", "3": "e"})
_SECRETS = re.compile(
    r"\b[a-z]*pass ?(?:word|wd|phrase|code)s?\b|\bpwd\b"
    r"|\b(?:api|access|secret|private|ssh|signing|encryption) ?keys?\b"
    r"|\b(?:access|auth|bearer|refresh|session|api|bot|login|github|gitlab|hf|hugging ?face|npm|pypi|slack|discord"
    r"|personal|security|service|user|admin|jwt|oauth) ?tokens?\b|^token$"
    r"|\b(?:client|aws|app|shared|oauth|webhook|api) secrets?\b|^secret$"
    r"|\b(?:recovery|seed|mnemonic) (?:phrase|codes?|words)\b"
    r"|\b(?:otp|totp|one ?time (?:code|password)|(?:verification|authenticator|2fa|mfa|security) code)\b"
    r"|\b(?:credit|debit|bank) ?card\b|\b(?:card|cc) ?(?:number|num|no)\b|\bcvv2?\b|\bcvc2?\b|\biban\b"
    r"|\b(?:card )?pin(?: (?:code|number|no))\b|\bcard pin\b|^pin$"
    r"|密码|密碼|口令|密钥|密鑰|私钥|私鑰|令牌|验证码|驗證碼|动态码|信用卡|银行卡|銀行卡|卡号|卡號|安全码|安全碼|助记词|助記詞"
)

_WARNS = re.compile(r"\b(?:do not|don.?t|never|no|without|not)\b|不要|请勿|切勿|不需要|无需|绝不|不会")
"""Words with which a description asks for no secret, where they stand before it in the same clause."""
_CLAUSES = re.compile(r"[.!?;\n()。！？；（）]+")
_DEEPEST = 8


def secret_fields(form: Form) -> tuple[str, ...]:
    """Names of the fields that ask for a password, key, token or card number (ELF-16).

    Where only the message asks for one, it may be meant by any field there is to type into.
    """
    named = tuple(one.name for one in form.fields if asks_for_secret(one))
    typed = tuple(one.name for one in form.fields if _holds_text(one))
    return named or (typed if _asks_for_secret(form.message) else ())


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
    return any(_secret(text) is not None for text in (name, title) if isinstance(text, str)) or (
        isinstance(description, str) and _asks_for_secret(description)
    )


def _asks_for_secret(sentence: str) -> bool:
    found = (_secret(clause) for clause in _CLAUSES.split(sentence))
    return any(one is not None and not _WARNS.search(one) for one in found)


def _secret(text: str) -> str | None:
    """What stands before a word for a secret, None where the text has no such word."""
    plain = _plain(text)
    for heard in (plain, plain.translate(_LETTERS)):
        found = _SECRETS.search(heard)
        if found is not None:
            return heard[: found.start()]
    return None


def form_findings(form: Form) -> tuple[Finding, ...]:
    """What the person must know before filling the form in."""
    secrets = [Finding(Severity.DANGER, say("form.asks_for_secret"), name) for name in secret_fields(form)]
    if secrets and not any(asks_for_secret(one) for one in form.fields):
        secrets = [Finding(Severity.DANGER, say("form.words_ask_for_secret"))]
    texts = [form.message, *(text for one in form.fields for text in (one.title, one.description))]
    hidden = [Finding(Severity.WARNING, say("text.hidden_characters"))] if any(hides(text) for text in texts) else []
    return (*secrets, *hidden)


def _holds_text(one: Field) -> bool:
    return one.kind not in (FieldKind.BOOLEAN, FieldKind.CHOICE, FieldKind.CHOICES)


def hides(text: str) -> bool:
    """The text holds characters that show nothing or turn the reading direction."""
    return any(one not in "\n\t\r" and is_hidden(text, place) for place, one in enumerate(text))


def _plain(text: str) -> str:
    """A text as a person would hear it: look-alike and hidden letters, camel case, separators and spacing undone."""
    text = unicodedata.normalize("NFKC", "".join(one for one in text if not hides_itself(one)))
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    text = in_latin(re.sub(r"[_\-./:]+", " ", text).casefold())
    text = re.sub(r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])", "", text)
    text = re.sub(r"(?<=[a-z])(?=\d+$)|(?<=[a-z])(?=\d+ )", " ", text)
    return re.sub(r"\b(?:[a-z] ){3,}[a-z]\b", lambda match: match.group().replace(" ", ""), text)
