"""An entry of the audit log: in words, for a row of the table, and with everything known about it, beside the table."""

import json
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.audit.chain import RETENTION
from desktop_host.audit.reading import Entry, message_of, steps_of
from desktop_host.elicitation.address import read_address
from desktop_host.policy.facts import Facts, facts_of
from desktop_host.policy.narrowest import narrowest
from desktop_host.terms.asks import AskKind, Effect, Outcome, Step
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.inbox import ICONS, kind_name
from desktop_host.ui.rules.dialog import RuleDialog
from desktop_host.ui.rules.why import add_step, icon_line
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import breakable, one_line, visible
from desktop_host.ui.widgets.basics import (
    Elided,
    button,
    clear_layout,
    copy_text,
    frame,
    icon_button,
    label,
    picture,
    scroll_area,
)
from desktop_host.ui.widgets.json_view import JsonView

_WIDTH = 340
_MOST_LINES, _MOST_JSON = 12, 4_000
_LOOKS = {
    Outcome.ACCEPT: ("check", "ok"),
    Outcome.DECLINE: ("close", "muted"),
    Outcome.CANCEL: ("close", "muted"),
    Outcome.STOP: ("stop", "muted"),
    Outcome.WITHDRAWN: ("undo", "muted"),
    Outcome.PARKED: ("clock", "warn"),
    Outcome.FAILED: ("warning", "warn"),
    Outcome.REFUSED: ("stop", "bad"),
}
_KINDS = {kind.value: kind for kind in AskKind}
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_FINDINGS = {"danger": "bad", "warning": "warn", "info": "muted"}


class EntryView(QFrame):
    """One entry: how it ended, why, what was asked and what was answered.

    Signals:
        closed: the person wants to see it no longer.
    """

    closed = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self.setFixedWidth(_WIDTH)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(frame("upright"))
        inner = QWidget()
        self._layout = QVBoxLayout(inner)
        self._layout.setContentsMargins(20, 18, 20, 18)
        self._layout.setSpacing(6)
        line.addWidget(scroll_area(inner, tr("Entry")), 1)
        self.hide()

    def show_entry(self, entry: Entry) -> None:
        """Show another entry."""
        clear_layout(self._layout)
        name, token = look(entry)
        head = QHBoxLayout()
        head.addWidget(picture(name, token, 16))
        head.addWidget(label(outcome_words(entry), "label"), 1)
        head.addWidget(icon_button("close", tr("Close"), self.closed.emit))
        self._layout.addLayout(head)
        self._layout.addWidget(label(headline(entry), "title", wrap=True))
        pattern = tr("{server} · during {tool}") if entry.tool else "{server}"
        where = pattern.format(server=one_line(entry.server), tool=one_line(entry.tool))
        self._layout.addWidget(label(where, "small", "muted", wrap=True))
        ended = datetime.fromtimestamp(entry.ended, UTC).astimezone()
        self._layout.addWidget(label(f"{ended:%Y-%m-%d %H:%M:%S}", "small", "muted"))
        self._layout.addWidget(Elided(entry.identity, "code_small", "muted", middle=True))
        self._layout.addSpacing(10)
        self._layout.addWidget(label(tr("Why?"), "label"))
        for icon_name, tone, text in _reasons(entry):
            self._layout.addLayout(icon_line(icon_name, tone, text))
        for title, steps in _steps(entry):
            self._layout.addSpacing(6)
            self._layout.addWidget(label(title, "label"))
            for step in steps:
                add_step(self._layout, step)
        facts = facts_of(cast("dict[str, Any]", entry.record.get("decision") or {}).get("facts"))
        if facts is not None:
            self._layout.addSpacing(6)
            make = button(tr("Make a rule from this…"), partial(self._make_rule, facts), compact=True)
            self._layout.addWidget(make, 0, Qt.AlignmentFlag.AlignLeft)
        self._show_json(tr("What the server asked"), entry.record.get("params"))
        self._show_json(tr("What it was answered"), entry.record.get("answer"))
        self._show_json(tr("What you changed"), entry.record.get("differences"))
        if not entry.record.get("answer"):
            self._layout.addWidget(label(tr("Nothing was sent."), "small", "muted"))
        self._show_details(entry)
        self._layout.addStretch(1)
        copy = button(tr("Copy the whole entry"), partial(_copy, entry), icon_name="copy", compact=True)
        self._layout.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addWidget(label(tr("Entry {n}").format(n=entry.id), "caption", "muted"))
        self.show()

    def _show_details(self, entry: Entry) -> None:
        """The models that ran, and what an administrator looks an entry up by."""
        self._layout.addSpacing(10)
        self._layout.addWidget(label(tr("Details"), "label"))
        opened = datetime.fromtimestamp(entry.opened, UTC).astimezone()
        lines = [
            *_usage(entry),
            tr("Asked at {time}").format(time=f"{opened:%Y-%m-%d %H:%M:%S}"),
            tr("Protocol revision {revision}").format(revision=one_line(entry.revision)) if entry.revision else "",
            tr("Question {id}").format(id=one_line(entry.ask)),
            tr("Hash {hash}").format(hash=entry.hash),
        ]
        for line in filter(None, lines):
            self._layout.addWidget(label(breakable(line), "caption", "muted", wrap=True))

    def _make_rule(self, facts: Facts, *_: object) -> None:
        title = tr("Make a rule from this")
        RuleDialog(self._bridge, narrowest(facts), self.window(), title=title, servers=(facts.server,)).open()

    def _show_json(self, title: str, value: Any) -> None:
        if not value:
            return
        self._layout.addSpacing(10)
        self._layout.addWidget(label(title, "label"))
        view = JsonView(value, most=_MOST_JSON)
        lines = min(json.dumps(value, indent=2).count("\n") + 2, _MOST_LINES)
        view.setFixedHeight(lines * view.fontMetrics().lineSpacing() + 24)
        self._layout.addWidget(view)


