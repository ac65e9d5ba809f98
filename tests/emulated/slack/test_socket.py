"""Socket Mode of the Slack emulator, seen by the real Bolt and its web socket client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from tests.emulated.slack.bolting import ROOM, USER, Heard, bolt, connected
from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for
from tests.emulators.slack_socket import LINK_DISABLED, WARNING


@pytest.fixture
def heard() -> Heard:
    return Heard()


@asynccontextmanager
async def raw(server: SlackServer, address: str = "") -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A socket without a library around it, after its hello unless an *address* is given."""
    async with aiohttp.ClientSession() as session, session.ws_connect(address or server.sockets.address()) as socket:
        if not address:
            assert (await socket.receive_json())["type"] == "hello"
        yield socket


async def test_a_message_arrives_and_is_acknowledged(server: SlackServer, heard: Heard) -> None:
    async with connected(server, bolt(server, heard)):
        ts = server.say("Hello <you> & me", USER)
        await server.wait_until(lambda: not server.pending())
    (body,) = heard.bodies
    event = body["event"]
    assert (event["ts"], event["text"], event["channel_type"]) == (ts, "Hello &lt;you&gt; &amp; me", "im")
    assert (event["user"], event["team"], body["team_id"]) == (USER, "T0001", "T0001")
    assert body["authorizations"][0]["user_id"] == server.team.bot_user
    assert event["client_msg_id"]


async def test_a_mention_arrives_twice_in_any_order(server: SlackServer, heard: Heard) -> None:
    async with connected(server, bolt(server, heard)):
        for _ in range(12):
            server.mention("Hello", USER, ROOM)
        await server.wait_until(lambda: not server.pending())
    pairs = list(zip(heard.events[::2], heard.events[1::2], strict=True))
    assert set(pairs) == {("message", "app_mention"), ("app_mention", "message")}
    assert len({body["event_id"] for body in heard.bodies}) == 24
    assert len({body["event"]["ts"] for body in heard.bodies}) == 12


async def test_what_is_not_acknowledged_comes_three_times_more_and_says_so(server: SlackServer, heard: Heard) -> None:
    server.retry_after = (0.0, 0.01, 0.01)
    heard.down = 9
    server.deliveries.ack_seconds = 0.05
    async with connected(server, bolt(server, heard)):
        server.say("Hello", USER)
        envelope = await server.deliveries.all[0].settled()
    assert (envelope.gone, envelope.acked, envelope.attempts) == (True, False, 4)
    assert len({body["event_id"] for body in heard.bodies}) == 1
    assert [headers["x-slack-retry-num"] for headers in heard.headers] == [["0"], ["1"], ["2"], ["3"]]
    assert heard.headers[1]["x-slack-retry-reason"] == ["http_timeout"]


async def test_what_comes_while_nobody_listens_is_delivered_later(server: SlackServer, heard: Heard) -> None:
    server.retry_after = (0.0, 2.0)
    server.say("Hello", USER)
    envelope = server.deliveries.all[0]
    await server.wait_until(lambda: envelope.attempts == 2)
    async with connected(server, bolt(server, heard)):
        await envelope.settled()
    assert (envelope.acked, envelope.reasons) == (True, ["connection_failed"] * 2)


async def test_a_refresh_makes_the_client_come_back_and_nothing_is_lost(server: SlackServer, heard: Heard) -> None:
    server.retry_after = (0.0, 0.05, 0.5)
    async with connected(server, bolt(server, heard)):
        await server.sockets.disconnect()
        assert server.sockets.open == 0
        server.say("Hello", USER)
        envelope = await server.deliveries.all[0].settled()
        assert envelope.acked
    assert len(server.calls("apps.connections.open")) == 2


async def test_after_a_warning_the_old_socket_still_carries(server: SlackServer, heard: Heard) -> None:
    async with raw(server) as socket:
        await server.sockets.disconnect(WARNING)
        assert (await socket.receive_json())["reason"] == WARNING
        server.say("Hello", USER)
        assert (await socket.receive_json())["type"] == "events_api"


