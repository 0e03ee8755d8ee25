"""The face of every model provider."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from desktop_host.sampling.draft import Draft
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.messages import Message

YOU = "you"
"""The id of the model that is the person."""
PRACTICE = "practice"
"""The id of the small model that comes with the program."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that can be chosen.

    `id` is unique among all providers, `name` is the provider's own (`id` where empty), `provider` the provider's name
    in words. What is not known of it: `context` and `most_tokens` 0, `images`, `audio` and `tools` None, `tier` 0.
    `tier` is from 1 (small) to 5 (able). `local`: what is sent does not leave this computer.
    """

    id: str
    provider: str
    name: str = ""
    local: bool = False
    context: int = 0
    most_tokens: int = 0
    images: bool | None = None
    audio: bool | None = None
    tools: bool | None = None
    tier: int = 0

    @property
    def wire_name(self) -> str:
        """What its provider calls it."""
        return self.name or self.id


@dataclass(frozen=True, slots=True)
class Plan:
    """Exactly what will leave this computer, and what of the request cannot be expressed in it.

    `tool_names` gives the server's name of a tool by the name the provider is told. `no_tools`: whatever the model
    does, no tool use goes back (SMP-33).
    """

    wire: JsonObject
    losses: tuple[Message, ...] = ()
    tool_names: tuple[tuple[str, str], ...] = ()
    no_tools: bool = False


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The answer is whole. `stop_reason` in MCP's words; tokens are None where the provider does not say.

    `tool_uses` are MCP blocks, with the server's own names of the tools.
    """

    stop_reason: str
    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    tool_uses: tuple[JsonObject, ...] = ()


class ModelFailed(Exception):
    """The model gave no whole answer. `message` is for the person; secrets and bodies never stand in it."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


class ModelProvider(Protocol):
    """Where models come from. One object serves many requests."""

    async def models(self) -> tuple[ModelInfo, ...]:
        """The models to choose from, the preferred one first. Raises ModelFailed."""
        ...

    def plan(self, draft: Draft, model: ModelInfo) -> Plan:
        """The exact wire request. Pure."""
        ...

    def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        """Run a plan: pieces, then exactly one `Done`. Raises ModelFailed, also where the stream ends without it.

        Cancelling the iteration really ends the request.
        """
        ...
