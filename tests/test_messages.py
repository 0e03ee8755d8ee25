"""Every sentence has a text, every text a use, and both languages say all of it."""

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

from desktop_host.config.programs import _COMES_WITH
from desktop_host.config.settings import SETTINGS
from desktop_host.policy.conditions import CONDITIONS
from desktop_host.policy.rules import Kind
from desktop_host.terms.asks import Effect, Outcome
from desktop_host.terms.messages import Message, say
from desktop_host.ui.messages import CONTEXT, TEXTS, english, fill

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "desktop_host"
TRANSLATION = ROOT / "resources" / "translations" / "desktop_host_zh_CN.ts"
TABLE = PACKAGE / "ui" / "messages.py"
GROUPS = {key.partition(".")[0] for key in TEXTS}

# The functions that take a key and its values, and where the key stands.
SAYING = {"say": 0, "_finding": 1}
# What the keys that are put together at run time can be, by the expression that makes them.
EXPANSIONS = {
    "f'setting.{self.key}'": [f"setting.{one.key}" for one in SETTINGS],
    "f'setting.{self.key}.help'": [f"setting.{one.key}.help" for one in SETTINGS],
    "f\"form.not_{one.format.replace('-', '_')}\"": [
        f"form.not_{name}" for name in ("email", "uri", "date", "date_time")
    ],
    # An accepted ask has a result, and a withdrawn one ends its call by cancellation: neither abandons a call.
    "f'call.abandoned.{answer.outcome.value}'": [
        f"call.abandoned.{one.value}"
        for one in Outcome
        if one not in (Outcome.ACCEPT, Outcome.WITHDRAWN, Outcome.PARKED)
    ],
    "f'rule.{rule.effect.value}'": [f"rule.{one.value}" for one in Effect],
    "f'kind.{kind.value}'": [f"kind.{one.value}" for one in Kind],
    "f'also.redact.{kind}'": ["also.redact.secrets", "also.redact.personal"],
    "f'floor.{step.rule}'": [key for key in TEXTS if key.startswith("floor.")],
    "f'decision.{step.effect.value}.{whose}'": [f"decision.{e.value}.{w}" for e in Effect for w in ("managed", "user")],
    "f'decision.{step.effect.value}.{whose}.because'": [
        f"decision.{e.value}.{w}.because" for e in Effect for w in ("managed", "user")
    ],
    "f'why.{name}'": [f"why.{name}" for name in CONDITIONS if f"why.{name}.yes" not in TEXTS],
    "f'when.{name}'": [f"when.{name}" for name in CONDITIONS if f"when.{name}.yes" not in TEXTS],
    **{
        f"f\"{part}.{{name}}.{{('yes' if {what} else 'no')}}\"": [
            f"{part}.{name}.{end}" for name in CONDITIONS for end in ("yes", "no") if f"{part}.{name}.yes" in TEXTS
        ]
        for part, what in (("why", "found"), ("when", "wanted"))
    },
    "kinds.get(type(error).__name__, 'oauth.flow')": ["oauth.flow", "oauth.token", "oauth.registration"],
    "f'connect.needs_{comes_with}'": [f"connect.needs_{name}" for name in dict.fromkeys(_COMES_WITH.values())],
    "f'model.why_own_{strongest}'": [f"model.why_own_{name}" for name in ("cost", "speed", "intelligence")],
    "f'model.no_{kind}'": ["model.no_image", "model.no_audio"],
    "f'model.why_{strongest}'": [f"model.why_{name}" for name in ("cost", "speed", "intelligence")],
    "one.undrawn": [key for key in TEXTS if key.startswith("form.undrawn.")],
    "address.error": [key for key in TEXTS if key.startswith("link.") and "{" not in TEXTS[key]],
    "self._address.error": [key for key in TEXTS if key.startswith("link.") and "{" not in TEXTS[key]],
}


@dataclass(frozen=True)
class Said:
    """A call of `say`: where it is, the keys it may have, and the names of the values it gives."""

    place: str
    keys: tuple[str, ...]
    values: frozenset[str]


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def said() -> Iterator[Said]:
    for path, tree in trees().items():
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
                    place = f"{path.relative_to(ROOT)}:{node.lineno}"
                    names = frozenset(keyword.arg or "**" for keyword in node.keywords)
                    yield Said(place, tuple(_keys(node.args[SAYING[node.func.id]], function)), names)


def _keys(key: ast.expr, function: ast.AST) -> list[str]:
    """The keys an expression may be: itself, one branch of it, what its variable was set to, or what is known of it."""
    if isinstance(key, ast.Constant):
        return [str(key.value)]
    if isinstance(key, ast.IfExp):
        return _keys(key.body, function) + _keys(key.orelse, function)
    if isinstance(key, ast.Name):
        assigned = [node.value for node in ast.walk(function) if isinstance(node, ast.Assign) and _sets(node, key.id)]
        if assigned:
            return [one for value in assigned for one in _keys(value, function)]
        return []  # a parameter: the caller's literal is found as a literal
    source = ast.unparse(key)
    assert source in EXPANSIONS, f"say({source}): name the keys it may have in EXPANSIONS"
    return EXPANSIONS[source]


