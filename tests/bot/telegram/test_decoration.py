"""Drafts, marks and questions about members through the Telegram adapter: seen where they can be, never an error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter
from core.kernel.errors import SendUnsent
from core.kernel.types import Destination, Millis, Part
from tests.emulators.telegram import TelegramServer

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER, OTHER, GROUP = 1001, 2002, -1001234567890


class StillClock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> Millis:
        return round(self.time * 1000)

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        server.group(GROUP, members={USER: "creator", OTHER: "member"})
        server.say("/work", chat=GROUP, message_id=5)
        yield server


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
async def adapter(server: TelegramServer, clock: StillClock) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, clock)
    yield adapter
    await adapter.close()


def to(chat: int = USER, **fields: Any) -> Destination:
    return Destination(tenant="1000", chat=str(chat), **fields)


async def test_a_draft_is_shown_in_a_private_chat(server: TelegramServer, adapter: TelegramAdapter) -> None:
    for text in ("", "**Tea** is", "**Tea** is **rea"):
        assert await adapter.draft(to(), 7, text)
    bold = {"type": "bold", "offset": 0, "length": 3}
    assert [(draft.draft_id, draft.text) for draft in server.drafts()] == [(7, ""), (7, "Tea is"), (7, "Tea is **rea")]
    assert server.drafts()[-1].entities == [bold]
    assert server.sent() == []


async def test_a_long_draft_is_cut(server: TelegramServer, adapter: TelegramAdapter) -> None:
    assert await adapter.draft(to(), 7, "😀" * 5000)
    [draft] = server.drafts()
    assert draft.text == "😀" * 2048


async def test_groups_have_no_drafts_nor_has_another_bot(server: TelegramServer, adapter: TelegramAdapter) -> None:
    assert not await adapter.draft(to(GROUP), 7, "x")
    assert not await adapter.draft(Destination(tenant="2000", chat=str(USER)), 7, "x")
    assert not await adapter.draft(to(), 0, "x")
    assert server.calls() == []


async def test_drafts_can_be_switched_off(server: TelegramServer, clock: StillClock) -> None:
    adapter = TelegramAdapter(TOKEN, server.url, clock, drafts=False)
    assert not await adapter.draft(to(), 7, "x")
    assert server.calls() == []
    await adapter.close()


@pytest.mark.parametrize("kind", ["404", "400"])
async def test_a_server_that_refuses_drafts_is_not_asked_again(
    kind: str, server: TelegramServer, adapter: TelegramAdapter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="bot")
    server.fault("sendMessageDraft", kind=kind)
    assert [await adapter.draft(to(), 7, "x") for _ in range(3)] == [False, False, False]
    assert len(server.calls("sendMessageDraft")) == 1
    [record] = caplog.records
    assert record.getMessage().startswith("drafts are off from now on")
    await adapter.send(to(), Part(payload={"text": "x"}))


async def test_a_person_who_cannot_be_reached_switches_nothing_off(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    assert not await adapter.draft(to(77), 7, "x")
    server.open(OTHER)
    server.block(OTHER)
    assert not await adapter.draft(to(OTHER), 7, "x")
    assert await adapter.draft(to(), 7, "x")


@pytest.mark.parametrize("kind", ["500", "cut", "garbage", "401"])
async def test_trouble_with_a_draft_is_dropped(kind: str, server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessageDraft", kind=kind)
    assert await adapter.draft(to(), 7, "x")
    assert await adapter.draft(to(), 7, "xy")
    assert [draft.text for draft in server.drafts()] == ["xy"]


async def test_a_429_of_drafts_is_obeyed_and_holds_up_no_answer(
    server: TelegramServer, adapter: TelegramAdapter, clock: StillClock
) -> None:
    server.fault("sendMessageDraft", kind="429", retry_after=30)
    assert [await adapter.draft(to(), 7, "x") for _ in range(2)] == [True, True]
    await adapter.send(to(), Part(payload={"text": "the answer"}))
    assert len(server.calls("sendMessageDraft")) == 1
    clock.time += 30
    assert await adapter.draft(to(), 8, "y")
    assert len(server.drafts()) == 1


async def test_a_resting_chat_gets_no_draft(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessage", kind="429", retry_after=30)
    with pytest.raises(SendUnsent):
        await adapter.send(to(), Part(payload={"text": "x"}))
    assert await adapter.draft(to(), 7, "x")
    assert server.drafts() == []


async def test_a_slow_draft_is_not_overtaken(server: TelegramServer, adapter: TelegramAdapter) -> None:
    server.fault("sendMessageDraft", kind="slow_after", delay=60)
    slow = asyncio.create_task(adapter.draft(to(), 7, "older"))
    await server.wait_until(lambda: len(server.drafts()) == 1)
    assert await adapter.draft(to(), 7, "older and newer")
    assert len(server.calls("sendMessageDraft")) == 1
    slow.cancel()
    await asyncio.wait([slow])
    assert await adapter.draft(to(), 7, "newest")


async def test_a_message_of_a_group_is_marked_while_it_is_worked_on(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    await adapter.mark(to(GROUP), "5", working=True)
    assert server.reactions(GROUP, 5) == ["👀"]
    await adapter.mark(to(GROUP), "5", working=False)
    assert server.reactions(GROUP, 5) == []


async def test_private_chats_have_no_marks(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.mark(to(), "5", working=True)
    await adapter.mark(Destination(tenant="2000", chat=str(GROUP)), "5", working=True)
    assert server.calls() == []


async def test_a_group_that_takes_no_marks_is_asked_again_after_an_hour(
    server: TelegramServer, adapter: TelegramAdapter, clock: StillClock
) -> None:
    server.fault("setMessageReaction", kind="400", description="Bad Request: REACTION_INVALID")
    for _ in range(2):
        await adapter.mark(to(GROUP), "5", working=True)
    clock.time += 3599
    await adapter.mark(to(GROUP), "5", working=True)
    assert len(server.calls("setMessageReaction")) == 1
    clock.time += 1
    await adapter.mark(to(GROUP), "5", working=True)
    assert server.reactions(GROUP, 5) == ["👀"]


async def test_a_server_without_marks_is_not_asked_again(
    server: TelegramServer, adapter: TelegramAdapter, clock: StillClock
) -> None:
    server.fault("setMessageReaction", kind="404")
    await adapter.mark(to(GROUP), "5", working=True)
    clock.time += 7200
    await adapter.mark(to(GROUP), "5", working=True)
    assert len(server.calls("setMessageReaction")) == 1


async def test_trouble_with_one_mark_keeps_the_others(server: TelegramServer, adapter: TelegramAdapter) -> None:
    await adapter.mark(to(GROUP), "77", working=True)
    await adapter.mark(to(GROUP), "no number", working=True)
    for kind in ("500", "cut", "429", "401"):
        server.fault("setMessageReaction", kind=kind)
        await adapter.mark(to(GROUP), "5", working=True)
    await adapter.mark(to(GROUP), "5", working=True)
    assert server.reactions(GROUP, 5) == ["👀"]


async def test_creators_and_administrators_administer_and_nobody_else(
    server: TelegramServer, adapter: TelegramAdapter, clock: StillClock
) -> None:
    people = ("tg:1001", "tg:2002", "tg:3003", "slack:T1:U2", "tg:x", f"tg:{GROUP}")
    assert [await adapter.administers(to(GROUP), who) for who in people] == [True, False, False, False, False, False]
    server.member(GROUP, OTHER, "administrator")
    assert not await adapter.administers(to(GROUP), "tg:2002")
    clock.time += 60
    assert await adapter.administers(to(GROUP), "tg:2002")


async def test_everybody_administers_their_own_chat_only(server: TelegramServer, adapter: TelegramAdapter) -> None:
    assert await adapter.administers(to(), "tg:1001")
    assert not await adapter.administers(to(), "tg:2002")
    assert not await adapter.administers(Destination(tenant="2000", chat=str(USER)), "tg:1001")
    assert server.calls() == []


@pytest.mark.parametrize("kind", ["400", "403", "404", "429", "500", "cut", "garbage"])
async def test_nobody_administers_when_telegram_cannot_be_asked(
    kind: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.fault("getChatMember", kind=kind)
    assert not await adapter.administers(to(GROUP), "tg:1001")
    assert await adapter.administers(to(GROUP), "tg:1001")
    assert await adapter.administers(to(GROUP), "tg:1001")
    assert len(server.calls("getChatMember")) == 2


async def test_privacy_mode_hides_a_group_from_a_bot_that_is_no_administrator(
    server: TelegramServer, adapter: TelegramAdapter, clock: StillClock
) -> None:
    assert not await adapter.sees_all(to(GROUP))
    server.member(GROUP, 1000, "administrator")
    assert not await adapter.sees_all(to(GROUP))
    clock.time += 5
    assert await adapter.sees_all(to(GROUP))
    server.member(GROUP, 1000, "member")
    assert await adapter.sees_all(to(GROUP))
    clock.time += 60
    assert not await adapter.sees_all(to(GROUP))
    clock.time += 5
    server.privacy = False
    assert await adapter.sees_all(to(GROUP))


async def test_a_private_chat_is_seen_whole_without_a_question(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    assert await adapter.sees_all(to())
    assert server.calls() == []


@pytest.mark.parametrize("method", ["getMe", "getChatMember"])
@pytest.mark.parametrize("kind", ["400", "429", "500", "cut"])
async def test_what_is_seen_is_not_made_small_when_telegram_cannot_be_asked(
    kind: str, method: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.fault(method, kind=kind)
    assert await adapter.sees_all(to(GROUP))
    assert not await adapter.sees_all(to(GROUP))
