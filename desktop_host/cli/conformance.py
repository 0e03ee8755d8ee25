"""`desktop-host conformance URL`: the client under test of the official suite. It answers by itself."""

import asyncio
import contextlib
import json
import os
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2

from desktop_host.asks.person import Action, LinkQuestion, LinkReply, Reply
from desktop_host.cli.answers import AnswersPerson, ScriptedAnswer
from desktop_host.cli.words import english, print_error
from desktop_host.config.servers_file import OAuthEntry, ServerEntry
from desktop_host.elicitation.address import is_loopback
from desktop_host.host import Host
from desktop_host.servers.connection import Connection
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import CallStatus, ToolInfo

SCENARIO = "MCP_CONFORMANCE_SCENARIO"
_ARGUMENTS: dict[str, dict[str, Any]] = {"add_numbers": {"a": 5, "b": 3}}
_METADATA = "https://conformance-test.local/client-metadata.json"
_BROWSER = 0.1
_NOT_CALLED = ("json-schema-ref-no-deref",)
"""Scenarios whose servers only list."""
_FOCAL, _ECHO = "json_schema_2020_12_tool", "json_schema_echo"
_ANSWERS = (
    ScriptedAnswer(kind="form", fields=("confirmed",), enter={"confirmed": True}),
    ScriptedAnswer(kind="form"),
    ScriptedAnswer(kind="roots"),
)


def run_scenario(url: str) -> int:
    """Call every tool of the suite's server. Runs only under the suite, and only against this computer."""
    if SCENARIO not in os.environ or not is_loopback(urlsplit(url).hostname or ""):
        print_error(f"desktop-host conformance: needs {SCENARIO} and a loopback URL; it answers without a person")
        return 2
    return asyncio.run(_run(url))


class _Suite(AnswersPerson):
    """Signs in as the suite's pages want it: they send a browser straight back."""

    async def link(self, question: LinkQuestion) -> LinkReply | Reply:
        """Load the page as a browser would, in the background."""
        self._loading = asyncio.create_task(_browse(question.address.url))
        return LinkReply(Action.ACCEPT)


async def _browse(url: str) -> None:
    await asyncio.sleep(_BROWSER)  # the listener opens once the person has agreed
    async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as client:
        with contextlib.suppress(httpx2.TransportError):
            await client.get(url)


def _context() -> JsonObject:
    return json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")


def _oauth() -> OAuthEntry:
    """The client that a scenario registered before, and the document that the suite expects."""
    context = _context()
    return OAuthEntry(
        str(context.get("client_id", "")), str(context.get("client_secret", "")), client_metadata_url=_METADATA
    )


async def _run(url: str) -> int:
    host = Host(_Suite(_ANSWERS, print_error), lambda event: None, keeps=False)
    host.add(ServerEntry("suite", url=url, transport="http", oauth=_oauth()), trusted=True)
    try:
        reason = await host.start("suite")
        if reason is not None:
            print_error(english(reason))
            return 3
        connection = host.connection("suite")
        failures = [await _call(host, name, arguments) for name, arguments in _calls(connection.state.tools)]
        await _read(connection)
        return 1 if any(failures) else 0
    finally:
        await host.close()


def _calls(tools: Sequence[ToolInfo]) -> list[tuple[str, JsonObject]]:
    """What to call with what: as the scenario says, or each tool once."""
    if os.environ[SCENARIO] in _NOT_CALLED:
        return []
    named = _context().get("toolCalls")
    if isinstance(named, list):
        return [(one["name"], one["arguments"]) for one in cast("list[JsonObject]", named)]
    focal = next((tool.input_schema for tool in tools if tool.name == _FOCAL), dict[str, Any]())
    arguments = {**_ARGUMENTS, _ECHO: {"schema": focal}}
    return [(tool.name, arguments.get(tool.name, {})) for tool in tools]


async def _call(host: Host, tool: str, arguments: JsonObject) -> bool:
    state = await host.call("suite", tool, arguments)
    if state.error is not None:
        print_error(f"{tool}: {english(state.error)}")
    return state.status is not CallStatus.DONE


async def _read(connection: Connection) -> None:
    """Read what is offered beside tools: one resource and one prompt."""
    if connection.offers("resources"):
        listed = await connection.request("resources/list", {})
        for resource in listed["resources"][:1]:
            await connection.request("resources/read", {"uri": resource["uri"]})
    if connection.offers("prompts"):
        listed = await connection.request("prompts/list", {})
        for prompt in listed["prompts"][:1]:
            await connection.request("prompts/get", {"name": prompt["name"]})