def _sets(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def literals() -> set[str]:
    """Every text in the program that looks like a message's key, wherever it stands."""
    looks_so = re.compile(rf"(?:{'|'.join(GROUPS)})\.[a-z_.]+")
    others = {*(one.key for one in SETTINGS), *Kind, "policy.d"}
    found: set[str] = set()
    for path, tree in trees().items():
        if path == TABLE:
            continue
        parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            whole = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
            if whole and looks_so.fullmatch(node.value):
                found.add(node.value)
    return {key for key in found - others if not key.endswith(".json")}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_key_has_a_text_and_every_text_is_used() -> None:
    used = literals() | {key for one in said() for key in one.keys}
    assert used - TEXTS.keys() == set(), "keys without a text"
    assert TEXTS.keys() - used == set(), "texts without a use"
    assert list(TEXTS) == sorted(TEXTS)


def test_the_places_of_a_text_are_the_values_it_is_given() -> None:
    wrong = [
        f"{one.place}: {key} has the places {sorted(places(TEXTS[key]))}, and is given {sorted(one.values)}"
        for one in set(said())
        for key in one.keys
        if "**" not in one.values and places(TEXTS[key]) != one.values
    ]
    assert sorted(wrong) == []


def test_every_text_is_a_calm_plain_sentence() -> None:
    for key, text in TEXTS.items():
        assert text == text.strip(), key
        assert not re.search(r"[!！]|\.\.\.|  |['\"]|\b(please|sorry|oops)\b", text, re.IGNORECASE), key
        name = key.startswith("setting.") and not key.endswith(".help")
        example = "xample" in text or text.endswith("}") or key == "result.matches"
        part = key.startswith(("kind.", "when."))  # of the sentence that says a rule
        assert name or part or example or text.endswith("."), key


def test_values_are_put_in_visibly_and_never_interpreted() -> None:
    message = say("call.server_error", code=-32000, text="{code} \x1b[31m%s {0} {nothing}")
    assert english(message) == "The server answered with error -32000: {code} ‹U+001B›[31m%s {0} {nothing}"
    assert english(Message("no.such.key")) == "no.such.key"
    assert fill("{missing}", message) == "{missing}"
    assert say("k", a=1, b=2) == say("k", b=2, a=1)


# The windows' strings, and Chinese


def windows_strings() -> set[str]:
    """What `tr()` is given below ui; it must be written out, or the translation tools cannot see it."""
    found: set[str] = set()
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr":
                text = node.args[0]
                assert isinstance(text, ast.Constant), f"{path.name}:{node.lineno}: tr({ast.unparse(text)})"
                found.add(str(text.value))
    return found


def translations(path: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """What a .ts file says: by context and source, the type of the translation ("" is finished) and its text."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            key = (context.findtext("name") or "", message.findtext("source") or "")
            translation = message.find("translation")
            assert translation is not None
            found[key] = (translation.get("type", ""), translation.text or "")
    return found


def tool(name: str, *arguments: str | Path) -> None:
    """Run one of PySide6's tools."""
    program = Path(sys.executable).with_name(f"pyside6-{name}")
    subprocess.run([program, *map(str, arguments)], cwd=ROOT, check=True, capture_output=True, timeout=60)


def test_every_string_is_collected_and_has_its_chinese(folders: Path) -> None:
    fresh = folders / "fresh.ts"
    languages = ("-source-language", "en", "-target-language", "zh_CN")
    tool("lupdate", *trees(), "-ts", fresh, *languages, "-no-obsolete", "-locations", "none")
    collected = translations(fresh).keys()
    assert collected == {("", text) for text in windows_strings()} | {(CONTEXT, text) for text in TEXTS.values()}
    have = translations(TRANSLATION)
    assert collected - have.keys() == set(), "run lupdate (CONTRIBUTING.md) and translate"
    assert have.keys() - collected == set(), "no longer in the program"
    assert [key for key, (kind, text) in have.items() if kind or not text.strip()] == []


def test_the_chinese_has_the_same_places_and_is_as_calm() -> None:
    for (_, source), (_, text) in translations(TRANSLATION).items():
        assert places(text) == places(source), source
        assert not re.search(r"[!！]", source + text), source
        assert "&" not in source or source.count("&") == text.count("&"), source
        assert source == text or re.search(r"[\u4e00-\u9fff]", text) or not re.search(r"[a-z]{4}", source), source
        assert not re.search(r"[\u4e00-\u9fff][,.;:?]", text), f"half-width punctuation: {text}"


def test_the_compiled_translation_is_the_committed_one(folders: Path) -> None:
    compiled = folders / "fresh.qm"
    tool("lrelease", TRANSLATION, "-qm", compiled)
    assert compiled.read_bytes() == TRANSLATION.with_suffix(".qm").read_bytes(), "run lrelease (CONTRIBUTING.md)"
