"""The workspace roots and which server each is shared with (ROOT-02 to ROOT-14)."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import RootState


class Workspace:
    """All roots in the order they were added. Methods that write block and raise FileProblem: call them in a thread."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_dir() / "roots.json"
        self.problems: list[Message] = []
        self._roots: list[RootState] = []
        self._passing: list[RootState] = []
        try:
            content = read_json(self._path)
        except FileProblem as problem:
            self.problems.append(problem.message)
            content = None
        if isinstance(content, dict):
            self._take(cast("dict[str, Any]", content).get("roots"))

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
        """The roots as they are now; a folder that is gone is marked."""
        return tuple(replace(root, missing=not Path(root.path).is_dir()) for root in (*self._roots, *self._passing))

    def shared_with(self, server: str) -> tuple[RootState, ...]:
        """The roots offered to a server: shared with it and there."""
        return tuple(root for root in self.roots if server in root.shared_with and not root.missing)

    def add(self, path: str, name: str = "") -> RootState:
        """Add a folder; the same folder again is the same root. Raises FileProblem where it is no folder."""
        root = _root(_folder(path), name)
        known = next((one for one in self._roots if one.uri == root.uri), None)
        if known is not None:
            return known
        self._roots.append(root)
        self._save()
        return root

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
        write_atomic(self._path, json.dumps({"version": 1, "roots": roots}, indent=2, ensure_ascii=False) + "\n")


def wire_roots(roots: tuple[RootState, ...]) -> dict[str, Any]:
    """The result of `roots/list` (ROOT-04, ROOT-05)."""
    return {"roots": [{"uri": root.uri, "name": root.name} for root in roots]}


def _folder(path: str) -> Path:
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise FileProblem(say("roots.no_folder", path=path))
    return folder.resolve()


def _root(path: Path, name: str) -> RootState:
    return RootState(path.absolute().as_uri(), str(path), name or path.name or str(path))
