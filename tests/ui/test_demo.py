"""Each tool of the bundled demo, run and answered at the windows, in both eras, with the real engine and servers."""

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QTableView,
    QToolButton,
)

from desktop_host.demo.stories import flights
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.frame import AskWindow
from desktop_host.ui.asks.link_window import LinkWindow
from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.asks.sampling_window import SamplingWindow
from desktop_host.ui.inbox import InboxView
from desktop_host.ui.pages.tool_panel import ToolPanel
from tests.support.browser import connections_to
from tests.support.windows import all_of, button, find, gone, holds, pick, press, shown, type_into, until
from tests.ui.screen import (
    HURRIED_SECONDS,
    WAYS_TO_GIVE_UP,
    Browser,
    Screen,
    answer_field,
    by_hand,
    hurry,
    open_screen,
)

HANDSHAKE, MODERN = "Travel planner", "Travel planner online"
BOTH = pytest.mark.parametrize("server", [HANDSHAKE, MODERN])
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def demo(application: QApplication, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Screen]:
    """The program with the demo running; one for all tests here, since its servers take a second to start."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("config", "data"):
            patch.setenv(f"DESKTOP_HOST_{name.upper()}_DIR", str(tmp_path_factory.mktemp(name)))
        hurry(patch)
        opened = await open_screen(application, demo=True)
        opened.deaf = HURRIED_SECONDS
        await opened.server(HANDSHAKE)
        await opened.server(MODERN)
        await opened.program.bridge.ask(lambda engine: engine.host.warm_up())
        yield opened
        await opened.close()


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def calm(demo: Screen) -> AsyncIterator[None]:
    """No test leaves an ask or a call to the next."""
    yield
    await demo.calm()


async def last_record(demo: Screen, tool: str) -> dict[str, object]:
    """The newest entry of the audit log for a tool."""
    return next(entry for entry in await demo.audit() if entry["tool"] == tool)


# forms


async def _to_the_booking(demo: Screen, server: str, city: str = "Barcelona") -> tuple[ToolPanel, FormWindow]:
    panel = await demo.panel(server, "book_trip")
    type_into(find(panel, QLineEdit, "City"), city)
    press(panel.run_button)
    return panel, await demo.ask(FormWindow, server)


@BOTH
async def test_a_form_is_accepted_with_what_was_typed(demo: Screen, server: str) -> None:
    panel, booking = await _to_the_booking(demo, server, "Rome")
    text = shown(booking)
    assert f"{server} asks you to fill in a form" in text
    assert "Please confirm your Rome vacation" in text
    assert "while running" in text
    assert "book_trip" in text
    assert '{"city": "Rome"}' in text
    press(find(booking, QCheckBox, "Confirm the booking"))
    pick(booking, "Seat preference", "Aisle")
    pick(booking, "Room type", "Sea view")
    assert (
        '{"action": "accept", "content": {"confirm": true, "seat": "aisle", "room": "sea view", "insurance": false}}'
        in shown(booking)
    )
    await demo.affirm(booking)
    traveller = await demo.after(booking, FormWindow)
    type_into(find(traveller, QLineEdit, "Full name"), "Maria Lopez")
    type_into(find(traveller, QLineEdit, "E-mail for the tickets"), "maria@example.org")
    await demo.affirm(traveller)
    result = await demo.ended(panel)
    assert "Done" in result
    assert (
        "Booked: Rome for Maria Lopez, 2027-06-15 to 2027-06-22 with aisle, sea view. "
        "Tickets go to maria@example.org." in result
    )
    await until(lambda: gone(traveller), "the window to close")


@BOTH
async def test_what_the_server_suggests_can_be_edited(demo: Screen, server: str) -> None:
    await demo.program.bridge.ask(lambda engine: engine.change_settings({"record.values": "yes"}))
    panel, booking = await _to_the_booking(demo, server)
    press(find(booking, QCheckBox, "Confirm the booking"))
    press(find(booking, QCheckBox, "Travel insurance"))
    await demo.affirm(booking)
    traveller = await demo.after(booking, FormWindow)
    type_into(find(traveller, QLineEdit, "Full name"), "M")
    type_into(find(traveller, QLineEdit, "Full name"), "Maria Lopez")
    type_into(find(traveller, QLineEdit, "E-mail for the tickets"), "maria@example.org")
    type_into(find(traveller, QLineEdit, "Arrival"), "2027-06-16")
    type_into(find(traveller, QLineEdit, "Departure"), "")
    type_into(find(traveller, QLineEdit, "Travellers"), "4")
    type_into(find(traveller, QLineEdit, "Budget for extras"), "12.50")
    await demo.affirm(traveller)
    result = await demo.ended(panel)
    assert "Booked: Barcelona for Maria Lopez, 2027-06-16 to None with insurance." in result
    record = await last_record(demo, "book_trip")
    assert record["answer"] == {
        "action": "accept",
        "content": {
            "name": "Maria Lopez",
            "email": "maria@example.org",
            "arrival": "2027-06-16",
            "travellers": 4,
            "budget": 12.5,
        },
    }


@BOTH
async def test_a_form_is_declined(demo: Screen, server: str) -> None:
    panel, window = await _to_the_booking(demo, server)
    press(window.decline)
    assert "You declined. Nothing was booked for Barcelona." in await demo.ended(panel)
    assert gone(window)


@BOTH
async def test_a_reason_to_decline_is_kept_here_and_not_sent(demo: Screen, server: str) -> None:
    panel, window = await _to_the_booking(demo, server)
    choices = {action.text(): action for action in window.decline.menu().actions()}
    choices["Decline with a reason…"].trigger()
    field = find(window, QLineEdit, "Reason")
    QTest.keyClicks(field, "too expensive for us")
    QTest.keyClick(field, Qt.Key.Key_Return)
    result = await demo.ended(panel)
    assert "You declined." in result
    assert "expensive" not in json.dumps((await demo.call(panel)).result)
    record = await last_record(demo, "book_trip")
    assert record["outcome"] == "decline"
    assert record["reason"] == "too expensive for us"
    assert record["answer"] == {"action": "decline"}


@BOTH
@pytest.mark.parametrize("give_up", WAYS_TO_GIVE_UP)
async def test_closing_a_form_in_any_way_is_cancel(
    demo: Screen, server: str, give_up: Callable[[AskWindow], Awaitable[None]]
) -> None:
    panel, window = await _to_the_booking(demo, server)
    press(find(window, QCheckBox, "Confirm the booking"))
    await give_up(window)
    assert "Not confirmed. The Barcelona offer is kept for you" in await demo.ended(panel)
    record = await last_record(demo, "book_trip")
    assert record["outcome"] == "cancel"
    assert record["answer"] == {"action": "cancel"}


@BOTH
async def test_the_whole_call_is_stopped_from_its_form(demo: Screen, server: str) -> None:
    panel, window = await _to_the_booking(demo, server)
    press(button(window, "Stop the whole call"))
    result = await demo.ended(panel)
    if server == MODERN:
        assert "Given up" in result
        assert "You stopped the whole call." in result
    else:  # the server hears cancel first, and this one is quick enough to say something to that
        assert "Cancelled" in result or "nothing was booked" in result
    assert (await last_record(demo, "book_trip"))["outcome"] == "stop"


# a language model


async def _to_the_request(demo: Screen, server: str) -> SamplingWindow:
    await demo.run(server, "find_best_flight")
    return await demo.ask(SamplingWindow, server)


@BOTH
async def test_a_model_request_is_edited_and_answered_by_the_person(demo: Screen, server: str) -> None:
    panel = await demo.run(server, "find_best_flight")
    await until(lambda: "Comparing fares" in shown(panel), "the progress")
    window = await demo.ask(SamplingWindow, server)
    assert "Nothing has been sent to a model yet" in shown(window)
    assert "The server wants 300" in shown(window)
    prompt = find(window, QPlainTextEdit, "System prompt")
    assert prompt.toPlainText().startswith("You are a travel expert")
    type_into(prompt, "Be brief.")
    type_into(find(window, QPlainTextEdit, "1 User"), "Which flight is cheapest?")
    type_into(find(window, QSpinBox, "Longest answer"), "120")
    by_hand(window)
    assert "Edited" in shown(window)
    assert "Write the answer" in shown(window)
    await demo.affirm(window)
    answer = await answer_field(window)
    assert "The server has not seen this answer yet" in shown(window)
    assert not window.affirm.isEnabled()
    press(button(window, "Back to the request"))
    await until(lambda: all_of(window, QPlainTextEdit, "System prompt"), "step one")
    assert find(window, QPlainTextEdit, "System prompt").toPlainText() == "Be brief."
    assert find(window, QPlainTextEdit, "1 User").toPlainText() == "Which flight is cheapest?"
    press(window.affirm)
    assert await answer_field(window) is answer
    type_into(answer, "FR 1415, it is the cheapest.")
    assert '"text": "FR 1415, it is the cheapest."' in shown(window)
    press(window.affirm)
    result = await demo.ended(panel)
    assert "matches its schema" in result
    table = find(panel.result, QTableView)
    assert table.model().rowCount() == len(flights()) == 47
    press(button(panel.result, "Text"))
    assert "Recommended by you: FR 1415, it is the cheapest." in shown(panel.result)
    record = await last_record(demo, "find_best_flight")
    assert record["edits"] == ["systemPrompt", "messages", "maxTokens"]
    assert record["answer"] == {
        "role": "assistant",
        "content": {"type": "text", "text": "FR 1415, it is the cheapest."},
        "model": "you",
        "stopReason": "endTurn",
    }


@pytest.mark.parametrize(
    ("server", "verdict"),
    [
        (HANDSHAKE, "No recommendation: User rejected sampling request"),
        (MODERN, "The call was given up because you declined one of its questions."),
    ],
)
async def test_a_model_request_is_declined(demo: Screen, server: str, verdict: str) -> None:
    window = await _to_the_request(demo, server)
    panel = await demo.panel(server, "find_best_flight")
    press(window.decline)
    await demo.ended(panel)
    for one in all_of(panel.result, QPushButton, "Text"):
        press(one)
    assert verdict in shown(panel.result)
    assert (await last_record(demo, "find_best_flight"))["answer"] in (
        None,
        {"error": {"code": -1, "message": "User rejected sampling request"}},
    )


@BOTH
async def test_a_call_is_stopped_from_the_second_step_of_its_model_request(demo: Screen, server: str) -> None:
    window = await _to_the_request(demo, server)
    panel = await demo.panel(server, "find_best_flight")
    by_hand(window)
    await demo.affirm(window)
    await answer_field(window)
    press(button(window, "Stop the whole call"))
    result = await demo.ended(panel)
    if server == MODERN:
        assert "You stopped the whole call." in result
    assert (await last_record(demo, "find_best_flight"))["outcome"] == "stop"


# links


def _submit(url: str) -> None:
    """Complete the airline's page as a browser does."""
    with urllib.request.urlopen(url, data=b"n=SA+4711+0815", timeout=10) as answer:
        assert b"Connected" in answer.read()


