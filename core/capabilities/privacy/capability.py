"""What is kept of somebody, and how it is erased."""

from __future__ import annotations

from core.capabilities.privacy import commands, keeps, retention
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="privacy",
    services=retention.services,
    background=retention.run,
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    keeps=keeps.KEEPS,
)
