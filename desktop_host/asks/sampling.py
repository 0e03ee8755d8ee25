"""A request to a language model: reviewed before the model sees it, and again before the server does."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_host.asks.corridor import Corridor, declined, ended
from desktop_host.asks.matters import decision_of, invalid
from desktop_host.asks.person import Action, Reply, RequestQuestion, RequestReply, ResponseQuestion, ResponseReply
from desktop_host.asks.trace import Trace
from desktop_host.policy.facts import Facts
from desktop_host.policy.rules import Kind
from desktop_host.policy.secrets import PERSONAL, SECRETS, Masker, find_secrets
from desktop_host.sampling.catalog import Catalog
from desktop_host.sampling.choice import Suggestion
from desktop_host.sampling.draft import (
    Draft,
    ModelAnswer,
    difference,
    draft_findings,
    masked_draft,
    result_of,
    secret_findings,
    texts_of,
)
from desktop_host.sampling.models.provider import YOU, Done, ModelFailed, ModelProvider, Plan, TextDelta
from desktop_host.sampling.reading import InvalidRequest, read_draft
from desktop_host.terms.asks import Answer, Ask, Decision, Effect, Finding, Obligations, Outcome, WireError
from desktop_host.terms.messages import Message, say

_TOOLS_SINCE = "2025-11-25"
_REJECTED = WireError(-1, "User rejected sampling request")
_CLOSED = WireError(-1, "User closed the sampling request without deciding")


class SamplingMatter:
    """Request, run, response: the person may go back, or run again, as often as they like."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._original = Draft((), 1)
        self._suggestion: Suggestion | None = None
        self._missing: Message | None = None

    async def screen(self, ask: Ask, trace: Trace, about: Facts) -> Answer | None:
        """Read the request and choose a model; a malformed one is refused before any model is called."""
        if len(ask.origin.revision) > 0 and ask.origin.revision < _TOOLS_SINCE and "tools" in ask.params:
            return invalid("tools", say("sampling.invalid", field="tools"))  # its answer could not be a list (SMP-37)
        try:
            self._original = read_draft(ask.params, self._catalog.caps.max_tokens)
        except InvalidRequest as refused:
            return invalid(refused.field, say("sampling.invalid", field=refused.field))
        trace.findings = (*draft_findings(self._original), *secret_findings(self._original))
        trace.notices.extend(self._original.notices)
        self._suggestion, self._missing = await self._catalog.suggest(self._original)
        trace.facts = self._facts(about, self._original, self._suggestion.model.id, trace.findings)
        return None

    def _facts(self, about: Facts, draft: Draft, model: str, findings: Sequence[Finding]) -> Facts:
        """What the rules need to know of a request that goes to a model."""
        keys = {finding.message.key for finding in findings}
        return replace(
            about,
            models=self._catalog.names(model),
            max_tokens=draft.max_tokens,
            prompt_tokens=draft.rough_tokens,
            has_tools=bool(draft.tools),
            content_types=draft.content_types,
            secrets_found="sampling.secret" in keys,
            personal_found="sampling.personal" in keys,
        )

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """See the class."""
        problems = {"model": self._missing} if self._missing is not None else {}
        draft, suggestion, seen = self._original, self._suggestion, False
        assert suggestion is not None  # made when the request was read
        if decision_of(trace).effect is Effect.ALLOW and suggestion.model.id == YOU:
            self._ask_after_all(trace, suggestion.why)
        while True:
            if decision_of(trace).effect is Effect.ALLOW and not seen:
                draft, model = self._within(decision_of(trace).obligations, draft), suggestion.model.id
            else:
                question = RequestQuestion(
                    ask, trace.findings, decision_of(trace), self._original, draft, suggestion, problems=problems
                )
                trace.errors, seen = dict(problems), True
                reply = await corridor.ask_person(ask, corridor.person.request(question))
                if reply.action is not Action.ACCEPT:
                    return self._refused(reply, trace)
                trace.errors = {}
                draft, model = _approved(reply, draft, suggestion.model.id)
            self._note_edits(trace, draft)
            if model != suggestion.model.id:
                trace.differences["model"] = f"{suggestion.model.id} → {model}"
            found = await self._catalog.get(model)
            if found is None:
                problems, seen = {"model": self._catalog.why_not(model)}, True
                continue
            info, provider = found
            if seen and (denied := self._denied(trace, corridor, draft, info.id)) is not None:
                problems = {"model": denied}
                continue
            plan = await asyncio.to_thread(provider.plan, draft, info)
            trace.facts = self._facts(about_of(trace), draft, info.id, secret_findings(draft))
            run = _Run(draft, info.id, provider, plan, seen)
            answer = await self._run_and_review(ask, trace, corridor, run)
            if isinstance(answer, Answer):
                return answer
            problems, seen = answer, True
            if decision_of(trace).effect is Effect.ALLOW:
                self._ask_after_all(trace, next(iter(problems.values())))

    def _note_edits(self, trace: Trace, draft: Draft) -> None:
        """What became of the request at the person's hands, or by a rule, however it ends."""
        trace.edits = draft.changes(self._original)
        trace.differences = draft.differences(self._original)

    def _ask_after_all(self, trace: Trace, why: Message) -> None:
        """What a rule allowed and did not come off is for the person to decide."""
        trace.decision = replace(decision_of(trace), effect=Effect.ASK, reasons=(why,))

    def _denied(self, trace: Trace, corridor: Corridor, draft: Draft, model: str) -> Message | None:
        """Why a rule does not let what the person made of a request leave."""
        facts = self._facts(about_of(trace), draft, model, secret_findings(draft))
        decision = corridor.decide(facts, use=False)
        return decision.reasons[0] if decision.effect is Effect.DENY else None

    def _within(self, duties: Obligations, draft: Draft) -> Draft:
        """The request as a rule lets it leave."""
        if duties.redact:
            redacted = {"secrets": SECRETS, "personal": PERSONAL}
            draft = masked_draft(draft, Masker(frozenset[str]().union(*(redacted[kind] for kind in duties.redact))))
        if duties.clamp_max_tokens is not None:
            draft = replace(draft, max_tokens=min(draft.max_tokens, duties.clamp_max_tokens))
        return draft

    async def _run_and_review(
        self, ask: Ask, trace: Trace, corridor: Corridor, wanted: "_Run"
    ) -> Answer | dict[str, Message]:
        """An answer, or what to say when the person is back at the request."""
        draft, model = wanted.draft, wanted.model
        while True:
            run = await self._run(ask, corridor, wanted.provider, wanted.plan)
            if isinstance(run, Message):
                return {"model": run}
            if isinstance(run, Reply):
                return {} if run.action is Action.BACK else self._refused(run, trace)
            if model != YOU:
                trace.usage.append(await self._catalog.ran(model, run.tokens_in, run.tokens_out, run.seconds))
            if draft.tool_choice == "required" and not run.tool_uses and model != YOU:
                run = replace(run, notices=(*run.notices, say("sampling.no_tool_used")))
            trace.response = self._decide_on(run, trace, corridor, reviewed=wanted.reviewed)
            if trace.response.effect is Effect.DENY:
                return declined(ask, trace.response.reasons[0], "Denied by a rule")
            if trace.response.effect is Effect.ALLOW and model != YOU:
                return Answer(Outcome.ACCEPT, result_of(run))
            question = ResponseQuestion(ask, trace.findings, trace.response, draft, wanted.plan, run, model == YOU)
            reply = await corridor.ask_person(ask, corridor.person.response(question))
            if reply.action is Action.AGAIN:
                continue
            if reply.action is Action.BACK:
                return {}
            if reply.action is not Action.ACCEPT:
                return self._refused(reply, trace)
            final = _reviewed(run, reply)
            edited = final != run and model != YOU
            if edited:
                trace.edits = (*trace.edits, "answer")
                if changed := difference(run.text, final.text):
                    trace.differences["answer"] = changed
                if (lost := len(run.tool_uses) - len(final.tool_uses)) > 0:
                    trace.differences["toolUses"] = f"-{lost}"
            return Answer(Outcome.ACCEPT, result_of(final))

    def _decide_on(self, run: ModelAnswer, trace: Trace, corridor: Corridor, *, reviewed: bool) -> Decision:
        """The decision on an answer; a rule that allowed its request may want it reviewed all the same."""
        about = about_of(trace)
        found = [one for text in texts_of([run.text, *run.tool_uses]) for one in find_secrets(text, SECRETS | PERSONAL)]
        people = any(one.kind in PERSONAL for one in found)
        facts = replace(
            about,
            kind=Kind.RESPONSE,
            has_tools=bool(run.tool_uses),
            secrets_found=about.secrets_found or any(one.kind not in PERSONAL for one in found),
            personal_found=about.personal_found or people,
            reviewed=reviewed,
        )
        decision = corridor.decide(facts, after=decision_of(trace))
        if decision.effect is Effect.ALLOW and decision_of(trace).obligations.review_response and not reviewed:
            return replace(decision, effect=Effect.ASK, reasons=(say("decision.review_response"),))
        return decision

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


def about_of(trace: Trace) -> Facts:
    assert trace.facts is not None  # made when the request was read
    return trace.facts


@dataclass(frozen=True, slots=True)
class _Run:
    """What goes to which model. `reviewed`: the person has seen it."""

    draft: Draft
    model: str
    provider: ModelProvider
    plan: Plan
    reviewed: bool


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
