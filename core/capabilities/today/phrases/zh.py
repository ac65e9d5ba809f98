"""Chinese: what people say to ask what is on at a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "DUTY": "安排|日程|计划|行程|任务|待办|待办事项|活动|会议?|约会?|预约|事[情儿]?|要做的(事情?)?|要做|要办|提醒",
    "SPANS": "<week:weekof>|<weekend:weekendof>|<nextweekend:nextweekendof>",
    "CHECKED": "(,? (LOOK)? ((日程|日历) 上)? (有没有)? (日程|安排))?",
    "PLAN": "日程安排|安排|日程|日程表|计划|行程|待办|待办事项|任务|活动",
}
ROWS: Mapping[str, Sequence[str]] = {
    "today": (
        "(LOOK)? (WE)? 的? (SPANS) (WE)? 的? (PLAN) (是? (WHAT)|都?有(WHAT))? (SHOWN)? END_Q",
        "(LOOK)? (WE)? (SPANS) (WE)? (都|还|一共){0,2} 有"
        " (没有|些|WHAT|MANY|别的)? (DUTY) (没有?|没有|要做|要办)? (SHOWN)? END_Q",
        "(LOOK)? (我|我们|咱们)? (DAY) (我|我们|咱们)? (都|还|一共|现在){0,2} 有 ((没有|WHAT|MANY) (DUTY) (要做|要办"
        "|没做)?|(别的|其他)? (DUTY) (没有?|吗|么)) (SHOWN)? END_Q",
        "(LOOK)? (我|我们|咱们)? 接下来 (我|我们|咱们)? (都|还){0,2} 有 (WHAT|没有|别的)? (DUTY) (没有?|吗|么|要做"
        "|要办)? END_Q",
        "(我|我们|咱们)? (SPANS) (我|我们|咱们)? ((有空|忙|闲) (吗|没有?|没|么|不)|有没有空|忙不忙|闲不闲) END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (都|还){0,2} (是|有)? (WHAT) (DUTY) (要做|要办)? (SHOWN)? END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (有空|空|有<clocktime>|忙|闲|空闲) (吗|没有?|没|么|不忙|不) (我)? END_Q"
        " CHECKED",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (有没有空|有没有<clocktime>|忙不忙|闲不闲) END_Q CHECKED",
        "(LOOK)? (我|我们|咱们)? (的)? (DAY) (我|我们)? 的? (PLAN) (是? (WHAT)|都?有(WHAT))? (SHOWN)? END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (都|还)? (NEED|要|打算|准备) (DEED|去|忙) (点)? (WHAT) (事情?)? END_Q",
        "(我|我们|咱们)? (SPANS|DAY) (我|我们|咱们)? (都|还)? (要|得) 干[嘛啥] END_Q|(帮我|给我)? ([看查] 一?下|看看"
        "|查查) (SPANS|DAY) END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (还|都|还都){1,2} (有|剩|剩下) (WHAT|MANY) (事情?|任务|待办)? (没做"
        "|没干|没办|没完成|没弄)? 的? END_Q",
        "(我|我们|咱们)? (DAY) (都)? (怎么)? 安排 (了|得)? (怎么样|怎样|好|满)? (的)? (WHAT)? (事情?|活动)? END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? 的? (是不是|是否|会不会)? ((PLAN) (很|太|排得)? (满不满|忙不忙|多不多"
        "|[满忙多]吗)|有 (PLAN|事) (吗|来着)?|没 (PLAN|事) 吧) END_Q",
        "(我的?|我们的?) (日程|日程表|行程|安排|日历) (SHOWN)? END_Q|(LOOK) (我的?)? (日程|日程表|行程|安排|日历)"
        " END_Q|日程表?",
        "我? (还)? 有? (WHAT) (事情?|待办|任务)? (过期|逾期|到期) 了? (没做)? 的? END_Q|(有 (WHAT))?"
        " (过期|逾期|到期) 了? 的 (事情?|待办|任务) ((都|还)? 有 (WHAT))? END_Q",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
