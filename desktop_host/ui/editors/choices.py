"""Choices: yes or no, one of a few, one of many, several."""

from functools import cached_property
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QCompleter,
    QHBoxLayout,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from desktop_host.elicitation.fields import Field
from desktop_host.elicitation.form import Entry, entry_of
from desktop_host.ui.editors.editor import Editor
from desktop_host.ui.text import tr
from desktop_host.ui.theme import set_type
from desktop_host.ui.visible import breakable, one_line, visible
from desktop_host.ui.widgets.basics import caption_of, icon_button, label, search_field

_BOXES = 12
"""Choices that are drawn as boxes; more of them get a list with a search."""
_LIST_HEIGHT = 216
_LONG, _SHORT = 300, 48
"""Characters of a choice that are shown, and that fit beside a box on one line."""


class _TextOfBox(QLabel):
    """The words beside a box, where they need more than one line: a press on them is one on the box."""

    def __init__(self, box: QCheckBox, text: str) -> None:
        super().__init__(breakable(visible(text)))
        self._box = box
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()) and self._box.isEnabled():
            self._box.click()


def with_text(box: QCheckBox, text: str, *, strong: bool = False) -> QWidget:
    """A box with its words: Qt's own text of a box never wraps, so long ones stand beside it."""
    if len(text) <= _SHORT:
        box.setText(caption_of(text))
        set_type(box, "strong" if strong else "body")
        return box
    box.setText("")
    holder, words = QWidget(), _TextOfBox(box, text)
    set_type(words, "strong" if strong else "body")
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(6)
    line.addWidget(box, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(words, 1)
    return holder


class CheckEditor(Editor):
    """Yes or no with a default that is shown: a check box."""

    def __init__(self, field: Field, parent: QWidget, text: str) -> None:
        super().__init__(field, parent)
        self.box = QCheckBox(self)
        self.box.setChecked(field.default is True)
        self.box.setAccessibleName(one_line(field.title))
        self.box.clicked.connect(self._changed)
        self._text: QWidget | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.set_text(text)
        self.setMinimumHeight(36)

    def set_text(self, text: str, *, strong: bool = False) -> None:
        """Put other words beside the box."""
        layout = self.layout()
        assert layout is not None  # made with the editor
        before, self._text = self._text, with_text(self.box, text, strong=strong)
        if before is not None:
            layout.removeWidget(before)
        if before is not None and before is not self.box:
            before.deleteLater()
            before.hide()
        layout.addWidget(self._text)

    def entry(self) -> Entry:
        return self.box.isChecked()

    def enter(self, entry: Entry) -> None:
        self.box.setChecked(entry is True)
        self._changed()

    def focus_target(self) -> QWidget:
        return self.box


class RadioEditor(Editor):
    """A few choices side by side; with none chosen the field has no answer (ELF-43, ELF-44)."""

    def __init__(self, field: Field, parent: QWidget, labels: list[tuple[str, Entry]]) -> None:
        super().__init__(field, parent)
        self._entries = [entry for _, entry in labels]
        self.group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        for number, (text, entry) in enumerate(labels):
            radio = QRadioButton(caption_of(text), self)
            radio.setAccessibleName(f"{one_line(field.title)}: {one_line(text)}")
            default = entry_of(field, field.default) if field.has_default else None
            radio.setChecked(entry is not None and entry == default)
            self.group.addButton(radio, number)
            layout.addWidget(radio)
        self._clear = icon_button("close", tr("Take the answer back"), self._take_back)
        room = self._clear.sizePolicy()
        room.setRetainSizeWhenHidden(not field.required)  # nothing moves when it comes and goes
        self._clear.setSizePolicy(room)
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

    def controls(self) -> list[QWidget]:
        return list(self.group.buttons())

    def mark(self, invalid: bool) -> None:
        pass  # the sentence below is enough: a ring around every button would look like a choice

    def _clicked(self, _number: int) -> None:
        self._clear.setVisible(not self.field.required)
        self._changed()

    def _take_back(self) -> None:
        self.group.button(0).setFocus(Qt.FocusReason.OtherFocusReason)
        self.group.setExclusive(False)
        for radio in self.group.buttons():
            radio.setChecked(False)
        self.group.setExclusive(True)
        self._clear.hide()
        self._changed()


class SearchCombo(QComboBox):
    """A list to choose from, or to search by typing any part of an entry. The wheel scrolls the form, not the list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(12)
        self.setCompleter(cast("QCompleter", None))  # Qt takes it; its stubs do not say so

    @cached_property
    def finder(self) -> QCompleter:
        """What lists the fitting entries. Its list is a window: a form with many choices makes none it need not."""
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setMaxVisibleItems(12)
        popup = QListView()
        popup.setProperty("role", "popup")
        completer.setPopup(popup)
        return completer

    def focusInEvent(self, event: QFocusEvent) -> None:
        if self.completer() is not self.finder:
            self.setCompleter(self.finder)
        super().focusInEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ComboEditor(Editor):
    """Many choices in a list that can be searched by typing. What is typed and no choice is an error, never a guess."""

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(field, parent)
        self.combo = SearchCombo(self)
        if not field.required:
            self.combo.addItem(tr("No answer"), None)
        for option in field.options:
            self.combo.addItem(_shown(option.label), option.label)
        self._chosen = -1
        self._show(entry_of(field, field.default) if field.has_default else None)
        self._line = self.combo.lineEdit()
        assert self._line is not None  # it is editable
        self._line.setPlaceholderText(tr("Choose, or type to search"))
        self._line.textEdited.connect(self._typed)
        self._line.editingFinished.connect(self.left)
        self._line.setAccessibleName(one_line(field.title))
        self.combo.setAccessibleName(one_line(field.title))
        self.combo.activated.connect(self._activated)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(8)
        self._fill(self.combo)

    def entry(self) -> Entry:
        if self._chosen >= 0:
            return self.combo.itemData(self._chosen)
        text = self.combo.currentText()
        return (text,) if text else None  # no label at all: what fits several choices must not become the first

    def enter(self, entry: Entry) -> None:
        self._show(entry)
        self._changed()

    def focus_target(self) -> QWidget:
        return self.combo

    @property
    def settled(self) -> bool:
        searching = self._chosen < 0 and self.combo.hasFocus() and self.combo.finder.completionCount() > 0
        return not searching

    def _show(self, entry: Entry) -> None:
        self._chosen = self.combo.findData(entry) if entry is not None else -1
        self.combo.setCurrentIndex(self._chosen)
        if self._chosen < 0:
            text = entry[0] if isinstance(entry, tuple) and entry else entry
            self.combo.setEditText("" if text is None else str(text))

    def _activated(self, index: int) -> None:
        self._chosen = index
        self._changed()

    def _typed(self, text: str) -> None:
        items = [self.combo.itemText(row) for row in range(self.combo.count())]
        exact = [row for row, item in enumerate(items) if item == text]
        fitting = exact or [row for row, item in enumerate(items) if item.casefold() == text.casefold()]
        self._chosen = fitting[0] if text and len(fitting) == 1 else -1
        if self._chosen >= 0:  # or Qt looks for the text itself when the field is left, and takes the first it finds
            with QSignalBlocker(self.combo):
                self.combo.setCurrentIndex(self._chosen)
        self._changed()


class ChecksEditor(Editor):
    """Several choices: boxes, or a list with a search where there are many; below it how many are chosen."""

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(field, parent)
        default = entry_of(field, field.default) if field.has_default else ()
        self._labels = [option.label for option in field.options]
        chosen = default if isinstance(default, tuple) else ()
        self.boxes: list[QCheckBox] = []
        self.list: QListWidget | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        if len(self._labels) <= _BOXES:
            for text in self._labels:
                box = QCheckBox()
                box.setAccessibleName(f"{one_line(field.title)}: {one_line(text)}")
                box.clicked.connect(self._changed)
                self.boxes.append(box)
                layout.addWidget(with_text(box, _shown(text)))
        else:
            layout.addWidget(search_field(tr("Search in {n} choices").format(n=len(self._labels)), self._search))
            self.list = self._make_list()
            layout.addWidget(self.list)
        self._count = label("", "caption", "muted")
        layout.addWidget(self._count)
        self._choose(chosen)

    def entry(self) -> Entry:
        return tuple(text for text, on in zip(self._labels, self._states(), strict=True) if on)

    def enter(self, entry: Entry) -> None:
        self._choose(entry if isinstance(entry, tuple) else ())
        self._changed()

    def focus_target(self) -> QWidget:
        return self.list or (self.boxes[0] if self.boxes else self)

    def controls(self) -> list[QWidget]:
        return [self.list] if self.list is not None else [*self.boxes]

    def mark(self, invalid: bool) -> None:
        pass  # as for radio buttons

    def _make_list(self) -> QListWidget:
        made = QListWidget()
        made.setProperty("role", "checks")
        made.setUniformItemSizes(True)
        made.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        made.setFixedHeight(_LIST_HEIGHT)
        made.setAccessibleName(one_line(self.field.title))
        for text in self._labels:
            item = QListWidgetItem(_shown(text))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            made.addItem(item)
        made.itemChanged.connect(self._changed)
        made.currentRowChanged.connect(self._stay_visible)
        return made

    def _states(self) -> list[bool]:
        if self.list is None:
            return [box.isChecked() for box in self.boxes]
        return [self.list.item(row).checkState() is Qt.CheckState.Checked for row in range(self.list.count())]

    def _choose(self, chosen: tuple[str, ...]) -> None:
        among = frozenset(chosen)
        wanted = [text in among for text in self._labels]
        for box, on in zip(self.boxes, wanted, strict=False):
            with QSignalBlocker(box):
                box.setChecked(on)
        if self.list is not None:
            with QSignalBlocker(self.list):
                for row, on in enumerate(wanted):
                    self.list.item(row).setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self._show_count()

    def _search(self, text: str) -> None:
        assert self.list is not None  # the search field comes with it
        wanted = text.casefold()
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(wanted not in item.text().casefold())
        self._stay_visible(self.list.currentRow())

    def _stay_visible(self, current: int) -> None:
        """Home and End go to rows that a search hides: the nearest one that is seen is meant."""
        assert self.list is not None  # it is the list that tells
        shown = [row for row in range(self.list.count()) if not self.list.item(row).isHidden()]
        if current not in shown:
            self.list.setCurrentRow(min(shown, key=lambda row: abs(row - current), default=-1))

    def _show_count(self) -> None:
        states = self._states()
        self._count.setText(tr("{n} of {m} chosen").format(n=sum(states), m=len(states)))

    def _changed(self) -> None:
        self._show_count()
        super()._changed()


def _shown(text: str) -> str:
    """The label of a choice on one line, which must not be endless."""
    line = one_line(text) or tr("(empty)")
    return line if len(line) <= _LONG else f"{line[:_LONG]}…"
