"""The embedded engine: pokes, places, wake-ups, failures and the stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from core.kernel.clock import SystemClock
from core.kernel.errors import StorageFull
from core.kernel.ports import Database, Handler, Tx
from core.kernel.types import Millis
from core.scheduling.engine.embedded import EmbeddedEngine
from tests.conftest import DatabaseMaker

WAIT = 5.0


class Works:
    """A handler that notes what it did and waits for permission to end."""

    def __init__(self, *, free: bool = False) -> None:
        self.started: list[int] = []
        self.ended: list[int] = []
        self.most = 0
        self.free = asyncio.Event()
        self.news = asyncio.Condition()
        if free:
            self.free.set()

    async def __call__(self, key: int) -> None:
        self.started.append(key)
        self.most = max(self.most, len(self.started) - len(self.ended))
        await self._tell()
        await self.free.wait()
        self.ended.append(key)
        await self._tell()

    async def _tell(self) -> None:
        async with self.news:
            self.news.notify_all()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT), self.news:
            await self.news.wait_for(condition)


@pytest.fixture
async def database(make_database: DatabaseMaker) -> Database:
    """Pokes need a transaction; which database it is does not matter."""
    return await make_database("sqlite")


class Tomorrow(SystemClock):
    """A clock that is a day ahead."""

    def now(self) -> Millis:
        return super().now() + 86_400_000


async def nothing_due() -> None:
    return None


@asynccontextmanager
async def running(
    engine: EmbeddedEngine, due: Callable[[], Awaitable[int | None]] = nothing_due, **handlers: Handler
) -> AsyncIterator[None]:
    """Run the engine for a while; it has its handlers when this begins."""
    looked = asyncio.Event()

    async def look() -> int | None:
        looked.set()
        return await due()

    task = asyncio.create_task(engine.run(handlers, look))
    await asyncio.wait_for(looked.wait(), WAIT)
    try:
        yield
    finally:
        await engine.stop(WAIT)
        await asyncio.wait_for(task, WAIT)


async def poke(database: Database, engine: EmbeddedEngine, *keys: int, kind: str = "lane", bulk: bool = False) -> None:
    def poke_all(tx: Tx) -> None:
        for key in keys:
            engine.poke(tx, kind, key, bulk=bulk)

    await database.write(poke_all)


async def test_a_poke_runs_its_handler_after_the_commit(database: Database) -> None:
    engine, works = EmbeddedEngine(), Works(free=True)
    async with running(engine, lane=works):
        await poke(database, engine, 7)
        await works.until(lambda: works.ended == [7])
    assert not engine._running


async def test_a_poke_of_a_transaction_that_failed_runs_nothing(database: Database) -> None:
    engine, works = EmbeddedEngine(), Works(free=True)

    def fail(tx: Tx) -> None:
        engine.poke(tx, "lane", 7)
        raise KeyError("no")

    async with running(engine, lane=works):
        with pytest.raises(KeyError):
            await database.write(fail)
        await poke(database, engine, 8)
        await works.until(lambda: works.ended == [8])
    assert works.started == [8]


async def test_pokes_while_it_runs_run_the_handler_once_more(database: Database) -> None:
    engine, works = EmbeddedEngine(), Works()
    async with running(engine, lane=works):
        await poke(database, engine, 7)
        await works.until(lambda: works.started == [7])
        await poke(database, engine, 7, 7)
        await poke(database, engine, 7)
        works.free.set()
        await works.until(lambda: works.ended == [7, 7])
    assert works.started == [7, 7]


async def test_pokes_before_it_has_begun_run_the_handler_once(database: Database) -> None:
    engine, works = EmbeddedEngine(), Works(free=True)
    async with running(engine, lane=works):
        await poke(database, engine, 7, 7, 8)
        await works.until(lambda: sorted(works.ended) == [7, 8])
    assert works.started == [7, 8]


async def test_no_more_handlers_of_a_kind_run_at_once_than_allowed(database: Database) -> None:
    engine, works = EmbeddedEngine(concurrency=3), Works()
    async with running(engine, lane=works):
        await poke(database, engine, *range(10))
        await works.until(lambda: len(works.started) == 3)
        works.free.set()
        await works.until(lambda: len(works.ended) == 10)
    assert works.most == 3
    assert sorted(works.ended) == list(range(10))


async def test_a_key_that_is_poked_again_and_again_lets_the_waiting_ones_go_first(database: Database) -> None:
    engine, works = EmbeddedEngine(concurrency=1), Works()
    async with running(engine, lane=works):
        await poke(database, engine, 1)
        await works.until(lambda: works.started == [1])
        await poke(database, engine, 1, 2)
        works.free.set()
        await works.until(lambda: len(works.ended) == 3)
    assert works.ended == [1, 2, 1]


async def test_what_nobody_waits_for_gets_a_quarter_of_the_places(database: Database) -> None:
    engine, works = EmbeddedEngine(concurrency=8), Works()
    async with running(engine, chat=works):
        await poke(database, engine, *range(100), kind="chat", bulk=True)
        await works.until(lambda: len(works.started) == 2)
        await poke(database, engine, *range(100, 106), kind="chat")
        await works.until(lambda: len(works.started) == 8)
        works.free.set()
        await works.until(lambda: len(works.ended) == 106)
    assert works.started[:8] == [0, 1, *range(100, 106)]


async def test_ten_thousand_of_them_hold_up_nobody_who_is_waited_for(database: Database) -> None:
    engine, works = EmbeddedEngine(concurrency=4), Works()
    async with running(engine, chat=works):
        await poke(database, engine, *range(10_000), kind="chat", bulk=True)
        await poke(database, engine, 20_000, kind="chat")
        await works.until(lambda: works.started == [0, 20_000])
        works.free.set()
        await works.until(lambda: len(works.ended) == 10_001)


async def test_a_key_that_is_waited_for_after_all_overtakes_the_others(database: Database) -> None:
    engine, works = EmbeddedEngine(concurrency=4), Works()
    async with running(engine, chat=works):
        await poke(database, engine, *range(10), kind="chat", bulk=True)
        await works.until(lambda: works.started == [0])
        await poke(database, engine, 7, kind="chat")
        await works.until(lambda: works.started == [0, 7])
        works.free.set()
        await works.until(lambda: len(works.ended) == 10)
    assert sorted(works.ended) == list(range(10))


async def test_who_waits_for_a_place_is_not_moved_behind_by_a_poke_in_bulk(database: Database) -> None:
    engine, works = EmbeddedEngine(concurrency=2), Works()
    async with running(engine, chat=works):
        await poke(database, engine, 1, 2, 3, kind="chat")
        await poke(database, engine, 4, 3, kind="chat", bulk=True)
        works.free.set()
        await works.until(lambda: len(works.ended) == 4)
    assert sorted(works.started[:3]) == [1, 2, 3]


async def test_places_that_others_took_are_filled_again(database: Database) -> None:
    engine, works = EmbeddedEngine(concurrency=8), Works()
    async with running(engine, chat=works):
        await poke(database, engine, *range(8), kind="chat")
        await works.until(lambda: len(works.started) == 8)
        await poke(database, engine, *range(10, 20), kind="chat", bulk=True)
        works.free.set()
        await works.until(lambda: len(works.ended) == 18)
    assert not engine._active_bulk["chat"]


async def test_lanes_take_no_places_of_chats(database: Database) -> None:
    engine, lane, chat = EmbeddedEngine(concurrency=1), Works(), Works(free=True)
    async with running(engine, lane=lane, chat=chat):
        await poke(database, engine, 1, 2)
        await lane.until(lambda: lane.started == [1])
        await poke(database, engine, 1, kind="chat")
        await chat.until(lambda: chat.ended == [1])
        lane.free.set()


async def test_a_handler_that_fails_is_survived_and_told_of(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    engine, works = EmbeddedEngine(), Works(free=True)

    async def fail(key: int) -> None:
        raise ValueError("a bug")

    async with running(engine, lane=fail, chat=works):
        await poke(database, engine, 1)
        await poke(database, engine, 1, kind="chat")
        await works.until(lambda: works.ended == [1])
    assert "handler failed: lane 1" in caplog.text


async def test_a_handler_that_finds_the_disk_full_is_no_bug(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    engine, works = EmbeddedEngine(), Works(free=True)

    async def fail(key: int) -> None:
        raise StorageFull("database or disk is full")

    async with running(engine, lane=fail, chat=works):
        await poke(database, engine, 1)
        await poke(database, engine, 1, kind="chat")
        await works.until(lambda: works.ended == [1])
    [told] = [one for one in caplog.records if "lane 1" in one.getMessage()]
    assert (told.getMessage(), told.exc_info) == ("lane 1 waits for the disk: database or disk is full", None)


async def test_a_poke_nobody_handles_is_a_hint_and_no_error(database: Database) -> None:
    engine = EmbeddedEngine()
    await poke(database, engine, 1)
    async with running(engine):
        await poke(database, engine, 1, kind="triggers")
    assert not engine._running


class Looks:
    """A `due` that notes when it was asked and answers what it is told."""

    def __init__(self, *answers: int | None) -> None:
        self.times: list[float] = []
        self.answers = list(answers)
        self.news = asyncio.Condition()
        self.gate: asyncio.Event | None = None

    async def __call__(self) -> int | None:
        self.times.append(time.time())
        async with self.news:
            self.news.notify_all()
        if self.gate is not None:
            await self.gate.wait()
        return self.answers.pop(0) if self.answers else None

    async def until(self, count: int) -> None:
        async with asyncio.timeout(WAIT), self.news:
            await self.news.wait_for(lambda: len(self.times) >= count)


async def test_the_engine_looks_again_when_the_next_row_is_due() -> None:
    at = round(time.time() * 1000) + 300
    looks = Looks(at)
    async with running(EmbeddedEngine(), looks):
        await looks.until(2)
    assert looks.times[1] * 1000 >= at - 1


async def test_an_earlier_wake_up_replaces_a_later_one() -> None:
    now = round(time.time() * 1000)
    looks = Looks(now + 600_000)
    engine = EmbeddedEngine()
    async with running(engine, looks):
        engine.wake(now + 200)
        engine.wake(now + 500_000)
        await looks.until(2)
    assert looks.times[1] * 1000 >= now + 199


async def test_a_wake_up_in_the_past_looks_at_once() -> None:
    looks, engine = Looks(), EmbeddedEngine()
    async with running(engine, looks):
        engine.wake(1)
        await looks.until(2)


async def test_a_wake_up_while_it_looks_is_not_lost() -> None:
    """What came due after the look had read the rows would else wait for the next sweep."""
    looks, engine = Looks(), EmbeddedEngine()
    async with running(engine, looks):
        looks.gate = asyncio.Event()
        engine.wake(1)
        await looks.until(2)
        engine.wake(2)
        await looks.until(3)
        looks.gate.set()


async def test_a_look_that_fails_is_survived(caplog: pytest.LogCaptureFixture) -> None:
    looks, engine = Looks(), EmbeddedEngine()
    failed: list[bool] = []

    async def due() -> int | None:
        if not failed:
            failed.append(True)
            raise ValueError("no database")
        return await looks()

    async with running(engine, due):
        engine.wake(1)
        await looks.until(1)
    assert "looking for due rows failed" in caplog.text


async def test_a_wake_up_is_an_instant_of_the_engines_clock() -> None:
    clock = Tomorrow()
    looks = Looks(clock.now() + 200)
    async with running(EmbeddedEngine(clock=clock), looks):
        await looks.until(2)


async def test_a_look_that_the_stop_breaks_off_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    looks, engine = Looks(), EmbeddedEngine()
    async with running(engine, looks):
        looks.gate = asyncio.Event()
        engine.wake(1)
        await looks.until(2)
    await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_stopping_lets_what_runs_end_and_starts_nothing_new(database: Database) -> None:
    engine, works = EmbeddedEngine(), Works()
    async with running(engine, lane=works):
        await poke(database, engine, 1)
        await works.until(lambda: works.started == [1])
        stop = asyncio.create_task(engine.stop(WAIT))
        await asyncio.sleep(0)
        await poke(database, engine, 2)
        works.free.set()
        await stop
    assert (works.started, works.ended) == ([1], [1])


async def test_stopping_cancels_what_does_not_end_in_its_grace(database: Database) -> None:
    engine, works = EmbeddedEngine(), Works()
    async with running(engine, lane=works):
        await poke(database, engine, 1)
        await works.until(lambda: works.started == [1])
        await engine.stop(0.05)
        assert not engine._running
    assert works.ended == []


async def test_what_a_run_said_last_is_still_sent_while_stopping(database: Database) -> None:
    engine, chat = EmbeddedEngine(), Works(free=True)
    begun = asyncio.Event()

    async def lane(key: int) -> None:
        begun.set()
        await engine._stopping.wait()
        await poke(database, engine, key, kind="chat")

    async with running(engine, lane=lane, chat=chat):
        await poke(database, engine, 1)
        await asyncio.wait_for(begun.wait(), WAIT)
        await engine.stop(WAIT)
    assert chat.ended == [1]
