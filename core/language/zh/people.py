"""Chinese: for whom a request is, when it begins with that: 我, 大家, @bob, 小明和小红."""

from __future__ import annotations

import re

from core.language.engine.people import People, Who
from core.language.engine.tokens import Tokens
from core.language.grammar import ME
from core.language.zh.lexicon import DEEDS, GRAMMAR, KIN, SURNAMES

_KIN = f"(?:{'|'.join(sorted(KIN.split(), key=len, reverse=True))})"
_I = f"我(?!们|{_KIN})"
_SELF = re.compile(rf"我(?!们|{_KIN}|[和及、](?=[^,.]{{2}}))(?:自己)?|自己|本人")
_ALL = re.compile(
    "(?:@(?:所有人|全体成员|all|everyone)|大(?:家(?:伙儿?)?|伙儿?)|所有人|全体(?:成员|人员)?|全员|全(?:组|队|团队|频道"
    "|家人?(?![桶便福]))|每个人|各位|咱(?!们?[组队班部家俩两老妈爸])们?(?:大家|所有人)?"
    "|我们(?![组队班部经领老家俩两])(?:大家|所有人)?|(?:群|组|频道|团队)里?(?:所有人|大家|的人|的?成员)"
    # "团队建设" is something that a team has.
    "|(?:整个)?团队(?=[今明后每周下在于早晚上中0-9一二三四五六七八九十]|星期|礼拜|[去要该填写开]|交(?!流)|提交"
    "|记得))(?![的家电里])",
    re.IGNORECASE,
)
_HAN, _LONGEST, _AND = "\u4e00-\u9fff", 60, re.compile("[、,和及]")
_OF_NICK = "老(?![家师板人年是鼠虎友歌乡旧])|小(?![米时说区票吃猫狗组程朋学心型费提睡孩鸡麦于店])|阿(?![里富根])"
_NICK = rf"(?:{_OF_NICK})[{_HAN}][哥姐叔]?"
# What a name of three signs ends with: "张伟交报告" is for 张伟, of which nobody can be sure.
_GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛兰霞刚英华玲国梅鹏浩宇轩涵怡欣佳琪婷慧颖莉倩萍斌辉峰龙燕翔凯琳楠俊洁鑫红"
_FULL = rf"(?!周[一二三四五六日天末几]|高[铁考中速温]|.总)[{SURNAMES}](?![{GRAMMAR}])[{_HAN}][{_GIVEN}]"
_TITLED = rf"(?![{DEEDS}])[{_HAN}]{{1,2}}(?:老师|总|经理|医生|主任|师傅|阿姨|叔叔)"
_SURELY = f"{_KIN}|{_NICK}|{_FULL}|{_TITLED}"
# No names, but words of time that are written beside Chinese.
_NO_NAME = r"(?!(?:[AaPp][Mm]|UTC|GMT|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day)?)(?![A-Za-z]))"
_LATIN = rf"{_NO_NAME}[A-Z][A-Za-z'.-]{{1,19}}(?: [A-Z][A-Za-z'.-]{{0,19}})?"
_HANDLE = rf"@(?:[0-9A-Za-z_.]{{2,32}}|[{_HAN}]{{2}}(?:(?=明|(?![{DEEDS}]))[{_HAN}]){{0,6}})"
_LIKELY = rf"(?:{_HANDLE}|我?{_KIN}|{_SURELY}|{_LATIN})"
_SIGN = rf"(?![{GRAMMAR}我你您他她它费租检统管票车机药衣饭课单证卡钱账房门网货件灯床鞋猫狗款包店厂])[{_HAN}]"
_NONE = f"[{DEEDS}]|小区|团队|项目|大[概约]|万一|为什|如果|要是|{_SURELY}|[{SURNAMES}].{{3}}"
_OTHER = rf"(?!{_NONE})(?:{_SIGN}){{2}}(?:(?![{DEEDS}]){_SIGN}){{0,2}}"
_ANY = rf"(?:{_LIKELY}|{_NO_NAME}[A-Za-z][A-Za-z'.-]{{0,19}}|{_OTHER})"
# Of names that surely are some, and of any.
_LISTS = [re.compile(rf"(?:{_I}[、和及])?{name}(?:[、,和及](?:{name}|{_I})){{0,7}}") for name in (_LIKELY, _ANY)]
# "我奶奶来" and "我老板要报告" are what I am to know.
_MINE = "(?!(?:(?<=我.)|(?<=我..))[来到要说回走过])"
_GOES_ON, _MARK = re.compile(f"{_MINE}[:,]?(?=去|要|该|说|记得|别忘)"), re.compile("[:, ]")
# It is no half of a longer one: "汇报".
_HALF = "(?<=体)检|(?<=[汇申填])报|(?<=[核巡排复])查|(?<=[对迎])接|(?<=购)买|(?<=[递转移])交|(?<=[发运派])送"
_DEED = re.compile(f" ?(?!{_HALF}|(?<=[阅朗])读|(?<=[答回])复|(?<=增)加|(?<=报)到|我){_MINE}[{DEEDS}跟与]")


