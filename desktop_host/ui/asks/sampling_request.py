"""Step one of a sampling window: the request as the person edits it."""

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from desktop_host.asks.person import RequestQuestion
from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models.provider import YOU, ModelInfo, Plan
from desktop_host.terms.asks import JsonObject
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import badge, button, clear_layout, icon_button, label
from desktop_host.ui.widgets.growing_text import GrowingText
from desktop_host.ui.widgets.images import image_of, thumbnail
from desktop_host.ui.widgets.json_view import JsonView

_THUMBNAIL, _MOST_BLOCK = 160, 2_000


class RequestPage(QWidget):
    """System prompt and messages; at the side the model with its reason, the limit and what cannot be passed on.

    Signals:
        edited: the draft or the model is another.
    """

    edited = Signal()

    def __init__(self, question: RequestQuestion) -> None:
        super().__init__()
        self._original = question.original
        self._draft = question.draft
        self._suggestion = question.suggestion
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        for notice in question.original.notices:
            layout.addWidget(label(words(notice), "small", "warn", wrap=True))
        self._system = self._make_system(layout)
        self._turns = QVBoxLayout()
        self._turns.setSpacing(16)
        layout.addLayout(self._turns)
        self._messages = [
            _MessageView(number, turn, original, self) for number, (turn, original) in enumerate(self._pairs(), 1)
        ]
        for view in self._messages:
            self._turns.addWidget(view)
        add = button(tr("Add a message"), self._add, icon_name="plus", compact=True)
        layout.addWidget(add, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        self.side = self._make_side()

    def draft(self) -> Draft:
        """The request as it stands."""
        turns = tuple(view.turn() for view in self._messages if view.turn().content)
        system = self._system.toPlainText() if self._system is not None else ""
        return replace(self._draft, messages=turns, system=system, max_tokens=self._limit.value())

    def typed_text(self) -> str:
        """The request in words, where the person changed it."""
        draft = self.draft()
        if not draft.changes(self._original):
            return ""
        return "\n\n".join(part for part in (draft.system, *(turn.text for turn in draft.messages)) if part)

    def model(self) -> str:
        """The id of the chosen model."""
        return str(self._models.currentData())

    def refresh(self) -> None:
        """Estimates after an edit."""
        draft = self.draft()
        self._tokens.setText(tr("≈ {n} tokens").format(n=draft.rough_tokens))
        chosen = self.model()
        suggested = chosen == self._suggestion.model.id
        why = words(self._suggestion.why) if suggested else tr("Chosen by you.")
        self._why.setText(why)
        wanted = self._original.max_tokens
        self._limit_note.setText(tr("The server wants {n} tokens.").format(n=wanted))
        for view in self._messages:
            view.refresh()

    def show_losses(self, plan: Plan) -> None:
        """What of the request the model cannot be given."""
        clear_layout(self._losses)
        if plan.losses:
            self._losses.addWidget(label(tr("Cannot be passed on"), "label"))
            for loss in dict.fromkeys(plan.losses):
                self._losses.addWidget(label(words(loss), "caption", "muted", wrap=True))
        self.exact.setVisible(bool(plan.wire))

    def remove(self, view: QObject) -> None:
        """Take a message out."""
        if isinstance(view, _MessageView) and view in self._messages:
            self._messages.remove(view)
            view.hide()
            view.deleteLater()
            self.edited.emit()

    def changed(self) -> None:
        """A part was edited."""
        self.edited.emit()

    def _pairs(self) -> list[tuple[Turn, Turn | None]]:
        originals = list(self._original.messages)
        return [(turn, originals[i] if i < len(originals) else None) for i, turn in enumerate(self._draft.messages)]

    def _make_system(self, layout: QVBoxLayout) -> GrowingText | None:
        if not self._original.system:
            return None
        text = GrowingText(self._draft.system, most=6)
        text.setAccessibleName(tr("System prompt"))
        text.textChanged.connect(self.changed)
        head = QHBoxLayout()
        head.addWidget(label(tr("System prompt"), "label"))
        head.addStretch(1)
        head.addWidget(button(tr("Leave out"), self._leave_out_system, compact=True))
        head.addWidget(icon_button("undo", tr("Restore the system prompt"), self._restore_system))
        inner = QVBoxLayout()
        inner.setSpacing(6)
        inner.addLayout(head)
        inner.addWidget(text)
        layout.addLayout(inner)
        return text

    def _make_side(self) -> QWidget:
        side = QWidget()
        side.setProperty("role", "clear")
        layout = QVBoxLayout(side)
        layout.setContentsMargins(20, 18, 24, 18)
        layout.setSpacing(6)
        layout.addWidget(label(tr("Model"), "label"))
        self._models = QComboBox()
        self._models.setAccessibleName(tr("Model"))
        for model in self._suggestion.models:
            self._models.addItem(_model_name(model), model.id)
        self._models.setCurrentIndex(self._models.findData(self._suggestion.model.id))
        self._models.activated.connect(self._model_chosen)
        layout.addWidget(self._models)
        self._why = label("", "caption", "muted", wrap=True)
        layout.addWidget(self._why)
        layout.addSpacing(12)
        layout.addWidget(label(tr("Longest answer"), "label"))
        self._limit = QSpinBox()
        self._limit.setRange(1, min(self._original.max_tokens, 2**31 - 1))
        self._limit.setValue(min(self._draft.max_tokens, 2**31 - 1))
        self._limit.setSuffix(tr(" tokens"))
        self._limit.setAccessibleName(tr("Longest answer"))
        self._limit.lineEdit().setTextMargins(9, 0, 0, 0)
        self._limit.valueChanged.connect(self._limit_changed)
        layout.addWidget(self._limit)
        self._limit_note = label("", "caption", "muted", wrap=True)
        layout.addWidget(self._limit_note)
        layout.addSpacing(12)
        layout.addWidget(label(tr("To the model"), "label"))
        self._tokens = label("", "body")
        layout.addWidget(self._tokens)
        layout.addSpacing(12)
        self._losses = QVBoxLayout()
        layout.addLayout(self._losses)
        self.exact = button(tr("Show the exact request"), compact=True)
        layout.addWidget(self.exact, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        return side

    def _model_chosen(self, _index: int) -> None:
        self.edited.emit()

    def _limit_changed(self, _value: int) -> None:
        self.edited.emit()

    def _leave_out_system(self) -> None:
        if self._system is not None:
            self._system.setPlainText("")

    def _restore_system(self) -> None:
        if self._system is not None:
            self._system.setPlainText(self._original.system)

    def _add(self) -> None:
        view = _MessageView(len(self._messages) + 1, Turn("user", ()), None, self)
        self._messages.append(view)
        self._turns.addWidget(view)
        view.text.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()


class _MessageView(QWidget):
    """One message: who says it, its words, and its other parts as they are."""

    def __init__(self, number: int, turn: Turn, original: Turn | None, page: RequestPage) -> None:
        super().__init__()
        self._turn = turn
        self._original = original
        self._page = page
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        who = tr("User") if turn.role == "user" else tr("Assistant")
        self._edited_badge = badge(tr("Edited") if original else tr("Added"), "accent")
        self._restore = icon_button("undo", tr("Restore this message"), self._restore_text)
        head = QHBoxLayout()
        head.addWidget(label(f"{number}  {who}", "label"))
        head.addWidget(self._edited_badge)
        head.addStretch(1)
        head.addWidget(self._restore)
        head.addWidget(icon_button("trash", tr("Remove this message"), self._remove))
        layout.addLayout(head)
        self.text = GrowingText(turn.text)
        self.text.setAccessibleName(f"{number} {who}")
        self.text.textChanged.connect(page.changed)
        layout.addWidget(self.text)
        for block in turn.content:
            if block.get("type") != "text":
                layout.addWidget(_block_view(block))

    def turn(self) -> Turn:
        """The message as it stands."""
        text = self.text.toPlainText()
        if not self._turn.content and text:
            return Turn(self._turn.role, ({"type": "text", "text": text},))
        return self._turn.with_text(text)

    def refresh(self) -> None:
        """Show whether it was edited."""
        edited = self._original is None or self.turn() != self._original
        self._edited_badge.setVisible(edited)
        self._restore.setVisible(edited and self._original is not None)

    def _restore_text(self) -> None:
        if self._original is not None:
            self._turn = self._original
            self.text.setPlainText(self._original.text)

    def _remove(self) -> None:
        self._page.remove(self)


def _block_view(block: JsonObject) -> QWidget:
    """An image as a thumbnail, everything else raw (SMP-29)."""
    if block.get("type") == "image":
        image = image_of(block)
        if not image.isNull():
            view = label("")
            view.setPixmap(thumbnail(image, _THUMBNAIL, _THUMBNAIL))
            view.setAccessibleName(tr("Image"))
            return view
    view = JsonView(block, most=_MOST_BLOCK)
    view.setMaximumHeight(90)
    return view


def _model_name(model: ModelInfo) -> str:
    return tr("You write the answer") if model.id == YOU else f"{model.id}  ·  {model.provider}"
