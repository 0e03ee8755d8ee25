"""Every editor of a form: what the person sees and does in it, and the exact bytes the server gets."""

import asyncio
import json

import pytest
from PySide6.QtCore import QDate, QPoint, Qt, QTime
from PySide6.QtGui import QGuiApplication, QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QRadioButton,
    QScrollArea,
    QTimeEdit,
    QToolButton,
)

from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.editors.dates import DatePicker
from tests.support.windows import (
    activate,
    all_of,
    button,
    check_row,
    choose,
    find,
    gone,
    holds,
    press,
    shown,
    type_into,
    until,
    wheel,
    write_into,
)
from tests.ui.screen import Json, Received
from tests.ui.stage import ERAS, Script, Stage, form, wire

pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)
NOT_OFFERED = "Choose one of the offered values."


def accepted(window: FormWindow, **content: object) -> bytes:
    """The bytes of an answer to a window's server."""
    answer = {"action": "accept", "content": content}
    return wire(window.ask.origin.era, json.dumps(answer, separators=(",", ":"), ensure_ascii=False))


async def opened(stage: Stage, tool: str) -> tuple[FormWindow, Received]:
    """The window of a tool's form, in front, and what its server receives.

    The tools are divided between the servers: none may ask more than sixty times in a minute.
    """
    _, window, received = await stage.run(ERAS[int(tool.removeprefix("tool")) % 2], tool, FormWindow)
    await activate(window)
    return window, received


# one of many: a list that is searched by typing

TOWNS = ["Aachen", "Bremen", "Erlangen", "Göttingen", "Hamburg", "Tübingen", "Ulm"]
TOWN = script.tool({"ask": form(town={"type": "string", "title": "Town", "enum": TOWNS})})


def offered(combo: QComboBox) -> list[str]:
    """The entries that the list under a search offers now."""
    popup = combo.completer().popup()
    model = popup.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())] if popup.isVisible() else []


def click_entry(popup: QAbstractItemView, row: int) -> None:
    """Click an entry of the list under a search."""
    place = popup.visualRect(popup.model().index(row, 0)).center()
    QTest.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


@pytest.mark.parametrize("typed", ["ingen", "INGEN"])
async def test_typing_any_part_of_an_entry_offers_it_and_a_click_chooses_it(stage: Stage, typed: str) -> None:
    window, received = await opened(stage, TOWN)
    combo = find(window, QComboBox, "Town")
    type_into(combo, typed)
    await until(lambda: offered(combo) == ["Göttingen", "Tübingen"], "both towns")
    click_entry(combo.completer().popup(), 1)
    assert combo.currentText() == "Tübingen"
    assert offered(combo) == []
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, town="Tübingen")


async def test_the_offered_entries_are_gone_through_with_the_arrow_keys(stage: Stage) -> None:
    window, received = await opened(stage, TOWN)
    combo = find(window, QComboBox, "Town")
    type_into(combo, "en")
    await until(lambda: len(offered(combo)) == 5, "five towns")
    popup = combo.completer().popup()
    for _ in range(2):
        QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert combo.currentText() == "Bremen"
    await holds(lambda: not received.replies(), 0.1, "Return chooses and sends nothing")
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, town="Bremen")


async def test_escape_closes_the_offered_entries_and_not_the_window(stage: Stage) -> None:
    window, received = await opened(stage, TOWN)
    combo = find(window, QComboBox, "Town")
    type_into(combo, "ulm")
    await until(lambda: offered(combo) == ["Ulm"], "the town")
    QTest.keyClick(combo.completer().popup(), Qt.Key.Key_Escape)
    assert offered(combo) == []
    await holds(lambda: not gone(window) and not received.replies(), 0.1, "the window stays")


async def test_escape_closes_the_open_list_and_not_the_window(stage: Stage) -> None:
    window, received = await opened(stage, TOWN)
    combo = find(window, QComboBox, "Town")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    await until(combo.view().isVisible, "the list")
    QTest.keyClick(combo.view(), Qt.Key.Key_Escape)
    await until(lambda: not combo.view().isVisible(), "the list to close")
    await holds(lambda: not gone(window) and not received.replies(), 0.1, "the window stays")


async def test_a_whole_entry_typed_in_small_letters_is_chosen(stage: Stage) -> None:
    window, received = await opened(stage, TOWN)
    type_into(find(window, QComboBox, "Town"), "bremen")
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, town="Bremen")


