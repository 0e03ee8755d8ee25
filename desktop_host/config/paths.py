"""Where the person's files are."""

import functools
import os
from pathlib import Path

import platformdirs

APP = "desktop-host"


def config_dir() -> Path:
    """Folder of `servers.json`, `settings.json` and the like. DESKTOP_HOST_CONFIG_DIR overrides it."""
    return _folder("DESKTOP_HOST_CONFIG_DIR", platformdirs.user_config_dir(APP, appauthor=False))


def data_dir() -> Path:
    """Folder of the audit log and of answers too large to show. DESKTOP_HOST_DATA_DIR overrides it."""
    return _folder("DESKTOP_HOST_DATA_DIR", platformdirs.user_data_dir(APP, appauthor=False))


def cache_dir() -> Path:
    """Folder of what can be made again. DESKTOP_HOST_CACHE_DIR overrides it."""
    return _folder("DESKTOP_HOST_CACHE_DIR", platformdirs.user_cache_dir(APP, appauthor=False))


@functools.cache
def resources_dir() -> Path:
    """Icons, translations and schemas: inside the package once installed, beside it in a source tree."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"


def _folder(variable: str, default: str) -> Path:
    return Path(os.environ.get(variable) or default)
