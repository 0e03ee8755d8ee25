"""A small dialog that asks for a name."""

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_host.ui.text import tr
from desktop_host.ui.widgets.sheet import Sheet

_LONGEST = 80


class NameSheet(Sheet):
    """`then` gets the name. With `or_none` it may be empty."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        name: str,
        then: Callable[[str], None],
        *,
        about: str = "",
        or_none: bool = False,
    ) -> None:
        super().__init__(parent, title, QSize(440, 0), about=about)
        self._then, self._or_none = then, or_none
        self.line = QLineEdit(name)
        self.line.setMaxLength(_LONGEST)
        self.line.setAccessibleName(tr("Name"))
        self.line.selectAll()
        self.line.textChanged.connect(self._typed)
        self.body.addWidget(self.line)
        self.add_close(tr("Cancel"))
        self.keep = self.add_button(tr("Keep"), self._keep, "primary")
        self.keep.setDefault(True)
        self._typed(name)

    def _typed(self, text: str) -> None:
        self.keep.setEnabled(self._or_none or bool(text.strip()))

    def _keep(self) -> None:
        self._then(self.line.text().strip())
        self.accept()
