"""Texts that only Slack needs, one file a language."""

from __future__ import annotations

from bot.adapters.slack.texts import en, zh

TEXTS = {"en": en.TEXTS, "zh": zh.TEXTS}
