"""Servers that others wrote: the reference servers "everything" and "filesystem" on node, and mcp-server-time.

And servers written with what others write theirs with: the high levels of the Python and the TypeScript SDK.
"""

import asyncio
import dataclasses
import json
import sys
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import (
    Action,
    FormQuestion,
    FormReply,
    LinkQuestion,
    LinkReply,
    Reply,
    RequestReply,
    ResponseReply,
)
from desktop_host.asks.person import RequestQuestion as Request
from desktop_host.config.servers_file import ServerEntry
from desktop_host.elicitation.form import Entry
from desktop_host.host import Host
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.asks import AskKind, Outcome, Record
from desktop_host.terms.events import CallChanged, Event, LinkCompleted, Recorded
from desktop_host.terms.state import CallState, CallStatus
from tests.support.node import filesystem_argv
from tests.support.person import ScriptedPerson
from tests.support.third_party import over_http, program, stdio_entry
from tests.support.wire import until

Json = dict[str, Any]
Servers = Callable[..., ServerEntry]
TRANSPORTS = pytest.mark.parametrize("transport", ["stdio", "http"])


class Meeting:
    """A host connected to one third-party server, and what it told."""

    def __init__(self, host: Host, person: ScriptedPerson, events: list[Event]) -> None:
        self.host = host
        self.person = person
        self.events = events

    def records(self, kind: AskKind) -> list[Record]:
        """What was recorded of a kind; "everything" asks for roots in the midst of whatever else goes on."""
        records = [event.record for event in self.events if isinstance(event, Recorded)]
        return [record for record in records if record.ask.kind is kind]

    @property
    def completed(self) -> list[str]:
        """The links that the server said to be finished with."""
        return [event.elicitation_id for event in self.events if isinstance(event, LinkCompleted)]

    @property
    def links(self) -> list[LinkQuestion]:
        return [question for question in self.person.questions if isinstance(question, LinkQuestion)]

    async def call(self, tool: str, **arguments: Any) -> CallState:
        self.events.clear()
        self.person.questions.clear()
        return await self.host.call("server", tool, arguments)

    async def texts(self, tool: str, **arguments: Any) -> list[str]:
        state = await self.call(tool, **arguments)
        assert state.status is CallStatus.DONE, state
        assert state.result is not None
        return [block["text"] for block in state.result["content"] if block["type"] == "text"]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """The entries of `tests.support.third_party.NAMES`, by name, transport and era."""
    with over_http(tmp_path_factory.mktemp("http")) as served:

        def entry(name: str, transport: str, era: str = "auto") -> ServerEntry:
            return dataclasses.replace(served[name] if transport == "http" else stdio_entry(name), era=era)

        yield entry


@pytest.fixture
async def meet(new_host: Callable[..., Host]) -> Callable[..., Any]:
    """Connects a host, for a person, to a server."""

    async def connect(person: ScriptedPerson, entry: ServerEntry, *roots: Path) -> Meeting:
        events: list[Event] = []
        host = new_host(person, events.append)
        host.add(entry, trusted=True)
        for root in roots:
            host.workspace.offer(str(root), "server")
        async with asyncio.timeout(10):  # a stream that is silent at first keeps nothing else waiting
            assert await host.start("server") is None, host.connection("server").state
        return Meeting(host, person, events)

    return connect


async def everything(meet: Callable[..., Any], *roots: Path, **answers: Any) -> Meeting:
    entry = await asyncio.to_thread(stdio_entry, "everything")
    return await meet(ScriptedPerson(**answers), entry, *roots)


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


