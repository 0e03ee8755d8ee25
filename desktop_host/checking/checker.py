"""Checks of what servers send, in a child process that is killed when it takes too long."""

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import Any

from desktop_host.config.processes import CHECKER, own_command
from desktop_host.terms.asks import JsonObject

TIME_LIMIT = 1.0
"""Seconds one check may take; a 27-character pattern can otherwise freeze everything (platform.md A.2)."""
_START_LIMIT = 20.0
_LONGEST = 16 * 1024 * 1024
"""Bytes of one request; what is longer would not be checked in time anyway."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One way in which a value breaks its schema: JSON path, keyword, and the validator's own words."""

    path: tuple[str | int, ...]
    keyword: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a check. `unusable` says why the schema or pattern itself cannot be used, "" where it can.

    `unresolved` names a reference that leads out of the schema; it is never followed (BASE-15). `too_slow`: the check
    was killed at its time limit.
    """

    problems: tuple[Problem, ...] = ()
    unusable: str = ""
    unresolved: str = ""
    too_slow: bool = False

    @property
    def ok(self) -> bool:
        """Nothing speaks against the value."""
        return not (self.problems or self.unusable or self.unresolved or self.too_slow)


class Checker:
    """One checker process, started at the first check and again after a kill. Checks run one after another."""

    def __init__(self, time_limit: float = TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def schema(self, schema: JsonObject, instance: Any) -> Verdict:
        """Check a value against a JSON Schema (2020-12 where it declares no other, BASE-14)."""
        reply = await self._ask("schema", schema=schema, instance=instance)
        if reply is None:
            return Verdict(too_slow=True)
        problems = tuple(Problem(tuple(path), keyword, text) for path, keyword, text in reply.get("problems", ()))
        return Verdict(problems, str(reply.get("unusable", "")), str(reply.get("unresolved", "")))

    async def pattern(self, pattern: str, text: str) -> Verdict:
        """Check a text against an ECMA-262 pattern (ELF-30)."""
        reply = await self._ask("pattern", pattern=pattern, text=text)
        if reply is None:
            return Verdict(too_slow=True)
        if reply.get("unusable"):
            return Verdict(unusable=str(reply["unusable"]))
        return Verdict() if reply["matches"] else Verdict((Problem((), "pattern", pattern),))

    async def warm_up(self) -> None:
        """Start the process before somebody waits for it."""
        async with self._turn:
            await self._started()

    async def close(self) -> None:
        """End the process."""
        async with self._turn:
            await self._kill()

    async def _ask(self, what: str, **args: Any) -> dict[str, Any] | None:
        line = json.dumps({"what": what, "args": args}).encode() + b"\n"
        if len(line) > _LONGEST:
            return None
        async with self._turn:
            process = await self._started()
            assert process.stdin and process.stdout
            process.stdin.write(line)
            try:
                async with asyncio.timeout(self._time_limit):
                    await process.stdin.drain()
                    answer = await process.stdout.readline()
            except (TimeoutError, ConnectionError, ValueError):  # the last is an answer longer than `limit`
                await self._kill()
                return None
            except asyncio.CancelledError:
                await self._kill()
                raise
            if not answer:
                await self._kill()
                return None
            return json.loads(answer)

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            process = await asyncio.create_subprocess_exec(
                *own_command(CHECKER),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=16 * 1024 * 1024,
                start_new_session=True,
            )
            assert process.stdin and process.stdout
            # The first answer proves that its imports are done, so that they do not count against a check.
            process.stdin.write(b'{"what": "pattern", "args": {"pattern": "a", "text": "a"}}\n')
            try:
                async with asyncio.timeout(_START_LIMIT):
                    await process.stdout.readline()
            except BaseException:
                process.kill()
                raise
            self._process = process
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