@pytest.mark.parametrize("typed", ["Brem", "Atlantis"])
async def test_what_is_no_entry_yet_is_an_error_and_is_not_sent(stage: Stage, typed: str) -> None:
    window, received = await opened(stage, TOWN)
    combo = find(window, QComboBox, "Town")
    type_into(combo, typed)
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    await until(lambda: NOT_OFFERED in shown(window), "the sentence below")
    await stage.screen.affirm(window)
    assert "1 answer to correct" in shown(window)
    assert combo.property("invalid") == "true"
    await holds(lambda: not received.replies() and not gone(window), 0.1, "nothing is sent")
    assert combo.currentText() == typed, "what was typed is still there to go on with"
    type_into(combo, "Bremen")
    await until(lambda: NOT_OFFERED not in shown(window), "the sentence to go")
    press(window.affirm)
    assert await received.reply() == accepted(window, town="Bremen")


async def test_nobody_is_blamed_while_they_search(stage: Stage) -> None:
    window, _ = await opened(stage, TOWN)
    combo = find(window, QComboBox, "Town")
    type_into(combo, "ing")
    await until(lambda: offered(combo), "the towns")
    await holds(lambda: NOT_OFFERED not in shown(window), 0.4, "no error while there is something to choose")


@pytest.mark.parametrize("way", ["typing", "choosing"])
async def test_a_choice_that_is_cleared_is_no_answer(stage: Stage, way: str) -> None:
    window, received = await opened(stage, TOWN)
    combo = find(window, QComboBox, "Town")
    choose(combo, "Ulm")
    if way == "typing":
        type_into(combo, "")
    else:
        choose(combo, "No answer")
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window)


MUST_CHOOSE = script.tool({"ask": form("town", town={"type": "string", "title": "Town", "enum": TOWNS})})


async def test_a_needed_choice_offers_no_way_to_leave_it_out(stage: Stage) -> None:
    window, received = await opened(stage, MUST_CHOOSE)
    combo = find(window, QComboBox, "Town")
    assert [combo.itemText(row) for row in range(combo.count())] == TOWNS
    assert combo.currentText() == "", "nothing is chosen beforehand"
    await stage.screen.affirm(window)
    assert "This is needed." in shown(window)
    assert not received.replies()


MANY = {f"field {n}": {"type": "string", "title": f"Field {n}"} for n in range(30)}
WHEEL = script.tool({"ask": form(town={"type": "string", "title": "Town", "enum": TOWNS, "default": "Ulm"}, **MANY)})


async def test_the_wheel_over_a_choice_scrolls_the_form_and_changes_nothing(stage: Stage) -> None:
    window, received = await opened(stage, WHEEL)
    combo = find(window, QComboBox, "Town")
    [area] = all_of(window, QScrollArea)
    combo.setFocus()
    wheel(combo)
    wheel(combo.lineEdit())
    assert combo.currentText() == "Ulm"
    assert area.verticalScrollBar().value() > 0
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, town="Ulm")


ALIKE = ["Go", "Go\n", "stay here", "stay  here", "us", "US", "other"]
LOOK_ALIKES = script.tool({"ask": form(what={"type": "string", "title": "What", "enum": ALIKE})})


@pytest.mark.parametrize("wanted", ["Go\n", "stay here", "stay  here", "US"])
async def test_options_that_look_the_same_stay_apart_when_chosen_from_the_list(stage: Stage, wanted: str) -> None:
    window, received = await opened(stage, LOOK_ALIKES)
    combo = find(window, QComboBox, "What")
    combo.setFocus()
    for _ in range(ALIKE.index(wanted) + 2):
        QTest.keyClick(combo, Qt.Key.Key_Down)
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, what=wanted)


async def test_options_that_look_the_same_stay_apart_when_searched(stage: Stage) -> None:
    window, received = await opened(stage, LOOK_ALIKES)
    combo = find(window, QComboBox, "What")
    type_into(combo, "stay")
    await until(lambda: offered(combo) == ["stay here"] * 2, "both")
    click_entry(combo.completer().popup(), 1)
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, what="stay  here")


