"""What goes into the frozen program and what stays out. The spec, the build and the tests use it."""

import fnmatch
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

PROGRAM = "desktop-host"
PRACTICE = "practice"
"""The folder beside the program for the practice model, where it is installed; `frozen/entry.py` looks there."""
PRACTICE_PACKAGE = f"{PROGRAM}-practice-model"
PACKAGE = "desktop_host"
ROOT = Path(__file__).resolve().parent.parent

EXCLUDED_MODULES = (
    # Parts of Qt without a use here.
    "PySide6.QtConcurrent",
    "PySide6.QtDesigner",
    "PySide6.QtHelp",
    *(["PySide6.QtNetwork"] if sys.platform.startswith("linux") else []),  # it looks up the system's proxies elsewhere
    "PySide6.QtOpenGL",
    "PySide6.QtOpenGLWidgets",
    "PySide6.QtPrintSupport",
    "PySide6.QtQml",
    "PySide6.QtQuick",
    "PySide6.QtQuickControls2",
    "PySide6.QtQuickWidgets",
    "PySide6.QtSql",
    "PySide6.QtTest",
    "PySide6.QtUiTools",
    "PySide6.QtXml",
    "PySide6.scripts",
    # Parts of OpenAI's SDK that chat completions never load; it imports each only when it is used.
    "openai.cli",
    "openai.helpers",
    *(
        f"openai.{part}.{name}"
        for part in ("types", "resources")
        for name in (
            "admin",
            "audio",
            "beta",
            "containers",
            "conversations",
            "evals",
            "fine_tuning",
            "live",
            "realtime",
            "safety",
            "skills",
            "uploads",
            "vector_stores",
            "webhooks",
        )
    ),
    "openai.resources.responses",
    # What a developer's Python brings.
    "_distutils_hack",
    "_pyrepl",
    "curses",
    "doctest",
    "ensurepip",
    "idlelib",
    "lib2to3",
    "pdb",
    "pkg_resources",
    "pydoc",
    "pydoc_data",
    "readline",
    "setuptools",
    "test",
    "tkinter",
    "turtledemo",
    "unittest",
    # Command lines, plug-ins for checkers and test suites of libraries.
    "jsonschema.benchmarks",
    "jsonschema.tests",
    "mcp.cli",
    "openai.cli",
    "pydantic.mypy",
    "pydantic.v1._hypothesis_plugin",
    "pydantic.v1.mypy",
    "referencing.tests",
)
"""uvicorn, starlette and mcp.server are not here: the bundled demo server runs on them."""

QT_PLUGINS = (
    "iconengines/*svg*",
    "imageformats/*gif*",
    "imageformats/*ico.*",
    "imageformats/*jpeg*",
    "imageformats/*svg*",
    "imageformats/*webp*",
    "platforminputcontexts/*compose*",
    "platforminputcontexts/*ibus*",
    "platforms/*cocoa*",
    "platforms/*offscreen*",
    "platforms/*wayland*",
    "platforms/*windows*",
    "platforms/*xcb*",
    "platformthemes/*xdgdesktopportal*",  # native file dialogs; the gtk3 theme would bring all of GTK
    "styles/*",
    "wayland-decoration-client/*",
    "wayland-shell-integration/*xdg-shell*",
)
"""The plug-ins that are kept, as folder/name. Nothing here draws with OpenGL."""

QT_TRANSLATIONS = ("zh_CN",)
"""Languages the windows speak beside English: Qt's own words come along."""

_BUILD_RECORDS = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_build.json", "uv_cache.json")
"""Files of an installation's metadata that tell of the machine it was made on."""

LIBRARIES_WITH_DATA = ("publicsuffixlist", "confusable_homoglyphs")
"""Libraries that read files of their own, which PyInstaller does not see."""
FOLDER_LIMIT = 150_000_000
DEB_LIMIT = 45_000_000
PRACTICE_LIMIT = 140_000_000
"""Bytes of the practice model's package: its weights cannot be packed any further."""
FORBIDDEN = (
    "libqt6qml*",
    "libqt6quick*",
    "libqt6webengine*",
    "libqt6pdf*",
    "libqgtk*",
    "libgtk*",
    "libgdk*",
)
"""Names of files that must not be in the folder."""


