"""The program's entry: windows without a subcommand, a terminal with one, and our own child processes."""

import sys


def main() -> None:
    """Run what the arguments name. Imports are as late as can be: the first paint waits for them."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["__checker"]:
        from desktop_host.checking.worker import main as checker

        checker()
    elif arguments[:1] == ["__demo"]:
        from importlib import import_module

        import_module("desktop_host.demo.server").main(arguments[1:])
    elif arguments[:1] == ["__model"]:
        from desktop_host.sampling.models.practice_server import main as model

        model()
    elif arguments[:1] == ["__watchdog"]:
        from desktop_host.servers.watchdog import main as watchdog

        watchdog()
    elif arguments[:1] == ["__picture"]:
        from desktop_host.app import picture

        sys.exit(picture(arguments[1]))
    elif arguments and arguments != ["demo"] and not arguments[0].startswith("desktop-host:"):
        from desktop_host.cli.main import main as cli

        sys.exit(cli(arguments))
    else:
        from desktop_host.cli.display import can_show_windows

        if not can_show_windows():
            from desktop_host.cli.main import main as cli

            sys.exit(cli(arguments))
        from desktop_host.app import main as app

        link = arguments[0] if arguments[:1] != ["demo"] and arguments else ""
        sys.exit(app(demo=arguments == ["demo"], link=link))


if __name__ == "__main__":
    main()
