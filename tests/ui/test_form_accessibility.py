"""Forms for those who do not see them, and for those who write with an input method."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QRadioButton,
    QWidget,
)

from desktop_host.ui.asks.form_window import FormWindow
from tests.support.windows import (
    activate,
    all_of,
    button,
    check_row,
    compose,
    find,
    gone,
    holds,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.screen import Received
from tests.ui.stage import Script, Stage, form

pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)

# what a screen reader says of a field


def spoken(widget: QWidget) -> str:
    """What a screen reader says of a control after its name."""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Description)


SEATS = [f"Seat {n}" for n in range(1, 16)]
FIELDS = script.tool(
    {
        "ask": form(
            "name",
            "age",
            "yes",
            name={"type": "string", "title": "Name", "description": "As in the passport."},
            age={"type": "integer", "title": "Age", "description": "In years", "minimum": 18, "maximum": 99},
            nick={"type": "string", "title": "Nickname"},
            code={"type": "string", "title": "Code", "pattern": "^[A-Z]$"},
            story={"type": "string", "title": "Story", "description": "Anything", "maxLength": 2000},
            yes={"type": "boolean", "title": "Member", "description": "Of the club"},
            town={"type": "string", "title": "Town", "description": "Nearest", "enum": list("abcdef")},
            days={
                "type": "array", "title": "Days", "description": "To travel", "minItems": 1,
                "items": {"enum": ["Mon", "Tue"]},
            },
            seats={"type": "array", "title": "Seats", "description": "Wanted", "items": {"enum": SEATS}},
            extra={"type": "object", "title": "Extra", "description": "As JSON"},
            day={"type": "string", "format": "date", "title": "Arrival", "description": "At noon"},
        )
    }
)  # fmt: skip


async def test_a_control_tells_whether_it_is_needed_what_it_is_for_and_its_bounds(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", FIELDS, FormWindow)
    assert spoken(find(window, QLineEdit, "Name")) == "Needed. As in the passport"
    assert spoken(find(window, QLineEdit, "Age")) == "Needed. In years. From 18 to 99"
    assert spoken(find(window, QLineEdit, "Nickname")) == ""
    assert spoken(find(window, QLineEdit, "Code")) == "Must match ^[A-Z]$"
    assert spoken(find(window, QPlainTextEdit, "Story")).startswith("Anything")
    assert spoken(find(window, QComboBox, "Town")) == "Nearest"
    assert spoken(find(window, QListWidget, "Seats")) == "Wanted"
    assert spoken(find(window, QPlainTextEdit, "Extra")) == "As JSON"
    assert spoken(find(window, QLineEdit, "Arrival")) == "At noon"
    for name in ("Yes", "No"):
        assert spoken(find(window, QRadioButton, f"Member: {name}")) == "Needed. Of the club"
    for day in ("Mon", "Tue"):
        assert spoken(find(window, QCheckBox, f"Days: {day}")) == "To travel. Choose at least 1"


async def test_a_control_tells_what_is_wrong_first_and_no_longer_when_it_is_right(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", FIELDS, FormWindow)
    age = find(window, QLineEdit, "Age")
    type_into(age, "7")
    assert spoken(age) == "Needed. This must be from 18 to 99. In years. From 18 to 99"
    await stage.screen.affirm(window)
    assert spoken(find(window, QLineEdit, "Name")) == "Needed. This is needed. As in the passport"
    assert spoken(find(window, QRadioButton, "Member: No")) == "Needed. This is needed. Of the club"
    type_into(age, "20")
    assert spoken(age) == "Needed. In years. From 18 to 99"
    type_into(find(window, QLineEdit, "Code"), "x")
    await until(lambda: "This does not have the form" in shown(window), "the engine's check")
    assert spoken(find(window, QLineEdit, "Code")).startswith("This does not have the form the server wants: ^[A-Z]$")


TURNED = script.tool({"ask": form(a={"type": "string", "title": "A", "description": "a\u202eb\nc"})})


async def test_what_is_said_of_a_field_hides_and_turns_nothing(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", TURNED, FormWindow)
    assert spoken(find(window, QLineEdit, "A")) == "a‹U+202E›b c"


COUNTED = script.tool({"ask": form(a={"type": "string", "title": "A", "minLength": 2, "maxLength": 5})})


async def test_the_bounds_of_a_text_are_said_too(stage: Stage) -> None:
    """The count of characters is beside the label, where nobody who cannot see comes upon it."""
    _, window, _ = await stage.run("handshake", COUNTED, FormWindow)
    assert "5" in spoken(find(window, QLineEdit, "A"))


async def test_a_screen_reader_can_name_every_row_of_a_list_of_choices(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", FIELDS, FormWindow)
    rows = find(window, QListWidget, "Seats")
    check_row(rows, "Seat 2")
    found = QAccessible.queryAccessibleInterface(rows)
    cells = [found.child(number) for number in range(found.childCount())]
    assert [cell.text(QAccessible.Text.Name) for cell in cells] == SEATS
    assert [bool(cell.state().checked) for cell in cells[:3]] == [False, True, False]


# writing with an input method, where Return ends a word and not the form

WRITING = script.tool(
    {
        "ask": form(
            name={"type": "string", "title": "Name"},
            story={"type": "string", "title": "Story", "maxLength": 2000},
            town={"type": "string", "title": "Town", "enum": ["Aachen", "Bremen", "Göttingen", "Tübingen", "Ulm"]},
            json={"type": "object", "title": "Extra"},
        )
    }
)


async def nothing_happens(window: FormWindow, received: Received) -> None:
    await holds(lambda: not gone(window) and not received.replies(), 0.15, "nothing is sent, nothing closes")


@pytest.mark.parametrize(
    ("kind", "name"),
    [(QLineEdit, "Name"), (QPlainTextEdit, "Story"), (QComboBox, "Town"), (QPlainTextEdit, "Extra")],
    ids=["line", "block", "combo", "json"],
)
async def test_return_while_a_word_is_composed_sends_nothing(stage: Stage, kind: type[QWidget], name: str) -> None:
    _, window, received = await stage.run("modern", WRITING, FormWindow)
    await activate(window)
    await stage.screen.heard(window)
    field = find(window, kind, name)
    field.setFocus()
    for which in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        compose(window.focusWidget(), "にほ")
        QTest.keyClick(window.focusWidget(), which)
    await nothing_happens(window, received)


async def test_return_while_a_reason_is_composed_declines_nothing(stage: Stage) -> None:
    """Where the input method does not keep the key to itself, the word is finished first."""
    _, window, received = await stage.run("modern", WRITING, FormWindow)
    await activate(window)
    next(one for one in window.decline.menu().actions() if "reason" in one.text()).trigger()
    reason = find(window, QLineEdit, "Reason")
    QTest.keyClicks(reason, "because ")
    compose(reason, "にほ")
    QTest.keyClick(reason, Qt.Key.Key_Return)
    await nothing_happens(window, received)


async def test_return_without_composition_declines_with_the_reason_only(stage: Stage) -> None:
    _, window, received = await stage.run("modern", WRITING, FormWindow)
    await activate(window)
    await stage.screen.heard(window)
    for kind, name in ((QLineEdit, "Name"), (QComboBox, "Town"), (QPlainTextEdit, "Story")):
        find(window, kind, name).setFocus()
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
        await nothing_happens(window, received)
    assert find(window, QPlainTextEdit, "Story").toPlainText() == "\n"
    next(one for one in window.decline.menu().actions() if "reason" in one.text()).trigger()
    QTest.keyClick(find(window, QLineEdit, "Reason"), Qt.Key.Key_Return)
    assert await received.reply() == b'{"ask1":{"action":"decline"}}'


async def test_a_composed_word_is_no_answer_until_it_is_finished(stage: Stage) -> None:
    _, window, received = await stage.run("modern", WRITING, FormWindow)
    await activate(window)
    field = find(window, QLineEdit, "Name")
    field.setFocus()
    compose(field, "にほ")
    assert "にほ" not in shown(window).replace(field.text(), "")
    await asyncio.sleep(0.3)
    assert '{"action": "accept", "content": {}}' in shown(window)
    compose(field, "")
    await stage.screen.affirm(window)
    assert await received.reply() == b'{"ask1":{"action":"accept","content":{}}}'


async def test_escape_while_a_word_is_composed_keeps_what_was_typed_before(stage: Stage) -> None:
    """Escape that the input method lets through closes the window; what was typed is a draft then."""
    panel, window, received = await stage.run("modern", WRITING, FormWindow)
    await activate(window)
    field = find(window, QLineEdit, "Name")
    field.setFocus()
    QTest.keyClicks(field, "Ada ")
    compose(field, "にほ")
    window.close()
    assert await received.reply() == b'{"ask1":{"action":"cancel"}}'
    await stage.screen.ended(panel)
    _, window, _ = await stage.run("modern", WRITING, FormWindow)
    press(button(window, "Use them"))
    assert find(window, QLineEdit, "Name").text() == "Ada "


async def test_no_button_of_a_form_is_pressed_by_return(stage: Stage) -> None:
    _, window, received = await stage.run("modern", WRITING, FormWindow)
    await activate(window)
    await stage.screen.heard(window)
    for one in all_of(window, QAbstractButton):
        assert not getattr(one, "isDefault", bool)(), one.text()
    QTest.keyClick(window, Qt.Key.Key_Return)
    await nothing_happens(window, received)
