"""A server wants to ask a language model: review the request, run it, review the answer, in one window."""

from functools import cached_property

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QWidget,
)

from desktop_host.asks.person import (
    Action,
    Reply,
    RequestQuestion,
    RequestReply,
    ResponseQuestion,
    ResponseReply,
)
from desktop_host.policy.secrets import Marked
from desktop_host.sampling.catalog import Planned
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.asks import Severity
from desktop_host.ui.asks.frame import AskWindow, problem_words, server_name
from desktop_host.ui.asks.sampling_request import RequestPage
from desktop_host.ui.asks.sampling_response import ResponsePage
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.rules.offer import AllowButton
from desktop_host.ui.text import tr
from desktop_host.ui.widgets.basics import (
    FindingView,
    badge,
    button,
    clear_layout,
    frame,
    label,
    picture,
    scroll_area,
)
from desktop_host.ui.widgets.json_view import JsonView

_SIDE = 300
_LONG, _PAUSE = 20_000, 250
"""Characters of a request that is long, and the milliseconds without a key after which it is looked at."""


class SamplingWindow(AskWindow):
    """Step one: the request, editable. Step two: the answer, editable, with its difference to the model's text."""

    width_ = 960
    height_ = 744

    def __init__(self, question: RequestQuestion, bridge: Bridge) -> None:
        super().__init__(question, tr("{server} wants to ask a language model").format(server=server_name(question)))
        self._bridge = bridge
        self._server = server_name(question)
        self._asking = tr("{server} wants to ask a language model")
        self._answering = tr("Check the answer to {server}")
        self._response: ResponseQuestion | None = None
        self._running = False
        self._planned = 0
        self.above.addWidget(self._make_steps())
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._look)
        self._pages = QStackedWidget()
        self.body.addWidget(self._pages, 1)
        self.request = RequestPage(question, self._pages)
        self.request.edited.connect(self._request_edited)
        self._pages.addWidget(self.request)
        self.heavy = self.request.characters() > _LONG
        self._sides = QStackedWidget()
        self._sides.setFixedWidth(_SIDE)
        self._sides.addWidget(scroll_area(self.request.side, tr("Model")))
        self.set_side(self._sides)
        self._back = button(tr("Back to the request"), self._go_back)
        self._back.hide()
        self.foot_extra.addWidget(self._back)
        self.allow = AllowButton(bridge, self)
        self.foot_extra.addWidget(self.allow)
        self.allow.offer(question.decision)
        self.request.exact.clicked.connect(self._show_exact)
        self._show_step(0)
        self._show_problem(question)

    @cached_property
    def answer(self) -> ResponsePage:
        """The page of step two. The person waits for step one meanwhile, so it is made when it is needed."""
        page = ResponsePage(self._pages)
        page.edited.connect(self._answer_edited)
        page.again.connect(self._again)
        self._pages.addWidget(page)
        self._sides.addWidget(scroll_area(page.side, tr("Model")))
        return page

    def ask_again_with(self, question: RequestQuestion | ResponseQuestion) -> None:
        """The next step, or back at the request with a problem."""
        self.ask_again()
        self._running = False
        if isinstance(question, ResponseQuestion):
            self._response = question
            self.allow.offer(question.decision)
            self.answer.show_answer(question)
            self._show_step(1)
            self._answer_edited()
            return
        self._show_step(0)
        self.allow.offer(question.decision)
        self.set_fields_enabled(True)
        self._show_problem(question)

    def _show_problem(self, question: RequestQuestion) -> None:
        self.show_findings(question)
        if question.problems:
            problem = FindingView(Severity.WARNING, tr("The model cannot be used"), problem_words(question))
            self.findings.insertWidget(0, problem)

    def streamed(self, text: str) -> None:
        """A piece of the answer arrived."""
        self.answer.append(text)

    def affirmed(self) -> None:
        if self._pages.currentIndex() == 0:
            draft, model = self.request.draft(), self.request.model()
            self._run(RequestReply(Action.ACCEPT, draft=draft, model=model), model)
        elif self._response is not None and not self._running:
            self.reply(ResponseReply(Action.ACCEPT, text=self.answer.text(), without_tool_uses=self.answer.removed()))

    def set_fields_enabled(self, enabled: bool) -> None:
        self.request.setEnabled(enabled)
        if self._pages.count() > 1:
            self.answer.set_running(not enabled)

    def typed_text(self) -> str:
        return self.answer.text() if self._pages.currentIndex() else self.request.typed_text()

    def only_close(self) -> None:
        super().only_close()
        self._back.hide()
        self.allow.hide()

    def _again(self) -> None:
        self._run(Reply(Action.AGAIN), self.request.model())

    def _run(self, reply: Reply, model: str) -> None:
        self._running = True
        self.answer.clear()
        clear_layout(self.findings)  # they are about the request
        self.reply(reply, keep_open=True)
        self.ask_again()  # while the model runs, Cancel, Decline and Stop interrupt it
        self._show_step(1)
        self._steps_text.setText(tr("The model is answering…") if model != YOU else "")
        self.affirm.setEnabled(False)

    def _go_back(self) -> None:
        self.reply(Reply(Action.BACK), keep_open=True)
        self.ask_again()

    def _request_edited(self) -> None:
        """To read a long request takes time; it is looked at once the person pauses."""
        if self._pages.currentIndex() != 0:
            return
        if self.request.characters() > _LONG:
            self._pause.start()
        else:
            self._look_at_request()

    def _look(self) -> None:
        if self._pages.currentIndex() == 0:
            self._look_at_request()
        else:
            self._look_at_answer()

    def _look_at_request(self) -> None:
        self._show_request()
        self._ask_about_request()

    def _show_request(self) -> None:
        """What can be said of the request at once."""
        you = self.request.model() == YOU
        self.set_affirmative(tr("Write the answer") if you else tr("Ask the model"))
        self.affirm.setEnabled(bool(self.request.draft().messages))
        self.request.refresh()

    def _ask_about_request(self) -> None:
        """What the engine has to say of the request: it comes a little later."""
        draft, model, texts = self.request.draft(), self.request.model(), self.request.texts()
        self._planned += 1
        number = self._planned

        def planned(found: Planned) -> None:
            if number == self._planned:
                self.request.show_plan(found)

        def looked(found: Marked) -> None:
            if number == self._planned:
                self.request.show_secrets(found)

        self._bridge.send(lambda engine: engine.plan(draft, model), planned, self)
        self._bridge.send(lambda engine: engine.secrets(texts), looked, self)

    def _answer_edited(self) -> None:
        if self.answer.characters() > _LONG:
            self._pause.start()
        else:
            self._look_at_answer()

    def _look_at_answer(self) -> None:
        if self._response is None or self._running:
            return
        self.answer.refresh(self._response)
        self.affirm.setEnabled(bool(self.answer.text().strip() or self.answer.uses()))

    def _show_exact(self) -> None:
        draft, model = self.request.draft(), self.request.model()
        self._bridge.send(lambda engine: engine.plan(draft, model), self._show_plan, self)

    def _show_plan(self, planned: Planned) -> None:
        view = JsonView(planned.plan.wire)
        view.setParent(self, Qt.WindowType.Window)
        view.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        view.setWindowTitle(tr("The exact request"))
        view.resize(QSize(720, 560))
        view.show()

    def _make_steps(self) -> QFrame:
        bar = frame("head")
        self._steps = QHBoxLayout(bar)
        self._steps.setContentsMargins(24, 8, 24, 8)
        self._steps.setSpacing(10)
        self._steps_text = label("", "small", "muted")
        return bar

    def _show_step(self, step: int) -> None:
        self._steps.removeWidget(self._steps_text)
        clear_layout(self._steps)
        first: QWidget = badge("1", "accent") if step == 0 else picture("check", "ok", 16)
        self._steps.addWidget(first)
        self._steps.addWidget(label(tr("Request"), "strong" if step == 0 else "body", "" if step == 0 else "muted"))
        self._steps.addWidget(picture("chevron-right", "muted", 14))
        self._steps.addWidget(badge("2", "accent" if step else ""))
        self._steps.addWidget(label(tr("Answer"), "strong" if step else "body", "" if step else "muted"))
        self._steps.addStretch(1)
        self._steps.addWidget(self._steps_text)
        waiting = (
            tr("Nothing has been sent to a model yet") if step == 0 else tr("The server has not seen this answer yet")
        )
        self._steps_text.setText(waiting)
        self._pages.setCurrentIndex(step)
        self._sides.setCurrentIndex(step)
        self._back.setVisible(step == 1)
        self.set_sentence((self._answering if step else self._asking).format(server=self._server))
        if step == 1:
            self.set_affirmative(tr("Send"))
            self.answer.set_running(self._running)
        else:
            self._show_request()
            self._request_edited()