async def _to_the_link(demo: Screen, server: str) -> tuple[LinkWindow, str]:
    await demo.run(server, "connect_airline")
    window = await demo.ask(LinkWindow, server)
    return window, str(window.ask.params["url"])


@BOTH
async def test_no_request_reaches_the_page_before_consent(demo: Screen, server: str, browser: Browser) -> None:
    before: set[str] = set()
    window, url = await _to_the_link(demo, server)
    port = int(url.split(":")[2].split("/")[0])
    before = connections_to(port)
    assert url in shown(window)
    await holds(lambda: not browser.opened and not connections_to(port) - before, 0.7, "no request")
    press(window.affirm)
    assert browser.opened == [url]
    assert not connections_to(port) - before, "the program itself never loads the page"
    await asyncio.to_thread(_submit, url)
    assert connections_to(port) - before, "a request would have been seen"


async def test_a_link_of_the_handshake_era_closes_when_the_page_is_done(demo: Screen, browser: Browser) -> None:
    window, url = await _to_the_link(demo, HANDSHAKE)
    panel = await demo.panel(HANDSHAKE, "connect_airline")
    await demo.affirm(window)
    assert browser.opened == [url]
    assert "Finish in your browser. This window closes when the server says that you are done." in shown(window)
    await holds(lambda: not gone(window) and not panel.run_button.isEnabled(), 0.3, "the window waits for the page")
    await asyncio.to_thread(_submit, url)
    await until(lambda: gone(window), "the window to close")
    assert "Your airline account is connected." in await demo.ended(panel)
    assert browser.opened == [url]


