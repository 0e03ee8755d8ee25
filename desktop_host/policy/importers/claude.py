"""Managed settings of Claude Code and of GitHub Copilot, and the managed file of servers (peers.md section 4)."""

import re
from typing import Any

from desktop_host.config.servers_file import parse_servers
from desktop_host.policy.importers.report import Draft, Imported, elements, escaped, json_object, members, texts
from desktop_host.policy.rules import PolicyFile, ServerMatch
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import say

_NAMED = re.compile(r"mcp__(?P<server>(?:(?!__).)+)(?:__(?P<tool>.+))?")
_VARIABLE = re.compile(r"\$\{[^}]*\}")


def translate(text: str) -> Imported:
    """Translate `managed-settings.json`. Raises FileProblem."""
    content = json_object(text)
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
    if any(line.pointer.startswith("/deniedMcpServers") and line.became == "dropped" for line in draft.report):
        allowed = ()  # not in the file's order: a list that comes later loosens nothing
    policy = PolicyFile(
        allowed_mcp_servers=allowed,
        denied_mcp_servers=denied,
        user_allow_rules=user_rules,
        rules=tuple(draft.rules),
    )
    return Imported(policy, tuple(draft.report))


def translate_servers(text: str) -> Imported:
    """Translate `managed-mcp.json`: these servers and no others. Raises FileProblem."""
    content = json_object(text)
    draft = Draft("claude")
    found = parse_servers(text, "managed-mcp.json")
    matches = tuple(
        ServerMatch(server_url=entry.url) if entry.url else ServerMatch(server_command=(entry.command, *entry.args))
        for entry in found.entries.values()
    )
    listed = members(content.get("mcpServers", {}))
    for name in listed:
        good = name in found.entries
        why = None if good else say("import.not_understood")
        draft.line(f"/mcpServers/{escaped(name)}", name, "kept" if good else "dropped", why)
    servers = {name: entry.as_json() for name, entry in found.entries.items()}
    return Imported(PolicyFile(allowed_mcp_servers=matches, servers=servers), tuple(draft.report))


def _permissions(draft: Draft, value: object) -> None:
    for name, listed in members(value).items():
        if name not in ("allow", "ask", "deny"):
            draft.line(f"/permissions/{escaped(name)}", name, "dropped", say("import.other_matter"))
            continue
        effect = Effect(name)
        if texts(listed) is None:
            draft.rule(f"/permissions/{name}", str(listed), _at_least_ask(effect), why=say("import.not_understood"))
        for number, one in elements(listed):
            if isinstance(one, str):
                _permission(draft, f"/permissions/{name}/{number}", one, effect)


def _permission(draft: Draft, pointer: str, text: str, effect: Effect) -> None:
    bare, bracket, _ = text.partition("(")
    if bare in ("*", "mcp__*", "mcp__"):
        why = say("import.allow_all") if effect is Effect.ALLOW else None
        draft.rule(pointer, text, _at_least_ask(effect), why=why)
        return
    named = _NAMED.fullmatch(bare)
    if named is None:
        about_mcp = "mcp" in bare.casefold() or "*" in bare
        if about_mcp:
            draft.rule(pointer, text, _at_least_ask(effect), why=say("import.not_understood"))
        else:
            draft.line(pointer, text, "dropped", say("import.other_matter"))
        return
    why = say("import.parameter") if bracket else say("import.by_name") if effect is Effect.ALLOW else None
    tool = named["tool"] or ""
    server = named["server"]
    if "*" in server:
        draft.rule(pointer, text, _at_least_ask(effect), why=say("import.not_understood"))
        return
    draft.rule(pointer, text, _at_least_ask(effect), server, "" if tool == "*" else tool, why=why)


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
        if match is not None and _VARIABLE.search(str(one)):
            match = ServerMatch(server_url=_VARIABLE.sub("*", match.server_url)) if match.server_url else None
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
