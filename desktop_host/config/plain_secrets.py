"""Secrets that stand in plain text in a server's entry, and their way into the keyring."""

import re
from dataclasses import replace

from desktop_host.config.servers_file import ServerEntry

_NAME = re.compile(r"token|secret|passw|api_?key|apikey|_key$|^key$|credential|authorization|cookie", re.IGNORECASE)
_VALUE = re.compile(r"^(?:Bearer |Basic )?(?:sk-|ghp_|gho_|github_pat_|xox[abp]-|glpat-|AKIA|AIza|ya29\.|eyJ)")
_PLACE = re.compile(r"\$\{[^}]*\}")
_ESCAPED = re.compile(r"[%}]|:(?=-)|^-")
"""What would end the name in a reference, or begin its default."""


def plain_secrets(entry: ServerEntry) -> list[tuple[str, str]]:
    """The places of an entry that seem to hold a secret in plain text: ("env" or "headers", its name)."""
    return [
        (part, key)
        for part, values in (("env", entry.env), ("headers", entry.headers))
        for key, value in values.items()
        if value and not _PLACE.search(value) and (_NAME.search(key) or _VALUE.match(value))
    ]


def moved_secrets(entry: ServerEntry) -> tuple[ServerEntry, dict[str, str]]:
    """The entry with references in the place of its secrets, and what is to be kept in the keyring by which name."""
    kept: dict[str, str] = {}
    parts: dict[str, dict[str, str]] = {"env": dict(entry.env), "headers": dict(entry.headers)}
    for part, key in plain_secrets(entry):
        plain = f"{entry.name}/{key}" if part == "env" or key not in entry.env else f"{entry.name}/{part}/{key}"
        own = _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", plain)
        kept[own] = parts[part][key]
        parts[part][key] = f"${{secret:{own}}}"
    return replace(entry, env=parts["env"], headers=parts["headers"]), kept
