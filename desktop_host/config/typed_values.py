"""Values of a decoded file, each with the type that it should have; files say what they like."""

from typing import Any, cast

from desktop_host.terms.messages import Message, say


class BadValue(Exception):
    """A value is not what it should be; `path` leads to it from what is read, lists by their numbers."""

    def __init__(self, message: Message, *path: str) -> None:
        super().__init__(message.key)
        self.message = message
        self.path = path


def is_object(value: object) -> bool:
    """It is an object of JSON, a table of TOML or a mapping of YAML."""
    return isinstance(value, dict)


def object_of(value: object, *path: str) -> dict[str, Any]:
    """An object; names that are no texts, as YAML has them, become texts. Raises BadValue."""
    if not isinstance(value, dict):
        raise BadValue(say("import.not_object"), *path)
    return {str(name): one for name, one in cast("dict[Any, Any]", value).items()}


def text_of(value: object, *path: str) -> str:
    """A text. Raises BadValue."""
    if not isinstance(value, str):
        raise BadValue(say("import.not_text"), *path)
    return value


def flag_of(value: object, *path: str) -> bool:
    """True or false. Raises BadValue."""
    if not isinstance(value, bool):
        raise BadValue(say("import.not_bool"), *path)
    return value


def word_of(value: object, *path: str) -> str:
    """A text, or a number as one. Raises BadValue."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadValue(say("import.not_text"), *path)
    return str(value)


def words_of(value: object, *path: str) -> list[str]:
    """Texts or numbers. Raises BadValue."""
    if not isinstance(value, list):
        raise BadValue(say("import.not_list"), *path)
    return [word_of(one, *path, str(number)) for number, one in enumerate(cast("list[object]", value))]


def texts_of(value: object, *path: str) -> list[str]:
    """Texts. Raises BadValue."""
    if not isinstance(value, list):
        raise BadValue(say("import.not_list"), *path)
    return [text_of(one, *path, str(number)) for number, one in enumerate(cast("list[object]", value))]


def words_by_name(value: object, *path: str) -> dict[str, str]:
    """Texts or numbers by name; a null is none. Raises BadValue."""
    found = object_of(value, *path)
    return {name: word_of(one, *path, name) for name, one in found.items() if one is not None}
