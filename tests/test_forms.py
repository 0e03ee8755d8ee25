"""What a person enters, and what leaves: the published cases, and rules that hold for every schema and every entry."""

import json
import math
import time
import unicodedata
from collections.abc import AsyncIterator, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from desktop_host.checking.checker import Checker
from desktop_host.checking.formats import is_date, is_date_time, is_email, is_uri
from desktop_host.elicitation.check import check_form
from desktop_host.elicitation.fields import FieldKind
from desktop_host.elicitation.form import Entry, Form, entry_of
from desktop_host.elicitation.screening import form_findings, secret_fields
from desktop_host.terms.messages import Message
from desktop_host.ui.visible import one_line, visible

CASES = json.loads((Path(__file__).parent / "cases" / "elicitation.json").read_text(encoding="utf-8"))["cases"]
# Reading is the same for every example, the first one pays for a process; only the number of examples is bounded.
quick = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
async def checker() -> AsyncIterator[Checker]:
    checker = Checker()
    await checker.warm_up()
    yield checker
    await checker.close()


def entries_of(step: dict[str, Any]) -> dict[str, Entry]:
    """A step's `enter` and `clear` as entries: a list of labels is a tuple, a cleared field is None."""
    entered = {name: tuple(one) if isinstance(one, list) else one for name, one in step["enter"].items()}
    return entered | dict.fromkeys(step.get("clear", []))


def named(messages: tuple[Message, ...]) -> set[object]:
    """The fields that notices are about."""
    return {message.mapping.get("field") for message in messages}


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['what']}" for case in CASES])
async def test_a_published_case(checker: Checker, case: dict[str, Any]) -> None:
    form = Form.from_params(case["params"])
    for step in case["steps"]:
        expect: dict[str, Any] = dict(step["expect"])
        started = time.monotonic()
        reading, notices = await check_form(checker, form, entries_of(step))
        took = time.monotonic() - started
        assert "form.schema_unusable" not in [notice.key for notice in notices]
        if "sent" in expect:
            assert reading.ok, reading.errors
            assert json.dumps(reading.content) == json.dumps(expect.pop("sent"))
        if "blocked" in expect:
            assert set(reading.errors) == set(expect.pop("blocked"))
        if "blocked_within_ms" in expect:
            assert set(reading.errors) == set(step["enter"])
            assert took * 1000 < expect.pop("blocked_within_ms")
        if "blocked_with_notice" in expect:
            assert set(reading.errors) == set(expect["blocked_with_notice"])
            assert named(form.notices) == set(expect.pop("blocked_with_notice"))
        if "notices" in expect:
            assert named((*form.notices, *notices)) == set(expect.pop("notices"))
        if "findings" in expect:
            fields = expect.pop("findings")
            assert [finding.where for finding in form_findings(form)] == fields
            assert secret_fields(form) == tuple(fields)
        assert not expect, "an expectation that this test does not know"


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
        ({"$ref": "#/properties/f"}, "[1]", [1]),
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


# Rules for every input.

