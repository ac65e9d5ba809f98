"""Buttons, suggestions, edits and groups through the Telegram adapter, on a strict Bot API server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter
from core.kernel.errors import SendMoved, SendRefused, SendUnsent
from core.kernel.types import Button, Destination, Keyboard, Part
from tests.emulators.telegram import TelegramServer
from tests.fakes import FakeClock
from tests.memory_intake import RealClock

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER, OLD_GROUP, GROUP = 1001, -77, -1001234567890
TEA = Keyboard(buttons=(Button(label="Tea", data="v1:a"), Button(label="Coffee", data="v1:b")))
TEA_ROWS = [[{"text": "Tea", "callback_data": "v1:a"}, {"text": "Coffee", "callback_data": "v1:b"}]]


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        server.group(GROUP)
        yield server


@pytest.fixture
async def adapter(server: TelegramServer) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, RealClock())
    yield adapter
    await adapter.close()


def to(chat: int = USER, **fields: Any) -> Destination:
    return Destination(tenant="1000", chat=str(chat), **fields)


def rendered(adapter: TelegramAdapter, *args: Any, **options: Any) -> Part:
    [part] = adapter.render(*args, **options)
    return part


@pytest.mark.parametrize("chat", [USER, GROUP])
async def test_a_question_has_its_buttons(chat: int, server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.send(to(chat), rendered(adapter, "**Which?**", keyboard=TEA))
    [sent] = server.sent()
    assert (sent.text, sent.reply_markup) == ("Which?", {"inline_keyboard": TEA_ROWS})


async def test_an_edit_brings_other_buttons_or_takes_them_away(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    where = to(replaces=await adapter.send(to(), rendered(adapter, "Which?", keyboard=TEA)))
    more = Keyboard(buttons=(Button(label="Water", data="v1:c"),))
    assert await adapter.send(where, rendered(adapter, "Which?", keyboard=more)) == where.replaces
    [sent] = server.sent()
    assert sent.reply_markup == {"inline_keyboard": [[{"text": "Water", "callback_data": "v1:c"}]]}
    await adapter.send(where, rendered(adapter, "Which?\n\n✅ Tea", ["and now?"]))
    [answered] = server.sent()
    assert (answered.text, answered.reply_markup) == ("Which?\n\n✅ Tea\n\n• and now?", None)


async def test_an_edit_that_changes_nothing_is_sent(server: TelegramServer, adapter: TelegramAdapter) -> None:
    part = rendered(adapter, "Which?", keyboard=TEA)
    message_id = await adapter.send(to(), part)
    assert await adapter.send(to(replaces=message_id), part) == message_id
    assert server.calls("editMessageText")[-1].status == 400


async def test_an_edit_of_what_is_gone_or_cannot_be_edited_is_refused(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    message_id = await adapter.send(to(), rendered(adapter, "Which?", keyboard=TEA))
    server.delete(int(message_id), USER)
    server.say("theirs", message_id=50)
    for gone in (message_id, "50"):
        with pytest.raises(SendRefused, match=r"essage to edit not found|essage can't be edited"):
            await adapter.send(to(replaces=gone), rendered(adapter, "✅ Tea"))
    assert [call.status for call in server.calls("editMessageText")] == [400, 400]


async def test_suggestions_are_buttons_in_a_private_chat_and_a_list_in_a_group(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    part = rendered(adapter, "**Hello!**", ["What time is it?", "Help"])
    for chat in (USER, GROUP):
        await adapter.send(to(chat), part)
    private, group = server.sent()
    assert private.text == "Hello!"
    assert private.reply_markup == {
        "keyboard": [["What time is it?", "Help"]],
        "one_time_keyboard": True,
        "resize_keyboard": True,
    }
    assert (group.text, group.reply_markup) == ("Hello!\n\n• What time is it?\n• Help", None)


async def test_buttons_go_before_suggestions(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.send(to(), rendered(adapter, "Which?", ["green tea"], TEA))
    [sent] = server.sent()
    assert (sent.text, sent.reply_markup) == ("Which?\n\n• green tea", {"inline_keyboard": TEA_ROWS})


async def test_a_reply_keyboard_asks_only_the_one_who_is_replied_to(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.say("@teller_test_bot hi", chat=GROUP, message_id=5)
    part = rendered(adapter, "How many?", keyboard=Keyboard(reply=True))
    await adapter.send(to(GROUP, reply_to="5"), part)
    [sent] = server.sent()
    assert sent.reply_markup == {"force_reply": True, "selective": True}


async def test_a_refused_keyboard_leaves_its_labels_as_a_list(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind="400", description="Bad Request: BUTTON_DATA_INVALID")
    await adapter.send(to(), rendered(adapter, "**Which?**", keyboard=TEA), repeated="↻ Again")
    [sent] = server.sent()
    assert (sent.text, sent.reply_markup) == ("↻ Again\nWhich?\n\n• Tea\n• Coffee", None)
    assert sent.entities == [{"type": "bold", "offset": 8, "length": 6}]


async def test_a_list_never_makes_a_message_too_long(server: TelegramServer, adapter: TelegramAdapter) -> None:
    many = Keyboard(buttons=tuple(Button(label=f"{n} " + "x" * 60, data=str(n)) for n in range(100)))
    *_, last = adapter.render("word " * 1500, keyboard=many)
    server.fault("sendMessage", kind="400", description="Bad Request: REPLY_MARKUP_TOO_LONG")
    await adapter.send(to(), last, repeated="↻ Again")
    [sent] = server.sent()
    assert len(sent.text) <= 4096
    assert "\n• 0 xxx" in sent.text


async def test_a_group_that_became_a_supergroup_has_moved(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.group(OLD_GROUP)
    new = server.migrate(OLD_GROUP)
    with pytest.raises(SendMoved) as caught:
        await adapter.send(to(OLD_GROUP), rendered(adapter, "hello"))
    assert caught.value.chat == str(new)
    await adapter.send(to(int(caught.value.chat)), rendered(adapter, "hello"))
    with pytest.raises(SendMoved):
        await adapter.send(to(OLD_GROUP), adapter.leaving())


@pytest.mark.parametrize("status", ["kicked", "left"])
async def test_where_the_bot_is_gone_it_is_forbidden(
    status: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.member(GROUP, server.bot_id, status)
    with pytest.raises(SendRefused, match=r"^Forbidden"):
        await adapter.send(to(GROUP), rendered(adapter, "hello"))


async def test_who_blocked_the_bot_is_forbidden(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.block(USER)
    with pytest.raises(SendRefused, match=r"^Forbidden"):
        await adapter.send(to(), rendered(adapter, "hello"))


async def test_a_group_is_left_once_and_being_gone_already_is_fine(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    for _ in range(2):
        await adapter.send(to(GROUP), adapter.leaving())
    assert [call.status for call in server.calls("leaveChat")] == [200, 403]
    await adapter.send(to(-99), adapter.leaving())
    with pytest.raises(SendRefused):
        await adapter.send(to(USER), adapter.leaving())
    server.fault("leaveChat", kind="429", retry_after=7)
    with pytest.raises(SendUnsent) as caught:
        await adapter.send(to(GROUP), adapter.leaving())
    assert caught.value.retry_after == 7


async def test_another_bots_group_is_not_left(server: TelegramServer, adapter: TelegramAdapter) -> None:
    with pytest.raises(SendUnsent, match="another bot"):
        await adapter.send(Destination(tenant="2000", chat=str(GROUP)), adapter.leaving())
    assert server.calls() == []


async def test_what_is_for_a_closed_topic_goes_to_the_group(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.group(GROUP, forum=True)
    server.topic(GROUP, 8, "Shopping")
    server.say("/list", chat=GROUP, thread=8, message_id=9)
    server.close_topic(GROUP, 8)
    await adapter.send(to(GROUP, thread="8", reply_to="9"), rendered(adapter, "Which?", keyboard=TEA))
    [sent] = server.sent()
    assert (sent.params.get("message_thread_id"), sent.params.get("reply_parameters")) == (None, None)
    assert sent.reply_markup == {"inline_keyboard": TEA_ROWS}


async def test_a_lost_topic_of_a_group_leaves_the_buttons(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.send(to(GROUP, thread="8"), rendered(adapter, "Which?", keyboard=TEA))
    [sent] = server.sent()
    assert (sent.params.get("message_thread_id"), sent.reply_markup) == (None, {"inline_keyboard": TEA_ROWS})


async def test_a_group_never_makes_telegram_say_that_it_is_too_much(server: TelegramServer) -> None:
    clock = FakeClock()
    adapter = TelegramAdapter(TOKEN, server.url, clock)
    server.group_limit()
    waits = []
    while len(server.sent()) < 20:
        clock.advance(1)
        await adapter.send(to(GROUP), rendered(adapter, "hello"))
    for _ in range(2):
        with pytest.raises(SendUnsent) as caught:
            await adapter.send(to(GROUP), rendered(adapter, "one too many"))
        waits.append(caught.value.retry_after)
    await adapter.send(to(USER), rendered(adapter, "elsewhere"))
    assert (waits, {call.status for call in server.calls()}) == ([41, 41], {200})
    await adapter.close()