def kind_words(kind: str) -> str:
    """A kind of ask in a word or two, with a capital."""
    text = kind_name(_KINDS[kind]) if kind in _KINDS else tr("Record") if kind == RETENTION else kind
    return text[:1].upper() + text[1:]


def headline(entry: Entry) -> str:
    """What an entry is about, on one line."""
    params = cast("dict[str, Any]", entry.record.get("params") or {})
    if entry.kind == RETENTION:
        return tr("{n} older entries were removed").format(n=entry.record.get("count"))
    if entry.kind == AskKind.URL:
        url = str(params.get("url", ""))
        return one_line(read_address(url).contacted or url)
    if isinstance(params.get("message"), str) and params["message"]:
        return one_line(params["message"])
    if entry.kind == AskKind.SAMPLING:
        return one_line(_first_words(params)) or tr("A request to a language model")
    if entry.kind == AskKind.ROOTS:
        return tr("Which folders may it know?")
    if entry.kind == AskKind.TOOL_CALL:
        return tr("A call of {tool}").format(tool=one_line(str(entry.record.get("tool", ""))))
    return one_line(entry.identity)


def outcome_words(entry: Entry) -> str:
    """How it ended, in a word or two."""
    if entry.kind == RETENTION:
        return tr("By your settings")
    if _by_rule(entry):
        return tr("A rule allowed it")
    if entry.outcome == Outcome.ACCEPT and entry.record.get("edits"):
        return tr("You edited")
    outcome = _OUTCOMES.get(entry.outcome)
    return outcome_names()[outcome] if outcome is not None else entry.outcome


def outcome_names() -> dict[Outcome, str]:
    """Every way in which an ask ends."""
    return {
        Outcome.ACCEPT: tr("You agreed"),
        Outcome.DECLINE: tr("You declined"),
        Outcome.CANCEL: tr("Cancelled"),
        Outcome.STOP: tr("Call stopped"),
        Outcome.WITHDRAWN: tr("Withdrawn"),
        Outcome.PARKED: tr("Kept for later"),
        Outcome.FAILED: tr("Failed"),
        Outcome.REFUSED: tr("Refused"),
    }


def _by_rule(entry: Entry) -> bool:
    """Rules let it through, and the person saw nothing of it."""
    decisions = [entry.record[name] for name in ("decision", "response") if entry.record.get(name)]
    effects = [cast("dict[str, Any]", one).get("effect") for one in decisions]
    return entry.outcome == Outcome.ACCEPT and bool(effects) and all(one == Effect.ALLOW for one in effects)


def _first_words(params: dict[str, Any]) -> str:
    messages: Any = params.get("messages")
    for message in cast("list[Any]", messages) if isinstance(messages, list) else []:
        content: Any = cast("dict[str, Any]", message).get("content") if isinstance(message, dict) else None
        blocks = cast("list[Any]", content) if isinstance(content, list) else [content]
        for block in blocks:
            text: Any = cast("dict[str, Any]", block).get("text") if isinstance(block, dict) else None
            if isinstance(text, str) and text.strip():
                return text[:300]
    return ""


