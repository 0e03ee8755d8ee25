"""Cursor's `permissions.json`: an allow list of tools, "server:tool" (peers.md 4.5)."""

from desktop_host.policy.importers.report import Draft, Imported, elements, escaped, json_object, literal
from desktop_host.policy.rules import PolicyFile
from desktop_host.terms.asks import Effect
from desktop_host.terms.messages import say


def translate(text: str) -> Imported:
    """Translate the list: names are no identity, so that each is asked about. Raises FileProblem."""
    draft = Draft("cursor")
    for name, value in json_object(text).items():
        if name != "mcpAllowlist":
            draft.line(f"/{escaped(name)}", name, "dropped", say("import.other_matter"))
            continue
        if not isinstance(value, list):
            draft.rule("/mcpAllowlist", str(value), Effect.ASK, why=say("import.not_understood"))
        for number, one in elements(value):
            pointer = f"/mcpAllowlist/{number}"
            server, colon, tool = one.partition(":") if isinstance(one, str) else ("", "", "")
            if not colon or not server or not tool:
                draft.rule(pointer, str(one), Effect.ASK, why=say("import.not_understood"))
                continue
            known = "" if "*" in server else server
            draft.rule(
                pointer,
                str(one),
                Effect.ASK,
                known,
                "" if tool == "*" else literal(tool, stars=True),
                why=say("import.by_name"),
            )
    return Imported(PolicyFile(rules=tuple(draft.rules)), tuple(draft.report))
