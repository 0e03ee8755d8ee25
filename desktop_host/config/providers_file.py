"""`models.json`: the model providers the person set up. Keys are not in it, they live in the keyring."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.terms.messages import Message, say

VERSION = 1
_KEYS = frozenset(["id", "kind", "preset", "name", "baseUrl", "models", "tiers"])
KINDS = ("openai-compatible", "anthropic")


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """A provider. `preset` names a known endpoint; `models` those to offer, none: all it lists; `tiers` from 1 to 5."""

    id: str
    kind: str
    preset: str = "custom"
    name: str = ""
    base_url: str = ""
    models: tuple[str, ...] = ()
    tiers: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def key_name(self) -> str:
        """Its key's entry in the keyring."""
        return f"provider:{self.id}"

    def as_json(self) -> dict[str, Any]:
        """The entry as the file holds it."""
        found: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "preset": self.preset,
            "name": self.name,
            "baseUrl": self.base_url,
            "models": list(self.models),
            "tiers": dict(self.tiers),
        }
        return {key: value for key, value in found.items() if value}


class ProvidersFile:
    """The providers in the person's order. One bad entry never costs the good ones; it is reported."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_dir() / "models.json"
        self.problems: list[Message] = []
        self._rest: dict[str, Any] = {}
        self._more: dict[str, dict[str, Any]] = {}
        self._unread: list[Any] = []
        self.entries: tuple[ProviderEntry, ...] = ()
        try:
            content: Any = read_json(self.path)
        except FileProblem as problem:
            self.problems.append(problem.message)
            return
        if content is not None:
            self._take(content)

    def put(self, entry: ProviderEntry) -> None:
        """Add a provider, or change the one with its id, and save. Raises FileProblem."""
        others = [one for one in self.entries if one.id != entry.id]
        place = next((number for number, one in enumerate(self.entries) if one.id == entry.id), len(others))
        self._save((*others[:place], entry, *others[place:]))

    def remove(self, provider_id: str) -> None:
        """Forget a provider, and save. Raises FileProblem."""
        self._save(tuple(one for one in self.entries if one.id != provider_id))

    def new_id(self, wanted: str) -> str:
        """An id that no provider has."""
        plain = re.sub(r"[^a-z0-9]+", "-", wanted.lower()).strip("-") or "provider"
        taken = {one.id for one in self.entries}
        return next(one for one in (plain, *(f"{plain}-{n}" for n in range(2, 1000))) if one not in taken)

    def _take(self, content: Any) -> None:
        if not isinstance(content, dict):
            self.problems.append(say("file.not_object", file=str(self.path)))
            return
        found: Any = cast("dict[str, Any]", content).get("providers", [])
        self._rest = {key: value for key, value in cast("dict[str, Any]", content).items() if key != "providers"}
        entries: list[ProviderEntry] = []
        for raw in cast("list[Any]", found) if isinstance(found, list) else [None]:
            entry = _read(raw)
            if entry is None or any(one.id == entry.id for one in entries):
                self.problems.append(say("models.bad_entry", file=str(self.path)))
                self._unread.append(raw)
            else:
                entries.append(entry)
                members = cast("dict[str, Any]", raw)
                self._more[entry.id] = {name: members[name] for name in members.keys() - _KEYS}
        self.entries = tuple(entries)

    def _save(self, entries: tuple[ProviderEntry, ...]) -> None:
        known = [{**self._more.get(one.id, {}), **one.as_json()} for one in entries]
        content = {"version": VERSION, **self._rest, "providers": [*known, *self._unread]}
        write_atomic(self.path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
        self.entries = entries


def _read(raw: object) -> ProviderEntry | None:
    if not isinstance(raw, dict):
        return None
    found = cast("dict[str, Any]", raw)
    texts: list[Any] = [found.get(key, "") for key in ("id", "kind", "preset", "name", "baseUrl")]
    if not all(isinstance(text, str) for text in texts):
        return None
    entry = ProviderEntry(*texts)
    models, tiers = found.get("models", []), found.get("tiers", {})
    if not entry.id or entry.kind not in KINDS:
        return None
    if not isinstance(models, list) or not isinstance(tiers, dict):
        return None
    good = {
        name: tier
        for name, tier in cast("dict[str, Any]", tiers).items()
        if isinstance(tier, int) and not isinstance(tier, bool) and 1 <= tier <= 5
    }
    names = tuple(name for name in cast("list[Any]", models) if isinstance(name, str) and name)
    return replace(entry, preset=entry.preset or "custom", models=names, tiers=good)
