"""The window that makes or changes a rule: its sentence, then what changes it, then what it would have decided."""

import dataclasses
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_host.policy.conditions import CONDITIONS
from desktop_host.policy.facts import ServerFacts
from desktop_host.policy.narrowest import server_match
from desktop_host.policy.rules import Kind, Rate, Rule
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.rules.coverage import Coverage
from desktop_host.ui.rules.fields import number_field, parted
from desktop_host.ui.rules.more import MoreConditions
from desktop_host.ui.rules.words import all_of, effect_words, rich_sentence, sentence
from desktop_host.ui.text import since, tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import frame, label, marked_label, picture
from desktop_host.ui.widgets.sheet import Sheet

_PAUSE = 300
"""Milliseconds without a change after which the record is asked."""
_BETWEEN = 6
_SESSION, _KEPT = "session", "kept"
_KINDS = (
    (Kind.REQUEST,),
    (Kind.RESPONSE,),
    (Kind.REQUEST, Kind.RESPONSE),
    (Kind.TOOL_CALL,),
    (Kind.FORM,),
    (Kind.LINK,),
    (Kind.ROOTS,),
    (Kind.CONNECT,),
)
_ALLOWED = frozenset((Kind.REQUEST, Kind.RESPONSE, Kind.ROOTS, Kind.TOOL_CALL))
_SAMPLING = frozenset((Kind.REQUEST, Kind.RESPONSE))


