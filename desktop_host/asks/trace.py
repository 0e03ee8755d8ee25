"""What is noted about an ask on its way, until it becomes a record."""

from dataclasses import dataclass, field

from desktop_host.policy.facts import Facts
from desktop_host.terms.asks import Answer, Ask, Decision, Finding, Record, Usage
from desktop_host.terms.messages import Message


@dataclass(slots=True)
class Trace:
    """The notes on one ask. `facts` is what the rules are held against, `response` the decision on a model's answer.

    `masked` names form fields whose values are never stored.
    """

    ask: Ask
    findings: tuple[Finding, ...] = ()
    facts: Facts | None = None
    decision: Decision | None = None
    response: Decision | None = None
    usage: list[Usage] = field(default_factory=list[Usage])
    errors: dict[str, Message] = field(default_factory=dict[str, Message])
    notices: list[Message] = field(default_factory=list[Message])
    reason: str = ""
    edits: tuple[str, ...] = ()
    differences: dict[str, str] = field(default_factory=dict[str, str])
    masked: frozenset[str] = frozenset()

    def record(self, answer: Answer, decision: Decision) -> Record:
        """The entry for the audit log."""
        # Error -32042 is answered by making the call again: nothing of ours leaves.
        sent = None if self.ask.waits and self.ask.errors_travel else answer.result
        if sent is None and answer.error is not None and self.ask.errors_travel:
            sent = {"error": {"code": answer.error.code, "message": answer.error.message}}
        notices = [*self.notices, *([answer.why] if answer.why else [])]
        return Record(
            self.ask,
            self.findings,
            self.decision or decision,
            answer.outcome,
            sent,
            dict(self.errors),
            tuple(notices),
            self.reason,
            self.edits,
            response=self.response,
            usage=tuple(self.usage),
            differences=dict(self.differences),
        )
