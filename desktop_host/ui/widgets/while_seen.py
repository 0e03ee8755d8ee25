"""Looking again and again at something that changes by itself, as long as somebody sees it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class WhileSeen(QObject):
    """Calls `look` when a widget is shown, and then every so many milliseconds until it is hidden."""

    def __init__(self, widget: QWidget, milliseconds: int, look: Callable[[], None]) -> None:
        super().__init__(widget)
        self._look = look
        self._timer = QTimer(self)
        self._timer.setInterval(milliseconds)
        self._timer.timeout.connect(look)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self._look()
            self._timer.start()
        elif event.type() == QEvent.Type.Hide:
            self._timer.stop()
        return super().eventFilter(watched, event)
