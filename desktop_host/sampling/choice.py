"""Which model answers, and the sentence that says why (SMP-19 to SMP-22)."""

from dataclasses import dataclass

from desktop_host.sampling.draft import Draft
from desktop_host.sampling.models.provider import YOU, ModelInfo
from desktop_host.terms.messages import Message, say


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The model suggested for a request, among all that there are, and why."""

    model: ModelInfo
    models: tuple[ModelInfo, ...]
    why: Message


def suggest(draft: Draft, models: tuple[ModelInfo, ...], *, some_missing: bool = False) -> Suggestion:
    """Hints first, in order, as substrings of model names; then the first model; with none, the person writes.

    `some_missing`: models are set up that cannot be used now, which is then why the person writes.
    """
    real = [model for model in models if model.id != YOU]
    for hint in draft.hints:
        for model in real:
            if hint.lower() in model.id.lower():
                return Suggestion(model, models, say("model.why_hint", hint=hint))
    if real:
        why = say("model.why_no_hint_fits", hint=draft.hints[0]) if draft.hints else say("model.why_only")
        return Suggestion(real[0], models, why)
    return Suggestion(models[0], models, say("model.why_not_there" if some_missing else "model.why_you"))
