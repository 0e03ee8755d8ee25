"""What administrators let models be used for: `"caps": {"maxTokens": 4096, "models": ["claude-*", "local/*"]}`."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

from desktop_host.policy.managed import managed_files
from desktop_host.terms.asks import JsonObject

_NAMES = ("maxTokens", "models")


@dataclass(frozen=True, slots=True)
class Caps:
    """The most tokens an answer may have, None where nobody says; and lists of patterns, of which each must let a model
    through."""

    max_tokens: int | None = None
    models: tuple[tuple[str, ...], ...] = ()

    def allow(self, names: Sequence[str]) -> bool:
        """A model may be used, by any of the names it goes by."""
        plain = [name.casefold() for name in names]
        return all(any(fnmatchcase(name, one.casefold()) for name in plain for one in listed) for listed in self.models)


_NOTHING = Caps(models=((),))


def read_caps(places: Sequence[Path] | None = None) -> Caps:
    """Read the administrators' files: the smallest cap wins, and a model must be allowed by all.

    Fails closed: a file that cannot be read or understood allows no model.
    """
    said = [_said(policy) for policy in managed_files(places)]
    limits = [one.max_tokens for one in said if one.max_tokens is not None]
    return Caps(min(limits, default=None), tuple(listed for one in said for listed in one.models))


def _said(policy: JsonObject | None) -> Caps:
    caps: Any = policy.get("caps", {}) if policy is not None else None
    if not isinstance(caps, dict):
        return _NOTHING
    found = cast("JsonObject", caps)
    limit, models = found.get("maxTokens"), found.get("models")
    good_limit = limit is None or (isinstance(limit, int) and not isinstance(limit, bool) and limit > 0)
    listed = cast("list[Any]", models) if isinstance(models, list) else []
    good_models = models is None or (isinstance(models, list) and all(isinstance(one, str) for one in listed))
    if not found.keys() <= set(_NAMES) or not good_limit or not good_models:
        return _NOTHING
    return Caps(limit, (tuple(listed),) if models is not None else ())
