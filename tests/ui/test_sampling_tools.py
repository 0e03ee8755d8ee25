"""Requests to a language model with tools, results, pictures and more: shown, and passed on exactly."""

import asyncio
import json

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QToolButton

from desktop_host.ui.asks.sampling_window import SamplingWindow
from tests.support.windows import all_of, button, find, gone, markup_in, press, shown, type_into, until
from tests.ui.endpoint import Endpoint
from tests.ui.screen import Received, answer_field
from tests.ui.stage import Script, Stage, sampling, wire

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)

WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOLS = [
    {"name": "get_weather", "description": "The weather <b>now</b>", "inputSchema": WEATHER},
    {"name": "book/hotel", "inputSchema": {"type": "object"}},
]
FUNCTIONS = [
    {
        "type": "function",
        "function": {"name": "get_weather", "parameters": WEATHER, "description": "The weather <b>now</b>"},
    },
    {"type": "function", "function": {"name": "book_hotel", "parameters": {"type": "object"}}},
]
PARIS = ("call_1", "get_weather", '{"city": "Paris"}')
HOTEL = ("call_2", "book_hotel", "{}")
PARIS_SENT = '{"type":"tool_use","id":"call_1","name":"get_weather","input":{"city":"Paris"}}'
HOTEL_SENT = '{"type":"tool_use","id":"call_2","name":"book/hotel","input":{}}'

CHOICES = {
    mode: script.tool({"ask": sampling("Weather in Paris?", tools=TOOLS, toolChoice={"mode": mode})})
    for mode in ("auto", "required", "none")
}


def answer(*blocks: str, reason: str = "toolUse", alone: bool = False) -> str:
    """What the server is sent."""
    content = blocks[0] if alone else f"[{','.join(blocks)}]"
    return f'{{"role":"assistant","content":{content},"model":"practice-1","stopReason":"{reason}"}}'


def text_sent(text: str) -> str:
    """A text block on the wire."""
    return f'{{"type":"text","text":"{text}"}}'


async def at_the_answer(stage: Stage, era: str, tool: str) -> tuple[SamplingWindow, Received]:
    """The model has answered."""
    _, window, received = await stage.run(era, tool, SamplingWindow)
    await stage.screen.affirm(window)
    await answer_field(window)
    await asyncio.sleep(0.05)  # widgets new in a layout show themselves a moment later
    return window, received


# definitions


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("auto", "The model may use these tools"),
        ("required", "The model must use one of these tools"),
        ("none", "The model must not use these tools now"),
    ],
)
async def test_tools_of_the_request_are_shown_and_passed_on_exactly(
    stage: Stage, model_on_stage: Endpoint, mode: str, words: str
) -> None:
    _, window, _ = await stage.run("handshake", CHOICES[mode], SamplingWindow)
    text = shown(window)
    assert words in text
    assert "They are the server’s, for this request alone. Nothing here runs them." in text
    assert "get_weather\nThe weather <b>now</b>" in text
    assert json.dumps(WEATHER, indent=2) in text
    assert "book/hotel" in text
    assert markup_in(window) == []
    assert model_on_stage.requests == []
    await stage.screen.affirm(window)
    await answer_field(window)
    assert model_on_stage.requests == [
        {
            "model": "practice-1",
            "messages": [{"role": "user", "content": "Weather in Paris?"}],
            "max_tokens": 100,
            "stream": True,
            "stream_options": {"include_usage": True},
            "tools": FUNCTIONS,
            "tool_choice": mode,
        }
    ]


async def test_a_request_without_tools_speaks_of_none(stage: Stage, model_on_stage: Endpoint) -> None:
    _, window, received = await stage.run("handshake", PLAIN, SamplingWindow)
    assert "tool" not in shown(window).replace(PLAIN, "").replace("this tool", "")
    await stage.screen.affirm(window)
    await answer_field(window)
    assert "tools" not in model_on_stage.requests[0]
    assert "tool_choice" not in model_on_stage.requests[0]
    press(window.affirm)
    assert await received.reply() == answer(text_sent("Hello from the model"), reason="endTurn", alone=True).encode()


PLAIN = script.tool({"ask": sampling("Hello")})

# what the answer wants


@BOTH
async def test_tool_uses_of_the_answer_are_shown_and_sent_exactly(
    stage: Stage, model_on_stage: Endpoint, era: str
) -> None:
    model_on_stage.words, model_on_stage.uses = ["Let me", " look."], [PARIS, HOTEL]
    window, received = await at_the_answer(stage, era, CHOICES["auto"])
    text = shown(window)
    assert "The model wants the server to use these tools" in text
    assert 'Uses the tool get_weather\n{\n  "city": "Paris"\n}' in text
    assert "Uses the tool book/hotel" in text, "by the server’s own name"
    assert "It wants to use a tool of the server" in text
    assert '"stopReason": "toolUse"' in text, "exactly what is sent is shown before"
    assert received.replies() == []
    press(window.affirm)
    assert await received.reply() == wire(era, answer(text_sent("Let me look."), PARIS_SENT, HOTEL_SENT))
    await until(lambda: gone(window), "the window to close")
    record = (await stage.screen.audit())[0]
    assert record["edits"] == []
    assert [block["type"] for block in record["answer"]["content"]] == ["text", "tool_use", "tool_use"]


