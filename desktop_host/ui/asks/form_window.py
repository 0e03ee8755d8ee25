"""A server asks the person to fill in a form."""

import json

from PySide6.QtCore import QTimer

from desktop_host.asks.person import Action, FormQuestion, FormReply
from desktop_host.terms.messages import Message
from desktop_host.ui.asks.frame import AskWindow, server_name
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import label
from desktop_host.ui.widgets.json_view import Review
from desktop_host.ui.widgets.schema_form import SchemaForm

_PAUSE = 250


class FormWindow(AskWindow):
    """Shows the fields, checks while the person types, and sends only what is right."""

    height_ = 752

    def __init__(self, question: FormQuestion, bridge: Bridge) -> None:
        super().__init__(question, tr("{server} asks you to fill in a form").format(server=server_name(question)))
        self._question = question
        self._bridge = bridge
        self._revision = 0
        for notice in question.form.notices:
            self.body.addWidget(label(words(notice), "small", "warn", wrap=True))
        self.form = SchemaForm(question.form, question.secrets)
        self.form.edited.connect(self._edited)
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
        self.form.set_enabled(False)
        self.reply(FormReply(Action.ACCEPT, entries=self.form.entries()), keep_open=True)
        self.note(tr("Sending…"), "muted")

    def typed_text(self) -> str:
        return json.dumps(self.form.read().content, ensure_ascii=False, indent=2) if self.form.entries() else ""

    def set_fields_enabled(self, enabled: bool) -> None:
        self.form.set_enabled(enabled)

    def _edited(self) -> None:
        self._refresh()
        self._pause.start()

    def _check(self) -> None:
        self._revision += 1
        revision, form, entries = self._revision, self._question.form, self.form.entries()

        def checked(errors: dict[str, Message]) -> None:
            if revision == self._revision:
                self.form.set_server_errors(errors)
                self._refresh()

        self._bridge.send(lambda engine: engine.check(form, entries), checked, self)

    def _refresh(self) -> None:
        reading = self.form.read()
        self._review.set_value({"action": "accept", "content": reading.content})
        errors = self.form.errors()
        shown = self.form.shown_errors()
        whole = [words(message) for name, message in shown.items() if name not in self.form.rows]
        self._whole.setText("\n".join(whole))
        self._whole.setVisible(bool(whole))
        impossible = self._question.form.impossible
        text = tr("1 answer to correct") if len(shown) == 1 else tr("{n} answers to correct").format(n=len(shown))
        self.note(text if shown else "")
        if self.danger or impossible:
            self.affirm.setEnabled(not errors)
