"""Forms at the windows: what the person sees and does, and the exact bytes the server gets."""

import json
from collections.abc import Awaitable, Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
)

from desktop_host.ui.asks.form_window import FormWindow
from desktop_host.ui.asks.frame import AskWindow
from tests.support.windows import (
    all_of,
    button,
    find,
    gone,
    holds,
    pick,
    press,
    shown,
    type_into,
    until,
)
from tests.ui.screen import WAYS_TO_GIVE_UP, Json
from tests.ui.stage import TEXT, Script, Stage, form, wire

BOTH = pytest.mark.parametrize("era", ["handshake", "modern"])
pytestmark = pytest.mark.asyncio(loop_scope="module")
script = Script(hurried=True)

# the ends of a form

NAME = script.tool({"ask": form(name=TEXT)})
SUGGESTED = script.tool(
    {"ask": form(name={**TEXT, "default": "Ada"}, age={"type": "integer", "title": "Age", "default": 7})}
)


@BOTH
async def test_accept_sends_exactly_what_was_typed(stage: Stage, era: str) -> None:
    panel, window, received = await stage.run(era, NAME, FormWindow)
    type_into(find(window, QLineEdit, "Name"), 'Ada "the" Countess')
    assert '{"action": "accept", "content": {"name": "Ada \\"the\\" Countess"}}' in shown(window)
    await stage.screen.affirm(window)
    assert await received.reply() == wire(era, '{"action":"accept","content":{"name":"Ada \\"the\\" Countess"}}')
    await stage.screen.ended(panel)
    await until(lambda: gone(window), "the window to close")
    assert len(received.replies()) == 1


@BOTH
async def test_an_empty_optional_field_is_left_out(stage: Stage, era: str) -> None:
    _, window, received = await stage.run(era, NAME, FormWindow)
    type_into(find(window, QLineEdit, "Name"), "x")
    type_into(find(window, QLineEdit, "Name"), "")
    await stage.screen.affirm(window)
    assert await received.reply() == wire(era, '{"action":"accept","content":{}}')


@BOTH
async def test_a_suggestion_is_sent_as_shown_or_as_edited(stage: Stage, era: str) -> None:
    _, window, received = await stage.run(era, SUGGESTED, FormWindow)
    assert find(window, QLineEdit, "Name").text() == "Ada"
    type_into(find(window, QLineEdit, "Age"), "36")
    await stage.screen.affirm(window)
    assert await received.reply() == wire(era, '{"action":"accept","content":{"name":"Ada","age":36}}')


@BOTH
async def test_decline_sends_nothing_but_decline(stage: Stage, era: str) -> None:
    panel, window, received = await stage.run(era, NAME, FormWindow)
    type_into(find(window, QLineEdit, "Name"), "Never sent")
    press(window.decline)
    assert await received.reply() == wire(era, '{"action":"decline"}')
    assert gone(window)
    await stage.screen.ended(panel)
    assert not [line for line in received.lines() if b"Never sent" in line]


@BOTH
async def test_the_reason_to_decline_stays_here(stage: Stage, era: str) -> None:
    panel, window, received = await stage.run(era, NAME, FormWindow)
    assert not all_of(window, QLineEdit, "Reason")
    next(one for one in window.decline.menu().actions() if "reason" in one.text()).trigger()
    reason = find(window, QLineEdit, "Reason")
    QTest.keyClicks(reason, "none of its business")
    QTest.keyClick(reason, Qt.Key.Key_Return)
    assert await received.reply() == wire(era, '{"action":"decline"}')
    await stage.screen.ended(panel)
    assert b"business" not in received.path.read_bytes()
    assert (await stage.screen.audit())[0]["reason"] == "none of its business"


@BOTH
@pytest.mark.parametrize("give_up", WAYS_TO_GIVE_UP)
async def test_closing_the_window_is_cancel(
    stage: Stage, era: str, give_up: Callable[[AskWindow], Awaitable[None]]
) -> None:
    _, window, received = await stage.run(era, NAME, FormWindow)
    type_into(find(window, QLineEdit, "Name"), "Never sent")
    await give_up(window)
    assert await received.reply() == wire(era, '{"action":"cancel"}')
    assert len(received.replies()) == 1


GOES_ON = script.tool({"ask": form(name=TEXT)}, {"sleep": 30})


async def test_stopping_the_call_tells_a_handshake_server_cancel_and_then_that_it_is_over(stage: Stage) -> None:
    panel, window, received = await stage.run("handshake", GOES_ON, FormWindow)
    press(button(window, "Stop the whole call"))
    assert "Cancelled" in await stage.screen.ended(panel)
    asked, answered, over = received.lines()
    assert json.loads(asked)["method"] == "tools/call"
    assert answered.endswith(b'"result":{"action":"cancel"}}')
    assert json.loads(over)["method"] == "notifications/cancelled"
    assert json.loads(over)["params"]["requestId"] == json.loads(asked)["id"]


