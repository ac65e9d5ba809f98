"""Chinese (simplified): what commands say, and their menu."""

from __future__ import annotations

TEXTS = {
    "undo": "撤销",
    "undone": "↩ 已撤销：{what}。",
    "undo_nothing": "没有什么可撤销的：我只记得你最近24小时在这里做的。",
    "undo_done": "这个已经撤销了。",
    "undo_outdated": "这个后来又改过了，所以我保持现在的样子。",
    "undo_late": "那是24小时以前的事，已经不能撤销。",
    "undo_language": "语言的选择",
    "undo_timezone": "时区的选择",
    "undo_readalong": "旁听的改动",
    "undo_new": "重新开始；我又知道我们谈过什么了",
    "undo_remove": "移除",
    "undo_restore": "恢复的权限",
    "undo_pair": "新的权限",
    "refused_owner": "只有我的主人可以这样做。",
    "refused_admin": "只有本群的管理员可以这样做。",
    "refused_anonymous": "我看不出你是谁。请在管理员权限里关闭“保持匿名”再试。",
    "refused_guest": "你已经没有权限。在群里只有 /privacy、/optout 和 /forget 对你有用。",
    "refused_member": "只有本群的管理员和我的主人放进来的人可以这样做。",
    "failed": "没有成功。",
    "failed_invalid": "没有成功：命令后面写的我看不懂。/help 看我会什么。",
    "failed_not_permitted": "你在这里已经不能这样做了。",
    "failed_too_many": "没有成功：这类事项已到上限。",
    "failed_disabled": "运行我的人关掉了这个功能。",
    "help_owner": (
        "因为你是我的主人：\n\n- /invite 给出一个人用的链接，对方就可以和我说话。\n"
        "- /people 看谁可以和我说话，也可以移除。"
    ),
    "history_usage": "请写 /history，或 /history 5 看最后五条。",
    "history_me": "Teller",
    "history_you": "你",
    "time_unknown": "我不认识地方 {place}。例如：/time 北京，/time Asia/Shanghai",
    "private_only": "别在这里，别人会看到：请在我们的私聊里写给我。",
    "groups_only": "这个只在群里有用。",
    "automatic": "自动",
    "language_now": "语言：{language}。选择另一种：",
    "language_set": "语言：{language}。",
    "language_unknown": "我不认识语言 {language}。我会：{known}。例如：/language zh",
    "timezone_now": "时区：{zone}。选一个，或者写，例如：/timezone 北京",
    "timezone_offers": "北京|香港|台北|新加坡",
    "timezone_set": "时区：{zone}。",
    "timezone_automatic": "时区恢复为我原来的设置。",
    "timezone_unknown": "我不认识地方 {place}。例如：/timezone 北京，/timezone Asia/Shanghai",
    "new_done": "✨ 重新开始。我们之前谈的先放下；我记住的都还在。",
    "id_person": "你：{id}",
    "id_chat": "本聊天：{id}",
    "id_thread": "本话题：{id}",
    "standing_owner": "主人",
    "standing_admin": "管理员",
    "standing_member": "成员",
    "standing_guest": "访客",
    "standing_stranger": "没有权限",
    "standing_removed": "已移除",
    "status_standing": "你在这里：{standing}。",
    "status_reads_along": "我在本群旁听。",
    "status_reads_not": "我不在本群旁听。",
    "status_reads_blind": "旁听已打开，但我只收到对我说的话。/readalong on 会说明怎么办。",
    "status_language": "语言：{language}。",
    "status_timezone": "时区：{zone}。",
    "readalong_usage": "请写 /readalong on 或 /readalong off。",
    "readalong_on": (
        "👀 从现在起我旁听：你们在这里彼此说的话我会看到，并保留 {days} 天，好知道你们在谈什么。"
        "不愿意的人写 /optout，/forget 删除自己说过的话。"
    ),
    "readalong_blind": (
        "我在这里没法旁听：我只收到提到我、回复我的消息和命令。请让我当本群管理员；或者请我的主人关掉隐私模式"
        "（@BotFather，/setprivacy，Disable），再把我移出本群并重新加进来。然后再写一次 /readalong on。"
    ),
    "readalong_off": "从现在起我不再旁听：只看对我说的话。之前旁听到的 {days} 天后删除，用 /forget 可立即删除。",
    "readalong_already_on": "我已经在这里旁听。",
    "readalong_already_off": "我没有在这里旁听。",
    "retry_usage": "请写 /retry 和消息编号，例如 /retry m12ab34。",
    "retry_again": "我再试一次。",
    "retry_at_work": "我已经在处理它。",
    "retry_answered": "这一条已经回答过了。",
    "retry_not_yours": "只有写它的人或我的主人可以这样做。",
    "retry_gone": "它的内容我已经没有了。请再写一次。",
    "retry_unknown": "本聊天里没有这条消息。",
    "invite_nobody": "在这个控制台上别人没法和我说话。请在聊天软件里邀请，例如 Telegram。",
    "invite_usage": "只写 /invite：会给出一个人用的链接。",
    "invite_link": "把这个链接发给一个人；24小时内第一个打开的人可以和我说话：\n\n{link}",
    "invite_word": "让一个人给我写这句话；24小时内第一个写的人可以和我说话：\n\n`/start {word}`",
    "people_title": "可以和我说话的人：",
    "people_line": "- {address} · {standing} · {name}",
    "people_unseen": "- {address} · 还没写过",
    "people_none": "这一页没有人。",
    "people_groups": "我所在的群：",
    "people_remove": "移除 {name}",
    "people_restore": "恢复 {name}",
    "people_usage": (
        "请写 /people、/people 2、/people remove 加编号（例如 p12ab34）或地址（例如 tg:1002），或 /people restore。"
    ),
    "more": "更多",
    "person_removed": "{name}（{address}）不再有权限。",
    "person_restored": "{name}（{address}）又有权限了。",
    "person_already": "{name}（{address}）：不用改。",
    "person_owner": "{name}（{address}）是主人。主人写在配置里，不能在这里移除。",
    "person_unknown": "我不认识这个人。/people 可以看到所有人。",
    "pair_usage": "请写 /pair 加代码，或 /pair deny 加代码。",
    "pair_allowed": "✅ {name}（{address}）现在可以和我说话了。",
    "pair_denied": "{name}（{address}）没有放进来。我不告诉对方。",
    "pair_used": "这个代码已经用过了。",
    "pair_old": "这个代码太旧了；对方可以再问。",
    "pair_unknown": "我不认识这个代码。",
    "pairing_welcome": "你现在可以和我说话了。/help 看我会什么。",
    "privacy_private": "**我看到的：**你在这里写给我的，和你发的文件。",
    "privacy_group": "**我看到的：**这里的全部消息都会发给我，但我不旁听：你们彼此说的话我既不留也不用。",
    "privacy_group_blind": "**我看到的：**提到我、回复我的消息和命令。你们彼此说的话不会发给我。",
    "privacy_reads_along_blind": (
        "**我看到的：**提到我、回复我的消息和命令。旁听已打开，但你们彼此说的话现在不会发给我；"
        "如果发给我，我保留 {days} 天。"
    ),
    "privacy_reads_along": ("**我看到的：**这里说的一切，因为管理员打开了旁听。不是对我说的话我保留 {days} 天。"),
    "privacy_kept": (
        "**我保留的：**本聊天的记录，直到要求忘记。收到的原件 {inbox} 天；发出的 {outbox} 天；"
        "回答的步骤 {journal} 天；文件 {files} 天。我做过什么的记录会留下，其中的内容可以删除。"
    ),
    "privacy_readers": "**谁能看到：**运行这个机器人的人。如果由模型回答，它的服务商看到回答所需的内容。",
    "privacy_ways": "/forget 删除我保留的关于你的一切。在群里 /optout 让我不理会你。",
    "privacy_ways_group": "/optout 让我在这里不理会你，/forget 删除你自己在本群说过的话。",
    "optout_on": "🙈 从现在起你在这里写的我不理会，也不保留。之前保留的用 /forget 删除。",
    "optout_off": "我又在这里听你说话了。",
    "optout_private": (
        "在这里我只听到你写给我的。不愿意就别写；/forget 删除我保留的关于你的一切。在群里 /optout 让我不理会你。"
    ),
    "optout_usage": "请写 /optout，或 /optout off 让我再听。",
    "listen_again": "再听我说",
    "forget_ask": (
        "要我忘记本聊天的一切吗？包括记录（{messages} 条消息）、{files} 个文件、{triggers} 项提醒和其他安排、"
        "{todos} 项未完成的待办、{people} 个联系人、问题、语言和时区。"
        "不能撤销。你的权限不变。"
    ),
    "forget_ask_group": (
        "要我忘记你在本群说过的话和我给你的回答吗？一共 {messages} 条消息、{files} 个文件、"
        "{triggers} 项你设的提醒、{todos} 项你记的待办，还有我记着的你这个联系人（{people}）。"
        "不能撤销。别人说的和我给别人的回答会留下。要这样做就写 /forget me"
    ),
    "forget_everything": "全部忘记",
    "forget_me": "忘记我的话",
    "keep": "保留",
    "forget_kept": "什么都没有忘记。",
    "forgotten": "🧹 已经忘记。我们重新开始。",
    "forgotten_group": (
        "🧹 已经忘记：你在这里说过的，和我给你的回答。别人谈到你的话、我给别人的回答会留下，聊天里的消息本身也在。"
    ),
    "page_todos": "待办",
    "page_no_todos": "没有待办。",
    "page_done": "☑ 完成",
    "page_reminders": "提醒",
    "page_no_reminders": "还没有安排。",
    "page_reminder": "⏰ {when}：{text}",
    "page_hour_later": "推迟1小时",
    "page_cancel": "取消",
    "page_settings": "设置",
    "hush_done": "🤫 需要我的时候提到我就行。",
    "hush_nothing": "没什么要安静的：在这里别人问我，我才回答。我一直接话的话题里，请在那里写。",
    "hush_words": "安静|安静点|安静一下|保持安静|别说了|别说话|别说话了|不要说了|不用回答了|别回答了|别回了|闭嘴|住口",
    "shared": "{answer}\n\n↪ {name} 分享",
    "share_usage": "它让大家看到只有你能看到的回答：用那种回答下面的按钮。",
    "menu_start": "打个招呼",
    "menu_help": "我会什么",
    "menu_stop": "停下我正在做的",
    "menu_new": "开始新的对话",
    "menu_status": "我的状态",
    "menu_undo": "撤销上一次改动",
    "menu_language": "选择语言",
    "menu_timezone": "选择时区",
    "menu_privacy": "我看到和保留什么",
    "menu_optout": "让我在这里不理会你",
    "menu_forget": "删除我保留的关于你的内容",
    "menu_time": "现在几点",
    "menu_history": "本聊天最近的消息",
    "menu_id": "你和本聊天的编号",
    "menu_readalong": "让我旁听，或者不",
}
