"""What never got a window, and what the person should know of a call: said above the page and in the call's result."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QPushButton, QToolButton, QWidget

from desktop_host.asks.limits import MAX_FIELDS, Bounds
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.pages.tool_panel import ToolPanel
from tests.support.windows import all_of, button, find, gone, markup_in, press, shown, until
from tests.ui.screen import Json, Screen, Start, hurry
from tests.ui.stage import TEXT, form, link

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
BAD = link("http://example.org/")
NOT_HTTPS = "From raw: The server sent a link that is not encrypted. It was refused."
TOO_MANY = "From raw: Too many questions of raw are waiting, so one more was refused."
TOO_OFTEN = f"From raw: raw asked more than {Bounds().per_minute} times in a minute, so its question was refused."
REFUSED: dict[str, tuple[Json, str]] = {
    "not https": (BAD, "The server sent a link that is not encrypted. It was refused."),
    "too long": (link("https://example.org/" + "x" * 8192), "The server sent a link that is too long. It was refused."),
    "scheme": (link("javascript:alert(1)"), "The server sent a link that is no web address. It was refused."),
    "no address": (link("https://"), "The server sent a link that is no valid web address. It was refused."),
    "message": (
        form(message="x" * (Bounds().message_kilobytes * 1024 + 1), name=TEXT),
        f"A question longer than {Bounds().message_kilobytes} KB was refused.",
    ),
    "fields": (
        form(**{f"f{n}": {"type": "string"} for n in range(MAX_FIELDS + 1)}),
        f"A form with more than {MAX_FIELDS} fields was refused.",
    ),
}


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows hear at once; that they do not is tested elsewhere."""
    hurry(monkeypatch)


def told(screen: Screen) -> list[str]:
    """The lines above the page, as they are seen."""
    notices = screen.window.notices
    if not notices.isVisible():
        return []
    return [line for line in shown(notices).splitlines() if line not in ("Show", "Put away", "")]


async def say(screen: Screen, *lines: str) -> None:
    """Wait until these lines are above the page, and no others."""
    await until(lambda: told(screen) == list(lines), f"{lines}, there is {told(screen)}")


@BOTH
async def test_a_refused_ask_is_told_with_its_server_and_its_reason(start: Start, era: str) -> None:
    screen, received = await start({name: [{"ask": ask}] for name, (ask, _) in REFUSED.items()}, era)
    for name, (_, why) in REFUSED.items():
        text = await screen.ended(await screen.run("raw", name))
        await until(lambda why=why: f"From raw: {why}" in told(screen), why)
        assert why in text, "the call's own result says it too"
    assert screen.asks() == []
    if era == "handshake":
        assert [reply[:14] for reply in received.replies()] == [b'{"code":-32602'] * len(REFUSED)
    else:
        assert received.replies() == [], "a modern server is told nothing"


async def test_the_fifth_question_that_waits_is_refused_and_told(start: Start) -> None:
    asks = {f"a{n}": form(message=f"Question {n}?", name=TEXT) for n in range(Bounds().waiting + 1)}
    screen, received = await start({"tool": [{"asks": asks}]})
    await screen.run("raw", "tool")
    await say(screen, TOO_MANY)
    await until(lambda: len(screen.window.inbox.waiting) == Bounds().waiting, "the others to wait")
    assert received.replies() == [b'{"code":-32603,"message":"Too many requests are waiting"}']
    window = await screen.ask(FormWindow)
    press(window.decline)
    assert await received.reply(2) == b'{"action":"decline"}'
    await until(lambda: gone(window), "the window to close")
    assert told(screen) == [TOO_MANY], "it stays until it is put away"


async def test_many_refusals_for_one_reason_are_one_line(start: Start) -> None:
    asks = {f"a{n}": form(message=f"Question {n}?", name=TEXT) for n in range(Bounds().waiting + 8)}
    screen, received = await start({"tool": [{"asks": asks}]})
    await screen.run("raw", "tool")
    await until(lambda: len(received.replies()) == 8, "eight refusals")
    await say(screen, TOO_MANY)
    assert len(all_of(screen.window.notices, QToolButton, "Put away")) == 1


