"""What the person should know and need not answer: a line each above the page, until it is put away."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.terms.asks import Severity
from desktop_host.ui.text import tr
from desktop_host.ui.theme import set_property
from desktop_host.ui.visible import visible
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
    ) -> None:
        """Show a line. `action`: the words of a button and what it does."""
        self.put_away(key)
        while len(self._lines) >= _MOST:
            self.put_away(next(iter(self._lines)))
        line = _Line(text, severity, lambda: self.put_away(key), action)
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
    def __init__(
        self, text: str, severity: Severity, away: Callable[[], None], action: tuple[str, Callable[[], None]] | None
    ) -> None:
        super().__init__()
        self._away = away
        self._act = action[1] if action else away
        self.setProperty("role", "notice")
        set_property(self, "kind", severity.value)
        self.setAccessibleName(visible(text))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 8, 12, 8)
        layout.setSpacing(10)
        layout.addWidget(picture(*_ICONS[severity], 16), 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(label(text, "body", wrap=True), 1)
        if action is not None:
            layout.addWidget(button(action[0], self._acted, compact=True))
        layout.addWidget(icon_button("close", tr("Put away"), self._put_away))

    def _acted(self) -> None:
        self._act()
        self._away()

    def _put_away(self) -> None:
        self._away()
