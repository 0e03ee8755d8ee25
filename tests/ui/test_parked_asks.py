"""What a modern server asked before the program was closed waits under the bell, and its answer still counts."""

import json

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPushButton, QToolButton

from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.frame import AskWindow
from desktop_host.ui.asks.link_window import LinkWindow
from tests.support.windows import (
    all_of,
    button,
    find,
    gone,
    holds,
    name_of,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.runs import Runs, inbox_of, kept, on_disk
from tests.ui.screen import Browser, Json, Received, Screen, hurry
from tests.ui.stage import TEXT, form, link

ADA = {"action": "accept", "content": {"name": "Ada"}}
BEFORE = "From before the restart"
ENDED = "The call of “order” on raw, which waited while the program was closed, has ended."
ORDER: Json = {"order": [{"ask": form("name", name=TEXT), "key": "who?"}]}


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows hear at once; that they do not is tested elsewhere."""
    hurry(monkeypatch)


async def left_waiting(runs: Runs, calls: Json = ORDER, *, stateless: bool = True, typed: str = "") -> Screen:
    """Run the tool "order" with three things, close the program while its form waits, and start it anew."""
    screen = await runs.begin(calls, "modern", stateless=stateless)
    panel = await screen.panel("raw", "order")
    type_into(find(panel, QLineEdit, "Count"), "3")
    press(panel.run_button)
    window = await screen.ask(AskWindow)
    if typed:
        type_into(find(window, QLineEdit, "Name"), typed)
    return await runs.again()


async def waiting(screen: Screen, count: int = 1) -> None:
    """Wait until so many asks are under the bell."""
    await until(lambda: len(screen.window.inbox.waiting) == count, f"{count} asks under the bell")


def calls_of(received: Received) -> list[Json]:
    """What each tools/call carried, without its metadata."""
    found = [message["params"] for message in received.sent("tools/call")]
    return [{name: value for name, value in params.items() if name != "_meta"} for params in found]


def state_of(runs: Runs) -> str:
    """The state that the server gave, as it is kept."""
    [content] = kept("waiting")
    return str(json.loads(content)["requestState"])


async def answer(screen: Screen) -> FormWindow:
    """Press "Answer" under the bell."""
    view = await inbox_of(screen)
    press(all_of(view, QPushButton, "Answer")[0])
    return await screen.ask(FormWindow)


def badge(screen: Screen) -> str:
    """The number at the bell."""
    count = screen.window.bell.findChild(QLabel)
    return count.text() if count.isVisible() else ""


async def test_no_window_opens_by_itself_and_the_bell_counts(runs: Runs) -> None:
    screen = await left_waiting(runs)
    await waiting(screen)
    await holds(lambda: screen.asks() == [], 0.4, "no window")
    assert badge(screen) == "1"
    assert name_of(screen.window.bell) == "Waiting for you: 1"
    assert runs.received.replies() == []
    assert calls_of(runs.received) == [{"name": "order", "arguments": {"count": 3}}]


async def test_it_stands_under_the_bell_with_its_server_and_its_tool(runs: Runs) -> None:
    screen = await left_waiting(runs)
    await waiting(screen)
    view = await inbox_of(screen)
    lines = shown(view).splitlines()
    assert lines.index(BEFORE) < lines.index("Who are you?")
    assert "raw · form · during order" in lines
    assert "1 question" in lines


async def test_its_answer_goes_back_with_the_same_state_and_the_notice_leads_to_the_result(runs: Runs) -> None:
    screen = await left_waiting(runs)
    await waiting(screen)
    state = state_of(runs)
    window = await answer(screen)
    assert "raw asks you to fill in a form" in shown(window)
    assert "order" in shown(window)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await screen.affirm(window)
    reply = await runs.received.reply()
    assert reply == b'{"who?":{"action":"accept","content":{"name":"Ada"}}}'
    await until(lambda: gone(window), "the window to close")
    assert calls_of(runs.received) == [
        {"name": "order", "arguments": {"count": 3}},
        {"name": "order", "arguments": {"count": 3}, "requestState": state, "inputResponses": {"who?": ADA}},
    ]
    await until(lambda: ENDED in screen.window.notices.texts(), "the notice")
    assert ENDED in shown(screen.window)
    assert badge(screen) == ""
    assert kept("waiting") == []
    screen.window.show_page(4)
    press(button(screen.window.notices, "Show"))
    panel = await screen.panel("raw", "order")
    assert panel.isVisible()
    assert json.dumps([ADA]) in shown(panel.result)
    assert screen.window.notices.texts() == []


async def test_show_brings_the_page_and_the_tool_to_the_front(runs: Runs) -> None:
    screen = await left_waiting(runs, {"first": [{"result": {"content": []}}], **ORDER})
    await waiting(screen)
    press(find(screen.window, QToolButton, "Settings"))
    window = await answer(screen)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await screen.affirm(window)
    await until(lambda: all_of(screen.window.notices, QAbstractButton, "Show"), "the notice")
    press(button(screen.window.notices, "Show"))
    assert screen.window.servers.isVisible()
    await until(lambda: json.dumps([ADA]) in shown(screen.window), "the result")
    assert find(screen.window, QToolButton, "Servers").isChecked()


async def test_the_notice_can_be_put_away(runs: Runs) -> None:
    screen = await left_waiting(runs)
    await waiting(screen)
    window = await answer(screen)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await screen.affirm(window)
    await until(lambda: screen.window.notices.texts(), "the notice")
    press(button(screen.window.notices, "Put away"))
    assert not screen.window.notices.isVisible()


async def test_what_was_typed_before_the_restart_is_offered(runs: Runs) -> None:
    screen = await left_waiting(runs, typed="Ada Love")
    await waiting(screen)
    window = await answer(screen)
    assert find(window, QLineEdit, "Name").text() == ""
    press(button(window, "Use them"))
    assert find(window, QLineEdit, "Name").text() == "Ada Love"


async def test_a_question_that_waits_may_wait_through_another_restart(runs: Runs) -> None:
    await left_waiting(runs)
    screen = await runs.again()
    await waiting(screen)
    window = await answer(screen)
    await runs.close()
    assert gone(window)
    screen = await runs.again()
    await waiting(screen)
    await holds(lambda: screen.asks() == [], 0.2, "no window")
    window = await answer(screen)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await screen.affirm(window)
    assert await runs.received.reply() == b'{"who?":{"action":"accept","content":{"name":"Ada"}}}'
    assert len(runs.received.replies()) == 1


@pytest.mark.parametrize(
    ("way", "outcome"),
    [
        ("Decline", b'{"who?":{"action":"decline"}}'),
        ("Cancel", b'{"who?":{"action":"cancel"}}'),
        ("Stop the whole call", b""),
    ],
)
async def test_it_can_be_refused_as_any_other(runs: Runs, way: str, outcome: bytes) -> None:
    screen = await left_waiting(runs)
    await waiting(screen)
    window = await answer(screen)
    press(button(window, way))
    await until(lambda: gone(window) and not screen.window.inbox.waiting, "the question to be over")
    await until(lambda: kept("waiting") == [], "nothing to wait any more")
    if outcome:
        assert await runs.received.reply() == outcome
    else:
        await until(lambda: screen.window.notices.texts(), "the notice")
        assert runs.received.replies() == []
    await runs.again()
    assert runs.screen.window.inbox.waiting == []


async def test_a_new_question_opens_while_an_old_one_waits(runs: Runs) -> None:
    """What waits from before stands behind in the list, and does not keep its server's new questions from opening."""
    await left_waiting(runs, {**ORDER, "new": [{"ask": form(message="And now?", name=TEXT)}]})
    screen = runs.screen
    await waiting(screen)
    await screen.run("raw", "new")
    window = await screen.ask(FormWindow)
    assert "And now?" in shown(window)
    view = await inbox_of(screen)
    lines = shown(view).splitlines()
    assert lines.index("And now?") < lines.index(BEFORE) < lines.index("Who are you?")
    assert "2 questions" in lines
    assert shown(view).count(BEFORE) == 1
    view.close()
    press(window.decline)
    await until(lambda: gone(window), "the window to close")
    await holds(lambda: screen.asks() == [], 0.3, "the old one does not come by itself")
    assert badge(screen) == "1"


TWO: Json = {"order": [{"asks": {"a": form(message="First?", name=TEXT), "b": form(message="Second?", name=TEXT)}}]}


async def test_both_questions_of_a_round_wait_under_one_heading(runs: Runs) -> None:
    screen = await left_waiting(runs, TWO)
    await waiting(screen, 2)
    assert badge(screen) == "2"
    view = await inbox_of(screen)
    assert shown(view).count(BEFORE) == 1
    assert len(all_of(view, QPushButton, "Answer")) == 2
    press(all_of(view, QPushButton, "Answer")[1])
    window = await screen.ask(FormWindow)
    assert "Second?" in shown(window)
    assert "2 of 2" in shown(window)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await screen.affirm(window)
    await until(lambda: gone(window), "the window to close")
    await holds(lambda: screen.asks() == [], 0.2, "the other does not open by itself")
    assert runs.received.replies() == []
    window = await answer(screen)
    assert "First?" in shown(window)
    await screen.affirm(window)
    assert (
        await runs.received.reply()
        == b'{"a":{"action":"accept","content":{}},"b":{"action":"accept","content":{"name":"Ada"}}}'
    )


async def test_a_link_that_waited_opens_no_browser_by_itself(runs: Runs, browser: Browser) -> None:
    await left_waiting(runs, {"order": [{"ask": link("https://example.org/login")}]})
    screen = runs.screen
    await waiting(screen)
    await holds(lambda: not browser.opened and not screen.asks(), 0.3, "nothing opens")
    view = await inbox_of(screen)
    assert "raw · link · during order" in shown(view)
    press(button(view, "Answer"))
    window = await screen.ask(LinkWindow)
    assert browser.opened == []
    await screen.affirm(window)
    assert browser.opened == ["https://example.org/login"]
    await until(lambda: window.affirm.text() == "Continue", "the window to wait")
    await screen.affirm(window)
    assert await runs.received.reply() == b'{"ask1":{"action":"accept"}}'


async def test_a_password_that_was_typed_is_gone(runs: Runs) -> None:
    secret = {"type": "string", "title": "Password"}
    screen = await runs.begin({"order": [{"ask": form(name=TEXT, word=secret)}]}, "modern", stateless=True)
    _, window = await runs.form("order")
    type_into(find(window, QLineEdit, "Password"), "hunter2")
    screen = await runs.again()
    await waiting(screen)
    window = await answer(screen)
    assert find(window, QLineEdit, "Password").text() == ""
    assert on_disk("hunter2") == []


async def test_a_handshake_server_is_answered_when_the_program_ends_and_nothing_waits(runs: Runs) -> None:
    await runs.begin(ORDER)
    await runs.form("order")
    screen = await runs.again()
    await holds(lambda: not screen.window.inbox.waiting and badge(screen) == "", 0.3, "nothing waits")
    assert runs.received.replies() == [b'{"action":"cancel"}']
    assert kept("waiting") == []


# a server that does not go on

REFUSED = "The call waited while the program was closed, and the server did not go on with it."


async def refused(runs: Runs) -> Screen:
    """Answer a question whose server forgot it when it was started anew."""
    screen = await left_waiting(runs, stateless=False)
    await waiting(screen)
    window = await answer(screen)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await screen.affirm(window)
    await until(lambda: ENDED in screen.window.notices.texts(), "the notice")
    press(button(screen.window.notices, "Show"))
    return screen


async def test_start_over_calls_the_tool_again_with_the_same_arguments(runs: Runs) -> None:
    screen = await refused(runs)
    panel = await screen.panel("raw", "order")
    text = await screen.ended(panel)
    assert "Failed" in text
    assert REFUSED in text
    assert find(panel, QLineEdit, "Count").text() == "", "a new form"
    press(button(panel.result, "Start over"))
    window = await screen.ask(FormWindow)
    assert not screen.window.inbox.waiting[0].ask.parked
    assert calls_of(runs.received)[-1] == {"name": "order", "arguments": {"count": 3}}
    assert len(runs.received.sent("tools/call")) == 3
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await screen.affirm(window)
    await until(lambda: len(runs.received.replies()) == 2, "the second answer")
    assert json.dumps([ADA]) in await screen.ended(panel)
    assert not all_of(panel.result, QPushButton, "Start over")


async def test_an_ordinary_failed_call_has_no_start_over(runs: Runs) -> None:
    screen = await runs.begin({"order": [{"error": {"code": -32000, "message": "no"}}]}, "modern")
    panel = await screen.run("raw", "order")
    assert "Failed" in await screen.ended(panel)
    assert not all_of(panel.result, QPushButton, "Start over")
    assert screen.window.notices.texts() == []


# settings


def kept_lines(screen: Screen) -> list[str]:
    """What the Settings page counts."""
    return [line for line in shown(screen.window.settings).splitlines() if line.startswith(("Drafts of", "Waiting q"))]


def clear(screen: Screen, number: int) -> None:
    """Press one of the two buttons that clear."""
    press(button(screen.window.settings, ("Clear the drafts", "Clear the questions")[number]))


async def test_settings_count_what_is_kept_and_clear_it(runs: Runs) -> None:
    screen = await left_waiting(runs, typed="Ada Love")
    await waiting(screen)
    press(find(screen.window, QToolButton, "Settings"))
    await until(
        lambda: kept_lines(screen) == ["Drafts of forms: 1", "Waiting questions: 1"], f"both, not {kept_lines(screen)}"
    )
    clear(screen, 0)
    await until(lambda: kept_lines(screen) == ["Drafts of forms: 0", "Waiting questions: 1"], "no drafts")
    assert kept("drafts") == []
    assert len(kept("waiting")) == 1
    clear(screen, 1)
    await until(lambda: kept_lines(screen) == ["Drafts of forms: 0", "Waiting questions: 0"], "nothing")
    assert kept("waiting") == []
    assert on_disk("Ada Love") == []


async def test_what_is_cleared_does_not_come_back_but_can_still_be_answered_now(runs: Runs) -> None:
    screen = await left_waiting(runs)
    await waiting(screen)
    press(find(screen.window, QToolButton, "Settings"))
    await until(lambda: "Waiting questions: 1" in kept_lines(screen), "the count")
    clear(screen, 1)
    await until(lambda: "Waiting questions: 0" in kept_lines(screen), "nothing")
    assert badge(screen) == "1"
    screen = await runs.again()
    await holds(lambda: screen.window.inbox.waiting == [] and not screen.asks(), 0.3, "nothing comes back")


async def test_the_count_is_fresh_each_time_the_page_is_shown(runs: Runs) -> None:
    screen = await runs.begin({"order": [{"ask": form(name=TEXT)}]}, "modern")
    press(find(screen.window, QToolButton, "Settings"))
    await until(lambda: kept_lines(screen) == ["Drafts of forms: 0", "Waiting questions: 0"], "nothing")
    _, window = await runs.form("order")
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await until(lambda: kept("drafts"), "the draft")
    press(find(screen.window, QToolButton, "Settings"))
    await until(lambda: kept_lines(screen) == ["Drafts of forms: 1", "Waiting questions: 1"], "both")