async def test_an_answer_of_tool_uses_alone_can_be_sent(stage: Stage, model_on_stage: Endpoint) -> None:
    model_on_stage.words, model_on_stage.uses = [], [PARIS]
    window, received = await at_the_answer(stage, "handshake", CHOICES["required"])
    assert (await answer_field(window)).toPlainText() == ""
    assert "the model used none" not in shown(window)
    press(window.affirm)
    assert await received.reply() == answer(PARIS_SENT).encode()


@BOTH
async def test_a_tool_use_that_is_taken_out_does_not_go_back(stage: Stage, model_on_stage: Endpoint, era: str) -> None:
    model_on_stage.words, model_on_stage.uses = ["Let me look."], [PARIS, HOTEL]
    window, received = await at_the_answer(stage, era, CHOICES["auto"])
    press(find(window, QToolButton, "Take out the use of get_weather"))
    await until(lambda: "Uses the tool get_weather" not in shown(window), "it to be gone")
    await until(lambda: "Uses the tool book/hotel" in shown(window), "the other to stay")
    assert "call_1" not in shown(window)
    press(window.affirm)
    assert await received.reply() == wire(era, answer(text_sent("Let me look."), HOTEL_SENT))
    await until(lambda: gone(window), "the window to close")
    assert (await stage.screen.audit())[0]["edits"] == ["answer"]


async def test_without_any_of_its_tool_uses_the_answer_is_a_plain_text(stage: Stage, model_on_stage: Endpoint) -> None:
    model_on_stage.words, model_on_stage.uses = ["Let me look."], [PARIS, HOTEL]
    window, received = await at_the_answer(stage, "handshake", CHOICES["auto"])
    for name in ("get_weather", "book/hotel"):
        away = f"Take out the use of {name}"
        [one] = await until(lambda away=away: all_of(window, QToolButton, away), away)
        press(one)
        await until(lambda away=away: not all_of(window, QToolButton, away), "it to be gone")
    assert "The model wants the server to use these tools" not in shown(window)
    type_into(await answer_field(window), "")
    await until(lambda: not window.affirm.isEnabled(), "an answer of nothing to be none")
    type_into(await answer_field(window), "I do not know.")
    press(window.affirm)
    assert await received.reply() == answer(text_sent("I do not know."), reason="endTurn", alone=True).encode()


async def test_what_the_window_says_will_be_sent_is_what_is_sent_without_tool_uses(
    stage: Stage, model_on_stage: Endpoint
) -> None:
    model_on_stage.words, model_on_stage.uses = ["Let me look."], [PARIS]
    window, received = await at_the_answer(stage, "handshake", CHOICES["auto"])
    press(find(window, QToolButton, "Take out the use of get_weather"))
    await until(lambda: "Uses the tool" not in shown(window), "it to be gone")
    said = json.loads(all_of(window, QPlainTextEdit, "JSON")[-1].toPlainText())
    press(window.affirm)
    assert json.loads(await received.reply()) == said


async def test_a_tool_use_that_was_taken_out_can_be_restored(stage: Stage, model_on_stage: Endpoint) -> None:
    model_on_stage.words, model_on_stage.uses = ["Let me look."], [PARIS]
    window, received = await at_the_answer(stage, "handshake", CHOICES["auto"])
    press(find(window, QToolButton, "Take out the use of get_weather"))
    await until(lambda: "Uses the tool" not in shown(window), "it to be gone")
    assert "Edited" in shown(window)
    press(button(window, "Restore"))
    await until(lambda: "Uses the tool get_weather" in shown(window), "it to be back")
    press(window.affirm)
    assert await received.reply() == answer(text_sent("Let me look."), PARIS_SENT).encode()


async def test_two_uses_of_one_tool_without_ids_are_two(stage: Stage, model_on_stage: Endpoint) -> None:
    """Some endpoints give no ids; the server needs one for each use to tell their results apart."""
    model_on_stage.words = []
    model_on_stage.uses = [("", "get_weather", '{"city": "Paris"}'), ("", "get_weather", '{"city": "Rome"}')]
    window, received = await at_the_answer(stage, "handshake", CHOICES["auto"])
    press(window.affirm)
    uses = json.loads(await received.reply())["content"]
    assert [use["input"]["city"] for use in uses] == ["Paris", "Rome"]
    assert uses[0]["id"] != uses[1]["id"]


