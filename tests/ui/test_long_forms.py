"""Forms at the bounds of what is let through: many fields, endless words, letters of every kind, many options."""

import asyncio
import json
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop_host.asks.limits import MAX_FIELDS, Bounds
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.link_window import LinkWindow
from tests.support.windows import (
    activate,
    all_of,
    button,
    check_row,
    find,
    gone,
    holds,
    name_of,
    press,
    shown,
    too_wide,
    type_into,
    until,
    write_into,
)
from tests.ui.screen import Json
from tests.ui.stage import Script, Stage, form, link, wire

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)


def area_of(window: QWidget) -> QScrollArea:
    """The part of a window that scrolls."""
    [found] = all_of(window, QScrollArea)
    return found


def answer(content: Json) -> str:
    """An answer as JSON."""
    return json.dumps({"action": "accept", "content": content}, separators=(",", ":"), ensure_ascii=False)


# many fields

NAMES = [f"f{n}" for n in range(1, MAX_FIELDS + 1)]


def kind(number: int) -> Json:
    """Every fourth field is a number, a choice, or yes and no."""
    kinds: list[Json] = [
        {"type": "string"},
        {"type": "integer"},
        {"type": "string", "enum": ["a", "b", "c", "d", "e", "f"]},
        {"type": "boolean"},
    ]
    return {**kinds[number % 4], "title": f"Field {number}"}


OPTIONAL = script.tool({"ask": form(**{name: kind(n) for n, name in enumerate(NAMES, 1)})})
NEEDED = script.tool(
    {"ask": form(*NAMES, **{name: {"type": "string", "title": f"Field {n}"} for n, name in enumerate(NAMES, 1)})}
)
BOUNDED = script.tool(
    {
        "ask": form(
            NAMES[-1],
            **{name: {"type": "string", "title": f"Field {n}"} for n, name in enumerate(NAMES, 1)},
        )
    }
)


async def complete(window: FormWindow) -> None:
    await until(lambda: window.form.complete, "all rows")


