"""Models behind the OpenAI-compatible face: a real llama.cpp with a tiny random model, and a scripted endpoint for faults."""

import asyncio
import json
import logging
import re
import socket
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_host.asks.person import Action, RequestQuestion, ResponseQuestion, ResponseReply
from desktop_host.config.providers_file import ProviderEntry, ProvidersFile
from desktop_host.host import Host
from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models.blocks import ToolNames
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.presets import BY_ID, Preset
from desktop_host.sampling.models.provider import PRACTICE, YOU, Done, ModelFailed, ModelInfo, TextDelta
from desktop_host.sampling.reading import read_draft
from desktop_host.servers.bundled import HttpDemo, stdio_demo
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallStatus
from desktop_host.ui.messages import TEXTS, english
from tests.support.model_server import (
    DONE,
    KEY,
    MODEL,
    LlamaServer,
    Scripted,
    ScriptedEndpoint,
    piece,
    tool_piece,
    usage,
    wait_until,
)
from tests.support.person import ScriptedPerson
from tests.support.wire import until

pytest_plugins = ("tests.support.fixtures",)


@pytest.fixture(autouse=True)
def the_key_is_in_no_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever happens to a request, at whatever level: its key stands in no log."""
    caplog.set_level(logging.DEBUG)
    yield
    assert KEY not in caplog.text


TINY = ModelInfo(MODEL, "llama.cpp")


def provider(url: str, model: str = MODEL, key: str | None = KEY, *, preset: Preset | None = None) -> OpenAICompatible:
    return OpenAICompatible(url, (model,) if model else (), lambda: key, preset=preset)


def host_of(url: str) -> str:
    """An endpoint as sentences name it: several may be on this computer."""
    return urlsplit(url).netloc


def draft(text: str = "hi", *, tokens: int = 40, **more: Any) -> Draft:
    # At temperature 0 the random model never ends by itself, and says the same each time.
    return Draft((Turn("user", ({"type": "text", "text": text},)),), tokens, temperature=0.0, **more)


async def run(model: OpenAICompatible, request: Draft, info: ModelInfo = TINY) -> tuple[list[str], Done]:
    """The pieces of an answer and its end, of which there is exactly one, and last."""
    events = [event async for event in model.stream(model.plan(request, info))]
    *pieces, end = events
    assert isinstance(end, Done)
    return [event.text for event in pieces if isinstance(event, TextDelta)], end


async def failure(model: OpenAICompatible, request: Draft | None = None) -> Message:
    """Why an answer failed; the exception holds no key, and hides the SDK's that would hold more."""
    with pytest.raises(ModelFailed) as failed:
        await run(model, request or draft())
    error = failed.value
    assert error.__suppress_context__ or error.__context__ is None
    assert KEY not in repr(error) + str(error) + str(error.message) + english(error.message)
    assert error.message.key in TEXTS
    return error.message


# llama.cpp


async def test_an_answer_streams_and_counts_its_tokens(llama: LlamaServer) -> None:
    pieces, end = await run(provider(llama.open_url), draft(tokens=40))
    assert len(pieces) > 10, "it came in pieces"
    assert len("".join(pieces)) == 40, "a token is a byte in this model"
    assert end == Done("maxTokens", MODEL, len("user: hi\nassistant: "), 40)


async def test_a_stop_sequence_ends_the_answer(llama: LlamaServer) -> None:
    whole = "".join((await run(provider(llama.open_url), draft(tokens=30)))[0])
    pieces, end = await run(provider(llama.open_url), draft(tokens=30, stop_sequences=(whole[10:14],)))
    assert "".join(pieces) == whole[: whole.index(whole[10:14])]
    assert end.stop_reason == "endTurn"


async def test_the_system_prompt_and_every_turn_reach_the_model(llama: LlamaServer) -> None:
    turns = [("user", "héllo"), ("assistant", "yes"), ("user", "go on")]
    params = {"messages": [{"role": role, "content": {"type": "text", "text": text}} for role, text in turns]}
    request = read_draft({**params, "systemPrompt": "Be brief.", "maxTokens": 3, "temperature": 0})
    _, end = await run(provider(llama.open_url), request)
    wanted = "system: Be brief.\nuser: héllo\nassistant: yes\nuser: go on\nassistant: "
    assert end.tokens_in == len(wanted.encode())


