"""Reminders as a calendar (RFC 5545), written by the icalendar library."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import MAXYEAR, UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from core.kernel.timing.schedule import Interval, Rule, Schedule, last_instant, next_after
from core.kernel.timing.zones import zone_named
from core.kernel.types import Millis

# Of what no rule of a calendar can say, so many of the next times are listed.
LISTED = 50
SHORTEST_MONTH = 28
LENGTH = timedelta(minutes=15)
_DAYS = ("SU", "MO", "TU", "WE", "TH", "FR", "SA")
_UNITS = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}


def render(reminders: Sequence[tuple[int, str, Schedule, Millis]]) -> bytes:
    """Return a calendar with an event, and an alarm, for each: a number, a text, when it is due, and the next time."""
    ical: Any = import_module("icalendar")  # only when somebody exports something
    calendar = ical.Calendar()
    calendar.add("prodid", "-//Teller//Teller export//EN")
    calendar.add("version", "2.0")
    for number, text, schedule, next_at in reminders:
        event = ical.Event()
        event.add("uid", f"reminder-{number}-{next_at}@teller")
        event.add("dtstamp", datetime.fromtimestamp(next_at / 1000, UTC))
        event.add("summary", text)
        _times(event, schedule, next_at)
        alarm = ical.Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", text)
        alarm.add("trigger", timedelta())
        event.add_component(alarm)
        calendar.add_component(event)
    calendar.add_missing_timezones()
    rendered: bytes = calendar.to_ical()
    return rendered


def _times(event: Any, schedule: Schedule, next_at: Millis) -> None:
    """Say when an event is: from its next time on, again and again by a rule, or by a list of times."""
    zone = zone_named(schedule.zone) if isinstance(schedule, Rule) else None
    start = datetime.fromtimestamp(next_at / 1000, zone or UTC)
    event.add("dtstart", start)
    event.add("dtend", start + LENGTH)
    if isinstance(schedule, Interval):
        event.add("rrule", {"freq": "SECONDLY", "interval": schedule.seconds, **_until(schedule, UTC)})
    elif isinstance(schedule, Rule):
        rule = rrule(schedule)
        if rule is not None:
            event.add("rrule", {**rule, **_until(schedule, start.tzinfo)})
            return
        later: list[datetime] = []
        while len(later) < LISTED and (found := next_after(schedule, next_at)) is not None:
            later.append(datetime.fromtimestamp(found / 1000, zone or UTC))
            next_at = found
        event.add("rdate", later)


def _until(schedule: Interval | Rule, zone: Any) -> dict[str, Any]:
    """Return when it comes last, in UTC (RFC 5545, 3.3.10); nothing where it has no end."""
    last = last_instant(schedule, zone)
    # Of the last year that there is no end can be said in every zone.
    return {"until": last.replace(tzinfo=zone).astimezone(UTC)} if last and last.year < MAXYEAR else {}


def rrule(rule: Rule) -> dict[str, Any] | None:
    """Return the rule of a calendar that says the same; None where there is none."""
    minutes, hours, days, months, weekdays = rule.cron.split()
    if rule.times or not (minutes.isdecimal() and hours.isdecimal()):
        return None
    if days == months == "*":
        return _of_weeks(rule, _weekdays(weekdays))
    # A day that some months lack is their last one, which a calendar leaves out.
    plain = days.isdecimal() and int(days) <= SHORTEST_MONTH and weekdays == "*"
    if not plain or rule.unit not in {"day", "month", "year"} or (rule.every > 1 and rule.unit == "day"):
        return None
    if months == "*" and rule.unit != "year":
        return {"freq": "MONTHLY", "interval": rule.every, "bymonthday": int(days)}
    if months.isdecimal() and rule.unit != "month":
        return {"freq": "YEARLY", "interval": rule.every, "bymonth": int(months), "bymonthday": int(days)}
    return None


def _of_weeks(rule: Rule, on: list[str] | None) -> dict[str, Any] | None:
    """Return what comes on days of the week, or each so many days."""
    if on is None or (rule.every > 1 and rule.unit not in {"day", "week"}):
        return None
    parts: dict[str, Any] = {"freq": "WEEKLY" if on else "DAILY"}
    if rule.every > 1:
        parts = {"freq": _UNITS[rule.unit], "interval": rule.every}
    return parts | ({"byday": on} if on else {})


def _weekdays(field: str) -> list[str] | None:
    """Return the days of a week that a field of a cron line names; none for all of them, None for what is no such."""
    if field == "*":
        return []
    found = []
    for part in field.split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            return None
        found += [_DAYS[day % 7] for day in range(int(first), int(last or first) + 1)]
    return found
