"""The way to one server: its standard streams, or HTTP."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from desktop_host.config.proxies import PROXIES
from desktop_host.config.servers_file import ServerEntry
from desktop_host.config.trust import TRUST
from desktop_host.elicitation.address import is_loopback, read_address
from desktop_host.servers.http import http_client
from desktop_host.servers.stdio import MAX_LINE, ChildProcess, run_server


@asynccontextmanager
async def open_transport(
    entry: ServerEntry, child: ChildProcess, aside: Path, auth: httpx2.Auth | None
) -> AsyncGenerator[tuple[Any, Any]]:
    """The streams to read messages from and to write them to; closed, the server of `child` is gone.

    `aside` is the folder for answers too large to take in, `auth` what signs in to a remote server.
    """
    if not entry.url:
        async with run_server(entry, child, aside) as streams:
            yield streams
        return
    local = is_loopback(read_address(entry.url).contacted)
    proxy = None if local else await asyncio.to_thread(PROXIES.of, entry.url)
    trust = await asyncio.to_thread(TRUST.context) if entry.url.startswith("https:") else None
    if entry.transport == "sse":

        def client_of(
            headers: dict[str, str] | None = None,
            timeout: httpx2.Timeout | None = None,
            auth: httpx2.Auth | None = None,
        ) -> httpx2.AsyncClient:
            return http_client(headers or {}, local, proxy, auth, trust)

        async with sse_client(
            entry.url, headers=dict(entry.headers), auth=auth, httpx_client_factory=client_of
        ) as streams:
            yield streams
        return
    async with (
        http_client(entry.headers, local, proxy, auth, trust) as client,
        streamable_http_client(entry.url, http_client=client, max_sse_event_size=MAX_LINE) as streams,
    ):
        yield streams
