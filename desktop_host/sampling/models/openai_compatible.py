"""Any endpoint that speaks OpenAI's chat completions, through the official SDK (models_policy.md 1.3 to 1.6)."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models.blocks import ToolNames, as_text, result_blocks, tool_use
from desktop_host.sampling.models.http import Attempt, http_client, place, read_key
from desktop_host.sampling.models.presets import Preset
from desktop_host.sampling.models.provider import Done, ModelFailed, ModelInfo, Plan, TextDelta
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message, say

_STOP_REASONS = {"stop": "endTurn", "length": "maxTokens", "tool_calls": "toolUse", "content_filter": "contentFilter"}
_AUDIO_FORMATS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
_LIST_LIMIT = 5.0
_MAX_STOPS = 4


class OpenAICompatible:
    """One endpoint. `key` is asked for at each request, so that it is held nowhere; it may block, in a thread.

    `chosen` names the models to offer; empty: those it lists.
    """

    def __init__(
        self,
        base_url: str,
        chosen: tuple[str, ...],
        key: Callable[[], str | None],
        *,
        preset: Preset | None = None,
        ca_file: str = "",
        title: str = "",
        tiers: Mapping[str, int] | None = None,
    ) -> None:
        self._base_url = base_url
        self._chosen = chosen
        self._key = key
        self._preset = preset or Preset()
        self._ca_file = ca_file
        self._host, self._local = place(base_url)
        self._title = title or self._host
        self._tiers = tiers or {}

    async def models(self) -> tuple[ModelInfo, ...]:
        """The chosen models, or what the endpoint lists where none are. Raises ModelFailed."""
        if self._chosen:
            return tuple(self._info(name) for name in self._chosen)
        import openai

        with Attempt(self._host, openai):
            async with await self._client() as client:
                page = await client.with_options(timeout=_LIST_LIMIT).models.list()
                return tuple(self._info(str(model.id)) for model in page.data)

    def plan(self, draft: Draft, model: ModelInfo) -> Plan:
        """A streamed chat completion."""
        losses: list[Message] = []
        names = ToolNames(draft.tools)
        messages: list[JsonObject] = [{"role": "system", "content": draft.system}] if draft.system else []
        for turn in draft.messages:
            messages += _messages(turn, names, losses)
        wire: JsonObject = {
            "model": model.wire_name,
            "messages": messages,
            self._preset.limit_field: min(draft.max_tokens, model.most_tokens or draft.max_tokens),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if draft.temperature is not None:
            wire["temperature"] = draft.temperature
        if draft.stop_sequences:
            wire["stop"] = list(draft.stop_sequences[:_MAX_STOPS])
        if len(draft.stop_sequences) > _MAX_STOPS:
            losses.append(say("model.loss_stops", count=_MAX_STOPS))
        if draft.metadata:
            losses.append(say("model.loss_metadata"))
        none = draft.tool_choice == "none"
        if draft.tools and self._preset.tools:
            wire["tools"] = [_tool(tool, names) for tool in draft.tools]
            wire["tool_choice"] = draft.tool_choice
        elif draft.tools and not none:
            losses.append(say("model.loss_tools"))
        return Plan(wire, tuple(losses), names.pairs, none or not draft.tools)

    async def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        """Stream a plan. A stream that ends without its finish reason is a failure (models_policy.md 1.3)."""
        import openai

        so_far = _SoFar(str(plan.wire["model"]))
        with Attempt(self._host, openai) as attempt:
            async with (
                await self._client() as client,
                await client.chat.completions.create(**plan.wire) as chunks,
            ):
                attempt.begun = True
                async for chunk in chunks:
                    text = so_far.take(chunk)
                    if text:
                        yield TextDelta(text)
        yield so_far.done(plan)

    def _info(self, name: str) -> ModelInfo:
        return ModelInfo(name, self._title, local=self._local, tools=self._preset.tools, tier=self._tiers.get(name, 0))

    async def _client(self) -> Any:
        from openai import AsyncOpenAI, Omit

        key = await read_key(self._key, self._local)
        http = await http_client(self._base_url, self._ca_file)
        # The environment's own organisation and project are for other programs.
        none: Any = {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
        return AsyncOpenAI(api_key=key, base_url=self._base_url, http_client=http, max_retries=0, default_headers=none)


@dataclass(slots=True)
class _SoFar:
    """What a stream has said: its end, its usage, and tool calls, which come in pieces."""

    model: str
    finish: str = ""
    usage: Any = None
    calls: dict[int, dict[str, str]] = field(default_factory=dict[int, dict[str, str]])

    def take(self, chunk: Any) -> str:
        """Note a chunk; its text."""
        self.usage, self.model = chunk.usage or self.usage, chunk.model or self.model
        text = ""
        for choice in chunk.choices[:1]:
            self.finish = choice.finish_reason or self.finish
            text = choice.delta.content or ""
            for call in choice.delta.tool_calls or ():
                known = self.calls.setdefault(call.index, {"id": "", "name": "", "arguments": ""})
                known["id"] = call.id or known["id"]
                if call.function is not None:
                    known["name"] += call.function.name or ""
                    known["arguments"] += call.function.arguments or ""
        return text

    def done(self, plan: Plan) -> Done:
        """The end. Raises ModelFailed where there was none, or where a tool call is no whole one."""
        if not self.finish:
            raise ModelFailed(say("model.broken_answer"))
        calls = [] if plan.no_tools else sorted(self.calls.items())
        uses = [self._use(call, f"call_{index}", plan) for index, call in calls]
        # Some endpoints say "stop" with tool calls in hand: what counts is the content.
        reason = "toolUse" if uses else _STOP_REASONS.get(self.finish, self.finish)
        reason = "endTurn" if reason == "toolUse" and not uses else reason
        tokens = (self.usage.prompt_tokens, self.usage.completion_tokens) if self.usage else (None, None)
        return Done(reason, self.model, *tokens, tuple(uses))

    def _use(self, call: dict[str, str], own_id: str, plan: Plan) -> JsonObject:
        try:
            arguments: Any = json.loads(call["arguments"] or "{}")
        except ValueError:
            raise ModelFailed(say("model.broken_tool_call")) from None
        if not isinstance(arguments, dict) or not call["name"]:
            raise ModelFailed(say("model.broken_tool_call"))
        return tool_use(call["id"] or own_id, call["name"], arguments, plan.tool_names)


def _messages(turn: Turn, names: ToolNames, losses: list[Message]) -> list[JsonObject]:
    """One message as one or several: every tool result is a message of its own here."""
    results = [block for block in turn.content if block.get("type") == "tool_result"]
    if results:
        return _results(results, losses)
    parts = [part for block in turn.content if (part := _part(block, turn.role, losses)) is not None]
    content: Any = parts
    if all(part["type"] == "text" for part in parts):
        content = "\n\n".join(part["text"] for part in parts)
    uses = [block for block in turn.content if block.get("type") == "tool_use"]
    if not uses:
        return [{"role": turn.role, "content": content}]
    calls: list[JsonObject] = [
        {
            "id": str(block["id"]),
            "type": "function",
            "function": {
                "name": names.told(str(block["name"])),
                "arguments": json.dumps(block.get("input", {}), ensure_ascii=False),
            },
        }
        for block in uses
    ]
    return [{"role": "assistant", "content": content or None, "tool_calls": calls}]


def _results(blocks: list[JsonObject], losses: list[Message]) -> list[JsonObject]:
    """Tool results: messages of text alone, which nothing may part, and then their images as the user's."""
    messages: list[JsonObject] = []
    pictures: list[JsonObject] = []
    for block in blocks:
        parts = [part for one in result_blocks(block) if (part := _part(one, "user", losses)) is not None]
        text = "\n\n".join(str(part["text"]) for part in parts if part["type"] == "text")
        text = f"ERROR: {text}" if block.get("isError") is True else text
        messages.append({"role": "tool", "tool_call_id": str(block["toolUseId"]), "content": text})
        pictures += [part for part in parts if part["type"] != "text"]
    if pictures:
        losses.append(say("model.moved_media"))
        messages.append({"role": "user", "content": pictures})
    return messages


def _part(block: JsonObject, role: str, losses: list[Message]) -> JsonObject | None:
    kind, data, mime = block.get("type"), str(block.get("data", "")), str(block.get("mimeType", ""))
    if kind == "tool_use":
        return None  # told apart from the content
    if kind == "text":
        return {"type": "text", "text": str(block.get("text", ""))}
    if kind == "image" and role == "user":
        return {"type": "image_url", "image_url": {"url": f"data:{mime};base64,{data}"}}
    if kind == "audio" and role == "user" and mime in _AUDIO_FORMATS:
        return {"type": "input_audio", "input_audio": {"data": data, "format": _AUDIO_FORMATS[mime]}}
    text = as_text(block)
    if text is not None:
        return {"type": "text", "text": text}
    losses.append(say("model.loss_block", kind=str(kind)))
    return None


def _tool(tool: JsonObject, names: ToolNames) -> JsonObject:
    function: JsonObject = {"name": names.told(str(tool["name"])), "parameters": tool["inputSchema"]}
    if isinstance(tool.get("description"), str):
        function["description"] = tool["description"]
    return {"type": "function", "function": function}
