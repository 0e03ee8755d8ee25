"""What a person enters, and what leaves: rules that hold for every schema and every entry."""

import json
import unicodedata
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_host.checking.checker import Checker
from desktop_host.elicitation.check import check_form
from desktop_host.elicitation.form import Entry, Form
from desktop_host.elicitation.screening import secret_fields
from desktop_host.ui.visible import one_line, visible

# Reading is the same for every example, the first one pays for a process; only the number of examples is bounded.
quick = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
async def checker() -> AsyncIterator[Checker]:
    checker = Checker()
    await checker.warm_up()
    yield checker
    await checker.close()


def one_field(schema: dict[str, Any], *, required: bool = False) -> Form:
    return Form.from_schema({"type": "object", "properties": {"f": schema}, "required": ["f"] if required else []})


@pytest.mark.parametrize(
    ("schema", "entry", "key"),
    [
        ({"type": "number"}, "1e999", "form.number_too_big"),
        ({"type": "number"}, "2o", "form.not_number"),
        ({"type": "number", "multipleOf": 0.01}, "0.035", "form.not_multiple"),
        ({"type": "integer"}, "1.5", "form.not_integer"),
        ({"type": "integer"}, "٣", "form.not_integer"),
        ({"type": "integer", "minimum": 1}, "0", "form.too_small"),
        ({"type": "integer", "maximum": 3}, "4", "form.too_large"),
        ({"type": "integer", "minimum": 1, "maximum": 3}, "4", "form.out_of_range"),
        ({"type": "integer", "exclusiveMinimum": 1}, "1", "form.not_above"),
        ({"type": "integer", "exclusiveMaximum": 3}, "3", "form.not_below"),
        ({"type": "string", "minLength": 2}, "é", "form.too_short"),
        ({"type": "string", "maxLength": 1}, "ab", "form.too_long"),
        ({"type": "string", "format": "email"}, "a@b", "form.not_email"),
        ({"type": "string", "format": "date"}, "2027-02-29", "form.not_date"),
        ({"type": "string", "format": "date-time"}, "2027-06-15T09:30:00", "form.not_date_time"),
        ({"type": "string", "format": "uri"}, "//example.org", "form.not_uri"),
        ({"type": "string", "enum": ["a"]}, "b", "form.not_a_choice"),
        ({"type": "array", "items": {"enum": ["a"]}}, ("b",), "form.not_a_choice"),
        ({"type": "array", "items": {"enum": ["a"]}, "minItems": 2}, ("a",), "form.too_few"),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 1}, ("a", "b"), "form.too_many"),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True}, ("a", "a"), "form.schema"),
        ({"type": "boolean"}, "yes", "form.not_boolean"),
        ({"type": "integer", "minimum": 5, "maximum": 10**400}, "1", "form.out_of_range"),
        ({"type": "integer", "maximum": -(10**400)}, "1", "form.too_large"),
        ({"type": "boolean", "const": True}, False, "form.must_be"),
        ({"type": "string", "pattern": "^a$"}, "b", "form.pattern"),
        ({"type": "object", "required": ["zip"]}, "{}", "form.schema"),
        ({"type": "object"}, "{", "form.not_json"),
        ({"type": "object"}, '{"n": 1e999}', "form.not_json"),
        ({"type": "object"}, '{"n": NaN}', "form.not_json"),
        ({"$ref": "https://schemas.invalid/x.json"}, "1", "form.cannot_check"),
        ({"$ref": "#/properties/f"}, "[1]", "form.cannot_check"),
    ],
    ids=lambda value: json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else None,
)
async def test_what_is_wrong_is_said_by_its_own_sentence(
    checker: Checker, schema: dict[str, Any], entry: Entry, key: str
) -> None:
    reading, _ = await check_form(checker, one_field(schema), {"f": entry})
    assert {name: message.key for name, message in reading.errors.items()} == {"f": key}


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_a_default_that_is_no_finite_number_is_not_filled_in(number: float) -> None:
    [field] = one_field({"type": "number", "default": number}).fields
    assert field.bad_default
    assert not field.has_default


