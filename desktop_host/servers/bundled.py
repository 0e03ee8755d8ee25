"""The bundled demo servers: the same travel planner in both eras."""

import asyncio
import contextlib

from desktop_host.config.processes import DEMO, own_command
from desktop_host.config.servers_file import ServerEntry

STDIO, HTTP = "demo", "demo-modern"
_ABOUT = "desktop-host __demo"
_START_LIMIT = 30.0


def stdio_demo(name: str = STDIO, era: str = "handshake") -> ServerEntry:
    """The travel planner over stdio; it speaks both eras, so the era is said."""
    command, *args = own_command(DEMO)
    return ServerEntry(name, command=command, args=tuple(args), era=era, about=_ABOUT)


class HttpDemo:
    """The travel planner over Streamable HTTP on loopback, as a process of ours that ends with us."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, name: str = HTTP, era: str = "modern") -> ServerEntry:
        """Start it. Raises OSError and TimeoutError."""
        self._process = process = await asyncio.create_subprocess_exec(
            *own_command(DEMO, "--http"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout
        async with asyncio.timeout(_START_LIMIT):
            url = (await process.stdout.readline()).decode().strip()
        return ServerEntry(name, url=url, transport="http", era=era)

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin
        process.stdin.close()
        try:
            async with asyncio.timeout(3.0):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
