"""Secrets live in the operating system's keyring, one entry each; nothing else holds them."""

from desktop_host.config.files import FileProblem
from desktop_host.config.paths import APP
from desktop_host.terms.messages import say


class KeyringProblem(FileProblem):
    """The keyring is missing or locked; `message` says what to do."""


def get_secret(name: str) -> str | None:
    """The secret called `name`, None where there is none. Blocking: call it in a thread. Raises KeyringProblem."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(APP, name)
    except KeyringError as error:
        raise KeyringProblem(say("keyring.unusable", what=type(error).__name__)) from None


def set_secret(name: str, value: str) -> None:
    """Keep a secret, or remove it where `value` is empty. Blocking: call it in a thread. Raises KeyringProblem."""
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        if value:
            keyring.set_password(APP, name, value)
            return
        keyring.delete_password(APP, name)
    except PasswordDeleteError:
        return
    except KeyringError as error:
        raise KeyringProblem(say("keyring.unusable", what=type(error).__name__)) from None
