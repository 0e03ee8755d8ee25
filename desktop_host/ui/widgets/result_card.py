"""The result of a tool call: as a table, as text, and as the JSON it was."""

import json
from typing import Any, cast

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import CallState, CallStatus
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import (
    Elided,
    button,
    clear_layout,
    copy_text,
    frame,
    icon_button,
    label,
    paragraph,
    picture,
    scroll_area,
)
from desktop_host.ui.widgets.images import image_of, thumbnail
from desktop_host.ui.widgets.json_view import JsonView

_IMAGE = 520
_LONG_TEXT, _MOST_TEXT, _LONG_HEIGHT = 4_000, 30_000, 260
_MOST_BLOCK = 2_000
_COLUMN_GAP, _MOST_COLUMN, _MEASURED_ROWS = 28, 360, 40
Index = QModelIndex | QPersistentModelIndex


class ResultCard(QFrame):
    """Shows how a call ended: its content blocks, structured content, notices, or why there is none.

    Signals:
        start_over: the person wants the call made anew, with the same arguments.
    """

    start_over = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._result: Any = None
        self._arguments: JsonObject = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 10, 10)
        head.setSpacing(8)
        self._icon = picture("check", "ok", 18)
        self._title = label("", "title")
        self._caption = Elided("", "small", "muted")
        head.addWidget(self._icon)
        head.addWidget(self._title)
        head.addWidget(self._caption, 1)
        self._segments = frame("segments")
        inner = QHBoxLayout(self._segments)
        inner.setContentsMargins(2, 2, 2, 2)
        inner.setSpacing(0)
        self._group = QButtonGroup(self)
        self._buttons: list[QPushButton] = []
        for number, text in enumerate((tr("Table"), tr("Text"), "JSON")):
            one = button(text, role="segment")
            one.setCheckable(True)
            self._group.addButton(one, number)
            self._buttons.append(one)
            inner.addWidget(one)
        self._group.idClicked.connect(self._show_page)
        head.addWidget(self._segments)
        head.addWidget(icon_button("copy", tr("Copy the result as JSON"), self._copy))
        layout.addLayout(head)
        layout.addWidget(frame("rule"))
        self._notices = QVBoxLayout()
        self._notices.setContentsMargins(16, 0, 16, 0)
        layout.addLayout(self._notices)
        self._pages = QStackedWidget()
        self._table = QTableView()
        self._table.verticalHeader().hide()
        self._table.verticalHeader().setDefaultSectionSize(36)
        self._table.setShowGrid(False)
        self._table.setTabKeyNavigation(False)
        self._table.horizontalHeader().setResizeContentsPrecision(_MEASURED_ROWS)
        self._table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self._table.setAccessibleName(tr("Result as a table"))
        self._blocks = QVBoxLayout()
        self._blocks.setContentsMargins(16, 14, 16, 14)
        self._blocks.setSpacing(12)
        holder = QWidget()
        holder.setLayout(self._blocks)
        area = scroll_area(holder, tr("Result as text"))
        self._json = JsonView(bare=True)
        for page in (self._table, area, self._json):
            self._pages.addWidget(page)
        layout.addWidget(self._pages, 1)

    def show_call(self, state: CallState) -> None:
        """Show an ended call."""
        self._result = state.result
        name, token, title = _verdict(state.status)
        self._icon.draw(name, token)
        self._title.setText(title)
        took = tr("{n} s").format(n=f"{(state.ended or state.started) - state.started:.1f}")
        good = [words(notice) for notice in state.notices if notice.key == "result.matches"]
        self._caption.set_whole(" · ".join([took, *good]))
        self._fill_blocks(state)
        rows = table_rows(state.result)
        if rows is not None:
            self._table.setModel(RowsModel(rows, self._table))
            self._table.resizeColumnsToContents()
            for number in range(self._table.model().columnCount()):
                wanted = self._table.columnWidth(number) + _COLUMN_GAP
                self._table.setColumnWidth(number, min(wanted, _MOST_COLUMN))
        self._json.set_value(state.result)
        self._buttons[0].setVisible(rows is not None)
        self._segments.setVisible(state.result is not None)
        self._buttons[0 if rows is not None else 1].setChecked(True)
        self._show_page(0 if rows is not None else 1)

    def _fill_blocks(self, state: CallState) -> None:
        clear_layout(self._blocks)
        clear_layout(self._notices)
        if state.error is not None:
            self._blocks.addWidget(paragraph(words(state.error)))
        for notice in state.notices:
            if notice.key != "result.matches":
                self._notices.addWidget(_notice(words(notice)))
        if state.resumed and state.status is CallStatus.FAILED:
            self._arguments = state.arguments
            again = button(tr("Start over"), self._start_over, icon_name="restart", compact=True)
            self._blocks.addWidget(again, 0, Qt.AlignmentFlag.AlignLeft)
        result: JsonObject = state.result or {}
        content: Any = result.get("content")
        blocks = cast("list[Any]", content) if isinstance(content, list) else []
        for block in blocks:
            self._blocks.addWidget(
                block_view(cast("JsonObject", block) if isinstance(block, dict) else {"value": block})
            )
        if "structuredContent" in result and not blocks:
            self._blocks.addWidget(JsonView(result["structuredContent"]))
        self._blocks.addStretch(1)

    def _show_page(self, number: int) -> None:
        self._pages.setCurrentIndex(number)

    def _start_over(self) -> None:
        self.start_over.emit(self._arguments)

    def _copy(self) -> None:
        copy_text(json.dumps(self._result, ensure_ascii=False, indent=2))


