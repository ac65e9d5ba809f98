"""German: schedules written so that people, and `when`, read them back."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from core.kernel.timing.schedule import Interval, Once, Rule, Timed, last_instant
from core.kernel.timing.zones import to_local

_DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
_MONTHS = ("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.")
_NTH = {"1": "ersten", "2": "zweiten", "3": "dritten", "4": "vierten"}
_UNITS = {"Minute": ("jede Minute", "Minuten"), "Stunde": ("jede Stunde", "Stunden"), "Tag": ("jeden Tag", "Tage")}
_WORKING, _LAST, _ANY = "1-5", "L", "*"
_HOUR, _MINUTE = 3_600, 60
_CLOCKS = 6
# A day that some month lacks: only rules counted in months or years have it as the last day there.
_LONG = 29


def say(schedule: Timed, zone: ZoneInfo) -> str:
    """A schedule in words: an instant in `zone` with its year, an interval, or a rule in its own zone."""
    match schedule:
        case Once(at=at):
            return _once(to_local(at, zone))
        case Interval(seconds=seconds):
            return f"{_interval(seconds)}{_end(schedule, zone)}"
        case Rule(cron=cron, zone=own):
            but = " außer an Feiertagen" if schedule.without else ""
            return f"{_rule(schedule) or f'nach cron {cron}'}{but}{_end(schedule, ZoneInfo(own))}"


def _end(schedule: Interval | Rule, zone: ZoneInfo) -> str:
    last = last_instant(schedule, zone)
    return f" bis {_once(last).removesuffix(' 23:59')}" if last else ""


def _once(shown: datetime) -> str:
    return f"{_DAYS[shown.weekday()][:2]}. {shown.day}. {_MONTHS[shown.month - 1]} {shown.year} {shown:%H:%M}"


def _rule(rule: Rule) -> str:
    clocks = rule.clocks
    often = len(clocks) > _CLOCKS and rule.spacing
    days = _days(rule, *rule.cron.split()[2:]) if often or 0 < len(clocks) <= _CLOCKS else ""
    if not days:
        return ""
    at = f", {_interval(often)} von {clocks[0]} bis {clocks[-1]}" if often else f" um {_row(clocks)}"
    return f"{days}{at}"


def _interval(seconds: int) -> str:
    size, unit = next((one for one in ((_HOUR, "Stunde"), (_MINUTE, "Minute")) if seconds % one[0] == 0), (1, ""))
    return _every(seconds // size, unit) if unit else f"alle {seconds} Sekunden"


def _every(n: int, unit: str) -> str:
    one, many = _UNITS[unit]
    return one if n == 1 else f"alle {n} {many}"


def _row(words: list[str]) -> str:
    return " und ".join([*([", ".join(words[:-1])] if words[1:] else []), words[-1]])


def _days(rule: Rule, day: str, month: str, weekday: str) -> str:
    counted = {unit: rule.every == 1 or rule.unit == unit for unit in ("day", "week", "month", "year")}
    if month != _ANY:
        long = day.isdigit() and int(day) >= _LONG and rule.unit != "year"
        if weekday != _ANY or not (day.isdigit() and month.isdigit()) or long or not counted["year"]:
            return ""
        return f"{'jedes Jahr' if rule.every == 1 else f'alle {rule.every} Jahre'} am {day}. {_MONTHS[int(month) - 1]}"
    if day != _ANY:
        return _monthly(rule, day) if weekday == _ANY and counted["month"] else ""
    if weekday == _ANY:
        return _every(rule.every, "Tag") if counted["day"] else ""
    return _by_weekday(rule, weekday) if counted["month" if weekday[-1] == _LAST or "#" in weekday else "week"] else ""


def _by_weekday(rule: Rule, field: str) -> str:
    if field[-1] == _LAST or "#" in field:
        weekday, nth = field[0], "letzten" if field[1:] == _LAST else _NTH.get(field[2:], "")
        if not weekday.isdigit() or not nth:
            return ""
        name = f"am {nth} {_DAYS[(int(weekday) - 1) % 7]}"
        return f"{name} des Monats" if rule.every == 1 else f"alle {rule.every} Monate {name}"
    days = "1,2,3,4,5" if field == _WORKING else field
    if not all(one.isdigit() for one in days.split(",")):
        return ""
    among = sorted({(int(one) - 1) % 7 for one in days.split(",")})
    if rule.every == 1 and len(among) == len(_DAYS) - 1:
        return f"jeden Tag außer {next(day for n, day in enumerate(_DAYS) if n not in among).lower()}s"
    if rule.every == 1 and field == _WORKING:
        return "jeden Werktag"
    each = {1: "jeden", 2: "jeden zweiten"}.get(rule.every, f"alle {rule.every} Wochen am")
    return f"{each} {_row([_DAYS[one] for one in among])}"


def _monthly(rule: Rule, field: str) -> str:
    days = field.split(",")
    # What some month lacks has no words, unless months are what is counted.
    longest = 31 if rule.unit == "month" else _LONG - 1
    if not all(one == _LAST or (one.isdigit() and int(one) <= longest) for one in days):
        return ""
    named = _row(["letzten Tag" if one == _LAST else f"{one}." for one in days])
    if rule.every > 1:
        return f"alle {rule.every} Monate am {named}"
    return f"am {named} {'des Monats' if field == _LAST else 'jedes Monats'}"
