"""Memories of a person or a group."""

from __future__ import annotations

from core.capabilities.memory import keeps
from core.capabilities.memory.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="memory",
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    keeps=keeps.KEEPS,
)