async def test_stopping_the_call_tells_a_modern_server_nothing(stage: Stage) -> None:
    panel, window, received = await stage.run("modern", GOES_ON, FormWindow)
    press(button(window, "Stop the whole call"))
    result = await stage.screen.ended(panel)
    assert "You stopped the whole call." in result
    assert len(received.lines()) == 1


# red findings

PASSWORD = script.tool(
    {
        "ask": form(
            "password",
            "code",
            message="Log in to go on.",
            password={"type": "string", "title": "Password"},
            code={"type": "string", "title": "Country", "minLength": 2},
        )
    }
)


@BOTH
async def test_a_form_that_asks_for_a_password_is_sent_only_against_the_warning(stage: Stage, era: str) -> None:
    _, window, received = await stage.run(era, PASSWORD, FormWindow)
    assert "This form asks for a password, key, token or card number." in shown(window)
    assert "It is about: password" in shown(window)
    assert window.affirm.text() == "Send anyway"
    assert window.affirm.property("role") == "danger"
    assert not [one for one in all_of(window, QPushButton) if one.property("role") == "primary"], "nothing is filled"
    assert window.focusWidget() is window.decline
    await stage.screen.heard(window)
    assert not window.affirm.isEnabled()
    secret = find(window, QLineEdit, "Password")
    assert secret.echoMode() == QLineEdit.EchoMode.Password
    type_into(secret, "hunter2")
    assert not window.affirm.isEnabled(), "the other field is still missing"
    type_into(find(window, QLineEdit, "Country"), "D")
    assert not window.affirm.isEnabled(), "and now still wrong"
    type_into(find(window, QLineEdit, "Country"), "DE")
    assert window.affirm.isEnabled()
    type_into(find(window, QLineEdit, "Country"), "")
    assert not window.affirm.isEnabled()
    type_into(find(window, QLineEdit, "Country"), "DE")
    press(window.affirm)
    assert await received.reply() == wire(era, '{"action":"accept","content":{"password":"hunter2","code":"DE"}}')
    await until(lambda: gone(window), "the window to close")
    assert "hunter2" not in json.dumps(await stage.screen.audit())


# mistakes

MISTAKES: dict[str, tuple[Json, str, str, str, str]] = {
    # schema, what is typed, the sentence under it, what is typed then, its JSON
    "whole number": ({"type": "integer"}, "3.5", "Not a whole number yet. Example: 3", "3", "3"),
    "number": ({"type": "number"}, "a lot", "Not a number yet. Example: 1.5", "-1.25", "-1.25"),
    "bounds": ({"type": "integer", "minimum": 1, "maximum": 9}, "10", "This must be from 1 to 9.", "9", "9"),
    "too short": ({"type": "string", "minLength": 3}, "ab", "This must have at least 3 characters.", "abc", '"abc"'),
    "too long": ({"type": "string", "maxLength": 3}, "abcd", "This may have at most 3 characters.", "abc", '"abc"'),
    "e-mail": (
        {"type": "string", "format": "email"}, "ada@", "Not a whole address yet. Example: name@example.org",
        "ada@example.org", '"ada@example.org"',
    ),
    "web address": (
        {"type": "string", "format": "uri"}, "example", "Not a whole address yet. Example: https://example.org/page",
        "https://example.org", '"https://example.org"',
    ),
    "date": (
        {"type": "string", "format": "date"}, "2027-02-30", "Not a date yet. Example: 2027-06-15",
        "2027-02-28", '"2027-02-28"',
    ),
    "pattern": (
        {"type": "string", "pattern": "^[A-Z]{2}\\d+$"}, "x1",
        "This does not have the form the server wants: ^[A-Z]{2}\\d+$", "SA4711", '"SA4711"',
    ),
}  # fmt: skip
MISTAKEN = {
    name: script.tool({"ask": form(value={**schema, "title": "Value"})}) for name, (schema, *_) in MISTAKES.items()
}


@pytest.mark.parametrize("name", MISTAKES)
async def test_a_mistake_is_named_under_its_field_and_never_sent(stage: Stage, name: str) -> None:
    _, wrong, sentence, right, sent = MISTAKES[name]
    era = "modern" if name == "pattern" else "handshake"
    _, window, received = await stage.run(era, MISTAKEN[name], FormWindow)
    field = find(window, QLineEdit, "Value")
    assert sentence not in shown(window)
    type_into(field, wrong)
    await until(lambda: sentence in shown(window), f"“{sentence}” while typing")
    await stage.screen.affirm(window)
    await until(lambda: "1 answer to correct" in shown(window), "the bar to count it")
    assert sentence in shown(window)
    assert field.property("invalid") == "true"
    assert window.focusWidget() is field
    await holds(lambda: not received.replies() and not gone(window), 0.15, "nothing is sent")
    type_into(field, right)
    await until(lambda: sentence not in shown(window) and "to correct" not in shown(window), "the mistake to be gone")
    press(window.affirm)
    assert await received.reply() == wire(era, f'{{"action":"accept","content":{{"value":{sent}}}}}')


NEEDED = script.tool(
    {
        "ask": form(
            "first",
            "second",
            "sure",
            first={"type": "string", "title": "First name"},
            second={"type": "string", "title": "Family name"},
            sure={"type": "boolean", "title": "Are you sure"},
        )
    }
)


