"""Every model there is, with the provider that runs it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop_host.policy.caps import Caps
from desktop_host.sampling.choice import Measures, Suggestion, Wishes, suggest
from desktop_host.sampling.draft import Draft
from desktop_host.sampling.models.provider import PRACTICE, YOU, ModelFailed, ModelInfo, ModelProvider, Plan
from desktop_host.sampling.prices import price_of
from desktop_host.sampling.speeds import Speeds
from desktop_host.terms.asks import Usage
from desktop_host.terms.messages import Message, say


@dataclass(frozen=True, slots=True)
class Planned:
    """Exactly what would leave this computer, with what it would cost: dollars, as `rough` guess and at `most`."""

    plan: Plan
    rough: float | None = None
    most: float | None = None


class Catalog:
    """The models of all providers; `providers` gives them in the person's order, the person as the last."""

    def __init__(
        self,
        providers: Callable[[], list[ModelProvider]],
        speeds: Speeds,
        caps: Callable[[], Caps] = Caps,
        wishes: Callable[[], Wishes] = Wishes,
    ) -> None:
        self._providers = providers
        self._speeds = speeds
        self._caps = caps
        self._wishes = wishes
        self._turn = asyncio.Lock()
        self._known: dict[str, tuple[ModelInfo, ModelProvider]] = {}
        self._denied: tuple[ModelInfo, ...] = ()

    @property
    def caps(self) -> Caps:
        """What administrators let models be used for now."""
        return self._caps()

    async def models(self) -> tuple[tuple[ModelInfo, ...], Message | None]:
        """All models, and why some provider gives none. Names that two providers use are told apart."""
        providers = self._providers()
        found = await asyncio.gather(*(_models_of(provider) for provider in providers))
        known: dict[str, tuple[ModelInfo, ModelProvider]] = {}
        denied: list[ModelInfo] = []
        problem: Message | None = None
        for provider, (models, why) in zip(providers, found, strict=True):
            problem = problem or why
            for model in models:
                if model.id != YOU and not self.caps.allow(_names(model)):
                    denied.append(model)
                    continue
                own_id = _free_id(model, known)
                known[own_id] = (replace(model, id=own_id, name=model.wire_name), provider)
        self._known, self._denied = known, tuple(denied)
        return tuple(model for model, _ in known.values()), problem

    async def get(self, model_id: str) -> tuple[ModelInfo, ModelProvider] | None:
        """A model and its provider, by its id or by the provider's own name for it."""
        if model_id not in self._known:
            await self.models()
        by_name = (one for one in self._known.values() if one[0].wire_name == model_id)
        return self._known.get(model_id) or next(by_name, None)

    def why_not(self, model_id: str) -> Message:
        """Why a model is not among those that there are."""
        denied = any(model_id in _names(model) for model in self._denied)
        return say("model.denied", model=model_id) if denied else say("model.unknown", model=model_id)

    def names(self, model_id: str) -> tuple[str, ...]:
        """What a model goes by in a rule, after its id; none for the person, who is no model."""
        found = self._known.get(model_id)
        return () if found is None or model_id == YOU else _names(found[0])

    async def suggest(self, draft: Draft) -> tuple[Suggestion, Message | None]:
        """The model for a request, and why some cannot be used now."""
        models, problem = await self.models()
        async with self._turn:  # threads end in any order, and questions come in the order of their requests
            return await asyncio.to_thread(self._suggest, draft, models, problem is not None), problem

    async def plan(self, draft: Draft, model_id: str) -> Planned:
        """What would be sent, and what that would cost."""
        found = await self.get(model_id)
        if found is None or found[0].id == YOU:
            return Planned(Plan({}))
        model, provider = found
        plan = await asyncio.to_thread(provider.plan, draft, model)
        price = None if model.local else await asyncio.to_thread(price_of, model)
        if price is None:
            return Planned(plan)
        return Planned(plan, price.of(draft.rough_tokens, 0), price.of(draft.rough_tokens, draft.max_tokens))

    async def ran(self, model_id: str, tokens_in: int | None, tokens_out: int | None, seconds: float | None) -> Usage:
        """Remember how fast a model was; what the run used up."""
        await asyncio.to_thread(self._speeds.measured, model_id, tokens_out, seconds)
        found = self._known.get(model_id)
        price = await asyncio.to_thread(price_of, found[0]) if found is not None else None
        dollars = price.of(tokens_in or 0, tokens_out or 0) if price is not None else None
        return Usage(model_id, tokens_in, tokens_out, seconds, dollars)

    def _suggest(self, draft: Draft, models: tuple[ModelInfo, ...], some_missing: bool) -> Suggestion:
        measures = Measures(_blended, lambda model: self._speeds.of(model.id))
        found = suggest(draft, models, some_missing=some_missing, measures=measures, wishes=self._wishes())
        if self._denied and found.model.id == YOU and not found.unable:
            return replace(found, why=say("model.why_denied"))
        return found


def _names(model: ModelInfo) -> tuple[str, ...]:
    """What a model goes by in an administrator's list."""
    names = (model.id, model.wire_name, f"{model.provider}/{model.wire_name}")
    return (*names, f"local/{model.wire_name}") if model.local else names


def _free_id(model: ModelInfo, known: dict[str, tuple[ModelInfo, ModelProvider]]) -> str:
    """An id that no other model has; those of the person and of the practice model are theirs alone."""
    reserved = {YOU, PRACTICE} - {model.provider}
    ids = (model.id, *(f"{model.id} ({model.provider}{more})" for more in ("", *(f" {n}" for n in range(2, 100)))))
    return next(one for one in ids if one not in known and one not in reserved)


def _blended(model: ModelInfo) -> float | None:
    price = price_of(model)
    return price.blended if price else None


async def _models_of(provider: ModelProvider) -> tuple[tuple[ModelInfo, ...], Message | None]:
    try:
        return await provider.models(), None
    except ModelFailed as failed:
        return (), failed.message
