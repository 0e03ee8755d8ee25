"""Secrets in a request to a language model: seen, masked with one click, and never in the record."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit

from desktop_host.ui.asks.sampling_window import SamplingWindow
from tests.support.windows import activate, all_of, button, find, gone, press, shown, type_into, until, words_on
from tests.ui.endpoint import Endpoint
from tests.ui.runs import on_disk
from tests.ui.screen import Received, Screen, Start, answer_field, by_hand
from tests.ui.stage import sampling

KEY = "sk-ant-" + "Ab3dEf6hIj9" * 3
TOKEN = "ghp_" + "Zz9Yy8Xx7W" * 4
CARD = "4012 8888 8888 1881"
ASK = {"tell": [{"ask": sampling(f"Use {KEY} now.", "Nothing here.", systemPrompt=f"The token is {TOKEN}")}]}


async def at_the_request(start: Start, ask: dict[str, object] | None = None) -> tuple[Screen, Received, SamplingWindow]:
    """A scripted server has asked for a model."""
    screen, received = await start(ask or ASK)
    await screen.run("raw", "tell")
    return screen, received, await screen.ask(SamplingWindow)


def field(window: SamplingWindow, name: str) -> QPlainTextEdit:
    """One of the texts."""
    return find(window, QPlainTextEdit, name)


def marked(view: QPlainTextEdit) -> list[str]:
    """The pieces of a text that are marked."""
    return [one.cursor.selectedText() for one in view.extraSelections()]


def masking(window: SamplingWindow) -> list[str]:
    """The words on the button that masks, where there is one."""
    return [words for one in all_of(window, QAbstractButton) if (words := words_on(one)).startswith("Mask ")]


async def answered(screen: Screen, received: Received, window: SamplingWindow) -> bytes:
    """Ask the model as the request stands, and send its answer."""
    await screen.affirm(window)
    await answer_field(window)
    press(window.affirm)
    sent = await received.reply()
    await until(lambda: gone(window), "the window to close")
    return sent


async def test_secrets_are_marked_and_masked_in_what_is_sent(start: Start, model: Endpoint) -> None:
    model.may_go_on.set()
    model.words = ["I used ", KEY]
    screen, received, window = await at_the_request(start)
    await until(lambda: masking(window) == ["Mask 2 secrets"], "the secrets to be seen")
    assert marked(field(window, "1 User")) == [KEY]
    assert marked(field(window, "System prompt")) == [TOKEN]
    assert marked(field(window, "2 User")) == []
    assert "This holds what looks like a secret (1)." in shown(window)
    press(button(window, "Mask 2 secrets"))
    await until(lambda: masking(window) == [], "nothing left to mask")
    seen = [field(window, name).toPlainText() for name in ("System prompt", "1 User", "2 User")]
    assert KEY not in seen[1]
    assert TOKEN not in seen[0]
    assert marked(field(window, "1 User")) == []
    await answered(screen, received, window)
    assert model.requests[0]["messages"] == [
        {"role": "system", "content": seen[0]},
        {"role": "user", "content": seen[1]},
        {"role": "user", "content": "Nothing here."},
    ]
    assert seen[0].startswith("The token is «token ")
    assert seen[1].startswith("Use «key ")
    assert seen[1].endswith("» now.")
    record = (await screen.audit())[0]
    assert record["edits"] == ["systemPrompt", "messages"]
    for secret in (KEY, TOKEN):
        assert secret not in json.dumps(record)
        assert on_disk(secret) == [], "nor anywhere else among what is kept"


async def test_what_was_found_in_the_request_is_not_said_of_the_answer(start: Start, model: Endpoint) -> None:
    model.may_go_on.set()
    model.words = ["Done."]
    screen, _, window = await at_the_request(start)
    found = "This holds what looks like a secret (1)."
    assert found in shown(window)
    await screen.affirm(window)
    await answer_field(window)
    assert found not in shown(window)
    press(button(window, "Back to the request"))
    await until(lambda: found in shown(window), "what is to be known of the request")


@pytest.mark.parametrize("era", ["handshake", "modern"])
async def test_what_is_not_masked_is_sent_as_it_is_seen_and_still_not_recorded(
    start: Start, model: Endpoint, era: str
) -> None:
    model.may_go_on.set()
    model.words = [f"Card {CARD}"]
    screen, received = await start(ASK, era)
    await screen.run("raw", "tell")
    window = await screen.ask(SamplingWindow)
    sent = await answered(screen, received, window)
    assert CARD.encode() in sent, "the answer goes as it was approved"
    assert model.requests[0]["messages"][1] == {"role": "user", "content": f"Use {KEY} now."}
    record = json.dumps(await screen.audit())
    for secret in (KEY, TOKEN, CARD):
        assert secret not in record
        assert on_disk(secret) == []


async def test_a_mask_is_taken_back_with_undo(start: Start, model: Endpoint) -> None:
    model.may_go_on.set()
    screen, received, window = await at_the_request(start)
    await until(lambda: masking(window) == ["Mask 2 secrets"], "the secrets to be seen")
    press(button(window, "Mask 2 secrets"))
    await until(lambda: masking(window) == [], "nothing left to mask")
    await activate(window)
    first = field(window, "1 User")
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert first.toPlainText() == f"Use {KEY} now."
    await until(lambda: masking(window) == ["Mask 1 secret"], "it to be seen again")
    assert marked(first) == [KEY]
    await answered(screen, received, window)
    assert model.requests[0]["messages"][1] == {"role": "user", "content": f"Use {KEY} now."}
    assert TOKEN not in json.dumps(model.requests)


async def test_the_marks_follow_what_is_typed(start: Start, model: Endpoint) -> None:
    _, _, window = await at_the_request(start)
    await until(lambda: masking(window) == ["Mask 2 secrets"], "the secrets to be seen")
    type_into(field(window, "2 User"), f"My card: {CARD}")
    await until(lambda: masking(window) == ["Mask 3 secrets"], "one more")
    assert marked(field(window, "2 User")) == [CARD]
    type_into(field(window, "1 User"), "Nothing.")
    await until(lambda: masking(window) == ["Mask 2 secrets"], "one less")
    assert marked(field(window, "1 User")) == []
    press(button(window, "Leave out"))
    type_into(field(window, "2 User"), "Nothing.")
    await until(lambda: masking(window) == [], "none")


async def test_secrets_in_an_added_message_are_masked_too(start: Start, model: Endpoint) -> None:
    model.may_go_on.set()
    screen, received, window = await at_the_request(start, {"tell": [{"ask": sampling("Hello")}]})
    press(button(window, "Add a message"))
    added = await until(lambda: next(iter(all_of(window, QPlainTextEdit, "2 User")), None), "the message")
    type_into(added, f"Also {KEY}")
    await until(lambda: masking(window) == ["Mask 1 secret"], "the secret to be seen")
    press(button(window, "Mask 1 secret"))
    await answered(screen, received, window)
    assert model.requests[0]["messages"][1] == {"role": "user", "content": added_text(model)}
    assert KEY not in json.dumps(model.requests)


def added_text(model: Endpoint) -> str:
    """The masked second message."""
    text = str(model.requests[0]["messages"][1]["content"])
    assert text.startswith("Also «key ")
    return text


async def test_marks_are_in_the_right_place_after_signs_that_take_two(start: Start, model: Endpoint) -> None:
    """Qt counts halves of a sign outside the first plane, Python whole signs."""
    ask = {"tell": [{"ask": sampling(f"🏖🏖🏖 Use {KEY} now.")}]}
    _, _, window = await at_the_request(start, ask)
    await until(lambda: masking(window) == ["Mask 1 secret"], "the secret to be seen")
    assert marked(field(window, "1 User")) == [KEY]


async def test_a_card_number_at_the_end_of_a_sentence_is_one_too(start: Start, model: Endpoint) -> None:
    _, _, window = await at_the_request(start, {"tell": [{"ask": sampling(f"Use {KEY}. My card is {CARD}.")}]})
    await until(lambda: masking(window), "the secrets to be seen")
    assert marked(field(window, "1 User")) == [KEY, CARD]


async def test_different_secrets_have_different_masks(start: Start, model: Endpoint) -> None:
    other = KEY[::-1].removesuffix("-tna-ks")
    ask = {"tell": [{"ask": sampling(f"Mine is {KEY}", f"Yours is sk-ant-{other}", f"Mine is {KEY}")}]}
    model.may_go_on.set()
    screen, received, window = await at_the_request(start, ask)
    await until(lambda: masking(window) == ["Mask 3 secrets"], "the secrets to be seen")
    press(button(window, "Mask 3 secrets"))
    await answered(screen, received, window)
    mine, yours, again = (str(one["content"]).partition(" is ")[2] for one in model.requests[0]["messages"])
    assert mine == again
    assert mine != yours


RESULT = [
    {"role": "assistant", "content": {"type": "tool_use", "id": "a", "name": "read", "input": {}}},
    {
        "role": "user",
        "content": {"type": "tool_result", "toolUseId": "a", "content": [{"type": "text", "text": f"key: {KEY}"}]},
    },
]


async def test_secrets_in_the_results_of_tools_are_masked_too(start: Start, model: Endpoint) -> None:
    model.may_go_on.set()
    ask = {"tell": [{"ask": sampling(f"The token is {TOKEN}", *RESULT)}]}
    screen, received, window = await at_the_request(start, ask)
    await until(lambda: masking(window), "the secrets to be seen")
    press(button(window, masking(window)[0]))
    await answered(screen, received, window)
    assert TOKEN not in json.dumps(model.requests)
    assert KEY not in json.dumps(model.requests), "what the window calls masked holds no secret"


async def test_a_secret_the_person_writes_goes_to_the_server_and_into_no_record(start: Start, model: Endpoint) -> None:
    screen, received, window = await at_the_request(start, {"tell": [{"ask": sampling("Your key?")}]})
    by_hand(window)
    await screen.affirm(window)
    type_into(await answer_field(window), KEY)
    press(window.affirm)
    assert KEY.encode() in await received.reply()
    await until(lambda: gone(window), "the window to close")
    assert KEY not in json.dumps(await screen.audit())
    assert on_disk(KEY) == []
    assert model.requests == []
