"""What was said on Slack while nobody listened is read from the conversations after each connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from core.kernel.types import Millis
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import SlackHouse

HEARD = (1, "heard")


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        # What is not heard at once never comes again.
        found.retry_after = ()
        yield found


@pytest.fixture
def house(server: SlackServer) -> SlackHouse:
    return SlackHouse(server)


async def missed(house: SlackHouse) -> None:
    """Wait until Slack has given up whatever was said."""
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)


def long_ago(house: SlackHouse, seconds: int = 30) -> str:
    """Let the bot have heard something some seconds ago."""
    now: Millis = house.clock.now()
    house.intake.cursors[HEARD] = f"{now // 1000 - seconds}.000000"
    return house.intake.cursors[HEARD]


async def test_a_first_start_reads_nothing(house: SlackHouse, server: SlackServer) -> None:
    server.say("before you were here")
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == []
        assert house.intake.cursors[HEARD]
        assert not server.calls("conversations.history")


async def test_what_was_missed_is_taken_in_oldest_first(house: SlackHouse, server: SlackServer) -> None:
    before = long_ago(house)
    channel = server.channel()
    server.say("one")
    server.mention("in a channel", channel=channel)
    server.say("not for the bot", channel=channel)
    last = server.say("two")
    await missed(house)
    async with house.receiving():
        # Each conversation in its order.
        found = house.intake.messages()
        assert sorted(found) == ["in a channel", "one", "two"]
        assert found.index("one") < found.index("two")
        assert before < house.intake.cursors[HEARD] <= last


async def test_what_is_known_is_taken_in_once(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        server.say("heard")
        await house.intake.wait_messages("heard")
        await server.wait_until(lambda: not server.pending(), DEADLINE)
        server.sockets.abort()
        await server.wait_until(lambda: not server.sockets.links, DEADLINE)
        server.say("missed")
        await house.intake.wait(lambda: len(house.intake.rows) == 2)
    assert house.intake.messages() == ["heard", "missed"]


async def test_answers_in_a_thread_of_ours_are_found(house: SlackHouse, server: SlackServer) -> None:
    channel = server.channel()
    now = house.clock.now() // 1000
    root = server.mention("what is up", channel=channel, ts=f"{now - 86_400}.000100")
    house.intake.spoken = [(channel, root)]
    long_ago(house)
    server.say("and now?", channel=channel, thread=root)
    await missed(house)
    async with house.receiving():
        [found] = house.intake.inbound()
        assert (found.text, found.thread, found.addressed) == ("and now?", root, False)


async def test_an_answer_below_something_flat_is_found(house: SlackHouse, server: SlackServer) -> None:
    now = house.clock.now() // 1000
    house.intake.cursors[HEARD] = f"{now - 1800}.000000"
    reminder = server.say("an hour ago, in no thread", ts=f"{now - 3600}.000100")
    server.say("in 2 hours", thread=reminder)
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["in 2 hours"]


async def test_answers_to_what_was_missed_are_found(house: SlackHouse, server: SlackServer) -> None:
    long_ago(house)
    channel = server.channel()
    root = server.mention("what is up", channel=channel)
    server.say("anybody?", channel=channel, thread=root)
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["what is up", "anybody?"]


async def test_a_lacking_scope_switches_off_that_part_alone(house: SlackHouse, server: SlackServer) -> None:
    long_ago(house)
    server.team.scopes -= {"channels:history", "groups:read", "mpim:read"}
    server.mention("in a channel", channel=server.channel())
    server.say("in private")
    await missed(house)
    async with house.receiving():
        assert house.intake.messages() == ["in private"]


async def test_the_cursor_stays_until_all_is_here(house: SlackHouse, server: SlackServer) -> None:
    before = long_ago(house)
    server.say("missed")
    await missed(house)
    server.fault("conversations.history", kind="500", times=2)
    moved: list[Any] = []
    house.intake.on_accept = lambda: moved.append(house.intake.cursors[HEARD])
    async with house.running():
        await house.clock.wait_sleeps(1)
        server.say("live")
        await house.intake.wait(lambda: "live" in house.intake.messages())
        await house.intake.wait(lambda: house.intake.cursors[HEARD] != before)
    assert set(house.intake.messages()) == {"live", "missed"}
    assert set(moved) == {before}


async def test_too_many_questions_are_asked_again_later(house: SlackHouse, server: SlackServer) -> None:
    long_ago(house)
    server.say("missed")
    await missed(house)
    server.fault("conversations.history", kind="429", retry_after=7)
    async with house.receiving():
        assert house.intake.messages() == ["missed"]
        assert 7 in house.clock.slept


async def test_only_what_is_newer_than_the_last_that_was_heard_counts_as_missed(
    house: SlackHouse, server: SlackServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    for text in ("one", "two"):
        house.intake.cursors[HEARD] = server.say(text)
    server.say("three")
    await missed(house)
    async with house.receiving():
        assert "three" in house.intake.messages()
    told = [one.getMessage() for one in caplog.records if "nobody listened" in one.getMessage()]
    assert told == ["1 messages were looked at that came while nobody listened"]
