"""An MCP server over stdio that misbehaves on request, for tests.

``python faulty.py [--era handshake|modern] [--protocol V] [--log FILE] [faults...]``; faults: see ``--help``.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from raw import Call, Json, Log, Server, StopCallError, common_arguments, encode, serve_stdio, text_result

HOSTILE = "^(a+)+$"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def arguments(**types: str) -> Json:
    """An inputSchema of optional arguments."""
    return {"type": "object", "properties": {name: {"type": kind} for name, kind in types.items()}}


def output(**properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


def form(message: str, **properties: Json) -> Json:
    return {
        "method": "elicitation/create",
        "params": {"message": message, "requestedSchema": output(**properties)},
    }


ITEM = output(id={"type": "integer"}, name={"type": "string"}, tags={"type": "array"}, value={"type": "number"})
INPUTS: dict[str, Json] = {
    "echo": arguments(x="string"),
    "die": arguments(),
    "hang": arguments(),
    "garbage": arguments(),
    "bad_utf8": arguments(),
    "orphan": arguments(),
    "daemon": arguments(),
    "flood": arguments(n="integer"),
    "log_flood": arguments(n="integer"),
    "big": arguments(n="integer"),
    "big_id_last": arguments(n="integer"),
    "big_structured": arguments(n="integer"),
    "hostile_pattern": arguments(n="integer"),
    "bad_output": arguments(),
    "ask_then_die": arguments(),
    "ask_pattern": arguments(),
    "slow": arguments(s="number"),
    "image": arguments(),
    "unknown_block": arguments(),
}
OUTPUTS: dict[str, Json] = {
    "big_structured": output(items={"type": "array", "items": ITEM}),
    "hostile_pattern": output(a={"type": "string", "pattern": HOSTILE}),
    "bad_output": output(a={"type": "integer"}),
}
TOOLS: list[Json] = [
    {"name": name, "inputSchema": schema, **({"outputSchema": OUTPUTS[name]} if name in OUTPUTS else {})}
    for name, schema in INPUTS.items()
]
BLOCKS: list[Json] = [
    {"type": "image", "data": PNG, "mimeType": "image/png"},
    {
        "type": "resource_link",
        "uri": "file:///example/report.txt",
        "name": "report.txt",
        "mimeType": "text/plain",
    },
    {
        "type": "resource",
        "resource": {"uri": "file:///example/note.txt", "mimeType": "text/plain", "text": "a note"},
    },
]
CALLS: dict[str, list[Json]] = {
    "ask_then_die": [{"ask": form("What is your name?", name={"type": "string"})}],
    "ask_pattern": [{"ask": form("Only the letter a, please", word={"type": "string", "pattern": HOSTILE})}],
    "bad_output": [{"result": {**text_result("see structured"), "structuredContent": {"a": "not a number"}}}],
    "image": [{"result": {"content": BLOCKS}}],
    "unknown_block": [
        {"result": {"content": [{"type": "hologram", "depth": 3}, {"type": "text", "text": "after it"}]}}
    ],
}


class Faulty(Server):
    """Runs the scripted tools as they are and the others as the functions below."""

    def call(self, call: Call) -> Json:
        fault = FAULTS.get(call.name)
        result = fault(call) if fault else None
        return super().call(call) if result is None else self.complete(result)


def echo(call: Call) -> Json:
    return text_result(str(call.arguments.get("x", "")))


def die(call: Call) -> None:
    os._exit(3)


def hang(call: Call) -> None:
    """Never answer, cancelled or not."""
    threading.Event().wait()


def garbage(call: Call) -> Json:
    call.link.write(b'this is not JSON\n{"jsonrpc": "2.0", "id":\n\n[1, 2\n"a string"\n\x00\x01\n')
    return text_result("after the garbage")


def bad_utf8(call: Call) -> None:
    marker = "@@"
    line = encode({"jsonrpc": "2.0", "id": call.id, "result": {"resultType": "complete", **text_result(marker)}})
    call.link.write(line.replace(marker.encode(), b"bad \xff\xfe\xc3( bytes") + b"\n")
    raise StopCallError


def orphan(call: Call) -> None:
    """Leave a child behind that holds this process's stdin, stdout and stderr."""
    leave_behind()


