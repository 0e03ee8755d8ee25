"""Signing in to remote servers (NET-21 to NET-47): the SDK's flow, with what it leaves to a host.

Tokens live in the keyring. The browser is opened by the corridor's link question, never by itself. The answer comes to
a listener on this computer that is open only while it is waited for, or the person pastes the address that the browser
ended at.
"""

import asyncio
import contextlib
import json
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider, OAuthFlowError, TokenStorage
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthMetadata, OAuthToken
from pydantic import AnyUrl, ValidationError

from desktop_host.config.files import FileProblem
from desktop_host.config.secrets import get_secret, keep_secret
from desktop_host.config.servers_file import ServerEntry
from desktop_host.terms.asks import Answer, Ask, AskKind, Origin, Outcome
from desktop_host.terms.messages import Message, say

logger = logging.getLogger(__name__)

LIMIT = 600.0
"""Seconds that the person may take in the browser."""
_CALLBACK = "/callback"
_MOST_REQUEST = 16 * 1024
_PAGE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Security-Policy: default-src 'none'\r\nReferrer-Policy: no-referrer\r\n\r\n"
    b"<!doctype html><title>Desktop Host</title><p>You can close this page and go back to Desktop Host."
    b"<p>\xe5\x8f\xaf\xe4\xbb\xa5\xe5\x85\xb3\xe9\x97\xad\xe6\xad\xa4\xe9\xa1\xb5\xe3\x80\x82"
)
_NOT_HERE = b"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"


class SignInFailed(Exception):
    """The person did not sign in; `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


class Vault(TokenStorage):
    """What one server's sign-in left: tokens, the client that was registered, and where its issuer is.

    Without a keyring it is kept until the program ends.
    """

    def __init__(self, url: str) -> None:
        self._name = f"oauth {url}"
        self.content: dict[str, Any] = {}

    async def load(self) -> None:
        """Read it, once, before it is used."""
        try:
            text = await asyncio.to_thread(get_secret, self._name)
        except FileProblem:
            text = None
        try:
            content: Any = json.loads(text) if text else {}
        except ValueError:
            content = {}
        self.content = content if isinstance(content, dict) else {}

    async def save(self, **changes: Any) -> None:
        """Keep what changed; None removes."""
        self.content = {key: value for key, value in {**self.content, **changes}.items() if value is not None}
        text = json.dumps(self.content) if self.content else ""
        await asyncio.to_thread(keep_secret, self._name, text)

    async def get_tokens(self) -> OAuthToken | None:
        """See the SDK's `TokenStorage`; likewise below."""
        return _model(OAuthToken, self.content.get("tokens"))

    async def set_tokens(self, tokens: OAuthToken) -> None:
        expires = time.time() + tokens.expires_in if tokens.expires_in is not None else None
        await self.save(tokens=tokens.model_dump(mode="json", exclude_none=True), expires=expires)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return _model(OAuthClientInformationFull, self.content.get("client"))

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        await self.save(client=client_info.model_dump(mode="json", exclude_none=True))


async def sign_out(url: str) -> None:
    """Forget the tokens and the registration of a server."""
    vault = Vault(url)
    await vault.load()
    await vault.save(**dict.fromkeys(vault.content))


