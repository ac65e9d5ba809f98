"""Chinese: free text with the verb of a wish, turned into the line of the command that does it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.language.grammar import Request
from core.language.reading import MAX_LENGTH, Scan, expression, join
from core.language.zh_names import Who, is_deed, owner, who
from core.language.zh_orders import order
from core.language.zh_requests import request, task
from core.language.zh_span import brief, quiet
from core.language.zh_text import Words, fold, see
from core.language.zh_time import READER, bounds, when

_LEAD = re.compile(
    r"(?:请[你您]?|麻烦[你您]?|劳驾|拜托[你您]?|帮我|帮忙|帮个忙|给我|替我|[你您]?(?:能不能|可不可以|能否|可否|可以|能)|记得|别忘了?"
    r"|别忘记|不要忘[了记]|到时候?|到点|[你您]好|嗨|嘿|那么?|好的|teller|[,:!\s]){1,6}",
    re.IGNORECASE,
)
_CAN = re.compile("能|可")
_THANKS = re.compile(r"(?:[,.!\s]+(?:谢谢[你您啦了]?|多谢|谢啦|拜托了?))$")
_PLEASE = re.compile("[,]?(?:好吗|好么|好不好|可以吗|行吗|行不行)$")
# A question, or taken back.
_NO_WISH = re.compile(r"(?:了吗|了没有?|过吗|没有|算了|不用了|才怪|\?)$")
_VERB = re.compile(r"(?:(?P<again>一直|反复|不断)?提醒(?:一下)?|(?:叫|喊)(?=我(?!们)|大家|我们)|(?:通知|催)(?=我))")
_WAKE = re.compile("叫醒我(?:起床)?")
_SETS = "(?:设置|设定|设|定|订|建|新建|创建|添加|新增|加)(?:一?个|一?条|一下)?"
_ALARM = "(?:提醒|闹钟|闹铃)"
_SET = re.compile(rf"{_SETS}{_ALARM}[:,]?|提醒(?:事项)?:")
_SET_FOR = re.compile(rf"{_SETS}(?P<body>.{{1,200}}?)的?(?P<what>{_ALARM})")
_BETWEEN = re.compile("(?:[,的]|请[你您]?|麻烦[你您]?|帮我|记得|别忘了?|到时候?|的时候|准时|按时|再|都|就|一定|要)*")
_AT_END = re.compile(
    "[,]?(?:请|记得|麻烦[你您]?|到时候?|到点|别忘了?)?(?:提醒|[叫喊](?=我))(?P<who>我们|我|大家|所有人|咱们)(?:一下|一声)?[哦噢啊呀吧]?$"
)
_NOT = re.compile("别|不要|不用|不必|甭|取消|停止|谁|为什么")
_ASKS = re.compile("问")
_UNTIL = "，直到完成"


def command(text: str) -> str | None:
    """The line of a command that does what a text wishes; None when it wishes nothing, or not that whole."""
    if len(text) > MAX_LENGTH:
        return None
    folded = fold(text)
    start, end = _bared(folded, text)
    return order(text, start, end) or _of_time(see(text[start:end]), bool(_CAN.search(folded[:start])))


def _bared(folded: str, text: str) -> tuple[int, int]:
    """The stretch of a text without what is said for politeness and the signs around it."""
    start, end = bounds(folded, 0, len(folded))
    lead = _LEAD.match(folded, start, end)
    start = lead.end() if lead else start
    thanks = _THANKS.search(folded, max(start, end - 12), end)
    return bounds(folded, start, thanks.start() if thanks else end)
