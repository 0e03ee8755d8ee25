"""One server: who it is, how it stands, and its tools."""

from collections.abc import Callable, Mapping
from typing import cast

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.asks import JsonObject, Severity
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallState, ServerState, ServerStatus, ToolInfo
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.icons import icon
from desktop_host.ui.pages.console import ConsoleTab
from desktop_host.ui.pages.offers import PromptsTab, ResourcesTab
from desktop_host.ui.pages.tool_panel import ToolPanel
from desktop_host.ui.pages.traffic import TrafficTab
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import set_type
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import (
    Elided,
    FindingView,
    Tile,
    badge,
    button,
    clear_layout,
    frame,
    icon_button,
    label,
    picture,
    search_field,
)

_TOOLS = 232
_TOOLS_TAB, _RESOURCES, _PROMPTS, _TRAFFIC, _CONSOLE = "tools", "resources", "prompts", "traffic", "console"
_NARROW = 860


class ServerView(QFrame):
    """The right part of the Servers page for one server."""

    def __init__(self, state: ServerState, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._bridge = bridge
        self._state = state
        self._tools: tuple[ToolInfo, ...] | None = None
        self._changes: Mapping[str, JsonObject] = {}
        self._panels: dict[str, ToolPanel] = {}
        self._calls: dict[str, CallState] = {}
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._make_head())
        self._pages = QStackedWidget()
        outer.addWidget(self._pages, 1)
        self._pages.addWidget(self._make_status())
        self._parts: dict[str, QWidget] = {
            _TOOLS_TAB: self._make_tools(),
            _RESOURCES: ResourcesTab(state, bridge),
            _PROMPTS: PromptsTab(state, bridge),
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
            self._show_tools(state.tools, state.changed)
            self.resources.show_state(state)
            self.prompts.show_state(state)
            self._show_part(self._tabs.currentIndex())
        else:
            self._show_status(state)
            self._pages.setCurrentIndex(0)

    @property
    def resources(self) -> ResourcesTab:
        """The tab of its resources."""
        return cast("ResourcesTab", self._parts[_RESOURCES])

    @property
    def prompts(self) -> PromptsTab:
        """The tab of its prompts."""
        return cast("PromptsTab", self._parts[_PROMPTS])

    def show_tab(self, name: str) -> None:
        """Go to "tools", "resources", "prompts", "traffic" or "console", where the server has it."""
        for number in range(self._tabs.count()):
            if self._tabs.tabData(number) == name:
                self._tabs.setCurrentIndex(number)

    def _show_tabs(self, state: ServerState) -> None:
        """The tabs of what it offers, each with its number."""
        tools, local = len(state.tools), not state.identity.startswith(("http://", "https://"))
        texts = {_TOOLS_TAB: tr("Tools  {n}").format(n=tools)}
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
        self._calls[state.tool] = state
        panel = self._panels.get(state.tool)
        if panel is not None:
            panel.show_call(state)

    def select_tool(self, name: str) -> ToolPanel | None:
        """Choose a tool; its panel."""
        for number in range(self._list.count()):
            if self._list.item(number).data(Qt.ItemDataRole.UserRole) == name:
                self._list.setCurrentRow(number)
        return self._panels.get(name)

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
        narrow = self.width() < _NARROW
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

    # status: anything but ready

    def _make_status(self) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 20, 24, 20)
        layout.setSpacing(16)
        self._status = QVBoxLayout()
        layout.addLayout(self._status)
        self._log_title = label(tr("What it wrote last"), "label")
        self._log = QPlainTextEdit()
        self._log.setReadOnly(True)
        self._log.setProperty("role", "code")
        self._log.setAccessibleName(tr("What it wrote last"))
        set_type(self._log, "code_small")
        layout.addWidget(self._log_title)
        layout.addWidget(self._log, 1)
        self._status_rest = QWidget()
        layout.addWidget(self._status_rest, 1)
        return page

    def _show_status(self, state: ServerState) -> None:
        clear_layout(self._status)
        if state.status is ServerStatus.FAILED and state.reason is not None:
            self._status.addWidget(FindingView(Severity.DANGER, tr("This server is not running"), words(state.reason)))
        elif state.status is ServerStatus.BLOCKED and state.reason is not None:
            title = tr("Your administrator does not let this server be used")
            self._status.addWidget(FindingView(Severity.WARNING, title, words(state.reason)))
        elif state.status is ServerStatus.OFF:
            self._status.addWidget(label(tr("This server is off. Start it to see its tools."), "body", "muted"))
        else:
            text = tr("Starting…") if state.status is ServerStatus.STARTING else tr("Stopping…")
            self._status.addWidget(label(words(state.reason) if state.reason else text, "body", "muted", wrap=True))
            if state.reason is not None:
                self._status.addWidget(self._make_paste())
        log = visible("\n".join(state.log))
        show_log = bool(log) and state.status is ServerStatus.FAILED
        self._log.setPlainText(log)
        self._log.setVisible(show_log)
        self._log_title.setVisible(show_log)
        self._status_rest.setVisible(not show_log)

    def _make_paste(self) -> QWidget:
        """A way out where the browser cannot come back to this program by itself."""
        holder = QWidget()
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(6)
        about = tr("If your browser cannot open the last page, copy its address and paste it here:")
        layout.addWidget(label(about, "small", "muted", wrap=True))
        self._pasted = QLineEdit()
        self._pasted.setAccessibleName(tr("Address of the last page"))
        self._pasted.setPlaceholderText("http://127.0.0.1:…/callback?code=…")
        self._pasted.setMaximumWidth(560)
        self._pasted.textChanged.connect(self._paste)
        layout.addWidget(self._pasted)
        return holder

    def _paste(self, text: str) -> None:
        name = self._state.name
        if "code=" in text or "error=" in text:
            self._bridge.send(lambda engine: engine.paste_address(name, text))

    def _sign_out(self) -> None:
        name = self._state.name
        self._bridge.send(lambda engine: engine.sign_out(name))

    # tools

    def _make_tools(self) -> QSplitter:
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        side = frame("surface")
        side.setMinimumWidth(160)
        layout = QVBoxLayout(side)
        layout.setContentsMargins(12, 16, 12, 12)
        layout.setSpacing(12)
        self._search = search_field(tr("Search tools"), self._filter)
        layout.addWidget(self._search)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Tools"))
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.currentItemChanged.connect(self._chosen)
        layout.addWidget(self._list, 1)
        self._side = side
        right = frame("surface")
        inner = QVBoxLayout(right)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        self._choice = QComboBox()
        self._choice.setAccessibleName(tr("Tools"))
        self._choice.activated.connect(self._picked)
        self._choice_row = QWidget()
        choice = QHBoxLayout(self._choice_row)
        choice.setContentsMargins(24, 16, 24, 0)
        choice.addWidget(self._choice)
        self._choice_row.hide()
        inner.addWidget(self._choice_row)
        self._panel = QStackedWidget()
        inner.addWidget(self._panel, 1)
        self._split.addWidget(side)
        self._split.addWidget(right)
        self._split.setSizes([_TOOLS, 800])
        self._split.setStretchFactor(1, 1)
        return self._split

    def _show_tools(self, tools: tuple[ToolInfo, ...], changes: Mapping[str, JsonObject]) -> None:
        if tools == self._tools and changes == self._changes:
            return
        self._changes = changes
        chosen = self._list.currentItem().data(Qt.ItemDataRole.UserRole) if self._list.currentItem() else ""
        self._tools = tools
        for panel in self._panels.values():
            self._panel.removeWidget(panel)
            panel.deleteLater()
        self._panels = {}
        self._list.clear()
        self._choice.clear()
        for tool in tools:
            item = QListWidgetItem()
            item.setData(Qt.ItemDataRole.UserRole, tool.name)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, one_line(tool.title))
            item.setSizeHint(QSize(100, 54))
            self._list.addItem(item)
            self._list.setItemWidget(item, _ToolRow(tool, changed=tool.name in changes))
            self._choice.addItem(one_line(tool.title), tool.name)
        self._filter(self._search.text())
        if tools:
            names = [tool.name for tool in tools]
            self._list.setCurrentRow(names.index(chosen) if chosen in names else 0)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        name = item.data(Qt.ItemDataRole.UserRole)
        panel = self._panels.get(name)
        if panel is None:
            tool = next(tool for tool in self._tools or () if tool.name == name)
            panel = self._panels[name] = ToolPanel(tool, self._changes.get(name))
            panel.accepted.connect(self._accept)
            if name in self._calls:
                panel.show_call(self._calls[name])
            panel.run.connect(self._run)
            panel.cancel.connect(self._cancel)
            self._panel.addWidget(panel)
        self._panel.setCurrentWidget(panel)
        self._choice.setCurrentIndex(self._choice.findData(name))

    def _picked(self, number: int) -> None:
        self._list.setCurrentRow(number)

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        for number, tool in enumerate(self._tools or ()):
            self._list.item(number).setHidden(wanted not in f"{tool.name} {tool.title}".casefold())

    # intents

    def _run(self, tool: str, arguments: JsonObject) -> None:
        server = self._state.name
        self._bridge.send(lambda engine: engine.call(server, tool, arguments))

    def _accept(self, tool: str) -> None:
        server = self._state.name
        self._bridge.send(lambda engine: engine.accept_tool(server, tool))

    def _cancel(self, call_id: str) -> None:
        self._bridge.send(lambda engine: engine.cancel(call_id))

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
            self._status.addWidget(FindingView(Severity.DANGER, tr("Not removed"), words(problem)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < _NARROW
        self._side.setVisible(not narrow)
        self._choice_row.setVisible(narrow)
        if narrow != (event.oldSize().width() < _NARROW):
            self._show_head(self._state)


class _ToolRow(QWidget):
    def __init__(self, tool: ToolInfo, *, changed: bool) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(11, 6, 11, 6)
        layout.setSpacing(2)
        layout.addWidget(Elided(tool.title, "strong"))
        below = Elided(tr("Changed: look at it first"), "small", "bad") if changed else None
        layout.addWidget(below or Elided(tool.name, "code_small", "muted"))