async def test_another_answer_has_its_own_tool_uses(stage: Stage, model_on_stage: Endpoint) -> None:
    model_on_stage.words, model_on_stage.uses = ["One"], [PARIS]
    window, received = await at_the_answer(stage, "handshake", CHOICES["auto"])
    press(find(window, QToolButton, "Take out the use of get_weather"))
    model_on_stage.words, model_on_stage.uses = ["Two"], [PARIS, HOTEL]
    press(button(window, "Ask again"))
    await until(lambda: "Uses the tool book/hotel" in shown(window), "the second answer")
    await until(lambda: "Uses the tool get_weather" in shown(window), "both of its uses")
    press(window.affirm)
    assert await received.reply() == answer(text_sent("Two"), PARIS_SENT, HOTEL_SENT).encode()


async def test_tools_that_must_not_be_used_are_not_whatever_the_model_does(
    stage: Stage, model_on_stage: Endpoint
) -> None:
    model_on_stage.words, model_on_stage.uses = ["Let me look."], [PARIS]
    window, received = await at_the_answer(stage, "handshake", CHOICES["none"])
    assert "Uses the tool" not in shown(window)
    press(window.affirm)
    assert await received.reply() == answer(text_sent("Let me look."), reason="endTurn", alone=True).encode()


async def test_it_is_said_where_a_tool_was_required_and_none_was_used(stage: Stage, model_on_stage: Endpoint) -> None:
    window, received = await at_the_answer(stage, "handshake", CHOICES["required"])
    assert "The server wants a tool to be used, but the model used none." in shown(window)
    model_on_stage.words, model_on_stage.uses = [], [PARIS]
    press(button(window, "Ask again"))
    await until(lambda: "Uses the tool get_weather" in shown(window), "the second answer")
    assert "but the model used none." not in shown(window), "it is no longer true"
    press(window.affirm)
    assert await received.reply() == answer(PARIS_SENT).encode()


async def test_broken_arguments_of_a_tool_are_no_answer(stage: Stage, model_on_stage: Endpoint) -> None:
    model_on_stage.words, model_on_stage.uses = [], [("call_1", "get_weather", '{"city": "Par')]
    _, window, received = await stage.run("handshake", CHOICES["auto"], SamplingWindow)
    await stage.screen.affirm(window)
    await until(lambda: "The model’s use of a tool was no whole one, so there is no answer." in shown(window), "a word")
    assert received.replies() == []


# what the messages hold

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SOUND = "UklGRg" + "A" * 4090
IMAGE = {"type": "image", "data": PICTURE, "mimeType": "image/png"}


def user(*blocks: object) -> dict[str, object]:
    """A message of the user."""
    return {"role": "user", "content": list(blocks)}


HISTORY = script.tool(
    {
        "ask": sampling(
            "Weather?",
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I will look."},
                    {"type": "tool_use", "id": "a", "name": "get_weather", "input": {"city": "Oslo"}},
                    {"type": "tool_use", "id": "b", "name": "get_weather", "input": {"city": "Nowhere"}},
                ],
            },
            user(
                {"type": "tool_result", "toolUseId": "a", "content": [{"type": "text", "text": "Rain & 4 °C"}, IMAGE]},
                {
                    "type": "tool_result",
                    "toolUseId": "b",
                    "isError": True,
                    "content": [{"type": "text", "text": "No such <city>"}],
                },
            ),
            tools=TOOLS,
        )
    }
)


@BOTH
async def test_tool_uses_and_results_of_the_messages_are_shown_and_passed_on(
    stage: Stage, model_on_stage: Endpoint, era: str
) -> None:
    _, window, received = await stage.run(era, HISTORY, SamplingWindow)
    text = shown(window)
    assert 'Uses the tool get_weather\n{\n  "city": "Oslo"\n}' in text
    assert "The tool’s result\nRain & 4 °C" in text
    assert "The tool reports an error\nNo such <city>" in text
    assert any(not one.pixmap().isNull() for one in all_of(window, QLabel, "Image"))
    assert markup_in(window) == []
    await until(lambda: "Images in a tool’s result are passed on as a message of their own." in shown(window), "a note")
    await stage.screen.affirm(window)
    await answer_field(window)
    call = {"type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}}
    other = {"type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Nowhere"}'}}
    assert model_on_stage.requests[0]["messages"] == [
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": "I will look.", "tool_calls": [{"id": "a", **call}, {"id": "b", **other}]},
        {"role": "tool", "tool_call_id": "a", "content": "Rain & 4 °C"},
        {"role": "tool", "tool_call_id": "b", "content": "ERROR: No such <city>"},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}}]},
    ]
    press(window.affirm)
    sent = answer(text_sent("Hello from the model"), reason="endTurn", alone=True)
    assert await received.reply() == wire(era, sent)


