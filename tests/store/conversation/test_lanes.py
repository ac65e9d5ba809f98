"""Lanes and leases: one holder at a time, and whoever lost the lease writes nothing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import LeaseLost
from core.kernel.ports import Database, Tx
from core.pipeline.runs.leases import TTL, keep, new_owner
from core.store.conversation import inbox, lanes
from core.store.conversation.lanes import Claim
from tests.conftest import DatabaseMaker
from tests.fakes import FakeAdapter, FakeClock, House, house, inbound

EXPIRED = -1000


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house with one lane that has work."""
    found = await house(database, tmp_path / "house", lambda request: f"re: {' | '.join(request.heard)}")
    await found.hear("hello")
    return found


async def lane_of(home: House) -> int:
    return int((await home.column("SELECT id FROM lane"))[0])


async def claim(home: House, owner: str = "me", ttl: int = 60_000) -> Claim | None:
    lane_id, now = await lane_of(home), home.clock.now()
    return await home.db.write(lambda tx: lanes.claim(tx, lane_id, owner=owner, ttl=ttl, now=now))


async def held(home: House, owner: str = "me", ttl: int = 60_000) -> Claim:
    found = await claim(home, owner, ttl)
    assert found is not None
    return found


def release(found: Claim, home: House, *, finished: bool, **more: Any) -> Callable[[Tx], bool]:
    """Let go as the desk does: behind the fence, so with the lane locked."""

    def let_go(tx: Tx) -> bool:
        lanes.fence(tx, found.lease)
        return lanes.release(tx, found.lease, finished=finished, now=home.clock.now(), **more)

    return let_go


async def test_a_claim_gives_each_holder_an_epoch_of_its_own(home: House) -> None:
    first = await held(home, ttl=EXPIRED)
    second = await held(home, owner="you")
    assert (second.lease.epoch, second.attempts) == (first.lease.epoch + 1, first.attempts + 1)


async def test_a_held_lane_is_claimed_by_nobody_else(home: House) -> None:
    await held(home)
    assert await claim(home, owner="you") is None
    assert await home.db.read(lambda tx: lanes.due(tx, home.clock.now())) == []


async def test_an_expired_lease_is_due_and_can_be_claimed(home: House) -> None:
    await held(home, ttl=EXPIRED)
    assert await home.db.read(lambda tx: lanes.due(tx, home.clock.now())) == [await lane_of(home)]
    assert await claim(home, owner="you") is not None


async def test_a_lane_without_work_is_not_claimed(home: House) -> None:
    await home.work()
    assert await claim(home) is None


async def test_the_older_of_two_holders_may_write_nothing(home: House) -> None:
    older = await held(home, ttl=EXPIRED)
    newer = await held(home, owner="you")
    with pytest.raises(LeaseLost):
        await home.db.write(lambda tx: lanes.fence(tx, older.lease))
    await home.db.write(lambda tx: lanes.fence(tx, newer.lease))


async def test_the_same_owner_is_fenced_off_by_its_own_newer_claim(home: House) -> None:
    older = await held(home, ttl=EXPIRED)
    await held(home)
    with pytest.raises(LeaseLost):
        await home.db.write(lambda tx: lanes.fence(tx, older.lease))


async def test_the_older_of_two_holders_releases_and_forgives_nothing(home: House) -> None:
    older = await held(home, ttl=EXPIRED)
    await held(home, owner="you")
    await home.db.write(lambda tx: lanes.forgive(tx, older.lease))
    await home.db.write(lambda tx: lanes.release(tx, older.lease, finished=True, now=home.clock.now()))
    assert await home.rows("SELECT owner, attempts FROM lane") == [{"owner": "you", "attempts": 2}]


async def test_renewing_saves_a_lease_from_expiry(home: House) -> None:
    lease = (await held(home, ttl=EXPIRED)).lease
    assert await home.db.write(lambda tx: lanes.renew(tx, "me", [lease.lane.lane_id], 60_000)) == 1
    assert await claim(home, owner="you") is None
    assert await home.db.write(lambda tx: lanes.renew(tx, "you", [lease.lane.lane_id], 60_000)) == 0


async def test_taking_over_ends_every_lease_and_fences_its_holder_off(home: House) -> None:
    old = await held(home)
    assert await home.db.write(lanes.take_over) == 1
    with pytest.raises(LeaseLost):
        await home.db.write(lambda tx: lanes.fence(tx, old.lease))
    assert await claim(home, owner="you") is not None


async def test_release_sees_a_message_that_came_during_the_run(home: House) -> None:
    found = await held(home)
    await home.db.write(lambda tx: tx.run("UPDATE inbox SET state = 'done', ended_at = 1"))
    await home.hear("one more")
    assert await home.db.write(release(found, home, finished=True)) is True
    assert await home.rows("SELECT pending, wake_at, owner FROM lane") == [{"pending": 1, "wake_at": 0, "owner": None}]


async def test_release_without_more_work_leaves_the_lane_quiet(home: House) -> None:
    found = await held(home)
    await home.db.write(lambda tx: tx.run("UPDATE inbox SET state = 'done', ended_at = 1"))
    assert await home.db.write(release(found, home, finished=True)) is False
    assert await home.rows("SELECT pending, attempts FROM lane") == [{"pending": 0, "attempts": 0}]


async def test_no_wake_up_is_lost_between_accepting_and_releasing(home: House) -> None:
    """Fifty times a message races with the release of its lane; each time it is seen by one of the two."""
    for n in range(50):
        found = await held(home)
        await home.db.write(lambda tx: tx.run("UPDATE inbox SET state = 'done', ended_at = 1"))
        message = inbound("more", key=f"race{n}")
        await asyncio.gather(
            home.app.inbox.accept(home.tenant_id, [message]), home.db.write(release(found, home, finished=True))
        )
        assert await home.column("SELECT pending FROM lane") == [1]


