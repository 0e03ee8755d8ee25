"""What holds a server back at the windows: a tool that changed, all its questions declined at once, limits in Settings."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView, QPushButton, QSpinBox, QToolButton

from desktop_host.config.paths import config_dir
from desktop_host.ui.asks.form_window import FormWindow
from tests.support.windows import find, gone, press, shown, until
from tests.ui.screen import Start, hurry
from tests.ui.stage import TEXT, form

TOOLS = {
    "plain": [{"result": {"content": []}}],
    "one": [{"ask": form(message="The first?", name=TEXT)}],
    "two": [{"ask": form(message="The second?", name=TEXT)}],
}


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


async def test_a_changed_tool_shows_its_change_and_runs_once_it_is_taken(start: Start) -> None:
    screen, _ = await start(TOOLS)
    await screen.ended(await screen.run("raw", "plain"))
    path = config_dir() / "tools.json"
    await until(path.exists, "the definitions to be kept")
    await screen.program.end()
    kept = json.loads(path.read_text(encoding="utf-8"))
    for tools in kept["servers"].values():
        tools["plain"]["description"] = "harmless"
    path.write_text(json.dumps(kept), encoding="utf-8")
    screen, _ = await start(TOOLS)
    panel = await screen.panel("raw", "plain")
    assert "The server changed this tool since you met it" in shown(panel)
    assert "harmless" in shown(panel)
    assert not panel.run_button.isEnabled()
    rows = find(screen.window, QListView, "Tools").model()
    told = [str(rows.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(rows.rowCount())]
    assert [text for text in told if "Changed: look at it first" in text] == ["plain, Changed: look at it first"]
    press(find(panel, QPushButton, "I looked at it: use the tool as it is now"))
    await until(lambda: "The server changed this tool" not in shown(screen.window.servers), "the panel to be anew")
    await screen.ended(await screen.run("raw", "plain"))


async def test_all_waiting_questions_of_a_server_are_declined_at_once(start: Start) -> None:
    screen, wire = await start(TOOLS)
    for name in ("one", "two"):
        await screen.run("raw", name)
    window = await screen.ask(FormWindow)
    await until(lambda: len(screen.window.inbox.waiting) == 2, "both questions")
    actions = {action.text(): action for action in window.decline.menu().actions()}
    actions["Decline all waiting from this server"].trigger()
    await until(lambda: gone(window) and not screen.window.inbox.waiting, "all of them to go")
    await until(lambda: len(wire.replies()) == 2, "both answers")
    assert all(
        b'"decline"' in reply if isinstance(reply, bytes) else "decline" in str(reply) for reply in wire.replies()
    )


async def test_limits_are_shown_and_changed_in_settings(start: Start) -> None:
    screen, _ = await start(TOOLS)
    press(find(screen.window, QToolButton, "Settings"))
    spin = find(screen.window.settings, QSpinBox, "Questions waiting at once")
    assert spin.value() == 4
    spin.setValue(1)
    spin.editingFinished.emit()
    stored = config_dir() / "settings.json"
    await until(lambda: stored.exists() and json.loads(stored.read_text())["limits.waiting"] == "1", "it to be kept")
    await screen.run("raw", "one")
    window = await screen.ask(FormWindow)
    await screen.ended(await screen.run("raw", "two"))
    assert "Too many questions of raw are waiting, so one more was refused." in shown(screen.window)
    press(window.decline)
