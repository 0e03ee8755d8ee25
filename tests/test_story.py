"""The demo without a display: the whole story, told by a scripted person, in both eras."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("platform", ["offscreen"])
def test_the_story_is_told_and_a_picture_saved(folders: Path, platform: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-m", "desktop_host", "demo"],
        env=environment | {"QT_QPA_PLATFORM": platform},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "There is no display" in done.stdout
    for line in ("2025-11-25 (handshake era)", "2026-07-28 (modern era)", "[scripted person] completes the page"):
        assert line in done.stdout
    assert done.stdout.count("Booked: Barcelona for Maria Lopez") == 2
    assert done.stdout.count("Your airline account is connected") == 2
    picture = folders / "data" / "demo" / "windows.png"
    assert f"saved at {picture}" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
