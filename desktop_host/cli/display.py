"""Is there a screen to show windows on? Qt ends the process where there is none, so this asks before Qt does."""

import ctypes
import os
import re
import socket
import sys

PACKAGES = (
    "libegl1 libgl1 libglib2.0-0 libfontconfig1 libdbus-1-3 libxkbcommon0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 "
    "libxcb-keysyms1 libxcb-render-util0 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0"
)
"""What the windows need on a bare Debian system (platform.md B.2)."""
_X11_LIBRARIES = ("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libxkbcommon-x11.so.0")


def can_show_windows() -> bool:
    """A display is there, and what Qt needs to reach it."""
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in ("offscreen", "minimal"):
        return False
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    display = os.environ.get("DISPLAY", "")
    return bool(display) and _reachable(display) and not missing_libraries()


def missing_libraries() -> tuple[str, ...]:
    """The X11 libraries of Qt that cannot be loaded."""
    return tuple(name for name in _X11_LIBRARIES if not _loads(name))


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _reachable(display: str) -> bool:
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local is None:
        return True
    for address in (f"\0/tmp/.X11-unix/X{local.group(1)}", f"/tmp/.X11-unix/X{local.group(1)}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            try:
                connection.connect(address)
            except OSError:
                continue
            return True
    return False
