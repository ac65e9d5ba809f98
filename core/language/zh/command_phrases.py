"""Chinese: what people ask of lists, plans and contacts."""

from __future__ import annotations

import re
from dataclasses import replace

from core.kernel.timing.expressions import At, InDays
from core.language.grammar import Wish
from core.language.zh.normalize import fold
from core.language.zh.remainder import is_question, one_wish

_GAP = r"\s{0,3}"
_TEXT = r"(?P<text>\S(?:.{0,198}\S)?)"
# No longer than it must be: "把牛奶添加到清单" is about 牛奶.
_TEXT_BEFORE = r"(?P<text>\S(?:.{0,198}?\S)??)"
_LOOK = "(?:(?:给我|让我)?(?:看一?[看下]|看看|查一?[看下]|查看|显示|打开|列出|列一下|看)(?:一下)?)?"
_TODO = r"(?:待办(?:事项)?|todo|to-do)"
_LIST = rf"(?:我们?的)?(?:(?:购物|采购)(?:清单|列表)|{_TODO}(?:清单|列表|list)?|清单|列表)"
_ON = "(?:里面?|上面?|中)?"
_WHAT = "(?:什么|啥|哪些)"
_END = "(?:呢|吗|啊|呀)?"
_PUT = "(?:添?加[到进入]|放[到进入在]|写[到进入在]|记[到进入在]|加)"
_TICK = "(?:划掉|勾掉|勾选|打勾)"
_READY = "(?:已?完成了?|做完了|搞定了?|办完了|做好了|弄好了|办好了)"
_DROP = "(?:删掉|删除|移除|去掉|拿掉|移走)"
_STOP = "(?:取消|删除|删掉|停掉|关掉|停止)"
_COLON = rf"(?:{_GAP}[:,]{_GAP}|\s{{1,3}})"
_DUTY = "(?:安排|日程|计划|任务|待办(?:事项)?|要做的(?:事情?)?|要做|要办|事情?|提醒)"
_DEED = "(?:做|干|办)"


def _patterns(name: str, *patterns: str) -> tuple[Wish, tuple[re.Pattern[str], ...]]:
    when = At(day=InDays(days=1)) if name == "tomorrow" else None
    wish = Wish(name="today" if when else name, when=when)
    return wish, tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# What is wished, and patterns for a whole message; `text` is what it is about.
