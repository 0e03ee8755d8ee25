"""Text and numbers, as typed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from desktop_host.elicitation.fields import Field
from desktop_host.elicitation.form import Entry, entry_of
from desktop_host.ui.editors.editor import Editor
from desktop_host.ui.icons import icon
from desktop_host.ui.text import tr
from desktop_host.ui.visible import one_line


class LineEditor(Editor):
    """Text and numbers, as typed; a secret is masked until the person wants to see it.

    Signals:
        revealed: a secret is shown, or no longer.
    """

    revealed = Signal()

    def __init__(self, field: Field, parent: QWidget, *, secret: bool = False) -> None:
        super().__init__(field, parent)
        self.line = QLineEdit(default_text(field), self)
        self._eye: QAction | None = None
        if secret:
            self._eye = QAction(self)
            self._eye.triggered.connect(self._look)
            self._eye.setShortcut(QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_V))
            self._eye.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.line.addAction(self._eye, QLineEdit.ActionPosition.TrailingPosition)
            self._mask(True)
        self.line.setAccessibleName(one_line(field.title))
        self.line.textEdited.connect(self._typed)
        self._fill(self.line)

    def entry(self) -> Entry:
        return self.line.text()

    def enter(self, entry: Entry) -> None:
        self.line.setText("" if entry is None else str(entry))
        self._changed()

    def focus_target(self) -> QWidget:
        return self.line

    @property
    def masked(self) -> bool:
        """What is typed cannot be read."""
        return self.line.echoMode() is QLineEdit.EchoMode.Password

    def _look(self) -> None:
        self._mask(not self.masked)
        self.revealed.emit()

    def _mask(self, masked: bool) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Password if masked else QLineEdit.EchoMode.Normal)
        assert self._eye is not None  # only secrets are masked
        self._eye.setIcon(icon("eye" if masked else "eye-off", "muted", 18))
        words = tr("Show what I typed (Alt+V)") if masked else tr("Mask what I typed (Alt+V)")
        self._eye.setText(words)
        self._eye.setToolTip(words)

    def _typed(self, _text: str) -> None:
        self._changed()


class BlockEditor(Editor):
    """Long text."""

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(field, parent)
        self.block = QPlainTextEdit(self)
        self.block.setTabChangesFocus(True)
        self.block.setMinimumHeight(84)
        self.block.setMaximumHeight(160)
        self.block.setPlainText(default_text(field))
        self.block.setAccessibleName(one_line(field.title))
        self._last = exact_text_of(self.block)
        self.block.textChanged.connect(self._text_changed)
        self._fill(self.block)

    def entry(self) -> Entry:
        return exact_text_of(self.block)

    def enter(self, entry: Entry) -> None:
        self.block.setPlainText("" if entry is None else str(entry))

    def focus_target(self) -> QWidget:
        return self.block

    def _text_changed(self) -> None:
        """Qt also tells of other colours: only other text is the person's."""
        text = exact_text_of(self.block)
        if text != self._last:
            self._last = text
            self._changed()


def exact_text_of(block: QPlainTextEdit) -> str:
    """The text as it is: Qt's own reading turns no-break spaces and line separators into plain ones."""
    return block.document().toRawText().replace("\u2029", "\n")


def default_text(field: Field) -> str:
    """The default of a field that holds text."""
    return str(entry_of(field, field.default)) if field.has_default else ""
