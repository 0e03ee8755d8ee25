"""The kinds of ask: what each is about, how it is put to the person, and what its answer is."""

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
from desktop_host.policy.facts import Facts
from desktop_host.policy.floating import floats
from desktop_host.terms.asks import Answer, Ask, Decision, Effect, Finding, Outcome, Severity, WireError
from desktop_host.terms.messages import Message, say
from desktop_host.workspace.roots import Workspace, wire_roots

_IMITATES = ("link.look_alike", "link.other_script")
_NO_ROOTS = WireError(-32603, "The user did not share any folders")


def decision_of(trace: Trace) -> Decision:
    assert trace.decision is not None  # the corridor decides before it lets a matter be put
    return trace.decision


def invalid(field: str, why: Message) -> Answer:
    return Answer(Outcome.REFUSED, error=WireError(-32602, f"Invalid {field}"), why=why)


class FormMatter:
    """A form to fill in."""

    def __init__(self, checker: Checker, drafts: Drafts) -> None:
        self._checker = checker
        self._drafts = drafts
        self._form = Form("", (), {})

    async def screen(self, ask: Ask, trace: Trace, about: Facts) -> Answer | None:
        """Read the schema; nothing in it can refuse the form, what cannot be drawn becomes a JSON field."""
        self._form = Form.from_params(ask.params)
        trace.findings = form_findings(self._form)
        trace.notices.extend(self._form.notices)
        trace.masked = frozenset(secret_fields(self._form))
        names = tuple(one.name for one in self._form.fields)
        trace.facts = replace(about, fields=names, credential_fields=bool(trace.masked))
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Ask until the answer satisfies the schema, or the person gives up: nothing else ever leaves (ELF-14)."""
        self._form = await without_wrong_defaults(self._checker, self._form)
        trace.notices[:] = self._form.notices
        key = draft_key(ask.origin, self._form)
        draft = await self._drafts.find(key, self._form)
        question = FormQuestion(ask, trace.findings, decision_of(trace), self._form, tuple(trace.masked), draft, key)
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

    async def screen(self, ask: Ask, trace: Trace, about: Facts) -> Answer | None:
        """Take the address apart; one that must not be opened is refused (ELU-07)."""
        url = ask.params.get("url")
        self._address = read_address(url if isinstance(url, str) else "")
        if self._address.error:
            return invalid("url", say(self._address.error))
        message = ask.params.get("message")
        hidden = [Finding(Severity.WARNING, say("text.hidden_characters"))] if hides(str(message or "")) else []
        found = look_at(self._address)
        if ask.signs_in:  # the address of a sign-in always names where the browser comes back to
            found = tuple(one for one in found if one.message.key != "link.redirect")
        trace.findings = (*found, *hidden)
        trace.facts = replace(
            about,
            url_scheme=self._address.url.partition(":")[0].casefold(),
            url_host=self._address.contacted,
            look_alike=any(finding.message.key in _IMITATES for finding in trace.findings),
        )
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Accept means consent to open (ELU-11); a browser that does not open is a cancel (ELU-12)."""
        question = LinkQuestion(ask, trace.findings, decision_of(trace), self._address)
        reply = await corridor.ask_person(ask, corridor.person.link(question))
        if reply.action is not Action.ACCEPT:
            trace.reason = reply.reason
            return ended(ask, reply)
        if isinstance(reply, LinkReply) and not reply.opened:
            return Answer(Outcome.FAILED, {"action": "cancel"}, why=say("link.no_browser"))
        return Answer(Outcome.ACCEPT, {"action": "accept"})


class RootsMatter:
    """Folders a server wants to know."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def screen(self, ask: Ask, trace: Trace, about: Facts) -> Answer | None:
        """Nothing in a `roots/list` can be wrong."""
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Only what the person chose, and only folders that are there (ROOT-09, ROOT-10).

        Where the rules allow it, the server is told of the folders that the person shared with it before.
        """
        if decision_of(trace).effect is Effect.ALLOW:
            return self._answer(self._shared(ask))
        question = RootsQuestion(ask, trace.findings, decision_of(trace), self._workspace.roots)
        reply = await corridor.ask_person(ask, corridor.person.roots(question))
        if reply.action is not Action.ACCEPT:
            trace.reason = reply.reason
            return ended(ask, reply, _NO_ROOTS)
        chosen = reply.uris if isinstance(reply, RootsReply) else None
        return self._answer(self._shared(ask) if chosen is None else chosen)

    def _shared(self, ask: Ask) -> tuple[str, ...]:
        return tuple(root.uri for root in self._workspace.shared_with(ask.origin.server))

    def _answer(self, chosen: tuple[str, ...]) -> Answer:
        shared = tuple(root for root in self._workspace.roots if root.uri in chosen and not root.missing)
        return Answer(Outcome.ACCEPT, wire_roots(shared))


class ConnectMatter:
    """A new or changed server that wants to start."""

    async def screen(self, ask: Ask, trace: Trace, about: Facts) -> Answer | None:
        """Say what a floating version or an unprotected address means."""
        command, args = str(ask.params.get("command", "")), cast("list[str]", ask.params.get("args", []))
        if floats(command, args):
            trace.findings = (Finding(Severity.WARNING, say("connect.floating", command=command)),)
        url = str(ask.params.get("url", ""))
        if url and read_address(url).error == "link.not_https":
            trace.findings = (Finding(Severity.WARNING, say("connect.not_https")),)
        return None

    async def put(self, ask: Ask, trace: Trace, corridor: Corridor) -> Answer:
        """Nothing starts before the person, or an administrator, agreed to the whole command."""
        if decision_of(trace).effect is Effect.ALLOW:
            return Answer(Outcome.ACCEPT, {"action": "accept"})
        question = ConnectQuestion(ask, trace.findings, decision_of(trace))
        reply = await corridor.ask_person(ask, corridor.person.connect(question))
        trace.reason = reply.reason
        return Answer(Outcome(reply.action.value), {"action": reply.action.value})
