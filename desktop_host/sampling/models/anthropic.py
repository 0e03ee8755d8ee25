"""Anthropic's Messages API, through the official SDK (models_policy.md 1.3 to 1.6)."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, cast

from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models.blocks import ToolNames, as_text, result_blocks, tool_use
from desktop_host.sampling.models.http import Attempt, http_client, place, read_key
from desktop_host.sampling.models.provider import Done, ModelFailed, ModelInfo, Plan, TextDelta
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message, say

BASE_URL = "https://api.anthropic.com"
_IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")
_STOP_REASONS = {
    "end_turn": "endTurn",
    "stop_sequence": "stopSequence",
    "max_tokens": "maxTokens",
    "model_context_window_exceeded": "maxTokens",
    "tool_use": "toolUse",
}
_CHOICES = {"auto": "auto", "required": "any", "none": "none"}
_LIST_LIMIT = 10.0


class Anthropic:
    """The API at one address. `key` and `chosen` as for `OpenAICompatible`."""

    def __init__(
        self,
        chosen: tuple[str, ...],
        key: Callable[[], str | None],
        *,
        base_url: str = "",
        ca_file: str = "",
        title: str = "Anthropic",
        tiers: Mapping[str, int] | None = None,
    ) -> None:
        self._base_url = base_url or BASE_URL
        self._chosen = chosen
        self._key = key
        self._ca_file = ca_file
        self._host, self._local = place(self._base_url)
        self._title = title
        self._tiers = tiers or {}

    async def models(self) -> tuple[ModelInfo, ...]:
        """The chosen models, with what the API says of them, or all it lists. Raises ModelFailed."""
        if self._chosen:
            return tuple(self._info(name) for name in self._chosen)
        import anthropic

        with Attempt(self._host, anthropic):
            async with await self._client() as client:
                page = await client.with_options(timeout=_LIST_LIMIT).models.list(limit=100)
                return tuple(self._info(str(model.id), model) for model in page.data)

    def plan(self, draft: Draft, model: ModelInfo) -> Plan:
        """A streamed message."""
        losses: list[Message] = []
        names = ToolNames(draft.tools)
        wire: JsonObject = {
            "model": model.wire_name,
            "max_tokens": min(draft.max_tokens, model.most_tokens or draft.max_tokens),
            "messages": [made for turn in draft.messages if (made := _message(turn, names, losses))["content"]],
            "stream": True,
        }
        if draft.system:
            wire["system"] = draft.system
        if draft.stop_sequences:
            wire["stop_sequences"] = list(draft.stop_sequences)
        if draft.tools:
            wire["tools"] = [_tool(tool, names) for tool in draft.tools]
            wire["tool_choice"] = {"type": _CHOICES[draft.tool_choice]}
        if draft.temperature is not None:
            losses.append(say("model.loss_temperature"))
        if draft.metadata:
            losses.append(say("model.loss_metadata"))
        return Plan(wire, tuple(losses), names.pairs, draft.tool_choice == "none" or not draft.tools)

    async def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        """Stream a plan. A stream without its `message_stop` is a failure."""
        import anthropic

        so_far = _SoFar(str(plan.wire["model"]))
        with Attempt(self._host, anthropic) as attempt:
            async with await self._client() as client:
                events: Any = await client.messages.create(**plan.wire)
                attempt.begun = True
                async for event in events:
                    text = so_far.take(event)
                    if text:
                        yield TextDelta(text)
        yield so_far.done(plan)

    def _info(self, name: str, found: Any = None) -> ModelInfo:
        return ModelInfo(
            name,
            self._title,
            local=self._local,
            context=int(getattr(found, "max_input_tokens", None) or 0),
            most_tokens=int(getattr(found, "max_tokens", None) or 0),
            images=True,
            audio=False,
            tools=True,
            tier=self._tiers.get(name, 0),
        )

    async def _client(self) -> Any:
        from anthropic import AsyncAnthropic

        key = await read_key(self._key, self._local)
        http = await http_client(self._base_url, self._ca_file)
        # With a key given, the SDK leaves what the environment holds for other programs alone.
        return AsyncAnthropic(api_key=key, base_url=self._base_url, http_client=http, max_retries=0)


class _SoFar:
    """What a stream has said: its end, its usage, and tool uses, whose input comes in pieces."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._ended = False
        self._reason = ""
        self._tokens: list[int | None] = [None, None]
        self._uses: dict[int, dict[str, str]] = {}

    def take(self, event: Any) -> str:
        """Note an event; its text. Thinking is never passed on."""
        match event.type:
            case "message_start":
                self._model = event.message.model or self._model
                self._tokens[0] = getattr(event.message.usage, "input_tokens", None)
            case "content_block_start" if event.content_block.type == "tool_use":
                block = event.content_block
                self._uses[event.index] = {"id": block.id, "name": block.name, "input": ""}
            case "content_block_delta" if event.delta.type == "text_delta":
                return str(event.delta.text)
            case "content_block_delta" if event.delta.type == "input_json_delta" and event.index in self._uses:
                self._uses[event.index]["input"] += event.delta.partial_json
            case "message_delta":
                # llama.cpp says end_turn, with the stop sequence it came to beside it.
                reached = getattr(event.delta, "stop_sequence", None)
                self._reason = "stop_sequence" if reached else str(event.delta.stop_reason or self._reason)
                self._tokens[1] = getattr(event.usage, "output_tokens", None)
            case "message_stop":
                self._ended = True
            case _:
                pass
        return ""

    def done(self, plan: Plan) -> Done:
        """The end. Raises ModelFailed where there was none, or where a tool use is no whole one."""
        if not self._ended:
            raise ModelFailed(say("model.broken_answer"))
        uses: list[JsonObject] = []
        for _, use in sorted(self._uses.items()) if not plan.no_tools else ():
            try:
                found: Any = json.loads(use["input"] or "{}")
            except ValueError:
                raise ModelFailed(say("model.broken_tool_call")) from None
            if not isinstance(found, dict):
                raise ModelFailed(say("model.broken_tool_call"))
            uses.append(tool_use(use["id"], use["name"], found, plan.tool_names))
        reason = _STOP_REASONS.get(self._reason, self._reason or "endTurn")
        reason = "endTurn" if reason == "toolUse" and not uses else reason
        return Done(reason, self._model, self._tokens[0], self._tokens[1], tuple(uses))


