"""Chinese: what comes again and again. Patterns see a text as `core.language.zh.normalize` folds it."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import Every, Unit
from core.language.engine.said import Said
from core.language.zh.scanner import Piece
from core.language.zh.days import MONTH_DAYS, MONTHS, WEEK, weekday
from core.language.zh.normalize import NUMBER, number

_N = NUMBER
# Days without a mark between them are said in order ("一三五") and are no numbers of other things ("周三五个人").
_ROW = r"(?=[一二三四五六日天])一?二?三?四?五?六?[日天]?(?<!一(?=[起次定直]))(?![个位人件次本张杯瓶条天年月号点时:])"
_LIST = rf"(?:{_ROW}(?:[、,和及跟与]{WEEK}?{_ROW})*|[1-7](?:[、,和]{WEEK}?[1-7])*(?![0-9点时:、]))"
_SPAN = rf"(?P<first>[一二三四五六])[到至-]{WEEK}?(?P<final>[二三四五六日天])"
_LAST = "(?:最后一?天|月底)"
_ALSO = rf"(?P<also>(?:[、,和跟与及](?:{_LAST}|{_N}[号日]?)){{0,5}})"
# One more that is not surely a day: "每月1号和15".
_MORE = "[、,和跟与及][0-9零一二两三四五六七八九十]{1,3}(?![0-9零一二两三四五六七八九十个位人名只件])"
_EACH = rf"每(?P<apart>间?隔)?(?P<n>{_N})?"
_ONCE = "(?:一次)?"


def _count(match: re.Match[str]) -> int | None:
    """The n of "every n days"; what is n days apart comes every n + 1."""
    n = number(match["n"]) if match["n"] else 1
    return n + 1 if n and match["apart"] else n or None


def _hours(match: re.Match[str]) -> Said | None:
    """每30分钟, 每隔两小时 (as people say it: every two), 每一个半小时."""
    n = number(match["n"]) if match["n"] else 0 if match["half"] else 1
    if n is None:
        return None
    if match["minutes"]:
        return Said(every=Every(unit="minute", n=n)) if n else None
    if match["half"] or match["more"]:
        return Said(every=Every(unit="minute", n=n * 60 + 30))
    return Said(every=Every(unit="hour", n=n)) if n else None


def _quarter(match: re.Match[str]) -> Said:
    return Said(every=Every(unit="minute", n=15))


def _days(match: re.Match[str]) -> Said | None:
    n = _count(match)
    return Said(every=Every(unit="day", n=n)) if n else None


def _every_second(match: re.Match[str]) -> Said:
    """隔天, 隔周一, 双周周一."""
    unit: Unit = "day" if match["days"] else "month" if match["months"] else "week"
    return Said(every=Every(unit=unit, n=2, weekdays=_listed(match["list"])))


def _every_day(match: re.Match[str]) -> Said:
    return Said(every=Every(unit="day"))


def _working(match: re.Match[str]) -> Said:
    return Said(every=Every(unit="week", weekdays=frozenset({5, 6} if match["end"] else range(5))))


def _weeks(match: re.Match[str]) -> Said | None:
    n = _count(match)
    return Said(every=Every(unit="week", n=n, weekdays=_listed(match["list"]))) if n else None


def _listed(text: str | None) -> frozenset[int]:
    return frozenset(weekday(sign) for sign in re.findall("[一二三四五六日天1-7]", text or ""))


def _span(match: re.Match[str]) -> Said | None:
    first, final = weekday(match["first"]), weekday(match["final"])
    return Said(every=Every(unit="week", weekdays=frozenset(range(first, final + 1)))) if first < final else None


def _months(match: re.Match[str]) -> Said | None:
    n = _count(match)
    if n is None:
        return None
    if match["nth"]:
        nth = -1 if match["nth"] == "最后" else number(match["nth"][1:])
        return Said(every=Every(unit="month", n=n, nth=nth, weekdays=frozenset({weekday(match["weekday"])})))
    day = -1 if match["last"] else 1 if match["begin"] else number(match["day"]) if match["day"] else None
    if (match["day"] and day is None) or (day is not None and day != -1 and day not in MONTH_DAYS):
        return None
    also = [-1 if one[0] in "最月" else number(one) for one in re.findall(f"{_LAST}|{NUMBER}", match["also"] or "")]
    if not all(one in MONTH_DAYS or one == -1 for one in also):
        return None
    return Said(every=Every(unit="month", n=n, day=day, also=frozenset(one for one in also if one) - {day}))


def _years(match: re.Match[str]) -> Said | None:
    n = _count(match)
    month, day = (number(match[name]) if match[name] else None for name in ("month", "day"))
    if n is None or (match["month"] and not (month in MONTHS and day in MONTH_DAYS)):
        return None
    return Said(every=Every(unit="year", n=n, month=month, day=day))


PIECES: tuple[Piece, ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (
            rf"每(?:间?隔)?(?:(?P<half>半)个?(?:小时|钟头)|(?P<n>{_N})?(?:(?P<minutes>分钟)|个?(?P<more>半)?(?:小时|钟头))){_ONCE}",
            _hours,
        ),
        (rf"每(?:间?隔)?一刻钟{_ONCE}", _quarter),
        (rf"{_EACH}[天日](?![常用复]){_ONCE}", _days),
        (rf"天天{_ONCE}", _every_day),
        (
            rf"隔(?:(?P<days>[天日])|个?(?P<months>月)|个?{WEEK}(?:{WEEK}?(?P<list>{_LIST}))?){_ONCE}",
            _every_second,
        ),
        (rf"双周(?P<days>)(?P<months>)(?:的?{WEEK}(?P<list>{_LIST})){_ONCE}", _every_second),
        (r"(?:每个?)?(?:工作日|上班日|平日)(?:的?每天)?(?P<end>)", _working),
        (r"每(?:个|逢)?周(?P<end>末)", _working),
        (rf"(?:每个?|逢)?{WEEK}{_SPAN}(?:的?每天)?", _span),
        (rf"(?P<apart>)(?P<n>)(?:每逢|逢|每个?){WEEK}(?P<list>{_LIST}){_ONCE}", _weeks),
        (rf"{_EACH}个?{WEEK}(?:的?{WEEK}(?P<list>{_LIST}))?{_ONCE}", _weeks),
        (
            rf"{_EACH}个?月的?(?:(?P<last>月?[底末]|最后一?天)|(?P<begin>月?初)|(?P<nth>最后|第[一二三四五1-5])一?个?{WEEK}"
            rf"(?P<weekday>[一二三四五六日天])|(?P<day>{_N})(?:[号日]|(?=[、,和跟与及]{_N})){_ALSO}(?<=[号日天底])(?!{_MORE})|(?!{_N}|[第最倒])){_ONCE}",
            _months,
        ),
        (rf"{_EACH}年的?(?:(?P<month>{_N})月(?P<day>{_N})[号日])?{_ONCE}", _years),
    )
)
