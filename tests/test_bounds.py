"""What one server may use in a minute and a day: the person's limits, an administrator's, and what a restart recalls."""

import time
from collections.abc import Callable

import pytest

from desktop_host.asks.limits import Bounds, Limits
from desktop_host.asks.person import Action, FormReply, RequestReply, ResponseReply
from desktop_host.config.settings import Settings
from desktop_host.host import Host
from desktop_host.terms.asks import Ask, AskKind, CallRef, Origin
from tests.support.model_server import ScriptedEndpoint
from tests.support.person import ScriptedPerson
from tests.support.policy import laid_down
from tests.support.wire import FORM, SAMPLING, Wire
from tests.test_caps import provider

pytest_plugins = ("tests.support.fixtures",)
DAY = 86_400


def ask(number: int, kind: AskKind = AskKind.SAMPLING, server: str = "raw") -> Ask:
    origin = Origin(server, "argv", calls=(CallRef(f"call {number}", "tool", {}, 0.0),), key=str(number))
    return Ask(f"ask {number}", kind, origin, {})


def refused(limits: Limits, one: Ask) -> str:
    found = limits.admit(one)
    limits.release(one)
    return found.why.key if found is not None else ""


def test_tokens_and_dollars_of_a_day_are_used_up_by_each_server_for_itself() -> None:
    limits = Limits(bounds=lambda: Bounds(tokens_per_day=100, dollars_per_day=0.5))
    limits.spend("raw", 99, 0.4)
    assert refused(limits, ask(1)) == ""
    limits.spend("raw", 1, 0.0)
    assert refused(limits, ask(2)) == "limit.tokens"
    assert refused(limits, ask(3, AskKind.FORM)) == "", "a form costs no tokens"
    assert refused(limits, ask(4, server="other")) == ""
    limits.spend("other", 1, 0.5)
    assert refused(limits, ask(5, server="other")) == "limit.dollars"


def test_what_was_used_yesterday_counts_no_more() -> None:
    limits = Limits(bounds=lambda: Bounds(tokens_per_day=100))
    limits.spend("raw", 1000, 0.0, time.time() - DAY)
    assert refused(limits, ask(1)) == ""
    limits.spend("raw", 1000, 0.0)
    limits.spend("raw", 1000, 0.0, time.time() - DAY)
    assert refused(limits, ask(2)) == "limit.tokens", "and what is told late changes nothing of today"


def test_requests_to_models_have_a_bound_of_their_own() -> None:
    limits = Limits(bounds=lambda: Bounds(sampling_per_minute=2))
    assert [refused(limits, ask(number)) for number in range(3)] == ["", "", "limit.sampling_too_often"]
    assert refused(limits, ask(9, AskKind.FORM)) == ""


@pytest.mark.parametrize("era", ["handshake", "modern"])
async def test_a_day_is_used_up_by_real_runs_and_recalled_after_a_restart(
    wire: Wire, endpoint: ScriptedEndpoint, era: str
) -> None:
    server = wire.raw({"ask": SAMPLING}, era=era)
    policy = {"caps": {"tokensPerDayPerServer": 5}}
    asked = ScriptedPerson(request=RequestReply(Action.ACCEPT, model="small"), response=ResponseReply(Action.ACCEPT))
    endpoint.says("one")
    async with wire.run(asked, server, policies=laid_down(policy), providers_file=provider(endpoint, "small")) as host:
        await wire.call()
        [entry] = await host.log.entries()
        assert [(one["model"], one["tokensIn"], one["tokensOut"]) for one in entry["usage"]] == [("small", 7, 3)]
        await wire.call()
        assert len(asked.questions) == 2, "the second request never came to the person"
    again = ScriptedPerson()
    async with wire.run(again, server, policies=laid_down(), providers_file=provider(endpoint, "small")) as host:
        await host.remember_spent()
        await wire.call()
        assert again.questions == []
        assert (await host.log.entries())[0]["notices"][-1]["key"] == "limit.tokens"


async def test_the_smaller_of_the_persons_and_the_administrators_limit_holds(
    wire: Wire, new_host: Callable[..., Host]
) -> None:
    settings = Settings()
    settings.change({"limits.requests_per_minute": "3"})
    person = ScriptedPerson(form=FormReply(Action.ACCEPT, entries={"name": "Ada"}))
    server = wire.raw({"ask": FORM})
    policies = laid_down({"caps": {"requestsPerMinutePerServer": 2}})
    async with wire.run(person, server, settings=settings, policies=policies):
        for _ in range(3):
            await wire.call()
        assert len(person.questions) == 2