@pytest.mark.parametrize("wanted", ["us", "US"])
async def test_of_options_that_differ_in_case_only_the_one_typed_is_sent(stage: Stage, wanted: str) -> None:
    window, received = await opened(stage, LOOK_ALIKES)
    combo = find(window, QComboBox, "What")
    type_into(combo, wanted)
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, what=wanted)


async def test_what_is_typed_and_fits_two_options_is_no_choice(stage: Stage) -> None:
    window, received = await opened(stage, LOOK_ALIKES)
    combo = find(window, QComboBox, "What")
    type_into(combo, "stay here")
    QTest.keyClick(combo, Qt.Key.Key_Tab)
    await stage.screen.affirm(window)
    await until(lambda: received.replies() or NOT_OFFERED in shown(window), "the window to do something")
    assert received.replies() == [], "never a guess"


# several

DAYS = {"type": "array", "title": "Days", "items": {"enum": ["Mon", "Tue", "Wed"]}}
FEW = script.tool({"ask": form(days=DAYS)})
BOUNDED = script.tool({"ask": form(days={**DAYS, "minItems": 2, "maxItems": 2})})


async def test_the_count_follows_the_boxes(stage: Stage) -> None:
    window, received = await opened(stage, FEW)
    assert "0 of 3 chosen" in shown(window)
    for day, count in (("Mon", 1), ("Wed", 2), ("Mon", 1)):
        press(find(window, QCheckBox, f"Days: {day}"))
        assert f"{count} of 3 chosen" in shown(window)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, days=["Wed"])


async def test_boxes_are_checked_with_the_space_bar(stage: Stage) -> None:
    window, received = await opened(stage, FEW)
    first = find(window, QCheckBox, "Days: Mon")
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Tab)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert "1 of 3 chosen" in shown(window)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, days=["Tue"])


async def test_too_few_or_too_many_boxes_are_named(stage: Stage) -> None:
    window, received = await opened(stage, BOUNDED)
    assert "Choose 2 to 2" in shown(window) or "Choose 2" in shown(window)
    press(find(window, QCheckBox, "Days: Mon"))
    await stage.screen.affirm(window)
    assert "Choose at least 2." in shown(window)
    press(find(window, QCheckBox, "Days: Tue"))
    press(find(window, QCheckBox, "Days: Wed"))
    assert "Choose at most 2." in shown(window)
    assert not received.replies()
    press(find(window, QCheckBox, "Days: Tue"))
    press(window.affirm)
    assert await received.reply() == accepted(window, days=["Mon", "Wed"])


LIST = [f"Seat {row}{place}" for row in range(1, 9) for place in "AB"]
SEVERAL = script.tool({"ask": form(seats={"type": "array", "title": "Seats", "items": {"enum": LIST}})})


def rows_shown(rows: QListWidget) -> list[str]:
    """The rows of a list that a search leaves."""
    return [rows.item(n).text() for n in range(rows.count()) if not rows.item(n).isHidden()]


async def test_many_options_are_a_list_that_is_searched_and_counted(stage: Stage) -> None:
    window, received = await opened(stage, SEVERAL)
    rows = find(window, QListWidget, "Seats")
    assert not all_of(window, QCheckBox)
    assert "0 of 16 chosen" in shown(window)
    check_row(rows, "Seat 1A")
    assert "1 of 16 chosen" in shown(window)
    type_into(find(window, QLineEdit, "Search in 16 choices"), "4")
    assert rows_shown(rows) == ["Seat 4A", "Seat 4B"]
    check_row(rows, "Seat 4B")
    assert "2 of 16 chosen" in shown(window), "what the search hides is counted too"
    type_into(find(window, QLineEdit, "Search in 16 choices"), "seat 1")
    check_row(rows, "Seat 1A")
    type_into(find(window, QLineEdit, "Search in 16 choices"), "")
    assert rows_shown(rows) == LIST
    assert "1 of 16 chosen" in shown(window)
    check_row(rows, "Seat 8A")
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, seats=["Seat 4B", "Seat 8A"])


async def test_a_row_is_checked_with_the_space_bar_while_the_list_is_searched(stage: Stage) -> None:
    window, received = await opened(stage, SEVERAL)
    rows, search = find(window, QListWidget, "Seats"), find(window, QLineEdit, "Search in 16 choices")
    type_into(search, "7")
    QTest.keyClick(search, Qt.Key.Key_Tab)
    assert window.focusWidget() is rows
    QTest.keyClick(rows, Qt.Key.Key_Down)
    QTest.keyClick(rows, Qt.Key.Key_Space)
    assert "1 of 16 chosen" in shown(window)
    await stage.screen.affirm(window)
    assert (await received.reply()) in [accepted(window, seats=[seat]) for seat in ("Seat 7A", "Seat 7B")]


