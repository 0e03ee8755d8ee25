"""The command line: what each subcommand takes."""

import argparse
from collections.abc import Sequence

from desktop_host import __version__


def main(arguments: Sequence[str]) -> int:
    """Parse and run; returns the exit code."""
    arguments = list(arguments)
    command: list[str] = []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, command = arguments[:cut], arguments[cut + 1 :]
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    # Before Python 3.12 a file that may be left out is not found behind an option.
    late = {"policy": "path", "servers": "word"}.get(options.command)
    if late is not None and not getattr(options, late) and len(rest) == 1 and (rest[0] == "-" or rest[0][:1] != "-"):
        setattr(options, late, rest[0])
        rest = []
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if options.command == "call":
        from desktop_host.cli.call import run

        return run(options, command)
    if options.command == "policy":
        from desktop_host.cli.policy import run as run_policy

        return run_policy(options)
    if options.command == "servers":
        from desktop_host.cli.servers import run as run_servers

        return run_servers(options, command)
    if options.command == "audit":
        from desktop_host.cli.audit import run as run_audit

        return run_audit(options)
    if options.command == "conformance":
        from desktop_host.cli.conformance import run_scenario

        return run_scenario(options.url)
    from desktop_host.cli.story import tell

    return tell(demo=options.command == "demo")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="desktop-host",
        description="A native desktop application in which a person meets their Model Context Protocol servers.",
        epilog="Without a command the window opens with your own servers.",
    )
    parser.add_argument("--version", action="version", version=f"desktop-host {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("demo", help="meet the bundled travel server, in windows or, without a display, here")
    call = commands.add_parser(
        "call",
        help="call one tool",
        usage="desktop-host call SERVER TOOL [options]\n       desktop-host call --tool TOOL [options] -- COMMAND ...",
    )
    call.add_argument(
        "words",
        nargs="*",
        metavar="SERVER TOOL",
        help="a name from servers.json, demo, demo-modern or a URL; a tool",
    )
    call.add_argument("--tool", help="the tool, where a command is given after --")
    call.add_argument("--args", default="{}", metavar="JSON", help="the tool's arguments, a JSON object")
    call.add_argument("--answers", metavar="FILE", help="answer asks from this file instead of prompts")
    call.add_argument("--config", metavar="FILE", help="another servers.json")
    call.add_argument("--era", choices=("auto", "handshake", "modern"), help="the protocol era to speak")
    call.add_argument("--root", action="append", default=[], metavar="DIR", help="a folder to offer to the server")
    servers = commands.add_parser(
        "servers",
        help="your servers: list them, check or import the file of any host, add and remove one",
        usage="desktop-host servers list | check FILE | import FILE | remove NAME  [--json]\n"
        "       desktop-host servers add NAME [--env KEY=VALUE] [--cwd DIR] -- COMMAND ...\n"
        "       desktop-host servers add NAME --url URL [--header KEY=VALUE] [--sse]",
    )
    servers.add_argument("what", choices=("list", "check", "import", "add", "remove"))
    servers.add_argument("word", nargs="?", default="", metavar="FILE | NAME", help="- reads standard input")
    servers.add_argument("--json", action="store_true", help="JSON on standard output")
    servers.add_argument("--config", default="", metavar="FILE", help="another servers.json than your own")
    servers.add_argument("--name", action="append", default=[], help="import: only this one; may be repeated")
    servers.add_argument("--move-secrets", action="store_true", help="import: keep plain-text secrets in the keyring")
    servers.add_argument("--url", default="", help="add: an address instead of a command")
    servers.add_argument("--sse", action="store_true", help="add: the address speaks HTTP+SSE")
    servers.add_argument("--env", action="append", default=[], metavar="KEY=VALUE", help="add: a variable")
    servers.add_argument("--header", action="append", default=[], metavar="KEY=VALUE", help="add: a header")
    servers.add_argument("--cwd", default="", metavar="DIR", help="add: the folder it starts in")
    audit = commands.add_parser("audit", help="what was asked and answered: prove it, export it, read it")
    audit.add_argument("what", choices=("verify", "export", "tail"))
    audit.add_argument("--file", help="another log than your own")
    audit.add_argument("--json", action="store_true", help="verify, tail: JSON")
    audit.add_argument("--expect", default="", metavar="HASH", help="verify: an entry must have this hash")
    audit.add_argument("--format", choices=("jsonl", "csv"), default="jsonl", help="export: lines of JSON, or a table")
    audit.add_argument("-n", type=int, default=20, metavar="COUNT", help="tail: how many entries")
    audit.add_argument("--follow", action="store_true", help="tail: go on with what is new")
    policy = commands.add_parser("policy", help="rules: check a file, explain a decision, replay the record, import")
    policy.add_argument("what", choices=("check", "explain", "simulate", "import"))
    policy.add_argument("path", nargs="?", default="", metavar="FILE", help="a policy; explain needs none")
    policy.add_argument("--managed", action="store_true", help="check: its owner and mode too")
    policy.add_argument("--json", action="store_true", help="JSON on standard output")
    policy.add_argument("--entry", type=int, default=0, metavar="N", help="explain: an ask by its entry in the record")
    policy.add_argument("--ask", default="", metavar="FACTS", help="explain: an ask by its facts, as JSON")
    policy.add_argument("--log", default="", metavar="FILE", help="explain, simulate: another record than your own")
    policy.add_argument("--from", dest="vendor", default="", metavar="PROGRAM", help="import: whose file it is")
    conformance = commands.add_parser("conformance", help="the client under test of the protocol's conformance suite")
    conformance.add_argument("url", metavar="URL")
    return parser
