"""What is said to come again and again becomes an interval or a cron line, counted from the first one to come."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from core.kernel.timing.expressions import Clock, Every
from core.kernel.timing.resolve import Impossible, resolve
from core.kernel.timing.schedule import Interval, Rule, Schedule, dump, last_before, load, next_after
from core.kernel.timing.zones import to_local

BERLIN = ZoneInfo("Europe/Berlin")
SATURDAY = 1_795_251_600_000  # 2026-11-21T10:00
MON, THU, FRI, SAT, SUN = 0, 3, 4, 5, 6
WORKDAYS = frozenset(range(5))


def rule(every: Every, said_at: int = SATURDAY) -> Rule:
    found = resolve(every, said_at, BERLIN).schedule
    assert isinstance(found, Rule)
    return found


def first(schedule: Schedule, count: int, said_at: int = SATURDAY) -> list[str]:
    found, after = [], said_at
    for _ in range(count):
        following = next_after(schedule, after)
        assert following is not None
        after = following
        found.append(f"{to_local(after, BERLIN):%Y-%m-%dT%H:%M}")
    return found


def at(hour: int, minute: int = 0, *, certain: bool = True) -> tuple[Clock]:
    return (Clock(hour=hour, minute=minute, certain=certain),)


LINES = [
    (Every(unit="day"), "0 9 * * *"),
    (Every(unit="day", clocks=at(8, 30)), "30 8 * * *"),
    (Every(unit="day", clocks=at(8, certain=False)), "0 8 * * *"),
    (Every(unit="day", clocks=at(6, certain=False)), "0 18 * * *"),
    (Every(unit="day", clocks=at(12, certain=False)), "0 12 * * *"),
    (Every(unit="day", clocks=at(20) + at(8)), "0 8,20 * * *"),
    (Every(unit="day", clocks=at(8) + at(8, 30)), "0,30 8 * * *"),
    (Every(unit="day", weekdays=WORKDAYS), "0 9 * * 1-5"),
    (Every(unit="week", weekdays=WORKDAYS, clocks=at(9, 30)), "30 9 * * 1-5"),
    (Every(unit="week", weekdays=frozenset({SAT, SUN})), "0 9 * * 0,6"),
    (Every(unit="week", weekdays=frozenset(range(7))), "0 9 * * *"),
    (Every(unit="week", weekdays=frozenset({MON})), "0 9 * * 1"),
    (Every(unit="week"), "0 9 * * 6"),
    (Every(unit="month", day=1), "0 9 1 * *"),
    (Every(unit="month", day=28), "0 9 28 * *"),
    (Every(unit="month", day=-1), "0 9 L * *"),
    (Every(unit="month", day=15, also=frozenset({1, -1})), "0 9 1,15,L * *"),
    (Every(unit="month"), "0 9 21 * *"),
    (Every(unit="month", nth=-1, weekdays=frozenset({FRI})), "0 9 * * 5L"),
    (Every(unit="month", nth=2, weekdays=frozenset({SUN})), "0 9 * * 0#2"),
    (Every(unit="year", day=3, month=5), "0 9 3 5 *"),
    (Every(unit="year"), "0 9 21 11 *"),
    (Every(unit="year", nth=1, month=5, weekdays=frozenset({SUN})), "0 9 * 5 0#1"),
    (Every(unit="year", month=2, day=-1), "0 9 L 2 *"),
]


@pytest.mark.parametrize(("every", "line"), LINES)
def test_the_calendar_is_a_cron_line(every: Every, line: str) -> None:
    assert rule(every) == Rule(cron=line, zone="Europe/Berlin")


@pytest.mark.parametrize(("unit", "n", "seconds"), [("minute", 1, 60), ("minute", 20, 1200), ("hour", 3, 10_800)])
def test_minutes_and_hours_pass_from_when_it_was_said(unit: str, n: int, seconds: int) -> None:
    every = Every(unit="minute", n=n) if unit == "minute" else Every(unit="hour", n=n)
    assert resolve(every, SATURDAY, BERLIN).schedule == Interval(seconds=seconds, start=SATURDAY)


def test_the_last_friday_of_the_month() -> None:
    every = Every(unit="month", nth=-1, weekdays=frozenset({FRI}))
    assert first(rule(every), 3) == ["2026-11-27T09:00", "2026-12-25T09:00", "2027-01-29T09:00"]


@pytest.mark.parametrize("last", [31, 30, -1])
def test_of_several_days_one_that_a_month_lacks_is_its_last_day_and_comes_once(last: int) -> None:
    found = rule(Every(unit="month", day=1, also=frozenset({last, 30})), 1_801_436_400_000)  # 2027-02-01T00:00
    assert first(found, 3, 1_801_436_400_000) == ["2027-02-01T09:00", "2027-02-28T09:00", "2027-03-01T09:00"]


@pytest.mark.parametrize("every", [Every(unit="week", also=frozenset({1})), Every(unit="month", also=frozenset({1}))])
def test_more_days_without_a_first_one_are_none(every: Every) -> None:
    with pytest.raises(Impossible):
        resolve(every, SATURDAY, BERLIN)


def test_the_31st_is_the_last_day_of_a_shorter_month() -> None:
    found = rule(Every(unit="month", day=31))
    assert found == Rule(cron="0 9 31 * *", zone="Europe/Berlin", unit="month")
    assert first(found, 4) == ["2026-11-30T09:00", "2026-12-31T09:00", "2027-01-31T09:00", "2027-02-28T09:00"]


def test_every_month_said_on_a_31st_leaves_out_none() -> None:
    said_at = round(datetime(2026, 12, 31, 10, tzinfo=BERLIN).timestamp() * 1000)
    found = rule(Every(unit="month"), said_at)
    assert first(found, 3, said_at) == ["2027-01-31T09:00", "2027-02-28T09:00", "2027-03-31T09:00"]


def test_a_birthday_on_29_february_comes_every_year() -> None:
    found = rule(Every(unit="year", day=29, month=2))
    assert first(found, 3) == ["2027-02-28T09:00", "2028-02-29T09:00", "2029-02-28T09:00"]


def test_every_other_monday_begins_with_the_coming_one() -> None:
    wednesday = round(datetime(2026, 11, 25, 10, tzinfo=BERLIN).timestamp() * 1000)
    found = rule(Every(unit="week", n=2, weekdays=frozenset({MON}), clocks=at(10)), wednesday)
    assert found == Rule(cron="0 10 * * 1", zone="Europe/Berlin", every=2, unit="week", anchor="2026-11-30")
    assert first(found, 3, wednesday) == ["2026-11-30T10:00", "2026-12-14T10:00", "2026-12-28T10:00"]


def test_every_other_week_on_two_days_keeps_them_together() -> None:
    every = Every(unit="week", n=2, weekdays=frozenset({MON, THU}))
    assert [day[:10] for day in first(rule(every), 4)] == ["2026-11-23", "2026-11-26", "2026-12-07", "2026-12-10"]


def test_every_other_day_begins_with_the_next_time_the_clock_shows_it() -> None:
    found = rule(Every(unit="day", n=2, clocks=at(17)))
    assert first(found, 3) == ["2026-11-21T17:00", "2026-11-23T17:00", "2026-11-25T17:00"]
    assert first(rule(Every(unit="day", n=2)), 2) == ["2026-11-22T09:00", "2026-11-24T09:00"]


@pytest.mark.parametrize(
    ("every", "days"),
    [
        (Every(unit="week", n=2), ["2026-12-09T09:00", "2026-12-23T09:00"]),
        (Every(unit="week", n=2, clocks=at(17)), ["2026-11-25T17:00", "2026-12-09T17:00"]),
        (Every(unit="month", n=6), ["2027-05-25T09:00", "2027-11-25T09:00"]),
        (Every(unit="year", n=2), ["2028-11-25T09:00", "2030-11-25T09:00"]),
    ],
)
def test_every_so_many_weeks_months_or_years_without_a_day_are_counted_from_this_one(
    every: Every, days: list[str]
) -> None:
    wednesday = round(datetime(2026, 11, 25, 10, tzinfo=BERLIN).timestamp() * 1000)
    assert first(rule(every, wednesday), 2, wednesday) == days


def test_every_three_months_on_the_31st() -> None:
    found = rule(Every(unit="month", n=3, day=31))
    assert first(found, 3) == ["2026-11-30T09:00", "2027-02-28T09:00", "2027-05-31T09:00"]


def test_every_other_year_on_29_february() -> None:
    assert first(rule(Every(unit="year", n=2, day=29, month=2)), 2) == ["2027-02-28T09:00", "2029-02-28T09:00"]


def test_public_holidays_of_the_zone_are_left_out_of_what_comes_by_days() -> None:
    # Christmas Eve is a working day in Germany, and 2026-12-25 is a Friday.
    found = rule(Every(unit="week", weekdays=frozenset(range(5)), but_holidays=True))
    assert found == Rule(cron="0 9 * * 1-5", zone="Europe/Berlin", without="DE")
    eve = round(datetime(2026, 12, 24, 8, tzinfo=BERLIN).timestamp() * 1000)
    assert [day[:10] for day in first(found, 7, eve)] == [
        *("2026-12-24", "2026-12-28", "2026-12-29", "2026-12-30", "2026-12-31", "2027-01-04", "2027-01-05")
    ]
    # The one before is found by the same days.
    assert last_before(found, eve + 4 * 86_400_000) == next_after(found, eve)
    assert load(dump(found)) == found
    assert "without" not in dump(rule(Every(unit="day")))


@pytest.mark.parametrize(
    ("every", "zone"),
    [
        (Every(unit="year", day=25, month=12, but_holidays=True), BERLIN),
        (Every(unit="hour", but_holidays=True), BERLIN),
        (Every(unit="day", but_holidays=True), ZoneInfo("UTC")),
    ],
)
def test_what_would_come_on_holidays_only_or_where_none_are_known_is_impossible(every: Every, zone: ZoneInfo) -> None:
    with pytest.raises(Impossible):
        resolve(every, SATURDAY, zone)
