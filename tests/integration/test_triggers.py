"""Triggers: due once an epoch, on time or late, whatever the clock does (STATES: Trigger)."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.ports import Database
from core.when.schedule import Interval, Rule
from tests.commanding import GROUP, group, home, labels
from tests.fakes import OWNER
from tests.triggering import passes, state, trigger

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
    assert any("broken" in sent.text or "trigger" in sent.text.lower() for sent in house.shown())


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
        "I couldn't deliver “stand up”: I am not in that group any more. It rests until that changes; /tasks shows it."
    )


async def test_two_that_wake_the_teller_come_together_whatever_their_order(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await trigger(house, "look at the group", chat="-5", deliver="task")
    await trigger(house, "look at me", when=59, deliver="task")
    await trigger(house, "look at the group again", when=58, chat="-5", deliver="task")
    await passes(house, 60)
    assert "look at me" in house.shown()[-1].text
    assert [sent.text for sent in house.shown("-5")][-2:] == ["⏰ look at the group again", "⏰ look at the group"]
