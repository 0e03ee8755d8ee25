"""A tool's panel: arguments, progress, cancelling, and every kind of result."""

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QProgressBar,
    QTableView,
)

from desktop_host.terms.state import ServerStatus
from tests.support.windows import (
    all_of,
    button,
    choose,
    find,
    gone,
    press,
    shown,
    table_text,
    type_into,
    until,
)
from tests.support.wire import SERVERS
from tests.ui.screen import Start, click_row, entry, open_screen, write_servers

TELLS = {"tell": [{"result": {"content": [{"type": "text", "text": "told"}]}}]}

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "title": "City", "minLength": 2},
        "nights": {"type": "integer", "title": "Nights", "minimum": 1, "maximum": 30},
        "sea": {"type": "boolean", "title": "Sea view", "description": "With a view", "default": False},
    },
    "required": ["city", "nights"],
}


async def test_arguments_are_checked_before_a_tool_runs(start: Start) -> None:
    screen, received = await start(TELLS, tell={"inputSchema": SCHEMA, "description": "Tells what it got."})
    panel = await screen.panel("raw", "tell")
    assert "Tells what it got." in shown(panel)
    press(panel.run_button)
    assert shown(panel).count("This is needed.") == 2
    type_into(find(panel, QLineEdit, "City"), "B")
    type_into(find(panel, QLineEdit, "Nights"), "31")
    press(panel.run_button)
    text = shown(panel)
    assert "This must have at least 2 characters." in text
    assert "This must be from 1 to 30." in text
    assert received.sent("tools/call") == []
    type_into(find(panel, QLineEdit, "City"), "Bonn")
    type_into(find(panel, QLineEdit, "Nights"), "3")
    press(find(panel, QCheckBox, "Sea view"))
    press(panel.run_button)
    assert "told" in await screen.ended(panel)
    line = await received.holds("tools/call")
    assert b'"arguments":{"city":"Bonn","nights":3,"sea":true}' in line


async def test_arguments_can_be_written_as_json(start: Start) -> None:
    screen, received = await start(TELLS, tell={"inputSchema": SCHEMA})
    panel = await screen.panel("raw", "tell")
    type_into(find(panel, QLineEdit, "City"), "Bonn")
    press(button(panel, "JSON"))
    text = find(panel, QPlainTextEdit, "Arguments as JSON")
    assert json.loads(text.toPlainText()) == {"city": "Bonn", "sea": False}
    type_into(text, '{"city": ')
    press(panel.run_button)
    assert "This is not JSON yet (line 1, column 10)." in shown(panel)
    type_into(text, "[1]")
    press(panel.run_button)
    assert "The arguments must be one JSON object." in shown(panel)
    assert received.sent("tools/call") == []
    type_into(text, '{"city": "Bonn", "extra": [1, 2.0]}')
    press(panel.run_button)
    assert "told" in await screen.ended(panel)
    assert b'"arguments":{"city":"Bonn","extra":[1,2.0]}' in await received.holds("tools/call")


async def test_progress_is_shown_and_a_call_cancelled(start: Start) -> None:
    steps = [
        {"progress": {"progress": 3, "total": 12, "message": "Counting"}},
        {"sleep": 0.4},
        {"progress": {"progress": 6, "total": 12}},
        {"sleep": 60},
    ]
    screen, received = await start({"count": steps})
    panel = await screen.run("raw", "count")
    await until(lambda: "Counting" in shown(panel), "the progress in words")
    bar = find(panel, QProgressBar)
    assert bar.value() / bar.maximum() == pytest.approx(3 / 12)
    await until(lambda: "6 / 12" in shown(panel), "the progress in numbers")
    assert bar.value() / bar.maximum() == pytest.approx(6 / 12)
    assert not panel.run_button.isEnabled()
    screen.cancel(panel)
    assert "Cancelled" in await screen.ended(panel)
    assert gone(bar)
    call = received.sent("tools/call")[0]["id"]
    await until(lambda: received.sent("notifications/cancelled"), "the server to hear of it")
    assert received.sent("notifications/cancelled")[0]["params"]["requestId"] == call


RESULT = {
    "content": [{"type": "text", "text": "Two <b>flights</b>"}],
    "structuredContent": {"flights": [{"to": "BCN", "price": 96}, {"to": "ROM", "price": 120.5, "late": True}]},
}
OUTPUT = {"type": "object", "properties": {"flights": {"type": "array"}}, "required": ["flights"]}


