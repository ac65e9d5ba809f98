"""The Bot API emulator, driven by the real python-telegram-bot over real sockets."""

from __future__ import annotations

import asyncio
import json
import time

import httpx
import pytest
from telegram import (
    Bot,
    BotCommand,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MessageEntity,
    ReplyParameters,
    Update,
)
from telegram.constants import ChatAction, MessageLimit
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken

from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer
from tests.emulators.telegram_client import bot_for

USER = 1001


def ids(updates: tuple[Update, ...]) -> list[int]:
    return [update.update_id for update in updates]


async def test_the_bot_knows_itself(bot: Bot) -> None:
    me = await bot.get_me()
    assert (me.id, me.is_bot, me.username) == (1000, True, "teller_test_bot")


async def test_a_wrong_token_is_unauthorized_and_a_malformed_one_not_found(server: TelegramServer) -> None:
    async with httpx.AsyncClient(base_url=server.url) as client:
        answers = [await client.get(f"/bot{token}/getMe") for token in ("1000:WRONG", "nonsense")]
        unknown = await client.post(f"/bot{DEFAULT_TOKEN}/sendNothing")
    assert [a.json() for a in [*answers, unknown]] == [
        {"ok": False, "error_code": 401, "description": "Unauthorized"},
        {"ok": False, "error_code": 404, "description": "Not Found"},
        {"ok": False, "error_code": 404, "description": "Not Found"},
    ]
    assert [a.status_code for a in [*answers, unknown]] == [401, 404, 404]


async def test_the_library_takes_a_wrong_token_for_an_invalid_one(server: TelegramServer) -> None:
    async with bot_for(server.url, "1000:WRONG") as stranger:
        with pytest.raises(InvalidToken):
            await stranger.get_me()


async def test_unconfirmed_updates_come_again_and_an_offset_forgets_what_is_below(
    server: TelegramServer, bot: Bot
) -> None:
    first, second, third = [server.say(text) for text in ("one", "two", "three")]
    assert ids(await bot.get_updates()) == [first, second, third]
    assert ids(await bot.get_updates()) == [first, second, third]
    assert ids(await bot.get_updates(offset=second)) == [second, third]
    assert server.pending() == 2
    assert ids(await bot.get_updates(offset=third + 1)) == []
    assert server.pending() == 0


async def test_a_negative_offset_keeps_only_the_last_updates(server: TelegramServer, bot: Bot) -> None:
    updates = [server.say(str(number)) for number in range(5)]
    assert ids(await bot.get_updates(offset=-2)) == updates[-2:]
    assert server.pending() == 2


async def test_limit_bounds_the_answer_and_is_itself_bounded(server: TelegramServer, bot: Bot) -> None:
    updates = [server.say(str(number)) for number in range(3)]
    assert ids(await bot.get_updates(limit=2)) == updates[:2]
    with pytest.raises(BadRequest, match="limit"):
        await bot.get_updates(limit=101)


async def test_a_long_poll_wakes_at_once(server: TelegramServer, bot: Bot) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await server.wait_until(lambda: server.updates.polling)
    begin = time.monotonic()
    said = server.say("hello")
    assert ids(await poll) == [said]
    assert time.monotonic() - begin < 1


async def test_a_long_poll_ends_empty_when_nothing_comes(bot: Bot) -> None:
    assert await bot.get_updates(timeout=1) == ()


async def test_a_second_poll_ends_the_first_with_a_conflict(server: TelegramServer, bot: Bot) -> None:
    first = asyncio.create_task(bot.get_updates(timeout=30))
    await server.wait_until(lambda: server.updates.polling)
    async with bot_for(server.url) as other:
        assert await other.get_updates() == ()
    with pytest.raises(Conflict, match="terminated by other getUpdates request"):
        await first


async def test_a_poller_that_dies_leaves_its_updates_to_the_next(server: TelegramServer, bot: Bot) -> None:
    dying = asyncio.create_task(bot.get_updates(timeout=30))
    await server.wait_until(lambda: server.updates.polling)
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    await server.wait_until(lambda: not server.updates.polling)
    said = server.say("still there?")
    assert ids(await bot.get_updates()) == [said]


async def test_polling_is_refused_while_a_webhook_is_set(server: TelegramServer, bot: Bot) -> None:
    await bot.set_webhook("https://example.org/hook")
    assert (await bot.get_webhook_info()).url == "https://example.org/hook"
    with pytest.raises(Conflict, match="use deleteWebhook"):
        await bot.get_updates()
    server.say("waits")
    assert (await bot.get_webhook_info()).pending_update_count == 1
    await bot.delete_webhook(drop_pending_updates=True)
    assert await bot.get_updates() == ()


async def test_allowed_updates_are_honoured_and_remembered(server: TelegramServer, bot: Bot) -> None:
    await bot.get_updates(allowed_updates=["edited_message"])
    server.say("not wanted", message_id=7)
    server.edit(7, "wanted")
    assert [update.edited_message is not None for update in await bot.get_updates()] == [True]
    await bot.get_updates(allowed_updates=[])
    server.say("wanted again")
    assert len(await bot.get_updates()) == 2


