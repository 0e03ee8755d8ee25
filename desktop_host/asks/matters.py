"""The kinds of ask: what each is about, how it is put to the person, and what its answer is."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from desktop_host.asks.corridor import Corridor, ended
from desktop_host.asks.person import (
    Action,
    ConnectQuestion,
    FormQuestion,
    FormReply,
    LinkQuestion,
    LinkReply,
    Reply,
    RequestQuestion,
    RequestReply,
    ResponseQuestion,
    ResponseReply,
    RootsQuestion,
    RootsReply,
)
from desktop_host.asks.trace import Trace
from desktop_host.checking.checker import Checker
from desktop_host.elicitation.address import look_at, read_address
from desktop_host.elicitation.check import check_form, without_wrong_defaults
from desktop_host.elicitation.drafts import Drafts, draft_key
from desktop_host.elicitation.form import Entry, Form
from desktop_host.elicitation.screening import form_findings, hides, secret_fields
from desktop_host.sampling.choice import suggest
from desktop_host.sampling.draft import (
    Draft,
    InvalidRequest,
    ModelAnswer,
    draft_findings,
    read_draft,
    result_of,
)
from desktop_host.sampling.models.provider import (
    YOU,
    Done,
    ModelFailed,
    ModelInfo,
    ModelProvider,
    Plan,
    TextDelta,
)
from desktop_host.terms.asks import Answer, Ask, Decision, Finding, Outcome, Severity, WireError
from desktop_host.terms.messages import Message, say
from desktop_host.workspace.roots import Workspace, wire_roots

_REJECTED = WireError(-1, "User rejected sampling request")
_CLOSED = WireError(-1, "User closed the sampling request without deciding")
_NO_ROOTS = WireError(-32603, "The user did not share any folders")


def _decision(trace: Trace) -> Decision:
    assert trace.decision is not None  # the corridor decides before it lets a matter be put
    return trace.decision


def _invalid(field: str, why: Message) -> Answer:
    return Answer(Outcome.REFUSED, error=WireError(-32602, f"Invalid {field}"), why=why)


class FormMatter:
    """A form to fill in."""

    def __init__(self, checker: Checker, drafts: Drafts) -> None:
        self._checker = checker
        self._drafts = drafts
        self._form = Form("", (), {})

    def screen(self, ask: Ask, trace: Trace) -> Answer | None:
        """Read the schema; nothing in it can refuse the form, what cannot be drawn becomes a JSON field."""
        self._form = Form.from_params(ask.params)
        trace.findings = form_findings(self._form)
        trace.notices.extend(self._form.notices)
        trace.masked = frozenset(secret_fields(self._form))
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Ask until the answer satisfies the schema, or the person gives up: nothing else ever leaves (ELF-14)."""
        self._form = await without_wrong_defaults(self._checker, self._form)
        trace.notices[:] = self._form.notices
        key = draft_key(ask.origin, self._form)
        draft = await self._drafts.find(key, self._form)
        question = FormQuestion(ask, trace.findings, _decision(trace), self._form, tuple(trace.masked), draft, key)
        while True:
            reply = await corridor.ask_person(ask, corridor.person.form(question))
            if reply.action is not Action.ACCEPT:
                if reply.action is Action.DECLINE:
                    await self._drafts.drop(key)
                trace.reason = reply.reason
                return ended(ask, reply)
            entries = reply.entries if isinstance(reply, FormReply) else dict[str, Entry]()
            reading, notices = await check_form(self._checker, self._form, entries)
            trace.errors = reading.errors
            if reading.ok:
                trace.notices.extend(notices)
                if ask.errors_travel or not ask.origin.calls:
                    await self._drafts.drop(key)
                else:
                    self._drafts.sending(ask.origin.calls[0].id, key)
                secret = not trace.masked.isdisjoint(reading.content)
                return Answer(Outcome.ACCEPT, {"action": "accept", "content": reading.content}, secret=secret)
            question = replace(question, problems=reading.errors)


