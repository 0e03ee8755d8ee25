"""Images that servers send, decoded without trusting them."""

import base64
import binascii

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPixmap

from desktop_host.terms.asks import JsonObject

_MOST_BYTES = 32 * 1024 * 1024


def image_of(block: JsonObject) -> QImage:
    """The image of a content block; a null image where it is none. Nothing is ever loaded from elsewhere."""
    data = str(block.get("data", ""))
    if len(data) > _MOST_BYTES:
        return QImage()
    try:
        return QImage.fromData(base64.b64decode(data))
    except (binascii.Error, ValueError):
        return QImage()


def thumbnail(image: QImage, width: int, height: int) -> QPixmap:
    """At most this large, in its own proportions."""
    if image.width() <= width and image.height() <= height:
        return QPixmap.fromImage(image)
    smooth = Qt.TransformationMode.SmoothTransformation
    return QPixmap.fromImage(image.scaled(width, height, Qt.AspectRatioMode.KeepAspectRatio, smooth))
