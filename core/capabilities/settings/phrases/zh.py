"""Chinese: what people say to set quiet hours or a time zone, and to take something back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "QUIET": "勿扰|免打扰|静音|安静",
    "LEAVE_ALONE": "(不要|别|勿|不许|不准|请勿) (再)? (打扰|吵|烦|发消息|说话|通知|打搅) (给)? (我|我们)?",
    "FROM_TO": "(每天|每晚)? (从|在)? <begin:time> (到|至|_-|-|~) (第二天|次日|明天|隔天)? 的? <until:time>",
}
ROWS: Mapping[str, Sequence[str]] = {
    "quiet": (
        "FROM_TO (之间|期间)? 的? ,? (都|请)? LEAVE_ALONE TAIL",
        "FROM_TO (之间|期间)? 的? ,? (开启|保持|设为|设成)? (QUIET) (模式|<clocktime>|时段)? TAIL",
        "(设置|开启|设)? (QUIET) (模式|<clocktime>|时段)? [,:是为]? (设为|设成|改成|改为|设在)? FROM_TO TAIL",
        "(不要|别|勿) FROM_TO (打扰|吵|烦|发消息|通知) (我|我们)?|(关闭|取消|关掉) (QUIET) (模式|<clocktime>|时段)?",
    ),
    "undo": ("(撤销|撤消|撤回|回退) (一下|刚才的? (操作)?|上一步|这个|它)?",),
    "timezone": (
        "我的时区 (是什么|是哪个)? END_Q|(我|我们|咱们) (这儿|这里|这边)? (现在|目前|是|的|用|在|设){0,3} (哪个|什么)"
        " 时区 END_Q|(改|设置|更改) 我?的? 时区|(把|将)? 我?的? 时区 (给我|帮我)? (改[成为到]?|设[成为到]?|设置[成为]"
        "|换[成为到]|调[成为到]|是|:) <x:words> (<clocktime>)? TAIL|我 (现在|目前)? (人)? (住在|常住|搬到了?|搬去了?)"
        " <place:some> 了? (,? (帮我)? (把|将)? 时区? (改|调|换|设) 一?下 (时区)?)? TAIL",
        "我 (已经?|现在|目前|人){0,2} (住在|搬[到去]了?|到了?|在|来了?) <y:some> 了? ,? (帮我|请)? (把|将)? 我?的? 时区"
        " (改|调|换|设|设[置定]) [为成到] <x:words> (<clocktime>)? TAIL|我 (现在|目前|人){0,2} (在|到) 了? <place:some>"
        " 了? ,? (帮我|请)? ((改|调|换|设) 一?下 时区|(把|将)? 时区 (帮我|请)? (改|调|换|设) (一?下|改|过[来去])) TAIL",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
