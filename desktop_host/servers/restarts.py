"""Servers that ended by themselves are started again, ever more slowly (NET-05)."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from desktop_host.servers.connection import Connection
from desktop_host.terms.state import ServerStatus

_PAUSES = (2.0, 5.0, 15.0, 60.0, 300.0)
"""Seconds before each try; after the last one the person has to start it."""
_NOT_TRIED = frozenset(("connect.not_approved", "connect.no_secret", "connect.unresolved", "keyring.unusable"))
"""Why a server did not start that only the person can change."""
_STEADY = 120.0
"""Seconds after which a server that runs has a clean slate."""


class Restarts:
    """Watches the states of connections. `start` starts a server by its name."""

    def __init__(self, start: Callable[[str], Awaitable[object]]) -> None:
        self._start = start
        self._ready: dict[str, float] = {}
        self._tries: dict[str, int] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def changed(self, connection: Connection) -> None:
        """A connection's state is another. Only servers of ours to run are started: an address is tried at its use."""
        name, status = connection.entry.name, connection.state.status
        if status is ServerStatus.READY:
            self._ready.setdefault(name, time.monotonic())
        elif status is ServerStatus.FAILED and (name in self._ready or name in self._tries):
            reason = connection.state.reason
            if reason is not None and reason.key in _NOT_TRIED:
                self._tries.pop(name, None)
                return
            ready = self._ready.pop(name, None)
            if ready is not None and time.monotonic() - ready > _STEADY:
                self._tries.pop(name, None)
            tries = self._tries.get(name, 0)
            if tries < len(_PAUSES) and connection.entry.auto_start and not connection.entry.url:
                self._tries[name] = tries + 1
                self._waiting[name] = asyncio.create_task(self._again(name, _PAUSES[tries]))

    def forget(self, name: str) -> None:
        """The person stops or removes it."""
        self._ready.pop(name, None)
        self._tries.pop(name, None)
        waiting = self._waiting.pop(name, None)
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()

    async def close(self) -> None:
        """Start nothing any more."""
        waiting = list(self._waiting.values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _again(self, name: str, pause: float) -> None:
        await asyncio.sleep(pause)
        await self._start(name)
