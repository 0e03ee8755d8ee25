"""Which model answers, and the sentence that says why (SMP-19 to SMP-22).

What cannot do it is left out. The model that the person prefers comes first, then hints decide in their order, then
priorities, the person's before the server's; with none of these the person's order.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from desktop_host.sampling.draft import Draft
from desktop_host.sampling.models.provider import PRACTICE, YOU, ModelInfo
from desktop_host.terms.messages import Message, say

_TIERS = (
    (5, r"opus|\bsol\b|(?:o\d|gpt-[\d.]+)-pro|ultra|405b|671b"),
    (4, r"sonnet|terra|gpt-[5-9](?!.*(?:mini|nano))|gemini.*pro|70b|72b|large|\bo[34]\b"),
    (2, r"haiku|mini\b|flash|luna|small|(?<![\d.])[78]b\b|lite"),
    (1, r"nano|tiny|135m|270m|(?<![\d.])[0-3](?:\.\d)?b\b"),
)
_PRIORITIES = ("cost", "speed", "intelligence")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The model suggested for a request, among all that there are, and why. `unable` says why others cannot do it."""

    model: ModelInfo
    models: tuple[ModelInfo, ...]
    why: Message
    unable: tuple[tuple[str, Message], ...] = ()


@dataclass(frozen=True, slots=True)
class Measures:
    """What models are compared by: dollars for a million tokens and tokens a second, None where unknown."""

    price: Callable[[ModelInfo], float | None] = lambda model: 0.0 if model.local else None
    speed: Callable[[ModelInfo], float | None] = lambda model: None


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person prefers: a model by its id or name, and what weighs most: "server" leaves that to the server."""

    model: str = ""
    weigh: str = "server"


def suggest(
    draft: Draft,
    models: tuple[ModelInfo, ...],
    *,
    some_missing: bool = False,
    measures: Measures | None = None,
    wishes: Wishes | None = None,
) -> Suggestion:
    """Suggest a model. `some_missing`: some are set up that cannot be used now, which is then why the person writes."""
    real = [model for model in models if model.id != YOU]
    unable = tuple((model.id, why) for model in real if (why := unfit(draft, model)) is not None)
    able = [model for model in real if model.id not in dict(unable)]
    if not able:
        why = "model.why_none_able" if unable else "model.why_not_there" if some_missing else "model.why_you"
        you = next(model for model in models if model.id == YOU)
        return Suggestion(you, models, say(why), unable)
    wishes = wishes or Wishes()
    wished = next((model for model in able if wishes.model and wishes.model in (model.id, model.wire_name)), None)
    if wished is not None:
        return Suggestion(wished, models, say("model.why_preferred"), unable)
    for hint in draft.hints:
        fitting = [model for model in able if _matches(hint, model)]
        if fitting:
            best, _ = _best(_weights(draft, wishes), _but_practice(fitting), measures or Measures())
            return Suggestion(best, models, say("model.why_hint", hint=hint), unable)
    best, strongest = _best(_weights(draft, wishes), _but_practice(able), measures or Measures())
    if strongest and wishes.weigh == strongest and best.id != PRACTICE:
        return Suggestion(best, models, say(f"model.why_own_{strongest}"), unable)
    own = best == _but_practice(able)[0]
    return Suggestion(best, models, _why(draft, best, strongest, own=own), unable)


def unfit(draft: Draft, model: ModelInfo) -> Message | None:
    """Why a model cannot do this request, None where nothing speaks against it."""
    for kind, can in (("image", model.images), ("audio", model.audio)):
        if draft.holds(kind) and can is False:
            return say(f"model.no_{kind}")
    if draft.tools and draft.tool_choice != "none" and model.tools is False:
        return say("model.no_tools")
    if model.context and draft.rough_tokens >= model.context:
        return say("model.no_room", count=model.context)
    return None


def tier(model: ModelInfo) -> int:
    """How able a model is, from 1 to 5: the person's word, or a guess by its name."""
    if model.tier:
        return model.tier
    return next((found for found, names in _TIERS if re.search(names, model.wire_name.lower())), 3)


def _matches(hint: str, model: ModelInfo) -> bool:
    """Hints are parts of model names, in whatever case and with whatever separators."""
    wanted = _plain(hint)
    return bool(wanted) and (wanted in _plain(model.wire_name) or wanted in _plain(model.id))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold().rpartition("/")[2])


def _but_practice(models: list[ModelInfo]) -> list[ModelInfo]:
    """The practice model is for who has no other."""
    return [model for model in models if model.id != PRACTICE] or models


def _weights(draft: Draft, wishes: Wishes) -> dict[str, float]:
    if wishes.weigh in _PRIORITIES:
        return {name: float(name == wishes.weigh) for name in _PRIORITIES}
    return {name: draft.priority(name) for name in _PRIORITIES}


def _best(weights: dict[str, float], models: list[ModelInfo], measures: Measures) -> tuple[ModelInfo, str]:
    """The best by these priorities, and the strongest of them; the first where there are none."""
    strongest = max(weights, key=lambda name: weights[name])
    if not weights[strongest]:
        return models[0], ""
    ranks = {
        "cost": _ranks([_negative(measures.price(model)) for model in models]),
        "speed": _ranks([measures.speed(model) for model in models]),
        "intelligence": _ranks([float(tier(model)) for model in models]),
    }
    scores = [sum(weights[name] * ranks[name][place] for name in _PRIORITIES) for place in range(len(models))]
    return models[max(range(len(models)), key=lambda place: (scores[place], -place))], strongest


def _ranks(values: list[float | None]) -> list[float]:
    """Values as shares from 0 (worst) to 1 (best); what is unknown is in the middle."""
    known = sorted({value for value in values if value is not None})
    if len(known) < 2:
        return [0.5] * len(values)
    return [0.5 if value is None else known.index(value) / (len(known) - 1) for value in values]


def _negative(value: float | None) -> float | None:
    return None if value is None else -value


def _why(draft: Draft, model: ModelInfo, strongest: str, *, own: bool) -> Message:
    """The sentence. `own`: it is the first of the person's models, whatever the priorities say."""
    if model.id == PRACTICE:
        return say("model.why_practice")
    if strongest and not (own and draft.hints):
        return say(f"model.why_{strongest}")
    return say("model.why_no_hint_fits", hint=draft.hints[0]) if draft.hints else say("model.why_only")
