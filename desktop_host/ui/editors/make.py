"""Which editor a field gets."""

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QWidget

from desktop_host.elicitation.fields import Field, FieldKind
from desktop_host.ui.editors.choices import CheckEditor, ChecksEditor, ComboEditor, RadioEditor
from desktop_host.ui.editors.dates import DateEditor
from desktop_host.ui.editors.editor import Editor
from desktop_host.ui.editors.json_text import JsonEditor
from desktop_host.ui.editors.texts import BlockEditor, LineEditor
from desktop_host.ui.text import tr

_RADIOS = 4
_RADIO_ROOM = 275
"""Pixels that radio buttons may take side by side: half of an ask window."""


def make_editor(field: Field, parent: QWidget, *, secret: bool = False) -> Editor:
    """The editor for a field."""
    match field.kind:
        case FieldKind.BOOLEAN if field.has_default:
            return CheckEditor(field, parent, field.description or tr("Yes"))
        case FieldKind.BOOLEAN:
            return RadioEditor(field, parent, [(tr("Yes"), True), (tr("No"), False)])
        case FieldKind.CHOICE:
            labels = [option.label for option in field.options]
            if 0 < len(labels) <= _RADIOS and all(labels) and _fit_as_radios(labels):
                return RadioEditor(field, parent, [(text, text) for text in labels])
            return ComboEditor(field, parent)
        case FieldKind.CHOICES:
            return ChecksEditor(field, parent)
        case FieldKind.JSON if not secret:
            return JsonEditor(field, parent)
        case FieldKind.TEXT if not secret and _is_long(field):
            return BlockEditor(field, parent)
        case FieldKind.DATE | FieldKind.DATE_TIME if not secret:
            return DateEditor(field, parent)
        case _:
            return LineEditor(field, parent, secret=secret)


def is_wide(field: Field) -> bool:
    """The field wants the whole width."""
    return field.kind in (FieldKind.JSON, FieldKind.CHOICES) or (field.kind is FieldKind.TEXT and _is_long(field))


def _fit_as_radios(labels: list[str]) -> bool:
    metrics = QFontMetrics(QApplication.font())
    return sum(metrics.horizontalAdvance(text) + 44 for text in labels) <= _RADIO_ROOM


def _is_long(field: Field) -> bool:
    most = field.schema.get("maxLength")
    default = field.default if isinstance(field.default, str) else ""
    return (isinstance(most, int) and most > 400) or "\n" in default or len(default) > 120
