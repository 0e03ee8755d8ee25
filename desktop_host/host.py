"""The Host: servers, corridor, workspace and audit in one object, without windows."""

import asyncio
import contextlib
import dataclasses
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from desktop_host.asks.corridor import Corridor
from desktop_host.asks.limits import Limits
from desktop_host.asks.matters import ConnectMatter, FormMatter, LinkMatter, RootsMatter
from desktop_host.asks.person import Person
from desktop_host.asks.sampling import SamplingMatter
from desktop_host.audit.log import AuditLog
from desktop_host.calls import Calls
from desktop_host.checking.checker import Checker
from desktop_host.config.approvals import Approvals
from desktop_host.config.files import FileProblem
from desktop_host.config.kept import KeptFiles
from desktop_host.config.lock import FolderLock
from desktop_host.config.paths import data_dir
from desktop_host.config.pins import Pins
from desktop_host.config.providers_file import ProvidersFile
from desktop_host.config.servers_file import (
    ServerEntry,
    add_server,
    read_servers,
    remove_server,
)
from desktop_host.config.settings import Settings
from desktop_host.config.trust import TRUST
from desktop_host.elicitation import drafts
from desktop_host.elicitation.address import prepare
from desktop_host.elicitation.drafts import Drafts
from desktop_host.policy.lint import Known
from desktop_host.policy.policies import Policies, RulesState
from desktop_host.policy.rules import Rule
from desktop_host.policy.secrets import SECRETS, Masker
from desktop_host.policy.simulate import Simulation, simulate_file
from desktop_host.ruling import Ruling
from desktop_host.sampling.catalog import Catalog
from desktop_host.sampling.choice import Wishes
from desktop_host.sampling.providers import Providers
from desktop_host.sampling.speeds import Speeds
from desktop_host.servers import parked
from desktop_host.servers.connection import Connection
from desktop_host.servers.parked import Parked
from desktop_host.servers.pinned import PinnedTools
from desktop_host.servers.restarts import Restarts
from desktop_host.servers.stdio import remove_old
from desktop_host.starting import Starting
from desktop_host.terms.asks import (
    Answer,
    Ask,
    AskKind,
    CallRef,
    JsonObject,
    Record,
)
from desktop_host.terms.events import (
    Event,
    LinkCompleted,
    Recorded,
    RootsChanged,
    RulesChanged,
    ServerChanged,
    ServerGone,
)
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import CallState, ServerStatus
from desktop_host.workspace.roots import Workspace

logger = logging.getLogger(__name__)

_DAY = 86_400
_PREVIEWED = 2000
"""Entries of the record that a rule is tried on while it is made: a fifth of a second."""
_LOOK_AT_RULES = 2.0
"""Seconds between two looks at the files of rules."""


