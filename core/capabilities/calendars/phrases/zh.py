"""Chinese: what people say to be told before what stands in their calendars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "EVENTS": "(我的|我们的)? (每个|每次|每场|所有的?|全部的?) (我的|我们的)? (会议|日程|约会|活动|开会)|(我的|我们的)"
    " (会议|日程)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "calendar.before": (
        "(请|麻烦)? (在)? (EVENTS) (开始)? (之前|以前|前) (<by:time>)? (都|请)? (提醒|通知|告诉) (我|我们) (一下)?",
        "(请|麻烦)? (EVENTS) (开始)? 都? 提前 (<by:time>)? (都|请)? (提醒|通知|告诉) (我|我们) (一下)?",
    ),
    "calendar.before.off": (
        "(不要|别|不用) (再)? (在)? (EVENTS) (开始)? (之前|以前|前) (<by:time>)? (都)? (提醒|通知|告诉) (我|我们) 了?",
        "(EVENTS) (开始)? (之前|以前|前) (<by:time>)? (都)? (不要|别|不用) (再)? (提醒|通知|告诉) (我|我们) 了?",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
