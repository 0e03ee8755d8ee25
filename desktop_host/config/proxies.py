"""Which proxy the way to an address leads through: as the environment says, or else as the operating system does."""

import sys
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

from desktop_host.config.portal import portal_proxy


class Proxies:
    """The proxies of this computer. `system` asks the operating system itself, where that knows more than Python does.

    It may take seconds: the script of an automatic configuration (PAC) is fetched and run for each address.
    """

    def __init__(self) -> None:
        self.system: Callable[[str], str | None] | None = portal_proxy if sys.platform.startswith("linux") else None

    def of(self, url: str) -> str | None:
        """The proxy for an address, as a URL; None for the straight way. Blocks. Never raises.

        The variables http_proxy, https_proxy, all_proxy and no_proxy count first, as for every program.
        """
        if self.system is not None and not urllib.request.getproxies_environment().keys() - {"no"}:
            return self.system(url)
        try:
            parts = urlsplit(url)
        except ValueError:
            return None  # such an address fails when it is used
        if urllib.request.proxy_bypass(parts.netloc.rpartition("@")[2]):
            return None
        named = urllib.request.getproxies()
        found = named.get(parts.scheme) or named.get("all")
        return found if not found or "://" in found else f"http://{found}"


PROXIES = Proxies()
"""One for the whole process, as its environment is; `app` tells it whom to ask where that is Qt."""
