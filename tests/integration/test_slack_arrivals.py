"""What somebody says of whom Slack does not tell is kept and acknowledged at once, and read as soon as it does."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from bot.adapters.slack.arrivals import LONGEST
from core.types import Millis
from core.updates import Unreadable
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import USER, SlackHouse

NEVER = 10**6


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        # What is not acknowledged at once never comes again.
        found.retry_after = ()
        yield found


@pytest.fixture
async def house(server: SlackServer) -> AsyncIterator[SlackHouse]:
    found = SlackHouse(server)
    async with found.receiving():
        yield found


async def unread(house: SlackHouse, *texts: str) -> None:
    """Wait until all is acknowledged, and see that exactly these wait to be read."""
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)
    assert [json.loads(body)["text"] for body in house.intake.unread] == list(texts)


async def test_it_is_acknowledged_before_slack_says_who_it_is(house: SlackHouse, server: SlackServer) -> None:
    server.fault("users.info", kind="500", times=NEVER)
    server.say("hello")
    await unread(house, "hello")
    assert [one.attempts for one in server.deliveries.of("events_api")] == [1]
    server.faults.clear()
    [found] = await house.arrived()
    assert (found.text, found.sender.handle) == ("hello", "@u1001")


async def test_others_need_not_wait(house: SlackHouse, server: SlackServer) -> None:
    server.say("I am known")
    await house.arrived()
    server.fault("users.info", kind="500", times=NEVER)
    server.user("U2001")
    server.say("I am not", "U2001")
    server.say("I still am")
    await house.intake.wait(lambda: house.intake.messages() == ["I am known", "I still am"])
    await unread(house, "I am not")


async def test_within_a_channel_all_comes_in_its_order(house: SlackHouse, server: SlackServer) -> None:
    server.say("I am known")
    await house.arrived()
    channel = server.channel((USER, "U2001"))
    server.user("U2001")
    server.fault("users.info", kind="slow", times=1, delay=0.3)
    server.mention("who is new", "U2001", channel)
    server.mention("who is not", USER, channel)
    texts = [one.text for one in await house.arrived()]
    assert texts == ["I am known", "who is new", "who is not"]


async def test_it_outlives_the_process(server: SlackServer) -> None:
    house, after = SlackHouse(server), SlackHouse(server)
    after.intake = house.intake
    async with house.receiving():
        server.fault("users.info", kind="500", times=NEVER)
        server.say("keep me")
        await unread(house, "keep me")
    server.faults.clear()
    async with after.receiving():
        assert after.intake.messages() == ["keep me"]


async def test_what_comes_twice_is_kept_once(house: SlackHouse, server: SlackServer) -> None:
    server.retry_after = (0.0,)
    server.fault("users.info", kind="500", times=NEVER)
    server.delivery_fault("lost_ack")
    server.say("once")
    await unread(house, "once")


async def test_after_a_day_nobody_will_ever_know(house: SlackHouse, server: SlackServer) -> None:
    server.fault("users.info", kind="500", times=NEVER)
    server.say("who am I")
    await unread(house, "who am I")
    now = house.clock.now

    def tomorrow() -> Millis:
        return now() + LONGEST

    house.clock.now = tomorrow  # type: ignore[method-assign] # a day has passed
    await house.intake.wait_read()
    [row] = house.intake.rows.values()
    assert isinstance(row, Unreadable)
    assert "who am I" in row.raw


async def test_a_full_disk_leaves_it_with_slack(house: SlackHouse, server: SlackServer) -> None:
    house.intake.failures = [OSError("the disk is full")]
    server.retry_after = (0.0,)
    server.say("later")
    [found] = await house.arrived()
    assert found.text == "later"
    assert [one.attempts for one in server.deliveries.of("events_api")] == [2]
