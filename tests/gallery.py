"""Renders every window and dialog to PNG, light and dark, English and Chinese: `uv run python tests/gallery.py OUT`.

More words choose among light, dark, light-zh and dark-zh; `150` draws at that many percent. The windows are the real ones; what they show is made up here.
"""

import dataclasses
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QPoint
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from desktop_host.asks.person import (
    ConnectQuestion,
    FormQuestion,
    LinkQuestion,
    RequestQuestion,
    ResponseQuestion,
    RootsQuestion,
)
from desktop_host.audit.chain import Checked
from desktop_host.audit.log import record_json
from desktop_host.audit.reading import Entry, Part, Use
from desktop_host.config.hosts import text_source
from desktop_host.config.providers_file import ProviderEntry
from desktop_host.config.settings import Settings
from desktop_host.demo.stories import TOOLS, flights
from desktop_host.elicitation.address import look_at, read_address
from desktop_host.elicitation.drafts import FormDraft
from desktop_host.elicitation.form import Form
from desktop_host.elicitation.screening import form_findings, secret_fields
from desktop_host.engine import Engine
from desktop_host.policy.decide import Placed, Rulebook
from desktop_host.policy.facts import Facts, ServerFacts
from desktop_host.policy.managed import ManagedFile
from desktop_host.policy.narrowest import narrowest
from desktop_host.policy.policies import RulesState
from desktop_host.policy.reading import read_rule
from desktop_host.policy.rules import Kind, PolicyFile
from desktop_host.policy.secrets import SECRETS, Marked, find_secrets
from desktop_host.policy.simulate import Change, Past, Simulation
from desktop_host.sampling.catalog import Planned
from desktop_host.sampling.choice import suggest
from desktop_host.sampling.draft import ModelAnswer, draft_findings, secret_findings
from desktop_host.sampling.models.provider import PRACTICE, YOU, ModelInfo, Plan
from desktop_host.sampling.reading import read_draft
from desktop_host.terms.asks import (
    Ask,
    AskKind,
    CallRef,
    Decision,
    Effect,
    Finding,
    Layer,
    Origin,
    Outcome,
    Record,
    Severity,
)
from desktop_host.terms.messages import say
from desktop_host.terms.state import (
    ArgumentInfo,
    CallState,
    CallStatus,
    Console,
    PromptInfo,
    ResourceInfo,
    RootState,
    ServerState,
    ServerStatus,
    ToolInfo,
    Traffic,
    WorkspaceState,
)
from desktop_host.ui.asks.connect_window import ConnectWindow
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.link_window import LinkWindow
from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.asks.sampling_window import SamplingWindow
from desktop_host.ui.bridge import Bridge
from desktop_host.ui.editors.dates import DateEditor, DatePicker
from desktop_host.ui.inbox import Inbox, InboxView
from desktop_host.ui.main_window import MainWindow
from desktop_host.ui.pages.add_server import AddServer
from desktop_host.ui.pages.console import ConsoleTab
from desktop_host.ui.pages.import_servers import ImportServers
from desktop_host.ui.pages.traffic import TrafficTab
from desktop_host.ui.rules.dialog import RuleDialog
from desktop_host.ui.rules.simulation import SimulationDialog
from desktop_host.ui.text import install_language, tr, words
from desktop_host.ui.theme import Theme
from desktop_host.ui.widgets.growing_text import GrowingText

