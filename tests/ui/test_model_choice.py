"""Which model is suggested for a request, why, what it costs, and what it cannot do."""

import pytest
from PySide6.QtWidgets import QComboBox, QSpinBox

from desktop_host.ui.asks.sampling_window import SamplingWindow
from tests.support.windows import choose, find, press, shown, type_into, until
from tests.ui.endpoint import Endpoint
from tests.ui.screen import answer_field, by_hand
from tests.ui.stage import Script, Stage, sampling

pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)

PRACTICE = "Practice model (very small, often wrong)"
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
IMAGE = {"role": "user", "content": {"type": "image", "data": PICTURE, "mimeType": "image/png"}}
SOUND = {"role": "user", "content": {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}}
TOOLS = [{"name": "look", "inputSchema": {"type": "object"}}]


def asking(*messages: object, **params: object) -> str:
    """A tool that asks for a model like this."""
    return script.tool({"ask": sampling(*(messages or ("Hello",)), **params)})


def model_of(window: SamplingWindow) -> str:
    """The model that is chosen now."""
    return find(window, QComboBox, "Model").currentText()


REASONS = [
    (asking(), "gpt-5-nano", "The model you chose in Settings."),
    (
        asking(modelPreferences={"hints": [{"name": "claude"}, {"name": "GPT 5.1"}, {"name": "nano"}]}),
        "gpt-5.1",
        "Chosen because the server hints “GPT 5.1”.",
    ),
    (
        asking(modelPreferences={"hints": [{"name": "claude"}], "intelligencePriority": 0}),
        "gpt-5-nano",
        "No model here matches the server’s hint “claude”, so your own choice is used.",
    ),
    (
        asking(modelPreferences={"intelligencePriority": 0.9, "speedPriority": 0.1}),
        "gpt-5.1",
        "The most able that fits, as the server asks for an able model.",
    ),
    (
        asking(modelPreferences={"costPriority": 1}),
        "gpt-5-nano",
        "The cheapest that fits, as the server asks for low cost.",
    ),
    (
        asking(modelPreferences={"speedPriority": 1}),
        "gpt-5-nano",
        "The fastest that fits, as the server asks for speed.",
    ),
]


@pytest.mark.parametrize(("tool", "name", "why"), REASONS)
async def test_the_suggested_model_comes_with_its_reason(
    stage: Stage, model_on_stage: Endpoint, tool: str, name: str, why: str
) -> None:
    model_on_stage.names = ["gpt-5-nano", "gpt-5.1"]
    _, window, _ = await stage.run("handshake", tool, SamplingWindow)
    assert model_of(window) == f"{name}  ·  Ours"
    assert why in shown(window)
    await stage.screen.affirm(window)
    await answer_field(window)
    assert model_on_stage.requests[0]["model"] == name, "what is suggested is what is asked"


async def test_a_model_that_the_person_chooses_is_asked_and_said_to_be_theirs(
    stage: Stage, model_on_stage: Endpoint
) -> None:
    model_on_stage.names = ["gpt-5-nano", "gpt-5.1"]
    _, window, received = await stage.run("modern", REASONS[1][0], SamplingWindow)
    choose(find(window, QComboBox, "Model"), "gpt-5-nano  ·  Ours")
    assert "Chosen by you." in shown(window)
    assert "hints" not in shown(window)
    choose(find(window, QComboBox, "Model"), "gpt-5.1  ·  Ours")
    assert "Chosen because the server hints “GPT 5.1”." in shown(window), "back at the suggestion"
    choose(find(window, QComboBox, "Model"), "gpt-5-nano  ·  Ours")
    await stage.screen.affirm(window)
    await answer_field(window)
    assert model_on_stage.requests[0]["model"] == "gpt-5-nano"
    press(window.affirm)
    assert b'"text":"Hello from the model"' in await received.reply()


