"""Rules at changes of the clock: nothing is dropped, nothing comes twice, what is even stays even."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.kernel.timing.cron import read
from core.kernel.timing.schedule import Rule, next_after
from core.kernel.timing.zones import to_local

MINUTE = 60_000
DAY = 1440 * MINUTE
# A zone and an instant shortly before its clocks change; the last one never does.
CHANGES = [
    ("Europe/Berlin", "2026-03-28T12:00Z"),
    ("Europe/Berlin", "2026-10-24T12:00Z"),
    ("America/New_York", "2026-03-07T12:00Z"),
    ("America/New_York", "2026-10-31T12:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T06:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T06:00Z"),
    ("America/Sao_Paulo", "2018-11-03T12:00Z"),
    ("America/Sao_Paulo", "2019-02-16T12:00Z"),
    ("Africa/Casablanca", "2025-02-22T12:00Z"),
    ("Africa/Casablanca", "2025-04-05T12:00Z"),
    ("Pacific/Apia", "2011-12-29T12:00Z"),
    ("Asia/Kolkata", "2026-03-28T12:00Z"),
]


def ms(iso: str) -> int:
    return round(datetime.fromisoformat(iso).timestamp() * 1000)


def come(cron: str, zone: str, begin: int, end: int) -> Iterator[int]:
    """Return all instants of a rule after `begin` and before `end`."""
    rule = Rule(cron=cron, zone=zone)
    following = next_after(rule, begin)
    while following is not None and following < end:
        yield following
        following = next_after(rule, following)


def shown(at: int, zone: ZoneInfo) -> datetime:
    return to_local(at, zone).replace(tzinfo=None)


def minute_by_minute(cron: str, zone: ZoneInfo, begin: int, end: int) -> list[int]:
    """Watch a clock: each time of the rule comes when the clock shows it first, or first shows a later one."""
    fields, found = read(cron).fields, []
    furthest = shown(begin, zone)
    for at in range(begin + MINUTE, end, MINUTE):
        passed = int(max(shown(at, zone) - furthest, timedelta()) / timedelta(minutes=1))
        walls = [furthest + timedelta(minutes=n) for n in range(1, passed + 1)]
        if any(w.minute in fields.minutes and w.hour in fields.hours and fields.match_day(w) for w in walls):
            found.append(at)
        furthest = max(furthest, shown(at, zone))
    return found


AT_TIMES = [
    # zone, cron, and when it comes
    ("Europe/Berlin", "30 2 * * *", "2026-03-28T03:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]),
    ("Europe/Berlin", "30 2 * * *", "2026-10-24T12:00Z", ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]),
    ("Europe/Berlin", "0 9 * * *", "2026-03-28T12:00Z", ["2026-03-29T07:00Z", "2026-03-30T07:00Z"]),
    ("Europe/Berlin", "0 9 * * *", "2026-10-24T12:00Z", ["2026-10-25T08:00Z", "2026-10-26T08:00Z"]),
    ("America/New_York", "30 2 * * *", "2026-03-07T12:00Z", ["2026-03-08T07:00Z", "2026-03-09T06:30Z"]),
    ("America/New_York", "30 1 * * *", "2026-10-31T12:00Z", ["2026-11-01T05:30Z", "2026-11-02T06:30Z"]),
    ("Australia/Lord_Howe", "15 2 * * *", "2026-10-03T06:00Z", ["2026-10-03T15:30Z", "2026-10-04T15:15Z"]),
    ("Australia/Lord_Howe", "45 1 * * *", "2026-04-04T06:00Z", ["2026-04-04T14:45Z", "2026-04-05T15:15Z"]),
    ("America/Sao_Paulo", "0 0 * * *", "2018-11-03T12:00Z", ["2018-11-04T03:00Z", "2018-11-05T02:00Z"]),
    ("America/Sao_Paulo", "30 23 * * *", "2019-02-16T12:00Z", ["2019-02-17T01:30Z", "2019-02-18T02:30Z"]),
    ("Africa/Casablanca", "30 2 * * *", "2025-04-05T12:00Z", ["2025-04-06T02:00Z", "2025-04-07T01:30Z"]),
    ("Africa/Casablanca", "30 2 * * *", "2025-02-22T12:00Z", ["2025-02-23T01:30Z", "2025-02-24T02:30Z"]),
    ("Asia/Kolkata", "30 2 * * *", "2026-03-28T12:00Z", ["2026-03-28T21:00Z", "2026-03-29T21:00Z"]),
    ("Pacific/Apia", "0 9 * * *", "2011-12-29T20:00Z", ["2011-12-30T10:00Z", "2011-12-30T19:00Z"]),
    ("Europe/Berlin", "0,30 2 * * *", "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:00Z"]),
    ("Europe/Berlin", "0 */2 * * *", "2026-10-24T22:30Z", ["2026-10-25T00:00Z", "2026-10-25T03:00Z"]),
]


@pytest.mark.parametrize(("zone", "cron", "after", "instants"), AT_TIMES)
def test_a_time_of_day_comes_on_its_day_and_once(zone: str, cron: str, after: str, instants: list[str]) -> None:
    found = list(come(cron, zone, ms(after), ms(after) + 3 * DAY))
    assert found[: len(instants)] == [ms(instant) for instant in instants]


@pytest.mark.parametrize(("zone", "before"), CHANGES)
def test_half_hours_are_even_in_every_zone(zone: str, before: str) -> None:
    found = list(come("*/30 * * * *", zone, ms(before), ms(before) + 2 * DAY))
    assert found == list(range(ms(before) + 30 * MINUTE, ms(before) + 2 * DAY, 30 * MINUTE))


@pytest.mark.parametrize(("zone", "before"), [change for change in CHANGES if change[0] != "Australia/Lord_Howe"])
def test_hours_are_even_where_clocks_change_by_whole_ones(zone: str, before: str) -> None:
    begin = ms(before) + (30 * MINUTE if zone == "Asia/Kolkata" else 0)
    found = list(come("0 * * * *", zone, begin, begin + 2 * DAY))
    assert found == list(range(begin + 60 * MINUTE, begin + 2 * DAY, 60 * MINUTE))


def test_hours_go_by_the_clock_where_it_changes_by_half_of_one() -> None:
    spring = come("0 * * * *", "Australia/Lord_Howe", ms("2026-10-03T14:00Z"), ms("2026-10-03T18:00Z"))
    autumn = come("0 * * * *", "Australia/Lord_Howe", ms("2026-04-04T13:30Z"), ms("2026-04-04T17:00Z"))
    assert list(spring) == [ms(f"2026-10-03T{at}Z") for at in ("14:30", "15:30", "16:00", "17:00")]
    assert list(autumn) == [ms(f"2026-04-04T{at}Z") for at in ("14:00", "15:30", "16:30")]


@settings(max_examples=60)
@given(
    st.sampled_from(CHANGES),
    st.integers(0, 59),
    st.lists(st.integers(0, 23), min_size=1, max_size=4, unique=True),
    st.sampled_from(["* * *", "* * 0", "* * 1-5", "29,30,31 * *", "L * *"]),
)
def test_a_rule_comes_exactly_when_the_clock_says(
    change: tuple[str, str], minute: int, hours: list[int], days: str
) -> None:
    zone, begin = ZoneInfo(change[0]), ms(change[1])
    cron = f"{minute},{(minute + 20) % 60} {','.join(map(str, hours))} {days}"
    found = list(come(cron, change[0], begin, begin + 2 * DAY))
    assert found == minute_by_minute(cron, zone, begin, begin + 2 * DAY)


@settings(max_examples=60)
@given(st.sampled_from(CHANGES), st.integers(0, 59), st.integers(1, 40))
def test_a_rule_for_every_hour_comes_each_time_a_clock_shows_its_minute(
    change: tuple[str, str], minute: int, step: int
) -> None:
    zone, begin = ZoneInfo(change[0]), ms(change[1])
    cron = f"{minute}-59/{step} * * * *"
    found = set(come(cron, change[0], begin, begin + 2 * DAY))
    watched = range(begin + MINUTE, begin + 2 * DAY, MINUTE)
    expected = {at for at in watched if shown(at, zone).minute in read(cron).minutes}
    skipped = ms("2026-10-03T15:30Z")  # the end of Lord Howe's gap, for what lies in it
    assert found - {skipped} == expected - {skipped}


@pytest.mark.parametrize(("zone", "before"), CHANGES)
def test_from_any_minute_the_next_one_is_the_same_as_from_the_one_before(zone: str, before: str) -> None:
    for cron in ("30 2 * * *", "45 1 * * *", "0 0 * * *", "20 * * * *"):
        every = list(come(cron, zone, ms(before), ms(before) + 2 * DAY))
        for at in range(ms(before), every[-1], 7 * MINUTE):
            following = next(one for one in every if one > at)
            assert next_after(Rule(cron=cron, zone=zone), at) == following
