"""How a server starts: it may be blocked, it is found, the person is asked, it is filled in, and connected."""

import asyncio
import logging
import uuid
from collections.abc import Callable, Mapping

from desktop_host.config.approvals import Approvals
from desktop_host.config.files import FileProblem
from desktop_host.config.programs import PROGRAMS
from desktop_host.config.secrets import KeyringProblem, get_secret
from desktop_host.config.servers_file import ServerEntry, Unresolved, resolve, secrets_of
from desktop_host.policy.facts import Facts
from desktop_host.policy.policies import Policies
from desktop_host.policy.rules import Kind
from desktop_host.ruling import Ruling
from desktop_host.servers.asking import Walk
from desktop_host.servers.connection import Connection
from desktop_host.terms.asks import Ask, AskKind, Effect, JsonObject, Layer, Origin, Outcome
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import ServerStatus
from desktop_host.workspace.roots import Workspace

logger = logging.getLogger(__name__)

_AT_ONCE, _TURN = 4, 1.0
"""Servers that begin to start at once, and seconds for which each keeps others from that."""


class Starting:
    """Starts servers by their names, a few at a time. `walk` is the corridor's."""

    def __init__(
        self,
        connections: Mapping[str, Connection],
        policies: Policies,
        ruling: Ruling,
        approvals: Approvals,
        workspace: Workspace,
        walk: Walk,
    ) -> None:
        self._connections = connections
        self._policies = policies
        self._ruling = ruling
        self._approvals = approvals
        self._workspace = workspace
        self._walk = walk
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._over = False
        self._beginning: dict[str, asyncio.Event] = {}
        self._shared: dict[str, asyncio.Future[Message | None]] = {}

    async def start(self, name: str) -> Message | None:
        """Start a server; returns why it did not, or None once it is ready."""
        connection = self._connections[name]
        if connection.state.status in (ServerStatus.READY, ServerStatus.STARTING) or name in self._beginning:
            return None
        mine = self._beginning[name] = asyncio.Event()
        try:
            return await self._begin(connection, lambda: not self._over and self._beginning.get(name) is mine)
        finally:
            mine.set()
            if self._beginning.get(name) is mine:
                del self._beginning[name]

    async def start_for_several(self, name: str) -> None:
        """Start a server that several wait for, or wait with them. Whoever wanted it first may give up."""
        beginning = self._beginning.get(name)
        if beginning is not None:
            await beginning.wait()
            return
        start = self._shared.get(name) or asyncio.ensure_future(self.start(name))
        self._shared[name] = start
        start.add_done_callback(lambda _: self._shared.pop(name, None))
        await asyncio.shield(start)

    def close(self) -> None:
        """Start nothing any more."""
        self._over = True

    def give_up(self, name: str) -> None:
        """A server that waits for its turn shall not start."""
        self._beginning.pop(name, None)

    async def _begin(self, connection: Connection, wanted: Callable[[], bool]) -> Message | None:
        """Start a server unless it is no longer `wanted` when its turn comes."""
        entry = connection.entry
        why_blocked = self._policies.blocked(self._ruling.server(entry))
        if why_blocked is not None:
            connection.block(why_blocked)
            return why_blocked
        reason = await self._locate(entry) or await self._may_not_start(entry)
        if reason is not None:
            connection.fail(reason)
            return reason
        workspace = next((root.path for root in self._workspace.shared_with(entry.name)), None)
        try:
            resolved = await asyncio.to_thread(resolve, entry, get_secret, workspace)
        except Unresolved as none:
            key = "connect.no_secret" if none.secrets else "connect.unresolved"
            connection.fail(say(key, name=none.secrets[0] if none.secrets else none.name), none.secrets)
        except KeyringProblem as problem:
            connection.fail(problem.message, secrets_of(entry))
        except FileProblem as problem:
            connection.fail(problem.message)
        else:
            if (denied := self._policies.denied(self._ruling.server(resolved))) is not None:
                connection.block(denied)  # its variables made another command of it
                return denied
            async with self._turns:
                if not wanted():
                    return None
                starting = asyncio.ensure_future(connection.start(resolved))
                await asyncio.wait({starting}, timeout=_TURN)  # one that is slow to answer holds up no other
            await starting
            if connection.state.status is ServerStatus.OFF:
                return say("connect.stopped")
        return connection.state.reason

    async def _locate(self, entry: ServerEntry) -> Message | None:
        """Find out which program a server's command is; why there is none."""
        if not entry.command or "${" in entry.command + entry.cwd + entry.env.get("PATH", ""):
            return None
        try:
            program = await asyncio.to_thread(PROGRAMS.find, entry.command, entry.cwd, entry.env.get("PATH", ""))
        except FileProblem as problem:
            return problem.message
        self._ruling.located(entry, program)
        return None

    async def _may_not_start(self, entry: ServerEntry) -> Message | None:
        """Why a server may not start. New and changed ones are asked about, by what they are (DESIGN.md section 6)."""
        about = Facts(Kind.CONNECT, self._ruling.server(entry))
        decision = self._policies.decide(about, use=False)
        asked = any(step.counts and step.layer is not Layer.FLOOR for step in decision.steps)
        if about.server.known and (decision.effect is Effect.ALLOW or not asked):
            return None
        params = self._params(entry, about.server.program)
        answer = await self._walk(Ask(uuid.uuid4().hex, AskKind.CONNECT, Origin(entry.name, entry.identity), params))
        if answer.outcome is not Outcome.ACCEPT:
            return answer.why or say("connect.not_approved")
        if decision.effect is Effect.ALLOW:
            return None  # it is allowed as long as the rule says so, and not for good
        try:
            await asyncio.to_thread(self._approvals.approve, entry.fingerprint, about.server.program)
        except FileProblem:
            logger.warning("an approval could not be kept; the server is asked about again next time")
        return None

    def _params(self, entry: ServerEntry, program: str) -> JsonObject:
        if entry.url:
            return {"url": entry.url, "headers": sorted(entry.headers)}
        return {
            "command": entry.command,
            "args": list(entry.args),
            "env": sorted(entry.env),
            "cwd": entry.cwd,
            "program": program,
            "before": self._approvals.another(entry.fingerprint, program),
        }
