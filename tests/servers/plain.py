"""An MCP server over stdio that starts at once, for tests that start many: handshake era, one tool, no threads.

``python plain.py [WORDS...]``. The words mark its process and say nothing to it. `hostile.py` is built on it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

Json = dict[str, Any]
TOOLS: list[Json] = [{"name": "tool", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}]
READY: Json = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {"listChanged": True}},
    "serverInfo": {"name": "plain", "version": "1"},
}


def encode(message: Json) -> bytes:
    """A message as a line."""
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n"


def write(data: bytes) -> None:
    """Write all of it, whatever it is."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def text_of(request: Json) -> str:
    """The argument of a call."""
    return str(request["params"].get("arguments", {}).get("x", ""))


def reply(request: Json) -> Json:
    """The answer to a request, without its id. The tool gives back its argument."""
    method = request["method"]
    if method == "initialize":
        return {"result": READY}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        return {"result": {"content": [{"type": "text", "text": text_of(request)}]}}
    if method == "ping":
        return {"result": {}}
    return {"error": {"code": -32601, "message": "Method not found"}}


def main() -> None:
    """Answer every request until the input ends."""
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "method" in message and "id" in message:
            write(encode({"id": message["id"], **reply(message)}))


if __name__ == "__main__":
    main()
