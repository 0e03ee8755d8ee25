"""Forms, links and rounds on which hosts stumbled: what is read from them, and exactly what leaves."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from desktop_host.asks.person import Action, FormReply, LinkQuestion, Question, Reply
from desktop_host.checking.checker import Checker
from desktop_host.elicitation.address import look_at, read_address
from desktop_host.elicitation.check import check_form, without_wrong_defaults
from desktop_host.elicitation.form import Entry, Form
from desktop_host.elicitation.screening import form_findings, secret_fields
from desktop_host.host import Host
from desktop_host.terms.asks import Ask, AskKind, CallRef, Origin, Outcome, WireError
from desktop_host.terms.events import Event, LinkCompleted, Recorded
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallStatus
from tests.support.person import Pondering, ScriptedPerson
from tests.support.wire import LINK, NAME, Json, Wire, until

pytest_plugins = ("tests.support.fixtures",)

TESTS = Path(__file__).parent


def published(*names: str) -> list[Json]:
    """The cases of data files."""
    files = [TESTS / "cases" / "elicitation" / f"{name}.json" for name in names]
    return [case for file in files for case in json.loads(file.read_text(encoding="utf-8"))["cases"]]


def every(cases: list[Json]) -> pytest.MarkDecorator:
    """A test for each case."""
    return pytest.mark.parametrize("case", cases, ids=[f"{case['id']} {case['what']}" for case in cases])


FORMS, LINKS, ROUNDS = published("forms", "peers_forms"), published("links"), published("peers_rounds")
every_way = pytest.mark.parametrize("era", ["handshake", "modern"])
both_transports = pytest.mark.parametrize("transport", ["stdio", "http"])


@pytest.fixture
async def checker() -> AsyncIterator[Checker]:
    checker = Checker()
    await checker.warm_up()
    yield checker
    await checker.close()


def entries_of(step: Json) -> dict[str, Entry]:
    """A step's `enter` and `clear` as entries: a list of labels is a tuple, a cleared field is None."""
    entered = {name: tuple(one) if isinstance(one, list) else one for name, one in step["enter"].items()}
    return entered | dict.fromkeys(step.get("clear", []))


def named(messages: tuple[Message, ...]) -> set[object]:
    """The fields that notices are about."""
    return {message.mapping.get("field") for message in messages}


@every(FORMS)
async def test_a_published_case(checker: Checker, case: Json) -> None:
    form = await without_wrong_defaults(checker, Form.from_params(case["params"]))
    for step in case["steps"]:
        expect: Json = dict(step["expect"])
        started = time.monotonic()
        reading, notices = await check_form(checker, form, entries_of(step))
        took = time.monotonic() - started
        if "said" in expect:
            assert [notice.key for notice in (*form.notices, *notices)] == expect.pop("said")
        else:
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


def url_of(case: Json) -> str:
    return case["url"].ljust(case.get("pad_to", 0), "a")


@every(LINKS)
def test_a_published_link(case: Json) -> None:
    url, expect = url_of(case), case["expect"]
    address = read_address(url)
    assert address.url == url
    assert address.error == expect.get("error", "")
    assert sorted(finding.message.key for finding in look_at(address)) == sorted(expect.get("findings", ()))
    if address.error:
        return
    assert address.before + address.host + address.after == url
    assert address.host == expect["host"]
    assert address.registrable == expect.get("registrable", address.registrable)
    assert address.ascii_host == expect.get("sent", address.ascii_host)


# The whole way


def an_ask(kind: AskKind, params: Json, *, id_: str = "1", era: str = "handshake") -> Ask:
    origin = Origin("s", "argv", era, calls=(CallRef("c", "tool", {}, 0.0),), key="1")
    return Ask(id_, kind, origin, params, errors_travel=era == "handshake")


def first_step(case: Json, *expectations: str) -> Json | None:
    """The first of a case's steps with one of these expectations."""
    return next((step for step in case["steps"] if not step["expect"].keys().isdisjoint(expectations)), None)


@every(FORMS)
async def test_nothing_leaves_for_a_form_until_it_is_right_and_then_exactly_this(
    new_host: Callable[..., Host], case: Json
) -> None:
    wrong, right = first_step(case, "blocked", "blocked_with_notice"), first_step(case, "sent")
    tries = [FormReply(Action.ACCEPT, entries=entries_of(step)) for step in (wrong, right) if step]
    person, told = ScriptedPerson(form=[*tries, Reply(Action.CANCEL)]), list[Event]()
    answer = await new_host(person, told.append).corridor.walk(an_ask(AskKind.FORM, case["params"]))
    result = {"action": "accept", "content": right["expect"]["sent"]} if right else {"action": "cancel"}
    assert json.dumps(answer.result) == json.dumps(result)
    assert len(person.questions) == len(tries) + (right is None)
    if wrong:
        expected = wrong["expect"].get("blocked") or wrong["expect"].get("blocked_with_notice")
        assert set(person.questions[1].problems) == set(expected)
    [record] = [event.record for event in told if isinstance(event, Recorded)]
    assert (record.outcome, record.answer) == (Outcome.ACCEPT if right else Outcome.CANCEL, answer.result)


