"""The demo's story in the terminal, for machines without a display: with prompts, or with a scripted person."""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

from desktop_host.asks.person import Action, LinkQuestion, LinkReply, Person, Question, Reply, ResponseQuestion
from desktop_host.cli.answers import AnswersPerson, ScriptedAnswer
from desktop_host.cli.display import PACKAGES, missing_libraries
from desktop_host.cli.terminal import TerminalPerson
from desktop_host.cli.words import english
from desktop_host.commands import trip_documents
from desktop_host.config.paths import data_dir
from desktop_host.config.processes import PICTURE, own_command
from desktop_host.config.servers_file import ServerEntry
from desktop_host.host import Host
from desktop_host.servers.bundled import HttpDemo, stdio_demo
from desktop_host.terms.asks import AskKind
from desktop_host.terms.events import CallChanged, Event, Recorded
from desktop_host.terms.state import CallStatus
from desktop_host.ui.visible import visible

_TOOLS = ("book_trip", "find_best_flight", "connect_airline", "list_trip_documents", "plan_everything")
_ANSWERS = (
    ScriptedAnswer(
        kind="form", fields=("seat",), enter={"confirm": True, "seat": "Window", "room": "Sea view", "insurance": True}
    ),
    ScriptedAnswer(kind="form", fields=("email",), enter={"name": "Maria Lopez", "email": "maria@example.org"}),
    ScriptedAnswer(
        kind="sampling", model="you", text="Take the morning flight with one stop or none that costs the least."
    ),
    ScriptedAnswer(kind="url"),
    ScriptedAnswer(kind="roots"),
)
_PICTURE_LIMIT = 90


def tell(*, demo: bool) -> int:
    """Say that there is no display; for the demo, tell its story here. Returns the exit code."""
    _say("There is no display to show windows on." + _missing())
    if not demo:
        _say("Use `desktop-host call` for single calls, or `desktop-host demo` for a story in the terminal.")
        return 3
    asyncio.run(_tell())
    _picture()
    return 0


class StoryPerson(AnswersPerson):
    """The scripted person of the story. Shown doing what a person would do, the airline's page included."""

    def __init__(self) -> None:
        super().__init__(_ANSWERS, _unsaid)

    def _reply(self, question: Question) -> Reply | ScriptedAnswer:
        answer = super()._reply(question)
        asked = question.ask.params.get("message") or _ASKED.get(question.ask.kind, "")
        if not isinstance(question, ResponseQuestion):
            _say(f"asked ({question.ask.kind.value}): {asked}")
        if isinstance(answer, ScriptedAnswer) and answer.enter:
            _scripted("enters " + ", ".join(f"{name}: {entry}" for name, entry in answer.enter.items()))
        if isinstance(answer, ScriptedAnswer) and isinstance(question, ResponseQuestion):
            _scripted(f"writes: {answer.text}")
        return answer

    async def link(self, question: LinkQuestion) -> LinkReply | Reply:
        """Complete the page over HTTP, as the person would in the browser."""
        if not question.ask.repeated:
            self._reply(question)
            _scripted(f"looks at the whole address, host {question.address.host}, and agrees to open it")
            status = await asyncio.to_thread(_complete_page, question.address.url)
            _scripted(f"completes the page in the browser's stead: POST {question.address.url} -> {status}")
        return LinkReply(Action.ACCEPT)


async def _tell() -> None:
    prompts = sys.stdin.isatty()
    person: Person = TerminalPerson() if prompts else StoryPerson()
    if not prompts:
        _say("Nobody is at this terminal, so a scripted person answers; their lines begin with [scripted person].")
    host, online = Host(person, _heard, keeps=False), HttpDemo()
    documents = trip_documents()
    try:
        for entry in (stdio_demo(), await online.start()):
            await _meet(host, entry, documents)
    finally:
        await host.close()
        await online.close()


async def _meet(host: Host, entry: ServerEntry, documents: Path) -> None:
    host.add(entry, trusted=True)
    host.workspace.offer(str(documents), entry.name, "Barcelona trip")
    reason = await host.start(entry.name)
    if reason is not None:
        _say(english(reason))
        return
    state = host.connection(entry.name).state
    _say(f"\n=== {entry.name}: travel planner, {state.revision} ({state.era} era), {len(state.tools)} tools ===")
    for tool in _TOOLS:
        _say(f"\n--- {tool} ---")
        call = await host.call(entry.name, tool, {})
        for block in (call.result or {}).get("content", []):
            _say(f"result: {block.get('text', block)}")
        if call.error is not None:
            _say(f"no result: {english(call.error)}")


def _heard(event: Event) -> None:
    if isinstance(event, Recorded):
        _say(f"  {event.record.outcome.value}: {json.dumps(event.record.answer, ensure_ascii=False)}")
    elif isinstance(event, CallChanged) and event.state.status is CallStatus.RUNNING and event.state.progress_text:
        _say(f"progress: {event.state.progress_text}")


_ASKED = {AskKind.SAMPLING: "which of 47 flights is best?", AskKind.ROOTS: "which folders may I know?"}


def _complete_page(url: str) -> int:
    request = urllib.request.Request(url, data=b"n=SA+4711+0815", method="POST")
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.status


def _picture() -> None:
    """Render the windows off screen in a process of their own: Qt ends the process where its libraries are missing."""
    out = data_dir() / "demo" / "windows.png"
    out.parent.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    try:
        done = subprocess.run(
            own_command(PICTURE, str(out)), env=environment, timeout=_PICTURE_LIMIT, capture_output=True, check=False
        )
        drawn = done.returncode == 0
    except subprocess.TimeoutExpired:
        drawn = False
    if drawn:
        _say(f"\nA picture of the windows is saved at {out}")
    else:
        _say(f"\nThe windows could not be drawn: libraries of Qt are missing. On Debian: apt install {PACKAGES}")


def _missing() -> str:
    missing = missing_libraries() if sys.platform.startswith("linux") else ()
    return f" Missing libraries: {', '.join(missing)}. On Debian: apt install {PACKAGES}" if missing else ""


def _unsaid(_text: str) -> None:
    """What the scripted person notes by itself is told better by the story."""


def _scripted(text: str) -> None:
    _say(f"[scripted person] {text}")


def _say(text: str) -> None:
    sys.stdout.write(visible(text) + "\n")
    sys.stdout.flush()
