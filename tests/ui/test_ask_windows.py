"""What all ask windows have in common: their frame, their buttons, honest text, and what becomes of asks taken back."""

import asyncio
import time

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
)

from desktop_host.terms.state import CallStatus
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.frame import AskWindow
from desktop_host.ui.asks.link_window import LinkWindow
from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.asks.sampling_window import SamplingWindow
from tests.support.windows import (
    all_of,
    button,
    find,
    gone,
    holds,
    markup_in,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.stage import TEXT, Script, Stage, form, link, sampling

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script()

NAME = script.tool({"ask": form(name=TEXT)})
SUGGESTED = script.tool({"ask": form(name={**TEXT, "default": "Ada"})})
GOES_ON = script.tool({"ask": form(name=TEXT)}, {"sleep": 30})

# the affirmative button


async def test_the_affirmative_button_is_deaf_for_half_a_second(stage: Stage) -> None:
    begun = time.monotonic()
    _, window, received = await stage.run("handshake", SUGGESTED, FormWindow)
    press(window.affirm)
    window.affirm.setFocus()
    QTest.keyClick(window.affirm, Qt.Key.Key_Space)
    await holds(lambda: not received.replies() and not gone(window), 0.25, "a click at once sends nothing")
    if time.monotonic() < begun + 0.4:  # a busy machine may have made it later
        press(window.affirm)
    await holds(lambda: not received.replies() and not gone(window), 0.1, "nor does one a little later")
    await stage.screen.affirm(window)
    assert await received.reply() == b'{"action":"accept","content":{"name":"Ada"}}'


ENTER = script.tool(
    {"ask": form(name=TEXT, seat={"type": "string", "title": "Seat", "enum": [f"Row {n}" for n in range(20)]})}
)


async def test_return_in_a_field_sends_nothing(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", ENTER, FormWindow)
    for one in all_of(window, QPushButton):
        assert not one.isDefault(), one.text()
        assert not one.autoDefault(), one.text()
    await stage.screen.heard(window)
    field = find(window, QLineEdit, "Name")
    type_into(field, "Ada")
    for which in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(field, which)
        QTest.keyClick(field, which, Qt.KeyboardModifier.ControlModifier)
    await holds(lambda: not received.replies() and not gone(window), 0.3, "nothing is sent")


# asks that are taken back

WITHDRAWN = script.tool({"ask": form(name=TEXT)}, {"sleep": 1.2}, {"cancel_ask": True}, {"result": {"content": []}})


async def test_a_withdrawn_form_says_so_and_keeps_what_was_typed(stage: Stage) -> None:
    panel, window, received = await stage.run("handshake", WITHDRAWN, FormWindow)
    field = find(window, QLineEdit, "Name")
    type_into(field, "Ada Lovelace")
    await until(lambda: "The server withdrew this question" in shown(window), "the window to say so")
    assert "Nothing was sent." in shown(window)
    assert not field.isEnabled()
    assert field.text() == "Ada Lovelace"
    assert not window.affirm.isVisible()
    assert not window.decline.isVisible()
    assert not window.stop.isVisible()
    press(button(window, "Copy what I typed"))
    assert "Ada Lovelace" in QGuiApplication.clipboard().text()
    assert stage.screen.window.inbox.waiting == []
    press(button(window, "Close"))
    await until(lambda: gone(window), "the window to close")
    await stage.screen.ended(panel)
    assert received.replies() == []


WITHDRAWN_SAMPLING = script.tool(
    {"ask": sampling("Say hello.")}, {"sleep": 1.2}, {"cancel_ask": True}, {"result": {"content": []}}
)


async def test_what_was_typed_into_a_withdrawn_request_can_be_copied(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", WITHDRAWN_SAMPLING, SamplingWindow)
    type_into(find(window, QPlainTextEdit, "1 User"), "Say hello to my grandmother.")
    await until(lambda: "The server withdrew this question" in shown(window), "the window to say so")
    assert not find(window, QPlainTextEdit, "1 User").isEnabled()
    press(button(window, "Copy what I typed"))
    assert "grandmother" in QGuiApplication.clipboard().text()


@BOTH
async def test_an_ask_ends_with_its_call(stage: Stage, era: str) -> None:
    panel, window, received = await stage.run(era, GOES_ON, FormWindow)
    type_into(find(window, QLineEdit, "Name"), "Ada")
    stage.screen.cancel(panel)
    await until(lambda: "This question ended with its call" in shown(window), "the window to say so")
    assert "Cancelled" in await stage.screen.ended(panel)
    press(button(window, "Copy what I typed"))
    assert "Ada" in QGuiApplication.clipboard().text()
    assert received.replies() == ([b'{"action":"cancel"}'] if era == "handshake" else [])


# what servers write

MARKUP = (
    '<img src="file:///etc/passwd"> <b>bold</b> <a href="https://evil.example">click</a> &lt;ok&gt; R&D '
    "https://evil.example/login\n<script>alert(1)</script> end"
)
HIDDEN = "pay \u202e10\u202c zero\u200bwidth \u2066x\u2069 \x07"
HIDDEN_SHOWN = "pay ‹U+202E›10‹U+202C› zero‹U+200B›width ‹U+2066›x‹U+2069› ‹U+0007›"
LITERAL = {
    FormWindow: script.tool(
        {
            "ask": form(
                message=MARKUP,
                text={"type": "string", "title": "<b>T</b> <i>1", "description": '<img src="x"> <u>D'},
                yes={"type": "boolean", "title": "<b>Y</b>", "description": "<h1>Sure</h1>", "default": False},
                few={"type": "string", "title": "<b>F</b>", "enum": ["<i>a</i>", "<i>b</i>"]},
                many={"type": "string", "title": "<b>M</b>", "enum": [f"<i>{n}</i>" for n in range(9)]},
                several={"type": "array", "title": "<b>S</b>", "items": {"enum": ["<i>c</i>", "<i>d</i>"]}},
            )
        },
        title="<b>tool</b>",
        description="<h1>Big</h1> <img src=x>",
    ),
    LinkWindow: script.tool({"ask": link("https://example.org/?a=&lt;b&gt;&b=&amp;", MARKUP)}),
    SamplingWindow: script.tool({"ask": sampling(MARKUP, systemPrompt=MARKUP)}),
}


@pytest.mark.parametrize("kind", LITERAL)
async def test_markup_of_servers_is_shown_as_it_is_written(stage: Stage, kind: type[AskWindow]) -> None:
    panel, window, _ = await stage.run("modern", LITERAL[kind], kind)
    text = shown(window)
    assert MARKUP in text
    if kind is FormWindow:
        for part in ("<b>T</b> <i>1", '<img src="x"> <u>D', "<h1>Sure</h1>", "<i>a</i>", "<i>c</i>", "<b>S</b>"):
            assert part in text
        assert "<b>tool</b>" in shown(panel)
        assert "<h1>Big</h1> <img src=x>" in shown(panel)
    if kind is LinkWindow:
        assert "https://example.org/?a=&lt;b&gt;&b=&amp;" in text
    assert markup_in(window) == []
    assert markup_in(stage.screen.window) == []


HIDING = {
    FormWindow: script.tool({"ask": form(message=HIDDEN, name={"type": "string", "title": HIDDEN})}),
    SamplingWindow: script.tool({"ask": sampling("Hello", systemPrompt="x")}),
    LinkWindow: script.tool({"ask": link("https://example.org/", HIDDEN)}),
}


@pytest.mark.parametrize("kind", [FormWindow, LinkWindow])
async def test_hidden_and_turning_characters_are_written_out(stage: Stage, kind: type[AskWindow]) -> None:
    _, window, _ = await stage.run("handshake", HIDING[kind], kind)
    text = shown(window)
    assert HIDDEN_SHOWN.replace("\x07", "") in text
    for character in "\u202e\u202c\u200b\u2066\u2069\x07":
        assert character not in text
    assert "invisible or direction-changing characters" in text


AMPERSANDS = script.tool(
    {
        "ask": form(
            few={"type": "string", "title": "Bed & board", "enum": ["B&B", "R&D"]},
            box={"type": "boolean", "title": "Salt", "description": "Salt & pepper", "default": True},
            several={"type": "array", "title": "Extras", "items": {"enum": ["Fish & chips", "Mac & cheese"]}},
        )
    }
)


async def test_ampersands_are_no_shortcuts(stage: Stage) -> None:
    """A single & in a button or a label with a buddy is swallowed by Qt and underlines the next letter."""
    _, window, _ = await stage.run("handshake", AMPERSANDS, FormWindow)
    text = shown(window)
    for part in ("B&B", "R&D", "Salt & pepper", "Fish & chips", "Mac & cheese", "Bed & board"):
        assert part in text, part


ALIGNED = "Fares:\n  LH 1000    248 $\n  VY   83     96 $"
SPACES = script.tool({"ask": form(message=ALIGNED)}, {"result": {"content": [{"type": "text", "text": ALIGNED}]}})


async def test_spaces_and_lines_stay_as_the_server_wrote_them(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", SPACES, FormWindow)
    assert ALIGNED in shown(window)
    press(window.decline)
    assert ALIGNED in await stage.screen.ended(panel)


# the frame

LOW = {
    FormWindow: script.tool({"ask": form(**{f"field {n}": {**TEXT, "title": f"Field {n}"} for n in range(12)})}),
    LinkWindow: script.tool({"ask": link("https://example.org/?state=" + "x" * 4000)}),
    SamplingWindow: script.tool({"ask": sampling(*[f"Question {n}" for n in range(8)], systemPrompt="Be kind.")}),
    RootsWindow: script.tool({"ask": {"method": "roots/list"}}),
}


@pytest.mark.parametrize("kind", LOW)
async def test_a_window_360_pixels_high_keeps_its_buttons_and_scrolls_the_rest(
    stage: Stage, kind: type[AskWindow]
) -> None:
    _, window, _ = await stage.run("handshake", LOW[kind], kind)
    window.resize(window.width(), 360)
    await asyncio.sleep(0.05)
    assert window.height() == 360
    for one in (window.affirm, window.decline, window.stop, button(window, "Cancel")):
        place = QRect(one.mapTo(window, one.rect().topLeft()), one.size())
        assert one.isVisible()
        assert window.rect().contains(place), f"{one.text()} at {place}"
        assert not one.visibleRegion().isEmpty()
    area = max(all_of(window, QScrollArea), key=lambda one: one.width())
    assert area.viewport().height() > 60, "there is room to read"
    if kind is not RootsWindow:
        assert area.verticalScrollBar().maximum() > 0


LATER = script.tool({"ask": form(message="And now?", name=TEXT)}, {"ask": form(message="And then?", name=TEXT)})


async def test_asks_of_one_server_come_one_after_the_other(stage: Stage) -> None:
    """The second call's form waits in the inbox until the first one's window is closed."""
    _, first, _ = await stage.run("handshake", NAME, FormWindow)
    await stage.screen.run("handshake", LATER)
    await until(lambda: len(stage.screen.window.inbox.waiting) == 2, "both asks")
    await holds(lambda: stage.screen.asks() == [first], 0.3, "one window in front")
    press(first.decline)
    second = await stage.screen.after(first, FormWindow)
    assert "And now?" in shown(second)
    stage.screen.window.inbox.show_ask(second.ask.id)
    assert stage.screen.asks() == [second]


SLOW = script.tool({"ask": form(word={"type": "string", "title": "Word", "pattern": "^(a+)+$"})})


async def test_a_form_that_is_being_checked_does_not_get_a_second_window(stage: Stage) -> None:
    """A hostile pattern takes the checker a second; meanwhile an ask of another server comes."""
    _, first, received = await stage.run("handshake", SLOW, FormWindow)
    await stage.screen.heard(first)
    type_into(find(first, QLineEdit, "Word"), "a" * 30 + "!")
    press(first.affirm)
    assert "Sending…" in shown(first)
    await stage.screen.run("modern", NAME)
    await stage.screen.ask(FormWindow, "modern")
    assert stage.screen.asks(server="handshake") == [first]
    await until(lambda: "takes too long to check" in shown(first), "the reason")
    assert received.replies() == []


async def test_who_asks_and_during_which_call_is_shown(stage: Stage) -> None:
    panel, window, _ = await stage.run("modern", NAME, FormWindow)
    text = shown(window)
    assert "modern asks you to fill in a form" in text
    assert window.windowTitle() == "modern asks you to fill in a form"
    assert "2026-07-28" in text
    assert "while running" in text
    assert NAME in text
    assert "started by you" in text
    assert stage.screen.servers["modern"].identity in [one.accessibleName() for one in all_of(window, QLabel)]
    press(window.decline)
    assert (await stage.screen.call(panel)).status is CallStatus.DONE
