"""A field of a form: its label, editor, what the person should know of it, and what is wrong with it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_host.elicitation.bounds import lengths, wanted
from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.terms.messages import Message, say
from desktop_host.ui.editors.choices import CheckEditor
from desktop_host.ui.editors.editor import Editor
from desktop_host.ui.editors.make import is_wide, make_editor
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import set_property
from desktop_host.ui.visible import breakable, visible
from desktop_host.ui.widgets.basics import button, caption_of, label, picture, whole_text

_LONG_TITLE, _LONG_DESCRIPTION = 200, 600
"""Characters that are shown at once; the rest on a click."""


class FieldRow(QFrame):
    """A field. What is wrong with it gets its line only when something is: forms have many rows.

    Signals:
        edited: the person changed something.
    """

    edited = Signal()

    def __init__(self, field: Field, parent: QWidget, *, secret: bool) -> None:
        super().__init__(parent)
        self.field = field
        confirmation = field.kind is FieldKind.BOOLEAN and field.required and field.has_default
        self.wide = confirmation or is_wide(field)
        self.editor: Editor = make_editor(field, self, secret=secret)
        self._error: QWidget | None = None
        self._error_text: QLabel | None = None
        self._notice: QLabel | None = None
        self._count: QLabel | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._hints = [words(message) for message in wanted(field)]
        self._hint: QLabel | None = None
        title = (_cut(field.title, _LONG_TITLE) or tr("(no name)")) + (" *" if field.required else "")
        if confirmation and isinstance(self.editor, CheckEditor):
            self._draw_confirmation(self.editor, title)
        else:
            self._draw(title, secret)
        self._layout.addStretch(1)
        self._spoken = [*self._hints, *_lengths_in_words(field)]
        self.editor.describe(field.description, *self._spoken)
        self.editor.edited.connect(self._edited)

    def show_error(self, message: Message | None) -> None:
        """Show what is wrong under the field, or that nothing is."""
        text = words(message) if message is not None else ""
        if self._error_text is None:
            if not text:
                return
            self._error_text = self._make_error()
        if self._error_text.text() == breakable(text):
            return
        self.editor.mark(bool(text))
        self._error_text.setText(breakable(text))
        assert self._error is not None  # made with its text
        self._error.setVisible(bool(text))
        self._error.setAccessibleName(text)
        if self._hint is not None:
            self._hint.setVisible(not text)  # the error says what would be right
        self.editor.describe(text, self.field.description, *self._spoken)

    def show_notice(self, message: Message | None) -> None:
        """Say something of the field that is no mistake of the person."""
        if self._notice is None:
            if message is None:
                return
            self._notice = label("", "caption", "warn", wrap=True)
            self._layout.insertWidget(self._layout.count() - 1, self._notice)
        self._notice.setText(breakable(words(message)) if message is not None else "")
        self._notice.setVisible(message is not None)

    def _draw(self, title: str, secret: bool) -> None:
        head = label("", "label", wrap=True)
        head.setText(breakable(caption_of(title)))
        head.setBuddy(self.editor.focus_target())
        least, most = lengths(self.field)
        if self.field.kind is FieldKind.TEXT and (least > 1 or most is not None):
            line = QHBoxLayout()
            line.addWidget(head, 1)
            self._count = label("", "caption", "muted")
            line.addWidget(self._count, 0, Qt.AlignmentFlag.AlignBottom)
            self._layout.addLayout(line)
            self._show_count()
        else:
            self._layout.addWidget(head)
        self._layout.addWidget(self.editor)
        description = self.field.description if not isinstance(self.editor, CheckEditor) else ""
        if len(self.field.title) > _LONG_TITLE:
            description = f"{self.field.title}\n{description}".strip()
        if description:
            self._draw_description(description)
        if self._hints:
            self._hint = label(" ".join(self._hints), "caption", "muted", wrap=True)
            self._layout.addWidget(self._hint)
        if secret:
            self._layout.addWidget(label(tr("Masked. It is not kept."), "caption", "muted", wrap=True))

    def _draw_description(self, text: str) -> None:
        self._whole_description = text
        self._description = label(_cut(text, _LONG_DESCRIPTION), "caption", "muted", wrap=True)
        self._layout.addWidget(self._description)
        if len(text) > _LONG_DESCRIPTION:
            self._more = button(tr("Show all of it"), self._show_description, compact=True)
            self._layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    def _draw_confirmation(self, editor: CheckEditor, title: str) -> None:
        self.setProperty("role", "inset")
        self._layout.setContentsMargins(14, 8, 14, 10)
        self._layout.setSpacing(0)
        editor.set_text(title, strong=True)
        self._layout.addWidget(editor)
        if self.field.description:
            text = label(self.field.description, "small", "muted", wrap=True)
            text.setContentsMargins(30, 0, 0, 0)
            self._layout.addWidget(text)

    def _make_error(self) -> QLabel:
        self._error = QWidget()
        text = label("", "small", "bad", wrap=True)
        line = QHBoxLayout(self._error)
        line.setContentsMargins(0, 2, 0, 0)
        line.setSpacing(6)
        line.addWidget(picture("warning", "bad", 14), 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(text, 1)
        self._layout.insertWidget(self._layout.count() - 1, self._error)
        return text

    def _show_description(self) -> None:
        self._layout.replaceWidget(self._description, whole_text(visible(self._whole_description), "caption"))
        self._description.hide()
        self._more.hide()

    def _show_count(self) -> None:
        if self._count is None:
            return
        entry = self.editor.entry()
        count = len(entry) if isinstance(entry, str) else 0
        least, most = lengths(self.field)
        if most is not None:
            text = tr("{n} of {m} characters").format(n=count, m=most)
        else:
            text = tr("{n} characters, at least {m}").format(n=count, m=least)
        self._count.setText(text)
        wrong = count > 0 and (count < least or (most is not None and count > most))
        set_property(self._count, "tone", "bad" if wrong else "muted")

    def _edited(self) -> None:
        self._show_count()
        self.edited.emit()


def _lengths_in_words(field: Field) -> list[str]:
    """The bounds of a text for who cannot see the count."""
    least, most = lengths(field)
    if field.kind is not FieldKind.TEXT:
        return []
    at_least = [words(say("form.too_short", count=least))] if least > 1 else []
    return at_least + ([words(say("form.too_long", count=most))] if most is not None else [])


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