class LinkMatter:
    """A link to open in the system's browser."""

    def __init__(self) -> None:
        self._address = read_address("")

    def screen(self, ask: Ask, trace: Trace) -> Answer | None:
        """Take the address apart; one that must not be opened is refused (ELU-07)."""
        url = ask.params.get("url")
        self._address = read_address(url if isinstance(url, str) else "")
        if self._address.error:
            return _invalid("url", say(self._address.error))
        message = ask.params.get("message")
        hidden = [Finding(Severity.WARNING, say("text.hidden_characters"))] if hides(str(message or "")) else []
        trace.findings = (*look_at(self._address), *hidden)
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Accept means consent to open (ELU-11); a browser that does not open is a cancel (ELU-12)."""
        question = LinkQuestion(ask, trace.findings, _decision(trace), self._address)
        reply = await corridor.ask_person(ask, corridor.person.link(question))
        if reply.action is not Action.ACCEPT:
            trace.reason = reply.reason
            return ended(ask, reply)
        if isinstance(reply, LinkReply) and not reply.opened:
            return Answer(Outcome.FAILED, {"action": "cancel"}, why=say("link.no_browser"))
        return Answer(Outcome.ACCEPT, {"action": "accept"})


class SamplingMatter:
    """A request to a language model: reviewed before the model sees it, and again before the server does."""

    def __init__(self, providers: Callable[[], list[ModelProvider]]) -> None:
        self._providers = providers
        self._original = Draft((), 1)

    def screen(self, ask: Ask, trace: Trace) -> Answer | None:
        """Read the request; a malformed one is refused before any model is called."""
        try:
            self._original = read_draft(ask.params)
        except InvalidRequest as invalid:
            return _invalid(invalid.field, say("sampling.invalid", field=invalid.field))
        trace.findings = draft_findings(self._original)
        trace.notices.extend(self._original.notices)
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Request, run, response; the person may go back or run again as often as they like."""
        models, problems = await self._models()
        draft = self._original
        suggestion = suggest(draft, tuple(models), some_missing=bool(problems))
        while True:
            question = RequestQuestion(
                ask, trace.findings, _decision(trace), self._original, draft, suggestion, problems=problems
            )
            trace.errors = dict(problems)
            reply = await corridor.ask_person(ask, corridor.person.request(question))
            if reply.action is not Action.ACCEPT:
                return self._refused(reply, trace)
            trace.errors = {}
            draft, model = _approved(reply, draft, suggestion.model.id)
            provider = next((one for info, one in models.items() if info.id == model), None)
            if provider is None:
                problems = {"model": say("model.unknown", model=model)}
                continue
            answer = await self._run_and_review(ask, trace, corridor, draft, model, provider)
            if isinstance(answer, Answer):
                return answer
            problems = answer

    async def _run_and_review(
        self, ask: Ask, trace: Trace, corridor: Corridor, draft: Draft, model: str, provider: ModelProvider
    ) -> Answer | dict[str, Message]:
        """An answer, or what to say when the person is back at the request."""
        plan = provider.plan(draft, model)
        while True:
            run = await self._run(ask, corridor, provider, plan)
            if isinstance(run, Message):
                return {"model": run}
            if isinstance(run, Reply):
                return {} if run.action is Action.BACK else self._refused(run, trace)
            question = ResponseQuestion(ask, trace.findings, _decision(trace), draft, plan, run, model == YOU)
            reply = await corridor.ask_person(ask, corridor.person.response(question))
            if reply.action is Action.AGAIN:
                continue
            if reply.action is Action.BACK:
                return {}
            if reply.action is not Action.ACCEPT:
                return self._refused(reply, trace)
            text = reply.text if isinstance(reply, ResponseReply) else None
            edited = text is not None and text != run.text
            trace.edits = (*draft.changes(self._original), *(("answer",) if edited and model != YOU else ()))
            final = ModelAnswer(text or "", run.model, run.stop_reason) if text is not None else run
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

    async def _models(self) -> tuple[dict[ModelInfo, ModelProvider], dict[str, Message]]:
        found: dict[ModelInfo, ModelProvider] = {}
        problems: dict[str, Message] = {}
        for provider in self._providers():
            try:
                found |= dict.fromkeys(await provider.models(), provider)
            except ModelFailed as failed:
                problems["model"] = failed.message
        return found, problems

    def _refused(self, reply: Reply, trace: Trace) -> Answer:
        trace.reason = reply.reason
        return ended(trace.ask, reply, _REJECTED if reply.action is Action.DECLINE else _CLOSED)


class RootsMatter:
    """Folders a server wants to know."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def screen(self, ask: Ask, trace: Trace) -> Answer | None:
        """Nothing in a `roots/list` can be wrong."""
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Only what the person chose, and only folders that are there (ROOT-09, ROOT-10)."""
        question = RootsQuestion(ask, trace.findings, _decision(trace), self._workspace.roots)
        reply = await corridor.ask_person(ask, corridor.person.roots(question))
        if reply.action is not Action.ACCEPT:
            trace.reason = reply.reason
            return ended(ask, reply, _NO_ROOTS)
        chosen = reply.uris if isinstance(reply, RootsReply) else None
        if chosen is None:
            chosen = tuple(root.uri for root in self._workspace.shared_with(ask.origin.server))
        shared = tuple(root for root in self._workspace.roots if root.uri in chosen and not root.missing)
        return Answer(Outcome.ACCEPT, wire_roots(shared))


class ConnectMatter:
    """A new or changed server that wants to start."""

    def screen(self, ask: Ask, trace: Trace) -> Answer | None:
        """Say what a floating version or an unprotected address means."""
        command, args = str(ask.params.get("command", "")), cast("list[str]", ask.params.get("args", []))
        if _floats(command.rpartition("/")[2], args):
            trace.findings = (Finding(Severity.WARNING, say("connect.floating", command=command)),)
        url = str(ask.params.get("url", ""))
        if url and read_address(url).error == "link.not_https":
            trace.findings = (Finding(Severity.WARNING, say("connect.not_https")),)
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Nothing starts before the person agreed to the whole command."""
        question = ConnectQuestion(ask, trace.findings, _decision(trace))
        reply = await corridor.ask_person(ask, corridor.person.connect(question))
        trace.reason = reply.reason
        return Answer(Outcome(reply.action.value), {"action": reply.action.value})


def _approved(reply: Reply, draft: Draft, model: str) -> tuple[Draft, str]:
    if not isinstance(reply, RequestReply):
        return draft, model
    return reply.draft or draft, reply.model or model


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
                    "".join(pieces), event.model, event.stop_reason, event.tokens_in, event.tokens_out, took
                )
    raise ModelFailed(say("model.broken_answer"))


def _floats(command: str, args: list[str]) -> bool:
    """The command fetches whatever version is newest at the time it starts."""
    if command.removesuffix(".cmd").removesuffix(".exe") not in ("npx", "uvx", "bunx", "pipx"):
        return False
    package = next((arg for arg in args if not arg.startswith("-") and arg != "run"), "")
    return "==" not in package and "@" not in package[1:]
