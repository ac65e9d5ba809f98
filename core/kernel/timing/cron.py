"""What a cron line says, read by cronsim: its fields and days. When that comes is counted in schedule.py."""

from __future__ import annotations

import calendar
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache

from cronsim import CronSim, CronSimError

FIELDS = 5
LONGEST = 200
ALL_HOURS = 24
# Every way a year can lie: 14 calendars, each of which is among the 28 years from 2001 on.
CALENDARS = range(2001, 2029)
BAD_FIELDS = {
    "Bad minute": "the minute (first) must be 0-59",
    "Bad hour": "the hour (second) must be 0-23",
    "Bad day-of-month": "the day of the month (third) must be one that exists, 1-31 or L for the last",
    "Bad month": "the month (fourth) must be 1-12 or JAN-DEC",
    "Bad day-of-week": "the day of the week (fifth) must be 0-7 or SUN-SAT (0 and 7 are Sunday, ranges go up)",
}


@dataclass(frozen=True, slots=True, eq=False)
class Cron:
    """A cron line: on which days, at which `times` of them (minutes of the day, in order).

    When every hour counts it is `even`: it goes by the `minutes` of each hour and runs on through changes of the clock.
    """

    fields: CronSim
    months: frozenset[int]
    minutes: tuple[int, ...]
    times: tuple[int, ...]
    even: bool
    _days: dict[tuple[int, int, bool], tuple[int, ...]] = field(default_factory=dict)

    def days(self, year: int, month: int, *, clip: bool = False) -> tuple[int, ...]:
        """Return its days in a month, in order. With `clip` the last day stands for a day that the month lacks."""
        if month not in self.months:
            return ()
        begins, length = calendar.monthrange(year, month)
        if (begins, length, clip) not in self._days:
            short = clip and length < max(self.fields.days)
            self._days[begins, length, clip] = tuple(
                day
                for day in range(1, length + 1)
                if self.fields.match_day(date(year, month, day)) or (short and day == length)
            )
        return self._days[begins, length, clip]


@lru_cache(maxsize=4096)
def read(expression: str) -> Cron:
    """Read a cron line of five fields. CronSimError if it is none."""
    fields = CronSim(expression, datetime(2000, 1, 1))  # noqa: DTZ001 - read for its fields, never asked for an instant
    minutes, hours = sorted(fields.minutes), sorted(fields.hours)
    return Cron(
        fields=fields,
        months=frozenset(fields.months),
        minutes=tuple(minutes),
        times=tuple(hour * 60 + minute for hour in hours for minute in minutes),
        even=len(hours) == ALL_HOURS,
    )


def check_cron(expression: str) -> str:
    """Return a cron line as it is kept: five fields in capitals with single spaces, 0 and 7 being Sunday.

    ValueError with a sentence that says what to change, also of one that never comes ("0 0 31 2 *"). Five fields are
    never less than 60 seconds apart.
    """
    parts = expression[: LONGEST + 1].upper().split()
    if len(expression) > LONGEST:
        raise ValueError(f"The cron expression must be at most {LONGEST} characters long.")
    if len(parts) != FIELDS:
        raise ValueError(
            f"A cron expression has exactly {FIELDS} fields (minute, hour, day of the month, month, day of the week), "
            f"like 30 9 * * 1-5; this one has {len(parts)}."
        )
    line = " ".join(parts)
    try:
        cron = read(line)
    except (CronSimError, ValueError) as error:
        raise ValueError(f"In the cron expression {BAD_FIELDS.get(str(error), 'a field is wrong')}.") from error
    if not any(cron.days(year, month) for year in CALENDARS for month in cron.months):
        raise ValueError("This cron expression never comes: change its day of the month, month or day of the week.")
    return line
