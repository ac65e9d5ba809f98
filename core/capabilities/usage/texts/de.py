"""German: the use of the model."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "usage_title": "📊 Deine Nutzung des Modells",
    "usage_today": "Heute: {used}",
    "usage_month": "Diesen Monat: {used}",
    "usage_none": "nichts",
    "usage_line": "Aufrufe: {calls}, Tokens: {tokens}",
    "usage_unknown": "Preis unbekannt bei {count}",
    "usage_people": "Nach Personen, diesen Monat:",
    "usage_models": "Nach Modellen, diesen Monat:",
    "usage_days": "Nach Tagen:",
    "usage_near_person_tokens": (
        "📊 Über 80 % deiner {most} Tokens von heute sind verbraucht. Danach tue ich noch, was kein Modell braucht."
    ),
    "usage_near_person_money": (
        "📊 Über 80 % deiner {most} von heute sind verbraucht. Danach tue ich noch, was kein Modell braucht."
    ),
    "usage_near_chat_tokens": (
        "📊 Über 80 % der {most} Tokens dieses Chats von heute sind verbraucht. Danach tue ich noch, was kein Modell "
        "braucht."
    ),
    "usage_near_chat_money": (
        "📊 Über 80 % der {most} dieses Chats von heute sind verbraucht. Danach tue ich noch, was kein Modell braucht."
    ),
    "usage_near_day_tokens": (
        "📊 Über 80 % der {most} Tokens, die heute alle zusammen haben, sind verbraucht. /usage zeigt, von wem."
    ),
    "usage_near_day_money": (
        "📊 Über 80 % der {most}, die heute alle zusammen haben, sind verbraucht. /usage zeigt, von wem."
    ),
    "usage_unpriced_owner": (
        "⚠️ Es gibt eine Grenze in Geld, aber niemand kennt den Preis von {models}. Sie gilt nur, wenn der Anbieter "
        "sagt, was Aufrufe kosten. Setze `llm.input_price` und `llm.output_price`, oder eine Grenze in Tokens, die "
        "immer gilt."
    ),
    "menu_usage": "Wie viel das Modell genutzt wurde",
    "usage_voice": "Sprachnachrichten in dieser Stunde: {minutes} min",
    "usage_web": "Das Netz in dieser Stunde: {requests} Abrufe, {searches} Suchen, {size} MB",
}
