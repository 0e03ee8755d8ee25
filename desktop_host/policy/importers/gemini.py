"""Gemini CLI's policy files in TOML: `[[rule]]` with tools, servers and a decision (peers.md 4.6).

Their order and priority play no part here: the strictest rule wins, which never allows what theirs would not.
"""

import tomllib
from typing import Any

from desktop_host.config.files import FileProblem
from desktop_host.policy.importers.report import Draft, Imported, elements, members, texts
from desktop_host.policy.rules import PolicyFile
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import Message, say

_EFFECTS = {"deny": Effect.DENY, "ask_user": Effect.ASK, "allow": Effect.ALLOW}
_NARROWER = ("argsPattern", "commandPrefix", "commandRegex", "toolAnnotations", "modes", "interactive", "subagent")


def translate(text: str) -> Imported:
    """Translate a policy file. Raises FileProblem."""
    draft = Draft("gemini")
    content = toml(text)
    rules: Any = content.get("rule", [])
    for name in content.keys() - {"rule"}:
        draft.line(f"/{name}", name, "dropped", say("import.other_matter"))
    if not isinstance(rules, list):
        draft.rule("/rule", str(rules), Effect.DENY, why=say("import.not_understood"))
    for number, one in elements(rules):
        _rule(draft, f"/rule/{number}", dict(members(one)))
    return Imported(PolicyFile(rules=tuple(draft.rules)), tuple(draft.report))


def toml(text: str) -> dict[str, Any]:
    """What TOML holds. Raises FileProblem."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise FileProblem(say("import.not_toml", what=str(error))) from None


def _rule(draft: Draft, pointer: str, rule: dict[str, Any]) -> None:
    decision: Any = rule.get("decision")
    wanted = _EFFECTS.get(decision) if isinstance(decision, str) else None
    effect = Effect.DENY if wanted is Effect.DENY else Effect.ASK
    why: Message | None = None
    if wanted is None:
        why = say("import.not_understood")
    elif wanted is Effect.ALLOW:
        why = say("import.by_name")
    elif any(name in rule for name in _NARROWER):
        why = say("import.parameter")
    server, tools = rule.get("mcpName", ""), rule.get("toolName", "*")
    names = [tools] if isinstance(tools, str) else texts(tools)
    if not isinstance(server, str) or names is None:
        draft.rule(pointer, str(rule), effect, why=say("import.not_understood"))
        return
    reason = rule.get("denyMessage", "")
    for name in names:
        owner, found, tool = name.partition("__")
        if not found:
            owner, tool = server, name
        text = f"{server + ': ' if server else ''}{name} = {decision}"
        if not owner and tool not in ("*", "") and not any(one in tool for one in "*?["):
            draft.line(pointer, text, "dropped", say("import.other_matter"))  # a tool of that program's own
            continue
        owner = "" if "*" in owner else owner
        plain = "" if tool == "*" else tool
        draft.rule(pointer, text, effect, owner, plain, why=why, reason=reason if isinstance(reason, str) else "")
