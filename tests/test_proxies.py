"""Proxies: whom the environment names, whom the system names as Qt tells it, and that requests go there."""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from desktop_host.config.portal import portal_proxy
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
    before = PROXIES.system
    PROXIES.system = None
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    yield monkeypatch
    PROXIES.system = before


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


PORTAL = """
import sys
from jeepney import DBusAddress, MessageType, message_bus, new_error, new_method_return
from jeepney.io.blocking import open_dbus_connection
with open_dbus_connection() as connection:
    connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
    print("here", flush=True)
    while True:
        message = connection.receive()
        if message.header.message_type is not MessageType.method_call:
            continue
        host = message.body[0].split("/")[2]
        if host == "silent.example":
            continue
        if host == "error.example":
            connection.send(new_error(message, "org.freedesktop.portal.Error.Failed"))
            continue
        named = {"far.example": ["http://pac.example:3128", "direct://"], "none.example": []}.get(host, ["direct://"])
        connection.send(new_method_return(message, "as", (named,)))
"""
"""The portal's proxy resolver in the words of its interface: what it says depends on the address, as with PAC."""


@pytest.fixture
def bus(no_proxies: pytest.MonkeyPatch) -> Iterator[str]:
    """A message bus, as a desktop's session has one; its address."""
    if shutil.which("dbus-daemon") is None and "CI" not in os.environ:
        pytest.skip("there is no dbus-daemon on this machine; on Debian: apt install dbus")
    argv = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        assert daemon.stdout is not None
        no_proxies.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
        yield os.environ["DBUS_SESSION_BUS_ADDRESS"]
        daemon.terminate()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have no portal")
def test_the_desktops_portal_names_a_proxy_for_each_address(bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert portal_proxy("https://far.example/v1") is None, "nobody has the portal's name"
    with subprocess.Popen([sys.executable, "-c", PORTAL], stdout=subprocess.PIPE, text=True) as portal:
        assert portal.stdout is not None
        assert portal.stdout.readline() == "here\n"
        assert Proxies().of("https://far.example/v1") == "http://pac.example:3128"
        assert portal_proxy("https://near.example/v1") is None
        assert portal_proxy("https://none.example/v1") is None
        assert portal_proxy("https://error.example/v1") is None
        monkeypatch.setattr("desktop_host.config.portal._LIMIT", 0.2)
        assert portal_proxy("https://silent.example/v1") is None
        portal.kill()


def test_without_a_desktop_nobody_is_asked(no_proxies: pytest.MonkeyPatch) -> None:
    assert portal_proxy("https://far.example/v1") is None
    no_proxies.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    assert portal_proxy("https://far.example/v1") is None


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
