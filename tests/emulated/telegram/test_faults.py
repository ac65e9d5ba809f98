"""Faults, limits and lost answers of the Bot API emulator, seen by the real python-telegram-bot."""

from __future__ import annotations

from datetime import timedelta

import httpx
import pytest
from telegram import Bot
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter, TimedOut

from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer

USER = 1001


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("429", RetryAfter),
        ("403", Forbidden),
        ("400", BadRequest),
        ("409", Conflict),
        ("404", InvalidToken),
        ("500", NetworkError),
        ("502", NetworkError),
        ("cut", NetworkError),
        ("cut_before", NetworkError),
    ],
)
async def test_a_scripted_fault_has_no_effect_and_passes(
    server: TelegramServer, bot: Bot, kind: str, error: type[Exception]
) -> None:
    server.fault("sendMessage", kind=kind)
    with pytest.raises(error):
        await bot.send_message(USER, "hello")
    assert server.sent() == []
    await bot.send_message(USER, "hello")
    assert [m.text for m in server.sent()] == ["hello"]


@pytest.mark.parametrize("kind", ["cut_after", "502_after"])
async def test_a_late_fault_leaves_the_message_and_hides_the_answer(
    server: TelegramServer, bot: Bot, kind: str
) -> None:
    server.fault("sendMessage", kind=kind)
    with pytest.raises(NetworkError):
        await bot.send_message(USER, "hello")
    assert [m.text for m in server.sent()] == ["hello"]


async def test_a_cut_really_cuts_the_connection(server: TelegramServer) -> None:
    server.fault("getMe", kind="cut")
    async with httpx.AsyncClient() as client:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            await client.get(f"{server.url}/bot{DEFAULT_TOKEN}/getMe")
    (call,) = server.calls("getMe")
    assert (call.status, call.delivered) == (None, False)


async def test_an_answer_that_comes_too_late_is_not_delivered(server: TelegramServer, bot: Bot) -> None:
    server.fault("sendMessage", kind="slow_after", delay=0.3)
    with pytest.raises(TimedOut):
        await bot.send_message(USER, "hello", read_timeout=0.1)
    (sent,) = await server.wait_sent(1)
    await server.wait_until(lambda: sent.call.status is not None)
    assert not sent.delivered


async def test_garbage_is_answered_with_success_and_no_json(server: TelegramServer) -> None:
    server.fault("getMe", kind="garbage")
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{server.url}/bot{DEFAULT_TOKEN}/getMe")
    assert answer.status_code == 200
    with pytest.raises(ValueError, match="decode"):
        answer.json()


async def test_a_proxy_error_is_a_page(server: TelegramServer) -> None:
    server.fault(kind="502")
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{server.url}/bot{DEFAULT_TOKEN}/getMe")
    assert (answer.status_code, answer.headers["content-type"]) == (502, "text/html")


async def test_faults_come_in_order_and_only_where_they_belong(server: TelegramServer, bot: Bot) -> None:
    server.open(2002)
    server.fault("sendMessage", chat=USER, kind="429", retry_after=7, after=1)
    server.fault("sendMessage", chat=USER, kind="400", description="Bad Request: second", after=1)
    await bot.send_message(USER, "passes")
    await bot.send_message(2002, "elsewhere")
    with pytest.raises(RetryAfter) as too_many:
        await bot.send_message(USER, "first fault")
    assert too_many.value.retry_after == timedelta(seconds=7)
    with pytest.raises(BadRequest, match="Second"):
        await bot.send_message(USER, "second fault")
    assert [m.text for m in server.sent()] == ["passes", "elsewhere"]


async def test_an_unknown_fault_is_an_error_of_the_test(server: TelegramServer) -> None:
    with pytest.raises(ValueError, match="418"):
        server.fault(kind="418")


async def test_the_flood_limit_counts_each_chat_alone(server: TelegramServer, bot: Bot) -> None:
    server.open(2002)
    server.limit(seconds=30)
    await bot.send_message(USER, "one")
    await bot.send_message(2002, "one")
    with pytest.raises(RetryAfter, match="30"):
        await bot.send_message(USER, "two")
    server.limit(0)
    await bot.send_message(USER, "two")


async def test_waiting_for_messages_that_do_not_come_says_what_came(server: TelegramServer, bot: Bot) -> None:
    await bot.send_message(USER, "only one")
    with pytest.raises(TimeoutError, match="only one"):
        await server.wait_sent(2, timeout=0.05)
