"""A small scripted MCP server over stdio for tests: raw JSON-RPC, both eras, no SDK. `raw_http.py` is its other half.

``python raw.py --era handshake|modern [--protocol V] [--log FILE] --script SCRIPT.json``
"""

from __future__ import annotations

import argparse
import base64
import itertools
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
INFO = {"name": "raw", "version": "1"}
CAPABILITIES: Json = {"tools": {}, "logging": {}}
CACHING: Json = {"ttlMs": 0, "cacheScope": "private"}
ODD = '+/=é "\\'  # around every requestState: a client that re-encodes or trims it is caught
PASSIVE = ("sleep", "progress", "log", "complete")
STEPS = (*PASSIVE, "ask", "asks", "cancel_ask", "error", "result", "state_only", "repeat", "omit_result_type")


class RpcError(Exception):
    """A JSON-RPC error to answer a request with."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.body: Json = {"code": code, "message": message, **({} if data is None else {"data": data})}


class StopCallError(Exception):
    """The call ends without an answer: it was cancelled, or its answer is already written."""


def text_result(text: str) -> Json:
    return {"content": [{"type": "text", "text": text}]}


def canonical(value: Any) -> str:
    """One spelling per JSON value; keeps 1, 1.0, true and "1" apart."""
    return json.dumps(value, sort_keys=True)


def encode(message: Any) -> bytes:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()


def fill(value: Any, answers: list[Any], key: str = "") -> Any:
    """Put the answers in the place of "$answers" (as JSON text where the key is "text")."""
    if isinstance(value, dict):
        return {name: fill(item, answers, name) for name, item in value.items()}
    if isinstance(value, list):
        return [fill(item, answers) for item in value]
    if value == "$answers":
        return json.dumps(answers, ensure_ascii=False) if key == "text" else answers
    return value


def expand(steps: list[Json]) -> list[Json]:
    """Check a tool's steps; turn ask into asks, repeat and state_only into single rounds."""
    out: list[Json] = []
    asked: list[Json] = []
    for number, step in enumerate(steps, 1):
        if not any(kind in step for kind in STEPS):
            raise ValueError(f"unknown step: {step}")
        if "ask" in step:
            step = {**step, "asks": {step.get("key", f"ask{number}"): step["ask"]}}
        if "asks" in step and not step.get("outside"):
            asked = [step]
        if "repeat" in step and not asked:
            raise ValueError("repeat needs an ask before it")
        copies = asked if "repeat" in step else [step]
        out += copies * int(step.get("repeat", step.get("state_only", 1)))
    return out


class Link:
    """Where the messages of one request go; this one is the line-based stdout."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        with self._lock:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def send(self, message: Json) -> None:
        self.write(encode(message) + b"\n")

    def stream(self) -> None:
        """Make room for more than one message."""

    def closed(self) -> bool:
        """Whether the client cancelled by closing this request's connection."""
        return False

    def headers_differ(self, wanted: Mapping[str, str]) -> str:
        """The first HTTP header that is not as wanted."""
        return ""


class Log:
    """Appends each received message to FILE, each HTTP request's headers to FILE.headers, and the id of each call that
    the client cancelled to FILE.stopped."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._lock = threading.Lock()

    def add(self, body: bytes | None, headers: Json | None = None, stopped: Any = None) -> None:
        if self._path is None:
            return
        lines = {
            ".headers": None if headers is None else encode(headers),
            ".stopped": None if stopped is None else encode(stopped),
            "": body,
        }
        with self._lock:
            for ending, line in lines.items():
                if line is not None:
                    with open(self._path + ending, "ab") as file:
                        file.write(line + b"\n")


class Peer:
    """One connection or session: what the client answered and cancelled, the ids both sides used."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.answers: Json = {}
        self.cancelled: set[str] = set()
        self.used: set[str] = set()
        self.ids = itertools.count(1)

    def receive(self, message: Json) -> None:
        """Take a response or a notification."""
        with self.changed:
            if "method" not in message:
                error = {"error": message.get("error")}
                self.answers[canonical(message.get("id"))] = message.get("result", error)
            elif message["method"] == "notifications/cancelled":
                self.cancelled.add(canonical(message.get("params", {}).get("requestId")))
            self.changed.notify_all()


