"""Cyclic garbage is collected on Qt's thread alone: a widget that ends on another one ends the program with it."""

import gc
import time

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_LOOK = 50
_FULL_PAUSE, _LONGEST_PAUSE = 60.0, 600.0
"""Seconds between two full collections, which take some 50 ms: the longer ones while somebody works with a window."""
_SETTLED = 10.0
"""Seconds after which everything is imported."""
_MIDDLE = 3
"""Collections of the young generation after which the middle one is due: after Python's own ten it takes 5 ms."""
_BUSY = 100
"""Collections of the middle generation after which a full one is due all the same: much was made and let go."""


class GarbageCollector(QObject):
    """Takes the place of Python's own collector, which runs in whichever thread happens to make an object.

    The engine's thread makes the most objects, and would end widgets that are only reachable from each other.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._full = time.monotonic()
        self._frozen = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(_LOOK)

    def stop(self) -> None:
        """Give the work back: no other thread touches objects any more."""
        self._timer.stop()
        gc.enable()

    def _look(self) -> None:
        young, middle, old = gc.get_count()
        most_young, _, _ = gc.get_threshold()
        waited = time.monotonic() - self._full
        in_front = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
        if not self._frozen and waited > _SETTLED:
            self._frozen = True
            gc.freeze()  # all that was imported stays for ever, and no collection need look at it
        elif waited > (_LONGEST_PAUSE if in_front and old <= _BUSY else _FULL_PAUSE):
            self._full = time.monotonic()
            gc.collect()
        elif middle > _MIDDLE:
            gc.collect(1)
        elif young > most_young:
            gc.collect(0)
