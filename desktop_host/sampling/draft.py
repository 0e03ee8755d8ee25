"""A sampling request as the person reviews it, and the result that goes back (SMP-05 to SMP-40)."""

import sys
from dataclasses import dataclass, replace
from typing import Any, cast

from desktop_host.terms.asks import Finding, JsonObject, Severity
from desktop_host.terms.messages import Message, say

MAX_MESSAGES = 128
MAX_TEXT = 1024 * 1024


class InvalidRequest(Exception):
    """The request breaks the protocol; a handshake server is told -32602 with `field`."""

    def __init__(self, field: str) -> None:
        super().__init__(f"Invalid {field}")
        self.field = field


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: its role and its content blocks, exactly as on the wire. `single`: the content was no list."""

    role: str
    content: tuple[JsonObject, ...]
    single: bool = True

    @property
    def text(self) -> str:
        """The text blocks, joined by empty lines; other blocks are shown apart."""
        return "\n\n".join(str(block.get("text", "")) for block in self.content if block.get("type") == "text")

    def with_text(self, text: str) -> "Turn":
        """The same message with other words: its text blocks become one, in the place of the first."""
        others = [block for block in self.content if block.get("type") != "text"]
        first = next((i for i, block in enumerate(self.content) if block.get("type") == "text"), len(others))
        if text == self.text:
            return self
        content = (*others[:first], {"type": "text", "text": text}, *others[first:]) if text else tuple(others)
        return replace(self, content=content, single=self.single and len(content) == 1)


@dataclass(frozen=True, slots=True)
class Draft:
    """A request under review. `max_tokens` is an upper bound (SMP-25); `preferences` is advice (SMP-19)."""

    messages: tuple[Turn, ...]
    max_tokens: int
    system: str = ""
    temperature: float | None = None
    stop_sequences: tuple[str, ...] = ()
    preferences: JsonObject | None = None
    notices: tuple[Message, ...] = ()

    @property
    def hints(self) -> tuple[str, ...]:
        """Model name hints in the server's order (SMP-20)."""
        found: Any = (self.preferences or {}).get("hints")
        hints = cast("list[Any]", found) if isinstance(found, list) else []
        names = (cast("JsonObject", hint).get("name") for hint in hints if isinstance(hint, dict))
        return tuple(name for name in names if isinstance(name, str) and name)

    @property
    def rough_tokens(self) -> int:
        """What the model will read, estimated at four characters a token and 800 tokens an image."""
        text = len(self.system) + sum(len(turn.text) for turn in self.messages)
        others = sum(block.get("type") != "text" for turn in self.messages for block in turn.content)
        return text // 4 + 800 * others + 4 * len(self.messages)

    def changes(self, original: "Draft") -> tuple[str, ...]:
        """The parts that differ from another draft, by their wire names."""
        names = {"system": "systemPrompt", "messages": "messages", "max_tokens": "maxTokens"}
        return tuple(wire for name, wire in names.items() if getattr(self, name) != getattr(original, name))


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model (or the person) answered. `seconds` and the token counts are None where unknown."""

    text: str
    model: str
    stop_reason: str = "endTurn"
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None


def read_draft(params: JsonObject) -> Draft:
    """Read `sampling/createMessage` parameters. Raises InvalidRequest naming the field."""
    if "tools" in params or "toolChoice" in params:
        raise InvalidRequest("tools")
    limit = params.get("maxTokens")
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
        raise InvalidRequest("maxTokens")
    messages = params.get("messages")
    if not isinstance(messages, list) or not messages:
        raise InvalidRequest("messages")
    turns = tuple(_turn(raw, index) for index, raw in enumerate(cast("list[Any]", messages)))
    if len(turns) > MAX_MESSAGES or sum(len(turn.text) for turn in turns) > MAX_TEXT:
        raise InvalidRequest("messages")
    system, context = params.get("systemPrompt") or "", params.get("includeContext") or "none"
    temperature: Any = params.get("temperature")
    stops: Any = params.get("stopSequences") or []
    preferences = params.get("modelPreferences")
    if not isinstance(system, str):
        raise InvalidRequest("systemPrompt")
    if not isinstance(stops, list) or not all(isinstance(stop, str) for stop in cast("list[Any]", stops)):
        raise InvalidRequest("stopSequences")
    if temperature is not None and not _is_float(temperature):
        raise InvalidRequest("temperature")
    notices = (say("sampling.no_context"),) if context != "none" else ()
    return Draft(
        turns,
        limit,
        system,
        float(temperature) if temperature is not None else None,
        tuple(cast("list[str]", stops)),
        cast("JsonObject", preferences) if isinstance(preferences, dict) else None,
        notices,
    )


def draft_findings(draft: Draft) -> tuple[Finding, ...]:
    """What cannot be passed on as it is: named, never dropped silently (SMP-29)."""
    known = ("text", "image", "audio")
    return tuple(
        Finding(
            Severity.WARNING,
            say("sampling.unknown_block", number=index, kind=str(block.get("type"))),
            f"messages/{index}",
        )
        for index, turn in enumerate(draft.messages, 1)
        for block in turn.content
        if block.get("type") not in known
    )


def result_of(answer: ModelAnswer) -> JsonObject:
    """The wire result of an answer: one text block, which every revision takes (SMP-36, SMP-37)."""
    return {
        "role": "assistant",
        "content": {"type": "text", "text": answer.text},
        "model": answer.model,
        "stopReason": answer.stop_reason,
    }


def _is_float(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _turn(raw: object, index: int) -> Turn:
    place = f"messages/{index}"
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
    return Turn(role, tuple(blocks), single)