@pytest.mark.parametrize("before", ["Seat 1A", "Seat 8B"])
async def test_no_key_checks_a_row_that_the_search_hides(stage: Stage, before: str) -> None:
    """The row that was clicked last is hidden by the search; then the list is entered with Tab."""
    window, _ = await opened(stage, SEVERAL)
    rows, search = find(window, QListWidget, "Seats"), find(window, QLineEdit, "Search in 16 choices")
    wrong: dict[str, list[str]] = {}
    for which in (Qt.Key.Key_Shift, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
        type_into(search, "")
        check_row(rows, before)
        check_row(rows, before)
        assert "0 of 16 chosen" in shown(window)
        type_into(search, "seat 4a")
        QTest.keyClick(search, Qt.Key.Key_Tab)
        for one in (which, Qt.Key.Key_Space):
            QTest.keyClick(window.focusWidget(), one)
        checked = [rows.item(n).text() for n in range(16) if rows.item(n).checkState() is Qt.CheckState.Checked]
        if not set(checked) <= {"Seat 4A"}:
            wrong[which.name] = checked
        type_into(search, "")
        for text in checked:
            check_row(rows, text)
    assert wrong == {}


async def test_a_search_that_finds_nothing_keeps_what_is_chosen(stage: Stage) -> None:
    window, received = await opened(stage, SEVERAL)
    rows = find(window, QListWidget, "Seats")
    check_row(rows, "Seat 2B")
    type_into(find(window, QLineEdit, "Search in 16 choices"), "balcony")
    assert rows_shown(rows) == []
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, seats=["Seat 2B"])


# yes, no, and neither

MEMBER = script.tool({"ask": form(member={"type": "boolean", "title": "Member"})})


@pytest.mark.parametrize("first", ["Yes", "No"])
async def test_an_answer_of_yes_or_no_can_be_taken_back(stage: Stage, first: str) -> None:
    window, received = await opened(stage, MEMBER)
    assert not all_of(window, QToolButton, "Take the answer back")
    press(find(window, QRadioButton, f"Member: {first}"))
    press(button(window, "Take the answer back"))
    assert not [one for one in all_of(window, QRadioButton) if one.isChecked()]
    assert not all_of(window, QToolButton, "Take the answer back")
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window)


async def test_yes_or_no_is_answered_again_after_it_was_taken_back(stage: Stage) -> None:
    window, received = await opened(stage, MEMBER)
    press(find(window, QRadioButton, "Member: Yes"))
    press(button(window, "Take the answer back"))
    press(find(window, QRadioButton, "Member: No"))
    assert len([one for one in all_of(window, QRadioButton) if one.isChecked()]) == 1
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, member=False)


# numbers

NUMBER = script.tool({"ask": form(weight={"type": "number", "title": "Weight", "minimum": 0, "multipleOf": 0.5})})
WHOLE = script.tool({"ask": form(count={"type": "integer", "title": "Count"})})


ODD_NUMBERS = {
    "1,5": "Not a number yet. Example: 1.5",
    "-": "Not a number yet. Example: 1.5",
    "1e": "Not a number yet. Example: 1.5",
    "0x10": "Not a number yet. Example: 1.5",
    "٣": "Not a number yet. Example: 1.5",
    "-2": "This must be at least 0.",
    "1.3": "This must be a multiple of 0.5.",
    "1e999": "This number is too large to send.",
}


async def test_a_number_keeps_what_was_typed_and_says_what_is_wrong(stage: Stage) -> None:
    window, received = await opened(stage, NUMBER)
    await stage.screen.heard(window)
    field = find(window, QLineEdit, "Weight")
    for typed, sentence in ODD_NUMBERS.items():
        write_into(field, typed)
        assert sentence in shown(window), typed
        QTest.keyClick(field, Qt.Key.Key_Tab)
        assert field.text() == typed, "leaving the field changes nothing"
        press(window.affirm)
        assert "1 answer to correct" in shown(window)
        assert window.focusWidget() is field
        type_into(field, "1.5")
        assert sentence not in shown(window)
    assert not received.replies()
    press(window.affirm)
    assert await received.reply() == accepted(window, weight=1.5)


