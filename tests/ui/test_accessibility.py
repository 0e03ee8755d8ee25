"""Names for screen readers, the way through every window by keyboard, and contrast (LOOK.md section 1)."""

import asyncio
import sys
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
import pytest_asyncio
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QListView,
    QListWidget,
    QPlainTextEdit,
    QScrollArea,
    QSplitterHandle,
    QTabBar,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop_host.ui.theme import DARK, LIGHT
from tests.support.windows import activate, all_of, find, name_of, words_on
from tests.ui.endpoint import Endpoint
from tests.ui.screen import Browser, Screen, open_screen, raw_command, write_servers
from tests.ui.tour import CALLS, FIELDS, WINDOWS, Tour

ONE_LOOP = pytest.mark.asyncio(loop_scope="module")

# contrast

GROUNDS = ("rail", "window", "surface", "sunken", "hover")
TEXTS = [
    *[("text", ground) for ground in (*GROUNDS, "pressed", "accent_soft", "ok_soft", "warn_soft", "bad_soft")],
    *[("muted", ground) for ground in (*GROUNDS, "pressed", "accent_soft")],
    *[("text", ground) for ground in ("dels", "ins")],
    ("subtle", "surface"),
    ("disabled", "sunken"),
    ("disabled", "surface"),
    *[("accent_text", ground) for ground in ("surface", "window", "accent_soft")],
    *[("on_accent", ground) for ground in ("accent", "accent_hover", "accent_press")],
    *[(name, ground) for name in ("ok", "warn", "bad") for ground in ("surface", "window", f"{name}_soft")],
    ("mark_text", "mark"),
]
OUTLINES = [
    *[("edge", ground) for ground in ("surface", "window")],
    *[("focus", ground) for ground in (*GROUNDS, "accent_soft")],
    ("focus_on_accent", "accent"),
    ("accent", "surface"),
    ("bad", "surface"),
]


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""

    def luminance(text: str) -> float:
        color = QColor(text)
        parts = [color.redF(), color.greenF(), color.blueF()]
        red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_the_ratio_is_computed_rightly() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_and_outlines_stand_out(theme: dict[str, str]) -> None:
    weak = {
        f"{one} on {ground}": round(contrast(theme[one], theme[ground]), 2)
        for least, table in ((4.5, TEXTS), (3.0, OUTLINES))
        for one, ground in table
        if contrast(theme[one], theme[ground]) < least
    }
    assert weak == {}


def test_both_themes_name_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()


