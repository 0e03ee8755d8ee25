"""What the terminal prints: the English text of every sentence, with control characters made visible."""

import sys

from desktop_host.ui.messages import english
from desktop_host.ui.visible import visible

__all__ = ["english", "print_error"]


def print_error(text: str) -> None:
    """A line for the person, beside the output. Much of it is text from servers."""
    sys.stderr.write(visible(text) + "\n")
    sys.stderr.flush()
