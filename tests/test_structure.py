"""The house stands as it was designed: floors, a quick first paint, no nested loops, no address of a registry."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

ROOT = Path(__file__).parent.parent
HEAVY = ["anthropic", "httpx2", "jsonschema", "keyring", "mcp", "mcp_types", "openai", "pydantic", "regress"]
# Each runs a loop of its own until the dialog is closed; inside a task that breaks qasync for good (DESIGN.md).
NESTED_LOOPS = {
    "QMessageBox": ["information", "question", "warning", "critical", "about", "aboutQt"],
    "QInputDialog": ["getText", "getMultiLineText", "getInt", "getDouble", "getItem"],
    "QFileDialog": ["getOpenFileName", "getOpenFileNames", "getSaveFileName", "getExistingDirectory"],
    "QColorDialog": ["getColor"],
    "QFontDialog": ["getFont"],
}


def test_imports_only_ever_point_down() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [program, "--no-cache", "--no-logo"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert f"Contracts: {len(contracts)} kept, 0 broken" in done.stdout


FIRST_PAINT = """
import sys, json
from PySide6.QtWidgets import QApplication
import desktop_host.app
app = QApplication([])
program = desktop_host.app.Program(app)
painted = []
program.engine.start = lambda: painted.append(sorted(sys.modules))
program.window.show()
while not painted:
    app.processEvents()
print(json.dumps(painted[0]))
sys.stdout.flush()
import os
os._exit(0)
"""


def test_the_window_is_painted_before_anything_heavy_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    imported = json.loads(done.stdout)
    assert "desktop_host.ui.main_window" in imported
    assert [name for name in HEAVY if name in imported] == []


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [(["--version"], [*HEAVY, "PySide6"]), (["__checker"], ["mcp", "mcp_types", "pydantic", "openai", "PySide6"])],
)
def test_what_needs_no_window_does_not_wait_for_one(arguments: list[str], unneeded: list[str]) -> None:
    trace = [sys.executable, "-X", "importtime", "-m", "desktop_host", *arguments]
    done = subprocess.run(
        trace, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "desktop_host" in imported
    assert sorted(imported.intersection(unneeded)) == []


def calls(folder: str) -> Iterator[tuple[str, ast.Call, str, str]]:
    """Every call of a method below a folder: its place, and the names before and after the dot."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield place, node, ast.unparse(node.func.value), node.func.attr


def test_no_window_runs_a_loop_of_its_own() -> None:
    nested = ("exec", "exec_", "processEvents", "waitForDone")
    found = [
        f"{place}: {owner}.{name}()"
        for place, _, owner, name in calls("desktop_host")
        if name in nested or name in NESTED_LOOPS.get(owner, ())
    ]
    assert found == []


def test_slots_are_methods_that_have_a_name() -> None:
    found = [
        place
        for place, node, _, name in calls("desktop_host/ui")
        if name == "connect" and any(isinstance(one, ast.Lambda) for one in node.args)
    ]
    assert found == []


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_calls_of_qt_do_not_lose_references_to_none(qtbot: QtBot) -> None:
    """PySide6 6.12.0 below Python 3.12 loses one at each, and the process ends after some minutes."""
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(1000):
        label.setText(str(number))
    assert sys.getrefcount(None) >= before - 50


def texts() -> Iterator[tuple[Path, str]]:
    """Every text file that belongs to the project."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and b"\0" not in (content := path.read_bytes())[:4096]:
            yield path, content.decode("utf-8")


def test_no_file_names_a_package_registry() -> None:
    """Whoever builds this uses the registry that their own machine is set up for."""
    address = re.compile(r"https?://[^\s\"'<>)]*(?:pypi|npmjs|pythonhosted|registry|/simple\b)", re.IGNORECASE)
    setting = re.compile(r"^\s*(?:(?:extra-)?index-url|registry|find-links)\s*[=:]\s*\S*://", re.MULTILINE)
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path, text in texts()
        if path != Path(__file__)
        for match in (*address.finditer(text), *setting.finditer(text))
    ]
    assert found == []


def test_the_requirements_are_those_of_the_design() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    qt = [one for one in project["dependencies"] if one.lower().startswith("pyside6")]
    assert qt == [
        "PySide6-Essentials>=6.11.3,<6.12; python_version < '3.12'",
        "PySide6-Essentials>=6.12,<6.13; python_version >= '3.12'",
    ]
    assert project["scripts"] == {"desktop-host": "desktop_host.__main__:main"}
    assert all(re.search(r"[<>=~]", one) for one in project["dependencies"])
