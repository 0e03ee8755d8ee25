"""What every ask window has: who asks, during which call, findings, the server's words, and the pinned buttons."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_host.asks.person import Action, Question, Reply
from desktop_host.terms.asks import Ask, Outcome, Severity
from desktop_host.ui.asks.head import AskHead
from desktop_host.ui.asks.reason_line import ReasonLine
from desktop_host.ui.icons import app_icon, icon
from desktop_host.ui.rules.why import WhyDialog
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import set_property
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import (
    Elided,
    FindingView,
    button,
    clear_layout,
    copy_text,
    finding_view,
    frame,
    paragraph,
    picture,
    scroll_area,
)

_DEAF = 500
"""Milliseconds in which the affirmative button ignores everything: a buffered click or key must not answer."""
_LOW = 480
_LEAST = 440


class AskWindow(QWidget):
    """The frame. Close, Esc and X are cancel; the affirmative button is never a default button.

    Signals:
        replied: the ask's id and a `Reply`. declined_all: a server's name; all its waiting asks are declined.
        closed: the window is gone; its ask's id.
    """

    replied = Signal(str, object)
    declined_all = Signal(str)
    closed = Signal(str)

    width_ = 720
    height_ = 640
    heavy = False
    """It takes long to make, so that it is shown in a turn of its own: Qt's thread is heard in between."""

    def __init__(self, question: Question, sentence: str) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.ask: Ask = question.ask
        self._decision = question.decision
        self._answered = False
        self._over = False
        self._hears = False
        self.setWindowTitle(sentence)
        self.setWindowIcon(app_icon())
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(480, 360)
        self.resize(self.width_, self.height_)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        self._head = AskHead(self.ask, sentence, self._show_why)
        outer.addWidget(self._head)
        self.above = QVBoxLayout()
        outer.addLayout(self.above)
        self._middle = QHBoxLayout()
        self._middle.setSpacing(0)
        outer.addLayout(self._middle, 1)
        self.body = QVBoxLayout()
        self._scroll = self._make_scroll()
        self._middle.addWidget(self._scroll, 1)
        self._foot = self._make_foot()
        outer.addWidget(self._foot)
        self._clock = QTimer(self)
        self._clock.timeout.connect(self._head.tick)
        self._clock.start(1000)
        self._head.tick()
        self.show_findings(question)

    # what the windows of a kind use

    @property
    def answered(self) -> bool:
        """The person has replied."""
        return self._answered

    @property
    def over(self) -> bool:
        """It only says how its ask ended."""
        return self._over

    def set_side(self, side: QWidget) -> None:
        """Put a fixed column at the right of the scrolling part."""
        self._middle.addWidget(frame("upright"))
        self._middle.addWidget(side)

    def set_sentence(self, sentence: str) -> None:
        """Say otherwise who wants what."""
        self._head.set_sentence(sentence)
        self.setWindowTitle(sentence)

    def set_affirmative(self, text: str, *, danger: bool = False, icon_name: str = "") -> None:
        """Word the affirmative button; `danger` takes its fill away."""
        self.affirm.setText(text)
        set_property(self.affirm, "role", "danger" if danger else "primary")
        if icon_name:
            self.affirm.setIcon(icon(icon_name, "bad" if danger else "on_accent", 16))

    def affirmed(self) -> None:
        """The affirmative button was pressed, and meant."""
        raise NotImplementedError  # abstract: Qt's metaclass and ABCMeta cannot be combined

    def typed_text(self) -> str:
        """What the person typed, to copy after a withdrawal."""
        return ""

    def set_fields_enabled(self, enabled: bool) -> None:
        """Let the person change things, or not."""

    def giving_up(self) -> None:
        """The person is about to close or to stop the call: the last moment to keep what was typed."""

    def reply(self, reply: Reply, *, keep_open: bool = False) -> None:
        """Answer, once, and close unless there is something left to show."""
        if self._answered or self._over:
            return
        if reply.action in (Action.CANCEL, Action.STOP):
            self.giving_up()
        self._answered = True
        self.replied.emit(self.ask.id, reply)
        if not keep_open:
            self.close()

    def ask_again(self) -> None:
        """The same ask came back: with problems, or with its next step."""
        self._answered = False

    def note(self, text: str, kind: str = "bad") -> None:
        """A short sentence beside the affirmative button, "" for none."""
        self._note.set_whole(text)
        self._note.updateGeometry()
        set_property(self._note, "tone", kind)
        self._note_icon.setVisible(bool(text) and kind == "bad")

    def show_findings(self, question: Question) -> None:
        """Show the findings; a dangerous one makes the affirmative button "… anyway"."""
        clear_layout(self.findings)
        for finding in question.findings:
            self.findings.addWidget(finding_view(finding))
        self.danger = any(finding.severity is Severity.DANGER for finding in question.findings)

    def withdrawn(self, outcome: Outcome) -> None:
        """The server took the ask back: say so, keep what was typed (LOOK.md, Withdrawn)."""
        title = {
            Outcome.WITHDRAWN: tr("The server withdrew this question"),
            Outcome.CANCEL: tr("This question ended with its call"),
        }.get(outcome, tr("This question is over"))
        self.end_with(title, tr("Nothing was sent. What you typed is still here to copy."))

    def end_with(self, title: str, detail: str) -> None:
        """Nothing can be answered any more: say why, leave what there is to read and to copy."""
        if self._over:
            return
        self._over = True
        self.findings.insertWidget(0, FindingView(Severity.WARNING, title, detail))
        self.set_fields_enabled(False)
        self.only_close()
        self._copy.setVisible(bool(self.typed_text()))
        self.note("")

    def put_aside(self) -> None:
        """Close without an answer: the program ends, and the engine knows what becomes of the ask."""
        self.giving_up()
        self._answered = True
        self.close()

    def only_close(self) -> None:
        """Leave no button that would answer."""
        for widget in (self.decline, self.stop, self.affirm, self._reason):
            widget.hide()
        self._cancel.setText(tr("Close"))

    # parts

    def _make_scroll(self) -> QScrollArea:
        inner = QWidget()
        self._inner = QVBoxLayout(inner)
        self._inner.setContentsMargins(24, 20, 24, 20)
        self._inner.setSpacing(16)
        self.findings = QVBoxLayout()
        self.findings.setSpacing(8)
        self._inner.addLayout(self.findings)
        message = self.ask.params.get("message")
        if isinstance(message, str) and message:
            self._inner.addWidget(paragraph(message))
        self.body.setSpacing(16)
        self._inner.addLayout(self.body, 1)
        return scroll_area(inner, self.windowTitle())

    def _make_foot(self) -> QFrame:
        foot = frame("foot")
        outer = QVBoxLayout(foot)
        outer.setContentsMargins(24, 14, 24, 14)
        outer.setSpacing(10)
        self._reason = ReasonLine()
        self._reason.setPlaceholderText(tr("Why do you decline? The reason stays on this computer. Enter declines."))
        self._reason.setAccessibleName(tr("Reason"))
        self._reason.entered.connect(self._decline)
        self._reason.hide()
        outer.addWidget(self._reason)
        layout = QHBoxLayout()
        layout.setSpacing(8)
        self.decline = QToolButton()
        self.decline.setProperty("role", "split")
        self.decline.setText(tr("Decline"))
        self.decline.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.decline.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.decline.clicked.connect(self._decline)
        menu = QMenu(self.decline)
        with_reason = QAction(tr("Decline with a reason…"), menu)
        with_reason.triggered.connect(self._ask_reason)
        menu.addAction(with_reason)
        every = QAction(tr("Decline all waiting from this server"), menu)
        every.triggered.connect(self._decline_every)
        menu.addAction(every)
        self.decline.setMenu(menu)
        self.stop = button(tr("Stop the whole call"), self._stop)
        self.stop.setVisible(bool(self.ask.origin.calls))
        self._copy = button(tr("Copy what I typed"), self._copy_typed)
        self._copy.hide()
        self._note_icon = picture("warning", "bad", 14)
        self._note_icon.hide()
        self._note = Elided("", "small", "bad")
        self._note.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._cancel = button(tr("Cancel"), self._close_pressed)
        self.affirm: QPushButton = button("", self._affirm_pressed, "primary")
        for widget in (self.decline, self.stop, self._copy):
            layout.addWidget(widget)
        self.foot_extra = QHBoxLayout()
        layout.addLayout(self.foot_extra)
        layout.addStretch(1)
        layout.addWidget(self._note_icon)
        layout.addWidget(self._note)
        layout.addSpacing(4)
        layout.addWidget(self._cancel)
        layout.addWidget(self.affirm)
        outer.addLayout(layout)
        return foot

    # slots

    def _affirm_pressed(self) -> None:
        if self._hears and not self._answered and not self._over:
            self.affirmed()

    def _decline(self) -> None:
        self.reply(Reply(Action.DECLINE, self._reason.text()))

    def _decline_every(self) -> None:
        self.declined_all.emit(self.ask.origin.server)

    def _show_why(self) -> None:
        WhyDialog(self._decision, self).open()

    def _ask_reason(self) -> None:
        self._reason.show()
        self._reason.setFocus(Qt.FocusReason.OtherFocusReason)

    def _stop(self) -> None:
        self.reply(Reply(Action.STOP))

    def _close_pressed(self) -> None:
        self.close()

    def _copy_typed(self) -> None:
        copy_text(self.typed_text())

    def _hear(self) -> None:
        self._hears = True

    def place_over(self, window: QWidget) -> None:
        """As high as its content needs, in the middle of another window."""
        self.ensurePolished()
        inner = self._inner.heightForWidth(self.width_) if self._inner.hasHeightForWidth() else 0
        parts = (self._head, self.above, self._foot)
        wanted = (inner if inner > 0 else self._inner.sizeHint().height()) + sum(
            part.sizeHint().height() for part in parts
        )
        self.resize(self.width_, min(max(wanted + 24, _LEAST), self.height_))
        middle = window.frameGeometry().center() - self.rect().center()
        self.move(max(middle.x(), 0), max(middle.y(), 0))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(_DEAF, self._hear)
        if self.danger:
            self.decline.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.focusWidget() in (None, self._head.why):  # without a field what is asked comes first
            self._scroll.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        strip = self._head.strip
        if strip is None:
            return
        low = event.size().height() < _LOW
        if not low:
            self._head.take_strip()
        elif self._inner.indexOf(strip) < 0:
            self._inner.insertWidget(0, strip)
        self._inner.setContentsMargins(24, 12 if low else 20, 24, 12 if low else 20)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels, where nothing inside wanted it: a list that is open closes first."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._answered and not self._over:
            self.giving_up()
            self._answered = True
            self.replied.emit(self.ask.id, Reply(Action.CANCEL))
        self._clock.stop()
        self.closed.emit(self.ask.id)
        super().closeEvent(event)


def server_name(question: Question) -> str:
    """The person's own name for the server."""
    return one_line(question.ask.origin.server)


def problem_words(question: Question) -> str:
    """The problems of a question in one line."""
    return visible(" ".join(words(message) for message in question.problems.values()))
