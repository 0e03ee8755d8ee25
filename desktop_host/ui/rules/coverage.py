"""What a rule that is being made would have decided of the newest questions in the record."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop_host.policy.rules import Rule
from desktop_host.terms.asks import Effect
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import since, tr
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import button, clear_layout, label

if TYPE_CHECKING:  # it brings pydantic, which the first paint shall not wait for
    from desktop_host.policy.simulate import Change, Simulation

_MOST_SHOWN = 12


class Coverage(QFrame):
    """A sentence, the tools they came from, and on a click the questions themselves."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "finding")
        self.setProperty("kind", "info")
        self._bridge = bridge
        self._tried = 0
        self._changes: tuple[Change, ...] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 10)
        layout.setSpacing(4)
        self._covered = label("", "strong", wrap=True)
        layout.addWidget(self._covered)
        self._detail = label("", "small", wrap=True)
        layout.addWidget(self._detail)
        self._list = QVBoxLayout()
        self._list.setSpacing(2)
        layout.addLayout(self._list)
        self._more = button(tr("Show them"), self._show_them, compact=True)
        layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    def try_rule(self, rule: Rule) -> None:
        """Ask the record; an answer that comes late is dropped."""
        self._tried += 1
        number = self._tried

        def tried(found: "Simulation | None") -> None:
            if number == self._tried:
                self._show_found(found, rule.effect)

        self._bridge.send(lambda engine: engine.simulate(rule), tried, self)

    def _show_found(self, found: "Simulation | None", effect: Effect) -> None:
        clear_layout(self._list)
        self._changes = found.to(effect) if found is not None else ()
        self._more.setVisible(bool(self._changes))
        if found is None:
            self._covered.setText(tr("The record cannot be read."))
            self._detail.setText("")
            return
        pattern = {
            Effect.ALLOW: tr("It would have allowed {n} of the last {m} questions"),
            Effect.ASK: tr("You would have been asked about {n} more of the last {m} questions"),
            Effect.DENY: tr("It would have denied {n} of the last {m} questions"),
        }[effect]
        self._covered.setText(pattern.format(n=len(self._changes), m=found.seen))
        tools = sorted({one_line(change.past.tool) for change in self._changes if change.past.tool})
        self._detail.setText(tr("They came from {tools}.").format(tools=", ".join(tools)) if tools else "")
        self._detail.setVisible(bool(tools))

    def _show_them(self) -> None:
        self._more.hide()
        for change in self._changes[-_MOST_SHOWN:]:
            when = since(change.past.ended)
            text = f"{one_line(change.past.server)} · {one_line(change.past.tool)} · {when}"
            self._list.addWidget(label(text, "small", wrap=True))
