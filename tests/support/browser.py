"""A real browser as the system's browser on a display of its own, and what can be seen of it from outside (Linux)."""

import base64
import contextlib
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")
PATIENCE = 30.0
"""Seconds until a wait counts as a failure."""
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox --no-first-run --no-default-browser-check --disable-gpu --disable-dev-shm-usage "
    "--disable-background-networking --disable-component-update --disable-sync --password-store=basic "
    "--remote-debugging-port=0"
)


def connections_to(port: int) -> set[str]:
    """Every TCP connection to a local port that there is or was in the last minute, by its two ends."""
    found: set[str] = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        local, remote, state = line.split()[1:4]
        listening = state == "0A"
        if not listening and f"{port:04X}" in (local.partition(":")[2], remote.partition(":")[2]):
            found.add(" ".join(sorted((local, remote))))
    return found


def wait_for(found: Callable[[], T], what: str) -> T:
    """Wait until something is there; its value."""
    end = time.monotonic() + PATIENCE
    while not (value := found()):
        assert time.monotonic() < end, f"waited {PATIENCE:g} s in vain for {what}"
        time.sleep(0.05)
    return value


def program(*names: str) -> str:
    """The path of the first of these programs that is installed. Fails where none is."""
    for name in names:
        if found := shutil.which(name):
            return found
    raise AssertionError(f"this test needs {' or '.join(names)}; install it (apt-get install xvfb chromium xdg-utils)")


@contextlib.contextmanager
def display() -> Iterator[str]:
    """A display of our own: Xvfb chooses a free number."""
    reading, writing = os.pipe()
    argv = [program("Xvfb"), "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    process = subprocess.Popen(argv, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as numbers:
            number = numbers.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait(10)


class SystemBrowser:
    """Chromium as what `xdg-open` opens, set up in XDG folders of its own (platform.md C.4, way A).

    `environment` is what a program needs so that this is its person's browser.
    """

    def __init__(self, folder: Path) -> None:
        program("xdg-open")
        self._profile = folder / "profile"
        self._log = folder / "opened"
        config, data = folder / "config", folder / "data"
        self.environment = {
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(config),
            "XDG_DATA_HOME": str(data),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        script = folder / "person-browser"
        script.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{self._log}"\n'
            f'exec "{program(*_CHROMIUM)}" {_FLAGS} --user-data-dir="{self._profile}" "$@" >/dev/null 2>&1\n'
        )
        script.chmod(0o755)
        (data / "applications").mkdir(parents=True)
        (data / "applications" / "person-browser.desktop").write_text(
            "[Desktop Entry]\nType=Application\nName=Browser\n"
            f"Exec={script} %U\nMimeType=x-scheme-handler/http;x-scheme-handler/https;text/html;\n"
        )
        config.mkdir()
        (config / "mimeapps.list").write_text(
            "[Default Applications]\n"
            + "".join(f"x-scheme-handler/{scheme}=person-browser.desktop\n" for scheme in ("http", "https"))
        )

    @property
    def opened(self) -> list[str]:
        """What it was started with, each time."""
        return self._log.read_text().splitlines() if self._log.exists() else []

    def page(self, address: str) -> "Page":
        """Wait until it shows an address; that page."""

        def found() -> dict[str, Any] | None:
            return next((one for one in self._targets() if one["type"] == "page" and one["url"] == address), None)

        return Page(wait_for(found, f"the browser to show {address}")["webSocketDebuggerUrl"])

    def close(self) -> None:
        """End every process of it."""
        for pid in self._processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not self._processes(), "the browser to end")

    def _targets(self) -> list[dict[str, Any]]:
        with contextlib.suppress(OSError, IndexError):  # it is not up yet
            port = (self._profile / "DevToolsActivePort").read_text().splitlines()[0]
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
                return json.load(answer)
        return []

    def _processes(self) -> list[int]:
        found: list[int] = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if str(self._profile).encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return found


class Page:
    """A page in the browser, by Chromium's debugging protocol: just enough of a WebSocket for it."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._socket = socket.create_connection((parts.hostname, parts.port), PATIENCE)
        self._number = 0
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._file = self._socket.makefile("rb")
        assert b" 101 " in self._file.readline()
        while self._file.readline().strip():
            pass  # the headers of its answer say nothing more

    def run(self, script: str) -> Any:
        """Run JavaScript in the page; its value."""
        self._number += 1
        params = {"expression": script, "returnByValue": True, "userGesture": True}
        self._send(json.dumps({"id": self._number, "method": "Runtime.evaluate", "params": params}).encode())
        while True:
            message = json.loads(self._receive())
            if message.get("id") == self._number:
                return message["result"]["result"].get("value")

    def close(self) -> None:
        """Let go of the page; it stays open."""
        self._file.close()
        self._socket.close()

    def _send(self, data: bytes) -> None:
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        mask = os.urandom(4)
        masked = bytes(one ^ mask[number % 4] for number, one in enumerate(data))
        self._socket.sendall(b"\x81" + size + mask + masked)

    def _receive(self) -> bytes:
        whole = b""
        while True:
            first, size = self._file.read(2)
            if size == 126:
                (size,) = struct.unpack(">H", self._file.read(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self._file.read(8))
            whole += self._file.read(size)
            if first & 0x80:
                return whole
