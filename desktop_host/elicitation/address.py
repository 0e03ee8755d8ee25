"""The address of a link, taken apart and looked at before anybody opens it (ELU-01 to ELU-08). Nothing is fetched."""

import functools
import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

import idna

from desktop_host.elicitation.lookalikes import imitated, mixes_scripts
from desktop_host.elicitation.screening import hides
from desktop_host.terms.asks import Finding, Severity
from desktop_host.terms.messages import say

MAX_LENGTH = 8192
_LONG = 2048
_MAX_HOST, _MAX_PORT = 253, 65535
_FORBIDDEN = frozenset('\\"<>^`{|}')
_PARTS = re.compile(
    r"https?://(?P<user>[^/?#@\[\]]*@)?"
    r"(?:\[(?=[^\]]*:)(?P<six>[^\]]*)\]|(?P<name>[^/?#@:\[\]%]+))"
    r"(?::(?P<port>\d{0,5}))?(?:[/?#][^\[\]]*)?",
    re.IGNORECASE | re.ASCII,
)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*", re.ASCII)
_CREDENTIAL = re.compile(
    r"(?:.*[_-])?(?:token|api_?key|access_?key|key|secret|password|passwd|pwd|auth|jwt|sid|session(?:_?id)?|credentials?"
    r"|sig|signature)|code",
    re.IGNORECASE,
)
_ONWARD = re.compile(r"\s*(?:https?:[/\\]*|[/\\]{2})(?P<host>[^/\\?#]*)", re.IGNORECASE)
_DOT = re.compile("[.。．｡]")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class Address:
    """A link. `before`, `host` and `after` put together are `url` as sent; `registrable` is the host's strong part.

    `ascii_host` is what is really contacted where it differs from `host`, `unicode_host` what an encoded name stands
    for. `port` 0: none is named. `user`: a user name stands before the host. `error`: it must not be opened at all.
    `registrable` is "" where the host is a public suffix alone.
    """

    url: str
    before: str = ""
    host: str = ""
    after: str = ""
    registrable: str = ""
    ascii_host: str = ""
    unicode_host: str = ""
    error: str = ""
    port: int = 0
    user: bool = False

    @property
    def decoded(self) -> str:
        """The address with its escapes read, "" where that shows nothing new. It may hold characters that hide."""
        readable = unquote(self.url)
        return readable if readable != self.url else ""

    @property
    def contacted(self) -> str:
        """The host that is really looked up, lower case."""
        return self.ascii_host or self.host.lower()


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
        _decoded_name(contacted) if "xn--" in host.lower() else "",
        port=int(found.group("port") or 0),
        user=found.group("user") is not None,
    )


def prepare() -> None:
    """Load the tables that looking at an address needs, before somebody waits for it. Takes 80 ms."""
    look_at(read_address("https://ехample.org/"))  # a look-alike, so that every table is used


def look_at(address: Address) -> tuple[Finding, ...]:
    """What is suspicious about an address that may be opened (ELU-06)."""
    if address.error:
        return ()
    return (*_of_host(address), *_of_rest(address))


