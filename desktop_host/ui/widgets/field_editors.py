"""One editor for each kind of field. An editor holds what was typed, not what it may mean."""

from PySide6.QtCore import QDate, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QCalendarWidget,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.elicitation.form import Entry, entry_of
from desktop_host.ui.icons import icon
from desktop_host.ui.text import tr
from desktop_host.ui.theme import set_property, set_type
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import caption_of, icon_button

_RADIOS = 4
_RADIO_ROOM = 315
"""Pixels that radio buttons may take side by side: half of an ask window."""


class Editor(QWidget):
    """The base of all editors. `touched`: the person changed something; an untouched field has no entry.

    Signals:
        edited: what was entered is another.
    """

    edited = Signal()

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.field = field
        self.touched = False

    def entry(self) -> Entry:
        """What was entered."""
        raise NotImplementedError  # abstract: Qt's metaclass and ABCMeta cannot be combined

    def enter(self, entry: Entry) -> None:
        """Enter something as the person would."""
        raise NotImplementedError  # abstract: Qt's metaclass and ABCMeta cannot be combined

    def mark(self, invalid: bool) -> None:
        """Show or take away the error outline."""

    def focus_target(self) -> QWidget:
        """The widget that takes the keyboard."""
        return self

    def _changed(self) -> None:
        self.touched = True
        self.edited.emit()


class LineEditor(Editor):
    """Text, numbers and dates, as typed; a date has a calendar beside it, a secret is masked."""

    def __init__(self, field: Field, *, secret: bool = False) -> None:
        super().__init__(field)
        self.line = QLineEdit()
        default = entry_of(field, field.default) if field.has_default else ""
        self.line.setText(str(default))
        if secret:
            self.line.setEchoMode(QLineEdit.EchoMode.Password)
        if field.kind in (FieldKind.DATE, FieldKind.DATE_TIME):
            self.line.setPlaceholderText("2027-06-15" if field.kind is FieldKind.DATE else "2027-06-15T09:30:00+02:00")
            self._add_calendar()
        self.line.setAccessibleName(one_line(field.title))
        self.line.setAccessibleDescription(one_line(field.description))
        self.line.textEdited.connect(self._typed)
        _fill(self, self.line)

    def entry(self) -> Entry:
        return self.line.text()

    def enter(self, entry: Entry) -> None:
        self.line.setText("" if entry is None else str(entry))
        self._changed()

    def mark(self, invalid: bool) -> None:
        set_property(self.line, "invalid", "true" if invalid else "false")

    def focus_target(self) -> QWidget:
        return self.line

    def _typed(self, _text: str) -> None:
        self._changed()

    def _add_calendar(self) -> None:
        action = QAction(icon("chevron-down", "muted", 18), tr("Choose a date"), self)
        action.triggered.connect(self._open_calendar)
        self.line.addAction(action, QLineEdit.ActionPosition.TrailingPosition)

    def _open_calendar(self) -> None:
        calendar = QCalendarWidget(self)
        calendar.setWindowFlag(Qt.WindowType.Popup)
        calendar.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        day = QDate.fromString(self.line.text()[:10], Qt.DateFormat.ISODate)
        if day.isValid():
            calendar.setSelectedDate(day)
        calendar.clicked.connect(self._day_chosen)
        calendar.clicked.connect(calendar.close)
        calendar.move(self.line.mapToGlobal(QPoint(0, self.line.height() + 2)))
        calendar.show()

    def _day_chosen(self, day: QDate) -> None:
        rest = self.line.text()[10:] if self.field.kind is FieldKind.DATE_TIME else ""
        if self.field.kind is FieldKind.DATE_TIME and not rest:
            rest = "T12:00:00Z"
        self.enter(day.toString(Qt.DateFormat.ISODate) + rest)


