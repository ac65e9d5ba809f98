"""What goes with receiving from Telegram: who the bot is, groups, presses and their answers, the menu of commands."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, Message

from bot.adapters.telegram import TelegramAdapter, Timing
from bot.adapters.telegram.send.menu import Menus
from core.kernel.errors import StorageFull
from core.kernel.types import Inbound, Press
from core.kernel.updates import Moved, Presence, Update
from tests.emulators.telegram import TelegramServer
from tests.emulators.telegram_client import bot_for
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER, FRIEND, GROUP, OLD = 1001, 1002, -1005, -55
QUICK = Timing(poll=1, network=2.0, watchdog=1.0, first=0.02, most=0.1)
MENUS: Menus = {
    ("private", ""): [("start", "Begin"), ("help", "What I can do")],
    ("private", "de"): [("start", "Anfangen"), ("help", "Was ich kann")],
    ("group", ""): [("stop", "Stop what I am doing")],
    ("admin", ""): [("stop", "Stop what I am doing"), ("privacy", "What I keep")],
}


@contextlib.asynccontextmanager
async def running(
    server: TelegramServer, intake: MemoryIntake, clock: RealClock | None = None, menus: Menus | None = None
) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, clock or RealClock(), timing=QUICK, menus=menus)
    task = asyncio.create_task(adapter.run(intake))
    try:
        yield adapter
        assert not task.done(), task
    finally:
        task.cancel()
        await asyncio.wait([task])
        await adapter.close()


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        yield server


@pytest.fixture
async def bot(server: TelegramServer) -> AsyncIterator[Bot]:
    async with bot_for(server.url, TOKEN) as bot:
        yield bot


@pytest.fixture
def intake() -> MemoryIntake:
    return MemoryIntake()


async def ask(bot: Bot, chat: int = USER) -> Message:
    return await bot.send_message(
        chat, "Sure?", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="v1:yes")]])
    )


def kept(intake: MemoryIntake, kind: type[Update]) -> list[Update]:
    return [row for row in intake.rows.values() if isinstance(row, kind)]


async def test_the_bot_learns_who_it_is_before_it_reads_anything(server: TelegramServer, intake: MemoryIntake) -> None:
    server.say("hello")
    for kind in ("500", "cut", "garbage"):
        server.fault("getMe", kind=kind)
    async with running(server, intake) as adapter:
        assert (adapter.link("code"), adapter.health()["username"], adapter.health()["reads_all"]) == ("", "", None)
        await intake.wait_messages("hello")
        health = adapter.health()
        assert (health["username"], health["reads_all"]) == ("teller_test_bot", False)
        assert adapter.link("code") == "https://t.me/teller_test_bot?start=code"
    assert [call.method for call in server.calls()][:6] == ["getMe"] * 4 + ["getUpdates"]


async def test_in_a_group_it_hears_its_name_and_its_commands(server: TelegramServer, intake: MemoryIntake) -> None:
    server.group(GROUP, "Family", members={USER: "creator", FRIEND: "member"}, bot="administrator")
    server.say("lunch?", FRIEND, GROUP)
    server.say("😀 @teller_test_bot, lunch?", FRIEND, GROUP)
    server.say("@teller_test_bot, when is lunch?", FRIEND, GROUP)
    server.say("/time@teller_test_bot Asia/Tokyo", FRIEND, GROUP)
    server.say("/time@other_bot", FRIEND, GROUP)
    server.say("teller: hi", USER, GROUP)
    async with running(server, intake):
        await intake.wait(lambda: len(intake.inbound()) == 6)
    assert [(row.text, row.addressed) for row in intake.inbound()] == [
        ("lunch?", False),
        ("😀, lunch?", True),
        ("when is lunch?", True),
        ("/time Asia/Tokyo", True),
        ("/time@other_bot", False),
        ("hi", True),
    ]
    assert {(row.chat, row.chat_kind, row.title) for row in intake.inbound()} == {(str(GROUP), "group", "Family")}


async def test_a_reply_to_the_bot_is_for_the_bot(server: TelegramServer, bot: Bot, intake: MemoryIntake) -> None:
    server.group(GROUP, "Family", members={USER: "creator"})
    question = await bot.send_message(GROUP, "Sure?")
    server.say("yes", USER, GROUP, reply_to=question.message_id)
    async with running(server, intake):
        await intake.wait_messages("yes")
    [row] = intake.inbound()
    assert (row.addressed, row.reply_to) == (True, str(question.message_id))


async def test_coming_going_and_moving_are_known(server: TelegramServer, intake: MemoryIntake) -> None:
    server.group(OLD, "Family", members={USER: "creator"}, bot="left")
    server.member(OLD, server.bot_id, "member", by=USER)
    server.member(OLD, server.bot_id, "administrator", by=USER)
    new = server.migrate(OLD)
    server.member(new, server.bot_id, "kicked", by=USER)
    server.block(USER)
    async with running(server, intake):
        await intake.wait(lambda: len(kept(intake, Presence)) == 4)
    places = [(row.chat, row.present) for row in intake.rows.values() if isinstance(row, Presence)]
    assert places == [(str(OLD), True), (str(OLD), True), (str(new), False), (str(USER), False)]
    moves = [(row.chat, row.to) for row in intake.rows.values() if isinstance(row, Moved)]
    assert moves == [(str(OLD), str(new))] * 2


async def test_who_unblocked_the_bot_unheard_is_there_again(server: TelegramServer, intake: MemoryIntake) -> None:
    server.open(FRIEND)
    server.chats.blocked.add(USER)
    intake.blocked = [str(USER), str(FRIEND), "1003"]
    server.fault("sendChatAction", kind="429", times=1, retry_after=30)
    clock = RealClock()
    async with running(server, intake, clock):
        await intake.wait(lambda: bool(kept(intake, Presence)))
        await server.wait_until(lambda: len(server.calls("sendChatAction")) == 4)
    [back] = [row for row in intake.rows.values() if isinstance(row, Presence)]
    assert (back.chat, back.chat_kind, back.present, back.sender.address) == (
        str(FRIEND),
        "private",
        True,
        f"tg:{FRIEND}",
    )
    assert 30 in clock.slept


async def test_a_hitch_keeps_nobody_who_unblocked_the_bot_from_being_found(
    server: TelegramServer, intake: MemoryIntake
) -> None:
    server.open(FRIEND)
    intake.blocked = [str(FRIEND)]
    server.fault("sendChatAction", kind="502", times=1)
    async with running(server, intake, RealClock()):
        await intake.wait(lambda: bool(kept(intake, Presence)))
    assert len(server.calls("sendChatAction")) == 2


async def test_files_albums_and_forwards_arrive_as_data(server: TelegramServer, intake: MemoryIntake) -> None:
    server.send_media("document", caption="read this")
    server.album(["photo", "photo"], caption="the garden")
    server.say("/stop", **server.origin("hidden_user"))
    async with running(server, intake):
        await intake.wait(lambda: len(intake.inbound()) == 4)
    rows = intake.inbound()
    assert [row.text for row in rows] == ["read this", "the garden", "", "[forwarded from Somebody]\n/stop"]
    assert [[file.kind for file in row.attachments] for row in rows] == [["document"], ["photo"], ["photo"], []]
    assert rows[1].album == rows[2].album != rows[0].album == ""


async def test_a_press_is_kept_and_then_answered(server: TelegramServer, bot: Bot, intake: MemoryIntake) -> None:
    intake.told = lambda update: "Done ✓" if isinstance(update, Press) else None
    async with running(server, intake):
        pressed = server.press((await ask(bot)).message_id, "Yes")
        await server.wait_until(lambda: bool(server.answers(pressed)))
    [answer] = server.answers()
    assert (answer.text, answer.show_alert) == ("Done ✓", False)
    [press] = kept(intake, Press)
    assert isinstance(press, Press)
    assert (press.data, press.sender.address, press.chat) == ("v1:yes", "tg:1001", "1001")
    assert pressed not in repr(press).replace(press.raw, "")


async def test_a_press_by_a_stranger_gets_no_answer_and_an_empty_text_ends_the_waiting(
    server: TelegramServer, bot: Bot, intake: MemoryIntake
) -> None:
    server.group(GROUP, "Family", members={USER: "creator", FRIEND: "member"})
    intake.told = lambda update: "" if isinstance(update, Press) and update.sender.address == "tg:1001" else None
    question = (await ask(bot, GROUP)).message_id
    async with running(server, intake):
        by_stranger = server.press(question, "Yes", user=FRIEND, chat=GROUP)
        by_owner = server.press(question, "Yes", user=USER, chat=GROUP)
        await server.wait_until(lambda: bool(server.answers(by_owner)))
    assert [(answer.callback_id, answer.text) for answer in server.answers()] == [(by_owner, "")]
    assert server.answers(by_stranger) == []


async def test_a_long_answer_is_cut_and_one_that_comes_too_late_is_no_trouble(
    server: TelegramServer, bot: Bot, intake: MemoryIntake, caplog: pytest.LogCaptureFixture
) -> None:
    intake.told = lambda update: "😀" * 150 if isinstance(update, Press) else None
    question = (await ask(bot)).message_id
    server.expire(server.press(question, "Yes"))
    async with running(server, intake):
        await server.wait_until(lambda: bool(server.calls("answerCallbackQuery")))
        in_time = server.press(question, "Yes")
        await server.wait_until(lambda: bool(server.answers(in_time)))
    assert server.answers(in_time)[0].text == "😀" * 100
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


async def test_an_answer_that_hangs_holds_up_no_poll(server: TelegramServer, bot: Bot, intake: MemoryIntake) -> None:
    intake.told = lambda update: "Done" if isinstance(update, Press) else None
    server.fault("answerCallbackQuery", kind="slow", delay=60)
    async with running(server, intake):
        server.press((await ask(bot)).message_id, "Yes")
        await server.wait_until(lambda: bool(server.calls("answerCallbackQuery")))
        server.say("still there?")
        await intake.wait_messages("still there?")
    assert server.answers() == []


async def test_nobody_is_told_anything_before_the_commit(
    server: TelegramServer, bot: Bot, intake: MemoryIntake
) -> None:
    intake.failures = [StorageFull("no space")]
    intake.told = lambda update: "Done" if isinstance(update, Press) else None
    answered: list[int] = []
    intake.on_accept = lambda: answered.append(len(server.calls("answerCallbackQuery")))
    pressed = server.press((await ask(bot)).message_id, "Yes")
    async with running(server, intake):
        await server.wait_until(lambda: bool(server.answers(pressed)))
    assert answered[:2] == [0, 0]


async def test_the_menu_is_set_for_each_audience_and_language_and_only_once(
    server: TelegramServer, intake: MemoryIntake
) -> None:
    server.group(GROUP, "Family", members={USER: "creator", FRIEND: "member"})
    for _ in range(2):
        async with running(server, intake, menus=MENUS):
            await intake.wait(lambda: (1, "commands") in intake.cursors)
            server.say("hello")
            await server.wait_until(lambda: server.pending() == 0)
    assert len(server.calls("setMyCommands")) == len(MENUS)
    shown = [server.menu(USER, USER, "en"), server.menu(USER, USER, "de"), server.menu(GROUP, FRIEND, "en")]
    shown.append(server.menu(GROUP, USER, "de"))
    assert [[c["description"] for c in menu] for menu in shown] == [
        [text for _, text in commands] for commands in MENUS.values()
    ]


async def test_another_menu_is_set_again(server: TelegramServer, intake: MemoryIntake) -> None:
    async with running(server, intake, menus={("private", ""): [("help", "Old")]}):
        await server.wait_until(lambda: bool(server.menu()))
        await intake.wait(lambda: (1, "commands") in intake.cursors)
    async with running(server, intake, menus={("private", ""): [("help", "New")]}):
        await server.wait_until(lambda: server.menu() == [{"command": "help", "description": "New"}])


async def test_a_menu_that_could_not_be_set_is_set_later_and_holds_up_nothing(
    server: TelegramServer, intake: MemoryIntake
) -> None:
    clock = RealClock()
    server.fault("setMyCommands", kind="429", retry_after=90)
    server.fault("setMyCommands", kind="500")
    async with running(server, intake, clock, MENUS) as adapter:
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        server.say("hello")
        await intake.wait_messages("hello")
        await intake.wait(lambda: (1, "commands") in intake.cursors)
    assert [wait for wait in clock.slept if wait >= 60] == [90.0, 120.0]


async def test_without_a_menu_nothing_is_set(server: TelegramServer, intake: MemoryIntake) -> None:
    async with running(server, intake):
        server.say("hello")
        await intake.wait_messages("hello")
    assert server.calls("setMyCommands") == []
    assert kept(intake, Inbound)
