"""Days as people say them: tomorrow, Friday, next Friday, 3 May, the 5th."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

from core.kernel.timing.clocks import MORNING, next_shown, once, times, today
from core.kernel.timing.expressions import At, Clock, Date, Holiday, InDays, NthWeekday, Weekday
from core.kernel.timing.moving_holidays import date_of
from core.kernel.timing.resolution import Impossible, Reading
from core.kernel.timing.schedule import Once
from core.kernel.timing.zones import to_local
from core.kernel.types import Millis

WEEK = timedelta(days=7)
WEEKDAYS = range(7)
MONTHS = 12
LAST = -1
# Until this hour who says "tonight" means the night that is still on.
_DAWN = 5
# From one 29 February to the next there may be eight years.
YEARS = 8


def resolve_at(at: At, said_at: Millis, zone: ZoneInfo, day: date | None = None) -> Reading:
    """Return what a day and a clock come to. Without a clock at 9:00; today, when that is over, at the next full hour
    that is an hour away or more.

    `day` is the day on which it was said where that is not the one of the zone.
    """
    here = to_local(said_at, zone).date()
    said = _Said(at=said_at, zone=zone, day=day or here, clock=at.clock)
    match at.day:
        case None:
            return next_shown(at.clock or MORNING, said_at, zone)
        case InDays(days=0) if at.clock is not None and said.day == here:
            return today(at.clock, said_at, zone)
        case InDays(days=days, night=night):
            still_on = night and to_local(said_at, zone).hour < _DAWN and said.is_to_come(said.day)
            return said.on(said.day + timedelta(days=days - still_on))
        case Weekday() as weekday:
            return said.on_weekday(weekday)
        case Date() as named:
            return said.on_date(named)
        case NthWeekday() | Holiday() as moving:
            return said.on_moving(moving)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """When and where a day was said, with which clock."""

    at: Millis
    zone: ZoneInfo
    day: date
    clock: Clock | None

    def on(self, day: date, other: date | None = None) -> Reading:
        """Return the likely time of a day. The other is on the other day, or early that day if that is to come."""
        if other is not None and other != day:
            return Reading(schedule=self.likely(day), other=self.likely(other))
        shown = times(self.clock or MORNING)
        if self.clock is not None and not self.clock.certain and self.clock.hour == 0:
            return Reading(schedule=self.likely(day), other=self.likely(day + timedelta(days=1)))
        early = [once(day, hour, self.zone) for hour in shown[1:] if hour < shown[0] and hour.hour]
        return Reading(schedule=self.likely(day), other=next((found for found in early if found.at > self.at), None))

    def likely(self, day: date) -> Once:
        """Return the likely time of a day."""
        found = once(day, times(self.clock or MORNING)[0], self.zone)
        over = self.clock is None and day == self.day and found.at <= self.at
        if not over:
            return found
        # In an hour, rounded up to the full hour. Late in the evening that is after midnight: who says "today" then is
        # still up.
        wall = (to_local(self.at, self.zone) + timedelta(hours=2, microseconds=-1)).replace(tzinfo=None)
        return once(wall.date(), time(wall.hour), self.zone)

    def on_weekday(self, day: Weekday) -> Reading:
        """Return the nearest such day, today while its time is to come, or the one of the week that was said. A weekend
        that is over is the next one."""
        if day.weekday not in WEEKDAYS:
            raise Impossible("a week has seven days")
        this_week = self.day + timedelta(days=day.weekday - self.day.weekday())
        if day.weekend and not self.is_to_come(this_week) and not day.weeks:
            sunday = this_week + timedelta(days=1)
            return self.on(sunday if self.is_to_come(sunday) else this_week + WEEK)
        nearest = next(found for found in (this_week, this_week + WEEK) if self.is_to_come(found))
        if day.weeks is None and not day.doubtful:
            return self.on(nearest + WEEK * day.later)
        named = this_week + WEEK * (1 if day.weeks is None else day.weeks)
        return self.on(named, nearest if day.doubtful else None)

    def on_date(self, day: Date) -> Reading:
        """Return a date, a past one only if its year was said, else the next one to come; where day and month may be
        swapped the other one as well.
        """
        swapped = [replace(day, day=day.month, month=day.day)] if day.doubtful and day.month is not None else []
        found = [one for one in map(self._date, [day, *swapped]) if one is not None]
        if not found:
            raise Impossible("no calendar has this date")
        # Where a year was said, one of both may be over, and is not meant then.
        meant = [one for one in found if one >= self.day] or found
        return self.on(meant[0], meant[-1])

    def on_moving(self, day: NthWeekday | Holiday) -> Reading:
        """Return the next one to come of what has another date each year; the nth such day of a month that was said."""
        if isinstance(day, Holiday):
            said = range(2) if day.years is None else (day.years,)
            dates = (date_of(day.holiday, self.day.year + year, self.zone) for year in said)
        else:
            last = YEARS if day.month is not None else 0
            years = range(last + 1) if day.years is None else (day.years,)
            first = day.month or self.day.month
            months = ((self.day.year + year) * MONTHS + first - 1 + day.months for year in years)
            dates = (_nth(*divmod(month, MONTHS), day) for month in months)
        named = day.years is not None or (isinstance(day, NthWeekday) and day.month is None)
        found = next((one for one in dates if one and (named or self.is_to_come(one))), None)
        if found is None:
            raise Impossible("no month or year to come has this day")
        return self.on(found)

    def _date(self, day: Date) -> date | None:
        said = any(part is not None for part in (day.year, day.years, day.months))
        dates = (one for one in self._dates(day) if one)
        if not said:
            # One that is to come; today counts when no clock was said.
            dates = (one for one in dates if (one >= self.day if self.clock is None else self.is_to_come(one)))
        if day.month is None and not said:
            # "Friday the 13th" is in the next month that has one.
            dates = (one for one in dates if day.weekday in {None, one.weekday()})
        found = next(dates, None)
        return None if found and day.weekday not in {None, found.weekday()} else found

    def _dates(self, day: Date) -> Iterator[date | None]:
        """Yield which dates it may be, from this year or month on."""
        if day.months is not None or day.years is not None:
            month = (day.month or self.day.month) - 1 + (day.months or 0)
            year = self.day.year + (day.years or 0) + month // MONTHS
            return iter((_calendar(year, month % MONTHS + 1, day.day),))
        if day.month is not None:
            years = range(self.day.year, self.day.year + YEARS + 1) if day.year is None else (day.year,)
            return (_calendar(year, day.month, day.day) for year in years)
        if day.year is not None:
            raise Impossible("a year needs a month")
        # Between two of the same date and day of the week there are 14 months at most.
        months = range(self.day.month - 1, self.day.month + MONTHS + 2)
        return (_calendar(self.day.year + month // MONTHS, month % MONTHS + 1, day.day) for month in months)

    def is_to_come(self, day: date) -> bool:
        """Return whether the likely time of a day is to come."""
        return once(day, times(self.clock or MORNING)[0], self.zone).at > self.at


def _calendar(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, monthrange(year, month)[1] if day == LAST else day)
    except (OverflowError, ValueError):
        return None


def _nth(year: int, month: int, day: NthWeekday) -> date | None:
    """Return the nth day of the week of a month, counted from 0 here; None when it has none."""
    last = monthrange(year, month + 1)[1]
    days = [n for n in range(1, last + 1) if date(year, month + 1, n).weekday() == day.weekday]
    return date(year, month + 1, days[day.nth - (day.nth > 0)]) if -1 <= day.nth <= len(days) and day.nth else None
