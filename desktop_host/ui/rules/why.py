"""Why the person is asked: what the rules said of an ask, step by step, the strongest first."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.terms.asks import Decision, Layer, Step
from desktop_host.ui.rules.words import EFFECTS, TONES, step_details, step_words
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import label, picture
from desktop_host.ui.widgets.sheet import Sheet


class WhyDialog(Sheet):
    """The reasons for a decision, and each rule that was looked at."""

    def __init__(self, decision: Decision, parent: QWidget) -> None:
        super().__init__(parent, tr("Why you are asked"), QSize(520, 420), scrolls=True)
        self.body.setSpacing(6)
        for reason in decision.reasons:
            self.body.addLayout(icon_line("rules", "accent_text", words(reason)))
        rules = [step for step in decision.steps if step.layer is not Layer.FLOOR]
        if rules:
            self.body.addSpacing(8)
            self.body.addWidget(label(tr("What the rules said"), "label"))
        for step in rules:
            add_step(self.body, step)
        self.body.addStretch(1)
        self.add_close(tr("Close"))


def add_step(layout: QVBoxLayout, step: Step) -> None:
    """A step of a decision, and below it what was there and what was wanted."""
    tone = TONES[step.effect] if step.counts else "muted"
    layout.addLayout(icon_line(EFFECTS[step.effect][0], tone, step_words(step)))
    for name, tone_, text in step_details(step):
        layout.addLayout(icon_line(name, tone_, text, below=True))


def icon_line(name: str, tone: str, text: str, *, below: bool = False) -> QHBoxLayout:
    """An icon and a sentence; `below` another one, smaller and farther in."""
    line = QHBoxLayout()
    line.setContentsMargins(26 if below else 0, 0, 0, 0)
    line.setSpacing(10)
    line.addWidget(picture(name, tone, 12 if below else 16), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(label(text, "caption" if below else "small", "muted" if below else "", wrap=True), 1)
    return line