@pytest_asyncio.fixture(loop_scope="module")
async def slow(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """The rows after the first screenful come slowly, as on a slow computer."""
    monkeypatch.setattr("desktop_host.ui.widgets.schema_form._PAUSE", 10)
    return


async def test_a_screenful_is_there_at_once_and_the_rest_comes(stage: Stage) -> None:
    ended: list[bool] = []
    _, window, _ = await stage.run("handshake", OPTIONAL, FormWindow)
    window.form.completed.connect(lambda: ended.append(True))
    assert find(window, QLineEdit, "Field 4").isVisible()
    assert not window.form.complete
    assert 10 <= len(window.form.rows) < MAX_FIELDS
    longest, before = 0.0, time.perf_counter()
    while not window.form.complete:
        await asyncio.sleep(0.001)
        longest, before = max(longest, time.perf_counter() - before), time.perf_counter()
    assert longest < 0.25, "the window hears meanwhile"
    await until(lambda: ended == [True], "the form to say so")
    assert list(window.form.rows) == NAMES
    assert find(window, QLineEdit, f"Field {MAX_FIELDS}")


async def test_what_is_typed_before_all_is_there_is_kept_and_sent_and_nothing_moves(stage: Stage) -> None:
    _, window, received = await stage.run("modern", OPTIONAL, FormWindow)
    await activate(window)
    field = find(window, QLineEdit, "Field 4")
    type_into(field, "early")
    area_of(window).verticalScrollBar().setValue(100)
    assert not window.form.complete
    await complete(window)
    assert window.focusWidget() is field
    assert area_of(window).verticalScrollBar().value() == 100
    QTest.keyClicks(window.focusWidget(), " bird")
    type_into(find(window, QLineEdit, "Field 256"), "late")
    press(find(window, QRadioButton, "Field 255: No"))
    await stage.screen.affirm(window)
    assert await received.reply() == wire("modern", answer({"f4": "early bird", "f255": False, "f256": "late"}))


async def test_send_before_all_is_there_checks_all(stage: Stage, slow: None) -> None:
    _, window, received = await stage.run("handshake", BOUNDED, FormWindow)
    type_into(find(window, QLineEdit, "Field 1"), "Ada")
    await stage.screen.affirm(window)
    await until(lambda: all_of(window, QLineEdit, "Field 256"), "all rows")
    last = find(window, QLineEdit, "Field 256")
    assert window.form.complete
    assert "1 answer to correct" in shown(window)
    assert shown(window).count("This is needed.") == 1
    assert window.focusWidget() is last
    await holds(lambda: not received.replies() and not gone(window), 0.1, "nothing is sent")
    type_into(last, "Z")
    press(window.affirm)
    assert await received.reply() == answer({"f1": "Ada", "f256": "Z"}).encode()


async def test_the_field_gone_to_is_scrolled_to(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", BOUNDED, FormWindow)
    await activate(window)
    await complete(window)
    await stage.screen.affirm(window)
    field = window.focusWidget()
    assert name_of(field) == "Field 256"
    await asyncio.sleep(0.05)
    viewport = area_of(window).viewport()
    place = field.mapTo(viewport, field.rect().center())
    assert viewport.rect().contains(place)


async def test_nobody_is_blamed_for_needed_fields_they_did_not_see_yet(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", NEEDED, FormWindow)
    assert "to correct" not in shown(window)
    assert "This is needed." not in shown(window)
    await complete(window)
    await asyncio.sleep(0.05)
    assert "to correct" not in shown(window)
    assert "This is needed." not in shown(window)


async def test_all_needed_fields_are_counted(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", NEEDED, FormWindow)
    await stage.screen.affirm(window)
    await until(lambda: f"{MAX_FIELDS} answers to correct" in shown(window), "the bar to count")
    assert window.focusWidget() is find(window, QLineEdit, "Field 1")
    assert not received.replies()


async def test_a_declined_form_that_is_not_all_there_yet_just_goes(stage: Stage, slow: None) -> None:
    _, window, received = await stage.run("handshake", OPTIONAL, FormWindow)
    press(window.decline)
    assert await received.reply() == b'{"action":"decline"}'
    await until(lambda: gone(window), "the window to close")


async def test_a_form_withdrawn_before_all_is_there_stays_locked(stage: Stage, slow: None) -> None:
    panel, window, _ = await stage.run("handshake", OPTIONAL, FormWindow)
    stage.screen.cancel(panel)
    await until(lambda: "This question ended with its call" in shown(window), "the window to say so")
    assert not window.form.complete
    await complete(window)
    assert [name for name, row in window.form.rows.items() if row.editor.isEnabled()] == []


async def test_tab_goes_through_all_fields_in_their_order(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", OPTIONAL, FormWindow)
    await activate(window)
    await complete(window)
    find(window, QLineEdit, "Field 1").setFocus()
    seen: list[int] = []
    for _ in range(MAX_FIELDS + 60):
        here = window.focusWidget()
        name = name_of(here).partition(":")[0]
        if not name.startswith("Field "):
            break
        number = int(name.removeprefix("Field "))
        if number not in seen[-1:]:
            seen.append(number)
        QTest.keyClick(here, Qt.Key.Key_Tab)
    assert seen == list(range(1, MAX_FIELDS + 1))


async def test_the_review_shows_every_answer_and_copies_whole(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", OPTIONAL, FormWindow)
    await complete(window)
    content = {
        f"f{n}": f"answer {n}" for n in range(4, MAX_FIELDS + 1, 4) if n % 4 == 0 and kind(n)["type"] == "string"
    }
    for name, text in content.items():
        row = window.form.rows[name]
        line = row.editor.focus_target()
        line.setFocus()
        QTest.keyClicks(line, text[-1])
        content[name] = text[-1]
    view = find(window, QPlainTextEdit, "JSON")
    assert json.loads(view.toPlainText()) == {"action": "accept", "content": content}
    await stage.screen.affirm(window)
    assert await received.reply() == answer(content).encode()


# endless words

WORD = "W" * 65_536
MESSAGE = "M" * (Bounds().message_kilobytes * 1024 - 1)
ENDLESS: dict[str, Json] = {
    "message": form(message=MESSAGE, a={"type": "string", "title": "A"}),
    "title": form(a={"type": "string", "title": WORD}),
    "description": form(a={"type": "string", "title": "A", "description": WORD}),
    "choice": form(a={"type": "string", "title": "A", "enum": [WORD, "b", "c", "d", "e"]}),
    "few choices": form(a={"type": "string", "title": "A", "enum": [WORD, "b"]}),
    "several": form(a={"type": "array", "title": "A", "items": {"enum": [WORD, "b"]}}),
    "many": form(a={"type": "array", "title": "A", "items": {"enum": [WORD, *map(str, range(20))]}}),
    "box": form(a={"type": "boolean", "title": "A", "description": WORD, "default": True}),
    "confirmation": form("a", a={"type": "boolean", "title": WORD, "description": WORD, "default": False}),
    "yes or no": form(a={"type": "boolean", "title": WORD, "description": WORD}),
    "suggestion": form(a={"type": "string", "title": "A", "default": WORD}),
    "pattern": form(a={"type": "string", "title": "A", "pattern": f"^({WORD})?$"}),
    "property": form(**{WORD: {"type": "string"}}),
    "JSON": form(a={"type": "object", "title": WORD, "description": WORD, "default": {"a": WORD}}),
    "bad suggestion": form(**{WORD: {"type": "integer", "default": "x"}}),
    "missing property": form(WORD, a={"type": "string"}),
}
WIDE = {name: script.tool({"ask": ask}) for name, ask in ENDLESS.items()}


@pytest.mark.parametrize("name", WIDE)
async def test_no_word_is_too_long_for_the_window(stage: Stage, name: str) -> None:
    _, window, _ = await stage.run("modern", WIDE[name], FormWindow)
    assert window.width() == 720
    await asyncio.sleep(0.02)
    at_first = too_wide(area_of(window))
    window.resize(window.minimumSize())
    await asyncio.sleep(0.02)
    assert (at_first, too_wide(area_of(window))) == ([], [])
    assert window.width() == 480


SENTENCE = (
    "Yes, I want to receive the newsletter, and I agree to the terms of service of the airline and of its partners."
)
SENTENCES: dict[str, Json] = {
    "box": form(a={"type": "boolean", "title": "News", "description": SENTENCE, "default": True}),
    "confirmation": form("a", a={"type": "boolean", "title": SENTENCE, "description": SENTENCE, "default": False}),
    "several": form(a={"type": "array", "title": "A", "items": {"enum": [SENTENCE, "b"]}}),
    "choice": form(a={"type": "string", "title": "A", "enum": [SENTENCE, "b"]}),
}
SPOKEN = {name: script.tool({"ask": ask}) for name, ask in SENTENCES.items()}


@pytest.mark.parametrize("name", SPOKEN)
async def test_an_everyday_sentence_fits_the_window(stage: Stage, name: str) -> None:
    _, window, _ = await stage.run("modern", SPOKEN[name], FormWindow)
    await asyncio.sleep(0.02)
    assert too_wide(area_of(window)) == []
    assert SENTENCE in [combo.itemText(1) for combo in all_of(window, QComboBox)] or SENTENCE in shown(window)


@pytest.mark.parametrize(("name", "text"), [("description", WORD), ("title", WORD)])
async def test_what_is_cut_is_shown_whole_on_a_click(stage: Stage, name: str, text: str) -> None:
    _, window, _ = await stage.run("modern", WIDE[name], FormWindow)
    before = shown(window).replace("\u200b", "")
    assert "W" * 150 in before
    assert "W" * 5_000 not in before
    press(button(window, "Show all of it"))
    await asyncio.sleep(0.05)
    assert text in [one.toPlainText() for one in all_of(window, QTextEdit)]
    assert not all_of(window, QPushButton, "Show all of it")
    assert too_wide(area_of(window)) == []


async def test_a_long_message_can_be_read_to_its_end_and_copied_exactly(stage: Stage) -> None:
    _, window, _ = await stage.run("modern", WIDE["message"], FormWindow)
    [view] = [one for one in all_of(window, QTextEdit) if one.toPlainText().startswith("MMM")]
    assert view.toPlainText() == MESSAGE


async def test_an_endless_option_is_sent_whole(stage: Stage) -> None:
    _, window, received = await stage.run("modern", WIDE["choice"], FormWindow)
    combo = find(window, QComboBox, "A")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    QTest.keyClick(combo, Qt.Key.Key_Down)
    assert len(combo.currentText()) < 400
    await stage.screen.affirm(window)
    assert await received.reply() == wire("modern", answer({"a": WORD}))


LINKED = script.tool({"ask": link("https://example.org/", MESSAGE)})


async def test_the_message_of_a_link_is_not_too_wide_either(stage: Stage) -> None:
    _, window, _ = await stage.run("modern", LINKED, LinkWindow)
    await asyncio.sleep(0.02)
    assert too_wide(area_of(window)) == []


# letters of every kind

FAMILY, FLAG, THUMB = "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👍🏽"
HEBREW, ARABIC, PERSIAN = "שלום עולם", "مرحبا بالعالم", "می‌خواهم"
HINDI, COMBINED, RARE = "क्‍ष", "e\u0301\u0323", "𠮷"
LETTERS = [FAMILY, THUMB, HEBREW, ARABIC, PERSIAN, HINDI, COMBINED, RARE]
SPOKEN_LETTERS = script.tool(
    {
        "ask": form(
            message=" | ".join(LETTERS),
            **{f"{text} name": {"type": "string", "title": f"{text} title", "description": text} for text in LETTERS},
            pick={"type": "array", "title": "Pick", "items": {"enum": LETTERS}},
        )
    }
)


@BOTH
async def test_letters_of_every_kind_are_shown_as_they_are_and_sent_byte_for_byte(stage: Stage, era: str) -> None:
    _, window, received = await stage.run(era, SPOKEN_LETTERS, FormWindow)
    text = shown(window)
    for one in LETTERS:
        assert one in text, one
        assert f"{one} title" in text, one
        write_into(find(window, QLineEdit, f"{one} title"), one)
        press(find(window, QCheckBox, f"Pick: {one}"))
    assert "‹U+" not in text
    assert "invisible or direction-changing characters" not in text
    await stage.screen.affirm(window)
    content = {**{f"{one} name": one for one in LETTERS}, "pick": LETTERS}
    assert await received.reply() == wire(era, answer(content))


TURNED = script.tool({"ask": form(message=f"{FLAG} a\u202eb", a={"type": "string", "title": "x\u200by\u2067z"})})


async def test_what_turns_or_hides_is_written_out_among_them(stage: Stage) -> None:
    _, window, _ = await stage.run("modern", TURNED, FormWindow)
    text = shown(window)
    assert "a‹U+202E›b" in text
    assert "x‹U+200B›y‹U+2067›z" in text
    assert name_of(all_of(window, QLineEdit)[0]) == "x‹U+200B›y‹U+2067›z"
    assert not {"\u202e", "\u2067"} & set(text)


# many options

OPTIONS = [f"Option {n}" for n in range(1, 1_001)]
ENUM = script.tool({"ask": form(one={"type": "string", "title": "One", "enum": OPTIONS})})
MULTI = script.tool({"ask": form(many={"type": "array", "title": "Many", "items": {"enum": OPTIONS}})})


async def test_one_of_a_thousand_options_is_found_by_typing(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", ENUM, FormWindow)
    await activate(window)
    combo = find(window, QComboBox, "One")
    begun = time.perf_counter()
    type_into(combo, "777")
    popup = combo.completer().popup()
    await until(popup.isVisible, "the option")
    assert time.perf_counter() - begun < 1
    assert [popup.model().index(row, 0).data() for row in range(popup.model().rowCount())] == ["Option 777"]
    place = popup.visualRect(popup.model().index(0, 0)).center()
    QTest.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    await stage.screen.affirm(window)
    assert await received.reply() == answer({"one": "Option 777"}).encode()


async def test_a_thousand_options_are_checked_searched_and_sent_in_their_order(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", MULTI, FormWindow)
    await activate(window)
    rows, search = find(window, QListWidget, "Many"), find(window, QLineEdit, "Search in 1000 choices")
    begun = time.perf_counter()
    for number in ("1000", "999", "512"):
        type_into(search, number)
        assert len([row for row in range(1000) if not rows.item(row).isHidden()]) == 1
        check_row(rows, f"Option {number}")
    assert time.perf_counter() - begun < 3
    assert "3 of 1000 chosen" in shown(window)
    await stage.screen.affirm(window)
    assert await received.reply() == answer({"many": ["Option 512", "Option 999", "Option 1000"]}).encode()


ALL = script.tool(
    {"ask": form(many={"type": "array", "title": "Many", "items": {"enum": OPTIONS}, "default": OPTIONS})}
)


async def test_a_suggestion_of_a_thousand_options_goes_back_as_it_came(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", ALL, FormWindow)
    assert "1000 of 1000 chosen" in shown(window)
    assert not all_of(window, QToolButton, "Take the answer back")
    await stage.screen.affirm(window)
    assert await received.reply() == answer({"many": OPTIONS}).encode()
