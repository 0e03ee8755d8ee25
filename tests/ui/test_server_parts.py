"""Traffic and console of a server, and the window that imports servers."""

import json
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPlainTextEdit

from desktop_host.config.servers_file import default_path, read_servers
from desktop_host.ui.pages.import_servers import ImportServers
from desktop_host.ui.pages.server_view import ServerView
from desktop_host.ui.pages.traffic import TrafficTab
from tests.support.windows import find, press, shown, type_into, until
from tests.support.wire import SERVERS
from tests.ui.screen import Screen, open_screen, write_servers


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
