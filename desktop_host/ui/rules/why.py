"""Why the person is asked: what the rules said of an ask, step by step, the strongest first."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.terms.asks import Decision, Step
from desktop_host.ui.rules.words import EFFECTS, TONES, step_details, step_words
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import button, frame, label, picture, scroll_area


class WhyDialog(QDialog):
    """The reasons for a decision, and each rule that was looked at."""

    def __init__(self, decision: Decision, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Why you are asked"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(520, 420)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(6)
        layout.addWidget(label(tr("Why you are asked"), "window"))
        layout.addSpacing(6)
        for reason in decision.reasons:
            layout.addLayout(icon_line("rules", "accent_text", words(reason)))
        rules = [step for step in decision.steps if step.source or step.why_not is not None or step.missed]
        if rules:
            layout.addSpacing(8)
            layout.addWidget(label(tr("What the rules said"), "label"))
        for step in rules:
            add_step(layout, step)
        layout.addStretch(1)
        sheet = frame("surface")
        holder = QVBoxLayout(sheet)
        holder.setContentsMargins(0, 0, 0, 0)
        holder.addWidget(scroll_area(inner, tr("Why you are asked")))
        outer.addWidget(sheet, 1)
        foot = frame("foot")
        buttons = QHBoxLayout(foot)
        buttons.setContentsMargins(24, 14, 24, 14)
        buttons.addStretch(1)
        buttons.addWidget(button(tr("Close"), self._close))
        outer.addWidget(foot)

    def _close(self) -> None:
        self.reject()


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