def _message(turn: Turn, names: ToolNames, losses: list[Message]) -> JsonObject:
    blocks = [made for block in turn.content if (made := _block(block, names, losses)) is not None]
    return {"role": turn.role, "content": blocks}


def _block(block: JsonObject, names: ToolNames, losses: list[Message]) -> JsonObject | None:
    kind, mime = block.get("type"), str(block.get("mimeType", ""))
    if kind == "text":
        return {"type": "text", "text": str(block.get("text", ""))}
    if kind == "image" and mime in _IMAGES:
        return {"type": "image", "source": {"type": "base64", "media_type": mime, "data": str(block.get("data", ""))}}
    if kind == "tool_use":
        return {
            "type": "tool_use",
            "id": str(block["id"]),
            "name": names.told(str(block["name"])),
            "input": block.get("input", {}),
        }
    if kind == "tool_result":
        inner = [made for one in result_blocks(block) if (made := _block(one, names, losses)) is not None]
        result: JsonObject = {"type": "tool_result", "tool_use_id": str(block["toolUseId"]), "content": inner}
        return {**result, "is_error": True} if block.get("isError") is True else result
    text = as_text(block)
    if text is not None:
        return {"type": "text", "text": text}
    losses.append(say("model.loss_block", kind=str(kind)))
    return None


def _tool(tool: JsonObject, names: ToolNames) -> JsonObject:
    made: JsonObject = {"name": names.told(str(tool["name"])), "input_schema": cast("JsonObject", tool["inputSchema"])}
    if isinstance(tool.get("description"), str):
        made["description"] = tool["description"]
    return made
