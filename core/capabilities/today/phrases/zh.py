"""Chinese: what people say to ask what is on at a day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "DUTY": "安排|日程|计划|行程|任务|待办|待办事项|活动|会议?|约会?|预约|事[情儿]?|要做的(事情?)?|要?做|要办|提醒|备忘"
    "|饭?局",
    "SPANS": "<week:weekof>|<weekend:weekendof>|<nextweekend:nextweekendof>",
    "CHECKED": "([,?]? (LOOK)? (我的)? ((日程|日历) 上)? (有没有)? (日程|安排)|[,?]? 我?的? (日程|日历|行程) [里上]?"
    " 有? (WHAT) (安排)?)?",
    "PLAN": "((未|没|还没) (完成|做完?) 的)? (要做的 (事情?)?|日程安排|安排|<calendar>|计划|待办|待办事项|任务|活动)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "today": (
        "(LOOK|把|将)? (WE)? 的? (SPANS) (WE)? 的? ((PLAN) (是? (WHAT)|[都还]? [有剩] (WHAT|MANY))?|会议? [都还]? 有"
        " (WHAT|MANY)) (SHOWN)? END_Q",
        "(LOOK)? (WE)? (SPANS) (WE)? (都|还|一共){0,2} 有 (没有|些|WHAT|MANY|别的)? (DUTY) (没有?|没有|要做|要办)?"
        " (SHOWN)? END_Q|(LOOK)? (WE)? (DAY) (WE)? (都|还|一共|现在){0,2} 有 ((没有 (WHAT)?|WHAT|MANY) (DUTY)"
        " (要[做办开]|没做|没)?|(别的|其他)? (DUTY) 了? (没有?|吗|么|不)) (SHOWN)? END_Q",
        "(LOOK)? (WE)? (接下来|(待|等|一|过)会儿?) (WE)? (都|还){0,2} 有 ((WHAT|没有|别的)? (DUTY) (没有?|吗|么|要做"
        "|要办)?|(WHAT)) END_Q",
        "(WE)? (SPANS) (WE)? ((有空|忙|闲) (吗|没有?|么|不)|有没有空|忙不忙|闲不闲) END_Q",
        "(WE)? (DAY) (WE)? (都|还){0,2} (是|有)? (WHAT) (DUTY) (要做|要办)? (SHOWN)? END_Q|(WE)? (DAY) (WE)? ((有空|空"
        "|有<clocktime>|忙|闲|空闲) (吗|没有?|么|不忙?) (我)?|有没有 (空|<clocktime>)|忙不忙|闲不闲) END_Q CHECKED",
        "(LOOK|把|将)? (WE)? (的)? (DAY) (WE)? 的? ((PLAN) [里上]? (是? (WHAT)|[都还]? [有剩] (WHAT|MANY) (事情?"
        "|安排)?)?|会议? [都还]? 有 (WHAT|MANY)) (SHOWN)? END_Q",
        "(WE)? (DAY) (WE)? (都|还)? (NEED|要|打算|准备) (DEED|去|忙) (点)? (WHAT) (事情?)? END_Q",
        "(WE)? 接下来 (WE)? ([还都]{0,2} [要得该])? (干[嘛啥]|做 (WHAT)) END_Q",
        "(WE)? (SPANS|DAY) (WE)? (都|还)? (要|得) 干[嘛啥] END_Q|(DAY) (WE) 干[嘛啥] END_Q|(帮我|给我)? ([看查] 一?下"
        "|看看|查查) (SPANS|DAY) END_Q|(WE)? (DAY) (WE)? (还|都|还都){1,2} (有|剩|剩下) (WHAT|MANY) (事情?|任务|待办)?"
        " (没 ([做干办弄]|完成))? 的? END_Q",
        "(WE)? (DAY) (都)? (怎么|咋)? 安排 (了|得)? (怎么样|怎样|好|满)? (的)? (WHAT)? (事情?|活动)? END_Q",
        "(WE)? (DAY) (WE)? 的? (是不是|是否|会不会)? ((PLAN) (很|太|排得)? (满不满|忙不忙|多不多|[满忙多]吗)|有 (PLAN"
        "|事) (吗|来着|了)?|没 (PLAN|事) 吧) END_Q",
        "(我的?|我们的?) (日程|日程表|行程|安排|日历) (SHOWN)? END_Q|(把|将)? (日程|日程表|行程|日历) (SHOWN) END_Q"
        "|(DAY) 的? (日历|日程) 是? 空 [着的] (吗|没有?) END_Q|(DAY) (我)? 的? ((第一个)? ((站|周|例|早|晚|班|年"
        "|家长)? 会|面试|考试|聚餐|约会|课) (是|在)? (几点|什么<moment>) (开|开始)?|(有)? (几点|什么<moment>) [有要]?"
        " (开?会|上课|面试|考试|聚餐|约会)) 的? END_Q|(LOOK) (我的?)? (日程|日程表|行程|安排|日历) ,? (SPANS|DAY)?"
        " END_Q|日程表?",
        "我? (还)? 有? (WHAT) (事情?|待办|任务)? [过逾到]期 了? (没做)? 的? END_Q|(有 (WHAT))? [过逾到]期 了? 的 (事情?"
        "|待办|任务) ([都还]? 有 (WHAT))? END_Q",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
