"""Chinese: what people say to be reminded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "MAKE": "(我? (想要?|需?要)? (再|重新|另外)? (设[置定]|set|[新创]建|预约|添加|新增|开始|启动"
    "|[设定订建加开来弄搞上调整记]) ((?!一个半(?!夜)) 一?[个条]|BIT|一?个新的?)?|我? [想需]?要 (?!一个半(?!夜)) 一?个?"
    "|(?!一个半(?!夜)) 一?个)",
    # "周末都提醒" is each of them.
    "AT": "(?!NOT_THEN) ((?=每|天天|逢) <when:time> 都|<when:time>) (until=[,]?直到(WHO)(DID_IT)[,]?)?",
    "ME_ALONE": "(我(?!NO_LONGER_I|[和及](?!TOLD))|本人)",
    # Who is told something does not do it with me; others are rather no names: "我跟导师".
    "TOLD": "(我?<person>|[小老阿][^的]) (说|讲|汇报|请假|道歉|解释|反馈|报备|打招呼|告别|告白|求婚|表白|拿|借|要"
    "|打个?电话|通电?话|视频|语音|聊|见面)",
    # Behind 我 these make somebody else of it, or no wish.
    "NO_LONGER_I": "们|的|了|过|没|<person>",
    # What somebody does who is woken soon.
    "NAP": "(我? (想|要|先|去|打算|准备){0,2} (眯|睡|躺|歇|休息|打|午睡|午休|小睡) (一?[会下]儿?|[一个]{0,2}(午觉|觉"
    "|盹))? (,? ([烦还]?请|麻烦[你您]?))?)",
    "UNFIT": "LATER_DAY|(?!<y:some>?[该要快得]|把(?![我你您他她它]|<person>))<y:many>[^完好掉上下]了$",
    # What somebody else is to do, or is called: "还我钱", "去你家", "洗碗老公".
    "TO_OTHERS": "[我他她它谁]们?[吧啊哦]?$|<y:many>?([还给帮接等回发来看想找陪告]我(?!们?的|<person>|(SET_ONE) TAIL $"
    "|记(一?下|下来|住了?|着点?) TAIL $)|[你您](?!(SET_ONE)))|<y:many>[^接送陪给见找看帮问叫约催跟和](老公|老婆|宝贝"
    "|宝宝|亲爱的|大家|各位)$|<y:many>,(<y:few>们|@<y:many>|<y:few>说的)$",
    # Who calls at no hour rather has called, or will; so has one of whom more is said.
    "CLOCKED": "(?!凌晨|半夜|深夜)<y:time>([点:]|分钟|小时|刻|秒)|(?=<y:many>起[床来])<y:time>[点:]|<y:time>(记得|别忘"
    "|请|麻烦)",
    "WHY": "(, (我|因为|明天)? [还得]? [要得有赶去] (?![是不点]|<y:many>?(提醒|[叫喊闹吗你再]|[点:])) <y:some>)?",
    "SAID_OF": "谢|爱|么|晚安|辛苦|(?!<y:many>直)<y:many>?(一起|[你他她]|太|没用|不可能|(结果|成绩|进度|[了的烦])$|,"
    "(?![要得去赶直]|<y:some>才停))",
    # What takes its time, and is watched.
    "TIMED": "(鸡?蛋|面[条膜]|米?饭|饺子|粥|汤|煮|蒸|烤|泡|煎|炖|焖|炒|煲|敷|跑|睡|练|学|刷牙|专注|冥想|平板支撑|拉伸"
    "|瑜伽|跳绳|热身|[腌醒焯])",
    "CONTEXT": "(?!<deed>|[关放播唱来搜念算翻帮请给]|[^,!]{0,14}(<order>|<near>|<longpart>|<weekof>|<person>|周|星期"
    "|礼拜|[点号月后前时每到说讲问叫让早晚次:.])) <c:word> [^,!]{1,12} [,!] [你您]?|(?!CONDITION|等|为什么|谁|昨"
    "|[^,!]{0,9}[说问]) <c:word> [^,!点]{0,8} (下[雨雪]|困|累|饿|黑|亮|没[电油]|[到过]期|[用吃喝][完光]|[满坏脏])了"
    " [,!] [你您]?",
    "SO": "(请|再|记得|麻烦[你您]?|[你您]|帮忙?我?|一定要?|务必|千万(要|记得)?|到(<moment>|<clocktime>|时|点)了?"
    "|别忘了?|(千万)?(别|不要)让我忘[了记]?,?){0,2}",
    "SET_ONE": "([帮给][我忙])? ([设加记建定弄来做搞整上] 一?[个条下]|[定加设]) (循环|重复|定时|每[天周月年日])? 的?"
    " (提醒|闹[钟铃])",
    # The clock of an event, before which they are reminded; the day is that of both.
    "EVENT": "(when=<near>|<which>?(周|星期|礼拜)<weekdaysign>|(<number>月)?<number>[号日])? 的? (?!([7-9]|1[0-2]"
    "|[七八九]|十[一二]?)[点:]<y:many>,[1-6一二两三四五六][点:]) <number> [点:] (半|一刻|<number>分?)? 的?"
    " (?!<y:many>?[了不没] ,)",
    "BEFORE_IT": "(早上|早晨|上午|中午)?[0-9一二两三四五六七八九十]{1,3}[点:]",
    # Between a time and the verb.
    "PAD": "(的?<moment>|,|…|[吧呗](?!,)|的(?!提醒)|([烦还]?请|麻烦)[你您]?|[你您]?可?得|[你您](?!们)|[帮给]我"
    "|(给我)?[发弹](一?[条个])?(消息|[短微]信|通知|弹?窗|信息)(?=提醒|通知|叫)|在?(这个|本)?(群|频道)[里内中]?(?=提醒"
    "|通知|喊|叫)|记得|可?别忘了?|到(<moment>|时)|[准按]时|一定|务必|[再就要]){0,6}",
    "NOT_THEN": "隔<y:few>再|每年[的都]?提醒我?(NUM)月(?!NUM)",
    "SPOKEN_TO": "(<person>|[小老阿宝亲](?!宝[喂睡洗吃喝打换])<y:word>{0,2}|我?<y:word>?([困累饿]<y:word>?"
    "|午?睡觉?)了),",
    # With these it is counted from another moment, or it is told of what was.
    "OTHER_THEN": "每|昨|前天|上(次|周|个?月)|刚才|当时|那[天次时]|[之以]?后[,!]|[点号]|<longpart>|开始[,!]|<weekof>",
    "WISHED": "等|[说讲问让叫]|告诉|提醒|别|不[要用]|吗|谁|什么|怎么|清单|闹钟|待办|取消|计时|倒计时|定时",
    "CALENDAR": "(我的?)? <calendar:calendar> (ON)?",
    "CALL_ME": "(提醒|叫|喊|通知|call|戳) 一?下? 我 (一下|一声|下)? [哦噢啊呀吧哈]?",
    # "Call me 小王" is no alarm.
    "CALLS": "我 (一声|一下)? (<person>|[小老阿大]<y:word>{1,2}) [吧啊]? $",
    "ASKED": "(,? (you=好吗|好么|好不好|可以吗|可以不|行吗|行不行|行不|成不|ok吗?)|[吧哟喔])?",
    "AHEAD": "(提前|提早|(会|课|开会|开始|出发|起飞)之?前) <before:time>",
    "RINGS": "(提醒|叫|通知|喊|call) (who=ME_ALONE 自?己?|大家|我们)|[跟和]我 说 (一声|一下)",
    "BY_ME": "(?!我<person><y:time>[叫喊]我|(打电话|发<y:word>) (提醒|叫|喊) 我|[查看] 一?下? <news>)(?!<y:many>"
    " (<person>|,[小老阿]<y:word>{1,2}|[就在了来说别要过不你您他她它能人谁没有]|[点0-9][之以]?前|[^开]会|[那当]天)"
    " (提醒|叫|喊) 我)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "remind": (
        # What stands behind its verb, before it, and around it.
        "(until=一直|反复|不断)? (TELL) (who=ME_ALONE 自?己?) (一次)? [,:]? (?!提醒) <rest:text> ASKED",
        "(until=一直|反复|不断)? (TELL) (?!我提醒) <rest:text> ASKED",
        # How long before its time.
        "(我(?!<person>))? (?!<order>) (<when:time> 的)? (?!<y:many>,<y:word>{1,3}(会|课)之?前) <x:text> [,;]? (请"
        "|麻烦[你您]?|记得|[你您]?可以)? [在要]? AHEAD 再? (RINGS|提醒) (出发|出门|动身)? TAIL",
        "AHEAD (RINGS) (一下)? [,:]? <x:text>|AHEAD 提醒 (who=我(?=<person>的?<y:word>?(生日|纪念日))) <x:text>",
        "(把|将) <line:plain> (添?[加记写放设存] [到进成为入在]) (提醒(事项)?|闹钟) ON? TAIL",
        "在? (<when:time> 的)? <x:text> [之以]?前的? <before:time> (RINGS) TAIL",
        "<x:words> [之以]?前的? <before:time> (RINGS) , (<y:some>? [是在])? <when:time> (的|开始?|开会)? TAIL",
        "(?!<order>) <x:words> [是在] <when:time> 的? , AHEAD 再? (RINGS) TAIL",
        "(通知|催) (who=ME_ALONE) (?!<y:few>? <news>) <rest:text>|记着 (rest=<y:time> [要得]? (?=<deed>) <y:text>)|记"
        " (一下(?!午)|住) [啊,]{0,2} (?=<y:many>[点:]) (?!<y:many>([的了过]|<number>(块|元|ml)?$)) (rest=<y:time>"
        " [,要得]{0,2} (?=<deed>|[跟和与]) <y:text>) (,? SO CALL_ME)?",
        "(叫|喊) ((who=ME_ALONE|大家) (rest=<y:time>? 起床 <y:few>?)|(who=ME_ALONE) (?=<y:many> [点:分]) (rest=<y:time>"
        " (?=<deed>) <z:plain>))",
        "(AT PAD)? (until=一直|反复|不断)? TELL (who=我(?=和 (?!我|<person>|[小老阿@a-z]))) <rest:text> ASKED",
        "AT PAD (until=一直|反复|不断)? TELL (who=ME_ALONE 自?己?|大家|所有人|我们(?![组队班部经领老家俩两])) (一次)?"
        " [,:]? (?!UNFIT) <rest:text> ASKED|(?=CLOCKED) AT PAD (叫|喊|闹|戳(?=我一?下)|通知|催|call) (?!CALLS)"
        " (who=ME_ALONE 自?己?|大家|所有人|我们(?![组队班部经领老家俩两])) (一次)? [,:]? (?!LATER_DAY|SAID_OF)"
        " <rest:text> ASKED",
        # Behind what somebody says of how things are, without a time or a wish of its own.
        "CONTEXT AT PAD (TELL|(叫|喊)(?=我)(?!CALLS)) (who=ME_ALONE 自?己?) (?!LATER_DAY|<deed>[吧啊哦]?$) <rest:text>"
        " ASKED|CONTEXT (?=<y:some>(分钟|小时|秒)) <when:time> PAD <wakes:calling> (who=ME_ALONE) (一下|一声)? TAIL",
        "(?!SPOKEN_TO) (line=(?=每|逢|工作日|[今明后][天日]|[这本下]?个?(周|星期|礼拜)|[0-9]{1,2}[月号]) (?!<y:many>[了"
        "过],) <y:many> , (?=<y:some>[点:]) <z:time>) 提醒 TAIL",
        "EVENT (有一?个|[有是要得]{0,2}) <y:words> , (?=BEFORE_IT) (more=<z:time>) SO (TELL) (who=ME_ALONE) (?!UNFIT)"
        " <rest:text> ASKED",
        "(?!<number>[点:]<y:many>[叫喊]) EVENT (有一?个|[有是要得]{0,2}) (rest=<y:words>) , (?=BEFORE_IT) (more=<z:time"
        ">) SO (提醒|叫|喊) (who=ME_ALONE) (一下|一声|下)? TAIL",
        "(when=<near>|<which>?(周|星期|礼拜)<weekdaysign>|(<number>月)?<number>[号日]) 我? [要得有想] <y:words> ,"
        " (?=<y:some>[点:]) (more=<z:time>) SO [叫喊] (who=ME_ALONE) (rest=起床) [吧哦啊]?",
        # What is said first changes nothing where it is counted from now.
        "(?!<deed>(?!衣机|碗机)|[关放播唱来搜念算翻帮请给把将加删查]|SPOKEN_TO|[^,!]{0,20}(CONDITION|WISHED"
        "|OTHER_THEN)) <c:word> [^,!]{2,16} [,!] (?=<y:some>(分钟|小时|秒|刻钟?)[之以]?后) <when:time> PAD (TELL|(叫"
        "|喊)(?=我)(?!CALLS)) (who=ME_ALONE 自?己?) (?!UNFIT) (?=<deed>) <rest:text> ASKED",
        # Who was named before: "妈妈明早8点要测血糖，你提醒她".
        "(who=(我? <person>(?=<y:many>(你|请|麻烦|记得|,提醒))|@ <y:some>)) ,? <when:time> PAD (TELL) [他她] (一下)?"
        " [,:]? (?!UNFIT|<y:many>(,[他她]|[他她][不没])) <rest:text> ASKED|(who=我? <person>|@ <y:some>) ,? <when:time>"
        " [要得该有]{1,2} (?!UNFIT) <rest:words> 的? , SO 提醒 一?下? [他她] (一下|一声)? TAIL",
        "AT PAD (until=一直|反复|不断)? (TELL) (一次)? (?!WHO (一次)? [,:]? (UNFIT)) <rest:text> ASKED|AT [你您]?"
        " (you=能不能|可不可以|[能可]否|可以|能) PAD (TELL|叫|喊) (who=ME_ALONE) (?!<y:many>?(什么|几|谁|哪))"
        " <rest:text> 吗?",
        "(?=[今明后周星]|下[个周星]|<y:some>(分钟|小时)[之以]?后) <when:time> (TELL) 我 (一下)? (一次)? [,:]?"
        " (?=LATER_DAY|<near><deed>) <x:words> TAIL",
        "(?!午睡<y:many>[叫喊]我) (我|让我|我? (先|想|要|去|再) (去)?)? (午睡|睡|眯|躺|小睡|休息|歇) (个|一?[会下]儿?)?"
        " ,? (?=<y:some>(分钟|小时|刻)) <when:time> ,? (就|再|到(点|时候?|<clocktime>)了? |之?后|然后|记得|请"
        "|麻烦[你您]?|你|,){0,3} (<noun:wake> 我|<noun:calling> 我 (一[下声])?|[叫喊] 我 (noun=起床|起来)) TAIL",
        "(NAP ,?)? <when:time> PAD (把我 (给我)? <wakes:wake> (?!了) TAIL|<wakes:wake> (who=ME_ALONE) (,? NAP)?)|(NAP"
        " ,?)? (?=<y:many>[点:分时刻秒半nh]) <when:time> PAD <wakes:calling> (who=ME_ALONE) (起来|起床|一下|一声)? TAIL"
        "|(?=<y:many>[点:]) <when:time> PAD [叫喊] (who=ME_ALONE) (rest=起床) WHY TAIL",
        "(?=<y:some> [点:]) <when:time> 的 (?!<moment>|<clocktime>|<y:some> (提前|[小老阿])) BY_ME <x:words> ,? SO"
        " CALL_ME",
        "((添加|新建|创建|新增|加|记|建) 一?个? (calendar=日程|行程|日历事件|事件) [:,]?|(calendar=日程|行程) :"
        "|(calendar=安排) (一?下|一个)(?!<y:many>?[哪什怎谁]|<y:many>我$)"
        "(?=[今明后周星礼这本下每早晚中凌0-9一二两三四五六七八九十]|<deed>)) ((?=<y:many>[点:]) <when:time> 的"
        " <x:words> TAIL|<line:text>)",
        "(?=TIMED) <x:words> (计时|倒计时|定时) <when:time> TAIL|((MAKE)? <when:time> 的? (计时器?|倒计时|定时器?)"
        "|(计时|倒计时|定时) <when:time>) ,? 我? (?=TIMED) <x:words> TAIL|(?=TIMED) <x:words> <when:time> (,? (到点"
        "|到时|到<clocktime>) 了? (告诉|提醒|叫|喊|通知) 我|的? (计时|倒计时|定时) ,? (开始)?|,? (帮我)? [看盯]着"
        " <clocktime>) TAIL",
        "<when:time> [,]?(千万|可|要|请)?((别忘|不要忘)(了|记|(?![了记]))|让我记得|[跟和]我说(一声|一下)[:,]?"
        "(?!<y:word>不|<y:few>几个))[要去该]? (rest=(?!TO_OTHERS|([叫喊]|提醒|通知)我) (?=<deed>) <y:text>)|<when:time>"
        " PAD ([跟和]我[说讲](一声|一下)?|告诉我) [:,]? (rest=(该|把 (?!<y:many>(ASK))) (?!不) <y:text>)",
        "(?!我?<person>|SPOKEN_TO|(我们|咱)<y:many>,<y:few>?我(?!们)|<y:many>先(别|不)) <line:text> , SO ((提醒|叫|喊)"
        " (who=我们|大家|所有人|咱们|我) (一下|一声|下)?|提醒 (一下|一声)) [哦噢啊呀吧哈]?|(?=<y:many>[点:])"
        " (?!<y:many>(ASK)) <line:text> , (SO 到(<moment>|<clocktime>|时|点)|记得) (告诉|通知) 我 TAIL|(?!CONDITION"
        "|TO_OTHERS|[他她]|大概|我<person>|(?!每|天天|逢|工作日)<y:many>(循环|重复|每[天周月年日])的?(提醒|闹)"
        "|<y:many>?([不没]|提醒(?!TAIL $)|了(?![,]?TAIL $|解)|过[了去的]|忘(?!记?[了记]?TAIL $)|花了?<number>|[前后时],"
        "|<number>(块|元|公?[里斤]|毫升|ml|步|度|分钟?)?,([帮给]我)?记)|([早晚中凌傍半今]|[上下]午|<number>[点:])<y:man"
        "y>,请?记(一?下|[住着])|今[天日](?!<y:few>[点:]))(?=[今明后周星礼这本每早晚中凌傍]|大后|[0-9一二两三四五六七八"
        "九十半帮替跟和]|[上下][午周个礼星]|<deed>) <line:text> (, (SO [你请]? (SET_ONE) (?!了)|(记得|请|到时候?) 提醒"
        "|[你请]? (帮我|给我)? (记 (一?下|下来|住了?|着点?)|备忘 (一下)?)|记得|别忘了?)|,? (千万)? (别|不要) 让我忘"
        " [了记]?) TAIL",
        "(?!SPOKEN_TO|<y:time>打电话[叫喊提]) (?=<y:many>(提醒|[点:时])) (我? [想要])? (line=<y:time>? (?![不别没])"
        " (?=(该? <deed>|[帮替]) (?!记得|提醒|叫|喊|请|,)) BY_ME <z:many>) [,]? SO CALL_ME|(line=(?!设|开|关|取消"
        "|[删改看查清换修打]|完成) (?=<deed>) BY_ME <z:many>) , SO 提醒 TAIL",
        "(MAKE) (提醒) [:,]? <line:text>|(MAKE)? <when:time> 的? (提醒|闹[钟铃]) : <x:text>|(MAKE <alarm> [吧呗]? [:,]?"
        "|提醒事项 [:,]?|<alarm> [:,]) (?=<y:some>?(<anypart>|分钟|小时|[点:])) (?!<y:many>(名字|名称|标签|铃声|提醒|改"
        "|重复|[又没太响])) <line:text>|提醒 : <line:text>|[给帮替] (who=我?<person>) (MAKE) 提醒 [:,] <rest:text>"
        "|(?![订定开加建来弄搞上调整](?!一?[个条下]|[0-9零一二两三四五六七八九十今明后每周星本下早晚中凌这])) (MAKE)"
        " <line:many> 的? (提醒|闹钟|闹铃)",
        "((把|将)? <noun:alarm> (给我|帮我)? (设置|设定|[设定订上开]) [到在为成]?|(MAKE)? <noun:alarm> 呗? [:,]?"
        " (<clocktime>)? [是为在到]?) <when:time> (开始|再? (提醒|叫|喊) 我? (一下|一声)?)? TAIL",
        "MAKE (?!<when:time> (ALARM) $) <noun:alarm> TAIL|(MAKE)? (?!<y:time>提醒) <when:time> 的? <noun:alarm> (响"
        " (一下)? (?!了)|,? ([帮给]我)? ([设定来加]一?[个下]|安排上|开始))? TAIL|<when:time> ([帮给]我)? MAKE"
        " <noun:alarm> TAIL|<when:time> (?=响) <wakes:calling>|(?=<y:some>[点:]) <when:time> (x=起床) 闹[钟铃] TAIL"
        "|MAKE <when:time> 的 (?=<deed>) (?!<y:many> [不没的]) <x:words> (提醒|闹[钟铃]) TAIL",
        "(?!<order>|SPOKEN_TO) <x:plain> <when:time> ,? (到点|到<clocktime>|<clocktime>到)了? [再就]? (提醒|叫|喊) 醒?"
        " 我 (起来|起床)? TAIL|(?!<order>|SPOKEN_TO) <x:plain> (, (?=每|天天) <when:time> (响|提醒)|,? (?=每|天天)"
        " <when:time> (提醒|叫|喊|闹) 我) 一[次下声遍] TAIL|(?=<deed>) (?![别不没]|<y:many> <person>) <x:plain>"
        " <when:time> 提醒 我 TAIL|(?=<deed>|TIMED) (?!<deed>的?(提醒|<alarm>)|STOP|MAKE|[查看换改修]|<y:some>倒计时<y:"
        "word>{0,2}[天周月年]) <x:words> 的? (提醒|<alarm>) [:,]? <when:time> TAIL",
        "(MAKE)? (?!<y:time>提醒) <when:time> 的? <noun:alarm> ,? (提醒我?|叫我) (?![都没不,]) <x:text>|MAKE"
        " <when:time> 的? (ALARM) (, [叫让]我|[:,]?) (?=<deed>) (?!我(?![得要])|去[掉除]|取消|[改关换提删别不没会看查有"
        "]) <x:text>|MAKE (提醒|备忘|日程) [,:]? (内容 [是为:] <x:text> ,? <clocktime> [是为:在定]{1,2} <when:time>"
        " TAIL|<clocktime> [是为:在定]{1,2} <when:time> ,? 内容 [是为:] <x:text>)|(?=<y:many>(分钟|小时)) <y:words>"
        " 还?[要需得有]? <when:time> ,? (请|麻烦[你您]?)? 到(点|<moment>|<clocktime>|时)了? [再就]?(提醒|叫|喊)"
        " (ME_ALONE) <x:text>|(?=<y:some>(分钟|小时|秒)) <when:time> PAD (告诉我|[跟和]我[说讲](一声|一下)?) [:,]?"
        " (x=(?=面|水|饭|粥|汤|蛋|菜|鸡) <y:few> [好开熟]了)|(?=[0-9零一二两三四五六七八九十今明后每周星本下早晚中上])"
        " (line=(?=<y:many>[点:]) <y:time> , <z:words>) , (循环|重复|定时)? 提醒 TAIL|(?=每|天天) (?=<y:many>[点:])"
        " <when:time> (?!<y:many>([点:]|的提醒)) (?=<deed>) <x:words> 提醒|(when=<which>? (周|星期|礼拜) <weekdaysign>"
        "|<near>|(<number>月)? <number>[号日]) [是有要得]{0,2} (?!<y:many>了,) (rest=<y:words>) ,? [那当]天"
        " (more=<z:time>)? SO (提醒|叫|喊) (who=ME_ALONE) (一下|一声|下)? TAIL",
        "(MAKE) <when:time> 的? (ALARM) ,? (内容|标题|备注|标签|名[字称]) [叫是为:]{1,2} <x:text>|(?=<y:some>(分钟?|秒"
        "|小时)) <when:time> , (?!<order>) <x:words> , (计时器?|倒计时|定时器?|闹钟) TAIL",
        "<wakes:wake> (who=ME_ALONE) ,? (?=<y:many>[点:]) <when:time> TAIL|叫 (一下)? 我 (要|去|记得)? (x=起床)|(提醒"
        "|(<near>|<weekof>)? <someday> (再|记得|请)? (提醒|叫|喊)) (一下)? 我 (?!NO_LONGER_I) (一下)? (要|去|记得)?"
        " (?!提醒<y:many>[今明后周下点]) <x:text>",
        "(<when:time>)? (千万|可)? (别|不[要能]) 让我忘 [了记] <x:text>",
        "(把|将) (<when:time> 的)? <x:text> (添?[加写记放排]|安排) [到进在入] CALENDAR (,? <when:time>)? TAIL",
        "(我们?)? ((?=这个?(周|星期|礼拜))|(?!<order>)) (?!<y:many>提醒我) <x:text> (这[件个]?事[情儿]?)? ((,? [你请]?"
        " (帮[我忙]|给我|麻烦)? (添?[加写记放存标列排]|安排) [到进在入]|, (你给我|帮[我忙]|麻烦)? 添?[加记写放]"
        " (一?下)?) CALENDAR (安排)?|, (我的?)? <calendar:calendar> ON ([帮给]我)? [添加记写标] [上下]?) TAIL",
        "添?[加写记放] [到进在入] CALENDAR [:,] <x:text>|(在|往)? CALENDAR (帮我)? (ADDING|标 BIT?) (一?[个项条])?"
        " [:,]? (?!了|吗|不|红) <x:text>",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
