"""What a server offers: tools, resources, templates of resources and prompts, as it lists them.

Listings are read from the wire and not through the SDK's models: one malformed entry never hides the others (P15).
"""

from typing import Any, cast

import mcp_types as types
from mcp.shared.exceptions import MCPError

from desktop_host.servers.session import HostSession
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.state import ArgumentInfo, PromptInfo, ResourceInfo, ToolInfo

_MOST_BYTES = 1 << 63


async def tools_of(session: HostSession) -> tuple[tuple[ToolInfo, ...], list[str]]:
    """Tools, and the names of those that had to be left out. Raises MCPError."""
    capabilities = session.server_capabilities
    if capabilities is None or capabilities.tools is None:
        return (), []
    tools, left_out = await session.tools()
    return tuple(_tool(tool) for tool in tools), left_out


async def resources_of(session: HostSession) -> tuple[ResourceInfo, ...]:
    """Resources, then templates; none where the server cannot list them (FEAT-13)."""
    found: list[ResourceInfo] = []
    for method, key, place in (
        ("resources/list", "resources", "uri"),
        ("resources/templates/list", "resourceTemplates", "uriTemplate"),
    ):
        try:
            listed = await session.listed(method, key)
        except MCPError:  # many servers declare resources and know only one of the two
            continue
        found += (_resource(one, place) for one in listed if isinstance(one.get(place), str))
    return tuple(found)


async def prompts_of(session: HostSession) -> tuple[PromptInfo, ...]:
    """Prompts with their arguments (FEAT-20)."""
    try:
        listed = await session.listed("prompts/list", "prompts")
    except MCPError:
        return ()
    return tuple(_prompt(one) for one in listed if isinstance(one.get("name"), str))


def _tool(tool: types.Tool) -> ToolInfo:
    hints = tool.annotations
    return ToolInfo(
        name=tool.name,
        title=tool.title or (hints.title if hints else None) or tool.name,
        description=tool.description or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        read_only=hints.read_only_hint if hints else None,
        destructive=hints.destructive_hint if hints else None,
        open_world=hints.open_world_hint if hints else None,
    )


def _resource(body: JsonObject, place: str) -> ResourceInfo:
    size = body.get("size")
    return ResourceInfo(
        uri=body[place],
        title=_text(body, "title") or _text(body, "name") or body[place],
        description=_text(body, "description"),
        mime=_text(body, "mimeType"),
        size=size if isinstance(size, int) and not isinstance(size, bool) and 0 <= size < _MOST_BYTES else None,
        template=place == "uriTemplate",
    )


def _prompt(body: JsonObject) -> PromptInfo:
    arguments: Any = body.get("arguments")
    found = [
        ArgumentInfo(
            one["name"],
            _text(one, "title") or one["name"],
            _text(one, "description"),
            one.get("required") is True,
        )
        for one in (_object(entry) for entry in (cast("list[Any]", arguments) if isinstance(arguments, list) else []))
        if isinstance(one.get("name"), str)
    ]
    name = body["name"]
    return PromptInfo(name, _text(body, "title") or name, _text(body, "description"), tuple(found))


def _object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _text(body: JsonObject, key: str) -> str:
    value = body.get(key)
    return value if isinstance(value, str) else ""
