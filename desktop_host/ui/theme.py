"""The look: one table of colours per theme; palette, style sheet and icons are made from it (LOOK.md)."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from desktop_host.ui.icons import set_icon_colors, tinted_file
from desktop_host.ui.text import is_chinese

LIGHT = {
    "rail": "#E8EBF0", "window": "#F3F5F8", "surface": "#FFFFFF", "sunken": "#F6F7FA", "hover": "#ECEFF4",
    "pressed": "#DFE3EA", "line": "#DCE0E7", "edge": "#868E9D", "scroll": "#B3B9C5", "text": "#191C23",
    "muted": "#4C5462", "subtle": "#5F6775", "disabled": "#666D7B", "accent": "#3156D3", "accent_hover": "#2748B8",
    "accent_press": "#1F3B9A", "on_accent": "#FFFFFF", "accent_text": "#2A4CC0", "accent_soft": "#E7EDFD",
    "accent_line": "#B9C8F6", "focus": "#3156D3", "focus_on_accent": "#050A20", "ok": "#0F6B3C", "ok_soft": "#E3F4EA",
    "ok_line": "#A9D8BD", "warn": "#7F4B00", "warn_soft": "#FDF1D9", "warn_line": "#E9C98A", "bad": "#B0231C",
    "bad_soft": "#FDEBE9", "bad_line": "#EFB0AB", "mark": "#FFE08A", "mark_text": "#3B2A00", "dels": "#FBDAD7",
    "ins": "#D2F0DE",
}  # fmt: skip
DARK = {
    "rail": "#101216", "window": "#16181D", "surface": "#1C1F25", "sunken": "#22262D", "hover": "#292D36",
    "pressed": "#333844", "line": "#30353F", "edge": "#727A89", "scroll": "#4C5361", "text": "#E8EAEF",
    "muted": "#B0B7C3", "subtle": "#979FAD", "disabled": "#8D95A3", "accent": "#4468E0", "accent_hover": "#3D60D6",
    "accent_press": "#3454BE", "on_accent": "#FFFFFF", "accent_text": "#A3BBFF", "accent_soft": "#232E50",
    "accent_line": "#3B4D86", "focus": "#8FACFF", "focus_on_accent": "#FFFFFF", "ok": "#74D19C", "ok_soft": "#18301F",
    "ok_line": "#2C5A3E", "warn": "#F2BE66", "warn_soft": "#332812", "warn_line": "#6B5321", "bad": "#FF9A92",
    "bad_soft": "#3B1D1D", "bad_line": "#7A3834", "mark": "#6A5200", "mark_text": "#FFF1C2", "dels": "#5A2523",
    "ins": "#1F4A30",
}  # fmt: skip

_SIZES = {
    "caption": (12, QFont.Weight.Normal), "small": (13, QFont.Weight.Normal), "body": (14, QFont.Weight.Normal),
    "label": (14, QFont.Weight.Medium), "strong": (14, QFont.Weight.DemiBold), "title": (16, QFont.Weight.DemiBold),
    "window": (18, QFont.Weight.DemiBold), "page": (22, QFont.Weight.DemiBold), "code": (13, QFont.Weight.Normal),
    "code_small": (12, QFont.Weight.Normal),
}  # fmt: skip
_BASE = 14


class Theme(QObject):
    """The theme in force. `colors` is its table.

    Signals:
        changed: palette and sheet were set again; redraw what is drawn from `colors`.
    """

    changed = Signal()

    def __init__(self, app: QApplication, choice: str) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        self.colors = LIGHT
        app.setStyle("Fusion")
        app.setFont(_base_font(app))
        app.styleHints().colorSchemeChanged.connect(self._scheme_changed)
        self._set()

    @property
    def dark(self) -> bool:
        """The dark table is in force."""
        return self.colors is DARK

    def choose(self, choice: str) -> None:
        """Take "light", "dark" or "system"."""
        self._choice = choice
        self._set()

    def _scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        self._set()

    def _set(self) -> None:
        system_dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        dark = self._choice == "dark" or (self._choice == "system" and system_dark)
        self.colors = DARK if dark else LIGHT
        set_icon_colors(self.colors)
        self._app.setPalette(palette(self.colors))
        self._app.setStyleSheet(style_sheet(self.colors))
        self.changed.emit()


def color(name: str) -> str:
    """A colour of the table in force, by its token."""
    app = QApplication.instance()
    theme = app.findChild(Theme) if app is not None else None
    return (theme.colors if isinstance(theme, Theme) else LIGHT)[name]


def font_of(size: str) -> QFont:
    """A font of the type scale: a ratio of the person's font size, never a fixed one."""
    pixels, weight = _SIZES[size]
    font = QFont(QApplication.font())
    if size.startswith("code"):
        font.setFamilies(["JetBrains Mono", "Cascadia Mono", "Menlo", "DejaVu Sans Mono", "monospace"])
        font.setFeature(QFont.Tag("calt"), 0)
        font.setFeature(QFont.Tag("liga"), 0)
    base = QFontInfo(QApplication.font()).pixelSize()
    font.setPixelSize(max(9, round(base * pixels / _BASE)))
    font.setWeight(weight)
    return font


