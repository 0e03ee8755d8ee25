"""goose's allow list in YAML: `extensions` with their exact commands (peers.md 4.8)."""

import shlex
from typing import Any

import yaml

from desktop_host.config.files import FileProblem
from desktop_host.policy.importers.report import Draft, Imported, elements, escaped, members
from desktop_host.policy.rules import PolicyFile, ServerMatch
from desktop_host.terms.messages import say


def translate(text: str) -> Imported:
    """Translate the list; what is not in it may not run. Raises FileProblem."""
    try:
        content: Any = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # mistakes, and numbers or depths without end
        raise FileProblem(say("import.not_yaml", what=" ".join(str(error).split()) or "too deep")) from None
    draft = Draft("goose")
    for name in members(content):
        if name != "extensions":
            draft.line(f"/{escaped(str(name))}", name, "dropped", say("import.other_matter"))
    allowed: list[ServerMatch] = []
    listed: Any = members(content).get("extensions")
    if not isinstance(listed, list):
        draft.line("/extensions", listed, "deny", say("import.malformed_list"))
    for number, one in elements(listed):
        command = members(one).get("command")
        words = _words(command) if isinstance(command, str) else []
        if not words:
            draft.line(f"/extensions/{number}", one, "deny", say("import.not_understood"))
            continue
        allowed.append(ServerMatch(server_command=tuple(words)))
        draft.line(f"/extensions/{number}", command, "kept")
    return Imported(PolicyFile(allowed_mcp_servers=tuple(allowed)), tuple(draft.report))


def _words(command: str) -> list[str]:
    """The words of a command. A backslash is a part of a path, as on Windows: none of them is an escape there."""
    parts = shlex.shlex(command, posix=True, punctuation_chars=False)
    parts.whitespace_split, parts.commenters, parts.escape = True, "", ""
    try:
        return list(parts)
    except ValueError:
        return []
