"""Where other hosts on this computer keep their servers."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from desktop_host.config.files import FileProblem
from desktop_host.config.imports import LINK, Imported, parse_import, parse_link, read_import
from desktop_host.terms.messages import Message, say


@dataclass(frozen=True, slots=True)
class HostFile:
    """A file of another host: its name for people, and where it is."""

    host: str
    path: Path


@dataclass(frozen=True, slots=True)
class Source:
    """Something that servers may come from: what people call it, what it holds, or why it cannot be read."""

    title: str
    found: Imported = field(default_factory=Imported)
    problem: Message | None = None


def read_source(title: str, path: Path) -> Source:
    """What a file holds; blocks."""
    try:
        return Source(title, read_import(path.read_bytes(), str(path)))
    except OSError as error:
        return Source(title, problem=say("file.unreadable", file=str(path), what=error.strerror or ""))
    except FileProblem as problem:
        return Source(title, problem=problem.message)


def text_source(title: str, text: str) -> Source:
    """What a text holds that was pasted: a link of ours, or the content of a file."""
    try:
        plain = text.strip()
        found = parse_link(plain) if plain.startswith(LINK) else parse_import(text, title)
        return Source(title, found)
    except FileProblem as problem:
        return Source(title, problem=problem.message)


def other_hosts() -> list[Source]:
    """What other hosts on this computer have, of those that have any; blocks."""
    found = [read_source(f"{one.host} · {one.path}", one.path) for one in host_files()]
    return [one for one in found if one.found.entries or one.found.errors]


def host_files(home: Path | None = None) -> list[HostFile]:
    """The files of other hosts that are there. Looks at some twenty places: call it in a thread."""
    home = home or Path.home()
    places = [(host, home / name) for host, name in _IN_HOME]
    places += [(host, base / name) for base in _settings(home) for host, name in _IN_SETTINGS]
    found = [HostFile(host, path) for host, path in places]
    return [one for one in dict.fromkeys(found) if one.path.is_file()]


_IN_HOME = (
    ("Claude Code", ".claude.json"),
    ("Cursor", ".cursor/mcp.json"),
    ("Windsurf", ".codeium/windsurf/mcp_config.json"),
    ("Gemini CLI", ".gemini/settings.json"),
    ("Codex", ".codex/config.toml"),
    ("LM Studio", ".lmstudio/mcp.json"),
    ("LM Studio", ".cache/lm-studio/mcp.json"),
    ("Copilot CLI", ".copilot/mcp-config.json"),
    ("Cline", ".cline/data/settings/cline_mcp_settings.json"),
    ("goose", ".config/goose/config.yaml"),
    ("Zed", ".config/zed/settings.json"),
)
_CLINE = "User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
_IN_SETTINGS = (
    ("Claude Desktop", "Claude/claude_desktop_config.json"),
    ("VS Code", "Code/User/mcp.json"),
    ("VS Code", "Code/User/settings.json"),
    ("Cline", f"Code/{_CLINE}"),
    ("Zed", "Zed/settings.json"),
    ("goose", "Block/goose/config/config.yaml"),
)


def _settings(home: Path) -> list[Path]:
    """Where programs keep their settings on this system."""
    if sys.platform == "darwin":
        return [home / "Library" / "Application Support"]
    if sys.platform == "win32":
        return [Path(os.environ.get("APPDATA", home / "AppData" / "Roaming"))]
    return [home / ".config"]
