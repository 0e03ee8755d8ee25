"""`desktop-host audit verify | export | tail`: what was asked and answered on this computer, and the proof of it."""

import argparse
import csv
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop_host.audit.chain import COLUMNS, check, entry_json, newest, stored
from desktop_host.audit.log import audit_file
from desktop_host.cli.words import json_text, print_error
from desktop_host.ui.visible import one_line

_LOOK = 0.5
"""Seconds between two looks for new entries."""
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""With one of these a cell begins that spreadsheets would run; a server may have written it."""


def run(options: argparse.Namespace) -> int:
    """Exit codes: 0 intact or done, 1 the log is not as it was written, 2 it cannot be read."""
    path = Path(options.file) if options.file else audit_file()
    try:
        if options.what == "verify":
            return _verify(path, options.expect, as_json=options.json)
        if options.what == "export":
            _export(path, options.format)
        else:
            _tail(path, options.n, follow=options.follow, as_json=options.json)
    except sqlite3.Error as error:
        print_error(f"{path}: this is no audit log that can be read ({error})")
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it ends
    except KeyboardInterrupt:
        pass
    return 0


def _verify(path: Path, expected: str, *, as_json: bool) -> int:
    found = check(path, expected)
    if as_json:
        facts = {"entries": found.entries, "intact": found.intact, "last": found.last}
        facts |= {"broken": found.broken or None, "cut": found.cut}
        print(json.dumps(facts))
    elif found.broken:
        print(f"Entry {found.broken} is not as it was written, or entries before it are gone. {_proved(found.entries)}")
    elif found.cut:
        print(f"Entries at the end are gone: none has the hash {expected}. {_proved(found.entries)}")
    else:
        print(f"{_count(found.entries)}, intact. Hash of the last one: {found.last}")
    return 0 if found.intact else 1


def _export(path: Path, format_: str) -> None:
    if format_ == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow([*COLUMNS, "hash"])
        for row, hash_ in stored(path):
            writer.writerow([_cell(_whole(value)) for value in (*row, hash_)])
    else:
        for facts in _entries(path):
            print(json_text(facts))
    sys.stdout.flush()


def _tail(path: Path, count: int, *, follow: bool, as_json: bool) -> None:
    last = newest(path) - max(count, 0)
    while True:
        for facts in _entries(path, last):
            _show(facts, as_json=as_json)
            last = facts["id"]
        if not follow:
            return
        time.sleep(_LOOK)


def _entries(path: Path, after: int = 0) -> Iterator[dict[str, Any]]:
    """Each entry as one object, its record within it."""
    for row, hash_ in stored(path, after):
        facts = dict(zip(COLUMNS, map(_whole, row), strict=True))
        yield {**facts, "entry": entry_json(facts["entry"]), "hash": hash_}


def _show(facts: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json_text(facts), flush=True)
        return
    words = (_moment(facts["ended"]), f"{facts['outcome']!s:9}", f"{facts['kind']!s:9}")
    print("  ".join((*words, one_line(str(facts["server"])), one_line(str(facts["tool"])))).rstrip(), flush=True)


def _moment(seconds: object) -> str:
    """A time of day and its date; something else where somebody changed it to that."""
    try:
        ended = datetime.fromtimestamp(float(str(seconds)), UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return one_line(str(seconds))[:19]
    return f"{ended:%Y-%m-%d %H:%M:%S}"


def _whole(value: object) -> object:
    """A value that can be written: what somebody put there may be no text."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value


def _count(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


def _proved(number: int) -> str:
    return f"{_count(number)} before it {'is' if number == 1 else 'are'} intact." if number else "Nothing is proved."
