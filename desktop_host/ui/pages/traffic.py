"""The tab Traffic of a server: every message to and from it, as its developer wants to see them."""

from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPlainTextEdit, QSplitter, QTableView, QVBoxLayout, QWidget

from desktop_host.terms.messages import Message
from desktop_host.terms.state import Traffic
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import color, set_type
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import button, label, search_field
from desktop_host.ui.widgets.while_seen import WhileSeen

_LOOK = 500
_ROW = 30
_WIDTHS = (124, 40, 100, 280, 64, 112, 80)
Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class TrafficModel(QAbstractTableModel):
    """The messages that were read so far."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: list[Traffic] = []

    def add(self, more: tuple[Traffic, ...]) -> None:
        """More of them."""
        count = len(self.entries)
        self.beginInsertRows(_ROOT, count, count + len(more) - 1)
        self.entries += more
        self.endInsertRows()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return len(_WIDTHS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            names = (tr("Time"), "", tr("Kind"), tr("Method"), tr("Id"), tr("Took"), tr("Size"))
            return names[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell(entry, index.column())
        if role == Qt.ItemDataRole.ForegroundRole and entry.kind in ("error", "broken"):
            return QColor(color("bad"))
        return None


class TrafficTab(QSplitter):
    """The table, and below it the chosen message whole. It looks for more while it is seen."""

    def __init__(self, server: str, bridge: Bridge) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._server = server
        self._bridge = bridge
        self._asking = False
        self._chosen = -1
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.model = TrafficModel(self)
        self._filtered = QSortFilterProxyModel(self)
        self._filtered.setSourceModel(self.model)
        self._filtered.setFilterKeyColumn(3)
        self._filtered.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.addWidget(self._make_list())
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "code")
        self.text.setAccessibleName(tr("Message"))
        self.text.setPlaceholderText(tr("Choose a message to see it whole. Secrets are masked."))
        set_type(self.text, "code_small")
        self.addWidget(self.text)
        self.setSizes([360, 240])
        WhileSeen(self, _LOOK, self._look)

    def _make_list(self) -> QWidget:
        holder = QWidget()
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(24, 16, 24, 8)
        layout.setSpacing(8)
        bar = QHBoxLayout()
        bar.setSpacing(8)
        bar.addWidget(search_field(tr("Search methods"), self._search), 1)
        bar.addWidget(button(tr("Export…"), self._export, icon_name="download", compact=True))
        layout.addLayout(bar)
        self.table = QTableView()
        self.table.setModel(self._filtered)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_ROW)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.setAccessibleName(tr("Traffic"))
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setStretchLastSection(True)
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        layout.addWidget(self.table, 1)
        self.facts = label("", "small", "muted")
        layout.addWidget(self.facts)
        return holder

    def _look(self) -> None:
        if self._asking:
            return
        self._asking = True
        server, after = self._server, len(self.model.entries)
        self._bridge.send(lambda engine: engine.traffic(server, after), self._came, self)

    def _came(self, more: tuple[Traffic, ...]) -> None:
        self._asking = False
        if more:
            bar = self.table.verticalScrollBar()
            at_end = bar.value() == bar.maximum()
            self.model.add(more)
            if at_end:
                self.table.scrollToBottom()
        count = len(self.model.entries)
        self.facts.setText(tr("1 message") if count == 1 else tr("{n} messages").format(n=f"{count:,}"))

    def _row_chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        row = self._filtered.mapToSource(index).row()
        if row < 0:
            return
        self._chosen = number = self.model.entries[row].number
        server = self._server

        def came(text: str) -> None:
            if self._chosen == number:
                self.text.setPlainText(visible(text))

        self._bridge.send(lambda engine: engine.message(server, number), came, self)

    def _search(self, text: str) -> None:
        self._filtered.setFilterFixedString(text)

    def _export(self) -> None:
        dialog = QFileDialog(self.window(), tr("Export…"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("jsonl")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.export)
        dialog.open()

    def export(self, path: str) -> None:
        """Write all messages to a file."""
        server = self._server
        self._bridge.send(lambda engine: engine.export_traffic(server, path), self._exported, self)

    def _exported(self, problem: Message | None) -> None:
        self.facts.setText(words(problem) if problem else tr("Saved."))


def _cell(entry: Traffic, column: int) -> str:
    if column == 0:
        return f"{datetime.fromtimestamp(entry.when, UTC).astimezone():%H:%M:%S.%f}"[:-3]
    if column == 1:
        return "→" if entry.sent else "←"
    if column == 2:
        kinds = {
            "request": tr("Request"),
            "notification": tr("Notification"),
            "result": tr("Result"),
            "error": tr("Error"),
            "broken": tr("No message"),
        }
        return kinds[entry.kind]
    if column == 5:
        return "" if entry.took is None else tr("{n} ms").format(n=f"{entry.took * 1000:,.1f}")
    if column == 6:
        return tr("{n} KB").format(n=f"{entry.size / 1024:,.1f}")
    return one_line(entry.method if column == 3 else entry.request_id)
