"""What a model's tokens cost, from a price list that comes with the program; nothing is asked of the network."""

import functools
from dataclasses import dataclass

from desktop_host.sampling.models.provider import ModelInfo


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, read and written."""

    read: float
    written: float

    @property
    def blended(self) -> float:
        """One number to compare by: three tokens read for each one written."""
        return (3 * self.read + self.written) / 4

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """Dollars for so many tokens."""
        return (tokens_in * self.read + tokens_out * self.written) / 1_000_000


@functools.lru_cache(maxsize=512)
def price_of(model: ModelInfo) -> Price | None:
    """A model's price, None where the list does not know it; what runs on this computer costs nothing.

    The first call imports the list, 0.1 s: call it in a thread.
    """
    if model.local:
        return Price(0.0, 0.0)
    from genai_prices import Usage, calc_price

    try:
        found = calc_price(Usage(input_tokens=1_000_000, output_tokens=1_000_000), model_ref=model.wire_name)
    except LookupError:
        return None
    return Price(float(found.input_price), float(found.output_price))
