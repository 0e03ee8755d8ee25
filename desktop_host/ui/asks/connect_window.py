"""A new or changed server wants to start."""

import json
from typing import Any, cast

from PySide6.QtWidgets import QGridLayout

from desktop_host.asks.person import Action, ConnectQuestion, Reply
from desktop_host.ui.asks.frame import AskWindow, server_name
from desktop_host.ui.text import tr
from desktop_host.ui.widgets.basics import exact_text, label


class ConnectWindow(AskWindow):
    """Shows the whole command or address: nothing of it is cut (SEC-01)."""

    height_ = 480

    def __init__(self, question: ConnectQuestion) -> None:
        params = question.ask.params
        title = (
            tr("{server} starts another program than before")
            if params.get("before")
            else tr("{server} wants to start for the first time")
        )
        super().__init__(question, title.format(server=server_name(question)))
        local = "command" in params
        why = (
            tr("This runs a program on your computer with your rights. Allow it only if you know where it comes from.")
            if local
            else tr("Desktop Host connects to this address. What you send to its tools goes there.")
        )
        self.body.addWidget(label(why, "body", wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for line, (name, value) in enumerate(_facts(params)):
            grid.addWidget(label(name, "small", "muted"), line, 0)
            grid.addWidget(exact_text(value, "code"), line, 1)
        self.body.addLayout(grid)
        self.body.addStretch(1)
        self.set_affirmative(tr("Allow and start"))

    def affirmed(self) -> None:
        self.reply(Reply(Action.ACCEPT))


def _facts(params: dict[str, Any]) -> list[tuple[str, str]]:
    if "url" in params:
        headers = ", ".join(cast("list[str]", params["headers"]))
        return [(tr("Address"), params["url"]), *([(tr("Sends headers"), headers)] if headers else [])]
    arguments = " ".join(
        json.dumps(arg, ensure_ascii=False) if " " in arg or not arg else arg for arg in params["args"]
    )
    facts = [(tr("Command"), f"{params['command']} {arguments}".strip())]
    if params.get("program"):
        facts.append((tr("Program"), params["program"]))
    if params.get("before"):
        facts.append((tr("Program before"), params["before"]))
    if params["cwd"]:
        facts.append((tr("In folder"), params["cwd"]))
    if params["env"]:
        facts.append((tr("Gets variables"), ", ".join(params["env"])))
    return facts