IDENTITY = "uvx travel==1.2"
ASKED = Decision(Effect.ASK, (say("decision.no_rule"),))
BOOKING = {
    "type": "object",
    "properties": {
        "confirm": {
            "type": "boolean",
            "title": "Confirm booking",
            "description": "Flights and hotel, $3,000 in total",
            "default": True,
        },
        "arrival": {"type": "string", "title": "Arrival", "format": "date", "default": "2027-06-15"},
        "departure": {"type": "string", "title": "Departure", "format": "date", "default": "2027-06-22"},
        "seat": {"type": "string", "title": "Seat preference", "enum": ["Window", "Aisle", "No preference"]},
        "room": {
            "type": "string",
            "title": "Room type",
            "enum": ["Sea view", "City view", "Garden view", "Any of these"],
        },
        "email": {"type": "string", "title": "E-mail for the tickets", "format": "email"},
        "insurance": {"type": "boolean", "title": "Travel insurance", "description": "Add it, $150", "default": False},
    },
    "required": ["confirm", "email"],
}
KINDS = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "description": "As in your passport", "minLength": 2},
        "age": {"type": "integer", "title": "Age", "minimum": 18, "maximum": 120},
        "member": {"type": "boolean", "title": "Member of the club"},
        "meals": {
            "type": "array",
            "title": "Meals",
            "items": {"enum": ["Breakfast", "Lunch", "Dinner", "Late snack"]},
            "maxItems": 2,
        },
        "address": {"type": "object", "title": "Address", "properties": {"zip": {"type": "string"}}},
        "notes": {"type": "string", "title": "Notes", "maxLength": 2000},
    },
    "required": ["name", "age"],
}
PICKED = {
    "type": "object",
    "properties": {
        "when": {"type": "string", "title": "Pick-up", "format": "date-time", "default": "2027-06-15T09:30:00+02:00"},
        "until": {"type": "string", "title": "Drop-off", "format": "date"},
        "city": {"type": "string", "title": "City", "enum": ["Barcelona", "Berlin", "Bilbao", "Bologna", "Bordeaux", "Bremen"]},
        "seats": {"type": "integer", "title": "Seats", "minimum": 1, "maximum": 9, "default": 4},
        "plate": {"type": "string", "title": "Plate", "pattern": "^[A-Z]{1,3}-\\d{1,4}$", "minLength": 3, "maxLength": 9},
        "deposit": {"type": "number", "title": "Deposit", "multipleOf": 0.5, "minimum": 0},
        "smoking": {"type": "boolean", "title": "Smoking"},
        "site": {"type": "string", "title": "Company page", "format": "uri"},
        "extras": {
            "type": "array",
            "title": "Extras",
            "items": {"anyOf": [{"const": "gps", "title": "Navigation"}, {"const": "seat", "title": "Child seat"}, {"const": "chains", "title": "Snow chains"}]},
            "minItems": 1,
            "maxItems": 2,
            "default": ["gps"],
        },
        "stops": {"type": "array", "title": "Stops", "items": {"enum": [f"Stop {number}" for number in range(1, 41)]}},
    },
    "required": ["when", "city", "seats"],
}  # fmt: skip
NESTED = {
    "type": "object",
    "properties": {
        "address": {
            "type": "object",
            "title": "Address",
            "description": "Where the tickets go",
            "properties": {"street": {"type": "string"}, "zip": {"type": "string"}, "floor": {"type": "integer"}},
            "required": ["street", "zip"],
            "default": {"street": "Gran Via 12", "zip": "08015", "floor": 3, "lift": True},
        },
    },
}
HOSTILE = {
    "type": "object",
    "properties": {
        "": {"type": "string", "description": "<b>bold</b> and [a link](https://evil.example)"},
        "__proto__": {"type": "string", "title": "exe.png\u202etxt"},
        "a.b": {"type": "string", "title": "👩‍👩‍👧 🇪🇸 العنوان", "description": "z" * 900},
        "long": {"type": "string", "title": "x" * 300},
    },
}
PASSWORD = {
    "type": "object",
    "properties": {
        "user": {"type": "string", "title": "User name"},
        "password": {"type": "string", "title": "Password"},
    },
    "required": ["user", "password"],
}


MANY = {
    "type": "object",
    "properties": {f"f{number}": {"type": "string", "title": f"Passenger {number}"} for number in range(1, 257)},
}


class StillBridge(Bridge):
    """A bridge to an engine that never runs: intents go nowhere."""

    def send(self, command: Any, then: Any = None, owner: Any = None) -> None:
        """Do nothing."""


def make_ask(kind: AskKind, params: dict[str, Any], *, tool: str = "book_trip", total: int = 1, **more: Any) -> Ask:
    """An ask of the travel planner during a call that began four seconds ago."""
    call = CallRef("c1", tool, {"trip": "bcn-0615"}, time.time() - 4)
    calls = () if kind is AskKind.CONNECT else (call,)
    origin = Origin("Travel planner", IDENTITY, "modern", "2026-07-28", calls, "k1", 1, total)
    return Ask(f"{kind.value}-{id(params)}", kind, origin, params, **more)


def form_question(schema: dict[str, Any], message: str, **more: Any) -> FormQuestion:
    """A form to fill in."""
    params = {"mode": "form", "message": message, "requestedSchema": schema}
    form = Form.from_params(params)
    return FormQuestion(make_ask(AskKind.FORM, params, **more), form_findings(form), ASKED, form, secret_fields(form))


def link_question(url: str, message: str, *, signs_in: bool = False, **more: Any) -> LinkQuestion:
    """A link to open, or with `signs_in` the page of a sign-in."""
    address = read_address(url)
    params = {"mode": "url", "url": url, "message": message}
    ask = make_ask(AskKind.URL, params, waits=not signs_in, signs_in=signs_in, **more)
    return LinkQuestion(ask, () if signs_in else look_at(address), ASKED, address)


def request_question() -> RequestQuestion:
    """A request to a model."""
    lines = "\n".join(f"{one['flight']} {one['departs']} ${one['price']}" for one in flights()[:6])
    params = {
        "systemPrompt": "You are a travel expert. Weigh price, comfort and times. Answer in three sentences.",
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "Pick the best of these 47 flights from Berlin to Barcelona, 15 to 22 June. We like to leave in the morning and to sit together."}},
            {"role": "user", "content": {"type": "text", "text": lines + "\nand 41 more"}},
        ],
        "modelPreferences": {"hints": [{"name": "llama"}]},
        "maxTokens": 1500,
    }  # fmt: skip
    draft = read_draft(params)
    models = (ModelInfo("llama-3.3-70b", "127.0.0.1"), ModelInfo(YOU, YOU))
    ask = make_ask(AskKind.SAMPLING, params, tool="find_best_flight", total=2)
    return RequestQuestion(ask, draft_findings(draft), ASKED, draft, draft, suggest(draft, models))


