"""Endpoints people use, and what is odd about each (models_policy.md 1.5)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """An OpenAI-compatible endpoint. `limit_field` is its name for the longest answer; `tools`: it takes any.

    `base_url` "": the person gives it. `wants_key`: it answers nobody without one.
    """

    id: str = "custom"
    title: str = ""
    base_url: str = ""
    limit_field: str = "max_tokens"
    tools: bool = True
    wants_key: bool = False


PRESETS = (
    Preset("openai", "OpenAI", "https://api.openai.com/v1", "max_completion_tokens", wants_key=True),
    Preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", wants_key=True),
    Preset("gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", wants_key=True),
    Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
    Preset("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
    Preset("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
    Preset("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
    Preset(),
)
BY_ID = {preset.id: preset for preset in PRESETS}
