"""What servers offer beside tools, by scripted servers in both eras that do odd things; and by the reference server."""

import asyncio
import base64
import json
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_host.commands import Commands
from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import ServerState
from tests.support.third_party import stdio_entry
from tests.support.wire import SERVERS, Json, RawServer, until

ERAS = ("handshake", "modern")
CHANGES: Json = {
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
}
ONE, TWO = {"uri": "x://1", "name": "one"}, {"uri": "x://2", "name": "two"}


@dataclass
class Met:
    """The program's commands, and a server that it is connected to."""

    commands: Commands
    server: RawServer

    @property
    def state(self) -> ServerState:
        return self.commands.host.connection("server").state

    @property
    def uris(self) -> list[str]:
        return [one.uri for one in self.state.resources]

    async def listed(self) -> list[str]:
        """Wait until it has been asked for all it declares; the addresses of its resources."""
        await until(lambda: self.state.prompts, 3)  # they are listed last
        return self.uris

    async def become(self, **wanted: Any) -> None:
        await self.commands.host.call("server", "become", wanted)


Meet = Callable[..., Any]


@pytest.fixture
async def meet(tmp_path: Path) -> AsyncIterator[Meet]:
    """Connects to `tests/servers/offering.py` with a script, or to the server of an entry."""
    opened: list[Commands] = []

    async def begin(era: str = "handshake", entry: ServerEntry | None = None, **script: Any) -> Met:
        path, log = tmp_path / "script.json", tmp_path / "log"
        path.write_text(json.dumps(script), encoding="utf-8")
        argv = (str(SERVERS / "offering.py"), "--era", era, "--log", str(log), "--script", str(path))
        commands = Commands(lambda event: None, None, demo=False)
        opened.append(commands)
        own = entry or ServerEntry("server", command=sys.executable, args=argv, era=era)
        commands.host.add(own, trusted=True)
        assert await commands.host.start("server") is None
        return Met(commands, RawServer(own, log))

    yield begin
    for one in opened:
        await one.close()


def answers(*resources: Any, **more: Any) -> Json:
    """Listings: these resources, no template, a prompt that shows that all was listed; others by method."""
    return {
        "resources/list": [{"result": {"resources": list(resources)}}],
        "prompts/list": [{"result": {"prompts": [{"name": "last"}]}}],
        "resources/subscribe": [{"result": {}}],
        "resources/unsubscribe": [{"result": {}}],
        **more,
    }


def changed(uri: str) -> list[Any]:
    return [["notifications/resources/updated", {"uri": uri}]]


# listings


@pytest.mark.parametrize("era", ERAS)
async def test_malformed_entries_hide_no_good_ones_in_either_era(meet: Meet, era: str) -> None:
    bad = [None, 7, "x", [], {}, {"uri": 5}, {"uri": None, "name": "n"}, {"name": "no address"}]
    odd = {"uri": "x://odd", "name": 5, "title": ["t"], "description": {}, "mimeType": 1, "size": "big"}
    templates = [{"uriTemplate": "x://{a}", "name": "t"}, {"uriTemplate": 5}, {"uri": "x://no-template"}]
    met = await meet(
        era,
        capabilities=CHANGES,
        answers={
            **answers(ONE, *bad, odd, TWO),
            "resources/templates/list": [{"result": {"resourceTemplates": templates}}],
            "prompts/list": [{"result": {"prompts": [None, {}, {"name": 5}, {"name": "p", "arguments": 3}]}}],
        },
    )
    assert await met.listed() == ["x://1", "x://odd", "x://2", "x://{a}"]
    shown = met.state.resources[1]
    assert (shown.title, shown.description, shown.mime, shown.size) == ("x://odd", "", "", None)
    assert [one.template for one in met.state.resources] == [False, False, False, True]
    assert [(one.name, one.arguments) for one in met.state.prompts] == [("p", ())]


@pytest.mark.parametrize("method", ["resources/list", "resources/templates/list"])
async def test_a_server_that_knows_one_of_the_two_listings_is_shown_with_it(meet: Meet, method: str) -> None:
    both = {
        **answers(ONE),
        "resources/templates/list": [{"result": {"resourceTemplates": [{"uriTemplate": "x://{a}", "name": "t"}]}}],
    }
    met = await meet(capabilities=CHANGES, answers={key: value for key, value in both.items() if key != method})
    assert await met.listed() == (["x://{a}"] if method == "resources/list" else ["x://1"])


@pytest.mark.parametrize("era", ERAS)
async def test_a_listing_that_is_no_list_is_empty(meet: Meet, era: str) -> None:
    met = await meet(era, capabilities=CHANGES, answers=answers() | {"resources/list": [{"result": {"resources": {}}}]})
    assert await met.listed() == []


