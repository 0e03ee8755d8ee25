"""`desktop-host conformance URL`: the client under test of the official suite. It answers by itself."""

import asyncio
import os
from typing import Any
from urllib.parse import urlsplit

from desktop_host.cli.answers import AnswersPerson, ScriptedAnswer
from desktop_host.cli.words import english, print_error
from desktop_host.config.servers_file import ServerEntry
from desktop_host.elicitation.address import is_loopback
from desktop_host.host import Host
from desktop_host.servers.connection import Connection
from desktop_host.terms.state import CallStatus, ToolInfo

SCENARIO = "MCP_CONFORMANCE_SCENARIO"
_ARGUMENTS: dict[str, dict[str, Any]] = {"add_numbers": {"a": 5, "b": 3}}
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


async def _run(url: str) -> int:
    host = Host(AnswersPerson(_ANSWERS, print_error), lambda event: None, keeps=False)
    host.add(ServerEntry("suite", url=url, transport="http"), trusted=True)
    try:
        reason = await host.start("suite")
        if reason is not None:
            print_error(english(reason))
            return 3
        connection = host.connection("suite")
        failures = [await _call(host, tool) for tool in connection.state.tools]
        await _read(connection)
        return 1 if any(failures) else 0
    finally:
        await host.close()


async def _call(host: Host, tool: ToolInfo) -> bool:
    state = await host.call("suite", tool.name, _ARGUMENTS.get(tool.name, {}))
    if state.error is not None:
        print_error(f"{tool.name}: {english(state.error)}")
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