def set_type(widget: QWidget, size: str) -> None:
    """Give a widget a size of the type scale."""
    widget.setFont(font_of(size))


def restyle(widget: QWidget) -> None:
    """Let the sheet look again after a property changed."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property the sheet selects by."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        restyle(widget)


def _base_font(app: QApplication) -> QFont:
    font = QFont(app.font())
    pixels = QFontInfo(font).pixelSize()
    names = [font.family()] if QGuiApplication.platformName() in ("windows", "cocoa") else ["Inter"]
    chinese = ["Noto Sans CJK SC", "Microsoft YaHei UI", "PingFang SC"]
    font.setFamilies([*chinese, *names] if is_chinese() else [*names, *chinese, font.family()])
    # Qt's fallback of 9 pt on a bare X server is smaller than any desktop's own setting.
    font.setPixelSize(pixels if pixels >= _BASE - 1 else _BASE)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def palette(c: dict[str, str]) -> QPalette:
    """Every role, for both states: or Fusion mixes greys of its own in the dark."""
    roles = {
        QPalette.ColorRole.Window: "window", QPalette.ColorRole.WindowText: "text", QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "sunken", QPalette.ColorRole.Text: "text", QPalette.ColorRole.Button: "surface",
        QPalette.ColorRole.ButtonText: "text", QPalette.ColorRole.BrightText: "bad", QPalette.ColorRole.Link: "accent_text",
        QPalette.ColorRole.LinkVisited: "accent_text", QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_accent", QPalette.ColorRole.PlaceholderText: "subtle",
        QPalette.ColorRole.ToolTipBase: "surface", QPalette.ColorRole.ToolTipText: "text", QPalette.ColorRole.Accent: "accent",
        QPalette.ColorRole.Mid: "line", QPalette.ColorRole.Midlight: "hover", QPalette.ColorRole.Dark: "edge",
        QPalette.ColorRole.Light: "surface", QPalette.ColorRole.Shadow: "edge",
    }  # fmt: skip
    result = QPalette()
    for role, token in roles.items():
        result.setColor(role, QColor(c[token]))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(c["disabled"]))
    for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Button):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(c["sunken"]))
    return result


def style_sheet(c: dict[str, str]) -> str:
    """The one style sheet."""
    files = {
        "check": tinted_file("check-bold", c["on_accent"]), "check_off": tinted_file("check-bold", c["disabled"]),
        "dash": tinted_file("dash-bold", c["on_accent"]), "radio": tinted_file("radio-on", c["on_accent"]),
        "radio_off": tinted_file("radio-on", c["disabled"]), "down": tinted_file("chevron-down", c["muted"]),
        "down_off": tinted_file("chevron-down", c["disabled"]), "up": tinted_file("chevron-up", c["muted"]),
    }  # fmt: skip
    text = _SHEET
    for name, path in files.items():
        text = text.replace(f"@file_{name}@", path)
    for name in sorted(c, key=len, reverse=True):
        text = text.replace(f"@{name}@", c[name])
    return text


_SHEET = """
QFrame[role="rail"] { background: @rail@; border: 0; border-right: 1px solid @line@; }
QFrame[role="side"] { background: @window@; border: 0; border-right: 1px solid @line@; }
QFrame[role="surface"], QWidget[role="surface"] { background: @surface@; border: 0; }
QFrame[role="window"] { background: @window@; border: 0; }
QFrame[role="foot"] { background: @window@; border: 0; border-top: 1px solid @line@; }
QFrame[role="head"] { background: @surface@; border: 0; border-bottom: 1px solid @line@; }
QFrame[role="inset"] { background: @sunken@; border: 1px solid @line@; border-radius: 6px; }
QFrame[role="card"] { background: @surface@; border: 1px solid @line@; border-radius: 10px; }
QFrame[role="rule"] { background: @line@; border: 0; max-height: 1px; min-height: 1px; }
QFrame[role="upright"] { background: @line@; border: 0; max-width: 1px; min-width: 1px; }
QFrame[role="tile"] { background: @hover@; border: 1px solid @line@; border-radius: 8px; }
QFrame[role="tile"][kind="accent"] { background: @accent@; border-color: @accent@; }
QFrame[role="tile"][kind="ok"] { background: @ok_soft@; border-color: @ok_soft@; }
QFrame[role="tile"][kind="bad"] { background: @bad_soft@; border-color: @bad_soft@; }
QFrame[role="finding"] { border-radius: 6px; border: 1px solid @accent_line@; background: @accent_soft@; }
QFrame[role="finding"][kind="warning"] { border-color: @warn_line@; background: @warn_soft@; }
QFrame[role="finding"][kind="danger"] { border-color: @bad_line@; background: @bad_soft@; }
QFrame[role="finding"] QLabel[kind="warning"] { color: @warn@; }
QFrame[role="finding"] QLabel[kind="danger"] { color: @bad@; }
QFrame[role="finding"] QLabel[kind="info"] { color: @accent_text@; }
QFrame[role="notice"] { background: @warn_soft@; border: 0; border-bottom: 1px solid @warn_line@; }
QFrame[role="notice"][kind="info"] { background: @accent_soft@; border-bottom-color: @accent_line@; }
QListWidget[role="checks"] { background: @surface@; border: 1px solid @edge@; border-radius: 6px; padding: 4px; }
QListWidget[role="checks"]:focus { border: 2px solid @focus@; padding: 3px; }
QListWidget[role="checks"]::item { border-radius: 4px; padding: 4px 6px; }
QListView::indicator { width: 16px; height: 16px; border: 1px solid @edge@; border-radius: 4px; background: @surface@; }
QListView::indicator:checked { background: @accent@; border-color: @accent@; image: url(@file_check@); }
QListView::indicator:checked:disabled { background: @sunken@; border-color: @line@; image: url(@file_check_off@); }
QFrame[role="badge"] { border: 0; border-radius: 4px; background: @hover@; }
QFrame[role="badge"][kind="accent"] { background: @accent_soft@; }
QFrame[role="badge"][kind="ok"] { background: @ok_soft@; }
QFrame[role="badge"][kind="bad"] { background: @bad_soft@; }
QLabel[role="badge"] { background: @hover@; color: @muted@; border-radius: 4px; padding: 2px 8px; }
QLabel[role="badge"][kind="accent"] { background: @accent_soft@; color: @accent_text@; }
QLabel[role="badge"][kind="ok"] { background: @ok_soft@; color: @ok@; }
QLabel[role="badge"][kind="warn"] { background: @warn_soft@; color: @warn@; }
QLabel[role="badge"][kind="bad"] { background: @bad_soft@; color: @bad@; }
QLabel[role="count"] { background: @accent@; color: @on_accent@; border-radius: 9px; padding: 0 5px; min-width: 8px; min-height: 18px; max-height: 18px; font-weight: 600; }
QLabel[tone="muted"] { color: @muted@; }
QLabel[tone="subtle"] { color: @subtle@; }
QLabel[tone="ok"] { color: @ok@; }
QLabel[tone="bad"] { color: @bad@; }
QLabel[tone="warn"] { color: @warn@; }
QLabel[tone="accent"] { color: @accent_text@; }
QPushButton, QToolButton[role="split"] {
  background: @surface@; color: @text@; border: 1px solid @edge@; border-radius: 6px; padding: 0 14px;
  min-height: 34px; max-height: 34px; font-weight: 500; }
