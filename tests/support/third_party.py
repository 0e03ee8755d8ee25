"""Servers as others write them, over stdio and over Streamable HTTP: by which entry a host meets each.

`everything` is the reference server from npm, of the handshake era only. `python` and `typescript` are
`tests/servers/everything.py` and `.cjs`, written with each SDK's own high level, in both eras. Everything here blocks.
"""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from desktop_host.config.servers_file import ServerEntry
from tests.support.node import everything_argv, node, node_env
from tests.support.wire import PATIENCE, SERVERS

NAMES = ("everything", "python", "typescript")


def program(argv: list[str], **options: object) -> ServerEntry:
    """The entry of a server over stdio."""
    return ServerEntry("server", command=argv[0], args=tuple(argv[1:]), **options)


def stdio_entry(name: str) -> ServerEntry:
    """The entry of one of the `NAMES` over stdio."""
    if name == "everything":
        return program(everything_argv())
    if name == "python":
        return program([sys.executable, str(SERVERS / "everything.py")])
    return program([str(node()), str(SERVERS / "everything.cjs")], env=node_env())


@contextmanager
def over_http(folder: Path) -> Generator[dict[str, ServerEntry]]:
    """All of the `NAMES` over Streamable HTTP, each one process for as long as this is open."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    commands = {
        "everything": (everything_argv("streamableHttp"), {"PORT": str(port)}),
        "python": ([sys.executable, str(SERVERS / "everything.py"), "http"], {}),
        "typescript": ([str(node()), str(SERVERS / "everything.cjs"), "http"], node_env()),
    }
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for name, (argv, env) in commands.items():
            with (folder / name).open("wb") as output:
                process = subprocess.Popen(argv, env=os.environ | env, stdout=output, stderr=subprocess.STDOUT)
            processes.append(process)
        _said(folder / "everything", r"listening on port \d+")
        urls = {name: _said(folder / name, r"http://\S+/mcp") for name in ("python", "typescript")}
        urls["everything"] = f"http://127.0.0.1:{port}/mcp"
        yield {name: ServerEntry("server", url=url, transport="http") for name, url in urls.items()}
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _said(output: Path, pattern: str) -> str:
    """Waits until a server has printed something; what it was."""
    end = time.monotonic() + PATIENCE
    while not (found := re.search(pattern, text := output.read_text(encoding="utf-8", errors="replace"))):
        assert time.monotonic() < end, f"the {output.name} server did not start: {text}"
        time.sleep(0.02)
    return found[0]