async def test_cancelling_really_stops_the_generation(llama: LlamaServer) -> None:
    model, arrived = provider(llama.open_url), asyncio.Event()

    async def read() -> None:
        async for _ in model.stream(model.plan(draft(tokens=7000), TINY)):
            arrived.set()

    task = asyncio.create_task(read())
    await asyncio.wait_for(arrived.wait(), 20)
    assert await asyncio.to_thread(llama.busy)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(wait_until, lambda: not llama.busy(), 2.0), "the rest would take many seconds"
    assert time.monotonic() - started < 3.0
    assert len((await run(model, draft(tokens=5)))[0]) > 0, "and it answers again"


async def test_the_models_of_an_endpoint_are_listed(llama: LlamaServer) -> None:
    (info,) = await provider(llama.keyed_url, model="").models()
    assert (info.id, info.provider) == (MODEL, host_of(llama.keyed_url))
    (info,) = await provider(llama.keyed_url, model="mine").models()
    assert info.id == "mine"


async def test_a_key_is_needed_and_taken(llama: LlamaServer) -> None:
    assert (await run(provider(llama.keyed_url), draft(tokens=4)))[1].tokens_out == 4
    for key in (None, "", "wrong"):
        message = await failure(provider(llama.keyed_url, key=key))
        assert (message.key, message.mapping) == ("model.key_refused", {"host": host_of(llama.keyed_url)})


async def test_a_prompt_past_the_models_context_is_refused(llama: LlamaServer) -> None:
    message = await failure(provider(llama.open_url), draft("x" * 20_000))
    assert (message.key, message.mapping["status"]) == ("model.refused", 400)


@pytest.mark.parametrize("era", ["handshake", "modern"])
async def test_the_flight_search_is_answered_by_the_model(
    llama: LlamaServer, new_host: Callable[..., Host], folders: Path, era: str
) -> None:
    """From the demo's tool through review, model and review back to the server, without a keyring on this machine."""
    online = HttpDemo()
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT))
    providers = ProvidersFile(folders / "models.json")
    providers.put(ProviderEntry("local", "openai-compatible", "llamacpp", base_url=llama.open_url))
    host = new_host(person, providers_file=providers)
    try:
        entry = await online.start() if era == "modern" else stdio_demo()
        host.add(entry, trusted=True)
        assert await host.start(entry.name) is None
        state = await host.call(entry.name, "find_best_flight", {})
    finally:
        await host.stop(entry.name)
        await online.close()
    assert state.status is CallStatus.DONE, state
    assert state.result is not None
    request, response = person.questions
    assert isinstance(request, RequestQuestion)
    assert isinstance(response, ResponseQuestion)
    assert [info.id for info in request.suggestion.models if info.id != PRACTICE] == [MODEL, YOU]
    assert request.suggestion.why.key == "model.why_no_hint_fits"
    assert response.answer.tokens_out == 300 or response.answer.stop_reason == "endTurn"
    assert person.streamed_text == response.answer.text != ""
    recommendation = state.result["structuredContent"]["recommendation"]
    assert recommendation == response.answer.text
    assert state.result["content"][0]["text"] == f"Recommended by {MODEL}: {response.answer.text}"


# Faults


