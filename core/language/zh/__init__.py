"""Chinese (simplified)."""

from __future__ import annotations

from datetime import datetime

from core.kernel.types import Millis
from core.language import Language, patterns, units
from core.language.grammar import lazily
from core.language.zh.places import PLACES
from core.language.zh.texts import TEXTS as COMMANDS

DAYS = "一二三四五六日"
UNITS = {"day": "天", "hour": "小时", "minute": "分钟", "second": "秒"}


def duration(length: Millis) -> str:
    """Such as "2小时5分钟"."""
    return "".join(f"{n}{UNITS[unit]}" for n, unit in units(length))


def clock(at: datetime) -> str:
    """Such as "17:00"."""
    return f"{at:%H:%M}"


def date(at: datetime) -> str:
    """Such as "2026年11月27日 星期五"."""
    return f"{at.year}年{at.month}月{at.day}日 星期{DAYS[at.weekday()]}"


def moment(at: datetime) -> str:
    """Such as "11月27日 周五 17:00"."""
    return f"{at.month}月{at.day}日 周{DAYS[at.weekday()]} {at:%H:%M}"


TEXTS = {
    "greeting": "你好！我是 Teller。直接问我就行，或者说“帮助”看看我会什么。",
    "greeting_named": "{name}，你好！我是 Teller。直接问我就行，或者说“帮助”看看我会什么。",
    "help": (
        "我是 Teller，住在你聊天里的助手。\n\n"
        "- 我会提醒你：“明天9点提醒我给奶奶打电话”、“提醒大家每个工作日9点半站会”。"
        "回复提醒“2小时后”或“好了”就行。/tasks 看已安排的。\n"
        "- 我替你记清单：“把牛奶加到清单”、“我的清单”，或者 /todo 和 /lists。/today 看今天的安排，"
        "/brief 7:30 每天早上告诉你。\n"
        "- 直接发消息：我按顺序一条一条回答，一条也不会丢。\n"
        "- 提醒、清单和 /today 不用模型；报时间和日期（“东京现在几点？”）、“复述 你好”、“你好吗？”也不用。\n"
        "- /remind 也看得懂许多别的语言里的时间：“/remind morgen um 17:00 Oma anrufen”。\n"
        "- /help 显示这些，/status 看我的状态，/new 重新开始，/undo 撤销，/stop 让我停下。\n"
        "- /language 和 /timezone 设置语言和时区；/privacy 和 /forget 关于我保留什么。"
    ),
    "thanks": "不客气！",
    "nod": "👌",
    "bye": "再见！需要时我都在。",
    "time_is": "现在是 {clock}（{zone}）。",
    "no_such_day": "没有这一天。",
    "date_is": "今天是 {date}（{zone}）。",
    "date_in": "{date}，还有 {days} 天",
    "date_ago": "{date}，{days} 天前",
    "week_is": "今天是 {date}，第 {week} 周（{zone}）。",
    "week_of": "{date} 在第 {week} 周。",
    "echo": "{text}",
    "tool_failed": "没能做到：{error}",
    "history_title": "你最近说的：",
    "history_line": "- {text}",
    "history_none": "这里还没有你说过的话。",
    "no_model": (
        "这个我答不了：还没有配置模型。不用模型也能用的：提醒（“明天9点提醒我给奶奶打电话”）、"
        "清单（“把牛奶加到清单”）、/today、时间和日期。/help 看更多。"
    ),
    "model_unreachable": (
        "这个我现在答不了：连不上模型。不用模型也能用的：提醒（“明天9点提醒我给奶奶打电话”）、"
        "清单（“把牛奶加到清单”）、/today、时间和日期。/help 看更多。"
    ),
    "no_model_short": "没有模型，这个我答不了。",
    "model_unreachable_short": "这个我现在答不了：连不上模型。",
    "model_refused_short": "这个我答不了：模型服务商仍然拒绝请求。",
    "budget_spent_short": "明天之前我答不了这个：今天的模型额度已经用完。",
    "share_spent_short": "明天之前我答不了这个：你今天的那份额度已经用完。",
    "offer_remind": "提醒我",
    "offer_add": "加到清单",
    "remind_foreign": "要我提醒，请先写 /remind，再写时间和内容：/remind {text}",
    "one_wish": "请一件一件来：每件事单独发一条消息。",
    "ask_rest_again": "一次只能回答这么多，剩下的请再问一遍。",
    "wish_too_long": "太长了，没有模型时我读不了：一个请求最多2000个字符。",
    "remind_watching": (
        "这个我没法自己留意：没有模型时我只认时间，不知道会发生什么。请告诉我什么时候：/remind 明天9点看天气"
    ),
    "model_unreachable_kept": "现在连不上模型。你的问题我留着，恢复后就回答。",
    "drop_kept": "不用了",
    "model_refused": (
        "我答不了：模型服务商拒绝了请求，需要运行我的人来看一下。不用模型也能用的：提醒、清单、/today、时间和日期。"
        "/help 看更多。"
    ),
    "model_trouble_owner": "⚠️ 模型用不了。{reason}\n\n解决之前，不需要模型的事我照做。模型恢复后，这条消息会更新。",
    "model_trouble_over": "✅ 模型又能回答了，中断了 {duration}。当时：{reason}",
    "model_refused_owner": "⚠️ 模型拒绝了一个请求。{reason}",
    "budget_spent": (
        "今天的模型额度已经用完，明天之前我答不了这个。不用模型也能用的：提醒、清单、/today、时间和日期。/help 看更多。"
    ),
    "share_spent": (
        "你今天的那份额度已经用完，明天之前我答不了这个。不用模型也能用的：提醒、清单、/today、时间和日期。"
        "/help 看更多。"
    ),
    "model_said_nothing": "模型对此没有给出回答。请换个说法试试。",
    "model_said_nothing_after": "模型对此没有给出回答。不过我已{done}。",
    "files_kept": "收到了你的{files}。没有模型，我看不了内容；已经替你保存。",
    "files_not_kept": "你的{files}没能保存：{reason}。",
    "file_too_big": "太大了",
    "file_unfetched": "取不到内容",
    "file_no_room": "我的磁盘没有空间了",
    "file_over_quota": "这里的文件空间已经用完",
    "file_gone": "已被删除",
    "kind_photo": "照片",
    "kind_document": "文件",
    "kind_voice": "语音",
    "kind_audio": "音频",
    "kind_video": "视频",
    "kind_animation": "动图",
    "kind_video_note": "视频消息",
    "withheld": "模型服务商没有放行这个回答（内容过滤）。",
    "late": "晚了{duration}。",
    "late_offline": "晚了{duration}——我之前不在线。",
    "late_model": "晚了{duration}——之前连不上模型。",
    "gave_up": "⚠️ 这一条我没能完成（编号 {ref}）。它还留着。",
    "gave_up_owner": "⚠️ 有一条消息我放弃了（编号 {ref}）：{reason}",
    "question_broken_owner": "⚠️ 有一个提问（{ref}）无法结束，已撤回；原因见日志。",
    "file_refused": "⚠️ 文件 {name} 没能发给你：这里拒绝了它。运行我的人可以看到原因。",
    "send_in_doubt_owner": (
        "⚠️ 发往 {chat} 的一条消息可能没有送到（编号 {ref}）：发送时连接断了。我先留着，不会自己重发。"
    ),
    "try_again": "再试一次",
    "answer_button": "✍️ 回答……",
    "skip": "跳过",
    "question_by_reply": "要用自己的话回答，请回复这条消息。",
    "question_default": "⏱ {duration}后默认：{default}",
    "question_expired": "⏱ 没有及时回答，取默认：{default}",
    "question_timeout": "⏱ 没有及时回答。",
    "question_skipped": "⏭ 已跳过。",
    "question_stopped": "⏹ 任务已停止。",
    "question_answered": "你选了“{answer}”。",
    "question_defaulted": "没有收到回答，我就按“{answer}”来。",
    "question_unanswered": "没有及时收到回答。",
    "demo_question": "茶还是咖啡？",
    "demo_first": "茶",
    "demo_second": "咖啡",
    "already_answered": "已经回答过了。",
    "answer_too_late": "这个问题已经过期。",
    "answer_unasked": "这个问题不再问了。",
    "not_your_question": "这个问题是问别人的。",
    "edit_changes_nothing": "这次编辑没有改变什么，请重新说一遍。",
    "share": "分享到这里",
    "installed": (
        "我已安装在这里，你是我的主人。写 **/help** 看看我能做什么。**/people** 显示还有谁可以用我，"
        "**/invite** 可以一个一个地邀请。"
    ),
    "not_set_up": "你还不能用我。请找 {lead}。",
    "not_set_up_alone": "你还不能用我。请找负责我的人。",
    "not_your_button": "这个按钮是给别人的。",
    "already_pressed": "已经办过了。",
    "unknown_button": "这个按钮已经失效。",
    "cancelled": "⏭ 已跳过。",
    "nothing_to_cancel": "没有待回答的问题。",
    "stopped": "⏹ 已停止，还什么都没做。",
    "stopped_after": "⏹ 已停止。在此之前已{done}。",
    "did_contacts_send": "替你发出一条消息",
    "did_schedule": "设好一个提醒",
    "did_schedule_once": "设好一个提醒",
    "did_schedule_cron": "设好一个提醒",
    "did_set_reminder": "设好一个提醒",
    "did_cancel_schedule": "取消一个提醒",
    "did_in_chat": "改了这个聊天里的东西",
    "did_in_contacts": "改了联系人",
    "did_in_custom": "用了一个自己的工具",
    "did_in_governance": "记下一个决定",
    "did_in_links": "改了关联",
    "did_in_people": "改了谁能使用",
    "did_forget": "改了保存的内容",
    "did_in_schedule": "改了一个提醒",
    "did_in_settings": "改了一项设置",
    "did_in_tasks": "取消一个提醒",
    "did_in_todo": "改了待办清单",
    "done_after_others": "读过别人写的内容之后，我已{done}。\n↩ {undo}",
    "stopped_unfinished": "⚠️ 无法中断、可能仍在运行：{tools}。",
    "stopped_waiting": "⏹ 已停止，有 {count} 条不再回答。",
    "nothing_to_stop": "没有什么可停的。",
    "ignored_press": "你让我在这里不理你。发 /optout off 可以改回来。",
    "invite_refused": "{name} 打开了你的邀请，但之前被移除过。/people 里有按钮可以让对方回来。",
    "invite_used": "{name} 打开了你的邀请，现在可以和我说话了。/people 可以看到所有人。",
    "pairing_code": (
        "我还不认识你。你的代码是 **{code}**。我已经问了我的主人；把代码告诉他，好让他知道是你。一天内有效。"
    ),
    "pairing_owner": "{name}（{address}）想和我说话。代码：**{code}**。",
    "allow": "允许",
    "deny": "拒绝",
    "group_intro": (
        "大家好！提到我、回复我或用命令时，我会在这里回答；如果我能收到全部消息，以我的名字开头也可以。"
        "对我说的和我的回答我会保留；你们彼此说的话我既不留也不用。"
        "\n\n/privacy 有更多说明，/optout 让我不理会你，/help 看我会什么。"
    ),
    "stray_group_owner": "{name}（{address}）把我加进了群“{title}”。对方没有权限，所以我退出了。",
    "organisation_gone_owner": (
        "⚠️ 不再支持 Slack 的整个组织安装，而现在有一个：{name}。"
        "它的各个工作区在通过安装页面（slack/install）分别安装应用之前得不到回答。我知道的一切都还保留着。"
    ),
    "preset_owner": (
        "有模型时，我现在是一个助手：我自己设置、改动和取消提醒，管理清单，记联系人，发消息，并带按钮显示做了什么。"
        "配置里的 `roles.preset: {preset}` 就是这个意思；`strict` 只给模型权限表里的工具。"
    ),
    "platform_down_owner": "⚠️ {platform} 停用了：它的令牌被拒绝。其余照常运行。\n{why}\n改正后请重新启动我。",
    "left_own_ended": "👋 你已不在 {title} 里，你在那里给自己设的都结束了。仍想被提醒，请在这里重新设：\n{items}",
    "left_own_ended_meanwhile": (
        "👋 我联系不到你的期间，你算已离开 {title}，你在那里给自己设的都结束了。仍想被提醒，请重新设：\n{items}"
    ),
    "left_put_off": "一个还要再来的提醒",
    "left_with_open": "👋 {name} 离开了 {title}。你在那里交给对方的事还没完成，那里也不会再提醒对方：\n{items}",
    "repeated_mark": "↻ 可能重复了——发送时连接断了。",
    "health_here": "我在，正常回答。",
    "health_ok": "一切正常。",
    "health_bad": "有些地方不对：",
    "health_line": "- {name}：{value}",
    "yes": "是",
    "no": "否",
    "limit_reached": "我先停在这里：步骤太多了。请分成小一点的问题。",
    "unknown_command": "我不认识 {command}。/help 可以看到能用的。",
    "unknown_command_like": "我不认识 {command}。你是指 {meant} 吗？",
    "unknown_command_again": "我不认识 {command}。请用 {meant} 重新写一遍：后面的内容我没有保存。",
    "status_uptime": "已运行{duration}。",
    "status_waiting": "等待中的消息：{count} 条。",
    "status_nothing_waiting": "没有等待中的消息。",
    "status_model": "模型：{model}。",
    "status_model_down": "模型：{model}——连不上。",
    "status_model_key": "模型：{model}——服务商拒绝了密钥或模型名。",
    "status_model_quota": "模型：{model}——账户余额用完了。",
    "status_model_none": "模型：未配置。",
}