@pytest.mark.parametrize(("typed", "sent"), [("1.", "1"), ("1.0", "1"), ("+7", "7"), (" 12 ", "12"), ("007", "7")])
async def test_a_whole_number_in_an_odd_spelling_is_either_named_or_sent_as_a_number(
    stage: Stage, typed: str, sent: str
) -> None:
    window, received = await opened(stage, WHOLE)
    field = find(window, QLineEdit, "Count")
    type_into(field, typed)
    await stage.screen.affirm(window)
    await until(lambda: received.replies() or "to correct" in shown(window), "the window to do something")
    if received.replies():
        assert received.replies() == [accepted(window, count=int(sent))]
    else:
        assert "Not a whole number yet. Example: 3" in shown(window)
        assert field.text() == typed


# text: count, hints, patterns

COUNTED = script.tool({"ask": form(nick={"type": "string", "title": "Nickname", "maxLength": 5})})


def count_of(window: FormWindow) -> QLabel:
    """The line that counts characters."""
    return next(one for one in all_of(window, QLabel) if "characters" in one.text())


async def test_characters_are_counted_and_the_count_turns_red_when_there_are_too_many(stage: Stage) -> None:
    window, _ = await opened(stage, COUNTED)
    field, count = find(window, QLineEdit, "Nickname"), count_of(window)
    for typed, text, tone in (
        ("", "0 of 5 characters", "muted"),
        ("abcde", "5 of 5 characters", "muted"),
        ("abcdef", "6 of 5 characters", "bad"),
        ("😀😀", "2 of 5 characters", "muted"),
    ):
        write_into(field, typed)
        assert (count.text(), count.property("tone")) == (text, tone), typed
    assert field.text() == "😀😀", "typing is never cut off"


HINTED = script.tool(
    {"ask": form(age={"type": "integer", "title": "Age", "description": "In years", "minimum": 18, "maximum": 99})}
)


async def test_a_hint_makes_room_for_the_error_and_comes_back(stage: Stage) -> None:
    window, _ = await opened(stage, HINTED)
    field = find(window, QLineEdit, "Age")
    assert "From 18 to 99" in shown(window)
    type_into(field, "7")
    await until(lambda: "This must be from 18 to 99." in shown(window), "the error")
    assert "From 18 to 99" not in shown(window)
    assert "In years" in shown(window)
    type_into(field, "20")
    await until(lambda: "This must be from 18 to 99." not in shown(window), "the error to go")
    assert "From 18 to 99" in shown(window)


UNUSABLE = script.tool({"ask": form(code={"type": "string", "title": "Code", "pattern": "(unclosed"})})


async def test_a_rule_that_cannot_be_read_is_said_and_blocks_nothing(stage: Stage) -> None:
    window, received = await opened(stage, UNUSABLE)
    type_into(find(window, QLineEdit, "Code"), "anything")
    notice = "The server’s rule for “code” cannot be read and was not applied."
    await until(lambda: notice in shown(window), "the notice")
    assert "to correct" not in shown(window)
    assert find(window, QLineEdit, "Code").property("invalid") != "true"
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, code="anything")


NAMELESS = script.tool({"ask": form(**{"": {"type": "string"}, "bare": {"type": "string"}})})


async def test_a_field_without_a_name_says_so_and_is_sent(stage: Stage) -> None:
    window, received = await opened(stage, NAMELESS)
    assert "(no name)" in shown(window)
    assert "bare" in shown(window)
    first = all_of(window, QLineEdit)[0]
    type_into(first, "x")
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, **{"": "x"})


SECRET = script.tool(
    {"ask": form(word={"type": "string", "title": "Password", "maxLength": 2000}, name={"type": "string"})}
)


async def test_a_password_is_masked_and_says_that_it_is_not_kept(stage: Stage) -> None:
    window, _ = await opened(stage, SECRET)
    secret = find(window, QLineEdit, "Password")
    assert secret.echoMode() == QLineEdit.EchoMode.Password
    type_into(secret, "hunter2")
    assert secret.displayText() == "●" * 7 or set(secret.displayText()) != set("hunter2")
    assert "hunter2" not in secret.displayText()
    assert "Masked. It is not kept." in shown(window)
    assert find(window, QLineEdit, "name").echoMode() == QLineEdit.EchoMode.Normal


