"""The packages: what the freezer collects, the files of the desktop, one version everywhere. The build itself is opt-in."""

import ast
import importlib.util
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import desktop_host

ROOT = Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
LINUX = PACKAGING / "linux"
BUILD = "DESKTOP_HOST_BUILD"
BROWSER = """
import json, os, pathlib, sys, urllib.request
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(dict(os.environ)))
urllib.request.urlopen(urllib.request.Request(sys.argv[1], data=b"n=1", method="POST")).close()
"""
"""A browser with a person who completes the page at once; it notes the environment it was given."""


@pytest.fixture(autouse=True)
def no_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.fixture
def bundle() -> ModuleType:
    return load("bundle")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"packaging_{name}", PACKAGING / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NOT_ON_LINUX = "desktop_host/ui/proxies.py"


def imports(path: Path) -> Iterator[str]:
    """Every module that a file of the program imports, late imports included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def metainfo() -> ElementTree.Element:
    return ElementTree.parse(next(LINUX.glob("*.metainfo.xml"))).getroot()


def test_every_module_of_the_program_is_collected(bundle: ModuleType) -> None:
    folder = ROOT / "desktop_host"
    walked = {module.name for module in pkgutil.walk_packages([str(folder)], "desktop_host.")}
    assert walked | {"desktop_host"} == set(bundle.modules(folder))


def test_nothing_the_program_imports_is_excluded(bundle: ModuleType) -> None:
    excluded = tuple(bundle.EXCLUDED_MODULES)
    broken = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "desktop_host").rglob("*.py")
        for name in imports(path)
        if path.relative_to(ROOT).as_posix() != NOT_ON_LINUX or not sys.platform.startswith("linux")
        if name in excluded or name.startswith(tuple(f"{one}." for one in excluded))
    }
    assert not broken
    assert not {"uvicorn", "starlette", "mcp.server"} & set(excluded), "the demo server runs on them"


def test_resources_are_collected_where_the_program_looks_for_them(bundle: ModuleType, tmp_path: Path) -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"] == {"resources": "desktop_host/resources"}
    installed = tmp_path / "desktop_host"
    shutil.copytree(ROOT / "resources", installed / "resources")
    collected = dict(bundle.data_files(installed))
    assert collected[str(installed / "resources/icons/app/desktop-host.svg")] == "desktop_host/resources/icons/app"
    assert not any(place.endswith((".py", ".pyc", ".ts")) for place in collected)
    languages = {
        path.stem.removeprefix("desktop_host_") for path in (ROOT / "resources/translations").glob("desktop_host_*")
    }
    assert languages <= set(bundle.QT_TRANSLATIONS), "Qt's own words in this language must come along"


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqminimal.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/imageformats/libqico.so", True),
        ("PySide6/Qt/plugins/imageformats/libqpdf.so", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\plugins\\sqldrivers\\qsqlite.dll", False),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("mcp-2.3.0.dist-info/METADATA", True),
        ("mcp-2.3.0.dist-info/licenses/LICENSE", True),
        ("mcp-2.3.0.dist-info/direct_url.json", False),
        ("desktop_host/resources/translations/desktop_host_zh_CN.qm", True),
    ],
)
def test_what_stays_in_the_bundle(bundle: ModuleType, place: str, kept: bool) -> None:
    assert bundle.is_kept(place) is kept


def test_a_broken_budget_is_found(bundle: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "resources", tmp_path / "_internal/desktop_host/resources")
    assert bundle.faults(tmp_path) == []
    (tmp_path / "libQt6Quick.so.6").touch()
    (tmp_path / "_internal/desktop_host/resources/icons/app/desktop-host.svg").unlink()
    monkeypatch.setattr(bundle, "FOLDER_LIMIT", 10)
    faults = " / ".join(bundle.faults(tmp_path))
    for words in (
        "more than 0.0 MB",
        "must not be in the folder: libQt6Quick.so.6",
        "missing in the folder: resources/",
    ):
        assert words in faults


def test_the_desktop_file_is_valid_and_belongs_to_the_window() -> None:
    path = LINUX / "desktop-host.desktop"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert {"Exec=desktop-host", "Icon=desktop-host", "StartupWMClass=desktop-host", "Terminal=false"} <= set(lines)
    named = re.search(r'setDesktopFileName\("([^"]+)"\)', (ROOT / "desktop_host/app.py").read_text(encoding="utf-8"))
    assert named is not None
    assert named.group(1) == path.stem
    validator = shutil.which("desktop-file-validate")
    if validator is not None:
        done = subprocess.run([validator, path], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_metainfo_is_well_formed_and_names_the_program() -> None:
    root = metainfo()
    assert root.findtext("id") == next(LINUX.glob("*.metainfo.xml")).name.removesuffix(".metainfo.xml")
    assert root.findtext("launchable") == "desktop-host.desktop"
    assert root.findtext("project_license") == "MIT"
    assert (ROOT / "resources/icons/app/desktop-host.svg").is_file()


def test_the_version_is_the_same_everywhere(bundle: ModuleType) -> None:
    version = bundle.version()
    assert desktop_host.__version__ == version
    release = metainfo().find("releases/release")
    assert release is not None
    assert release.get("version") == version
    first = (LINUX / "changelog").read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith(f"desktop-host ({version}) ")
    assert f'"desktop\\-host {version}"' in (LINUX / "desktop-host.1").read_text(encoding="utf-8").splitlines()[0]


def test_the_manual_page_knows_every_option_of_the_command_line() -> None:
    manual = (LINUX / "desktop-host.1").read_text(encoding="utf-8").replace("\\-", "-")
    source = (ROOT / "desktop_host/cli/main.py").read_text(encoding="utf-8")
    options = re.findall(r'add_argument\(\s*"(--[a-z]+)"', source)
    commands = re.findall(r'add_parser\(\s*"([a-z]+)"', source)
    assert "--answers" in options
    assert "call" in commands
    assert [word for word in (*options, *commands) if word not in manual] == []


@pytest.mark.parametrize("own", [None, "/own/libraries"])
def test_the_loader_leaves_no_trace_in_the_environment_of_children(own: str | None) -> None:
    loader = {"LD_LIBRARY_PATH": "/bundle", "QT_PLUGIN_PATH": "/bundle", "_PYI_ARCHIVE_FILE": "/program", "KEPT": "1"}
    given = loader | ({} if own is None else {"LD_LIBRARY_PATH_ORIG": own})
    code = f"{(PACKAGING / 'frozen/environment.py').read_text(encoding='utf-8')}\nimport json; print(json.dumps(dict(os.environ)))"
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True)
    left = {name: value for name, value in json.loads(done.stdout).items() if name != "LC_CTYPE"}
    assert left == {"KEPT": "1"} | ({} if own is None else {"LD_LIBRARY_PATH": own})


@pytest.mark.skipif(not os.environ.get(BUILD), reason=f"freezing takes minutes and needs apt's dpkg-dev: set {BUILD}=1")
def test_the_frozen_program_tells_the_story(folders: Path) -> None:
    out = folders / "out"
    subprocess.run(["uv", "run", PACKAGING / "build.py", "--deb", "--practice-model", "--out", out], check=True)
    assert len(list(out.glob("*.deb"))) == 2
    program = out / "desktop-host" / "desktop-host"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "DESKTOP_HOST_CACHE_DIR": str(folders / "cache")}

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [program, *words],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done

    story = run("demo").stdout
    assert "handshake era" in story
    assert "modern era" in story
    assert story.count("Your airline account is connected") == 2
    assert (folders / "data/demo/windows.png").read_bytes().startswith(b"\x89PNG")

    answers = folders / "answers.json"
    answers.write_text('{"answers": [{"kind": "sampling", "model": "you", "text": "Take the first."}]}')
    called = json.loads(run("call", "demo", "find_best_flight", "--answers", answers).stdout)
    assert called["result"]["structuredContent"]["recommendation"] == "Take the first."

    (out / "practice").rename(program.parent / "practice")
    answers.write_text('{"answers": [{"kind": "sampling", "model": "practice"}]}')
    called = json.loads(run("call", "demo", "find_best_flight", "--answers", answers).stdout)
    assert "smollm2" in called["result"]["content"][0]["text"]

    browser = folders / "browser.py"
    browser.write_text(BROWSER)
    environment["BROWSER"] = f"{sys.executable} {browser} %s"
    answers.write_text('{"answers": [{"kind": "url", "open": true}]}')
    called = json.loads(run("call", "demo", "connect_airline", "--answers", answers).stdout)
    assert "connected" in called["result"]["content"][0]["text"]
    inherited = json.loads(browser.with_suffix(".json").read_text())
    assert [name for name in inherited if name.startswith(("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "_PYI_"))] == []
