"""The modern era on the wire: rounds of asks, and the retries that answer them, over stdio and HTTP.

The scripted server refuses a retry by itself where its state, its keys, its parameters or its id are not right; these
tests look at the bytes as well.
"""

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import Action, FormReply, LinkReply, Reply, ResponseReply
from desktop_host.terms.asks import Outcome
from desktop_host.terms.state import CallState, CallStatus
from tests.servers.raw import state_text
from tests.support.person import Pondering, ScriptedPerson
from tests.support.wire import FORM, LINK, ROOTS, SAMPLING, Json, RawServer, Wire, until

pytest_plugins = ("tests.support.fixtures",)

both_transports = pytest.mark.parametrize("transport", ["stdio", "http"])
NAMED = FormReply(Action.ACCEPT, entries={"name": "Ada"})
ADA = {"action": "accept", "content": {"name": "Ada"}}
DECLINE, CANCEL, STOP = Reply(Action.DECLINE, "not today"), Reply(Action.CANCEL), Reply(Action.STOP)
SAID = {"role": "assistant", "content": {"type": "text", "text": "Hello"}, "model": "you", "stopReason": "endTurn"}


def rounds(server: RawServer) -> list[Json]:
    """What each tools/call carried beyond its own parameters and metadata."""
    return [
        {key: call["params"][key] for key in ("inputResponses", "requestState") if key in call["params"]}
        for call in server.received("tools/call")
    ]


def nothing_but_the_first_request(server: RawServer) -> bool:
    return rounds(server) == [{}] and not server.received("notifications/cancelled") and not server.answers()


@both_transports
@pytest.mark.parametrize("with_state", [True, False])
async def test_one_round_asks_for_everything_and_one_retry_answers_it(
    wire: Wire, transport: str, with_state: bool, tmp_path: Path
) -> None:
    asks = {"who are you?": FORM, "länk": LINK, "3": SAMPLING, "": ROOTS}
    server = wire.raw({"asks": asks, "no_state": not with_state}, transport=transport, era="modern")
    person = ScriptedPerson(form=NAMED, response=ResponseReply(Action.ACCEPT, text="Hello"))
    host = await wire.meet(person, server)
    host.workspace.offer(str(tmp_path), "raw", "Here")
    call = await wire.call(day=1, note="ü")
    assert call.status is CallStatus.DONE

    first, retry = server.received("tools/call")
    responses = retry["params"]["inputResponses"]
    model = responses["3"].pop("model")
    assert isinstance(model, str)
    assert model
    assert responses == {
        "who are you?": ADA,
        "länk": {"action": "accept"},
        "3": {key: value for key, value in SAID.items() if key != "model"},
        "": {"roots": [{"uri": tmp_path.as_uri(), "name": "Here"}]},
    }
    state = {"requestState": state_text(1, 1, [])} if with_state else {}
    own = {key: value for key, value in retry["params"].items() if key not in ("_meta", "inputResponses")}
    assert own == {"name": "tool", "arguments": {"day": 1, "note": "ü"}, **state}
    assert first["params"].keys() == {"name", "arguments", "_meta"}
    assert first["id"] != retry["id"]
    assert server.answers() == []
    origins = [question.ask.origin for question in person.questions if question.ask.kind != "sampling"]
    assert {(origin.key, origin.position, origin.total, origin.tool) for origin in origins} == {
        ("who are you?", 1, 4, "tool"),
        ("länk", 2, 4, "tool"),
        ("", 4, 4, "tool"),
    }


