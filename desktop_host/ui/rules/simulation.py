"""What today's rules would decide otherwise than was decided: the whole record held against them."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.rules.words import EFFECTS, TONES, effect_words
from desktop_host.ui.text import since, tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import frame, label, picture
from desktop_host.ui.widgets.sheet import Sheet

if TYPE_CHECKING:  # it brings pydantic, which the first paint shall not wait for
    from desktop_host.policy.simulate import Change, Simulation

_MOST_SHOWN = 200


class SimulationDialog(Sheet):
    """The asks of the record that today's rules would decide otherwise, the newest first."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        title = tr("What today’s rules would decide otherwise")
        super().__init__(
            parent, title, QSize(720, 560), about=tr("Holding the record against the rules…"), scrolls=True
        )
        self.add_close(tr("Close"))
        bridge.send(lambda engine: engine.simulate(), self._show, self)

    def _show(self, found: "Simulation | None") -> None:
        if found is None:
            self.about.setText(tr("The record cannot be read."))
            return
        pattern = tr("{n} of {m} questions in the record would be decided otherwise.")
        text = pattern.format(n=len(found.changes), m=found.seen)
        if found.unknown:
            text += " " + tr("{n} older ones cannot be held against rules.").format(n=found.unknown)
        if len(found.changes) > _MOST_SHOWN:
            text += " " + tr("The newest {n} are shown.").format(n=_MOST_SHOWN)
        self.about.setText(text)
        for change in found.changes[: -_MOST_SHOWN - 1 : -1]:
            self.body.addWidget(_row(change))
        if not found.changes:
            self.body.addWidget(label(tr("Nothing would be decided otherwise."), "body", "muted"))
        self.body.addStretch(1)


def _row(change: "Change") -> QWidget:
    past, effect = change.past, change.decision.effect
    card = frame("inset")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(14, 10, 14, 10)
    layout.setSpacing(4)
    kind = words(Message(f"kind.{past.facts.get('kind')}"))
    where = f"{one_line(past.server)} · {one_line(past.tool)}" if past.tool else one_line(past.server)
    layout.addWidget(label(f"{where} · {kind} · {since(past.ended)}", "label", wrap=True))
    line = QHBoxLayout()
    line.setSpacing(8)
    pattern = tr("Was: {before}. Would be: {after}.")
    line.addWidget(picture(EFFECTS[effect][0], TONES[effect], 16))
    line.addWidget(label(pattern.format(before=effect_words(past.effect), after=effect_words(effect)), "small"))
    line.addStretch(1)
    layout.addLayout(line)
    layout.addWidget(label(words(change.decision.reasons[0]), "small", "muted", wrap=True))
    return card
