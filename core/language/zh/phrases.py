"""Chinese: what stands in phrases of several capabilities, and how people say that something is done.

Each sign is a token, so that `?` is about the sign before it, and a word needs brackets. Needless spaces are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language import phrase_tables
from core.language.grammar import PhraseTable
from core.language.zh.requests import MACROS as REQUESTS

# What names nothing: what is meant stands elsewhere, or nowhere.
VAGUE = (
    "(刚才|刚刚|刚|上面|之前|以前)? (加|设|说|写|发|定|记)? 的? (这|那|哪|某)? (个|些|件|条|样|份)? (事情?|东西|内容"
    "|项目?|提醒|任务|待办)?|不|没|全部?|所有的?|一切|其他的?|其它的?|别的|每个?|每天的?|每日|都|以下(内容)?|如下"
    "|上述(内容)?|上面(的|这些)(内容)?|一[个件条些] (事情?|东西)?|[我你您他她它]们?|大家|的"
    "|([上前]一?|最[后近]的?一?)[个条]"
)
MACROS: Mapping[str, str] = {
    **REQUESTS,
    "END_Q": "(来着|一下|谢谢你?|哪|[吗呢啊呀嘛么哈啦吧哇哦亲]){0,3}",
    "TAIL": "(一下|吧|了|哈|啦|哦|噢|啊|呀|呗|[,]? 谢谢你?|[,]? (好吗|可以吗|行吗|好不好)){0,3}",
    "WHAT": "些? (什么|啥|哪些|哪几样|哪几个|哪几件)",
    "MANY": "多少个?|几个?|几样|几件|几项|几条|多少样|多少件|多少条",
    "WE": "(我|我们|咱|咱们|俺)",
    "ALL": "所有的?|全部的?|全部|整个|完整的?",
    "ON": "里面?|里头|上面?|中|里边|里的|上的",
    "LOOK": "(再|先|快)? (给我|让我|我想|我要|想|帮忙|帮我)? (再|先)? (看一?[看下眼]|看看|看一眼|查一?[查看下]|查查"
    "|查看|显示|打开|列出|列一?下|列出来|念一?下|念念|念|读一?下|读|调出|发一?下|瞅瞅|瞅一?眼|瞧瞧|过一遍|看|查|列)"
    " (我|给我|一?下|一?遍|一?眼){0,2}",
    "SHOWN": "给我|(都|全部?|再|完整)? (给我|让我|帮我|给)? (打开|发|念|读|列|报|显示|展示|拉|看|过|瞅|调) (一?[下遍眼]"
    "|看看|出来|过来|给我|我|一?看|看看?|听听?){0,3}",
    "NEED": "(还|都|到底|今天|现在|一共){0,2} (要|需要|得|应该|该)",
    "ADDING": "(添加|[加添记写补]上|加入|新增|追加|增加|补充|加|添|写|记|补) BIT?",
    # "加下周的票" is no 加下.
    "BIT": "(一?下(?![午周个次礼星班水]))",
    "DAY": "<when:time> (那天|当天|那一天|这天)?",
    "DEED": "做|干|办|处理",
    "ALARM": "(提醒事项|提醒|闹钟|闹铃|计时器|定时器|倒计时|计时|定时提醒|定时任务|提型)",
    "STOP": "(取消|删[除掉了]|停[掉止了]|停(?![掉止了])|关[掉闭上了]|关(?![掉闭上了])|撤[掉销了回]|移除|去掉)",
    "NO_MORE": "(不要|不用|不需要|取消|删|撤|关|停|停掉|取消掉|删掉|关掉) (了|吧|掉){0,2}",
    "DONE": "(已? 完成了?|做完了|搞定了?|办完了|做好了|弄好了|办好了|弄完了|干完了)",
}
# What is done is said by what it is about: to a reminder, or of the list.
ROWS: Mapping[str, Sequence[str]] = {
    "done": ("我? (已经)? (都|全)? (DONE|好了|处理 (好|完) 了|ok了)", "[✅✔☑]"),
}
TABLES = (PhraseTable(rows=ROWS), *phrase_tables("zh"))
