"""The agenda of a day."""

from __future__ import annotations

from core.capabilities.today import commands
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="today",
    commands=commands.COMMANDS,
)
