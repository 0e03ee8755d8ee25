"""The tabs Resources, Prompts and Console of a server: scripted servers that do odd things, and the reference server."""

import asyncio
import base64
import json
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from desktop_host.ui.pages.server_view import ServerView
from tests.support.third_party import stdio_entry
from tests.support.windows import (
    all_of,
    button,
    find,
    holds,
    markup_in,
    press,
    shown,
    type_into,
    until,
    write_into,
)
from tests.ui.screen import SERVERS, Json, Received, Screen, open_screen, write_servers

ERAS = ("handshake", "modern")
CAPABILITIES: Json = {
    "resources": {"subscribe": True, "listChanged": True},
    "prompts": {"listChanged": True},
}
ONE, TWO = {"uri": "x://1", "name": "one"}, {"uri": "x://2", "name": "two"}
HOSTILE = "safe\u202egpj.exe\u200b <b>bold</b><img src='http://h.example/a.png'>\x07"
VISIBLE = ("‹U+202E›gpj.exe", "<b>bold</b>", "<img src=")


@dataclass
class Shown:
    """A server in the window. `wire`: what it received."""

    screen: Screen
    view: ServerView
    wire: Received

    async def tab(self, name: str) -> QWidget:
        """Go to a tab."""
        self.view.show_tab(name)
        part = {"resources": self.view.resources, "prompts": self.view.prompts}.get(name, self.view)
        await until(part.isVisible, f"the tab {name}")
        return part

    async def choose(self, number: int) -> QWidget:
        """Go to the tab of resources and choose one."""
        tab = await self.tab("resources")
        await until(lambda: self.view.resources.list.count() > number, "its resources")
        self.view.resources.list.setCurrentRow(number)
        await until(lambda: all_of(tab, QAbstractButton, "Read"), "the button", 3)
        return tab

    async def read(self, number: int, text: str) -> QWidget:
        """Choose a resource, press Read and wait for a text."""
        tab = await self.choose(number)
        press(button(tab, "Read"))
        await until(lambda: text in shown(tab), text)
        return tab

    async def become(self, **wanted: Any) -> None:
        """See `tests/servers/offering.py`."""
        await self.screen.program.bridge.ask(lambda engine: engine.host.call("server", "become", wanted))


@pytest.fixture
async def opened(application: QApplication, folders: Path) -> AsyncIterator[Callable[..., Any]]:
    """The program with a scripted server, or that of an entry, in its window."""
    screens: list[Screen] = []

    async def begin(era: str = "handshake", argv: list[str] | None = None, **script: Any) -> Shown:
        path, log = folders / "script.json", folders / "log"
        path.write_text(json.dumps({"capabilities": CAPABILITIES, **script}), encoding="utf-8")
        own = [sys.executable, str(SERVERS / "offering.py"), "--era", era, "--log", str(log), "--script", str(path)]
        command, *args = argv or own
        entry = {"command": command, "args": args, "desktopHost": {"era": era}}
        write_servers({"server": entry}, approved=["server"])
        screen = await open_screen(application)
        screens.append(screen)
        await screen.server("server")
        screen.window.servers.select("server")
        view = screen.window.servers.view("server")
        await until(lambda: view.prompts.list.count() > 0 or view.resources.list.count() > 0, "what it offers")
        return Shown(screen, view, Received(log))

    yield begin
    for one in screens:
        await one.close()


def answers(*resources: Any, **more: Any) -> Json:
    """Listings of these resources and of a prompt, and other answers by method."""
    return {
        "resources/list": [{"result": {"resources": list(resources)}}],
        "prompts/list": [{"result": {"prompts": [{"name": "last"}]}}],
        "resources/subscribe": [{"result": {}}],
        "resources/unsubscribe": [{"result": {}}],
        **more,
    }


def texts(**by_name: str) -> Json:
    """Answers to readings: texts by the last part of the address, "_1" for "x://1"."""
    return {
        "resources/read": [
            {"when": {"uri": f"x://{name[1:]}"}, "result": {"contents": [{"uri": f"x://{name[1:]}", "text": text}]}}
            for name, text in by_name.items()
        ]
    }