async def test_an_unpaired_surrogate_in_a_title_hides_nothing(meet: Meet) -> None:
    """JavaScript writes such a string, half of an emoji that was cut, as the escape \\ud83d."""
    met = await meet(capabilities=CHANGES, answers=answers({"uri": "x://cut", "name": "cut \ud83d"}, ONE))
    assert await met.listed() == ["x://cut", "x://1"]


@pytest.mark.parametrize("era", ERAS)
async def test_an_empty_cursor_is_followed_once(meet: Meet, era: str) -> None:
    pages = [
        {"when": {"cursor": ""}, "result": {"resources": [TWO]}},
        {"when": {}, "result": {"resources": [ONE], "nextCursor": ""}},
    ]
    met = await meet(era, capabilities=CHANGES, answers=answers() | {"resources/list": pages})
    assert await met.listed() == ["x://1", "x://2"]
    asked = met.server.received("resources/list")
    assert [one.get("params", {}).get("cursor") for one in asked] == [None, ""]


async def test_a_cursor_that_comes_again_ends_the_listing(meet: Meet) -> None:
    """Servers that ignore cursors and always say ""; there is no other end than this."""
    pages = [{"result": {"resources": [ONE], "nextCursor": ""}}]
    met = await meet(capabilities=CHANGES, answers=answers() | {"resources/list": pages})
    assert set(await met.listed()) == {"x://1"}
    assert len(met.uris) <= 2, "shown again for each of a hundred pages"


async def test_what_is_not_declared_is_not_asked_for(meet: Meet) -> None:
    met = await meet(capabilities={"prompts": {}}, answers=answers(ONE))
    assert await met.listed() == []
    assert met.server.received("resources/list") == []
    assert (met.state.follows, met.state.completes) == (False, False)


# commands


@pytest.mark.parametrize(("era", "code"), [("handshake", -32002), ("modern", -32602)])
async def test_a_resource_that_is_not_found_is_told_in_words(meet: Meet, era: str, code: int) -> None:
    error = {"code": code, "message": "Resource not found", "data": {"uri": "x://gone"}}
    met = await meet(era, capabilities=CHANGES, answers=answers(ONE, **{"resources/read": [{"error": error}]}))
    result, problem = await met.commands.read_resource("server", "x://gone")
    assert result is None
    assert problem
    assert (problem.key, problem.mapping) == ("call.server_error", {"code": code, "text": "Resource not found"})


async def test_nothing_is_asked_of_a_server_that_is_off(meet: Meet) -> None:
    met = await meet(capabilities=CHANGES, answers=answers(ONE))
    await met.commands.stop("server")
    found = await asyncio.gather(
        met.commands.read_resource("server", "x://1"), met.commands.get_prompt("server", "last", {})
    )
    problems = [problem for _, problem in found] + [await met.commands.follow_resource("server", "x://1", True)]
    assert [one and one.key for one in problems] == ["call.not_connected"] * 3
    assert await met.commands.complete("server", {"type": "ref/prompt", "name": "last"}, "a", "", {}) == ()
    assert met.uris == []


@pytest.mark.parametrize("era", ERAS)
async def test_completion_says_what_was_filled_in_before(meet: Meet, era: str) -> None:
    values = ["Größe", 5, None, *map(str, range(200))]
    result = {"result": {"completion": {"values": values, "hasMore": True}}}
    met = await meet(era, capabilities=CHANGES, answers=answers(**{"completion/complete": [result]}))
    ref: JsonObject = {"type": "ref/resource", "uri": "x://{a}/{b}"}
    found = await met.commands.complete("server", ref, "b", "Gr", {"a": "ü"})
    assert found[:2] == ("Größe", "0")
    assert len(found) == 100
    await met.commands.complete("server", ref, "a", "", {})
    sent = [one["params"] for one in met.server.received("completion/complete")]
    assert (sent[0]["ref"], sent[0]["argument"]) == (ref, {"name": "b", "value": "Gr"})
    assert sent[0]["context"] == {"arguments": {"a": "ü"}}
    assert "context" not in sent[1]


@pytest.mark.parametrize("completion", [None, [], {"values": "abc"}, {"values": None}, ["x"], "x", 5])
async def test_a_malformed_completion_is_none(meet: Meet, completion: Any) -> None:
    result = {"result": {"completion": completion}}
    met = await meet(capabilities=CHANGES, answers=answers(**{"completion/complete": [result]}))
    assert await met.commands.complete("server", {"type": "ref/prompt", "name": "p"}, "a", "", {}) == ()


