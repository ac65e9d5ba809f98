"""Commands, drafts and reactions in the Bot API emulator, with the real client library."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    BotCommandScopeChatAdministrators,
    BotCommandScopeChatMember,
    MessageEntity,
    ReactionTypeCustomEmoji,
    ReactionTypeEmoji,
)
from telegram.error import BadRequest, Forbidden, RetryAfter

from tests.emulators.telegram import TelegramServer

GROUP = -1001234567890
USER = 1001
OTHER = 2002


async def name(bot: Bot, command: str, scope: BotCommandScope | None, language: str | None = None) -> None:
    await bot.set_my_commands([BotCommand(command, "What it does")], scope=scope, language_code=language)


async def test_everybody_is_offered_the_nearest_menu(server: TelegramServer, bot: Bot) -> None:
    server.group(GROUP, members={USER: "creator", OTHER: "member"})
    await name(bot, "default", None)
    await name(bot, "standard", None, "de")
    await name(bot, "private", BotCommandScopeAllPrivateChats())
    await name(bot, "groups", BotCommandScopeAllGroupChats())
    await name(bot, "admins", BotCommandScopeAllChatAdministrators())

    def offered(*place: Any) -> list[str]:
        return [command["command"] for command in server.menu(*place)]

    assert offered(USER, USER) == ["private"]
    assert [offered(GROUP, user) for user in (USER, OTHER)] == [["admins"], ["groups"]]
    await name(bot, "these", BotCommandScopeChatAdministrators(GROUP))
    await name(bot, "you", BotCommandScopeChatMember(GROUP, OTHER))
    assert [offered(GROUP, user) for user in (USER, OTHER)] == [["these"], ["you"]]
    await name(bot, "here", BotCommandScopeChat(USER), "de")
    assert [offered(USER, USER, language) for language in ("de", "en")] == [["here"], ["private"]]
    await bot.delete_my_commands(scope=BotCommandScopeAllPrivateChats())
    assert await bot.get_my_commands(scope=BotCommandScopeAllPrivateChats()) == ()
    assert [offered(OTHER, OTHER, language) for language in ("de", "fr")] == [["standard"], ["default"]]


@pytest.mark.parametrize(
    ("scope", "error"),
    [
        ({"type": "everybody"}, "Unsupported type specified"),
        ({}, 'field "type"'),
        ({"type": "chat"}, 'field "chat_id"'),
        ({"type": "chat", "chat_id": 4242}, "chat not found"),
        ({"type": "chat_member", "chat_id": GROUP}, 'field "user_id"'),
        ({"type": "chat_administrators", "chat_id": USER}, "in private chats"),
        ({"type": "default", "chat_id": USER}, "'chat_id'"),
    ],
)
async def test_a_bad_scope_is_refused(server: TelegramServer, bot: Bot, scope: dict[str, Any], error: str) -> None:
    server.group(GROUP)
    with pytest.raises(BadRequest, match=f"(?i){error}"):
        await bot.set_my_commands([("help", "Help")], api_kwargs={"scope": scope})


@pytest.mark.parametrize("language", ["deu", "DE", "d"])
async def test_a_language_has_two_letters(bot: Bot, language: str) -> None:
    with pytest.raises(BadRequest, match="Invalid language code specified"):
        await bot.set_my_commands([("help", "Help")], language_code=language)


async def test_a_command_is_described_and_there_once(bot: Bot) -> None:
    for commands, error in (
        ([("help", "")], "Bot_command_description_invalid"),
        ([("help", "one"), ("help", "two")], "twice"),
        ([(f"c{number}", "x") for number in range(101)], "Bot_commands_too_much"),
    ):
        with pytest.raises(BadRequest, match=error):
            await bot.set_my_commands(commands)


async def test_a_draft_is_shown_until_the_message_comes(server: TelegramServer, bot: Bot) -> None:
    assert await bot.send_message_draft(USER, 7)
    await bot.send_message_draft(USER, 7, "Tea", entities=[MessageEntity("bold", 0, 3)])
    shown = server.shown_draft(USER)
    assert shown is not None
    assert (shown.text, shown.draft_id, shown.entities[0]["type"]) == ("Tea", 7, "bold")
    assert server.sent() == []
    await bot.send_message(USER, "Tea it is")
    assert server.shown_draft(USER) is None
    assert [draft.text for draft in server.drafts(USER)] == ["", "Tea"]
    assert server.drafts(OTHER) == []


async def test_a_draft_expires(server: TelegramServer, bot: Bot) -> None:
    assert server.draft_seconds == 30
    await bot.send_message_draft(USER, 7, "Tea")
    server.draft_seconds = 0
    assert server.shown_draft(USER) is None


async def test_a_draft_has_its_rules(server: TelegramServer, bot: Bot) -> None:
    server.group(GROUP)
    with pytest.raises(BadRequest, match="Textdraft_peer_invalid"):
        await bot.send_message_draft(GROUP, 7, "Tea")
    with pytest.raises(BadRequest, match="draft_id must not be 0"):
        await bot.send_message_draft(USER, 0, "Tea")
    with pytest.raises(BadRequest, match="Message is too long"):
        await bot.send_message_draft(USER, 7, "x" * 4097)
    with pytest.raises(BadRequest, match="ends after the end"):
        await bot.send_message_draft(USER, 7, "Tea", entities=[MessageEntity("bold", 0, 4)])
    server.block(USER)
    with pytest.raises(Forbidden):
        await bot.send_message_draft(USER, 7, "Tea")
    assert server.drafts() == []


async def test_a_bot_reacts_with_one_emoji_and_takes_it_back(server: TelegramServer, bot: Bot) -> None:
    server.say("hello")
    number = server.last_message_id
    await bot.set_message_reaction(USER, number, "👀")
    assert server.reactions(USER, number) == ["👀"]
    await bot.set_message_reaction(USER, number, "👍")
    assert server.reactions(USER, number) == ["👍"]
    await bot.set_message_reaction(USER, number)
    assert server.reactions(USER, number) == []


async def test_a_bad_reaction_is_refused(server: TelegramServer, bot: Bot) -> None:
    server.say("hello")
    number = server.last_message_id
    with pytest.raises(BadRequest, match="Reaction_invalid"):
        await bot.set_message_reaction(USER, number, "✅")
    for reaction in (ReactionTypeEmoji("✅"), ReactionTypeCustomEmoji("123")):
        with pytest.raises(BadRequest, match="Reaction_invalid"):
            await bot.set_message_reaction(USER, number, reaction)
    with pytest.raises(BadRequest, match='field "type"'):
        await bot.set_message_reaction(USER, number, api_kwargs={"reaction": ["👀"]})
    with pytest.raises(BadRequest, match="Reactions_too_many"):
        await bot.set_message_reaction(USER, number, ["👀", "👍"])
    with pytest.raises(BadRequest, match="Message to react not found"):
        await bot.set_message_reaction(USER, 99, "👀")
    assert server.reactions(USER, number) == []


async def test_a_users_reaction_is_told_with_the_one_before(server: TelegramServer, bot: Bot) -> None:
    await bot.get_updates(allowed_updates=["message_reaction"])
    sent = await bot.send_message(USER, "Done")
    for emoji in ("👍", None):
        server.react(sent.message_id, emoji, chat=USER)
    first, second = [update.message_reaction for update in await bot.get_updates()]
    assert first is not None
    assert second is not None
    assert first.user is not None
    assert (first.user.id, first.message_id, len(first.old_reaction)) == (USER, sent.message_id, 0)
    assert [reaction.type for reaction in second.old_reaction] == ["emoji"]
    assert second.new_reaction == ()
    server.group(GROUP)
    assert server.react(1, "👍", chat=GROUP) == 0
    server.member(GROUP, server.bot_id, "administrator")
    assert server.react(1, "👍", chat=GROUP) != 0


async def test_groups_have_a_limit_of_their_own(server: TelegramServer, bot: Bot) -> None:
    server.group(GROUP)
    server.group_limit()
    for number in range(20):
        await bot.send_message(GROUP, str(number))
    with pytest.raises(RetryAfter):
        await bot.send_message(GROUP, "one too many")
    await bot.send_message(USER, "elsewhere")
    server.group_limit(0)
    await bot.send_message(GROUP, "again")