def updated(uri: str) -> list[Any]:
    return ["notifications/resources/updated", {"uri": uri}]


def list_changed(what: str) -> list[Any]:
    return [f"notifications/{what}/list_changed", {}]


def names_in(tab: Any) -> list[str]:
    return [tab.list.item(number).text() for number in range(tab.list.count())]


def tabs_of(one: Shown) -> list[str]:
    bar = find(one.view, QTabBar)
    return [bar.tabText(number) for number in range(bar.count())]


async def followed(one: Shown, uri: str) -> None:
    """Wait until the server knows that a resource is followed."""
    await one.wire.holds("resources/subscribe" if one.wire.sent("initialize") else "resourceSubscriptions")
    assert uri in b"\n".join(one.wire.lines()).decode()


# hostile and odd entries


async def test_hostile_words_are_shown_visibly_and_as_plain_text(opened: Callable[..., Any]) -> None:
    words = {"title": HOSTILE, "description": HOSTILE}
    contents = [{"uri": HOSTILE, "mimeType": HOSTILE, "text": HOSTILE}]
    prompts = [{"name": "p", **words, "arguments": [{"name": HOSTILE, "description": HOSTILE, "required": True}]}]
    messages = [{"role": HOSTILE, "content": {"type": "text", "text": HOSTILE}}]
    one = await opened(
        answers={
            **answers({"uri": f"x://1/{HOSTILE}", "name": "n", "mimeType": HOSTILE, **words}),
            "resources/read": [{"result": {"contents": contents}}],
            "prompts/list": [{"result": {"prompts": prompts}}],
            "prompts/get": [
                {"when": {"arguments": {}}, "error": {"code": 1, "message": "unused"}},
                {"when": {"arguments": {HOSTILE: "x"}}, "result": {"messages": messages}},
                {"error": {"code": -32602, "message": HOSTILE}},
            ],
        }
    )
    tab = await one.choose(0)
    [name] = names_in(one.view.resources)
    press(button(tab, "Read"))
    await until(lambda: "Save as…" in shown(tab), "the text")
    await asyncio.sleep(0.05)
    for text in (name, shown(tab)):
        assert all(part in text for part in VISIBLE)
        assert not set(text) & set("\u202e\x07")
    assert shown(tab).count("‹U+202E›") >= 5
    assert markup_in(tab) == []

    tab = await one.tab("prompts")
    press(button(tab, "Get the prompt"))
    await until(lambda: "Fill in safe‹U+202E›gpj.exe" in shown(tab), "what is missing")
    line = next(one for one in all_of(tab, QLineEdit) if "gpj" in one.accessibleName())
    for typed, there in (("x", "Save"), ("y", "-32602")):
        type_into(line, typed)
        press(button(tab, "Get the prompt"))
        await until(lambda there=there: there == "Save" or there in shown(tab), "the answer")
        await until(button(tab, "Get the prompt").isEnabled, "the end")
        await asyncio.sleep(0.05)
        assert shown(tab).count("‹U+202E›") >= 5
        assert not set(shown(tab)) & set("\u202e\x07")
        assert markup_in(tab) == []


@pytest.mark.parametrize(
    "odd",
    [
        {"uriTemplate": "x://{id:x}", "name": "bad prefix"},
        {"uriTemplate": "x://{id", "name": "not closed"},
        {"uriTemplate": "x://{a}", "name": "n", "description": None, "mimeType": 5},
        {"uri": "", "name": "nowhere"},
        {"uri": "x://large", "name": "large", "size": 10**400},
        {"uri": "x://less", "name": "less", "size": -1},
    ],
    ids=lambda one: one.get("uriTemplate") or one["uri"],
)
async def test_an_odd_entry_does_not_keep_the_others_from_being_shown(opened: Callable[..., Any], odd: Json) -> None:
    template = "uriTemplate" in odd
    one = await opened(
        answers={
            **answers(*([] if template else [odd]), *([] if template else [ONE])),
            "resources/templates/list": [{"result": {"resourceTemplates": [odd] if template else []}}],
            **texts(_1="first"),
        }
    )
    await until(lambda: one.view.prompts.list.count() == 1, "the prompts, which come after the resources")
    if template:
        await one.choose(0)
    else:
        await one.read(1, "first")


