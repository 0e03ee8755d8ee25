"""What a person typed into a form survives whatever ends its window, and is offered the next time, never filled in."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
import pytest_asyncio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton

from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.frame import AskWindow
from tests.support.windows import (
    activate,
    all_of,
    button,
    find,
    gone,
    holds,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.screen import WAYS_TO_GIVE_UP, Received, Screen
from tests.ui.stage import TEXT, Script, Stage, form

pytestmark = pytest.mark.asyncio(loop_scope="module")
BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
OFFER = "You typed answers to this form"
BORN = {"type": "integer", "title": "Born"}
script = Script(hurried=True)
NAME = script.tool({"ask": form(name=TEXT, born=BORN)})
SEATS = [f"Seat {n}" for n in range(1, 16)]


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def no_drafts(stage: Stage) -> None:
    """No test is offered what another one typed."""
    await stage.screen.program.bridge.ask(lambda engine: engine.clear_kept("drafts"))


def fill_in(window: FormWindow, name: str = "Ada Lovelace", born: str = "18") -> None:
    type_into(find(window, QLineEdit, "Name"), name)
    type_into(find(window, QLineEdit, "Born"), born)


async def closed(window: AskWindow) -> None:
    await until(lambda: gone(window), "the window to close")


async def drafts(stage: Stage) -> int:
    """How many drafts are kept, once what is on its way has arrived."""
    await asyncio.sleep(0.05)
    return (await stage.screen.program.bridge.ask(lambda engine: engine.kept()))["drafts"]


@pytest.mark.parametrize("way", WAYS_TO_GIVE_UP)
async def test_what_was_typed_is_offered_after_the_window_was_closed(
    stage: Stage, way: Callable[[AskWindow], Awaitable[None]]
) -> None:
    panel, window, received = await stage.run("handshake", NAME, FormWindow)
    assert OFFER not in shown(window)
    fill_in(window)
    await way(window)
    assert await received.reply() == b'{"action":"cancel"}'
    await stage.screen.ended(panel)
    _, window, received = await stage.run("handshake", NAME, FormWindow)
    assert OFFER in shown(window)
    assert f"{OFFER} today at " in shown(window)
    assert [find(window, QLineEdit, name).text() for name in ("Name", "Born")] == ["", ""], "nothing is filled in"
    assert '{"action": "accept", "content": {}}' in shown(window)
    press(button(window, "Use them"))
    assert OFFER not in shown(window)
    assert [find(window, QLineEdit, name).text() for name in ("Name", "Born")] == ["Ada Lovelace", "18"]
    assert '"Ada Lovelace"' in shown(window)
    await stage.screen.affirm(window)
    assert await received.reply() == b'{"action":"accept","content":{"name":"Ada Lovelace","born":18}}'
    await closed(window)
    assert await drafts(stage) == 0


async def test_what_is_half_typed_and_wrong_is_offered_as_it_was(stage: Stage) -> None:
    panel, window, received = await stage.run("handshake", NAME, FormWindow)
    fill_in(window, born="18x")
    window.close()
    await stage.screen.ended(panel)
    _, window, received = await stage.run("handshake", NAME, FormWindow)
    press(button(window, "Use them"))
    assert find(window, QLineEdit, "Born").text() == "18x"
    assert "Not a whole number yet. Example: 3" in shown(window)
    await stage.screen.affirm(window)
    await holds(lambda: received.replies() == [], 0.1, "nothing is sent")


WITHDRAWN = script.tool(
    {"ask": form(name=TEXT, born=BORN, left={"type": "string"})},
    {"sleep": 0.6},
    {"cancel_ask": True},
    {"result": {"content": []}},
)


async def test_what_was_typed_is_offered_after_the_server_withdrew_the_form(stage: Stage) -> None:
    panel, window, received = await stage.run("handshake", WITHDRAWN, FormWindow)
    fill_in(window)
    await until(lambda: "The server withdrew this question" in shown(window), "the window to say so")
    press(button(window, "Close"))
    await closed(window)
    await stage.screen.ended(panel)
    _, window, received = await stage.run("handshake", WITHDRAWN, FormWindow)
    press(button(window, "Use them"))
    assert find(window, QLineEdit, "Name").text() == "Ada Lovelace"
    await until(lambda: "The server withdrew this question" in shown(window), "the window to say so")
    assert received.replies() == []
    press(button(window, "Close"))


async def test_a_withdrawn_form_does_not_offer_any_more(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", WITHDRAWN, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", WITHDRAWN, FormWindow)
    assert OFFER in shown(window)
    await until(lambda: "The server withdrew this question" in shown(window), "the window to say so")
    assert not all_of(window, QPushButton, "Use them")
    assert not all_of(window, QPushButton, "Discard")
    press(button(window, "Close"))


@BOTH
async def test_what_was_typed_is_offered_after_the_call_was_cancelled(stage: Stage, era: str) -> None:
    panel, window, _ = await stage.run(era, NAME, FormWindow)
    fill_in(window)
    stage.screen.cancel(panel)
    await until(lambda: "This question ended with its call" in shown(window), "the window to say so")
    press(button(window, "Close"))
    await stage.screen.ended(panel)
    _, window, _ = await stage.run(era, NAME, FormWindow)
    press(button(window, "Use them"))
    assert find(window, QLineEdit, "Name").text() == "Ada Lovelace"


@BOTH
async def test_what_was_typed_is_offered_after_the_whole_call_was_stopped(stage: Stage, era: str) -> None:
    panel, window, _ = await stage.run(era, NAME, FormWindow)
    fill_in(window)
    press(button(window, "Stop the whole call"))
    await stage.screen.ended(panel)
    _, window, _ = await stage.run(era, NAME, FormWindow)
    press(button(window, "Use them"))
    assert find(window, QLineEdit, "Name").text() == "Ada Lovelace"


KINDS = script.tool(
    {
        "ask": form(
            story={"type": "string", "title": "Story", "maxLength": 2000},
            yes={"type": "boolean", "title": "Member"},
            no={"type": "boolean", "title": "News", "default": True},
            row={"type": "string", "title": "Row", "enum": [f"Row {n}" for n in range(1, 9)]},
            days={"type": "array", "title": "Days", "items": {"enum": ["Mon", "Tue", "Wed"]}},
            seats={"type": "array", "title": "Seats", "items": {"enum": SEATS}},
            day={"type": "string", "title": "Arrival", "format": "date"},
            json={"type": "object", "title": "Extra"},
        )
    }
)


async def sent(screen: Screen, window: FormWindow, received: Received) -> None:
    await screen.affirm(window)
    assert await received.reply() == b'{"action":"accept","content":{"name":"Ada Lovelace","born":18}}'


async def declined(screen: Screen, window: FormWindow, received: Received) -> None:
    press(window.decline)
    assert await received.reply() == b'{"action":"decline"}'


@pytest.mark.parametrize("end", [sent, declined])
@pytest.mark.parametrize("pause", [0.0, 0.4], ids=["at once", "after a pause"])
async def test_nothing_is_offered_after_send_or_decline(
    stage: Stage, end: Callable[[Screen, FormWindow, Received], Awaitable[None]], pause: float
) -> None:
    panel, window, received = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    await asyncio.sleep(pause)
    await end(stage.screen, window, received)
    await closed(window)
    await stage.screen.ended(panel)
    await asyncio.sleep(0.35)
    assert await drafts(stage) == 0
    _, window, received = await stage.run("handshake", NAME, FormWindow)
    assert OFFER not in shown(window)


async def test_a_draft_that_is_discarded_is_not_offered_again(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    press(button(window, "Discard"))
    assert OFFER not in shown(window)
    assert find(window, QLineEdit, "Name").text() == ""
    assert await drafts(stage) == 0
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", NAME, FormWindow)
    assert OFFER not in shown(window)


async def test_a_draft_that_is_neither_used_nor_discarded_is_offered_again(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    assert OFFER in shown(window)
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", NAME, FormWindow)
    assert OFFER in shown(window)


async def test_a_draft_survives_a_letter_that_was_typed_and_taken_back(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    field = find(window, QLineEdit, "Name")
    field.setFocus()
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", NAME, FormWindow)
    assert OFFER in shown(window)


async def test_a_form_that_nobody_typed_into_leaves_no_draft(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", KINDS, FormWindow)
    await asyncio.sleep(0.4)
    window.close()
    await stage.screen.ended(panel)
    assert await drafts(stage) == 0
    _, window, _ = await stage.run("handshake", KINDS, FormWindow)
    assert OFFER not in shown(window)


OTHER = script.tool({"ask": form(name=TEXT)})
AGAIN = script.tool({"ask": form(message="Please try again.", name=TEXT, born=BORN)})


async def test_another_form_of_the_server_gets_no_offer(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", OTHER, FormWindow)
    assert OFFER not in shown(window)


async def test_the_same_form_with_other_words_gets_the_offer(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", AGAIN, FormWindow)
    assert OFFER in shown(window)


async def test_used_answers_can_be_changed_and_are_kept_anew(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    press(button(window, "Use them"))
    type_into(find(window, QLineEdit, "Born"), "1815")
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", NAME, FormWindow)
    press(button(window, "Use them"))
    assert [find(window, QLineEdit, name).text() for name in ("Name", "Born")] == ["Ada Lovelace", "1815"]
    assert await drafts(stage) == 1


async def test_what_was_typed_before_the_offer_was_taken_is_not_lost(stage: Stage) -> None:
    """The draft holds a name only; the year was typed into the new window before "Use them"."""
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", NAME, FormWindow)
    type_into(find(window, QLineEdit, "Born"), "1815")
    press(button(window, "Use them"))
    assert [find(window, QLineEdit, name).text() for name in ("Name", "Born")] == ["Ada", "1815"]


SECRET = script.tool(
    {
        "ask": form(
            message="Log in.",
            name=TEXT,
            word={"type": "string", "title": "Password"},
            born=BORN,
        )
    }
)


async def test_a_form_with_only_a_password_typed_leaves_nothing(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", SECRET, FormWindow)
    type_into(find(window, QLineEdit, "Password"), "hunter2")
    await asyncio.sleep(0.4)
    window.close()
    await stage.screen.ended(panel)
    assert await drafts(stage) == 0
    _, window, _ = await stage.run("handshake", SECRET, FormWindow)
    assert OFFER not in shown(window)


async def test_the_offer_is_reached_and_taken_with_the_keyboard(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", NAME, FormWindow)
    fill_in(window)
    window.close()
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("handshake", NAME, FormWindow)
    await activate(window)
    use = button(window, "Use them")
    for _ in range(30):
        if window.focusWidget() is use:
            break
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
    assert window.focusWidget() is use
    QTest.keyClick(use, Qt.Key.Key_Space)
    assert find(window, QLineEdit, "Name").text() == "Ada Lovelace"


LONG = script.tool({"ask": form(**{f"f{n}": {"type": "string", "title": f"Field {n}"} for n in range(1, 101)})})


async def test_a_long_form_gets_its_draft_back_whole(stage: Stage) -> None:
    panel, window, received = await stage.run("handshake", LONG, FormWindow)
    await until(lambda: window.form.complete, "all rows")
    type_into(find(window, QLineEdit, "Field 2"), "early")
    type_into(find(window, QLineEdit, "Field 99"), "late")
    window.close()
    await stage.screen.ended(panel)
    _, window, received = await stage.run("handshake", LONG, FormWindow)
    press(button(window, "Use them"))
    type_into(find(window, QLineEdit, "Field 1"), "new")
    await until(lambda: window.form.complete, "all rows")
    assert find(window, QLineEdit, "Field 99").text() == "late"
    await stage.screen.affirm(window)
    assert await received.reply() == b'{"action":"accept","content":{"f1":"new","f2":"early","f99":"late"}}'
