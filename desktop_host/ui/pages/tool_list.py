"""The tools of a server in a list of any length: only what is seen is drawn."""

from collections.abc import Collection
from typing import Any, cast

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_host.terms.state import ToolInfo
from desktop_host.ui.text import tr
from desktop_host.ui.theme import color, font_of
from desktop_host.ui.visible import one_line, visible

_HEIGHT, _SIDE, _TOP, _BETWEEN = 54, 11, 7, 2
_NAME, _CHANGED = int(Qt.ItemDataRole.UserRole), int(Qt.ItemDataRole.UserRole) + 1
_ROOT = QModelIndex()


class ToolModel(QAbstractListModel):
    """The tools that fit what is searched for."""

    def __init__(self) -> None:
        super().__init__()
        self._all: tuple[ToolInfo, ...] = ()
        self._changed: Collection[str] = ()
        self._wanted = ""
        self.tools: tuple[ToolInfo, ...] = ()

    def show_tools(self, tools: tuple[ToolInfo, ...], changed: Collection[str]) -> None:
        """Show other tools; `changed` are those that are no longer what they were."""
        self._all, self._changed = tools, changed
        self._fit()

    def search(self, text: str) -> None:
        """Show those with a text in their name or title."""
        self._wanted = text.casefold()
        self._fit()

    def place(self, name: str) -> int:
        """Where a tool stands, -1 where it does not."""
        return next((number for number, tool in enumerate(self.tools) if tool.name == name), -1)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.tools)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        tool = self.tools[index.row()]
        title = one_line(tool.title)
        if role == Qt.ItemDataRole.DisplayRole:
            return title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{title}, {tr('Changed: look at it first')}" if tool.name in self._changed else title
        if role == Qt.ItemDataRole.ToolTipRole:
            return visible(f"{tool.title}\n{tool.name}").replace("<", "‹")
        if role == _NAME:
            return tool.name
        return tool.name in self._changed if role == _CHANGED else None

    def _fit(self) -> None:
        self.beginResetModel()
        self.tools = tuple(one for one in self._all if self._wanted in f"{one.name} {one.title}".casefold())
        self.endResetModel()


class ToolDelegate(QStyledItemDelegate):
    """Two lines: the title, and below it the name, or that the tool changed."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, _HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        own = QStyleOptionViewItem(option)
        widget = cast("QListView", self.parent())
        widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, own, painter, widget)
        area: Any = own
        rect: QRect = area.rect.adjusted(_SIDE, _TOP, -_SIDE, -_TOP)
        changed = bool(index.data(_CHANGED))
        below = tr("Changed: look at it first") if changed else one_line(str(index.data(_NAME)))
        lines = (
            (str(index.data(Qt.ItemDataRole.DisplayRole)), "strong", "text"),
            (below, "small" if changed else "code_small", "bad" if changed else "muted"),
        )
        painter.save()
        top = rect.top()
        for text, size, token in lines:
            font = font_of(size)
            metrics = QFontMetrics(font)
            line = QRect(rect.left(), top, rect.width(), metrics.height())
            painter.setFont(font)
            painter.setPen(QColor(color(token)))
            cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), cut)
            top += metrics.height() + _BETWEEN
        painter.restore()
