"""Rules that hold for every schema a server may send and everything a person may enter, over schemas made at random."""

import json
import math
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema
import pytest
from hypothesis import HealthCheck, assume, event, example, given, settings
from hypothesis import strategies as st

from desktop_host.checking.checker import Checker
from desktop_host.checking.formats import is_date, is_date_time, is_email, is_uri
from desktop_host.checking.worker import check_pattern, check_schema
from desktop_host.config.kept import KeptFiles
from desktop_host.elicitation.check import check_form, without_wrong_defaults
from desktop_host.elicitation.drafts import LIFETIME, Drafts
from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.elicitation.form import Entry, Form, entry_of
from desktop_host.elicitation.screening import form_findings

Schema = dict[str, Any]

# Reading is the same for every example, the first one pays for a process; only the number of examples is bounded.
quick = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
thorough = settings(quick, max_examples=250)


@pytest.fixture
async def checker() -> AsyncIterator[Checker]:
    checker = Checker(time_limit=20.0)
    await checker.warm_up()
    yield checker
    await checker.close()


# What may be anything at all.

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
names = st.sampled_from(["a", "b", "", "x y"])


# What the protocol allows: each shape with a value that fits it, mostly.

slack = st.sampled_from([0, 0, 1, 2, 5, -1])
"""How far a bound is from the value; below zero it leaves no room."""
SAMPLES = {
    "email": st.sampled_from(["a@b.example", "grüße@exämple.org", "x.y+z@a-b.example.org"]) | st.emails(),
    "uri": st.sampled_from(["https://h.example/a?b=c#d", "urn:isbn:0451450523", "mailto:a@b.example"]),
    "date": st.sampled_from(["2027-06-15", "2028-02-29"]) | st.dates().map(str),
    "date-time": st.sampled_from(["2016-12-31T23:59:60Z", "2027-06-15t09:30:00.123456789+05:30"])
    | st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat),
}
PATTERNS = [
    "", "^a", r"^\d+$", r"\p{L}", "(", "^(a+)+b", r"^.$", r"^\S+$", "^[^@]*$", r"(?<year>\d{4})-\d\d", r"\u{1d11e}", "^$",
]  # fmt: skip
written = texts | st.sampled_from(["1\n", "٣", "𝄞", "é", "e\u0301", " ", "\n", "aaaaaaaac", "😀"])
STEPS = [1, 2, 3, 0.1, 0.01, 0.25, 1e-7, 2**53 + 1]
whole = st.integers() | st.sampled_from(
    [0, -1, 2**53 - 1, 2**53 + 1, -(2**53) - 1, 2**63, 2**64 - 1, 10**30, 3.0, -0.0]
)
decimals = st.builds(
    lambda digits, places: float(f"{digits}e-{places}"), st.integers(-(10**6), 10**6), st.integers(0, 7)
)
broken = decimals | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.1 + 0.2, 5e-324, -1.7e308])
offered = texts | st.sampled_from([0, 1, False, True, "1", "true", 0.5, 2**70])
labels = st.sampled_from(["A", "B", 'A ("a")', "a", "1", "true", ""]) | texts
NULLS: list[Schema] = [{"type": "null"}, {"const": None}, {"enum": [None]}]


@st.composite
def text_questions(draw: st.DrawFn) -> tuple[Schema, Any, st.SearchStrategy[Any]]:
    format_ = draw(st.sampled_from([None, "ipv4", *SAMPLES]))
    samples = SAMPLES.get(format_ or "", written)
    value: str = draw(samples)
    fitting = [one for one in PATTERNS if check_pattern(one, value).get("matches", True)]
    optional = {
        "minLength": slack.map(lambda gap: max(0, len(value) - gap)),
        "maxLength": slack.map(lambda gap: max(0, len(value) + gap)),
        "pattern": st.sampled_from(fitting) | st.sampled_from(PATTERNS),
    }
    schema = draw(st.fixed_dictionaries({"type": st.just("string")}, optional=optional))
    return schema | ({"format": format_} if format_ else {}), value, samples | texts | st.just("")


