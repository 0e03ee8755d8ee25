"""What people enter into forms is in the record only where they want it and nobody forbids it; secrets never are."""

import json

import pytest

from desktop_host.asks.person import Action, FormReply, Reply
from desktop_host.audit.log import record_json
from desktop_host.config.paths import data_dir
from desktop_host.config.settings import Settings
from desktop_host.terms.asks import Ask, AskKind, Decision, Effect, Origin, Outcome, Record
from tests.support.person import ScriptedPerson
from tests.support.policy import laid_down
from tests.support.rules import eras, given
from tests.support.wire import FORM, Json, Wire

pytest_plugins = ("tests.support.fixtures",)

ADA = FormReply(Action.ACCEPT, entries={"name": "Ada"})
PERSONAL: Json = {
    "method": "elicitation/create",
    "params": {
        "message": "Please sign in",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "maxLength": 12},
                "nights": {"type": "integer"},
                "password": {"type": "string"},
            },
            "required": ["name", "password"],
        },
    },
}
ENTERED = {"name": "Ada Lovelace", "nights": "4321", "password": "correct-horse"}


def recorded_bytes() -> bytes:
    """The files of the audit log."""
    return b"".join(path.read_bytes() for path in sorted(data_dir().glob("audit.sqlite3*")))


@eras
@pytest.mark.parametrize(
    ("setting", "policy", "kept"),
    [
        ("no", None, False),
        ("yes", None, True),
        ("yes", {"keep": {"values": True}}, True),
        ("yes", {"keep": {"values": False}}, False),
        ("no", {"keep": {"values": True}}, False),
    ],
    ids=["by default", "by wish", "by wish that is allowed", "against a rule", "allowed, not wished"],
)
async def test_what_was_entered_is_in_the_record_only_by_wish_and_a_secret_never(
    wire: Wire, era: str, setting: str, policy: Json | None, kept: bool
) -> None:
    server = wire.raw({"ask": PERSONAL}, era=era)
    settings = Settings()
    settings.change({"record.values": setting})
    person = ScriptedPerson(form=FormReply(Action.ACCEPT, entries=ENTERED))
    async with wire.run(person, server, policies=laid_down(policy), settings=settings) as host:
        await wire.call()
        [entry] = await host.log.entries()
        written = recorded_bytes()
    content = {"name": "Ada Lovelace", "nights": 4321, "password": "correct-horse"}
    assert given(server) == [{"action": "accept", "content": content}]
    shown = dict.fromkeys(content, "••••")
    if kept:
        shown |= {"name": "Ada Lovelace", "nights": 4321}
    assert entry["answer"] == {"action": "accept", "content": shown}
    assert list(entry["answer"]["content"]) == list(content)
    assert (b"Lovelace" in written) is kept
    assert b"correct-horse" not in written


@eras
async def test_the_wish_counts_from_when_it_is_made(wire: Wire, era: str) -> None:
    server = wire.raw({"ask": FORM}, era=era)
    settings, person = Settings(), ScriptedPerson(form=ADA)
    async with wire.run(person, server, policies=laid_down(), settings=settings) as host:
        for value in ("no", "yes", "no"):
            settings.change({"record.values": value})
            await wire.call()
        contents = [entry["answer"]["content"]["name"] for entry in await host.log.entries()]
    assert contents == ["••••", "Ada", "••••"]


@eras
@pytest.mark.parametrize("setting", ["no", "yes"])
async def test_what_was_wrong_in_a_form_is_not_quoted_where_values_are_not_kept(
    wire: Wire, era: str, setting: str
) -> None:
    schema = {"type": "object", "properties": {"code": {"type": "string", "pattern": "^[0-9]+$"}}}
    server = wire.raw({"ask": {**FORM, "params": {**FORM["params"], "requestedSchema": schema}}}, era=era)
    settings = Settings()
    settings.change({"record.values": setting})
    person = ScriptedPerson(form=[FormReply(Action.ACCEPT, entries={"code": "Lovelace"}), Reply(Action.CANCEL)])
    async with wire.run(person, server, policies=laid_down(), settings=settings) as host:
        await wire.call()
        [entry] = await host.log.entries()
        written = recorded_bytes()
    assert (entry["outcome"], list(entry["errors"])) == ("cancel", ["code"])
    if setting == "no":
        assert entry["errors"]["code"]["values"] == {}
        assert b"Lovelace" not in written


KEY = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5"


@eras
async def test_no_secret_of_any_question_is_in_the_record(wire: Wire, era: str) -> None:
    """Not in a form's words or its defaults, nor in a reason, nor where a person typed one into a plain field."""
    schema = {"type": "object", "properties": {"note": {"type": "string", "default": f"as {KEY}"}}}
    form = {**FORM, "params": {"message": f"Use {KEY}", "requestedSchema": schema}}
    server = wire.raw({"ask": form}, {"ask": form}, era=era)
    settings = Settings()
    settings.change({"record.values": "yes"})
    typed = FormReply(Action.ACCEPT, entries={"note": f"mine is {KEY}"})
    person = ScriptedPerson(form=[typed, Reply(Action.DECLINE, reason=f"{KEY} is none of yours")])
    async with wire.run(person, server, policies=laid_down(), settings=settings) as host:
        await wire.call()
        first, second = reversed(await host.log.entries())
        written = recorded_bytes()
    assert KEY.encode() not in written
    assert first["answer"]["content"]["note"] == "mine is «token 1»"
    assert second["reason"] == "«token 1» is none of yours"


@pytest.mark.parametrize("values", [False, True])
def test_what_tools_were_given_and_gave_is_kept_by_wish_alone(values: bool) -> None:
    use = {"type": "tool_use", "id": "c", "name": "f", "input": {"city": "Bonn"}}
    result = {"type": "tool_result", "toolUseId": "c", "content": [{"type": "text", "text": "rain"}]}
    params = {"messages": [{"role": "assistant", "content": [use]}, {"role": "user", "content": result}]}
    ask = Ask("a", AskKind.SAMPLING, Origin("s", "i"), params)
    answer = {"role": "assistant", "content": [use]}
    kept = json.dumps(
        record_json(Record(ask, (), Decision(Effect.ASK, ()), Outcome.ACCEPT, answer, {}, ()), values=values)
    )
    assert ("Bonn" in kept, "rain" in kept) == (values, values)
    assert '"name": "f"' in kept