class RuleDialog(Sheet):
    """A rule in a form. `asked`: it is proposed beside an ask, so that what it is about is fixed.

    Signals:
        saved: the rule is kept.
    """

    saved = Signal()

    def __init__(
        self,
        bridge: Bridge,
        rule: Rule,
        parent: QWidget,
        *,
        title: str,
        servers: tuple[ServerFacts, ...] = (),
        asked: bool = False,
    ) -> None:
        about = tr("This becomes one of your rules. You can change or remove it at any time.")
        super().__init__(parent, title, about=about)
        self._bridge = bridge
        self._rule = rule
        self._asked = asked
        self._names = {one.fingerprint: one.name for one in servers if one.fingerprint}
        layout = self.body
        card = frame("inset")
        inner = QVBoxLayout(card)
        inner.setContentsMargins(14, 12, 14, 12)
        self.sentence = marked_label()
        inner.addWidget(self.sentence)
        layout.addWidget(card)
        layout.addSpacing(12)
        layout.addLayout(self._make_fields(servers))
        layout.addSpacing(8)
        self.more = MoreConditions(rule)
        self.more.setVisible(not asked)
        self.more.changed.connect(self._changed)
        layout.addWidget(self.more)
        layout.addSpacing(12)
        self._coverage = Coverage(bridge)
        layout.addWidget(self._coverage)
        layout.addSpacing(8)
        layout.addLayout(self._make_floors())
        layout.addStretch(1)
        self._problem = label("", "small", "bad", wrap=True)
        layout.addWidget(self._problem)
        self.add_close(tr("Cancel"))
        self.save = self.add_button(tr("Save the rule"), self._save, "primary")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._try)
        self._first = self._made()
        self._changed()
        (self.until if asked else self.effect).setFocus()
        self.resize(640, self.sizeHint().height())

    def rule(self) -> Rule:
        """The rule as the fields say it; what they cannot show is as it was, where nobody changed it."""
        return _changed_only(self._rule, self._first, self._made())

    def _made(self) -> Rule:
        kinds = self._kind_list()
        when = replace(self._rule.when, server=self._server(), tool=self.tool.text().strip() or None)
        if _SAMPLING & set(kinds):
            when = replace(when, model_in=self._models(), max_tokens_le=self.tokens.value() or None)
        else:
            when = replace(when, model_in=None, max_tokens_le=None)
        host = self.host.text().strip()
        when = replace(when, url_host=host or None if Kind.LINK in kinds else None)
        effect = self._effect()
        allows = effect is Effect.ALLOW
        rate = self.rate.value()
        made = replace(
            self._rule,
            effect=effect,
            kinds=kinds,
            when=when,
            rate=Rate(rate, 60) if allows and rate else None,
            expires=self._expires(),
            reason=self.reason.text().strip(),
            obligations=self._rule.obligations if allows else None,
        )
        return made if self._asked else self.more.apply(made)

    def _make_fields(self, servers: tuple[ServerFacts, ...]) -> QGridLayout:
        rule = self._rule
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        self._fields: dict[str, tuple[QWidget, QWidget]] = {}
        self.effect = _combo([(effect_words(one), one.value) for one in (Effect.ALLOW, Effect.ASK, Effect.DENY)])
        self.effect.setCurrentIndex(self.effect.findData(rule.effect.value))
        kinds = _KINDS if rule.kinds in _KINDS else (rule.kinds, *_KINDS)
        self.kinds = _combo([(_kind_words(one), list(one)) for one in kinds])
        self.kinds.setCurrentIndex(kinds.index(rule.kinds))
        self.server = _combo([(tr("Any server"), "")])
        for one in servers:
            self.server.addItem(one_line(one.name), one.fingerprint)
        self._servers: Mapping[str, ServerFacts] = {one.fingerprint: one for one in servers}
        known = rule.when.server
        if known is not None and (known.fingerprint or "") not in self._servers:
            name = known.server_url or " ".join(known.server_command or ()) or known.server_name or ""
            self.server.addItem(one_line(name), _KEPT)
        there = known is not None and known.fingerprint in self._servers
        self.server.setCurrentIndex(max(self.server.findData(known.fingerprint if known and there else _KEPT), 0))
        self.tool = _line(rule.when.tool or "", tr("Any; * stands for anything"))
        choices = {tr("Any model"): None, tr("Any model on this computer"): ("local/*",)}
        wanted = rule.when.model_in
        if wanted not in choices.values():
            choices = {tr("{model} only").format(model=", ".join(map(one_line, wanted or ()))): wanted, **choices}
        self._model_choices = choices
        self.model = _combo([(text, text) for text in choices])
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.model.setCurrentIndex(list(choices.values()).index(wanted))
        self.tokens = number_field(rule.when.max_tokens_le or 0, 1_000_000, tr("{n} tokens"), tr("Any length"))
        self.host = _line(rule.when.url_host or "", tr("Any; *.example.org for all below it"))
        self.rate = number_field(_a_minute(rule.rate), 1000, tr("{n} a minute"), tr("As often as it likes"))
        self.until = _combo(_times(rule))
        self.reason = _line(rule.reason, tr("Shown with every decision"))
        rows: list[tuple[str, str, QComboBox | QLineEdit | QSpinBox]] = [
            ("effect", tr("What happens"), self.effect),
            ("kinds", tr("With"), self.kinds),
            ("server", tr("From"), self.server),
            ("tool", tr("Tool"), self.tool),
            ("model", tr("Model"), self.model),
            ("tokens", tr("Longest answer"), self.tokens),
            ("host", tr("Host"), self.host),
            ("rate", tr("At most"), self.rate),
            ("until", tr("Until"), self.until),
            ("reason", tr("Reason"), self.reason),
        ]
        for name, title, editor in rows:
            head = label(title, "label")
            head.setBuddy(editor)
            editor.setAccessibleName(title)
            self._fields[name] = (head, editor)
            if isinstance(editor, QComboBox):
                editor.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
                editor.setMinimumContentsLength(12)
                editor.activated.connect(self._changed)
                editor.editTextChanged.connect(self._changed)
            elif isinstance(editor, QLineEdit):
                editor.textChanged.connect(self._changed)
            else:
                editor.valueChanged.connect(self._changed)
        self._grid = grid
        return grid

    def _arrange(self) -> None:
        """The fields that this rule can have, in two columns."""
        kinds, allows = set(self._kind_list()), self._effect() is Effect.ALLOW
        wanted = {
            "effect": not self._asked,
            "kinds": not self._asked,
            "server": not self._asked,
            "tool": Kind.CONNECT not in kinds and not self._asked,
            "model": bool(kinds & _SAMPLING),
            "tokens": bool(kinds & _SAMPLING),
            "host": Kind.LINK in kinds,
            "rate": allows,
            "until": True,
            "reason": not self._asked,
        }
        shown = [name for name in self._fields if wanted[name]]
        for name, pair in self._fields.items():
            for widget in pair:
                widget.setVisible(name in shown)
                self._grid.removeWidget(widget)
        for line in range(self._grid.rowCount()):
            self._grid.setRowMinimumHeight(line, 0)
        for place, name in enumerate(shown):
            head, editor = self._fields[name]
            line = place // 2 * 3
            self._grid.addWidget(head, line, place % 2)
            self._grid.addWidget(editor, line + 1, place % 2)
            self._grid.setRowMinimumHeight(line + 2, _BETWEEN)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1)

    def _make_floors(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(picture("shield-check", "muted", 16), 0, Qt.AlignmentFlag.AlignTop)
        about = tr("You are still asked when a secret is found, a tool changes or the server is no longer the same.")
        self._floors = label(about, "caption", "muted", wrap=True)
        line.addWidget(self._floors, 1)
        return line

    # what the fields say

    def _kind_list(self) -> tuple[Kind, ...]:
        return tuple(Kind(one) for one in self.kinds.currentData())

    def _effect(self) -> Effect:
        return Effect(self.effect.currentData())

    def _models(self) -> tuple[str, ...] | None:
        """What was chosen, or typed: names with commas between."""
        text = self.model.currentText().strip()
        if text in self._model_choices:
            return self._model_choices[text]
        return parted(text)

    def _server(self) -> Any:
        chosen = str(self.server.currentData())
        if chosen == _KEPT:
            return self._rule.when.server
        known = self._servers.get(chosen)
        return None if known is None else server_match(known)

    def _expires(self) -> datetime | None:
        chosen = str(self.until.currentData())
        if chosen == _KEPT:
            return self._rule.expires
        seconds = int(chosen) if chosen.isdigit() else 0
        return datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=seconds) if seconds else None

    def _changed(self, *_: object) -> None:
        self._arrange()
        kinds = set(self._kind_list())
        self.more.arrange(kinds, self._effect())
        useless = self._effect() is Effect.ALLOW and not kinds <= _ALLOWED
        self._problem.setText(
            tr("This always comes to you: a rule cannot allow it. Choose Ask or Deny.") if useless else ""
        )
        self.save.setEnabled(not useless)
        try:
            rule = self.rule()
        except ValueError as error:
            self._problem.setText(words(Message("policy.bad_value", (("what", str(error)),))))
            self.save.setEnabled(False)
            return
        self.sentence.setText(rich_sentence(rule, self._names))
        self.sentence.setAccessibleName(sentence(rule, self._names))
        self._pause.start()

    def _try(self) -> None:
        """Ask the record what the rule would have decided."""
        if not self.save.isEnabled():
            return
        self._coverage.try_rule(self.rule())

    def _save(self) -> None:
        rule = self.rule()
        for_session = self.until.currentData() == _SESSION
        self.save.setEnabled(False)
        self._bridge.send(lambda engine: engine.put_rule(rule, for_session=for_session), self._kept, self)

    def _kept(self, problem: Message | None) -> None:
        self.save.setEnabled(True)
        if problem is not None:
            self._problem.setText(words(problem))
            return
        self.saved.emit()
        self.accept()


