"""The second step of a sampling ask: the model's answer, editable, with its difference and the exact result."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_host.asks.person import ResponseQuestion
from desktop_host.sampling.draft import result_of
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.asks import JsonObject
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import badge, button, clear_layout, frame, label
from desktop_host.ui.widgets.content_blocks import ToolUses
from desktop_host.ui.widgets.difference import difference
from desktop_host.ui.widgets.growing_text import FittingView, GrowingText
from desktop_host.ui.widgets.json_view import Review


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
            self._difference.setHtml(difference(self._model_text, text))
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
