"""What the terminal prints: the English text of every sentence, with control characters made visible."""

import sys
from typing import Any

from desktop_host.terms.asks import Record
from desktop_host.terms.messages import Message
from desktop_host.ui.messages import english
from desktop_host.ui.visible import visible

__all__ = ["english", "print_error", "record_words", "visible"]


def print_error(text: str) -> None:
    """A line for the person, beside the output."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def record_words(record: Record) -> dict[str, Any]:
    """A record as `call` prints it: wire objects as they were, sentences in English."""

    def words(message: Message) -> str:
        return english(message)

    return {
        "kind": record.ask.kind.value,
        "server": record.ask.origin.server,
        "tool": record.ask.origin.tool,
        "params": record.ask.params,
        "findings": [
            {
                "severity": one.severity.value,
                "where": one.where,
                "key": one.message.key,
                "text": words(one.message),
            }
            for one in record.findings
        ],
        "decision": {
            "effect": record.decision.effect.value,
            "reasons": [words(reason) for reason in record.decision.reasons],
        },
        "outcome": record.outcome.value,
        "answer": record.answer,
        "errors": {name: words(message) for name, message in record.errors.items()},
        "notices": [words(message) for message in record.notices],
        "reason": record.reason,
        "edits": list(record.edits),
    }
