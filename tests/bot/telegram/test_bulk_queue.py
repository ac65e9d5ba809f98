"""Naming people, editing lists, and many messages at once through the Telegram adapter, on a strict Bot API server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter, Timing
from bot.adapters.telegram.send.rate_limit import AT_ONCE
from core.kernel.clock import SystemClock
from core.kernel.errors import SendUnsent
from core.kernel.types import Button, Destination, Inbound, Keyboard, Part
from tests.bot.telegram.test_pacing import StillClock
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import MemoryIntake, RealClock

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER, OTHER, GROUP, SUPER = 1001, 2002, -77, -1001234567890
LIST = Keyboard(buttons=tuple(Button(label=label, data=f"v1:{label}") for label in ("☐ milk", "☐ eggs")))


class Patient(StillClock):
    """A clock that goes on by what is slept, at once."""

    async def sleep(self, seconds: float) -> None:
        self.time += seconds
        await asyncio.sleep(0)


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        server.group(SUPER, members={USER: "member", OTHER: "member"})
        yield server


@pytest.fixture
async def adapter(server: TelegramServer) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, Patient())
    yield adapter
    await adapter.close()


def to(chat: int = USER, *, bulk: bool = False, **fields: Any) -> Destination:
    return Destination(tenant="1000", chat=str(chat), bulk=bulk, **fields)


def rendered(adapter: TelegramAdapter, *args: Any, **options: Any) -> Part:
    [part] = adapter.render(*args, **options)
    return part


@pytest.mark.parametrize("address", [f"tg:{OTHER}", f"tg:@User{OTHER}"])
async def test_a_member_who_is_mentioned_is_told(
    address: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    who = adapter.mention(address, "Bo [x]")
    await adapter.send(to(SUPER), rendered(adapter, f"⏰ {who}: call Oma"))
    await adapter.send(to(SUPER), rendered(adapter, "⏰ Bo: call Oma"))
    assert [message.told for message in server.sent()] == [(OTHER,), ()]
    assert {call.status for call in server.calls("sendMessage")} == {200}


async def test_somebody_whom_the_bot_cannot_mention_is_called_by_name(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    await adapter.send(to(SUPER), rendered(adapter, f"{adapter.mention('tg:4004', 'Cy')}: call Oma"))
    [sent] = server.sent()
    assert (sent.text, len(sent.entities), len(sent.told)) == ("Cy: call Oma", 0, 0)


async def test_a_list_is_edited_where_it_stands_and_pressed_again(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    message_id = await adapter.send(to(SUPER), rendered(adapter, "To do", keyboard=LIST))
    done = Keyboard(buttons=(Button(label="☑ milk", data="v1:again"), *LIST.buttons[1:]))
    for _ in range(2):
        assert (
            await adapter.send(to(SUPER, replaces=message_id), rendered(adapter, "To do", keyboard=done)) == message_id
        )
    [sent] = server.sent()
    assert [button["text"] for row in sent.keyboard for button in row] == ["☑ milk", "☐ eggs"]
    assert [call.status for call in server.calls("editMessageText")] == [200, 400]
    assert server.press(sent, "☑ milk", user=OTHER)
    with pytest.raises(ValueError, match="no buttons"):
        server.press(sent, "☐ milk", user=OTHER)


async def test_an_answer_overtakes_a_crowd(server: TelegramServer) -> None:
    chats = range(3000, 3200)
    for chat in chats:
        server.open(chat)
    adapter = TelegramAdapter(TOKEN, server.url, SystemClock())
    part = rendered(adapter, "⏰ call Oma")
    crowd = [asyncio.create_task(adapter.send(to(chat, bulk=True), part)) for chat in chats]
    await server.wait_sent(3)
    await adapter.send(to(), part)
    before = len(server.sent())
    for task in crowd:
        task.cancel()
    await asyncio.wait(crowd)
    await adapter.close()
    assert before < len(chats) / 2


async def test_a_crowd_that_a_slow_server_holds_up_leaves_connections_to_answers(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    chats = range(3000, 3100)
    for chat in chats:
        server.open(chat)
        server.fault("sendMessage", chat=chat, kind="slow_after", delay=60)
    part = rendered(adapter, "⏰ call Oma")
    crowd = [asyncio.create_task(adapter.send(to(chat, bulk=True), part)) for chat in chats]
    await server.wait_sent(AT_ONCE)
    await adapter.send(to(), part)
    assert [message.chat_id for message in server.sent()] == [*chats[:AT_ONCE], USER]
    for task in crowd:
        task.cancel()
    await asyncio.wait(crowd)


async def test_a_crowd_gets_out_whole_at_the_bots_rate(server: TelegramServer, adapter: TelegramAdapter) -> None:
    chats = range(3000, 3100)
    for chat in chats:
        server.open(chat)
    part = rendered(adapter, "⏰ call Oma")
    await asyncio.gather(*(adapter.send(to(chat, bulk=True), part) for chat in chats))
    assert {message.chat_id for message in server.sent()} == set(chats)
    assert len(server.calls("sendMessage")) == len(chats)


async def test_one_of_a_crowd_rests_like_everybody_after_a_429(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.fault("sendMessage", chat=USER, kind="429", retry_after=30)
    for _ in range(2):
        with pytest.raises(SendUnsent) as caught:
            await adapter.send(to(bulk=True), rendered(adapter, "x"))
        assert 29 < caught.value.retry_after <= 30
    assert len(server.calls("sendMessage")) == 1


async def test_what_a_message_refers_to_and_whom_it_names_comes_in(server: TelegramServer) -> None:
    server.privacy = False
    intake, adapter = MemoryIntake(), TelegramAdapter(TOKEN, server.url, RealClock(), timing=Timing(poll=1))
    server.say("Bring cups and plates", chat=SUPER, user=OTHER)
    original = server.last_message_id
    text = "/remind Bo at 9"
    server.say(text, chat=SUPER, reply_to=original, quote="cups", **server.naming(text, Bo=OTHER))
    server.send_media("contact", first_name="Dad", user_id=3003)
    receiving = asyncio.create_task(adapter.run(intake))
    await intake.wait(lambda: len(intake.rows) == 3)
    receiving.cancel()
    await asyncio.wait([receiving])
    await adapter.close()
    _, reply, card = (row for row in intake.rows.values() if isinstance(row, Inbound))
    assert (reply.sender.handle, reply.quoted) == (f"@user{USER}", "cups")
    assert reply.link == f"https://t.me/c/1234567890/{original}"
    assert [person.address for person in reply.mentioned] == [f"tg:{OTHER}"]
    assert (card.text, [person.name for person in card.mentioned]) == ("[contact Dad +4930123456]", ["Dad"])
