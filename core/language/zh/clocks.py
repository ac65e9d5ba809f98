"""Chinese: times of day. Patterns see a text as `core.language.zh.normalize` folds it."""

from __future__ import annotations

import re
from dataclasses import replace

from core.kernel.timing.expressions import Clock
from core.language.engine.said import STRONG, WEAK, Part, Said, within
from core.language.zh.scanner import Piece
from core.language.zh.normalize import number

_MORNING, _NOON, _EVENING = Part(9, 1, 12), Part(12, 11, 14), Part(20, 17, 28)
_AFTERNOON, _DUSK, _DAWN = Part(15, 12, 20), Part(18, 16, 20), Part(7, 3, 11)
# These two are said with a clock only: nobody is reminded "in the small hours".
_SMALL, _DEEP = Part(5, 0, 6), Part(23, 21, 30)
PARTS = {
    **dict.fromkeys(("早上", "早晨", "早", "晨", "上午"), _MORNING),
    **dict.fromkeys(("清晨", "清早", "大清早", "一早", "一大早", "大早上"), _DAWN),
    **dict.fromkeys(("中午", "正午"), _NOON),
    **dict.fromkeys(("下午", "午后"), _AFTERNOON),
    "傍晚": _DUSK,
    **dict.fromkeys(("晚上", "晚间", "夜晚", "晚", "夜"), _EVENING),
    "凌晨": _SMALL,
    **dict.fromkeys(("半夜", "半夜里", "深夜", "夜里"), _DEEP),
}
_HALVES = {"a": Part(9, 0, 11), "p": Part(15, 12, 23)}
# 早 and 晚 are also "early" and "late", 晨 and 夜 parts of other words.
_LETTERS = ("早", "晚", "晨", "夜")
_HOURS, _HANDS = range(24), range(1, 13)
_FIGURE = "[0-9零一二两三四五六七八九十]"


def _any(names: list[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


_ALONE = _any([name for name, part in PARTS.items() if part not in {_SMALL, _DEEP} and name not in _LETTERS])
_CLOCKED = _any([name for name, part in PARTS.items() if part in {_SMALL, _DEEP}] + ["早", "晚"])
PART = rf"(?:{_ALONE}|(?:{_CLOCKED})(?=的?{_FIGURE}))"
_HOUR = "(?:2[0-4]|[01]?[0-9]|二?十[一二三四]|二十|十[五六七八九]?|[零一二两三四五六七八九])"
# What follows a number that counts other things than minutes: "三点二十个人".
_OTHERS = "[零一二三四五六七八九十百分秒个位人件份次本张杯瓶条天年月号日块元页篇]"
_BARE = rf"(?:[0-5][0-9](?![0-9])|零[一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?)(?!{_OTHERS})"
_MINUTE = "(?:[0-5]?[0-9]|零?[一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?)分(?!钟)"
CLOCK = (
    rf"(?:(?P<hour>{_HOUR})(?:点(?!儿|(?<=一点)[事小都也没不])|时(?!候|间|代|光))"
    rf"(?:(?P<word>半(?![天个小])|[一三13]刻(?!钟)|整)|(?P<minute>{_MINUTE})|(?P<bare>{_BARE})|(?P<full>钟))?"
    r"|(?P<figures>[01]?[0-9]|2[0-4]):(?P<shown>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:]))"
    r"(?: ?(?P<half>[AaPp]\.?[Mm](?![A-Za-z])\.?))?(?:左右)?"
)
UNNAMED = re.sub(r"\?P<\w+>", "?:", CLOCK)
ONE = re.compile(rf"(?P<part>{PART})?的?{CLOCK}")


def hands(match: re.Match[str]) -> Clock | None:
    """The clock of `CLOCK`. Certain only where nobody can mean the other half of the day: "21点", "09:00"."""
    written = match["hour"] or match["figures"]
    hour, minute = number(written), number((match["minute"] or match["bare"] or match["shown"] or "0").rstrip("分"))
    if hour is None or minute is None:
        return None
    minute += {"半": 30, "一刻": 15, "1刻": 15, "三刻": 45, "3刻": 45}.get(match["word"], 0)
    if match["half"]:
        placed = within(Clock(hour=hour, minute=minute, certain=False), _HALVES[match["half"][0].lower()])
        return placed[0] if placed and hour in _HANDS else None
    certain = hour not in _HANDS or written[0] in "0零"
    return Clock(hour=hour, minute=minute, certain=certain)


def _clock(match: re.Match[str]) -> Said | None:
    clock = hands(match)
    if clock is None or clock.hour not in _HOURS:
        return None
    # "一点" and "两点" are also "a little" and "two points".
    sure = clock.certain or any(match[name] for name in ("figures", "word", "minute", "bare", "full"))
    return Said(clocks=(clock,), strength=STRONG if sure else WEAK)


def _padded(match: re.Match[str]) -> Said | None:
    """Beside a part of the day the zero in front says nothing: "下午03:15"."""
    clock = hands(match)
    return Said(clocks=(replace(clock, certain=False),)) if clock and clock.hour in _HANDS else None


def _midnight(match: re.Match[str]) -> Said:
    """The one that ends a day."""
    return Said(clocks=(Clock(hour=12, certain=False),), part=Part(24, 24, 24))


def _clocks(match: re.Match[str]) -> Said | None:
    found: list[Clock] = []
    part: Part | None = None
    for one in ONE.finditer(match[0]):
        part = PARTS[one["part"]] if one["part"] else part
        clock = hands(one)
        if clock is None or clock.hour not in _HOURS:
            return None
        placed, later = (part and within(clock, part)) or (clock, 0)
        if later:
            return None
        found.append(placed)
    return Said(clocks=tuple(found))


def _part(match: re.Match[str]) -> Said:
    return Said(part=PARTS[match[0]])


PIECES: tuple[Piece, ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (rf"(?:{PART})?的?{UNNAMED}(?:[、,和跟及与](?:{PART})?的?{UNNAMED}){{1,11}}", _clocks),
        (r"(?:晚上?|夜里|半夜)?(?:24点(?:整|钟)?|24:00)(?![0-9])|午夜(?![场后])", _midnight),
        (PART, _part),
        (CLOCK, _clock),
        (CLOCK, _padded),
    )
)
