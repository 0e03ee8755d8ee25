"""Checks of what servers send: exact, killed at their limit, and never a byte on the network."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_host.checking.checker import Checker, Verdict
from desktop_host.checking.formats import is_date, is_date_time, is_email, is_uri
from tests.support.processes import living_descendants

HOSTILE = "^(a+)+$"


@pytest.fixture
async def checker() -> AsyncIterator[Checker]:
    checker = Checker(time_limit=0.5)
    await checker.warm_up()
    yield checker
    await checker.close()


@pytest.mark.parametrize("how", ["pattern", "schema", "schema with many rules"])
async def test_a_check_is_killed_at_its_limit_and_the_next_one_works(checker: Checker, how: str) -> None:
    text = "a" * 40 + "!"
    hostile = {
        "pattern": checker.pattern(HOSTILE, text),
        "schema": checker.schema({"properties": {"x": {"pattern": HOSTILE}}}, {"x": text}),
        "schema with many rules": checker.schema(_exponential(30), [[]]),
    }
    check = hostile.pop(how)
    for other in hostile.values():
        other.close()
    (first,) = living_descendants()
    ticks = asyncio.create_task(_ticks())
    started = time.monotonic()
    assert await check == Verdict(too_slow=True)
    assert 0.4 < time.monotonic() - started < 3.0
    assert first not in living_descendants()
    assert await checker.pattern("^a", "ab") == Verdict()
    ticks.cancel()
    assert await ticks < 0.4, "the loop stayed alive"
    (second,) = living_descendants()
    assert second != first


async def _ticks() -> float:
    """The largest gap between two turns of the loop until it is cancelled."""
    largest, last = 0.0, time.monotonic()
    while True:
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            return largest
        now = time.monotonic()
        largest, last = max(largest, now - last), now


def _exponential(depth: int) -> dict[str, Any]:
    """A schema whose every level is tried twice."""
    definitions: dict[str, Any] = {"d0": {"type": "string"}}
    for level in range(1, depth):
        inner = {"$ref": f"#/$defs/d{level - 1}"}
        definitions[f"d{level}"] = {"anyOf": [inner, inner]}
    return {"$ref": f"#/$defs/d{depth - 1}", "$defs": definitions}


async def test_a_cancelled_check_leaves_nothing_behind(checker: Checker) -> None:
    check = asyncio.create_task(checker.pattern(HOSTILE, "a" * 40 + "!"))
    await asyncio.sleep(0.1)
    check.cancel()
    with pytest.raises(asyncio.CancelledError):
        await check
    assert living_descendants() == {}
    assert (await checker.schema({"type": "integer"}, 1)).ok


async def test_checks_at_once_get_each_its_own_answer(checker: Checker) -> None:
    checks = [checker.schema({"const": number}, number // 2 * 2) for number in range(40)]
    verdicts = await asyncio.gather(*checks, checker.pattern(HOSTILE, "a" * 40 + "!"))
    assert [verdict.ok for verdict in verdicts] == [number % 2 == 0 for number in range(40)] + [False]


async def test_the_process_may_die_on_its_own(checker: Checker) -> None:
    for schema, instance in (({"multipleOf": 0.1}, 10**400), ({"$ref": "#"}, 1), (_nested(900), 1)):
        verdict = await checker.schema(schema, instance)
        assert verdict.ok or verdict.unusable or verdict.too_slow
        assert (await checker.schema({"type": "integer"}, 1)).ok


def _nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"not": schema}
    return schema


@pytest.fixture
def listening() -> Iterator[tuple[str, list[str]]]:
    """The address of a server on loopback, and the requests it got."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", requests
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "URL/s.json"},
        {"$dynamicRef": "URL/s.json"},
        {"$id": "URL/base.json", "$ref": "other.json"},
        {"properties": {"x": {"$ref": "URL/s.json#/a"}}},
        {"$defs": {"a": {"$ref": "URL/s.json"}}, "$ref": "#/$defs/a"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "URL/s.json"},
        {"$ref": "file:///etc/hostname"},
    ],
    ids=str,
)
async def test_a_reference_that_leads_out_is_never_fetched(
    checker: Checker, listening: tuple[str, list[str]], schema: dict[str, Any]
) -> None:
    url, requests = listening
    filled = _with_url(schema, url)
    verdict = await checker.schema(filled, {"x": 1})
    assert verdict.unresolved
    assert not verdict.ok
    verdict = await checker.schema({"$schema": f"{url}/meta.json", "type": "integer"}, "x")
    assert [problem.keyword for problem in verdict.problems] == ["type"]
    assert requests == []


