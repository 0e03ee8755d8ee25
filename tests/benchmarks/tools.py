"""What the benchmarks share: folders of their own, servers, and how numbers are printed. They never assert times."""

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desktop_host.config.servers_file import ServerEntry

SERVERS = Path(__file__).parents[1] / "servers"


@contextmanager
def own_folders() -> Iterator[Path]:
    """The program's folders, fresh for this run; and no display but an off-screen one."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    with tempfile.TemporaryDirectory(prefix="desktop-host-bench-") as folder:
        for name in ("config", "data"):
            os.environ[f"DESKTOP_HOST_{name.upper()}_DIR"] = str(Path(folder) / name)
        yield Path(folder)


def faulty(name: str, era: str = "handshake") -> ServerEntry:
    """A server of `tests/servers/faulty.py`: its `echo` and its `flood` are what is measured here."""
    return ServerEntry(name, sys.executable, (str(SERVERS / "faulty.py"), "--era", era), era=era)


def scripted(folder: Path, name: str, steps: list[dict[str, Any]]) -> ServerEntry:
    """A server of `tests/servers/raw.py` whose tool "tool" goes through these steps."""
    script = folder / f"{name}.json"
    tools = [{"name": "tool", "inputSchema": {"type": "object"}}]
    script.write_text(json.dumps({"tools": tools, "calls": {"tool": steps}}), encoding="utf-8")
    return ServerEntry(name, sys.executable, (str(SERVERS / "raw.py"), "--script", str(script)), era="handshake")


def spread(milliseconds: Sequence[float]) -> str:
    """Median, least and most of some times."""
    least, most = min(milliseconds), max(milliseconds)
    return f"median {statistics.median(milliseconds):.1f} ms, {least:.1f} to {most:.1f}, n={len(milliseconds)}"
