"""An MCP server over stdio that starts at once, for tests that start many: the handshake era, one tool, no threads.

``python plain.py [WORDS...]``. The words mean nothing to it; they mark its process. `hostile.py` is built on it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

Json = dict[str, Any]
VERSION = "2025-11-25"
TOOLS: list[Json] = [{"name": "echo", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}]
CAPABILITIES: Json = {"tools": {"listChanged": True}}


def encode(message: Json) -> bytes:
    """A message as a line."""
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n"


def write(data: bytes) -> None:
    """Write all of it at once, whatever is made of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def reply(request: Json) -> Json:
    """The answer to a request, without its id."""
    method, params = request["method"], request.get("params", {})
    if method == "initialize":
        info = {"name": "plain", "version": "1"}
        return {"result": {"protocolVersion": VERSION, "capabilities": CAPABILITIES, "serverInfo": info}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        return {"result": {"content": [{"type": "text", "text": str(params.get("arguments", {}).get("x", ""))}]}}
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
