"""Servers out of the files of other hosts, whatever their shape: JSON with comments, TOML or YAML (peers.md section 1).

Nothing that approves by itself comes along. One bad entry never costs the good ones, and every key that is not taken
over as it is has its notice.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath, PureWindowsPath
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from desktop_host.config.documents import Document, Path, read_document
from desktop_host.config.files import FileProblem, decode_text, parse_json
from desktop_host.config.foreign_entry import Translated, looks_like_a_server, translate
from desktop_host.config.servers_file import ServerEntry, entry_of
from desktop_host.config.typed_values import BadValue, is_object, object_of
from desktop_host.terms.messages import Message, say

LINK = "desktop-host:"
_GROUPS: tuple[Path, ...] = (
    ("mcpServers",), ("servers",), ("mcp", "servers"), ("mcp", "mcpServers"), ("mcp.servers",), ("context_servers",),
    ("mcp_servers",),
)  # fmt: skip
"""Where files keep their servers: Claude, Cursor, Windsurf, Cline, Gemini, LM Studio; VS Code; Zed; Codex."""
_DOUBTFUL: tuple[Path, ...] = (("extensions",), ("mcp",))
"""Where goose and opencode keep theirs, and other hosts something else: they count where a server is in them."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said about a place. `path` is a JSON pointer; line and column count from 1."""

    path: str
    message: Message
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Imported:
    """The servers a file holds. `errors` tell of entries that are none, `notices` of keys dropped or translated.

    `secrets` are names that have to be in the keyring before their servers start.
    """

    entries: Mapping[str, ServerEntry] = field(default_factory=dict[str, ServerEntry])
    errors: tuple[Remark, ...] = ()
    notices: tuple[Remark, ...] = ()
    secrets: tuple[str, ...] = ()


def read_import(data: bytes, name: str) -> Imported:
    """The servers in a file's bytes; `name` tells its format by its end. Raises FileProblem where it is unreadable."""
    try:
        text = decode_text(data)
    except ValueError:
        raise FileProblem(say("file.not_utf8", file=name)) from None
    return parse_import(text, name)


def parse_import(text: str, name: str) -> Imported:
    """The servers in a text. Raises FileProblem where it has no shape that is known."""
    if not text.strip("\ufeff \t\r\n") and not name.lower().endswith((".toml", ".yaml", ".yml")):
        return Imported()
    return _Reader(read_document(text, name), name).read()


def parse_link(link: str) -> Imported:
    """The server of a `desktop-host:add?name=…&config=…` link, whose config is JSON in base 64. Raises FileProblem."""
    name, text = _unpacked(link)
    content = parse_json(text, LINK)
    if is_object(content) and not _groups(object_of(content)):
        text = json.dumps({"mcpServers": {name: content}})
    return parse_import(text, LINK)


def _unpacked(link: str) -> tuple[str, str]:
    try:
        parts = urlsplit(link)
        given = parse_qs(parts.query)
        packed = given["config"][0].replace(" ", "+").replace("-", "+").replace("_", "/")
        text = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True).decode("utf-8")
    except (KeyError, ValueError):
        raise FileProblem(say("import.bad_link")) from None
    if f"{parts.scheme}:" != LINK or (parts.path or parts.netloc).strip("/") != "add":
        raise FileProblem(say("import.bad_link"))
    return given.get("name", ["server"])[0], text


class _Reader:
    """One reading of one file."""

    def __init__(self, document: Document, name: str) -> None:
        self._document = document
        self._name = name
        self._gemini = ".gemini" in (*PurePath(name).parts, *PureWindowsPath(name).parts)
        self._entries: dict[str, ServerEntry] = {}
        self._errors: list[Remark] = []
        self._notices: list[Remark] = []
        self._secrets: dict[str, None] = {}

    def read(self) -> Imported:
        if not is_object(self._document.content):
            raise FileProblem(say("file.not_object", file=self._name))
        content = object_of(self._document.content)
        groups = _groups(content)
        if not groups and content and all(looks_like_a_server(one) for one in content.values()):
            groups = [()]  # servers without a group around them, as people paste them
        if not groups:
            raise FileProblem(say("import.no_servers", file=self._name))
        for path in ((), ("mcp",)):
            self._read_inputs(path, _at(content, (*path, "inputs")))
        for name in self._document.repeated(()):
            if any(path[:1] == (name,) for path in groups):
                self._notice((name,), say("import.twice", name=name))
        for path in groups:
            self._read_group(path, _at(content, path))
        return Imported(self._entries, tuple(self._errors), tuple(self._notices), tuple(self._secrets))

    def _read_inputs(self, path: Path, inputs: Any) -> None:
        """VS Code asks for these when a server starts; here they are secrets of the keyring."""
        for number, one in enumerate(cast("list[Any]", inputs) if isinstance(inputs, list) else ()):
            name = _at(one, ("id",))
            if isinstance(name, str):
                self._secrets[name] = None
                self._notice((*path, "inputs", str(number)), say("import.input", name=name))

    def _read_group(self, path: Path, servers: Any) -> None:
        if not is_object(servers):
            self._errors.append(self._remark(path, say("servers.not_object", file=self._name, key=".".join(path))))
            return
        for name in self._document.repeated(path) if path else ():
            self._notice((*path, name), say("import.twice", name=name))
        for name, body in object_of(servers).items():
            self._read_entry((*path, name), name, body)

    def _read_entry(self, place: Path, name: str, body: Any) -> None:
        own = name
        while own in self._entries:
            own += " 2"
        found = Translated()
        try:
            found = translate(name, body, gemini=self._gemini)
            entry = entry_of(own, found.body) if found.body is not None else None
        except BadValue as bad:
            self._errors.append(self._remark((*place, *found.origin(bad.path)), bad.message))
            return
        for path, message in found.notices:
            self._notice((*place, *path), message)
        self._secrets.update(dict.fromkeys(found.secrets))
        if entry is not None:
            self._entries[own] = entry
            if own != name:
                self._notice(place, say("import.renamed", name=own))

    def _notice(self, path: Path, message: Message) -> None:
        self._notices.append(self._remark(path, message))

    def _remark(self, path: Path, message: Message) -> Remark:
        pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)
        return Remark(pointer, message, *self._document.place(path))


def _groups(content: dict[str, Any]) -> list[Path]:
    """Where this file keeps servers; each project of Claude Code has some of its own."""
    found = [path for path in _GROUPS if _at(content, path) is not None]
    for path in _DOUBTFUL:
        inner = _at(content, path)
        if is_object(inner) and any(looks_like_a_server(one) for one in object_of(inner).values()):
            found.append(path)
    projects = content.get("projects")
    for project, body in object_of(projects).items() if is_object(projects) else ():
        if _at(body, ("mcpServers",)):
            found.append(("projects", project, "mcpServers"))
    return found


def _at(content: Any, path: Path) -> Any:
    """What stands at a path, None where nothing does."""
    for name in path:
        if not is_object(content):
            return None
        content = object_of(content).get(name)
    return content
