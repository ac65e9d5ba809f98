"""What a phrase about time comes to: the instant most likely meant, and the other one it may mean."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.kernel.timing.expressions import At, Clock, Date, Delay, Every, Expression, InDays, NthWeekday, Weekday
from core.kernel.timing.resolve import Impossible, Reading, resolve
from core.kernel.timing.schedule import Interval, Once, Rule, dump, load, next_after

BERLIN = ZoneInfo("Europe/Berlin")
NOW = 1_795_251_600_000
SATURDAY = "2026-11-21T10:00"
MON, WED, FRI, SAT, SUN = 0, 2, 4, 5, 6


def ms(wall: str, zone: ZoneInfo = BERLIN) -> int:
    said = datetime.fromisoformat(wall)
    return round((said if said.tzinfo else said.replace(tzinfo=zone)).timestamp() * 1000)


def about(hour: int, minute: int = 0) -> Clock:
    return Clock(hour=hour, minute=minute, certain=False)


def walls(reading: Reading) -> list[str]:
    """Return the local times of a reading and its other one, checked against their instants."""
    found = [one for one in (reading.schedule, reading.other) if one is not None]
    for one in found:
        assert isinstance(one, Once)
        assert one.at == ms(one.wall)
    return [one.wall for one in found if isinstance(one, Once)]


NEXT_SHOWN = [
    ("10:00", Clock(hour=17), ["21T17:00"]),
    ("10:00", Clock(hour=9), ["22T09:00"]),
    ("10:00", Clock(hour=10), ["22T10:00"]),
    ("10:00", Clock(hour=10, minute=1), ["21T10:01"]),
    ("10:00", Clock(hour=0), ["22T00:00"]),
    ("08:00", about(9), ["21T09:00", "21T21:00"]),
    ("10:00", about(9), ["21T21:00", "22T09:00"]),
    ("22:00", about(9), ["22T09:00", "22T21:00"]),
    ("10:00", about(3), ["21T15:00", "22T03:00"]),
    ("16:00", about(3), ["22T15:00", "22T03:00"]),
    ("00:30", about(1), ["21T01:00", "21T13:00"]),
    ("05:00", about(6), ["21T06:00", "21T18:00"]),
    ("21:30", about(11), ["21T23:00", "22T11:00"]),
    ("12:30", about(11), ["22T11:00", "21T23:00"]),
    ("10:00", about(12), ["21T12:00", "22T00:00"]),
    ("23:30", about(12), ["22T12:00", "22T00:00"]),
    ("10:00", about(17), ["21T17:00"]),
    ("10:00", about(0, 30), ["22T00:30"]),
    ("10:00", about(10, 30), ["21T10:30", "21T22:30"]),
    ("10:00", None, ["22T09:00"]),
]


@pytest.mark.parametrize(("said", "clock", "meant"), NEXT_SHOWN)
def test_a_clock_alone_is_when_it_shows_that_next(said: str, clock: Clock | None, meant: list[str]) -> None:
    reading = resolve(At(clock=clock), ms(f"2026-11-21T{said}"), BERLIN)
    assert walls(reading) == [f"2026-11-{wall}" for wall in meant]


ON_DAYS = [
    (InDays(days=0), Clock(hour=17), ["2026-11-21T17:00"]),
    (InDays(days=0), Clock(hour=9), ["2026-11-21T09:00"]),
    (InDays(days=0), about(9), ["2026-11-21T21:00"]),
    (InDays(days=0), about(3), ["2026-11-21T15:00"]),
    (InDays(days=0), about(11), ["2026-11-21T11:00", "2026-11-21T23:00"]),
    (InDays(days=0), None, ["2026-11-21T11:00"]),
    (InDays(days=-1), None, ["2026-11-20T09:00"]),
    (InDays(days=1), None, ["2026-11-22T09:00"]),
    (InDays(days=1), about(9), ["2026-11-22T09:00"]),
    (InDays(days=1), about(3), ["2026-11-22T15:00", "2026-11-22T03:00"]),
    (InDays(days=1), about(12), ["2026-11-22T12:00"]),
    (InDays(days=1), about(6, 30), ["2026-11-22T18:30", "2026-11-22T06:30"]),
    (InDays(days=1), about(7), ["2026-11-22T07:00"]),
    (InDays(days=40), Clock(hour=3), ["2026-12-31T03:00"]),
    (Weekday(weekday=FRI), Clock(hour=15), ["2026-11-27T15:00"]),
    (Weekday(weekday=FRI), None, ["2026-11-27T09:00"]),
    (Weekday(weekday=SAT), Clock(hour=15), ["2026-11-21T15:00"]),
    (Weekday(weekday=SAT), Clock(hour=9), ["2026-11-28T09:00"]),
    (Weekday(weekday=SAT), about(3), ["2026-11-21T15:00"]),
    (Weekday(weekday=SAT), None, ["2026-11-28T09:00"]),
    (Weekday(weekday=SUN), Clock(hour=8), ["2026-11-22T08:00"]),
    (Weekday(weekday=MON), None, ["2026-11-23T09:00"]),
    (Weekday(weekday=FRI, weeks=0), None, ["2026-11-20T09:00"]),
    (Weekday(weekday=FRI, weeks=1), None, ["2026-11-27T09:00"]),
    (Weekday(weekday=SUN, weeks=1), None, ["2026-11-29T09:00"]),
    (Weekday(weekday=WED, weeks=2), None, ["2026-12-02T09:00"]),
    (Weekday(weekday=FRI, doubtful=True), Clock(hour=15), ["2026-11-27T15:00"]),
    (Weekday(weekday=SUN, doubtful=True), None, ["2026-11-29T09:00", "2026-11-22T09:00"]),
    (Weekday(weekday=SAT, doubtful=True), Clock(hour=15), ["2026-11-28T15:00", "2026-11-21T15:00"]),
    (Date(day=27, month=11), Clock(hour=17), ["2026-11-27T17:00"]),
    (Date(day=3, month=5), None, ["2027-05-03T09:00"]),
    (Date(day=21, month=11), None, ["2026-11-21T11:00"]),
    (Date(day=21, month=11), Clock(hour=9), ["2027-11-21T09:00"]),
    (Date(day=21, month=11), Clock(hour=11), ["2026-11-21T11:00"]),
    (Date(day=29, month=2), None, ["2028-02-29T09:00"]),
    (Date(day=5), None, ["2026-12-05T09:00"]),
    (Date(day=13, weekday=SUN), None, ["2026-12-13T09:00"]),
    (Date(day=13, weekday=FRI), None, ["2027-08-13T09:00"]),
    (NthWeekday(weekday=SUN, nth=2, month=5), None, ["2027-05-09T09:00"]),
    (NthWeekday(weekday=SUN, nth=2, month=5, years=0), None, ["2026-05-10T09:00"]),
    (NthWeekday(weekday=SUN, nth=2, month=12, years=1), None, ["2027-12-12T09:00"]),
    (InDays(days=1), Clock(hour=0), ["2026-11-22T00:00"]),
    (InDays(days=1), about(0), ["2026-11-22T00:00", "2026-11-23T00:00"]),
    (Weekday(weekday=FRI), about(0), ["2026-11-27T00:00", "2026-11-28T00:00"]),
    (Date(day=30), Clock(hour=8), ["2026-11-30T08:00"]),
    (Date(day=31), None, ["2026-12-31T09:00"]),
    (Date(day=21), Clock(hour=9), ["2026-12-21T09:00"]),
    (Date(day=-1), None, ["2026-11-30T09:00"]),
    (Date(day=-1, month=2), None, ["2027-02-28T09:00"]),
    (Date(day=5, months=0), None, ["2026-11-05T09:00"]),
    (Date(day=5, months=1), Clock(hour=8), ["2026-12-05T08:00"]),
    (Date(day=-1, months=3), None, ["2027-02-28T09:00"]),
    (Date(day=3, month=5, years=0), None, ["2026-05-03T09:00"]),
    (Date(day=3, month=5, years=1), None, ["2027-05-03T09:00"]),
    (Date(day=3, month=5, year=2020), None, ["2020-05-03T09:00"]),
    (Date(day=3, month=5, year=2027), about(3), ["2027-05-03T15:00", "2027-05-03T03:00"]),
    (Date(day=13, weekday=SUN), None, ["2026-12-13T09:00"]),
    (Date(day=27, month=11, weekday=FRI), None, ["2026-11-27T09:00"]),
    (Date(day=3, month=5, doubtful=True), None, ["2027-05-03T09:00", "2027-03-05T09:00"]),
    (Date(day=3, month=12, doubtful=True), None, ["2026-12-03T09:00", "2027-03-12T09:00"]),
    (Date(day=4, month=4, doubtful=True), None, ["2027-04-04T09:00"]),
    (Date(day=25, month=3, doubtful=True), None, ["2027-03-25T09:00"]),
    (Date(day=3, month=25, doubtful=True), None, ["2027-03-25T09:00"]),
    (Date(day=12, month=3, year=2026, doubtful=True), None, ["2026-12-03T09:00"]),
    (Date(day=3, month=5, year=2027, doubtful=True), None, ["2027-05-03T09:00", "2027-03-05T09:00"]),
]


@pytest.mark.parametrize(("day", "clock", "meant"), ON_DAYS)
def test_a_day_and_a_clock_are_an_instant(day: InDays | Weekday | Date, clock: Clock | None, meant: list[str]) -> None:
    assert walls(resolve(At(day=day, clock=clock), ms(SATURDAY), BERLIN)) == meant


@pytest.mark.parametrize("weeks", [None, 0])
@pytest.mark.parametrize(
    ("said", "clock", "meant"),
    [
        ("2026-11-27T21:59", None, "2026-11-28T09:00"),
        ("2026-11-28T08:00", None, "2026-11-28T09:00"),
        ("2026-11-28T21:59", None, "2026-11-29T09:00"),
        ("2026-11-28T21:59", Clock(hour=22), "2026-11-28T22:00"),
        ("2026-11-28T21:59", Clock(hour=20), "2026-11-29T20:00"),
        ("2026-11-29T04:06", None, "2026-11-29T09:00"),
        ("2026-11-29T09:00", None, "2026-12-05T09:00"),
        ("2026-11-29T10:00", Clock(hour=18), "2026-11-29T18:00"),
    ],
)
def test_a_weekend_is_sunday_where_only_that_is_to_come(
    weeks: int | None, said: str, clock: Clock | None, meant: str
) -> None:
    weekend = At(day=Weekday(weekday=SAT, weeks=weeks, weekend=True), clock=clock)
    assert walls(resolve(weekend, ms(said), BERLIN))[0] == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [("08:59", "21T09:00"), ("09:00", "21T10:00"), ("14:20", "21T16:00"), ("22:00", "21T23:00"), ("23:10", "22T01:00")],
)
def test_today_without_a_clock_is_the_morning_or_in_an_hour_rounded_up(said: str, meant: str) -> None:
    assert walls(resolve(At(day=InDays(days=0)), ms(f"2026-11-21T{said}"), BERLIN)) == [f"2026-11-{meant}"]


def test_on_the_31st_passes_over_months_without_it() -> None:
    assert walls(resolve(At(day=Date(day=31)), ms("2027-01-31T12:00"), BERLIN)) == ["2027-01-31T13:00"]
    assert walls(resolve(At(day=Date(day=31)), ms("2027-02-01T12:00"), BERLIN)) == ["2027-03-31T09:00"]


DELAYS = [
    (Delay(seconds=1200), "2026-11-21T10:00+01:00", "2026-11-21T10:20+01:00"),
    (Delay(seconds=1), "2026-11-21T10:00:00.250+01:00", "2026-11-21T10:00:01.250+01:00"),
    (Delay(days=1), "2026-10-24T10:00+02:00", "2026-10-25T10:00+01:00"),
    (Delay(seconds=86_400), "2026-10-24T10:00+02:00", "2026-10-25T09:00+01:00"),
    (Delay(days=1), "2026-03-28T02:30+01:00", "2026-03-29T03:00+02:00"),
    (Delay(days=1), "2026-10-24T02:30+02:00", "2026-10-25T02:30+02:00"),
    (Delay(seconds=3600), "2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00"),
    (Delay(months=1), "2027-01-31T10:00+01:00", "2027-02-28T10:00+01:00"),
    (Delay(months=13), "2027-01-31T10:00:07.120+01:00", "2028-02-29T10:00:07.120+01:00"),
    (Delay(months=1, days=1, seconds=60), "2027-01-31T10:00+01:00", "2027-03-01T10:01+01:00"),
]


@pytest.mark.parametrize(("delay", "said", "meant"), DELAYS)
def test_seconds_pass_and_days_keep_the_time_of_day(delay: Delay, said: str, meant: str) -> None:
    assert resolve(delay, ms(said), BERLIN) == Reading(schedule=Once(at=ms(meant)))


CHANGED = [
    ("Europe/Berlin", "2026-03-28T20:00+01:00", Clock(hour=2, minute=30), "2026-03-29T03:00+02:00"),
    ("Europe/Berlin", "2026-10-24T20:00+02:00", Clock(hour=2, minute=30), "2026-10-25T02:30+02:00"),
    ("Europe/Berlin", "2026-10-25T02:40+02:00", Clock(hour=2, minute=30), "2026-10-25T02:30+01:00"),
    ("Europe/Berlin", "2026-10-25T02:10+01:00", Clock(hour=2, minute=30), "2026-10-25T02:30+01:00"),
    ("Europe/Berlin", "2026-10-25T02:30+01:00", Clock(hour=2, minute=30), "2026-10-26T02:30+01:00"),
    ("America/New_York", "2026-03-07T20:00-05:00", Clock(hour=2), "2026-03-08T03:00-04:00"),
    ("Australia/Lord_Howe", "2026-10-03T20:00+10:30", Clock(hour=2, minute=10), "2026-10-04T02:30+11:00"),
    ("America/Sao_Paulo", "2018-11-03T20:00-03:00", Clock(hour=0), "2018-11-04T01:00-02:00"),
    ("Africa/Casablanca", "2025-04-05T20:00+00:00", Clock(hour=2, minute=30), "2025-04-06T03:00+01:00"),
    ("Asia/Kolkata", "2026-03-28T20:00+05:30", Clock(hour=2, minute=30), "2026-03-29T02:30+05:30"),
    ("Pacific/Apia", "2011-12-29T20:00-10:00", Clock(hour=9), "2011-12-31T00:00+14:00"),
]


@pytest.mark.parametrize(("zone", "said", "clock", "meant"), CHANGED)
def test_a_clock_that_changes_shows_it_as_its_zone_has_it(zone: str, said: str, clock: Clock, meant: str) -> None:
    found = resolve(At(clock=clock), ms(said), ZoneInfo(zone)).schedule
    assert isinstance(found, Once)
    assert found.at == ms(meant)
    assert found.wall.endswith(f"{clock.hour:02}:{clock.minute:02}")


IMPOSSIBLE: list[Expression] = [
    At(day=Date(day=31, month=2)),
    At(day=Date(day=30, month=2, doubtful=True)),
    At(day=Date(day=27, month=11, weekday=SAT)),
    At(day=Date(day=27, month=11, year=2026, weekday=SAT)),
    At(day=Date(day=1, month=13)),
    At(day=Date(day=0, month=0, doubtful=True)),
    At(day=Date(day=29, month=2, year=2027)),
    At(day=Date(day=1, month=1, year=12_000)),
    At(day=Date(day=1, month=1, year=0)),
    At(day=Date(day=1, year=2027)),
    At(day=Date(day=32)),
    At(day=Date(day=31, months=3)),
    At(day=Date(day=1, months=10**30)),
    At(day=Weekday(weekday=7)),
    At(day=Weekday(weekday=-1)),
    At(day=InDays(days=10**9)),
    At(clock=Clock(hour=24)),
    At(clock=Clock(hour=9, minute=75, certain=False)),
    Delay(),
    Delay(seconds=-5),
    Delay(days=-1),
    Delay(months=10**6),
    Delay(seconds=10**15),
    Every(unit="day", n=0),
    Every(unit="minute", n=10**15),
    Every(unit="hour", clocks=(Clock(hour=9),)),
    Every(unit="hour", weekdays=frozenset({MON})),
    Every(unit="day", n=2, weekdays=frozenset({MON})),
    Every(unit="day", day=5),
    Every(unit="week", weekdays=frozenset({8})),
    Every(unit="month", month=5),
    Every(unit="month", day=32),
    Every(unit="month", day=0),
    Every(unit="month", weekdays=frozenset({MON})),
    Every(unit="month", nth=2),
    Every(unit="month", nth=2, day=3, weekdays=frozenset({MON})),
    Every(unit="month", nth=6, weekdays=frozenset({MON})),
    Every(unit="month", nth=1, weekdays=frozenset({MON, FRI})),
    Every(unit="year", day=31, month=4),
    Every(unit="year", day=1, month=0),
]


@pytest.mark.parametrize("expression", IMPOSSIBLE)
def test_what_no_calendar_has_is_impossible(expression: Expression) -> None:
    with pytest.raises(Impossible, match=r"^[a-z0-9]"):
        resolve(expression, ms(SATURDAY), BERLIN)


ANY = st.integers(-40, 40) | st.integers() | st.integers(10**9, 10**12) | st.sampled_from([10**30, -(10**30), 9999])
MAYBE = st.none() | ANY
CLOCKS = st.builds(Clock, hour=st.integers(0, 23) | ANY, minute=st.integers(0, 59) | ANY, certain=st.booleans())
DAYS = (
    st.builds(InDays, days=ANY)
    | st.builds(Weekday, weekday=st.integers(0, 6) | ANY, weeks=MAYBE, doubtful=st.booleans())
    | st.builds(Date, day=ANY, month=MAYBE, year=MAYBE, years=MAYBE, months=MAYBE, doubtful=st.booleans())
)
WILD = (
    st.builds(Delay, seconds=ANY, days=ANY, months=ANY)
    | st.builds(At, day=st.none() | DAYS, clock=st.none() | CLOCKS)
    | st.builds(
        Every,
        unit=st.sampled_from(["minute", "hour", "day", "week", "month", "year"]),
        n=st.integers(1, 12) | ANY,
        clocks=st.lists(CLOCKS, max_size=2).map(tuple),
        weekdays=st.frozensets(st.integers(0, 6) | ANY, max_size=3),
        day=MAYBE,
        nth=st.none() | st.integers(-1, 5) | ANY,
        month=MAYBE,
    )
)


@settings(max_examples=400)
@given(
    WILD,
    st.integers(0, 4_000_000_000_000),
    st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"]),
)
@example(Delay(seconds=67_768_036_191_291_128, months=7), NOW, "Pacific/Apia")  # beyond the clocks of the machine
def test_any_numbers_are_a_schedule_or_impossible(expression: Expression, said_at: int, zone: str) -> None:
    reading = none = Reading(schedule=Once(at=0))
    with contextlib.suppress(Impossible):
        reading = resolve(expression, said_at, ZoneInfo(zone))
    if reading is none:
        return
    for schedule in (reading.schedule, reading.other or reading.schedule):
        assert load(dump(schedule)) == schedule
        following = next_after(schedule, said_at)
        assert following is None or following > said_at
        assert following is not None or isinstance(schedule, Once)


def test_a_rule_may_be_meant_early_in_the_day_where_a_time_may_and_an_interval_never() -> None:
    afternoon, early = (Rule(cron=f"30 {hour} * * *", zone="Europe/Berlin") for hour in (14, 2))
    every = Every(unit="day", clocks=(about(2, 30),))
    assert resolve(every, ms(SATURDAY), BERLIN) == Reading(schedule=afternoon, other=early)
    for clocks in ((Clock(hour=14, minute=30),), (about(2, 30), about(3, 30))):
        assert resolve(Every(unit="day", clocks=clocks), ms(SATURDAY), BERLIN).other is None
    assert resolve(Every(unit="day", clocks=(about(9),)), ms(SATURDAY), BERLIN).other is None
    assert resolve(Every(unit="hour"), 7, BERLIN) == Reading(schedule=Interval(seconds=3600, start=7))


def test_so_long_before_a_time_counts_days_on_the_calendar_and_hours_as_they_pass() -> None:
    # The clocks are set forward on Sunday 28 March: between Saturday 10:00 and Sunday 10:00 lie 23 hours.
    def wall(ahead: Delay) -> str:
        sunday = At(day=Date(day=28, month=3), clock=about(10), ahead=ahead)
        found = resolve(sunday, ms("2027-03-20T12:00"), BERLIN)
        assert isinstance(found.schedule, Once)
        assert (found.schedule.at, found.other) == (ms(found.schedule.wall), None)
        return found.schedule.wall

    assert wall(Delay(days=1)) == "2027-03-27T10:00"
    assert wall(Delay(seconds=86_400)) == "2027-03-27T09:00"
    assert wall(Delay(seconds=9 * 3_600)) == "2027-03-28T00:00"


def test_before_what_may_be_in_either_half_of_a_day_both_are_offered() -> None:
    flight = At(day=InDays(days=1), clock=about(6), ahead=Delay(seconds=3_600))
    assert walls(resolve(flight, ms(SATURDAY), BERLIN)) == ["2026-11-22T17:00", "2026-11-22T05:00"]


def test_days_after_a_day_are_to_come_when_that_day_is_over() -> None:
    christmas = At(day=Date(day=25, month=12), ahead=Delay(days=-2))
    for said, due in (("2026-12-26T20:00", "2026"), ("2026-12-27T08:00", "2026"), ("2026-12-28T08:00", "2027")):
        assert walls(resolve(christmas, ms(said), BERLIN)) == [f"{due}-12-27T09:00"]


@pytest.mark.parametrize(
    ("said", "when", "expected"),
    [
        (SATURDAY, At(clock=Clock(hour=15), zone="America/New_York"), ["2026-11-21T21:00"]),
        ("2026-11-21T16:00", At(clock=about(5), zone="America/New_York"), ["2026-11-21T23:00", "2026-11-22T11:00"]),
        (SATURDAY, At(day=InDays(days=1), clock=Clock(hour=9), zone="Asia/Tokyo"), ["2026-11-22T01:00"]),
        # In New York it is still Saturday.
        (
            "2026-11-22T01:00",
            At(day=InDays(days=1), clock=Clock(hour=9), zone="America/New_York"),
            ["2026-11-23T15:00"],
        ),
        # Clocks are put back in Berlin, and a week later in New York.
        ("2026-10-26T10:00", At(clock=Clock(hour=15), zone="America/New_York"), ["2026-10-26T20:00"]),
        (SATURDAY, At(clock=Clock(hour=15), ahead=Delay(seconds=600), zone="America/New_York"), ["2026-11-21T20:50"]),
    ],
)
def test_a_clock_of_another_zone_is_shown_by_the_one_here(said: str, when: At, expected: list[str]) -> None:
    assert walls(resolve(when, ms(said), BERLIN)) == expected


@pytest.mark.parametrize(
    ("zone", "said", "when", "expected"),
    [
        ("Asia/Tokyo", "2026-11-26T08:00", At(day=InDays(days=0), clock=Clock(hour=19)), "2026-11-26T09:00"),
        ("America/Los_Angeles", "2026-11-26T18:00", At(day=InDays(days=1), clock=Clock(hour=9)), "2026-11-27T06:00"),
        (
            "Pacific/Auckland",
            "2026-11-26T08:00",
            At(day=Weekday(weekday=FRI), clock=Clock(hour=17)),
            "2026-11-28T11:00",
        ),
        # There it is still Friday.
        (
            "Pacific/Auckland",
            "2026-11-28T08:00",
            At(day=Weekday(weekday=FRI), clock=Clock(hour=17)),
            "2026-11-28T11:00",
        ),
        ("Europe/London", "2026-11-25T14:13", At(day=InDays(days=1), clock=Clock(hour=19)), "2026-11-27T00:00"),
    ],
)
def test_a_day_with_a_clock_of_another_zone_is_one_of_that_zone(zone: str, said: str, when: At, expected: str) -> None:
    here = ZoneInfo(zone)
    found = resolve(replace(when, zone="America/New_York"), ms(said, here), here).schedule
    assert isinstance(found, Once)
    assert found.wall == expected


@pytest.mark.parametrize(
    ("said", "clock", "wall"),
    [
        ("2026-11-21T23:20", 3, "2026-11-22T03:00"),
        ("2026-11-21T00:20", 3, "2026-11-21T03:00"),
        ("2026-11-21T04:10", 3, "2026-11-22T03:00"),  # that night's three o'clock is over
        ("2026-11-21T05:00", 3, "2026-11-22T03:00"),
        ("2026-11-21T00:20", 0, "2026-11-22T00:00"),
    ],
)
def test_after_midnight_tonight_is_the_night_that_is_still_on(said: str, clock: int, wall: str) -> None:
    tonight = At(day=InDays(days=1, night=True), clock=Clock(hour=clock))
    assert walls(resolve(tonight, ms(said), BERLIN)) == [wall]