# dates

DAY = script.tool({"ask": form(day={"type": "string", "format": "date", "title": "Arrival", "default": "2027-06-15"})})
NO_DAY = script.tool({"ask": form(day={"type": "string", "format": "date", "title": "Arrival"})})
ODD = "2027-06-15t09:30:00.250z"
MOMENT = script.tool({"ask": form(at={"type": "string", "format": "date-time", "title": "Departure", "default": ODD})})
OLDEST = script.tool({"ask": form(at={"type": "string", "format": "date-time", "title": "Departure"})})


async def picker_of(window: FormWindow, field: str) -> DatePicker:
    """Click the calendar in a field."""
    line = find(window, QLineEdit, field)
    press(find(line, QToolButton))
    popups = [one for one in QApplication.topLevelWidgets() if isinstance(one, DatePicker) and one.isVisible()]
    assert len(popups) == 1
    return popups[0]


def click_day(picker: DatePicker, day: int) -> None:
    """Click a day of the month that the calendar shows."""
    table = find(picker.calendar, QAbstractItemView)
    model = table.model()
    places = [model.index(row, column) for row in range(1, 7) for column in range(7)]
    cell = next(one for one in places if one.data() == day and one.row() < 4 + (day > 15))
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, table.visualRect(cell).center()
    )


async def test_a_click_on_a_day_enters_it(stage: Stage) -> None:
    window, received = await opened(stage, DAY)
    picker = await picker_of(window, "Arrival")
    assert picker.calendar.selectedDate() == QDate(2027, 6, 15)
    click_day(picker, 12)
    await until(lambda: gone(picker), "the calendar to close")
    assert find(window, QLineEdit, "Arrival").text() == "2027-06-12"
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, day="2027-06-12")


async def test_a_day_is_chosen_with_keys_only(stage: Stage) -> None:
    window, received = await opened(stage, DAY)
    picker = await picker_of(window, "Arrival")
    table = find(picker.calendar, QAbstractItemView)
    assert picker.calendar.hasFocus() or table.hasFocus()
    for which in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(table, which)
    await until(lambda: gone(picker), "the calendar to close")
    field = find(window, QLineEdit, "Arrival")
    assert field.text() == "2027-06-23"
    assert window.focusWidget() is field
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, day="2027-06-23")


async def test_escape_closes_the_calendar_only(stage: Stage) -> None:
    window, received = await opened(stage, DAY)
    picker = await picker_of(window, "Arrival")
    QTest.keyClick(find(picker.calendar, QAbstractItemView), Qt.Key.Key_Escape)
    await until(lambda: gone(picker), "the calendar to close")
    await holds(lambda: not gone(window) and not received.replies(), 0.1, "the window stays")
    assert find(window, QLineEdit, "Arrival").text() == "2027-06-15"


async def test_a_day_can_be_typed_instead(stage: Stage) -> None:
    window, received = await opened(stage, NO_DAY)
    field = find(window, QLineEdit, "Arrival")
    field.setFocus()
    QTest.keyClicks(field, "2028-02-29")
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, day="2028-02-29")


async def test_day_time_and_zone_are_chosen(stage: Stage) -> None:
    window, received = await opened(stage, MOMENT)
    picker = await picker_of(window, "Departure")
    assert picker.calendar.selectedDate() == QDate(2027, 6, 15)
    time, zone = find(picker, QTimeEdit, "Time"), find(picker, QComboBox, "Time zone")
    assert time.time() == QTime(9, 30)
    assert zone.currentText() == "UTC"
    click_day(picker, 20)
    assert not gone(picker), "the time is still to be chosen"
    time.setFocus()
    time.setCurrentSection(QTimeEdit.Section.HourSection)
    QTest.keyClick(time, Qt.Key.Key_Up)
    choose(zone, "UTC+02:00")
    press(button(picker, "Use"))
    await until(lambda: gone(picker), "the calendar to close")
    assert find(window, QLineEdit, "Departure").text() == "2027-06-20T10:30:00+02:00"
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, at="2027-06-20T10:30:00+02:00")


