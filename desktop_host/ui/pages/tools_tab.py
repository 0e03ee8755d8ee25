"""The tab Tools of a server: the list, and the chosen tool with its form and results."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListView,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import CallState, ServerState, ToolInfo
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.pages.tool_list import ToolDelegate, ToolModel
from desktop_host.ui.pages.tool_panel import ToolPanel
from desktop_host.ui.text import tr
from desktop_host.ui.widgets.basics import frame, search_field

_TOOLS = 232
NARROW = 860
"""Pixels below which the list gives way to a choice."""


class ToolsTab(QSplitter):
    """Each tool has a panel of its own, which is made when it is chosen first."""

    def __init__(self, server: str, bridge: Bridge) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._server = server
        self._bridge = bridge
        self._tools: tuple[ToolInfo, ...] | None = None
        self._changes: Mapping[str, JsonObject] = {}
        self._panels: dict[str, ToolPanel] = {}
        self._name = ""
        self._calls: dict[str, CallState] = {}
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        side = frame("surface")
        side.setMinimumWidth(160)
        layout = QVBoxLayout(side)
        layout.setContentsMargins(12, 16, 12, 12)
        layout.setSpacing(12)
        self._search = search_field(tr("Search tools"), self._filter)
        layout.addWidget(self._search)
        self._model = ToolModel()
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(ToolDelegate(self._list))
        self._list.setUniformItemSizes(True)
        self._list.setAccessibleName(tr("Tools"))
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.selectionModel().currentChanged.connect(self._current_changed)
        layout.addWidget(self._list, 1)
        self._side = side
        right = frame("surface")
        inner = QVBoxLayout(right)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        self._choice = QComboBox()
        self._choice.setModel(self._model)
        # Else it asks for the width of every tool, and there may be thousands.
        self._choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._choice.setMinimumContentsLength(24)
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
        self.addWidget(side)
        self.addWidget(right)
        self.setSizes([_TOOLS, 800])
        self.setStretchFactor(1, 1)

    def show_state(self, state: ServerState) -> None:
        """Show the tools there are now."""
        self._show_tools(state.tools, state.changed)

    def show_call(self, state: CallState) -> None:
        """A call of one of them changed."""
        self._calls[state.tool] = state
        panel = self._panels.get(state.tool)
        if panel is not None:
            panel.show_call(state)

    def select_tool(self, name: str) -> ToolPanel | None:
        """Choose a tool; its panel."""
        self._choose(self._model.place(name))
        return self._panels.get(name)

    def _show_tools(self, tools: tuple[ToolInfo, ...], changes: Mapping[str, JsonObject]) -> None:
        if tools == self._tools and changes == self._changes:
            return
        self._changes = changes
        chosen = self._name
        self._tools = tools
        for panel in self._panels.values():
            self._panel.removeWidget(panel)
            panel.deleteLater()
        self._panels = {}
        self._model.show_tools(tools, changes)
        self._choose(max(self._model.place(chosen), 0))

    def _choose(self, place: int) -> None:
        if 0 <= place < self._model.rowCount():
            self._list.setCurrentIndex(self._model.index(place))
            self._show(self._model.tools[place])

    def _current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self._show(self._model.tools[index.row()])

    def _show(self, tool: ToolInfo) -> None:
        name = self._name = tool.name
        panel = self._panels.get(name)
        if panel is None:
            panel = self._panels[name] = ToolPanel(tool, self._changes.get(name))
            panel.accepted.connect(self._accept)
            if name in self._calls:
                panel.show_call(self._calls[name])
            panel.run.connect(self._run)
            panel.cancel.connect(self._cancel)
            self._panel.addWidget(panel)
        self._panel.setCurrentWidget(panel)
        self._choice.setCurrentIndex(self._model.place(name))

    def _picked(self, number: int) -> None:
        self._choose(number)

    def _filter(self, text: str) -> None:
        """The chosen tool stays beside the list, whether it is found or not."""
        self._model.search(text)
        place = self._model.place(self._name)
        if place >= 0:
            self._list.setCurrentIndex(self._model.index(place))
            self._choice.setCurrentIndex(place)

    def _run(self, tool: str, arguments: JsonObject) -> None:
        server = self._server
        self._bridge.send(lambda engine: engine.call(server, tool, arguments))

    def _accept(self, tool: str) -> None:
        server = self._server
        self._bridge.send(lambda engine: engine.accept_tool(server, tool))

    def _cancel(self, call_id: str) -> None:
        self._bridge.send(lambda engine: engine.cancel(call_id))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW
        self._side.setVisible(not narrow)
        self._choice_row.setVisible(narrow)
        if narrow:
            self._search.clear()  # nobody sees it there, and the choice would lack what it hides
