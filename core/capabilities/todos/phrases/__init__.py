"""What people say of lists and of what is on them, and of what shall not come any more, by code of the language."""

from __future__ import annotations

from core.capabilities.todos.phrases import de, en, zh

PHRASES = {"de": de.PHRASES, "en": en.PHRASES, "zh": zh.PHRASES}
