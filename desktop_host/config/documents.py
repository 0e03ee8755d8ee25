"""Files that people write by hand, read with the places of everything in them: JSON with comments, TOML and YAML."""

import re
import tomllib
from typing import Any, Protocol, cast

from desktop_host.config.files import FileProblem, parse_json
from desktop_host.config.jsonc import Places, line_and_column
from desktop_host.terms.messages import say

Path = tuple[str, ...]


class Document(Protocol):
    """A file's content. Paths are the names on the way to a value, lists by their numbers."""

    content: Any

    def place(self, path: Path) -> tuple[int, int]:
        """Line and column of the value at a path, or of the deepest there is on the way to it; they count from 1."""
        ...

    def repeated(self, path: Path) -> list[str]:
        """Names that stand more than once in the object at a path: only the last of them was read."""
        ...


def read_document(text: str, name: str) -> Document:
    """Read a text; the end of `name` tells its format. Raises FileProblem with line and column."""
    plain = text.removeprefix("\ufeff")
    lower = name.lower()
    if lower.endswith(".toml"):
        return _Toml(plain, name)
    return _Yaml(plain, name) if lower.endswith((".yaml", ".yml")) else _Json(plain, name)


class _Json:
    def __init__(self, text: str, name: str) -> None:
        self.content: Any = parse_json(text, name)
        self._text = text
        self._places = Places(text)

    def place(self, path: Path) -> tuple[int, int]:
        return line_and_column(self._text, self._places.of(*path))

    def repeated(self, path: Path) -> list[str]:
        return self._places.repeated(*path)


class _Toml:
    """A name that stands twice is no TOML."""

    _TABLE = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?")
    _KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[\w-]+)\s*[.=]""")

    def __init__(self, text: str, name: str) -> None:
        self._lines = text.replace("\r\n", "\n").split("\n")
        try:
            self.content: Any = tomllib.loads("\n".join(self._lines))
        except (ValueError, RecursionError) as error:  # mistakes, and numbers or lists without end
            found = re.search(r"line (\d+), column (\d+)", str(error))
            place = (int(found[1]), int(found[2])) if found else (1, 1)
            if "end of document" in str(error):
                place = (len(self._lines), len(self._lines[-1]) + 1)
            raise FileProblem(say("file.not_toml", file=name, line=place[0], column=place[1])) from None
        self._places: dict[Path, tuple[int, int]] = {}
        table: Path = ()
        for number, line in enumerate(self._lines, 1):
            if head := self._TABLE.fullmatch(line):
                table = self._names(head[1])
                self._places.setdefault(table, (number, line.index("[") + 1))
            elif key := self._KEY.match(line):
                self._places.setdefault((*table, key[1].strip("\"'")), (number, key.start(1) + 1))

    def place(self, path: Path) -> tuple[int, int]:
        known = (self._places.get(path[:length]) for length in range(len(path), 0, -1))
        return next((place for place in known if place is not None), (1, 1))

    def repeated(self, path: Path) -> list[str]:
        return []

    @staticmethod
    def _names(head: str) -> Path:
        names: list[str] = []
        try:
            inner: Any = tomllib.loads(f"[{head}]")
        except ValueError:
            return ()
        while inner := cast("dict[str, Any]", inner):
            name, inner = next(iter(inner.items()))
            names.append(name)
        return tuple(names)


_MOST_PARTS = 1_000_000


def _parts(value: Any, known: dict[int, int]) -> int:
    """How many values there are in a value, those that aliases repeat counted each time."""
    if not isinstance(value, dict | list):
        return 1
    place = id(cast("object", value))
    if place not in known:
        known[place] = 1  # of one that holds itself
        inner = cast("dict[Any, Any]", value).values() if isinstance(value, dict) else cast("list[Any]", value)
        known[place] = 1 + sum(_parts(one, known) for one in inner)
    return known[place]


class _Yaml:
    def __init__(self, text: str, name: str) -> None:
        import yaml  # only for who has such a file: the first paint shall not wait for it

        self._scalar, self._mapping, self._sequence = yaml.ScalarNode, yaml.MappingNode, yaml.SequenceNode
        try:
            self.content: Any = yaml.safe_load(text)
            self._root: Any = cast("Any", yaml).compose(text, Loader=yaml.SafeLoader)
            without_end = _parts(self.content, {}) > _MOST_PARTS
        except (yaml.YAMLError, ValueError, RecursionError) as error:  # dates that are none, lists without end
            mark: Any = getattr(error, "problem_mark", None)
            line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
            raise FileProblem(say("file.not_yaml", file=name, line=line, column=column)) from None
        if without_end:
            raise FileProblem(say("file.not_yaml", file=name, line=1, column=1))

    def place(self, path: Path) -> tuple[int, int]:
        node = self._root
        for name in path:
            inner = next((value for key, value in self._children(node) if key == name), None)
            if inner is None:
                break
            node = inner
        return (1, 1) if node is None else (node.start_mark.line + 1, node.start_mark.column + 1)

    def repeated(self, path: Path) -> list[str]:
        return []

    def _children(self, node: Any) -> list[tuple[str, Any]]:
        if isinstance(node, self._sequence):
            return [(str(number), one) for number, one in enumerate(node.value)]
        if isinstance(node, self._mapping):
            return [(key.value, one) for key, one in node.value if isinstance(key, self._scalar)]
        return []
