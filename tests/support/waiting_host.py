"""A Host in a process of its own whose person types a little into a form, thinks, and never comes to an end.

``python -m tests.support.waiting_host ENTRY.json``, where ENTRY holds a server's name, command, args and so on.
"""

import asyncio
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop_host.asks.person import FormQuestion, Reply
from desktop_host.config.servers_file import OAuthEntry, ServerEntry
from desktop_host.host import Host
from desktop_host.terms.events import Event
from tests.support.person import ScriptedPerson

ROOT = Path(__file__).parents[2]
TYPED = {"name": "Ad"}


async def killed_while_it_waits(entry: ServerEntry, folder: Path, **arguments: Any) -> None:
    """Let such a process call a server's tool, and kill it at once when its person has typed into the form."""
    place = folder / "waiting_host.json"
    text = json.dumps({"entry": asdict(entry), "arguments": arguments})
    await asyncio.to_thread(place.write_text, text, encoding="utf-8")
    argv = [sys.executable, "-m", "tests.support.waiting_host", str(place)]
    process = await asyncio.create_subprocess_exec(*argv, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert process.stdout
        async with asyncio.timeout(20):
            assert await process.stdout.readline() == b"typed\n"
    finally:
        process.kill()
        await process.wait()


async def main(place: Path) -> None:
    """Call the tool of a file's server."""
    about = json.loads(await asyncio.to_thread(place.read_text, encoding="utf-8"))
    given = about["entry"]
    entry = ServerEntry(**{**given, "args": tuple(given["args"]), "oauth": OAuthEntry(**given["oauth"])})

    async def type_and_think(question: FormQuestion) -> Reply:
        await host.drafts.keep(question.draft_key, TYPED, question.secrets)
        print("typed", flush=True)
        await asyncio.Event().wait()
        raise AssertionError

    def tell(event: Event) -> None:
        """Nobody looks."""

    host = Host(ScriptedPerson(form=type_and_think), tell)
    host.add(entry, trusted=True)
    await host.start(entry.name)
    await host.call(entry.name, "tool", about["arguments"])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
