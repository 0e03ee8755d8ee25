"""How long the record is kept: the oldest entries go, one entry says so, and the rest is still proved."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desktop_host.audit.chain import RETENTION, check
from desktop_host.audit.log import AuditLog
from tests.test_audit import write


def kinds(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [kind for (kind,) in connection.execute("SELECT kind FROM asks ORDER BY id")]


async def pruned(path: Path, days: int = 36_500, megabytes: int = 1000) -> int:
    log = AuditLog(path)
    try:
        return await log.prune(days, megabytes)
    finally:
        await log.close()


async def test_what_is_too_old_goes_and_the_rest_is_proved(folders: Path) -> None:
    path = folders / "audit.sqlite3"
    await write(path, 5)
    last = check(path).last
    assert await pruned(path, days=1) == 4, "the newest entry always stays"
    assert kinds(path)[-1] == RETENTION
    found = check(path, last)
    assert (found.entries, found.intact) == (2, True)
    with closing(sqlite3.connect(path)) as connection:
        [(entry,)] = connection.execute("SELECT entry FROM asks WHERE kind = ?", (RETENTION,))
    said = json.loads(entry)
    assert (said["removedThrough"], said["count"]) == (4, 4)
    await write(path, 3)
    assert check(path).intact
    assert await pruned(path, days=1) == 4, "and again, with the entry about the first removal"
    assert check(path).intact
    assert await pruned(path) == 0
    assert check(path).intact


async def test_what_is_too_much_goes_oldest_first(folders: Path) -> None:
    path = folders / "audit.sqlite3"
    await write(path, 30, message="x" * 100_000)
    assert await pruned(path, megabytes=1) > 15
    assert check(path).intact
    with closing(sqlite3.connect(path)) as connection:
        [(size,)] = connection.execute("SELECT sum(length(entry)) FROM asks")
    assert size <= 1_000_000


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM asks WHERE id = (SELECT min(id) FROM asks)",
        f"UPDATE asks SET entry = replace(entry, '\"count\": 4', '\"count\": 3') WHERE kind = '{RETENTION}'",
    ],
)
async def test_what_somebody_else_removes_or_changes_is_found(folders: Path, statement: str) -> None:
    path = folders / "audit.sqlite3"
    await write(path, 5)
    await pruned(path, days=1)
    await write(path, 2)
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement).rowcount == 1
    assert not check(path).intact


async def test_an_empty_record_stays_empty(folders: Path) -> None:
    path = folders / "audit.sqlite3"
    assert await pruned(path, days=1) == 0
    assert check(path).entries == 0
