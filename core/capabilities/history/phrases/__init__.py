"""What people say to ask what was said, or for a summary of it, by code of the language."""

from __future__ import annotations

from core.capabilities.history.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