async def test_a_server_that_asks_too_often_is_told_of(start: Start) -> None:
    screen, received = await start({"tool": [{"ask": BAD}, {"repeat": Bounds().per_minute + 1}]})
    panel = await screen.run("raw", "tool")
    await screen.ended(panel)
    assert len(received.replies()) == Bounds().per_minute + 2
    await say(screen, NOT_HTTPS, TOO_OFTEN)
    assert received.replies()[-1] == b'{"code":-32603,"message":"Too many requests in a minute"}'


async def test_at_most_four_lines_stand_and_the_newest_stay(start: Start) -> None:
    screen, _ = await start({f"tool{n}": [{"ask": ask}] for n, (ask, _) in enumerate(REFUSED.values())})
    whole = screen.window.height()
    for number in range(len(REFUSED)):
        await screen.ended(await screen.run("raw", f"tool{number}"))
    await say(screen, *[f"From raw: {why}" for _, why in list(REFUSED.values())[-4:]])
    assert screen.window.height() == whole
    assert screen.window.pages.height() > 300, "there is still room for the page"


async def test_a_line_that_comes_again_is_the_newest(start: Start) -> None:
    screen, _ = await start({"a": [{"ask": BAD}], "b": [{"ask": REFUSED["scheme"][0]}]})
    for tool in ("a", "b", "a"):
        await screen.ended(await screen.run("raw", tool))
    await say(screen, f"From raw: {REFUSED['scheme'][1]}", NOT_HTTPS)


async def test_a_line_is_put_away_and_comes_back_when_it_happens_again(start: Start) -> None:
    screen, _ = await start({"a": [{"ask": BAD}], "b": [{"ask": REFUSED["scheme"][0]}]})
    await screen.ended(await screen.run("raw", "a"))
    await screen.ended(await screen.run("raw", "b"))
    await until(lambda: len(told(screen)) == 2, "both lines")
    press(all_of(screen.window.notices, QToolButton, "Put away")[0])
    await say(screen, f"From raw: {REFUSED['scheme'][1]}")
    press(button(screen.window.notices, "Put away"))
    await say(screen)
    assert not screen.window.notices.isVisible(), "it leaves no gap"
    await screen.ended(await screen.run("raw", "a"))
    await say(screen, NOT_HTTPS)


async def test_a_line_is_put_away_with_the_keyboard(start: Start) -> None:
    screen, _ = await start({"a": [{"ask": BAD}]})
    await screen.ended(await screen.run("raw", "a"))
    await say(screen, NOT_HTTPS)
    away = button(screen.window.notices, "Put away")
    assert away.focusPolicy() & Qt.FocusPolicy.TabFocus
    away.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(away, Qt.Key.Key_Space)
    await say(screen)


async def test_the_lines_stay_while_the_person_goes_to_other_pages(start: Start) -> None:
    screen, _ = await start({"a": [{"ask": BAD}]})
    await screen.ended(await screen.run("raw", "a"))
    for page in ("Workspace", "Settings", "Servers"):
        press(find(screen.window, QToolButton, page))
        await say(screen, NOT_HTTPS)
    screen.window.resize(screen.window.minimumSize())
    await say(screen, NOT_HTTPS)
    line = next(one for one in screen.window.notices.findChildren(QWidget) if one.property("role") == "notice")
    assert line.width() <= screen.window.width()
    assert line.accessibleName() == NOT_HTTPS


async def test_an_ask_that_got_its_window_is_no_line(start: Start) -> None:
    screen, _ = await start({"tool": [{"ask": form(name=TEXT)}]})
    for way in ("Decline", "Cancel", "Stop the whole call"):
        panel = await screen.run("raw", "tool")
        window = await screen.ask(FormWindow)
        press(button(window, way))
        await screen.ended(panel)
    assert told(screen) == []