@both_transports
async def test_every_request_says_who_we_are_and_what_we_can(wire: Wire, transport: str) -> None:
    server = wire.raw(tools={"träume": [{"ask": FORM}]}, transport=transport, era="modern")
    await wire.meet(ScriptedPerson(form=NAMED), server)
    await wire.call(tool="träume")
    requests = server.received()
    assert [request["method"] for request in requests] == ["server/discover", "tools/list", "tools/call", "tools/call"]
    for request in requests:
        meta = request["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        assert meta["io.modelcontextprotocol/clientInfo"]["name"] == "desktop-host"
        assert meta["io.modelcontextprotocol/clientInfo"]["version"]
        assert meta["io.modelcontextprotocol/clientCapabilities"] == {
            "elicitation": {"form": {}, "url": {}},
            "sampling": {"tools": {}},
            "roots": {},
        }
    if transport == "http":
        posts = server.posts("tools/call")
        name = f"=?base64?{base64.b64encode('träume'.encode()).decode()}?="
        assert len(posts) == 2
        for headers in posts:
            assert headers["mcp-protocol-version"] == "2026-07-28"
            assert headers["mcp-method"] == "tools/call"
            assert headers["mcp-name"] == name
            assert {"application/json", "text/event-stream"} <= {one.strip() for one in headers["accept"].split(",")}
            assert "mcp-session-id" not in headers


@both_transports
@pytest.mark.parametrize(
    ("ask", "kind"),
    [(FORM, "form"), (LINK, "link")],
    ids=["form", "link"],
)
@pytest.mark.parametrize("reply", [DECLINE, CANCEL], ids=["decline", "cancel"])
async def test_no_to_a_form_or_a_link_is_carried_on_the_retry(
    wire: Wire, transport: str, ask: Json, kind: str, reply: Reply
) -> None:
    server = wire.raw({"ask": ask, "key": "k"}, transport=transport, era="modern")
    await wire.meet(ScriptedPerson(**{kind: reply}), server)
    call = await wire.call()
    assert call.status is CallStatus.DONE
    assert [one.get("inputResponses") for one in rounds(server)] == [None, {"k": {"action": reply.action.value}}]


@pytest.mark.parametrize(
    ("ask", "answers", "key"),
    [
        (SAMPLING, {"request": DECLINE}, "call.abandoned.decline"),
        (SAMPLING, {"request": CANCEL}, "call.abandoned.cancel"),
        (SAMPLING, {"response": DECLINE}, "call.abandoned.decline"),
        (ROOTS, {"roots": DECLINE}, "call.abandoned.decline"),
        (ROOTS, {"roots": CANCEL}, "call.abandoned.cancel"),
        (FORM, {"form": STOP}, "call.abandoned.stop"),
        (LINK, {"link": STOP}, "call.abandoned.stop"),
        (SAMPLING, {"request": STOP}, "call.abandoned.stop"),
    ],
    ids=[
        *("sampling declined", "sampling closed", "answer declined", "roots declined", "roots closed"),
        *("form stopped", "link stopped", "sampling stopped"),
    ],
)
@both_transports
async def test_what_has_no_answer_on_this_wire_ends_the_call_and_sends_nothing(
    wire: Wire, transport: str, ask: Json, answers: dict[str, Any], key: str
) -> None:
    server = wire.raw({"ask": ask}, transport=transport, era="modern")
    await wire.meet(ScriptedPerson(**answers), server)
    call = await wire.call()
    assert (call.status, call.error and call.error.key) == (CallStatus.ABANDONED, key)
    assert nothing_but_the_first_request(server)


@both_transports
async def test_a_round_is_answered_whole_or_not_at_all(wire: Wire, transport: str) -> None:
    server = wire.raw({"asks": {"1": FORM, "2": LINK, "3": SAMPLING}}, transport=transport, era="modern")
    link, request = Pondering(LinkReply(Action.ACCEPT)), Pondering(DECLINE)
    person = ScriptedPerson(form=NAMED, link=link, request=request)
    await wire.meet(person, server)
    call = asyncio.create_task(wire.call())
    await until(lambda: list(person.ended.values()) == [Outcome.ACCEPT] and link.asked.is_set())
    request.decide()
    assert (await call).status is CallStatus.ABANDONED
    assert link.withdrawn
    await until(lambda: sorted(person.ended.values()) == ["accept", "decline", "withdrawn"])
    assert nothing_but_the_first_request(server)


@pytest.mark.parametrize(
    ("ask", "key"),
    [
        ({**FORM, "params": {**FORM["params"], "mode": "voice"}}, "call.undeclared"),
        ({"method": "tasks/list", "params": {}}, "call.undeclared"),
        ("not an object", "call.undeclared"),
        ({**LINK, "params": {**LINK["params"], "url": "file:///etc/passwd"}}, None),
        ({**SAMPLING, "params": {**SAMPLING["params"], "tools": [{}]}}, "sampling.invalid"),
    ],
    ids=["unsupported mode", "unknown method", "no object", "dangerous link", "malformed tools"],
)
async def test_what_was_not_declared_or_is_wrong_ends_the_call_unseen(wire: Wire, ask: Any, key: str | None) -> None:
    server = wire.raw({"ask": ask}, era="modern")
    person = ScriptedPerson()
    await wire.meet(person, server)
    call = await wire.call()
    assert call.status is CallStatus.ABANDONED
    assert call.error
    assert key in (None, call.error.key)
    assert person.questions == []
    assert nothing_but_the_first_request(server)


@both_transports
async def test_concurrent_calls_never_mix_their_rounds(wire: Wire, transport: str) -> None:
    def form(text: str) -> Json:
        return {"ask": {**FORM, "params": {**FORM["params"], "message": text}}, "key": "same key"}

    tools = {name: [form(f"{name} {number}") for number in range(3)] for name in ("left", "right")}
    server = wire.raw(tools=tools, transport=transport, era="modern")

    async def by_message(question: Any) -> Reply:
        await asyncio.sleep(0.02 if "left" in question.ask.params["message"] else 0.03)
        return FormReply(Action.ACCEPT, entries={"name": question.ask.params["message"]})

    person = ScriptedPerson(form=by_message)
    await wire.meet(person, server)
    left, right, plain = await asyncio.gather(*(wire.call(tool=name) for name in ("left", "right", "left")))
    for call, name in ((left, "left"), (right, "right"), (plain, "left")):
        assert call.status is CallStatus.DONE, call.error
        assert [one["content"]["name"] for one in answers_in(call)] == [f"{name} {number}" for number in range(3)]
    assert {len(question.ask.origin.calls) for question in person.questions} == {1}
    assert {question.ask.origin.tool for question in person.questions} == {"left", "right"}
    ids = [request["id"] for request in server.received()]
    assert len(ids) == len(set(ids))
    states = [one["requestState"] for one in rounds(server) if one]
    assert len(states) == len(set(states)) == 9


def answers_in(call: CallState) -> list[Any]:
    """All answers the server got in a call; the scripted server gives them back as text."""
    assert call.result is not None
    return json.loads(call.result["content"][0]["text"])


@both_transports
async def test_a_round_with_state_alone_is_polled_without_answers(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": FORM, "key": "k"}, {"state_only": 3}, transport=transport, era="modern")
    person = ScriptedPerson(form=NAMED)
    await wire.meet(person, server)
    assert (await wire.call()).status is CallStatus.DONE
    assert len(person.questions) == 1
    assert rounds(server) == [
        {},
        {"inputResponses": {"k": ADA}, "requestState": state_text(1, 1, [])},
        *({"requestState": state_text(number, number, [ADA])} for number in (2, 3, 4)),
    ]


async def test_the_state_of_an_earlier_round_is_not_sent_again(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, {"ask": FORM, "no_state": True}, {"ask": FORM}, era="modern")
    await wire.meet(ScriptedPerson(form=NAMED), server)
    assert (await wire.call()).status is CallStatus.DONE
    assert ["requestState" in one for one in rounds(server)] == [False, True, False, True]


async def test_a_server_that_asks_the_same_for_ever_is_stopped_with_an_explanation(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, {"repeat": 50}, era="modern")
    person = ScriptedPerson(form=NAMED)
    await wire.meet(person, server)
    call = await wire.call()
    assert (call.status, call.error and call.error.key) == (CallStatus.ABANDONED, "call.same_again")
    assert len(person.questions) == len(rounds(server)) - 1 == 5


@both_transports
async def test_the_same_link_again_is_marked_and_may_repeat_for_long(wire: Wire, transport: str) -> None:
    server = wire.raw({"ask": LINK}, {"repeat": 9}, {"ask": FORM}, transport=transport, era="modern")
    person = ScriptedPerson(form=NAMED)
    await wire.meet(person, server)
    assert (await wire.call()).status is CallStatus.DONE
    links = [question.ask for question in person.questions[:-1]]
    assert [link.repeated for link in links] == [False] + [True] * 9
    # Accepting is retrying here, so the person says when (DESIGN.md, links in the modern era).
    assert all(link.waits for link in links)


@pytest.mark.parametrize(
    ("step", "status", "key"),
    [
        ({"omit_result_type": True, "result": {"content": []}}, CallStatus.DONE, None),
        ({"result": {"content": [], "resultType": "later"}}, CallStatus.FAILED, "call.unknown_result"),
        ({"result": {"resultType": "input_required"}}, CallStatus.FAILED, "call.broken_round"),
        ({"result": {"resultType": "input_required", "inputRequests": []}}, CallStatus.FAILED, "call.broken_round"),
        ({"result": {"content": [], "isError": True}}, CallStatus.TOOL_ERROR, None),
        ({"error": {"code": -32042, "message": "old"}}, CallStatus.FAILED, "call.server_error"),
    ],
    ids=["no resultType", "unknown resultType", "empty round", "round of a list", "tool error", "an older era's error"],
)
async def test_how_a_result_is_taken(wire: Wire, step: Json, status: CallStatus, key: str | None) -> None:
    server = wire.raw(step, era="modern")
    await wire.meet(ScriptedPerson(), server)
    call = await wire.call()
    assert (call.status, call.error and call.error.key) == (status, key)
    assert rounds(server) == [{}]


@both_transports
async def test_cancelling_a_running_call_is_told_in_the_transports_own_way(wire: Wire, transport: str) -> None:
    server = wire.raw({"sleep": 30}, transport=transport, era="modern")
    host = await wire.meet(ScriptedPerson(), server)
    call_id = host.begin_call("raw", "tool", {})
    [called] = await until(lambda: server.received("tools/call"))
    host.calls.cancel(call_id)
    assert (await wire.result(call_id)).status is CallStatus.CANCELLED
    assert await until(server.stopped) == [called["id"]]
    told = [message["params"]["requestId"] for message in server.received("notifications/cancelled")]
    # Over HTTP closing the response is the cancellation (FEAT-34).
    assert told == ([called["id"]] if transport == "stdio" else [])


@both_transports
async def test_cancelling_a_call_between_its_rounds_closes_its_asks_and_sends_nothing(
    wire: Wire, transport: str
) -> None:
    tools = {"tool": [{"asks": {"1": FORM, "2": SAMPLING}}], "other": []}
    server = wire.raw(tools=tools, transport=transport, era="modern")
    form, request = Pondering(NAMED), Pondering(DECLINE)
    person = ScriptedPerson(form=form, request=request)
    host = await wire.meet(person, server)
    call_id = host.begin_call("raw", "tool", {})
    await asyncio.gather(form.asked.wait(), request.asked.wait())
    host.calls.cancel(call_id)
    assert (await wire.result(call_id)).status is CallStatus.CANCELLED
    await until(lambda: form.withdrawn and request.withdrawn and len(person.ended) == 2)
    await wire.call(tool="other")  # so that anything sent before has arrived
    assert rounds(server) == [{}, {}]
    assert server.received("notifications/cancelled") == []


async def test_a_request_from_a_modern_server_is_neither_shown_nor_answered(wire: Wire) -> None:
    server = wire.raw({"asks": {"form": FORM, "ping": {"method": "ping"}}, "outside": True}, era="modern")
    person = ScriptedPerson()
    await wire.meet(person, server)
    await wire.call()
    await wire.call()  # so that anything sent meanwhile has arrived
    assert person.questions == []
    assert server.answers() == []


async def test_an_answer_that_breaks_the_schema_never_leaves(wire: Wire) -> None:
    server = wire.raw({"ask": FORM, "key": "k"}, era="modern")
    person = ScriptedPerson(form=[FormReply(Action.ACCEPT), FormReply(Action.ACCEPT, entries={"name": ""}), NAMED])
    await wire.meet(person, server)
    await wire.call()
    assert [one.get("inputResponses") for one in rounds(server)] == [None, {"k": ADA}]
    assert [{name: one.key for name, one in question.problems.items()} for question in person.questions] == [
        {},
        {"name": "form.required"},
        {"name": "form.required"},
    ]


@pytest.mark.parametrize("kept", [None, "2026-07-28", "2025-11-25"])
async def test_auto_finds_the_era_that_a_server_speaks(wire: Wire, kept: str | None) -> None:
    era = "modern" if kept == "2026-07-28" else "handshake"
    server = wire.raw(era=era, protocol=kept or "2024-11-05")
    host = await wire.meet(ScriptedPerson(), server)
    state = host.connection("raw").state
    assert (state.era, state.revision) == (era, kept or "2024-11-05")
    assert server.received()[0]["method"] == "server/discover"
