"""The waiting asks: which window is in front, and the list under the bell."""

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.asks.person import (
    Action,
    ConnectQuestion,
    FormQuestion,
    LinkQuestion,
    Question,
    Reply,
    RequestQuestion,
    ResponseQuestion,
    RootsQuestion,
)
from desktop_host.terms.asks import Ask, AskKind, Outcome
from desktop_host.terms.state import CallState, CallStatus
from desktop_host.ui.asks.connect_window import ConnectWindow
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.frame import AskWindow
from desktop_host.ui.asks.link_window import LinkWindow
from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.asks.sampling_window import SamplingWindow
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import ago, tr
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import Elided, Tile, badge, button, clear_layout, frame, label

ICONS = {
    AskKind.FORM: "ask",
    AskKind.URL: "link",
    AskKind.SAMPLING: "sparkle",
    AskKind.ROOTS: "roots",
    AskKind.CONNECT: "connect",
}


class Inbox(QObject):
    """Opens the ask windows: at most one per server is in front, the others wait here, first come first served.

    What waited when the program ended opens only when the person says so.

    Signals:
        changed: the waiting asks are others.
    """

    changed = Signal()

    def __init__(self, bridge: Bridge, anchor: QWidget) -> None:
        super().__init__(anchor)
        self._bridge = bridge
        self._anchor = anchor
        self._waiting: dict[str, Question] = {}
        self._windows: dict[str, AskWindow] = {}
        self._given_up: set[str] = set()
        bridge.ask_opened.connect(self._opened)
        bridge.ask_streamed.connect(self._streamed)
        bridge.ask_closed.connect(self._closed)
        bridge.link_completed.connect(self._completed)
        bridge.call_changed.connect(self._call_changed)

    @property
    def waiting(self) -> list[Question]:
        """Every ask that waits, oldest first, with or without a window."""
        return list(self._waiting.values())

    def window(self, ask_id: str) -> AskWindow | None:
        """The open window of an ask."""
        return self._windows.get(ask_id)

    def show_ask(self, ask_id: str) -> None:
        """Bring an ask to the front, opening its window if need be."""
        question = self._waiting.get(ask_id)
        window = self._windows.get(ask_id) or (self._open(question) if question else None)
        if window is not None:
            self._show(window)
            window.raise_()
            window.activateWindow()

    def put_all_aside(self) -> None:
        """Close every window because the program ends; those that wait for a window get none any more."""
        self._waiting.clear()
        for window in list(self._windows.values()):
            window.put_aside()

    def _opened(self, question: Question) -> None:
        if question.ask.id in self._given_up:
            return  # its next step crossed the person's reply on the way
        known = question.ask.id in self._waiting
        self._waiting[question.ask.id] = question
        window = self._windows.get(question.ask.id) or self._waiting_for_link(question)
        if window is not None:
            _ask_again(window, question)
        elif not known or question.problems:
            self._open_next()
        self.changed.emit()

    def _waiting_for_link(self, question: Question) -> AskWindow | None:
        """The window of the same link in an earlier round of the same call: it goes on waiting."""
        if not isinstance(question, LinkQuestion) or not question.ask.repeated:
            return None
        origin = question.ask.origin
        for ask_id, window in self._windows.items():
            same = (window.ask.origin.server, window.ask.origin.calls) == (origin.server, origin.calls)
            same = same and window.ask.params.get("url") == question.ask.params.get("url")
            if isinstance(window, LinkWindow) and same and ask_id not in self._waiting:
                self._windows[question.ask.id] = self._windows.pop(ask_id)
                return window
        return None

    def _open_next(self) -> None:
        busy = {window.ask.origin.server for window in self._windows.values() if window.ask.id in self._waiting}
        for question in self._waiting.values():
            if question.ask.origin.server not in busy and not question.ask.parked:
                busy.add(question.ask.origin.server)
                window = self._open(question)
                if window.heavy:
                    QTimer.singleShot(0, window, partial(self._show, window))
                else:
                    self._show(window)

    def _open(self, question: Question) -> AskWindow:
        window = _make_window(question, self._bridge)
        self._windows[question.ask.id] = window
        window.replied.connect(self._replied)
        window.declined_all.connect(self._decline_all)
        window.closed.connect(self._window_closed)
        return window

    def _show(self, window: AskWindow) -> None:
        """Show a window, unless it was closed in the meantime."""
        if window not in self._windows.values() or window.isVisible():
            return
        window.place_over(self._anchor)
        window.show()

    def _decline_all(self, server: str) -> None:
        """Every ask of a server that waits, whether it has a window or not."""
        for question in self.waiting:
            if question.ask.origin.server != server:
                continue
            window = self._windows.get(question.ask.id)
            if window is not None:
                window.reply(Reply(Action.DECLINE))
            else:
                self._replied(question.ask.id, Reply(Action.DECLINE))

    def _replied(self, ask_id: str, reply: Reply) -> None:
        if reply.action in (Action.CANCEL, Action.DECLINE, Action.STOP):
            self._given_up.add(ask_id)
        self._bridge.send(lambda engine: engine.reply(ask_id, reply))

    def _window_closed(self, ask_id: str) -> None:
        self._windows.pop(ask_id, None)
        self._waiting.pop(ask_id, None)
        self.changed.emit()
        self._open_next()

    def _streamed(self, ask_id: str, text: str) -> None:
        window = self._windows.get(ask_id)
        if isinstance(window, SamplingWindow):
            window.streamed(text)

    def _closed(self, ask: Ask, outcome: Outcome) -> None:
        self._waiting.pop(ask.id, None)
        self._given_up.discard(ask.id)
        window = self._windows.get(ask.id)
        if window is not None:
            if _stays(window, outcome):
                window.withdrawn(outcome)
            elif not isinstance(window, LinkWindow) or outcome not in (Outcome.ACCEPT, Outcome.FAILED):
                window.close()
        self.changed.emit()
        self._open_next()

    def _call_changed(self, state: CallState) -> None:
        """A link window stays while its call may come back for the same link; then it has nothing left to say."""
        if state.status is CallStatus.RUNNING:
            return
        for window in list(self._windows.values()):
            if isinstance(window, LinkWindow) and any(call.id == state.id for call in window.ask.origin.calls):
                window.close_if_done()

    def _completed(self, server: str, elicitation_id: str) -> None:
        for window in list(self._windows.values()):
            same = window.ask.origin.server == server and window.ask.params.get("elicitationId") == elicitation_id
            if isinstance(window, LinkWindow) and same:
                window.completed()


