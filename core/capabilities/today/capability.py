"""The agenda of a day."""

from __future__ import annotations

from core.capabilities.today import brief, commands
from core.toolkit.capability import Capability, Schedules

CAPABILITY = Capability(
    name="today",
    commands=commands.COMMANDS,
    schedules=Schedules(deliver={"brief": brief.deliver}),
)
