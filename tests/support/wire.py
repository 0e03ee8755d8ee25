"""Scripted servers on a real wire: how tests start them, and what they really received."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from desktop_host.asks.person import Person
from desktop_host.config.servers_file import ServerEntry
from desktop_host.host import Host
from desktop_host.terms.events import CallChanged, Event
from desktop_host.terms.state import CallState, CallStatus

Json = dict[str, Any]
SERVERS = Path(__file__).parents[1] / "servers"
PATIENCE = 12.0
"""Seconds until a wait counts as a failure; nothing here takes that long."""
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORM: Json = {
    "method": "elicitation/create",
    "params": {"mode": "form", "message": "Who are you?", "requestedSchema": NAME},
}
LINK: Json = {
    "method": "elicitation/create",
    "params": {
        "mode": "url",
        "message": "Please sign in",
        "url": "https://accounts.example/sign-in?state=1",
        "elicitationId": "link-1",
    },
}
SAMPLING: Json = {
    "method": "sampling/createMessage",
    "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Say hello"}}],
        "maxTokens": 50,
    },
}
ROOTS: Json = {"method": "roots/list"}


@dataclass(frozen=True)
class RawServer:
    """A scripted server: how it is configured, and the log of every byte it received."""

    entry: ServerEntry
    log: Path

    @property
    def name(self) -> str:
        return self.entry.name

    def received(self, method: str | None = None) -> list[Json]:
        """Every message received so far, parsed from its bytes; or only those of one method."""
        messages = [json.loads(line) for line in _lines(self.log)]
        return [message for message in messages if method is None or message.get("method") == method]

    def answers(self) -> list[Json]:
        """The JSON-RPC responses received, whole, by id."""
        return sorted((message for message in self.received() if "method" not in message), key=lambda one: one["id"])

    def posts(self, method: str) -> list[dict[str, str]]:
        """The HTTP headers of the POSTs that carried a method."""
        headers = [json.loads(line) for line in _lines(Path(f"{self.log}.headers"))]
        posted = [one for one in headers if one[":method"] == "POST"]
        messages = self.received()
        return [one for one, message in zip(posted, messages, strict=False) if message.get("method") == method]

    def stopped(self) -> list[Any]:
        """The ids of the calls that the server saw cancelled."""
        return [json.loads(line) for line in _lines(Path(f"{self.log}.stopped"))]


def _lines(path: Path) -> list[bytes]:
    # The last piece is empty, or a line that is still being written.
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


async def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until something holds; its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.005)
    return value


@dataclass
class Wire:
    """One test's servers and the host that meets them. `events` holds everything it told, `ended` its calls that did."""

    folder: Path
    new_host: Callable[..., Host]
    processes: list[subprocess.Popen[bytes]]
    events: list[Event] = field(default_factory=list[Event])
    ended: dict[str, CallState] = field(default_factory=dict[str, CallState])
    served: dict[str, tuple[subprocess.Popen[bytes], list[str]]] = field(default_factory=dict)
    host: Host = field(init=False)

    def raw(
        self,
        *steps: Json,
        transport: str = "stdio",
        era: str = "handshake",
        protocol: str = "2025-11-25",
        name: str = "raw",
        tools: dict[str, list[Json]] | None = None,
        asked_era: str = "auto",
        schemas: Json | None = None,
        stateless: bool = False,
    ) -> RawServer:
        """A scripted server whose tool "tool" goes through `steps`, or which has `tools`. See `tests/servers/raw.py`.

        `stateless`: it goes on with a call of an earlier run of it.
        """
        calls = tools or {"tool": list(steps)}
        listed = [{"name": tool, "inputSchema": {"type": "object"}, **(schemas or {}).get(tool, {})} for tool in calls]
        script, log = self.folder / f"{name}.json", self.folder / f"{name}.log"
        script.write_text(json.dumps({"tools": listed, "calls": calls, "stateless": stateless}), encoding="utf-8")
        options = ["--era", era, "--protocol", protocol, "--log", str(log), "--script", str(script)]
        if transport == "stdio":
            entry = ServerEntry(name, sys.executable, (str(SERVERS / "raw.py"), *options), era=asked_era)
        else:
            entry = ServerEntry(name, url=self.serve(options, name), transport="http", era=asked_era)
        return RawServer(entry, log)

    def serve(self, options: list[str], name: str = "raw", port: int = 0) -> str:
        """Start `tests/servers/raw_http.py`; its URL."""
        place = self.folder / f"{name}.url"
        place.unlink(missing_ok=True)
        argv = [sys.executable, str(SERVERS / "raw_http.py"), "--url-file", str(place), "--port", str(port), *options]
        process = subprocess.Popen(argv)
        self.processes.append(process)
        self.served[name] = process, options
        end = time.monotonic() + PATIENCE
        while not place.exists():
            assert time.monotonic() < end, "the HTTP server did not start"
            time.sleep(0.01)
        return place.read_text(encoding="utf-8")

    def take_down(self, server: RawServer) -> None:
        """Kill an HTTP server."""
        process, _ = self.served[server.name]
        process.kill()
        process.wait()

    def bring_back(self, server: RawServer) -> None:
        """Start an HTTP server anew at the same port; it knows nothing of before."""
        self.serve(self.served[server.name][1], server.name, urlsplit(server.entry.url).port or 0)

    def become(self, server: RawServer, **script: Any) -> None:
        """Change parts of the script that a server reads when it starts; one over HTTP starts anew at once."""
        path = self.folder / f"{server.name}.json"
        path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **script}), encoding="utf-8")
        if server.name in self.served:
            self.take_down(server)
            self.bring_back(server)

    def faulty(self, *flags: str, era: str = "handshake", name: str = "faulty", timeout: float = 300) -> RawServer:
        """A server that misbehaves. See `tests/servers/faulty.py`."""
        log = self.folder / f"{name}.log"
        arguments = (str(SERVERS / "faulty.py"), "--era", era, "--log", str(log), *flags)
        return RawServer(ServerEntry(name, sys.executable, arguments, era=era, timeout=timeout), log)

    async def meet(self, person: Person, *servers: RawServer) -> Host:
        """A host for this person that is connected to the servers."""
        self.host = self.new_host(person, self.hear)
        for server in servers:
            self.host.add(server.entry, trusted=True)
        async with asyncio.timeout(PATIENCE):
            reasons = await asyncio.gather(*(self.host.start(server.name) for server in servers))
        assert reasons == [None] * len(servers)
        return self.host

    async def call(self, server: str = "raw", tool: str = "tool", **arguments: Any) -> CallState:
        """Call a tool and wait for its end."""
        return await self.result(self.host.begin_call(server, tool, arguments))

    async def result(self, call_id: str) -> CallState:
        """Wait for the end of a call that was begun, as windows do: by its event."""
        return await until(lambda: self.ended.get(call_id))

    @asynccontextmanager
    async def run(
        self, person: Person, *servers: RawServer, connect: bool = True, **options: Any
    ) -> AsyncIterator[Host]:
        """One run of the program: a host that knows the servers, is connected unless told otherwise, and then quits."""
        self.events.clear()
        self.ended.clear()
        self.host = Host(person, self.hear, **options)
        try:
            for server in servers:
                self.host.add(server.entry, trusted=True)
            async with asyncio.timeout(PATIENCE):
                reasons = await asyncio.gather(*(self.host.start(one.name) for one in servers if connect))
            assert set(reasons) <= {None}
            yield self.host
        finally:
            await self.host.close()

    def hear(self, event: Event) -> None:
        """What the host tells."""
        self.events.append(event)
        if isinstance(event, CallChanged) and event.state.status is not CallStatus.RUNNING:
            self.ended[event.state.id] = event.state

    def told(self, kind: type) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @asynccontextmanager
    async def going_on(self, server: str = "healthy") -> AsyncIterator[None]:
        """While this is open a server is called again and again; each call must be answered, the last one after it."""
        answered = 0

        async def again() -> None:
            nonlocal answered
            while True:
                state = await self.call(server)
                assert state.status is CallStatus.DONE, state
                answered += 1
                await asyncio.sleep(0.005)

        calls = asyncio.create_task(again())
        await until(lambda: answered or calls.done())
        try:
            yield
            before = answered
            await until(lambda: answered > before or calls.done())
        finally:
            calls.cancel()
            await asyncio.gather(calls, return_exceptions=True)
        assert calls.cancelled(), calls.exception()