_WISHES = (
    _patterns("done", rf"我?(?:已经)?都?(?:{_READY}|好了|弄完了|干完了|处理(?:好|完)了|ok了)"),
    _patterns(
        "today",
        rf"{_LOOK}我?今[天日]我?都?还?有(?:{_WHAT}|没有?)?{_DUTY}{_END}",
        rf"我?今[天日]我?(?:要|该|得){_DEED}{_WHAT}(?:事情?)?{_END}",
        rf"{_LOOK}我?今[天日]的?(?:安排|日程|计划|任务|待办(?:事项)?)(?:是{_WHAT}|有{_WHAT})?{_END}",
    ),
    _patterns(
        "tomorrow",
        rf"{_LOOK}我?明[天日]我?都?还?有(?:{_WHAT}|没有?)?{_DUTY}{_END}",
        rf"我?明[天日]我?(?:要|该|得){_DEED}{_WHAT}(?:事情?)?{_END}",
        rf"{_LOOK}我?明[天日]的?(?:安排|日程|计划|任务|待办(?:事项)?)(?:是{_WHAT}|有{_WHAT})?{_END}",
    ),
    _patterns(
        "todo",
        rf"{_LOOK}{_LIST}{_ON}都?还?(?:有些?{_WHAT}(?:东西|内容|事情?)?)?{_END}",
        rf"我?都?还?有{_WHAT}(?:事情?)?(?:要做|没做|要办|没办|待办)完?的?(?:事情?)?{_END}",
        rf"我还?(?:要|该|得){_DEED}{_WHAT}{_END}",
    ),
    # It asks first.
    _patterns(
        "todo.clear",
        rf"(?:请|帮我|麻烦(?:你)?)?(?:清空|清除|清掉){_GAP}(?:一下)?(?:我们?的|所有的?|全部的?)?(?:{_LIST}|{_TODO})",
        rf"(?:请|帮我|麻烦(?:你)?)?[把将]{_GAP}{_LIST}{_ON}(?:都|全部?)?(?:清空|清除|清掉)(?:了|掉|一下)?",
        rf"(?:请|帮我|麻烦(?:你)?)?(?:[把将]{_GAP})?{_LIST}{_ON}的?(?:所有|全部)(?:的)?(?:东西|内容|事项|项目)?(?:都)?{_DROP}",
        rf"(?:请|帮我|麻烦(?:你)?)?{_DROP}{_GAP}{_LIST}{_ON}的?(?:所有|全部)的?(?:东西|内容|事项|项目)",
    ),
    _patterns(
        "tasks",
        rf"{_LOOK}(?:我们?的|所有的?|全部的?)(?:提醒(?:列表|清单|事项)?|定时任务)(?:都?有{_WHAT})?{_END}",
        rf"{_LOOK}(?:提醒|定时任务)(?:列表|清单)|(?:看看|看一?下|查看|显示|列出)提醒",
        rf"我?(?:现在)?都?(?:还有|有|设了|设置了)(?:{_WHAT}|多少)(?:个)?(?:提醒|定时任务){_END}",
        r"(?:取消|删除|删掉|停掉|关掉)(?:我的?|所有的?|这个|那个)?提醒",
        rf"{_LOOK}我的任务",
    ),
    _patterns(
        "contacts",
        rf"{_LOOK}(?:我们?的)?(?:联系人|通讯录)(?:列表)?",
        rf"(?:我们?的)?(?:联系人|通讯录|联系人列表){_ON}都?有(?:谁|哪些人?|什么人|几个人){_END}",
        "你(?:都)?认识(?:谁|哪些人|什么人|几个人)",
    ),
    # Without a time: it is asked for then. What asks for something is no such
    # wish, nor what may mean a time that is not understood.
    _patterns(
        "remind",
        rf"(?:请|麻烦(?:你)?|帮我|记得)?叫(?:一下)?我(?:要|去|记得)?{_GAP}(?P<text>起床)",
        r"(?:请|麻烦(?:你)?|帮我|记得)?提醒(?:一下)?我(?!们|.*(?:什么|吗|呢|谁|哪|怎么|几|多少|是不是|没有|过|[\d一二三四五六七八九十天点點周月号號日年早晚前后後次每昨今明时分]))"
        rf"(?:一下)?(?:要|去|记得)?{_GAP}{_TEXT}",
    ),
    _patterns(
        "todo.add",
        rf"[把将]{_GAP}{_TEXT_BEFORE}{_GAP}{_PUT}{_GAP}{_LIST}{_ON}",
        rf"(?:[在往给]{_GAP})?{_LIST}{_ON}{_GAP}(?:添加|加上|加入|加|记下|写上){_GAP}(?:一[个项条])?:?{_GAP}{_TEXT}",
        rf"(?:添加|新增|新建|加|记|建|创建){_GAP}(?:一?[个项条])?{_TODO}{_COLON}{_TEXT}",
        rf"(?:添加|加){_GAP}{_TEXT}{_GAP}(?:到|进){_GAP}{_LIST}{_ON}",
        rf"{_TODO}{_COLON}(?!我|清单|列表){_TEXT}",
    ),
    _patterns(
        "todo.done",
        rf"{_READY}{_COLON}{_TEXT}",
        rf"{_TICK}{_GAP}[:]?{_GAP}{_TEXT}",
        rf"[把将]{_GAP}{_TEXT}{_GAP}(?:{_TICK}|(?:标记|标|设)[为成]?已?(?:完成|做完))",
        rf"标记{_GAP}{_TEXT}{_GAP}[为成]?已?完成",
        rf"(?P<text>\S(?:.{{0,28}}\S)?)\s{{1,3}}{_READY}",
    ),
    _patterns("today", rf"(?:我?(?:还)?有)?{_WHAT}(?:事情?)?(?:过期|逾期|到期)了?(?:没做)?的?{_END}"),
    _patterns("undo", "(?:撤销|撤消|撤回|回退)(?:一下|刚才的?(?:操作)?|上一步|这个|它)?"),
    _patterns(
        "cancel",
        rf"{_STOP}(?:我的|那个|这个)?(?P<text>(?!我的|所有|全部|这个|那个|每日|每天的?$)\S.{{0,60}}?)的?(?:提醒|闹钟)",
        rf"{_STOP}(?:我的|那个|这个)?提醒[:,]?{_GAP}(?P<text>(?!我$)\S.{{0,60}})",
        r"(?:别|不要|不用)再提醒我(?:去|要)?(?P<text>\S.{0,60}?)了?",
    ),
    _patterns("unmute", r"(?:取消屏蔽|解除屏蔽|取消静音)\s{0,3}(?P<text>\S{1,20})"),
    _patterns("mute", r"(?:屏蔽|静音)\s{0,3}(?P<text>(?!我|大家|群|全部|所有|通知)\S{1,20})"),
    _patterns("timezone", "我的时区(?:是什么|是哪个)?|(?:改|设置|更改)(?:我的)?时区"),
    _patterns(
        "timezone",
        rf"(?:[把将]{_GAP})?(?:我的)?时区{_GAP}(?:改[成为]|设[成为]?|设置[成为]|换[成为]|[是:]){_GAP}(?P<text>\S.{{0,30}})",
        rf"我(?:现在)?(?:住在|搬到了?){_GAP}(?P<text>\S.{{0,30}}?)了?",
    ),
    _patterns(
        "todo.remove",
        rf"[把将]{_GAP}{_TEXT}{_GAP}从{_GAP}{_LIST}{_ON}{_GAP}{_DROP}",
        rf"从{_GAP}{_LIST}{_ON}{_GAP}{_DROP}{_GAP}{_TEXT}",
        rf"{_DROP}{_GAP}{_TODO}{_COLON}{_TEXT}",
    ),
)


def wish_of(text: str, start: int, end: int) -> Wish | None:
    """Return what a stretch of text wishes; None when it is no such wish whole."""
    folded = fold(text)
    for wish, patterns in _WISHES:
        for pattern in patterns:
            match = pattern.fullmatch(folded, start, end)
            asks = wish.name == "todo.add" and is_question(folded[start:end], marked="?" in folded[end:])
            single = wish.name == "cancel" or one_wish(folded[start:end])
            if match and not asks and single:
                named = match.groupdict().get("text")
                return replace(wish, text=text[match.start("text") : match.end("text")]) if named else wish
    return None
