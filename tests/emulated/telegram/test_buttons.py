"""Keyboards and pressed buttons in the Bot API emulator, with the real client library."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import (
    Bot,
    CallbackQuery,
    CopyTextButton,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    Message,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
)
from telegram.error import BadRequest

from tests.emulators.telegram import TelegramServer

USER = 1001
OTHER = 2002


def keyboard(**buttons: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton(text, callback_data=data)] for text, data in buttons.items()])


async def query(bot: Bot) -> CallbackQuery:
    found = (await bot.get_updates())[-1].callback_query
    assert found is not None
    return found


def raw(*buttons: object) -> dict[str, Any]:
    return {"reply_markup": {"inline_keyboard": [list(buttons)]}}


@pytest.mark.parametrize(
    ("markup", "error"),
    [
        (raw({"text": "", "callback_data": "x"}), "Text buttons are unallowed"),
        (raw({"text": " ", "callback_data": "x"}), "Text buttons are unallowed"),
        (raw({"text": "no action"}), "Text buttons are unallowed"),
        (raw({"text": "two", "callback_data": "x", "url": "https://example.org"}), "Text buttons are unallowed"),
        (raw({"text": "x", "callback_data": ""}), "Button_data_invalid"),
        (raw({"text": "x", "callback_data": "é" * 33}), "Button_data_invalid"),
        (raw({"text": "x", "callback_data": 5}), "Button_data_invalid"),
        (raw({"text": "x", "url": "javascript:alert(1)"}), "Wrong HTTP URL"),
        (raw({"text": "x", "copy_text": {"text": "y" * 257}}), "Button_copy_text_invalid"),
        (raw({"text": "x", "callback_data": "x", "style": "loud"}), "invalid button style"),
        (raw({"text": "x", "callback_data": "x", "colour": "red"}), "'colour'"),
        (raw(*[{"text": "x", "callback_data": "x"}] * 9), "more than 8 buttons in a row"),
        ({"reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": "x"}]] * 101}}, "markup_too_long"),
        ({"reply_markup": {"inline_keyboard": {}}}, "expected an Array"),
        ({"reply_markup": {"keyboard": [[""]]}}, "must be of type String"),
        ({"reply_markup": {"force_reply": False}}, "Object expected as reply markup"),
        ({"reply_markup": {"force_reply": True, "input_field_placeholder": "x" * 65}}, "1–64 characters"),
        ({"reply_markup": {"nonsense": True}}, "Object expected as reply markup"),
        ({"reply_markup": []}, "Object expected as reply markup"),
    ],
)
async def test_a_bad_keyboard_is_refused(server: TelegramServer, bot: Bot, markup: dict[str, Any], error: str) -> None:
    with pytest.raises(BadRequest, match=f"(?i){error}"):
        await bot.send_message(USER, "?", api_kwargs=markup)
    assert server.sent() == []


@pytest.mark.parametrize(
    "markup",
    [
        InlineKeyboardMarkup([[InlineKeyboardButton("Copy", copy_text=CopyTextButton("y" * 256))]]),
        InlineKeyboardMarkup([[InlineKeyboardButton("Go", url="https://example.org", style="danger")]]),
        ReplyKeyboardMarkup([["Yes", "No"]], one_time_keyboard=True, input_field_placeholder="Yes or no?"),
        ReplyKeyboardRemove(),
        ForceReply(selective=True, input_field_placeholder="Your answer"),
    ],
)
async def test_every_kind_of_keyboard_can_be_sent(server: TelegramServer, bot: Bot, markup: Any) -> None:
    await bot.send_message(USER, "?", reply_markup=markup)
    (sent,) = server.sent()
    assert sent.reply_markup == markup.to_dict()


async def test_only_inline_keyboards_can_be_edited(bot: Bot) -> None:
    asked = await bot.send_message(USER, "?", reply_markup=ForceReply())
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await bot.edit_message_text("!", USER, asked.message_id)
    plain = await bot.send_message(USER, "?")
    with pytest.raises(BadRequest, match="Object expected as reply markup"):
        await bot.edit_message_text("!", USER, plain.message_id, api_kwargs={"reply_markup": {"keyboard": [["Yes"]]}})


async def test_the_keyboard_alone_can_be_changed_and_taken_away(server: TelegramServer, bot: Bot) -> None:
    sent = await bot.send_message(USER, "?", reply_markup=keyboard(Yes="y", No="n"))
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_reply_markup(USER, sent.message_id, reply_markup=keyboard(Yes="y", No="n"))
    await bot.edit_message_reply_markup(USER, sent.message_id, reply_markup=keyboard(Maybe="m"))
    await bot.edit_message_reply_markup(USER, sent.message_id)
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_reply_markup(USER, sent.message_id, reply_markup=InlineKeyboardMarkup([]))
    (message,) = server.sent()
    assert (message.text, message.keyboard) == ("?", [])
    assert [edit.reply_markup for edit in message.edits] == [keyboard(Maybe="m").to_dict(), None]


async def test_a_press_brings_the_message_and_who_pressed(server: TelegramServer, bot: Bot) -> None:
    sent = await bot.send_message(USER, "Sure?", reply_markup=keyboard(Yes="token-1"))
    by_text = server.press(server.sent()[0], "Yes")
    found = await query(bot)
    assert (found.id, found.data, found.from_user.id) == (by_text, "token-1", USER)
    assert isinstance(found.message, Message)
    assert (found.message.message_id, found.message.text) == (sent.message_id, "Sure?")
    assert found.message.reply_markup == keyboard(Yes="token-1")
    first_instance = found.chat_instance
    server.press(sent.message_id, "token-1", chat=USER)
    again = await query(bot)
    assert (again.data, again.chat_instance, again.id == by_text) == ("token-1", first_instance, False)


async def test_a_text_that_is_there_twice_does_not_say_which(server: TelegramServer, bot: Bot) -> None:
    twice = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data=data) for data in "ab"]])
    await bot.send_message(USER, "Sure?", reply_markup=twice)
    with pytest.raises(ValueError, match="several buttons 'Yes'"):
        server.press(server.sent()[0], "Yes")
    server.press(server.sent()[0], "b")
    assert (await query(bot)).data == "b"


async def test_a_button_that_is_not_shown_can_only_be_forged(server: TelegramServer, bot: Bot) -> None:
    sent = await bot.send_message(USER, "Sure?", reply_markup=keyboard(Yes="y"))
    await bot.edit_message_text("Done", USER, sent.message_id)
    message = server.sent()[0]
    with pytest.raises(ValueError, match="no buttons 'Yes'"):
        server.press(message, "Yes")
    with pytest.raises(ValueError, match="no message 99"):
        server.press(99, "Yes", chat=USER)
    with pytest.raises(ValueError, match="private chat"):
        server.press(message, "Yes", user=OTHER)
    assert server.pending() == 0
    server.press(message, "anything", user=OTHER, forged=True)
    found = await query(bot)
    assert (found.data, found.from_user.id) == ("anything", OTHER)


async def test_in_a_group_anybody_there_may_press(server: TelegramServer, bot: Bot) -> None:
    server.group(-5, members={OTHER: "member", 3003: "kicked"})
    await bot.send_message(-5, "Sure?", reply_markup=keyboard(Yes="y"))
    server.press(server.sent()[0], "Yes", user=OTHER)
    assert (await query(bot)).from_user.id == OTHER
    with pytest.raises(ValueError, match="not in the group"):
        server.press(server.sent()[0], "Yes", user=3003)


async def test_an_inaccessible_message_has_no_date_and_no_text(server: TelegramServer, bot: Bot) -> None:
    await bot.send_message(USER, "Sure?", reply_markup=keyboard(Yes="y"))
    message = server.sent()[0]
    server.delete(message)
    with pytest.raises(ValueError, match="no message"):
        server.press(message, "Yes")
    server.press(message, "Yes", inaccessible=True)
    found = await query(bot)
    assert found.message is not None
    assert (found.message.is_accessible, found.message.message_id, found.data) == (False, message.message_id, "y")


async def test_a_query_is_answered_once_and_what_was_shown_is_kept(server: TelegramServer, bot: Bot) -> None:
    await bot.send_message(USER, "Sure?", reply_markup=keyboard(Yes="y"))
    pressed = [server.press(server.sent()[0], "Yes") for _ in range(3)]
    await bot.answer_callback_query(pressed[0], "Already answered", show_alert=True)
    await bot.answer_callback_query(pressed[1])
    assert [(a.callback_id, a.text, a.show_alert) for a in server.answers()] == [
        (pressed[0], "Already answered", True),
        (pressed[1], "", False),
    ]
    assert server.answers(pressed[2]) == []
    server.expire(pressed[2])
    for callback in (pressed[0], pressed[2], "12345"):
        with pytest.raises(BadRequest, match="Query is too old and response timeout expired or query id is invalid"):
            await bot.answer_callback_query(callback)


async def test_an_answer_is_short_and_opens_no_foreign_page(server: TelegramServer, bot: Bot) -> None:
    await bot.send_message(USER, "Sure?", reply_markup=keyboard(Yes="y"))
    callback = server.press(server.sent()[0], "Yes")
    with pytest.raises(BadRequest, match="Message_too_long"):
        await bot.answer_callback_query(callback, "x" * 201)
    with pytest.raises(BadRequest, match="Url_invalid"):
        await bot.answer_callback_query(callback, url="https://example.org/")
    await bot.answer_callback_query(callback, "x" * 200, url="https://t.me/teller_test_bot?start=1")
    assert len(server.answers(callback)) == 1


async def test_a_message_the_user_deleted_cannot_be_edited(server: TelegramServer, bot: Bot) -> None:
    sent = await bot.send_message(USER, "Sure?", reply_markup=keyboard(Yes="y"))
    server.delete(sent.message_id, USER)
    for edit in (
        bot.edit_message_text("!", USER, sent.message_id),
        bot.edit_message_reply_markup(USER, sent.message_id),
    ):
        with pytest.raises(BadRequest, match="Message to edit not found"):
            await edit
    with pytest.raises(ValueError, match="no message"):
        server.delete(sent.message_id, USER)


async def test_presses_too_must_be_allowed(server: TelegramServer, bot: Bot) -> None:
    await bot.send_message(USER, "Sure?", reply_markup=keyboard(Yes="y"))
    await bot.get_updates(allowed_updates=["message"])
    server.press(server.sent()[0], "Yes")
    assert server.pending() == 0