async def test_the_zone_of_this_computer_is_sent_with_its_offset(stage: Stage) -> None:
    window, received = await opened(stage, OLDEST)
    picker = await picker_of(window, "Departure")
    zone = find(picker, QComboBox, "Time zone")
    assert zone.currentText().startswith("Here (UTC")
    here = zone.currentText().removeprefix("Here (UTC").removesuffix(")")
    press(button(picker, "Use"))
    await stage.screen.affirm(window)
    today = QDate.currentDate().toString(Qt.DateFormat.ISODate)
    assert await received.reply() == accepted(window, at=f"{today}T12:00:00{here}")


async def test_a_suggestion_in_an_odd_spelling_goes_back_byte_for_byte(stage: Stage) -> None:
    window, received = await opened(stage, MOMENT)
    assert find(window, QLineEdit, "Departure").text() == ODD
    picker = await picker_of(window, "Departure")
    QTest.keyClick(find(picker.calendar, QAbstractItemView), Qt.Key.Key_Escape)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, at=ODD)


@pytest.mark.parametrize(
    "typed", ["0001-01-01T00:00:00Z", "1752-01-01T00:00:00-00:00", "9999-12-31T23:59:60+14:00", "1900-01-01T00:00:00Z"]
)
async def test_the_calendar_opens_at_the_ends_of_time(stage: Stage, typed: str) -> None:
    window, _ = await opened(stage, OLDEST)
    type_into(find(window, QLineEdit, "Departure"), typed)
    picker = await picker_of(window, "Departure")
    choose(find(picker, QComboBox, "Time zone"), "UTC")
    press(button(picker, "Use"))
    await until(lambda: gone(picker), "the calendar to close")
    assert find(window, QLineEdit, "Departure").text().endswith("Z")


async def test_the_calendar_closes_with_a_window_whose_ask_is_over(stage: Stage) -> None:
    panel, window, _ = await stage.run("handshake", DAY, FormWindow)
    await activate(window)
    picker = await picker_of(window, "Arrival")
    stage.screen.cancel(panel)
    await until(lambda: "This question ended with its call" in shown(window), "the window to say so")
    if not gone(picker):
        click_day(picker, 12)
    assert find(window, QLineEdit, "Arrival").text() == "2027-06-15", "nothing is changed any more"


# JSON

TAGS: Json = {"type": "object", "title": "Tags", "properties": {"inner": {"type": "object"}}, "required": ["inner"]}
TAGGED = script.tool({"ask": form(tags=TAGS)})


def colours_of(block: QPlainTextEdit) -> dict[str, str]:
    """The pieces of the first line that have a colour of their own."""
    line = block.document().firstBlock()
    formats: list[QTextLayout.FormatRange] = line.layout().formats()
    return {line.text()[one.start : one.start + one.length]: one.format.foreground().color().name() for one in formats}


async def test_keys_texts_numbers_and_words_of_json_have_colours(stage: Stage) -> None:
    window, _ = await opened(stage, TAGGED)
    block = find(window, QPlainTextEdit, "Tags")
    type_into(block, '{"inner": {"a": "b", "n": -1.5e3, "t": true}}')
    found = colours_of(block)
    assert set(found) == {'"inner"', '"a"', '"b"', '"n"', "-1.5e3", '"t"', "true"}
    assert found['"inner"'] == found['"a"'] == found['"n"'] == found['"t"']
    assert len({found['"a"'], found['"b"'], found["-1.5e3"], found["true"]}) == 4


async def test_json_with_a_mistake_is_named_by_line_and_column(stage: Stage) -> None:
    window, received = await opened(stage, TAGGED)
    block = find(window, QPlainTextEdit, "Tags")
    QGuiApplication.clipboard().setText('{\n  "inner": {}\n  "b": 2\n}')
    type_into(block, "")
    QTest.keyClick(block, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "This is not JSON yet (line 3, column 3)." in shown(window), "the place")
    before = block.toPlainText()
    press(button(window, "Tidy up"))
    assert block.toPlainText() == before, "what cannot be read is left alone"
    await stage.screen.affirm(window)
    assert "1 answer to correct" in shown(window)
    assert not received.replies()


