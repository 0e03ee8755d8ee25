"""The tabs Resources and Prompts of a server: choose one, fill in what it needs, see what comes."""

from collections.abc import Mapping
from typing import Any, cast

from PySide6.QtCore import QSignalBlocker, QSize, QStringListModel, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QFileDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)
from uritemplate import URITemplate
from uritemplate.variable import VariableValue

from desktop_host.terms.asks import JsonObject, Severity
from desktop_host.terms.messages import Message
from desktop_host.terms.state import ArgumentInfo, PromptInfo, ResourceInfo, ServerState
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.text import tr, words
from desktop_host.ui.visible import one_line, visible
from desktop_host.ui.widgets.basics import (
    FindingView,
    button,
    clear_layout,
    exact_text,
    frame,
    label,
    paragraph,
    row,
    scroll_area,
    search_field,
)
from desktop_host.ui.widgets.result_card import block_view, text_view

_LIST, _ROW = 260, 36
_PAUSE = 250
"""Milliseconds without a key after which the server is asked how an argument may go on."""


class OffersTab(QSplitter):
    """A list with a search field at the left, and the chosen entry beside it."""

    def __init__(self, state: ServerState, bridge: Bridge, search: str, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._state = state
        self._bridge = bridge
        self._shown: tuple[Any, ...] = ()
        self._chosen: Any = None
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        side = frame("surface")
        side.setMinimumWidth(160)
        layout = QVBoxLayout(side)
        layout.setContentsMargins(12, 16, 12, 12)
        layout.setSpacing(12)
        self._search = search_field(search, self._filter)
        layout.addWidget(self._search)
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._item_chosen)
        layout.addWidget(self.list, 1)
        inner = QWidget()
        self._body = QVBoxLayout(inner)
        self._body.setContentsMargins(24, 20, 24, 20)
        self._body.setSpacing(12)
        self.addWidget(side)
        self.addWidget(scroll_area(inner, name))
        self.setSizes([_LIST, 800])
        self.setStretchFactor(1, 1)

    def show_entries(self, state: ServerState, entries: tuple[Any, ...], names: list[str]) -> None:
        """Show these under their names; the chosen one stays chosen."""
        self._state = state
        if entries == self._shown:
            return
        stays = self._chosen in entries
        with QSignalBlocker(self.list):
            self._shown = entries
            self.list.clear()
            for number, name in enumerate(names):
                item = QListWidgetItem(one_line(name))
                item.setData(Qt.ItemDataRole.UserRole, number)
                item.setSizeHint(QSize(100, _ROW))
                self.list.addItem(item)
            self.list.setCurrentRow(entries.index(self._chosen) if stays else 0)
        self._filter(self._search.text())
        if not stays:  # else what was read or typed beside it stays too
            self._item_chosen(self.list.currentItem())

    def show_chosen(self, entry: Any) -> None:
        """Show one entry; for those who come from here."""
        raise NotImplementedError  # abstract: Qt's metaclass and ABCMeta cannot be combined

    def _item_chosen(self, item: QListWidgetItem | None) -> None:
        clear_layout(self._body)
        self._chosen = self._shown[item.data(Qt.ItemDataRole.UserRole)] if item is not None else None
        if self._chosen is not None:
            self.show_chosen(self._chosen)
            self._body.addStretch(1)

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        for number in range(self.list.count()):
            item = self.list.item(number)
            item.setHidden(wanted not in item.text().casefold())


