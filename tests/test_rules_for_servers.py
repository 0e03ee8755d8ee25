"""Which servers may be used, and what switches allowances off: decided for real processes, also while they run."""

import asyncio
import contextlib
import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import Action, FormReply, Reply, ResponseReply
from desktop_host.config.approvals import Approvals
from desktop_host.config.files import FileProblem
from desktop_host.config.paths import config_dir
from desktop_host.config.settings import Settings
from desktop_host.host import Host
from desktop_host.policy.facts import ServerFacts, facts_of
from desktop_host.policy.policies import Policies
from desktop_host.policy.rules import Kind
from desktop_host.terms.asks import Outcome
from desktop_host.terms.events import RulesChanged, ServerGone
from desktop_host.terms.messages import say
from desktop_host.terms.state import CallStatus, ServerStatus
from tests.support.model_server import ScriptedEndpoint
from tests.support.person import Pondering, ScriptedPerson, never
from tests.support.policy import laid_down
from tests.support.processes import living_descendants
from tests.support.rules import (
    SAMPLING_KINDS,
    argv,
    asked,
    by,
    counting,
    eras,
    given,
    keys,
    layers,
    of,
    passed_over,
    rule,
)
from tests.support.wire import FORM, ROOTS, SAMPLING, Json, RawServer, Wire, until
from tests.test_caps import provider

pytest_plugins = ("tests.support.fixtures",)

AS_IT_IS = ResponseReply(Action.ACCEPT)


# starting

CONNECT = "server.connect"


def known_to(host: Host, *servers: RawServer) -> None:
    """A host is told of servers as of those in the person's file."""
    for server in servers:
        host.add(server.entry)


def status(host: Host, name: str = "raw") -> tuple[ServerStatus, str | None]:
    state = host.connection(name).state
    return state.status, state.reason and state.reason.key


def runs(server: RawServer) -> bool:
    """A process of this server is alive."""
    return any(str(server.log) in words for words in living_descendants().values())


def approve(server: RawServer) -> None:
    """The person has let a server start in an earlier run."""
    Approvals().approve(server.entry.fingerprint)


@eras
async def test_a_new_server_starts_once_the_person_lets_it_and_is_not_asked_about_again(wire: Wire, era: str) -> None:
    server = wire.raw(era=era)
    thinking = Pondering(Reply(Action.ACCEPT))
    person = ScriptedPerson(connect=thinking)
    async with wire.run(person, policies=laid_down()) as host:
        known_to(host, server)
        starting = asyncio.create_task(host.start("raw"))
        await thinking.asked.wait()
        assert (runs(server), status(host)) == (False, (ServerStatus.OFF, None))
        [question] = person.questions
        assert [question.ask.params["command"], *question.ask.params["args"]] == argv(server)
        thinking.decide()
        assert await starting is None
        assert status(host) == (ServerStatus.READY, None)
        [entry] = await host.log.entries()
    assert (entry["kind"], entry["outcome"], keys(entry["decision"]["reasons"])) == (
        "connect",
        "accept",
        ["floor.new_server"],
    )
    facts = facts_of(entry["decision"]["facts"])
    assert facts is not None
    assert facts.kind is Kind.CONNECT
    assert facts.server == ServerFacts("raw", tuple(argv(server)), "", server.entry.fingerprint, False, sys.executable)

    person = ScriptedPerson()
    async with wire.run(person, policies=laid_down()) as host:
        known_to(host, server)
        assert await host.start("raw") is None
        assert await host.log.entries() == [entry]
    assert asked(person) == []


@eras
async def test_a_server_that_the_person_does_not_want_never_runs(wire: Wire, era: str) -> None:
    server = wire.raw(era=era)
    person = ScriptedPerson(connect=[Reply(Action.DECLINE, "who is that?"), Reply(Action.CANCEL)])
    async with wire.run(person, policies=laid_down()) as host:
        known_to(host, server)
        for _ in range(2):
            assert await host.start("raw") == say("connect.not_approved")
            assert status(host) == (ServerStatus.FAILED, "connect.not_approved")
        cancelled, declined = await host.log.entries()
    assert [(one["outcome"], one["reason"]) for one in (declined, cancelled)] == [
        ("decline", "who is that?"),
        ("cancel", ""),
    ]
    assert server.received() == []


