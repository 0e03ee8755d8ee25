"""The real program, driven by lines: a test starts it as a process with a display, this clicks what the test says.

Says "link ADDRESS" when the demo asks to open a link; then each line on standard input is a step: "open", "continue".
Ends with "result TEXT".
"""

import asyncio
import sys

from desktop_host.app import Program, main
from desktop_host.ui.asks.link_window import LinkWindow
from tests.ui.screen import Screen

SERVER = "Travel planner online"


drivers: list[asyncio.Task[None]] = []
"""Kept from being collected."""


def say(word: str, text: str = "") -> None:
    """Tell the test."""
    sys.stdout.write(f"{word} {text}".strip() + "\n")
    sys.stdout.flush()


async def told() -> str:
    """The next step."""
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


async def drive(program: Program) -> None:
    """Connect the airline account."""
    screen = Screen(program)
    try:
        panel = await screen.run(SERVER, "connect_airline")
        window = await screen.ask(LinkWindow, SERVER)
        say("link", str(window.ask.params["url"]))
        while (step := await told()) in ("open", "continue"):
            await screen.affirm(window)
            say(f"pressed {step}", window.affirm.text())
            if step == "continue":
                break
        say("result", (await screen.ended(panel)).replace("\n", " / "))
    except BaseException as error:
        say("failed", repr(error))
        raise
    finally:
        program.window.close()


def ready(program: Program) -> None:
    """The loop is there but does not run yet."""
    drivers.append(asyncio.get_event_loop().create_task(drive(program)))


if __name__ == "__main__":
    sys.exit(main(demo=True, ready=ready))
