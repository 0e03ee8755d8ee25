"""Models behind Anthropic's Messages API: the same llama.cpp, which speaks it, and a scripted stream for the rest."""

import asyncio
import json
import logging
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models.anthropic import Anthropic
from desktop_host.sampling.models.provider import Done, ModelFailed, ModelInfo, TextDelta
from desktop_host.terms.messages import Message
from desktop_host.ui.messages import TEXTS, english
from tests.support.model_server import (
    KEY,
    MODEL,
    LlamaServer,
    Scripted,
    ScriptedEndpoint,
    claude_event,
    claude_stream,
    wait_until,
)
from tests.support.wire import until

pytest_plugins = ("tests.support.fixtures",)

TINY = ModelInfo(MODEL, "llama.cpp")
TOOL = {"name": "weather.today", "description": "Today's", "inputSchema": {"type": "object"}, "title": "W"}


@pytest.fixture(autouse=True)
def the_key_is_in_no_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever happens to a request, at whatever level: its key stands in no log."""
    caplog.set_level(logging.DEBUG)
    yield
    assert KEY not in caplog.text


def provider(url: str, *models: str, key: str | None = KEY) -> Anthropic:
    return Anthropic(models, lambda: key, base_url=url.removesuffix("/v1"))


def draft(text: str = "hi", *, tokens: int = 20, **more: Any) -> Draft:
    return Draft((Turn("user", ({"type": "text", "text": text},)),), tokens, **more)


async def run(model: Anthropic, request: Draft) -> tuple[str, Done]:
    *pieces, end = [event async for event in model.stream(model.plan(request, TINY))]
    assert isinstance(end, Done)
    return "".join(event.text for event in pieces if isinstance(event, TextDelta)), end


async def failure(model: Anthropic, request: Draft | None = None) -> Message:
    with pytest.raises(ModelFailed) as failed:
        await run(model, request or draft())
    error = failed.value
    assert error.__suppress_context__ or error.__context__ is None
    assert KEY not in repr(error) + str(error) + str(error.message) + english(error.message)
    assert error.message.key in TEXTS
    return error.message


# llama.cpp


async def test_an_answer_streams_up_to_its_limit(llama: LlamaServer) -> None:
    text, end = await run(provider(llama.open_url), draft(tokens=20))
    assert (end.stop_reason, end.model, end.tokens_out) == ("maxTokens", MODEL, 20)
    assert len(text) <= 20
    assert end.tokens_in == len("user: hi\nassistant: ")


async def test_a_stop_sequence_is_reported(llama: LlamaServer) -> None:
    """The random model is asked until one of the commonest signs comes up; it is not in the answer."""
    stops = tuple("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    text, end = await run(provider(llama.open_url), draft(tokens=200, stop_sequences=stops))
    assert end.stop_reason == "stopSequence"
    assert not set(text) & set(stops)


async def test_the_system_prompt_and_every_turn_reach_the_model(llama: LlamaServer) -> None:
    said = [("user", "héllo"), ("assistant", "yes"), ("user", "go on")]
    turns = tuple(Turn(role, ({"type": "text", "text": text},)) for role, text in said)
    _, end = await run(provider(llama.open_url), Draft(turns, 3, "Be brief."))
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
    assert (await run(model, draft(tokens=5)))[1].tokens_out == 5, "and it answers again"


async def test_a_key_is_needed_and_taken(llama: LlamaServer) -> None:
    assert (await run(provider(llama.keyed_url), draft(tokens=4)))[1].tokens_out == 4
    for key in (None, "", "wrong"):
        message = await failure(provider(llama.keyed_url, key=key))
        assert (message.key, message.mapping) == ("model.key_refused", {"host": urlsplit(llama.keyed_url).netloc})


# Scripted


async def test_a_tool_use_comes_in_pieces_and_back_under_its_own_name(endpoint: ScriptedEndpoint) -> None:
    model, request = provider(endpoint.url), draft(tools=(TOOL,), tool_choice="required")
    name = model.plan(request, TINY).wire["tools"][0]["name"]
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name)
    use = {"id": "toolu_1", "name": name, "pieces": ['{"ci', 'ty": ', '"Köln"}']}
    endpoint.will(
        Scripted(stream=claude_stream("I look.", use, {**use, "id": "toolu_2", "pieces": [""]}, stop="tool_use"))
    )
    text, end = await run(model, request)
    assert text == "I look."
    assert end == Done(
        "toolUse",
        "claude-scripted",
        11,
        5,
        (
            {"type": "tool_use", "id": "toolu_1", "name": "weather.today", "input": {"city": "Köln"}},
            {"type": "tool_use", "id": "toolu_2", "name": "weather.today", "input": {}},
        ),
    )
    (seen,) = endpoint.seen
    assert seen.path.startswith("/v1/messages")
    assert seen.body["tool_choice"] == {"type": "any"}
    assert KEY in (seen.headers.get("x-api-key"), seen.headers.get("authorization", "").removeprefix("Bearer "))
    assert seen.body["tools"] == [{"name": name, "input_schema": {"type": "object"}, "description": "Today's"}]


@pytest.mark.parametrize("pieces", [["{"], ["[1]"], ['"x"'], ["5"], ["null"]])
async def test_input_that_is_no_object_is_told_and_nothing_is_made_up(
    endpoint: ScriptedEndpoint, pieces: list[str]
) -> None:
    use = {"id": "a", "name": "w", "pieces": pieces}
    endpoint.will(Scripted(stream=claude_stream(use, stop="tool_use")))
    message = await failure(provider(endpoint.url), draft(tools=(TOOL,), tool_choice="auto"))
    assert message.key == "model.broken_tool_call"


async def test_none_holds_though_the_model_uses_a_tool(endpoint: ScriptedEndpoint) -> None:
    use = {"id": "a", "name": "w", "pieces": ["{}"]}
    endpoint.will(Scripted(stream=claude_stream("no", use, stop="tool_use")))
    text, end = await run(provider(endpoint.url), draft(tools=(TOOL,), tool_choice="none"))
    assert (text, end.stop_reason, end.tool_uses) == ("no", "endTurn", ())
    assert endpoint.seen[0].body["tool_choice"] == {"type": "none"}


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("end_turn", "endTurn"),
        ("stop_sequence", "stopSequence"),
        ("max_tokens", "maxTokens"),
        ("model_context_window_exceeded", "maxTokens"),
        ("refusal", "refusal"),
        ("tool_use", "endTurn"),
    ],
)
async def test_the_stop_reason_is_in_mcps_words_or_passed_on(
    endpoint: ScriptedEndpoint, stop: str, reason: str
) -> None:
    endpoint.will(Scripted(stream=claude_stream("a", stop=stop)))
    assert (await run(provider(endpoint.url), draft()))[1].stop_reason == reason


async def test_thinking_is_never_passed_on(endpoint: ScriptedEndpoint) -> None:
    head, *_ = claude_stream()
    thinking = {"type": "thinking", "thinking": "", "signature": ""}
    deltas = [{"type": "thinking_delta", "thinking": "hm"}, {"type": "signature_delta", "signature": "x"}]
    stream = (
        head,
        claude_event("content_block_start", index=0, content_block=thinking),
        *(claude_event("content_block_delta", index=0, delta=delta) for delta in deltas),
        claude_event("content_block_stop", index=0),
        *claude_stream("said")[2:],
    )
    endpoint.will(Scripted(stream=stream))
    assert (await run(provider(endpoint.url), draft()))[0] == "said"


OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "sk-tests-7b1e9c5d2f"}}


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (Scripted(401, json.dumps(OVERLOADED).encode()), "model.key_refused"),
        (Scripted(403), "model.key_refused"),
        (Scripted(404), "model.not_there"),
        (Scripted(429, headers={"retry-after": "17"}), "model.busy"),
        (Scripted(529, json.dumps(OVERLOADED).encode()), "model.busy_now"),
        (Scripted(529, headers={"retry-after": "5"}), "model.busy"),
        (Scripted(500, b"<html>sk-tests-7b1e9c5d2f"), "model.refused"),
        (Scripted(stream=claude_stream("Hel", end=False)), "model.broken_answer"),
        (Scripted(stream=claude_stream("Hel")[:3]), "model.broken_answer"),
        (Scripted(stream=claude_stream("Hel", end=False), broken=True), "model.broken_answer"),
        (Scripted(stream=(*claude_stream("Hel")[:3], b"event: content_block_delta\ndata: {no\n\n")), "model.broken_answer"),
        (Scripted(stream=(*claude_stream("Hel")[:3], b"event: content_block_delta\ndata: []\n\n")), "model.broken_answer"),
        (Scripted(body=b"<html>a login page</html>", headers={"content-type": "text/html"}), "model.broken_answer"),
        (Scripted(stream=(*claude_stream("Hel")[:3], claude_event("error", error=OVERLOADED["error"]))), ("model.busy_now", "model.broken_answer")),
    ],
    ids=lambda value: None if isinstance(value, Scripted) else str(value),
)  # fmt: skip
async def test_a_fault_is_told_in_its_own_sentence(
    endpoint: ScriptedEndpoint, answer: Scripted, key: str | tuple[str, ...]
) -> None:
    endpoint.will(answer)
    message = await failure(provider(endpoint.url))
    assert message.key in ((key,) if isinstance(key, str) else key)
    if answer.headers.get("retry-after"):
        assert message.mapping["seconds"] == answer.headers["retry-after"]
    assert len(endpoint.seen) == 1, "nothing is tried again by itself: that costs money"


async def test_a_connection_nobody_takes_is_told() -> None:
    assert (await failure(provider("http://127.0.0.1:9"))).key == "model.unreachable"
    with pytest.raises(ModelFailed):
        await provider("http://127.0.0.1:9").models()


async def test_a_slow_answer_can_be_cancelled(endpoint: ScriptedEndpoint) -> None:
    endpoint.will(Scripted(stream=claude_stream("Hel")[:4], hold_end=30))
    task = asyncio.create_task(run(provider(endpoint.url), draft()))
    await until(lambda: endpoint.seen)
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(endpoint.seen[0].gone.wait, 5), "the endpoint was told"


async def test_what_the_api_says_of_its_models_is_known(endpoint: ScriptedEndpoint) -> None:
    listed = {"id": "claude-x", "type": "model", "display_name": "X", "created_at": "2026-01-01T00:00:00Z"}
    page = {"data": [{**listed, "max_input_tokens": 1000, "max_tokens": 500}], "has_more": False}
    endpoint.will(Scripted(body=json.dumps(page).encode()))
    (info,) = await provider(endpoint.url).models()
    assert (info.id, info.provider, info.context, info.most_tokens) == ("claude-x", "Anthropic", 1000, 500)
    assert provider(endpoint.url).plan(draft(tokens=900), info).wire["max_tokens"] == 500


def test_the_plan_holds_all_that_can_be_expressed_and_names_the_rest() -> None:
    image = {"type": "image", "data": "QUJD", "mimeType": "image/png"}
    blocks = (
        {"type": "text", "text": "look", "_meta": {"x": 1}},
        image,
        {**image, "mimeType": "image/tiff"},
        {"type": "audio", "data": "QUJD", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "file:///x.txt", "name": "x"},
        {"type": "hologram"},
    )
    turns = (
        Turn("user", blocks),
        Turn("assistant", ({"type": "tool_use", "id": "a", "name": "weather.today", "input": {"n": 1}},)),
        Turn("user", ({"type": "tool_result", "toolUseId": "a", "content": [image], "isError": True},)),
    )
    request = Draft(turns, 9, "Be brief.", 0.5, ("END",), tools=(TOOL,), tool_choice="auto", metadata={"user_id": "me"})
    plan = provider("https://api.anthropic.com").plan(request, TINY)
    source = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}
    name = plan.wire["tools"][0]["name"]
    assert plan.wire["messages"] == [
        {
            "role": "user",
            "content": [{"type": "text", "text": "look"}, source, {"type": "text", "text": "x — file:///x.txt"}],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": name, "input": {"n": 1}}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "a", "content": [source], "is_error": True}],
        },
    ]
    assert (plan.wire["system"], plan.wire["stop_sequences"], plan.wire["max_tokens"]) == ("Be brief.", ["END"], 9)
    assert sorted(loss.key for loss in plan.losses) == [
        *("model.loss_block", "model.loss_block", "model.loss_block", "model.loss_metadata", "model.loss_temperature")
    ]


async def test_the_environments_own_key_and_address_are_never_used(
    endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    endpoint.will(Scripted(stream=claude_stream("x")))
    await run(provider(endpoint.url, key=None), draft())
    assert "from-the-environment" not in str(endpoint.seen[0].headers)
