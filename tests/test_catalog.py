"""Which models there are, which one answers and why, what it costs, how fast it was, and the file of providers."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_host.config.files import FileProblem
from desktop_host.config.providers_file import ProviderEntry, ProvidersFile
from desktop_host.sampling.catalog import Catalog
from desktop_host.sampling.choice import Measures, Wishes, suggest, tier, unfit
from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models.anthropic import Anthropic
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.practice import PracticeModel
from desktop_host.sampling.models.provider import PRACTICE, YOU, Done, ModelInfo, Plan, TextDelta
from desktop_host.sampling.models.you import You
from desktop_host.sampling.prices import price_of
from desktop_host.sampling.speeds import Speeds

ME = ModelInfo(YOU, YOU, local=True)
SMALL = ModelInfo(PRACTICE, PRACTICE, "smollm2-135m-instruct", local=True, context=8192, images=False, audio=False, tools=False, tier=1)  # fmt: skip


def draft(*content: dict[str, Any], text: str = "hi", **more: Any) -> Draft:
    return Draft((Turn("user", content or ({"type": "text", "text": text},)),), 100, **more)


def endpoint(*models: str, title: str = "", url: str = "https://h.example/v1") -> OpenAICompatible:
    return OpenAICompatible(url, models, lambda: None, title=title)


def catalog(*providers: Any, speeds: Speeds | None = None) -> Catalog:
    return Catalog(lambda: [*providers, You()], speeds or Speeds(None))


def prefers(*hints: str, **priorities: float) -> dict[str, Any]:
    weights = {f"{name}Priority": weight for name, weight in priorities.items()}
    return {"preferences": {"hints": [{"name": hint} for hint in hints], **weights}}


UNREACHABLE = OpenAICompatible("http://127.0.0.1:9/v1", (), lambda: None)


# The catalog


async def test_models_of_all_providers_are_there_in_the_persons_order() -> None:
    models, problem = await catalog(endpoint("b", "a"), Anthropic(("claude-x",), str)).models()
    assert [(model.id, model.provider) for model in models] == [
        *(("b", "h.example"), ("a", "h.example"), ("claude-x", "Anthropic"), (YOU, YOU))
    ]
    assert problem is None


async def test_names_that_several_providers_use_are_told_apart_and_sent_as_they_are() -> None:
    homes = [endpoint("m", title="One"), endpoint("m", title="Two"), endpoint("m", title="Three")]
    known = catalog(*homes)
    models, _ = await known.models()
    assert [model.id for model in models] == ["m", "m (Two)", "m (Three)", YOU]
    for model, home in zip(models, homes, strict=False):
        found = await known.get(model.id)
        assert found is not None
        assert found[1] is home
        assert (await known.plan(draft(), model.id)).plan.wire["model"] == "m"


async def test_no_model_is_lost_where_providers_have_one_title_and_one_name() -> None:
    models, _ = await catalog(*(endpoint("m", title="Lab") for _ in range(3))).models()
    assert len({model.id for model in models}) == 4


@pytest.mark.parametrize("name", [YOU, PRACTICE])
async def test_a_provider_that_calls_its_model_like_one_of_ours_is_told_apart(name: str) -> None:
    """Else what the person means to write themselves would leave this computer."""
    ours, theirs = (You(), endpoint(YOU)) if name == YOU else (PracticeModel(), endpoint(PRACTICE))
    known = Catalog(lambda: [theirs, ours] if name == YOU else [theirs, ours, You()], Speeds(None))
    await known.models()
    found = await known.get(name)
    assert found is not None
    assert found[1] is ours
    suggestion, _ = await known.suggest(draft())
    assert suggestion.model.provider == "h.example"
    assert suggestion.model.id != name


async def test_one_unreachable_provider_hides_no_other() -> None:
    known = catalog(UNREACHABLE, endpoint("m"))
    models, problem = await known.models()
    assert [model.id for model in models] == ["m", YOU]
    assert problem is not None
    assert problem.key == "model.unreachable"
    suggestion, missing = await known.suggest(draft())
    assert (suggestion.model.id, suggestion.why.key, missing) == ("m", "model.why_only", problem)


async def test_where_none_is_reachable_the_person_writes_and_is_told_that_none_is_there() -> None:
    """S02: no model is something else than a decline."""
    suggestion, missing = await catalog(UNREACHABLE).suggest(draft())
    assert (suggestion.model.id, suggestion.why.key) == (YOU, "model.why_not_there")
    assert missing is not None
    suggestion, missing = await catalog().suggest(draft())
    assert (suggestion.model.id, suggestion.why.key, missing) == (YOU, "model.why_you", None)


async def test_a_model_is_found_by_its_providers_own_name_and_none_by_another() -> None:
    known = catalog(endpoint("openai/gpt-5"), PracticeModel())
    found = await known.get("smollm2-135m-instruct")
    assert found is not None
    assert found[0].id == PRACTICE
    assert await known.get("gpt-5") is None
    assert (await known.plan(draft(), "gpt-5")).plan == Plan({})


async def test_what_would_be_sent_and_what_it_would_cost() -> None:
    known = catalog(endpoint("gpt-5", url="https://api.openai.com/v1"), endpoint("home-made"), endpoint("gpt-5", url="http://localhost:1/v1"))  # fmt: skip
    request = draft(text="x" * 40_000)
    dear = await known.plan(request, "gpt-5")
    assert dear.plan.wire["messages"] == [{"role": "user", "content": "x" * 40_000}]
    assert dear.rough is not None
    assert dear.most is not None
    price = price_of(ModelInfo("gpt-5", "OpenAI"))
    assert price is not None
    assert 0 < dear.rough == pytest.approx(10_000 * price.read / 1e6, rel=0.01)
    assert dear.most - dear.rough == pytest.approx(100 * price.written / 1e6)
    for model in ("home-made", "gpt-5 (localhost:1)", YOU):
        planned = await known.plan(request, model)
        assert (planned.rough, planned.most) == (None, None)
    assert (await known.plan(request, YOU)).plan == Plan({})


async def test_a_model_that_was_fast_is_remembered(folders: Path) -> None:
    known = catalog(endpoint("slow", "fast"), speeds=Speeds(folders / "speeds.json"))
    await known.ran("slow", 7, 100, 10)
    await known.ran("fast", 7, 100, 1)
    suggestion, _ = await known.suggest(draft(**prefers(speed=1)))
    assert (suggestion.model.id, suggestion.why.key) == ("fast", "model.why_speed")
    again = catalog(endpoint("slow", "fast"), speeds=Speeds(folders / "speeds.json"))
    assert (await again.suggest(draft(**prefers(speed=1))))[0].model.id == "fast"


class Shy:
    """A provider whose models may be anything."""

    def __init__(self, *models: ModelInfo) -> None:
        self._models = models

    async def models(self) -> tuple[ModelInfo, ...]:
        return self._models

    def plan(self, draft: Draft, model: ModelInfo) -> Plan:
        return Plan({"model": model.wire_name})

    async def stream(self, plan: Plan) -> AsyncIterator[TextDelta | Done]:
        yield Done("endTurn", "m")


async def test_the_cheapest_is_taken_where_the_server_wants_it_cheap() -> None:
    known = catalog(endpoint("gpt-5-pro", "gpt-5-nano", "gpt-5", url="https://api.openai.com/v1"))
    suggestion, _ = await known.suggest(draft(**prefers(cost=1)))
    assert (suggestion.model.id, suggestion.why.key) == ("gpt-5-nano", "model.why_cost")


# The suggestion

IMAGE, AUDIO = {"type": "image", "data": "QUJD", "mimeType": "image/png"}, {"type": "audio", "data": "QUJD", "mimeType": "audio/wav"}  # fmt: skip
TOOLS: dict[str, Any] = {"tools": ({"name": "w", "inputSchema": {}},), "tool_choice": "auto"}


@pytest.mark.parametrize(
    ("request_", "cannot", "why"),
    [
        (draft(IMAGE), {"images": False}, "model.no_image"),
        (draft(AUDIO), {"audio": False}, "model.no_audio"),
        (draft(**TOOLS), {"tools": False}, "model.no_tools"),
        (draft(text="x" * 4100), {"context": 1000}, "model.no_room"),
    ],
    ids=["image", "audio", "tools", "context"],
)
def test_a_model_that_cannot_do_it_is_left_out_and_it_is_said_why(
    request_: Draft, cannot: dict[str, Any], why: str
) -> None:
    first, second = ModelInfo("first", "h", **cannot), ModelInfo("second", "h")
    suggestion = suggest(request_, (first, second, ME))
    assert suggestion.model is second
    assert [(name, reason.key) for name, reason in suggestion.unable] == [("first", why)]
    assert suggestion.models == (first, second, ME), "the person may still take it"
    alone = suggest(request_, (first, ME))
    assert (alone.model.id, alone.why.key) == (YOU, "model.why_none_able")
    assert suggest(draft(), (first, second, ME)).model is first
    hinted = suggest(Draft(request_.messages, 9, preferences=prefers("first")["preferences"], tools=request_.tools, tool_choice=request_.tool_choice), (first, second, ME))  # fmt: skip
    assert (hinted.model.id, hinted.why.key) == ("second", "model.why_no_hint_fits")


def test_tools_that_may_not_be_used_need_no_model_that_can() -> None:
    assert unfit(draft(**{**TOOLS, "tool_choice": "none"}), ModelInfo("m", "h", tools=False)) is None


def test_an_image_inside_a_tool_result_needs_a_model_that_sees() -> None:
    result = {"type": "tool_result", "toolUseId": "a", "content": [IMAGE]}
    reason = unfit(draft(result), ModelInfo("m", "h", images=False))
    assert reason is not None
    assert reason.key == "model.no_image"


@pytest.mark.parametrize(
    ("hints", "model"),
    [
        (["claude-3-5-sonnet"], "anthropic/claude-3.5-sonnet"),
        (["Claude 3.5 Sonnet"], "anthropic/claude-3.5-sonnet"),
        (["openai/gpt_4o"], "gpt-4o"),
        (["sonnet", "gpt"], "anthropic/claude-3.5-sonnet"),
        (["gpt", "sonnet"], "gpt-4o"),
        (["nothing", "gpt"], "gpt-4o"),
        (["haiku"], "first"),
    ],
)
def test_hints_fit_in_whatever_spelling_and_in_their_order(hints: list[str], model: str) -> None:
    there = (*(ModelInfo(name, "h") for name in ("first", "gpt-4o", "anthropic/claude-3.5-sonnet")), ME)
    suggestion = suggest(draft(**prefers(*hints)), there)
    assert suggestion.model.id == model
    assert suggestion.why.key == ("model.why_no_hint_fits" if model == "first" else "model.why_hint")
    if suggestion.why.key == "model.why_hint":
        assert suggestion.why.mapping["hint"] in hints


@pytest.mark.parametrize("hint", ["-", "/", "  ", "模型", "anthropic/", "…"])
def test_a_hint_without_a_letter_fits_nothing(hint: str) -> None:
    suggestion = suggest(draft(**prefers(hint, "gpt")), (ModelInfo("first", "h"), ModelInfo("gpt", "h"), ME))
    assert (suggestion.model.id, suggestion.why.key) == ("gpt", "model.why_hint")


def test_priorities_decide_among_models_that_fit_a_hint() -> None:
    there = tuple(ModelInfo(name, "h") for name in ("claude-haiku", "claude-opus", "gpt-5-pro"))
    suggestion = suggest(draft(**prefers("claude", intelligence=1)), (*there, ME))
    assert (suggestion.model.id, suggestion.why.key) == ("claude-opus", "model.why_hint")


@pytest.mark.parametrize(
    ("priorities", "model", "why"),
    [
        ({"cost": 1}, "cheap", "cost"),
        ({"speed": 1}, "quick", "speed"),
        ({"intelligence": 1}, "clever", "intelligence"),
        ({"cost": 0.2, "intelligence": 0.9}, "clever", "intelligence"),
        ({"cost": 0, "speed": 0, "intelligence": 0}, "clever", "only"),
        ({"speed": 7}, "quick", "speed"),
        ({"speed": -1}, "clever", "only"),
    ],
)
def test_priorities_are_weighed_over_price_speed_and_ability(
    priorities: dict[str, float], model: str, why: str
) -> None:
    there = (ModelInfo("clever", "h", tier=5), ModelInfo("quick", "h", tier=2), ModelInfo("cheap", "h", tier=1), ME)
    prices, speeds = {"clever": 10.0, "quick": 5.0, "cheap": 1.0}, {"clever": 10.0, "quick": 99.0, "cheap": 30.0}
    measures = Measures(lambda one: prices[one.id], lambda one: speeds[one.id])
    suggestion = suggest(draft(**prefers(**priorities)), there, measures=measures)
    assert (suggestion.model.id, suggestion.why.key) == (model, f"model.why_{why}")


@pytest.mark.parametrize("priorities", [{}, {"cost": 1}, {"speed": 1}, {"cost": 1, "speed": 1}, {"intelligence": 1}])
async def test_the_practice_model_is_the_last_resort(priorities: dict[str, float]) -> None:
    """It comes with the program and is often wrong: whoever set up a model meant that one."""
    speeds = Speeds(None)
    speeds.measured(PRACTICE, 100, 1)
    speeds.measured("gpt-5", 100, 10)
    known = catalog(endpoint("gpt-5", url="https://api.openai.com/v1"), Shy(SMALL), speeds=speeds)
    suggestion, _ = await known.suggest(draft(**prefers(**priorities)))
    assert suggestion.model.id == "gpt-5"


def test_the_practice_model_is_offered_where_nothing_else_is_there_and_it_is_said() -> None:
    suggestion = suggest(draft(**prefers("opus", intelligence=1)), (SMALL, ME))
    assert (suggestion.model.id, suggestion.why.key) == (PRACTICE, "model.why_practice")


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("claude-opus-5", 5), ("claude-sonnet-5", 4), ("claude-haiku-4-5", 2), ("gpt-5", 4), ("gpt-5-mini", 2),
        ("gpt-5-nano", 1), ("llama-3.1-405b", 5), ("llama3.1:70b", 4), ("llama3.1:8b", 2), ("qwen2.5:0.5b", 1),
        ("smollm2-135m", 1), ("who-knows", 3), ("gemini-2.5-pro", 4), ("gemini-2.5-flash", 2), ("qwen3:14b", 3),
        ("mixtral-8x7b", 2), ("mistral-large", 4), ("qwen2.5:32b", 3),
    ],
)  # fmt: skip
def test_how_able_a_model_is_is_guessed_by_its_name(name: str, guess: int) -> None:
    assert tier(ModelInfo(name, "h")) == guess
    assert tier(ModelInfo(name, "h", tier=3)) == 3, "the person's word counts more"


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.dictionaries(
    st.sampled_from(["costPriority", "speedPriority", "intelligencePriority"]),
    st.floats() | st.integers() | st.booleans() | st.none() | st.text(max_size=2), max_size=3))  # fmt: skip
def test_some_model_is_always_suggested_and_always_for_a_reason(tiers: list[int], preferences: dict[str, Any]) -> None:
    there = (*(ModelInfo(str(number), "h", tier=one) for number, one in enumerate(tiers)), ME)
    suggestion = suggest(Draft((), 1, preferences=preferences), there)
    assert suggestion.model in there[:-1]
    assert suggestion.why.key.startswith("model.why_")


# Speeds


def test_speeds_are_a_moving_average_that_survives(folders: Path) -> None:
    path = folders / "speeds.json"
    speeds = Speeds(path)
    assert speeds.of("m") is None
    speeds.measured("m", 100, 1.0)
    assert speeds.of("m") == 100
    speeds.measured("m", 200, 1.0)
    assert speeds.of("m") == pytest.approx(130)
    for tokens, seconds in ((None, 1.0), (7, 0.01), (100, None), (100, 0.0), (0, 1.0)):
        speeds.measured("m", tokens, seconds)
    assert Speeds(path).of("m") == pytest.approx(130)


@pytest.mark.parametrize("content", ["", "{", "[1]", "5", '{"m": "fast", "n": true, "o": -1, "p": null, "q": [1]}'])
def test_a_speeds_file_that_is_off_costs_only_the_memory(folders: Path, content: str) -> None:
    path = folders / "speeds.json"
    path.write_text(content)
    speeds = Speeds(path)
    assert [speeds.of(name) for name in "mnopq"] == [None] * 5
    speeds.measured("m", 10, 1.0)
    assert json.loads(path.read_text()) == {"m": 10.0}


def test_speeds_that_cannot_be_written_are_still_known(folders: Path) -> None:
    (folders / "file").write_text("in the way")
    speeds = Speeds(folders / "file" / "speeds.json")
    speeds.measured("m", 10, 1.0)
    assert speeds.of("m") == 10


# The file of providers

OLLAMA = ProviderEntry("ollama", "openai-compatible", "ollama", "My Ollama", "http://127.0.0.1:11434/v1", ("a", "b"), {"a": 5})  # fmt: skip
CLAUDE = ProviderEntry("claude", "anthropic")


def test_providers_survive_in_their_order_and_change_in_their_place(folders: Path) -> None:
    path = folders / "models.json"
    file = ProvidersFile(path)
    assert (file.entries, file.problems) == ((), [])
    for entry in (OLLAMA, CLAUDE):
        file.put(entry)
    assert ProvidersFile(path).entries == (OLLAMA, CLAUDE)
    changed = ProviderEntry("ollama", "openai-compatible", "ollama", "Other")
    file.put(changed)
    assert ProvidersFile(path).entries == (changed, CLAUDE)
    file.remove("ollama")
    file.remove("nobody")
    assert ProvidersFile(path).entries == file.entries == (CLAUDE,)
    assert json.loads(path.read_text()) == {"version": 1, "providers": [{"id": "claude", "kind": "anthropic", "preset": "custom"}]}  # fmt: skip
    assert path.stat().st_mode & 0o777 == 0o600
    assert CLAUDE.key_name == "provider:claude"


@pytest.mark.parametrize(
    "bad",
    [
        5, None, [], {}, {"id": "x"}, {"kind": "anthropic"}, {"id": "", "kind": "anthropic"}, {"id": 5, "kind": "anthropic"},
        {"id": "x", "kind": "telepathy"}, {"id": "x", "kind": "anthropic", "models": "m"},
        {"id": "x", "kind": "anthropic", "tiers": [1]}, {"id": "x", "kind": "anthropic", "baseUrl": 5},
        {"id": "claude", "kind": "anthropic"},
    ],
    ids=repr,
)  # fmt: skip
def test_a_bad_entry_is_reported_and_costs_no_good_one(folders: Path, bad: Any) -> None:
    path = folders / "models.json"
    path.write_text("// by hand\n" + json.dumps({"providers": [CLAUDE.as_json(), bad, OLLAMA.as_json()]}))
    file = ProvidersFile(path)
    assert file.entries == (CLAUDE, OLLAMA)
    assert [problem.key for problem in file.problems] == ["models.bad_entry"]


def test_a_bad_entry_is_not_thrown_away_when_another_is_saved(folders: Path) -> None:
    path = folders / "models.json"
    later = {"id": "later", "kind": "telepathy", "wave": 7}
    path.write_text(json.dumps({"providers": [later, CLAUDE.as_json()]}))
    ProvidersFile(path).put(OLLAMA)
    assert later in json.loads(path.read_text())["providers"]


def test_keys_of_later_versions_are_kept(folders: Path) -> None:
    path = folders / "models.json"
    path.write_text(
        json.dumps({"version": 2, "order": "by price", "providers": [{**CLAUDE.as_json(), "colour": "red"}]})
    )
    file = ProvidersFile(path)
    assert file.problems == []
    file.put(OLLAMA)
    content = json.loads(path.read_text())
    assert (content["version"], content["order"]) == (2, "by price")
    assert content["providers"][0] == {**CLAUDE.as_json(), "colour": "red"}


@pytest.mark.parametrize("content", ["{", "[1]", '"x"', "\x00", '{"providers": 5}'])
def test_a_file_of_providers_that_is_off_is_reported(folders: Path, content: str) -> None:
    path = folders / "models.json"
    path.write_text(content)
    file = ProvidersFile(path)
    assert (file.entries, len(file.problems)) == ((), 1)


def test_a_file_that_cannot_be_written_changes_nothing(folders: Path) -> None:
    (folders / "file").write_text("in the way")
    file = ProvidersFile(folders / "file" / "models.json")
    with pytest.raises(FileProblem):
        file.put(OLLAMA)
    assert file.entries == ()


def test_odd_models_and_tiers_are_left_out(folders: Path) -> None:
    path = folders / "models.json"
    entry = {
        "id": "x",
        "kind": "anthropic",
        "models": ["m", "", 5, None],
        "tiers": {"m": 3, "n": 9, "o": "5", "p": True},
    }
    path.write_text(json.dumps({"providers": [entry]}))
    (found,) = ProvidersFile(path).entries
    assert (found.models, found.tiers) == (("m",), {"m": 3})


def test_a_new_id_is_one_that_nobody_has(folders: Path) -> None:
    file = ProvidersFile(folders / "models.json")
    assert file.new_id("My Ollama!") == "my-ollama"
    assert file.new_id("模型") == "provider"
    for wanted in ("ollama", "ollama-2"):
        file.put(ProviderEntry(wanted, "openai-compatible"))
    assert file.new_id("Ollama") == "ollama-3"


# What the person prefers


@pytest.mark.parametrize("wished", ["b", "B-wire"])
def test_the_model_that_the_person_prefers_comes_before_hints(wished: str) -> None:
    models = (ModelInfo("a", "One"), ModelInfo("b", "One", "B-wire"), ME)
    found = suggest(draft(**prefers("a", cost=1)), models, wishes=Wishes(wished))
    assert (found.model.id, found.why.key) == ("b", "model.why_preferred")
    assert suggest(draft(**prefers("a")), models, wishes=Wishes("gone")).model.id == "a"


def test_a_preferred_model_that_cannot_do_it_is_not_suggested() -> None:
    blind, seeing = ModelInfo("a", "One", images=False), ModelInfo("b", "One", images=True)
    picture = {"type": "image", "data": "", "mimeType": "image/png"}
    assert suggest(draft(picture), (blind, seeing, ME), wishes=Wishes("a")).model is seeing


def test_what_weighs_most_for_the_person_comes_before_the_servers_priorities() -> None:
    able, quick = ModelInfo("able", "One", tier=5), ModelInfo("quick", "One", tier=1)
    measures = Measures(speed=lambda model: 100.0 if model is quick else 1.0)
    asked = draft(**prefers(speed=1))
    assert suggest(asked, (able, quick, ME), measures=measures).model is quick
    found = suggest(asked, (able, quick, ME), measures=measures, wishes=Wishes(weigh="intelligence"))
    assert (found.model, found.why.key) == (able, "model.why_own_intelligence")
