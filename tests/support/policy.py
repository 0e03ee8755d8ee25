"""What administrators and the person lay down, as files of a test."""

import json
from typing import Any

from desktop_host.config.paths import config_dir
from desktop_host.policy.policies import Policies


def laid_down(policy: dict[str, Any] | None = None, rules: list[dict[str, Any]] | None = None) -> Policies:
    """The rules of a computer with this `policy.json` and these rules of the person's."""
    managed = config_dir().parent / "managed"
    managed.mkdir(exist_ok=True)
    if policy is not None:
        (managed / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    own = config_dir() / "rules.json"
    if rules is not None:
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(json.dumps({"version": 1, "rules": rules}), encoding="utf-8")
    return Policies(own, [managed])
