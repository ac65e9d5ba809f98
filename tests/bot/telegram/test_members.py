"""Who is in a group, asked through the Telegram adapter of a strict Bot API server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter
from bot.adapters.telegram.receive.members import ADMINISTRATORS, PRESENT, status
from core.kernel.types import Destination
from core.kernel.updates import Left, Returned
from tests.bot.telegram.test_pacing import StillClock
from tests.bot.telegram.test_telegram import running
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import MemoryIntake

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER, OTHER, GROUP = 1001, 2002, -1001234567890


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        server.group(GROUP, members={USER: "creator", OTHER: "member"})
        yield server


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
async def adapter(server: TelegramServer, clock: StillClock) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, clock)
    yield adapter
    await adapter.close()


def to(chat: int = GROUP, tenant: str = "1000") -> Destination:
    return Destination(tenant=tenant, chat=str(chat))


@pytest.mark.parametrize(
    ("standing", "inside"),
    [
        ("creator", True),
        ("administrator", True),
        ("member", True),
        ("restricted", True),
        ("left", False),
        ("kicked", False),
    ],
)
async def test_who_is_in_a_group_belongs_to_it(
    standing: str, inside: bool, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.group(GROUP, members={OTHER: standing})
    assert await adapter.belongs(to(), "tg:2002") is inside


async def test_who_is_restricted_and_leaves_belongs_no_longer(
    server: TelegramServer, adapter: TelegramAdapter, clock: StillClock
) -> None:
    server.member(GROUP, OTHER, "restricted")
    assert await adapter.belongs(to(), "tg:2002")
    server.member(GROUP, OTHER, "left")
    assert await adapter.belongs(to(), "tg:2002")
    assert not await adapter.belongs(to(), "tg:2002", fresh=True)
    assert not await adapter.belongs(to(), "tg:2002")
    server.member(GROUP, OTHER, "member")
    assert await adapter.belongs(to(), "tg:2002", fresh=True)
    server.member(GROUP, OTHER, "left")
    clock.time += 60
    assert not await adapter.belongs(to(), "tg:2002")


async def test_who_leaves_or_comes_back_does_so_as_soon_as_telegram_says_so(
    server: TelegramServer, adapter: TelegramAdapter
) -> None:
    intake = MemoryIntake()
    async with running(adapter, intake):
        assert await adapter.belongs(to(), "tg:2002")
        server.member(GROUP, OTHER, "left")
        await intake.wait(lambda: any(isinstance(one, Left) for one in intake.rows.values()))
        assert not await adapter.belongs(to(), "tg:2002")
        server.member(GROUP, OTHER, "member")
        await intake.wait(lambda: any(isinstance(one, Returned) for one in intake.rows.values()))
        assert await adapter.belongs(to(), "tg:2002")


async def test_an_answer_that_was_under_way_when_somebody_left_is_not_kept(
    server: TelegramServer, adapter: TelegramAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake, asked, answered = MemoryIntake(), asyncio.Event(), asyncio.Event()
    client = adapter._client
    ask = client.call

    async def ask_slowly(*arguments: Any) -> Any:
        answer = await ask(*arguments)
        asked.set()
        await answered.wait()
        return answer

    monkeypatch.setattr(client, "call", ask_slowly)
    async with running(adapter, intake):
        under_way = asyncio.ensure_future(adapter.belongs(to(), "tg:2002"))
        await asked.wait()
        server.member(GROUP, OTHER, "left")
        await intake.wait(lambda: any(isinstance(one, Left) for one in intake.rows.values()))
        answered.set()
        await under_way
        assert not await adapter.belongs(to(), "tg:2002")


async def test_one_question_a_minute_answers_both(server: TelegramServer, adapter: TelegramAdapter) -> None:
    assert await adapter.belongs(to(), "tg:2002")
    assert not await adapter.administers(to(), "tg:2002")
    assert await adapter.administers(to(), "tg:1001")
    assert await adapter.belongs(to(), "tg:1001")
    assert len(server.calls("getChatMember")) == 2


async def test_who_cannot_be_asked_for_belongs_to_nothing(server: TelegramServer, adapter: TelegramAdapter) -> None:
    for address in ("tg:@user2002", "slack:T1:U2", "tg:x", f"tg:{GROUP}", "tg:", "tg:٣", ""):
        assert not await adapter.belongs(to(), address)
    assert not await adapter.belongs(to(tenant="2000"), "tg:2002")
    assert server.calls() == []
    assert not await adapter.belongs(to(), "tg:9009")


async def test_everybody_belongs_to_their_own_chat_only(server: TelegramServer, adapter: TelegramAdapter) -> None:
    assert await adapter.belongs(to(USER), "tg:1001")
    assert not await adapter.belongs(to(USER), "tg:2002")
    assert server.calls() == []


@pytest.mark.parametrize("kind", ["400", "403", "404", "429", "500", "cut", "garbage"])
async def test_nobody_belongs_when_telegram_cannot_be_asked(
    kind: str, server: TelegramServer, adapter: TelegramAdapter
) -> None:
    server.fault("getChatMember", kind=kind)
    assert not await adapter.belongs(to(), "tg:2002")
    assert await adapter.belongs(to(), "tg:2002")


@pytest.mark.parametrize(
    "member", [None, 5, {}, {"status": 5}, {"status": ["member"]}, {"status": "restricted"}, {"status": "emperor"}]
)
def test_a_broken_answer_is_nobodys_standing(member: Any) -> None:
    assert status(member) not in PRESENT | ADMINISTRATORS
