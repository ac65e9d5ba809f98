"""Chinese: what people say to ask whom the bot knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    "contacts": (
        "(LOOK)? (我的|我们的)? (联系人|通讯录) (列表)? END_Q",
        "(我的|我们的)? (联系人|通讯录) (列表)? (ON)? 都? 有 (谁|哪些人?|什么人|几个人) END_Q",
        "你都? 认识 (谁|哪些人|什么人|几个人)",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