# windows


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tour(application: QApplication, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tour]:
    """The program with servers in several states."""
    folder = tmp_path_factory.mktemp("tour")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("config", "data"):
            patch.setenv(f"DESKTOP_HOST_{name.upper()}_DIR", str(folder / name))
        schemas = {name: FIELDS if name == "fields" else {"type": "object"} for name in CALLS}
        tools = [{"name": name, "inputSchema": schema} for name, schema in schemas.items()]
        argv, _ = raw_command(folder, {"tools": tools, "calls": CALLS}, "handshake", "raw")
        code = "import sys; sys.exit('broken')"
        entries = {
            "raw": {"command": argv[0], "args": argv[1:], "desktopHost": {"era": "handshake"}},
            "broken": {"command": sys.executable, "args": ["-c", code], "desktopHost": {"era": "handshake"}},
            "new": {"command": argv[0], "args": [*argv[1:], "--new"], "desktopHost": {"autoStart": False}},
        }
        write_servers(entries, approved=["raw", "broken"])
        model = Endpoint("alpha", "beta")
        model.uses = [("call_1", "look", '{"where": "there"}')]
        model.may_go_on.set()
        model.set_up(folder / "config")
        screen = await open_screen(application)
        await screen.server("raw")
        yield Tour(screen)
        await screen.close()
        model.close()


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def calm(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """No test leaves a window to the next."""
    yield
    if "tour" in request.fixturenames:
        screen: Screen = request.getfixturevalue("tour").screen
        for one in QApplication.topLevelWidgets():
            if one is not screen.window and one.isVisible():
                one.close()
        screen.window.resize(1280, 800)
        await screen.calm()


def controls(window: QWidget) -> list[QWidget]:
    """Everything in a window that can be operated; without the inner parts of Qt's own widgets."""
    kinds = (
        QAbstractButton,
        QLineEdit,
        QPlainTextEdit,
        QTextEdit,
        QComboBox,
        QAbstractSpinBox,
        QAbstractItemView,
        QTabBar,
    )
    found: list[QWidget] = []
    for one in window.findChildren(QWidget):
        if not one.isVisible() or one.window() is not window or isinstance(one, QHeaderView | QSplitterHandle):
            continue
        outer = one.parentWidget()
        inside = isinstance(outer, QAbstractSpinBox | QComboBox | QAbstractItemView)
        takes_tab = bool(one.focusPolicy() & Qt.FocusPolicy.TabFocus) and not isinstance(one, QScrollArea)
        if not inside and (isinstance(one, kinds) or takes_tab):
            found.append(one)
    return found


def described(widget: QWidget) -> str:
    """A widget in a failure message."""
    return f"{type(widget).__name__} {name_of(widget) or words_on(widget) or widget.objectName() or '(no name)'}"


def _walk(window: QWidget, key: Qt.Key) -> list[QWidget]:
    """Press Tab until the focus is where it was; the controls it came by."""
    seen: list[QWidget] = []
    QTest.keyClick(window.focusWidget() or window, key)
    for _ in range(300):
        here = window.focusWidget()
        if here is None or here in seen:
            break
        seen.append(here)
        QTest.keyClick(here, key)
    return seen


def _reached(widget: QWidget, reached: list[QWidget]) -> bool:
    """By Tab; the buttons of an exclusive group share one place, the arrow keys go between them."""
    if widget in reached:
        return True
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    if group is not None and group.exclusive():
        return any(one in reached for one in group.buttons())
    # The icon inside a field, a calendar say: the field itself takes what it would enter.
    return isinstance(widget, QToolButton) and isinstance(widget.parentWidget(), QLineEdit)


@ONE_LOOP
async def test_the_rows_of_lists_have_names(tour: Tour) -> None:
    await tour.servers()
    for name in ("Servers", "Tools"):
        rows = find(tour.screen.window, QListView, name).model()
        role = Qt.ItemDataRole.AccessibleTextRole
        texts = [str(rows.index(number, 0).data(role)) for number in range(rows.rowCount())]
        assert len(texts) > 1
        assert all(text and text != "None" for text in texts), texts


@ONE_LOOP
async def test_the_way_through_a_form_is_the_order_of_its_fields(tour: Tour) -> None:
    window = await tour.form()
    await activate(window)
    names = [name_of(one) for one in _walk(window, Qt.Key.Key_Tab)]
    fields = ["Name", "Password", "Story", "Travellers", "Arrival", "News", "Row", "Days: Mon", "Days: Tue", "Extra"]
    places = [names.index(field) for field in fields]
    start = min(places)
    turned = [(place - start) % len(names) for place in places]
    assert all(one < other for one, other in pairwise(turned)), names


@ONE_LOOP
async def test_lists_and_choices_work_by_keyboard(tour: Tour) -> None:
    await tour.servers()
    servers = find(tour.screen.window, QListWidget, "Servers")
    servers.setFocus()
    servers.setCurrentRow(0)
    QTest.keyClick(servers, Qt.Key.Key_Down)
    assert servers.currentRow() == 1
    await asyncio.sleep(0.05)
    assert "broken" in [words_on(one) for one in tour.screen.window.findChildren(QWidget) if one.isVisible()]


@ONE_LOOP
@pytest.mark.parametrize("name", ["servers", "settings", "models", "form", "request", "answer"])
async def test_places_to_scroll_have_a_name_where_tab_stops_there(tour: Tour, name: str) -> None:
    window = await getattr(tour, name)()
    stops = [one for one in all_of(window, QScrollArea) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert [one for one in stops if not name_of(one).strip()] == []


@ONE_LOOP
@pytest.mark.parametrize("name", WINDOWS)
async def test_every_control_has_a_name_and_is_reached_by_tab(tour: Tour, name: str, browser: Browser) -> None:
    window = await getattr(tour, name)()
    await asyncio.sleep(0.05)
    found = controls(window)
    assert len(found) > 1
    unnamed = [
        f"{type(one).__name__} in {type(one.parentWidget()).__name__}" for one in found if not name_of(one).strip()
    ]
    assert unnamed == []
    assert [name_of(one) for one in found if "\n" in name_of(one)] == []
    await activate(window)
    reached = _walk(window, Qt.Key.Key_Tab)
    missed = [described(one) for one in found if one.isEnabled() and not _reached(one, reached)]
    assert missed == []
    back = _walk(window, Qt.Key.Key_Backtab)
    assert {id(one) for one in back} == {id(one) for one in reached}, "Shift+Tab goes the same way back"