class Call:
    """One open request; for tools/call, what the tool's steps can do meanwhile."""

    def __init__(self, message: Json, peer: Peer, link: Link) -> None:
        self.id, self.key = message["id"], canonical(message["id"])
        self.params: Json = message.get("params") or {}
        self.name: str = self.params.get("name", "")
        self.arguments: Json = self.params.get("arguments") or {}
        self.meta: Json = self.params.get("_meta") or {}
        self.peer, self.link = peer, link
        self.reused = self.key in peer.used
        peer.used.add(self.key)
        self.state: str | None = None
        self.ids = {self.key}
        self.after: list[Json] = []

    def check(self) -> None:
        if self.key in self.peer.cancelled or self.link.closed():
            raise StopCallError

    def sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with self.peer.changed:
                self.peer.changed.wait(min(left, 0.05))
            self.check()

    def notify(self, method: str, params: Json) -> None:
        self.check()
        self.link.send({"jsonrpc": "2.0", "method": method, "params": params})

    def progress(self, params: Json, token: Any = None) -> None:
        token = self.meta.get("progressToken", token)
        if token is not None:
            self.notify("notifications/progress", {"progressToken": token, **params})

    def log(self, text: str) -> None:
        self.notify("notifications/message", {"level": "info", "logger": INFO["name"], "data": text})

    def ask(self, request: Json) -> int:
        """Send a request to the client and return its id."""
        number = next(self.peer.ids)
        self.link.send({"jsonrpc": "2.0", "id": number, **request})
        return number

    def wait_for(self, numbers: list[int]) -> list[Any]:
        keys = [str(number) for number in numbers]
        with self.peer.changed:
            while not all(key in self.peer.answers for key in keys):
                self.peer.changed.wait(0.1)
                self.check()
            return [self.peer.answers[key] for key in keys]

    def withdraw(self, numbers: list[int]) -> list[Any]:
        """Cancel the asks that are still open and return the answers that came before."""
        for number in numbers:
            if str(number) not in self.peer.answers:
                reason = "the server no longer needs it"
                self.notify("notifications/cancelled", {"requestId": number, "reason": reason})
        return [self.peer.answers[str(number)] for number in numbers if str(number) in self.peer.answers]


@dataclass
class Round:
    """A modern round that waits for its retry."""

    params: str
    ids: set[str]
    keys: list[str]
    with_state: bool


