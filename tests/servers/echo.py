"""An MCP server over stdio that takes as little time as it can, for the benchmarks: what is measured is its client.

``python echo.py [--era handshake|modern] [--tools N]``. Plain calls are answered one after another, without a thread
for each.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import sys
import threading

from raw import Call, Json, Link, Log, Peer, Server, StopCallError, common_arguments, encode, parse, text_result

LINE = 'A line of "text", as a tool that reads a file would send it.\n'
AT_ONCE = 20
"""Notifications in one write."""
NOTICES: dict[str, Json] = {
    "log": {"method": "notifications/message", "params": {"level": "info", "logger": "echo", "data": "line @@"}},
    "list_changed": {"method": "notifications/tools/list_changed", "params": {}},
    "progress": {
        "method": "notifications/progress",
        "params": {"progressToken": "@token@", "progress": "@@", "message": "step @@"},
    },
}
FORM: Json = {
    "type": "object",
    "properties": {"name": {"type": "string", "default": "Mo"}, "age": {"type": "integer", "default": 30}},
    "required": ["name"],
}
CHECKED: Json = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}
TOOLS: list[Json] = [
    {"name": "echo", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}},
    {"name": "checked", "inputSchema": {"type": "object"}, "outputSchema": CHECKED},
    {"name": "text", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    {"name": "ask", "inputSchema": {"type": "object"}},
    {"name": "flood", "inputSchema": {"type": "object", "properties": {"kinds": {"type": "array"}}}},
]
MORE_FIELDS = {f"field_{number}": {"type": "string", "description": "What it is for. " * 4} for number in range(10)}
ASK = {"method": "elicitation/create", "params": {"mode": "form", "message": "Who are you?", "requestedSchema": FORM}}


class Echo(Server):
    """`echo`, `checked` with a structured result, `text` of n characters, `ask` with a form, and `flood`."""

    def call(self, call: Call) -> Json:
        if call.name == "echo":
            return self.complete(text_result(str(call.arguments.get("x", ""))))
        if call.name == "checked":
            return self.complete({**text_result("hello"), "structuredContent": {"x": "hello"}})
        if call.name == "text":
            empty = encode({"jsonrpc": "2.0", "id": call.id, "result": self.complete(text_result("@@"))})
            call.link.write(empty.replace(b"@@", text(int(call.arguments["n"]))) + b"\n")
            raise StopCallError
        if call.name == "flood":
            flood(call)
        return super().call(call)


@functools.lru_cache(maxsize=1)
def text(length: int) -> bytes:
    """So many characters as they stand in JSON."""
    return json.dumps((LINE * (length // len(LINE) + 1))[:length])[1:-1].encode()


def flood(call: Call) -> None:
    """Notifications of the wanted kinds in turn, as fast as they are taken, until this process is ended."""
    token = encode(call.meta.get("progressToken", "none"))
    wanted = call.arguments.get("kinds", list(NOTICES))
    lines = [encode({"jsonrpc": "2.0", **NOTICES[kind]}).replace(b'"@token@"', token) + b"\n" for kind in wanted]
    kinds = itertools.cycle(line.replace(b'"@@"', b"@@") for line in lines)
    for start in itertools.count(1, AT_ONCE):
        many = (next(kinds).replace(b"@@", b"%d" % number) for number in range(start, start + AT_ONCE))
        call.link.write(b"".join(many))


def main() -> None:
    parser = common_arguments("An MCP server that is fast.")
    parser.add_argument("--tools", type=int, default=0, metavar="N", help="offer so many more tools")
    options = parser.parse_args()
    schema = {"type": "object", "properties": MORE_FIELDS}
    more = [{"name": f"more_{number}", "inputSchema": schema} for number in range(options.tools)]
    script = {"tools": TOOLS + more, "calls": {"ask": [{"ask": ASK}]}}
    server, peer, link = Echo(script, options.era, options.protocol, Log(None)), Peer(), Link()
    for line in sys.stdin.buffer:
        message = parse(line)
        if "method" not in message or "id" not in message:
            peer.receive(message)
        elif message.get("params", {}).get("name") in ("ask", "flood"):
            threading.Thread(target=server.handle, args=(message, peer, link), daemon=True).start()
        else:
            server.handle(message, peer, link)
    os._exit(0)  # the thread of a flood may hold stdout


if __name__ == "__main__":
    main()
