"""A server's entry as other hosts write it, in the words of `servers.json`; what is not the same is told."""

import json
import os
import re
from dataclasses import dataclass, field
from typing import Any, cast

from desktop_host.config.servers_file import OWN, OWN_KEYS
from desktop_host.config.typed_values import (
    BadValue,
    flag_of,
    is_object,
    object_of,
    text_of,
    word_of,
    words_by_name,
    words_of,
)
from desktop_host.terms.messages import Message, say

Path = tuple[str, ...]

ADDRESSES = ("url", "httpUrl", "serverUrl", "uri", "endpoint")
COMMANDS = ("command", "cmd")
_SPELLINGS = {
    "command": COMMANDS,
    "args": ("args",),
    "env": ("env", "envs", "environment"),
    "cwd": ("cwd", "working_directory", "workingDirectory"),
    "url": ADDRESSES,
    "headers": ("headers", "http_headers"),
    "type": ("type", "transport", "transportType"),
}
"""Our keys, and what other hosts call them; where several are there, the first counts."""
_OF_COMMANDS, _OF_ADDRESSES = ("command", "args", "env", "cwd"), ("url", "headers")
_APPROVING = frozenset((
    "alwaysAllow", "autoApprove", "auto_approve", "autoApproveTools", "alwaysAllowTools", "trust", "approval_mode",
    "default_tools_approval_mode", "always_allow",
))  # fmt: skip
_TYPES = {
    "stdio": "stdio", "local": "stdio", "http": "http", "streamable-http": "http", "streamableHttp": "http",
    "streamable_http": "http", "remote": "http", "sse": "sse",
}  # fmt: skip
_BUILT_IN = ("builtin", "platform", "frontend", "inline_python")
"""What goose calls its own extensions."""
_INPUT = re.compile(r"\$\{input:([^}]+)\}")
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
_BARE_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_WORKSPACE = "workspaceFolder"


@dataclass(slots=True)
class Translated:
    """An object of ours, None of what is no server of its own; where its keys came from, and what is to be told.

    Paths begin at the entry. `secrets` are names that it wants from the keyring.
    """

    body: dict[str, Any] | None = None
    origins: dict[str, Path] = field(default_factory=dict[str, Path])
    notices: list[tuple[Path, Message]] = field(default_factory=list[tuple[Path, Message]])
    secrets: list[str] = field(default_factory=list[str])

    def origin(self, path: Path) -> Path:
        """Where a place of the body was in the foreign entry."""
        for length in (2, 1):
            known = self.origins.get("/".join(path[:length]))
            if known is not None and len(path) >= length:
                return (*known, *path[length:])
        return path


def looks_like_a_server(value: object) -> bool:
    """It has one of the keys that every server has."""
    if not is_object(value):
        return False
    found = object_of(value)
    return any(key in found for key in (*COMMANDS, *ADDRESSES)) or found.get("type") in _BUILT_IN


def translate(name: str, body: object, *, gemini: bool) -> Translated:
    """Translate an entry. Raises BadValue with the place in it."""
    _refuse_what_no_file_holds([name, body])
    values = {key: value for key, value in object_of(body).items() if value is not None}
    if not name.strip():
        raise BadValue(say("import.no_name"))
    return _Translation(name, values, gemini=gemini).run()


