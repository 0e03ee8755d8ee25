"""Which workspace is in force, and its servers: a bar to switch with, and a card to choose them in."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.messages import Message
from desktop_host.terms.state import WorkspaceState
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.icons import icon
from desktop_host.ui.text import tr
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import caption_of, clear_layout, icon_button, label
from desktop_host.ui.widgets.name_sheet import NameSheet

_COLUMNS = 3
Told = Callable[[Message | None], None]


def workspace_words(name: str) -> str:
    """The name of a workspace; the first has none until the person gives it one."""
    return one_line(name) or tr("My workspace")


class WorkspaceBar(QWidget):
    """The workspaces, and what can be done with the one in force."""

    def __init__(self, bridge: Bridge, told: Told) -> None:
        super().__init__()
        self._bridge = bridge
        self._told = told
        self._state = WorkspaceState("")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Workspace in force"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.setMinimumContentsLength(14)
        self.choice.activated.connect(self._chosen)
        line.addWidget(self.choice)
        more = icon_button("dots", tr("More for this workspace"))
        more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(more)
        menu.addAction(icon("plus", "muted", 16), tr("New workspace…")).triggered.connect(self._create)
        menu.addAction(icon("pencil", "muted", 16), tr("Rename…")).triggered.connect(self._rename)
        self._delete_it = menu.addAction(icon("trash", "muted", 16), tr("Remove this workspace…"))
        self._delete_it.triggered.connect(self._ask_to_delete)
        more.setMenu(menu)
        self.menu = menu
        line.addWidget(more)

    def show_state(self, state: WorkspaceState) -> None:
        """Show which one is in force."""
        self._state = state
        self.choice.clear()
        for name in state.names:
            self.choice.addItem(workspace_words(name), name)
        self.choice.setCurrentIndex(self.choice.findData(state.name))
        self._delete_it.setEnabled(len(state.names) > 1)

    def _chosen(self, place: int) -> None:
        name = str(self.choice.itemData(place))
        if name != self._state.name:
            self._bridge.send(lambda engine: engine.switch_workspace(name), self._told, self)

    def _create(self) -> None:
        def create(name: str) -> None:
            self._bridge.send(lambda engine: engine.create_workspace(name), self._told, self)

        about = tr("A set of folders and servers for one kind of work. It begins with every server and no folder.")
        NameSheet(self.window(), tr("New workspace"), "", create, about=about).open()

    def _rename(self) -> None:
        def rename(name: str) -> None:
            self._bridge.send(lambda engine: engine.rename_workspace(name), self._told, self)

        NameSheet(self.window(), tr("Name of this workspace"), self._state.name, rename).open()

    def _ask_to_delete(self) -> None:
        box = QMessageBox(self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(tr("Remove the workspace {name}?").format(name=workspace_words(self._state.name)))
        box.setInformativeText(tr("Its folders stay where they are, and its servers stay in your list."))
        self._deleting = box.addButton(tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.buttonClicked.connect(self._answered)
        box.open()

    def _answered(self, pressed: QWidget) -> None:
        if pressed is self._deleting:
            self._bridge.send(lambda engine: engine.delete_workspace(), self._told, self)


class ServersCard(QFrame):
    """The servers of the workspace in force: every one, or those that are ticked."""

    def __init__(self, bridge: Bridge, told: Told) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._bridge = bridge
        self._told = told
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(6)
        layout.addWidget(label(tr("Servers of this workspace"), "title"))
        self.every = QCheckBox(tr("Every server, also those that come later"))
        self.every.clicked.connect(self._every_clicked)
        layout.addWidget(self.every)
        self._inner = QWidget()
        self._grid = QGridLayout(self._inner)
        self._grid.setContentsMargins(26, 0, 0, 0)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(_COLUMNS, 1)
        layout.addWidget(self._inner)
        about = tr("Others are stopped and not listed while this workspace is in force.")
        layout.addWidget(label(about, "caption", "muted", wrap=True))
        self.boxes: dict[str, QCheckBox] = {}

    def show_servers(self, servers: list[str], chosen: frozenset[str] | None) -> None:
        """Show all servers there are, and which of them the workspace has."""
        self.setVisible(bool(servers))
        self.every.setChecked(chosen is None)
        self._inner.setVisible(chosen is not None)
        clear_layout(self._grid)
        self.boxes = {}
        for place, name in enumerate(servers):
            box = self.boxes[name] = QCheckBox(caption_of(name))
            box.setChecked(chosen is None or name in chosen)
            box.clicked.connect(self._clicked)
            self._grid.addWidget(box, place // _COLUMNS, place % _COLUMNS)

    def _every_clicked(self, every: bool) -> None:
        servers = None if every else frozenset(self.boxes)
        self._bridge.send(lambda engine: engine.choose_servers(servers), self._told, self)

    def _clicked(self) -> None:
        servers = frozenset(name for name, box in self.boxes.items() if box.isChecked())
        self._bridge.send(lambda engine: engine.choose_servers(servers), self._told, self)
