"""Scripted servers on stage: one for each era, with the tools of a test module, and the requests they make."""

from dataclasses import dataclass
from typing import Any

from desktop_host.ui.pages.tool_panel import ToolPanel
from tests.ui.screen import Json, Received, Screen, WindowT

ERAS = ("handshake", "modern")
TEXT = {"type": "string", "title": "Name"}


class Script:
    """The tools of both scripted servers. `hurried`: the half second in which ask windows are deaf is cut short; that
    it is kept is tested elsewhere."""

    def __init__(self, *, hurried: bool = False) -> None:
        self.hurried = hurried
        self.calls: Json = {}
        self._details: Json = {}

    def tool(self, *steps: Json, **details: Any) -> str:
        """A tool that goes through these steps, with more about it by keyword; its name."""
        name = f"tool{len(self.calls) + 1}"
        self.calls[name], self._details[name] = list(steps), details
        return name

    def as_json(self) -> Json:
        """What `tests/servers/raw.py` takes."""
        tools = [{"name": name, "inputSchema": {"type": "object"}, **self._details[name]} for name in self.calls]
        return {"tools": tools, "calls": self.calls}


def form(*required: str, message: str = "Who are you?", **properties: Any) -> Json:
    """A request to fill in a form."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def link(url: str, message: str = "Please sign in.") -> Json:
    """A request to open a link."""
    params = {"mode": "url", "message": message, "url": url, "elicitationId": "link-1"}
    return {"method": "elicitation/create", "params": params}


def sampling(*messages: Any, **params: Any) -> Json:
    """A request to a language model."""
    turns = [one if isinstance(one, dict) else _user(one) for one in messages]
    return {"method": "sampling/createMessage", "params": {"messages": turns, "maxTokens": 100, **params}}


def _user(text: str) -> Json:
    return {"role": "user", "content": {"type": "text", "text": text}}


@dataclass
class Stage:
    """The program with a scripted server for each era, called "handshake" and "modern"."""

    screen: Screen
    wires: dict[str, Received]

    async def run(self, era: str, tool: str, kind: type[WindowT]) -> tuple[ToolPanel, WindowT, Received]:
        """Run a tool and wait for its window."""
        self.wires[era].forget()
        panel = await self.screen.run(era, tool)
        return panel, await self.screen.ask(kind, era), self.wires[era]


def wire(era: str, body: str, name: str = "ask1") -> bytes:
    """The bytes of an answer in an era."""
    return body.encode() if era == "handshake" else f'{{"{name}":{body}}}'.encode()
