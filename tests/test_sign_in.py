"""Signing in to a remote server: a real authorization server, a real browser's ways, tokens in the keyring alone."""

import asyncio
import json
import logging
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from desktop_host.asks.person import Action, FormReply, LinkQuestion, LinkReply, Reply
from desktop_host.config.paths import APP
from desktop_host.config.servers_file import (
    OAuthEntry,
    ServerEntry,
    Unresolved,
    add_server,
    parse_servers,
    read_servers,
    resolve,
)
from desktop_host.host import Host
from desktop_host.servers.sign_in import Listener, sign_out
from desktop_host.terms.messages import Message
from desktop_host.terms.state import CallState, CallStatus, ServerStatus
from desktop_host.ui.messages import english
from tests.support.files import on_disk
from tests.support.node import run_conformance
from tests.support.person import Pondering, ScriptedPerson
from tests.support.wire import PATIENCE, SERVERS, Json, until

pytest_plugins = ("tests.support.fixtures",)

CLIENT = shlex.join([sys.executable, "-m", "desktop_host", "conformance"])
EVIL = "EVIL"
"""A word of what the server says of errors; see `tests/servers/protected.py`."""


class Memory(KeyringBackend):
    """A keyring that works."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.held.pop((service, username), None) is None:
            raise PasswordDeleteError


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    """The system's keyring, as on a desktop."""
    backend = Memory()
    for name in ("get_password", "set_password", "delete_password"):
        monkeypatch.setattr(keyring, name, getattr(backend, name))
    return backend


@dataclass
class Protected:
    """The running server, and the browser that comes to it."""

    url: str
    addresses: list[str] = field(default_factory=list[str])
    pages: list[httpx2.Response] = field(default_factory=list[httpx2.Response])
    _loading: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def origin(self) -> str:
        return self.url.removesuffix("/mcp")

    def entry(self, **oauth: Any) -> ServerEntry:
        return ServerEntry("remote", url=self.url, transport="http", oauth=OAuthEntry(**oauth))

    def seen(self) -> Json:
        return httpx2.get(f"{self.origin}/seen", trust_env=False).json()

    def become(self, **how: Any) -> None:
        httpx2.post(f"{self.origin}/become", json=how, trust_env=False)

    def forget(self, what: str = "") -> None:
        httpx2.post(f"{self.origin}/forget{what}", trust_env=False)

    def opens(self, question: LinkQuestion) -> LinkReply:
        """A person who opens the page in a browser that then comes back by itself."""
        self.addresses.append(question.address.url)
        task = asyncio.create_task(self._browse(question.address.url))
        self._loading.add(task)
        task.add_done_callback(self._loading.discard)
        return LinkReply(Action.ACCEPT)

    def looks_only(self, question: LinkQuestion) -> LinkReply:
        """A person whose browser does not come back."""
        self.addresses.append(question.address.url)
        return LinkReply(Action.ACCEPT)

    async def _browse(self, address: str) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            await asyncio.sleep(0.05)
            try:
                page = await browsed(address)
            except httpx2.TransportError:  # as a person loads a page again
                if time.monotonic() > end:
                    raise
            else:
                self.pages.append(page)
                return


async def browsed(address: str, follow: bool = True) -> httpx2.Response:
    async with httpx2.AsyncClient(follow_redirects=follow, trust_env=False) as client:
        return await client.get(address)


async def ended_at(address: str) -> str:
    """The address to which the page sends the browser back."""
    return (await browsed(address, follow=False)).headers["location"]


