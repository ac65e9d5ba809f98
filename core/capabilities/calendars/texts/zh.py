"""日历，中文。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "calendar_usage": (
        "请写 /calendar add 加上日历的私密地址（以 .ics 结尾；"
        "Google、Outlook 和 iCloud 的日历设置里都有），或者发来 .ics "
        "文件并附上 /calendar add。/calendar 显示已有的日历，"
        "/calendar remove 和 /calendar rename 用来更改。"
    ),
    "calendar_list": "🗓 **日历**",
    "calendar_none": ("这里没有日历。/calendar add 加地址可以添加一个，也可以附上 .ics 文件。"),
    "calendar_added": ("🗓 已添加 **{name}**：未来一个月有 {count}，会显示在 /today 里。"),
    "calendar_address": "每 15 分钟读取一次",
    "calendar_file": "来自文件",
    "calendar_fails": "⚠️ 现在读不到",
    "calendar_remove": "🗑 {name}",
    "calendar_removed": "🗑 已移除 **{name}**。",
    "calendar_private": "日历地址是秘密：请在我们的私聊里发给我，并删除你在这里的消息。我这里没有留下它。",
    "calendar_no_key": (
        "管理员需要先设置密钥，才能加密保存这样的地址：配置里的 secret_key（`teller setup` 会生成）。"
        "不设也可以发 .ics 文件。"
    ),
    "calendar_bad_address": ("这不是日历地址。它以 https:// 或 webcal:// 开头，通常以 .ics 结尾。"),
    "calendar_bad_file": "这个文件我收不了。需要不超过 2 MB 的 .ics 文件。",
    "calendar_down": ("⚠️ 已经一天读不到日历 **{name}** 了。我会显示已知的内容，并继续尝试。/calendar"),
    "calendar_problem_damaged": "那里的内容不是日历。",
    "calendar_problem_gone": "服务器不给我：地址可能已失效。",
    "calendar_problem_forbidden_address": (
        "这个我不读：它不在公共网络上。管理员可以允许自己的网络（web.own_networks）。"
    ),
    "calendar_problem_unknown_host": "没有叫这个名字的服务器。",
    "calendar_problem_down": "现在读不到，没有添加；请稍后再试。",
    "calendar_problem_slow": "读取用时太久，没有添加。",
    "calendar_problem_huge": "太大了，读不了。",
    "calendar_problem_limit": "这个小时的网页阅读量用完了，下个小时再试。",
    "calendar_before": "🗓 从现在起，这里的日历中有具体时间的日程，我会提前{length}提醒。",
    "calendar_before_stop": "🔕 不再提醒",
    "calendar_before_off": "🗓 日程开始前我不再提醒了。",
    "calendar_before_usage": "请写 /calendar 提前 加分钟数（最多一天），或 /calendar 提前 关。",
    "calendar_soon": "🗓 {clock}，{length}后：{title}",
    "failed_calendar_none": "这里还没有日历。发送 /calendar add 加日历地址，或发送 .ics 文件并写 /calendar add。",
    "failed_calendar_unknown": "这里没有这个日历。/calendar 显示已有的。",
    "failed_calendar_known": "这个日历已经在这里了。",
    "failed_calendar_too_many": "日历不能超过 {most} 个。请先移除一个：/calendar。",
    "calendar_events": "{n} 个日程",
    "count_calendars": "{n} 个日历",
    "page_events": "今天",
    "today_event": "🗓 {clock} {text}",
    "today_event_whole": "🗓 {text}",
    "did_in_calendars": "我更改了日历",
}
