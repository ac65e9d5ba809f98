"""Groups, their members and topics in the Bot API emulator, with the real client library."""

from __future__ import annotations

import pytest
from telegram import Bot, ChatMemberRestricted, Message, ReplyParameters
from telegram.constants import ChatAction
from telegram.error import BadRequest, ChatMigrated, Forbidden

from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_client import bot_for

GROUP, SUPER = -77, -1001234567890
USER = 1001
OTHER = 2002


async def messages(bot: Bot) -> list[Message]:
    return [update.message for update in await bot.get_updates() if update.message is not None]


async def changes(bot: Bot) -> list[tuple[str, str, int]]:
    found = [update.my_chat_member for update in await bot.get_updates()]
    return [(c.old_chat_member.status, c.new_chat_member.status, c.from_user.id) for c in found if c is not None]


async def test_privacy_mode_shows_only_what_concerns_the_bot(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER, members={USER: "member"})
    mine = await bot.send_message(SUPER, "I am here")
    said = [
        "/help",
        "/help@Teller_Test_Bot",
        "/help@another_bot",
        "hello all",
        "hello @TELLER_test_bot 😀",
        "hello @somebody",
    ]
    shown = [server.say(text, chat=SUPER) != 0 for text in said]
    assert shown == [True, True, False, False, True, False]
    assert server.say("yes?", chat=SUPER, reply_to=mine.message_id)
    unseen = server.last_message_id
    assert not server.say("to each other", chat=SUPER, user=OTHER, reply_to=unseen - 1)
    texts = [message.text for message in await messages(bot)]
    assert texts == ["/help", "/help@Teller_Test_Bot", "hello @TELLER_test_bot 😀", "yes?"]


async def test_a_mention_of_the_bots_account_concerns_it(server: TelegramServer, bot: Bot) -> None:
    mention = {"type": "text_mention", "offset": 0, "length": 6, "user": server.chats.user(server.bot_id)}
    stranger = mention | {"user": server.chats.user(OTHER)}
    assert server.say("Teller, hello", chat=SUPER, entities=[mention])
    assert server.say("Teller, hello", chat=SUPER, entities=[stranger]) == 0


async def test_somebody_seen_only_in_a_group_cannot_be_written_to(server: TelegramServer, bot: Bot) -> None:
    server.say("/help", user=OTHER, chat=SUPER)
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(OTHER, "psst")
    server.say("/start", user=OTHER)
    await bot.send_message(OTHER, "psst")


async def test_without_privacy_mode_or_as_administrator_everything_is_shown(bot: Bot, server: TelegramServer) -> None:
    assert (await bot.get_me()).can_read_all_group_messages is False
    server.group(SUPER, bot="administrator")
    assert server.say("hello all", chat=SUPER)
    async with TelegramServer(privacy=False) as other, bot_for(other.url) as open_bot:
        assert (await open_bot.get_me()).can_read_all_group_messages is True
        assert other.say("hello all", chat=GROUP)
        other.privacy = True
        assert other.privacy
        assert other.say("hello again", chat=GROUP) == 0


async def test_a_reply_carries_its_original(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER, bot="administrator")
    server.say("first", chat=SUPER)
    first = server.last_message_id
    server.say("second", chat=SUPER, reply_to=first)
    server.say("third", chat=SUPER, reply_to=server.last_message_id)
    third = (await messages(bot))[-1]
    assert third.reply_to_message is not None
    assert (third.reply_to_message.text, third.reply_to_message.reply_to_message) == ("second", None)
    # Without topics the id marks a thread of replies, and is none to send to.
    assert (third.is_topic_message, third.message_thread_id) == (None, first)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(SUPER, "?", message_thread_id=first)
    with pytest.raises(ValueError, match="no message 999"):
        server.say("?", chat=SUPER, reply_to=999)


