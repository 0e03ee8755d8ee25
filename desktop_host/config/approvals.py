"""Which servers the person let start: by what they are (their fingerprint), never by what they say."""

import json
import time
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir


class Approvals:
    """Fingerprints of approved servers with the time of approval. An unusable file approves nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or config_dir() / "approvals.json"
        self._approved: dict[str, float] = {}
        try:
            content = read_json(self._path)
        except FileProblem:
            content = None
        if isinstance(content, dict):
            stored = cast("dict[str, Any]", content).get("approved")
            if isinstance(stored, dict):
                self._approved = {
                    str(key): float(when)
                    for key, when in cast("dict[str, Any]", stored).items()
                    if isinstance(when, int | float)
                }

    def first_seen(self, fingerprint: str) -> float | None:
        """When this very server was approved, seconds since the epoch, or None."""
        return self._approved.get(fingerprint)

    def approve(self, fingerprint: str) -> None:
        """Remember an approval. Blocking. Raises FileProblem."""
        self._approved[fingerprint] = time.time()
        write_atomic(self._path, json.dumps({"version": 1, "approved": self._approved}, indent=2) + "\n")
