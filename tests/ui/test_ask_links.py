"""Links at the windows: the whole address, consent before anything, and what the server hears."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QTextEdit,
)

from desktop_host.ui.asks.link_window import LinkWindow
from tests.support.windows import (
    all_of,
    button,
    fragments,
    gone,
    holds,
    key,
    press,
    shown,
    until,
)
from tests.ui.screen import Browser
from tests.ui.stage import Script, Stage, link, wire

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)

# links

LONG_PATH = "x" * 60 + "&redirect=" + "a%20b" * 1583
LONG_URL = f"https://accounts.example.org/login?state={LONG_PATH}"
assert 7_990 < len(LONG_URL) < 8_100, len(LONG_URL)
LONG_LINK = script.tool({"ask": link(LONG_URL)})


def address_view(window: LinkWindow) -> QTextEdit:
    """Where a link window shows its whole address."""
    url = window.ask.params["url"]
    return next(view for view in all_of(window, QTextEdit) if view.accessibleName() == url)


def weights(view: QTextEdit) -> list[tuple[str, int]]:
    """The pieces of a text with their weights."""
    return [(one.text(), int(one.charFormat().fontWeight())) for one in fragments(view)]


async def test_the_whole_of_a_long_address_is_shown_with_its_host_in_bold(stage: Stage, browser: Browser) -> None:
    _, window, received = await stage.run("handshake", LONG_LINK, LinkWindow)
    view = address_view(window)
    assert view.toPlainText() == LONG_URL
    assert view.horizontalScrollBar().maximum() == 0, "it breaks anywhere, nothing is off to the side"
    bold = [(text, weight) for text, weight in weights(view) if weight >= QFont.Weight.DemiBold]
    assert "".join(text for text, _ in bold) == "accounts.example.org"
    strongest = max(weight for _, weight in bold)
    assert "".join(text for text, weight in bold if weight == strongest) == "example.org"
    press(button(window, "Copy"))
    assert QGuiApplication.clipboard().text() == LONG_URL
    await holds(lambda: browser.opened == [], 0.5, "nothing opens by itself")
    press(window.affirm)
    assert browser.opened == [LONG_URL]
    assert await received.reply() == b'{"action":"accept"}'


FINE_LINK = script.tool({"ask": link("https://accounts.example.org/login")})


@BOTH
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_link_that_is_refused_is_never_opened(stage: Stage, era: str, action: str, browser: Browser) -> None:
    _, window, received = await stage.run(era, FINE_LINK, LinkWindow)
    press(window.decline if action == "decline" else button(window, "Cancel"))
    assert await received.reply() == wire(era, f'{{"action":"{action}"}}')
    assert browser.opened == []


async def test_return_does_not_open_a_link(stage: Stage, browser: Browser) -> None:
    _, window, received = await stage.run("handshake", FINE_LINK, LinkWindow)
    await stage.screen.heard(window)
    await key(window, Qt.Key.Key_Return)
    await holds(lambda: browser.opened == [] and not received.replies(), 0.2, "nothing happens")


LOOKALIKE = script.tool({"ask": link("https://accounts.gооgle.com/login")})  # the o are Cyrillic


async def test_a_look_alike_host_is_marked_and_opened_only_against_the_warning(stage: Stage, browser: Browser) -> None:
    _, window, _ = await stage.run("handshake", LOOKALIKE, LinkWindow)
    text = shown(window)
    assert "letters of other scripts" in text
    assert "accounts.xn--ggle-55da.com" in text
    assert window.affirm.text() == "Open anyway…"
    assert window.affirm.property("role") == "danger"
    assert window.focusWidget() is window.decline
    await stage.screen.affirm(window)
    assert browser.opened == ["https://accounts.xn--ggle-55da.com/login"]


USER_NAME = script.tool({"ask": link("https://accounts.google.com@evil.example/login")})


async def test_a_host_behind_a_user_name_is_named(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", USER_NAME, LinkWindow)
    assert "The address hides its host behind a user name. Really contacted: evil.example" in shown(window)
    bold = [text for text, weight in weights(address_view(window)) if weight >= QFont.Weight.DemiBold]
    assert "".join(bold) == "evil.example"
    assert window.affirm.property("role") == "danger"


REFUSED = {
    "too long": script.tool({"ask": link("https://example.org/" + "x" * 8192)}),
    "not https": script.tool({"ask": link("http://example.org/")}),
    "no web address": script.tool({"ask": link("javascript:alert(1)")}),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_an_address_that_must_not_be_opened_never_gets_a_window(stage: Stage, name: str) -> None:
    received = stage.wires["handshake"]
    received.forget()
    panel = await stage.screen.run("handshake", REFUSED[name])
    await stage.screen.ended(panel)
    assert received.replies() == [b'{"code":-32602,"message":"Invalid url"}']
    assert stage.screen.asks() == []


async def test_a_browser_that_does_not_open_is_a_cancel_and_the_person_is_told(stage: Stage) -> None:
    """Without a handler the off-screen platform opens nothing, like a system without a browser."""
    panel, window, received = await stage.run("handshake", FINE_LINK, LinkWindow)
    await stage.screen.affirm(window)
    assert await received.reply() == b'{"action":"cancel"}'
    await stage.screen.ended(panel)
    windows = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
    assert any("No browser could be opened" in shown(one) for one in windows)


TWICE = script.tool({"ask": link("https://accounts.example.org/login")}, {"repeat": 1}, {"result": {"content": []}})


async def test_a_repeated_link_goes_back_to_waiting_and_opens_nothing_again(stage: Stage, browser: Browser) -> None:
    panel, window, received = await stage.run("modern", TWICE, LinkWindow)
    await stage.screen.affirm(window)
    assert len(browser.opened) == 1
    await holds(lambda: received.replies() == [], 0.2, "opening alone tells nothing")
    press(window.affirm)
    assert await received.reply() == b'{"ask1":{"action":"accept"}}'
    await until(lambda: "Not finished yet, says the server." in shown(window), "the server's word")
    assert stage.screen.asks(LinkWindow) == [window]
    assert window.affirm.text() == "Continue"
    assert "Finish in your browser, then continue here." in shown(window)
    await asyncio.sleep(0.3)
    assert len(browser.opened) == 1
    press(window.affirm)
    assert await received.reply(2) == b'{"ask1":{"action":"accept"}}'
    await stage.screen.ended(panel)
    await until(lambda: gone(window), "the window to close")
    assert len(browser.opened) == 1


LATE = script.tool(
    {"ask": link("https://accounts.example.org/login")},
    {"sleep": 0.5},
    {"repeat": 1},
    {"result": {"content": []}},
)


async def test_a_link_repeated_late_opens_a_window_that_waits(stage: Stage, browser: Browser) -> None:
    """A server may hold our retry for long; the person may have closed the window by then."""
    panel, window, received = await stage.run("modern", LATE, LinkWindow)
    await stage.screen.affirm(window)
    press(window.affirm)
    await received.reply()
    assert "Asking the server…" in shown(window)
    window.close()
    again = await stage.screen.ask(LinkWindow, "modern")
    assert "Finish in your browser, then continue here." in shown(again)
    assert again.affirm.text() == "Continue"
    await stage.screen.affirm(again)
    await received.reply(2)
    await stage.screen.ended(panel)
    assert len(browser.opened) == 1


URL_REQUIRED = script.tool(
    {
        "error": {
            "code": -32042,
            "message": "Sign in first",
            "data": {
                "elicitations": [
                    {
                        "mode": "url",
                        "message": "Please sign in.",
                        "url": "https://accounts.example.org/login",
                        "elicitationId": "e1",
                    }
                ]
            },
        },
        "times": 1,
    },
    {"result": {"content": [{"type": "text", "text": "signed in"}]}},
)


async def test_a_call_that_needs_a_link_is_made_again_after_continue(stage: Stage, browser: Browser) -> None:
    panel, window, received = await stage.run("handshake", URL_REQUIRED, LinkWindow)
    await stage.screen.affirm(window)
    assert browser.opened == ["https://accounts.example.org/login"]
    await holds(lambda: len(received.sent("tools/call")) == 1, 0.3, "the call waits for Continue")
    press(window.affirm)
    assert "signed in" in await stage.screen.ended(panel)
    assert len(received.sent("tools/call")) == 2
