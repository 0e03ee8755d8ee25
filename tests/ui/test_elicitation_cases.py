"""Forms on which other hosts stumbled, at the windows: what the person does, and the exact bytes the server gets."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QRadioButton, QWidget

from desktop_host.ui.asks.form_window import FormWindow
from tests.support.windows import all_of, button, choose, find, gone, holds, press, shown, type_into, until
from tests.ui.screen import Json
from tests.ui.stage import Script, Stage, wire

pytestmark = pytest.mark.asyncio(loop_scope="module")
FOLDER = Path(__file__).parents[1] / "cases" / "elicitation"
CASES: dict[str, Json] = {
    case["id"]: case
    for name in ("forms", "peers_forms")
    for case in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["cases"]
}
# Steps by number; those left out need what no window offers, like a label that is not there.
CHOSEN = {
    "E02": [0, 1, 2, 3],
    "E12": [0, 1],
    "E13": [0, 1, 2, 3],
    "E14": [0, 5, 6, 7],
    "E15": [1, 5],
    "E16": [0, 1],
    "E19": [0, 1],
    "E22": [0, 2, 3],
    "E27": [0, 1, 2, 3],
    "E33": [0],
    "F01": [0, 1, 2],
    "F02": [0],
    "F03": [0, 1],
    "F07": [0, 1],
    "F09": [0, 1, 2],
    "F11b": [0, 1, 2, 3],
    "F14": [0, 1],
    "F19b": [0, 3, 9],
    "F20": [0, 1, 2],
    "F20c": [1, 2],
    "F24": [0],
    "F25b": [1],
}
STEPS = [(name, number) for name, numbers in CHOSEN.items() for number in numbers]
script = Script(hurried=True)
TOOLS = {
    name: script.tool({"ask": {"method": "elicitation/create", "params": CASES[name]["params"]}}) for name in CHOSEN
}


def enter(row: QWidget, entry: Any) -> None:
    """Enter something into a field as a person does."""
    if isinstance(entry, list):
        for box in all_of(row, QCheckBox):
            if (box.text() in entry) != box.isChecked():
                press(box)
    elif isinstance(entry, bool) and (boxes := all_of(row, QCheckBox)):
        if boxes[0].isChecked() != entry:
            press(boxes[0])
    elif combos := all_of(row, QComboBox):
        choose(combos[0], entry or "(empty)")
    elif lines := [*all_of(row, QLineEdit), *all_of(row, QPlainTextEdit)]:
        type_into(lines[0], entry)
    else:
        words = {True: "Yes", False: "No"}.get(entry, entry)
        press(find(row, QRadioButton, words))


def clear(row: QWidget) -> None:
    """Take an answer back as a person does."""
    if combos := all_of(row, QComboBox):
        choose(combos[0], "No answer")
    elif lines := [*all_of(row, QLineEdit), *all_of(row, QPlainTextEdit)]:
        type_into(lines[0], "")
    elif all_of(row, QCheckBox):
        enter(row, [])
    elif all_of(row, QAbstractButton, "Take the answer back"):
        press(button(row, "Take the answer back"))
    else:
        assert not [one for one in all_of(row, QRadioButton) if one.isChecked()]


def filled_in(window: FormWindow, step: Json) -> None:
    for name, entry in step["enter"].items():
        enter(window.form.rows[name], entry)
    for name in step.get("clear", ()):
        clear(window.form.rows[name])


@pytest.mark.parametrize(("name", "number"), STEPS, ids=[f"{name} step {number}" for name, number in STEPS])
async def test_a_step_of_a_published_case(stage: Stage, name: str, number: int) -> None:
    era = "modern" if number % 2 else "handshake"
    step = CASES[name]["steps"][number]
    _, window, received = await stage.run(era, TOOLS[name], FormWindow)
    filled_in(window, step)
    await stage.screen.affirm(window)
    if "sent" in step["expect"]:
        answer = {"action": "accept", "content": step["expect"]["sent"]}
        assert await received.reply() == wire(era, json.dumps(answer, separators=(",", ":"), ensure_ascii=False))
        await until(lambda: gone(window), "the window to close")
        return
    await until(lambda: "to correct" in shown(window), "the bar to count what is wrong")
    assert set(window.form.shown_errors()) == set(step["expect"]["blocked"])
    await holds(lambda: not received.replies() and not gone(window), 0.1, "nothing is sent")
    press(button(window, "Cancel"))
    assert await received.reply() == wire(era, '{"action":"cancel"}')
