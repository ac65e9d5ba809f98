"""What people say to ask what is on at a day, by code of the language."""

from __future__ import annotations

from core.capabilities.today.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