async def test_a_link_of_the_modern_era_goes_on_with_continue(demo: Screen, browser: Browser) -> None:
    window, url = await _to_the_link(demo, MODERN)
    panel = await demo.panel(MODERN, "connect_airline")
    await demo.affirm(window)
    assert "Finish in your browser, then continue here." in shown(window)
    assert window.affirm.text() == "Continue"
    press(button(window, "Open again"))
    assert browser.opened == [url, url]
    await asyncio.to_thread(_submit, url)
    await holds(lambda: not panel.run_button.isEnabled(), 0.3, "nothing is told to the server before Continue")
    press(window.affirm)
    assert "Your airline account is connected." in await demo.ended(panel)
    await until(lambda: gone(window), "the window to close")
    assert browser.opened == [url, url]


@BOTH
async def test_a_link_is_declined_without_opening(demo: Screen, server: str, browser: Browser) -> None:
    window, _ = await _to_the_link(demo, server)
    panel = await demo.panel(server, "connect_airline")
    press(window.decline)
    assert "Your airline account is not connected (decline)." in await demo.ended(panel)
    assert browser.opened == []


# folders


@BOTH
async def test_only_the_ticked_folders_are_told(demo: Screen, server: str, tmp_path: Path) -> None:
    for name in ("Work", "Private"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name} file.txt").write_text(name)
        demo.window.workspace.add_folder(str(tmp_path / name))
    added = {str(tmp_path / "Work"), str(tmp_path / "Private")}
    await until(lambda: added <= {root.path for root in demo.roots}, "the folders to be known")
    panel = await demo.run(server, "list_trip_documents")
    window = await demo.ask(RootsWindow, server)
    ticked = {name: find(window, QCheckBox, name).isChecked() for name in ("Barcelona trip", "Work", "Private")}
    assert ticked == {"Barcelona trip": True, "Work": False, "Private": False}
    press(find(window, QCheckBox, "Work"))
    press(find(window, QCheckBox, "Barcelona trip"))
    assert "Private" not in window_review(window)
    await demo.affirm(window)
    result = await demo.ended(panel)
    assert "Work file.txt" in result
    assert "Barcelona" not in result
    assert "Private" not in result
    for root in [root for root in demo.roots if root.path in added]:
        await demo.program.bridge.ask(lambda engine, uri=root.uri: engine.remove_root(uri))


