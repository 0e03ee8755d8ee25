"""Signing in to remote servers: the official suite's scenarios, the listener, and what is kept where."""

import asyncio
import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import keyring
import pytest
from keyring.backend import KeyringBackend
from mcp.shared.auth import AuthorizationCodeResult, OAuthToken

from desktop_host.config.servers_file import OAuthEntry, ServerEntry, parse_servers
from desktop_host.servers.sign_in import Listener, SignIn, SignInFailed, Vault, sign_out
from desktop_host.terms.messages import say
from tests.support.node import run_conformance

pytest_plugins = ("tests.support.fixtures",)

CLIENT = shlex.join([sys.executable, "-m", "desktop_host", "conformance"])
URL = "https://mcp.example.org/mcp"


@pytest.mark.parametrize(
    "scenario",
    [
        "auth/metadata-default",
        "auth/basic-cimd",
        "auth/pre-registration",
        "auth/scope-step-up",
        "auth/token-endpoint-auth-basic",
        "auth/2025-03-26-oauth-endpoint-fallback",
        "auth/authorization-server-migration",
        "auth/iss-wrong-issuer",
        "auth/resource-mismatch",
        "http-custom-headers",
        "json-schema-2020-12-preservation",
    ],
)
async def test_a_scenario_passes_whole(folders: Path, scenario: str) -> None:
    result = await asyncio.to_thread(run_conformance, scenario, CLIENT, folders / "suite")
    failed = [check for check in result.checks if check["status"] in ("FAILURE", "WARNING")]
    assert failed == [], result.output
    assert result.ok, result.output


class InMemory(KeyringBackend):
    """A keyring as the system has one, for as long as a test runs."""

    priority = 1  # pyright: ignore[reportAssignmentType]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def ring(folders: Path) -> Iterator[InMemory]:
    before = keyring.get_keyring()
    made = InMemory()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


@pytest.fixture
def listener() -> Listener:
    return Listener("127.0.0.1", 0)


async def waiting(listener: Listener) -> "asyncio.Task[AuthorizationCodeResult]":
    await listener.reserve()
    task = asyncio.ensure_future(listener.wait())
    await asyncio.sleep(0.05)
    return task


async def test_the_browsers_answer_is_heard_once_and_then_nobody_listens(listener: Listener) -> None:
    task = await waiting(listener)
    async with httpx2.AsyncClient(trust_env=False) as client:
        for wrong in ("/", "/callback", "/other?code=x", "/callback?state=s"):
            assert (await client.get(f"http://127.0.0.1:{listener.port}{wrong}")).status_code == 404
        came = await client.get(f"{listener.address}?code=c%2B1&state=s&iss=https%3A%2F%2Fissuer")
        assert came.status_code == 200
        assert "default-src 'none'" in came.headers["content-security-policy"]
        result = await task
        assert (result.code, result.state, result.iss) == ("c+1", "s", "https://issuer")
        with pytest.raises(httpx2.TransportError):
            await client.get(f"{listener.address}?code=again")


async def test_an_address_can_be_pasted_where_the_browser_cannot_come_back(listener: Listener) -> None:
    task = await waiting(listener)
    for nonsense in ("", "hello", "https://h.example/callback", f"{listener.address}?state=s", "http://[::1"):
        assert not listener.paste(nonsense)
    assert listener.paste(f" {listener.address}?code=c&state=s ")
    assert (await task).code == "c"
    assert not listener.paste(f"{listener.address}?code=c&state=s"), "it is taken once"


async def test_a_port_that_is_taken_is_said(listener: Listener) -> None:
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    listener.port = server.sockets[0].getsockname()[1]
    with pytest.raises(SignInFailed) as failed:
        await listener.wait()
    assert failed.value.message.key == "oauth.port"
    await listener.reserve()
    assert listener.port != server.sockets[0].getsockname()[1]
    server.close()


def written_in(folders: Path) -> list[Path]:
    return [path for path in folders.rglob("*") if path.is_file() and b"hidden" in path.read_bytes()]


async def test_tokens_are_in_the_keyring_with_their_end_and_nowhere_else(ring: InMemory, folders: Path) -> None:
    vault = Vault(URL)
    await vault.load()
    await vault.set_tokens(OAuthToken(access_token="hidden-token", expires_in=60, refresh_token="hidden-refresh"))
    again = Vault(URL)
    await again.load()
    tokens = await again.get_tokens()
    assert tokens is not None
    assert tokens.access_token == "hidden-token"
    assert 50 < again.content["expires"] - time.time() <= 60
    assert await asyncio.to_thread(written_in, folders) == []
    await sign_out(URL)
    assert ring.kept == {}


