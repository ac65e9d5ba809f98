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
    "menu_usage": "Wie viel das Modell genutzt wurde",
}
