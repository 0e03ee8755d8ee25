"""What a setting is changed with: a line, a number, a list, or boxes to tick."""

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLineEdit, QSpinBox, QWidget

from desktop_host.config.settings import Setting
from desktop_host.ui.text import tr

_COLUMNS = 3


class Ticks(QWidget):
    """Any of several choices."""

    def __init__(self, choices: tuple[str, ...], changed: Callable[[], None]) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        self.boxes = {choice: QCheckBox(_choice_words(choice)) for choice in choices}
        for place, box in enumerate(self.boxes.values()):
            grid.addWidget(box, place // _COLUMNS, place % _COLUMNS)
            box.clicked.connect(changed)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)

    def chosen(self) -> list[str]:
        """The ticked ones."""
        return [choice for choice, box in self.boxes.items() if box.isChecked()]

    def choose(self, chosen: list[str]) -> None:
        """Tick these and no others."""
        for choice, box in self.boxes.items():
            box.setChecked(choice in chosen)


Editor = QLineEdit | QComboBox | QSpinBox | Ticks


def make_editor(setting: Setting, value: str, changed: Callable[[], None]) -> Editor:
    """An editor for a setting; `changed` is called when the person is done with a change."""
    if setting.numbers is not None:
        editor: Editor = QSpinBox()
        editor.setRange(*setting.numbers)
        editor.setGroupSeparatorShown(True)
        editor.lineEdit().setTextMargins(9, 0, 0, 0)
        editor.setMaximumWidth(220)
        editor.editingFinished.connect(changed)
    elif setting.many:
        editor = Ticks(setting.choices, changed)
    elif setting.choices:
        editor = QComboBox()
        for choice in setting.choices:
            editor.addItem(_choice_words(choice), choice)
        editor.activated.connect(changed)
    else:
        editor = QLineEdit()
        editor.editingFinished.connect(changed)
    show_value(editor, value)
    return editor


def show_value(editor: Editor, value: str) -> None:
    """Show another value, as a setting holds it."""
    if isinstance(editor, QComboBox):
        editor.setCurrentIndex(editor.findData(value))
    elif isinstance(editor, QSpinBox):
        editor.setValue(int(value))
    elif isinstance(editor, Ticks):
        editor.choose(value.split())
    else:
        editor.setText(value)


def value_of(editor: Editor) -> str:
    """What an editor says, as a setting holds it."""
    if isinstance(editor, QLineEdit):
        return editor.text().strip()
    if isinstance(editor, Ticks):
        return " ".join(editor.chosen())
    return str(editor.value()) if isinstance(editor, QSpinBox) else str(editor.currentData())


def _choice_words(choice: str) -> str:
    return {
        "system": tr("As the system"),
        "en": "English",
        "zh_CN": "简体中文",
        "light": tr("Light"),
        "dark": tr("Dark"),
        "yes": tr("Yes"),
        "no": tr("No"),
        "server": tr("As the server asks"),
        "cost": tr("Low cost"),
        "speed": tr("Speed"),
        "intelligence": tr("Ability"),
        "key": tr("Keys of services"),
        "token": tr("Tokens"),
        "password": tr("Passwords"),
        "private_key": tr("Private keys"),
        "card": tr("Card numbers"),
        "account": tr("Bank accounts"),
        "email": tr("E-mail addresses"),
        "phone": tr("Telephone numbers"),
        "identity": tr("Identity numbers"),
    }.get(choice, choice)