class ResourcesTab(OffersTab):
    """Resources and templates of resources (FEAT-13 to FEAT-19). Nothing is read before the person wants it."""

    def __init__(self, state: ServerState, bridge: Bridge) -> None:
        super().__init__(state, bridge, tr("Search resources"), tr("Resources"))
        self._uri = ""
        self._seen = 0

    def show_state(self, state: ServerState) -> None:
        """Show what the server offers now; what the person follows is read anew when it changed."""
        self.show_entries(state, state.resources, [one.title for one in state.resources])
        if self._chosen is not None:
            self.follow.setChecked(self._chosen.uri in state.followed)
        count = state.updated.get(self._uri, 0)
        if count != self._seen:
            self._seen = count
            self._read(self._uri)

    def show_chosen(self, entry: ResourceInfo) -> None:
        """See `OffersTab`."""
        self._uri = entry.uri if entry.uri in self._state.followed else ""
        self._seen = self._state.updated.get(self._uri, 0)
        self._body.addWidget(label(one_line(entry.title), "title", wrap=True))
        self._body.addWidget(exact_text(entry.uri, "code_small"))
        facts = [one_line(entry.mime), _size(entry.size) if entry.size is not None else ""]
        if any(facts):
            self._body.addWidget(label(" · ".join(one for one in facts if one), "small", "muted"))
        if entry.description:
            self._body.addWidget(paragraph(entry.description))
        self._fields: _Fields | None = None
        names = _variables(entry.uri) if entry.template else []
        if entry.template and names is not None:
            arguments = tuple(ArgumentInfo(name, name) for name in names)
            self._fields = _Fields(arguments, self._state, self._bridge, {"type": "ref/resource", "uri": entry.uri})
            self._body.addWidget(self._fields)
        self.read = button(tr("Read"), self._read_chosen, "primary")
        self.follow = QCheckBox(tr("Follow changes"))
        self.follow.setVisible(self._state.follows and not entry.template)
        self.follow.setChecked(entry.uri in self._state.followed)
        self.follow.clicked.connect(self._follow_chosen)
        self._body.addLayout(row(self.read, self.follow, 1))
        self._result = _Result(self._bridge)
        self._body.addWidget(self._result)
        if names is None:
            self.read.setEnabled(False)
            self._result.show_problem(tr("This address is no template that can be filled in."))

    def _read_chosen(self) -> None:
        uri = self._chosen.uri
        if self._fields is not None:
            uri = URITemplate(uri).expand(dict[str, VariableValue](self._fields.values()))
        self._read(uri)

    def _read(self, uri: str) -> None:
        self._uri = uri
        self._seen = self._state.updated.get(uri, 0)
        server, result = self._state.name, self._result
        self.read.setEnabled(False)

        def came(found: tuple[JsonObject | None, Message | None]) -> None:
            if result is self._result:
                self.read.setEnabled(True)
                result.show_contents(*found)

        self._bridge.send(lambda engine: engine.read_resource(server, uri), came, result)

    def _follow_chosen(self, wanted: bool) -> None:
        server, uri, result = self._state.name, self._chosen.uri, self._result

        def followed(problem: Message | None) -> None:
            if result is not self._result:
                return
            if problem is not None:
                self.follow.setChecked(not wanted)
                result.show_contents(None, problem)
            elif wanted:
                self._read(uri)

        self._bridge.send(lambda engine: engine.follow_resource(server, uri, wanted), followed, result)


class PromptsTab(OffersTab):
    """Prompts with their arguments (FEAT-20): what comes is shown, and the person's to copy."""

    def __init__(self, state: ServerState, bridge: Bridge) -> None:
        super().__init__(state, bridge, tr("Search prompts"), tr("Prompts"))

    def show_state(self, state: ServerState) -> None:
        """Show what the server offers now."""
        self.show_entries(state, state.prompts, [one.title for one in state.prompts])

    def show_chosen(self, entry: PromptInfo) -> None:
        """See `OffersTab`."""
        self._body.addWidget(label(one_line(entry.title), "title", wrap=True))
        if entry.description:
            self._body.addWidget(paragraph(entry.description))
        self._fields = _Fields(entry.arguments, self._state, self._bridge, {"type": "ref/prompt", "name": entry.name})
        self._body.addWidget(self._fields)
        self.get = button(tr("Get the prompt"), self._get, "primary")
        self._body.addLayout(row(self.get, 1))
        self._result = _Result(self._bridge)
        self._body.addWidget(self._result)

    def _get(self) -> None:
        missing = self._fields.missing()
        if missing:
            self._result.show_problem(tr("Fill in {names}.").format(names=", ".join(missing)))
            return
        server, name, values, result = self._state.name, self._chosen.name, self._fields.values(), self._result
        self.get.setEnabled(False)

        def came(found: tuple[JsonObject | None, Message | None]) -> None:
            if result is self._result:
                self.get.setEnabled(True)
                result.show_messages(*found)

        self._bridge.send(lambda engine: engine.get_prompt(server, name, values), came, result)


class _Fields(QWidget):
    """A line for each argument. Where the server knows how it may go on, it is asked after a pause (FEAT-23)."""

    def __init__(
        self, arguments: tuple[ArgumentInfo, ...], state: ServerState, bridge: Bridge, ref: JsonObject
    ) -> None:
        super().__init__()
        self._arguments = arguments
        self._server = state.name
        self._bridge = bridge
        self._ref = ref
        self._asked = 0
        self.lines: dict[str, QLineEdit] = {}
        self._models: dict[str, QStringListModel] = {}
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE)
        self._pause.timeout.connect(self._complete)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for one in arguments:
            title = one_line(one.title)
            layout.addWidget(label(tr("{name} (needed)").format(name=title) if one.required else title, "label"))
            line = self.lines[one.name] = QLineEdit()
            line.setMaximumWidth(480)
            line.setAccessibleName(title)
            layout.addWidget(line)
            if one.description:
                layout.addWidget(label(one_line(one.description), "caption", "muted", wrap=True))
            layout.addSpacing(6)
            if state.completes:
                model = self._models[one.name] = QStringListModel(self)
                completer = QCompleter(model, self)
                completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
                completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
                line.setCompleter(completer)
                line.textEdited.connect(self._edited)

    def values(self) -> dict[str, str]:
        """What was filled in."""
        return {name: line.text() for name, line in self.lines.items() if line.text()}

    def missing(self) -> list[str]:
        """What is needed and not filled in."""
        return [one_line(one.title) for one in self._arguments if one.required and not self.lines[one.name].text()]

    def _edited(self, _text: str) -> None:
        self._pause.start()

    def _complete(self) -> None:
        name = next((name for name, line in self.lines.items() if line.hasFocus()), None)
        if name is None:
            return
        self._asked += 1
        number, server, ref, value = self._asked, self._server, self._ref, self.lines[name].text()
        given = {key: text for key, text in self.values().items() if key != name}

        def came(values: tuple[str, ...]) -> None:
            if number == self._asked and self.lines[name].hasFocus():
                self._models[name].setStringList([visible(one) for one in values])
                if values:
                    self.lines[name].completer().complete()

        self._bridge.send(lambda engine: engine.complete(server, ref, name, value, given), came, self)


