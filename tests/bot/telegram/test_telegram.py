"""Receiving through the Telegram adapter from a strict Bot API server, over real HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.adapters.telegram import TelegramAdapter, Timing
from core.kernel.errors import StorageFull
from core.kernel.types import Inbound
from core.kernel.updates import Presence, Unreadable
from tests.emulators.loopback import LoopbackServer, Reply, Request
from tests.emulators.telegram import TelegramServer
from tests.memory_intake import DEADLINE, MemoryIntake, RealClock
from tests.ports import free_port

TOKEN = "1000:TESTTOKEN_for_the_emulator_only_00000"
USER = 1001
# Pauses so short that a test need not wait, still long enough to be seen.
QUICK = Timing(poll=1, network=2.0, watchdog=1.0, first=0.02, most=0.1)


class Page(LoopbackServer):
    """A server that answers everything with the same page."""

    def __init__(self, page: Reply) -> None:
        super().__init__()
        self._page = page

    async def respond(self, request: Request) -> Reply:
        return self._page


class Parrot(LoopbackServer):
    """A server that answers every getUpdates at once, with the same."""

    def __init__(self, result: list[Any]) -> None:
        super().__init__()
        self.asked = 0
        self._result = result

    async def respond(self, request: Request) -> Reply:
        if request.path.endswith("/getMe"):
            return Reply.json({"ok": True, "result": {"id": 1000, "is_bot": True, "username": "parrot_bot"}})
        self.asked += 1
        return Reply.json({"ok": True, "result": self._result})


@contextlib.asynccontextmanager
async def running(adapter: TelegramAdapter, intake: MemoryIntake) -> AsyncIterator[None]:
    task = asyncio.create_task(adapter.run(intake))
    try:
        yield
        assert not task.done(), task
    finally:
        task.cancel()
        await asyncio.wait([task])


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer(token=TOKEN) as server:
        server.open(USER)
        yield server


@pytest.fixture
def clock() -> RealClock:
    return RealClock()


@pytest.fixture
async def adapter(server: TelegramServer, clock: RealClock) -> AsyncIterator[TelegramAdapter]:
    adapter = TelegramAdapter(TOKEN, server.url, clock, timing=QUICK)
    yield adapter
    await adapter.close()


@pytest.fixture
def intake() -> MemoryIntake:
    return MemoryIntake()


async def test_the_backlog_and_then_each_message_is_taken_in(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    for number in range(150):
        server.say(f"m{number}")
    assert adapter.health()["ok"] is False
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        assert intake.messages() == [f"m{number}" for number in range(150)]
        server.say("later")
        await intake.wait(lambda: "later" in intake.messages())
    health = adapter.health()
    assert (health["ok"], health["last_error"], health["bot_id"]) == (True, "", "1000")
    assert health["last_poll_age_s"] < DEADLINE


async def test_it_hears_when_the_last_poll_brought_all_there_was(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, clock: RealClock
) -> None:
    seen: list[bool] = []
    intake.on_accept = lambda: seen.append(adapter.health()["hears"])
    for number in range(150):
        server.say(f"m{number}")
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        assert (seen, adapter.health()["hears"]) == ([False, False], True)
        clock.on_sleep = lambda: seen.append(adapter.health()["hears"])
        server.fault("getUpdates", kind="500", times=3)
        await clock.wait_sleeps(3)
        assert seen[2:5] == [False, False, False]
        server.say("later")
        await intake.wait_messages(*(f"m{number}" for number in range(150)), "later")
    assert adapter.health()["hears"] is True


async def test_the_first_poll_does_not_wait_and_asks_for_what_we_handle(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    first = server.calls("getUpdates")[0].params
    assert (first["timeout"], "offset" in first) == ("0", False)
    assert (
        first["allowed_updates"] == '["message", "edited_message", "callback_query", "my_chat_member", "chat_member"]'
    )


async def test_a_restart_goes_on_behind_the_stored_offset(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    last = server.say("one")
    async with running(adapter, intake):
        await intake.wait_messages("one")
    assert intake.tenants == {("telegram", "1000")}
    assert intake.cursors == {(1, "offset"): str(last + 1)}
    server.say("two")
    again = TelegramAdapter(TOKEN, server.url, RealClock(), timing=QUICK)
    async with running(again, intake):
        await intake.wait_messages("one", "two")
    await again.close()


async def test_nothing_is_confirmed_before_it_is_committed(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    server.say("keep me")
    intake.tenant_failures = [StorageFull("no space")]
    intake.failures = [StorageFull("no space"), StorageFull("no space")]
    pending: list[int] = []
    intake.on_accept = lambda: pending.append(server.pending())
    async with running(adapter, intake):
        await intake.wait_messages("keep me")
        await server.wait_until(lambda: server.pending() == 0)
    assert pending == [1, 1, 1]


async def test_a_poison_update_is_kept_aside_and_the_rest_goes_on(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    server.push({"message": {"message_id": 1, "date": 10**30, "chat": {"id": 5, "type": "private"}, "text": "x"}})
    server.push({"message": ["no", "object"]})
    server.say("fine")
    server.block(USER)
    async with running(adapter, intake):
        await intake.wait(lambda: len(intake.rows) == 4)
        await server.wait_until(lambda: server.pending() == 0)
    assert [type(row) for row in intake.rows.values()] == [Unreadable, Unreadable, Inbound, Presence]


async def test_an_edit_arrives_as_one(server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake) -> None:
    server.say("helo", message_id=50)
    server.edit(50, "hello")
    async with running(adapter, intake):
        await intake.wait_messages("helo", "hello")
    rows = intake.inbound()
    assert [row.edits for row in rows] == ["", "50"]
    assert (rows[0].edited_at, rows[1].edited_at >= rows[1].sent_at > 0) == (0, True)


@pytest.mark.parametrize("kind", ["404", "401", "409", "500", "502", "cut", "cut_after", "garbage", "429", "400"])
async def test_polling_recovers_and_backs_off(
    kind: str, server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, clock: RealClock
) -> None:
    server.fault("getUpdates", kind=kind, times=4)
    server.say("after the storm")
    async with running(adapter, intake):
        await intake.wait_messages("after the storm")
    assert len(clock.slept) == 4
    assert all(later >= wait for later, wait in zip(clock.slept, (0.02, 0.04, 0.08, 0.1), strict=True))
    assert adapter.health()["ok"] is True


async def test_polling_waits_as_long_as_a_429_says(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, clock: RealClock
) -> None:
    server.fault("getUpdates", kind="429", retry_after=17)
    server.fault("getUpdates", kind="429", retry_after="soon")
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    assert (clock.slept[0] >= 17, clock.slept[1] >= 1) == (True, True)


async def test_a_server_that_is_not_there_is_waited_for(intake: MemoryIntake, clock: RealClock) -> None:
    adapter = TelegramAdapter(TOKEN, f"http://127.0.0.1:{free_port()}", clock, timing=QUICK)
    async with running(adapter, intake):
        await clock.wait_sleeps(3)
        health = adapter.health()
    assert health["ok"] is False
    assert health["last_error"].startswith("NetworkError from ClientConnectorError")
    await adapter.close()


@pytest.mark.parametrize("status", [401, 404])
async def test_a_page_of_somebody_else_is_not_taken_for_telegram_refusing_the_token(
    intake: MemoryIntake, clock: RealClock, status: int
) -> None:
    async with Page(Reply(status=status, chunks=(b"<html>not here</html>",))) as proxy:
        adapter = TelegramAdapter(TOKEN, proxy.url, clock, timing=QUICK)
        async with running(adapter, intake):
            await clock.wait_sleeps(3)
        await adapter.close()


async def test_a_conflict_is_named_once_a_minute(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, caplog: pytest.LogCaptureFixture
) -> None:
    server.fault("getUpdates", kind="409", times=5)
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1
    assert "somebody else receives with the token of bot 1000" in errors[0]
    assert "stop the other one" in errors[0]


async def test_a_token_that_is_revoked_while_it_runs_is_told_with_what_to_do(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake, clock: RealClock
) -> None:
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        server.fault("getUpdates", kind="401", times=1000)
        await clock.wait_sleeps(3)
        told = adapter.health()["last_error"]
    assert told == "InvalidToken: Unauthorized; ask @BotFather for the token, set it, and start again"


async def test_a_webhook_is_switched_off_and_what_waits_is_kept(
    server: TelegramServer, adapter: TelegramAdapter, intake: MemoryIntake
) -> None:
    server.say("waiting")
    server.fault("getUpdates", kind="409", description="Conflict: can't use getUpdates method while webhook is active")
    async with running(adapter, intake):
        await intake.wait_messages("waiting")
    [call] = server.calls("deleteWebhook")
    assert call.params["drop_pending_updates"] == "false"


async def test_a_stalled_connection_is_replaced(server: TelegramServer, intake: MemoryIntake, clock: RealClock) -> None:
    timing = Timing(poll=0, network=60.0, watchdog=0.2, first=0.01, most=0.01)
    adapter = TelegramAdapter(TOKEN, server.url, clock, timing=timing)
    server.fault("getUpdates", kind="slow", delay=60)
    server.say("at last")
    async with running(adapter, intake):
        await intake.wait_messages("at last")
    await adapter.close()


@pytest.mark.parametrize("result", [[], [{"update_id": 5, "poll": {}}]])
async def test_a_server_that_never_lets_wait_is_not_asked_in_a_hot_loop(
    result: list[Any], intake: MemoryIntake, clock: RealClock
) -> None:
    async with Parrot(result) as parrot:
        adapter = TelegramAdapter(TOKEN, parrot.url, clock, timing=QUICK)
        async with running(adapter, intake):
            await clock.wait_sleeps(10)
        await adapter.close()
    # Three at once at most: the one that does not wait, the first that moves the offset, and the one under way.
    assert parrot.asked <= len(clock.slept) + 3


async def test_the_token_is_in_no_log_and_no_health(
    server: TelegramServer,
    adapter: TelegramAdapter,
    intake: MemoryIntake,
    clock: RealClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    seen: list[str] = []
    clock.on_sleep = lambda: seen.append(str(adapter.health()))
    for kind in ("404", "502", "cut", "garbage"):
        server.fault("getUpdates", kind=kind)
    async with running(adapter, intake):
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
    assert len(seen) == 4
    assert "TESTTOKEN" not in caplog.text + "".join(seen)
