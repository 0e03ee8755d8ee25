"""What windows may ask of the engine: awaitable commands with plain data in and out."""

import asyncio
import base64
import sqlite3
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

from desktop_host.asks.desk import Desk
from desktop_host.asks.person import FormQuestion, Reply
from desktop_host.audit.chain import Checked
from desktop_host.audit.reading import Part, Wanted
from desktop_host.config.files import FileProblem
from desktop_host.config.hosts import Source, other_hosts, read_source
from desktop_host.config.paths import data_dir
from desktop_host.config.plain_secrets import moved_secrets
from desktop_host.config.providers_file import ProviderEntry
from desktop_host.config.secrets import set_secret
from desktop_host.config.servers_file import ServerEntry
from desktop_host.config.trust import TRUST
from desktop_host.elicitation.check import check_form
from desktop_host.elicitation.form import Entry, Form
from desktop_host.host import Host
from desktop_host.policy.caps import Caps
from desktop_host.policy.policies import RulesState
from desktop_host.policy.rules import Rule
from desktop_host.policy.secrets import Found, find_secrets
from desktop_host.policy.simulate import Simulation
from desktop_host.sampling.catalog import Planned
from desktop_host.sampling.draft import Draft
from desktop_host.sampling.models.local import find_local
from desktop_host.sampling.models.provider import ModelFailed, ModelInfo
from desktop_host.servers.asking import Abandoned
from desktop_host.servers.bundled import HttpDemo, stdio_demo
from desktop_host.servers.calling import NotConnected
from desktop_host.servers.errors import call_error
from desktop_host.servers.sign_in import sign_out
from desktop_host.terms.asks import JsonObject
from desktop_host.terms.events import Event
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import Console, Traffic

DEMO_NAMES = ("Travel planner", "Travel planner online")
_TRIP_FILES = {
    "Itinerary Barcelona.txt": "15 June 2027  Berlin to Barcelona\n22 June 2027  Barcelona to Berlin\n",
    "Hotel voucher.txt": "Beach hotel, 7 nights, sea view\n",
    "Packing list.txt": "Sun hat, swimwear, passport\n",
}


_MOST_COMPLETIONS = 100
Result = TypeVar("Result")


