"""What happens to an ask before the person sees it. There are no rules yet: everything is asked (issue 5)."""

from desktop_host.terms.asks import Ask, Decision, Effect, Finding
from desktop_host.terms.messages import say


def decide(ask: Ask, findings: tuple[Finding, ...]) -> Decision:
    """Decide on an ask. Without a rule that says otherwise, the person is asked."""
    return Decision(Effect.ASK, (say("decision.no_rule"),))