@st.composite
def number_questions(draw: st.DrawFn) -> tuple[Schema, Any, st.SearchStrategy[Any]]:
    kind = draw(st.sampled_from(["number", "integer"]))
    samples = whole if kind == "integer" else whole | broken
    value = draw(samples)
    fitting = [step for step in STEPS if Fraction(str(value)) % Fraction(str(step)) == 0]
    below = slack.map(lambda gap: value - gap)
    above = slack.map(lambda gap: value + gap)
    optional = {"minimum": below, "maximum": above, "multipleOf": st.sampled_from(fitting or STEPS)}
    optional |= {"exclusiveMinimum": below, "exclusiveMaximum": above, "format": st.sampled_from(["int32", "double"])}
    schema = draw(st.fixed_dictionaries({"type": st.just(kind)}, optional=optional))
    return schema, value, samples | st.sampled_from([0, 0.5, value])


@st.composite
def boolean_questions(draw: st.DrawFn) -> tuple[Schema, Any, st.SearchStrategy[Any]]:
    value = draw(st.booleans())
    return {"type": "boolean"} | ({"const": value} if draw(st.booleans()) else {}), value, st.booleans()


@st.composite
def offers(draw: st.DrawFn, values: st.SearchStrategy[Any], null: bool = True) -> tuple[Schema, list[Any]]:
    """A schema that offers choices, and the choices."""
    way = draw(st.sampled_from(["enum", "oneOf", "anyOf", "const"]))
    chosen = draw(st.lists(values, min_size=1, max_size=1 if way == "const" else 4, unique_by=json.dumps))
    sent = [*chosen, None] if null and draw(st.booleans()) else chosen
    schema: Schema = {"type": "string"} if all(isinstance(one, str) for one in chosen) and draw(st.booleans()) else {}
    if [type(one) for one in chosen] == [bool] and way != "enum":
        schema["type"] = "boolean"  # a constant that says so is a yes or no of one answer
    if way == "const":
        return schema | {"const": chosen[0]}, chosen
    if way == "enum":
        if draw(st.booleans()):
            schema["enumNames"] = draw(
                st.lists(labels, min_size=len(sent) - draw(st.integers(0, 1)), max_size=len(sent))
            )
        return schema | {"enum": sent}, chosen
    titles = st.fixed_dictionaries({}, optional={"title": labels, "description": texts})
    return schema | {way: [{"const": one} | draw(titles) for one in sent]}, chosen


@st.composite
def choice_questions(draw: st.DrawFn) -> tuple[Schema, Any, st.SearchStrategy[Any]]:
    schema, values = draw(offers(st.just("a") | texts) | offers(offered))
    return schema, draw(st.sampled_from(values)), st.sampled_from([*values, "", 0, False])


@st.composite
def list_questions(draw: st.DrawFn, shared: Schema, any_order: bool) -> tuple[Schema, Any, st.SearchStrategy[Any]]:
    items, values = draw(offers(st.just("a") | texts, null=False))
    chosen = st.lists(st.sampled_from(values), min_size=1, max_size=4)
    value = draw(chosen) if any_order else [one for one in values if draw(st.booleans())]
    optional = {
        "minItems": slack.map(lambda gap: max(0, len(value) - gap)),
        "maxItems": slack.map(lambda gap: max(0, len(value) + gap)),
        "uniqueItems": st.booleans(),
    }
    schema = draw(st.fixed_dictionaries({"type": st.just("array")}, optional=optional))
    schema["items"] = draw(wrapped(items, shared)) if draw(st.booleans()) else items
    return schema, value, chosen | st.just([])