# reading


async def test_nothing_is_read_before_the_person_wants_it(opened: Callable[..., Any]) -> None:
    one = await opened(answers=answers(ONE, TWO, **texts(_1="first", _2="second")))
    for number in (0, 1, 0):
        await one.choose(number)
    await holds(lambda: not one.wire.sent("resources/read"), 0.2, "nothing is read")
    await one.read(1, "second")
    assert [message["params"]["uri"] for message in one.wire.sent("resources/read")] == ["x://2"]


async def test_a_template_is_expanded_with_spaces_and_letters_of_any_script(opened: Callable[..., Any]) -> None:
    templates = [{"uriTemplate": "x://{author}/{title}{?page}", "name": "book"}]
    read = [{"result": {"contents": [{"uri": "x://b", "text": "the book"}]}}]
    one = await opened(
        answers={
            **answers(),
            "resources/templates/list": [{"result": {"resourceTemplates": templates}}],
            "resources/read": read,
        }
    )
    tab = await one.choose(0)
    assert all_of(tab, QCheckBox, "Follow changes") == []
    write_into(find(tab, QLineEdit, "author"), "Émile Zola & 村上")
    write_into(find(tab, QLineEdit, "title"), "a/b?c#d %20")
    press(button(tab, "Read"))
    await until(lambda: "the book" in shown(tab), "the text")
    write_into(find(tab, QLineEdit, "page"), "1=2")
    press(button(tab, "Read"))
    await until(lambda: len(one.wire.sent("resources/read")) == 2, "the second reading")
    expanded = "x://%C3%89mile%20Zola%20%26%20%E6%9D%91%E4%B8%8A/a%2Fb%3Fc%23d%20%2520"
    uris = [message["params"]["uri"] for message in one.wire.sent("resources/read")]
    assert uris == [expanded, f"{expanded}?page=1%3D2"]


@pytest.mark.parametrize(("era", "code"), [("handshake", -32002), ("modern", -32602)])
async def test_why_a_resource_was_not_read_is_told(opened: Callable[..., Any], era: str, code: int) -> None:
    gone = {"error": {"code": code, "message": "Resource not found"}}
    one = await opened(era, answers=answers(ONE, **{"resources/read": [gone]}))
    tab = await one.read(0, "Nothing came")
    assert f"The server answered with error {code}: Resource not found" in shown(tab)
    await one.become(answers=texts(_1="here again"))
    await one.read(0, "here again")
    assert "Nothing came" not in shown(tab)


@pytest.mark.parametrize("content", [b"\x00", bytes(range(256))], ids=len)
async def test_bytes_are_saved_exactly_and_their_size_is_told(
    opened: Callable[..., Any], application: QApplication, tmp_path: Path, content: bytes
) -> None:
    blob = {"uri": "x://1", "mimeType": "application/zip", "blob": base64.b64encode(content).decode()}
    one = await opened(answers=answers(ONE, **{"resources/read": [{"result": {"contents": [blob]}}]}))
    tab = await one.read(0, "application/zip")
    await until(lambda: all_of(tab, QAbstractButton, "Save as…"), "the button")
    press(button(tab, "Save as…"))
    dialog = await until(lambda: next(iter(one.screen.window.findChildren(QFileDialog)), None), "the dialog")
    path = tmp_path / "saved.zip"
    dialog.fileSelected.emit(str(path))
    dialog.close()
    await until(lambda: "Saved." in shown(tab), "the word")
    assert path.read_bytes() == content
    assert f"\n{len(content)} bytes\n" in shown(tab)


