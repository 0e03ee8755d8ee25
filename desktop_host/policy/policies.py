"""Everything that administrators and the person have laid down, as it holds now."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop_host.audit.reading import Use
from desktop_host.config.files import FileProblem, decode_text, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.config.servers_file import ServerEntry, ServersFile, parse_servers
from desktop_host.config.settings import Settings
from desktop_host.policy.caps import Caps, caps_of
from desktop_host.policy.conditions import server_matches
from desktop_host.policy.decide import Placed, Rulebook, Uses
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.keeping import Keeping, keeping_of
from desktop_host.policy.lint import Known, lint, shadowed
from desktop_host.policy.managed import ManagedFile, read_managed, signature
from desktop_host.policy.reading import Problem, Read, read_rules, rule_json
from desktop_host.policy.rules import VERSION, Kind, Rule, RulesFile
from desktop_host.terms.asks import Decision, Effect, Layer, Step
from desktop_host.terms.messages import Message, say

_SWITCHES = {
    "rules.allow_sampling": (Kind.REQUEST, Kind.RESPONSE),
    "rules.allow_roots": (Kind.ROOTS,),
    "rules.allow_tools": (Kind.TOOL_CALL,),
}
"""The person's settings that keep rules of theirs from allowing, and what they keep them from."""


@dataclass(frozen=True, slots=True)
class RulesState:
    """All rules as a window shows them. `restricted` and `user_allows_off` as in `Rulebook`; `suspended`: the person
    wants to be asked about everything. `problems` are those of all files, `read` is when (an epoch time).

    `oddities` are by layer and rule; `uses` tells how often a rule decided, and when last; `servers` are all there are.
    """

    rules: tuple[Placed, ...]
    managed: tuple[ManagedFile, ...]
    restricted: Message | None
    user_allows_off: Message | None
    suspended: bool
    problems: tuple[Message, ...]
    file: str
    read: float
    oddities: Mapping[tuple[Layer, str], tuple[Message, ...]] = field(
        default_factory=dict[tuple[Layer, str], tuple[Message, ...]]
    )
    uses: Mapping[str, Use] = field(default_factory=dict[str, Use])
    servers: tuple[ServerFacts, ...] = ()