class ChinesePeople(People):
    """Reads people in signs, of which nothing shows where a name ends."""

    def read(self, text: str, tokens: Tokens, at: int, end: int, *, told: bool = False) -> Who:
        """For whom what stands from a token on is.

        Directly behind the verb (`told`) any name will do, else one that can be no task. It counts only when a time, or
        what somebody is to do, follows it.
        """
        seen = _seen(tokens)
        if match := _ALL.match(seen, at, end):
            return Who(everybody=True, end=match.end() + seen.startswith(" ", match.end()))
        if match := _SELF.match(seen, at, end):
            return Who(end=match.end())
        stops = range(at + 1, min(end, at + _LONGEST))
        names = (stop for stop in stops if _LISTS[told].fullmatch(seen, at, stop))
        lists = (stop for stop in names if self._goes_on(seen, tokens, stop, end))
        sure = (
            stop for stop in reversed(stops) if _LISTS[0].fullmatch(seen, at, stop) and _DEED.match(seen, stop, end)
        )
        found = next(lists, None) or (next(sure, None) if told else None)
        return _who(text, seen, tokens, at, found) if found else Who(end=at)

    def whole(self, text: str, tokens: Tokens, at: int, end: int) -> Who | None:
        """For whom that is which all tokens between two places say; None where they say more."""
        seen = _seen(tokens)
        if (everybody := _ALL.fullmatch(seen, at, end)) or _SELF.fullmatch(seen, at, end):
            return Who(everybody=everybody is not None, end=end)
        return _who(text, seen, tokens, at, end) if _LISTS[1].fullmatch(seen, at, end) else None

    def _goes_on(self, seen: str, tokens: Tokens, at: int, end: int) -> bool:
        apart = tokens.starts[at] > tokens.ends[at - 1]
        latin = seen[at - 1].isascii() and seen[at].isascii() and seen[at - 1].isalnum() and seen[at].isalpha()
        if not apart and latin:
            return False
        if _GOES_ON.match(seen, at, end):
            return True
        mark = _MARK.match(seen, at, end)
        found = self._reader.scan_tokens(tokens, mark.end() if mark else at, end)
        # "牛奶明天" is no name with its time, for nothing is left to be reminded of.
        return found is not None and found.end < end


def _seen(tokens: Tokens) -> str:
    """The signs of a text as they were written, each a token; and a space behind the handle that it ends."""
    return "".join(tokens.text[start] for start in tokens.starts)


def _who(text: str, seen: str, tokens: Tokens, start: int, stop: int) -> Who:
    names, at = [], start
    for name in _AND.split(seen[start:stop]):
        names.append(ME if name == "我" else text[tokens.starts[at] : tokens.ends[at + len(name) - 1]])
        at += len(name) + 1
    return Who(names=tuple(names), end=stop + seen.startswith(" ", stop))  # behind the space that ends a handle
