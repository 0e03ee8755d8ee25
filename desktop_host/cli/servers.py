"""`desktop-host servers list | check | import | add | remove`: the person's servers without a window."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desktop_host.cli.words import english, print_error
from desktop_host.config.files import FileProblem
from desktop_host.config.imports import Imported, Remark, read_import
from desktop_host.config.plain_secrets import moved_secrets, plain_secrets
from desktop_host.config.secrets import set_secret
from desktop_host.config.servers_file import (
    ServerEntry,
    add_server,
    default_path,
    read_servers,
    remove_server,
)
from desktop_host.policy.policies import Policies
from desktop_host.terms.messages import Message, say
from desktop_host.ui.visible import one_line

FINE, FINDINGS, UNUSABLE = 0, 1, 2


def run(options: argparse.Namespace, command: Sequence[str]) -> int:
    """Exit codes: 0 fine or done, 1 something was wrong with an entry, 2 nothing could be done."""
    own = Path(options.config) if options.config else default_path()
    try:
        match options.what:
            case "list":
                return _list(own, as_json=options.json)
            case "check":
                return _check(options.word, as_json=options.json)
            case "import":
                return _import(options, own)
            case "add":
                return _add(options, own, command)
            case _:
                return _remove(options, own)
    except FileProblem as problem:
        return _failed(problem.message, as_json=options.json)


def _list(own: Path, *, as_json: bool) -> int:
    found, offered = read_servers(own), Policies().offered()
    entries = {**offered.entries, **found.entries}
    if as_json:
        servers = {
            name: {**one.as_json(), "identity": one.identity, "removable": name in found.entries}
            for name, one in entries.items()
        }
        _print({"servers": servers, "errors": [english(one) for one in (*found.problems, *offered.problems)]})
    else:
        for name, one in entries.items():
            start = "" if one.auto_start else "  (does not start by itself)"
            print(f"{one_line(name)}  {one_line(one.identity)}{start}")
        if not entries:
            print(f"No servers in {own}.")
        for problem in (*found.problems, *offered.problems):
            print_error(english(problem))
    return FINDINGS if found.problems or offered.problems else FINE


def _check(path: str, *, as_json: bool) -> int:
    found = _read(path)
    if as_json:
        _print(_report(found))
    else:
        _show(path, found)
    return FINDINGS if found.errors else FINE


def _import(options: argparse.Namespace, own: Path) -> int:
    found = _read(options.word)
    known = read_servers(own).names
    wanted = {name: one for name, one in found.entries.items() if not options.name or name in options.name}
    skipped: dict[str, Message] = {
        name: say("import.not_there", name=name) for name in options.name if name not in found.entries
    }
    skipped |= {name: say("servers.name_taken", name=name) for name in wanted if name in known}
    moved = {name: moved_secrets(one) for name, one in wanted.items() if name not in known}
    added = {name: entry if options.move_secrets else wanted[name] for name, (entry, _) in moved.items()}
    if options.move_secrets:  # first, so that without a keyring nothing is done
        _keep([pair for _, secrets in moved.values() for pair in secrets.items()])
    for entry in added.values():
        add_server(own, entry)
    if options.json:
        _print(
            {**_report(found), "added": sorted(added), "skipped": {name: english(why) for name, why in skipped.items()}}
        )
    else:
        _show(options.word, found)
        for name, entry in added.items():
            print(f"Added {one_line(name)}. It starts when you allow it.")
            if plain := plain_secrets(entry):
                keys = ", ".join(one_line(key) for _, key in plain)
                print(f"  {keys}: a secret in plain text. Import with --move-secrets to keep it in the keyring.")
        for why in skipped.values():
            print_error(english(why))
    return FINDINGS if found.errors or skipped else FINE


def _keep(secrets: list[tuple[str, str]]) -> None:
    """Keep all of these in the keyring, or none. Raises FileProblem."""
    for number, (name, value) in enumerate(secrets):
        try:
            set_secret(name, value)
        except FileProblem:
            for known, _ in secrets[:number]:
                set_secret(known, "")
            raise


def _add(options: argparse.Namespace, own: Path, command: Sequence[str]) -> int:
    if (wrong := _wrong_words(options, command)) is not None:
        return _failed(wrong, as_json=options.json)
    env = dict(one.split("=", 1) for one in options.env)
    headers = dict(one.split("=", 1) for one in options.header)
    entry = (
        ServerEntry(options.word, url=options.url, headers=headers, transport="sse" if options.sse else "http")
        if options.url
        else ServerEntry(options.word, command=command[0], args=tuple(command[1:]), env=env, cwd=options.cwd)
    )
    add_server(own, entry)
    return _done(
        {"added": [entry.name]}, f"Added {one_line(entry.name)}. It starts when you allow it.", as_json=options.json
    )


def _wrong_words(options: argparse.Namespace, command: Sequence[str]) -> Message | None:
    """What is wrong with what was given to `add`."""
    if not options.word.strip():
        return say("import.no_name")
    if bool(options.url) == bool(command):
        return say("import.both" if command else "import.neither")
    for name in ("env", "cwd") if options.url else ("header", "sse"):
        if getattr(options, name):
            return say("servers.other_kind", option=f"--{name}")
    wrong = (given for given in (*options.env, *options.header) if "=" not in given)
    return next((say("servers.no_value", text=given) for given in wrong), None)


def _remove(options: argparse.Namespace, own: Path) -> int:
    if options.word not in read_servers(own).names:
        return _failed(say("import.not_there", name=options.word), as_json=options.json)
    remove_server(own, options.word)
    return _done({"removed": [options.word]}, f"Removed {one_line(options.word)}.", as_json=options.json)


def _read(path: str) -> Imported:
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise FileProblem(say("file.unreadable", file=path, what=error.strerror or "")) from None
    return read_import(data, path)


def _report(found: Imported) -> dict[str, Any]:
    return {
        "servers": {name: one.as_json() for name, one in found.entries.items()},
        "errors": [_remark(one) for one in found.errors],
        "notices": [_remark(one) for one in found.notices],
        "secrets": list(found.secrets),
    }


def _remark(remark: Remark) -> dict[str, Any]:
    return {"path": remark.path, "line": remark.line, "column": remark.column, "message": english(remark.message)}


def _show(path: str, found: Imported) -> None:
    for name, one in found.entries.items():
        print(f"{one_line(name)}  {one_line(one.identity)}")
    for remark in found.notices:
        print(f"  {path}:{remark.line}:{remark.column} {one_line(remark.path)}: {english(remark.message)}")
    for remark in found.errors:
        print_error(f"{path}:{remark.line}:{remark.column} {one_line(remark.path)}: {english(remark.message)}")


def _failed(why: Message, *, as_json: bool) -> int:
    if as_json:
        values = why.mapping
        place = {"path": "", "line": values.get("line", 0), "column": values.get("column", 0)}
        _print({"servers": {}, "errors": [{**place, "message": english(why)}], "notices": []})
    else:
        print_error(english(why))
    return UNUSABLE


def _done(facts: dict[str, Any], text: str, *, as_json: bool) -> int:
    if as_json:
        _print(facts)
    else:
        print(text)
    return FINE


def _print(content: dict[str, Any]) -> None:
    print(json.dumps(content, indent=2, ensure_ascii=True))
