"""What the windows of Slack say, in Chinese. A title has room for 24 characters."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "slack_submit": "发送",
    "slack_submit_reminder": "提醒我",
    "slack_submit_todo": "添加",
    "slack_somebody": "某人",
    "slack_close": "取消",
    "slack_answer_title": "你的回答",
    "slack_answer_label": "回答",
    "slack_reminder_title": "提醒我这条消息",
    "slack_reminder_when": "时间",
    "slack_reminder_what": "内容",
    "slack_todo_title": "新待办",
    "slack_todo_what": "要做什么",
    "slack_todo_due": "截止日期",
    "slack_choose": "请选择…",
    "slack_empty": "请写点内容。",
    "slack_past": "这个时间已经过去了。",
    "slack_together": "{names}、{name}",
    "slack_together_last": "{names}和{name}",
    "slack_thinking": "正在思考…",
    "own_list": "这是你自己的清单：我不在这个频道里。",
}

# What is worded otherwise there. A doubled slash is a command of another platform, or of Slack itself.
TEXTS |= {
    "slack:not_here": "我不在这个频道里。请先邀请我：`//invite @Teller`，再问一次。",
    "slack:own_list": "这是你自己的清单：我不在这个频道里。邀请我：`//invite @Teller`",
    "slack:group_intro": (
        "大家好！提到我或用命令时，我会在这里回答；在讨论串里，我会继续回答我上次回答的人，"
        "直到对方提到别人或写“安静”。对我说的和我的回答我会保留；你们彼此说的话我既不留也不用。"
        "\n\n/privacy 有更多说明，/optout 让我不理会你，/help 看我会什么。"
    ),
    "slack:readalong_blind": (
        "我在这里没法旁听：我只收到提到我的消息和命令。请创建我的应用的人按清单（manifest）的“channels”配置补上权限和事件，"
        "再重新安装。然后再写一次 /readalong on。"
    ),
    "slack:why_gone": "我不在那个频道里，或者那里不能再发消息。要邀请我，请在那里写 `//invite @Teller`",
    "slack:why_blocked": "联系不上对方，或者我不在那个频道里。要邀请我，请在那里写 `//invite @Teller`",
    "slack:link_usage": (
        "写 /link 得到一个代码，再到另一个平台把 //link 和代码发给我。/unlink 取消关联。"
        "我的主人可以写 /link allow 或 /link forbid。"
    ),
    "slack:link_first": ("两个平台之间要先由双方的主人允许：各自给我写 //link allow（在 Slack 上写 /link allow）。"),
    "slack:link_unknown": "我不认识这个代码。请在另一个平台写 //link 得到新的。",
    "slack:link_used": "这个代码已经用过了。请在另一个平台写 //link 得到新的。",
    "slack:link_not_allowed": (
        "这要先得到允许：{sides}写 //link allow（在 Slack 上写 /link allow）。然后再发一次代码。"
    ),
}