@pytest.mark.parametrize(
    ("answer", "key", "values"),
    [
        (Scripted(401, b'{"error": {"message": "Incorrect API key: sk-tests-7b1e9c5d2f"}}'), "model.key_refused", {}),
        (Scripted(403), "model.key_refused", {}),
        (Scripted(404, b'{"error": "no such model"}'), "model.not_there", {}),
        (Scripted(429, headers={"retry-after": "17"}), "model.busy", {"seconds": "17"}),
        (Scripted(429), None, None),
        (Scripted(429, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}), None, None),
        (Scripted(503, headers={"retry-after": "2"}), "model.busy", {"seconds": "2"}),
        (Scripted(529, b'{"error": {"type": "overloaded_error"}}', headers={"retry-after": "5"}), "model.busy", {"seconds": "5"}),
        (Scripted(500, b"<html>sk-tests-7b1e9c5d2f"), "model.refused", {"status": 500}),
        (Scripted(400), "model.refused", {"status": 400}),
        (Scripted(stream=(piece("Hel"), piece("lo"))), "model.broken_answer", {}),
        (Scripted(stream=(piece("Hel"), DONE)), "model.broken_answer", {}),
        (Scripted(stream=(DONE,)), "model.broken_answer", {}),
        (Scripted(stream=(piece("Hel"), b"data: {not json}\n\n", piece(finish="stop"), DONE)), "model.broken_answer", {}),
        (Scripted(stream=(piece("Hel"), b'data: {"choices": 5}\n\n', DONE)), "model.broken_answer", {}),
        (Scripted(stream=(piece("Hel"), b"data: []\n\n", DONE)), "model.broken_answer", {}),
        (Scripted(stream=(piece("Hel"), b'data: {"error": {"message": "sk-tests-7b1e9c5d2f"}}\n\n')), None, None),
        (Scripted(stream=(piece("Hel"),), broken=True), "model.broken_answer", {}),
        (Scripted(body=b"<html>a login page of the hotel's network</html>", headers={"content-type": "text/html"}), "model.broken_answer", {}),
        (Scripted(302, headers={"location": "http://127.0.0.1:9/elsewhere"}), None, None),
    ],
    ids=lambda value: None if isinstance(value, Scripted) else str(value),
)  # fmt: skip
async def test_a_fault_is_told_in_its_own_sentence(
    endpoint: ScriptedEndpoint, answer: Scripted, key: str | None, values: dict[str, Any] | None
) -> None:
    endpoint.will(answer)
    message = await failure(provider(endpoint.url))
    assert key is None or message.key == key
    if values is not None:
        host = {} if message.key == "model.broken_answer" else {"host": host_of(endpoint.url)}
        assert message.mapping == host | values
    elif answer.status == 429:
        assert english(message) == f"{host_of(endpoint.url)} is busy. Try again in a moment.", "no time is made up"
    assert len(endpoint.seen) <= 2, "nothing is tried again by itself: that costs money"
    assert endpoint.seen[0].headers["authorization"] == f"Bearer {KEY}"


async def test_what_arrived_before_a_fault_was_streamed(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(Scripted(stream=(piece("Hel"), piece("lo"))))
    model = provider(endpoint.url)
    stream = model.stream(model.plan(draft(), TINY))
    assert [await anext(stream), await anext(stream)] == [TextDelta("Hel"), TextDelta("lo")]
    with pytest.raises(ModelFailed):
        await anext(stream)


async def test_a_connection_that_is_cut_is_told(endpoint: ScriptedEndpoint) -> None:
    """Nobody listens; somebody listens and hangs up; the name does not exist."""
    with socket.create_server(("127.0.0.1", 0)) as hanging_up:
        threading.Thread(target=lambda: hanging_up.accept()[0].close(), daemon=True).start()
        port = hanging_up.getsockname()[1]
        assert (await failure(provider(f"http://127.0.0.1:{port}/v1"))).key == "model.unreachable"
    for url in (f"http://127.0.0.1:{port}/v1", "http://no-such-host.invalid/v1", "http://127.0.0.1:0/v1"):
        assert (await failure(provider(url))).key == "model.unreachable"
        with pytest.raises(ModelFailed):
            await provider(url, model="").models()


async def test_a_key_in_the_address_is_not_repeated(endpoint: ScriptedEndpoint) -> None:
    url = endpoint.url.replace("//", f"//me:{KEY}@")
    endpoint.will(Scripted(500))
    assert (await failure(provider(url, key=None))).mapping["host"] == host_of(endpoint.url)


@pytest.mark.parametrize("url", ["no address", "ftp://h.example/v1", "http://[::1/v1", "http://h.example:port/v1"])
async def test_an_address_that_is_none_is_told(url: str) -> None:
    assert (await failure(provider(url))).key == "model.unreachable"
    with pytest.raises(ModelFailed):
        await provider(url, model="").models()


@pytest.mark.parametrize(
    "answer", [Scripted(401), Scripted(500), Scripted(body=b"{"), Scripted(body=b"[]"), Scripted(body=b'{"data": 5}')]
)
async def test_a_list_of_models_that_cannot_be_had_is_told(endpoint: ScriptedEndpoint, answer: Scripted) -> None:
    endpoint.will(answer)
    with pytest.raises(ModelFailed) as failed:
        await provider(endpoint.url, model="").models()
    assert failed.value.message.key in TEXTS
    assert len(endpoint.seen) == 1


@pytest.mark.parametrize("answer", [Scripted(hold_head=30), Scripted(stream=(piece("Hel"),), hold_end=30)])
async def test_a_slow_answer_can_be_cancelled(endpoint: ScriptedEndpoint, answer: Scripted) -> None:
    endpoint.will(answer)
    task = asyncio.create_task(run(provider(endpoint.url), draft()))
    await until(lambda: endpoint.seen)
    await asyncio.sleep(0.1)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 3.0
    assert await asyncio.to_thread(endpoint.seen[0].gone.wait, 5), "the endpoint was told"


async def test_an_answer_may_be_abandoned_half_read(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(Scripted(stream=(piece("Hel"),), hold_end=30))
    model = provider(endpoint.url)
    stream = model.stream(model.plan(draft(), TINY))
    assert await anext(stream) == TextDelta("Hel")
    await cast("AsyncGenerator[object, None]", stream).aclose()
    assert await asyncio.to_thread(endpoint.seen[0].gone.wait, 5)


# What is sent, and what is made of what comes


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", "endTurn"),
        ("length", "maxTokens"),
        ("tool_calls", "endTurn"),
        ("content_filter", "contentFilter"),
        ("x", "x"),
    ],
)
async def test_the_stop_reason_is_in_mcps_words_or_passed_on(
    endpoint: ScriptedEndpoint, finish: str, reason: str
) -> None:
    endpoint.says("a", finish=finish)
    assert (await run(provider(endpoint.url), draft()))[1] == Done(reason, "scripted-1", 7, 3)


