"""What modern servers ask outlives the program: quit or killed, the question comes back and its answer still counts."""

import asyncio
import contextlib
import dataclasses
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import Action, FormReply, LinkReply, Question, Reply, ResponseReply
from desktop_host.config.kept import KeptFiles
from desktop_host.config.paths import data_dir
from desktop_host.servers.parked import LIFETIME, Parked, ParkedCall, Round
from desktop_host.terms.asks import CallRef, Outcome
from desktop_host.terms.events import CallChanged, Recorded
from desktop_host.terms.state import CallState, CallStatus, ServerStatus
from tests.servers.raw import state_text
from tests.support.person import Pondering, ScriptedPerson, never
from tests.support.policy import laid_down
from tests.support.processes import living_descendants
from tests.support.waiting_host import TYPED, killed_while_it_waits
from tests.support.wire import FORM, LINK, ROOTS, SAMPLING, Json, RawServer, Wire, until

pytest_plugins = ("tests.support.fixtures",)

both_transports = pytest.mark.parametrize("transport", ["stdio", "http"])
NAMED = FormReply(Action.ACCEPT, entries={"name": "Ada"})
ADA = {"action": "accept", "content": {"name": "Ada"}}
ARGUMENTS = {"day": 1, "note": "ü", "large": 12345678901234567890, "half": 0.5}
PASSWORD: Json = {
    "method": "elicitation/create",
    "params": {
        "message": "Please sign in",
        "requestedSchema": {"type": "object", "properties": {"password": {"type": "string"}}},
    },
}


def waiting() -> list[Path]:
    """Everything in the folder of what waits."""
    folder = data_dir() / "waiting"
    return sorted(folder.iterdir()) if folder.exists() else []


def kept() -> list[Json]:
    """What the files hold."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in waiting() if path.suffix == ".json"]


def carried(server: RawServer) -> list[Json]:
    """What each tools/call carried beyond its own parameters and metadata."""
    own = ("name", "arguments", "_meta")
    calls = [call["params"] for call in server.received("tools/call")]
    return [{key: value for key, value in params.items() if key not in own} for params in calls]


def discoveries(server: RawServer) -> int:
    return len(server.received("server/discover"))


def retry(number: int, position: int = 1, before: tuple[Any, ...] = (), key: str = "ask1") -> Json:
    """What a retry carries that answers the server's round of this number with a name."""
    return {"inputResponses": {key: ADA}, "requestState": state_text(number, position, list(before))}


def told(call: CallState) -> tuple[CallStatus, str | None, list[str]]:
    return call.status, call.error and call.error.key, [notice.key for notice in call.notices]


def kill(server: RawServer) -> None:
    """Kill the process of a server over stdio."""
    [pid] = [pid for pid, words in living_descendants().items() if str(server.log) in words]
    os.kill(pid, signal.SIGKILL)


async def left_waiting(wire: Wire, server: RawServer, person: ScriptedPerson | None = None, **options: Any) -> str:
    """Quit while a call waits at its last question; the call's id."""
    person = person or ScriptedPerson(form=never)
    async with wire.run(person, server, **options) as host:
        call_id = host.begin_call("raw", "tool", ARGUMENTS)
        await until(lambda: len(person.questions) > len(person.ended))
    return call_id


async def resumed(wire: Wire, server: RawServer, call_id: str, form: Any = NAMED, **options: Any) -> CallState:
    """A later run of the program in which the person answers; how the call ended there."""
    async with wire.run(ScriptedPerson(form=form), server, **options) as host:
        await host.resume_calls()
        call = await wire.result(call_id)
        await until(lambda: call.notices or not waiting())
    return call