async def test_contents_without_sense_are_shown_as_far_as_they_have_any(opened: Callable[..., Any]) -> None:
    contents = [None, 5, {}, {"uri": 5, "text": 5}, {"uri": "x://1", "blob": "?"}, {"uri": "x://1", "text": "good"}]
    one = await opened(answers=answers(ONE, **{"resources/read": [{"result": {"contents": contents}}]}))
    tab = await one.read(0, "good")
    for nothing in ({"contents": []}, {"contents": "x"}, {}):
        await one.become(answers={"resources/read": [{"result": nothing}]})
        press(button(tab, "Read"))
        await until(lambda: "It is empty." in shown(tab) and button(tab, "Read").isEnabled(), "the word")


# changes


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_followed_is_read_again_once_when_it_changed(opened: Callable[..., Any], era: str) -> None:
    one = await opened(era, answers=answers(ONE, TWO, **texts(_1="before")))
    tab = await one.choose(0)
    press(find(tab, QCheckBox, "Follow changes"))
    await until(lambda: "before" in shown(tab), "the text")
    await followed(one, "x://1")
    await one.become(answers=texts(_1="after"), tell=[updated("x://1")])
    await until(lambda: "after" in shown(tab), "the change")
    await asyncio.sleep(0.2)
    assert len(one.wire.sent("resources/read")) == 2
    press(find(tab, QCheckBox, "Follow changes"))
    await asyncio.sleep(0.1)
    await one.become(answers=texts(_1="later"), tell=[updated("x://1")])
    await holds(lambda: "later" not in shown(tab), 0.3, "it is followed no longer")


async def test_choosing_another_resource_reads_nothing_after_a_change(opened: Callable[..., Any]) -> None:
    one = await opened(answers=answers(ONE, TWO, **texts(_1="before")))
    tab = await one.choose(0)
    press(find(tab, QCheckBox, "Follow changes"))
    await until(lambda: "before" in shown(tab), "the text")
    await one.become(answers=texts(_1="after"), tell=[updated("x://1")])
    await until(lambda: "after" in shown(tab), "the change")
    await one.choose(1)
    one.wire.forget()
    await one.become(tell=[updated("x://1")])
    await asyncio.sleep(0.3)
    assert "" not in [message["params"]["uri"] for message in one.wire.sent("resources/read")]
    assert "Nothing came" not in shown(tab)


@pytest.mark.parametrize("era", ERAS)
async def test_a_resource_stays_followed_and_shown_when_the_list_changed(opened: Callable[..., Any], era: str) -> None:
    one = await opened(era, answers=answers(ONE, **texts(_1="before")))
    tab = await one.choose(0)
    press(find(tab, QCheckBox, "Follow changes"))
    await until(lambda: "before" in shown(tab), "the text")
    await followed(one, "x://1")
    await one.become(answers=answers(TWO, ONE) | texts(_1="before"), tell=[list_changed("resources")])
    await until(lambda: names_in(one.view.resources) == ["two", "one"], "the new list")
    await asyncio.sleep(0.05)
    assert one.view.resources.list.currentRow() == 1
    assert "before" in shown(tab), "what was read is still there"
    assert find(tab, QCheckBox, "Follow changes").isChecked()
    await one.become(answers=texts(_1="after"), tell=[updated("x://1")])
    await until(lambda: "after" in shown(tab), "the change", 2)


async def test_a_changed_list_of_prompts_leaves_what_was_typed(opened: Callable[..., Any]) -> None:
    prompt = {"name": "ask", "arguments": [{"name": "topic"}]}
    one = await opened(answers=answers(**{"prompts/list": [{"result": {"prompts": [prompt]}}]}))
    tab = await one.tab("prompts")
    type_into(find(tab, QLineEdit, "topic"), "birds")
    await one.become(
        answers={"prompts/list": [{"result": {"prompts": [prompt, {"name": "new"}]}}]}, tell=[list_changed("prompts")]
    )
    await until(lambda: names_in(one.view.prompts) == ["ask", "new"], "the new list")
    await asyncio.sleep(0.05)
    assert find(tab, QLineEdit, "topic").text() == "birds"


