"""Chinese: what people say of lists and of what is on them, and of what shall not come any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "HOME": "((咱们?|我们?|俺)?家里?[面头]?|冰箱里面?|厨房里?)",
    "THINGS": "东西|内容|物品|事项|项目|事情?|任务|待办|商品|食材|菜|条目",
    "KIND": "<list:kind>",
    "LIST": "(整个|完整的)? (WE? (目前|现在|当前)? 的? ([那这]个)?|今天的)? (KIND [ ]? (的|[那这][张个份])? (清单|列表"
    "|单子|单|表|list)|(今[天日]的?)? <todo> ([ ]? (清单|列表|list|单子))?|要 <list:buying> 的 (东西|(清单|单子"
    "|列表))?(?=里|中|上?面)|<list:onelist>|清单|列表|单子|list(?=[上里])|<list:title> [ ]? (的?[那这][张个份])? (清单"
    "|单子|list))",
    "STORE": "((WE)? (现在|已经|刚)? (在|到|去|逛) (了)? (超市|菜市?场|商场|商店|店里|市场) (里|啦|了|呢)? ,?|超市"
    "|菜市?场)",
    "PUT": "(添加|加|放|写|记|存|列|添|补|塞|丢|录(?=[到进入]))(个|一下)? (到|进|入|进去|在|至|上)?",
    "ADDED": "添加|[加添记写补]上|加入|新增|追加|增加|补充|add|(记|加|写|记录) BIT",
    "MORE": "再|也|还|多(?=[加添写记])|帮我|给我|需?要|请",
    # Behind a verb of writing these say something of a list that is there.
    "STATED": "加[的了]|清楚|明(?![天日早晚])|粗(?![粮盐面])"
    "|(?!会[议员])[载入塞乱堵置难得着过了完好满错不的长大厚密班油急重快强热会]|起来|来$|以后|之后",
    "AGAIN": "(?=每|逢|天天|隔|工作日) <when:time>",
    # What follows is no wish of its own: "加牛奶，给鲍勃打电话".
    "ONE": "(?!<y:many> [,;] (给|替|帮|打|去|定|设|取消|叫|<y:few>(说的?|[划删去]掉|不要了)$)|(上|一?[个条项])?(截止"
    "|提醒|备注|优先|标签|分类))"
    ' ((一?[点些]|几[样个])(东西)? [:]|一? [个项条] (?=[:,"]|(<deed>|跟|<near>|<longpart>|<weekof>)(?!心|胃))[:,]?'
    "|点(?!心|读|火|滴|播|菜|评)|些|个(?!人|性|体)|一样(?!的))?",
    "THING": "(x=<y:plain> ([、,]? 还有 (?!<z:plain>[都没]) <z:plain>)?)",
    "ALSO": "([,?]? 你? (LOOK) LIST)?",
    "RUN_OUT": "(已经|马上|都)? (快)? (要)? (没|没有|用完|吃完|喝完|用光|吃光|喝光)了",
    "DID": "(买([好到完齐]|回来)?|(处理|整理|[做办弄洗])[完好]|办妥|搞[定好]|完成|[写打付补看读背练听订改收擦考学跑喂抄"
    "]完|[取收拿买]到|[取拿领接]回来?|提交|[交还寄退]掉?|[拿取换付订齐]|换好|寄出|[订修装]好|拿齐|到货)",
    "TICK": "([划勾][掉了]|勾([上选]|(?=一?下))|划去|打[个上]?勾|(标记|标|设)[为成]?已?(完成|[买办做完]好?))",
    "TICKED": "(?!打[个上]|<y:many> (没|[不未别] TICK)) (<todo> ,)? <x:plain> ([那这]一?[条项个])? (我? ([已刚]经?|刚才"
    "|都){0,2} ((DID) [了啦]?|<deed> [了啦]|ok|done 了?) ,?)? ([那这]一?[条项])? [,]? (可以|请|麻烦[你您]?)?"
    " ([给帮]我)? ([从在]? LIST ON?)? ([给帮]我)? TICK TAIL",
    "DROP": "(删掉|删除|删去|删|移除|移走|去掉|去除|拿(掉|走|出来)|划走|撤(掉|下来)?|抹[掉去]?|剔除|除去|减去|划掉"
    "|remove|delete)",
    "EMPTY": "((都|全部?|整个)? (清[空零除掉光理了]|清(一清)?|删光)|(都|全部?) (删[掉除]?|移除)|重置|重新开始|(都|统统"
    "|通通|整个) 不要了) (,? (都不要了|重新来|全?清了))?",
    "NOTHING_LEFT": "((东西)? (都|全)? 买? (齐|完|好) 了 ,)",
    "EVERY": "天天|每(个月|[天日月年早晚]|周(?![一二三四五六日天末]))的?(?!<number>[点:])",
    # What is no one thing that comes back, or rings elsewhere.
    "OF_OTHERS": "所有|全部|手机|电脑|微信|系统|软件|应用|<near>(?!<longpart>?的?<alarm>)|<weekof>"
    "|<longpart>(?!的?<alarm>)|[今明]晚(?!的?<alarm>)",
    # 买 and what it begins: "买单", "买菜的钱".
    "NO_BUY": "[了卖家手单房的]|[一二两]送|东西|<y:many>(合同|报告|攻略|流程|须知|心得|信息|花费|清单|[元块]|钱)$",
    "WRITTEN_DOWN": "((记|加|写|补) BIT|记上|加上|写上|补上|加个)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "lists": (
        "(?!(?!我(?!们))<y:many>单子) (LOOK)? (WE|你那[儿里边]?)? (现在|目前|都|一共|总共){0,2} (有|存|建立?"
        "|创建)[了过]? (WHAT|MANY) (清单|列表|单子) END_Q (,? (都? 叫 (WHAT) (名字)?|列 一?下 名字) END_Q)?|(LOOK)? (WE"
        " 的?)? (清单|列表) (都|一共)? (有 (WHAT|MANY)|叫 (WHAT) (名字)?) END_Q|(除了 <y:few> ,?)? (WE)? 还 有 (没有)?"
        " (别的|其[他它]的?) (清单|列表) (吗|没有?)?|(WE)? 都? [有建] 了? (WHAT) (清单|列表) ,? (SHOWN)",
        "(LOOK|把|将)? (WE 的?)? (所有的?|全部的?|全部|每个) (清单|列表) (的? (名字|名称))? (SHOWN)? END_Q",
    ),
    "todo": (
        # Show it.
        "(LOOK|把|将)? (ALL)? LIST (ON)? (的? (ALL)? (THINGS))? ([出过]?来? (SHOWN))? END_Q",
        # What is on it. "What lists are there" is about more than one.
        "(LOOK)? LIST (ON) (现在|目前|一共|总共|都|还|今天){0,2} (有|是|剩下?|写|记|列|缺|差)了? (WHAT|MANY"
        "|哪几[本部首样]|没(?=[买做带完弄])) (THINGS)? (没 ([买做带弄]|完成))? 的? (,? SHOWN)? END_Q|(LOOK)? LIST (现在"
        "|目前|一共|总共|都|还|今天){1,2} (有|剩下?|写了|记了|列了|缺|差) (WHAT|MANY) (THINGS)? (没 ([买做带弄]|完成))?"
        " END_Q",
        "(LOOK)? (WE? (目前|现在)? 的?)? [那这]?个? (<todo>|KIND 的? (清单|列表|单子?|list)|<list:onelist>) (ON)? (现在"
        "|都|还|一共){0,2} (有|剩) (WHAT|MANY) 了? (THINGS)? END_Q|(最近|都)? (记|写|列|加) 了 (WHAT|MANY) <todo>"
        " END_Q",
        "((LOOK) (WE)?|(?=<y:many><todo>) (WE 的?)?) (现在|目前|还)? [没未] (完成|做完?|办完?) 的? (<todo>|事情?)"
        " (SHOWN)? END_Q|(LOOK)? LIST (ON)? 的? 第 <number> [条项个件] (是? (WHAT)|SHOWN)? END_Q",
        "(LOOK)? LIST (ON)? (是)? (空的|空着)吗?|(创建|新建|建) 一?个? (新的?)? (KIND) (清单|列表|单子)|(LOOK)? LIST"
        " (ON)? (现在|已经|还|是不是)? (有没有|是否有|有|加了|写了|记了) <y:plain> (了)? (吗|没有?|么|没|呢)",
        "(LOOK)? LIST (ON)? (现在|已经|还){0,2} (有没有|是否有|是不是 (已经|还)? 有|有(?=<y:few>(没有|吗))) <y:plain>"
        " (这[本个条样项])? (没有|吗)? END_Q",
        "(LOOK|确认一?下?)? (?!<you>) <y:plain> (都|还|是不是|是|已经)? (在不在|在) LIST (ON) (吧|吗|么|没有?)?",
        "(?!<you>) <y:plain> (已经|都)? PUT LIST (ON)? 了? (吗|没有?|没|么)",
        "我? (是不是|是否)? (已经)? (加过|加了|记过|记了) <y:words> (了)? (没有?|没|吗)|(?!<you>) <y:plain> 我?"
        " (是不是)? (已经)? ([记加写列] [上进]去|[记加] [上进]) 了 (吗|没有?|没|吧|么)|(LOOK)? 有没有 <y:plain>"
        " 这一?[项条] END_Q|(WE)? (有没有|是不是|是否) (已经)? [把将] (?!<you>) <y:plain> (PUT) LIST (ON)? (了|过)?"
        " END_Q|(WE)? [把将] (?!<you>) <y:plain> (已经|都)? (PUT) LIST (ON)? 了 (吗|没有?|么)",
        # What is to be bought or done.
        "(STORE)? (快|再)? (告诉我)? (WE)? (HOME)? (NEED) (去)? (再)? <list:buying>点? (WHAT) (THINGS)? END_Q ALSO",
        "((STORE)? (WE)? (HOME)? (还|都){1,2}|HOME) (list=缺|差|少) (点)? (WHAT) (THINGS)? (没买|没带|要买的)? END_Q",
        "(LOOK)? (WE)? (HOME)? (还|都){1,2} (有|剩|差|缺) (WHAT|MANY) (THINGS)? (没|没有|需要|要|得) <list:buying> (齐"
        "|完|到)? 的? (THINGS)? END_Q|(LOOK)? (WE)? (想|要|需要|得|该|应该|还要|还没|没) <list:buying> 的 (THINGS)?"
        " ((都|一共)? (有|是) (WHAT|MANY)|SHOWN)? END_Q|(LOOK)? (WE)? (都|还|现在|一共|今天){0,2} 有 (WHAT|MANY) (事情?"
        "|任务|待办|作业)? (要|没|没有|还没|待|需要|该) (DEED|写|交) (完|好)? 的? (事情?|任务|作业)? END_Q",
        "(WE|HOME|STORE)? 有 (没有|WHAT) (THINGS)? (需要|要|得|该) <list:buying> 的? (THINGS)? 不? END_Q",
        "(WE)? (还|都){1,2} (要|该|得|需要) (DEED) (点)? (WHAT) (事情?)? END_Q|(WE)? (还|都|现在){0,2} 有 (WHAT|MANY)"
        " (事情?|任务)? 没 (完成|[做办弄]完) 的? END_Q|(WE)? (现在|都|还){0,2} 有 (WHAT|MANY) (待办|待办事项) (没做"
        "|要做)? END_Q|(WE 的?)? (还)? (有|剩) (MANY) (待办|任务|事情?) (没做|没完成|要做|没办)? END_Q ALSO",
    ),
    # One that gets a name: 列一个清单 is a model's to write.
    "todo.new": (
        "(新建|创建|建立?|开) (一?[个份张])? (新的?)? (清单|单子) ,? (名字)? (叫做?|名?为|是) <list:title>",
        "(新建|创建|建立?) (一?[个份张])? (名字)? 叫做? <list:title> 的? (清单|列表|单子)",
        "((新建|创建) (一?[个份张])?|建立? 一?[个份张]) (新的?)? (?!的|<number>) (KIND|<list:title>) (清单|单子)",
        "((新建|创建) (一?[个份张])?|建立? 一?[个份张]) (新的?)? (清单|单子)",
    ),
    "todo.add": (
        "(新建|创建|建立?|开) (一?[个份张])? (新的?)? (KIND [ ]? 的? (清单|列表|单子)|<list:onelist>|<list:title> (清单"
        "|单子)) ,? (里面?)? ((PUT) 去?|(ADDED)|:) ,? (?!STATED) <x:plain> TAIL",
        "AGAIN ,? (帮我|给我|请|都)? ((把|将) <x:plain> (PUT) LIST (ON)?|[在往给向到]? LIST (ON) (MORE)? (ADDING) ONE"
        " <x:plain>) TAIL|(把|将) <x:plain> (PUT) LIST (ON)? ,? AGAIN|(在|往|给|向)? LIST (ON)? (MORE)? (ADDED)"
        " (?!STATED) ONE <x:plain> , AGAIN",
        "(把|将) (?!<y:many>(播放列表|歌单)) <x:text> (也|都|再|帮我|给我|先)? ((PUT) LIST|[列设标加算] [为成作] 一?个?"
        " <todo>) (ON)? (去|里去)? TAIL",
        "(再|也|还|另外|帮我|给我){0,2} (添加|记录|加|放|写|记|补|添|add) (一?下|上|入)? <x:plain> (到|进|在|去|to)"
        " LIST (ON)? (去)? TAIL",
        # A list that something is said about is none that is added to: "清单写得再细也会漏".
        '(在|往|给|向|到)? LIST (ON)? (MORE)? (ADDING|(?!列[表举]) [塞列放存]) (一? [个项条])? ([:,]|(?=")(?!<y:many>"'
        " [吧了啊哦啦呀]$)) <x:text>",
        "(在|往|给|向|到)? LIST (ON)? (MORE)? (ADDED) (?!STATED) ONE <x:plain> TAIL",
        "再? ([在往给向到] LIST (ON)?|LIST (ON)) (MORE)? (ADDING|(?!列[表举]) [塞列放存]) (?!STATED) ONE THING TAIL",
        "LIST (ON)? ((MORE){1,2} (ADDING)|再来 (?=NUM(?![次遍回]))|,? [加添](上|(?!上))|,? 补 一?[个点]) (?!STATED) ONE"
        " THING TAIL",
        "(HOME)? 快? 没 有? <x:plain> 了 ,? (记得|帮我|请)? (PUT LIST (ON)?|WRITTEN_DOWN) TAIL",
        "(WE|HOME|LIST (ON)?)? (还 [差少]|还? (需要|缺)) (?!买) <x:plain> ,? (记得|帮我|请|都|全)? (PUT LIST (ON)?"
        "|WRITTEN_DOWN) TAIL",
        "(WE)? (还|得|要|该|需要|下次|去){0,3} (STORE)? [还得要]? <list:buying> (点|些|个)? (?!的) <x:plain> [吧了]? ,?"
        " (记得|帮我|请)? ((PUT) (?!KIND) LIST (ON)? (去)?|(WRITTEN_DOWN)|[列写记加放] [进上] 去?|记着) TAIL",
        "(WE)? (还|得|要|该|需要|去){0,2} (<buying>|[搞弄来整囤](?=[点些])) (点|些|个)? <x:plain> [吧了]? ,? (记得|帮我"
        "|请)? ((PUT)|[写记]) LIST (ON)? (去)? (?!了) TAIL",
        "(HOME)? (?!<order>|播放|[单点]击|<y:many>(的话|[加布派]任务|[保已]存|更加|下列|列表清单)) <x:plain> ((RUN_OUT"
        "|还没<deed>|我? ([也还]|一直)? 想 [看听读买吃玩学去试喝要]) ,?|(这[件个]?事[情儿]?)? ,?) (记得|帮我|给我|请"
        "|都|也|再|全){0,2} (PUT) LIST (ON)? (去)? (?!了) TAIL|(?!<order>|人) <x:plain> (RUN_OUT) , (帮我|请|给我)?"
        " (WRITTEN_DOWN) TAIL|(KIND (清单|列表|单子)|<list:onelist>) (ON)? 还要 (?!<deed>|[加改]) <x:plain> TAIL",
        "(记|记住|记得) (一?下|个|着)? [:,]? (WE)? (还)? (要|得|去|需要){0,2} <list:buying>(点|些)? (?!NO_BUY)"
        " <x:plain> TAIL",
        # "Task: translate this" is one for a model.
        "(?!任务 :) LIST (ON)? : <x:text>|LIST [+] (?!<number> $) <x:plain>|(STORE|HOME|WE|<y:word>)? [还需]? [要想]"
        " <list:buying> 的? THINGS? ((帮我)? (都)? [记列写加] (一?下|上|下来)?)? : <x:plain>|记 (一?下|下来)? (WE)? 还?"
        " 要 <list:buying> 的 THINGS? : <x:plain>",
        "任务 : (?!<y:many>((DID)|DONE)(了|,|$)|<y:many>(TICK)) <x:plain>|记 (一?下|下来|一笔)? [:,] (要 (?=<deed>)"
        " (?!<y:many>的$))? (?!<y:few>?([点号]|<near>|<weekof>|<longpart>|周[一二三四五六日天末]|星期|礼拜"
        "|[我你他她什谁怎])) <x:text>",
        "(添加|加|写|记|放|存) (到|进|在|入) LIST (ON)? [:,] <x:text>|(新增|添加|加) KIND (清单|列表) : <x:text>|新的?"
        " (待办事项|待办) [:,] <x:plain>|todo (?=<deed>) (?![加添记写补删改看查清完没]|<y:many>([不没]|[了吗呢的]$))"
        " <x:plain>",
        "(<list:kind>|<list:buying>) : <x:plain>",
        "(KIND 的? (清单|列表)|<todo>) , (?!<you>|清单|列表|list|<order>|(MORE)?(ADDING|[加添记写补存放]|(DROP)|(TICK)"
        "|EMPTY|[看查念读发改]|<y:many>的$)|<y:many>((DID)(了|,|$)|TICK)) <x:text> (,? [都全]? [加写记添]上)? TAIL",
        "(添加|新增|新建|加|记|建|创建|来) (一?[个项条])? (新的?)? (?!备忘录(?![:,])) <todo> ([:,] <x:text>|(?=<deed>)"
        " (?!不|没|别|<y:many>(了|的|失败|成功|群|功能|软件|按钮)$) <x:plain>)",
    ),
    # It asks first.
    "todo.clear": (
        "(NOTHING_LEFT)? (把|将)? LIST (ON)? (的? (ALL)? (THINGS)?)? (都|全部?|给我|里|一起|统统|通通){0,2} 可?以?"
        " (EMPTY) TAIL BESIDES",
        "(EMPTY) (掉|一下)? (ALL)? LIST (ON)? TAIL",
        "(把|将)? LIST (ON)? 的? ((ALL) (THINGS)? (都|全|统统|通通)?|(THINGS)? (都|全部?|统统|通通)) (给我)? (DROP)"
        " TAIL|(DROP) LIST (ON)? 的? (ALL) (THINGS)? TAIL|(DROP) (ALL) LIST TAIL|(把|将)? (ALL) LIST (都|全|统统|通通)"
        " (给我)? (DROP) TAIL|(DROP) (我的|这个)? (?!除|掉|去) (KIND|<list:title>) (清单|列表|单子)"
        " TAIL|(把|将) (我的|这个)? (KIND|<list:title>) (清单|列表|单子) (给我|帮我)? (DROP) 了? TAIL",
    ),
    "todo.remove": (
        "从? LIST (ON)? (把|将) <x:plain> (都|给我|帮我)? (DROP) TAIL",
        "<x:plain> (不用|不要|别|不) (再)? (买|要)? (了|啦)? ,? (帮我|请|就)? 从 LIST (ON)? (里)? (给我|把它)? (DROP)"
        " TAIL|(LIST (ON)? (的|那个|这个){0,2})? <x:plain> (不要|不用) 了 ,? (DROP) TAIL",
        "(LIST (ON)? 的?|(把|将))? (x=第 <number> [条项个件]) (给我|帮我)? (DROP) TAIL",
        "LIST (ON)? 的? ([那这]个)? (?!<y:few> [都全] 不|[加添记写补]<y:many>,) <x:plain> 的? (不要|不用|不需要"
        "|不[用要]?买) 了 TAIL BESIDES",
        "(不用|不必|不需要) 再? 买 (?![太错贵这那单账]|东西) <x:plain> 了 (,? (帮我|给我|请|就)? (从? LIST ON?)?"
        " ([给帮]我)? DROP)? TAIL BESIDES|LIST (ON)? (不要|不需要|不用|不买) 买? (?![太再写放加记忘丢弄发给乱做搞])"
        " <x:plain> (了|啦) TAIL",
        "(DROP) ((<todo>|LIST (ON)?) 的?)? (x=第 <number> [条项个件]) TAIL|[把将] <x:plain> (给我)? (从 LIST (ON)?"
        " (给我)? (DROP)|[移踢] 出 LIST) TAIL BESIDES|从 LIST (ON)? (DROP) <x:plain> TAIL BESIDES",
        "(?!<y:many>没) <x:plain> ((HOME)? (已经|[还都]){0,2} [有够] 了? ,)? (都|也|给我|帮我)? 从 LIST (ON)? (里)?"
        " (给我)? (都)? (DROP) TAIL BESIDES",
        "(把|将)? LIST (ON) 的? ([那这][个条项样本部首])? (?!ALL|THINGS) <x:plain> ([那这][个条样项])? (给我|可以"
        "|帮我)? (DROP) (了)? TAIL BESIDES|(DROP|取消) LIST ((ON) 的?|的) (?!ALL|THINGS) <x:plain> TAIL",
        "<x:plain> (这[件个]?事[情儿]?)? (别|不用|甭|不必) 再? [留放记写]? 在 LIST (ON)? 了|(?!最|刚|每|<y:some>?(微[信"
        "博]|朋友圈|小红书|抖音|群|qq|短信|邮件|视频|消息|动态|评论|留言|公告|弹幕|[发跟]帖)) <x:plain> [那这][条项]"
        " (帮我|给我)? (DROP) TAIL|(DROP|取消) (?!备忘录(?![:,])) <todo> ([:,] <x:text>|(?=<deed>) <x:plain> TAIL)"
        "|<x:plain> [那这]个 <todo> ([给帮]我)? (DROP|取消|不(要|用做) 了) TAIL|LIST (ON)? (?![划撤抹]) (DROP)"
        " (?![了的过不错多重完光干一失掉去除]|功能|按钮) <x:plain> TAIL BESIDES",
        "<x:plain> (还是|暂时|先|已经)? (不用|不要|别|不) (再)? 买 (了|啦) TAIL BESIDES",
    ),
    "todo.done": (
        "(DONE) [:,] <x:text>",
        "(完成|TICK)? LIST (ON)? 的? (TICK) <x:plain> TAIL|完成 LIST ((ON) 的?|:|(?=第)) <x:plain> TAIL",
        "(TICK) LIST (ON)? 的? (?!ALL) <x:plain> TAIL|LIST ((ON) 的?|的) TICKED|(完成|TICK) (x=第 <number> [条项个件])"
        " TAIL|(?!<order>|<person>) <x:plain> 已 [买交付订寄取拿还约] TAIL",
        "给 <x:plain> 打[个上]?勾 TAIL|(TICK) (一下)? [:,]? (?!一下|手指|(此项)?[后时]) <x:plain> TAIL|标记 <x:plain>"
        " [为成]? 已? 完成 TAIL|(把|将) (?!<y:many> ,) <x:text> ((从LIST(ON)?)? (给我)? TICK|DID [了啦]) TAIL",
        "LIST (ON)? 的? <x:plain> ([那这]一?[条项件个])? (已 经?|都)? (DID) (了|啦) (,? (帮我|给我)? TICK TAIL)?",
        "(?!(已经?|[都全也刚早]|终于|总算){1,3} (DID)|<y:many>(快|要|差不多|马上) (DID)) <x:plain> ([那这]一?[条项件个]"
        " (事情?)?)? (已 经?|都|全|也|终于|刚){0,2} (DID) (了|啦|好了|完了) (,? (可以)? (从 LIST ON?)? TICK TAIL|,?"
        " (帮我|请)? (更新|同步) (一?下)? LIST TAIL)?|TICKED",
        "<x:plain> , (DONE)|[补看读背练听写做买交][完好] 了 <x:plain> ,? (TICK) TAIL|([买交写寄取] 完|买好|取到) (?!了)"
        " <x:words> 了",
        "(LIST ON? 的?)? (?!(已经?|[都全也]|终于|总算)(搞定|到手|完成|ok|done|完事)) <x:plain> ([那这](件?事[情儿]?"
        "|一?[项条]))? (我 (?=<y:many>(TICK|标记)))? (已 经?|都)? (搞定|到手|完成|ok|done|完事) (了|啦)? (, (请"
        "|麻烦[你您]?)? ([帮给]我)? (TICK|标记? (一下)?) TAIL)?",
        "(我)? (已 经?|刚|终于) (买好|买到|买|拿到|取到|搞定|做完|完成|弄好|办好) 了 (?!<y:many>(马上|准备|正在|打算"
        "|回[家来去]|[去要])) <x:plain>",
    ),
    "cancel": (
        "(STOP) (我的|那个|这个|EVERY)? (?!OF_OTHERS) <x:plain> 的? (那个|这个|EVERY)? (ALARM) TAIL BESIDES",
        "取消 提醒 我 (?![的了吧们]) <x:plain> TAIL|(STOP) (我的|那个|这个)? 提醒 [:,]? (?!我|吧|了|事项|音|声|功能)"
        " <x:plain> TAIL",
        "(?!<you>|<y:many> [没说]) <x:plain> (不 [搞去做办开弄看买学练]|取消|改期) 了 , ((这个|那个|[把将])? (ALARM)"
        " (可以|就|给我|帮我){0,2} (STOP|不[用要]了)|(就|可以)? (不用|不要|别) 再? (提醒|[叫喊](?=我)) 我? 了) TAIL",
        "(?!<y:many>?, (ALARM)|把?(手机|电脑|微信|系统|软件|室友|邻居)) (把|将)? (那个|这个|EVERY)? <x:plain> 的?"
        " ([那这][个条])? (重复|EVERY)? (ALARM) (太? [烦吵] [人死]? 了 ,?)? (给我|帮我|都)? (STOP){1,2} (掉|了|吧){0,2}"
        " BESIDES|(?!<y:many>?, (ALARM)) (把|将)? (那个|这个)? <x:plain> 的? ([那这][个条])? (重复)? (ALARM) (我? (以后"
        "|今后|现在))? (NO_MORE) TAIL BESIDES",
        "(以后|今后)? (别|不要|不用|不必) 再 提醒我 (去|要)? (?![胖瘦丑穷老笨]) <x:plain> 了? TAIL BESIDES",
        "(以后|今后)? (别|不要|不用|不必) ((再? EVERY)? 提醒|再? 叫 (?=我起床)|再 (EVERY)? [叫喊催] (?=我[去要]?<deed>)"
        "(?!我(加|改|结))) 我 (去|要)? (?![胖瘦丑穷老笨]) <x:plain> 了 (,? 取消 吧?)? TAIL BESIDES",
        "(?!<y:many>?,) ([那这]个)? <x:plain> 的? (不用|不要|别|不需要) 再? 提醒 我? 了 TAIL",
        "取消 (我的?|那个)? (?!(?!<y:some>[点:])<when:time>的|<b:time>的会议|[的掉]) (x=<y:words> (会议|预约)) TAIL"
        "|(?!<b:time>的预约) (x=<y:words> 预约) ([给帮]我)? 取消 [吧掉]? $|(取消|删[除掉]) (我的|那个)?"
        " (?!<b:time>的?[日行]程) <x:plain> (的|[这那]个)? [日行]程 TAIL",
        "(把|将)? <x:plain> (帮我|给我)? 从 (我的?)? <calendar> (ON)? (帮我|给我)? (DROP) TAIL",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
