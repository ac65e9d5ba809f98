"""Plans."""

from __future__ import annotations

from core.capabilities.planning import commands, tools
from core.capabilities.planning.texts import de, en, zh
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="planning",
    tools=tools_in(tools),
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
)