@both_transports
async def test_a_form_that_is_open_when_the_program_quits_comes_back_and_its_answer_is_sent(
    wire: Wire, transport: str
) -> None:
    server = wire.raw({"ask": FORM, "key": "wer?"}, transport=transport, era="modern", stateless=True)
    before = ScriptedPerson(form=never)
    call_id = await left_waiting(wire, server, before)
    [asked] = before.questions
    assert not asked.ask.parked
    assert before.ended == {asked.ask.id: Outcome.PARKED}
    assert [event.record.outcome for event in wire.told(Recorded)] == [Outcome.PARKED]
    assert carried(server) == [{}]
    assert server.received("notifications/cancelled") == server.answers() == []
    [begun, *_] = wire.told(CallChanged)

    thinking = Pondering(NAMED)
    person = ScriptedPerson(form=thinking)
    async with wire.run(person, server) as host:
        await host.resume_calls()
        await thinking.asked.wait()
        [question] = person.questions
        again, origin = question.ask, question.ask.origin
        assert (again.parked, again.kind, again.params) == (True, "form", FORM["params"])
        assert (origin.tool, origin.key, origin.position, origin.total) == ("tool", "wer?", 1, 1)
        assert (origin.server, origin.identity) == (asked.ask.origin.server, asked.ask.origin.identity)
        assert (origin.era, origin.revision) == ("modern", "2026-07-28")
        [running] = wire.told(CallChanged)
        assert (running.state.status, running.state.resumed) == (CallStatus.RUNNING, True)
        thinking.decide()
        call = await wire.result(call_id)
        await until(lambda: not waiting())
        assert [entry["outcome"] for entry in await host.log.entries()] == ["accept", "parked"]
    assert (call.status, call.resumed, call.error, call.notices) == (CallStatus.DONE, True, None, ())
    assert (call.tool, call.arguments, call.started) == ("tool", ARGUMENTS, begun.state.started)
    assert carried(server) == [{}, retry(1, key="wer?")]
    assert [(one["params"]["name"], one["params"]["arguments"]) for one in server.received("tools/call")] == [
        ("tool", ARGUMENTS)
    ] * 2


async def test_a_round_is_kept_for_the_person_alone_before_they_see_it(wire: Wire) -> None:
    server = wire.raw({"asks": {"a": FORM, "b": LINK}}, era="modern", stateless=True)
    found: list[tuple[list[Json], list[int]]] = []

    async def look(_question: Question) -> Reply:
        modes = [path.stat().st_mode & 0o777 for path in (data_dir() / "waiting", *waiting())]
        found.append((kept(), modes))
        return await never(_question)

    call_id = await left_waiting(wire, server, ScriptedPerson(form=look, link=never))
    [([content], modes)] = found
    assert modes == [0o700, 0o600]
    assert content.pop("saved") == pytest.approx(time.time(), abs=60)
    assert content.pop("started") == pytest.approx(time.time(), abs=60)
    assert content == {
        "version": 1,
        "server": "raw",
        "fingerprint": server.entry.fingerprint,
        "revision": "2026-07-28",
        "method": "tools/call",
        "params": {"name": "tool", "arguments": ARGUMENTS},
        "inputRequests": {"a": FORM, "b": LINK},
        "requestState": state_text(1, 1, []),
        "inputResponses": {},
    }
    assert [path.name for path in waiting()] == [f"{call_id}.json"]


@both_transports
async def test_a_program_that_is_killed_loses_neither_the_question_nor_what_was_typed(
    wire: Wire, transport: str
) -> None:
    server = wire.raw({"ask": FORM}, transport=transport, era="modern", stateless=True)
    await killed_while_it_waits(server.entry, wire.folder, **ARGUMENTS)
    [path] = waiting()
    assert path.stat().st_mode & 0o777 == 0o600
    person = ScriptedPerson(form=NAMED)
    async with wire.run(person, server) as host:
        await host.resume_calls()
        call = await wire.result(path.stem)
        await until(lambda: not waiting())
    assert (call.status, call.resumed, call.arguments) == (CallStatus.DONE, True, ARGUMENTS)
    assert carried(server) == [{}, retry(1)]
    [question] = person.questions
    assert question.ask.parked
    assert question.draft
    assert question.draft.entries == TYPED


