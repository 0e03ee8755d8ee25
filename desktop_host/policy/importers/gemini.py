"""Gemini CLI's policy files in TOML: `[[rule]]` with tools, servers and a decision (peers.md 4.6).

Their order and priority play no part here: the strictest rule wins, which never allows what theirs would not.
"""

import re
import tomllib
from typing import Any

from desktop_host.config.files import FileProblem
from desktop_host.policy.importers.report import Draft, Imported, elements, escaped, literal, members, texts
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
    for name in content:
        if name != "rule":
            draft.line(f"/{escaped(name)}", name, "dropped", say("import.other_matter"))
    if not isinstance(rules, list):
        draft.rule("/rule", str(rules), Effect.DENY, why=say("import.not_understood"))
    for number, one in elements(rules):
        _rule(draft, f"/rule/{number}", dict(members(one)))
    return Imported(PolicyFile(rules=tuple(draft.rules)), tuple(draft.report))


def toml(text: str) -> dict[str, Any]:
    """What TOML holds. Raises FileProblem."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:  # mistakes, and numbers or depths without end
        raise FileProblem(say("import.not_toml", what=str(error) or "too deep")) from None


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
    said = rule.get("denyMessage", "")
    reason = said if isinstance(said, str) else ""
    if not names:
        draft.rule(pointer, str(rule), effect, "" if "*" in server else server, why=say("import.not_understood"))
    for name in names:
        text = f"{server + ': ' if server else ''}{name} = {decision}"
        readings = _readings(server, name)
        if not readings:
            draft.line(pointer, text, "dropped", say("import.other_matter"))  # a tool of that program's own
        for owner, tool in readings:
            draft.rule(pointer, text, effect, owner, literal(tool, stars=True), why=why, reason=reason)


def _readings(server: str, name: str) -> list[tuple[str, str]]:
    """Each way to read a tool's name: a server, "" for any, and its tool, "" for all. None: it is no server's tool."""
    owner, tool = "" if "*" in server else server, _tool(name)
    found = [(owner, tool)] if server or not tool or any(one in tool for one in "*?") else []
    for mark, rest in (("__", name), ("_", name.removeprefix("mcp_"))):
        if mark == "_" and rest == name:
            continue  # only whole names begin so
        if mark == "_":
            found.append(
                (owner, _tool(rest)) if rest == "*" or not rest.endswith("_*") else (rest.removesuffix("_*"), "")
            )
        for cut in re.finditer(f"(?={mark})", rest):
            before, after = rest[: cut.start()], rest[cut.start() + len(mark) :]
            if before and after and (not server or before == server):
                found.append(("" if "*" in before else before, _tool(after)))
    return list(dict.fromkeys(found))


def _tool(name: str) -> str:
    return "" if name == "*" else name
