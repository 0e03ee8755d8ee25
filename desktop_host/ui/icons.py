"""Icons: our own SVGs in one colour of the theme."""

import contextlib
import hashlib
import os
import tempfile
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from desktop_host.config.paths import cache_dir, resources_dir

_colors: dict[str, str] = {}


def set_icon_colors(colors: dict[str, str]) -> None:
    """Take another table of colours; icons made before keep theirs."""
    _colors.clear()
    _colors.update(colors)


def icon(name: str, token: str = "muted", size: int = 18) -> QIcon:
    """An icon in a colour of the table in force, whatever theme comes; disabled in the table's disabled colour."""
    return QIcon(_Engine(name, token, size))


class _Engine(QIconEngine):
    """Draws with the colours of the moment, so that a change of theme needs no new icons."""

    def __init__(self, name: str, token: str, size: int) -> None:
        super().__init__()
        self._name, self._token, self._size = name, token, size

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.drawPixmap(rect, self._drawn(min(rect.width(), rect.height()), mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self._drawn(min(size.width(), size.height()), mode)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return QSize(min(size.width(), size.height(), self._size), min(size.width(), size.height(), self._size))

    def clone(self) -> "_Engine":
        return _Engine(self._name, self._token, self._size)

    def _drawn(self, size: int, mode: QIcon.Mode) -> QPixmap:
        return pixmap(self._name, "disabled" if mode == QIcon.Mode.Disabled else self._token, size)


def pixmap(name: str, token: str = "muted", size: int = 18) -> QPixmap:
    """An icon as a pixmap at the sharpest screen's ratio."""
    screens = QGuiApplication.screens()
    ratio = max((screen.devicePixelRatio() for screen in screens), default=1.0)
    color = _colors.get(token, "#000000")
    key, result = f"{name} {color} {size} {ratio}", QPixmap()
    if QPixmapCache.find(key, result):
        return result
    result = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    QSvgRenderer(QByteArray(_tinted(name, color).encode())).render(painter)
    painter.end()
    result.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, result)
    return result


def tinted_file(name: str, color: str) -> str:
    """A file with the tinted SVG, for the style sheet; written by rename, two processes may start at once."""
    text = _tinted(name, color)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    folder = _writable()
    path = folder / f"{name}-{digest}.svg"
    if not path.exists():
        with contextlib.suppress(OSError):
            handle, temporary = tempfile.mkstemp(dir=folder)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(temporary).replace(path)
    return path.as_posix()


def app_icon() -> QIcon:
    """The application's icon."""
    return QIcon(str(resources_dir() / "icons" / "app" / "desktop-host.svg"))


@lru_cache(maxsize=1)
def _writable() -> Path:
    folder = cache_dir() / "icons"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="desktop-host-icons-"))
    return folder


@lru_cache(maxsize=512)
def _tinted(name: str, color: str) -> str:
    path = resources_dir() / "icons" / f"{name}.svg"
    return path.read_text(encoding="utf-8").replace("currentColor", color)
