"""What people say to be reminded, by code of the language."""

from __future__ import annotations

from core.capabilities.reminders.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
