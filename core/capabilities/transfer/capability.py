"""Export and import."""

from __future__ import annotations

from core.capabilities.transfer import commands
from core.capabilities.transfer.keeps import KEEPS
from core.capabilities.transfer.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="transfer",
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    keeps=KEEPS,
)