def long_question() -> RequestQuestion:
    """A prompt of 100 KiB, with a key somewhere in it."""
    line = "{date}T{hour:02}:14:07Z  INFO  booking-service  seat map of flight VY-{hour:02}41 loaded, 3 seats in a row left\n"
    lines = [line.format(date=f"2027-06-{day:02}", hour=hour) for day in range(1, 41) for hour in range(24)]
    log = "".join(lines)[: 100 * 1024].replace(
        "VY-0341 loaded", "VY-0341 loaded with key sk-ant-" + "Ab3dEf6hIj9" * 3, 1
    )
    messages = [{"role": "user", "content": {"type": "text", "text": f"What went wrong here?\n\n{log}"}}]
    params = {"messages": messages, "systemPrompt": "You read logs. Be brief.", "maxTokens": 800}
    draft = read_draft(params)
    models = (ModelInfo("llama-3.3-70b", "127.0.0.1", local=True), ModelInfo(YOU, YOU))
    ask = make_ask(AskKind.SAMPLING, params, tool="explain_log")
    findings = (*draft_findings(draft), *secret_findings(draft))
    return RequestQuestion(ask, findings, ASKED, draft, draft, suggest(draft, models))


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WEATHER = {
    "name": "weather",
    "description": "The weather of a city on a day",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "day": {"type": "string"}}},
}


def tools_question() -> RequestQuestion:
    """A request with tools, media and a secret, which the practice model would answer."""
    params = {
        "systemPrompt": "The service's key is AKIAIOSFODNN7EXAMPLE, never show it.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Will it rain in Barcelona?"}, {"type": "image", "data": PIXEL, "mimeType": "image/png"}, {"type": "audio", "data": PIXEL * 40, "mimeType": "audio/wav"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "u1", "name": "weather", "input": {"city": "Barcelona", "day": "2027-06-15"}}]},
            {"role": "user", "content": [{"type": "tool_result", "toolUseId": "u1", "content": [{"type": "text", "text": "Sunny, 24 degrees"}], "isError": False}]},
            {"role": "user", "content": [{"type": "resource_link", "name": "Forecast", "uri": "https://weather.example/bcn"}, {"type": "hologram", "data": "?"}]},
        ],
        "tools": [WEATHER],
        "toolChoice": {"mode": "auto"},
        "maxTokens": 200000,
    }  # fmt: skip
    draft = read_draft(params)
    models = (ModelInfo("gpt-5", "OpenAI", tools=True), ModelInfo(PRACTICE, PRACTICE, local=True, images=False, tools=False), ModelInfo(YOU, YOU))  # fmt: skip
    ask = make_ask(AskKind.SAMPLING, params, tool="find_best_flight")
    findings = (*draft_findings(draft), *secret_findings(draft))
    return RequestQuestion(ask, findings, ASKED, draft, draft, suggest(draft, models))


def entry(number: int, kind: str, outcome: Outcome, params: dict[str, Any], **record: Any) -> Entry:
    """An entry of the audit log; each is some minutes older than the one before it."""
    ended = time.time() - 420.0 * number**1.7
    tool = "" if kind == "connect" else "book_trip"
    server = "Customers" if number in (4, 6) else "Travel planner"
    whole = {"kind": kind, "params": params, "outcome": outcome.value, "answer": None, **record}
    decided = {"effect": "ask", "reasons": [{"key": "decision.no_rule", "values": {}}]}
    return Entry(
        214 - number, f"{number:032x}", ended - 3.2, ended, kind, server, IDENTITY, "2026-07-28", tool, outcome.value,
        f"{number:064x}", {"decision": decided, **whole},
    )  # fmt: skip


def found(severity: str, key: str, **values: Any) -> dict[str, Any]:
    """A finding as the audit log keeps it."""
    return {"severity": severity, "where": "", "key": key, "text": {"key": key, "values": values}}


ENTRIES = (
    entry(0, "form", Outcome.ACCEPT, {"message": "Confirm your Barcelona booking"}, answer={"action": "accept", "content": {"seat": "Aisle"}}),
    entry(1, "sampling", Outcome.ACCEPT, {"messages": [{"role": "user", "content": {"type": "text", "text": "Pick the best of 47 flights"}}]}, edits=["systemPrompt", "answer"], findings=[found("warning", "sampling.secret", count=1)], answer={"role": "assistant"}),
    entry(2, "roots", Outcome.ACCEPT, {}, answer={"roots": []}),
    entry(3, "url", Outcome.REFUSED, {"message": "Please pay", "url": "http://pay.barcelona-hotels.example/checkout"}, findings=[found("danger", "link.look_alike", host="pay.bаrcelona-hotels.example", alike="pay.barcelona-hotels.example")], notices=[{"key": "link.not_https", "values": {}}]),
    entry(4, "form", Outcome.DECLINE, {"message": "Sign in to your account"}, findings=[found("danger", "form.asks_for_secret")], reason="I do not know this page"),
    entry(5, "form", Outcome.WITHDRAWN, {"message": "Which template?"}),
    entry(6, "sampling", Outcome.CANCEL, {"messages": [{"role": "user", "content": {"type": "text", "text": "Summarise 12 contacts"}}]}),
    entry(7, "connect", Outcome.ACCEPT, {"command": "uvx"}, answer={"action": "accept"}),
    entry(18, "form", Outcome.PARKED, {"message": "Who travels with you?"}),
    entry(30, "form", Outcome.FAILED, {"message": "Choose a hotel"}),
)  # fmt: skip


