"""Requests to a model: read, edited, put to a model that is suggested with its reason, and answered as the person says."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_host.asks.corridor import Corridor
from desktop_host.asks.limits import Bounds
from desktop_host.asks.person import Action, RequestQuestion, RequestReply, ResponseQuestion, ResponseReply
from desktop_host.asks.person import Reply as PersonReply
from desktop_host.asks.sampling import SamplingMatter
from desktop_host.audit.log import AuditLog
from desktop_host.policy.decide import Rulebook
from desktop_host.policy.facts import Facts
from desktop_host.policy.rules import Kind
from desktop_host.policy.secrets import masked, masked_value
from desktop_host.sampling.catalog import Catalog
from desktop_host.sampling.choice import suggest
from desktop_host.sampling.draft import Draft, ModelAnswer, Turn, draft_findings, result_of
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.presets import Preset
from desktop_host.sampling.models.provider import YOU, ModelInfo
from desktop_host.sampling.models.you import You
from desktop_host.sampling.reading import MAX_MESSAGES, MOST_TOKENS, InvalidRequest, read_draft
from desktop_host.sampling.speeds import Speeds
from desktop_host.terms.asks import Answer, Ask, AskKind, CallRef, Effect, Origin, Outcome, Record, WireError
from tests.support.model_server import DONE, Scripted, ScriptedEndpoint, piece, tool_piece
from tests.support.person import ScriptedPerson, never
from tests.support.wire import until

pytest_plugins = ("tests.support.fixtures",)

CASES = {
    case["id"]: case
    for file in sorted((Path(__file__).parent / "cases" / "sampling").glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))["cases"]
}
M = ModelInfo("m", "h")
HELLO = {"role": "user", "content": {"type": "text", "text": "hi"}}
SAMPLE = {
    "messages": [HELLO],
    "maxTokens": 10,
    "systemPrompt": "Be brief.",
    "temperature": 0.5,
    "stopSequences": ["END"],
    "modelPreferences": {"hints": [{"name": "scripted"}], "costPriority": 0.1},
    "metadata": {"secret": "not passed on"},
}


# Reading


@pytest.mark.parametrize("variant", CASES["G01"]["variants"], ids=lambda variant: str(variant["maxTokens"]))
def test_a_limit_that_is_none_is_refused_by_its_name(variant: dict[str, Any]) -> None:
    params = {**CASES["G01"]["params"], "maxTokens": variant["maxTokens"]}
    if variant["expect"].startswith("-32602"):
        with pytest.raises(InvalidRequest) as refused:
            read_draft(params)
        assert refused.value.field == "maxTokens"
    else:
        draft = read_draft(params)
        assert draft.max_tokens == MOST_TOKENS < variant["maxTokens"]
        wanted = {"wanted": variant["maxTokens"], "most": MOST_TOKENS}
        assert [(notice.key, notice.mapping) for notice in draft.notices] == [("sampling.clamped", wanted)]


def test_what_no_model_can_be_given_is_named_and_never_dropped_silently() -> None:
    draft = read_draft(CASES["G02"]["params"])
    assert [block["type"] for block in draft.messages[0].content] == ["text", "image", "hologram"]
    (finding,) = draft_findings(draft)
    assert (finding.message.key, finding.where) == ("sampling.unknown_block", "messages/1")
    assert finding.message.mapping == {"number": 1, "kind": "hologram"}
    plan = OpenAICompatible("http://127.0.0.1:9/v1", ("m",), str).plan(draft, M)
    assert [part["type"] for part in plan.wire["messages"][0]["content"]] == ["text", "image_url"]
    assert [(loss.key, loss.mapping) for loss in plan.losses] == [("model.loss_block", {"kind": "hologram"})]


async def test_a_tool_use_without_its_result_is_refused_by_its_name_before_any_model(
    desk: "Desk", endpoint: ScriptedEndpoint
) -> None:
    answer = await desk.ask(CASES["G04"]["params"])
    assert answer.error is not None
    assert (answer.outcome, answer.error.code) == (Outcome.REFUSED, -32602)
    assert re.search(r"\bb\b", answer.error.message)
    assert (desk.person.questions, endpoint.seen) == ([], [])


async def test_no_tool_use_leaves_where_the_server_wants_none_though_the_model_calls(
    desk: "Desk", endpoint: ScriptedEndpoint
) -> None:
    endpoint.will(Scripted(stream=(piece("no"), tool_piece(0, "c1", "w", "{}"), piece(finish="tool_calls"), DONE)))
    answer = await desk.ask(CASES["G04b"]["params"], response=ResponseReply(Action.ACCEPT))
    assert answer.result == result_of(ModelAnswer("no", "scripted-1"))
    assert "tool_use" not in json.dumps(answer.result)
    assert endpoint.seen[0].body["tool_choice"] == "none"


@pytest.mark.parametrize("number", [10**400, -(10**400), float("inf"), float("nan"), True, "0.5"])
def test_a_temperature_that_is_no_finite_number_is_refused(number: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_draft({**CASES["G05"]["params"], "temperature": number})
    assert refused.value.field == "temperature"


def test_no_context_of_other_servers_is_included_and_that_is_said() -> None:
    draft = read_draft(CASES["G05"]["params"])
    assert [notice.key for notice in draft.notices] == ["sampling.no_context"]
    assert "includeContext" not in json.dumps(OpenAICompatible("http://h.example", ("m",), str).plan(draft, M).wire)
    assert read_draft({**CASES["G05"]["params"], "includeContext": "none"}).notices == ()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": "hi"}, "messages"),
        ({"messages": [HELLO] * (MAX_MESSAGES + 1)}, "messages"),
        ({"messages": [{"role": "user", "content": {"type": "text", "text": "x" * (1024 * 1024 + 1)}}]}, "messages"),
        ({"messages": [HELLO, 5]}, "messages/1"),
        ({"messages": [{**HELLO, "role": "system"}]}, "messages/0/role"),
        ({"messages": [{"role": "user", "content": "hi"}]}, "messages/0/content"),
        ({"messages": [{"role": "user", "content": []}]}, "messages/0/content"),
        ({"messages": [{"role": "user", "content": {"text": "hi"}}]}, "messages/0/content"),
        ({"systemPrompt": 5}, "systemPrompt"),
        ({"stopSequences": "END"}, "stopSequences"),
        ({"stopSequences": ["END", 1]}, "stopSequences"),
        ({"temperature": "hot"}, "temperature"),
        ({"temperature": True}, "temperature"),
        ({"maxTokens": True}, "maxTokens"),
        ({"maxTokens": "10"}, "maxTokens"),
        ({"tools": {"name": "w"}}, "tools/0"),
        ({"tools": [{"name": "w", "inputSchema": {}}, "w"]}, "tools/1"),
        ({"tools": [{"name": "w"}]}, "tools/0"),
        ({"tools": [{"name": "", "inputSchema": {}}]}, "tools/0"),
        ({"tools": [{"name": "w", "inputSchema": {}}] * 2}, "tools/1"),
        ({"tools": [{"name": "w", "inputSchema": {}}], "toolChoice": {"mode": "any"}}, "toolChoice"),
        ({"tools": [{"name": "w", "inputSchema": {}}], "toolChoice": 5}, "toolChoice"),
    ],
)
def test_a_malformed_request_is_refused_by_the_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_draft({**SAMPLE, **changes})
    assert refused.value.field == field


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "image", "audio", "x"])}, optional={"text": json_values, "data": json_values}
)
messages = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "system"]),
        "content": blocks | st.lists(blocks, max_size=3) | json_values,
    }
)
requests = st.fixed_dictionaries(
    {"messages": st.lists(messages, max_size=3) | json_values, "maxTokens": st.integers(-1, 9) | json_values},
    optional=dict.fromkeys(["systemPrompt", "temperature", "stopSequences", "includeContext", "modelPreferences"], json_values),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(requests | st.dictionaries(st.sampled_from([*SAMPLE]), json_values))
def test_any_request_is_read_or_refused(params: dict[str, Any]) -> None:
    try:
        draft = read_draft(params)
    except InvalidRequest:
        return
    assert draft.max_tokens >= 1
    assert all(isinstance(hint, str) for hint in draft.hints)
    assert draft.rough_tokens >= 0
    draft_findings(draft)
    plan = OpenAICompatible("http://127.0.0.1:9/v1", ("m",), str).plan(draft, M)
    assert plan.wire["max_tokens"] == draft.max_tokens
    results = sum(block["type"] == "tool_result" for turn in draft.messages for block in turn.content)
    assert len(plan.wire["messages"]) >= len(draft.messages) + bool(draft.system)
    assert results or len(plan.wire["messages"]) == len(draft.messages) + bool(draft.system)


# Editing

TEXT, IMAGE = {"type": "text", "text": "a"}, {"type": "image", "data": "", "mimeType": "image/png"}
contents = st.lists(
    st.sampled_from([IMAGE, {"type": "x"}]) | st.text(max_size=3).map(lambda t: {**TEXT, "text": t}), min_size=1
)


@settings(deadline=None)
@given(content=contents, text=st.text(max_size=5))
def test_a_message_takes_other_words_and_keeps_all_else(content: list[dict[str, Any]], text: str) -> None:
    turn = Turn("user", tuple(content), single=len(content) == 1)
    edited = turn.with_text(text)
    assert edited.text == text
    assert [block for block in edited.content if block["type"] != "text"] == [
        block for block in content if block["type"] != "text"
    ]
    first = next((index for index, block in enumerate(content) if block["type"] == "text"), None)
    if text and first is not None:
        assert edited.content[first]["type"] == "text"
    assert turn.with_text(turn.text) is turn
    assert edited.role == turn.role
    assert not edited.single or len(edited.content) == 1


def test_changes_are_named_by_their_wire_names() -> None:
    draft = read_draft(SAMPLE)
    assert draft.changes(draft) == ()
    assert replace(draft, system="x").changes(draft) == ("systemPrompt",)
    assert replace(draft, max_tokens=5).changes(draft) == ("maxTokens",)
    assert replace(draft, messages=()).changes(draft) == ("messages",)
    same = replace(draft, messages=(draft.messages[0].with_text("x").with_text("hi"),))
    assert same.changes(draft) == ()


# Which model


@pytest.mark.parametrize(
    ("hints", "models", "model", "why"),
    [
        (["sonnet"], ["gpt-5", "claude-sonnet-5"], "claude-sonnet-5", "model.why_hint"),
        (["SONNET"], ["claude-sonnet-5"], "claude-sonnet-5", "model.why_hint"),
        (["opus", "gpt"], ["gpt-5", "gpt-5-mini"], "gpt-5", "model.why_hint"),
        (["mini", "gpt-5"], ["gpt-5", "gpt-5-mini"], "gpt-5-mini", "model.why_hint"),
        (["opus"], ["gpt-5"], "gpt-5", "model.why_no_hint_fits"),
        (["you"], ["gpt-5"], "gpt-5", "model.why_no_hint_fits"),
        ([""], ["gpt-5", "other"], "gpt-5", "model.why_only"),
        ([], ["gpt-5", "other"], "gpt-5", "model.why_only"),
        (["opus"], [], YOU, "model.why_you"),
    ],
)
def test_hints_are_tried_in_order_and_the_reason_is_said(
    hints: list[str], models: list[str], model: str, why: str
) -> None:
    there = (*(ModelInfo(name, "h") for name in models), ModelInfo(YOU, YOU))
    draft = Draft((), 1, preferences={"hints": [{"name": hint} for hint in hints]})
    suggestion = suggest(draft, there)
    assert (suggestion.model.id, suggestion.why.key) == (model, why)
    assert suggestion.models == there


def test_a_model_that_cannot_be_used_is_why_the_person_writes() -> None:
    suggestion = suggest(Draft((), 1), (ModelInfo(YOU, YOU),), some_missing=True)
    assert (suggestion.model.id, suggestion.why.key) == (YOU, "model.why_not_there")


@pytest.mark.parametrize("preferences", [None, {}, {"hints": None}, {"hints": "x"}, {"hints": [None, 5, {"x": 1}]}])
def test_preferences_that_are_none_are_no_hints(preferences: Any) -> None:
    assert Draft((), 1, preferences=preferences).hints == ()


def test_the_result_is_one_text_block_that_every_revision_takes() -> None:
    assert result_of(ModelAnswer("text", "m", "content_filtered", 1, 2, 0.5)) == {
        "role": "assistant",
        "content": {"type": "text", "text": "text"},
        "model": "m",
        "stopReason": "content_filtered",
    }


# The whole way


class Desk:
    """A corridor for sampling alone: a scripted person, a scripted endpoint, and what was recorded."""

    def __init__(self, endpoint: ScriptedEndpoint) -> None:
        self.provider = OpenAICompatible(endpoint.url, ("scripted-1",), lambda: None)
        self.providers: list[Any] = [self.provider, You()]
        self.person = ScriptedPerson()
        self.records: list[Record] = []
        self.log = AuditLog(clean=masked_value)

    async def ask(self, params: dict[str, Any], **answers: Any) -> Answer:
        self.person = ScriptedPerson(**answers)
        return await self.corridor().walk(an_ask(params))

    def corridor(self) -> Corridor:
        catalog = Catalog(lambda: self.providers, Speeds(None))
        matters = {AskKind.SAMPLING: lambda: SamplingMatter(catalog)}
        return Corridor(
            self.person,
            self.log,
            lambda _: Facts(Kind.REQUEST),
            Rulebook(()).decide,
            matters,
            self.records.append,
        )


def an_ask(params: dict[str, Any], *, server: str = "s", key: str = "1") -> Ask:
    origin = Origin(server, "argv", "handshake", "2025-11-25", (CallRef("c", "tool", {}, 0.0),), key)
    return Ask(f"{server}{key}", AskKind.SAMPLING, origin, params)


@pytest.fixture
async def desk(endpoint: ScriptedEndpoint) -> AsyncIterator[Desk]:
    desk = Desk(endpoint)
    yield desk
    await desk.log.close()


async def test_an_approved_request_goes_out_as_it_is_and_the_answer_comes_back(
    desk: Desk, endpoint: ScriptedEndpoint
) -> None:
    endpoint.says("Hel", "lo")
    answer = await desk.ask(SAMPLE, response=ResponseReply(Action.ACCEPT))
    assert answer.outcome is Outcome.ACCEPT
    assert answer.result == result_of(ModelAnswer("Hello", "scripted-1"))
    assert desk.person.streamed_text == "Hello"
    (seen,) = endpoint.seen
    question = desk.person.questions[1]
    assert isinstance(question, ResponseQuestion)
    assert question.plan.wire == seen.body, "what was shown is what was sent"
    assert (question.answer.tokens_in, question.answer.tokens_out) == (7, 3)
    assert seen.body == {
        "model": "scripted-1",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}],
        "max_tokens": 10,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.5,
        "stop": ["END"],
    }
    (record,) = desk.records
    assert (record.answer, record.edits, record.errors) == (answer.result, (), {})


async def test_an_edited_answer_is_marked_and_an_unknown_stop_reason_passed_on(
    desk: Desk, endpoint: ScriptedEndpoint
) -> None:
    case = CASES["G07"]
    endpoint.says("theirs", finish=case["model_returns"]["stopReason"])
    answer = await desk.ask(case["params"], response=ResponseReply(Action.ACCEPT, text="mine"))
    assert answer.result == result_of(ModelAnswer("mine", "scripted-1", "content_filtered"))
    assert desk.records[0].edits == ("answer",)
    assert desk.records[0].differences == {"answer": "-theirs\n+mine"}


async def test_an_edited_request_is_what_the_model_gets_and_marked(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    def edit(question: RequestQuestion) -> RequestReply:
        draft = replace(question.draft, system="", max_tokens=3)
        return RequestReply(Action.ACCEPT, draft=replace(draft, messages=(draft.messages[0].with_text("hello"),)))

    endpoint.says("x")
    answer = await desk.ask(SAMPLE, request=edit, response=ResponseReply(Action.ACCEPT, text="x"))
    assert answer.outcome is Outcome.ACCEPT
    body = endpoint.seen[0].body
    assert (body["messages"], body["max_tokens"]) == ([{"role": "user", "content": "hello"}], 3)
    assert desk.records[0].edits == ("systemPrompt", "messages", "maxTokens")
    told = {"systemPrompt": "-Be brief.", "messages/1": "-hi\n+hello", "maxTokens": "10 → 3"}
    assert desk.records[0].differences == told


@pytest.mark.parametrize(
    ("request_reply", "response_reply", "outcome", "error"),
    [
        (Action.DECLINE, None, Outcome.DECLINE, WireError(-1, "User rejected sampling request")),
        (Action.CANCEL, None, Outcome.CANCEL, WireError(-1, "User closed the sampling request without deciding")),
        (Action.STOP, None, Outcome.STOP, WireError(-1, "User closed the sampling request without deciding")),
        (Action.ACCEPT, Action.DECLINE, Outcome.DECLINE, WireError(-1, "User rejected sampling request")),
        (
            Action.ACCEPT,
            Action.CANCEL,
            Outcome.CANCEL,
            WireError(-1, "User closed the sampling request without deciding"),
        ),
    ],
)
async def test_a_refusal_sends_no_word_of_the_answer(
    desk: Desk,
    endpoint: ScriptedEndpoint,
    request_reply: Action,
    response_reply: Action | None,
    outcome: Outcome,
    error: WireError,
) -> None:
    endpoint.says("Hello")
    second = PersonReply(response_reply or Action.CANCEL, "my reason")
    answer = await desk.ask(SAMPLE, request=PersonReply(request_reply, "my reason"), response=second)
    assert (answer.outcome, answer.result, answer.error) == (outcome, None, error)
    assert len(endpoint.seen) == (response_reply is not None)
    (record,) = desk.records
    assert record.answer == {"error": {"code": error.code, "message": error.message}}
    assert record.reason == "my reason"


async def test_a_malformed_request_is_answered_before_anybody_sees_it(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    answer = await desk.ask({**SAMPLE, "maxTokens": 0})
    assert (answer.outcome, answer.error) == (Outcome.REFUSED, WireError(-32602, "Invalid maxTokens"))
    assert (desk.person.questions, endpoint.seen) == ([], [])
    assert [notice.key for notice in desk.records[0].notices] == ["sampling.invalid"]


async def test_again_runs_again_and_back_goes_back(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    for text in ("one", "two", "three"):
        endpoint.says(text)
    edits = [
        RequestReply(Action.ACCEPT),
        lambda q: RequestReply(Action.ACCEPT, draft=replace(q.draft, system="Other.")),
    ]
    replies = [PersonReply(Action.AGAIN), PersonReply(Action.BACK), ResponseReply(Action.ACCEPT)]
    answer = await desk.ask(SAMPLE, request=edits, response=replies)
    assert answer.result == result_of(ModelAnswer("three", "scripted-1"))
    assert [seen.body["messages"][0]["content"] for seen in endpoint.seen] == ["Be brief.", "Be brief.", "Other."]
    shown = [question.answer.text for question in desk.person.questions if isinstance(question, ResponseQuestion)]
    assert shown == ["one", "two", "three"]
    assert desk.records[0].edits == ("systemPrompt",)


async def test_a_failure_is_said_at_the_request_which_may_be_sent_again(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    endpoint.will(Scripted(429, headers={"retry-after": "7"}))
    endpoint.says("now")
    answer = await desk.ask(SAMPLE, response=ResponseReply(Action.ACCEPT))
    assert answer.result == result_of(ModelAnswer("now", "scripted-1"))
    problems = [question.problems for question in desk.person.questions]
    assert problems[0] == {}
    assert (problems[1]["model"].key, problems[1]["model"].mapping["seconds"]) == ("model.busy", "7")
    assert desk.records[0].errors == {}


async def test_a_model_that_is_not_there_is_said(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    endpoint.says("x")
    replies = [RequestReply(Action.ACCEPT, model="no such model"), RequestReply(Action.ACCEPT, model="scripted-1")]
    answer = await desk.ask(SAMPLE, request=replies, response=ResponseReply(Action.ACCEPT))
    assert answer.outcome is Outcome.ACCEPT
    assert [seen.body["model"] for seen in endpoint.seen] == ["scripted-1"]
    assert desk.person.questions[1].problems["model"].key == "model.unknown"


async def test_the_person_may_be_the_model_and_nothing_leaves(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    answer = await desk.ask(
        SAMPLE, request=RequestReply(Action.ACCEPT, model=YOU), response=ResponseReply(Action.ACCEPT, text="by hand")
    )
    assert answer.result == result_of(ModelAnswer("by hand", YOU))
    question = desk.person.questions[1]
    assert isinstance(question, ResponseQuestion)
    assert (question.written_by_person, question.plan.wire) == (True, {})
    assert endpoint.seen == []
    assert desk.records[0].edits == ()


@pytest.mark.parametrize("action", [Action.CANCEL, Action.DECLINE, Action.BACK])
async def test_a_run_can_be_interrupted_and_really_ends(desk: Desk, endpoint: ScriptedEndpoint, action: Action) -> None:
    endpoint.will(Scripted(stream=(piece("Hel"),), hold_end=30))
    endpoint.says("again")
    task = asyncio.create_task(
        desk.ask(SAMPLE, request=[RequestReply(Action.ACCEPT)], response=ResponseReply(Action.ACCEPT))
    )
    await until(lambda: desk.person.streamed_text == "Hel")
    assert desk.person.interruption is not None
    desk.person.interruption.set_result(PersonReply(action))
    answer = await asyncio.wait_for(task, 5)
    assert answer.outcome is (Outcome.ACCEPT if action is Action.BACK else Outcome(action.value))
    assert await asyncio.to_thread(endpoint.seen[0].gone.wait, 5), "the endpoint was told"


async def test_ten_requests_each_of_two_servers_are_limited_per_server(desk: Desk) -> None:
    """G08's limit; the fair order between servers and "decline all" are the inbox's."""
    desk.person = ScriptedPerson(request=never)
    corridor = desk.corridor()
    asks = [an_ask(SAMPLE, server=server, key=str(number)) for number in range(10) for server in ("a", "b")]
    tasks = [asyncio.create_task(corridor.walk(ask)) for ask in asks]
    await asyncio.sleep(0.2)
    assert [question.ask.origin.server for question in desk.person.questions] == ["a", "b"] * Bounds().waiting
    refused = [task.result() for task in tasks if task.done()]
    assert len(refused) == 20 - 2 * Bounds().waiting
    assert {(answer.error.code, answer.why.key) for answer in refused if answer.error and answer.why} == {
        (-32603, "limit.too_many")
    }
    corridor.dismiss(lambda ask: ask.origin.server == "a", Action.DECLINE)
    await asyncio.sleep(0.1)
    declined = [task.result().outcome for task, ask in zip(tasks, asks, strict=True) if ask.origin.server == "a"]
    assert declined.count(Outcome.DECLINE) == Bounds().waiting
    corridor.dismiss(lambda ask: True)
    assert {answer.outcome for answer in await asyncio.gather(*tasks)} == {
        Outcome.DECLINE,
        Outcome.CANCEL,
        Outcome.REFUSED,
    }


async def test_what_is_masked_is_what_is_sent_and_it_is_marked(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"

    def mask(question: RequestQuestion) -> RequestReply:
        turns = tuple(turn.with_text(masked(turn.text)) for turn in question.draft.messages)
        return RequestReply(Action.ACCEPT, draft=replace(question.draft, messages=turns))

    endpoint.says("x")
    params = {**SAMPLE, "messages": [{"role": "user", "content": {"type": "text", "text": f"a {secret} b"}}]}
    await desk.ask(params, request=mask, response=ResponseReply(Action.ACCEPT))
    assert endpoint.seen[0].body["messages"][-1]["content"] == "a «token 1» b"
    assert desk.records[0].edits == ("messages",)
    (entry,) = await desk.log.entries()
    assert secret not in json.dumps(entry)


async def test_a_request_that_no_model_can_do_is_left_to_the_person_with_the_reason(
    desk: Desk, endpoint: ScriptedEndpoint
) -> None:
    desk.providers[0] = OpenAICompatible(endpoint.url, ("m",), lambda: None, preset=Preset(tools=False))
    params = {**SAMPLE, "tools": [{"name": "w", "inputSchema": {}}]}
    answer = await desk.ask(params, response=ResponseReply(Action.ACCEPT, text="by hand"))
    assert answer.result == result_of(ModelAnswer("by hand", YOU))
    question = desk.person.questions[0]
    assert isinstance(question, RequestQuestion)
    assert question.suggestion.why.key == "model.why_none_able"
    assert [(name, why.key) for name, why in question.suggestion.unable] == [("m", "model.no_tools")]
    assert endpoint.seen == []


async def test_no_model_declined_and_failed_are_different_things(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    """S02: whoever has no model, declines, or meets a fault is told so, each in its own words."""
    case = CASES["S02"]["params"]
    desk.providers = [You()]
    await desk.ask(case, response=ResponseReply(Action.ACCEPT, text="x"))
    question = desk.person.questions[0]
    assert isinstance(question, RequestQuestion)
    assert question.suggestion.why.key == "model.why_you"
    declined = await desk.ask(case, request=PersonReply(Action.DECLINE))
    assert (declined.outcome, declined.error) == (Outcome.DECLINE, WireError(-1, "User rejected sampling request"))
    desk.providers = [desk.provider, You()]
    endpoint.will(Scripted(500))
    failed = await desk.ask(case, request=[RequestReply(Action.ACCEPT), PersonReply(Action.CANCEL)])
    assert failed.outcome is Outcome.CANCEL
    assert desk.person.questions[1].problems["model"].key == "model.refused"
    assert [notice.key for notice in desk.records[-1].errors.values()] == ["model.refused"]


@pytest.mark.parametrize("case", ["S05", "S08", "S09", "S10", "G07"])
async def test_every_answer_is_the_assistants(desk: Desk, endpoint: ScriptedEndpoint, case: str) -> None:
    endpoint.says("x")
    answer = await desk.ask(CASES[case]["params"], response=ResponseReply(Action.ACCEPT))
    assert answer.result is not None
    assert answer.result["role"] == "assistant"
    assert endpoint.seen[0].body["max_tokens"] <= MOST_TOKENS


async def test_one_approval_allows_nothing_else(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    """S01, and S03 with it: a second corridor on the same record, as after a restart, asks as well."""
    desk.person = ScriptedPerson(response=ResponseReply(Action.ACCEPT))
    for case, server in (("S01", "s"), ("S01", "s"), ("S01", "other"), ("S03", "s")):
        endpoint.says("x")
        answer = await desk.corridor().walk(an_ask(CASES[case]["params"], server=server))
        assert answer.outcome is Outcome.ACCEPT
    asked = [type(question) for question in desk.person.questions]
    assert asked == [RequestQuestion, ResponseQuestion] * 4
    assert {record.decision.effect for record in desk.records} == {Effect.ASK}


async def test_the_shape_of_an_answer_follows_whether_a_tool_is_used(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    """S07: tools that are offered and not used change nothing."""
    endpoint.says("just words")
    endpoint.will(Scripted(stream=(tool_piece(0, "c1", "w", "{}"), piece(finish="tool_calls"), DONE)))
    replies = ResponseReply(Action.ACCEPT)
    first = await desk.ask(CASES["S07"]["params"], response=replies)
    second = await desk.ask(CASES["S07"]["params"], response=replies)
    assert first.result is not None
    assert second.result is not None
    assert isinstance(first.result["content"], dict)
    assert second.result["content"] == [{"type": "tool_use", "id": "c1", "name": "w", "input": {}}]
    assert desk.records[-1].edits == ()


async def test_a_schema_as_deep_as_the_wire_carries_is_answered(desk: Desk, endpoint: ScriptedEndpoint) -> None:
    schema: dict[str, Any] = {}
    for _ in range(190):  # past 200 levels no message is read at all
        schema = {"items": schema}
    endpoint.says("x")
    params = {**SAMPLE, "tools": [{"name": "w", "inputSchema": schema}]}
    answer = await desk.ask(params, response=ResponseReply(Action.ACCEPT))
    assert answer.outcome is Outcome.ACCEPT
    assert len(await desk.log.entries()) == 1
