"""Messages for one member of a group in the Bot API emulator, with the real client library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from telegram import Bot, Message
from telegram.error import BadRequest

from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_client import bot_for

GROUP, USER = -1001234567890, 1001


@pytest.fixture
async def newer() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(ephemeral=True) as server:
        server.open(USER)
        server.group(GROUP, members={USER: "member"}, bot="administrator")
        yield server


async def send(bot: Bot, chat: int = GROUP, text: str = "psst", **fields: Any) -> Message:
    return await bot.send_message(chat, text, api_kwargs={"ephemeral_message_parameters": fields})


async def test_a_newer_server_shows_a_message_to_one_member(newer: TelegramServer) -> None:
    async with bot_for(newer.url) as bot:
        sent = await send(bot, receiver_user_id=USER)
        second = await send(bot, receiver_user_id=USER)
        assert (sent.message_id, sent.text, sent.api_kwargs["receiver_user"]["id"]) == (0, "psst", USER)
        assert sent.api_kwargs["ephemeral_message_id"] != second.api_kwargs["ephemeral_message_id"]
        assert [(one.receiver, one.text) for one in newer.ephemeral(GROUP)] == [(USER, "psst")] * 2
        assert (newer.sent(), newer.ephemeral(USER)) == ([], [])
        loud = await bot.send_message(GROUP, "hello")
        assert [one.message_id for one in newer.sent()] == [loud.message_id]


async def test_an_old_server_shows_it_to_all(server: TelegramServer, bot: Bot) -> None:
    server.group(GROUP, members={USER: "member"}, bot="administrator")
    sent = await send(bot, receiver_user_id=USER)
    assert [one.message_id for one in server.sent(GROUP)] == [sent.message_id]
    assert (server.ephemeral(), dict(sent.api_kwargs)) == ([], {})


@pytest.mark.parametrize(
    ("chat", "fields", "error"),
    [
        (GROUP, {}, "receiver_user_id"),
        (GROUP, {"receiver_user_id": "x"}, "receiver_user_id"),
        (GROUP, {"receiver_user_id": USER, "loud": True}, "'loud'"),
        (GROUP, {"receiver_user_id": 77}, "USER_NOT_PARTICIPANT"),
        (GROUP, {"receiver_user_id": 1000}, "USER_NOT_PARTICIPANT"),
        (USER, {"receiver_user_id": USER}, "PEER_ID_INVALID"),
        (-77, {"receiver_user_id": USER}, "CHAT_ADMIN_REQUIRED"),
    ],
)
async def test_what_no_member_could_see_is_refused(
    newer: TelegramServer, chat: int, fields: dict[str, Any], error: str
) -> None:
    newer.group(-77, members={USER: "member"})
    async with bot_for(newer.url) as bot:
        with pytest.raises(BadRequest, match=f"(?i){error}"):
            await send(bot, chat, **fields)
    assert (newer.sent(), newer.ephemeral()) == ([], [])


async def test_an_empty_text_is_refused_here_too(newer: TelegramServer) -> None:
    async with bot_for(newer.url) as bot:
        with pytest.raises(BadRequest, match=r"(?i)text is empty"):
            await send(bot, text=" ", receiver_user_id=USER)
