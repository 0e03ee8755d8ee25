"""What rules deny: nobody is asked, nothing leaves, and the person is told why; and every other way an ask can end."""

import json
from typing import Any

import pytest

from desktop_host.asks.person import Action, FormReply, LinkReply, Reply, RequestQuestion, RequestReply, ResponseReply
from desktop_host.terms.asks import Outcome
from desktop_host.terms.messages import Message, say
from desktop_host.terms.state import CallState, CallStatus
from tests.support.model_server import Scripted, ScriptedEndpoint
from tests.support.person import Pondering, ScriptedPerson
from tests.support.policy import laid_down
from tests.support.rules import (
    SAMPLING_KINDS,
    asked,
    by,
    called,
    counting,
    eras,
    given,
    keys,
    layers,
    of,
    rule,
)
from tests.support.wire import FORM, LINK, ROOTS, SAMPLING, Json, Wire
from tests.test_caps import provider

pytest_plugins = ("tests.support.fixtures",)

ADA = FormReply(Action.ACCEPT, entries={"name": "Ada"})
DENIED: dict[str, tuple[str, Json, Json]] = {
    "request": ("sampling.request", SAMPLING, {"code": -1, "message": "Denied by a rule"}),
    "roots": ("roots.list", ROOTS, {"code": -1, "message": "Denied by a rule"}),
    "form": ("elicitation.form", FORM, {"action": "decline"}),
    "link": ("elicitation.url", LINK, {"action": "decline"}),
}
PORTAL = "use the portal"


def why_denied(layer: str) -> Message:
    return say(f"decision.deny.{layer}.because", rule="the rule", reason=PORTAL)


def as_recorded(message: Message) -> Json:
    return {"key": message.key, "values": message.mapping}


@eras
@layers
@pytest.mark.parametrize(("kind", "ask", "refusal"), DENIED.values(), ids=DENIED)
async def test_what_a_rule_denies_is_answered_for_the_person_and_the_reason_is_told_them_alone(
    wire: Wire, endpoint: ScriptedEndpoint, era: str, layer: str, kind: str, ask: Json, refusal: Json
) -> None:
    server = wire.raw({"ask": ask}, era=era)
    person = ScriptedPerson()
    call, entry = await called(
        wire,
        person,
        server,
        policies=by(layer, rule("deny", kind, reason=PORTAL)),
        providers_file=provider(endpoint, "small"),
    )
    assert (asked(person), endpoint.seen) == ([], [])
    if era == "modern" and "code" in refusal:
        assert given(server) == [], "this era has no errors for asks: the call ends"
        assert len(server.received("tools/call")) == 1
        assert (call.status, call.error) == (CallStatus.ABANDONED, why_denied(layer))
    else:
        assert given(server) == [refusal]
        assert (call.status, call.error, call.notices) == (CallStatus.DONE, None, (why_denied(layer),))
    assert PORTAL not in server.log.read_text(encoding="utf-8")
    assert list(person.ended.values()) == [Outcome.REFUSED]
    assert (entry["outcome"], entry["decision"]["effect"]) == ("refused", "deny")
    assert entry["decision"]["reasons"] == [as_recorded(why_denied(layer))]
    assert as_recorded(why_denied(layer)) in entry["notices"]
    denying = next(step for step in counting(entry["decision"]) if step["effect"] == "deny")
    assert (denying["layer"], denying["rule"], denying["pointer"]) == (layer, "the rule", "/rules/0")
    assert entry["decision"]["facts"]["kind"] == kind


