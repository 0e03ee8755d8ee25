"""Every window of the program, one after another, for tests that look at all of them."""

import asyncio

from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QToolButton,
    QWidget,
)

from desktop_host.terms.state import ServerStatus
from desktop_host.ui.asks.connect_window import ConnectWindow
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.link_window import LinkWindow
from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.asks.sampling_window import SamplingWindow
from desktop_host.ui.inbox import InboxView
from desktop_host.ui.pages.add_server import AddServer
from desktop_host.ui.pages.models import ModelChoice
from tests.support.windows import all_of, button, find, press, shown, type_into, until, words_on
from tests.ui.screen import Json, Screen, by_hand

FIELDS = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name"},
        "word": {"type": "string", "title": "Password"},
        "long": {"type": "string", "title": "Story", "maxLength": 2000},
        "count": {"type": "integer", "title": "Travellers", "minimum": 1},
        "day": {"type": "string", "format": "date", "title": "Arrival"},
        "yes": {"type": "boolean", "title": "Member"},
        "box": {"type": "boolean", "title": "News", "description": "Send me news", "default": False},
        "few": {"type": "string", "title": "Size", "enum": ["S", "M", "L"], "default": "M"},
        "many": {"type": "string", "title": "Row", "enum": [f"Row {number}" for number in range(9)]},
        "several": {"type": "array", "title": "Days", "items": {"type": "string", "enum": ["Mon", "Tue"]}},
        "json": {"type": "object", "title": "Extra"},
    },
    "required": ["name"],
}
ROWS = {"content": [{"type": "text", "text": "x"}], "structuredContent": {"rows": [{"a": 1}, {"a": 2}]}}


def elicitation(**params: object) -> Json:
    """A request to the person."""
    return {"method": "elicitation/create", "params": {"message": "Please.", **params}}


CALLS: Json = {
    "form": [{"ask": elicitation(requestedSchema=FIELDS)}],
    "link": [{"ask": elicitation(mode="url", url="https://example.org/login", elicitationId="1")}, {"sleep": 60}],
    "model": [
        {
            "ask": {
                "method": "sampling/createMessage",
                "params": {
                    "messages": [{"role": "user", "content": {"type": "text", "text": "Hello"}}] * 2,
                    "systemPrompt": "Be kind.",
                    "maxTokens": 100,
                },
            }
        }
    ],
    "tools": [
        {
            "ask": {
                "method": "sampling/createMessage",
                "params": {
                    "messages": [
                        {"role": "user", "content": {"type": "text", "text": f"My key is sk-ant-{'Ab3d' * 8}"}},
                        {
                            "role": "assistant",
                            "content": {"type": "tool_use", "id": "a", "name": "look", "input": {"where": "here"}},
                        },
                        {
                            "role": "user",
                            "content": {
                                "type": "tool_result",
                                "toolUseId": "a",
                                "content": [{"type": "text", "text": "Nothing"}],
                            },
                        },
                    ],
                    "tools": [{"name": "look", "description": "Look around", "inputSchema": {"type": "object"}}],
                    "maxTokens": 10_000_000,
                },
            }
        }
    ],
    "roots": [{"ask": {"method": "roots/list"}}],
    "fields": [{"result": ROWS}],
    "rows": [{"result": ROWS}],
    "count": [{"progress": {"progress": 1, "total": 2}}, {"sleep": 60}],
}


