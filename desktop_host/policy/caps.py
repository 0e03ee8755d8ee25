"""What administrators let models and servers use: `"caps": {"maxTokens": 4096, "models": ["claude-*", "local/*"]}`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from typing import Any

from desktop_host.policy.rules import CapsPart, PolicyFile


@dataclass(frozen=True, slots=True)
class Caps:
    """The most of everything, None where nobody says; and lists of patterns, of which each must let a model through.

    Costs are dollars. A day is a day of UTC.
    """

    max_tokens: int | None = None
    models: tuple[tuple[str, ...], ...] = ()
    sampling_per_minute_per_server: int | None = None
    requests_per_minute_per_server: int | None = None
    waiting_per_server: int | None = None
    tokens_per_day_per_server: int | None = None
    cost_per_day_per_server: float | None = None
    sources: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    """Which file says each of them, by its name here."""

    def allow(self, names: Sequence[str]) -> bool:
        """A model may be used, by any of the names it goes by."""
        plain = [name.casefold() for name in names]
        return all(any(fnmatchcase(name, one.casefold()) for name in plain for one in listed) for listed in self.models)


def caps_of(files: Iterable[tuple[str, PolicyFile]]) -> Caps:
    """The smallest of each cap, of files with where they come from; a model must be allowed by all that list some."""
    said = [(source, file.caps) for source, file in files]
    least: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for name in (one.name for one in fields(CapsPart) if one.name != "models"):
        found = [(value, source) for source, caps in said if (value := getattr(caps, name)) is not None]
        if found:
            least[name], sources[name] = min(found)
    models = tuple(caps.models for _, caps in said if caps.models is not None)
    return Caps(models=models, sources=sources, **least)