@eras
@layers
@pytest.mark.parametrize("request_allowed", [True, False], ids=["request allowed", "request reviewed"])
async def test_an_answer_that_a_rule_denies_stays_here(
    wire: Wire, endpoint: ScriptedEndpoint, era: str, layer: str, request_allowed: bool
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson()
    rules = [rule("deny", "sampling.response", reason=PORTAL)]
    if request_allowed:
        rules.append(rule("allow", *SAMPLING_KINDS, id="allowing", when=of(server)))
    call, entry = await called(
        wire, person, server, policies=by(layer, *rules), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == ([] if request_allowed else ["request"])
    assert len(endpoint.seen) == 1
    assert "Hello" not in server.log.read_text(encoding="utf-8")
    if era == "handshake":
        assert given(server) == [{"code": -1, "message": "Denied by a rule"}]
        assert (call.status, call.notices) == (CallStatus.DONE, (why_denied(layer),))
    else:
        assert (given(server), call.status, call.error) == ([], CallStatus.ABANDONED, why_denied(layer))
    assert (entry["outcome"], entry["response"]["effect"]) == ("refused", "deny")
    assert entry["response"]["reasons"] == [as_recorded(why_denied(layer))]
    assert "Hello" not in json.dumps(entry)


@eras
@layers
async def test_a_tool_that_a_rule_denies_is_not_called(wire: Wire, era: str, layer: str) -> None:
    server = wire.raw(tools={"wipe_all": [], "wipe": []}, era=era)
    policies = by(
        layer, rule("deny", "tool.call", when={"server": {"serverName": "RAW"}, "tool": "wipe_*"}, reason=PORTAL)
    )
    async with wire.run(ScriptedPerson(), server, policies=policies) as host:
        call = await wire.call(tool="wipe_all", disk=1)
        assert (call.status, call.error, call.result) == (CallStatus.FAILED, why_denied(layer), None)
        assert (call.server, call.tool, call.arguments) == ("raw", "wipe_all", {"disk": 1})
        assert (await host.call("raw", "wipe_all", {})).error == why_denied(layer)
        assert server.received("tools/call") == []
        assert (await wire.call(tool="wipe")).status is CallStatus.DONE
        first, second = await host.log.entries()
    assert (first["kind"], first["tool"], first["outcome"]) == ("tool_call", "wipe_all", "refused")
    assert (first["decision"]["effect"], second["decision"]["effect"]) == ("deny", "deny")
    assert first["decision"]["reasons"] == [as_recorded(why_denied(layer))]
    assert "disk" not in json.dumps(first), "what was to be passed to a tool is never kept"
    assert [one["params"]["name"] for one in server.received("tools/call")] == ["wipe"]


@eras
async def test_a_tool_may_be_denied_by_what_its_server_says_of_it(wire: Wire, era: str) -> None:
    hints = {"kill": {"annotations": {"destructiveHint": True}}, "look": {"annotations": {"destructiveHint": False}}}
    server = wire.raw(tools={"kill": [], "look": [], "unsaid": []}, schemas=hints, era=era)
    no_harm = rule("deny", "tool.call", when={"destructiveHint": True})
    async with wire.run(ScriptedPerson(), server, policies=by("managed", no_harm)):
        ends = [(await wire.call(tool=tool)).status for tool in ("kill", "look", "unsaid")]
    assert ends == [CallStatus.FAILED, CallStatus.DONE, CallStatus.DONE]


LINKS = {
    "https://www.pay.example/checkout": True,
    "https://a.b.PAY.Example.:8443/?x=1": True,
    "https://good.example@www.pay.example/": True,
    "https://www.pay.example@good.example/": False,
    "https://pay.example.good.example/": False,
    "https://notpay.example/": False,
}


@eras
async def test_links_are_denied_by_the_host_that_would_be_reached(wire: Wire, era: str) -> None:
    steps = [{"ask": {**LINK, "params": {**LINK["params"], "url": url}}} for url in LINKS]
    server = wire.raw(*steps, era=era)
    person = ScriptedPerson()
    no_payments = rule("deny", "elicitation.url", when={"urlHost": "*.pay.example"})
    async with wire.run(person, server, policies=by("managed", no_payments)) as host:
        call = await wire.call()
        entries = {entry["params"]["url"]: entry["decision"]["effect"] for entry in await host.log.entries()}
    assert call.status is CallStatus.DONE
    assert {url: effect == "deny" for url, effect in entries.items()} == LINKS
    assert [question.ask.params["url"] for question in person.questions] == [u for u in LINKS if not LINKS[u]]
    assert [one["action"] for one in given(server)] == ["decline" if no else "accept" for no in LINKS.values()]


async def test_a_denied_link_that_a_call_needs_ends_it_with_the_reason(wire: Wire) -> None:
    needed = {"code": -32042, "message": "sign in first", "data": {"elicitations": [LINK["params"]]}}
    server = wire.raw({"error": needed, "times": 1})
    person = ScriptedPerson()
    call, entry = await called(
        wire, person, server, policies=by("user", rule("deny", "elicitation.url", reason=PORTAL))
    )
    assert asked(person) == []
    assert (call.status, call.error) == (CallStatus.ABANDONED, why_denied("user"))
    assert len(server.received("tools/call")) == 1
    assert entry["outcome"] == "refused"


@eras
async def test_forms_are_denied_by_what_they_ask_for(wire: Wire, era: str) -> None:
    secret = {"type": "object", "properties": {"name": {"type": "string"}, "password": {"type": "string"}}}
    asks_for_one = {**FORM, "params": {**FORM["params"], "requestedSchema": secret}}
    server = wire.raw({"asks": {"a": asks_for_one, "b": FORM}}, era=era)
    person = ScriptedPerson(form=ADA)
    no_passwords = rule("deny", "elicitation.form", when={"credentialFields": True})
    async with wire.run(person, server, policies=by("managed", no_passwords)) as host:
        await wire.call()
        entries = {entry["outcome"]: entry["decision"]["facts"] for entry in await host.log.entries()}
    assert asked(person) == ["form"]
    assert given(server) == [{"action": "decline"}, {"action": "accept", "content": {"name": "Ada"}}]
    assert (entries["refused"]["fields"], entries["refused"]["credential_fields"]) == (["name", "password"], True)
    assert (entries["accept"]["fields"], entries["accept"]["credential_fields"]) == (["name"], False)


# the ways an ask can end


@eras
async def test_declined_dismissed_closed_denied_without_a_model_and_failed_are_different_things(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    tools = ("declined", "dismissed", "closed", "denied", "failed")
    server = wire.raw(tools={tool: [{"ask": SAMPLING}] for tool in tools}, era=era)
    endpoint.will(Scripted(500))
    thinking = Pondering(RequestReply(Action.ACCEPT))
    person = ScriptedPerson(
        request=[
            Reply(Action.DECLINE, "my reason"),
            thinking,
            Reply(Action.CANCEL),
            RequestReply(Action.ACCEPT),
            Reply(Action.CANCEL),
        ]
    )
    policies = by("user", rule("deny", "sampling.request", when={"tool": "denied"}, reason=PORTAL))
    ends: dict[str, CallState] = {}
    async with wire.run(person, server, policies=policies, providers_file=provider(endpoint, "small")) as host:
        for tool in tools:
            call_id = host.begin_call("raw", tool, {})
            if tool == "dismissed":
                await thinking.asked.wait()
                host.corridor.dismiss(lambda ask: True, Action.DECLINE)
            ends[tool] = await wire.result(call_id)
        entries = dict(zip(reversed(tools), await host.log.entries(), strict=True))
    assert [entries[tool]["outcome"] for tool in tools] == ["decline", "decline", "cancel", "refused", "cancel"]
    assert [entries[tool]["reason"] for tool in tools] == ["my reason", "", "", "", ""]
    assert keys(entries["denied"]["notices"]) == ["decision.deny.user.because"]
    assert {tool: keys(list(entry["errors"].values())) for tool, entry in entries.items() if entry["errors"]} == {
        "failed": ["model.refused"]
    }
    because = say("call.declined_because", reason="my reason")
    if era == "handshake":
        rejected = {"code": -1, "message": "User rejected sampling request"}
        closed = {"code": -1, "message": "User closed the sampling request without deciding"}
        denied = {"code": -1, "message": "Denied by a rule"}
        assert given(server) == [rejected, rejected, closed, denied, closed]
        assert [ends[tool].notices for tool in tools] == [(because,), (), (), (why_denied("user"),), ()]
    else:
        assert given(server) == []
        assert [ends[tool].error for tool in tools] == [
            say("call.abandoned.decline"),
            say("call.abandoned.decline"),
            say("call.abandoned.cancel"),
            why_denied("user"),
            say("call.abandoned.cancel"),
        ]
        assert ends["declined"].notices == (because,)


@eras
@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "not allowed"])
async def test_without_a_model_the_person_is_told_so_also_where_a_rule_allows(
    wire: Wire, endpoint: ScriptedEndpoint, era: str, allowed: bool
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT, text="by hand"))
    rules = [rule("allow", *SAMPLING_KINDS, when=of(server))] if allowed else []
    policies = laid_down({"caps": {"models": []}}, rules)
    call, entry = await called(wire, person, server, policies=policies, providers_file=provider(endpoint, "small"))
    assert asked(person) == ["request", "response"]
    question = person.questions[0]
    assert isinstance(question, RequestQuestion)
    assert question.suggestion.why == say("model.why_denied")
    assert endpoint.seen == []
    [answer] = given(server)
    assert answer["content"] == {"type": "text", "text": "by hand"}
    assert (call.status, entry["outcome"]) == (CallStatus.DONE, "accept")


@eras
async def test_what_could_not_be_carried_out_is_neither_declined_nor_denied(wire: Wire, era: str) -> None:
    server = wire.raw(tools={"link": [{"ask": LINK}], "broken": [{"ask": FORM}]}, era=era)

    def breaks(_question: Any) -> Reply:
        raise RuntimeError("the window is gone")

    person = ScriptedPerson(link=LinkReply(Action.ACCEPT, opened=False), form=breaks)
    async with wire.run(person, server, policies=laid_down()) as host:
        ends = [await wire.call(tool=tool) for tool in ("link", "broken")]
        broken, link = await host.log.entries()
    assert [one["outcome"] for one in (link, broken)] == ["failed", "failed"]
    assert [keys(one["notices"]) for one in (link, broken)] == [["link.no_browser"], ["ask.failed"]]
    assert given(server)[0] == {"action": "cancel"}
    if era == "handshake":
        assert given(server)[1] == {"code": -32603, "message": "Internal error"}
    else:
        assert (ends[1].status, ends[1].error) == (CallStatus.FAILED, say("ask.failed"))
