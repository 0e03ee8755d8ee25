"""A handshake server over stdio whose listings are as bad as they come: raw JSON-RPC, no SDK.

Resources come in pages with an empty cursor between, one of them malformed; templates are not known. `shelf://clock`
tells a subscriber of a change each time it is read.
"""

import json
import sys

EVIL = "a\u202eb <b>bold</b>\u0007"
PAGES = {
    None: ([{"uri": "shelf://one", "name": "one", "title": EVIL}, {"name": "without a uri"}, 7], ""),
    "": ([{"uri": "shelf://clock", "name": "clock", "size": 2048, "mimeType": "text/plain"}], None),
}
CAPABILITIES = {"resources": {"subscribe": True, "listChanged": True}, "prompts": {"listChanged": True}, "tools": {}}
followed: set[str] = set()
reads = 0
more: list[dict[str, str]] = []


def send(message: dict[str, object]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(method: str, params: dict[str, object]) -> dict[str, object] | None:
    global reads
    if method == "initialize":
        info = {"name": "shelf", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "serverInfo": info}
    if method == "tools/list":
        return {"tools": []}
    if method == "resources/list":
        entries, cursor = PAGES[params.get("cursor")]
        return {"resources": [*entries, *more]} if cursor is None else {"resources": entries, "nextCursor": cursor}
    if method == "prompts/list":
        arguments = [{"name": "topic", "required": True, "description": "What about"}, {"name": 5}]
        return {"prompts": [{"name": "ask", "arguments": arguments}, {"title": "no name"}]}
    if method == "prompts/get":
        return {"messages": [{"role": "user", "content": {"type": "text", "text": json.dumps(params["arguments"])}}]}
    if method == "resources/subscribe":
        followed.add(str(params["uri"]))
        return {}
    if method == "resources/unsubscribe":
        followed.discard(str(params["uri"]))
        return {}
    if method == "resources/read" and params.get("uri") == "shelf://clock":
        reads += 1
        return {"contents": [{"uri": "shelf://clock", "text": f"read {reads} times"}]}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message["method"], message.get("params") or {})
    if result is None:
        code = -32002 if message["method"] == "resources/read" else -32601
        send({"id": message["id"], "error": {"code": code, "message": "Not found"}})
        continue
    send({"id": message["id"], "result": result})
    if message["method"] == "resources/read" and "shelf://clock" in followed and reads < 3:
        send({"method": "notifications/resources/updated", "params": {"uri": "shelf://clock"}})
        more[:] = [{"uri": "shelf://late", "name": "late"}]
        send({"method": "notifications/resources/list_changed"})
