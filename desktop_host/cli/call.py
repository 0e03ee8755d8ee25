"""`desktop-host call`: one tool call by the same Host without windows."""

import asyncio
import json
import sys
from argparse import Namespace
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from desktop_host.asks.person import Person
from desktop_host.audit.log import record_json
from desktop_host.cli.answers import AnswersPerson, BadAnswers, read_answers
from desktop_host.cli.terminal import TerminalPerson
from desktop_host.cli.words import english, print_error
from desktop_host.config.files import FileProblem
from desktop_host.config.servers_file import ServerEntry, default_path, read_servers
from desktop_host.host import Host
from desktop_host.servers.bundled import HTTP, STDIO, HttpDemo, stdio_demo
from desktop_host.terms.asks import Outcome, Record
from desktop_host.terms.events import CallChanged, Event, Recorded
from desktop_host.terms.state import CallState, CallStatus

OK, TOOL_ERROR, USAGE, CONNECTION, REFUSED = 0, 1, 2, 3, 4


class Usage(Exception):
    """The call's words are off; the text says how."""


@dataclass
class Heard:
    """What the engine told during one call."""

    records: list[Record] = field(default_factory=list[Record])
    progress: str = ""

    def tell(self, event: Event) -> None:
        """Keep records, and show progress on standard error."""
        if isinstance(event, Recorded):
            self.records.append(event.record)
        elif isinstance(event, CallChanged) and event.state.progress is not None:
            self._show(event.state)

    def _show(self, state: CallState) -> None:
        total = f"/{state.total:g}" if state.total else ""
        line = f"{state.progress:g}{total} {state.progress_text}".strip()
        if line != self.progress:
            self.progress = line
            print_error(f"progress: {line}")


def run(options: Namespace, command: list[str]) -> int:
    """Make one call; standard output is one JSON object. Returns the exit code."""
    try:
        arguments = _arguments(options.args)
        person = _person(options.answers)
        return asyncio.run(_call(options, command, arguments, person))
    except (Usage, BadAnswers) as error:
        print_error(f"desktop-host call: {error}")
        return USAGE
    except KeyboardInterrupt:
        return CONNECTION


async def _call(options: Namespace, command: list[str], arguments: dict[str, Any], person: Person) -> int:
    heard = Heard()
    host = Host(person, heard.tell, keeps=False)
    try:
        async with _server(options, command, host) as (server, tool):
            for folder in options.root:
                _share(host, folder, server)
            reason = await host.start(server)
            if reason is not None:
                print_error(english(reason))
                _print(None, heard)
                refused = any(record.outcome is not Outcome.ACCEPT for record in heard.records)
                return REFUSED if refused else CONNECTION
            await host.remember_spent()
            state = await host.call(server, tool, arguments)
            if state.error is not None:
                print_error(english(state.error))
            _print(state.result, heard)
            return _exit_code(state, heard, person, connected=host.connection(server).connected)
    finally:
        await host.close()


@asynccontextmanager
async def _server(options: Namespace, command: list[str], host: Host) -> AsyncGenerator[tuple[str, str]]:
    """Make the server known to the host; its name and the tool's."""
    words: list[str] = list(options.words)
    demo = HttpDemo()
    try:
        if command:
            entry, trusted = (
                ServerEntry(Path(command[0]).name, command=command[0], args=tuple(command[1:])),
                True,
            )
            tool = _only([*words, *([options.tool] if options.tool else [])], "the tool")
        else:
            if not words:
                raise Usage("name a server and a tool")
            entry, trusted = await _named(words[0], options.config, demo)
            tool = _only([*words[1:], *([options.tool] if options.tool else [])], "the tool")
        era = options.era or entry.era
        host.add(replace(entry, era=era), trusted=trusted)
        yield entry.name, tool
    finally:
        await demo.close()


async def _named(name: str, config: str | None, demo: HttpDemo) -> tuple[ServerEntry, bool]:
    if name == STDIO:
        return stdio_demo(), True
    if name == HTTP:
        return await demo.start(), True
    if name.startswith(("http://", "https://")):
        return ServerEntry(name, url=name, transport="http"), True
    path = Path(config) if config else default_path()
    try:
        found = read_servers(path)
    except FileProblem as problem:
        raise Usage(english(problem.message)) from None
    for message in found.problems:
        print_error(english(message))
    if name not in found.entries:
        known = ", ".join([STDIO, HTTP, *found.entries])
        raise Usage(f"there is no server {name!r} in {path}; there are {known}")
    return found.entries[name], False


def _only(names: list[str], what: str) -> str:
    if len(names) != 1:
        raise Usage(f"name {what} once")
    return names[0]


def _share(host: Host, folder: str, server: str) -> None:
    try:
        host.workspace.offer(folder, server)
    except FileProblem as problem:
        raise Usage(english(problem.message)) from None


def _arguments(text: str) -> dict[str, Any]:
    try:
        arguments: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise Usage(f"--args is not JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(arguments, dict):
        raise Usage("--args must be a JSON object")
    return cast("dict[str, Any]", arguments)


def _person(answers: str | None) -> Person:
    if answers is not None:
        return AnswersPerson(read_answers(Path(answers)), print_error)
    return TerminalPerson() if sys.stdin.isatty() else AnswersPerson((), print_error)


def _print(result: dict[str, Any] | None, heard: Heard) -> None:
    asks = [record_json(record, sentence=english) for record in heard.records]
    sys.stdout.write(json.dumps({"result": result, "asks": asks}, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def _exit_code(state: CallState, heard: Heard, person: Person, *, connected: bool) -> int:
    bad = any(record.outcome in (Outcome.REFUSED, Outcome.FAILED) for record in heard.records)
    if state.status is CallStatus.ABANDONED or bad or (isinstance(person, AnswersPerson) and person.unanswered):
        return REFUSED
    if state.status is CallStatus.DONE:
        return OK
    return TOOL_ERROR if state.status is CallStatus.TOOL_ERROR or connected else CONNECTION
