"""Providers as the windows set them up: put, tested, found on this computer, reached through proxies, and forgotten."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desktop_host.commands import Commands
from desktop_host.config.providers_file import ProviderEntry
from desktop_host.config.secrets import KeyringProblem
from desktop_host.sampling.draft import Draft, Turn
from desktop_host.sampling.models import local
from desktop_host.sampling.models.anthropic import Anthropic
from desktop_host.sampling.models.http import place
from desktop_host.sampling.models.openai_compatible import OpenAICompatible
from desktop_host.sampling.models.presets import BY_ID, PRESETS
from desktop_host.sampling.models.provider import PRACTICE, YOU, ModelFailed, ModelInfo, TextDelta
from desktop_host.terms.messages import say
from tests.support.model_server import DONE, MODEL, LlamaServer, Scripted, ScriptedEndpoint, piece

pytest_plugins = ("tests.support.fixtures",)

KEY = "sk-tests-" + "5d2f7b1e9c"
M = ModelInfo("m", "h")
LISTED = Scripted(body=json.dumps({"object": "list", "data": [{"id": "one"}, {"id": "two"}]}).encode())


def draft(text: str = "hi") -> Draft:
    return Draft((Turn("user", ({"type": "text", "text": text},)),), 9)


async def words(model: OpenAICompatible | Anthropic) -> str:
    events = [event async for event in model.stream(model.plan(draft(), M))]
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.fixture
async def engine() -> AsyncIterator[Commands]:
    engine = Commands(lambda event: None, None, demo=False)
    yield engine
    await engine.close()


async def test_a_provider_is_put_tested_used_and_forgotten(engine: Commands, llama: LlamaServer, folders: Path) -> None:
    entry = ProviderEntry("mine", "openai-compatible", "llamacpp", "Mine", llama.open_url, ("other",))
    found, problem = await engine.test_provider(entry)
    assert ([(info.id, info.provider, info.local) for info in found], problem) == ([(MODEL, "Mine", True)], None)
    assert await engine.providers() == (), "what is tested is not kept"
    assert await engine.put_provider(entry) is None
    assert await engine.providers() == (entry,)
    models, _ = await engine.models()
    assert [info.id for info in models] == ["other", PRACTICE, YOU]
    planned = await engine.plan(draft(), "other")
    assert (planned.plan.wire["model"], planned.rough, planned.most) == ("other", None, None)
    assert "mine" in (folders / "config" / "models.json").read_text()
    await engine.remove_provider(entry)
    assert await engine.providers() == ()
    assert [info.id for info in (await engine.models())[0]] == [PRACTICE, YOU]


async def test_a_provider_that_does_not_answer_is_told(engine: Commands, endpoint: ScriptedEndpoint) -> None:
    endpoint.will(Scripted(401))
    for url in (endpoint.url, "http://127.0.0.1:9/v1", "no address"):
        found, problem = await engine.test_provider(ProviderEntry("x", "openai-compatible", base_url=url))
        assert found == ()
        assert problem is not None


@pytest.mark.parametrize("kind", ["openai-compatible", "anthropic"])
async def test_a_wrong_key_is_told_as_such_when_a_provider_is_tested(
    engine: Commands, endpoint: ScriptedEndpoint, kind: str
) -> None:
    """Else a person with a mistyped key would look for the fault in their network."""
    endpoint.will(Scripted(401))
    found, problem = await engine.test_provider(ProviderEntry("x", kind, base_url=endpoint.url))
    assert found == ()
    assert problem is not None
    assert problem.key == "model.key_refused"


async def test_a_key_that_cannot_be_kept_is_told_and_stands_in_no_file(engine: Commands, folders: Path) -> None:
    entry = ProviderEntry("mine", "openai-compatible", base_url="https://h.example/v1")
    problem = await engine.put_provider(entry, KEY)
    assert problem is not None
    assert problem.key == "keyring.session"
    assert not kept_in(folders, KEY)
    assert await engine.remove_provider(entry) is None


def kept_in(folder: Path, word: str) -> list[Path]:
    """The files that hold a word."""
    return [path for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]


def _locked() -> str:
    raise KeyringProblem(say("keyring.unusable", what="locked"))


async def test_a_locked_keyring_stops_only_what_needs_it(endpoint: ScriptedEndpoint) -> None:
    endpoint.says("here")
    assert await words(OpenAICompatible(endpoint.url, ("m",), _locked)) == "here"
    for model in (OpenAICompatible("https://h.example/v1", ("m",), _locked), Anthropic(("m",), _locked)):
        with pytest.raises(ModelFailed) as failed:
            await words(model)
        assert failed.value.message.key == "keyring.unusable"


async def test_models_on_this_computer_are_found_and_those_set_up_are_not_found_again(
    engine: Commands, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(endpoint.url.rpartition(":")[2].removesuffix("/v1"))
    monkeypatch.setattr(local, "_PORTS", (("ollama", "Ollama", port), ("vllm", "vLLM", 9)))
    endpoint.will(LISTED, LISTED, Scripted(body=b'{"object": "list", "data": []}'), Scripted(body=b"<html>"))
    (entry,) = await engine.find_local()
    assert (entry.kind, entry.preset, entry.name, entry.base_url) == (
        "openai-compatible",
        "ollama",
        "Ollama",
        endpoint.url,
    )
    await engine.put_provider(entry)
    assert await engine.find_local() == ()
    await engine.remove_provider(entry)
    assert await engine.find_local() == (), "it lists no model"
    assert await engine.find_local() == (), "it is a web page"


async def test_a_silent_port_does_not_hold_up_the_search(
    engine: Commands, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(endpoint.url.rpartition(":")[2].removesuffix("/v1"))
    monkeypatch.setattr(local, "_PORTS", (("custom", "Jan", port),))
    monkeypatch.setattr(local, "_LIMIT", 0.3)
    endpoint.will(Scripted(hold_head=30))
    assert await engine.find_local() == ()


async def test_a_proxy_is_used_for_the_world_and_never_for_this_computer(
    endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, endpoint.url.removesuffix("/v1"))
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    endpoint.will(Scripted(stream=(piece("through"), piece(finish="stop"), DONE)))
    assert await words(OpenAICompatible("http://models.example/v1", ("m",), lambda: KEY)) == "through"
    endpoint.says("direct")
    assert await words(OpenAICompatible(endpoint.url, ("m",), lambda: None)) == "direct"
    paths = [seen.path for seen in endpoint.seen]
    assert paths == ["http://models.example/v1/chat/completions", "/v1/chat/completions"]


async def test_certificates_that_cannot_be_read_are_told(folders: Path) -> None:
    (folders / "bad.pem").write_text("no certificate")
    for file in (folders / "bad.pem", folders / "missing.pem"):
        for model in (
            OpenAICompatible("https://h.example/v1", ("m",), lambda: None, ca_file=str(file)),
            Anthropic(("m",), lambda: None, ca_file=str(file)),
        ):
            with pytest.raises(ModelFailed) as failed:
                await words(model)
            assert failed.value.message == say("model.no_certificates", file=str(file))


async def test_a_presets_address_is_used_where_the_person_gives_none(engine: Commands) -> None:
    for preset in PRESETS:
        model = engine.host.providers.of(ProviderEntry("x", "openai-compatible", preset.id, models=("m",)))
        (info,) = await model.models()
        assert info.provider == (preset.title or preset.base_url or info.provider)
        assert info.local == place(preset.base_url)[1]
    assert set(BY_ID) == {"openai", "openrouter", "gemini", "ollama", "lmstudio", "llamacpp", "vllm", "custom"}


@pytest.mark.parametrize(
    ("url", "shown", "local"),
    [
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8080", True),
        ("http://localhost/v1", "localhost", True),
        ("http://LOCALHOST:1/v1", "LOCALHOST:1", True),
        ("http://[::1]:8080/v1", "[::1]:8080", True),
        ("https://me:secret@h.example/v1", "h.example", False),
        ("http://127.0.0.1.h.example/v1", "127.0.0.1.h.example", False),
        ("http://localhost@h.example/v1", "h.example", False),
        ("http://192.168.0.7:11434/v1", "192.168.0.7:11434", False),
        ("http://[::1/v1", "http://[::1/v1", False),
        ("", "", False),
    ],
)
def test_what_is_this_computer_and_what_is_not(url: str, shown: str, local: bool) -> None:
    assert place(url) == (shown, local)


async def test_secrets_are_found_for_the_windows(engine: Commands) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"
    none, some = (await engine.secrets(("nothing", f"here {secret}"))).texts
    assert none == ()
    assert [(found.start, found.end, found.kind) for found in some] == [(5, 5 + len(secret), "token")]
