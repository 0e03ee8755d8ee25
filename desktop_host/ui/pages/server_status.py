"""A server that is not ready: why, what it wrote last, and what the person can do."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_host.terms.asks import Severity
from desktop_host.terms.messages import Message
from desktop_host.terms.state import ServerState, ServerStatus
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.pages.server_secrets import SecretFields
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import set_type
from desktop_host.ui.visible import visible
from desktop_host.ui.widgets.basics import FindingView, button, clear_layout, label


class ServerStatusPage(QWidget):
    """In the place of the tabs."""

    def __init__(self, server: str, bridge: Bridge) -> None:
        super().__init__()
        self._server = server
        self._bridge = bridge
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 20)
        layout.setSpacing(16)
        self._asked_for: tuple[str, ...] = ()
        self._status = QVBoxLayout()
        layout.addLayout(self._status)
        self._log_title = label(tr("What it wrote last"), "label")
        self._log = QPlainTextEdit()
        self._log.setReadOnly(True)
        self._log.setProperty("role", "code")
        self._log.setAccessibleName(tr("What it wrote last"))
        set_type(self._log, "code_small")
        layout.addWidget(self._log_title)
        layout.addWidget(self._log, 1)
        self._status_rest = QWidget()
        layout.addWidget(self._status_rest, 1)

    def show_state(self, state: ServerState) -> None:
        """Show another state, any but ready."""
        if state.missing and state.missing == self._asked_for:
            return  # what was typed already stays
        self._asked_for = state.missing
        clear_layout(self._status)
        if state.status is ServerStatus.FAILED and state.reason is not None:
            self._status.addWidget(FindingView(Severity.DANGER, tr("This server is not running"), words(state.reason)))
        elif state.status is ServerStatus.BLOCKED and state.reason is not None:
            title = tr("Your administrator does not let this server be used")
            self._status.addWidget(FindingView(Severity.WARNING, title, words(state.reason)))
        elif state.status is ServerStatus.OFF:
            self._status.addWidget(label(tr("This server is off. Start it to see its tools."), "body", "muted"))
        else:
            text = tr("Starting…") if state.status is ServerStatus.STARTING else tr("Stopping…")
            self._status.addWidget(label(words(state.reason) if state.reason else text, "body", "muted", wrap=True))
            if state.reason is not None:
                self._status.addWidget(self._make_paste())
        if state.missing:
            self._status.addWidget(self._make_secrets(state.missing))
        log = visible("\n".join(state.log))
        show_log = bool(log) and state.status is ServerStatus.FAILED
        self._log.setPlainText(log)
        self._log.setVisible(show_log)
        self._log_title.setVisible(show_log)
        self._status_rest.setVisible(not show_log)

    def show_problem(self, title: str, text: str) -> None:
        """Something the person wanted of it did not work."""
        self._status.addWidget(FindingView(Severity.DANGER, title, text))

    def _make_secrets(self, names: tuple[str, ...]) -> QWidget:
        """Where what is missing can be typed."""
        holder = QWidget()
        holder.setMaximumWidth(560)
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(10)
        self._secrets = SecretFields(self._server, names, self._bridge)
        layout.addWidget(self._secrets)
        self._keep = button(tr("Keep and start"), self._keep_secrets, "primary")
        self._secrets.changed.connect(self._typed)
        about = tr("It goes to the keyring and to this server. Without a keyring it is kept until the program ends.")
        layout.addWidget(label(about, "caption", "muted", wrap=True))
        layout.addWidget(self._keep, 0, Qt.AlignmentFlag.AlignLeft)
        self._typed()
        return holder

    def _typed(self) -> None:
        self._keep.setEnabled(len(self._secrets.typed()) == len(self._secrets.lines))

    def _keep_secrets(self) -> None:
        self._keep.setEnabled(False)
        self._secrets.keep(self._kept)

    def _kept(self, told: Message | None) -> None:
        name = self._server
        if told is not None:
            self._bridge.told.emit(told)
        self._bridge.send(lambda engine: engine.start(name))

    def _make_paste(self) -> QWidget:
        """A way out where the browser cannot come back to this program by itself."""
        holder = QWidget()
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(6)
        about = tr("If your browser cannot open the last page, copy its address and paste it here:")
        layout.addWidget(label(about, "small", "muted", wrap=True))
        self._pasted = QLineEdit()
        self._pasted.setAccessibleName(tr("Address of the last page"))
        self._pasted.setPlaceholderText("http://127.0.0.1:…/callback?code=…")
        self._pasted.setMaximumWidth(560)
        self._pasted.textChanged.connect(self._paste)
        layout.addWidget(self._pasted)
        return holder

    def _paste(self, text: str) -> None:
        name = self._server
        if "code=" in text or "error=" in text:
            self._bridge.send(lambda engine: engine.paste_address(name, text))
