"""Commands that fetch whatever version is the newest when they start: what was approved need not be what runs."""

import re
from collections.abc import Iterator, Sequence

_RUNNERS = (
    ("npx",), ("bunx",), ("pnpx",), ("npm", "exec"), ("npm", "x"), ("pnpm", "dlx"), ("yarn", "dlx"), ("bun", "x"),
    ("uvx",), ("uv", "tool", "run"), ("uv", "x"), ("pipx", "run"), ("deno", "run"),
)  # fmt: skip
_CONTAINERS = ("docker", "podman", "nerdctl")
_WITH_VALUE = frozenset(
    ["-p", "--package", "--from", "--with", "--python", "--spec", "--index", "--index-url", "--registry",
     "--node-options", "-c", "--call", "--directory", "--cache", "--prefix", "--userconfig", "--pip-args"]
)  # fmt: skip
"""Options of runners whose value is the next argument; of these the packages count too."""
_PACKAGES = frozenset(["-p", "--package", "--from", "--with", "--spec"])
_FLAGS_OF_RUN = frozenset(
    ["-i", "-t", "-it", "-ti", "-d", "--rm", "--init", "--privileged", "--interactive", "--tty", "--detach", "-P",
     "--read-only", "--sig-proxy", "--no-healthcheck", "--quiet", "-q"]
)  # fmt: skip
"""Options of `docker run` that have no value of their own."""
_EXACT = re.compile(r"\d+(?:\.\d+)*(?:[-+.]?(?:a|b|rc|alpha|beta|dev|post)[-.]?\d*)*(?:\+[0-9A-Za-z.]+)?")
_EXACT_NPM = re.compile(r"v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
_DIGEST = re.compile(r"@sha256:[0-9a-f]{64}$")


def floats(command: str, args: Sequence[str]) -> bool:
    """A command names no exact version of what it fetches."""
    words = [_name(command), *args]
    if words[0] in ("cmd", "powershell", "pwsh") and len(words) > 2:
        words = next(([_name(word), *words[place + 1 :]] for place, word in enumerate(words) if _known(word)), words)
    if words[0] in _CONTAINERS:
        image = _image(words[1:])
        return image is not None and not _DIGEST.search(image)
    runner = next((one for one in _RUNNERS if tuple(words[: len(one)]) == one), None)
    if runner is None:
        return False
    packages = list(_packages(words[len(runner) :]))
    if runner[0] == "deno":
        packages = [
            one.removeprefix("npm:").removeprefix("jsr:") for one in packages if one.startswith(("npm:", "jsr:"))
        ]
    pattern = _EXACT if runner[0] in ("uvx", "uv", "pipx") else _EXACT_NPM  # there 1.2 is every 1.2.x
    return any(not _is_exact(one, pattern) for one in packages)


def _name(command: str) -> str:
    name = re.split(r"[/\\]", command)[-1].lower()
    return re.sub(r"\.(?:cmd|exe|bat|ps1)$", "", name)


def _known(word: str) -> bool:
    return _name(word) in _CONTAINERS or any(one[0] == _name(word) for one in _RUNNERS)


def _packages(args: Sequence[str]) -> Iterator[str]:
    """What a runner fetches: the packages its options name, and its first plain word."""
    named = False
    rest = iter(args)
    for arg in rest:
        option, equals, value = arg.partition("=")
        if option in _WITH_VALUE:
            value = value if equals else next(rest, "")
            if option in _PACKAGES:
                named = named or option != "--with"
                yield value
        elif arg == "--" or not arg.startswith("-"):
            word = next(rest, "") if arg == "--" else arg
            if not named and word:
                yield word
            return


def _is_exact(package: str, pattern: re.Pattern[str]) -> bool:
    if package.startswith((".", "/", "~")):  # a folder of the person's own
        return True
    for mark in ("==", "@"):
        name, found, version = package.rpartition(mark)
        if found and name.strip():
            return pattern.fullmatch(version.strip()) is not None
    return False


def _image(args: Sequence[str]) -> str | None:
    """The image that a container is made of; None where none is."""
    if "run" not in args:
        return None
    rest = iter(args[args.index("run") + 1 :])
    for arg in rest:
        if not arg.startswith("-"):
            return arg
        if "=" not in arg and arg not in _FLAGS_OF_RUN:
            next(rest, None)
    return ""
