"""What the terminal prints: the English text of every sentence, with control characters made visible."""

import json
import re
import sys
from typing import Any

from desktop_host.ui.messages import english
from desktop_host.ui.visible import visible

__all__ = ["english", "json_text", "print_error"]

_UNSEEN = re.compile("[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON for a terminal: what would steer it, or hide, is spelled out, and the value is the same."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def print_error(text: str) -> None:
    """A line for the person, beside the output. Much of it is text from servers."""
    sys.stderr.write(visible(text) + "\n")
    sys.stderr.flush()
