"""The tools of servers as the person first met them, kept in the background."""

import asyncio
import contextlib
import logging
from weakref import WeakKeyDictionary

from desktop_host.config.files import FileProblem
from desktop_host.config.pins import Pins
from desktop_host.servers.connection import Connection
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import ServerStatus, ToolInfo

logger = logging.getLogger(__name__)

_PAUSE = 0.5
"""Seconds in which changes gather before they are written."""


class PinnedTools:
    """Which tools of a server are no longer what they were. Without `pins` nothing is remembered."""

    def __init__(self, pins: Pins | None) -> None:
        self._pins = pins
        self._found = WeakKeyDictionary[Connection, tuple[tuple[ToolInfo, ...], dict[str, JsonObject]]]()
        self._dirty = False
        self._saving: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()

    def changed(self, connection: Connection) -> dict[str, JsonObject]:
        """Tools that changed, as they were; those that are new are remembered as they are."""
        if self._pins is None or connection.status is not ServerStatus.READY:
            return {}
        known = self._found.get(connection)
        if known is not None and known[0] is connection.tools:  # every call asks, and each tool would be digested
            return known[1]
        tools = {tool.name: tool.definition for tool in connection.tools}
        if self._pins.meet(connection.entry.fingerprint, tools):
            self._save()
        changed = self._pins.changed(connection.entry.fingerprint, tools)
        self._found[connection] = connection.tools, changed
        return changed

    def accept(self, connection: Connection, tool: str) -> bool:
        """The person takes a changed tool as it is now; False where there is none of this name."""
        info = connection.tool(tool)
        if self._pins is None or info is None:
            return False
        self._pins.accept(connection.entry.fingerprint, tool, info.definition)
        self._found.clear()  # the same server may be here by two names
        self._save()
        return True

    async def close(self) -> None:
        """Keep what is not kept yet."""
        self._ending.set()
        if self._saving is not None:
            await self._saving

    def _save(self) -> None:
        self._dirty = True
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save_all())

    async def _save_all(self) -> None:
        """Write until nothing more came while it was written."""
        while self._dirty and self._pins is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), _PAUSE)
            self._dirty = False
            try:
                await asyncio.to_thread(self._pins.save)
            except FileProblem:
                logger.warning("the definitions of tools could not be kept")
