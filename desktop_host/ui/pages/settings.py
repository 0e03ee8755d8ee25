"""The Settings page: made from the declared table, plus the model key in the keyring and what is kept."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_host.config.settings import SETTINGS, Setting, Settings
from desktop_host.sampling.models.provider import YOU, ModelInfo
from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import visible
from desktop_host.ui.widgets.basics import button, frame, label, scroll_area


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
        self.editors: dict[str, QLineEdit | QComboBox] = {}
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
        self._section(tr("Look and language"), [one for one in SETTINGS if not one.key.startswith("model.")])
        card = self._section(tr("Language model"), [one for one in SETTINGS if one.key.startswith("model.")])
        self._add_key(card)
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
            editor = self._editor(setting)
            editor.setAccessibleName(words(setting.title))
            editor.setAccessibleDescription(words(setting.help))
            self.editors[setting.key] = editor
            layout.addWidget(editor)
            layout.addWidget(label(words(setting.help), "caption", "muted", wrap=True))
            layout.addSpacing(8)
        self._list.addWidget(card)
        return layout

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

    def _editor(self, setting: Setting) -> QLineEdit | QComboBox:
        value = self._values[setting.key]
        if not setting.choices:
            line = QLineEdit(value)
            line.editingFinished.connect(self._save)
            return line
        combo = QComboBox()
        for choice in setting.choices:
            combo.addItem(_choice_words(choice), choice)
        combo.setCurrentIndex(combo.findData(value))
        combo.activated.connect(self._save)
        return combo

    def _add_key(self, layout: QVBoxLayout) -> None:
        layout.addWidget(label(tr("Key"), "label"))
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(tr("Key"))
        self._keep = button(tr("Keep in the keyring"), self._keep_key)
        remove = button(tr("Remove"), self._remove_key)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.key, 1)
        line.addWidget(self._keep)
        line.addWidget(remove)
        layout.addLayout(line)
        self._key_note = label(
            tr("Not needed for most models on this computer. It is kept in the system’s keyring only."),
            "caption",
            "muted",
            wrap=True,
        )
        layout.addWidget(self._key_note)
        layout.addSpacing(8)
        self._test_note = label("", "small", "muted", wrap=True)
        line = QHBoxLayout()
        line.addWidget(button(tr("Test the model"), self._test))
        line.addWidget(self._test_note, 1)
        layout.addLayout(line)
        self._bridge.send(lambda engine: engine.has_model_key(), self._has_key, self)

    def _has_key(self, kept: bool) -> None:
        self.key.setPlaceholderText(tr("A key is kept") if kept else tr("No key"))

    def _save(self) -> None:
        values: dict[str, str] = {}
        for key, editor in self.editors.items():
            values[key] = editor.text().strip() if isinstance(editor, QLineEdit) else str(editor.currentData())
        changed = {key: value for key, value in values.items() if value != self._values[key]}
        if not changed:
            return
        self._values |= changed
        if "theme" in changed:
            self.theme_chosen.emit(changed["theme"])
        self._bridge.send(lambda engine: engine.change_settings(changed), self._saved, self)

    def _saved(self, problem: Message | None) -> None:
        self._problem.setText(words(problem) if problem else "")

    def _keep_key(self) -> None:
        key = self.key.text()
        if key:
            self._bridge.send(lambda engine: engine.set_model_key(key), self._key_kept, self)

    def _remove_key(self) -> None:
        self._bridge.send(lambda engine: engine.set_model_key(""), self._key_removed, self)

    def _key_kept(self, problem: Message | None) -> None:
        self._key_note.setText(words(problem) if problem else tr("The key is in the keyring."))
        if problem is None:
            self.key.clear()
            self._has_key(True)

    def _key_removed(self, problem: Message | None) -> None:
        self._key_note.setText(words(problem) if problem else tr("The key is removed."))
        if problem is None:
            self._has_key(False)

    def _test(self) -> None:
        self._test_note.setText(tr("Asking…"))
        self._bridge.send(lambda engine: engine.models(), self._tested, self)

    def _tested(self, found: tuple[tuple[ModelInfo, ...], Message | None]) -> None:
        models, problem = found
        names = [model.id for model in models if model.id != YOU]
        if problem is not None:
            self._test_note.setText(words(problem))
        elif names:
            self._test_note.setText(tr("There: {models}").format(models=visible(", ".join(names[:8]))))
        else:
            self._test_note.setText(tr("No address is set, so you write the answers yourself."))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count_kept()


def _choice_words(choice: str) -> str:
    return {
        "system": tr("As the system"),
        "en": "English",
        "zh_CN": "简体中文",
        "light": tr("Light"),
        "dark": tr("Dark"),
    }.get(choice, choice)
