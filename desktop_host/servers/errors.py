"""What went wrong with a server, in sentences that say what to do."""

from typing import Any, cast

import httpx2
import mcp_types as types
from mcp.shared.exceptions import MCPError

from desktop_host.config.files import FileProblem
from desktop_host.servers.http import NETWORK, SIGN_IN
from desktop_host.servers.sign_in import sign_in_error
from desktop_host.servers.stdio import TOO_LONG, ChildProcess
from desktop_host.terms.messages import Message, say

_MAX_TEXT = 500
_LOST = ("Connection closed", "SSE stream ")
_NO_ANSWER = (
    (types.PARSE_ERROR, "Failed to parse JSON response", "answer.not_json"),
    (types.PARSE_ERROR, "Failed to parse SSE message", "answer.not_json"),
    (types.INVALID_REQUEST, "Unexpected content type: ", "answer.other_type"),
    (types.INVALID_REQUEST, "server answered a request with 202 Accepted", "answer.none"),
    (types.INVALID_REQUEST, "Redirect to ", "answer.redirect"),
    (types.INTERNAL_ERROR, "Server returned an error response", "answer.http_error"),
)
"""Errors that the SDK makes up where a server's answer is none, by code and first words: no server has said them."""
_NOT_FOUND = ("Not Found", "Session terminated")
"""What the SDK makes of HTTP's 404."""
_SAYS_WHAT = ("answer.other_type", "answer.redirect")


def call_error(error: BaseException, *, listed: bool) -> Message | None:
    """Why a call has no result, None where the error is no server's. `listed`: the server lists the tool."""
    cause = root_cause(error)
    if not isinstance(cause, MCPError):
        return None
    data: Any = cause.error.data
    if cause.code == TOO_LONG and isinstance(data, dict):
        facts = cast("dict[str, Any]", data)
        return say("call.too_long", size=round(facts["bytes"] / 1_000_000), path=facts["path"])
    if (sentence := _sign_in(cause)) is not None:
        return sentence
    if lost(cause):
        return say("call.connection_lost")
    if cause.code == NETWORK:
        return say("call.network", what=cause.message)
    if not listed:
        return say("call.no_tool")
    if (sentence := _no_answer(cause)) is not None:
        return sentence
    return say("call.server_error", code=cause.code, text=cause.message[:_MAX_TEXT])


def lost(error: MCPError) -> bool:
    """The connection ended, says the SDK. Servers use its code -32000 for anything (BASE-08), so its words count."""
    return error.code == types.CONNECTION_CLOSED and error.message.startswith(_LOST)


def unreached(error: BaseException) -> bool:
    """The request did not get to its server, or its answer not to us."""
    cause = root_cause(error)
    return isinstance(cause, MCPError) and (lost(cause) or cause.code == NETWORK)


def connect_error(error: BaseException, command: str, child: ChildProcess) -> Message:
    """Why a server could not be started or reached."""
    cause = root_cause(error)
    if isinstance(cause, FileProblem):
        return cause.message
    if (sentence := sign_in_error(cause)) is not None:
        return sentence
    if isinstance(cause, FileNotFoundError):
        return say("connect.no_command", command=command)
    if isinstance(cause, PermissionError):
        return say("connect.not_allowed", command=command)
    if isinstance(cause, TimeoutError):
        return say("connect.too_slow")
    if isinstance(cause, MCPError) and lost(cause) and child.pid is not None:
        return exited(child)
    if (isinstance(cause, MCPError) and cause.code == NETWORK) or isinstance(cause, httpx2.TransportError):
        what = cause.message if isinstance(cause, MCPError) else type(cause).__name__
        return say("connect.unreachable", what=what)
    if isinstance(cause, MCPError):
        if (sentence := _sign_in(cause) or _no_answer(cause)) is not None:
            return sentence
        return say("connect.refused", code=cause.code, text=cause.message[:_MAX_TEXT])
    return say("connect.failed", what=type(cause).__name__)


def old_kind(error: BaseException) -> bool:
    """An address answered as one does that speaks no Streamable HTTP: 400, 404 or 405 (NET-20)."""
    cause = root_cause(error)
    if not isinstance(cause, MCPError) or cause.code in (NETWORK, SIGN_IN) or lost(cause):
        return False
    found = _no_answer(cause)
    return cause.message in _NOT_FOUND or (found is not None and found.key == "answer.http_error")


def _sign_in(error: MCPError) -> Message | None:
    """Why a sign-in failed that a request needed."""
    data: Any = error.error.data
    if error.code != SIGN_IN or not isinstance(data, dict):
        return None
    body = cast("dict[str, Any]", data)
    return Message(body["key"], tuple(sorted(body["values"].items())))


def _no_answer(error: MCPError) -> Message | None:
    """What the server's answer was, where it was no JSON-RPC."""
    for code, words, key in _NO_ANSWER:
        if error.code == code and error.message.startswith(words):
            if key not in _SAYS_WHAT:
                return say(key)  # the rest quotes what came, secrets and all
            return say(key, what=error.message.removeprefix(words).partition(" not followed")[0][:_MAX_TEXT])
    return None


def exited(child: ChildProcess) -> Message:
    """How a server's process ended, with the last thing it wrote."""
    last = next((line.strip() for line in reversed(child.log) if line.strip()), "")
    code = child.exit_code if child.exit_code is not None else 0
    return say("server.exited_saying", code=code, last=last) if last else say("server.exited", code=code)


def root_cause(error: BaseException) -> BaseException:
    """The first real exception inside nested groups."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error
