"""What Slack gave up is looked for as soon as there is a reason to, and until then nobody says that all is here."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.adapters.slack.receive import socket_mode
from bot.runtime import http
from core.kernel.errors import StorageError
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import EVENT
from tests.memory_intake import DEADLINE
from tests.slack_house import QUICK, USER, SlackHouse

HEARD = (1, "heard")


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
        server.say("first")
        await found.intake.wait_messages("first")
        yield found


def hears(house: SlackHouse) -> bool:
    return bool(house.adapter.health()["hears"])


def looked(server: SlackServer) -> int:
    return len(server.calls("users.conversations"))


def rate_limited(server: SlackServer) -> None:
    payload = {
        "type": "app_rate_limited",
        "team_id": "T0001",
        "minute_rate_limited": 1,
        "api_app_id": server.world.app.id,
    }
    server.deliveries.send(EVENT, payload)


async def test_what_was_refused_is_found_though_the_socket_lives(house: SlackHouse, server: SlackServer) -> None:
    house.intake.failures = [StorageError("disk full")]
    server.say("during the trouble")
    await house.intake.wait(lambda: "during the trouble" in house.intake.messages())
    assert len(server.sockets.links) == 1


async def test_the_cursor_does_not_pass_what_was_refused(house: SlackHouse, server: SlackServer) -> None:
    house.server.fault("conversations.history", kind="500", times=10**6)
    house.intake.failures = [StorageError("disk full")]
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    refused = server.say("during the trouble")
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    server.say("after it")
    await house.intake.wait(lambda: "after it" in house.intake.messages())
    assert house.intake.cursors[HEARD] < refused
    assert not hears(house)


async def test_somebody_of_whom_nothing_could_be_found_out_is_heard_after_all(
    house: SlackHouse, server: SlackServer
) -> None:
    server.user("U3001")
    server.fault("users.info", kind="500", times=2)
    server.say("from somebody new", "U3001")
    await house.intake.wait_messages("first", "from somebody new")
    await server.wait_until(lambda: hears(house), DEADLINE)


async def test_what_was_too_much_at_once_is_found(
    house: SlackHouse, server: SlackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_mode, "MOST_AT_ONCE", 0)
    server.say("too much")
    await house.intake.wait_messages("first", "too much")


async def test_events_beyond_slacks_limit_are_found(house: SlackHouse, server: SlackServer) -> None:
    server.delivery_fault("lost", "events_api", times=1)
    server.say("withheld")
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    rate_limited(server)
    await house.intake.wait_messages("first", "withheld")


async def test_what_comes_again_is_a_reason_to_look(house: SlackHouse, server: SlackServer) -> None:
    server.delivery_fault("lost", "events_api", times=1)
    server.say("lost for good")
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    server.retry_after = (0.0,)
    server.delivery_fault("lost", "events_api", times=1)
    server.say("comes again")
    await house.intake.wait(lambda: {"comes again", "lost for good"} <= set(house.intake.messages()))


async def test_what_comes_for_the_first_time_asks_for_no_look(house: SlackHouse, server: SlackServer) -> None:
    before = looked(server)
    for n in range(3):
        server.say(f"m{n}")
    await house.intake.wait_messages("first", "m0", "m1", "m2")
    last = server.say("the last")
    await house.intake.wait(lambda: house.intake.cursors[HEARD] == last)
    assert looked(server) == before


async def test_looks_follow_each_other_with_growing_pauses(server: SlackServer) -> None:
    house = SlackHouse(server, timing=replace(QUICK, first=1.0, most=60.0))
    async with house.receiving():
        for _ in range(3):
            expected = looked(server) + 4
            rate_limited(server)
            await server.wait_until(partial(lambda most: looked(server) >= most, expected), DEADLINE)
        assert house.clock.slept == [1.0, 2.0, 4.0]


async def test_greeted_anew_in_the_middle_of_a_look_there_is_another(server: SlackServer) -> None:
    house = SlackHouse(server)
    now, channel = house.clock.now() // 1000, server.channel()
    house.intake.cursors[HEARD] = f"{now - 600}.000000"
    house.intake.spoken = [(channel, server.mention("what is up", channel=channel, ts=f"{now - 200_000}.000100"))]
    server.dm()
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    # All is read but for a thread when the socket breaks.
    server.fault("conversations.replies", kind="slow", delay=4.0)
    async with house.running():
        await server.wait_until(lambda: bool(server.calls("conversations.replies")), DEADLINE)
        server.sockets.abort()
        await server.wait_until(lambda: not server.sockets.links, DEADLINE)
        server.delivery_fault("lost", "events_api", times=1)
        server.say("in the gap", ts=f"{now - 300}.000100")
        await server.wait_until(lambda: bool(server.sockets.links), DEADLINE)
        server.say("by the next socket")
        await house.intake.wait_messages("by the next socket", "in the gap")


async def test_where_slack_posts_we_look_now_and_then() -> None:
    async with SlackServer(mode="http") as server:
        server.retry_after = ()
        house = SlackHouse(server, socket=False, timing=replace(QUICK, look=0.05))
        async with http.serving(house.checks, "127.0.0.1", 0, house.adapter.endpoints) as port:
            server.signed.url = f"http://127.0.0.1:{port}/slack/events"
            async with house.receiving():
                server.delivery_fault("lost", "events_api", times=1)
                server.say("while the tunnel was down")
                server.say("after it")
                await house.intake.wait(lambda: len(house.intake.messages()) == 2)
                assert hears(house)


async def test_only_the_token_of_the_bot_ends_a_workspace(house: SlackHouse, server: SlackServer) -> None:
    server.push({"type": "tokens_revoked", "tokens": {"oauth": [USER], "bot": []}})
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    assert house.adapter.health()["ok"]
    server.push({"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["U0BOT"]}})
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    assert not house.adapter.health()["ok"]


async def test_a_workspace_that_installs_the_app_anew_is_served_again(house: SlackHouse, server: SlackServer) -> None:
    revoked: dict[str, Any] = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["U0BOT"]}}
    server.push(revoked)
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    server.say("back again")
    await house.intake.wait_messages("first", "back again")
    await server.wait_until(lambda: house.adapter.health()["ok"], DEADLINE)
