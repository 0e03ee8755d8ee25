"""Content blocks of messages and answers: images, sounds, uses and results of tools, resources; all else raw."""

import json
from typing import Any, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_host.terms.asks import JsonObject
from desktop_host.ui.text import tr
from desktop_host.ui.visible import one_line
from desktop_host.ui.widgets.basics import Elided, clear_layout, exact_text, frame, icon_button, label, picture
from desktop_host.ui.widgets.images import image_of, thumbnail
from desktop_host.ui.widgets.json_view import JsonView

_THUMBNAIL, _MOST_BLOCK = 160, 2_000


def block_view(block: JsonObject) -> QWidget:
    """A block that is no text, as a person can understand it (SMP-29)."""
    kind = block.get("type")
    if kind == "image":
        image = image_of(block)
        if not image.isNull():
            view = label("")
            view.setPixmap(thumbnail(image, _THUMBNAIL, _THUMBNAIL))
            view.setAccessibleName(tr("Image"))
            return view
    if kind == "audio" and isinstance(block.get("data"), str):
        kilobytes = len(str(block["data"])) * 3 // 4 // 1024
        sound = tr("Sound, {kind}, {n} KB").format(kind=one_line(str(block.get("mimeType", "?"))), n=kilobytes)
        return _titled("play", sound, None)
    if kind == "tool_use":
        return _titled(
            "tools", tr("Uses the tool {name}").format(name=one_line(str(block.get("name")))), block.get("input")
        )
    if kind == "tool_result":
        failed = block.get("isError") is True
        said = tr("The tool reports an error") if failed else tr("The tool’s result")
        return _titled("tools", said, block.get("structuredContent"), _parts(block))
    if kind == "resource_link":
        name = one_line(str(block.get("title") or block.get("name") or ""))
        return _titled("link", f"{name}  {one_line(str(block.get('uri', '')))}".strip(), None)
    if kind == "resource":
        inner: Any = block.get("resource")
        resource = cast("JsonObject", inner) if isinstance(inner, dict) else {}
        if isinstance(resource.get("text"), str):
            text = exact_text(str(resource["text"])[:_MOST_BLOCK], "code_small")
            return _titled("form", one_line(str(resource.get("uri", ""))), None, [text])
    view = JsonView(block, most=_MOST_BLOCK)
    view.setMaximumHeight(90)
    return view


def tool_view(tool: JsonObject) -> QWidget:
    """The definition of a tool: its name, what it is for, and its arguments."""
    name, about = one_line(str(tool.get("name"))), str(tool.get("description") or "")
    parts: list[QWidget] = [label(about, "caption", "muted", wrap=True)] if about else []
    return _titled("tools", name, tool.get("inputSchema"), parts)


class ToolUses(QWidget):
    """The uses of tools that an answer wants; the person may take some out.

    Signals:
        changed: some were taken out.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._all: tuple[JsonObject, ...] = ()
        self._gone: set[str] = set()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self.hide()

    def show_uses(self, uses: tuple[JsonObject, ...]) -> None:
        """Show the uses of another answer."""
        self._all, self._gone = uses, set()
        self._draw()

    def kept(self) -> tuple[JsonObject, ...]:
        """Those that go back."""
        return tuple(use for use in self._all if str(use["id"]) not in self._gone)

    def removed(self) -> frozenset[str]:
        """The ids of those taken out."""
        return frozenset(self._gone)

    def restore(self) -> None:
        """Bring back those that were taken out."""
        self.show_uses(self._all)
        self.changed.emit()

    def _draw(self) -> None:
        clear_layout(self._layout)
        kept = self.kept()
        self.setVisible(bool(kept))
        if kept:
            self._layout.addWidget(label(tr("The model wants the server to use these tools"), "label"))
        for use in kept:
            line = _Use(use)
            line.unwanted.connect(self._take_out)
            self._layout.addWidget(line)

    def _take_out(self, use_id: str) -> None:
        self._gone.add(use_id)
        self._draw()
        self.changed.emit()


class _Use(QWidget):
    """One use of a tool.

    Signals:
        unwanted: it shall not go back; its id.
    """

    unwanted = Signal(str)

    def __init__(self, use: JsonObject) -> None:
        super().__init__()
        self._id = str(use["id"])
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(block_view(use), 1)
        away = tr("Take out the use of {name}").format(name=one_line(str(use["name"])))
        layout.addWidget(icon_button("trash", away, self._take_out), 0, Qt.AlignmentFlag.AlignTop)

    def _take_out(self) -> None:
        self.unwanted.emit(self._id)


def _titled(icon_name: str, title: str, value: Any, parts: list[QWidget] | None = None) -> QFrame:
    panel = frame("inset")
    layout = QVBoxLayout(panel)
    layout.setContentsMargins(12, 8, 12, 8)
    layout.setSpacing(4)
    head = QHBoxLayout()
    head.setSpacing(8)
    head.addWidget(picture(icon_name, "muted", 16))
    head.addWidget(Elided(title, "strong"), 1)
    layout.addLayout(head)
    for part in parts or ():
        layout.addWidget(part)
    if value not in (None, {}, []):
        view = JsonView(value, bare=True, most=_MOST_BLOCK)
        lines = min(json.dumps(value, indent=2).count("\n") + 1, 8)
        view.setFixedHeight(lines * view.fontMetrics().lineSpacing() + 12)
        layout.addWidget(view)
    return panel


def _parts(block: JsonObject) -> list[QWidget]:
    content: Any = block.get("content")
    blocks = (
        [cast("JsonObject", one) for one in cast("list[Any]", content) if isinstance(one, dict)]
        if isinstance(content, list)
        else []
    )
    return [
        exact_text(str(one.get("text", ""))[:_MOST_BLOCK]) if one.get("type") == "text" else block_view(one)
        for one in blocks
    ]
