"""Dates and times: a line as typed, and a picker that writes into it. What nobody picks goes back byte for byte."""

import re
from datetime import datetime, timedelta

from PySide6.QtCore import QDate, QPoint, Qt, QTime
from PySide6.QtGui import QAction, QColor, QKeySequence, QTextCharFormat
from PySide6.QtWidgets import (
    QCalendarWidget,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QTimeEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.ui.editors.texts import LineEditor
from desktop_host.ui.icons import icon
from desktop_host.ui.text import tr
from desktop_host.ui.theme import color
from desktop_host.ui.widgets.basics import button, label

_PARTS = re.compile(r"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)?)?", re.ASCII)
_UTC = "Z"
_WIDTH = 320
_OFFSETS = [
    "-12:00", "-11:00", "-10:00", "-09:30", "-09:00", "-08:00", "-07:00", "-06:00", "-05:00", "-04:00", "-03:30",
    "-03:00", "-02:00", "-01:00", "+01:00", "+02:00", "+03:00", "+03:30", "+04:00", "+04:30", "+05:00", "+05:30",
    "+05:45", "+06:00", "+06:30", "+07:00", "+08:00", "+08:45", "+09:00", "+09:30", "+10:00", "+10:30", "+11:00",
    "+12:00", "+12:45", "+13:00", "+14:00",
]  # fmt: skip


class DateEditor(LineEditor):
    """A date, or a date with time and zone, as RFC 3339 writes it."""

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(field, parent)
        self._timed = field.kind is FieldKind.DATE_TIME
        self.line.setPlaceholderText("2027-06-15T09:30:00+02:00" if self._timed else "2027-06-15")
        words = tr("Choose date and time (Alt+Down)") if self._timed else tr("Choose a date (Alt+Down)")
        self.pick = QAction(icon("calendar", "muted", 18), words, self)
        self.pick.triggered.connect(self._open)
        self.pick.setShortcut(QKeySequence(Qt.Modifier.ALT | Qt.Key.Key_Down))
        self.pick.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.line.addAction(self.pick, self.line.ActionPosition.TrailingPosition)

    def _open(self) -> None:
        picker = DatePicker(self, self.line.text(), timed=self._timed)
        picker.adjustSize()
        picker.move(self._place_for(picker))
        picker.show()
        picker.calendar.setFocus()

    def _place_for(self, picker: QWidget) -> QPoint:
        """Below the line, or above it where the screen ends, and never beyond its sides."""
        below = self.line.mapToGlobal(QPoint(0, self.line.height() + 2))
        room = self.line.screen().availableGeometry()
        if below.y() + picker.height() > room.bottom():
            below.setY(max(self.line.mapToGlobal(QPoint(0, 0)).y() - picker.height() - 2, room.top()))
        below.setX(max(min(below.x(), room.right() - picker.width()), room.left()))
        return below


class DatePicker(QFrame):
    """A calendar, and below it time and zone where they are wanted, in a popup of its own."""

    def __init__(self, editor: DateEditor, text: str, *, timed: bool) -> None:
        super().__init__(editor, Qt.WindowType.Popup)
        self.setProperty("role", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._editor = editor
        self._timed = timed
        found = _PARTS.match(text.strip())
        day, clock, zone = found.groups() if found else (None, None, None)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        self.calendar = QCalendarWidget()
        self.calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        plain = QTextCharFormat()
        plain.setForeground(QColor(color("text")))
        for weekend in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.calendar.setWeekdayTextFormat(weekend, plain)
        heading = QTextCharFormat()
        heading.setForeground(QColor(color("muted")))
        self.calendar.setHeaderTextFormat(heading)
        self.calendar.setMinimumWidth(_WIDTH)
        for name, arrow in (("qt_calendar_prevmonth", "chevron-left"), ("qt_calendar_nextmonth", "chevron-right")):
            step = self.calendar.findChild(QToolButton, name)
            if step is not None:
                step.setIcon(icon(arrow, "muted", 18))
        chosen = QDate.fromString(day or "", Qt.DateFormat.ISODate)
        if chosen.isValid():
            self.calendar.setSelectedDate(chosen)
        layout.addWidget(self.calendar)
        self.time = QTimeEdit(QTime.fromString(clock, Qt.DateFormat.ISODate) if clock else QTime(12, 0))
        self.zone = QComboBox()
        if timed:
            layout.addLayout(self._make_time_line(zone))
            self.calendar.activated.connect(self._take)
        else:
            self.calendar.clicked.connect(self._take)
            self.calendar.activated.connect(self._take)

    def _make_time_line(self, zone: str | None) -> QHBoxLayout:
        self.time.setDisplayFormat("HH:mm:ss")
        self.time.lineEdit().setTextMargins(9, 0, 0, 0)  # spin boxes ignore the sheet's padding (LOOK.md)
        self.time.setAccessibleName(tr("Time"))
        self.zone.setAccessibleName(tr("Time zone"))
        self.zone.addItem("", None)
        self.zone.addItem(tr("UTC"), _UTC)
        for offset in _OFFSETS:
            self.zone.addItem(f"UTC{offset}", offset)
        if zone and self.zone.findData(zone.upper()) < 0:
            self.zone.addItem(f"UTC{zone}", zone)
        self._name_local()
        self.calendar.selectionChanged.connect(self._name_local)
        self.zone.setCurrentIndex(self.zone.findData(zone.upper()) if zone else 0)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(label(tr("Time"), "label"))
        line.addWidget(self.time)
        line.addWidget(self.zone, 1)
        line.addWidget(button(tr("Use"), self._take, "primary"))
        return line

    def _name_local(self) -> None:
        self.zone.setItemText(0, tr("Here (UTC{offset})").format(offset=self._local_offset()))

    def _local_offset(self) -> str:
        """The offset of this computer's own zone at the chosen day and time."""
        day, clock = self.calendar.selectedDate(), self.time.time()
        try:
            moment = datetime(day.year(), day.month(), day.day(), clock.hour(), clock.minute()).astimezone()
        except (ValueError, OverflowError, OSError):  # a year that the system's clock does not know
            moment = datetime.now().astimezone()
        offset = moment.utcoffset() or timedelta()
        sign, minutes = "-" if offset < timedelta() else "+", abs(int(offset.total_seconds())) // 60
        return f"{sign}{minutes // 60:02}:{minutes % 60:02}"

    def _take(self) -> None:
        text = self.calendar.selectedDate().toString(Qt.DateFormat.ISODate)
        if self._timed:
            zone = self.zone.currentData() or self._local_offset()
            text += f"T{self.time.time().toString('HH:mm:ss')}{zone}"
        self._editor.enter(text)
        self.close()
        self._editor.focus_target().setFocus(Qt.FocusReason.OtherFocusReason)
