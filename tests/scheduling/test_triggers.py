"""Triggers: due once an epoch, on time or late, whatever the clock does (STATES: Trigger)."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.timing.schedule import Interval, Rule
from core.scheduling import repository as triggers
from core.scheduling.firing import MOST_AT_ONCE
from tests.commanding import FRIEND, GROUP, friend, group, home, labels, said
from tests.fakes import OWNER
from tests.triggering import passes, state, trigger
from tests.working import background

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3600, 86_400
AT_NINE = Rule(cron="0 9 * * *", zone="UTC")


async def test_a_reminder_is_posted_when_it_is_due_and_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=60)
    await passes(house, 59)
    assert len(house.shown()) == 1
    await passes(house, 1)
    assert house.shown()[-1].text == "⏰ call Oma"
    assert labels(house) == ["Done", "+10 min", "+1 h", "tomorrow"]
    assert (await state(house, made))[0] == "done"
    await passes(house, HOUR)
    assert len(house.shown()) == 2


async def test_what_is_late_says_so(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await trigger(house, when=60)
    await passes(house, 60 + 160 * 60)
    assert house.shown()[-1].text == "⏰ call Oma\n2 h 40 min late."


@pytest.mark.parametrize(
    ("late", "seconds", "comes"),
    [
        ("run", 3 * HOUR, True),
        ("skip", 30, True),
        ("skip", 3 * HOUR, False),
        ("7200", 2 * HOUR, True),
        ("7200", 3 * HOUR, False),
    ],
)
async def test_what_is_late_comes_as_its_policy_says(
    database: Database, tmp_path: Path, late: str, seconds: int, comes: bool
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=60, late=late)
    await passes(house, 60 + seconds)
    assert (len(house.shown()) == 2) is comes
    assert (await state(house, made))[0] == "done"


async def test_missed_times_come_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=Interval(seconds=600, start=house.clock.now()))
    await passes(house, 3 * HOUR + 1)
    assert len(house.shown()) == 2
    assert await state(house, made) == ("active", "", house.clock.now() - 1000 + 600_000, 1)


@pytest.mark.databases("sqlite", "postgres")
async def test_of_what_was_missed_the_last_one_comes_and_says_how_late_that_is(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await trigger(house, when=Interval(seconds=HOUR, start=house.clock.now()))
    await passes(house, 3 * HOUR + 20)
    assert house.shown()[-1].text == "⏰ call Oma"
    await passes(house, 3 * HOUR)
    assert len(house.shown()) == 3
    await passes(house, 3 * HOUR + 580)
    assert house.shown()[-1].text == "⏰ call Oma\n10 min late."
    (*_, due) = await house.column("SELECT due_at FROM reminder ORDER BY id")
    assert due == house.clock.now() - 600_000


@pytest.mark.parametrize(("late", "seconds", "comes"), [("skip", 20, True), ("skip", 90, False), ("600", 90, True)])
async def test_whether_it_comes_too_late_is_judged_by_the_last_time_that_was_missed(
    database: Database, tmp_path: Path, late: str, seconds: int, comes: bool
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=Interval(seconds=HOUR, start=house.clock.now()), late=late)
    await passes(house, 5 * HOUR + seconds)
    assert (len(house.shown()) == 2) is comes
    assert (await state(house, made))[2] == house.clock.now() + (HOUR - seconds) * 1000


async def test_after_a_day_of_silence_todays_brief_comes(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/brief 9:00")
    (due,) = await house.column("SELECT next_at FROM trigger")
    before = len(house.shown())
    await passes(house, (due - house.clock.now()) / 1000 + DAY + 30)
    assert len(house.shown()) == before + 1
    await passes(house, DAY + 2 * HOUR)
    assert len(house.shown()) == before + 1


async def test_a_pause_until_a_time_of_its_own_counts_from_there(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=AT_NINE, depth=2)
    at = house.clock.now() + 7 * DAY * 1000
    await database.write(lambda tx: triggers.move(tx, made, at))
    await passes(house, 7 * DAY + 120)
    assert house.shown()[-1].text == "⏰ call Oma\n2 min late."


async def test_what_is_held_back_while_the_clock_shows_an_hour_again_waits_once(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Europe/Berlin")
    await said(house, "/quiet 22:00-02:30")
    before = len(house.shown())
    again = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)
    house.clock.jump(again.timestamp() - house.clock.now() / 1000)
    made = [await trigger(house, f"by itself {n}", 1.0, depth=2) for n in range(MOST_AT_ONCE + 1)]
    async with asyncio.timeout(60):
        await passes(house, 1)
    end = round(again.timestamp() * 1000) + 20 * 60_000
    assert {(await state(house, one))[2] for one in made} == {end + 1}
    assert len(house.shown()) == before
    async with asyncio.timeout(60):
        await passes(house, 20 * 60)
    assert (await state(house, made[0]))[0] == "done"


async def test_what_is_held_back_until_a_time_of_its_own_comes_when_the_quiet_hours_end_early(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone UTC")
    await said(house, "/quiet 22:00-07:00")
    evening = datetime(2027, 1, 20, 22, tzinfo=UTC)
    house.clock.jump(evening.timestamp() - house.clock.now() / 1000)
    grid = house.clock.now()
    held = await trigger(house, when=Interval(seconds=HOUR, start=grid), depth=2)
    later = await trigger(house, when=Interval(seconds=9 * HOUR, start=grid), depth=2)
    # It was due at 23:00, and would be due by itself at 7:00.
    await passes(house, 1.25 * HOUR)
    before, waits = len(house.shown()), await state(house, later)
    await said(house, "/quiet off")
    await house.sweep()
    assert [post.text for post in house.shown()[before:]] == ["No quiet hours.", "⏰ call Oma"]
    assert (await state(house, held))[3] == 1
    assert await state(house, later) == waits


async def test_what_was_held_back_and_comes_by_itself_within_a_minute_comes_once(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone UTC")
    await said(house, "/quiet 22:00-07:00")
    evening = datetime(2027, 1, 20, 22, tzinfo=UTC)
    house.clock.jump(evening.timestamp() - house.clock.now() / 1000)
    grid = house.clock.now()
    held = await trigger(house, when=Interval(seconds=HOUR, start=grid), depth=2)
    await passes(house, 1.25 * HOUR)
    # Five seconds before six: it waits until seven.
    await passes(house, 6.75 * HOUR - 5)
    before = len(house.shown())
    await said(house, "/quiet off")
    await house.sweep()
    assert [post.text for post in house.shown()[before:]] == ["No quiet hours."]
    await passes(house, 5)
    assert [post.text for post in house.shown()[before + 1 :]] == ["⏰ call Oma"]
    assert (await state(house, held))[2] == grid + 9 * HOUR * 1000
    await passes(house, 10)
    assert len(house.shown()) == before + 2


async def test_a_look_ends_though_more_becomes_due_meanwhile(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    for n in range(MOST_AT_ONCE):
        await trigger(house, f"thing {n}", 1.0)
    later = await trigger(house, "later", 2.0)

    class Slow:
        """A database in which a transaction takes a second."""

        async def write(self, fn: Any) -> Any:
            house.clock.advance(1)
            return await database.write(fn)

        def __getattr__(self, name: str) -> Any:
            return getattr(database, name)

    house.clock.advance(1)
    slow: Any = Slow()
    fired = house.app.scheduler._triggers
    while await fired.fire(slow, lambda tx: [], house.clock.now() - 1000):
        pass
    assert (await state(house, later))[0] == "active"


async def test_the_clock_going_back_an_hour_repeats_nothing_and_drops_nothing(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=AT_NINE)
    (_, _, due, _) = await state(house, made)
    assert due is not None
    await passes(house, (due - house.clock.now()) / 1000)
    assert len(house.shown()) == 2
    house.clock.jump(-HOUR)
    await passes(house, HOUR + 60)
    assert len(house.shown()) == 2
    await passes(house, DAY)
    assert len(house.shown()) == 3


async def test_a_clock_that_was_three_days_ahead_loses_no_day(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=AT_NINE)
    (_, _, first, _) = await state(house, made)
    assert first is not None
    house.clock.jump(3 * DAY)
    await house.sweep()
    assert len(house.shown()) == 2  # what was missed, as far as anybody could know
    house.clock.jump(-3 * DAY)
    await house.sweep()
    assert (await state(house, made))[2] == first + DAY * 1000
    for days in range(3):
        await passes(house, (first - house.clock.now()) / 1000 + (days + 1) * DAY if not days else DAY)
    assert len(house.shown()) == 5


async def test_what_cannot_be_fired_rests_and_the_others_come(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    broken, sound = await trigger(house, "broken"), await trigger(house, "sound")
    await database.write(lambda tx: tx.run("UPDATE trigger SET spec = '{}' WHERE id = :id", {"id": broken}))
    await passes(house, 60)
    assert [sent.text for sent in house.shown() if "⏰" in sent.text] == ["⏰ sound"]
    assert (await state(house, broken))[:2] == ("paused", "error")
    assert (await state(house, sound))[0] == "done"
    said_so = f"⚠️ This failed on my side, so it is paused ({ref('s', broken)}): broken"
    assert [sent.text for sent in house.shown() if "⚠️" in sent.text] == [said_so]


@pytest.mark.databases("sqlite", "postgres")
async def test_what_a_broken_trigger_said_is_for_who_made_it_alone(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", **friend())
    broken = await trigger(house, "my divorce lawyer", chat="2", by=FRIEND)
    await database.write(lambda tx: tx.run("UPDATE trigger SET spec = 'nonsense' WHERE id = :id", {"id": broken}))
    await passes(house, 60)
    this = ref("s", broken)
    assert house.shown("2")[-1].text == f"⚠️ This failed on my side, so it is paused ({this}): my divorce lawyer"
    assert house.shown()[-1].text == (
        f"⚠️ A trigger ({this}) failed and is paused; the log says why. Who made it knows."
    )
    assert not any("divorce" in text for text in house.adapter.texts("1"))


async def test_in_a_group_whoever_asked_is_mentioned(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await trigger(house, chat="-5")
    await passes(house, 60)
    assert house.shown("-5")[-1].text == f"⏰ [Name of {OWNER}]({OWNER}): call Oma"


async def test_for_everybody_of_a_group_nobody_is_mentioned(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await trigger(house, "stand up", AT_NINE, chat="-5", everybody=True)
    await passes(house, DAY)
    assert house.shown("-5")[-1].text.startswith("⏰ stand up")
    assert labels(house, "-5") == ["Skip next", "Pause until…", "Stop"]
    assert GROUP["chat"] == "-5"


@pytest.mark.databases("sqlite", "postgres")
async def test_where_the_bot_was_thrown_out_triggers_rest_until_it_is_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    made = await trigger(house, when=60)
    await database.write(lambda tx: tx.run("UPDATE chat SET state = 'gone'"))
    await passes(house, 60)
    assert (await state(house, made))[:2] == ("paused", "gone")
    assert len(house.shown()) == 1
    await house.hear("hello again")
    await house.work()
    await house.sweep()
    assert any(sent.text.startswith("⏰ call Oma") for sent in house.shown())


async def test_who_made_a_groups_trigger_learns_in_private_that_the_group_is_gone(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    made = await trigger(house, "stand up", chat="-5", everybody=True)
    await database.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE kind = 'group'"))
    await passes(house, 60)
    assert (await state(house, made))[:2] == ("paused", "gone")
    assert house.shown()[-1].text == (
        "I couldn't deliver “stand up”: I am not in that group any more. It rests until that changes."
    )


@pytest.mark.databases("sqlite", "postgres")
async def test_work_in_two_chats_is_due_together_whatever_its_order(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await trigger(house, "look at the group", chat="-5", deliver="task")
    await trigger(house, "look at me", when=59, deliver="task")
    await trigger(house, "look at the group again", when=58, chat="-5", deliver="task")
    await passes(house, 60)
    await background(house)
    assert "look at me" in house.shown()[-1].text
    assert [sent.text for sent in house.shown("-5")][-2:] == ["⏰ look at the group again", "⏰ look at the group"]
