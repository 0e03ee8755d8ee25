"""Any endpoint that speaks OpenAI's chat completions, through the official SDK (models_policy.md 1.3 to 1.6)."""

from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlsplit

from desktop_host.config.files import FileProblem
from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models.provider import Done, ModelFailed, ModelInfo, Plan, TextDelta
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message, say

_STOP_REASONS = {"stop": "endTurn", "length": "maxTokens", "tool_calls": "toolUse"}
_AUDIO_FORMATS = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
_TIMEOUT = 60.0
_MAX_STOPS = 4


class OpenAICompatible:
    """One endpoint. `key` is asked for at each request, so that it is held nowhere; it may block, in a thread."""

    def __init__(self, base_url: str, model: str, key: Callable[[], str | None]) -> None:
        self._base_url = base_url
        self._model = model
        self._key = key
        self._host, self._local = _place(base_url)

    async def models(self) -> tuple[ModelInfo, ...]:
        """The configured model, or what the endpoint lists where none is configured. Raises ModelFailed."""
        if self._model:
            return (ModelInfo(self._model, self._host),)
        try:
            async with await self._client() as client:
                page = await client.with_options(timeout=5.0).models.list()
                return tuple(ModelInfo(str(model.id), self._host) for model in page.data)
        except ModelFailed:
            raise
        except Exception:  # noqa: BLE001  # whatever is at that address may answer anything
            raise ModelFailed(say("model.unreachable", host=self._host)) from None

    def plan(self, draft: Draft, model: str) -> Plan:
        """A streamed chat completion. `max_tokens` is the field every such endpoint knows."""
        losses: list[Message] = []
        messages: list[JsonObject] = [{"role": "system", "content": draft.system}] if draft.system else []
        messages += [_message(turn, losses) for turn in draft.messages]
        wire: JsonObject = {
            "model": model,
            "messages": messages,
            "max_tokens": draft.max_tokens,
            "stream": True,
        }
        wire["stream_options"] = {"include_usage": True}
        if draft.temperature is not None:
            wire["temperature"] = draft.temperature
        if draft.stop_sequences:
            wire["stop"] = list(draft.stop_sequences[:_MAX_STOPS])
        if len(draft.stop_sequences) > _MAX_STOPS:
            losses.append(say("model.loss_stops", count=_MAX_STOPS))
        return Plan(wire, tuple(losses))

    async def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        """Stream a plan. A stream that ends without its finish reason is a failure (models_policy.md 1.3)."""
        import httpx2
        from openai import APIConnectionError, APIStatusError

        finish: str = ""
        begun = False
        model, usage = str(plan.wire["model"]), None
        try:
            async with (
                await self._client() as client,
                await client.chat.completions.create(**plan.wire) as chunks,
            ):
                begun = True
                async for chunk in chunks:
                    usage, model = chunk.usage or usage, chunk.model or model
                    for choice in chunk.choices[:1]:
                        finish = choice.finish_reason or finish
                        if choice.delta.content:
                            yield TextDelta(choice.delta.content)
        except APIStatusError as error:
            raise ModelFailed(_status_message(error.status_code, self._host, error.response.headers)) from None
        except (APIConnectionError, httpx2.InvalidURL, httpx2.UnsupportedProtocol):
            why = say("model.broken_answer") if begun else say("model.unreachable", host=self._host)
            raise ModelFailed(why) from None
        except ModelFailed:
            raise
        except Exception:  # noqa: BLE001  # an endpoint may send anything, and the SDK then raises anything
            raise ModelFailed(say("model.broken_answer")) from None
        if not finish:
            raise ModelFailed(say("model.broken_answer"))
        tokens = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        yield Done(_STOP_REASONS.get(finish, finish), model, *tokens)

    async def _client(self) -> Any:
        import asyncio

        import httpx2
        from openai import AsyncOpenAI, Omit

        # A proxy of the environment must not see what goes to a model on this computer, which rarely wants a key.
        try:
            key = await asyncio.to_thread(self._key)
        except FileProblem as problem:
            if not self._local:
                raise ModelFailed(problem.message) from None
            key = None
        http = httpx2.AsyncClient(trust_env=not self._local, timeout=httpx2.Timeout(_TIMEOUT, read=600.0))
        # The environment's own organisation and project are for other programs.
        none: Any = {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
        return AsyncOpenAI(
            api_key=key or "none", base_url=self._base_url, http_client=http, max_retries=0, default_headers=none
        )


def _place(base_url: str) -> tuple[str, bool]:
    """Host and port as shown, and whether they are this computer. Never raises: a bad address fails when it is used."""
    try:
        parts = urlsplit(base_url)
        return parts.netloc.rpartition("@")[2] or base_url, parts.hostname in ("localhost", "127.0.0.1", "::1")
    except ValueError:
        return base_url, False


def _status_message(status: int, host: str, headers: Any) -> Message:
    if status in (401, 403):
        return say("model.key_refused", host=host)
    if status in (429, 503, 529):
        wait = str(headers.get("retry-after") or "")
        return say("model.busy", host=host, seconds=wait) if wait.isdecimal() else say("model.busy_now", host=host)
    if status == 404:
        return say("model.not_there", host=host)
    return say("model.refused", host=host, status=status)


def _message(turn: Turn, losses: list[Message]) -> JsonObject:
    parts = [part for block in turn.content if (part := _part(block, turn.role, losses)) is not None]
    if all(part["type"] == "text" for part in parts):
        return {"role": turn.role, "content": "\n\n".join(part["text"] for part in parts)}
    return {"role": turn.role, "content": parts}


def _part(block: JsonObject, role: str, losses: list[Message]) -> JsonObject | None:
    kind, data, mime = block.get("type"), str(block.get("data", "")), str(block.get("mimeType", ""))
    if kind == "text":
        return {"type": "text", "text": str(block.get("text", ""))}
    if kind == "image" and role == "user":
        return {"type": "image_url", "image_url": {"url": f"data:{mime};base64,{data}"}}
    if kind == "audio" and role == "user" and mime in _AUDIO_FORMATS:
        return {"type": "input_audio", "input_audio": {"data": data, "format": _AUDIO_FORMATS[mime]}}
    losses.append(say("model.loss_block", kind=str(kind)))
    return None
