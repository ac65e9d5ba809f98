"""A brief that is ended before it was sent is not sent any more, and comes when that is taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import SendDoubtful, SendUnsent
from core.kernel.ports import Database
from core.kernel.types import Destination, Part
from core.kernel.updates import Moved
from core.pipeline.runs.answering import Answering
from core.pipeline.runs.run_context import RunContext
from tests.commanding import GROUP, group, said
from tests.fakes import OWNER as TELEGRAM_OWNER
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


@pytest.mark.databases("sqlite")
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


@pytest.mark.databases("sqlite")
async def test_it_is_sent_after_all_where_that_is_taken_back(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30")
    await due(house, Hitch(error=SendUnsent("slow down", 60)))
    for text in ("/brief off", "/undo"):
        await house.hear(text)
        await house.work()
    await house.later(61)
    assert await states(house) == ["sent"]


@pytest.mark.parametrize("where", [{}, GROUP], ids=["private", "group"])
@pytest.mark.parametrize(("hours", "comes"), [(0.5, 1), (11, 0)])
async def test_one_that_was_given_up_comes_as_it_is_by_then_or_not_where_it_would_be_too_late(
    database: Database, tmp_path: Path, where: dict[str, str], hours: float, comes: int
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30", **where)
    await due(house, Hitch(error=SendUnsent("slow down", 60)))
    await house.hear("/brief off", **where)
    await house.work()
    await house.later(61)
    house.clock.advance(hours * 3600)
    await said(house, "/undo", **where)
    await passes(house, 1)
    assert await states(house) == ["dead", *["sent"] * comes]
    # The day after it comes as ever.
    await passes(house, (24 - hours) * 3600)
    assert await states(house) == ["dead", *["sent"] * (comes + 1)]


@pytest.mark.parametrize("where", [{}, GROUP], ids=["private", "group"])
async def test_one_that_is_being_sent_when_it_is_ended_is_not_sent_again(
    database: Database, tmp_path: Path, where: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30", **where)
    send, refused = FakeAdapter.send, list[str]()

    async def while_sending(adapter: FakeAdapter, to: Destination, part: Part, **how: Any) -> str:
        if not refused and "Nothing is due" in str(part.payload):
            refused.append(to.chat)
            await house.hear("/brief off", **where)
            for lane_id in await house.column("SELECT id FROM lane"):
                await house.app.worker.answer(lane_id)
            raise SendUnsent("slow down", 30)
        return await send(adapter, to, part, **how)

    monkeypatch.setattr(FakeAdapter, "send", while_sending)
    await passes(house, TO_BRIEF)
    await house.later(31)
    assert refused
    assert await states(house) == ["dead"]


@pytest.mark.databases("sqlite")
async def test_one_that_may_have_arrived_is_not_withdrawn(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30", **GROUP)
    await due(house, Hitch(error=SendDoubtful("broken")))
    assert await states(house) == ["new"]
    await house.hear("/brief off", **GROUP)
    await house.work()
    assert "dead" not in await states(house)


@pytest.mark.databases("sqlite")
async def test_one_that_was_sent_stays(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/brief 7:30")
    await passes(house, TO_BRIEF)
    await said(house, "/brief off")
    assert await states(house) == ["sent"]


@pytest.mark.parametrize("skipped", [False, True])
@pytest.mark.parametrize("undone", [False, True])
async def test_a_run_that_was_to_tell_it_is_not_begun(
    database: Database, tmp_path: Path, undone: bool, skipped: bool
) -> None:
    adapter = FakeAdapter("slack")
    house = await build(database, tmp_path / "house", adapter=adapter, owners=(OWNER,))
    await said(house, "/brief 7:30", **DM)
    house.clock.advance(TO_BRIEF)
    await house.app.scheduler.due()
    # Its lane is busy, and the command is given in a thread.
    await house.db.write(lambda tx: tx.run("UPDATE inbox SET held_until = :at", {"at": house.clock.now() + 60_000}))
    thread = {**DM, "thread": "10.1", "converses": True}
    await said(house, "/brief off", **thread)
    if skipped:
        await house.db.write(lambda tx: tx.run("UPDATE inbox SET held_until = 0"))
        await house.later(61)
    if undone:
        await said(house, "/undo", **thread)
    await house.db.write(lambda tx: tx.run("UPDATE inbox SET held_until = 0"))
    await passes(house, 61)
    assert len(await states(house)) == undone


async def test_what_a_run_says_that_was_begun_before_is_not_sent(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = FakeAdapter("slack")
    house = await build(database, tmp_path / "house", adapter=adapter, owners=(OWNER,))
    await said(house, "/brief 7:30", **DM)
    answer, begun = Answering.answer, list[int]()

    async def while_answering(answering: Answering, run: RunContext, listen: Any) -> Any:
        if not (begun or run.messages[0].platform_id):
            begun.append(run.run_id)
            await house.hear("/brief off", **DM, thread="10.1", converses=True)
            (lane_id,) = await house.column("SELECT id FROM lane WHERE thread = '10.1'")
            await house.app.worker.answer(lane_id)
        return await answer(answering, run, listen)

    monkeypatch.setattr(Answering, "answer", while_answering)
    await passes(house, TO_BRIEF)
    assert begun
    assert await states(house) == ["dead"]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("where", [{}, GROUP], ids=["private", "group"])
async def test_it_stays_ended_where_there_is_a_newer_one(
    database: Database, tmp_path: Path, where: dict[str, str]
) -> None:
    house, chat = await group(database, tmp_path), where.get("chat", "1")
    await said(house, "/brief 7:30", **where)
    await said(house, "/brief off", **where)
    undo = house.button("Undo", chat)
    await said(house, "/brief 8:00", **where)
    await house.press("Undo", data=undo, chat=chat, chat_kind=where.get("chat_kind", "private"))
    await house.work()
    assert await house.column("SELECT state FROM trigger ORDER BY id") == ["cancelled", "active"]


async def test_two_chats_that_become_one_have_one_brief_and_one_summary_the_newer_one(
    database: Database, tmp_path: Path
) -> None:
    house, new = await group(database, tmp_path), {**GROUP, "chat": "-1005"}
    for chat in ("-5", "-1005"):
        house.adapter.admins.add((chat, TELEGRAM_OWNER))
    for clock, where in (("7:30", GROUP), ("8:30", new)):
        for wish in ("/readalong on", "/brief {}", "/summary every day at {}"):
            await said(house, wish.format(clock), **where)
        house.clock.advance(60)
    await house.app.inbox.accept(house.tenant_id, [Moved(key="v1", chat="-5", to="-1005")])
    await house.work()
    left = await house.column("SELECT spec FROM trigger WHERE ended_at IS NULL")
    assert ["30 8 * * *" in spec for spec in left] == [True, True]
