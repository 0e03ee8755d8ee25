"""VS Code's policy values, as `/etc/vscode/policy.json` or an export of its registry key holds them (peers.md 4.4)."""

from desktop_host.config.files import FileProblem
from desktop_host.policy.importers.report import Draft, Imported, escaped, json_object, literal, members
from desktop_host.policy.rules import PolicyFile, ServerMatch
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import say

_ALL = ("all", "allowed")


def translate(text: str) -> Imported:
    """Translate flat names with their values. Raises FileProblem."""
    draft = Draft("vscode")
    allowed: tuple[ServerMatch, ...] | None = None
    for name, value in json_object(text).items():
        pointer = f"/{escaped(name)}"
        match name:
            case "ChatMCP":
                if isinstance(value, str) and value.casefold() in _ALL:
                    draft.line(pointer, value, "kept")
                else:
                    allowed = ()
                    off = value in ("off", "none")
                    draft.line(pointer, value, "deny", None if off else say("import.registry"))
            case "ChatToolsAutoApprove":
                if value is True:
                    draft.line(pointer, value, "dropped", say("import.allow_all"))
                else:
                    draft.rule(pointer, str(value), Effect.ASK)
            case "ChatToolsEligibleForAutoApproval":
                _eligible(draft, pointer, value)
            case _:
                draft.line(pointer, name, "dropped", say("import.other_matter"))
    return Imported(PolicyFile(allowed_mcp_servers=allowed, rules=tuple(draft.rules)), tuple(draft.report))


def _eligible(draft: Draft, pointer: str, value: object) -> None:
    try:
        listed = members(json_object(value) if isinstance(value, str) else value)
    except FileProblem:
        listed = members(None)
    if not listed:
        draft.rule(pointer, str(value), Effect.ASK, why=say("import.not_understood"))
    for tool, eligible in listed.items():
        if eligible is True:
            draft.line(f"{pointer}/{escaped(tool)}", tool, "dropped", say("import.by_name"))
        else:
            server, slash, name = tool.partition("/")
            plain = literal(name if slash else tool)
            draft.rule(f"{pointer}/{escaped(tool)}", tool, Effect.ASK, server if slash else "", f"*{plain}")
