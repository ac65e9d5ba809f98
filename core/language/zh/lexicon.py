"""Chinese: the words of time by class, each with what it says. Patterns see a text as `zh.normalize` folds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from core.kernel.timing.expressions import Clock, Date, Every, Holiday, NthWeekday
from core.language.engine.said import Part, Said
from core.language.zh.normalize import NUMBER, number
from core.language.zh.places import PLACES

DIGITS, NUMERALS = "0123456789", "0123456789零一二两三四五六七八九十百廿"


def _words(text: str) -> dict[str, None]:
    """Words that say no more than their class."""
    return dict.fromkeys(text.split())


def _by(pattern: str, first: str = NUMERALS) -> tuple[str, str, Callable[[str], Any]]:
    return pattern, first, number


_PARTS = {
    Part(9, 1, 12): "早上 早晨 早 晨 上午 朝早", Part(7, 3, 11): "清晨 清早 大清早 一早 一大早 大早上",
    Part(12, 11, 14): "中午 正午 晌午", Part(15, 12, 20): "下午 午后 下晝 晏晝", Part(18, 16, 20): "傍晚",
    Part(20, 17, 28): "晚上 晚间 夜晚 晚 夜", Part(5, 0, 6): "凌晨", Part(23, 21, 30): "半夜 半夜里 深夜 夜里",
}  # fmt: skip
PARTS = {name: part for part, names in _PARTS.items() for name in names.split()}
# 早 and 晚 are also "early" and "late", 晨 and 夜 parts of other words; nobody is reminded "in the small hours".
_CLOCKED = {name: PARTS[name] for name in _words("早 晚 凌晨 半夜 半夜里 深夜 夜里")}
_ALONE = {name: part for name, part in PARTS.items() if name not in _CLOCKED and name not in "晨夜"}
# The one that ends a day.
_MIDNIGHT = Said(clocks=(Clock(hour=12, certain=False),), part=Part(24, 24, 24))
_HOUR = "2[0-4]|[01]?[0-9]|二?十[一二三四]|二十|十[五六七八九]?|[零一二两三四五六七八九]"
# What follows a number that counts other things than minutes: "三点二十个人".
_OTHERS = "[零一二三四五六七八九十百分秒个位人件份次本张杯瓶条天年月号日块元页篇楼层室路栋]"
_BARE = rf"(?:[0-5][0-9](?![0-9])|零[一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?)(?!{_OTHERS})"
_MINUTE = "[0-5]?[0-9]|零[0-9]|零?[一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?"
_DAYS, _COUNTS, _SHORT = "一二三四五六日", "个位人件次本张场份篇点时:", {"今": 0, "明": 1}
_WEEKDAYS = {sign: n for n, sign in enumerate(_DAYS)} | {"天": 6}
WEEK_NAMES, _WEEK = ("周", "星期", "礼拜"), "(?:周|星期|礼拜)"
# Days without a mark between them are said in order ("一三五") and are no numbers of other things ("周三五个人").
_ROW = rf"(?=[{_DAYS}天])(?!一[次定直]|一起(?!床)|六天)一?二?三?四?五?六?[日天]?(?![{_COUNTS}杯瓶条天年月号])"
_LIST = (
    rf"{_ROW}(?:(?:[、,和及跟与](?!每天)每?{_WEEK}?|每?{_WEEK}){_ROW})*"
    rf"|[1-7](?:[、,和]{_WEEK}?[1-7])*(?![{_COUNTS}0-9节、])"
)
_DAY, _MONTH = {"天": "day", "日": "day"}, {"月": "month", "个月": "month"}
_WEEKS = dict.fromkeys((*WEEK_NAMES, *(f"个{one}" for one in WEEK_NAMES)), "week")
_UNITS: Mapping[str, Any] = _DAY | _MONTH | _WEEKS
_NTH = {f"第{sign}": n + 1 for n, sign in enumerate("一二三四五")} | {f"第{n}": n for n in range(1, 6)} | {"最后": -1}
_HALF_HOURS = ("半小时", "半个小时", "半钟头", "半个钟头", "半个钟")
_FRACTIONS = {"半": 30, "一刻": 15, "1刻": 15, "三刻": 45, "3刻": 45}
_WORKDAYS, _SATURDAYS = (Every(unit="week", weekdays=frozenset(days)) for days in (range(5), range(5, 7)))
_NEAR = {f"{one}{end}": n for one, n in _SHORT.items() for end in ("天", "日", "儿", "儿个")} | {"听日": 1}
_NEAR |= {f"{'大' * n}后天": n + 2 for n in range(3)}
_NEXT = {"这个": 0, "下": 1, "下个": 1, "下下": 2, "下下个": 2, "下下下": 3}

# What never stands in what is only named.
_ORDER = """什么 怎么 怎样 为什么 干嘛 干啥 谁 哪 吗 呢 是不是 有没有 能不能 要不要 该不该 多少 几个 我 你 您 他 她 它
    咱 这 那 把 提醒 闹钟 清单 列表 加到 加进 写到 写进 记到 放到 放进 删 取消 不要 不用 不想 不是 不会 不能 不知 没有
    没说 别加 别再 别忘 别删 别买 别提 因为 所以 如果 但 昨天 已经 还是 还有 还没 就 了 吧 啊 觉得 总是 总会 也没 也不
    越来越 知道 应该 可以 可能 必须 只有 让 . ! ? ;"""
# People by what they are, surnames, signs that are in no name, and those that begin what people do, so no name either.
KIN = """妈 妈妈 爸 爸爸 爸妈 老婆 老公 爷爷 奶奶 外公 外婆 姥姥 姥爷 哥 哥哥 姐 姐姐 弟 弟弟 妹 妹妹 儿子 女儿 孩子
    孩子们 叔叔 阿姨 舅舅 姑姑 老板 老师 室友 同事 先生 太太 婆婆 岳父 岳母"""
SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪"
    "田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
GRAMMAR = "的了吗呢吧着过在和与及跟把被给从到是有没不也都就还很太去要该说每今明后昨点号周"
_DEEDS = (
    "买订开去看吃喝刷晾晒擦扫拖剪涂敷煎蒸拆扔丢玩唱骑爬印催盯哄站穿交写打发做取拿接送洗睡起跑学读付还带回查找问见参约预"
    "给把在要请叫说想来上下出进关充换修搬寄收签提准复锻休备检会除从到别不没有是我这那什几多少半记听浇喂遛倒煮做炒练背抢"
    "投缴存转报考值加减更升清整完量赶测熬挪领挑试逛滴贴烧炖叠熨录拍编画配挂续喷聊讲念"
)
DEEDS = f"{_DEEDS}陪跟重你您他她它谁每今明后昨一二三四五六七八九十两"
# Of phrases: what people ask for in few words. The words for lists are those of `list_…_words` in the texts.
_PHRASES: Mapping[str, Mapping[str, Any]] = {
    "kind": _words("购物 采购 买菜 买东西 购物车 购买 超市 进货 shopping 杂货 打包 行李 packing"),
    "onelist": _words("书单 歌单 片单 愿望单 心愿单 购物单"), "buying": _words("购买 采购 买"),
    "todo": dict.fromkeys(("待办事项", "待办", "代办", "任务", "todo", "to-do", "todos", "to do", "备忘录", "备忘")),
    "weekof": {f"{one}{week}": int("下" in one) for one in ("这", "这个", "本", "下", "下个") for week in WEEK_NAMES},
    "weekendof": {f"{one}周末": 0 for one in ("", "这", "本", "这个")}, "nextweekendof": {"下周末": 1, "下个周末": 1},
    "someday": _words("""晚点 晚点儿 晚一点 晚一点儿 改天 有空 有空的时候 有时间 回头 待会 待会儿 一会 一会儿 过会儿
        过一会儿 等等 等下 等会 等会儿 等一下 稍后 过几天 下次 过两天 哪天 每隔一段时间 找一天 找时间 抽空 过阵子
        过一阵子 两三天后 两三天以后 结束前 结束之前 睡前 饭前 饭后 出门 吃完饭 午饭后 晚饭后""")
    | {f"{one}{end}": None for one in _words("出门 出发 下班 上班 睡觉 起床 吃饭 开会 上课") for end in ("前", "之前")},
    "alarm": _words("闹钟 闹铃 计时器 定时器 倒计时 计时 定时 番茄钟 倒数 timer alarm"),
    "you": _words("你 您 他 她 它 我 谁 这 那 为什么 怎么"), "clocktime": {"时间": None}, "moment": {"时候": None},
    # Who does something by themselves.
    "person": _words(f"{KIN} 女朋友 男朋友 女友 男友 媳妇 闺女 家人 领导 上司 经理 主任 医生 护士 客服 秘书 同学 朋友"),
    "news": _words("天气 气温 新闻 热点 股价 股市 行情 油价 金价 房价 汇率 价格 路况 新邮件 新消息"),
    # Besides what ends in 节.
    "season": _words("""元旦 元宵 清明 端午 七夕 中秋 国庆 重阳 冬至 夏至 小年 除夕 大年 腊八 圣诞 平安夜 五一 十一
        双十一 生日 春天 夏天 秋天 冬天 年初 年底 年末 年中 上半年 下半年 暑假 寒假 开学 第 最后"""),
    "wake": {f"{one}{end}": "起床" for one in "叫弄喊闹拉拽吵薅" for end in ("醒", "起来")},
    "deed": dict.fromkeys(_DEEDS), "calling": dict.fromkeys(("叫", "喊", "闹", "call", "响铃", "响闹钟"), "到点了"),
    "order": _words(_ORDER), "calendar": _words("日历 日程表 日程 行事历 行程"),
    # Nor in the name of a list.
    "unnamed": _words(f"""{_ORDER} 完成 的 勾 划掉 整个 完整 所有 全部 一个 一份 个 份 新 旧 清空 清除 取消 上面 下面
        以下 到 进 入 在 里 上 给 从 写 列 加 放 删 建 做 想 弄 一张 生成 模板 看 查 发 往 将 和 , :"""),
}  # fmt: skip

_FEASTS = {
    (1, 1): "元旦", (14, 2): "情人节", (8, 3): "妇女节 三八节 三八妇女节", (12, 3): "植树节", (1, 4): "愚人节",
    (1, 5): "劳动节 五一 五一节 五一劳动节", (1, 6): "儿童节 六一儿童节", (10, 9): "教师节", (1, 10): "国庆 国庆节",
    (31, 10): "万圣节", (11, 11): "双十一 双11", (12, 12): "双十二 双12", (24, 12): "平安夜", (25, 12): "圣诞 圣诞节",
    (31, 12): "跨年夜 年底",
}  # fmt: skip
CLASSES: Mapping[str, Mapping[str, Any] | tuple[str, str, Callable[[str], Any]]] = {
    "holiday": {
        **{name: Date(day=day, month=month) for (day, month), names in _FEASTS.items() for name in names.split()},
        **dict.fromkeys(("除夕", "大年三十", "年三十"), Holiday(holiday="spring festival eve")),
        **dict.fromkeys(("春节", "大年初一", "正月初一"), Holiday(holiday="spring festival")),
        "清明节": Holiday(holiday="tomb sweeping"), "端午节": Holiday(holiday="dragon boat"),
        **dict.fromkeys(("中秋", "中秋节"), Holiday(holiday="mid-autumn")), "感恩节": Holiday(holiday="thanksgiving"),
        "重阳节": Holiday(holiday="double ninth"), "母亲节": NthWeekday(weekday=6, nth=2, month=5),
        "父亲节": NthWeekday(weekday=6, nth=3, month=6),
    },
    "eve": {"跨年": Date(day=31, month=12), "平安": Date(day=24, month=12)}, "number": _by(NUMBER),
    "decimal": (r"[0-9]{1,3}\.[0-9]|[一二两三四五六七八九]点五", NUMERALS,
        lambda text: float(text) if text.isascii() else (number(text[0]) or 0) + 0.5),
    "hour": _by(_HOUR), "shownhour": _by("[01]?[0-9]|2[0-4]", DIGITS),
    "minute": _by(_MINUTE), "bare": _by(_BARE), "shown": _by("[0-5][0-9]", DIGITS),
    "fraction": ("半(?![天个]|小时)|[一三13]刻(?!钟)", "半一三13", _FRACTIONS.get),
    "half": (r"[ap]\.?m(?![a-z])\.?", "apm", lambda text: f"{text[0]}m"),
    "alone": _ALONE, "clocked": _CLOCKED, "anypart": PARTS,
    "longpart": {name: part for name, part in PARTS.items() if len(name) > 1},
    "early": {"早": PARTS["早"], "晚": PARTS["晚"]}, "dawn": {"晨": PARTS["晨"], "夜": PARTS["夜"]},
    "zone": dict.fromkeys(("z", "utc", "gmt"), "UTC") | dict.fromkeys(("cet", "cest"), "Europe/Berlin"),
    "place": PLACES,
    "midnight": dict.fromkeys(("午夜", "24点", "24点整", "24点钟", "24:00"), _MIDNIGHT),
    "year": {"年": "year"}, "month": _MONTH, "week": _WEEKS, "day": _DAY, "onlydays": {"天": "day"},
    "hours": dict.fromkeys(("小时", "钟头", "h", "个钟"), "hour"), "fullminutes": {"分钟": "minute"},
    "minutes": dict.fromkeys(("分钟", "分", "min"), "minute"), "seconds": {"秒": "second", "秒钟": "second"},
    "years": {"半年": (6, 0, 0)}, "months": {"半个月": (0, 15, 0)}, "quarter": {"一刻": 15, "一刻钟": 15, "1刻": 15},
    "halfhour": dict.fromkeys(_HALF_HOURS, (0, 0, 1_800)), "daylist": (_LIST, DIGITS + _DAYS + "天", number),
    "quarters": {"一刻钟": (0, 0, 900), "三刻钟": (0, 0, 2_700), "半分钟": (0, 0, 30)},
    "short": _SHORT, "shortday": _SHORT | _NEAR, "near": _NEAR, "which": {"这": 0, "本": 0} | _NEXT, "nextwhich": _NEXT,
    "weekday": _WEEKDAYS | {str(n + 1): n for n in range(7)}, "weekdaysign": _WEEKDAYS, "end": {"末": 5},
    "weekdayfigure": {str(n + 1): n for n in range(7)}, "nth": _NTH, "nearyear": {"今年": 0, "明年": 1, "后年": 2},
    "fullyear": _by("(?:[0-9]{2}){1,2}|[零一二三四五六七八九]{4}"),
    "four": _by("[0-9]{4}", DIGITS), "two": _by("[0-9]{1,2}", DIGITS), "free": {"周末": frozenset({5, 6})},
    "monthday": (rf"月?底?最后一?天|月?[底末初]|{NUMBER}", NUMERALS + "最月底末初",
        lambda text: -1 if text[-1] in "底末天" else 1 if text[-1] == "初" else number(text)),
    "cycle": dict.fromkeys(_HALF_HOURS, Every(unit="minute", n=30)) | {"一刻钟": Every(unit="minute", n=15)},
    "second": {"天天": Every(unit="day"), "每季度": Every(unit="month", n=3), "每半年": Every(unit="month", n=6)}
    | {f"隔{one}": Every(unit=unit, n=2, doubtful=unit == "day") for one, unit in _UNITS.items()},
    "double": {"双周": Every(unit="week", n=2)}, "closing": {"为止": 0, "止": 0}, "weekend": {"周末": _SATURDAYS},
    "working": {"双休日": _SATURDAYS} | dict.fromkeys(("工作日", "上班日", "平日"), _WORKDAYS), **_PHRASES,
}  # fmt: skip
# Longer words that say nothing of time, as patterns: a word above never matches where one of these begins.
OTHERS = _words("""时([候间代光]|半会) 听日([语剧本系报]|记(?!得|住))
    点(儿|一线|档(?!案|期)|建议|意见|要求|原因|理由|心得|体会|想法|看法|启示|不足|疑问) 今天气 明天气 后天气 大后天气
    天([常用复]|然(?!后)) 日([常用复文]|语(?!文)|记(?![得住着])|本(?!来)|优鲜|经济) 末[尾班] 周末([尾班]|画报|愉快)
    午夜([场后]|凶铃) 下午茶 整[理装顿改形队合治] 左右([手滑为]|两[边侧手脚]|看看) 圣诞节目 中秋节目 国庆节目 点积分
    明日(方舟|之后) 明天会更好 今日(头条|说法) 今晚报 后天(性(?!能)|环境(?![检测保评])|台) 天天(向上|果园) 一早一晚
    年三十[岁号天多几个万块元名年] 大年三十[岁号天多几个] 双十一点 双11点 教师节日 儿童节日 一([级鸣围]|次性|年级|季度)
    二(级|维码|胎|手[车房]|年级|季度|期[工验]) 三([级件丰]|明治|亚(?!洲)|文鱼|轮车|年级|季度|期[工验])
    四([级件]|六级|年级|季度) 五(级|餐厅|花肉|险一金|金店|年级) 六([级野]|福(?!利)|年级) 底薪 初中 钟楼 后卫(?!生)""")
# Words that end in what is a particle elsewhere, as patterns of the sign before it.
TAILED = _words(f"""[花借]呗 [嘻哈二]哈 [呼哗]啦 [咿哎]呀 [酒网水茶书贴氧清]吧 吉他 [买浇送鲜]花 [拖扫火车]把
    [{SURNAMES}]国庆""")