async def test_a_server_that_became_another_is_asked_about(wire: Wire) -> None:
    server = wire.raw()
    approve(server)
    other = dataclasses.replace(server.entry, args=(*server.entry.args, "--protocol", "2025-06-18"))
    person = ScriptedPerson()
    async with wire.run(person, policies=laid_down()) as host:
        host.add(other)
        await host.start("raw")
    assert asked(person) == ["connect"]


async def test_a_name_that_was_trusted_makes_no_other_server_trusted(wire: Wire) -> None:
    server = wire.raw()
    other = dataclasses.replace(server.entry, args=(*server.entry.args, "--protocol", "2025-06-18"))
    person = ScriptedPerson(connect=Reply(Action.DECLINE))
    async with wire.run(person, server, policies=laid_down()) as host:
        await host.remove("raw")
        host.add(other)
        await host.start("raw")
    assert asked(person) == ["connect"]


@eras
async def test_an_administrator_may_let_a_new_server_start_by_its_whole_command(wire: Wire, era: str) -> None:
    server = wire.raw(era=era)
    person = ScriptedPerson()
    async with wire.run(person, policies=by("managed", rule("allow", CONNECT, when=of(server)))) as host:
        known_to(host, server)
        assert await host.start("raw") is None
        assert status(host) == (ServerStatus.READY, None)
        [entry] = await host.log.entries()
    assert asked(person) == []
    assert (entry["kind"], entry["outcome"], entry["decision"]["effect"]) == ("connect", "accept", "allow")
    [step] = entry["decision"]["steps"]
    assert (step["layer"], step["rule"], step["pointer"]) == ("managed", "the rule", "/rules/0")


async def test_an_administrators_rule_with_a_rate_lets_a_server_start_as_often_as_it_says(wire: Wire) -> None:
    one, other = wire.raw(name="one"), wire.raw(name="other")
    person = ScriptedPerson()
    rules = [
        rule("allow", CONNECT, id=server.name, when=of(server), rate={"count": 1, "perSeconds": 3600})
        for server in (one, other)
    ]
    async with wire.run(person, policies=by("managed", *rules)) as host:
        known_to(host, one, other)
        await host.start("one")
        await host.start("other")
    assert asked(person) == []


@pytest.mark.parametrize(
    ("transport", "when"),
    [
        ("stdio", {}),
        ("stdio", {"server": {"fingerprint": "its own"}}),
        ("http", {"server": {"serverUrl": "http://127.0.0.1:*/*"}}),
    ],
    ids=["of any server", "by fingerprint", "without https"],
)
async def test_an_administrators_rule_that_names_no_command_or_secure_address_does_not_replace_the_person(
    wire: Wire, transport: str, when: Json
) -> None:
    server = wire.raw(transport=transport)
    if "fingerprint" in when.get("server", {}):
        when = {"server": {"fingerprint": server.entry.fingerprint}}
    person = ScriptedPerson()
    async with wire.run(person, policies=by("managed", rule("allow", CONNECT, when=when))) as host:
        known_to(host, server)
        assert await host.start("raw") is None
        [entry] = await host.log.entries()
    assert asked(person) == ["connect"]
    assert [(step["layer"], step["effect"]) for step in entry["decision"]["steps"]] == [
        ("floor", "ask"),
        ("managed", "allow"),
    ]


@eras
async def test_a_rule_of_the_persons_does_not_let_a_new_server_start(wire: Wire, era: str) -> None:
    server = wire.raw(era=era)
    person = ScriptedPerson(connect=Reply(Action.DECLINE))
    async with wire.run(person, policies=by("user", rule("allow", CONNECT, when=of(server)))) as host:
        known_to(host, server)
        await host.start("raw")
        [entry] = await host.log.entries()
    assert asked(person) == ["connect"]
    [step] = passed_over(entry["decision"])
    assert (step["rule"], step["whyNot"]["key"]) == ("the rule", "why.only_managed")
    assert server.received() == []


@layers
async def test_a_rule_may_want_every_start_of_a_server_to_be_asked_about(wire: Wire, layer: str) -> None:
    server = wire.raw()
    approve(server)
    person = ScriptedPerson()
    async with wire.run(
        person, policies=by(layer, rule("ask", CONNECT, when={"server": {"serverName": "raw"}}))
    ) as host:
        known_to(host, server)
        for _ in range(2):
            assert await host.start("raw") is None
            await host.stop("raw")
    assert asked(person) == ["connect", "connect"]


