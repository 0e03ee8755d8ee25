"""What administrators allow of models: read strictly, merged to the strictest, and held for every request."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_host.asks.person import Action, RequestQuestion, RequestReply, ResponseReply
from desktop_host.config.paths import config_dir
from desktop_host.config.providers_file import ProviderEntry, ProvidersFile
from desktop_host.policy.caps import Caps, caps_of
from desktop_host.policy.managed import read_managed
from desktop_host.sampling.models.provider import YOU
from desktop_host.terms.messages import say
from tests.support.model_server import ScriptedEndpoint
from tests.support.person import ScriptedPerson
from tests.support.policy import laid_down
from tests.support.wire import SAMPLING, Wire

pytest_plugins = ("tests.support.fixtures",)

NOTHING = Caps(models=((),))
ERAS = pytest.mark.parametrize("era", ["handshake", "modern"])


def place(folder: Path, content: object, name: str = "policy.json") -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def said(places: list[Path]) -> Caps:
    return caps_of((one.source, one.file) for one in read_managed(places))


@pytest.mark.parametrize(
    ("policy", "caps"),
    [
        ({}, Caps()),
        ({"version": 1, "caps": {}}, Caps()),
        ({"caps": {"maxTokens": 4096}}, Caps(4096)),
        ({"caps": {"models": ["claude-*", "local/*"]}}, Caps(None, (("claude-*", "local/*"),))),
        ({"caps": {"models": []}}, NOTHING),
        ({"keep": {"drafts": False}}, Caps()),
        ({"version": 2, "caps": {}}, NOTHING),
        ({"caps": None}, NOTHING),
        ({"caps": []}, NOTHING),
        ({"caps": {"maxTokens": 0}}, NOTHING),
        ({"caps": {"maxTokens": True}}, NOTHING),
        ({"caps": {"maxTokens": 1.5}}, NOTHING),
        ({"caps": {"maxTokens": "4096"}}, NOTHING),
        ({"caps": {"models": "claude-*"}}, NOTHING),
        ({"caps": {"models": [1]}}, NOTHING),
        ({"caps": {"model": ["claude-*"]}}, NOTHING),
        ("{", NOTHING),
        ("[]", NOTHING),
        ("", NOTHING),
    ],
    ids=str,
)
def test_a_file_says_what_is_allowed_or_nothing_is(tmp_path: Path, policy: object, caps: Caps) -> None:
    place(tmp_path, policy)
    assert said([tmp_path]) == caps


def test_without_any_file_everything_is_allowed(tmp_path: Path) -> None:
    assert said([tmp_path]) == said([tmp_path / "missing"]) == Caps()
    assert Caps().allow(["anything"])


def test_the_strictest_of_several_files_holds(tmp_path: Path) -> None:
    place(tmp_path, {"caps": {"maxTokens": 4096, "models": ["claude-*", "gpt-*"]}})
    place(tmp_path, {"caps": {"maxTokens": 1000, "models": ["claude-*", "local/*"]}}, "policy.d/a.json")
    place(tmp_path, {"caps": {"maxTokens": 9000}}, "policy.d/b.json")
    caps = said([tmp_path])
    assert caps.max_tokens == 1000
    allowed = [name for name in ("claude-opus-5", "gpt-5", "local/llama", "CLAUDE-X") if caps.allow([name])]
    assert allowed == ["claude-opus-5", "CLAUDE-X"]


lists = st.lists(st.lists(st.sampled_from(["a*", "b", "*", "local/*", "[ab]"]), max_size=3).map(tuple), max_size=3)


@given(lists, lists, st.lists(st.sampled_from(["a", "ab", "b", "local/a"]), min_size=1, max_size=2))
def test_another_list_never_allows_more(first: list[Any], more: list[Any], names: list[str]) -> None:
    if Caps(models=(*first, *more)).allow(names):
        assert Caps(models=tuple(first)).allow(names)


def provider(endpoint: ScriptedEndpoint, *models: str) -> ProvidersFile:
    entry = ProviderEntry("ours", "openai-compatible", name="Ours", base_url=endpoint.url, models=models)
    place(config_dir(), {"version": 1, "providers": [entry.as_json()]}, "models.json")
    return ProvidersFile()


@ERAS
async def test_only_models_an_administrator_allows_are_offered_and_run(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    offered: list[tuple[str, ...]] = []

    def ask_for(model: str) -> Callable[[RequestQuestion], RequestReply]:
        def reply(question: RequestQuestion) -> RequestReply:
            offered.append(tuple(one.id for one in question.suggestion.models))
            return RequestReply(Action.ACCEPT, model=model)

        return reply

    endpoint.says("from the allowed one")
    person = ScriptedPerson(request=[ask_for("big"), ask_for("small")], response=ResponseReply(Action.ACCEPT))
    async with wire.run(
        person,
        server,
        policies=laid_down({"caps": {"models": ["small", "practice"]}}),
        providers_file=provider(endpoint, "big", "small"),
    ):
        await wire.call()
    assert offered == [("small", "practice", YOU)] * 2
    questions = [one for one in person.questions if isinstance(one, RequestQuestion)]
    assert questions[1].problems == {"model": say("model.denied", model="big")}
    assert [seen.body["model"] for seen in endpoint.seen] == ["small"], "nothing was sent to the other one"


async def test_where_no_model_is_allowed_the_person_writes_and_is_told_why(
    wire: Wire, endpoint: ScriptedEndpoint
) -> None:
    server = wire.raw({"ask": SAMPLING})
    person = ScriptedPerson()
    async with wire.run(
        person, server, policies=laid_down({"caps": {"models": []}}), providers_file=provider(endpoint, "big")
    ):
        await wire.call()
    question = next(one for one in person.questions if isinstance(one, RequestQuestion))
    assert question.suggestion.model.id == YOU
    assert question.suggestion.why == say("model.why_denied")
    assert endpoint.seen == []


@ERAS
async def test_answers_are_no_longer_than_an_administrator_allows(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    endpoint.says("short")
    person = ScriptedPerson(response=ResponseReply(Action.ACCEPT))
    async with wire.run(
        person, server, policies=laid_down({"caps": {"maxTokens": 20}}), providers_file=provider(endpoint, "small")
    ):
        await wire.call()
    question = next(one for one in person.questions if isinstance(one, RequestQuestion))
    assert question.original.max_tokens == 20
    assert say("sampling.clamped_by_rule", wanted=50, most=20) in question.original.notices
    body = endpoint.seen[0].body
    assert 20 in (body.get("max_tokens"), body.get("max_completion_tokens"))


async def test_the_program_holds_to_the_files_of_this_computer(
    wire: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place(tmp_path / "managed", {"caps": {"maxTokens": 7}})
    monkeypatch.setattr("desktop_host.policy.managed.managed_places", lambda: (tmp_path / "managed",))
    person = ScriptedPerson()
    server = wire.raw({"ask": SAMPLING})
    async with wire.run(person, server):
        await wire.call()
    question = next(one for one in person.questions if isinstance(one, RequestQuestion))
    assert question.original.max_tokens == 7
