"""Holidays that move from year to year, in the country whose clock somebody goes by."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from core.kernel.timing.expressions import At, Clock, Holiday
from core.kernel.timing.moving_holidays import EASTER, NAMED
from core.kernel.timing.resolve import Impossible, resolve
from core.kernel.timing.schedule import Once

SAID = 1_795_251_600_000  # 2026-11-21T10:00 in Berlin


def day(name: str, zone: str, said: int = SAID) -> str:
    schedule = resolve(At(day=Holiday(holiday=name), clock=Clock(hour=9)), said, ZoneInfo(zone)).schedule
    assert isinstance(schedule, Once)
    return schedule.wall


@pytest.mark.parametrize(
    ("name", "zone", "wall"),
    [
        ("good friday", "Europe/Berlin", "2027-03-26T09:00"),
        ("easter", "Asia/Tokyo", "2027-03-28T09:00"),
        ("easter monday", "Europe/Berlin", "2027-03-29T09:00"),
        ("ascension", "Europe/Berlin", "2027-05-06T09:00"),
        ("whit sunday", "Europe/Berlin", "2027-05-16T09:00"),
        ("whit monday", "Europe/Berlin", "2027-05-17T09:00"),
        ("thanksgiving", "America/New_York", "2026-11-26T09:00"),
        ("thanksgiving", "America/Toronto", "2027-10-11T09:00"),
        # Where nobody keeps it, that of the USA is meant.
        ("thanksgiving", "Europe/Berlin", "2026-11-26T09:00"),
        ("thanksgiving", "UTC", "2026-11-26T09:00"),
        ("spring festival eve", "Asia/Shanghai", "2027-02-05T09:00"),
        ("spring festival", "Europe/Berlin", "2027-02-06T09:00"),
        ("tomb sweeping", "Asia/Shanghai", "2027-04-05T09:00"),
        ("dragon boat", "Asia/Shanghai", "2027-06-09T09:00"),
        ("mid-autumn", "Asia/Shanghai", "2027-09-15T09:00"),
        ("double ninth", "Asia/Shanghai", "2027-10-08T09:00"),
        ("carnival monday", "Europe/Berlin", "2027-02-08T09:00"),
        ("corpus christi", "Europe/Berlin", "2027-05-27T09:00"),
    ],
)
def test_a_holiday_is_the_next_one_to_come_in_the_country_of_the_zone(name: str, zone: str, wall: str) -> None:
    assert day(name, zone) == wall


def test_every_holiday_has_a_day_each_year() -> None:
    for year in range(8):
        said = SAID + year * 365 * 86_400_000
        for name in (*EASTER, *NAMED):
            assert day(name, "Asia/Shanghai", said)


def test_where_a_holiday_is_not_known_of_a_year_the_day_is_asked_for() -> None:
    far = SAID + 300 * 366 * 86_400_000
    with pytest.raises(Impossible, match="has this day"):
        day("dragon boat", "Asia/Shanghai", far)