INTENTS = {
    "echo": patterns(
        r"(?:复述|重复)(?:一下|一遍)?(?::\s*|\s+)(?P<text>.+)",
        # Without a mark between them only where no request can be meant ("复述我刚才说的").
        r"复述(?!一|我|你(?!好)|他|她|它|刚|上|这|那|前|以|下)(?P<text>.+)",
        r"跟我说[:\s]\s*(?P<text>.+)",
        r"说[:\s]*[\"“](?P<text>[^\"”]+)[\"”]",
    ),
    "greeting": patterns(
        r"(?:你好|您好|嗨|哈喽|哈啰|早安|早|(?:早上|上午|中午|下午|晚上)好|大家好)(?:呀|啊|哦|哇|[, ]*teller)*"
    ),
    "thanks": patterns(r"(?:好的?[, ]*)?(?:非常|十分|太|多)?(?:谢谢|感谢|多谢|谢)(?:你|您|啦|了|哈|呀|谢|teller)*"),
    "nod": patterns(
        r"(?:好[的吧啊呀哦]?|行|可以|嗯+|没问题|知道了|收到了?|明白了?|算了|不用了?|不要了|没事了?|没什么)"
    ),
    "bye": patterns(r"(?:再见|拜拜|回头见|晚安|(?:明天|下次|回)见|88)(?:啦|了|哦)*"),
    "help": patterns(
        r"帮助|帮帮?我|(?:你|您)(?:能|会|可以)(?:为我|帮我)?(?:做|干)(?:些|点)?(?:什么|啥)|你会什么|你有(?:什么|哪些)功能"
        r"|(?:你|您)是(?:谁|什么)|你叫什么(?:名字)?|(?:怎么|如何)(?:使)?用|功能|命令"
    ),
    "time": patterns(
        r"(?:请问|告诉我)?(?:现在|当前|此刻)?(?:是)?(?:几点|什么时间)(?:了|钟|啦|呢)*|(?:现在|当前)的?时间|时间|报时",
        r"(?:请问|告诉我)?(?:现在|当前)?(?P<place>\S{2,8}?)(?:的|那边)?(?:现在|当前)?(?:是)?(?:几点|什么时间)(?:了|钟|啦|呢)*",
        r"(?P<place>\S{2,8}?)(?:的|现在的?|当前的?)?时间",
    ),
    "date": patterns(
        r"(?:请问)?(?:今天|现在)?(?:是)?(?:几月)?(?:几号|几日|多少号|什么日期|星期几|周几|礼拜几)(?:了|啦|呢)*|(?:今天的?)?日期"
    ),
    "health": patterns(
        r"(?:你|您)(?:还)?(?:好吗|好么|在吗|在么|没事吧|正常吗|怎么样)|在吗|在么|在不在|(?:你的|运行)?状态"
        r"|健康(?:检查|状态)?|一切(?:都)?(?:正常|好)吗"
    ),
    "question": patterns(r"(?:请)?(?:问我|考我)(?:点什么|一个问题|个问题|什么)?"),
    "history": patterns(
        r"我(?:刚才|刚刚|之前|上次)?(?:都)?说(?:了|过)?(?:什么|啥|些什么)|我的?上一条消息(?:是什么)?|(?:看看|显示)?(?:聊天|历史)记录"
    ),
}

