"""A picture of the program at work, for machines without a display: the main window and the demo's first question."""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QPainter, QPixmap

from desktop_host.ui.main_window import MainWindow
from desktop_host.ui.theme import color

_STEP = 100
_PATIENCE = 600
_GAP = 24


class Portrait(QObject):
    """Runs the first tool of the first server, waits for its question, saves the picture and closes the window."""

    def __init__(self, window: MainWindow, out: str) -> None:
        super().__init__(window)
        self._window = window
        self._out = out
        self._asked = False
        self._steps = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)
        self._timer.start(_STEP)

    def _step(self) -> None:
        self._steps += 1
        if self._steps > _PATIENCE:
            self._window.close()
        elif not self._asked:
            self._run()
        elif self._window.inbox.waiting:
            self._timer.stop()
            QTimer.singleShot(3 * _STEP, self, self._draw)

    def _run(self) -> None:
        for name in self._window.servers.names()[:1]:
            panel = self._window.servers.view(name).select_tool("book_trip")
            if panel is not None:
                self._asked = True
                panel.run_button.click()

    def _draw(self) -> None:
        question = self._window.inbox.waiting[0]
        dialog = self._window.inbox.window(question.ask.id)
        pictures = [self._window.grab(), *([dialog.grab()] if dialog is not None else [])]
        width = sum(one.width() for one in pictures) + _GAP * (len(pictures) + 1)
        height = max(one.height() for one in pictures) + 2 * _GAP
        sheet = QPixmap(width, height)
        sheet.fill(QColor(color("rail")))
        painter = QPainter(sheet)
        left = _GAP
        for one in pictures:
            painter.drawPixmap(left, _GAP, one)
            left += one.width() + _GAP
        painter.end()
        sheet.save(self._out)
        self._window.close()
