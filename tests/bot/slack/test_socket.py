"""Socket Mode: one web socket, kept open whatever becomes of it; nothing is lost while it is not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from core.kernel.errors import ConfigError
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import QUICK, SlackHouse


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.retry_after = (0.0, 0.3, 0.5, 1.0, 2.0)
        yield found


@pytest.fixture
def house(server: SlackServer) -> SlackHouse:
    return SlackHouse(server)


@pytest.mark.parametrize("reason", ["refresh_requested", "warning"])
async def test_a_socket_that_slack_wants_replaced_is(house: SlackHouse, server: SlackServer, reason: str) -> None:
    async with house.receiving():
        [first] = server.sockets.links
        await server.sockets.disconnect(reason)
        await server.wait_until(lambda: any(link is not first for link in server.sockets.links), DEADLINE)
        server.say("still there?")
        await house.intake.wait_messages("still there?")


async def test_what_came_by_the_old_socket_is_acknowledged_there(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        server.fault("users.info", kind="slow", delay=0.3)
        server.say("on the way")
        await server.wait_until(lambda: bool(server.calls("users.info")), DEADLINE)
        await server.sockets.disconnect()
        await server.wait_until(lambda: not server.pending(), DEADLINE)
        [envelope] = server.deliveries.of("events_api")
        assert envelope.attempts == 1


async def test_a_broken_connection_is_opened_again(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        server.sockets.abort()
        await server.wait_until(lambda: not server.sockets.links, DEADLINE)
        await server.wait_until(lambda: bool(server.sockets.links), DEADLINE)
        server.say("again")
        await house.intake.wait_messages("again")
        assert house.adapter.health()["ok"]


async def test_a_socket_that_never_says_hello_is_replaced(server: SlackServer) -> None:
    house = SlackHouse(server, timing=replace(QUICK, hello=0.5))
    server.sockets.silent = 2
    async with house.receiving():
        assert len(server.calls("apps.connections.open")) == 3
        assert server.sockets.silent == 0
        assert len(server.sockets.links) == 1


async def test_a_new_socket_beside_the_old_one_is_no_deafness(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        [first] = server.sockets.links
        server.fault("users.conversations", kind="slow", delay=1.0)
        before = len(server.calls("users.conversations"))
        # The old one goes on all the while.
        await server.sockets.disconnect("warning")
        await server.wait_until(lambda: len(server.calls("users.conversations")) > before, DEADLINE)
        assert first in server.sockets.links
        assert house.adapter.hears("T0001")


async def test_slack_out_of_order_is_tried_again_with_growing_pauses(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        server.fault("apps.connections.open", kind="500", times=3)
        server.sockets.abort()
        await server.wait_until(lambda: len(server.calls("apps.connections.open")) >= 5, DEADLINE)
        pauses = [seconds for seconds in house.clock.slept if seconds >= 0.02]
        assert len(pauses) >= 3
        assert pauses[:3] == sorted(pauses[:3])


async def test_socket_mode_switched_off_is_named(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        await server.sockets.disconnect("link_disabled")
        await house.clock.wait_sleeps(1)
        health = house.adapter.health()
        assert not health["ok"]
        assert "Socket Mode" in health["last_error"]
        server.sockets.enabled = True
        await server.wait_until(lambda: bool(server.sockets.links), DEADLINE)
        server.say("back")
        await house.intake.wait_messages("back")
        assert house.adapter.health()["last_error"] == ""


async def test_a_wrong_app_token_ends_the_start(house: SlackHouse, server: SlackServer) -> None:
    server.world.app.app_token = "xapp-another"
    with pytest.RaisesGroup(pytest.RaisesExc(ConfigError, match=r"slack\.app_token: Slack does not know")):
        await house.adapter.run(house.intake)
    assert "slack.app_token" in house.adapter.health()["last_error"]
    await house.adapter.close()


async def test_an_app_token_that_is_revoked_later_is_named(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        server.world.app.app_token = "xapp-another"
        server.sockets.abort()
        await server.wait_until(lambda: "app token" in house.adapter.health()["last_error"], DEADLINE)


async def test_a_wrong_bot_token_ends_the_start(house: SlackHouse, server: SlackServer) -> None:
    server.world.revoke(server.team)
    with pytest.RaisesGroup(pytest.RaisesExc(ConfigError, match=r"slack\.bot_token: Slack does not take this token")):
        await house.adapter.run(house.intake)
    await house.adapter.close()


async def test_a_burst_is_acknowledged_whole_and_in_order(house: SlackHouse, server: SlackServer) -> None:
    channel = server.channel()
    async with house.receiving():
        texts = [f"line {n}" for n in range(100)]
        for text in texts:
            server.say(text, channel=channel)
        await house.intake.wait_messages(*texts)
        await server.wait_until(lambda: not server.pending(), DEADLINE)
        assert all(one.attempts == 1 for one in server.deliveries.all)
        # Asked for with all the others, or once.
        assert len(server.calls("users.info")) <= 1


async def test_after_the_end_nothing_is_acknowledged(house: SlackHouse, server: SlackServer) -> None:
    async with house.receiving():
        server.say("before")
        await house.intake.wait_messages("before")
    server.retry_after = ()
    server.say("after")
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    assert server.deliveries.all[-1].gone
    assert house.intake.messages() == ["before"]
