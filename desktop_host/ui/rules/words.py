"""Rules and decisions in words and icons, for every page that shows them."""

import html
from collections.abc import Mapping, Sequence

from desktop_host.policy.rules import Rule
from desktop_host.policy.sentences import words_of
from desktop_host.terms.asks import Effect, Layer, Step
from desktop_host.terms.messages import Message
from desktop_host.ui.text import is_chinese, tr, words
from desktop_host.ui.visible import one_line, visible

EFFECTS = {
    Effect.ALLOW: ("check", "ok"),
    Effect.ASK: ("ask", "accent"),
    Effect.DENY: ("ban", "bad"),
}
"""The icon of an effect, and the kind of its badge."""
TONES = {Effect.ALLOW: "ok", Effect.ASK: "accent_text", Effect.DENY: "bad"}


def effect_words(effect: Effect) -> str:
    """An effect in a word."""
    return {Effect.ALLOW: tr("Allow"), Effect.ASK: tr("Ask"), Effect.DENY: tr("Deny")}[effect]


def layer_words(layer: Layer) -> str:
    """Whose rule it is, in a word or two."""
    return {
        Layer.FLOOR: tr("Built in"),
        Layer.MANAGED: tr("Administrator"),
        Layer.USER: tr("You"),
        Layer.SESSION: tr("You, for now"),
    }[layer]


def all_of(names: Sequence[str]) -> str:
    """Several things as one: "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    comma = "、" if is_chinese() else ", "
    return tr("{some} and {last}").format(some=comma.join(names[:-1]), last=names[-1])


def sentence(rule: Rule, names: Mapping[str, str] | None = None) -> str:
    """A rule as a sentence. `names`: what the person calls servers, by their fingerprints."""
    return _put_together(rule, names or {}, strong=False)


def rich_sentence(rule: Rule, names: Mapping[str, str] | None = None) -> str:
    """The same with what varies in bold; every word of it is escaped."""
    return _put_together(rule, names or {}, strong=True)


def _put_together(rule: Rule, names: Mapping[str, str], *, strong: bool) -> str:
    parts = words_of(rule)
    kinds = all_of([words(kind) for kind in parts.kinds])
    conditions = [_condition(message, rule, names, strong=strong) for message in parts.conditions]
    comma = "，" if is_chinese() else ", "
    between = "：" if is_chinese() else " "
    told = between + comma.join(conditions) if conditions else ""
    plain_kinds = f"<b>{html.escape(kinds)}</b>" if strong else kinds
    head = words(parts.head)
    whole = (html.escape(head) if strong else head).format(kinds=plain_kinds, conditions=told)
    also = " ".join(words(one) for one in parts.also)
    return f"{whole} {html.escape(also) if strong else also}".strip()


def _condition(message: Message, rule: Rule, names: Mapping[str, str], *, strong: bool) -> str:
    server = rule.when.server
    name = names.get(server.fingerprint or "") if server is not None else None
    if message.key == "when.server" and name is not None:
        message = Message(message.key, (("wanted", f"{name} ({message.mapping['wanted']})"),))
    if not strong:
        return visible(words(message))
    marked = Message(message.key, tuple((name, f"\x02{value}\x03") for name, value in message.values))
    text = html.escape(visible(words(marked)))
    return text.replace("‹U+0002›", "<b>").replace("‹U+0003›", "</b>")


def step_words(step: Step) -> str:
    """A step of a decision, on one line."""
    if step.layer is Layer.FLOOR:
        return words(Message(f"floor.{step.rule}"))
    pattern = {
        Effect.ALLOW: tr("{whose} rule “{rule}” allows it."),
        Effect.ASK: tr("{whose} rule “{rule}” asks."),
        Effect.DENY: tr("{whose} rule “{rule}” denies it."),
    }[step.effect]
    whose = tr("The administrator’s") if step.layer is Layer.MANAGED else tr("Your")
    text = pattern.format(whose=whose, rule=one_line(step.rule))
    return text if step.counts else tr("Not used: {what}").format(what=text)


def step_details(step: Step) -> list[tuple[str, str, str]]:
    """What was there and what was wanted: icon, tone and words of each."""
    lines = [("check", "ok", words(one)) for one in step.matched]
    lines += [("close", "muted", words(one)) for one in step.missed]
    if step.why_not is not None:
        lines.append(("info", "muted", words(step.why_not)))
    if step.reason:
        lines.append(("pencil", "muted", tr("Its reason: {reason}").format(reason=visible(step.reason))))
    if step.source:
        lines.append(("form", "muted", f"{one_line(step.source)} {step.pointer}"))
    return lines
