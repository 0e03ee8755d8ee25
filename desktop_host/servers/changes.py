"""What changes at a server while it is connected: its listings, and the resources that the person follows."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from mcp.client.subscriptions import SubscriptionLost, listen
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent, ToolsListChanged

from desktop_host.servers.session import HostSession

_RELIST_PAUSE = 0.2
_LISTEN_PAUSE, _MOST_LISTEN_PAUSE = 1.0, 60.0


class Changes:
    """Hears of changes in both eras. `relist` lists again what is named, `told` is called after an update.

    `updated` counts how often each of the `followed` resources was told to be another.
    """

    def __init__(self, relist: Callable[[set[str]], Awaitable[None]], told: Callable[[], None]) -> None:
        self.updated: dict[str, int] = {}
        self._relist = relist
        self._told = told
        self._session: HostSession | None = None
        self._stale: set[str] = set()
        self.followed: set[str] = set()
        self._relisting: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None

    def begin(self, session: HostSession) -> None:
        """The server is ready."""
        self._session = session
        self._listen_again()

    async def end(self) -> None:
        """The connection is over; what was followed is followed no longer."""
        self._session = None
        running = [task for task in (self._relisting, self._listening) if task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._stale.clear()
        self.followed.clear()

    @property
    def can_follow(self) -> bool:
        """The server can tell of changed resources."""
        capabilities = self._session.server_capabilities if self._session else None
        resources = capabilities.resources if capabilities else None
        return resources is not None and bool(resources.subscribe)

    def changed(self, what: str) -> None:
        """A listing is another: "tools", "resources" or "prompts"."""
        self._stale.add(what)
        if self._relisting is None or self._relisting.done():
            self._relisting = asyncio.create_task(self._list_again())

    def resource_updated(self, uri: str) -> None:
        """A resource is another, or one below it."""
        known = {one for one in self.followed if uri == one or uri.startswith(f"{one.rstrip('/')}/")}
        for one in known:
            self.updated[one] = self.updated.get(one, 0) + 1
        if known:
            self._told()

    async def follow(self, session: HostSession, uri: str, wanted: bool) -> None:
        """Be told when a resource changes, or no longer (FEAT-19). Raises MCPError."""
        if not session.modern:
            await session.request("resources/subscribe" if wanted else "resources/unsubscribe", {"uri": uri})
        (self.followed.add if wanted else self.followed.discard)(uri)
        self._listen_again()

    async def _list_again(self) -> None:
        while self._stale:
            await asyncio.sleep(_RELIST_PAUSE)  # servers send storms of these while they start (platform.md C.2)
            stale, self._stale = self._stale, set()
            with contextlib.suppress(MCPError):
                await self._relist(stale)

    def _listen_again(self) -> None:
        """In the modern era changes are told only to who listens for them, with everything wanted in one filter."""
        session = self._session
        if session is None or not session.modern or session.server_capabilities is None:
            return
        if self._listening is not None:
            self._listening.cancel()
        offered = session.server_capabilities
        lists = {"tools": offered.tools, "prompts": offered.prompts, "resources": offered.resources}
        wanted = {name for name, part in lists.items() if part is not None and part.list_changed}
        if wanted or self.followed:
            self._listening = asyncio.create_task(self._listen(session, wanted))

    async def _listen(self, session: HostSession, wanted: set[str]) -> None:
        """Hear of changes until the connection ends; a stream that breaks off is opened again (FEAT-41, FEAT-42)."""
        pause, missed = _LISTEN_PAUSE, False
        while self._session is session:
            try:
                async with listen(
                    session,
                    tools_list_changed="tools" in wanted,
                    prompts_list_changed="prompts" in wanted,
                    resources_list_changed="resources" in wanted,
                    resource_subscriptions=sorted(self.followed),
                ) as events:
                    pause = _LISTEN_PAUSE
                    if missed:
                        self._catch_up(wanted)
                    async for event in events:
                        self._heard(event)
            except MCPError:
                return  # it does not have this after all
            except (SubscriptionLost, TimeoutError):
                pass
            missed = True
            await asyncio.sleep(pause)
            pause = min(pause * 2, _MOST_LISTEN_PAUSE)

    def _catch_up(self, wanted: set[str]) -> None:
        """What changed while nobody listened is not told again."""
        for what in wanted:
            self.changed(what)
        for uri in tuple(self.followed):
            self.resource_updated(uri)

    def _heard(self, event: ServerEvent) -> None:
        if isinstance(event, ResourceUpdated):
            self.resource_updated(event.uri)
        elif isinstance(event, ToolsListChanged):
            self.changed("tools")
        else:
            self.changed("resources" if isinstance(event, ResourcesListChanged) else "prompts")