def _changed_only(before: Rule, first: Rule, now: Rule) -> Rule:
    """`before` with what is another in `now` than the fields said at first."""

    def changes(first: Any, now: Any) -> dict[str, Any]:
        return {
            one.name: getattr(now, one.name)
            for one in dataclasses.fields(now)
            if getattr(now, one.name) != getattr(first, one.name)
        }

    when = replace(before.when, **changes(first.when, now.when))
    if now.kinds != first.kinds:
        unfit = (one.name for one in CONDITIONS.values() if not one.kinds & set(now.kinds))
        when = replace(when, **dict.fromkeys(unfit))
    return replace(before, **{**changes(first, now), "when": when})


def _kind_words(kinds: tuple[Kind, ...]) -> str:
    text = all_of([words(Message(f"kind.{kind.value}")) for kind in kinds])
    return text[:1].upper() + text[1:]


def _combo(items: list[tuple[str, Any]]) -> QComboBox:
    result = QComboBox()
    for text, data in items:
        result.addItem(text, data)
    return result


def _line(text: str, placeholder: str) -> QLineEdit:
    result = QLineEdit(text)
    result.setPlaceholderText(placeholder)
    return result


def _a_minute(rate: Rate | None) -> int:
    return 0 if rate is None else max(1, round(rate.count * 60 / rate.per_seconds))


def _times(rule: Rule) -> list[tuple[str, str]]:
    found = [
        (tr("For good"), ""),
        (tr("Until the program ends"), _SESSION),
        (tr("For an hour"), "3600"),
        (tr("For a day"), "86400"),
        (tr("For 30 days"), str(30 * 86_400)),
    ]
    if rule.expires is None:
        return found
    over = rule.expires.timestamp() <= time.time()
    pattern = tr("It ended {when}") if over else tr("As before, it ends {when}")
    return [(pattern.format(when=since(rule.expires.timestamp())), _KEPT), *found]