FACTS = Facts(
    Kind.REQUEST,
    ServerFacts("Travel planner", ("uvx", "travel==1.2"), "", "f" * 64),
    ("find_best_flight",),
    models=("claude-sonnet-5",),
    max_tokens=600,
    prompt_tokens=1312,
    has_tools=False,
    content_types=("text",),
    secrets_found=False,
)
RULES = tuple(
    read_rule(one)
    for one in (
        {"id": "no-look-alikes", "effect": "deny", "kinds": ["elicitation.url"], "when": {"lookAlike": True}, "reason": "use the portal"},
        {"id": "no-passwords", "effect": "deny", "kinds": ["elicitation.form"], "when": {"credentialFields": True}},
        {"id": "documents", "effect": "allow", "kinds": ["sampling.request", "sampling.response"], "when": {"server": {"serverCommand": ["uvx", "corp-files==2.1.0"]}, "modelIn": ["local/*"], "maxTokensLE": 1000, "secretsFound": False}, "rate": {"count": 20, "perSeconds": 60}, "expires": "2027-03-31T00:00:00Z", "reason": "ticket 1234"},
        {"id": "ask-links", "effect": "ask", "kinds": ["elicitation.url"], "when": {"server": {"fingerprint": "f" * 64, "serverCommand": ["uvx", "travel==1.2"]}}},
        {"id": "flights", "effect": "allow", "kinds": ["sampling.request"], "when": {"server": {"fingerprint": "f" * 64, "serverCommand": ["uvx", "travel==1.2"]}, "tool": "find_best_flight", "maxTokensLE": 600}, "rate": {"count": 20, "perSeconds": 60}},
        {"id": "old", "effect": "allow", "kinds": ["roots.list"], "when": {"server": {"serverCommand": ["uvx", "weather==0.9"]}}, "expires": "2026-11-01T00:00:00Z"},
    )
)  # fmt: skip


def rules_state() -> RulesState:
    """An administrator's three rules, and three of the person's."""
    policy = "/etc/desktop-host/policy.json"
    layers = [(Layer.MANAGED, policy)] * 3 + [(Layer.USER, "~/.config/desktop-host/rules.json")] * 3
    placed = tuple(
        Placed(rule, *layer, f"/rules/{n}") for n, (rule, layer) in enumerate(zip(RULES, layers, strict=True))
    )
    now = time.time()
    return RulesState(
        placed,
        (ManagedFile(policy, PolicyFile()),),
        None,
        None,
        False,
        (),
        layers[-1][1],
        now - 7200,
        {(Layer.USER, "old"): (say("lint.expired", when="2026-11-01 00:00"), say("lint.no_server"))},
        {"no-look-alikes": Use(3, now - 900), "documents": Use(214, now - 60), "flights": Use(31, now - 4000)},
        (FACTS.server,),
    )


def explained() -> Entry:
    """An entry with all steps of its decision."""
    state = rules_state()
    asked = dataclasses.replace(FACTS, max_tokens=900)
    decision = Rulebook(state.rules).decide(asked)
    ask = make_ask(AskKind.SAMPLING, {"messages": [], "maxTokens": 900}, tool="find_best_flight")
    record = Record(ask, (), decision, Outcome.ACCEPT, {"role": "assistant"}, {}, ())
    allowed = Rulebook(state.rules).decide(dataclasses.replace(FACTS, kind=Kind.REQUEST))
    record = dataclasses.replace(record, response=allowed)
    now = time.time()
    return Entry(
        214,
        f"{214:032x}",
        now - 3,
        now,
        "sampling",
        "Travel planner",
        IDENTITY,
        "2026-07-28",
        "find_best_flight",
        "accept",
        f"{214:064x}",
        record_json(record),
    )


def unreachable(request: RequestQuestion) -> RequestQuestion:
    """The same request while the model is not there."""
    problems = {"model": say("model.unreachable", host="127.0.0.1")}
    suggestion = suggest(request.draft, (ModelInfo(YOU, YOU),), some_missing=True)
    return dataclasses.replace(request, suggestion=suggestion, problems=problems)


def response_question(request: RequestQuestion, *, by_person: bool) -> ResponseQuestion:
    """A model's answer, or an empty one for the person to write."""
    text = (
        "Take VY 1883: it leaves at 06:10, is direct and, at $212, the cheapest of the 47. If that is too early, LH 1132 at "
        "09:35 costs $36 more and still has three seats in a row. Passenger: Maria López, born 4 April 1988."
    )
    answer = ModelAnswer("", YOU) if by_person else ModelAnswer(text, "llama-3.3-70b", "endTurn", 1312, 88, 2.4)
    return ResponseQuestion(request.ask, (), ASKED, request.draft, Plan({}), answer, by_person)


def tools() -> tuple[ToolInfo, ...]:
    """The demo's tools, the flight search with arguments worth a picture."""
    arguments = {
        "type": "object",
        "properties": {
            "from": {"type": "string", "title": "From", "default": "Berlin (BER)"},
            "to": {"type": "string", "title": "To", "default": "Barcelona (BCN)"},
            "passengers": {"type": "integer", "title": "Passengers", "minimum": 1, "default": 2},
            "out": {"type": "string", "title": "Out", "format": "date", "default": "2027-06-15"},
            "back": {"type": "string", "title": "Back", "format": "date", "default": "2027-06-22"},
            "cabin": {"type": "string", "title": "Cabin", "enum": ["Economy", "Premium economy", "Business", "First class", "Any"], "default": "Economy"},
            "direct": {"type": "boolean", "title": "Stops", "description": "Direct flights only", "default": True},
        },
        "required": ["from", "to", "out"],
    }  # fmt: skip
    found = [ToolInfo(one.name, one.title, one.description, one.arguments, one.output) for one in TOOLS]
    best = ToolInfo("find_best_flight", "Find the best flight", "Compares fares of all airlines for your dates. Asks you if the best fare has conditions.", arguments, {}, read_only=True, open_world=True)  # fmt: skip
    return (best, *(one for one in found if one.name != "find_best_flight"))


