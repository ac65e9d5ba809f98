"""Chinese: when a brief is wished for, and when quiet."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import At, Clock, Every, Expression
from core.language.engine.said import expression, join
from core.language.grammar import Wish
from core.language.zh.normalize import Words
from core.language.zh.times import CLOCK, READER

_BRIEF = re.compile(
    "[,]?(?:请|记得|再|就)?(?:给我们?|向我们?|为我们?|把)?(?:发送?|推送|来|做|说|看)?(?:一?[份个下])?"
    "(?P<daily>每日|每天的?|今日|当天的?|当日)?(?:的)?(?:简报|早报)(?:发?给我们?|过来)?[,:]?(?:在|于|定在|设在|改到|改成)?"
)
_HALF_DAY, _DAY = 12, 24 * 60
_TIME = re.sub(r"\?P<\w+>", "?:", CLOCK.pattern.pattern)
_FROM_TO = (
    rf"(?:每天)?(?:从|在)?(?P<begin>{_TIME})(?:到|至|-|~)(?:第二天|次日|明天)?的?(?P<end>{_TIME})(?:之间|期间)?的?"
)
_ALONE = "(?:打扰|吵|烦|发消息|说话|通知)(?:我们?)?"
_QUIET = "(?:勿扰|免打扰|静音|安静)"
_QUIETS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_FROM_TO},?(?:都|请)?(?:不要|别|勿|不许|不准){_ALONE}",
        rf"{_FROM_TO},?(?:开启|保持|设为|设成)?{_QUIET}(?:模式|时间|时段)?",
        rf"(?:设置|开启)?{_QUIET}(?:模式|时间|时段)?[,:是为]?(?:设为|设成|改成|改为|设在)?{_FROM_TO}",
        rf"(?:不要|别|勿){_FROM_TO}{_ALONE}",
    )
)


def brief(words: Words) -> Wish | None:
    """A brief at one time every day: "每天早上7点半给我发简报"."""
    text = words.text
    end = len(text)
    first = READER.scan(text, 0, end)
    # "每日简报" says how often in its name.
    for front in [first, None] if first else [None]:
        match = _BRIEF.match(text, front.end if front else 0)
        if match is None:
            continue
        back = READER.scan(text, match.end(), end)
        if (back.end if back else match.end()) == end:
            said = [scan.said for scan in (front, back) if scan]
            both = join(*said) if len(said) > 1 else said[0] if said else None
            return _daily(expression(both) if both else None)
    return None


def _daily(due: Expression | None) -> Wish | None:
    match due:
        case Every(unit="day", n=1, clocks=(clock,)) | At(day=None, clock=Clock() as clock):
            return Wish(name="brief", when=Every(unit="day", clocks=(clock,)))
    return None


def quiet(words: Words) -> Wish | None:
    """Quiet hours: "晚上10点到早上7点不要打扰"."""
    match = next((found for pattern in _QUIETS if (found := pattern.fullmatch(words.text))), None)
    begin, end = (READER.clock(match["begin"]), READER.clock(match["end"])) if match else (None, None)
    if begin is None or end is None or not begin.certain:
        return None
    end = end if end.certain else _next(begin, end)
    return Wish(name="quiet", hours=(f"{begin.hour:02}:{begin.minute:02}-{end.hour:02}:{end.minute:02}",))


def _next(begin: Clock, end: Clock) -> Clock:
    """The first of both that comes: from 13 to 3 is in the afternoon, from 22 to 7 over night."""
    half = end.hour % _HALF_DAY
    clocks = [Clock(hour=hour, minute=end.minute) for hour in (half, half + _HALF_DAY)]
    return min(clocks, key=lambda clock: (_minutes(clock) - _minutes(begin) - 1) % _DAY)


def _minutes(clock: Clock) -> int:
    return clock.hour * 60 + clock.minute
