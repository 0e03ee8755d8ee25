"""The head of an ask window: who asks, what it is, and during which call."""

import json
import time
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from desktop_host.terms.asks import Ask, AskKind
from desktop_host.ui.text import ago, tr
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import Elided, Tile, badge, frame, icon_button, label, picture


class AskHead(QFrame):
    """`why` is the button that tells why the person is asked, `strip` the line of the call, None without one."""

    def __init__(self, ask: Ask, sentence: str, show_why: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("role", "head")
        self._ask = ask
        origin = ask.origin
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(24, 20, 24, 16)
        self._layout.setSpacing(12)
        top = QHBoxLayout()
        top.setSpacing(14)
        top.addWidget(Tile(44, letter=origin.server[:1].upper() or "?"), 0, Qt.AlignmentFlag.AlignTop)
        names = QVBoxLayout()
        names.setSpacing(2)
        self._sentence = label(sentence, "window", wrap=True)
        names.addWidget(self._sentence)
        line = QHBoxLayout()
        line.setSpacing(6)
        # Only what the person once allowed carries the shield.
        allowed = ask.kind is not AskKind.CONNECT
        line.addWidget(picture("shield-check" if allowed else "terminal", "ok" if allowed else "muted", 14))
        line.addWidget(Elided(origin.identity, "small", "muted", middle=True), 1)
        names.addLayout(line)
        top.addLayout(names, 1)
        if origin.total > 1:
            place = tr("{n} of {m}").format(n=origin.position, m=origin.total)
            top.addWidget(badge(place, "accent"), 0, Qt.AlignmentFlag.AlignTop)
        if origin.revision:
            top.addWidget(badge(origin.revision), 0, Qt.AlignmentFlag.AlignTop)
        self.why = icon_button("info", tr("Why you are asked"), show_why)
        top.addWidget(self.why, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addLayout(top)
        self.strip = self._make_strip()
        self.take_strip()

    def set_sentence(self, sentence: str) -> None:
        """Say otherwise who wants what."""
        self._sentence.setText(visible(sentence))

    def take_strip(self) -> None:
        """Show the line of the call here; a low window has it in its scrolling part."""
        if self.strip is not None and self._layout.indexOf(self.strip) < 0:
            self._layout.addWidget(self.strip)

    def tick(self) -> None:
        """Tell how long ago the call was begun."""
        calls = self._ask.origin.calls
        if len(calls) == 1 and self.strip is not None:
            self._age.setText(tr("started by you {age} ago").format(age=ago(time.time() - calls[0].started)))

    def _make_strip(self) -> QFrame | None:
        calls = self._ask.origin.calls
        if not calls:
            return None
        strip = frame("inset")
        layout = QHBoxLayout(strip)
        layout.setContentsMargins(12, 6, 12, 6)
        layout.setSpacing(8)
        layout.addWidget(picture("play", "muted", 14))
        certain = len(calls) == 1
        layout.addWidget(label(tr("while running") if certain else tr("while running one of"), "small", "muted"))
        names = ", ".join(one_line(call.tool) for call in calls)
        layout.addWidget(label(names, "code"))
        arguments = json.dumps(calls[0].arguments, ensure_ascii=False) if certain else ""
        layout.addWidget(Elided(arguments, "code_small", "muted"), 1)
        self._age = label("", "small", "muted")
        layout.addWidget(self._age)
        return strip