@both_transports
async def test_of_a_round_only_what_was_not_answered_and_what_held_a_secret_is_asked_again(
    wire: Wire, transport: str
) -> None:
    asks = {"name": FORM, "secret": PASSWORD, "last": {**FORM, "params": {**FORM["params"], "message": "And now?"}}}
    server = wire.raw({"asks": asks}, transport=transport, era="modern", stateless=True)
    secret = FormReply(Action.ACCEPT, entries={"password": "hunter2"})

    async def all_but_the_last(question: Question) -> Reply:
        key = question.ask.origin.key
        return await never(question) if key == "last" else secret if key == "secret" else NAMED

    before = ScriptedPerson(form=all_but_the_last)
    async with wire.run(before, server) as host:
        call_id = host.begin_call("raw", "tool", {})
        await until(lambda: len(before.ended) == 2 and kept()[0]["inputResponses"])
    assert [one["inputResponses"] for one in kept()] == [{"name": ADA}]
    assert sorted(before.ended.values()) == ["accept", "accept", "parked"]

    person = ScriptedPerson(form=lambda question: secret if question.ask.origin.key == "secret" else NAMED)
    async with wire.run(person, server) as host:
        await host.resume_calls()
        assert (await wire.result(call_id)).status is CallStatus.DONE
    places = [question.ask.origin for question in person.questions]
    assert {(place.key, place.position, place.total) for place in places} == {("secret", 2, 3), ("last", 3, 3)}
    assert carried(server)[1:] == [
        {
            "inputResponses": {
                "name": ADA,
                "secret": {"action": "accept", "content": {"password": "hunter2"}},
                "last": ADA,
            },
            "requestState": state_text(1, 1, []),
        }
    ]
    files = [path for path in data_dir().rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if b"hunter2" in path.read_bytes()] == []


async def test_questions_of_every_kind_come_back(wire: Wire, tmp_path: Path) -> None:
    asks = {"form": FORM, "link": LINK, "sampling": SAMPLING, "roots": ROOTS}
    server = wire.raw({"asks": asks}, era="modern", stateless=True)
    before = ScriptedPerson(form=never, link=never, request=never, roots=never)
    async with wire.run(before, server) as host:
        call_id = host.begin_call("raw", "tool", {})
        await until(lambda: len(before.questions) == 4)
    assert list(before.ended.values()) == [Outcome.PARKED] * 4
    person = ScriptedPerson(form=NAMED, response=ResponseReply(Action.ACCEPT, text="Hello"))
    async with wire.run(person, server) as host:
        host.workspace.offer(str(tmp_path), "raw", "Here")
        await host.resume_calls()
        assert (await wire.result(call_id)).status is CallStatus.DONE
    assert all(question.ask.parked for question in person.questions)
    [link] = [question.ask for question in person.questions if question.ask.kind == "url"]
    assert (link.waits, link.repeated) == (True, False)
    responses = carried(server)[1]["inputResponses"]
    assert responses["form"] == ADA
    assert responses["link"] == {"action": "accept"}
    assert responses["sampling"]["content"] == {"type": "text", "text": "Hello"}
    assert responses["roots"] == {"roots": [{"uri": tmp_path.as_uri(), "name": "Here"}]}


