"""HTTP+SSE, the kind before Streamable HTTP: spoken where it is said, and found out where it is not (NET-20)."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.state import ServerStatus
from tests.support.person import ScriptedPerson
from tests.support.wire import SERVERS, Wire

pytest_plugins = ("tests.support.fixtures",)


@pytest.fixture
def old_http() -> Iterator[str]:
    """The address of a server that speaks HTTP+SSE alone."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(SERVERS / "old_http.py"), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_the_kind_of_http_before_is_found_out(wire: Wire, old_http: str, transport: str) -> None:
    host = wire.new_host(ScriptedPerson())
    host.add(ServerEntry("old", url=f"{old_http}/sse", transport=transport), trusted=True)
    assert await host.start("old") is None
    call = await host.call("old", "echo", {"text": "still here"})
    assert call.result is not None
    assert call.result["content"][0]["text"] == "still here"


async def test_an_address_that_knows_neither_kind_says_what_it_said_first(wire: Wire, old_http: str) -> None:
    host = wire.new_host(ScriptedPerson())
    host.add(ServerEntry("none", url=f"{old_http}/nothing", transport="http"), trusted=True)
    reason = await host.start("none")
    assert reason is not None
    assert reason.key in ("connect.refused", "answer.http_error")
    assert host.connection("none").state.status is ServerStatus.FAILED