@pytest.mark.parametrize("era", ERAS)
async def test_changed_lists_change_the_tabs(opened: Callable[..., Any], era: str) -> None:
    one = await opened(era, answers=answers())
    if era == "modern":
        await one.wire.holds("subscriptions/listen")
    assert [text for text in tabs_of(one) if "Resources" in text or "Prompts" in text] == ["Prompts  1"]
    tell = [list_changed("resources"), list_changed("prompts")]
    await one.become(answers=answers(ONE, TWO) | {"prompts/list": [{"result": {"prompts": []}}]}, tell=tell)
    await until(lambda: "Resources  2" in tabs_of(one), "the tab")
    assert not any("Prompts" in text for text in tabs_of(one))
    await one.tab("resources")
    await one.become(answers=answers(), tell=tell)
    await until(lambda: "Prompts  1" in tabs_of(one), "the tab")
    assert not any("Resources" in text for text in tabs_of(one))
    await until(lambda: not one.view.resources.isVisible(), "the tab to go")


async def test_a_refused_subscription_is_told_and_its_box_is_empty(opened: Callable[..., Any]) -> None:
    refusal = {"error": {"code": -32602, "message": "Not to be followed"}}
    one = await opened(answers=answers(ONE, **texts(_1="first"), **{"resources/subscribe": [refusal]}))
    tab = await one.choose(0)
    press(find(tab, QCheckBox, "Follow changes"))
    await one.wire.holds("resources/subscribe")
    await asyncio.sleep(0.3)
    assert "Not to be followed" in shown(tab)
    assert not find(tab, QCheckBox, "Follow changes").isChecked()


async def test_after_a_restart_the_box_says_what_is_followed(opened: Callable[..., Any]) -> None:
    one = await opened(answers=answers(ONE, **texts(_1="first")))
    tab = await one.choose(0)
    press(find(tab, QCheckBox, "Follow changes"))
    await until(lambda: "first" in shown(tab), "the text")
    one.wire.forget()
    press(button(one.view, "Restart"))
    await until(lambda: one.wire.sent("prompts/list"), "the second start")
    await until(lambda: all_of(one.view, QTabBar) and "Resources  1" in "".join(tabs_of(one)), "the tab")
    await one.choose(0)
    await asyncio.sleep(0.2)
    is_followed = bool(one.wire.sent("resources/subscribe"))
    assert find(tab, QCheckBox, "Follow changes").isChecked() == is_followed


# prompts


async def test_a_prompt_without_what_it_needs_is_not_asked_for(opened: Callable[..., Any]) -> None:
    needed = [{"name": "a", "title": "First", "required": True}, {"name": "b"}, {"name": "c", "required": True}]
    one = await opened(
        answers=answers(
            **{
                "prompts/list": [{"result": {"prompts": [{"name": "p", "arguments": needed}]}}],
                "prompts/get": [
                    {"result": {"messages": [{"role": "user", "content": {"type": "text", "text": "yes"}}]}}
                ],
            }
        )
    )
    tab = await one.tab("prompts")
    press(button(tab, "Get the prompt"))
    await until(lambda: "Fill in First, c." in shown(tab), "both names")
    type_into(find(tab, QLineEdit, "First"), "1")
    press(button(tab, "Get the prompt"))
    await until(lambda: "Fill in c." in shown(tab), "the other name")
    assert one.wire.sent("prompts/get") == []
    type_into(find(tab, QLineEdit, "c"), "3")
    press(button(tab, "Get the prompt"))
    await until(lambda: "yes" in shown(tab), "the prompt")
    assert "Fill in" not in shown(tab)
    [sent] = one.wire.sent("prompts/get")
    assert sent["params"]["arguments"] == {"a": "1", "c": "3"}


