"""A brief that is ended before it was sent is not sent any more, and is when that is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.errors import SendDoubtful, SendUnsent
from core.kernel.ports import Database
from tests.commanding import GROUP, group, said
from tests.fakes import FakeAdapter, Hitch, House
from tests.fakes import house as build
from tests.pipeline.intake.test_hush import OWNER
from tests.triggering import passes

TO_BRIEF = 17.5 * 3600
DM = {"chat": "D1", "sender": OWNER}


async def due(house: House, hitch: Hitch) -> None:
    """The brief is due, and its message is not sent."""
    house.adapter.hitches.append(hitch)
    await passes(house, TO_BRIEF)


async def states(house: House) -> list[str]:
    """What has become of the briefs in the outbox."""
    return await house.column("SELECT state FROM outbox WHERE payload LIKE '%Nothing is due%' ORDER BY id")


@pytest.mark.parametrize("where", [{}, GROUP], ids=["private", "group"])
async def test_a_brief_that_waits_to_be_sent_is_withdrawn(
    database: Database, tmp_path: Path, where: dict[str, str]
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30", **where)
    await due(house, Hitch(error=SendUnsent("slow down", 60)))
    assert await states(house) == ["new"]
    await house.hear("/brief off", **where)
    await house.work()
    await house.later(61)
    assert await states(house) == ["dead"]
    assert "No daily brief any more." in house.shown(where.get("chat", "1"))[-1].text


async def test_it_is_sent_after_all_where_that_is_taken_back(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30")
    await due(house, Hitch(error=SendUnsent("slow down", 60)))
    for text in ("/brief off", "/undo"):
        await house.hear(text)
        await house.work()
    await house.later(61)
    assert await states(house) == ["sent"]


async def test_one_that_may_have_arrived_is_not_withdrawn(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30", **GROUP)
    await due(house, Hitch(error=SendDoubtful("broken")))
    assert await states(house) == ["new"]
    await house.hear("/brief off", **GROUP)
    await house.work()
    assert "dead" not in await states(house)


async def test_one_that_was_sent_stays(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30")
    await passes(house, TO_BRIEF)
    await said(house, "/brief off")
    assert await states(house) == ["sent"]


@pytest.mark.parametrize("undone", [False, True])
async def test_a_run_that_was_to_tell_it_is_not_begun(database: Database, tmp_path: Path, undone: bool) -> None:
    adapter = FakeAdapter("slack")
    house = await build(database, tmp_path / "house", adapter=adapter, owners=(OWNER,))
    await said(house, "/brief 7:30", **DM)
    house.clock.advance(TO_BRIEF)
    await house.app.scheduler.due()
    # Its lane is busy, and the command is given in a thread.
    await house.db.write(lambda tx: tx.run("UPDATE inbox SET held_until = :at", {"at": house.clock.now() + 60_000}))
    thread = {**DM, "thread": "10.1", "converses": True}
    await said(house, "/brief off", **thread)
    if undone:
        await said(house, "/undo", **thread)
    await house.db.write(lambda tx: tx.run("UPDATE inbox SET held_until = 0"))
    await house.later(61)
    assert len(await states(house)) == undone
