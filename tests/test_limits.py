"""What never reaches the person, because it is too large, too many, too often or the same again, and who is told."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from desktop_host.asks.limits import WAITING_IN_ALL, Bounds, Limits, Refusal
from desktop_host.asks.person import Action, FormReply, Question, Reply
from desktop_host.checking.checker import Checker
from desktop_host.elicitation.check import MAX_CONTENT, check_form
from desktop_host.elicitation.form import Form
from desktop_host.terms.asks import Ask, AskKind, CallRef, Origin, Outcome
from desktop_host.terms.events import Recorded
from desktop_host.terms.state import CallState, CallStatus
from tests.support.person import Pondering, ScriptedPerson, never
from tests.support.wire import FORM, LINK, ROOTS, SAMPLING, Json, RawServer, Wire, until

pytest_plugins = ("tests.support.fixtures",)

both_eras = pytest.mark.parametrize("era", ["handshake", "modern"])
PER_MINUTE, WAITING_PER_SERVER = Bounds().per_minute, Bounds().waiting
NAMED = FormReply(Action.ACCEPT, entries={"name": "Ada"})
LONGEST = "é" * (Bounds().message_kilobytes * 512)
TEXTS = {"type": "object", "properties": {"small": {"type": "string"}, "big": {"type": "string"}}}


def changed(request: Json, **params: Any) -> Json:
    return {**request, "params": {**request["params"], **params}}


def codes(server: RawServer) -> list[int | None]:
    """The error codes of the answers, None for results."""
    return [one.get("error", {}).get("code") for one in server.answers()]


def retries(server: RawServer) -> list[Json]:
    return [call for call in server.received("tools/call") if "inputResponses" in call["params"]]


def noticed(call: CallState) -> list[str]:
    return [notice.key for notice in call.notices]


class Clock:
    """Seconds, as a test wants them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Door:
    """Limits, and asks that come to them."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.limits = Limits(self.clock)
        self._count = 0

    def ask(self, server: str = "raw", call: str = "", *, kind: AskKind = AskKind.FORM, **about: Any) -> Ask:
        """One more ask, of a call of its own unless told otherwise."""
        self._count += 1
        calls = (CallRef(call or f"call {self._count}", "tool", {}, 0.0),)
        place = {name: about.pop(name) for name in ("key", "position", "total") if name in about}
        origin = Origin(server, "argv", calls=calls, **{"key": str(self._count), **place})
        return Ask(f"ask {self._count}", kind, origin, {}, **{"errors_travel": False, **about})

    def refusal(self, *server: str, **about: Any) -> tuple[str, int] | None:
        """What is said to an ask that comes and goes again at once."""
        ask = self.ask(*server, **about)
        refusal = self.limits.admit(ask)
        if refusal is None:
            self.limits.release(ask)
        return said(refusal)


def said(refusal: Refusal | None) -> tuple[str, int] | None:
    return refusal and (refusal.why.key, refusal.error.code)


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.mark.parametrize("request_", [FORM, LINK], ids=["form", "link"])
async def test_a_message_may_have_32_kib_and_not_a_byte_more(wire: Wire, request_: Json) -> None:
    asks = [changed(request_, message=text) for text in (LONGEST, f"{LONGEST}x")]
    server = wire.raw(*({"ask": ask} for ask in asks))
    person = ScriptedPerson(form=NAMED)
    await wire.meet(person, server)
    call = await wire.call()
    assert [question.ask.params["message"] for question in person.questions] == [LONGEST]
    assert codes(server) == [None, -32602]
    assert (call.status, noticed(call)) == (CallStatus.DONE, ["limit.message"])


async def test_a_message_that_is_too_long_ends_the_call_of_a_modern_server(wire: Wire) -> None:
    server = wire.raw({"ask": changed(FORM, message=f"{LONGEST}x")}, era="modern")
    person = ScriptedPerson()
    await wire.meet(person, server)
    call = await wire.call()
    assert (call.status, call.error and call.error.key) == (CallStatus.ABANDONED, "limit.message")
    assert noticed(call) == [], "it is told once"
    assert person.questions == retries(server) == []


@both_eras
async def test_an_answer_that_is_too_large_is_blocked_at_its_biggest_field(wire: Wire, era: str) -> None:
    tries = ({"small": "s" * 500_000, "big": "b" * 600_000}, {"small": "s", "big": "b"})
    person = ScriptedPerson(form=[FormReply(Action.ACCEPT, entries=entries) for entries in tries])
    server = wire.raw({"ask": changed(FORM, requestedSchema=TEXTS), "key": "k"}, era=era)
    await wire.meet(person, server)
    call = await wire.call()
    assert [{name: one.key for name, one in question.problems.items()} for question in person.questions] == [
        {},
        {"big": "form.too_much"},
    ]
    assert call.result
    assert json.loads(call.result["content"][0]["text"]) == [
        {"action": "accept", "content": {"small": "s", "big": "b"}}
    ]
    assert "bbb" not in server.log.read_text(encoding="utf-8")


@pytest.fixture
async def checker() -> AsyncIterator[Checker]:
    checker = Checker()
    await checker.warm_up()
    yield checker
    await checker.close()


@pytest.mark.parametrize(("more", "blocked"), [(0, set[str]()), (1, {"big"})], ids=["1 MiB", "a byte more"])
@pytest.mark.parametrize("letter", ["x", "é"])
async def test_an_answer_may_have_a_mebibyte_of_json(
    checker: Checker, letter: str, more: int, blocked: set[str]
) -> None:
    content = {"small": "", "big": ""}
    left = MAX_CONTENT - len(json.dumps({**content, "small": "s"}, separators=(",", ":"))) + more
    letters, rest = divmod(left, len(letter.encode()))
    entries = {"small": "s", "big": letter * letters + "x" * rest}
    sent = json.dumps(entries, separators=(",", ":"), ensure_ascii=False).encode()
    assert len(sent) == MAX_CONTENT + more
    reading, _ = await check_form(checker, Form.from_schema(TEXTS), entries)
    assert set(reading.errors) == blocked


async def test_the_names_of_fields_count_in_an_answer_too(checker: Checker) -> None:
    names = [f"{number:03}{'n' * 20_000}" for number in range(100)]
    form = Form.from_schema({"properties": {name: {"type": "string"} for name in names}})
    reading, _ = await check_form(checker, form, dict.fromkeys(names, "x"))
    assert [one.key for one in reading.errors.values()] == ["form.too_much"]


# Too many


async def test_a_call_is_told_of_the_question_that_was_refused(wire: Wire) -> None:
    asks = {str(number): changed(FORM, message=f"question {number}") for number in range(WAITING_PER_SERVER + 1)}
    server = wire.raw({"asks": asks})
    form = Pondering(NAMED)
    await wire.meet(ScriptedPerson(form=form), server)
    call = asyncio.create_task(wire.call())
    await until(server.answers)
    form.decide()
    assert noticed(await call) == ["limit.too_many"]
    assert codes(server) == [None] * WAITING_PER_SERVER + [-32603]


async def test_a_fifth_call_of_a_modern_server_ends_and_the_others_wait_on(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern")
    form = Pondering(NAMED)
    person = ScriptedPerson(form=form)
    host = await wire.meet(person, server)
    waiting = [host.begin_call("raw", "tool", {}) for _ in range(WAITING_PER_SERVER)]
    await until(lambda: len(person.questions) == WAITING_PER_SERVER)
    fifth = await wire.call()
    assert (fifth.status, fifth.error and fifth.error.key) == (CallStatus.ABANDONED, "limit.too_many")
    assert noticed(fifth) == []
    assert retries(server) == []
    form.decide()
    assert [(await wire.result(call_id)).status for call_id in waiting] == [CallStatus.DONE] * WAITING_PER_SERVER
    assert (await wire.call()).status is CallStatus.DONE


async def test_all_questions_of_one_round_count_as_one(wire: Wire) -> None:
    asks = {str(number): changed(FORM, message=f"question {number}") for number in range(3)}
    server = wire.raw({"asks": asks}, era="modern")
    answered = {call: asyncio.Event() for call in range(WAITING_PER_SERVER + 1)}

    async def reply(question: Question) -> Reply:
        await answered[question.ask.origin.calls[0].arguments["number"]].wait()
        return NAMED

    person = ScriptedPerson(form=reply)
    host = await wire.meet(person, server)
    calls = [host.begin_call("raw", "tool", {"number": number}) for number in range(WAITING_PER_SERVER)]
    await until(lambda: len(person.questions) == 3 * WAITING_PER_SERVER)
    assert host.corridor.waiting("raw") == 3 * WAITING_PER_SERVER
    refused = await wire.call(number=WAITING_PER_SERVER)
    assert (refused.status, refused.error and refused.error.key) == (CallStatus.ABANDONED, "limit.too_many")
    assert noticed(refused) == []
    answered[0].set()
    assert (await wire.result(calls[0])).status is CallStatus.DONE
    again = host.begin_call("raw", "tool", {"number": WAITING_PER_SERVER})
    await until(lambda: len(person.questions) == 3 * (WAITING_PER_SERVER + 1))
    for one in answered.values():
        one.set()
    assert [(await wire.result(one)).status for one in (*calls[1:], again)] == [CallStatus.DONE] * WAITING_PER_SERVER


def test_32_questions_of_all_servers_wait_and_no_more(door: Door) -> None:
    servers = [f"server {number}" for number in range(WAITING_IN_ALL // WAITING_PER_SERVER)]
    asks = [door.ask(server) for server in servers for _ in range(WAITING_PER_SERVER)]
    assert [door.limits.admit(ask) for ask in asks] == [None] * WAITING_IN_ALL
    assert door.refusal("another") == ("limit.too_many", -32603)
    assert door.refusal(servers[0]) == ("limit.too_many", -32603)
    door.limits.release(asks[0])
    assert door.refusal("another") is None


def test_what_waited_before_a_restart_always_comes_back_and_counts(door: Door) -> None:
    parked = [door.ask(parked=True) for _ in range(2 * WAITING_PER_SERVER)]
    assert [door.limits.admit(ask) for ask in parked] == [None] * len(parked)
    assert door.limits.waiting("raw") == len(parked)
    assert door.refusal() == ("limit.too_many", -32603)
    for ask in parked:
        door.limits.release(ask)
    assert door.refusal() is None


# Too often


def test_a_server_may_ask_sixty_times_in_a_minute(door: Door) -> None:
    for _ in range(PER_MINUTE):
        assert door.refusal() is None
        door.clock.now += 0.5
    door.clock.now = 1059.9
    for _ in range(3):
        assert door.refusal() == ("limit.too_often", -32603)
    assert door.refusal("another") is None
    door.clock.now = 1060.0
    assert [door.refusal(), door.refusal()] == [None, ("limit.too_often", -32603)]
    door.clock.now += 3600
    assert [door.refusal() for _ in range(PER_MINUTE + 1)] == [None] * PER_MINUTE + [("limit.too_often", -32603)]


@pytest.mark.parametrize(
    "about",
    [
        {"kind": AskKind.URL, "repeated": True, "waits": True},
        {"kind": AskKind.CONNECT},
        {"parked": True},
    ],
    ids=["a link again", "a start", "one that waited"],
)
def test_what_is_free_is_never_too_often_and_does_not_count(door: Door, about: dict[str, Any]) -> None:
    for _ in range(2):
        assert [door.refusal(**about) for _ in range(PER_MINUTE)] == [None] * PER_MINUTE
    assert [door.refusal() for _ in range(PER_MINUTE)] == [None] * PER_MINUTE
    assert door.refusal() == ("limit.too_often", -32603)
    assert door.refusal(**about) is None


def test_a_round_of_many_questions_is_one_question(door: Door) -> None:
    for number in range(PER_MINUTE):
        for position in (1, 2, 3):
            assert door.refusal(call=f"round {number}", position=position, total=3) is None
    for position in (1, 2, 3):
        assert door.refusal(call="one more", position=position, total=3) == ("limit.too_often", -32603)


def test_what_is_refused_for_another_reason_does_not_count(door: Door) -> None:
    waiting = [door.ask() for _ in range(WAITING_PER_SERVER)]
    for ask in waiting:
        assert door.limits.admit(ask) is None
    assert {door.refusal() for _ in range(PER_MINUTE)} == {("limit.too_many", -32603)}
    for ask in waiting:
        door.limits.release(ask)
    allowed = PER_MINUTE - WAITING_PER_SERVER
    assert [door.refusal() for _ in range(allowed)] == [None] * allowed
    assert door.refusal() == ("limit.too_often", -32603)


async def test_the_sixty_first_question_of_a_minute_is_refused_and_the_call_is_told(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, {"repeat": PER_MINUTE})
    person = ScriptedPerson(form=Reply(Action.CANCEL))
    await wire.meet(person, server)
    call = await wire.call()
    assert codes(server) == [None] * PER_MINUTE + [-32603]
    assert len(person.questions) == PER_MINUTE
    assert (call.status, noticed(call)) == (CallStatus.DONE, ["limit.too_often"])


async def test_a_link_that_waits_goes_on_for_free(wire: Wire) -> None:
    server = wire.raw({"ask": LINK}, {"repeat": 2 * PER_MINUTE}, era="modern")
    person = ScriptedPerson()
    await wire.meet(person, server)
    assert (await wire.call()).status is CallStatus.DONE
    assert len(person.questions) == 2 * PER_MINUTE + 1


# The same again


@pytest.mark.parametrize("errors_travel", [True, False], ids=["handshake", "modern"])
def test_the_same_request_never_waits_twice(door: Door, errors_travel: bool) -> None:
    about: dict[str, Any] = {"call": "one", "key": "7", "errors_travel": errors_travel}
    first = door.ask(**about)
    assert door.limits.admit(first) is None
    assert door.refusal(**about) == ("limit.repeated", -32602)
    assert door.refusal("another", **about) is None
    assert door.refusal(**{**about, "key": "8"}) is None
    of_another_call = None if not errors_travel else ("limit.repeated", -32602)
    assert door.refusal(**{**about, "call": "two"}) == of_another_call
    door.limits.release(first)
    assert door.refusal(**about) is None


# Who is told


@pytest.mark.parametrize(
    ("ask", "kind"),
    [(FORM, "form"), (LINK, "link"), (SAMPLING, "request"), (ROOTS, "roots")],
    ids=["form", "link", "sampling", "roots"],
)
@both_eras
async def test_why_the_person_declined_is_told_to_them_and_not_to_the_server(
    wire: Wire, era: str, ask: Json, kind: str
) -> None:
    server = wire.raw({"ask": ask}, era=era)
    await wire.meet(ScriptedPerson(**{kind: Reply(Action.DECLINE, "it is none of its business")}), server)
    call = await wire.call()
    assert noticed(call) == ["call.declined_because"]
    assert call.notices[0].mapping == {"reason": "it is none of its business"}
    assert "business" not in server.log.read_text(encoding="utf-8")
    [record] = [event.record for event in wire.told(Recorded)]
    assert (record.outcome, record.reason) == (Outcome.DECLINE, "it is none of its business")


@both_eras
async def test_a_decline_without_a_reason_and_a_reason_without_a_decline_are_told_to_nobody(
    wire: Wire, era: str
) -> None:
    server = wire.raw({"ask": FORM}, {"ask": FORM}, era=era)
    await wire.meet(ScriptedPerson(form=[Reply(Action.DECLINE), Reply(Action.CANCEL, "never mind")]), server)
    call = await wire.call()
    assert (call.status, noticed(call)) == (CallStatus.DONE, [])


async def test_every_refusal_and_every_reason_of_a_call_is_told_in_order(wire: Wire) -> None:
    server = wire.raw(
        {"ask": changed(FORM, message=f"{LONGEST}x")}, {"ask": FORM}, {"ask": changed(LINK, url="file:///etc/passwd")}
    )
    await wire.meet(ScriptedPerson(form=Reply(Action.DECLINE, "no")), server)
    call = await wire.call()
    assert [key.partition(".")[0] for key in noticed(call)] == ["limit", "call", "link"]


async def test_a_refusal_is_told_to_its_own_call_alone(wire: Wire) -> None:
    tools = {"tool": [{"ask": changed(FORM, message=f"{LONGEST}x")}], "other": [{"ask": FORM}]}
    server = wire.raw(tools=tools, era="modern")
    person = ScriptedPerson(form=never)
    host = await wire.meet(person, server)
    other = host.begin_call("raw", "other", {})
    await until(lambda: person.questions)
    refused = await wire.call()
    assert refused.error
    assert refused.error.key == "limit.message"
    host.calls.cancel(other)
    assert noticed(await wire.result(other)) == []
