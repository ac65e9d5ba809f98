"""Chinese: the orders in which signs say a time, as templates over their classes, and what is a time whole."""

from __future__ import annotations

import re

from core.language.engine.said import FOLLOWING, STRONG, WEAK
from core.language.engine.times import Manners, Reader, Row
from core.language.engine.tokens import Signs
from core.language.zh.lexicon import CLASSES, OTHERS, TAILED
from core.language.zh.normalize import OURS, fold

_MACROS = {
    "WEEK": "周|星期|礼拜", "ONCE": "(一次|[两二三四2-4]次[,:]?(?=<longpart>|[早晚]|FIG{1,2}[点:]))?",
    "PART": "<part:alone>(?![餐线]|休(?!息)|场(?![馆地])|饭(?![后前局店])|LESSON)|(?![早晚]一点(?!FIG|[半钟整]))<part:c"
    "locked>(?=的?FIG)", "NO_HOUR": "一点([事小都也没不]|资讯|点(?![名餐菜单]))|三点(式|水(?![果电费管]))",
    "CLOCK": "((?!NO_HOUR)<hour:hour>(word=点时|点|时)(?!多|半[价导决成程径斤]|名(?![师单额企牌家片])|半?场(?![馆地]))"
    " MINUTES?|(sure=<hour:shownhour>:<minute:shown>(:[0-5][0-9])?(分(?!钟))?(?![0-9:]))) ([ ]?<half:half>)?"
    " (左右|准[时点]|整(?![理装顿改形队合治点数]))?",
    "DAYSIGN": "(<weekday:weekdaysign>(?!起(?![床飞来])|气[预温])|<weekday:weekdayfigure>(?![0-9点:]"
    "|[a-jl-z](?![a-z])))(?![件篇次盒箱袋辆套瓶杯]|份(?![额子])|张(?=[票图卡发])|[个位本期条](?![人件来地科中末置待])"
    "|人(?![事民力社大才])|场(?![馆地景])|节(?![目日前后])|号(?![召码外]))", "LESSON": "上?[课班](?![程级会])"
    "|上([线市映架传岗]|学(?![习校生]))",
    # What 早 and 晚 begin that is no part of a day, and before what they surely are one.
    "EARLY": "<part:early>(?=[给提跟叫找去,]|$)", "NOUN": "[点些饭餐班茶操场课宴]|会(?!议)|起(?![床飞程跑身])",
    "DOTTED": "(?!<longpart>的?(11[.]11|12[.]12"
    "|6[.]18))<part:longpart>的?<hour:shownhour>[.]<minute:shown>分?(?![0-9.:%元块万亿米公千克度倍折班版])",
    "MINUTES": "sure=过?<fraction:fraction>|整|正(?![在好要式确常如规事中文经])|过?<minute:minute>分(?!钟)"
    "|<minute:bare>|钟", "AMOUNT": "(<n:number><unit:year>(half=半)?|<length:years>|<n:number><unit:month>"
    "|<length:months>|<n:number><unit:week>)? (<n1:number><unit1:onlydays>)? (<n2:decimal>个?<unit2:hours>"
    "|<n2:number>个?(half2=半)?<unit2:hours>|<length:halfhour>)? ([零又]?(<n3:number>[ ]?<unit3:minutes>|<length:quarte"
    "rs>))? (<n4:number><unit4:seconds>)?",
    # Numbers of other things: line 3, the 5 号 battery, a trip of 3 days.
    "DATE": "[号日](?!会议|选手|公[路寓]|考场|包厢|三餐|[楼线门店机桌厅院馆房仓库码柜车电元游常历记子报本语座床])",
    "DATES": "(<number>([号日][、,和跟与及]?|[、,和跟与及])){0,5}(<number>[号日]|月?底?最后一?天|月?[底末初])",
    "MONTHDAY": "(?!廿[一二三四五六七八九]?(?![一二三四五六七八九号日]))<day:number>( DATE ([(,]? WEEK <weekday:weekday"
    "sign> [)]?)?|(?=$|,|<longpart>))", "WORKING": "(每[个逢]?)?<cycle:working>(的?每天)?", "LATER": "[之以过]?后(?![天"
    "来面台者])", "AHEAD": "([之以]?前|(after=[之以]?后))的?(<n:number><unit:onlydays>|<n:number>个?<unit:week>)",
    "OF_FEAST": "期|假|快|档|(联欢)?晚会|活动|[树帽袜卡歌]|老人|礼[物品盒]|月饼|贺卡|大餐|节目|[长小]假|[七3三]天"
    "|黄金周|[机车门船]票|出[游行]|旅[游行]|放假|酒店|攻略|套餐|大促|路(?!上)|广场|大道|[总小]结|奖|盘|考",
    "EVE": "(?!(除夕|大?年三十)([那当]天)?[的,]?([0-9]|1[0-2]|FIG|十[一二])[点:])(<holiday:eve><part:dawn>(?=的?FIG)"
    "|<holiday:holiday>)", "MOON": "八月十五(?![号日])", "OF": "(,(?=<number>[号日]))?的?", "NEXT": ",?(每|天天"
    "|<anypart>|[早晚]|FIG{1,3}[点:])|$", "BUT": " WEEK (but=<daylist>)|<free:free>", "NO_FEAST": "五一([班起样点直定个"
    "次些早]|FIG)", "TILL": "<first:weekdaysign>[到至-] WEEK? <last:weekdaysign>", "BESIDE": "<by:quarter>"
    "|<n:number>(minutes=分)钟?", "END": "(last=月[底末](?!薪))", "IN": "月份(?![第的])", "YEARS": "(<years:nearyear>的"
    "?)?", "WITH_DAY": " WEEK <weekday:weekdaysign>,?",
    "EACH": "每(apart=间?隔)?<n:number>?|一(?=天[两二三四2-4]次)", "YEARLY": "<unit:year>的?(?!<number>月)",
    "EVERY": "每|每?间?隔", "FIG": "[0-9零一二两三四五六七八九十]",
}  # fmt: skip
_TIMES: tuple[Row, ...] = (
    ("span", "[从在]?(list=<part:anypart>?的?CLOCK[到至~-]<part:anypart>?的?CLOCK)([之期]间)?"),
    ("every", "EVERY(<cycle:cycle>|<n:number>?<unit:fullminutes>|(<n:number>个?(half=半)?|个)?<unit:hours>)ONCE"),
    ("every", "每(?=[早晚]上?的?FIG)|每<part:early>(?!NOUN|[年期])上?|WORKING|每(个|逢)?<cycle:weekend>"),
    ("every", "(<cycle:second>(WEEK?(days=<daylist>))?|<cycle:double>的? WEEK (days=<daylist>))ONCE"),
    ("every", "(每个?|逢) WEEK TILL(的?每天)?|WEEK TILL(的?每天|(?=[,的]?(<anypart>|CLOCK)))"),
    # Three days and more are those of every week: "周一三五", and "一三五" before a part of the day.
    ("every", "(?=(一三五|二四六|一二三四五|二四)[的]?<longpart>)(days=<daylist>)"),
    ("every", "((每逢|逢|每个?) WEEK|WEEK (?=[一二三四五][二三四五六][三四五六日天])) (days=<daylist>)ONCE"),
    ("every", "(single=WEEK(?=[一二三四五六日天]([和跟与及]|,?WEEK))) (days=<daylist>)(?=[,的]?(<anypart>|CLOCK))"),
    ("every", "EACH 个?<unit:week>(的? WEEK (days=<daylist>))?ONCE"),
    # One more that is not surely a day: "每月1号和15".
    ("every", "EACH 个?月的?(dates=DATES)(?![、,和跟与及]FIG{1,3}(?!FIG|[个位人名只件]))ONCE"),
    ("every", "EACH 个?(月的?<nth:nth>一?个? WEEK <weekday:weekdaysign>|<unit:month>的?(?!<number>|[第最倒]))ONCE"),
    ("every", "EACH(年的?<month:number>月<day:number>([号日]|(?=$|,|<longpart>))|<unit:day>| YEARLY)ONCE"),
    ("closing", "<closing>"),
    ("until", ",?(一直|直|截)[到至]|,[到至]|[到至](?=<y:few>(为止|止))"),
    ("lasting", ",?([连持]续|(sure=接下来|往后|未来)的?) AMOUNT 内?(?= NEXT)|,? AMOUNT[之以]?内(?= NEXT)"),
    ("length", "(?!过两天)(sure=再?[过等]) AMOUNT LATER?|AMOUNT (sure=LATER)"),
    ("day", "(?!<near>[早晚]一点)<near:shortday><part:early>(?!24[点:]|NOUN)((?!LESSON|晨跑)[上晨间])?", WEAK),
    # "今晚24点" is read as 今 and 晚24点.
    ("day", "<near:short>(?=晚上?24[点:])|<near:short><part:dawn>(?![跑里间宵])|<near:near>", WEAK),
    ("day", "(WITH_DAY)?(<year:fullyear>年|YEARS (?!MOON))<month:number>月 OF MONTHDAY", STRONG),
    ("day", "(sure=WITH_DAY)?<month:two>/<day:two>(?![0-9/片粒颗杯勺个份小])[ ]?", WEAK),
    ("day", "(<which:which>(WEEK 的(?=WEEK))?)?(周(weekend=<weekday:end>)| WEEK DAYSIGN)(EARLY)?", WEAK),
    ("day", "<which:nextwhich> WEEK(?![中初](?![午秋国药医文学介心级次]))", WEAK),
    ("day", "<year:four>(-<month:two>-|/<month:two>/|.<month:two>.)<day:two>(?![0-9])[t ]?", STRONG),
    ("day", "<month:two>.<day:two>[号日]?(?=[ ]?(<anypart>|[0-9]{1,2}[:点]))", STRONG),
    ("day", "(months=月初)|(<months:which>(月 OF)?|<month:number>)?(END|月初(?!FIG))|YEARS <month:number> IN", WEAK),
    ("day", "(<months:which>|<month:number>)月的?((last=最后一天)|<nth:nth>一?个? WEEK <weekday:weekdaysign>)", WEAK),
    ("day", "<months:which>月 OF (<day:number> DATE|(?!<number>|[第最倒]|月?[底末初]))|<day:number> DATE", WEAK),
    ("day", "(?!NO_FEAST)YEARS EVE(当天|那天|AHEAD)?(?!OF_FEAST)", STRONG),
    ("clocks", "(list=(PART)?的?CLOCK([、,和跟及与](PART)?的?CLOCK){1,11})(各(提醒)?一[次遍])?"),
    ("clocks", "(list=早<hour:hour>点?晚<hour:hour>点?)(?![点0-9半])|(list=DOTTED)"),
    ("clock", "(sure=差) BESIDE <hour:hour>点钟?|<hour:hour>点(sure=差) BESIDE"),
    ("clock", "(sure=等下|等会儿?|待会儿?|等一下|等等|一会儿?)(PART)?的?CLOCK"),
    ("clock", "((晚上?|夜里|半夜)?<clock:midnight>(?![0-9]))", STRONG),
    ("part", "PART", STRONG),
    ("zone", "(?!(z|cet)(?!$|[,给提跟叫找去]))<zone:zone>(?![a-z])<clocktime>?"),
    ("without", "[(]?除了?(BUT)([之以]?外)?[)]?,?都?|[(,]?[但就]?(BUT)(除外|不算|不用|不要)[)]?"),
    ("without", "[(,]?(法定|公共)?(节假日|假日|节日)(除外|不算)[)]?"),
    ("clock", "CLOCK|(sure=<hour:shownhour>[ ]?<half:half>|<half:half>[ ]?<hour:shownhour>(:<minute:shown>)?)(?!FIG)"),
    ("clock", "(padded=CLOCK)"),
    # A length is a time only where nothing else is said.
    ("length", "AMOUNT", FOLLOWING),
)
# Before, within, after, until, about, the third of, twice: not this time, or not only this one.
_AGAINST = (
    "[之以]?前(?![台往面])|[之以]?内(?![容部裤存科])|[之以]?后(?!天)|多(?![喝吃带穿买休])"
    "|[0-9一二两三四五六七八九十]{1,9}次|第|最后|倒数",
    "[到至~+-](?=[0-9零一二两三四五六七八九十今明后下这周早晚上中凌])|[:点.][0-9]"
    "|[0-9零一二三四五六七八九十]{1,9}分(?!钟)|的(?!话|[时]候)|[%‰]",
)
_TAILS = "".join(f"(?<!{word})" for word in TAILED)
READER = Reader(
    Signs(CLASSES, others=tuple(OTHERS), tailed=tuple(TAILED), fold=fold, ours=OURS),
    _TIMES,
    _MACROS,
    clock="(PART)?的? CLOCK|<part:early><hour:hour>|DOTTED",
    between="[,的 ]{0,2}",
    against=_AGAINST,
    manners=Manners(
        lead=re.compile(r"[\s,.;:!?~…]*(那?就|[再在于]|(推迟?|延后?|[改换等])?到|改为|[改换]成|推迟?|延[后迟]?)?\s*"),
        behind=re.compile(
            "(?:吧|呢|哦|噢|啊|呀|好了|就行|再?提醒我?(?:一?[次下])?(?:[做办]?[一几]?[个件点]?事情?儿?)?)$"
        ),
        forms=("{}", "{}后"),
        polite=re.compile(
            rf"(?:(?<=..)(?<![哈啦哦噢呀嘞呗哎啊喔哟呦喵嗷小阿老唢弥抛撸吸带])(?:[哈哦噢喔哟呦呀嘞咯呗呐吖啊唷嗷]|(?<![干喇])嘛|(?<![拿揉挥播学猫])[捏喵噻撒]|就[行好][了啦]?|即可|(?<![好完到掉定买齐交付寄取拿还谢])啦){_TAILS})?"
            r"(?:(?:啊|[,.!\s]+)(?:[千万可]*(?:别|不要)又?忘[了记]?[哈哦啊呀咯]?|记得[啊哦])[\U0001F300-\U0001FAFF]{0,3})?(?:(?<![说讲道诉])[,.!\s]+"
            r"(?:晚安|辛苦[你您]?[了啦]?|麻烦[你您]?[了啦咯]|我?[怕老总](?:是|会|我)?忘[了记]?|我?记性(?:太?差|不好)|(?:切记){1,2}"
            r"|一定啊?|务必|(?:这?个?很?|特别|非常|超级?|真的很)(?:重要|急)|急{1,3}|就这样|(?:[免省]得|以免|要?不然|否则)[^,.0-9点叫喊提今明后周星礼早晚上下中天月号小分再改]{2,9}))?"
            r"[,.!~\s]*(?<![说声句道讲])(?<![说讲道诉][,.:!\s])(?:先?谢谢[你您啦了咯哈哦]?|先谢过|[,.!\s](?:谢[了咯]|感[谢恩]|(?i:thx|thanks?|3q)|蟹蟹|求{1,2}[你您]了?|么么哒?)|(?:多谢){1,2}|先?谢啦|唔该|(?:拜托)+[了啦]?|[求]{1,2}[你您]了|(?<![娃笑乐看喂遛a-z])[哈嘿嘻呵h]{2,})?$"
        ),
    ),
)
