"""Chinese: memories."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "menu_remember": "记住一件事",
    "menu_memory": "我记住了什么",
    "count_memories": "{n} 条记忆",
    "count_own_memories": "{n} 条你说过的记忆",
    "did_remember": "记下了一件事",
    "did_in_memory": "改动了记住的内容",
    # What was noted.
    "memory_noted": "📝 记住了：{text}",
    "memory_noted_by_model": "📝 记住了：{text}",
    "memory_known": "📝 这个我已经记着：{text}",
    "memory_instead": "代替：{text}（{day}）",
    "memory_alike": "我还记着：{text}（{day}）。如果已经不是这样，可以替换。",
    "memory_replace": "替换",
    "memory_replaced": "📝 从现在起以这条为准：{text}",
    "memory_already": "已经是这样了。",
    "memory_of_group": "这是为{group}记住的，那里的人都能看到。",
    "memory_confirm": "📝 要我记住这个吗？这不是你的原话，或者我刚读过别人写的内容。\n{text}",
    "memory_yes": "记住",
    "memory_usage": "告诉我要记住什么：`/remember 我的储物柜是 214 号`。也可以用 `/remember` 回复一条消息。",
    # Why it was not noted.
    "memory_full": "我在这里已经长期记住了 {most} 件事，没有地方了。请先用 `/memory` 删掉一些，再告诉我一次。"
    "这条没有记下。",
    "memory_unknown": "这里没有（或不再有）这条记忆。",
    "memory_left_alone": "这关系到一位不想在这里被打扰的人，所以没有记下。",
    "memory_long": "太长了，最多 {most} 个字符，所以没有记下。",
    # What there is.
    "memory_title": "📝 我在这里记住的，最新的在前：",
    "memory_title_about": "📝 关于“{words}”我记得：",
    "memory_none": "我在这里还没有记住什么。告诉我吧：`/remember 我的储物柜是 214 号`。",
    "memory_none_about": "关于“{words}”我什么都没记。",
    "memory_more": "更早的",
    "memory_newer": "更新的",
    "memory_button_edit": "修改",
    "memory_button_delete": "删除",
    "memory_button_why": "为什么？",
    "memory_button_back": "全部",
    "memory_ask_edit": "“{text}”要改成什么？",
    "memory_which": "要我忘掉哪一条？",
    "memory_deleted": "🗑 忘掉了：“{text}”",
    "memory_newer_stays": "它后来更正过，更正后的保留：“{text}”",
    "memory_again": "同样的内容已经又记着了，那一条保留。当时说过的话又能找到了。",
    "memory_why_title": "📝 这是从哪里来的，最新的在前：",
    "memory_by_person": "{name} 说的，{day}（{id}）",
    "memory_by_model": "模型根据 {name} 的话记下的，{day}（{id}）",
    "memory_by_others": "别人的话，为 {name} 记下，{day}（{id}）",
    "memory_by_import": "导入的，{day}（{id}）",
    "memory_somebody": "某人",
    # The setting.
    "memory_notes_on": "📝 从现在起，模型自己记下什么，我都会在这里显示。",
    "memory_notes_off": "📝 从现在起，模型在这里安静地记；用 `/memory` 可以看到全部。",
    "memory_notes_usage": "`/memory notes on` 会在这里显示模型自己记下的内容，`/memory notes off` 则不显示。",
    # What is taken back.
    "undo_memory_add": "记下的“{text}”",
    "undo_memory_remove": "忘掉“{text}”这件事",
    "undo_memory_replace": "“{text}”不再算数这件事",
    "undo_memory_notes": "是否显示记下的内容",
    # What is read, not said: {x} is what it is about, also what stands behind a "<".
    "memory_note_forms": "记住{x}|请记住{x}|帮我记住{x}|请帮我记住{x}|你要记住{x}|给我记住{x}|别忘了<我{x}"
    "|不要忘了<我{x}",
    "memory_find_forms": "关于{x}你知道什么|关于{x}，你知道什么|关于{x}你记得什么|关于{x}，你记得什么|你知道{x}的什么"
    "|你记得{x}的什么|你对{x}了解多少|你对{x}知道多少|你了解{x}多少|你记得关于{x}的什么|你都知道{x}什么|你知道{x}什么"
    "|我跟你说过{x}什么|我告诉过你{x}什么",
    "memory_forget_forms": "忘掉{x}|请忘掉{x}|请忘记{x}|请你忘记{x}|忘记{x}这件事|把{x}忘掉|把{x}忘了吧|不要再记着{x}",
    "memory_me": "我|我的事",
    "memory_us": "我们|咱们|一切|全部",
    "memory_first_person": "我",
    "memory_we_words": "我们|我們|咱们|咱",
    "memory_own_words": "我|我们|咱们",
    "memory_vague": "它|这|那|这个|那个|这件事|一切|全部|我|我们|他|她",
    "memory_no_fact": "这个|这件事|这点|这一点|它|了|吧|一下|我的话",
    "memory_no_words": "不|不是|不对|错了|更正|等等|说错了",
    "memory_otherwise_forms": "是{x}|应该是{x}|我是说{x}|我说的是{x}",
    "memory_it_forms": "它{x}|他{x}|她{x}|是{x}|应该是{x}",
    "memory_wrong": "错的|不对|不对的|的|这样|那样",
    "memory_ask_words": "记住|记下|记着|记一下|别忘|不要忘|备注|记得",
    "memory_negations": "不|没|别|无|未|非|莫|勿",
}
