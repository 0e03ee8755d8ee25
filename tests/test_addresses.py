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
        (
            "https://bank.example.evil.test/?u=https://bank.example",
            "bank.example.evil.test",
            "evil.test",
            ["link.redirect"],
        ),
        ("https://bank.example@evil.test/", "evil.test", "evil.test", ["link.user_name"]),
        ("https://me:secret@example.org/", "example.org", "example.org", ["link.user_name"]),
        ("https://@example.org/", "example.org", "example.org", ["link.user_name"]),
        ("https://İ@example.org/", "example.org", "example.org", ["link.user_name"]),
        ("https://example.org@example.org/example.org", "example.org", "example.org", ["link.user_name"]),
        ("https://example.org:8443/", "example.org", "example.org", ["link.odd_port"]),
        ("https://203.0.113.7/", "203.0.113.7", "203.0.113.7", ["link.bare_ip"]),
        ("https://[2001:db8::1]:8443/", "2001:db8::1", "2001:db8::1", ["link.bare_ip", "link.odd_port"]),
        (
            "https://xn--80ak6aa92e.com/",
            "xn--80ak6aa92e.com",
            "xn--80ak6aa92e.com",
            ["link.other_script", "link.look_alike"],
        ),
        (
            "https://XN--80AK6AA92E.com/",
            "XN--80AK6AA92E.com",
            "XN--80AK6AA92E.com",
            ["link.other_script", "link.look_alike"],
        ),
        ("https://login.аррӏе.com/", "login.аррӏе.com", "аррӏе.com", ["link.other_script", "link.look_alike"]),
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


@pytest.mark.parametrize(
    ("host", "number"),
    [
        ("0x7f.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("0xCB007107", "203.0.113.7"),
        ("203.0.28935", "203.0.113.7"),
        ("１２７.0.0.1", "127.0.0.1"),
    ],
)
def test_a_number_in_any_notation_is_shown_as_the_number_it_is(host: str, number: str) -> None:
    address = read_address(f"https://{host}/")
    assert (address.contacted, address.registrable) == (number, host)
    assert "link.disguised_ip" in [finding.message.key for finding in look_at(address)]
    assert read_address(f"http://{host}/").error == ("" if number.startswith("127") else "link.not_https")


@pytest.mark.parametrize("host", ["256.1.1.1", "1.2.3.4.5", "0x", "08.1.1.1", "1.2.70000000", "4294967296"])
def test_a_number_that_is_no_address_is_refused(host: str) -> None:
    assert read_address(f"https://{host}/").error == ("" if host == "0x" else "link.not_an_address")


@pytest.mark.parametrize(
    ("host", "alike"),
    [
        ("paypa1.com", "paypal.com"),
        ("rnicrosoft.com", "microsoft.com"),
        ("login.g00gle.com", "google.com"),
        ("paypal.com.pay.example", "paypal.com"),
        ("www.аpple.com", "apple.com"),
        ("ɡithub.com", "github.com"),
        ("paypal.com", ""),
        ("docs.paypal.com", ""),
        ("notpaypal.com", ""),
        ("例え.jp", ""),
        ("пример.рф", ""),
        ("bücher.example", ""),
        ("faß.de", ""),
        ("한국.kr", ""),
    ],
)
def test_a_name_that_looks_like_another_is_told(host: str, alike: str) -> None:
    findings = {one.message.key: one.message.mapping for one in look_at(read_address(f"https://{host}/"))}
    assert findings.get("link.look_alike", {}).get("alike", "") == alike


@pytest.mark.parametrize(
    ("rest", "finding"),
    [
        ("?access_token=abc", "link.credential"),
        ("#/done?api-key=abc", "link.credential"),
        ("#access_token=abc", "link.credential"),
        ("?user_code=AB12", None),
        ("?x=1&apikey=abc", "link.credential"),
        ("?code=1", "link.credential"),
        ("?keyboard=de&token=", None),
        ("?next=https%3A%2F%2Fevil.test%2Fa", "link.redirect"),
        ("?next=//evil.test", "link.redirect"),
        ("?next=https://h.example/b", None),
        ("?next=/b", None),
        ("/%E2%80%AEgnp", "link.hidden_characters"),
        ("/%0d%0aSet-Cookie", "link.hidden_characters"),
        ("/" + "a" * 2100, "link.very_long"),
    ],
)
def test_what_stands_behind_the_host_is_looked_at(rest: str, finding: str | None) -> None:
    findings = [one.message.key for one in look_at(read_address(f"https://h.example{rest}"))]
    assert findings == ([finding] if finding else [])


def test_a_public_suffix_alone_belongs_to_nobody() -> None:
    address = read_address("https://co.uk/")
    assert (address.registrable, [one.message.key for one in look_at(address)]) == ("", ["link.suffix_only"])
    assert read_address("https://someone.github.io/").registrable == "someone.github.io"


def test_an_encoded_name_is_shown_as_what_it_stands_for() -> None:
    assert read_address("https://xn--80ak6aa92e.com/").unicode_host == "аррӏе.com"


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
    finding = look_at(address)[0]
    assert finding.message.mapping == {"host": host, "sent": contacted}


@pytest.mark.parametrize(
    ("url", "decoded"),
    [
        ("https://h.example/a%20b?q=%E4%BD%A0", "https://h.example/a b?q=你"),
        ("https://h.example/plain", ""),
        ("https://h.example/%0d%0aSet-Cookie", "https://h.example/\r\nSet-Cookie"),
        ("https://h.example/%E2%80%AEgnp", "https://h.example/\u202egnp"),
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
