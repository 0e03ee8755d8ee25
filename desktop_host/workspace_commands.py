"""What windows may ask of the workspaces: their folders, their servers, and which of them is in force."""

import asyncio
from collections.abc import Callable

from desktop_host.config.files import told
from desktop_host.host import Host
from desktop_host.terms.messages import Message
from desktop_host.terms.state import WorkspaceState


class WorkspaceCommands:
    """A part of `commands.Commands`. A returned Message says what went wrong, None: nothing."""

    host: Host
    files: asyncio.Lock

    async def workspace(self) -> WorkspaceState:
        """The workspace in force, and what else there is to choose from."""
        own = self.host.workspace
        return WorkspaceState(own.name, own.names, own.servers, own.recent, own.excluded)

    async def switch_workspace(self, name: str) -> Message | None:
        """Let another workspace be in force: its servers start, others stop, and all hear of its folders."""
        return await self._change_workspace(self.host.workspace.switch, name)

    async def create_workspace(self, name: str) -> Message | None:
        """Make a workspace with every server and no folder, and let it be in force."""
        return await self._change_workspace(self.host.workspace.create, name)

    async def rename_workspace(self, name: str) -> Message | None:
        """Give the workspace in force another name."""
        return await self._change_workspace(self.host.workspace.rename, name)

    async def delete_workspace(self) -> Message | None:
        """Forget the workspace in force; its folders stay as they are."""
        return await self._change_workspace(self.host.workspace.delete)

    async def choose_servers(self, servers: frozenset[str] | None) -> Message | None:
        """Say which servers the workspace in force has; None: every one."""
        return await self._change_workspace(self.host.workspace.choose_servers, servers)

    async def add_root(self, path: str) -> Message | None:
        """Add a workspace root."""
        return await self._change_roots(self.host.workspace.add, path)

    async def replace_root(self, uri: str, path: str) -> Message | None:
        """Take another folder in the place of a root: what is under version control as a whole, say."""
        return await self.add_root(path) or await self.remove_root(uri)

    async def call_root(self, uri: str, name: str) -> Message | None:
        """Give a root another name."""
        return await self._change_roots(self.host.workspace.call, uri, name)

    async def remove_root(self, uri: str) -> Message | None:
        """Remove a workspace root."""
        return await self._change_roots(self.host.workspace.remove, uri)

    async def exclude_root(self, path: str) -> Message | None:
        """Let a folder and what is in it never be a root by itself."""
        return await self._change_roots(self.host.workspace.exclude, path)

    async def include_root(self, path: str) -> Message | None:
        """Let a folder be a root again."""
        return await self._change_roots(self.host.workspace.include, path)

    async def share_root(self, uri: str, server: str, shared: bool) -> Message | None:
        """Offer a root to a server, or no longer."""
        return await self._change_roots(self.host.workspace.share, uri, server, shared)

    async def _change_roots(self, change: Callable[..., object], *args: object) -> Message | None:
        async with self.files:
            problem = await told(asyncio.to_thread(change, *args))
        await self.host.roots_changed()
        return problem

    async def _change_workspace(self, change: Callable[..., object], *args: object) -> Message | None:
        async with self.files:
            problem = await told(asyncio.to_thread(change, *args))
        await self.host.workspace_changed()
        return problem
