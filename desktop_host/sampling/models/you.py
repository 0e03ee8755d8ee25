"""The person as the model: always there, sends nothing anywhere."""

from collections.abc import AsyncIterator

from desktop_host.sampling.draft import Draft
from desktop_host.sampling.models.provider import YOU, Done, ModelInfo, Plan, TextDelta


class You:
    """An empty answer for the person to write."""

    async def models(self) -> tuple[ModelInfo, ...]:
        """The one model: you."""
        return (ModelInfo(YOU, YOU, local=True, images=True, audio=True, tools=False),)

    def plan(self, draft: Draft, model: ModelInfo) -> Plan:
        """Nothing leaves this computer."""
        return Plan({}, no_tools=True)

    async def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        """Nothing yet: the person writes in the next step."""
        yield Done("endTurn", YOU)
