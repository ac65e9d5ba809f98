"""What is asked where two languages read a text differently, in Chinese: what each reading would do; and which
answers do what was asked with buttons."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "either_ask": "这句话有两种读法，你是指哪一种？",
    "either_of": "{name}：{about}",
    "either_remind": "提醒",
    "either_todo": "查看清单",
    "either_lists": "查看所有清单",
    "either_todo_add": "加到清单",
    "either_todo_done": "勾掉",
    "either_todo_remove": "从清单删除",
    "either_todo_clear": "清空清单",
    "either_done": "已完成",
    "either_date": "看日期",
    "either_time": "看时间",
    "either_today": "查看安排",
    "either_tasks": "查看提醒",
    "either_contacts": "查看联系人",
    "either_brief": "每日简报",
    "either_brief_off": "停掉每日简报",
    "either_quiet": "免打扰时间",
    "either_undo": "撤销上一步",
    "either_cancel": "取消",
    "either_cancel_due": "取消到点的",
    "either_cancel_all": "取消所有提醒",
    "either_cancel_which": "取消一个提醒",
    "either_move": "改时间",
    "either_mute": "屏蔽",
    "either_unmute": "取消屏蔽",
    "either_timezone": "时区",
    # Answers that do what was asked with buttons; and what is said where only the button does it.
    "confirm_words": ("是|是的|好|好的|好吧|行|可以|嗯|没问题|确定|确认|对"),
    "confirm_by_button": "还没有执行：请按按钮确认。",
}