class Server:
    """Answers requests in one era and runs the script's steps."""

    def __init__(self, script: Json, era: str, protocol: str, log: Log) -> None:
        self.log = log
        self.tools: list[Json] = script.get("tools", [])
        self.steps = {name: expand(steps) for name, steps in script.get("calls", {}).items()}
        self.modern, self.protocol = era == "modern", protocol
        self.stateless: bool = script.get("stateless", False)  # believe every requestState, as after a restart
        self.rounds: dict[str, Round] = {}  # by the requestState last issued
        self.serial = itertools.count(1)
        self.errors: Counter[tuple[str, int]] = Counter()

    def handle(self, message: Json, peer: Peer, link: Link) -> None:
        """Answer one request."""
        call = Call(message, peer, link)
        try:
            answer: Json = {"result": self.answer(message["method"], call)}
        except RpcError as error:
            answer = {"error": error.body}
        except StopCallError:
            self.log.add(None, stopped=call.id)
            link.stream()
            return
        if call.after:
            link.stream()
        link.send({"jsonrpc": "2.0", "id": call.id, **answer})
        for step in call.after:
            time.sleep(step.get("delay", 0))
            for request in step["asks"].values():
                call.ask(request)

    def answer(self, method: str, call: Call) -> Json:
        if self.modern and method not in ("initialize", "ping"):
            self.vet(method, call)
        match method:
            case "initialize" if self.modern:
                asked = call.params.get("protocolVersion")
                data = {"supported": [MODERN], "requested": asked}
                raise RpcError(-32022, "Unsupported protocol version", data)
            case "initialize":
                return {"protocolVersion": self.protocol, "capabilities": CAPABILITIES, "serverInfo": INFO}
            case "server/discover" if self.modern:
                about = {"supportedVersions": [MODERN], "capabilities": CAPABILITIES, **CACHING}
                return self.complete({**about, "_meta": {f"{META}serverInfo": INFO}})
            case "tools/list":
                return self.complete({"tools": self.tools, **(CACHING if self.modern else {})})
            case "tools/call":
                return self.call(call)
            case "ping":
                return self.complete({})
            case "logging/setLevel" if not self.modern:
                return {}
        raise RpcError(-32601, "Method not found")

    def complete(self, result: Json) -> Json:
        if not self.modern:
            return result
        return {"resultType": "complete", **result}

    def vet(self, method: str, call: Call) -> None:
        """Refuse a modern request with wrong metadata, wrong headers or a leaked round."""
        for name in ("protocolVersion", "clientCapabilities"):
            if META + name not in call.meta:
                raise RpcError(-32602, f"_meta lacks {META}{name}")
        version = call.meta[f"{META}protocolVersion"]
        wanted = {"MCP-Protocol-Version": version, "Mcp-Method": method}
        if method == "tools/call":
            wanted["Mcp-Name"] = call.name
        if wrong := call.link.headers_differ(wanted):
            raise RpcError(-32020, f"Header mismatch: {wrong}")
        if version != MODERN:
            data = {"supported": [MODERN], "requested": version}
            raise RpcError(-32022, "Unsupported protocol version", data)
        if method != "tools/call" and not call.params.keys().isdisjoint(("requestState", "inputResponses")):
            raise RpcError(-32602, f"{method} carries the answers of another request")

    def call(self, call: Call) -> Json:
        """Run a tools/call from its first step, or from where its requestState says."""
        if call.name not in [tool["name"] for tool in self.tools]:
            raise RpcError(-32602, f"Unknown tool: {call.name}")
        start, answers = self.resume(call) if self.modern else (0, [])
        try:
            result = self.run(call, self.steps.get(call.name, []), start, answers)
        except RpcError:
            self.rounds.pop(call.state or "", None)
            raise
        self.rounds.pop(call.state or "", None)
        return result

    def run(self, call: Call, steps: list[Json], start: int, answers: list[Any]) -> Json:
        result: Json | None = None
        numbers: list[int] = []
        for position, step in enumerate(steps[start:], start):
            call.check()
            if step.get("outside"):
                call.after.append(step)
            elif self.modern and ("asks" in step or "state_only" in step):
                return self.issue(call, position + 1, answers, step)
            elif "asks" in step:
                numbers = [call.ask(request) for request in step["asks"].values()]
                following = (later for later in steps[position + 1 :] if not any(k in later for k in PASSIVE))
                if "cancel_ask" not in next(following, {}):
                    answers += call.wait_for(numbers)
            elif "cancel_ask" in step and not self.modern:
                answers += call.withdraw(numbers)
            elif "progress" in step:
                for number in range(step.get("times", 1)):
                    params: Json = step["progress"]
                    call.progress({**params, "progress": params["progress"] + number})
                    call.sleep(step.get("delay", 0))
            elif "log" in step:
                for _ in range(step.get("times", 1)):
                    call.log(step["log"])
            elif "sleep" in step:
                call.sleep(step["sleep"])
            elif "complete" in step and not self.modern:
                call.notify("notifications/elicitation/complete", {"elicitationId": step["complete"]})
            elif "error" in step:
                self.errors[call.name, position] += 1
                if self.errors[call.name, position] <= step.get("times", sys.maxsize):
                    raise RpcError(**step["error"])
            elif "result" in step:
                result = fill(step["result"], answers)
        call.check()
        if result is None:
            result = text_result(json.dumps(answers, ensure_ascii=False))
        result = self.complete(result)
        if any(step.get("omit_result_type") for step in steps):
            result.pop("resultType", None)
        return result

    def issue(self, call: Call, position: int, answers: list[Any], step: Json) -> Json:
        """End this request with a modern round."""
        state = state_text(next(self.serial), position, answers)
        asks: Json = step.get("asks", {})
        with_state = not step.get("no_state")
        self.rounds[state] = Round(own_params(call), call.ids, list(asks), with_state)
        result: Json = {"resultType": "input_required"}
        if asks:
            result["inputRequests"] = asks
        if with_state:
            result["requestState"] = state
        return result

    def resume(self, call: Call) -> tuple[int, list[Any]]:
        """Check a retry against the round it answers; a first request starts at step 0."""
        params = call.params
        if params.keys().isdisjoint(("requestState", "inputResponses")):
            return 0, []
        state, responses = params.get("requestState"), params.get("inputResponses", {})
        if self.stateless:
            return self.believe(call, state, responses)
        if "requestState" not in params:
            waiting = [key for key, item in list(self.rounds.items()) if not item.with_state]
            state = next((key for key in waiting if self.rounds[key].params == own_params(call)), None)
        elif not isinstance(state, str) or state not in self.rounds or not self.rounds[state].with_state:
            state = None
        if state is None:
            raise RpcError(-32602, "requestState is not the one last issued")
        waited = self.rounds[state]
        if own_params(call) != waited.params:
            raise RpcError(-32602, "params differ from those of the first request")
        if call.key in waited.ids or call.reused:
            raise RpcError(-32602, "the retry's JSON-RPC id was used before")
        if not isinstance(responses, dict) or set(responses) != set(waited.keys):
            raise RpcError(-32602, "inputResponses keys differ from those asked")
        call.state, call.ids = state, waited.ids | {call.key}
        _, position, answers = json.loads(base64.b64decode(state[len(ODD) : -len(ODD)]))
        return position, answers + [responses[key] for key in waited.keys]

    def believe(self, call: Call, state: Any, responses: Json) -> tuple[int, list[Any]]:
        """Go on from what a requestState says."""
        try:
            _, position, answers = json.loads(base64.b64decode(state[len(ODD) : -len(ODD)], validate=True))
            keys = self.steps[call.name][position - 1].get("asks", {})
            return position, answers + [responses[key] for key in keys]
        except (ValueError, TypeError, LookupError):
            raise RpcError(-32602, "requestState or inputResponses are not mine") from None


