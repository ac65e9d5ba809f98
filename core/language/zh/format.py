"""Chinese: schedules written the way people would. `core.language.zh.times.when` reads back what stands here."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from core.kernel.timing.schedule import Interval, Once, Rule, Timed, last_instant
from core.kernel.timing.zones import to_local

_DAYS = "一二三四五六日"
_HOUR, _MINUTE = 3_600, 60
_NUMBERS = re.compile(r"[0-9]+(?:,[0-9]+)*")
_ONE = re.compile(r"[0-9]{1,2}")
_NTH = re.compile(r"(?P<day>[0-7])(?:#(?P<nth>[1-5])|(?P<last>L))")
_ANY, _WORKING, _WORKDAYS, _WEEKEND = "*", "1-5", [0, 1, 2, 3, 4], [5, 6]
_WEEKS = {1: "每", 2: "隔周"}
_CLOCKS = 6
# A day that some month lacks.
_LONG = 29


def say(schedule: Timed, zone: ZoneInfo) -> str:
    """An instant in `zone`, an interval, or a rule in its own zone: "2026年11月27日（周五）17:00", "每个工作日09:00".

    Where there are no words for a rule it is the cron line.
    """
    match schedule:
        case Once(at=at):
            return _once(to_local(at, zone))
        case Interval(seconds=seconds):
            return f"{_interval(seconds)}{_end(schedule, zone)}"
        case Rule():
            return _rule(schedule) or f"按 cron {schedule.cron}"


def _end(schedule: Interval | Rule, zone: ZoneInfo) -> str:
    last = last_instant(schedule, zone)
    return f"，直到{_once(last).removesuffix('23:59')}" if last else ""


def _once(shown: datetime) -> str:
    day = f"{shown.year:04}年{shown.month}月{shown.day}日"
    return f"{day}（周{_DAYS[shown.weekday()]}）{shown:%H:%M}"


def _interval(seconds: int) -> str:
    if seconds % _HOUR == 0:
        return f"每{_times(seconds // _HOUR)}小时"
    return f"每{_times(seconds // _MINUTE)}分钟" if seconds % _MINUTE == 0 else f"每{seconds}秒"


def _times(n: int) -> str:
    return str(n) if n > 1 else ""


def _rule(rule: Rule) -> str | None:
    """What a rule says in words; None when there are none for it."""
    clocks, (monthday, month, weekday) = rule.clocks, rule.cron.split()[2:]
    often = len(clocks) > _CLOCKS and rule.spacing
    day = _day(monthday, month, weekday, rule) if often or 0 < len(clocks) <= _CLOCKS else None
    at = f"{clocks[0]}到{clocks[-1]}{_interval(often)}" if often else "、".join(clocks)
    but = "（节假日除外）" if rule.without else ""
    return f"{day}{at}{but}{_end(rule, ZoneInfo(rule.zone))}" if day else None


def _day(monthday: str, month: str, weekday: str, rule: Rule) -> str | None:
    if month != _ANY:
        return _year(monthday, month, weekday, rule)
    if monthday != _ANY or _NTH.fullmatch(weekday):
        return _month(monthday, weekday, rule)
    if weekday != _ANY:
        return _week(weekday, rule)
    return f"每{_times(rule.every)}天" if _counts(rule, "day") else None


def _counts(rule: Rule, unit: str) -> bool:
    return rule.every == 1 or rule.unit == unit


def _week(weekday: str, rule: Rule) -> str | None:
    field = "1,2,3,4,5" if weekday == _WORKING else weekday
    if not _NUMBERS.fullmatch(field) or not _counts(rule, "week"):
        return None
    days = sorted({(int(day) - 1) % 7 for day in field.split(",")})
    if rule.every == 1 and days in (_WORKDAYS, _WEEKEND):
        return "每个工作日" if days == _WORKDAYS else "每周末"
    if rule.every == 1 and len(days) == len(_DAYS) - 1:
        return f"每天（周{next(day for n, day in enumerate(_DAYS) if n not in days)}除外）"
    named = "周" + "、".join(_DAYS[day] for day in days)
    return f"{_WEEKS.get(rule.every) or f'每{rule.every}周'}{named}"


def _month(monthday: str, weekday: str, rule: Rule) -> str | None:
    each = "每月" if rule.every == 1 else f"每{rule.every}个月"
    nth = _NTH.fullmatch(weekday)
    if (weekday != _ANY and not (nth and monthday == _ANY)) or not _counts(rule, "month"):
        return None
    if nth:
        which = "最后一个" if nth["last"] else f"第{_DAYS[int(nth['nth']) - 1]}个"
        return f"{each}{which}周{_DAYS[(int(nth['day']) - 1) % 7]}"
    days = monthday.split(",")
    if not all(day == "L" or _kept(day, rule, "month") for day in days):
        return None
    return each + "和".join("最后一天" if day == "L" else f"{day}日" for day in days)


def _year(monthday: str, month: str, weekday: str, rule: Rule) -> str | None:
    if weekday != _ANY or not (_ONE.fullmatch(month) and _kept(monthday, rule, "year") and _counts(rule, "year")):
        return None
    return f"每{_times(rule.every)}年{month}月{monthday}日"


def _kept(monthday: str, rule: Rule, unit: str) -> bool:
    """Whether "the 31st" says what the rule does in a month without one: people mean its last day."""
    return bool(_ONE.fullmatch(monthday)) and (int(monthday) < _LONG or rule.unit == unit)