class BlockEditor(Editor):
    """Long text and JSON."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.block = QPlainTextEdit()
        self.block.setTabChangesFocus(True)
        self.block.setMinimumHeight(84)
        self.block.setMaximumHeight(160)
        if field.kind is FieldKind.JSON:
            set_type(self.block, "code")
            self.block.setPlaceholderText("{ }")
        default = entry_of(field, field.default) if field.has_default else ""
        self.block.setPlainText(str(default))
        self.block.setAccessibleName(one_line(field.title))
        self.block.setAccessibleDescription(one_line(field.description))
        self.block.textChanged.connect(self._changed)
        _fill(self, self.block)

    def entry(self) -> Entry:
        return self.block.toPlainText()

    def enter(self, entry: Entry) -> None:
        self.block.setPlainText("" if entry is None else str(entry))

    def mark(self, invalid: bool) -> None:
        set_property(self.block, "invalid", "true" if invalid else "false")

    def focus_target(self) -> QWidget:
        return self.block


class CheckEditor(Editor):
    """Yes or no with a default that is shown: a check box."""

    def __init__(self, field: Field, text: str) -> None:
        super().__init__(field)
        self.box = QCheckBox(caption_of(text))
        self.box.setChecked(field.default is True)
        self.box.setAccessibleName(one_line(field.title))
        self.box.clicked.connect(self._changed)
        _fill(self, self.box)
        self.setMinimumHeight(36)

    def entry(self) -> Entry:
        return self.box.isChecked()

    def enter(self, entry: Entry) -> None:
        self.box.setChecked(entry is True)
        self._changed()

    def focus_target(self) -> QWidget:
        return self.box


class RadioEditor(Editor):
    """A few choices side by side; with none chosen the field has no answer (ELF-43, ELF-44)."""

    def __init__(self, field: Field, labels: list[tuple[str, Entry]]) -> None:
        super().__init__(field)
        self._entries = [entry for _, entry in labels]
        self.group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        for number, (text, entry) in enumerate(labels):
            radio = QRadioButton(caption_of(text))
            radio.setAccessibleName(f"{one_line(field.title)}: {one_line(text)}")
            default = entry_of(field, field.default) if field.has_default else None
            radio.setChecked(entry is not None and entry == default)
            self.group.addButton(radio, number)
            layout.addWidget(radio)
        self._clear = icon_button("close", tr("Take the answer back"), self._take_back)
        self._clear.setVisible(not field.required and self.group.checkedId() >= 0)
        layout.addWidget(self._clear)
        layout.addStretch(1)
        self.group.idClicked.connect(self._clicked)
        self.setMinimumHeight(36)

    def entry(self) -> Entry:
        number = self.group.checkedId()
        return self._entries[number] if number >= 0 else None

    def enter(self, entry: Entry) -> None:
        for number, one in enumerate(self._entries):
            if one == entry and type(one) is type(entry):
                self.group.button(number).setChecked(True)
        if entry is None:
            self._take_back()
            return
        self._clicked(self.group.checkedId())

    def focus_target(self) -> QWidget:
        return self.group.checkedButton() or self.group.button(0)

    def _clicked(self, _number: int) -> None:
        self._clear.setVisible(not self.field.required)
        self._changed()

    def _take_back(self) -> None:
        self.group.setExclusive(False)
        for radio in self.group.buttons():
            radio.setChecked(False)
        self.group.setExclusive(True)
        self._clear.hide()
        self._changed()


class ComboEditor(Editor):
    """Many choices in a list that can be searched by typing."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.combo = QComboBox()
        self.combo.setMaxVisibleItems(12)
        self.combo.setPlaceholderText(tr("Choose…"))
        if not field.required:
            self.combo.addItem(tr("No answer"), None)
        for option in field.options:
            self.combo.addItem(one_line(option.label) or tr("(empty)"), option.label)
        default = entry_of(field, field.default) if field.has_default else None
        self.combo.setCurrentIndex(self.combo.findData(default) if default is not None else -1)
        self.combo.setAccessibleName(one_line(field.title))
        self.combo.setAccessibleDescription(one_line(field.description))
        self.combo.activated.connect(self._chosen)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(8)
        _fill(self, self.combo)

    def entry(self) -> Entry:
        return self.combo.currentData()

    def enter(self, entry: Entry) -> None:
        self.combo.setCurrentIndex(self.combo.findData(entry))
        self._changed()

    def mark(self, invalid: bool) -> None:
        set_property(self.combo, "invalid", "true" if invalid else "false")

    def focus_target(self) -> QWidget:
        return self.combo

    def _chosen(self, _index: int) -> None:
        self._changed()


class ChecksEditor(Editor):
    """Several choices: a list of check boxes."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        default = entry_of(field, field.default) if field.has_default else ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(4)
        self.boxes: list[QCheckBox] = []
        for option in field.options:
            box = QCheckBox(caption_of(option.label))
            box.setAccessibleName(f"{one_line(field.title)}: {one_line(option.label)}")
            box.setChecked(isinstance(default, tuple) and option.label in default)
            box.clicked.connect(self._changed)
            self.boxes.append(box)
            layout.addWidget(box)

    def entry(self) -> Entry:
        pairs = zip(self.field.options, self.boxes, strict=True)
        return tuple(option.label for option, box in pairs if box.isChecked())

    def enter(self, entry: Entry) -> None:
        chosen = entry if isinstance(entry, tuple) else ()
        for option, box in zip(self.field.options, self.boxes, strict=True):
            with QSignalBlocker(box):
                box.setChecked(option.label in chosen)
        self._changed()

    def focus_target(self) -> QWidget:
        return self.boxes[0] if self.boxes else self


def make_editor(field: Field, *, secret: bool = False) -> Editor:
    """The editor for a field."""
    match field.kind:
        case FieldKind.BOOLEAN if field.has_default:
            return CheckEditor(field, field.description or tr("Yes"))
        case FieldKind.BOOLEAN:
            return RadioEditor(field, [(tr("Yes"), True), (tr("No"), False)])
        case FieldKind.CHOICE:
            labels = [option.label for option in field.options]
            if 0 < len(labels) <= _RADIOS and all(labels) and _fit_as_radios(labels):
                return RadioEditor(field, [(text, text) for text in labels])
            return ComboEditor(field)
        case FieldKind.CHOICES:
            return ChecksEditor(field)
        case FieldKind.JSON:
            return BlockEditor(field)
        case FieldKind.TEXT if not secret and _is_long(field):
            return BlockEditor(field)
        case _:
            return LineEditor(field, secret=secret)


def _fit_as_radios(labels: list[str]) -> bool:
    metrics = QFontMetrics(QApplication.font())
    return sum(metrics.horizontalAdvance(text) + 44 for text in labels) <= _RADIO_ROOM


def is_wide(field: Field) -> bool:
    """The field wants the whole width."""
    return field.kind in (FieldKind.JSON, FieldKind.CHOICES) or (field.kind is FieldKind.TEXT and _is_long(field))


def _is_long(field: Field) -> bool:
    most = field.schema.get("maxLength")
    default = field.default if isinstance(field.default, str) else ""
    return (isinstance(most, int) and most > 400) or "\n" in default or len(default) > 120


def _fill(editor: Editor, widget: QWidget) -> None:
    layout = QVBoxLayout(editor)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(widget)
