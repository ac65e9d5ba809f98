"""Whom a message may name and who hears of it in the Bot API emulator, with the real client library."""

from __future__ import annotations

import pytest
from telegram import Bot, MessageEntity, ReplyParameters, User
from telegram.error import BadRequest

from tests.emulators.telegram import TelegramServer

SUPER = -1001234567890
USER, OTHER, STRANGER = 1001, 2002, 4004


@pytest.fixture(autouse=True)
def group(server: TelegramServer) -> None:
    server.group(SUPER, members={USER: "member", OTHER: "member", STRANGER: "left"})


def mention(user: int) -> MessageEntity:
    return MessageEntity("text_mention", 0, 2, user=User(user, "", is_bot=False))


def link(url: str) -> MessageEntity:
    return MessageEntity("text_link", 0, 2, url=url)


async def test_members_and_those_who_wrote_to_the_bot_may_be_mentioned(server: TelegramServer, bot: Bot) -> None:
    await bot.send_message(SUPER, "Bo!", entities=[mention(OTHER)])
    await bot.send_message(USER, "Me!", entities=[mention(USER)])
    server.open(STRANGER)
    await bot.send_message(SUPER, "Cy!", entities=[mention(STRANGER)])
    assert [message.told for message in server.sent()] == [(OTHER,), (), ()]


@pytest.mark.parametrize(
    "entity", [mention(STRANGER), link(f"tg://user?id={STRANGER}"), link("TG://user/?a=b&id=4004")]
)
@pytest.mark.parametrize("chat", [SUPER, USER])
async def test_a_stranger_may_not_be_mentioned(
    entity: MessageEntity, chat: int, server: TelegramServer, bot: Bot
) -> None:
    with pytest.raises(BadRequest, match=f"mentions user {STRANGER}"):
        await bot.send_message(chat, "Cy!", entities=[entity])
    mine = await bot.send_message(chat, "Cy!")
    with pytest.raises(BadRequest, match=f"mentions user {STRANGER}"):
        await bot.edit_message_text("Cy?", chat, mine.message_id, entities=[entity])


async def test_handles_and_replies_tell_members_too(server: TelegramServer, bot: Bot) -> None:
    server.say("/hi", chat=SUPER, user=OTHER)
    reply = ReplyParameters(server.last_message_id)
    await bot.send_message(SUPER, "😀 @USER1001, @user4004 and @nobody_here")
    await bot.send_message(SUPER, "@user1001", entities=[MessageEntity("code", 0, 9)])
    await bot.send_message(SUPER, "yes", reply_parameters=reply)
    await bot.send_message(SUPER, "@user1001", disable_notification=True)
    await bot.send_message(SUPER, "mine", reply_parameters=ReplyParameters(server.sent()[0].message_id))
    assert [message.told for message in server.sent()] == [(USER,), (), (OTHER,), (), ()]


async def test_a_user_can_name_quote_and_answer(server: TelegramServer, bot: Bot) -> None:
    server.say("/note 😀 bring cups", chat=SUPER)
    text = "/remind Bo 😀 Cy"
    server.say(text, chat=SUPER, reply_to=server.last_message_id, quote="cups", **server.naming(text, Bo=OTHER, Cy=9))
    *_, update = await bot.get_updates()
    message = update.message
    assert message is not None
    assert message.quote is not None
    assert (message.quote.text, message.quote.position) == ("cups", 15)
    named = message.parse_entities(["text_mention"])
    assert [(entity.user and entity.user.id, word) for entity, word in named.items()] == [(OTHER, "Bo"), (9, "Cy")]
    with pytest.raises(ValueError, match="no part"):
        server.say("x", chat=SUPER, reply_to=server.last_message_id, quote="tea")
    with pytest.raises(ValueError, match="not found"):
        server.naming("hello", Bo=OTHER)


async def test_a_public_group_has_a_name(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER, username="tea_time")
    assert (await bot.get_chat(SUPER)).username == "tea_time"
    with pytest.raises(ValueError, match="public"):
        server.group(-77, username="tea_time")


async def test_who_is_restricted_stays_so_when_leaving(server: TelegramServer, bot: Bot) -> None:
    for standing in ("restricted", "left"):
        server.member(SUPER, OTHER, standing)
    gone = await bot.get_chat_member(SUPER, OTHER)
    assert (gone.status, getattr(gone, "is_member", None)) == ("restricted", False)
    for standing in ("member", "left"):
        server.member(SUPER, OTHER, standing)
    assert (await bot.get_chat_member(SUPER, OTHER)).status == "left"
