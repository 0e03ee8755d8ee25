"""Text fields as high as their text, up to a bound."""

import math
from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QSignalBlocker, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop_host.ui.theme import color

_SLICE = 16_384
"""Characters of a long text that are taken in at once, which takes 1 ms."""
_LONGEST = 2_000
"""Characters of a line that are left together: Qt lays a whole line out at every key, in 0.2 s where it has 1 MiB."""
_UNSEEN = "\u200b\u2060\ufeff"
"""Characters without a look. One that a text does not have marks its seams."""
_END = "\u2029"
"""What ends a line in Qt's documents."""
_MOST_MARKS = 500


def _line(widget: QWidget) -> int:
    """The height Qt gives a line, which it rounds up."""
    return math.ceil(QFontMetricsF(widget.font()).lineSpacing()) + 1


class GrowingText(QPlainTextEdit):
    """Plain text only, whatever is pasted. `least` and `most` are lines.

    A long text comes bit by bit, read-only until it is whole. Endless lines are parted where they are shown, with a
    seam that nobody sees and `text` leaves out.

    Signals:
        edited: the text is another; not while a text that was put here comes.
    """

    edited = Signal()

    def __init__(self, text: str = "", *, least: int = 1, most: int = 9) -> None:
        super().__init__()
        self._least, self._most = least, most
        self._given = self._raw = ""
        self._taken = 0
        self._known: str | None = None
        self._seam = ""
        self._read_only = False
        self._later = QTimer(self)
        self._later.timeout.connect(self._take_more)
        self.setTabChangesFocus(True)
        self.show_text(text)
        self.textChanged.connect(self._changed)

    def show_text(self, text: str) -> None:
        """Put a text here; what was here is gone, and cannot be brought back with undo."""
        self._later.stop()
        self._given, self._taken = text, 0
        self._seam = next((one + _END for one in _UNSEEN if one not in text), "")
        with QSignalBlocker(self):
            super().setPlainText(self._next_slice())
        if self._coming:
            self.setUndoRedoEnabled(False)
            super().setReadOnly(True)
            self._fit()
            self._later.start(1)
        else:
            self._loaded()

    def text(self) -> str:
        """The text as it is, exactly: what nobody touched is what was put here, with whatever line ends it has."""
        if self._coming:
            return self._given
        if self._known is None:
            raw = self.document().toRawText()
            self._known = self._given if raw == self._raw else self._without_seams(raw)
        return self._known

    def length(self) -> int:
        """How long the text is, roughly; to know this takes no time."""
        return len(self._given) if self._coming else self.document().characterCount()

    def counted(self) -> str:
        """The text as the places to `mark` are counted: every line end is one character."""
        return self._without_seams(self.document().toRawText())

    def mark(self, places: list[tuple[int, int]]) -> None:
        """Mark pieces of the text, from and to, counted in characters, in order and apart."""
        selections: list[QTextEdit.ExtraSelection] = []
        ends = self._units([end for place in places[:_MOST_MARKS] for end in place])
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            made = QTextEdit.ExtraSelection()
            made.format.setBackground(QColor(color("mark")))  # pyright: ignore[reportAttributeAccessIssue]  # missing in the stubs
            made.format.setForeground(QColor(color("mark_text")))  # pyright: ignore[reportAttributeAccessIssue]  # as above
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            made.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]  # as above
            selections.append(made)
        self.setExtraSelections(selections)

    def replace_all(self, text: str) -> None:
        """Put another text in the place of this one, so that it can be undone."""
        if text != self.text():
            cursor = self.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(self._parted(text))

    def append_text(self, text: str) -> None:
        """Put a text at the end, as it arrives."""
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        endless = self._seam and cursor.block().length() > _LONGEST
        cursor.insertText(f"{self._seam}{text}" if endless else text)

    def setReadOnly(self, ro: bool) -> None:
        self._read_only = ro
        super().setReadOnly(ro or self._coming)

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self._without_seams(self.textCursor().selectedText()))
        return data

    def _take_more(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        with QSignalBlocker(self):
            cursor.insertText(self._next_slice())
        if not self._coming:
            self._later.stop()
            self._loaded()

    @property
    def _coming(self) -> bool:
        return self._taken < len(self._given)

    def _next_slice(self) -> str:
        """What is taken in next: up to the end of a line, or of a piece where the line has no end."""
        start, seam = self._taken, ""
        end = self._given.find("\n", start + _SLICE, start + 2 * _SLICE) + 1
        if not end and len(self._given) - start > 2 * _SLICE:
            end, seam = start + _SLICE, self._seam
        self._taken = end or len(self._given)
        return self._parted(self._given[start : self._taken]) + seam

    def _loaded(self) -> None:
        self.setUndoRedoEnabled(True)
        super().setReadOnly(self._read_only)
        self._raw = self.document().toRawText()
        self._known = None
        self._fit()
        self.edited.emit()

    def _changed(self) -> None:
        self._known = None
        self._fit()
        self.edited.emit()

    def _parted(self, text: str) -> str:
        if not self._seam or len(text) <= _LONGEST:
            return text
        seam = f"{self._seam[0]}\n"
        return "\n".join(seam.join(_pieces(line)) for line in text.split("\n"))

    def _without_seams(self, raw: str) -> str:
        if self._seam:
            raw = raw.replace(self._seam, "").replace(self._seam[0], "")
        return raw.replace(_END, "\n")

    def _units(self, places: list[int]) -> list[int]:
        """Places of `counted`, in order, as Qt counts them: seams count, and what lies beyond 16 bits counts twice."""
        pieces = self.document().toRawText().split(self._seam or "\0")
        found: list[int] = []
        piece, characters, units, within = 0, 0, 0, 0
        for place in places:
            while piece < len(pieces) - 1 and place > characters + len(pieces[piece]):
                units += _length(pieces[piece][within:]) + len(self._seam)
                characters += len(pieces[piece])
                piece, within = piece + 1, 0
            units += _length(pieces[piece][within : place - characters])
            within = place - characters
            found.append(units)
        return found

    def _fit(self) -> None:
        lines = int(self.document().size().height())
        shown = min(max(lines, self._least), self._most)
        self.setFixedHeight(shown * _line(self) + 24)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def _pieces(line: str) -> Iterator[str]:
    """A line in pieces that are not too long, parted after a space where there is one."""
    start = 0
    while len(line) - start > _LONGEST:
        end = line.rfind(" ", start + _LONGEST // 2, start + _LONGEST) + 1 or start + _LONGEST
        yield line[start:end]
        start = end
    yield line[start:]


def _length(text: str) -> int:
    """How long a text is as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class FittingView(QTextEdit):
    """Read-only formatted text of our own making. `least` and `most` are lines."""

    def __init__(self, *, least: int, most: int) -> None:
        super().__init__()
        self._least, self._most = least, most
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setProperty("role", "code")
        self.textChanged.connect(self._fit)

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        line = _line(self)
        wanted = self.document().size().height()
        self.setFixedHeight(round(min(max(wanted, self._least * line), self._most * line)) + 16)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
