"""A form drawn from a schema: of a server's question, or of a tool's arguments."""

import itertools
import time
from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QVBoxLayout, QWidget

from desktop_host.elicitation.fields import Field
from desktop_host.elicitation.form import Entry, Form, Reading
from desktop_host.terms.messages import Message
from desktop_host.ui.editors.texts import LineEditor
from desktop_host.ui.widgets.field_row import FieldRow

_ALL_COLUMNS = 560
_FEWER = 400
"""Pixels: from the first on all columns are used, from the second on one less, below one."""
_FIRST = 16
"""Rows made at once: a screenful. The others come a line at a time, and the person is heard in between."""
_TURN = 0.001
"""Seconds after which making rows stops for this turn of Qt's loop; one row may take a little longer."""
_PAUSE = 1
"""Milliseconds between two such turns."""


class _Block(QWidget):
    """Some rows in columns."""

    def __init__(self, parent: QWidget, most_columns: int) -> None:
        super().__init__(parent)
        self._most_columns = most_columns
        self._columns = 0
        self.rows: list[FieldRow] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(16)

    def arrange(self, columns: int) -> None:
        """Put the rows into so many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        line, place = 0, 0
        for one in self.rows:
            if one.wide or columns == 1:
                line, place = (line + 1, 0) if place else (line, 0)
                self._grid.addWidget(one, line, 0, 1, columns)
                line += 1
            else:
                self._grid.addWidget(one, line, place)
                line, place = (line + 1, 0) if place + 1 == columns else (line, place + 1)
        for number in range(self._most_columns):
            self._grid.setColumnStretch(number, 1 if number < columns else 0)


class SchemaForm(QWidget):
    """All fields of a form, in columns where there is room. A long form is made a screenful first, then bit by bit.

    Signals:
        edited: the person changed something. completed: every row is there.
    """

    edited = Signal()
    completed = Signal()

    def __init__(self, form: Form, secrets: tuple[str, ...] = (), *, columns: int = 2) -> None:
        super().__init__()
        self.form = form
        self.rows: dict[str, FieldRow] = {}
        self.complete = False
        """Every row is there."""
        self._secrets = frozenset(secrets)
        self._most_columns = columns
        self._columns = columns
        self._tried = False
        self._entering = False
        self._enabled = True
        self._server_errors: dict[str, Message] = {}
        self._prefilled: Mapping[str, Entry] = {}
        self._blocks: list[_Block] = []
        self._steps = self._make_rows()
        self._go_to: FieldRow | None = None
        self._last_stop: QWidget | None = None
        self._stack = QVBoxLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.setSpacing(16)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._make_some)
        self._painted = False
        for _ in self._steps:
            if self._blocks and len(self.rows) < len(form.fields):
                break

    def entries(self) -> dict[str, Entry]:
        """What the person entered; untouched fields are not in it."""
        waiting = {name: entry for name, entry in self._prefilled.items() if name not in self.rows}
        return waiting | {name: one.editor.entry() for name, one in self.rows.items() if one.editor.touched}

    def enter(self, entries: Mapping[str, Entry]) -> None:
        """Enter what was typed at another time."""
        self._prefilled = dict(entries)
        self._entering = True
        for name, entry in entries.items():
            if name in self.rows:
                self.rows[name].editor.enter(entry)
        self._entering = False
        self._show_errors()
        self.edited.emit()

    def read(self) -> Reading:
        """The content and the errors that can be told at once."""
        return self.form.read(self.entries())

    def show_all_errors(self, errors: Mapping[str, Message]) -> None:
        """Show errors under every field from now on, touched or not, and go to the first."""
        self._tried = True
        self._server_errors = dict(errors)
        self._make_rest()
        self._show_errors()
        first = next((name for name in self.rows if name in errors), None)
        if first is not None:
            self.rows[first].editor.focus_target().setFocus(Qt.FocusReason.OtherFocusReason)
            self._go_to = self.rows[first]
            QTimer.singleShot(0, self._scroll)  # rows made just now have no place before that

    def set_server_errors(self, errors: Mapping[str, Message], notices: tuple[Message, ...] = ()) -> None:
        """What the whole check found, shown where the person has been; `notices` are about rules, not answers."""
        self._server_errors = dict(errors)
        self._show_errors()
        told = {str(notice.mapping.get("field")): notice for notice in notices}
        for name, one in self.rows.items():
            one.show_notice(told.get(name))

    def masked(self) -> frozenset[str]:
        """The fields whose answers must not be read over the person's shoulder just now."""
        return frozenset(
            name for name, one in self.rows.items() if isinstance(one.editor, LineEditor) and one.editor.masked
        )

    def errors(self, reading: Reading | None = None) -> dict[str, Message]:
        """All errors known now; `reading` where the form was read just now."""
        return {**self._server_errors, **(reading or self.read()).errors}

    def shown_errors(self, errors: Mapping[str, Message] | None = None) -> dict[str, Message]:
        """Of these, or all, the ones to show: of fields the person has been at, and all once they tried to send."""
        known = self.errors() if errors is None else errors
        return {name: message for name, message in known.items() if self._tried or self._been_at(name)}

    def set_enabled(self, enabled: bool) -> None:
        """Let the fields be changed or not; what they hold stays readable."""
        self._enabled = enabled
        for one in self.rows.values():
            one.editor.setEnabled(enabled)

    def _make_some(self) -> None:
        end = time.perf_counter() + _TURN
        for large in self._steps:
            if large or time.perf_counter() > end:
                self._later.start(_PAUSE)
                return
        self.completed.emit()

    def _make_rest(self) -> None:
        for _ in self._steps:
            pass

    def _make_rows(self) -> Iterator[bool]:
        """Make all rows, a screenful and then a line at a time, with a halt after each step: was it a large one?"""
        block, place = _Block(self, self._most_columns), 0
        for number, field in enumerate(self.form.fields, 1):
            row = self._make_row(field, block)
            block.rows.append(row)
            yield False
            place = 0 if row.wide else (place + 1) % self._most_columns
            last = number == len(self.form.fields)
            if last or (place == 0 and (self._blocks or number >= _FIRST)):
                self._add_block(block)
                yield False
                if len(self._blocks) == 1 and not last:
                    self._keep_room(block)
                    yield True
                block, place = _Block(self, self._most_columns), 0
        if self.minimumHeight():
            self._give_room_back()
            yield True
        self.complete = True

    def _keep_room(self, first: _Block) -> None:
        """Be as tall as all rows will need: a form that grows by each line is laid out and painted whole each time."""
        lines = len(self.form.fields) / len(first.rows)
        self.setMinimumHeight(round(lines * (first.height() + self._stack.spacing())))
        self._stack.addStretch(1)

    def _give_room_back(self) -> None:
        self.setMinimumHeight(0)
        self._stack.takeAt(self._stack.count() - 1)

    def _add_block(self, block: _Block) -> None:
        """Put the rows made last in their place."""
        block.arrange(self._columns)
        self._blocks.append(block)
        self._stack.insertWidget(len(self._blocks) - 1, block)
        for row in block.rows:
            name = row.field.name
            self.rows[name] = row
            row.editor.setEnabled(self._enabled)
            if name in self._prefilled:
                row.editor.enter(self._prefilled[name])
        self._order_tabs(block)

    def _make_row(self, field: Field, block: _Block) -> FieldRow:
        made = FieldRow(field, block, secret=field.name in self._secrets)
        made.edited.connect(self._edited)
        made.editor.left.connect(self._show_errors)
        if isinstance(made.editor, LineEditor):
            made.editor.revealed.connect(self.edited)
        return made

    def _order_tabs(self, block: _Block) -> None:
        """Qt goes by the order in which widgets were made; rows that came late belong to the others."""
        stops = [
            control
            for one in block.rows
            for control in one.findChildren(QWidget)
            if control.focusPolicy() & Qt.FocusPolicy.TabFocus
            and control.focusProxy() is None
            and control.window() is self.window()  # the popups of choices are windows of their own
        ]
        for before, after in itertools.pairwise([self._last_stop, *stops] if self._last_stop else stops):
            QWidget.setTabOrder(before, after)
        self._last_stop = stops[-1] if stops else self._last_stop

    def _edited(self) -> None:
        if self._entering:
            return
        sender = self.sender()
        self._server_errors = {
            name: message
            for name, message in self._server_errors.items()
            if name in self.rows and self.rows[name] is not sender
        }
        self._show_errors()
        self.edited.emit()

    def _show_errors(self) -> None:
        errors = self.shown_errors()
        for name, one in self.rows.items():
            one.show_error(errors.get(name))

    def _been_at(self, name: str) -> bool:
        one = self.rows.get(name)
        if one is None:
            return self.form.field(name) is None  # it is about the whole form; a row still to come was not seen yet
        return one.editor.touched and one.editor.settled and one.editor.entry() not in ("", None)

    def _scroll(self) -> None:
        area: QWidget | None = self
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None and self._go_to is not None:
            area.ensureWidgetVisible(self._go_to)

    def _arrange(self, columns: int) -> None:
        self._columns = columns
        for block in self._blocks:
            block.arrange(columns)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            if not self.complete:
                self._later.start(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width = event.size().width()
        fitting = self._most_columns if width >= _ALL_COLUMNS else self._most_columns - 1 if width >= _FEWER else 1
        self._arrange(max(1, fitting))
