"""JSON for what cannot be drawn as a field, coloured while it is typed, with the schema it must fit."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QEvent, QSignalBlocker
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from desktop_host.elicitation.fields import Field
from desktop_host.ui.editors.texts import BlockEditor, exact_text_of
from desktop_host.ui.icons import icon
from desktop_host.ui.text import tr
from desktop_host.ui.theme import color, set_type
from desktop_host.ui.widgets.basics import button
from desktop_host.ui.widgets.json_view import JsonView

_TOKENS = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<text>"(?:[^"\\]|\\.)*(?:"|$))|(?P<number>-?\d[\d.eE+-]*)"""
    r"""|(?P<word>\b(?:true|false|null)\b)"""
)
_COLORS = {"key": "accent_text", "text": "ok", "number": "warn", "word": "muted"}
_LONGEST_LINE = 4_000
"""Characters of one line that are coloured; more of them would stall the window."""


class JsonColors(QSyntaxHighlighter):
    """Keys, texts, numbers and words of JSON, each in its colour."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self.take_colors()

    def take_colors(self) -> None:
        """Take the theme's colours, at first and when it changes."""
        for name, token in _COLORS.items():
            made = QTextCharFormat()
            made.setForeground(QColor(color(token)))
            self._formats[name] = made
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if len(text) > _LONGEST_LINE:
            return
        for found in _TOKENS.finditer(text):
            self.setFormat(found.start(), found.end() - found.start(), self._formats[str(found.lastgroup)])


class JsonEditor(BlockEditor):
    """A text of JSON. Below it, on demand, the schema; "Tidy up" lays valid text out anew."""

    def __init__(self, field: Field, parent: QWidget) -> None:
        super().__init__(field, parent)
        set_type(self.block, "code")
        self.block.setMinimumHeight(108)
        self.block.setMaximumHeight(260)
        self.block.setPlaceholderText("{ }" if field.schema.get("type") in ("object", None) else "[ ]")
        self.block.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._colors = JsonColors(self.block.document())
        if field.has_default:
            with QSignalBlocker(self.block):
                self.block.setPlainText(json.dumps(field.default, ensure_ascii=False, indent=2))
            self._last = exact_text_of(self.block)
        self._schema: JsonView | None = None
        self._fold = QToolButton()
        self._fold.setProperty("role", "fold")
        self._fold.setText(tr("What the server expects"))
        self._fold.setIcon(icon("chevron-right", "muted", 16))
        self._fold.setToolButtonStyle(self._fold.toolButtonStyle().ToolButtonTextBesideIcon)
        self._fold.setCheckable(True)
        self._fold.toggled.connect(self._show_schema)
        line = QHBoxLayout()
        line.addWidget(self._fold)
        line.addStretch(1)
        line.addWidget(button(tr("Tidy up"), self._tidy, compact=True))
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)  # `_fill` made it
        layout.setSpacing(4)
        layout.addLayout(line)

    def _tidy(self) -> None:
        try:
            text = _tidied(exact_text_of(self.block))
        except (ValueError, RecursionError):
            return  # what is wrong stands below the field already
        cursor = self.block.textCursor()  # so that it can be undone
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def _show_schema(self, open_: bool) -> None:
        self._fold.setIcon(icon("chevron-down" if open_ else "chevron-right", "muted", 16))
        if self._schema is None:
            self._schema = JsonView(self.field.schema)
            self._schema.setAccessibleName(tr("What the server expects"))
            self._schema.setFixedHeight(160)
            layout = self.layout()
            assert isinstance(layout, QVBoxLayout)  # `_fill` made it
            layout.addWidget(self._schema)
        self._schema.setVisible(open_)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._colors.take_colors()


@dataclass(frozen=True, slots=True)
class _Digits:
    """A number as it was written."""

    digits: str


def _tidied(text: str) -> str:
    """The same JSON laid out anew: numbers as they were written. Raises ValueError for what is none, or says a name
    twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("a name stands twice")
        return dict(pairs)

    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    value = json.loads(text, parse_float=_Digits, parse_int=_Digits, parse_constant=refuse, object_pairs_hook=once)
    return "".join(_laid_out(value, "\n"))


def _laid_out(value: Any, line: str) -> Iterator[str]:
    if isinstance(value, _Digits):
        yield value.digits
        return
    parts: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        parts = [(json.dumps(name, ensure_ascii=False) + ": ", part) for name, part in members.items()]
    elif isinstance(value, list):
        parts = [("", part) for part in cast("list[Any]", value)]
    if not parts:
        yield json.dumps(value, ensure_ascii=False)
        return
    start, end = "{}" if isinstance(value, dict) else "[]"
    yield start
    for number, (name, part) in enumerate(parts):
        yield ("," if number else "") + line + "  " + name
        yield from _laid_out(part, line + "  ")
    yield line + end
