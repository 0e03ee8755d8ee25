"""HTTP that survives: one failed request is that request's error, never the end of the connection.

The SDK's client dies as a whole when one POST cannot be sent or its answer breaks off (platform.md A.4, fault 1), and
its default read time-out ends every call that takes five minutes (fault 2).
"""

import json
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2

from desktop_host.servers.sign_in import sign_in_error

NETWORK = -31002
"""Our own code, outside the reserved range, for a request that failed on the way (BASE-09)."""
SIGN_IN = -31003
"""Another, for a request that needed a sign-in which failed; its data are a sentence."""
MAX_BODY = 64 * 1024 * 1024
_CONNECT = 30.0
_NOT_THE_SERVER = (429, 502, 503, 504)
"""What a gateway says in the place of a server, which then has not seen the request."""


def http_client(
    headers: Mapping[str, str],
    local: bool,
    proxy: str | None,
    auth: httpx2.Auth | None = None,
    trust: ssl.SSLContext | None = None,
) -> httpx2.AsyncClient:
    """A client for one server. `local`: on this computer, where no proxy may stand between."""
    transport = ResilientTransport(httpx2.AsyncHTTPTransport(verify=trust or True, trust_env=not local, proxy=proxy))
    return _Client(
        transport=transport,
        headers=dict(headers),
        auth=auth,
        timeout=httpx2.Timeout(_CONNECT, read=None),
        trust_env=not local,
    )


class _Client(httpx2.AsyncClient):
    """A sign-in that fails is the failure of the request that needed it, and not the end of the connection."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send; see the class."""
        try:
            return await super().send(request, **options)
        except Exception as error:
            why = sign_in_error(error)
            if why is None or not getattr(self.auth, "running", False):
                raise  # while a server is started it ends the start
            data = {"key": why.key, "values": why.mapping}
            failed = _failure(request, "sign-in", SIGN_IN, data)
            return failed or httpx2.Response(405, request=request)


class ResilientTransport(httpx2.AsyncBaseTransport):
    """Turns a network failure of a JSON-RPC POST into a JSON-RPC error for its id."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send; see the class."""
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.TransportError as error:
            failed = _failure(request, type(error).__name__)
            if failed is None:
                raise
            return failed
        if response.status_code in _NOT_THE_SERVER and "json" not in response.headers.get("content-type", ""):
            failed = _failure(request, f"HTTP {response.status_code}")
            if failed is not None:
                await response.aclose()
                return failed
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Body(response.stream)
        return response

    async def aclose(self) -> None:
        """Close the inner transport."""
        await self._inner.aclose()


class _Body(httpx2.AsyncByteStream):
    """A body whose breaking off, or growing past MAX_BODY, ends it quietly: the request then has no answer."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        try:
            async for chunk in self._inner:
                size += len(chunk)
                if size > MAX_BODY:
                    return
                yield chunk
        except httpx2.TransportError:
            return

    async def aclose(self) -> None:
        await self._inner.aclose()


def _failure(
    request: httpx2.Request, what: str, code: int = NETWORK, data: dict[str, Any] | None = None
) -> httpx2.Response | None:
    if request.method != "POST" or "json" not in request.headers.get("content-type", ""):
        return None
    body: Any = json.loads(request.content or b"{}")
    if "id" not in body:
        return httpx2.Response(202, request=request)
    wire = {"code": code, "message": what, **({} if data is None else {"data": data})}
    return httpx2.Response(503, json={"jsonrpc": "2.0", "id": body["id"], "error": wire}, request=request)
