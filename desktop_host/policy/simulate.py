"""What other rules would have decided: the record held against them, and only what would be otherwise is told."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from desktop_host.audit.chain import COLUMNS, entry_json, newest, stored
from desktop_host.policy.decide import Rulebook
from desktop_host.policy.facts import facts_of
from desktop_host.terms.asks import Decision, Effect, JsonObject


@dataclass(frozen=True, slots=True)
class Past:
    """A decision in the record: the entry's number, when it ended, whose ask it was, and what was decided on which
    facts."""

    entry: int
    ended: float
    server: str
    tool: str
    effect: Effect
    facts: JsonObject


@dataclass(frozen=True, slots=True)
class Change:
    """A past ask that would be decided otherwise."""

    past: Past
    decision: Decision


@dataclass(frozen=True, slots=True)
class Simulation:
    """What would be otherwise. `seen` asks were held against the rules; of `unknown` ones the record has no facts."""

    changes: tuple[Change, ...]
    seen: int
    unknown: int

    def to(self, effect: Effect) -> tuple[Change, ...]:
        """The changes to this effect."""
        return tuple(one for one in self.changes if one.decision.effect is effect)


def past_of(row: Mapping[str, Any]) -> Iterator[Past]:
    """The decisions in an entry of the log, given by its columns: on an ask, and on a model's answer to it."""
    entry: JsonObject = entry_json(row["entry"])
    for name in ("decision", "response"):
        decision: Any = entry.get(name)
        if isinstance(decision, dict):
            made = cast("JsonObject", decision)
            effect, facts = Effect(made["effect"]), cast("JsonObject", made.get("facts", {}))
            yield Past(row["id"], row["ended"], row["server"], row["tool"], effect, facts)


def simulate_file(log: Path, book: Rulebook, newest_only: int = 0) -> Simulation:
    """Hold a log against rules, all of it or its newest entries. Raises sqlite3.Error.

    Blocking; 100,000 entries take nine seconds.
    """
    after = max(newest(log) - newest_only, 0) if newest_only else 0
    rows = (dict[str, Any](zip(COLUMNS, row, strict=True)) for row, _ in stored(log, after))
    return simulate((past for row in rows for past in past_of(row)), book)


def simulate(record: Iterable[Past], book: Rulebook) -> Simulation:
    """Hold past asks, the oldest first, against rules that were used for nothing else: rates count what is replayed."""
    changes: list[Change] = []
    seen = unknown = 0
    for past in record:
        facts = facts_of(past.facts)
        if facts is None:
            unknown += 1
            continue
        seen += 1
        decision = book.decide(facts)
        if decision.effect is not past.effect:
            changes.append(Change(past, decision))
    return Simulation(tuple(changes), seen, unknown)
