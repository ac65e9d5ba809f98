"""To-dos and today, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "todo_me": "我|我自己|自己",
    "todo_for": "交给",
    # Also before a name that is mentioned: without that 给 may belong to what is to be done.
    "todo_for_words": "交给|分给|给|让|叫",
    "todo_does_words": "需要|应该|必须",
    "todo_edit_words": "改成|改为|换成|变成",
    "todo_due_words": "改到|改成|到|是",
    "todo_give_words": "交给|分给|给",
    "todo_last_day": (
        "{when}之前{text}|{when}以前{text}|{when}前{text}|{text} {when}之前|{text} {when}前|{text}，{when}前"
    ),
    "todo_title": "📝 待办：{count}",
    "todo_title_page": "📝 待办：{count} · 第{page}页，共{pages}页",
    "todo_empty": "📝 没有待办。可以这样添加：/todo 买牛奶，或 /todo 明天下午5点给奶奶打电话",
    "todo_groups": "来自你的群：",
    "todo_done_title": "☑ 已完成：",
    "todo_done_none": "还没有完成的。/todo 看有什么要做。",
    "todo_overdue": "⚠️ 已过期（{when}）",
    "todo_today": "今天",
    "todo_today_at": "今天 {clock}",
    "todo_group": "{item} · {group}",
    "todo_by": "{item}（{name}）",
    "todo_added": "☐ {item}",
    "todo_reminder": "⏰ {duration}后提醒（{zone}）。",
    "todo_raw": "我不认识 {name}，所以名字照写。/contacts 看我在这里认识谁。",
    "todo_past": "那个时间已经过去了，所以不提醒。",
    "todo_duplicate": "清单上已经有了：☐ {item}",
    "todo_completed": "☑ {item}",
    "todo_already_done": "已经完成了：☑ {item}",
    "todo_reopened": "☐ {item} 又要做了。",
    "todo_changed": "✏️ ☐ {item}",
    "todo_removed": "🗑 {item} 已从清单移除。",
    "todo_unchanged": "不用改：{item}",
    "todo_which": "是哪一个？",
    "todo_no_match": "没有找到像“{text}”这样的待办。/todo 看清单。",
    "todo_no_match_new": "没有找到像“{text}”这样的待办。/todo 看清单。还是说这是一件新的事？",
    "todo_ask_edit": "“{item}”改成什么？",
    "todo_ask_due": "“{item}”什么时候到期？例如：周五、明天下午5点",
    "todo_ask_assign": "“{item}”由谁做？请写名字，例如：小明、@bob、我",
    "todo_edit_how": "新的内容从哪里开始？请用冒号隔开：/todo edit 牛奶：燕麦奶",
    "todo_there": "{item} 在 {place}：请到那里去改。",
    "todo_unknown": "这里没有这个待办。/todo 看清单。",
    "todo_nobody": "我在这里不认识叫这个名字的人，或者有好几个。/contacts 看我认识谁。",
    "todo_reference": "括号里的编号不是我在这里认识的人。去掉它，或者用 /contacts 里的编号。",
    "todo_long": "太长了：一条待办最多1000个字。请缩短，或者分成几条。",
    "todo_full": "清单满了：已有1000条要做。请先完成或移除一些。",
    "todo_reminders_full": "你已有100个提醒，到上限了。请只给日期不给时间，或者取消一个：/tasks",
    "todo_no_time": "这个时间我看不懂。例如：明天、周五下午5点、2026-11-27",
    "todo_usage": (
        "/todo 显示清单。还可以：\n\n"
        "- /todo 买牛奶，/todo 明天下午5点给奶奶打电话，/todo add 修水管 @bob\n"
        "- /todo done 牛奶，/todo done\n"
        "- /todo edit 牛奶：燕麦奶，/todo due 牛奶 周五，/todo assign 牛奶 @bob\n"
        "- /todo reopen 牛奶，/todo remove 牛奶"
    ),
    "undo_todo_add": "新的待办“{text}”",
    "undo_todo_complete": "“{text}”又要做了",
    "undo_todo_reopen": "“{text}”又算完成了",
    "undo_todo_edit": "“{text}”的改动",
    "undo_todo_assign": "“{text}”由谁做",
    "undo_todo_remove": "“{text}”的移除",
    "undo_todo_restore": "“{text}”的恢复",
    "today_title": "📅 **{date}**",
    "today_nothing": "☀️ 今天没有安排，好好享受！",
    "tomorrow_nothing": "☀️ 明天没有安排。",
    "today_reminder": "⏰ {clock} {text}",
    "today_reminder_for": "⏰ {clock} {name}：{text}",
    "today_question": "❓ {text}",
    "today_running": "⏳ {text}",
    "today_more": "… 还有 {count} 项",
    "today_working": "我正在忙一件事",
    "menu_todo": "待办清单",
    "menu_today": "今天有什么",
}
