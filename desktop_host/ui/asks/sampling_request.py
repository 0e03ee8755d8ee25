"""Step one of a sampling window: the request as the person edits it."""

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from desktop_host.asks.person import RequestQuestion
from desktop_host.policy.secrets import Marked, Masker
from desktop_host.sampling.catalog import Planned
from desktop_host.sampling.choice import unfit
from desktop_host.sampling.draft import Draft, Turn, masked_block, texts_of
from desktop_host.sampling.models.provider import PRACTICE, YOU, ModelInfo
from desktop_host.terms.asks import JsonObject
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import badge, button, clear_layout, icon_button, label
from desktop_host.ui.widgets.content_blocks import block_view, tool_view
from desktop_host.ui.widgets.growing_text import GrowingText


class RequestPage(QWidget):
    """System prompt and messages; at the side the model with its reason, the limit and what cannot be passed on.

    Signals:
        edited: the draft or the model is another.
    """

    edited = Signal()

    def __init__(self, question: RequestQuestion, parent: QWidget) -> None:
        super().__init__(parent)
        self._original = question.original
        self._marked = frozenset[str]()
        self._draft = question.draft
        self._suggestion = question.suggestion
        self._wanted = question.ask.params.get("maxTokens")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        for notice in question.original.notices:
            layout.addWidget(label(words(notice), "small", "warn", wrap=True))
        self._system = self._make_system(layout)
        self._turns = QVBoxLayout()
        self._turns.setSpacing(16)
        layout.addLayout(self._turns)
        self._messages: list[_MessageView] = []
        self._show_messages(self._pairs())
        if question.original.tools:
            self._make_tools(layout, question.original)
        self._restore_all = button(tr("Restore all messages"), self._restore_messages, icon_name="undo", compact=True)
        line = QHBoxLayout()
        line.addWidget(button(tr("Add a message"), self._add, icon_name="plus", compact=True))
        line.addWidget(self._restore_all)
        line.addStretch(1)
        layout.addLayout(line)
        layout.addStretch(1)
        self.side = self._make_side()

    def draft(self) -> Draft:
        """The request as it stands."""
        turns = tuple(view.turn() for view in self._messages if view.turn().content)
        system = self._system.text() if self._system is not None else ""
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
        wanted = self._wanted
        self._limit_note.setText(tr("The server wants {n} tokens.").format(n=wanted))
        self._restore_all.setVisible(draft.messages != self._original.messages)
        for number, view in enumerate(self._messages, 1):
            view.refresh(number)

    def show_plan(self, planned: Planned) -> None:
        """What of the request the model cannot be given, and what it costs."""
        clear_layout(self._losses)
        losses = list(dict.fromkeys(planned.plan.losses))
        model = self._model_info()
        why = unfit(self.draft(), model) if model is not None and model.id != YOU else None
        if losses or why is not None:
            self._losses.addWidget(label(tr("Cannot be passed on"), "label"))
        for loss in [*([why] if why is not None else []), *losses]:
            self._losses.addWidget(label(words(loss), "caption", "warn", wrap=True))
        self.exact.setVisible(bool(planned.plan.wire))
        cost = ""
        if planned.rough is not None and planned.most is not None:
            cost = tr("About {rough}, at most {most}").format(rough=_price(planned.rough), most=_price(planned.most))
        elif model is not None and model.local and model.id != YOU:
            cost = tr("Free: it runs on this computer")
        self._cost.setText(cost)

    def texts(self) -> tuple[str, ...]:
        """The texts that secrets may be in: the system prompt, the messages, and then all that stands beside them."""
        system = self._system.counted() if self._system is not None else ""
        others = (text for view in self._messages for block in view.blocks() for text in texts_of(block))
        return (system, *(view.text.counted() for view in self._messages), *others)

    def characters(self) -> int:
        """How much there is to look through, roughly; this itself takes no time."""
        views = [view for view in (self._system, *(view.text for view in self._messages)) if view is not None]
        return sum(view.length() for view in views)

    def show_secrets(self, found: Marked) -> None:
        """Mark the secrets in the texts; `texts` gave what was looked through."""
        views = [self._system, *(view.text for view in self._messages)]
        for view, secrets in zip(views, found.texts, strict=False):
            if view is not None:
                view.mark([(one.start, one.end) for one in secrets])
        self._marked = found.kinds
        count = sum(map(len, found.texts))
        self._mask.setVisible(count > 0)
        self._mask.setText(tr("Mask 1 secret") if count == 1 else tr("Mask {n} secrets").format(n=count))

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

    def _model_info(self) -> ModelInfo | None:
        chosen = self.model()
        return next((model for model in self._suggestion.models if model.id == chosen), None)

    def _mask_secrets(self) -> None:
        """Put a word for each secret in its place: what is sent then is what is seen."""
        masker = Masker(self._marked)
        if self._system is not None:
            self._system.replace_all(masker.text(self._system.text()))
        for view in self._messages:
            view.mask_secrets(masker)
        self.edited.emit()

    def _make_tools(self, layout: QVBoxLayout, draft: Draft) -> None:
        choice = {
            "auto": tr("The model may use these tools"),
            "required": tr("The model must use one of these tools"),
            "none": tr("The model must not use these tools now"),
        }
        layout.addWidget(label(choice[draft.tool_choice], "label"))
        about = tr("They are the server’s, for this request alone. Nothing here runs them.")
        layout.addWidget(label(about, "caption", "muted", wrap=True))
        for tool in draft.tools:
            layout.addWidget(tool_view(tool))

    def _show_messages(self, pairs: list[tuple[Turn, Turn | None]]) -> None:
        self._messages = [_MessageView(number, turn, before, self) for number, (turn, before) in enumerate(pairs, 1)]
        for view in self._messages:
            self._turns.addWidget(view)

    def _restore_messages(self) -> None:
        """The messages as the server sent them, those that were removed too."""
        for view in self._messages:
            view.hide()
            view.deleteLater()
        self._show_messages([(turn, turn) for turn in self._original.messages])
        self.edited.emit()

    def _pairs(self) -> list[tuple[Turn, Turn | None]]:
        originals = list(self._original.messages)
        return [(turn, originals[i] if i < len(originals) else None) for i, turn in enumerate(self._draft.messages)]

    def _make_system(self, layout: QVBoxLayout) -> GrowingText | None:
        if not self._original.system:
            return None
        text = GrowingText(self._draft.system, most=6)
        text.setAccessibleName(tr("System prompt"))
        text.edited.connect(self.changed)
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
        self._models.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._models.setMinimumContentsLength(8)
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
        self._cost = label("", "caption", "muted", wrap=True)
        layout.addWidget(self._cost)
        self._mask = button("", self._mask_secrets, icon_name="key", compact=True)
        self._mask.hide()
        layout.addWidget(self._mask, 0, Qt.AlignmentFlag.AlignLeft)
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
            self._system.replace_all("")

    def _restore_system(self) -> None:
        if self._system is not None:
            self._system.show_text(self._original.system)

    def _add(self) -> None:
        view = _MessageView(len(self._messages) + 1, Turn("user", ()), None, self)
        self._messages.append(view)
        self._turns.addWidget(view)
        view.text.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edited.emit()


