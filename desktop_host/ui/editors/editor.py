"""What all editors have in common."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_host.elicitation.fields import Field
from desktop_host.elicitation.form import Entry
from desktop_host.ui.text import tr
from desktop_host.ui.theme import set_property
from desktop_host.ui.visible import one_line


class Editor(QWidget):
    """The base of all editors. `touched`: the person changed something; an untouched field has no entry.

    Signals:
        edited: what was entered is another. left: the person has gone on; what was entered may be judged now.
    """

    edited = Signal()
    left = Signal()

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(parent)  # from the start: a style sheet makes every change of parent cost half a millisecond
        self.field = field
        self.touched = False

    def entry(self) -> Entry:
        """What was entered."""
        raise NotImplementedError  # abstract: Qt's metaclass and ABCMeta cannot be combined

    def enter(self, entry: Entry) -> None:
        """Enter something as the person would."""
        raise NotImplementedError  # abstract: Qt's metaclass and ABCMeta cannot be combined

    def focus_target(self) -> QWidget:
        """The widget that takes the keyboard."""
        return self

    @property
    def settled(self) -> bool:
        """The person is not in the middle of choosing: what was entered may be judged."""
        return True

    def controls(self) -> list[QWidget]:
        """Every widget a screen reader stops at."""
        return [self.focus_target()]

    def mark(self, invalid: bool) -> None:
        """Show or take away the error outline."""
        set_property(self.focus_target(), "invalid", "true" if invalid else "false")

    def describe(self, *parts: str) -> None:
        """Tell screen readers more of the field than its name: what it is for, what is wrong."""
        needed = tr("Needed") if self.field.required else ""
        whole = ". ".join(part.rstrip(".。") for part in (needed, *map(one_line, parts)) if part)
        for control in self.controls():
            control.setAccessibleDescription(whole)

    def _fill(self, widget: QWidget) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(widget)

    def _changed(self) -> None:
        self.touched = True
        self.edited.emit()