async def test_reactions_must_be_asked_for(server: TelegramServer, bot: Bot) -> None:
    server.push({"message_reaction": {}})
    assert server.pending() == 0
    await bot.get_updates(allowed_updates=["message_reaction"])
    server.push({"message_reaction": {}})
    assert server.pending() == 1


async def test_a_private_message_looks_like_the_real_one(server: TelegramServer, bot: Bot) -> None:
    server.say("/start@teller_test_bot 😀 @somebody", date=1_700_000_000)
    (update,) = await bot.get_updates()
    message = update.message
    assert message is not None
    assert message.from_user is not None
    assert (message.chat.type, message.chat.id, message.from_user.id) == ("private", USER, USER)
    assert message.date.timestamp() == 1_700_000_000
    assert {e.type: text for e, text in message.parse_entities().items()} == {
        "bot_command": "/start@teller_test_bot",
        "mention": "@somebody",
    }


async def test_a_poison_update_is_delivered_as_it_is(server: TelegramServer) -> None:
    poison = {"message": {"message_id": 1, "date": 10**20, "chat": "?"}}
    server.push(poison)
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{server.url}/bot{DEFAULT_TOKEN}/getUpdates")
    assert answer.json()["result"] == [{"update_id": 1, **poison}]


async def test_a_send_is_recorded_and_returned(server: TelegramServer, bot: Bot) -> None:
    before = time.monotonic()
    bold = MessageEntity("bold", 2, 4)
    shifted = MessageEntity("bold", 3, 4)
    message = await bot.send_message(USER, " 😀bold ", entities=[shifted], disable_notification=True)
    assert (message.text, message.entities) == ("😀bold", (bold,))
    (sent,) = server.sent(USER)
    assert (sent.text, sent.delivered, sent.params["disable_notification"]) == ("😀bold", True, True)
    assert before <= sent.mono <= time.monotonic()
    assert server.sent(2002) == []


async def test_an_unknown_chat_is_not_found(bot: Bot) -> None:
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(4242, "hello?")


async def test_a_user_who_blocked_the_bot_is_out_of_reach(server: TelegramServer, bot: Bot) -> None:
    server.block(USER)
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(USER, "hello?")
    server.unblock(USER)
    await bot.send_message(USER, "hello again")
    changes = [update.my_chat_member for update in await bot.get_updates()]
    assert [change.new_chat_member.status for change in changes if change] == ["kicked", "member"]


@pytest.mark.parametrize("text", ["", " \n\t "])
async def test_an_empty_text_is_refused(bot: Bot, text: str) -> None:
    with pytest.raises(BadRequest, match="Message text is empty"):
        await bot.send_message(USER, text)


