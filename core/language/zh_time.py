"""Chinese: times as people write them, piece by piece. Patterns see a text as `core.language.zh_text` folds it."""

from __future__ import annotations

import re
from dataclasses import replace

from core.language.reading import FOLLOWING, MAX_LENGTH, STRONG, WEAK, Part, Piece, Reader, Said, within
from core.language.zh_text import NUMBER, number, see
from core.language.zh_time_every import EVERY, WEEK, weekday
from core.when.expressions import Clock, Date, Delay, Expression, InDays, Weekday

_N = NUMBER
NIGHT = Part(20, 17, 28)
PARTS = {
    "凌晨": Part(5, 0, 6),
    "清晨": Part(7, 3, 11),
    "早": Part(9, 1, 12),
    "上午": Part(9, 1, 12),
    "中午": Part(12, 11, 14),
    "下午": Part(15, 12, 20),
    "傍晚": Part(18, 16, 20),
    "晚": NIGHT,
    "半夜": Part(24, 21, 30),
}
_NAMES = {"清早": "清晨", "大早": "清晨", "一早": "清晨", "大清": "清晨", "早上": "早", "早晨": "早", "晨": "早", "正午": "中午",
          "午后": "下午", "晚上": "晚", "晚间": "晚", "夜晚": "晚", "夜": "晚", "深夜": "半夜", "夜里": "半夜"}  # fmt: skip
_PART = (
    "(?:凌晨|清晨|(?:大清|大|清|一)早上?|早上|早晨|上午|中午|正午|下午|午后|傍晚|晚上|晚间|夜晚|半夜里?|深夜|夜里"
    "|早(?=[0-9一二三四五六七八九十])|晚(?=[0-9一二三四五六七八九十]))"
)
# Minutes without 分 are two digits, and no number of other things: "三点二十个人".
_BARE_MINUTE = (
    "(?:[0-5][0-9](?![0-9])|零[一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?)(?![零一二三四五六七八九十百分秒个位人件份次本张杯瓶条天年月号日块元页篇])"
)
_HOUR = "(?:2[0-4]|[01]?[0-9]|二?十[一二三四]?|十[五六七八九]|[零一二两三四五六七八九])"
_HANDS = (
    rf"(?P<h>{_HOUR})(?:点(?!儿)|时(?!候|间|代|光))(?:(?P<word>半(?!天|个|小)|一刻|三刻|整)|(?P<m>[0-5]?[0-9]|零?[一二三四五六七八九]"
    rf"|[二三四五]?十[一二三四五六七八九]?)分(?!钟)|(?P<bare>{_BARE_MINUTE})|钟)?"
)
_DIGITAL = r"(?P<dh>[01]?[0-9]|2[0-4]):(?P<dm>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:])"
_CLOCK = rf"(?:{_HANDS}|{_DIGITAL})"
_PLAIN_CLOCK = re.sub(r"\?P<\w+>", "?:", _CLOCK)
_AMOUNT = (
    rf"(?=[0-9零一二两三四五六七八九十百半])(?:(?P<years>{_N})年|(?P<halfyear>半)年|(?P<months>{_N})个月|(?P<halfmonth>半)个月"
    rf"|(?P<weeks>{_N})个?{WEEK})?(?:(?P<days>{_N})天)?"
    rf"(?:(?P<tenths>[0-9]{{1,3}}\.[0-9]{{1,2}})个?(?:小时|钟头)|(?P<hours>{_N})个?(?P<more>半)?(?:小时|钟头)"
    rf"|(?P<halfhour>半)个?(?:小时|钟头))?"
    rf"(?:(?P<minutes>{_N})分钟?|(?P<quarters>[一三])刻钟|(?P<halfminute>半)分钟)?(?:(?P<seconds>{_N})秒钟?)?"
)
_LATER = "(?:之后|以后|过后|后(?![天来面台者]))"


def hands(match: re.Match[str]) -> Clock | None:
    """The clock of `_CLOCK`: "三点一刻", "17:00". Certain only where nobody can mean the other half of the day."""
    said = match.groupdict()
    written = said["h"] or said["dh"]
    hour = number(written)
    word = {"半": 30, "一刻": 15, "三刻": 45}.get(said.get("word") or "", 0)
    minute = number(said["m"] or said["bare"] or said["dm"] or "0")
    if hour is None or minute is None or hour > 24:
        return None
    return Clock(hour=hour, minute=minute or word, certain=hour == 0 or hour > 12 or written[:2] in {"0" + written[1:]})


def part_of(name: str) -> Part:
    """The part of the day of a name: "晚上", "一早"."""
    short = name[:2] if name not in PARTS else name
    return PARTS[_NAMES.get(short, short)]


# 三点半, 17:00, 晚上12点, 8点和20点 -------------------------------------------------------------------------------------


def _clock(match: re.Match[str]) -> Said | None:
    clock = hands(match)
    if clock is None or clock.hour == 24:
        return None
    # "一点" and "两点" are also "a little" and "two points".
    sure = clock.certain or match["dh"] or match["word"] or match["m"] or match["bare"] or "钟" in match[0]
    return Said(clocks=(clock,), strength=STRONG if sure else WEAK)


