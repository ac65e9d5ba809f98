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
    "(刚[才刚]?|上面|[之以]前)? [新加设说写发定记]? 的? [这那哪某]? [个些件条样份]? (事情?|东西|内容|项目?|提醒|任务"
    "|待办)?|[不没无空都的]|一?下|全部?|所有的?|一切|其[他它]的?|别的|每个?|每天的?|每日|([以如]下|上述|上面(的"
    "|这些))(内容)?|一[个件条些] (事情?|东西)?|[我你您他她它]们?|大家|([上前]一?|最[后近]的?一?)[个条]"
)
MACROS: Mapping[str, str] = {
**REQUESTS, "END_Q": "(来着|一下|谢谢你?|哪|[吗呢啊呀嘛么哈啦吧哇哦亲]){0,3}",
    # Why, or what else is said behind it that wishes nothing.
    "BESIDES": "([,;.!?] (?!<y:few>? ([提闹叫喊改换定加把帮给再也记删推挪别只等但吗几多查怎为谁哪什除讲另然取如告0-9点?"
    "]|设(?!了)|买(?![了到好过齐])|放(?!假)|重新(?!来)|不[对行是过要知会能]|<longpart>|<near>|<weekof>)) <y:many>)?",
    "TAIL": "(一下|吧|了|哈|啦|哦|噢|啊|呀|呗|喔|哟|嘛|[,]? 谢谢你?|[,]? (好吗|可以吗|行吗|好不好)|[啰囉咯喽]){0,3}",
    "WHAT": "些? (什么|啥|哪些|哪几[样个件条])", "MANY": "(多少|几)[个样件项条张份]?", "WE": "(我们?|咱们?|俺)家?",
    "ALL": "所有的?|全部的?|全部|整个|完整的?", "ON": "里面?|[里上]头|上面?|中|里边|里的|上的", "LOOK": "告诉我,?"
    "|[再先快]? (告诉|[给让]我|我?想|我要|帮[忙我])? [再先]? ([看查念读瞅瞧翻过说讲] 一?[看查念读瞅瞧下眼遍说讲]|显示"
    "|打开|列出来?|调出|查询|[看查报念读列发]) (给?我|一?[下遍眼看]){0,2}", "SHOWN": "给我 听?|(都|全部?|再|完整)?"
    " ([给让帮]我|给)? (打开|拿出来|告诉|显示|展示|[发念读列报拉看过瞅瞧调说讲]) (一?[下遍眼看瞅瞧说念听]|[出过]来"
    "|给?我){0,4}", "NEED": "(还|都|到底|今天|现在|一共){0,2} (要|需要|得|应该|该)", "ADDING": "(添加|记录"
    "|[加添记写补]上|加入|新增|追加|增加|补充|[加添记写补](?![加上入充录]))BIT?",
    # "加下周的票" is no 加下.
    "BIT": "(一?下(?![午周个次礼星班水雨雪单楼车课棋]))", "DAY": "<when:time> (那天|当天|那一天|这天|剩下的?"
    " <clocktime>?)?", "DEED": "做|干|办|处理", "ALARM": "(提醒事项|提醒|闹钟|闹铃|计时器|定时器|倒计时|计时|定时提醒"
    "|定时任务|提型|reminders|reminder|alarm|timer)", "STOP": "([删停关撤][掉除止了用闭上销回]|停(?![掉止了用])"
    "|关(?![掉闭上了])|取消|移除|去掉|清除|作废|cancel) BIT?", "NO_MORE": "(可以)? ((别|不要|不用) 再? 响|不(要|用"
    "|需要)|取消|[删撤关停]) [了吧掉]{0,2} (,? 请? ([帮给]我)? (删|取消|关) [掉除]? 吧?)?", "DONE": "(已? 完成了?"
    "|搞定了?|[做办弄干][完好]了)",
}  # fmt: skip
# What is done is said by what it is about: to a reminder, or of the list.
ROWS: Mapping[str, Sequence[str]] = {
    "done": ("我? (已经)? (都|全)? (DONE|好了|处理 (好|完) 了|ok了)", "[✅✔☑]"),
}
TABLES = (PhraseTable(rows=ROWS), *phrase_tables("zh"))
