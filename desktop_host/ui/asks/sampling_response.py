"""The second step of a sampling ask: the model's answer, editable, with its difference and the exact result."""

import difflib
import html
import re
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_host.asks.person import ResponseQuestion
from desktop_host.sampling.draft import result_of
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.asks import JsonObject
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import color
from desktop_host.ui.widgets.basics import badge, button, clear_layout, frame, label
from desktop_host.ui.widgets.content_blocks import ToolUses
from desktop_host.ui.widgets.growing_text import FittingView, GrowingText
from desktop_host.ui.widgets.json_view import Review

_SAME_WORDS = 4
"""Words and spaces that must be the same in a row to stand between two changes."""
_AROUND = 400
"""Characters that are shown before and after a change."""
_MOST_COMPARED = 250_000
"""Pairs of words that are compared at most, in some 30 ms: the time grows with their square."""


class ResponsePage(QWidget):
    """The answer with its difference and the exact result.

    Signals:
        edited: the answer is another. again: the model shall answer once more.
    """

    edited = Signal()
    again = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        head = QHBoxLayout()
        self._title = label(tr("Answer to the server"), "strong")
        self._edited_badge = badge(tr("Edited"), "accent")
        self._restore = button(tr("Restore"), self._restore_text, icon_name="undo", compact=True)
        again = button(tr("Ask again"), icon_name="restart", compact=True)
        self._again_button = again
        for widget in (self._title, self._edited_badge):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self._restore)
        head.addWidget(again)
        layout.addLayout(head)
        self._text = GrowingText(least=3)
        self._text.setAccessibleName(tr("Answer to the server"))
        layout.addWidget(self._text)
        self._notices = QVBoxLayout()
        layout.addLayout(self._notices)
        self._uses = ToolUses()
        layout.addWidget(self._uses)
        self._difference_head = label(tr("Difference to the model’s text"), "label")
        self._difference = FittingView(least=1, most=8)
        self._difference.setAccessibleName(tr("Difference to the model’s text"))
        layout.addWidget(self._difference_head)
        layout.addWidget(self._difference)
        layout.addStretch(1)
        self._review = Review()
        layout.addLayout(self._review)
        self.side = QWidget()
        self.side.setProperty("role", "clear")
        self._facts = QVBoxLayout(self.side)
        self._facts.setContentsMargins(20, 18, 24, 18)
        self._model_text = ""
        self._text.edited.connect(self.edited)
        self._uses.changed.connect(self.edited)
        again.clicked.connect(self.again)

    def text(self) -> str:
        """The answer as it stands."""
        return self._text.text()

    def characters(self) -> int:
        """How long the answer is, roughly; to know this takes no time."""
        return self._text.length()

    def uses(self) -> tuple[JsonObject, ...]:
        """The uses of tools that go back."""
        return self._uses.kept()

    def removed(self) -> frozenset[str]:
        """The ids of those that the person took out."""
        return self._uses.removed()

    def append(self, text: str) -> None:
        """Stream a piece at the end."""
        self._text.append_text(text)

    def clear(self) -> None:
        """Nothing yet."""
        self._text.show_text("")
        self._difference.hide()
        self._difference_head.hide()
        self._edited_badge.hide()
        self._review.set_value({})
        self._uses.show_uses(())
        clear_layout(self._notices)
        clear_layout(self._facts)

    def set_running(self, running: bool) -> None:
        """The model is answering: what arrives can be read, not changed."""
        self._text.setReadOnly(running)
        self._again_button.setEnabled(not running)
        self._restore.setEnabled(not running)

    def show_answer(self, question: ResponseQuestion) -> None:
        """A whole answer to review."""
        self._model_text = question.answer.text
        self._uses.show_uses(question.answer.tool_uses)
        clear_layout(self._notices)
        for notice in question.answer.notices:
            self._notices.addWidget(label(words(notice), "small", "warn", wrap=True))
        by_person = question.written_by_person
        self._text.setPlaceholderText(tr("Write the answer here. It goes to the server as yours.") if by_person else "")
        if self.text() != question.answer.text:
            self._text.show_text(question.answer.text)
        self._again_button.setVisible(not by_person)
        self._restore.setVisible(not by_person)
        self.set_running(False)
        self._show_facts(question)
        if by_person:
            self._text.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self, question: ResponseQuestion) -> None:
        """Difference and exact result after an edit."""
        text = self.text()
        reworded = text != self._model_text and not question.written_by_person
        edited = reworded or bool(self._uses.removed())
        self._edited_badge.setVisible(edited)
        self._restore.setEnabled(edited)
        self._difference.setVisible(reworded)
        self._difference_head.setVisible(reworded)
        if reworded:
            self._difference.setHtml(_difference(self._model_text, text))
        answer = replace(question.answer.without(self._uses.removed()), text=text)
        self._review.set_value(result_of(answer))

    def _restore_text(self) -> None:
        self._text.show_text(self._model_text)
        self._uses.restore()

    def _show_facts(self, question: ResponseQuestion) -> None:
        clear_layout(self._facts)
        answer = question.answer
        stops = {
            "endTurn": tr("The model had finished"),
            "maxTokens": tr("It reached the longest answer allowed"),
            "stopSequence": tr("It came to a stop word"),
            "toolUse": tr("It wants to use a tool of the server"),
        }
        model = tr("You") if answer.model == YOU else answer.model
        facts = [(tr("Model"), model)]
        if not question.written_by_person:
            facts.append((tr("Why it stopped"), stops.get(answer.stop_reason, answer.stop_reason)))
        for name, value in facts:
            self._facts.addWidget(label(name, "label"))
            self._facts.addWidget(label(value, "body", wrap=True))
            self._facts.addSpacing(8)
        numbers = [
            (
                tr("To the model"),
                tr("{n} tokens").format(n=answer.tokens_in) if answer.tokens_in is not None else "",
            ),
            (
                tr("From the model"),
                tr("{n} tokens").format(n=answer.tokens_out) if answer.tokens_out is not None else "",
            ),
            (tr("Took"), tr("{n} s").format(n=f"{answer.seconds:.1f}") if answer.seconds is not None else ""),
        ]
        if not question.written_by_person and any(value for _, value in numbers):
            self._facts.addWidget(_facts_card([(name, value) for name, value in numbers if value]))
        self._facts.addStretch(1)


