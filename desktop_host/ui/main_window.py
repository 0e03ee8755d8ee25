"""The main window: a rail of pages, the pages, and the bell."""

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_host.config.settings import Settings
from desktop_host.terms.asks import AskKind, Outcome, Record, Severity
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallState, CallStatus
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.icons import app_icon, icon
from desktop_host.ui.inbox import Inbox, InboxView
from desktop_host.ui.pages.activity import ActivityPage
from desktop_host.ui.pages.rules import RulesPage
from desktop_host.ui.pages.servers import ServersPage
from desktop_host.ui.pages.settings import SettingsPage
from desktop_host.ui.pages.workspace import WorkspacePage
from desktop_host.ui.text import tr, words
from desktop_host.ui.theme import Theme, set_type
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import frame
from desktop_host.ui.widgets.notices import Notices

_RAIL = 96


class MainWindow(QMainWindow):
    """The window of the program.

    Signals:
        painted: it was painted for the first time. closing: the person closes the program.
    """

    painted = Signal()
    closing = Signal()

    def __init__(self, settings: Settings, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._was_painted = False
        self.setWindowTitle("Desktop Host")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(960, 600)
        self.resize(1280, 800)
        self.inbox = Inbox(bridge, self)
        self.inbox.changed.connect(self._inbox_changed)
        bridge.recorded.connect(self._recorded)
        bridge.call_changed.connect(self._call_changed)
        bridge.told.connect(self._told)
        self.servers = ServersPage(bridge)
        self.workspace = WorkspacePage(bridge)
        self.activity = ActivityPage(bridge)
        self.rules = RulesPage(bridge)
        self.settings = SettingsPage(settings, bridge)
        self.settings.theme_chosen.connect(theme.choose)
        self._inbox_view = InboxView(self.inbox)
        pages: list[tuple[str, str, QWidget]] = [
            ("servers", tr("Servers"), self.servers),
            ("workspace", tr("Workspace"), self.workspace),
            ("activity", tr("Activity"), self.activity),
            ("rules", tr("Rules"), self.rules),
            ("settings", tr("Settings"), self.settings),
        ]
        central = QWidget()
        layout = QHBoxLayout(central)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._make_rail(pages))
        right = QVBoxLayout()
        right.setSpacing(0)
        self.notices = Notices()
        right.addWidget(self.notices)
        self.pages = QStackedWidget()
        for _, _, page in pages:
            self.pages.addWidget(page)
        right.addWidget(self.pages, 1)
        layout.addLayout(right, 1)
        self.setCentralWidget(central)
        theme.changed.connect(self._redraw_icons)
        self._redraw_icons()
        self._inbox_changed()
        self.pages.setFocus()

    def show_problems(self, problems: tuple[Message, ...]) -> None:
        """What is wrong with the person's files, above the page."""
        for number, problem in enumerate(problems):
            self.notices.tell(f"problem:{number}", words(problem), lasting=True)

    def show_page(self, number: int) -> None:
        """Go to a page."""
        self.pages.setCurrentIndex(number)
        self._group.button(number).setChecked(True)
        self._redraw_icons()

    def _told(self, message: Message) -> None:
        self.notices.tell(f"told:{message.key}", words(message))

    def _recorded(self, record: Record) -> None:
        """What never got a window is said here: what was refused, and what a rule allowed that wants it told."""
        decisions = (record.decision, record.response)
        notify = any(one is not None and one.obligations.notify for one in decisions)
        if notify and record.outcome is Outcome.ACCEPT:
            text = tr("A rule answered {server} for you.").format(server=one_line(record.ask.origin.server))
            self.notices.tell(f"allowed:{record.ask.id}", text, Severity.INFO)
        lost = bool(record.notices) and record.notices[-1].key == "record.unwritable"
        refused = record.outcome is Outcome.REFUSED and record.ask.kind is not AskKind.TOOL_CALL
        if not record.notices or not (refused or lost):
            return
        server = one_line(record.ask.origin.server)
        why = record.notices[-1]
        self.notices.tell(
            f"refused:{server}:{why.key}", tr("From {server}: {why}").format(server=server, why=words(why))
        )

    def _call_changed(self, state: CallState) -> None:
        """A call from before the restart ended: nobody looks at its tool just now."""
        if not state.resumed or state.status is CallStatus.RUNNING:
            return
        pattern = tr("The call of “{tool}” on {server}, which waited while the program was closed, has ended.")
        text = pattern.format(tool=one_line(state.tool), server=one_line(state.server))

        def show() -> None:
            self.show_page(0)
            self.servers.show_tool(state.server, state.tool)

        self.notices.tell(f"resumed:{state.id}", text, Severity.INFO, (tr("Show"), show))

    def _make_rail(self, pages: list[tuple[str, str, QWidget]]) -> QFrame:
        rail = frame("rail")
        rail.setFixedWidth(_RAIL)
        layout = QVBoxLayout(rail)
        layout.setContentsMargins(8, 16, 8, 12)
        layout.setSpacing(6)
        self._group = QButtonGroup(self)
        self._names: list[str] = []
        for number, (name, text, _) in enumerate(pages):
            one = self._nav_button(text)
            one.setCheckable(True)
            one.setChecked(number == 0)
            self._group.addButton(one, number)
            self._names.append(name)
            layout.addWidget(one, 0, Qt.AlignmentFlag.AlignHCenter)
        self._group.idClicked.connect(self._page_chosen)
        layout.addStretch(1)
        self.bell = self._nav_button(tr("Waiting"))
        self.bell.clicked.connect(self._open_inbox)
        layout.addWidget(self.bell, 0, Qt.AlignmentFlag.AlignHCenter)
        self._count = QLabel(self.bell)
        self._count.setProperty("role", "count")
        self._count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._count.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        set_type(self._count, "caption")
        return rail

    def _nav_button(self, text: str) -> QToolButton:
        one = QToolButton()
        one.setProperty("role", "nav")
        one.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        one.setText(text)
        one.setAccessibleName(text)
        one.setIconSize(QSize(22, 22))
        set_type(one, "caption")
        return one

    def _page_chosen(self, number: int) -> None:
        self.pages.setCurrentIndex(number)
        self._redraw_icons()

    def _redraw_icons(self) -> None:
        for number, name in enumerate(self._names):
            one = self._group.button(number)
            one.setIcon(icon(name, "accent_text" if one.isChecked() else "muted", 24))
        self.bell.setIcon(icon("bell", "muted", 24))

    def _open_inbox(self) -> None:
        self._inbox_view.open_at(self.bell.mapToGlobal(QPoint(self.bell.width() + 8, self.bell.height())))

    def _inbox_changed(self) -> None:
        count = len(self.inbox.waiting)
        self._count.setText(str(count))
        self._count.setVisible(count > 0)
        self._count.adjustSize()
        self._count.move(self.bell.width() // 2 + 4, 3)
        self.bell.setAccessibleName(tr("Waiting for you: {n}").format(n=count))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._inbox_changed()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.inbox.put_all_aside()
        self.closing.emit()
        super().closeEvent(event)
