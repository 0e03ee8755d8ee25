"""Models that run on this computer already: the usual ports of loopback are asked, nothing else."""

import asyncio

from desktop_host.config.providers_file import ProviderEntry
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.provider import ModelFailed

_PORTS = (
    ("ollama", "Ollama", 11434),
    ("lmstudio", "LM Studio", 1234),
    ("llamacpp", "llama.cpp", 8080),
    ("vllm", "vLLM", 8000),
    ("custom", "Jan", 1337),
    ("custom", "KoboldCpp", 5001),
    ("custom", "text-generation-webui", 5000),
    ("custom", "GPT4All", 4891),
)
_LIMIT = 2.0


async def find_local() -> tuple[ProviderEntry, ...]:
    """The servers that answer with a list of models. All are asked at once; what is silent is left alone."""
    found = await asyncio.gather(*(_probe(*one) for one in _PORTS))
    return tuple(entry for entry in found if entry is not None)


async def _probe(preset: str, name: str, port: int) -> ProviderEntry | None:
    address = f"http://127.0.0.1:{port}/v1"
    try:
        async with asyncio.timeout(_LIMIT):
            models = await OpenAICompatible(address, (), lambda: None).models()
    except (ModelFailed, TimeoutError):
        return None
    return ProviderEntry(f"local-{port}", "openai-compatible", preset, name, address) if models else None