QPushButton:hover, QToolButton[role="split"]:hover { background: @hover@; }
QPushButton:pressed, QToolButton[role="split"]:pressed { background: @pressed@; }
QPushButton:focus, QToolButton[role="split"]:focus { border: 2px solid @focus@; padding: 0 13px; min-height: 32px; max-height: 32px; }
QPushButton:disabled, QToolButton[role="split"]:disabled { background: @sunken@; color: @disabled@; border-color: @line@; }
QPushButton[compact="true"] { padding: 0 10px; min-height: 26px; max-height: 26px; }
QPushButton[compact="true"]:focus { padding: 0 9px; min-height: 24px; max-height: 24px; }
QPushButton[role="primary"] { background: @accent@; color: @on_accent@; border-color: @accent@; font-weight: 600; }
QPushButton[role="primary"]:hover { background: @accent_hover@; border-color: @accent_hover@; }
QPushButton[role="primary"]:pressed { background: @accent_press@; border-color: @accent_press@; }
QPushButton[role="primary"]:focus { border: 2px solid @focus_on_accent@; }
QPushButton[role="primary"]:disabled { background: @sunken@; color: @disabled@; border: 1px solid @line@; }
QPushButton[role="danger"] { color: @bad@; border-color: @bad@; }
QPushButton[role="danger"]:hover { background: @bad_soft@; }
QPushButton[role="danger"]:disabled { color: @disabled@; border-color: @line@; }
QPushButton[role="segment"] { border: 1px solid transparent; background: transparent; color: @muted@; padding: 0 12px; min-height: 26px; max-height: 26px; }
QPushButton[role="segment"]:checked { background: @surface@; color: @text@; border-color: @line@; font-weight: 600; }
QPushButton[role="segment"]:focus { border: 2px solid @focus@; padding: 0 11px; min-height: 24px; max-height: 24px; }
QFrame[role="segments"] { background: @pressed@; border: 0; border-radius: 8px; }
QToolButton[role="split"] { padding: 0 44px 0 10px; }
QToolButton[role="split"]:focus { padding: 0 43px 0 9px; }
QToolButton[role="split"]::menu-button { width: 31px; border: 0; border-left: 1px solid @edge@; }
QToolButton[role="split"]::menu-arrow { image: url(@file_down@); width: 16px; height: 16px; }
QToolButton[role="icon"] { border: 1px solid transparent; border-radius: 6px; padding: 0; min-width: 32px; min-height: 32px; background: transparent; }
QToolButton[role="icon"]:hover { background: @hover@; }
QToolButton[role="icon"]:pressed { background: @pressed@; }
QToolButton[role="icon"]:focus { border: 2px solid @focus@; }
QToolButton[role="icon"]::menu-indicator { image: none; }
QToolButton[role="nav"] { border: 1px solid transparent; border-radius: 8px; background: transparent; color: @muted@; min-height: 46px; min-width: 76px; padding: 7px 0 3px 0; font-weight: 500; }
QToolButton[role="nav"]:hover { background: @hover@; }
QToolButton[role="nav"]:checked { background: @surface@; color: @accent_text@; font-weight: 600; }
QToolButton[role="nav"]:focus { border: 2px solid @focus@; }
QToolButton[role="fold"] { border: 1px solid transparent; border-radius: 6px; background: transparent; padding: 2px 6px 2px 0; font-weight: 600; }
QToolButton[role="fold"]:focus { border: 2px solid @focus@; }
QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QDateEdit, QDateTimeEdit, QTimeEdit, QSpinBox {
  background: @surface@; border: 1px solid @edge@; border-radius: 6px; padding: 0 11px; selection-background-color: @accent@; selection-color: @on_accent@; }
