"""The workspace roots and which server each is shared with (ROOT-02 to ROOT-14)."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import RootState

_MOST_RECENT = 12
_NETWORK = ("gvfs", "Volumes", "net")
"""Where systems hang the folders of other computers."""


class Workspace:
    """All roots in the order they were added. Methods that write block and raise FileProblem: call them in a thread."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_dir() / "roots.json"
        self.problems: list[Message] = []
        self._roots: list[RootState] = []
        self._recent: list[str] = []
        self._excluded: list[str] = []
        self._passing: list[RootState] = []
        try:
            content = read_json(self._path)
        except FileProblem as problem:
            self.problems.append(problem.message)
            content = None
        if isinstance(content, dict):
            body = cast("dict[str, Any]", content)
            self._take(body.get("roots"))
            self._recent, self._excluded = _texts(body.get("recent")), _texts(body.get("excluded"))

    def _take(self, entries: object) -> None:
        for entry in cast("list[Any]", entries) if isinstance(entries, list) else []:
            body = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
            path, shared = body.get("path"), body.get("sharedWith", [])
            if isinstance(path, str) and isinstance(shared, list):
                name = body.get("name")
                root = _root(Path(path), name if isinstance(name, str) else "")
                self._roots.append(replace(root, shared_with=frozenset(map(str, cast("list[Any]", shared)))))
            else:
                self.problems.append(say("roots.bad_entry", file=str(self._path)))

    @property
    def roots(self) -> tuple[RootState, ...]:
        """The roots as they are now; what is odd about a folder is marked."""
        return tuple(_as_it_is(root) for root in (*self._roots, *self._passing))

    @property
    def recent(self) -> tuple[str, ...]:
        """Folders that were roots before, the newest first."""
        known = {root.path for root in self._roots}
        return tuple(path for path in self._recent if path not in known)

    @property
    def excluded(self) -> tuple[str, ...]:
        """Folders that never become roots by themselves, nor does what is in them."""
        return tuple(self._excluded)

    def shared_with(self, server: str) -> tuple[RootState, ...]:
        """The roots offered to a server: shared with it and there."""
        return tuple(root for root in self.roots if server in root.shared_with and not root.missing)

    def add(self, path: str, name: str = "") -> RootState:
        """Add a folder; the same folder again, by whatever way, is the same root.

        Raises FileProblem where it is no folder, or is in one that is excluded.
        """
        folder = _folder(path)
        root, real = _root(folder, name), folder.resolve()
        known = next((one for one in self._roots if Path(one.path).resolve() == real), None)
        if known is not None:
            return known
        for excluded in self._excluded:
            if real.is_relative_to(Path(excluded).resolve()):
                raise FileProblem(say("roots.excluded", path=path, excluded=excluded))
        self._roots.append(root)
        self._recent = [root.path, *(one for one in self._recent if one != root.path)][:_MOST_RECENT]
        self._save()
        return root

    def exclude(self, path: str) -> None:
        """Let a folder and all that is in it never become a root by itself; those that are roots go."""
        real = Path(path).resolve()
        self._roots = [root for root in self._roots if not Path(root.path).resolve().is_relative_to(real)]
        if path not in self._excluded:
            self._excluded.append(path)
        self._save()

    def include(self, path: str) -> None:
        """Let a folder be a root again."""
        self._excluded = [one for one in self._excluded if one != path]
        self._save()

    def offer(self, path: str, server: str, name: str = "") -> None:
        """Offer a folder to one server while the program runs, without keeping it. Raises FileProblem."""
        root = _root(_folder(path), name)
        known = next((one for one in self._passing if one.uri == root.uri), root)
        others = [one for one in self._passing if one.uri != root.uri]
        self._passing = [*others, replace(known, shared_with=known.shared_with | {server})]

    def remove(self, uri: str) -> None:
        """Take a root away from every server."""
        self._roots = [root for root in self._roots if root.uri != uri]
        self._passing = [root for root in self._passing if root.uri != uri]
        self._save()

    def share(self, uri: str, server: str, shared: bool) -> None:
        """Offer a root to a server, or no longer."""

        def changed(root: RootState) -> RootState:
            names = root.shared_with | {server} if shared else root.shared_with - {server}
            return replace(root, shared_with=names) if root.uri == uri else root

        self._roots = [changed(root) for root in self._roots]
        self._passing = [changed(root) for root in self._passing]
        self._save()

    def _save(self) -> None:
        roots = [{"path": one.path, "name": one.name, "sharedWith": sorted(one.shared_with)} for one in self._roots]
        content = {"version": 1, "roots": roots, "recent": self._recent, "excluded": self._excluded}
        write_atomic(self._path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def wire_roots(roots: tuple[RootState, ...]) -> dict[str, Any]:
    """The result of `roots/list` (ROOT-04, ROOT-05)."""
    return {"roots": [{"uri": root.uri, "name": root.name} for root in roots]}


def _folder(path: str) -> Path:
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise FileProblem(say("roots.no_folder", path=path))
    # Not resolved: a link is what the person named, and is shown as one (R08).
    return Path(os.path.normpath(folder.absolute()))


def _root(path: Path, name: str) -> RootState:
    return RootState(path.absolute().as_uri(), str(path), name or path.name or str(path))


def _as_it_is(root: RootState) -> RootState:
    path = Path(root.path)
    missing = not path.is_dir()
    return replace(
        root,
        missing=missing,
        unreadable=not missing and not os.access(path, os.R_OK | os.X_OK),
        link=path.resolve() != path,
        network=root.path.startswith(("\\\\", "//")) or any(part in _NETWORK for part in path.parts[:6]),
    )


def _texts(value: object) -> list[str]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [one for one in listed if isinstance(one, str)]
