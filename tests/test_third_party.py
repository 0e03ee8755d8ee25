"""Servers that others wrote: the reference servers "everything" and "filesystem" on node, and mcp-server-time."""

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import Action, FormQuestion, FormReply, LinkReply, Reply, RequestReply, ResponseReply
from desktop_host.asks.person import RequestQuestion as Request
from desktop_host.config.servers_file import ServerEntry
from desktop_host.elicitation.form import Entry
from desktop_host.host import Host
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.asks import Outcome, Record
from desktop_host.terms.events import CallChanged, Event, Recorded
from desktop_host.terms.state import CallState, CallStatus
from tests.support.node import everything_argv, filesystem_argv
from tests.support.person import ScriptedPerson

Json = dict[str, Any]


class Meeting:
    """A host connected to one third-party server, and what it told."""

    def __init__(self, host: Host, events: list[Event]) -> None:
        self.host = host
        self.events = events

    @property
    def records(self) -> list[Record]:
        return [event.record for event in self.events if isinstance(event, Recorded)]

    async def call(self, tool: str, **arguments: Any) -> CallState:
        self.events.clear()
        return await self.host.call("server", tool, arguments)

    async def texts(self, tool: str, **arguments: Any) -> list[str]:
        state = await self.call(tool, **arguments)
        assert state.status is CallStatus.DONE, state
        assert state.result is not None
        return [block["text"] for block in state.result["content"] if block["type"] == "text"]


@pytest.fixture
async def meet(new_host: Callable[..., Host]) -> Callable[..., Any]:
    """Connects a host, for a person, to a server given by its argv."""

    async def connect(person: ScriptedPerson, argv: list[str], *roots: Path) -> Meeting:
        events: list[Event] = []
        host = new_host(person, events.append)
        host.add(ServerEntry("server", command=argv[0], args=tuple(argv[1:])), trusted=True)
        for root in roots:
            host.workspace.offer(str(root), "server")
        assert await host.start("server") is None, host.connection("server").state
        return Meeting(host, events)

    return connect


async def everything(meet: Callable[..., Any], *roots: Path, **answers: Any) -> Meeting:
    argv = await asyncio.to_thread(everything_argv)
    return await meet(ScriptedPerson(**answers), argv, *roots)


DEFAULTS: Json = {
    "firstLine": "It was a dark and stormy night.",
    "integer": 42,
    "number": 3.14,
    "untitledSingleSelectEnum": "Monica",
    "untitledMultipleSelectEnum": ["Guitar"],
    "titledSingleSelectEnum": "hero-1",
    "titledMultipleSelectEnum": ["fish-1"],
    "legacyTitledEnum": "pet-1",
}


BY_HAND: dict[str, Entry] = {
    "name": "Ünal · 乌纳尔",
    "check": False,
    "firstLine": None,
    "email": "mo@example.org",
    "homepage": "https://example.org/?q=1",
    "birthdate": "1999-12-31",
    "integer": "100",
    "number": "0.5",
    "untitledSingleSelectEnum": "Ross",
    "untitledMultipleSelectEnum": ("Bass", "Piano"),
    "titledSingleSelectEnum": "Green Lantern",
    "titledMultipleSelectEnum": ("Trout", "Tuna"),
    "legacyTitledEnum": "Fish",
}
WRONG: dict[str, Entry] = {
    "integer": "101",
    "email": "mo",
    "untitledMultipleSelectEnum": ("Guitar", "Piano", "Bass", "Drums"),
}


async def test_everythings_form_is_answered_exactly(meet: Callable[..., Any]) -> None:
    """Untouched, filled by hand, and given up after a wrong answer that never left."""
    entries: list[dict[str, Entry]] = [{"name": "Mo"}, BY_HAND, WRONG]
    problems: list[dict[str, str]] = []

    def answer(question: FormQuestion) -> Reply:
        problems.append({name: problem.key for name, problem in question.problems.items()})
        return FormReply(Action.ACCEPT, entries=entries.pop(0)) if entries else Reply(Action.DECLINE)

    meeting = await everything(meet, form=answer)
    typed = {name: list(value) if isinstance(value, tuple) else value for name, value in BY_HAND.items()}
    chosen = {"integer": 100, "number": 0.5, "titledSingleSelectEnum": "hero-2", "legacyTitledEnum": "pet-4"}
    by_hand = typed | chosen | {"titledMultipleSelectEnum": ["fish-3", "fish-1"]}
    del by_hand["firstLine"]
    accepted = [{"action": "accept", "content": content} for content in ({"name": "Mo", **DEFAULTS}, by_hand)]
    for answered in (*accepted, {"action": "decline"}):
        *_, raw = await meeting.texts("trigger-elicitation-request")
        assert json.loads(raw.removeprefix("\nRaw result: ")) == answered
        (record,) = meeting.records
        assert (record.answer, record.findings, record.notices) == (answered, (), ())
    assert problems[:3] == [{}, {}, {}]
    assert problems[3] == {
        "name": "form.required",
        "integer": "form.out_of_range",
        "email": "form.not_email",
        "untitledMultipleSelectEnum": "form.too_many",
    }


