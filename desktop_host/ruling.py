"""What rules are held against: servers by what they are, asks by what causes them, and the bounds of the day."""

import dataclasses
import math
from collections.abc import Callable
from typing import TypeVar

from desktop_host.asks.limits import Bounds
from desktop_host.config.approvals import Approvals
from desktop_host.config.pins import digest
from desktop_host.config.servers_file import ServerEntry
from desktop_host.config.settings import Settings
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.policies import Policies
from desktop_host.policy.rules import Kind
from desktop_host.servers.connection import Connection
from desktop_host.servers.pinned import PinnedTools
from desktop_host.terms.asks import Ask, AskKind, Decision, Effect
from desktop_host.terms.messages import Message, say

_KINDS = {
    AskKind.FORM: Kind.FORM,
    AskKind.URL: Kind.LINK,
    AskKind.SAMPLING: Kind.REQUEST,
    AskKind.ROOTS: Kind.ROOTS,
    AskKind.TOOL_CALL: Kind.TOOL_CALL,
    AskKind.CONNECT: Kind.CONNECT,
}


class Ruling:
    """The facts of servers, asks and tools. `connection` finds a known server by its name.

    `trusted`: names of servers that are ours, or that the person named just now.
    """

    def __init__(
        self,
        policies: Policies,
        settings: Settings,
        approvals: Approvals,
        pinned: PinnedTools,
        connection: Callable[[str], Connection | None],
    ) -> None:
        self.trusted: set[str] = set()
        self._policies = policies
        self._settings = settings
        self._approvals = approvals
        self._pinned = pinned
        self._connection = connection
        self._programs: dict[str, str] = {}

    def follow_settings(self) -> None:
        """Let rules allow as much as the person's settings say."""
        self._policies.follow(self._settings)

    def located(self, entry: ServerEntry, program: str) -> None:
        """A server's command was found to be this program."""
        self._programs[entry.name] = program

    def server(self, entry: ServerEntry) -> ServerFacts:
        """A server by what it is. It is known while its command is the program that was approved."""
        program = self._programs.get(entry.name, "")
        known = entry.name in self.trusted or self._approvals.knows(entry.fingerprint, program)
        command = (entry.command, *entry.args) if entry.command else ()
        return ServerFacts(entry.name, command, entry.plain_url, entry.fingerprint, known, program)

    def about(self, ask: Ask) -> Facts:
        """What every ask's facts begin with: its server, and the tools whose call may have caused it."""
        connection = self._connection(ask.origin.server)
        server = ServerFacts(ask.origin.server) if connection is None else self.server(connection.entry)
        tools = tuple(dict.fromkeys(call.tool for call in ask.origin.calls))
        changed = connection is not None and not self._pinned.changed(connection).keys().isdisjoint(tools)
        return Facts(_KINDS[ask.kind], server, tools, tool_changed=changed)

    def denied(self, connection: Connection, tool: str) -> "Denied | None":
        """That a tool may not be called, and why."""
        info = connection.tool(tool)
        changed = tool in self._pinned.changed(connection)
        facts = Facts(Kind.TOOL_CALL, self.server(connection.entry), (tool,), tool_changed=changed)
        if info is not None:
            hints = {"read_only_hint": info.read_only, "destructive_hint": info.destructive}
            facts = dataclasses.replace(facts, tool_digest=digest(info.definition), **hints)
        decision = self._policies.decide(facts)
        if decision.effect is Effect.DENY:
            return Denied(decision.reasons[0], decision)
        return Denied(say("call.tool_changed"), decision) if changed else None

    def bounds(self) -> Bounds:
        """The person's limits, and the administrators' where these are smaller."""
        caps, number = self._policies.caps, self._settings.number
        return Bounds(
            _least(number("limits.requests_per_minute"), caps.requests_per_minute_per_server),
            _least(number("limits.waiting"), caps.waiting_per_server),
            _least(number("limits.sampling_per_minute"), caps.sampling_per_minute_per_server),
            _least(number("limits.tokens_per_day"), caps.tokens_per_day_per_server),
            _least(float(number("limits.cost_per_day")) or math.inf, caps.cost_per_day_per_server),
            number("limits.message_kilobytes"),
            number("limits.schema_kilobytes"),
        )


@dataclasses.dataclass(frozen=True, slots=True)
class Denied:
    """Why a call fails before it is made, and the decision on it."""

    why: Message
    decision: Decision


NumberT = TypeVar("NumberT", int, float)


def _least(own: NumberT, most: NumberT | None) -> NumberT:
    return own if most is None else min(own, most)