QLineEdit, QComboBox, QDateEdit, QDateTimeEdit, QTimeEdit, QSpinBox { min-height: 34px; max-height: 34px; }
QPlainTextEdit, QTextEdit { padding: 6px 8px; }
QLineEdit:focus, QComboBox:focus, QDateEdit:focus, QDateTimeEdit:focus, QTimeEdit:focus, QSpinBox:focus { border: 2px solid @focus@; padding: 0 10px; min-height: 32px; max-height: 32px; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid @focus@; padding: 5px 7px; }
QLineEdit:disabled, QPlainTextEdit:disabled, QTextEdit:disabled, QComboBox:disabled, QDateEdit:disabled, QSpinBox:disabled { background: @sunken@; border-color: @line@; color: @disabled@; }
QLineEdit[invalid="true"], QPlainTextEdit[invalid="true"], QComboBox[invalid="true"] { border-color: @bad@; }
QLineEdit[invalid="true"]:focus, QPlainTextEdit[invalid="true"]:focus, QComboBox[invalid="true"]:focus { border: 2px solid @bad@; }
QTextEdit[role="code"], QPlainTextEdit[role="code"] { background: @sunken@; border: 1px solid @line@; color: @text@; }
QTextEdit[role="bare"], QPlainTextEdit[role="bare"] { background: transparent; border: 0; padding: 0; }
QComboBox { combobox-popup: 0; padding-right: 4px; }
QComboBox::drop-down { border: 0; width: 30px; }
QComboBox::down-arrow { image: url(@file_down@); width: 18px; height: 18px; }
QComboBox::down-arrow:disabled { image: url(@file_down_off@); }
QComboBox QAbstractItemView { background: @surface@; border: 1px solid @edge@; outline: 0; padding: 4px; selection-background-color: @accent_soft@; selection-color: @text@; }
QListView[role="popup"] { background: @surface@; border: 1px solid @edge@; padding: 4px; selection-background-color: @accent_soft@; selection-color: @text@; }
QListView[role="popup"]::item { border: 0; border-radius: 4px; padding: 6px 8px; }
QComboBox QLineEdit { border: 0; padding: 0; min-height: 0; max-height: 100px; background: transparent; }
QSpinBox::up-button, QSpinBox::down-button, QTimeEdit::up-button, QTimeEdit::down-button { border: 0; width: 26px; background: transparent; }
QSpinBox::up-arrow, QTimeEdit::up-arrow { image: url(@file_up@); width: 14px; height: 14px; }
QSpinBox::down-arrow, QTimeEdit::down-arrow { image: url(@file_down@); width: 14px; height: 14px; }
QSpinBox QLineEdit, QTimeEdit QLineEdit { border: 0; padding: 0; min-height: 0; max-height: 100px; background: transparent; }
QCheckBox, QRadioButton { spacing: 10px; border: 2px solid transparent; border-radius: 4px; padding: 1px; }
QCheckBox:focus, QRadioButton:focus { border-color: @focus@; }
QCheckBox::indicator, QRadioButton::indicator { width: 16px; height: 16px; border: 1px solid @edge@; background: @surface@; }
QCheckBox::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 9px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { background: @hover@; }
QCheckBox::indicator:checked { background: @accent@; border-color: @accent@; image: url(@file_check@); }
QCheckBox::indicator:indeterminate { background: @accent@; border-color: @accent@; image: url(@file_dash@); }
QRadioButton::indicator:checked { background: @accent@; border-color: @accent@; image: url(@file_radio@); }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { background: @sunken@; border-color: @line@; }
QCheckBox::indicator:checked:disabled { background: @sunken@; border-color: @line@; image: url(@file_check_off@); }
QRadioButton::indicator:checked:disabled { background: @sunken@; border-color: @line@; image: url(@file_radio_off@); }
QProgressBar { background: @pressed@; border: 0; border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar::chunk { background: @accent@; border-radius: 3px; }
QListView, QListWidget { background: transparent; border: 0; outline: 0; }
QListView::item { border: 1px solid transparent; border-radius: 8px; }
QListView::item:hover { background: @hover@; }
QListView::item:selected { background: @accent_soft@; color: @text@; }
QListView::item:selected:focus { border: 2px solid @focus@; }
QTableView { background: @surface@; border: 0; outline: 0; gridline-color: @line@; selection-background-color: @accent_soft@; selection-color: @text@; }
QTableView::item { padding: 0 8px; border-bottom: 1px solid @line@; }
QHeaderView { background: @surface@; border: 0; }
QHeaderView::section { background: @surface@; color: @muted@; border: 0; border-bottom: 1px solid @line@; padding: 8px 11px; font-weight: 600; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { color: @muted@; padding: 8px 2px; margin-right: 22px; border: 0; border-bottom: 3px solid transparent; font-weight: 500; }
QTabBar::tab:selected { color: @accent_text@; border-bottom-color: @accent@; font-weight: 600; }
QTabBar::tab:focus { color: @accent_text@; }
QScrollArea, QScrollArea > QWidget > QWidget[role="clear"] { background: transparent; border: 0; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: @scroll@; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: transparent; border: 0; height: 0; width: 0; }
QSplitter::handle { background: @line@; }
QMenu { background: @surface@; border: 1px solid @edge@; padding: 4px; }
QMenu::item { padding: 8px 24px 8px 12px; border-radius: 4px; }
QMenu::item:selected { background: @accent_soft@; color: @text@; }
QMenu::item:disabled { color: @disabled@; }
QToolTip { background: @surface@; color: @text@; border: 1px solid @edge@; padding: 4px 8px; }
QCalendarWidget QTableView::item { padding: 0; border: 0; }
QCalendarWidget QWidget#qt_calendar_navigationbar { background: @surface@; }
QCalendarWidget QToolButton { background: transparent; color: @text@; border: 1px solid transparent; border-radius: 6px; padding: 4px 8px; font-weight: 600; }
QCalendarWidget QToolButton:hover { background: @hover@; }
QCalendarWidget QToolButton:focus { border: 2px solid @focus@; }
QCalendarWidget QToolButton::menu-indicator { image: none; }
QCalendarWidget QAbstractItemView { background: @surface@; selection-background-color: @accent@; selection-color: @on_accent@; }
"""
