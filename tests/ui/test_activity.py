"""The Activity page: what was asked, who decided and why, filtered, opened and proved."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QTableView, QToolButton

from desktop_host.audit.log import audit_file
from desktop_host.audit.reading import PART
from desktop_host.config.paths import config_dir
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.pages.activity import ActivityPage
from tests.support.windows import button, choose, find, press, shown, type_into, until
from tests.test_audit import write
from tests.ui.screen import Screen, Start, hurry
from tests.ui.stage import TEXT, form, link

TOOLS = {
    "form": [{"ask": form(message="Who are you?", name=TEXT)}],
    "password": [{"ask": form(message="Sign in", password=TEXT)}],
    "link": [{"ask": link("http://example.org/")}],
}


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


def rows(page: ActivityPage) -> list[tuple[str, ...]]:
    """What the table shows, without the times."""
    model = page.table.model()
    places = (range(1, model.columnCount()) for _ in range(model.rowCount()))
    return [tuple(str(model.index(row, column).data()) for column in columns) for row, columns in enumerate(places)]


@pytest.fixture(autouse=True)
def kept_for_good(folders: Path) -> None:
    """What tests write is of long ago."""
    config_dir().mkdir(parents=True, exist_ok=True)
    (config_dir() / "settings.json").write_text('{"record.days": "36500"}', encoding="utf-8")


async def at_activity(screen: Screen) -> ActivityPage:
    press(find(screen.window, QToolButton, "Activity"))
    page = screen.window.activity
    await until(page.isVisible, "the page")
    return page


async def test_what_was_asked_and_decided_is_listed_newest_first_and_opens(start: Start) -> None:
    screen, _ = await start(TOOLS)
    page = await at_activity(screen)
    await until(lambda: "Nothing yet. What servers ask you is listed here." in shown(page), "that there is nothing")
    panel = await screen.run("raw", "form")
    window = await screen.ask(FormWindow)
    type_into(find(window, QLineEdit, "Name"), "Mo")
    await screen.affirm(window)
    await screen.ended(panel)
    panel = await screen.run("raw", "password")
    press((await screen.ask(FormWindow)).decline)
    await screen.ended(panel)
    await screen.ended(await screen.run("raw", "link"))
    page = await at_activity(screen)
    secret = "This form asks for a secret. A form is not a safe place for it; servers should use a link."
    await until(lambda: len(rows(page)) == 3, "three entries")
    assert [row[:4] for row in rows(page)] == [
        ("raw", "Link", "http://example.org/", "Refused"),
        ("raw", "Form", "Sign in", "You declined"),
        ("raw", "Form", "Who are you?", "You agreed"),
    ]
    assert [row[4] == "—" for row in rows(page)] == [True, False, True], secret
    await until(lambda: "Every entry is as it was written" in shown(page), "the proof")
    page.table.selectRow(2)
    await until(lambda: "What it was answered" in shown(page), "the entry")
    for words in ("Who are you?", "raw · during form", "A form is never filled in for you.", "Entry 1"):
        assert words in shown(page)
    assert "Protocol revision 2" in shown(page)
    press(button(page, "Copy the whole entry"))
    copied = json.loads(QApplication.clipboard().text())
    assert (copied["id"], copied["entry"]["outcome"], len(copied["hash"])) == (1, "accept", 64)
    page.table.selectRow(0)
    await until(lambda: "The server sent a link that is not encrypted. It was refused." in shown(page), "why")
    press(find(page, QToolButton, "Close"))
    assert "Entry 3" not in shown(page)


async def test_what_comes_while_the_person_looks_appears(start: Start) -> None:
    screen, _ = await start(TOOLS)
    panel = await screen.panel("raw", "link")
    page = await at_activity(screen)
    panel.run_button.click()
    await until(lambda: len(rows(page)) == 1, "the new entry")
    page.table.selectRow(0)
    panel.run_button.click()
    await until(lambda: len(rows(page)) == 2, "the next one")
    assert page.table.selectionModel().selectedRows()[0].row() == 1, "what was open stays open"


async def test_entries_are_filtered_and_found(start: Start) -> None:
    await write(audit_file(), 3, server="travel")
    await write(audit_file(), 2, server="calendar", message='Say "hello" to Zürich')
    with closing(sqlite3.connect(audit_file())) as connection, connection:
        connection.execute("UPDATE asks SET ended = ? WHERE id = 5", (time.time() - 100,))
    screen, _ = await start(TOOLS)
    page = await at_activity(screen)
    await until(lambda: len(rows(page)) == 5, "all entries")
    await until(lambda: "Entry 5 was changed, or entries before it are gone" in shown(page), "the proof to fail")
    choose(find(page, QComboBox, "Server"), "travel")
    await until(lambda: len(rows(page)) == 3, "those of a server")
    choose(find(page, QComboBox, "Kind"), "Link")
    await until(lambda: "Nothing fits these filters." in shown(page), "that there are none")
    press(button(page, "Clear"))
    await until(lambda: len(rows(page)) == 5, "all entries again")
    for text in ('"hello"', "zürich", "SAY", "calendar"):
        find(page, QLineEdit, "Search what was asked and answered").setText(text)
        await until(lambda: len(rows(page)) == 2, f"what holds {text}")
    choose(find(page, QComboBox, "Time"), "Last 24 hours")
    await until(lambda: len(rows(page)) == 1, "the new one")
    choose(find(page, QComboBox, "Decision"), "You declined")
    await until(lambda: "Nothing fits these filters." in shown(page), "that there are none")


async def test_a_long_log_is_read_a_part_at_a_time(start: Start) -> None:
    await write(audit_file(), PART + 50)
    screen, _ = await start(TOOLS)
    page = await at_activity(screen)
    await until(lambda: len(rows(page)) == PART, "the first part")
    assert f"{PART} of {PART + 50} entries" in shown(page)
    page.table.scrollToBottom()
    await until(lambda: len(rows(page)) == PART + 50, "the rest")
    page.table.scrollToBottom()
    table = find(page, QTableView, "Activity")
    table.setFocus(Qt.FocusReason.OtherFocusReason)
    table.selectRow(PART + 49)
    await until(lambda: "Entry 1" in shown(page), "the oldest entry")


async def test_what_servers_wrote_is_shown_plainly(start: Start) -> None:
    hostile = "<b>bold</b>\u202e\x1b[31m"
    await write(audit_file(), 1, server=hostile, message=hostile)
    screen, _ = await start(TOOLS)
    page = await at_activity(screen)
    await until(lambda: len(rows(page)) == 1, "the entry")
    seen = "<b>bold</b>‹U+202E›‹U+001B›[31m"
    assert rows(page)[0][0] == rows(page)[0][2] == seen
    page.table.selectRow(0)
    await until(lambda: shown(page).count(seen) >= 1, "the entry")
    assert "\u202e" not in shown(page)
