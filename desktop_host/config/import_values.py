"""What the entries of other hosts' files are made of, each value with its type; and the formats that are no JSON."""

import re
import tomllib
from collections.abc import Iterable
from typing import Any, cast

from desktop_host.config.files import FileProblem
from desktop_host.config.servers_file import ERAS
from desktop_host.terms.messages import Message, say

ADDRESS = ("url", "httpUrl", "serverUrl", "uri", "endpoint")


class BadValue(Exception):
    """A value is of another type than it should be; `path` leads to it from its entry."""

    def __init__(self, message: Message, *path: str) -> None:
        super().__init__(message.key)
        self.message = message
        self.path = path


def member(content: dict[str, Any], path: Iterable[str]) -> Any:
    """What stands at a path, None where nothing does."""
    found: Any = content
    for part in path:
        if not isinstance(found, dict) or part not in found:
            return None
        found = cast("dict[str, Any]", found)[part]
    return found


def bare(content: dict[str, Any]) -> dict[str, Any] | None:
    """Servers without a group around them, as people paste them; None where there are none."""
    keys = {"command", *ADDRESS}
    inner = [cast("dict[str, Any]", one) for one in content.values() if isinstance(one, dict)]
    return content if inner and len(inner) == len(content) and all(keys & one.keys() for one in inner) else None


def text_of(values: dict[str, Any], *keys: str) -> str:
    """The first of these keys that is there, "" where none is. Raises BadValue."""
    for key in keys:
        if key in values:
            if not isinstance(values[key], str):
                raise BadValue(say("import.not_text"), key)
            return values[key]
    return ""


def list_of(values: dict[str, Any], key: str) -> list[str]:
    """Texts. Raises BadValue."""
    found = values.get(key, [])
    if not isinstance(found, list):
        raise BadValue(say("import.not_list"), key)
    texts: list[str] = []
    for number, one in enumerate(cast("list[Any]", found)):
        if isinstance(one, bool) or not isinstance(one, str | int | float):
            raise BadValue(say("import.not_text"), key, str(number))
        texts.append(str(one))
    return texts


def map_of(values: dict[str, Any], *keys: str) -> dict[str, str]:
    """Texts by name, of the first of these keys that is there. Raises BadValue."""
    for key in keys:
        if key in values:
            found = values[key]
            if not isinstance(found, dict):
                raise BadValue(say("import.not_object"), key)
            made: dict[str, str] = {}
            for name, value in cast("dict[str, Any]", found).items():
                if value is None:
                    continue
                if isinstance(value, bool) or not isinstance(value, str | int | float):
                    raise BadValue(say("import.not_text"), key, name)
                made[name] = str(value)
            return made
    return {}


def era_of(own: dict[str, Any]) -> str:
    """The protocol era of our own keys. Raises BadValue."""
    era = own.get("era", "auto")
    if era not in ERAS:
        raise BadValue(say("import.bad_era"), "desktopHost", "era")
    return era


def timeout_of(own: dict[str, Any], values: dict[str, Any]) -> float:
    """Seconds. Other hosts count theirs in seconds or in thousandths and do not say which; Codex says it."""
    key, found = (
        ("desktopHost", own["timeout"])
        if "timeout" in own
        else ("tool_timeout_sec", values.get("tool_timeout_sec", 300.0))
    )
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < 1e9:
        raise BadValue(say("import.bad_timeout"), key)
    return float(found)


def read_toml(text: str, name: str) -> Any:
    """Read TOML. Raises FileProblem with line and column."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(place.group(1)), int(place.group(2))) if place else (1, 1)
        raise FileProblem(say("file.not_toml", file=name, line=line, column=column)) from None


def read_yaml(text: str, name: str) -> Any:
    """Read YAML. Raises FileProblem with line and column."""
    import yaml  # only for who has such a file: the first paint shall not wait for it

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        raise FileProblem(say("file.not_yaml", file=name, line=line, column=column)) from None