@pytest.mark.parametrize(
    "content", [b"", b"\x00", bytes(range(256)) * 5, b"\r\n\x1a\xff\xfe"], ids=["empty", "zero", "all", "line ends"]
)
async def test_bytes_are_saved_as_they_are(meet: Meet, tmp_path: Path, content: bytes) -> None:
    blob = base64.b64encode(content).decode()
    contents = {"contents": [{"uri": "x://1", "blob": blob, "mimeType": "application/octet-stream"}]}
    met = await meet(capabilities=CHANGES, answers=answers(ONE, **{"resources/read": [{"result": contents}]}))
    result, _ = await met.commands.read_resource("server", "x://1")
    path = tmp_path / "saved ü"
    for packed in (result["contents"][0]["blob"], "\n".join(blob[i : i + 4] for i in range(0, len(blob), 4))):
        assert await met.commands.save_file(str(path), packed, packed=True) is None
        assert path.read_bytes() == content


@pytest.mark.parametrize("text", ["", "a\r\nb\rc\n", "\ufeffü\u202e\0", "half \ud83d"])
async def test_text_is_saved_as_it_is(meet: Meet, tmp_path: Path, text: str) -> None:
    met = await meet()
    assert await met.commands.save_file(str(tmp_path / "text"), text, packed=False) is None
    assert (tmp_path / "text").read_bytes() == text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("blob", ["AAA", "é", "====", "A?=="])
async def test_broken_bytes_leave_the_file_alone(meet: Meet, tmp_path: Path, blob: str) -> None:
    met = await meet()
    path = tmp_path / "kept"
    path.write_bytes(b"before")
    problem = await met.commands.save_file(str(path), blob, packed=True)
    assert problem
    assert problem.key == "resource.broken"
    assert path.read_bytes() == b"before"
    problem = await met.commands.save_file(str(tmp_path), "AAAA", packed=True)
    assert problem
    assert problem.key == "file.unwritable"


async def test_the_console_has_its_lines_and_counts_its_processes(meet: Meet) -> None:
    met = await meet(stderr="first\n\nthird \x1b[31m\u202e\n", children=2)
    console = await met.commands.console("server")
    assert console.lines == ("first", "", "third \x1b[31m\u202e")
    assert console.processes == 3
    assert console.memory > 1024 * 1024
    await met.commands.stop("server")
    console = await met.commands.console("server")
    assert (console.processes, console.memory, console.lines[0]) == (0, 0, "first")


async def test_the_console_shows_no_secret_and_what_else_the_person_wants_masked(meet: Meet) -> None:
    pem = "-----BEGIN RSA PRIVATE KEY-----\n" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9\n" * 3 + "-----END RSA PRIVATE KEY-----"
    met = await meet(stderr=f"who: ada@example.com\n{pem}\nlast\n")
    assert (await met.commands.console("server")).lines == ("who: ada@example.com", "«private_key 1»", "last")
    await met.commands.change_settings({"record.masked": "email"})
    assert (await met.commands.console("server")).lines == ("who: «email 1»", "«private_key 2»", "last")


# changes


@pytest.mark.parametrize("era", ERAS)
async def test_a_change_of_a_followed_resource_is_counted_once(meet: Meet, era: str) -> None:
    met = await meet(era, capabilities=CHANGES, answers=answers(ONE, TWO))
    await met.listed()
    assert met.state.follows
    assert await met.commands.follow_resource("server", "x://1", True) is None
    if era == "modern":
        await until(
            lambda: any("resourceSubscriptions" in one["params"]["notifications"] for one in listens(met.server))
        )
    else:
        assert [one["params"]["uri"] for one in met.server.received("resources/subscribe")] == ["x://1"]
    await met.become(tell=changed("x://2") + changed("x://1"))
    await until(lambda: met.state.updated)
    await asyncio.sleep(0.1)
    assert met.state.updated == {"x://1": 1}
    assert await met.commands.follow_resource("server", "x://1", False) is None
    await met.become(tell=changed("x://1"))
    await asyncio.sleep(0.1)
    assert met.state.updated == {"x://1": 1}


def listens(server: RawServer) -> list[Json]:
    return server.received("subscriptions/listen")


