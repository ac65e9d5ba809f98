"""The agenda of a day."""

from __future__ import annotations

from core.capabilities.today import brief, commands
from core.capabilities.today.understands import UNDERSTANDS
from core.toolkit.capability import Capability, Schedules

CAPABILITY = Capability(
    name="today",
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    phrases="core.capabilities.today.phrases",
    understands=UNDERSTANDS,
    schedules=Schedules(deliver={"brief": brief.deliver}, rewrite=brief.rewrite),
)
