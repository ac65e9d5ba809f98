"""Chinese: what is left over of time beside a time that was read, and what of it is surely part of a text.

"明天下午三点和后天四点开会" is not understood when it is read as tomorrow. So a text may name times only where it is
plain that they belong to what it is about: "订周五下午三点的票". Patterns see a text as `zh_text` folds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.language.dateparser_fallback import names_day
from core.language.engine.said import STRONG, Said
from core.language.zh.lexicon import PARTS
from core.language.zh.normalize import NUMBER
from core.language.zh.times import BEGINS, READER

_QUOTED = re.compile('"[^"]{0,2000}"')
_UNIT = "(?:天|周|星期|礼拜|个?月|年|个?小时|个?钟头|分钟|刻钟)"
_AMOUNT = rf"(?:{NUMBER}|半)个?半?{_UNIT}"
# Counted from something else, or on a condition: 会议前10分钟, 之前两小时, 如果下雨.
_OTHERWISE = re.compile(
    rf"(?:[之以]?前|[之以]后|提前|(?<![今明之以背])后){_AMOUNT}|{_AMOUNT}(?:[之以]?前|[之以]?内|[之以]后)"
    "|(?:^|[,;.])(?:如果|要是|假如|除非|只要|万一|当)|的话(?:$|[,.])|(?:^|[,;.]).{0,8}(?:除外|例外)|除了.{1,12}(?:以外|之外|,)|^除了"
    "|(?:^|[,;.])(?:不包括|不含|不算|直到|截止|为止)|[0-9零一二三四五六七八九十]点?[到至~-][0-9零一二三四五六七八九十]{1,3}点"
)
_PARTS_OF_DAY = "|".join(sorted((name for name in PARTS if len(name) > 1), key=len, reverse=True))
_HALVES = r"[AaPp]\.?[Mm](?![A-Za-z])"
# What the border rule goes by. Behind a time it goes on with these ("明天和后天", "下午3点到5点", "明天起每天8点"),
_GOES_ON = re.compile("(?:[,、和或跟与及到至~-]|开始|起|后(?!天))*")
# or with clocks cut in two ("25点", "8.30", "8点30分50秒"), or these say more of it: "后天凌晨", "明天左右".
_BEGINS_ODDLY = re.compile(
    "直到|为止|截止|[0-9零一二三四五六七八九十]{1,4}(?:点(?!心)|:|[.][0-9]|秒|刻)|[0-9]{1,2}分(?!钟)|末|差[0-9一二两三四五六七八九十]"
    rf"|零[0-9一二三四五六七八九]|{_PARTS_OF_DAY}|夜间|左右|前后|上下|期间|之间|[早晚]些时候|[,]?{_HALVES}"
)
# What comes again comes only then: "每年春节", "每年冬天".
_SEASON = re.compile(
    "[,的]?(?:春节|元旦|元宵|清明|端午|七夕|中元|中秋|国庆|重阳|冬至|夏至|腊八|小年|除夕|大年|圣诞|平安夜|万圣|劳动节|五一|十一|双十一"
    "|[^,.]{1,4}节(?![目奏约省点日课能电水制假])|生日|[春夏秋冬][天季]|年[初底末中]|[上下]半年|[暑寒]假|开学|第|最后)"
)
# A time behind these is no time of its own: "请假到明天", "生日是5月3日", "第3天后".
_ENDS_ODDLY = re.compile(
    "[0-9A-Za-z零一二两三四五六七八九十百半第上下这本每隔到至从离比等过前后是和或跟与及的起始自约用花.:/~-]$"
)
# The hour that somebody wrote behind the text: "明天开会9".
_ENDS_IN_HOUR = re.compile(r"(?<=[\u3400-\u9fff])(?<!第)(?:[01]?[0-9]|2[0-4])$")
# Of what comes again these tell when it does not.
_SOMETIMES = re.compile(
    rf"直到|为止|除外|除了|以外|之外|例外|不包括|不含|不算|截止|连续|持续|为期|一共|[到至](?:下|年底|月底|今年|明年|{NUMBER}[月号日年周])|{NUMBER}次|^(?:开始|起(?![床来飞]))"
    rf"|(?:^|,)(?:{_AMOUNT}|只)|(?:,.{{0,4}}|[吃喝服用做练])(?:{NUMBER}|半)个?半?(?:天|周|星期|礼拜|月|年)$"
)
# Before a time that belongs to the text: 订周五的票, 准备周五开会.
_OWNS = re.compile("(?:订|买|约|抢|取|退|改|预订|预约|准备|关于|确认|讨论|参加|安排|为|这|那)$")
# "后天要交的作业" is what is due then.
_DUE = re.compile("要[^,.]{1,4}的")
_HOW_MANY = "[期拜周]几|几[点号]|有几[个天次]|多少"
_ASK = f"(?:什么|怎么|怎样|{_HOW_MANY}|哪[里儿个些]|谁|为什么|吗|呢|是不是|有没有|能不能|可不可以)"
# What is asked, unless somebody is to find it out; and "提醒我的人", where the verb is no wish.
_ASKED = re.compile(rf"(?!.*[问查看确认记说告]).*{_ASK}|的")
_WISH = re.compile(
    r"[,.!?;](?:然后|再|并且?|还有|顺便|另外|也|请[你您]?|麻烦[你您]?|帮我|,)*"
    rf"(?:另外|顺便|还有|.{{0,12}}提醒|叫我|通知我|告诉我|帮我|给我(?:讲|说|发|写|查|看)|把.{{1,30}}清单|查一?下|翻译|[^,.!?;]{{0,30}}{_ASK})"
    "|(?:然后|并且?|再|和|还有|顺便)提醒"
)


def may_follow(text: str, at: int, end: int, said: Said) -> bool:
    """The border rule behind a time: whether what stands from `at` on may be a text by itself, rather than more of the
    time in a way that is not understood."""
    match = _GOES_ON.match(text, at, end)
    to = match.end() if match else at
    if said.every and _SEASON.match(text, at, end):
        return False
    hour = not (said.clocks or said.delay) and _ENDS_IN_HOUR.search(text, at, end)
    return not hour and not _BEGINS_ODDLY.match(text, to, end) and READER.scan(text, to, end) is None


def may_precede(text: str, at: int) -> bool:
    """The border rule before a time that begins at `at`: whether what stands there is no part of it."""
    return _ENDS_ODDLY.search(text, 0, at) is None


def content(text: str, said: Said) -> bool:
    """Whether a folded text beside a time is one wish and names no other time but what it is about."""
    plain = _QUOTED.sub('""', text)
    if (
        not one_wish(plain)
        or _DUE.match(plain)
        or _ASKED.match(plain)
        or _OTHERWISE.search(plain)
        or (said.every and _SOMETIMES.search(plain))
    ):
        return False
    if said.clocks and not (said.day or said.delay or said.every) and names_day(plain):
        return False
    return all(_OWNS.search(plain, max(0, start - 4), start) for start in _times(plain))


def one_wish(text: str) -> bool:
    """Whether no question and no other wish stands behind the first part of a text."""
    return _WISH.search(text) is None


def is_question(text: str, *, marked: bool) -> bool:
    """Whether a folded text asks something: without a mark at its end only "什么是…", "…是什么"."""
    return re.search(_ASK if marked else "什么是|是什么", text) is not None


def _times(text: str) -> Iterator[int]:
    """Where times begin in a text that are surely some."""
    at = 0
    while at < len(text):
        found = READER.scan(text, at, len(text)) if text[at] in BEGINS else None
        # A day of the week or of the month may be a number of something else when it stands alone: "周一" is sure.
        # So is a clock that is no amount: 9点, but not 两点 or 一点.
        said = found.said if found else None
        sure = said and (said.strength == STRONG or said.day or (said.clocks and text[at] not in "一两"))
        if found and sure:
            yield at
            at = found.end
        else:
            at += 1
