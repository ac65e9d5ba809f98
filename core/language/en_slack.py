"""What the windows of Slack say, in English. A title has room for 24 characters."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "slack_submit": "Send",
    "slack_close": "Cancel",
    "slack_answer_title": "Your answer",
    "slack_answer_label": "Answer",
    "slack_reminder_title": "Remind me about this",
    "slack_reminder_when": "When",
    "slack_reminder_what": "What",
    "slack_todo_title": "New to-do",
    "slack_todo_what": "What is to be done",
    "slack_todo_due": "Due",
    "slack_empty": "Please write something.",
    "slack_past": "That is in the past.",
}
