"""Rules decide on asks of real servers: what they allow, deny and leave to the person, and what the record says of it."""

import asyncio
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_host.asks.person import (
    Action,
    FormReply,
    LinkReply,
    Reply,
    RequestQuestion,
    RequestReply,
    ResponseQuestion,
    ResponseReply,
)
from desktop_host.config.paths import config_dir
from desktop_host.policy.facts import Facts, ServerFacts, facts_of
from desktop_host.policy.reading import read_rule
from desktop_host.policy.rules import Kind
from desktop_host.terms.asks import Effect, Outcome
from desktop_host.terms.state import CallStatus
from tests.support.model_server import DONE, Scripted, ScriptedEndpoint, piece, tool_piece
from tests.support.person import Pondering, ScriptedPerson
from tests.support.policy import laid_down
from tests.support.rules import (
    SAMPLING_KINDS,
    argv,
    asked,
    by,
    by_both,
    called,
    counting,
    eras,
    given,
    keys,
    of,
    passed_over,
    rule,
)
from tests.support.wire import FORM, LINK, ROOTS, SAMPLING, Json, Wire
from tests.test_caps import provider

pytest_plugins = ("tests.support.fixtures",)

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"
HELLO = {
    "role": "assistant",
    "content": {"type": "text", "text": "Hello"},
    "model": "scripted-1",
    "stopReason": "endTurn",
}
AS_IT_IS = ResponseReply(Action.ACCEPT)
ADA = FormReply(Action.ACCEPT, entries={"name": "Ada"})
TOOL = {"name": "weather", "description": "The weather", "inputSchema": {"type": "object"}}
WEATHER = (tool_piece(0, "c1", "weather", '{"place": "Bonn"}'), piece(finish="tool_calls"), DONE)


def prompt(text: str = "Say hello", **more: Any) -> Json:
    """A request to a model; without `more` that of `SAMPLING` with another text."""
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    return {**SAMPLING, "params": {"messages": messages, "maxTokens": 50, **more}}


def told_to(endpoint: ScriptedEndpoint) -> list[str]:
    """The last message of each request that the model got."""
    return [seen.body["messages"][-1]["content"] for seen in endpoint.seen]


# allowing


@eras
async def test_what_a_rule_of_theirs_allows_is_answered_without_a_question_and_the_record_says_why(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hel", "lo")
    other = rule("ask", "elicitation.form", id="another")
    policies = laid_down(
        rules=[other, rule("allow", *SAMPLING_KINDS, id="mine", when=of(server), reason="ticket 1234")]
    )
    person = ScriptedPerson()
    call, entry = await called(wire, person, server, policies=policies, providers_file=provider(endpoint, "small"))
    assert (call.status, call.error) == (CallStatus.DONE, None)
    assert asked(person) == []
    [seen] = endpoint.seen
    assert (seen.body["model"], seen.body["messages"]) == ("small", [{"role": "user", "content": "Say hello"}])
    assert 50 in (seen.body.get("max_tokens"), seen.body.get("max_completion_tokens"))
    assert given(server) == [HELLO]
    assert list(person.ended.values()) == [Outcome.ACCEPT]

    assert (entry["outcome"], entry["answer"], entry["edits"], entry["errors"]) == ("accept", HELLO, [], {})
    for decision, kind in ((entry["decision"], "sampling.request"), (entry["response"], "sampling.response")):
        because = {"key": "decision.allow.user.because", "values": {"rule": "mine", "reason": "ticket 1234"}}
        assert (decision["effect"], decision["reasons"]) == ("allow", [because])
        [step] = decision["steps"]
        place = (step["layer"], step["rule"], step["source"], step["pointer"], step["reason"])
        assert place == ("user", "mine", str(config_dir() / "rules.json"), "/rules/1", "ticket 1234")
        assert keys(step["matched"]) == ["why.server"]
        assert decision["policy"] == policies.book.digest
        facts = facts_of(decision["facts"])
        assert facts is not None
        assert facts.at == pytest.approx(time.time(), abs=60)
        assert facts == Facts(
            Kind(kind),
            ServerFacts("raw", tuple(argv(server)), "", server.entry.fingerprint, True, sys.executable),
            tools=("tool",),
            models=facts.models,
            max_tokens=50,
            prompt_tokens=facts.prompt_tokens,
            has_tools=False,
            content_types=("text",),
            secrets_found=False,
            personal_found=False,
            reviewed=kind == "sampling.request",
            at=facts.at,
        )
        assert "small" in facts.models


@eras
async def test_where_only_requests_are_allowed_the_person_sees_the_answer(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT, text="Good day"))
    _, entry = await called(
        wire,
        person,
        server,
        policies=by("user", rule("allow", "sampling.request", when=of(server))),
        providers_file=provider(endpoint, "small"),
    )
    assert asked(person) == ["response"]
    [question] = person.questions
    assert isinstance(question, ResponseQuestion)
    assert (question.answer.text, question.decision.effect) == ("Hello", Effect.ASK)
    assert given(server) == [{**HELLO, "content": {"type": "text", "text": "Good day"}}]
    assert (entry["decision"]["effect"], entry["response"]["effect"]) == ("allow", "ask")
    assert keys(entry["response"]["reasons"]) == ["decision.no_rule"]
    assert entry["edits"] == ["answer"]