async def test_everythings_link_is_answered(meet: Callable[..., Any]) -> None:
    replies = {
        "accept": LinkReply(Action.ACCEPT),
        "cancel": LinkReply(Action.ACCEPT, opened=False),
        "decline": Reply(Action.DECLINE),
    }
    meeting = await everything(meet, link=[*replies.values()])
    for action in replies:
        *_, raw = await meeting.texts("trigger-url-elicitation", url="https://example.org/x?y=z", message="Please")
        assert json.loads(raw.removeprefix("\nRaw result: ")) == {"action": action}
        (record,) = meeting.records
        assert (record.ask.params["url"], record.ask.params["message"]) == ("https://example.org/x?y=z", "Please")


async def test_everything_samples_folders_and_progress(meet: Callable[..., Any], folders: Path) -> None:
    (folders / "docs").mkdir()
    asked: list[Request] = []

    def request(question: Request) -> Reply:
        asked.append(question)
        return RequestReply(Action.ACCEPT, model=YOU) if len(asked) == 1 else Reply(Action.DECLINE)

    meeting = await everything(
        meet, folders / "docs", request=request, response=ResponseReply(Action.ACCEPT, text="Hi")
    )
    (text,) = await meeting.texts("trigger-sampling-request", prompt="Say hi", maxTokens=50)
    assert json.loads(text.partition(":")[2]) == {
        "model": YOU,
        "stopReason": "endTurn",
        "role": "assistant",
        "content": {"type": "text", "text": "Hi"},
    }
    draft = asked[0].draft
    assert (draft.max_tokens, draft.system, draft.temperature) == (50, "You are a helpful test server.", 0.7)
    assert draft.messages[0].text == "Resource trigger-sampling-request context: Say hi"

    declined = await meeting.call("trigger-sampling-request", prompt="Say hi")
    assert declined.status is CallStatus.TOOL_ERROR
    assert "User rejected sampling request" in json.dumps(declined.result)
    assert meeting.records[0].outcome is Outcome.DECLINE

    (text,) = await meeting.texts("get-roots-list")
    assert f"URI: {(folders / 'docs').as_uri()}" in text

    (text,) = await meeting.texts("trigger-long-running-operation", duration=0.2, steps=4)
    assert "Duration: 0.2 seconds, Steps: 4" in text
    steps = [event.state.progress for event in meeting.events if isinstance(event, CallChanged)]
    assert [step for step in dict.fromkeys(steps) if step is not None] == [1, 2, 3, 4]

    structured = await meeting.call("get-structured-content", location="Chicago")
    assert [notice.key for notice in structured.notices] == ["result.matches"]
    image = await meeting.call("get-tiny-image")
    assert image.result is not None
    assert [block["type"] for block in image.result["content"]][:2] == ["text", "image"]


async def test_a_long_call_of_everything_can_be_cancelled(meet: Callable[..., Any]) -> None:
    meeting = await everything(meet)
    call = meeting.host.begin_call("server", "trigger-long-running-operation", {"duration": 60, "steps": 600})
    await asyncio.sleep(0.3)
    meeting.host.calls.cancel(call)
    state = await asyncio.wait_for(meeting.host.calls.result(call), 5)
    assert state.status is CallStatus.CANCELLED
    assert await meeting.texts("echo", message="still there") == ["Echo: still there"]


async def test_the_filesystem_server_sees_the_folders_that_are_shared_and_no_others(
    meet: Callable[..., Any], folders: Path
) -> None:
    for name in ("shared", "other", "start"):
        (folders / name).mkdir()
        (folders / name / "note.txt").write_text(f"in {name}")
    argv = await asyncio.to_thread(filesystem_argv, folders / "start")
    meeting = await meet(ScriptedPerson(), argv, folders / "shared")
    for _ in range(100):  # it asks for them once it runs
        (allowed,) = await meeting.texts("list_allowed_directories")
        if str(folders / "shared") in allowed:
            break
        await asyncio.sleep(0.05)
    assert await meeting.texts("read_text_file", path=str(folders / "shared" / "note.txt")) == ["in shared"]
    for name in ("other", "start"):
        state = await meeting.call("read_text_file", path=str(folders / name / "note.txt"))
        assert state.status is CallStatus.TOOL_ERROR


async def test_the_time_server_tells_the_time(meet: Callable[..., Any]) -> None:
    meeting = await meet(
        ScriptedPerson(), [sys.executable, "-m", "mcp_server_time", "--local-timezone", "Europe/Berlin"]
    )
    state = meeting.host.connection("server").state
    assert (state.era, state.revision) == ("modern", "2026-07-28")
    assert {tool.name for tool in state.tools} == {"get_current_time", "convert_time"}
    zones = {"source_timezone": "Europe/Berlin", "target_timezone": "Asia/Kathmandu"}
    (text,) = await meeting.texts("convert_time", time="12:00", **zones)
    assert json.loads(text)["target"]["timezone"] == "Asia/Kathmandu"
    wrong = await meeting.call("get_current_time", timezone="Atlantis/Center")
    assert wrong.status is CallStatus.TOOL_ERROR
    assert wrong.result is not None
