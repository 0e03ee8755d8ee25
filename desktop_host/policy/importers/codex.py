"""Codex' `requirements.toml`: servers by name and identity; all others are off (peers.md 4.7)."""

from typing import Any

from desktop_host.policy.importers.gemini import toml
from desktop_host.policy.importers.report import Draft, Imported, escaped, literal_url, members
from desktop_host.policy.rules import PolicyFile, ServerMatch
from desktop_host.terms.messages import say


def translate(text: str) -> Imported:
    """Translate the requirements. Raises FileProblem."""
    draft = Draft("codex")
    allowed: list[ServerMatch] | None = None
    for name, value in toml(text).items():
        if name != "mcp_servers":
            draft.line(f"/{escaped(name)}", name, "dropped", say("import.other_matter"))
            continue
        allowed = []
        if not isinstance(value, dict):
            draft.line("/mcp_servers", value, "deny", say("import.malformed_list"))
        for server, body in members(value).items():
            pointer = f"/mcp_servers/{escaped(server)}"
            match = _identity(dict(members(members(body).get("identity"))))
            if match is None:
                draft.line(pointer, server, "deny", say("import.not_understood"))
            else:
                allowed.append(match)
                draft.line(pointer, server, "kept", say("import.command_alone") if match.server_command else None)
    policy = PolicyFile(allowed_mcp_servers=None if allowed is None else tuple(allowed))
    return Imported(policy, tuple(draft.report))


def _identity(identity: dict[str, Any]) -> ServerMatch | None:
    match identity:
        case {"command": str(command)} if command and len(identity) == 1:
            return ServerMatch(server_command=(command,))
        case {"url": str(url)} if len(identity) == 1 and (exact := literal_url(url)):
            return ServerMatch(server_url=exact)
        case _:
            return None
