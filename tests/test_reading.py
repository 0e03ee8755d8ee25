"""Reading requests to a model: every cap, every rule of balance, and nothing but a refusal for what is malformed."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_host.sampling.draft import draft_findings, secret_findings
from desktop_host.sampling.models.anthropic import Anthropic
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.provider import ModelInfo
from desktop_host.sampling.reading import (
    MAX_MEDIA,
    MAX_MESSAGES,
    MAX_TEXT,
    MOST_TOKENS,
    InvalidRequest,
    read_draft,
)

Json = dict[str, Any]
PEERS = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases" / "sampling" / "peers.json").read_text("utf-8"))["cases"]
}
M = ModelInfo("m", "h")
PLANNERS = (OpenAICompatible("http://127.0.0.1:9/v1", ("m",), str), Anthropic(("m",), str))
TOOL = {"name": "w", "inputSchema": {"type": "object"}}
MIB = 1024 * 1024


def text(words: str = "hi") -> Json:
    return {"type": "text", "text": words}


def media(size: int, kind: str = "image") -> Json:
    return {"type": kind, "data": "A" * (size * 4 // 3), "mimeType": "image/png"}


def use(name: str, **more: Any) -> Json:
    return {"type": "tool_use", "id": name, "name": "w", "input": {}, **more}


def result(name: str, *content: Json, **more: Any) -> Json:
    return {"type": "tool_result", "toolUseId": name, "content": list(content) or [text("18")], **more}


def user(*content: Json) -> Json:
    return {"role": "user", "content": list(content)}


def model(*content: Json) -> Json:
    return {"role": "assistant", "content": list(content)}


def request(*messages: Json, **more: Any) -> Json:
    return {"messages": list(messages), "maxTokens": 10, **more}


def refused(params: Json) -> str:
    with pytest.raises(InvalidRequest) as refusal:
        read_draft(params)
    assert refusal.value.field in str(refusal.value)
    return refusal.value.field


# Caps


@pytest.mark.parametrize(
    "params",
    [
        request(user(text("x" * MAX_TEXT))),
        request(user(text("x" * (MAX_TEXT - 5))), systemPrompt="x" * 5),
        request(*[user(text())] * MAX_MESSAGES),
        request(user(media(MAX_MEDIA - 3))),
        request(user(media(6 * MIB), media(6 * MIB), media(6 * MIB))),
    ],
    ids=["text", "text and system", "messages", "one image", "several images"],
)
def test_what_is_just_small_enough_is_read(params: Json) -> None:
    assert len(read_draft(params).messages) == len(params["messages"])


@pytest.mark.parametrize(
    "params",
    [
        request(user(text("x" * (MAX_TEXT + 1)))),
        request(user(text("x" * (MAX_TEXT - 5))), systemPrompt="x" * 6),
        request(user(text("x" * (MAX_TEXT // 2))), model(text("y" * (MAX_TEXT // 2 + 1)))),
        request(*[user(text())] * (MAX_MESSAGES + 1)),
        request(user(media(MAX_MEDIA + 3))),
        request(user(media(MAX_MEDIA + 3, "audio"))),
        request(user(media(7 * MIB), media(7 * MIB)), user(media(7 * MIB))),
        request(user(text()), model(use("a")), user(result("a", text("x" * (MAX_TEXT + 1))))),
        request(user(text()), model(use("a")), user(result("a", media(MAX_MEDIA + 3)))),
        request(user(text()), model(use("a", input={"x": "y" * (21 * MIB)})), user(result("a"))),
        request(user({"type": "resource", "resource": {"uri": "x:y", "text": "x" * (MAX_TEXT + 1)}})),
        request(user({"type": "resource", "resource": {"uri": "x:y", "blob": "A" * (30 * MIB)}})),
        request(user(text()), tools=[{**TOOL, "description": "x" * (21 * MIB)}]),
    ],
    ids=[
        *("text", "text and system", "text of several messages", "messages", "one image", "one sound", "images"),
        *("text of a tool result", "image of a tool result", "input of a tool use", "text of a resource"),
        *("blob of a resource", "tools"),
    ],
)
def test_what_is_too_large_is_refused(params: Json) -> None:
    assert refused(params).startswith(("messages", "tools"))


def test_twenty_mebibytes_of_base64_are_refused() -> None:
    case = copy.deepcopy(PEERS["G02c"])
    case["params"]["messages"][0]["content"][case["grows"]["at"]] = "A" * case["grows"]["to"]
    assert refused(case["params"]) == "messages"


@pytest.mark.parametrize(("wanted", "notices"), [(1, []), (MOST_TOKENS, []), (MOST_TOKENS + 1, ["sampling.clamped"])])
def test_a_limit_is_kept_or_cut_down_with_a_notice(wanted: int, notices: list[str]) -> None:
    draft = read_draft(request(user(text()), maxTokens=wanted))
    assert draft.max_tokens == min(wanted, MOST_TOKENS)
    assert [notice.key for notice in draft.notices] == notices


# Balance


@pytest.mark.parametrize(
    "messages",
    [
        [user(text()), model(use("a")), user(result("a"))],
        [user(text()), model(text(), use("a"), use("b")), user(result("b"), result("a")), model(text())],
        [user(text()), model(use("a")), user(result("a")), model(use("a")), user(result("a"))],
        [user(text()), {"role": "assistant", "content": use("a")}, {"role": "user", "content": result("a")}],
        [model(text()), model(text()), user(text()), user(text())],
    ],
)
def test_tool_uses_that_are_all_answered_are_read_as_they_are(messages: list[Json]) -> None:
    before = copy.deepcopy(messages)
    draft = read_draft(request(*messages, tools=[TOOL]))
    contents = [one["content"] if isinstance(one["content"], list) else [one["content"]] for one in before]
    assert [list(turn.content) for turn in draft.messages] == contents
    assert [turn.single for turn in draft.messages] == [isinstance(one["content"], dict) for one in before]
    for planner in PLANNERS:
        assert planner.plan(draft, M).losses == ()


@pytest.mark.parametrize(
    ("messages", "named"),
    [
        ([user(text()), model(use("a"), use("b")), user(result("a"))], "b"),
        ([user(text()), model(use("a")), user(text())], "a"),
        ([user(text()), model(use("a")), model(text()), user(result("a"))], "a"),
        ([user(text()), model(use("a"))], "a"),
        ([user(result("x"))], "x"),
        ([user(text()), model(use("a")), user(result("a"), result("x"))], "x"),
        ([user(text()), model(use("a")), user(result("a"), result("a"))], "one result"),
        ([user(text()), model(use("a"), use("a")), user(result("a"))], ""),
        ([user(text()), model(use("a")), user(result("a"), text())], "stand alone"),
        ([user(text()), model(use("a")), user(text(), result("a"))], "stand alone"),
        ([user(use("a")), user(result("a"))], "messages/0"),
        ([user(text()), model(result("a"))], "messages/1"),
    ],
)
def test_tool_uses_and_results_that_do_not_balance_are_refused_by_name(messages: list[Json], named: str) -> None:
    field = refused(request(*messages, tools=[TOOL]))
    assert field.startswith("messages/")
    assert named in field


@pytest.mark.parametrize("case", ["S04", "S06", "S06b"])
def test_what_other_hosts_choked_on_is_refused_with_its_reason(case: str) -> None:
    assert refused(PEERS[case]["params"]).startswith("maxTokens" if case == "S04" else "messages/")


@pytest.mark.parametrize(
    "block",
    [
        {"type": "text"},
        {"type": "text", "text": 5},
        {"type": "image", "data": "QUJD"},
        {"type": "image", "mimeType": "image/png"},
        {"type": "audio", "data": 5, "mimeType": "audio/wav"},
        {"type": "tool_use", "name": "w", "input": {}},
        {"type": "tool_use", "id": "a", "input": {}},
        {"type": "tool_use", "id": "a", "name": "w", "input": "x"},
        {"type": "tool_result", "content": []},
    ],
)
def test_a_block_of_a_known_type_has_what_its_type_needs(block: Json) -> None:
    role = "assistant" if block["type"] == "tool_use" else "user"
    assert refused(request({"role": role, "content": [text(), block]})) == "messages/0/content/1"
    assert refused(request({"role": role, "content": block})) == "messages/0"


def test_an_image_of_an_odd_type_is_passed_on_or_named() -> None:
    draft = read_draft(PEERS["G02b"]["params"])
    for planner in PLANNERS:
        plan = planner.plan(draft, M)
        assert "QUJD" in json.dumps(plan.wire) or [loss.key for loss in plan.losses] == ["model.loss_block"]


def test_meta_of_blocks_is_kept() -> None:
    meta = {"_meta": {"x.example/y": 1}}
    draft = read_draft(request(user(text()), model(use("a", **meta)), user(result("a", **meta)), tools=[TOOL]))
    assert [turn.content[0].get("_meta") for turn in draft.messages[1:]] == [{"x.example/y": 1}] * 2


@pytest.mark.parametrize(
    ("choice", "mode"),
    [(None, "auto"), ({}, "auto"), ({"mode": "auto"}, "auto"), ({"mode": "required"}, "required"), ({"mode": "none"}, "none")],
)  # fmt: skip
def test_the_choice_of_tools_is_read(choice: Any, mode: str) -> None:
    draft = read_draft(request(user(text()), tools=[TOOL], toolChoice=choice))
    assert (draft.tools, draft.tool_choice) == ((TOOL,), mode)
    assert read_draft(request(user(text()), tools=[], toolChoice=choice)).tool_choice == ""


# Anything at all

names = st.sampled_from(["a", "b", "w", ""])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
inner_blocks = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "image", "audio", "resource", "resource_link", "x"])},
    optional={"text": st.text(max_size=3), "data": json_values, "resource": json_values, "uri": json_values},
)
blocks = st.one_of(
    inner_blocks,
    st.builds(lambda name, given: {"type": "tool_use", "id": name, "name": "w", "input": given}, names, json_values),
    st.builds(lambda name, given: {"type": "tool_use", "id": name, "name": "w", "input": given},
              names, st.dictionaries(names, json_values, max_size=2)),
    st.builds(lambda name, content: {"type": "tool_result", "toolUseId": name, "content": content},
              names, st.lists(inner_blocks, max_size=2) | json_values),
    st.builds(lambda name, more: {"type": "tool_result", "toolUseId": name, **more},
              names, st.fixed_dictionaries({}, optional={"structuredContent": json_values, "isError": json_values})),
    st.dictionaries(st.sampled_from(["type", "text", "id"]), json_values),
)  # fmt: skip
messages = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["user", "assistant", "system"]) | json_values,
        "content": blocks | st.lists(blocks, max_size=3) | json_values,
    }
)
exchanges = st.lists(names.filter(bool), min_size=1, max_size=2, unique=True).map(
    lambda ids: [user(text()), model(*map(use, ids)), user(*map(result, ids))]
)
tools = st.lists(
    st.fixed_dictionaries(
        {"name": names | json_values},
        optional={"inputSchema": st.just({}) | json_values, "description": json_values, "annotations": json_values},
    )
    | json_values,
    max_size=2,
)
requests = st.fixed_dictionaries(
    {
        "messages": exchanges | st.lists(messages, max_size=3) | json_values,
        "maxTokens": st.integers(-1, 9) | json_values,
    },
    optional={
        **dict.fromkeys(["systemPrompt", "temperature", "stopSequences", "includeContext", "metadata"], json_values),
        "modelPreferences": json_values | st.fixed_dictionaries({}, optional={"costPriority": json_values, "hints": json_values}),
        "tools": tools | json_values,
        "toolChoice": st.fixed_dictionaries({"mode": st.sampled_from(["auto", "required", "none", "x"]) | json_values})
        | json_values,
    },
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(requests)
def test_any_request_is_read_and_can_be_planned_or_is_refused(params: Json) -> None:
    before = copy.deepcopy(params)
    try:
        draft = read_draft(params)
    except InvalidRequest:
        return
    assert 1 <= draft.max_tokens <= MOST_TOKENS
    assert draft.rough_tokens >= 0
    assert all(0 <= draft.priority(name) <= 1 for name in ("cost", "speed", "intelligence"))
    draft_findings(draft)
    secret_findings(draft)
    for planner in PLANNERS:
        json.dumps(planner.plan(draft, M).wire)
    assert repr(params) == repr(before), "what was asked is never changed"
