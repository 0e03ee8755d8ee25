"""Which servers the person let start: by what they are (their fingerprint), never by what they say."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir


@dataclass(frozen=True, slots=True)
class Approval:
    """When a server was approved (an epoch time), and the program its command was then, "" where it was not found."""

    when: float
    program: str = ""


class Approvals:
    """Approvals by the server's fingerprint. An unusable file approves nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_dir() / "approvals.json"
        self._approved: dict[str, Approval] = {}
        try:
            content = read_json(self._path)
        except FileProblem:
            content = None
        if isinstance(content, dict):
            stored = cast("dict[str, Any]", content).get("approved")
            if isinstance(stored, dict):
                found = ((str(key), _approval(value)) for key, value in cast("dict[str, Any]", stored).items())
                self._approved = {key: one for key, one in found if one is not None}

    def knows(self, fingerprint: str, program: str) -> bool:
        """This very server was approved. A command that is another program now is another server (DESIGN.md 6)."""
        approved = self._approved.get(fingerprint)
        return approved is not None and (not program or not approved.program or approved.program == program)

    def another(self, fingerprint: str, program: str) -> str:
        """The program that was approved, where it is not this one; else ""."""
        approved = self._approved.get(fingerprint)
        return "" if approved is None or approved.program == program else approved.program

    def approve(self, fingerprint: str, program: str = "") -> None:
        """Remember an approval. Blocking. Raises FileProblem."""
        self._approved[fingerprint] = Approval(time.time(), program)
        approved = {key: {"when": one.when, "program": one.program} for key, one in self._approved.items()}
        write_atomic(self._path, json.dumps({"version": 1, "approved": approved}, indent=2) + "\n")


def _approval(value: object) -> Approval | None:
    """An entry of the file; a number is one of before programs were kept."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Approval(float(value))
    if not isinstance(value, dict):
        return None
    body = cast("dict[str, Any]", value)
    when, program = body.get("when"), body.get("program", "")
    return Approval(float(when), program) if isinstance(when, int | float) and isinstance(program, str) else None
