"""What an administrator lets us keep of the person's answers: `"keep": {"drafts": false, "waitingAsks": false}`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from desktop_host.policy.managed import managed_files
from desktop_host.terms.asks import JsonObject

_NAMES: tuple[str, ...] = ("drafts", "waitingAsks")


@dataclass(frozen=True, slots=True)
class Keeping:
    """May drafts of forms be kept, and asks of modern servers that wait when the program ends."""

    drafts: bool = True
    waiting_asks: bool = True


def read_keeping(places: Sequence[Path] | None = None) -> Keeping:
    """Read the administrators' files: one "no" is a no.

    Fails closed: a file that cannot be read or understood lets nothing be kept.
    """
    allowed = dict.fromkeys(_NAMES, True)
    for policy in managed_files(places):
        said = _said(policy)
        allowed = {name: before and said[name] for name, before in allowed.items()}
    return Keeping(allowed["drafts"], allowed["waitingAsks"])


def _said(policy: JsonObject | None) -> dict[str, bool]:
    keep: Any = policy.get("keep", {}) if policy is not None else None
    if not isinstance(keep, dict) or not cast("JsonObject", keep).keys() <= set(_NAMES):
        return dict.fromkeys(_NAMES, False)
    return {name: cast("JsonObject", keep).get(name, True) is True for name in _NAMES}
