"""HTTP to models: one way for all providers (models_policy.md 1.3)."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from desktop_host.config.files import FileProblem
from desktop_host.config.proxies import PROXIES
from desktop_host.config.trust import trust_store
from desktop_host.sampling.models.provider import ModelFailed
from desktop_host.terms.messages import Message, say

_CONNECT, _READ = 60.0, 600.0


async def http_client(base_url: str, ca_file: str) -> Any:
    """A client for one request: nothing in it outlives a change of proxy, network or certificates.

    What goes to a model on this computer meets no proxy. `ca_file`: certificates to trust beside the operating
    system's. Raises ModelFailed.
    """
    import asyncio

    import httpx2

    host, local = place(base_url)
    try:
        trust = await asyncio.to_thread(trust_store, ca_file)
    except OSError:
        raise ModelFailed(say("model.no_certificates", file=ca_file)) from None
    proxy = None if local else await asyncio.to_thread(PROXIES.of, base_url)
    timeout = httpx2.Timeout(_CONNECT, read=_READ)
    try:
        return httpx2.AsyncClient(proxy=proxy, trust_env=False, verify=trust, timeout=timeout)
    except (ValueError, httpx2.InvalidURL):
        raise ModelFailed(say("model.bad_proxy", host=host)) from None


class Attempt:
    """A request to a model: whatever goes wrong in it becomes a `ModelFailed`. `begun`: its answer has begun.

    `sdk` is the provider's package; an endpoint may send anything, and an SDK then raises anything.
    """

    def __init__(self, host: str, sdk: Any) -> None:
        self._host = host
        self._sdk = sdk
        self.begun = False

    def __enter__(self) -> "Attempt":
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, ModelFailed):
            raise ModelFailed(self._why(error)) from None

    def _why(self, error: Exception) -> Message:
        import httpx2

        refused: Any = error if isinstance(error, self._sdk.APIStatusError) else None
        if refused is not None and refused.status_code >= 400:  # an error in the midst of a stream has the stream's 200
            return status_message(refused.status_code, self._host, refused.response.headers)
        unreached = (self._sdk.APIConnectionError, httpx2.InvalidURL, httpx2.UnsupportedProtocol)
        if isinstance(error, unreached) and not self.begun:
            return say("model.unreachable", host=self._host)
        return say("model.broken_answer")


async def read_key(key: Callable[[], str | None], local: bool) -> str:
    """The key to send. A model on this computer rarely wants one, so a locked keyring is not in its way.

    Raises ModelFailed.
    """
    import asyncio

    try:
        return await asyncio.to_thread(key) or "none"
    except FileProblem as problem:
        if not local:
            raise ModelFailed(problem.message) from None
        return "none"


def place(base_url: str) -> tuple[str, bool]:
    """Host and port as shown, and whether they are this computer. Never raises: a bad address fails when it is used."""
    try:
        parts = urlsplit(base_url)
        return parts.netloc.rpartition("@")[2] or base_url, parts.hostname in ("localhost", "127.0.0.1", "::1")
    except ValueError:
        return base_url, False


def status_message(status: int, host: str, headers: Any) -> Message:
    """Why an endpoint refused, in words; when it is busy, how long it asks us to wait."""
    if status in (401, 403):
        return say("model.key_refused", host=host)
    if status in (429, 503, 529):
        wait = str(headers.get("retry-after") or "")
        return say("model.busy", host=host, seconds=wait) if wait.isdecimal() else say("model.busy_now", host=host)
    if status == 404:
        return say("model.not_there", host=host)
    return say("model.refused", host=host, status=status)
