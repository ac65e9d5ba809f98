"""Chinese: the use of the model."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "usage_title": "📊 你对模型的使用",
    "usage_today": "今天：{used}",
    "usage_month": "本月：{used}",
    "usage_none": "没有",
    "usage_line": "调用 {calls} 次，{tokens} 个 token",
    "usage_unknown": "其中 {count} 次价格未知",
    "usage_people": "本月按人：",
    "usage_models": "本月按模型：",
    "usage_days": "按天：",
    "menu_usage": "模型用了多少",
}
