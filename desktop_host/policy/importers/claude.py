"""Managed settings of Claude Code and of GitHub Copilot, and the managed file of servers (peers.md section 4)."""

import json
import re
from typing import Any, cast

from desktop_host.config.servers_file import ServerEntry, parse_servers
from desktop_host.policy.importers.report import (
    Draft,
    Imported,
    denying_url,
    elements,
    escaped,
    json_object,
    literal,
    literal_url,
    members,
    texts,
)
from desktop_host.policy.rules import PolicyFile, ServerMatch
from desktop_host.terms.asks import Effect, JsonObject
from desktop_host.terms.messages import say

_VARIABLE = re.compile(r"\$\{[^}]*\}")
_SERVER_KEYS = {"type", "command", "args", "env", "cwd", "url", "headers"}


def translate(text: str) -> Imported:
    """Translate `managed-settings.json`. Raises FileProblem."""
    content = _whole(json_object(text))
    draft = Draft("claude")
    user_rules = True
    allowed: tuple[ServerMatch, ...] | None = None
    denied: tuple[ServerMatch, ...] = ()
    for name, value in content.items():
        match name:
            case "permissions":
                _permissions(draft, value)
            case "allowedMcpServers":
                allowed = _allowed(draft, value)
            case "deniedMcpServers":
                denied, sure = _denied(draft, value)
                allowed = allowed if sure else ()
            case "allowManagedPermissionRulesOnly" | "allowManagedMcpServersOnly":
                on = value is not False
                user_rules = user_rules and not (on and name == "allowManagedPermissionRulesOnly")
                draft.line(f"/{name}", value, "kept")
            case _:
                draft.line(f"/{escaped(name)}", name, "dropped", say("import.other_matter"))
    unclear = ("/deniedMcpServers", "/deniedMcpServers/")
    if any(
        (line.pointer == unclear[0] or line.pointer.startswith(unclear[1])) and line.became == "dropped"
        for line in draft.report
    ):
        allowed = ()  # not in the file's order: a list that comes later loosens nothing
    policy = PolicyFile(
        allowed_mcp_servers=allowed,
        denied_mcp_servers=denied,
        user_allow_rules=user_rules,
        rules=tuple(draft.rules),
    )
    return Imported(policy, tuple(draft.report))


def _whole(value: Any) -> Any:
    """A value without what says that teams may change it: here it holds."""
    if not isinstance(value, dict):
        return value
    inner = cast("JsonObject", value)
    if len(inner) == 1 and isinstance(inner.get("overridable"), dict):
        return _whole(inner["overridable"])
    return {name: _whole(one) for name, one in inner.items()}


def translate_servers(text: str) -> Imported:
    """Translate `managed-mcp.json`: these servers and no others. Raises FileProblem."""
    content = json_object(text)
    draft = Draft("claude")
    listed = members(content.get("mcpServers"))
    for name in content.keys() - {"mcpServers"} if "mcpServers" in content else ():
        draft.line(f"/{escaped(name)}", name, "dropped", say("import.other_matter"))
    if not isinstance(content.get("mcpServers"), dict):
        draft.line("/mcpServers", content.get("mcpServers"), "deny", say("import.malformed_list"))
    found = parse_servers(json.dumps({"mcpServers": dict(listed)}), "managed-mcp.json")
    matches: list[ServerMatch] = []
    servers: dict[str, JsonObject] = {}
    for name, body in listed.items():
        pointer, entry = f"/mcpServers/{escaped(name)}", found.entries.get(name)
        match = _exactly(entry) if entry is not None else None
        if entry is None or match is None:
            draft.line(pointer, name, "dropped", say("import.not_understood"))
            continue
        matches.append(match)
        servers[name] = entry.as_json()
        lost = sorted(members(body).keys() - _SERVER_KEYS)
        draft.line(pointer, name, "kept", say("import.keys_lost", keys=", ".join(lost)) if lost else None)
    return Imported(PolicyFile(allowed_mcp_servers=tuple(matches), servers=servers), tuple(draft.report))


def _exactly(entry: ServerEntry) -> ServerMatch | None:
    """This entry and no other: its folder and the names of its variables too."""
    if not entry.url:
        return ServerMatch(server_command=(entry.command, *entry.args), fingerprint=entry.fingerprint)
    url = literal_url(entry.url)
    return ServerMatch(server_url=url, fingerprint=entry.fingerprint) if url else None


