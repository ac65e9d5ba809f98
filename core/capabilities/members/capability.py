"""Who may talk to the bot."""

from __future__ import annotations

from core.capabilities.members import commands, keeps, tools
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="members",
    tools=tools_in(tools),
    commands=commands.COMMANDS,
    keeps=keeps.KEEPS,
)
