"""The address of a link, taken apart and looked at before anybody opens it (ELU-01 to ELU-08). Nothing is fetched."""

import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from desktop_host.terms.asks import Finding, Severity
from desktop_host.terms.messages import say

MAX_LENGTH = 8192
_SECOND_LEVEL = frozenset(["ac", "co", "com", "edu", "gov", "net", "org", "gob", "go", "ne", "or"])


@dataclass(frozen=True, slots=True)
class Address:
    """A link. `before`, `host` and `after` put together are `url` as sent; `registrable` is the host's strong part.

    `ascii_host` is what is really contacted where it differs from `host`. `error`: it must not be opened at all.
    """

    url: str
    before: str = ""
    host: str = ""
    after: str = ""
    registrable: str = ""
    ascii_host: str = ""
    error: str = ""

    @property
    def decoded(self) -> str:
        """The address with its escapes read, "" where that shows nothing new."""
        readable = unquote(self.url)
        return readable if readable != self.url and readable.isprintable() else ""


def read_address(url: str) -> Address:
    """Take an address apart. Never raises; `error` is a message key where the address is refused (ELU-07, ELU-08)."""
    if len(url) > MAX_LENGTH:
        return Address(url, error="link.too_long")
    if not url or any(character.isspace() or unicodedata.category(character)[0] == "C" for character in url):
        return Address(url, error="link.not_an_address")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return Address(url, error="link.not_an_address")
    if parts.scheme.lower() not in ("http", "https"):
        return Address(url, error="link.scheme")
    if not host or "\\" in url:
        return Address(url, error="link.not_an_address")
    if parts.scheme.lower() == "http" and not is_loopback(host):
        return Address(url, error="link.not_https")
    try:
        contacted = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return Address(url, error="link.not_an_address")
    start = url.lower().find(host, url.find("//") + 2 + len(_user(url)))
    shown = url[start : start + len(host)]
    return Address(
        url,
        url[:start],
        shown,
        url[start + len(host) :],
        _registrable(shown),
        contacted if contacted != host else "",
    )


def look_at(address: Address) -> tuple[Finding, ...]:
    """What is suspicious about an address that may be opened (ELU-06)."""
    if address.error:
        return ()
    findings: list[Finding] = []
    parts = urlsplit(address.url)
    if address.ascii_host or "xn--" in address.host:
        findings.append(
            _finding(
                Severity.DANGER,
                "link.other_script",
                host=address.host,
                sent=address.ascii_host or address.host,
            )
        )
    if parts.username is not None or parts.password is not None:
        findings.append(_finding(Severity.DANGER, "link.user_name", host=address.host))
    if _is_ip(address.host) and not is_loopback(address.host):
        findings.append(_finding(Severity.WARNING, "link.bare_ip", host=address.host))
    if is_loopback(address.host):
        findings.append(_finding(Severity.INFO, "link.this_computer"))
    elif parts.port not in (None, 80, 443):
        findings.append(_finding(Severity.WARNING, "link.odd_port", port=parts.port or 0))
    return tuple(findings)


def is_loopback(host: str) -> bool:
    """The host is this computer."""
    if host.lower().rstrip(".") == "localhost" or host.lower().endswith(".localhost"):
        return True
    return _is_ip(host) and ipaddress.ip_address(host.strip("[]")).is_loopback


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _user(url: str) -> str:
    authority = re.split(r"[/?#]", url.partition("//")[2], maxsplit=1)[0]
    return authority.rpartition("@")[0] + "@" if "@" in authority else ""


def _registrable(host: str) -> str:
    if _is_ip(host):
        return host
    labels = host.split(".")
    keep = 3 if len(labels) > 2 and labels[-2].lower() in _SECOND_LEVEL and len(labels[-1]) == 2 else 2
    return ".".join(labels[-keep:])


def _finding(severity: Severity, key: str, **values: str | int) -> Finding:
    return Finding(severity, say(key, **values))
