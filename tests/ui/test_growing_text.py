"""The texts of requests and answers: exact however long, whatever their lines and characters, and quick to edit."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_host.ui.widgets.growing_text import GrowingText
from tests.support.windows import until

LINE = "The quick brown fox jumps over the lazy dog. "
TEXTS = {
    "short": "hello",
    "no-break spaces": "a\u00a0b\u202fc",
    "line ends": "a\r\nb\rc\n\nd\u2028e\u2029f\u0085g",
    "unseen characters": "a\u200bb\u2060c" + "x" * 5_000,
    "every unseen character": "a\u200bb\u2060c\ufeffd" + "y" * 5_000,
    "one long line": LINE * 3_000,
    "one long word": "z" * 40_000,
    "many lines": (LINE + "\n") * 3_000,
    "long lines": (LINE * 100 + "\n") * 40,
    "beyond 16 bits": "\U0001f600" * 9_000 + "end",
    "noncharacters": "a\ufdd0b\ufdd1c\uffffd",
    "a null": "a\0b",
    "a lone surrogate": "a\ud800b",
}


@pytest.fixture
def make(qapp: QApplication) -> Iterator[Callable[[str], GrowingText]]:
    made: list[GrowingText] = []

    def text(value: str) -> GrowingText:
        view = GrowingText(value)
        view.resize(600, 200)
        view.show()
        made.append(view)
        return view

    yield text
    for view in made:
        view.close()
        view.deleteLater()


async def whole(view: GrowingText) -> None:
    await until(lambda: not view.isReadOnly(), "the whole text")


@pytest.mark.parametrize("name", TEXTS)
async def test_what_nobody_touched_is_what_was_put_there(make: Callable[[str], GrowingText], name: str) -> None:
    view = make(TEXTS[name])
    assert view.text() == TEXTS[name], "while it comes"
    await whole(view)
    assert view.text() == TEXTS[name]


@pytest.mark.parametrize("name", ["no-break spaces", "one long line", "one long word", "many lines", "beyond 16 bits"])
async def test_what_is_typed_changes_nothing_else(make: Callable[[str], GrowingText], name: str) -> None:
    view = make(TEXTS[name])
    await whole(view)
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_X)
    assert view.text() == TEXTS[name] + "x"
    view.undo()
    assert view.text() == TEXTS[name]


async def test_what_is_copied_has_no_seams(make: Callable[[str], GrowingText]) -> None:
    view = make(TEXTS["one long line"])
    await whole(view)
    view.selectAll()
    view.copy()
    assert QGuiApplication.clipboard().text() == TEXTS["one long line"]


async def test_nothing_is_told_of_a_text_while_it_comes(make: Callable[[str], GrowingText]) -> None:
    view = make(TEXTS["many lines"])
    told: list[str] = []
    view.edited.connect(lambda: told.append(view.text()))
    assert view.isReadOnly(), "it comes bit by bit"
    await whole(view)
    assert told == [TEXTS["many lines"]]
    view.setReadOnly(True)
    view.show_text(TEXTS["many lines"])
    await until(lambda: len(told) == 2, "the whole text")
    assert view.isReadOnly(), "as it was told to be"


async def test_another_text_takes_the_place_of_one_that_still_comes(make: Callable[[str], GrowingText]) -> None:
    view = make(TEXTS["many lines"])
    height = view.height()
    view.show_text("short")
    assert view.text() == "short"
    assert not view.isReadOnly()
    assert view.height() < height, "a long text has its height from the start"
    QTest.keyClick(view, Qt.Key.Key_X)
    view.undo()
    assert view.text() == "short"


async def test_an_answer_that_streams_without_a_line_end_stays_quick(make: Callable[[str], GrowingText]) -> None:
    view = make("")
    for _ in range(400):
        view.append_text(LINE)
    assert view.text() == LINE * 400
    assert max(view.document().findBlockByNumber(n).length() for n in range(view.document().blockCount())) < 3_000


def marked(view: GrowingText) -> list[str]:
    return [one.cursor.selectedText() for one in view.extraSelections()]


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    filler=st.lists(
        st.sampled_from(["a", "\U0001f600", "\n", "word " * 700, "w" * 2_500, "\u00a0"]), min_size=0, max_size=8
    ),
    count=st.integers(1, 5),
)
async def test_marks_are_where_they_belong(make: Callable[[str], GrowingText], filler: list[str], count: int) -> None:
    secret = "SECRET"
    text = secret.join(["".join(filler)] * (count + 1))
    view = make(text)
    await whole(view)
    counted = view.counted()
    places: list[tuple[int, int]] = []
    start = counted.find(secret)
    while start >= 0:
        places.append((start, start + len(secret)))
        start = counted.find(secret, start + 1)
    assert len(places) == count
    view.mark(places)
    assert [one.replace("\u200b\u2029", "") for one in marked(view)] == [secret] * count


async def test_replacing_a_long_text_can_be_undone(make: Callable[[str], GrowingText]) -> None:
    view = make(TEXTS["one long line"])
    await whole(view)
    view.replace_all(TEXTS["one long word"])
    assert view.text() == TEXTS["one long word"]
    view.undo()
    assert view.text() == TEXTS["one long line"]