def _with_url(value: Any, url: str) -> Any:
    if isinstance(value, dict):
        return {key: _with_url(item, url) for key, item in value.items()}
    return value.replace("URL", url) if isinstance(value, str) else value


@pytest.mark.parametrize(
    ("schema", "instance", "keywords"),
    [
        ({"type": "integer"}, 2**70, []),
        ({"type": "integer"}, 1.0, []),
        ({"type": "integer"}, True, ["type"]),
        ({"const": 1}, True, ["const"]),
        ({"multipleOf": 0.1}, 0.3, []),
        ({"multipleOf": 0.01}, 1.005, ["multipleOf"]),
        ({"prefixItems": [{"type": "string"}]}, [1], ["type"]),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}, [1], ["type"]),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ["dependentRequired"]),
        ({"unevaluatedProperties": False}, {"a": 1}, ["unevaluatedProperties"]),
        ({"x-unknown": 1, "format": "x-unknown"}, "a", []),
        ({"format": "email"}, "nobody", ["format"]),
        ({"format": "date-time"}, "tomorrow", ["format"]),
        ({"pattern": "^\\p{L}+$"}, "Łukasz", []),
        ({"pattern": "^\\p{L}+$"}, "1", ["pattern"]),
        ({"pattern": "("}, "anything", []),
        ({"patternProperties": {"^\\p{Lu}": {"type": "integer"}}}, {"Éa": "x", "éa": "x"}, ["type"]),
        ({"required": ["a", "b"]}, {}, ["required", "required"]),
    ],
    ids=str,
)
async def test_the_schema_is_applied_as_2020_12_says(
    checker: Checker, schema: dict[str, Any], instance: Any, keywords: list[str]
) -> None:
    verdict = await checker.schema(schema, instance)
    assert (verdict.unusable, verdict.unresolved, verdict.too_slow) == ("", "", False)
    assert [problem.keyword for problem in verdict.problems] == keywords


async def test_a_problem_says_where_it_is(checker: Checker) -> None:
    schema = {"properties": {"rows": {"items": {"properties": {"n": {"maximum": 3}}}}}}
    (problem,) = (await checker.schema(schema, {"rows": [{"n": 1}, {"n": 4}]})).problems
    assert (problem.path, problem.keyword) == (("rows", 1, "n"), "maximum")
    assert "4" in problem.text
    many = await checker.schema({"items": {"type": "string"}}, list(range(1000)))
    assert 1 < len(many.problems) <= 50


@pytest.mark.parametrize("schema", [{"type": "hologram"}, {"minLength": -1}, {"required": "a"}, {"properties": []}])
async def test_a_schema_that_is_none_is_unusable(checker: Checker, schema: dict[str, Any]) -> None:
    verdict = await checker.schema(schema, {})
    assert verdict.unusable
    assert not verdict.problems


async def test_a_large_value_is_checked_whole(checker: Checker) -> None:
    slow = Checker(time_limit=20)
    try:
        rows = [{"id": number, "text": "ü\n" * 50} for number in range(5000)]
        schema = {"type": "array", "items": {"required": ["id", "text"]}}
        assert (await slow.schema(schema, rows)).ok
        del rows[-1]["id"]
        (problem,) = (await slow.schema(schema, rows)).problems
        assert problem.path == (4999,)
    finally:
        await slow.close()


# ECMA-262, not Python's `re`.


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"^\d+$", "١٢", False),
        (r"^\w+$", "é", False),
        (r"^\p{L}+$", "Łukasz", True),
        (r"^\p{Script=Han}+$", "中文", True),
        (r"^(?<year>\d{4})-\k<year>$", "2026-2026", True),
        (r"^.$", "𝄞", True),
        (r"^[^]$", "\n", True),
        (r"^\u{1F600}$", "😀", True),
        (r"^\cA$", "\x01", True),
        (r"^a$", "a\n", False),
        (r"^$", "", True),
        (r"b", "abc", True),
        (r"(?<=\$)\d", "$5", True),
        (r"\s", "\ufeff", True),
    ],
)
async def test_patterns_are_those_of_ecmascript(checker: Checker, pattern: str, text: str, matches: bool) -> None:
    verdict = await checker.pattern(pattern, text)
    assert verdict.unusable == ""
    assert verdict.ok == matches


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "*", "(?P<year>x)", r"\p{Nope}", "a{2,1}", "(?i)x", r"\Z"])
async def test_a_pattern_that_is_none_is_unusable_not_wrong(checker: Checker, pattern: str) -> None:
    verdict = await checker.pattern(pattern, "x")
    assert verdict.unusable
    assert verdict.problems == ()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pattern=st.text(max_size=10) | st.text("a(b)[c]*+?{1,}\\dwpu^$|", max_size=10), text=st.text(max_size=10))
