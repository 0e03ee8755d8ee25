"""The Servers page: the list with states, and the chosen server with its tools."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_host.config.hosts import text_source
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallState, ServerState, ServerStatus
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.pages.add_server import AddServer
from desktop_host.ui.pages.first_run import FirstRun
from desktop_host.ui.pages.import_servers import ImportServers
from desktop_host.ui.pages.server_view import ServerView
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import Elided, Tile, badge, button, frame, label, search_field

_LIST = 288


class ServersPage(QStackedWidget):
    """Without servers three cards, with servers the list and the chosen one."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._states: dict[str, ServerState] = {}
        self._items: dict[str, QListWidgetItem] = {}
        self._views: dict[str, ServerView] = {}
        self._rows: dict[str, _Row] = {}
        self.first_run = FirstRun()
        self.first_run.demo.connect(self.start_demo)
        self.first_run.add.connect(self.add_server)
        self.first_run.others.connect(self.import_servers)
        self.setAcceptDrops(True)
        self.addWidget(self.first_run)
        self.addWidget(self._make_split())
        bridge.server_changed.connect(self._server_changed)
        bridge.server_gone.connect(self._server_gone)
        bridge.call_changed.connect(self._call_changed)

    def view(self, name: str) -> ServerView:
        """The view of a server."""
        return self._views[name]

    def select(self, name: str) -> None:
        """Choose a server."""
        if name in self._items:
            self._list.setCurrentItem(self._items[name])

    def show_tool(self, server: str, tool: str) -> None:
        """Choose a server and one of its tools."""
        self.select(server)
        if server in self._views:
            self._views[server].select_tool(tool)

    def names(self) -> list[str]:
        """The known servers."""
        return list(self._states)

    def start_demo(self) -> None:
        """Start the bundled servers."""
        self.first_run.set_busy(True)
        self._bridge.send(lambda engine: engine.start_demo(), self._demo_started, self)

    def _demo_started(self, problem: Message | None) -> None:
        self.first_run.set_busy(False)
        self.first_run.show_problem(words(problem) if problem else "")

    def add_server(self) -> None:
        """Open the window that adds a server."""
        window = AddServer(self._bridge, self.window())
        window.added.connect(self.select)
        window.pasted.connect(self.import_text)
        window.others.connect(self.import_servers)
        window.open()

    def import_servers(self) -> None:
        """Open the window that takes servers over from other hosts."""
        self._open_import().look_around()

    def import_text(self, text: str) -> None:
        """Show the servers in a text that was pasted, or in a link; nothing is added yet."""
        title = tr("A link") if text.startswith("desktop-host:") else tr("What you pasted")
        self._open_import().show_sources([text_source(title, text)])

    def _open_import(self) -> ImportServers:
        window = ImportServers(self._bridge, self.window())
        window.added.connect(self.select)
        window.open()
        return window

    def _make_split(self) -> QSplitter:
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(self._make_list())
        self._detail = QStackedWidget()
        text = tr("This workspace has no servers. Choose some on the page Workspace.")
        self._nobody = label(text, "body", "muted", wrap=True)
        self._nobody.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._detail.addWidget(self._nobody)
        split.addWidget(self._detail)
        split.setSizes([_LIST, 900])
        split.setStretchFactor(1, 1)
        return split

    def _make_list(self) -> QFrame:
        side = frame("window")
        side.setMinimumWidth(220)
        layout = QVBoxLayout(side)
        layout.setContentsMargins(12, 20, 12, 12)
        layout.setSpacing(12)
        head = QHBoxLayout()
        head.setContentsMargins(8, 0, 4, 0)
        head.addWidget(label(tr("Servers"), "page"))
        head.addStretch(1)
        head.addWidget(button(tr("Add"), self.add_server, icon_name="plus", compact=True))
        layout.addLayout(head)
        self._search = search_field(tr("Search servers"), self._filter)
        layout.addWidget(self._search)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Servers"))
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.currentItemChanged.connect(self._chosen)
        layout.addWidget(self._list, 1)
        return side

    def _server_changed(self, state: ServerState) -> None:
        new = state.name not in self._states
        self._states[state.name] = state
        if new:
            self._add(state)
        self._draw_row(state)
        self._views[state.name].show_state(state)
        self.setCurrentIndex(1)
        self._hide_others()

    def _add(self, state: ServerState) -> None:
        item = QListWidgetItem()
        item.setData(Qt.ItemDataRole.UserRole, state.name)
        item.setSizeHint(QSize(100, 68))
        self._items[state.name] = item
        self._list.addItem(item)
        view = ServerView(state, self._bridge)
        self._views[state.name] = view
        self._detail.addWidget(view)

    def _draw_row(self, state: ServerState) -> None:
        item = self._items[state.name]
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{one_line(state.name)}, {state_words(state)}")
        if (before := self._rows.get(state.name)) is not None:
            before.hide()  # it goes a little later, and would be seen below the new one until then
        self._rows[state.name] = _Row(state)
        self._list.setItemWidget(item, self._rows[state.name])

    def _server_gone(self, name: str) -> None:
        item = self._items.pop(name, None)
        self._states.pop(name, None)
        view = self._views.pop(name, None)
        self._rows.pop(name, None)
        if item is not None:
            self._list.takeItem(self._list.row(item))
        if view is not None:
            self._detail.removeWidget(view)
            view.deleteLater()
        if not self._states:
            self.first_run.set_busy(False)
            self.setCurrentIndex(0)

    def _call_changed(self, state: CallState) -> None:
        view = self._views.get(state.server)
        if view is not None:
            view.show_call(state)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._detail.setCurrentWidget(self._views[item.data(Qt.ItemDataRole.UserRole)])

    def _filter(self, _text: str) -> None:
        self._hide_others()

    def _hide_others(self) -> None:
        """List what is searched for and of the workspace in force; one of them is chosen."""
        wanted = self._search.text().casefold()
        for name, item in self._items.items():
            item.setHidden(not self._states[name].here or wanted not in name.casefold())
        here = [self._list.row(item) for name, item in self._items.items() if self._states[name].here]
        if self._list.currentRow() not in here:
            self._list.setCurrentRow(here[0] if here else -1)
        if not here:
            self._detail.setCurrentWidget(self._nobody)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        event.acceptProposedAction()
        self._open_import().read_file(paths[0])


