"""`desktop-host policy check | explain | simulate | import`: rules for administrators, without a window."""

import argparse
import json
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop_host.audit.chain import COLUMNS, stored
from desktop_host.audit.log import audit_file, decision_json
from desktop_host.cli.words import english, json_text, print_error
from desktop_host.config.files import FileProblem, decode_text
from desktop_host.config.settings import Settings
from desktop_host.policy.facts import facts_of
from desktop_host.policy.importers import VENDORS, translate
from desktop_host.policy.lint import Lint, lint_policy
from desktop_host.policy.managed import ManagedFile, read_managed_file
from desktop_host.policy.policies import Policies
from desktop_host.policy.reading import Problem, policy_json, read_policy
from desktop_host.policy.simulate import Past, Simulation, past_of, simulate_file
from desktop_host.terms.asks import Layer, Step
from desktop_host.ui.visible import one_line, visible


class _Unusable(Exception):
    """There is nothing to work with; the text says why."""


def run(options: argparse.Namespace) -> int:
    """Exit codes: 0 fine, 1 there is something to tell, 2 it cannot be used."""
    try:
        match options.what:
            case "check":
                return _check(_path(options), managed=options.managed, as_json=options.json)
            case "explain":
                return _explain(options)
            case "simulate":
                return _simulate(_path(options), _log(options), as_json=options.json)
            case _:
                return _import(options.vendor, _path(options), as_json=options.json)
    except (_Unusable, FileProblem, sqlite3.Error) as problem:
        text = english(problem.message) if isinstance(problem, FileProblem) else str(problem)
        if options.json:
            print(json_text({"error": text}))
        else:
            print_error(text)
        return 2


# check


def _check(path: Path, *, managed: bool, as_json: bool) -> int:
    found = _read(path, managed=managed)
    oddities = lint_policy(found.file, time.time())
    offered = [english(one) for one in Policies(managed=(replace(found, doubt=None),)).offered().problems]
    doubt = found.doubt
    if as_json:
        facts: dict[str, Any] = {
            "file": str(path),
            "usable": doubt is None and not found.problems,
            "doubt": english(doubt) if doubt is not None else None,
            "problems": [_problem_json(one) for one in found.problems],
            "findings": [_lint_json(one) for one in oddities],
            "servers": offered,
            "rules": len(found.file.rules),
        }
        print(json_text(facts))
    else:
        if doubt is not None:
            print(one_line(f"{english(doubt)} Nothing is allowed by itself because of it."))
        for problem in found.problems:
            place = f"{path}:{problem.line}:{problem.column}: {problem.pointer or '/'}"
            print(one_line(f"{place}: {english(problem.message)}"))
        for one in oddities:
            print(one_line(f"{path}: {one.pointer} ({one.rule}): {english(one.message)}"))
        for text in offered:
            print(one_line(text))
        if doubt is None and not (oddities or found.problems or offered):
            print(one_line(f"{path}: {_count(len(found.file.rules), 'rule')}, nothing to tell."))
    if doubt is not None or found.problems:
        return 2
    return 1 if oddities or offered else 0


def _read(path: Path, *, managed: bool) -> ManagedFile:
    """A policy; its owner and mode play a part only for `managed` ones."""
    if managed:
        file = read_managed_file(path)
        if file is None:
            raise _Unusable(f"{path}: there is no such file")
        return file
    read = read_policy(_text(path), str(path))
    return ManagedFile(str(path), read.file, read.problems)


# explain and simulate


def _explain(options: argparse.Namespace) -> int:
    facts = facts_of(_facts(options))
    if facts is None:
        raise _Unusable('these are no facts of an ask, such as {"kind": "roots.list", "server": {"name": "x"}}')
    decision = _policies(_path(options) if options.path else None).explain(facts)
    if options.json:
        print(json_text(decision_json(decision, english)))
        return 0
    print(one_line(f"{decision.effect.value}: {english(decision.reasons[0])}"))
    for step in decision.steps:
        for line in _step_lines(step):
            print(visible(line).replace("\n", " "))
    return 0


def _facts(options: argparse.Namespace) -> object:
    if options.ask:
        try:
            return json.loads(options.ask)
        except (ValueError, RecursionError):
            raise _Unusable("--ask is not valid JSON") from None
    for past in _past(_log(options)):
        if past.entry == options.entry:
            return past.facts
    raise _Unusable("name an ask: --entry with a number of the record, or --ask with its facts as JSON")


