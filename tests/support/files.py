"""The program's files, as the tests look into them."""

from pathlib import Path


def on_disk(folders: Path, text: str) -> list[Path]:
    """The program's files that hold a text."""
    files = [path for name in ("config", "data") for path in (folders / name).rglob("*") if path.is_file()]
    return [path for path in files if text.encode() in path.read_bytes()]
