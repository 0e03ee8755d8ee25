"""The face of every model provider."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from desktop_host.sampling.draft import Draft
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message

YOU = "you"
"""The id of the model that is the person."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that can be chosen. `id` is unique among all providers; `provider` is the provider's name in words."""

    id: str
    provider: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Exactly what will leave this computer, and what of the request cannot be expressed in it."""

    wire: JsonObject
    losses: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The answer is whole. `stop_reason` in MCP's words; tokens are None where the provider does not say."""

    stop_reason: str
    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None


class ModelFailed(Exception):
    """The model gave no whole answer. `message` is for the person; secrets and bodies never stand in it."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


class ModelProvider(Protocol):
    """Where models come from. One object serves many requests."""

    async def models(self) -> tuple[ModelInfo, ...]:
        """The models to choose from, the preferred one first."""
        ...

    def plan(self, draft: Draft, model: str) -> Plan:
        """The exact wire request. Pure."""
        ...

    def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        """Run a plan: pieces, then exactly one `Done`. Raises ModelFailed, also where the stream ends without it.

        Cancelling the iteration really ends the request.
        """
        ...