class Failed(Exception):
    """The build cannot go on; the text says why."""


def version() -> str:
    """The project's version."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def modules(package: Path) -> list[str]:
    """Every module of the package at this folder, by its dotted name: lazy imports are invisible to the freezer."""
    return sorted(_dotted(path.relative_to(package.parent)) for path in package.rglob("*.py"))


def data_files(package: Path) -> list[tuple[str, str]]:
    """Every file of the package at this folder that is not code: where it lies, and its folder in the bundle."""
    found = (path for path in sorted(package.rglob("*")) if path.is_file())
    return [
        (str(path), path.parent.relative_to(package.parent).as_posix())
        for path in found
        if path.suffix not in (".py", ".pyc", ".ts") and path.name != "py.typed"
    ]


def is_kept(place: str) -> bool:
    """A file stays in the bundle, judged by its place there."""
    path = PurePosixPath(place.replace("\\", "/"))
    if "Qt" in path.parts or "PySide6" in path.parts:
        if "translations" in path.parts:
            return path.name in {f"qtbase_{language}.qm" for language in QT_TRANSLATIONS}
        if "qml" in path.parts:
            return False
        if "plugins" in path.parts:
            plugin = f"{path.parent.name}/{path.name}"
            return any(fnmatch.fnmatchcase(plugin, pattern) for pattern in QT_PLUGINS)
    return not (path.parent.name.endswith(".dist-info") and path.name in _BUILD_RECORDS) and "sboms" not in path.parts


def is_of_distribution(source: str) -> bool:
    """A library of the Linux distribution (a package depends on it), not of a wheel and not Python itself."""
    path = PurePosixPath(Path(source).resolve().as_posix())
    system = path.is_relative_to("/lib") or path.is_relative_to("/usr/lib")
    return system and not any(part.startswith(("python", "libpython", "site-packages")) for part in path.parts)


def size(folder: Path) -> int:
    """Bytes of all files below the folder; a link counts nothing."""
    return sum(path.lstat().st_size for path in _files(folder))


def faults(folder: Path) -> list[str]:
    """What is wrong with a built folder: too big, something in it that must not be, something missing."""
    found: list[str] = []
    if (bytes_ := size(folder)) > FOLDER_LIMIT:
        found.append(f"the folder has {megabytes(bytes_)}, more than {megabytes(FOLDER_LIMIT)}")
    found += [
        f"must not be in the folder: {path.relative_to(folder)}"
        for path in sorted(folder.rglob("*"))
        if any(fnmatch.fnmatchcase(path.name.lower(), pattern) for pattern in FORBIDDEN)
    ]
    there = {path.relative_to(folder).as_posix() for path in _files(folder)}
    resources = (path.relative_to(ROOT).as_posix() for path in _files(ROOT / "resources") if path.suffix != ".ts")
    for resource in sorted(resources):
        if not any(place.endswith(f"{PACKAGE}/{resource}") for place in there):
            found.append(f"missing in the folder: {resource}")
    return found


def megabytes(amount: int) -> str:
    """A size for people, in millions of bytes."""
    return f"{amount / 1_000_000:.1f} MB"


def largest(folder: Path, count: int) -> Iterable[tuple[int, str]]:
    """The largest files below the folder."""
    sizes = ((path.lstat().st_size, path.relative_to(folder).as_posix()) for path in _files(folder))
    return sorted(sizes, reverse=True)[:count]


def binaries(folder: Path) -> list[Path]:
    """Programs and libraries for Linux below the folder."""
    return sorted(path for path in _files(folder) if _starts_with(path, b"\x7fELF"))


def _starts_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
