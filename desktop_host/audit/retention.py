"""How long the record is kept: the oldest entries go, and an entry says so, by which the chain stays provable."""

import json
import sqlite3
import time
from typing import Any

from desktop_host.audit.chain import RETENTION, linked

_MEGABYTE = 1_000_000


def prune(connection: sqlite3.Connection, days: int, megabytes: int) -> int:
    """Remove entries older than so many days, and the oldest ones of a log that is larger; how many went.

    Inside a transaction. What was written last always stays.
    """
    last = connection.execute("SELECT id, hash FROM asks ORDER BY id DESC LIMIT 1").fetchone()
    if last is None:
        return 0
    through = max(_too_old(connection, days), _too_much(connection, megabytes))
    through = min(through, last[0] - 1)
    gone = connection.execute("SELECT count(*), max(id) FROM asks WHERE id <= ?", (through,)).fetchone()
    if not gone[0]:
        return 0
    [(hash_,)] = connection.execute("SELECT hash FROM asks WHERE id = ?", (gone[1],))
    now = time.time()
    entry = json.dumps(
        {"removedThrough": gone[1], "hash": hash_, "count": gone[0], "days": days, "megabytes": megabytes}
    )
    row: tuple[Any, ...] = (last[0] + 1, "", now, now, RETENTION, "", "", "", "", "accept", "allow", entry)
    places = ", ".join("?" * (len(row) + 1))
    connection.execute(f"INSERT INTO asks VALUES ({places})", (*row, linked(last[1], row)))
    connection.execute("DELETE FROM asks WHERE id <= ?", (gone[1],))
    return gone[0]


def _too_old(connection: sqlite3.Connection, days: int) -> int:
    oldest = time.time() - days * 86_400
    return connection.execute("SELECT coalesce(max(id), 0) FROM asks WHERE ended < ?", (oldest,)).fetchone()[0]


def _too_much(connection: sqlite3.Connection, megabytes: int) -> int:
    """The newest entry that no longer fits, counting from the newest of all; indexes and empty pages do not count."""
    size = connection.execute("SELECT coalesce(sum(length(entry)), 0) FROM asks").fetchone()[0]
    most = megabytes * _MEGABYTE
    if size <= most:
        return 0
    through = 0
    for id_, length in connection.execute("SELECT id, length(entry) FROM asks ORDER BY id"):
        if size <= most:
            break
        through, size = id_, size - length
    return through