async def test_what_is_missing_is_counted_and_gone_to(stage: Stage) -> None:
    _, window, received = await stage.run("handshake", NEEDED, FormWindow)
    type_into(find(window, QLineEdit, "First name"), "Ada")
    assert "This is needed." not in shown(window), "nobody is blamed for what they have not come to yet"
    await stage.screen.affirm(window)
    assert shown(window).count("This is needed.") == 2
    assert window.focusWidget() is find(window, QLineEdit, "Family name")
    assert window.affirm.isEnabled(), "Send stays enabled and goes to the first mistake"
    assert not received.replies()
    type_into(find(window, QLineEdit, "Family name"), "Lovelace")
    assert shown(window).count("This is needed.") == 1
    press(find(window, QRadioButton, "Are you sure: No"))
    press(window.affirm)
    assert await received.reply() == b'{"action":"accept","content":{"first":"Ada","second":"Lovelace","sure":false}}'


async def test_the_bar_counts_answers_that_were_never_touched(stage: Stage) -> None:
    _, window, _ = await stage.run("handshake", NEEDED, FormWindow)
    await stage.screen.affirm(window)
    assert "3 answers to correct" in shown(window)


CROSSED = script.tool(
    {
        "ask": {
            "method": "elicitation/create",
            "params": {
                "message": "Pick one.",
                "requestedSchema": {
                    "type": "object",
                    "properties": {"a": {"type": "string", "title": "A"}, "b": {"type": "string", "title": "B"}},
                    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
                },
            },
        }
    }
)


async def test_what_only_the_whole_schema_forbids_is_told_and_not_sent(stage: Stage) -> None:
    """Both fields are right by themselves; the engine's check refuses them together."""
    _, window, received = await stage.run("handshake", CROSSED, FormWindow)
    type_into(find(window, QLineEdit, "A"), "x")
    type_into(find(window, QLineEdit, "B"), "y")
    await stage.screen.affirm(window)
    await until(lambda: "to correct" in shown(window) or "does not fit" in shown(window), "a word about it")
    assert not received.replies()
    type_into(find(window, QLineEdit, "B"), "")
    press(window.affirm)
    assert await received.reply() == b'{"action":"accept","content":{"a":"x"}}'


async def test_an_answer_that_looks_like_a_secret_is_pointed_out_and_may_still_be_sent(stage: Stage) -> None:
    _, window, received = await stage.run("modern", NAME, FormWindow)
    key = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"
    type_into(find(window, QLineEdit, "Name"), key)
    await until(lambda: "looks like a key" in shown(window), "a word about it")
    type_into(find(window, QLineEdit, "Name"), "Ada")
    await until(lambda: "looks like a key" not in shown(window), "no word about it")
    type_into(find(window, QLineEdit, "Name"), key)
    await stage.screen.affirm(window)
    assert await received.reply() == wire(
        "modern", json.dumps({"action": "accept", "content": {"name": key}}, separators=(",", ":"))
    )


# every kind of field

KINDS = script.tool(
    {
        "ask": form(
            long={"type": "string", "title": "Story", "maxLength": 2000},
            yes={"type": "boolean", "title": "Member"},
            box={"type": "boolean", "title": "News", "description": "Send me news", "default": True},
            few={"type": "string", "title": "Size", "enum": ["S", "M", "L"]},
            many={"type": "string", "title": "Row", "enum": [f"Row {n}" for n in range(1, 9)]},
            named={
                "type": "string",
                "title": "Meal",
                "oneOf": [{"const": "v", "title": "Vegan"}, {"const": "f", "title": "Fish"}],
            },
            several={"type": "array", "title": "Days", "items": {"type": "string", "enum": ["Mon", "Tue", "Wed"]}},
            numbers={"type": "integer", "title": "Floor", "enum": [1, 2, 3]},
            json={"type": "object", "title": "Extra"},
        )
    }
)


@BOTH
async def test_every_kind_of_field_keeps_its_type_on_the_wire(stage: Stage, era: str) -> None:
    _, window, received = await stage.run(era, KINDS, FormWindow)
    type_into(find(window, QPlainTextEdit, "Story"), "Once <b>upon</b> a time")
    press(find(window, QRadioButton, "Member: Yes"))
    press(find(window, QCheckBox, "News"))
    pick(window, "Size", "M")
    pick(window, "Row", "Row 7")
    pick(window, "Meal", "Fish")
    press(find(window, QCheckBox, "Days: Mon"))
    press(find(window, QCheckBox, "Days: Wed"))
    pick(window, "Floor", "2")
    type_into(find(window, QPlainTextEdit, "Extra"), '{"n": 1}')
    await stage.screen.affirm(window)
    sent = (
        '{"action":"accept","content":{"long":"Once <b>upon</b> a time","yes":true,"box":false,"few":"M",'
        '"many":"Row 7","named":"f","several":["Mon","Wed"],"numbers":2,"json":{"n":1}}}'
    )
    assert await received.reply() == wire(era, sent)
