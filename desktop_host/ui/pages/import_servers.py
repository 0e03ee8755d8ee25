"""The window that takes servers over from other hosts: each with what would run and what does not come along."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from desktop_host.config.hosts import Source
from desktop_host.config.imports import Remark
from desktop_host.config.plain_secrets import plain_secrets
from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import caption_of, clear_layout, exact_text, frame, label
from desktop_host.ui.widgets.sheet import Sheet


class ImportServers(Sheet):
    """Shows everything and starts nothing: what is added waits for its own question.

    Signals:
        added: the name of the first server that was added.
    """

    added = Signal(str)

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        about = tr("Looking at other programs on this computer…")
        super().__init__(parent, tr("Import servers"), QSize(720, 600), about=about, scrolls=True)
        self._bridge = bridge
        self._boxes: dict[QCheckBox, ServerEntry] = {}
        self.body.addStretch(1)
        self.secrets = QCheckBox(tr("Keep secrets in the keyring instead of the file"))
        self.secrets.setChecked(True)
        self.secrets.hide()
        self.above_buttons.addWidget(self.secrets)
        self._problem = label("", "small", "bad", wrap=True)
        self._problem.hide()
        self.above_buttons.addWidget(self._problem)
        self.add_close(tr("Cancel"))
        self.add = self.add_button(tr("Add the chosen ones"), self._add, "primary")
        self.add.setEnabled(False)

    def look_around(self) -> None:
        """Show what other hosts on this computer have."""
        self._bridge.send(lambda engine: engine.other_hosts(), self.show_sources, self)

    def read_file(self, path: str) -> None:
        """Show what a file holds."""
        self._bridge.send(lambda engine: engine.read_source(path), self._show_one, self)

    def show_sources(self, sources: list[Source]) -> None:
        """Show these; with one that holds one server, it is chosen already."""
        clear_layout(self.body)
        self._boxes = {}
        for source in sources:
            self._show_source(source)
        self.body.addStretch(1)
        if self._boxes:
            about = tr(
                "Choose what to add. Nothing starts before you allow it, and nothing that approves itself comes along."
            )
        else:
            about = tr("No servers were found. You can drop a file on the Servers page or paste its text.")
        self.about.setText(about)
        if len(self._boxes) == 1:
            next(iter(self._boxes)).setChecked(True)
        self.secrets.setVisible(any(plain_secrets(entry) for entry in self._boxes.values()))
        self._chosen()

    def _show_one(self, source: Source) -> None:
        self.show_sources([source])

    def _show_source(self, source: Source) -> None:
        self.body.addWidget(label(one_line(source.title), "label", wrap=True))
        if source.problem is not None:
            self.body.addWidget(label(words(source.problem), "small", "bad", wrap=True))
        for name, entry in source.found.entries.items():
            card = frame("inset")
            layout = QVBoxLayout(card)
            layout.setContentsMargins(14, 10, 14, 10)
            layout.setSpacing(4)
            box = QCheckBox(caption_of(name))
            box.toggled.connect(self._chosen)
            self._boxes[box] = entry
            layout.addWidget(box)
            layout.addWidget(exact_text(entry.identity, "code_small"))
            for text in _details(entry):
                layout.addWidget(label(text, "small", "muted", wrap=True))
            for notice in source.found.notices:
                if _about(notice, name):
                    layout.addWidget(label(words(notice.message), "small", "muted", wrap=True))
            self.body.addWidget(card)
        for error in source.found.errors:
            place = tr("Line {line}, column {column}: {what}")
            text = place.format(line=error.line, column=error.column, what=words(error.message))
            self.body.addWidget(label(f"{one_line(error.path)}  {text}", "small", "bad", wrap=True))

    def _chosen(self, *_: object) -> None:
        self.add.setEnabled(any(box.isChecked() for box in self._boxes))

    def _add(self) -> None:
        entries = [entry for box, entry in self._boxes.items() if box.isChecked()]
        move = self.secrets.isChecked()
        self.add.setEnabled(False)

        def added(problems: Mapping[str, Message]) -> None:
            done = [entry.name for entry in entries if entry.name not in problems]
            if done:
                self.added.emit(done[0])
            if not problems:
                self.accept()
                return
            for box, entry in self._boxes.items():
                box.setChecked(entry.name in problems)
            self._problem.setText("\n".join(words(why) for why in problems.values()))
            self._problem.show()

        self._bridge.send(lambda engine: engine.import_servers(entries, move_secrets=move), added, self)


def _details(entry: ServerEntry) -> list[str]:
    """What else would reach it: names of variables and headers, its folder; secrets in plain text are named."""
    found: list[str] = []
    if entry.cwd:
        found.append(tr("In folder {path}").format(path=one_line(entry.cwd)))
    names = ", ".join(one_line(name) for name in (*entry.env, *entry.headers))
    if names:
        found.append(tr("Gets {names}").format(names=names))
    secrets = ", ".join(one_line(key) for _, key in plain_secrets(entry))
    if secrets:
        found.append(tr("In plain text in that file: {names}").format(names=secrets))
    return found


def _about(notice: Remark, name: str) -> bool:
    escaped = name.replace("~", "~0").replace("/", "~1")
    return f"/{escaped}/" in f"{notice.path}/"
