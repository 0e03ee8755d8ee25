"""The audit log: a chain that proves every entry, through crashes, other processes and hands that change it."""

import asyncio
import csv
import io
import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_host.asks.person import Action, FormReply
from desktop_host.audit.chain import RETENTION, START, check
from desktop_host.audit.log import AuditLog, audit_file
from desktop_host.audit.reading import Wanted
from desktop_host.cli.main import main
from desktop_host.terms.asks import Ask, AskKind, Decision, Effect, Origin, Outcome, Record
from desktop_host.terms.events import Recorded
from desktop_host.terms.messages import say
from desktop_host.terms.state import CallStatus
from tests.support.person import ScriptedPerson
from tests.support.wire import FORM, Wire

pytest_plugins = ("tests.support.fixtures",)

Json = dict[str, Any]


def record(number: int, server: str = "travel", message: str = "Who?") -> Record:
    ask = Ask(f"ask {number}", AskKind.FORM, Origin(server, "uvx travel"), {"message": message}, opened=1.5 + number)
    asked = Decision(Effect.ASK, (say("decision.no_rule"),))
    return Record(ask, (), asked, Outcome.ACCEPT, {"action": "accept"}, {}, (), ended=2.25 + number)


async def write(path: Path, count: int, **more: Any) -> None:
    log = AuditLog(path)
    for number in range(count):
        await log.append(record(number, **more))
    await log.close()


@pytest.fixture
async def log_of_five(folders: Path) -> Path:
    path = folders / "audit.sqlite3"
    await write(path, 5)
    return path


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


async def test_what_was_written_is_proved(log_of_five: Path) -> None:
    found = check(log_of_five)
    assert (found.entries, found.broken, found.intact) == (5, 0, True)
    await write(log_of_five, 2)
    later = check(log_of_five, found.last)
    assert (later.entries, later.intact) == (7, True)
    assert later.last != found.last


def test_a_log_that_is_not_there_is_intact(folders: Path) -> None:
    assert check(folders / "none.sqlite3").intact
    assert check(folders / "none.sqlite3").last == START


@pytest.mark.parametrize(
    ("statement", "broken", "proved"),
    [
        ("UPDATE asks SET outcome = 'decline' WHERE id = 3", 3, 2),
        ("UPDATE asks SET ended = ended + 1 WHERE id = 1", 1, 0),
        ("UPDATE asks SET entry = replace(entry, 'Who', 'Why') WHERE id = 5", 5, 4),
        ("UPDATE asks SET hash = NULL WHERE id = 2", 2, 1),
        ("UPDATE asks SET hash = NULL", 1, 0),
        ("DELETE FROM asks WHERE id = 2", 3, 1),
        ("DELETE FROM asks WHERE id = 1", 2, 0),
        ("UPDATE asks SET id = 9 WHERE id = 2", 3, 1),
        ("INSERT INTO asks SELECT 6, ask, opened, ended, kind, server, identity, revision, tool, outcome, decision,"
         " entry, hash FROM asks WHERE id = 5", 6, 5),
    ],
)  # fmt: skip
def test_whatever_is_changed_is_found(log_of_five: Path, statement: str, broken: int, proved: int) -> None:
    change(log_of_five, statement)
    found = check(log_of_five)
    assert (found.broken, found.entries, found.intact) == (broken, proved, False)


def test_a_cut_end_is_found_by_who_kept_a_hash(log_of_five: Path) -> None:
    last = check(log_of_five).last
    change(log_of_five, "DELETE FROM asks WHERE id > 3")
    assert check(log_of_five).intact, "the chain alone cannot tell"
    assert check(log_of_five, last).cut


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(server=st.text(max_size=8), message=st.text(st.characters(codec=None), max_size=20))
async def test_any_text_can_be_recorded_and_proved(tmp_path_factory: Any, server: str, message: str) -> None:
    path = tmp_path_factory.mktemp("audit") / "audit.sqlite3"
    clean = message.encode("utf-8", "replace").decode()
    await write(path, 2, server=server, message=clean)
    assert check(path).intact
    assert check(path).entries == 2


async def test_a_log_from_before_there_was_a_chain_gets_one(log_of_five: Path) -> None:
    change(log_of_five, "ALTER TABLE asks DROP COLUMN hash")
    await write(log_of_five, 1)
    found = check(log_of_five)
    assert (found.entries, found.intact) == (6, True)


