"""What an administrator lets us keep of the person's answers: `"keep": {"drafts": false, "waitingAsks": false}`."""

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_host.policy.rules import PolicyFile


@dataclass(frozen=True, slots=True)
class Keeping:
    """May drafts of forms be kept, asks of modern servers that wait when the program ends, and, in the record, what
    was entered, asked and answered."""

    drafts: bool = True
    waiting_asks: bool = True
    values: bool = True


def keeping_of(files: Iterable[PolicyFile]) -> Keeping:
    """What all files let be kept: one "no" is a no."""
    said = [file.keep for file in files]
    return Keeping(
        all(one.drafts for one in said), all(one.waiting_asks for one in said), all(one.values for one in said)
    )
