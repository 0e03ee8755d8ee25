"""The chain that proves the audit log: each entry's hash covers the entry and the hash before it."""

import hashlib
import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

START = "0" * 64
"""What stands before the first entry."""
COLUMNS = (
    "id", "ask", "opened", "ended", "kind", "server", "identity", "revision", "tool", "outcome", "decision", "entry",
)  # fmt: skip
"""The columns a hash covers, in this order."""
RETENTION = "retention"
"""The kind of an entry that says which of the oldest ones were removed, and the hash of the last of these."""
_AT_ONCE, _REST = 50, 0.0005
"""Entries that are held against their hashes at once, and seconds of rest after them."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a log's chain proves of its first `entries` entries; `last` is the hash of the last of them.

    `broken` is the id of the first entry that is not as it was written, or whose neighbour before it is gone; 0 where
    there is none. `cut`: no entry has the hash that was expected, so that entries at the end are gone.
    """

    entries: int
    last: str
    broken: int = 0
    cut: bool = False

    @property
    def intact(self) -> bool:
        """Every entry is as it was written."""
        return not self.broken and not self.cut


def linked(before: str, row: Sequence[Any]) -> str:
    """The hash of an entry, its columns as `COLUMNS` names them, after the hash of the one before it."""
    text = json.dumps([before, *row], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def check(path: Path, expected: str = "", *, gently: bool = False) -> Checked:
    """Follow the chain of a log from its first entry, or from the one before it that an entry says was removed.

    A log that is not there is intact. Raises sqlite3.Error.

    A chain cannot tell that entries at its end are gone, unless an `expected` hash was kept elsewhere. `gently`: other
    threads have the better part of the time, so that windows stay quick.
    """
    before = _removed(path)
    entries, found = 0, expected in ("", START, before)
    for row, hash_ in stored(path):
        if hash_ is None or hash_ != _linked(before, row):
            return Checked(entries, before, int(row[0]), not found)
        entries, before, found = entries + 1, hash_, found or hash_ == expected
        if gently and entries % _AT_ONCE == 0:
            time.sleep(_REST)
    return Checked(entries, before, cut=not found)


def entry_json(text: object) -> dict[str, Any]:
    """What an entry holds; nothing where somebody made it unreadable."""
    try:
        content: Any = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        content = None
    return cast("dict[str, Any]", content) if isinstance(content, dict) else {}


def _linked(before: str, row: Sequence[Any]) -> str:
    """See `linked`; "" of a row that nobody can have written."""
    try:
        return linked(before, row)
    except (TypeError, ValueError):
        return ""


def _removed(path: Path) -> str:
    """The hash before the first entry there is, as the newest removal of entries has it."""
    if not _there(path):
        return START
    with closing(_reading(path)) as connection:
        first = connection.execute("SELECT min(id) FROM asks").fetchone()[0]
        query = "SELECT entry FROM asks WHERE kind = ? ORDER BY id DESC LIMIT 1"
        removal = connection.execute(query, (RETENTION,)).fetchone()
    if first in (None, 1) or removal is None:
        return START
    said = entry_json(removal[0])
    return str(said.get("hash")) if said.get("removedThrough") == first - 1 else START


def stored(path: Path, after: int = 0) -> Iterator[tuple[tuple[Any, ...], str | None]]:
    """The entries of a log after one of them, oldest first, each with its hash. Raises sqlite3.Error.

    Where there is no log there are none.
    """
    if not _there(path):
        return
    with closing(_reading(path)) as connection:
        columns = ", ".join(COLUMNS)
        for row in connection.execute(f"SELECT {columns}, hash FROM asks WHERE id > ? ORDER BY id", (after,)):
            yield row[:-1], row[-1]


def newest(path: Path) -> int:
    """The id of the newest entry, 0 where there is none. Raises sqlite3.Error."""
    if not _there(path):
        return 0
    with closing(_reading(path)) as connection:
        return connection.execute("SELECT coalesce(max(id), 0) FROM asks").fetchone()[0]


def _reading(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.text_factory = as_text
    return connection


def as_text(data: bytes) -> str:
    """What a column holds, also where somebody put there what is no text."""
    return data.decode("utf-8", "surrogateescape")


def _there(path: Path) -> bool:
    """A log was begun: the program may have ended between making the file and its table."""
    if not path.exists():
        return False
    with closing(_reading(path)) as connection:
        return bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'asks'").fetchone())


def chain_up(connection: sqlite3.Connection) -> None:
    """Give the entries of a log that had no chain yet their hashes. Inside a transaction."""
    connection.execute("ALTER TABLE asks ADD COLUMN hash TEXT")
    before = START
    for row in connection.execute(f"SELECT {', '.join(COLUMNS)} FROM asks ORDER BY id").fetchall():
        before = linked(before, row)
        connection.execute("UPDATE asks SET hash = ? WHERE id = ?", (before, row[0]))
