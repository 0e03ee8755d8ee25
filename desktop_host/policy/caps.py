"""What administrators let models and servers use: `"caps": {"maxTokens": 4096, "models": ["claude-*", "local/*"]}`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase

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

    def allow(self, names: Sequence[str]) -> bool:
        """A model may be used, by any of the names it goes by."""
        plain = [name.casefold() for name in names]
        return all(any(fnmatchcase(name, one.casefold()) for name in plain for one in listed) for listed in self.models)


def caps_of(files: Iterable[PolicyFile]) -> Caps:
    """The smallest of each cap; a model must be allowed by all files that list some."""
    said = [file.caps for file in files]
    numbers = [one.name for one in fields(CapsPart) if one.name != "models"]
    least = {name: min((v for one in said if (v := getattr(one, name)) is not None), default=None) for name in numbers}
    return Caps(models=tuple(one.models for one in said if one.models is not None), **least)
