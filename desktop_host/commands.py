"""What windows may ask of the engine: awaitable commands with plain data in and out."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_host.asks.desk import Desk
from desktop_host.asks.person import FormQuestion, Reply
from desktop_host.audit.chain import Checked
from desktop_host.audit.reading import Part, Wanted
from desktop_host.config.files import FileProblem, told
from desktop_host.config.paths import data_dir
from desktop_host.config.providers_file import ProviderEntry
from desktop_host.config.trust import TRUST
from desktop_host.elicitation.check import check_form
from desktop_host.elicitation.form import Entry, Form
from desktop_host.elicitation.screening import secret_fields
from desktop_host.host import Host
from desktop_host.policy.caps import Caps
from desktop_host.policy.policies import RulesState
from desktop_host.policy.rules import Rule
from desktop_host.policy.secrets import SECRETS, Marked, Masker, find_secrets
from desktop_host.policy.simulate import Simulation
from desktop_host.sampling.catalog import Planned
from desktop_host.sampling.draft import Draft
from desktop_host.sampling.models.local import find_local
from desktop_host.sampling.models.provider import ModelFailed, ModelInfo
from desktop_host.server_commands import ServerCommands
from desktop_host.servers.bundled import HttpDemo, stdio_demo
from desktop_host.terms.events import Event
from desktop_host.terms.messages import Message, say
from desktop_host.workspace_commands import WorkspaceCommands

_PRUNE = 3600.0
DEMO_NAMES = ("Travel planner", "Travel planner online")
_TRIP_FILES = {
    "Itinerary Barcelona.txt": "15 June 2027  Berlin to Barcelona\n22 June 2027  Barcelona to Berlin\n",
    "Hotel voucher.txt": "Beach hotel, 7 nights, sea view\n",
    "Packing list.txt": "Sun hat, swimwear, passport\n",
}


class Commands(ServerCommands, WorkspaceCommands):
    """The engine's side of every intent of the windows. A returned Message says what went wrong, None: nothing."""

    def __init__(self, tell: Callable[[Event], None], servers_file: Path | None, *, demo: bool) -> None:
        self._desk = Desk(tell)
        super().__init__(Host(self._desk, tell, servers_file=servers_file))
        self._http_demo = HttpDemo()
        self._demo = demo

    async def begin(self) -> None:
        """Load and start the person's servers, and the demo where wanted; checks get ready meanwhile.

        Then follow changes of the rules, until cancelled.
        """
        self.host.load_servers()
        at_start = self.host.names()  # one that is added meanwhile starts when the person says so
        self.host.announce()
        await self.host.remember_spent()
        await self.host.prune_record()
        starts: list[Coroutine[Any, Any, object]] = [self.host.start_all(at_start), self.host.warm_up()]
        if self._demo:
            starts.insert(0, self.start_demo())
        starts.append(self.host.watch_rules())
        starts.append(self._prune_again())
        await asyncio.gather(self._resume(), *starts)

    async def close(self) -> None:
        """End everything."""
        await self.host.close()
        await self._http_demo.close()

    async def _prune_again(self) -> None:
        """The program runs for weeks."""
        while True:
            await asyncio.sleep(_PRUNE)
            await self.host.prune_record()

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
        """Everything that is wrong with a form as filled in so far, patterns and schema included, and its rules.

        And which answers hold what looks like a secret, in fields that are not made for one.
        """
        reading, notices = await check_form(self.host.checker, form, entries)
        kinds = self.host.settings.chosen("prompts.marked") & SECRETS
        plain = {name: value for name, value in reading.content.items() if name not in secret_fields(form)}
        holding = await asyncio.to_thread(
            lambda: [
                name
                for name, value in plain.items()
                if isinstance(value, str) and find_secrets(value, kinds, gently=True)
            ]
        )
        return dict(reading.errors), (*notices, *(say("form.holds_secret", field=name) for name in holding))

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

    async def secrets(self, texts: tuple[str, ...]) -> Marked:
        """What there is in each of these texts of the kinds that the person wants marked."""
        kinds = self.host.settings.chosen("prompts.marked")
        found = await asyncio.to_thread(lambda: tuple(find_secrets(text, kinds, gently=True) for text in texts))
        return Marked(kinds, found)

    async def masked(self, text: str, kinds: frozenset[str]) -> str:
        """A text with words in the place of what is of these kinds."""
        return await asyncio.to_thread(Masker(kinds).text, text)

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

    async def locks(self) -> Mapping[str, str]:
        """What of the settings administrators have decided, and in which file."""
        return self.host.policies.locks()

    async def put_rule(self, rule: Rule, *, for_session: bool = False) -> Message | None:
        """Add a rule of the person's, or change the one with its id."""
        policies = self.host.policies
        problem = await self._change_rules(policies.put_for_session if for_session else policies.put, rule)
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
        async with self.files:
            return await told(asyncio.to_thread(change, *args))

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

    # settings

    async def change_settings(self, values: Mapping[str, str]) -> Message | None:
        """Set and save settings."""
        async with self.files:
            problem = await told(asyncio.to_thread(self.host.settings.change, values))
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
        """Add or change a provider. `key`: keep it, "" removes it, None leaves it. Says so where it ends with us."""
        until_end = await self.keep_secrets({entry.key_name: key}) if key is not None else None
        async with self.files:
            return await told(asyncio.to_thread(self.host.providers_file.put, entry)) or until_end

    async def remove_provider(self, entry: ProviderEntry) -> Message | None:
        """Forget a provider and its key."""
        async with self.files:
            problem = await told(asyncio.to_thread(self.host.providers_file.remove, entry.id))
        await self.keep_secrets({entry.key_name: ""})
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


def trip_documents() -> Path:
    """The folder of the demo's trip documents, made where it is missing."""
    folder = data_dir() / "demo" / "Barcelona trip"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in _TRIP_FILES.items():
        path = folder / name
        if not path.exists():
            path.write_text(text, encoding="utf-8")
    return folder