@st.composite
def wrapped(draw: st.DrawFn, schema: Schema, shared: Schema) -> Schema:
    """The schema as libraries write it where it may be null, or is named. `shared` takes what is referred to."""
    way = draw(st.sampled_from(["type", "anyOf", "oneOf", "$ref", "allOf"]))
    if way == "type":
        declared = schema.get("type")
        return {**schema, "type": draw(st.permutations([declared, "null"]))} if isinstance(declared, str) else schema
    if way in ("anyOf", "oneOf"):
        return {way: draw(st.permutations([schema, draw(st.sampled_from(NULLS))]))}
    place = draw(st.sampled_from(["$defs", "definitions"]))
    name = draw(st.sampled_from(["Color", "a/b~c", "per%20cent", "ü x", "", "0"])) + "+" * len(shared.get(place, {}))
    named = shared.setdefault(place, {})
    named[name] = schema | draw(st.fixed_dictionaries({}, optional={"title": texts, "description": texts}))
    reference = {"$ref": f"#/{place}/{quote(name.replace('~', '~0').replace('/', '~1'), safe='~')}"}
    return {"allOf": [reference]} if way == "allOf" else reference


@st.composite
def questions(draw: st.DrawFn, shared: Schema, *, lists_only: bool = False) -> tuple[Schema, Any]:
    """A property, and a value that fits it unless its bounds leave no room."""
    listing = list_questions(shared, any_order=lists_only)
    any_shape = text_questions() | number_questions() | boolean_questions() | choice_questions() | listing
    schema, value, defaults = draw(listing if lists_only else any_shape)
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        schema = draw(wrapped(schema, shared))
    around = {"title": texts, "description": texts, "default": defaults | st.just(value) | st.none()}
    return schema | draw(st.fixed_dictionaries({}, optional=around)), value


@st.composite
def asked(draw: st.DrawFn, *, lists_only: bool = False) -> tuple[Schema, dict[str, Any]]:
    """A requested schema of the allowed subset, and a valid answer to it; what is not in the answer is optional."""
    shared: Schema = {}
    drawn = {
        name: draw(questions(shared, lists_only=lists_only))
        for name in draw(st.lists(names, min_size=1, max_size=3, unique=True))
    }
    schema: Schema = {"type": "object", "properties": {name: one for name, (one, _) in drawn.items()}, **shared}
    if draw(st.booleans()):
        drafts = ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"]
        schema["$schema"] = draw(st.sampled_from(drafts))
    answer = {name: value for name, (_, value) in drawn.items() if is_valid(schema, {name: value})}
    if draw(st.booleans()):
        schema["required"] = [name for name in answer if draw(st.booleans())]
    left_out = [name for name in answer if name not in schema.get("required", ()) and draw(st.booleans())]
    return schema, {name: value for name, value in answer.items() if name not in left_out}


@st.composite
def filled_forms(draw: st.DrawFn) -> tuple[Schema, dict[str, Entry]]:
    """A form of the allowed subset, and entries of which most make sense."""
    schema, answer = draw(asked())
    if draw(st.booleans()):
        schema["required"] = draw(st.lists(st.sampled_from(sorted(schema["properties"])), unique=True))
    entered = dict[str, Entry]()
    for one in Form.from_schema(schema).fields:
        fitting = entries
        if one.options:
            label = st.sampled_from([option.label for option in one.options])
            fitting |= label | st.lists(label, max_size=3).map(tuple)
        if one.name in answer:
            fitting |= st.just(entry_of(one, answer[one.name]))
        if draw(st.booleans()):
            entered[one.name] = draw(fitting)
    return schema, entered


def is_valid(schema: Schema, content: dict[str, Any]) -> bool:
    return check_schema(schema, content) == {"problems": []}


def one_property(schema: Schema) -> Schema:
    return {"type": "object", "properties": {"f": schema}}


def cannot_be_entered(one: Field, value: Any) -> bool:
    """An empty text is no answer (ELF-42), and so is an empty list that is optional (ELF-44)."""
    typed = one.kind in (FieldKind.TEXT, FieldKind.DATE, FieldKind.DATE_TIME)
    return (typed and value == "") or (one.kind is FieldKind.CHOICES and value == [] and not one.required)


def as_asked(one: Field, value: Any) -> Any:
    """The value as it is sent: 3.0 is 3 where a whole number is asked for."""
    return int(value) if one.kind is FieldKind.INTEGER else value


