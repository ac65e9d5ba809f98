"""After a doubt a message is looked for by its key, in its channel or its thread."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.slack.send.lookup import SETTLED, Finder
from bot.adapters.slack.send.rate_limit import HISTORY, REPLIES, HistoryLimit
from core.kernel.errors import SendDoubtful, SendUnsent
from tests.fakes import FakeClock
from tests.slacking import ANN, Desk, worker

DAY_SECONDS = 86_400


@pytest.fixture
async def at() -> AsyncIterator[Desk]:
    async with worker() as opened:
        yield opened


@pytest.fixture
def finder(at: Desk) -> Finder:
    return Finder(at.workspaces, at.wire, at.clock)


def talk(at: Desk, messages: int, *, thread: str = "") -> None:
    team = at.server.team
    for number in range(messages):
        at.server.world.post(team, team.channels[at.channel], user=ANN, text=f"talk {number}", thread_ts=thread)


async def test_what_arrived_in_spite_of_a_broken_connection_is_found(at: Desk, finder: Finder) -> None:
    at.server.fault("chat.postMessage", "cut_after")
    with pytest.raises(SendDoubtful):
        await at.send("Hi", key="k1")
    [message] = at.server.shown(at.channel)
    assert await finder.find(at.to(key="k1")) == message.ts


async def test_what_never_arrived_is_certainly_not_there(at: Desk, finder: Finder) -> None:
    at.server.fault("chat.postMessage", "cut")
    with pytest.raises(SendDoubtful):
        await at.send("Hi", key="k1")
    await at.send("Hi", key="k2")
    assert await finder.find(at.to(key="k1")) == ""


async def test_it_is_found_in_its_thread(at: Desk, finder: Finder) -> None:
    root = await at.send("Root")
    talk(at, 250, thread=root)
    ts = await at.send("Answer", thread=root, key="k1")
    assert await finder.find(at.to(thread=root, key="k1")) == ts
    assert await finder.find(at.to(thread=root, key="k2")) == ""


async def test_it_is_found_outside_of_a_thread_that_is_gone(at: Desk, finder: Finder) -> None:
    gone = "1790000000.000001"
    ts = await at.send("Answer", thread=gone, key="k1")
    assert await finder.find(at.to(thread=gone, key="k1")) == ts


async def test_it_is_found_behind_much_that_was_said_since(at: Desk, finder: Finder) -> None:
    ts = await at.send("Hi", key="k1")
    talk(at, 250)
    assert await finder.find(at.to(key="k1")) == ts


async def test_nobody_knows_where_too_much_was_said_on_the_same_day(at: Desk, finder: Finder) -> None:
    at.clock.jump(at.server.world.now() - at.clock.now() / 1000)
    talk(at, 400)
    assert await finder.find(at.to(key="k1")) is None


async def test_a_day_back_is_far_enough(at: Desk, finder: Finder) -> None:
    talk(at, 400)
    at.clock.jump(at.server.world.now() + 2 * DAY_SECONDS - at.clock.now() / 1000)
    assert await finder.find(at.to(key="k1")) == ""


async def test_since_an_instant_everything_is_read(at: Desk, finder: Finder) -> None:
    talk(at, 400)
    now = round(at.server.world.now() * 1000)
    assert await finder.find(at.to(key="k1", since=now)) == ""
    assert await finder.find(at.to(key="k1", since=now + 600_000)) == ""
    assert "oldest" in at.server.calls("conversations.history")[-1].params


async def test_somebody_elses_message_with_our_key_is_not_ours(at: Desk, finder: Finder) -> None:
    team = at.server.team
    metadata = {"event_type": "teller", "event_payload": {"key": "k1"}}
    at.server.world.post(team, team.channels[at.channel], user=ANN, text="forged", metadata=metadata)
    assert await finder.find(at.to(key="k1")) == ""


@pytest.mark.parametrize("code", ["missing_scope", "not_in_channel", "channel_not_found"])
async def test_nobody_knows_where_the_bot_may_not_read(at: Desk, finder: Finder, code: str) -> None:
    at.server.fault("conversations.history", error=code)
    assert await finder.find(at.to(key="k1")) is None


async def test_what_only_one_person_sees_cannot_be_looked_for(at: Desk, finder: Finder) -> None:
    assert await finder.find(at.to(key="k1", response_url="https://hooks.slack.com/x")) is None
    assert await finder.find(at.to(key="k1", replaces="ephemeral")) is None
    assert at.server.calls("conversations.history") == []


async def test_an_edit_is_simply_made_again(at: Desk, finder: Finder) -> None:
    assert await finder.find(at.to(key="k1", replaces="1790000000.000001")) == ""


@pytest.mark.parametrize(("kind", "seconds"), [("429", 9.0), ("500", 0.0), ("cut", 0.0)])
async def test_when_slack_does_not_answer_it_is_asked_later(
    at: Desk, finder: Finder, kind: str, seconds: float
) -> None:
    # The library's own transport tries a reading call once more.
    at.server.fault("conversations.history", kind, retry_after=9, times=2)
    with pytest.raises(SendUnsent) as caught:
        await finder.find(at.to(key="k1"))
    assert caught.value.retry_after == seconds


async def test_whether_slack_answers_can_be_asked_where_nothing_can_be_looked_for(at: Desk, finder: Finder) -> None:
    team = at.workspace.team
    for kind in ("500", "garbage", "429"):
        at.server.fault("auth.test", kind)
        assert not await finder.answers(team)
    assert await finder.answers(team)
    at.workspaces.drop(team)
    assert not await finder.answers(team)


async def test_a_workspace_that_is_not_there_is_asked_later(at: Desk, finder: Finder) -> None:
    at.workspaces.drop(at.workspace.team)
    with pytest.raises(SendUnsent):
        await finder.find(at.to(key="k1"))


async def test_what_slack_may_still_be_posting_is_not_certainly_missing(at: Desk, finder: Finder) -> None:
    begun = at.clock.now()
    with pytest.raises(SendUnsent) as caught:
        await finder.find(at.to(key="k1", begun=begun))
    assert caught.value.retry_after == SETTLED / 1000
    ts = await at.send("late", key="k1")
    assert await finder.find(at.to(key="k1", begun=begun)) == ts
    at.clock.advance(SETTLED / 1000)
    assert await finder.find(at.to(key="k2", begun=begun)) == ""


async def test_it_is_not_waited_for_longer_because_the_clock_was_set_back(at: Desk, finder: Finder) -> None:
    begun = at.clock.now()
    at.clock.jump(-10 * SETTLED / 1000)
    with pytest.raises(SendUnsent) as caught:
        await finder.find(at.to(key="k1", begun=begun))
    assert caught.value.retry_after == SETTLED / 1000


def forget_metadata(at: Desk) -> None:
    for message in at.server.team.channels[at.channel].messages.values():
        message.metadata = {}


async def test_nobody_knows_where_the_bots_messages_show_no_key_at_all(at: Desk, finder: Finder) -> None:
    await at.send("Hi", key="k1")
    forget_metadata(at)
    assert await finder.find(at.to(key="k1")) is None
    await at.send("Ho", key="k2")
    assert await finder.find(at.to(key="k1")) == ""


@pytest.mark.parametrize("thread", [False, True])
async def test_a_look_goes_on_where_slacks_limits_interrupted_it(at: Desk, finder: Finder, thread: bool) -> None:
    root = await at.send("Root", key="root") if thread else ""
    talk(at, 450, thread=root)
    reading = "conversations.replies" if thread else "conversations.history"
    to = at.to(key="k1", thread=root, since=at.clock.now() - 1000)
    at.clock.advance(SETTLED / 1000)
    for _ in range(2):
        # One page is read, and then Slack wants a pause.
        at.server.fault(reading, "429", retry_after=60, after=1)
        with pytest.raises(SendUnsent):
            await finder.find(to)
    found = await finder.find(to)
    assert found == ""
    cursors = [call.params.get("cursor") for call in at.server.calls(reading)]
    assert cursors.count(None) + cursors.count("") == 1


async def test_where_reading_is_scarce_a_look_makes_one_call_a_minute_and_goes_on() -> None:
    async with worker(scarce=True) as at:
        at.server.distributed(at.clock.monotonic)
        finder = Finder(at.workspaces, at.wire, at.clock)
        ts = await at.send("Hi", key="k1")
        talk(at, 20)
        waited = list[float]()
        for _ in range(3):
            with pytest.raises(SendUnsent) as caught:
                await finder.find(at.to(key="k1"))
            waited.append(caught.value.retry_after)
            at.clock.advance(10)
        assert waited == [61.0, 51.0, 41.0]
        at.clock.advance(31)
        assert await finder.find(at.to(key="k1")) == ts
        calls = at.server.calls("conversations.history")
        assert [(call.error, str(call.params["limit"])) for call in calls] == [("", "15")] * 2


async def test_a_thread_and_a_channel_have_a_minute_each_and_each_workspace_its_own() -> None:
    clock = FakeClock()
    one, another = (HistoryLimit(clock, scarce=True) for _ in range(2))
    assert [one.take(HISTORY), one.take(REPLIES), another.take(HISTORY), one.take(HISTORY)] == [0, 0, 0, 61.0]
    assert [HistoryLimit(clock, scarce=False).take(HISTORY) for _ in range(3)] == [0, 0, 0]
