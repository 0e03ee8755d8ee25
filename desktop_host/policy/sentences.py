"""A rule as a sentence, in parts that any language can put together."""

from dataclasses import dataclass

from desktop_host.policy.conditions import in_utc, in_words, wanted_of
from desktop_host.policy.rules import Rule
from desktop_host.terms.asks import Obligations
from desktop_host.terms.messages import Message, say


@dataclass(frozen=True, slots=True)
class RuleWords:
    """`head` has places for all `kinds` and for the `conditions`; `also` is what comes with being allowed."""

    head: Message
    kinds: tuple[Message, ...]
    conditions: tuple[Message, ...]
    also: tuple[Message, ...]


def words_of(rule: Rule) -> RuleWords:
    """A rule in words."""
    conditions = [in_words(condition.name, wanted) for condition, wanted in wanted_of(rule.when)]
    if rule.rate is not None:
        conditions.append(say("when.rate", count=rule.rate.count, seconds=rule.rate.per_seconds))
    if rule.expires is not None:
        conditions.append(say("when.until", date=in_utc(rule.expires)))
    return RuleWords(
        say(f"rule.{rule.effect.value}", kinds="{kinds}", conditions="{conditions}"),
        tuple(say(f"kind.{kind.value}") for kind in dict.fromkeys(rule.kinds)),
        tuple(conditions),
        tuple(_also(rule.obligations)) if rule.obligations is not None else (),
    )


def _also(duties: Obligations) -> list[Message]:
    found = [say(f"also.redact.{kind}") for kind in duties.redact]
    if duties.clamp_max_tokens is not None:
        found.append(say("also.clamp", count=duties.clamp_max_tokens))
    if duties.notify:
        found.append(say("also.notify"))
    if duties.review_response:
        found.append(say("also.review"))
    return found
