"""Finding programs as a terminal would, and ending servers when the program is gone."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from desktop_host.config.files import FileProblem
from desktop_host.config.programs import Programs, login_path
from tests.support.processes import is_alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts of a Unix shell")


def script(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def programs(*folders: Path, shell: Path | None = None) -> Programs:
    environ = {"PATH": os.pathsep.join(map(str, folders))}
    return Programs(ask_shell=shell is not None, environ=environ | ({"SHELL": str(shell)} if shell else {}))


def shell_saying(folder: Path, path: str, before: str = "") -> Path:
    """A login shell whose start-up files set PATH, and write something else too."""
    return script(folder / "login", f'#!/bin/sh\n{before}\nPATH="{path}:$PATH"; export PATH\nexec /bin/sh -c "$2"\n')


def test_a_command_is_found_where_the_login_shell_has_it(tmp_path: Path) -> None:
    npx = script(tmp_path / "nvm" / "npx")
    shell = shell_saying(tmp_path, str(npx.parent), "echo Welcome")
    assert programs(tmp_path / "bin", shell=shell).find("npx") == str(npx)
    with pytest.raises(FileProblem) as none:
        programs(tmp_path / "bin").find("npx")
    assert none.value.message.key == "connect.needs_node"


def test_a_login_shell_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    shell = script(tmp_path / "login", f"#!/bin/sh\nsleep 60 &\necho $! > {note}\nwait\n")
    started = time.monotonic()
    assert login_path(str(shell), 0.3) is None
    assert time.monotonic() - started < 5
    deadline = started + 5  # a killed process is gone a moment after it was killed
    while is_alive(int(note.read_text())):
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("shell", ["", "bash", "/no/such/shell", "/bin/false"])
def test_a_shell_that_tells_nothing_costs_nothing(shell: str) -> None:
    assert login_path(shell, 1.0) is None


def test_what_this_process_was_given_comes_before_the_login_shell(tmp_path: Path) -> None:
    own, theirs = script(tmp_path / "venv" / "python-x"), script(tmp_path / "usr" / "python-x")
    shell = script(
        tmp_path / "login", f'#!/bin/sh\nPATH="{theirs.parent}:/usr/bin:/bin"; export PATH\nexec /bin/sh -c "$2"\n'
    )
    assert programs(own.parent, shell=shell).find("python-x") == str(own)


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("uvx", "connect.needs_uv"),
        ("docker", "connect.needs_docker"),
        ("no-such-thing", "connect.no_command"),
        ("./no-such-thing", "connect.no_program"),
        ("~/no-such-thing", "connect.no_program"),
    ],
)
def test_what_is_missing_is_named_with_how_to_get_it(tmp_path: Path, command: str, key: str) -> None:
    found = Programs(ask_shell=False, environ={"PATH": str(tmp_path)})
    found._path = str(tmp_path)
    with pytest.raises(FileProblem) as none:
        found.find(command)
    assert none.value.message.key == key


def test_a_file_that_may_not_be_run_and_a_folder_that_is_not_there_are_told_apart(tmp_path: Path) -> None:
    plain = script(tmp_path / "plain", mode=0o644)
    for arguments, key in (
        ((str(plain),), "connect.not_allowed"),
        (("sh", str(tmp_path / "gone")), "connect.no_folder"),
    ):
        with pytest.raises(FileProblem) as why:
            programs(Path("/bin")).find(*arguments)
        assert why.value.message.key == key


def test_a_path_is_taken_from_the_servers_folder(tmp_path: Path) -> None:
    made = script(tmp_path / "work" / "serve")
    assert programs(Path("/bin")).find("./serve", str(made.parent)) == str(made)


def test_a_server_gets_a_path_that_begins_at_its_program_and_no_other_variables(tmp_path: Path) -> None:
    npx = script(tmp_path / "node" / "npx")
    found = Programs(ask_shell=False, environ={"PATH": "/usr/bin", "HOME": "/home/ada", "AWS_SECRET_ACCESS_KEY": "x"})
    environment = found.environment(str(npx), {"TOKEN": "1"})
    assert environment["PATH"].split(os.pathsep)[:2] == [str(npx.parent), "/usr/bin"]
    assert {name: value for name, value in environment.items() if name != "PATH"} == {"HOME": "/home/ada", "TOKEN": "1"}
    assert found.environment(str(npx), {"PATH": "/own"})["PATH"] == "/own"


SERVERS = """
import asyncio, sys
from pathlib import Path
from desktop_host.config.servers_file import ServerEntry
from desktop_host.servers.stdio import ChildProcess, run_server

async def main():
    child = ChildProcess()
    async with run_server(ServerEntry("s", command="sh", args=("-c", sys.argv[1])), child, Path(sys.argv[2])):
        print(child.pid, flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    "what",
    ["sleep 60 & echo $! >> {pids}; wait", "trap '' TERM; sleep 60 & echo $! >> {pids}; while :; do sleep 1; done"],
    ids=["polite", "deaf"],
)
def test_no_server_outlives_a_program_that_is_killed(tmp_path: Path, what: str) -> None:
    pids = tmp_path / "pids"
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(SERVERS))
    command = [sys.executable, str(program), what.format(pids=pids), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        server = int(process.stdout.readline())
        end = time.monotonic() + 10
        while not pids.exists() or not pids.read_text().strip():
            assert time.monotonic() < end
            time.sleep(0.02)
        started = {server, *map(int, pids.read_text().split())}
        time.sleep(0.5)  # the watchdog of a program that was killed in its first moments does not run yet
        assert all(map(is_alive, started))
        process.send_signal(signal.SIGKILL)
    end = time.monotonic() + 10
    while any(map(is_alive, started)):
        assert time.monotonic() < end, "the server goes on"
        time.sleep(0.05)
