"""Chinese: days and delays. Patterns see a text as `core.language.zh.normalize` folds it."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import Date, Delay, InDays, Weekday
from core.language.engine.said import STRONG, WEAK, Said
from core.language.zh.scanner import Piece, on_weekday
from core.language.zh.clocks import PARTS
from core.language.zh.normalize import NUMBER, number

WEEK = "(?:周|星期|礼拜)"
MONTHS, MONTH_DAYS = range(1, 13), range(1, 32)
_SHORT_YEAR = 2
DAYS = "一二三四五六日天"
_NEAR = {"今": 0, "明": 1, "后": 2, "大": 3}
_YEARS = {"今": 0, "明": 1, "后": 2}
_N = NUMBER
AMOUNT = (
    rf"(?:(?P<years>{_N})年|半(?P<half_year>年)|(?P<months>{_N})个月|半个(?P<half_month>月)|(?P<weeks>{_N})个?{WEEK})?"
    rf"(?:(?P<days>{_N})天)?"
    rf"(?:(?:(?P<tenths>[0-9]{{1,3}}\.[0-9])个?|(?P<hours>{_N})个?(?P<more>半)?|(?P<half_hour>半)个?)(?:小时|钟头))?"
    rf"(?:(?P<minutes>{_N})分钟?|(?P<quarters>[一三])刻钟|半(?P<half_minute>分钟))?(?:(?P<seconds>{_N})秒钟?)?"
)
# What each part of an amount comes to: months, days, seconds. A part without a number counts once.
_SIZES = {
    "years": (12, 0, 0), "half_year": (6, 0, 0), "months": (1, 0, 0), "half_month": (0, 15, 0), "weeks": (0, 7, 0),
    "days": (0, 1, 0), "hours": (0, 0, 3_600), "more": (0, 0, 1_800), "half_hour": (0, 0, 1_800),
    "minutes": (0, 0, 60), "quarters": (0, 0, 900), "half_minute": (0, 0, 30), "seconds": (0, 0, 1),
}  # fmt: skip
_COUNTED = {"years", "months", "weeks", "days", "hours", "minutes", "quarters", "seconds"}
# Numbers of other things: line 3, the 5 号 battery, a trip of 3 days.
_COUNT = "[号日](?![楼线门店机桌厅院馆房仓库码柜车电元游常历记子报本语])"
_IN_WEEK = rf"(?:[(,]?{WEEK}(?P<weekday>[{DAYS}])\)?)?"


def weekday(sign: str) -> int:
    """The day of the week of 一 to 日 or 1 to 7; 0 is Monday."""
    return int(sign) - 1 if sign.isdigit() else min(DAYS.index(sign), 6)


def amount(match: re.Match[str]) -> Delay | None:
    """The length of time that `AMOUNT` has read; None when it is none."""
    months = days = seconds = 0
    for name, size in _SIZES.items():
        if match[name]:
            count = number(match[name]) if name in _COUNTED else 1
            if count is None:
                return None
            months, days, seconds = months + count * size[0], days + count * size[1], seconds + count * size[2]
    seconds += round(float(match["tenths"] or 0) * 3_600)
    return Delay(seconds=seconds, days=days, months=months) if months or days or seconds else None


def _delay(match: re.Match[str]) -> Said | None:
    delay = amount(match)
    return Said(delay=delay) if delay and (match["past"] or match["later"]) else None


def _near(match: re.Match[str]) -> Said:
    part = match["part"] or match["night"]
    return Said(day=InDays(days=_NEAR[match[0][0]]), part=PARTS[part] if part else None, strength=WEAK)


def _ahead(which: str | None) -> int | None:
    """How many weeks or months on: 这 0, 下 1, 下下 2."""
    return which.count("下") if which else None


def _weekday(match: re.Match[str]) -> Said:
    day = 5 if match["end"] else weekday(match["day"])
    return Said(day=Weekday(weekday=day, weeks=_ahead(match["which"])), strength=WEAK)


def _week(match: re.Match[str]) -> Said:
    return Said(day=Weekday(weekday=0, weeks=_ahead(match["which"])), strength=WEAK)


def _date(match: re.Match[str]) -> Said | None:
    said = match.groupdict()
    year = number(said["year"]) if said.get("year") else None
    month, day = number(said["month"]), number(said["day"])
    if month is None or day is None or month not in MONTHS or day not in MONTH_DAYS:
        return None
    full = year + 2000 if len(said.get("year") or "") == _SHORT_YEAR and year is not None else year
    years = _YEARS[said["which"][0]] if said.get("which") else None
    weak = "/" in match[0] and full is None
    on = weekday(said["weekday"]) if said.get("weekday") else None
    named = on_weekday(Date(day=day, month=month, year=full, years=years), on)
    return Said(day=named, strength=WEAK if weak else STRONG) if named else None


def _day_of_month(match: re.Match[str]) -> Said | None:
    day = -1 if match["last"] else number(match["day"] or "1")
    if day is None or (day not in MONTH_DAYS and not match["last"]):
        return None
    return Said(day=Date(day=day, months=_ahead(match["which"])), strength=WEAK)


_WHICH = "(?P<which>这个?|本|下下个?|下个?)"
PIECES: tuple[Piece, ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (
            rf"(?=[0-9零一二两三四五六七八九十百半再过等])(?P<past>再?过|再?等)?{AMOUNT}"
            "(?P<later>(?:[之以过]?后)(?![天来面台者]))?",
            _delay,
        ),
        # "今晚24点" is read as 今 and 晚24点.
        (r"[今明](?P<part>)(?P<night>)(?=晚上?24[点:])", _near),
        (r"(?:[今明][天日]?|大?后天)(?P<part>[早晚])(?!24[点:]|[点些饭餐])[上晨间]?(?P<night>)", _near),
        (r"[今明](?P<part>)(?P<night>[晨夜])(?![跑里间宵])", _near),
        (r"(?:[今明](?:[天日]|儿个?)|大?后天)(?!气)(?P<part>)(?P<night>)", _near),
        (rf"{_WHICH}?(?:周(?P<end>末)(?!尾)|{WEEK}(?P<day>[{DAYS}]|[1-7](?![0-9点:])))", _weekday),
        (rf"{_WHICH}(?<=[下个]){WEEK}", _week),
        (
            rf"(?P<year>(?:[0-9]{{2}}){{1,2}}|[零一二三四五六七八九]{{4}})年(?P<month>{_N})月(?P<day>{_N}){_COUNT}{_IN_WEEK}",
            _date,
        ),
        (rf"(?P<which>[今明后]年)?的?(?P<month>{_N})月(?P<day>{_N}){_COUNT}{_IN_WEEK}", _date),
        (r"(?P<year>[0-9]{4})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})(?![0-9])[T ]?", _date),
        (r"(?P<month>[0-9]{1,2})/(?P<day>[0-9]{1,2})(?![0-9/])[ ]?", _date),
        (rf"{_WHICH}?(?P<last>月[底末])(?P<day>)", _day_of_month),
        (
            rf"{_WHICH}月的?(?:(?P<last>月?[底末]|最后一天)|月?初|(?P<day>{_N}){_COUNT}|(?!{NUMBER}|第|最|倒))",
            _day_of_month,
        ),
        (rf"(?P<which>)(?P<last>)(?P<day>{_N}){_COUNT}", _day_of_month),
    )
)
