"""Rules as the person meets them: proposed beside a question, listed, changed, suspended, and why they decided."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from hypothesis import HealthCheck, given, settings
from PySide6.QtWidgets import QApplication, QCheckBox, QDialog, QLineEdit, QPushButton, QSpinBox, QToolButton, QWidget

from desktop_host.config.paths import config_dir
from desktop_host.policy.policies import Policies
from desktop_host.policy.reading import read_rule
from desktop_host.policy.rules import Rule
from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.roots_window import RootsWindow
from desktop_host.ui.pages.rules import RulesPage
from desktop_host.ui.rules.dialog import RuleDialog
from desktop_host.ui.rules.simulation import SimulationDialog
from desktop_host.ui.rules.why import WhyDialog
from tests.support.rule_strategies import rules
from tests.support.windows import all_of, choose, find, gone, press, shown, type_into, until
from tests.ui.screen import Json, Screen, Start, hurry
from tests.ui.stage import TEXT, form, link

TOOLS = {
    "form": [{"ask": form(message="Who are you?", name=TEXT)}],
    "roots": [{"ask": {"method": "roots/list"}}],
    "link": [{"ask": link("https://pay.example.org/now")}],
}


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


async def at_rules(screen: Screen) -> RulesPage:
    press(find(screen.window, QToolButton, "Rules"))
    page = screen.window.rules
    await until(lambda: "Always so" in shown(page), "the rules")
    return page


async def dialog_of(kind: type[QDialog]) -> QDialog:
    def found() -> QDialog | None:
        return next((one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible()), None)

    dialog = await until(found, "the dialog")
    assert dialog is not None
    return dialog


def kept() -> list[dict[str, object]]:
    """The person's rules as their file has them."""
    path = config_dir() / "rules.json"
    return json.loads(path.read_text(encoding="utf-8"))["rules"] if path.exists() else []


async def test_what_is_allowed_from_now_on_goes_by_itself_the_next_time(start: Start) -> None:
    screen, wire = await start(TOOLS)
    panel = await screen.run("raw", "roots")
    window = await screen.ask(RootsWindow)
    press(window.allow)
    dialog = await dialog_of(RuleDialog)
    assert "Allow questions for folders from raw (" in find_sentence(dialog)
    await until(lambda: "It would have allowed 0 of the last 0 questions" in shown(dialog), "what it covers")
    press(find(dialog, QPushButton, "Save the rule"))
    await until(lambda: gone(dialog), "the dialog to close")
    assert not gone(window), "the person still decides on this one"
    assert "The rule is kept" in shown(window)
    await screen.affirm(window)
    await screen.ended(panel)
    (rule,) = kept()
    assert (rule["effect"], rule["kinds"]) == ("allow", ["roots.list"])
    before = len(wire.replies())
    await screen.ended(await screen.run("raw", "roots"))
    assert len(wire.replies()) == before + 1
    assert not screen.window.inbox.waiting
    page = await at_rules(screen)
    await until(lambda: "Used once" in shown(page), "its use")
    assert "Allow 1" in shown(page)
    press(find(screen.window, QToolButton, "Activity"))
    activity = screen.window.activity
    await until(lambda: activity.table.model().rowCount() == 2, "both entries")
    activity.table.selectRow(0)
    await until(lambda: "A rule allowed it" in shown(activity), "who decided")
    assert "allows it." in shown(activity)
    assert "/rules/0" in shown(activity), "where the rule stands"


def find_sentence(dialog: QDialog) -> str:
    assert isinstance(dialog, RuleDialog)
    return dialog.sentence.accessibleName()


async def test_a_rule_for_the_session_is_not_kept_and_holds(start: Start) -> None:
    screen, _ = await start(TOOLS)
    panel = await screen.run("raw", "roots")
    window = await screen.ask(RootsWindow)
    press(window.allow)
    dialog = await dialog_of(RuleDialog)
    assert isinstance(dialog, RuleDialog)
    choose(dialog.until, "Until the program ends")
    press(dialog.save)
    await until(lambda: gone(dialog), "the dialog to close")
    await screen.affirm(window)
    await screen.ended(panel)
    await screen.ended(await screen.run("raw", "roots"))
    assert kept() == []
    assert "You, for now" in shown(await at_rules(screen))


async def test_a_question_tells_why_it_is_asked(start: Start) -> None:
    rule = {"id": "folders", "effect": "ask", "kinds": ["roots.list"], "reason": "I want to see them"}
    config_dir().mkdir(parents=True, exist_ok=True)
    (config_dir() / "rules.json").write_text(json.dumps({"rules": [rule]}), encoding="utf-8")
    screen, _ = await start(TOOLS)
    await screen.run("raw", "roots")
    window = await screen.ask(RootsWindow)
    press(find(window, QToolButton, "Why you are asked"))
    dialog = await dialog_of(WhyDialog)
    await until(lambda: "Your rule “folders” wants you to be asked: I want to see them" in shown(dialog), "why")
    assert "/rules/0" in shown(dialog)
    press(find(dialog, QPushButton, "Close"))
    press(window.decline)


