"""The files in which administrators say what holds on this computer (DESIGN.md section 6)."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json
from desktop_host.terms.asks import JsonObject

VERSION = 1


def managed_places() -> tuple[Path, ...]:
    """Where administrators put their files. No variable of the person's environment has a say in it."""
    if sys.platform == "win32":
        return (Path("C:/Program Files/DesktopHost"),)
    if sys.platform == "darwin":
        return (Path("/Library/Application Support/DesktopHost"),)
    return (Path("/etc/desktop-host"),)


def managed_files(places: Sequence[Path] | None = None) -> Iterator[JsonObject | None]:
    """`policy.json` and what is in `policy.d` of each place; None for a file that cannot be read or understood."""
    for folder in managed_places() if places is None else places:
        for path in _files(folder):
            try:
                path.lstat()
                content: Any = read_json(path)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (OSError, FileProblem):
                yield None
                continue
            policy = cast("JsonObject", content) if isinstance(content, dict) else None
            yield policy if policy is not None and policy.get("version", VERSION) == VERSION else None


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