class _Row(QWidget):
    """A server in the list: tile, name, era, state in words."""

    def __init__(self, state: ServerState) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(10)
        name, token, kind, tone = _look(state)
        layout.addWidget(Tile(34, name=name, token=token, kind=kind))
        text = QVBoxLayout()
        text.setSpacing(3)
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(Elided(state.name, "strong"), 1)
        if state.era:
            top.addWidget(badge(era_words(state.era)))
        text.addLayout(top)
        text.addWidget(Elided(state_words(state), "small", tone))
        layout.addLayout(text, 1)


def _look(state: ServerState) -> tuple[str, str, str, str]:
    if state.asks_waiting:
        return "ask", "on_accent", "accent", "accent"
    return {
        ServerStatus.OFF: ("ring", "muted", "", "muted"),
        ServerStatus.STARTING: ("spinner", "muted", "", "muted"),
        ServerStatus.STOPPING: ("spinner", "muted", "", "muted"),
        ServerStatus.READY: ("dot", "ok", "ok", "ok"),
        ServerStatus.FAILED: ("warning", "bad", "bad", "bad"),
        ServerStatus.BLOCKED: ("lock", "muted", "", "muted"),
    }[state.status]


def state_words(state: ServerState) -> str:
    """A server's state in a few words."""
    if state.asks_waiting == 1:
        return tr("1 question waiting")
    if state.asks_waiting:
        return tr("{n} questions waiting").format(n=state.asks_waiting)
    if state.status is ServerStatus.READY:
        count = len(state.tools)
        return tr("Ready · 1 tool") if count == 1 else tr("Ready · {n} tools").format(n=count)
    if state.status is ServerStatus.FAILED:
        return words(state.reason) if state.reason else tr("Failed")
    return {
        ServerStatus.OFF: tr("Off"),
        ServerStatus.STARTING: tr("Starting…"),
        ServerStatus.STOPPING: tr("Stopping…"),
        ServerStatus.BLOCKED: tr("Not allowed by your administrator"),
    }[state.status]


def era_words(era: str) -> str:
    """A protocol era in a word."""
    return tr("modern") if era == "modern" else tr("handshake")
