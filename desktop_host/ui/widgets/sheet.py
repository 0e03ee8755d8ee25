"""A dialog of one sheet: its title and what it is about, its content, and the buttons at its foot."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_host.ui.widgets.basics import button, frame, label, scroll_area


class Sheet(QDialog):
    """`body` is the content's layout, `above_buttons` what stands over the buttons. Opened with `open`, never `exec`.

    With `scrolls` the title stays above a content of any length.
    """

    def __init__(
        self, parent: QWidget, title: str, size: QSize | None = None, *, about: str = "", scrolls: bool = False
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if size is not None:
            self.resize(size)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        head = frame("head" if scrolls else "surface")
        top = QVBoxLayout(head)
        top.setContentsMargins(24, 20, 24, 16)
        top.setSpacing(4)
        top.addWidget(label(title, "window", wrap=True))
        self.about = label(about, "small", "muted", wrap=True)
        self.about.setVisible(bool(about))
        top.addWidget(self.about)
        outer.addWidget(head, 0 if scrolls else 1)
        if scrolls:
            inner = QWidget()
            self.body = QVBoxLayout(inner)
            self.body.setContentsMargins(24, 16, 24, 16)
            self.body.setSpacing(10)
            outer.addWidget(scroll_area(inner, title), 1)
        else:
            top.addSpacing(8)
            self.body = QVBoxLayout()
            self.body.setSpacing(4)
            top.addLayout(self.body, 1)
        foot = frame("foot")
        layout = QVBoxLayout(foot)
        layout.setContentsMargins(24, 14, 24, 14)
        layout.setSpacing(8)
        self.above_buttons = QVBoxLayout()
        self.above_buttons.setSpacing(8)
        layout.addLayout(self.above_buttons)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch(1)
        layout.addLayout(self._buttons)
        outer.addWidget(foot)

    def add_close(self, text: str) -> QPushButton:
        """A button that closes the sheet and does nothing else."""
        return self.add_button(text, self._close)

    def add_button(self, text: str, slot: Callable[[], None], role: str = "", *, left: bool = False) -> QPushButton:
        """A button at the foot, at the right or the left end."""
        made = button(text, slot, role)
        if left:
            self._buttons.insertWidget(0, made)
        else:
            self._buttons.addWidget(made)
        return made

    def _close(self) -> None:
        self.reject()