class Commands:
    """The engine's side of every intent of the windows. A returned Message says what went wrong, None: nothing."""

    def __init__(self, tell: Callable[[Event], None], servers_file: Path | None, *, demo: bool) -> None:
        self._desk = Desk(tell)
        self.host = Host(self._desk, tell, servers_file=servers_file)
        self._http_demo = HttpDemo()
        self._demo = demo
        self._files = asyncio.Lock()  # changes of the person's files happen in the order they were made

    async def begin(self) -> None:
        """Load and start the person's servers, and the demo where wanted; checks get ready meanwhile.

        Then follow changes of the rules, until cancelled.
        """
        self.host.load_servers()
        self.host.announce()
        await self.host.remember_spent()
        await self.host.prune_record()
        starts: list[Coroutine[Any, Any, object]] = [self.host.start_all(), self.host.warm_up()]
        if self._demo:
            starts.insert(0, self.start_demo())
        starts.append(self.host.watch_rules())
        await asyncio.gather(self._resume(), *starts)

    async def close(self) -> None:
        """End everything."""
        await self.host.close()
        await self._http_demo.close()

    async def _resume(self) -> None:
        """What waited comes back at once; only the demo's servers must be there first. What has expired goes."""
        await self.kept()
        if not self._demo:
            await self.host.resume_calls()

    # asks

    async def reply(self, ask_id: str, reply: Reply) -> bool:
        """Hand in a person's reply; False where the ask waits no longer."""
        return self._desk.reply(ask_id, reply)

    async def check(self, form: Form, entries: Mapping[str, Entry]) -> tuple[dict[str, Message], tuple[Message, ...]]:
        """Everything that is wrong with a form as filled in so far, patterns and schema included, and its rules."""
        reading, notices = await check_form(self.host.checker, form, entries)
        return dict(reading.errors), notices

    async def keep_draft(self, question: FormQuestion, entries: Mapping[str, Entry]) -> None:
        """Keep what was typed into a form so far."""
        await self.host.drafts.keep(question.draft_key, entries, question.secrets)

    async def kept(self) -> Mapping[str, int]:
        """How many drafts of forms ("drafts") and waiting asks ("waiting") are kept on this computer."""
        return {name: len(await files.all()) for name, files in self.host.kept.items()}

    async def clear_kept(self, name: str) -> None:
        """Remove all drafts, or all waiting asks; those that are open now stay open until they are answered."""
        await (self.host.parked.clear() if name == "waiting" else self.host.kept[name].clear())

    async def plan(self, draft: Draft, model: str) -> Planned:
        """Exactly what would leave this computer for this draft, and what it would cost."""
        return await self.host.models.plan(draft, model)

    async def secrets(self, texts: tuple[str, ...]) -> tuple[tuple[Found, ...], ...]:
        """The secrets in each of these texts, and where the person wants it what tells of people."""
        personal = self.host.settings["prompts.personal"] == "yes"
        return await asyncio.to_thread(
            lambda: tuple(find_secrets(text, gently=True, personal=personal) for text in texts)
        )

    # the record

    async def activity(self, wanted: Wanted, before: int = 0) -> Part | None:
        """Some entries of the audit log, newest first; None where it cannot be read."""
        try:
            return await self.host.log.part(wanted, before)
        except (OSError, sqlite3.Error):
            return None

    async def proof(self) -> Checked | None:
        """What the audit log's chain proves; None where it cannot be read."""
        try:
            return await self.host.log.proof()
        except (OSError, sqlite3.Error):
            return None

    # rules

    async def rules(self) -> RulesState:
        """All rules, how often they decided, and what is odd about them."""
        return await self.host.rules()

    async def caps(self) -> Caps:
        """What administrators allow at most."""
        return self.host.policies.caps

    async def put_rule(self, rule: Rule, *, for_session: bool = False) -> Message | None:
        """Add a rule of the person's, or change the one with its id."""
        if for_session:
            self.host.policies.put_for_session(rule)
            problem = None
        else:
            problem = await self._change_rules(self.host.policies.put, rule)
        await self.host.rules_changed()
        return problem

    async def remove_rule(self, rule_id: str) -> Message | None:
        """Take a rule of the person's away."""
        problem = await self._change_rules(self.host.policies.remove, rule_id)
        await self.host.rules_changed()
        return problem

    async def suspend_rules(self, suspended: bool) -> Message | None:
        """Ask the person about everything, or let rules allow again. It holds at once, kept or not."""
        return await self.change_settings({"rules.suspended": "yes" if suspended else "no"})

    async def simulate(self, rule: Rule | None = None) -> Simulation | None:
        """What the rules, with one more perhaps, would have decided otherwise; None where the record is unreadable."""
        try:
            return await self.host.simulate(rule)
        except (OSError, sqlite3.Error):
            return None

    async def _change_rules(self, change: Callable[..., object], *args: object) -> Message | None:
        async with self._files:
            return await _told(asyncio.to_thread(change, *args))

    # servers and calls

    async def start_demo(self) -> Message | None:
        """Start the bundled travel server in both eras, with a folder of trip documents to offer."""
        stdio, online = DEMO_NAMES
        try:
            documents = await asyncio.to_thread(trip_documents)
            entries = [stdio_demo(stdio), await self._http_demo.start(online)]
        except (OSError, TimeoutError) as error:
            return say("connect.failed", what=type(error).__name__)
        for entry in entries:
            try:
                self.host.workspace.offer(str(documents), entry.name, "Barcelona trip")
            except FileProblem as problem:
                return problem.message
            self.host.add(entry, trusted=True, removable=False)
        await self.host.resume_calls()
        await self.host.roots_changed()
        await asyncio.gather(*(self.host.start(entry.name) for entry in entries))
        return None

    async def start(self, name: str) -> Message | None:
        """Start a server."""
        return await self.host.start(name)

    async def stop(self, name: str) -> None:
        """Stop a server."""
        await self.host.stop(name)

    async def restart(self, name: str) -> Message | None:
        """Stop and start a server."""
        await self.host.stop(name)
        return await self.host.start(name)

    async def add(self, entry: ServerEntry) -> Message | None:
        """Add a server to `servers.json`."""
        async with self._files:
            return await _told(self.host.add_to_file(entry))

    async def other_hosts(self) -> list[Source]:
        """The servers that other hosts on this computer have."""
        return await asyncio.to_thread(other_hosts)

    async def read_source(self, path: str) -> Source:
        """The servers in a file of any host."""
        return await asyncio.to_thread(read_source, path, Path(path))

    async def import_servers(self, entries: Sequence[ServerEntry], *, move_secrets: bool) -> dict[str, Message]:
        """Add these servers without starting any; why some were not added, by name."""
        problems: dict[str, Message] = {}
        for entry in entries:
            made, secrets = moved_secrets(entry) if move_secrets else (entry, {})
            if entry.name in self.host.names():
                problems[entry.name] = say("servers.name_taken", name=entry.name)
                continue
            kept = [await _told(asyncio.to_thread(set_secret, name, value)) for name, value in secrets.items()]
            problem = next((one for one in kept if one is not None), None) or await self.add(made)
            if problem is not None:
                problems[entry.name] = problem
        return problems

    async def remove(self, name: str) -> Message | None:
        """Stop a server and take it out of `servers.json`."""
        await self.host.stop(name)  # it may take a while, and other changes of the files need not wait for it
        async with self._files:
            return await _told(self.host.remove(name))

    async def paste_address(self, server: str, address: str) -> bool:
        """Go on signing in with the address at which the browser ended; False where it is none."""
        return self.host.connection(server).paste_address(address)

    async def sign_out(self, server: str) -> None:
        """Stop a server, and forget its tokens and its registration."""
        await self.host.stop(server)
        await sign_out(self.host.connection(server).entry.url)

    async def accept_tool(self, server: str, tool: str) -> None:
        """Take a tool that changed as it is now."""
        self.host.accept_tool(server, tool)

    async def call(self, server: str, tool: str, arguments: JsonObject) -> str:
        """Begin a call; its id."""
        return self.host.begin_call(server, tool, arguments)

    async def cancel(self, call_id: str) -> None:
        """Cancel a call."""
        self.host.calls.cancel(call_id)

    async def read_resource(self, server: str, uri: str) -> tuple[JsonObject | None, Message | None]:
        """The raw result of `resources/read`, or why there is none. The server may ask the person (FEAT-22)."""
        return await self._requested(server, "resources/read", {"uri": uri})

    async def get_prompt(
        self, server: str, name: str, arguments: Mapping[str, str]
    ) -> tuple[JsonObject | None, Message | None]:
        """The raw result of `prompts/get`, or why there is none."""
        return await self._requested(server, "prompts/get", {"name": name, "arguments": dict(arguments)})

    async def complete(
        self, server: str, ref: JsonObject, name: str, value: str, given: Mapping[str, str]
    ) -> tuple[str, ...]:
        """What an argument of a prompt or of a template may go on with; none where nobody knows (FEAT-23, FEAT-24)."""
        context = {"context": {"arguments": dict(given)}} if given else {}
        params: JsonObject = {"ref": ref, "argument": {"name": name, "value": value}, **context}
        result, _ = await self._requested(server, "completion/complete", params)
        completion: Any = (result or {}).get("completion")
        found: Any = cast("JsonObject", completion).get("values") if isinstance(completion, dict) else None
        values = cast("list[object]", found) if isinstance(found, list) else []
        return tuple(one for one in values if isinstance(one, str))[:_MOST_COMPLETIONS]

    async def save_file(self, path: str, text: str, *, packed: bool) -> Message | None:
        """Write what a server sent to a file that the person chose; `packed`: it is in base 64."""

        def work() -> None:
            plain = text.encode("utf-8", "surrogatepass")
            Path(path).write_bytes(base64.b64decode(b"".join(plain.split()), validate=True) if packed else plain)

        try:
            await asyncio.to_thread(work)
        except OSError as error:
            return say("file.unwritable", file=path, what=error.strerror or type(error).__name__)
        except ValueError:
            return say("resource.broken")
        return None

    async def traffic(self, server: str, after: int) -> tuple[Traffic, ...]:
        """The messages to and from a server after so many; none of one that is gone."""
        if server not in self.host.names():
            return ()
        return self.host.connection(server).traffic.entries(after)

    async def message(self, server: str, number: int) -> str:
        """One of these messages as indented JSON, its secrets masked."""
        return await asyncio.to_thread(self.host.connection(server).traffic.message, number)

    async def export_traffic(self, server: str, path: str) -> Message | None:
        """Write all messages of a server to a file as lines of JSON, secrets masked."""
        log = self.host.connection(server).traffic

        def work() -> None:
            with Path(path).open("w", encoding="utf-8", errors="replace") as file:
                log.export(file)

        try:
            await asyncio.to_thread(work)
        except OSError as error:
            return say("file.unwritable", file=path, what=error.strerror or type(error).__name__)
        return None

    async def console(self, server: str) -> Console:
        """What a server wrote on stderr, and what its processes take. A server that is gone has an empty one."""
        if server not in self.host.names():
            return Console(())
        return await self.host.connection(server).console()

    async def follow_resource(self, server: str, uri: str, wanted: bool) -> Message | None:
        """Be told when a resource changes, or no longer."""
        return (await _result(self.host.connection(server).follow(uri, wanted)))[1]

    async def _requested(
        self, server: str, method: str, params: JsonObject
    ) -> tuple[JsonObject | None, Message | None]:
        return await _result(self.host.connection(server).request(method, params))

    # workspace and settings

    async def add_root(self, path: str) -> Message | None:
        """Add a workspace root."""
        return await self._change_roots(self.host.workspace.add, path)

    async def remove_root(self, uri: str) -> Message | None:
        """Remove a workspace root."""
        return await self._change_roots(self.host.workspace.remove, uri)

    async def exclude_root(self, path: str) -> Message | None:
        """Let a folder and what is in it never be a root by itself."""
        return await self._change_roots(self.host.workspace.exclude, path)

    async def include_root(self, path: str) -> Message | None:
        """Let a folder be a root again."""
        return await self._change_roots(self.host.workspace.include, path)

    async def other_folders(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Folders that were roots before, and those that are excluded."""
        return self.host.workspace.recent, self.host.workspace.excluded

    async def share_root(self, uri: str, server: str, shared: bool) -> Message | None:
        """Offer a root to a server, or no longer."""
        return await self._change_roots(self.host.workspace.share, uri, server, shared)

    async def _change_roots(self, change: Callable[..., object], *args: object) -> Message | None:
        async with self._files:
            problem = await _told(asyncio.to_thread(change, *args))
        await self.host.roots_changed()
        return problem

    async def change_settings(self, values: Mapping[str, str]) -> Message | None:
        """Set and save settings."""
        async with self._files:
            problem = await _told(asyncio.to_thread(self.host.settings.change, values))
        TRUST.ca_file = self.host.settings["network.ca_file"]
        if any(key.startswith("rules.") for key in values):
            self.host.ruling.follow_settings()
            await self.host.rules_changed()
        if any(key.startswith("record.") for key in values):
            await self.host.prune_record()
        return problem

    async def settings(self) -> Mapping[str, str]:
        """Every setting with its value."""
        return self.host.settings.as_dict()

    async def models(self) -> tuple[tuple[ModelInfo, ...], Message | None]:
        """The models there are now, or why some provider gives none."""
        return await self.host.models.models()

    async def providers(self) -> tuple[ProviderEntry, ...]:
        """The providers the person set up."""
        return self.host.providers_file.entries

    async def put_provider(self, entry: ProviderEntry, key: str | None = None) -> Message | None:
        """Add or change a provider. `key`: keep it in the keyring, "" removes it, None leaves it."""
        problem = await _told(asyncio.to_thread(set_secret, entry.key_name, key)) if key is not None else None
        if problem is not None:
            return problem
        async with self._files:
            return await _told(asyncio.to_thread(self.host.providers_file.put, entry))

    async def remove_provider(self, entry: ProviderEntry) -> Message | None:
        """Forget a provider and its key."""
        async with self._files:
            problem = await _told(asyncio.to_thread(self.host.providers_file.remove, entry.id))
        await _told(asyncio.to_thread(set_secret, entry.key_name, ""))  # without a keyring there is no key in it
        return problem

    async def test_provider(self, entry: ProviderEntry) -> tuple[tuple[ModelInfo, ...], Message | None]:
        """What a provider lists, whatever is chosen of it, or why it lists nothing."""
        try:
            return await self.host.providers.of(replace(entry, models=())).models(), None
        except ModelFailed as failed:
            return (), failed.message

    async def find_local(self) -> tuple[ProviderEntry, ...]:
        """Providers that run on this computer and are not set up yet."""
        known = {entry.base_url for entry in self.host.providers_file.entries}
        return tuple(entry for entry in await find_local() if entry.base_url not in known)

    async def problems(self) -> tuple[Message, ...]:
        """What is wrong with the person's files."""
        return (
            *self.host.problems,
            *self.host.settings.problems,
            *self.host.workspace.problems,
            *self.host.providers_file.problems,
            *self.host.policies.state().problems,
        )


async def _result(work: Coroutine[Any, Any, Result]) -> tuple[Result | None, Message | None]:
    """Do what a server has to answer: its result, or why there is none."""
    try:
        return await work, None
    except Abandoned as abandoned:
        return None, abandoned.message
    except NotConnected as missing:
        return None, missing.reason or say("call.not_connected")
    except Exception as error:  # noqa: BLE001  # whatever a server does ends here, in words
        return None, call_error(error, listed=True) or say("call.failed", what=type(error).__name__)


async def _told(work: Coroutine[Any, Any, object]) -> Message | None:
    """Do what may fail at the person's files, and say why it did."""
    try:
        await work
    except FileProblem as problem:
        return problem.message
    return None


def trip_documents() -> Path:
    """The folder of the demo's trip documents, made where it is missing."""
    folder = data_dir() / "demo" / "Barcelona trip"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _TRIP_FILES.items():
        path = folder / name
        if not path.exists():
            path.write_text(text, encoding="utf-8")
    return folder
