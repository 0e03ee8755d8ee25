"""Text fields as high as their text, up to a bound."""

import math

from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget


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

    def _fit(self) -> None:
        lines = int(self.document().size().height())
        shown = min(max(lines, self._least), self._most)
        self.setFixedHeight(shown * _line(self) + 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


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
