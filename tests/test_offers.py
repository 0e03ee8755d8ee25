"""Resources, prompts, completion, traffic and console of real servers in both eras, as windows ask for them."""

import base64
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop_host.commands import Commands
from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.state import ServerState, ServerStatus
from tests.support.third_party import stdio_entry
from tests.support.wire import SERVERS, until

pytest_plugins = ("tests.support.fixtures",)


def program(name: str) -> ServerEntry:
    return ServerEntry("server", command=sys.executable, args=(str(SERVERS / name),))


@asynccontextmanager
async def met(entry: ServerEntry) -> AsyncIterator[Commands]:
    commands = Commands(lambda event: None, None, demo=False)
    commands.host.add(entry, trusted=True)
    try:
        assert await commands.host.start("server") is None
        yield commands
    finally:
        await commands.close()


def state(commands: Commands) -> ServerState:
    return commands.host.connection("server").state


def texts(found: tuple[Any, Any]) -> list[str]:
    result, problem = found
    assert problem is None
    return [one["text"] for one in result["contents"]]


@pytest.fixture(autouse=True)
def _own_folders(folders: Path) -> None:
    """Nothing of the person's is touched."""


async def test_what_is_malformed_hides_nothing(folders: Path) -> None:
    async with met(program("shelf.py")) as commands:
        await until(lambda: state(commands).prompts)
        assert [one.uri for one in state(commands).resources] == ["shelf://one", "shelf://clock"]
        assert (state(commands).resources[1].title, state(commands).resources[1].size) == ("clock", 2048)
        [prompt] = state(commands).prompts
        assert [(one.name, one.required) for one in prompt.arguments] == [("topic", True)]
        assert (state(commands).follows, state(commands).completes) == (True, False)
        result, _ = await commands.get_prompt("server", "ask", {"topic": "x"})
        assert result is not None
        assert json.loads(result["messages"][0]["content"]["text"]) == {"topic": "x"}
        _, problem = await commands.read_resource("server", "shelf://nowhere")
        assert problem is not None
        assert problem.key == "call.server_error"
        assert await commands.complete("server", {"type": "ref/prompt", "name": "ask"}, "topic", "x", {}) == ()


async def test_a_followed_resource_and_a_changed_list_are_told_by_a_handshake_server(folders: Path) -> None:
    async with met(program("shelf.py")) as commands:
        await until(lambda: state(commands).resources)
        await commands.read_resource("server", "shelf://clock")
        assert state(commands).updated == {}
        assert await commands.follow_resource("server", "shelf://clock", True) is None
        assert texts(await commands.read_resource("server", "shelf://clock")) == ["read 2 times"]
        await until(lambda: state(commands).updated == {"shelf://clock": 1})
        await until(lambda: "shelf://late" in [one.uri for one in state(commands).resources])
        await commands.follow_resource("server", "shelf://clock", False)
        await commands.read_resource("server", "shelf://clock")
        assert state(commands).updated == {"shelf://clock": 1}


async def test_a_modern_server_tells_of_changes_to_who_listens(folders: Path) -> None:
    async with met(program("library.py")) as commands:
        await until(lambda: len(state(commands).resources) == 3 and state(commands).prompts)
        assert state(commands).era == "modern"
        template = next(one for one in state(commands).resources if one.template)
        assert template.uri == "book://{author}/{title}"
        assert texts(await commands.read_resource("server", "book://Jane%20Austen/Emma")) == ["Emma by Jane Austen"]
        found = await commands.complete(
            "server", {"type": "ref/prompt", "name": "review"}, "title", "e", {"tone": "dry"}
        )
        assert found == ("Emma", "Evelina")
        if state(commands).follows:
            await commands.follow_resource("server", "note://today", True)
            await until_told(commands, lambda: state(commands).updated.get("note://today", 0) > 0)
        await commands.host.call("server", "publish", {})
        await until(lambda: "note://new" in [one.uri for one in state(commands).resources])


async def until_told(commands: Commands, told: Callable[[], bool]) -> None:
    """Write until the listening has begun: it is not known when the server has heard of it."""
    for _ in range(50):
        await commands.host.call("server", "write", {"text": "second"})
        if told():
            return
    raise AssertionError("never told")


async def test_what_a_server_sent_is_saved_byte_for_byte(folders: Path, tmp_path: Path) -> None:
    async with met(program("library.py")) as commands:
        result, _ = await commands.read_resource("server", "picture://dot")
        assert result is not None
        blob = result["contents"][0]["blob"]
        path = tmp_path / "dot.bin"
        assert await commands.save_file(str(path), blob, packed=True) is None
        assert path.read_bytes() == base64.b64decode(blob) == bytes(range(256))
        for wrong, data, key in (
            (tmp_path / "no" / "folder", blob, "file.unwritable"),
            (tmp_path / "a", "!", "resource.broken"),
        ):
            problem = await commands.save_file(str(wrong), data, packed=True)
            assert problem is not None
            assert problem.key == key


async def test_traffic_is_paired_masked_and_exported(folders: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    async with met(program("library.py")) as commands:
        await commands.host.call("server", "write", {"text": f"token {secret}"})
        entries = await commands.traffic("server", 0)
        assert [one.number for one in entries] == list(range(len(entries)))
        asked = next(one for one in entries if one.kind == "request" and one.method == "tools/call")
        answer = next(one for one in entries if one.kind == "result" and one.request_id == asked.request_id)
        assert (asked.sent, answer.sent, answer.method) == (True, False, "tools/call")
        assert answer.took is not None
        shown = await commands.message("server", asked.number)
        assert '"name": "write"' in shown
        assert secret not in shown
        path = tmp_path / "traffic.jsonl"
        assert await commands.export_traffic("server", str(path)) is None
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        assert len(lines) >= len(entries)
        assert secret not in path.read_text()
        assert lines[asked.number]["message"]["method"] == "tools/call"
        assert await commands.traffic("server", len(lines) + 5) == ()


async def test_the_console_knows_what_a_server_takes(folders: Path) -> None:
    async with met(stdio_entry("everything")) as commands:
        await until(lambda: state(commands).prompts)
        console = await commands.console("server")
        assert console.processes >= 1
        assert console.memory > 1024 * 1024
        assert any("Starting" in line for line in console.lines)
        assert len(state(commands).resources) > 2
        assert any(one.template for one in state(commands).resources)
        await commands.stop("server")
        assert state(commands).status is ServerStatus.OFF
        assert (await commands.console("server")).processes == 0
    assert (await commands.console("nobody")).lines == ()
