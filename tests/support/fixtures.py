"""Fixtures that some test modules take: ``pytest_plugins = ("tests.support.fixtures",)``."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_host.host import Host
from tests.support.model_server import LlamaServer, ScriptedEndpoint, llama_server
from tests.support.wire import Wire


@pytest.fixture
def http_processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    """The HTTP servers of a test; they end after its hosts."""
    processes: list[subprocess.Popen[bytes]] = []
    yield processes
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def wire(tmp_path: Path, http_processes: list[subprocess.Popen[bytes]], new_host: Callable[..., Host]) -> Wire:
    """What a test needs to put a host on the wire."""
    return Wire(tmp_path, new_host, http_processes)


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """A real llama.cpp with a tiny random model, started once for a module."""
    with llama_server(tmp_path_factory.mktemp("llama")) as server:
        yield server


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    """A model endpoint that does as it is told."""
    endpoint = ScriptedEndpoint()
    yield endpoint
    endpoint.close()