class Policies:
    """Rules, caps and lists of servers. All methods but `decide` and `blocked` may touch files: call them in a thread.

    `places` are those of administrators' files, `path` the person's `rules.json`. `managed`: these files and no others.
    """

    def __init__(
        self,
        path: Path | None = None,
        places: Sequence[Path] | None = None,
        managed: tuple[ManagedFile, ...] | None = None,
    ) -> None:
        self._path = path or config_dir() / "rules.json"
        self._places = places
        self._given = managed
        self._session: tuple[Rule, ...] = ()
        self._suspended = False
        self._kinds_off: frozenset[Kind] = frozenset()
        self._uses: Uses = {}
        self._seen: object = None
        self._managed: tuple[ManagedFile, ...] = ()
        self._own: Read[RulesFile] = Read(RulesFile())
        self._read_at = 0.0
        self.caps = Caps()
        self.keeping = Keeping()
        self.book = Rulebook(())
        self.refresh()

    # what holds

    def decide(self, facts: Facts, *, after: Decision | None = None, use: bool = True) -> Decision:
        """Decide on an ask by all rules; see `Rulebook.decide`."""
        return self.book.decide(facts, after=after, use=use)

    def explain(self, facts: Facts) -> Decision:
        """What would be decided on an ask now, and why; the lists of servers have the first word."""
        why = self.blocked(facts.server)
        if why is None:
            return self.decide(facts, use=False)
        step = Step(Layer.MANAGED, Effect.DENY, True, "servers", str(why.mapping["file"]), "", "", (why,))
        return Decision(Effect.DENY, (why,), (step,))

    def follow(self, settings: Settings) -> None:
        """Let rules allow as much as the person's settings say."""
        self._suspended = settings["rules.suspended"] == "yes"
        off = (kind for key, kinds in _SWITCHES.items() if settings[key] == "no" for kind in kinds)
        self._kinds_off = frozenset(off)
        self._renew()

    def denied(self, server: ServerFacts) -> Message | None:
        """Which file of administrators denies a server by what it is or by its name, None where none does."""
        for managed in self._managed:
            if any(server_matches(one, server) for one in managed.file.denied_mcp_servers):
                return say("server.denied", file=managed.source)
        return None

    def blocked(self, server: ServerFacts) -> Message | None:
        """Why administrators do not let a server be used at all, None where they do. Its name plays no part in being
        allowed, only in being denied."""
        if (why := self.denied(server)) is not None:
            return why
        for managed in self._managed:
            allowed = managed.file.allowed_mcp_servers
            if allowed is not None and not any(one.certain and server_matches(one, server) for one in allowed):
                return say("server.not_allowed", file=managed.source)
        return None

    def offered(self) -> ServersFile:
        """The servers that administrators offer to everyone, of files that nobody else can have written."""
        entries: dict[str, ServerEntry] = {}
        problems: list[Message] = []
        for managed in self._managed:
            if managed.doubt is None and managed.file.servers:
                text = json.dumps({"mcpServers": {name: dict(body) for name, body in managed.file.servers.items()}})
                found = parse_servers(text, managed.source)
                problems += found.problems
                entries |= {name: one for name, one in found.entries.items() if name not in entries}
        return ServersFile(entries, tuple(problems))

    def locks(self) -> dict[str, str]:
        """What of the person's settings an administrator has decided, by its key, and in which file."""
        found: dict[str, str] = {}
        for managed in self._managed:
            keep = managed.file.keep
            decided = {"record.values": keep.values, "keep.drafts": keep.drafts, "keep.waiting": keep.waiting_asks}
            decided |= dict.fromkeys(_SWITCHES, managed.file.user_allow_rules)
            for key, free in decided.items():
                if not free:
                    found.setdefault(key, managed.source)
        return found

    def state(self, known: Sequence[Known] = ()) -> RulesState:
        """See `RulesState`; `known` are the servers there are, with their tools."""
        book = self.book
        return RulesState(
            book.rules,
            self._managed,
            book.restricted,
            book.user_allows_off,
            self._suspended,
            self._problems(),
            str(self._path),
            self._read_at,
            self._oddities(known),
            servers=tuple(one.server for one in known),
        )

    # changes

    def refresh(self) -> bool:
        """Read again what has changed; whether anything has."""
        seen = (signature(self._places), _signature(self._path))
        if seen == self._seen:
            return False
        self._seen = seen
        self._managed = read_managed(self._places) if self._given is None else self._given
        self._own = self._read_own()
        self._read_at = time.time()
        files = [one.file for one in self._managed]
        self.caps = caps_of((one.source, one.file) for one in self._managed)
        self.keeping = keeping_of(files)
        self._renew()
        return True

    def suspend(self, suspended: bool) -> None:
        """Ask the person about everything, or let rules allow again."""
        self._suspended = suspended
        self._renew()

    def put(self, rule: Rule) -> None:
        """Add a rule of the person's, or change the one with its id. Raises FileProblem."""
        rules = [rule if one.id == rule.id else one for one in self._own.file.rules]
        if rule not in rules:
            rules.append(rule)
        self._write(rules)
        self._forget_for_session(rule.id)

    def put_for_session(self, rule: Rule) -> None:
        """Add a rule that holds until the program ends; a lasting one with its id goes. Raises FileProblem."""
        lasting = [one for one in self._own.file.rules if one.id != rule.id]
        if len(lasting) < len(self._own.file.rules):
            self._write(lasting)
        self._session = (*(one for one in self._session if one.id != rule.id), rule)
        self._renew()

    def remove(self, rule_id: str) -> None:
        """Take a rule of the person's away. Raises FileProblem."""
        lasting = [one for one in self._own.file.rules if one.id != rule_id]
        if len(lasting) < len(self._own.file.rules) or all(one.id != rule_id for one in self._session):
            self._write(lasting)
        self._forget_for_session(rule_id)

    def _forget_for_session(self, rule_id: str) -> None:
        if any(one.id == rule_id for one in self._session):
            self._session = tuple(one for one in self._session if one.id != rule_id)
            self._renew()

    def with_rule(self, rule: Rule | None = None) -> Rulebook:
        """The rules as they are, or would be with one more, made anew for a simulation; suspended or not."""
        others = [
            one for one in self.book.rules if rule is None or one.layer is Layer.MANAGED or one.rule.id != rule.id
        ]
        more = [] if rule is None else [Placed(rule, Layer.USER, str(self._path))]
        return Rulebook(
            (*others, *more),
            restricted=self._doubt(),
            user_allows_off=self.book.user_allows_off,
            kinds_off=self._kinds_off,
        )

    def _doubt(self) -> Message | None:
        """Why administrators' files let nothing through."""
        return next((one.doubt for one in self._managed if one.doubt is not None), None)

    def _write(self, rules: Iterable[Rule]) -> None:
        if any(problem.message.key != "policy.same_id" for problem in self._own.problems):
            raise FileProblem(say("rules.mend_first", file=str(self._path)))
        content = {"version": VERSION, "rules": [rule_json(rule) for rule in rules]}
        write_atomic(self._path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
        self.refresh()

    def _read_own(self) -> Read[RulesFile]:
        try:
            text = decode_text(self._path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return Read(RulesFile())
        except (OSError, ValueError) as error:
            what = error.strerror if isinstance(error, OSError) else None
            why = say("file.unreadable", file=str(self._path), what=what or "UTF-8")
            # What was denied before is denied still: a file that cannot be read for a moment loosens nothing.
            return replace(self._own, problems=(Problem("", 0, 0, why),), narrowed=True)
        found = read_rules(text, str(self._path))
        if not found.problems:
            return found
        # A deny that cannot be read any more holds as it was read last.
        there = {rule.id for rule in found.file.rules}
        kept = (one for one in self._own.file.rules if one.effect is not Effect.ALLOW and one.id not in there)
        return replace(found, file=replace(found.file, rules=(*found.file.rules, *kept)))

    def _renew(self) -> None:
        placed = [
            Placed(rule, Layer.MANAGED, one.source, f"/rules/{number}")
            for one in self._managed
            for number, rule in enumerate(one.file.rules)
        ]
        placed += (
            Placed(rule, Layer.USER, str(self._path), f"/rules/{number}")
            for number, rule in enumerate(self._own.file.rules)
        )
        placed += (Placed(rule, Layer.SESSION) for rule in self._session)
        restricted = say("why.suspended") if self._suspended else self._doubt()
        off = None
        if not all(one.file.user_allow_rules for one in self._managed):
            off = say("why.user_rules_off")
        elif self._own.narrowed:
            off = say("why.user_rules_broken", file=str(self._path))
        self.book = Rulebook(
            placed, restricted=restricted, user_allows_off=off, kinds_off=self._kinds_off, uses=self._uses
        )

    def _oddities(self, known: Sequence[Known]) -> dict[tuple[Layer, str], tuple[Message, ...]]:
        found: dict[tuple[Layer, str], tuple[Message, ...]] = {}
        for layer in (Layer.MANAGED, Layer.USER):
            rules = [one.rule for one in self.book.rules if one.layer is layer]
            for one in lint(rules, time.time(), known or None):
                found[layer, one.rule] = (*found.get((layer, one.rule), ()), one.message)
        managed = [one.rule for one in self.book.rules if one.layer is Layer.MANAGED]
        for rule in (one.rule for one in self.book.rules if one.layer is Layer.USER):
            if rule.effect is Effect.ALLOW and self.book.user_allows_off is not None:
                why: Message | None = self.book.user_allows_off
            else:
                why = shadowed(rule, managed)
            if why is not None:
                found[Layer.USER, rule.id] = (*found.get((Layer.USER, rule.id), ()), why)
        return found

    def _problems(self) -> tuple[Message, ...]:
        managed = (
            say("policy.problem", file=one.source, line=problem.line, column=problem.column, what=problem.pointer)
            for one in self._managed
            for problem in one.problems
        )
        own = (
            say("policy.problem", file=str(self._path), line=problem.line, column=problem.column, what=problem.pointer)
            for problem in self._own.problems
        )
        return (*managed, *own)


def _signature(path: Path) -> object:
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns, facts.st_size
