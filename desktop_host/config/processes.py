"""Our own child processes: started the same way from source, from a wheel and frozen."""

import sys

CHECKER = "__checker"
DEMO = "__demo"
MODEL = "__model"
PICTURE = "__picture"
WATCHDOG = "__watchdog"


def own_command(subcommand: str, *arguments: str) -> list[str]:
    """argv that runs a hidden subcommand of this program."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "desktop_host"]
    return [*program, subcommand, *arguments]