def look(entry: Entry) -> tuple[str, str]:
    """The icon of how it ended, and its colour."""
    if _by_rule(entry):
        return "rules", "ok"
    if entry.outcome == Outcome.ACCEPT and entry.record.get("edits"):
        return "pencil", "accent_text"
    outcome = _OUTCOMES.get(entry.outcome)
    return _LOOKS[outcome] if outcome is not None else ("info", "muted")


def kind_icon(entry: Entry) -> str:
    """The icon of its kind."""
    kind = _KINDS.get(entry.kind)
    return ICONS.get(kind, "ask") if kind is not None else "ask"


def finding_tone(entry: Entry) -> str:
    """The colour of its first finding."""
    findings = cast("list[dict[str, Any]]", entry.record.get("findings") or [])
    return _FINDINGS.get(str(findings[0].get("severity")), "muted") if findings else "muted"


def finding_words(entry: Entry) -> str:
    """Its first finding on one line."""
    findings = cast("list[dict[str, Any]]", entry.record.get("findings") or [])
    return one_line(_sentence(findings[0].get("text"))) if findings else "—"


def _reasons(entry: Entry) -> list[tuple[str, str, str]]:
    """Icon, tone and words of what led to the outcome, strongest first."""
    record = entry.record
    findings = cast("list[dict[str, Any]]", record.get("findings") or [])
    lines = [
        ("warning", _FINDINGS.get(str(one.get("severity")), "muted"), _sentence(one.get("text"))) for one in findings
    ]
    decision = cast("dict[str, Any]", record.get("decision") or {})
    lines += [("rules", "muted", _sentence(one)) for one in cast("list[Any]", decision.get("reasons") or [])]
    lines += [("info", "muted", _sentence(one)) for one in cast("list[Any]", record.get("notices") or [])]
    if reason := record.get("reason"):
        lines.append(("pencil", "muted", tr("Your reason: {reason}").format(reason=visible(str(reason)))))
    if edits := cast("list[str]", record.get("edits") or []):
        lines.append(("pencil", "accent_text", tr("You changed: {parts}").format(parts=", ".join(edits))))
    errors = cast("dict[str, Any]", record.get("errors") or {})
    lines += [("warning", "bad", f"{one_line(name)}: {_sentence(one)}") for name, one in errors.items()]
    took = max(entry.ended - entry.opened, 0.0)
    lines.append(("clock", "muted", tr("It took {n} s.").format(n=f"{took:.1f}")))
    return lines


def _steps(entry: Entry) -> list[tuple[str, list[Step]]]:
    """What the rules looked at, the strongest first: of the ask, and of a model's answer to it."""
    titles = {"decision": tr("What the rules said"), "response": tr("What the rules said of the answer")}
    found = [(titles[name], steps_of(entry.record.get(name))) for name in titles]
    return [(title, steps) for title, steps in found if steps]


def _usage(entry: Entry) -> list[str]:
    """Each run of a model: which, its tokens, its cost and its time."""
    found: list[str] = []
    for one in cast("list[dict[str, Any]]", entry.record.get("usage") or []):
        parts = [one_line(str(one.get("model", "")))]
        if one.get("tokensIn") is not None or one.get("tokensOut") is not None:
            pattern = tr("{read} tokens read, {written} written")
            parts.append(pattern.format(read=one.get("tokensIn") or 0, written=one.get("tokensOut") or 0))
        if one.get("dollars") is not None:
            parts.append(f"${float(one['dollars']):.4f}")
        if one.get("seconds") is not None:
            parts.append(tr("{n} s").format(n=f"{float(one['seconds']):.1f}"))
        found.append(" · ".join(parts))
    return found


def _copy(entry: Entry, *_: object) -> None:
    facts = {name: getattr(entry, name) for name in ("id", "ask", "opened", "ended", "kind", "server", "identity")}
    rest = {"revision": entry.revision, "tool": entry.tool, "outcome": entry.outcome, "hash": entry.hash}
    copy_text(json.dumps({**facts, **rest, "entry": entry.record}, ensure_ascii=False, indent=2))


def _sentence(data: Any) -> str:
    """A sentence as the log keeps it, in the person's language."""
    found = message_of(data)
    return words(found) if found is not None else ""
