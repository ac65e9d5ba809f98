"""Hooks."""

from __future__ import annotations

from core.capabilities.hooks import calls, commands, keeps
from core.capabilities.hooks.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="hooks",
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    services=lambda services: [calls.Addresses(services)],
    connects={calls.PATH: calls.take},
    keeps=keeps.KEEPS,
)
