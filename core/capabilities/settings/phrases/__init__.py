"""What people say to set quiet hours or a time zone, and to take something back, by code of the language."""

from __future__ import annotations

from core.capabilities.settings.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