@both_transports
async def test_a_call_may_wait_through_several_restarts_each_round_with_its_own_state(
    wire: Wire, transport: str
) -> None:
    server = wire.raw({"ask": FORM}, {"ask": FORM}, transport=transport, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    person = ScriptedPerson(form=[NAMED, never])
    async with wire.run(person, server, connect=False) as host:
        await host.resume_calls()
        await until(lambda: len(person.questions) == 2)
    assert [question.ask.parked for question in person.questions] == [True, False]
    [second] = kept()
    person = ScriptedPerson(form=never)
    async with wire.run(person, server, connect=False) as host:
        await host.resume_calls()
        await until(lambda: person.questions)
    assert [{**one, "saved": 0} for one in kept()] == [{**second, "saved": 0}]
    call = await resumed(wire, server, call_id)
    assert call.status is CallStatus.DONE
    assert call.result
    assert json.loads(call.result["content"][0]["text"]) == [ADA, ADA]
    [first, answer, last] = carried(server)
    assert (first, answer) == ({}, retry(1))
    assert last == {"inputResponses": {"ask2": ADA}, "requestState": second["requestState"]}
    assert second["requestState"] != answer["requestState"]


async def test_a_retry_after_a_restart_has_an_id_that_its_server_did_not_see_in_this_call(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, transport="http", era="modern")
    call_id = await left_waiting(wire, server)
    call = await resumed(wire, server, call_id)
    assert told(call) == (CallStatus.DONE, None, [])
    first, second = (one["id"] for one in server.received("tools/call"))
    assert first != second


async def test_a_round_without_a_state_comes_back_without_one(wire: Wire) -> None:
    server = wire.raw({"ask": FORM, "no_state": True}, transport="http", era="modern")
    call_id = await left_waiting(wire, server)
    await resumed(wire, server, call_id)
    assert carried(server) == [{}, {"inputResponses": {"ask1": ADA}}]


async def test_an_answer_whose_result_never_came_is_not_sent_again_without_the_person(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, {"sleep": 30}, era="modern", stateless=True)
    async with wire.run(ScriptedPerson(form=NAMED), server) as host:
        call_id = host.begin_call("raw", "tool", {})
        await until(lambda: len(carried(server)) == 2)
    wire.become(server, calls={"tool": [{"ask": FORM}]})
    thinking = Pondering(NAMED)
    async with wire.run(ScriptedPerson(form=thinking), server) as host:
        await host.resume_calls()
        await thinking.asked.wait()
        assert len(carried(server)) == 2
        thinking.decide()
        assert (await wire.result(call_id)).status is CallStatus.DONE
    assert carried(server) == [{}, retry(1), retry(1)]


@both_transports
async def test_a_server_that_is_not_running_is_started_for_the_answer(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": FORM}, transport=transport, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    thinking = Pondering(NAMED)
    async with wire.run(ScriptedPerson(form=thinking), server, connect=False) as host:
        await host.resume_calls()
        await thinking.asked.wait()
        assert (discoveries(server), host.connection("raw").state.status) == (1, ServerStatus.OFF)
        thinking.decide()
        assert told(await wire.result(call_id)) == (CallStatus.DONE, None, [])
        assert host.connection("raw").state.status is ServerStatus.READY
    assert carried(server) == [{}, retry(1)]


async def test_an_answer_that_is_given_while_its_server_starts_waits_for_it(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    async with wire.run(ScriptedPerson(form=NAMED), server, connect=False) as host:
        await asyncio.gather(host.start_all(host.names()), host.resume_calls())
        assert (await wire.result(call_id)).status is CallStatus.DONE
    assert discoveries(server) == 2
    assert carried(server) == [{}, retry(1)]


@pytest.mark.parametrize("how", ["not approved", "down", "broken"])
async def test_an_answer_that_finds_no_server_is_told_to_be_kept_and_the_question_comes_back(
    wire: Wire, how: str
) -> None:
    transport = "http" if how == "down" else "stdio"
    server = wire.raw({"ask": FORM}, transport=transport, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    script = wire.folder / "raw.json"
    if how == "down":
        wire.take_down(server)
    elif how == "broken":
        script = script.rename(wire.folder / "away.json")
    person = ScriptedPerson(form=NAMED, connect=Reply(Action.DECLINE))
    async with wire.run(person, connect=False) as host:
        host.add(server.entry, trusted=how != "not approved")
        await host.resume_calls()
        call = await wire.result(call_id)
    reasons = {"not approved": "connect.not_approved", "down": "connect.unreachable", "broken": "server.exited_saying"}
    assert told(call) == (CallStatus.FAILED, reasons[how], ["call.kept"])
    assert len(waiting()) == 1
    if how == "down":
        wire.bring_back(server)
    elif how == "broken":
        script.rename(wire.folder / "raw.json")
    assert (await resumed(wire, server, call_id)).status is CallStatus.DONE
    assert carried(server) == [{}, retry(1)]


async def test_a_connected_server_that_cannot_be_reached_for_the_answer_has_refused_nothing(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, transport="http", era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    thinking = Pondering(NAMED)
    async with wire.run(ScriptedPerson(form=thinking), server) as host:
        await host.resume_calls()
        await thinking.asked.wait()
        wire.take_down(server)
        thinking.decide()
        call = await wire.result(call_id)
    assert told(call) == (CallStatus.FAILED, "call.network", ["call.kept"])
    wire.bring_back(server)
    assert (await resumed(wire, server, call_id)).status is CallStatus.DONE


@pytest.mark.parametrize("change", ["other arguments", "other address", "removed"])
async def test_what_another_server_asked_is_not_put_again(wire: Wire, change: str) -> None:
    transport = "http" if change == "other address" else "stdio"
    server = wire.raw({"ask": FORM}, transport=transport, era="modern", stateless=True)
    await left_waiting(wire, server)
    entry = server.entry
    changed = (
        dataclasses.replace(entry, url=f"{entry.url}?other")
        if entry.url
        else dataclasses.replace(entry, args=(*entry.args, "--protocol", "2025-06-18"))
    )
    others = [] if change == "removed" else [dataclasses.replace(server, entry=changed)]
    person = ScriptedPerson(form=NAMED)
    async with wire.run(person, *others, connect=False) as host:
        await host.resume_calls()
        await asyncio.sleep(0.1)
        assert wire.told(CallChanged) == []
    assert person.questions == []
    assert carried(server) == [{}]
    assert discoveries(server) == 1


@both_transports
async def test_a_state_that_the_server_no_longer_takes_is_said(wire: Wire, transport: str) -> None:
    refusal = {"code": -32602, "message": "state expired"}
    server = wire.raw({"ask": FORM}, {"error": refusal}, transport=transport, era="modern", stateless=True)
    async with wire.run(ScriptedPerson(form=NAMED), server):
        assert told(await wire.call()) == (CallStatus.FAILED, "call.server_error", [])
    call_id = await left_waiting(wire, server)
    call = await resumed(wire, server, call_id)
    assert told(call) == (CallStatus.FAILED, "call.server_error", ["call.state_refused"])
    await until(lambda: not waiting())


@both_transports
async def test_a_server_that_speaks_another_era_now_gets_nothing(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": FORM}, transport=transport, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    wire.become(server, era="handshake")
    call = await resumed(wire, server, call_id)
    assert told(call) == (CallStatus.FAILED, "call.other_era", [])
    assert carried(server) == [{}]
    assert waiting() == []


@both_transports
async def test_where_nothing_may_be_kept_a_question_is_cancelled_at_the_end(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": FORM}, transport=transport, era="modern", stateless=True)
    person = ScriptedPerson(form=never)
    async with wire.run(person, server, policies=laid_down({"keep": {"waitingAsks": False}})) as host:
        host.begin_call("raw", "tool", {})
        await until(lambda: person.questions)
        assert waiting() == []
    assert list(person.ended.values()) == [Outcome.CANCEL]
    cancelled = {"inputResponses": {"ask1": {"action": "cancel"}}, "requestState": state_text(1, 1, [])}
    assert await until(lambda: carried(server)[1:]) == [cancelled]
    assert waiting() == []


async def test_where_nothing_may_be_kept_nothing_is_said_to_be(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    thinking = Pondering(NAMED)
    async with wire.run(
        ScriptedPerson(form=thinking), server, policies=laid_down({"keep": {"waitingAsks": False}})
    ) as host:
        call_id = host.begin_call("raw", "tool", {})
        await thinking.asked.wait()
        (wire.folder / "raw.json").unlink()
        kill(server)
        await until(lambda: host.connection("raw").state.status is ServerStatus.FAILED)
        thinking.decide()
        assert told(await wire.result(call_id)) == (CallStatus.FAILED, "server.exited_saying", [])
    assert waiting() == []


async def test_where_nothing_may_be_kept_any_more_what_was_kept_goes(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    await left_waiting(wire, server)
    person = ScriptedPerson(form=NAMED)
    async with wire.run(person, server, policies=laid_down({"keep": {"waitingAsks": False}})) as host:
        await host.resume_calls()
        assert waiting() == []
    assert person.questions == []


async def test_a_question_that_waited_for_a_week_is_not_put_again(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    await left_waiting(wire, server)
    [path] = waiting()
    path.write_text(json.dumps({**kept()[0], "saved": time.time() - LIFETIME - 1}), encoding="utf-8")
    person = ScriptedPerson(form=NAMED)
    async with wire.run(person, server) as host:
        await host.resume_calls()
        assert waiting() == []
    assert person.questions == []


def a_call(name: str = "call", arguments: Json | None = None) -> ParkedCall:
    call = CallRef(name, "tool", arguments or {}, 1000.0)
    return ParkedCall("raw", "fingerprint", "2026-07-28", call, Round({"k": FORM}, "state", {"j": ADA}))


async def test_a_week_is_a_week(tmp_path: Path) -> None:
    now = 1_000_000.0
    files = KeptFiles(tmp_path / "waiting", LIFETIME, clock=lambda: now)
    await Parked(files).keep(a_call())
    now += LIFETIME
    assert await Parked(files).all() == [a_call()]
    now += 0.5
    assert await Parked(files).all() == []
    assert list((tmp_path / "waiting").iterdir()) == []
    await files.close()


async def test_calls_come_back_in_the_order_in_which_they_began_to_wait(tmp_path: Path) -> None:
    now = 1_000_000.0
    files = KeptFiles(tmp_path / "waiting", LIFETIME, clock=lambda: now)
    for name in ("c", "a", "b"):
        await Parked(files).keep(a_call(name))
        now += 1
    assert [one.call.id for one in await Parked(files).all()] == ["c", "a", "b"]
    await files.close()


async def test_a_round_that_is_too_large_to_keep_leaves_none_of_before_in_its_place(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path / "waiting", LIFETIME)
    parked = Parked(files)
    await parked.keep(a_call())
    await parked.keep(dataclasses.replace(a_call(), round=Round({"k": FORM}, "s" * (5 * 1024 * 1024))))
    assert await parked.all() == []
    await files.close()


@both_transports
async def test_a_call_that_is_over_leaves_no_file(wire: Wire, transport: str) -> None:
    failing = {"error": {"code": 1, "message": "no"}}
    tools = {"tool": [{"ask": FORM}], "failing": [{"ask": FORM}, failing]}
    server = wire.raw(tools=tools, transport=transport, era="modern")
    replies = [NAMED, NAMED, Reply(Action.DECLINE), Reply(Action.CANCEL), Reply(Action.STOP)]
    thinking = [Pondering(reply) for reply in (*replies, NAMED)]
    ended: list[CallStatus] = []
    async with wire.run(ScriptedPerson(form=[*thinking]), server) as host:
        for number, one in enumerate(thinking):
            call_id = host.begin_call("raw", "failing" if number == 1 else "tool", {})
            await one.asked.wait()
            assert [path.name for path in waiting()] == [f"{call_id}.json"]
            if one is thinking[-1]:
                host.calls.cancel(call_id)
            else:
                one.decide()
            ended.append((await wire.result(call_id)).status)
            await until(lambda: not waiting())
    assert ended == ["done", "failed", "done", "done", "abandoned", "cancelled"]


async def test_only_calls_of_modern_servers_are_kept(wire: Wire) -> None:
    server = wire.raw({"ask": FORM})
    person = ScriptedPerson(form=never)
    async with wire.run(person, server) as host:
        host.begin_call("raw", "tool", {})
        await until(lambda: person.questions)
        assert waiting() == []
    assert list(person.ended.values()) == [Outcome.CANCEL]
    assert [one["result"] for one in server.answers()] == [{"action": "cancel"}]


def without(name: str) -> Callable[[Json], str]:
    return lambda good: json.dumps({key: value for key, value in good.items() if key != name})


def with_(**changes: Any) -> Callable[[Json], str]:
    return lambda good: json.dumps({**good, **changes})


BROKEN: dict[str, Callable[[Json], str | bytes]] = {
    "empty": lambda good: "",
    "half written": lambda good: json.dumps(good)[:-40],
    "no JSON": lambda good: "hello",
    "no text": lambda good: b"\xff\xfe\x00",
    "a list": lambda good: "[1]",
    "null": lambda good: "null",
    "too deep": lambda good: "[" * 200_000,
    "a number too long": lambda good: json.dumps(good).replace("1000.0", "9" * 5000),
    "a time too large": with_(saved=10**400),
    "a time that is text": with_(saved="now"),
    "no time": without("saved"),
    "no parameters": without("params"),
    "parameters of a list": with_(params=[]),
    "no tool": with_(params={"arguments": {}}),
    "arguments of null": with_(params={"name": "tool", "arguments": None}),
    "no requests": without("inputRequests"),
    "requests of text": with_(inputRequests="all"),
    "answers of a number": with_(inputResponses=5),
    "no state": without("requestState"),
    "a start that is no time": with_(started="yesterday"),
    "no server": without("server"),
}


every_broken_file = pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)


async def beside_a_good_one(folder: Path, broken: Callable[[Json], str | bytes]) -> list[ParkedCall]:
    """What is found where a good and a broken file wait."""
    files = KeptFiles(folder, LIFETIME)
    try:
        await Parked(files).keep(a_call("good"))
        text = broken(json.loads((folder / "good.json").read_text(encoding="utf-8")))
        (folder / "bad.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        return await Parked(files).all()
    finally:
        await files.close()


@every_broken_file
async def test_a_file_that_cannot_be_read_hides_no_other(tmp_path: Path, broken: Callable[[Json], str | bytes]) -> None:
    assert await beside_a_good_one(tmp_path / "waiting", broken) == [a_call("good")]


@every_broken_file
async def test_a_file_that_cannot_be_read_is_removed(tmp_path: Path, broken: Callable[[Json], str | bytes]) -> None:
    with contextlib.suppress(Exception):  # that it is found at all is another test
        await beside_a_good_one(tmp_path / "waiting", broken)
    assert [path.name for path in (tmp_path / "waiting").iterdir()] == ["good.json"]


async def test_files_of_others_in_the_folder_are_left_alone_and_disturb_nothing(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    folder = data_dir() / "waiting"
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    (folder / "folder.json").mkdir()
    (folder / ".half").write_text('{"saved": 1', encoding="utf-8")
    (folder / "link.json").symlink_to(folder / "notes.txt")
    async with wire.run(ScriptedPerson(form=NAMED), server) as host:
        await host.resume_calls()
        assert (await wire.result(call_id)).status is CallStatus.DONE
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("requests", "key"),
    [({"k": 5}, "call.undeclared"), ({"k": {"method": "tasks/list"}}, "call.undeclared")],
    ids=["no object", "no ask"],
)
async def test_a_file_that_holds_no_questions_ends_its_call_and_sends_nothing(
    wire: Wire, requests: Json, key: str
) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    [path] = waiting()
    path.write_text(json.dumps({**kept()[0], "inputRequests": requests}), encoding="utf-8")
    call = await resumed(wire, server, call_id)
    assert told(call) == (CallStatus.ABANDONED, key, [])
    assert carried(server) == [{}]
    assert waiting() == []


@both_transports
async def test_a_server_that_goes_away_while_the_person_thinks_gets_the_answer_when_it_is_back(
    wire: Wire, transport: str
) -> None:
    server = wire.raw({"ask": FORM}, transport=transport, era="modern", stateless=True)
    thinking = Pondering(NAMED)
    person = ScriptedPerson(form=thinking)
    async with wire.run(person, server) as host:
        call_id = host.begin_call("raw", "tool", ARGUMENTS)
        await thinking.asked.wait()
        if transport == "stdio":
            kill(server)
            await until(lambda: host.connection("raw").state.status is ServerStatus.FAILED)
        else:
            wire.take_down(server)
            wire.bring_back(server)
        await asyncio.sleep(0.1)
        assert (thinking.withdrawn, person.ended, wire.ended) == (False, {}, {})
        thinking.decide()
        call = await wire.result(call_id)
        assert (told(call), call.resumed) == ((CallStatus.DONE, None, []), False)
        assert host.connection("raw").state.status is ServerStatus.READY
        await until(lambda: not waiting())
    assert carried(server) == [{}, retry(1)]
    assert list(person.ended.values()) == [Outcome.ACCEPT]


async def test_coming_back_twice_puts_nothing_twice(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    thinking = Pondering(NAMED)
    person = ScriptedPerson(form=thinking)
    async with wire.run(person, server) as host:
        await asyncio.gather(host.resume_calls(), host.resume_calls())
        await thinking.asked.wait()
        await host.resume_calls()
        await asyncio.sleep(0.1)
        assert len(person.questions) == 1
        thinking.decide()
        assert (await wire.result(call_id)).status is CallStatus.DONE
        await until(lambda: not waiting())
        await host.resume_calls()
    assert len(person.questions) == 1
    assert carried(server) == [{}, retry(1)]


async def test_a_call_that_begins_now_is_not_taken_for_one_that_waited(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    thinking = Pondering(NAMED)
    person = ScriptedPerson(form=thinking)
    async with wire.run(person, server) as host:
        call_id = host.begin_call("raw", "tool", {})
        await thinking.asked.wait()
        await host.resume_calls()
        await asyncio.sleep(0.1)
        thinking.decide()
        assert (await wire.result(call_id)).resumed is False
    assert len(person.questions) == 1


async def test_more_questions_come_back_than_may_wait_at_once_and_the_server_starts_once(
    wire: Wire,
) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    calls: dict[str, int] = {}
    for numbers in ((1, 2, 3, 4), (5, 6, 7)):
        before = ScriptedPerson(form=never)
        async with wire.run(before, server) as host:
            calls |= {host.begin_call("raw", "tool", {"number": number}): number for number in numbers}
            await until(lambda before=before, numbers=numbers: len(before.questions) == len(numbers))
    starts = discoveries(server)
    everybody = asyncio.Event()

    async def all_at_once(question: Question) -> Reply:
        await everybody.wait()
        number = question.ask.origin.calls[0].arguments["number"]
        return FormReply(Action.ACCEPT, entries={"name": str(number)})

    person = ScriptedPerson(form=all_at_once)
    async with wire.run(person, server, connect=False) as host:
        await host.resume_calls()
        await until(lambda: len(person.questions) == 7)
        everybody.set()
        ended = [await wire.result(call_id) for call_id in calls]
        await until(lambda: not waiting())
    assert discoveries(server) == starts + 1
    for call, number in zip(ended, calls.values(), strict=True):
        assert call.status is CallStatus.DONE, call.error
        assert call.arguments == {"number": number}
        assert call.result
        assert json.loads(call.result["content"][0]["text"])[0]["content"] == {"name": str(number)}


async def test_links_that_were_opened_before_the_restart_are_not_asked_again(wire: Wire) -> None:
    server = wire.raw({"asks": {"link": LINK, "form": FORM}}, era="modern", stateless=True)
    before = ScriptedPerson(link=LinkReply(Action.ACCEPT), form=never)
    async with wire.run(before, server) as host:
        call_id = host.begin_call("raw", "tool", {})
        await until(lambda: len(before.questions) == 2 and kept()[0]["inputResponses"])
    person = ScriptedPerson(form=NAMED)
    async with wire.run(person, server) as host:
        await host.resume_calls()
        assert (await wire.result(call_id)).status is CallStatus.DONE
    assert [question.ask.kind for question in person.questions] == ["form"]
    assert carried(server)[1]["inputResponses"] == {"link": {"action": "accept"}, "form": ADA}


async def test_stopping_the_server_of_a_question_that_came_back_cancels_it_and_does_not_start_it(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    call_id = await left_waiting(wire, server)
    person = ScriptedPerson(form=never)
    async with wire.run(person, server, connect=False) as host:
        await host.resume_calls()
        await until(lambda: person.questions)
        await host.stop("raw")
        assert (await wire.result(call_id)).status is CallStatus.FAILED
        assert list(person.ended.values()) == [Outcome.CANCEL]
        assert host.connection("raw").state.status is ServerStatus.OFF
    assert discoveries(server) == 1
    assert carried(server) == [{}]
