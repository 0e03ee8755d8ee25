"""Where the language models come from: providers to add, test and remove, and the models each of them offers."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_host.config.providers_file import ProviderEntry
from desktop_host.sampling.choice import tier
from desktop_host.sampling.models.presets import BY_ID, PRESETS
from desktop_host.sampling.models.provider import ModelInfo
from desktop_host.terms.messages import Message
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import Elided, button, clear_layout, frame, icon_button, label, scroll_area

ANTHROPIC = "anthropic"
_MOST_MODELS = 300


class ModelsCard(QFrame):
    """The providers as rows, and below them a way to add one."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._entries: tuple[ProviderEntry, ...] = ()
        self.setProperty("role", "card")
        self.setMaximumWidth(680)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(label(tr("Language models"), "title"))
        about = tr(
            "Servers ask a model only through you. Without any of these, the small practice model answers, or you do."
        )
        layout.addWidget(label(about, "caption", "muted", wrap=True))
        self._rows = QVBoxLayout()
        self._rows.setSpacing(8)
        layout.addLayout(self._rows)
        layout.addWidget(frame("rule"))
        layout.addLayout(self._make_adding())
        self._note = label("", "small", "muted", wrap=True)
        layout.addWidget(self._note)

    def refresh(self) -> None:
        """Read the providers anew."""
        self._bridge.send(lambda engine: engine.providers(), self._show, self)

    def _make_adding(self) -> QGridLayout:
        self.preset = QComboBox()
        self.preset.setAccessibleName(tr("Kind of provider"))
        self.preset.addItem("Anthropic", ANTHROPIC)
        for one in PRESETS:
            self.preset.addItem(one.title or tr("Another address (OpenAI-compatible)"), one.id)
        self.preset.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.preset.setMinimumContentsLength(8)
        self.preset.activated.connect(self._preset_chosen)
        self.address = QLineEdit()
        self.address.setAccessibleName(tr("Address"))
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setAccessibleName(tr("Key"))
        self.add = button(tr("Add"), self._add, icon_name="plus")
        self._find = button(tr("Find models on this computer"), self._look_around)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        for column, (name, editor) in enumerate(
            ((tr("Provider"), self.preset), (tr("Address"), self.address), (tr("Key"), self.key))
        ):
            grid.addWidget(label(name, "label"), 0, column)
            grid.addWidget(editor, 1, column)
            grid.setColumnStretch(column, 2 if column < 2 else 1)
        grid.addWidget(self.add, 1, 3)
        line = QHBoxLayout()
        line.addWidget(self._find)
        line.addStretch(1)
        grid.addLayout(line, 2, 0, 1, 4)
        self._preset_chosen(0)
        return grid

    def _preset_chosen(self, _index: int) -> None:
        chosen = str(self.preset.currentData())
        self.address.setText("" if chosen == ANTHROPIC else BY_ID[chosen].base_url)
        self.address.setPlaceholderText("https://api.anthropic.com" if chosen == ANTHROPIC else "https://…/v1")
        wanted = chosen == ANTHROPIC or BY_ID[chosen].wants_key
        self.key.setPlaceholderText(tr("Needed") if wanted else tr("Rarely needed on this computer"))

    def _add(self) -> None:
        chosen = str(self.preset.currentData())
        anthropic = chosen == ANTHROPIC
        address = self.address.text().strip()
        if not anthropic and not address:
            self._note.setText(tr("Give the address of the provider."))
            return
        kind = ANTHROPIC if anthropic else "openai-compatible"
        name = "Anthropic" if anthropic else BY_ID[chosen].title or address
        taken = {entry.id for entry in self._entries}
        own = next(one for one in (chosen, *(f"{chosen}-{n}" for n in range(2, 1000))) if one not in taken)
        entry = ProviderEntry(own, kind, "custom" if anthropic else chosen, name, address)
        key = self.key.text() or None
        self._bridge.send(lambda engine: engine.put_provider(entry, key), self._added, self)

    def _look_around(self) -> None:
        self._find.setEnabled(False)
        self._note.setText(tr("Looking…"))
        self._bridge.send(lambda engine: engine.find_local(), self._found, self)

    def _found(self, entries: tuple[ProviderEntry, ...]) -> None:
        self._find.setEnabled(True)
        names = ", ".join(entry.name for entry in entries)
        nothing = tr("No other model server answers on this computer.")
        self._note.setText(tr("Added: {names}").format(names=names) if names else nothing)
        for entry in entries:
            self._bridge.send(lambda engine, entry=entry: engine.put_provider(entry), self._changed, self)

    def _added(self, problem: Message | None) -> None:
        """What was typed stays where it could not be kept."""
        if problem is None or problem.key == "keyring.session":
            self.key.clear()
            self._preset_chosen(0)
            self._note.setText("")
        self._changed(problem)

    def _changed(self, problem: Message | None) -> None:
        if problem is not None:
            self._note.setText(words(problem))
        self.refresh()

    def _show(self, entries: tuple[ProviderEntry, ...]) -> None:
        if entries == self._entries and self._rows.count():
            return
        self._entries = entries
        clear_layout(self._rows)
        for entry in entries:
            row = _Row(entry, self._bridge)
            row.changed.connect(self._changed)
            self._rows.addWidget(row)


