"""Secrets live in the operating system's keyring, one entry each.

Where there is no keyring that works they live in this process alone, and end with it: they are never written anywhere.
"""

from desktop_host.config.files import FileProblem
from desktop_host.config.paths import APP
from desktop_host.terms.messages import say


class KeyringProblem(FileProblem):
    """The keyring is missing or locked; `message` says what to do."""


_session: dict[str, str] = {}


def get_secret(name: str) -> str | None:
    """The secret called `name`, None where there is none. Blocking: call it in a thread. Raises KeyringProblem."""
    import keyring
    from keyring.errors import KeyringError

    try:
        found = keyring.get_password(APP, name)
    except KeyringError as error:
        if name in _session:
            return _session[name]
        raise KeyringProblem(say("keyring.unusable", what=type(error).__name__)) from None
    return _session.get(name) if found is None else found


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


def keep_secret(name: str, value: str) -> bool:
    """Keep a secret, or remove it where `value` is empty: in the keyring, or where that cannot be until the program
    ends. True: the keyring has it. Blocking: call it in a thread."""
    _session.pop(name, None)
    try:
        set_secret(name, value)
    except KeyringProblem:
        if value:
            _session[name] = value
        return not value
    return True
