"""Other programs' policies as ours: `translate` is the face. Nothing is ever wider than it was.

A name is no identity here, so that what others allow by a server's name is asked about. What is not understood becomes
ask, or deny where it was one; every line of the original is accounted for in the report.
"""

from collections.abc import Callable

from desktop_host.policy.importers import claude, codex, cursor, gemini, goose, vscode
from desktop_host.policy.importers.report import Imported

VENDORS: dict[str, Callable[[str], Imported]] = {
    "claude": claude.translate,
    "claude-mcp": claude.translate_servers,
    "copilot": claude.translate,
    "vscode": vscode.translate,
    "gemini": gemini.translate,
    "codex": codex.translate,
    "cursor": cursor.translate,
    "goose": goose.translate,
}
"""By the name of the program whose file it is; each raises FileProblem for a text it cannot read at all."""


def translate(vendor: str, text: str) -> Imported:
    """Translate a policy of another program. Raises KeyError and FileProblem."""
    return VENDORS[vendor](text)
