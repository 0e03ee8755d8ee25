"""Writes the whole resolved set of packages into `pyproject.toml` as constraints: names and versions, no addresses."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START, END = "constraint-dependencies = [", "]"


def main() -> None:
    """Read `uv.lock`, write the constraints."""
    locked = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    versions: dict[str, list[tuple[str, list[str]]]] = {}
    for package in locked:
        if "version" in package and package["name"] != "desktop-host":
            markers = package.get("resolution-markers", [])
            versions.setdefault(package["name"], []).append((package["version"], markers))
    lines = [line for name, found in sorted(versions.items()) for line in _lines(name, found)]
    path = ROOT / "pyproject.toml"
    text = re.sub(r"constraint-dependencies = \[.*?\n\]\n", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    block = "\n".join([START, *(f"  {line}," for line in lines), END, ""])
    path.write_text(text.replace("[tool.uv]\n", f"[tool.uv]\n{block}"), encoding="utf-8")


def _lines(name: str, found: list[tuple[str, list[str]]]) -> list[str]:
    """One line a package; where the set forks by Python version, one a fork with its marker."""
    if len(found) == 1:
        return [f'"{name}=={found[0][0]}"']
    lines: list[str] = []
    for version, markers in found:
        old = any("< '3.12'" in marker for marker in markers)
        lines.append(f"\"{name}=={version}; python_version {'<' if old else '>='} '3.12'\"")
    return lines


if __name__ == "__main__":
    main()