async def test_without_a_keyring_a_sign_in_lasts_as_long_as_the_program(folders: Path) -> None:
    vault = Vault(URL)
    await vault.set_tokens(OAuthToken(access_token="hidden-token"))
    again = Vault(URL)
    await again.load()
    assert (await again.get_tokens()) == OAuthToken(access_token="hidden-token")
    await sign_out(URL)
    await again.load()
    assert again.content == {}


def provider(vault: Vault, asked: list[str]) -> SignIn:
    async def ask(url: str) -> None:
        asked.append(url)
        raise SignInFailed(say("oauth.not_wanted"))

    return SignIn(ServerEntry("s", url=URL, transport="http"), vault, Listener("127.0.0.1", 1), ask, lambda: None)


async def test_after_a_restart_a_token_that_ran_out_is_renewed_without_a_browser(ring: InMemory) -> None:
    vault = Vault(URL)
    await vault.load()
    issuer = {
        "issuer": "https://as.example.org",
        "authorization_endpoint": "https://as.example.org/authorize",
        "token_endpoint": "https://as.example.org/own-token",
        "response_types_supported": ["code"],
    }
    client = {"client_id": "me", "redirect_uris": ["http://127.0.0.1:1/callback"], "issuer": "https://as.example.org"}
    await vault.save(
        tokens={"access_token": "old", "refresh_token": "r1", "token_type": "Bearer"},
        expires=time.time() - 5,
        issuer=issuer,
        client=client,
    )
    asked: list[str] = []
    seen: list[tuple[str, str]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append((str(request.url), request.headers.get("authorization", "")))
        if "own-token" in str(request.url):
            body = {"access_token": "new", "token_type": "Bearer", "expires_in": 3600}
            return httpx2.Response(200, json=body)
        return httpx2.Response(200, json={})

    made = provider(vault, asked)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer), auth=made) as client_:
        for _ in range(2):
            assert (await client_.post(URL, json={})).status_code == 200
    assert asked == []
    assert seen == [("https://as.example.org/own-token", ""), (URL, "Bearer new"), (URL, "Bearer new")]
    tokens = await vault.get_tokens()
    assert tokens is not None
    assert (tokens.access_token, tokens.refresh_token) == ("new", "r1")


async def test_requests_go_side_by_side_over_a_signed_in_connection(ring: InMemory) -> None:
    vault = Vault(URL)
    await vault.load()
    await vault.set_tokens(OAuthToken(access_token="good", expires_in=3600))
    together = most = 0

    async def answer(request: httpx2.Request) -> httpx2.Response:
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.05)
        together -= 1
        return httpx2.Response(200, json={})

    made = provider(vault, [])
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer), auth=made) as client:
        await asyncio.gather(*(client.post(URL, json={}) for _ in range(3)))
    assert most == 3


# servers.json


def test_how_to_sign_in_is_kept_in_servers_json() -> None:
    entry = ServerEntry(
        "s",
        url=URL,
        transport="http",
        oauth=OAuthEntry("id", "${secret:s}", "https://me.example/c.json", "a b", "localhost", 8123),
    )
    text = '{"mcpServers": {"s": ' + json.dumps(entry.as_json()) + "}}"
    assert parse_servers(text, "a.json").entries["s"] == entry
    assert "oauth" not in str(ServerEntry("s", url=URL).as_json())


@pytest.mark.parametrize(
    ("own", "place"),
    [
        ("7", "s.desktopHost.oauth"),
        ('{"clientId": 7}', "s.desktopHost.oauth.clientId"),
        ('{"callbackHost": "evil.example"}', "s.desktopHost.oauth.callbackHost"),
        ('{"callbackPort": 70000}', "s.desktopHost.oauth.callbackPort"),
        ('{"callbackPort": true}', "s.desktopHost.oauth.callbackPort"),
        ('{"secret": "x"}', "s.desktopHost.oauth.secret"),
    ],
)
def test_a_wrong_way_to_sign_in_is_told_with_its_place(own: str, place: str) -> None:
    text = '{"mcpServers": {"s": {"url": "https://h.example/", "desktopHost": {"oauth": ' + own + "}}}}"
    found = parse_servers(text, "a.json")
    assert found.entries == {}
    assert [one.mapping["key"] for one in found.problems] == [place]
