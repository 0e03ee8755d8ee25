"""The Settings page's language models: providers added, tested, chosen from, found and removed."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QSpinBox, QToolButton, QWidget

from desktop_host.config.paths import APP
from desktop_host.ui.asks.sampling_window import SamplingWindow
from desktop_host.ui.pages.models import ModelChoice, ModelsCard
from tests.support.files import on_disk
from tests.support.windows import (
    activate,
    all_of,
    button,
    choose,
    find,
    gone,
    key,
    name_of,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.endpoint import Endpoint
from tests.ui.screen import Screen, Start, open_screen
from tests.ui.stage import sampling

KEY = "sk-tests-3f9c1e7a5b"
OTHER = "Another address (OpenAI-compatible)"
ASK = {"tell": [{"ask": sampling("Say hello.")}]}


@pytest.fixture
def endpoint() -> Iterator[Callable[..., Endpoint]]:
    """Makes model servers, which listen no longer at the end."""
    made: list[Endpoint] = []

    def make(*names: str) -> Endpoint:
        made.append(Endpoint(*names))
        return made[-1]

    yield make
    for one in made:
        one.close()


def _until_owned(name: str) -> None:
    """Wait for a service on the bus; asking it anything sooner would have the bus start a locked one of its own."""
    from jeepney.bus_messages import message_bus
    from jeepney.io.blocking import Proxy, open_dbus_connection

    deadline = time.monotonic() + 20
    with open_dbus_connection() as connection:
        while not Proxy(message_bus, connection).NameHasOwner(name)[0]:
            assert time.monotonic() < deadline, f"{name} did not come up"
            time.sleep(0.05)


@pytest.fixture
def real_keyring(folders: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A keyring service as on a desktop, unlocked, with a home and a bus of its own."""
    for program in ("dbus-daemon", "gnome-keyring-daemon"):
        if shutil.which(program) is None and "CI" not in os.environ:
            pytest.skip(f"there is no {program} on this machine; on Debian: apt install gnome-keyring dbus")
    from keyring.backends import SecretService

    (folders / "home" / ".local/share/keyrings").mkdir(parents=True)
    (folders / "run").mkdir(mode=0o700)
    left_out = ("DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {"HOME": str(folders / "home"), "XDG_RUNTIME_DIR": str(folders / "run")}
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert bus.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().strip())
    environment["DBUS_SESSION_BUS_ADDRESS"] = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    service = subprocess.Popen(
        ["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert service.stdin is not None
    service.stdin.write(b"\n")
    service.stdin.close()
    _until_owned("org.freedesktop.secrets")
    before = keyring.get_keyring()
    keyring.set_keyring(SecretService.Keyring())
    yield
    keyring.set_keyring(before)
    for process in (service, bus):
        process.terminate()
        process.wait(10)
    bus.stdout.close()


async def at_the_models(screen: Screen) -> ModelsCard:
    """Go to Settings."""
    press(find(screen.window, QToolButton, "Settings"))
    return await until(lambda: next(iter(all_of(screen.window, ModelsCard)), None), "the models")


def fill_in(card: ModelsCard, kind: str, address: str = "", key: str = "") -> None:
    """Say what to add."""
    choose(find(card, QComboBox, "Kind of provider"), kind)
    if address:
        type_into(find(card, QLineEdit, "Address"), address)
    type_into(find(card, QLineEdit, "Key"), key)


async def says(card: ModelsCard, words: str) -> None:
    """Wait until the card says something."""
    await until(lambda: words in shown(card), repr(words))


def row(card: ModelsCard, name: str) -> QWidget:
    """The row of a provider."""
    found = find(card, QToolButton, f"Remove {name}").parentWidget()
    assert found is not None
    return found


def kept(folders: Path) -> list[dict[str, Any]]:
    """The providers in `models.json`."""
    path = folders / "config" / "models.json"
    return json.loads(path.read_text(encoding="utf-8"))["providers"] if path.exists() else []


async def choice(card: ModelsCard, name: str = "Ours") -> ModelChoice:
    """Press “Models…” of a provider."""
    press(button(row(card, name), "Models…"))
    windows = QApplication.topLevelWidgets
    return await until(
        lambda: next((one for one in windows() if isinstance(one, ModelChoice) and one.isVisible()), None), "the choice"
    )


def closed_port() -> int:
    """A port where nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


# adding


async def test_a_provider_is_added_by_its_kind_address_and_key_and_asked_at_once(
    screen: Screen, real_keyring: None, endpoint: Callable[..., Endpoint], folders: Path
) -> None:
    server = endpoint("alpha", "beta")
    server.key = KEY
    card = await at_the_models(screen)
    choose(find(card, QComboBox, "Kind of provider"), "llama.cpp")
    assert find(card, QLineEdit, "Address").text() == "http://127.0.0.1:8080/v1", "the usual address"
    fill_in(card, "llama.cpp", server.address, KEY)
    assert find(card, QLineEdit, "Key").echoMode() == QLineEdit.EchoMode.Password
    assert server.keys == [], "nothing is asked before"
    press(button(card, "Add"))
    await says(card, "2 of 2 models offered")
    assert server.keys == [KEY]
    assert "llama.cpp" in shown(row(card, "llama.cpp"))
    assert kept(folders) == [
        {
            "id": "llamacpp",
            "kind": "openai-compatible",
            "preset": "llamacpp",
            "name": "llama.cpp",
            "baseUrl": server.address,
        }
    ]
    assert keyring.get_password(APP, "provider:llamacpp") == KEY
    assert on_disk(folders, KEY) == [], "the keyring has it, nothing else"
    assert find(card, QLineEdit, "Key").text() == ""


async def test_removing_a_provider_removes_its_key_too(
    screen: Screen, real_keyring: None, endpoint: Callable[..., Endpoint], folders: Path
) -> None:
    server = endpoint("alpha")
    card = await at_the_models(screen)
    for _ in range(2):  # and it can be added again afterwards, as if it had never been there
        fill_in(card, "vLLM", server.address, KEY)
        press(button(card, "Add"))
        await says(card, "1 of 1 models offered")
        assert [entry["id"] for entry in kept(folders)] == ["vllm"]
        assert keyring.get_password(APP, "provider:vllm") == KEY
        press(find(card, QToolButton, "Remove vLLM"))
        await until(lambda: not all_of(card, QToolButton, "Remove vLLM"), "the row to go")
        await until(lambda: keyring.get_password(APP, "provider:vllm") is None, "the key to go")
        assert kept(folders) == []
        assert "keyring" not in shown(card)
    names = [model.id for model in (await screen.program.bridge.ask(lambda engine: engine.models()))[0]]
    assert "alpha" not in names


async def test_two_providers_of_one_kind_have_keys_of_their_own(
    screen: Screen, real_keyring: None, endpoint: Callable[..., Endpoint], folders: Path
) -> None:
    first, second = endpoint("alpha"), endpoint("beta", "gamma")
    card = await at_the_models(screen)
    for number, server in enumerate((first, second), 1):
        fill_in(card, OTHER, server.address, f"{KEY}-{number}")
        press(button(card, "Add"))
        await says(card, f"{number} of {number} models offered")
    assert [entry["name"] for entry in kept(folders)] == [first.address, second.address]
    assert first.keys[0] == f"{KEY}-1"
    assert second.keys == [f"{KEY}-2"]
    press(find(card, QToolButton, f"Remove {first.address}"))
    await until(lambda: len(kept(folders)) == 1, "the first to go")
    press(button(row(card, second.address), "Test"))
    await says(card, "2 of 2 models offered")
    await until(lambda: second.keys[-1] == f"{KEY}-2", "the second to be asked with its own key")


async def test_an_address_is_all_that_a_model_on_this_computer_needs(
    start: Start, endpoint: Callable[..., Endpoint], folders: Path
) -> None:
    """Also where the keyring does not work. What was added is there for the next request."""
    server = endpoint("alpha")
    screen, _ = await start(ASK)
    card = await at_the_models(screen)
    fill_in(card, OTHER, server.address)
    press(button(card, "Add"))
    await says(card, "1 of 1 models offered")
    assert "keyring" not in shown(card)
    assert [(entry["name"], entry["baseUrl"]) for entry in kept(folders)] == [(server.address, server.address)]
    await screen.run("raw", "tell")
    window = await screen.ask(SamplingWindow)
    assert find(window, QComboBox, "Model").currentText() == f"alpha  ·  {server.address}"
    assert "The model you chose in Settings." in shown(window)


async def test_a_provider_without_an_address_is_not_added(screen: Screen, folders: Path) -> None:
    card = await at_the_models(screen)
    fill_in(card, OTHER)
    press(button(card, "Add"))
    await says(card, "Give the address of the provider.")
    assert kept(folders) == []
    port = closed_port()
    fill_in(card, OTHER, f"http://127.0.0.1:{port}/v1")
    press(button(card, "Add"))
    await says(card, f"127.0.0.1:{port} cannot be reached.")
    assert "Give the address of the provider." not in shown(card), "it is no longer true"


async def test_a_provider_that_cannot_be_reached_says_so_until_it_can(
    screen: Screen, endpoint: Callable[..., Endpoint]
) -> None:
    server = endpoint("alpha")
    server.close()
    card = await at_the_models(screen)
    fill_in(card, "Ollama", server.address)
    press(button(card, "Add"))
    await says(card, f"{server.place} cannot be reached. Check the address in Settings and that the model server runs.")
    assert not button(row(card, "Ollama"), "Models…").isEnabled()
    again = Endpoint("alpha", port=int(server.place.rpartition(":")[2]))
    try:
        press(button(row(card, "Ollama"), "Test"))
        await says(card, "1 of 1 models offered")
        assert button(row(card, "Ollama"), "Models…").isEnabled()
    finally:
        again.close()


async def test_a_wrong_key_is_called_a_wrong_key(
    screen: Screen, real_keyring: None, endpoint: Callable[..., Endpoint]
) -> None:
    server = endpoint("alpha")
    server.key = KEY
    card = await at_the_models(screen)
    fill_in(card, OTHER, server.address, "sk-wrong")
    press(button(card, "Add"))
    await until(lambda: server.keys == ["sk-wrong"], "the server to be asked")
    await until(lambda: "Asking…" not in shown(card), "the answer")
    assert f"{server.place} did not accept the key. Check it in Settings." in shown(card)


async def test_a_provider_without_a_key_is_removed_without_a_word_about_the_keyring(
    screen: Screen, endpoint: Callable[..., Endpoint], folders: Path
) -> None:
    """Where the keyring does not work nothing was ever kept in it, so nothing is wrong."""
    server = endpoint("alpha")
    card = await at_the_models(screen)
    fill_in(card, OTHER, server.address)
    press(button(card, "Add"))
    await says(card, "1 of 1 models offered")
    press(find(card, QToolButton, f"Remove {server.address}"))
    await until(lambda: not all_of(card, QToolButton, f"Remove {server.address}"), "the row to go")
    assert kept(folders) == []
    assert "keyring" not in shown(card)


# which models, and how able


@pytest.fixture
def ours(endpoint: Callable[..., Endpoint], folders: Path) -> Endpoint:
    """A provider called “Ours” that is set up, with three models."""
    server = endpoint("alpha", "beta-70b", "gamma & more")
    server.set_up(folders / "config")
    return server


@pytest.fixture
async def screen_with_ours(ours: Endpoint, application: QApplication) -> AsyncIterator[Screen]:
    """The program with that provider."""
    opened = await open_screen(application)
    yield opened
    await opened.close()


async def test_the_models_to_offer_are_chosen_with_how_able_they_are_and_kept(
    start: Start, ours: Endpoint, folders: Path
) -> None:
    screen, _ = await start(ASK)
    card = await at_the_models(screen)
    await says(card, "3 of 3 models offered")
    window = await choice(card)
    assert window.windowTitle() == "Models of Ours"
    boxes = all_of(window, QCheckBox)
    assert [name_of(one).replace("&&", "&") for one in boxes] == ["alpha", "beta-70b", "gamma & more"]
    assert all(one.isChecked() for one in boxes)
    assert find(window, QSpinBox, "How able beta-70b is").value() == 4, "guessed by its name"
    press(boxes[0])
    type_into(find(window, QSpinBox, "How able gamma & more is"), "5")
    press(button(window, "Save"))
    await until(lambda: gone(window), "the window to close")
    await says(card, "2 of 3 models offered")
    [entry] = kept(folders)
    assert entry["models"] == ["beta-70b", "gamma & more"]
    assert entry["tiers"]["gamma & more"] == 5
    await screen.run("raw", "tell")
    models = find(await screen.ask(SamplingWindow), QComboBox, "Model")
    names = [models.itemText(number) for number in range(models.count())]
    assert names[:2] == ["beta-70b  ·  Ours", "gamma & more  ·  Ours"]
    assert not any("alpha" in name for name in names)
    assert names[-1] == "You write the answer"


async def test_the_choice_opens_as_it_was_left_and_cancel_changes_nothing(
    screen_with_ours: Screen, ours: Endpoint, folders: Path
) -> None:
    card = await at_the_models(screen_with_ours)
    await says(card, "3 of 3 models offered")
    window = await choice(card)
    press(find(window, QCheckBox, "alpha"))
    press(button(window, "Save"))
    await says(card, "2 of 3 models offered")
    before = kept(folders)
    window = await choice(card)
    assert [one.isChecked() for one in all_of(window, QCheckBox)] == [False, True, True]
    press(find(window, QCheckBox, "beta-70b"))
    press(button(window, "Cancel"))
    await until(lambda: gone(window), "the window to close")
    assert kept(folders) == before
    window = await choice(card)
    press(find(window, QCheckBox, "alpha"))
    press(button(window, "Save"))
    await says(card, "3 of 3 models offered")
    assert "models" not in kept(folders)[0], "all, also those that it will list later"


async def test_ticking_no_model_does_not_offer_them_all(screen_with_ours: Screen, ours: Endpoint) -> None:
    card = await at_the_models(screen_with_ours)
    await says(card, "3 of 3 models offered")
    window = await choice(card)
    for one in all_of(window, QCheckBox):
        press(one)
    if button(window, "Save").isEnabled():
        press(button(window, "Save"))
        await until(lambda: gone(window), "the window to close")
        models, _ = await screen_with_ours.program.bridge.ask(lambda engine: engine.models())
        assert not {"alpha", "beta-70b", "gamma & more"} & {model.id for model in models}


async def test_every_model_of_a_long_list_can_be_chosen(
    endpoint: Callable[..., Endpoint], start: Start, folders: Path
) -> None:
    """OpenRouter lists some three hundred."""
    server = endpoint(*(f"model-{number:03}" for number in range(150)))
    server.set_up(folders / "config")
    screen, _ = await start(ASK)
    card = await at_the_models(screen)
    await says(card, "150 of 150 models offered")
    window = await choice(card)
    press(find(window, QCheckBox, "model-000"))
    press(button(window, "Save"))
    await says(card, "149 of 150 models offered")
    models, _ = await screen.program.bridge.ask(lambda engine: engine.models())
    assert "model-149" in {model.id for model in models}


async def test_a_choice_that_is_left_with_escape_changes_nothing(
    screen_with_ours: Screen, ours: Endpoint, folders: Path
) -> None:
    before = kept(folders)
    card = await at_the_models(screen_with_ours)
    await says(card, "3 of 3 models offered")
    window = await choice(card)
    press(find(window, QCheckBox, "alpha"))
    await key(window, Qt.Key.Key_Escape)
    await until(lambda: gone(window), "the window to close", 2)
    assert kept(folders) == before


# models on this computer


def probe(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    """Let only this port be a usual one, whatever else runs on this computer."""
    monkeypatch.setattr("desktop_host.sampling.models.local._PORTS", (("custom", "Jan", port),))


async def test_a_server_on_a_usual_port_is_found_on_a_click(
    screen: Screen, endpoint: Callable[..., Endpoint], folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = endpoint("alpha", "beta")
    port = int(server.place.rpartition(":")[2])
    probe(monkeypatch, port)
    card = await at_the_models(screen)
    assert server.keys == [], "nothing is asked before"
    press(button(card, "Find models on this computer"))
    await says(card, "Added: Jan")
    await says(card, "2 of 2 models offered")
    assert [(entry["name"], entry["baseUrl"]) for entry in kept(folders)] == [("Jan", server.address)]
    press(button(card, "Find models on this computer"))
    await says(card, "No other model server answers on this computer.")
    assert len(kept(folders)) == 1, "it is not added twice"


async def test_a_server_on_another_port_is_left_alone(
    screen: Screen, endpoint: Callable[..., Endpoint], folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = endpoint("alpha")
    probe(monkeypatch, closed_port())
    card = await at_the_models(screen)
    press(button(card, "Find models on this computer"))
    assert "Looking…" in shown(card)
    await says(card, "No other model server answers on this computer.")
    assert button(card, "Find models on this computer").isEnabled()
    assert server.keys == []
    assert kept(folders) == []


def test_only_the_usual_ports_of_loopback_are_asked() -> None:
    from desktop_host.sampling.models import local

    assert sorted(port for _, _, port in local._PORTS) == [1234, 1337, 4891, 5000, 5001, 8000, 8080, 11434]


# keyboard and names


async def test_a_provider_is_added_by_keyboard_alone(
    screen: Screen, endpoint: Callable[..., Endpoint], folders: Path
) -> None:
    server = endpoint("alpha")
    card = await at_the_models(screen)
    await activate(screen.window)
    kind = find(card, QComboBox, "Kind of provider")
    kind.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(kind.count() - 1):
        QTest.keyClick(kind, Qt.Key.Key_Down)
    assert kind.currentText() == OTHER
    QTest.keyClick(kind, Qt.Key.Key_Tab)
    address = screen.window.focusWidget()
    assert address is not None and name_of(address) == "Address"
    QTest.keyClicks(address, server.address)
    QTest.keyClick(address, Qt.Key.Key_Tab)
    key = screen.window.focusWidget()
    assert key is not None and name_of(key) == "Key"
    QTest.keyClick(key, Qt.Key.Key_Tab)
    add = screen.window.focusWidget()
    assert add is button(card, "Add")
    QTest.keyClick(add, Qt.Key.Key_Space)
    await says(card, "1 of 1 models offered")
    assert kept(folders)[0]["baseUrl"] == server.address


async def test_buttons_of_different_providers_have_different_names(
    screen: Screen, endpoint: Callable[..., Endpoint]
) -> None:
    """A screen reader says the name alone, not the row it is in."""
    card = await at_the_models(screen)
    for number in (1, 2):
        fill_in(card, OTHER, endpoint(*"ab"[:number]).address)
        press(button(card, "Add"))
        await says(card, f"{number} of {number} models offered")
    names = [name_of(one) for one in all_of(card, QToolButton)] + [
        name_of(one) for one in card.findChildren(QWidget) if one.isVisible() and "QPushButton" in str(type(one))
    ]
    assert len(names) == len(set(names)), names


async def test_what_names_a_provider_is_shown_as_it_is_written(
    endpoint: Callable[..., Endpoint], start: Start, folders: Path
) -> None:
    server = endpoint("<b>model</b>")
    server.set_up(folders / "config", name="<i>Mine</i> & yours")
    screen, _ = await start(ASK)
    card = await at_the_models(screen)
    await says(card, "<i>Mine</i> & yours")
    await says(card, "1 of 1 models offered")
    window = await choice(card, "<i>Mine</i> & yours")
    assert "<b>model</b>" in shown(window)
    assert not [one.text() for one in all_of(card, QLabel) if one.textFormat() == Qt.TextFormat.RichText]
