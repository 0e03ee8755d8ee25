"""Text fields as high as their text, up to a bound."""

import math

from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop_host.ui.theme import color


def _line(widget: QWidget) -> int:
    """The height Qt gives a line, which it rounds up."""
    return math.ceil(QFontMetricsF(widget.font()).lineSpacing()) + 1


class GrowingText(QPlainTextEdit):
    """Plain text only, whatever is pasted. `least` and `most` are lines."""

    def __init__(self, text: str = "", *, least: int = 1, most: int = 9) -> None:
        super().__init__()
        self._least, self._most = least, most
        self.setTabChangesFocus(True)
        self.setPlainText(text)
        self.textChanged.connect(self._fit)
        self._fit()

    def mark(self, places: list[tuple[int, int]]) -> None:
        """Mark pieces of the text, from and to, counted in characters."""
        text = self.toPlainText()
        selections: list[QTextEdit.ExtraSelection] = []
        for start, end in places:
            made = QTextEdit.ExtraSelection()
            made.format.setBackground(QColor(color("mark")))  # pyright: ignore[reportAttributeAccessIssue]  # missing in the stubs
            made.format.setForeground(QColor(color("mark_text")))  # pyright: ignore[reportAttributeAccessIssue]  # as above
            cursor = QTextCursor(self.document())
            cursor.setPosition(_units(text, start))
            cursor.setPosition(_units(text, end), QTextCursor.MoveMode.KeepAnchor)
            made.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]  # as above
            selections.append(made)
        self.setExtraSelections(selections)

    def replace_all(self, text: str) -> None:
        """Put another text in the place of this one, so that it can be undone."""
        if text != self.toPlainText():
            cursor = self.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)

    def _fit(self) -> None:
        lines = int(self.document().size().height())
        shown = min(max(lines, self._least), self._most)
        self.setFixedHeight(shown * _line(self) + 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _units(text: str, place: int) -> int:
    """A place in a text as Qt counts it: what lies beyond 16 bits counts twice."""
    return len(text[:place].encode("utf-16-le", "surrogatepass")) // 2


class FittingView(QTextEdit):
    """Read-only formatted text of our own making. `least` and `most` are lines."""

    def __init__(self, *, least: int, most: int) -> None:
        super().__init__()
        self._least, self._most = least, most
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setProperty("role", "code")
        self.textChanged.connect(self._fit)

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        line = _line(self)
        wanted = self.document().size().height()
        self.setFixedHeight(round(min(max(wanted, self._least * line), self._most * line)) + 16)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
