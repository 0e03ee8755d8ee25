"""Atomic writes, and JSON that people edit by hand."""

import codecs
import contextlib
import json
import os
import re
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from desktop_host.terms.messages import Message, say

_COMMENTS = re.compile(
    r"""("(?:[^"\\\n]|\\.)*")       # a string stays as it is
        |(//[^\n]*|/\*.*?\*/)       # a comment
        |(,)(?=(?:\s|//[^\n]*+|/\*.*?\*/)*+[\]}])  # a trailing comma""",
    re.VERBOSE | re.DOTALL,
)


class FileProblem(Exception):
    """A file cannot be used. `message` says where and what to do, with line and column where known."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.key)
        self.message = message


def write_atomic(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Replace `path` by `text` in one step (write, fsync, rename), keeping the last good one as `path.bak`.

    Raises FileProblem.
    """
    try:
        _replace(path.resolve(), text, mode)  # a link stays a link
    except OSError as error:
        what = error.strerror or type(error).__name__
        raise FileProblem(say("file.unwritable", file=str(path), what=what)) from None
    except UnicodeEncodeError:  # half a letter, as JSON can spell it, or an argument that is no UTF-8
        raise FileProblem(say("file.unwritable", file=str(path), what="UTF-8")) from None


def _replace(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        if path.exists():
            with contextlib.suppress(OSError):
                backup = path.with_suffix(path.suffix + ".bak")
                backup.write_bytes(path.read_bytes())
                backup.chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def without_comments(text: str) -> str:
    """JSON with comments, trailing commas and a byte order mark as plain JSON, every character at its old place."""
    return _COMMENTS.sub(_blank, text.removeprefix("\ufeff"))


def _blank(match: re.Match[str]) -> str:
    if match.group(1) is not None:
        return match.group(1)
    return re.sub(r"[^\n]", " ", match.group(0))


def parse_json(text: str, name: str) -> Any:
    """Read JSON with comments. Raises FileProblem with line and column."""
    try:
        try:
            return json.loads(text.removeprefix("\ufeff"))
        except ValueError:  # it takes twelve times as long to look for comments
            return json.loads(without_comments(text))
    except json.JSONDecodeError as error:
        raise FileProblem(
            say("file.not_json", file=name, line=error.lineno, column=error.colno, what=error.msg)
        ) from None
    except (ValueError, RecursionError):  # a number of thousands of digits, objects in objects without end
        raise FileProblem(
            say("file.not_json", file=name, line=1, column=1, what="too large a number, or too deep")
        ) from None


def encodable(content: Any) -> bool:
    """A decoded JSON value can be written again: none of its texts has half a letter, as JSON can spell it."""
    try:
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def decode_text(data: bytes) -> str:
    """The text of a file that people wrote: UTF-8, or UTF-16 with its mark as Windows writes it. Raises ValueError."""
    return data.decode("utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8")


def read_json(path: Path) -> Any:
    """Read a JSON file, None where there is no file. Raises FileProblem."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise FileProblem(say("file.not_utf8", file=str(path))) from None
    except OSError as error:
        raise FileProblem(say("file.unreadable", file=str(path), what=error.strerror or "")) from None
    return parse_json(text, str(path))


async def told(work: Coroutine[Any, Any, object]) -> Message | None:
    """Do what may fail at the person's files, and say why it did."""
    try:
        await work
    except FileProblem as problem:
        return problem.message
    return None