async def test_a_run_that_did_not_end_stays_open_and_waits_its_time(home: House) -> None:
    found = await held(home)
    await home.db.write(lambda tx: lanes.set_run(tx, found.lease, 7))
    at = home.clock.now() + 5000
    assert await home.db.write(release(found, home, finished=False, wake_at=at)) is False
    assert await claim(home) is None
    assert await home.db.read(lambda tx: lanes.next_due(tx, home.clock.now())) == at
    home.clock.advance(5)
    again = await held(home)
    assert (again.run_id, again.attempts) == (7, 2)


async def test_a_finished_run_forgets_attempts_and_the_open_run(home: House) -> None:
    found = await held(home)
    await home.db.write(lambda tx: lanes.set_run(tx, found.lease, 7))
    await home.db.write(release(found, home, finished=True))
    again = await held(home)
    assert (again.run_id, again.attempts) == (None, 1)


async def test_a_forgiven_attempt_does_not_count(home: House) -> None:
    found = await held(home)
    await home.db.write(lambda tx: lanes.forgive(tx, found.lease))
    await home.db.write(release(found, home, finished=False))
    assert (await held(home)).attempts == 1


async def test_held_messages_make_the_lane_wait_until_the_first_is_due(home: House) -> None:
    found = await held(home)
    for text, until in (("later", 9_000), ("sooner", 4_000)):
        key = await home.hear(text)
        at = home.clock.now() + until
        await home.db.write(
            lambda tx, key=key, at=at: tx.run(  # type: ignore[misc]
                "UPDATE inbox SET held_until = :at WHERE update_key = :key", {"at": at, "key": key}
            )
        )
    await home.db.write(lambda tx: tx.run("UPDATE inbox SET state = 'done', ended_at = 1 WHERE text = 'hello'"))
    await home.db.write(release(found, home, finished=True))
    assert await home.column("SELECT wake_at FROM lane") == [home.clock.now() + 4_000]


async def test_waking_the_held_makes_them_and_their_lanes_due(home: House) -> None:
    found = await held(home)
    at = home.clock.now() + 9_000
    (row,) = await home.rows("SELECT id FROM inbox")
    await home.db.write(lambda tx: inbox.hold(tx, found.lease.lane, row["id"], at, home.clock.now(), doubted=False))
    await home.db.write(release(found, home, finished=True))
    assert await claim(home) is None
    assert await home.db.write(lanes.wake_held) == [await lane_of(home)]
    assert await claim(home) is not None


async def test_a_jump_of_the_wall_clock_expires_nobody(make_database: DatabaseMaker, tmp_path: Path) -> None:
    clock = FakeClock()
    home = await house(await make_database("sqlite", clock=clock), tmp_path / "house", "x", clock=clock)
    await home.hear("hello")
    await held(home)
    clock.jump(86_400)
    assert await claim(home, owner="you") is None
    clock.advance(61)
    assert await claim(home, owner="you") is not None


async def test_leases_are_kept_alive_as_long_as_somebody_works(make_database: DatabaseMaker, tmp_path: Path) -> None:
    clock = FakeClock(waits=True)
    home = await house(await make_database("sqlite", clock=clock), tmp_path / "house", "x", clock=clock)
    await home.hear("hello")
    lane_id = (await held(home)).lease.lane.lane_id
    at_work = {lane_id}
    task = asyncio.create_task(keep(home.db, clock, "me", lambda: at_work))
    for _ in range(9):
        await clock.until_asleep()
        clock.advance(TTL / 3)
    await clock.until_asleep()
    assert await claim(home, owner="you") is None
    at_work.clear()
    for _ in range(4):
        await clock.until_asleep()
        clock.advance(TTL / 3)
    assert await claim(home, owner="you") is not None
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def test_a_loop_that_lagged_is_told_of(make_database: DatabaseMaker, caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeClock(waits=True)
    task = asyncio.create_task(keep(await make_database("sqlite", clock=clock), clock, "me", list))
    await clock.until_asleep()
    clock.advance(TTL)
    await clock.until_asleep()
    assert "lagged 40.0 s" in caplog.text
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def test_no_two_processes_have_the_same_name() -> None:
    assert new_owner() != new_owner()


async def test_a_wall_clock_that_is_set_back_delays_nobody(home: House) -> None:
    await home.hear("hello")
    await home.db.write(lambda tx: tx.run("UPDATE lane SET wake_at = :at", {"at": home.clock.now() + 60_000}))
    assert await home.app.scheduler.due() == home.clock.now() + 60_000
    home.clock.jump(-3600)
    await home.app.scheduler.due()
    assert await home.column("SELECT wake_at FROM lane") == [0]


async def test_a_lane_whose_platform_is_not_running_is_left_alone(
    make_database: DatabaseMaker, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    db = await make_database("sqlite")
    there = await house(db, tmp_path / "there", "an answer")
    await there.hear("hello")
    here = await house(db, tmp_path / "here", "another", adapter=FakeAdapter("console"))
    for lane_id in await here.column("SELECT id FROM lane"):
        await here.app.worker.answer(lane_id)
    assert "telegram bot is not served here" in caplog.text
    assert await here.rows("SELECT owner, attempts, pending FROM lane") == [
        {"owner": None, "attempts": 0, "pending": 1}
    ]
    await there.work()
    assert there.adapter.texts() == ["an answer"]
