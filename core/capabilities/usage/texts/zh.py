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
    "usage_near_person_tokens": "📊 你今天的 {most} 个 token 已用去八成以上。用完后，不需要模型的事我照样做。",
    "usage_near_person_money": "📊 你今天的 {most} 已用去八成以上。用完后，不需要模型的事我照样做。",
    "usage_near_chat_tokens": "📊 本聊天今天的 {most} 个 token 已用去八成以上。用完后，不需要模型的事我照样做。",
    "usage_near_chat_money": "📊 本聊天今天的 {most} 已用去八成以上。用完后，不需要模型的事我照样做。",
    "usage_near_day_tokens": "📊 今天所有人共用的 {most} 个 token 已用去八成以上。/usage 显示用在谁身上。",
    "usage_near_day_money": "📊 今天所有人共用的 {most} 已用去八成以上。/usage 显示用在谁身上。",
    "usage_unpriced_owner": (
        "⚠️ 设了金额上限，但没人知道 {models} 的价格。只有服务商说明每次调用的费用时，这个上限才有效。"
        "请设置 `llm.input_price` 和 `llm.output_price`，或设 token 上限，那总是有效的。"
    ),
    "menu_usage": "模型用了多少",
    "usage_voice": "本小时的语音：{minutes} 分钟",
    "usage_web": "本小时的网页：{requests} 次读取，{searches} 次搜索，{size} MB",
}
