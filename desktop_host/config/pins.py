"""What tools were when the person first met them: a server that changes one later is found out (a rug pull)."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.terms.asks import JsonObject

_MOST_TOOLS = 10_000
"""Tools of one server that are remembered: one that invents names without end fills no disk."""


class Pins:
    """Definitions of tools by the fingerprint of their server. An unusable file pins nothing: all is met anew."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_dir() / "tools.json"
        self._pinned: dict[str, dict[str, JsonObject]] = {}
        try:
            content = read_json(self._path)
        except FileProblem:
            content = None
        servers: Any = cast("JsonObject", content).get("servers") if isinstance(content, dict) else None
        for server, tools in cast("JsonObject", servers).items() if isinstance(servers, dict) else ():
            if isinstance(tools, dict) and all(isinstance(one, dict) for one in cast("JsonObject", tools).values()):
                self._pinned[server] = cast("dict[str, JsonObject]", tools)

    def changed(self, server: str, tools: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
        """The tools that are no longer what they were, each as it was."""
        known = self._pinned.get(server, {})
        return {
            name: known[name] for name, one in tools.items() if name in known and digest(known[name]) != digest(one)
        }

    def meet(self, server: str, tools: Mapping[str, JsonObject]) -> bool:
        """Remember the tools that are new; whether there were any. `save` keeps them."""
        known = self._pinned.setdefault(server, {})
        new = {name: one for name, one in tools.items() if name not in known}
        new = dict(list(new.items())[: max(_MOST_TOOLS - len(known), 0)])
        known.update(new)
        return bool(new)

    def accept(self, server: str, name: str, definition: JsonObject) -> None:
        """The person takes a tool as it is now. `save` keeps it."""
        self._pinned.setdefault(server, {})[name] = definition

    def save(self) -> None:
        """Keep them. Blocking. Raises FileProblem."""
        content = {"version": 1, "servers": self._pinned}
        write_atomic(self._path, json.dumps(content, ensure_ascii=False) + "\n")


def digest(definition: JsonObject) -> str:
    """The same for the same definition, in whatever order it is written."""
    return hashlib.sha256(json.dumps(definition, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