@TRANSPORTS
async def test_everythings_form_is_answered_exactly(meet: Callable[..., Any], servers: Servers, transport: str) -> None:
    """Untouched, filled by hand, and given up after a wrong answer that never left."""
    entries: list[dict[str, Entry]] = [{"name": "Mo"}, BY_HAND, WRONG]
    problems: list[dict[str, str]] = []

    def answer(question: FormQuestion) -> Reply:
        problems.append({name: problem.key for name, problem in question.problems.items()})
        return FormReply(Action.ACCEPT, entries=entries.pop(0)) if entries else Reply(Action.DECLINE)

    meeting = await meet(ScriptedPerson(form=answer), servers("everything", transport))
    typed = {name: list(value) if isinstance(value, tuple) else value for name, value in BY_HAND.items()}
    chosen = {"integer": 100, "number": 0.5, "titledSingleSelectEnum": "hero-2", "legacyTitledEnum": "pet-4"}
    by_hand = typed | chosen | {"titledMultipleSelectEnum": ["fish-3", "fish-1"]}
    del by_hand["firstLine"]
    accepted = [{"action": "accept", "content": content} for content in ({"name": "Mo", **DEFAULTS}, by_hand)]
    for answered in (*accepted, {"action": "decline"}):
        *_, raw = await meeting.texts("trigger-elicitation-request")
        assert json.loads(raw.removeprefix("\nRaw result: ")) == answered
        (record,) = meeting.records(AskKind.FORM)
        assert (record.answer, record.findings, record.notices) == (answered, (), ())
    assert problems[:3] == [{}, {}, {}]
    assert problems[3] == {
        "name": "form.required",
        "integer": "form.out_of_range",
        "email": "form.not_email",
        "untitledMultipleSelectEnum": "form.too_many",
    }


LINK_REPLIES: list[tuple[Reply, str]] = [
    (LinkReply(Action.ACCEPT), "accept"),
    (Reply(Action.DECLINE), "decline"),
    (Reply(Action.CANCEL), "cancel"),
    (LinkReply(Action.ACCEPT, opened=False), "cancel"),
]
REFUSALS: list[tuple[Reply, CallStatus, str]] = [
    (Reply(Action.DECLINE), CallStatus.ABANDONED, "call.abandoned.decline"),
    (Reply(Action.CANCEL), CallStatus.ABANDONED, "call.abandoned.cancel"),
    (LinkReply(Action.ACCEPT, opened=False), CallStatus.FAILED, "link.no_browser"),
]
"""What ends a call that needs a link first, and how the call stands then."""


@TRANSPORTS
async def test_everythings_links_are_answered(meet: Callable[..., Any], servers: Servers, transport: str) -> None:
    """Those it asks for while a call is open, and the one that error -32042 says must be opened first."""
    replies: list[Any] = []
    meeting = await meet(ScriptedPerson(link=lambda _: replies.pop(0)), servers("everything", transport))
    assert meeting.host.connection("server").state.revision == "2025-11-25"
    asked = {"url": "https://example.org/x?y=z", "message": "Please"}
    for reply, action in LINK_REPLIES:
        replies[:] = [reply]
        *_, raw = await meeting.texts("trigger-url-elicitation", elicitationId="our-own", **asked)
        assert json.loads(raw.removeprefix("\nRaw result: ")) == {"action": action}
        (record,) = meeting.records(AskKind.URL)
        assert record.ask.params == {"mode": "url", "elicitationId": "our-own", **asked}
        assert not record.ask.waits

    replies[:] = [LinkReply(Action.ACCEPT), LinkReply(Action.ACCEPT)]
    *_, raw = await meeting.texts("trigger-url-elicitation", errorPath=True, **asked)
    assert json.loads(raw.removeprefix("\nRaw result: ")) == {"action": "accept"}
    first, second = meeting.records(AskKind.URL)
    assert (first.ask.waits, second.ask.waits) == (True, False)
    assert first.ask.params["url"] != second.ask.params["url"] == asked["url"]
    assert (first.ask.origin.tool, first.ask.repeated) == ("trigger-url-elicitation", False)

    for number, (reply, status, key) in enumerate(REFUSALS):
        replies[:] = [reply]
        url = f"https://example.org/{number}"
        state = await meeting.call("trigger-url-elicitation", errorPath=True, url=url)
        assert state.error is not None
        assert (state.status, state.error.key, len(meeting.links)) == (status, key, 1)


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
    assert meeting.records(AskKind.SAMPLING)[0].outcome is Outcome.DECLINE

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
    meeting = await meet(ScriptedPerson(), program(argv), folders / "shared")
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
    argv = [sys.executable, "-m", "mcp_server_time", "--local-timezone", "Europe/Berlin"]
    meeting = await meet(ScriptedPerson(), program(argv))
    state = meeting.host.connection("server").state
    assert (state.era, state.revision) == ("modern", "2026-07-28")
    assert {tool.name for tool in state.tools} == {"get_current_time", "convert_time"}
    zones = {"source_timezone": "Europe/Berlin", "target_timezone": "Asia/Kathmandu"}
    (text,) = await meeting.texts("convert_time", time="12:00", **zones)
    assert json.loads(text)["target"]["timezone"] == "Asia/Kathmandu"
    wrong = await meeting.call("get_current_time", timezone="Atlantis/Center")
    assert wrong.status is CallStatus.TOOL_ERROR
    assert wrong.result is not None


