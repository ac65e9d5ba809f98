"""Hooks, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "hook_usage": (
        "发送 /hook new message 部署 会得到一个网址，其他程序可以向它发送消息给本聊天；/hook new task 加上要我做的事，"
        "我会处理它们发来的内容。/hook 显示现有的。"
    ),
    "hook_made_message": "🪝 程序发到这里的内容，我会以 **{name}** 的名义说在聊天里：\n\n{url}",
    "hook_made_task": "🪝 程序发到这里的内容，会启动任务 **{name}**：\n\n{url}",
    "hook_key": "内容必须签名，方式与 GitHub 相同（X-Hub-Signature-256），密钥（secret）是：\n\n{secret}",
    "hook_shown_once": (
        "我只显示这一次，不会保存。拿到它的人都能发到这里：除了那个程序，不要给任何人。/hook 可以查看、暂停和删除。"
    ),
    "hook_made_here": "🪝 本聊天的钩子 **{name}** 已建立。网址在你与我的私聊里。",
    "hook_list": "🪝 **本聊天的钩子**",
    "hook_none": "这里没有钩子。/hook new message 部署 可以建立一个。",
    "hook_is_message": "转述发来的内容",
    "hook_is_task": "启动任务：{prompt}",
    "hook_used": "{times}，最近 {at}",
    "hook_times": "已用 {n} 次",
    "hook_unused": "还没用过",
    "hook_signed": "只接受签名的内容",
    "hook_by": "属于{person}",
    "hook_paused_asked": "已暂停",
    "hook_paused_access": "已暂停，因为建立者不再有权限",
    "hook_paused_left": "已暂停，因为建立者已离开群组",
    "hook_pause": "⏸ {name}",
    "hook_resume": "▶️ {name}",
    "hook_remove": "🗑 {name}",
    "hook_paused": "⏸ **{name}** 已暂停：发来的内容会被拒绝。",
    "hook_resumed": "▶️ **{name}** 已恢复，使用你的权限。",
    "hook_removed": "🗑 **{name}** 已删除。它的网址不再有效。",
    "hook_no_access": "⏸ 钩子 **{name}** 已暂停：建立者不再有权限。用 /hook 可以恢复。",
    "hook_no_access_owner": "⏸ {person} 的一个钩子被使用了，但此人已没有权限。它现在已暂停。",
    "failed_hook_unknown": "这里没有这个钩子。/hook 显示现有的。",
    "failed_hook_several": "这里有 {n} 个钩子叫 {name}：{refs}。请写明要用的那个的编号，或用 /hook 按它的按钮。",
    "failed_hook_too_many": "钩子不能超过 {most} 个。请先删除一个：/hook。",
    "failed_hook_needs_member": "钩子需要由我的主人给了权限的人来建立。",
    "hook_no_url": "程序还无法访问我：运行我的人需要在配置里写明我的网址（http.port 和 http.public_url）。",
    "hook_no_key": "我无法加密保存密钥：运行我的人需要在配置里设置 secret_key。不加“签名”就可以用。",
    "hook_no_prompt": "对发来的内容我该做什么？例如：/hook new task 看看这个告警，告诉我们该怎么办",
    "hook_no_model": "没有模型，我无法处理任务。/hook new message 会转述发来的内容。",
    "hook_long": "太长了：最多 {most} 个字符。",
    "hook_private_first": "网址只给你一个人：请先私聊我，然后在这里再发一次。",
    "count_hooks": "{n} 个钩子",
}
