"""What the audit log holds, as the Activity page asks for it: newest first, a part at a time."""

import json
import sqlite3
from dataclasses import dataclass
from typing import Any, cast

from desktop_host.audit.chain import entry_json
from desktop_host.terms.asks import Effect, JsonObject, Layer, Step
from desktop_host.terms.messages import Message

PART = 200
"""Entries that are read at once."""
_DECISIONS = ("decision", "response")
_COLUMNS = ("id", "ask", "opened", "ended", "kind", "server", "identity", "revision", "tool", "outcome", "hash")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries are wanted; "" and 0 want all. `text` may stand anywhere in an entry, `since` is an epoch time."""

    text: str = ""
    server: str = ""
    kind: str = ""
    outcome: str = ""
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry; `record` is as `record_json` made it. `opened` and `ended` are seconds since the epoch."""

    id: int
    ask: str
    opened: float
    ended: float
    kind: str
    server: str
    identity: str
    revision: str
    tool: str
    outcome: str
    hash: str
    record: JsonObject


@dataclass(frozen=True, slots=True)
class Part:
    """Some entries, whether there are more, how many are wanted in all, and the servers that are in the log."""

    entries: tuple[Entry, ...]
    more: bool
    count: int
    servers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """How often a rule decided, and when it did so last (an epoch time)."""

    count: int
    last: float


class Uses:
    """How often each rule decided, by its id. What was counted once is not read again.

    100,000 entries take a second or two the first time.
    """

    def __init__(self) -> None:
        self._first = self._last = 0
        self._found: dict[str, Use] = {}

    def read(self, connection: sqlite3.Connection) -> dict[str, Use]:
        """Count what is new. After entries were removed all of them are counted anew."""
        first, last = connection.execute("SELECT min(id), max(id) FROM asks").fetchone()
        if first != self._first or (last or 0) < self._last:
            self._first, self._last, self._found = first, 0, {}
        paths = [f"$.{decision}.steps[0].{name}" for decision in _DECISIONS for name in ("rule", "counts", "layer")]
        rows = connection.execute(
            f"SELECT json_extract(entry, {', '.join('?' * len(paths))}) AS steps, count(*), max(ended), max(id) "
            "FROM asks WHERE id > ? AND json_valid(entry) GROUP BY steps",
            (*paths, self._last),
        )
        for steps, count, ended, newest in rows:
            self._last = max(self._last, newest)
            told = json.loads(steps)
            for rule, counts, layer in (told[:3], told[3:]):
                if counts and layer != Layer.FLOOR.value:
                    before = self._found.get(rule, Use(0, 0.0))
                    self._found[rule] = Use(before.count + count, max(before.last, ended))
        return dict(self._found)


def read_spent(connection: sqlite3.Connection, since: float) -> list[tuple[str, int, float, float]]:
    """Server, tokens, dollars and time of each entry since an epoch time that used a model."""
    rows = connection.execute(
        "SELECT server, ended, entry FROM asks WHERE kind = 'sampling' AND ended >= ? ORDER BY id", (since,)
    )
    found: list[tuple[str, int, float, float]] = []
    for server, ended, entry in rows:
        runs = cast("list[JsonObject]", entry_json(entry).get("usage") or [])
        tokens = sum((one.get("tokensIn") or 0) + (one.get("tokensOut") or 0) for one in runs)
        dollars = sum(one.get("dollars") or 0.0 for one in runs)
        if runs:
            found.append((server, tokens, dollars, ended))
    return found


def read_part(connection: sqlite3.Connection, wanted: Wanted, before: int = 0) -> Part:
    """The newest of the wanted entries that are older than the entry `before`, 0 for the newest of all."""
    clauses, values = _where(wanted)
    count = connection.execute(f"SELECT count(*) FROM asks{_all(clauses)}", values).fetchone()[0]
    servers = connection.execute("SELECT DISTINCT server FROM asks ORDER BY server").fetchall()
    if before:
        clauses, values = [*clauses, "id < ?"], [*values, before]
    columns = ", ".join(_COLUMNS)
    statement = f"SELECT {columns}, entry FROM asks{_all(clauses)} ORDER BY id DESC LIMIT ?"
    rows = connection.execute(statement, [*values, PART + 1]).fetchall()
    entries = tuple(_entry(*row) for row in rows[:PART])
    return Part(entries, len(rows) > PART, count, tuple(server for (server,) in servers))


def _entry(*row: Any) -> Entry:
    return Entry(**dict(zip(_COLUMNS, row[:-1], strict=True)), record=entry_json(row[-1]))


def _where(wanted: Wanted) -> tuple[list[str], list[Any]]:
    clauses: list[str] = []
    values: list[Any] = []
    for column in ("server", "kind", "outcome"):
        if value := getattr(wanted, column):
            clauses.append(f"{column} = ?")
            values.append(value)
    if wanted.since:
        clauses.append("ended >= ?")
        values.append(wanted.since)
    if wanted.text:
        # As JSON writes it: what is quoted or broken in the text is so in the entry.
        clauses.append(
            "(instr(lower(entry), lower(?)) OR instr(lower(server), lower(?)) OR instr(lower(tool), lower(?)))"
        )
        values += [json.dumps(wanted.text, ensure_ascii=False)[1:-1], wanted.text, wanted.text]
    return clauses, values


def _all(clauses: list[str]) -> str:
    return f" WHERE {' AND '.join(clauses)}" if clauses else ""


def message_of(data: object) -> Message | None:
    """A sentence as the log keeps it; None where it is none."""
    if not isinstance(data, dict):
        return None
    found = cast("JsonObject", data)
    values = cast("dict[str, str | int | float]", found.get("values") or {})
    return Message(str(found.get("key")), tuple(sorted(values.items())))


def steps_of(decision: object) -> list[Step]:
    """The steps of a decision as the log keeps it; those of another version are left out."""
    listed: Any = cast("JsonObject", decision).get("steps") if isinstance(decision, dict) else None
    steps: list[Step] = []
    for one in cast("list[JsonObject]", listed or []):
        try:
            steps.append(
                Step(
                    Layer(one["layer"]),
                    Effect(one["effect"]),
                    bool(one["counts"]),
                    str(one["rule"]),
                    str(one["source"]),
                    str(one["pointer"]),
                    str(one["reason"]),
                    tuple(found for data in one["matched"] if (found := message_of(data)) is not None),
                    tuple(found for data in one["missed"] if (found := message_of(data)) is not None),
                    message_of(one["whyNot"]),
                )
            )
        except (KeyError, TypeError, ValueError):
            continue
    return steps
