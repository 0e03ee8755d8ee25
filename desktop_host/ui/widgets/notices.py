"""What the person should know and need not answer: a line each above the page, until it is put away."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.terms.asks import Severity
from desktop_host.ui.text import tr
from desktop_host.ui.theme import set_property
from desktop_host.ui.visible import breakable, visible
from desktop_host.ui.widgets.basics import button, icon_button, label, picture

_MOST = 4
_ICONS = {Severity.INFO: ("info", "accent_text"), Severity.WARNING: ("warning", "warn")}


class Notices(QWidget):
    """The lines. A later one of the same `key` takes the place of the earlier; of many only the newest stay."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: dict[str, _Line] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.hide()

    def tell(
        self,
        key: str,
        text: str,
        severity: Severity = Severity.WARNING,
        action: tuple[str, Callable[[], None]] | None = None,
        *,
        lasting: bool = False,
    ) -> None:
        """Show a line. `action`: the words of a button and what it does. `lasting`: only the person puts it away."""
        known = self._lines.pop(key, None)
        if known is not None:  # it moves to the end, and keeps the keyboard where it was
            self._lines[key] = known
            self._layout.removeWidget(known)
            self._layout.addWidget(known)
            known.raise_()
            known.say(text)
            return
        passing = [one for one, line in self._lines.items() if not line.lasting]
        if len(passing) >= _MOST:
            self.put_away(passing[0])
        line = _Line(text, severity, key, action, lasting=lasting)
        line.done.connect(self.put_away)
        self._lines[key] = line
        self._layout.addWidget(line)
        self.show()

    def put_away(self, key: str) -> None:
        """Take a line away."""
        line = self._lines.pop(key, None)
        if line is not None:
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.setVisible(bool(self._lines))

    def texts(self) -> list[str]:
        """What the lines say, oldest first."""
        return [line.accessibleName() for line in self._lines.values()]


class _Line(QFrame):
    """One line.

    Signals:
        done: it can go; its key.
    """

    done = Signal(str)

    def __init__(
        self,
        text: str,
        severity: Severity,
        key: str,
        action: tuple[str, Callable[[], None]] | None,
        *,
        lasting: bool,
    ) -> None:
        super().__init__()
        self._key = key
        self._action = action
        self.lasting = lasting
        self.setProperty("role", "notice")
        set_property(self, "kind", severity.value)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 8, 12, 8)
        layout.setSpacing(10)
        layout.addWidget(picture(*_ICONS[severity], 16), 0, Qt.AlignmentFlag.AlignVCenter)
        self._text = label("", "body", wrap=True)
        layout.addWidget(self._text, 1)
        self.say(text)
        if action is not None:
            layout.addWidget(button(action[0], self._acted, compact=True))
        layout.addWidget(icon_button("close", tr("Put away"), self._put_away))

    def say(self, text: str) -> None:
        """Say something else."""
        self._text.setText(breakable(visible(text)))
        self.setAccessibleName(visible(text))

    def _acted(self) -> None:
        if self._action is not None:
            self._action[1]()
        self.done.emit(self._key)

    def _put_away(self) -> None:
        self.done.emit(self._key)