@quick
@given(
    params=st.fixed_dictionaries(
        {},
        optional={
            "message": json_values,
            "requestedSchema": json_values
            | asked().map(lambda pair: pair[0])
            | st.fixed_dictionaries(
                {"properties": st.dictionaries(names, odd_schemas | json_values, max_size=4)},
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
def test_reading_never_raises_and_never_gives_null(params: Schema, entered: dict[str, Entry]) -> None:
    form = Form.from_params(params)
    form_findings(form)
    reading = form.read(entered)
    assert set(reading.errors) | set(reading.content) <= {one.name for one in form.fields} | set(form.impossible)
    assert not set(reading.errors) & set(reading.content)
    for one in form.fields:
        shown = [option.label for option in one.options]
        assert one.kind is FieldKind.JSON or len(shown) == len(set(shown)), "labels of one field are unique"
        if one.name in reading.content and entered.get(one.name) is not None:
            assert reading.content[one.name] is not None
        if one.required and one.name not in reading.errors:
            assert one.name in reading.content
    assert None not in reading.content.values()
    json.dumps(reading.content, allow_nan=False)


FORMATS = {"email": is_email, "uri": is_uri, "date": is_date, "date-time": is_date_time}


def really_valid(schema: Schema, content: dict[str, Any]) -> bool:
    """jsonschema's own opinion, with real formats; patterns are ECMA-262 and not its matter."""
    formats = jsonschema.FormatChecker(formats=())
    for name, test in FORMATS.items():
        formats.checks(name)(lambda value, test=test: not isinstance(value, str) or test(value))
    exact = {"pattern": lambda *_: None, "multipleOf": _multiple}
    base = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    return jsonschema.validators.extend(base, exact)(schema, format_checker=formats).is_valid(content)


def _multiple(_validator: Any, step: float, value: Any, _schema: Any) -> Iterator[jsonschema.ValidationError]:
    if isinstance(value, int | float) and not isinstance(value, bool) and Fraction(str(value)) % Fraction(str(step)):
        yield jsonschema.ValidationError(f"{value} is no multiple of {step}")


@thorough
@given(filled=filled_forms())
async def test_whatever_is_accepted_is_valid(checker: Checker, filled: tuple[Schema, dict[str, Entry]]) -> None:
    schema, entered = filled
    reading, notices = await check_form(checker, Form.from_schema(schema), entered)
    assert None not in reading.content.values()
    assert "form.schema_unusable" not in [notice.key for notice in notices]
    event("accepted" if reading.ok else "refused")
    if reading.ok:
        assert is_valid(schema, reading.content)
        assert really_valid(schema, reading.content)


async def enters(checker: Checker, schema: Schema, answer: dict[str, Any]) -> None:
    form = Form.from_schema(schema)
    wanted = [one for one in form.fields if one.name in answer]
    assume(not any(cannot_be_entered(one, answer[one.name]) for one in wanted))
    entered = {one.name: entry_of(one, answer[one.name]) if one in wanted else None for one in form.fields}
    reading, _ = await check_form(checker, form, entered)
    assert reading.errors == {}
    sent = {one.name: as_asked(one, answer[one.name]) for one in wanted}
    assert json.dumps(reading.content, sort_keys=True) == json.dumps(sent, sort_keys=True)


@thorough
@given(pair=asked())
@example((one_property({"type": "integer", "minimum": 2**53 + 1, "maximum": 2**53 + 1}), {"f": 2**53 + 1}))
@example((one_property({"type": "number", "multipleOf": 0.1}), {"f": 0.3}))
@example((one_property({"enum": [1, True, "1", "true"]}), {"f": True}))
async def test_every_valid_answer_can_be_entered(checker: Checker, pair: tuple[Schema, dict[str, Any]]) -> None:
    await enters(checker, *pair)


@quick
@given(pair=asked(lists_only=True))
@example((one_property({"type": "array", "items": {"enum": ["a", "b"]}}), {"f": ["b", "a"]}))
@example((one_property({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 3}), {"f": ["a", "a", "b"]}))
async def test_a_list_can_be_entered_in_any_order_and_with_repetitions(
    checker: Checker, pair: tuple[Schema, dict[str, Any]]
) -> None:
    await enters(checker, *pair)


@quick
@given(pair=asked())
@example((one_property({"$ref": "#/$defs/a~1b~0c%20d"}) | {"$defs": {"a/b~c d": {"type": "string"}}}, {}))
def test_every_field_of_the_allowed_subset_has_a_control_of_its_own(pair: tuple[Schema, dict[str, Any]]) -> None:
    assert {one.name: one.undrawn for one in Form.from_schema(pair[0]).fields if one.undrawn} == {}


@st.composite
def titles_that_look_alike(draw: st.DrawFn) -> dict[str, str]:
    """Titles by value; some are what another one becomes when its value is written beside it."""
    titles = dict[str, str]()
    for value in ["x", "y", "z", "w"][: draw(st.integers(2, 4))]:
        made = [f"{title} ({json.dumps(earlier)})" for earlier, title in titles.items()]
        titles[value] = draw(st.sampled_from(["A", *titles.values(), *made]))
    return titles


@quick
@given(titles=titles_that_look_alike())
@example({"x": "A", "y": "A", "z": 'A ("x")'})
def test_choices_whose_titles_look_alike_are_still_told_apart(titles: dict[str, str]) -> None:
    form = Form.from_schema(one_property({"oneOf": [{"const": key, "title": title} for key, title in titles.items()]}))
    for value in titles:
        assert form.read({"f": entry_of(form.fields[0], value)}).content == {"f": value}


@quick
@given(values=st.lists(texts, min_size=1, max_size=4, unique=True), place=st.integers(0, 4))
@example(["a"], 1)
def test_a_choice_keeps_its_name_where_null_is_offered_too(values: list[str], place: int) -> None:
    enum = [*values[:place], None, *values[place:]]
    shown = [f"{number}. {value}" for number, value in enumerate(enum)]
    [one] = Form.from_schema(one_property({"enum": enum, "enumNames": shown})).fields
    named = dict(zip(enum, shown, strict=True))
    assert {option.value: option.label for option in one.options} == {value: named[value] for value in values}


EMPTY: list[Entry] = [None, "", ()]


@quick
@given(pair=asked(), empty=st.sampled_from(EMPTY))
async def test_a_required_field_left_empty_is_always_blocked(
    checker: Checker, pair: tuple[Schema, dict[str, Any]], empty: Entry
) -> None:
    schema, answer = pair
    schema["required"] = [*schema["properties"]]
    form = Form.from_schema(schema)
    for one in form.fields:
        chosen_none = one.kind is FieldKind.CHOICES and empty == ()
        if chosen_none or _is_choice(one, empty):
            continue
        others = {other.name: entry_of(other, answer[other.name]) for other in form.fields if other.name in answer}
        reading, _ = await check_form(checker, form, {**others, one.name: empty})
        assert one.name in reading.errors
        assert one.name not in reading.content
        if not one.has_default:
            untouched = {name: entry for name, entry in others.items() if name != one.name}
            reading, _ = await check_form(checker, form, untouched)
            assert reading.errors[one.name].key == "form.required"


@quick
@given(pair=asked(), emptied=st.lists(names), empty=st.sampled_from(EMPTY))
async def test_what_is_left_empty_is_not_sent_and_what_is_untouched_sends_its_valid_default_alone(
    checker: Checker, pair: tuple[Schema, dict[str, Any]], emptied: list[str], empty: Entry
) -> None:
    schema = {key: value for key, value in pair[0].items() if key != "required"}
    form = await without_wrong_defaults(checker, Form.from_schema(schema))
    left = [
        one.name for one in form.fields if one.name in emptied and not _is_choice(one, empty) and _empties(one, empty)
    ]
    reading, _ = await check_form(checker, form, dict.fromkeys(left, empty))
    defaults = {
        one.name: as_asked(one, schema["properties"][one.name]["default"])
        for one in form.fields
        if one.name not in left and _has_valid_default(schema, one.name)
    }
    assert reading.errors == {}
    assert json.dumps(reading.content, sort_keys=True) == json.dumps(defaults, sort_keys=True)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"enum": ["a"]}, "uniqueItems": True, "default": ["a", "a"]},
        {"type": "string", "enum": ["a", 1], "default": 1},
        {"type": ["string", "integer"], "default": True},
        {"type": "object", "default": {"n": math.inf}},
        {"type": "string", "pattern": "^a", "default": "b"},
        {"type": "string", "format": "date", "default": "tomorrow"},
        {"type": "number", "multipleOf": 0.1, "default": 0.35},
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "default": 0},
    ],
    ids=json.dumps,
)
async def test_a_default_that_does_not_fit_never_blocks_an_untouched_form(checker: Checker, schema: Schema) -> None:
    form = await without_wrong_defaults(checker, Form.from_schema(one_property(schema)))
    reading, _ = await check_form(checker, form, {})
    assert (reading.errors, reading.content) == ({}, {})


