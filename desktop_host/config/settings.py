"""The person's settings: one declared table, one JSON file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from desktop_host.config.files import FileProblem, read_json, write_atomic
from desktop_host.config.paths import config_dir
from desktop_host.terms.messages import Message, say
from desktop_host.terms.sensitive import PERSONAL_KINDS, SECRET_KINDS

VERSION = 1


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `title` and `help` are keys of `ui/messages.py`; `choices` empty means free text.

    `many`: it is any of the choices, with spaces between. `numbers`: a whole number, from the first to the second.
    `in_doubt`: what holds where the file cannot be read, so that nothing is allowed that the person had forbidden.
    """

    key: str
    default: str
    choices: tuple[str, ...] = ()
    many: bool = False
    numbers: tuple[int, int] | None = None
    in_doubt: str | None = None

    def takes(self, value: object) -> bool:
        """A value fits the declaration."""
        if not isinstance(value, str):
            return False
        if self.choices and not set(value.split() if self.many else [value]) <= set(self.choices):
            return False
        if self.numbers is None:
            return True
        return value.isascii() and value.isdigit() and self.numbers[0] <= int(value) <= self.numbers[1]

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
    Setting("rules.suspended", "no", ("no", "yes"), in_doubt="yes"),
    Setting("rules.allow_sampling", "yes", ("no", "yes"), in_doubt="no"),
    Setting("rules.allow_roots", "yes", ("no", "yes"), in_doubt="no"),
    Setting("rules.allow_tools", "yes", ("no", "yes"), in_doubt="no"),
    Setting("record.values", "no", ("no", "yes")),
    Setting("record.masked", "", PERSONAL_KINDS, many=True),
    Setting("prompts.marked", " ".join(SECRET_KINDS), (*SECRET_KINDS, *PERSONAL_KINDS), many=True),
    Setting("record.days", "365", numbers=(1, 36_500)),
    Setting("record.megabytes", "500", numbers=(1, 100_000)),
    Setting("limits.requests_per_minute", "60", numbers=(1, 10_000)),
    Setting("limits.sampling_per_minute", "60", numbers=(1, 10_000)),
    Setting("limits.waiting", "4", numbers=(1, 32)),
    Setting("limits.tokens_per_day", "2000000", numbers=(1, 1_000_000_000)),
    Setting("limits.cost_per_day", "10", numbers=(0, 100_000)),
    Setting("limits.message_kilobytes", "32", numbers=(1, 1024)),
    Setting("limits.schema_kilobytes", "1024", numbers=(1, 16_384)),
    Setting("models.preferred", ""),
    Setting("models.weigh", "server", ("server", "cost", "speed", "intelligence")),
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
            self._doubt()
            return
        if content is None:
            return
        if not isinstance(content, dict):
            self.problems.append(say("file.not_object", file=str(self.path)))
            self._doubt()
            return
        for key, value in cast("dict[str, Any]", content).items():
            self._take(key, value)

    def _doubt(self) -> None:
        self._values = {one.key: one.in_doubt for one in SETTINGS if one.in_doubt is not None}

    def _take(self, key: str, value: object) -> None:
        setting = _BY_KEY.get(key)
        if setting is None:
            self._unknown[key] = value
        elif not setting.takes(value):
            self.problems.append(say("settings.bad_value", key=key, file=str(self.path)))
            if setting.in_doubt is not None:
                self._values[key] = setting.in_doubt
        else:
            self._values[key] = str(value)

    def __getitem__(self, key: str) -> str:
        return self._values.get(key, _BY_KEY[key].default)

    def number(self, key: str) -> int:
        """The value of a setting that is a number."""
        return int(self[key])

    def chosen(self, key: str) -> frozenset[str]:
        """The choices of a setting that has many."""
        return frozenset(self[key].split())

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
