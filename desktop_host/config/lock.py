"""One program at a time: a lock that the operating system lets go of whatever ends its holder."""

import sys
from io import BufferedRandom
from pathlib import Path


class FolderLock:
    """The right to take up what an earlier run left in a folder. Blocking, but for moments only."""

    def __init__(self, folder: Path) -> None:
        self._path = folder.with_suffix(".lock")
        self._file: BufferedRandom | None = None

    def acquire(self) -> bool:
        """Take the lock, or say that another program has it."""
        if self._file is not None:
            return True
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = self._path.open("a+b")
        except OSError:
            return False
        try:
            _lock(file)
        except OSError:
            file.close()
            return False
        self._file = file
        return True

    def release(self) -> None:
        """Let the next one have it."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _lock(file: BufferedRandom) -> None:
    """Raises OSError where another process holds the lock."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
