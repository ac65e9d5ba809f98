"""A series may have an end: the last day on which a rule comes, or the last instant of an interval."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.timing.expressions import At, Clock, Delay, Every, InDays, Weekday
from core.kernel.timing.resolve import Impossible, resolve
from core.kernel.timing.schedule import Interval, Rule, Schedule, Timed, dump, last_before, load, next_after
from core.kernel.timing.zones import to_local

BERLIN = ZoneInfo("Europe/Berlin")
SATURDAY = 1_795_251_600_000  # 2026-11-21T10:00
HOUR = 3_600_000
FRIDAY = At(day=Weekday(weekday=4))


def series(every: Every, said_at: int = SATURDAY) -> Timed:
    return resolve(every, said_at, BERLIN).schedule


def all_of(schedule: Schedule, after: int = SATURDAY) -> list[str]:
    found = []
    while (at := next_after(schedule, after)) is not None:
        found.append(f"{to_local(at, BERLIN):%m-%dT%H:%M}")
        after = at
    return found


def test_seven_days_are_seven_times_from_the_first_one_on() -> None:
    found = series(Every(unit="day", clocks=(Clock(hour=8),), until=Delay(days=7)))
    assert found == Rule(cron="0 8 * * *", zone="Europe/Berlin", until="2026-11-28")
    assert all_of(found) == [f"11-{day}T08:00" for day in range(22, 29)]


def test_what_still_comes_today_counts_as_the_first_day() -> None:
    found = series(Every(unit="day", clocks=(Clock(hour=20),), until=Delay(days=3)))
    assert all_of(found) == [f"11-{day}T20:00" for day in (21, 22, 23)]


def test_weeks_and_months_count_from_the_first_time() -> None:
    mondays = Every(unit="week", weekdays=frozenset({0}), until=Delay(days=28))
    assert all_of(series(mondays)) == ["11-23T09:00", "11-30T09:00", "12-07T09:00", "12-14T09:00"]
    monthly = Every(unit="month", day=1, until=Delay(months=3))
    assert all_of(series(monthly)) == ["12-01T09:00", "01-01T09:00", "02-01T09:00"]


def test_the_last_day_is_one_of_it() -> None:
    assert all_of(series(Every(unit="day", until=FRIDAY)))[-1] == "11-27T09:00"
    assert all_of(series(Every(unit="week", weekdays=frozenset({4}), until=FRIDAY))) == ["11-27T09:00"]


def test_an_interval_ends_at_an_instant_or_with_a_day() -> None:
    until_one = Every(unit="hour", until=At(clock=Clock(hour=13)))
    assert all_of(series(until_one)) == ["11-21T11:00", "11-21T12:00", "11-21T13:00"]
    today = series(Every(unit="hour", n=6, until=At(day=InDays(days=0))))
    assert all_of(today) == ["11-21T16:00", "11-21T22:00"]
    said_at = SATURDAY + 20_500
    for_two_hours = series(Every(unit="minute", n=40, until=Delay(seconds=7_200)), said_at)
    assert all_of(for_two_hours, said_at) == ["11-21T10:40", "11-21T11:20", "11-21T12:00"]


@pytest.mark.parametrize(
    "every",
    [
        Every(unit="day", clocks=(Clock(hour=9),), until=At(day=InDays(days=0))),
        Every(unit="day", clocks=(Clock(hour=9),), until=Delay(seconds=3_600)),
        Every(unit="hour", n=2, until=Delay(seconds=3_600)),
        Every(unit="week", weekdays=frozenset({6}), until=At(day=InDays(days=0))),
    ],
)
def test_what_would_end_before_it_begins_is_impossible(every: Every) -> None:
    with pytest.raises(Impossible):
        series(every)


def test_the_other_half_of_the_day_ends_as_well() -> None:
    found = resolve(Every(unit="day", clocks=(Clock(hour=3, certain=False),), until=Delay(days=2)), SATURDAY, BERLIN)
    assert found.schedule == Rule(cron="0 15 * * *", zone="Europe/Berlin", until="2026-11-22")
    assert found.other == Rule(cron="0 3 * * *", zone="Europe/Berlin", until="2026-11-23")


def test_another_zone_keeps_the_last_day() -> None:
    rule = Rule(cron="0 20 * * *", zone="America/New_York", until="2026-11-22")
    assert all_of(rule) == ["11-22T02:00", "11-23T02:00"]


def test_what_has_no_end_is_written_as_it_was_before_there_were_ends() -> None:
    assert dump(Interval(seconds=60, start=5)) == '{"kind":"interval","seconds":60,"start":5}'
    assert "until" not in dump(Rule(cron="0 9 * * *", zone="UTC"))


ENDED = st.one_of(
    st.builds(
        Interval,
        seconds=st.integers(60, 100_000),
        start=st.just(SATURDAY),
        until=st.integers(0, 9).map(lambda days: SATURDAY + days * 24 * HOUR if days else 0),
    ),
    st.builds(
        Rule,
        cron=st.sampled_from(["0 8 * * *", "*/30 * * * *", "15 9 * * 1-5", "0 9 1 * *", "0 9 * * 5L"]),
        zone=st.sampled_from(["Europe/Berlin", "America/New_York", "UTC"]),
        every=st.integers(1, 3),
        anchor=st.just("2026-11-02"),
        until=st.sampled_from(["", "2026-11-21", "2026-11-25", "2027-03-01"]),
    ),
)


@given(schedule=ENDED, hours=st.integers(1, 240))
def test_the_last_time_before_an_instant_is_the_last_that_came(schedule: Timed, hours: int) -> None:
    assert load(dump(schedule)) == schedule
    now, came = SATURDAY + hours * HOUR, list[int]()
    while (at := next_after(schedule, came[-1] if came else SATURDAY)) is not None and at < now:
        came.append(at)
    if came:
        assert last_before(schedule, now) == came[-1]
    if came and isinstance(schedule, Rule) and schedule.until:
        assert f"{to_local(came[-1], ZoneInfo(schedule.zone)):%Y-%m-%d}" <= schedule.until
