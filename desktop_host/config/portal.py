"""What a Linux desktop tells programs through its portal, xdg-desktop-portal."""

import contextlib
from importlib import import_module
from typing import Any

_LIMIT = 3.0
"""Seconds that the portal may take: it may have to fetch the script of an automatic configuration (PAC)."""


def portal_proxy(url: str) -> str | None:
    """The proxy that the desktop's settings name for an address, as a URL; None for the straight way.

    No portal, or one that does not answer, is the straight way too. Blocks.
    """
    jeepney: Any = import_module("jeepney")  # it has no stubs, and is for Linux alone
    blocking: Any = import_module("jeepney.io.blocking")
    resolver = jeepney.DBusAddress(
        "/org/freedesktop/portal/desktop",
        bus_name="org.freedesktop.portal.Desktop",
        interface="org.freedesktop.portal.ProxyResolver",
    )
    lookup = jeepney.new_method_call(resolver, "Lookup", "s", (url,))
    # Without a desktop there is no bus; what its other end sends may be anything.
    with contextlib.suppress(OSError, KeyError, ValueError, TimeoutError, EOFError):
        with blocking.open_dbus_connection(bus="SESSION") as connection:
            reply = connection.send_and_get_reply(lookup, timeout=_LIMIT)
        if reply.header.message_type is jeepney.MessageType.method_return:
            named: list[str] = reply.body[0]
            return named[0] if named and named[0] != "direct://" else None
    return None
