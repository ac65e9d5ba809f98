"""Texts that only Slack needs, one file a language."""

from __future__ import annotations

from bot.adapters.slack.texts import de, en, zh

TEXTS = {"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS}
