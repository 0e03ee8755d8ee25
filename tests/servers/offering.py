"""A scripted server over stdio for what servers offer beside tools: raw JSON-RPC, both eras, no SDK.

``python offering.py --era handshake|modern --log FILE --script SCRIPT.json``. The script has `capabilities`, `answers`:
for each method a list of `{"when": PARAMS, "result": …}` or with "error", of which the first counts whose PARAMS came,
`stderr`: what it writes there, and `children`: how many processes it starts. Its tool `become` replaces `answers`, then
sends `tell`, pairs of a method and params; with `hang_up` it ends the streams of those who listen.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]
META = "io.modelcontextprotocol/"
INFO = {"name": "offering", "version": "1"}
MODERN = "2026-07-28"
FILTERS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}


def send(message: Json) -> None:
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


class Server:
    def __init__(self, script: Json, era: str) -> None:
        self.capabilities: Json = {"tools": {}, **script.get("capabilities", {})}
        self.answers: Json = script.get("answers", {})
        self.modern = era == "modern"
        self.listeners: dict[Any, Json] = {}

    def handle(self, message: Json) -> None:
        method, params = message["method"], message.get("params") or {}
        if method == "notifications/cancelled":
            self.listeners.pop(params.get("requestId"), None)
        if "id" not in message:
            return
        if method == "subscriptions/listen" and self.modern:
            self.listeners[message["id"]] = params["notifications"]
            self.tell(
                message["id"], "notifications/subscriptions/acknowledged", {"notifications": params["notifications"]}
            )
            return
        answer = self.answer(method, params)
        if self.modern and "result" in answer:
            answer = {"result": {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **answer["result"]}}
        send({"id": message["id"], **answer})

    def answer(self, method: str, params: Json) -> Json:
        if method == "initialize" and not self.modern:
            about = {"protocolVersion": "2025-11-25", "capabilities": self.capabilities, "serverInfo": INFO}
            return {"result": about}
        if method == "server/discover" and self.modern:
            about = {"supportedVersions": [MODERN], "capabilities": self.capabilities}
            return {"result": {**about, "_meta": {f"{META}serverInfo": INFO}}}
        if method == "tools/list":
            return {"result": {"tools": [{"name": "become", "inputSchema": {"type": "object"}}]}}
        if method == "tools/call":
            self.become(params["arguments"])
            return {"result": {"content": []}}
        for one in self.answers.get(method, []):
            if one.get("when", {}).items() <= params.items():
                return {key: value for key, value in one.items() if key != "when"}
        return {"error": {"code": -32601, "message": "Method not found"}}

    def become(self, wanted: Json) -> None:
        self.answers.update(wanted.get("answers", {}))
        for method, params in wanted.get("tell", []):
            if not self.modern:
                send({"method": method, "params": params})
            for listener, wants in self.listeners.items():
                if wants.get(FILTERS.get(method)) or params.get("uri") in wants.get("resourceSubscriptions", []):
                    self.tell(listener, method, params)
        if wanted.get("hang_up"):
            for listener in list(self.listeners):
                send({"id": listener, "result": {"resultType": "complete"}})
            self.listeners.clear()

    def tell(self, listener: Any, method: str, params: Json) -> None:
        send({"method": method, "params": {**params, "_meta": {f"{META}subscriptionId": listener}}})


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--era", "--log", "--script"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    script = json.loads(Path(options.script).read_text(encoding="utf-8"))
    sys.stderr.buffer.write(script.get("stderr", "").encode())
    sys.stderr.flush()
    for _ in range(script.get("children", 0)):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    server = Server(script, options.era)
    with open(options.log, "ab", buffering=0) as log:
        for line in sys.stdin.buffer:
            log.write(line)
            message = json.loads(line)
            if "method" in message:
                server.handle(message)


if __name__ == "__main__":
    main()