class _MessageView(QWidget):
    """One message: who says it, its words, and its other parts as they are."""

    def __init__(self, number: int, turn: Turn, original: Turn | None, page: RequestPage) -> None:
        super().__init__(page)
        self._turn = turn
        self._original = original
        self._page = page
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self._who = tr("User") if turn.role == "user" else tr("Assistant")
        self._head = label("", "label")
        self._edited_badge = badge(tr("Edited") if original else tr("Added"), "accent")
        self._restore = icon_button("undo", tr("Restore this message"), self._restore_text)
        head = QHBoxLayout()
        head.addWidget(self._head)
        head.addWidget(self._edited_badge)
        head.addStretch(1)
        head.addWidget(self._restore)
        head.addWidget(icon_button("trash", tr("Remove this message"), self._remove))
        layout.addLayout(head)
        self.text = GrowingText(turn.text)
        self.text.edited.connect(page.changed)
        layout.addWidget(self.text)
        tools_alone = {block.get("type") for block in turn.content} in ({"tool_use"}, {"tool_result"})
        self.text.setVisible(not tools_alone)  # nothing else may stand beside results (SMP-30)
        self._beside = QVBoxLayout()
        self._beside.setSpacing(6)
        layout.addLayout(self._beside)
        self._number(number)
        self._show_blocks()

    def turn(self) -> Turn:
        """The message as it stands."""
        text = self.text.text()
        if not self._turn.content and text:
            return Turn(self._turn.role, ({"type": "text", "text": text},))
        return self._turn.with_text(text)

    def blocks(self) -> tuple[JsonObject, ...]:
        """What stands beside the text."""
        return tuple(block for block in self._turn.content if block.get("type") != "text")

    def mask_secrets(self, masker: Masker) -> None:
        """Take the secrets out of the text and of what stands beside it."""
        kept = [block if block.get("type") == "text" else masked_block(block, masker) for block in self._turn.content]
        if tuple(kept) != self._turn.content:
            self._turn = replace(self._turn, content=tuple(kept))
            self._show_blocks()
        self.text.replace_all(masker.text(self.text.text()))

    def refresh(self, number: int) -> None:
        """Show its number, and whether it was edited."""
        self._number(number)
        edited = self._original is None or self.turn() != self._original
        self._edited_badge.setVisible(edited)
        self._restore.setVisible(edited and self._original is not None)

    def _number(self, number: int) -> None:
        self._head.setText(f"{number}  {self._who}")
        self.text.setAccessibleName(f"{number} {self._who}")

    def _show_blocks(self) -> None:
        clear_layout(self._beside)
        for block in self.blocks():
            self._beside.addWidget(block_view(block))

    def _restore_text(self) -> None:
        if self._original is not None:
            self._turn = self._original
            self._show_blocks()
            self.text.show_text(self._original.text)
            self._page.changed()

    def _remove(self) -> None:
        self._page.remove(self)


def _model_name(model: ModelInfo) -> str:
    if model.id == YOU:
        return tr("You write the answer")
    if model.id == PRACTICE:
        return tr("Practice model (very small, often wrong)")
    return f"{model.id}  ·  {model.provider}"


def _price(dollars: float) -> str:
    return f"${dollars:.2f}" if dollars >= 0.1 else f"${dollars:.4f}"