async def test_odd_but_whole_streams_are_whole(endpoint: ScriptedEndpoint) -> None:
    split = piece("zwei · 二")
    cut = split.index("二".encode()[:1] if "二".encode() in split else b"\\u4e8c") + 1
    odd = (b": a comment\n\n", piece(), split[:cut], split[cut:], usage(1, 2), piece(finish="stop"))
    endpoint.will(Scripted(stream=odd))
    pieces, end = await run(provider(endpoint.url), draft())
    assert ("".join(pieces), end.tokens_in, end.tokens_out) == ("zwei · 二", 1, 2)
    endpoint.will(Scripted(stream=(piece("no usage"), piece(finish="stop"), DONE)))
    assert (await run(provider(endpoint.url), draft()))[1] == Done("endTurn", "scripted-1", None, None)


def test_the_plan_holds_all_that_can_be_expressed_and_names_the_rest() -> None:
    params = {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {
                "role": "user",
                "content": [
                    {"type": "image", "data": "QUJD", "mimeType": "image/png"},
                    {"type": "audio", "data": "QUJD", "mimeType": "audio/wav"},
                    {"type": "audio", "data": "QUJD", "mimeType": "audio/flac"},
                ],
            },
            {"role": "assistant", "content": {"type": "image", "data": "QUJD", "mimeType": "image/png"}},
        ],
        "maxTokens": 9,
        "stopSequences": ["1", "2", "3", "4", "5"],
        "metadata": {"user": "me"},
    }
    plan = provider("https://h.example/v1").plan(read_draft(params), ModelInfo("m", "h"))
    assert plan.wire == {
        "model": "m",
        "messages": [
            {"role": "user", "content": "a\n\nb"},
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}},
                    {"type": "input_audio", "input_audio": {"data": "QUJD", "format": "wav"}},
                ],
            },
            {"role": "assistant", "content": ""},
        ],
        "max_tokens": 9,
        "stream": True,
        "stream_options": {"include_usage": True},
        "stop": ["1", "2", "3", "4"],
    }
    assert [loss.key for loss in plan.losses] == [
        *("model.loss_block", "model.loss_block", "model.loss_stops", "model.loss_metadata")
    ]