class Host:
    """Everything the program is, on one asyncio loop. `tell` is called on that loop with each event.

    `policies` are the rules of administrators and of the person; `keeps` False: a single run in a terminal, which
    leaves nothing behind and takes nothing up.
    """

    def __init__(
        self,
        person: Person,
        tell: Callable[[Event], None],
        *,
        settings: Settings | None = None,
        workspace: Workspace | None = None,
        approvals: Approvals | None = None,
        log: AuditLog | None = None,
        providers_file: ProvidersFile | None = None,
        policies: Policies | None = None,
        keeps: bool = True,
        servers_file: Path | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.workspace = workspace or Workspace()
        self.servers_file = servers_file
        self.log = log or AuditLog(values=self._keeps_values, clean=self._for_the_record)
        self.problems: tuple[Message, ...] = ()
        self._approvals = approvals or Approvals()
        self._tell = tell
        self.checker = Checker()
        self._connections: dict[str, Connection] = {}
        self._stopping: set[str] = set()
        self._here: set[str] = set()
        self._offered: dict[str, ServerEntry] = {}
        self._entering: set[asyncio.Task[None]] = set()
        self._links: set[tuple[str, str]] = set()
        self.policies = policies or Policies()
        self._restarts = Restarts(self.start) if keeps else None
        self.pinned = PinnedTools(Pins() if keeps else None)
        self.ruling = Ruling(self.policies, self.settings, self._approvals, self.pinned, self._connections.get)
        self.ruling.follow_settings()
        TRUST.ca_file = self.settings["network.ca_file"]
        self._starting = Starting(
            self._connections, self.policies, self.ruling, self._approvals, self.workspace, self._walk
        )
        self.providers_file = providers_file or ProvidersFile()
        self.providers = Providers(self.providers_file, self.settings)
        self.models = Catalog(
            self.providers.all, Speeds(data_dir() / "speeds.json"), lambda: self.policies.caps, self._wishes
        )
        self.kept = {
            "drafts": KeptFiles(
                data_dir() / "drafts" if keeps else None,
                drafts.LIFETIME,
                allowed=lambda: self.policies.keeping.drafts,
            ),
            "waiting": KeptFiles(
                data_dir() / "waiting" if keeps else None,
                parked.LIFETIME,
                allowed=lambda: self.policies.keeping.waiting_asks,
            ),
        }
        self._lock = FolderLock(data_dir() / "waiting")
        self.drafts = Drafts(self.kept["drafts"])
        self.parked = Parked(self.kept["waiting"])
        self.corridor = Corridor(
            person,
            self.log,
            self.ruling.about,
            self.policies.decide,
            {
                AskKind.FORM: lambda: FormMatter(self.checker, self.drafts),
                AskKind.URL: LinkMatter,
                AskKind.SAMPLING: lambda: SamplingMatter(self.models),
                AskKind.ROOTS: lambda: RootsMatter(self.workspace),
                AskKind.CONNECT: ConnectMatter,
            },
            self._recorded,
            Limits(bounds=self.ruling.bounds),
        )
        self.calls = Calls(self.corridor, self.checker, self.parked, self.drafts, tell)

    # servers

    def load_servers(self) -> None:
        """Read `servers.json` and make its entries known, without starting any."""
        if self.servers_file is None:
            return
        offered = self._add_offered()
        try:
            found = read_servers(self.servers_file)
        except FileProblem as problem:
            self.problems = (*offered, problem.message)
            return
        self.problems = (*offered, *found.problems)
        for entry in found.entries.values():
            if entry.name not in self._connections:
                self.add(entry)

    def _add_offered(self) -> tuple[Message, ...]:
        """Make known what administrators offer to everyone; what is wrong with it."""
        offered = self.policies.offered()
        for entry in offered.entries.values():
            if entry.name not in self._connections:
                self._offered[entry.name] = entry
                self.add(entry, removable=False)
        return offered.problems

    async def _withdraw_offered(self) -> None:
        """Let go of the servers that administrators offer no longer, or otherwise."""
        offered = self.policies.offered().entries
        for name, entry in list(self._offered.items()):
            if offered.get(name) != entry:
                del self._offered[name]
                await self.stop(name)
                self._forget(name)

    def add(self, entry: ServerEntry, *, trusted: bool = False, removable: bool = True) -> None:
        """Make a server known. `trusted`: ours, or named by the person just now; it starts without an ask."""
        connection = Connection(entry, self._walk, self, data_dir() / "answers", self.parked, removable=removable)
        self._connections[entry.name] = connection
        if self.workspace.has(entry.name):
            self._here.add(entry.name)
        if trusted:
            self.ruling.trusted.add(entry.name)
        if (why := self.policies.blocked(self.ruling.server(entry))) is not None:
            connection.block(why)
        self.server_changed(connection)

    async def add_to_file(self, entry: ServerEntry) -> None:
        """Make a server known and keep it in `servers.json`. Raises FileProblem."""
        if entry.name in self._connections:
            raise FileProblem(say("servers.name_taken", name=entry.name))
        if self.servers_file is not None:
            await asyncio.to_thread(add_server, self.servers_file, entry)
        await asyncio.to_thread(self.workspace.join, entry.name)
        self.add(entry)

    async def remove(self, name: str) -> None:
        """Stop a server and forget it, in `servers.json` too. Raises FileProblem."""
        if not self._connections[name].state.removable:
            raise FileProblem(say("servers.locked", name=name))
        await self.stop(name)
        if self.servers_file is not None:
            await asyncio.to_thread(remove_server, self.servers_file, name)
        self._forget(name)

    def _forget(self, name: str) -> None:
        connection = self._connections.pop(name, None)
        if connection is not None:
            connection.forget()
        self.ruling.trusted.discard(name)
        self._here.discard(name)
        self._tell(ServerGone(name))

    async def start(self, name: str) -> Message | None:
        """Start a server; returns why it did not, or None once it is ready."""
        return await self._starting.start(name)

    async def start_all(self, names: Iterable[str]) -> None:
        """Start every one of these servers that starts by itself and is of the workspace, a few at a time."""
        wanted = [name for name in names if name in self._connections and self.workspace.has(name)]
        await asyncio.gather(*(self.start(name) for name in wanted if self._connections[name].entry.auto_start))

    async def stop(self, name: str) -> None:
        """Stop a server: its open asks are cancelled, its calls end; one that waits for its turn does not start."""
        if self._restarts is not None:
            self._restarts.forget(name)
        self._starting.give_up(name)
        self._stopping.add(name)
        try:
            await self.corridor.cancel(lambda ask: ask.origin.server == name)
            await self.calls.end_waiting(name)
            await self._connections[name].stop()
        finally:
            self._stopping.discard(name)

    def names(self) -> list[str]:
        """The known servers."""
        return list(self._connections)

    def connection(self, name: str) -> Connection:
        """A known server. Raises KeyError."""
        return self._connections[name]

    # rules

    async def remember_spent(self) -> None:
        """What servers have used up of today's bounds before the program started."""
        today = time.time() // _DAY * _DAY
        with contextlib.suppress(OSError, sqlite3.Error):
            for server, tokens, dollars, when in await self.log.spent(today):
                self.corridor.limits.spend(server, tokens, dollars, when)

    async def prune_record(self) -> None:
        """Let go of the record what the person does not want to keep, and of long answers put aside long ago."""
        await asyncio.to_thread(remove_old, data_dir() / "answers")
        days, megabytes = self.settings.number("record.days"), self.settings.number("record.megabytes")
        with contextlib.suppress(OSError, sqlite3.Error):
            await self.log.prune(days, megabytes)

    async def rules(self) -> RulesState:
        """All rules, how often they decided, and what is odd about them."""
        known = [
            Known(self.ruling.server(one.entry), tuple(t.name for t in one.state.tools))
            for one in self._connections.values()
        ]
        state = self.policies.state(known)
        try:
            return dataclasses.replace(state, uses=await self.log.uses())
        except (OSError, sqlite3.Error):
            return state

    async def simulate(self, rule: Rule | None) -> Simulation:
        """What the record's asks would be decided by today's rules, or its newest with one more.

        Raises OSError and sqlite3.Error.
        """
        book = self.policies.with_rule(rule)
        path = await self.log.stored()
        return await asyncio.to_thread(simulate_file, path, book, 0 if rule is None else _PREVIEWED)

    async def watch_rules(self) -> None:
        """Follow changes of administrators' and the person's files, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_AT_RULES)
            if await asyncio.to_thread(self.policies.refresh):
                await self.rules_changed()

    async def rules_changed(self) -> None:
        """Let what was laid down just now hold: servers that are blocked stop, and the windows hear of it."""
        await self._withdraw_offered()
        self._add_offered()
        for name, connection in list(self._connections.items()):
            why = self.policies.blocked(self.ruling.server(connection.entry))
            if why is None:
                connection.unblock()
            elif connection.state.status is not ServerStatus.BLOCKED:
                await self.stop(name)
                connection.block(why)
        self._tell(RulesChanged())

    # calls

    def begin_call(self, server: str, tool: str, arguments: JsonObject) -> str:
        """Start a call of a tool; returns its id. What becomes of it comes as `CallChanged`. Raises KeyError."""
        connection = self._connections[server]
        return self.calls.begin(connection, tool, arguments, self.ruling.denied(connection, tool))

    async def call(self, server: str, tool: str, arguments: JsonObject) -> CallState:
        """Call a tool and wait for its end. Raises KeyError where there is no such server."""
        return await self.calls.result(self.begin_call(server, tool, arguments))

    async def resume_calls(self) -> None:
        """Put the asks that waited when the program ended to the person again, those of servers that are still here.

        Only one program at a time does: two of them would answer the same round twice.
        """
        if not await asyncio.to_thread(self._lock.acquire):
            return
        for parked_call in await self.parked.all():
            connection = self._connections.get(parked_call.server)
            if connection is None or connection.state.status is ServerStatus.BLOCKED:
                continue
            if not self.workspace.has(parked_call.server):
                continue  # it waits until its workspace is in force again
            known = connection.entry.fingerprint == parked_call.fingerprint
            if known and not self.calls.runs(parked_call.call.id):
                self.calls.resume(connection, parked_call)

    # models, workspace, listening

    def _wishes(self) -> Wishes:
        return Wishes(self.settings["models.preferred"], self.settings["models.weigh"])

    async def roots_changed(self) -> None:
        """Tell the windows and the servers of changed roots."""
        self._tell(RootsChanged(self.workspace.roots))
        await asyncio.gather(*(one.roots_changed() for one in self._connections.values()))

    async def workspace_changed(self) -> None:
        """Let the workspace in force hold: other servers stop, its own start, and all hear of its roots."""
        here = {name for name in self._connections if self.workspace.has(name)}
        come, gone, self._here = here - self._here, self._here - here, here
        await asyncio.gather(*(self.stop(name) for name in gone if name in self._connections))
        self.announce()
        await self.roots_changed()
        entering = asyncio.create_task(self._enter(come))
        self._entering.add(entering)
        entering.add_done_callback(self._entering.discard)

    async def _enter(self, names: Iterable[str]) -> None:
        await asyncio.gather(self.start_all(names), self.resume_calls())

    def announce(self) -> None:
        """Tell the state of everything once more, to a subscriber that comes late."""
        for connection in self._connections.values():
            self.server_changed(connection)
        self._tell(RootsChanged(self.workspace.roots))

    def server_changed(self, connection: Connection) -> None:
        """See `servers.connection.Listener`; likewise below."""
        if self._restarts is not None:
            self._restarts.changed(connection)
        waiting, state = self.corridor.waiting(connection.entry.name), connection.state
        changed = self.pinned.changed(connection)
        here = self.workspace.has(connection.entry.name)
        self._tell(ServerChanged(dataclasses.replace(state, asks_waiting=waiting, changed=changed, here=here)))

    def accept_tool(self, server: str, tool: str) -> None:
        """The person takes a changed tool as it is now. Raises KeyError."""
        connection = self._connections[server]
        if self.pinned.accept(connection, tool):
            self.server_changed(connection)

    def link_completed(self, server: str, elicitation_id: str) -> None:
        if (server, elicitation_id) in self._links:  # unknown and finished ones are ignored (ELU-15)
            self._links.discard((server, elicitation_id))
            self._tell(LinkCompleted(server, elicitation_id))

    def stop_calls(self, calls: Iterable[CallRef]) -> None:
        for call in calls:
            self.calls.cancel(call.id)

    async def reconnect(self, connection: Connection) -> None:
        name = connection.entry.name
        if self._connections.get(name) is not connection or name in self._stopping:
            return
        await self._starting.start_for_several(name)

    async def close(self) -> None:
        """Cancel what waits, but park what modern servers wait for; stop every server, write the log (ELF-24)."""
        await self.corridor.cancel(lambda ask: not self._waits_on(ask))
        self.corridor.park()
        self._starting.close()
        self._stopping.update(self._connections)
        for entering in self._entering:
            entering.cancel()
        await asyncio.gather(*self._entering, return_exceptions=True)
        if self._restarts is not None:
            await self._restarts.close()
        await self.calls.close()
        await asyncio.gather(*(one.stop() for one in self._connections.values()))
        for one in self._connections.values():
            one.forget()
        await self.checker.close()
        await self.providers.close()
        await asyncio.gather(*(files.close() for files in self.kept.values()))
        await self.log.close()
        await self.pinned.close()
        self._lock.release()

    def _waits_on(self, ask: Ask) -> bool:
        """The ask is kept and can be answered at the next start."""
        return not ask.errors_travel and any(self.parked.holds(call.id) for call in ask.origin.calls)

    async def warm_up(self) -> None:
        """Start the checker, and load what looking at links needs, before somebody waits for it."""
        await asyncio.gather(self.checker.warm_up(), asyncio.to_thread(prepare))

    async def _walk(self, ask: Ask) -> Answer:
        self._changed_waiting(ask.origin.server)
        if ask.kind is AskKind.URL:
            self._links.add((ask.origin.server, str(ask.params.get("elicitationId", ""))))
        try:
            return await self.corridor.walk(ask)
        finally:
            self._changed_waiting(ask.origin.server)

    def _changed_waiting(self, server: str) -> None:
        asyncio.get_running_loop().call_soon(self._waiting_changed, server)

    def _waiting_changed(self, server: str) -> None:
        connection = self._connections.get(server)
        if connection is not None:
            self.server_changed(connection)

    def _for_the_record(self, content: Any) -> Any:
        """What is kept: secrets never are, what tells of people is masked where the person wants it."""
        return Masker(SECRETS | self.settings.chosen("record.masked")).value(content)

    def _keeps_values(self) -> bool:
        """Both the person and the administrators want what is entered into forms to be in the record."""
        return self.settings["record.values"] == "yes" and self.policies.keeping.values

    def _recorded(self, record: Record) -> None:
        self.calls.note(record)
        self._tell(Recorded(record))
