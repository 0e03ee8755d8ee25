"""The Activity page: what servers asked, who decided and why, out of the audit log."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QHeaderView, QTableView, QVBoxLayout

from desktop_host.audit.chain import Checked
from desktop_host.audit.reading import Entry, Part, Wanted
from desktop_host.terms.asks import AskKind, Outcome
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.icons import icon
from desktop_host.ui.pages.activity_entry import (
    EntryView,
    finding_tone,
    finding_words,
    headline,
    kind_icon,
    kind_words,
    look,
    outcome_names,
    outcome_words,
)
from desktop_host.ui.text import tr
from desktop_host.ui.theme import color
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import (
    button,
    frame,
    label,
    picture,
    search_field,
)

_PAUSE = 300
"""Milliseconds without a key after which the log is searched."""
_DAY = 86_400.0
_ROW = 40
_WIDTHS = (104, 120, 160, 0, 136, 112)
"""Pixels of the columns; 0 takes what is left."""
_ROOT = QModelIndex()
_KIND, _DECISION, _FINDING = 2, 4, 5
"""Columns with an icon."""


class ActivityModel(QAbstractTableModel):
    """The entries that were read so far; the page reads more when the table wants them."""

    def __init__(self, page: "ActivityPage") -> None:
        super().__init__(page)
        self._page = page
        self.entries: list[Entry] = []
        self.more = False

    def show_part(self, part: Part, *, first: bool) -> None:
        """Show entries, in the place of those that were here or after them."""
        if first:
            self.beginResetModel()
            self.entries = list(part.entries)
            self.more = part.more
            self.endResetModel()
            return
        self.more = part.more
        if part.entries:
            count = len(self.entries)
            self.beginInsertRows(QModelIndex(), count, count + len(part.entries) - 1)
            self.entries += part.entries
            self.endInsertRows()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return len(_WIDTHS)

    def canFetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> bool:
        return self.more and not parent.isValid()

    def fetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> None:
        self.more = False
        self._page.read_more()

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (tr("Time"), tr("Server"), tr("Kind"), tr("What"), tr("Decision"), tr("Finding"))[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry, column = self.entries[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            text = _CELLS[column](entry)
            return text if role == Qt.ItemDataRole.DisplayRole else text.replace("<", "‹")
        if role == Qt.ItemDataRole.DecorationRole:
            return _icon(entry, column)
        if role == Qt.ItemDataRole.ForegroundRole and column in (_DECISION, _FINDING):
            return QColor(color(look(entry)[1] if column == _DECISION else finding_tone(entry)))
        return None


class ActivityPage(QFrame):
    """A bar to filter with, the table, and beside it everything known about one entry."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._bridge = bridge
        self._asked = 0
        self._reading = self._stale = self._unproved = False
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._make_head())
        self.model = ActivityModel(self)
        self.table = self._make_table()
        middle = QHBoxLayout()
        middle.setSpacing(0)
        left = QVBoxLayout()
        left.setSpacing(0)
        holder = QVBoxLayout()
        holder.setContentsMargins(16, 4, 16, 0)
        self._empty = label(tr("Nothing yet. What servers ask you is listed here."), "body", "muted")
        self._empty.setContentsMargins(8, 24, 8, 24)
        self._empty.hide()
        holder.addWidget(self._empty)
        holder.addWidget(self.table, 1)
        left.addLayout(holder, 1)
        left.addWidget(self._make_foot())
        middle.addLayout(left, 1)
        self._side = EntryView(bridge)
        self._side.closed.connect(self._close_entry)
        middle.addWidget(self._side)
        outer.addLayout(middle, 1)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self.read)
        bridge.recorded.connect(self._recorded)

    def read(self) -> None:
        """Read the newest of the wanted entries."""
        self._ask(0)

    def read_more(self) -> None:
        """Read those that come after what is shown."""
        if self.model.entries:
            self._ask(self.model.entries[-1].id)

    def wanted(self) -> Wanted:
        """What the filters say."""
        days = float(self._times.currentData())
        return Wanted(
            self._search.text().strip(),
            str(self._servers.currentData() or ""),
            str(self._kinds.currentData()),
            str(self._outcomes.currentData()),
            time.time() - days * _DAY if days else 0.0,
        )

    def _ask(self, before: int) -> None:
        self._asked += 1
        number, wanted = self._asked, self.wanted()
        self._reading, self._stale = True, False

        def read(part: Part | None) -> None:
            if number == self._asked:
                self._reading = False
                self._show(part, first=before == 0)

        self._bridge.send(lambda engine: engine.activity(wanted, before), read, self)

    def _show(self, part: Part | None, *, first: bool) -> None:
        if part is None:
            self._count.setText(tr("The record cannot be read."))
            self._show_proof(None)
            return
        chosen = self._selected()
        self.model.show_part(part, first=first)
        self._name_servers(part.servers)
        if self._unproved:  # to follow the chain takes a while, and the entries are what the person waits for
            self._unproved = False
            self._bridge.send(lambda engine: engine.proof(), self._show_proof, self)
        shown = len(self.model.entries)
        text = tr("1 entry") if part.count == 1 else tr("{n} of {m} entries").format(n=shown, m=part.count)
        self._count.setText(text)
        filtered = self.wanted() != Wanted()
        self._clear.setVisible(filtered)
        self._empty.setText(
            tr("Nothing fits these filters.") if filtered else tr("Nothing yet. What servers ask you is listed here.")
        )
        self._empty.setVisible(part.count == 0)
        self.table.setVisible(part.count > 0)
        if first and chosen is not None:
            self._select(chosen)
        if self._stale:
            self.read()

    def _recorded(self, _record: object) -> None:
        """Something was added: show it, unless the person looks at older entries or nobody looks at all."""
        if self._reading:
            self._stale = True
        elif self.isVisible() and self.table.verticalScrollBar().value() == 0:
            self._pause.start()

    def _selected(self) -> int | None:
        rows = self.table.selectionModel().selectedRows()
        return self.model.entries[rows[0].row()].id if rows else None

    def _select(self, entry_id: int) -> None:
        row = next((n for n, one in enumerate(self.model.entries) if one.id == entry_id), None)
        if row is not None:
            self.table.selectRow(row)

    def _chosen(self, *_: object) -> None:
        rows = self.table.selectionModel().selectedRows()
        if rows:
            self._side.show_entry(self.model.entries[rows[0].row()])

    def _close_entry(self) -> None:
        self.table.clearSelection()
        self._side.hide()

    def _name_servers(self, names: tuple[str, ...]) -> None:
        known = [self._servers.itemData(place) for place in range(1, self._servers.count())]
        if known == list(names):
            return
        chosen = self._servers.currentData()
        while self._servers.count() > 1:
            self._servers.removeItem(1)
        for name in names:
            self._servers.addItem(one_line(name), name)
        self._servers.setCurrentIndex(max(self._servers.findData(chosen), 0))

    def _make_head(self) -> QFrame:
        head = frame("head")
        layout = QVBoxLayout(head)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(4)
        layout.addWidget(label(tr("Activity"), "page"))
        about = tr("Every question a server asked, who decided and why. It is kept on this computer only.")
        layout.addWidget(label(about, "body", "muted", wrap=True))
        layout.addSpacing(8)
        bar = QHBoxLayout()
        bar.setSpacing(8)
        self._search = search_field(tr("Search what was asked and answered"), self._search_changed)
        bar.addWidget(self._search, 1)
        self._servers = self._choice(tr("Server"), [(tr("All servers"), "")])
        self._kinds = self._choice(
            tr("Kind"), [(tr("All kinds"), ""), *((kind_words(kind.value), kind.value) for kind in AskKind)]
        )
        decisions = [(outcome_names()[outcome], outcome.value) for outcome in Outcome]
        self._outcomes = self._choice(tr("Decision"), [(tr("All decisions"), ""), *decisions])
        times = [(tr("Any time"), 0), (tr("Last 24 hours"), 1), (tr("Last 7 days"), 7), (tr("Last 30 days"), 30)]
        self._times = self._choice(tr("Time"), times)
        for choice in (self._servers, self._kinds, self._outcomes, self._times):
            bar.addWidget(choice)
        self._clear = button(tr("Clear"), self._clear_filters, "quiet")
        self._clear.hide()
        bar.addWidget(self._clear)
        layout.addLayout(bar)
        return head

    def _choice(self, name: str, items: list[tuple[str, Any]]) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName(name)
        for text, value in items:
            made.addItem(text, value)
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.setMinimumContentsLength(11)
        made.activated.connect(self._filter_chosen)
        return made

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(_ROW)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setWordWrap(False)
        table.setAccessibleName(tr("Activity"))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            if width:
                table.setColumnWidth(column, width)
            else:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        table.selectionModel().selectionChanged.connect(self._chosen)
        return table

    def _make_foot(self) -> QFrame:
        foot = frame("foot")
        layout = QHBoxLayout(foot)
        layout.setContentsMargins(24, 10, 24, 10)
        self._count = label("", "small", "muted")
        layout.addWidget(self._count)
        layout.addStretch(1)
        self._proof_icon = picture("shield-check", "ok", 14)
        self._proof_icon.hide()
        layout.addWidget(self._proof_icon)
        self._proof = label("", "small")
        layout.addWidget(self._proof)
        return foot

    def _show_proof(self, found: Checked | None) -> None:
        whole = found is not None and found.intact
        self._proof_icon.draw("shield-check" if whole else "warning", "ok" if whole else "bad")
        self._proof_icon.show()
        if found is None:
            self._proof.setText(tr("The record cannot be read."))
        elif whole:
            self._proof.setText(tr("Every entry is as it was written"))
        else:
            self._proof.setText(tr("Entry {n} was changed, or entries before it are gone").format(n=found.broken))

    def _search_changed(self, _text: str) -> None:
        self._pause.start()

    def _filter_chosen(self, _index: int) -> None:
        self.read()

    def _clear_filters(self) -> None:
        self._search.clear()
        for choice in (self._servers, self._kinds, self._outcomes, self._times):
            choice.setCurrentIndex(0)
        self.read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._unproved = True
        self.read()


def _icon(entry: Entry, column: int) -> Any:
    if column == _KIND:
        return icon(kind_icon(entry), "muted", 16)
    if column == _DECISION:
        return icon(*look(entry), 16)
    if column == _FINDING and entry.record.get("findings"):
        return icon("warning", finding_tone(entry), 16)
    return None


def _moment(seconds: float) -> str:
    """The time of day today, the date before that."""
    then = datetime.fromtimestamp(seconds, UTC).astimezone()
    today = then.date() == datetime.now(UTC).astimezone().date()
    return f"{then:%H:%M:%S}" if today else f"{then:%Y-%m-%d}"


_CELLS: tuple[Callable[[Entry], str], ...] = (
    lambda entry: _moment(entry.ended),
    lambda entry: one_line(entry.server),
    lambda entry: kind_words(entry.kind),
    headline,
    outcome_words,
    finding_words,
)
"""What stands in each column."""