async def test_a_proxy_of_the_environment_never_sees_what_goes_to_this_computer(
    endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    endpoint.says("direct")
    endpoint.says("direct")
    for url in (endpoint.url, endpoint.url.replace("127.0.0.1", "localhost")):
        assert (await run(provider(url), draft()))[0] == ["direct"]


async def test_the_environments_own_key_is_never_used(
    endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    endpoint.says("x")
    await run(provider(endpoint.url, key=None), draft())
    assert "from-the-environment" not in str(endpoint.seen[0].headers)


# Tools

WEATHER = {
    "name": "weather.today/in city",
    "description": "Today's weather",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
    "outputSchema": {"type": "object"},
}
CITY = {"type": "object", "properties": {"city": {"type": "string"}}}


def asking(*tools: dict[str, Any], choice: str = "auto", **more: Any) -> Draft:
    return draft(tools=tools or (WEATHER,), tool_choice=choice, **more)


def called(*parts: bytes, finish: str = "tool_calls") -> Scripted:
    return Scripted(stream=(*parts, piece(finish=finish), usage(7, 3), DONE))


def told(model: OpenAICompatible, request: Draft) -> str:
    """The name the endpoint is told for the first tool."""
    return str(model.plan(request, TINY).wire["tools"][0]["function"]["name"])


async def test_a_tool_goes_out_under_a_fitting_name_and_its_call_comes_back_under_its_own(
    endpoint: ScriptedEndpoint,
) -> None:
    model, request = provider(endpoint.url), asking()
    name = told(model, request)
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name)
    pieces = (tool_piece(0, "call_1", name), tool_piece(0, arguments='{"ci'), tool_piece(0, arguments='ty": "Oslo"}'))
    endpoint.will(called(piece("Let me see."), *pieces))
    texts, end = await run(model, request)
    assert texts == ["Let me see."]
    assert end.tool_uses == ({"type": "tool_use", "id": "call_1", "name": WEATHER["name"], "input": {"city": "Oslo"}},)
    assert end.stop_reason == "toolUse"
    sent = endpoint.seen[0].body
    function = {"name": name, "description": "Today's weather", "parameters": CITY}
    assert sent["tools"] == [{"type": "function", "function": function}]
    assert sent["tool_choice"] == "auto"


async def test_several_calls_whose_pieces_are_mixed_come_back_in_order(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(
        called(
            tool_piece(1, "b", "two"),
            tool_piece(0, "a", "one"),
            tool_piece(1, arguments='{"n": '),
            tool_piece(0, arguments="{}"),
            tool_piece(1, arguments="2}"),
            finish="stop",
        )
    )
    tools = tuple({"name": name, "inputSchema": {}} for name in ("one", "two"))
    _, end = await run(provider(endpoint.url), asking(*tools))
    assert [(use["id"], use["name"], use["input"]) for use in end.tool_uses] == [
        ("a", "one", {}),
        ("b", "two", {"n": 2}),
    ]
    assert end.stop_reason == "toolUse", "what counts is what is there, not what it is called"


async def test_calls_without_ids_get_different_ones(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(called(tool_piece(0, name="w", arguments="{}"), tool_piece(1, name="w", arguments="{}")))
    _, end = await run(provider(endpoint.url), asking({"name": "w", "inputSchema": {}}))
    assert len({use["id"] for use in end.tool_uses if use["id"]}) == 2


async def test_a_call_without_a_place_is_taken(endpoint: ScriptedEndpoint) -> None:
    """As Gemini's compatible endpoint sends it."""
    whole = tool_piece(0, "a", "w", '{"n": 1}').replace(b'"index": 0, "id"', b'"id"')
    assert b'"tool_calls": [{"id"' in whole
    endpoint.will(called(whole))
    _, end = await run(provider(endpoint.url), asking({"name": "w", "inputSchema": {}}))
    assert [use["input"] for use in end.tool_uses] == [{"n": 1}]


@pytest.mark.parametrize("arguments", ["{", "nonsense", "[1]", '"x"', "null", "5", '{"a": 1}{"b": 2}'])
async def test_arguments_that_are_no_object_are_told_and_nothing_is_made_up(
    endpoint: ScriptedEndpoint, arguments: str
) -> None:
    endpoint.will(called(tool_piece(0, "a", "w", arguments)))
    assert (await failure(provider(endpoint.url), asking())).key == "model.broken_tool_call"


async def test_a_call_of_a_tool_that_nobody_offered_is_shown_as_it_is(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(called(tool_piece(0, "a", "rm_rf", "{}")))
    _, end = await run(provider(endpoint.url), asking())
    assert [use["name"] for use in end.tool_uses] == ["rm_rf"], "the person and the server see what the model wanted"


async def test_a_tool_call_without_its_end_is_no_answer(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(Scripted(stream=(tool_piece(0, "a", "w", "{}"), DONE)))
    assert (await failure(provider(endpoint.url), asking())).key == "model.broken_answer"


@pytest.mark.parametrize("tools", [(), (WEATHER,)])
async def test_none_holds_though_the_model_calls(endpoint: ScriptedEndpoint, tools: tuple[dict[str, Any], ...]) -> None:
    endpoint.will(called(piece("no"), tool_piece(0, "a", "w", "{}")))
    request = draft(tools=tools, tool_choice="none" if tools else "")
    texts, end = await run(provider(endpoint.url), request)
    assert (texts, end.stop_reason, end.tool_uses) == (["no"], "endTurn", ())


def test_an_endpoint_that_takes_no_tools_is_told_none_and_it_is_said() -> None:
    plain = provider("http://h.example/v1", preset=Preset("old", tools=False))
    plan = plain.plan(asking(), TINY)
    assert not plan.wire.keys() & {"tools", "tool_choice"}
    assert [loss.key for loss in plan.losses] == ["model.loss_tools"]
    assert plain.plan(asking(choice="none"), TINY).losses == ()


def test_a_turn_of_tools_becomes_calls_and_messages_of_results() -> None:
    image = {"type": "image", "data": "QUJD", "mimeType": "image/png"}
    turns = (
        Turn("user", ({"type": "text", "text": "weather?"},)),
        Turn(
            "assistant",
            (
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "a", "name": WEATHER["name"], "input": {"city": "Köln"}},
                {"type": "tool_use", "id": "b", "name": "gone tool", "input": {}},
            ),
        ),
        Turn(
            "user",
            (
                {"type": "tool_result", "toolUseId": "a", "content": [{"type": "text", "text": "18"}, image]},
                {"type": "tool_result", "toolUseId": "b", "isError": True, "structuredContent": {"why": "gone"}},
            ),
        ),
    )
    plan = provider("http://h.example/v1").plan(Draft(turns, 9, tools=(WEATHER,), tool_choice="required"), TINY)
    _, calls, *rest = plan.wire["messages"]
    first, second, picture = sorted(rest, key=lambda message: message["role"] == "user")
    assert calls["content"] == "I look."
    assert [json.loads(call["function"]["arguments"]) for call in calls["tool_calls"]] == [{"city": "Köln"}, {}]
    assert calls["tool_calls"][0]["function"]["name"] == plan.wire["tools"][0]["function"]["name"]
    assert first == {"role": "tool", "tool_call_id": "a", "content": "18"}
    assert picture["role"] == "user"
    assert picture["content"][0]["type"] == "image_url"
    assert second == {"role": "tool", "tool_call_id": "b", "content": 'ERROR: {"why": "gone"}'}
    assert [loss.key for loss in plan.losses] == ["model.moved_media"]
    assert plan.wire["tool_choice"] == "required"


def test_results_of_several_tools_follow_their_calls_without_anything_between() -> None:
    """OpenAI refuses a request where another message stands between the results of one turn."""
    image = {"type": "image", "data": "QUJD", "mimeType": "image/png"}
    uses = tuple({"type": "tool_use", "id": one, "name": "w", "input": {}} for one in "ab")
    results = tuple({"type": "tool_result", "toolUseId": one, "content": [image]} for one in "ab")
    plan = provider("http://h.example/v1").plan(Draft((Turn("assistant", uses), Turn("user", results)), 9), TINY)
    assert [message["role"] for message in plan.wire["messages"]][:3] == ["assistant", "tool", "tool"]


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "resource_link", "uri": "file:///x.txt", "name": "x", "mimeType": "text/plain"}, "file:///x.txt"),
        ({"type": "resource", "resource": {"uri": "file:///x.txt", "text": "inside"}}, "inside"),
    ],
)
def test_links_and_texts_of_resources_go_out_as_words(block: dict[str, Any], text: str) -> None:
    request = Draft((Turn("user", (block,)),), 9)
    plan = provider("http://h.example/v1").plan(request, TINY)
    assert text in plan.wire["messages"][0]["content"]
    assert plan.losses == ()


names = st.lists(st.text(min_size=1, max_size=80) | st.sampled_from(["a.b", "a_b", "a/b", "a_b_2"]), unique=True, max_size=8)  # fmt: skip


@given(names)
def test_names_of_tools_are_fitting_and_different_and_lead_back(wanted: list[str]) -> None:
    given_names = ToolNames(tuple({"name": name} for name in wanted))
    pairs = dict(given_names.pairs)
    assert list(pairs.values()) == wanted
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", own) for own in pairs)
    for name in wanted:
        assert pairs[given_names.told(name)] == name


async def test_the_limits_name_is_the_presets_and_the_models_own_limit_holds() -> None:
    model = provider("https://api.openai.com/v1", preset=BY_ID["openai"])
    wire = model.plan(draft(tokens=900), ModelInfo("m", "OpenAI", most_tokens=500)).wire
    assert wire["max_completion_tokens"] == 500
    assert "max_tokens" not in wire


async def test_the_first_word_may_come_late(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(Scripted(stream=(piece("late"), piece(finish="stop"), DONE), hold_head=1.5))
    assert (await run(provider(endpoint.url), draft()))[0] == ["late"]
