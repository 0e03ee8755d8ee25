"""The official conformance suite for clients: each scenario alone, `desktop-host conformance` being the client."""

import asyncio
import os
import shlex
import sys
from pathlib import Path

import pytest

from desktop_host.cli.main import main
from tests.support.node import run_conformance

CLIENT = shlex.join([sys.executable, "-m", "desktop_host", "conformance"])


@pytest.mark.parametrize(
    ("scenario", "passed"),
    [
        ("initialize", 1),
        ("tools_call", 2),
        ("elicitation-sep1034-client-defaults", 5),
        ("request-metadata", 8),
        ("http-standard-headers", 10),
        ("sep-2322-client-request-state", 5),
        ("http-custom-headers", 18),
        ("json-schema-ref-no-deref", 1),
        ("json-schema-2020-12-preservation", 9),
    ],
)
async def test_a_scenario_passes_whole(folders: Path, scenario: str, passed: int) -> None:
    result = await asyncio.to_thread(run_conformance, scenario, CLIENT, folders / "suite")
    failed = [check for check in result.checks if check["status"] in ("FAILURE", "WARNING")]
    assert failed == [], result.output
    assert result.ok, result.output
    assert result.passed == passed


@pytest.mark.parametrize(
    ("scenario", "url"),
    [(None, "http://127.0.0.1:9/mcp"), ("tools_call", "https://example.org/mcp"), ("tools_call", "nothing")],
)
def test_it_runs_only_under_the_suite_and_only_against_this_computer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], scenario: str | None, url: str
) -> None:
    monkeypatch.delenv("MCP_CONFORMANCE_SCENARIO", raising=False)
    if scenario is not None:
        monkeypatch.setenv("MCP_CONFORMANCE_SCENARIO", scenario)
    assert main(["conformance", url]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "it answers without a person" in err
    assert "MCP_CONFORMANCE_SCENARIO" in err
    assert os.environ.get("MCP_CONFORMANCE_SCENARIO") == scenario
