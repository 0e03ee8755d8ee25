"""What rules cost: one decision among 1,000 rules with its explanation, a replay of the record, a scan for secrets.

``python -m tests.benchmarks.bench_policy [--entries N]``.
"""

import argparse
import asyncio
import dataclasses
import sqlite3
import statistics
import time
from pathlib import Path

from desktop_host.audit.log import AuditLog
from desktop_host.policy.decide import Placed, Rulebook
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.reading import read_rule
from desktop_host.policy.rules import Kind
from desktop_host.policy.secrets import PERSONAL, SECRETS, find_secrets
from desktop_host.policy.simulate import simulate_file
from desktop_host.terms.asks import Effect, Layer
from tests.benchmarks.tools import own_folders
from tests.test_audit import record

_DECISIONS = 200
_MEBI = 1024 * 1024
FACTS = Facts(
    Kind.REQUEST,
    ServerFacts("files", ("uvx", "files-3==1.0"), "", "f" * 64),
    ("read_file",),
    models=("claude-sonnet-5", "Anthropic/claude-sonnet-5"),
    max_tokens=500,
    prompt_tokens=2000,
    has_tools=False,
    content_types=("text",),
    secrets_found=False,
    personal_found=False,
)
HOSTILE = (
    "a@" + "a." * 30,
    "-----BEGIN PRIVATE KEY-----\n",
    "1 " * 40,
    "eyJ" + "a" * 60 + ".",
    "password: ",
    "+1 (" * 20,
)
"""What comes near to the patterns again and again."""


def rules(count: int) -> list[Placed]:
    """Rules of all effects about twenty servers, all of them about requests to models."""
    effects = ("allow", "ask", "deny")
    made: list[Placed] = []
    for number in range(count):
        when = {
            "server": {"serverCommand": ["uvx", f"files-{number % 20}==1.0"]},
            "maxTokensLE": 100 + number,
            "modelIn": [f"model-{number}*"],
        }
        body = {"id": f"rule-{number}", "effect": effects[number % 3], "kinds": ["sampling.request"], "when": when}
        made.append(Placed(read_rule(body), Layer.USER, "rules.json", f"/rules/{number}"))
    return made


def decisions(book: Rulebook) -> list[float]:
    """Milliseconds of each."""
    times: list[float] = []
    for _ in range(_DECISIONS):
        started = time.perf_counter()
        book.decide(FACTS)
        times.append((time.perf_counter() - started) * 1000)
    return times


async def fill(path: Path, count: int) -> None:
    """A record of so many decided asks; the disk is not waited for."""
    log, decision = AuditLog(path), Rulebook(()).decide(FACTS)
    await log.append(record(0))
    connection = log._connection
    assert isinstance(connection, sqlite3.Connection)
    connection.execute("PRAGMA synchronous=OFF")
    for number in range(1, count):
        await log.append(dataclasses.replace(record(number), decision=decision))
    await log.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=100_000)
    count: int = parser.parse_args().entries
    started = time.perf_counter()
    book = Rulebook(rules(1000))
    print(f"1,000 rules read and made ready: {(time.perf_counter() - started) * 1000:.0f} ms")
    times = decisions(book)
    told = len(book.decide(FACTS).steps)
    median, most = statistics.median(times), max(times)
    print(f"one decision, with {told} steps told: {median:.2f} ms at the median, {most:.2f} at most, n={_DECISIONS}")
    text = ("The quick brown fox, customer 4711, said to mo@example.org. " * 20_000)[:_MEBI]
    for name, one in (("1 MiB of text", text), *((f"1 MiB of {bad[:12]!r}", (bad * _MEBI)[:_MEBI]) for bad in HOSTILE)):
        started = time.perf_counter()
        found = len(find_secrets(one, SECRETS | PERSONAL))
        print(f"scan of {name}: {(time.perf_counter() - started) * 1000:.0f} ms, {found} found")
    with own_folders() as folder:
        path = folder / "audit.sqlite3"
        asyncio.run(fill(path, count))
        started = time.perf_counter()
        result = simulate_file(path, Rulebook(rules(20)))
        seconds = time.perf_counter() - started
        allowed = len(result.to(Effect.ALLOW))
        print(f"replay of {result.seen + result.unknown} entries against 20 rules: {seconds:.1f} s, {allowed} allowed")


if __name__ == "__main__":
    main()
