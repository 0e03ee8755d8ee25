"""The practice model: a very small one that comes with the program, works offline, and is often wrong."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass

from desktop_host.config.processes import MODEL, own_command
from desktop_host.sampling.draft import Draft
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.practice_server import CONTEXT, NAME, can_run
from desktop_host.sampling.models.presets import Preset
from desktop_host.sampling.models.provider import PRACTICE, Done, ModelFailed, ModelInfo, Plan, TextDelta
from desktop_host.terms.messages import say

_START_LIMIT = 60.0
_INFO = ModelInfo(PRACTICE, PRACTICE, NAME, local=True, context=CONTEXT, images=False, audio=False, tools=False, tier=1)
_PRESET = Preset("practice", tools=False)


@dataclass(slots=True)
class _Running:
    process: asyncio.subprocess.Process
    endpoint: OpenAICompatible


class PracticeModel:
    """Starts its process at the first request, on one asyncio loop; `close` ends it."""

    def __init__(self) -> None:
        self._running: _Running | None = None
        self._turn = asyncio.Lock()
        self._planner = OpenAICompatible("http://127.0.0.1", (NAME,), lambda: None, preset=_PRESET)

    async def models(self) -> tuple[ModelInfo, ...]:
        """The one model, or none where the platform has no runtime for it or the installer left it out."""
        return (_INFO,) if await asyncio.to_thread(can_run) else ()

    def plan(self, draft: Draft, model: ModelInfo) -> Plan:
        """What its process on this computer is sent."""
        return self._planner.plan(draft, model)

    async def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        """Run a plan; the first one waits for the process."""
        endpoint = await self._started()
        async for event in endpoint.stream(plan):
            yield event

    async def close(self) -> None:
        """End the process."""
        running, self._running = self._running, None
        if running is not None and running.process.stdin is not None:
            running.process.stdin.close()
            try:
                async with asyncio.timeout(2):
                    await running.process.wait()
            except TimeoutError:
                running.process.kill()
                await running.process.wait()

    async def _started(self) -> OpenAICompatible:
        async with self._turn:
            if self._running is None or self._running.process.returncode is not None:
                self._running = await _start()
            return self._running.endpoint


async def _start() -> _Running:
    """Start the process. Raises ModelFailed where it does not come up: an old processor, too little memory."""
    key = secrets.token_urlsafe(24)
    process = await asyncio.create_subprocess_exec(
        *own_command(MODEL),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        async with asyncio.timeout(_START_LIMIT):
            process.stdin.write(f"{key}\n".encode())
            await process.stdin.drain()
            address = str(json.loads(await process.stdout.readline())["address"])
    except (OSError, ValueError, KeyError, TimeoutError):
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise ModelFailed(say("model.practice_failed")) from None
    except BaseException:
        process.kill()
        raise
    return _Running(process, OpenAICompatible(f"{address}/v1", (NAME,), lambda: key, preset=_PRESET))