async def test_an_argument_is_completed_after_a_pause(opened: Callable[..., Any]) -> None:
    prompt = {"name": "p", "arguments": [{"name": "city"}, {"name": "land"}]}
    one = await opened(
        capabilities={**CAPABILITIES, "completions": {}},
        answers=answers(
            **{
                "prompts/list": [{"result": {"prompts": [prompt]}}],
                "completion/complete": [{"result": {"completion": {"values": ["Köln", "Kö\u202eben"]}}}],
            }
        ),
    )
    tab = await one.tab("prompts")
    type_into(find(tab, QLineEdit, "land"), "DE")
    line = find(tab, QLineEdit, "city")
    type_into(line, "K")
    await until(lambda: line.completer().completionModel().rowCount() == 2, "the values")
    model = line.completer().completionModel()
    assert [model.index(row, 0).data() for row in range(2)] == ["Köln", "Kö‹U+202E›ben"]
    last = one.wire.sent("completion/complete")[-1]["params"]
    assert last["argument"] == {"name": "city", "value": "K"}
    assert last["context"] == {"arguments": {"land": "DE"}}
    line.completer().popup().hide()


# the console


async def test_the_console_shows_filters_and_counts(opened: Callable[..., Any]) -> None:
    lines = "loading\nWARNING \u202e\x1b[31mred\nready <b>now</b>\n"
    one = await opened(answers=answers(ONE), stderr=lines, children=2)
    view = await one.tab("console")
    text = find(view, QPlainTextEdit, "Console")
    await until(lambda: "3 processes" in shown(view), "its processes")
    assert text.toPlainText() == "loading\nWARNING ‹U+202E›‹U+001B›[31mred\nready <b>now</b>"
    type_into(find(view, QLineEdit, "Search what it wrote"), "warn")
    assert text.toPlainText() == "WARNING ‹U+202E›‹U+001B›[31mred"
    type_into(find(view, QLineEdit, "Search what it wrote"), "no such line")
    assert "loading" not in text.toPlainText()


async def test_the_console_does_not_say_that_nothing_was_written_where_nothing_was_found(
    opened: Callable[..., Any],
) -> None:
    one = await opened(answers=answers(ONE), stderr="loading\n")
    view = await one.tab("console")
    text = find(view, QPlainTextEdit, "Console")
    await until(lambda: text.toPlainText() == "loading", "its line")
    type_into(find(view, QLineEdit, "Search what it wrote"), "no such line")
    assert text.toPlainText() != "It wrote nothing.", "it did; nothing of it was looked for"


async def test_the_console_shows_line_ends_of_windows_as_line_ends(opened: Callable[..., Any]) -> None:
    one = await opened(answers=answers(ONE), stderr="loading\r\nready\r\n")
    text = find(await one.tab("console"), QPlainTextEdit, "Console")
    await until(lambda: "ready" in text.toPlainText(), "its lines")
    assert text.toPlainText() == "loading\nready"


# a server as others write them


async def test_the_reference_server_is_seen_in_its_tabs(opened: Callable[..., Any]) -> None:
    entry = stdio_entry("everything")
    one = await opened("auto", [entry.command, *entry.args])
    tab = await one.choose(0)
    press(button(tab, "Read"))
    await until(lambda: "Save as…" in shown(tab), "what it holds")
    find(tab, QCheckBox, "Follow changes")
    tab = await one.tab("prompts")
    prompts = one.screen.servers["server"].prompts
    number = next(i for i, prompt in enumerate(prompts) if any(argument.required for argument in prompt.arguments))
    one.view.prompts.list.setCurrentRow(number)
    await until(lambda: all_of(tab, QAbstractButton, "Get the prompt"), "the button")
    needed = [argument for argument in prompts[number].arguments if argument.required]
    press(button(tab, "Get the prompt"))
    await until(lambda: f"Fill in {needed[0].title}" in shown(tab), "what is missing")
    for argument in needed:
        type_into(find(tab, QLineEdit, argument.title), "Tokyo")
    press(button(tab, "Get the prompt"))
    await until(lambda: "\nYou\n" in shown(tab), "the prompt")
    assert "Tokyo" in shown(tab).partition("\nYou\n")[2]
    view = await one.tab("console")
    await until(lambda: "Starting" in find(view, QPlainTextEdit, "Console").toPlainText(), "its lines")
    await until(lambda: " MB" in shown(view), "what it takes")
