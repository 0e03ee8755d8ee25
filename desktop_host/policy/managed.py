"""The files in which administrators say what holds on this computer (DESIGN.md section 6), found and verified.

A file that ordinary people could have changed restricts as it says, but lets nothing through.
"""

import json
import os
import plistlib
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from xml.parsers.expat import ExpatError

from desktop_host.config.files import decode_text
from desktop_host.policy.reading import STRICTEST, Problem, Read, read_policy
from desktop_host.policy.rules import PolicyFile
from desktop_host.terms.messages import Message, say

OWNER = 0
"""The user id of administrators, where there are user ids."""
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH
_PREFERENCES = Path("/Library/Managed Preferences/org.desktop-host.DesktopHost.plist")
_REGISTRY = r"SOFTWARE\Policies\DesktopHost"


@dataclass(frozen=True, slots=True)
class ManagedFile:
    """A file of an administrator, or what stands for it in the system's own store.

    `file` is what it says, the strictest where it cannot be read. `doubt`: why nothing is allowed because of it.
    """

    source: str
    file: PolicyFile
    problems: tuple[Problem, ...] = ()
    doubt: Message | None = None


def managed_places() -> tuple[Path, ...]:
    """Where administrators put their files. No variable of the person's environment has a say in it."""
    if sys.platform == "win32":
        return (Path("C:/Program Files/DesktopHost"),)
    if sys.platform == "darwin":
        return (Path("/Library/Application Support/DesktopHost"),)
    return (Path("/etc/desktop-host"),)


def read_managed(places: Sequence[Path] | None = None) -> tuple[ManagedFile, ...]:
    """What administrators have laid down: `policy.json` and `policy.d/*.json` of each place, and the system's store."""
    found = list(_stored()) if places is None else []
    for folder in managed_places() if places is None else places:
        for path in _files(folder):
            if (file := read_managed_file(path)) is not None:
                found.append(file)
    return tuple(found)


def read_managed_file(path: Path) -> ManagedFile | None:
    """A verified file; None where there is none."""
    try:
        doubt = _doubt(path)
        text = decode_text(path.read_bytes()) if stat.S_ISREG(path.stat().st_mode) else None
    except (FileNotFoundError, NotADirectoryError):
        if not path.is_symlink():
            return None
        return ManagedFile(str(path), STRICTEST, doubt=say("managed.not_a_file", file=str(path)))
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else None
        return ManagedFile(str(path), STRICTEST, doubt=say("managed.unreadable", file=str(path), what=what or "UTF-8"))
    if text is None:
        return ManagedFile(str(path), STRICTEST, doubt=doubt)
    return _judged(str(path), read_policy(text, str(path)), doubt)


def signature(places: Sequence[Path] | None = None) -> tuple[object, ...]:
    """Something that changes whenever one of the files does."""
    found: list[object] = []
    for folder in managed_places() if places is None else places:
        for path in (folder, folder / "policy.d", *_files(folder)):
            try:
                facts = path.lstat()
            except OSError:
                found.append((path, None))
            else:
                found.append(
                    (
                        path,
                        facts.st_ino,
                        facts.st_mtime_ns,
                        facts.st_ctime_ns,
                        facts.st_size,
                        facts.st_mode,
                        facts.st_uid,
                    )
                )
    if places is None:
        found += [(one.source, repr(one.file), one.doubt) for one in _stored()]
    return tuple(found)


def _judged(source: str, read: Read[PolicyFile], doubt: Message | None) -> ManagedFile:
    if doubt is None and read.problems:
        first = read.problems[0]
        where = first.pointer or "/"
        doubt = say("managed.invalid", file=source, line=first.line, column=first.column, pointer=where)
    return ManagedFile(source, read.file, read.problems, doubt)


def _doubt(path: Path) -> Message | None:
    """Why somebody else than an administrator may have written a file. Raises OSError where there is none."""
    facts = path.lstat()
    if not stat.S_ISREG(facts.st_mode):
        return say("managed.not_a_file", file=str(path))
    if sys.platform == "win32":  # what may be changed below Program Files is Windows' own business
        return None
    for one in (path, path.parent, *([path.parent.parent] if path.parent.name == "policy.d" else [])):
        facts = one.lstat()
        if stat.S_ISLNK(facts.st_mode):
            return say("managed.not_a_file", file=str(one))
        if facts.st_uid != OWNER:
            return say("managed.not_owned", file=str(one))
        if facts.st_mode & _WRITABLE:
            return say("managed.writable", file=str(one))
    return None


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


def _stored() -> Iterator[ManagedFile]:
    """What device management has put into the system's own store, which only administrators can write."""
    if sys.platform == "darwin":
        yield from read_preferences(_PREFERENCES)
    elif sys.platform == "win32":
        yield from _registry()


def read_preferences(path: Path) -> Iterator[ManagedFile]:
    """macOS managed preferences: the policy as text under `Policy`, or as a dictionary."""
    try:
        content: Any = plistlib.loads(path.read_bytes())
    except FileNotFoundError:
        return
    except (OSError, ValueError, plistlib.InvalidFileException, ExpatError):
        yield ManagedFile(str(path), STRICTEST, doubt=say("managed.unreadable", file=str(path), what="plist"))
        return
    policy = cast("dict[str, Any]", content).get("Policy") if isinstance(content, dict) else None
    if policy is not None:
        yield _judged(
            str(path),
            read_policy(policy if isinstance(policy, str) else json.dumps(policy, default=str), str(path)),
            None,
        )


def _registry() -> Iterator[ManagedFile]:
    """The value `Policy` of the machine's key; a person's own key has no say."""
    if sys.platform != "win32":
        return
    import winreg

    source = f"HKLM\\{_REGISTRY}"
    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _REGISTRY) as key:
            text, _ = winreg.QueryValueEx(key, "Policy")
    except FileNotFoundError:
        return
    except OSError as error:
        yield ManagedFile(source, STRICTEST, doubt=say("managed.unreadable", file=source, what=error.strerror or ""))
        return
    yield _judged(source, read_policy(str(text), source), None)