class Listener:
    """Hears the browser come back, once. `host` is "127.0.0.1" or "localhost", which servers tell apart (N06)."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port
        self._came: asyncio.Future[AuthorizationCodeResult] | None = None
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> str:
        """The redirect address; it is the registered one, to the letter."""
        return f"http://{self.host}:{self.port}{_CALLBACK}"

    async def reserve(self) -> None:
        """Find out whether the port is free; takes another one where it is not, or where none is wanted."""
        for port in (self.port, 0):
            with contextlib.suppress(OSError):
                server = await asyncio.start_server(_refuse, "127.0.0.1", port)
                self.port = server.sockets[0].getsockname()[1]
                server.close()
                await server.wait_closed()
                return

    async def open(self) -> None:
        """Begin to listen: a browser that is signed in already comes back at once. Raises SignInFailed."""
        self.close()
        self._came = asyncio.get_running_loop().create_future()
        try:
            self._server = await asyncio.start_server(self._heard, "127.0.0.1", self.port)
        except OSError:
            raise SignInFailed(say("oauth.port", port=self.port)) from None

    def close(self) -> None:
        """Listen no longer."""
        if self._server is not None:
            self._server.close()
        self._server = None

    async def wait(self) -> AuthorizationCodeResult:
        """The answer, once it is there; then nobody listens. Raises SignInFailed."""
        if self._server is None or self._came is None:
            await self.open()
        assert self._came is not None
        try:
            async with asyncio.timeout(LIMIT):
                return await self._came
        except TimeoutError:
            raise SignInFailed(say("oauth.too_slow")) from None
        finally:
            self.close()

    def paste(self, address: str) -> bool:
        """Take the address at which the browser ended; False where it is none."""
        try:
            parts = urlsplit(address.strip())
        except ValueError:  # half an address
            return False
        return parts.path == _CALLBACK and self._take(parts.query)

    def _take(self, query: str) -> bool:
        given = {name: values[0] for name, values in parse_qs(query).items()}
        if self._came is None or self._came.done() or not ("code" in given or "error" in given):
            return False
        result = AuthorizationCodeResult(code=given.get("code", ""), state=given.get("state"), iss=given.get("iss"))
        self._came.set_result(result)  # an error has no code: the flow ends with its own words, not the server's
        return True

    async def _heard(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.LimitOverrunError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(10):
                line = (await reader.readuntil(b"\r\n"))[:_MOST_REQUEST].decode("latin-1")
                method, _, rest = line.partition(" ")
                taken = method == "GET" and self.paste(rest.partition(" ")[0])
                writer.write(_PAGE if taken else _NOT_HERE)
                await writer.drain()
        writer.close()


class SignIn(OAuthClientProvider):
    """Authorizes the requests to one server.

    Unlike the SDK's it lets requests go side by side (platform.md A.4, fault 4) and renews a token that ran out before
    it opens a browser, after a restart too (fault 5). `moved`: the browser comes back to another port than before.
    `running`: the connection stands, so that a sign-in that fails is the failure of one request.
    """

    def __init__(
        self,
        entry: ServerEntry,
        vault: Vault,
        listener: Listener,
        ask: Callable[[str], Awaitable[None]],
        over: Callable[[], None],
        *,
        moved: bool = False,
    ) -> None:
        own = entry.oauth
        self._vault = vault
        self._entry = entry
        self._over = over
        self._moved = moved
        self.running = False
        metadata = OAuthClientMetadata(
            client_name="Desktop Host",
            redirect_uris=[AnyUrl(listener.address)],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            token_endpoint_auth_method="client_secret_basic" if own.client_secret else "none",
            scope=own.scope or None,
        )
        super().__init__(
            entry.url, metadata, vault, ask, listener.wait, client_metadata_url=own.client_metadata_url or None
        )

    async def _initialize(self) -> None:
        await super()._initialize()
        own = self._entry.oauth
        if own.client_id:
            self.context.client_info = OAuthClientInformationFull(
                client_id=own.client_id,
                client_secret=own.client_secret or None,
                redirect_uris=self.context.client_metadata.redirect_uris,
                token_endpoint_auth_method="client_secret_basic" if own.client_secret else "none",
            )
        elif self._moved and not self.context.can_refresh_token():
            self.context.client_info = None
        expires = self._vault.content.get("expires")
        self.context.token_expiry_time = expires if isinstance(expires, int | float) else None
        self.context.oauth_metadata = _model(OAuthMetadata, self._vault.content.get("issuer"))

    async def _handle_refresh_response(self, response: httpx2.Response) -> bool:
        renewed = await super()._handle_refresh_response(response)
        if not renewed and self._moved and not self._entry.oauth.client_id:
            self.context.client_info = None  # it was registered with another address (N07)
        return renewed

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        metadata = self.context.oauth_metadata
        methods = metadata.code_challenge_methods_supported if metadata is not None else None
        if metadata is not None and "S256" not in (methods or ()):  # NET-34
            raise SignInFailed(say("oauth.no_pkce"))
        if metadata is not None:
            await self._vault.save(issuer=metadata.model_dump(mode="json", exclude_none=True))
        try:
            return await super()._perform_authorization_code_grant()
        finally:
            self._over()

    async def _auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        self.context.protocol_version = request.headers.get("mcp-protocol-version")
        for _ in range(2):
            async with self.context.lock:
                if not self._initialized:
                    await self._initialize()
                if not self.context.is_token_valid() and self.context.can_refresh_token():
                    await self._handle_refresh_response((yield await self._refresh_token()))
            tokens = self.context.current_tokens
            if tokens is None or not self.context.is_token_valid():
                break
            self._add_auth_header(request)
            response = yield request
            if response.status_code not in (401, 403):
                return
            if response.status_code == 403:
                if "insufficient_scope" not in response.headers.get("www-authenticate", ""):
                    return
                break
            if self.context.current_tokens is tokens:
                self.context.token_expiry_time = 1.0  # it does not hold any more, whatever it said
        # Not by the SDK's flow at first: it lets no other request go before this one is answered, and a server may
        # send the head of a stream of events with its first event.
        unsigned: httpx2.Response | None = None
        if not self.context.is_token_valid():
            unsigned = yield request
            if unsigned.status_code not in (401, 403):
                return
        flow = super()._auth_flow(request)
        try:
            sent = await anext(flow)
            while True:
                if unsigned is not None and sent is request and "authorization" not in sent.headers:
                    response, unsigned = unsigned, None
                else:
                    response = yield sent
                sent = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()


async def signing_in(
    entry: ServerEntry,
    walk: Callable[[Ask], Awaitable[Answer]],
    origin: Callable[[], Origin],
    waits: Callable[[Listener | None, str], None],
) -> SignIn:
    """What authorizes the requests to this server. `waits` is told when the browser is waited for, and when no more,
    with the id of the question that the person was asked."""
    vault = Vault(entry.url)
    await vault.load()
    kept = vault.content.get("port")
    listener = Listener(entry.oauth.callback_host, entry.oauth.callback_port or (kept if isinstance(kept, int) else 0))
    if not entry.oauth.callback_port:
        await listener.reserve()
    moved = isinstance(kept, int) and kept != listener.port
    ask_id = uuid.uuid4().hex

    async def ask(url: str) -> None:
        await vault.save(port=listener.port)
        params = {"mode": "url", "url": url, "message": "", "elicitationId": ask_id}
        await listener.open()
        waits(listener, ask_id)
        answer = await walk(Ask(ask_id, AskKind.URL, origin(), params, signs_in=True))
        if answer.outcome is not Outcome.ACCEPT:
            listener.close()
            raise SignInFailed(answer.why or say("oauth.not_wanted"))

    return SignIn(entry, vault, listener, ask, lambda: waits(None, ask_id), moved=moved)


def sign_in_error(error: BaseException) -> Message | None:
    """Why a sign-in failed, in words; nothing of what the server said of it is shown (NET-37)."""
    if isinstance(error, SignInFailed):
        return error.message
    if not isinstance(error, OAuthFlowError):
        return None
    kinds = {"OAuthTokenError": "oauth.token", "OAuthRegistrationError": "oauth.registration"}
    return say(kinds.get(type(error).__name__, "oauth.flow"))


def _model(kind: Any, content: object) -> Any:
    try:
        return kind.model_validate(content) if content is not None else None
    except ValidationError:
        return None


async def _refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()
