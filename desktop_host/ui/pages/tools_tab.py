"""The tab Tools of a server: the list, and the chosen tool with its form and results."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import CallState, ServerState, ToolInfo
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.pages.tool_panel import ToolPanel
from desktop_host.ui.text import tr
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import Elided, frame, search_field

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
        for number in range(self._list.count()):
            if self._list.item(number).data(Qt.ItemDataRole.UserRole) == name:
                self._list.setCurrentRow(number)
        return self._panels.get(name)

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
