"""Local times become instants, also those a zone skips or has twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.timing.zones import to_instant, to_local, to_second

ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Africa/Casablanca",
    "Pacific/Apia",
    "America/St_Johns",
]
MINUTE = 60_000


def ms(iso: str) -> int:
    return round(datetime.fromisoformat(iso).timestamp() * 1000)


SKIPPED = [
    ("Europe/Berlin", "2026-03-29T02:00", "2026-03-29T03:00+02:00"),
    ("Europe/Berlin", "2026-03-29T02:59", "2026-03-29T03:00+02:00"),
    ("America/New_York", "2026-03-08T02:30", "2026-03-08T03:00-04:00"),
    ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:30+11:00"),
    ("America/Sao_Paulo", "2018-11-04T00:00", "2018-11-04T01:00-02:00"),
    ("America/Sao_Paulo", "2018-11-04T00:30", "2018-11-04T01:00-02:00"),
    ("Africa/Casablanca", "2025-04-06T02:30", "2025-04-06T03:00+01:00"),
    ("Pacific/Apia", "2011-12-30T00:00", "2011-12-31T00:00+14:00"),
    ("Pacific/Apia", "2011-12-30T17:00", "2011-12-31T00:00+14:00"),
]
TWICE = [
    ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T02:30+02:00", 60),
    ("America/New_York", "2026-11-01T01:30", "2026-11-01T01:30-04:00", 60),
    ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-05T01:45+11:00", 30),
    ("America/Sao_Paulo", "2019-02-16T23:30", "2019-02-16T23:30-02:00", 60),
    ("Africa/Casablanca", "2025-02-23T02:30", "2025-02-23T02:30+01:00", 60),
]


@pytest.mark.parametrize(("zone", "wall", "instant"), SKIPPED)
def test_a_time_that_is_skipped_is_the_first_instant_after_the_gap(zone: str, wall: str, instant: str) -> None:
    assert to_instant(datetime.fromisoformat(wall), ZoneInfo(zone)) == ms(instant)


@pytest.mark.parametrize(("zone", "wall", "instant", "again"), TWICE)
def test_a_time_that_exists_twice_is_the_first(zone: str, wall: str, instant: str, again: int) -> None:
    assert to_instant(datetime.fromisoformat(wall), ZoneInfo(zone)) == ms(instant)
    assert to_second(datetime.fromisoformat(wall), ZoneInfo(zone)) == ms(instant) + again * MINUTE


def test_a_zone_without_changes_has_neither() -> None:
    wall = datetime.fromisoformat("2026-03-29T02:30")
    zone = ZoneInfo("Asia/Kolkata")
    assert to_instant(wall, zone) == to_second(wall, zone) == ms("2026-03-29T02:30+05:30")


@given(st.sampled_from(ZONES), st.integers(ms("1975-01-01T00:00Z"), ms("2036-01-01T00:00Z")))
def test_what_a_clock_shows_leads_back_to_the_first_instant_it_did(name: str, at: int) -> None:
    zone = ZoneInfo(name)
    wall = to_local(at, zone).replace(tzinfo=None)
    first = to_instant(wall, zone)
    assert first <= at
    assert to_local(first, zone).replace(tzinfo=None, fold=0) == wall.replace(fold=0)
    assert at in {first, to_second(wall, zone)}


@given(st.sampled_from(ZONES), st.datetimes(datetime(1975, 1, 1), datetime(2036, 1, 1)))  # noqa: DTZ001 - a wall clock
def test_no_instant_before_shows_the_time_or_a_later_one(name: str, wall: datetime) -> None:
    zone = ZoneInfo(name)
    wall = wall.replace(microsecond=0)
    at = to_instant(wall, zone)
    assert to_local(at, zone).replace(tzinfo=None) >= wall
    assert to_local(at - 1, zone).replace(tzinfo=None) < wall


@given(st.integers(0, 4_000_000_000_000))
def test_a_millisecond_is_kept(at: int) -> None:
    shown = to_local(at, ZoneInfo("Europe/Berlin"))
    assert (shown - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1) == at