@pytest.mark.parametrize(
    "around",
    [
        {"patternProperties": {"^a": {"minimum": 2}}},
        {"allOf": [{"properties": {"a": {"minimum": 2}}}]},
    ],
)
async def test_a_default_forbidden_beside_its_property_never_blocks_either(checker: Checker, around: Schema) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "default": 1}}, **around}
    form = await without_wrong_defaults(checker, Form.from_schema(schema))
    assert not any(one.has_default for one in form.fields)


def _is_choice(one: Field, entry: Entry) -> bool:
    return any(entry in (option.label, option.value) for option in one.options)


def _empties(one: Field, empty: Entry) -> bool:
    """A control that holds no text cannot be left with an empty one."""
    return empty != "" or one.kind not in (FieldKind.BOOLEAN, FieldKind.CHOICE, FieldKind.CHOICES)


def _has_valid_default(schema: Schema, name: str) -> bool:
    default = schema["properties"][name].get("default")
    return default is not None and is_valid(schema, {name: default})


@quick
@given(filled=filled_forms())
async def test_what_was_entered_comes_back_from_a_draft(folders: Path, filled: tuple[Schema, dict[str, Entry]]) -> None:
    schema, entered = filled
    form = Form.from_schema(schema)
    async with aclosing(_Kept(folders / "drafts")) as files:
        drafts = Drafts(files)
        await drafts.keep("key", {**entered, "masked": "secret"}, ["masked"])
        found = await drafts.find("key", form)
        if all(entry in EMPTY for entry in entered.values()):
            assert found is None
        else:
            assert found is not None
            assert _typed(found.entries) == _typed(entered)
            assert form.read(found.entries) == form.read(entered)