class InboxView(QFrame):
    """The list under the bell: what, who, during which call, its age, one button."""

    def __init__(self, inbox: Inbox) -> None:
        super().__init__(None, Qt.WindowType.Popup)
        self._inbox = inbox
        self.setProperty("role", "card")
        self.setFixedWidth(540)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(16, 12, 16, 12)
        head.addWidget(label(tr("Waiting for you"), "title"))
        head.addStretch(1)
        self._count = badge("", "accent")
        head.addWidget(self._count)
        layout.addLayout(head)
        layout.addWidget(frame("rule"))
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        layout.addLayout(self._rows)
        foot = frame("foot")
        inner = QVBoxLayout(foot)
        inner.setContentsMargins(16, 12, 16, 12)
        inner.addWidget(
            label(tr("Servers take turns. Closing a question’s window cancels it."), "small", "muted", wrap=True)
        )
        layout.addWidget(foot)
        inbox.changed.connect(self.refresh)

    def open_at(self, corner: QPoint) -> None:
        """Show the list with its lower left corner here."""
        self.refresh()
        self.adjustSize()
        self.move(corner.x(), corner.y() - self.height())
        self.show()

    def refresh(self) -> None:
        """Draw the rows anew."""
        clear_layout(self._rows)
        waiting = sorted(self._inbox.waiting, key=lambda question: question.ask.parked)
        count = tr("1 question") if len(waiting) == 1 else tr("{n} questions").format(n=len(waiting))
        self._count.setText(count)
        for number, question in enumerate(waiting):
            if number:
                self._rows.addWidget(frame("rule"))
            if question.ask.parked and not (number and waiting[number - 1].ask.parked):
                head = label(tr("From before the restart"), "caption", "muted")
                head.setContentsMargins(16, 10, 16, 0)
                self._rows.addWidget(head)
            self._rows.addWidget(_Row(question, self._show_ask, first=number == 0))
        if not waiting:
            empty = label(tr("Nothing is waiting."), "body", "muted")
            empty.setContentsMargins(16, 16, 16, 16)
            self._rows.addWidget(empty)

    def _show_ask(self, ask_id: str) -> None:
        self.hide()
        self._inbox.show_ask(ask_id)


