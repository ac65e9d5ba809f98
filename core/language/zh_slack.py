"""What the windows of Slack say, in Chinese. A title has room for 24 characters."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "slack_submit": "发送",
    "slack_close": "取消",
    "slack_answer_title": "你的回答",
    "slack_answer_label": "回答",
    "slack_reminder_title": "提醒我这条消息",
    "slack_reminder_when": "时间",
    "slack_reminder_what": "内容",
    "slack_todo_title": "新待办",
    "slack_todo_what": "要做什么",
    "slack_todo_due": "截止日期",
    "slack_empty": "请写点内容。",
    "slack_past": "这个时间已经过去了。",
}
