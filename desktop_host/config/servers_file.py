"""`servers.json`: the ecosystem's `mcpServers` shape, read tolerantly and edited in place (DESIGN.md section 5)."""

import functools
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, decode_text, parse_json, write_atomic
from desktop_host.config.jsonc import Places, line_and_column, locate, with_member, without_member
from desktop_host.config.paths import config_dir
from desktop_host.config.typed_values import BadValue, flag_of, object_of, text_of, texts_of, words_by_name
from desktop_host.terms.messages import Message, say

ERAS = ("auto", "handshake", "modern")
OWN = "desktopHost"
"""The key of what other hosts do not have."""
OWN_KEYS = frozenset(("era", "timeout", "autoStart", "oauth"))
_OAUTH = {
    "clientId": "client_id",
    "clientSecret": "client_secret",
    "clientMetadataUrl": "client_metadata_url",
    "scope": "scope",
    "callbackHost": "callback_host",
    "callbackPort": "callback_port",
}
_DOCUMENT = re.compile(r"https://[^/?#\s]+/[^?#\s]+")
_MOST_SECONDS = 1e9
_CALLBACK_HOSTS = ("127.0.0.1", "localhost")
_PLACE = re.compile(r"\$\{([^}]*)\}")
_SECRET = ("secret:", "input:")


@functools.lru_cache(maxsize=512)
def _digest(*what: str | tuple[str, ...]) -> str:
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class OAuthEntry:
    """How to sign in to a remote server where the usual way is not enough: a client that was registered before, the
    address of our metadata document, the scope, and the host and port that the browser comes back to (N06, N07)."""

    client_id: str = ""
    client_secret: str = ""
    client_metadata_url: str = ""
    scope: str = ""
    callback_host: str = "127.0.0.1"
    callback_port: int = 0


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """A server as configured: a command to run, or an address (`url`). `timeout` is seconds of silence in a call."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    transport: str = "stdio"
    era: str = "auto"
    timeout: float = 300.0
    auto_start: bool = True
    about: str = ""
    oauth: OAuthEntry = field(default_factory=OAuthEntry)

    @property
    def identity(self) -> str:
        """What it is, in one line: argv, or the address without its query and user name; `about` for our own."""
        if self.about:
            return self.about
        if self.url:
            return self.plain_url
        return " ".join(_quoted(part) for part in (self.command, *self.args))

    @property
    def plain_url(self) -> str:
        """The address without its query and user name, which may be secret; "" of a command."""
        return re.sub(r"//[^/@]*@", "//", self.url.partition("?")[0])

    @property
    def fingerprint(self) -> str:
        """Digest of everything that decides what runs or is reached, without any secret."""
        if self.url:
            return _digest(self.url)
        return _digest((self.command, *self.args), self.cwd, tuple(sorted(self.env)))

    def as_json(self) -> dict[str, Any]:
        """The entry as `servers.json` holds it."""
        own: dict[str, Any] = {
            key: value
            for key, value, default in (
                ("era", self.era, "auto"),
                ("timeout", self.timeout, 300.0),
                ("autoStart", self.auto_start, True),
            )
            if value != default
        }
        if oauth := {
            key: value
            for key, name in _OAUTH.items()
            if (value := getattr(self.oauth, name)) != getattr(OAuthEntry(), name)
        }:
            own["oauth"] = oauth
        body: dict[str, Any] = (
            {"type": self.transport, "url": self.url, "headers": dict(self.headers)}
            if self.url
            else {"command": self.command, "args": list(self.args), "env": dict(self.env), "cwd": self.cwd}
        )
        return {key: value for key, value in body.items() if value} | ({OWN: own} if own else {})


@dataclass(frozen=True, slots=True)
class ServersFile:
    """What a servers file holds: the good entries by name, what is wrong with the others, and the names of all."""

    entries: dict[str, ServerEntry] = field(default_factory=dict[str, ServerEntry])
    problems: tuple[Message, ...] = ()
    names: frozenset[str] = frozenset()


def default_path() -> Path:
    """The person's `servers.json`."""
    return config_dir() / "servers.json"


def read_servers(path: Path) -> ServersFile:
    """Read a servers file; no file is an empty one. Raises FileProblem where it is no JSON object at all."""
    return parse_servers(_text(path), str(path)) if path.exists() else ServersFile()


def parse_servers(text: str, name: str) -> ServersFile:
    """Read the text of a servers file. One bad entry never discards the good ones. Raises FileProblem."""
    content: Any = parse_json(text, name) if text.strip("\ufeff \t\r\n") else {}
    if not isinstance(content, dict):
        raise FileProblem(say("file.not_object", file=name))
    content = cast("dict[str, Any]", content)
    group = "mcpServers" if "mcpServers" in content else "servers"
    servers: Any = content.get(group, {})
    if not isinstance(servers, dict):
        raise FileProblem(say("servers.not_object", file=name, key=group))
    entries: dict[str, ServerEntry] = {}
    problems: list[Message] = []
    places = Places(text)
    for server, body in cast("dict[str, Any]", servers).items():
        try:
            entries[server] = entry_of(server, body)
        except BadValue as bad:
            line, column = line_and_column(text, places.of(group, server, *bad.path))
            problems.append(
                say(
                    "servers.bad_entry",
                    file=name,
                    line=line,
                    column=column,
                    key=".".join((server, *bad.path)),
                )
            )
    return ServersFile(entries, tuple(problems), frozenset(cast("dict[str, Any]", servers)))


