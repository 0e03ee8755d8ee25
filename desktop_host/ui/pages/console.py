"""The tab Console of a server: what it writes on stderr, as it comes, and what its processes take."""

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from desktop_host.terms.state import Console
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr
from desktop_host.ui.theme import set_type
from desktop_host.ui.visible import visible
from desktop_host.ui.widgets.basics import label, search_field
from desktop_host.ui.widgets.while_seen import WhileSeen

_LOOK = 1000
_MEGABYTE = 1024 * 1024


class ConsoleTab(QWidget):
    """Looks every second while it is seen. With a search text only the lines that hold it are shown."""

    def __init__(self, server: str, bridge: Bridge) -> None:
        super().__init__()
        self._server = server
        self._bridge = bridge
        self._console = Console(())
        self._wanted = ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 16)
        layout.setSpacing(8)
        layout.addWidget(search_field(tr("Search what it wrote"), self._search))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "code")
        self.text.setAccessibleName(tr("Console"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        set_type(self.text, "code_small")
        layout.addWidget(self.text, 1)
        self.facts = label("", "small", "muted")
        layout.addWidget(self.facts)
        WhileSeen(self, _LOOK, self._look)

    def _look(self) -> None:
        server = self._server
        self._bridge.send(lambda engine: engine.console(server), self._show, self)

    def _show(self, console: Console) -> None:
        pattern = tr("1 process, {mb} MB") if console.processes == 1 else tr("{n} processes, {mb} MB")
        facts = pattern.format(n=console.processes, mb=f"{console.memory / _MEGABYTE:,.0f}")
        self.facts.setText(facts if console.processes else tr("It is not running."))
        if console.lines != self._console.lines or not self.text.toPlainText():
            self._console = console
            self._draw()

    def _search(self, text: str) -> None:
        self._wanted = text.casefold()
        self._draw()

    def _draw(self) -> None:
        lines = [line for line in self._console.lines if self._wanted in line.casefold()]
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 1
        place = bar.value()
        nothing = tr("Nothing was found.") if self._console.lines else tr("It wrote nothing.")
        self.text.setPlainText(visible("\n".join(lines)) or nothing)
        bar.setValue(bar.maximum() if at_end else place)
