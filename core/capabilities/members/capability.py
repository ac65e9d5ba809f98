"""Who may talk to the bot."""

from __future__ import annotations

from core.capabilities.members import commands, service
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="members",
    undoes=(service.remove_person, service.restore_person),
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
)
