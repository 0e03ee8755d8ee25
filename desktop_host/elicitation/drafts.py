"""Drafts: what was typed into forms that were not sent, offered when the same server asks the same form again."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, cast

from desktop_host.config.kept import KeptFiles
from desktop_host.elicitation.form import Entry, Form
from desktop_host.terms.asks import Origin

LIFETIME = 14 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class FormDraft:
    """Entries of an earlier time, by field; `saved` is seconds since the epoch."""

    entries: Mapping[str, Entry]
    saved: float


def draft_key(origin: Origin, form: Form) -> str:
    """The name of the drafts of one server's form: the same server is the same by what it is, not by what it says."""
    what = [origin.server, origin.identity, form.schema]
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


class Drafts:
    """The drafts in a folder of their own. Masked fields are never kept."""

    def __init__(self, files: KeptFiles) -> None:
        self._files = files
        self._sending: dict[str, set[str]] = {}

    async def find(self, key: str, form: Form) -> FormDraft | None:
        """The draft of a form, with the entries whose fields are there still."""
        found = await self._files.find(key)
        entries: Any = (found or {}).get("entries")
        if found is None or not isinstance(entries, dict):
            return None
        names = {one.name for one in form.fields}
        kept = {name: _entry(value) for name, value in cast("dict[str, Any]", entries).items() if name in names}
        return FormDraft(kept, found["saved"]) if kept else None

    async def keep(self, key: str, entries: Mapping[str, Entry], masked: Collection[str]) -> None:
        """Keep what was typed so far; nothing typed leaves no draft."""
        open_ = {name: entry for name, entry in entries.items() if name not in masked}
        if any(entry not in (None, "", ()) for entry in open_.values()):
            await self._files.keep(key, {"entries": open_})
        else:
            await self._files.drop(key)

    async def drop(self, key: str) -> None:
        """The form was sent or declined."""
        await self._files.drop(key)

    def sending(self, call_id: str, key: str) -> None:
        """The form was filled in, but its answer leaves with its call's next round: `sent` comes later."""
        self._sending.setdefault(call_id, set()).add(key)

    async def sent(self, call_id: str) -> None:
        """Everything filled in during a call has left, or is of no use any more."""
        for key in self._sending.pop(call_id, ()):
            await self._files.drop(key)


def _entry(value: Any) -> Entry:
    if isinstance(value, list):
        return tuple(str(one) for one in cast("list[Any]", value))
    return value if isinstance(value, str | bool) else None
