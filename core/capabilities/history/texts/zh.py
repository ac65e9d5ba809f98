"""What was said, in Chinese."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "history_brought": "{name}（{source} 中）",
    "history_found": "🔎 关于“{words}”说过的话：",
    "history_nothing": "没有找到这里说过的关于“{words}”的话。",
    "history_quote": "{name}，{when}：{text}",
}
