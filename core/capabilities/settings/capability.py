"""Settings of a chat or a person."""

from __future__ import annotations

from core.capabilities.settings import commands, quiet_hours, tools
from core.capabilities.settings.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="settings",
    tools=tools_in(tools),
    commands={**commands.COMMANDS, **quiet_hours.COMMANDS},
    understands=UNDERSTANDS,
)
