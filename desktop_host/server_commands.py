"""What windows may ask of one server: its life, its calls, and what it offers."""

import asyncio
import base64
import contextlib
import functools
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

from desktop_host.config.files import told
from desktop_host.config.hosts import Source, other_hosts, read_source
from desktop_host.config.plain_secrets import moved_secrets
from desktop_host.config.secrets import KeyringProblem, get_secret, keep_secret, set_secret
from desktop_host.config.servers_file import ServerEntry, secrets_of
from desktop_host.host import Host
from desktop_host.policy.secrets import SECRETS, Masker
from desktop_host.servers.asking import Abandoned
from desktop_host.servers.calling import NotConnected
from desktop_host.servers.errors import call_error
from desktop_host.servers.sign_in import sign_out
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import Console, Traffic

_MOST_COMPLETIONS = 100
Result = TypeVar("Result")


class ServerCommands:
    """A part of `commands.Commands`. A returned Message says what went wrong, None: nothing."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.files = asyncio.Lock()  # changes of the person's files happen in the order they were made

    async def start(self, name: str) -> Message | None:
        """Start a server."""
        return await self.host.start(name)

    async def stop(self, name: str) -> None:
        """Stop a server."""
        await self.host.stop(name)

    async def restart(self, name: str) -> Message | None:
        """Stop and start a server."""
        await self.host.stop(name)
        return await self.host.start(name)

    async def add(self, entry: ServerEntry) -> Message | None:
        """Add a server to `servers.json`."""
        async with self.files:
            return await told(self.host.add_to_file(entry))

    async def other_hosts(self) -> list[Source]:
        """The servers that other hosts on this computer have."""
        return await asyncio.to_thread(other_hosts)

    async def read_source(self, path: str) -> Source:
        """The servers in a file of any host."""
        return await asyncio.to_thread(read_source, path, Path(path))

    async def import_servers(self, entries: Sequence[ServerEntry], *, move_secrets: bool) -> dict[str, Message]:
        """Add these servers without starting any; why some were not added, by name."""
        problems: dict[str, Message] = {}
        for entry in entries:
            made, secrets = moved_secrets(entry) if move_secrets else (entry, {})
            if entry.name in self.host.names():
                problems[entry.name] = say("servers.name_taken", name=entry.name)
                continue
            kept = [await told(asyncio.to_thread(set_secret, name, value)) for name, value in secrets.items()]
            problem = next((one for one in kept if one is not None), None) or await self.add(made)
            if problem is not None:
                problems[entry.name] = problem
        return problems

    async def known_secrets(self, server: str) -> frozenset[str]:
        """Which of the secrets that a server is given have a value."""

        def work() -> frozenset[str]:
            with contextlib.suppress(KeyringProblem):
                return frozenset(name for name in names if get_secret(name) is not None)
            return frozenset()

        names = secrets_of(self.host.connection(server).entry)
        return await asyncio.to_thread(work)

    async def keep_secrets(self, values: Mapping[str, str]) -> Message | None:
        """Keep these secrets; "" removes one. Says so where they end with the program."""
        kept = [await asyncio.to_thread(keep_secret, name, value) for name, value in values.items()]
        return None if all(kept) else say("keyring.session")

    async def remove(self, name: str) -> Message | None:
        """Stop a server and take it out of `servers.json`."""
        await self.host.stop(name)  # it may take a while, and other changes of the files need not wait for it
        async with self.files:
            return await told(self.host.remove(name))

    async def paste_address(self, server: str, address: str) -> bool:
        """Go on signing in with the address at which the browser ended; False where it is none."""
        return self.host.connection(server).paste_address(address)

    async def sign_out(self, server: str) -> None:
        """Stop a server, and forget its tokens and its registration."""
        await self.host.stop(server)
        await sign_out(self.host.connection(server).entry.url)

    async def accept_tool(self, server: str, tool: str) -> None:
        """Take a tool that changed as it is now."""
        self.host.accept_tool(server, tool)

    async def call(self, server: str, tool: str, arguments: JsonObject) -> str:
        """Begin a call; its id."""
        return self.host.begin_call(server, tool, arguments)

    async def cancel(self, call_id: str) -> None:
        """Cancel a call."""
        self.host.calls.cancel(call_id)

    async def read_resource(self, server: str, uri: str) -> tuple[JsonObject | None, Message | None]:
        """The raw result of `resources/read`, or why there is none. The server may ask the person (FEAT-22)."""
        return await self._requested(server, "resources/read", {"uri": uri})

    async def get_prompt(
        self, server: str, name: str, arguments: Mapping[str, str]
    ) -> tuple[JsonObject | None, Message | None]:
        """The raw result of `prompts/get`, or why there is none."""
        return await self._requested(server, "prompts/get", {"name": name, "arguments": dict(arguments)})

    async def complete(
        self, server: str, ref: JsonObject, name: str, value: str, given: Mapping[str, str]
    ) -> tuple[str, ...]:
        """What an argument of a prompt or of a template may go on with; none where nobody knows (FEAT-23, FEAT-24)."""
        context = {"context": {"arguments": dict(given)}} if given else {}
        params: JsonObject = {"ref": ref, "argument": {"name": name, "value": value}, **context}
        result, _ = await self._requested(server, "completion/complete", params)
        completion: Any = (result or {}).get("completion")
        found: Any = cast("JsonObject", completion).get("values") if isinstance(completion, dict) else None
        values = cast("list[object]", found) if isinstance(found, list) else []
        return tuple(one for one in values if isinstance(one, str))[:_MOST_COMPLETIONS]

    async def save_file(self, path: str, text: str, *, packed: bool) -> Message | None:
        """Write what a server sent to a file that the person chose; `packed`: it is in base 64."""

        def work() -> None:
            plain = text.encode("utf-8", "surrogatepass")
            Path(path).write_bytes(base64.b64decode(b"".join(plain.split()), validate=True) if packed else plain)

        try:
            await asyncio.to_thread(work)
        except OSError as error:
            return say("file.unwritable", file=path, what=error.strerror or type(error).__name__)
        except ValueError:
            return say("resource.broken")
        return None

    async def traffic(self, server: str, after: int) -> tuple[Traffic, ...]:
        """The messages to and from a server after so many; none of one that is gone."""
        if server not in self.host.names():
            return ()
        return self.host.connection(server).traffic.entries(after)

    async def message(self, server: str, number: int) -> str:
        """One of these messages as indented JSON, its secrets masked."""
        return await asyncio.to_thread(self.host.connection(server).traffic.message, number, self._masked_kinds())

    async def export_traffic(self, server: str, path: str) -> Message | None:
        """Write all messages of a server to a file as lines of JSON, secrets masked."""
        log, kinds = self.host.connection(server).traffic, self._masked_kinds()

        def work() -> None:
            with Path(path).open("w", encoding="utf-8", errors="replace") as file:
                log.export(file, kinds)

        try:
            await asyncio.to_thread(work)
        except OSError as error:
            return say("file.unwritable", file=path, what=error.strerror or type(error).__name__)
        return None

    async def console(self, server: str) -> Console:
        """What a server wrote on stderr, masked, and what its processes take; empty for a server that is gone."""
        if server not in self.host.names():
            return Console(())
        console = await self.host.connection(server).console()
        return replace(console, lines=await asyncio.to_thread(_masked_lines, console.lines, self._masked_kinds()))

    async def follow_resource(self, server: str, uri: str, wanted: bool) -> Message | None:
        """Be told when a resource changes, or no longer."""
        return (await _result(self.host.connection(server).follow(uri, wanted)))[1]

    def _masked_kinds(self) -> frozenset[str]:
        return SECRETS | self.host.settings.chosen("record.masked")

    async def _requested(
        self, server: str, method: str, params: JsonObject
    ) -> tuple[JsonObject | None, Message | None]:
        return await _result(self.host.connection(server).request(method, params))


@functools.lru_cache(maxsize=4)
def _masked_lines(lines: tuple[str, ...], kinds: frozenset[str]) -> tuple[str, ...]:
    """Lines without what is of these kinds; a private key has many of them."""
    return tuple(Masker(kinds).text("\n".join(lines)).split("\n")) if lines else ()


async def _result(work: Coroutine[Any, Any, Result]) -> tuple[Result | None, Message | None]:
    """Do what a server has to answer: its result, or why there is none."""
    try:
        return await work, None
    except Abandoned as abandoned:
        return None, abandoned.message
    except NotConnected as missing:
        return None, missing.reason or say("call.not_connected")
    except Exception as error:  # noqa: BLE001  # whatever a server does ends here, in words
        return None, call_error(error, listed=True) or say("call.failed", what=type(error).__name__)
