"""What a person does at the windows: looks for a control by its words, presses, types, waits, reads."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import TypeVar

from PySide6 import QtGui
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QStyle,
    QStyleOptionViewItem,
    QTabBar,
    QTableView,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

T = TypeVar("T")
WidgetT = TypeVar("WidgetT", bound=QWidget)
_TEXTS = (QLabel, QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit, QTabBar, QTableView)


async def until(found: Callable[[], T], what: str = "", seconds: float = 10.0) -> T:
    """Wait until something is there or true; its value. The windows live on meanwhile."""
    end = time.monotonic() + seconds
    while not (value := found()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:g} s in vain for {what or found}")
        await asyncio.sleep(0.01)
    return value


async def holds(true: Callable[[], bool], seconds: float, what: str = "") -> None:
    """Something stays true for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert true(), f"no longer: {what or true}"
        await asyncio.sleep(0.01)


def gone(widget: QWidget) -> bool:
    """The widget is closed, or no more at all."""
    return not isValid(widget) or not widget.isVisible()


def name_of(widget: QWidget) -> str:
    """What a screen reader calls a widget. On Linux Qt gives a combo box the name of its value instead."""
    if isinstance(widget, QComboBox):
        return widget.accessibleName()
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name) if found is not None else ""


def words_on(widget: QWidget) -> str:
    """The words a widget shows, as a person reads them: markup drawn, mnemonics taken away."""
    match widget:
        case QLabel():
            return _label_words(widget)
        case QAbstractButton():
            return _without_mnemonics(widget.text())
        case QComboBox():
            return widget.currentText()
        case QLineEdit():
            return widget.text()
        case QPlainTextEdit() | QTextEdit():
            return widget.toPlainText()
        case QTabBar():
            return "\n".join(widget.tabText(number) for number in range(widget.count()))
        case QTableView():
            return table_text(widget)
        case _:
            return ""


def shown(root: QWidget) -> str:
    """All words that can be seen in a window now, a line each; none once it is closed."""
    if gone(root):
        return ""
    widgets = [one for one in [root, *root.findChildren(QWidget)] if one.isVisible() and isinstance(one, _TEXTS)]
    return "\n".join(text for text in map(words_on, widgets) if text)


def fragments(view: QTextEdit) -> list[QtGui.QTextFragment]:
    """The pieces of a text, each in one format."""
    found: list[QtGui.QTextFragment] = []
    block = view.document().begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            found.append(pieces.fragment())
            pieces += 1
        block = block.next()
    return found


def markup_in(root: QWidget) -> list[str]:
    """Where words would be taken for markup, or could be followed as links; tool tips too."""
    found: list[str] = []
    for one in [root, *root.findChildren(QWidget)]:
        if QtGui.Qt.mightBeRichText(one.toolTip()):
            found.append(f"tool tip {one.toolTip()!r}")
        if isinstance(one, QLabel):
            text, links = one.text(), Qt.TextInteractionFlag.LinksAccessibleByMouse
            if one.textFormat() == Qt.TextFormat.AutoText and QtGui.Qt.mightBeRichText(text):
                found.append(f"label {text!r}")
            if one.textFormat() == Qt.TextFormat.RichText and re.search(r"<(img|a|b|i|u|h1|script)\b", text):
                found.append(f"label {text!r}")
            if one.openExternalLinks() or ("<a " in text and one.textInteractionFlags() & links):
                found.append(f"links {text!r}")
    return found


def table_text(table: QTableView) -> str:
    """Head and rows of a table, cells parted by tabs."""
    model = table.model()
    if model is None:
        return ""
    columns = range(model.columnCount())
    lines = [[str(model.headerData(number, Qt.Orientation.Horizontal)) for number in columns]]
    lines += [[str(model.index(row, number).data()) for number in columns] for row in range(model.rowCount())]
    return "\n".join("\t".join(line) for line in lines)


def all_of(root: QWidget, kind: type[WidgetT], words: str | None = None) -> list[WidgetT]:
    """The visible widgets of a kind, by their words or accessible name."""
    found = [one for one in root.findChildren(kind) if one.isVisible()]
    if words is None:
        return found
    return [one for one in found if words in (words_on(one), name_of(one))]


def find(root: QWidget, kind: type[WidgetT], words: str | None = None) -> WidgetT:
    """The one visible widget of a kind with these words, or this accessible name."""
    found = all_of(root, kind, words)
    there = [words_on(one) or name_of(one) for one in all_of(root, kind)]
    assert len(found) == 1, f"{len(found)} × {kind.__name__} {words!r}; there are {there}"
    return found[0]


def button(root: QWidget, words: str) -> QAbstractButton:
    """The one visible button with these words."""
    return find(root, QAbstractButton, words)


