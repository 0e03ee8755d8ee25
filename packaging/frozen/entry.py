"""The frozen program's entry. What is installed beside the program as an optional part is found there."""

import sys
from pathlib import Path

from desktop_host.__main__ import main

sys.path.append(str(Path(sys.executable).resolve().parent / "practice"))
main()