@eras
@layers
async def test_a_server_whose_start_a_rule_denies_does_not_run_even_if_it_was_approved(
    wire: Wire, era: str, layer: str
) -> None:
    server = wire.raw(era=era)
    approve(server)
    person = ScriptedPerson()
    why = say(f"decision.deny.{layer}.because", rule="the rule", reason="ticket 1234")
    policies = by(layer, rule("deny", CONNECT, when=of(server), reason="ticket 1234"))
    async with wire.run(person, policies=policies) as host:
        known_to(host, server)
        assert await host.start("raw") == why
        state = host.connection("raw").state
        assert (state.status, state.reason) == (ServerStatus.FAILED, why)
        call = await wire.call()
        assert (call.status, call.error) == (CallStatus.FAILED, why)
    assert asked(person) == []
    assert server.received() == []


@layers
async def test_a_start_that_a_rule_denies_is_in_the_record(wire: Wire, layer: str) -> None:
    server = wire.raw()
    async with wire.run(ScriptedPerson(), policies=by(layer, rule("deny", CONNECT))) as host:
        known_to(host, server)
        await host.start("raw")
        entries = [
            (entry["kind"], entry["outcome"], entry["decision"]["effect"])
            for entry in await host.log.entries()
            if entry["kind"] == "connect"
        ]
    assert ("connect", "refused", "deny") in entries


# lists of servers


def denied_by_command(server: RawServer) -> Json:
    return {"deniedMcpServers": [{"serverCommand": argv(server)}]}


def denied_by_name(_server: RawServer) -> Json:
    return {"deniedMcpServers": [{"serverName": "RAW"}]}


def denied_by_unreadable(_server: RawServer) -> Json:
    return {"deniedMcpServers": "all of them"}


def allowed_are_others(server: RawServer) -> Json:
    return {"allowedMcpServers": [{"serverCommand": [*argv(server), "--more"]}, {"serverUrl": "https://*/*"}]}


def allowed_by_name(_server: RawServer) -> Json:
    return {"allowedMcpServers": [{"serverName": "raw"}]}


def allowed_is_none(_server: RawServer) -> Json:
    return {"allowedMcpServers": []}


def denied_and_allowed(server: RawServer) -> Json:
    return denied_by_command(server) | {"allowedMcpServers": [{"serverCommand": argv(server)}]}


BLOCKS: list[tuple[Callable[[RawServer], Json], str]] = [
    (denied_by_command, "server.denied"),
    (denied_by_name, "server.denied"),
    (denied_by_unreadable, "server.not_allowed"),
    (denied_and_allowed, "server.denied"),
    (allowed_are_others, "server.not_allowed"),
    (allowed_by_name, "server.not_allowed"),
    (allowed_is_none, "server.not_allowed"),
]


@eras
@pytest.mark.parametrize(("lists", "why"), BLOCKS, ids=[one.__name__ for one, _ in BLOCKS])
async def test_a_server_that_an_administrator_does_not_let_be_used_is_blocked_whoever_approved_it(
    wire: Wire, era: str, lists: Callable[[RawServer], Json], why: str
) -> None:
    server, trusted = wire.raw(era=era), wire.raw(era=era, name="Raw")
    approve(server)
    file = str(config_dir().parent / "managed" / "policy.json")
    person = ScriptedPerson()
    async with wire.run(person, policies=laid_down(lists(server))) as host:
        known_to(host, server)
        assert status(host) == (ServerStatus.BLOCKED, why)
        assert await host.start("raw") == say(why, file=file)
        await host.start_all(host.names())
        assert status(host) == (ServerStatus.BLOCKED, why)
        call = await wire.call()
        assert (call.status, call.error) == (CallStatus.FAILED, say(why, file=file))
        if lists is not denied_by_command and lists is not denied_and_allowed:
            host.add(trusted.entry, trusted=True)
            assert await host.start("Raw") == say(why, file=file)
    assert asked(person) == []
    assert server.received() == trusted.received() == []


@pytest.mark.parametrize("pattern", ["http://127.0.0.1:*/*", "http://127.0.0.*:*/*", "HTTP://127.0.0.1:*/*"])
@pytest.mark.parametrize("denied", [True, False], ids=["denied", "allowed"])
async def test_servers_are_listed_by_their_address(wire: Wire, pattern: str, denied: bool) -> None:
    server = wire.raw(transport="http")
    approve(server)
    lists = {"deniedMcpServers" if denied else "allowedMcpServers": [{"serverUrl": pattern}]}
    person = ScriptedPerson()
    async with wire.run(person, policies=laid_down(lists)) as host:
        known_to(host, server)
        await host.start("raw")
        assert status(host) == ((ServerStatus.BLOCKED, "server.denied") if denied else (ServerStatus.READY, None))
    assert (server.received() == []) is denied


