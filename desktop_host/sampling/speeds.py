"""How fast models were here: measured at every run, remembered from one start to the next."""

import json
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic

_WEIGHT = 0.3
_LEAST = 8
"""Tokens below which a run says nothing about speed."""


class Speeds:
    """Tokens a second by model id, a moving average. A file that cannot be read or written costs only the memory."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._measured: dict[str, float] = {}
        try:
            found: Any = read_json(path) if path is not None else None
        except FileProblem:
            found = None
        if isinstance(found, dict):
            self._measured = {
                name: float(speed)
                for name, speed in cast("dict[str, Any]", found).items()
                if isinstance(speed, int | float) and not isinstance(speed, bool) and speed > 0
            }

    def of(self, model_id: str) -> float | None:
        """Tokens a second, None where it was never measured."""
        return self._measured.get(model_id)

    def measured(self, model_id: str, tokens: int | None, seconds: float | None) -> None:
        """Note a run. Blocking: it writes a file; call it in a thread."""
        if not tokens or not seconds or tokens < _LEAST:
            return
        now, before = tokens / seconds, self._measured.get(model_id)
        self._measured[model_id] = now if before is None else before + _WEIGHT * (now - before)
        if self._path is not None:
            try:
                write_atomic(self._path, json.dumps(self._measured, indent=1) + "\n")
            except FileProblem:
                return
