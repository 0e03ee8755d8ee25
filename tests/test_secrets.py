"""Secrets in text: each kind is found, what only looks like one is left alone, and time is linear in hostile text."""

import gc
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_host.policy.secrets import find_secrets, masked, masked_value

MIB = 1024 * 1024
LETTERS = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7mN9pQ1sT3vW5yZ7"
"""Joined below to what makes it a secret, so that no scanner takes this file for a leak."""
SECRETS = {
    "aws": ("key", "AKIA" + "Q3EGRXKJ7WLMN5PV"),
    "anthropic": ("key", "sk-ant-" + "api03-" + LETTERS),
    "openai": ("key", "sk-" + LETTERS[:48]),
    "openai project": ("key", "sk-proj-" + LETTERS),
    "openrouter": ("key", "sk-or-v1-" + LETTERS),
    "stripe": ("key", "sk_live_" + LETTERS[:24]),
    "google": ("key", "AIza" + LETTERS[:35]),
    "github": ("token", "ghp_" + LETTERS[:36]),
    "github fine": ("token", "github_pat_" + LETTERS + LETTERS[:20]),
    "gitlab": ("token", "glpat-" + LETTERS[:20]),
    "slack": ("token", "xoxb-" + "123456789012-" + LETTERS[:24]),
    "hugging face": ("token", "hf_" + LETTERS[:34]),
    "npm": ("token", "npm_" + LETTERS[:36]),
    "pypi": ("token", "pypi-" + LETTERS + LETTERS),
    "digital ocean": ("token", "dop_v1_" + "0a1b2c3d" * 8),
    "sendgrid": ("token", "SG." + LETTERS[:22] + "." + LETTERS[:43]),
    "google oauth": ("token", "ya29." + LETTERS),
    "jwt": ("token", "eyJ" + LETTERS[:20] + ".eyJ" + LETTERS + "." + LETTERS[:43]),
    "bearer": ("token", "Bearer " + LETTERS[:40]),
    "url": ("password", "maria:" + "s3cr3t-words"),
    "password": ("password", "password = " + "Tr0ub4dor&3x"),
    "password in json": ("password", 'password": "' + "Tr0ub4dor&3x"),
    "password in chinese": ("password", "密码：" + "Tr0ub4dor3"),
    "named key": ("key", "api_key=" + "9f8e7d6c5b4a3f2e1d0c"),
    "client secret": ("key", "client_secret: " + "9f8e7d6c5b4a3f2e1d0c"),
    "card": ("card", "4012 8888 8888 1881"),
    "iban": ("account", "DE89 3704 0044 0532 0130 00"),
    "private key": (
        "private_key",
        "-----BEGIN RSA PRIVATE KEY-----\n" + f"{LETTERS}\n" * 4 + "-----END RSA PRIVATE KEY-----",
    ),
}
AROUND = {
    "alone": "{}",
    "in a sentence": "Here it is: {} and nothing else.",
    "in a line": "first\n{}\nlast",
    "in brackets": "({})",
    "in quotes": '"{}"',
    "in chinese": "我的是 {}，谢谢",
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize(("kind", "secret"), SECRETS.values(), ids=SECRETS)
def test_a_secret_is_found_wherever_it_stands(kind: str, secret: str, around: str) -> None:
    secret = f"https://{secret}@db.example/x" if secret.startswith("maria:") else secret
    text = around.format(secret)
    (found,) = find_secrets(text)
    assert found.kind == kind
    hidden = masked(text)
    assert f"«{kind} 1»" in hidden
    assert text.count("\n") == hidden.count("\n") or kind == "private_key"
    bare = secret.split(" ")[-1] if kind in ("token", "password", "key") else secret
    assert bare not in hidden


@pytest.mark.parametrize(
    "text",
    [
        "The password is required. Password: please choose one. password: ********",
        "password=changeme, password: <your password>, PASSWORD=${PASSWORD}",
        "api_key: YOUR_API_KEY_GOES_HERE, secret = os.environ",
        "the secret of happiness: nothing",
        "123e4567-e89b-12d3-a456-426614174000",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "order 4012888888881882 and phone +49 30 901820 4711",
        "0000 0000 0000 0000",
        "1760000000000 1760000000001 3.14159265358979323846",
        "DE00 3704 0044 0532 0130 00",
        "https://example.org:8080/path@version?q=1 and git@github.com:owner/repo.git",
        "sk-learn, ask-me-anything, task-0123456789-abcdefghij, sk-short",
        "label.sk-toggleable__label-arrow is a class of scikit-learn",
        "<div class='sk-folding-cube-container-wrapper'>",
        "A basic internationalization guide; bearer misunderstandings",
        "Basic counterrevolutionaries are not a header.",
        "eyJ is how a token begins; a.b.c is a name",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIB" + "A" * 60,
        "AKIA is a prefix, and AKIAshort too",
        "«key 1» and «password 2»",
        "ISBN 978-3-16-148410-0",
        "密码 must be entered, 令牌 too",
        "",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == ()
    assert masked(text) == text


HOSTILE = (
    "a", "1", " ", "-", "1 ", "1-", "eyJ", "-eyJ", "eyJa.", "eyJaaaaaaaaaaa.", "sk-", "-sk-", "sk-a", "A", "A1 ", "DE12 ",
    "://", "://a:", "a:b", "://a:bcd ", "password", "password:", "password: ", "pwd=\"", "secret=", "secret ", "api_key:",
    "bearer ", "bearer    ", "basic a", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----A",
    "AKIA", "AKIAAAAAAAAAAAAAAAA", "ghp_", "xoxb-", "-xoxb-", "glpat-", "-glpat-", "SG.", "pypi-", "-pypi-", "ya29.",
    "-ya29.", "npm_", "hf_", "4012 8888 8888 1881 ", "密码", "密码：", "\n", "\\", "=", "«key 1»",
)  # fmt: skip


def seconds_for(text: str) -> float:
    """How long a text takes, without the collector's visits to the heap of the other tests."""
    gc.disable()
    started = time.process_time()
    find_secrets(text)
    took = time.process_time() - started
    gc.enable()
    return took


def test_hostile_text_takes_time_in_proportion_to_its_length() -> None:
    """Four times the text may take about four times as long, not sixteen."""
    slow: dict[str, tuple[float, float]] = {}
    for unit in HOSTILE:
        less, more = (seconds_for(filled(unit, size)) for size in (MIB // 32, MIB // 8))
        if more > 0.1 and more > 8 * less:
            slow[unit] = less, more
    assert not slow


@pytest.mark.parametrize("unit", ["-eyJ", "4012 8888 8888 1881 ", "1-"])
def test_a_whole_mebibyte_of_the_worst_is_looked_through_in_seconds(unit: str) -> None:
    assert seconds_for(filled(unit, MIB)) < 4


def filled(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


# Masking

pieces = st.sampled_from([secret for _, secret in SECRETS.values()]) | st.text(max_size=6) | st.sampled_from(HOSTILE)
texts = st.lists(pieces, max_size=6).map("".join) | st.lists(pieces, max_size=6).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_masking_twice_changes_nothing_more_and_leaves_no_secret(text: str) -> None:
    once = masked(text)
    assert find_secrets(once) == ()
    assert masked(once) == once


@settings(max_examples=200, deadline=None)
@given(texts)
def test_what_is_found_is_in_order_and_apart(text: str) -> None:
    end = 0
    for found in find_secrets(text):
        assert end <= found.start < found.end <= len(text)
        end = found.end


def test_equal_secrets_have_equal_names_and_different_ones_do_not() -> None:
    one, other = SECRETS["github"][1], SECRETS["npm"][1]
    hidden = masked(f"{one} {other} {one} {SECRETS['aws'][1]}")
    assert hidden == "«token 1» «token 2» «token 1» «key 3»"


def test_every_text_in_a_value_is_masked_and_nothing_else_changed() -> None:
    secret = SECRETS["github"][1]
    value: Any = {"a": [secret, 5, None, True, 1.5, {"b": f"x {secret} y"}], "c": {"d": "plain"}}
    assert masked_value(value) == {
        "a": ["«token 1»", 5, None, True, 1.5, {"b": "x «token 1» y"}],
        "c": {"d": "plain"},
    }


@pytest.mark.parametrize(
    "piece",
    ["sk-" + "a1" * 100, "ghp_" + "a1" * 130, "AKIA" + "Q3EGRXKJ7WLMN5PV", "Bearer " + "aB3" * 700, "password=aB3" * 20,
     "4012888888881881", "4012888888881881 ", "-----BEGIN PRIVATE KEY-----" + "A" * 6100, "eyJ" + "aB3.eyJ" * 50],
    ids=lambda piece: piece[:12],
)  # fmt: skip
def test_masking_takes_time_by_the_length_of_a_hostile_text_and_always_ends(piece: str) -> None:
    def took(times: int) -> float:
        text = (piece * (times * 20_000 // len(piece) + 1))[: times * 20_000]
        start = time.perf_counter()
        once = masked(text)
        end = time.perf_counter() - start
        assert find_secrets(once) == ()
        return end

    took(1)
    assert took(10) < 40 * took(1) + 0.2


def test_a_secret_that_is_a_name_in_a_value_is_masked_too() -> None:
    secret = SECRETS["github"][1]
    assert secret not in repr(masked_value({"input": {secret: "x"}}))
