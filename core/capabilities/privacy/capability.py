"""What is kept of somebody, and how it is erased."""

from __future__ import annotations

from core.capabilities.privacy import commands, retention, tools
from core.toolkit.capability import Capability, tools_in

CAPABILITY = Capability(
    name="privacy",
    tools=tools_in(tools),
    services=retention.services,
    background=retention.run,
    commands=commands.COMMANDS,
)
