"""Objects that only hold each other: collected on the thread of the windows alone, as long as the program runs."""

import asyncio
import gc

from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication, QWidget

from desktop_host.ui.asks.form_window import FormWindow
from tests.support.windows import press, until
from tests.ui.screen import Screen, Start, open_screen
from tests.ui.stage import TEXT, form


class Ringed(QWidget):
    """A widget that only itself holds, and that notes whether it ends on the thread of the windows."""

    def __init__(self, ended: list[bool]) -> None:
        super().__init__()
        self.part = QWidget(self)
        self.part.owner = self
        self.ended = ended

    def __del__(self) -> None:
        application = QApplication.instance()
        self.ended.append(application is not None and QThread.currentThread() == application.thread())


class Ring:
    """The same without a widget."""

    def __init__(self) -> None:
        self.me = self


def rings() -> int:
    return sum(isinstance(one, Ring) for one in gc.get_objects())


async def test_widgets_in_rings_end_on_their_own_thread_while_the_engine_works(screen: Screen) -> None:
    ended: list[bool] = []
    working = True

    async def work() -> None:
        while working:
            await screen.program.bridge.ask(lambda engine: engine.models())
            await screen.program.bridge.ask(lambda engine: engine.kept())

    tasks = [asyncio.ensure_future(work()) for _ in range(4)]
    for _ in range(40):
        for _ in range(20):
            Ringed(ended)
        await asyncio.sleep(0.005)
    await until(lambda: len(ended) >= 600, f"rings to end, {len(ended)} of 800 did")
    working = False
    await asyncio.gather(*tasks)
    assert all(ended), "none ended on another thread"


async def test_objects_in_rings_do_not_pile_up(screen: Screen) -> None:
    for _ in range(8):
        for _ in range(5_000):
            Ring()
        await asyncio.sleep(0.06)
    assert rings() < 15_000, "somebody does the work of Python's own collector"


async def test_python_collects_nothing_by_itself_while_a_form_is_open(start: Start) -> None:
    screen, _ = await start({"tool": [{"ask": form(name=TEXT)}]})
    assert not gc.isenabled()
    panel = await screen.run("raw", "tool")
    window = await screen.ask(FormWindow)
    assert not gc.isenabled()
    press(window.decline)
    await screen.ended(panel)
    assert not gc.isenabled()


async def test_the_collector_is_given_back_when_the_program_ends(application: QApplication, folders: object) -> None:
    for _ in range(3):
        screen = await open_screen(application)
        assert not gc.isenabled()
        await screen.close()
        assert gc.isenabled()