def servers() -> list[ServerState]:
    """A server in every state."""
    ready, off, failed = ServerStatus.READY, ServerStatus.OFF, ServerStatus.FAILED
    return [
        ServerState("Travel planner", IDENTITY, ready, "modern", "2026-07-28", tools(), asks_waiting=2),
        ServerState("Team calendar", "npx team-calendar@3.1.0", ready, "handshake", "2025-11-25", tools()[:3]),
        ServerState("Weather", "uvx weather==2.0", ServerStatus.STARTING),
        ServerState("Documents", "https://docs.example.org/mcp", ready, "modern", "2026-07-28", tools()[:4]),
        ServerState("Customers", "https://crm.example.org/mcp", failed, reason=say("server.exited_saying", code=1, last="Certificate expired 12 May"), log=("starting", "Certificate expired 12 May")),
        ServerState("Expenses", "uvx expenses==0.4", off),
    ]  # fmt: skip


def call(status: CallStatus) -> CallState:
    """A call of the flight search."""
    now = time.time()
    result = {"content": [{"type": "text", "text": "47 flights found"}], "structuredContent": {"flights": flights()}}
    running = status is CallStatus.RUNNING
    return CallState(
        "c1", "Travel planner", "find_best_flight", {}, now - 6, status, 31 if running else None, 47, "31 of 47 flights",
        None if running else now - 2.8, None if running else result, notices=() if running else (say("result.matches"),),
    )  # fmt: skip


ROOTS = (
    RootState("file:///home/maria/travel-planning", "/home/maria/travel-planning", "Travel planning", frozenset({"Travel planner"})),
    RootState("file:///home/maria/client-documents", "/home/maria/client-documents", "Client documents", frozenset({"Documents"})),
    RootState("file:///home/maria/shared", "/home/maria/shared", "Shared", link=True, network=True),
    RootState("file:///media/stick/archive", "/media/stick/archive", "Archive 2023", missing=True),
    RootState("file:///home/maria/site/docs", "/home/maria/site/docs", "docs", repository="/home/maria/site"),
)  # fmt: skip
WORKSPACE = WorkspaceState(
    "Travel", ("", "Travel"), frozenset({"Travel planner"}), ("/home/maria/old",), ("/home/maria/private",)
)


OFFERING = ServerState(
    "Travel planner", IDENTITY, ServerStatus.READY, "modern", "2026-07-28", tools(),
    resources=(
        ResourceInfo("trip://plan", "Plan of the trip", "Changes while you book.", "text/markdown", 2048),
        ResourceInfo("trip://ticket.pdf", "Ticket", mime="application/pdf", size=93_120),
        ResourceInfo("hotel://{city}/{name}", "A hotel", "Any hotel of the catalogue.", template=True),
    ),
    prompts=(
        PromptInfo("week", "A week somewhere", "Plans seven days.", (ArgumentInfo("city", "City", "Where to", True), ArgumentInfo("budget", "Budget"))),
    ),
    follows=True, completes=True,
)  # fmt: skip
TRAFFIC = tuple(
    Traffic(number, 1_795_000_000.0 + number / 7, sent, kind, method, request_id, 300 + number * 900, took)
    for number, (sent, kind, method, request_id, took) in enumerate((
        (True, "request", "server/discover", "1", None), (False, "result", "server/discover", "1", 0.0123),
        (True, "request", "tools/call", "2", None), (False, "notification", "notifications/progress", "", None),
        (False, "error", "tools/call", "2", 1.482), (False, "broken", "", "", None),
    ))
)  # fmt: skip


