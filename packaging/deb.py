"""Makes a Debian package of the frozen folder, with Debian's own tools."""

import gzip
import hashlib
import os
import shutil
import subprocess
import tempfile
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import bundle

LINUX = Path(__file__).resolve().parent / "linux"
APP_ID = "io.github.desktop_host.DesktopHost"
ICON = bundle.ROOT / "resources" / "icons" / "app" / "desktop-host.svg"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
_CONTROL = """\
Package: {name}
Version: {version}
Section: utils
Priority: optional
Architecture: {architecture}
Installed-Size: {kibibytes}
Maintainer: {maintainer}
Depends: ca-certificates, {depends}
Recommends: gnome-keyring | kwalletmanager | keepassxc
Description: desktop host for Model Context Protocol servers
 A native window in which a person meets their Model Context Protocol servers.
 It connects to servers in every revision of the protocol, offers their tools as
 forms and shares workspace folders with them.
 .
 Every question a server asks (a form, a link, a request to a language model,
 the shared folders) is put before the person, who sees who asks and why, edits
 anything and decides. Nothing is sent without them.
"""
_PART_CONTROL = """\
Package: {name}
Version: {version}
Section: utils
Priority: optional
Architecture: {architecture}
Installed-Size: {kibibytes}
Maintainer: {maintainer}
Depends: {program}, libc6, libgcc-s1, libgomp1, libstdc++6
Description: practice model for desktop-host
 A very small language model that answers the requests of Model Context
 Protocol servers on this computer, without a network and without an account.
 .
 It is there to try things out: it is often wrong.
"""
_SOURCE = "Source: {name}\n\nPackage: {name}\nArchitecture: any\n"
"""What dpkg-shlibdeps needs to know of a source package."""
_DEPENDS = "shlibs:Depends="


def build(folder: Path, out: Path, python: Path) -> Path:
    """Package the frozen folder. `python` has PySide6, which renders the icons."""
    architecture = _said(["dpkg", "--print-architecture"])
    with tempfile.TemporaryDirectory(prefix="desktop-host-deb-") as work:
        root = Path(work, "root")
        program = _install_program(folder, root)
        _install_files(root, python)
        control = _CONTROL.format(
            name=bundle.PROGRAM,
            version=bundle.version(),
            architecture=architecture,
            kibibytes=_kibibytes(root),
            maintainer=_maintainer(),
            depends=_depends(program, root, Path(work)),
        )
        _write(root / "DEBIAN" / "control", control.encode())
        return _pack(root, out / f"{bundle.PROGRAM}_{bundle.version()}_{architecture}.deb")


def build_part(folder: Path, out: Path) -> Path:
    """Package the practice model, which goes beside the program."""
    architecture, name = _said(["dpkg", "--print-architecture"]), bundle.PRACTICE_PACKAGE
    with tempfile.TemporaryDirectory(prefix="desktop-host-deb-") as work:
        root = Path(work, "root")
        shutil.copytree(folder, root / "usr" / "lib" / bundle.PROGRAM / bundle.PRACTICE)
        _write(root / "usr" / "share" / "doc" / name / "changelog.gz", _packed(LINUX / "changelog"))
        _write(root / "usr" / "share" / "doc" / name / "copyright", (LINUX / "copyright-practice-model").read_bytes())
        control = _PART_CONTROL.format(
            name=name,
            version=bundle.version(),
            architecture=architecture,
            kibibytes=_kibibytes(root),
            maintainer=_maintainer(),
            program=bundle.PROGRAM,
        )
        _write(root / "DEBIAN" / "control", control.encode())
        return _pack(root, out / f"{name}_{bundle.version()}_{architecture}.deb")


def released() -> int:
    """The time of the newest entry of the changelog, in seconds since 1970."""
    return int(_trailer()[1].timestamp())


def _pack(root: Path, package: Path) -> Path:
    """Make the package of a tree, with its checksums and modes."""
    _write(root / "DEBIAN" / "md5sums", _md5sums(root).encode())
    program = root / "usr" / "lib" / bundle.PROGRAM / bundle.PROGRAM
    for path in root.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == program else 0o644)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", root, package],
        env=os.environ | {"SOURCE_DATE_EPOCH": str(released())},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return package


def _install_program(folder: Path, root: Path) -> Path:
    program = root / "usr" / "lib" / bundle.PROGRAM
    shutil.copytree(folder, program, symlinks=True)
    link = root / "usr" / "bin" / bundle.PROGRAM
    link.parent.mkdir(parents=True)
    link.symlink_to(f"../lib/{bundle.PROGRAM}/{bundle.PROGRAM}")
    return program


def _install_files(root: Path, python: Path) -> None:
    name, share = bundle.PROGRAM, root / "usr" / "share"
    icons = share / "icons" / "hicolor"
    _write(share / "applications" / f"{name}.desktop", (LINUX / f"{name}.desktop").read_bytes())
    _write(share / "metainfo" / f"{APP_ID}.metainfo.xml", (LINUX / f"{APP_ID}.metainfo.xml").read_bytes())
    _write(share / "man" / "man1" / f"{name}.1.gz", _packed(LINUX / f"{name}.1"))
    _write(share / "doc" / name / "copyright", (LINUX / "copyright").read_bytes())
    _write(share / "doc" / name / "changelog.gz", _packed(LINUX / "changelog"))
    _write(icons / "scalable" / "apps" / f"{name}.svg", ICON.read_bytes())
    pictures = {size: icons / f"{size}x{size}" / "apps" / f"{name}.png" for size in ICON_SIZES}
    for picture in pictures.values():
        picture.parent.mkdir(parents=True)
    words = [f"{size}={picture}" for size, picture in pictures.items()]
    subprocess.run([python, LINUX.parent / "icons.py", ICON, *words], check=True)


def _depends(program: Path, root: Path, work: Path) -> str:
    """The packages with the libraries that ours ask for."""
    _write(work / "debian" / "control", _SOURCE.format(name=bundle.PROGRAM).encode())
    binaries = bundle.binaries(program)
    own = sorted({path.parent for path in binaries if ".so" in path.name})
    command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", f"-S{root}", *(f"-l{folder}" for folder in own)]
    done = subprocess.run([*command, *binaries], cwd=work, capture_output=True, text=True, check=False)
    said = done.stdout.strip()
    if done.returncode != 0 or not said.startswith(_DEPENDS):
        raise bundle.Failed(f"dpkg-shlibdeps found no dependencies:\n{done.stderr.strip()}")
    return said.removeprefix(_DEPENDS)


def _kibibytes(root: Path) -> int:
    """The size as Debian counts it: files rounded up to kibibytes, one for each folder and link."""
    return sum(1 if path.is_symlink() or path.is_dir() else -(-path.stat().st_size // 1024) for path in root.rglob("*"))


def _md5sums(root: Path) -> str:
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)


def _maintainer() -> str:
    return _trailer()[0]


def _trailer() -> tuple[str, datetime]:
    """Who made the newest entry of the changelog, and when."""
    lines = (LINUX / "changelog").read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if line.startswith(" -- "))
    who, _, when = line.removeprefix(" -- ").partition("  ")
    return who, parsedate_to_datetime(when)


def _packed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), compresslevel=9, mtime=0)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _said(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
