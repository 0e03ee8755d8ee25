"""Sentences as data: a key and its values, put into words by whoever shows them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence below the windows. `ui/messages.py` holds the text of every `key`; `values` fill its places."""

    key: str
    values: tuple[tuple[str, str | int | float], ...] = ()

    @property
    def mapping(self) -> dict[str, str | int | float]:
        """The values by name."""
        return dict(self.values)


def say(key: str, /, **values: str | int | float) -> Message:
    """Build a `Message`; equal sentences are equal whatever the order of their values."""
    return Message(key, tuple(sorted(values.items())))
