"""Chinese: what is kept, being left alone, being forgotten."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "ledger_broken_owner": (
        "⚠️ **我的操作记录（ledger）不完整。**有人改动过它，或者其中一部分丢失了。发现 {n} 处：\n{problems}\n"
        "请先不要改动任何东西，在我所在的电脑上运行 `teller ledger verify` 查看全部。"
    ),
    "menu_retention": "这里说的话保留多久",
    "count_answers": "{n} 次回答的过程",
    "count_acts": "操作记录里 {n} 项的内容",
    "count_books": "{n} 个别的通讯录",
    "privacy_counts": "**本聊天里我现在保留着：**{what}。",
    "privacy_counts_own": "**关于你，我在本群现在保留着：**{what}。",
    "privacy_counts_none": "**关于你，我在这里现在什么都没有。**",
    "privacy_things": (
        "待办、提醒、联系人和记忆一直保留，直到有人删掉；删掉后再留 {undo} 天，以便撤销；完成的待办保留 {todos} 天。"
    ),
    "privacy_elsewhere": (
        "**别人保留的：**你在{what}里，那是你说过话的群，或记下了你的人。别人写的关于你的话归他们，我只给他们自己看。"
    ),
    "privacy_shorter": "本聊天保留得比我平常短（/retention）：{what}。",
    "privacy_backups": (
        "**备份：**运行这个机器人的人可能做过备份。里面有当时的一切，包括后来忘记的，"
        "直到那个人把备份删掉；不会自动删除。"
    ),
    "optout_nothing_noted": "不管谁要求，我在这里都不再记录关于你的任何内容。",
    "optout_erased": "这里记着的关于你的内容已删除：{what}。",
    "forgotten_backups": "到现在为止做过的备份里还有这些内容，直到运行这个机器人的人删掉备份；备份不会自动删除。",
    "forgotten_at_work": "其中有些内容别的话题里还在处理。等那边回答了，请再写一次 {command}。",
    "retention_now": "本聊天我保留：\n{lines}\n\n{usage}",
    "retention_line_messages": (
        "- 消息 {days}：这里说过的和我的回答，连同查找它们的索引、收发的原件、回答的过程、操作记录的内容和文件"
    ),
    "retention_line_files": "- 文件 {days}",
    "retention_forever": "直到要求忘记",
    "retention_days": "{n} 天",
    "retention_usage": (
        "写 {messages} 或 {files} 可以少留一些，写 {off} 恢复平常的期限。"
        "待办、提醒、联系人和记忆不在其中：它们一直保留，直到有人删掉。"
    ),
    "retention_wider": "这比我平常保留得还久：最多 {limit}。没有改动。",
    "retention_ask": "本聊天的{kind}只保留 {days} 吗？更早的现在就删除：{what}。不能撤销。",
    "retention_do": "删除更早的",
    "retention_set": "🧹 从现在起，本聊天的{kind}保留 {days}。更早的已经删除。",
    "retention_off": "从现在起，这里说的话按平常的期限保留。",
    "retention_off_already": "本聊天没有别的要求：这里说的话按平常的期限保留。",
    "retention_kind_messages": "消息",
    "retention_kind_files": "文件",
    "retention_words_messages": "消息|记录|聊天|全部",
    "retention_words_files": "文件|附件",
    "retention_words_1": "天|日",
    "retention_words_7": "周|星期|个星期",
    "retention_words_30": "月|个月",
    "retention_words_365": "年",
}
