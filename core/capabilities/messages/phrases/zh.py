"""Chinese: what people say to hear no more from somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    "unmute": ("(取消屏蔽|解除屏蔽|取消静音) <x:some>",),
    "mute": ("(屏蔽|静音) (?!我|大家|群|全部|所有|通知|模式|广告|消息|提示音|NUM|下|[今明掉了键良得]) <x:some>",),
}
PHRASES = PhraseTable(rows=ROWS)
