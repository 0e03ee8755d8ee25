"""What a person typed into a form of a handshake server is there again when the program was closed and started anew."""

import asyncio

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QListWidget, QPlainTextEdit, QRadioButton

from desktop_host.ui.asks.form_window import FormWindow
from tests.support.windows import button, check_row, choose, find, press, shown, type_into
from tests.ui.runs import Runs, on_disk
from tests.ui.screen import hurry
from tests.ui.stage import TEXT, form

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
OFFER = "You typed answers to this form"
SEATS = [f"Seat {n}" for n in range(1, 16)]
NAME = {"tool": [{"ask": form(name=TEXT, born={"type": "integer", "title": "Born"})}]}
KINDS = {
    "tool": [
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
    ]
}


SECRET = {
    "tool": [
        {
            "ask": form(
                message="Log in.",
                name=TEXT,
                word={"type": "string", "title": "Password"},
                born={"type": "integer", "title": "Born"},
            )
        }
    ]
}


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows hear at once; that they do not is tested elsewhere."""
    hurry(monkeypatch)


def fill_in(window: FormWindow, name: str = "Ada Lovelace", born: str = "18") -> None:
    type_into(find(window, QLineEdit, "Name"), name)
    type_into(find(window, QLineEdit, "Born"), born)


@pytest.mark.parametrize("pause", [0.0, 0.4], ids=["at once", "after a pause"])
async def test_what_was_typed_is_offered_after_a_restart(runs: Runs, pause: float) -> None:
    screen = await runs.begin(NAME)
    _, window = await runs.form()
    fill_in(window)
    await asyncio.sleep(pause)
    await runs.close()
    assert runs.received.replies() == [b'{"action":"cancel"}']
    screen = await runs.again()
    assert screen.asks() == []
    _, window = await runs.form()
    assert OFFER in shown(window)
    assert find(window, QLineEdit, "Name").text() == ""
    press(button(window, "Use them"))
    await screen.affirm(window)
    assert await runs.received.reply(2) == b'{"action":"accept","content":{"name":"Ada Lovelace","born":18}}'


async def test_every_kind_of_field_comes_back(runs: Runs) -> None:
    await runs.begin(KINDS)
    _, window = await runs.form()
    type_into(find(window, QPlainTextEdit, "Story"), "Once upon")
    press(find(window, QRadioButton, "Member: No"))
    press(find(window, QCheckBox, "News"))
    choose(find(window, QComboBox, "Row"), "Row 7")
    press(find(window, QCheckBox, "Days: Tue"))
    check_row(find(window, QListWidget, "Seats"), "Seat 3")
    type_into(find(window, QLineEdit, "Arrival"), "2027-06-15")
    type_into(find(window, QPlainTextEdit, "Extra"), '{"a":1.0}')
    await runs.again()
    _, window = await runs.form()
    assert not find(window, QRadioButton, "Member: No").isChecked()
    press(button(window, "Use them"))
    assert find(window, QPlainTextEdit, "Extra").toPlainText() == '{"a":1.0}'
    assert "1 of 3 chosen" in shown(window)
    assert "1 of 15 chosen" in shown(window)
    await runs.screen.affirm(window)
    assert await runs.received.reply(2) == (
        b'{"action":"accept","content":{"story":"Once upon","yes":false,"no":false,"row":"Row 7",'
        b'"days":["Tue"],"seats":["Seat 3"],"day":"2027-06-15","json":{"a":1.0}}}'
    )


@BOTH
async def test_a_password_is_neither_kept_nor_offered(runs: Runs, era: str) -> None:
    screen = await runs.begin(SECRET, era)
    panel, window = await runs.form()
    fill_in(window)
    type_into(find(window, QLineEdit, "Password"), "hunter2")
    await asyncio.sleep(0.4)
    assert on_disk("Ada Lovelace")
    assert on_disk("hunter2") == []
    window.close()
    await screen.ended(panel)
    assert on_disk("hunter2") == []
    await runs.again()
    _, window = await runs.form()
    press(button(window, "Use them"))
    assert find(window, QLineEdit, "Name").text() == "Ada Lovelace"
    assert find(window, QLineEdit, "Password").text() == ""
