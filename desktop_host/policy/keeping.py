"""What an administrator lets us keep of the person's answers: `"keep": {"drafts": false, "waitingAsks": false}`."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json

VERSION = 1
_NAMES: tuple[str, ...] = ("drafts", "waitingAsks")


@dataclass(frozen=True, slots=True)
class Keeping:
    """May drafts of forms be kept, and asks of modern servers that wait when the program ends."""

    drafts: bool = True
    waiting_asks: bool = True


def read_keeping(places: Sequence[Path] | None = None) -> Keeping:
    """Read `policy.json` and `policy.d` in each place (DESIGN.md section 6): one "no" is a no.

    Fails closed: a file that cannot be read or understood lets nothing be kept.
    """
    allowed = dict.fromkeys(_NAMES, True)
    for folder in managed_places() if places is None else places:
        for path in _files(folder):
            said = _said(path)
            allowed = {name: before and said[name] for name, before in allowed.items()}
    return Keeping(allowed["drafts"], allowed["waitingAsks"])


def managed_places() -> tuple[Path, ...]:
    """Where administrators put their files. No variable of the person's environment has a say in it."""
    if sys.platform == "win32":
        return (Path("C:/Program Files/DesktopHost"),)
    if sys.platform == "darwin":
        return (Path("/Library/Application Support/DesktopHost"),)
    return (Path("/etc/desktop-host"),)


def _files(folder: Path) -> list[Path]:
    """The files of a place; a folder that cannot be looked into counts as a file that cannot be read."""
    found = [folder / "policy.json"]
    try:
        with os.scandir(folder / "policy.d") as entries:
            found += sorted(Path(entry.path) for entry in entries if entry.name.endswith(".json"))
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError:
        found.append(folder / "policy.d")
    return found


def _said(path: Path) -> dict[str, bool]:
    nothing = dict.fromkeys(_NAMES, False)
    try:
        path.lstat()
        content: Any = read_json(path)
    except (FileNotFoundError, NotADirectoryError):
        return dict.fromkeys(_NAMES, True)
    except (OSError, FileProblem):
        return nothing
    policy = cast("dict[str, Any]", content) if isinstance(content, dict) else None
    keep: Any = policy.get("keep", {}) if policy is not None else None
    if policy is None or policy.get("version", VERSION) != VERSION or not isinstance(keep, dict):
        return nothing
    said = cast("dict[str, Any]", keep)
    if not said.keys() <= set(_NAMES):
        return nothing
    return {name: said.get(name, True) is True for name in _NAMES}