async def test_topics_open_close_and_go(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER, forum=True)
    server.topic(SUPER, 8, "Shopping")
    server.say("/list", chat=SUPER, thread=8)
    opened, said = await messages(bot)
    assert opened.forum_topic_created is not None
    assert opened.forum_topic_created.name == "Shopping"
    assert (said.chat.is_forum, said.is_topic_message, said.message_thread_id) == (True, True, 8)
    sent = await bot.send_message(SUPER, "here", message_thread_id=8)
    server.say("/more", chat=SUPER, reply_to=sent.message_id)
    assert (await messages(bot))[-1].message_thread_id == 8
    server.close_topic(SUPER, 8)
    with pytest.raises(BadRequest, match="Topic_closed"):
        await bot.send_message(SUPER, "here", message_thread_id=8)
    server.reopen_topic(SUPER, 8)
    await bot.send_message(SUPER, "here", message_thread_id=8)
    server.delete_topic(SUPER, 8)
    for thread in (8, 1):
        with pytest.raises(BadRequest, match="Message thread not found"):
            await bot.send_message(SUPER, "here", message_thread_id=thread)
    assert await bot.send_chat_action(SUPER, ChatAction.TYPING, message_thread_id=1)


async def test_topics_are_for_forums(server: TelegramServer) -> None:
    with pytest.raises(ValueError, match="no forum"):
        server.topic(server.group(GROUP), 8)
    with pytest.raises(ValueError, match="only a supergroup has topics"):
        server.group(GROUP, forum=True)
    with pytest.raises(ValueError, match="is no group"):
        server.topic(USER, 8)
    with pytest.raises(ValueError, match="no topics"):
        server.say("/help", chat=GROUP, thread=8)


async def test_being_added_promoted_and_removed_is_told_with_who_did_it(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER, members={OTHER: "creator"}, bot="left")
    with pytest.raises(Forbidden, match="bot is not a member of the supergroup chat"):
        await bot.send_message(SUPER, "hello")
    assert server.say("/help", chat=SUPER) == 0
    for status in ("member", "administrator", "kicked"):
        server.member(SUPER, server.bot_id, status, by=OTHER)
    assert await changes(bot) == [
        ("left", "member", OTHER),
        ("member", "administrator", OTHER),
        ("administrator", "kicked", OTHER),
    ]
    (joined,) = await messages(bot)
    assert [user.id for user in joined.new_chat_members] == [server.bot_id]
    for send in (bot.send_message(SUPER, "hello"), bot.send_chat_action(SUPER, "typing"), bot.leave_chat(SUPER)):
        with pytest.raises(Forbidden, match="bot was kicked from the supergroup chat"):
            await send


async def test_being_added_to_a_new_group_is_a_change_too(server: TelegramServer, bot: Bot) -> None:
    server.member(GROUP, server.bot_id, "member", by=OTHER)
    assert await changes(bot) == [("left", "member", OTHER)]
    assert server.say("/help", user=OTHER, chat=GROUP)


async def test_members_come_and_go_and_only_an_administrator_is_told_more(server: TelegramServer, bot: Bot) -> None:
    await bot.get_updates(allowed_updates=["message", "chat_member"])
    server.group(SUPER)
    server.member(SUPER, OTHER, "member")
    server.member(SUPER, OTHER, "administrator")
    server.group(SUPER, bot="administrator")
    server.member(SUPER, OTHER, "left", by=OTHER)
    joined, changed, left = await bot.get_updates()
    assert joined.message is not None
    assert left.message is not None
    assert joined.message.new_chat_members[0].id == OTHER
    assert changed.chat_member is not None
    assert changed.chat_member.old_chat_member.status == "administrator"
    assert left.message.left_chat_member is not None
    with pytest.raises(ValueError, match="not in the group"):
        server.say("/help", user=OTHER, chat=SUPER)
    with pytest.raises(ValueError, match="unknown status"):
        server.member(SUPER, OTHER, "boss")


async def test_members_and_administrators_can_be_asked_for(server: TelegramServer, bot: Bot) -> None:
    people = {USER: "creator", OTHER: "administrator", 3003: "kicked", 4004: "restricted"}
    server.group(SUPER, "Family", members=people)
    for user, status in people.items():
        assert (await bot.get_chat_member(SUPER, user)).status == status
    assert [m.user.id for m in await bot.get_chat_administrators(SUPER)] == [USER, OTHER]
    assert await bot.get_chat_member_count(SUPER) == 4
    with pytest.raises(BadRequest, match="Member not found"):
        await bot.get_chat_member(SUPER, 5005)
    server.rename(5005, first_name="Five")
    assert (await bot.get_chat_member(SUPER, 5005)).status == "left"
    assert (await bot.get_chat_member(USER, USER)).status == "member"
    with pytest.raises(BadRequest, match="Member not found"):
        await bot.get_chat_member(USER, OTHER)
    with pytest.raises(BadRequest, match="no administrators in the private chat"):
        await bot.get_chat_administrators(USER)
    chat = await bot.get_chat(SUPER)
    assert (chat.title, chat.type, (await bot.get_chat(USER)).first_name) == ("Family", "supergroup", "User1001")
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.get_chat(-4242)