@pytest.mark.parametrize(
    ("schema", "entry", "value"),
    [
        ({"type": "integer"}, "90071992547409910", 90071992547409910),
        ({"type": "integer"}, "-2147483649", -2147483649),
        ({"type": "integer"}, "3.0", 3),
        ({"type": "number"}, "0.3", 0.3),
        ({"type": "number"}, ".5", 0.5),
        ({"type": "number", "multipleOf": 0.1}, "0.3", 0.3),
        ({"type": "integer", "minimum": -(2**70), "maximum": 2**70}, str(2**70), 2**70),
        ({"type": "array", "items": {"oneOf": [{"const": "x", "title": "X"}]}}, ("X",), ["x"]),
        ({"type": "string", "pattern": "(unclosed"}, "anything", "anything"),
        ({"type": "string", "format": "ipv4"}, "not one", "not one"),
        ({"type": "string", "minLength": 1, "maxLength": 1}, "𝄞", "𝄞"),
    ],
    ids=lambda value: json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else None,
)
async def test_what_is_right_is_sent_exactly(
    checker: Checker, schema: dict[str, Any], entry: Entry, value: Any
) -> None:
    reading, _ = await check_form(checker, one_field(schema), {"f": entry})
    assert reading.ok, reading.errors
    assert json.dumps(reading.content["f"]) == json.dumps(value)


@pytest.mark.parametrize("schema", [{}, {"oneOf": [{"const": None, "title": "None"}, {"const": "a"}]}, {"const": None}])
@pytest.mark.parametrize("entry", ["null", "None", None])
def test_null_is_never_sent(schema: dict[str, Any], entry: Entry) -> None:
    assert one_field(schema).read({"f": entry}).content == {}


@pytest.mark.parametrize("name", ["", "a.b", "__proto__", "a/b~c", " ", "x" * 300, "Confirm the operation"])
async def test_any_property_name_goes_there_and_back(checker: Checker, name: str) -> None:
    form = Form.from_schema({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]})
    assert set((await check_form(checker, form, {}))[0].errors) == {name}
    reading, _ = await check_form(checker, form, {name: "here"})
    assert reading.content == {name: "here"}
    assert reading.ok


async def test_a_form_with_nothing_to_fill_in_is_a_plain_confirmation(checker: Checker) -> None:
    for params in (
        {"message": "Go on?", "requestedSchema": {"type": "object", "properties": {}}},
        {"message": "Go on?"},
    ):
        form = Form.from_params(params)
        reading, _ = await check_form(checker, form, {})
        assert (form.message, reading.content, reading.errors) == ("Go on?", {}, {})
    assert [notice.key for notice in form.notices] == ["form.no_schema"]


SECRETS = [
    "password", "Passwort-password", "user_pwd", "API key", "apiKey", "access_token", "clientSecret", "p-a-s-s-w-o-r-d",
    "ｐａｓｓｗｏｒｄ", "pass\u200bword", "раssword", "p@ssw0rd", "cvv", "credit card number", "PIN", "seed phrase", "密码", "银行卡号", "验证码",
]  # fmt: skip
HARMLESS = [
    "passenger",
    "compass",
    "keyboard",
    "tokenizer",
    "city",
    "spinning",
    "secretary",
    "monkey",
    "card game",
    "护照号码",
]


@pytest.mark.parametrize("where", ["name", "title", "description"])
@pytest.mark.parametrize("text", SECRETS)
def test_a_form_that_asks_for_a_secret_is_said_so(where: str, text: str) -> None:
    field = {"type": "string"} if where == "name" else {"type": "string", where: text}
    name = text if where == "name" else "field"
    assert secret_fields(Form.from_schema({"properties": {name: field}})) == (name,)


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_form_is_not_accused(text: str) -> None:
    fields = {"f": {"type": "string", "title": text}, text: {"type": "string"}}
    choice = {"pick": {"type": "string", "title": "password", "enum": ["a"]}, "password": {"type": "boolean"}}
    assert secret_fields(Form.from_schema({"properties": fields | choice})) == ()


@quick
@given(st.text() | st.text(alphabet=st.characters(categories=["Cc", "Cf", "Cs", "Co", "Zl", "Zp"])))
def test_visible_leaves_nothing_that_cannot_be_seen(text: str) -> None:
    shown = visible(text)
    assert all(character in "\n\t" or character.isprintable() or character == "\u3000" for character in _rest(shown))
    assert visible(shown) == shown
    assert "\n" not in one_line(text)


def _rest(text: str) -> Iterator[str]:
    """The characters but those whose width alone is odd: spaces of every kind are seen as space."""
    return (one for one in text if unicodedata.category(one) not in ("Zs", "Cn"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("line1\r\nline2\tend", "line1\nline2\tend"),
        ("\x1b[31mred", "‹U+001B›[31mred"),
        ("exe.png\u202etxt", "exe.png‹U+202E›txt"),
        ("zero\u200bwidth", "zero‹U+200B›width"),
        ("a\rb", "a‹U+000D›b"),
        ("中文 é 👩", "中文 é 👩"),
    ],
)
def test_what_hides_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown
