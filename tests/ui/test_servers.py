"""The Servers page: the list, adding, starting, stopping and removing. Real servers, real files."""

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QToolButton,
)

from desktop_host.config.servers_file import default_path
from desktop_host.terms.state import ServerStatus
from desktop_host.ui.asks.connect_window import ConnectWindow
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.pages.add_server import AddServer
from tests.support.windows import (
    all_of,
    button,
    choose,
    find,
    gone,
    holds,
    press,
    shown,
    type_into,
    until,
    words_on,
)
from tests.ui.screen import (
    Screen,
    Start,
    click_row,
    entry,
    listed,
    open_screen,
    raw_command,
    row,
    write_servers,
)

FORM = {
    "method": "elicitation/create",
    "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
}
TELLS = {"tell": [{"result": {"content": [{"type": "text", "text": "told"}]}}]}


async def test_servers_are_listed_with_their_state_and_era(application: QApplication, folders: Path) -> None:
    old, _ = raw_command(folders, listed(TELLS), "handshake", "old")
    new, _ = raw_command(folders, listed(TELLS | {"ask": [{"ask": FORM}]}), "modern", "new")
    code = "import sys; print('loading', file=sys.stderr); print('no licence found', file=sys.stderr); sys.exit(3)"
    broken = [sys.executable, "-c", code]
    entries = {
        "Old one": entry(old),
        "New one": entry(new),
        "Broken": entry(broken, "handshake"),
        "Missing": entry(["no-such-command-anywhere"]),
        "Resting": entry(old, autoStart=False),
    }
    write_servers(entries, approved=entries)
    screen = await open_screen(application)
    await screen.server("Old one")
    await screen.server("New one")
    await screen.server("Broken", ServerStatus.FAILED)
    await screen.server("Missing", ServerStatus.FAILED)
    assert "handshake" in row(screen, "Old one")
    assert "Ready · 1 tool" in row(screen, "Old one")
    assert "modern" in row(screen, "New one")
    assert "Ready · 2 tools" in row(screen, "New one")
    assert "Off" in row(screen, "Resting")
    assert "The server ended by itself (exit code 3)." in row(screen, "Broken")
    assert "The command “no-such-command-anywhere” was not found." in row(screen, "Missing")

    click_row(find(screen.window, QListWidget, "Servers"), "Broken")
    text = shown(screen.window)
    assert "This server is not running" in text
    assert "Its last words: no licence found" in text
    log = find(screen.window, QPlainTextEdit, "What it wrote last")
    assert log.toPlainText() == "loading\nno licence found"
    click_row(find(screen.window, QListWidget, "Servers"), "New one")
    assert "2026-07-28 · modern" in shown(screen.window)

    await screen.run("New one", "ask")
    window = await screen.ask(FormWindow)
    await until(lambda: "1 question waiting" in row(screen, "New one"), "the list to say so")
    press(window.decline)
    await until(lambda: "Ready · 2 tools" in row(screen, "New one"), "the list to say that it is over")

    type_into(find(screen.window, QLineEdit, "Search servers"), "one")
    servers = find(screen.window, QListWidget, "Servers")
    hidden = [servers.item(number).isHidden() for number in range(servers.count())]
    assert hidden == [False, False, True, True, True]
    await screen.close()


async def test_a_server_is_added_by_its_command(screen: Screen, folders: Path) -> None:
    argv, received = raw_command(folders, listed(TELLS), "modern", "added")
    press(button(screen.window, "Add a server…"))
    dialog = await until(lambda: next(iter(screen.window.findChildren(AddServer)), None), "the window")
    await until(dialog.isVisible)
    assert not dialog.add.isEnabled()
    type_into(find(dialog, QLineEdit, "Command or address"), shlex.join(argv))
    assert find(dialog, QLineEdit, "Name").text(), "a name is suggested"
    type_into(find(dialog, QLineEdit, "Name"), "My tools")
    type_into(find(dialog, QPlainTextEdit, "Environment variables"), "LEVEL=debug")
    press(dialog.add)
    ask = await screen.ask(ConnectWindow)
    text = shown(ask)
    assert "My tools wants to start for the first time" in text
    assert shlex.join(argv).replace("'", "") in text
    assert "LEVEL" in text
    assert ask.affirm.text() == "Allow and start"
    await holds(lambda: not received.path.exists(), 0.5, "nothing runs before consent")
    assert json.loads(default_path().read_text())["mcpServers"]["My tools"] == {
        "command": argv[0],
        "args": argv[1:],
        "env": {"LEVEL": "debug"},
    }
    await screen.affirm(ask)
    await screen.server("My tools")
    assert gone(dialog)
    panel = await screen.run("My tools", "tell")
    assert "told" in await screen.ended(panel)
    press(button(screen.window, "Restart"))
    await until(lambda: len(received.sent("server/discover")) == 2, "the second start")
    await screen.server("My tools")
    assert screen.asks() == [], "the same server is not asked about again"


