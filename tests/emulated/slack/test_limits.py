"""Rate limits and scripted misfortunes of the Slack emulator."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import (
    AsyncConnectionErrorRetryHandler,
    AsyncRateLimitErrorRetryHandler,
)
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulated.slack.conftest import ROOM
from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for, refusal


def texts(server: SlackServer) -> list[str]:
    return [message.text for message in server.team.channels[ROOM].messages.values()]


async def test_one_message_a_second_goes_into_a_channel(server: SlackServer, client: AsyncWebClient) -> None:
    server.limit("chat.postMessage")
    await client.chat_postMessage(channel=ROOM, text="one")
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=ROOM, text="two")
    answer = caught.value.response
    assert (answer.status_code, answer["error"], answer.headers["retry-after"]) == (429, "ratelimited", "1")
    assert await refusal(client.chat_postMessage(channel="U1", text="elsewhere")) == ""
    assert texts(server) == ["one"]


async def test_a_burst_is_let_through_and_a_lifted_limit_limits_nothing(
    server: SlackServer, client: AsyncWebClient
) -> None:
    server.limit("chat.postMessage", 1, 60.0, burst=2)
    codes = [await refusal(client.chat_postMessage(channel=ROOM, text="x")) for _ in range(4)]
    assert codes == ["", "", "", "ratelimited"]
    server.limit("chat.postMessage", 0)
    assert await refusal(client.chat_postMessage(channel=ROOM, text="x")) == ""


async def test_documented_limits_are_per_workspace(server: SlackServer, client: AsyncWebClient) -> None:
    server.limit()
    other = client_for(server, server.world.team("T0002").bot_token)
    codes = [await refusal(client.conversations_list()) for _ in range(21)]
    assert codes == [""] * 20 + ["ratelimited"]
    assert await refusal(other.conversations_list()) == ""


async def test_the_librarys_handler_waits_and_tries_again(server: SlackServer) -> None:
    patient = client_for(server, "", AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    server.fault("chat.postMessage", "429", retry_after=0)
    await patient.chat_postMessage(channel=ROOM, text="x")
    assert [call.status for call in server.calls("chat.postMessage")] == [429, 200]


@pytest.mark.parametrize(("kind", "kept"), [("cut", []), ("cut_after", ["x"])])
async def test_a_cut_connection_leaves_the_bot_in_doubt(server: SlackServer, kind: str, kept: list[str]) -> None:
    server.fault("chat.postMessage", kind)
    with pytest.raises(aiohttp.ClientError):
        await client_for(server).chat_postMessage(channel=ROOM, text="x")
    assert texts(server) == kept


async def test_the_librarys_usual_handler_posts_twice_after_a_late_cut(server: SlackServer) -> None:
    eager = client_for(server, "", AsyncConnectionErrorRetryHandler())
    server.fault("chat.postMessage", "cut_after")
    await eager.chat_postMessage(channel=ROOM, text="x")
    assert texts(server) == ["x", "x"]


@pytest.mark.parametrize(("kind", "status"), [("500", 500), ("503", 503), ("html", 200), ("html_after", 200)])
async def test_a_page_instead_of_json_is_an_error_for_the_library(
    server: SlackServer, client: AsyncWebClient, kind: str, status: int
) -> None:
    server.fault("chat.postMessage", kind)
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=ROOM, text="x")
    assert caught.value.response.status_code == status
    assert texts(server) == (["x"] if kind == "html_after" else [])


@pytest.mark.parametrize("kind", ["slow", "slow_after"])
async def test_a_slow_answer_is_a_true_one(server: SlackServer, client: AsyncWebClient, kind: str) -> None:
    server.fault("chat.postMessage", kind, delay=0.01)
    assert (await client.chat_postMessage(channel=ROOM, text="x"))["ok"] is True
    assert texts(server) == ["x"]


@pytest.mark.parametrize(
    ("kind", "error", "kept"),
    [("garbage", ValueError, []), ("garbage_after", ValueError, ["x"]), ("short", aiohttp.ClientError, ["x"])],
)
async def test_an_answer_that_cannot_be_read_is_no_error_of_slacks(
    server: SlackServer, client: AsyncWebClient, kind: str, error: type[Exception], kept: list[str]
) -> None:
    server.fault("chat.postMessage", kind)
    with pytest.raises(error):
        await client.chat_postMessage(channel=ROOM, text="x")
    assert texts(server) == kept


async def test_an_error_of_slacks_own_may_come_before_or_after_the_deed(
    server: SlackServer, client: AsyncWebClient
) -> None:
    server.fault("chat.postMessage", error="fatal_error")
    server.fault("chat.postMessage", "error_after", error="service_unavailable")
    codes = [await refusal(client.chat_postMessage(channel=ROOM, text=text)) for text in ("one", "two", "three")]
    assert codes == ["fatal_error", "service_unavailable", ""]
    assert texts(server) == ["two", "three"]


async def test_a_fault_may_wait_for_its_channel_and_its_turn(server: SlackServer, client: AsyncWebClient) -> None:
    server.fault("chat.postMessage", channel=ROOM, error="fatal_error", after=1)
    places = [ROOM, "U1", ROOM, ROOM]
    codes = [await refusal(client.chat_postMessage(channel=place, text="x")) for place in places]
    assert codes == ["", "", "fatal_error", ""]
    with pytest.raises(ValueError, match="unknown fault"):
        server.fault("chat.postMessage", "explode")


async def test_a_hanging_call_is_given_up_by_the_client_and_not_done(server: SlackServer) -> None:
    server.fault("chat.postMessage", "hang")
    hasty = AsyncWebClient(server.team.bot_token, base_url=server.api, timeout=1, retry_handlers=[])
    with pytest.raises(asyncio.TimeoutError):
        await hasty.chat_postMessage(channel=ROOM, text="x")
    assert texts(server) == []