class _Row(QWidget):
    def __init__(self, question: Question, show: Callable[[str], None], *, first: bool) -> None:
        super().__init__()
        ask = question.ask
        self._ask_id = ask.id
        self._show = show
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(12)
        token = "on_accent" if first else "muted"
        layout.addWidget(Tile(34, name=ICONS.get(ask.kind, "ask"), token=token, kind="accent" if first else ""))
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addWidget(Elided(_headline(question), "strong"))
        pattern = tr("{server} · {kind} · during {tool}") if ask.origin.tool else tr("{server} · {kind}")
        where = pattern.format(server=ask.origin.server, kind=kind_name(ask.kind), tool=ask.origin.tool)
        text.addWidget(Elided(where, "small", "muted"))
        layout.addLayout(text, 1)
        layout.addWidget(label(ago(max(0.0, time.time() - ask.opened)), "small", "muted"))
        layout.addWidget(button(tr("Answer"), self._pressed, "primary" if first else "", compact=True))

    def _pressed(self) -> None:
        self._show(self._ask_id)


def kind_name(kind: AskKind) -> str:
    """A kind of ask in a word or two."""
    names = {
        AskKind.FORM: tr("form"),
        AskKind.URL: tr("link"),
        AskKind.SAMPLING: tr("language model"),
        AskKind.ROOTS: tr("folders"),
        AskKind.CONNECT: tr("start"),
        AskKind.TOOL_CALL: tr("tool"),
    }
    return names[kind]


def _headline(question: Question) -> str:
    message = question.ask.params.get("message")
    if isinstance(message, str) and message:
        return one_line(message)
    titles = {
        AskKind.SAMPLING: tr("A request to a language model"),
        AskKind.ROOTS: tr("Which folders may it know?"),
        AskKind.CONNECT: tr("May it start?"),
    }
    return titles.get(question.ask.kind, kind_name(question.ask.kind))


def _make_window(question: Question, bridge: Bridge) -> AskWindow:
    match question:
        case FormQuestion():
            return FormWindow(question, bridge)
        case LinkQuestion():
            return LinkWindow(question)
        case RequestQuestion():
            return SamplingWindow(question, bridge)
        case RootsQuestion():
            return RootsWindow(question, bridge)
        case ConnectQuestion():
            return ConnectWindow(question)
        case _:
            raise AssertionError(f"no window for {type(question).__name__}")


def _ask_again(window: AskWindow, question: Question) -> None:
    match question:
        case FormQuestion() if isinstance(window, FormWindow):
            window.ask_again_with(question)
        case LinkQuestion() if isinstance(window, LinkWindow):
            window.repeated(question)
        case RequestQuestion() | ResponseQuestion() if isinstance(window, SamplingWindow):
            window.ask_again_with(question)
        case _:
            raise AssertionError("an ask changed its kind")


def _stays(window: AskWindow, outcome: Outcome) -> bool:
    """The window stays to say that its ask is over; one that the person answered just closes."""
    if outcome is Outcome.WITHDRAWN:
        return True  # also where the answer was on its way: it did not arrive
    return not window.answered and outcome in (Outcome.CANCEL, Outcome.FAILED)
