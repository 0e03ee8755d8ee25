"""Names that imitate other names: by letters of other scripts, by letters and digits that look alike, by nesting."""

import functools
import re
import unicodedata
from typing import Any

_KNOWN = frozenset(
    [
        "adobe.com", "alibaba.com", "alipay.com", "amazon.com", "anthropic.com", "apple.com", "atlassian.com",
        "auth0.com", "baidu.com", "binance.com", "bitbucket.org", "booking.com", "chase.com", "claude.ai",
        "cloudflare.com", "coinbase.com", "discord.com", "docusign.com", "dropbox.com", "ebay.com", "facebook.com",
        "figma.com", "github.com", "gitlab.com", "google.com", "icloud.com", "instagram.com", "linkedin.com",
        "live.com", "microsoft.com", "microsoftonline.com", "netflix.com", "notion.so", "npmjs.com", "office.com",
        "okta.com", "openai.com", "paypal.com", "pypi.org", "qq.com", "reddit.com", "salesforce.com", "shopify.com",
        "slack.com", "spotify.com", "stripe.com", "taobao.com", "telegram.org", "twitter.com", "visa.com",
        "wechat.com", "weibo.com", "whatsapp.com", "wikipedia.org", "yahoo.com", "youtube.com", "zoom.us",
    ]
)  # fmt: skip
_EAST_ASIAN = frozenset(["CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH"])
_ALIKE = (("0", "o"), ("1", "l"), ("3", "e"), ("5", "s"), ("i", "l"), ("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Single letters first: what they make may be half of a pair."""


def imitated(host: str, registrable: str) -> str:
    """The name that a host could be taken for, "" where there is none. Both as shown, in Unicode."""
    latin = in_latin(registrable)
    known = _folded_names().get(_folded(latin))
    if known is not None and known != registrable.lower().rstrip("."):
        return known
    if latin != registrable.lower() and latin.isascii():
        return latin
    before = host[: len(host) - len(registrable)].lower()
    return next((name for name in sorted(_KNOWN) if re.search(rf"(?:^|\.){re.escape(name)}\.$", before)), "")


def mixes_scripts(host: str) -> bool:
    """One part of the name is written in several scripts, but for those that are written together (East Asian)."""
    return any(len(_scripts(label)) > 1 for label in host.split("."))


def _scripts(label: str) -> set[str]:
    letters = (unicodedata.name(one, "?").split()[0].split("-")[0] for one in label if one.isalpha())
    found = {"EAST ASIAN" if script in _EAST_ASIAN else script for script in letters}
    return found - {"LATIN"} if "EAST ASIAN" in found else found


@functools.cache
def _folded_names() -> dict[str, str]:
    return {_folded(name): name for name in _KNOWN}


def _folded(name: str) -> str:
    name = name.lower().rstrip(".")
    for drawn, meant in _ALIKE:
        name = name.replace(drawn, meant)
    return name


def in_latin(name: str) -> str:
    """The name with every letter of another script by the Latin one that looks the same, where there is one."""
    return "".join(one if one.isascii() else _latin(one) for one in name.lower())


def _latin(character: str) -> str:
    from confusable_homoglyphs import confusables  # pyright: ignore[reportMissingTypeStubs]  # it has none

    found: Any = confusables.is_confusable(character, greedy=True, preferred_aliases=[])  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # no types
    for one in found or ():
        for alike in one["homoglyphs"]:
            if alike["c"].isascii() and alike["c"].isalnum():
                return str(alike["c"]).lower()
    plain = unicodedata.normalize("NFKC", character)
    return plain.lower() if plain.isascii() else character
