"""The Rules page: what is decided for the person, and what always comes to them, the strictest layer first."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QFrame, QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from desktop_host.policy.narrowest import new_id
from desktop_host.policy.rules import Kind, Rule
from desktop_host.terms.asks import Effect, Layer, Severity
from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.rules.dialog import RuleDialog
from desktop_host.ui.rules.simulation import SimulationDialog
from desktop_host.ui.rules.words import EFFECTS, TONES, effect_words, layer_words, rich_sentence, sentence
from desktop_host.ui.text import since, tr, words
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import (
    FindingView,
    badge,
    button,
    clear_layout,
    frame,
    icon_button,
    label,
    marked_label,
    picture,
    scroll_area,
    search_field,
)

if TYPE_CHECKING:  # it brings pydantic, which the first paint shall not wait for
    from desktop_host.policy.decide import Placed
    from desktop_host.policy.policies import RulesState

_EFFECT_WIDTH, _LAYER_WIDTH, _ACTIONS_WIDTH = 104, 112, 76


class RulesPage(QFrame):
    """Cards by layer; what is the person's can be changed, what an administrator laid down can be read."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "window")
        self._bridge = bridge
        self._state: RulesState | None = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._make_head())
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(24, 16, 24, 24)
        self._list.setSpacing(8)
        outer.addWidget(scroll_area(inner, tr("Rules")), 1)
        bridge.rules_changed.connect(self._renew)

    def refresh(self) -> None:
        """Read the rules anew."""
        self._bridge.send(lambda engine: engine.rules(), self._show, self)

    def _make_head(self) -> QFrame:
        head = frame("head")
        layout = QVBoxLayout(head)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(12)
        top = QHBoxLayout()
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(label(tr("Rules"), "page"))
        about = tr("What is decided for you, and what always comes to you. The strictest rule wins, in any order.")
        titles.addWidget(label(about, "small", "muted", wrap=True))
        top.addLayout(titles, 1)
        self.simulate = button(tr("Simulate…"), self._simulate, icon_name="flask")
        self.new = button(tr("New rule"), self._new, "primary", "plus")
        for one in (self.simulate, self.new):
            top.addWidget(one, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(top)
        bar = QHBoxLayout()
        bar.setSpacing(12)
        self._search = search_field(tr("Search rules"), self._draw)
        bar.addWidget(self._search, 1)
        bar.addWidget(self._make_segments())
        self.suspend = QCheckBox(tr("Ask me about everything"))
        self.suspend.setToolTip(words(Message("setting.rules.suspended.help")))
        self.suspend.clicked.connect(self._suspend)
        bar.addWidget(self.suspend)
        layout.addLayout(bar)
        return head

    def _make_segments(self) -> QFrame:
        segments = frame("segments")
        inner = QHBoxLayout(segments)
        inner.setContentsMargins(2, 2, 2, 2)
        inner.setSpacing(2)
        self._effects = QButtonGroup(self)
        for number in range(1 + len(EFFECTS)):
            one = button("", role="segment")
            one.setCheckable(True)
            one.setChecked(number == 0)
            self._effects.addButton(one, number)
            inner.addWidget(one)
        self._effects.idClicked.connect(self._draw)
        return segments

    def _renew(self) -> None:
        if self.isVisible():
            self.refresh()

    def _show(self, state: "RulesState") -> None:
        self._state = state
        self.suspend.setChecked(state.suspended)
        counts = [sum(one.rule.effect is effect for one in state.rules) for effect in EFFECTS]
        names = [tr("All"), *(effect_words(effect) for effect in EFFECTS)]
        for number, (name, count) in enumerate(zip(names, [len(state.rules), *counts], strict=True)):
            self._effects.button(number).setText(f"{name} {count}")
        self._draw()

    def _draw(self, *_: object) -> None:
        state = self._state
        if state is None:
            return
        clear_layout(self._list)
        if state.restricted is not None:
            title = tr("You are asked about everything") if state.suspended else tr("No rule allows anything now")
            severity = Severity.WARNING if state.suspended else Severity.DANGER
            self._list.addWidget(FindingView(severity, title, words(state.restricted)))
        elif state.user_allows_off is not None:
            title = tr("Rules of yours allow nothing now")
            self._list.addWidget(FindingView(Severity.WARNING, title, words(state.user_allows_off)))
        self._section(tr("Always so"), tr("Built in. No rule can lift these."))
        self._list.addWidget(_card([_floors()]))
        managed = [one for one in state.rules if one.layer is Layer.MANAGED]
        if state.managed:
            pattern = tr("{files}, read {when}. Only stricter rules of yours count.")
            files = ", ".join(one_line(one.source) for one in state.managed)
            self._section(tr("From your administrator"), pattern.format(files=files, when=since(state.read)))
            nothing = tr("No rules of this kind.")
            self._list.addWidget(_card([self._row(one) for one in managed if self._wanted(one)], nothing))
        own = [one for one in state.rules if one.layer in (Layer.USER, Layer.SESSION)]
        count = tr("1 rule") if len(own) == 1 else tr("{n} rules").format(n=len(own))
        self._section(tr("Yours"), f"{one_line(state.file)}, {count}")
        nothing = tr("None yet. “Allow this from now on” in a question makes one, and so does New rule.")
        if own:
            nothing = tr("No rules of this kind.")
        self._list.addWidget(_card([self._row(one) for one in own if self._wanted(one)], nothing))
        for problem in state.problems:
            self._list.addWidget(label(words(problem), "small", "bad", wrap=True))
        self._list.addStretch(1)

    def _section(self, title: str, about: str) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(2, 8, 2, 0)
        line.setSpacing(10)
        line.addWidget(label(title, "title"))
        line.addWidget(label(about, "small", "muted", wrap=True), 1)
        self._list.addLayout(line)

    def _wanted(self, placed: "Placed") -> bool:
        chosen = self._effects.checkedId()
        if chosen > 0 and placed.rule.effect is not list(EFFECTS)[chosen - 1]:
            return False
        text = self._search.text().strip().casefold()
        return not text or text in f"{sentence(placed.rule, self._names())} {placed.rule.id}".casefold()

    def _names(self) -> dict[str, str]:
        servers = self._state.servers if self._state is not None else ()
        return {one.fingerprint: one_line(one.name) for one in servers}

    def _row(self, placed: "Placed") -> QWidget:
        assert self._state is not None
        rule, layer = placed.rule, placed.layer
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(16, 10, 12, 10)
        line.setSpacing(12)
        line.addWidget(_effect_badge(rule.effect))
        texts = QVBoxLayout()
        texts.setSpacing(2)
        text = marked_label(rich_sentence(rule, self._names()))
        text.setAccessibleName(sentence(rule, self._names()))
        texts.addWidget(text)
        texts.addWidget(label(self._caption(placed), "caption", "muted", wrap=True))
        for oddity in self._state.oddities.get((layer, rule.id), ()):
            texts.addWidget(label(words(oddity), "caption", "warn", wrap=True))
        line.addLayout(texts, 1)
        whose = badge(layer_words(layer))
        holder = _fixed(whose, _LAYER_WIDTH)
        line.addWidget(holder)
        line.addWidget(self._actions(placed))
        return row

    def _caption(self, placed: "Placed") -> str:
        assert self._state is not None
        rule = placed.rule
        use = self._state.uses.get(rule.id)
        parts = [tr("Not used yet")] if use is None else []
        if use is not None:
            pattern = tr("Used once, {when}") if use.count == 1 else tr("Used {n} times, last {when}")
            parts.append(pattern.format(n=use.count, when=since(use.last)))
        if rule.reason:
            parts.append(tr("reason: {reason}").format(reason=visible(rule.reason)))
        return " · ".join(parts)

    def _actions(self, placed: "Placed") -> QWidget:
        if placed.layer is Layer.MANAGED:
            return _locked(tr("Laid down by your administrator"))
        edit = icon_button("pencil", tr("Change this rule"))
        edit.clicked.connect(partial(self._edit, placed.rule))
        more = icon_button("dots", tr("More"))
        menu = QMenu(more)
        remove = QAction(tr("Remove this rule"), menu)
        remove.triggered.connect(partial(self._remove, placed.rule))
        menu.addAction(remove)
        more.setMenu(menu)
        more.setPopupMode(more.ToolButtonPopupMode.InstantPopup)
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addStretch(1)
        line.addWidget(edit)
        line.addWidget(more)
        holder.setFixedWidth(_ACTIONS_WIDTH)
        return holder

    def _new(self) -> None:
        self._open(Rule(new_id(Effect.DENY), Effect.DENY, (Kind.LINK,)), tr("New rule"))

    def _edit(self, rule: Rule, *_: object) -> None:
        self._open(rule, tr("Change a rule"))

    def _open(self, rule: Rule, title: str) -> None:
        servers = self._state.servers if self._state is not None else ()
        dialog = RuleDialog(self._bridge, rule, self, title=title, servers=servers)
        dialog.saved.connect(self.refresh)
        dialog.open()

    def _remove(self, rule: Rule, *_: object) -> None:
        self._bridge.send(lambda engine: engine.remove_rule(rule.id), self._told, self)

    def _suspend(self, checked: bool) -> None:
        self._bridge.send(lambda engine: engine.suspend_rules(checked), self._told, self)

    def _simulate(self) -> None:
        SimulationDialog(self._bridge, self).open()

    def _told(self, problem: Message | None) -> None:
        self.refresh()
        if problem is not None:
            self._list.insertWidget(0, label(words(problem), "small", "bad", wrap=True))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()


def _card(rows: list[QWidget], nothing: str = "") -> QFrame:
    card = frame("card")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for number, row in enumerate(rows):
        if number:
            layout.addWidget(frame("rule"))
        layout.addWidget(row)
    if not rows:
        text = label(nothing, "body", "muted", wrap=True)
        text.setContentsMargins(16, 12, 16, 12)
        layout.addWidget(text)
    return card


def _floors() -> QWidget:
    row = QWidget()
    line = QHBoxLayout(row)
    line.setContentsMargins(16, 10, 12, 10)
    line.setSpacing(12)
    line.addWidget(_effect_badge(Effect.ASK))
    texts = QVBoxLayout()
    texts.setSpacing(2)
    texts.addWidget(label(tr("A found secret, a changed tool or a new server always comes to you."), "body", wrap=True))
    about = tr("A link never opens by itself; a form is never accepted for you.")
    texts.addWidget(label(about, "caption", "muted", wrap=True))
    line.addLayout(texts, 1)
    line.addWidget(_fixed(badge(layer_words(Layer.FLOOR)), _LAYER_WIDTH))
    line.addWidget(_locked(tr("Built in")))
    return row


def _effect_badge(effect: Effect) -> QWidget:
    name, kind = EFFECTS[effect]
    ground = frame("badge", kind)
    line = QHBoxLayout(ground)
    line.setContentsMargins(8, 2, 8, 2)
    line.setSpacing(6)
    line.addWidget(picture(name, TONES[effect], 14))
    text = label(effect_words(effect), "caption", TONES[effect])
    font = text.font()
    font.setWeight(font.Weight.DemiBold)
    text.setFont(font)
    line.addWidget(text)
    ground.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return _fixed(ground, _EFFECT_WIDTH)


def _locked(why: str) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 8, 0)
    line.addStretch(1)
    line.addWidget(picture("lock", "muted", 16, why))
    holder.setFixedWidth(_ACTIONS_WIDTH)
    return holder


def _fixed(widget: QWidget, width: int) -> QWidget:
    """In a column of this width, at its left edge."""
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(widget)
    line.addStretch(1)
    holder.setFixedWidth(width)
    return holder