# what a call's result says


async def declined_because(screen: Screen, tool: str, reason: str) -> tuple[ToolPanel, str]:
    """Decline a tool's form with a reason; the panel, and what its result says."""
    panel = await screen.run("raw", tool)
    window = await screen.ask(FormWindow)
    next(one for one in window.decline.menu().actions() if "reason" in one.text()).trigger()
    field = find(window, QLineEdit, "Reason")
    QTest.keyClicks(field, reason)
    QTest.keyClick(field, Qt.Key.Key_Return)
    return panel, await screen.ended(panel)


@BOTH
async def test_the_reason_to_decline_stands_in_the_calls_result_and_is_not_sent(start: Start, era: str) -> None:
    screen, received = await start({"tool": [{"ask": form(name=TEXT)}]}, era)
    _, text = await declined_because(screen, "tool", "none of its business")
    assert "You declined one of its questions: “none of its business”. The reason was not sent." in text
    assert not [line for line in received.lines() if b"business" in line]
    assert told(screen) == []


@BOTH
async def test_a_decline_without_a_reason_says_nothing_of_one(start: Start, era: str) -> None:
    screen, _ = await start({"tool": [{"ask": form(name=TEXT)}]}, era)
    panel = await screen.run("raw", "tool")
    press((await screen.ask(FormWindow)).decline)
    assert "You declined one of its questions: “" not in await screen.ended(panel)


ROWS = {"content": [], "structuredContent": {"rows": [{"a": 1}, {"a": 2}]}}


async def test_the_reason_is_seen_beside_a_table_too(start: Start) -> None:
    screen, _ = await start({"tool": [{"ask": form(name=TEXT)}, {"result": ROWS}]})
    panel, text = await declined_because(screen, "tool", "too nosy")
    assert "“too nosy”" in text
    assert all_of(panel.result, QPushButton, "Table")
    for view in ("Text", "JSON", "Table"):
        press(button(panel.result, view))
        assert "“too nosy”" in shown(panel.result), view


async def test_the_reasons_of_two_declined_questions_are_both_there(start: Start) -> None:
    screen, received = await start(
        {"tool": [{"ask": form(name=TEXT)}, {"ask": form(message="And now?", name=TEXT)}]}, "handshake"
    )
    await screen.run("raw", "tool")
    for reason in ("first reason", "second reason"):
        window = await until(
            lambda: next((one for one in screen.asks(FormWindow) if not one.answered), None), "the window"
        )
        next(one for one in window.decline.menu().actions() if "reason" in one.text()).trigger()
        field = find(window, QLineEdit, "Reason")
        QTest.keyClicks(field, reason)
        QTest.keyClick(field, Qt.Key.Key_Return)
        await until(lambda window=window: gone(window), "the window to close")
    text = await screen.ended(await screen.panel("raw", "tool"))
    assert "“first reason”" in text
    assert "“second reason”" in text
    assert received.replies() == [b'{"action":"decline"}'] * 2


async def test_a_reason_with_markup_stays_words(start: Start) -> None:
    screen, _ = await start({"tool": [{"ask": form(name=TEXT)}]})
    panel, text = await declined_because(screen, "tool", "<b>no</b> {reason} &amp; R&D")
    assert "“<b>no</b> {reason} &amp; R&D”" in text
    assert markup_in(panel.result) == []


async def test_a_line_with_markup_stays_words(start: Start) -> None:
    screen, _ = await start({"tool": [{"ask": BAD}]})
    screen.window.notices.tell("x", "<b>bold</b> a\u202eb R&D")
    await say(screen, "<b>bold</b> a‹U+202E›b R&D")
    assert markup_in(screen.window.notices) == []
    assert [one for one in all_of(screen.window.notices, QAbstractButton) if one.text()] == []
