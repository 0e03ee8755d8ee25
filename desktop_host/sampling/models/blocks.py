"""What MCP's content blocks become for a provider, where it has no block of its own for them."""

import json
import re
from typing import Any, cast

from desktop_host.terms.asks import JsonObject

_FITTING = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MOST_NAME = 64


def as_text(block: JsonObject) -> str | None:
    """A resource link or an embedded text as plain text, None for what has no text. Nothing is ever fetched."""
    if block.get("type") == "resource_link":
        parts = [str(block.get("title") or block.get("name") or ""), str(block.get("uri") or "")]
        kind = f" ({block['mimeType']})" if isinstance(block.get("mimeType"), str) else ""
        return " — ".join(part for part in parts if part) + kind
    if block.get("type") == "resource":
        inner: Any = block.get("resource")
        resource = cast("JsonObject", inner) if isinstance(inner, dict) else {}
        if isinstance(resource.get("text"), str):
            return f"{resource.get('uri', '')}\n{resource['text']}".strip()
    return None


def result_blocks(block: JsonObject) -> list[JsonObject]:
    """The content of a tool result; structured content as JSON text where there is no other."""
    content: Any = block.get("content")
    found: list[Any] = cast("list[Any]", content) if isinstance(content, list) else []
    blocks = [cast("JsonObject", one) for one in found if isinstance(one, dict)]
    if not blocks and "structuredContent" in block:
        return [{"type": "text", "text": json.dumps(block["structuredContent"], ensure_ascii=False)}]
    return blocks


class ToolNames:
    """Names of tools as a provider takes them, and back: providers allow fewer characters than servers use."""

    def __init__(self, tools: tuple[JsonObject, ...]) -> None:
        self._given: dict[str, str] = {}
        for tool in tools:
            self.told(str(tool["name"]))

    def told(self, name: str) -> str:
        """The provider's name for a tool of the server."""
        if name not in self._given:
            plain = name if _FITTING.fullmatch(name) else re.sub(r"[^a-zA-Z0-9_-]", "_", name)[: _MOST_NAME - 4]
            own, number = plain or "tool", 1
            while own in self._given.values():
                number += 1
                own = f"{plain[: _MOST_NAME - 4]}_{number}"
            self._given[name] = own
        return self._given[name]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The provider's name and the server's."""
        return tuple((own, name) for name, own in self._given.items())


def tool_use(use_id: str, told: str, arguments: Any, names: tuple[tuple[str, str], ...]) -> JsonObject:
    """A tool use as MCP has it."""
    return {
        "type": "tool_use",
        "id": use_id,
        "name": dict(names).get(told, told),
        "input": cast("JsonObject", arguments) if isinstance(arguments, dict) else {},
    }