def window_review(window: AskWindow) -> str:
    """What a window says it will send."""
    return find(window, QPlainTextEdit, "JSON").toPlainText()


@BOTH
async def test_no_folder_at_all_can_be_told(demo: Screen, server: str) -> None:
    panel = await demo.run(server, "list_trip_documents")
    window = await demo.ask(RootsWindow, server)
    press(find(window, QCheckBox, "Barcelona trip"))
    assert window_review(window) == '{"roots": []}'
    await demo.affirm(window)
    assert "No folder is shared with me." in await demo.ended(panel)


# everything at once


async def test_closing_all_windows_opens_none_of_those_that_wait(demo: Screen) -> None:
    await demo.run(MODERN, "plan_everything")
    await until(lambda: len(demo.window.inbox.waiting) == 3, "all three asks")
    await until(lambda: demo.asks(server=MODERN), "the first window")
    demo.window.inbox.put_all_aside()
    await holds(lambda: not demo.asks(), 0.3, "no window")


async def test_several_asks_take_turns_in_front_and_wait_in_the_inbox(demo: Screen) -> None:
    bell = demo.window.bell
    panels = [await demo.run(server, "plan_everything") for server in (HANDSHAKE, MODERN)]
    await until(lambda: len(demo.window.inbox.waiting) == 6, "all six asks")
    await holds(lambda: len(demo.asks(server=HANDSHAKE)) == len(demo.asks(server=MODERN)) == 1, 0.3, "one each")
    assert find(bell, QLabel).text() == "6"
    assert "6" in bell.accessibleName()
    assert demo.servers[HANDSHAKE].asks_waiting == demo.servers[MODERN].asks_waiting == 3
    press(bell)
    inbox = await until(
        lambda: next((w for w in QApplication.topLevelWidgets() if isinstance(w, InboxView) and w.isVisible()), None)
    )
    rows = shown(inbox)
    assert "6 questions" in rows
    for line in (
        "Please confirm your Barcelona vacation",
        "A request to a language model",
        "Which folders may it know?",
    ):
        assert rows.count(line) == 2
    for server in (HANDSHAKE, MODERN):
        assert rows.count(f"{server} · ") == 3
    answers = all_of(inbox, QPushButton, "Answer")
    assert len(answers) == 6
    filled = [one for one in answers if one.property("role") == "primary"]
    assert len(filled) == 1
    inbox.hide()
    for panel, server in zip(panels, (HANDSHAKE, MODERN), strict=True):
        await _answer_everything(demo, server)
        await demo.panel(server, "plan_everything")
        result = await demo.ended(panel)
        assert "Booking: decline" in result
        assert "Flight: The 7 o'clock one" in result
        assert "Folders: Barcelona trip" in result
    assert not all_of(bell, QLabel), "no count where nothing waits"