def add_server(path: Path, entry: ServerEntry) -> None:
    """Write a new entry, leaving the rest of the file as it is. Raises FileProblem, also where its name is taken."""
    text = _text(path) if path.exists() else ""
    if not text.strip("\ufeff \t\r\n"):
        text = '{\n  "mcpServers": {\n  }\n}\n'
    if entry.name in parse_servers(text, str(path)).names:
        raise FileProblem(say("servers.name_taken", name=entry.name))
    group = "servers" if locate(text, "servers") and not locate(text, "mcpServers") else "mcpServers"
    if locate(text, group) is None:
        text = with_member(text, (), group, {})
    write_atomic(path, with_member(text, (group,), entry.name, entry.as_json()))


def remove_server(path: Path, name: str) -> None:
    """Cut an entry, if it is there, leaving the rest of the file as it is. Raises FileProblem."""
    text = _text(path)
    parse_servers(text, str(path))
    group = "mcpServers" if locate(text, "mcpServers", name) else "servers"
    if locate(text, group, name) is not None:
        write_atomic(path, without_member(text, group, name))


def _text(path: Path) -> str:
    """The file's text with its own line ends. Raises FileProblem."""
    try:
        return decode_text(path.read_bytes())
    except (OSError, ValueError) as error:
        raise FileProblem(say("file.unreadable", file=str(path), what=type(error).__name__)) from None


class Unresolved(Exception):
    """Places in an entry have no value. `name` is that of the first, `secrets` are the secrets among them."""

    def __init__(self, name: str, secrets: tuple[str, ...] = ()) -> None:
        super().__init__(name)
        self.name = name
        self.secrets = secrets


def resolve(entry: ServerEntry, secret: Callable[[str], str | None], workspace: str | None) -> ServerEntry:
    """Fill `${secret:NAME}`, `${input:ID}`, `${VAR}` and `${VAR:-default}`. Raises Unresolved.

    An unresolved place never reaches a process. Blocking where `secret` is: call it in a thread.
    """
    missing: list[str] = []

    def value(match: re.Match[str]) -> str:
        place, has_default, default = match.group(1).partition(":-")
        kind, colon, name = place.partition(":")
        if place.startswith(_SECRET):
            found = secret(name)
        elif place == "workspaceFolder":
            found = workspace
        elif kind == "env" and colon:
            found = os.environ.get(name)
        else:
            found = None if colon or not place else os.environ.get(place)
        if found is None and not has_default:
            missing.append(place)
        return found if found is not None else default

    def fill(text: str) -> str:
        return _PLACE.sub(value, text)

    filled = replace(
        entry,
        command=fill(entry.command),
        args=tuple(fill(part) for part in entry.args),
        env={key: fill(part) for key, part in entry.env.items()},
        cwd=fill(entry.cwd),
        url=fill(entry.url),
        headers={key: fill(part) for key, part in entry.headers.items()},
        oauth=replace(entry.oauth, client_secret=fill(entry.oauth.client_secret)),
    )
    if missing:
        secrets = (place.partition(":")[2] for place in missing if place.startswith(_SECRET))
        raise Unresolved(missing[0], tuple(dict.fromkeys(secrets)))
    return filled


def secrets_of(entry: ServerEntry) -> tuple[str, ...]:
    """The names of the secrets that an entry refers to."""
    texts = (
        entry.command, *entry.args, *entry.env.values(), entry.cwd, entry.url, *entry.headers.values(),
        entry.oauth.client_secret,
    )  # fmt: skip
    places = (match.group(1).partition(":-")[0] for text in texts for match in _PLACE.finditer(text))
    return tuple(dict.fromkeys(place.partition(":")[2] for place in places if place.startswith(_SECRET)))


def entry_of(name: str, body: object) -> ServerEntry:
    """The entry that an object of `servers.json` makes. Raises BadValue with the place in it."""
    values = object_of(body)
    command, url = (text_of(values.get(key, ""), key) for key in ("command", "url"))
    if bool(command) == bool(url):
        raise BadValue(say("import.both") if command else say("import.neither"))
    own = object_of(values.get(OWN, {}), OWN)
    era = own.get("era", "auto")
    if era not in ERAS:
        raise BadValue(say("import.bad_era"), OWN, "era")
    timeout = own.get("timeout", 300.0)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < _MOST_SECONDS:
        raise BadValue(say("import.bad_timeout"), OWN, "timeout")
    declared = (text_of(values[key], key) for key in ("type", "transport") if key in values)
    return ServerEntry(
        name=name,
        command=command,
        args=tuple(texts_of(values.get("args", []), "args")),
        env=words_by_name(values.get("env", {}), "env"),
        cwd=text_of(values.get("cwd", ""), "cwd"),
        url=url,
        headers=words_by_name(values.get("headers", {}), "headers"),
        transport=("sse" if "sse" in declared else "http") if url else "stdio",
        era=era,
        timeout=float(timeout),
        auto_start=flag_of(own.get("autoStart", not values.get("disabled", False)), OWN, "autoStart"),
        oauth=_oauth(object_of(own.get("oauth", {}), OWN, "oauth")),
    )


def _oauth(given: dict[str, Any]) -> OAuthEntry:
    found: dict[str, Any] = {}
    for key, value in given.items():
        name = _OAUTH.get(key, "")
        wanted = int if name == "callback_port" else str
        if not name or type(value) is not wanted:
            raise BadValue(say("import.bad_oauth"), OWN, "oauth", key)
        found[name] = value
    made, bad = OAuthEntry(**found), ""
    if made.client_metadata_url and not _DOCUMENT.fullmatch(made.client_metadata_url):
        bad = "clientMetadataUrl"
    elif made.callback_host not in _CALLBACK_HOSTS:
        bad = "callbackHost"
    elif not 0 <= made.callback_port < 65536:
        bad = "callbackPort"
    if bad:
        raise BadValue(say("import.bad_oauth"), OWN, "oauth", bad)
    return made


def _quoted(part: str) -> str:
    return json.dumps(part, ensure_ascii=False) if not part or re.search(r"\s", part) else part
