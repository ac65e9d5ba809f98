"""Chinese: for whom a request is, when it begins with that: 我, 大家, @bob, 小明和小红."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.grammar import ME
from core.language.zh.times import READER

KIN = (
    "(?:妈妈?|爸爸?|爸妈|老婆|老公|爷爷|奶奶|外公|外婆|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?|儿子|女儿|孩子们?|叔叔|阿姨|舅舅|姑姑"
    "|老板|老师|室友|同事)"
)
_SELF = re.compile(rf"我(?!们|{KIN}|[和跟与及、](?=[^,.]{{2}}))(?:自己)?|自己")
_I = f"我(?!们|{KIN})"
_ALL = re.compile(
    "(?:@(?:所有人|全体成员|all|everyone)|大家(?:伙儿?)?|所有人|全体(?:成员|人员)?|全员|全(?:组|队|团队|频道)|每个人|各位|咱们?(?:大家|所有人)?"
    "|我们(?:大家|所有人)?|(?:群|组|频道|团队)里?(?:所有人|大家|的人|的?成员)"
    # "团队建设" is something that a team has.
    "|(?:整个)?团队(?=[今明后每周下在于早晚上中0-9一二三四五六七八九十]|星期|礼拜|[去要该]|记得))(?![的家电里])",
    re.IGNORECASE,
)
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任"
    "姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
_HAN = "\u4e00-\u9fff"
# Signs that are in no name, or not at its beginning: those of grammar, and the verbs of what people are reminded of.
_GRAMMAR = "的了吗呢吧着过在和与及跟把被给从到是有没不也都就还很太去要该说每今明后昨点号周"
_DEEDS = (
    "买开去看吃喝交写打发做取拿接送洗睡起跑学读付还带回查找问见参约订预给把在要请叫说想来上下出进关充换修搬寄收签提准复锻休备检会除从"
    "到别不没有是每今明后昨我你他她它这那什谁几多少一二三四五六七八九十两半记听浇喂遛倒煮做炒练背抢投缴存转报考值加减更升备清整完"
)
_OTHERS = "你您他她它谁"
_NICK = rf"(?:老(?![家师板人年是鼠虎友歌乡旧])|小(?![米时说区票吃猫狗组学心型费提睡孩鸡麦于店])|阿(?![里富根]))[{_HAN}]"
_FULL = rf"(?!周[一二三四五六日天末几])[{_SURNAMES}](?![{_GRAMMAR}])[{_HAN}](?![{_GRAMMAR}])[{_HAN}]"
_TITLED = rf"(?![{_DEEDS}])[{_HAN}]{{1,2}}(?:老师|总|经理|医生|主任|师傅)"
_LATIN = r"[A-Z][A-Za-z'.-]{0,19}(?: [A-Z][A-Za-z'.-]{0,19})?"
_HANDLE = rf"@(?:[0-9A-Za-z_.]{{2,32}}|[{_HAN}]{{1,8}})"
_LIKELY = rf"(?:{_HANDLE}|我?{KIN}|{_NICK}|{_FULL}|{_TITLED}|{_LATIN})"
_ANY = rf"(?:{_LIKELY}|[A-Za-z][A-Za-z'.-]{{0,19}}|(?![{_DEEDS}])(?:(?![{_GRAMMAR}])[{_HAN}]){{2,4}})"
_AND = re.compile("[、,和跟与及]")
_LISTS = {
    likely: re.compile(rf"(?:{_I}[、和跟与及])?{name}(?:[、,和跟与及](?:{name}|{_I})){{0,7}}")
    for likely, name in ((True, _LIKELY), (False, _ANY))
}
_LONGEST = 60
_GOES_ON = re.compile("[:,]?(?=去|要|该|说|记得|别忘)")
_MARK = re.compile("[:, ]")


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a request is for, as it was written, and where it goes on. `said` when there was somebody at all."""

    names: tuple[str, ...] = ()
    everybody: bool = False
    end: int = 0
    said: bool = False


def who(text: str, start: int, end: int, *, told: bool) -> Who:
    """Read for whom a request is. Directly behind the verb (`told`) any name will do, else one that can be no task.

    A name counts only when a time, or what somebody is to do ("去", "要"), follows it.
    """
    if match := _ALL.match(text, start, end):
        return Who(everybody=True, end=match.end(), said=True)
    if match := _SELF.match(text, start, end):
        return Who(end=match.end(), said=True)
    for stop in range(start + 1, min(end, start + _LONGEST)):
        if _LISTS[not told].fullmatch(text, start, stop) and _goes_on(text, stop, end):
            return Who(names=_names(text[start:stop]), end=stop, said=True)
    return Who(end=start)


def _names(text: str) -> tuple[str, ...]:
    return tuple(ME if name == "我" else name for name in _AND.split(text))


def owner(text: str, start: int, end: int) -> Who:
    """Read whom it is for behind "9点提醒": who is to do something, or who is surely a person ("小明交报告")."""
    found = who(text, start, end, told=True)
    if found.said:
        return found
    for stop in range(min(end, start + _LONGEST), start, -1):
        if _LISTS[True].fullmatch(text, start, stop) and re.match(f" ?[{_DEEDS}]", text[stop:end]):
            return Who(names=_names(text[start:stop]), end=stop, said=True)
    return Who(end=start)


def is_deed(text: str, start: int, end: int) -> bool:
    """Whether a text begins with what to do, and so with nobody's name."""
    return start < end and text[start] in _DEEDS and text[start] not in _OTHERS


def _goes_on(text: str, at: int, end: int) -> bool:
    if text[at - 1].isascii() and text[at].isascii() and text[at - 1].isalnum() and text[at].isalpha():
        return False
    if _GOES_ON.match(text, at, end):
        return True
    mark = _MARK.match(text, at, end)
    found = READER.scan(text, mark.end() if mark else at, end)
    # "牛奶明天" is no name with its time, for nothing is left to be reminded of.
    return found is not None and found.end < end
