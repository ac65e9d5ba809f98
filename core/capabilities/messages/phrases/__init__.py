"""What people say to hear no more from somebody, by code of the language."""

from __future__ import annotations

from core.capabilities.messages.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