def _padded_clock(match: re.Match[str]) -> Said | None:
    """ "下午03:15": with a part of the day the zero in front says nothing."""
    clock = hands(match)
    if clock is None or clock.hour > 12:
        return None
    return Said(clocks=(replace(clock, certain=False),))


def _end_of_day(match: re.Match[str]) -> Said:
    """24:00 is the midnight that ends a day, as 午夜 is."""
    minute = int(match["minute"] or 0) if "minute" in match.groupdict() else 0
    return Said(clocks=(Clock(hour=12, minute=minute, certain=False),), part=Part(24, 24, 24))


def _clocks(match: re.Match[str]) -> Said | None:
    found: list[Clock] = []
    part: Part | None = None
    for one in _EACH.finditer(match[0]):
        part = part_of(one["part"]) if one["part"] else part
        clock = hands(one)
        placed = within(clock, part) if clock and part else (clock, 0)
        if clock is None or clock.hour == 24 or placed is None or placed[0] is None or placed[1]:
            return None
        found.append(placed[0])
    return Said(clocks=tuple(found))


_EACH = re.compile(rf"(?P<part>{_PART})?{_CLOCK}")


def _part(match: re.Match[str]) -> Said | None:
    part = part_of(match[0])
    return Said(part=part, strength=STRONG)


# 20分钟后, 一个半小时后, 3天后 -----------------------------------------------------------------------------------------


def _delay(match: re.Match[str]) -> Said | None:
    delay = length(match)
    return Said(delay=delay) if delay and (match["later"] or match["past"]) else None


def length(match: re.Match[str]) -> Delay | None:
    """The length of time that `_AMOUNT` has read."""
    said = match.groupdict()
    counts = {
        name: number(said[name] or "零") for name in ("years", "months", "weeks", "days", "hours", "minutes", "seconds")
    }
    if any(count is None for count in counts.values()):
        return None
    n = {name: count or 0 for name, count in counts.items()}
    seconds = n["hours"] * 3_600 + n["minutes"] * 60 + n["seconds"] + round(float(said["tenths"] or 0) * 3_600)
    seconds += (1_800 if said["more"] or said["halfhour"] else 0) + (30 if said["halfminute"] else 0)
    seconds += 900 * (number(said["quarters"]) or 0) if said["quarters"] else 0
    months = n["years"] * 12 + n["months"] + (6 if said["halfyear"] else 0)
    days = n["weeks"] * 7 + n["days"] + (15 if said["halfmonth"] else 0)
    return Delay(seconds=seconds, days=days, months=months) if seconds or days or months else None


# 明天, 周五, 11月27日, 下个月1号, 月底 -----------------------------------------------------------------------------------

_NEAR = {"今": 0, "明": 1, "后": 2, "大": 3}


def _near(match: re.Match[str]) -> Said:
    return Said(day=InDays(days=_NEAR[match[0][0]]), strength=WEAK)


def _near_part(match: re.Match[str]) -> Said:
    return Said(day=InDays(days=_NEAR[match[0][0]]), part=part_of(match["part"]))


def _weekday(match: re.Match[str]) -> Said:
    return Said(day=Weekday(weekday=weekday(match["day"]), weeks=_ahead(match["which"])), strength=WEAK)


def _ahead(which: str | None) -> int | None:
    return which.count("下") if which else None


def _week(match: re.Match[str]) -> Said:
    return Said(day=Weekday(weekday=0, weeks=_ahead(match["which"])), strength=WEAK)


def _weekend(match: re.Match[str]) -> Said:
    return Said(day=Weekday(weekday=5, weeks=_ahead(match["which"])), strength=WEAK)


def _date(match: re.Match[str]) -> Said | None:
    said = match.groupdict()
    year = number(said["year"]) if said.get("year") else None
    month, day = number(said["month"]), number(said["day"])
    if month is None or day is None or not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    full = year + 2000 if year is not None and year < 100 else year
    years = {"今": 0, "明": 1, "后": 2}.get((said.get("which") or " ")[0])
    weak = full is None and "月" not in match[0]
    return Said(day=Date(day=day, month=month, year=full, years=years), strength=WEAK if weak else STRONG)


def _day_of_month(match: re.Match[str]) -> Said | None:
    which = match["which"]
    months = which.count("下") if which else None
    if match["edge"]:
        return Said(day=Date(day=1 if match["edge"] == "初" else -1, months=months), strength=WEAK)
    day = number(match["day"] or "1")
    if day is None or not 1 <= day <= 31:
        return None
    return Said(day=Date(day=day, months=months), strength=WEAK)


_IN_WEEK = rf"(?:[(,]?(?:星期|周|礼拜)[一二三四五六日天]\)?)?"
_COUNTED = "[号日](?!楼|线|门|店|机|桌|厅|院|馆|房|仓|库|码|柜|车|电|元|游|常|历|记|子|报|本|语)"
_PIECES: tuple[tuple[str, object], ...] = ()