@pytest.mark.parametrize("character", ["a", "😀"])
async def test_the_length_of_a_text_is_counted_in_utf16_units(bot: Bot, character: str) -> None:
    units = len(character.encode("utf-16-le")) // 2
    fits = character * (MessageLimit.MAX_TEXT_LENGTH // units)
    await bot.send_message(USER, fits)
    with pytest.raises(BadRequest, match="Message is too long"):
        await bot.send_message(USER, fits + "a")


async def test_a_parameter_unknown_to_the_library_is_refused(bot: Bot) -> None:
    with pytest.raises(BadRequest, match="'shout'"):
        await bot.send_message(USER, "hello", api_kwargs={"shout": True})


@pytest.mark.parametrize(
    ("entity", "error"),
    [
        (MessageEntity("bold", 0, 6), "offset 0 ends after the end of the text at UTF-16 offset 6"),
        (MessageEntity("bold", 0, 2), "offset 0 ends in a middle of a UTF-16 symbol at byte offset 1"),
        (MessageEntity("bold", 2, 1), "begins in a middle of a UTF-16 symbol at byte offset 1"),
        (MessageEntity("bold", 1, 0), "length 0"),
        (MessageEntity("bold", -1, 2), "offset -1"),
        (MessageEntity("loud", 0, 1), "Unsupported type specified"),
        (MessageEntity("text_link", 0, 1), 'field "url"'),
        (MessageEntity("text_link", 0, 1, url="javascript:alert(1)"), "Wrong HTTP URL"),
        (MessageEntity("text_link", 0, 1, url="localhost"), "Wrong HTTP URL"),
    ],
)
async def test_a_bad_entity_is_refused(bot: Bot, entity: MessageEntity, error: str) -> None:
    with pytest.raises(BadRequest, match=f"(?i){error}"):
        await bot.send_message(USER, "a😀b.", entities=[entity])


async def test_entities_may_nest_but_not_cross_and_are_at_most_a_hundred(bot: Bot) -> None:
    whole, inner, crossing = MessageEntity("bold", 0, 3), MessageEntity("code", 1, 2), MessageEntity("italic", 2, 2)
    await bot.send_message(USER, "abcd", entities=[whole, inner])
    with pytest.raises(BadRequest, match="crosses"):
        await bot.send_message(USER, "abcd", entities=[whole, crossing])
    with pytest.raises(BadRequest, match="100"):
        await bot.send_message(USER, "abcd", entities=[whole] * 101)


async def test_parse_mode_is_refused(bot: Bot) -> None:
    with pytest.raises(BadRequest, match="exclude each other"):
        await bot.send_message(USER, "a", parse_mode="HTML", entities=[MessageEntity("bold", 0, 1)])
    with pytest.raises(BadRequest, match="Unsupported parse_mode"):
        await bot.send_message(USER, "a", parse_mode="BBCode")


async def test_a_reply_needs_its_original_unless_told_otherwise(server: TelegramServer, bot: Bot) -> None:
    server.say("question", message_id=5)
    answer = await bot.send_message(USER, "answer", reply_parameters=ReplyParameters(5))
    assert answer.reply_to_message is not None
    assert answer.reply_to_message.text == "question"
    with pytest.raises(BadRequest, match="Message to be replied not found"):
        await bot.send_message(USER, "answer", reply_parameters=ReplyParameters(99))
    lenient = ReplyParameters(99, allow_sending_without_reply=True)
    assert (await bot.send_message(USER, "answer", reply_parameters=lenient)).reply_to_message is None


async def test_a_topic_must_exist_and_the_general_one_takes_only_actions(server: TelegramServer, bot: Bot) -> None:
    group = -1001234567890
    server.say("hi", chat=group, message_thread_id=8, is_topic_message=True)
    assert (await bot.send_message(group, "hi", message_thread_id=8)).is_topic_message
    for thread in (1, 9):
        with pytest.raises(BadRequest, match="Message thread not found"):
            await bot.send_message(group, "hi", message_thread_id=thread)
    assert await bot.send_chat_action(group, ChatAction.TYPING, message_thread_id=1)


async def test_button_data_is_limited_in_bytes(bot: Bot) -> None:
    def keyboard(data: str) -> InlineKeyboardMarkup:
        return InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data=data)]])

    assert (await bot.send_message(USER, "?", reply_markup=keyboard("y" * 64))).reply_markup == keyboard("y" * 64)
    with pytest.raises(BadRequest, match="Button_data_invalid"):
        await bot.send_message(USER, "?", reply_markup=keyboard("é" * 33))


async def test_an_edit_must_change_something(server: TelegramServer, bot: Bot) -> None:
    message = await bot.send_message(USER, "draft")
    await bot.edit_message_text("final", USER, message.message_id)
    with pytest.raises(BadRequest, match="Message is not modified: specified new message content"):
        await bot.edit_message_text("final", USER, message.message_id)
    (sent,) = server.sent()
    assert (sent.text, [edit.text for edit in sent.edits]) == ("final", ["final"])


async def test_only_the_bots_own_living_messages_can_be_edited(server: TelegramServer, bot: Bot) -> None:
    server.say("mine", message_id=5)
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await bot.edit_message_text("yours", USER, 5)
    message = await bot.send_message(USER, "soon gone")
    await bot.delete_message(USER, message.message_id)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("too late", USER, message.message_id)
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await bot.delete_message(USER, message.message_id)
    assert server.sent() == []


async def test_chat_actions_are_those_of_the_library(server: TelegramServer, bot: Bot) -> None:
    for action in ChatAction:
        await bot.send_chat_action(USER, action)
    with pytest.raises(BadRequest, match="Wrong parameter action in request"):
        await bot.send_chat_action(USER, "sleeping")
    assert len(server.calls("sendChatAction")) == len(ChatAction) + 1


async def test_commands_are_kept_per_language(bot: Bot) -> None:
    english, german = [BotCommand("help", "Help")], [BotCommand("help", "Hilfe")]
    await bot.set_my_commands(english)
    await bot.set_my_commands(german, language_code="de")
    assert list(await bot.get_my_commands()) == english
    assert list(await bot.get_my_commands(language_code="de")) == german
    with pytest.raises(BadRequest, match="Bot_command_invalid"):
        await bot.set_my_commands([("Not allowed", "x")])


async def test_json_and_multipart_bodies_are_read_too(server: TelegramServer) -> None:
    url = f"{server.url}/bot{DEFAULT_TOKEN}/sendMessage"
    entities = [{"type": "bold", "offset": 0, "length": 2}]
    async with httpx.AsyncClient() as client:
        plain = await client.post(url, json={"chat_id": USER, "text": "hé", "entities": entities})
        fields = {"chat_id": str(USER), "text": "hé", "entities": json.dumps(entities)}
        parts = await client.post(url, files={name: (None, value) for name, value in fields.items()})
    assert [answer.json()["result"]["entities"] for answer in (plain, parts)] == [entities, entities]
