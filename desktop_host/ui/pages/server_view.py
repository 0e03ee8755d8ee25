"""One server: who it is, how it stands, and its tools."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QMessageBox,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallState, ServerState, ServerStatus
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.icons import icon
from desktop_host.ui.pages.console import ConsoleTab
from desktop_host.ui.pages.offers import PromptsTab, ResourcesTab
from desktop_host.ui.pages.server_secrets import SecretsSheet
from desktop_host.ui.pages.server_status import ServerStatusPage
from desktop_host.ui.pages.tool_panel import ToolPanel
from desktop_host.ui.pages.tools_tab import NARROW, ToolsTab
from desktop_host.ui.pages.traffic import TrafficTab
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import (
    Elided,
    Tile,
    badge,
    button,
    clear_layout,
    frame,
    icon_button,
    label,
    picture,
)

_TOOLS, _RESOURCES, _PROMPTS, _TRAFFIC, _CONSOLE = "tools", "resources", "prompts", "traffic", "console"


class ServerView(QFrame):
    """The right part of the Servers page for one server."""

    def __init__(self, state: ServerState, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._bridge = bridge
        self._state = state
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._make_head())
        self._pages = QStackedWidget()
        outer.addWidget(self._pages, 1)
        self._status_page = ServerStatusPage(state.name, bridge)
        self._pages.addWidget(self._status_page)
        self.tools = ToolsTab(state.name, bridge)
        self.resources = ResourcesTab(state, bridge)
        self.prompts = PromptsTab(state, bridge)
        self._parts: dict[str, QWidget] = {
            _TOOLS: self.tools,
            _RESOURCES: self.resources,
            _PROMPTS: self.prompts,
            _TRAFFIC: TrafficTab(state.name, bridge),
            _CONSOLE: ConsoleTab(state.name, bridge),
        }
        for part in self._parts.values():
            self._pages.addWidget(part)

    def show_state(self, state: ServerState) -> None:
        """Show another state."""
        self._state = state
        self._show_head(state)
        ready = state.status is ServerStatus.READY
        self._tabs.setVisible(ready)
        self._head.setContentsMargins(24, 20, 24, 0 if ready else 16)
        if ready:
            self._show_tabs(state)
            self.tools.show_state(state)
            self.resources.show_state(state)
            self.prompts.show_state(state)
            self._show_part(self._tabs.currentIndex())
        else:
            self._status_page.show_state(state)
            self._pages.setCurrentIndex(0)

    def show_tab(self, name: str) -> None:
        """Go to "tools", "resources", "prompts", "traffic" or "console", where the server has it."""
        for number in range(self._tabs.count()):
            if self._tabs.tabData(number) == name:
                self._tabs.setCurrentIndex(number)

    def _show_tabs(self, state: ServerState) -> None:
        """The tabs of what it offers, each with its number."""
        tools, local = len(state.tools), not state.identity.startswith(("http://", "https://"))
        texts = {_TOOLS: tr("Tools  {n}").format(n=tools)}
        if state.resources:
            texts[_RESOURCES] = tr("Resources  {n}").format(n=len(state.resources))
        if state.prompts:
            texts[_PROMPTS] = tr("Prompts  {n}").format(n=len(state.prompts))
        texts[_TRAFFIC] = tr("Traffic")
        if local:
            texts[_CONSOLE] = tr("Console")
        shown = [self._tabs.tabData(number) for number in range(self._tabs.count())]
        if shown != list(texts):
            chosen = self._tabs.tabData(self._tabs.currentIndex())
            self._tabs.blockSignals(True)
            while self._tabs.count():
                self._tabs.removeTab(0)
            for name in texts:
                self._tabs.setTabData(self._tabs.addTab(""), name)
            self._tabs.setCurrentIndex(list(texts).index(chosen) if chosen in texts else 0)
            self._tabs.blockSignals(False)
        for number, text in enumerate(texts.values()):
            self._tabs.setTabText(number, text)

    def _show_part(self, number: int) -> None:
        name = self._tabs.tabData(number)
        if name in self._parts and self._state.status is ServerStatus.READY:
            self._pages.setCurrentWidget(self._parts[name])

    def show_call(self, state: CallState) -> None:
        """A call of one of its tools changed."""
        self.tools.show_call(state)

    def select_tool(self, name: str) -> ToolPanel | None:
        """Choose a tool; its panel."""
        return self.tools.select_tool(name)

    # head

    def _make_head(self) -> QFrame:
        head = frame("head")
        self._head = outer = QVBoxLayout(head)
        outer.setContentsMargins(24, 20, 24, 0)
        outer.setSpacing(12)
        top = QHBoxLayout()
        top.setSpacing(14)
        top.addWidget(Tile(44, letter=self._state.name[:1].upper() or "?"), 0, Qt.AlignmentFlag.AlignTop)
        names = QVBoxLayout()
        names.setSpacing(3)
        self._names = QHBoxLayout()
        self._names.setSpacing(8)
        names.addLayout(self._names)
        line = QHBoxLayout()
        line.setSpacing(6)
        self._shield = picture("terminal", "muted", 14)
        line.addWidget(self._shield)
        line.addWidget(Elided(self._state.identity, "small", "muted", middle=True), 1)
        names.addLayout(line)
        top.addLayout(names, 1)
        self._start = button(tr("Start"), self._start_server, icon_name="play")
        self._restart = button(tr("Restart"), self._restart_server, icon_name="restart")
        self._stop = button(tr("Stop"), self._stop_server, icon_name="stop")
        for one in (self._start, self._restart, self._stop):
            top.addWidget(one)
        more = icon_button("dots", tr("More"))
        more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        self._secrets = menu.addAction(icon("key", "muted", 16), tr("Secrets…"))
        self._secrets.triggered.connect(self._show_secrets)
        self._secrets.setVisible(bool(self._state.secrets))
        self._out = menu.addAction(icon("key", "muted", 16), tr("Sign out"))
        self._out.triggered.connect(self._sign_out)
        self._out.setVisible(self._state.identity.startswith(("http://", "https://")))
        self._remove = menu.addAction(icon("trash", "muted", 16), tr("Remove this server…"))
        self._remove.triggered.connect(self._ask_to_remove)
        more.setMenu(menu)
        self._more = more
        top.addWidget(more)
        outer.addLayout(top)
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setAccessibleName(tr("Parts of the server"))
        self._tabs.currentChanged.connect(self._show_part)
        outer.addWidget(self._tabs)
        return head

    def _show_head(self, state: ServerState) -> None:
        from desktop_host.ui.pages.servers import era_words, state_words

        clear_layout(self._names)
        narrow = self.width() < NARROW
        if narrow:
            self._names.addWidget(Elided(state.name, "page"), 1)
        else:
            self._names.addWidget(label(one_line(state.name), "page"))
        if state.asks_waiting and not narrow:
            self._names.addWidget(badge(state_words(state), "accent"))
        if state.revision and not narrow:
            self._names.addWidget(badge(f"{state.revision} · {era_words(state.era)}"))
        self._names.addStretch(0 if narrow else 1)
        allowed = state.status is ServerStatus.READY  # it runs, so the person once allowed it
        self._shield.draw("shield-check" if allowed else "terminal", "ok" if allowed else "muted")
        running = state.status in (ServerStatus.READY, ServerStatus.STARTING)
        self._start.setVisible(not running and state.status is not ServerStatus.BLOCKED)
        self._start.setEnabled(state.status is not ServerStatus.STOPPING)
        self._restart.setVisible(state.status is ServerStatus.READY)
        self._stop.setVisible(running)
        self._more.setVisible(state.removable)

    # intents

    def _show_secrets(self) -> None:
        SecretsSheet(self, self._state.name, self._state.secrets, self._bridge).open()

    def _sign_out(self) -> None:
        name = self._state.name
        self._bridge.send(lambda engine: engine.sign_out(name))

    def _start_server(self) -> None:
        name = self._state.name
        self._bridge.send(lambda engine: engine.start(name))

    def _restart_server(self) -> None:
        name = self._state.name
        self._bridge.send(lambda engine: engine.restart(name))

    def _stop_server(self) -> None:
        name = self._state.name
        self._bridge.send(lambda engine: engine.stop(name))

    def _ask_to_remove(self) -> None:
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(tr("Remove {server} from your servers?").format(server=one_line(self._state.name)))
        box.setInformativeText(tr("It is stopped and taken out of servers.json. A copy of the file is kept beside it."))
        self._removing = box.addButton(tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.buttonClicked.connect(self._remove_answered)
        box.open()

    def _remove_answered(self, pressed: QWidget) -> None:
        if pressed is self._removing:
            name = self._state.name
            failed: Callable[[Message | None], None] = self._remove_failed
            self._bridge.send(lambda engine: engine.remove(name), failed, self)

    def _remove_failed(self, problem: Message | None) -> None:
        if problem is not None:
            self._status_page.show_problem(tr("Not removed"), words(problem))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        if narrow != (event.oldSize().width() < NARROW):
            self._show_head(self._state)