@eras
async def test_to_be_on_the_list_of_allowed_servers_is_not_to_be_approved(wire: Wire, era: str) -> None:
    server, other = wire.raw(era=era), wire.raw(era=era, name="other")
    lists = {"allowedMcpServers": [{"serverCommand": argv(server), "serverName": "raw"}]}
    person = ScriptedPerson()
    async with wire.run(person, policies=laid_down(lists)) as host:
        known_to(host, server, other)
        await host.start_all(host.names())
        assert status(host) == (ServerStatus.READY, None)
        assert status(host, "other") == (ServerStatus.BLOCKED, "server.not_allowed")
    assert asked(person) == ["connect"]


# servers of an administrator


def offering(wire: Wire, server: RawServer, **policy: Any) -> tuple[Policies, Path]:
    """An administrator offers a server, and the person has another of its name and one of their own."""
    own = wire.folder / "servers.json"
    own.write_text(json.dumps({"mcpServers": {"corp": {"command": "other"}, "mine": {"command": "mine"}}}))
    return laid_down({"servers": {"corp": server.entry.as_json()}, **policy}), own


@eras
async def test_servers_of_an_administrator_are_offered_and_asked_about_like_any_other(wire: Wire, era: str) -> None:
    server = wire.raw(name="corp", era=era)
    policies, own = offering(wire, server)
    person = ScriptedPerson()
    async with wire.run(person, policies=policies, servers_file=own) as host:
        host.load_servers()
        assert {name: host.connection(name).state.removable for name in ("corp", "mine")} == {
            "corp": False,
            "mine": True,
        }
        assert host.connection("corp").entry == server.entry
        assert await host.start("corp") is None
    assert asked(person) == ["connect"]
    assert server.received()


async def test_servers_of_an_administrator_may_start_without_a_question(wire: Wire) -> None:
    server = wire.raw(name="corp")
    policies, own = offering(wire, server, rules=[rule("allow", CONNECT, when=of(server))])
    person = ScriptedPerson()
    async with wire.run(person, policies=policies, servers_file=own) as host:
        host.load_servers()
        assert await host.start("corp") is None
    assert asked(person) == []


async def test_servers_of_an_administrator_cannot_be_removed(wire: Wire) -> None:
    server = wire.raw(name="corp")
    policies, own = offering(wire, server)
    before = own.read_text()
    async with wire.run(ScriptedPerson(), policies=policies, servers_file=own) as host:
        host.load_servers()
        with contextlib.suppress(FileProblem):
            await host.remove("corp")
        assert wire.told(ServerGone) == []
        assert host.connection("corp").entry == server.entry
    assert own.read_text() == before


async def test_servers_in_a_file_that_others_could_have_written_are_not_offered(wire: Wire) -> None:
    policies, own = offering(wire, wire.raw(name="corp"))
    (config_dir().parent / "managed" / "policy.json").chmod(0o666)
    policies.refresh()
    async with wire.run(ScriptedPerson(), policies=policies, servers_file=own) as host:
        host.load_servers()
        assert host.connection("corp").entry.command == "other"


# changes while the program runs


async def holds_now(host: Host) -> None:
    """What was laid down just now holds."""
    assert await asyncio.to_thread(host.policies.refresh)
    await host.rules_changed()


@eras
async def test_a_server_that_is_denied_while_it_runs_stops_and_may_start_once_it_no_longer_is(
    wire: Wire, era: str
) -> None:
    server, healthy = wire.raw({"ask": FORM}, {"sleep": 30}, era=era), wire.raw(name="healthy", era=era)
    person = ScriptedPerson(form=never)
    async with wire.run(person, server, healthy, policies=laid_down({})) as host:
        call_id = host.begin_call("raw", "tool", {})
        await until(lambda: person.questions)
        laid_down(denied_by_command(server))
        await holds_now(host)
        assert status(host) == (ServerStatus.BLOCKED, "server.denied")
        assert not runs(server)
        call = await wire.result(call_id)
        assert call.status in (CallStatus.CANCELLED, CallStatus.FAILED)
        assert not set(person.ended.values()) & {Outcome.ACCEPT, Outcome.DECLINE}
        assert len(person.ended) == 1
        assert len(wire.told(RulesChanged)) == 1
        assert (await wire.call("healthy")).status is CallStatus.DONE
        assert (await wire.call()).error == host.connection("raw").state.reason
        laid_down({})
        await holds_now(host)
        assert status(host) == (ServerStatus.OFF, None)
        assert await host.start("raw") is None
    assert asked(person) == ["form"]


