"""The window that adds a server: a command line or an address."""

import shlex
import sys
from urllib.parse import urlsplit

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import set_type
from desktop_host.ui.widgets.basics import label
from desktop_host.ui.widgets.sheet import Sheet


class AddServer(Sheet):
    """What is added starts only after the person agreed to its whole command or address.

    Signals:
        added: the server's name. pasted: the text of a file, or a link, that names servers. others: import instead.
    """

    added = Signal(str)
    pasted = Signal(str)
    others = Signal()

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent, tr("Add a server"), QSize(560, 420))
        self._bridge = bridge
        self._named = False
        layout = self.body
        layout.setSpacing(6)
        self.source = self._field(
            layout, tr("Command or address"), tr("uvx mcp-server-time   or   https://example.org/mcp   or JSON")
        )
        self.source.textChanged.connect(self._source_changed)
        set_type(self.source, "code")
        self.name = self._field(layout, tr("Name"), tr("How you call it"))
        self.name.textEdited.connect(self._name_edited)
        layout.addWidget(label(tr("Environment variables"), "label"))
        self.variables = QPlainTextEdit()
        self.variables.setPlaceholderText(tr("One a line: NAME=value. For a secret write NAME=${secret:NAME}."))
        self.variables.setAccessibleName(tr("Environment variables"))
        self.variables.setTabChangesFocus(True)
        self.variables.setMaximumHeight(84)
        set_type(self.variables, "code")
        layout.addWidget(self.variables)
        layout.addSpacing(6)
        layout.addWidget(label(tr("Protocol era"), "label"))
        self.era = QComboBox()
        self.era.setAccessibleName(tr("Protocol era"))
        for text, value in (
            (tr("Find out"), "auto"),
            (tr("handshake"), "handshake"),
            (tr("modern"), "modern"),
        ):
            self.era.addItem(text, value)
        layout.addWidget(self.era)
        layout.addStretch(1)
        self._problem = label("", "small", "bad", wrap=True)
        layout.addWidget(self._problem)
        self.add_button(tr("Import from other programs…"), self._import, "quiet", left=True)
        self.add_close(tr("Cancel"))
        self.add = self.add_button(tr("Add and start"), self._add, "primary")
        self.add.setEnabled(False)

    def _field(self, layout: QVBoxLayout, title: str, placeholder: str) -> QLineEdit:
        line = QLineEdit()
        line.setPlaceholderText(placeholder)
        line.setAccessibleName(title)
        head = label(title, "label")
        head.setBuddy(line)
        layout.addWidget(head)
        layout.addWidget(line)
        layout.addSpacing(6)
        return line

    def _name_edited(self, text: str) -> None:
        self._named = bool(text)

    def _source_changed(self, text: str) -> None:
        self._problem.setText("")
        self.add.setEnabled(bool(text.strip()))
        self.variables.setEnabled("://" not in text)
        if not self._named:
            self.name.setText(_suggested_name(text))

    def _import(self) -> None:
        self.accept()
        self.others.emit()

    def _add(self) -> None:
        source = self.source.text().strip()
        if source.startswith(("{", "desktop-host:")):
            self.accept()
            self.pasted.emit(source)
            return
        entry = self._entry()
        if entry is None:
            return
        self.add.setEnabled(False)
        self._problem.setText("")

        def added(problem: Message | None) -> None:
            self.add.setEnabled(True)
            if problem is not None:
                self._problem.setText(words(problem))
                return
            self.added.emit(entry.name)
            self._bridge.send(lambda engine: engine.start(entry.name))
            self.accept()

        self._bridge.send(lambda engine: engine.add(entry), added, self)

    def _entry(self) -> ServerEntry | None:
        source, name = self.source.text().strip(), self.name.text().strip()
        if not name:
            self._problem.setText(tr("Give the server a name."))
            return None
        era = str(self.era.currentData())
        if source.startswith(("http://", "https://")):
            return ServerEntry(name, url=source, transport="http", era=era)
        try:
            parts = shlex.split(source, posix=sys.platform != "win32")
        except ValueError:
            self._problem.setText(tr("A quotation mark in the command is not closed."))
            return None
        lines = [line.strip() for line in self.variables.toPlainText().splitlines() if line.strip()]
        if any("=" not in line for line in lines):
            self._problem.setText(tr("Write each variable as NAME=value."))
            return None
        env = dict(line.split("=", 1) for line in lines)
        return ServerEntry(name, command=parts[0], args=tuple(parts[1:]), env=env, era=era)


def _suggested_name(source: str) -> str:
    """A name from the address's host or the package in the command."""
    source = source.strip()
    if "://" in source:
        try:
            return urlsplit(source).hostname or ""
        except ValueError:  # an IPv6 address half typed
            return ""
    words_ = [word for word in source.split() if not word.startswith("-")]
    runners = ("npx", "uvx", "uv", "run", "node", "python", "python3", "docker", "bunx", "pipx")
    last = next((word for word in words_ if word.rpartition("/")[2] not in runners), "")
    return last.rpartition("/")[2].partition("==")[0].partition("@")[0]
