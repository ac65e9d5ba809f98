"""Chinese for the contract of grammars: what is printed, what is left over, and what is hostile."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from core.kernel.timing.schedule import Rule

ZONE = ZoneInfo("Asia/Shanghai")
SAID = 1_795_226_400_000  # 2026-11-21T10:00 in Shanghai, a Saturday
VERB = "提醒我"

RULES = (
    (Rule(cron="0 8 * * *", zone="UTC"), "每天08:00"),
    (Rule(cron="0 8,20 * * *", zone="UTC"), "每天08:00、20:00"),
    (Rule(cron="0 8 * * *", zone="UTC", every=3, unit="day", anchor="2026-11-21"), "每3天08:00"),
    (Rule(cron="0 9 * * 1-5", zone="UTC"), "每个工作日09:00"),
    (Rule(cron="0 10 * * 0,6", zone="UTC"), "每周末10:00"),
    (Rule(cron="30 7 * * 1,4", zone="UTC"), "每周一、四07:30"),
    (Rule(cron="0 7 * * 1,2,3,4,5,6", zone="UTC"), "每天（周日除外）07:00"),
    (Rule(cron="30 9 * * 1-5", zone="Asia/Shanghai", without="CN"), "每个工作日09:30（节假日除外）"),
    (Rule(cron="0 10 * * 1", zone="UTC", every=2, unit="week", anchor="2026-11-23"), "隔周周一10:00"),
    (Rule(cron="0 9 * * 5L", zone="UTC"), "每月最后一个周五09:00"),
    (Rule(cron="0 9 * * 1#1", zone="UTC"), "每月第一个周一09:00"),
    (Rule(cron="0 9 1 * *", zone="UTC"), "每月1日09:00"),
    (Rule(cron="0 9 L * *", zone="UTC"), "每月最后一天09:00"),
    (Rule(cron="0 9 1,15 * *", zone="UTC"), "每月1日和15日09:00"),
    (Rule(cron="0 9 15,L * *", zone="UTC"), "每月15日和最后一天09:00"),
    (Rule(cron="0 9 31 * *", zone="UTC", unit="month"), "每月31日09:00"),
    (Rule(cron="0 9 3 5 *", zone="UTC"), "每年5月3日09:00"),
)
BY_CRON = "按 cron "
WITHOUT_WORDS = (
    "*/5 * * * *", "0 9 31 * *", "0 9 * 5 1", "0 9 1-7 * 1", "0 9 * * MON", "1-3 9 * * *", "0 9 1 * 1",
)  # fmt: skip
INSTANT = ("2026年11月21日（周六）10:00", "2026年11月20日（周五）21:00")
INTERVALS = {60: "每分钟", 90: "每90秒", 1_800: "每30分钟", 7_200: "每2小时"}

# Behind the verb, or as the line of the command: something of time, or another wish, is left over.
LEFT = (
    "明天下午三点和后天四点开会", "9点开会，10点吃饭", "20分钟后关火，30分钟后吃饭", "明天后天开会",
    "明天告诉小明周五开会", "9点飞机之前两小时出发", "明天提前10分钟出门", "明天9点会议前10分钟拿资料",
    "9点 call Oma tomorrow", "后天要交的作业", 
      "每天8点吃药三次", "每周一9点开会到12月", "每天9点，如果下雨带伞",
    "明天9点如果下雨带伞", "9点 Oma anrufen morgen", "明天9点开会，顺便查一下天气", "明天9点开会。今天天气怎么样？",
    "8点吃药，9点提醒我出门", "8点吃药，然后提醒我出门",
)  # fmt: skip
# Times that are plainly part of the text.
CONTENT = {
    "明天订周五下午三点的票": "订周五下午三点的票",
    "明天准备周五的会议": "准备周五的会议",
    "明天准备周五开会": "准备周五开会",
    "明天9点：周五开会": "周五开会",
    "9点开会 明天": "开会",
    "明天看“每天8点”": "看“每天8点”",
    "每天8点跑步30分钟": "跑步30分钟",
    "明天9点买牛奶、鸡蛋": "买牛奶、鸡蛋",
    "明天看三体第三部": "看三体第三部",
}

WORDS = (
    "每", "天", "周", "一", "三", "五", "十", "半", "点", "早上", "晚上", "明天", "下周五", "20", "分钟", "后",
    "提醒", "我", "小明", "大家", "和", "到", "，", "：", " ", "3/5", "11月27号", "直到完成", "把", "牛奶", "清单",
    "完成", "开会", "@bob", "9:30", "简报", "每月1号",
)  # fmt: skip
JOINT = ""
LEADS = ("", "提醒我", "提醒", "开会 ", "明天", "每天8点")
HOSTILE = (
    "一", "每", "每一", "1", " ", "提醒", "把", "把a", "周一和", "8点和", "早上8点和", "明天", "@a", "小明和",
    "十", "，", "半", "从清单", "完成 ", "3 ", "1年", "\n", "一个半", "请", "A.", "每周一三五", "（", "“", "周一的",
    "订周五", "我和", "，a", "后1天", "除了",
)  # fmt: skip
TOO_LONG = ("明天9点", "开会")
