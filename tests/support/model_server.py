"""Model endpoints for tests: llama.cpp's own server with a tiny random model, and a scripted one for faults.

Run as a program it is the first of them: ``python -m tests.support.model_server FOLDER``. It makes the model, serves it
twice on loopback (open, and behind KEY), prints both addresses, and ends when its standard input does.
"""

import contextlib
import json
import select
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

KEY = "sk-tests-7b1e9c5d2f"
"""What the second address wants; no test may meet it in a log or an error."""
MODEL = "tiny"
CONTEXT = 8192
_ROOT = Path(__file__).parent.parent.parent
_END = 256


@dataclass(frozen=True)
class LlamaServer:
    """The addresses of a running llama.cpp, as OpenAI-compatible base URLs: one open, one behind KEY."""

    open_url: str
    keyed_url: str

    def busy(self) -> bool:
        """The open one is generating right now."""
        with urllib.request.urlopen(self.open_url.removesuffix("/v1") + "/slots", timeout=10) as response:
            return any(slot["is_processing"] for slot in json.load(response))


@contextlib.contextmanager
def llama_server(folder: Path) -> Iterator[LlamaServer]:
    """Runs llama.cpp's server as a child process. Raises RuntimeError with its last words where it does not start."""
    argv = [sys.executable, "-m", "tests.support.model_server", str(folder)]
    log = folder / "llama.log"
    with log.open("wb") as errors:
        child = subprocess.Popen(argv, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
    assert child.stdin
    assert child.stdout
    try:
        addresses = json.loads(child.stdout.readline() or b"null")
        if addresses is None:
            raise RuntimeError(f"llama.cpp did not start: {log.read_text(errors='replace')[-2000:]}")
        yield LlamaServer(*(f"{address}/v1" for address in addresses))
    finally:
        child.stdin.close()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        child.stdout.close()


def make_model(path: Path) -> None:
    """Writes a llama of two layers with random weights and a vocabulary of single bytes: noise, but real inference.

    Only printable ASCII has weights at the output, so a greedy answer is printable and never ends by itself.
    """
    import gguf
    import numpy as np

    width, heads, inner, layers = 64, 4, 128, 2
    random = np.random.default_rng(0)

    def noise(*shape: int, scale: float = 0.08) -> Any:
        return (random.standard_normal(shape) * scale).astype(np.float32)

    tokens = [*(_byte_token(byte) for byte in range(256)), "<|end|>"]
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL])
    writer.add_token_merges(["Ġ t"])
    writer.add_bos_token_id(_END)
    writer.add_eos_token_id(_END)
    writer.add_add_bos_token(False)
    writer.add_chat_template("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: ")
    output = noise(len(tokens), width, scale=0.3)
    output[:32] = output[127:] = 0
    writer.add_tensor("token_embd.weight", noise(len(tokens), width, scale=0.5))
    writer.add_tensor("output_norm.weight", np.ones(width, np.float32))
    writer.add_tensor("output.weight", output)
    for layer in range(layers):
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{norm}.weight", np.ones(width, np.float32))
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", noise(width, width))
        for name in ("ffn_gate", "ffn_up"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", noise(inner, width))
        writer.add_tensor(f"blk.{layer}.ffn_down.weight", noise(width, inner))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _byte_token(byte: int) -> str:
    """A byte as GPT-2's vocabulary writes it: itself where it can be seen, a letter past 255 where it cannot."""
    unseen = [*range(33), *range(127, 161), 173]
    return chr(256 + unseen.index(byte)) if byte in unseen else chr(byte)


def _serve(folder: Path) -> None:
    import xllamacpp

    path = folder / "tiny.gguf"
    make_model(path)

    def start(keys: list[str]) -> Any:
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.model_alias = {MODEL}
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        params.api_keys = keys
        params.n_ctx = CONTEXT
        params.n_parallel = 1
        # As many threads as cores is catastrophic beside any other load (models_policy.md 2.2).
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
        params.endpoint_slots = True
        params.ui = False
        return xllamacpp.Server(params)

    servers = [start([]), start([KEY])]
    sys.stdout.write(json.dumps([server.listening_address for server in servers]) + "\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()


# The scripted endpoint


def piece(text: str = "", *, finish: str | None = None, model: str = "scripted-1") -> bytes:
    """A chunk of a streamed chat completion."""
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return _event({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice]})


def tool_piece(place: int, call: str = "", name: str = "", arguments: str = "") -> bytes:
    """A chunk with a part of a tool call; what is empty is left out of it, as endpoints do."""
    function = {key: value for key, value in {"name": name, "arguments": arguments}.items() if value}
    part = {"index": place, **({"id": call, "type": "function"} if call else {}), "function": function}
    choice = {"index": 0, "delta": {"tool_calls": [part]}, "finish_reason": None}
    body = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1", "choices": [choice]}
    return _event(body)


def usage(tokens_in: int, tokens_out: int) -> bytes:
    """The chunk that counts tokens; it has no choice."""
    counts = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
    body = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1", "choices": []}
    return _event({**body, "usage": counts})


DONE = b"data: [DONE]\n\n"


def claude_event(kind: str, **body: Any) -> bytes:
    """An event of a streamed message, as Anthropic's API sends it."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **body})}\n\n".encode()


def claude_stream(*blocks: dict[str, Any] | str, stop: str = "end_turn", end: bool = True) -> tuple[bytes, ...]:
    """A streamed message: texts, and tool uses as {"id", "name", "pieces"}. `end`: with its last event."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 1},
    }
    events = [claude_event("message_start", message=message), claude_event("ping")]
    for index, block in enumerate(blocks):
        if isinstance(block, str):
            start: dict[str, Any] = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": block}]
        else:
            start = {"type": "tool_use", "id": block["id"], "name": block["name"], "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in block["pieces"]]
        events.append(claude_event("content_block_start", index=index, content_block=start))
        events += [claude_event("content_block_delta", index=index, delta=delta) for delta in deltas]
        events.append(claude_event("content_block_stop", index=index))
    delta = {"stop_reason": stop, "stop_sequence": None}
    events.append(claude_event("message_delta", delta=delta, usage={"output_tokens": 5}))
    return (*events, claude_event("message_stop")) if end else tuple(events)


def _event(body: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(body).encode() + b"\n\n"


@dataclass
class Scripted:
    """An answer: a status with a body, or a stream.

    `hold`: seconds to wait before the head, or before the stream's end; it ends at once when the client goes. `broken`:
    the connection is cut where the answer should end.
    """

    status: int = 200
    body: bytes = b""
    stream: tuple[bytes, ...] = ()
    headers: dict[str, str] = field(default_factory=dict[str, str])
    hold_head: float = 0.0
    hold_end: float = 0.0
    broken: bool = False


@dataclass
class Seen:
    """A request: its path, headers (lower case) and JSON body; `gone`: the client left before the answer ended."""

    path: str
    headers: dict[str, str]
    body: Any
    gone: threading.Event = field(default_factory=threading.Event)


class ScriptedEndpoint:
    """An OpenAI-compatible endpoint on loopback that answers what it is told to, one answer after another."""

    def __init__(self) -> None:
        self.answers: list[Scripted] = []
        self.seen: list[Seen] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def will(self, *answers: Scripted) -> None:
        """Answer with these, in this order."""
        self.answers.extend(answers)

    def says(self, *texts: str, finish: str = "stop") -> None:
        """Stream these pieces as an answer that is whole."""
        self.will(Scripted(stream=(*map(piece, texts), piece(finish=finish), usage(7, 3), DONE)))

    def close(self) -> None:
        """Listen no longer."""
        self._server.shutdown()
        self._server.server_close()

    def _next(self, seen: Seen) -> Scripted:
        self.seen.append(seen)
        return self.answers.pop(0) if self.answers else Scripted(500, b"nothing scripted")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        take = self._next

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(None)

            def do_POST(self) -> None:
                self._answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

            def _answer(self, body: Any) -> None:
                seen = Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                answer = take(seen)
                with contextlib.suppress(OSError):
                    if self._gone(seen, answer.hold_head):
                        return
                    self.send_response(answer.status)
                    kind = "text/event-stream" if answer.stream else "application/json"
                    for name, value in {"content-type": kind, "connection": "close", **answer.headers}.items():
                        self.send_header(name, value)
                    if answer.broken:
                        self.send_header("content-length", "1000000")
                    self.end_headers()
                    self.wfile.write(answer.body)
                    for one in answer.stream:
                        self.wfile.write(one)
                        self.wfile.flush()
                    self._gone(seen, answer.hold_end)
                self.close_connection = True

            def _gone(self, seen: Seen, seconds: float) -> bool:
                """Wait; true as soon as the client closes its side."""
                end = time.monotonic() + seconds
                while (rest := end - time.monotonic()) > 0:
                    if select.select([self.connection], [], [], rest)[0] and not self.connection.recv(1):
                        seen.gone.set()
                        return True
                return False

        return Handler


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether a condition comes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