async def test_where_no_hint_fits_the_priorities_are_not_called_the_persons_own_choice(
    stage: Stage, model_on_stage: Endpoint
) -> None:
    model_on_stage.names = ["gpt-5-nano", "gpt-5.1"]
    _, window, _ = await stage.run("handshake", HINT_AND_PRIORITY, SamplingWindow)
    assert model_of(window) == "gpt-5.1  ·  Ours"
    assert "your own choice is used" not in shown(window), "the first in Settings is gpt-5-nano"


HINT_AND_PRIORITY = asking(modelPreferences={"hints": [{"name": "claude"}], "intelligencePriority": 1})


async def test_a_model_on_this_computer_is_free_whatever_its_name(stage: Stage, model_on_stage: Endpoint) -> None:
    model_on_stage.names = ["gpt-5"]
    _, window, _ = await stage.run("handshake", REASONS[0][0], SamplingWindow)
    await until(lambda: "Free: it runs on this computer" in shown(window), "what it costs")
    assert "$" not in shown(window)
    by_hand(window)
    await until(lambda: "Free: it runs on this computer" not in shown(window), "nothing to pay for")
    choose(find(window, QComboBox, "Model"), PRACTICE)
    await until(lambda: "Free: it runs on this computer" in shown(window), "what it costs")


async def test_a_model_elsewhere_shows_what_it_costs_before_anything_is_sent(
    stage: Stage, model_on_stage: Endpoint
) -> None:
    """Its models are named in `models.json`, so nothing is asked of the network; nor is it here."""
    from desktop_host.config.providers_file import ProviderEntry

    paid = ProviderEntry("paid", "openai-compatible", "openai", "Paid", "https://models.invalid/v1", ("gpt-5",))
    ask = stage.screen.program.bridge.ask
    assert await ask(lambda engine: engine.put_provider(paid)) is None
    try:
        _, window, _ = await stage.run("handshake", COSTLY, SamplingWindow)
        choose(find(window, QComboBox, "Model"), "gpt-5  ·  Paid")
        # 1 000 000 tokens cost 1.25 dollars to read and 10 to write: 4 + 400 000 / 4 read, 10 000 written
        await until(lambda: "About $0.13, at most $0.23" in shown(window), "the cost")
        type_into(find(window, QSpinBox, "Longest answer"), "5000")
        await until(lambda: "About $0.13, at most $0.18" in shown(window), "the cost")
    finally:
        await stage.screen.calm()
        await ask(lambda engine: engine.remove_provider(paid))


COSTLY = asking("word " * 80_000, maxTokens=10_000)


async def test_the_longest_answer_is_an_upper_bound(stage: Stage, model_on_stage: Endpoint) -> None:
    _, window, _ = await stage.run("handshake", REASONS[0][0], SamplingWindow)
    assert "The server wants 100 tokens." in shown(window)
    limit = find(window, QSpinBox, "Longest answer")
    limit.setValue(5000)
    assert limit.value() == 100
    type_into(limit, "7")
    await stage.screen.affirm(window)
    await answer_field(window)
    assert model_on_stage.requests[0]["max_tokens"] == 7


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        (asking("Look:", IMAGE), "This model cannot see images."),
        (asking("Listen:", SOUND), "This model cannot hear sounds."),
        (asking(tools=TOOLS), "This model cannot use tools."),
        (asking("word " * 10_000), "The request is longer than this model can read (8192 tokens)."),
    ],
)
async def test_it_is_said_what_the_practice_model_cannot_do(
    stage: Stage, model_on_stage: Endpoint, tool: str, words: str
) -> None:
    _, window, _ = await stage.run("handshake", tool, SamplingWindow)
    assert model_of(window) == "practice-1  ·  Ours"
    assert words not in shown(window)
    choose(find(window, QComboBox, "Model"), PRACTICE)
    await until(lambda: words in shown(window), repr(words))
    assert "Cannot be passed on" in shown(window)
    choose(find(window, QComboBox, "Model"), "practice-1  ·  Ours")
    await until(lambda: words not in shown(window), "the word to go")