@every(LINKS)
async def test_a_link_that_must_not_be_opened_is_never_seen_and_any_other_is_asked_about(
    new_host: Callable[..., Host], case: Json
) -> None:
    person = ScriptedPerson()
    params = {"mode": "url", "message": "Please sign in", "url": url_of(case), "elicitationId": "1"}
    answer = await new_host(person).corridor.walk(an_ask(AskKind.URL, params))
    if "error" in case["expect"]:
        assert (answer.outcome, answer.error) == (Outcome.REFUSED, WireError(-32602, "Invalid url"))
        assert answer.why
        assert answer.why.key == case["expect"]["error"]
        assert (answer.result, person.questions) == (None, [])
        return
    assert (answer.error, answer.result) == (None, {"action": "accept"})
    [question] = person.questions
    assert isinstance(question, LinkQuestion)
    assert sorted(one.message.key for one in question.findings) == sorted(case["expect"]["findings"])


@every_way
async def test_a_request_that_is_delivered_twice_is_asked_once(new_host: Callable[..., Host], era: str) -> None:
    form = Pondering(FormReply(Action.ACCEPT, entries={"name": "Ada"}))
    person = ScriptedPerson(form=form)
    corridor = new_host(person).corridor
    params = {"message": "Who are you?", "requestedSchema": NAME}
    first = asyncio.create_task(corridor.walk(an_ask(AskKind.FORM, params, era=era)))
    await form.asked.wait()
    again = await corridor.walk(an_ask(AskKind.FORM, params, id_="2", era=era))
    form.decide()
    assert (await first).result == {"action": "accept", "content": {"name": "Ada"}}
    assert (again.outcome, again.result) == (Outcome.REFUSED, None)
    assert again.error
    assert again.error.code == -32602
    assert len(person.questions) == 1


# On the wire


def notes(wire: Wire) -> list[str]:
    """The keys of all notices recorded."""
    return [notice.key for event in wire.told(Recorded) for notice in event.record.notices]


@both_transports
@every_way
@every([case for case in ROUNDS if "calls" in case])
async def test_a_published_round(wire: Wire, era: str, transport: str, case: Json) -> None:
    calls: dict[str, Json] = case["calls"]
    tools = {
        name: [{"ask": {"method": "elicitation/create", "params": call["params"]}}] for name, call in calls.items()
    }
    server = wire.raw(tools=tools, era=era, transport=transport)

    async def reply(question: Question) -> Reply:
        await until(lambda: len(person.questions) >= len(calls))
        [call] = [one for one in calls.values() if one["params"] == question.ask.params]
        entries = call["then"] if question.problems else call.get("enter", {})
        return FormReply(Action(call["reply"]), entries=entries)

    person = ScriptedPerson(form=reply)
    await wire.meet(person, server)
    ended = await asyncio.gather(*(wire.call(tool=name) for name in calls))
    for state, call in zip(ended, calls.values(), strict=True):
        if "refused" in call:
            assert person.questions == []
            codes = [one["error"]["code"] for one in server.answers()]
            assert codes == ([call["refused"]] if era == "handshake" else [])
            assert state.status is (CallStatus.DONE if era == "handshake" else CallStatus.ABANDONED)
            assert not [one for one in server.received("tools/call") if "inputResponses" in one["params"]]
        else:
            assert state.result, state
            assert json.dumps(json.loads(state.result["content"][0]["text"])) == json.dumps([call["answer"]])
        if "said" in call:
            assert notes(wire) == call["said"]


async def test_the_completion_of_a_link_that_nobody_knows_or_of_one_twice_disturbs_nothing(wire: Wire) -> None:
    completions = [{"complete": which} for which in ("nobody knows", "link-1", "link-1")]
    server = wire.raw({"ask": LINK}, *completions)
    await wire.meet(ScriptedPerson(), server)
    assert (await wire.call()).status is CallStatus.DONE
    await until(lambda: LinkCompleted("raw", "link-1") in wire.told(LinkCompleted))
    assert (await wire.call()).status is CallStatus.DONE


@every([case for case in ROUNDS if "covered_by" in case])
def test_what_is_covered_elsewhere_is_there(case: Json) -> None:
    for test in case["covered_by"]:
        file, _, name = test.partition("::")
        assert re.search(rf"^(async )?def {name}\(", (TESTS.parent / file).read_text(encoding="utf-8"), re.MULTILINE)
