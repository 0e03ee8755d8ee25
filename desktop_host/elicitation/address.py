"""The address of a link, taken apart and looked at before anybody opens it (ELU-01 to ELU-08). Nothing is fetched."""

import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

import idna

from desktop_host.terms.asks import Finding, Severity
from desktop_host.terms.messages import say

MAX_LENGTH = 8192
_MAX_HOST, _MAX_PORT = 253, 65535
_FORBIDDEN = frozenset('\\"<>^`{|}')
_PARTS = re.compile(
    r"https?://(?P<user>[^/?#@\[\]]*@)?"
    r"(?:\[(?=[^\]]*:)(?P<six>[^\]]*)\]|(?P<name>[^/?#@:\[\]%]+))"
    r"(?::(?P<port>\d{0,5}))?(?:[/?#][^\[\]]*)?",
    re.IGNORECASE | re.ASCII,
)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SECOND_LEVEL = frozenset(["ac", "co", "com", "edu", "gov", "net", "org", "gob", "go", "ne", "or"])


@dataclass(frozen=True, slots=True)
class Address:
    """A link. `before`, `host` and `after` put together are `url` as sent; `registrable` is the host's strong part.

    `ascii_host` is what is really contacted where it differs from `host`. `port` 0: none is named. `user`: a user name
    stands before the host. `error`: it must not be opened at all.
    """

    url: str
    before: str = ""
    host: str = ""
    after: str = ""
    registrable: str = ""
    ascii_host: str = ""
    error: str = ""
    port: int = 0
    user: bool = False

    @property
    def decoded(self) -> str:
        """The address with its escapes read, "" where that shows nothing new."""
        readable = unquote(self.url)
        return readable if readable != self.url and readable.isprintable() else ""


def read_address(url: str) -> Address:
    """Take an address apart. Never raises; `error` is a message key where the address is refused (ELU-07, ELU-08).

    What is let through is read alike by every browser: nothing that needs guessing about its host is.
    """
    if len(url) > MAX_LENGTH:
        return Address(url, error="link.too_long")
    if not url or any(one.isspace() or one in _FORBIDDEN or unicodedata.category(one)[0] == "C" for one in url):
        return Address(url, error="link.not_an_address")
    scheme = url.partition(":")[0].lower() if ":" in url else ""
    if scheme not in ("http", "https"):
        return Address(url, error="link.scheme")
    found = _PARTS.fullmatch(url)
    place = "six" if found and found.group("six") else "name"
    host = found.group(place) if found else ""
    contacted = _contacted(host) if host else None
    if found is None or contacted is None or _BAD_ESCAPE.search(url) or int(found.group("port") or 0) > _MAX_PORT:
        return Address(url, error="link.not_an_address")
    if scheme == "http" and not is_loopback(contacted):
        return Address(url, error="link.not_https")
    return Address(
        url,
        url[: found.start(place)],
        host,
        url[found.end(place) :],
        _registrable(host),
        contacted if contacted != host.lower() or not host.isascii() else "",
        port=int(found.group("port") or 0),
        user=found.group("user") is not None,
    )


def look_at(address: Address) -> tuple[Finding, ...]:
    """What is suspicious about an address that may be opened (ELU-06)."""
    if address.error:
        return ()
    findings: list[Finding] = []
    if address.ascii_host or "xn--" in address.host.lower():
        findings.append(
            _finding(
                Severity.DANGER,
                "link.other_script",
                host=address.host,
                sent=address.ascii_host or address.host,
            )
        )
    if address.user:
        findings.append(_finding(Severity.DANGER, "link.user_name", host=address.host))
    if _is_ip(address.host) and not is_loopback(address.host):
        findings.append(_finding(Severity.WARNING, "link.bare_ip", host=address.host))
    if is_loopback(address.host):
        findings.append(_finding(Severity.INFO, "link.this_computer"))
    elif address.port not in (0, 80, 443):
        findings.append(_finding(Severity.WARNING, "link.odd_port", port=address.port))
    return tuple(findings)


def is_loopback(host: str) -> bool:
    """The host is this computer."""
    if host.lower().rstrip(".") == "localhost" or host.lower().endswith(".localhost"):
        return True
    return _is_ip(host) and ipaddress.ip_address(host).is_loopback


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _contacted(host: str) -> str | None:
    """The host in the form that is really looked up, lower case; None where it is no proper host."""
    if ":" in host:
        return host.lower() if _is_ip(host) else None
    name = host
    if not host.isascii() or "xn--" in host.lower():
        try:
            name = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            return None
    labels = name.lower().removesuffix(".").split(".")
    if len(name) > _MAX_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    if _NUMBER.fullmatch(labels[-1]) and not _is_ip(name):
        return None  # 0x7f.1, 2130706433 and their like: an address in disguise
    return name.lower()


def _registrable(host: str) -> str:
    if _is_ip(host):
        return host
    labels = host.removesuffix(".").split(".")
    keep = 3 if len(labels) > 2 and labels[-2].lower() in _SECOND_LEVEL and len(labels[-1]) == 2 else 2
    return ".".join(labels[-keep:]) + ("." if host.endswith(".") else "")


def _finding(severity: Severity, key: str, **values: str | int) -> Finding:
    return Finding(severity, say(key, **values))