def _refuse_what_no_file_holds(content: Any) -> None:
    """JSON can spell half a letter, and YAML a mapping in itself. Raises BadValue."""
    try:
        json.dumps(content, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise BadValue(say("import.half_letter")) from None
    except (RecursionError, TypeError, ValueError):
        raise BadValue(say("import.not_text")) from None


class _Translation:
    def __init__(self, name: str, values: dict[str, Any], *, gemini: bool) -> None:
        self._name = name
        self._values = values
        self._gemini = gemini
        self._done = Translated()
        self._body: dict[str, Any] = {}
        self._taken = {"name"}
        """Foreign keys that were used, or were told of."""

    def run(self) -> Translated:
        if self._values.get("type") in _BUILT_IN and "cmd" not in self._values:
            self._tell((), say("import.builtin", name=self._name))
            return self._done
        self._take_all()
        self._take_command()
        self._choose()
        self._take_carried()
        self._take_own()
        self._tell_rest()
        self._body = {key: self._in_our_places(value) for key, value in self._body.items()}
        self._done.body = self._body
        return self._done

    def _take_all(self) -> None:
        """Take what only has another name, the first of each; the others are dropped at the end."""
        spellings = _SPELLINGS
        if self._gemini:
            spellings = {**spellings, "url": ("httpUrl", *ADDRESSES)}
        for ours, theirs in spellings.items():
            key = next((key for key in theirs if key in self._values), None)
            if key is not None:
                self._put(ours, self._values[key], key)

    def _take_command(self) -> None:
        """A command may be a list, as of opencode, or an object, as of Zed."""
        command = self._body.get("command")
        origin = self._done.origins.get("command", ())
        if is_object(command):
            inner = object_of(command)
            for ours, theirs in (("command", "path"), ("args", "args"), ("env", "env")):
                if ours == "command" or inner.get(theirs) is not None:
                    self._put(ours, inner.get(theirs, ""), *origin, theirs)
        elif isinstance(command, list) and command:
            first, *others = words_of(cast("list[Any]", command), *origin)
            self._body["command"] = first
            self._body["args"] = [*others, *words_of(self._body.get("args", []), "args")]
            self._done.origins.setdefault("args", origin)

    def _choose(self) -> None:
        """A command or an address: what is blank is absent, and a kind of connection chooses between two."""
        for key in ("command", "url"):
            text = text_of(self._body.get(key, ""), *self._done.origins.get(key, (key,))).strip()
            self._body[key] = text
        kind = ""
        if "type" in self._body:
            origin = self._done.origins["type"]
            declared = text_of(self._body["type"], *origin)
            kind = _TYPES.get(declared, "")
            if declared and not kind:
                raise BadValue(say("import.bad_type", type=declared[:80]), *origin)
        if self._body["command"] and self._body["url"] and kind:
            self._body["url" if kind == "stdio" else "command"] = ""
        if bool(self._body["command"]) == bool(self._body["url"]):
            raise BadValue(say("import.both") if self._body["command"] else say("import.neither"))
        for key in _OF_COMMANDS if self._body["url"] else _OF_ADDRESSES:
            self._drop(key)
        if self._body.get("url"):
            newer = self._done.origins["url"] == ("httpUrl",)
            self._body["type"] = kind if kind in ("sse", "http") else "sse" if self._gemini and not newer else "http"

    def _drop(self, ours: str) -> None:
        """Let go of what the other kind of connection would have; it is told unless it is empty."""
        value, origin = self._body.pop(ours, None), self._done.origins.pop(ours, None)
        if origin is not None and (value or self._values.get(origin[0])):
            self._taken.discard(origin[0])

    def _take_carried(self) -> None:
        """Variables that other hosts name in keys of their own."""
        if self._body.get("url"):
            headers: dict[str, str] = {}
            if "bearer_token_env_var" in self._values:
                variable = text_of(self._use("bearer_token_env_var"), "bearer_token_env_var")
                headers["Authorization"] = f"Bearer ${{{variable}}}"
                self._tell(("bearer_token_env_var",), say("import.translated", key="headers.Authorization"))
            if "env_http_headers" in self._values:
                for name, variable in words_by_name(self._use("env_http_headers"), "env_http_headers").items():
                    headers[name] = f"${{{variable}}}"
                    self._tell(("env_http_headers", name), say("import.translated", key=f"headers.{name}"))
            self._add("headers", headers)
            return
        if "env_keys" in self._values:
            names = words_of(self._use("env_keys"), "env_keys")
            for name in self._add("env", {name: f"${{secret:{name}}}" for name in names}):
                self._done.secrets.append(name)
                self._tell(("env_keys",), say("import.input", name=name))
        if "env_vars" in self._values:
            names = words_of(self._use("env_vars"), "env_vars")
            for name in self._add("env", {name: f"${{{name}}}" for name in names}):
                self._tell(("env_vars",), say("import.translated", key=f"env.{name}"))

    def _add(self, ours: str, more: dict[str, str]) -> list[str]:
        """Add to a map what is not in it yet; the names that were added. A header of ours replaces one of its name."""
        origin = self._done.origins.get(ours, (ours,))
        known = words_by_name(self._body.get(ours, {}), *origin)
        new = [name for name in more if ours == "headers" or name not in known]
        if known or new:
            self._body[ours] = {**known, **{name: more[name] for name in new}}
        return new

    def _take_own(self) -> None:
        """Our own keys, where it was written for us; and what other hosts call the same."""
        given = object_of(self._use(OWN), OWN) if OWN in self._values else {}
        own = {key: value for key, value in given.items() if key in OWN_KEYS}
        for key in given.keys() - own.keys():
            self._tell((OWN, key), say("import.dropped", key=key))
        if "tool_timeout_sec" in self._values:
            seconds = self._use("tool_timeout_sec")
            if "timeout" not in own:
                own["timeout"] = seconds
                self._done.origins[f"{OWN}/timeout"] = ("tool_timeout_sec",)
        for key, off in (("disabled", True), ("enabled", False)):
            if key in self._values and flag_of(self._use(key), key) is off:
                own["autoStart"] = False
                self._tell((key,), say("import.off"))
        if own:
            self._body[OWN] = own

    def _tell_rest(self) -> None:
        for key in self._values:
            if key in _APPROVING:
                self._tell((key,), say("import.approval", key=key))
            elif key not in self._taken:
                self._tell((key,), say("import.dropped", key=key))
        for ours, origin in self._done.origins.items():
            if len(origin) == 1 and origin[0] != ours and ours in _SPELLINGS:
                self._tell(origin, say("import.translated", key=ours))

    def _put(self, ours: str, value: Any, *origin: str) -> None:
        self._body[ours] = value
        self._done.origins[ours] = origin
        self._taken.add(origin[0])

    def _use(self, key: str) -> Any:
        self._taken.add(key)
        return self._values[key]

    def _tell(self, path: Path, message: Message) -> None:
        if (path, message) not in self._done.notices:
            self._done.notices.append((path, message))

    def _in_our_places(self, value: Any) -> Any:
        """A value whose `${…}` are ours; what they mean is told once for each."""
        if isinstance(value, str):
            return self._our_text(value)
        if isinstance(value, list):
            return [self._in_our_places(_word_or_same(one)) for one in cast("list[Any]", value)]
        if is_object(value):
            return {name: self._in_our_places(one) for name, one in object_of(value).items()}
        return value

    def _our_text(self, text: str) -> str:
        for name in _INPUT.findall(text):
            self._done.secrets.append(name)
        changed = _INPUT.sub(r"${secret:\1}", text)
        if self._gemini:
            changed = _BARE_VARIABLE.sub(r"${\1}", changed)
        for name in _VARIABLE.findall(changed):
            if name == _WORKSPACE:
                self._tell((), say("import.workspace"))
            elif name not in os.environ:
                self._tell((), say("import.unset", name=name))
        return changed


def _word_or_same(value: Any) -> Any:
    """A number as the word that it becomes on a command line."""
    return word_of(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
