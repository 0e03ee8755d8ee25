"""The person's settings: one declared table, one JSON file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.terms.messages import Message, say

VERSION = 1


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `title` and `help` are keys of `ui/messages.py`; `choices` empty means free text."""

    key: str
    default: str
    choices: tuple[str, ...] = ()

    @property
    def title(self) -> Message:
        """Its name in words."""
        return say(f"setting.{self.key}")

    @property
    def help(self) -> Message:
        """What it does, in a sentence."""
        return say(f"setting.{self.key}.help")


SETTINGS = (
    Setting("language", "system", ("system", "en", "zh_CN")),
    Setting("theme", "system", ("system", "light", "dark")),
    Setting("network.ca_file", ""),
    Setting("rules.suspended", "no", ("no", "yes")),
    Setting("record.values", "no", ("no", "yes")),
)
_BY_KEY = {setting.key: setting for setting in SETTINGS}


class Settings:
    """The settings as they stand. A value that does not fit its declaration is ignored and reported."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or config_dir() / "settings.json"
        self.problems: list[Message] = []
        self._values: dict[str, str] = {}
        self._unknown: dict[str, Any] = {}
        self.reload()

    def reload(self) -> None:
        """Read the file again; a broken one leaves the defaults and a problem."""
        self.problems = []
        self._values, self._unknown = {}, {}
        try:
            content: Any = read_json(self.path)
        except FileProblem as problem:
            self.problems.append(problem.message)
            return
        if content is None:
            return
        if not isinstance(content, dict):
            self.problems.append(say("file.not_object", file=str(self.path)))
            return
        for key, value in cast("dict[str, Any]", content).items():
            self._take(key, value)

    def _take(self, key: str, value: object) -> None:
        setting = _BY_KEY.get(key)
        if setting is None:
            self._unknown[key] = value
        elif not isinstance(value, str) or (setting.choices and value not in setting.choices):
            self.problems.append(say("settings.bad_value", key=key, file=str(self.path)))
        else:
            self._values[key] = value

    def __getitem__(self, key: str) -> str:
        return self._values.get(key, _BY_KEY[key].default)

    def as_dict(self) -> Mapping[str, str]:
        """Every declared setting with its value."""
        return {setting.key: self[setting.key] for setting in SETTINGS}

    def change(self, values: Mapping[str, str]) -> None:
        """Set and save. Keys of later versions in the file are kept. Raises FileProblem and KeyError."""
        for key, value in values.items():
            if value == _BY_KEY[key].default:
                self._values.pop(key, None)
            else:
                self._values[key] = value
        content = {**self._unknown, "version": VERSION, **self._values}
        write_atomic(self.path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