class _Row(QWidget):
    """One provider: its name and address, what it lists, and buttons.

    Signals:
        changed: it was changed or removed; a `Message` of what went wrong, or None.
    """

    changed = Signal(object)

    def __init__(self, entry: ProviderEntry, bridge: Bridge) -> None:
        super().__init__()
        self._entry = entry
        self._bridge = bridge
        self._models: tuple[ModelInfo, ...] = ()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(8)
        text = QVBoxLayout()
        text.setSpacing(1)
        text.addWidget(Elided(one_line(entry.name or entry.id), "strong"))
        self._state = Elided(one_line(entry.base_url), "small", "muted")
        text.addWidget(self._state)
        layout.addLayout(text, 1)
        self._choose = button(tr("Models…"), self._choose_models, compact=True)
        self._choose.setEnabled(False)
        test = button(tr("Test"), self._test, compact=True)
        name = one_line(entry.name or entry.id)
        self._choose.setAccessibleName(tr("Models of {name}").format(name=name))
        test.setAccessibleName(tr("Test {name}").format(name=name))
        layout.addWidget(self._choose)
        layout.addWidget(test)
        layout.addWidget(icon_button("trash", tr("Remove {name}").format(name=name), self._remove))
        self._test()

    def _test(self) -> None:
        entry = self._entry
        self._state.set_whole(tr("Asking…"))
        self._bridge.send(lambda engine: engine.test_provider(entry), self._tested, self)

    def _tested(self, found: tuple[tuple[ModelInfo, ...], Message | None]) -> None:
        self._models, problem = found
        self._choose.setEnabled(bool(self._models))
        offered = len(self._entry.models) or len(self._models)
        count = tr("{n} of {m} models offered").format(n=offered, m=len(self._models))
        self._state.set_whole(words(problem) if problem is not None else count)

    def _choose_models(self) -> None:
        window = ModelChoice(self._entry, self._models, self)
        window.chosen.connect(self._put)
        window.show()

    def _put(self, entry: ProviderEntry) -> None:
        self._bridge.send(lambda engine: engine.put_provider(entry), self._told, self)

    def _remove(self) -> None:
        entry = self._entry
        self._bridge.send(lambda engine: engine.remove_provider(entry), self._told, self)

    def _told(self, problem: Message | None) -> None:
        self.changed.emit(problem)


class ModelChoice(QWidget):
    """Which models of a provider are offered, and how able each is.

    Signals:
        chosen: the entry as the person leaves it.
    """

    chosen = Signal(object)

    def __init__(self, entry: ProviderEntry, models: tuple[ModelInfo, ...], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._entry = entry
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("role", "surface")
        self.setWindowTitle(tr("Models of {name}").format(name=one_line(entry.name)))
        self.resize(520, 560)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 20, 24, 16)
        outer.setSpacing(12)
        about = tr("Offered models can be chosen for a request. How able each is counts where a server asks for it.")
        outer.addWidget(label(about, "small", "muted", wrap=True))
        inner = QWidget()
        grid = QGridLayout(inner)
        grid.setColumnStretch(0, 1)
        self._boxes: dict[str, QCheckBox] = {}
        self._tiers: dict[str, QSpinBox] = {}
        self._guessed: dict[str, int] = {}
        self._models = models
        for line, model in enumerate(models[:_MOST_MODELS]):
            name = model.wire_name
            box = QCheckBox(one_line(name).replace("&", "&&"))
            box.setChecked(not entry.models or name in entry.models)
            able = QSpinBox()
            able.setRange(1, 5)
            self._guessed[name] = entry.tiers.get(name) or tier(model)
            able.setValue(self._guessed[name])
            able.setAccessibleName(tr("How able {model} is").format(model=one_line(name)))
            able.lineEdit().setTextMargins(9, 0, 0, 0)
            box.toggled.connect(self._ticked)
            grid.addWidget(box, line, 0)
            grid.addWidget(able, line, 1)
            self._boxes[name], self._tiers[name] = box, able
        grid.setRowStretch(len(self._boxes), 1)
        outer.addWidget(scroll_area(inner, tr("Models")), 1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(button(tr("Cancel"), self._close))
        self._keep = button(tr("Save"), self._save, "primary")
        foot.addWidget(self._keep)
        outer.addLayout(foot)

    def _ticked(self, _on: bool) -> None:
        self._keep.setEnabled(any(box.isChecked() for box in self._boxes.values()))

    def _save(self) -> None:
        offered = [name for name, box in self._boxes.items() if box.isChecked()]
        every = len(offered) == len(self._boxes)
        offered += [model.wire_name for model in self._models[_MOST_MODELS:]]
        touched = {name: spin.value() for name, spin in self._tiers.items() if spin.value() != self._guessed[name]}
        tiers: Mapping[str, int] = {**self._entry.tiers, **touched}
        self.chosen.emit(replace(self._entry, models=() if every else tuple(offered), tiers=tiers))
        self.close()

    def _close(self) -> None:
        self.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)