@eras
async def test_where_only_answers_are_allowed_they_go_back_once_the_person_has_seen_the_request(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson()
    _, entry = await called(
        wire,
        person,
        server,
        policies=by("user", rule("allow", "sampling.response", when=of(server))),
        providers_file=provider(endpoint, "small"),
    )
    assert asked(person) == ["request"]
    assert given(server) == [HELLO]
    assert (entry["decision"]["effect"], entry["response"]["effect"]) == ("ask", "allow")
    assert [(step["layer"], step["rule"]) for step in counting(entry["response"])] == [("user", "the rule")]


@eras
async def test_a_rule_about_answers_alone_wants_the_request_seen(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    two = [rule("allow", kind, id=kind, when=of(server)) for kind in SAMPLING_KINDS]
    _, entry = await called(
        wire, person, server, policies=laid_down(rules=two), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == ["response"]
    [step] = passed_over(entry["response"])
    assert (step["rule"], step["whyNot"]["key"]) == ("sampling.response", "why.not_reviewed")


@eras
async def test_the_rule_of_an_administrator_is_told_with_its_file(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson()
    file = config_dir().parent / "managed" / "policy.d" / "sampling.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"rules": [rule("allow", *SAMPLING_KINDS, when=of(server))]}), encoding="utf-8")
    _, entry = await called(wire, person, server, policies=laid_down({}), providers_file=provider(endpoint, "small"))
    assert asked(person) == []
    for decision in (entry["decision"], entry["response"]):
        [step] = decision["steps"]
        assert (step["layer"], step["source"], step["pointer"]) == ("managed", str(file), "/rules/0")
        assert decision["reasons"] == [{"key": "decision.allow.managed", "values": {"rule": "the rule"}}]


@eras
async def test_a_rule_for_the_session_holds_until_the_program_ends(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    policies = laid_down()
    policies.put_for_session(read_rule(rule("allow", *SAMPLING_KINDS, when=of(server))))
    options: dict[str, Any] = {"providers_file": provider(endpoint, "small")}
    _, entry = await called(wire, person, server, policies=policies, **options)
    assert asked(person) == []
    assert [step["layer"] for step in entry["decision"]["steps"]] == ["session"]
    async with wire.run(person, server, policies=laid_down(), **options):
        await wire.call()
    assert asked(person) == ["request", "response"]


# conditions

FITTING: Json = {
    "tool": "t*l",
    "modelIn": ["big", "sm*"],
    "maxTokensLE": 50,
    "promptTokensLE": 100,
    "hasTools": False,
    "contentTypes": ["text", "image"],
    "secretsFound": False,
    "personalFound": False,
    "hours": {"start": "00:00", "end": "00:00"},
}
MISSED: list[tuple[str, Json, Json, str]] = [
    ("an end", {"expires": "2020-01-01T00:00:00Z"}, {}, "why.expired"),
    ("fewer tokens", {}, {"maxTokensLE": 49}, "why.max_tokens_le"),
    ("other models", {}, {"modelIn": ["big", "small-*"]}, "why.model_in"),
    ("a secret", {}, {"secretsFound": True}, "why.secrets_found.no"),
    ("images", {}, {"contentTypes": ["image"]}, "why.content_types"),
    ("short prompts", {}, {"promptTokensLE": 1}, "why.prompt_tokens_le"),
    ("another tool", {}, {"tool": "tools"}, "why.tool"),
]


@eras
async def test_a_rule_whose_conditions_all_hold_allows_and_all_of_them_are_told(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson()
    mine = rule("allow", *SAMPLING_KINDS, when=of(server, **FITTING), expires="2999-01-01T00:00:00Z")
    _, entry = await called(
        wire, person, server, policies=laid_down(rules=[mine]), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == []
    for decision in (entry["decision"], entry["response"]):
        [step] = decision["steps"]
        assert len(step["matched"]) == 1 + len(FITTING)


@eras
@pytest.mark.parametrize(("members", "conditions", "why"), [one[1:] for one in MISSED], ids=[one[0] for one in MISSED])
async def test_where_one_condition_does_not_hold_the_person_is_asked_and_told_which(
    wire: Wire, endpoint: ScriptedEndpoint, era: str, members: Json, conditions: Json, why: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    mine = rule("allow", *SAMPLING_KINDS, when=of(server, **conditions), **members)
    _, entry = await called(
        wire, person, server, policies=laid_down(rules=[mine]), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == ["request", "response"]
    assert given(server) == [HELLO]
    assert keys(entry["decision"]["reasons"]) == ["decision.no_rule"]
    [step] = passed_over(entry["decision"])
    assert step["rule"] == "the rule"
    assert [*keys(step["missed"]), *([step["whyNot"]["key"]] if step["whyNot"] else [])] == [why]


@eras
async def test_a_rule_about_another_server_says_nothing(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    more = {"server": {"serverCommand": [*argv(server), "--more"]}}
    longer, shorter = rule("allow", *SAMPLING_KINDS, id="1", when=more), of(server)
    shorter["server"]["serverCommand"].pop()
    _, entry = await called(
        wire,
        person,
        server,
        policies=laid_down(rules=[longer, rule("allow", *SAMPLING_KINDS, id="2", when=shorter)]),
        providers_file=provider(endpoint, "small"),
    )
    assert asked(person) == ["request", "response"]
    assert entry["decision"]["steps"] == []


async def test_a_rule_allows_as_often_as_it_says_and_again_once_the_time_is_over(
    wire: Wire, endpoint: ScriptedEndpoint
) -> None:
    server = wire.raw({"ask": SAMPLING})
    person = ScriptedPerson(response=AS_IT_IS)
    mine = rule("allow", "sampling.request", when=of(server), rate={"count": 2, "perSeconds": 2})
    counts: list[int] = []
    async with wire.run(person, server, policies=laid_down(), providers_file=provider(endpoint, "small")) as host:
        endpoint.says("the first takes longer than all others: the provider's library is loaded")
        await wire.call()
        laid_down(rules=[mine])
        host.policies.refresh()
        for pause in (0.0, 0.0, 0.0, 2.1):
            await asyncio.sleep(pause)
            endpoint.says("Hello")
            await wire.call()
            counts.append(asked(person).count("request"))
        [_, third, *_] = await host.log.entries()
    assert counts == [1, 1, 2, 2]
    [step] = passed_over(third["decision"])
    assert step["whyNot"] == {"key": "why.rate", "values": {"count": 2, "seconds": 2}}


async def test_a_rate_is_not_forgotten_when_rules_are_read_again(wire: Wire, endpoint: ScriptedEndpoint) -> None:
    server = wire.raw({"ask": SAMPLING})
    person = ScriptedPerson(response=AS_IT_IS)
    mine = rule("allow", "sampling.request", when=of(server), rate={"count": 1, "perSeconds": 3600})
    policies = by("managed", mine)
    async with wire.run(person, server, policies=policies, providers_file=provider(endpoint, "small")):
        for change in ([], [True, False]):
            for suspended in change:
                policies.suspend(suspended)
            endpoint.says("Hello")
            await wire.call()
    assert asked(person).count("request") == 1


# secrets

SECRET_PROMPTS = {
    "in a message": prompt(f"Use {SECRET} please"),
    "in the system prompt": prompt(systemPrompt=f"The token is {SECRET}"),
    "in a tool's result": {
        **SAMPLING,
        "params": {
            "messages": [
                {"role": "user", "content": {"type": "text", "text": "Read it"}},
                {"role": "assistant", "content": {"type": "tool_use", "id": "1", "name": "weather", "input": {}}},
                {
                    "role": "user",
                    "content": {
                        "type": "tool_result",
                        "toolUseId": "1",
                        "content": [{"type": "text", "text": f"it is {SECRET}"}],
                    },
                },
            ],
            "maxTokens": 50,
            "tools": [TOOL],
        },
    },
    "in a tool's definition": prompt(tools=[{**TOOL, "description": f"Call it with {SECRET}"}]),
}


@eras
@pytest.mark.parametrize("request_", SECRET_PROMPTS.values(), ids=SECRET_PROMPTS)
async def test_a_request_with_a_secret_comes_to_the_person_whatever_is_allowed(
    wire: Wire, endpoint: ScriptedEndpoint, era: str, request_: Json
) -> None:
    server = wire.raw({"ask": request_}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(request=Reply(Action.DECLINE))
    allowing = rule("allow", *SAMPLING_KINDS, when=of(server), obligations={"redact": ["secrets"]})
    _, entry = await called(
        wire, person, server, policies=by_both(allowing), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == ["request"]
    assert endpoint.seen == []
    assert keys(entry["decision"]["reasons"]) == ["floor.secret"]
    assert SECRET not in json.dumps(entry)


SECRET_ANSWERS = {
    "in the text": (piece("It is "), piece(SECRET), piece(finish="stop"), DONE),
    "in the use of a tool": (
        tool_piece(0, "c1", "weather", json.dumps({"place": SECRET})),
        piece(finish="tool_calls"),
        DONE,
    ),
}


@eras
@pytest.mark.parametrize("stream", SECRET_ANSWERS.values(), ids=SECRET_ANSWERS)
async def test_an_answer_with_a_secret_comes_to_the_person_whatever_is_allowed(
    wire: Wire, endpoint: ScriptedEndpoint, era: str, stream: tuple[bytes, ...]
) -> None:
    server = wire.raw({"ask": prompt(tools=[TOOL])}, era=era)
    endpoint.will(Scripted(stream=stream))
    person = ScriptedPerson(response=Reply(Action.DECLINE))
    _, entry = await called(
        wire,
        person,
        server,
        policies=by_both(rule("allow", *SAMPLING_KINDS, when=of(server))),
        providers_file=provider(endpoint, "small"),
    )
    assert asked(person) == ["response"]
    assert (entry["decision"]["effect"], entry["response"]["effect"]) == ("allow", "ask")
    assert keys(entry["response"]["reasons"]) == ["floor.secret"]
    assert SECRET not in server.log.read_text(encoding="utf-8")
    assert SECRET not in json.dumps(entry)


@eras
async def test_an_administrator_may_keep_secrets_from_models_and_servers_altogether(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw(tools={"out": [{"ask": prompt(f"Use {SECRET}")}], "in": [{"ask": prompt()}]}, era=era)
    endpoint.says(f"It is {SECRET}")
    person = ScriptedPerson(response=AS_IT_IS)
    no_secrets = rule("deny", *SAMPLING_KINDS, when={"secretsFound": True})
    async with wire.run(
        person, server, policies=by("managed", no_secrets), providers_file=provider(endpoint, "small")
    ) as host:
        await wire.call(tool="out")
        assert (asked(person), endpoint.seen) == ([], [])
        await wire.call(tool="in")
        incoming, outgoing = await host.log.entries()
    assert asked(person) == ["request"]
    assert (outgoing["decision"]["effect"], incoming["response"]["effect"]) == ("deny", "deny")
    assert SECRET not in server.log.read_text(encoding="utf-8")


@eras
async def test_an_answer_that_tells_of_people_is_known_to(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Write to ada@example.org")
    person = ScriptedPerson(response=Reply(Action.DECLINE))
    impersonal = rule("allow", *SAMPLING_KINDS, when=of(server, personalFound=False))
    _, entry = await called(
        wire, person, server, policies=by("user", impersonal), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == ["response"]
    assert entry["response"]["facts"]["personal_found"] is True


# obligations


@eras
async def test_a_rule_may_lower_how_long_answers_get(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    server = wire.raw(tools={"much": [{"ask": SAMPLING}], "little": [{"ask": prompt(maxTokens=10)}]}, era=era)
    allowing = rule("allow", *SAMPLING_KINDS, when=of(server), obligations={"clampMaxTokens": 20})
    person = ScriptedPerson()
    async with wire.run(
        person, server, policies=by("user", allowing), providers_file=provider(endpoint, "small")
    ) as host:
        for tool in ("much", "little"):
            endpoint.says("Hello")
            await wire.call(tool=tool)
        little, much = await host.log.entries()
    assert asked(person) == []
    sent = [seen.body.get("max_tokens") or seen.body.get("max_completion_tokens") for seen in endpoint.seen]
    assert sent == [20, 10]
    assert (much["edits"], little["edits"]) == (["maxTokens"], [])
    assert much["params"]["maxTokens"] == 50


@eras
async def test_a_rule_may_mask_what_tells_of_people(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    text = "Write to ada@example.org and bob@example.org, then to ada@example.org"
    server = wire.raw({"ask": prompt(text, systemPrompt="You work for eve@example.org.")}, era=era)
    endpoint.says("Hello")
    allowing = rule("allow", *SAMPLING_KINDS, when=of(server), obligations={"redact": ["personal"]})
    person = ScriptedPerson()
    _, entry = await called(
        wire, person, server, policies=by("user", allowing), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == []
    [seen] = endpoint.seen
    assert "@example.org" not in json.dumps(seen.body)
    assert [one["content"] for one in seen.body["messages"]] == [
        "You work for «email 3».",
        "Write to «email 1» and «email 2», then to «email 1»",
    ]
    assert given(server) == [HELLO]
    assert entry["edits"] == ["systemPrompt", "messages"]
    assert entry["decision"]["facts"]["personal_found"] is True


@eras
async def test_a_rule_may_want_the_answer_reviewed(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    allowing = rule("allow", *SAMPLING_KINDS, when=of(server), obligations={"reviewResponse": True})
    person = ScriptedPerson(response=AS_IT_IS)
    _, entry = await called(
        wire, person, server, policies=by("user", allowing), providers_file=provider(endpoint, "small")
    )
    assert asked(person) == ["response"]
    assert given(server) == [HELLO]
    assert (entry["response"]["effect"], keys(entry["response"]["reasons"])) == ("ask", ["decision.review_response"])


@eras
async def test_where_the_model_fails_the_person_gets_what_was_allowed(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.will(Scripted(500))
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    allowing = rule("allow", "sampling.request", when=of(server), obligations={"clampMaxTokens": 20})
    await called(wire, person, server, policies=laid_down(rules=[allowing]), providers_file=provider(endpoint, "small"))
    assert asked(person) == ["request", "response"]
    question = person.questions[0]
    assert isinstance(question, RequestQuestion)
    assert question.problems["model"].key == "model.refused"
    assert (question.original.max_tokens, question.draft.max_tokens) == (50, 20)
    assert given(server) == [HELLO]


# what the person does to a request


def goes_to(model: str) -> RequestReply:
    return RequestReply(Action.ACCEPT, model=model)


@eras
async def test_a_model_that_is_denied_gets_nothing_when_the_person_chooses_it(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(request=[goes_to("big"), Reply(Action.CANCEL)], response=AS_IT_IS)
    no_big = rule("deny", "sampling.request", when={"modelIn": ["big"]})
    await called(
        wire, person, server, policies=by("managed", no_big), providers_file=provider(endpoint, "small", "big")
    )
    assert [seen.body["model"] for seen in endpoint.seen] == []


@eras
async def test_an_answer_is_judged_by_the_model_that_gave_it(wire: Wire, endpoint: ScriptedEndpoint, era: str) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(request=goes_to("big"), response=AS_IT_IS)
    of_small = rule("allow", "sampling.response", when=of(server, modelIn=["small"]))
    _, entry = await called(
        wire, person, server, policies=laid_down(rules=[of_small]), providers_file=provider(endpoint, "small", "big")
    )
    assert [seen.body["model"] for seen in endpoint.seen] == ["big"]
    assert asked(person) == ["request", "response"]
    assert "big" in entry["response"]["facts"]["models"]


@eras
async def test_a_secret_that_the_person_writes_into_a_request_is_kept_from_the_model_where_that_is_denied(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    def with_a_secret(question: Any) -> RequestReply:
        turn = question.draft.messages[0].with_text(f"Use {SECRET}")
        return RequestReply(Action.ACCEPT, draft=replace(question.draft, messages=(turn,)))

    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("Hello")
    person = ScriptedPerson(request=[with_a_secret, Reply(Action.CANCEL)], response=AS_IT_IS)
    no_secrets = rule("deny", "sampling.request", when={"secretsFound": True})
    await called(wire, person, server, policies=by("managed", no_secrets), providers_file=provider(endpoint, "small"))
    assert endpoint.seen == []


# which call an ask is of


@eras
async def test_over_stdio_an_allowance_for_one_tool_covers_only_what_is_certainly_its_own(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    """A handshake server does not say which of two calls an ask is of; a modern one does."""
    server = wire.raw(tools={"busy": [{"ask": FORM}], "mine": [{"ask": SAMPLING}]}, era=era)
    endpoint.says("Hello")
    thinking = Pondering(ADA)
    person = ScriptedPerson(form=thinking, response=AS_IT_IS)
    mine = rule("allow", *SAMPLING_KINDS, when=of(server, tool="mine"))
    async with wire.run(
        person, server, policies=laid_down(rules=[mine]), providers_file=provider(endpoint, "small")
    ) as host:
        busy = host.begin_call("raw", "busy", {})
        await thinking.asked.wait()
        await wire.call(tool="mine")
        [entry] = await host.log.entries()
        thinking.decide()
        await wire.result(busy)
    assert asked(person) == (["form", "request", "response"] if era == "handshake" else ["form"])
    assert entry["decision"]["facts"]["tools"] == (["busy", "mine"] if era == "handshake" else ["mine"])


@eras
async def test_over_stdio_a_denial_for_one_tool_covers_whatever_may_be_its_own(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw(tools={"busy": [{"ask": FORM}], "other": [{"ask": SAMPLING}]}, era=era)
    endpoint.says("Hello")
    thinking = Pondering(ADA)
    person = ScriptedPerson(form=thinking, response=AS_IT_IS)
    no_busy = rule("deny", "sampling.request", when={"tool": "busy"})
    async with wire.run(
        person, server, policies=laid_down(rules=[no_busy]), providers_file=provider(endpoint, "small")
    ) as host:
        busy = host.begin_call("raw", "busy", {})
        await thinking.asked.wait()
        await wire.call(tool="other")
        thinking.decide()
        await wire.result(busy)
    assert asked(person) == (["form"] if era == "handshake" else ["form", "request", "response"])


# floors and layers


@eras
@pytest.mark.parametrize(
    ("kind", "ask", "floor"),
    [("elicitation.form", FORM, "form"), ("elicitation.url", LINK, "link")],
    ids=["form", "link"],
)
async def test_nothing_fills_a_form_or_opens_a_link_for_the_person(
    wire: Wire, era: str, kind: str, ask: Json, floor: str
) -> None:
    server = wire.raw({"ask": ask}, era=era)
    person = ScriptedPerson(form=ADA, link=LinkReply(Action.ACCEPT))
    _, entry = await called(wire, person, server, policies=by_both(rule("allow", kind, when=of(server))))
    assert asked(person) == [floor]
    assert given(server)[0]["action"] == "accept"
    assert entry["decision"]["reasons"] == [{"key": f"floor.{floor}", "values": {}}]
    assert [(step["layer"], step["effect"]) for step in entry["decision"]["steps"]] == [
        ("floor", "ask"),
        ("managed", "allow"),
        ("user", "allow"),
    ]


@eras
async def test_folders_that_were_shared_before_may_be_told_without_a_question(
    wire: Wire, era: str, tmp_path: Path
) -> None:
    server = wire.raw({"ask": ROOTS}, era=era)
    person = ScriptedPerson()
    policies = by("user", rule("allow", "roots.list", when=of(server)))
    for name in ("shared", "other's", "gone"):
        (tmp_path / name).mkdir()
    async with wire.run(person, server, policies=policies) as host:
        host.workspace.offer(str(tmp_path / "shared"), "raw", "Here")
        host.workspace.offer(str(tmp_path / "gone"), "raw")
        host.workspace.offer(str(tmp_path / "other's"), "another")
        (tmp_path / "gone").rmdir()
        await wire.call()
        [entry] = await host.log.entries()
    roots = {"roots": [{"uri": (tmp_path / "shared").as_uri(), "name": "Here"}]}
    assert asked(person) == []
    assert given(server) == [roots]
    assert (entry["outcome"], entry["answer"], entry["decision"]["effect"]) == ("accept", roots, "allow")


@pytest.mark.parametrize(
    ("managed", "user", "effect", "layer"),
    [
        ("allow", "deny", "deny", "user"),
        ("deny", "allow", "deny", "managed"),
        ("ask", "deny", "deny", "user"),
        ("deny", "ask", "deny", "managed"),
        ("allow", "ask", "ask", "user"),
        ("ask", "allow", "ask", "managed"),
        ("allow", "allow", "allow", "managed"),
    ],
)
async def test_of_an_administrators_rule_and_the_persons_the_stricter_holds(
    wire: Wire, endpoint: ScriptedEndpoint, managed: str, user: str, effect: str, layer: str
) -> None:
    server = wire.raw({"ask": SAMPLING})
    endpoint.says("Hello")
    person = ScriptedPerson(response=AS_IT_IS)
    policies = laid_down(
        {"rules": [rule(managed, "sampling.request", when=of(server))]},
        [rule(user, "sampling.request", when=of(server))],
    )
    _, entry = await called(wire, person, server, policies=policies, providers_file=provider(endpoint, "small"))
    assert asked(person) == {"deny": [], "ask": ["request", "response"], "allow": ["response"]}[effect]
    assert (entry["decision"]["effect"], entry["decision"]["steps"][0]["layer"]) == (effect, layer)
    assert len(counting(entry["decision"])) == 2, "both are told"
