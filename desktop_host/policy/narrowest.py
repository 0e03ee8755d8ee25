"""The narrowest useful rule for an ask: this server, this tool, this model, and no more than was asked for."""

import uuid

from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.rules import Kind, Rate, Rule, ServerMatch, When
from desktop_host.terms.asks import Effect

_PER_MINUTE = 20
"""Times a minute that a proposed rule allows at most."""


def narrowest(facts: Facts) -> Rule:
    """A rule for asks like this one: allow where a rule can allow such a thing, ask every time where none can."""
    allows = facts.kind not in (Kind.LINK, Kind.FORM, Kind.CONNECT)
    effect = Effect.ALLOW if allows else Effect.ASK
    sampling = facts.kind in (Kind.REQUEST, Kind.RESPONSE)
    when = When(
        server=server_match(facts.server),
        tool=facts.tools[0] if len(facts.tools) == 1 else None,
        model_in=facts.models[:1] or None if sampling else None,
        max_tokens_le=facts.max_tokens if sampling else None,
        has_tools=False if sampling and facts.has_tools is False else None,
        url_host=facts.url_host if facts.url_host and ":" not in facts.url_host else None,
    )
    return Rule(new_id(effect), effect, (facts.kind,), when, Rate(_PER_MINUTE, 60) if allows else None)


def server_match(server: ServerFacts) -> ServerMatch | None:
    """This very server: everything that decides what runs or is reached."""
    if not server.fingerprint:
        return None
    return ServerMatch(
        server_command=server.command or None, server_url=server.url or None, fingerprint=server.fingerprint
    )


def new_id(effect: Effect) -> str:
    """A name for a new rule that no other has."""
    return f"{effect.value}-{uuid.uuid4().hex[:8]}"
