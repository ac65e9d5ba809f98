"""English: schedules written so that people, and `when`, read them back."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from core.kernel.timing.schedule import Interval, Once, Rule, Timed, last_instant
from core.kernel.timing.zones import to_local

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NTH = {"1": "first", "2": "second", "3": "third", "4": "fourth"}
_WORKING = "1-5"
_LAST = "L"
_HOUR, _MINUTE = 3_600, 60
_CLOCKS = 6
# A day that some month lacks: only rules counted in months or years have it as the last day there.
_LONG = 29


def say(schedule: Timed, zone: ZoneInfo) -> str:
    """A schedule in words: an instant in `zone` with its year, an interval, or a rule in its own zone.

    `when` reads it back, but for seconds and for somebody's own cron line that there are no words for.
    """
    match schedule:
        case Once(at=at):
            return _once(to_local(at, zone))
        case Interval(seconds=seconds):
            return f"{_interval(seconds)}{_end(schedule, zone)}"
        case Rule():
            return _rule(schedule) or f"by cron {schedule.cron}"


def _end(schedule: Interval | Rule, zone: ZoneInfo) -> str:
    last = last_instant(schedule, zone)
    return f" until {_once(last).removesuffix(' 23:59')}" if last else ""


def _once(shown: datetime) -> str:
    return f"{_DAYS[shown.weekday()][:3]} {shown.day} {_MONTHS[shown.month - 1]} {shown.year} {shown:%H:%M}"


def _interval(seconds: int) -> str:
    size, unit = next((one for one in ((_HOUR, "hour"), (_MINUTE, "minute")) if seconds % one[0] == 0), (1, "second"))
    return _every(seconds // size, unit)


def _every(n: int, unit: str) -> str:
    return f"every {unit}" if n == 1 else f"every {n} {unit}s"


def _rule(rule: Rule) -> str:
    clocks, fields = rule.clocks, rule.cron.split()[2:]
    often = len(clocks) > _CLOCKS and rule.spacing
    days = _days(rule, *fields) if often or 0 < len(clocks) <= _CLOCKS else ""
    if not days:
        return ""
    at = f", {_interval(often)} from {clocks[0]} to {clocks[-1]}" if often else f" at {_row(clocks)}"
    return f"{days}{at}{' except holidays' if rule.without else ''}{_end(rule, ZoneInfo(rule.zone))}"


def _row(words: list[str]) -> str:
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), words[-1]])


def _days(rule: Rule, day: str, month: str, weekday: str) -> str:
    match (day, month, weekday):
        case ("*", "*", "*"):
            return _every(rule.every, "day") if _counted(rule, "day") else ""
        case ("*", "*", _) if weekday[-1] == _LAST or "#" in weekday:
            return _nth(rule, weekday)
        case ("*", "*", _):
            return _weekly(rule, weekday)
        case (_, "*", "*"):
            return _monthly(rule, day)
        case (_, _, "*") if day.isdigit() and month.isdigit():
            return _yearly(rule, int(day), _MONTHS[int(month) - 1])
    return ""


def _counted(rule: Rule, unit: str) -> bool:
    return rule.every == 1 or rule.unit == unit


def _weekly(rule: Rule, field: str) -> str:
    days = "1,2,3,4,5" if field == _WORKING else field
    if not all(one.isdigit() for one in days.split(",")) or not _counted(rule, "week"):
        return ""
    if field == _WORKING and rule.every == 1:
        return "every weekday"
    names = _row([_DAYS[one] for one in sorted((int(one) - 1) % 7 for one in days.split(","))])
    if rule.every > 1 + 1:
        return f"every {rule.every} weeks on {names}"
    return f"every {'other ' if rule.every > 1 else ''}{names}"


def _nth(rule: Rule, field: str) -> str:
    weekday, nth = field[0], "last" if field[1:] == _LAST else _NTH.get(field[2:], "")
    if not weekday.isdigit() or not nth or not _counted(rule, "month"):
        return ""
    name = f"the {nth} {_DAYS[(int(weekday) - 1) % 7]}"
    return f"on {name} of the month" if rule.every == 1 else f"every {rule.every} months on {name}"


def _monthly(rule: Rule, field: str) -> str:
    days = field.split(",")
    # What some month lacks has no words, unless months are what is counted.
    longest = 31 if rule.unit == "month" else _LONG - 1
    if not _counted(rule, "month") or not all(one == _LAST or (one.isdigit() and int(one) <= longest) for one in days):
        return ""
    ends = {one: "th" if one[:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(one[-1], "th") for one in days}
    named = _row(["last day" if one == _LAST else f"{int(one)}{ends[one]}" for one in days])
    if rule.every > 1:
        return f"every {rule.every} months on the {named}"
    return f"on the {named} of {'the' if field == _LAST else 'each'} month"


def _yearly(rule: Rule, day: int, month: str) -> str:
    if not _counted(rule, "year") or (day >= _LONG and rule.unit != "year"):
        return ""
    return f"{_every(rule.every, 'year')} on {day} {month}"
