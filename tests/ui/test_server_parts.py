"""The tabs of a server: resources, prompts, traffic and console; and the window that imports servers."""

import json
import sys
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QLineEdit, QPlainTextEdit

from desktop_host.config.servers_file import default_path, read_servers
from desktop_host.ui.pages.import_servers import ImportServers
from desktop_host.ui.pages.offers import PromptsTab, ResourcesTab
from desktop_host.ui.pages.server_view import ServerView
from desktop_host.ui.pages.traffic import TrafficTab
from tests.support.windows import all_of, button, find, press, shown, type_into, until
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


async def test_a_resource_is_read_when_the_person_wants_it_and_again_when_it_changed(
    application: QApplication, folders: Path
) -> None:
    screen, view = await view_of(application, "shelf.py")
    view.show_tab("resources")
    tab = await until(
        lambda: next((one for one in view.findChildren(ResourcesTab) if one.isVisible()), None), "the tab"
    )
    names = [tab.list.item(number).text() for number in range(tab.list.count())]
    assert names[1] == "clock"
    assert "\u202e" not in names[0]
    assert "<b>bold</b>" in names[0], "plain text"
    tab.list.setCurrentRow(1)
    await until(lambda: all_of(tab, QAbstractButton, "Read"), "the button")
    assert "read 1 times" not in shown(tab), "nothing is read before the person wants it"
    press(button(tab, "Read"))
    await until(lambda: "read 1 times" in shown(tab), "the text")
    press(find(tab, QCheckBox, "Follow changes"))
    await until(lambda: "read 3 times" in shown(tab), "the change")
    await until(lambda: tab.list.count() == 3, "the new one")
    await screen.close()


async def test_a_prompt_is_filled_in_before_it_is_asked_for(application: QApplication, folders: Path) -> None:
    screen, view = await view_of(application, "shelf.py")
    view.show_tab("prompts")
    tab = await until(lambda: next((one for one in view.findChildren(PromptsTab) if one.isVisible()), None), "the tab")
    press(button(tab, "Get the prompt"))
    await until(lambda: "Fill in topic." in shown(tab), "what is missing")
    type_into(find(tab, QLineEdit, "topic"), "birds")
    press(button(tab, "Get the prompt"))
    await until(lambda: '{"topic": "birds"}' in shown(tab), "the prompt")
    await screen.close()


async def test_traffic_and_console_are_shown(application: QApplication, folders: Path) -> None:
    screen, view = await view_of(application, "shelf.py")
    view.show_tab("traffic")
    tab = await until(lambda: next((one for one in view.findChildren(TrafficTab) if one.isVisible()), None), "the tab")
    await until(lambda: tab.model.rowCount() > 6, "the messages")
    methods = [tab.model.data(tab.model.index(row, 3)) for row in range(tab.model.rowCount())]
    tab.table.selectRow(methods.index("initialize"))
    await until(lambda: '"clientInfo"' in tab.text.toPlainText(), "the message")
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
    assert "Off" in shown(screen.window.servers)
    await screen.close()