class Tour:
    """Shows one window after another, as a person comes upon them."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    async def first_run(self) -> QWidget:
        for name in list(self.screen.servers):
            await self.screen.program.bridge.ask(lambda engine, which=name: engine.remove(which))
        await until(lambda: self.screen.window.servers.first_run.isVisible(), "the first page")
        return self.screen.window

    async def servers(self) -> QWidget:
        await self.screen.panel("raw", "fields")
        return self.screen.window

    async def failed(self) -> QWidget:
        await self.screen.server("broken", ServerStatus.FAILED)
        self.screen.window.servers.select("broken")
        await until(lambda: all_of(self.screen.window, QPlainTextEdit, "What it wrote last"), "the log")
        return self.screen.window

    async def json_arguments(self) -> QWidget:
        panel = await self.screen.panel("raw", "fields")
        press(button(panel, "JSON"))
        return self.screen.window

    async def progress(self) -> QWidget:
        panel = await self.screen.run("raw", "count")
        await until(lambda: any(words_on(one).startswith("Cancel") for one in all_of(panel, QAbstractButton)))
        return self.screen.window

    async def table(self) -> QWidget:
        await self.screen.ended(await self.screen.run("raw", "rows"))
        return self.screen.window

    async def text(self) -> QWidget:
        panel = await self.screen.run("raw", "rows")
        await self.screen.ended(panel)
        press(button(panel.result, "Text"))
        return self.screen.window

    async def json(self) -> QWidget:
        panel = await self.screen.run("raw", "rows")
        await self.screen.ended(panel)
        press(button(panel.result, "JSON"))
        return self.screen.window

    async def small(self) -> QWidget:
        await self.screen.panel("raw", "fields")
        self.screen.window.resize(960, 600)
        await until(lambda: all_of(self.screen.window, QComboBox, "Tools"), "the choice")
        return self.screen.window

    async def workspace(self) -> QWidget:
        press(find(self.screen.window, QToolButton, "Workspace"))
        self.screen.window.workspace.add_folder("/tmp")
        await until(lambda: all_of(self.screen.window.workspace, QAbstractButton, "raw"), "the folder")
        return self.screen.window

    async def settings(self) -> QWidget:
        press(find(self.screen.window, QToolButton, "Settings"))
        await until(lambda: "2 of 2 models offered" in shown(self.screen.window), "the provider")
        return self.screen.window

    async def models(self) -> QWidget:
        await self.settings()
        press(button(self.screen.window, "Models…"))
        windows = QApplication.topLevelWidgets
        return await until(lambda: next(one for one in windows() if isinstance(one, ModelChoice) and one.isVisible()))

    async def add(self) -> QWidget:
        self.screen.window.servers.add_server()
        window = await until(lambda: next(iter(all_of(self.screen.window, AddServer)), None), "the window")
        type_into(find(window, QLineEdit, "Command or address"), "x")
        return window

    async def remove(self) -> QWidget:
        await self.screen.panel("raw", "fields")
        more = find(self.screen.window, QToolButton, "More")
        next(one for one in more.menu().actions() if "Remove" in one.text()).trigger()
        return await until(lambda: next(iter(all_of(self.screen.window, QMessageBox)), None), "the question")

    async def connect(self) -> QWidget:
        await self.screen.server("new", ServerStatus.OFF)
        self.screen.program.bridge.send(lambda engine: engine.start("new"))
        return await self.screen.ask(ConnectWindow)

    async def form(self) -> QWidget:
        await self.screen.run("raw", "form")
        return await self.screen.ask(FormWindow)

    async def form_with_reason(self) -> QWidget:
        window = await self.form()
        assert isinstance(window, FormWindow)
        next(one for one in window.decline.menu().actions() if "reason" in one.text()).trigger()
        return window

    async def form_withdrawn(self) -> QWidget:
        window = await self.form()
        type_into(find(window, QLineEdit, "Name"), "Ada")
        self.screen.cancel(await self.screen.panel("raw", "form"))
        await until(lambda: all_of(window, QAbstractButton, "Copy what I typed"), "the window to say so")
        return window

    async def link(self) -> QWidget:
        await self.screen.run("raw", "link")
        return await self.screen.ask(LinkWindow)

    async def link_opened(self) -> QWidget:
        window = await self.link()
        await self.screen.affirm(window)
        await until(lambda: all_of(window, QAbstractButton, "Open again"), "the window to wait")
        return window

    async def request(self) -> QWidget:
        await self.screen.run("raw", "model")
        return await self.screen.ask(SamplingWindow)

    async def answer(self) -> QWidget:
        window = await self.request()
        assert isinstance(window, SamplingWindow)
        by_hand(window)
        await self.screen.affirm(window)
        await until(lambda: all_of(window, QPlainTextEdit, "Answer to the server"), "step two")
        await asyncio.sleep(0.1)
        return window

    async def request_with_tools(self) -> QWidget:
        await self.screen.run("raw", "tools")
        window = await self.screen.ask(SamplingWindow)
        await until(lambda: all_of(window, QAbstractButton, "Mask 1 secret"), "the secret to be seen")
        return window

    async def answer_with_tools(self) -> QWidget:
        window = await self.request_with_tools()
        assert isinstance(window, SamplingWindow)
        await self.screen.affirm(window)
        await until(lambda: all_of(window, QAbstractButton, "Take out the use of look"), "the answer")
        return window

    async def roots(self) -> QWidget:
        self.screen.window.workspace.add_folder("/tmp")
        await self.screen.run("raw", "roots")
        return await self.screen.ask(RootsWindow)

    async def inbox(self) -> QWidget:
        await self.form()
        await self.screen.run("raw", "link")
        await until(lambda: len(self.screen.window.inbox.waiting) == 2, "both asks")
        press(self.screen.window.bell)
        windows = QApplication.topLevelWidgets
        return await until(lambda: next(one for one in windows() if isinstance(one, InboxView) and one.isVisible()))


WINDOWS = [name for name in vars(Tour) if not name.startswith("_") and name != "first_run"] + ["first_run"]
