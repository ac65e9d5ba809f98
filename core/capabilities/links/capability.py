"""One person on several platforms."""

from __future__ import annotations

from core.capabilities.links import commands, keeps, tools
from core.capabilities.links.texts import en, zh
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="links",
    tools=tools_in(tools),
    commands=commands.COMMANDS,
    texts={"en": en.TEXTS, "zh": zh.TEXTS},
    keeps=keeps.KEEPS,
)