@eras
async def test_rules_that_change_count_from_the_next_ask_on(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    person = ScriptedPerson(response=AS_IT_IS)
    allowing, denying = rule("allow", *SAMPLING_KINDS, when=of(server)), rule("deny", "sampling.request")
    questions: list[int] = []
    async with wire.run(person, server, policies=laid_down(), providers_file=provider(endpoint, "small")) as host:
        for rules in ([], [allowing], [allowing, denying], []):
            laid_down(rules=rules)
            await holds_now(host)
            endpoint.says("Hello")
            await wire.call()
            questions.append(len(person.questions))
        effects = [entry["decision"]["effect"] for entry in reversed(await host.log.entries())]
    assert questions == [2, 2, 2, 4]
    assert effects == ["ask", "allow", "deny", "ask"]


async def test_changes_of_the_files_are_noticed(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_host.host._LOOK_AT_RULES", 0.01)
    server = wire.raw()
    async with wire.run(ScriptedPerson(), server, policies=laid_down({})) as host:
        watching = asyncio.create_task(host.watch_rules())
        laid_down(denied_by_command(server))
        await until(lambda: status(host)[0] is ServerStatus.BLOCKED)
        laid_down({})
        await until(lambda: status(host)[0] is ServerStatus.OFF)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert len(wire.told(RulesChanged)) == 2


async def test_what_waited_while_the_program_was_away_is_judged_by_the_rules_of_now(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    person = ScriptedPerson(form=never)
    async with wire.run(person, server, policies=laid_down({})) as host:
        call_id = host.begin_call("raw", "tool", {})
        await until(lambda: person.questions)
    person = ScriptedPerson(form=never)
    async with wire.run(person, server, policies=by("managed", rule("deny", "elicitation.form"))) as host:
        await host.resume_calls()
        assert (await wire.result(call_id)).status is CallStatus.DONE
    assert asked(person) == []
    assert given(server) == [{"action": "decline"}]


async def test_what_a_server_that_was_blocked_meanwhile_asked_waits_until_it_is_allowed_again(wire: Wire) -> None:
    server = wire.raw({"ask": FORM}, era="modern", stateless=True)
    person = ScriptedPerson(form=never)
    async with wire.run(person, server, policies=laid_down({})) as host:
        call_id = host.begin_call("raw", "tool", {})
        await until(lambda: person.questions)
    before = len(server.received())
    person = ScriptedPerson(form=FormReply(Action.ACCEPT, entries={"name": "Ada"}))
    async with wire.run(person, server, connect=False, policies=laid_down(denied_by_command(server))) as host:
        await host.resume_calls()
        assert status(host) == (ServerStatus.BLOCKED, "server.denied")
        assert not host.calls.runs(call_id)
    assert (person.questions, len(server.received())) == ([], before)
    async with wire.run(person, server, connect=False, policies=laid_down({})) as host:
        await host.resume_calls()
        assert (await wire.result(call_id)).status is CallStatus.DONE


# switches


def both_allow(server: RawServer, **policy: Any) -> Policies:
    """An administrator allows requests to models, the person their answers too; and nobody lets folders be told."""
    return laid_down(
        {"rules": [rule("allow", "sampling.request", id="theirs", when=of(server))], **policy},
        [
            rule("allow", *SAMPLING_KINDS, id="mine", when=of(server)),
            rule("deny", "roots.list", id="no folders"),
        ],
    )


@eras
async def test_who_wants_to_be_asked_about_everything_is(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    server = wire.raw(tools={"tool": [{"ask": SAMPLING}], "folders": [{"ask": ROOTS}]}, era=era)
    person = ScriptedPerson(response=AS_IT_IS)
    policies = both_allow(server)
    async with wire.run(person, server, policies=policies, providers_file=provider(endpoint, "small")) as host:
        host.policies.suspend(True)
        endpoint.says("Hello")
        await wire.call()
        [entry] = await host.log.entries()
        await wire.call(tool="folders")
        assert asked(person) == ["request", "response"], "what is denied stays denied"
        host.policies.suspend(False)
        endpoint.says("Hello")
        await wire.call()
    assert asked(person) == ["request", "response"]
    for decision, rules in ((entry["decision"], {"theirs", "mine"}), (entry["response"], {"mine"})):
        assert {step["rule"] for step in passed_over(decision)} == rules
        assert {step["whyNot"]["key"] for step in passed_over(decision)} == {"why.suspended"}
        assert "why.suspended" in keys(decision["reasons"])


async def test_the_wish_to_be_asked_about_everything_is_a_setting(
    wire: Wire, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_host.policy.managed.managed_places", lambda: (config_dir().parent / "managed",))
    server = wire.raw({"ask": SAMPLING})
    both_allow(server)
    settings = Settings()
    for value, questions in (("no", []), ("yes", ["request", "response"])):
        settings.change({"rules.suspended": value})
        person = ScriptedPerson(response=AS_IT_IS)
        endpoint.says("Hello")
        async with wire.run(person, server, settings=settings, providers_file=provider(endpoint, "small")):
            await wire.call()
        assert asked(person) == questions


@eras
async def test_an_administrator_may_switch_the_persons_allowances_off(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw(tools={"tool": [{"ask": SAMPLING}], "folders": [{"ask": ROOTS}]}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    policies = both_allow(server, userAllowRules=False)
    async with wire.run(person, server, policies=policies, providers_file=provider(endpoint, "small")) as host:
        await wire.call()
        await wire.call(tool="folders")
        folders, sampling = await host.log.entries()
    assert asked(person) == ["response"], "the administrator's own rule holds, and what the person denies"
    assert folders["decision"]["effect"] == "deny"
    assert [step["rule"] for step in counting(sampling["decision"])] == ["theirs"]
    [mine] = passed_over(sampling["response"])
    assert (mine["rule"], mine["whyNot"]["key"]) == ("mine", "why.user_rules_off")


def not_json(file: Path) -> None:
    file.write_text("{", encoding="utf-8")


def of_a_later_version(file: Path) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "version": 2}), encoding="utf-8")


def with_a_bad_rule(file: Path) -> None:
    content = json.loads(file.read_text(encoding="utf-8"))
    content["rules"].append(rule("perhaps", "sampling.request"))
    file.write_text(json.dumps(content), encoding="utf-8")


def writable(file: Path) -> None:
    file.chmod(0o666)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def a_link(file: Path) -> None:
    file.rename(file.with_suffix(".real"))
    file.symlink_to(file.with_suffix(".real"))


@eras
@pytest.mark.parametrize("spoil", [not_json, of_a_later_version, with_a_bad_rule, writable, a_folder, a_link])
async def test_a_file_of_an_administrator_that_cannot_be_trusted_switches_every_allowance_off(
    wire: Wire, endpoint: ScriptedEndpoint, era: str, spoil: Any
) -> None:
    server = wire.raw(tools={"tool": [{"ask": SAMPLING}], "folders": [{"ask": ROOTS}]}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT, text="Hello"))
    policies = both_allow(server)
    spoil(config_dir().parent / "managed" / "policy.json")
    assert policies.refresh()
    async with wire.run(person, server, policies=policies, providers_file=provider(endpoint, "small")) as host:
        await wire.call()
        await wire.call(tool="folders")
        folders, sampling = await host.log.entries()
    assert asked(person) == ["request", "response"]
    assert folders["decision"]["effect"] == "deny"
    assert policies.book.restricted is not None
    assert {step["whyNot"]["key"] for step in passed_over(sampling["decision"])} == {policies.book.restricted.key}
    assert policies.book.restricted.key in keys(sampling["decision"]["reasons"])


@eras
async def test_a_mistake_in_the_persons_own_file_allows_nothing_more_and_denies_nothing_less(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw(tools={"tool": [{"ask": SAMPLING}], "folders": [{"ask": ROOTS}]}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    broken = rule("deny", "sampling.request", whem={})
    policies = laid_down(
        rules=[rule("allow", *SAMPLING_KINDS, when=of(server)), broken, rule("deny", "roots.list", id="no folders")]
    )
    async with wire.run(person, server, policies=policies, providers_file=provider(endpoint, "small")) as host:
        await wire.call()
        await wire.call(tool="folders")
        _, sampling = await host.log.entries()
    assert asked(person) == ["request", "response"]
    [step] = passed_over(sampling["decision"])
    assert step["whyNot"]["key"] == "why.user_rules_broken"
