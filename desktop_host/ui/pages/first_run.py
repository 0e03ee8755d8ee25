"""The Servers page before there is any server: three ways to begin."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_host.ui.text import tr
from desktop_host.ui.widgets.basics import Tile, button, frame, label


class FirstRun(QWidget):
    """Cards: the demo, adding a server, and taking over those of other hosts.

    Signals:
        demo: start the demo. add: add a server. others: import from other hosts.
    """

    demo = Signal()
    add = Signal()
    others = Signal()

    def __init__(self) -> None:
        super().__init__()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 24, 24, 24)
        outer.addStretch(2)
        title = label(tr("Meet your servers"), "page")
        text = label(
            tr(
                "A server offers tools and may ask you things. You see who asks and why, "
                "and nothing is sent without you."
            ),
            "body",
            "muted",
            wrap=True,
        )
        for one in (title, text):
            one.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            outer.addWidget(one)
        outer.addSpacing(24)
        cards = QHBoxLayout()
        cards.setSpacing(16)
        cards.addStretch(1)
        demo_card, self._demo = self._card(
            "play",
            tr("Try the demo servers"),
            tr(
                "A travel planner runs on this computer, twice. Nothing leaves it. "
                "You meet forms, links and model requests."
            ),
            tr("Start the demo"),
            self.demo.emit,
            "primary",
        )
        add_card, _ = self._card(
            "plus",
            tr("Add a server"),
            tr("Paste a command or an address. You see what it wants to run before it starts."),
            tr("Add a server…"),
            self.add.emit,
        )
        import_card, _ = self._card(
            "download",
            tr("Import servers"),
            tr("Take over what other programs on this computer have. You see each one before it is added."),
            tr("Import…"),
            self.others.emit,
        )
        cards.addWidget(demo_card)
        cards.addWidget(add_card)
        cards.addWidget(import_card)
        cards.addStretch(1)
        outer.addLayout(cards)
        self._problem = label("", "body", "bad", wrap=True)
        self._problem.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        outer.addWidget(self._problem)
        outer.addStretch(3)

    def show_problem(self, text: str) -> None:
        """Why the demo did not start."""
        self._problem.setText(text)

    def set_busy(self, busy: bool) -> None:
        """The demo is starting."""
        self._demo.setEnabled(not busy)
        self._demo.setText(tr("Starting…") if busy else tr("Start the demo"))

    def _card(
        self, icon_name: str, title: str, text: str, verb: str, slot: Callable[[], None], role: str = ""
    ) -> tuple[QFrame, QPushButton]:
        card = frame("card")
        card.setFixedWidth(264)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(20, 20, 20, 20)
        layout.setSpacing(8)
        layout.addWidget(Tile(40, name=icon_name, token="accent_text"))
        layout.addSpacing(4)
        layout.addWidget(label(title, "title"))
        layout.addWidget(label(text, "body", "muted", wrap=True))
        layout.addStretch(1)
        layout.addSpacing(12)
        verb_button = button(verb, slot, role)
        layout.addWidget(verb_button, 0, Qt.AlignmentFlag.AlignLeft)
        return card, verb_button
