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
    "usage_near_person_tokens": (
        "📊 Over 80 % of your {most} tokens of today are used. After that I do what needs no model."
    ),
    "usage_near_person_money": ("📊 Over 80 % of your {most} of today are used. After that I do what needs no model."),
    "usage_near_chat_tokens": (
        "📊 Over 80 % of this chat's {most} tokens of today are used. After that I do what needs no model."
    ),
    "usage_near_chat_money": (
        "📊 Over 80 % of this chat's {most} of today are used. After that I do what needs no model."
    ),
    "usage_near_day_tokens": "📊 Over 80 % of the day's {most} tokens for everybody are used. /usage shows by whom.",
    "usage_near_day_money": "📊 Over 80 % of the day's {most} for everybody are used. /usage shows by whom.",
    "usage_unpriced_owner": (
        "⚠️ There is a limit in money, but nobody knows the price of {models}. It holds only if the provider says what "
        "calls cost. Set `llm.input_price` and `llm.output_price`, or a limit in tokens, which always holds."
    ),
    "menu_usage": "How much the model was used",
    "usage_voice": "Voice notes in this hour: {minutes} min",
    "usage_web": "The web in this hour: {requests} requests, {searches} searches, {size} MB",
}
