"""The operating system's proxies, which only Qt can look up, automatic configuration (PAC) included."""

from PySide6.QtCore import QUrl
from PySide6.QtNetwork import QNetworkProxy, QNetworkProxyFactory, QNetworkProxyQuery

_SCHEMES = {
    QNetworkProxy.ProxyType.HttpProxy: "http",
    QNetworkProxy.ProxyType.HttpCachingProxy: "http",
    QNetworkProxy.ProxyType.Socks5Proxy: "socks5h",
}


def system_proxy(url: str) -> str | None:
    """The proxy for an address, as a URL; None for the straight way. Blocks, so never on Qt's own thread."""
    for proxy in QNetworkProxyFactory.systemProxyForQuery(QNetworkProxyQuery(QUrl(url))):
        scheme = _SCHEMES.get(proxy.type())
        if scheme is None:
            return None
        found = QUrl()
        found.setScheme(scheme)
        found.setHost(proxy.hostName())
        found.setPort(proxy.port())
        if proxy.user():
            found.setUserName(proxy.user(), QUrl.ParsingMode.DecodedMode)
            found.setPassword(proxy.password(), QUrl.ParsingMode.DecodedMode)
        return found.toString(QUrl.ComponentFormattingOption.FullyEncoded)
    return None
