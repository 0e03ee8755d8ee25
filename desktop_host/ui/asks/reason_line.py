"""The line in which the person says why they decline."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit


class ReasonLine(QLineEdit):
    """A line whose Return counts, but not while an input method composes a word.

    Signals:
        entered: Return was pressed, and meant.
    """

    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._composing = False

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self._composing:
                self.entered.emit()
            return
        super().keyPressEvent(event)