async def test_every_pattern_has_a_verdict(checker: Checker, pattern: str, text: str) -> None:
    verdict = await checker.pattern(pattern, text)
    assert sum([verdict.ok, bool(verdict.problems), bool(verdict.unusable), verdict.too_slow]) == 1


# Formats


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("2027-06-15T09:30:00Z", True),
        ("2027-06-15t09:30:00z", True),
        ("2027-06-15 09:30:00Z", True),
        ("2027-06-15T09:30:00.123456789+02:00", True),
        ("2027-06-15T09:30:00-00:00", True),
        ("2016-12-31T23:59:60Z", True),
        ("2027-06-15T09:30:00", False),
        ("2027-06-15T09:30Z", False),
        ("2027-06-15T24:00:00Z", False),
        ("2027-06-15T09:60:00Z", False),
        ("2027-06-15T09:30:61Z", False),
        ("2027-06-15T09:30:00+24:00", False),
        ("2027-06-15T09:30:00+0200", False),
        ("2027-06-15T09:30:00.Z", False),
        ("2027-02-29T09:30:00Z", False),
        ("2027-6-15T09:30:00Z", False),
        ("2027-06-15T09:30:00Z\n", False),
        ("٢٠٢٧-06-15T09:30:00Z", False),
        ("20270615T093000Z", False),
        ("", False),
    ],
)
def test_a_date_time_is_that_of_rfc_3339(text: str, right: bool) -> None:
    assert is_date_time(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("2027-06-15", True),
        ("2024-02-29", True),
        ("0001-01-01", True),
        ("2023-02-29", False),
        ("1900-02-29", False),
        ("2027-13-01", False),
        ("2027-00-01", False),
        ("2027-06-31", False),
        ("27-06-15", False),
        ("20270615", False),
        ("2027-W24-2", False),
        ("2027-06-15 ", False),
        ("2027-06-1５", False),
    ],
)
def test_a_date_is_that_of_rfc_3339(text: str, right: bool) -> None:
    assert is_date(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("name@example.org", True),
        ("first.last+tag@sub.example.org", True),
        ("o'neil@example.org", True),
        ("用户@例子.公司", True),
        ("a@xn--bcher-kva.example", True),
        ("name@example", False),
        ("@example.org", False),
        ("name@", False),
        ("na me@example.org", False),
        ("a@b@example.org", False),
        (".name@example.org", False),
        ("name.@example.org", False),
        ("na..me@example.org", False),
        ("name@-example.org", False),
        ("name@example..org", False),
        ("name@example.org.", False),
        ("name@exam_ple.org", False),
        ("Name <name@example.org>", False),
        ("name@example.org\n", False),
        (f"{'a' * 64}@example.org", True),
        (f"{'a' * 65}@example.org", False),
        (f"a@{'b' * 64}.org", False),
        (f"a@{'.'.join(['b' * 60] * 5)}.org", False),
    ],
)
def test_an_email_address_can_be_written_to(text: str, right: bool) -> None:
    assert is_email(text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("https://example.org/a?b=c#d", True),
        ("HTTP://EXAMPLE.ORG", True),
        ("mailto:name@example.org", True),
        ("urn:isbn:0451450523", True),
        ("file:///etc/hosts", True),
        ("data:text/plain,hi", True),
        ("https://[::1]:8080/", True),
        ("https://h.example/%E4%BD%A0", True),
        ("example.org", False),
        ("//example.org", False),
        ("/path", False),
        ("https://", False),
        ("1https://example.org", False),
        ("https://exam ple.org", False),
        ("https://h.example/%zz", False),
        ("https://h.example/你", False),
        ("https://h.example/<x>", False),
        ("https://h.example:port/", False),
        ("https://[::1/", False),
        ("https://h.example\n", False),
        ("", False),
    ],
)
def test_a_uri_is_absolute_and_only_of_uri_characters(text: str, right: bool) -> None:
    assert is_uri(text) == right


@settings(max_examples=200, deadline=None)
@given(st.text() | st.text("a@.-é0: ", max_size=80) | st.text("0123456789-T:Z.+", max_size=30))
def test_formats_never_raise_and_are_quick(text: str) -> None:
    started = time.process_time()
    for test in (is_date, is_date_time, is_email, is_uri):
        assert test(text) in (True, False)
    assert time.process_time() - started < 0.5


@settings(max_examples=200, deadline=None)
@given(st.datetimes(timezones=st.timezones()))
def test_every_real_time_is_a_date_time(moment: Any) -> None:
    offset = moment.utcoffset()
    if offset.total_seconds() % 60 == 0:
        assert is_date_time(moment.isoformat(timespec="microseconds"))
        assert is_date(moment.date().isoformat())
