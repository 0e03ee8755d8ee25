"""Fields that the parts of the rule window have in common."""

from PySide6.QtWidgets import QSpinBox


def number_field(value: int, most: int, pattern: str, none: str) -> QSpinBox:
    """A number, 0 for no bound."""
    result = QSpinBox()
    before, _, after = pattern.partition("{n}")
    result.setPrefix(before)
    result.setSuffix(after)
    result.setRange(0, most)
    result.setSpecialValueText(none)
    result.setGroupSeparatorShown(True)
    result.setValue(value)
    result.lineEdit().setTextMargins(9, 0, 0, 0)
    return result


def parted(text: str) -> tuple[str, ...] | None:
    """What stands between the commas of a text, None where there is nothing."""
    found = tuple(part.strip() for part in text.replace("，", ",").split(",") if part.strip())
    return found or None
