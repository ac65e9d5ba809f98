"""One person on several platforms."""

from __future__ import annotations

from core.capabilities.links import commands, keeps
from core.capabilities.links.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="links",
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    keeps=keeps.KEEPS,
)
