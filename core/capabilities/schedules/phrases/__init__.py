"""What people say of what is scheduled, and to have a brief, by code of the language."""

from __future__ import annotations

from core.capabilities.schedules.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