BOTH = pytest.mark.parametrize("name", ["python", "typescript"])
ERAS = pytest.mark.parametrize("era", ["handshake", "modern"])
REVISIONS = {"handshake": "2025-11-25", "modern": "2026-07-28"}

UNTOUCHED: Json = {
    "email": "mo@example.org",
    "age": 30,
    "score": 95.5,
    "verified": True,
    "status": "active",
    "priority": "low",
    "rights": ["read"],
    "topics": ["bug"],
    "size": "small",
}
TYPED: dict[str, Entry] = {
    "name": "Ünal · 乌纳尔",
    "email": None,
    "birthday": "1999-12-31",
    "age": "42",
    "score": "-0.5",
    "verified": False,
    "status": "pending",
    "priority": "High",
    "rights": ("execute", "write"),
    "topics": ("Documents", "Bug fix"),
    "size": "Large size",
}
SENT: Json = {
    "name": "Ünal · 乌纳尔",
    "birthday": "1999-12-31",
    "age": 42,
    "score": -0.5,
    "verified": False,
    "status": "pending",
    "priority": "high",
    "rights": ["execute", "write"],
    "topics": ["docs", "bug"],
    "size": "large",
}


async def visit(question: LinkQuestion) -> Reply:
    """A person who opens a link, and goes on once its page was there."""

    def browse() -> None:
        with urllib.request.urlopen(question.address.url, timeout=10) as page:
            page.read()

    await asyncio.to_thread(browse)
    return LinkReply(Action.ACCEPT)


@ERAS
@TRANSPORTS
@BOTH
async def test_a_form_with_every_kind_of_field_is_answered_exactly(
    meet: Callable[..., Any], servers: Servers, name: str, transport: str, era: str
) -> None:
    replies: list[tuple[Reply, Json]] = [
        (FormReply(Action.ACCEPT, entries={"name": "Mo"}), {"action": "accept", "content": {"name": "Mo"} | UNTOUCHED}),
        (FormReply(Action.ACCEPT, entries=TYPED), {"action": "accept", "content": SENT}),
        (Reply(Action.DECLINE), {"action": "decline"}),
        (Reply(Action.CANCEL), {"action": "cancel"}),
    ]
    person = ScriptedPerson(form=[reply for reply, _ in replies])
    meeting = await meet(person, servers(name, transport, era))
    assert meeting.host.connection("server").state.revision == REVISIONS[era]
    for _, answer in replies:
        (text,) = await meeting.texts("form")
        assert json.loads(text) == answer
        (record,) = meeting.records(AskKind.FORM)
        assert (record.answer, record.findings, record.notices) == (answer, (), ())


@ERAS
@TRANSPORTS
@BOTH
async def test_a_link_is_answered_and_its_end_is_heard(
    meet: Callable[..., Any], servers: Servers, name: str, transport: str, era: str
) -> None:
    person = ScriptedPerson(link=[visit, *(reply for reply, _ in LINK_REPLIES[1:])])
    meeting = await meet(person, servers(name, transport, era))
    for _, action in LINK_REPLIES:
        assert await meeting.texts("link") == [action]
        (record,) = meeting.records(AskKind.URL)
        assert record.answer == {"action": action}
        assert record.ask.waits is (era == "modern")
        link = record.ask.params.get("elicitationId")
        assert (link is None) is (era == "modern")
        if link is not None and action == "accept":
            await until(lambda link=link: meeting.completed == [link])
        assert meeting.completed == ([link] if link is not None and action == "accept" else [])


