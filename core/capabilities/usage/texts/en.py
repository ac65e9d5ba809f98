"""English: the use of the model."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "usage_title": "📊 Your use of the model",
    "usage_today": "Today: {used}",
    "usage_month": "This month: {used}",
    "usage_none": "nothing",
    "usage_line": "calls: {calls}, tokens: {tokens}",
    "usage_unknown": "price unknown of {count}",
    "usage_people": "By person, this month:",
    "usage_models": "By model, this month:",
    "usage_days": "By day:",
    "menu_usage": "How much the model was used",
}
