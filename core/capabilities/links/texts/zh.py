"""One person on several platforms, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "link_code": (
        "🔗 如果你在别的平台也和我聊天，我可以把你们当成同一个人。请在 10 分钟内，在那边的私聊里把这个发给我：\n\n"
        "**{line}**\n\n在 Slack 上写 {on_slack}。然后我会在那边和这里问你。不要把代码给任何人，也不要写别人给你的代码。"
    ),
    "link_first": "两个平台之间要先由双方的主人允许：各自给我写 /link allow。",
    "link_list": "已经和你关联的：",
    "link_line": "- {platform} 上的{name}（{account}）",
    "link_usage": (
        "写 /link 得到一个代码，再到另一个平台把 /link 和代码发给我。/unlink 取消关联。"
        "我的主人可以写 /link allow 或 /link forbid。"
    ),
    "link_confirm": (
        "🔗 这是 {platform} 上的{name}（{account}）的代码。那是你吗？如果是，用那个账号的人就能看到和修改"
        "你私聊里的待办和提醒。如果代码是别人给你的，请按“不”。"
    ),
    "link_yes": "是，那是我",
    "link_drop": "不",
    "link_dropped": "🔗 我在另一个平台上的提问已经撤回。没有关联任何账号。",
    "link_asked": "🔗 好的。现在我在 {platform} 上问你：请在代码的十分钟之内按那边的按钮。",
    "link_ask": (
        "🔗 {platform} 上的{name}（{account}）写了你的代码，想和你成为同一个人。如果那不是你，请按“不”。"
        "否则你们互相能看到："
    ),
    "link_share_todos": "提醒和待办",
    "link_no": "不",
    "link_made": (
        "🔗 已与 {platform} 上的{name}（{account}）关联。在我们的私聊里，/todo、/today 和 /tasks 会显示两边的待办"
        "和提醒。提醒仍在设定它的地方出现。/unlink 取消关联。"
    ),
    "link_was_denied": "没有与 {platform} 上的{name}（{account}）关联。",
    "link_denied": "🔗 {platform} 上的{name}（{account}）拒绝了。你们没有关联。",
    "link_unknown": "我不认识这个代码。请在另一个平台写 /link 得到新的。",
    "link_used": "这个代码已经用过了。请在另一个平台写 /link 得到新的。",
    "link_old": "太晚了：代码只在十分钟内有效。写 /link 得到新的。",
    "link_own": "这是你自己的代码。请在另一个平台发给我。",
    "link_already": "这两个账号已经关联了。",
    "link_full": "关联已经到了上限：五个。/unlink 取消一个。",
    "link_too_many": "错得太多了。请过 {wait} 再试。",
    "link_no_button": "只能用我提问的按钮来回答。",
    "link_not_allowed": "这要先得到允许：{sides}写 /link allow。然后再发一次代码。",
    "link_side": "由我在 {platform} 上的主人",
    "link_sides": "{one}和{other}",
    "link_allowed": "🔗 这里的人可以和自己在其他平台上的账号关联，只要那边的主人也允许。",
    "link_forbidden": "🔗 这里的人不能再和其他平台关联了。已结束的关联：{count}。",
    "link_none": "没有这样的关联。/link 可以建立一个。",
    "link_which": "要结束哪个关联？",
    "link_end": "{platform} 上的{name}",
    "link_ended": "🔗 与 {platform} 上的{name}（{account}）的关联已经结束。现在互相都看不到对方的内容。",
    "tasks_linked": "🔗 {title}",
    "todo_linked": "来自你的其他平台：",
}
