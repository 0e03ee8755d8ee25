"""What every test stands on: its own folders, no display but an off-screen one, nothing left running."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from desktop_host.asks.person import Person
from desktop_host.host import Host
from desktop_host.terms.events import Event
from tests.support.processes import living_descendants


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's own folders, fresh for each test."""
    for name in ("config", "data"):
        monkeypatch.setenv(f"DESKTOP_HOST_{name.upper()}_DIR", str(tmp_path / name))
    return tmp_path


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret that an earlier test left in this process is there."""
    monkeypatch.setattr("desktop_host.config.secrets._session", {})


@pytest.fixture(autouse=True)
def administrator(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests counts as the administrator: the files that tests lay down are theirs."""
    monkeypatch.setattr("desktop_host.policy.managed.OWNER", os.getuid())


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No test may leave a process behind."""
    before = living_descendants()
    yield
    left = {pid: words for pid, words in living_descendants(wait_for_end=set(before)).items() if pid not in before}
    assert not left, f"processes left running: {left}"


@pytest.fixture
async def new_host() -> AsyncIterator[Callable[..., Host]]:
    """Makes hosts for a person; they are closed at the end. `tell` hears events."""
    hosts: list[Host] = []

    def make(person: Person, tell: Callable[[Event], None] = lambda event: None, **options: object) -> Host:
        host = Host(person, tell, **options)
        hosts.append(host)
        return host

    yield make
    for host in hosts:
        await host.close()
