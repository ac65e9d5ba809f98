"""What is kept of somebody, and how it is erased."""

from __future__ import annotations

from core.capabilities.privacy import commands, keeps, retention, shorter
from core.capabilities.privacy.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="privacy",
    services=retention.services,
    background=retention.run,
    commands={**commands.COMMANDS, **shorter.COMMANDS},
    intents=(*commands.INTENTS, *shorter.INTENTS),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    keeps=keeps.KEEPS,
)
