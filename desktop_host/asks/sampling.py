"""A request to a language model: reviewed before the model sees it, and again before the server does."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from desktop_host.asks.corridor import Corridor, ended
from desktop_host.asks.matters import decision_of, invalid
from desktop_host.asks.person import Action, Reply, RequestQuestion, RequestReply, ResponseQuestion, ResponseReply
from desktop_host.asks.trace import Trace
from desktop_host.policy.secrets import masked_value
from desktop_host.sampling.catalog import Catalog
from desktop_host.sampling.draft import Draft, ModelAnswer, draft_findings, result_of, secret_findings
from desktop_host.sampling.models.provider import YOU, Done, ModelFailed, ModelProvider, Plan, TextDelta
from desktop_host.sampling.reading import InvalidRequest, read_draft
from desktop_host.terms.asks import Answer, Ask, Outcome, WireError
from desktop_host.terms.messages import Message, say

_TOOLS_SINCE = "2025-11-25"
_REJECTED = WireError(-1, "User rejected sampling request")
_CLOSED = WireError(-1, "User closed the sampling request without deciding")


class SamplingMatter:
    """Request, run, response: the person may go back, or run again, as often as they like."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._original = Draft((), 1)

    def screen(self, ask: Ask, trace: Trace) -> Answer | None:
        """Read the request; a malformed one is refused before any model is called."""
        if len(ask.origin.revision) > 0 and ask.origin.revision < _TOOLS_SINCE and "tools" in ask.params:
            return invalid("tools", say("sampling.invalid", field="tools"))  # its answer could not be a list (SMP-37)
        try:
            self._original = read_draft(ask.params, self._catalog.caps.max_tokens)
        except InvalidRequest as refused:
            return invalid(refused.field, say("sampling.invalid", field=refused.field))
        trace.findings = (*draft_findings(self._original), *secret_findings(self._original))
        trace.clean = masked_value
        trace.notices.extend(self._original.notices)
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """See the class."""
        suggestion, missing = await self._catalog.suggest(self._original)
        problems = {"model": missing} if missing is not None else {}
        draft = self._original
        while True:
            question = RequestQuestion(
                ask, trace.findings, decision_of(trace), self._original, draft, suggestion, problems=problems
            )
            trace.errors = dict(problems)
            reply = await corridor.ask_person(ask, corridor.person.request(question))
            if reply.action is not Action.ACCEPT:
                return self._refused(reply, trace)
            trace.errors = {}
            draft, model = _approved(reply, draft, suggestion.model.id)
            found = await self._catalog.get(model)
            if found is None:
                problems = {"model": self._catalog.why_not(model)}
                continue
            info, provider = found
            plan = await asyncio.to_thread(provider.plan, draft, info)
            answer = await self._run_and_review(ask, trace, corridor, draft, info.id, provider, plan)
            if isinstance(answer, Answer):
                return answer
            problems = answer

    async def _run_and_review(
        self,
        ask: Ask,
        trace: Trace,
        corridor: Corridor,
        draft: Draft,
        model: str,
        provider: ModelProvider,
        plan: Plan,
    ) -> Answer | dict[str, Message]:
        """An answer, or what to say when the person is back at the request."""
        while True:
            run = await self._run(ask, corridor, provider, plan)
            if isinstance(run, Message):
                return {"model": run}
            if isinstance(run, Reply):
                return {} if run.action is Action.BACK else self._refused(run, trace)
            await self._catalog.ran(model, run.tokens_out, run.seconds)
            if draft.tool_choice == "required" and not run.tool_uses and model != YOU:
                run = replace(run, notices=(*run.notices, say("sampling.no_tool_used")))
            question = ResponseQuestion(ask, trace.findings, decision_of(trace), draft, plan, run, model == YOU)
            reply = await corridor.ask_person(ask, corridor.person.response(question))
            if reply.action is Action.AGAIN:
                continue
            if reply.action is Action.BACK:
                return {}
            if reply.action is not Action.ACCEPT:
                return self._refused(reply, trace)
            final = _reviewed(run, reply)
            edited = final != run and model != YOU
            trace.edits = (*draft.changes(self._original), *(("answer",) if edited else ()))
            return Answer(Outcome.ACCEPT, result_of(final))

    async def _run(
        self, ask: Ask, corridor: Corridor, provider: ModelProvider, plan: Plan
    ) -> ModelAnswer | Message | Reply:
        """Run a plan while the person may interrupt it: the answer, why there is none, or the interruption."""
        stream = asyncio.ensure_future(_collect(provider, plan, lambda text: corridor.person.streamed(ask, text)))
        watch = asyncio.ensure_future(corridor.ask_person(ask, corridor.person.interrupted(ask)))
        try:
            await asyncio.wait({stream, watch}, return_when=asyncio.FIRST_COMPLETED)
            return watch.result() if watch.done() else stream.result()
        except ModelFailed as failed:
            return failed.message
        finally:
            for task in (stream, watch):
                task.cancel()
            await asyncio.gather(stream, watch, return_exceptions=True)

    def _refused(self, reply: Reply, trace: Trace) -> Answer:
        trace.reason = reply.reason
        return ended(trace.ask, reply, _REJECTED if reply.action is Action.DECLINE else _CLOSED)


def _approved(reply: Reply, draft: Draft, model: str) -> tuple[Draft, str]:
    if not isinstance(reply, RequestReply):
        return draft, model
    return reply.draft or draft, reply.model or model


def _reviewed(run: ModelAnswer, reply: Reply) -> ModelAnswer:
    """The answer as the person leaves it."""
    if not isinstance(reply, ResponseReply):
        return run
    return replace(run.without(reply.without_tool_uses), text=run.text if reply.text is None else reply.text)


async def _collect(provider: ModelProvider, plan: Plan, streamed: Callable[[str], None]) -> ModelAnswer:
    started, pieces = time.monotonic(), list[str]()
    async for event in provider.stream(plan):
        match event:
            case TextDelta(text):
                pieces.append(text)
                streamed(text)
            case Done():
                took = time.monotonic() - started
                return ModelAnswer(
                    "".join(pieces),
                    event.model,
                    event.stop_reason,
                    event.tokens_in,
                    event.tokens_out,
                    took,
                    event.tool_uses,
                )
    raise ModelFailed(say("model.broken_answer"))
