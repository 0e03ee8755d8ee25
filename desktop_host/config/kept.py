"""Small private files that come back: one JSON file each, readable by the person alone, gone after a while."""

import asyncio
import contextlib
import json
import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

VERSION = 1
_UNFINISHED = 60.0
"""Seconds after which a file that was never finished is nobody's."""
_LARGEST = 4 * 1024 * 1024


class KeptFiles:
    """A folder of files, each by its key. Everything is done in one thread, in the order it was asked for.

    `folder` None: there are no files. Where `allowed` says no, nothing is kept, and what was kept is removed.
    `lifetime` and `clock` are seconds. What cannot be written or read is as good as not kept; nobody waits for it.
    """

    def __init__(
        self,
        folder: Path | None,
        lifetime: float,
        *,
        allowed: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._lifetime = lifetime
        self._allowed = allowed
        self._clock = clock
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="kept")

    async def keep(self, key: str, content: dict[str, Any]) -> bool:
        """Write a file in the place of an earlier one of this key. False: neither this nor the earlier one is kept."""
        text = json.dumps({"version": VERSION, "saved": self._clock(), **content})
        if self._folder is not None and self._allowed() and len(text) <= _LARGEST:
            return await self._do(self._write, self._folder, key, text)
        await self.drop(key)
        return False

    async def find(self, key: str) -> dict[str, Any] | None:
        """The content of a key, with `saved` in seconds since the epoch; None where there is none."""
        return None if self._folder is None else await self._do(self._read, self._folder / f"{key}.json")

    async def all(self) -> dict[str, dict[str, Any]]:
        """Everything that is kept, oldest first. What has expired, or must not be kept, is removed."""
        return {} if self._folder is None else await self._do(self._all, self._folder)

    async def drop(self, key: str) -> None:
        """Remove one."""
        if self._folder is not None:
            await self._do(self._remove, self._folder / f"{key}.json")

    async def clear(self) -> None:
        """Remove all."""
        if self._folder is not None:
            await self._do(self._clear, self._folder)

    async def close(self) -> None:
        """Finish what is under way."""
        await self._do(lambda: None)
        self._thread.shutdown(wait=False)

    async def _do(self, work: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)

    def _write(self, folder: Path, key: str, text: str) -> bool:
        written, path = folder / f".{key}", folder / f"{key}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            written.replace(path)
        except OSError:
            self._remove(written)
            self._remove(path)
            return False
        return True

    def _read(self, path: Path) -> dict[str, Any] | None:
        """The content of a file. One that is not ours, has expired or must not be kept is removed."""
        try:
            content: Any = json.loads(path.read_text(encoding="utf-8"))
            content["saved"] = saved = float(content["saved"]) if content["version"] == VERSION else -math.inf
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, ArithmeticError, RecursionError):
            saved, content = -math.inf, None
        if content is None or not self._allowed() or self._clock() - saved > self._lifetime:
            self._remove(path)
            return None
        return cast("dict[str, Any]", content)

    def _all(self, folder: Path) -> dict[str, dict[str, Any]]:
        for left_over in folder.glob(".*"):
            with contextlib.suppress(OSError):
                if self._clock() - left_over.stat().st_mtime > _UNFINISHED:
                    self._remove(left_over)
        found = {path.stem: self._read(path) for path in sorted(folder.glob("*.json"))}
        good = {key: content for key, content in found.items() if content is not None}
        return dict(sorted(good.items(), key=lambda item: item[1]["saved"]))

    def _remove(self, path: Path) -> None:
        with contextlib.suppress(OSError):
            path.unlink()

    def _clear(self, folder: Path) -> None:
        for path in folder.glob("*"):
            self._remove(path)