async def test_a_cut_connection_fails_what_was_under_way_and_the_client_comes_back(
    server: SlackServer, heard: Heard
) -> None:
    server.retry_after = (0.0, 0.05, 3.0)
    async with connected(server, bolt(server, heard), ping=0.5):
        server.sockets.abort()
        await server.wait_until(lambda: server.sockets.open == 0)
        server.say("Hello", USER)
        await server.wait_until(lambda: server.sockets.open == 1)
        envelope = await server.deliveries.all[0].settled()
    assert envelope.acked
    assert "connection_failed" in envelope.reasons


async def test_a_socket_that_has_to_go_is_closed_when_what_is_under_way_is_acknowledged(server: SlackServer) -> None:
    async with raw(server) as socket:
        server.say("Hello", USER)
        envelope = await socket.receive_json()
        await server.sockets.disconnect()
        assert (await socket.receive_json())["reason"] == "refresh_requested"
        await socket.send_json({"envelope_id": envelope["envelope_id"]})
        assert (await server.deliveries.all[0].settled()).attempts == 1
        assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE


async def test_with_socket_mode_switched_off_there_is_no_address_any_more(server: SlackServer, heard: Heard) -> None:
    async with raw(server) as socket:
        await server.sockets.disconnect(LINK_DISABLED, close=True)
        assert (await socket.receive_json())["reason"] == LINK_DISABLED
    with pytest.raises(SlackApiError) as refused:
        await client_for(server).apps_connections_open(app_token=server.world.app.app_token)
    assert refused.value.response["ok"] is False


async def test_an_address_is_good_for_one_socket(server: SlackServer) -> None:
    address = server.sockets.address()
    again = address.replace("ws", "http", 1)
    async with raw(server, address), aiohttp.ClientSession() as session, session.get(again) as answer:
        assert answer.status == 404


async def test_one_socket_too_many_is_sent_away(server: SlackServer) -> None:
    server.sockets.most = 1
    async with raw(server) as first, raw(server, server.sockets.address()) as second:
        assert (await second.receive_json())["reason"] == "too_many_websockets"
        assert (await second.receive()).type is aiohttp.WSMsgType.CLOSE
        assert not first.closed


async def test_payloads_are_spread_over_sockets_and_acknowledged_on_their_own(server: SlackServer) -> None:
    server.deliveries.ack_seconds = 0.1
    server.retry_after = ()
    async with raw(server) as one, raw(server) as two:
        sockets = [one, two]
        server.say("Hello", USER)
        received = [asyncio.ensure_future(socket.receive_json()) for socket in sockets]
        (first,), (other,) = await asyncio.wait(received, return_when=asyncio.FIRST_COMPLETED)
        wrong = sockets[received.index(other)]
        await wrong.send_json({"envelope_id": first.result()["envelope_id"]})
        envelope = await server.deliveries.all[0].settled()
        other.cancel()
    assert (envelope.acked, envelope.reasons) == (False, ["http_timeout"])


@pytest.mark.parametrize(("kind", "times"), [("lost", 1), ("lost_ack", 2), ("double", 2), ("slow", 1)])
async def test_a_delivery_may_suffer(server: SlackServer, heard: Heard, kind: str, times: int) -> None:
    server.retry_after = (0.0,)
    server.delivery_fault(kind, delay=0.01)
    async with connected(server, bolt(server, heard)):
        server.say("Hello", USER)
        assert (await server.deliveries.all[0].settled()).acked
        await server.wait_until(lambda: len(heard.bodies) == times)
    assert len({body["event_id"] for body in heard.bodies}) == 1


async def test_a_delivery_may_be_overtaken(server: SlackServer, heard: Heard) -> None:
    server.delivery_fault("held")
    async with connected(server, bolt(server, heard)):
        for text in ("first", "second"):
            server.say(text, USER)
        await server.wait_until(lambda: not server.pending())
    assert [body["event"]["text"] for body in heard.bodies] == ["second", "first"]
