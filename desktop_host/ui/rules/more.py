"""The conditions of a rule that most rules do not have, and what comes with being allowed; folded away at first."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, QTimeZone, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_host.policy.conditions import CONDITIONS
from desktop_host.policy.rules import Day, Hours, Kind, Rule, When
from desktop_host.terms.asks import Effect, Obligations
from desktop_host.terms.messages import Message
from desktop_host.ui.rules.fields import number_field, parted
from desktop_host.ui.text import tr, words
from desktop_host.ui.widgets.basics import button, label

_YES_OR_NO = (
    "has_tools", "secrets_found", "personal_found", "credential_fields", "look_alike", "read_only_hint",
    "destructive_hint",
)  # fmt: skip
_DAYS: tuple[Day, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class MoreConditions(QWidget):
    """Fields for the rarer members of a rule, those that its kinds can have.

    Signals:
        changed: something else is wanted now.
    """

    changed = Signal()

    def __init__(self, rule: Rule) -> None:
        super().__init__()
        self._rule = rule
        self._rows: dict[str, tuple[QWidget, ...]] = {}
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(8)
        self.unfold = button(tr("More conditions"), self._unfold, "quiet", "chevron-down")
        outer.addWidget(self.unfold, 0, Qt.AlignmentFlag.AlignLeft)
        self._inner = QWidget()
        self._grid = QGridLayout(self._inner)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        outer.addWidget(self._inner)
        when = rule.when
        self._choices = {name: self._choice(name, getattr(when, name)) for name in _YES_OR_NO}
        self.contents = self._line("content_types", tr("Contents"), when.content_types, "text, image, audio")
        self.fields = self._line("fields_subset_of", tr("Only these fields"), when.fields_subset_of, "name, email")
        self.prompt = number_field(when.prompt_tokens_le or 0, 1_000_000, tr("{n} tokens"), tr("Any length"))
        self.prompt.valueChanged.connect(self._tell)
        self._add("prompt_tokens_le", tr("Prompt of up to"), self.prompt)
        schemes = tuple(filter(None, [when.url_scheme]))
        self.scheme = self._line("url_scheme", tr("Link begins with"), schemes, "https")
        digests = tuple(filter(None, [when.tool_digest]))
        self.digest = self._line("tool_digest", tr("Tool’s definition"), digests, "3f9a…")
        self._make_hours(when.hours)
        self._make_obligations(rule.obligations or Obligations())
        self._inner.setVisible(self._used())
        self.unfold.setVisible(not self._used())

    def arrange(self, kinds: Iterable[Kind], effect: Effect) -> None:
        """Show what rules of these kinds can have."""
        kinds = set(kinds)
        for name, widgets in self._rows.items():
            if name == "obligations":
                fits = effect is Effect.ALLOW
            elif name == "clamp":
                fits = effect is Effect.ALLOW and Kind.REQUEST in kinds
            else:
                fits = bool(kinds & CONDITIONS[name].kinds)
            for widget in widgets:
                widget.setVisible(fits)

    def apply(self, rule: Rule) -> Rule:
        """The rule with what the fields say, as far as its kinds can have it. Raises ValueError."""
        kinds, changes = set(rule.kinds), dict[str, Any]()
        for name, choice in self._choices.items():
            changes[name] = choice.currentData()
        changes["content_types"] = parted(self.contents.text())
        changes["fields_subset_of"] = parted(self.fields.text())
        changes["hours"] = self._hours()
        changes["prompt_tokens_le"] = self.prompt.value() or None
        changes["url_scheme"] = self.scheme.text().strip().casefold() or None
        changes["tool_digest"] = self.digest.text().strip() or None
        fitting = {name: value if kinds & CONDITIONS[name].kinds else None for name, value in changes.items()}
        when: When = replace(rule.when, **fitting)
        return replace(rule, when=when, obligations=self._obligations(kinds) if rule.effect is Effect.ALLOW else None)

    def _unfold(self) -> None:
        self._inner.show()
        self.unfold.hide()
        self.window().adjustSize()

    def _used(self) -> bool:
        """The rule has some of these already."""
        when = self._rule.when
        lines = ("content_types", "fields_subset_of", "hours", "prompt_tokens_le", "url_scheme", "tool_digest")
        rare = (*_YES_OR_NO, *lines)
        return self._rule.obligations is not None or any(getattr(when, name) is not None for name in rare)

    def _add(self, name: str, title: str, *editors: QWidget) -> None:
        head = label(title, "label")
        line = self._grid.rowCount()
        self._grid.addWidget(head, line, 0)
        if len(editors) == 1:
            editors[0].setAccessibleName(title)
            self._grid.addWidget(editors[0], line, 1)
        else:
            box = QHBoxLayout()
            box.setSpacing(8)
            for editor in editors:
                box.addWidget(editor)
            box.addStretch(1)
            self._grid.addLayout(box, line, 1)
        self._rows[name] = (head, *editors)

    def _choice(self, name: str, value: bool | None) -> QComboBox:
        choice = QComboBox()
        choice.addItem(tr("Either way"), None)
        for wanted in (True, False):
            choice.addItem(words(Message(f"when.{name}.{'yes' if wanted else 'no'}")), wanted)
        choice.setCurrentIndex(max(choice.findData(value), 0))
        choice.activated.connect(self._tell)
        title = {
            "has_tools": tr("Tools in the request"),
            "secrets_found": tr("Secrets"),
            "personal_found": tr("Personal data"),
            "credential_fields": tr("Passwords"),
            "look_alike": tr("Look of the host"),
            "read_only_hint": tr("Reading only"),
            "destructive_hint": tr("Destroying"),
        }[name]
        self._add(name, title, choice)
        return choice

    def _line(self, name: str, title: str, value: tuple[str, ...] | None, example: str) -> QLineEdit:
        line = QLineEdit(", ".join(value or ()))
        line.setPlaceholderText(tr("Any; for example {example}").format(example=example))
        line.textChanged.connect(self._tell)
        self._add(name, title, line)
        return line

    def _make_hours(self, hours: Hours | None) -> None:
        self.start, self.end = (QLineEdit(getattr(hours, name) if hours else "") for name in ("start", "end"))
        for editor, name, example in ((self.start, tr("From"), "09:00"), (self.end, tr("To"), "17:00")):
            editor.setPlaceholderText(example)
            editor.setAccessibleName(name)
            editor.setMaximumWidth(72)
            editor.textChanged.connect(self._tell)
        names = (tr("Mon"), tr("Tue"), tr("Wed"), tr("Thu"), tr("Fri"), tr("Sat"), tr("Sun"))
        self._days = dict[Day, QCheckBox]()
        for day, name in zip(_DAYS, names, strict=True):
            box = self._days[day] = QCheckBox(name)
            box.setChecked(hours is None or day in hours.days)
            box.clicked.connect(self._tell)
        self._add("hours", tr("Hours"), self.start, self.end, *self._days.values())

    def _make_obligations(self, duties: Obligations) -> None:
        self._duties = {
            "secrets": QCheckBox(tr("Mask secrets")),
            "personal": QCheckBox(tr("Mask personal data")),
            "notify": QCheckBox(tr("Tell me")),
            "review": QCheckBox(tr("I review the answer")),
        }
        on = {**dict.fromkeys(duties.redact, True), "notify": duties.notify, "review": duties.review_response}
        for name, box in self._duties.items():
            box.setChecked(on.get(name, False))
            box.clicked.connect(self._tell)
        self.clamp = number_field(duties.clamp_max_tokens or 0, 1_000_000, tr("{n} tokens"), tr("As long as asked for"))
        self.clamp.valueChanged.connect(self._tell)
        self._add("obligations", tr("When it is allowed"), *self._duties.values())
        self._add("clamp", tr("Shorten the answer to"), self.clamp)

    def _hours(self) -> Hours | None:
        start, end = self.start.text().strip(), self.end.text().strip()
        if not start and not end:
            return None
        days: tuple[Day, ...] = tuple(day for day, box in self._days.items() if box.isChecked())
        zone = self._rule.when.hours.tz if self._rule.when.hours else _own_zone()
        return Hours(start, end, days if days else _DAYS, zone)

    def _obligations(self, kinds: set[Kind]) -> Obligations | None:
        before = self._rule.obligations or Obligations()
        on = {name: box.isChecked() for name, box in self._duties.items()}
        redact = tuple(kind for kind in ("secrets", "personal") if on[kind])
        clamp = self.clamp.value() or None if Kind.REQUEST in kinds else None
        made = replace(before, redact=redact, notify=on["notify"], review_response=on["review"], clamp_max_tokens=clamp)
        return None if made == Obligations() else made

    def _tell(self, *_: object) -> None:
        self.changed.emit()


def _own_zone() -> str:
    """The time zone of this computer, UTC where its name is not known."""
    name = bytes(QTimeZone.systemTimeZoneId().data()).decode("ascii", errors="replace")
    try:
        return Hours("00:00", "00:00", tz=name).tz
    except ValueError:
        return "UTC"
