"""Tools that a server lends a model for one request: over the wire in both eras, reviewed, limited, never run here."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.limits import SAMPLING_PER_CALL, Limits
from desktop_host.asks.person import Action, RequestQuestion, RequestReply, ResponseQuestion, ResponseReply
from desktop_host.config.providers_file import ProviderEntry, ProvidersFile
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.asks import Ask, AskKind, CallRef, Origin, Outcome
from desktop_host.terms.events import Recorded
from desktop_host.terms.state import CallStatus
from tests.support.model_server import DONE, Scripted, ScriptedEndpoint, piece, tool_piece
from tests.support.person import ScriptedPerson
from tests.support.wire import SAMPLING, RawServer, Wire

pytest_plugins = ("tests.support.fixtures",)

Json = dict[str, Any]
both_eras = pytest.mark.parametrize("era", ["handshake", "modern"])
TOOL: Json = {"name": "city.weather", "description": "Today", "inputSchema": {"type": "object"}}
USER: Json = {"role": "user", "content": {"type": "text", "text": "Weather in Oslo?"}}
USE: Json = {"type": "tool_use", "id": "call_1", "name": "city.weather", "input": {"city": "Oslo"}}
OTHER: Json = {"type": "tool_use", "id": "call_2", "name": "city.weather", "input": {"city": "Rome"}}
RESULT: Json = {"type": "tool_result", "toolUseId": "call_1", "content": [{"type": "text", "text": "18 degrees"}]}
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"


def asking(*messages: Json, **more: Any) -> Json:
    return {"ask": {**SAMPLING, "params": {"messages": list(messages), "maxTokens": 50, "tools": [TOOL], **more}}}


def uses(*wanted: Json, text: str = "") -> Scripted:
    """A model's answer that uses tools."""
    told = "city_weather"
    parts = [tool_piece(place, use["id"], told, json.dumps(use["input"])) for place, use in enumerate(wanted)]
    words = (piece(text),) if text else ()
    return Scripted(stream=(*words, *parts, piece(finish="tool_calls"), DONE))


@pytest.fixture
def model(endpoint: ScriptedEndpoint, folders: Path) -> ScriptedEndpoint:
    """The scripted endpoint as the person's first provider."""
    file = ProvidersFile(folders / "config" / "models.json")
    file.put(ProviderEntry("scripted", "openai-compatible", base_url=endpoint.url, models=("scripted-1",)))
    return endpoint


def raw(wire: Wire, era: str, *steps: Json, **more: Any) -> RawServer:
    return wire.raw(*steps, era=era, protocol="2026-07-28" if era == "modern" else "2025-11-25", **more)


def said(state: Any) -> list[Json]:
    """What the server was answered, as it received it."""
    return json.loads(state.result["content"][0]["text"])


@both_eras
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_tools_go_in_a_use_comes_out_and_its_result_goes_in_again(
    wire: Wire, model: ScriptedEndpoint, era: str, transport: str
) -> None:
    turns = [USER, {"role": "assistant", "content": USE}, {"role": "user", "content": [RESULT]}]
    server = raw(wire, era, asking(USER), asking(*turns), transport=transport)
    model.will(uses(USE, text="I look."))
    model.says("It is 18 degrees.")
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT))
    await wire.meet(person, server)
    state = await wire.call()
    assert state.status is CallStatus.DONE, state
    first, second = said(state)
    assert first == {
        "role": "assistant",
        "content": [{"type": "text", "text": "I look."}, USE],
        "model": "scripted-1",
        "stopReason": "toolUse",
    }
    assert second["content"] == {"type": "text", "text": "It is 18 degrees."}
    assert (second["stopReason"], second["role"]) == ("endTurn", "assistant")
    one, other = (seen.body for seen in model.seen)
    assert [tool["function"]["name"] for tool in one["tools"]] == ["city_weather"]
    assert [message["role"] for message in other["messages"]] == ["user", "assistant", "tool"]
    assert other["messages"][1]["tool_calls"][0]["function"]["name"] == "city_weather"
    assert other["messages"][2] == {"role": "tool", "tool_call_id": "call_1", "content": "18 degrees"}
    requests = [question for question in person.questions if isinstance(question, RequestQuestion)]
    assert [question.original.tools for question in requests] == [(TOOL,), (TOOL,)]
    assert len(person.questions) == 4, "each turn is reviewed, before and after"


