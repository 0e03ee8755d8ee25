"""Proxies: whom the environment names, whom the system names as Qt tells it, and that requests go there."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from desktop_host.config.proxies import PROXIES, Proxies
from desktop_host.config.servers_file import ServerEntry
from desktop_host.host import Host
from desktop_host.sampling.models.http import http_client
from desktop_host.sampling.models.provider import ModelFailed
from desktop_host.ui.proxies import system_proxy
from tests.support.person import ScriptedPerson

VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    yield monkeypatch
    PROXIES.system = None


@pytest.mark.parametrize(
    ("variables", "url", "proxy"),
    [
        ({}, "https://api.example/v1", None),
        ({"https_proxy": "http://proxy.example:3128"}, "https://api.example/v1", "http://proxy.example:3128"),
        ({"HTTPS_PROXY": "http://proxy.example:3128"}, "https://api.example/v1", "http://proxy.example:3128"),
        ({"https_proxy": "proxy.example:3128"}, "https://api.example/v1", "http://proxy.example:3128"),
        ({"https_proxy": "http://proxy.example:3128"}, "http://api.example/v1", None),
        ({"all_proxy": "socks5://proxy.example:1080"}, "http://api.example/v1", "socks5://proxy.example:1080"),
        ({"https_proxy": "http://me:pw@proxy.example"}, "https://api.example/v1", "http://me:pw@proxy.example"),
        ({"all_proxy": "http://p.example", "no_proxy": "api.example"}, "https://api.example/v1", None),
        ({"all_proxy": "http://p.example", "no_proxy": ".example"}, "https://api.example:8443/v1", None),
        ({"all_proxy": "http://p.example", "no_proxy": "*"}, "https://api.example/v1", None),
        ({"all_proxy": "http://p.example"}, "https://[broken", None),
    ],
)
def test_the_environment_names_a_proxy(
    no_proxies: pytest.MonkeyPatch, variables: dict[str, str], url: str, proxy: str | None
) -> None:
    for name, value in variables.items():
        no_proxies.setenv(name, value)
    assert Proxies().of(url) == proxy


def test_the_system_is_asked_for_each_address_unless_the_environment_names_a_proxy(
    no_proxies: pytest.MonkeyPatch,
) -> None:
    proxies = Proxies()
    proxies.system = lambda url: "http://pac.example:8080" if "api" in url else None
    no_proxies.setenv("no_proxy", "other.example")
    assert proxies.of("https://api.example/") == "http://pac.example:8080"
    assert proxies.of("https://files.example/") is None
    no_proxies.setenv("https_proxy", "http://proxy.example")
    assert proxies.of("https://api.example/") == "http://proxy.example"


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("http://proxy.example:3128", "http://proxy.example:3128"),
        ("http://me:p%40ss@proxy.example:3128", "http://me:p%40ss@proxy.example:3128"),
        ("socks5://proxy.example:1080", "socks5h://proxy.example:1080"),
    ],
)
def test_what_qt_says_of_the_system_becomes_an_address(no_proxies: pytest.MonkeyPatch, named: str, found: str) -> None:
    """On Linux, Qt takes the variable for the system's setting."""
    no_proxies.setenv("http_proxy", named)
    assert system_proxy("http://api.example/v1") == found


@contextmanager
def proxy() -> Iterator[tuple[str, list[bytes]]]:
    """Something in a proxy's place: its address, and how each connection began. It lets nobody through."""
    firsts: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                firsts.append(connection.recv(200))
                connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", firsts
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(5)


async def test_requests_to_models_and_servers_go_through_the_systems_proxy(new_host: Callable[..., Host]) -> None:
    with proxy() as (place, firsts):
        PROXIES.system = lambda _url: f"http://{place}"
        async with await http_client("http://api.example/v1", "") as client:
            assert (await client.get("http://api.example/v1/models")).status_code == 502
        assert firsts[0].startswith(b"GET http://api.example/v1/models")
        host = new_host(ScriptedPerson())
        host.add(ServerEntry("far", url="https://mcp.example/mcp", transport="http", era="handshake"), trusted=True)
        assert await host.start("far") is not None
        assert firsts[1].startswith(b"CONNECT mcp.example:443")
        async with await http_client("http://localhost:1/v1", "") as client:
            assert not client._mounts, "what goes to this computer meets no proxy"


async def test_a_socks_proxy_is_spoken_to_as_one() -> None:
    with proxy() as (place, firsts):
        PROXIES.system = lambda _url: f"socks5h://{place}"
        async with await http_client("http://api.example/v1", "") as client:
            with pytest.raises(Exception):  # noqa: B017  # it is no SOCKS proxy; which error is httpx2's affair
                await client.get("http://api.example/v1/models")
        assert firsts[0].startswith(b"\x05")


@pytest.mark.parametrize("address", ["gopher://me:secret@proxy.example", "http://me:secret@proxy.example:port"])
async def test_a_proxy_that_cannot_be_used_is_told_without_its_password(address: str) -> None:
    PROXIES.system = lambda _url: address
    with pytest.raises(ModelFailed) as failed:
        await http_client("https://api.example/v1", "")
    assert failed.value.message.key == "model.bad_proxy"
    assert "secret" not in repr(failed.value.message)