async def test_a_result_as_table_text_and_json(start: Start) -> None:
    screen, _ = await start({"find": [{"result": RESULT}]}, find={"outputSchema": OUTPUT})
    panel = await screen.run("raw", "find")
    text = await screen.ended(panel)
    assert "Done" in text
    assert "matches its schema" in text
    assert table_text(find(panel.result, QTableView)) == "to\tprice\tlate\nBCN\t96\t\nROM\t120.5\ttrue"
    press(button(panel.result, "Text"))
    assert "Two <b>flights</b>" in shown(panel.result)
    press(button(panel.result, "JSON"))
    assert json.loads(find(panel.result, QPlainTextEdit, "JSON").toPlainText()) == RESULT
    press(button(panel.result, "Copy the result as JSON"))
    assert json.loads(QGuiApplication.clipboard().text()) == RESULT


async def test_results_of_other_kinds(start: Start) -> None:
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    content = [
        {"type": "image", "data": picture, "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "embedded text"}},
        {"type": "resource_link", "uri": "https://example.org/<b>", "name": "A link"},
        {"type": "hologram", "depth": 3},
    ]
    calls = {
        "show": [{"result": {"content": content}}],
        "fail": [{"result": {"content": [{"type": "text", "text": "No such city"}], "isError": True}}],
        "break": [{"result": {"content": [], "structuredContent": {"other": 1}}}],
        "refuse": [{"error": {"code": -32001, "message": "Out of <b>order</b>"}}],
    }
    screen, _ = await start(calls, **{"break": {"outputSchema": OUTPUT}})
    panel = await screen.run("raw", "show")
    text = await screen.ended(panel)
    assert any(not one.pixmap().isNull() for one in all_of(panel.result, QLabel, "Image"))
    for part in ("embedded text", "A link", "https://example.org/<b>", '"depth": 3'):
        assert part in text
    panel = await screen.run("raw", "fail")
    text = await screen.ended(panel)
    assert "The tool reports an error" in text
    assert "No such city" in text
    panel = await screen.run("raw", "break")
    text = await screen.ended(panel)
    assert "The result does not match the tool’s own description" in text
    assert '"other": 1' in text, "nothing is lost by that"
    panel = await screen.run("raw", "refuse")
    text = await screen.ended(panel)
    assert "Failed" in text
    assert "The server answered with error -32001: Out of <b>order</b>" in text


async def test_an_error_of_the_server_is_no_lost_connection(start: Start) -> None:
    """-32000 is the first of the codes servers may use for themselves; the SDK uses it for a closed connection."""
    screen, _ = await start({"refuse": [{"error": {"code": -32000, "message": "Out of order"}}]})
    panel = await screen.run("raw", "refuse")
    assert "The server answered with error -32000: Out of order" in await screen.ended(panel, 3)


async def test_each_tool_keeps_its_own_panel(start: Start) -> None:
    slow = [{"sleep": 1.0}, {"result": {"content": [{"type": "text", "text": "slow one"}]}}]
    screen, _ = await start(TELLS | {"slow": slow})
    first = await screen.run("raw", "slow")
    second = await screen.run("raw", "tell")
    assert "told" in await screen.ended(second)
    assert not first.isVisible()
    type_into(find(screen.window, QLineEdit, "Search tools"), "slo")
    tools = find(screen.window, QListView, "Tools")
    assert [tools.model().index(row, 0).data() for row in range(tools.model().rowCount())] == ["slow"]
    click_row(tools, "slow")
    assert "slow one" in await screen.ended(first)


async def test_a_small_window_offers_tools_as_a_choice(start: Start) -> None:
    screen, _ = await start(TELLS | {"other": [{"result": {"content": []}}]})
    screen.window.resize(960, 600)
    await until(lambda: all_of(screen.window, QComboBox, "Tools"), "the choice")
    assert all_of(screen.window, QListView, "Tools") == []
    choose(find(screen.window, QComboBox, "Tools"), "other")
    panel = await until(lambda: screen.window.servers.view("raw").select_tool("other"), "the panel")
    await until(panel.isVisible)
    press(panel.run_button)
    assert "Done" in await screen.ended(panel)


async def test_ten_thousand_tools_are_listed_found_and_called(application: QApplication, folders: Path) -> None:
    argv = [sys.executable, str(SERVERS / "echo.py"), "--tools", "10000"]
    write_servers({"Many": entry(argv, "handshake")}, approved=["Many"])
    screen = await open_screen(application)
    await screen.server("Many", ServerStatus.READY)
    tools = await until(lambda: next(iter(all_of(screen.window, QListView, "Tools")), None), "the list")
    await until(lambda: tools.model().rowCount() >= 10_000, "all of them")
    type_into(find(screen.window, QLineEdit, "Search tools"), "9876")
    assert 0 < tools.model().rowCount() < 10
    await screen.close()