texts = st.text(max_size=8) | st.sampled_from(
    ["a", "A", "1", "true", "2027-06-15", "a@b.example", "https://h.example", "null"]
)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0, 1, 0.1, 1e22, 2**70])
plain = st.none() | st.booleans() | numbers | texts
json_values = st.recursive(
    plain | st.sampled_from([math.inf, -math.inf, math.nan]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
KEYWORDS = [
    "type", "enum", "enumNames", "oneOf", "anyOf", "const", "title", "description", "default", "items", "minItems",
    "maxItems", "uniqueItems", "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "$ref", "properties", "required", "x-own",
]  # fmt: skip
TYPES = ["string", "number", "integer", "boolean", "array", "object", "null", "hologram"]
odd_schemas = st.recursive(
    st.dictionaries(
        st.sampled_from(KEYWORDS),
        json_values
        | st.sampled_from([*TYPES, ["integer", "null"], "#/properties/a", "#/$defs/x", "https://h.invalid", "#", "^(a"])
        | st.lists(st.fixed_dictionaries({"const": plain, "title": texts}), max_size=3),
        max_size=5,
    ),
    lambda inner: st.dictionaries(st.sampled_from(["items", "anyOf", "not"]), inner | st.lists(inner, max_size=2)),
    max_leaves=3,
)
entries = st.none() | st.booleans() | texts | st.lists(texts, max_size=3).map(tuple) | numbers.map(str)


@st.composite
def typed_schemas(draw: st.DrawFn) -> dict[str, Any]:
    """A property of the subset that the protocol allows, with bounds that may or may not leave room."""
    shape = draw(st.sampled_from(["string", "number", "integer", "boolean", "enum", "titled", "multi", "nullable"]))
    some: dict[str, st.SearchStrategy[Any]] = {"title": texts, "description": texts}
    required: dict[str, Any] = {}
    small = st.integers(0, 5)
    if shape == "string":
        formats, patterns = ["email", "uri", "date", "date-time", "ipv4"], ["^a", r"^\d+$", r"\p{L}", "(", "^(a+)+b"]
        required["type"] = "string"
        some |= {"minLength": small, "maxLength": small, "format": st.sampled_from(formats)}
        some |= {"pattern": st.sampled_from(patterns), "default": texts}
    elif shape in ("number", "integer"):
        required["type"] = shape
        some |= dict.fromkeys(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "default"], numbers)
        some["multipleOf"] = st.sampled_from([1, 2, 0.1, 0.01, 3])
    elif shape == "boolean":
        required["type"] = "boolean"
        some |= {"default": st.booleans(), "const": st.booleans()}
    elif shape == "enum":
        values = draw(st.lists(texts | st.integers(0, 3) | st.none(), min_size=1, max_size=4))
        required["enum"] = values
        some |= {"enumNames": st.lists(texts, max_size=4), "default": st.sampled_from(values)}
    elif shape == "titled":
        branches = st.fixed_dictionaries({"const": plain}, optional={"title": texts})
        required[draw(st.sampled_from(["oneOf", "anyOf"]))] = draw(st.lists(branches, min_size=1, max_size=4))
    elif shape == "multi":
        required["type"] = "array"
        required["items"] = {"type": "string", "enum": draw(st.lists(texts, min_size=1, max_size=4, unique=True))}
        some |= {"minItems": small, "maxItems": small, "uniqueItems": st.booleans()}
    else:
        required["anyOf"] = [{"type": draw(st.sampled_from(["string", "integer", "boolean"]))}, {"type": "null"}]
        some["default"] = st.none()
    return required | draw(st.fixed_dictionaries({}, optional=some))


names = st.sampled_from(["a", "b", "", "x y"])


@quick
@given(
    params=st.fixed_dictionaries(
        {},
        optional={
            "message": json_values,
            "requestedSchema": json_values
            | st.fixed_dictionaries(
                {"properties": st.dictionaries(names, odd_schemas | typed_schemas() | json_values, max_size=4)},
                optional={"required": json_values | st.lists(names), "$defs": json_values},
            ),
        },
    ),
    entered=st.dictionaries(names, entries),
)
@example({"requestedSchema": {"properties": {"a": {"type": "string", "minLength": math.inf}}}}, {"a": "x"})
@example(
    {"requestedSchema": {"properties": {"a": {"type": "array", "items": {"enum": ["x"]}, "minItems": math.inf}}}},
    {"a": ("x",)},
)
@example({"requestedSchema": {"properties": {"a": {"type": "number", "multipleOf": 1e-320, "default": 1}}}}, {})
def test_reading_never_raises_and_never_gives_null(params: dict[str, Any], entered: dict[str, Entry]) -> None:
    form = Form.from_params(params)
    form_findings(form)
    reading = form.read(entered)
    assert set(reading.errors) | set(reading.content) <= {one.name for one in form.fields} | set(form.impossible)
    assert not set(reading.errors) & set(reading.content)
    for one in form.fields:
        labels = [option.label for option in one.options]
        assert one.kind is FieldKind.JSON or len(labels) == len(set(labels)), "labels of one field are unique"
        if one.name in reading.content and entered.get(one.name) is not None:
            assert reading.content[one.name] is not None
        if one.required and one.name not in reading.errors:
            assert one.name in reading.content
    assert None not in reading.content.values()
    json.dumps(reading.content, allow_nan=False)


FORMATS = {"email": is_email, "uri": is_uri, "date": is_date, "date-time": is_date_time}


def really_valid(schema: dict[str, Any], content: dict[str, Any]) -> bool:
    """jsonschema's own opinion, with real formats; patterns are ECMA-262 and tested apart."""
    formats = jsonschema.FormatChecker(formats=())
    for name, test in FORMATS.items():
        formats.checks(name)(lambda value, test=test: not isinstance(value, str) or test(value))
    exact = {"pattern": lambda *_: None, "multipleOf": _multiple}
    validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, exact)
    return validator(schema, format_checker=formats).is_valid(content)


