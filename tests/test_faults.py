"""Servers that misbehave, beside one that does not: the good one goes on, the person hears why, nothing is left."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import Action, FormReply
from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.asks import Outcome
from desktop_host.terms.events import CallChanged
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallState, CallStatus, ServerStatus
from tests.support.person import Pondering, ScriptedPerson, never
from tests.support.processes import is_alive, living_descendants
from tests.support.wire import PATIENCE, RawServer, Wire, until

pytest_plugins = ("tests.support.fixtures",)

both_eras = pytest.mark.parametrize("era", ["handshake", "modern"])
HOSTILE = "a" * 40 + "!"
"""A text on which the pattern of `faulty.py` takes longer than anybody can wait."""


def key(message: Message | None) -> str | None:
    return message and message.key


def text_of(call: CallState) -> str:
    assert call.result is not None, call
    return call.result["content"][0]["text"]


async def beside_a_healthy_one(wire: Wire, faulty: RawServer, person: ScriptedPerson | None = None) -> None:
    """Connect to a server that misbehaves and to the one that does not."""
    healthy = wire.raw({"result": {"content": []}}, name="healthy")
    await wire.meet(person or ScriptedPerson(), healthy, faulty)


def running(server: RawServer) -> list[int]:
    """The living processes of a server, children of ours."""
    return [pid for pid, words in living_descendants().items() if str(server.log) in words]


@both_eras
async def test_a_server_that_dies_in_a_call_is_reported_with_its_exit_code(wire: Wire, era: str) -> None:
    server = wire.faulty(era=era)
    await beside_a_healthy_one(wire, server)
    async with wire.going_on():
        call = await wire.call("faulty", "die")
    assert (call.status, key(call.error)) == (CallStatus.FAILED, "server.exited")
    assert call.error
    assert call.error.mapping["code"] == 3
    state = wire.host.connection("faulty").state
    assert (state.status, state.reason) == (ServerStatus.FAILED, call.error)
    again = await wire.call("faulty", "echo")
    assert (again.status, again.error) == (CallStatus.FAILED, call.error)
    assert await wire.host.start("faulty") is None
    assert text_of(await wire.call("faulty", "echo", x="back")) == "back"


async def test_a_call_that_never_ends_can_be_cancelled(wire: Wire) -> None:
    server = wire.faulty()
    await beside_a_healthy_one(wire, server)
    async with wire.going_on():
        call_id = wire.host.begin_call("faulty", "hang", {})
        [called] = await until(lambda: server.received("tools/call"))
        wire.host.calls.cancel(call_id)
        assert (await wire.result(call_id)).status is CallStatus.CANCELLED
    assert text_of(await wire.call("faulty", "echo", x="still here")) == "still here"
    [cancelled] = server.received("notifications/cancelled")
    assert cancelled["params"]["requestId"] == called["id"]


async def test_silence_ends_a_call_at_its_servers_limit_but_not_while_a_person_thinks(wire: Wire) -> None:
    silent, asking = wire.faulty(timeout=1), wire.faulty(timeout=1, name="asking")
    form = Pondering(FormReply(Action.ACCEPT, entries={"word": "aaa"}))
    person = ScriptedPerson(form=form)
    await wire.meet(person, silent, asking)
    thinking = asyncio.create_task(wire.call("asking", "ask_pattern"))
    call = await wire.call("faulty", "hang")
    assert (call.status, key(call.error)) == (CallStatus.FAILED, "call.silent")
    await until(lambda: silent.received("notifications/cancelled"))
    form.decide()
    assert (await thinking).status is CallStatus.DONE


async def test_lines_that_are_no_messages_are_noted_and_skipped(wire: Wire) -> None:
    await beside_a_healthy_one(wire, wire.faulty())
    async with wire.going_on():
        call = await wire.call("faulty", "garbage")
    assert text_of(call) == "after the garbage"
    noted = [line for line in wire.host.connection("faulty").state.log if line.startswith("(no message")]
    assert any("this is not JSON" in line for line in noted)


async def test_bytes_that_are_no_utf8_do_not_lose_the_answer(wire: Wire) -> None:
    await beside_a_healthy_one(wire, wire.faulty())
    call = await wire.call("faulty", "bad_utf8")
    assert call.status is CallStatus.DONE
    assert text_of(call).startswith("bad \N{REPLACEMENT CHARACTER}")
    assert text_of(call).endswith(" bytes")


async def test_a_child_that_outlives_its_server_is_ended_with_it(wire: Wire) -> None:
    await beside_a_healthy_one(wire, wire.faulty())
    async with wire.going_on():
        call = await wire.call("faulty", "orphan")
    assert (call.status, key(call.error)) == (CallStatus.FAILED, "server.exited_saying")
    [said] = wire.host.connection("faulty").state.log
    await wire.host.stop("faulty")
    await until(lambda: not is_alive(int(said)))


async def test_a_child_out_of_our_reach_that_holds_its_servers_output_holds_nothing_of_ours(wire: Wire) -> None:
    await beside_a_healthy_one(wire, wire.faulty())
    call = asyncio.create_task(wire.call("faulty", "daemon"))
    [said] = await until(lambda: wire.host.connection("faulty").state.log)
    try:
        async with wire.going_on():
            assert key((await call).error) == "server.exited_saying"
        stopping = asyncio.create_task(wire.host.stop("faulty"))
        await asyncio.wait({stopping}, timeout=PATIENCE)
        assert stopping.done()
    finally:
        os.kill(int(said), signal.SIGKILL)


@pytest.mark.parametrize(("tool", "era"), [("flood", "handshake"), ("flood", "modern"), ("log_flood", "handshake")])
async def test_twenty_thousand_notifications_stop_nobody(wire: Wire, tool: str, era: str) -> None:
    await beside_a_healthy_one(wire, wire.faulty(era=era))
    async with wire.going_on():
        call = await wire.call("faulty", tool)
    assert text_of(call) == "flooded"
    if tool == "flood":
        last = [event.state for event in wire.told(CallChanged) if event.state.server == "faulty"][-1]
        assert (last.progress, last.progress_text) == (20_000, "step 20000")


@both_eras
@pytest.mark.parametrize("tool", ["big", "big_id_last"])
async def test_an_answer_of_fifty_megabytes_is_set_aside_in_a_file_that_is_named(
    wire: Wire, era: str, tool: str
) -> None:
    await beside_a_healthy_one(wire, wire.faulty(era=era))
    async with wire.going_on():
        call = await wire.call("faulty", tool)
    assert (call.status, key(call.error)) == (CallStatus.FAILED, "call.too_long")
    assert call.error
    assert call.error.mapping["size"] == 50
    aside = Path(str(call.error.mapping["path"]))
    facts = await asyncio.to_thread(aside.stat)
    assert aside.is_relative_to(wire.folder)
    assert facts.st_size > 50_000_000
    assert facts.st_mode & 0o077 == 0
    await asyncio.to_thread(aside.unlink)
    assert text_of(await wire.call("faulty", "echo", x="still here")) == "still here"


async def test_an_answer_of_fifteen_megabytes_arrives_whole(wire: Wire) -> None:
    await beside_a_healthy_one(wire, wire.faulty())
    async with wire.going_on():
        call = await wire.call("faulty", "big", n=15_000_000)
    assert len(text_of(call)) == 15_000_000


@pytest.mark.parametrize(
    ("tool", "notice"),
    [
        ("bad_output", "result.breaks_schema"),
        ("hostile_pattern", "result.not_checked"),
        ("big_structured", "result.matches"),
    ],
)
async def test_a_result_is_kept_whatever_its_schema_says_and_no_check_freezes(
    wire: Wire, tool: str, notice: str
) -> None:
    await beside_a_healthy_one(wire, wire.faulty())
    async with wire.going_on():
        call = await wire.call("faulty", tool)
    assert call.status is CallStatus.DONE
    assert call.result
    assert "structuredContent" in call.result
    assert [message.key for message in call.notices] == [notice]


@both_eras
async def test_a_hostile_pattern_in_a_form_freezes_nothing_and_blocks_its_field_only(wire: Wire, era: str) -> None:
    entries = ({"word": HOSTILE}, {"word": "aaa"})
    person = ScriptedPerson(form=[FormReply(Action.ACCEPT, entries=one) for one in entries])
    server = wire.faulty(era=era)
    await beside_a_healthy_one(wire, server, person)
    async with wire.going_on():
        call = await wire.call("faulty", "ask_pattern")
    assert call.status is CallStatus.DONE
    assert '{"word": "aaa"}' in text_of(call)
    assert [{name: one.key for name, one in question.problems.items()} for question in person.questions] == [
        {},
        {"word": "form.pattern_slow"},
    ]
    assert HOSTILE not in server.log.read_text(encoding="utf-8")


async def test_the_question_of_a_server_that_died_is_taken_back(wire: Wire) -> None:
    form = Pondering(FormReply(Action.ACCEPT, entries={"name": "Ada"}))
    person = ScriptedPerson(form=form)
    await beside_a_healthy_one(wire, wire.faulty(era="handshake"), person)
    async with wire.going_on():
        call_id = wire.host.begin_call("faulty", "ask_then_die", {})
        await form.asked.wait()
        await until(lambda: form.withdrawn, 3)
        call = await wire.result(call_id)
    await until(lambda: list(person.ended.values()) == [Outcome.WITHDRAWN])
    assert (call.status, key(call.error)) == (CallStatus.FAILED, "server.exited")


async def test_stopping_a_server_takes_its_questions_back_and_no_others(wire: Wire) -> None:
    person = ScriptedPerson(form=never)
    one, two = wire.faulty(name="one"), wire.faulty(name="two")
    await wire.meet(person, one, two)
    stopped, other = (wire.host.begin_call(name, "ask_pattern", {}) for name in ("one", "two"))
    await until(lambda: len(person.questions) == 2)
    await wire.host.stop("one")
    await wire.result(stopped)
    assert other not in wire.ended
    asks = {question.ask.origin.server: question.ask.id for question in person.questions}
    await until(lambda: person.ended == {asks["one"]: Outcome.CANCEL})


async def test_a_slow_start_can_be_cancelled(wire: Wire) -> None:
    slow = wire.faulty("--slow-start", "60")
    healthy = wire.raw(name="healthy")
    await wire.meet(ScriptedPerson(), healthy)
    wire.host.add(slow.entry, trusted=True)
    starting = asyncio.create_task(wire.host.start("faulty"))
    await until(lambda: running(slow))
    assert wire.host.connection("faulty").state.status is ServerStatus.STARTING
    async with wire.going_on():
        await wire.host.stop("faulty")
        async with asyncio.timeout(PATIENCE):
            await starting
    assert wire.host.connection("faulty").state.status is ServerStatus.OFF
    assert running(slow) == []


@pytest.mark.parametrize("flags", [("--ignore-eof",), ("--ignore-eof", "--ignore-term")], ids=["EOF", "EOF and TERM"])
async def test_a_server_that_ignores_the_end_is_killed(wire: Wire, flags: tuple[str, ...]) -> None:
    stubborn = wire.faulty(*flags)
    await beside_a_healthy_one(wire, stubborn)
    assert running(stubborn)
    async with wire.going_on():
        await wire.host.stop("faulty")
    assert running(stubborn) == []
    assert wire.host.connection("faulty").state.status is ServerStatus.OFF


async def start(wire: Wire, entry: ServerEntry) -> Message | None:
    wire.host.add(entry, trusted=True)
    async with asyncio.timeout(PATIENCE):
        return await wire.host.start(entry.name)


@pytest.mark.parametrize(
    ("entry", "expected", "facts"),
    [
        ("--exit-at-once", "server.exited_saying", {"code": 1, "last": "exiting at once"}),
        ("no-such-command", "connect.no_command", {"command": "no-such-command"}),
        (str(Path(__file__)), "connect.not_allowed", {"command": str(Path(__file__))}),
        ("http://127.0.0.1:9/mcp", "connect.unreachable", {"what": "ConnectError"}),
    ],
    ids=["exits at once", "no such command", "not executable", "nobody listens"],
)
@pytest.mark.parametrize("era", ["auto", "handshake", "modern"])
async def test_a_server_that_does_not_start_says_why(
    wire: Wire, era: str, entry: str, expected: str, facts: dict[str, Any]
) -> None:
    await wire.meet(ScriptedPerson(), wire.raw(name="healthy"))
    if entry.startswith("--"):
        arguments = wire.faulty(entry).entry.args
        bad = ServerEntry("bad", sys.executable, arguments, era=era)
    elif entry.startswith("http"):
        bad = ServerEntry("bad", url=entry, transport="http", era=era)
    else:
        bad = ServerEntry("bad", entry, era=era)
    async with wire.going_on():
        reason = await start(wire, bad)
    assert reason
    assert (reason.key, reason.mapping) == (expected, facts)
    assert wire.host.connection("bad").state.status is ServerStatus.FAILED


async def test_tools_that_are_malformed_are_left_out_and_named(wire: Wire) -> None:
    await beside_a_healthy_one(wire, wire.faulty("--invalid-tools"))
    state = wire.host.connection("faulty").state
    assert "no_schema" not in [tool.name for tool in state.tools]
    assert len(state.tools) > 10
    assert any("no_schema" in line for line in state.log)
    assert text_of(await wire.call("faulty", "echo", x="fine")) == "fine"


@both_eras
async def test_content_of_every_kind_arrives_as_it_was_sent(wire: Wire, era: str) -> None:
    await beside_a_healthy_one(wire, wire.faulty(era=era))
    known, unknown = await wire.call("faulty", "image"), await wire.call("faulty", "unknown_block")
    assert known.result
    assert [block["type"] for block in known.result["content"]] == ["image", "resource_link", "resource"]
    assert unknown.result
    assert unknown.result["content"] == [{"type": "hologram", "depth": 3}, {"type": "text", "text": "after it"}]


async def test_a_talkative_stderr_blocks_nothing_and_its_end_is_kept(wire: Wire) -> None:
    await beside_a_healthy_one(wire, wire.faulty("--stderr-spam", "20000"))
    assert text_of(await wire.call("faulty", "echo", x="fine")) == "fine"
    log = await until(lambda: [line for line in wire.host.connection("faulty").state.log if "line 20000 " in line])
    assert log
    assert len(wire.host.connection("faulty").state.log) <= 200


async def test_a_server_that_ended_by_itself_is_started_again_and_not_for_ever(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_host.servers.restarts._PAUSES", (0.05, 0.05))
    server = wire.raw({"result": {"content": []}})
    async with wire.run(ScriptedPerson(), server) as host:
        for _ in range(2):
            [pid] = [pid for pid, words in living_descendants().items() if str(server.log) in words]
            os.kill(pid, signal.SIGKILL)
            await until(lambda: host.connection("raw").state.status is ServerStatus.FAILED)
            await until(lambda: host.connection("raw").state.status is ServerStatus.READY)
            assert (await wire.call()).status is CallStatus.DONE
        [pid] = [pid for pid, words in living_descendants().items() if str(server.log) in words]
        os.kill(pid, signal.SIGKILL)
        await until(lambda: host.connection("raw").state.status is ServerStatus.FAILED)
        await asyncio.sleep(0.5)
        assert host.connection("raw").state.status is ServerStatus.FAILED
        assert await host.start("raw") is None, "the person can start it"
        os.kill(next(p for p, w in living_descendants().items() if str(server.log) in w), signal.SIGKILL)
        await until(lambda: host.connection("raw").state.status is ServerStatus.FAILED)
        await host.stop("raw")
        await asyncio.sleep(0.3)
        assert host.connection("raw").state.status is ServerStatus.OFF
