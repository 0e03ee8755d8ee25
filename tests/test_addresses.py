"""Links, looked at before anybody opens them: refused, taken apart, and warned about."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QUrl

from desktop_host.elicitation.address import MAX_LENGTH, look_at, read_address

FULL = QUrl.ComponentFormattingOption.FullyEncoded


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("", "link.not_an_address"),
        ("not a url", "link.not_an_address"),
        ("example.org/page", "link.scheme"),
        ("//example.org", "link.scheme"),
        ("javascript:alert(1)", "link.scheme"),
        ("data:text/html,x", "link.scheme"),
        ("file:///etc/passwd", "link.scheme"),
        ("vbscript:x", "link.scheme"),
        ("ms-settings:privacy", "link.scheme"),
        ("ftp://example.org/", "link.scheme"),
        ("JaVaScRiPt://example.org/%0aalert(1)", "link.scheme"),
        ("http://example.org/", "link.not_https"),
        ("http://localhost.example.org/", "link.not_https"),
        ("http://127.0.0.1.example.org/", "link.not_https"),
        ("http://192.168.0.1/", "link.not_https"),
        ("http://[::ffff:8.8.8.8]/", "link.not_https"),
        ("https://", "link.not_an_address"),
        ("https:example.org", "link.not_an_address"),
        ("https:///example.org", "link.not_an_address"),
        ("https://example.org:port/", "link.not_an_address"),
        ("https://example.org:70000/", "link.not_an_address"),
        ("https://[::1/", "link.not_an_address"),
        ("https://example.org\\@evil.example/", "link.not_an_address"),
        ("https://one@two@evil.example/", "link.not_an_address"),
        ("https://exam ple.org/", "link.not_an_address"),
        ("https://example.org/\u202egnp", "link.not_an_address"),
        ("https://example.org/a\nb", "link.not_an_address"),
        ("https://exam\u200bple.org/", "link.not_an_address"),
        ("https://%65xample.org/", "link.not_an_address"),
        ("https://evil.example%2f.example.org/", "link.not_an_address"),
        ("https://a..b/", "link.not_an_address"),
        ("https://-.example/", "link.not_an_address"),
        (f"https://{'a' * 64}.example/", "link.not_an_address"),
        (f"https://example.org/{'a' * MAX_LENGTH}", "link.too_long"),
    ],
)
def test_what_is_no_web_address_is_refused(url: str, error: str) -> None:
    address = read_address(url)
    assert (address.url, address.error) == (url, error)
    assert look_at(address) == ()


@pytest.mark.parametrize(
    ("url", "host", "registrable", "findings"),
    [
        ("https://example.org/a?b=c#d", "example.org", "example.org", []),
        ("HTTPS://Login.Example.ORG:443/", "Login.Example.ORG", "Example.ORG", []),
        ("https://login.example.co.uk/", "login.example.co.uk", "example.co.uk", []),
        ("https://example.org./", "example.org.", "example.org.", []),
        ("https://bank.example.evil.test/?u=https://bank.example", "bank.example.evil.test", "evil.test", []),
        ("https://bank.example@evil.test/", "evil.test", "evil.test", ["link.user_name"]),
        ("https://me:secret@example.org/", "example.org", "example.org", ["link.user_name"]),
        ("https://@example.org/", "example.org", "example.org", ["link.user_name"]),
        ("https://İ@example.org/", "example.org", "example.org", ["link.user_name"]),
        ("https://example.org@example.org/example.org", "example.org", "example.org", ["link.user_name"]),
        ("https://example.org:8443/", "example.org", "example.org", ["link.odd_port"]),
        ("https://203.0.113.7/", "203.0.113.7", "203.0.113.7", ["link.bare_ip"]),
        ("https://[2001:db8::1]:8443/", "2001:db8::1", "2001:db8::1", ["link.bare_ip", "link.odd_port"]),
        ("https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com", "xn--80ak6aa92e.com", ["link.other_script"]),
        ("https://XN--80AK6AA92E.com/", "XN--80AK6AA92E.com", "XN--80AK6AA92E.com", ["link.other_script"]),
        ("https://login.аррӏе.com/", "login.аррӏе.com", "аррӏе.com", ["link.other_script"]),
        ("https://中国银行.中国/", "中国银行.中国", "中国银行.中国", ["link.other_script"]),
        ("https://ｅxample.org/", "ｅxample.org", "ｅxample.org", ["link.other_script"]),
        ("https://\u212aelvin.example/", "\u212aelvin.example", "\u212aelvin.example", ["link.other_script"]),
        ("http://localhost:8000/cb", "localhost", "localhost", ["link.this_computer"]),
        ("http://app.localhost/", "app.localhost", "app.localhost", ["link.this_computer"]),
        ("http://127.0.0.1:5000/x", "127.0.0.1", "127.0.0.1", ["link.this_computer"]),
        ("https://[::1]:5000/x", "::1", "::1", ["link.this_computer"]),
    ],
)
def test_a_link_is_taken_apart_and_looked_at(url: str, host: str, registrable: str, findings: list[str]) -> None:
    address = read_address(url)
    assert (address.error, address.host, address.registrable) == ("", host, registrable)
    assert address.before + address.host + address.after == url
    assert [finding.message.key for finding in look_at(address)] == findings


@pytest.mark.parametrize("url", ["https://0x7f.1/", "https://2130706433/", "https://0177.0.0.1/", "https://1.2.3/"])
def test_a_number_in_any_notation_is_no_name(url: str) -> None:
    address = read_address(url)
    assert address.error or [finding.message.key for finding in look_at(address)] == ["link.bare_ip"]


@pytest.mark.parametrize(
    ("host", "contacted"),
    [
        ("faß.example", "xn--fa-hia.example"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("例え.jp", "xn--r8jz45g.jp"),
        ("ｅxample.org", "example.org"),
        ("a。example", "a.example"),
    ],
)
def test_the_name_that_is_really_contacted_is_told(host: str, contacted: str) -> None:
    address = read_address(f"https://{host}/")
    assert address.ascii_host == contacted == QUrl(address.url, QUrl.ParsingMode.StrictMode).host(FULL)
    (finding,) = look_at(address)
    assert finding.message.mapping == {"host": host, "sent": contacted}


@pytest.mark.parametrize(
    ("url", "decoded"),
    [
        ("https://h.example/a%20b?q=%E4%BD%A0", "https://h.example/a b?q=你"),
        ("https://h.example/plain", ""),
        ("https://h.example/%0d%0aSet-Cookie", ""),
        ("https://h.example/%E2%80%AEgnp", ""),
        ("https://h.example/100%25", "https://h.example/100%"),
    ],
)
def test_escapes_are_read_where_that_shows_something(url: str, decoded: str) -> None:
    assert read_address(url).decoded == decoded


letters = st.sampled_from(
    [
        *"aZ0-_.:@/?#[]%&=+~ \\|\"<>^`{}'()!*$,;",
        "xn--",
        "é",
        "ß",
        "а",
        "İ",
        "K",
        "。",
        "ｅ",
        "%41",
        "%2f",
        "::1",
        "\u200b",
        "\t",
    ]
)
pieces = st.lists(letters, max_size=8).map("".join)
urls = st.one_of(
    st.text(max_size=20),
    st.tuples(
        st.sampled_from(["https://", "http://", "HTTPS://", "https:", "https:/", "javascript:"]),
        st.sampled_from(["", "user@", "a:b@", "İ@", "x@y@"]) | pieces,
        st.sampled_from(["example.org", "127.0.0.1", "[::1]", "localhost", "a.b.c.example", "аррӏе.com"]) | pieces,
        st.sampled_from(["", ":443", ":8443", ":0", ":", "/", "/a?b#c"]) | pieces,
    ).map("".join),
)


@settings(max_examples=400, deadline=None)
@given(urls)
@example("https://İİ@example.org/")
@example("https://h.example/[")
def test_what_is_shown_is_what_would_be_opened(url: str) -> None:
    """Whatever is not refused can be opened, and its shown host is the one that Qt hands to the browser."""
    address = read_address(url)
    assert address.url == url
    if address.error:
        return
    opened = QUrl(url, QUrl.ParsingMode.StrictMode)
    assert opened.isValid(), opened.errorString()
    assert opened.scheme() in ("http", "https")
    contacted = (address.ascii_host or address.host).lower()
    findings = [finding.message.key for finding in look_at(address)]
    if "link.bare_ip" not in findings and "link.this_computer" not in findings:
        assert opened.host(FULL) == contacted
    assert address.before + address.host + address.after == url
    assert address.host.endswith(address.registrable)
    assert ("link.user_name" in findings) == ("@" in opened.authority())
    assert address.host.isascii() or "link.other_script" in findings
