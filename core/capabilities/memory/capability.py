"""Memories of a person or a group."""

from __future__ import annotations

from core.capabilities.memory import commands, finding, keeps, meanings, service, tools
from core.capabilities.memory.texts import de, en, zh
from core.capabilities.memory.understands import UNDERSTANDS
from core.toolkit.capability import Capability, Tells, tools_in

CAPABILITY = Capability(
    name="memory",
    tools=tools_in(tools),
    undoes=(service.memory_change, service.silence_notes),
    states=tools.states,
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    understands=UNDERSTANDS,
    keeps=keeps.KEEPS,
    background=meanings.run,
    tells=Tells(recalls=finding.matters),
)
