"""A link, a real display and a real browser: Chromium opens the page once the person agreed, and never before."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import IO

import pytest

from tests.support.browser import PATIENCE, SystemBrowser, connections_to, display, wait_for

ROOT = Path(__file__).resolve().parents[2]


class Driven:
    """The program with its driver: sends it steps and hears what it says."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.driver"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._lines: Queue[str] = Queue()
        self._errors: list[str] = []
        for stream, take in ((self._process.stdout, self._lines.put), (self._process.stderr, self._errors.append)):
            assert stream is not None
            threading.Thread(target=_read, args=(stream, take), daemon=True).start()

    def hears(self, word: str) -> str:
        """Wait for a line that begins with a word; the rest of it."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except Empty:
            line = "(silence)"
        assert line.startswith(f"{word} "), f"{line}\n{chr(10).join(self._errors)}"
        return line.removeprefix(f"{word} ")

    def step(self, word: str) -> str:
        """Let it press; what the button says then."""
        assert self._process.stdin
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        return self.hears(f"pressed {word}")

    def end(self) -> int:
        """Wait for its end."""
        return self._process.wait(PATIENCE)

    def kill(self) -> None:
        """End it where it did not end by itself."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def _read(stream: IO[str], take: Callable[[str], object]) -> None:
    for line in stream:
        take(line.rstrip("\n"))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[SystemBrowser]:
    """The person's browser."""
    folder = tmp_path / "person"
    folder.mkdir()
    browser = SystemBrowser(folder)
    yield browser
    browser.close()


@pytest.fixture
def driven(browser: SystemBrowser, folders: Path) -> Iterator[Driven]:
    """The program on a display, with that browser."""
    with display() as number:
        names = ("WAYLAND_DISPLAY", "BROWSER", "XDG_CURRENT_DESKTOP", "DBUS_SESSION_BUS_ADDRESS")
        inherited = {name: value for name, value in os.environ.items() if name not in names}
        driven = Driven({**inherited, **browser.environment, "DISPLAY": number, "QT_QPA_PLATFORM": "xcb"})
        yield driven
        driven.kill()


def test_a_real_browser_opens_the_page_only_after_consent(driven: Driven, browser: SystemBrowser) -> None:
    address = driven.hears("link")
    port = int(address.split(":")[2].partition("/")[0])
    time.sleep(1.0)  # the window is on the screen; nothing may happen by itself
    assert browser.opened == []
    assert connections_to(port) == set()

    assert driven.step("open") == "Continue"
    page = browser.page(address)
    wait_for(lambda: page.run("document.title") == "Sea Air: connect", "the airline's page")
    assert connections_to(port), "Chromium really requested it"
    assert browser.opened == [address], "once"

    page.run("document.querySelector('button').click()")
    wait_for(lambda: "Connected." in str(page.run("document.body.innerText")), "the page to be done")
    page.close()
    driven.step("continue")
    assert "Your airline account is connected." in driven.hears("result")
    assert driven.end() == 0
    assert browser.opened == [address]
