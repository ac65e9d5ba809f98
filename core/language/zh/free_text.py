"""Chinese: free text with the verb of a wish."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from core.language.engine.phrases import Phrases
from core.language.engine.said import Scan, expression, join
from core.language.engine.tokens import MAX_LENGTH, Tokens
from core.language.grammar import ME, Request, Wish
from core.language.zh.addressees import KIN, Who, is_deed, owner, who
from core.language.zh.normalize import NEWS, Words, fold, is_ours, see
from core.language.zh.phrases import MACROS, ROWS, VAGUE
from core.language.zh.remainder import is_question, one_wish
from core.language.zh.requests import meant, request, task, without_until
from core.language.zh.times import READER, bounds, when

_LEAD = re.compile(
    r"(?:请[你您]?|麻烦[你您]?|劳驾|拜托[你您]?|帮我|帮忙|帮个忙|给我|替我|[你您]?(?:能不能|可不可以|能否|可否|可以|能)|记得|别忘了?"
    r"|别忘记|不要忘[了记]|到时候?|到点|[你您]好|嗨|嘿|那么?|好的|teller|[,:!\s]"
    # "在8点提醒我", "你明天提醒我", but not "在家提醒我".
    r"|(?:[在于]|(?:我(?:想|要|希望)(?:让|请|叫)?)?[你您])(?=[0-9一二两三四五六七八九十今明后每早上下中晚周星礼])){1,6}",
    re.IGNORECASE,
)
_CAN = re.compile("能|可")
_THANKS = re.compile(r"(?:[,.!\s]+(?:谢谢[你您啦了]?|多谢|谢啦|拜托了?))$")
_PLEASE = re.compile("[,]?(?:好吗|好么|好不好|可以吗|行吗|行不行)$")
# A question, or taken back.
_NO_WISH = re.compile("(?:吗|没有?|算了|不用了|才怪)$")
_VERB = re.compile(r"(?:(?P<again>一直|反复|不断)?提醒(?:一下)?|(?:叫|喊)(?=我(?!们)|大家|我们)|(?:通知|催)(?=我))")
_WAKE = re.compile("叫醒我(?:起床)?")
_SETS = "(?:设置|设定|设|定|订|建|新建|创建|添加|新增|加)(?:一?个|一?条|一下)?"
_ALARM = "(?:提醒|闹钟|闹铃)"
_SET = re.compile(rf"{_SETS}{_ALARM}[:,]?|提醒(?:事项)?:")
_SET_FOR = re.compile(rf"{_SETS}(?P<body>.{{1,200}}?)的?(?P<what>{_ALARM})")
_BETWEEN = re.compile("(?:的?时候?|[,的]|请[你您]?|麻烦[你您]?|帮我|记得|别忘了?|到时候?|准时|按时|再|都|就|一定|要)*")
# To whom it is said may be anybody; whoever says it to a bot wants to be reminded.
_FORGET = re.compile(
    "[,]?(?:千万|可|要|请)?(?:别忘了?|别忘记|不要忘[了记]?)(?:要|去)?(?![了记]?[我你他她]们?[吧啊哦]?$)"
)
_AT_END = re.compile(
    "(?<![你您他她它能没在了来说别要过不])(?<![^开]会)[,]?(?:请|记得|麻烦[你您]?|到时候?|到点|别忘了?)?(?:提醒|[叫喊](?=我))(?P<who>我们|我|大家|所有人|咱们)(?:一下|一声|下)?[哦噢啊呀吧哈]?$"
)
_NOT = re.compile("别|不要|不用|不必|甭|取消|停止|谁|为什么")
# Nobody, somebody or who reminds is told: "今天没人提醒我", "周一开会老师提醒我".
_BY = re.compile(f"^[没不谁有]|(?:{KIN}|领导|上司|经理|主任|医生|护士|客服|秘书|同学|朋友|人|谁)$")
_ASKS = re.compile("问")
# News: who wants to hear of the weather wants to know how it is then.
_NEWS = re.compile(
    rf"(?:(?:通知|告诉)(?:一下)?我(?:一下)?[^,.!?看听写读查问谈讨买卖更]{{0,6}}|提醒(?:一下)?我(?:[今明后当]天|最新)?的?){NEWS}$"
)
_UNTIL = "，直到完成"
_OTHERS = frozenset("你您")
_SPACE = re.compile(r"\s")
# What asks for something is no wish to be reminded of it, nor what may say a time that is not understood.
_UNREAD = re.compile(
    "什么|吗|呢|谁|哪|怎么|几|多少|是不是|没有|过|[0-9一二三四五六七八九十天点周月号日年早晚前后次每今昨明分]|时候|小时"
)


def wish(text: str) -> Wish | None:
    """Return what a text wishes; None when it wishes nothing, or not that whole."""
    if len(text) > MAX_LENGTH or not is_ours(text):
        return None
    folded = fold(text)
    start, end = _bared(folded, text)
    # "Are you free tomorrow" is about somebody else. A space is as good as a comma where it is needed.
    parted = _SPACE.sub(",", folded)
    for said in (folded, parted) if parted != folded else (folded,):
        if folded[max(0, start - 1) : start] not in _OTHERS and (found := _PHRASES.read(said, text, start, end)):
            return found
    if rest := without_until(text):
        found = wish(rest)
        return _until_done(found) if found and found.name == "remind" else None
    can = _CAN.search(folded[:start]) is not None
    words = see(text[start:end])
    return None if "?" in folded[end:] and not (can or _PLEASE.search(words.text)) else _reminder(words, can)


def _until_done(found: Wish) -> Wish:
    """The same until it is done."""
    request = found.request and replace(found.request, until_done=True)
    return replace(found, text=f"{found.text}{_UNTIL}", request=request)


def _bared(folded: str, text: str) -> tuple[int, int]:
    """The stretch of a text without what is said for politeness and the signs around it."""
    start, end = bounds(folded, 0, len(folded))
    lead = _LEAD.match(folded, start, end)
    start = lead.end() if lead else start
    thanks = _THANKS.search(folded, max(start, end - 12), end)
    return bounds(folded, start, thanks.start() if thanks else end)


def _reminder(words: Words, can: bool) -> Wish | None:
    """A wish to be reminded, unless it is rather a question or taken back."""
    please = _PLEASE.search(words.text)
    asks = _ASKS.search(words.text) is not None
    if please and not asks:
        words = _cut(words, 0, please.start())
    elif can and words.text.endswith("吗"):
        words = _cut(words, 0, len(words.text) - 1)
    elif not asks and _NO_WISH.search(words.text):
        return None
    if _NEWS.search(words.text):
        return None
    return _set(words) or _told(words) or _timed(words) or _ended(words)


def _cut(words: Words, start: int, end: int) -> Words:
    return see(words.original(start, end))


def _set(words: Words) -> Wish | None:
    """设个提醒：…, 定个明天7点的闹钟."""
    named = _SET_FOR.fullmatch(words.text)
    plain = None if named else _SET.match(words.text)
    if named:
        body, what = words.original(named.start("body"), named.end("body")), named["what"]
    elif plain:
        body, what = words.original(plain.end(), len(words.text)), plain[0]
    else:
        return None
    return _remind(body) or (_wanted(f"{body} 闹钟") if "闹" in what and when(body) else None)


def _told(words: Words) -> Wish | None:
    """提醒我…, 提醒小明…."""
    verb = _VERB.match(words.text)
    if verb is None:
        return None
    end = len(words.text)
    told = words.original(verb.end(), end)
    wanted = request(f"提醒{told}")
    # "叫我明天去" is rather what somebody was told.
    wakes = wanted is not None and (verb[0] in {"通知", "催"} or wanted.text.startswith("起床"))
    if wanted is None or ("提醒" not in verb[0] and not wakes):
        return None
    whom = who(words.text, verb.end(), end, told=True)
    own = whom.said and not whom.names and not whom.everybody
    plain = words.original(whom.end, end).lstrip(" ,，:：") if own else told
    until = verb["again"] is not None and not wanted.until_done
    return _read_as([plain, f"提醒{told}"], wanted, until=until)


def _timed(words: Words) -> Wish | None:
    """明天下午三点提醒我…, 每个工作日9点半提醒大家…."""
    text = words.text
    first = READER.scan(text, 0, len(text))
    pad = _BETWEEN.match(text, first.end) if first else None
    # "At the weekend always" is each of them.
    if first is None or pad is None or ("都" in pad[0] and not first.said.every):
        return None
    time = words.original(0, first.end)
    if _WAKE.fullmatch(text, pad.end()):
        return _wanted(f"{time}起床")
    if (forget := _FORGET.match(text, first.end)) and is_deed(text, forget.end(), len(text)):
        rest = words.original(forget.end(), len(text))
        lines = (f"{time}{rest}", f"{time}，{rest}")
        found = (_remind(one) for one in lines)
        return next((one for one in found if one and one.request and one.request.text == rest), None)
    verb = _VERB.match(text, pad.end())
    whom = owner(text, verb.end(), len(text)) if verb else None
    if verb is None or whom is None or not (whom.said or is_deed(text, verb.end(), len(text))):
        return None
    return _joined(words, time, first, whom, until=verb["again"] is not None)


def _joined(words: Words, time: str, first: Scan, whom: Who, *, until: bool) -> Wish | None:
    end = len(words.text)
    rest = words.original(whom.end, end).lstrip(" ,，:：")
    second = READER.scan(words.text, whom.end, end)
    both = join(first.said, second.said) if second else first.said
    due = expression(both) if both else None
    said = task(words, second.end if second else whom.end, end)
    if due is None or not said:
        return None
    names = "和".join("我" if name == ME else name for name in whom.names)
    before = "大家" if whom.everybody else f"提醒{names} " if names else ""
    want = Request(text=said, when=meant(due, said), who=whom.names, everybody=whom.everybody)
    return _read_as([f"{before}{time}{rest}", f"{before}{time}，{rest}"], want, until=until)


def _ended(words: Words) -> Wish | None:
    """明天下午三点开会，提醒我一下."""
    last = _AT_END.search(words.text, max(0, len(words.text) - 16))
    if last is None or _NOT.match(words.text):
        return None
    body = words.original(0, last.start())
    parted = READER.scan(words.text, 0, last.start()) or re.search(r"[,\s]", words.text[: last.start()])
    wanted = request(body)
    if not parted or not wanted or not _wished(words.text, last, wanted):
        return None
    return _wanted(body if last["who"] == "我" else f"大家{body}")


def _wished(text: str, last: re.Match[str], wanted: Request) -> bool:
    """Whether what to do stands before the verb, rather than who reminds: "今天老师提醒我"."""
    if text[last.start()] == ",":
        return True
    said = see(wanted.text).text
    return last["who"] == "我" and is_deed(said, 0, len(said)) and not _BY.search(said)


def _remind(text: str) -> Wish | None:
    """A wish of what is read as a request; None where it is none."""
    found = _wanted(text)
    return found if found.request else None


def _wanted(text: str) -> Wish:
    return Wish(name="remind", text=text, request=request(text))


def _ordered(time: str, text: str) -> Wish | None:
    """A wish of a phrase: its time, empty where there is none but in the text, and what it is about."""
    if not time:
        found = None if _NO_WISH.search(fold(text)) else _wanted(text)
        return None if found and found.request is None and _UNREAD.search(fold(text)) else found
    # "定时3分钟" is in three minutes.
    return next((found for said in (time, f"{time}后") if when(said) and (found := _remind(f"{said} {text}"))), None)


def _read_as(texts: Iterable[str], want: Request, *, until: bool) -> Wish | None:
    """The first text that is read as what is wanted, `until` it is done; None when none is."""
    for text in texts:
        found = _remind(text)
        if (
            found
            and found.request
            and (found.request.text, found.request.when, found.request.who, found.request.everybody)
            == (want.text, want.when, want.who, want.everybody)
        ):
            return _until_done(found) if until else found
    return None


class _Reminding:
    """What reads of reminders."""

    def ordered(self, time: str, text: str) -> Wish | None:
        return _ordered(time, text)

    def told(self, who: str, time: str, rest: str, *, keeps: bool = False, behind: bool = True) -> Wish | None:
        return None

    def fits(self, tokens: Tokens, start: int, end: int, asked: bool) -> bool:
        text = tokens.text[tokens.starts[start] : tokens.ends[end - 1]]
        return one_wish(text) and not is_question(text, marked=asked)


_PHRASES = Phrases(
    READER,
    ROWS,
    MACROS,
    texts={"vague": VAGUE, "days": "<weekdaysign>|<end>|号|[0-9底初]"},
    reminders=_Reminding(),
)
