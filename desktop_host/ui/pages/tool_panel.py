"""One tool: its arguments as a form, running it, its progress and result."""

import json
import re
import time
from typing import Any, cast

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_host.elicitation.form import Form
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import CallState, CallStatus, ToolInfo
from desktop_host.ui.text import ago, tr, words
from desktop_host.ui.theme import set_type
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import Elided, badge, button, frame, label
from desktop_host.ui.widgets.difference import difference
from desktop_host.ui.widgets.growing_text import FittingView, GrowingText
from desktop_host.ui.widgets.result_card import ResultCard
from desktop_host.ui.widgets.schema_form import SchemaForm

_RESULT = 240
"""Pixels a result has at least, so that a small window scrolls instead of hiding it."""


def _in_lines(definition: JsonObject) -> str:
    text = visible(json.dumps(definition, indent=2, ensure_ascii=False))
    return re.sub(r"(?m)^ +", lambda found: "\u00a0" * len(found.group()), text)  # or markup swallows it


class ToolPanel(QScrollArea):
    """Shows a tool of a server. The panel keeps its own call; another tool has another panel.

    Signals:
        run: the tool's name and its arguments.
        cancel: a call's id.
        accepted: the tool's name; the person takes it as it is now. `before` is what it was when they met it.
    """

    run = Signal(str, object)
    cancel = Signal(str)
    accepted = Signal(str)

    def __init__(self, tool: ToolInfo, before: JsonObject | None = None) -> None:
        super().__init__()
        self.tool = tool
        self._before = before
        self._call: CallState | None = None
        self.setWidgetResizable(True)
        self.setAccessibleName(one_line(tool.title))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        inner.setProperty("role", "clear")
        self.setWidget(inner)
        outer = QVBoxLayout(inner)
        outer.setContentsMargins(24, 16, 24, 16)
        outer.setSpacing(16)
        outer.addLayout(self._make_title())
        if before is not None:
            outer.addWidget(self._make_change(before))
        if tool.description:
            outer.addWidget(label(tool.description, "body", "muted", wrap=True))
        self.form = SchemaForm(Form.from_schema(tool.input_schema), columns=3)
        for notice in self.form.form.notices:
            outer.addWidget(label(words(notice), "caption", "warn", wrap=True))
        self._raw = GrowingText("{}", least=4, most=14)
        set_type(self._raw, "code")
        self._raw.setAccessibleName(tr("Arguments as JSON"))
        self._raw.hide()
        outer.addWidget(self.form)
        outer.addWidget(self._raw)
        self._problem = label("", "small", "bad", wrap=True)
        self._problem.hide()
        line = QHBoxLayout()
        line.addWidget(self._problem, 1)
        line.addStretch(1)
        self.run_button = button(tr("Run"), self._run, "primary", "play")
        line.addWidget(self.run_button)
        outer.addLayout(line)
        self._progress = self._make_progress()
        outer.addWidget(self._progress)
        self.result = ResultCard()
        self.result.setMinimumHeight(_RESULT)
        self.result.start_over.connect(self._start_over)
        outer.addWidget(self.result, 1)
        self._rest = QWidget()
        outer.addWidget(self._rest, 1)
        self._clock = QTimer(self)
        self._clock.setInterval(500)
        self._clock.timeout.connect(self._tick)
        self._progress.hide()
        self.result.hide()
        self.run_button.setEnabled(before is None)

    def show_call(self, state: CallState) -> None:
        """Show the state of this tool's latest call."""
        if self._call is not None and state.started < self._call.started:
            return
        self._call = state
        running = state.status is CallStatus.RUNNING
        self._progress.setVisible(running)
        self.result.setVisible(not running)
        self._rest.setVisible(running)
        self.run_button.setEnabled(not running and self._before is None)
        self.run_button.setText(tr("Run again"))
        if running:
            self._clock.start()
            self._show_progress(state)
        else:
            self._clock.stop()
            self.result.show_call(state)

    def _make_title(self) -> QHBoxLayout:
        title = QHBoxLayout()
        title.setSpacing(8)
        name = label(one_line(self.tool.title), "title")
        title.addWidget(name)
        for text, kind in _hints(self.tool):
            title.addWidget(badge(text, kind))
        title.addWidget(Elided(self.tool.name if self.tool.name != self.tool.title else "", "code_small", "muted"), 1)
        segments = frame("segments")
        inner = QHBoxLayout(segments)
        inner.setContentsMargins(2, 2, 2, 2)
        inner.setSpacing(0)
        self._views = QButtonGroup(self)
        for number, text in enumerate((tr("Form"), "JSON")):
            one = button(text, role="segment")
            one.setCheckable(True)
            one.setChecked(number == 0)
            self._views.addButton(one, number)
            inner.addWidget(one)
        self._views.idClicked.connect(self._show_input)
        title.addWidget(segments)
        return title

    def _make_change(self, before: JsonObject) -> QFrame:
        """What is other about the tool, and a way to take it as it is."""
        card = frame("finding", "danger")
        layout = QVBoxLayout(card)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(8)
        head = label(tr("The server changed this tool since you met it"), "strong", wrap=True)
        head.setProperty("kind", "danger")
        layout.addWidget(head)
        about = tr(
            "It does not run before you looked at the change. What is gone is struck out, what is new underlined."
        )
        layout.addWidget(label(about, "small", wrap=True))
        view = FittingView(least=2, most=14)
        view.setAccessibleName(tr("The change"))
        view.setHtml(difference(_in_lines(before), _in_lines(self.tool.definition)))
        layout.addWidget(view)
        accept = button(tr("I looked at it: use the tool as it is now"), self._accept, compact=True)
        layout.addWidget(accept, 0, Qt.AlignmentFlag.AlignLeft)
        return card

    def _accept(self) -> None:
        self.accepted.emit(self.tool.name)

    def _make_progress(self) -> QWidget:
        card = frame("inset")
        layout = QHBoxLayout(card)
        layout.setContentsMargins(14, 12, 12, 12)
        layout.setSpacing(16)
        left = QVBoxLayout()
        left.setSpacing(8)
        texts = QHBoxLayout()
        self._progress_title = label(tr("Running"), "strong")
        self._progress_text = Elided("", "small", "muted")
        texts.addWidget(self._progress_title)
        texts.addWidget(self._progress_text, 1)
        left.addLayout(texts)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(tr("Progress"))
        left.addWidget(self._bar)
        layout.addLayout(left, 1)
        layout.addWidget(button(tr("Cancel the call"), self._cancel, compact=True))
        return card

    def _show_input(self, number: int) -> None:
        if number == 1:
            self._raw.setPlainText(json.dumps(self.form.read().content, ensure_ascii=False, indent=2))
        self.form.setVisible(number == 0)
        self._raw.setVisible(number == 1)

    def _run(self) -> None:
        arguments = self._arguments()
        if arguments is None:
            return
        self._problem.hide()
        self.run_button.setEnabled(False)
        self.run.emit(self.tool.name, arguments)

    def _start_over(self, arguments: JsonObject) -> None:
        self.run_button.setEnabled(False)
        self.run.emit(self.tool.name, arguments)

    def _arguments(self) -> JsonObject | None:
        if self._views.checkedId() == 1:
            return self._raw_arguments()
        reading = self.form.read()
        if reading.errors:
            self.form.show_all_errors(reading.errors)
            return None
        return reading.content

    def _raw_arguments(self) -> JsonObject | None:
        try:
            arguments: Any = json.loads(self._raw.text() or "{}")
        except json.JSONDecodeError as error:
            place = tr("This is not JSON yet (line {line}, column {column}).")
            self._complain(place.format(line=error.lineno, column=error.colno))
            return None
        if not isinstance(arguments, dict):
            self._complain(tr("The arguments must be one JSON object."))
            return None
        return cast("JsonObject", arguments)

    def _complain(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.show()

    def _cancel(self) -> None:
        if self._call is not None:
            self._progress_title.setText(tr("Cancelling…"))
            self.cancel.emit(self._call.id)

    def _tick(self) -> None:
        if self._call is not None:
            self._show_progress(self._call)

    def _show_progress(self, state: CallState) -> None:
        if state.total and state.progress is not None:
            self._bar.setRange(0, 1000)
            self._bar.setValue(min(1000, round(1000 * state.progress / state.total)))
        else:
            self._bar.setRange(0, 0)
        if state.progress is None:
            self._progress_title.setText(tr("Running"))
        seconds = ago(time.time() - state.started)
        amount = (
            f"{state.progress:g}" + (f" / {state.total:g}" if state.total else "") if state.progress is not None else ""
        )
        self._progress_text.set_whole(" · ".join(part for part in (state.progress_text or amount, seconds) if part))


def _hints(tool: ToolInfo) -> list[tuple[str, str]]:
    """The server's word about its tool; never a promise (FEAT-04)."""
    found: list[tuple[str, str]] = []
    if tool.read_only:
        found.append((tr("Read-only"), "ok"))
    elif tool.destructive:
        found.append((tr("Can destroy"), "warn"))
    if tool.open_world:
        found.append((tr("Open world"), ""))
    return found
