"""An MCP server over stdio that means harm, for tests: `plain.py` with one kind of it.

``python hostile.py KIND [WORDS...]``; the kinds are the functions of `KINDS`. What a test should know, such as the pids
of children, is written to stderr, a line each.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from plain import Json, encode, main, reply, text_of, write

AT_ONCE = 100
"""Messages in one write."""
LONG = 17 * 1024 * 1024
"""Bytes of a line that a host will not take into its memory."""
NOTICES: list[Json] = [
    {"method": "notifications/tools/list_changed"},
    {"method": "notifications/message", "params": {"level": "error", "data": "again"}},
    {"method": "notifications/progress", "params": {"progressToken": "none of yours", "progress": 1}},
    {"method": "notifications/resources/updated", "params": {"uri": "file:///never/asked/for"}},
    {"method": "notifications/nobody/knows/this", "params": {"x": [1, 2, 3]}},
]
GARBAGE: list[bytes] = [
    b"Welcome! Listening for connections.",
    b'{"jsonrpc": "2.0", "id": @, "result": ',
    b'{"jsonrpc": "2.0", "id": @}',
    b'{"jsonrpc": "1.0", "id": @, "result": {}}',
    b'{"jsonrpc": "2.0", "id": {"a": @}, "result": {}}',
    b'[{"jsonrpc": "2.0", "id": @, "result": {}}]',
    b"[" * 100_000,
    b'"@"',
    b"9" * 10_000,
    b"\x00\x01\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"NaN",
]
"""Lines that are no messages; @ is the id of what they follow."""
STUBBORN = """
import signal, time
for one in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(one, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(300)
"""
PARENT = """
import subprocess, time
print(subprocess.Popen(["sleep", "300"], start_new_session=True).pid, flush=True)
time.sleep(300)
"""


def requests() -> Iterator[Json]:
    """Every request, until the input ends."""
    messages = (json.loads(line) for line in sys.stdin.buffer)
    return (one for one in messages if "method" in one and "id" in one)


def answer(request: Json) -> None:
    write(encode({"id": request["id"], **reply(request)}))


def say(what: object) -> None:
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()


def wanted(request: Json) -> bool:
    """The call that sets it off."""
    return request["method"] == "tools/call" and text_of(request) == "now"


def flood() -> None:
    """Answer the call, then send WORD notifications of all kinds before anything else is read."""
    for request in requests():
        answer(request)
        if wanted(request):
            kinds = itertools.cycle(encode(one) for one in NOTICES)
            for _ in range(int(sys.argv[2]) // AT_ONCE):
                write(b"".join(itertools.islice(kinds, AT_ONCE)))


def unheard() -> None:
    """Answer the call, then send WORD requests, and never read an answer to them."""
    for request in requests():
        answer(request)
        if wanted(request):
            for first in range(0, int(sys.argv[2]), AT_ONCE):
                lines = (encode({"id": first + number, "method": "ping"}) for number in range(AT_ONCE))
                write(b"".join(lines))
            time.sleep(300)


def silent() -> None:
    """Read all, answer nothing."""
    for _ in requests():
        pass


def garbage() -> None:
    """Follow each request with lines that are no messages; where WORD is "answered", with its answer after them."""
    for request in requests():
        for line in GARBAGE:
            write(line.replace(b"@", str(request["id"]).encode()) + b"\n")
        if sys.argv[2] == "answered":
            answer(request)


def wrong() -> None:
    """Answer `initialize` with a result that is none: the WORD, as JSON."""
    for request in requests():
        if request["method"] == "initialize":
            write(encode({"id": request["id"], "result": json.loads(sys.argv[2])}))
        else:
            answer(request)


def cut() -> None:
    """End the output in the middle of the answer to a method, the first WORD; then "exit", or "stay" and read on."""
    for request in requests():
        if request["method"] != sys.argv[2] or (request["method"] == "tools/call" and not wanted(request)):
            answer(request)
            continue
        whole = encode({"id": request["id"], **reply(request)})
        write(whole[: len(whole) // 2])
        if sys.argv[3] == "exit":
            os._exit(0)
        os.close(1)


def cut_long() -> None:
    """As `cut`, in an answer that is too long to be taken in."""
    for request in requests():
        if not wanted(request):
            answer(request)
            continue
        write(encode({"id": request["id"], "result": {"text": "x" * LONG}})[:-20])
        os._exit(0)


def child(script: str, *, own_session: bool) -> str:
    """Start a child and tell its pid; the first line that it writes."""
    argv = [sys.executable, "-ESc", script]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, start_new_session=own_session)
    say(process.pid)
    assert process.stdout
    return process.stdout.readline().strip()


def children() -> None:
    """Have children that stay, deaf to signals: one beside us, one in a session of its own, and one's own child."""
    child(STUBBORN, own_session=False)
    child(STUBBORN, own_session=True)
    say(child(PARENT, own_session=True))
    main()


def late() -> None:
    """Start a child in a session of its own when the input has ended, and stay until told to go."""
    main()
    child(STUBBORN, own_session=True)
    time.sleep(300)


def names() -> None:
    """List a malformed tool whose name is a megabyte, and say again and again that the list is another."""
    for request in requests():
        if request["method"] != "tools/list":
            answer(request)
            continue
        write(encode({"id": request["id"], "result": {"tools": [{"name": "n" * 1_000_000}]}}))
        write(encode(NOTICES[0]))


KINDS: dict[str, Callable[[], None]] = {
    kind.__name__: kind for kind in (flood, unheard, silent, garbage, wrong, cut, cut_long, children, late, names)
}

if __name__ == "__main__":
    KINDS[sys.argv[1]]()
