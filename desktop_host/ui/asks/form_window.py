"""A server asks the person to fill in a form."""

import json
from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout

from desktop_host.asks.person import Action, FormQuestion, FormReply
from desktop_host.elicitation.drafts import FormDraft
from desktop_host.elicitation.form import Entry
from desktop_host.terms.asks import Outcome
from desktop_host.terms.messages import Message
from desktop_host.ui.asks.frame import AskWindow, server_name
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import since, tr, words
from desktop_host.ui.visible import breakable
from desktop_host.ui.widgets.basics import button, frame, label, picture
from desktop_host.ui.widgets.json_view import Review
from desktop_host.ui.widgets.schema_form import SchemaForm

_PAUSE = 250
_MOST_NOTICES = 4
_MASK = "••••••"


class FormWindow(AskWindow):
    """Shows the fields, checks while the person types, sends only what is right. What is typed is kept meanwhile."""

    height_ = 752

    def __init__(self, question: FormQuestion, bridge: Bridge) -> None:
        super().__init__(question, tr("{server} asks you to fill in a form").format(server=server_name(question)))
        self._question = question
        self._bridge = bridge
        self._revision = 0
        self._old: Mapping[str, Entry] = question.draft.entries if question.draft is not None else {}
        self._kept: Mapping[str, Entry] | None = self._old
        for text in _notices(question):
            self.body.addWidget(label(text, "small", "warn", wrap=True))
        self._offer: QFrame | None = None
        if question.draft is not None:
            self._offer = self._make_offer(question.draft)
            self.body.addWidget(self._offer)
        self.form = SchemaForm(question.form, question.secrets)
        self.form.edited.connect(self._edited)
        self.form.completed.connect(self._refresh)
        self.body.addWidget(self.form)
        if not question.form.fields:
            self.body.addWidget(label(tr("There is nothing to fill in. Send confirms."), "body", "muted", wrap=True))
        self._whole = label("", "small", "bad", wrap=True)
        self._whole.hide()
        self.body.addWidget(self._whole)
        self.body.addStretch(1)
        self._review = Review()
        self.body.addLayout(self._review)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._check)
        self.set_affirmative(tr("Send anyway") if self.danger else tr("Send"), danger=self.danger)
        if not self.danger and self.form.rows:
            next(iter(self.form.rows.values())).editor.focus_target().setFocus()
        self._refresh()

    def ask_again_with(self, question: FormQuestion) -> None:
        """The whole check found problems: nothing was sent."""
        self.ask_again()
        self._question = question
        self.form.set_enabled(True)
        self.form.show_all_errors(question.problems)
        self._refresh()

    def affirmed(self) -> None:
        errors = self.form.errors()
        if errors:
            self.form.show_all_errors(errors)
            self._refresh()
            return
        self._pause.stop()
        self._revision += 1  # a check that is still on its way has nothing to say any more
        self.form.set_enabled(False)
        self.reply(FormReply(Action.ACCEPT, entries=self.form.entries()), keep_open=True)
        self.note(tr("Sending…"), "muted")

    def typed_text(self) -> str:
        entries, reading = self.form.entries(), self.form.read()
        wrong = {name: entries[name] for name in reading.errors if entries.get(name)}
        return json.dumps({**reading.content, **wrong}, ensure_ascii=False, indent=2) if entries else ""

    def set_fields_enabled(self, enabled: bool) -> None:
        self.form.set_enabled(enabled)

    def withdrawn(self, outcome: Outcome) -> None:
        self._keep()
        self._revision += 1
        super().withdrawn(outcome)
        self._pause.stop()
        if self._offer is not None:
            self._offer.hide()

    def giving_up(self) -> None:
        self._pause.stop()
        self._keep()

    def _make_offer(self, draft: FormDraft) -> QFrame:
        """What was typed before is offered, never filled in unasked."""
        panel = frame("inset")
        layout = QHBoxLayout(panel)
        layout.setContentsMargins(14, 10, 10, 10)
        layout.setSpacing(12)
        layout.addWidget(picture("undo", "accent_text", 18), 0, Qt.AlignmentFlag.AlignTop)
        text = tr("You typed answers to this form {when} and did not send them.").format(when=since(draft.saved))
        layout.addWidget(label(text, "body", wrap=True), 1)
        layout.addWidget(button(tr("Use them"), self._use_draft, compact=True))
        layout.addWidget(button(tr("Discard"), self._discard_draft, compact=True))
        return panel

    def _use_draft(self) -> None:
        assert self._question.draft is not None and self._offer is not None  # or there is no such button
        self._offer.hide()
        self._old = {}
        self.form.enter(self._question.draft.entries)

    def _discard_draft(self) -> None:
        assert self._offer is not None  # or there is no such button
        self._offer.hide()
        self._old = {}
        self._kept = None
        self._keep()

    def _edited(self) -> None:
        self._refresh()
        self._pause.start()

    def _check(self) -> None:
        self._keep()
        self._revision += 1
        revision, form, entries = self._revision, self._question.form, self.form.entries()

        def checked(found: tuple[dict[str, Message], tuple[Message, ...]]) -> None:
            if revision == self._revision:
                self.form.set_server_errors(*found)
                self._refresh()

        self._bridge.send(lambda engine: engine.check(form, entries), checked, self)

    def _keep(self) -> None:
        """Keep what was typed, so that it survives whatever ends this window but the answer itself."""
        question, entries = self._question, {**self._old, **self.form.entries()}
        if entries != self._kept:
            self._kept = entries
            self._bridge.send(lambda engine: engine.keep_draft(question, entries))

    def _refresh(self) -> None:
        reading = self.form.read()
        masked = dict.fromkeys(self.form.masked() & reading.content.keys(), _MASK)
        self._review.set_value(
            {"action": "accept", "content": reading.content},
            {"action": "accept", "content": reading.content | masked} if masked else None,
        )
        errors = self.form.errors(reading)
        shown = self.form.shown_errors(errors)
        whole = [words(message) for name, message in shown.items() if name not in self.form.rows]
        self._whole.setText(breakable("\n".join(whole)))
        self._whole.setVisible(bool(whole))
        impossible = self._question.form.impossible
        text = tr("1 answer to correct") if len(shown) == 1 else tr("{n} answers to correct").format(n=len(shown))
        if not self.answered and not self.over:
            self.note(text if shown else "")
        if self.danger or impossible:
            self.affirm.setEnabled(not errors)


def _notices(question: FormQuestion) -> list[str]:
    """What is wrong with the form itself; of many only the first ones."""
    notices = [words(notice) for notice in question.form.notices]
    if len(notices) <= _MOST_NOTICES:
        return notices
    return [*notices[:_MOST_NOTICES], tr("and {n} more of this kind").format(n=len(notices) - _MOST_NOTICES)]
