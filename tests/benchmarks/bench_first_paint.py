"""From the start of the process to the first paint of the main window, off-screen.

``python -m tests.benchmarks.bench_first_paint [--runs N]``. Compiled files are made in a folder of their own first.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks.tools import own_folders, spread

ROOT = Path(__file__).parents[2]


def child() -> None:
    """The program itself, which ends as soon as it is painted."""
    from desktop_host.app import Program, main

    def painted() -> None:
        print(time.monotonic(), flush=True)
        os._exit(0)

    def ready(program: Program) -> None:
        program.window.painted.connect(painted)

    main(ready=ready)


def measure(environment: dict[str, str]) -> float:
    """One start in milliseconds; the clock is the system's, so parent and child read the same one."""
    argv = [sys.executable, "-m", "tests.benchmarks.bench_first_paint", "--child"]
    start = time.monotonic()
    done = subprocess.run(argv, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    return (float(done.stdout) - start) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child()
        return
    with own_folders() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        measure(environment)
        print(f"process start to first paint: {spread([measure(environment) for _ in range(options.runs)])}")
        empty = [sys.executable, "-c", "pass"]
        times: list[float] = []
        for _ in range(options.runs):
            start = time.monotonic()
            subprocess.run(empty, env=environment, check=True)
            times.append((time.monotonic() - start) * 1000)
        print(f"of which an empty Python takes: {spread(times)}")


if __name__ == "__main__":
    main()