class Gallery:
    """Draws the windows of one theme and language into a folder."""

    def __init__(self, app: QApplication, theme: Theme, out: Path, suffix: str) -> None:
        self._app = app
        self._theme = theme
        self._out = out
        self._suffix = suffix
        self._bridge = StillBridge(Engine(None))

    def draw(self) -> None:
        """Draw all."""
        pages = "first_run servers parts workspace activity rules settings failed add_server import_servers inbox"
        for name in pages.split():
            getattr(self, f"_{name}")()
        for name, question in (
            ("form", form_question(BOOKING, "Please confirm your Barcelona vacation booking details. Beach hotel, 7 nights, two flights.", total=2)),
            ("form-kinds", form_question(KINDS, "Who is travelling?")),
            ("form-picked", form_question(PICKED, "Which car shall I reserve?")),
            ("form-json", form_question(NESTED, "Where shall the tickets go?")),
            ("form-hostile", form_question(HOSTILE, "\x1b[31mRed\x1b[0m <img src=x> click https://evil.example \u202ereversed")),
            ("form-many", form_question(MANY, "Who is travelling with the group?")),
            ("form-confirm", form_question({"type": "object", "properties": {}}, "Shall I send the booking now?")),
            ("form-password", form_question(PASSWORD, "Log in to see your bookings.")),
        ):  # fmt: skip
            window = FormWindow(question, self._bridge)
            if name == "form":
                window.form.rows["seat"].editor.enter("Aisle")
                window.form.rows["email"].editor.enter("maria@example")
                self._grab(window, "form-360px", height=360)
            self._grab(window, name)
        draft = FormDraft({"email": "maria@example.org", "seat": "Aisle"}, time.time() - 3600)
        offered = dataclasses.replace(form_question(BOOKING, "Please confirm your booking."), draft=draft)
        self._grab(FormWindow(offered, self._bridge), "form-draft")
        wrong = FormWindow(form_question(PICKED, "Which car shall I reserve?"), self._bridge)
        for name, entry in {
            "when": "2027-06-15",
            "city": "Paris",
            "seats": "12",
            "plate": "b",
            "deposit": "0.3",
        }.items():
            wrong.form.rows[name].editor.enter(entry)
        self._grab(wrong, "form-wrong")
        self._picker()
        withdrawn = FormWindow(form_question(BOOKING, "Please confirm your booking."), self._bridge)
        withdrawn.form.rows["email"].editor.enter("maria@example.org")
        withdrawn.withdrawn(Outcome.WITHDRAWN)
        self._grab(withdrawn, "form-withdrawn")
        self._links()
        self._sampling()
        self._grab(RootsWindow(RootsQuestion(make_ask(AskKind.ROOTS, {}), (), ASKED, ROOTS), self._bridge), "roots")
        params = {
            "command": "npx",
            "args": ["-y", "travel-server", "--cache", "/tmp/a b"],
            "env": ["API_KEY"],
            "cwd": "",
        }
        finding = Finding(Severity.WARNING, message=say("connect.floating", command="npx"))
        self._grab(ConnectWindow(ConnectQuestion(make_ask(AskKind.CONNECT, params), (finding,), ASKED)), "connect")
        params |= {"program": "/home/maria/.local/bin/npx", "before": "/usr/bin/npx"}
        self._grab(ConnectWindow(ConnectQuestion(make_ask(AskKind.CONNECT, params), (), ASKED)), "connect-changed")

    def _picker(self) -> None:
        window = FormWindow(form_question(PICKED, "Which car shall I reserve?"), self._bridge)
        editor = window.form.rows["when"].editor
        assert isinstance(editor, DateEditor)
        editor.pick.trigger()
        self._grab(editor.findChildren(DatePicker)[0], "form-picker")

    def _links(self) -> None:
        for name, url in (
            ("number", "https://0x7f.0x1:8443/admin?next=https%3A%2F%2Fevil.example%2Fsteal&token=f31c9a7e"),
            ("user", "https://www.paypal.com@paypa1.com/login?return=%E2%80%AEhttps://paypal.com"),
            ("here", "http://127.0.0.1:3000/callback"),
            ("long", "https://login.sea-air.example/connect?state=" + "f31c9a7e-62d0-4b57-9c1e-08a4" * 110),
            ("chinese", "https://预订.海景酒店.中国/确认?订单=8841"),
        ):
            self._grab(LinkWindow(link_question(url, "Please connect your airline account.")), f"link-{name}")
        plain = link_question(
            "https://login.sea-air.example/connect?state=f31c9a7e-62d0-4b57-9c1e-08a4",
            "Please connect your airline account.",
        )
        self._grab(LinkWindow(plain), "link")
        fake = "https://pay.bаrcelona-hotels.example/checkout/booking/8841/confirm?trip=bcn-0615&nights=7&room=sea-view&return=desktop-host%3A%2F%2Fdone&session=f31c9a7e"
        self._grab(
            LinkWindow(link_question(fake, "Please pay the deposit of $300 to keep the sea view room.")), "link-danger"
        )
        issuer = "https://login.sea-air.example/authorize?response_type=code&client_id=desktop-host&resource=https%3A%2F%2Fmcp.sea-air.example"
        self._grab(LinkWindow(link_question(issuer, "", signs_in=True)), "link-sign-in")
        again = LinkWindow(link_question(plain.address.url, "Please connect your airline account.", repeated=True))
        self._grab(again, "link-waiting")

    def _sampling(self) -> None:
        request = request_question()
        window = SamplingWindow(request, self._bridge)
        self._grab(window, "sampling-1-request")
        self._grab(SamplingWindow(unreachable(request), self._bridge), "sampling-1-unreachable")
        window = SamplingWindow(request, self._bridge)
        window.ask_again_with(response_question(request, by_person=False))
        window.answer._text.setPlainText(
            window.answer.text().replace("three seats in a row", "two seats side by side").partition(" Passenger")[0]
        )
        self._grab(window, "sampling-2-answer")
        long = long_question()
        window = SamplingWindow(long, self._bridge)
        window.show()
        while any(text.isReadOnly() for text in window.request.findChildren(GrowingText)):  # it comes bit by bit
            self._app.processEvents()
        window.request.show_secrets(Marked(SECRETS, tuple(map(find_secrets, window.request.texts()))))
        self._grab(window, "sampling-1-long")
        tools = tools_question()
        window = SamplingWindow(tools, self._bridge)
        window.request.show_plan(Planned(Plan({"model": "gpt-5"}, (say("model.moved_media"),)), 0.0012, 0.0842))
        window.request.show_secrets(Marked(SECRETS, tuple(map(find_secrets, window.request.texts()))))
        self._grab(window, "sampling-1-tools")
        use = {"type": "tool_use", "id": "u2", "name": "weather", "input": {"city": "Barcelona", "day": "2027-06-22"}}
        answer = ModelAnswer("I look up the day of your return as well.", "gpt-5", "toolUse", 812, 60, 1.4, (use,))
        window = SamplingWindow(tools, self._bridge)
        window.ask_again_with(ResponseQuestion(tools.ask, (), ASKED, tools.draft, Plan({}), answer, False))
        self._grab(window, "sampling-2-tools")
        window = SamplingWindow(request, self._bridge)
        window.ask_again_with(response_question(request, by_person=True))
        self._grab(window, "sampling-2-you")

    def _main(self) -> MainWindow:
        self._bridge = StillBridge(Engine(None))  # windows that are closed hear nothing more
        return MainWindow(Settings(Path("/nonexistent/settings.json")), self._bridge, self._theme)

    def _first_run(self) -> None:
        self._grab(self._main(), "servers-first-run")

    def _filled(self) -> MainWindow:
        window = self._main()
        for state in servers():
            self._bridge.server_changed.emit(state)
        self._bridge.roots_changed.emit(ROOTS)
        return window

    def _servers(self) -> None:
        window = self._filled()
        self._bridge.call_changed.emit(call(CallStatus.RUNNING))
        self._grab(window, "servers-running", close=False)
        self._bridge.call_changed.emit(call(CallStatus.DONE))
        self._grab(window, "servers", close=False)
        window.resize(960, 600)
        self._grab(window, "servers-small")

    def _parts(self) -> None:
        """The tabs of a server beside its tools, and the page of one that waits for the browser."""
        window = self._main()
        self._bridge.server_changed.emit(OFFERING)
        view = window.servers.view(OFFERING.name)
        view.show_tab("resources")
        view.resources._result.show_contents(
            {
                "contents": [
                    {
                        "uri": "trip://plan",
                        "mimeType": "text/markdown",
                        "text": "# Barcelona\n\n- 15 June: arrival\n- 22 June: back",
                    }
                ]
            },
            None,
        )
        self._grab(window, "server-resources", close=False)
        view.resources.list.setCurrentRow(2)
        self._grab(window, "server-template", close=False)
        view.show_tab("prompts")
        view.prompts._result.show_messages(
            {"messages": [{"role": "user", "content": {"type": "text", "text": "Plan a week in Barcelona."}}]}, None
        )
        self._grab(window, "server-prompts", close=False)
        view.show_tab("traffic")
        traffic = view.findChildren(TrafficTab)[0]
        traffic._came(TRAFFIC)
        traffic.text.setPlainText('{\n  "jsonrpc": "2.0",\n  "id": 2,\n  "method": "tools/call"\n}')
        self._grab(window, "server-traffic", close=False)
        view.show_tab("console")
        view.findChildren(ConsoleTab)[0]._show(Console(("listening", "warning: no cache"), 3, 190_000_000))
        self._grab(window, "server-console", close=False)
        waits = dataclasses.replace(OFFERING, status=ServerStatus.STARTING, reason=say("oauth.waiting"))
        self._bridge.server_changed.emit(waits)
        self._grab(window, "server-signing-in")

    def _import_servers(self) -> None:
        parent = QWidget()
        window = ImportServers(self._bridge, parent)
        text = '{"mcpServers": {"github": {"command": "npx", "args": ["-y", "server-github"], "env": {"GITHUB_TOKEN": "abc"}, "autoApprove": ["search"]}, "bad": {"command": 5}}}'
        window.show_sources([text_source("Cursor · ~/.cursor/mcp.json", text)])
        self._grab(window, "import-servers")

    def _failed(self) -> None:
        window = self._filled()
        window.servers.select("Customers")
        self._grab(window, "servers-failed")

    def _workspace(self) -> None:
        window = self._filled()
        window.show_page(1)
        window.workspace._show_workspace(WORKSPACE)
        self._grab(window, "workspace")

    def _activity(self) -> None:
        window = self._main()
        window.resize(1280, 800)
        window.show_page(2)
        window.activity._show(Part(ENTRIES, False, len(ENTRIES), ("Customers", "Travel planner")), first=True)
        window.activity._show_proof(Checked(len(ENTRIES), "0" * 64))
        self._grab(window, "activity", close=False)
        window.activity.table.selectRow(3)
        self._grab(window, "activity-entry")
        window = self._main()
        window.show_page(2)
        window.activity._show(Part((), False, 0, ()), first=True)
        self._grab(window, "activity-empty")

    def _rules(self) -> None:
        window = self._main()
        window.resize(1280, 800)
        window.show_page(3)
        state = rules_state()
        window.rules._show(state)
        self._grab(window, "rules", close=False)
        broken = say("managed.writable", file="/etc/desktop-host/policy.json")
        window.rules._show(dataclasses.replace(state, restricted=broken))
        self._grab(window, "rules-managed-banner", close=False)
        window.rules._show(dataclasses.replace(state, restricted=say("why.suspended"), suspended=True))
        self._grab(window, "rules-suspended")
        past = tuple(
            Past(
                number, time.time() - 3600.0 * number, "Travel planner", "find_best_flight", Effect.ASK, FACTS.as_json()
            )
            for number in range(1, 5)
        )
        changes = tuple(
            Change(one, Decision(Effect.ALLOW, (say("decision.allow.user", rule="flights"),))) for one in past
        )
        window = self._main()
        dialog = RuleDialog(
            self._bridge,
            narrowest(FACTS),
            window,
            title=tr("Allow this from now on"),
            servers=(FACTS.server,),
            asked=True,
        )
        dialog._coverage._show_found(Simulation(changes, 40, 0), Effect.ALLOW)
        self._grab(dialog, "rule-allow")
        dialog = RuleDialog(self._bridge, RULES[3], window, title=tr("Change a rule"), servers=(FACTS.server,))
        dialog._coverage._show_found(Simulation((), 40, 0), Effect.ASK)
        self._grab(dialog, "rule-edit")
        dialog = SimulationDialog(self._bridge, window)
        dialog._show(Simulation(changes, 40, 2))
        self._grab(dialog, "rules-simulate")
        window = self._filled()
        window.resize(1280, 800)
        states = [one for one in servers() if one.name == "Travel planner"]
        for state in states:
            changed = {state.tools[0].name: {**state.tools[0].definition, "description": "Finds a flight."}}
            self._bridge.server_changed.emit(dataclasses.replace(state, asks_waiting=0, changed=changed))
        why = say("server.denied", file="/etc/desktop-host/policy.json")
        blocked = ServerState("Wild west", "uvx wild-west", ServerStatus.BLOCKED, reason=why)
        self._bridge.server_changed.emit(blocked)
        window.servers.select("Travel planner")
        self._grab(window, "servers-tool-changed", close=False)
        window.servers.select("Wild west")
        self._grab(window, "servers-blocked")
        window = self._main()
        window.resize(1280, 800)
        window.show_page(2)
        window.activity._show(Part((explained(),), False, 1, ("Travel planner",)), first=True)
        window.activity.table.selectRow(0)
        self._grab(window, "rules-why")

    def _settings(self) -> None:
        window = self._filled()
        window.show_page(4)
        window.settings._show_kept({"drafts": 2, "waiting": 1})
        window.settings.models._show(
            (
                ProviderEntry("anthropic", "anthropic", name="Anthropic"),
                ProviderEntry("ollama", "openai-compatible", "ollama", "Ollama", "http://127.0.0.1:11434/v1"),
            )
        )
        window.notices.tell("refused", words(say("limit.too_often", server="Travel planner", count=60)))
        window.notices.tell(
            "resumed",
            tr("The call of “{tool}” on {server}, which waited while the program was closed, has ended.").format(
                tool="book_trip", server="Travel planner"
            ),
            Severity.INFO,
            (tr("Show"), window.show),
        )
        self._grab(window, "settings", close=False)
        area = window.settings.findChildren(QScrollArea)[0].verticalScrollBar()
        area.setValue(area.maximum())
        self._grab(window, "settings-end")

    def _add_server(self) -> None:
        parent = QWidget()
        window = AddServer(self._bridge, parent)
        window.source.setText("npx -y @modelcontextprotocol/server-everything stdio")
        self._grab(window, "add-server")

    def _inbox(self) -> None:
        inbox = Inbox(self._bridge, QWidget())
        view = InboxView(inbox)
        inbox._waiting = {
            one.ask.id: one
            for one in (
                form_question(BOOKING, "Confirm your Barcelona booking"),
                request_question(),
                form_question(KINDS, "Who is travelling?", parked=True),
            )
        }
        view.refresh()
        view.adjustSize()
        self._grab(view, "inbox")

    def _grab(self, window: QWidget, name: str, *, height: int = 0, close: bool = True) -> None:
        if height:
            window.resize(window.width(), height)
        window.move(QPoint(0, 0))
        window.show()
        for _ in range(4):
            self._app.processEvents()
        window.grab().save(str(self._out / f"{name}-{self._suffix}.png"))
        if height:
            window.resize(window.width(), type(window).height_)
        elif close:
            window.close()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def main(out: Path, wanted: Callable[[str], bool] = lambda suffix: True, *, large: bool = False) -> None:
    """Draw everything into `out`; `wanted` chooses among light, dark, light-zh, dark-zh."""
    out.mkdir(parents=True, exist_ok=True)
    if large:
        os.environ["QT_SCALE_FACTOR"] = "1.5"
    app = QApplication(sys.argv[:1])
    for language, tail in (("en", ""), ("zh_CN", "-zh")):
        QLocale.setDefault(QLocale("en"))
        translators = install_language(app, language)
        theme = Theme(app, "light")
        for choice in ("light", "dark"):
            if wanted(choice + tail):
                theme.choose(choice)
                Gallery(app, theme, out, choice + tail + ("-150" if large else "")).draw()
        theme.setParent(None)
        for translator in translators:
            app.removeTranslator(translator)


if __name__ == "__main__":
    chosen = set(sys.argv[2:]) - {"150"}
    main(Path(sys.argv[1]), lambda suffix: not chosen or suffix in chosen, large="150" in sys.argv)
