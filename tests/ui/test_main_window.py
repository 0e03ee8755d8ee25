"""The main window: its pages, the workspace, the settings, and its end."""

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QToolButton,
)

from desktop_host.config.servers_file import default_path
from desktop_host.terms.state import ServerStatus
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.theme import DARK, LIGHT
from desktop_host.ui.widgets.growing_text import GrowingText
from desktop_host.ui.widgets.name_sheet import NameSheet
from tests.support.windows import (
    all_of,
    button,
    choose,
    find,
    gone,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.screen import (
    Screen,
    Start,
    entry,
    listed,
    open_screen,
    raw_command,
    write_servers,
)

FORM = {
    "method": "elicitation/create",
    "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
}
TELLS = {"tell": [{"result": {"content": [{"type": "text", "text": "told"}]}}]}


# the window


def test_the_window_is_made_without_what_the_first_paint_need_not_wait_for() -> None:
    """mcp, keyring, jsonschema and the providers are imported later, in the engine's thread (DESIGN.md section 2)."""
    late = ("mcp", "mcp_types", "keyring", "jsonschema", "openai", "pydantic", "desktop_host.host")
    code = f"import sys, desktop_host.app; print([name for name in {late} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


async def test_only_pages_that_work_are_shown(screen: Screen) -> None:
    rail = [one for one in all_of(screen.window, QToolButton) if one.property("role") == "nav"]
    assert [one.text() for one in rail] == ["Servers", "Workspace", "Activity", "Rules", "Settings", "Waiting"]
    assert "Assistant" not in shown(screen.window)
    pages = ["Servers", "Workspace", "Activity", "Rules", "Settings"]
    for name in (*pages[1:], pages[0]):
        press(find(screen.window, QToolButton, name))
        assert rail[pages.index(name)].isChecked()
    assert "Meet your servers" in shown(screen.window), "without servers there are ways to begin, not empty lists"
    assert all_of(screen.window, QListWidget) == []


async def test_a_broken_servers_file_is_named_with_its_place(application: QApplication, folders: Path) -> None:
    path = default_path()
    path.parent.mkdir(parents=True)
    path.write_text('{"mcpServers": {\n  "x": {"command": 5}\n}}', encoding="utf-8")
    screen = await open_screen(application)
    await until(lambda: "servers.json" in shown(screen.window), "a word about the file")
    text = shown(screen.window)
    assert "line 2" in text
    assert "x.command" in text
    await screen.close()


# workspace


async def test_folders_are_added_shared_and_removed(start: Start, folders: Path) -> None:
    screen, received = await start({"look": [{"ask": {"method": "roots/list"}}]})
    folder = folders / "Trip & plans"
    folder.mkdir()
    press(find(screen.window, QToolButton, "Workspace"))
    assert "No folder yet." in shown(screen.window)
    press(button(screen.window, "Open folder…"))
    dialog = await until(lambda: next(iter(screen.window.findChildren(QFileDialog)), None), "the dialog")
    dialog.setDirectory(str(folders))
    dialog.selectFile(str(folder))
    dialog.accept()
    await until(lambda: str(folder) in shown(screen.window.workspace), "the folder")
    roots = folders / "config" / "roots.json"
    assert json.loads(roots.read_text())["workspaces"][0]["roots"] == [
        {"path": str(folder), "name": "Trip & plans", "sharedWith": []}
    ]
    heard = len(received.sent("notifications/roots/list_changed"))
    press(find(screen.window.workspace, QCheckBox, "raw"))
    await until(lambda: json.loads(roots.read_text())["workspaces"][0]["roots"][0]["sharedWith"] == ["raw"], "the file")
    await until(lambda: len(received.sent("notifications/roots/list_changed")) == heard + 1, "the server to hear")
    await screen.run("raw", "look")
    window = await screen.ask(RootsWindow)
    assert [one.isChecked() for one in all_of(window, QCheckBox)] == [True], "what is shared is ticked"
    press(window.decline)
    press(find(screen.window, QToolButton, "Workspace"))
    shutil.rmtree(folder)
    press(find(screen.window.workspace, QCheckBox, "raw"))
    await until(lambda: "missing" in shown(screen.window.workspace), "the folder to be marked")
    press(find(screen.window.workspace, QToolButton, "Remove Trip & plans from the workspace"))
    await until(lambda: "No folder yet." in shown(screen.window.workspace), "the folder to go")
    assert json.loads(roots.read_text())["workspaces"][0]["roots"] == []


async def test_a_folder_that_is_none_is_not_added(screen: Screen, folders: Path) -> None:
    press(find(screen.window, QToolButton, "Workspace"))
    screen.window.workspace.add_folder(str(folders / "nowhere"))
    await until(lambda: "is not a folder." in shown(screen.window.workspace), "a word about it")


async def test_another_workspace_has_its_own_folders_and_servers_at_once(
    application: QApplication, folders: Path
) -> None:
    (folders / "trip").mkdir()
    entries = {name: entry(raw_command(folders, {"tools": {}}, "handshake", name)[0]) for name in ("one", "two")}
    write_servers(entries, approved=["one", "two"])
    screen = await open_screen(application)
    page = screen.window.workspace
    for name in entries:
        await screen.server(name, ServerStatus.READY)
    page.add_folder(str(folders / "trip"))
    await until(lambda: [root.name for root in screen.roots] == ["trip"], "the folder")
    press(find(screen.window, QToolButton, "Workspace"))
    page.bar.menu.actions()[0].trigger()
    sheet = await until(
        lambda: next((one for one in application.topLevelWidgets() if isinstance(one, NameSheet)), None), "a name"
    )
    assert not sheet.keep.isEnabled()
    type_into(sheet.line, "Work")
    press(sheet.keep)
    await until(lambda: page.bar.choice.currentText() == "Work" and screen.roots == (), "the new one")
    press(page.chosen.every)
    await until(lambda: "one" in page.chosen.boxes and page.chosen.boxes["one"].isVisible(), "the servers to choose")
    press(page.chosen.boxes["two"])
    await screen.server("two", ServerStatus.OFF)
    assert screen.servers["one"].status is ServerStatus.READY
    press(find(screen.window, QToolButton, "Servers"))
    listed_now = find(screen.window.servers, QListWidget, "Servers")
    assert [listed_now.item(place).isHidden() for place in range(2)] == [False, True]
    press(find(screen.window, QToolButton, "Workspace"))
    choose(page.bar.choice, "My workspace")
    await screen.server("two", ServerStatus.READY)
    await until(lambda: [root.name for root in screen.roots] == ["trip"], "the folders of before")
    await screen.close()


# settings


def ground(screen: Screen) -> QColor:
    """The colour behind everything."""
    return screen.program.app.palette().color(QPalette.ColorRole.Window)


async def test_the_theme_is_switched_and_kept(screen: Screen, folders: Path) -> None:
    press(find(screen.window, QToolButton, "Settings"))
    assert ground(screen) == QColor(LIGHT["window"])
    before = find(screen.window, QToolButton, "Settings").icon().pixmap(24, 24).toImage()
    choose(find(screen.window, QComboBox, "Appearance"), "Dark")
    await until(lambda: ground(screen) == QColor(DARK["window"]), "the dark palette")
    assert DARK["surface"] in screen.program.app.styleSheet()
    after = find(screen.window, QToolButton, "Settings").icon().pixmap(24, 24).toImage()
    assert before != after, "icons are drawn again"
    path = folders / "config" / "settings.json"
    await until(lambda: path.exists() and json.loads(path.read_text()).get("theme") == "dark", "the file")
    choose(find(screen.window, QComboBox, "Appearance"), "Light")
    assert ground(screen) == QColor(LIGHT["window"])
    await until(lambda: json.loads(path.read_text()).get("theme") == "light", "the file")


async def test_quick_changes_are_kept_in_their_order(screen: Screen, folders: Path) -> None:
    """By keyboard each step through a list is a change; the last one must be what the next start reads."""
    press(find(screen.window, QToolButton, "Settings"))
    theme = find(screen.window, QComboBox, "Appearance")
    for _ in range(12):
        for name in ("Dark", "Light"):
            choose(theme, name)
    await asyncio.sleep(0.5)
    assert json.loads((folders / "config" / "settings.json").read_text())["theme"] == "light"


async def test_a_setting_of_text_is_kept_as_it_was_typed(screen: Screen, folders: Path) -> None:
    press(find(screen.window, QToolButton, "Settings"))
    certificates = find(screen.window, QLineEdit, "More certificates to trust")
    type_into(certificates, "/trust/me.pem")
    QTest.keyClick(certificates, Qt.Key.Key_Return)
    path = folders / "config" / "settings.json"
    await until(lambda: path.exists() and json.loads(path.read_text())["network.ca_file"] == "/trust/me.pem")


async def test_what_is_marked_is_chosen_by_kinds_and_tried_out(screen: Screen, folders: Path) -> None:
    press(find(screen.window, QToolButton, "Settings"))
    tried = find(screen.window, QLabel, "The same text, masked")
    await until(lambda: "«password 1»" in tried.text() and "ada@example.com" in tried.text(), "the secrets masked")
    boxes = {box.text(): box for box in screen.window.settings.editors["prompts.marked"].findChildren(QCheckBox)}
    press(boxes["E-mail addresses"])
    press(boxes["Passwords"])
    await until(lambda: "«email 1»" in tried.text() and "Tr0ub4dor" in tried.text(), "the kinds that are chosen now")
    type_into(find(screen.window, GrowingText, "Text to try"), "or bob@example.com")
    await until(lambda: tried.text() == "or «email 1»", "the text that was typed")
    path = folders / "config" / "settings.json"
    kinds = "key token private_key card account email"
    await until(lambda: path.exists() and json.loads(path.read_text())["prompts.marked"] == kinds, "the file")


async def test_a_keyring_that_does_not_work_is_told(screen: Screen) -> None:
    press(find(screen.window, QToolButton, "Settings"))
    choose(find(screen.window, QComboBox, "Kind of provider"), "OpenAI")
    key = find(screen.window, QLineEdit, "Key")
    assert key.echoMode() == QLineEdit.EchoMode.Password
    type_into(key, "sk-123")
    press(button(screen.window, "Add"))
    await until(lambda: "kept until the program ends and written nowhere" in shown(screen.window), "how it is kept")
    assert key.text() == ""


# the end


async def test_closing_the_program_answers_what_waits(application: QApplication, folders: Path) -> None:
    argv, received = raw_command(folders, listed({"ask": [{"ask": FORM}, {"sleep": 30}]}), "handshake", "raw")
    write_servers({"raw": entry(argv, "handshake")}, approved=["raw"])
    screen = await open_screen(application)
    await screen.run("raw", "ask")
    window = await screen.ask(FormWindow)
    await screen.close()
    assert gone(window)
    assert received.replies() == [b'{"action":"cancel"}']