@pytest.mark.parametrize("era", ERAS)
async def test_a_storm_of_changed_lists_is_one_listing(meet: Meet, era: str) -> None:
    met = await meet(era, capabilities=CHANGES, answers=answers(ONE))
    await met.listed()
    if era == "modern":
        await until(lambda: listens(met.server))
        assert listens(met.server)[0]["params"]["notifications"] == {
            "promptsListChanged": True,
            "resourcesListChanged": True,
        }
    before = len(met.server.received("resources/list"))
    storm = [["notifications/resources/list_changed", {}], ["notifications/prompts/list_changed", {}]] * 20
    prompts = [{"result": {"prompts": [{"name": "last"}, {"name": "new"}]}}]
    await met.become(answers=answers(ONE, TWO) | {"prompts/list": prompts}, tell=storm)
    await until(lambda: met.uris == ["x://1", "x://2"] and len(met.state.prompts) == 2)
    assert len(met.server.received("resources/list")) - before <= 2


async def test_a_stream_that_ended_is_opened_again_and_what_was_missed_is_listed(meet: Meet) -> None:
    met = await meet("modern", capabilities=CHANGES, answers=answers(ONE))
    await met.listed()
    await until(lambda: listens(met.server))
    await met.become(hang_up=True)
    await met.become(answers=answers(ONE, TWO), tell=[["notifications/resources/list_changed", {}]])
    await until(lambda: len(listens(met.server)) == 2, 4)
    await until(lambda: met.uris == ["x://1", "x://2"], 2)  # there is no replay: whoever listens again lists again


async def test_a_refused_subscription_is_told_and_followed_by_nobody(meet: Meet) -> None:
    error = {"error": {"code": -32602, "message": "No such resource"}}
    met = await meet(capabilities=CHANGES, answers=answers(ONE, **{"resources/subscribe": [error]}))
    await met.listed()
    problem = await met.commands.follow_resource("server", "x://1", True)
    assert problem
    assert problem.mapping == {"code": -32602, "text": "No such resource"}
    await met.become(tell=changed("x://1"))
    await asyncio.sleep(0.1)
    assert met.state.updated == {}


# a server as others write them


async def test_the_reference_server_is_read_completed_and_followed(meet: Meet, tmp_path: Path) -> None:
    met = await meet(entry=stdio_entry("everything"))
    await until(lambda: met.state.prompts)
    commands = met.commands
    template = next(one.uri for one in met.state.resources if one.template and "blob" in one.uri.lower())
    uri = template.replace("{resourceId}", "2")
    result, problem = await commands.read_resource("server", uri)
    assert problem is None
    blob = result["contents"][0]["blob"]
    assert await commands.save_file(str(tmp_path / "blob"), blob, packed=True) is None
    assert (tmp_path / "blob").read_bytes() == base64.b64decode(blob)
    needed = next(one for one in met.state.prompts if any(argument.required for argument in one.arguments))
    _, problem = await commands.get_prompt("server", needed.name, {})
    assert problem
    assert (problem.key, problem.mapping["code"]) == ("call.server_error", -32602)
    filled = {argument.name: "Tokyo" for argument in needed.arguments if argument.required}
    result, _ = await commands.get_prompt("server", needed.name, filled)
    assert "Tokyo" in json.dumps(result["messages"])
    _, problem = await commands.read_resource("server", "demo://nowhere")
    assert problem
    assert problem.key == "call.server_error"
    assert await commands.follow_resource("server", uri, True) is None
    assert await commands.follow_resource("server", uri, False) is None


# the SDK's own server


async def test_a_modern_server_tells_of_changes_to_who_listens(meet: Meet) -> None:
    server = await meet("modern", ServerEntry("server", command=sys.executable, args=(str(SERVERS / "library.py"),)))
    commands = server.commands
    await until(lambda: len(server.state.resources) == 3 and server.state.prompts)
    assert server.state.era == "modern"
    template = next(one for one in server.state.resources if one.template)
    assert template.uri == "book://{author}/{title}"
    assert texts(await commands.read_resource("server", "book://Jane%20Austen/Emma")) == ["Emma by Jane Austen"]
    found = await commands.complete("server", {"type": "ref/prompt", "name": "review"}, "title", "e", {"tone": "dry"})
    assert found == ("Emma", "Evelina")
    if server.state.follows:
        await commands.follow_resource("server", "note://today", True)
        await until_told(commands, lambda: server.state.updated.get("note://today", 0) > 0)
    await commands.host.call("server", "publish", {})
    await until(lambda: "note://new" in [one.uri for one in server.state.resources])


async def until_told(commands: Commands, told: Callable[[], bool]) -> None:
    """Write until the listening has begun: it is not known when the server has heard of it."""
    for _ in range(50):
        await commands.host.call("server", "write", {"text": "second"})
        if told():
            return
    raise AssertionError("never told")


def texts(found: tuple[Any, Any]) -> list[str]:
    result, problem = found
    assert problem is None
    return [one["text"] for one in result["contents"]]
