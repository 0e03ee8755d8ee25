"""A server wants the person to open a link."""

import html

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.asks.person import Action, LinkQuestion, LinkReply
from desktop_host.elicitation.address import Address
from desktop_host.terms.asks import Outcome
from desktop_host.ui.asks.frame import AskWindow, server_name
from desktop_host.ui.text import tr
from desktop_host.ui.theme import color, set_type
from desktop_host.ui.visible import visible
from desktop_host.ui.widgets.basics import button, copy_text, exact_text, frame, label, picture
from desktop_host.ui.widgets.growing_text import FittingView


class LinkWindow(AskWindow):
    """Shows the whole address, opens it in the system's browser on a click and never before, then waits.

    A link whose acceptance waits (`ask.waits`) is accepted when the person continues; the others at consent.
    """

    height_ = 620

    def __init__(self, question: LinkQuestion) -> None:
        signs_in = question.ask.signs_in
        title = tr("Sign in to {server}") if signs_in else tr("{server} wants you to open a link")
        super().__init__(question, title.format(server=server_name(question)))
        if signs_in:
            about = tr("This server wants to know who you are. You sign in on the page below, in your own browser.")
            self.body.addWidget(label(about, "body", wrap=True))
        self._address = question.address
        self._told = False
        self.body.addLayout(self._make_address(suspicious=self.danger))
        self._facts()
        self._hint = QWidget()
        hint = QHBoxLayout(self._hint)
        hint.setContentsMargins(0, 0, 0, 0)
        hint.addWidget(picture("link", "muted", 16))
        learns = (
            tr("Opens in your browser, which comes back to Desktop Host when you have signed in.")
            if signs_in
            else tr("Opens in your browser. Desktop Host never loads it, and learns only that you agreed.")
        )
        hint.addWidget(
            label(learns, "small", "muted", wrap=True),
            1,
        )
        self.body.addWidget(self._hint)
        self._wait = self._make_wait()
        self.body.addWidget(self._wait)
        self._wait.hide()
        self.body.addStretch(1)
        self.set_affirmative(
            tr("Open anyway…") if self.danger else tr("Open in browser"), danger=self.danger, icon_name="link"
        )
        if question.ask.repeated:
            self._await_browser()

    def affirmed(self) -> None:
        if self._wait.isHidden():
            self._open()
        else:
            self._continue()

    def completed(self) -> None:
        """The server says that the page is finished (ELU-16)."""
        if self.ask.waits and not self._wait.isHidden():
            self._continue()
        elif self._told:
            self.close()

    def repeated(self, question: LinkQuestion) -> None:
        """The same link again: back to waiting, and no browser by itself (ELU-19)."""
        self.ask = question.ask
        self.ask_again()
        self._await_browser()
        self.note(tr("Not finished yet, says the server."), "muted")

    def close_if_done(self) -> None:
        """The call is over: close, unless the link still waits for the person."""
        if self.answered and not self.over:
            self.close()

    def _open(self) -> None:
        if not self._browse():
            self.reply(LinkReply(Action.ACCEPT, opened=False), keep_open=True)
            detail = tr("The server is told that you cancelled. You can copy the address and open it yourself.")
            self.end_with(tr("No browser could be opened"), detail)
            return
        self._await_browser()
        if not self.ask.waits:
            self._told = True
            self.reply(LinkReply(Action.ACCEPT), keep_open=True)
            self.only_close()

    def _open_again(self) -> None:
        self.note("" if self._browse() else tr("No browser could be opened"))

    def _browse(self) -> bool:
        return QDesktopServices.openUrl(QUrl(self._address.url, QUrl.ParsingMode.StrictMode))

    def _continue(self) -> None:
        self.note(tr("Asking the server…"), "muted")
        self.affirm.setEnabled(False)
        self.reply(LinkReply(Action.ACCEPT), keep_open=True)

    def _await_browser(self) -> None:
        self._hint.hide()
        self._wait.show()
        self.affirm.setEnabled(True)
        self.set_affirmative(tr("Continue"), icon_name="check")

    def withdrawn(self, outcome: Outcome) -> None:
        if not self._told:
            super().withdrawn(outcome)

    def _make_address(self, *, suspicious: bool) -> QVBoxLayout:
        layout = QVBoxLayout()
        layout.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(label(tr("The whole address"), "label"))
        head.addStretch(1)
        head.addWidget(button(tr("Copy"), self._copy_address, icon_name="copy", compact=True))
        layout.addLayout(head)
        view = FittingView(least=1, most=9)
        view.setWordWrapMode(view.wordWrapMode().WrapAnywhere)
        view.setTabChangesFocus(True)
        view.setAccessibleName(self._address.url)
        set_type(view, "code")
        self._shown, self._suspicious = view, suspicious
        self._draw_address()
        layout.addWidget(view)
        return layout

    def _draw_address(self) -> None:
        self._shown.setHtml(_address_html(self._address, suspicious=self._suspicious))

    def _facts(self) -> None:
        facts = [(tr("Host"), self._address.host)]
        if self._address.unicode_host:
            facts.append((tr("Looks like"), self._address.unicode_host))
        if self._address.ascii_host:
            facts.append((tr("Sent as"), self._address.ascii_host))
        if self._address.decoded:
            facts.append((tr("Reads as"), self._address.decoded))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for line, (name, value) in enumerate(facts):
            grid.addWidget(label(name, "small", "muted"), line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(exact_text(value, "code"), line, 1)
        self.body.addLayout(grid)

    def _make_wait(self) -> QWidget:
        panel = frame("inset")
        layout = QHBoxLayout(panel)
        layout.setContentsMargins(16, 12, 12, 12)
        layout.setSpacing(12)
        layout.addWidget(picture("clock", "accent_text", 18))
        waits = (
            tr("Finish in your browser, then continue here.")
            if self.ask.waits
            else tr("Finish in your browser. This window closes when the server says that you are done.")
        )
        layout.addWidget(label(waits, "strong", wrap=True), 1)
        layout.addWidget(button(tr("Open again"), self._open_again, icon_name="restart", compact=True))
        return panel

    def _copy_address(self) -> None:
        copy_text(self._address.url)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_shown"):  # it also comes while we are made
            self._draw_address()


def _address_html(address: Address, *, suspicious: bool) -> str:
    """The address with the host in bold and its registrable part stronger; everything escaped, nothing clickable.

    `suspicious`: letters of other scripts in it are marked.
    """
    host, registrable = address.host, address.registrable
    before = host[: len(host) - len(registrable)]
    mark = f"color:{color('bad')};background:{color('bad_soft')};text-decoration:underline"
    marked = "".join(
        html.escape(one) if one.isascii() or not suspicious
        else f'<span style="{mark}">{html.escape(one)}</span>'
        for one in registrable
    )  # fmt: skip
    muted, strong = color("muted"), color("text")
    return (
        f'<span style="color:{muted}">{html.escape(visible(address.before))}</span>'
        f'<span style="color:{strong};font-weight:600">{html.escape(before)}</span>'
        f'<span style="color:{strong};font-weight:800">{marked}</span>'
        f'<span style="color:{muted}">{html.escape(visible(address.after))}</span>'
    )