def _notice(text: str) -> QLabel:
    line = label(text, "small", "warn", wrap=True)
    line.setContentsMargins(0, 10, 0, 0)
    return line


def block_view(block: JsonObject) -> QWidget:
    """One content block: text and embedded text as text, images drawn, links as text, everything else raw."""
    kind = block.get("type")
    if kind == "text":
        return text_view(str(block.get("text", "")))
    if kind == "image":
        image = image_of(block)
        if not image.isNull():
            view = label("")
            view.setPixmap(thumbnail(image, _IMAGE, _IMAGE))
            view.setAccessibleName(tr("Image"))
            return view
    if kind == "resource_link":
        name = one_line(str(block.get("title") or block.get("name") or ""))
        return paragraph(f"{name}\n{block.get('uri', '')}\n{block.get('description', '')}".strip())
    if kind == "resource":
        resource = block.get("resource")
        inner = cast("JsonObject", resource) if isinstance(resource, dict) else {}
        if isinstance(inner.get("text"), str):
            return text_view(f"{inner.get('uri', '')}\n{inner['text']}")
    view = JsonView(block, most=_MOST_BLOCK)
    view.setMinimumHeight(120)
    return view


def text_view(text: str) -> QWidget:
    """A text; a long one scrolls in a view that only lays out what is seen, and a very long one is cut."""
    if len(text) <= _LONG_TEXT:
        return paragraph(text)
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setProperty("role", "code")
    view.setAccessibleName(tr("Result as text"))
    view.setMinimumHeight(_LONG_HEIGHT)
    cut = "\n… " + tr("cut; copy to have all") if len(text) > _MOST_TEXT else ""
    view.setPlainText(visible(text[:_MOST_TEXT]) + cut)
    return view


class RowsModel(QAbstractTableModel):
    """Objects as rows, their keys as columns."""

    def __init__(self, rows: list[JsonObject], parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self._columns = list(dict.fromkeys(key for row in rows[:200] for key in row))[:40]
        self._numeric = [all(_is_number(row.get(key)) for row in rows[:50]) for key in self._columns]

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self._numeric[column] else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's own default
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value = self._rows[index.row()].get(self._columns[index.column()])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(
                value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
            )
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return one_line(self._columns[section])
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def table_rows(result: JsonObject | None) -> list[JsonObject] | None:
    """The rows of structured content that is, or holds, one list of objects."""
    content: Any = (result or {}).get("structuredContent")
    lists: list[Any] = [content] if isinstance(content, list) else []
    if isinstance(content, dict):
        lists = [value for value in cast("JsonObject", content).values() if isinstance(value, list)]
    for found in lists:
        if found and all(isinstance(item, dict) for item in found):
            return cast("list[JsonObject]", found)
    return None


def _verdict(status: CallStatus) -> tuple[str, str, str]:
    return {
        CallStatus.DONE: ("check", "ok", tr("Done")),
        CallStatus.TOOL_ERROR: ("warning", "bad", tr("The tool reports an error")),
        CallStatus.CANCELLED: ("stop", "muted", tr("Cancelled")),
        CallStatus.ABANDONED: ("stop", "warn", tr("Given up")),
        CallStatus.FAILED: ("warning", "bad", tr("Failed")),
        CallStatus.RUNNING: ("spinner", "muted", tr("Running")),
    }[status]
