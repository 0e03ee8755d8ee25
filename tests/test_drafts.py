"""What was typed into a form that was not sent is offered when the same server asks the same again, and nothing else."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_host.asks.person import Action, FormQuestion, FormReply, Question, Reply
from desktop_host.commands import Commands
from desktop_host.config.kept import KeptFiles
from desktop_host.config.paths import data_dir
from desktop_host.elicitation.drafts import LIFETIME, Drafts, FormDraft, draft_key
from desktop_host.elicitation.form import Entry, Form
from desktop_host.terms.asks import CallRef, Origin, Outcome
from desktop_host.terms.state import CallStatus, ServerStatus
from tests.support.person import ScriptedPerson, never
from tests.support.policy import laid_down
from tests.support.processes import living_descendants
from tests.support.waiting_host import TYPED, killed_while_it_waits
from tests.support.wire import FORM, NAME, Json, Wire, until

pytest_plugins = ("tests.support.fixtures",)

DECLINE, CANCEL = Reply(Action.DECLINE), Reply(Action.CANCEL)
ORIGIN = Origin("raw", "argv", "modern", "2026-07-28", (CallRef("1", "tool", {}, 0.0),), "key", 1, 2)
EVERY_KIND: dict[str, Entry] = {"text": "Ad", "sure": False, "many": ("a", "b"), "none": (), "emptied": None}


def asking(message: str = "Who are you?", **properties: Json) -> Json:
    """A request to fill in a form of these fields."""
    params = {"message": message, "requestedSchema": {"type": "object", "properties": properties}}
    return {"method": "elicitation/create", "params": params}


def form_of(*names: str) -> Form:
    return Form.from_schema({"properties": {name: {"type": "string"} for name in names}})


def stored() -> list[Path]:
    folder = data_dir() / "drafts"
    return sorted(folder.iterdir()) if folder.exists() else []


class Typist:
    """Types `entries` into each form, as a window does, and then replies, or thinks for ever. `drafts`: the offers."""

    def __init__(self, wire: Wire, entries: dict[str, Entry]) -> None:
        self._wire = wire
        self._entries = entries
        self.then: Reply | Callable[[Question], Coroutine[Any, Any, Reply]] = CANCEL
        self.drafts: list[FormDraft | None] = []
        self.person = ScriptedPerson(form=self._form)

    @property
    def offered(self) -> list[dict[str, Entry] | None]:
        return [draft and dict(draft.entries) for draft in self.drafts]

    async def _form(self, question: FormQuestion) -> Reply:
        self.drafts.append(question.draft)
        await self._wire.host.drafts.keep(question.draft_key, self._entries, question.secrets)
        return self.then if isinstance(self.then, Reply) else await self.then(question)


@pytest.mark.parametrize("ending", ["cancelled", "stopped", "withdrawn", "server killed", "server stopped"])
async def test_a_form_that_was_not_sent_offers_what_was_typed_the_next_time(wire: Wire, ending: str) -> None:
    withdrawal = [{"sleep": 0.3}, {"cancel_ask": True}] if ending == "withdrawn" else []
    server = wire.raw({"ask": FORM}, *withdrawal)
    typist = Typist(wire, {"name": "Ad"})
    typist.then = {"cancelled": CANCEL, "stopped": Reply(Action.STOP)}.get(ending, never)
    host = await wire.meet(typist.person, server)
    call_id = host.begin_call("raw", "tool", {})
    await until(stored)
    if ending == "server killed":
        [pid] = [pid for pid, words in living_descendants().items() if str(server.log) in words]
        os.kill(pid, signal.SIGKILL)
        await until(lambda: host.connection("raw").state.status is ServerStatus.FAILED)
    elif ending == "server stopped":
        await host.stop("raw")
    await wire.result(call_id)
    await host.start("raw")
    typist.then = CANCEL
    await wire.call()
    assert typist.offered == [None, {"name": "Ad"}]
    assert typist.drafts[1]
    assert typist.drafts[1].saved == pytest.approx(time.time(), abs=60)


async def test_what_was_typed_outlives_a_program_that_is_killed(wire: Wire) -> None:
    server = wire.raw({"ask": FORM})
    await killed_while_it_waits(server.entry, wire.folder)
    typist = Typist(wire, {})
    await wire.meet(typist.person, server)
    await wire.call()
    assert typist.offered == [TYPED]


@pytest.mark.parametrize("era", ["handshake", "modern"])
@pytest.mark.parametrize(
    ("reply", "outcome"),
    [(FormReply(Action.ACCEPT, entries={"name": "Ada"}), Outcome.ACCEPT), (DECLINE, Outcome.DECLINE)],
    ids=["accepted", "declined"],
)
async def test_a_form_that_was_answered_leaves_no_draft(wire: Wire, era: str, reply: Reply, outcome: Outcome) -> None:
    server = wire.raw({"ask": FORM}, era=era)
    typist = Typist(wire, {"name": "Ad"})
    await wire.meet(typist.person, server)
    await wire.call()
    typist.then = reply
    await wire.call()
    assert typist.offered == [None, {"name": "Ad"}]
    assert stored() == []
    await wire.call()
    assert typist.offered[2] is None
    assert list(typist.person.ended.values()) == [Outcome.CANCEL, outcome, outcome]


async def test_a_draft_is_offered_by_no_other_server_and_in_no_other_form(wire: Wire) -> None:
    other = asking(name={"type": "string", "title": "Name"})
    again = {**FORM, "params": {**FORM["params"], "message": "Once more, who are you?"}}
    tools = {"tool": [{"ask": FORM}], "other": [{"ask": other}], "again": [{"ask": again}]}
    typist = Typist(wire, {"name": "Ad"})
    await wire.meet(typist.person, wire.raw(tools=tools, name="one"), wire.raw(tools=tools, name="two"))
    await wire.call("one")
    await wire.call("one", "other")
    await wire.call("two")
    assert typist.offered == [None, None, None]
    await wire.call("one", "again")
    assert typist.offered[3] == {"name": "Ad"}


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"server": "other"}, False),
        ({"identity": "other argv"}, False),
        ({"calls": (), "key": "other", "position": 2, "total": 3}, True),
        ({"era": "handshake", "revision": "2025-11-25"}, True),
    ],
    ids=["name", "identity", "call", "era"],
)
def test_the_same_server_is_the_same_by_its_name_and_by_what_it_is(change: dict[str, Any], same: bool) -> None:
    form = Form.from_schema(NAME)
    assert (draft_key(replace(ORIGIN, **change), form) == draft_key(ORIGIN, form)) is same


async def test_what_is_masked_is_never_written(wire: Wire) -> None:
    text = {"type": "string"}
    typist = Typist(wire, {"user": "mo", "password": "hunter2"})
    await wire.meet(typist.person, wire.raw({"ask": asking(user=text, password=text)}))
    await wire.call()
    await wire.call()
    assert typist.offered == [None, {"user": "mo"}]
    files = [path for path in data_dir().rglob("*") if path.is_file()]
    assert stored()[0] in files
    assert [path for path in files if b"hunter2" in path.read_bytes()] == []


@pytest.mark.parametrize(
    "ask",
    [asking(password={"type": "string"}), asking("Please enter your password", value={"type": "string"})],
    ids=["by its name", "by the message"],
)
async def test_a_form_of_masked_fields_alone_leaves_no_draft(wire: Wire, ask: Json) -> None:
    [name] = ask["params"]["requestedSchema"]["properties"]
    typist = Typist(wire, {name: "hunter2"})
    await wire.meet(typist.person, wire.raw({"ask": ask}))
    await wire.call()
    await wire.call()
    assert typist.offered == [None, None]
    assert stored() == []


async def test_a_draft_is_readable_by_the_person_alone(wire: Wire) -> None:
    typist = Typist(wire, {"name": "Ad"})
    await wire.meet(typist.person, wire.raw({"ask": FORM}))
    await wire.call()
    [path] = stored()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert json.loads(path.read_text(encoding="utf-8"))["entries"] == {"name": "Ad"}


async def test_a_draft_comes_back_for_two_weeks(tmp_path: Path) -> None:
    now = 1_000_000.0
    files = KeptFiles(tmp_path / "drafts", LIFETIME, clock=lambda: now)
    drafts, form = Drafts(files), form_of("name")
    await drafts.keep("key", {"name": "Ad"}, ())
    saved, now = now, now + LIFETIME
    assert await drafts.find("key", form) == FormDraft({"name": "Ad"}, saved)
    now += 0.5
    assert await drafts.find("key", form) is None
    assert list((tmp_path / "drafts").iterdir()) == []
    await files.close()


async def test_typing_on_makes_a_draft_young_again(tmp_path: Path) -> None:
    now = 1_000_000.0
    files = KeptFiles(tmp_path / "drafts", LIFETIME, clock=lambda: now)
    drafts = Drafts(files)
    await drafts.keep("key", {"name": "A"}, ())
    now += LIFETIME
    await drafts.keep("key", {"name": "Ad"}, ())
    now += LIFETIME
    assert await drafts.find("key", form_of("name")) == FormDraft({"name": "Ad"}, now - LIFETIME)
    await files.close()


async def test_kept_files_are_counted_and_can_all_be_removed() -> None:
    commands = Commands(lambda event: None, None, demo=False)
    try:
        await commands.clear_kept("drafts")
        for key in ("one", "two"):
            await commands.host.drafts.keep(key, {"name": "Ad"}, ())
        (data_dir() / "drafts" / ".half").write_text("half written", encoding="utf-8")
        assert await commands.kept() == {"drafts": 2, "waiting": 0}
        await commands.clear_kept("drafts")
        assert await commands.kept() == {"drafts": 0, "waiting": 0}
        assert stored() == []
    finally:
        await commands.close()


async def test_where_no_drafts_may_be_kept_none_is_and_those_of_before_go(wire: Wire) -> None:
    server = wire.raw({"ask": FORM})
    typist = Typist(wire, {"name": "Ad"})
    async with wire.run(typist.person, server) as host:
        await wire.call()
        await host.drafts.keep("of another form", {"name": "Ad"}, ())
    assert len(stored()) == 2
    async with wire.run(typist.person, server, policies=laid_down({"keep": {"drafts": False}})) as host:
        await wire.call()
        await wire.call()
        assert await host.kept["drafts"].all() == {}
    assert typist.offered == [None] * 3
    assert stored() == []


async def test_entries_of_fields_that_are_gone_are_left_out(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path / "drafts", LIFETIME)
    drafts = Drafts(files)
    await drafts.keep("key", {"name": "Ad", "gone": "x"}, ())
    found = await drafts.find("key", form_of("name", "new"))
    assert found
    assert found.entries == {"name": "Ad"}
    assert await drafts.find("key", form_of("new")) is None
    assert await drafts.find("other key", form_of("name")) is None
    await files.close()


async def test_entries_of_every_kind_come_back_as_they_were(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path / "drafts", LIFETIME)
    await Drafts(files).keep("key", EVERY_KIND, ())
    found = await Drafts(files).find("key", form_of(*EVERY_KIND))
    assert found
    assert found.entries == EVERY_KIND
    assert [type(entry) for entry in found.entries.values()] == [type(entry) for entry in EVERY_KIND.values()]
    await files.close()


@pytest.mark.parametrize("entries", [{}, {"name": ""}, {"name": None, "many": ()}], ids=["nothing", "empty", "emptied"])
async def test_nothing_typed_leaves_no_draft(tmp_path: Path, entries: dict[str, Entry]) -> None:
    files = KeptFiles(tmp_path / "drafts", LIFETIME)
    await Drafts(files).keep("key", {"name": "Ad"}, ())
    await Drafts(files).keep("key", entries, ())
    assert await Drafts(files).find("key", form_of("name", "many")) is None
    assert list((tmp_path / "drafts").iterdir()) == []
    await files.close()


ENTRIES = st.dictionaries(
    st.text(min_size=1, max_size=8),
    st.none() | st.booleans() | st.text() | st.lists(st.text(), max_size=3).map(tuple),
    max_size=5,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=ENTRIES)
async def test_what_is_kept_is_found(tmp_path: Path, entries: dict[str, Entry]) -> None:
    files = KeptFiles(tmp_path / "drafts", LIFETIME)
    try:
        await Drafts(files).keep("key", entries, ())
        found = await Drafts(files).find("key", form_of(*entries))
    finally:
        await files.close()
    if any(entry not in (None, "", ()) for entry in entries.values()):
        assert found
        assert found.entries == entries
    else:
        assert found is None


async def test_what_is_asked_of_the_files_happens_in_its_order(tmp_path: Path) -> None:
    files = KeptFiles(tmp_path / "drafts", LIFETIME)
    await asyncio.gather(*(files.keep("key", {"number": number}) for number in range(50)))
    found = await files.find("key")
    assert found
    assert found["number"] == 49
    await asyncio.gather(files.keep("key", {}), files.drop("key"))
    assert await files.find("key") is None
    await asyncio.gather(files.keep("key", {"last": True}), files.close())
    assert json.loads((tmp_path / "drafts" / "key.json").read_text(encoding="utf-8"))["last"] is True


async def test_a_folder_that_cannot_be_written_disturbs_no_form(wire: Wire) -> None:
    data_dir().mkdir()
    (data_dir() / "drafts").write_text("in the way", encoding="utf-8")
    typist = Typist(wire, {"name": "Ad"})
    await wire.meet(typist.person, wire.raw({"ask": FORM}))
    typist.then = FormReply(Action.ACCEPT, entries={"name": "Ada"})
    assert (await wire.call()).status is CallStatus.DONE
    assert list(typist.person.ended.values()) == [Outcome.ACCEPT]


@pytest.mark.parametrize(
    "text",
    [
        '{"saved": 1',
        '{"saved": %s, "entries": ["name"]}',
        '{"saved": %s, "entries": {"name": 5}}',
        "[" * 200_000,
        '{"saved": 1%s, "entries": {}}' % ("0" * 400),
    ],
    ids=["half written", "entries of a list", "no entry", "too deep", "a time too large"],
)
async def test_a_broken_draft_disturbs_no_form(wire: Wire, text: str) -> None:
    typist = Typist(wire, {"name": "Ad"})
    await wire.meet(typist.person, wire.raw({"ask": FORM}))
    await wire.call()
    [path] = stored()
    path.write_text(text.replace("%s", str(time.time())), encoding="utf-8")
    typist.then = FormReply(Action.ACCEPT, entries={"name": "Ada"})
    assert (await wire.call()).status is CallStatus.DONE
    assert list(typist.person.ended.values()) == [Outcome.CANCEL, Outcome.ACCEPT]
    assert typist.offered[1] in (None, {"name": None})