async def test_not_now_never_allows_anything(start: Start) -> None:
    screen, _ = await start(TOOLS)
    for _ in range(2):
        panel = await screen.run("raw", "roots")
        window = await screen.ask(RootsWindow)
        press(window.allow)
        press(find(await dialog_of(RuleDialog), QPushButton, "Cancel"))
        press(window.decline)
        await screen.ended(panel)
    assert kept() == []


async def test_a_rule_is_made_changed_and_removed_on_the_page(start: Start) -> None:
    screen, _ = await start(TOOLS)
    page = await at_rules(screen)
    assert "None yet." in shown(page)
    press(page.new)
    dialog = await dialog_of(RuleDialog)
    assert isinstance(dialog, RuleDialog)
    type_into(dialog.host, "*.example.org")
    type_into(dialog.reason, "use the portal")
    assert find_sentence(dialog) == "Deny links to *.example.org."
    choose(dialog.effect, "Allow")
    assert "This always comes to you: a rule cannot allow it. Choose Ask or Deny." in shown(dialog)
    assert not dialog.save.isEnabled()
    choose(dialog.effect, "Deny")
    press(dialog.save)
    await until(lambda: gone(dialog), "the dialog to close")
    await until(lambda: "use the portal" in shown(page), "the rule on the page")
    await screen.ended(await screen.run("raw", "link"))
    assert not screen.window.inbox.waiting, "it was denied"
    page = await at_rules(screen)
    press(find(page, QToolButton, "Change this rule"))
    dialog = await dialog_of(RuleDialog)
    assert isinstance(dialog, RuleDialog)
    type_into(dialog.host, "other.example.org")
    press(dialog.save)
    await until(lambda: kept()[0]["when"] == {"urlHost": "other.example.org"}, "the change")
    await until(lambda: "other.example.org" in shown(page) and all_of(page, QToolButton, "More"), "it on the page")
    more = find(page, QToolButton, "More")
    remove = more.menu().actions()[0]
    assert remove.text() == "Remove this rule"
    remove.trigger()
    await until(lambda: kept() == [], "the rule to go")
    await until(lambda: "None yet." in shown(page), "the page to say so")


async def test_ask_me_about_everything_suspends_what_is_allowed_and_lasts(start: Start) -> None:
    rule = {"id": "folders", "effect": "allow", "kinds": ["roots.list"]}
    config_dir().mkdir(parents=True, exist_ok=True)
    (config_dir() / "rules.json").write_text(json.dumps({"rules": [rule]}), encoding="utf-8")
    screen, _ = await start(TOOLS)
    await screen.ended(await screen.run("raw", "roots"))
    page = await at_rules(screen)
    press(find(page, QCheckBox, "Ask me about everything"))
    await until(lambda: "You are asked about everything" in shown(page), "that it holds")
    panel = await screen.run("raw", "roots")
    press((await screen.ask(RootsWindow)).decline)
    await screen.ended(panel)
    stored = json.loads((config_dir() / "settings.json").read_text(encoding="utf-8"))
    assert stored["rules.suspended"] == "yes"
    page = await at_rules(screen)
    press(find(page, QCheckBox, "Ask me about everything"))
    await until(lambda: "You are asked about everything" not in shown(page), "that it ends")
    await screen.ended(await screen.run("raw", "roots"))


async def test_a_rule_is_made_from_an_entry_of_the_record_and_simulated(start: Start) -> None:
    screen, _ = await start(TOOLS)
    panel = await screen.run("raw", "form")
    press((await screen.ask(FormWindow)).decline)
    await screen.ended(panel)
    press(find(screen.window, QToolButton, "Activity"))
    activity = screen.window.activity
    await until(lambda: activity.table.model().rowCount() == 1, "the entry")
    activity.table.selectRow(0)
    press(await until(lambda: next(iter(all_of(activity, QPushButton, "Make a rule from this…")), None), "the button"))
    dialog = await dialog_of(RuleDialog)
    assert isinstance(dialog, RuleDialog)
    assert find_sentence(dialog).startswith("Always ask about forms from raw (")
    choose(dialog.effect, "Deny")
    await until(lambda: "It would have denied 1 of the last 1 questions" in shown(dialog), "what it covers")
    press(find(dialog, QPushButton, "Show them"))
    await until(lambda: "raw · form" in shown(dialog), "the question")
    press(dialog.save)
    await until(lambda: gone(dialog), "the dialog to close")
    page = await at_rules(screen)
    press(page.simulate)
    simulation = await dialog_of(SimulationDialog)
    await until(lambda: "1 of 1 questions in the record would be decided otherwise." in shown(simulation), "the result")
    await until(lambda: "Was: Ask. Would be: Deny." in shown(simulation), "the change")
    press(find(simulation, QPushButton, "Close"))