async def test_a_bot_that_left_is_out_and_is_told_so(server: TelegramServer, bot: Bot) -> None:
    server.group(GROUP)
    assert await bot.leave_chat(GROUP)
    assert await changes(bot) == [("member", "left", server.bot_id)]
    with pytest.raises(Forbidden, match="bot is not a member of the group chat"):
        await bot.send_message(GROUP, "hello?")
    with pytest.raises(BadRequest, match="can't be changed in private chats"):
        await bot.leave_chat(USER)


async def test_a_bot_without_rights_reads_but_does_not_post(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER)
    server.restrict(SUPER)
    with pytest.raises(BadRequest, match="Not enough rights to send text messages to the chat"):
        await bot.send_message(SUPER, "hello")
    assert server.say("/help", chat=SUPER)
    member = await bot.get_chat_member(SUPER, server.bot_id)
    assert isinstance(member, ChatMemberRestricted)
    assert (member.is_member, member.can_send_messages) == (True, False)
    server.member(SUPER, server.bot_id, "member")
    await bot.send_message(SUPER, "hello")


async def test_an_anonymous_administrator_hides_behind_the_group(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER, members={USER: "creator", OTHER: "member"})
    server.say("/help", chat=SUPER, anonymous=True)
    (message,) = await messages(bot)
    assert message.from_user is not None
    assert message.sender_chat is not None
    assert (message.from_user.id, message.from_user.is_bot, message.sender_chat.id) == (1087968824, True, SUPER)
    with pytest.raises(ValueError, match="anonymously"):
        server.say("/help", user=OTHER, chat=SUPER, anonymous=True)


async def test_an_upgraded_group_tells_its_new_id_everywhere(server: TelegramServer, bot: Bot) -> None:
    server.group(GROUP, "Family", members={USER: "creator"})
    new = server.migrate(GROUP)
    old_word, new_word = await messages(bot)
    assert (old_word.chat.id, old_word.migrate_to_chat_id) == (GROUP, new)
    assert (new_word.chat.id, new_word.migrate_from_chat_id, new_word.chat.type) == (new, GROUP, "supergroup")
    with pytest.raises(ChatMigrated) as moved:
        await bot.send_message(GROUP, "hello")
    assert moved.value.new_chat_id == new
    await bot.send_message(new, "hello")
    assert (await bot.get_chat_member(new, USER)).status == "creator"
    with pytest.raises(ValueError, match="has become"):
        server.say("/help", chat=GROUP)
    with pytest.raises(ValueError, match="upgraded"):
        server.migrate(GROUP)


async def test_only_an_administrator_deletes_what_others_wrote(server: TelegramServer, bot: Bot) -> None:
    server.say("/spam", chat=SUPER)
    spam = server.last_message_id
    with pytest.raises(BadRequest, match="Message can't be deleted"):
        await bot.delete_message(SUPER, spam)
    server.member(SUPER, server.bot_id, "administrator")
    assert await bot.delete_message(SUPER, spam)
    lenient = ReplyParameters(spam, allow_sending_without_reply=True)
    assert (await bot.send_message(SUPER, "gone", reply_parameters=lenient)).reply_to_message is None


async def test_an_edit_keeps_what_was_not_changed(server: TelegramServer, bot: Bot) -> None:
    server.group(SUPER, forum=True)
    server.topic(SUPER, 8)
    server.say("/first", chat=SUPER, thread=8, date=1_700_000_000)
    server.edit(server.last_message_id, "/second", chat=SUPER)
    edited = (await bot.get_updates())[-1].edited_message
    assert edited is not None
    assert (edited.text, edited.message_thread_id, edited.date.timestamp()) == ("/second", 8, 1_700_000_000)
    assert edited.edit_date is not None


async def test_a_renamed_user_is_shown_by_the_new_name(server: TelegramServer, bot: Bot) -> None:
    server.rename(USER, first_name="<b>Eve</b>", username=None, language_code="de")
    server.say("hello")
    (message,) = await messages(bot)
    assert message.from_user is not None
    assert (message.from_user.first_name, message.from_user.username) == ("<b>Eve</b>", None)
    assert (message.chat.first_name, message.from_user.language_code) == ("<b>Eve</b>", "de")
