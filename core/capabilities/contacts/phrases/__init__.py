"""What people say to ask whom the bot knows, by code of the language."""

from __future__ import annotations

from core.capabilities.contacts.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
