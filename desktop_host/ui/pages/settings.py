"""The Settings page: made from the declared table, plus the language models and what is kept."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_host.config.settings import SETTINGS, Setting, Settings
from desktop_host.policy.caps import Caps
from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.pages.models import ModelsCard
from desktop_host.ui.pages.setting_editor import Editor, Ticks, make_editor, show_value, value_of
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import button, frame, label, scroll_area
from desktop_host.ui.widgets.growing_text import GrowingText

_CAPPED = {
    "limits.requests_per_minute": "requests_per_minute_per_server",
    "limits.sampling_per_minute": "sampling_per_minute_per_server",
    "limits.waiting": "waiting_per_server",
    "limits.tokens_per_day": "tokens_per_day_per_server",
    "limits.cost_per_day": "cost_per_day_per_server",
}
"""The settings that administrators may cap, and the caps."""
_MOST_TRIED = 20_000


class SettingsPage(QFrame):
    """Every change is saved at once.

    Signals:
        theme_chosen: "light", "dark" or "system".
    """

    theme_chosen = Signal(str)

    def __init__(self, settings: Settings, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("role", "surface")
        self._bridge = bridge
        self._values = dict(settings.as_dict())
        self.editors: dict[str, Editor] = {}
        self._capped: dict[str, QLabel] = {}
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        head = frame("head")
        top = QVBoxLayout(head)
        top.setContentsMargins(24, 20, 24, 16)
        top.addWidget(label(tr("Settings"), "page"))
        outer.addWidget(head)
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(24, 20, 24, 20)
        self._list.setSpacing(16)
        outer.addWidget(scroll_area(inner, tr("Settings")), 1)
        names = ("network.", "models.", "prompts.", "rules.", "record.", "limits.")
        groups = {name: [one for one in SETTINGS if one.key.startswith(name)] for name in names}
        grouped = {one.key for group in groups.values() for one in group}
        self._section(tr("Look and language"), [one for one in SETTINGS if one.key not in grouped])
        self.models = ModelsCard(bridge)
        self._list.addWidget(self.models)
        self._section(tr("Network"), groups["network."])
        self._add_trial(self._section(tr("Requests to models"), [*groups["models."], *groups["prompts."]]))
        self._section(tr("What rules of yours may allow"), groups["rules."])
        self._section(tr("Record"), groups["record."])
        self._section(tr("Limits for each server"), groups["limits."])
        self._add_kept()
        self._problem = label("", "small", "bad", wrap=True)
        self._list.addWidget(self._problem)
        self._list.addStretch(1)

    def _section(self, title: str, settings: list[Setting]) -> QVBoxLayout:
        card = frame("card")
        card.setMaximumWidth(680)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(4)
        layout.addWidget(label(title, "title"))
        layout.addSpacing(8)
        for setting in settings:
            layout.addWidget(label(words(setting.title), "label"))
            editor = make_editor(setting, self._values[setting.key], self._save)
            editor.setAccessibleName(words(setting.title))
            editor.setAccessibleDescription(words(setting.help))
            self.editors[setting.key] = editor
            layout.addWidget(editor)
            layout.addWidget(label(words(setting.help), "caption", "muted", wrap=True))
            self._add_word(setting.key, layout)
            layout.addSpacing(8)
        self._list.addWidget(card)
        return layout

    def _add_word(self, key: str, layout: QVBoxLayout) -> None:
        """Room for what an administrator says of it."""
        word = self._capped[key] = label("", "caption", "warn", wrap=True)
        word.hide()
        layout.addWidget(word)

    def _add_trial(self, layout: QVBoxLayout) -> None:
        """A text of the person's, as a model would get it with one click."""
        layout.addWidget(label(tr("Try it"), "label"))
        self._trial = GrowingText(tr("Write to ada@example.com or +44 20 7946 0958, password: Tr0ub4dor-3"), most=6)
        self._trial.setAccessibleName(tr("Text to try"))
        self._trial.edited.connect(self._try)
        self._tried = label("", "small", "muted", wrap=True)
        self._tried.setAccessibleName(tr("The same text, masked"))
        layout.addWidget(self._trial)
        layout.addWidget(self._tried)

    def _try(self) -> None:
        text, ticks = self._trial.text()[:_MOST_TRIED], self.editors["prompts.marked"]
        assert isinstance(ticks, Ticks)
        kinds = frozenset(ticks.chosen())
        self._bridge.send(lambda engine: engine.masked(text, kinds), self._show_tried, self)

    def _show_tried(self, masked: str) -> None:
        self._tried.setText(visible(masked))

    def _add_kept(self) -> None:
        """What is kept of the person's answers, and how to get rid of it."""
        layout = self._section(tr("Kept on this computer"), [])
        self._kept = {
            "drafts": label("", "body"),
            "waiting": label("", "body"),
        }
        helps = {
            "drafts": tr(
                "What you typed into forms and did not send. Masked fields are never kept. Gone after 14 days."
            ),
            "waiting": tr("Questions that can still be answered after a restart. Gone after 7 days."),
        }
        names = {"drafts": tr("Clear the drafts"), "waiting": tr("Clear the questions")}
        clear = {"drafts": self._clear_drafts, "waiting": self._clear_waiting}
        for name, count in self._kept.items():
            line = QHBoxLayout()
            line.addWidget(count, 1)
            line.addWidget(button(names[name], clear[name], compact=True))
            layout.addLayout(line)
            layout.addWidget(label(helps[name], "caption", "muted", wrap=True))
            self._add_word(f"keep.{name}", layout)
            layout.addSpacing(8)

    def _clear_drafts(self) -> None:
        self._bridge.send(lambda engine: engine.clear_kept("drafts"), self._count_kept, self)

    def _clear_waiting(self) -> None:
        self._bridge.send(lambda engine: engine.clear_kept("waiting"), self._count_kept, self)

    def _count_kept(self, _done: None = None) -> None:
        self._bridge.send(lambda engine: engine.kept(), self._show_kept, self)

    def _show_kept(self, counts: Mapping[str, int]) -> None:
        self._kept["drafts"].setText(tr("Drafts of forms: {n}").format(n=counts["drafts"]))
        self._kept["waiting"].setText(tr("Waiting questions: {n}").format(n=counts["waiting"]))

    def _save(self) -> None:
        values: dict[str, str] = {}
        for key, editor in self.editors.items():
            values[key] = value_of(editor)
        changed = {key: value for key, value in values.items() if value != self._values[key]}
        if not changed:
            return
        self._values |= changed
        self._try()
        if "theme" in changed:
            self.theme_chosen.emit(changed["theme"])
        self._bridge.send(lambda engine: engine.change_settings(changed), self._saved, self)

    def _show_values(self, values: Mapping[str, str]) -> None:
        """Other pages change settings too."""
        for key, value in values.items():
            editor = self.editors[key]
            if value == self._values[key] or editor.hasFocus():
                continue
            self._values[key] = value
            show_value(editor, value)

    def _show_caps(self, caps: Caps) -> None:
        """What an administrator allows at most, whatever is set here, and where that is said."""
        for key, name in _CAPPED.items():
            most = getattr(caps, name)
            self._capped[key].setVisible(most is not None)
            if most is not None:
                text = tr("Your administrator allows at most {most}. Laid down in {file}.")
                self._capped[key].setText(text.format(most=f"{most:,}", file=caps.sources.get(name, "")))

        models = ", ".join(" | ".join(listed) for listed in caps.models)
        text = tr("Your administrator allows only these models: {models}.").format(models=one_line(models))
        self._capped["models.preferred"].setText(text)
        self._capped["models.preferred"].setVisible(bool(models))

    def _show_locks(self, locks: Mapping[str, str]) -> None:
        """What an administrator decided cannot be changed here."""
        for key, word in self._capped.items():
            if key not in _CAPPED and key != "models.preferred":
                word.setText(tr("Decided by your administrator in {file}.").format(file=locks.get(key, "")))
                word.setVisible(key in locks)
            if key in self.editors:
                self.editors[key].setEnabled(key not in locks)

    def _saved(self, problem: Message | None) -> None:
        self._problem.setText(words(problem) if problem else "")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count_kept()
        self._try()
        self.models.refresh()
        self._bridge.send(lambda engine: engine.caps(), self._show_caps, self)
        self._bridge.send(lambda engine: engine.locks(), self._show_locks, self)
        self._bridge.send(lambda engine: engine.settings(), self._show_values, self)
