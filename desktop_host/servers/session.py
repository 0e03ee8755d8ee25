"""The SDK's session, seen from a host: honest capabilities, and messages as they are on the wire."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any, cast

import mcp_types as types
from mcp.client._probe import negotiate_auto  # pyright: ignore[reportPrivateUsage]  # no public face for mode="auto"
from mcp.client.session import ClientRequestContext, ClientSession, MessageHandlerFnT
from mcp.shared.dispatcher import CallOptions, DispatchContext, Dispatcher, ProgressFnT
from mcp.shared.exceptions import MCPError
from mcp.shared.transport_context import TransportContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from desktop_host import __version__
from desktop_host.terms.asks import JsonObject, WireError

logger = logging.getLogger(__name__)
for _name in ("mcp", "client"):
    # What the SDK logs quotes what servers send, secrets and all; what went wrong is in the errors that it raises.
    logging.getLogger(_name).setLevel(logging.CRITICAL)

CURRENT_CALL: ContextVar[str] = ContextVar("CURRENT_CALL", default="")
"""The id of our call in whose task we are; rides the SDK's context streams over HTTP (platform.md A.1)."""

AskHandler = Callable[[str, JsonObject, str], Awaitable[JsonObject | WireError]]
"""Handles a server's request: method, raw params, the request's id as text."""

_MAX_PAGES = 100
_ASKS = ("elicitation/create", "sampling/createMessage", "roots/list")
CLIENT_INFO = types.Implementation(name="desktop-host", title="Desktop Host", version=__version__)


class HostSession(ClientSession):
    """A session that hands server requests to `asked` and gives results back untouched.

    The SDK validates results against the negotiated revision and raises the whole result away where a server errs in
    detail (platform.md C.1); what comes back here is what the server sent.
    """

    def __init__(
        self,
        dispatcher: Dispatcher[Any],
        asked: AskHandler,
        noticed: MessageHandlerFnT,
    ) -> None:
        super().__init__(
            dispatcher=dispatcher, message_handler=noticed, client_info=CLIENT_INFO,
            elicitation_callback=_unused, sampling_callback=_unused, list_roots_callback=_unused,
        )  # fmt: skip
        self._asked = asked

    @property
    def modern(self) -> bool:
        """The session negotiated a revision of the modern era."""
        return self.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def era(self) -> str:
        """The protocol era, in its word."""
        return "modern" if self.modern else "handshake"

    async def negotiate(self, era: str) -> None:
        """Open the session: `auto` tries modern first (BASE-28 to BASE-34), `handshake` and `modern` do not ask."""
        if era == "handshake":
            await self.initialize()
        elif era == "modern":
            await self.discover()
        else:
            await negotiate_auto(self)

    async def request(
        self, method: str, params: JsonObject, on_progress: ProgressFnT | None = None, request_id: str = ""
    ) -> JsonObject:
        """Send a request with the era's metadata and headers; the raw result, `resultType` filled in (BASE-05).

        `request_id`: an id of the caller's, where the next number could be one that the server knows from a connection
        before this one. Raises MCPError.
        """
        data: dict[str, Any] = {"method": method, "params": dict(params)}
        options: CallOptions = {}
        self._stamp(data, options)
        if on_progress is not None:
            options["on_progress"] = on_progress
        if request_id:
            options["request_id"] = request_id
        result = await self._dispatcher.send_raw_request(method, data["params"], options)
        return {"resultType": "complete", **result} if self.modern else result

    async def listed(self, method: str, key: str) -> list[JsonObject]:
        """The entries of a listing, of all its pages, as they came; what is no object is {}. Raises MCPError."""
        found: list[JsonObject] = []
        cursor: Any = None
        known: list[Any] = []
        for _ in range(_MAX_PAGES):
            try:
                page = await self.request(method, {} if cursor is None else {"cursor": cursor})
            except MCPError:
                if not known:
                    raise
                break  # what the pages before it held is still true
            entries: Any = page.get(key)
            for one in cast("list[Any]", entries) if isinstance(entries, list) else []:
                found.append(cast("JsonObject", one) if isinstance(one, dict) else {})
            cursor = page.get("nextCursor")
            if cursor is None or cursor in known:  # an empty cursor is a valid one, once (FEAT-46)
                break
            known.append(cursor)
        return found

    async def tools(self) -> tuple[list[types.Tool], list[str]]:
        """Every listed tool, and the names of those that had to be left out: malformed ones, and on a modern
        connection those with invalid `x-mcp-header` (NET-12). One bad tool never hides the others. Raises MCPError."""
        tools: list[types.Tool] = []
        left_out: list[str] = []
        for raw in await self.listed("tools/list", "tools"):
            try:
                tools.append(types.Tool.model_validate(raw, by_name=False))
            except ValidationError:
                left_out.append(str(raw.get("name", "?")))
        names = {tool.name for tool in tools}
        kept = self._absorb_tool_listing(types.ListToolsResult(tools=tools, ttl_ms=0), complete=True).tools
        return kept, left_out + sorted(names - {tool.name for tool in kept})

    def _build_capabilities(self, version: str) -> types.ClientCapabilities:
        capabilities = super()._build_capabilities(version)
        capabilities.sampling = types.SamplingCapability(tools=types.SamplingToolsCapability())
        if version in MODERN_PROTOCOL_VERSIONS:
            # listChanged has no meaning without notifications (ROOT-03).
            capabilities.roots = types.RootsCapability()
        return capabilities

    async def _on_request(
        self, dctx: DispatchContext[TransportContext], method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        if self.modern:
            # A protocol violation, to be noted and not served; a modern client never sends responses (BASE-04).
            logger.warning("a modern server sent the request %s; it was not answered", method)
            dctx.cancel_requested.set()
            return {}
        if method == "ping":
            return {}
        if method not in _ASKS:
            raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found")
        answer = await self._asked(method, dict(params or {}), str(dctx.request_id))
        if isinstance(answer, WireError):
            raise MCPError(code=answer.code, message=answer.message)
        return answer


async def _unused(context: ClientRequestContext, params: Any = None) -> Any:
    """Declares a capability; requests reach `HostSession.asked` before the SDK would call this."""
    raise AssertionError("server requests are handled before the SDK's callbacks")