def press(widget: QWidget) -> None:
    """Click a control with the mouse."""
    assert widget.isVisible(), f"{words_on(widget) or widget} is not shown"
    assert widget.isEnabled(), f"{words_on(widget) or widget} is disabled"
    # Near the left: a check box takes clicks only on its words, a split button has its arrow at the right.
    place = QPoint(min(12, widget.width() // 2), widget.height() // 2)
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def type_into(widget: QWidget, text: str) -> None:
    """Replace what is in a field by typing."""
    assert widget.isVisible(), f"{name_of(widget)} is not shown"
    assert widget.isEnabled(), f"{name_of(widget)} is disabled"
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    target = widget.lineEdit() if isinstance(widget, QSpinBox) else widget
    QTest.keyClick(target, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(target, Qt.Key.Key_Delete)
    QTest.keyClicks(target, text)


def choose(combo: QComboBox, text: str) -> None:
    """Choose an entry with the keyboard."""
    wanted = combo.findText(text)
    assert wanted >= 0, f"no {text!r} in {[combo.itemText(i) for i in range(combo.count())]}"
    combo.setFocus()
    while combo.currentIndex() != wanted:
        before = combo.currentIndex()
        QTest.keyClick(combo, Qt.Key.Key_Down if wanted > before else Qt.Key.Key_Up)
        assert combo.currentIndex() != before, f"{text!r} cannot be chosen"


def pick(root: QWidget, field: str, option: str) -> None:
    """Choose one of a field's few or many options."""
    radios = all_of(root, QRadioButton, f"{field}: {option}")
    if radios:
        press(radios[0])
    else:
        choose(find(root, QComboBox, field), option)


async def activate(window: QWidget) -> None:
    """Bring a window to the front and wait until keys go to it."""
    window.raise_()
    window.activateWindow()
    await until(window.isActiveWindow, f"“{window.windowTitle()}” to be active")


async def key(window: QWidget, which: Qt.Key) -> None:
    """Press a key in a window, wherever its focus is."""
    await activate(window)
    QTest.keyClick(window.focusWidget() or window, which)


def _label_words(label: QLabel) -> str:
    text = label.text()
    if label.textFormat() == Qt.TextFormat.RichText or (
        label.textFormat() == Qt.TextFormat.AutoText and QtGui.Qt.mightBeRichText(text)
    ):
        return QTextDocumentFragment.fromHtml(text).toPlainText()
    if label.textFormat() == Qt.TextFormat.PlainText and label.accessibleName() and text.endswith("…"):
        return label.accessibleName()  # cut to its width, whole for a screen reader
    return _without_mnemonics(text) if label.buddy() is not None else text


def _without_mnemonics(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def wheel(widget: QWidget, clicks: int = -3) -> None:
    """Turn the mouse wheel over a widget; what it does not take goes to what is behind it."""
    place = QPointF(widget.rect().center())
    turned = QtGui.QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(0, 0), QPoint(0, 120 * clicks), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    target: QWidget | None = widget
    while target is not None and not target.isWindow():
        turned.setAccepted(True)
        QApplication.sendEvent(target, turned)
        if turned.isAccepted():
            return
        target = target.parentWidget()


def compose(widget: QWidget, text: str) -> None:
    """Begin to write a word with an input method; it is underlined, and not yet in the field."""
    QApplication.sendEvent(widget, QtGui.QInputMethodEvent(text, []))


def write_into(widget: QWidget, text: str) -> None:
    """Replace what is in a field by words of any script, which an input method brings."""
    type_into(widget, "")
    written = QtGui.QInputMethodEvent()
    written.setCommitString(text)
    QApplication.sendEvent(widget, written)


def check_row(rows: QListWidget, text: str) -> None:
    """Click the box of a row."""
    [item] = [rows.item(n) for n in range(rows.count()) if rows.item(n).text() == text and not rows.item(n).isHidden()]
    rows.scrollToItem(item)
    option = QStyleOptionViewItem()
    option.rect = rows.visualItemRect(item)
    option.features = QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    option.widget = rows
    element = QStyle.SubElement.SE_ItemViewItemCheckIndicator
    place = rows.style().subElementRect(element, option, rows).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def too_wide(area: QScrollArea) -> list[str]:
    """What reaches over the right edge of a scrolling area that does not scroll sideways."""
    inner, found = area.widget(), list[str]()
    if inner.width() > area.viewport().width() or area.horizontalScrollBar().maximum() > 0:
        found.append(f"all of it: {inner.width()} in {area.viewport().width()}")
    for one in inner.findChildren(QWidget):
        right = one.mapTo(inner, one.rect().topRight()).x()
        if one.isVisible() and one.window() is area.window() and right >= area.viewport().width():
            found.append(f"{type(one).__name__} {(words_on(one) or name_of(one))[:40]!r} to {right}")
    return found