def _facts_card(facts: list[tuple[str, str]]) -> QFrame:
    """Names and numbers in a card."""
    card = frame("card")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(14, 12, 14, 12)
    layout.setSpacing(6)
    for name, value in facts:
        line = QHBoxLayout()
        line.addWidget(label(name, "caption", "muted"))
        line.addStretch(1)
        number: QLabel = label(value, "body")
        line.addWidget(number)
        layout.addLayout(line)
    return card


def _difference(old: str, new: str) -> str:
    """What the person changed, by phrases: removed struck out, added underlined; of what is the same only a part."""
    lead = max(_common(old, new) - _AROUND, 0)
    rest, other_rest = old[lead:], new[lead:]
    trail = max(_common(rest[::-1], other_rest[::-1]) - _AROUND, 0)
    before = re.findall(r"\s+|\S+", rest[: len(rest) - trail])
    after = re.findall(r"\s+|\S+", other_rest[: len(other_rest) - trail])
    parts = ["… "] if lead else []
    gone: list[str] = []
    come: list[str] = []

    def flush() -> None:
        for words_, token, line in ((gone, "dels", "line-through"), (come, "ins", "underline")):
            text = html.escape(_shortened("".join(words_))).strip()
            style = f"background:{color(token)};text-decoration:{line}"
            parts.append(f'<span style="{style}">{text}</span> ' if text else "")
            words_.clear()

    for same, a, b, c, d in _runs(before, after):
        if same and b - a >= _SAME_WORDS:
            flush()
            text = _shortened("".join(before[a:b]))
            parts.append(html.escape(text.lstrip() if parts else text))
            continue
        gone += before[a:b]
        come += after[c:d]
    flush()
    parts += [" …"] if trail else []
    return "".join(parts).replace("\n", "<br>")


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if one[least:middle] == other[least:middle] else (least, middle - 1)
    return least


def _runs(before: list[str], after: list[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Runs that are the same or not: from and to in the one and the other. What is too long is one change."""
    if len(before) * len(after) > _MOST_COMPARED:
        yield False, 0, len(before), 0, len(after)
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield tag == "equal", a, b, c, d


def _shortened(text: str) -> str:
    """Begin and end of a long text, as much as one reads of it here."""
    return text if len(text) <= 4 * _AROUND else f"{text[: 2 * _AROUND]} … {text[-2 * _AROUND :]}"