@both_eras
async def test_a_use_without_words_is_a_list_of_one(wire: Wire, model: ScriptedEndpoint, era: str) -> None:
    model.will(uses(USE))
    server = raw(wire, era, asking(USER))
    await wire.meet(ScriptedPerson(response=ResponseReply(Action.ACCEPT)), server)
    (answer,) = said(await wire.call())
    assert answer["content"] == [USE]


@both_eras
async def test_a_person_may_take_uses_out(wire: Wire, model: ScriptedEndpoint, era: str) -> None:
    model.will(uses(USE, OTHER, text="I look."), uses(USE, text="I look."))
    without = [ResponseReply(Action.ACCEPT, without_tool_uses=frozenset({one})) for one in ("call_2", "call_1")]
    server = raw(wire, era, asking(USER), asking(USER))
    await wire.meet(ScriptedPerson(response=list(without)), server)
    first, second = said(await wire.call())
    assert (first["content"], first["stopReason"]) == ([{"type": "text", "text": "I look."}, USE], "toolUse")
    assert (second["content"], second["stopReason"]) == ({"type": "text", "text": "I look."}, "endTurn")
    assert [event.record.edits for event in wire.told(Recorded)] == [("answer",), ("answer",)]


@both_eras
async def test_none_holds_over_the_wire_though_the_model_calls(wire: Wire, model: ScriptedEndpoint, era: str) -> None:
    model.will(uses(USE, text="I may not."))
    server = raw(wire, era, asking(USER, toolChoice={"mode": "none"}))
    await wire.meet(ScriptedPerson(response=ResponseReply(Action.ACCEPT)), server)
    (answer,) = said(await wire.call())
    assert (answer["content"], answer["stopReason"]) == ({"type": "text", "text": "I may not."}, "endTurn")


async def test_a_tool_that_is_required_and_not_used_is_said_before_the_server_sees_it(
    wire: Wire, model: ScriptedEndpoint
) -> None:
    model.says("No tool.")
    server = raw(wire, "handshake", asking(USER, toolChoice={"mode": "required"}))
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT))
    await wire.meet(person, server)
    await wire.call()
    question = person.questions[1]
    assert isinstance(question, ResponseQuestion)
    assert [notice.key for notice in question.answer.notices] == ["sampling.no_tool_used"]
    assert model.seen[0].body["tool_choice"] == "required"


async def test_a_server_of_a_revision_without_tools_never_gets_a_list(wire: Wire, model: ScriptedEndpoint) -> None:
    """SMP-37: before 2025-11-25 the content of a result is one block; there is no asking for tools either."""
    model.will(uses(USE, text="I look."))
    server = wire.raw(asking(USER), protocol="2025-06-18")
    await wire.meet(ScriptedPerson(response=ResponseReply(Action.ACCEPT)), server)
    await wire.call()
    (answer,) = server.answers()
    assert not isinstance(answer.get("result", {}).get("content"), list)


@both_eras
async def test_a_loop_of_requests_ends_and_the_next_call_begins_anew(wire: Wire, era: str) -> None:
    """S10: what a server may ask of a model in one call is counted."""
    words = [{**USER, "content": {"type": "text", "text": str(number)}} for number in range(SAMPLING_PER_CALL + 1)]
    loop = [asking(one) for one in words]
    server = raw(wire, era, tools={"loop": loop, "one": [asking(USER)]})
    by_hand = RequestReply(Action.ACCEPT, model=YOU)
    person = ScriptedPerson(request=by_hand, response=ResponseReply(Action.ACCEPT, text="by hand"))
    await wire.meet(person, server)
    state = await wire.call(tool="loop")
    assert len(person.questions) == 2 * SAMPLING_PER_CALL
    records = [event.record for event in wire.told(Recorded)]
    assert [record.outcome for record in records] == [Outcome.ACCEPT] * SAMPLING_PER_CALL + [Outcome.REFUSED]
    assert [notice.key for notice in records[-1].notices] == ["limit.tool_loop"]
    if era == "handshake":
        assert said(state)[-1]["error"]["code"] == -32603
    else:
        assert state.status is CallStatus.ABANDONED
    assert (await wire.call(tool="one")).status is CallStatus.DONE