async def test_tidy_up_lays_json_out_and_sends_the_same(stage: Stage) -> None:
    window, received = await opened(stage, TAGGED)
    block = find(window, QPlainTextEdit, "Tags")
    write_into(block, '{"inner":{"ü":[1,12345678901234567890,0.1,"\\u00e9"]}}')
    press(button(window, "Tidy up"))
    assert block.toPlainText().splitlines()[:2] == ["{", '  "inner": {']
    assert '"ü": [' in block.toPlainText()
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, tags={"inner": {"ü": [1, 12345678901234567890, 0.1, "é"]}})


@pytest.mark.parametrize("text", ["[" * 30_000, '{"inner": ' * 30_000], ids=["lists", "objects"])
async def test_json_nested_without_end_is_an_error_and_tidy_up_leaves_it_alone(stage: Stage, text: str) -> None:
    window, received = await opened(stage, TAGGED)
    block = find(window, QPlainTextEdit, "Tags")
    QGuiApplication.clipboard().setText(text)
    block.setFocus()
    QTest.keyClick(block, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: "This is not JSON yet" in shown(window), "the error")
    press(button(window, "Tidy up"))
    assert block.toPlainText() == text
    assert not received.replies()


async def test_what_the_server_expects_is_shown_on_a_click(stage: Stage) -> None:
    window, _ = await opened(stage, TAGGED)
    assert not all_of(window, QPlainTextEdit, "What the server expects")
    press(find(window, QToolButton, "What the server expects"))
    view = find(window, QPlainTextEdit, "What the server expects")
    assert json.loads(view.toPlainText()) == TAGS
    assert view.isReadOnly()
    press(find(window, QToolButton, "What the server expects"))
    assert not view.isVisible()


@pytest.mark.parametrize("text", ['{"inner": {}}', '{"inner":{"a":[{}],"b":null,"c":"\\ud83d\\ude00"}}'])
async def test_json_is_sent_as_the_value_it_is(stage: Stage, text: str) -> None:
    window, received = await opened(stage, TAGGED)
    type_into(find(window, QPlainTextEdit, "Tags"), text)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, tags=json.loads(text))


async def test_json_that_breaks_the_servers_rules_is_told_and_not_sent(stage: Stage) -> None:
    window, received = await opened(stage, TAGGED)
    type_into(find(window, QPlainTextEdit, "Tags"), '{"outer": 1}')
    await until(lambda: "This does not fit the server’s rules" in shown(window), "the rule")
    await stage.screen.affirm(window)
    await holds(lambda: not received.replies(), 0.1, "nothing is sent")


SUGGESTED_JSON = script.tool({"ask": form(tags={**TAGS, "default": {"inner": {"a": 1}}})})


async def test_a_suggestion_of_json_that_nobody_touched_goes_back_and_leaves_no_draft(stage: Stage) -> None:
    await stage.screen.program.bridge.ask(lambda engine: engine.clear_kept("drafts"))
    window, received = await opened(stage, SUGGESTED_JSON)
    assert json.loads(find(window, QPlainTextEdit, "Tags").toPlainText()) == {"inner": {"a": 1}}
    await asyncio.sleep(0.4)
    kept = await stage.screen.program.bridge.ask(lambda engine: engine.kept())
    assert kept["drafts"] == 0
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, tags={"inner": {"a": 1}})


STORY = script.tool({"ask": form(story={"type": "string", "title": "Story", "maxLength": 5000})})


async def test_long_text_takes_lines_and_leaves_with_tab(stage: Stage) -> None:
    window, received = await opened(stage, STORY)
    block = find(window, QPlainTextEdit, "Story")
    block.setFocus()
    QTest.keyClicks(block, "one")
    QTest.keyClick(block, Qt.Key.Key_Return)
    QTest.keyClicks(block, "two")
    QTest.keyClick(block, Qt.Key.Key_Tab)
    assert window.focusWidget() is not block
    assert "7 of 5000 characters" in shown(window)
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, story="one\ntwo")


CONFIRM = script.tool(
    {
        "ask": form(
            "sure", sure={"type": "boolean", "title": "Delete & forget", "description": "No way back", "default": False}
        )
    }
)


async def test_a_confirmation_is_one_box_with_its_explanation(stage: Stage) -> None:
    window, received = await opened(stage, CONFIRM)
    box = find(window, QCheckBox)
    assert "Delete & forget" in shown(window)
    assert "No way back" in shown(window)
    assert not box.isChecked()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(12, box.height() // 2))
    await stage.screen.affirm(window)
    assert await received.reply() == accepted(window, sure=True)