async def _answer_everything(demo: Screen, server: str) -> None:
    for _ in range(3):
        window = await demo.ask(AskWindow, server)
        if isinstance(window, FormWindow):
            press(window.decline)
        elif isinstance(window, RootsWindow):
            await demo.affirm(window)
        elif isinstance(window, SamplingWindow):
            by_hand(window)
            await demo.affirm(window)
            type_into(await answer_field(window), "The 7 o'clock one")
            press(window.affirm)
        await until(lambda shown=window: gone(shown), "the window to close")


# and last, since the folder is gone then


async def test_the_folder_of_the_demo_can_be_taken_back(demo: Screen) -> None:
    """What its card offers must work: a box that cannot be changed is disabled, a button that does nothing is not there."""
    page = demo.window.workspace
    press(find(demo.window, QToolButton, "Workspace"))
    await until(lambda: len(all_of(page, QCheckBox, HANDSHAKE)) == 1, "the card of the one folder")
    if find(page, QCheckBox, HANDSHAKE).isEnabled():
        press(find(page, QCheckBox, HANDSHAKE))
        await until(lambda: HANDSHAKE not in demo.roots[0].shared_with, "the folder to be offered no longer", 2)
        await asyncio.sleep(0.05)
        press(find(page, QCheckBox, HANDSHAKE))
        await until(lambda: HANDSHAKE in demo.roots[0].shared_with, "the folder to be offered again", 2)
        await asyncio.sleep(0.05)
    for remove in all_of(page, QToolButton, "Remove Barcelona trip from the workspace"):
        press(remove)
        await until(lambda: not demo.roots, "the folder to go", 2)