@TRANSPORTS
@BOTH
async def test_links_that_a_call_needs_first_are_opened_and_the_call_is_tried_again(
    meet: Callable[..., Any], servers: Servers, name: str, transport: str
) -> None:
    """Error -32042 with one link and with several; a call that is given up can be made again."""
    replies: list[Any] = []

    async def until_told(question: LinkQuestion) -> Reply:
        reply = await visit(question)
        await until(lambda: question.ask.params["elicitationId"] in meeting.completed)
        return reply

    meeting: Meeting = await meet(
        ScriptedPerson(link=lambda question: (replies.pop(0) if replies else until_told)(question)),
        servers(name, transport, "handshake"),
    )
    for count in (1, 2, 3):
        assert await meeting.texts("links", case=uuid.uuid4().hex, count=count) == ["done"]
        asks = [record.ask for record in meeting.records(AskKind.URL)]
        assert [(ask.waits, ask.repeated, ask.origin.tool) for ask in asks] == [(True, False, "links")] * count
        assert sorted(meeting.completed) == sorted(ask.params["elicitationId"] for ask in asks)
        assert len(set(meeting.completed)) == count

    for reply, status, key in REFUSALS:
        case = uuid.uuid4().hex
        replies[:] = [until_told, lambda _, reply=reply: reply]
        state = await meeting.call("links", case=case, count=2)
        assert state.error is not None
        assert (state.status, state.error.key) == (status, key)
        opened, refused = (question.ask.params["elicitationId"] for question in meeting.links)
        assert meeting.completed == [opened]
        assert await meeting.texts("links", case=case, count=2) == ["done"]
        (again,) = meeting.links
        assert (again.ask.params["elicitationId"], again.ask.repeated) == (refused, False)


@ERAS
@BOTH
async def test_a_link_whose_page_was_not_visited_comes_back(
    meet: Callable[..., Any], servers: Servers, name: str, era: str
) -> None:
    person = ScriptedPerson(link=[LinkReply(Action.ACCEPT), visit])
    meeting = await meet(person, servers(name, "http", era))
    if era == "modern":
        assert await meeting.texts("link") == ["accept"]
    else:
        assert await meeting.texts("links", case=uuid.uuid4().hex, count=1) == ["done"]
    first, second = meeting.links
    assert first.ask.params == second.ask.params
    assert (first.ask.repeated, second.ask.repeated) == (False, True)


@BOTH
async def test_error_32042_asks_nothing_of_the_person_in_the_modern_era(
    meet: Callable[..., Any], servers: Servers, name: str
) -> None:
    meeting = await meet(ScriptedPerson(), servers(name, "http", "modern"))
    state = await meeting.call("links", case=uuid.uuid4().hex, count=1)
    assert state.status is CallStatus.FAILED
    assert state.error is not None
    assert state.error.key == "call.server_error"
    assert meeting.person.questions == []


@ERAS
@TRANSPORTS
@BOTH
async def test_a_form_and_a_link_at_once_and_then_another_form(
    meet: Callable[..., Any], servers: Servers, name: str, transport: str, era: str
) -> None:
    def fill(question: FormQuestion) -> Reply:
        asked = question.form.fields[0].name
        return FormReply(Action.ACCEPT, entries={asked: "Mo" if asked == "name" else True})

    meeting = await meet(ScriptedPerson(form=fill), servers(name, transport, era))
    (text,) = await meeting.texts("rounds")
    assert json.loads(text) == ["Mo", "accept", True]
    origins = [record.ask.origin for kind in (AskKind.FORM, AskKind.URL) for record in meeting.records(kind)]
    places = sorted((origin.position, origin.total) for origin in origins)
    assert places == ([(1, 1), (1, 2), (2, 2)] if era == "modern" else [(1, 1)] * 3)
