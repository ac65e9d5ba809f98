"""Chinese: what people ask for in few words about lists, plans, reminders, quiet and briefs, as templates.

Each sign is a token, so that `?` is about the sign before it, and a word needs brackets. Needless spaces are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.language.zh.requests import MACROS as REQUESTS

# What names nothing: what is meant stands elsewhere, or nowhere.
VAGUE = (
    "(刚才|刚刚|刚|上面|之前|以前)? (加|设|说|写|发|定|记)? 的? (这|那|哪|某)? (个|些|件|条|样|份)? (事情?|东西|内容"
    "|项目?|提醒|闹钟|任务|待办)?"
    "|不|没|全部?|所有的?|一切|其他的?|其它的?|别的|每个?|每天的?|每日|都|以下(内容)?|如下|上述(内容)?|上面(的"
    "|这些)(内容)?"
    "|一[个件条些] (事情?|东西)?|[我你您他她它]们?|大家|的"
)
MACROS: Mapping[str, str] = {
    **REQUESTS,
    "END_Q": "(来着|一下|谢谢你?|哪|[吗呢啊呀嘛么哈啦吧哇哦亲]){0,3}",
    "TAIL": "(一下|吧|了|哈|啦|哦|噢|啊|呀|呗|[,]? 谢谢你?|[,]? (好吗|可以吗|行吗|好不好)){0,3}",
    "WHAT": "些? (什么|啥|哪些|哪几样|哪几个|哪几件)",
    "MANY": "多少个?|几个?|几样|几件|几项|几条|多少样|多少件|多少条",
    "WE": "(我|我们|咱|咱们|俺)",
    "HOME": "(家里面?|家里头|冰箱里面?|厨房里?)",
    "THINGS": "东西|内容|物品|事项|项目|事情?|任务|待办|商品|食材|菜|条目",
    "ALL": "所有的?|全部的?|全部|整个|完整的?",
    "ON": "里面?|里头|上面?|中|里边|里的|上的",
    "LOOK": "(再|先|快)? (给我|让我|我想|我要|想|帮忙|帮我)? (再|先)? (看一?[看下眼]|看看|看一眼|查一?[查看下]|查查"
    "|查看|显示|打开|列出|列一?下|列出来"
    "|念一?下|念念|念|读一?下|读|调出|发一?下|瞅瞅|瞅一?眼|瞧瞧|过一遍|看|查|列) (我|给我|一?下|一?遍|一?眼){0,2}",
    "SHOWN": "给我|(都|全部?|再|完整)? (给我|让我|帮我|给)? (打开|发|念|读|列|显示|展示|拉|看|过|瞅|调) (一?[下遍眼]"
    "|看看"
    "|出来|过来|给我|我|一?看|看看?){0,3}",
    "KIND": "<list:kind>",
    "LIST": "(整个|完整的)? (WE 的?|今天的)? (KIND [ ]? 的? (清单|列表|单子|单|表|list)|<todo> ([ ]?"
    " (清单|列表|list|单子))?"
    "|<list:onelist>|清单|列表|单子|<list:title> [ ]? (清单|单子|list))",
    "STORE": "((WE)? (现在|已经|刚)? (在|到|去|逛) (了)? (超市|菜市?场|商场|商店|店里|市场) (里|啦|了|呢)? ,?|超市"
    "|菜市?场)",
    "NEED": "(还|都|到底|今天|现在|一共){0,2} (要|需要|得|应该|该)",
    "PUT": "(添加|加|放|写|记|存|列|添|补|塞|丢|录)(个|一下)? (到|进|入|进去|在|至|上)?",
    "ADDING": "(添加|加上|加入|新增|追加|增加|记下|记上|写上|补上|补充|加|添|写|记|补) (一?下)?",
    "ADDED": "添加|加上|加入|新增|追加|增加|记下|记上|写上|补上|补充|加一?下|写一?下|记一?下",
    "MORE": "再|也|还|帮我|给我|要|请",
    # Behind a verb of writing these say something of a list that is there.
    "STATED": "[得着过了完好满错不的长大厚密班油急重快强热会]|起来|以后|之后",
    "ONE": '(一? [个项条] (?=[:,"])[:,]?|点(?!心|读|火|滴|播|菜|评)|些|个(?!人|性|体))?',
    "RUN_OUT": "(已经|马上|都)? (快)? (要)? (没|没有|用完|吃完|喝完|用光|吃光|喝光)了",
    "DID": "(买好|买到|买完|买齐|买回来|买|做完|做好|办完|办好|办妥|弄完|弄好|搞定|搞好|完成|写完|交|打完|拿到|拿"
    "|取到|取|收到|洗完|洗好"
    "|换好|换|付|付完|还|寄|寄出|订好|订|修好|擦完|装好|拿齐|处理完|处理好|齐|买齐)",
    "TICK": "(划掉|勾掉|勾上|勾选|打勾|打个勾|打上勾|勾了|划了|标记为?已?完成|标为?已?完成|设为?已?完成|标记成已?完成)",
    "DROP": "(删掉|删除|删去|删|移除|移走|去掉|去除|拿掉|拿走|划走|撤掉|撤|剔除|除去|划掉)",
    "EMPTY": "(清空|清除|清掉|清光|清理|清|重置|删光|全删|都删掉|全删掉|全部删掉|都删|全部删除|全部清掉|全部清空"
    "|全部移除|都清空|全清空|全清|都清掉|重新开始)",
    "NOTHING_LEFT": "((东西)? (都|全)? 买? (齐|完|好) 了 ,)",
    "DUTY": "安排|日程|计划|行程|任务|待办|待办事项|活动|会议?|约会?|预约|事[情儿]?|要做的(事情?)?|要做|要办|提醒",
    "PLAN": "安排|日程|日程表|计划|行程|待办|待办事项|任务|活动",
    "DAY": "<when:time> (那天|当天|那一天|这天)?",
    "DEED": "做|干|办|处理",
    "ALARM": "(提醒事项|提醒|闹钟|闹铃|计时器|定时器|倒计时|计时|定时提醒|定时任务|提型)",
    "STOP": "(取消|删除|删掉|删了|停掉|停止|停|关掉|关闭|关了|关|撤掉|撤销|撤了|移除|去掉)",
    "NO_MORE": "(不要|不用|不需要|取消|删|撤|关|停|停掉|取消掉|删掉|关掉) (了|吧|掉){0,2}",
    "OURS": "((我|我们|咱们)的|ALL|现有的|当前的?|现在的?|目前的?)",
    "DONE": "(已? 完成了?|做完了|搞定了?|办完了|做好了|弄好了|办好了|弄完了|干完了)",
    "MAKE": "((我)? (想|要|想要|需要)? (再|重新|另外)? (设置|设定|设|定|订|建|新建|创建|添加|新增|加|开|来|弄|搞|上"
    "|调) (一?[个条]|一?下|一?个新的?)?)",
    "MOVE_BY": "(往后|向后|再)? (推迟|延后|推后|延迟|顺延|推|延|挪|晚) (by=LENGTH)|(往前|向前)? (earlier=提前|提"
    "|挪|早) (by=LENGTH)",
    "LENGTH": "(<n:number>个?(half=半)?<unit:hours>|<length:halfhour>)(<n1:number><unit1:minutes>)?"
    "|<n2:number><unit2:minutes>"
    "|<length:quarters>|<n3:number><unit3:onlydays>|<n4:number><unit4:week>",
    "MOVE": "(改|推迟|推|挪|延|延后|延期|提前|换|调|调整|移|改期|往后推|顺延) (到|成|至|为|在)",
    "QUIET": "勿扰|免打扰|静音|安静",
    "LEAVE_ALONE": "(不要|别|勿|不许|不准|请勿) (再)? (打扰|吵|烦|发消息|说话|通知|打搅) (给)? (我|我们)?",
    "FROM_TO": "(每天|每晚)? (从|在)? <begin:time> (到|至|_-|-|~) (第二天|次日|明天|隔天)? 的? <until:time>",
    "TIME_NOW": "(几点 (几分)? 钟?|什么<clocktime>|多少点|<clocktime>是? (多少|几点))",
    "WHICH_DAY": "(几月)? (几号|几日|多少号|星期几|周几|礼拜几|什么日期|什么日子|哪天|哪一天|礼拜几|几月几号|几月)",
    # "周末都提醒" is each of them.
    "AT": "((?=每|天天) <when:time> 都|<when:time>) (until=[,]?直到(WHO)(DID_IT)[,]?)?",
    "ME_ALONE": "我(?!<kin>|[和跟与及])",
    "SO": "(请|记得|麻烦[你您]?|到<moment>|到时|到点|别忘了?)?",
    "ONCE_MORE": "(一次)? [,:]?",
    "ASKED": "(,? (you=好吗|好么|好不好|可以吗|行吗|行不行))?",
    "BY_ME": "(?!<y:many> (<person>|[在了来说别要过不你您他她它能]|[^开]会) (提醒|叫|喊) 我)",
    "WRITTEN_DOWN": "(记一?下|加一?下|记上|加上|写一?下|写上|补上|补一?下|加个)",
}
# Names of wishes and whole texts that say them.
ROWS: Mapping[str, tuple[str, ...]] = {
    # What was said: quotes of it are the answer.
    "history": (
        "(是)? 谁 (说|提到|答应|负责|打算|要|想|讲) (过|了|要|好)? <y:text>",
        "(?!<you>) <w:few> (关于|对|就) <y:plain> (都)? (说|讲|写|提) (了|过) (WHAT) END_Q",
        "(WE|大家|群里)? (是)? (什么<moment>|哪天|哪一天) (聊|谈|说|讨论|提) (过|到|起|了) (关于)? <y:text>",
    ),
    "summary": (
        "(WE)? (今天|刚才|刚刚|都){0,2} (错过|漏掉|漏|落下) 了? (WHAT) END_Q",
        "有? (WHAT) (是)? (WE) (错过|漏掉|漏) 了? 的? END_Q",
        "(帮我|给我)? (总结|概括|归纳) 一?下 (这个|本)? (群里?|群聊|聊天|聊天记录|对话|讨论|大家说的话?) TAIL",
        "(大家|群里) (刚才|刚刚|今天|都){0,2} (聊|说) 了? (WHAT) END_Q",
    ),
    "done": ("我? (已经)? (都|全)? (DONE|好了|处理 (好|完) 了|ok了)", "[✅✔☑]"),
    "lists": (
        "(LOOK)? (WE)? (现在|目前|都|一共|总共){0,2} (有|建|建立|创建)了? (WHAT|MANY) (清单|列表) END_Q",
        "(LOOK)? (WE 的?)? (清单|列表) (都|一共)? 有 (WHAT|MANY) END_Q",
        "(LOOK|把|将)? (WE 的?)? (所有的?|全部的?|全部|每个) (清单|列表) (的? (名字|名称))? (SHOWN)? END_Q",
    ),
    "todo": (
        # Show it.
        "(LOOK)? LIST (ON)? (的? (ALL)? (THINGS))? (SHOWN)? END_Q",
        "(把|将) LIST (ON)? (的? (ALL)? (THINGS))? (SHOWN) END_Q",
        # What is on it. "What lists are there" is about more than one.
        "(LOOK)? LIST (ON) (现在|目前|一共|总共|都|还|今天){0,2} (有|剩下?|写|记|列|缺|差)了? (WHAT|MANY) (THINGS)?"
        " (没买|没做|没带|没完成|没弄)? END_Q",
        "(LOOK)? LIST (现在|目前|一共|总共|都|还|今天){1,2} (有|剩下?|写了|记了|列了|缺|差) (WHAT|MANY) (THINGS)?"
        " (没买|没做|没带|没完成|没弄)? END_Q",
        "(LOOK)? (WE 的?)? <todo> (ON)? (现在|都|还|一共){0,2} (有|剩) (WHAT|MANY) (THINGS)? END_Q",
        "(LOOK)? LIST (ON)? 的? 第 <number> [条项个件] (是? (WHAT)|SHOWN)? END_Q",
        "(LOOK)? LIST (ON)? (是)? (空的|空着)吗?",
        "(LOOK)? LIST (ON)? (现在|已经|还|是不是)? (有没有|是否有|有|加了|写了|记了) <y:plain> (了)? (吗|没有?|么|没"
        "|呢)",
        "(LOOK)? LIST (ON)? (现在|已经|还|是不是)? (有没有|是否有) <y:plain> END_Q",
        "(?!<you>) <y:plain> (都|还|是)? (在不在|在) LIST (ON) (吧|吗|么)?",
        "(?!<you>) <y:plain> (已经|都)? PUT LIST (ON)? 了? (吗|没有?|没|么)",
        "我? (是不是|是否)? (已经)? (加过|加了|记过|记了) <y:words> (了)? (没有?|没|吗)",
        # What is to be bought or done.
        "(STORE)? (快|再)? (告诉我)? (WE)? (HOME)? (NEED) (去)? (再)? <list:buying>点? (WHAT) (THINGS)? END_Q",
        "(STORE)? (WE)? (HOME)? (还|都){1,2} (list=缺|差|少) (点)? (WHAT) (THINGS)? (没买|没带)? END_Q",
        "HOME (list=缺|差|少) (点)? (WHAT) (THINGS)? END_Q",
        "(LOOK)? (WE)? (HOME)? (还|都){1,2} (有|剩|差|缺) (WHAT|MANY) (THINGS)? (没|没有|需要|要|得) <list:buying>"
        " (齐|完|到)? 的? (THINGS)? END_Q",
        "(LOOK)? (WE)? (想|要|需要|得|该|应该|还要|还没|没) <list:buying> 的 (THINGS)? ((都|一共)? (有|是) (WHAT"
        "|MANY)|SHOWN)? END_Q",
        "(WE)? (都|还|现在|一共|今天){0,2} 有 (WHAT|MANY) (事情?|任务|待办)? (要|没|没有|还没|待|需要|该) (DEED) (完"
        "|好)? 的? (事情?|任务)? END_Q",
        "(WE)? (还|都){1,2} (要|该|得|需要) (DEED) (点)? (WHAT) (事情?)? END_Q",
        "(WE 的?)? (还)? (有|剩) (MANY) (待办|任务|事情?) (没做|没完成|要做|没办)? END_Q",
    ),
    "todo.add": (
        "(把|将) <x:text> (也|都|再|帮我|给我|先)? (PUT) LIST (ON)? (去|里去)? TAIL",
        "(再|也|还|另外|帮我|给我){0,2} (添加|加|放|写|记|补|添) (一?下|上|入)? <x:plain> (到|进|在|去) LIST "
        "(ON)? (去)? TAIL",
        # A list that something is said about is none that is added to: "清单写得再细也会漏".
        '(在|往|给|向|到)? LIST (ON)? (MORE)? ADDING (一? [个项条])? [:,"] <x:text>',
        "(在|往|给|向|到)? LIST (ON)? (MORE)? (ADDED) (?!STATED) ONE <x:plain> TAIL",
        "(在|往|给|向|到) LIST (ON)? (MORE)? (ADDING) (?!STATED) ONE <x:plain> TAIL",
        "LIST (ON) (MORE)? (ADDING) (?!STATED) ONE <x:plain> TAIL",
        "LIST (MORE) (ADDING) (?!STATED) ONE <x:plain> TAIL",
        "LIST [加添] (?!STATED) ONE <x:plain> TAIL",
        "(HOME)? (没|没有|快没) <x:plain> 了 ,? (记得|帮我|请)? (PUT LIST (ON)?|WRITTEN_DOWN) TAIL",
        "(WE|HOME)? (还)? (需要|缺) <x:plain> ,? (记得|帮我|请|都|全)? (PUT LIST (ON)?|WRITTEN_DOWN) TAIL",
        "<list:buying> (点|些|个)? <x:plain> (吧)? ,? (记得|帮我|请)? (PUT) LIST (ON)? (去)? TAIL",
        "(?!<order>) <x:plain> ((RUN_OUT) ,?|,)? (记得|帮我|给我|请|都|也|再|全){0,2} (PUT) LIST (ON)? (去)? TAIL",
        "(记|记住|记得|记录|写|备注) (一?下|个|着)? [:,]? (WE)? (还)? (要|得|去|需要){0,2} <list:buying>(点|些)?"
        " (?!了) <x:plain> TAIL",
        "(WE)? (还)? (需要|缺) <x:plain> ,? WRITTEN_DOWN TAIL",
        # "Task: translate this" is one for a model.
        "(?!任务 :) LIST (ON)? : <x:text>",
        "任务 : <x:plain>",
        "(添加|加|写|记|放|存) (到|进|在|入) LIST (ON)? [:,] <x:text>",
        "<list:kind> : <x:plain>",
        "(KIND 的? (清单|列表)|<todo>) , (?!<you>|清单|列表|list|<order>) <x:text>",
        "(添加|新增|新建|加|记|建|创建|来) (一?[个项条])? (新的?)? <todo> [:,]? (?!吗|吧|清单|列表) <x:text>",
    ),
    # It asks first.
    "todo.clear": (
        "(NOTHING_LEFT)? (把|将)? LIST (ON)? (的? (ALL)? (THINGS)?)? (都|全部?|给我|里|一起){0,2} (EMPTY) TAIL",
        "(EMPTY) (掉|一下)? (ALL)? LIST (ON)? TAIL",
        "(把|将)? LIST (ON)? 的? ((ALL) (THINGS)? (都|全)?|(THINGS)? (都|全部?)) (给我)? (DROP) TAIL",
        "(DROP) LIST (ON)? 的? (ALL) (THINGS)? TAIL",
        "(DROP) (ALL) LIST TAIL",
    ),
    "todo.remove": (
        "从? LIST (ON)? (把|将) <x:plain> (都|给我|帮我)? (DROP) TAIL",
        "<x:plain> (不用|不要|别|不) (再)? (买|要)? (了|啦)? ,? (帮我|请|就)? 从 LIST (ON)? (里)? (给我|把它)? "
        "(DROP) TAIL",
        "LIST (ON)? (不要|不需要|不用|不买) 买? (?![太再写放加记忘丢弄发给乱做搞]) <x:plain> (了|啦) TAIL",
        "(DROP) <todo> 的? (?=第) <x:plain> TAIL",
        "(把|将) <x:plain> (给我)? 从 LIST (ON)? (给我)? (DROP) TAIL",
        "从 LIST (ON)? (DROP) <x:plain> TAIL",
        "<x:plain> (都|也|给我)? 从 LIST (ON)? (里)? (给我)? (都)? (DROP) TAIL",
        "(把|将)? LIST (ON) 的? (?!ALL|THINGS) <x:plain> (给我)? (DROP) TAIL",
        "(DROP) LIST (ON) 的? (?!ALL) <x:plain> TAIL",
        "(DROP) <todo> [:,] <x:text>",
        "<x:plain> (还是|暂时|先|已经)? (不用|不要|别|不) (再)? 买 (了|啦) TAIL",
    ),
    "todo.done": (
        "(DONE) [:,] <x:text>",
        "(完成|TICK)? LIST (ON)? 的? (TICK) <x:plain> TAIL|完成 LIST (ON)? 的? <x:plain> TAIL",
        "给 <x:plain> (打勾|打个勾|打上勾) TAIL",
        "(TICK) [:,]? <x:plain> TAIL",
        "(把|将) <x:text> (从LIST(ON)?)? (给我)? (TICK|DID) TAIL",
        "标记 <x:plain> [为成]? 已? 完成 TAIL",
        "LIST (ON)? 的? <x:plain> (已 经?|都)? (DID) (了|啦)",
        "<x:plain> (已 经?|都|全|也|终于|刚){0,2} (DID) (了|啦|好了|完了) (,? (可以)? (划掉|勾掉|打个?勾) TAIL)?",
        "<x:plain> [,]? (给我)? TICK TAIL",
        "<x:plain> , (DONE)",
        "(LIST ON? 的?)? <x:plain> (已 经?|都)? (搞定|到手|完成|ok) (了|啦)?",
        "(我)? (已 经?|刚|终于) (买好|买到|买|拿到|取到|搞定|做完|完成|弄好|办好) 了 <x:plain>",
    ),
    "date": (
        "(现在|目前)? (是|到)? (WHICH_DAY) (了|来着)? END_Q",
        "(LOOK|告诉我)? (DAY)? (的|是)? 日期 (是? (什么|多少|几号))? END_Q",
        "(DAY) (是|是在|在|又是|到底是)? (什么)? (日子|几月)? (WHICH_DAY) (了|来着)? END_Q",
        "(DAY) 是? (WHICH_DAY) [,]? (WHICH_DAY) END_Q",
        "(WHICH_DAY) 了? (今天|现在) END_Q",
    ),
    "time": (
        "(现在|当前|此刻|目前|这会儿|今天)? (是|都|已经)? (TIME_NOW) (了|啦)? (现在)? END_Q",
        "(LOOK|报一?下|报|告诉我)? (现在|当前|目前)? 的? <clocktime> (了)? (是? (多少|几点))? END_Q",
        "(现在|目前)? <place:some> (那边|当地|那里|这边|那儿)? (现在|目前|当前|这会儿|此刻|今天)? (是|都|的)?"
        " (TIME_NOW)"
        " (了|啦)? (现在)? END_Q",
        "(LOOK|告诉我)? <place:some> (那边|的|当地|现在|当前|那里){0,2} (的)? <clocktime> (现在)? (是? (多少|几点)"
        " 了?)?"
        " END_Q",
    ),
    "today": (
        "(LOOK)? (WE)? 的? (<week:weekof>|<weekend:weekendof>|<nextweekend:nextweekendof>) (WE)? 的? (PLAN) (是?"
        " (WHAT)|都?有(WHAT))? (SHOWN)? END_Q",
        "(LOOK)? (WE)? (<week:weekof>|<weekend:weekendof>|<nextweekend:nextweekendof>) (WE)? (都|还|一共){0,2} 有"
        " (没有|些|WHAT|MANY|别的)? (DUTY)"
        " (没有?|没有|要做|要办)? (SHOWN)? END_Q",
        "(LOOK)? (我|我们|咱们)? (DAY) (我|我们|咱们)? (都|还|一共|现在){0,2} 有 ((没有|WHAT|MANY) (DUTY) (要做|要办"
        "|没做)?|(别的|其他)? (DUTY) (没有?|吗|么)) (SHOWN)? END_Q",
        "(LOOK)? (我|我们|咱们)? 接下来 (我|我们|咱们)? (都|还){0,2} 有 (WHAT|没有|别的)? (DUTY) (没有?|吗|么"
        "|要做|要办)? END_Q",
        "(我|我们|咱们)? (<week:weekof>|<weekend:weekendof>|<nextweekend:nextweekendof>) (我|我们|咱们)?"
        " ((有空|忙|闲) (吗|没有?|没|么|不)|有没有空|忙不忙|闲不闲) END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (都|还){0,2} (是|有)? (WHAT) (DUTY) (要做|要办)? (SHOWN)? END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (有空|空|有<clocktime>|忙|闲|空闲) (吗|没有?|没|么|不忙|不) (我)? END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (有没有空|有没有<clocktime>|忙不忙|闲不闲) END_Q (,? LOOK? (日程"
        "|安排))?",
        "(LOOK)? (我|我们|咱们)? (的)? (DAY) (我|我们)? 的? (PLAN) (是? (WHAT)|都?有(WHAT))? (SHOWN)? END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (都|还)? (NEED|要|打算|准备) (DEED|去|忙) (点)? (WHAT) (事情?)? END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (要|得) 干嘛 END_Q",
        "(我|我们|咱们)? (DAY) (我|我们|咱们)? (还|都|还都){1,2} (有|剩|剩下) (WHAT|MANY) (事情?|任务|待办)? (没做"
        "|没干|没办|没完成|没弄)? 的? END_Q",
        "(我|我们|咱们)? (DAY) (都)? (怎么)? 安排 (了|得)? (怎么样|怎样|好|满)? (的)? (WHAT)? (事情?|活动)? END_Q",
        "(我的?|我们的?) (日程|日程表|行程|安排|日历) (SHOWN)? END_Q|(LOOK) (我的?)? (日程|日程表|行程|安排|日历)"
        " END_Q|日程表?",
        "我? (还)? 有? (WHAT) (事情?|待办|任务)? (过期|逾期|到期) 了? (没做)? 的? END_Q",
    ),
    "tasks": (
        "(LOOK)? (OURS){1,2} 的? (ALARM) (列表|清单|事项)? (都? (有|是) (WHAT|MANY))? (SHOWN)? END_Q",
        "(LOOK)? (提醒|定时任务|闹钟) (列表|清单)",
        "(LOOK) (ALARM) END_Q",
        "(LOOK)? (WE)? (现在|目前|一共|总共|都|还|今天){0,3} (有|设|设置|定|剩)了? (WHAT|MANY|没有) (ALARM) (在跑"
        "|开着|没响)? END_Q",
        "(WE)? 有没有 (设|设置|设定|定)? (过|了)? (ALARM) END_Q",
        "(WE)? (现在|目前|还)? (有|还有) (重复的?)? (ALARM) (在跑|在走|开着)? (吗|没有?|没)",
        "(重复的?|定期的?)? (ALARM) (现在|目前|都|还|一共){0,2} (有|设了|剩|剩下) (WHAT|MANY) END_Q",
        "(DAY) (我)? (都|还)? (有|设了|定了) (没有|WHAT|MANY)? (ALARM) (吗|没有?|没|呢)?",
        "(WE)? (有没有)? (设|设置|定|加|订)了? (?!<you>) <y:few> 的 (ALARM) (了)? (没有?|没|吗)",
        "(关于)? (?!<you>) <y:few> 的 (那个)? (ALARM) (还)? (在不在|在吗|有吗|有没有|开着吗|还在吗|设了吗|在跑吗"
        "|还在走吗|在走吗|设好了吗)",
        "(我的)? 下 (一|一?个) (ALARM) 是? (在)? (什么|几点|什么<moment>|啥<moment>|哪个|什么<clocktime>) END_Q",
        "(DAY)? 你 (DAY)? (都)? (要|会|准备)? (都)? 提醒我 (做)? (WHAT) (事情?)? END_Q",
        "我 (都)? (让|叫|请) 你 (都)? 提醒我 (做)? (WHAT) (事情?)? END_Q",
        "你? (什么<moment>|几点|哪天) (会)? 提醒我 <y:plain>",
        "(ALARM) 还 (剩|有) (多久|多长<clocktime>|几分钟) END_Q",
        "(STOP) (我的?|这个|那个)? 提醒 TAIL",
        "(LOOK)? 我的任务",
    ),
    "contacts": (
        "(LOOK)? (我的|我们的)? (联系人|通讯录) (列表)? END_Q",
        "(我的|我们的)? (联系人|通讯录) (列表)? (ON)? 都? 有 (谁|哪些人?|什么人|几个人) END_Q",
        "你都? 认识 (谁|哪些人|什么人|几个人)",
    ),
    "brief.off": (
        "(STOP|不要再?发?|别再?发|不用再?发) (我的)? (每日|每天的?)? (简报|早报) TAIL|(每日|每天的?)? (简报|早报)"
        " (NO_MORE)",
    ),
    "brief": (
        "<when:time> [,]? (请|记得|再|就|都)? (给我们?|向我们?|为我们?)? (发送?|推送|来|做|说|看)? (一?[份个下])?"
        " (每日|今日|当天的?|当日)? 的?"
        " (简报|早报) (发?给我们?|过来)?",
        "(请)? (给我们?)? (发送?|推送|来)? (一?[份个])? (每日|每天的?) 的? (简报|早报) (发?给我们?)? [,:]? (在|于"
        "|定在|设在|改到|改成)? <when:time>",
        "把? (每日|每天的?)? (简报|早报) (在|于|定在|设在|改到|改成) <when:time>",
    ),
    "quiet": (
        "FROM_TO (之间|期间)? 的? ,? (都|请)? LEAVE_ALONE TAIL",
        "FROM_TO (之间|期间)? 的? ,? (开启|保持|设为|设成)? (QUIET) (模式|<clocktime>|时段)? TAIL",
        "(设置|开启|设)? (QUIET) (模式|<clocktime>|时段)? [,:是为]? (设为|设成|改成|改为|设在)? FROM_TO TAIL",
        "(不要|别|勿) FROM_TO (打扰|吵|烦|发消息|通知) (我|我们)?",
        "(关闭|取消|关掉) (QUIET) (模式|<clocktime>|时段)?",
    ),
    "undo": ("(撤销|撤消|撤回|回退) (一下|刚才的? (操作)?|上一步|这个|它)?",),
    "cancel.due": (
        "(STOP) (我)? (?!<alarms>) <when:time> 的? (那个|那|所有)? (ALARM) TAIL",
        "(把|将)? <when:time> 的? (那个|那|所有)? (ALARM) (都|全部?|给我|帮我){0,2} (STOP) (掉)? TAIL",
        "(把|将)? <when:time> 的? (那个|那)? (ALARM) (NO_MORE) TAIL",
        "(把|将)? <when:time> 的 (ALARM)? (全部|都|全) (STOP) TAIL",
        "<when:time> (不用|不要|别) (再)? 叫 (醒)? 我 (起床)? 了? TAIL",
    ),
    "cancel": (
        "(STOP) (我的|那个|这个)? <x:plain> 的? (那个|这个)? (ALARM) TAIL",
        "(STOP) (我的|那个|这个)? 提醒 [:,]? (?!我|吧|了|事项|音|声|功能) <x:plain> TAIL",
        "(把|将)? (那个|这个)? <x:plain> 的? (那个|这个)? (ALARM) (给我|帮我|都)? (STOP) (掉|了|吧){0,2}",
        "(把|将)? (那个|这个)? <x:plain> 的? (那个|这个)? (ALARM) (NO_MORE) TAIL",
        "(以后|今后)? (别|不要|不用|不必) 再 提醒我 (去|要)? <x:plain> 了? TAIL",
        "(以后|今后)? (别|不要|不用|不必) (再)? 提醒我 (去|要)? <x:plain> 了 TAIL",
        "<x:plain> (不用|不要|别|不需要) 再? 提醒 我? 了 TAIL",
    ),
    "move": (
        "(把|将)? (我|我们)?的? <when:time> 的 (那个)? (ALARM) (给我|帮我)? (MOVE_BY) (吧|哈|一下|好吗|可以吗)?",
        "(把|将) (?!<you>) <x:words> (的? (那个|这个)? (ALARM))? (给我|帮我)? (MOVE_BY) (吧|哈|一下|好吗|可以吗)?",
        "(?!<you>) <x:words> 的? (ALARM) (给我|帮我)? (MOVE_BY) (吧|哈|一下|好吗|可以吗)?",
        "(把|将)? (?!<you>) <x:words> (给我|帮我)? (MOVE|改|换) <to:time> 再? 提醒 我? TAIL",
        "(把|将)? (我|我们)?的? <when:time> 的 (那个)? (ALARM) (给我|帮我)? (MOVE) <to:time> (吧|哈|好吗|可以吗)?",
        "(把|将)? (?!<you>) <x:words> 的? (那个|这个)? (ALARM) (给我|帮我)? (MOVE) <to:time> (吧|哈|好吗|可以吗)?",
        "(把|将)? (?!<you>) <x:words> (给我|帮我)? (MOVE) <to:time> (吧|哈|好吗|可以吗)?",
    ),
    "unmute": ("(取消屏蔽|解除屏蔽|取消静音) <x:some>",),
    "mute": ("(屏蔽|静音) (?!<nobody>) <x:some>",),
    "timezone": (
        "我的时区 (是什么|是哪个)? END_Q|(改|设置|更改) 我?的? 时区",
        "(把|将)? 我?的? 时区 (给我|帮我)? (改[成为到]?|设[成为到]?|设置[成为]|换[成为到]|调[成为到]|是|:) <x:words>"
        " (<clocktime>)?"
        " TAIL",
        "我 (现在|目前)? (人)? (住在|常住|搬到了?|搬去了?) <place:some> 了? (,? (帮我)? (把|将)? 时区? (改|调|换|设)"
        " 一?下 (时区)?)? TAIL",
        "我 (现在|目前|人){0,2} (在|到) 了? <place:some> 了? ,? (帮我|请)? ((改|调|换|设) 一?下 时区|(把|将)? 时区"
        " (改|调"
        "|换|设) (一?下|改)) TAIL",
    ),
    "remind": (
        # What stands behind its verb, before it, and around it.
        "(until=一直|反复|不断)? (TELL) (who=ME_ALONE 自?己?) ONCE_MORE <rest:text> ASKED",
        "(until=一直|反复|不断)? (TELL) <rest:text> ASKED",
        "(通知|催) (who=ME_ALONE) (?!<y:few>? <news>) <rest:text>",
        "(叫|喊) (who=ME_ALONE|大家) (rest=<y:time> 起床 <y:some>?)",
        "AT PAD (until=一直|反复|不断)? (TELL|(叫|喊|通知|催)(?=我)|叫(?=大家)) (who=ME_ALONE 自?己?|大家|所有人"
        "|我们) ONCE_MORE"
        " <rest:text> ASKED",
        "AT PAD (until=一直|反复|不断)? (TELL) <rest:text> ASKED",
        "<when:time> PAD <wakes:wake> (who=ME_ALONE)",
        "<when:time> [,]?(千万|可|要|请)?(别忘|不要忘)(了|记|(?![了记]))(要|去)?"
        " (rest=(?![我你您他她它谁]们?[吧啊哦]?$) (?=<deed>) <y:text>)",
        "<line:text> , SO (提醒|叫|喊) ((who=我们|大家|所有人|咱们)|我) (一下|一声|下)? [哦噢啊呀吧哈]?",
        "(line=<y:time>? (?=<deed> (?!记得|提醒|叫|喊|请|,)) BY_ME <z:many>) [,]? SO (提醒|叫|喊) 我 (一下|一声|下)?"
        " [哦噢啊呀吧哈]?",
        "(MAKE) (提醒) [:,]? <line:text>|提醒 事项? : <line:text>|(MAKE) <line:many> 的? (提醒|闹钟|闹铃)",
        "(MAKE) (?!<when:time> (ALARM) $) <noun:alarm> TAIL|MAKE <noun:alarm>",
        "(MAKE)? <noun:alarm> [:,]? (在|到)? <when:time> TAIL",
        "(MAKE)? <when:time> 的? <noun:alarm> TAIL",
        "(把|将)? <noun:alarm> (给我|帮我)? (设置|设定|设|定|订|上|开) [到在为成]? <when:time> TAIL",
        "(?!<order>) <x:plain> <when:time> ,? (到点|到<clocktime>|<clocktime>到)了? [再就]? (提醒|叫|喊) 醒? 我 "
        "(起来|起床)? TAIL",
        "(MAKE)? <when:time> 的? <noun:alarm> ,? (提醒我|叫我) <x:text>",
        "提醒 (一下)? 我 (?!<kin>) (一下)? (要|去|记得)? <x:text>",
        "<someday> (再|记得|请)? (提醒|叫|喊) (一下)? 我 (?!<kin>) (一下)? (要|去|记得)? <x:text>",
        "叫 (一下)? 我 (要|去|记得)? (x=起床)",
        "(千万|可)? (别|不要|不能) 让 我 忘 (了|记) <x:text>",
        "<when:time> (千万|可)? (别|不要|不能) 让 我 忘 (了|记) <x:text>",
        "(把|将) <x:text> (加|写|记|放|添加) (到|进|在|入) (我的?)? <calendar:calendar> (ON)? (,? <when:time>)? TAIL",
        "(?!<order>) <x:text> ,? (加|写|记|放|添加) (到|进|在|入) (我的?)? <calendar:calendar> (ON)? TAIL",
        "(添加|加|写|记|放) (到|进|在|入) (我的?)? <calendar:calendar> (ON)? [:,] <x:text>",
        "(在|往)? (我的?)? <calendar:calendar> (ON)? (帮我)? ADDING (一?[个项条])? [:,]? (?!了|吗) <x:text>",
    ),
}