async def test_a_declined_server_stays_off_and_says_why(screen: Screen, folders: Path) -> None:
    argv, received = raw_command(folders, listed(TELLS), "modern", "added")
    press(button(screen.window, "Add a server…"))
    dialog = await until(lambda: next(iter(screen.window.findChildren(AddServer)), None), "the window")
    type_into(find(dialog, QLineEdit, "Command or address"), shlex.join(argv))
    type_into(find(dialog, QLineEdit, "Name"), "Stranger")
    press(dialog.add)
    ask = await screen.ask(ConnectWindow)
    press(ask.decline)
    await screen.server("Stranger", ServerStatus.FAILED)
    assert "Not started, because you did not allow it." in row(screen, "Stranger")
    assert not received.path.exists()
    press(button(screen.window, "Start"))
    ask = await screen.ask(ConnectWindow)
    await screen.affirm(ask)
    await screen.server("Stranger")
    assert received.path.exists()


@pytest.fixture
def http_server(folders: Path) -> Iterator[str]:
    """A scripted server over Streamable HTTP; its address."""
    script, place = folders / "http.json", folders / "http.url"
    script.write_text(json.dumps(listed(TELLS)), encoding="utf-8")
    server = Path(__file__).resolve().parent.parent / "servers" / "raw_http.py"
    argv = [sys.executable, str(server), "--url-file", str(place), "--era", "modern", "--script", str(script)]
    process = subprocess.Popen(argv)
    end = time.monotonic() + 20
    while not place.exists():
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.02)
    yield place.read_text(encoding="utf-8")
    process.kill()
    process.wait()


async def test_a_server_is_added_by_its_address(screen: Screen, http_server: str) -> None:
    press(button(screen.window, "Add a server…"))
    dialog = await until(lambda: next(iter(screen.window.findChildren(AddServer)), None), "the window")
    type_into(find(dialog, QLineEdit, "Command or address"), http_server)
    assert find(dialog, QLineEdit, "Name").text() == "127.0.0.1"
    type_into(find(dialog, QLineEdit, "Name"), "Far away")
    assert not find(dialog, QPlainTextEdit, "Environment variables").isEnabled()
    choose(find(dialog, QComboBox, "Protocol era"), "modern")
    press(dialog.add)
    ask = await screen.ask(ConnectWindow)
    assert http_server in shown(ask)
    await screen.affirm(ask)
    await screen.server("Far away")
    stored = json.loads(default_path().read_text())["mcpServers"]["Far away"]
    assert stored["url"] == http_server
    assert stored["desktopHost"] == {"era": "modern"}
    panel = await screen.run("Far away", "tell")
    assert "told" in await screen.ended(panel)


async def _add_window(screen: Screen) -> AddServer:
    press(button(screen.window, "Add"))
    return await until(lambda: next((one for one in all_of(screen.window, AddServer)), None), "the window")


async def test_mistakes_in_the_add_window_are_named(start: Start) -> None:
    screen, _ = await start(TELLS)
    dialog = await _add_window(screen)
    source, name = find(dialog, QLineEdit, "Command or address"), find(dialog, QLineEdit, "Name")
    variables = find(dialog, QPlainTextEdit, "Environment variables")
    type_into(source, 'python "x')
    type_into(name, "x")
    press(dialog.add)
    assert "A quotation mark in the command is not closed." in shown(dialog)
    type_into(source, "python x")
    assert "quotation mark" not in shown(dialog)
    type_into(variables, "NOVALUE")
    press(dialog.add)
    assert "Write each variable as NAME=value." in shown(dialog)
    type_into(variables, "")
    type_into(name, "")
    press(dialog.add)
    assert "Give the server a name." in shown(dialog)
    type_into(name, "raw")
    press(dialog.add)
    await until(lambda: "There is a server called “raw” already." in shown(dialog), "a word about the name")
    assert list(json.loads(default_path().read_text())["mcpServers"]) == ["raw"]


