"""Servers out of the files of other hosts, whatever their shape: JSON with comments, TOML or YAML (peers.md section 1).

Nothing that approves by itself comes along. One bad entry never costs the good ones, and every key that is not taken
over as it is has its notice.
"""

import base64
import binascii
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from desktop_host.config.files import FileProblem, decode_text, parse_json, without_comments
from desktop_host.config.import_values import (
    ADDRESS,
    BadValue,
    bare,
    era_of,
    list_of,
    map_of,
    member,
    read_toml,
    read_yaml,
    text_of,
    timeout_of,
)
from desktop_host.config.jsonc import line_and_column, locate
from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.messages import Message, say

LINK_SCHEME = "desktop-host"
_GROUPS = (
    ("mcpServers",), ("servers",), ("mcp", "servers"), ("mcp", "mcpServers"), ("mcp.servers",), ("context_servers",),
    ("mcp_servers",), ("extensions",), ("mcp",),
)  # fmt: skip
"""Where files keep their servers: Claude, Cursor, Windsurf, Cline, Gemini, LM Studio; VS Code; Zed; Codex; goose."""
_APPROVING = frozenset((
    "alwaysAllow", "autoApprove", "auto_approve", "autoApproveTools", "alwaysAllowTools", "trust", "approval_mode",
    "default_tools_approval_mode", "always_allow",
))  # fmt: skip
_TOLD = frozenset((
    "disabled", "enabled", "bearer_token_env_var", "env_http_headers", "env_keys", "env_vars", "name",
    "tool_timeout_sec",
))  # fmt: skip
"""What has its own notice, or none to make."""
_SAME = frozenset(("command", "args", "env", "cwd", "url", "headers", "type", "desktopHost"))
_RENAMED = {
    "cmd": "command",
    "envs": "env",
    "environment": "env",
    "working_directory": "cwd",
    "workingDirectory": "cwd",
    "http_headers": "headers",
    "transport": "type",
    "transportType": "type",
    "httpUrl": "url",
    "serverUrl": "url",
    "uri": "url",
    "endpoint": "url",
}
_TYPES = {
    "stdio": "stdio", "local": "stdio", "http": "http", "streamable-http": "http", "streamableHttp": "http",
    "streamable_http": "http", "remote": "http", "sse": "sse",
}  # fmt: skip
_SECRET_NAME = re.compile(
    r"token|secret|passw|api_?key|apikey|_key$|^key$|credential|authorization|cookie", re.IGNORECASE
)
_SECRET_VALUE = re.compile(r"^(?:Bearer |Basic )?(?:sk-|ghp_|gho_|github_pat_|xox[abp]-|glpat-|AKIA|AIza|ya29\.|eyJ)")
_INPUT = re.compile(r"\$\{input:([^}]+)\}")
_PLACE = re.compile(r"\$\{[^}]*\}")
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}(?<!\{workspaceFolder\})")
_BARE_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said about a place. `path` is a JSON pointer; line and column count from 1, 0 where unknown."""

    path: str
    message: Message
    line: int = 0
    column: int = 0


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
    plain = text.strip("\ufeff \t\r\n")
    lower = name.lower()
    if lower.endswith(".toml"):
        return _Reader(text, name, read_toml(text, name), exact=False).read()
    if lower.endswith((".yaml", ".yml")):
        return _Reader(text, name, read_yaml(text, name), exact=False).read()
    if not plain:
        return Imported()
    return _Reader(text, name, parse_json(text, name), exact=True).read()


def parse_link(link: str) -> Imported:
    """The server of a `desktop-host:add?name=…&config=…` link, whose config is JSON in base 64. Raises FileProblem."""
    try:
        parts = urlsplit(link)
    except ValueError:
        raise FileProblem(say("import.bad_link")) from None
    given = parse_qs(parts.query)
    if parts.scheme != LINK_SCHEME or (parts.path or parts.netloc).strip("/") != "add" or "config" not in given:
        raise FileProblem(say("import.bad_link"))
    packed = given["config"][0].replace(" ", "+").replace("-", "+").replace("_", "/")
    try:
        text = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        raise FileProblem(say("import.bad_link")) from None
    name = given.get("name", ["server"])[0]
    content = parse_json(text, LINK_SCHEME)
    if isinstance(content, dict) and not any(member(cast("dict[str, Any]", content), path) for path in _GROUPS):
        text = json.dumps({"mcpServers": {name: content}})
    return parse_import(text, LINK_SCHEME)


def plain_secrets(entry: ServerEntry) -> list[tuple[str, str]]:
    """The places of an entry that seem to hold a secret in plain text: ("env" or "headers", its name)."""
    return [
        (part, key)
        for part, values in (("env", entry.env), ("headers", entry.headers))
        for key, value in values.items()
        if value and not _PLACE.search(value) and (_SECRET_NAME.search(key) or _SECRET_VALUE.match(value))
    ]


def moved_secrets(entry: ServerEntry) -> tuple[ServerEntry, dict[str, str]]:
    """The entry with references in the place of its secrets, and what is to be kept in the keyring by which name."""
    kept: dict[str, str] = {}
    parts: dict[str, dict[str, str]] = {"env": dict(entry.env), "headers": dict(entry.headers)}
    for part, key in plain_secrets(entry):
        own = f"{entry.name}/{key}".replace("}", "")
        kept[own] = parts[part][key]
        parts[part][key] = f"${{secret:{own}}}"
    return replace(entry, env=parts["env"], headers=parts["headers"]), kept


class _Reader:
    """One reading of one file. `exact`: its text is JSON, in which places can be found."""

    def __init__(self, text: str, name: str, content: Any, *, exact: bool) -> None:
        self._text = text
        self._name = name
        self._content = content
        self._exact = exact
        self._gemini = ".gemini" in name.replace("\\", "/")
        self._entries: dict[str, ServerEntry] = {}
        self._errors: list[Remark] = []
        self._notices: list[Remark] = []
        self._secrets: dict[str, None] = {}

    def read(self) -> Imported:
        whole: object = self._content
        if not isinstance(whole, dict):
            raise FileProblem(say("file.not_object", file=self._name))
        content = cast("dict[str, Any]", whole)
        groups: list[tuple[str, ...]] = [path for path in _GROUPS if member(content, path) is not None]
        if "mcp" in content and ("mcp", "servers") in groups:
            groups = [path for path in groups if path != ("mcp",)]
        projects = content.get("projects")
        for project, body in cast("dict[str, Any]", projects).items() if isinstance(projects, dict) else ():
            if isinstance(body, dict) and cast("dict[str, Any]", body).get("mcpServers"):
                groups.append(("projects", project, "mcpServers"))
        if not groups:
            ungrouped = bare(content)
            if ungrouped is None:
                raise FileProblem(say("import.no_servers", file=self._name))
            groups = [()]
            content = ungrouped
        self._read_inputs(content)
        for path in groups:
            self._read_group(path, member(content, path))
        return Imported(self._entries, tuple(self._errors), tuple(self._notices), tuple(self._secrets))

    def _read_inputs(self, content: dict[str, Any]) -> None:
        """VS Code asks for these when a server starts; here they are secrets of the keyring."""
        inputs = content.get("inputs")
        for number, one in enumerate(cast("list[Any]", inputs) if isinstance(inputs, list) else []):
            found = cast("dict[str, Any]", one).get("id") if isinstance(one, dict) else None
            if isinstance(found, str):
                self._secrets[found] = None
                self._notice(("inputs", str(number)), say("import.input", name=found))

    def _read_group(self, path: tuple[str, ...], servers: Any) -> None:
        if not isinstance(servers, dict):
            self._error(path, say("servers.not_object", file=self._name, key=".".join(path)))
            return
        for name in self._twice(path):
            self._notice((*path, name), say("import.twice", name=name))
        for name, body in cast("dict[str, Any]", servers).items():
            place = (*path, name)
            own = name
            while own in self._entries:
                own += " 2"
            try:
                entry = self._entry(own, body, place)
            except BadValue as bad:
                self._error((*place, *bad.path), bad.message)
                continue
            if entry is None:
                continue
            if own != name:
                self._notice(place, say("import.renamed", name=own))
            self._entries[own] = entry

    def _twice(self, path: tuple[str, ...]) -> list[str]:
        """Names that stand more than once: JSON takes the last and drops the others without a word."""
        if not self._exact:
            return []
        member = locate(self._text, *path) if path else None
        if path and member is None:
            return []
        again: list[str] = []

        def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
            names = [name for name, _ in found]
            again[:] = [name for name in dict.fromkeys(names) if names.count(name) > 1]  # the outermost comes last
            return dict(found)

        text = self._text[member.start : member.end] if member is not None else self._text
        try:
            json.loads(without_comments(text), object_pairs_hook=pairs)
        except ValueError:
            return []
        return again

    def _entry(self, name: str, body: Any, place: tuple[str, ...]) -> ServerEntry | None:
        if not isinstance(body, dict):
            raise BadValue(say("import.not_object"))
        if not name.strip():
            raise BadValue(say("import.no_name"))
        values = {key: value for key, value in cast("dict[str, Any]", body).items() if value is not None}
        if values.get("type") in ("builtin", "platform", "frontend", "inline_python") and "cmd" not in values:
            self._notice(place, say("import.builtin", name=name))
            return None
        values = self._unfold(values)
        declared = text_of(values, "type", "transport", "transportType")
        transport = _TYPES.get(declared, "") if declared else ""
        if declared and not transport:
            key = next(key for key in ("type", "transport", "transportType") if key in values)
            raise BadValue(say("import.bad_type", type=declared[:80]), key)
        command = text_of(values, "command", "cmd").strip()
        url = text_of(values, *ADDRESS).strip()
        if command and url:
            command, url = (command, "") if transport == "stdio" else ("", url) if transport else (command, url)
        if bool(command) == bool(url):
            raise BadValue(say("import.both") if command else say("import.neither"))
        env = map_of(values, "env", "envs", "environment")
        headers = map_of(values, "headers", "http_headers")
        self._carried(values, env, headers, place)
        own = values.get("desktopHost", {})
        if not isinstance(own, dict):
            raise BadValue(say("import.not_object"), "desktopHost")
        own = cast("dict[str, Any]", own)
        entry = ServerEntry(
            name=name,
            command=self._places(command, place),
            args=tuple(self._places(one, place) for one in list_of(values, "args")),
            env={key: self._places(value, place) for key, value in env.items()},
            cwd=self._places(text_of(values, "cwd", "working_directory", "workingDirectory"), place),
            url=self._places(url, place),
            headers={key: self._places(value, place) for key, value in headers.items()},
            transport=(transport if transport in ("sse", "http") else self._remote(values)) if url else "stdio",
            era=era_of(own),
            timeout=timeout_of(own, values),
            auto_start=self._auto_start(own, values, place),
        )
        self._tell_keys(values, place, stdio=bool(command))
        return entry

    def _unfold(self, values: dict[str, Any]) -> dict[str, Any]:
        """A command that is a list (opencode), or an object of its own (Zed)."""
        command = values.get("command")
        if isinstance(command, dict):
            inner = cast("dict[str, Any]", command)
            rest = {key: inner[key] for key in ("args", "env") if inner.get(key) is not None}
            return {**values, "command": inner.get("path", ""), **rest}
        if isinstance(command, list) and command:
            first, *others = cast("list[Any]", command)
            return {**values, "command": first, "args": [*others, *values.get("args", [])]}
        return values

    def _remote(self, values: dict[str, Any]) -> str:
        """Gemini CLI calls an address of HTTP+SSE `url`, and one of Streamable HTTP `httpUrl`."""
        return "sse" if self._gemini and "httpUrl" not in values else "http"

    def _carried(
        self, values: dict[str, Any], env: dict[str, str], headers: dict[str, str], place: tuple[str, ...]
    ) -> None:
        """Variables that other hosts name in keys of their own."""
        bearer = values.get("bearer_token_env_var")
        if isinstance(bearer, str):
            headers["Authorization"] = f"Bearer ${{{bearer}}}"
            self._notice((*place, "bearer_token_env_var"), say("import.translated", key="headers.Authorization"))
        for header, variable in map_of(values, "env_http_headers").items():
            headers[header] = f"${{{variable}}}"
            self._notice((*place, "env_http_headers", header), say("import.translated", key=f"headers.{header}"))
        for key in list_of(values, "env_keys"):
            if key not in env:
                env[key] = f"${{secret:{key}}}"
                self._secrets[key] = None
                self._notice((*place, "env_keys"), say("import.input", name=key))
        for key in list_of(values, "env_vars"):
            if key not in env:
                env[key] = f"${{{key}}}"
                self._notice((*place, "env_vars"), say("import.translated", key=f"env.{key}"))

    def _auto_start(self, own: dict[str, Any], values: dict[str, Any], place: tuple[str, ...]) -> bool:
        for key, on in (("disabled", False), ("enabled", True)):
            if key in values:
                if not isinstance(values[key], bool):
                    raise BadValue(say("import.not_bool"), key)
                started = values[key] is on
                if not started:
                    self._notice((*place, key), say("import.off"))
                return started
        start = own.get("autoStart", True)
        if not isinstance(start, bool):
            raise BadValue(say("import.not_bool"), "desktopHost", "autoStart")
        return start

    def _tell_keys(self, values: dict[str, Any], place: tuple[str, ...], *, stdio: bool) -> None:
        unused = {"url", "headers"} if stdio else {"command", "args", "env", "cwd"}
        for key, value in values.items():
            if key in _TOLD:
                continue
            if key in _APPROVING:
                self._notice((*place, key), say("import.approval", key=key))
            elif key in _RENAMED:
                self._notice((*place, key), say("import.translated", key=_RENAMED[key]))
            elif key not in _SAME or (key in unused and value):
                self._notice((*place, key), say("import.dropped", key=key))

    def _places(self, text: str, place: tuple[str, ...]) -> str:
        """A value with its places as ours are; what they mean is told once for each."""

        def named(match: re.Match[str]) -> str:
            self._secrets[match.group(1)] = None
            return f"${{secret:{match.group(1)}}}"

        changed = _INPUT.sub(named, text)
        if self._gemini:
            changed = _BARE_VARIABLE.sub(r"${\1}", changed)
        for match in _VARIABLE.finditer(changed):
            if match.group(1) not in os.environ:
                self._notice(place, say("import.unset", name=match.group(1)))
        if "${workspaceFolder}" in changed:
            self._notice(place, say("import.workspace"))
        return changed

    def _notice(self, path: tuple[str, ...], message: Message) -> None:
        remark = self._remark(path, message)
        if remark not in self._notices:
            self._notices.append(remark)

    def _error(self, path: tuple[str, ...], message: Message) -> None:
        self._errors.append(self._remark(path, message))

    def _remark(self, path: tuple[str, ...], message: Message) -> Remark:
        pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)
        line, column = self._line(path)
        return Remark(pointer, message, line, column)

    def _line(self, path: tuple[str, ...]) -> tuple[int, int]:
        if not self._exact:
            named = path[1] if len(path) > 1 else path[0] if path else ""
            found = re.search(rf"(?m)^.*{re.escape(named)}", self._text) if named else None
            return (line_and_column(self._text, found.end() - len(named))) if found else (0, 0)
        for length in range(len(path), 0, -1):
            member = locate(self._text, *path[:length])
            if member is not None:
                return line_and_column(self._text, member.start)
        return 1, 1