class _Result(QWidget):
    """What a server answered, or why it did not."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 8, 0, 0)
        self._layout.setSpacing(12)
        self._saved: dict[QWidget, tuple[str, bool]] = {}
        self._saving = ("", False)

    def show_problem(self, text: str) -> None:
        """Why there is nothing."""
        clear_layout(self._layout)
        self._layout.addWidget(FindingView(Severity.DANGER, tr("Nothing came"), text))

    def show_contents(self, result: JsonObject | None, problem: Message | None) -> None:
        """The contents of a resource: text as text, pictures drawn, everything else to be saved (FEAT-16)."""
        if result is None:
            self.show_problem(words(problem) if problem else "")
            return
        clear_layout(self._layout)
        self._saved = {}
        for one in _objects(result.get("contents")):
            uri = one_line(str(one.get("uri", "")))
            mime = one_line(str(one.get("mimeType") or ""))
            self._layout.addWidget(label(" · ".join(part for part in (uri, mime) if part), "small", "muted", wrap=True))
            if isinstance(one.get("text"), str):
                self._layout.addWidget(text_view(one["text"]))
                self._offer(one["text"], packed=False)
            elif isinstance(one.get("blob"), str):
                self._show_blob(one["blob"], mime)
        if self._layout.count() == 0:
            self._layout.addWidget(label(tr("It is empty."), "body", "muted"))

    def show_messages(self, result: JsonObject | None, problem: Message | None) -> None:
        """The messages of a prompt."""
        if result is None:
            self.show_problem(words(problem) if problem else "")
            return
        clear_layout(self._layout)
        names: Mapping[object, str] = {"user": tr("You"), "assistant": tr("Model")}
        for one in _objects(result.get("messages")):
            self._layout.addWidget(label(names.get(one.get("role"), one_line(str(one.get("role")))), "label"))
            content = one.get("content")
            for block in _objects(cast("object", content) if isinstance(content, list) else [content]):
                self._layout.addWidget(block_view(block))
        if self._layout.count() == 0:
            self._layout.addWidget(label(tr("It is empty."), "body", "muted"))

    def _show_blob(self, blob: str, mime: str) -> None:
        if mime.startswith("image/"):
            self._layout.addWidget(block_view({"type": "image", "data": blob, "mimeType": mime}))
        self._layout.addWidget(label(_size(len(blob.rstrip("=")) * 3 // 4), "small", "muted"))
        self._offer(blob, packed=True)

    def _offer(self, text: str, *, packed: bool) -> None:
        save = button(tr("Save as…"), self._save, compact=True)
        self._saved[save] = (text, packed)
        self._layout.addWidget(save, 0, Qt.AlignmentFlag.AlignLeft)

    def _save(self) -> None:
        self._saving = self._saved[cast("QWidget", self.sender())]
        dialog = QFileDialog(self.window(), tr("Save as"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._write)
        dialog.open()

    def _write(self, path: str) -> None:
        text, packed = self._saving
        self._bridge.send(lambda engine: engine.save_file(path, text, packed=packed), self._written, self)

    def _written(self, problem: Message | None) -> None:
        text = words(problem) if problem else tr("Saved.")
        self._layout.addWidget(label(text, "small", "bad" if problem else "ok", wrap=True))


def _variables(template: str) -> list[str] | None:
    """The variables of a template; None where it is none by RFC 6570."""
    try:
        return [str(name) for name in URITemplate(template).variable_names or ()]
    except ValueError:
        return None


def _objects(value: object) -> list[JsonObject]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("JsonObject", one) for one in listed if isinstance(one, dict)]


def _size(size: int) -> str:
    return tr("{n} KB").format(n=f"{size / 1024:,.1f}") if size >= 1024 else tr("{n} bytes").format(n=size)
