"""A form drawn from a schema: of a server's question, or of a tool's arguments."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.elicitation.form import Entry, Form, Reading
from desktop_host.terms.messages import Message
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import caption_of, label, picture
from desktop_host.ui.widgets.field_editors import CheckEditor, Editor, is_wide, make_editor

_ALL_COLUMNS = 560
_FEWER = 400
"""Pixels: from the first on all columns are used, from the second on one less, below one."""


class FieldRow(QFrame):
    """A field: its label, editor, description, and what is wrong with it."""

    def __init__(self, field: Field, *, secret: bool, confirmation: bool) -> None:
        super().__init__()
        self.field = field
        self.wide = confirmation or is_wide(field)
        self.editor: Editor = make_editor(field, secret=secret)
        self._error = QWidget()
        self._error_text = label("", "small", "bad", wrap=True)
        error = QHBoxLayout(self._error)
        error.setContentsMargins(0, 2, 0, 0)
        error.setSpacing(6)
        error.addWidget(picture("warning", "bad", 14), 0, Qt.AlignmentFlag.AlignTop)
        error.addWidget(self._error_text, 1)
        self._error.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        title = field.title + (" *" if field.required else "")
        if confirmation and isinstance(self.editor, CheckEditor):
            self._draw_confirmation(layout, title)
        else:
            self._draw(layout, title, secret)
        layout.addWidget(self._error)
        layout.addStretch(1)

    def show_error(self, message: Message | None) -> None:
        """Show what is wrong under the field, or that nothing is."""
        self.editor.mark(message is not None)
        self._error.setVisible(message is not None)
        if message is not None:
            self._error_text.setText(words(message))
            self._error.setAccessibleName(words(message))

    def _draw(self, layout: QVBoxLayout, title: str, secret: bool) -> None:
        head = label(title, "label", wrap=True)
        head.setText(caption_of(title))
        head.setBuddy(self.editor.focus_target())
        layout.addWidget(head)
        layout.addWidget(self.editor)
        shown_in_box = isinstance(self.editor, CheckEditor)
        if self.field.description and not shown_in_box:
            layout.addWidget(label(self.field.description, "caption", "muted", wrap=True))
        if secret:
            layout.addWidget(label(tr("Masked. It is not kept."), "caption", "muted", wrap=True))

    def _draw_confirmation(self, layout: QVBoxLayout, title: str) -> None:
        assert isinstance(self.editor, CheckEditor)
        self.setProperty("role", "inset")
        layout.setContentsMargins(14, 8, 14, 10)
        layout.setSpacing(0)
        self.editor.box.setText(caption_of(title))
        font = self.editor.box.font()
        font.setWeight(font.Weight.DemiBold)
        self.editor.box.setFont(font)
        layout.addWidget(self.editor)
        if self.field.description:
            text: QLabel = label(self.field.description, "small", "muted", wrap=True)
            text.setContentsMargins(30, 0, 0, 0)
            layout.addWidget(text)


class SchemaForm(QWidget):
    """All fields of a form, in two columns where there is room.

    Signals:
        edited: the person changed something.
    """

    edited = Signal()

    def __init__(self, form: Form, secrets: tuple[str, ...] = (), *, columns: int = 2) -> None:
        super().__init__()
        self.form = form
        self._most_columns = columns
        self._columns = 0
        self._tried = False
        self._server_errors: dict[str, Message] = {}
        self.rows = {
            field.name: FieldRow(field, secret=field.name in secrets, confirmation=_confirms(field))
            for field in form.fields
        }
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(16)
        for one in self.rows.values():
            one.editor.edited.connect(self._edited)
        self._arrange(columns)

    def entries(self) -> dict[str, Entry]:
        """What the person entered; untouched fields are not in it."""
        return {name: one.editor.entry() for name, one in self.rows.items() if one.editor.touched}

    def read(self) -> Reading:
        """The content and the errors that can be told at once."""
        return self.form.read(self.entries())

    def show_all_errors(self, errors: Mapping[str, Message]) -> None:
        """Show errors under every field from now on, touched or not, and go to the first."""
        self._tried = True
        self._server_errors = dict(errors)
        self._show_errors()
        first = next((name for name in self.rows if name in errors), None)
        if first is not None:
            self.rows[first].editor.focus_target().setFocus(Qt.FocusReason.OtherFocusReason)

    def set_server_errors(self, errors: Mapping[str, Message]) -> None:
        """What the whole check found, shown where the person has been."""
        self._server_errors = dict(errors)
        self._show_errors()

    def errors(self) -> dict[str, Message]:
        """All errors known now."""
        return {**self._server_errors, **self.read().errors}

    def shown_errors(self) -> dict[str, Message]:
        """The errors the person is shown: of fields they have been at, and of all once they tried to send."""
        return {name: message for name, message in self.errors().items() if self._tried or self._been_at(name)}

    def set_enabled(self, enabled: bool) -> None:
        """Let the fields be changed or not; what they hold stays readable."""
        for one in self.rows.values():
            one.editor.setEnabled(enabled)

    def _edited(self) -> None:
        sender = self.sender()
        self._server_errors = {
            name: message
            for name, message in self._server_errors.items()
            if name in self.rows and self.rows[name].editor is not sender
        }
        self._show_errors()
        self.edited.emit()

    def _show_errors(self) -> None:
        errors = self.shown_errors()
        for name, one in self.rows.items():
            one.show_error(errors.get(name))

    def _been_at(self, name: str) -> bool:
        one = self.rows.get(name)
        return one is None or (one.editor.touched and one.editor.entry() not in ("", None))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        line, place = 0, 0
        for one in self.rows.values():
            if one.wide or columns == 1:
                line, place = (line + 1, 0) if place else (line, 0)
                self._grid.addWidget(one, line, 0, 1, columns)
                line += 1
            else:
                self._grid.addWidget(one, line, place)
                line, place = (line + 1, 0) if place + 1 == columns else (line, place + 1)
        for number in range(self._most_columns):
            self._grid.setColumnStretch(number, 1 if number < columns else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = event.size().width()
        fitting = self._most_columns if width >= _ALL_COLUMNS else self._most_columns - 1 if width >= _FEWER else 1
        self._arrange(max(1, fitting))


def _confirms(field: Field) -> bool:
    return field.kind is FieldKind.BOOLEAN and field.required and field.has_default