class _Kept(KeptFiles):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder, LIFETIME)

    async def aclose(self) -> None:
        await self.close()


def _typed(entered: Mapping[str, Entry]) -> dict[str, tuple[type, Entry]]:
    return {name: (type(entry), entry) for name, entry in entered.items()}


UNREADABLE = ["form.required", "form.not_json", "form.not_text"]
UNREADABLE += ["form.not_a_choice", "form.not_boolean", "form.not_integer", "form.not_number"]


@quick
@given(filled=filled_forms(), index=st.integers(0, 3))
@example((one_property({"type": "integer", "default": 1e22}), {"f": ""}), 0)
@example((one_property({"enum": [1, "1"]}), {"f": ""}), 1)
def test_a_value_is_entered_again_as_itself(filled: tuple[Schema, dict[str, Entry]], index: int) -> None:
    schema, entered = filled
    form = Form.from_schema(schema)
    content = form.read(entered).content
    for one in form.fields:
        values = [option.value for option in one.options][index : index + 1]
        if one.kind is FieldKind.CHOICES:
            values = [[value] for value in values]  # more of them: the rule on order and repetitions
        else:
            values += [content[one.name]] if one.name in content else []
            values += [one.default] if one.has_default else []
        for value in values:
            if cannot_be_entered(one, value):
                continue
            again = form.read({one.name: entry_of(one, value)})
            if one.name in again.errors:  # it was read, and breaks a bound of its own schema
                assert again.errors[one.name].key not in UNREADABLE
            else:
                assert json.dumps(again.content.get(one.name)) == json.dumps(value)