def sampling(call: str, *others: str, kind: AskKind = AskKind.SAMPLING, number: int = 0) -> Ask:
    calls = tuple(CallRef(one, "tool", {}, 0.0) for one in (call, *others))
    origin = Origin("s", "argv", "handshake", "2025-11-25", calls, f"{call}{number}")
    return Ask(f"{call}{number}{others}", kind, origin, {})


def test_each_call_has_its_own_count_and_other_asks_have_none() -> None:
    clock = 0.0
    limits = Limits(lambda: clock)
    for number in range(SAMPLING_PER_CALL + 3):
        clock += 60
        for call in ("a", "b"):
            ask = sampling(call, number=number)
            refusal = limits.admit(ask)
            limits.release(ask)
            assert (refusal is not None) == (number >= SAMPLING_PER_CALL)
        form = sampling("a", kind=AskKind.ROOTS, number=number)
        assert limits.admit(form) is None
        limits.release(form)


def test_a_second_open_call_does_not_lift_the_limit() -> None:
    clock = 0.0
    limits = Limits(lambda: clock)
    refused = 0
    for number in range(3 * SAMPLING_PER_CALL):
        clock += 60
        ask = sampling("a", "b", number=number)
        refused += limits.admit(ask) is not None
        limits.release(ask)
    assert refused


# Secrets


@both_eras
async def test_the_record_of_a_request_to_a_model_holds_no_secret(
    wire: Wire, model: ScriptedEndpoint, folders: Path, era: str
) -> None:
    result = {**RESULT, "content": [{"type": "text", "text": f"token {SECRET}"}]}
    use = {**USE, "input": {"token": SECRET}}
    turns = [
        {"role": "user", "content": {"type": "text", "text": f"My token is {SECRET}, and the weather?"}},
        {"role": "assistant", "content": use},
        {"role": "user", "content": [result]},
    ]
    server = raw(wire, era, asking(*turns, systemPrompt=f"Use {SECRET}", metadata={"key": SECRET}))
    model.says(f"It is {SECRET}.")
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT))
    host = await wire.meet(person, server)
    (answer,) = said(await wire.call())
    assert SECRET in answer["content"]["text"], "the server gets what was approved, as it is"
    assert SECRET in json.dumps(model.seen[0].body)
    request = person.questions[0]
    places = [finding.where for finding in request.findings if finding.message.key == "sampling.secret"]
    assert {"systemPrompt", "messages/1"} <= set(places)
    assert "messages/3" in places, "a secret in a tool's result leaves this computer too"
    (entry,) = [one for one in await host.log.entries() if one["kind"] == "sampling"]
    assert SECRET not in json.dumps(entry)
    assert "«token 1»" in json.dumps(entry, ensure_ascii=False)
    kept = b"".join(path.read_bytes() for path in (folders / "data").glob("audit*"))
    assert SECRET.encode() not in kept


async def test_a_secret_in_what_the_person_says_or_names_is_not_recorded_either(
    wire: Wire, model: ScriptedEndpoint, folders: Path
) -> None:
    named = {**USE, "input": {SECRET: 1}}
    turns = [USER, {"role": "assistant", "content": named}, {"role": "user", "content": [RESULT]}]
    server = raw(wire, "handshake", asking(*turns))
    reply = RequestReply(Action.DECLINE, f"there is {SECRET} in it")
    host = await wire.meet(ScriptedPerson(request=reply), server)
    await wire.call()
    (entry,) = [one for one in await host.log.entries() if one["kind"] == "sampling"]
    assert SECRET not in entry["reason"]
    assert SECRET not in json.dumps(entry)
