"""The handshake era on the wire: what a server really receives for every ask, over stdio and HTTP."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import (
    Action,
    FormReply,
    LinkReply,
    Reply,
    RequestReply,
    ResponseQuestion,
    ResponseReply,
    RootsReply,
)
from desktop_host.config.paths import data_dir
from desktop_host.host import Host
from desktop_host.terms.asks import Outcome
from desktop_host.terms.events import LinkCompleted, Recorded
from desktop_host.terms.state import CallStatus, ServerStatus
from tests.support.person import Pondering, ScriptedPerson
from tests.support.wire import FORM, LINK, NAME, ROOTS, SAMPLING, Json, RawServer, Wire, until

pytest_plugins = ("tests.support.fixtures",)

both_transports = pytest.mark.parametrize("transport", ["stdio", "http"])
NAMED = FormReply(Action.ACCEPT, entries={"name": "Ada"})
DECLINE, CANCEL, STOP = Reply(Action.DECLINE, "not today"), Reply(Action.CANCEL), Reply(Action.STOP)


def answer(number: int, result: Json) -> Json:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def refusal(number: int, code: int, message: str) -> Json:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


@both_transports
async def test_everything_we_can_do_is_declared_at_initialize(wire: Wire, transport: str) -> None:
    server = wire.raw(transport=transport, protocol="2025-06-18")
    host = await wire.meet(ScriptedPerson(), server)
    [hello] = server.received("initialize")
    assert hello["params"]["protocolVersion"] == "2025-11-25"
    assert hello["params"]["capabilities"] == {
        "elicitation": {"form": {}, "url": {}},
        "sampling": {"tools": {}},
        "roots": {"listChanged": True},
    }
    assert hello["params"]["clientInfo"]["name"] == "desktop-host"
    methods = [message["method"] for message in server.received() if message["method"] != "server/discover"]
    assert methods[:2] == ["initialize", "notifications/initialized"]
    assert host.connection("raw").state.revision == "2025-06-18"


@both_transports
@pytest.mark.parametrize(
    ("reply", "result"),
    [
        (NAMED, {"action": "accept", "content": {"name": "Ada"}}),
        (DECLINE, {"action": "decline"}),
        (CANCEL, {"action": "cancel"}),
    ],
    ids=["accept", "decline", "cancel"],
)
async def test_a_form_is_answered_with_its_action_and_content_only_where_accepted(
    wire: Wire, transport: str, reply: Reply, result: Json
) -> None:
    server = wire.raw({"ask": FORM}, transport=transport)
    await wire.meet(ScriptedPerson(form=reply), server)
    call = await wire.call()
    assert server.answers() == [answer(1, result)]
    assert call.status is CallStatus.DONE


@pytest.mark.parametrize("protocol", ["2024-11-05", "2025-03-26", "2025-06-18"])
async def test_older_revisions_get_the_same_answers(wire: Wire, protocol: str, tmp_path: Path) -> None:
    without_mode = {**FORM, "params": {"message": "Who are you?", "requestedSchema": NAME}}
    server = wire.raw({"ask": without_mode}, {"ask": SAMPLING}, {"ask": ROOTS}, protocol=protocol)
    host = await wire.meet(ScriptedPerson(form=NAMED), server)
    host.workspace.offer(str(tmp_path), "raw", "Here")
    await wire.call()
    form, sampling, roots = server.answers()
    assert form == answer(1, {"action": "accept", "content": {"name": "Ada"}})
    # One block, never a list: revisions before 2025-11-25 know no other (SMP-37).
    assert sampling["result"]["content"] == {"type": "text", "text": "scripted answer"}
    assert roots == answer(3, {"roots": [{"uri": tmp_path.as_uri(), "name": "Here"}]})


@both_transports
async def test_stop_cancels_the_ask_and_then_the_call_it_came_from(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": FORM}, {"sleep": 30}, transport=transport)
    await wire.meet(ScriptedPerson(form=STOP), server)
    call = await wire.call()
    assert call.status is CallStatus.CANCELLED
    await ask_then_call_cancelled(server)


async def ask_then_call_cancelled(server: RawServer) -> None:
    """The server heard cancel to its ask first, and then that the call is over."""
    await until(server.stopped)
    [called] = server.received("tools/call")
    told = [message for message in server.received() if "method" not in message or "cancelled" in message["method"]]
    assert told[0] == answer(1, {"action": "cancel"})
    assert [message["params"]["requestId"] for message in told[1:]] == [called["id"]]


@both_transports
async def test_a_link_is_accepted_at_consent_and_its_completion_is_heard(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": LINK}, {"complete": "link-1"}, transport=transport)
    person = ScriptedPerson()
    await wire.meet(person, server)
    await wire.call()
    assert server.answers() == [answer(1, {"action": "accept"})]
    [question] = person.questions
    assert not question.ask.waits
    assert await until(lambda: wire.told(LinkCompleted)) == [LinkCompleted("raw", "link-1")]


@pytest.mark.parametrize(
    ("reply", "action"),
    [(DECLINE, "decline"), (CANCEL, "cancel"), (LinkReply(Action.ACCEPT, opened=False), "cancel")],
    ids=["decline", "cancel", "the browser did not open"],
)
async def test_a_link_that_was_not_opened_is_never_accepted(wire: Wire, reply: Reply, action: str) -> None:
    server = wire.raw({"ask": LINK})
    await wire.meet(ScriptedPerson(link=reply), server)
    await wire.call()
    assert server.answers() == [answer(1, {"action": action})]


TOOL: Json = {"name": "t", "inputSchema": {"type": "object"}}


def changed(request: Json, **params: Any) -> Json:
    return {**request, "params": {**request["params"], **params}}


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (changed(FORM, mode="voice"), -32602),
        (changed(LINK, url="javascript:alert(1)"), -32602),
        (changed(LINK, url=None), -32602),
        (changed(SAMPLING, tools=[{"name": "t"}]), -32602),
        (changed(SAMPLING, tools=[TOOL], toolChoice={"mode": "any"}), -32602),
        (changed(SAMPLING, messages=[]), -32602),
        (changed(FORM, message="x" * 40_000), -32602),
        ({"method": "tasks/list"}, -32601),
        ({"method": "elicitation/imagine", "params": {}}, -32601),
    ],
    ids=[
        *("unsupported mode", "dangerous link", "link without url", "malformed tools", "unknown tool choice"),
        *("no messages", "message too long", "unknown method", "unknown elicitation method"),
    ],
)
async def test_what_was_not_declared_or_is_wrong_is_refused_by_code_and_never_seen(
    wire: Wire, request_: Json, code: int
) -> None:
    server = wire.raw({"ask": request_})
    person = ScriptedPerson()
    await wire.meet(person, server)
    await wire.call()
    [refused] = server.answers()
    assert (refused["id"], refused["error"]["code"]) == (1, code)
    assert person.questions == []


@both_transports
async def test_a_sampling_answer_is_one_block_with_role_and_model(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": SAMPLING}, transport=transport)
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT, text="Hello"))
    await wire.meet(person, server)
    await wire.call()
    [sent] = server.answers()
    model = sent["result"].pop("model")
    assert isinstance(model, str)
    assert model
    assert sent == answer(
        1, {"role": "assistant", "content": {"type": "text", "text": "Hello"}, "stopReason": "endTurn"}
    )
    assert [type(question).__name__ for question in person.questions] == ["RequestQuestion", "ResponseQuestion"]


@both_transports
@pytest.mark.parametrize("step", ["request", "response"])
@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (DECLINE, "User rejected sampling request"),
        (CANCEL, "User closed the sampling request without deciding"),
    ],
    ids=["decline", "cancel"],
)
async def test_a_refused_sampling_is_error_minus_one_whose_text_tells_decline_from_cancel(
    wire: Wire, transport: str, step: str, reply: Reply, message: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, transport=transport)
    await wire.meet(ScriptedPerson(**{step: reply}), server)
    await wire.call()
    assert server.answers() == [refusal(1, -1, message)]


@both_transports
async def test_only_chosen_roots_leave_and_a_refusal_is_an_error(wire: Wire, transport: str, tmp_path: Path) -> None:
    for name in ("open", "closed"):
        (tmp_path / name).mkdir()
    server = wire.raw({"ask": ROOTS}, {"ask": ROOTS}, {"ask": ROOTS}, transport=transport)
    chosen = RootsReply(Action.ACCEPT, uris=((tmp_path / "closed").as_uri(), "file:///etc"))
    host = await wire.meet(ScriptedPerson(roots=[RootsReply(Action.ACCEPT), chosen, DECLINE]), server)
    host.workspace.offer(str(tmp_path / "open"), "raw")
    host.workspace.offer(str(tmp_path / "closed"), "another server")
    await wire.call()
    assert server.answers() == [
        answer(1, {"roots": [{"uri": (tmp_path / "open").as_uri(), "name": "open"}]}),
        answer(2, {"roots": [{"uri": (tmp_path / "closed").as_uri(), "name": "closed"}]}),
        refusal(3, -32603, "The user did not share any folders"),
    ]


async def test_changed_roots_are_told_to_handshake_servers_only(wire: Wire) -> None:
    old, new = wire.raw({"result": {"content": []}}), wire.raw({"result": {"content": []}}, era="modern", name="new")
    host = await wire.meet(ScriptedPerson(), old, new)
    for _ in range(3):
        await host.roots_changed()
    await until(lambda: old.received("notifications/roots/list_changed"))
    await asyncio.gather(wire.call("raw"), wire.call("new"))  # so that anything sent before has arrived
    assert len(old.received("notifications/roots/list_changed")) == 1, "changes of a moment are told once"
    assert new.received("notifications/roots/list_changed") == []


async def test_outside_any_call_only_roots_are_served(wire: Wire) -> None:
    asks = {"form": FORM, "link": LINK, "sampling": SAMPLING, "roots": ROOTS}
    server = wire.raw({"asks": asks, "outside": True, "delay": 0.1})
    person = ScriptedPerson()
    await wire.meet(person, server)
    await wire.call()
    await until(lambda: len(server.answers()) == 4)
    assert [one.get("error", {}).get("code") for one in server.answers()] == [-32602, -32602, -32602, None]
    assert server.answers()[3] == answer(4, {"roots": []})
    assert [question.ask.kind for question in person.questions] == ["roots"]


@both_transports
async def test_an_ask_that_the_server_withdraws_closes_and_is_not_answered(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": FORM}, {"sleep": 0.3}, {"cancel_ask": True}, {"sleep": 0.2}, transport=transport)
    form = Pondering(NAMED)
    person = ScriptedPerson(form=form)
    await wire.meet(person, server)
    call = await wire.call()
    assert call.status is CallStatus.DONE
    assert form.withdrawn
    await until(lambda: list(person.ended.values()) == [Outcome.WITHDRAWN])
    assert server.answers() == []


@both_transports
async def test_cancelling_a_call_closes_its_ask_and_tells_the_server(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": FORM}, {"sleep": 30}, transport=transport)
    form = Pondering(NAMED)
    person = ScriptedPerson(form=form)
    host = await wire.meet(person, server)
    call_id = host.begin_call("raw", "tool", {})
    await form.asked.wait()
    host.calls.cancel(call_id)
    assert (await wire.result(call_id)).status is CallStatus.CANCELLED
    await ask_then_call_cancelled(server)
    assert form.withdrawn
    await until(lambda: list(person.ended.values()) == [Outcome.CANCEL])


@both_transports
async def test_the_call_behind_an_ask_is_named_only_where_it_is_certain(wire: Wire, transport: str) -> None:
    tools = {name: [{"ask": changed(FORM, message=name)}] for name in ("first", "second")}
    server = wire.raw(transport=transport, tools=tools)
    hold = Pondering(NAMED)
    person = ScriptedPerson(form=[NAMED, hold, hold])
    host = await wire.meet(person, server)
    await wire.call(tool="first", day=1)
    [alone] = person.questions
    assert (alone.ask.origin.server, alone.ask.origin.era, alone.ask.origin.revision) == (
        "raw",
        "handshake",
        "2025-11-25",
    )
    assert [(call.tool, call.arguments) for call in alone.ask.origin.calls] == [("first", {"day": 1})]

    calls = [host.begin_call("raw", name, {}) for name in tools]
    await until(lambda: len(person.questions) == 3)
    named = {one.ask.params["message"]: [call.tool for call in one.ask.origin.calls] for one in person.questions[1:]}
    one_of = {"first": ["first", "second"], "second": ["first", "second"]}
    assert named == (one_of if transport == "stdio" else {"first": ["first"], "second": ["second"]})
    hold.decide()
    await asyncio.gather(*(wire.result(call) for call in calls))


def links_required(times: int | None = None) -> Json:
    error = {"code": -32042, "message": "Sign in first", "data": {"elicitations": [LINK["params"]]}}
    return {"error": error, **({} if times is None else {"times": times})}


@both_transports
async def test_a_call_that_needs_a_link_first_is_retried_once_after_consent(wire: Wire, transport: str) -> None:
    server = wire.raw(
        links_required(1), {"result": {"content": [{"type": "text", "text": "done"}]}}, transport=transport
    )
    person = ScriptedPerson()
    await wire.meet(person, server)
    call = await wire.call(day=1)
    assert call.status is CallStatus.DONE
    assert call.result == {"content": [{"type": "text", "text": "done"}]}
    first, second = server.received("tools/call")
    assert first["params"]["arguments"] == second["params"]["arguments"] == {"day": 1}
    assert first["id"] != second["id"]
    [question] = person.questions
    assert (question.ask.params, question.ask.waits, question.ask.origin.tool) == (LINK["params"], True, "tool")


@pytest.mark.parametrize(
    ("protocol", "reply", "calls", "key"),
    [
        ("2025-11-25", DECLINE, 1, "call.abandoned.decline"),
        ("2025-11-25", CANCEL, 1, "call.abandoned.cancel"),
        ("2025-06-18", LinkReply(Action.ACCEPT), 1, "call.server_error"),
    ],
    ids=["declined", "cancelled", "a revision in which the code means nothing (X-14)"],
)
async def test_a_call_that_needs_a_link_is_never_retried_otherwise(
    wire: Wire, protocol: str, reply: Reply, calls: int, key: str
) -> None:
    server = wire.raw(links_required(), protocol=protocol)
    person = ScriptedPerson(link=reply)
    await wire.meet(person, server)
    call = await wire.call()
    assert call.error
    assert call.error.key == key
    assert call.status is (CallStatus.ABANDONED if "abandoned" in key else CallStatus.FAILED)
    assert len(server.received("tools/call")) == calls
    assert len(person.questions) == (1 if protocol == "2025-11-25" else 0)


async def test_a_link_that_is_needed_again_goes_back_to_waiting_but_not_for_ever(wire: Wire) -> None:
    server = wire.raw(links_required())
    person = ScriptedPerson()
    await wire.meet(person, server)
    call = await wire.call()
    assert call.error
    assert (call.status, call.error.key) == (CallStatus.ABANDONED, "call.too_many_rounds")
    first, *others = person.questions
    assert not first.ask.repeated
    assert others
    assert all(question.ask.repeated for question in others)
    assert len(server.received("tools/call")) == len(person.questions)


@both_transports
async def test_ping_is_answered_while_the_person_thinks(wire: Wire, transport: str) -> None:
    server = wire.raw({"asks": {"form": FORM, "ping": {"method": "ping"}}}, transport=transport)
    form = Pondering(NAMED)
    await wire.meet(ScriptedPerson(form=form), server)
    call = asyncio.create_task(wire.call())
    await form.asked.wait()
    await until(lambda: server.answers() == [answer(2, {})])
    form.decide()
    await call
    assert [one["id"] for one in server.answers()] == [1, 2]


async def test_an_answer_that_breaks_the_schema_never_leaves(wire: Wire) -> None:
    properties = {
        "age": {"type": "integer", "minimum": 18},
        "code": {"type": "string", "pattern": "^[a-z]{3}$"},
        "mail": {"type": "string", "format": "email"},
    }
    form = changed(FORM, requestedSchema={"type": "object", "properties": properties, "required": ["age"]})
    tries = (
        {"code": "abc"},
        {"age": "seven"},
        {"age": "17"},
        {"age": "18", "code": "ABC"},
        {"age": "18", "mail": "nobody"},
        {"age": "18", "code": "abc", "mail": ""},
    )
    person = ScriptedPerson(form=[FormReply(Action.ACCEPT, entries=entries) for entries in tries])
    server = wire.raw({"ask": form})
    await wire.meet(person, server)
    await wire.call()
    assert server.answers() == [answer(1, {"action": "accept", "content": {"age": 18, "code": "abc"}})]
    problems = [{name: message.key for name, message in one.problems.items()} for one in person.questions]
    assert problems == [
        {},
        {"age": "form.required"},
        {"age": "form.not_integer"},
        {"age": "form.too_small"},
        {"code": "form.pattern"},
        {"mail": "form.not_email"},
    ]


@both_transports
async def test_a_fifth_ask_is_refused_while_four_wait(wire: Wire, transport: str) -> None:
    asks = {str(number): changed(FORM, message=f"question {number}") for number in range(5)}
    server = wire.raw({"asks": asks}, transport=transport)
    form = Pondering(NAMED)
    person = ScriptedPerson(form=form)
    await wire.meet(person, server)
    call = asyncio.create_task(wire.call())
    await until(server.answers)
    assert server.answers() == [refusal(5, -32603, "Too many requests are waiting")]
    assert len(person.questions) == 4
    form.decide()
    await call
    accepted = {"action": "accept", "content": {"name": "Ada"}}
    assert server.answers()[:4] == [answer(number, accepted) for number in range(1, 5)]
    recorded = [event.record for event in wire.told(Recorded)]
    assert sorted(record.outcome for record in recorded) == ["accept"] * 4 + ["refused"]


@pytest.mark.parametrize("ending", ["close", "stop"])
async def test_waiting_asks_are_cancelled_at_the_end_even_if_the_log_is_locked_for_a_moment(
    wire: Wire, ending: str
) -> None:
    asks = {"form": FORM, "link": LINK, "sampling": SAMPLING}
    server = wire.raw({"ask": ROOTS}, {"asks": asks}, {"sleep": 30})
    thinking = [Pondering(NAMED) for _ in asks]
    form, link, request = thinking
    host = Host(ScriptedPerson(form=form, link=link, request=request), wire.hear)
    host.add(server.entry, trusted=True)
    await host.start("raw")
    host.begin_call("raw", "tool", {})
    for one in thinking:
        await one.asked.wait()
    with closing(sqlite3.connect(data_dir() / "audit.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        ended = asyncio.create_task(host.close() if ending == "close" else host.stop("raw"))
        await asyncio.sleep(0.3)
        other.rollback()
        await ended
    assert server.answers()[1:] == [
        answer(2, {"action": "cancel"}),
        answer(3, {"action": "cancel"}),
        refusal(4, -1, "User closed the sampling request without deciding"),
    ]
    if ending == "stop":
        await host.close()


async def test_an_ask_withdrawn_while_its_answer_is_being_recorded_ends_with_an_entry_which_says_that_nothing_left(
    wire: Wire,
) -> None:
    server = wire.raw({"ask": ROOTS}, {"ask": FORM}, {"sleep": 0.3}, {"cancel_ask": True}, {"sleep": 0.3})
    form = Pondering(NAMED)
    host = await wire.meet(ScriptedPerson(form=form), server)
    call = asyncio.create_task(wire.call())
    await form.asked.wait()
    with closing(sqlite3.connect(data_dir() / "audit.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        form.decide()
        await asyncio.sleep(0.5)
        other.rollback()
    await call
    assert [one["id"] for one in server.answers()] == [1]
    entries = [entry for entry in await host.log.entries() if entry["kind"] == "form"]
    assert (entries[0]["outcome"], entries[0]["answer"]) == ("withdrawn", None)
    assert [entry["outcome"] for entry in entries] == ["withdrawn", "accept"], "the log is only ever appended to"


async def test_a_secret_that_a_schema_refused_is_not_written_down(wire: Wire) -> None:
    schema = {
        "type": "object",
        "properties": {"password": {"type": "string"}},
        "anyOf": [{"properties": {"password": {"const": "another"}}}],
    }
    server = wire.raw({"ask": changed(FORM, requestedSchema=schema)})
    person = ScriptedPerson(form=[FormReply(Action.ACCEPT, entries={"password": "hunter2"}), Reply(Action.CANCEL)])
    host = await wire.meet(person, server)
    await wire.call()
    [entry] = await host.log.entries()
    assert entry["errors"] != {}
    assert "hunter2" not in str(entry)


async def test_a_server_is_asked_about_once_however_often_it_is_started(wire: Wire) -> None:
    server = wire.raw()
    connect = Pondering(Reply(Action.ACCEPT))
    person = ScriptedPerson(connect=connect)
    host = wire.new_host(person, wire.hear)
    wire.host = host
    host.add(server.entry)
    starts = asyncio.gather(*(host.start("raw") for _ in range(3)))
    await connect.asked.wait()
    connect.decide()
    assert await starts == [None, None, None]
    assert len(person.questions) == 1
    assert host.connection("raw").state.status is ServerStatus.READY


async def test_an_edited_request_and_answer_are_what_is_used(wire: Wire) -> None:
    server = wire.raw({"ask": changed(SAMPLING, systemPrompt="Be brief")})

    def shorter(question: Any) -> Reply:
        return RequestReply(Action.ACCEPT, draft=replace(question.draft, system="Be brief, in French", max_tokens=20))

    person = ScriptedPerson(request=shorter, response=ResponseReply(Action.ACCEPT, text="Bonjour"))
    await wire.meet(person, server)
    await wire.call()
    assert server.answers()[0]["result"]["content"] == {"type": "text", "text": "Bonjour"}
    reviewed = person.questions[1]
    assert isinstance(reviewed, ResponseQuestion)
    assert (reviewed.draft.system, reviewed.draft.max_tokens) == ("Be brief, in French", 20)
    [recorded] = wire.told(Recorded)
    assert set(recorded.record.edits) == {"systemPrompt", "maxTokens"}


async def test_no_server_can_pretend_that_a_link_is_its_sign_in(wire: Wire) -> None:
    asked = {**LINK, "params": {**LINK["params"], "signIn": True, "signs_in": True, "signsIn": True}}
    person = ScriptedPerson(link=[Reply(Action.DECLINE)] * 2)
    for era in ("handshake", "modern"):
        server = wire.raw({"ask": asked}, era=era, name=era)
        await wire.meet(person, server)
        await wire.call(era)
    assert [question.ask.signs_in for question in person.questions] == [False, False]