def daemon(call: Call) -> None:
    """As `orphan`, with a child in a session of its own, which no signal to our process group reaches."""
    leave_behind(start_new_session=True)


def leave_behind(**options: bool) -> None:
    child = subprocess.Popen(["sleep", "300"], **options)
    sys.stderr.write(f"{child.pid}\n")
    sys.stderr.flush()
    os._exit(0)


def flood(call: Call) -> Json:
    for number in range(1, int(call.arguments.get("n", 20_000)) + 1):
        call.progress({"progress": number, "message": f"step {number}"}, token="none")
    return text_result("flooded")


def log_flood(call: Call) -> Json:
    for number in range(1, int(call.arguments.get("n", 20_000)) + 1):
        call.log(f"line {number}")
    return text_result("flooded")


def big(call: Call) -> Json:
    return text_result("x" * int(call.arguments.get("n", 50_000_000)))


def big_id_last(call: Call) -> None:
    """As `big`, in the order in which the TypeScript SDK writes: the result first, with ids of its own, the id last."""
    text = {"type": "text", "text": "x" * int(call.arguments.get("n", 50_000_000))}
    result = {"resultType": "complete", "structuredContent": {"items": [{"id": 1}, {"id": 2}]}, "content": [text]}
    call.link.write(encode({"result": result, "jsonrpc": "2.0", "id": call.id}) + b"\n")
    raise StopCallError


def big_structured(call: Call) -> Json:
    items: list[Json] = [
        {"id": number, "name": f"item {number}", "tags": ["a", "b", "c"], "value": number * 1.5}
        for number in range(int(call.arguments.get("n", 20_000)))
    ]
    return {**text_result("see structured"), "structuredContent": {"items": items}}


def hostile_pattern(call: Call) -> Json:
    word = "a" * int(call.arguments.get("n", 40)) + "!"
    return {**text_result("see structured"), "structuredContent": {"a": word}}


def ask_then_die(call: Call) -> None:
    """Ask as scripted; the process ends 0.3 s later."""
    timer = threading.Timer(0.3, os._exit, [3])
    timer.daemon = True
    timer.start()


def slow(call: Call) -> Json:
    call.sleep(float(call.arguments.get("s", 1)))
    return text_result("slept")


FAULTS: dict[str, Callable[[Call], Any]] = {
    function.__name__: function
    for function in (
        *(echo, die, hang, garbage, bad_utf8, orphan, daemon, flood, log_flood),
        *(big, big_id_last, big_structured, hostile_pattern, ask_then_die, slow),
    )
}


def main() -> None:
    parser = common_arguments("An MCP server that misbehaves on request.")
    parser.add_argument("--slow-start", type=float, default=0, metavar="S", help="wait before reading anything")
    parser.add_argument("--ignore-eof", action="store_true", help="stay alive after stdin ends")
    parser.add_argument("--ignore-term", action="store_true", help="ignore SIGTERM")
    parser.add_argument("--stderr-spam", type=int, default=0, metavar="N", help="write N lines to stderr first")
    parser.add_argument("--exit-at-once", action="store_true", help="exit with code 1 before reading anything")
    parser.add_argument("--invalid-tools", action="store_true", help="list one more tool, without inputSchema")
    options = parser.parse_args()
    if options.ignore_term:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for number in range(1, options.stderr_spam + 1):
        sys.stderr.write(f"stderr line {number} {'y' * 100}\n")
    if options.exit_at_once:
        sys.exit("exiting at once")
    time.sleep(options.slow_start)
    invalid: list[Json] = [{"name": "no_schema"}] if options.invalid_tools else []
    script = {"tools": TOOLS + invalid, "calls": CALLS}
    serve_stdio(Faulty(script, options.era, options.protocol, Log(options.log)))
    while options.ignore_eof:
        time.sleep(1)
    os._exit(0)  # threads of open calls may hold stdout


if __name__ == "__main__":
    main()
