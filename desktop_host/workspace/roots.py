"""Workspaces: named sets of roots and servers; which server each root is shared with (ROOT-02 to ROOT-14)."""

import json
import os
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import RootState

_MOST_RECENT = 12
_NETWORK = ("gvfs", "Volumes", "net")
"""Where systems hang the folders of other computers."""
_VCS = (".git", ".hg", ".svn", ".jj")
"""What the top folder of something under version control holds."""


@dataclass(slots=True)
class _Space:
    """A named set: its roots in the order they were added, and its servers; None: every server."""

    roots: list[RootState] = field(default_factory=list[RootState])
    servers: frozenset[str] | None = None


class Workspace:
    """The workspace in force, one of several by name; the first has none until the person gives it one.

    Methods that write block and raise FileProblem: call them in a thread.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_dir() / "roots.json"
        self.problems: list[Message] = []
        self._spaces: dict[str, _Space] = {}
        self._current = ""
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
            for space in _objects(body.get("workspaces")):
                servers, name = space.get("servers"), space.get("name")
                made = self._spaces[name if isinstance(name, str) else ""] = _Space()
                made.servers = None if servers is None else frozenset(_texts(servers))
                self._take(made, space.get("roots"))
            if "roots" in body:  # as it was when there was one workspace
                self._take(self._spaces.setdefault("", _Space()), body["roots"])
            current = body.get("current")
            self._current = current if isinstance(current, str) else ""
            self._recent, self._excluded = _texts(body.get("recent")), _texts(body.get("excluded"))
        if not self._spaces:
            self._spaces[""] = _Space()
        if self._current not in self._spaces:
            self._current = next(iter(self._spaces))

    def _take(self, space: _Space, entries: object) -> None:
        for entry in cast("list[Any]", entries) if isinstance(entries, list) else []:
            body = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
            path, shared = body.get("path"), body.get("sharedWith", [])
            if isinstance(path, str) and isinstance(shared, list):
                name = body.get("name")
                root = _root(Path(path), name if isinstance(name, str) else "")
                space.roots.append(replace(root, shared_with=frozenset(map(str, cast("list[Any]", shared)))))
            else:
                self.problems.append(say("roots.bad_entry", file=str(self._path)))

    @property
    def name(self) -> str:
        """That of the workspace in force, "" where it has none."""
        return self._current

    @property
    def names(self) -> tuple[str, ...]:
        """Those of all workspaces."""
        return tuple(self._spaces)

    @property
    def servers(self) -> frozenset[str] | None:
        """The servers of the workspace in force; None: every server."""
        return self._spaces[self._current].servers

    def has(self, server: str) -> bool:
        """A server is of the workspace in force."""
        return self.servers is None or server in self.servers

    def create(self, name: str) -> None:
        """Make a workspace without roots and with every server, and let it be in force. Raises FileProblem."""
        self._free(name)
        self._spaces[name] = _Space()
        self._current = name
        self._save()

    def switch(self, name: str) -> None:
        """Let another workspace be in force. Raises FileProblem where there is no such workspace."""
        if name not in self._spaces:
            raise FileProblem(say("workspace.unknown", name=name))
        self._current = name
        self._save()

    def rename(self, name: str) -> None:
        """Give the workspace in force another name. Raises FileProblem."""
        if name != self._current:
            self._free(name)
            self._spaces = {name if one == self._current else one: space for one, space in self._spaces.items()}
            self._current = name
            self._save()

    def delete(self) -> None:
        """Forget the workspace in force; the one before it comes into force. The folders stay as they are."""
        names = list(self._spaces)
        place = names.index(self._current)
        del self._spaces[self._current]
        self._spaces = self._spaces or {"": _Space()}
        self._current = list(self._spaces)[max(place - 1, 0)]
        self._save()

    def choose_servers(self, servers: Collection[str] | None) -> None:
        """Say which servers the workspace in force has; None: every one."""
        self._spaces[self._current].servers = None if servers is None else frozenset(servers)
        self._save()

    def join(self, server: str) -> None:
        """A new server is of the workspace in which it was added."""
        if self.servers is not None:
            self.choose_servers(self.servers | {server})

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
        for space in self._spaces.values():
            space.roots = [root for root in space.roots if not Path(root.path).resolve().is_relative_to(real)]
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
        self._space.roots = [root for root in self._roots if root.uri != uri]
        self._passing = [root for root in self._passing if root.uri != uri]
        self._save()

    def call(self, uri: str, name: str) -> None:
        """Give a root another name; "" is that of its folder."""
        for place, root in enumerate(self._roots):
            if root.uri == uri:
                self._roots[place] = replace(root, name=name or _root(Path(root.path), "").name)
        self._save()

    def share(self, uri: str, server: str, shared: bool) -> None:
        """Offer a root to a server, or no longer."""

        def changed(root: RootState) -> RootState:
            names = root.shared_with | {server} if shared else root.shared_with - {server}
            return replace(root, shared_with=names) if root.uri == uri else root

        self._space.roots = [changed(root) for root in self._roots]
        self._passing = [changed(root) for root in self._passing]
        self._save()

    @property
    def _space(self) -> _Space:
        return self._spaces[self._current]

    @property
    def _roots(self) -> list[RootState]:
        return self._space.roots

    def _free(self, name: str) -> None:
        """Raises FileProblem where a name is none, or another workspace's."""
        if not name.strip() or name in self._spaces:
            raise FileProblem(say("workspace.name_taken", name=name))

    def _save(self) -> None:
        content = {
            "version": 1,
            "current": self._current,
            "workspaces": [
                {
                    "name": name,
                    **({} if space.servers is None else {"servers": sorted(space.servers)}),
                    "roots": [
                        {"path": one.path, "name": one.name, "sharedWith": sorted(one.shared_with)}
                        for one in space.roots
                    ],
                }
                for name, space in self._spaces.items()
            ],
            "recent": self._recent,
            "excluded": self._excluded,
        }
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
        repository=_repository(path),
        network=root.path.startswith(("\\\\", "//")) or any(part in _NETWORK for part in path.parts[:6]),
    )


def _repository(path: Path) -> str:
    """The folder under version control that a folder is a part of; "" where it is whole, or none."""
    around = next((folder for folder in (path, *path.parents) if any((folder / kind).exists() for kind in _VCS)), path)
    return str(around) if around != path else ""


def _objects(value: object) -> list[dict[str, Any]]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", one) for one in listed if isinstance(one, dict)]


def _texts(value: object) -> list[str]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [one for one in listed if isinstance(one, str)]
