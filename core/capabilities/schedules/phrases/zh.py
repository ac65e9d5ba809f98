"""Chinese: what people say of what is scheduled, and to have a brief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "OURS": "((我|我们|咱们)的|我(?=所有|全部)|ALL|现有的|当前的?|现在的?|目前的?|(接下来|马上|正在跑|开着|在跑"
    "|我?刚才?[设定]|我?(已经?)?[设定上][置定]?[好过]?)的)",
    "ALARMS": "(ALARM) ([和跟及与,] (ALARM))?",
    "MOVE_BY": "(往后|向后|再)? (推迟|延后|推后|延迟|顺延|推|延|挪|调|晚|再加|延长|贪睡) <by:time>|(往前|向前)?"
    " (earlier=提前|提|挪|调|早) <by:time>",
    "MY": "(我们?的|我(?=<near>|<longpart>|[今明]))?",
    "FROM": "从 <y:time>",
    # Hearsay, and what is set to something else than a time.
    "NOT_OURS": "<you>|<y:some>?([说讲]|告诉(?!<y:many>提醒))|通知"
    "|<y:some>?(灯|空调|音量|[温亮度]度|上班|下班|营业|开门|关门)",
    "WHEN": "什么<moment>|几点|哪天",
    # On another day it comes at its clock anyway.
    "PLEASE": "(,? <clocktime>不变)? (再? (响|叫我|提醒我?))? (吧|哈|一下|好吗|可以吗)?",
    "MOVE": "(改|改约|推迟|推|挪|延|延后|延期|提前|换|调|调整|移|改期|往后推|顺延) (到|成|至|为|在)|改[早晚]一?[点些],?"
    "",
}
ROWS: Mapping[str, Sequence[str]] = {
    "tasks": (
        "(LOOK|把|将)? (OURS){1,3} 的? (ALARMS) (列表|清单)? (都? [有是] (WHAT|MANY|几点钟?的?))? (SHOWN)? END_Q",
        "(LOOK)? (提醒|定时任务|闹钟) (列表|清单) (SHOWN)?|[把将] (ALARMS) (SHOWN) END_Q|(ALARM) ([定设]了)? (几点"
        "|什么<clocktime>) 响? END_Q|(WE)? 有没有 (?=<deed>) <y:few> 的 (ALARM) END_Q|(LOOK) (ALARMS) END_Q|(LOOK)?"
        " 我的任务 END_Q|(LOOK)? (WE|你 都? [帮给]我)? (现在|目前|[一总]共|都|还|刚[才刚]?){0,3} [有设定剩][定置]?了?"
        " (WHAT|MANY|没有) (ALARM) (在跑|开着|还?没响)? END_Q",
        "(WE)? (现在)? 有没有 (给自己|[帮给]我)? (设|设置|设定|定|上|开)? (过|了)? (<when:time> 的|(正?在(运行|跑|走)"
        "|开着) 的)? (ALARM) END_Q|(WE)? (现在|目前|还)? (有|还有) (重复的?)? (ALARM) (在跑|在走|开着)? (吗|没有?)"
        "|(每天)? (重复的?|定期的?)? (ALARM) (现在|目前|都|还|一共){0,2} (有|设了|剩|剩下) (WHAT|MANY) END_Q|(DAY) 我?"
        " [都还]? (有|[设定]了|有没有 [设定上开][过了]?) (没有|WHAT|MANY)? (ALARM) (吗|没有?|呢)? END_Q|(LOOK)? (WE)?"
        " (DAY) 的 (ALARM) 都? [有是]? (WHAT|MANY|几点的?|没有?|吗) END_Q|(DAY) 的? (ALARM) [设定]好?了? (没有?|吗)|我?"
        " (DAY) ([是有定设]? (WHEN) 的 (ALARM)|的 (ALARM) [是定设] (WHEN) 的?) END_Q",
        "(WE)? (有没有)? (设|设置|定|加|订)了? (?!<you>) <y:few> 的 (ALARM) (了)? (没有?|没|吗)|(WE)? (有没有|是不是"
        "|是否) (设|设置|定|加|订) (过|了)? 一?个? (?!<you>) <y:few> 的 (ALARM) END_Q",
        "(LOOK)? (ALL)? (还|都)? (没|没有|未) (响|到点|到<clocktime>|到期|触发|完成) 过? 的 (ALARM) (SHOWN)? END_Q",
        "(关于|我的?)? (?!<you>) <y:few> (的(那个)?|那个) (ALARM) 还? (在不在|有没有|(在[跑走]?|有|开着"
        "|[设定]好?了)[吗没])",
        "(我的)? (下 (一|一?个)|最[近早]的?) (ALARM) 是? 在? ((什么|啥) (<moment>|<clocktime>)?|几点|哪个) 响? END_Q",
        "((DAY|<someday>) 你?|你 (?=[都要会提]|准备)|你 (DAY|<someday>)) (都)? (要|会|准备)? (都)? 提醒我 (做|干)?"
        " (WHAT) (事情?)? END_Q|我 (都)? (让|叫|请) 你 (都)? 提醒我 (做)? (WHAT) (事情?)? 了? END_Q|(DAY)? (都|还)? 有"
        " (没有|WHAT|MANY)? (事情?)? (你)? [要会]? (提醒|叫) 我? 的 (事情?)? (没有?|吗)? END_Q|(你 (WHEN) 会?|(WHEN)"
        " 会) 提醒我 <y:plain>|(WHEN) 提醒我 <y:plain>? (来着|的)|你 (有没有|是不是|还)? 记 [住得着] 了? (要|得)?"
        " 提醒我 <y:plain> (吗|没有?|么)|你 (有没有|是不是) 记 [住得着] [了过]? (要|得)? 提醒我 <y:plain> END_Q"
        "|什么<moment> 提醒我 (?!<y:many> (比较|更|最|合适|才|好$)) <y:plain>",
        "(ALARM) [都还]{0,2} 有 (WHAT|MANY) [还都]? (没有?|未) (响|到点|到期|触发|完成)? END_Q|(ALARM) [都还]{0,2} (有"
        "|剩) (MANY) 是? (开着|没关|在[跑走]) 的? END_Q|(ALARM) 还 (剩|有) (多久|多[长少]<clocktime>|几分钟) END_Q|还"
        " (剩|有) (多久|多[长少]<clocktime>|几分钟) ,? 那?个? (ALARM) 响? END_Q",
        "我? (WHEN) 的 (ALARM) END_Q|(我? (?!<you>) <y:few> (的|那个)?|我的) (ALARM) 都? 是? 在? ([定设] [在的了]?)?"
        " (WHEN|什么<clocktime>) 钟? 的? 了? END_Q",
    ),
    # Only where something is scheduled that is called so.
    "when": (
        "(WE) 的? <x:plain> (是|在|定在)? (WHEN|哪天|[几]号|星期几|周几) END_Q",
        "(WE) [是在]? (WHEN|哪天|几号) (要|去|得|该|应该)? <x:plain> 的? END_Q",
    ),
    "brief.off": (
        "(STOP|(不[要用]|别) 再?发?) (我的)? (每[日天]的?)? [简早]报 TAIL|(每[日天]的?)? [简早]报 (NO_MORE)",
    ),
    "brief": (
        "<when:time> [,]? (请|记得|再|就|都)? (给我们?|向我们?|为我们?)? (发送?|推送|来|做|说|看)? (一?[份个下])? (每日"
        "|今日|当天的?|当日)? 的? (简报|早报) (发?给我们?|过来)?|(请)? (给我们?)? (发送?|推送|来)? (一?[份个])? (每日"
        "|每天的?) 的? (简报|早报) (发?给我们?)? [,:]? (在|于|定在|设在|改到|改成)? <when:time>",
        "把? (每日|每天的?)? (简报|早报) (在|于|定在|设在|改到|改成) <when:time>",
    ),
    "cancel.due": (
        "(STOP) (我)? (?!所有|全部|我的|这个|那个) <when:time> 的? ((那个|那|所有的?|全部的?)?"
        " (ALARM)|(所有|全部)的? 安排) TAIL",
        "<when:time> 我? (放假|休息|请假|休假|调休|不用?上班) 了? ,? 把? (ALARM) (都|全部?|给我|帮我){0,2} (STOP 掉?"
        "|NO_MORE) TAIL",
        "(把|将)? <when:time> 的? (那个|那|所有)? (ALARM) ((都|全部?|给我|帮我){0,2} (STOP) 掉?|NO_MORE) TAIL BESIDES",
        "(把|将)? <when:time> 的 (ALARM)? (全部|都|全) (STOP) TAIL|(不要|不用) <when:time> 的 (那个)? (ALARM) 了 TAIL",
        "<when:time> (不用|不要|别) (再)? ((叫|喊) (醒)? 我 (起床)? 了?|提醒 我 了) (, (ALARM) (STOP) 掉?)? TAIL",
    ),
    "cancel.all": (
        "(把|将)? ((我的?)? (ALARM) (都|全部?|全都|统统|通通)|(我的?)? (ALL) 的? (ALARM) (都|全部?|统统|通通)?) (给我"
        "|帮我)? ((STOP)|清[掉空了]) [了掉]? TAIL BESIDES|(STOP|清空) (我的?|掉)? (ALL) 的? (ALARM) TAIL",
    ),
    "cancel.which": (
        "(STOP) (我的?|(刚才|刚刚|刚设的?)?的?[这那]个|(刚[才刚]|刚[设定])的?|一个|[上前]一[个条]|最[后近]的?一?[个条]?"
        ")? 的? (提醒|(x=<alarm>)) TAIL BESIDES|(把|将) (我的?|这个|那个|[上前]一[个条]|最[后近]的?一?[个条]?)? (提醒"
        "|(x=<alarm>)) (给我|帮我)? (STOP) TAIL|((提醒|(x=<alarm>)) (可以)? (取消|[删停关撤][掉除止闭销]|不[要用]了)"
        "|(别|不要|不用|不必) 再? (x=(?!定时)<alarm>) 了) 吧? BESIDES|(提醒|(x=<alarm>)) (太|好|真) [烦吵] [人死]? 了?"
        " ,? (给我|帮我|快)? (STOP){1,2} TAIL|(把|将)? (刚才|刚刚|刚)[设定]?的?[这那]?个? (提醒|(x=<alarm>)) ((STOP)"
        " 掉?|NO_MORE) TAIL|(别|不要|不用|不必) 再? 提醒 我? 了 TAIL|(不用|不必) 再? [叫喊] 我 了 TAIL|刚[才刚]? 的?"
        " [这那]个 (取消|作废|撤[掉了]) [了吧]?|(提醒|(x=<alarm>)) 停",
    ),
    "move": (
        "(把|将)? (我们?)?的? <when:time> 的? (那个)? (ALARM) ([给帮]我)? (MOVE_BY|(MOVE|改|换|弄 [到成]) <to:time>)"
        " PLEASE",
        "(把|将) MY ((?!<you>) <x:words> (的? (那个|这个)? (ALARM))?|它|这个|那个) (给我|帮我)? (MOVE_BY) PLEASE",
        "(?!<you>) <x:words> 的? [那这]?个? (ALARM) (给我|帮我)? (MOVE_BY|过 <by:time> 再 (?=响|叫|提醒)) PLEASE|(推迟"
        "|延后|推后|延期) 一?下? (?!<you>) <x:words> 的? (ALARM) [到至] <to:time> PLEASE",
        "(把|将)? ((我的|[那这]个|刚[才刚]?[设定]?的?)? (提醒|(x=<alarm>))|刚[才刚]?的? [那这]个 (提醒)?"
        "|刚([设定才刚])的) <clocktime>? ,? (FROM)? (给我|帮我)? ((MOVE) <to:time>|MOVE_BY) PLEASE",
        # Why it is put off: "还没做完，一小时后再提醒我".
        "(?=还?没|先不|现在|我?正?在) <y:few> , (再? [过等])? <by:time> [之以]?后 再 (提醒|叫|喊) 我? (一 [次下遍])?"
        " TAIL",
        "(?=推迟|延后|推后|延迟|顺延|往后|提前) MOVE_BY PLEASE|(让我)? 再 (让我)? 睡 <by:time> (,? (过会儿?)? 再叫我?)?"
        " TAIL|((再? [过等]? <by:time> [之以]?后 (再|重新)|(再? [过等]|稍后) <by:time> 再) 提醒 我? (一 [次下遍])?|再"
        " [过等] <by:time> 再 [叫喊] 我|再? [过等] <by:time> 再 响|<someday> 再 (提醒|叫|喊) 我 , <by:time>) TAIL",
        "(?!NOT_OURS) <x:words> ([那这]个 (MOVE_BY)|(?=[往向][前后]) (MOVE_BY)|(MOVE_BY) (?=再 (叫|提醒) 我)) PLEASE"
        "|(?!NOT_OURS) <x:words> (FROM)? 改 (?=<y:some>[点:]) <to:time> 了? PLEASE",
        "(?!NOT_OURS) <x:words> 改 (<clocktime>|期) 了 , 把? (ALARM) 也? (以后)? (MOVE|改|换|设[在到成]?) <to:time>"
        " PLEASE",
        "(?!<you>) <x:words> [那这]个? (提醒)? 先 (别|不要?) (提醒|叫|响) 我? , <to:time> 再 (说|提醒我?|叫我?|响) TAIL"
        "|先 (别|不要) 提醒 我 <x:words> , <to:time> 再 (说|提醒我?) TAIL",
        "(把|将)? MY (?!<you>) <x:words> (给我|帮我)? (MOVE|改|换) <to:time> 再? 提醒 我? TAIL",
        "(把|将)? MY (?!NOT_OURS|<y:few>(都|全部?|统一|一律) (MOVE)) <x:words> ((的? (那个|这个)? (ALARM|提示)"
        " (的?<clocktime>)?|的?<clocktime>|[那这]个)? 先? (FROM)? (给我|帮我)? (MOVE)|的? (ALARM) 弄到) <to:time>"
        " PLEASE",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
