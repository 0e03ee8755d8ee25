"""The providers that the person set up, made from their entries; the practice model and the person beside them."""

from desktop_host.config.providers_file import ProviderEntry, ProvidersFile
from desktop_host.config.secrets import get_secret
from desktop_host.config.settings import Settings
from desktop_host.sampling.models import presets
from desktop_host.sampling.models.anthropic import Anthropic
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.practice import PracticeModel
from desktop_host.sampling.models.provider import ModelProvider
from desktop_host.sampling.models.you import You


class Providers:
    """All that answer requests to models."""

    def __init__(self, file: ProvidersFile, settings: Settings) -> None:
        self._file = file
        self._settings = settings
        self._practice = PracticeModel()

    def of(self, entry: ProviderEntry) -> ModelProvider:
        """The provider that an entry describes. Its key is read from the keyring at each request."""

        def key() -> str | None:
            return get_secret(entry.key_name)

        ca_file = self._settings["network.ca_file"]
        if entry.kind == "anthropic":
            title = entry.name or "Anthropic"
            return Anthropic(
                entry.models, key, base_url=entry.base_url, ca_file=ca_file, title=title, tiers=entry.tiers
            )
        preset = presets.BY_ID.get(entry.preset, presets.BY_ID["custom"])
        return OpenAICompatible(
            entry.base_url or preset.base_url,
            entry.models,
            key,
            preset=preset,
            ca_file=ca_file,
            title=entry.name or preset.title,
            tiers=entry.tiers,
        )

    def all(self) -> list[ModelProvider]:
        """The person's in their order, the practice model, and always the person."""
        return [*(self.of(entry) for entry in self._file.entries), self._practice, You()]

    async def close(self) -> None:
        """End the practice model."""
        await self._practice.close()
