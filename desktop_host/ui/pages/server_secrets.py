"""The secrets that a server is given: their values are typed here and go to the keyring, never into a file."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import icon_button, label
from desktop_host.ui.widgets.sheet import Sheet

_WIDTH = 560


class SecretFields(QWidget):
    """A masked line for each secret. What has a value says so, and can be replaced or removed.

    Signals:
        changed: something was typed.
    """

    changed = Signal()

    def __init__(self, server: str, names: tuple[str, ...], bridge: Bridge) -> None:
        super().__init__()
        self._server = server
        self._bridge = bridge
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(8)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        outer.addLayout(grid)
        self.lines: dict[str, QLineEdit] = {}
        self._removers: dict[str, QWidget] = {}
        for place, name in enumerate(names):
            line = self.lines[name] = QLineEdit()
            line.setEchoMode(QLineEdit.EchoMode.Password)
            line.setAccessibleName(one_line(name))
            line.textChanged.connect(self._typed)
            remover = self._removers[name] = icon_button("trash", tr("Forget this value"), self._forgetter(name))
            remover.hide()
            grid.addWidget(label(one_line(name), "label"), place * 2, 0)
            grid.addWidget(line, place * 2 + 1, 0)
            grid.addWidget(remover, place * 2 + 1, 1)
        self._told = label("", "small", "warn", wrap=True)
        self._told.hide()
        outer.addWidget(self._told)
        self._look()

    def typed(self) -> dict[str, str]:
        """What was typed, by the secrets' names."""
        return {name: line.text() for name, line in self.lines.items() if line.text()}

    def keep(self, then: Callable[[Message | None], None]) -> None:
        """Keep what was typed; `then` hears where it ends with the program."""
        values = self.typed()
        self._bridge.send(lambda engine: engine.keep_secrets(values), then, self)

    def _forgetter(self, name: str) -> Callable[[], None]:
        def forget() -> None:
            self._bridge.send(lambda engine: engine.keep_secrets({name: ""}), self._kept, self)

        return forget

    def _kept(self, told: Message | None) -> None:
        self._told.setText(words(told) if told is not None else "")
        self._told.setVisible(told is not None)
        self._look()

    def _look(self) -> None:
        server = self._server
        self._bridge.send(lambda engine: engine.known_secrets(server), self._show, self)

    def _show(self, known: frozenset[str]) -> None:
        for name, line in self.lines.items():
            line.setPlaceholderText(tr("It has a value; type another to replace it") if name in known else "")
            self._removers[name].setVisible(name in known)

    def _typed(self, _text: str) -> None:
        self.changed.emit()


class SecretsSheet(Sheet):
    """All secrets of a server; what is kept holds from its next start."""

    def __init__(self, parent: QWidget, server: str, names: tuple[str, ...], bridge: Bridge) -> None:
        title = tr("Secrets of {server}").format(server=one_line(server))
        about = tr("They are kept in the system’s keyring and given to this server alone, from its next start on.")
        super().__init__(parent, title, QSize(_WIDTH, 0), about=about)
        self.fields = SecretFields(server, names, bridge)
        self.fields.changed.connect(self._typed)
        self.body.addWidget(self.fields)
        self._told = label("", "small", "warn", wrap=True)
        self._told.hide()
        self.above_buttons.addWidget(self._told)
        self.add_close(tr("Cancel"))
        self.keep = self.add_button(tr("Keep"), self._keep, "primary")
        self._typed()

    def _typed(self) -> None:
        self.keep.setEnabled(bool(self.fields.typed()))

    def _keep(self) -> None:
        self.fields.keep(self._kept)

    def _kept(self, told: Message | None) -> None:
        if told is None:
            self.accept()
            return
        self._told.setText(words(told))
        self._told.show()
        self.keep.setEnabled(False)
