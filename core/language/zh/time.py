"""Chinese: what people write about time, read whole ("下周五下午3点")."""

from __future__ import annotations

import re

from core.kernel.timing.expressions import Expression
from core.language.engine.said import unsigned
from core.language.zh.scanner import Reader
from core.language.zh import clocks as zh_clock
from core.language.zh import days as zh_days
from core.language.zh import repeats as zh_every
from core.language.zh.days import AMOUNT, amount
from core.language.zh.normalize import see

READER = Reader(
    pieces=(*zh_every.PIECES, *zh_days.PIECES, *zh_clock.PIECES),
    between=re.compile("[,的 ]{0,2}"),
    # Before, within, after, until, about, the third of, twice: not this time, or not only this one.
    against=re.compile(
        "[之以]?前(?![台往面])|[之以]?内(?![容部裤存科])|[之以]?后(?!天)|多(?![喝吃带穿买休])|[0-9一二两三四五六七八九十]+次|第|最后"
        "|倒数|[到至~-](?=[0-9零一二两三四五六七八九十今明后下这周早晚上中凌])|[:点.][0-9]|[0-9零一二三四五六七八九十]+分(?!钟)|的(?!话|时候)|[%‰]"
    ),
)
BEGINS = frozenset(
    "0123456789零一二两三四五六七八九十百半每逢隔双天工上平周星礼今明后大这本下月再过等早晨清中正傍晚夜凌深午"
)
_LONGEST = 200
# A text with neither a figure nor a Chinese character says no time here.
_SAYS = re.compile("[0-9０-９〇\u3400-\u9fff]")
_EDGE = re.compile(r"[\s,.;:!?~…]+")
_BEFORE = "(?:那就|就|再|在|于|(?:改|推迟|延后|延|推|换|等)?到|改成|改为|换成)?"
_AFTER = "(?:吧|呢|哦|噢|啊|呀|好了|就行|再?提醒我?|[,.!]*(?:谢谢[你您]?啦?|多谢|谢啦))?"
_PADS = re.compile(_BEFORE), re.compile(_AFTER + "$")
_BARE = re.compile(rf"(?:再?(?:推迟|延后|延迟|延|推))?{AMOUNT}")


def bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch of a folded text without the signs and spaces around it."""
    while start < end and _EDGE.match(text[start]):
        start += 1
    while start < end and _EDGE.match(text[end - 1]):
        end -= 1
    return start, end


def when(text: str) -> Expression | None:
    """The time that a text is and nothing else; None when it is none."""
    if len(text) > _LONGEST or not _SAYS.search(text):
        return None
    seen = see(unsigned(text)).text
    start, end = bounds(seen, 0, len(seen))
    before = _PADS[0].match(seen, start)
    for at in (start, before.end()) if before and before.end() > start else (start,):
        behind = _PADS[1].search(seen, max(at, end - 6), end)
        for to in (end, behind.start()) if behind and behind.start() < end else (end,):
            if found := READER.whole(seen, at, to):
                return found
    bare = _BARE.fullmatch(seen, start, end)
    return amount(bare) if bare else None
