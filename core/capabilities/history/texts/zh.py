"""What was said, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "history_brought": "{name}（{source} 中）",
    "history_in_part": "{source}，{part}",
    "part_page": "第 {n} 页",
    "part_sheet": "第 {n} 张表",
    "part_slide": "第 {n} 张幻灯片",
    "part_chapter": "第 {n} 章",
    "part_entry": "第 {n} 条",
    "history_found": "🔎 关于“{words}”说过的话：",
    "history_nothing": "没有找到这里说过的关于“{words}”的话。",
    "history_quote": "{name}，{when}：{text}",
    "summary_title": "🗞 {group}：自 {since} 以来{count}",
    "summary_messages": "有 {n} 条消息",
    "summary_silent": "🗞 {group}：自 {since} 以来没有人说话。",
    "summary_newest": "这里只包括其中最新的 {n} 条。",
    "summary_open": "❓ 还没回答的问题",
    "summary_answered": "💬 已回答的问题",
    "summary_decided": "✅ 已决定",
    "summary_decision": "{name}：{answer}（{question}）",
    "summary_noted": "📝 清单上新增",
    "summary_done": "☑ 已完成",
    "summary_times": "🗓 提到时间的话",
    "summary_only_talk": "没有问题，没有日期，清单上也没有新内容。",
    "summary_since_words": "从|自从|自|过去|最近|以来|开始|起",
    "summary_yesterday": "昨天",
    "summary_usage": (
        "/summary 告诉你自你上次发言以来说了什么，/summary 从星期一 或 /summary 3天 则从那时算起。"
        "在群里，管理员可以写 /summary 每周五17点，以及 /summary 关。"
    ),
    "summary_which": "哪个群？",
    "summary_no_group": "没有我在旁听而你也在其中的群。",
    "summary_not_read": "我没有旁听这个群，所以不知道。管理员可以用 /readalong on 打开。",
    "summary_sent": "🗞 正在私下发给你。",
    "summary_start": "我还不能私下给你写消息：请打开 {link} 并按“开始”，然后在那里写 /summary。",
    "summary_start_here": "我还不能私下给你写消息：请先在私聊里写给我，再写 /summary。",
    "summary_name": "聊天摘要",
    "summary_scheduled": "🗞 {rule}，我会在这里总结自上次以来说过的话，第一次是 {next}。",
    "summary_stopped": "我不再自动总结了。",
    "summary_ended": "🗞 我不再旁听这里的消息，定期总结因此结束。",
    "summary_not_scheduled": "这里没有自动总结。",
    "menu_summary": "你在群里错过了什么",
}
