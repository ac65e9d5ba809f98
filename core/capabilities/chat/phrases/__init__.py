"""What people say to ask for the time or the date, by code of the language."""

from __future__ import annotations

from core.capabilities.chat.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