async def test_what_an_administrator_laid_down_is_there_locked_and_a_blocked_server_stays_visible(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managed = tmp_path / "managed"
    managed.mkdir()
    monkeypatch.setattr("desktop_host.policy.managed.managed_places", lambda: (managed,))
    policy = {"rules": [{"id": "no-links", "effect": "deny", "kinds": ["elicitation.url"], "reason": "not here"}]}
    (managed / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    screen, _ = await start(TOOLS)
    page = await at_rules(screen)
    await until(lambda: "From your administrator" in shown(page), "the administrator's rules")
    await until(lambda: "Deny links." in names(page), "the rule")
    assert not all_of(page, QToolButton, "Change this rule")
    await screen.ended(await screen.run("raw", "link"))
    assert "Denied by your administrator’s rule “no-links”: not here" in shown(screen.window)
    denied = policy | {"deniedMcpServers": [{"serverName": "raw"}]}
    (managed / "policy.json").write_text(json.dumps(denied), encoding="utf-8")
    press(find(screen.window, QToolButton, "Servers"))
    servers = screen.window.servers
    await until(lambda: "Not allowed by your administrator" in shown(servers), "the block")
    servers.select("raw")
    assert "Your administrator does not let this server be used" in shown(servers)
    (managed / "policy.json").write_text("{", encoding="utf-8")
    page = await at_rules(screen)
    await until(lambda: "No rule allows anything now" in shown(page), "the banner")


def names(page: QWidget) -> str:
    """What a screen reader says of a page's lines."""
    return "\n".join(one.accessibleName() for one in page.findChildren(QWidget) if one.isVisible())


async def test_rules_are_searched_and_chosen_by_what_they_do(start: Start) -> None:
    rules = [
        {"id": "one", "effect": "deny", "kinds": ["elicitation.url"], "when": {"urlHost": "pay.example"}},
        {"id": "two", "effect": "ask", "kinds": ["roots.list"]},
    ]
    config_dir().mkdir(parents=True, exist_ok=True)
    (config_dir() / "rules.json").write_text(json.dumps({"rules": rules}), encoding="utf-8")
    screen, _ = await start(TOOLS)
    page = await at_rules(screen)
    await until(lambda: "Deny 1" in shown(page), "the counts")
    type_into(find(page, QLineEdit, "Search rules"), "pay")
    await until(lambda: "Deny links to pay.example." in names(page), "the rule that is searched")
    assert "Always ask about" not in names(page)
    type_into(find(page, QLineEdit, "Search rules"), "")
    press(find(page, QPushButton, "Ask 1"))
    await until(lambda: "Always ask about questions for folders." in names(page), "the choice")
    assert "Deny links" not in names(page)


async def test_nothing_in_a_rule_is_ever_markup(start: Start) -> None:
    rules = [{"id": "x", "effect": "deny", "kinds": ["tool.call"], "when": {"tool": "<b>bold</b> & <img src=x> {0}"}}]
    config_dir().mkdir(parents=True, exist_ok=True)
    (config_dir() / "rules.json").write_text(json.dumps({"rules": rules}), encoding="utf-8")
    screen, _ = await start(TOOLS)
    page = await at_rules(screen)
    await until(lambda: "<b>bold</b> & <img src=x> {0}" in names(page), "the rule")
    await until(lambda: "<b>bold</b> & <img src=x> {0}" in shown(page), "that it is drawn as it stands")


async def test_the_rarer_conditions_are_under_more_and_kept(start: Start) -> None:
    screen, _ = await start(TOOLS)
    page = await at_rules(screen)
    press(page.new)
    dialog = await dialog_of(RuleDialog)
    assert isinstance(dialog, RuleDialog)
    choose(dialog.effect, "Allow")
    choose(dialog.kinds, "Requests to a model")
    press(dialog.more.unfold)
    type_into(dialog.more.contents, "text, image")
    type_into(dialog.more.start, "09:00")
    await until(lambda: not dialog.save.isEnabled(), "half a time is none")
    type_into(dialog.more.end, "17:30")
    press(find(dialog, QCheckBox, "Sun"))
    press(find(dialog, QCheckBox, "Mask secrets"))
    type_into(find(dialog, QSpinBox, "Prompt of up to"), "4000")
    type_into(find(dialog, QSpinBox, "Shorten the answer to"), "500")
    await until(lambda: "nothing but text, image" in find_sentence(dialog), "the sentence")
    press(dialog.save)
    await until(lambda: gone(dialog), "the dialog to close")
    (rule,) = kept()
    assert rule["when"]["contentTypes"] == ["text", "image"]
    hours = rule["when"]["hours"]
    assert (hours["start"], hours["end"], hours["days"]) == (
        "09:00",
        "17:30",
        ["mon", "tue", "wed", "thu", "fri", "sat"],
    )
    assert rule["when"]["promptTokensLE"] == 4000
    assert "modelIn" not in rule["when"]
    assert rule["obligations"] == {"redact": ["secrets"], "clampMaxTokens": 500}


async def test_a_rule_is_about_the_models_that_are_chosen_or_typed(start: Start) -> None:
    screen, _ = await start(TOOLS)
    page = await at_rules(screen)
    for how, wanted in (("Any model on this computer", ["local/*"]), ("small, qwen*", ["small", "qwen*"])):
        press(page.new)
        dialog = await dialog_of(RuleDialog)
        assert isinstance(dialog, RuleDialog)
        choose(dialog.effect, "Allow")
        choose(dialog.kinds, "Requests to a model")
        if dialog.model.findText(how) >= 0:
            choose(dialog.model, how)
        else:
            type_into(dialog.model.lineEdit(), how)
        press(dialog.save)
        await until(lambda dialog=dialog: gone(dialog), "the dialog to close")
        assert kept()[-1]["when"] == {"modelIn": wanted}


@pytest.mark.parametrize(
    ("kinds", "field", "text", "member", "value"),
    [
        ("Links", "Link begins with", "HTTPS", "urlScheme", "https"),
        ("Calls of tools", "Tool’s definition", "3f9a", "toolDigest", "3f9a"),
    ],
)
async def test_each_kind_of_rule_has_its_rarer_conditions(
    start: Start, kinds: str, field: str, text: str, member: str, value: str
) -> None:
    screen, _ = await start(TOOLS)
    page = await at_rules(screen)
    press(page.new)
    dialog = await dialog_of(RuleDialog)
    assert isinstance(dialog, RuleDialog)
    choose(dialog.effect, "Deny")
    choose(dialog.kinds, kinds)
    press(dialog.more.unfold)
    type_into(find(dialog, QLineEdit, field), text)
    press(dialog.save)
    await until(lambda: gone(dialog), "the dialog to close")
    (rule,) = kept()
    assert rule["when"] == {member: value}


ODD = [
    {"id": "a", "effect": "deny", "kinds": ["elicitation.form", "elicitation.url"]},
    {"id": "b", "effect": "ask", "kinds": ["sampling.response", "sampling.request"]},
    {
        "id": "c",
        "effect": "allow",
        "kinds": ["sampling.request"],
        "rate": {"count": 20, "perSeconds": 3600},
        "when": {"contentTypes": [], "maxTokensLE": 5_000_000, "modelIn": ["a,b", "c"]},
    },
    {"id": "d", "effect": "deny", "kinds": ["elicitation.form"], "when": {"fieldsSubsetOf": [], "tool": " x "}},
]


@pytest.mark.parametrize("body", ODD, ids=lambda body: body["id"])
async def test_a_rule_that_is_opened_and_saved_is_the_same_rule(start: Start, body: Json) -> None:
    screen, _ = await start(TOOLS)
    rule = read_rule(body)
    dialog = RuleDialog(screen.program.bridge, rule, screen.window, title="A rule")
    assert dialog.rule() == rule
    dialog.reason.setText("another")
    assert dialog.rule() == replace(rule, reason="another")


@given(rules(most=4))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_rule_is_changed_by_looking_at_it(application: QApplication, rule: Rule) -> None:
    class Silent:
        def send(self, *_: object) -> None: ...

    dialog = RuleDialog(Silent(), rule, None, title="A rule")
    assert dialog.rule() == rule
    shiboken6.delete(dialog)


async def test_a_rule_is_either_lasting_or_of_the_session(folders: Path) -> None:
    rule = read_rule({"id": "x", "effect": "deny", "kinds": ["roots.list"]})
    path = folders / "rules.json"
    policies = Policies(path, places=())
    policies.put(rule)
    policies.put_for_session(rule)
    assert json.loads(path.read_text())["rules"] == []
    assert [one.rule.id for one in policies.book.rules] == ["x"]
    policies.put(rule)
    assert len(json.loads(path.read_text())["rules"]) == len(policies.book.rules) == 1
    policies.put_for_session(rule)
    policies.remove("x")
    assert not policies.book.rules