def begun(folder: Path, *flags: str) -> tuple[subprocess.Popen[bytes], str]:
    """The server as a process of its own, and its address."""
    place = folder / "protected.url"
    process = subprocess.Popen([sys.executable, str(SERVERS / "protected.py"), "--url-file", str(place), *flags])
    end = time.monotonic() + PATIENCE
    while not place.exists():
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.01)
    return process, place.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def streaming(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server that most tests share."""
    process, url = begun(tmp_path_factory.mktemp("protected"))
    yield url
    process.kill()
    process.wait()


@pytest.fixture
def serve(streaming: str, tmp_path: Path, http_processes: list[subprocess.Popen[bytes]]) -> Callable[..., Protected]:
    """Gives the server, which knows nothing of other tests; with flags one of its own."""

    def start(*flags: str, **how: Any) -> Protected:
        url = streaming
        if flags:
            process, url = begun(tmp_path, *flags)
            http_processes.append(process)
        httpx2.post(f"{url.removesuffix('/mcp')}/reset", json=how, trust_env=False)
        return Protected(url)

    return start


@asynccontextmanager
async def run(person: ScriptedPerson, entry: ServerEntry) -> AsyncIterator[Host]:
    """One run of the program."""
    host = Host(person, lambda event: None)
    host.add(entry, trusted=True)
    try:
        yield host
    finally:
        async with asyncio.timeout(PATIENCE):
            await host.close()


async def started(host: Host) -> Message | None:
    async with asyncio.timeout(PATIENCE):
        return await host.start("remote")


async def called(host: Host, tool: str = "slow", **arguments: Any) -> CallState:
    async with asyncio.timeout(PATIENCE):
        return await host.call("remote", tool, arguments or {"seconds": 0})


async def signed_in(server: Protected, entry: ServerEntry | None = None) -> None:
    """A run of the program in which the person signs in."""
    async with run(ScriptedPerson(link=server.opens), entry or server.entry()) as host:
        assert await started(host) is None
        assert (await called(host)).status is CallStatus.DONE


def vault(memory: Memory, server: Protected) -> Json:
    return json.loads(memory.held[APP, f"oauth {server.url}"])


def waits_for_the_browser(host: Host) -> bool:
    reason = host.connection("remote").state.reason
    return reason is not None and reason.key == "oauth.waiting"


@asynccontextmanager
async def waiting(server: Protected) -> AsyncIterator[tuple[Host, asyncio.Task[Message | None]]]:
    """A host that waits for a browser."""
    async with run(ScriptedPerson(link=server.looks_only), server.entry()) as host:
        start = asyncio.create_task(started(host))
        await until(lambda: waits_for_the_browser(host))
        yield host, start
        await asyncio.gather(start, return_exceptions=True)


# Asking


async def test_the_person_is_asked_with_the_whole_address_before_anything_opens(
    serve: Callable[..., Protected], memory: Memory, folders: Path
) -> None:
    server = serve()
    pondering = Pondering(Reply(Action.DECLINE))
    person = ScriptedPerson(link=pondering)
    async with run(person, server.entry()) as host:
        start = asyncio.create_task(started(host))
        await asyncio.wait_for(pondering.asked.wait(), PATIENCE)
        [question] = person.questions
        assert isinstance(question, LinkQuestion)
        address = urlsplit(question.address.url)
        assert f"{address.scheme}://{address.netloc}{address.path}" == f"{server.origin}/authorize"
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        assert asked["code_challenge_method"] == "S256"
        assert asked["resource"] == server.url
        assert asked["redirect_uri"].startswith("http://127.0.0.1:")
        assert min(len(asked["state"]), len(asked["code_challenge"])) >= 32
        assert (question.ask.signs_in, question.ask.origin.server) == (True, "remote")
        assert server.seen()["authorized"] == []
        pondering.decide()
        reason = await start
        assert reason is not None
        assert reason.key == "oauth.not_wanted"
        assert EVIL not in english(reason)
        assert host.connection("remote").state.status is ServerStatus.FAILED
    seen = server.seen()
    assert (seen["authorized"], seen["tokens"]) == ([], [])
    assert "tokens" not in json.loads(memory.held.get((APP, f"oauth {server.url}"), "{}"))
    [registered] = seen["registered"]
    assert registered["redirect_uris"] == [asked["redirect_uri"]]
    assert {"authorization_code", "refresh_token"} <= set(registered["grant_types"])
    assert registered["token_endpoint_auth_method"] == "none"
    assert registered.get("application_type", "native") == "native"


async def test_tokens_are_in_the_keyring_and_nowhere_else(
    serve: Callable[..., Protected], memory: Memory, folders: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server = serve()
    person = ScriptedPerson(link=server.opens)
    path = folders / "config" / "servers.json"
    path.parent.mkdir(parents=True)
    host = Host(person, lambda event: None, servers_file=path)
    try:
        await host.add_to_file(server.entry(scope="tools"))
        assert await started(host) is None
        assert host.connection("remote").state.status is ServerStatus.READY
        assert (await called(host)).status is CallStatus.DONE
        assert "no-referrer" in server.pages[0].headers["referrer-policy"]
        recorded = json.dumps(await host.log.entries())
        traffic = repr(vars(host.connection("remote").traffic))
    finally:
        await host.close()
    secrets = server.seen()["valid"]
    tokens = vault(memory, server)["tokens"]
    assert {tokens["access_token"], tokens["refresh_token"]} == set(secrets)
    assert "authorize" in recorded
    secrets.append(server.seen()["tokens"][0]["code_verifier"])
    for secret in secrets:
        assert on_disk(folders, secret) == []
        assert secret not in recorded + traffic + caplog.text
    assert [name for _, name in memory.held if "oauth" in name] == [f"oauth {server.url}"]


async def test_after_a_restart_a_token_that_ran_out_is_renewed_without_a_question(
    serve: Callable[..., Protected], memory: Memory
) -> None:
    server = serve(expires_in=2)
    await signed_in(server)
    before = vault(memory, server)["tokens"]
    await asyncio.sleep(max(0.0, vault(memory, server)["expires"] - time.time()) + 0.1)
    server.become(expires_in=3600)
    refused = server.seen()["refused"]
    person = ScriptedPerson()
    async with run(person, server.entry()) as host:
        assert await started(host) is None
        assert (await called(host)).status is CallStatus.DONE
    assert person.questions == []
    seen = server.seen()
    assert seen["refused"] == refused, "the token that ran out was sent"
    assert len(seen["registered"]) == 1
    after = vault(memory, server)["tokens"]
    assert before["refresh_token"] != after["refresh_token"]
    assert after["refresh_token"] in seen["valid"]
    async with run(person, server.entry()) as host:  # and the next run goes on with what it left
        assert await started(host) is None
    assert person.questions == []


async def test_a_token_that_the_server_forgot_is_renewed_without_a_question(
    serve: Callable[..., Protected], memory: Memory
) -> None:
    server = serve()
    person = ScriptedPerson(link=server.opens)
    async with run(person, server.entry()) as host:
        assert await started(host) is None
        server.forget()
        assert (await called(host)).status is CallStatus.DONE
    assert len(person.questions) == 1


async def test_a_refresh_token_that_does_not_hold_asks_again_and_the_call_goes_on(
    serve: Callable[..., Protected], memory: Memory
) -> None:
    """NET-47: the connection stays."""
    server = serve()
    person = ScriptedPerson(link=server.opens)
    async with run(person, server.entry()) as host:
        assert await started(host) is None
        server.forget("?all")
        assert (await called(host)).status is CallStatus.DONE
        assert host.connection("remote").state.status is ServerStatus.READY
    assert len(person.questions) == 2


@pytest.mark.parametrize("era", ["handshake", "modern"])
async def test_declining_in_a_call_fails_that_call_in_words_and_no_more(
    serve: Callable[..., Protected], memory: Memory, era: str
) -> None:
    server = serve()
    person = ScriptedPerson(link=[server.opens, Reply(Action.DECLINE), server.opens])
    entry = ServerEntry("remote", url=server.url, transport="http", era=era)
    async with run(person, entry) as host:
        assert await started(host) is None
        await asyncio.sleep(0.3)  # until nothing but the call asks
        server.forget("?all")
        failed = await called(host)
        assert failed.status is CallStatus.FAILED
        assert host.connection("remote").state.status is ServerStatus.READY
        assert (await called(host)).status is CallStatus.DONE
    assert failed.error is not None
    assert failed.error.key == "oauth.not_wanted"


# Calls


@pytest.mark.parametrize("renewed", ["good token", "token ran out"])
@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["streams", "json"])
async def test_slow_calls_run_side_by_side(
    serve: Callable[..., Protected], memory: Memory, flags: tuple[str, ...], renewed: str
) -> None:
    """Fault 4."""
    server = serve(*flags)
    async with run(ScriptedPerson(link=server.opens), server.entry()) as host:
        assert await started(host) is None
        assert host.connection("remote").state.era == "modern"
        if renewed == "token ran out":
            await asyncio.sleep(0.3)  # until nothing but the calls renews it
            server.forget()
        states = await asyncio.gather(*(called(host, seconds=0.5) for _ in range(3)))
    assert [state.status for state in states] == [CallStatus.DONE] * 3
    assert server.seen()["side_by_side"] == 3


@pytest.mark.parametrize("renewed", ["good token", "token ran out"])
async def test_a_form_in_a_call_can_be_answered(serve: Callable[..., Protected], memory: Memory, renewed: str) -> None:
    server = serve()
    person = ScriptedPerson(link=server.opens, form=FormReply(Action.ACCEPT, entries={"name": "Ann"}))
    async with run(person, ServerEntry("remote", url=server.url, transport="http", era="handshake")) as host:
        assert await started(host) is None
        if renewed == "token ran out":
            server.forget()
        state = await called(host, "greet", nothing=1)
    assert state.status is CallStatus.DONE, state.error
    assert state.result is not None
    assert state.result["content"][0]["text"] == "hello Ann"


# No keyring


async def test_without_a_keyring_it_is_kept_until_the_program_ends(
    serve: Callable[..., Protected], folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()
    await signed_in(server)
    person = ScriptedPerson(link=server.opens)
    async with run(person, server.entry()) as host:
        assert await started(host) is None
    assert person.questions == []
    for secret in server.seen()["valid"]:
        assert on_disk(folders, secret) == []
    monkeypatch.setattr("desktop_host.config.secrets._session", {})  # as in another process
    async with run(person, server.entry()) as host:
        assert await started(host) is None
    assert len(person.questions) == 1


async def test_a_keyring_that_is_only_read_keeps_it_until_the_program_ends(
    serve: Callable[..., Protected], memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_given: str) -> None:
        raise keyring.errors.PasswordSetError

    monkeypatch.setattr(keyring, "set_password", locked)
    server = serve()
    await signed_in(server)
    person = ScriptedPerson(link=server.opens)
    async with run(person, server.entry()) as host:
        assert await started(host) is None
    assert person.questions == []


# The way back


async def test_a_pasted_address_goes_on(serve: Callable[..., Protected], memory: Memory) -> None:
    server = serve()
    async with waiting(server) as (host, start):
        connection = host.connection("remote")
        for nonsense in ("", "nonsense", "https://example.org/", server.addresses[0], "http://127.0.0.1/callback"):
            assert connection.paste_address(nonsense) is False
        back = await ended_at(server.addresses[0])
        await asyncio.sleep(0.05)
        assert connection.paste_address(f"  {back}\n") is True
        assert await start is None
        assert connection.state.reason is None
        assert (await called(host)).status is CallStatus.DONE
        assert connection.paste_address(back) is False  # nobody waits any more


@pytest.mark.parametrize("nonsense", ["http://[", "http://[::1/callback?code=1", "//[/callback?code=1"])
async def test_a_pasted_address_that_is_none_at_all_is_refused(nonsense: str) -> None:
    assert Listener("127.0.0.1", 1).paste(nonsense) is False


async def test_the_listener_takes_one_answer_at_its_own_path_only() -> None:
    listener = Listener("localhost", 0)
    await listener.reserve()
    assert listener.address == f"http://localhost:{listener.port}/callback"
    wait = asyncio.create_task(listener.wait())
    await until(lambda: listener._came is not None)
    await asyncio.sleep(0.05)
    here = f"http://127.0.0.1:{listener.port}"
    for elsewhere in ("/", "/other?code=1&state=2", "/callback", "/callback?state=2"):
        assert (await browsed(here + elsewhere)).status_code == 404
    async with httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.post(f"{here}/callback?code=1&state=2")).status_code == 404
    for line in (b"GET //[/callback?code=1 HTTP/1.1\r\n\r\n", b"nonsense\r\n\r\n", b"\xff\xfe\r\n\r\n"):
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        writer.write(line)
        assert b"404" in await asyncio.wait_for(reader.read(), 2), line
        writer.close()
    assert not wait.done()
    page = await browsed(f"{here}/callback?code=1&state=2&iss=three")
    assert page.status_code == 200
    result = await asyncio.wait_for(wait, PATIENCE)
    assert (result.code, result.state, result.iss) == ("1", "2", "three")
    with pytest.raises(httpx2.TransportError):
        await browsed(here)  # it is closed


async def test_a_browser_that_is_back_at_once_is_heard(serve: Callable[..., Protected], memory: Memory) -> None:
    """Who is signed in already is sent back before the program that opens browsers has said that it did."""
    server = serve()
    problems: list[Exception] = []

    async def opens(question: LinkQuestion) -> LinkReply:
        try:
            server.pages.append(await browsed(question.address.url))
        except httpx2.TransportError as error:
            problems.append(error)
        return LinkReply(Action.ACCEPT)

    async with run(ScriptedPerson(link=opens), server.entry()) as host:
        start = asyncio.create_task(host.start("remote"))
        await until(lambda: problems or server.pages)
        assert problems == []
        assert await asyncio.wait_for(start, PATIENCE) is None


async def test_stopping_the_server_ends_the_wait(serve: Callable[..., Protected], memory: Memory) -> None:
    server = serve()
    async with waiting(server) as (host, start):
        redirect = parse_qs(urlsplit(server.addresses[0]).query)["redirect_uri"][0]
        await asyncio.wait_for(host.stop("remote"), PATIENCE)
        await start
        assert host.connection("remote").state.status is ServerStatus.OFF
        with pytest.raises(httpx2.TransportError):
            await browsed(f"{redirect}?code=1&state=2")


async def test_who_never_comes_back_is_told_so(
    serve: Callable[..., Protected], memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("sign_in", "connection"):
        monkeypatch.setattr(f"desktop_host.servers.{module}.LIMIT", 0.5)
    server = serve()
    async with waiting(server) as (_, start):
        reason = await start
    assert reason is not None
    assert reason.key == "oauth.too_slow"


async def test_the_person_may_think_longer_than_a_server_may(
    serve: Callable[..., Protected], memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_host.servers.connection.CONNECT_LIMIT", 2.0)
    server = serve()

    async def thinks(question: LinkQuestion) -> LinkReply:
        await asyncio.sleep(2.5)
        return server.opens(question)

    async with run(ScriptedPerson(link=thinks), server.entry()) as host:
        assert await started(host) is None


# What does not fit


@pytest.mark.parametrize(
    ("how", "key"),
    [
        ({"state": "EVIL"}, "oauth.flow"),
        ({"iss": "https://EVIL.example"}, "oauth.flow"),
        ({"iss": "https://EVIL.example", "error": "EVIL"}, "oauth.flow"),
        ({"error": "EVIL_denied"}, "oauth.flow"),
        ({"token_error": True}, "oauth.token"),
    ],
    ids=["state", "iss", "iss and error", "error", "token"],
)
async def test_an_answer_that_does_not_fit_ends_in_our_words(
    serve: Callable[..., Protected], memory: Memory, how: Json, key: str
) -> None:
    server = serve(**how)
    person = ScriptedPerson(link=server.opens)
    async with run(person, server.entry()) as host:
        reason = await started(host)
        state = host.connection("remote").state
    assert len(person.questions) == 1
    assert reason is not None
    assert reason.key == key
    assert state.status is ServerStatus.FAILED
    assert EVIL not in english(reason) + " ".join(state.log)
    assert all(EVIL not in page.text for page in server.pages)
    assert len(server.seen()["tokens"]) == (1 if key == "oauth.token" else 0)
    assert "tokens" not in vault(memory, server)


@pytest.mark.parametrize(
    ("how", "key"),
    [
        ({"methods": ["plain"]}, "oauth.no_pkce"),
        ({"methods": []}, "oauth.no_pkce"),
        ({"methods": None}, "oauth.no_pkce"),
        ({"resource": "https://EVIL.example/mcp"}, "oauth.flow"),
        ({"issuer": "https://EVIL.example"}, "oauth.flow"),
        ({"registers": False}, "oauth.registration"),
    ],
    ids=["plain", "no methods", "methods not told", "resource", "issuer", "registration"],
)
async def test_a_page_that_is_not_safe_is_never_put_to_the_person(
    serve: Callable[..., Protected], memory: Memory, how: Json, key: str
) -> None:
    """NET-34 for the methods: "absent => refuse to proceed"."""
    server = serve(**how)
    person = ScriptedPerson(link=server.opens)
    async with run(person, server.entry()) as host:
        reason = await started(host)
    assert person.questions == []
    assert reason is not None
    assert reason.key == key
    assert EVIL not in english(reason)


# Ports


async def test_a_busy_port_takes_another_and_registers_anew(serve: Callable[..., Protected], memory: Memory) -> None:
    server = serve()
    await signed_in(server)
    port = vault(memory, server)["port"]
    server.forget("?all")
    with socket.create_server(("127.0.0.1", port)):
        await signed_in(server)
    first, second = (one["redirect_uris"] for one in server.seen()["registered"])
    assert first == [f"http://127.0.0.1:{port}/callback"]
    assert second == [f"http://127.0.0.1:{vault(memory, server)['port']}/callback"] != first


async def test_the_port_of_the_registration_is_taken_again(serve: Callable[..., Protected], memory: Memory) -> None:
    server = serve()
    await signed_in(server)
    server.forget("?all")
    await signed_in(server)
    assert len(server.seen()["registered"]) == 1
    first, second = server.seen()["authorized"][0], server.seen()["authorized"][-1]
    assert (first["redirect_uri"], first["client_id"]) == (second["redirect_uri"], second["client_id"])


async def test_a_busy_port_costs_no_sign_in_where_the_token_can_be_renewed(
    serve: Callable[..., Protected], memory: Memory
) -> None:
    server = serve()
    await signed_in(server)
    server.forget()
    person = ScriptedPerson(link=server.opens)
    with socket.create_server(("127.0.0.1", vault(memory, server)["port"])):
        async with run(person, server.entry()) as host:
            assert await started(host) is None
    assert person.questions == []


# Signing out


async def test_signing_out_forgets(serve: Callable[..., Protected], memory: Memory) -> None:
    server = serve()
    await signed_in(server)
    await sign_out(server.url)
    assert memory.held == {}
    await sign_out(server.url)  # nothing is there, and nothing is wrong
    person = ScriptedPerson(link=Reply(Action.DECLINE))
    async with run(person, server.entry()) as host:
        assert (reason := await started(host)) is not None
        assert reason.key == "oauth.not_wanted"
    assert len(server.seen()["registered"]) == 2


async def test_signing_out_forgets_without_a_keyring_too(serve: Callable[..., Protected]) -> None:
    server = serve()
    await signed_in(server)
    await sign_out(server.url)
    person = ScriptedPerson(link=server.opens)
    async with run(person, server.entry()) as host:
        assert await started(host) is None
    assert len(person.questions) == 1


@pytest.mark.parametrize("text", ["{", "7", '{"tokens": 7, "client": [], "port": "x", "expires": "y", "issuer": 1}'])
async def test_what_is_broken_in_the_keyring_counts_as_nothing(
    serve: Callable[..., Protected], memory: Memory, text: str
) -> None:
    server = serve()
    memory.set_password(APP, f"oauth {server.url}", text)
    await signed_in(server)
    assert set(vault(memory, server)["tokens"].values()) >= set(server.seen()["valid"])


async def test_a_header_with_a_token_is_used_instead(serve: Callable[..., Protected], memory: Memory) -> None:
    server = serve()
    await signed_in(server)
    headers = {"authorization": f"Bearer {vault(memory, server)['tokens']['access_token']}"}
    memory.held.clear()
    person = ScriptedPerson()
    async with run(person, ServerEntry("remote", url=server.url, transport="http", headers=headers)) as host:
        assert await started(host) is None
    assert person.questions == []
    assert memory.held == {}


# servers.json

OWN = {
    "clientId": "id",
    "clientSecret": "${secret:client}",
    "clientMetadataUrl": "https://example.org/client.json",
    "scope": "a b",
    "callbackHost": "localhost",
    "callbackPort": 4711,
}


@pytest.mark.parametrize("keys", [(), *((key,) for key in OWN), tuple(OWN)], ids="-".join)
def test_an_entry_comes_back_as_it_was(tmp_path: Path, keys: tuple[str, ...]) -> None:
    own = {key: OWN[key] for key in keys}
    text = json.dumps({"mcpServers": {"one": {"url": "https://h.example/mcp", "desktopHost": {"oauth": own}}}})
    entry = parse_servers(text, "servers.json").entries["one"]
    assert entry.as_json().get("desktopHost", {}).get("oauth", {}) == own
    assert (entry.oauth == OAuthEntry()) == (not own)
    path = tmp_path / "servers.json"
    add_server(path, entry)
    assert read_servers(path).entries == {"one": entry}
    plain = parse_servers(json.dumps({"mcpServers": {"one": {"url": "https://h.example/mcp"}}}), "servers.json")
    assert plain.entries["one"].fingerprint == entry.fingerprint


def test_the_secret_of_a_client_is_filled_in_from_the_keyring() -> None:
    entry = ServerEntry("one", url="https://h.example", oauth=OAuthEntry("id", "${secret:client}"))
    assert resolve(entry, {"client": "hidden"}.get, None).oauth == OAuthEntry("id", "hidden")
    with pytest.raises(Unresolved):
        resolve(entry, lambda name: None, None)


@pytest.mark.parametrize(
    ("oauth", "key", "at"),
    [
        ("[]", "", "[]"),
        ("null", "", "null"),
        ('"x"', "", '"x"'),
        ('{"clientId": 5}', ".clientId", "5"),
        ('{"clientSecret": null}', ".clientSecret", "null"),
        ('{"scope": ["a"]}', ".scope", '["a"]'),
        ('{"clientID": "x"}', ".clientID", '"x"'),
        ('{"": "x"}', ".", '"x"'),
        ('{"scope": "a", "callbackHost": "0.0.0.0"}', ".callbackHost", '"0.0.0.0"'),
        ('{"callbackHost": ""}', ".callbackHost", '""'),
        ('{"callbackPort": "80"}', ".callbackPort", '"80"'),
        ('{"callbackPort": true}', ".callbackPort", "true"),
        ('{"callbackPort": 80.0}', ".callbackPort", "80.0"),
        ('{"callbackPort": -1}', ".callbackPort", "-1"),
        ('{"callbackPort": 65536}', ".callbackPort", "65536"),
        ('{"clientMetadataUrl": "http://example.org/client.json"}', ".clientMetadataUrl", '"http:'),
        ('{"clientMetadataUrl": "https://example.org"}', ".clientMetadataUrl", '"https:'),
    ],
)
def test_a_bad_value_is_named_by_its_place_and_costs_no_other(oauth: str, key: str, at: str) -> None:
    text = (
        '{"mcpServers": {\n  "good": {"command": "x"},\n'
        '  "bad": {"url": "https://h.example",\n    "desktopHost": {"oauth": ' + oauth + "}}\n}}"
    )
    found = parse_servers(text, "servers.json")
    assert list(found.entries) == ["good"]
    (problem,) = found.problems
    assert (problem.key, problem.mapping["key"]) == ("servers.bad_entry", f"bad.desktopHost.oauth{key}")
    line, column = int(problem.mapping["line"]), int(problem.mapping["column"])
    assert text.split("\n")[line - 1][column - 1 :].startswith(at)


# The official suite


@pytest.mark.parametrize(
    "scenario",
    [
        "metadata-default",
        "basic-cimd",
        "scope-step-up",
        "pre-registration",
        "iss-supported-missing",
        "authorization-server-migration",
        "2025-03-26-oauth-endpoint-fallback",
        "resource-mismatch",
    ],
)
async def test_a_scenario_of_the_suite_passes_whole(folders: Path, scenario: str) -> None:
    result = await asyncio.to_thread(run_conformance, f"auth/{scenario}", CLIENT, folders / "suite")
    failed = [check for check in result.checks if check["status"] in ("FAILURE", "WARNING")]
    assert failed == [], result.output
    assert result.ok, result.output
