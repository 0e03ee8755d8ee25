"""The Workspace page: folders, and which server each is offered to."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.asks import Severity
from desktop_host.terms.messages import Message
from desktop_host.terms.state import RootState, ServerState, WorkspaceState
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.pages.workspaces import ServersCard, WorkspaceBar
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import (
    FindingView,
    Tile,
    badge,
    button,
    caption_of,
    clear_layout,
    frame,
    icon_button,
    label,
    row,
    scroll_area,
)
from desktop_host.ui.widgets.name_sheet import NameSheet

_COLUMNS = 3


class WorkspacePage(QFrame):
    """Roots as cards; each with a box per server."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._bridge = bridge
        self._roots: tuple[RootState, ...] = ()
        self._servers: list[str] = []
        self._state = WorkspaceState("")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        head = frame("head")
        top = QHBoxLayout(head)
        top.setContentsMargins(24, 20, 24, 16)
        names = QVBoxLayout()
        self.bar = WorkspaceBar(bridge, self._told)
        names.addLayout(row(label(tr("Workspace"), "page"), self.bar, 1, spacing=16))
        names.addWidget(
            label(
                tr(
                    "Folders you offer to servers. They tell a server where to work; they do not lock it out of others."
                ),
                "body",
                "muted",
                wrap=True,
            )
        )
        top.addLayout(names, 1)
        self._recent = QMenu(self)
        self._recent.aboutToShow.connect(self._show_recent)
        self._recent.triggered.connect(self._recent_chosen)
        recent = icon_button("clock", tr("Recent folders"))
        recent.setPopupMode(recent.ToolButtonPopupMode.InstantPopup)
        recent.setMenu(self._recent)
        top.addWidget(recent, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(button(tr("Open folder…"), self._add, "primary", "plus"), 0, Qt.AlignmentFlag.AlignTop)
        self.setAcceptDrops(True)
        outer.addWidget(head)
        inner = QWidget()
        content = QVBoxLayout(inner)
        content.setContentsMargins(24, 20, 24, 20)
        content.setSpacing(12)
        self._problem = QVBoxLayout()
        content.addLayout(self._problem)
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        content.addLayout(self._list)
        self.chosen = ServersCard(bridge, self._told)
        content.addWidget(self.chosen)
        self._excluded = QVBoxLayout()
        self._excluded.setSpacing(8)
        content.addLayout(self._excluded)
        content.addStretch(1)
        outer.addWidget(scroll_area(inner, tr("Workspace")), 1)
        bridge.roots_changed.connect(self._roots_changed)
        bridge.server_changed.connect(self._server_changed)
        bridge.server_gone.connect(self._server_gone)
        self._draw()

    def _roots_changed(self, roots: tuple[RootState, ...]) -> None:
        self._roots = roots
        self._draw()
        self._bridge.send(lambda engine: engine.workspace(), self._show_workspace, self)

    def _server_changed(self, state: ServerState) -> None:
        if state.name not in self._servers:
            self._servers.append(state.name)
            self._draw()

    def _server_gone(self, name: str) -> None:
        if name in self._servers:
            self._servers.remove(name)
            self._draw()

    def _draw(self) -> None:
        clear_layout(self._list)
        for root in self._roots:
            self._list.addWidget(_RootCard(root, self._servers, self._bridge, self._told))
        if not self._roots:
            self._list.addWidget(
                label(tr("No folder yet. Servers that ask are told that there is none."), "body", "muted")
            )
        self.chosen.show_servers(self._servers, self._state.servers)

    def _show_workspace(self, state: WorkspaceState) -> None:
        if state.servers != self._state.servers:
            self.chosen.show_servers(self._servers, state.servers)
        self._state = state
        self.bar.show_state(state)
        clear_layout(self._excluded)
        if state.excluded:
            self._excluded.addWidget(label(tr("Never offered, with all that is in them"), "label"))
        for path in state.excluded:
            self._excluded.addWidget(_ExcludedRow(path, self._bridge, self._told))

    def _show_recent(self) -> None:
        self._recent.clear()
        for path in self._state.recent:
            self._recent.addAction(caption_of(path)).setData(path)
        if not self._state.recent:
            self._recent.addAction(tr("None yet")).setEnabled(False)

    def _recent_chosen(self, action: QAction) -> None:
        if action.data():
            self.add_folder(str(action.data()))

    def _add(self) -> None:
        dialog = QFileDialog(self, tr("Choose a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.add_folder)
        dialog.open()

    def add_folder(self, path: str) -> None:
        """Add a folder to the workspace."""
        self._bridge.send(lambda engine: engine.add_root(path), self._told, self)

    def _told(self, problem: Message | None) -> None:
        clear_layout(self._problem)
        if problem is not None:
            self._problem.addWidget(FindingView(Severity.DANGER, tr("The workspace is as it was"), words(problem)))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.add_folder(url.toLocalFile())


class _RootCard(QFrame):
    def __init__(
        self, root: RootState, servers: list[str], bridge: Bridge, told: Callable[[Message | None], None]
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._root = root
        self._bridge = bridge
        self._told = told
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 14, 12, 14)
        layout.setSpacing(14)
        layout.addWidget(Tile(40, name="workspace", token="accent_text"), 0, Qt.AlignmentFlag.AlignTop)
        text = QVBoxLayout()
        text.setSpacing(2)
        names = QHBoxLayout()
        names.setSpacing(8)
        names.addWidget(label(root.name, "title"))
        for wanted, caption, kind in (
            (root.missing, tr("missing"), "warn"),
            (root.unreadable, tr("not readable"), "warn"),
            (root.link, tr("link"), ""),
            (root.network, tr("network"), ""),
        ):
            if wanted:
                names.addWidget(badge(caption, kind))
        names.addStretch(1)
        text.addLayout(names)
        text.addWidget(label(root.path, "code_small", "muted", wrap=True, selectable=True))
        if root.repository:
            part = tr("A part of {path}, which is under version control.").format(path=root.repository)
            whole = button(tr("Take the whole"), self._take_whole, compact=True)
            text.addLayout(row(whole, label(part, "caption", "muted", wrap=True)))
        text.addSpacing(8)
        text.addWidget(label(tr("Offered to"), "caption", "muted"))
        self._boxes: dict[QCheckBox, str] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(_COLUMNS, 1)
        text.addLayout(grid)
        for number, server in enumerate(servers):
            box = QCheckBox(caption_of(server))
            box.setChecked(server in root.shared_with)
            box.clicked.connect(self._share)
            self._boxes[box] = server
            grid.addWidget(box, number // _COLUMNS, number % _COLUMNS)
        if not servers:
            text.addWidget(label(tr("There are no servers yet."), "small", "muted"))
        layout.addLayout(text, 1)
        rename = icon_button("pencil", tr("Name of {name}").format(name=root.name), self._rename)
        layout.addWidget(rename, 0, Qt.AlignmentFlag.AlignTop)
        never = icon_button("ban", tr("Never offer {name}, nor what is in it").format(name=root.name), self._exclude)
        layout.addWidget(never, 0, Qt.AlignmentFlag.AlignTop)
        remove = icon_button("trash", tr("Remove {name} from the workspace").format(name=root.name), self._remove)
        layout.addWidget(remove, 0, Qt.AlignmentFlag.AlignTop)

    def _share(self, shared: bool) -> None:
        box = self.sender()
        if isinstance(box, QCheckBox):
            uri, server = self._root.uri, self._boxes[box]
            self._bridge.send(lambda engine: engine.share_root(uri, server, shared), self._told, self.window())

    def _rename(self) -> None:
        uri, window = self._root.uri, self.window()

        def rename(name: str) -> None:
            self._bridge.send(lambda engine: engine.call_root(uri, name), self._told, window)

        about = tr("Servers get it with the folder’s address. Empty: the folder’s own name.")
        NameSheet(window, tr("Name of the folder"), self._root.name, rename, about=about, or_none=True).open()

    def _take_whole(self) -> None:
        uri, path = self._root.uri, self._root.repository
        self._bridge.send(lambda engine: engine.replace_root(uri, path), self._told, self.window())

    def _exclude(self) -> None:
        path = self._root.path
        self._bridge.send(lambda engine: engine.exclude_root(path), self._told, self.window())

    def _remove(self) -> None:
        uri = self._root.uri
        self._bridge.send(lambda engine: engine.remove_root(uri), self._told, self.window())


class _ExcludedRow(QFrame):
    def __init__(self, path: str, bridge: Bridge, told: Callable[[Message | None], None]) -> None:
        super().__init__()
        self.setProperty("role", "inset")
        self._path = path
        self._bridge = bridge
        self._told = told
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 8, 12, 8)
        layout.addWidget(label(path, "code_small", "muted", wrap=True, selectable=True), 1)
        layout.addWidget(button(tr("Allow again"), self._include, compact=True))

    def _include(self) -> None:
        path = self._path
        self._bridge.send(lambda engine: engine.include_root(path), self._told, self.window())
