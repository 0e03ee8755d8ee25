"""Requests to a language model, and folders: reviewed and answered at the windows."""

import asyncio

import pytest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QToolButton,
)

from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.asks.sampling_window import SamplingWindow
from tests.support.windows import (
    all_of,
    button,
    choose,
    find,
    gone,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.screen import answer_field, by_hand
from tests.ui.stage import Script, Stage, sampling, wire

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)

# a language model

HELLO = script.tool({"ask": sampling("Say hello.", systemPrompt="Be kind.", maxTokens=50)})


async def write_answer(stage: Stage, window: SamplingWindow, text: str) -> None:
    """Approve the request as it is, to be answered by hand, and write its answer."""
    by_hand(window)
    assert "Chosen by you." in shown(window)
    await stage.screen.affirm(window)
    type_into(await answer_field(window), text)


@BOTH
async def test_an_answer_the_person_wrote_goes_to_the_server_as_theirs(stage: Stage, era: str) -> None:
    _, window, received = await stage.run(era, HELLO, SamplingWindow)
    suggested = "It comes with the program and works offline. It is very small and often wrong."
    assert suggested in shown(window), "without any model set up"
    await write_answer(stage, window, "Hello <b>you</b>!")
    assert not received.replies()
    press(window.affirm)
    sent = (
        '{"role":"assistant","content":{"type":"text","text":"Hello <b>you</b>!"},"model":"you","stopReason":"endTurn"}'
    )
    assert await received.reply() == wire(era, sent)
    await until(lambda: gone(window), "the window to close")


@pytest.mark.parametrize("step", [1, 2])
async def test_a_model_request_is_declined_in_either_step(stage: Stage, step: int) -> None:
    _, window, received = await stage.run("handshake", HELLO, SamplingWindow)
    if step == 2:
        await write_answer(stage, window, "Never sent")
    press(window.decline)
    assert await received.reply() == b'{"code":-1,"message":"User rejected sampling request"}'
    assert b"Never sent" not in received.path.read_bytes()


async def test_a_modern_server_hears_nothing_of_a_declined_model_request(stage: Stage) -> None:
    panel, window, received = await stage.run("modern", HELLO, SamplingWindow)
    press(window.decline)
    assert "you declined one of its questions" in await stage.screen.ended(panel)
    assert len(received.lines()) == 1


async def test_giving_up_between_the_two_steps_is_not_lost(stage: Stage) -> None:
    """Run and close in one breath: nobody may be waiting for a reply, or step two may be on its way to the window."""
    for pause in (0, 0.002, 0.004, 0.006, 0.01, 0.02):
        panel, window, received = await stage.run("handshake", HELLO, SamplingWindow)
        by_hand(window)
        await stage.screen.affirm(window)
        await asyncio.sleep(pause)
        window.close()
        assert await received.reply() == (b'{"code":-1,"message":"User closed the sampling request without deciding"}')
        await stage.screen.ended(panel)
        await until(lambda: not stage.screen.window.inbox.waiting and not stage.screen.asks(), "all to be over")


PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
MESSAGES = script.tool(
    {
        "ask": sampling(
            "First question",
            {"role": "assistant", "content": {"type": "text", "text": "First answer"}},
            {"role": "user", "content": {"type": "image", "data": PICTURE, "mimeType": "image/png"}},
            systemPrompt="Be kind.",
        )
    }
)


async def test_messages_are_edited_restored_removed_and_added(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", MESSAGES, SamplingWindow)
    assert "2  Assistant" in shown(window)
    assert any(not one.pixmap().isNull() for one in all_of(window, QLabel, "Image")), "the picture is shown"
    first = find(window, QPlainTextEdit, "1 User")
    type_into(first, "Another question")
    assert "Edited" in shown(window)
    press(find(window, QToolButton, "Restore this message"))
    assert first.toPlainText() == "First question"
    assert "Edited" not in shown(window)
    prompt = find(window, QPlainTextEdit, "System prompt")
    press(button(window, "Leave out"))
    assert prompt.toPlainText() == ""
    press(button(window, "Restore the system prompt"))
    assert prompt.toPlainText() == "Be kind."
    press(all_of(window, QToolButton, "Remove this message")[1])
    assert "First answer" not in shown(window)
    press(button(window, "Add a message"))
    await until(lambda: "Added" in shown(window), "the new message")
    for one in all_of(window, QToolButton, "Remove this message"):
        press(one)
    assert not window.affirm.isEnabled(), "a request without any message cannot be asked"


async def test_where_no_model_can_see_the_pictures_of_a_request_the_person_is_suggested(stage: Stage) -> None:
    _, window, _ = await stage.run("modern", MESSAGES, SamplingWindow)
    assert find(window, QComboBox, "Model").currentText() == "You write the answer"
    assert "None of your models can do this, so you write the answer." in shown(window)
    assert "Cannot be passed on" not in shown(window)
    choose(find(window, QComboBox, "Model"), "Practice model (very small, often wrong)")
    await until(lambda: "This model cannot see images." in shown(window), "why it is not suggested")


async def test_messages_have_numbers_of_their_own_whatever_was_removed(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", MESSAGES, SamplingWindow)
    press(all_of(window, QToolButton, "Remove this message")[0])
    press(button(window, "Add a message"))
    await until(lambda: "Added" in shown(window), "the new message")
    names = [one.accessibleName() for one in all_of(window, QPlainTextEdit) if one.accessibleName()[:1].isdigit()]
    assert len(names) == len(set(names)) == 3, names


# folders

ROOTS = script.tool({"ask": {"method": "roots/list"}})


@BOTH
async def test_only_ticked_folders_are_told(stage: Stage, era: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("roots")
    for number, name in enumerate(("Work & more", "Private"), 1):
        (folder / name).mkdir()
        stage.screen.window.workspace.add_folder(str(folder / name))
        await until(lambda count=number: len(stage.screen.roots) == count, "the folder to be known")
    try:
        _, window, received = await stage.run(era, ROOTS, RootsWindow)
        assert str(folder / "Private") in shown(window)
        assert "Work & more" in shown(window)
        assert not any(one.isChecked() for one in all_of(window, QCheckBox))
        press(all_of(window, QCheckBox)[0])
        await stage.screen.affirm(window)
        uri = (folder / "Work & more").as_uri()
        assert await received.reply() == wire(era, f'{{"roots":[{{"uri":"{uri}","name":"Work & more"}}]}}')
        assert b"Private" not in b"".join(received.lines())
    finally:
        for root in stage.screen.roots:
            await stage.screen.program.bridge.ask(lambda engine, uri=root.uri: engine.remove_root(uri))
        await until(lambda: not stage.screen.roots, "the folders to be gone")


async def test_declined_folders_are_an_error_without_any_name(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", ROOTS, RootsWindow)
    press(window.decline)
    assert await received.reply() == b'{"code":-32603,"message":"The user did not share any folders"}'
