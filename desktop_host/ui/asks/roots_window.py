"""A server wants to know the person's folders."""

from PySide6.QtWidgets import QCheckBox, QVBoxLayout

from desktop_host.asks.person import Action, RootsQuestion, RootsReply
from desktop_host.ui.asks.frame import AskWindow, server_name
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.rules.offer import AllowButton
from desktop_host.ui.text import tr
from desktop_host.ui.widgets.basics import badge, caption_of, frame, label, row
from desktop_host.ui.widgets.json_view import Review
from desktop_host.workspace.roots import wire_roots


class RootsWindow(AskWindow):
    """Shows every workspace folder; those shared with this server are ticked. Nothing else is told."""

    height_ = 680

    def __init__(self, question: RootsQuestion, bridge: Bridge) -> None:
        super().__init__(question, tr("{server} wants to know your folders").format(server=server_name(question)))
        self.allow = AllowButton(bridge, self)
        self.foot_extra.addWidget(self.allow)
        self.allow.offer(question.decision)
        self.body.addWidget(
            label(
                tr(
                    "It learns the names and places of the folders you tick, not what is in them. A folder told "
                    "here is a hint to the server, not a lock: what it can really read is up to your system."
                ),
                "body",
                "muted",
                wrap=True,
            )
        )
        self._boxes: list[tuple[str, QCheckBox]] = []
        self._roots = question.roots
        for root in question.roots:
            card = frame("inset")
            layout = QVBoxLayout(card)
            layout.setContentsMargins(14, 10, 14, 10)
            layout.setSpacing(0)
            box = QCheckBox(caption_of(root.name))
            box.setChecked(question.ask.origin.server in root.shared_with and not root.missing)
            box.setEnabled(not root.missing)
            box.clicked.connect(self._refresh)
            self._boxes.append((root.uri, box))
            layout.addLayout(row(box, 1, badge(tr("missing"), "warn") if root.missing else None))
            path = label(root.path, "code_small", "muted", wrap=True)
            path.setContentsMargins(30, 0, 0, 0)
            layout.addWidget(path)
            self.body.addWidget(card)
        if not question.roots:
            self.body.addWidget(
                label(
                    tr("You have no folders in your workspace yet. You can tell the server that there are none."),
                    "body",
                    wrap=True,
                )
            )
        self.body.addStretch(1)
        self._review = Review()
        self.body.addLayout(self._review)
        self.set_affirmative(tr("Share"))
        self._refresh()

    def affirmed(self) -> None:
        self.reply(RootsReply(Action.ACCEPT, uris=self._chosen()))

    def set_fields_enabled(self, enabled: bool) -> None:
        for _, box in self._boxes:
            box.setEnabled(enabled)

    def _chosen(self) -> tuple[str, ...]:
        return tuple(uri for uri, box in self._boxes if box.isChecked())

    def _refresh(self) -> None:
        chosen = self._chosen()
        self._review.set_value(wire_roots(tuple(one for one in self._roots if one.uri in chosen)))
        self.set_affirmative(tr("Share") if chosen else tr("Tell it there are none"))
