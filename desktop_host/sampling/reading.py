"""A `sampling/createMessage` request, checked before anybody sees it or a model is called (SMP-28 to SMP-33)."""

import sys
from typing import Any, cast

from desktop_host.sampling.draft import MEDIA_KEYS, Draft, Turn, text_size
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message, say

MAX_MESSAGES = 128
MAX_TEXT = 1024 * 1024
MAX_MEDIA = 8 * 1024 * 1024
MAX_WHOLE = 20 * 1024 * 1024
"""Characters of text, bytes of one image or sound, and bytes of a whole request."""
MOST_TOKENS = 131_072
"""No model writes more in one go; what a server wants beyond it is cut down and said so."""
TOOL_CHOICES = ("auto", "required", "none")


class InvalidRequest(Exception):
    """The request breaks the protocol; a handshake server is told -32602 with `field`."""

    def __init__(self, field: str) -> None:
        super().__init__(f"Invalid {field}")
        self.field = field


def read_draft(params: JsonObject, allowed_tokens: int | None = None) -> Draft:
    """Read the parameters; `allowed_tokens` is what an administrator allows. Raises InvalidRequest naming the field."""
    notices: list[Message] = []
    limit = params.get("maxTokens")
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise InvalidRequest("maxTokens")
    most = min(MOST_TOKENS, allowed_tokens or MOST_TOKENS)
    if limit > most:
        by_rule = most == allowed_tokens
        notices.append(say("sampling.clamped_by_rule" if by_rule else "sampling.clamped", wanted=limit, most=most))
    if (params.get("includeContext") or "none") != "none":
        notices.append(say("sampling.no_context"))
    system, temperature = params.get("systemPrompt") or "", params.get("temperature")
    preferences, metadata = params.get("modelPreferences"), params.get("metadata")
    if not isinstance(system, str):
        raise InvalidRequest("systemPrompt")
    if temperature is not None and not _is_float(temperature):
        raise InvalidRequest("temperature")
    tools = _tools(params)
    return Draft(
        _messages(params.get("messages"), system),
        min(limit, most),
        system,
        float(cast("float", temperature)) if temperature is not None else None,
        _stops(params.get("stopSequences")),
        cast("JsonObject", preferences) if isinstance(preferences, dict) else None,
        tuple(notices),
        tools,
        _tool_choice(params.get("toolChoice")) if tools else "",
        cast("JsonObject", metadata) if isinstance(metadata, dict) else None,
    )


def _messages(raw: object, system: str) -> tuple[Turn, ...]:
    if not isinstance(raw, list) or not raw or len(cast("list[Any]", raw)) > MAX_MESSAGES:
        raise InvalidRequest("messages")
    turns = tuple(_turn(one, f"messages/{index}") for index, one in enumerate(cast("list[Any]", raw)))
    blocks = [block for turn in turns for block in turn.content]
    text = len(system) + sum(map(text_size, blocks))
    media = [size for block in blocks for size in _media(block)]
    if text > MAX_TEXT or max(media, default=0) > MAX_MEDIA or text + sum(media) > MAX_WHOLE:
        raise InvalidRequest("messages")
    _check_balance(turns)
    return turns


def _turn(raw: object, place: str) -> Turn:
    if not isinstance(raw, dict):
        raise InvalidRequest(place)
    message = cast("JsonObject", raw)
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant"):
        raise InvalidRequest(f"{place}/role")
    single = isinstance(content, dict)
    blocks: list[Any] = [content] if single else cast("list[Any]", content) if isinstance(content, list) else []
    if not blocks or not all(isinstance(block, dict) and "type" in block for block in blocks):
        raise InvalidRequest(f"{place}/content")
    for index, block in enumerate(cast("list[JsonObject]", blocks)):
        _check_block(block, role, place if single else f"{place}/content/{index}")
    return Turn(role, tuple(blocks), single)


def _check_block(block: JsonObject, role: str, place: str) -> None:
    """A block of a known type has what its type needs, and stands where it may. Unknown types are left alone."""
    needs: dict[str, tuple[str, ...]] = {
        "text": ("text",),
        "image": ("data", "mimeType"),
        "audio": ("data", "mimeType"),
        "tool_use": ("id", "name"),
        "tool_result": ("toolUseId",),
    }
    kind = str(block["type"])
    if not all(isinstance(block.get(name), str) for name in needs.get(kind, ())):
        raise InvalidRequest(place)
    if (kind == "tool_use" and role != "assistant") or (kind == "tool_result" and role != "user"):
        raise InvalidRequest(place)
    if kind == "tool_use" and not isinstance(block.get("input", {}), dict):
        raise InvalidRequest(place)


def _check_balance(turns: tuple[Turn, ...]) -> None:
    """Every use of a tool is answered by the very next message, exactly, and by nothing else (SMP-30, SMP-31)."""
    wanted: set[str] = set()
    for index, turn in enumerate(turns):
        uses = [str(block["id"]) for block in turn.content if block["type"] == "tool_use"]
        if len(uses) != len(set(uses)):
            raise InvalidRequest(f"messages/{index}: one id for each tool use")
        results = [str(block["toolUseId"]) for block in turn.content if block["type"] == "tool_result"]
        if results and len(results) != len(turn.content):
            raise InvalidRequest(f"messages/{index}: tool results stand alone")
        for name in (*sorted(wanted - set(results)), *sorted(set(results) - wanted)):
            raise InvalidRequest(f"messages/{index}: tool use and result of {name}")
        if len(results) != len(set(results)):
            raise InvalidRequest(f"messages/{index}: one result for each tool use")
        wanted = set(uses)
    for name in sorted(wanted):
        raise InvalidRequest(f"messages/{len(turns)}: tool use and result of {name}")


def _tools(params: JsonObject) -> tuple[JsonObject, ...]:
    raw = params.get("tools")
    if raw is None:
        return ()
    tools: list[Any] = cast("list[Any]", raw) if isinstance(raw, list) else [None]
    names: set[str] = set()
    for index, tool in enumerate(tools):
        found = cast("JsonObject", tool) if isinstance(tool, dict) else {}
        name = found.get("name")
        if not isinstance(name, str) or not name or name in names or not isinstance(found.get("inputSchema"), dict):
            raise InvalidRequest(f"tools/{index}")
        names.add(name)
    if text_size(tools) > MAX_TEXT:
        raise InvalidRequest("tools")
    return tuple(tools)


def _tool_choice(raw: object) -> str:
    mode: Any = cast("JsonObject", raw).get("mode", "auto") if isinstance(raw, dict) else "auto" if raw is None else raw
    if mode not in TOOL_CHOICES:
        raise InvalidRequest("toolChoice")
    return str(mode)


def _stops(raw: object) -> tuple[str, ...]:
    stops: Any = raw or []
    if not isinstance(stops, list) or not all(isinstance(stop, str) for stop in cast("list[Any]", stops)):
        raise InvalidRequest("stopSequences")
    return tuple(cast("list[str]", stops))


def _media(value: Any) -> list[int]:
    """Bytes that each piece of media in a JSON value stands for."""
    if isinstance(value, list):
        return [size for one in cast("list[Any]", value) for size in _media(one)]
    if not isinstance(value, dict):
        return []
    members = cast("dict[str, Any]", value)
    own = [len(data) * 3 // 4 for name in MEDIA_KEYS if isinstance(data := members.get(name), str)]
    return own + [size for one in members.values() for size in _media(one)]


def _is_float(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
