"""Where programs are: what a terminal knows and a program started from a desktop does not (platform.md, GUI PATH)."""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from desktop_host.config.files import FileProblem
from desktop_host.terms.messages import Message, say

_SHELL_LIMIT = 5.0
"""Seconds that the person's login shell may take to tell its PATH."""
_USUAL = (
    "~/.local/bin",
    "~/.cargo/bin",
    "~/.bun/bin",
    "~/.deno/bin",
    "~/.volta/bin",
    "/opt/homebrew/bin",
    "/usr/local/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/snap/bin",
)
_COMES_WITH = {
    "npx": "node",
    "npm": "node",
    "node": "node",
    "uvx": "uv",
    "uv": "uv",
    "docker": "docker",
    "podman": "docker",
    "bunx": "bun",
    "bun": "bun",
    "deno": "deno",
    "python": "python",
    "python3": "python",
    "pipx": "pipx",
}
"""What has to be installed for a command to be there; ends of the message keys `connect.needs_*`."""


class Programs:
    """Finds commands. The login shell is asked once, at the first search; a terminal's environment is whole already.

    `ask_shell`: None finds out whether this process was started from a terminal.
    """

    def __init__(self, ask_shell: bool | None = None, environ: Mapping[str, str] = os.environ) -> None:
        self._ask_shell = ask_shell
        self._environ = environ
        self._lock = threading.Lock()
        self._path: str | None = None

    def path(self) -> str:
        """The PATH that servers get. May block for some seconds, once."""
        with self._lock:
            if self._path is None:
                own = self._split(self._environ.get("PATH", os.defpath))
                login = self._split(self._login_path())
                usual = [found for one in _USUAL if Path(found := str(Path(one).expanduser())).is_dir()]
                # What this process was given beyond the login shell's PATH was meant for it.
                beyond = [one for one in own if one not in login]
                self._path = os.pathsep.join(dict.fromkeys([*(beyond if login else own), *login, *own, *usual]))
            return self._path

    def find(self, command: str, cwd: str = "", path: str = "") -> str:
        """The program that a command runs, as a whole path. `path`: a PATH of the server's own.

        Blocks. Raises FileProblem that says what is missing and how it is installed.
        """
        if cwd and not os.path.isdir(expanded(cwd)):
            raise FileProblem(say("connect.no_folder", path=cwd))
        plain = expanded(command)
        if os.path.dirname(plain):
            program = os.path.join(expanded(cwd), plain) if cwd else plain
            if not os.path.isfile(program):
                raise FileProblem(say("connect.no_program", command=command))
            found = shutil.which(program)
            if found is None:
                raise FileProblem(say("connect.not_allowed", command=command))
            return os.path.abspath(found)
        found = shutil.which(plain, path=path or self.path())
        if found is None:
            raise FileProblem(missing(command))
        return os.path.abspath(found)

    def environment(self, program: str, given: Mapping[str, str]) -> dict[str, str]:
        """What a server's process gets: few of our variables, a PATH that begins where its program is, and `given`."""
        # Its program may need its neighbours: npx is a script that wants the node beside it.
        path = os.pathsep.join(dict.fromkeys([os.path.dirname(program), *self._split(self.path())]))
        kept = _KEPT_WINDOWS if sys.platform == "win32" else _KEPT
        own = {name: self._environ[name] for name in kept if name in self._environ}
        plain = {name: value for name, value in own.items() if not value.startswith("()")}  # no functions of a shell
        return {**plain, "PATH": path, **given}

    def _login_path(self) -> str:
        if sys.platform == "win32":
            return ""
        asks = self._ask_shell
        if asks is None:
            asks = not _from_terminal()
        return (login_path(self._environ.get("SHELL", "")) or "") if asks else ""

    @staticmethod
    def _split(path: str) -> list[str]:
        return [one for one in path.split(os.pathsep) if one]


_KEPT = ("HOME", "LOGNAME", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "XDG_RUNTIME_DIR")
_KEPT_WINDOWS = (
    "APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA",
    "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
)  # fmt: skip


def _from_terminal() -> bool:
    try:
        return sys.stdin is not None and sys.stdin.isatty()
    except ValueError:  # it was closed
        return False


def login_path(shell: str, limit: float = _SHELL_LIMIT) -> str | None:
    """The PATH of a login shell, None where it does not tell in time. Its whole process group ends with it."""
    if not shell or not os.path.isabs(shell) or not os.access(shell, os.X_OK):
        return None
    mark = secrets.token_hex(8)
    script = f"printf %s {mark}; printenv PATH; printf %s {mark}"
    try:
        process = subprocess.Popen(
            [shell, "-ilc", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "TERM": "dumb"},
        )
    except OSError:
        return None
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end_group(process)
    _, first, rest = output.decode("utf-8", errors="surrogateescape").partition(mark)
    path, second, _ = rest.partition(mark)
    return path.strip() if first and second and path.strip() else None


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def expanded(path: str) -> str:
    """A path with the person's own folder in the place of `~`, as people write it in configurations."""
    return os.path.expanduser(path)


def missing(command: str) -> Message:
    """That a command is not there, and what to install for it."""
    name = os.path.basename(command).lower().removesuffix(".exe").removesuffix(".cmd")
    comes_with = _COMES_WITH.get(name)
    return (
        say(f"connect.needs_{comes_with}", command=command)
        if comes_with
        else say("connect.no_command", command=command)
    )


PROGRAMS = Programs()
"""One for the whole process, as its environment is."""