def state_text(serial: int, position: int, answers: list[Any]) -> str:
    """The requestState of the server's round number `serial`, which continues at a step with the answers so far."""
    plain = canonical([serial, position, answers])
    return f"{ODD}{base64.b64encode(plain.encode()).decode()}{ODD}"


def own_params(call: Call) -> str:
    extra = ("requestState", "inputResponses", "_meta")
    return canonical({name: value for name, value in call.params.items() if name not in extra})


def parse(data: bytes) -> Json:
    try:
        message = json.loads(data)
    except ValueError:
        raise RpcError(-32700, "Parse error") from None
    if not isinstance(message, dict) or not isinstance(message.get("params", {}), dict):
        raise RpcError(-32600, "Invalid request")
    return message


def serve_stdio(server: Server) -> None:
    """Serve until stdin ends; every tools/call runs in its own thread."""
    peer, link = Peer(), Link()
    for line in sys.stdin.buffer:
        server.log.add(line.removesuffix(b"\n"))
        try:
            message = parse(line)
        except RpcError as error:
            link.send({"jsonrpc": "2.0", "id": None, "error": error.body})
            continue
        if "method" not in message or "id" not in message:
            peer.receive(message)
        elif message["method"] == "tools/call":
            threading.Thread(target=server.handle, args=(message, peer, link), daemon=True).start()
        else:
            server.handle(message, peer, link)


def common_arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--era", choices=("handshake", "modern"), default="handshake")
    parser.add_argument("--protocol", default="2025-11-25", help="the version a handshake is answered with")
    parser.add_argument("--log", help="append every received message to this file")
    return parser


def scripted(options: argparse.Namespace) -> Server:
    """The server that the command line describes; an era in the script comes first."""
    script = json.loads(Path(options.script).read_text(encoding="utf-8"))
    return Server(script, script.get("era", options.era), options.protocol, Log(options.log))


def main() -> None:
    parser = common_arguments("A scripted MCP server over stdio for tests.")
    parser.add_argument("--script", required=True)
    serve_stdio(scripted(parser.parse_args()))
    os._exit(0)  # threads of open calls may hold stdout


if __name__ == "__main__":
    main()
