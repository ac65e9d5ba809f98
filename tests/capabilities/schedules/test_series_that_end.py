"""A series that has an end comes as often as was said, and no more; what changes it keeps its end."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from core.capabilities.schedules import calendar
from core.kernel.ports import Database
from core.kernel.timing.expressions import At, Clock, Delay, Every, InDays, Weekday
from core.kernel.timing.schedule import Interval, Rule, load
from core.scheduling.time_input import When, packed
from tests.commanding import friend, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

DAY = 86_400


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def ends(house: House) -> list[str]:
    """The last day of each rule there is."""
    found = [load(spec) for spec in await house.column("SELECT spec FROM trigger WHERE deliver = 'message'")]
    return [one.until for one in found if isinstance(one, Rule)]


async def test_it_comes_on_each_of_its_days_and_then_no_more(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    told = await said(house, "remind me every day at 8 to take antibiotics for 3 days")
    assert told == "⏰ every day at 08:00 until Thu 24 Sep 2026 (UTC), next Tue 22 Sep: take antibiotics"
    for _ in range(6):
        await passes(house, DAY)
    assert await house.column("SELECT count(*) FROM reminder") == [3]
    assert await house.column("SELECT state FROM trigger") == ["done"]
    assert (await said(house, "/tasks")).startswith("Nothing is scheduled.")


async def test_what_comes_all_the_time_ends_at_its_hour(house: House) -> None:
    told = await said(house, "remind me every 2 hours until 10pm to drink")
    assert told.startswith("⏰ every 2 hours until Mon 21 Sep 2026 22:00, next Mon 21 Sep 16:13")
    await passes(house, DAY)
    assert await house.column("SELECT state FROM trigger") == ["done"]


async def test_an_end_before_the_first_time_is_refused(house: House) -> None:
    told = await said(house, "remind me every sunday at 9 until tomorrow to ring the bell")
    assert told.startswith("It would end before its first time.")
    assert await house.column("SELECT count(*) FROM trigger") == [0]


async def test_another_hour_keeps_the_end(house: House) -> None:
    await said(house, "remind me every day at 8 to water the plants until 30 September")
    assert "until Wed 30 Sep 2026" in await said(house, "move water the plants to 9:30")
    assert await ends(house) == ["2026-09-30"]
    await said(house, "/timezone America/New_York")
    assert await ends(house) == ["2026-09-30"]


async def test_its_last_time_is_not_skipped_but_stopped(house: House) -> None:
    await said(house, "remind me every day at 8 for 2 days to water the plants")
    assert "Wed 23 Sep" in await said(house, "/skip plants")
    refused = "It comes no more after that: it ends anyway. /cancel stops it now."
    assert await said(house, "/skip plants") == refused
    assert await said(house, "/pause plants until 1 October") == refused
    assert await house.column("SELECT state FROM trigger") == ["active"]


async def test_another_rhythm_ends_when_the_former_one_did(house: House) -> None:
    await said(house, "remind me every 2 hours until 22:00 to drink")
    assert "until Mon 21 Sep 2026 22:00" in await said(house, "move drink to every 3 hours")
    await said(house, "remind me every day at 9 to jog until 30 September")
    assert "every 2 days at 09:00 until Wed 30 Sep 2026" in await said(house, "move jog to every 2 days")


async def test_a_series_is_offered_no_day_after_its_end(house: House) -> None:
    await said(house, "remind me every tuesday at 9 until 23 September to jog")
    await said(house, "move jog to friday")
    assert labels(house)[0].startswith("Just once")


async def test_a_brief_may_end(house: House) -> None:
    assert "until Fri 25 Sep 2026" in await said(house, "brief me every morning at 7 until friday")


async def test_the_last_day_that_there_is_ends_nothing_in_a_calendar(house: House) -> None:
    await said(house, "/timezone America/New_York")
    await said(house, "remind me every day at 9 until 31 december 9999 to look")
    assert "couldn't finish" not in await said(house, "/export")


async def test_commands_read_the_same_ends(house: House) -> None:
    await said(house, "/every day at 8 for 5 days take vitamins")
    await said(house, "/remind 每天9点浇花到周五为止")
    assert await ends(house) == ["2026-09-26", "2026-09-25"]


@pytest.mark.parametrize(
    "until",
    [
        None,
        At(clock=Clock(hour=22)),
        At(day=Weekday(weekday=4)),
        At(day=InDays(days=1, night=True)),
        Delay(days=7),
        Delay(months=1),
    ],
)
def test_an_intent_keeps_the_end_that_was_said(until: At | Delay | None) -> None:
    when = Every(unit="day", until=until)
    assert TypeAdapter(When).validate_python(json.loads(json.dumps(packed(when)))) == when


def test_a_calendar_is_told_the_end() -> None:
    rule = Rule(cron="0 8 * * *", zone="Europe/Berlin", until="2026-09-30")
    often = Interval(seconds=3_600, start=1_790_000_000_000, until=1_790_010_000_000)
    rendered = calendar.render([(1, "pills", rule, 1_790_057_600_000), (2, "drink", often, 1_790_003_600_000)])
    ical: Any = import_module("icalendar")
    rules = [event["rrule"] for event in ical.Calendar.from_ical(rendered).walk("vevent")]
    ends = [f"{one['until'][0]:%Y-%m-%dT%H:%M%z}" for one in rules]
    assert ends == ["2026-09-30T21:59+0000", "2026-09-21T17:00+0000"]


async def test_what_is_past_its_end_when_its_maker_has_access_again_is_over(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 8 for 2 days to take antibiotics", **friend())
    await said(house, "/people")
    await pressed(house, "Remove Name of tg:2")
    await passes(house, DAY)
    assert await house.column("SELECT reason FROM trigger") == ["no access"]
    house.clock.advance(5 * DAY)
    await said(house, "/people")
    await pressed(house, "Restore Name of tg:2")
    await house.sweep()
    assert await house.column("SELECT state FROM trigger") == ["done"]
    assert not any(sent.text.startswith("⏰ take") for sent in house.shown("2"))


@pytest.mark.databases("sqlite", "postgres")
async def test_what_rests_ends_with_its_last_time(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me every day at 8 for 3 days to take antibiotics")
    await said(house, "remind me every day at 9 to jog")
    for name in ("antibiotics", "jog"):
        await said(house, f"/pause {name}")
        await pressed(house, "No end for now")
    await passes(house, 2 * DAY)
    assert "antibiotics" in await said(house, "/tasks")
    await passes(house, DAY)
    assert await house.column("SELECT state FROM trigger ORDER BY id") == ["done", "paused"]
    assert "antibiotics" not in await said(house, "/tasks")