LINK = {"type": "resource_link", "uri": "file:///trip/plan.md", "name": "plan.md", "title": "The <plan>"}
NOTE = {"type": "resource", "resource": {"uri": "note://1", "mimeType": "text/plain", "text": "Pack a <i>hat</i>"}}
HOLOGRAM = {"type": "hologram", "depth": 3}
PARTS = script.tool(
    {
        "ask": sampling(
            user({"type": "text", "text": "Look:"}, IMAGE, {"type": "audio", "data": SOUND, "mimeType": "audio/wav"}),
            user(LINK, NOTE, HOLOGRAM),
        )
    }
)


async def test_pictures_sounds_links_texts_and_what_is_unknown_are_shown_and_passed_on_or_named(
    stage: Stage, model_on_stage: Endpoint
) -> None:
    _, window, _ = await stage.run("handshake", PARTS, SamplingWindow)
    text = shown(window)
    assert any(not one.pixmap().isNull() for one in all_of(window, QLabel, "Image"))
    assert "Sound, audio/wav, 2 KB" in text or "Sound, audio/wav, 3 KB" in text
    assert "The <plan> file:///trip/plan.md" in text
    assert "note://1\nPack a <i>hat</i>" in text
    assert json.dumps(HOLOGRAM, indent=2) in text, "raw, never dropped silently"
    assert "Message 2 holds a part of unknown type “hologram”, which no model can be given." in text
    assert markup_in(window) == []
    await until(lambda: "A part of type “hologram” cannot be passed to this model." in shown(window), "what is lost")
    assert "Cannot be passed on" in shown(window)
    await stage.screen.affirm(window)
    await answer_field(window)
    assert model_on_stage.requests[0]["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Look:"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
                {"type": "input_audio", "input_audio": {"data": SOUND, "format": "wav"}},
            ],
        },
        {"role": "user", "content": "The <plan> — file:///trip/plan.md\n\nnote://1\nPack a <i>hat</i>"},
    ]


async def test_words_are_edited_and_the_other_parts_stay_where_they_are(stage: Stage, model_on_stage: Endpoint) -> None:
    _, window, _ = await stage.run("handshake", PARTS, SamplingWindow)
    type_into(find(window, QPlainTextEdit, "1 User"), "What is this?")
    press(all_of(window, QToolButton, "Remove this message")[1])
    await until(lambda: "hologram" not in shown(window).partition("Look")[2], "the second message to go")
    await stage.screen.affirm(window)
    await answer_field(window)
    [message] = model_on_stage.requests[0]["messages"]
    assert [part["type"] for part in message["content"]] == ["text", "image_url", "input_audio"]
    assert message["content"][0] == {"type": "text", "text": "What is this?"}


# what else the person should know

NOTICED = script.tool({"ask": sampling("Hello", maxTokens=10_000_000, includeContext="allServers")})
LOSING = script.tool(
    {"ask": sampling("Hello", stopSequences=["a", "b", "c", "d", "e"], metadata={"user": "ada"}, temperature=0.5)}
)


async def test_what_is_not_done_as_the_server_wants_is_said_before(stage: Stage, model_on_stage: Endpoint) -> None:
    _, window, _ = await stage.run("handshake", NOTICED, SamplingWindow)
    text = shown(window)
    assert "The server wants an answer of up to 10000000 tokens. It was cut down to 131072." in text
    assert "The server asked to include the context of other servers. None is included." in text
    await stage.screen.affirm(window)
    await answer_field(window)
    assert model_on_stage.requests == [
        {
            "model": "practice-1",
            "messages": [{"role": "user", "content": "Hello"}],
            "max_tokens": 131_072,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]


async def test_what_the_server_wants_is_not_said_in_two_ways(stage: Stage, model_on_stage: Endpoint) -> None:
    _, window, _ = await stage.run("handshake", NOTICED, SamplingWindow)
    assert "The server wants 131072 tokens." not in shown(window), "it wants ten million, as is said above"


async def test_what_a_model_cannot_be_given_is_listed_and_left_out(stage: Stage, model_on_stage: Endpoint) -> None:
    _, window, _ = await stage.run("handshake", LOSING, SamplingWindow)
    await until(lambda: "Only the first 4 stop sequences can be passed on." in shown(window), "the losses")
    assert "The server’s metadata is not passed on: it may identify you." in shown(window)
    await stage.screen.affirm(window)
    await answer_field(window)
    [sent] = model_on_stage.requests
    assert sent["stop"] == ["a", "b", "c", "d"]
    assert sent["temperature"] == 0.5
    assert "ada" not in json.dumps(sent)
