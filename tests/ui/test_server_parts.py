"""Traffic and console of a server, and the window that imports servers."""

import json
import sys
from pathlib import Path

import psutil
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPlainTextEdit, QToolButton

from desktop_host.config.servers_file import default_path, read_servers
from desktop_host.terms.state import ServerStatus
from desktop_host.ui.pages.import_servers import ImportServers
from desktop_host.ui.pages.server_secrets import SecretsSheet
from desktop_host.ui.pages.server_view import ServerView
from desktop_host.ui.pages.traffic import TrafficTab
from tests.support.files import on_disk
from tests.support.processes import living_descendants
from tests.support.windows import all_of, button, find, press, shown, type_into, until
from tests.support.wire import SERVERS
from tests.ui.screen import Screen, entry, open_screen, raw_command, write_servers


async def view_of(application: QApplication, name: str) -> tuple[Screen, ServerView]:
    """A program with one running server."""
    entries = {"Shelf": {"command": sys.executable, "args": [str(SERVERS / name)]}}
    write_servers(entries, approved=["Shelf"])
    screen = await open_screen(application)
    await until(lambda: "Shelf" in screen.window.servers.names(), "the server")
    view = screen.window.servers.view("Shelf")
    await until(lambda: view.prompts.list.count() > 0, "its prompts")
    return screen, view


async def test_traffic_and_console_are_shown(application: QApplication, folders: Path) -> None:
    screen, view = await view_of(application, "library.py")
    view.show_tab("traffic")
    tab = await until(lambda: next((one for one in view.findChildren(TrafficTab) if one.isVisible()), None), "the tab")
    await until(lambda: tab.model.rowCount() > 6, "the messages")
    methods = [tab.model.data(tab.model.index(row, 3)) for row in range(tab.model.rowCount())]
    tab.table.selectRow(methods.index("server/discover"))
    await until(lambda: '"io.modelcontextprotocol/clientInfo"' in tab.text.toPlainText(), "the message")
    type_into(find(tab, QLineEdit, "Search methods"), "prompts/")
    assert 0 < tab.table.model().rowCount() < tab.model.rowCount()
    view.show_tab("console")
    await until(lambda: "1 process" in shown(view), "its process")
    assert find(view, QPlainTextEdit, "Console").toPlainText() == "It wrote nothing."
    await screen.close()


async def test_a_secret_without_a_value_is_asked_for_and_given_to_the_server(
    application: QApplication, folders: Path
) -> None:
    argv, _ = raw_command(folders, {"tools": {}}, "handshake", "raw")
    write_servers({"raw": {**entry(argv, "handshake"), "env": {"TOKEN": "${secret:raw/TOKEN}"}}}, approved=["raw"])
    screen = await open_screen(application)
    line = await until(lambda: next(iter(all_of(screen.window, QLineEdit, "raw/TOKEN")), None), "a field for it")
    assert "Without a keyring it is kept until the program ends" in shown(screen.window)
    assert line.echoMode() is QLineEdit.EchoMode.Password
    keep = button(screen.window, "Keep and start")
    assert not keep.isEnabled()
    type_into(line, "s3cret-value")
    press(keep)
    await screen.server("raw", ServerStatus.READY)
    await until(lambda: "kept until the program ends" in shown(screen.window), "that there is no keyring")
    (pid,) = (pid for pid, words in living_descendants().items() if "raw.py" in words)
    assert psutil.Process(pid).environ()["TOKEN"] == "s3cret-value"
    assert on_disk(folders, "s3cret-value") == []
    view = screen.window.findChildren(ServerView)[0]
    view._secrets.trigger()
    sheet = await until(
        lambda: next((one for one in application.topLevelWidgets() if isinstance(one, SecretsSheet)), None), "the sheet"
    )
    await until(lambda: "It has a value" in sheet.fields.lines["raw/TOKEN"].placeholderText(), "what is known")
    press(find(sheet, QToolButton, "Forget this value"))
    await until(lambda: sheet.fields.lines["raw/TOKEN"].placeholderText() == "", "that it is gone")
    sheet.reject()
    await screen.close()


async def test_servers_of_another_host_are_chosen_and_added_but_not_started(
    application: QApplication, folders: Path
) -> None:
    screen = await open_screen(application)
    content = {
        "mcpServers": {
            "one": {"command": "one", "args": ["--all"], "autoApprove": ["x"]},
            "two": {"url": "https://h.example/mcp"},
            "bad": {"command": 5},
        }
    }
    screen.window.servers.import_text(json.dumps(content))
    window = await until(
        lambda: next((one for one in application.topLevelWidgets() if isinstance(one, ImportServers)), None), "it"
    )
    for text in ("one --all", "“autoApprove” is not taken over", "/mcpServers/bad/command"):
        await until(lambda text=text: text in shown(window), text)
    assert not window.add.isEnabled()
    press(find(window, QCheckBox, "one"))
    press(window.add)
    await until(lambda: screen.window.servers.names() == ["one"], "the server")
    assert list(read_servers(default_path()).entries) == ["one"]
    assert "This server is off" in shown(screen.window.servers)
    await screen.close()
