"""What the model was used for, and what that cost."""

from __future__ import annotations

from core.capabilities.usage import commands
from core.capabilities.usage.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="usage",
    commands=commands.COMMANDS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
)
