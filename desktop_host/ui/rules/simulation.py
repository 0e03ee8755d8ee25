"""What today's rules would decide otherwise than was decided: the whole record held against them."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.rules.words import EFFECTS, TONES, effect_words
from desktop_host.ui.text import since, tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import button, frame, label, picture, scroll_area

if TYPE_CHECKING:  # it brings pydantic, which the first paint shall not wait for
    from desktop_host.policy.simulate import Change, Simulation

_MOST_SHOWN = 200


class SimulationDialog(QDialog):
    """The asks of the record that today's rules would decide otherwise, the newest first."""

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Simulate"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 560)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        head = frame("head")
        top = QVBoxLayout(head)
        top.setContentsMargins(24, 20, 24, 16)
        top.setSpacing(4)
        top.addWidget(label(tr("What today’s rules would decide otherwise"), "window", wrap=True))
        self._told = label(tr("Holding the record against the rules…"), "small", "muted", wrap=True)
        top.addWidget(self._told)
        outer.addWidget(head)
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(24, 16, 24, 16)
        self._list.setSpacing(10)
        outer.addWidget(scroll_area(inner, tr("Questions")), 1)
        foot = frame("foot")
        buttons = QHBoxLayout(foot)
        buttons.setContentsMargins(24, 14, 24, 14)
        buttons.addStretch(1)
        buttons.addWidget(button(tr("Close"), self._close))
        outer.addWidget(foot)
        bridge.send(lambda engine: engine.simulate(), self._show, self)

    def _show(self, found: "Simulation | None") -> None:
        if found is None:
            self._told.setText(tr("The record cannot be read."))
            return
        pattern = tr("{n} of {m} questions in the record would be decided otherwise.")
        text = pattern.format(n=len(found.changes), m=found.seen)
        if found.unknown:
            text += " " + tr("{n} older ones cannot be held against rules.").format(n=found.unknown)
        if len(found.changes) > _MOST_SHOWN:
            text += " " + tr("The newest {n} are shown.").format(n=_MOST_SHOWN)
        self._told.setText(text)
        for change in found.changes[: -_MOST_SHOWN - 1 : -1]:
            self._list.addWidget(_row(change))
        if not found.changes:
            self._list.addWidget(label(tr("Nothing would be decided otherwise."), "body", "muted"))
        self._list.addStretch(1)

    def _close(self) -> None:
        self.reject()


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
