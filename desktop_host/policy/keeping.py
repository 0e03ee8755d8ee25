"""What an administrator lets us keep of the person's answers: `"keep": {"drafts": false, "waitingAsks": false}`."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json


@dataclass(frozen=True, slots=True)
class Keeping:
    """May drafts of forms be kept, and asks of modern servers that wait when the program ends."""

    drafts: bool = True
    waiting_asks: bool = True


def read_keeping(places: Sequence[Path] | None = None) -> Keeping:
    """Read `policy.json` and `policy.d` in each place (DESIGN.md section 6): one "no" is a no.

    Fails closed: a file that cannot be read or understood lets nothing be kept.
    """
    allowed = {"drafts": True, "waitingAsks": True}
    for folder in managed_places() if places is None else places:
        for path in (folder / "policy.json", *sorted(folder.glob("policy.d/*.json"))):
            said = _said(path)
            allowed = {name: before and said.get(name, True) is True for name, before in allowed.items()}
    return Keeping(allowed["drafts"], allowed["waitingAsks"])


def managed_places() -> tuple[Path, ...]:
    """Where administrators put their files."""
    if sys.platform == "win32":
        return (Path("C:/Program Files/DesktopHost"),)
    if sys.platform == "darwin":
        return (Path("/Library/Application Support/DesktopHost"),)
    return (Path("/etc/desktop-host"),)


def _said(path: Path) -> dict[str, Any]:
    nothing: dict[str, Any] = {"drafts": False, "waitingAsks": False}
    if not path.is_symlink() and not path.exists():
        return {}
    try:
        content: Any = read_json(path)
    except FileProblem:
        return nothing
    keep: Any = cast("dict[str, Any]", content).get("keep", {}) if isinstance(content, dict) else None
    return cast("dict[str, Any]", keep) if isinstance(keep, dict) else nothing
