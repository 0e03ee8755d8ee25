"""A model between the two steps of a request: what it is sent, its streamed answer, and what the person makes of it."""

import json

from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSpinBox, QTextEdit

from desktop_host.ui.asks.sampling_window import SamplingWindow
from tests.support.windows import all_of, button, choose, find, fragments, gone, press, shown, type_into, until
from tests.ui.endpoint import Endpoint
from tests.ui.screen import Received, Screen, Start, by_hand
from tests.ui.screen import answer_field as field_to_write
from tests.ui.stage import sampling

ASK = {"tell": [{"ask": sampling("Say hello.", systemPrompt="Be kind.", maxTokens=50)}]}


async def at_the_request(start: Start) -> tuple[Screen, Received, SamplingWindow]:
    """A scripted server has asked for a model."""
    screen, received = await start(ASK)
    await screen.run("raw", "tell")
    return screen, received, await screen.ask(SamplingWindow)


def answer_field(window: SamplingWindow) -> QPlainTextEdit:
    """Where the answer stands."""
    return find(window, QPlainTextEdit, "Answer to the server")


def marked(view: QTextEdit) -> tuple[str, str]:
    """What is struck out in a text, and what is underlined."""
    formats = [(one.text(), one.charFormat()) for one in fragments(view)]
    struck = "".join(text for text, how in formats if how.fontStrikeOut())
    return struck.strip(), "".join(text for text, how in formats if how.fontUnderline()).strip()


async def test_the_model_gets_the_edited_request_and_the_server_the_edited_answer(
    start: Start, model: Endpoint
) -> None:
    screen, received, window = await at_the_request(start)
    assert find(window, QComboBox, "Model").currentText().startswith("practice-1")
    type_into(find(window, QPlainTextEdit, "System prompt"), "Be brief.")
    type_into(find(window, QPlainTextEdit, "1 User"), "Say good morning.")
    type_into(find(window, QSpinBox, "Longest answer"), "20")
    press(button(window, "Show the exact request"))
    exact = await until(lambda: next((one for one in window.findChildren(QPlainTextEdit) if one.isWindow()), None))
    wire = json.loads(exact.toPlainText())
    exact.close()
    assert wire["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Say good morning."},
    ]
    assert model.requests == [], "nothing leaves before consent"
    assert window.affirm.text() == "Ask the model"
    await screen.affirm(window)
    await until(lambda: answer_field(window).toPlainText() == "Hello", "the first word")
    assert "The model is answering…" in shown(window)
    assert answer_field(window).isReadOnly()
    assert not window.affirm.isEnabled()
    assert model.requests == [wire]
    assert wire["max_tokens"] == 20
    model.may_go_on.set()
    await until(lambda: not answer_field(window).isReadOnly(), "the whole answer")
    assert answer_field(window).toPlainText() == "Hello from the model"
    assert received.replies() == [], "the server has not seen it yet"
    type_into(answer_field(window), "Hello from <b>me</b>")
    difference = find(window, QTextEdit, "Difference to the model’s text")
    assert marked(difference) == ("the model", "<b>me</b>")
    assert "Edited" in shown(window)
    press(button(window, "Restore"))
    assert answer_field(window).toPlainText() == "Hello from the model"
    assert difference.isHidden()
    type_into(answer_field(window), "Good morning!")
    press(window.affirm)
    text = '{"role":"assistant","content":{"type":"text","text":"Good morning!"},"model":"practice-1","stopReason":"endTurn"}'
    assert await received.reply() == text.encode()
    await until(lambda: gone(window), "the window to close")
    assert (await screen.audit())[0]["edits"] == ["systemPrompt", "messages", "maxTokens", "answer"]


async def test_the_model_is_asked_again(start: Start, model: Endpoint) -> None:
    model.may_go_on.set()
    screen, received, window = await at_the_request(start)
    await screen.affirm(window)
    await until(lambda: window.affirm.isEnabled(), "the answer")
    model.words = ["Another", " answer"]
    press(button(window, "Ask again"))
    await until(lambda: answer_field(window).toPlainText() == "Another answer", "the second answer")
    await until(lambda: window.affirm.isEnabled(), "its end")
    press(window.affirm)
    assert b'"text":"Another answer"' in await received.reply()
    assert len(model.requests) == 2
    assert model.requests[0] == model.requests[1]


async def test_a_running_model_is_interrupted_by_decline(start: Start, model: Endpoint) -> None:
    screen, received, window = await at_the_request(start)
    await screen.affirm(window)
    await until(lambda: answer_field(window).toPlainText() == "Hello", "the first word")
    press(window.decline)
    assert await received.reply() == b'{"code":-1,"message":"User rejected sampling request"}'
    model.words += ["x" * 100_000] * 100
    model.may_go_on.set()
    await until(model.broken_off.is_set, "the model to be let go")


async def test_the_person_writes_instead_of_the_model(start: Start, model: Endpoint) -> None:
    screen, received, window = await at_the_request(start)
    choose(find(window, QComboBox, "Model"), "You write the answer")
    assert "Chosen by you." in shown(window)
    assert window.affirm.text() == "Write the answer"
    await screen.affirm(window)
    fields = all_of(window, QPlainTextEdit, "Answer to the server")
    await until(lambda: fields and not fields[0].isReadOnly(), "the answer to be mine to write")
    type_into(fields[0], "By hand")
    press(window.affirm)
    assert b'"text":"By hand"},"model":"you"' in await received.reply()
    assert model.requests == []


async def test_a_model_that_cannot_be_reached_is_told_and_the_person_can_answer(start: Start, model: Endpoint) -> None:
    model.close()
    screen, received, window = await at_the_request(start)
    words = shown(window)
    assert f"{model.place} cannot be reached. Check the address in Settings and that the model server runs." in words
    assert "practice-1" not in words, "what is not there cannot be chosen"
    assert "It comes with the program and works offline. It is very small and often wrong." in words
    assert received.replies() == []
    by_hand(window)
    assert window.affirm.text() == "Write the answer", "the person can still answer"
    await screen.affirm(window)
    type_into(await field_to_write(window), "By hand")
    press(window.affirm)
    assert b'"text":"By hand"},"model":"you"' in await received.reply()


async def test_a_model_that_goes_away_after_it_was_chosen_leaves_the_person_at_the_request(
    start: Start, model: Endpoint
) -> None:
    screen, received, window = await at_the_request(start)
    type_into(find(window, QPlainTextEdit, "1 User"), "Say good morning.")
    model.close()
    await screen.affirm(window)
    await until(lambda: "The model cannot be used" in shown(window), "why there is no answer")
    assert f"{model.place} cannot be reached." in shown(window)
    assert find(window, QPlainTextEdit, "1 User").toPlainText() == "Say good morning.", "nothing typed is lost"
    assert received.replies() == []
    by_hand(window)
    await until(lambda: window.affirm.isEnabled(), "another way to answer")
    await screen.affirm(window)
    type_into(await field_to_write(window), "By hand")
    press(window.affirm)
    assert b'"text":"By hand"},"model":"you"' in await received.reply()
