"""Which certificates are trusted: those of the operating system, and the person's own (peers.md N10)."""

import ssl
import sys

from desktop_host.config.files import FileProblem
from desktop_host.terms.messages import say


class Trust:
    """`ca_file` holds certificates to trust beside the system's, such as those of a company's own authority."""

    def __init__(self) -> None:
        self.ca_file = ""

    def context(self) -> ssl.SSLContext:
        """What to hold certificates against. Blocks for some hundredths of a second. Raises FileProblem."""
        try:
            return trust_store(self.ca_file)
        except OSError:
            raise FileProblem(say("model.no_certificates", file=self.ca_file)) from None


def trust_store(ca_file: str) -> ssl.SSLContext:
    """The operating system's trust store, as each system has it, and the certificates of a file. Raises OSError."""
    if sys.platform.startswith("linux"):
        context = ssl.create_default_context()
    else:
        import truststore

        context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if ca_file:
        context.load_verify_locations(ca_file)
    return context


TRUST = Trust()
"""One for the whole process, as its settings say."""
