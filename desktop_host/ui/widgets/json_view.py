"""JSON as it is on the wire, read-only, and the fold that shows exactly what will be sent."""

import json
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QToolButton, QVBoxLayout

from desktop_host.ui.icons import icon
from desktop_host.ui.text import tr
from desktop_host.ui.theme import set_type
from desktop_host.ui.visible import visible
from desktop_host.ui.widgets.basics import copy_text, frame, icon_button

_MOST, _MOST_STRING = 100_000, 20_000
"""Characters shown in all and of one string: laying out a long line takes Qt a millisecond a thousand characters."""


def _shortened(value: Any, most: int) -> tuple[Any, bool]:
    """A JSON value with at most about `most` characters, and whether that is all of it. Takes time for those only."""
    left = most

    def cut(part: Any) -> Any:
        nonlocal left
        if isinstance(part, str):
            kept = part[: max(min(left, _MOST_STRING), 0)]
            left -= len(kept) + 1 if len(kept) == len(part) else most
            return kept if len(kept) == len(part) else kept + "…"
        left -= 2
        if isinstance(part, dict):
            return {name: cut(inner) for name, inner in cast("dict[str, Any]", part).items() if left > 0}
        if isinstance(part, list):
            return [cut(inner) for inner in cast("list[Any]", part) if left > 0]
        return part

    short = cut(value)
    return short, left > 0


class JsonView(QPlainTextEdit):
    """Read-only JSON; `bare` without an outline of its own. More than `most` characters are cut, and it says so."""

    def __init__(self, value: Any = None, *, bare: bool = False, indent: int | None = 2, most: int = _MOST) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setProperty("role", "bare" if bare else "code")
        self.setTabChangesFocus(True)
        self._indent = indent
        self._most = most
        set_type(self, "code_small" if bare else "code")
        self.setAccessibleName("JSON")
        self.set_value(value)

    def set_value(self, value: Any) -> None:
        """Show another value."""
        short, whole = _shortened(value, self._most)
        text = json.dumps(short, ensure_ascii=False, indent=self._indent)
        cut = "" if whole and len(text) <= _MOST else "\n… " + tr("cut; copy to have all")
        self.setPlainText(visible(text[:_MOST]) + cut)


class Review(QVBoxLayout):
    """ "Exactly this will be sent": a fold with the wire object, always whole."""

    def __init__(self) -> None:
        super().__init__()
        self._value: Any = None
        self._frame = frame("inset")
        inner = QVBoxLayout(self._frame)
        inner.setContentsMargins(12, 8, 10, 10)
        inner.setSpacing(4)
        self._fold = QToolButton()
        self._fold.setProperty("role", "fold")
        self._fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._fold.setText(tr("Exactly this will be sent"))
        self._fold.setCheckable(True)
        self._fold.setChecked(True)
        self._fold.toggled.connect(self._folded)
        head = QHBoxLayout()
        head.addWidget(self._fold)
        head.addStretch(1)
        head.addWidget(icon_button("copy", tr("Copy"), self._copy))
        inner.addLayout(head)
        self._view = JsonView(bare=True, indent=None)
        self._view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._view.document().setDocumentMargin(2)
        inner.addWidget(self._view)
        self.addWidget(self._frame)
        self._folded(True)

    def set_value(self, value: Any, shown: Any = None) -> None:
        """Show what would be sent now; `shown` in its place where a part of it must not be read by others."""
        self._value = value
        self._view.set_value(value if shown is None else shown)
        self._fit()

    def _folded(self, open_: bool) -> None:
        self._fold.setIcon(icon("chevron-down" if open_ else "chevron-right", "muted", 16))
        self._view.setVisible(open_)

    def _fit(self) -> None:
        lines = min(max(len(self._view.toPlainText()) // 76 + 1, 1), 6)
        self._view.setFixedHeight(lines * self._view.fontMetrics().lineSpacing() + 10)

    def _copy(self) -> None:
        copy_text(json.dumps(self._value, ensure_ascii=False))
