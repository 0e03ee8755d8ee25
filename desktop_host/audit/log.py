"""The audit log: one row an ask, appended and never changed; a chain of hashes proves it."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from desktop_host.audit.chain import START, Checked, as_text, chain_up, check, entry_json, linked
from desktop_host.audit.reading import Part, Use, Uses, Wanted, read_part, read_spent
from desktop_host.audit.retention import prune
from desktop_host.config.paths import data_dir
from desktop_host.terms.asks import AskKind, Decision, Record, Step
from desktop_host.terms.messages import Message

_SCHEMA = """
CREATE TABLE IF NOT EXISTS asks (
  id INTEGER PRIMARY KEY,
  ask TEXT NOT NULL,        -- the ask's id
  opened REAL NOT NULL,     -- seconds since the epoch
  ended REAL NOT NULL,
  kind TEXT NOT NULL,
  server TEXT NOT NULL,     -- the person's name for it
  identity TEXT NOT NULL,   -- what it is
  revision TEXT NOT NULL,
  tool TEXT NOT NULL,
  outcome TEXT NOT NULL,
  decision TEXT NOT NULL,
  entry TEXT NOT NULL,      -- the whole record as JSON
  hash TEXT                 -- of this row and of the hash before it
)
"""
_TOOL_VALUES = {"tool_use": ("input",), "tool_result": ("content", "structuredContent")}
"""Where blocks of a conversation hold what a tool was given or gave."""
_LARGEST = 2 * 1024 * 1024
"""Characters of one entry, beyond which what the server sent is left out of it."""
_PATIENCE, _PAUSE = 5.0, 0.02
"""Seconds for which a log that others are opening is tried again, and between two tries."""


Found = TypeVar("Found")


def audit_file() -> Path:
    """Where the log is."""
    return data_dir() / "audit.sqlite3"


class AuditLog:
    """Appends records in a thread of its own, in order. `values`: may it keep what was entered into forms?

    `clean` takes out of everything what is never kept, secrets above all.
    """

    def __init__(
        self,
        path: Path | None = None,
        values: Callable[[], bool] = lambda: False,
        clean: Callable[[Any], Any] = lambda content: content,
    ) -> None:
        self._path = path or audit_file()
        self._values = values
        self._clean = clean
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="audit")
        # An answer waits for its entry: what is looked up in a long log must not stand before it.
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="audit-reader")
        self._connection: sqlite3.Connection | None = None
        self._uses = Uses()

    async def append(self, record: Record, *, masked: frozenset[str] = frozenset()) -> None:
        """Write one entry. Values of `masked` fields are never stored. Raises OSError and sqlite3.Error."""
        keeps = self._values()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._insert, record, masked, keeps)

    async def entries(self, limit: int = 200) -> list[dict[str, Any]]:
        """The newest entries, newest first, as `record_json` made them."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._newest, limit)

    async def part(self, wanted: Wanted, before: int = 0) -> Part:
        """Some of the entries, newest first; see `read_part`. Raises OSError and sqlite3.Error."""
        return await self._look_up(lambda connection: read_part(connection, wanted, before))

    async def uses(self) -> dict[str, Use]:
        """How often each rule decided. Raises OSError and sqlite3.Error."""
        return await self._look_up(self._uses.read)

    async def spent(self, since: float) -> list[tuple[str, int, float, float]]:
        """Server, tokens, dollars and time of each entry since an epoch time that used a model."""
        return await self._look_up(lambda connection: read_spent(connection, since))

    async def _look_up(self, read: Callable[[sqlite3.Connection], Found]) -> Found:
        path = await self.stored()

        def work() -> Found:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.text_factory = as_text
                return read(connection)

        return await asyncio.get_running_loop().run_in_executor(self._reader, work)

    async def stored(self) -> Path:
        """The file, once all that is waiting is in it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._opened)
        return self._path

    async def proof(self) -> Checked:
        """What the chain proves. 100,000 entries take two seconds. Raises sqlite3.Error."""
        return await asyncio.to_thread(check, self._path, gently=True)

    async def prune(self, days: int, megabytes: int) -> int:
        """Remove what is older than so many days or more than so much; how many entries went. Raises sqlite3.Error."""

        def work() -> int:
            connection = self._opened()
            with _alone(connection):
                return prune(connection, days, megabytes)

        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def close(self) -> None:
        """Write what is waiting and close the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)
        self._reader.shutdown(wait=False)

    def _opened(self) -> sqlite3.Connection:
        end = time.monotonic() + _PATIENCE
        while self._connection is None:
            try:
                self._connection = self._open()
            except sqlite3.OperationalError as error:
                # Changing the journal's mode waits for nobody: another program may be opening the same log just now.
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(_PAUSE)
        return self._connection

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        connection = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None)
        connection.text_factory = as_text
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")  # what was answered is on the disk, whatever happens then
            with _alone(connection):
                connection.execute(_SCHEMA)
                if all(column[1] != "hash" for column in connection.execute("PRAGMA table_info(asks)")):
                    chain_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _insert(self, record: Record, masked: frozenset[str], keeps: bool) -> None:
        content = self._clean(record_json(record, masked, values=keeps))
        entry = json.dumps(content, ensure_ascii=False)
        if len(entry) > _LARGEST:  # else a server could push older entries out of the record with what it sends
            entry = json.dumps({**content, "params": {"leftOut": len(entry)}}, ensure_ascii=False)
        ask = record.ask
        row = (
            ask.id, ask.opened, record.ended, ask.kind.value, ask.origin.server, self._clean(ask.origin.identity),
            ask.origin.revision, self._clean(ask.origin.tool), record.outcome.value, record.decision.effect.value,
            entry,
        )  # fmt: skip
        connection = self._opened()
        with _alone(connection):
            last = connection.execute("SELECT id, hash FROM asks ORDER BY id DESC LIMIT 1").fetchone() or (0, None)
            whole = (last[0] + 1, *row)
            places = ", ".join("?" * (len(whole) + 1))
            connection.execute(f"INSERT INTO asks VALUES ({places})", (*whole, linked(last[1] or START, whole)))

    def _newest(self, limit: int) -> list[dict[str, Any]]:
        rows = self._opened().execute("SELECT entry FROM asks ORDER BY id DESC LIMIT ?", (limit,))
        return [entry_json(entry) for (entry,) in rows]

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@contextmanager
def _alone(connection: sqlite3.Connection) -> Generator[None]:
    """A change that nothing comes between: another process may write to the same log."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def sentence_data(message: Message) -> Any:
    """A sentence as the log keeps it: for any language."""
    return {"key": message.key, "values": message.mapping}


def record_json(
    record: Record,
    masked: frozenset[str] = frozenset(),
    sentence: Callable[[Message], Any] = sentence_data,
    *,
    values: bool = True,
) -> dict[str, Any]:
    """A record as JSON, its sentences as `sentence` makes them; the log and `desktop-host call` are made from it.

    Without `values` nothing is in it that was entered into a form: its fields' names, and what was wrong, are. Nor is
    what tools were given and gave.
    """
    if not values and record.ask.kind is AskKind.FORM:
        masked = frozenset((record.answer or {}).get("content") or ())
    quotes = values or record.ask.kind is not AskKind.FORM
    return {
        "kind": record.ask.kind.value,
        "server": record.ask.origin.server,
        "tool": record.ask.origin.tool,
        "params": record.ask.params if values else _without_tool_values(record.ask.params),
        "findings": [
            {"severity": one.severity.value, "where": one.where, "key": one.message.key, "text": sentence(one.message)}
            for one in record.findings
        ],
        "decision": decision_json(record.decision, sentence),
        **({"response": decision_json(record.response, sentence)} if record.response is not None else {}),
        "outcome": record.outcome.value,
        "answer": _without(record.answer if values else _without_tool_values(record.answer), masked),
        # A schema's own words quote what was entered, secrets too.
        "errors": {
            name: sentence(Message(one.key) if masked or not quotes else one) for name, one in record.errors.items()
        },
        "notices": [sentence(message) for message in record.notices],
        "reason": record.reason,
        "edits": list(record.edits),
        "differences": dict(record.differences),
        "usage": [
            {
                "model": one.model,
                "tokensIn": one.tokens_in,
                "tokensOut": one.tokens_out,
                "seconds": one.seconds,
                "dollars": one.dollars,
            }
            for one in record.usage
        ],
    }


def _without_tool_values(value: Any) -> Any:
    """A request to a model, or its answer, without the arguments and results of tools in it."""
    if isinstance(value, list):
        return [_without_tool_values(one) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    block = cast("dict[str, Any]", value)
    if isinstance(kind := block.get("type"), str) and kind in _TOOL_VALUES:
        return {name: "••••" if name in _TOOL_VALUES[kind] else one for name, one in block.items()}
    return {name: _without_tool_values(one) for name, one in block.items()}


def decision_json(decision: Decision, sentence: Callable[[Message], Any]) -> dict[str, Any]:
    """A decision as JSON with each of its steps, its sentences as `sentence` makes them."""
    return {
        "effect": decision.effect.value,
        "reasons": [sentence(reason) for reason in decision.reasons],
        "steps": [_step_json(step, sentence) for step in decision.steps],
        "facts": decision.facts,
        "policy": decision.policy,
    }


def _step_json(step: Step, sentence: Callable[[Message], Any]) -> dict[str, Any]:
    return {
        "layer": step.layer.value,
        "effect": step.effect.value,
        "counts": step.counts,
        "rule": step.rule,
        "source": step.source,
        "pointer": step.pointer,
        "reason": step.reason,
        "matched": [sentence(one) for one in step.matched],
        "missed": [sentence(one) for one in step.missed],
        "whyNot": sentence(step.why_not) if step.why_not is not None else None,
    }


def _without(answer: dict[str, Any] | None, masked: frozenset[str]) -> dict[str, Any] | None:
    content: Any = (answer or {}).get("content")
    if not masked or answer is None or not isinstance(content, dict):
        return answer
    hidden = {name: "••••" for name in cast("dict[str, Any]", content) if name in masked}
    return {**answer, "content": {**cast("dict[str, Any]", content), **hidden}}