# What happens without anybody setting a time for it, and what there is news of.
_NEWS = "(?:天气|气温|新闻|热点|股价|股市|行情|油价|金价|房价|汇率|价格|路况|新邮件|新消息)(?:预报|情况|变化)?"
_HAPPENS = (
    "(?:[下停](?:了)?[雨雪]|刮风|降温|升温|变天|[降涨跌](?:了|价|到|破|回|停)|到货|有货|补货|开售|"
    "(?:股价|油价|金价|房价|汇率|价格|天气).{0,8}[好坏高低变涨跌降]|有新|更新了?)"
)

_NUMBER = "[0-9零一二两三四五六七八九十]{1,4}"
# What stands in a time, also in one that nobody can read: "明天大概9点".
_TIME_PART = (
    rf"(?:[今明后]天|大后天|今晚|明[早晚]|(?:[这下上本]个?)?(?:周|星期|礼拜)[一二三四五六日天末]|每[天日周月年]|凌晨|早上|上午|中午|下午"
    rf"|晚上|傍晚|{_NUMBER}(?:点钟?(?:半|一刻|{_NUMBER}分?)?|:[0-9]{{2}}|号|日|月|个?小时后?|分钟后?|天后?|周后?))"
)

LANGUAGE = Language(
    code="zh",
    name="中文",
    texts={**TEXTS, **COMMANDS},
    intents=INTENTS,
    lead=patterns(r"(?:(?:你好|您好|嗨|请问|请|麻烦|告诉我|那|那么|好的?)[\s,:]*)+")[0],
    places=PLACES,
    choices=("1分钟后提醒我活动一下", "我的清单", "现在几点？"),
    duration=duration,
    clock=clock,
    date=date,
    moment=moment,
    grammar=lazily("core.language.zh.grammar"),
    reminding=patterns(
        r"提醒(?!事项|功能|这个功能|是|什么|用[^，,]{1,3}[语文])(?:一下)?(?:我(?!们|[爸妈爷奶哥姐弟妹老])(?:一下)?)?[,:，：\s]*"
        r"|(?:[帮给]我)?(?:设|定|订|建|加|新建|设置|添加|我?需要|我想要)(?:一?个)?(?:提醒|闹钟)(?![的吗])[,:，：\s]*"
    )[0],
    watching=patterns(
        rf"(?=[^,，。;；]{{0,40}}{_HAPPENS})[^。；;]{{0,60}}(?:提醒|通知|告诉|叫)(?:一下)?我"
        rf"|[^,，。;；]{{0,20}}(?:提醒|通知)(?:一下)?我(?:一下)?[^,，。!！看听写读查问谈讨买卖更]{{0,12}}{_NEWS}\W*$"
    )[0],
    mistimed=patterns(
        rf"(?:{_TIME_PART}|大概|大约|约|差不多|左右|前后|[和跟与及、或到至~-]者?(?={_TIME_PART})|[在于,，\s]){{1,12}}(?<![在于])[,，\s]*"
    )[0],
    script=patterns(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0002fa1f]")[0],
    foreign=patterns(r"[\u3041-\u30ff\uac00-\ud7af]")[0],
)
