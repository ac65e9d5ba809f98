"""日历，中文。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "calendar_usage": (
        "请写 /calendar add 加上日历的私密地址（以 .ics 结尾；"
        "Google、Outlook 和 iCloud 的日历设置里都有；CalDAV 账户则写地址、用户名和密码），或者发来 .ics "
        "文件并附上 /calendar add。/calendar 显示已有的日历，"
        "/calendar remove 和 /calendar rename 用来更改。"
        "/calendar feed 则相反：给你一个地址，让手机日历读取我的提醒。"
    ),
    "calendar_list": "🗓 **日历**",
    "calendar_none": ("这里没有日历。/calendar add 加地址可以添加一个，也可以附上 .ics 文件。"),
    "calendar_added": ("🗓 已添加 **{name}**：未来一个月有 {count}，会显示在 /today 里。"),
    "calendar_address": "每 15 分钟读取一次",
    "calendar_file": "来自文件",
    "calendar_as_long_as": "只要 {who} 还在这里",
    "calendar_fails": "⚠️ 现在读不到",
    "calendar_left_out": "⚠️ 略去：{why}",
    "calendar_left_unclear": "{n} 个看不懂的日程",
    "calendar_left_busy": "{n} 个过于频繁的日程",
    "calendar_left_crowded": "{n} 个较晚的时间（太多）",
    "calendar_remove": "🗑 {name}",
    "calendar_removed": "🗑 已移除 **{name}**。",
    "calendar_private": "日历地址是秘密：请在我们的私聊里发给我，并删除你在这里的消息。我这里没有留下它。",
    "calendar_asked": (
        "日历地址是秘密，所以我在我们的私聊里问了你要在这里显示哪个日历。.ics 文件可以配上 /calendar add 直接发到这里。"
    ),
    "calendar_asked_said": (
        "日历地址是秘密：请删除你在这里的消息，我这里没有留下它。我在我们的私聊里问了你要在这里显示哪个日历。"
    ),
    "calendar_which": "🗓 要在 **{group}** 显示哪个日历？只要你也在那里，那里的所有人就都能看到其中的内容。",
    "calendar_which_none": (
        "🗓 要用于 **{group}**：请先在这里用 /calendar add 加上地址添加日历，然后在那里再发一次 /calendar add，"
        "我会问你要显示哪个。"
    ),
    "calendar_not_there": (
        "我无法在 **{group}** 显示它：你不在那里，或者我已不在那里，或者你在那里不想被打扰（/optout）。"
    ),
    "calendar_shown": "🗓 **{name}** 马上会在 **{group}** 显示。",
    "calendar_shown_here": "🗓 {who} 在这里显示日历 **{name}**：/today 里能看到其中的内容。/calendar",
    "undo_calendar_remove": "移除日历 {name}",
    "calendar_no_key": (
        "运行我的人需要先设置密钥，才能加密保存这样的地址：配置里的 secret_key（`teller setup` 会生成）。"
        "不设也可以发 .ics 文件。"
    ),
    "calendar_bad_address": ("这不是日历地址。它以 https:// 或 webcal:// 开头，通常以 .ics 结尾。"),
    "calendar_bad_file": "这个文件我收不了。需要不超过 2 MB 的 .ics 文件。",
    "calendar_down": ("⚠️ 已经一天读不到日历 **{name}** 了。我会显示已知的内容，并继续尝试。/calendar"),
    "calendar_account": "🗓 已添加 {names}。里面的日程一分钟内会显示在 /today 里。",
    "calendar_account_full": "🗓 已添加 {names}。里面的日程一分钟内会显示在 /today 里。一个聊天最多 {most} 个日历。",
    "calendar_problem_password": "服务器不接受这个用户名和密码，没有添加。",
    "calendar_problem_not_caldav": (
        "这不是日历服务器（CalDAV）。如果你是想给地址里的日历起一个两个词的名字："
        "请先不带名字添加，再用 /calendar rename。"
    ),
    "calendar_problem_no_calendars": "这个账户里没有带日程的日历。",
    "calendar_problem_elsewhere": "那个服务器把我转到另一个服务器，我不会把你的密码告诉它。",
    "calendar_problem_bad_request": "我只通过 https 发送密码：地址必须以 https:// 开头。",
    "calendar_feed_made": (
        "📲 手机日历订阅这个地址，就会显示这个聊天的提醒和有期限的待办：\n\n{url}\n\n"
        "我只在现在显示一次，不会保存。谁有它谁就能看到：/calendar feed off 可以停用。"
    ),
    "calendar_feed_made_here": "📲 给手机日历的地址在你和我的私聊里。",
    "calendar_feed_there": "📲 你的手机可以读取这个聊天的提醒和有期限的待办，地址创建于 {at}，{read}。",
    "calendar_feed_read": "上次读取约在 {at}",
    "calendar_feed_unread": "还没有读取过",
    "calendar_feed_new": "🔁 换新地址",
    "calendar_feed_off": "🗑 停用",
    "calendar_feed_gone": "🗑 地址已失效。手机已读取的内容会留在手机上，直到你自己删除。",
    "calendar_feed_none": "这里没有你的这种地址。/calendar feed 可以创建。",
    "calendar_feed_no_url": (
        "手机现在还访问不到我：运行我的人需要说明我的网络地址（配置里的 http.port 和 http.public_url）。"
    ),
    "calendar_feed_private_first": "这个地址只给你一个人：请先私下写给我，然后在这里再试一次。",
    "calendar_problem_damaged": "那里的内容不是日历。",
    "calendar_problem_gone": "服务器不给我：地址可能已失效。",
    "calendar_problem_forbidden_address": (
        "这个我不读：它不在公共网络上。运行我的人可以允许自己的网络（web.own_networks）。"
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
    "calendar_soon_more": "……还有 {n} 个：/today",
    "failed_calendar_none": "这里还没有日历。发送 /calendar add 加日历地址，或发送 .ics 文件并写 /calendar add。",
    "failed_calendar_unknown": "这里没有这个日历。/calendar 显示已有的。",
    "failed_calendar_many": "有几个日历都叫这个名字。请用 /calendar 在名称后面显示的编号。",
    "failed_calendar_known": "这个日历已经在这里了。",
    "failed_calendar_too_many": "日历不能超过 {most} 个。请先移除一个：/calendar。",
    "calendar_events": "{n} 个日程",
    "count_calendars": "{n} 个日历",
    "page_events": "今天",
    "today_event": "🗓 {clock} {text}",
    "today_event_whole": "🗓 {text}",
    "did_in_calendars": "更改了日历",
}
