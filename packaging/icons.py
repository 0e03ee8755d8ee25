"""Renders a picture in SVG to PNG files: `icons.py PICTURE SIZE=FILE …`. Needs PySide6, and no display."""

import os
import sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer


def main(picture: str, *wanted: str) -> int:
    """Render; 1 if a file could not be written."""
    _app = QGuiApplication([])
    renderer = QSvgRenderer(picture)
    for size, _, file in (word.partition("=") for word in wanted):
        image = QImage(int(size), int(size), QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        if not image.save(file):
            print(f"icons.py: cannot write {file}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