def _step_lines(step: Step) -> Iterable[str]:
    whose = {Layer.FLOOR: "always so", Layer.MANAGED: "administrator", Layer.USER: "you", Layer.SESSION: "you, for now"}
    where = f" ({step.source}{step.pointer})" if step.source else ""
    state = "fits" if step.counts else "nearly" if step.missed else "does not count"
    yield f"  {state}: {step.effect.value}, {whose[step.layer]}, {step.rule}{where}"
    for message in step.matched:
        yield f"    + {english(message)}"
    for message in (*step.missed, *((step.why_not,) if step.why_not is not None else ())):
        yield f"    - {english(message)}"


def _simulate(path: Path, log: Path, *, as_json: bool) -> int:
    found = simulate_file(log, _policies(path).book)
    if as_json:
        print(json_text(_simulation_json(found)))
    else:
        for change in found.changes:
            past = change.past
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(past.ended))
            words = f"{past.entry} {when} {past.server} {past.tool} {past.facts.get('kind', '')}"
            why = english(change.decision.reasons[0])
            print(one_line(f"{words}: {past.effect.value} would be {change.decision.effect.value}. {why}"))
        told = f"{_count(found.seen, 'ask')} of the record, {len(found.changes)} would be decided otherwise."
        print(told + (f" Of {found.unknown} no facts are in the record." if found.unknown else ""))
    return 1 if found.changes else 0


def _policies(path: Path | None) -> Policies:
    """The rules that hold here for the person who is here; with those of a file in the place of administrators'."""
    managed = None
    if path is not None:
        found = _read(path, managed=False)
        if found.problems:
            first = found.problems[0]
            raise _Unusable(
                one_line(f"{path}:{first.line}:{first.column}: {first.pointer or '/'}: {english(first.message)}")
            )
        managed = (found,)
    made = Policies(managed=managed)
    made.follow(Settings())
    return made


def _past(log: Path) -> Iterable[Past]:
    for row, _ in stored(log):
        yield from past_of(dict(zip(COLUMNS, row, strict=True)))


# import


def _import(vendor: str, path: Path, *, as_json: bool) -> int:
    if vendor not in VENDORS:
        raise _Unusable(f"name whose file it is: {', '.join(VENDORS)}")
    found = translate(vendor, _text(path))
    policy = policy_json(found.policy)
    if as_json:
        report = [
            {
                "pointer": line.pointer,
                "text": line.text,
                "became": line.became,
                "rules": list(line.rules),
                "why": english(line.why) if line.why is not None else "",
            }
            for line in found.report
        ]
        print(json_text({"policy": policy, "report": report}))
    else:
        print(json_text(policy, indent=2))
        for line in found.report:
            why = f" {english(line.why)}" if line.why is not None else ""
            told = (line.pointer, line.text, f"became {line.became}.{why}")
            print_error("  ".join(map(one_line, told)))
    return 1 if any(line.why is not None for line in found.report) else 0


# parts


def _path(options: argparse.Namespace) -> Path:
    if not options.path:
        raise _Unusable("name a file")
    return Path(options.path)


def _log(options: argparse.Namespace) -> Path:
    return Path(options.log) if options.log else audit_file()


def _text(path: Path) -> str:
    try:
        return decode_text(path.read_bytes())
    except OSError as error:
        raise _Unusable(f"{path}: {error.strerror}") from None
    except ValueError:
        raise _Unusable(f"{path}: this is neither UTF-8 nor UTF-16") from None


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def _problem_json(problem: Problem) -> dict[str, Any]:
    place = {"pointer": problem.pointer, "line": problem.line, "column": problem.column}
    return {**place, "message": english(problem.message)}


def _lint_json(one: Lint) -> dict[str, Any]:
    return {"pointer": one.pointer, "rule": one.rule, "finding": one.message.key, "message": english(one.message)}


def _simulation_json(found: Simulation) -> dict[str, Any]:
    return {
        "seen": found.seen,
        "unknown": found.unknown,
        "changes": [
            {
                "entry": one.past.entry,
                "server": one.past.server,
                "tool": one.past.tool,
                "kind": one.past.facts.get("kind"),
                "was": one.past.effect.value,
                "would": one.decision.effect.value,
                "reasons": [english(reason) for reason in one.decision.reasons],
            }
            for one in found.changes
        ],
    }