async def test_the_add_window_stays_open_when_the_server_of_the_taken_name_changes(start: Start) -> None:
    screen, _ = await start(TELLS)
    dialog = await _add_window(screen)
    type_into(find(dialog, QLineEdit, "Command or address"), "python x")
    type_into(find(dialog, QLineEdit, "Name"), "raw")
    press(dialog.add)
    await until(lambda: "already" in shown(dialog), "a word about the name")
    await screen.program.bridge.ask(lambda engine: engine.restart("raw"))
    await holds(lambda: not gone(dialog), 0.3, "the window is still there to choose another name")


async def test_a_servers_file_that_cannot_be_written_is_told(screen: Screen, folders: Path) -> None:
    (folders / "config").rmdir() if (folders / "config").exists() else None
    (folders / "config").write_text("a file where the folder should be", encoding="utf-8")
    press(button(screen.window, "Add a server…"))
    dialog = await until(lambda: next(iter(screen.window.findChildren(AddServer)), None), "the window")
    type_into(find(dialog, QLineEdit, "Command or address"), "python x")
    type_into(find(dialog, QLineEdit, "Name"), "x")
    press(dialog.add)
    await until(lambda: "servers.json" in shown(dialog), "a word about the file", 3)
    assert dialog.add.isEnabled()


async def test_a_secret_without_a_value_is_named(screen: Screen) -> None:
    press(button(screen.window, "Add a server…"))
    dialog = await until(lambda: next(iter(screen.window.findChildren(AddServer)), None), "the window")
    type_into(find(dialog, QLineEdit, "Command or address"), f"{sys.executable} -c pass")
    type_into(find(dialog, QLineEdit, "Name"), "Needs a key")
    type_into(find(dialog, QPlainTextEdit, "Environment variables"), "KEY=${NO_SUCH_VARIABLE}")
    press(dialog.add)
    await screen.affirm(await screen.ask(ConnectWindow))
    await screen.server("Needs a key", ServerStatus.FAILED)
    assert "Not started: “NO_SUCH_VARIABLE” has no value." in row(screen, "Needs a key")


async def test_start_stop_and_restart(start: Start) -> None:
    screen, received = await start(TELLS)
    assert not all_of(screen.window, QToolButton, "Start")
    press(button(screen.window, "Stop"))
    await screen.server("raw", ServerStatus.OFF)
    assert "This server is off. Start it to see its tools." in shown(screen.window)
    assert "Off" in row(screen, "raw")
    press(button(screen.window, "Start"))
    await screen.server("raw")
    press(button(screen.window, "Restart"))
    await until(lambda: len(received.sent("initialize")) == 3, "the third start")
    await screen.server("raw")
    assert "Ready · 1 tool" in row(screen, "raw")


async def test_stopping_a_server_answers_its_ask_with_cancel(start: Start) -> None:
    screen, received = await start({"ask": [{"ask": FORM}]})
    await screen.run("raw", "ask")
    window = await screen.ask(FormWindow)
    press(button(screen.window, "Stop"))
    await screen.server("raw", ServerStatus.OFF)
    assert received.replies() == [b'{"action":"cancel"}']
    await until(lambda: "This question ended with its call" in shown(window), "the window to say so")


async def test_a_server_is_removed_and_the_rest_of_the_file_kept(application: QApplication, folders: Path) -> None:
    argv, _ = raw_command(folders, listed(TELLS), "handshake", "raw")
    write_servers({"keep": entry(argv, "handshake"), "drop": entry(argv, "handshake")}, approved=["keep", "drop"])
    path = default_path()
    path.write_text(
        path.read_text().replace('"mcpServers": {', '// mine\n  "mcpServers": {\n    // the good one'), encoding="utf-8"
    )
    screen = await open_screen(application)
    await screen.server("drop")
    click_row(find(screen.window, QListWidget, "Servers"), "drop")
    for verb in ("Cancel", "Remove"):
        more = find(screen.window, QToolButton, "More")
        next(one for one in more.menu().actions() if "Remove" in one.text()).trigger()
        box = await until(lambda: next((one for one in all_of(screen.window, QMessageBox)), None), "the question")
        assert "Remove drop from your servers?" in shown(box)
        press(next(one for one in box.buttons() if words_on(one) == verb))
        await until(lambda which=box: gone(which), "the question to close")
        if verb == "Cancel":
            await holds(lambda: "drop" in screen.servers, 0.2, "it is still there")
    await until(lambda: "drop" not in screen.servers, "the server to go")
    assert row(screen, "drop") == ""
    assert row(screen, "keep")
    text = path.read_text()
    assert "// mine" in text
    assert "// the good one" in text
    assert "drop" not in text
    assert '"keep"' in text
    await screen.close()