def _permissions(draft: Draft, value: object) -> None:
    if not isinstance(value, dict):
        draft.rule("/permissions", str(value), Effect.ASK, why=say("import.not_understood"))
    for name, listed in members(value).items():
        if name not in ("allow", "ask", "deny"):
            draft.line(f"/permissions/{escaped(name)}", name, "dropped", say("import.other_matter"))
            continue
        effect = _at_least_ask(Effect(name))
        if not isinstance(listed, list):
            draft.rule(f"/permissions/{name}", str(listed), effect, why=say("import.not_understood"))
        for number, one in elements(listed):
            pointer = f"/permissions/{name}/{number}"
            if isinstance(one, str):
                _permission(draft, pointer, one, effect, allowed=name == "allow")
            else:
                draft.rule(pointer, str(one), effect, why=say("import.not_understood"))


def _permission(draft: Draft, pointer: str, text: str, effect: Effect, *, allowed: bool) -> None:
    bare, bracket, _ = text.partition("(")
    if bare in ("*", "mcp__*", "mcp__"):
        draft.rule(pointer, text, effect, why=say("import.allow_all") if allowed else None)
        return
    rest = bare.removeprefix("mcp__")
    if rest == bare:
        if "mcp" in bare.casefold() or "*" in bare:
            draft.rule(pointer, text, effect, why=say("import.not_understood"))
        else:
            draft.line(pointer, text, "dropped", say("import.other_matter"))
        return
    why = say("import.parameter") if bracket else say("import.by_name") if allowed else None
    for server, tool in _readings(rest)[-1:] if allowed else _readings(rest):
        if "*" in server:
            draft.rule(pointer, text, effect, why=say("import.not_understood"))
        else:
            draft.rule(pointer, text, effect, server, "" if tool == "*" else literal(tool, stars=True), why=why)


def _readings(text: str) -> list[tuple[str, str]]:
    """A server and its tool, or a server alone: names may hold the two strokes that part them, so each way to read."""
    found = [(text[: cut.start()], text[cut.start() + 2 :]) for cut in re.finditer("(?=__)", text)]
    parted = [(server, tool) for server, tool in found if server and tool and "*" not in server]
    return parted if "*" in text and parted else [(text, ""), *parted]


def _at_least_ask(effect: Effect) -> Effect:
    return Effect.ASK if effect is Effect.ALLOW else effect


def _allowed(draft: Draft, value: object) -> tuple[ServerMatch, ...]:
    """What is not certain is not in the list: it only ever gets shorter."""
    found: list[ServerMatch] = []
    if not isinstance(value, list):
        draft.line("/allowedMcpServers", value, "deny", say("import.malformed_list"))
        return ()
    for number, one in elements(value):
        pointer = f"/allowedMcpServers/{number}"
        match = _match(one)
        if match is None:
            draft.line(pointer, one, "dropped", say("import.not_understood"))
        elif not match.certain:
            draft.line(pointer, one, "dropped", say("import.by_name"))
        elif _VARIABLE.search(str(one)):
            draft.line(pointer, one, "dropped", say("import.variable"))
        elif match.server_url and any(one in match.server_url for one in "?#["):
            draft.line(pointer, one, "dropped", say("import.query"))
        else:
            found.append(match)
            draft.line(pointer, one, "kept")
    return tuple(found)


def _denied(draft: Draft, value: object) -> tuple[tuple[ServerMatch, ...], bool]:
    """The denied ones, and whether all of them could be carried over."""
    found: list[ServerMatch] = []
    if not isinstance(value, list):
        draft.line("/deniedMcpServers", value, "dropped", say("import.malformed_list"))
        return (), False
    sure = True
    for number, one in elements(value):
        pointer = f"/deniedMcpServers/{number}"
        match = _match(one)
        if match is not None and match.server_url:
            match = ServerMatch(server_url=denying_url(match.server_url))
        elif match is not None and _VARIABLE.search(str(one)):
            match = None
        if match is None:
            sure = False
            draft.line(pointer, one, "dropped", say("import.deny_unclear"))
            continue
        found.append(match)
        draft.line(pointer, one, "deny")
    return tuple(found), sure


def _match(value: object) -> ServerMatch | None:
    """One entry of a list of servers, None where it is none."""
    entry = dict(members(value))
    if len(entry) != 1:
        return None
    [(name, what)] = entry.items()
    return _one_match(name, what)


def _one_match(name: str, what: Any) -> ServerMatch | None:
    if name == "serverCommand" and (command := texts(what)):
        return ServerMatch(server_command=tuple(command))
    if name == "serverUrl" and isinstance(what, str) and what:
        return ServerMatch(server_url=what)
    if name == "serverName" and isinstance(what, str) and what:
        return ServerMatch(server_name=what)
    return None