def _multiple(_validator: Any, step: float, value: Any, _schema: Any) -> Iterator[jsonschema.ValidationError]:
    if isinstance(value, int | float) and not isinstance(value, bool) and Fraction(str(value)) % Fraction(str(step)):
        yield jsonschema.ValidationError(f"{value} is no multiple of {step}")


@st.composite
def filled_forms(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Entry]]:
    """A form of the allowed subset, and entries of which most make sense."""
    properties = draw(st.dictionaries(names, typed_schemas(), min_size=1, max_size=3))
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if draw(st.booleans()):
        schema["required"] = draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
    form, entered = Form.from_schema(schema), dict[str, Entry]()
    for one in form.fields:
        labels = [option.label for option in one.options]
        fitting = (
            st.sampled_from(labels) | st.lists(st.sampled_from(labels), max_size=3).map(tuple) if labels else entries
        )
        if draw(st.booleans()):
            entered[one.name] = draw(fitting | entries)
    return schema, entered


@settings(quick, max_examples=120)
@given(filled=filled_forms())
async def test_whatever_is_accepted_is_valid(checker: Checker, filled: tuple[dict[str, Any], dict[str, Entry]]) -> None:
    schema, entered = filled
    reading, notices = await check_form(checker, Form.from_schema(schema), entered)
    assert None not in reading.content.values()
    if reading.ok and "form.schema_unusable" not in [notice.key for notice in notices]:
        assert really_valid(schema, reading.content)


UNREADABLE = ["form.required", "form.not_json", "form.not_text"]
UNREADABLE += ["form.not_a_choice", "form.not_boolean", "form.not_integer", "form.not_number"]


@quick
@given(schema=typed_schemas(), entry=entries, index=st.integers(0, 3))
@example({"type": "integer", "default": 1e22}, "", 0)
@example({"enum": [1, "1"]}, "", 1)
@example(
    {"oneOf": [{"const": "x", "title": "A"}, {"const": "y", "title": "A"}, {"const": "z", "title": "A (x)"}]}, "", 2
)
def test_a_value_is_entered_again_as_itself(schema: dict[str, Any], entry: Entry, index: int) -> None:
    form = one_field(schema)
    one = form.fields[0]
    values = [option.value for option in one.options][index : index + 1]
    if one.kind is FieldKind.CHOICES:
        values = [[value] for value in values]
    values += form.read({"f": entry}).content.values()
    values += [one.default] if one.has_default and one.default not in ("", []) else []
    for value in values:
        again = form.read({"f": entry_of(one, value)})
        if again.errors:  # it was read, and breaks a bound of its own schema
            assert again.errors["f"].key not in UNREADABLE
        else:
            assert json.dumps(again.content.get("f")) == json.dumps(value)


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