def is_loopback(host: str) -> bool:
    """The host is this computer."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    number = _ip(host)
    mapped = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return number is not None and (mapped or number).is_loopback


def _of_host(address: Address) -> list[Finding]:
    findings: list[Finding] = []
    contacted, local = address.contacted, is_loopback(address.contacted)
    number = _ip(contacted) is not None
    shown = address.unicode_host or address.host
    if not address.host.isascii() or address.unicode_host:
        severity = Severity.DANGER if mixes_scripts(shown) else Severity.WARNING
        findings.append(_finding(severity, "link.other_script", host=shown, sent=contacted))
    alike = "" if number else imitated(shown, _registrable(shown))
    if alike and not f".{contacted}".endswith(f".{alike}"):
        findings.append(_finding(Severity.DANGER, "link.look_alike", host=shown, alike=alike))
    if address.user:
        findings.append(_finding(Severity.DANGER, "link.user_name", host=address.host))
    if number and address.ascii_host:
        findings.append(_finding(Severity.DANGER, "link.disguised_ip", host=address.host, sent=contacted))
    elif number and not local:
        findings.append(_finding(Severity.WARNING, "link.bare_ip", host=address.host))
    if not address.registrable and not local:
        findings.append(_finding(Severity.WARNING, "link.suffix_only", host=address.host))
    if local:
        findings.append(_finding(Severity.INFO, "link.this_computer"))
    elif address.port not in (0, 80, 443):
        findings.append(_finding(Severity.WARNING, "link.odd_port", port=address.port))
    return findings


def _of_rest(address: Address) -> list[Finding]:
    findings: list[Finding] = []
    if len(address.url) > _LONG:
        findings.append(_finding(Severity.WARNING, "link.very_long", count=len(address.url)))
    if hides(address.decoded) or any(one in address.decoded for one in "\n\r\t"):
        findings.append(_finding(Severity.WARNING, "link.hidden_characters"))
    query, _, fragment = address.after.partition("#")
    pairs = parse_qsl(query.partition("?")[2]) + parse_qsl(fragment.rpartition("?")[2])
    credential = next((name for name, value in pairs if value and _CREDENTIAL.fullmatch(name)), None)
    if credential is not None:
        findings.append(_finding(Severity.WARNING, "link.credential", name=credential))
    onward = next((host for _, value in pairs if (host := _onward(value)) and not _same_host(host, address)), "")
    if onward:
        findings.append(_finding(Severity.WARNING, "link.redirect", host=onward))
    return findings


def _onward(value: str) -> str:
    """The host that a parameter's value would lead on to, "" where it is no address."""
    found = _ONWARD.match(value) or _ONWARD.match(unquote(value))
    host = found.group("host").rpartition("@")[2] if found else ""
    return "" if is_loopback(host.partition(":")[0]) else host


def _same_host(host: str, address: Address) -> bool:
    return host.partition(":")[0].lower() in (address.host.lower(), address.contacted)


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _contacted(host: str) -> str | None:
    """The host in the form that is really looked up, lower case; None where it is no proper host."""
    if ":" in host:
        return host.lower() if _ip(host) else None
    name = host
    if not host.isascii() or "xn--" in host.lower():
        try:
            name = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            return None
    name = name.lower()
    labels = name.removesuffix(".").split(".")
    if len(name) > _MAX_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    return _dotted(labels) if _NUMBER.fullmatch(labels[-1]) else name


def _dotted(labels: list[str]) -> str | None:
    """What browsers make of a host that ends in a number: hexadecimal, octal, and fewer than four parts included."""
    try:
        numbers = [_read_number(label) for label in labels]
    except ValueError:
        return None
    *first, last = numbers
    if len(numbers) > 4 or any(one > 255 for one in first) or last >= 256 ** (5 - len(numbers)):
        return None
    whole = sum(one << 8 * (3 - place) for place, one in enumerate(first)) + last
    return str(ipaddress.IPv4Address(whole))


def _read_number(label: str) -> int:
    if not _NUMBER.fullmatch(label):
        raise ValueError(label)
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8 if label.startswith("0") else 10)


def _decoded_name(contacted: str) -> str:
    try:
        return idna.decode(contacted)
    except idna.IDNAError:
        return contacted


def _registrable(host: str) -> str:
    """The part of a name that somebody registered, by the public suffix list; a number is whole, a suffix alone ""."""
    if _ip(host) or _contacted(host) is None or _ip(_contacted(host) or "") or is_loopback(host):
        return host
    labels = _DOT.split(host)
    names = [_decoded_name(label.lower()) if label.isascii() else label.lower() for label in labels if label]
    found = _suffixes().privatesuffix(".".join(names))
    if not found:
        return ""
    strong = len(found.split(".")) + (not labels[-1])
    return host[len(host) - sum(map(len, labels[-strong:])) - strong + 1 :]


@functools.cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def _finding(severity: Severity, key: str, **values: str | int) -> Finding:
    return Finding(severity, say(key, **values))
