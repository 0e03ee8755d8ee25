"""Small parts: plain-text labels, badges, tiles, findings, buttons."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QResizeEvent, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_host.terms.asks import Finding, Severity
from desktop_host.ui.icons import icon, pixmap
from desktop_host.ui.text import rich, tr, words
from desktop_host.ui.theme import set_type
from desktop_host.ui.visible import breakable, has_long_word, one_line, visible
from desktop_host.ui.widgets.growing_text import FittingView

_MOST_LINES = 60


def label(
    text: str = "", size: str = "body", tone: str = "", *, wrap: bool = False, selectable: bool = False
) -> QLabel:
    """A label of plain text: what servers say is never rich text (ELF-15). What can be copied is exact."""
    shown = visible(text)
    result = QLabel(breakable(shown) if wrap and not selectable else shown)
    if selectable:
        result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    result.setTextFormat(Qt.TextFormat.PlainText)
    result.setWordWrap(wrap)
    if wrap:
        if result.text() != shown:
            result.setAccessibleName(shown)
        result.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    if tone:
        result.setProperty("tone", tone)
    set_type(result, size)
    return result


def paragraph(text: str, tone: str = "") -> QWidget:
    """A selectable paragraph with room between its lines; nothing in it is markup or a link."""
    shown = visible(text)
    if has_long_word(shown):
        return whole_text(shown)
    result = QLabel(rich(text).replace("\n", "<br>"))
    result.setTextFormat(Qt.TextFormat.RichText)
    result.setWordWrap(True)
    result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    result.setAccessibleName(shown)
    if tone:
        result.setProperty("tone", tone)
    set_type(result, "body")
    return result


def exact_text(text: str, size: str = "body") -> QWidget:
    """A selectable plain text, to read and to copy exactly."""
    shown = visible(text)
    return whole_text(shown, size) if has_long_word(shown) else label(shown, size, wrap=True, selectable=True)


def whole_text(shown: str, size: str = "body") -> FittingView:
    """A selectable plain text that breaks anywhere, for words longer than a window is wide."""
    view = FittingView(least=1, most=_MOST_LINES)
    view.setProperty("role", "bare")
    view.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    view.setAccessibleName(shown)
    set_type(view, size)
    view.setPlainText(shown)
    return view


class Elided(QLabel):
    """One line of plain text that is cut at the end where room is short; whole in its tool tip and accessible name."""

    def __init__(self, text: str = "", size: str = "body", tone: str = "", *, middle: bool = False) -> None:
        super().__init__()
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if tone:
            self.setProperty("tone", tone)
        set_type(self, size)
        self.set_whole(text)

    def set_whole(self, text: str) -> None:
        """Show another text."""
        self._whole = one_line(text)
        self.setAccessibleName(self._whole)
        self._cut()

    def _cut(self) -> None:
        cut = QFontMetrics(self.font()).elidedText(self._whole, self._mode, max(self.width(), 20))
        self.setToolTip("" if cut == self._whole else visible(self._whole).replace("<", "‹"))
        self.setText(cut)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def minimumSizeHint(self) -> QSize:
        return QSize(20, QFontMetrics(self.font()).height())

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._whole) + 2, metrics.height())


def badge(text: str, kind: str = "") -> QLabel:
    """A short word on a soft ground."""
    result = label(text, "caption")
    result.setProperty("role", "badge")
    result.setProperty("kind", kind)
    font = result.font()
    font.setWeight(font.Weight.DemiBold if kind else font.Weight.Medium)
    result.setFont(font)
    result.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return result


class Picture(QLabel):
    """An icon as a label, drawn again when the theme changes; `words_for_it` where no word stands beside it."""

    def __init__(self, name: str, token: str = "muted", size: int = 16, words_for_it: str = "") -> None:
        super().__init__()
        self._size = size
        self.setFixedSize(size, size)
        self.setAccessibleName(words_for_it)
        self.setToolTip(words_for_it)
        self.draw(name, token)

    def draw(self, name: str, token: str) -> None:
        """Show another icon."""
        self._name, self._token = name, token
        self.setPixmap(pixmap(name, token, self._size))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.draw(self._name, self._token)


def picture(name: str, token: str = "muted", size: int = 16, words_for_it: str = "") -> Picture:
    """An icon as a label."""
    return Picture(name, token, size, words_for_it)


def frame(role: str, kind: str = "") -> QFrame:
    """A frame with a role of the style sheet."""
    result = QFrame()
    result.setProperty("role", role)
    if kind:
        result.setProperty("kind", kind)
    return result


class Tile(QFrame):
    """A square with an icon or a letter."""

    def __init__(self, size: int, *, letter: str = "", name: str = "", token: str = "muted", kind: str = "") -> None:
        super().__init__()
        self.setProperty("role", "tile")
        self.setProperty("kind", kind)
        self.setFixedSize(size, size)
        inner = label(letter, "title", "muted") if letter else picture(name, token, round(size * 0.52))
        inner.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(inner, 0, Qt.AlignmentFlag.AlignCenter)


class FindingView(QFrame):
    """A finding: what is wrong, in its colour, with an icon and the part it is about."""

    _ICONS: ClassVar = {
        Severity.INFO: ("info", "accent_text"),
        Severity.WARNING: ("warning", "warn"),
        Severity.DANGER: ("warning", "bad"),
    }

    def __init__(self, severity: Severity, title: str, detail: str = "") -> None:
        super().__init__()
        kind = severity.value
        self.setProperty("role", "finding")
        self.setProperty("kind", kind)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(12)
        name, token = self._ICONS[severity]
        layout.addWidget(picture(name, token, 18), 0, Qt.AlignmentFlag.AlignTop)
        text = QVBoxLayout()
        text.setSpacing(2)
        head = label(title, "strong", wrap=True)
        head.setProperty("kind", kind)
        text.addWidget(head)
        if detail:
            text.addWidget(label(detail, "small", wrap=True))
        layout.addLayout(text, 1)
        self.setAccessibleName(f"{title} {detail}".strip())


def finding_view(finding: Finding) -> FindingView:
    """A finding of the corridor."""
    where = tr("It is about: {what}").format(what=one_line(finding.where)) if finding.where else ""
    return FindingView(finding.severity, words(finding.message), where)


def button(
    text: str,
    slot: Callable[[], None] | None = None,
    role: str = "",
    icon_name: str = "",
    *,
    compact: bool = False,
) -> QPushButton:
    """A push button that is never a default button: Enter in a field presses nothing."""
    result = QPushButton(text)
    result.setAutoDefault(False)
    result.setDefault(False)
    if role:
        result.setProperty("role", role)
    if compact:
        result.setProperty("compact", "true")
    if icon_name:
        token = {"primary": "on_accent", "danger": "bad"}.get(role, "muted")
        result.setIcon(icon(icon_name, token, 16))
        result.setIconSize(QSize(16, 16))
    if slot is not None:
        result.clicked.connect(slot)
    return result


def icon_button(name: str, words_for_it: str, slot: Callable[[], None] | None = None) -> QToolButton:
    """A button that shows only an icon; its words are in the tool tip and accessible name."""
    result = QToolButton()
    result.setProperty("role", "icon")
    result.setIcon(icon(name, "muted", 18))
    result.setIconSize(QSize(18, 18))
    result.setToolTip(words_for_it)
    result.setAccessibleName(words_for_it)
    if slot is not None:
        result.clicked.connect(slot)
    return result


def search_field(words_for_it: str, slot: Callable[[str], None]) -> QLineEdit:
    """A line to search in; `slot` hears of every change."""
    result = QLineEdit()
    result.setPlaceholderText(words_for_it)
    result.setAccessibleName(words_for_it)
    glass = result.addAction(icon("search", "muted", 16), QLineEdit.ActionPosition.LeadingPosition)
    glass.setText(words_for_it)
    result.textChanged.connect(slot)
    return result


def scroll_area(inner: QWidget, name: str) -> QScrollArea:
    """A scrolling area with a name: the keyboard stops there."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(name)
    inner.setProperty("role", "clear")
    area.setWidget(inner)
    return area


def marked_label(text: str = "") -> QLabel:
    """A wrapping line of our own markup, in which everything else must be escaped already (`ui.rules`)."""
    result = QLabel(text)
    result.setTextFormat(Qt.TextFormat.RichText)
    result.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    result.setWordWrap(True)
    result.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    set_type(result, "body")
    return result


def caption_of(text: str) -> str:
    """A server's text for a box, a button or a label with a buddy, where Qt would take & for a shortcut."""
    return visible(text).replace("&", "&&")


def row(*widgets: QWidget | int | None, spacing: int = 8) -> QHBoxLayout:
    """Widgets side by side; an int is a stretch."""
    layout = QHBoxLayout()
    layout.setSpacing(spacing)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        if isinstance(widget, int):
            layout.addStretch(widget)
        elif widget is not None:
            layout.addWidget(widget)
    return layout


def clear_layout(layout: QLayout) -> None:
    """Take everything out of a layout and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)