WRITER = """
import asyncio, sys
from pathlib import Path
from desktop_host.audit.log import AuditLog
from tests.test_audit import record
async def run():
    log = AuditLog(Path(sys.argv[1]))
    for number in range(int(sys.argv[2])):
        await log.append(record(number, server=sys.argv[3]))
        print(number, flush=True)
    await log.close()
asyncio.run(run())
"""


def writer(path: Path, count: int, name: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WRITER, str(path), str(count), name]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1])


def test_two_programs_write_one_chain(folders: Path) -> None:
    path = folders / "audit.sqlite3"
    both = [writer(path, 40, name) for name in ("one", "other")]
    assert [len(process.communicate(timeout=60)[0].split()) for process in both] == [40, 40]
    found = check(path)
    assert (found.entries, found.intact) == (80, True)
    with closing(sqlite3.connect(path)) as connection:
        servers = [server for (server,) in connection.execute("SELECT server FROM asks ORDER BY id")]
    assert sorted(servers) == ["one"] * 40 + ["other"] * 40


KILLED = """
import asyncio, os, signal, sqlite3, sys
from pathlib import Path
from desktop_host.audit.chain import check
from desktop_host.audit.log import AuditLog
from tests.test_audit import record
connect = sqlite3.connect

def dies_at(step):
    left = [step]
    def seen(_statement):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    def connecting(*given, **options):
        made = connect(*given, **options)
        made.set_trace_callback(seen)
        return made
    sqlite3.connect = connecting

async def run(path, told):
    log = AuditLog(path)
    for number in range(3):
        await log.append(record(number))
        os.write(told, b"x")
    os.write(told, b"p")
    await log.prune(1, 1)
    await log.close()
    os.write(told, b"e")

for step in range(1, 200):
    path = Path(sys.argv[1]) / str(step) / "audit.sqlite3"
    reads, writes = os.pipe()
    if (child := os.fork()) == 0:
        dies_at(step)
        asyncio.run(run(path, writes))
        os._exit(0)
    os.close(writes)
    told = os.fdopen(reads, "rb").read()
    os.waitpid(child, 0)
    print(step, told.decode() or "-", check(path).entries, check(path).intact)
    if told.endswith(b"e"):
        break
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_a_crash_at_any_statement_leaves_what_was_told_written(folders: Path) -> None:
    words = [sys.executable, "-c", KILLED, str(folders)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100, cwd=Path(__file__).parents[1], check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) > 15
    assert lines[-1][1] == "xxxpe"
    for step, told, entries, intact in lines:
        assert intact == "True", f"at statement {step}"
        assert int(entries) >= told.count("x") or "p" in told, f"at statement {step}"


@pytest.mark.parametrize("after", [0, 1, 3, 7])
def test_a_crash_loses_nothing_that_was_told_written(folders: Path, after: int) -> None:
    path = folders / "audit.sqlite3"
    process = writer(path, 1000, "one")
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(after)]
    time.sleep(0.002 * after)
    process.send_signal(signal.SIGKILL)
    told += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    found = check(path)
    assert found.intact
    assert len(told) <= found.entries <= len(told) + 1
    asyncio.run(write(path, 1))
    assert check(path).intact


# the command


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["audit", *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.fixture
async def own(folders: Path) -> Callable[..., Awaitable[None]]:
    async def fill(count: int, **more: Any) -> None:
        await write(audit_file(), count, **more)

    return fill


async def test_verify_tells_what_is_proved(
    audit: Callable[..., tuple[int, str, str]], own: Callable[..., Awaitable[None]]
) -> None:
    assert audit("verify") == (0, f"0 entries, intact. Hash of the last one: {START}\n", "")
    await own(1)
    last = check(audit_file()).last
    assert audit("verify") == (0, f"1 entry, intact. Hash of the last one: {last}\n", "")
    await own(2)
    code, out, _ = audit("verify", "--json", "--expect", last)
    assert (code, json.loads(out)["entries"], json.loads(out)["intact"]) == (0, 3, True)
    code, out, _ = audit("verify", "--expect", "f" * 64)
    assert (code, out.partition(":")[0]) == (1, "Entries at the end are gone")
    change(audit_file(), "UPDATE asks SET tool = 'x' WHERE id = 2")
    expected = "Entry 2 is not as it was written, or entries before it are gone. 1 entry before it is intact.\n"
    assert audit("verify") == (1, expected, "")
    code, out, _ = audit("verify", "--json")
    assert (code, json.loads(out)["broken"], json.loads(out)["intact"]) == (1, 2, False)


def test_what_is_no_log_is_told_so(audit: Callable[..., tuple[int, str, str]], folders: Path) -> None:
    (folders / "x").write_bytes(b"no database at all, but quite some text" * 30)
    for what in ("verify", "export", "tail"):
        code, out, err = audit(what, "--file", str(folders / "x"))
        assert (code, out) == (2, "")
        assert "this is no audit log that can be read" in err


async def test_export_gives_every_entry_exactly(
    audit: Callable[..., tuple[int, str, str]], own: Callable[..., Awaitable[None]]
) -> None:
    await own(3, server='=HYPERLINK("https://evil.example")', message="é\n中")
    code, out, _ = audit("export")
    entries: list[Json] = [json.loads(line) for line in out.splitlines()]
    assert (code, [one["id"] for one in entries]) == (0, [1, 2, 3])
    assert entries[0]["entry"]["params"] == {"message": "é\n中"}
    assert entries[2]["hash"] == check(audit_file()).last
    code, out, _ = audit("export", "--format", "csv")
    table = list(csv.DictReader(io.StringIO(out)))
    assert (code, [one["id"] for one in table]) == (0, ["1", "2", "3"])
    assert table[0]["server"].startswith("'="), "a spreadsheet would run it"


async def test_tail_shows_the_newest_for_people_and_for_programs(
    audit: Callable[..., tuple[int, str, str]], own: Callable[..., Awaitable[None]]
) -> None:
    await own(4, server="evil\x1b[31m\u202e")
    code, out, _ = audit("tail", "-n", "2")
    assert (code, len(out.splitlines())) == (0, 2)
    assert "accept     form       evil" in out
    assert "\x1b" not in out
    assert "\u202e" not in out
    code, out, _ = audit("tail", "-n", "1", "--json")
    assert (code, json.loads(out)["ask"]) == (0, "ask 3")


def test_tail_follows_what_is_new(folders: Path) -> None:
    asyncio.run(write(audit_file(), 1))
    words = [sys.executable, "-m", "desktop_host", "audit", "tail", "--follow", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert json.loads(process.stdout.readline())["ask"] == "ask 0"
            asyncio.run(write(audit_file(), 2))
            assert json.loads(process.stdout.readline())["id"] == 2
        finally:
            process.kill()


async def test_who_reads_no_more_ends_the_export(own: Callable[..., Awaitable[None]]) -> None:
    await own(200, message="x" * 2_000)
    command = f"{sys.executable} -m desktop_host audit export | head -n 1"
    done = await asyncio.to_thread(
        subprocess.run, ["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert json.loads(done.stdout)["id"] == 1
    assert done.stderr == ""


HANDS = {
    "no text": "UPDATE asks SET entry = x'00' WHERE id = 3",
    "half an object": "UPDATE asks SET entry = '{' WHERE id = 3",
    "no object": "UPDATE asks SET entry = '[1]' WHERE id = 3",
    "no UTF-8": "UPDATE asks SET entry = cast(x'ff7b7d' AS TEXT) WHERE id = 3",
    "no time": "UPDATE asks SET ended = 'x' WHERE id = 3",
    "the end of time": "UPDATE asks SET ended = 1e30 WHERE id = 3",
    "a broken removal": f"UPDATE asks SET entry = '[]', kind = '{RETENTION}' WHERE id = 3",
}


@pytest.mark.parametrize("statement", HANDS.values(), ids=HANDS)
async def test_whatever_hands_did_to_an_entry_everything_else_is_read(
    audit: Callable[..., tuple[int, str, str]], own: Callable[..., Awaitable[None]], statement: str
) -> None:
    await own(5)
    change(audit_file(), statement)
    assert audit("verify")[0] == 1
    change(audit_file(), "DELETE FROM asks WHERE id = 1")
    for words in (["verify"], ["export"], ["export", "--format", "csv"], ["tail"]):
        code, _, err = audit(*words)
        assert (code, err) == (1 if words == ["verify"] else 0, "")
    log = AuditLog()
    assert len((await log.part(Wanted())).entries) == 4
    await log.uses()
    await log.spent(0)
    assert len(await log.entries()) == 4
    await log.close()


async def test_what_cannot_be_recorded_does_not_leave(wire: Wire) -> None:
    audit_file().mkdir(parents=True)
    server = wire.raw({"ask": FORM})
    async with wire.run(ScriptedPerson(form=FormReply(Action.ACCEPT, entries={"name": "Ada"})), server):
        call = await wire.call()
        assert [event.record.notices[-1].key for event in wire.events if isinstance(event, Recorded)] == [
            "record.unwritable"
        ]
    assert call.status is CallStatus.DONE
    (answer,) = [message for message in server.received() if "error" in message]
    assert answer["error"]["code"] == -32603
