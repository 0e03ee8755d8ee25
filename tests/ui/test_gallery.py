"""The gallery draws: a window that changes takes its picture along."""

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QImage

ROOT = Path(__file__).parents[2]


def test_every_picture_is_drawn(tmp_path: Path) -> None:
    argv = [sys.executable, str(ROOT / "tests" / "gallery.py"), str(tmp_path), "dark-zh"]
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    pictures = sorted(tmp_path.glob("*-dark-zh.png"))
    assert len(pictures) > 50
    assert [one.name for one in pictures if QImage(str(one)).isNull()] == []
